"""Charts of ``calibrate``: how far the file's values are off, and the curves that were measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.calibration.findings import CalibrationCurve
from warpmill.commands.calibrate.page import difference_first
from warpmill.commands.calibrate.plot import LOGARITHMIC, PANELS, curve_label
from warpmill.commands.calibrate.result import CalibrateReport
from warpmill.report.charts import Axis, BarChart, Chart, Point, PointSeries, Series, XyChart

_MOST = 20
"""Keys that have a bar."""

_LEAST = 0.0005
"""Differences below are none as pages write them."""


def charts(report: CalibrateReport) -> Iterator[Chart]:
    """The charts of a calibration, of curves as ``--plot`` draws them."""
    compared = [one for one in report.calibrated.rows if one.verdict in {"agrees", "differs"}]
    found = [
        (one.key, one.difference_fraction)
        for one in sorted(compared, key=difference_first, reverse=True)
        if abs(one.difference_fraction or 0.0) >= _LEAST
    ]
    if found:
        names, values = zip(*found[:_MOST], strict=True)
        title = "Measured values over those of the file, difference"
        yield BarChart(title, "%", tuple(names), (Series("difference", tuple(values)),))
    curves = report.calibrated.calibration.part.curves
    for kind in PANELS:
        some = [curve for curve in curves if curve.kind == kind and curve.points]
        if some:
            yield _panel(kind, some)


def _panel(kind: str, curves: Sequence[CalibrationCurve]) -> XyChart:
    """Curves of one kind; an axis of logarithms needs values above 0."""
    xs, ys = zip(*(point for curve in curves for point in curve.points), strict=True)
    series = (
        PointSeries(curve_label(one, curves), tuple(Point(x, y) for x, y in one.points), line=True)
        for one in curves
    )
    labels = ", ".join(dict.fromkeys(one.y for one in curves))
    return XyChart(
        PANELS[kind].capitalize(),
        Axis(curves[0].x, log=min(xs) > 0, base=2),
        Axis(labels, log=kind in LOGARITHMIC and min(ys) > 0),
        tuple(series),
    )
