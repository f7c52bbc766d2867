"""TBPoint's figures from rows: errors, sample sizes, what was skipped, other machines."""

from __future__ import annotations

import math

from benchmarks.tbpoint_parts.goals import goals_met
from benchmarks.tbpoint_parts.machines import BASE

LEAST_ERROR = 0.01
"""Percent: errors below count as this in geometric means, as one of 0 would make the mean 0."""
LARGE_SAMPLE = 0.6


def geometric(values):
    """The geometric mean."""
    return math.exp(sum(math.log(v) for v in values) / len(values))


def of_workload(name, whole, sampled, by_paper):
    """Join the rows of a workload: shares and errors in percent.

    ``by_paper`` is sampled where CTAs are skipped by the paper's own rule.
    """
    own = judged(whole, sampled)
    return {
        "workload": name,
        "kernel": whole["kernel"],
        "launches": whole["launches"],
        "ctas": whole["ctas"],
        "ipc": [whole["warp_instructions"] / c for c in (whole["cycles"], sampled["cycles"])],
        **own,
        "skipped_inter": sampled["skipped_inter"] * 100,
        "skipped_intra": sampled["skipped_intra"] * 100,
        "clusters": sampled["clusters"],
        "regions_passed": sampled["regions_passed"],
        "cpu_s": [whole["cpu_s"], sampled["cpu_s"]],
        "profile_s": whole["profile_s"],
        "choice_s": sampled["choice_s"],
        "by_paper": judged(whole, by_paper),
    }


def judged(whole, sampled):
    """Compare what was sampled with the whole; ``held``: whether the interval holds the truth."""
    interval = sampled["interval"]
    held = None if interval is None else interval[0] <= whole["cycles"] <= interval[1]
    half = None if interval is None else (interval[1] - interval[0]) / 2 / sampled["cycles"] * 100
    return {
        "error": _of_ipc(sampled["cycles"] / whole["cycles"]),
        "sample": sampled["share"] * 100,
        "held": held,
        "half_width": half,
    }


def _of_ipc(ratio):
    """The error of the IPC where cycles are ``ratio`` times the true ones."""
    return (1.0 / ratio - 1.0) * 100


def of_further(whole, units, sizes, methods):
    """What else is told of a workload: the baselines, sizes of its CTAs, other methods."""
    found = {name: {**judged(whole, one), "cpu_s": one["cpu_s"]} for name, one in methods.items()}
    return {
        "units": units["units"],
        "random": {k: v * 100 for k, v in units["random"].items()},
        "simpoint": {
            "error": _of_ipc(1 + units["simpoint"]["error"]),
            "sample": units["simpoint"]["share"] * 100,
        },
        "sizes": sizes,
        "methods": found,
    }


def result_of(tables):
    """Make the result of the rows by machine; those of ``BASE`` have everything."""
    rows = tables[BASE]
    others = {title: own for title, own in tables.items() if title != BASE}
    errors = [abs(row["error"]) for own in others.values() for row in own]
    result = {
        "benchmark": "tbpoint",
        **summary(rows),
        "methods": {
            name: {**compared([row["methods"][name] for row in rows]),
                   "speedup": _speedup([[row["cpu_s"][0], row["methods"][name]["cpu_s"]]
                                        for row in rows])}
            for name in rows[0]["methods"]
        },
        "irregular_share": irregular_share(rows),
        "mst_sample": next((row["sample"] for row in rows if row["workload"] == "mst"), None),
        "worst_sensitivity": max(errors, default=None),
    }  # fmt: skip
    return {**result, "goals": goals_met(result), "rows": rows, "others": others}


def summary(rows):
    """The figures of all workloads."""
    samples = [row["sample"] for row in rows]
    return {
        **_errors(rows),
        "sample_geomean": geometric(samples),
        "sample_mean": sum(samples) / len(samples),
        "large_samples": [[r["workload"], r["sample"]] for r in rows
                          if r["sample"] > 100 * LARGE_SAMPLE],
        "simpoint": compared([row["simpoint"] for row in rows]),
        "random": compared([{"error": row["random"]["error"], "sample": row["random"]["share"]}
                            for row in rows]),
        "by_paper": compared([row["by_paper"] for row in rows]),
        "intervals": _intervals(rows),
        "cost": cost(rows),
        "speedup": _speedup([row["cpu_s"] for row in rows]),
    }  # fmt: skip


def compared(rows):
    """Sum up errors and samples of another method."""
    return {**_errors(rows), "sample_geomean": geometric([row["sample"] for row in rows])}


def _errors(rows):
    errors = [max(LEAST_ERROR, abs(row["error"])) for row in rows]
    return {"error_geomean": geometric(errors), "error_mean": sum(errors) / len(errors),
            "worst_error": max(errors)}  # fmt: skip


def _intervals(rows):
    known = [row for row in rows if row["held"] is not None]
    half = _median([r["half_width"] for r in known])
    error = _median([abs(r["error"]) for r in known])
    return {"held": sum(bool(r["held"]) for r in known), "of": len(known),
            "unknown": len(rows) - len(known), "median_half_width": half, "median_error": error,
            "width_over_error": half / error if error else None}  # fmt: skip


def cost(rows):
    """CPU seconds of profiles and choices beside those that samples save; shares in percent.

    None where nothing is saved.
    """
    saved = sum(row["cpu_s"][0] - row["cpu_s"][1] for row in rows)
    found = {key: sum(row[key] for row in rows) for key in ("profile_s", "choice_s")}
    spent = sum(found.values())
    return {**found, "saved_s": saved, "percent": 100 * spent / saved if saved > 0 else None}


def irregular_share(rows):
    """The mean sample of kernels of type I over that of Ideal-SimPoint, in percent."""
    kernels = [row for row in rows if row["type"] == "I"]
    theirs = sum(row["simpoint"]["sample"] for row in kernels)
    return 100 * sum(row["sample"] for row in kernels) / theirs if theirs else None


def _speedup(seconds):
    """The CPU time of all whole simulations over that of all samples."""
    return sum(whole for whole, _ in seconds) / sum(own for _, own in seconds)


def _median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else None
