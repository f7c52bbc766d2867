"""The page of ``correlate``: how times agree by machine, rows, columns; and the rows as CSV.

Its charts: estimated over measured times, and the largest errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from warpmill.commands.correlate.plot import FACTORS, limits
from warpmill.commands.correlate.result import CorrelateReport
from warpmill.measurements.columns import MeasurementColumn
from warpmill.measurements.correlated_rows import CorrelatedRow
from warpmill.report.assumed import shown_value
from warpmill.report.charts import Axis, BarChart, Chart, Point, PointSeries, Series, XyChart
from warpmill.report.page import Page, signed_percent
from warpmill.report.read import labelled
from warpmill.report.sections import Charts, Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import plural

_REASONS = 5
_FEW_METRICS = 8

_ROLES = {"time": "measured time", "args": "arguments", "unit": "unit of the time"}
_WHY = {
    "named": "named",
    "guessed": "guessed by its header",
    "size": "a target has a size of this name",
    "page": "Nsight Compute's page has it",
}


def _head(page: Page, report: CorrelateReport) -> None:
    page.title(f"correlate: {report.file}")
    if held := report.correlation.sentence:
        page.line(held, "error" if report.correlation.exceeding else "good")
    page.line(report.answer)
    page.facts(_facts(report))


def _not_compared(page: Page, report: CorrelateReport) -> None:
    found = report.correlation
    if found.counters:
        page.line("errors of figures in per cent are differences; of others, as those of times")
    if found.not_compared:
        few = found.not_compared if page.style.verbose else found.not_compared[:_FEW_METRICS]
        more = len(found.not_compared) - len(few)
        rest = f" and {more:,} more (--verbose)" if more else ""
        page.line(f"not compared, as {found.how.engine} has no figure: {', '.join(few)}{rest}")


def _facts(report: CorrelateReport) -> Iterator[tuple[str, str]]:
    left = len(report.correlation.left_out)
    without = f"; {left:,} without an estimate" if left else ""
    yield "rows", f"{report.table_rows:,}{without}"
    found, overrides = report.correlation, report.correlation.how.overrides
    yield "estimated", f"{found.estimates:,}, each launch once a machine, by {found.how.engine}"
    if overrides:
        yield "set", ", ".join(f"{k} = {shown_value(v)}" for k, v in sorted(overrides.items()))
    for gpu in report.correlation.machines:
        if gpu.gpu != gpu.machine:
            product = "" if gpu.machine_name is None else f" ({gpu.machine_name})"
            yield "machine", f"{gpu.gpu}: {gpu.machine}{product}"


def signed(fraction: float | None) -> str | None:
    """An error with its sign: ``+12.3%``; from 99.95% on without decimals."""
    if fraction is None:
        return None
    small = abs(round(fraction, 3)) < 1
    return signed_percent(fraction) if small else f"{fraction:+,.0%}"


def _three(value: float | None) -> str | None:
    return None if value is None else f"{value:.3f}"


def _name(machine: str | None) -> str:
    return "all" if machine is None else machine


def _meanings(page: Page, report: CorrelateReport) -> None:
    page.line(
        "errors are (estimated - measured) / measured. MAPE: mean absolute error; median: of "
        "absolute errors; bias: mean error; ratio: geometric mean of estimated over measured; "
        "Pearson: of the logarithms of times; Kendall: tau-b"
    )
    for group in report.groups:
        own = group.agreement
        reasons = {"Pearson": own.pearson_log.reason, "Kendall": own.kendall_tau_b.reason}
        told = {name: reason for name, reason in reasons.items() if reason is not None}
        if told:
            why = next(iter(told.values()))
            page.line(f"{_name(group.machine)}: no {' and '.join(told)}: {why}")


def launch_words(row: CorrelatedRow) -> str:
    """A launch with its sizes."""
    return f"{row.launch}{_typed(row.sizes)}"


def _typed(sizes: Mapping[str, int]) -> str:
    return "".join(f" {name}={value}" for name, value in sizes.items())


def _left_out(page: Page, report: CorrelateReport) -> None:
    """The rows without an estimate, those of one reason together."""
    if not report.correlation.left_out:
        return
    lines: dict[str, list[int]] = {}
    for one in report.correlation.left_out:
        lines.setdefault(one.reason, []).append(one.measured.line)
    page.heading(f"Without an estimate: {plural(len(report.correlation.left_out), 'row')}")
    said = [f"{_lines(found)}: {reason}" for reason, found in lines.items()]
    page.items(said, None if page.style.verbose else _REASONS, " reasons (--verbose)")


def _lines(found: list[int]) -> str:
    if len(found) == 1:
        return f"line {found[0]}"
    more = f" and {len(found) - _REASONS} more" if len(found) > _REASONS else ""
    return f"lines {', '.join(str(line) for line in found[:_REASONS])}{more}"


def _taken_for(column: MeasurementColumn) -> str:
    if column.is_size:
        return f"size {column.role}"
    words = _ROLES.get(column.role, column.role.replace("_", " "))
    return words if column.unit is None else f"{words}, in {column.unit}"


def _unused(page: Page, report: CorrelateReport) -> None:
    if report.unused_columns:
        page.line(f"not used: {', '.join(report.unused_columns)}")


PAGE = (
    Special(_head),
    Charts("warpmill.commands.correlate.page:charts"),
    Table(
        "Errors of estimated times",
        "groups",
        (
            Shown("machine", words=_name),
            "agreement.rows",
            "agreement.mean_absolute_error_fraction",
            "agreement.median_absolute_error_fraction",
            Shown("agreement.bias_fraction", words=signed),
            Shown("worst_error_fraction", words=signed),
            Shown("agreement.geometric_mean_ratio", words=_three),
            Shown("agreement.pearson_log.value", "Pearson", words=_three),
            Shown("agreement.kendall_tau_b.value", "Kendall", words=_three),
        ),
        top=1000,
        wrap=(0,),
    ),
    Special(_meanings),
    Table(
        "Rows, largest error first",
        "rows",
        (
            "measured.line",
            Shown("", "Launch", words=launch_words),
            "machine",
            "measured_us",
            "estimated.time_us",
            Shown("error_fraction", words=signed),
        ),
        left=(1, 2),
        wrap=(1, 2),
    ),
    Table(
        "Counters, by row",
        "rows.counters",
        (
            Shown("", "Line", told=lambda reader: str(reader.holder.measured.line)),
            Shown("values", "Counter", words=labelled),
            Shown("metric", detail=True),
            Shown("measured", "Measured", metric=lambda one: one.values),
            Shown("estimated", "Estimated", metric=lambda one: one.values),
            Shown("error_fraction", words=signed),
        ),
        top=24,
        left=(1, 2),
        wrap=(1, 2),
        once=(0,),
    ),
    Table(
        "Errors of counters",
        "correlation.counters",
        (
            "label",
            "figure",
            "rows",
            "mean_absolute_error_fraction",
            Shown("bias_fraction", words=signed),
            Shown("worst_line", "Worst line"),
        ),
        top=1000,
        left=(0, 1),
    ),
    Special(_not_compared),
    Special(_left_out),
    Table(
        "Columns",
        "columns",
        (
            "name",
            Shown("", "Taken for", words=_taken_for),
            Shown("how", "Reason", words=lambda how: _WHY[how]),
        ),
        top=1000,
        left=(0, 1, 2),
        wrap=(0,),
    ),
    Special(_unused),
)

COLUMNS = (
    "line", "target", "kernel", "launch", "grid", "block", "sizes", "gpu", "machine",
    "measured_us", "measured_cycles", "estimated_us", "estimated_cycles", "error_fraction",
    "ratio", "sampled", "reason", "mark",
)  # fmt: skip

CORRELATE = CsvTable(
    COLUMNS,
    (
        RowsOf(
            "rows",
            {
                "line": "measured.line",
                "gpu": "measured.gpu",
                "sizes": lambda row: [f"{name} {value}" for name, value in row.sizes.items()],
                "measured_cycles": "measured.cycles",
                "estimated_us": "estimated.time_us",
                "estimated_cycles": "estimated.cycles",
            },
            mark="estimated.time_us",
        ),
        RowsOf("correlation.left_out"),
    ),
)


# -- charts ----------------------------------------------------------------------------------------

_MOST = 20
"""Rows that have a bar."""


def charts(report: CorrelateReport) -> Iterator[Chart]:
    """The charts of a correlation."""
    yield _scatter(report)
    yield _errors(report)


def _scatter(report: CorrelateReport) -> XyChart:
    """A point a row, between lines of equal times and of factors of 2."""
    low, high = limits([row.pair for row in report.rows])
    lines = (
        PointSeries(name, (Point(low, factor * low), Point(high, factor * high)), line=True)
        for factor, name in FACTORS
    )
    groups = (
        PointSeries(
            group.machine,
            tuple(
                Point(
                    row.pair.measured,
                    row.pair.estimated,
                    f"{launch_words(row)}, line {row.measured.line}",
                )
                for row in group.rows
            ),
        )
        for group in report.groups
        if group.machine is not None
    )
    engine = report.correlation.how.engine
    names = ("Measured", f"{engine.capitalize()}d")
    x, y = (Axis(name, "µs", log=True, base=2) for name in names)
    return XyChart(f"{y.label} times against measured ones", x, y, (*groups, *lines))


def _errors(report: CorrelateReport) -> BarChart:
    """A bar a row, in the order of the report: the largest absolute error first."""
    rows = report.rows[:_MOST]
    several = len(report.correlation.groups) > 1
    names = (f"{launch_words(r)} on {r.machine}" if several else launch_words(r) for r in rows)
    more = f", of {len(report.rows):,} rows" if len(rows) < len(report.rows) else ""
    errors = Series("error", tuple(row.error_fraction for row in rows))
    return BarChart(f"Error of each row, largest first{more}", "%", tuple(names), (errors,))
