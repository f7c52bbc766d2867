"""pydantic's errors about a TOML document in plain words, each at its line and column."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.toml_source import KeyPath, TomlDocument

_Model = TypeVar("_Model", bound=BaseModel)

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
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _members(annotation: Any) -> Iterator[Any]:
    """What an annotation may be: the members of a union, without ``Annotated``."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _members(get_args(annotation)[0])
    elif origin in (Union, types.UnionType):
        for member in get_args(annotation):
            yield from _members(member)
    else:
        yield annotation


def _inside(annotation: Any, part: str | int) -> Iterator[Any]:
    """Give the types of what an annotation holds under ``part``."""
    if _is_model(annotation):
        fields = annotation.model_fields.items()
        yield from (f.annotation for name, f in fields if part == (f.alias or name))
    elif get_origin(annotation) is dict:
        yield get_args(annotation)[1]
    elif isinstance(part, int):
        yield from (a for a in get_args(annotation) if a is not Ellipsis)
