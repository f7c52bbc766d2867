"""What passing over CTAs inside of launches adds to how far a projection may be off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import stdev

from warpmill.simulator.sampling.model import Projection, Selection
from warpmill.simulator.sampling.region_runs import LaunchRun

_QUANTILE = 1.96


def widened(
    projection: Projection, selection: Selection, numbers: Sequence[int], runs: Sequence[LaunchRun]
) -> Projection:
    """Widen the interval of a projection by what the regions that were passed over may be off.

    A region is taken to go on at the IPC of the last units; how far that is off is told by how far
    these are apart, whose standard deviation is taken. Errors of regions are taken to be
    independent, and a launch that stands for others to be off as these are.
    """
    if projection.interval is None:
        return projection
    factors = _factors(selection)
    added = sum(
        (factors[number] * passed.cycles * stdev(passed.unit_ipcs) / passed.ipc) ** 2
        for number, run in zip(numbers, runs, strict=True)
        for passed in run.passed
    )
    low, high = projection.interval
    half = math.hypot((high - low) / 2, _QUANTILE * math.sqrt(added))
    middle = (low + high) / 2
    return replace(projection, interval=(middle - half, middle + half))


def _factors(selection: Selection) -> dict[int, float]:
    """Give for how many times its cycles a launch stands."""
    found = {}
    for stratum in selection.strata:
        every = sum(selection.units[n].warp_instructions for n in stratum.members)
        measured = sum(selection.units[n].warp_instructions for n in stratum.chosen)
        factor = every / measured if measured else 1.0
        found.update(
            {launch: factor for n in stratum.chosen for launch in selection.units[n].launches}
        )
    return found
