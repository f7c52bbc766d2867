"""docs/accuracy.md, written from a result of benchmarks.accuracy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.accuracy_parts import plots
from benchmarks.accuracy_parts.selecting import TUNED, Amount
from benchmarks.accuracy_parts.simulating import MOST_INSTRUCTIONS
from benchmarks.pages import number, rendered, table

TEMPLATE = Path(__file__).with_name("page.md.j2")
MEASURES = (
    ("mape", "MAPE"),
    ("median", "median"),
    ("p90", "90 %"),
    ("bias", "bias"),
    ("kendall_tau", "τ"),
    ("best_pick_slowdown", "pick"),
)
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
Groups = Sequence[Mapping[str, Any]]


def write(result: Result, docs: Path) -> None:
    """Write the page and its pictures into a folder."""
    pictures = docs / "accuracy"
    pictures.mkdir(exist_ok=True)
    plots.draw(result, pictures)
    (docs / "accuracy.md").write_text(page(result), "utf-8")


def page(result: Result) -> str:
    """Write the page; a result without simulations has none on it."""
    amount, estimated = Amount(), result["estimate"]["groups"]
    simulated = result.get("simulate", {"groups": (), "extrapolation": ()})
    return rendered(
        TEMPLATE,
        result,
        simulate="simulate" in result,
        overall=_overall(result),
        tuned=", ".join(TUNED),
        missing=", ".join(result["missing"]),
        data=_data(estimated),
        errors=amount.errors,
        ranked=f"{amount.ranked:,}",
        simulated=amount.simulated,
        most_instructions=f"{MOST_INSTRUCTIONS:,}",
        estimate_rows=_kernels_with_code(one for one in estimated if not one["apart"]),
        estimate_problems=problems(estimated),
        simulate_rows=_kernels_with_code(simulated["groups"]),
        simulate_problems=problems(simulated["groups"]),
        extrapolation=_extrapolation(simulated["extrapolation"]),
        rankings=_rankings(estimated),
        apart=_kernels_with_code(one for one in estimated if one["apart"]) or "None was compared.",
    )


def _overall(result: Result) -> str:
    """Put the engines' overall figures side by side."""
    columns = {"estimate": result["estimate"]["overall"]}
    if "simulate" in result:
        columns["simulate"] = result["simulate"]["overall"]
        columns["estimate of the simulated rows"] = result["simulate"]["estimate_of_these"]
    return table(
        ["", *columns],
        ([name, *(with_unit(own[key], unit) for own in columns.values())]
         for key, name, unit in OVERALL),
    )  # fmt: skip


def with_unit(value: float | None, unit: str) -> str:
    """Write a figure with its unit; a dash where it is unknown."""
    text = number(value)
    return text if value is None or not unit else f"{text} {unit}"


def _data(groups: Groups) -> str:
    """How many rows of each data set are compared."""
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for one in groups:
        by_name.setdefault(one["dataset"], []).append(one)
    return table(
        ("data set", "GPUs", "kernels", "rows with errors", "mean error"),
        ((name, ", ".join(sorted({one["gpu"].replace("_", " ") for one in own})),
          str(len({one["kernel"] for one in own})), number(sum(one["rows"] for one in own)),
          f"{_mean(own)} (apart)" if own[0]["apart"] else _mean(own))
         for name, own in by_name.items()),
    )  # fmt: skip


def _mean(groups: Groups) -> str:
    known = [one["mape"] for one in groups if one["mape"] is not None]
    return f"{number(sum(known) / len(known))} %" if known else "-"


def worst_first(groups: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Put kernels in order: those without any figure first, then by their mean error."""
    return sorted(groups, key=lambda one: -(float("inf") if one["mape"] is None else one["mape"]))


def kernels(groups: Iterable[Mapping[str, Any]]) -> str:
    """List the figures of kernels, the worst first."""
    header = ["data set", "GPU", "kernel", "rows", *(name for _, name in MEASURES)]
    return table(header, ((*place_of(one), *_measures(one)) for one in worst_first(groups)))


def _kernels_with_code(groups: Iterable[Mapping[str, Any]]) -> str:
    """List kernels with what their code was made by, and how long a row took."""
    return table(
        ("data set", "GPU", "kernel", "rows", *(name for _, name in MEASURES),
         "s a row", "code", "registers"),
        ((*place_of(one), *_measures(one), number(one["seconds_a_row"]),
          ", ".join(one["compilers"]) or "-", ", ".join(one["registers"]) or "-")
         for one in worst_first(groups)),
    )  # fmt: skip


def place_of(one: Mapping[str, Any]) -> tuple[str, str, str]:
    """Name what the figures of a kernel are of: data set, GPU, kernel."""
    return one["dataset"], one["gpu"].replace("_", " "), one["kernel"]


def _measures(one: Mapping[str, Any]) -> list[str]:
    return [number(one["rows"]), *(number(one[key]) for key, _ in MEASURES)]


def problems(groups: Iterable[Mapping[str, Any]]) -> str:
    """List why rows have no prediction, and of how many; the most first."""
    found = [(*place_of(one), count, reason)
             for one in groups for reason, count in one["reasons"].items()]  # fmt: skip
    found.sort(key=lambda own: -own[3])
    return table(
        ("data set", "GPU", "kernel", "rows", "why"),
        ((*place, number(count), reason) for *place, count, reason in found),
    )


def _rankings(groups: Groups) -> str:
    return table(
        ("data set", "GPU", "configurations", "τ", "pick"),
        ((one["dataset"], one["gpu"].replace("_", " "), number(one["ranked"]),
          number(one["kendall_tau"]), number(one["best_pick_slowdown"]))
         for one in groups if one["dataset"] in TUNED),
    ) or "None was compared."  # fmt: skip


def _extrapolation(rows: Iterable[Mapping[str, Any]]) -> str:
    return table(
        ("data set", "GPU", "kernel", "configuration", "simulated", "error of continuing"),
        ((one["dataset"], one["gpu"].replace("_", " "), one["kernel"], one["config"],
          f"{100 * one['share']:.0f} %", one["problem"] or f"{one['error']:+.1f} %")
         for one in rows),
    ) or "None was short enough."  # fmt: skip
