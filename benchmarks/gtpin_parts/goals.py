"""What was to be reached, and what the paper has beside it."""

from __future__ import annotations

GOALS = (
    ("mean error of the least errors, %", ("least_error", "error"), "<=", 0.3),
    ("mean speed-up of the least errors", ("least_error", "speedup"), ">=", 35.0),
    ("their geometric mean", ("least_error", "speedup_geomean"), ">=", 15.0),
    ("mean error under 10 %, %", ("threshold10", "error"), "<=", 3.0),
    ("mean speed-up under 10 %", ("threshold10", "speedup"), ">=", 223.0),
    ("their geometric mean", ("threshold10", "speedup_geomean"), ">=", 60.0),
    ("pairs under 3 % on other machines, %",
     ("validation", "least_error", "machines", "under_share"), ">=", 90.0),
    ("intervals that hold the true value, of all thirty combinations, %",
     ("intervals", "all", "held_share"), ">=", 90.0),
    ("their median half-width, %", ("intervals", "all", "median_half_width"), "<=", 5.0),
    ("the same over the median error", ("intervals", "all", "width_over_error"), "<=", 3.0),
    ("CPU time of choosing, all thirty, over what is saved, %", ("cost", "all_percent"), "<=", 5.0),
    ("CPU s of clustering ten thousand launches, the slowest feature",
     ("cost", "many", "slowest_s"), "<=", 10.0),
)  # fmt: skip
"""What, where it is in the result, at most or at least, how much."""

PAPER = (
    ("largest error of the least errors, %", ("least_error", "worst_error"), 2.1),
    ("smallest speed-up of the least errors", ("least_error", "speedup_min"), 6.0),
    ("largest speed-up of the least errors", ("least_error", "speedup_max"), 6509.0),
    ("best combination for all: mean error, %", ("universal", "error"), 1.5),
    ("best combination for all: worst error, %", ("universal", "worst_error"), 8.8),
    ("best combination for all: one over the mean share", ("universal", "share_speedup"), 53.0),
    ("largest error on other machines, %",
     ("validation", "least_error", "machines", "worst", 0), 11.0),
)  # fmt: skip
"""What the paper states further."""


def goals_met(result):
    """Of each goal what is here, and whether that reaches it; what is unknown does not."""
    found = []
    for words, place, sign, goal in GOALS:
        value = at(result, place)
        met = value is not None and (value <= goal if sign == "<=" else value >= goal)
        found.append(
            {"what": words, "figure": ".".join(map(str, place)), "wanted": f"{sign} {goal:g}",
             "here": value, "reached": bool(met)}
        )  # fmt: skip
    return found


def at(result, place):
    """A figure of a result; None where it is unknown."""
    for key in place:
        if result is None:
            return None
        result = result[key]
    return result
