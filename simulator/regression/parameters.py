"""Parameters of a design, points with a value for each, and the columns that models see."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from lark import Lark, Token, Transformer, v_args

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.lalr import lalr_parser
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.launch.expressions import ExpressionError, evaluate_exactly

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

    def index_of_value(self, value: Value) -> int:
        """The place of a value. UsageError for what is none."""
        if value not in self.places:
            known = ", ".join(map(str, self.values[:12])) + ("…" if len(self.values) > 12 else "")
            raise UsageError(f"{self.name} does not take {value!r}; its values are {known}")
        return self.places[value]


def usable(value: object) -> bool:
    """Whether something can be a value: a finite number of no more than 63 bits, a word."""
    if type(value) is int:
        return abs(value) < 2**63
    if type(value) is float:
        return math.isfinite(value)
    return type(value) is str and bool(value.strip())


def plain_name(name: str) -> str:
    """The name that conditions and costs use: signs and dots are underscores (``_blk``)."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return f"_{plain}" if plain[0].isdigit() else plain


def value_of(point: Point, name: str) -> Value:
    """A parameter's value at a point. UsageError where it has none."""
    if name not in point:
        near = suggestion(name, point)
        raise UsageError(f"the point {words_of(point)} has no {name}" + (f": {near}" * bool(near)))
    return point[name]


def words_of(point: Point) -> str:
    """Write a point."""
    return "(" + ", ".join(f"{name}={value}" for name, value in point.items()) + ")"


def parameter_called(parameters: Sequence[DesignParameter], name: str) -> DesignParameter:
    """The parameter of a name. UsageError where there is none."""
    found = next((each for each in parameters if each.name == name), None)
    if found is None:
        names = [each.name for each in parameters]
        hint = suggestion(name, names) or f"there are {', '.join(names)}"
        raise UsageError(f"there is no parameter `{name}`; {hint}")
    return found


# Expressions over many points at once, in floats that know how far off they may be.
#
# The language is that of launch files (``grammars/expression.lark``), whose values are exact
# fractions. Here a value comes with a bound on its error, so that a comparison that is not clear,
# or a value that rounding could have made, can be computed again exactly.

Floats = npt.NDArray[np.float64]

_UNIT = 2.0**-52
"""Twice what rounding to a float is off by, relatively."""
_CLOSE = 1e-9
"""A figure that is off by no more than this, relatively, is not computed exactly."""
_TOKENS = re.compile(r"0[xX][0-9a-fA-F_]+|[0-9][0-9_]*|(?P<name>[A-Za-z_]\w*)", re.ASCII)


class ValuesWithErrors(NamedTuple):
    """Values, and how far each may be off; ``inf`` where only exact arithmetic tells."""

    values: Floats
    errors: Floats


Names = Mapping[str, ValuesWithErrors]
_Compute = Callable[[Names], ValuesWithErrors]


def names_in(text: str) -> frozenset[str]:
    """The names that an expression uses, those of functions too."""
    return frozenset(found["name"] for found in _TOKENS.finditer(text) if found["name"])


def exact(value: Value) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(value) if isinstance(value, int) else Fraction(str(value))


def evaluate_at(text: str, names: Mapping[str, Value]) -> Fraction:
    """Compute an expression exactly, with numbers of any kind. Raises ExpressionError."""
    known: Any = {name: exact(value) for name, value in names.items()}  # fractions serve as well
    return evaluate_exactly(text, known)


def with_hint(error: ExpressionError) -> str:
    """Fault of an expression in one line."""
    return f"{error.message}; {error.hint}" if error.hint else error.message


def column_of(values: Floats) -> ValuesWithErrors:
    """Make a column of values that are known but for rounding."""
    return ValuesWithErrors(values, np.abs(values) * _UNIT)


def evaluate_columns(text: str, names: Names) -> ValuesWithErrors:
    """Compute an expression for all rows. It must be one: see ``evaluate_at``."""
    with np.errstate(all="ignore"):  # what overflows or is divided by zero has errors of inf or NaN
        values, errors = _parser().parse(text)(names)  # type: ignore[operator] # a function
    return ValuesWithErrors(
        values, np.where(np.isfinite(values) & ~np.isnan(errors), errors, np.inf)
    )


def figures(text: str, points: Mapping[str, Floats], constants: Mapping[str, int]) -> Floats:
    """Compute an expression for all rows, as floats. UsageError, as for a division by zero."""
    columns = {name: column_of(values) for name, values in points.items()}
    columns |= {name: column_of(np.array(float(value))) for name, value in constants.items()}
    length = max((len(values) for values in points.values()), default=1)
    row = 0
    try:
        evaluate_at(text, {**{n: float(v[0]) for n, v in points.items()}, **constants})
        found = evaluate_columns(text, columns)
        values, errors = (np.broadcast_to(each, (length,)).copy() for each in found)
        # floor and ceil of what rounding put beside an integer, and what floats cannot say
        sure = np.isfinite(errors) & (errors <= _CLOSE * np.abs(values))
        for row in np.flatnonzero(~sure).tolist():
            at = {name: float(own[row]) for name, own in points.items()}
            values[row] = float(evaluate_at(text, {**at, **constants}))
    except ExpressionError as error:
        raise UsageError(f"`{text}`: {with_hint(error)}") from None
    except OverflowError:
        raise UsageError(f"`{text}` is too large for a number") from None
    return values


@cache
def _parser() -> Lark:
    return lalr_parser("expression.lark", transformer=_ToColumns())


@v_args(inline=True)
class _ToColumns(Transformer[Token, _Compute]):
    """Builder of a function from names to its column for each rule of the grammar."""

    def number(self, token: Token) -> _Compute:
        digits = str(token).replace("_", "")
        value = int(digits, 16 if digits[:2] in ("0x", "0X") else 10)
        try:
            column = column_of(np.array(float(value)))
        except OverflowError:
            column = ValuesWithErrors(np.array(math.inf), np.array(math.inf))
        return lambda _: column

    def name(self, token: Token) -> _Compute:
        return lambda names: names[str(token)]

    def binary(self, left: _Compute, sign: Token, right: _Compute) -> _Compute:
        rule = {"+": _sum, "-": _difference, "*": _product, "/": _quotient}[str(sign)]
        return lambda names: rule(left(names), right(names))

    def negative(self, sign: Token, value: _Compute) -> _Compute:  # noqa: ARG002 - lark gives it
        return lambda names: _negated(value(names))

    def positive(self, sign: Token, value: _Compute) -> _Compute:  # noqa: ARG002 - lark gives it
        return value

    def call(self, name: Token, *arguments: _Compute) -> _Compute:
        if str(name) in _ROUND:
            (inner,) = arguments
            return lambda names: _rounded(_ROUND[str(name)], inner(names))
        choose = np.minimum if str(name) == "min" else np.maximum
        return lambda names: reduce(
            lambda a, b: ValuesWithErrors(
                choose(a.values, b.values), np.maximum(a.errors, b.errors)
            ),
            (argument(names) for argument in arguments),
        )


_ROUND: dict[str, Callable[[Floats], Floats]] = {"ceil": np.ceil, "floor": np.floor}


def _sum(a: ValuesWithErrors, b: ValuesWithErrors) -> ValuesWithErrors:
    values = a.values + b.values
    return ValuesWithErrors(values, a.errors + b.errors + np.abs(values) * _UNIT)


def _negated(a: ValuesWithErrors) -> ValuesWithErrors:
    return ValuesWithErrors(-a.values, a.errors)


def _difference(a: ValuesWithErrors, b: ValuesWithErrors) -> ValuesWithErrors:
    return _sum(a, _negated(b))


def _product(a: ValuesWithErrors, b: ValuesWithErrors) -> ValuesWithErrors:
    values = a.values * b.values
    errors = np.abs(a.values) * b.errors + np.abs(b.values) * a.errors + a.errors * b.errors
    return ValuesWithErrors(values, errors + np.abs(values) * _UNIT)


def _quotient(a: ValuesWithErrors, b: ValuesWithErrors) -> ValuesWithErrors:
    values, room = a.values / b.values, np.abs(b.values) - b.errors
    errors = (a.errors + np.abs(values) * b.errors) / room + np.abs(values) * _UNIT
    return ValuesWithErrors(values, np.where(room > 0, errors, np.inf))


def _rounded(rounding: Callable[[Floats], Floats], a: ValuesWithErrors) -> ValuesWithErrors:
    clear = rounding(a.values - a.errors) == rounding(a.values + a.errors)
    return ValuesWithErrors(rounding(a.values), np.where(clear, 0.0, a.errors + 1.0))
