"""Charts of ``tune``: the fastest configurations of a machine, and two parameters as cells."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.sweep.page_parts import BEST, plane_of
from warpmill.commands.tune.plot import Bar, panel_of
from warpmill.commands.tune.result import TuneReport
from warpmill.report.charts import BarChart, Chart, HeatChart, Series
from warpmill.sweeps.figures import TIME
from warpmill.sweeps.summary import MACHINE, varied
from warpmill.tuning.model import MachineTuning

_MOST = 20
"""Configurations that have a bar."""

_DEFAULT = "default"
_UNKNOWN = "fastest, result unknown"
_KINDS = ("same result", "result unknown", _DEFAULT)
"""What bars are told apart by."""


def charts(of: tuple[TuneReport, MachineTuning]) -> Iterator[Chart]:
    """The charts of a machine in a report; none where the default alone remains, or nothing."""
    report, one = of
    panel = panel_of(one, report.tuned, _MOST)
    if not one.choices or len(panel.bars) < 2:
        return
    times = {bar: bar.microseconds for bar in panel.bars}
    yield _bars(f"{report.figures[TIME].label} on {panel.title}", times)
    simulated = {bar: bar.simulated for bar in panel.bars if bar.simulated is not None}
    if simulated:
        yield _bars(f"Simulated execution on {one.machine}", simulated)
    heat = _heat(report, one)
    if heat is not None:
        yield heat


def _bars(title: str, times: dict[Bar, float]) -> BarChart:
    """A bar a configuration, in a series of its kind."""
    series = (
        Series(kind, tuple(time if _kind(bar) == kind else None for bar, time in times.items()))
        for kind in _KINDS
        if any(_kind(bar) == kind for bar in times)
    )
    return BarChart(title, "µs", tuple(bar.label for bar in times), tuple(series), stacked=True)


def _kind(bar: Bar) -> str:
    if bar.is_default:
        return _DEFAULT
    return _KINDS[0] if bar.is_known else _KINDS[1]


def _heat(report: TuneReport, one: MachineTuning) -> HeatChart | None:
    """Times over two parameters, or the sides of blocks; None where others are varied."""
    axes = [axis for axis in varied(report.tuned.axes) if axis.name != MACHINE]
    plane = plane_of(axes)
    if plane is None or len(one.choices) < 2:
        return None
    metric = report.figures[TIME]
    first, name = (one.best, BEST) if one.uncompared is None else (one.uncompared, _UNKNOWN)
    marks = [] if first is None else [(first.row.configuration, name)]
    if one.default.row.problem is None:
        marks.append((one.default.row.configuration, _DEFAULT))
    values = [(c.row.configuration, c.row.figures.get(TIME)) for c in one.choices]
    return plane.chart(f"{metric.label} on {one.machine}", metric.unit, values, marks)
