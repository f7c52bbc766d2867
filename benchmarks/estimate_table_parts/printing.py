"""The figures as text for people, and all rows as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.estimate_table_parts.points import Stretch
from benchmarks.estimate_table_parts.spaces import PAPER_CONFIGURATIONS

COLUMNS = (
    "application", "kernel", "configuration", "gpu", "predicted_us", "ms", "trace", "cannot_run",
    "problem",
)  # fmt: skip


def table(result: Mapping[str, Any]) -> Iterator[str]:
    """Lay the figures out."""
    yield (
        f"{'kernel':<21}{'config.':>9}{'estimates':>10}{'cannot':>8}{'trace':>9}{'kept':>9}{'paper':>8}"
        f"{'ms':>9}{'p95':>9}{'paper':>10}{'grows':>8}{'fall':>7}"
    )
    for one in result["kernels"]:
        yield (
            f"{one['name']:<21}{one['configurations']:>9,}{one['estimates']:>10,}"
            f"{one['cannot_run']:>8,}{_number(one['trace'], 9, 0)}"
            f"{_number(one['kept_trace'], 9, 0)}{one['paper_trace']:>8,}"
            f"{_number(one['time_per_estimate_ms'], 9, 1)}{_number(one['p95_ms'], 9, 1)}"
            f"{one['paper_ms']:>10,.1f}{_number(one['grows_percent'], 7, 1)}%"
            f"{_number(one['largest_fall_percent'], 6, 0)}%"
        )
        yield from _reasons(one)
    yield (
        f"{result['configurations']:,} configurations (the paper: {PAPER_CONFIGURATIONS:,}), "
        f"{result['estimates']:,} estimates, {result['cannot_run']:,} that a GPU cannot run, "
        f"{result['problems']:,} problems; {result['cpu_s'] / 3600:.2f} hours of one core, "
        f"{result['whole_cpu_s'] / 3600:.1f} for an estimate of each configuration"
    )
    yield (
        f"mean over kernels: {_number(result['time_per_estimate_ms'], 0, 1)} ms an estimate (the "
        f"paper: {result['paper_time_per_estimate_ms']:,.1f} ms), trace of "
        f"{_number(result['trace'], 0, 0)} instructions (the paper: "
        f"{result['paper_trace']:,.0f}); over estimates: {_number(result['time_of_all_ms'], 0, 1)}"
        f" ms; {_number(result['times_faster'], 0, 2)} times as fast as the paper's in the "
        "geometric mean over kernels"
    )
    yield (
        f"slower than the paper's: {', '.join(result['slower']) or 'none'}; times grow in "
        f"{_number(result['grows_percent'], 0, 1)} % of neighbours"
    )


def _reasons(one: Mapping[str, Any]) -> Iterator[str]:
    """How often what was wrong; why a GPU cannot run a launch is in the page."""
    for reason, count in one["problem_reasons"].items():
        yield f"  {count:,} problems: {reason}"


def _number(value: float | None, width: int, digits: int) -> str:
    return f"{'-' if value is None else f'{value:,.{digits}f}':>{width}}"


def write_rows(path: Path, found: Iterable[Stretch]) -> None:
    """Write a line for each configuration and GPU as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for one in found:
            writer.writerows(_lines(one))


def _lines(one: Stretch) -> Iterator[list[Any]]:
    kernel, along = one.kernel, one.kernel.along.name
    for place, value in enumerate(one.values):
        sizes = {**one.line.held, along: value}
        words = " ".join(f"{name}={size}" for name, size in sizes.items())
        for gpu, times in one.us.items():
            yield [
                kernel.application, kernel.name, words, gpu, times[place], one.ms[place],
                one.trace[place], one.cannot_run[gpu][place], one.problem[gpu][place],
            ]  # fmt: skip
