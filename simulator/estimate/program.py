"""Traces as arrays for the pipeline, and what their memory accesses cost on a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analyzer.ir.kernel import Kernel
from analyzer.ir.types import OpClass, Space
from analyzer.trace.counts import Count
from analyzer.trace.model import Access, Node, Repeat, Visit, WarpTrace
from simulator.estimate.kernel_code import KernelCode
from simulator.estimate.pipeline import END, GROWING, LOOP, MAX_DEPTH, VISIT, Traces
from simulator.estimate.result import Traffic
from simulator.estimate.traffic import Class, Classes, Place, region_of
from simulator.machines.model import Machine

Row = tuple[float, float, float, float, float]
"""Cycles that an access holds each server, and its latency."""

_NOTHING: Row = (0.0, 0.0, 0.0, 0.0, 0.0)


class Need(NamedTuple):
    """What one execution of an access asks of the machine: bank passes, or sectors of a region.

    ``space`` None: nothing, of an access that did not take place.
    """

    space: Space | None
    op_class: OpClass | None
    amount: float
    region: str


NO_NEED = Need(None, None, 0.0, "")

NO_COSTS = np.array([_NOTHING], dtype=np.float64)
"""Costs of traces that have none yet."""


@dataclass(frozen=True)
class MemoryCosts:
    """What needs cost on a machine, given how much of each region hits in L2.

    ``active_sms`` share L2 and DRAM.
    """

    machine: Machine
    sector_bytes: int
    traffic: Mapping[str, Traffic]
    active_sms: int

    def row(self, need: Need) -> Row:
        """Give the cost of one execution."""
        if need.space is None:
            return _NOTHING
        if need.space is Space.SHARED:
            return self._shared(need.op_class, need.amount)
        if need.space is Space.CONST:
            return (0.0, 0.0, 0.0, 0.0, self._number("const.l1_latency"))
        return self._off_chip(need)

    def _number(self, key: str) -> float:
        return float(self.machine.number(key))

    def _shared(self, op_class: OpClass | None, passes: float) -> Row:
        held = passes / self._number("shared.ports")
        stores = op_class is OpClass.STORE
        key = "shared_store" if stores else "shared_atomic" if op_class is OpClass.ATOMIC else None
        latency = self._number(f"latency.{key or 'shared_load'}")
        return (0.0, 0.0, 0.0, held, latency)

    def _off_chip(self, need: Need) -> Row:
        op_class, known = need.op_class, self.traffic.get(need.region)
        hits = 0.0 if known is None else known.l2_hit_fraction
        moved = need.amount * self.sector_bytes
        l2 = max(
            moved * self.active_sms / self._number("l2.bytes_per_clk"),
            moved / self._number("icnt.bytes_per_clk_per_sm"),
        )
        dram = moved * (1.0 - hits) * self.active_sms / self._dram_bytes_per_cycle()
        latency = hits * self._number("l2.latency") + (1.0 - hits) * self._number("dram.latency")
        if op_class is OpClass.ATOMIC:
            latency = max(latency, self._number("latency.global_atomic"))
        l1 = moved / self._number("l1.bytes_per_clk") if op_class is OpClass.LOAD else 0.0
        return (l1, l2, dram, 0.0, latency)

    def _dram_bytes_per_cycle(self) -> float:
        return self._number("dram.measured_gbs") * 1e3 / self._number("clock.sm_mhz")


@dataclass(frozen=True)
class Template:
    """Traces without their costs. ``needed`` has a number among ``needs`` for each row of costs."""

    traces: Traces
    needs: tuple[Need, ...]
    needed: NDArray[np.intp]

    def on(self, costs: MemoryCosts) -> Traces:
        """Give the traces with the costs on a machine."""
        rows = np.array([*map(costs.row, self.needs), _NOTHING], dtype=np.float64)
        return self.traces._replace(cost=rows[self.needed] if self.needed.size else rows[-1:])


@dataclass
class TraceCompiler:
    """Turns warp traces into programs; equal visits and equal programs are stored once."""

    code: KernelCode
    kernel: Kernel
    classes: Classes
    _visits: dict[tuple[int, tuple[Need, ...]], int] = field(default_factory=dict)
    _programs: dict[tuple[int, ...], int] = field(default_factory=dict)
    _words: list[int] = field(default_factory=list)
    _growing: dict[tuple[int, int, tuple[int, ...]], int] = field(default_factory=dict)

    def compile(self, ctas: Sequence[tuple[WarpTrace, ...]], factor: float = 1.0) -> Template:
        """Lay out the traces of a round; ``factor`` below 1 cuts the outermost loops short."""
        starts, owners = [], []
        known: dict[Class, int] = {}
        for number, warps in enumerate(ctas):
            for warp in warps:
                key = self.classes.of(warp)
                if key not in known:
                    words: list[int] = []
                    self._emit(_Emission(warp.bases, words, factor), warp.nodes, ())
                    known[key] = self._stored((*words, END, -1))
                starts.append(known[key])
                owners.append(number)
        blocks: list[int] = []
        firsts: list[int] = []
        needs: dict[Need, int] = {}
        needed: list[int] = []
        for block, own in self._visits:
            blocks.append(block)
            firsts.append(len(needed))
            needed += [needs.setdefault(need, len(needs)) for need in own]
        growing = np.zeros((max(1, len(self._growing)), MAX_DEPTH + 2), dtype=np.int64)
        for row, (first, end, strides) in enumerate(self._growing):
            growing[row, : 2 + len(strides)] = (first, end, *strides)
        traces = Traces(
            np.array(self._words, dtype=np.int32),
            np.array(starts, dtype=np.int32),
            np.array(owners, dtype=np.int32),
            np.array(blocks, dtype=np.int32),
            np.array(firsts, dtype=np.int32),
            NO_COSTS,
            growing,
        )
        return Template(traces, tuple(needs), np.array(needed, np.intp))

    def _stored(self, words: tuple[int, ...]) -> int:
        if words not in self._programs:
            self._programs[words] = len(self._words) // 2
            self._words += words
        return self._programs[words]

    def _emit(
        self, to: _Emission, nodes: tuple[Node, ...], counts: tuple[Count, ...], step: int = 1
    ) -> None:
        for node in nodes:
            if isinstance(node, Visit):
                to.words.extend((VISIT, self._visit(node, to.bases, counts)))
            else:
                self._repeat(to, node, counts, step)

    def _repeat(self, to: _Emission, node: Repeat, counts: tuple[Count, ...], step: int) -> None:
        """Lay out a repetition; ``step`` iterations of the outermost one are run as one."""
        assert len(counts) < MAX_DEPTH
        count, strides = node.count, node.count_strides
        if not counts and _decides(node, 0):
            step = max(1, round(1 / to.factor))
            count = -(-node.count // step)
        elif not counts:
            count = max(1, round(node.count * to.factor))
        begin = len(to.words)
        to.words.extend((LOOP, count))
        self._emit(to, node.body, (*counts, node.counted), step)
        end = len(to.words) // 2 + 1
        if any(strides):
            row = (count, end, (strides[0] * step, *strides[1:]))
            to.words[begin : begin + 2] = (
                GROWING,
                self._growing.setdefault(row, len(self._growing)),
            )
        to.words.extend((END, begin // 2 + 1))

    def _visit(self, visit: Visit, bases: Sequence[int], counts: tuple[Count, ...]) -> int:
        slots = self.code.memory_slots[visit.block]
        needs = [NO_NEED] * len(slots)
        for access in visit.accesses:
            place = (visit.block, access.instruction)
            if access.instruction in slots:
                needs[slots[access.instruction]] = self._need(place, access, bases, counts)
        return self._visits.setdefault((visit.block, tuple(needs)), len(self._visits))

    def _need(
        self, place: Place, access: Access, bases: Sequence[int], counts: tuple[Count, ...]
    ) -> Need:
        """Say what an access needs in the mean of its executions over the Repeats around it."""
        facts = self.classes.facts
        op_class = self.kernel.blocks[place[0]].instructions[place[1]].operation.op_class
        space = facts.spaces.get(place, Space.GENERIC)
        if space is Space.CONST:
            return Need(space, op_class, 0.0, "")
        total = facts.totals(place, access, bases, facts.widths.get(place, 0), counts)
        if space is Space.SHARED:
            passes = total.lanes if total.bank_passes is None else total.bank_passes
            return Need(space, op_class, passes / total.executions, "")
        sectors = total.lanes if total.sectors is None else total.sectors
        region = region_of(place, access, bases, facts)
        return Need(space, op_class, sectors / total.executions, region)


@dataclass(frozen=True, slots=True)
class _Emission:
    """A warp's program in the making."""

    bases: Sequence[int]
    words: list[int]
    factor: float


def _decides(node: Repeat, level: int) -> bool:
    """Whether the count of a repetition inside depends on the iterations of ``level``."""
    return any(
        (n.count_strides and n.count_strides[level]) or _decides(n, level)
        for n in node.body
        if isinstance(n, Repeat)
    )
