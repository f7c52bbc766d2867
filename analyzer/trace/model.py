"""The warp trace: what one warp executes, block by block, with loops folded.

A trace is a tree. A Visit says that the warp ran a block under a mask; a Repeat says that what is
in it happens several times. Instructions stand in the kernel and are never repeated here. Lane
addresses are a base plus a pattern over the lanes that are on, plus a stride for each Repeat
around, so that memory grows with the structure of the kernel and not with its running time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class AffinePattern:
    """Offsets ``0, stride, 2 * stride, …`` over the lanes that are on, counted from the first."""

    stride: int

    def offsets(self, mask: int) -> tuple[int, ...]:
        """Byte offsets of the lanes in ``mask``, in lane order, from the first of them."""
        lanes = lanes_of(mask)
        return tuple((lane - lanes[0]) * self.stride for lane in lanes)


@dataclass(frozen=True, slots=True)
class ListedPattern:
    """Offsets written out, one for each lane that is on, from the first of them."""

    listed: tuple[int, ...]

    def offsets(self, mask: int) -> tuple[int, ...]:
        """Byte offsets of the lanes in ``mask``, in lane order, from the first of them."""
        assert len(self.listed) == mask.bit_count()
        return self.listed


@dataclass(frozen=True, slots=True)
class LaneAddresses:
    """Byte addresses of the lanes that are on.

    ``base`` is the first such lane's address in the first iteration of all Repeats around;
    ``loop_strides`` are the bytes that each of these adds an iteration, outermost first.
    """

    base: int
    pattern: AffinePattern | ListedPattern
    loop_strides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownAddresses:
    """Addresses that the source of the trace cannot tell, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Access:
    """One memory instruction of a visit. ``mask`` are the lanes that are on, the guard applied."""

    instruction: int
    mask: int
    addresses: LaneAddresses | UnknownAddresses


@dataclass(frozen=True, slots=True)
class Visit:
    """One execution of a block under an active mask.

    ``guards`` lists (instruction, mask) for guarded instructions whose guard is not true in all
    lanes of ``mask``; a mask of 0 there means that no lane executed it.
    """

    block: int
    mask: int
    guards: tuple[tuple[int, int], ...] = ()
    accesses: tuple[Access, ...] = ()


@dataclass(frozen=True, slots=True)
class Repeat:
    """``body`` happens ``count`` times, at least once."""

    count: int
    body: tuple[Node, ...]


Node = Visit | Repeat


@dataclass(frozen=True)
class WarpTrace:
    """What one warp of one CTA executes. ``warp`` counts within the CTA."""

    cta: tuple[int, int, int]
    warp: int
    nodes: tuple[Node, ...]

    @cached_property
    def visits(self) -> int:
        """Number of block executions."""
        return sum(count for _, count in weighted_visits(self.nodes))


@dataclass(frozen=True, slots=True)
class Event:
    """One visit, unfolded: the addresses are those of this very execution."""

    block: int
    mask: int
    guards: tuple[tuple[int, int], ...]
    addresses: tuple[tuple[int, tuple[int, ...] | None], ...]


def lanes_of(mask: int) -> tuple[int, ...]:
    """Give the lanes of a mask in order."""
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def masks_of(lanes: NDArray[np.bool_]) -> list[int]:
    """Pack lanes, shape (warps, lanes), into a mask for each warp; lane 0 is bit 0."""
    packed = np.packbits(lanes, axis=1, bitorder="little")
    return [int.from_bytes(row, "little") for row in packed]


def weighted_visits(nodes: tuple[Node, ...], times: int = 1) -> Iterator[tuple[Visit, int]]:
    """Give each Visit of a folded trace with the number of times that it happens."""
    for node in nodes:
        if isinstance(node, Repeat):
            yield from weighted_visits(node.body, times * node.count)
        else:
            yield node, times


def events(nodes: tuple[Node, ...], iteration: tuple[int, ...] = ()) -> Iterator[Event]:
    """Unfold a trace event by event, in order of execution."""
    for node in nodes:
        if isinstance(node, Repeat):
            for i in range(node.count):
                yield from events(node.body, (*iteration, i))
        else:
            yield Event(
                node.block,
                node.mask,
                node.guards,
                tuple((a.instruction, _unfold(a, iteration)) for a in node.accesses),
            )


def _unfold(access: Access, iteration: tuple[int, ...]) -> tuple[int, ...] | None:
    where = access.addresses
    if isinstance(where, UnknownAddresses):
        return None
    start = where.base + sum(s * i for s, i in zip(where.loop_strides, iteration, strict=True))
    return tuple(start + o for o in where.pattern.offsets(access.mask))
