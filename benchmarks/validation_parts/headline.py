"""The headline figures of docs/validation.md as data, each section with when it was measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.validation_parts.glance import worst_kernel
from benchmarks.validation_parts.goals import ENGINES, Goal, goals
from benchmarks.validation_parts.sampled import gtpin_errors, tbpoint_errors
from benchmarks.validation_parts.status import when

SIMULATOR = (
    "rows", "mape", "bias", "worst", "pearson", "l1_hit_error_points", "l2_hit_error_points",
    "counts_equal", "ctas_per_sm_equal", "limiters_equal",
)  # fmt: skip
ENGINES_APART = ("engines_apart", "engines_compared", "engines_ratio_median", "differs")
TBPOINT = ("error_geomean", "error_mean", "worst_error", "worst_sensitivity", "sample_geomean",
           "intervals", "speedup")  # fmt: skip
GTPIN = ("least_error", "threshold10", "universal")
Result = Mapping[str, Any]


def headline(results: Mapping[str, Result | None]) -> dict[str, Any]:
    """The figures of all sections; None for what nothing is kept of."""
    return {
        "benchmark": "validation",
        "silicon": {engine: _of_engine(results["accuracy"], engine) for engine in ENGINES},
        "simulator": _simulator(results["simulate"]),
        "engines": _engines(results["engines"]),
        "sampled": {
            "tbpoint": _tbpoint(results["tbpoint"]),
            "gtpin": _gtpin(results["gtpin"]),
        },
        "goals": list(map(_goal, goals(results))),
    }


def _of_engine(result: Result | None, engine: str) -> dict[str, Any] | None:
    """The figures in percent of the measured time, and the worst kernel."""
    if result is None or engine not in result:
        return None
    state, worst = result["by_engine"][engine], worst_kernel(result, engine)
    keys = ("dataset", "gpu", "kernel", "mape")
    return {
        **result[engine]["overall"],
        "worst": None if worst is None else {key: worst[key] for key in keys},
        **when(state),
        "unfinished": state["unfinished"],
    }


def _simulator(result: Result | None) -> dict[str, Any] | None:
    """The figures beside GPGPU-Sim; errors are shares."""
    if result is None:
        return None
    return {**{key: result["gpgpusim"][key] for key in SIMULATOR}, **when(result)}


def _engines(result: Result | None) -> dict[str, Any] | None:
    """How far apart the two engines are, in percent of launches."""
    return None if result is None else {key: result[key] for key in ENGINES_APART} | when(result)


def _tbpoint(result: Result | None) -> dict[str, Any] | None:
    """The figures of TBPoint in percent, and the worst kernel of all machines."""
    if result is None:
        return None
    row, error, place = tbpoint_errors(result)[0]
    worst = {"workload": row["workload"], "error": error, "machine": place or None}
    return {**{key: result[key] for key in TBPOINT}, "worst": worst, **when(result)}


def _gtpin(result: Result | None) -> dict[str, Any] | None:
    """The figures of GT-Pin in percent, and the worst application of all runs."""
    if result is None:
        return None
    row, error, place = gtpin_errors(result)[0]
    worst = {"application": row["application"], "error": error, "run": place or None}
    return {**{key: result[key] for key in GTPIN}, "worst": worst, **when(result)}


def _goal(goal: Goal) -> dict[str, Any]:
    told = {key: getattr(goal, key) for key in ("of", "figure", "wanted", "here", "met")}
    return {**told, "reached": goal.reached}
