"""Charts of ``sample``: what is simulated of the application, strata, and how far off that is."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.analyzer.base.naming import base_name, demangle
from warpmill.report.charts import (
    Axis,
    BarChart,
    Chart,
    Point,
    PointSeries,
    Series,
    TimelineChart,
    TimeSpan,
    XyChart,
)
from warpmill.report.timing_charts import side_by_side
from warpmill.report.words import plural
from warpmill.sampling.results import SampleReport, StratumLaunches

_MOST_SPANS = 3000
"""Launches that are drawn, those of most instructions: others are too small to be seen."""

_MOST_STRATA = 20
"""Strata that have a bar, those of most instructions."""

_SIMULATED = "simulated"


def charts(report: SampleReport) -> Iterator[Chart]:
    """The charts of a sample; what is chosen is the same on all machines."""
    yield _application(report)
    yield _strata(report)
    errors = _errors(report)
    if errors is not None:
        yield errors
    passes = _passes(report)
    if passes is not None:
        yield passes


def _application(report: SampleReport) -> TimelineChart:
    """Launches one after another, coloured by stratum; simulated ones have a further lane."""
    selection, chosen = report.selection, set(report.selection.launches)
    stratum_of = {
        place: number
        for number, stratum in enumerate(selection.strata)
        for unit in stratum.members
        for place in selection.units[unit].launches
    }
    names = list(dict.fromkeys(base_name(one.kernel) for one in report.launches))
    spans, begin = [], 0
    for place, one in enumerate(report.launches):
        end = begin + one.warp_instructions
        words = f"launch {one.number}: {demangle(one.kernel)}"
        group = f"stratum {stratum_of[place]}"
        spans.append(TimeSpan(names.index(base_name(one.kernel)), begin, end, words, group))
        if place in chosen:
            spans.append(TimeSpan(len(names), begin, end, words, group))
        begin = end
    great = sorted(spans, key=lambda one: one.begin - one.end)[:_MOST_SPANS]
    launches = plural(len(report.launches), "launch")
    title = f"{launches} by instructions executed, {len(chosen):,} simulated"
    return TimelineChart(title, "inst", (*names, _SIMULATED), tuple(sorted(great, key=_place)))


def _place(span: TimeSpan) -> tuple[float, int]:
    return span.begin, span.lane


def _strata(report: SampleReport) -> BarChart:
    """The share of the instructions that each stratum stands for, and what is simulated of it."""
    selection = report.selection
    order = sorted(report.stratum_launches, key=lambda one: -one.stratum.weight)[:_MOST_STRATA]
    chosen = (
        sum(selection.units[unit].warp_instructions for unit in one.stratum.chosen) for one in order
    )
    simulated = tuple(each / selection.warp_instructions for each in chosen)
    of = len(selection.strata)
    more = f", {len(order)} of {of:,}" if len(order) < of else ""
    return BarChart(
        f"Strata, share of the instructions{more}",
        "%",
        tuple(map(_name, order)),
        (
            Series("whole stratum", tuple(one.stratum.weight for one in order)),
            Series(_SIMULATED, simulated),
        ),
    )


def _name(one: StratumLaunches) -> str:
    units = plural(len(one.stratum.members), "unit")
    return f"{one.number}: {units} of {', '.join(map(base_name, one.kernels))}"


def _errors(report: SampleReport) -> BarChart | None:
    """How far cycles may be off and are, by machine; None where nothing tells."""
    told: dict[str, dict[str, float | None]] = {
        one.machine: {
            name: value
            for name, value in (
                ("95% interval, ±", one.half_width),
                ("expected error", one.expected_error),
                ("error against the whole", one.error),
            )
            if value is not None
        }
        for one in report.machines
    }
    return side_by_side("Error of the projected cycles", "%", told, ordered=False)


def _passes(report: SampleReport) -> XyChart | None:
    """The interval over the share that was simulated, of selections that were tried in turn."""
    series = tuple(
        PointSeries(
            one.machine,
            tuple(
                Point(each.sample_share, each.half_width, plural(each.units, "unit"))
                for each in one.passes
                if each.half_width is not None
            ),
            line=True,
        )
        for one in report.machines
        if len(one.passes) > 1
    )
    if not any(one.points for one in series):
        return None
    x, y = Axis("Share simulated", "%"), Axis("95% interval, ±", "%")
    return XyChart("Selections that were tried", x, y, series)
