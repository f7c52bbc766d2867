"""Parts of ``simulate``: what happened over time, units of it for sampling, and the tail."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from warpmill.report.base import Part
from warpmill.simulator.gpu.result import Ctas, SamplingUnit, SimResult, Timeline

Counts = npt.NDArray[np.int64]


class TimelineFigures(Part):
    """What happened in each stretch of ``bin_cycles``, from cycle 0 on; lists of one length.

    ``resident_`` figures are means over a stretch and all SMs together, the others are sums.
    """

    bin_cycles: int
    warp_instructions: list[int]
    resident_warps: list[float]
    resident_ctas: list[float]
    l1_sectors: list[int]
    l2_sectors: list[int]
    dram_sectors: list[int]


class UnitFigures(Part):
    """Time cut into ``units``; ``mean_ipc`` and its coefficient of variation are over the units.

    The lists have each unit's first and last cycle and what warps issued in it, on all SMs.
    """

    units: int
    mean_ipc: float | None
    ipc_coefficient_of_variation: float | None
    begin_cycle: list[int]
    end_cycle: list[int]
    warp_instructions: list[int]


class SamplingFigures(Part):
    """Sampling units: of as many instructions each, and as long as a CTA lives (TBPoint, §IV-B-2).

    A unit of the second kind begins when a CTA does and ends when it ends; the next one is that of
    the first CTA to begin after. What is left at the end of the simulation is no unit of the first.
    """

    unit_instructions: int
    by_instructions: UnitFigures
    by_cta_life: UnitFigures


class TailFigures(Part):
    """The end of the simulation, when no CTA waits and the first SM has run empty (Stargazer §7.2).

    ``adjusted_cycles`` are the cycles before it and, of those in it, the share that SMs were busy.
    """

    begin_cycle: int
    cycles: int
    fraction: float
    adjusted_cycles: float


class SmFigures(Part):
    """One SM. ``issue_cycles`` sums those of its schedulers in which one issued."""

    sm: int
    ctas: int
    warp_instructions: int
    thread_instructions: int
    warp_ipc: float
    issue_cycles: int
    resident_warps: float
    end_cycle: int


def timeline_figures(result: SimResult) -> TimelineFigures:
    """Report what happened over time."""
    timeline = result.timeline
    return TimelineFigures(
        bin_cycles=timeline.bin_cycles,
        warp_instructions=timeline.warp_instructions.tolist(),
        resident_warps=[float(x) for x in timeline.resident_warps.tolist()],
        resident_ctas=resident_ctas(result.ctas, timeline),
        l1_sectors=timeline.l1_accesses.tolist(),
        l2_sectors=timeline.l2_accesses.tolist(),
        dram_sectors=timeline.dram_sectors.tolist(),
    )


def resident_ctas(ctas: Ctas, timeline: Timeline) -> list[float]:
    """Give the mean number of CTAs on all SMs in each stretch of a timeline.

    A CTA counts in each stretch with the cycles of it that it was there.
    """
    bins, width = len(timeline.warp_instructions), timeline.bin_cycles
    edges = np.arange(bins + 1, dtype=np.int64) * width
    there = _passed(ctas.begin_cycle, edges) - _passed(ctas.end_cycle, edges)
    mean: list[float] = (np.diff(there) / width).tolist()
    return mean


def _passed(times: Counts, edges: Counts) -> Counts:
    """Give at each edge the cycles since each of the times before it, summed."""
    ordered = np.sort(times)
    sums = np.concatenate([[0], np.cumsum(ordered)])
    before = np.searchsorted(ordered, edges)
    passed: Counts = before * edges - sums[before]
    return passed


def sampling_figures(result: SimResult, unit_instructions: int) -> SamplingFigures:
    """Report the units of both kinds."""
    return SamplingFigures(
        unit_instructions=unit_instructions,
        by_instructions=_units(result.instruction_units),
        by_cta_life=_units(result.cta_units),
    )


def _units(units: Sequence[SamplingUnit]) -> UnitFigures:
    rates = [u.ipc for u in units if u.ipc is not None]
    mean = float(np.mean(rates)) if rates else None
    return UnitFigures(
        units=len(units),
        mean_ipc=mean,
        ipc_coefficient_of_variation=float(np.std(rates)) / mean if mean else None,
        begin_cycle=[u.begin_cycle for u in units],
        end_cycle=[u.end_cycle for u in units],
        warp_instructions=[u.warp_instructions for u in units],
    )


def tail_figures(result: SimResult, cycles: int) -> TailFigures:
    """Report the tail; ``cycles`` are those simulated."""
    tail = result.tail
    return TailFigures(
        begin_cycle=tail.begin_cycle,
        cycles=tail.cycles,
        fraction=tail.cycles / cycles if cycles else 0.0,
        adjusted_cycles=tail.adjusted_cycles,
    )


def sm_figures(result: SimResult, cycles: int) -> list[SmFigures]:
    """Report each SM; ``cycles`` are those simulated."""
    return [
        SmFigures(
            sm=sm.number,
            ctas=sm.ctas,
            warp_instructions=sm.warp_instructions,
            thread_instructions=sm.thread_instructions,
            warp_ipc=sm.warp_instructions / cycles if cycles else 0.0,
            issue_cycles=sm.issue_cycles,
            resident_warps=sm.warp_cycles / cycles if cycles else 0.0,
            end_cycle=sm.end_cycle,
        )
        for sm in result.per_sm
    ]
