"""Parameters of a design with the values that they take, and points: a value for each."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.naming import suggestion

Value = int | float | str
Point = Mapping[str, Value]


@dataclass(frozen=True)
class DesignParameter:
    """A name and the values that it takes. Where one of them is a word, all count as words."""

    name: str
    values: tuple[Value, ...]

    def __post_init__(self) -> None:
        if not self.name or ":" in self.name or self.name != self.name.strip():
            raise UsageError(f"`{self.name}` cannot name a parameter: it has a `:` or nothing")
        if not self.values:
            raise UsageError(f"{self.name} has no values")
        wrong = [value for value in self.values if not usable(value)]
        if wrong:
            raise UsageError(f"{self.name}: {wrong[0]!r} is neither a finite number nor a word")
        if len(set(self.values)) < len(self.values):
            raise UsageError(f"{self.name} has a value twice")

    @property
    def numeric(self) -> bool:
        """Whether all values are numbers."""
        return not any(isinstance(value, str) for value in self.values)

    @cached_property
    def places(self) -> dict[Value, int]:
        """The place of each value."""
        return {value: place for place, value in enumerate(self.values)}

    def place_of(self, value: Value) -> int:
        """Give the place of a value. UsageError for what is none."""
        if value not in self.places:
            known = ", ".join(map(str, self.values[:12])) + ("…" if len(self.values) > 12 else "")
            raise UsageError(f"{self.name} does not take {value!r}; its values are {known}")
        return self.places[value]


def usable(value: object) -> bool:
    """Tell whether something can be a value: a finite number of no more than 63 bits, a word."""
    if type(value) is int:
        return abs(value) < 2**63
    if type(value) is float:
        return math.isfinite(value)
    return type(value) is str and bool(value.strip())


def plain_name(name: str) -> str:
    """Give the name that conditions and costs use: signs and dots are underscores (``_blk``)."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return f"_{plain}" if plain[0].isdigit() else plain


def value_of(point: Point, name: str) -> Value:
    """Give a parameter's value at a point. UsageError where it has none."""
    if name not in point:
        near = suggestion(name, point)
        raise UsageError(f"the point {words_of(point)} has no {name}" + (f": {near}" * bool(near)))
    return point[name]


def words_of(point: Point) -> str:
    """Write a point."""
    return "(" + ", ".join(f"{name}={value}" for name, value in point.items()) + ")"


def parameter_called(parameters: Sequence[DesignParameter], name: str) -> DesignParameter:
    """Give the parameter of a name. UsageError where there is none."""
    found = next((each for each in parameters if each.name == name), None)
    if found is None:
        names = [each.name for each in parameters]
        hint = suggestion(name, names) or f"there are {', '.join(names)}"
        raise UsageError(f"there is no parameter `{name}`; {hint}")
    return found
