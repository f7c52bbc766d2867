"""Design spaces: parameters with their values, and what must hold between them.

Parameters that conditions tie together are enumerated together, once; the allowed points are all
combinations of such parts. So any point can be had by its number, and points can be drawn evenly
from all that conditions allow, in spaces far too large to list.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import LimitError, UsageError
from warpmill.simulator.regression.conditions import Table, tables_of
from warpmill.simulator.regression.parameters import (
    Parameter,
    Point,
    Value,
    parameter_called,
    plain_name,
    value_of,
    words_of,
)

Codes = npt.NDArray[np.int64]
"""Points as rows: of each parameter the place of its value among its values."""

MOST_TIED = 4_000_000
"""Combinations of parameters that conditions tie together, at most."""
CHUNK = 1 << 15
"""Points that are looked at together where a whole space is gone through."""


@dataclass(frozen=True, eq=False)
class Part:
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

    parameters: tuple[Parameter, ...]
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
    def parts(self) -> tuple[Part, ...]:
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

    def _fixed(self) -> Iterator[Table]:
        for name, value in self.fixed:
            own = parameter_called(self.parameters, name)
            holds = np.arange(len(own.values)) == own.place_of(value)
            yield Table((self.names.index(name),), holds)

    def _part(self, columns: tuple[int, ...], tables: Sequence[Table]) -> Part:
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
        return Part(columns, rows, ranks)

    def where(self, *conditions: str) -> DesignSpace:
        """Give the part of the space that meets further conditions. UsageError where it is none."""
        return replace(self, conditions=(*self.conditions, *conditions))

    def with_values(self, values: Point) -> DesignSpace:
        """Give the part of the space whose points have these values. UsageError: as ``where``."""
        return replace(self, fixed=(*self.fixed, *values.items()))

    def codes_of_ranks(self, ranks: npt.NDArray[np.int64]) -> Codes:
        """Give points by the numbers of the rows of each part, a column a part."""
        codes = np.empty((len(ranks), len(self.parameters)), dtype=np.int64)
        for place, part in enumerate(self.parts):
            codes[:, part.columns] = part.rows[ranks[:, place]]
        return codes

    def codes(self, numbers: npt.NDArray[np.int64]) -> Codes:
        """Give allowed points by their numbers."""
        self._check_numbered()
        left = np.asarray(numbers, dtype=np.int64)
        if len(left) and (left.min() < 0 or left.max() >= self.count):
            raise UsageError(f"points have numbers from 0 to {self.count - 1}")
        ranks = np.empty((len(left), len(self.parts)), dtype=np.int64)
        for place in reversed(range(len(self.parts))):
            left, ranks[:, place] = np.divmod(left, len(self.parts[place].rows))
        return self.codes_of_ranks(ranks)

    def numbers(self, codes: Codes) -> npt.NDArray[np.int64]:
        """Give the numbers of points, -1 for those that conditions do not allow."""
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
        """Give all allowed points, some at a time, with the number of the first of them."""
        for first in range(0, self.count, length):
            yield first, self.codes(np.arange(first, min(first + length, self.count)))

    def point(self, number: int) -> dict[str, Value]:
        """Give an allowed point by its number. UsageError for a number that none has."""
        return self.points_of(self.codes(np.array([number])))[0]

    def points_of(self, codes: Codes) -> tuple[dict[str, Value], ...]:
        """Give points by their values."""
        values = [each.values for each in self.parameters]
        return tuple(
            {name: own[k] for name, own, k in zip(self.names, values, row, strict=True)}
            for row in codes.tolist()
        )

    def codes_of(self, points: Iterable[Point]) -> Codes:
        """Give the codes of points, whether conditions allow them or not. UsageError."""
        rows = [[each.place_of(value_of(point, each.name)) for each in self.parameters]
                for point in points]  # fmt: skip
        return np.array(rows, dtype=np.int64).reshape(len(rows), len(self.parameters))

    def number_of(self, point: Point) -> int:
        """Give the number of a point. UsageError where it is none of the space."""
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
