"""Predicted times beside those of real GPUs, from the kept result of benchmarks.accuracy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.accuracy.selecting import TUNED, Amount
from benchmarks.pages import number, rendered, table
from benchmarks.validation_parts.goals import ENGINES, SILICON, met
from benchmarks.validation_parts.status import mark, measured, nothing

TEMPLATE = Path(__file__).with_name("silicon.md.j2")
COMMAND = "benchmarks accuracy-estimate --fresh --data DIR"
TITLES = {"estimate": "Estimates", "simulate": "Simulations"}
WORDS = {"<=": "at most", ">=": "at least"}
MEASURES = {"mape": "MAPE", "median": "median", "p90": "90 %", "bias": "bias", "kendall_tau": "τ",
            "best_pick_slowdown": "pick"}  # fmt: skip
OVERALL = (
    ("mape", "mean error", "%"),
    ("kendall_tau_min", "worst rank correlation", ""),
    ("best_pick_slowdown_max", "worst pick", "×"),
    ("warp_inst_error_median", "instructions off by, in the median", "%"),
    ("groups", "kernels on GPUs", ""),
    ("rows", "rows", ""),
    ("problems", "rows without a prediction", ""),
)
Result = Mapping[str, Any]
Groups = Iterable[Mapping[str, Any]]


def section(result: Result | None) -> str:
    """Write the section; of each engine what was kept of it, and of neither where nothing was."""
    if result is None:
        return nothing(COMMAND)
    there = [engine for engine in ENGINES if engine in result]
    return rendered(
        TEMPLATE,
        result,
        states={engine: measured(result["by_engine"][engine]) for engine in there},
        titles=TITLES,
        missing=", ".join(result["missing"]),
        unfinished={engine: _unfinished(result, engine) for engine in ENGINES},
        overall=_overall(result, there),
        tuned=", ".join(TUNED),
        simulated=Amount().simulated,
        kernels={engine: _kernels(_compared(result, engine)) for engine in there},
        problems={engine: _problems(_compared(result, engine)) for engine in there},
    )


def with_unit(value: float | None, unit: str) -> str:
    """Write a figure with its unit; a dash where it is unknown."""
    text = str(number(value))
    return text if value is None or not unit else f"{text} {unit}"


def worst_first(groups: Groups) -> list[Mapping[str, Any]]:
    """Put kernels in order: those without any figure first, then by their mean error."""
    return sorted(groups, key=lambda one: -(float("inf") if one["mape"] is None else one["mape"]))


def place_of(one: Mapping[str, Any]) -> tuple[str, str, str]:
    """Name what the figures of a kernel are of: data set, GPU, kernel."""
    return one["dataset"], one["gpu"].replace("_", " "), one["kernel"]


def _kernels(groups: Groups) -> str:
    """List the figures of kernels, the worst first."""
    header = ["data set", "GPU", "kernel", "rows", *MEASURES.values()]
    rows = ((*place_of(one), number(one["rows"]), *(number(one[key]) for key in MEASURES))
            for one in worst_first(groups))  # fmt: skip
    return str(table(header, rows))


def _problems(groups: Groups) -> str:
    """List why rows have no prediction, and of how many; the most first."""
    found = [(*place_of(one), count, reason)
             for one in groups for reason, count in one["reasons"].items()]  # fmt: skip
    found.sort(key=lambda own: -own[3])
    rows = ((*place, number(count), reason) for *place, count, reason in found)
    return str(table(("data set", "GPU", "kernel", "rows", "why"), rows))


def _compared(result: Result, engine: str) -> list[Mapping[str, Any]]:
    """Kernels without those that models are calibrated with."""
    return [one for one in result[engine]["groups"] if not one["apart"]]


def _unfinished(result: Result, engine: str) -> str:
    """Name the data sets that an engine has not been asked yet; all where nothing was kept."""
    if engine not in result:
        return "all data sets"
    names = result["by_engine"][engine]["unfinished"]
    return ", ".join(name.partition("/")[2] for name in names)


def _overall(result: Result, there: list[str]) -> str:
    """Put the figures of engines beside the goals."""
    header = ["figure", "goal", *(word for engine in there for word in (engine, "verdict"))]
    extra = result.get("simulate", {}).get("estimate_of_these")
    if extra is not None:
        header.append("estimate of the simulated rows")
    rows = []
    for key, name, unit in OVERALL:
        row = [name, _goal(key, unit)]
        for engine in there:
            value = result[engine]["overall"][key]
            row += [with_unit(value, unit), _judged(key, value, result["by_engine"][engine])]
        rows.append(row if extra is None else [*row, with_unit(extra[key], unit)])
    return table(header, rows)


def _goal(key: str, unit: str) -> str:
    if key not in SILICON:
        return ""
    sign, limit = SILICON[key]
    return f"{WORDS[sign]} {limit:g} {unit}".rstrip()


def _judged(key: str, value: float | None, state: Result) -> str:
    return mark(met(key, value), state) if key in SILICON else ""
