"""Natural cubic splines of a parameter, §5.3: knots, and the columns that stand for them.

Knots lie evenly between the smallest and the largest value that the samples have: three inside at
most, and no more than there are further values. (With two values this is a straight line.) The
column of a knot is the natural cubic spline that is 1 there and 0 at all others, so its coefficient
is what the model adds at the knot. The first knot has none, as the constant of the model stands for
it. Beyond the outer knots the columns go on as straight lines.

Where values double, knots at even distances leave knots with no value near them (of 1, 2, 4, 8, 16
the knot 12.25): a model of five values and five knots is right at the values, and may be anything
between them. With ``log2`` the knots are the values. So ``Basis.between`` tells of numbers among
those of the samples that none of them has.

A parameter that takes words has a column for each but the first one that the samples have: 1 there
and 0 elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.regression.parameters import DesignParameter, Value, usable

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

MOST_INNER_KNOTS = 3


@dataclass(frozen=True)
class Basis:
    """How a parameter enters a model.

    ``measured`` are the values that the samples have: numbers ascending, words as declared.
    ``knots`` are those of numbers (of their logarithms to base 2 with ``log2``), none of words.
    """

    parameter: DesignParameter
    measured: tuple[Value, ...]
    log2: bool
    knots: tuple[float, ...]

    @property
    def labels(self) -> tuple[Value, ...]:
        """What each column stands for: a knot (of logarithms the value there), or a word."""
        if not self.parameter.numeric:
            return tuple(value for value in self.parameter.values if value != self.measured[0])
        return tuple(2.0**knot if self.log2 else knot for knot in self.knots[1:])

    @property
    def width(self) -> int:
        """The number of columns, 0 where all samples have one number."""
        return len(self.labels)

    def table(self, values: Sequence[Value]) -> Floats:
        """Give the columns at values, a row each. UsageError for what the parameter cannot be."""
        if not self.parameter.numeric:
            places = {word: place for place, word in enumerate(self.labels)}
            return _indicators([places.get(self._word(value), -1) for value in values], len(places))
        return natural_columns(self._scaled(values), self.knots)

    def outside(self, values: Sequence[Value]) -> Flags:
        """Tell which values lie beyond those of the samples."""
        if not self.parameter.numeric:
            return np.array([value not in self.measured for value in values], dtype=np.bool_)
        low, high = self.measured[0], self.measured[-1]
        return np.array([not low <= value <= high for value in values], dtype=np.bool_)  # type: ignore[operator]

    def between(self, values: Sequence[Value]) -> Flags:
        """Tell which values are numbers among those of the samples that none of them has."""
        if not self.parameter.numeric:
            return np.zeros(len(values), dtype=np.bool_)
        known = np.isin(np.array(values, dtype=np.float64), np.array(self.measured, np.float64))
        return np.asarray(~known & ~self.outside(values))

    def _word(self, value: Value) -> Value:
        self.parameter.place_of(value)
        return value

    def _scaled(self, values: Sequence[Value]) -> Floats:
        wrong = [v for v in values if isinstance(v, str) or not math.isfinite(v)]
        if wrong:
            raise UsageError(f"{self.parameter.name} takes numbers, not {wrong[0]!r}")
        return scaled(self.parameter.name, np.array(values, dtype=np.float64), log2=self.log2)


def basis_of(parameter: DesignParameter, values: Iterable[Value], *, log2: bool = False) -> Basis:
    """Make the basis of a parameter from the values that samples have. UsageError."""
    used = set(values)
    wrong = [value for value in used if not usable(value)]
    if wrong:
        raise UsageError(f"{parameter.name} is {wrong[0]!r}, neither a finite number nor a word")
    if not parameter.numeric:
        if log2:
            raise UsageError(f"{parameter.name} takes words, which have no logarithm")
        places = {value: parameter.place_of(value) for value in used}
        return Basis(parameter, tuple(sorted(used, key=lambda v: places[v])), log2, ())
    words = [value for value in used if isinstance(value, str)]
    if words:
        raise UsageError(f"{parameter.name} takes numbers, not {words[0]!r}")
    measured = tuple(sorted(used))
    places_of = scaled(parameter.name, np.array(measured, dtype=np.float64), log2=log2)
    return Basis(parameter, measured, log2, knots_of(places_of))


def scaled(name: str, values: Floats, *, log2: bool) -> Floats:
    """Give values, or their logarithms. UsageError where there are none."""
    if not log2:
        return values
    if len(values) and values.min() <= 0:
        raise UsageError(f"{name} is {values.min():g} somewhere, which has no logarithm")
    return np.asarray(np.log2(values), dtype=np.float64)


def knots_of(values: Floats) -> tuple[float, ...]:
    """Place knots for distinct values: the outer two, and up to three evenly between them."""
    if len(values) == 1:
        return (float(values[0]),)
    inner = min(MOST_INNER_KNOTS, len(values) - 2)
    return tuple(np.linspace(values.min(), values.max(), inner + 2).tolist())


def natural_columns(values: Floats, knots: Sequence[float]) -> Floats:
    """Give the natural cubic splines that are 1 at one knot and 0 at the others, but the first."""
    if len(knots) < 2 or not len(values):
        return np.zeros((len(values), max(0, len(knots) - 1)))
    if len(knots) == 2:
        return ((values - knots[0]) / (knots[1] - knots[0]))[:, None]
    from patsy import cr  # noqa: PLC0415 - slow to load

    columns = cr(values, knots=knots[1:-1], lower_bound=knots[0], upper_bound=knots[-1])
    return np.asarray(columns, dtype=np.float64)[:, 1:]


def _indicators(places: Sequence[int], width: int) -> Floats:
    columns = np.zeros((len(places), width))
    for row, place in enumerate(places):
        if place >= 0:
            columns[row, place] = 1.0
    return columns
