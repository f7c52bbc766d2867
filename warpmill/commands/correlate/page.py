"""The page of ``correlate``: errors by machine, and the rows, those with the largest first."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.correlate.result import (
    ColumnFacts,
    CorrelatedRowFacts,
    CorrelateReport,
    GroupFacts,
)
from warpmill.report.base import Mark
from warpmill.report.page import SIGNS, Page, figure, percent, signed_percent
from warpmill.report.words import plural

_ROWS = 10
_REASONS = 5

_ROLES = {"time": "measured time", "args": "arguments", "unit": "unit of the time"}
_WHY = {
    "named": "named",
    "guessed": "guessed by its header",
    "size": "a target has a size of this name",
}


def correlate_page(report: CorrelateReport, page: Page) -> None:
    """Show how measurements and estimates agree."""
    page.title(f"correlate: {report.file}")
    page.facts(_facts(report))
    page.heading("columns")
    page.table(
        ("column", "taken for", "how"),
        [(c.column, *_taken(c)) for c in report.columns if c.taken_for is not None],
        left=(0, 1, 2),
        wrap=(0,),
    )
    unused = [c.column for c in report.columns if c.taken_for is None]
    if unused:
        page.line(f"not used: {', '.join(unused)}")
    _agreement(report, page)
    _rows(report, page)
    _left_out(report, page)


def _facts(report: CorrelateReport) -> Iterator[tuple[str, str]]:
    left = len(report.not_estimated)
    without = f"; {left:,} without an estimate" if left else ""
    yield "rows", f"{report.table_rows:,}{without}"
    yield "estimated", f"{report.estimates:,}, each launch once a machine, by {report.engine}"
    if report.overrides:
        yield "set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())
    for gpu in report.gpus:
        if gpu.gpu != gpu.machine:
            product = "" if gpu.machine_name is None else f" ({gpu.machine_name})"
            yield "machine", f"{gpu.gpu}: {gpu.machine}{product}"


def _taken(column: ColumnFacts) -> tuple[str, str]:
    """Say what a column is taken for, and why."""
    why = _WHY[str(column.how)]
    if column.size is not None:
        return f"size {column.size}", why
    words = _ROLES.get(str(column.taken_for), str(column.taken_for).replace("_", " "))
    return (words if column.unit is None else f"{words}, in {column.unit}"), why


def _agreement(report: CorrelateReport, page: Page) -> None:
    page.heading("errors of estimated times, (estimated - measured) / measured")
    header = ("machine", "rows", "MAPE", "median", "bias", "worst", "ratio", "Pearson", "Kendall")
    page.table(header, [_group(group) for group in report.groups], wrap=(0,))
    page.line(
        "MAPE: mean absolute error; median: of absolute errors; bias: mean error; ratio: geometric "
        "mean of estimated over measured; Pearson: of the logarithms of times; Kendall: tau-b"
    )
    for group in report.groups:
        reasons = {"Pearson": group.pearson_log_reason, "Kendall": group.kendall_tau_b_reason}
        names = [name for name, reason in reasons.items() if reason is not None]
        if names:
            why = next(reason for reason in reasons.values() if reason is not None)
            page.line(f"{_name(group)}: no {' and '.join(names)}: {why}")


def _name(group: GroupFacts) -> str:
    return "all" if group.machine is None else group.machine


def _group(group: GroupFacts) -> tuple[str, ...]:
    marks = group.marks
    return (
        _name(group),
        f"{group.rows:,}",
        percent(group.mean_absolute_error_fraction, marks["mean_absolute_error_fraction"]),
        percent(group.median_absolute_error_fraction, marks["median_absolute_error_fraction"]),
        signed(group.bias_fraction, marks["bias_fraction"]),
        signed(group.worst_error_fraction, marks["worst_error_fraction"]),
        figure(group.geometric_mean_ratio, marks["geometric_mean_ratio"], digits=3),
        figure(group.pearson_log, marks["pearson_log"], digits=3),
        figure(group.kendall_tau_b, marks["kendall_tau_b"], digits=3),
    )


def signed(fraction: float, mark: Mark) -> str:
    """Write an error with its sign: ``+12.3%~``; from 99.95% on without decimals."""
    small = abs(round(fraction, 3)) < 1
    return f"{signed_percent(fraction) if small else f'{fraction:+,.0%}'}{SIGNS[mark]}"


def _rows(report: CorrelateReport, page: Page) -> None:
    shown = report.rows if page.style.verbose else report.rows[:_ROWS]
    page.heading(f"rows: {len(report.rows):,}, largest error first")
    header = ("line", "launch", "machine", "measured µs", "estimated µs", "error")
    page.table(header, [_row(row) for row in shown], left=(1, 2), wrap=(1, 2))
    if len(shown) < len(report.rows):
        page.line(f"and {len(report.rows) - len(shown):,} more (--verbose)")


def _row(row: CorrelatedRowFacts) -> tuple[str, ...]:
    sizes = "".join(f" {name}={value}" for name, value in row.sizes.items())
    return (
        str(row.line),
        f"{row.launch}{sizes}",
        row.machine,
        figure(row.measured_us, row.marks["measured_us"]),
        figure(row.estimated_us, row.marks["estimated_us"]),
        signed(row.error_fraction, row.marks["error_fraction"]),
    )


def _left_out(report: CorrelateReport, page: Page) -> None:
    """List the rows without an estimate, those of one reason together."""
    if not report.not_estimated:
        return
    lines: dict[str, list[int]] = {}
    for one in report.not_estimated:
        lines.setdefault(one.reason, []).append(one.line)
    page.heading(f"without an estimate: {plural(len(report.not_estimated), 'row')}")
    said = [f"{_lines(found)}: {reason}" for reason, found in lines.items()]
    page.items(said, None if page.style.verbose else _REASONS, " reasons (--verbose)")


def _lines(found: list[int]) -> str:
    if len(found) == 1:
        return f"line {found[0]}"
    more = f" and {len(found) - _REASONS} more" if len(found) > _REASONS else ""
    return f"lines {', '.join(str(line) for line in found[:_REASONS])}{more}"
