"""What was to be reached, and what the paper has beside it (§V)."""

from __future__ import annotations

GOALS = (
    ("geometric mean of errors, %", ("error_geomean",), 0.47),
    ("geometric mean of samples, %", ("sample_geomean",), 2.6),
    ("largest error, %", ("worst_error",), 5.0),
    ("largest error with other warps and SMs, %", ("worst_sensitivity",), 14.0),
)
"""What, where it is in the result, how much at most."""

PAPER = (
    ("Ideal-SimPoint: geometric mean of errors, %", ("simpoint", "error_geomean"), 1.74),
    ("Ideal-SimPoint: geometric mean of samples, %", ("simpoint", "sample_geomean"), 5.4),
    ("Ideal-SimPoint: largest error, %", ("simpoint", "worst_error"), 8.5),
    ("Random: geometric mean of errors, %", ("random", "error_geomean"), 7.95),
    ("Random: geometric mean of samples, %", ("random", "sample_geomean"), 10.0),
    ("sample of mst, %", ("mst_sample",), 55.0),
    ("kernels of type I: mean sample over Ideal-SimPoint's, %", ("irregular_share",), 50.5),
)
"""What the paper states further."""


def goals_met(result):
    """Of each goal what is here, and whether that reaches it; what is unknown does not."""
    found = []
    for words, place, goal in GOALS:
        here = at(result, place)
        found.append({"what": words, "figure": place[0], "wanted": goal, "here": here,
                      "reached": here is not None and here <= goal})  # fmt: skip
    return found


def at(result, place):
    """A figure of a result; None where it is unknown."""
    for key in place:
        result = None if result is None else result.get(key)
    return result
