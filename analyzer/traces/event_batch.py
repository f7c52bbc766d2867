"""The events of some CTAs as arrays, the texels that they read, and the warps of many CTAs.

An event is an execution of a block by a warp; a warp's events stand together, in order. An event
has its guards and its accesses, which stand together too. Lane addresses are a base and a pattern,
the lanes' distances from the lowest one that is on; equal patterns of a batch are kept once.
``traces`` makes the Visits of ``analyzer.traces.model`` of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import Places, unravel_index
from warpmill.analyzer.traces.model import (
    AffinePattern,
    LaneAddresses,
    ListedPattern,
    Node,
    Pattern,
    TracedAccess,
    Visit,
    WarpTrace,
    lanes_of,
)

Numbers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Masks = npt.NDArray[np.uint64]
Triple = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class AccessPoint:
    """Point of a kernel's memory access: an instruction, the space, a lane's bytes.

    ``kind`` is load, store or atomic; ``width_bytes`` None: only the execution tells.
    """

    block: int
    instruction: int
    kind: str
    space: Space
    width_bytes: int | None


@dataclass(frozen=True)
class EventTables:
    """Meaning of the numbers in events, the same for all CTAs of a launch.

    ``guards`` are the guarded instructions by (block, instruction).
    """

    grid: Triple
    warp_size: int
    warps_per_cta: int
    points: tuple[AccessPoint, ...]
    guards: tuple[tuple[int, int], ...]

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The number of each point among those of its instruction, from 0."""
        seen: Counter[tuple[int, int]] = Counter()
        turns = []
        for p in self.points:
            turns.append(seen[p.block, p.instruction])
            seen[p.block, p.instruction] += 1
        return tuple(turns)

    def cta(self, number: int) -> Triple:
        """The place in the grid of a CTA by its linear number, x fastest."""
        return unravel_index(number, self.grid)


@dataclass(frozen=True, eq=False)
class EventBatch:
    """The events of some CTAs, ``ctas`` by linear number.

    ``warps`` has the first event of each warp, CTA by CTA, and the number of events at its end;
    ``event_guards`` and ``event_accesses`` likewise the first guard and access of each event.
    ``guard_number`` and ``access_point`` are numbers in the tables. Only guards that do not hold in
    all lanes of their event are there. ``patterns`` has the shape (patterns, lanes), 0 where a lane
    is off.
    """

    tables: EventTables
    ctas: Numbers
    warps: Numbers
    block: Small
    mask: Masks
    event_guards: Numbers
    guard_number: Small
    guard_mask: Masks
    event_accesses: Numbers
    access_point: Small
    access_mask: Masks
    access_base: Numbers
    access_pattern: Small
    patterns: Numbers
    _known: dict[tuple[int, int], Pattern] = field(default_factory=dict, repr=False)

    def __eq__(self, other: object) -> bool:
        """Whether the same things happened; patterns may be numbered in another way."""
        if not isinstance(other, EventBatch):
            return NotImplemented
        return (
            self.tables == other.tables
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _PLAIN)
            and np.array_equal(self.lane_addresses, other.lane_addresses)
        )

    __hash__ = None  # type: ignore[assignment] # arrays are compared, not hashed

    @property
    def lane_addresses(self) -> Numbers:
        """The byte address of each lane of each access, shape (accesses, lanes); 0 where off."""
        lanes = np.arange(self.patterns.shape[1], dtype=np.uint64)
        on = (self.access_mask[:, None] >> lanes & np.uint64(1)).astype(bool)
        whole = self.access_base[:, None] + self.patterns[self.access_pattern]
        return np.where(on, whole, 0).astype(np.int64)

    def guarded_off(self, first: int = 0) -> Numbers:
        """The lanes that each guard turns off over the events from the ``first`` on, by number."""
        lanes = np.bitwise_count(self.mask).astype(np.int64)
        event = np.repeat(np.arange(len(lanes)), np.diff(self.event_guards))
        off = lanes[event] - np.bitwise_count(self.guard_mask & self.mask[event])
        off[event < first] = 0
        return np.bincount(self.guard_number, off, len(self.tables.guards)).astype(np.int64)

    @property
    def events(self) -> int:
        """How many there are."""
        return len(self.block)

    def of_cta(self, number: int) -> EventBatch:
        """The events of one of the CTAs, by its linear number, as a batch of its own."""
        place = int(np.searchsorted(self.ctas, number))
        each = self.tables.warps_per_cta
        warps = self.warps[place * each : (place + 1) * each + 1]
        events = slice(int(warps[0]), int(warps[-1]))
        ends = slice(events.start, events.stop + 1)
        guards, accesses = self.event_guards[ends], self.event_accesses[ends]
        guarded, accessed = (slice(int(f[0]), int(f[-1])) for f in (guards, accesses))
        return replace(
            self,
            ctas=self.ctas[place : place + 1],
            warps=warps - warps[0],
            block=self.block[events],
            mask=self.mask[events],
            event_guards=guards - guards[0],
            guard_number=self.guard_number[guarded],
            guard_mask=self.guard_mask[guarded],
            event_accesses=accesses - accesses[0],
            access_point=self.access_point[accessed],
            access_mask=self.access_mask[accessed],
            access_base=self.access_base[accessed],
            access_pattern=self.access_pattern[accessed],
        )

    def traces(self, place: int) -> tuple[WarpTrace, ...]:
        """The traces of the warps of the CTA at a place of the batch, event by event."""
        cta = self.tables.cta(int(self.ctas[place]))
        each = self.tables.warps_per_cta
        return tuple(self._trace(cta, w, place * each + w) for w in range(each))

    def _trace(self, cta: Triple, number: int, warp: int) -> WarpTrace:
        first, last = int(self.warps[warp]), int(self.warps[warp + 1])
        start, end = int(self.event_accesses[first]), int(self.event_accesses[last])
        nodes = tuple(self._visits(first, last, slice(start, end)))
        return WarpTrace(cta, number, nodes, tuple(self.access_base[start:end].tolist()))

    def _visits(self, first: int, last: int, own: slice) -> Iterator[Visit]:
        """Events ``first`` to ``last`` as Visits; ``own`` are the accesses of their warp."""
        columns = (self.access_point, self.access_mask, self.access_pattern)
        told = zip(*(c[own].tolist() for c in columns), strict=True)
        accesses = [self._access(slot, *each) for slot, each in enumerate(told)]
        guards = self._guards(first, last)
        ends = (self.event_accesses[first : last + 1] - own.start).tolist()
        events = zip(self.block[first:last].tolist(), self.mask[first:last].tolist(), strict=True)
        for k, (block, mask) in enumerate(events):
            mine = tuple(accesses[ends[k] : ends[k + 1]])
            yield Visit(block, mask, guards.get(k, ()), mine)

    def _access(self, slot: int, number: int, mask: int, row: int) -> TracedAccess:
        point = self.tables.points[number]
        where = LaneAddresses(slot, self._pattern(row, mask))
        return TracedAccess(
            point.instruction, mask, where, point.width_bytes, self.tables.turns[number]
        )

    def _guards(self, first: int, last: int) -> dict[int, tuple[tuple[int, int], ...]]:
        """The guards of events, by their place from ``first`` on."""
        found = {}
        for k, (start, end) in enumerate(pairwise(self.event_guards[first : last + 1].tolist())):
            if start < end:
                numbers = self.guard_number[start:end].tolist()
                masks = self.guard_mask[start:end].tolist()
                places = [self.tables.guards[n][1] for n in numbers]
                found[k] = tuple(zip(places, masks, strict=True))
        return found

    def _pattern(self, row: int, mask: int) -> Pattern:
        """A pattern in a form of the model: affine where the lanes' distances are."""
        if (row, mask) not in self._known:
            lanes = lanes_of(mask)
            self._known[row, mask] = pattern_of(lanes, self.patterns[row, list(lanes)].tolist())
        return self._known[row, mask]


_PLAIN = (
    "ctas", "warps", "block", "mask", "event_guards", "guard_number", "guard_mask",
    "event_accesses", "access_point", "access_mask", "access_base",
)  # fmt: skip


def pattern_of(lanes: tuple[int, ...], offsets: list[int]) -> Pattern:
    """Distances of lanes from the lowest: by a stride where there is one."""
    if len(lanes) == 1:
        return AffinePattern(0)
    stride = offsets[1] // (lanes[1] - lanes[0])
    steps = ((lane - lanes[0]) * stride for lane in lanes)
    if all(s == o for s, o in zip(steps, offsets, strict=True)):
        return AffinePattern(stride)
    return ListedPattern(tuple(offsets))


def joined(batches: Sequence[EventBatch]) -> EventBatch:
    """The events of batches of one launch, one batch after another, as one.

    Its CTAs are in the order that they come in.
    """
    if len(batches) == 1:
        return batches[0]
    patterns = np.cumsum([0, *(len(b.patterns) for b in batches)])
    moved = [b.access_pattern + np.int32(n) for b, n in zip(batches, patterns, strict=False)]
    return EventBatch(
        tables=batches[0].tables,
        ctas=np.concatenate([b.ctas for b in batches]),
        warps=_chained([b.warps for b in batches]),
        block=np.concatenate([b.block for b in batches]),
        mask=np.concatenate([b.mask for b in batches]),
        event_guards=_chained([b.event_guards for b in batches]),
        guard_number=np.concatenate([b.guard_number for b in batches]),
        guard_mask=np.concatenate([b.guard_mask for b in batches]),
        event_accesses=_chained([b.event_accesses for b in batches]),
        access_point=np.concatenate([b.access_point for b in batches]),
        access_mask=np.concatenate([b.access_mask for b in batches]),
        access_base=np.concatenate([b.access_base for b in batches]),
        access_pattern=np.concatenate(moved),
        patterns=np.concatenate([b.patterns for b in batches]),
    )


def _chained(firsts: Sequence[Numbers]) -> Numbers:
    """Firsts, each with its end at the last place, one after another."""
    starts = np.cumsum([0, *(int(own[-1]) for own in firsts)])
    parts = [own[:-1] + start for own, start in zip(firsts, starts, strict=False)]
    return np.concatenate([*parts, starts[-1:]])


# Instructions on texels, whose addresses only executed traces have: textures and surfaces.
#
# Where a texel lies follows from what a handle names on a device, which traces without data do not
# know; they have no accesses for these instructions.

TEXEL_SPACES = frozenset({Space.TEXTURE, Space.SURFACE})

_KINDS = {"tex": "load", "tld4": "load", "suld": "load", "sust": "store", "sured": "atomic"}
"""Accesses to texels, by the opcode table's names; queries touch none."""


def is_texel_access(operation: Operation) -> bool:
    """Whether an operation touches texels."""
    return operation.name in _KINDS


def texel_points(kernel: Kernel) -> tuple[AccessPoint, ...]:
    """Accesses of a kernel to texels, in program order; the execution alone determines widths."""
    return tuple(
        AccessPoint(block.id, place, _KINDS[own.name], own.space or Space.TEXTURE, None)
        for block in kernel.blocks
        for place, own in enumerate(i.operation for i in block.instructions)
        if is_texel_access(own)
    )


# The warps of many CTAs as arrays: which tree each has, and its base addresses.
#
# Of a wave of CTAs most warps share their trees and differ in bases alone; here these are numbers
# in arrays, where ``WarpTrace`` has an object for each warp.


@dataclass(frozen=True, eq=False)
class ManyWarps:
    """The warps of CTAs, CTA by CTA, each CTA's in order.

    ``which`` has for each warp the number of its tree among ``trees``; ``bases`` are the base
    addresses of all, those of a warp from its place in ``starts`` on, shape (warps + 1,).
    """

    ctas: Sequence[Triple]
    trees: tuple[tuple[Node, ...], ...]
    which: Numbers
    bases: Numbers
    starts: Numbers

    @property
    def warps_per_cta(self) -> int:
        """Warps of each CTA."""
        return len(self.which) // len(self.ctas)

    @classmethod
    def of(cls, ctas: Iterable[Sequence[WarpTrace]]) -> ManyWarps:
        """Take the traces of CTAs."""
        each = [warps for warps in ctas if warps]
        flat = [warp for warps in each for warp in warps]
        distinct = {id(warp.nodes): warp.nodes for warp in flat}
        place = {key: number for number, key in enumerate(distinct)}
        return cls(
            tuple(warps[0].cta for warps in each),
            tuple(distinct.values()),
            np.array([place[id(warp.nodes)] for warp in flat], np.int64),
            np.fromiter(chain.from_iterable(warp.bases for warp in flat), np.int64),
            firsts([len(warp.bases) for warp in flat]),
        )


@dataclass(frozen=True, eq=False)
class SharedTree:
    """A tree that warps share, with their ``rows`` among all and ``bases``, shape (rows, slots)."""

    nodes: tuple[Node, ...]
    rows: Numbers
    bases: Numbers


def put_together(ctas: Sequence[Triple], warps: int, parts: Sequence[SharedTree]) -> ManyWarps:
    """Warps of some trees, in their rows; together they are all ``warps`` of the CTAs."""
    distinct = {id(part.nodes): part.nodes for part in parts}
    number = {key: place for place, key in enumerate(distinct)}
    which, slots = np.full(warps, -1), np.zeros(warps, np.int64)
    for part in parts:
        which[part.rows], slots[part.rows] = number[id(part.nodes)], part.bases.shape[1]
    assert (which >= 0).all()
    starts = firsts(slots)
    bases = np.zeros(int(starts[-1]), np.int64)
    for part in parts:
        bases[starts[part.rows][:, None] + np.arange(part.bases.shape[1])] = part.bases
    return ManyWarps(ctas, tuple(distinct.values()), which, bases, starts)


def axes_of(ctas: Sequence[Triple]) -> Numbers:
    """The places of CTAs as an array, shape (CTAs, 3)."""
    if isinstance(ctas, Places):
        return np.stack(ctas.axes, axis=1)
    return np.array(ctas, np.int64).reshape(-1, 3)


def firsts(lengths: Sequence[int] | Numbers) -> Numbers:
    """Start of each of some ranges, and the end of the last one."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
