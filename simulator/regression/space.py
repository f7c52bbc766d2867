"""Design spaces: parameters with their values, and what must hold between them.

Parameters that conditions tie together are enumerated together, once; the allowed points are all
combinations of such parts. So any point can be had by its number, and points can be drawn evenly
from all that conditions allow, in spaces far too large to list.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import LimitError, UsageError
from warpmill.analyzer.launch.expressions import ExpressionError
from warpmill.simulator.regression.parameters import (
    DesignParameter,
    Floats,
    Point,
    Value,
    ValuesWithErrors,
    column_of,
    evaluate_at,
    evaluate_columns,
    names_in,
    parameter_called,
    plain_name,
    value_of,
    with_hint,
    words_of,
)

Codes = npt.NDArray[np.int64]
"""Points as rows: of each parameter the place of its value among its values."""

MOST_TIED = 4_000_000
"""Combinations of parameters that conditions tie together, at most."""
CHUNK = 1 << 15
"""Points that are looked at together where a whole space is gone through."""


@dataclass(frozen=True, eq=False)
class SpacePart:
    """Parameters that conditions tie together: their columns, and the allowed rows of codes.

    ``ranks`` has the number of each row at its codes, -1 where conditions do not allow them.
    """

    columns: tuple[int, ...]
    rows: Codes
    ranks: npt.NDArray[np.int64]


@dataclass(frozen=True)
class DesignSpace:
    """Parameters, and conditions such as ``2 * _blk <= simd`` or ``scheduler != lrr``.

    ``constants`` are further names that conditions may use. ``fixed`` gives parameters the one
    value that allowed points have. Allowed points have numbers from 0: the
    last parameters turn fastest, those that conditions tie together turn together. UsageError where
    conditions allow nothing.
    """

    parameters: tuple[DesignParameter, ...]
    conditions: tuple[str, ...] = ()
    constants: tuple[tuple[str, int], ...] = ()
    fixed: tuple[tuple[str, Value], ...] = ()

    def __post_init__(self) -> None:
        if not self.parameters:
            raise UsageError("a design space needs a parameter")
        plain = [plain_name(name) for name in self.names] + [name for name, _ in self.constants]
        twice = next((name for name in plain if plain.count(name) > 1), None)
        if twice is not None:
            raise UsageError(f"two parameters or constants are called {twice}")
        _ = self.parts  # what conditions say is found out now

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters' names."""
        return tuple(each.name for each in self.parameters)

    @property
    def size(self) -> int:
        """Points, conditions aside."""
        return math.prod(len(each.values) for each in self.parameters)

    @property
    def count(self) -> int:
        """Points that conditions allow."""
        return math.prod(len(part.rows) for part in self.parts)

    @cached_property
    def parts(self) -> tuple[SpacePart, ...]:
        """The parameters by what conditions tie together, in the order of their first ones."""
        tables = [*tables_of(self.conditions, self.parameters, self.constants), *self._fixed()]
        groups: list[set[int]] = [{column} for column in range(len(self.parameters))]
        for table in tables:
            tied = [group for group in groups if group & set(table.columns)]
            groups = [group for group in groups if group not in tied]
            groups.append(set().union(*tied, table.columns))
        return tuple(
            self._part(tuple(sorted(group)), [t for t in tables if set(t.columns) <= group])
            for group in sorted((group for group in groups if group), key=min)
        )

    def _fixed(self) -> Iterator[ConditionTable]:
        for name, value in self.fixed:
            own = parameter_called(self.parameters, name)
            holds = np.arange(len(own.values)) == own.index_of_value(value)
            yield ConditionTable((self.names.index(name),), holds)

    def _part(self, columns: tuple[int, ...], tables: Sequence[ConditionTable]) -> SpacePart:
        sizes = [len(self.parameters[column].values) for column in columns]
        if math.prod(sizes) > MOST_TIED:
            names = ", ".join(self.parameters[column].name for column in columns)
            raise LimitError(
                f"conditions tie {math.prod(sizes):,} combinations of {names} together, more than "
                f"{MOST_TIED:,}"
            )
        allowed = np.ones(sizes, dtype=bool)
        for table in tables:
            shape = [len(self.parameters[c].values) if c in table.columns else 1 for c in columns]
            allowed &= table.holds.reshape(shape)
        rows = np.argwhere(allowed).astype(np.int64)
        if not len(rows):
            words = [*self.conditions, *(f"{name} = {value}" for name, value in self.fixed)]
            raise UsageError(f"no point meets the conditions {'; '.join(words)}")
        ranks = np.full(sizes, -1, dtype=np.int64)
        ranks[allowed] = np.arange(len(rows))
        return SpacePart(columns, rows, ranks)

    def where(self, *conditions: str) -> DesignSpace:
        """The part of the space that meets further conditions. UsageError where it is none."""
        return replace(self, conditions=(*self.conditions, *conditions))

    def with_values(self, values: Point) -> DesignSpace:
        """The part of the space whose points have these values. UsageError: as ``where``."""
        return replace(self, fixed=(*self.fixed, *values.items()))

    def codes_of_ranks(self, ranks: npt.NDArray[np.int64]) -> Codes:
        """Points by the numbers of the rows of each part, a column a part."""
        codes = np.empty((len(ranks), len(self.parameters)), dtype=np.int64)
        for place, part in enumerate(self.parts):
            codes[:, part.columns] = part.rows[ranks[:, place]]
        return codes

    def codes(self, numbers: npt.NDArray[np.int64]) -> Codes:
        """Allowed points by their numbers."""
        self._check_numbered()
        left = np.asarray(numbers, dtype=np.int64)
        if len(left) and (left.min() < 0 or left.max() >= self.count):
            raise UsageError(f"points have numbers from 0 to {self.count - 1}")
        ranks = np.empty((len(left), len(self.parts)), dtype=np.int64)
        for place in reversed(range(len(self.parts))):
            left, ranks[:, place] = np.divmod(left, len(self.parts[place].rows))
        return self.codes_of_ranks(ranks)

    def numbers(self, codes: Codes) -> npt.NDArray[np.int64]:
        """The numbers of points, -1 for those that conditions do not allow."""
        self._check_numbered()
        found = np.zeros(len(codes), dtype=np.int64)
        allowed = np.ones(len(codes), dtype=bool)
        for part in self.parts:
            ranks = part.ranks[tuple(codes[:, part.columns].T)]
            allowed &= ranks >= 0
            found = found * len(part.rows) + ranks
        return np.where(allowed, found, -1)

    def _check_numbered(self) -> None:
        if self.count >= 2**62:
            raise LimitError(f"the space has {self.count:.3g} points, too many to go through")

    def chunks(self, length: int = CHUNK) -> Iterator[tuple[int, Codes]]:
        """All allowed points, some at a time, with the number of the first of them."""
        for first in range(0, self.count, length):
            yield first, self.codes(np.arange(first, min(first + length, self.count)))

    def point(self, number: int) -> dict[str, Value]:
        """An allowed point by its number. UsageError for a number that none has."""
        return self.points_of(self.codes(np.array([number])))[0]

    def points_of(self, codes: Codes) -> tuple[dict[str, Value], ...]:
        """Points by their values."""
        values = [each.values for each in self.parameters]
        return tuple(
            {name: own[k] for name, own, k in zip(self.names, values, row, strict=True)}
            for row in codes.tolist()
        )

    def codes_of(self, points: Iterable[Point]) -> Codes:
        """The codes of points, whether conditions allow them or not. UsageError."""
        rows = [[each.index_of_value(value_of(point, each.name)) for each in self.parameters]
                for point in points]  # fmt: skip
        return np.array(rows, dtype=np.int64).reshape(len(rows), len(self.parameters))

    def index_of_point(self, point: Point) -> int:
        """The number of a point. UsageError where it is none of the space."""
        (number,) = self.numbers(self.codes_of([point])).tolist()
        if number < 0:
            raise UsageError(f"the point {words_of(point)} does not meet the conditions")
        return int(number)

    def __contains__(self, point: Point) -> bool:
        """Whether each parameter has one of its values, and conditions allow them together."""
        known = all(each.name in point and point[each.name] in each.places
                    for each in self.parameters)  # fmt: skip
        if not known:
            return False
        (codes,) = self.codes_of([point])
        return all(int(part.ranks[tuple(codes[list(part.columns)])]) >= 0 for part in self.parts)


# What must hold between parameters: ``2 * _blk <= simd``, ``scheduler != lrr``.
#
# A condition compares two expressions of numbers, or a parameter that takes words with one of
# them. It is looked at once for each combination of the parameters that it names. Rounding does
# not decide: where floats leave it open, fractions are compared.

MOST_COMBINATIONS = 4_000_000
"""Combinations of the parameters that one condition names, at most."""
MOST_EXACT = 1_000_000
"""Combinations that are compared in fractions, at most."""

_COMPARISON = re.compile(r"(?P<left>[^<>=!]+)(?P<sign><=|>=|==|!=|<|>)(?P<right>[^<>=!]+)")
_SIGNS: dict[str, Callable[..., bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}


@dataclass(frozen=True, eq=False)
class ConditionTable:
    """Truth of a condition: an axis for each of the parameters in ``columns``, ascending."""

    columns: tuple[int, ...]
    holds: npt.NDArray[np.bool_]


def tables_of(
    conditions: Sequence[str],
    parameters: Sequence[DesignParameter],
    constants: Sequence[tuple[str, int]],
) -> tuple[ConditionTable, ...]:
    """Find where each condition holds. UsageError for one that is none, or that never holds."""
    return tuple(_table(text, parameters, dict(constants)) for text in conditions)


def _table(
    text: str, parameters: Sequence[DesignParameter], constants: Mapping[str, int]
) -> ConditionTable:
    found = _COMPARISON.fullmatch(text)
    if found is None:
        raise UsageError(
            f"the condition `{text}` is no comparison: write two expressions with one of "
            f"{' '.join(_SIGNS)} between them, such as `4 * cores <= banks`"
        )
    left, sign, right = found["left"].strip(), found["sign"], found["right"].strip()
    of_words = _of_words(text, left, sign, right, parameters)
    if of_words is not None:
        return of_words
    used = names_in(left) | names_in(right)
    columns = tuple(k for k, each in enumerate(parameters) if plain_name(each.name) in used)
    words = next((parameters[k] for k in columns if not parameters[k].numeric), None)
    if words is not None:
        raise UsageError(
            f"the condition `{text}`: {words.name} takes words, which can be compared by == and != "
            f"only, such as {plain_name(words.name)} == {words.values[0]}"
        )
    return _checked(text, _compared(text, (left, sign, right), columns, parameters, constants))


def _checked(text: str, table: ConditionTable) -> ConditionTable:
    if not table.holds.any():
        raise UsageError(f"no point meets the condition `{text}`")
    return table


def _of_words(
    text: str, left: str, sign: str, right: str, parameters: Sequence[DesignParameter]
) -> ConditionTable | None:
    """Compare a parameter that takes words with one of them; None for other conditions."""
    of_words = {plain_name(p.name): k for k, p in enumerate(parameters) if not p.numeric}
    name, word = (left, right) if left in of_words else (right, left)
    if name not in of_words or sign not in ("==", "!="):
        return None
    column = of_words[name]
    parameter, word = parameters[column], word.strip("\"'")
    if word not in map(str, parameter.values):
        known = ", ".join(map(str, parameter.values))
        raise UsageError(f"the condition `{text}`: {parameter.name} takes {known}")
    equal = np.array([str(value) == word for value in parameter.values])
    return _checked(text, ConditionTable((column,), equal if sign == "==" else ~equal))


def _compared(
    text: str,
    sides: tuple[str, str, str],
    columns: tuple[int, ...],
    parameters: Sequence[DesignParameter],
    constants: Mapping[str, int],
) -> ConditionTable:
    left, sign, right = sides
    own = [parameters[k] for k in columns]
    shape = tuple(len(each.values) for each in own)
    if math.prod(shape) > MOST_COMBINATIONS:
        raise LimitError(
            f"the condition `{text}` names parameters of {math.prod(shape):,} combinations, more "
            f"than {MOST_COMBINATIONS:,}"
        )
    comparison = _Comparison(text, left, right, _SIGNS[sign])
    numeric = [each for each in parameters if each.numeric]
    comparison.at(_combination(numeric, (0,) * len(numeric), constants))  # says what is wrong
    names = {name: column_of(np.array(float(value))) for name, value in constants.items()}
    for axis, each in enumerate(own):
        along = [-1 if k == axis else 1 for k in range(len(own))]
        values = np.array([float(value) for value in each.values])
        names[plain_name(each.name)] = column_of(values.reshape(along))
    a, b = evaluate_columns(left, names), evaluate_columns(right, names)
    holds, unsure = _by_floats(a, b, comparison.compare, shape)
    if unsure.sum() > MOST_EXACT:
        raise LimitError(f"the condition `{text}` is close in more than {MOST_EXACT:,} cases")
    for place in map(tuple, np.argwhere(unsure).tolist()):
        holds[place] = comparison.at(_combination(own, place, constants))
    return ConditionTable(columns, holds)


def _by_floats(
    a: ValuesWithErrors, b: ValuesWithErrors, compare: Callable[..., bool], shape: tuple[int, ...]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Truth of a comparison, and the points where floats are too near to decide."""
    with np.errstate(invalid="ignore"):  # infinities are computed exactly
        unsure: npt.NDArray[np.bool_] = ~(np.abs(a.values - b.values) > 2 * (a.errors + b.errors))
    holds: Floats = np.asarray(compare(a.values, b.values))
    return (
        np.broadcast_to(holds, shape).astype(bool),
        np.broadcast_to(unsure, shape).astype(bool),
    )


def _combination(
    parameters: Sequence[DesignParameter], places: Sequence[int], constants: Mapping[str, int]
) -> dict[str, Value]:
    own = {
        plain_name(each.name): each.values[k] for each, k in zip(parameters, places, strict=True)
    }
    return {**own, **constants}


@dataclass(frozen=True)
class _Comparison:
    text: str
    left: str
    right: str
    compare: Callable[..., bool]

    def at(self, names: Mapping[str, Value]) -> bool:
        """Compare in fractions. UsageError for what cannot be computed."""
        try:
            a, b = evaluate_at(self.left, names), evaluate_at(self.right, names)
        except ExpressionError as error:
            raise UsageError(f"the condition `{self.text}`: {with_hint(error)}") from None
        return self.compare(a, b)
