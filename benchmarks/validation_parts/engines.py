"""Estimates beside simulations of the same launches, from the kept result of benchmarks.engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.engines import APART, BENCHMARK
from benchmarks.pages import number, rendered, table
from benchmarks.validation_parts.status import mark, measured, nothing

TEMPLATE = Path(__file__).with_name("engines.md.j2")
COMMAND = "benchmarks engines --fresh"
GOAL = BENCHMARK.goals[0].bar or 0.0
HEADER = (
    "ratio", "workload", "launch", "machine", "estimated, µs", "simulated, µs", "bound, estimated",
    "warps wait for, simulated", "differs most in", "estimated, µs", "simulated, µs",
)  # fmt: skip
Result = Mapping[str, Any]


def section(result: Result | None) -> str:
    """Write the section: the sums, what differs, and each launch that is apart, furthest first."""
    if result is None:
        return nothing(COMMAND)
    met = result["engines_apart"] == GOAL
    return rendered(
        TEMPLATE,
        result,
        state=measured(result),
        most=f"{APART - 1:.0%}",
        share=f"{result['engines_apart']} %",
        compared=f"{result['engines_compared']:,}",
        median=f"{result['engines_ratio_median']}",
        goal=f"{GOAL:g} %",
        mark=mark(met, result),
        causes=table(("cause", "launches"), [(c, f"{n}") for c, n in result["differs"].items()]),
        rows=table(HEADER, map(_row, apart(result["rows"]))),
    )


def apart(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows whose durations differ by more than a quarter, the furthest first."""
    return sorted((row for row in rows if _factor(row) > APART), key=lambda row: -_factor(row))


def _factor(row: Mapping[str, Any]) -> float:
    ratio = float(row["estimated_us"] / row["simulated_us"])
    return max(ratio, 1 / ratio)


def _row(row: Mapping[str, Any]) -> tuple[str, ...]:
    own = row["differs"]
    return (
        f"{row['estimated_us'] / row['simulated_us']:.2f}",
        row["workload"], f"{row['launch']}", row["machine"],
        number(row["estimated_us"]), number(row["simulated_us"]),
        row["bound"], row["waits"], own["cause"],
        number(own["estimated_us"]), number(own["simulated_us"]),
    )  # fmt: skip
