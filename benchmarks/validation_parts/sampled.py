"""Samples beside full simulations, from the kept results of benchmarks.tbpoint and .gtpin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.pages import number, rendered, table
from benchmarks.validation_parts.goals import goals
from benchmarks.validation_parts.status import mark, measured, nothing

TBPOINT, GTPIN = (Path(__file__).with_name(f"{name}.md.j2") for name in ("tbpoint", "gtpin"))
BEST = "least_error"
KINDS = ("trials", "clocks", "machines")
"""The runs that a selection of GT-Pin's is judged by, beside its own."""
Result = Mapping[str, Any]
Row = Mapping[str, Any]


def tbpoint(result: Result | None) -> str:
    """Write the section of TBPoint's samples, the worst kernels first."""
    if result is None:
        return nothing("benchmarks tbpoint --fresh")
    return rendered(
        TBPOINT,
        result,
        state=measured(result),
        goals=_goals("tbpoint", result),
        mean=number(result["error_mean"]),
        intervals=result["intervals"],
        rows=_kernels(result),
    )


def gtpin(result: Result | None) -> str:
    """Write the section of GT-Pin's subsets, the worst applications first."""
    if result is None:
        return nothing("benchmarks gtpin --fresh")
    one = result["universal"]
    return rendered(
        GTPIN,
        result,
        state=measured(result),
        machine=result["machine"],
        goals=_goals("gtpin", result),
        universal=f"{one['division']} x {one['feature']}",
        rows=_applications(result),
    )


def _goals(name: str, result: Result) -> str:
    """Put figures beside what is aimed at, in the benchmark's order."""
    results = {"accuracy": None, "tbpoint": None, "gtpin": None, name: result}
    rows = [
        (one.what, one.wanted, number(one.here), mark(one.met, result)) for one in goals(results)
    ]
    return table(("figure", "goal", "here", "verdict"), rows)


def tbpoint_errors(result: Result) -> list[tuple[Row, float, str]]:
    """Kernels with the error that is farthest off on any machine, and where; worst first.

    Where it is on the paper's own machine, the place is empty.
    """
    found = [(row, *max(_on_machines(result, row), key=_size)) for row in result["rows"]]
    return sorted(found, key=lambda own: -abs(own[1]))


def _on_machines(result: Result, row: Row) -> Iterator[tuple[float, str]]:
    yield row["error"], ""
    for title, rows in result["others"].items():
        yield from ((one["error"], title) for one in rows if one["workload"] == row["workload"])


def _size(pair: tuple[float, str]) -> float:
    return abs(pair[0])


def _kernels(result: Result) -> str:
    header = ("workload", "launches", "CTAs", "farthest off", "on the paper's machine",
              "half of the interval", "holds", "sample")  # fmt: skip
    rows = [
        (row["workload"], number(row["launches"]), number(row["ctas"]), _with_place(error, place),
         f"{row['error']:+.2f} %", _percent(row["half_width"]), _held(row["held"]),
         f"{row['sample']:.1f} %")
        for row, error, place in tbpoint_errors(result)
    ]  # fmt: skip
    return table(header, rows)


def _with_place(error: float, place: str) -> str:
    return f"{error:+.2f} %" + f" ({place})" * bool(place)


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f} %"


def _held(held: bool | None) -> str:
    return "-" if held is None else "yes" if held else "NO"


def gtpin_errors(result: Result) -> list[tuple[Row, float, str]]:
    """Applications with the error that is farthest off in any run, and where; worst first.

    Of the selections with the least errors. Runs of which nothing is known do not count. Where it
    is in the application's own run, the place is empty.
    """
    found = [(row, *max(_in_runs(row[BEST]), key=_size)) for row in result["rows"]]
    return sorted(found, key=lambda own: -own[1])


def _in_runs(selection: Row) -> Iterator[tuple[float, str]]:
    yield selection["error"], ""
    for kind in KINDS:
        yield from _known(selection["validation"][kind])


def _known(judged: Mapping[str, Any]) -> Iterator[tuple[float, str]]:
    yield from ((one["error"], label) for label, one in judged.items() if "error" in one)


def _applications(result: Result) -> str:
    header = ("application", "launches", "own run", "other data", "other clocks",
              "other machines", "speed-up", "best for all", "speed-up")  # fmt: skip
    rows = []
    for row, *_ in gtpin_errors(result):
        own, universal = row[BEST], row["universal"]
        judged = [_judged(own["validation"][kind]) for kind in KINDS]
        rows.append((row["application"], number(row["launches"]), _percent(own["error"]), *judged,
                     number(own["speedup"]), _percent(universal["error"]),
                     number(universal["speedup"])))  # fmt: skip
    return table(header, rows)


def _judged(judged: Mapping[str, Any]) -> str:
    """Show the largest error of runs of one kind, and where; how many are unknown."""
    known = sorted(_known(judged), reverse=True)
    unknown = len(judged) - len(known)
    words = [f"{error:.2f} % ({place})" for error, place in known[:1]]
    return ", ".join(words + [f"{unknown} unknown"] * bool(unknown)) or "-"
