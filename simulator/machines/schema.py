"""What a machine file may hold: the table of schema.toml, and the checks that it gives."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion

Scalar = int | float | bool | str | tuple[int, ...]
"""What a key can hold."""


@dataclass(frozen=True)
class SchemaKey:
    """One row of the table.

    ``type`` is int, float, bool, str or int_list; ``unit`` is empty where there is none.
    ``inherited`` tells whether an absent value is taken along the fallback chain.
    """

    name: str
    type: str
    meaning: str
    unit: str = ""
    min: float = -math.inf
    max: float = math.inf
    choices: tuple[str, ...] = ()
    inherited: bool = True
    required: bool = False


@dataclass(frozen=True)
class Letter:
    """The first letter of a source: what kind of evidence it is."""

    letter: str
    meaning: str
    assumed: bool


@dataclass(frozen=True)
class Schema:
    """All keys in the order of the table, and the letters of sources."""

    version: int
    keys: Mapping[str, SchemaKey]
    letters: Mapping[str, Letter]

    @property
    def groups(self) -> tuple[str, ...]:
        """Give the tables that hold keys, in order: ``dram`` and ``dram.timing`` are two."""
        return tuple(dict.fromkeys(name.rpartition(".")[0] for name in self.keys))

    def key(self, name: str) -> SchemaKey:
        """Find a key; UsageError with the nearest names where there is none."""
        if name in self.keys:
            return self.keys[name]
        words = f"there is no machine key `{name}`"
        raise UsageError(
            Diagnostic(Severity.ERROR, words, hint=suggestion(name, self.keys) or _ALL_KEYS)
        )


_ALL_KEYS = "docs/machines.md lists every key"


@cache
def schema() -> Schema:
    """Read the table (once)."""
    data = tomllib.loads(files(__package__).joinpath("schema.toml").read_text("utf-8"))
    version, letters = data.pop("version"), data.pop("letters")
    never, required = data.pop("never_inherited"), data.pop("required")
    keys = {
        name: SchemaKey(
            name,
            **{**row, "choices": tuple(row.get("choices", ()))},
            inherited=name.partition(".")[0] not in never,
            required=name in required,
        )
        for name, row in _rows("", data)
    }
    return Schema(version, keys, {x: Letter(x, **row) for x, row in letters.items()})


def _rows(prefix: str, table: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    rows: list[tuple[str, dict[str, Any]]] = []
    for name, item in table.items():
        if isinstance(item.get("meaning"), str):
            rows.append((prefix + name, item))
        else:
            rows += _rows(f"{prefix}{name}.", item)
    return rows


def problem_with(key: SchemaKey, value: object) -> str | None:
    """Tell what is wrong with a value of this key; None where nothing is."""
    if not _TYPE_CHECKS[key.type](value):
        return f"{key.name} is {_TYPE_WORDS[key.type]}, not {_shown(value)}"
    if key.choices and value not in key.choices:
        return f"{key.name} is one of {', '.join(key.choices)}, not {_shown(value)}"
    numbers = value if isinstance(value, list | tuple) else (value,)
    for number in numbers:
        if isinstance(number, int | float) and not key.min <= number <= key.max:
            unit = f" {key.unit}" if key.unit else ""
            return f"{key.name} is {key.min:.15g} to {key.max:.15g}{unit}, not {_shown(number)}"
    return None


def normalised(key: SchemaKey, value: object) -> Scalar:
    """Give a checked value in the one form of its type: 448 of a float key is 448.0."""
    if key.type == "float":
        return float(value)  # type: ignore[arg-type]
    return tuple(value) if isinstance(value, list) else value  # type: ignore[return-value]


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_float(value: object) -> bool:
    return _is_int(value) or (isinstance(value, float) and math.isfinite(value))


def _is_int_list(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) > 0 and all(map(_is_int, value))


_TYPE_CHECKS = {
    "int": _is_int,
    "float": _is_float,
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "int_list": _is_int_list,
}
_TYPE_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "int_list": "a list of whole numbers",
}
