"""Accesses that leave the buffer or variable which they are counted from, and by how much.

Executing a kernel refuses such an access where it comes to one; a walk has no memory that would.
Only what a launch does for certain is told: addresses that are known, in lanes that are on, at
places that nothing assumed leads to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from warpmill.analyzer.analyses.access.accesses import MemoryAccess, memory_accesses
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import Module
from warpmill.analyzer.ir.types import Place, Space
from warpmill.analyzer.traces.event_batch import Numbers
from warpmill.analyzer.traces.layout import LaunchLayout, MemoryRegion
from warpmill.analyzer.traces.model import (
    AffinePattern,
    Assumption,
    LaneAddresses,
    Node,
    Repeat,
    TracedAccess,
    UnknownAddresses,
    Visit,
    wrapped,
)
from warpmill.analyzer.traces.static.values import KnownNumbers

_OWN = frozenset({Space.LOCAL, Space.PARAM})
"""Spaces that are not looked at: what lies there is of the compiler's making."""

_SHARED = "a CTA's shared memory"

_DEEPEST = 8
"""Loops around an access whose first and last iterations are all looked at."""

_FAR = 1 << 47
"""Bytes that no lane is from another one but where addresses go round: these are let be."""

Iteration = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class TreeReach:
    """The accesses of a tree: places, slots, and bytes from the base to the first and the end."""

    places: tuple[Place, ...]
    slot: Numbers
    low: Numbers
    high: Numbers


class Overruns:
    """Gathers the accesses of a launch's walks that leave their buffers, or shared memory.

    ``shared_bytes`` are what a CTA has of it, with what the launch gives it.
    """

    def __init__(
        self, module: Module, structure: Structure, layout: LaunchLayout, shared_bytes: int
    ) -> None:
        self._module, self._structure, self._layout = module, structure, layout
        self._shared = MemoryRegion(_SHARED, 0, shared_bytes)
        every = (*layout.regions, self._shared)
        regions = sorted((r for r in every if r.size_bytes), key=lambda r: r.start)
        self._starts = np.array([r.start for r in regions], np.int64)
        self._ends = np.array([r.start + r.size_bytes for r in regions], np.int64)
        self._reaches: dict[int, tuple[tuple[Node, ...], TreeReach]] = {}
        self._found: dict[Place, tuple[MemoryRegion, int, int]] = {}
        self._after: dict[frozenset[int], frozenset[int]] = {}

    @property
    def reaches(self) -> Mapping[Place, tuple[MemoryRegion, int, int]]:
        """By place what an access is counted from, and bytes before its start and past its end."""
        return self._found

    @property
    def texts(self) -> tuple[Assumption, ...]:
        """Assumption of each access that was found, with how far it goes at most, by place."""
        return tuple(self._told(place) for place in sorted(self._found))

    def look(
        self, nodes: tuple[Node, ...], low: Numbers, high: Numbers, assumed: frozenset[int]
    ) -> None:
        """Record overruns in a tree whose bases lie from ``low`` to ``high``, by slot, inclusive.

        ``assumed`` are blocks in which something was.
        """
        reach = self._reach(nodes)
        if not reach.places:
            return
        first, end = low[reach.slot] + reach.low, high[reach.slot] + reach.high
        last = np.searchsorted(self._starts, first, "right") - 1
        inside = (last >= 0) & (end <= np.append(self._ends, 0)[last])
        for k in np.flatnonzero(~inside).tolist():
            block = reach.places[k][0]
            if block not in self._uncertain(assumed):
                self._note(reach.places[k], int(first[k]), int(end[k]))

    def _note(self, place: Place, first: int, end: int) -> None:
        region = self._counted_from(place)
        if region is None:
            return
        _, before, past = self._found.get(place, (region, 0, 0))
        before = max(before, region.start - first)
        past = max(past, end - region.start - region.size_bytes)
        if before or past:
            self._found[place] = region, before, past

    def _counted_from(self, place: Place) -> MemoryRegion | None:
        """Region that an access is counted from, where analysis and launch determine it."""
        access, layout = self._accesses.get(place), self._layout
        base = None if access is None else access.base
        if access is not None and access.space is Space.SHARED:
            return self._shared
        if base is None:
            return None
        value = layout.arguments.get(base)
        if isinstance(value, KnownNumbers) and isinstance(value.base, int):
            return layout.region(value.base) or _empty(layout, value.base)
        address = layout.addresses.get(base)  # an array whose size is open has none here
        return None if address is None else layout.region(address)

    @cached_property
    def _accesses(self) -> dict[Place, MemoryAccess]:
        every = memory_accesses(self._module, self._structure)
        return {(a.block, a.instruction): a for a in every}

    def _uncertain(self, assumed: frozenset[int]) -> frozenset[int]:
        """Blocks that data may lead to, or away from: those in and behind ``assumed`` ones."""
        if assumed not in self._after:
            found, todo = set(assumed), list(assumed)
            while todo:
                new = [s for s in self._structure.cfg.successors[todo.pop()] if s not in found]
                found.update(new)
                todo += new
            self._after[assumed] = frozenset(found)
        return self._after[assumed]

    def _told(self, place: Place) -> Assumption:
        region, before, past = self._found[place]
        instruction = self._structure.kernel.blocks[place[0]].instructions[place[1]]
        is_shared = region is self._shared
        more = " (--shared, or shared in the launch file, gives it more)" if is_shared else ""
        text = (
            f"line {instruction.span.line}: {instruction.operation.opcode} goes up to "
            f"{reach_words(region, before, past)}{more}; counted as if there were memory"
        )
        return Assumption(place[0], text)

    def _reach(self, nodes: tuple[Node, ...]) -> TreeReach:
        found = self._reaches.get(id(nodes))
        if found is None:  # it keeps the tree, so that its id stays its own
            found = self._reaches[id(nodes)] = nodes, self._reach_of(nodes)
        return found[1]

    def _reach_of(self, nodes: tuple[Node, ...]) -> TreeReach:
        rows: list[tuple[Place, int, int, int]] = []
        for visit, ends in _visits(nodes, ((),)):
            instructions = self._structure.kernel.blocks[visit.block].instructions
            for access in visit.accesses:
                where, instruction = access.addresses, instructions[access.instruction]
                if isinstance(where, UnknownAddresses) or instruction.operation.space in _OWN:
                    continue
                if access.turn == 0 and len(instruction.accessed) > 1:
                    continue  # what a copy reads: analysis tells the base of what it writes
                place, width = (visit.block, access.instruction), access.width(instruction)
                first, last = _offsets(access, where, ends)
                if max(-first, last) < _FAR:
                    rows.append((place, where.slot, first, last + (width or 1)))
        columns = np.array([row[1:] for row in rows], np.int64).reshape(-1, 3).T
        return TreeReach(tuple(row[0] for row in rows), *columns)


def reach_words(region: MemoryRegion, before: int, past: int) -> str:
    """How far an access goes at most: ``48 B past the end of `a` of 2,000 B``."""
    ways = [(past, "past the end"), (before, "before the start")]
    far = " and ".join(f"{bytes_:,} B {where}" for bytes_, where in ways if bytes_)
    name = region.name if region.name == _SHARED else f"`{region.name}`"
    return f"{far} of {name} of {region.size_bytes:,} B"


def _empty(layout: LaunchLayout, address: int) -> MemoryRegion | None:
    """The buffer without bytes at an address, where there is one."""
    return next((r for r in layout.regions if r.start == address and not r.size_bytes), None)


def _visits(
    nodes: Iterable[Node], ends: Sequence[Iteration]
) -> Iterator[tuple[Visit, Sequence[Iteration]]]:
    """Visits with the first and the last iterations of the loops around.

    What moves evenly goes farthest in one of them. Visits that never happen there are left out.
    """
    for node in nodes:
        if not isinstance(node, Repeat):
            yield node, ends
        elif ends and len(ends[0]) < _DEEPEST:
            counts = [(around, node.counted.at(around)) for around in ends]
            inner = [(*around, i) for around, n in counts if n > 0 for i in {0, n - 1}]
            if inner:
                yield from _visits(node.body, inner)


def _offsets(
    access: TracedAccess, where: LaneAddresses, ends: Sequence[Iteration]
) -> tuple[int, int]:
    """The least and the greatest distance of a lane's address from the base."""
    low, high = _between_lanes(access, where)
    if not any(where.loop_strides):
        return low, high
    strides = [wrapped(s) for s in where.loop_strides]
    moved = [sum(s * i for s, i in zip(strides, end, strict=True)) for end in ends]
    return low + min(moved), high + max(moved)


def _between_lanes(access: TracedAccess, where: LaneAddresses) -> tuple[int, int]:
    if isinstance(where.pattern, AffinePattern):
        mask = access.mask
        lanes = mask.bit_length() - (mask & -mask).bit_length()
        apart = wrapped(where.pattern.stride) * lanes
        return min(0, apart), max(0, apart)
    listed = [wrapped(o) for o in where.pattern.listed]
    return min(listed), max(listed)
