"""A small result of a simulation, made by hand: two SMs, three launches on two streams.

Every number follows from the tables below, so that parts of the result agree with one another:
CTAs have two warps, and an SM has room for two CTAs.
"""

from dataclasses import replace

import numpy as np

from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.gpu.instruction_result import InstructionResult
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.result_parts import (
    Ctas,
    DramResult,
    LaunchResult,
    SamplingUnits,
    SimulatedCache,
    SmResult,
    Spans,
    Tail,
    Timeline,
)
from warpmill.simulator.machines.model import AssumedValue
from warpmill.simulator.occupancy import Occupancy
from warpmill.simulator.resources import SIMULATED_STATES

BIN_CYCLES = 64
CLOCK_MHZ = 800.0  # a cycle is 1.25 ns
WARPS = 2  # of a CTA

# launch, CTA, SM, first slot, begin, end; the launches begin at 0, 0 and 301
LIVES = (
    (0, 0, 0, 0, 0, 150),
    (1, 0, 1, 0, 0, 190),
    (0, 1, 1, 2, 2, 140),
    (0, 2, 1, 2, 141, 299),
    (0, 3, 0, 0, 150, 300),
    (2, 0, 0, 0, 301, 400),
    (2, 1, 1, 0, 301, 418),
)
NAMES = ("_Z5scalePfif", "sum", "_Z5scalePfif")
STREAMS = (0, 7, 0)
PER_WARP = (10, 25, 12)
"""Warp instructions of a warp of each launch."""

# kernel, block, instruction, cycles of warps by reason; issues and loads are counted below
STALLS = (
    (0, 0, 0, {"selected": 12, "no_instruction": 12}),
    (0, 1, 0, {"selected": 116, "wait": 200, "long_scoreboard": 1541}),
    (1, 0, 0, {"selected": 50, "short_scoreboard": 70, "not_selected": 3}),
)
LOAD = (0, 1, 0)
"""The instruction that loads: each issue 4 sectors, of which the half hit in L1."""


def small_result(**changes):
    """The result; ``changes`` are fields to have another value."""
    ctas = _ctas()
    instructions = tuple(_instruction(*row) for row in STALLS)
    issued = sum(one.warp_instructions for one in instructions)
    result = SimResult(
        machine="two_sms",
        machine_name="Two SMs",
        clock_mhz=CLOCK_MHZ,
        sms=2,
        launches=_launches(ctas),
        kernels=NAMES[:2],
        cycles=418.0,
        warp_instructions=issued,
        thread_instructions=32 * issued,
        instructions=instructions,
        per_sm=tuple(_sm(ctas, number) for number in range(2)),
        achieved_occupancy_fraction=_warp_cycles(ctas) / (2 * 4 * 418),
        warp_slots_per_sm=4,
        issue_slots=2 * 418,
        issue_slots_used=issued,
        stalls=tuple(
            sum(one.stalls[k] for one in instructions) for k in range(len(SIMULATED_STATES))
        ),
        caches=(
            SimulatedCache("l1", 464, 232, 32, 200, 0, 0, 32),
            SimulatedCache("const", 0, 0, 0, 0, 0, 0),
            SimulatedCache("tex", 0, 0, 0, 0, 0, 0, 32),
            SimulatedCache("icache", 0, 0, 0, 0, 0, 0),
            SimulatedCache("l2", 200, 40, 0, 160, 0, 0, 32),
        ),
        l2_reads=200,
        l2_writes=0,
        l2_atomics=0,
        l2_write_backs=0,
        dram=DramResult(160, 0, 120, 40, 160 / 418, 55.0),  # at most a sector a cycle
        read_sectors=464,
        write_sectors=0,
        atomic_sectors=0,
        sector_bytes=32,
        shared_requests=0,
        shared_wavefronts=0,
        bank_conflicts=0,
        packets_to_l2=200,
        packets_from_l2=200,
        tail=Tail(400, 18, 409.0),
        timeline=_timeline(ctas),
        cta_units=SamplingUnits((0, 150), (150, 300), (20, 20)),
        instruction_units=SamplingUnits((0,), (190,), (100,)),
        ctas=ctas,
        spans=_spans(),
        events={"alu_warp_instructions": 62, "memory_warp_instructions": 116, "l1_accesses": 464},
        sampled=False,
        assumptions=("n is 64",),
        unknown_accesses=0,
        unmodelled=(),
        simplifications=("launch overhead is not part of the time",),
        assumed_values=(
            AssumedValue("l1.mshr_entries", 64, "entries", "stated", "two", "a guess"),
        ),
    )
    return replace(result, **changes)


def sampled_result():
    """A result of which one launch has twice the CTAs that were simulated."""
    result = small_result(sampled=True, cycles=718.0)
    first, *others = result.launches
    first = replace(first, grid=(8, 1, 1), ctas=8, cycles=600.0)
    return replace(result, launches=(first, *others))


def _column(place):
    return np.array([life[place] for life in LIVES], np.int64)


def _ctas():
    issued = [WARPS * PER_WARP[life[0]] for life in LIVES]
    begins, ends = _column(4), _column(5)
    before = [sum(n for n, end in zip(issued, ends, strict=True) if end <= b) for b in begins]
    after = [sum(n for n, end in zip(issued, ends, strict=True) if end <= e) for e in ends]
    return Ctas(
        launch=_column(0),
        number=_column(1),
        sm=_column(2),
        begin_cycle=begins,
        end_cycle=ends,
        warp_instructions=np.array(issued, np.int64),
        issued_before=np.array(before, np.int64),
        issued_after=np.array(after, np.int64),
    )


def _launches(ctas):
    limits = (("blocks", 8), ("warps", 2), ("registers", 64), ("shared_memory", None))
    fit = Occupancy(2, WARPS, 4, 1.0, limits, ("warps",), 0)
    found = []
    for number, name in enumerate(NAMES):
        own = ctas.launch == number
        begin, end = int(ctas.begin_cycle[own].min()), int(ctas.end_cycle[own].max())
        found.append(
            LaunchResult(
                number=number,
                name=f"launch {number}",
                kernel=name,
                stream=STREAMS[number],
                grid=(int(own.sum()), 1, 1),
                block=(64, 1, 1),
                ctas=int(own.sum()),
                ctas_simulated=int(own.sum()),
                begin_cycle=begin,
                end_cycle=end,
                cycles=float(end - begin),
                time_us=(end - begin) / CLOCK_MHZ,
                warp_instructions=int(ctas.warp_instructions[own].sum()),
                registers=RegisterCount(16, "--regs", False),
                shared_bytes=0,
                occupancy=fit,
                trace="static",
                trace_reason="the arguments decide every address",
            )
        )
    return tuple(found)


def _instruction(kernel, block, instruction, stalls):
    issues = stalls["selected"]
    loads = issues if (kernel, block, instruction) == LOAD else 0
    return InstructionResult(
        kernel=kernel,
        block=block,
        instruction=instruction,
        warp_instructions=issues,
        thread_instructions=32 * issues,
        predicated_on=32 * issues,
        stalls=tuple(stalls.get(reason, 0) for reason in SIMULATED_STATES),
        sectors=4 * loads,
        l1_hits=2 * loads,
        wavefronts=0,
        completed=issues,
        latency_cycles=(100 if loads else 6) * issues,
        latency_bins=tuple(issues if k == (12 if loads else 4) else 0 for k in range(48)),
    )


def _warp_cycles(ctas, sm=None):
    own = slice(None) if sm is None else ctas.sm == sm
    return WARPS * int((ctas.end_cycle - ctas.begin_cycle)[own].sum())


def _sm(ctas, number):
    own = ctas.sm == number
    issued = int(ctas.warp_instructions[own].sum())
    return SmResult(
        sm=number,
        ctas=int(own.sum()),
        warp_instructions=issued,
        thread_instructions=32 * issued,
        issue_cycles=issued,
        warp_cycles=_warp_cycles(ctas, number),
        end_cycle=int(ctas.end_cycle[own].max()),
        simulated_cycles=418,
    )


def _timeline(ctas):
    bins = -(-418 // BIN_CYCLES)
    lives = list(zip(ctas.begin_cycle.tolist(), ctas.end_cycle.tolist(), strict=True))
    inside = [[_overlap(life, k) for life in lives] for k in range(bins)]
    return Timeline(
        bin_cycles=BIN_CYCLES,
        warp_instructions=np.array([60, 30, 20, 10, 28, 26, 4]),
        l1_sectors=np.array([160, 100, 64, 0, 80, 60, 0]),
        l2_sectors=np.array([64, 48, 32, 8, 32, 16, 0]),
        dram_sectors=np.array([32, 32, 24, 8, 32, 30, 2]),
        resident_warps=WARPS * np.array(inside).sum(axis=1) / BIN_CYCLES,
        resident_ctas=np.array(inside).sum(axis=1) / BIN_CYCLES,
    )


def _overlap(life, k):
    """Count the cycles that a life has in bin ``k``."""
    return max(0, min(life[1], (k + 1) * BIN_CYCLES) - max(life[0], k * BIN_CYCLES))


def _spans():
    """Every warp lives as long as its CTA; they are in the order in which they ended."""
    rows = [
        (sm, slot + warp, cta, begin, end, launch)
        for launch, cta, sm, slot, begin, end in sorted(LIVES, key=lambda life: life[5])
        for warp in range(WARPS)
    ]
    return Spans(*np.array(rows, np.int64).T, complete=True)
