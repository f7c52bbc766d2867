"""Trip counts of loops that data end, for traces that are made without the data."""

from __future__ import annotations

from collections.abc import Mapping

from warpmill.analyzer.analyses.ranges.assumptions import Interval, check_assumptions
from warpmill.analyzer.analyses.ranges.bounds import LoopBound, Unknown
from warpmill.analyzer.analyses.structure import Structure

ASSUMED_TRIPS = 8
"""Iterations of a loop whose end data decide, where the user assumes nothing else."""


def assumed_trips(
    structure: Structure, bounds: tuple[LoopBound, ...], assume: Mapping[str, int]
) -> dict[int, int]:
    """Give trip counts for the loops that data end, from ``--assume`` or the default.

    A loop that data may end before its count is among them only where it is named. UsageError
    where a name belongs to no such loop, or to one whose count data do not decide.
    """
    intervals = {name: Interval(count, count) for name, count in assume.items()}
    check_assumptions(structure, bounds, intervals, has_launch=True)
    labels = {structure.kernel.blocks[b.header].label: b for b in bounds}
    found = {}
    for label, bound in labels.items():
        if label in assume:
            found[bound.loop] = assume[label]
        elif isinstance(bound.trips, Unknown):
            found[bound.loop] = min(ASSUMED_TRIPS, bound.trips.most or ASSUMED_TRIPS)
    return found
