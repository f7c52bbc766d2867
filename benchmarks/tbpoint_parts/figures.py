"""TBPoint's figures from rows: errors, sample sizes, what was skipped, other machines."""

from __future__ import annotations

import math

LEAST_ERROR = 0.01
"""Percent: errors below count as this in geometric means, as one of 0 would make the mean 0."""
LARGE_SAMPLE = 0.6
GOALS = {"error_geomean": 0.47, "sample_geomean": 2.6, "worst_error": 5.0}
WORST_SENSITIVITY = 14.0


def geometric(values):
    """Give the geometric mean."""
    return math.exp(sum(math.log(v) for v in values) / len(values))


def of_workload(name, whole, sampled, by_paper):
    """Join the rows of a workload: shares and errors in percent.

    ``by_paper`` is sampled where CTAs are passed over by the paper's own rule.
    """
    error = (whole["cycles"] / sampled["cycles"] - 1.0) * 100  # of the IPC
    interval = sampled["interval"]
    held = None if interval is None else interval[0] <= whole["cycles"] <= interval[1]
    half = None if interval is None else (interval[1] - interval[0]) / 2 / sampled["cycles"] * 100
    return {
        "workload": name,
        "kernel": whole["kernel"],
        "launches": whole["launches"],
        "ctas": whole["ctas"],
        "ipc": [whole["warp_instructions"] / c for c in (whole["cycles"], sampled["cycles"])],
        "error": error,
        "sample": sampled["share"] * 100,
        "held": held,
        "half_width": half,
        "skipped_inter": sampled["skipped_inter"] * 100,
        "skipped_intra": sampled["skipped_intra"] * 100,
        "clusters": sampled["clusters"],
        "regions_passed": sampled["regions_passed"],
        "cpu_s": [whole["cpu_s"], sampled["cpu_s"]],
        "profile_s": whole["profile_s"],
        "by_paper": {"error": (whole["cycles"] / by_paper["cycles"] - 1.0) * 100,
                     "sample": by_paper["share"] * 100},
        "random": {k: v * 100 for k, v in whole["random"].items()},
        "simpoint": {"error": whole["simpoint"]["error"] * 100,
                     "sample": whole["simpoint"]["share"] * 100},
    }  # fmt: skip


def summary(rows):
    """Give the figures of all workloads."""
    errors = [max(LEAST_ERROR, abs(row["error"])) for row in rows]
    samples = [row["sample"] for row in rows]
    simpoint = [max(LEAST_ERROR, abs(row["simpoint"]["error"])) for row in rows]
    drawn = [max(LEAST_ERROR, row["random"]["error"]) for row in rows]
    by_paper = [max(LEAST_ERROR, abs(row["by_paper"]["error"])) for row in rows]
    known = [row for row in rows if row["held"] is not None]
    return {
        "error_geomean": geometric(errors),
        "error_mean": sum(errors) / len(errors),
        "worst_error": max(errors),
        "sample_geomean": geometric(samples),
        "sample_mean": sum(samples) / len(samples),
        "large_samples": [[r["workload"], r["sample"]] for r in rows
                          if r["sample"] > 100 * LARGE_SAMPLE],
        "simpoint": {"error_geomean": geometric(simpoint),
                     "sample_geomean": geometric([r["simpoint"]["sample"] for r in rows])},
        "random": {"error_geomean": geometric(drawn)},
        "by_paper": {"error_geomean": geometric(by_paper), "worst_error": max(by_paper),
                     "sample_geomean": geometric([r["by_paper"]["sample"] for r in rows])},
        "intervals": {"held": sum(bool(r["held"]) for r in known), "of": len(known),
                      "median_half_width": _median([r["half_width"] for r in known]),
                      "median_error": _median([abs(r["error"]) for r in known])},
        "speedup": sum(r["cpu_s"][0] for r in rows) / sum(r["cpu_s"][1] for r in rows),
    }  # fmt: skip


def _median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else None
