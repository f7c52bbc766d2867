"""What was to be reached, most of it what the paper states (§7)."""

from __future__ import annotations

AT_MOST, AT_LEAST = "at most", "at least"

GOALS = (
    ("mean error, 300 samples, %", ("mean_error_300",), AT_MOST, 1.1),
    ("largest mean error of a workload, 300 samples, %", ("worst_error_300",), AT_MOST, 3.8),
    (
        "largest mean error of a workload, 300 samples, AES tail-adjusted, %",
        ("worst_error_300_adjusted",),
        AT_MOST,
        2.3,
    ),
    ("largest error of a point, 300 samples, %", ("max_error_300",), AT_MOST, 31.0),
    (
        "largest error of a point, 300 samples, without AES, %",
        ("max_error_300_without_aes",),
        AT_MOST,
        15.0,
    ),
    ("largest mean error, 60 samples, AES tail-adjusted, %", ("worst_error_60",), AT_MOST, 5.0),
    ("mean R², 300 samples", ("mean_r_squared",), AT_LEAST, 0.976),
    ("300 points on 2 cores, s", ("speed", "simulations", "seconds"), AT_MOST, 600.0),
    ("fitting a model, s", ("speed", "models", "fit_s"), AT_MOST, 2.0),
    ("predicting the whole space, s", ("speed", "models", "predict_s"), AT_MOST, 10.0),
)
"""What, where it is in the result, and how much at most, or at least."""


def goals_met(result):
    """Of each goal what is here, and whether that reaches it; what is unknown does not."""
    found = []
    for words, place, side, goal in GOALS:
        here = at(result, place)
        reached = here is not None and (here <= goal if side == AT_MOST else here >= goal)
        found.append({"what": words, "figure": ".".join(place), "side": side, "wanted": goal,
                      "here": here, "reached": reached})  # fmt: skip
    return found


def at(result, place):
    """A figure of a result; None where it is unknown."""
    for key in place:
        result = None if result is None else result.get(key)
    return result
