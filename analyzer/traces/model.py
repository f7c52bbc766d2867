"""The warp trace: what one warp executes, block by block, with loops folded and counted.

A trace is a tree. A Visit says that the warp ran a block under a mask; a Repeat says that what is
in it happens several times. Instructions stand in the kernel and are never repeated here. Lane
addresses are a base plus a pattern over the lanes that are on, plus a stride for each Repeat
around, and the count of a Repeat may itself grow by a stride for each Repeat around (triangular
loops), so that memory grows with the structure of the kernel and not with its running time.

Warps that take the same way share one tree: only their base addresses stand apart. A tree can be
shortened to some iterations of its loops (``Shortener``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import Place


def wrapped(number: int) -> int:
    """A number as 64 bits hold it: addresses go round there."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


@dataclass(frozen=True, slots=True)
class AffinePattern:
    """Offsets ``0, stride, 2 * stride, …`` over the lanes that are on, counted from the first."""

    stride: int

    def offsets(self, mask: int) -> tuple[int, ...]:
        """Byte offsets of the lanes in ``mask``, in lane order, from the first of them."""
        lanes = lanes_of(mask)
        return tuple(wrapped((lane - lanes[0]) * self.stride) for lane in lanes)


@dataclass(frozen=True, slots=True)
class ListedPattern:
    """Offsets written out, one for each lane that is on, from the first of them."""

    listed: tuple[int, ...]

    def offsets(self, mask: int) -> tuple[int, ...]:
        """Byte offsets of the lanes in ``mask``, in lane order, from the first of them."""
        assert len(self.listed) == mask.bit_count()
        return self.listed


Pattern = AffinePattern | ListedPattern


@dataclass(frozen=True, slots=True)
class LaneAddresses:
    """Byte addresses of the lanes that are on.

    ``slot`` is the place among the warp's ``bases`` of the first such lane's address in the first
    iteration of all Repeats around; ``loop_strides`` are the bytes that each of these adds an
    iteration, outermost first.
    """

    slot: int
    pattern: Pattern
    loop_strides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownAddresses:
    """Addresses that the source of the trace cannot tell, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class TracedAccess:
    """One memory instruction of a visit. ``mask`` are the lanes that are on, the guard applied.

    ``width_bytes`` are those of a lane; None: the instruction's. ``turn`` numbers the accesses of
    one instruction: 0 is where a copy reads, 1 where it writes.
    """

    instruction: int
    mask: int
    addresses: LaneAddresses | UnknownAddresses
    width_bytes: int | None = None
    turn: int = 0

    def width(self, instruction: Instruction) -> int | None:
        """The bytes that a lane accesses; None where nobody knows."""
        return self.width_bytes or instruction.width_bytes or None


@dataclass(frozen=True, slots=True)
class Visit:
    """One execution of a block under an active mask.

    ``guards`` lists (instruction, mask) for guarded instructions whose guard is not true in all
    lanes of ``mask``; a mask of 0 there means that no lane executed it. The branch at the end is
    none of them: who takes it shows in what follows (``analyzer.traces.outcomes`` tells).
    """

    block: int
    mask: int
    guards: tuple[tuple[int, int], ...] = ()
    accesses: tuple[TracedAccess, ...] = ()


@dataclass(frozen=True, slots=True)
class Repeat:
    """``body`` happens several times.

    ``count`` times in the first iteration of all Repeats around; ``count_strides`` are the
    iterations that each of these adds, outermost first, and empty where none does.
    """

    count: int
    body: tuple[Node, ...]
    count_strides: tuple[int, ...] = ()

    @property
    def counted(self) -> Count:
        """How often the body happens, as a count among others."""
        return Count(self.count, self.count_strides)


Node = Visit | Repeat


@dataclass(frozen=True)
class WarpTrace:
    """Events that one warp of one CTA executes. ``warp`` counts within the CTA.

    ``nodes`` may be shared with other warps; ``bases`` are this warp's addresses, by slot.
    """

    cta: tuple[int, int, int]
    warp: int
    nodes: tuple[Node, ...]
    bases: tuple[int, ...] = ()

    @cached_property
    def visits(self) -> int:
        """Number of block executions."""
        return sum(executions(counts) for _, counts in visits_with_counts(self.nodes))


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One visit, unfolded: the addresses are those of this very execution."""

    block: int
    mask: int
    guards: tuple[tuple[int, int], ...]
    addresses: tuple[tuple[int, tuple[int, ...] | None], ...]


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that the source of a trace assumed, as where data decide; ``block`` is where."""

    block: int
    text: str
    hint: str | None = None


@lru_cache(1 << 12)
def lanes_of(mask: int) -> tuple[int, ...]:
    """The lanes of a mask in order."""
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def masks_of(lanes: NDArray[np.bool_]) -> list[int]:
    """Pack lanes, shape (warps, lanes), into a mask for each warp; lane 0 is bit 0."""
    packed = np.packbits(lanes, axis=1, bitorder="little")
    return [int.from_bytes(row, "little") for row in packed]


def visits_with_counts(
    nodes: tuple[Node, ...], counts: tuple[Count, ...] = ()
) -> Iterator[tuple[Visit, tuple[Count, ...]]]:
    """Each Visit of a folded trace with the counts of the Repeats around, outermost first."""
    for node in nodes:
        if isinstance(node, Repeat):
            yield from visits_with_counts(node.body, (*counts, node.counted))
        else:
            yield node, counts


def weighted_visits(nodes: tuple[Node, ...]) -> Iterator[tuple[Visit, int]]:
    """Each Visit of a folded trace with the number of times that it happens."""
    for visit, counts in visits_with_counts(nodes):
        yield visit, executions(counts)


def events(trace: WarpTrace) -> Iterator[TraceEvent]:
    """Unfold a trace event by event, in order of execution."""
    yield from _events(trace.nodes, trace.bases, ())


def _events(
    nodes: tuple[Node, ...], bases: tuple[int, ...], iteration: tuple[int, ...]
) -> Iterator[TraceEvent]:
    for node in nodes:
        if isinstance(node, Repeat):
            for i in range(node.counted.at(iteration)):
                yield from _events(node.body, bases, (*iteration, i))
        else:
            yield TraceEvent(
                node.block,
                node.mask,
                node.guards,
                tuple((a.instruction, _unfold(a, bases, iteration)) for a in node.accesses),
            )


def _unfold(
    access: TracedAccess, bases: tuple[int, ...], iteration: tuple[int, ...]
) -> tuple[int, ...] | None:
    where = access.addresses
    if isinstance(where, UnknownAddresses):
        return None
    moved = sum(s * i for s, i in zip(where.loop_strides, iteration, strict=True))
    return tuple(bases[where.slot] + moved + o for o in where.pattern.offsets(access.mask))


# Traces of which only a part is left: some blocks, and some iterations of each loop.
#
# A loop keeps its first iterations, so that neighbouring iterations stay neighbours; where a count
# inside depends on the iteration, every so many are kept instead, which run through all counts.
# Loops are shortened from the outside in: an outer loop that has few iterations keeps two of them,
# and what is left to save is saved inside.

LEAST_ITERATIONS = 2
"""Iterations that a shortened loop keeps, so that one follows another."""


class Shortener:
    """Shortens trees of warps by one factor; what is one tree stays one.

    ``factor`` is the share of what is executed that should be left, above 0; 1 leaves all of it.
    Of visits only those of ``blocks`` are left, where these are given, and of accesses not those
    of the instructions ``without``.
    """

    def __init__(
        self,
        factor: float,
        blocks: frozenset[int] | None = None,
        without: frozenset[Place] = frozenset(),
    ) -> None:
        self._factor, self._blocks, self._without = factor, blocks, without
        self._known: dict[int, tuple[tuple[Node, ...], tuple[Node, ...]]] = {}

    def tree(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        """A tree, shortened; the same object for the same one."""
        if self._factor >= 1 and self._blocks is None and not self._without:
            return nodes
        known = self._known.get(id(nodes))
        if known is None:  # the tree is kept with it, so that its identity stays its own
            left = nodes if self._blocks is None else visits_of(nodes, self._blocks)
            left = left if not self._without else without_accesses(left, self._without)
            known = self._known[id(nodes)] = nodes, shortened(left, self._factor)
        return known[1]


def visits_of(nodes: tuple[Node, ...], blocks: frozenset[int]) -> tuple[Node, ...]:
    """A tree of which the visits of some blocks are left, and no Repeat that has none."""
    left: list[Node] = []
    for node in nodes:
        if isinstance(node, Repeat):
            body = visits_of(node.body, blocks)
            if body:
                left.append(Repeat(node.count, body, node.count_strides))
        elif node.block in blocks:
            left.append(node)
    return tuple(left)


def without_accesses(nodes: tuple[Node, ...], without: frozenset[Place]) -> tuple[Node, ...]:
    """A tree whose visits have no accesses of some instructions; the visits themselves stay."""
    return tuple(
        replace(node, body=without_accesses(node.body, without))
        if isinstance(node, Repeat)
        else replace(
            node,
            accesses=tuple(a for a in node.accesses if (node.block, a.instruction) not in without),
        )
        for node in nodes
    )


def shortened(nodes: tuple[Node, ...], factor: float) -> tuple[Node, ...]:
    """A tree of which about the share ``factor`` of its iterations is left."""
    return tuple(_node(node, factor, 0) for node in nodes)


def _node(node: Node, factor: float, level: int) -> Node:
    if isinstance(node, Visit):
        return node
    if factor >= 1 or any(node.count_strides):
        return node  # how often it happens is decided further out
    if _decides(node, level):
        step = max(1, min(round(1 / factor), node.count // LEAST_ITERATIONS))
        return _stepped(node, step, level) if step > 1 else node
    count = min(node.count, max(LEAST_ITERATIONS, round(node.count * factor)))
    left = factor * node.count / count if count else 1.0
    body = tuple(_node(inner, left, level + 1) for inner in node.body)
    return Repeat(count, body, node.count_strides)


def _decides(node: Repeat, level: int) -> bool:
    """Whether the count of a loop inside depends on the iterations of this one."""
    return any(
        (n.count_strides and n.count_strides[level]) or _decides(n, level)
        for n in node.body
        if isinstance(n, Repeat)
    )


def _stepped(node: Repeat, step: int, level: int) -> Repeat:
    """Keep every ``step``-th iteration of a loop; what it moves, it moves by so many times."""
    body = tuple(_moved(inner, step, level) for inner in node.body)
    return Repeat(-(-node.count // step), body, node.count_strides)


def _moved(node: Node, step: int, level: int) -> Node:
    if isinstance(node, Repeat):
        strides = _scaled(node.count_strides, step, level)
        return Repeat(node.count, tuple(_moved(n, step, level) for n in node.body), strides)
    accesses = tuple(_access(access, step, level) for access in node.accesses)
    return Visit(node.block, node.mask, node.guards, accesses)


def _access(access: TracedAccess, step: int, level: int) -> TracedAccess:
    where = access.addresses
    if not isinstance(where, LaneAddresses):
        return access
    moved = LaneAddresses(where.slot, where.pattern, _scaled(where.loop_strides, step, level))
    return replace(access, addresses=moved)


def _scaled(strides: tuple[int, ...], step: int, level: int) -> tuple[int, ...]:
    if not strides:
        return strides
    return (*strides[:level], strides[level] * step, *strides[level + 1 :])


# How often something in nested loops happens, where inner counts may depend on outer iterations.
#
# ``for i < n: for j < i: for k < j`` has counts ``n``, ``i`` and ``j``: each grows by a stride
# with the iterations around. What happens in the innermost body is a sum over all of them, which
# is worked out as a polynomial, and never by iterating.

BEYOND_COUNTING = 1 << 63
"""Executions that no run comes to the end of: a warp a nanosecond takes three centuries."""


def endless(instructions: float) -> str | None:
    """Words for warp instructions that no run comes to the end of; None where one may."""
    if instructions < BEYOND_COUNTING:
        return None
    return (
        f"no run comes to the end of {Decimal(instructions):.4g} warp instructions: counts and "
        "times are those of loops that go through all of their iterations"
    )


@dataclass(frozen=True, slots=True)
class Count:
    """Iterations of a loop: ``first`` plus a stride for each iteration of each loop around.

    ``strides`` stand outermost first; empty where the count is the same always.
    """

    first: int
    strides: tuple[int, ...] = ()

    def at(self, iteration: Sequence[int]) -> int:
        """The count in an iteration of the loops around."""
        if not self.strides:
            return self.first
        return self.first + sum(s * i for s, i in zip(self.strides, iteration, strict=True))

    def least(self, last: Sequence[int]) -> int:
        """The smallest count where each loop around goes from iteration 0 to a last one."""
        if not any(self.strides):
            return self.first
        return self.first + sum(min(0, s * i) for s, i in zip(self.strides, last, strict=True))

    def most(self, last: Sequence[int]) -> int:
        """The largest count where each loop around goes from iteration 0 to a last one."""
        if not any(self.strides):
            return self.first
        return self.first + sum(max(0, s * i) for s, i in zip(self.strides, last, strict=True))


@lru_cache(maxsize=1 << 14)
def executions(counts: tuple[Count, ...]) -> int:
    """Count the executions of what stands inside loops with these counts, outermost first.

    A count may come down to zero, not below.
    """
    followed = {i for c in counts for i, stride in enumerate(c.strides) if stride}
    uneven = [i for i, c in enumerate(counts) if i in followed or any(c.strides)]
    even = prod(c.first for i, c in enumerate(counts) if i not in uneven)
    inner: _Polynomial = {(0,) * len(uneven): Fraction(1)}
    for level in reversed(range(len(uneven))):
        count = counts[uneven[level]]
        strides = {uneven.index(i): stride for i, stride in enumerate(count.strides) if stride}
        inner = _summed(inner, level, _linear(count.first, strides, len(uneven)))
    total = sum(inner.values(), Fraction(0))
    assert total.denominator == 1
    return even * total.numerator


_Polynomial = dict[tuple[int, ...], Fraction]
"""Coefficients by the exponents of the iterations of each level."""


def _summed(terms: _Polynomial, level: int, upper: _Polynomial) -> _Polynomial:
    """Sum over the iterations ``0 … upper - 1`` of one level."""
    powers = [_linear(1, {}, len(next(iter(upper))))]
    total: _Polynomial = {}
    for exponents, coefficient in terms.items():
        rest = (*exponents[:level], 0, *exponents[level + 1 :])
        for k, factor in enumerate(_sum_of_powers(exponents[level])):
            if k == len(powers):
                powers.append(_product(powers[-1], upper))
            for raised, c in powers[k].items() if factor else ():
                key = tuple(a + b for a, b in zip(rest, raised, strict=True))
                total[key] = total.get(key, Fraction(0)) + coefficient * factor * c
    return {key: value for key, value in total.items() if value}


def _linear(first: int, strides: Mapping[int, int], levels: int) -> _Polynomial:
    found: _Polynomial = {(0,) * levels: Fraction(first)}
    for level, stride in strides.items():
        found[tuple(int(i == level) for i in range(levels))] = Fraction(stride)
    return found


def _product(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    found: _Polynomial = {}
    for x, p in a.items():
        for y, q in b.items():
            key = tuple(i + j for i, j in zip(x, y, strict=True))
            found[key] = found.get(key, Fraction(0)) + p * q
    return found


@lru_cache(maxsize=64)
def _sum_of_powers(power: int) -> tuple[Fraction, ...]:
    """Coefficients in n of ``0**p + 1**p + … + (n - 1)**p``.

    From the telescoping sum of ``(i + 1)**(p + 1) - i**(p + 1)``: each power follows from the lower
    ones.
    """
    coefficients = [Fraction(0)] * (power + 2)
    coefficients[power + 1] = Fraction(1)
    for lower in range(power):
        weight = comb(power + 1, lower)
        for k, c in enumerate(_sum_of_powers(lower)):
            coefficients[k] -= weight * c
    return tuple(c / (power + 1) for c in coefficients)
