"""Rates of a simulation over time, which its timeline and its plot both show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.simulator.gpu.result import SimResult

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RatesOverTime:
    """Rates in stretches of time: stretch k lasts from ``edges[k]`` to ``edges[k + 1]``, in cycles.

    ``ipc`` are warp instructions, the ``…_sectors`` sectors, each a cycle and of the whole GPU;
    the ``resident_`` ones are means. ``edges`` is longer by one than the others.
    """

    edges: npt.NDArray[np.int64]
    ipc: Reals
    resident_ctas: Reals
    resident_warps: Reals
    l1_sectors: Reals
    l2_sectors: Reals
    dram_sectors: Reals


def rates(result: SimResult, bins_each: int = 1) -> RatesOverTime:
    """Counts over time, by the time that they were counted in, so many bins together.

    The last bin ends with the last launch, so its rates are over less than ``bin_cycles``.
    """
    line = result.timeline
    width, bins = line.bin_cycles, len(line.warp_instructions)
    firsts = np.arange(0, bins, bins_each, dtype=np.int64)
    edges = np.append(firsts, bins) * width
    if bins:
        last = max((launch.end_cycle for launch in result.launches), default=0)
        edges[-1] = min(max(last, edges[-2] + 1), edges[-1])
    cycles = np.diff(edges)

    def together(counts: npt.NDArray[np.int64] | Reals) -> Reals:
        return np.add.reduceat(counts, firsts) if bins else np.zeros(0)

    return RatesOverTime(
        edges=edges,
        ipc=together(line.warp_instructions) / cycles,
        resident_ctas=together(line.resident_ctas) * width / cycles,
        resident_warps=together(line.resident_warps) * width / cycles,
        l1_sectors=together(line.l1_sectors) / cycles,
        l2_sectors=together(line.l2_sectors) / cycles,
        dram_sectors=together(line.dram_sectors) / cycles,
    )


def gigabytes(result: SimResult, sectors: Reals) -> Reals:
    """GB/s (10**9 bytes a second) of sectors a cycle."""
    return sectors * (result.sector_bytes * result.clock_mhz / 1000)


def dram_peak(result: SimResult) -> float | None:
    """GB/s that DRAM moves with its data buses always in use; None where it moved nothing.

    It follows from what was moved and for which share of the time that kept the buses in use.
    """
    in_use = result.dram.busy_fraction * result.simulated_cycles
    if not in_use:
        return None
    sectors = (result.dram.reads + result.dram.writes) / in_use
    return float(gigabytes(result, np.array([sectors]))[0])
