"""What choosing costs beside what it saves, and what selections are worth by estimated times."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean, median

from benchmarks.gtpin_parts.figures import LARGEST_THRESHOLD, LEAST, THRESHOLD, WAYS, summary
from warpmill.simulator.sampling.gtpin import error, least_error, under_threshold


def cost_of(one, share):
    """The CPU seconds of an application: of its simulation, what is saved, what choosing took.

    What is saved goes with the instructions that are not simulated.
    """
    row, whole = one["row"], one["times"]["cpu_s"]
    return {
        "simulation_s": whole,
        "saved_s": whole * (1 - share),
        "profile_s": row["profile_s"],
        "choice_s": dict(row["choice_s"]),
    }


def summed_costs(costs):
    """Add up, and give what was spent in percent of what is saved: of all, and of the worst."""
    saved = sum(one["saved_s"] for one in costs)
    spent = {
        "one": [one["choice_s"]["one"] for one in costs],
        "all": [one["choice_s"]["all"] for one in costs],
        "profile": [one["profile_s"] for one in costs],
    }
    return {
        "simulation_s": sum(one["simulation_s"] for one in costs),
        "saved_s": saved,
        **{f"{key}_s": sum(each) for key, each in spent.items()},
        **{f"{key}_percent": _part(sum(each), saved) for key, each in spent.items()},
        **{
            f"{key}_worst_percent": max(
                _part(own, one["saved_s"]) for own, one in zip(each, costs, strict=True)
            )
            for key, each in spent.items()
        },
    }


def _part(spent, saved):
    return 100 * spent / saved if saved else float("inf")


def estimates_of(one, places, explored):
    """Judge selections by estimated times, and choose by these; or say why it is unknown.

    ``off``: the estimate of the whole beside the simulation, in percent. ``errors`` are those of
    what was chosen by simulated times, were the estimates true. ``chosen`` is what is chosen by
    estimates, with its error by them and by simulated times.
    """
    row = one["estimate"]
    if "problem" in row:
        return {"unknown": row["problem"]}
    cycles = row["launch_cycles"]
    by_estimates = [replace(own, error=error(own.selection, cycles)) for own in explored]
    ways = {LEAST: least_error(by_estimates),
            THRESHOLD: under_threshold(by_estimates, LARGEST_THRESHOLD)}  # fmt: skip
    return {
        "off": 100 * (sum(cycles) / one["times"]["cycles"] - 1),
        "estimated": row["estimated"],
        "cpu_s": row["cpu_s"],
        "errors": {way: by_estimates[place].error for way, place in places.items()},
        "chosen": {way: _found(own, by_estimates, explored) for way, own in ways.items()},
    }


def _found(one, by_estimates, explored):
    real = explored[by_estimates.index(one)]
    return {"division": one.division, "feature": one.feature, "expected": one.error,
            "error": real.error, "speedup": one.speedup}  # fmt: skip


def summed_estimates(rows):
    """Sum up those that are known."""
    known = [row for row in rows if "unknown" not in row]
    if not known:
        return {"known": 0, "unknown": len(rows)}
    return {
        "known": len(known),
        "unknown": len(rows) - len(known),
        "cpu_s": sum(row["cpu_s"] for row in known),
        "largest_cpu_s": max(row["cpu_s"] for row in known),
        "off_median": median(abs(row["off"]) for row in known),
        "errors": {way: fmean(row["errors"][way] for row in known) for way in WAYS},
        "chosen": {way: _chosen([row["chosen"][way] for row in known])
                   for way in (LEAST, THRESHOLD)},
    }  # fmt: skip


def _chosen(each):
    found = summary([one["error"] for one in each], [one["speedup"] for one in each])
    return {**found, "expected": fmean(one["expected"] for one in each)}
