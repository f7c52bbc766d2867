"""For how many iterations a decision stays what it is.

While a loop counter is symbolic, every comparison is decided for its first iteration and leaves a
constraint: the number of further iterations in which each lane would decide the same. A loop's
segment is as long as its tightest constraint allows, and the constraint then passes outwards, with
the counter replaced by the worst of its range.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.traces.static.values import KnownNumbers, linear, scaled, where

Column = NDArray[np.int64]


class Sign(Enum):
    """What stays true of a difference."""

    NEGATIVE = "d < 0"
    NOT_NEGATIVE = "d >= 0"
    ZERO = "d == 0"
    NOT_ZERO = "d != 0"


@dataclass(frozen=True, slots=True)
class Constraint:
    """A difference ``base + sum(stride * counter)`` that keeps its sign, for some lanes.

    ``base`` and the strides are one-dimensional arrays over the lanes concerned.
    """

    sign: Sign
    base: Column
    strides: tuple[tuple[int, Column], ...]


def gathered(constraints: Iterable[Constraint]) -> list[Constraint]:
    """Put those of one kind, on the same counters, into one, each pair of lanes once."""
    kinds: dict[tuple[Sign, tuple[int, ...]], list[Constraint]] = {}
    for constraint in constraints:
        key = (constraint.sign, tuple(c for c, _ in constraint.strides))
        kinds.setdefault(key, []).append(constraint)
    found = []
    for (sign, counters), alike in kinds.items():
        if len(alike) == 1:
            found.append(alike[0])
            continue
        columns = [np.concatenate([c.base for c in alike])]
        columns += [
            np.concatenate([np.broadcast_to(c.strides[i][1], c.base.shape) for c in alike])
            for i in range(len(counters))
        ]
        table = _different(np.stack(columns))
        strides = tuple((c, table[i + 1]) for i, c in enumerate(counters))
        found.append(Constraint(sign, table[0], strides))
    return found


def _different(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the different columns of a table, in ascending order."""
    ordered = table[:, np.lexsort(table[::-1])]
    new = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    return ordered[:, np.append(True, new)]


def iterations_allowed(constraints: Iterable[Constraint], counter: int) -> KnownNumbers | None:
    """Count the iterations of ``counter`` from 0 for which all hold; None: no end.

    The answer is at least 1 where the other counters stand at 0: the constraints hold there. It
    grows with another counter where the one that ends first in all lanes does so evenly.
    """
    limits = [limit for c in constraints if (limit := _limit(c, counter)) is not None]
    if not limits:
        return None
    least = min(int(limit.iterations.min()) for limit in limits)
    ends = [limit.growth(limit.iterations == least) for limit in limits]
    growths = [g for at_end in ends for g in at_end]
    slowest = _slowest(growths)
    return KnownNumbers(least) if slowest is None else KnownNumbers(least, slowest)


def is_held(constraints: Iterable[Constraint], counter: int) -> bool:
    """Whether something irregular holds a counter where it is."""
    return any(
        c.sign is Sign.ZERO and any(n == counter and s.any() for n, s in c.strides)
        for c in constraints
    )


Growth = tuple[tuple[int, int], ...]
"""(counter, iterations that one of its own adds), for the counters that add any."""


@dataclass(frozen=True, slots=True)
class _Limit:
    """Lanes whose constraint ends: after how many iterations, and what other counters add.

    ``rates`` are (counter, what it adds), ``even`` the lanes in which they are whole numbers.
    """

    iterations: Column
    rates: tuple[tuple[int, Column], ...]
    even: NDArray[np.bool_]

    def growth(self, lanes: NDArray[np.bool_]) -> list[Growth | None]:
        """Give the different growths of some lanes; None for one that is not even."""
        if not lanes.any():
            return []
        if not self.even[lanes].all():
            return [None]
        if not self.rates:
            return [()]
        table = np.unique(np.stack([r[lanes] for _, r in self.rates], axis=1), axis=0).tolist()
        counters = [c for c, _ in self.rates]
        return [
            tuple((c, rate) for c, rate in zip(counters, row, strict=True) if rate) for row in table
        ]


def _limit(constraint: Constraint, counter: int) -> _Limit | None:
    """Tell when a constraint ends in the lanes that ``counter`` moves towards its end."""
    stride = next((s for c, s in constraint.strides if c == counter), None)
    if stride is None:
        return None
    base = constraint.base
    match constraint.sign:
        case Sign.NEGATIVE:
            moving = stride > 0
        case Sign.NOT_NEGATIVE:
            moving = stride < 0
        case Sign.ZERO:
            moving = stride != 0
        case Sign.NOT_ZERO:
            moving = (stride != 0) & ((base < 0) != (stride < 0))
            moving &= base % np.where(moving, stride, 1) == 0
    if not moving.any():
        return None
    base, step = base[moving], stride[moving]
    others = [(c, s[moving]) for c, s in constraint.strides if c != counter]
    match constraint.sign:
        case Sign.NEGATIVE | Sign.NOT_ZERO:
            iterations = -(base // step)
        case Sign.NOT_NEGATIVE:
            iterations = base // -step + 1
        case Sign.ZERO:
            return _Limit(np.ones_like(base), (), np.ones_like(base, dtype=bool))
    even = np.ones_like(base, dtype=bool)
    for _, s in others:
        even &= s % step == 0
    return _Limit(iterations, tuple((c, -(s // step)) for c, s in others), even)


def _slowest(growths: list[Growth | None]) -> Growth | None:
    """Give the growth that stays behind all the others; None where there is none."""
    known = [dict(g) for g in growths if g is not None]
    if len(known) < len(growths) or not known:
        return None
    counters = sorted({c for g in known for c in g})
    least = {c: min(g.get(c, 0) for g in known) for c in counters}
    if not any(all(g.get(c, 0) == least[c] for c in counters) for g in known):
        return None
    return tuple((c, n) for c, n in least.items() if n)


def outward(constraint: Constraint, counter: int, count: KnownNumbers) -> Constraint | None:
    """Give what remains to hold once ``counter`` has run over ``0 … count - 1``.

    None: nothing depends on a counter any more.
    """
    rest = tuple((c, s) for c, s in constraint.strides if c != counter)
    stride = next((s for c, s in constraint.strides if c == counter), None)
    if stride is None or count.constant == 1:
        return Constraint(constraint.sign, constraint.base, rest) if rest else None
    start = KnownNumbers(constraint.base, rest)
    end = linear(start, scaled(KnownNumbers(stride), linear(count, KnownNumbers(1), -1)))
    low, high = where(stride < 0, end, start), where(stride > 0, end, start)
    match constraint.sign:
        case Sign.NEGATIVE:
            return _holding(Sign.NEGATIVE, high)
        case Sign.NOT_NEGATIVE:
            return _holding(Sign.NOT_NEGATIVE, low)
        case Sign.ZERO:
            return _holding(Sign.ZERO, start)
        case Sign.NOT_ZERO if np.all(high.base < 0):
            return _holding(Sign.NEGATIVE, high)
        case Sign.NOT_ZERO if np.all(low.base > 0):
            return _holding(Sign.NOT_NEGATIVE, linear(low, KnownNumbers(1), -1))
    # The sign differs between lanes: hold every outer counter where it is.
    one = np.ones_like(constraint.base)
    counters = sorted(low.counters | high.counters)
    held = Constraint(Sign.ZERO, np.zeros_like(one), tuple((c, one) for c in counters))
    return held if counters else None


def _holding(sign: Sign, value: KnownNumbers) -> Constraint | None:
    if not value.strides:
        return None
    base = np.asarray(value.base)
    strides = ((c, np.broadcast_to(np.asarray(s), base.shape)) for c, s in value.strides)
    return Constraint(sign, base, tuple(strides))


def at_least_one(count: KnownNumbers) -> Constraint | None:
    """Say that a count that other counters change stays at one or more."""
    if not count.strides:
        return None
    base = np.array([count.base], dtype=np.int64) - 1
    strides = ((c, np.array([s], dtype=np.int64)) for c, s in count.strides)
    return Constraint(Sign.NOT_NEGATIVE, base, tuple(strides))
