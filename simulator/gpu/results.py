"""The result of a simulation that has ended, read off its state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.pointers import words_in
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.simulator.assembler.costs import UnmodelledClass
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.code import EngineCode
from warpmill.simulator.gpu.instruction_result import InstructionResult
from warpmill.simulator.gpu.records import LAUNCH, SPAN
from warpmill.simulator.gpu.result import (
    MEMORY_OF_LAUNCHES,
    SIMPLIFICATIONS,
    SimResult,
    throughputs,
)
from warpmill.simulator.gpu.result_parts import (
    Ctas,
    DramResult,
    LaunchResult,
    OperationsResult,
    SamplingUnits,
    SimulatedCache,
    SmResult,
    Spans,
    Timeline,
    Totals,
    UnitResult,
    alone,
    cta_units,
    resident,
    tail_of,
)
from warpmill.simulator.gpu.simulate import Simulation, shared_bytes_of
from warpmill.simulator.gpu.spec import Spec
from warpmill.simulator.gpu.state import Records, as_numbers, issued_by, total
from warpmill.simulator.machine_limits import (
    KINDS,
    operations_of,
    simulation_violations,
    told,
    told_unknown_sizes,
)
from warpmill.simulator.resources import PIPES, SERVERS, SIMULATED_STATES

Numbers = npt.NDArray[np.int64]


def result_of(simulation: Simulation) -> SimResult:
    """The result of a simulation that has come to its end."""
    reader = _Reader(simulation)
    ctas = reader.ctas()
    totals = reader.totals()
    launches = reader.launches(ctas, totals)
    begin = min((x.begin_cycle for x in launches), default=0)
    end = max((x.end_cycle for x in launches), default=0)
    cycles = end - begin + sum(x.cycles - (x.end_cycle - x.begin_cycle) for x in launches)
    mhz = float(simulation.machine.number("clock.sm_mhz"))
    sms = reader.per_sm(end - begin)
    instructions = reader.instructions()
    counts = total(reader.sm_counts)
    slices = total(reader.slice_counts)
    occupied = int(counts["warp_cycles"])
    slots = (
        max(1, sum(1 for sm in sms if sm.ctas))
        * reader.number("warps_per_sm")
        * max(1, end - begin)
    )
    stalls = np.array([x.stalls for x in instructions] or [(0,) * len(SIMULATED_STATES)]).sum(
        axis=0
    )
    sources = [simulation.source(n) for n in range(len(simulation.works))]
    machine = simulation.machine
    made = SimResult(
        machine=machine.name,
        machine_name=machine.text("machine.name"),
        clock_mhz=mhz,
        clock_assumed=machine["clock.sm_mhz"].assumed,
        sms_assumed=machine["sm.count"].assumed,
        issues_as_traced=machine.text("front_end.isa") == "ptx",
        sms=reader.number("sm_count"),
        launches=launches,
        kernels=simulation.kernel_names,
        cycles=float(cycles),
        warp_instructions=int(counts["warp_instructions"]),
        thread_instructions=int(counts["thread_instructions"]),
        instructions=instructions,
        per_sm=sms,
        achieved_occupancy_fraction=occupied / slots,
        warp_slots_per_sm=machine.integer("sm.max_warps"),
        issue_slots=reader.number("schedulers_per_sm") * reader.number("sm_count") * (end - begin),
        issue_slots_used=int(counts["issue_cycles"]),
        stalls=tuple(stalls.tolist()),
        caches=reader.caches(counts, slices),
        l2_reads=int(slices["reads"]),
        l2_writes=int(slices["writes"]),
        l2_atomics=int(slices["atomics"]),
        l2_write_backs=int(slices["write_backs"]),
        dram=reader.dram(end - begin),
        read_sectors=int(counts["read_sectors"]),
        write_sectors=int(counts["write_sectors"]),
        atomic_sectors=int(counts["atomic_sectors"]),
        sector_bytes=reader.number("sector_bytes"),
        shared_requests=int(counts["shared_accesses"]),
        shared_wavefronts=int(counts["shared_wavefronts"]),
        bank_conflicts=int(counts["bank_conflicts"]),
        packets_to_l2=int(counts["packets_out"]),
        packets_from_l2=int(counts["packets_in"]),
        tail=tail_of(ctas, sms, begin, end, reader.number("sm_count")),
        timeline=reader.timeline(ctas, end),
        cta_units=cta_units(ctas),
        instruction_units=reader.instruction_units(),
        ctas=ctas,
        spans=reader.spans(),
        events=reader.events(counts, slices),
        sampled=any(x.sampled for x in launches),
        assumptions=(
            *dict.fromkeys((*(a.text for s in sources for a in s.assumptions), *reader.unsized())),
            *_of_memory(launches),
        ),
        unknown_accesses=simulation.unknown_accesses,
        unmodelled=reader.unmodelled(),
        simplifications=SIMPLIFICATIONS,
        assumed_values=simulation.assumed_values,
        totals=totals,
        units=units(simulation.code, reader.rows, simulation.spec, end - begin),
        operations=operations(
            simulation.kernels,
            simulation.code.places,
            reader.predicated_on(),
            reader.number("warp_size"),
        ),
    )
    return replace(
        made,
        throughputs=throughputs(made, machine),
        beyond_machine=told(simulation_violations(made, machine)),
    )


def _of_memory(launches: Sequence[LaunchResult]) -> tuple[str, ...]:
    """Assumptions about what several launches find in caches."""
    shared = len(launches) > 1 and any(one.trace == "static" for one in launches)
    return (MEMORY_OF_LAUNCHES,) if shared else ()


class _Reader:
    def __init__(self, simulation: Simulation) -> None:
        self.simulation, self.state = simulation, simulation.state
        state = self.state
        self.sm_counts = state.table("sm")["counts"]
        self.slice_counts = state.table("slice")["counts"]
        self.rows = state.table("instruction_counts")

    def number(self, name: str) -> int:
        return self.state.number(name)

    def launches(self, ctas: Ctas, totals: Sequence[Totals]) -> tuple[LaunchResult, ...]:
        simulation, found = self.simulation, []
        mhz = float(simulation.machine.number("clock.sm_mhz"))
        own_counts = alone(totals, len(simulation.works))
        in_a_row = len({work.stream for work in simulation.works}) == 1
        table = self.state.table("launch")
        for number, (work, row) in enumerate(zip(simulation.works, table, strict=True)):
            own = ctas.launch == number
            begin, end = int(row["begin"]), int(row["end"])
            simulated, whole = simulation.simulated[number], work.launch.cta_count
            cycles = float(end - begin)
            if simulated < whole:
                fit = simulation.occupancies[number]
                a_round = fit.ctas_per_sm * self.number("sm_count")
                begins, ends = (
                    np.sort(times[own]) - begin for times in (ctas.begin_cycle, ctas.end_cycle)
                )
                each = None
                if in_a_row:
                    issued = int(ctas.warp_instructions[own].sum())
                    each = self._steady_round(begin, ends, a_round, issued * a_round / simulated)
                cycles = _continued(begins, ends, a_round, whole, each)
            source, place = simulation.source(number), work.launch.place
            found.append(
                LaunchResult(
                    number=number,
                    name=work.launch.name,
                    kernel=work.facts.kernel.name,
                    stream=work.stream,
                    grid=work.launch.grid,
                    block=work.launch.block,
                    ctas=whole,
                    ctas_simulated=simulated,
                    begin_cycle=begin,
                    end_cycle=end,
                    cycles=cycles,
                    time_us=cycles / mhz,
                    warp_instructions=int(ctas.warp_instructions[own].sum()),
                    registers=simulation.registers(number),
                    shared_bytes=shared_bytes_of(work),
                    occupancy=simulation.occupancies[number],
                    trace=source.kind,
                    trace_reason=source.reason,
                    alone=own_counts[number],
                    place=None if place is None else place.number,
                )
            )
        return tuple(found)

    def _steady_round(self, begin: int, ends: Numbers, a_round: int, issued: float) -> float | None:
        """The cycles that so many instructions take while SMs are full, if that can be told.

        Of several rounds it is what they take from the middle of one's instructions to that of the
        last one's: of the second one's, as caches fill in the first, or where there are two of the
        first one's. One has the rate from half of the time until its first CTAs end to then; few
        that end long before others do not count.

        None where CTAs do the same at the same time: they end together, or nearly so while the
        quarters of time before the first ones end differ. A middle may lie in any of their phases
        then, and the time between the ends of rounds says more.
        """
        width = self.number("bin_cycles")
        counts = self.state.table("bin")["instructions"]
        done = np.concatenate([[0], np.cumsum(counts)])
        bins, rounds, few = np.arange(len(done)), len(ends) // a_round, int(_FEW * a_round)
        own = ends[:a_round]
        first, middle = float(own[few]), float(own[len(own) // 2])
        apart = float(own[-1 - few] - own[few]) / middle
        times = np.array([0.0, first / 2, 3 * first / 4, first])
        before, half, later, full = np.interp(begin + times, bins * width, done)
        quarters = sorted((later - half, full - later))
        is_even = bool(quarters[0] >= _EVEN * quarters[1])
        if rounds < _ENDS:
            return issued / float(full - half) * first / 2 if is_even and full > half else None
        if apart < (_TOGETHER if is_even else _FAR):
            return None
        from_, to = (0.5 if rounds == _ENDS else 1.5), rounds - 0.5
        one, other = np.interp(before + np.array([from_, to]) * issued, done, bins) * width
        return float(other - one) / (to - from_)

    def predicated_on(self) -> Numbers:
        """Thread instructions of each row whose predicate holds: as many of the lanes as in traces.

        Traces tell it of all CTAs that were read; those of a simulation that ends early, or passes
        over some, are taken to be like them.
        """
        counts, lanes = self.simulation.lanes, self.rows["lanes"]
        share = counts.on / np.maximum(counts.issued, 1)
        found: Numbers = np.rint(lanes * np.where(counts.issued > 0, share, 1.0)).astype(np.int64)
        return found

    def instructions(self) -> tuple[InstructionResult, ...]:
        histogram = self.state.table("instruction_counts")["latency_bins"]
        found, on = [], self.predicated_on().tolist()
        for row in np.flatnonzero(self.rows["issues"]).tolist():
            kernel, (block, instruction), spill = self.simulation.owner(row)
            counts = as_numbers(self.rows[row])
            found.append(
                InstructionResult(
                    kernel=kernel,
                    block=block,
                    instruction=instruction,
                    warp_instructions=counts["issues"],
                    thread_instructions=counts["lanes"],
                    predicated_on=on[row],
                    stalls=tuple(self.rows["stalls"][row].tolist()),
                    sectors=counts["sectors"],
                    l1_hits=counts["l1_hits"],
                    wavefronts=counts["wavefronts"],
                    completed=counts["completed"],
                    latency_cycles=counts["latency_cycles"],
                    latency_bins=tuple(histogram[row].tolist()),
                    spill=spill,
                )
            )
        return tuple(found)

    def per_sm(self, simulated_cycles: int) -> tuple[SmResult, ...]:
        records = self.state.table("sm")
        return tuple(
            SmResult(
                sm=number,
                ctas=int(counts["ctas"]),
                warp_instructions=int(counts["warp_instructions"]),
                thread_instructions=int(counts["thread_instructions"]),
                issue_cycles=int(counts["issue_cycles"]),
                warp_cycles=int(counts["warp_cycles"]),
                end_cycle=int(record["end"]),
                simulated_cycles=simulated_cycles,
            )
            for number, (counts, record) in enumerate(zip(self.sm_counts, records, strict=True))
        )

    def caches(self, sm: Any, l2: Any) -> tuple[SimulatedCache, ...]:
        size = self.number("sector_bytes")

        def one(
            level: str, accesses: int, misses: int, sector_bytes: int | None = None
        ) -> SimulatedCache:
            hits = accesses - misses
            return SimulatedCache(level, accesses, hits, 0, misses, 0, 0, sector_bytes)

        own = as_numbers(sm)
        found = [
            SimulatedCache(
                "l1", own["l1_accesses"], own["l1_hits"], own["l1_pending"],
                own["l1_misses"], own["write_accesses"], own["write_hits"],
                size * self.number("l1_fill"),
            ),
            one("const", own["const_accesses"], own["const_misses"]),
            one("tex", own["tex_accesses"], own["tex_misses"], size),
            one("icache", own["fetch_accesses"], own["fetch_misses"]),
        ]  # fmt: skip
        if self.number("has_l2"):
            of = as_numbers(l2)
            stored, new = of["writes"], of["allocated"]
            found.append(
                SimulatedCache(
                    "l2", of["accesses"], of["hits"] + new, of["pending"],
                    of["misses"], stored, stored - new, size,
                )
            )  # fmt: skip
        return tuple(found)

    def totals(self) -> tuple[Totals, ...]:
        """Totals at the end of each launch, as far as they end one by one."""
        return tuple(
            Totals(
                launches=one.launches,
                warp_instructions=int(one.sms["warp_instructions"]),
                thread_instructions=int(one.sms["thread_instructions"]),
                warp_cycles=int(one.sms["warp_cycles"]),
                caches=self.caches(one.sms, one.slices),
                dram_reads=int(one.channels["reads"]),
                dram_writes=int(one.channels["writes"]),
            )
            for one in self.simulation.counts
        )

    def dram(self, cycles: int) -> DramResult:
        channels = self.number("channel_count")
        each = self.state.table("channel")["counts"]
        counts = as_numbers(total(each))
        number = counts["reads"] + counts["writes"]
        return DramResult(
            reads=counts["reads"],
            writes=counts["writes"],
            row_hits=counts["row_hits"],
            row_misses=counts["row_misses"],
            busy_fraction=counts["busy_ticks"] / (c.TICKS * channels * max(1, cycles)),
            mean_wait_cycles=counts["wait_ticks"] / c.TICKS / number if number else None,
        )

    def ctas(self) -> Ctas:
        log = self.state.table("cta_log")
        there = np.flatnonzero(log["launch"])  # the others were skipped
        log = log[there]
        launch = (log["launch"] - self.state.place("launch")) // words_in(LAUNCH)
        begins = np.cumsum([0, *self.simulation.simulated])
        cycles, issued = issued_by(self.state)
        before, after = (
            np.rint(np.interp(log[at], cycles, issued)).astype(np.int64) for at in ("begin", "end")
        )
        return Ctas(
            launch=launch,
            number=there - begins[launch],
            sm=log["sm"].copy(),
            begin_cycle=log["begin"].copy(),
            end_cycle=log["end"].copy(),
            warp_instructions=log["issued"].copy(),
            issued_before=before,
            issued_after=after,
        )

    def timeline(self, ctas: Ctas, end: int) -> Timeline:
        width = self.number("bin_cycles")
        bins = end // width + 1
        counts = self.state.table("bin")[:bins]
        warps = np.array([o.warps_per_cta for o in self.simulation.occupancies], np.int64)
        each = np.ones(len(ctas.launch), np.int64)
        return Timeline(
            bin_cycles=width,
            warp_instructions=counts["instructions"].copy(),
            l1_sectors=counts["l1_accesses"].copy(),
            l2_sectors=counts["l2_accesses"].copy(),
            dram_sectors=counts["dram_sectors"].copy(),
            resident_warps=resident(ctas, warps[ctas.launch], bins, width),
            resident_ctas=resident(ctas, each, bins, width),
        )

    def instruction_units(self) -> SamplingUnits:
        """Cut time into units of as many warp instructions each as the options say."""
        size = self.simulation.options.unit_instructions
        every = int(self.sm_counts["warp_instructions"].sum())
        cycles, issued = issued_by(self.state)
        wanted = np.arange(0, every + 1, size)[: 1 << 16]
        at = np.interp(wanted, issued, cycles) if len(wanted) > 1 else np.zeros(1)
        edges = tuple(map(round, at.tolist()))
        return SamplingUnits(edges[:-1], edges[1:], (size,) * (len(edges) - 1))

    def spans(self) -> Spans:
        kept, room = self.number("spans"), self.number("most_spans")
        table = self.state.table("span")[:kept].copy()
        begins = np.cumsum([0, *self.simulation.simulated])
        launch = np.searchsorted(begins, table["cta"], side="right") - 1
        table["cta"] -= begins[launch]
        warps = sum(
            n * o.warps_per_cta
            for n, o in zip(self.simulation.simulated, self.simulation.occupancies, strict=True)
        )
        sm, slot, cta, begin, end = (table[name].copy() for name in SPAN.names or ())
        return Spans(sm, slot, cta, begin, end, launch, complete=room >= warps)

    def events(self, sm: Any, l2: Any) -> dict[str, int]:
        """Counts of what costs energy: instructions by pipe, and accesses of each memory."""
        found: Counter[str] = Counter()
        code = self.simulation.code
        table = code.rows
        kinds = {c.KIND_MEMORY: "memory", c.KIND_BRANCH: "cbu", c.KIND_BARRIER: "adu"}
        for row in np.flatnonzero(self.rows["issues"]).tolist():
            pipe, kind = int(table["pipe"][row]), int(table["kind"][row])
            name = kinds.get(kind) or (code.pipes[pipe] if pipe >= 0 else "other")
            found[f"{name}_warp_instructions"] += int(self.rows["issues"][row])
            found[f"{name}_thread_instructions"] += int(self.rows["lanes"][row])
        operands = self.rows["issues"] * table["need_count"]
        found["register_operands"] = int(operands.sum())
        found["l1_accesses"] = int(sm["l1_accesses"])
        found["shared_wavefronts"] = int(sm["shared_wavefronts"])
        found["const_accesses"] = int(sm["const_accesses"])
        found["fetched_lines"] = int(sm["fetch_accesses"])
        found["network_packets"] = int(sm["packets_out"] + sm["packets_in"])
        found["l2_accesses"] = int(l2["accesses"])
        dram = self.state.table("channel")["counts"]
        found["dram_reads"] = int(dram["reads"].sum())
        found["dram_writes"] = int(dram["writes"].sum())
        found["dram_activates"] = int(dram["row_misses"].sum())
        return dict(sorted(found.items()))

    def unsized(self) -> Iterator[str]:
        """Notes on each kernel's accesses of unknown size."""
        for facts, rows in self.simulation.rows_by_kernel():

            def is_issued(block: int, i: int, rows: Mapping[tuple[int, int], int] = rows) -> bool:
                return bool(self.rows["issues"][rows[block, i]])

            yield from told_unknown_sizes(facts.kernel, facts.known_accesses, is_issued)

    def unmodelled(self) -> tuple[UnmodelledClass, ...]:
        found: Counter[str] = Counter()
        for row, name in self.simulation.code.unmodelled.items():
            if self.rows["issues"][row]:
                found[name] += int(self.rows["issues"][row])
        return tuple(UnmodelledClass(name, count) for name, count in sorted(found.items()))


_ENDS = 2
"""Rounds that are not like those between: the first, and the last."""

_FEW = 0.05
"""The share of a round's CTAs without which an SM is as good as full."""

_EVEN = 0.9
"""How much less may be issued in a quarter of the time of the first CTA than in the next one."""

_TOGETHER, _FAR = 0.2, 0.5
"""How far apart CTAs of a round end that do the same at the same time, at the most, and that go
their own ways, at the least: over the time until the middle one ends."""


def _continued(
    begins: Numbers, ends: Numbers, a_round: int, whole: int, steady: float | None
) -> float:
    """Continue the time of whole rounds: by what one takes while others come before and after it.

    That is what its instructions take at a ``steady`` rate. Where there is none, it is from three
    rounds on the time between the beginnings of CTAs a round apart, of two what the second took
    after as many CTAs as the first has had ended, and of one all of it.
    """
    rounds, last = max(1, len(ends) // a_round), float(ends[-1])
    if steady is not None:
        each = steady if rounds > 1 else min(steady, last)
    elif rounds > _ENDS:
        each = float(begins[a_round * (rounds - 1)] - begins[a_round]) / (rounds - _ENDS)
    else:
        each = last - float(ends[a_round - 1]) if rounds == _ENDS else last
    return last + each * (whole - len(ends)) / a_round


# What units of the whole GPU did: how long pipes were held, operations by kind.


def units(code: EngineCode, rows: Records, spec: Spec, cycles: int) -> tuple[UnitResult, ...]:
    """How long instructions held each pipe, and loads the load-store unit.

    ``rows`` are the counts of each row of the code. Two pipes that do the same for some
    instructions stand together too: which one each took is not counted.
    """
    table = code.rows
    held: Counter[tuple[str, ...]] = Counter()
    longest: dict[tuple[str, ...], int] = {}
    for row in np.flatnonzero(rows["issues"]).tolist():
        own, ticks = table[row], int(table["pipe_ticks"][row])
        pipes, times = _pipes(own, code.pipes), int(rows["issues"][row])
        if own["kind"] == c.KIND_MEMORY and own["space"] in _OF_LSU:
            pipes, times = (_LSU,), int(rows["completed"][row])
            ticks = spec.lsu_ticks
        if pipes and ticks:
            held[pipes] += times * ticks
            longest[pipes] = max(longest.get(pipes, 0), ticks)
    return tuple(
        _unit(pipes, held, longest, spec, cycles)
        for pipes in sorted(held, key=lambda p: (len(p), p))
    )


_OF_LSU = (c.SPACE_SHARED, c.SPACE_LOCAL, c.SPACE_GLOBAL)
_OF_SM = " of the SM"
_LSU = SERVERS["lsu"]


def _pipes(row: Any, names: Sequence[str]) -> tuple[str, ...]:
    """The pipes that take an instruction: none, one, or either of two."""
    found = [names[pipe] for pipe in (row["pipe"], row["alternate_pipe"]) if pipe >= 0]
    if row["shared_pipe"] != 0:
        return (f"{PIPES[found[0]]}{_OF_SM}",)
    return tuple(sorted(PIPES[name] for name in found))


def _unit(
    pipes: tuple[str, ...],
    held: Counter[tuple[str, ...]],
    longest: dict[tuple[str, ...], int],
    spec: Spec,
    cycles: int,
) -> UnitResult:
    """Activity of some pipes, or of one, as far as it is known to be theirs alone."""
    whole = pipes[0].endswith(_OF_SM) or pipes[0] == _LSU
    number = spec.sm_count * (1 if whole else spec.subpartitions_per_sm) * len(pipes)
    own = [each for each in held if set(each) <= set(pipes)]
    last = max(longest[each] for each in own) * _waiting(spec, whole)
    time = max(1, cycles) * c.TICKS
    return UnitResult(
        " or ".join(pipes), sum(held[each] for each in own) / number / time, last / time
    )


def _waiting(spec: Spec, whole: bool) -> int:
    """Instructions that a unit may have taken and not ended when the last warp ends."""
    if spec.busy_pipes_stall:
        return spec.subpartitions_per_sm + 1 if whole else 1
    each = spec.collectors_per_scheduler * spec.schedulers_per_sm
    return each if whole else -(-each // spec.subpartitions_per_sm)


def operations(
    kernels: Sequence[Kernel],
    places: Sequence[tuple[int, int, int]],
    lanes: Numbers,
    warp_size: int,
) -> tuple[OperationsResult, ...]:
    """Floating-point operations by kind (``KINDS``) of the ``lanes`` that execute each row."""
    found = dict.fromkeys(KINDS, 0.0)
    most = dict.fromkeys(KINDS, 0.0)
    for row in np.flatnonzero(lanes).tolist():
        kernel, block, instruction = places[row]
        operation = kernels[kernel].blocks[block].instructions[instruction].operation
        kind, each = operations_of(operation, warp_size)
        found[kind] += each * int(lanes[row])
        most[kind] = max(most[kind], each * warp_size)
    return tuple(OperationsResult(kind, found[kind], most[kind]) for kind in KINDS if found[kind])
