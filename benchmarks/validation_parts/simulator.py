"""Simulations beside GPGPU-Sim's, from the kept result of benchmarks.simulate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.execution.gpgpusim import RACING
from benchmarks.pages import rendered, table
from benchmarks.validation_parts.status import measured, nothing

TEMPLATE = Path(__file__).with_name("simulator.md.j2")
COMMAND = "benchmarks.simulate --fresh"
MOST_OFF = 20
NAMES = {
    "thread_insts": "thread instructions",
    "warp_insts": "warp instructions",
    "global_read_transactions": "sectors read from L2",
    "global_write_transactions": "sectors written to L2",
    "l1d_accesses": "sectors at L1",
}
Result = Mapping[str, Any]
Rows = Iterable[Mapping[str, Any]]


def section(result: Result | None) -> str:
    """Write the section: sums, programs, counts and launches, in each table the worst first."""
    if result is None:
        return nothing(COMMAND)
    found = result["gpgpusim"]
    return rendered(
        TEMPLATE,
        result,
        state=measured(result),
        summary=_summary(found),
        programs=_programs(found),
        racing=f"{max(RACING.values()):.0%}",
        counts=_counts(found),
        counts_off=_counts_off(found["counts_off"]),
        rows=_launches(found["agreement_rows"]),
    )


def place_of(one: Mapping[str, Any]) -> str:
    """Name a launch: the program, its input, the configuration and the suite."""
    return f"{one['program']} {one['input']}, {one['config']}, {one['suite']}"


def _summary(found: Result) -> str:
    worst = found["worst"]
    return table(
        ("what", "figure"),
        [
            ("launches", f"{found['rows']}"),
            ("mean error of cycles", f"{found['mape']:.1%}"),
            ("mean error with its sign, over launches", f"{found['bias']:+.1%}"),
            ("worst launch", f"{worst['error']:+.1%} ({place_of(worst)})"),
            ("correlation of log cycles (Pearson)", _known(found["pearson"], ".4f")),
            ("hit rate of L1 off by", _known(found["l1_hit_error_points"], ".3f", " points")),
            ("hit rate of L2 off by", _known(found["l2_hit_error_points"], ".3f", " points")),
            ("as many CTAs an SM", _of(found["ctas_per_sm_equal"])),
            ("limited by the same resources", _of(found["limiters_equal"])),
        ],
    )


def _known(value: float | None, digits: str, unit: str = "") -> str:
    return "-" if value is None else f"{value:{digits}}{unit}"


def _of(pair: Sequence[int]) -> str:
    return f"{pair[0]} of {pair[1]}"


def _programs(found: Result) -> str:
    names = sorted(found["mape_by_program"], key=lambda name: -found["mape_by_program"][name])
    rows = [(name, *_program(found, name)) for name in names]
    return table(("program", "launches", "mean error", "with its sign", "from", "to"), rows)


def _program(found: Result, name: str) -> tuple[str, ...]:
    errors = [row["error"] for row in found["agreement_rows"] if row["program"] == name]
    signed = (f"{e:+.1%}" for e in (fmean(errors), min(errors), max(errors)))
    return (f"{len(errors)}", f"{found['mape_by_program'][name]:.1%}", *signed)


def _counts(found: Result) -> str:
    equal, exact = found["counts_equal"], found["counts_exact"]
    names = sorted(NAMES, key=lambda name: (equal[name][0], exact[name][0]))
    rows = [(NAMES[name], _of(equal[name]), _of(exact[name])) for name in names]
    return table(("count", "equal", "without any difference"), rows)


def _counts_off(rows: Rows) -> str:
    """Tell the counts that are not equal."""
    ordered = sorted(rows, key=lambda row: -row["off"])
    if not ordered:
        return "All are equal."
    header = ("program", "input", "where", "launch", "count", "here", "there", "off")
    left = len(ordered) - MOST_OFF
    more = f"\n\nand {left} that are less off." if left > 0 else ""
    return f"Not equal:\n\n{table(header, map(_count_off, ordered[:MOST_OFF]))}{more}"


def _count_off(row: Mapping[str, Any]) -> tuple[str, ...]:
    off = (row["ours"] - row["reference"]) / max(1, row["reference"])
    where = f"{row['config']}, {row['suite']}"
    here, there = f"{row['ours']:,}", f"{row['reference']:,}"
    return (row["program"], row["input"], where, f"{row['launch']}", NAMES[row["count"]],
            here, there, f"{off:+.2%}")  # fmt: skip


def _launches(rows: Rows) -> str:
    header = (
        "error", "suite", "program", "input", "configuration", "launch", "cycles", "GPGPU-Sim",
        "L1 hits", "L2 hits", "reads", "writes", "CTAs",
    )  # fmt: skip
    return table(header, map(_launch, sorted(rows, key=lambda row: -abs(row["error"]))))


def _launch(row: Mapping[str, Any]) -> tuple[str, ...]:
    counts = row["counts"]
    return (
        f"{row['error']:+.1%}",
        *(f"{row[key]}" for key in ("suite", "program", "input", "config", "launch")),
        *(f"{n:,}" for n in row["cycles"]),
        _rates(row["l1_hit_rate"]),
        _rates(row["l2_hit_rate"]),
        _pair(counts["global_read_transactions"]),
        _pair(counts["global_write_transactions"]),
        _pair(row["ctas_per_sm"]),
    )


def _rates(pair: Sequence[float | None]) -> str:
    return " / ".join(_known(rate, ".1%") for rate in pair)


def _pair(pair: Sequence[int]) -> str:
    """Show two figures; one where they are equal."""
    return f"{pair[0]:,}" if pair[0] == pair[1] else f"{pair[0]:,} / {pair[1]:,}"
