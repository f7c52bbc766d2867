"""TOML that people write, with the place of every key: values, spans, located errors.

Values come from ``tomllib``. Places come from a second, tolerant parse with tree-sitter that is
made only when something asks for one, which is when there is an error to point at.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.base.input_files import read_input

if TYPE_CHECKING:
    from tree_sitter import Node


KeyPath = tuple[str | int, ...]
"""Where a value stands: keys of tables and places in arrays, from the outermost."""

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
        """Where the value at ``path`` stands.

        A table with a header is at the name in its header, any other value at its own text (the
        first line of it). Where there is no such path, this is the place of the nearest parent
        that is there; the whole document is at its first character.
        """
        found = self._place(path)
        return _START if found is None else found.value

    def key_span(self, path: KeyPath) -> Span:
        """Where the key of ``path`` stands; of an array's element, the element."""
        found = self._place(path)
        return _START if found is None else found.key

    def span_inside(self, path: KeyPath, start: int, end: int) -> Span:
        """Where characters ``start`` to ``end`` of the string at ``path`` stand.

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
    """Where a key and its value stand; both are the same for elements and table headers."""

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
