"""Parts of ``simulate``: its launches, one by one, and how full they keep the SMs."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.report.base import Id, Part
from warpmill.report.facts import LaunchFacts, launch_facts
from warpmill.session.jobs import Job
from warpmill.simulator.estimate.result import RegisterCount
from warpmill.simulator.gpu.result import LaunchResult, SimResult, SimulatedCache, Totals
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.occupancy import Occupancy

if TYPE_CHECKING:
    from warpmill.session.simulation_plans import SimulationPlan  # the engine is slow to load


class SimulatedLaunch(Part):
    """A launch, its place among the simulated ones, from 0, its kernel's number and its stream."""

    number: Id
    kernel: Id
    stream: Id
    facts: LaunchFacts


class LaunchCache(Part):
    """What one launch asked a kind of cache, as ``caches`` of the simulation."""

    level: str
    accesses: int
    hits: int
    pending: int
    misses: int
    hit_fraction: float | None


class SimulatedLaunchFigures(Part):
    """One launch on one machine. Cycles of begin and end are those of the whole simulation.

    ``cycles`` are of the whole launch: where ``ctas_simulated`` are fewer than its CTAs, they are
    continued in a line; all else is of the CTAs simulated. ``shared_bytes`` are of a CTA. From
    ``thread_instructions`` to ``dram_writes`` all is null where launches ran at the same time;
    accesses of L2 and DRAM that were still to come when a launch ended count with the next one.
    """

    number: Id
    begin_cycle: int
    end_cycle: int
    cycles: float
    time_us: float
    ctas_simulated: int
    warp_instructions: int
    warp_ipc: float | None
    thread_instructions: int | None
    thread_ipc: float | None
    resident_warps: float | None
    caches: list[LaunchCache] | None
    dram_reads: int | None
    dram_writes: int | None
    registers: RegisterCount
    shared_bytes: int
    occupancy: Occupancy
    trace: str
    trace_reason: str


class OccupancyFigures(Part):
    """Warps that reside on SMs, over time and the SMs that had any work, of the slots there are.

    ``theoretical_fraction`` is what the resources of an SM allow: the mean over launches, weighted
    by their cycles. ``limiting`` are the resources that allow no more.
    """

    achieved_fraction: float
    achieved_warps_per_sm: float
    theoretical_fraction: float
    warps_per_sm: int
    limiting: list[str]


def simulated_launches(made: SimulationPlan) -> list[SimulatedLaunch]:
    """Say which launches were simulated."""
    each = zip(made.jobs, made.works, made.kernel_numbers, strict=True)
    return [
        SimulatedLaunch(
            number=number,
            kernel=kernel,
            stream=work.stream,
            facts=launch_facts(job.required_launch(), job.kernel),
        )
        for number, (job, work, kernel) in enumerate(each)
    ]


def launch_figures(made: SimulationPlan, result: SimResult) -> list[SimulatedLaunchFigures]:
    """Report each launch."""
    return [
        SimulatedLaunchFigures(
            number=number,
            begin_cycle=one.begin_cycle,
            end_cycle=one.end_cycle,
            cycles=one.cycles,
            time_us=one.cycles / result.clock_mhz,
            ctas_simulated=one.ctas_simulated,
            warp_instructions=one.warp_instructions,
            warp_ipc=_a_cycle(one.warp_instructions, one),
            **_counted(one, own),
            registers=count,
            shared_bytes=_shared_bytes(job),
            occupancy=one.occupancy,
            trace=one.trace,
            trace_reason=one.trace_reason,
        )
        for number, (one, own, job, count) in enumerate(
            zip(result.launches, _own_totals(result), made.jobs, made.registers, strict=True)
        )
    ]


def _own_totals(result: SimResult) -> list[Totals | None]:
    """Give what each launch did alone, as what had been done at its end less that at its begin.

    None for all where launches ran at the same time.
    """
    launches = range(1, len(result.launches) + 1)
    if [total.launches for total in result.totals] != list(launches):
        return [None] * len(result.launches)
    return [*result.totals[:1], *(_less(b, a) for a, b in pairwise(result.totals))]


def _less(late: Totals, early: Totals) -> Totals:
    return Totals(
        launches=1,
        warp_instructions=late.warp_instructions - early.warp_instructions,
        thread_instructions=late.thread_instructions - early.thread_instructions,
        warp_cycles=late.warp_cycles - early.warp_cycles,
        caches=tuple(map(_cache_less, late.caches, early.caches)),
        dram_reads=late.dram_reads - early.dram_reads,
        dram_writes=late.dram_writes - early.dram_writes,
    )


def _cache_less(late: SimulatedCache, early: SimulatedCache) -> SimulatedCache:
    keys = ("accesses", "hits", "pending", "misses", "write_accesses", "write_hits")
    return SimulatedCache(late.name, *(getattr(late, key) - getattr(early, key) for key in keys))


def _counted(one: LaunchResult, own: Totals | None) -> dict[str, Any]:
    """Report what a launch did alone, as far as it is known."""
    if own is None:
        keys = ("thread_instructions", "thread_ipc", "resident_warps", "caches")
        return dict.fromkeys((*keys, "dram_reads", "dram_writes"))
    return {
        "thread_instructions": own.thread_instructions,
        "thread_ipc": _a_cycle(own.thread_instructions, one),
        "resident_warps": _a_cycle(own.warp_cycles, one),
        "caches": [
            LaunchCache(
                level=cache.name,
                accesses=cache.accesses,
                hits=cache.hits,
                pending=cache.pending,
                misses=cache.misses,
                hit_fraction=cache.hit_rate,
            )
            for cache in own.caches
            if cache.accesses
        ],
        "dram_reads": own.dram_reads,
        "dram_writes": own.dram_writes,
    }


def _a_cycle(count: int, one: LaunchResult) -> float | None:
    cycles = one.end_cycle - one.begin_cycle
    return count / cycles if cycles else None


def _shared_bytes(job: Job) -> int:
    return shared_bytes(job.loaded.module, job.kernel) + job.required_launch().dynamic_shared_bytes


def occupancy_figures(result: SimResult, machine: Machine) -> OccupancyFigures:
    """Report the occupancy of all launches together."""
    slots = machine.integer("sm.max_warps")
    weights = [max(1, one.end_cycle - one.begin_cycle) for one in result.launches]
    fits = [one.occupancy for one in result.launches]
    mean = sum(w * f.occupancy_fraction for w, f in zip(weights, fits, strict=True)) / max(
        1, sum(weights)
    )
    limiting = dict.fromkeys(name for fit in fits for name in fit.limiting)
    return OccupancyFigures(
        achieved_fraction=result.achieved_occupancy,
        achieved_warps_per_sm=result.achieved_occupancy * slots,
        theoretical_fraction=mean,
        warps_per_sm=slots,
        limiting=list(limiting),
    )
