"""The warp trace: what one warp executes, block by block, with loops folded.

A trace is a tree. A Visit says that the warp ran a block under a mask; a Repeat says that what is
in it happens several times. Instructions stand in the kernel and are never repeated here. Lane
addresses are a base plus a pattern over the lanes that are on, plus a stride for each Repeat
around, and the count of a Repeat may itself grow by a stride for each Repeat around (triangular
loops), so that memory grows with the structure of the kernel and not with its running time.

Warps that take the same way share one tree: only their base addresses stand apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.traces.counts import Count, executions


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
        """Give the bytes that a lane accesses; None where nobody knows."""
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
    """What one warp of one CTA executes. ``warp`` counts within the CTA.

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
    """Give the lanes of a mask in order."""
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def masks_of(lanes: NDArray[np.bool_]) -> list[int]:
    """Pack lanes, shape (warps, lanes), into a mask for each warp; lane 0 is bit 0."""
    packed = np.packbits(lanes, axis=1, bitorder="little")
    return [int.from_bytes(row, "little") for row in packed]


def visits_with_counts(
    nodes: tuple[Node, ...], counts: tuple[Count, ...] = ()
) -> Iterator[tuple[Visit, tuple[Count, ...]]]:
    """Give each Visit of a folded trace with the counts of the Repeats around, outermost first."""
    for node in nodes:
        if isinstance(node, Repeat):
            yield from visits_with_counts(node.body, (*counts, node.counted))
        else:
            yield node, counts


def weighted_visits(nodes: tuple[Node, ...]) -> Iterator[tuple[Visit, int]]:
    """Give each Visit of a folded trace with the number of times that it happens."""
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
