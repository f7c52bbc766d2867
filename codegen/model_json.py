"""Clone models as JSON, and back: every dataclass an object of its fields.

Where a field may hold several kinds of things, the object says its ``kind``; registers of the
model are [type, vector], as their names are the original's and belong to nobody's clone.
"""

from __future__ import annotations

import json
import types
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.kernel import Register
from warpmill.analyzer.ir.types import TYPES, Type
from warpmill.codegen.model import CloneModel

VERSION = 1
"""Rises when models are written otherwise."""


def models_text(models: Sequence[CloneModel]) -> str:
    """Write models as JSON, the same bytes for the same models."""
    data = {"clone_models": VERSION, "models": [_plain(model) for model in models]}
    return _laid_out(data, 0) + "\n"


def models_of(text: str) -> tuple[CloneModel, ...]:
    """Read what ``models_text`` wrote; registers get names by their numbers. InputError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no JSON: {str(error)[:200]}") from None
    if not isinstance(data, dict) or not isinstance(data.get("models"), list):
        raise InputError("this holds no clone models: `warpmill clone` writes them as model.json")
    if data.get("clone_models") != VERSION:
        there = data.get("clone_models")
        raise InputError(f"these models are of version {there}, and this warpmill reads {VERSION}")
    try:
        return tuple(_named(_made(each, CloneModel)) for each in data["models"])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError(f"this is no clone model: {str(error)[:200]}") from None


def without_names(model: CloneModel) -> CloneModel:
    """Give a model whose registers are called by their numbers, as one that was read has them."""
    return _named(model)


def _named(model: CloneModel) -> CloneModel:
    registers = (replace(r, name=f"%r{k}") for k, r in enumerate(model.registers))
    return replace(model, registers=tuple(registers))


def _plain(value: Any, *, kind: bool = False) -> Any:
    """Turn a value into what JSON has."""
    if isinstance(value, Register):
        return [value.type.name, value.vector]
    if isinstance(value, Type):
        return value.name
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(each, kind=kind) for each in value]
    if not is_dataclass(value):
        return value
    hints = _hints(type(value))  # type: ignore[arg-type] # classes can be hashed
    own = {f.name: _plain(getattr(value, f.name), kind=_varies(hints[f.name]))
           for f in fields(value)}  # fmt: skip
    return {"kind": type(value).__name__, **own} if kind else own


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _choices(hint: Any) -> tuple[Any, ...]:
    """Give the kinds that a hint allows, one where it is no union."""
    return get_args(hint) if get_origin(hint) in {Union, types.UnionType} else (hint,)


def _varies(hint: Any) -> bool:
    """Whether a field, or what a tuple in it holds, may be of several classes."""
    choices = [each for each in _choices(hint) if each is not type(None)]
    if len(choices) > 1:
        return any(is_dataclass(each) for each in choices)
    if get_origin(choices[0]) is tuple:
        return any(_varies(each) for each in get_args(choices[0]) if each is not ...)
    return False


def _made(data: Any, hint: Any) -> Any:
    """Make the value of a type from what JSON has. TypeError, ValueError, KeyError."""
    choices = _choices(hint)
    if data is None and type(None) in choices:
        return None
    choices = tuple(each for each in choices if each is not type(None))
    if len(choices) > 1:
        return _one_of(data, choices)
    (one,) = choices
    if one is Register:
        type_name, vector = data
        return Register("", TYPES[type_name], vector)
    if one is Type:
        return TYPES[data]
    if get_origin(one) is tuple:
        return _tuple(data, get_args(one))
    if isinstance(one, type) and issubclass(one, Enum):
        return one(data)
    if is_dataclass(one):
        return _object(data, one)
    return _number(data, one)


def _one_of(data: Any, choices: tuple[Any, ...]) -> Any:
    if not isinstance(data, dict):
        plain = [each for each in choices if not is_dataclass(each)]
        return _number(data, plain[0])
    named: dict[str, Any] = {each.__name__: each for each in choices if isinstance(each, type)}
    return _object({k: v for k, v in data.items() if k != "kind"}, named[data["kind"]])


def _tuple(data: Any, parts: tuple[Any, ...]) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise TypeError(f"{data!r} is no list")
    if len(parts) == 2 and parts[1] is ...:
        return tuple(_made(each, parts[0]) for each in data)
    return tuple(_made(each, part) for each, part in zip(data, parts, strict=True))


def _object(data: Any, kind: Any) -> Any:
    if not isinstance(data, dict):
        raise TypeError(f"{data!r} is no {kind.__name__}")
    hints = _hints(kind)
    unknown = [key for key in data if key not in hints]
    if unknown:
        raise ValueError(f"a {kind.__name__} has no {unknown[0]}")
    return kind(**{key: _made(value, hints[key]) for key, value in data.items()})


def _number(data: Any, kind: Any) -> Any:
    """Give a value of a plain type; a float may be written without a fraction."""
    if kind is float and type(data) is int:
        return float(data)
    if type(data) is not kind:
        raise TypeError(f"{data!r} is no {kind.__name__}")
    return data


_WIDTH = 96


def _laid_out(data: Any, depth: int) -> str:
    """Write JSON so that what is short stands in one line."""
    line = json.dumps(data, ensure_ascii=False)
    if len(line) + 2 * depth <= _WIDTH or not isinstance(data, dict | list):
        return line
    lead = "  " * (depth + 1)
    if isinstance(data, dict):
        inner = [
            f"{lead}{json.dumps(key)}: {_laid_out(value, depth + 1)}" for key, value in data.items()
        ]
        return "{\n" + ",\n".join(inner) + "\n" + "  " * depth + "}"
    inner = [lead + _laid_out(value, depth + 1) for value in data]
    return "[\n" + ",\n".join(inner) + "\n" + "  " * depth + "]"
