"""What is measured beside errors and speed-ups on Table 3's machines, and what it adds up to."""

from __future__ import annotations

from statistics import fmean

from benchmarks.minibench_parts import kept_points as points
from benchmarks.minibench_parts.figures import (
    MACHINES,
    figures,
    mean_error,
    paired,
    relative,
)
from benchmarks.minibench_parts.further import TARGETS
from benchmarks.minibench_parts.space import FRACTIONS, WAYS

SEARCHED_ON = "minibench_28sm"
JUDGED_ON = ("minibench_8sm", "minibench_56sm", "minibench_110sm", "v100", "a100", "h100_sxm")
ALL_MACHINES = tuple(dict.fromkeys((*MACHINES, SEARCHED_ON, *JUDGED_ON)))
SERIES_ON = "minibench_28sm"
SHORTENED_ON = "minibench_56sm"
SPACE_ON = "minibench_28sm"
FIGURE_13 = ("kmeans", "kmeans_c")
FIGURE_22 = ("matmul", "matmul")
READ_AT = 0.25
"""The part at which sampling in space is judged."""


def alone(workloads):
    """List points that depend on nothing that is measured before."""
    found = [points.wanted(points.SEARCHED, w, SEARCHED_ON) for w in workloads]
    found += [points.wanted(points.ORIGINAL, w, m) for w in workloads for m in ALL_MACHINES]
    found += [points.wanted(points.CLONE, w, SERIES_ON) for w in workloads]
    found += [points.wanted(points.SHORTENED, w, SHORTENED_ON) for w in workloads]
    found += [points.wanted(points.ACCEPTED, w) for w in workloads]
    found += [points.wanted(points.SPACE, w, SPACE_ON, way=way, fraction=part)
              for w in workloads for way in WAYS for part in FRACTIONS]  # fmt: skip
    if FIGURE_13[0] in workloads:
        found.append(points.wanted(points.GRAPH, FIGURE_13[0], kernel=FIGURE_13[1]))
    if FIGURE_22[0] in workloads:
        found.append(points.wanted(points.FLOWS, FIGURE_22[0]))
    return found


def series(workload, clone):
    """List the reductions below a clone's largest, from none on: 1, 2, 4, ..."""
    largest = max(model["reduction"] for model in clone["models"])
    factors = [1 << k for k in range(largest.bit_length()) if 1 << k < largest]
    return [points.wanted(points.CLONE, workload, SERIES_ON, reduction=n) for n in factors]


def with_found(workload, machine, found):
    """The point of a clone with the reductions that a search has found."""
    chosen = {"reductions": found["reductions"]} if found["reductions"] else {
        "reduction": found["factor"]}  # fmt: skip
    return points.wanted(points.CLONE, workload, machine, **chosen)


# -- what it adds up to ----------------------------------------------------------------------------


def automatic(workload, name, searches, pairs):
    """Sum a search up: rows on all machines, and speed-ups with its cost shared among them.

    ``pairs`` are (machine, original, clone). One search serves all machines that clones are then
    simulated on, so its cost is divided by their number.
    """
    cost = (searches["search_cpu_s"] + searches["original_cpu_s"]) / max(1, len(pairs))
    rows = []
    for machine, original, clone in pairs:
        row = paired(workload, name, machine, original, clone)
        with_search = original["cpu_s"] / (clone["cpu_s"] + cost)
        rows.append({**row, "speedup_with_search": with_search})
    return rows


def automatic_figures(rows, searches, loops):
    """The figures of ``auto``: as those of the largest reduction, with the search's cost."""
    if not rows:
        return {}
    judged = [row for row in rows if row["machine"] in JUDGED_ON and loops[row["name"]]]
    return {
        **figures(rows, loops),
        "searched_on": SEARCHED_ON,
        "judged_on": list(JUDGED_ON),
        "judged_mean_abs_ipc_error": mean_error(judged) if judged else None,
        "speedup_with_search": {
            machine: fmean(
                r["speedup_with_search"] if loops[r["name"]] else 1.0
                for r in rows if r["machine"] == machine
            )
            for machine in dict.fromkeys(row["machine"] for row in rows)
        },
        "search_cpu_s": sum(one["search_cpu_s"] for one in searches.values()),
        "search_original_cpu_s": sum(one["original_cpu_s"] for one in searches.values()),
        "searches_met": [sum(one["met"] for one in searches.values()), len(searches)],
    }  # fmt: skip


def one_iteration(shortened, original):
    """The IPC error of loops of one iteration in the source (Figure 21)."""
    return relative(shortened["ipc"], original["threads"] / original["cycles"])


def sampled_in_space(rows):
    """Read Figure 2 off: IPC by way and part over that of all, and how far a reading is off.

    ``rows`` are by (way, fraction). A part of threads is read in proportion; parts of warps and of
    CTAs as they are, as SMs take more CTAs then.
    """
    found = {}
    for way in WAYS:
        whole = rows[way, 1.0]["ipc"]
        shares = {part: rows[way, part]["ipc"] / whole for part in FRACTIONS}
        read = shares[READ_AT] / (READ_AT if way == "threads" else 1.0)
        found[way] = {
            "normalised_ipc": {str(part): share for part, share in shares.items()},
            "error_percent": 100.0 * (read - 1.0),
        }
    return found


def figure_3(rows, way="threads"):
    """Figure 3's metrics by part, over those of all threads; None where there are none."""
    names = ("ipc", "l1_miss_rate", "icache_hit_rate", "sectors_read", "memory_queue_stalls")
    whole = rows[way, 1.0]
    return {
        name: {str(part): rows[way, part][name] / whole[name] if whole[name] else None
               for part in FRACTIONS}
        for name in names
    }  # fmt: skip


def acceptance(found):
    """Count files that compilers took, by compiler and chip: [n, of m]; and list the others."""
    keys = [f"{c} {t}" for c in ("ptxas", "nvcc") for t in TARGETS]
    asked = {k: [one[k] is None for one in found if k in one] for k in keys}
    refused = [[k, said] for one in found for k, said in one.items() if said]
    return {"files": {k: [sum(v), len(v)] for k, v in asked.items() if v}, "refused": refused}
