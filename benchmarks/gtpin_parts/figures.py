"""GT-Pin's figures from rows: errors and speed-ups of what is chosen, by each of its ways."""

from __future__ import annotations

import math
from statistics import fmean, median

from warpmill.simulator.sampling.gtpin import (
    THRESHOLDS,
    RatedSelection,
    best_universal,
    error,
    least_error,
    under_threshold,
    universals,
)
from warpmill.simulator.sampling.model import Selection, SelectionUnit, Stratum

LEAST, THRESHOLD, UNIVERSAL = "least_error", "threshold10", "universal"
WAYS = (LEAST, THRESHOLD, UNIVERSAL)
LARGEST_THRESHOLD = 10.0
MEMORY = frozenset({"KN-RW", "BB-R", "BB-W", "BB-R-W", "BB-(R+W)"})
"""Features whose keys have bytes."""


def selection_of(picks, instructions):
    """Make a selection of chosen intervals and their ratios: what lies between are units too.

    ``instructions`` are those by launch of the run that is projected, which may be another one.
    """
    units, strata, reached = [], [], 0
    for first, end, weight in sorted(picks):
        if first > reached:
            units.append(_unit(reached, first, instructions))
        strata.append(Stratum((len(units),), (len(units),), weight))
        units.append(_unit(first, end, instructions))
        reached = end
    if reached < len(instructions):
        units.append(_unit(reached, len(instructions), instructions))
    return Selection("gtpin", tuple(units), tuple(strata))


def _unit(first, end, instructions):
    return SelectionUnit(first, end, sum(instructions[first:end]))


def error_of(picks, cycles, instructions):
    """The error in percent (Equation 1) of chosen intervals and ratios in a run."""
    return error(selection_of(picks, instructions), cycles)


def explored_of(row):
    """The thirty combinations of an application's row."""
    return tuple(
        RatedSelection(one["division"], one["feature"],
                 selection_of(one["picks"], row["instructions"]), one["error"])
        for one in row["combinations"]
    )  # fmt: skip


def places(explored):
    """Which of the thirty each way chooses, by application and way.

    ``explored`` has them by application.
    """
    best = best_universal(explored)
    return {
        name: {
            LEAST: own.index(least_error(own)),
            THRESHOLD: own.index(under_threshold(own, LARGEST_THRESHOLD)),
            UNIVERSAL: next(k for k, one in enumerate(own) if _is(one, best)),
        }
        for name, own in explored.items()
    }


def _is(one, best):
    return (one.division, one.feature) == (best.division, best.feature)


def summary_of(chosen):
    """Sum up what was chosen of each application."""
    return summary([one.error for one in chosen], [one.speedup for one in chosen])


def summary(errors, speedups):
    """Sum up errors in percent, and speed-ups: all warp instructions over those selected."""
    return {
        "error": fmean(errors),
        "error_median": median(errors),
        "worst_error": max(errors),
        "speedup": fmean(speedups),
        "speedup_geomean": geometric(speedups),
        "speedup_min": min(speedups),
        "speedup_max": max(speedups),
        "share": fmean(1 / speedup for speedup in speedups),
    }


def geometric(values):
    """The geometric mean."""
    return math.exp(fmean(math.log(value) for value in values))


def by_threshold(explored):
    """Figure 7: what is chosen under each threshold; None is the least error."""
    every = list(explored.values())
    found = [{"threshold": None, **summary_of([least_error(own) for own in every])}]
    for threshold in THRESHOLDS:
        chosen = [under_threshold(own, threshold) for own in every]
        within = sum(one.error <= threshold for one in chosen)
        found.append({"threshold": threshold, "within": within, **summary_of(chosen)})
    return found


def universal_rows(explored):
    """What each combination does for all applications."""
    columns = list(zip(*explored.values(), strict=True))
    return [
        {
            "division": one.division,
            "feature": one.feature,
            "share_speedup": one.share_speedup,
            "largest_share": one.largest_share,
            **summary_of(column),
        }
        for one, column in zip(universals(explored), columns, strict=True)
    ]


def chosen_kinds(chosen):
    """Count divisions and kinds of features among what was chosen (§V-C)."""
    divisions = [one.division for one in chosen]
    return {
        "divisions": {word: divisions.count(word) for word in ("sync", "instructions", "kernel")},
        "kernel_features": sum(one.feature.startswith("KN") for one in chosen),
        "memory_features": sum(one.feature in MEMORY for one in chosen),
    }


def intervals(projections):
    """Sum up intervals of 95 %: how many hold the true value, and how wide they are."""
    known = [one for one in projections if one["held"] is not None]
    held = sum(one["held"] for one in known)
    half = median(one["half_width"] for one in known) if known else None
    error = median(one["error"] for one in projections) if projections else None
    return {
        "of": len(projections),
        "unknown": len(projections) - len(known),
        "held": held,
        "held_share": 100 * held / len(known) if known else None,
        "median_half_width": half,
        "median_error": error,
        "width_over_error": half / error if half is not None and error else None,
    }
