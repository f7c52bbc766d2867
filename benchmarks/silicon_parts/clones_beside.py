"""Clones beside their originals, both on the GPU: IPC, what a profiler counts, and time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from benchmarks.silicon_parts.readings import CountedRow, Silicon
from benchmarks.silicon_parts.subjects import CLONE

Row = dict[str, Any]
Key = tuple[str, str]

POINTS = ("occupancy_pct", "l1_hit_pct", "l2_hit_pct")
"""Counters in percent; what clones are apart by is in points."""


def clones_beside(silicon: Silicon) -> Row:
    """How near clones are, by workload, worst IPC first.

    ``ipc_error`` is in percent of the original's (GPGPU-MiniBench, Equation 4), of the launches
    that a profiler looked at of both, all together; ``mean_abs_ipc_error`` the mean over workloads.
    Points of hit rates and occupancy are means over launches. ``speedup``: time of the original,
    L2 warm, over the clone's. None where nothing was counted or timed.
    """
    titles = sorted({(row.workload, row.preset) for row in silicon.timed if row.is_clone})
    times = _times(silicon)
    rows = [_row(title, _pairs(silicon.counted, title), times) for title in titles]
    errors = [abs(row["ipc_error"]) for row in rows if row["ipc_error"] is not None]
    ends = [one for one in silicon.runs if one["build"] == CLONE]
    return {
        "clones": len(ends),
        "ran": sum(not one.get("error") for one in ends),
        "equal_to_executor": sum(one.get("equal") == "True" for one in ends),
        "cuda_built": sum(not one["built"] for one in silicon.cuda_clones),
        "cuda_ran": sum(not one["built"] and not one["ran"] for one in silicon.cuda_clones),
        "cuda": len(silicon.cuda_clones),
        "mean_abs_ipc_error": fmean(errors) if errors else None,
        "rows": sorted(rows, key=lambda row: (-abs(row["ipc_error"] or 0.0), row["workload"])),
    }


def _pairs(counted: Iterable[CountedRow], title: Key) -> list[tuple[CountedRow, CountedRow]]:
    """Join the launches that were counted of an original and of its clone."""
    own = [row for row in counted if (row.workload, row.preset) == title]
    clones = {row.number: row for row in own if row.build == CLONE}
    return [(r, clones[r.number]) for r in own if r.build != CLONE and r.number in clones]


def _row(
    title: Key,
    pairs: Sequence[tuple[CountedRow, CountedRow]],
    times: Mapping[tuple[Key, bool], float],
) -> Row:
    there, here = (_ipc([pair[k] for pair in pairs]) for k in (0, 1))
    known = times.get((title, False)), times.get((title, True))
    return {
        "workload": title[0],
        "preset": title[1],
        "launches": len(pairs),
        "ipc": there,
        "clone_ipc": here,
        "ipc_error": None if there is None or here is None else 100 * (here / there - 1),
        **{f"{name}_apart": _apart(pairs, name) for name in POINTS},
        "speedup": known[0] / known[1] if known[0] and known[1] else None,
    }


def _ipc(rows: Iterable[CountedRow]) -> float | None:
    """Warp instructions of all SMs a cycle; None where a launch lacks one of both."""
    known = [(r.values.get("warp_inst"), r.values.get("sm_cycles")) for r in rows]
    pairs = [(instructions, cycles) for instructions, cycles in known if instructions and cycles]
    if not pairs or len(pairs) < len(known):
        return None
    return sum(instructions for instructions, _ in pairs) / sum(cycles for _, cycles in pairs)


def _apart(pairs: Iterable[tuple[CountedRow, CountedRow]], name: str) -> float | None:
    known = [
        clone.values[name] - original.values[name]
        for original, clone in pairs
        if name in original.values and name in clone.values
    ]
    return fmean(known) if known else None


def _times(silicon: Silicon) -> dict[tuple[Key, bool], float]:
    """Sum up times, L2 warm, of workloads and of clones; those that lack one are left out."""
    found: dict[tuple[Key, bool], list[float | None]] = {}
    for row in silicon.timed:
        key = (row.workload, row.preset), row.is_clone
        found.setdefault(key, []).append(row.ms["warm"])
    return {
        key: sum(ms or 0.0 for ms in each) for key, each in found.items() if None not in each
    }  # fmt: skip
