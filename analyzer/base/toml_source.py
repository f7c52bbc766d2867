"""TOML that people write, with the place of every key: values, spans, located errors.

Values come from ``tomllib``. Places come from a second, tolerant parse with tree-sitter that is
made only when something asks for one, which is when there is an error to point at.
"""

from __future__ import annotations

import re
import tomllib
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.whole_files import read_input

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails
    from tree_sitter import Node


KeyPath = tuple[str | int, ...]
"""Path of a value: keys of tables and places in arrays, from the outermost."""

_MAX_TEXT = 16 << 20
_MAX_DEPTH = 64  # where a text too deep for tomllib is said to be too deep
_PLACE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)", re.DOTALL)
_START = Span(1, 1, 1)


@dataclass(frozen=True)
class TomlDocument:
    """A TOML text that was read: its values, and where each of them stands."""

    source: Source
    values: dict[str, Any]

    @cached_property
    def places(self) -> dict[KeyPath, TomlPlace]:
        """The place of every key path of the text."""
        return find_places(self.source.text)

    def span(self, path: KeyPath) -> Span:
        """Span of the value at ``path``.

        A table with a header is at the name in its header, any other value at its own text (the
        first line of it). Where there is no such path, this is the place of the nearest parent
        that is there; the whole document is at its first character.
        """
        found = self._place(path)
        return _START if found is None else found.value

    def key_span(self, path: KeyPath) -> Span:
        """Span of the key of ``path``; of an array's element, the element."""
        found = self._place(path)
        return _START if found is None else found.key

    def span_inside(self, path: KeyPath, start: int, end: int) -> Span:
        """Span of characters ``start`` to ``end`` of the string at ``path``.

        Where the string is written with escapes or over several lines, this is all of it.
        """
        whole = self.span(path)
        line = self.source.line(whole.line)
        written = line[whole.column - 1 : whole.end_column - 1]
        if written[1:-1] != self.value(path) or written[:1] not in ('"', "'"):
            return whole
        first = whole.column + 1 + max(0, min(start, len(written) - 2))
        return Span(whole.line, first, max(first + 1, whole.column + 1 + end))

    def value(self, path: KeyPath) -> Any:
        """The value at ``path``, or None where there is none."""
        here: Any = self.values
        for part in path:
            if not _holds(here, part):
                return None
            here = here[part]
        return here

    def error(self, path: KeyPath, message: str, hint: str | None = None) -> Diagnostic:
        """Make an error that points at the value of ``path``."""
        return at(self.source, self.span(path), Severity.ERROR, message, hint)

    def key_error(self, path: KeyPath, message: str, hint: str | None = None) -> Diagnostic:
        """Make an error that points at the key of ``path``."""
        return at(self.source, self.key_span(path), Severity.ERROR, message, hint)

    def _place(self, path: KeyPath) -> TomlPlace | None:
        for length in range(len(path), 0, -1):
            found = self.places.get(path[:length])
            if found is not None:
                return found
        return None


def read_toml(source: Source) -> TomlDocument:
    """Read a TOML text. InputError points at the place of a syntax error."""
    if len(source.text) > _MAX_TEXT:
        words = f"the file is larger than {_MAX_TEXT >> 20} MiB, the most that is read as TOML"
        raise InputError(at(source, _START, Severity.ERROR, words))
    try:
        return TomlDocument(source, tomllib.loads(source.text))
    except RecursionError:
        raise InputError(_too_deep(source)) from None
    except ValueError as error:
        raise InputError(_syntax_error(source, str(error))) from None


def read_toml_file(path: Path, name: str | None = None) -> TomlDocument:
    """Read the TOML file at ``path``, which diagnostics call ``name`` (by default the path).

    InputError where it is not there, cannot be read, is not UTF-8 or not TOML.
    """
    name = str(path) if name is None else name
    try:
        data = read_input(path, _MAX_TEXT)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            Diagnostic(Severity.ERROR, f"cannot read the file: {reason}", name)
        ) from None
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")  # some editors begin files so
        return read_toml(Source(name, text))
    except UnicodeDecodeError as error:
        raise InputError(_not_utf8(name, data, error.start)) from None


def _not_utf8(name: str, data: bytes, offset: int) -> Diagnostic:
    source = Source(name, data.decode("utf-8", "replace"))
    before = data[:offset].decode("utf-8", "replace")
    span = _span_at(before)
    words = f"byte 0x{data[offset]:02x} is not UTF-8, which TOML files are written in"
    return at(source, span, Severity.ERROR, words)


def _span_at(before: str) -> Span:
    """The span of the character that follows the text ``before``."""
    column = len(before) - (before.rfind("\n") + 1) + 1
    return Span(before.count("\n") + 1, column, column + 1)


def _syntax_error(source: Source, message: str) -> Diagnostic:
    placed = _PLACE.fullmatch(message)
    if placed is not None:
        words, line, column = placed[1], int(placed[2]), int(placed[3])
        return at(source, Span(line, column, column + 1), Severity.ERROR, _lowered(words))
    if "digits" in message:
        digits = re.search(r"[0-9_]{1000,}", source.text)
        before = source.text[: digits.start()] if digits else ""
        return at(source, _span_at(before), Severity.ERROR, "the number has too many digits")
    words = message.removesuffix(" (at end of document)")
    return at(source, _span_at(source.text.rstrip()), Severity.ERROR, _lowered(words))


def _lowered(words: str) -> str:
    return words[:1].lower() + words[1:]


def _too_deep(source: Source) -> Diagnostic:
    depth = 0
    for offset, character in enumerate(source.text):
        depth += (character in "[{") - (character in "]}")
        if depth > _MAX_DEPTH:
            span = _span_at(source.text[:offset])
            return at(source, span, Severity.ERROR, "arrays or tables are nested too deep")
    return at(source, _START, Severity.ERROR, "arrays or tables are nested too deep")


def _holds(value: Any, part: str | int) -> bool:
    if isinstance(value, dict):
        return part in value
    return isinstance(value, list) and isinstance(part, int) and 0 <= part < len(value)


# Where keys and values stand in a TOML text, by tree-sitter's tolerant parse.
#
# Imported only when something asks for a place, which is when there is an error to point at.


_DEEPEST_PLACE = 64  # deeper values have the place of their nearest indexed parent


class TomlPlace(NamedTuple):
    """Spans of a key and its value; both are the same for elements and table headers."""

    key: Span
    value: Span


def find_places(text: str) -> dict[KeyPath, TomlPlace]:
    """The place of every key path of a TOML text, as deep as 64 keys."""
    return _Index(text).places


class _Index:
    """Builds the places of all key paths from tree-sitter's tree."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8", "replace")
        self._lines = self._data.split(b"\n")
        self.places: dict[KeyPath, TomlPlace] = {}
        self._elements: dict[KeyPath, int] = {}  # arrays of tables: the index of the last element
        import tree_sitter_toml  # noqa: PLC0415 - only to point at an error
        from tree_sitter import Language, Parser  # noqa: PLC0415 - as above

        root = Parser(Language(tree_sitter_toml.language())).parse(self._data).root_node
        self._pairs((), root)
        for node in root.children:
            if node.type in ("table", "table_array_element"):
                self._pairs(self._header(node), node)

    def _header(self, node: Node) -> KeyPath:
        """Record a header; give the path of the table that it opens."""
        keys = next((_key_parts(child) for child in node.children if _is_key(child)), [])
        path: KeyPath = ()
        for number, key in enumerate(keys[:_DEEPEST_PLACE]):
            path = (*path, _key_text(key))
            self._record(path, self._span(key), self._span(key))
            if node.type == "table_array_element" and number == len(keys) - 1:
                self._elements[path] = self._elements.get(path, -1) + 1
            if path in self._elements:
                path = (*path, self._elements[path])
                self._record(path, self._span(key), self._span(key))
        return path

    def _pairs(self, base: KeyPath, node: Node) -> None:
        for child in node.children:
            if child.type == "pair":
                self._pair(base, child)

    def _pair(self, base: KeyPath, pair: Node) -> None:
        parts = [child for child in pair.children if child.is_named and child.type != "comment"]
        if len(parts) != 2 or not _is_key(parts[0]):
            return  # a text that tomllib read and tree-sitter did not: the parent's place serves
        keys = _key_parts(parts[0])
        if len(base) + len(keys) > _DEEPEST_PLACE:
            return
        for key in keys[:-1]:
            base = (*base, _key_text(key))
            self._record(base, self._span(key), self._span(key))
        self._value((*base, _key_text(keys[-1])), self._span(keys[-1]), parts[1])

    def _value(self, path: KeyPath, key: Span, node: Node) -> None:
        self._record(path, key, self._span(node))
        if node.type == "inline_table":
            self._pairs(path, node)
        if node.type != "array" or len(path) >= _DEEPEST_PLACE:
            return
        items = (c for c in node.children if c.is_named and c.type != "comment")
        for number, item in enumerate(items):
            self._value((*path, number), self._span(item), item)

    def _record(self, path: KeyPath, key: Span, value: Span) -> None:
        self.places.setdefault(path, TomlPlace(key, value))

    def _span(self, node: Node) -> Span:
        """A node's span in characters; what runs over several lines ends with the first."""
        (row, start), (end_row, end) = node.start_point, node.end_point
        line = self._lines[row].rstrip(b"\r") if row < len(self._lines) else b""
        if end_row != row:
            end = len(line)
        column = len(line[:start].decode("utf-8", "replace")) + 1
        width = len(line[start:end].decode("utf-8", "replace"))
        return Span(row + 1, column, column + max(1, width))


def _is_key(node: Node) -> bool:
    return node.type in ("bare_key", "quoted_key", "dotted_key")


def _key_parts(node: Node) -> list[Node]:
    """The simple keys of a dotted key, which the tree nests to the left, from the first."""
    parts: list[Node] = []
    here: Node | None = node
    while here is not None:
        keys = [child for child in here.children if _is_key(child)]
        if here.type != "dotted_key" or not keys:
            parts.append(here)
            break
        parts += reversed(keys[1:])
        here = keys[0]
    return parts[::-1]


def _key_text(node: Node) -> str:
    """The key that a bare or quoted key stands for."""
    written = (node.text or b"").decode("utf-8", "replace")
    return written if node.type == "bare_key" else next(iter(tomllib.loads(f"{written} = 0")))


_Model = TypeVar("_Model", bound="BaseModel")

_MAX_LISTED = 16
_MAX_SHOWN = 40

_WORDS = {  # pydantic's error type: what must be; {names} come from the error's context
    "int_type": "must be an integer",
    "int_from_float": "must be an integer",
    "float_type": "must be a number",
    "string_type": "must be text",
    "bool_type": "must be true or false",
    "list_type": "must be an array",
    "tuple_type": "must be an array",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "too_short": "must have {min_length} or more elements, not {actual_length}",
    "too_long": "must have at most {max_length} elements, not {actual_length}",
    "string_too_short": "must not be empty",
    "finite_number": "must be finite",
    "literal_error": "must be {expected}",
    "value_error": "{error}",
}
_TYPE_ERRORS = frozenset(t for t in _WORDS if t.endswith("_type")) | {"int_from_float"}
_TOML_TYPES = (
    (bool, "true or false"), (int, "an integer"), (float, "a floating-point number"),
    (str, "text"), (list, "an array"), (dict, "a table"),
)  # fmt: skip


def validate(document: TomlDocument, model: type[_Model], base: KeyPath = ()) -> _Model:
    """Check the values at ``base`` against a pydantic model and give the model's instance.

    InputError holds one diagnostic for each thing that is wrong, at its key or value. TOML has
    lists and no tuples or enumerations: in a strict model, declare lists and literals.
    """
    from pydantic import ValidationError  # noqa: PLC0415 - machines of the package need none of it

    try:
        return model.model_validate(document.value(base))
    except ValidationError as error:
        found = error.errors(include_url=False)
    problems: dict[KeyPath, list[ErrorDetails]] = {}
    for details in found:
        problems.setdefault(_key_path(document, base, details), []).append(details)
    diagnostics = [
        _diagnostic(document, path, errors, _keys_at(model, path[len(base) : -1]))
        for path, errors in problems.items()
        if not (_is_about_type(errors) and _has_below(problems, path))
    ]
    raise InputError(*sorted(diagnostics, key=lambda d: d.span or (0, 0, 0)))


def _key_path(document: TomlDocument, base: KeyPath, details: ErrorDetails) -> KeyPath:
    """The key path of an error without the names of union members that pydantic puts in."""
    path = base
    location = details["loc"]
    for number, part in enumerate(location):
        here = document.value(path)
        inside = isinstance(here, dict) and part in here
        inside |= isinstance(here, list) and isinstance(part, int) and part < len(here)
        if inside or (details["type"] == "missing" and number == len(location) - 1):
            path = (*path, part)
    return path


def _is_about_type(errors: list[ErrorDetails]) -> bool:
    return all(e["type"] in _TYPE_ERRORS for e in errors)


def _has_below(problems: Iterable[KeyPath], path: KeyPath) -> bool:
    """Whether a problem lies inside ``path``: a union's other members then say too much."""
    return any(len(p) > len(path) and p[: len(path)] == path for p in problems)


def _diagnostic(
    document: TomlDocument, path: KeyPath, errors: list[ErrorDetails], known: list[str]
) -> Diagnostic:
    kind = errors[0]["type"]
    if kind == "missing":
        within = f" in `{_shown(path[:-1])}`" if len(path) > 1 else ""
        return document.error(path, f"`{_shown(path[-1:])}` is missing{within}")
    if kind == "extra_forbidden":
        return document.key_error(
            path, f"unknown key `{_shown(path[-1:])}`", _known_keys(str(path[-1]), known)
        )
    wanted = list(dict.fromkeys(_words(e) for e in errors))
    if "must be a number" in wanted and "must be an integer" in wanted:
        wanted.remove("must be an integer")
    words = " or ".join([wanted[0], *(w.removeprefix("must be ") for w in wanted[1:])])
    value = document.value(path)
    if _is_about_type(errors):
        words += f", not {_toml_type(value)}"
    hint = suggestion(value, _expected(errors)) if isinstance(value, str) else None
    subject = f"`{_shown(path)}` " if words.startswith("must ") and path else ""
    return document.error(path, subject + words, hint)


def _words(details: ErrorDetails) -> str:
    if details.get("ctx", {}).get("expected") == "True":
        return "must be true"
    template = _WORDS.get(details["type"])
    if template is not None:
        return template.format(**details.get("ctx", {}))
    return details["msg"].replace("Input should be", "must be")


def _expected(errors: Iterable[ErrorDetails]) -> list[str]:
    """The words that a literal may be, out of pydantic's ``'a', 'b' or 'c'``."""
    texts = (str(e.get("ctx", {}).get("expected", "")) for e in errors)
    return [word for text in texts for word in text.split("'")[1::2]]


def _known_keys(key: str, known: list[str]) -> str | None:
    near = suggestion(key, known)
    if near is not None or not 0 < len(known) <= _MAX_LISTED:
        return near
    return f"known keys: {', '.join(dict.fromkeys(known))}"


def _toml_type(value: Any) -> str:
    return next((words for kind, words in _TOML_TYPES if isinstance(value, kind)), "a date or time")


def _shown(path: KeyPath) -> str:
    """A key path from its last key on: ``block[1]``."""
    start = max((n for n, part in enumerate(path) if isinstance(part, str)), default=0)
    text = "".join(p if isinstance(p, str) else f"[{p}]" for p in path[start:])
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def _keys_at(model: type[BaseModel], path: KeyPath) -> list[str]:
    """The keys of the models that may stand at ``path`` below ``model``."""
    here: list[Any] = [model]
    for part in path:
        here = [m for a in here for inner in _inside(a, part) for m in _members(inner)]
    models = [a for a in here if _is_model(a)]
    return [f.alias or name for m in models for name, f in m.model_fields.items()]


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and hasattr(annotation, "model_fields")


def _members(annotation: Any) -> Iterator[Any]:
    """Members of a union annotation, without ``Annotated``."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _members(get_args(annotation)[0])
    elif origin in (Union, types.UnionType):
        for member in get_args(annotation):
            yield from _members(member)
    else:
        yield annotation


def _inside(annotation: Any, part: str | int) -> Iterator[Any]:
    """Types that an annotation holds under ``part``."""
    if _is_model(annotation):
        fields = annotation.model_fields.items()
        yield from (f.annotation for name, f in fields if part == (f.alias or name))
    elif get_origin(annotation) is dict:
        yield get_args(annotation)[1]
    elif isinstance(part, int):
        yield from (a for a in get_args(annotation) if a is not Ellipsis)
