"""Batches of warps and comparisons of a static walk: for how long a decision stays what it is.

While a loop counter is symbolic, every comparison is decided for its first iteration and leaves a
constraint: the number of further iterations in which each lane would decide the same. A loop's
segment is as long as its tightest constraint allows, and the constraint then passes outwards, with
the counter replaced by the worst of its range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, reduce
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.ir.types import Type
from warpmill.analyzer.traces.static.values import (
    KnownNumbers,
    Lanes,
    Number,
    Unknown,
    Value,
    as_unsigned,
    floor_divided,
    is_zero,
    linear,
    modulo,
    plain,
    scaled,
    unsigned_64,
    where,
    wrapped,
)

Column = NDArray[np.int64]


class Sign(Enum):
    """Invariant of a difference."""

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
    """Constraints merged by kind, on the same counters, each pair of lanes once."""
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
    """The different columns of a table, in ascending order."""
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
        """The different growths of some lanes; None for one that is not even."""
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
    """End of a constraint in the lanes that ``counter`` moves towards it."""
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
    """The growth that stays behind all the others; None where there is none."""
    known = [dict(g) for g in growths if g is not None]
    if len(known) < len(growths) or not known:
        return None
    counters = sorted({c for g in known for c in g})
    least = {c: min(g.get(c, 0) for g in known) for c in counters}
    if not any(all(g.get(c, 0) == least[c] for c in counters) for g in known):
        return None
    return tuple((c, n) for c, n in least.items() if n)


def outward(constraint: Constraint, counter: int, count: KnownNumbers) -> Constraint | None:
    """Remaining constraint once ``counter`` has run over ``0 … count - 1``.

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
    """Constraint that a count that other counters change stays at one or more."""
    if not count.strides:
        return None
    base = np.array([count.base], dtype=np.int64) - 1
    strides = ((c, np.array([s], dtype=np.int64)) for c, s in count.strides)
    return Constraint(Sign.NOT_NEGATIVE, base, tuple(strides))


# Comparisons in a static walk: decided for this iteration, and watched for the next ones.


class Decide(Protocol):
    """Records that the walk relies on the sign of a difference as it is now, lane by lane."""

    def __call__(self, difference: KnownNumbers, true: Sign, false: Sign) -> Lanes | bool:
        """Lanes in which ``true`` holds."""


def compare(
    word: str, a: KnownNumbers, b: KnownNumbers, decide: Decide, *, unsigned: bool = False
) -> Lanes | bool:
    """Compare two values of one signedness; ``word`` is PTX's: eq ne lt le gt ge.

    ``unsigned`` matters for 64 bits only: narrower values have been read as what they are.
    """
    if _is_far(a, unsigned) or _is_far(b, unsigned):
        return _compare_far(word, a, b, decide, unsigned=unsigned)
    difference = linear(a, b, -1)
    match word:
        case "eq":
            return decide(difference, Sign.ZERO, Sign.NOT_ZERO)
        case "ne":
            return _not(decide(difference, Sign.ZERO, Sign.NOT_ZERO))
        case "lt":
            return decide(difference, Sign.NEGATIVE, Sign.NOT_NEGATIVE)
        case "ge":
            return _not(decide(difference, Sign.NEGATIVE, Sign.NOT_NEGATIVE))
        case "le":
            return decide(linear(difference, KnownNumbers(1), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    assert word == "gt"
    return _not(decide(linear(difference, KnownNumbers(1), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE))


def compare_parts(
    word: str, a: KnownNumbers, b: KnownNumbers, type_: Type, decide: Decide
) -> Lanes | bool | None:
    """Compare a bitwise ``or`` with 0 by its parts; None where it is no such comparison.

    Compilers test several numbers by one comparison: ``a | b > -1`` where neither is negative.
    """
    if not a.parts or (word, b.constant) not in _OF_PARTS:
        return None
    are_zero = word in {"eq", "ne"}
    true, false = (Sign.ZERO, Sign.NOT_ZERO) if are_zero else (Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    parts = (ranged(p, type_, unsigned=False, decide=decide) for p in a.parts)
    each = [np.asarray(decide(p, true, false)) for p in parts]
    together = np.logical_and if are_zero else np.logical_or
    holds = _truth(reduce(together, each))
    return holds if word in {"eq", "lt", "le"} else _not(holds)


_OF_PARTS = {("eq", 0), ("ne", 0), ("lt", 0), ("ge", 0), ("le", -1), ("gt", -1)}
"""Comparisons that ask whether a number is zero, or whether it is negative."""


def _truth(holds: Lanes) -> Lanes | bool:
    """A Python truth for one without a shape."""
    return bool(holds) if holds.ndim == 0 else holds


_FAR = 1 << 62
"""Numbers from here on may differ by more than 64 bits hold."""


def _is_far(value: KnownNumbers, unsigned: bool) -> bool:
    base, lowest = value.base, 0 if unsigned else -_FAR
    if isinstance(base, int):
        return not lowest <= base < _FAR
    return bool(base.size) and not lowest <= base.min() <= base.max() < _FAR


def _compare_far(
    word: str, a: KnownNumbers, b: KnownNumbers, decide: Decide, *, unsigned: bool
) -> Lanes | bool:
    """Compare number with number; what comes out ties the walk to this iteration."""
    x, y = (unsigned_64(v.base) if unsigned else np.asarray(v.base) for v in (a, b))
    outcome = plain(np.where(COMPARISONS[word](x, y), -1, 0))
    return decide(
        KnownNumbers(outcome, (), a.counters | b.counters), Sign.NEGATIVE, Sign.NOT_NEGATIVE
    )


def _not(lanes: Lanes | bool) -> Lanes | bool:
    return not lanes if isinstance(lanes, bool) else ~lanes


def ranged(value: KnownNumbers, type_: Type, *, unsigned: bool, decide: Decide) -> KnownNumbers:
    """Read a value with a sign, and have the walk watch that it stays in the type's range."""
    if type_.bits >= 64:
        if value.strides:
            _watch_far(value, unsigned=unsigned, decide=decide)
        return value
    read = as_unsigned(value, type_.bits) if unsigned else wrapped(value, type_)
    if read.strides:
        top = 1 << (type_.bits if unsigned else type_.bits - 1)
        bottom = 0 if unsigned else -top
        decide(linear(read, KnownNumbers(top), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
        decide(linear(read, KnownNumbers(bottom), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    return read


def _watch_far(value: KnownNumbers, *, unsigned: bool, decide: Decide) -> None:
    """Have the walk watch that a 64-bit number does not come near to where it wraps."""
    steps = (KnownNumbers(stride) for _, stride in value.strides)
    if _is_far(value, unsigned=False) or any(_is_far(s, unsigned=False) for s in steps):
        decide(KnownNumbers(0, (), value.counters), Sign.ZERO, Sign.NOT_ZERO)
        return
    decide(linear(value, KnownNumbers(_FAR), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    decide(linear(value, KnownNumbers(-_FAR), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    if unsigned:
        decide(value, Sign.NEGATIVE, Sign.NOT_NEGATIVE)


def quotient_and_rest(
    a: KnownNumbers, divisor: int, decide: Decide
) -> tuple[KnownNumbers, KnownNumbers]:
    """``floor(a / divisor)`` and ``a mod divisor``, which is never negative.

    Where CTAs next to each other move ``a`` by less than the divisor, or iterations by next to
    nothing of it, the walk watches that the quotient stays what it is; then the rest moves with
    them.
    """
    moving = [(c, s) for c, s in a.strides if not is_zero(s % divisor)]
    slow = all(_is_slow(c, s, divisor) for c, s in moving)
    if not moving or not slow or a.taint:
        return floor_divided(a, divisor), modulo(a, divisor)
    rest = KnownNumbers(a.base % divisor, tuple(moving))
    decide(rest, Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    decide(linear(rest, KnownNumbers(divisor), -1), Sign.NEGATIVE, Sign.NOT_NEGATIVE)
    return floor_divided(linear(a, rest, -1), divisor), rest


def _is_slow(counter: int, stride: Number, divisor: int) -> bool:
    most = divisor - 1 if counter in AXES else divisor // _MANY_ITERATIONS
    return bool(np.all(np.less_equal(np.abs(stride), most)))


_MANY_ITERATIONS = 1 << 16
"""Iterations for which a quotient has to stay the same to be watched: as signs of words do."""


COMPARISONS: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
"""Comparisons of numbers lane by lane, by PTX's words."""


# The warps of some CTAs side by side: what each lane knows of itself.

Triple = tuple[int, int, int]

AXES = (-1, -2, -3)
"""Counters of the CTA's place in the grid, x, y, z: the loops around everything."""


@dataclass(frozen=True)
class WarpBatch:
    """Warps of the CTAs ``ctas``, one row each, CTA by CTA.

    Threads of a CTA are numbered x fastest, as CUDA and OpenCL do; the last warp may be partial.
    ``moves``: the batch is a single CTA that stands for those around it too; its place in the grid
    is a symbolic counter for each axis.
    """

    grid: Triple
    block: Triple
    warp_size: int
    ctas: tuple[Triple, ...]
    moves: bool = False

    @property
    def threads_per_cta(self) -> int:
        """Threads of one CTA."""
        x, y, z = self.block
        return x * y * z

    @property
    def warps_per_cta(self) -> int:
        """Warps of one CTA, a partial last one included."""
        return -(-self.threads_per_cta // self.warp_size)

    @cached_property
    def thread(self) -> Lanes:
        """Linear thread index within the CTA, shape (warps, lanes)."""
        one = np.arange(self.warps_per_cta * self.warp_size, dtype=np.int64)
        return np.tile(one.reshape(self.warps_per_cta, self.warp_size), (len(self.ctas), 1))

    @cached_property
    def valid(self) -> Lanes:
        """Lanes that are threads, shape (warps, lanes)."""
        return self.thread < self.threads_per_cta

    def special(self, name: str) -> Value:
        """A special register's value, or why it is not known before the run."""
        found = self._specials.get(name)
        if found is None:
            found = self._specials[name] = self._special(name)
        return found

    @cached_property
    def _specials(self) -> dict[str, Value]:
        return {}

    def _special(self, name: str) -> Value:
        constant = self._constants.get(name)
        if constant is not None:
            return KnownNumbers(constant)
        axis = _CTA_IDS.get(name)
        if self.moves and axis is not None and self.grid[axis] > 1:
            return KnownNumbers(self.ctas[0][axis], ((AXES[axis], 1),))
        per_lane = self._per_lane(name)
        if per_lane is not None:
            return KnownNumbers(per_lane)
        return Unknown(f"%{name} is known only when the kernel runs")

    @cached_property
    def _constants(self) -> dict[str, int]:
        values = {"warp_size": self.warp_size, "WARP_SZ": self.warp_size}
        for axis, name in enumerate("xyz"):
            values |= {f"ntid.{name}": self.block[axis], f"nctaid.{name}": self.grid[axis]}
        return values | {"nwarpid": self.warps_per_cta}

    def _per_lane(self, name: str) -> Number | None:
        x, y, _ = self.block
        t = self.thread
        match name:
            case "tid.x":
                return t % x
            case "tid.y":
                return (t // x) % y
            case "tid.z":
                return t // (x * y)
            case "ctaid.x" | "ctaid.y" | "ctaid.z":
                return self._cta_column(_CTA_IDS[name])
            case "laneid":
                return t % self.warp_size
            case "warpid":
                return t // self.warp_size
        return None

    def _cta_column(self, axis: int) -> Number:
        ids = [cta[axis] for cta in self.ctas]
        if len(set(ids)) == 1:
            return ids[0]
        return np.repeat(np.array(ids, dtype=np.int64), self.warps_per_cta)[:, None]


_CTA_IDS = {"ctaid.x": 0, "ctaid.y": 1, "ctaid.z": 2}
