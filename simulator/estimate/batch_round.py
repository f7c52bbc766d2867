"""A round of CTAs whose traces are events: laid out and costed as arrays, without Visits.

It gives what ``Round`` gives of the same traces; there is nothing to fold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analyzer.ir.kernel import Kernel
from analyzer.ir.types import OpClass, Space
from analyzer.memory_rules import MemoryRules
from analyzer.trace.batch_costs import access_costs
from analyzer.trace.event_batch import AccessPoint, EventBatch, joined
from simulator.estimate.kernel_code import KernelCode
from simulator.estimate.pipeline import END, MAX_DEPTH, VISIT, Traces
from simulator.estimate.program import NO_COSTS, NO_NEED, Need, Template
from simulator.estimate.traffic import ELSEWHERE, LOCAL, OFF_CHIP, AccessFacts, Place

Numbers = NDArray[np.int64]


class BatchRound:
    """CTAs of a launch that run on one SM together, as batches of events."""

    unknown_addresses: frozenset[Place] = frozenset()

    def __init__(self, batches: Sequence[EventBatch], kernel: Kernel) -> None:
        self._events, self._kernel = joined(batches), kernel
        self.size = len(self._events.ctas)
        self._costs: dict[MemoryRules, Numbers] = {}
        self._templates: dict[MemoryRules, Template] = {}

    @cached_property
    def executions(self) -> Mapping[int, int]:
        """How often warps execute each block."""
        return dict(enumerate(np.bincount(self._events.block).tolist()))

    def requested(self, facts: AccessFacts) -> Mapping[str, float]:
        """Sum the bytes that go off the SM, by region."""
        events, named = self._events, _Regions(facts)
        off_chip = np.array([p in OFF_CHIP for p in self._spaces(facts)], np.bool_)
        chosen = np.flatnonzero(off_chip[events.access_point])
        region = self._regions(facts, named)[chosen]
        sectors = self._costed(facts)[chosen, 0]
        moved = np.bincount(region, sectors * facts.rules.sector_bytes, len(named.names))
        present = np.bincount(region, minlength=len(named.names)) > 0
        return {named.names[k]: float(moved[k]) for k in np.flatnonzero(present)}

    def template(self, code: KernelCode, facts: AccessFacts, _factor: float = 1.0) -> Template:
        """Lay the traces out; there are no loops that could be cut short."""
        if facts.rules not in self._templates:
            self._templates[facts.rules] = self._laid_out(code, facts)
        return self._templates[facts.rules]

    def _laid_out(self, code: KernelCode, facts: AccessFacts) -> Template:
        events = self._events
        slots = np.array([len(own) for own in code.memory_slots], np.int64)
        ends = np.cumsum(slots[events.block])
        needs, number = self._needs(facts)
        wanted = np.zeros(int(ends[-1]) if ends.size else 0, np.intp)
        points = events.tables.points
        slot = np.array([code.memory_slots[p.block].get(p.instruction, -1) for p in points],
                        np.int64)  # fmt: skip
        event = np.repeat(np.arange(events.events), np.diff(events.event_accesses))
        place = slot[events.access_point] if points else np.zeros(0, np.int64)
        known = np.flatnonzero(place >= 0)
        first = ends - slots[events.block]
        wanted[first[event[known]] + place[known]] = number[known]
        visits, blocks, needed, firsts = _visits(events.block, slots, first, wanted)
        warps = len(events.warps) - 1
        program = np.empty((events.events + warps, 2), np.int32)
        program[:] = END, -1
        owner = np.repeat(np.arange(warps), np.diff(events.warps))
        at = np.arange(events.events) + owner  # each warp before has a word for its end
        program[at, 0], program[at, 1] = VISIT, visits
        traces = Traces(
            program.ravel(),
            (events.warps[:-1] + np.arange(warps)).astype(np.int32),
            (np.arange(warps) // events.tables.warps_per_cta).astype(np.int32),
            blocks.astype(np.int32),
            firsts.astype(np.int32),
            NO_COSTS,
            np.zeros((1, MAX_DEPTH + 2), np.int64),
        )
        return Template(traces, needs, needed)

    def _needs(self, facts: AccessFacts) -> tuple[tuple[Need, ...], NDArray[np.intp]]:
        """Give what accesses need of the machine, each kind once, and the kind of each access."""
        points, point = self._events.tables.points, self._events.access_point
        if not point.size:
            return (NO_NEED,), np.zeros(0, np.intp)
        named, costs = _Regions(facts), self._costed(facts)
        kinds = list(zip(self._spaces(facts), map(self._class, points), strict=True))
        known = list(dict.fromkeys(kinds))
        kind = np.array([known.index(own) for own in kinds], np.int64)[point]
        shared = np.array([space is Space.SHARED for space, _ in known])[kind]
        constant = np.array([space is Space.CONST for space, _ in known])[kind]
        amount = np.where(shared, costs[:, 2], np.where(constant, 0, costs[:, 0]))
        nowhere = len(named.names)
        region = np.where(shared | constant, nowhere, self._regions(facts, named))
        key = (kind * (nowhere + 1) + region) * (int(amount.max()) + 1) + amount
        _, one, need = np.unique(key, return_index=True, return_inverse=True)
        names = (*named.names, "")
        each = zip([known[k] for k in kind[one]], amount[one].tolist(), region[one], strict=True)
        needs = [Need(space, op_class, float(a), names[r]) for (space, op_class), a, r in each]
        return (NO_NEED, *needs), need.ravel() + 1

    def _class(self, point: AccessPoint) -> OpClass:
        return self._kernel.blocks[point.block].instructions[point.instruction].operation.op_class

    # -- accesses ------------------------------------------------------------------------------

    def _spaces(self, facts: AccessFacts) -> list[Space]:
        points = self._events.tables.points
        return [facts.spaces.get((p.block, p.instruction), Space.GENERIC) for p in points]

    def _costed(self, facts: AccessFacts) -> Numbers:
        """Give sectors, lines and bank passes of each access, shape (accesses, 3)."""
        if facts.rules not in self._costs:
            events, points = self._events, self._events.tables.points
            widths = [facts.widths.get((p.block, p.instruction), 0) for p in points]
            local = [space is Space.LOCAL for space in self._spaces(facts)]
            point = events.access_point
            self._costs[facts.rules] = access_costs(
                events.access_base, events.access_pattern, events.patterns, events.access_mask,
                np.array(widths, np.int64)[point], np.array(local, np.bool_)[point], facts.rules,
            )  # fmt: skip
        return self._costs[facts.rules]

    def _regions(self, facts: AccessFacts, named: _Regions) -> Numbers:
        """Give the region of each access, as a number among the names."""
        found = named.of(self._events.access_base)
        local = np.array([space is Space.LOCAL for space in self._spaces(facts)], np.bool_)
        if local.any():
            found[local[self._events.access_point]] = named.names.index(LOCAL)
        return found


class _Regions:
    """Regions by number: those of the layout in order of their addresses, then what has none."""

    def __init__(self, facts: AccessFacts) -> None:
        own = sorted((r for r in facts.layout.regions if r.size_bytes), key=lambda r: r.start)
        self.names = (*(r.name for r in own), LOCAL, ELSEWHERE)
        self._starts = np.array([r.start for r in own], np.int64)
        self._ends = np.array([r.start + r.size_bytes for r in own], np.int64)

    def of(self, addresses: Numbers) -> Numbers:
        """Give the number of the region that each address lies in."""
        elsewhere = len(self.names) - 1
        if not self._starts.size:
            return np.full(len(addresses), elsewhere, np.int64)
        last = np.searchsorted(self._starts, addresses, "right") - 1
        inside = (last >= 0) & (addresses < self._ends[last])
        return np.where(inside, last, elsewhere).astype(np.int64)


def _visits(
    block: NDArray[np.int32], slots: Numbers, first: Numbers, wanted: NDArray[np.intp]
) -> tuple[Numbers, Numbers, NDArray[np.intp], Numbers]:
    """Number equal visits of events alike; ``wanted`` has the needs of an event from ``first`` on.

    Gives the visit of each event; for each visit its block, all needs, and where its own begin.
    """
    visit = np.zeros(len(block), np.int64)
    blocks: list[int] = []
    needed: list[NDArray[np.intp]] = []
    for number in np.unique(block):
        own = np.flatnonzero(block == number)
        rows = wanted[first[own][:, None] + np.arange(slots[number])]
        kinds, kind = _unique_rows(rows)
        visit[own] = kind + len(blocks)
        blocks += [int(number)] * len(kinds)
        needed += list(kinds)
    lengths = slots[blocks] if blocks else np.zeros(0, np.int64)
    flat = np.concatenate(needed) if needed else np.zeros(0, np.intp)
    return visit, np.array(blocks, np.int64), flat, np.cumsum(lengths) - lengths


def _unique_rows(rows: NDArray[np.intp]) -> tuple[NDArray[np.intp], Numbers]:
    """Give the distinct rows, and which of them each row is."""
    if not rows.shape[1]:
        return rows[:1], np.zeros(len(rows), np.int64)
    kinds, kind = np.unique(rows, axis=0, return_inverse=True)
    return kinds, kind.ravel()
