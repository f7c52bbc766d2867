"""The page of ``compare``: the answer, times, what differs; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.compare.result import CompareReport, Variant
from warpmill.report.charts import BarChart, Chart, Series
from warpmill.report.page import Page, figure
from warpmill.report.read import written
from warpmill.report.sections import Charts, Special
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.timing_charts import estimate_charts
from warpmill.session.error_bands import sentence

_ASSUMPTIONS = 5
"""Assumptions that are shown, unless everything is asked for."""

_FIGURES = 20
"""Figures that differ which are shown, unless everything is asked for."""


def _head(page: Page, report: CompareReport) -> None:
    page.title(f"compare: {len(report.variants)} variants")
    page.items(report.answer)


def charts(report: CompareReport) -> Iterator[Chart]:
    """The times of variants by cause, and the charts of estimates side by side."""
    causes = list(dict.fromkeys(c.cause for one in report.variants for c in one.breakdown))
    times = [{c.cause: c.time_us for c in one.breakdown} for one in report.variants]
    series = (Series(str(cause), tuple(t.get(cause, 0.0) for t in times)) for cause in causes)
    yield BarChart("Duration by cause", "µs", report.names, tuple(series), stacked=True)
    if all(len(one.estimates) == 1 for one in report.variants):
        yield from estimate_charts(report.names, [one.estimates[0] for one in report.variants])


def _times(page: Page, report: CompareReport) -> None:
    page.heading("Time breakdown in µs", "modelled")
    times = [{c.cause: c.time_us for c in one.breakdown} for one in report.variants]
    found = [
        [t.get(cause, 0.0) for t in times] for cause in dict.fromkeys(c for t in times for c in t)
    ]
    rows = [
        ["all", *(figure(one.time_us) for one in report.variants)],
        ["of the first", *map(written, report.ratios)],
    ]
    causes = dict.fromkeys(str(cause) for one in times for cause in one)
    great = sorted(zip(causes, found, strict=True), key=lambda row: min(row[1]) - max(row[1]))
    rows += [[cause, *map(figure, row)] for cause, row in page.few(great, _FIGURES // 2)]
    page.table(["", *report.names], rows)
    page.heading("Bound by", "modelled")
    page.facts(zip(report.names, (one.bound for one in report.variants), strict=True))


def _figures(page: Page, report: CompareReport) -> None:
    if not report.figures:
        return
    page.heading("Changed figures, largest change first", "modelled")
    rows = []
    for one in page.few(report.figures, _FIGURES):
        label = f"{one.label} ({one.unit})" if one.unit not in {"", "%", "B"} else one.label
        values = [written(v, one.metric) for v in one.values]
        rows.append([label, *values, figure(one.change, unit="x") if one.change else "-"])
    page.table(["", *report.names, "change"], rows)
    page.rest(report.figures, _FIGURES)


def _rests_on(page: Page, report: CompareReport) -> None:
    """Traces, assumptions and error bands of the variants."""
    page.heading("Assumptions and provenance")
    page.facts(zip(report.names, map(_provenance, report.variants), strict=True))
    assumptions = dict.fromkeys(
        f"{name}: {text}"
        for name, one in zip(report.names, report.variants, strict=True)
        for estimate in one.estimates
        for text in (*estimate.assumptions, *estimate.beyond_machine)
    )
    page.items([*assumptions], None if page.style.verbose else _ASSUMPTIONS, " (--verbose)")


def _provenance(one: Variant) -> str:
    longest = max(range(len(one.estimates)), key=lambda place: one.estimates[place].time_us)
    traces = ", ".join(dict.fromkeys(estimate.trace for estimate in one.estimates))
    return f"{traces} traces. {sentence(one.answers[longest].error_band)}"


PAGE = (
    Special(_head),
    Charts("warpmill.commands.compare.page:charts"),
    Special(_times),
    Special(_figures),
    Special(_rests_on),
)

COMPARE = CsvTable(
    ("target", "machine", "kernels", "time_us", "bound", "mark"),
    (RowsOf("variants", mark="time_us"),),
)
