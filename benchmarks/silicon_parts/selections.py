"""GT-Pin's selections, chosen by simulated times and judged by those of the GPU."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean
from typing import Any

from benchmarks.gtpin import WAYS, measuring
from benchmarks.gtpin.measuring import Rows
from benchmarks.silicon_parts.predicting import Found
from benchmarks.silicon_parts.readings import Silicon

FEWEST = 5
"""Launches from which on there is something to choose."""

Row = dict[str, Any]


def selections(
    silicon: Silicon, simulated: Found, store: str, workers: int, say: Callable[[str], None]
) -> Row:
    """Select launches of each program of several, all of them timed.

    Of each of GT-Pin's ways to choose: ``error`` in percent of the measured time (Equation 1), the
    ``expected`` one by simulated times, and ``speedup``: all warp instructions over the selected
    ones. Means and the worst of all programs stand in ``ways``.
    """
    there = [
        target
        for target, one in simulated.items()
        if "problem" not in one and not silicon.mismatch(target, len(one["launch_cycles"]))
    ]
    times = {target: ms for target in there if (ms := _times(silicon, target)) is not None}
    cycles = {target: simulated[target]["launch_cycles"] for target in times}
    found = Rows(store, workers, say).explored(cycles)
    known = {target: row for target, row in found.items() if "problem" not in row}
    explored = {target: measuring.explored_of(row) for target, row in known.items()}
    rows = []
    for target, places in (measuring.places(explored) if explored else {}).items():
        for way, place in places.items():
            made = known[target]["combinations"][place]
            error = measuring.error_of(made["picks"], times[target], known[target]["instructions"])
            rows.append({
                "target": target, "way": way, "launches": len(times[target]),
                "division": made["division"], "feature": made["feature"],
                "expected": made["error"], "error": error, "speedup": 1 / made["share"],
            })  # fmt: skip
    return {
        "programs": len(known),
        "problems": {t: row["problem"] for t, row in found.items() if "problem" in row},
        "ways": {way: _summary([row for row in rows if row["way"] == way]) for way in WAYS},
        "rows": sorted(rows, key=lambda row: (-row["error"], row["target"], row["way"])),
    }


def _times(silicon: Silicon, target: str) -> list[float] | None:
    """The time of each launch in order, L2 warm; None where not all have one, or are few."""
    rows = sorted(silicon.by_target[target], key=lambda row: row.number)
    known = [row.ms["warm"] for row in rows if row.ms["warm"] is not None]
    whole = silicon.launches(target)
    return known if len(known) == whole >= FEWEST else None


def _summary(rows: list[Row]) -> Row:
    if not rows:
        return {"error": None, "worst": None, "speedup": None}
    return {
        "error": fmean(row["error"] for row in rows),
        "worst": max(row["error"] for row in rows),
        "speedup": fmean(row["speedup"] for row in rows),
    }
