"""A folded tree as arrays: its events and accesses one by one, in order, and facts of its nodes.

Nothing goes event by event here. A Repeat is worked out at once for all executions of what is
around it: how often its body happens in each of them, and which iteration each of these is. Where
an execution begins follows from the lengths of those before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import count

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.types import Place
from warpmill.analyzer.traces.event_batch import EventTables
from warpmill.analyzer.traces.model import (
    AffinePattern,
    Count,
    Node,
    Repeat,
    TracedAccess,
    UnknownAddresses,
    Visit,
    executions,
    lanes_of,
    visits_with_counts,
    wrapped,
)

Numbers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Unfolded:
    """The events of a tree: the number of each one's visit, and of each access among the tree's.

    ``moved`` are the bytes by which the Repeats around have moved an access from its base; of one
    whose addresses are not known any number.
    """

    visit: Small
    access: Small
    moved: Numbers


class UnfoldedTree:
    """A tree that warps share, unfolded when its arrays are asked for.

    ``events`` and ``accesses`` are how many it has, counted without unfolding; ``iterations`` how
    often the body of its busiest Repeat happens, however little is in it.
    """

    def __init__(self, nodes: tuple[Node, ...], numbering: Numbering) -> None:
        self.nodes, self._numbering = nodes, numbering
        self.events = self.accesses = 0
        for visit, counts in visits_with_counts(nodes):
            times = executions(counts)
            self.events += times
            self.accesses += times * len(visit.accesses)
        self.iterations = max((executions(counts) for counts in _repeats(nodes, ())), default=0)

    @cached_property
    def facts(self) -> Facts:
        """Facts that are the same in all executions of its visits. InputError as ``facts_of``."""
        return facts_of(self._visits, self._numbering)

    @cached_property
    def _visits(self) -> list[Visit]:
        return [visit for visit, _ in visits_with_counts(self.nodes)]

    @cached_property
    def unfolded(self) -> Unfolded:
        """The events, in order."""
        return _Unfolding(self._visits, self.nodes).run()


def _repeats(nodes: tuple[Node, ...], around: tuple[Count, ...]) -> Iterator[tuple[Count, ...]]:
    """The counts of each Repeat, those around it first."""
    for node in nodes:
        if isinstance(node, Repeat):
            counts = (*around, node.counted)
            yield counts
            yield from _repeats(node.body, counts)


_Size = int | Numbers
"""A number for each execution of something: one that all have, or an array."""


@dataclass(frozen=True, eq=False)
class _Loop:
    """All that happens of a Repeat.

    ``counts`` are its iterations in each execution of what is around; ``turn`` has for each
    execution of its body the iteration that it is. ``parts`` are the body's visits by number, and
    its loops. ``events`` and ``accesses`` are those of each execution of the body.
    """

    counts: Numbers
    turn: Numbers
    parts: tuple[_Part, ...]
    events: _Size
    accesses: _Size

    def whole(self, inner: _Size) -> _Size:
        """Sum what executions of the body have, over each execution of what is around."""
        if isinstance(inner, int):
            return self.counts * inner
        ends, sums = np.cumsum(self.counts), np.append(0, np.cumsum(inner))
        whole: Numbers = sums[ends] - sums[ends - self.counts]
        return whole

    def starts(self, around: Numbers, inner: _Size) -> Numbers:
        """Start of each execution of the body, from the starts of what is around."""
        if isinstance(inner, int):
            return np.repeat(around, self.counts) + self.turn * inner
        before = np.cumsum(inner) - inner
        firsts = np.cumsum(self.counts) - self.counts
        # one that goes round no time at all may begin after the last body: it repeats nothing
        moved = around - np.append(before, 0)[firsts]
        starts: Numbers = np.repeat(moved, self.counts) + before
        return starts


_Part = int | _Loop


def _linear(first: int, strides: Sequence[int], around: Sequence[_Loop]) -> _Size:
    """``first`` plus strides times iterations, for each execution inside of some loops."""
    value: _Size = first
    for stride, loop in zip(strides, around, strict=True):
        if not isinstance(value, int):
            value = np.repeat(value, loop.counts)
        if stride:
            value = value + wrapped(stride) * loop.turn
    return value


class _Unfolding:
    """Fills the arrays of a tree whose visits are given in order."""

    def __init__(self, visits: Sequence[Visit], nodes: tuple[Node, ...]) -> None:
        self._visits, self._next = visits, count()
        self._first = np.cumsum([0, *(len(v.accesses) for v in visits)]).tolist()
        self._whole = self._parts(nodes, ())
        events, accesses = (int(np.sum(size)) for size in self._sizes(self._whole))
        self._found = Unfolded(
            np.empty(events, np.int32), np.empty(accesses, np.int32), np.empty(accesses, np.int64)
        )

    def run(self) -> Unfolded:
        """All that happens."""
        start = np.zeros(1, np.int64)
        self._fill(self._whole, start, start, ())
        return self._found

    def _parts(self, nodes: tuple[Node, ...], around: tuple[_Loop, ...]) -> tuple[_Part, ...]:
        return tuple(
            self._loop(node, around) if isinstance(node, Repeat) else next(self._next)
            for node in nodes
        )

    def _loop(self, node: Repeat, around: tuple[_Loop, ...]) -> _Loop:
        strides = node.count_strides or (0,) * len(around)
        counts = np.maximum(_linear(node.count, strides, around), 0)
        executed = around[-1].turn.size if around else 1
        counts = np.broadcast_to(counts, executed).astype(np.int64)
        ends = np.cumsum(counts)
        turn = np.arange(int(ends[-1]) if executed else 0) - np.repeat(ends - counts, counts)
        level = _Loop(counts, turn, (), 0, 0)
        parts = self._parts(node.body, (*around, level))
        return _Loop(counts, turn, parts, *self._sizes(parts))

    def _sizes(self, parts: tuple[_Part, ...]) -> tuple[_Size, _Size]:
        """Events and accesses of an execution of some parts."""
        events: _Size = 0
        accesses: _Size = 0
        for part in parts:
            own = self._size(part)
            events, accesses = events + own[0], accesses + own[1]
        return events, accesses

    def _size(self, part: _Part) -> tuple[_Size, _Size]:
        if isinstance(part, int):
            return 1, len(self._visits[part].accesses)
        return part.whole(part.events), part.whole(part.accesses)

    def _fill(
        self,
        parts: tuple[_Part, ...],
        events: Numbers,
        accesses: Numbers,
        around: tuple[_Loop, ...],
    ) -> None:
        """Write down parts, whose executions begin at some events and accesses."""
        for part in parts:
            if isinstance(part, int):
                self._found.visit[events] = part
                self._fill_accesses(part, accesses, around)
            else:
                inner = part.starts(events, part.events), part.starts(accesses, part.accesses)
                self._fill(part.parts, *inner, (*around, part))
            own = self._size(part)
            events, accesses = events + own[0], accesses + own[1]

    def _fill_accesses(self, number: int, starts: Numbers, around: tuple[_Loop, ...]) -> None:
        for k, access in enumerate(self._visits[number].accesses):
            where, at = access.addresses, starts + k
            self._found.access[at] = self._first[number] + k
            if not isinstance(where, UnknownAddresses):
                self._found.moved[at] = _linear(0, where.loop_strides, around)


# What is the same in all executions of a tree's visits: blocks, masks, guards, accesses.

Masks = npt.NDArray[np.uint64]
UNKNOWN = -1
"""The slot of an access whose addresses are not known."""


@dataclass(frozen=True, eq=False)
class Facts:
    """Facts that are the same in all executions of a tree's visits, or of several trees in a row.

    ``guards`` and ``accesses`` count those of each visit. ``offsets`` has the shape (accesses,
    lanes): bytes from the first lane that is on; 0 where a lane is off, or nobody knows.
    """

    block: Small
    mask: Masks
    guards: Numbers
    accesses: Numbers
    guard_number: Small
    guard_mask: Masks
    access_point: Small
    access_mask: Masks
    access_slot: Small
    offsets: Numbers

    @classmethod
    def joined(cls, each: Sequence[Facts]) -> Facts:
        """Facts of several trees, one after another."""
        if len(each) == 1:
            return each[0]
        names = [f.name for f in fields(cls)]
        return cls(**{n: np.concatenate([getattr(facts, n) for facts in each]) for n in names})


@dataclass(frozen=True)
class Numbering:
    """The numbers of the instructions that accesses and guards name, and the accesses' widths."""

    points: Mapping[Place, tuple[tuple[int, int | None], ...]]
    guards: Mapping[Place, int]
    lanes: int

    @classmethod
    def of(cls, tables: EventTables) -> Numbering:
        """Turn tables round."""
        points: dict[Place, tuple[tuple[int, int | None], ...]] = {}
        for n, p in enumerate(tables.points):
            place = p.block, p.instruction
            points[place] = (*points.get(place, ()), (n, p.width_bytes))
        guards = {place: number for number, place in enumerate(tables.guards)}
        return cls(points, guards, tables.warp_size)

    def points_of(self, visit: Visit) -> Iterator[tuple[int, TracedAccess]]:
        """The accesses of a visit with their points: of a copy its load, then its store."""
        for access in visit.accesses:
            yield self._point(visit.block, access), access

    def _point(self, block: int, access: TracedAccess) -> int:
        """The point of an access. InputError where the kernel has no such access."""
        there = self.points.get((block, access.instruction), ((-1, None),))
        number, width = there[min(access.turn, len(there) - 1)]
        if number < 0 or access.width_bytes not in (None, width):
            raise InputError(
                f"the traces have an access to memory in block {block}, instruction "
                f"{access.instruction}, that the kernel has not"
            )
        return number

    def guard(self, block: int, instruction: int) -> int:
        """The number of a guarded instruction. InputError where the kernel has none there."""
        if (block, instruction) not in self.guards:
            raise InputError(
                f"the traces have a guard in block {block}, instruction {instruction}, that the "
                "kernel has not"
            )
        return self.guards[block, instruction]


def facts_of(visits: Sequence[Visit], numbering: Numbering) -> Facts:
    """Facts that are the same in all executions of visits. InputError as from ``Numbering``."""
    guards = [(numbering.guard(v.block, i), mask) for v in visits for i, mask in v.guards]
    accesses = [found for v in visits for found in numbering.points_of(v)]
    return Facts(
        np.array([v.block for v in visits], np.int32),
        np.array([v.mask for v in visits], np.uint64),
        np.array([len(v.guards) for v in visits], np.int64),
        np.array([len(v.accesses) for v in visits], np.int64),
        np.array([number for number, _ in guards], np.int32),
        np.array([mask for _, mask in guards], np.uint64),
        np.array([number for number, _ in accesses], np.int32),
        np.array([a.mask for _, a in accesses], np.uint64),
        np.array([_slot(a) for _, a in accesses], np.int32),
        _offsets([a for _, a in accesses], numbering.lanes),
    )


def _slot(access: TracedAccess) -> int:
    where = access.addresses
    return UNKNOWN if isinstance(where, UnknownAddresses) else where.slot


def _offsets(accesses: Sequence[TracedAccess], lanes: int) -> Numbers:
    """The offsets of lanes; affine ones are worked out together."""
    strides, masks = np.zeros(len(accesses), np.int64), np.zeros(len(accesses), np.uint64)
    listed: list[tuple[int, int, tuple[int, ...]]] = []
    for row, access in enumerate(accesses):
        where = access.addresses
        if isinstance(where, UnknownAddresses):
            continue
        if isinstance(where.pattern, AffinePattern):
            strides[row], masks[row] = wrapped(where.pattern.stride), access.mask
        else:
            listed.append((row, access.mask, where.pattern.offsets(access.mask)))
    on = (masks[:, None] >> np.arange(lanes, dtype=np.uint64)) & np.uint64(1) != 0
    distance = np.arange(lanes) - on.argmax(axis=1)[:, None]
    rows: Numbers = np.where(on, distance * strides[:, None], 0)
    for row, mask, offsets in listed:
        rows[row, list(lanes_of(mask))] = offsets
    return rows
