"""The page of ``calibrate``: what was found by key, what hides or lacks; and its keys as CSV.

Its charts: how far the file's values are off, and the curves that were measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.calibration.comparison import ComparedKey
from warpmill.calibration.findings import CalibrationCurve, CalibrationFinding, Other
from warpmill.commands.calibrate.plot import LOGARITHMIC, PANELS, curve_label
from warpmill.commands.calibrate.result import CalibrateReport
from warpmill.report.charts import Axis, BarChart, Chart, Point, PointSeries, Series, XyChart
from warpmill.report.page import Page, figure, signed_percent
from warpmill.report.sections import Charts, Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import plural

_SIGNS = {"most": "≤ ", "least": "≥ "}
_REASONS = 6
_ORDER = {"differs": 0, "agrees": 1, "hidden": 2}
"""Results of keys that are compared, in the order of their rows."""


def _head(page: Page, report: CalibrateReport) -> None:
    found = report.calibrated
    page.title(f"calibrate: {found.calibration.target.name}")
    agreeing = sum(one.verdict == "agrees" for one in found.rows)
    both = agreeing + found.differing
    page.line(f"{agreeing} of {both} values that are compared agree, within 5 % or a cycle.")
    page.facts(_facts(report))


def _facts(report: CalibrateReport) -> Iterator[tuple[str, str]]:
    found, made = report.calibrated, report.calibrated.calibration
    where = "the whole-GPU model" if made.target.is_model else "a GPU"
    yield "on", f"{where}; beside {found.machine.name}"
    if found.overrides:
        yield "set", ", ".join(f"{k} = {v}" for k, v in found.overrides.items())
    yield "measured", f"{', '.join(made.groups)}; {plural(made.launches, 'launch')}"
    if report.written is not None:
        yield "written", f"{report.written}, which falls back on {found.origin.fallback}"


def difference_first(one: ComparedKey) -> float:
    """Sort key: values that differ first, and the further apart the sooner."""
    return round(abs(one.difference_fraction or 0.0), 3) - _ORDER[one.verdict] * 1e9


def _fitted(found: CalibrationFinding | None) -> str | None:
    return None if found is None else _SIGNS.get(found.bound or "", "") + figure(found.value)


def _spread(found: CalibrationFinding | Other | None) -> str | None:
    """A spread; what is nothing beside the value is 0."""
    if found is None:
        return None
    return "0" if found.spread <= abs(found.value) * 1e-6 else f"{found.spread:.2g}"


def _hidden(page: Page, report: CalibrateReport) -> None:
    if any(one.verdict == "hidden" for one in report.calibrated.rows):
        page.line("hidden: what was measured is another limit, which the key's value lies beyond")
    _left(report, page, "not compared", "Measured, and not compared")
    _left(report, page, "not measured", "Not measured")


def _left(report: CalibrateReport, page: Page, verdict: str, title: str) -> None:
    """Keys by the reason; without ``--verbose`` those of few reasons."""
    by_reason: dict[str, list[str]] = {}
    for one in report.calibrated.rows:
        if one.verdict == verdict:
            by_reason.setdefault(one.why, []).append(_named(one))
    if not by_reason:
        return
    page.heading(f"{title}: {plural(sum(map(len, by_reason.values())), 'key')}")
    lines = [f"{', '.join(keys)}: {reason}" for reason, keys in by_reason.items()]
    page.items(lines, None if page.style.verbose else _REASONS, " (--verbose)")


def _named(one: ComparedKey) -> str:
    """A key, with what was found of it where that is not compared."""
    if one.found is None:
        return one.key
    stated = [] if one.file_value is None else [f"file {figure(one.file_value)}"]
    return f"{one.key} ({', '.join([figure(one.found.value), *stated])})"


PAGE = (
    Special(_head),
    Charts("warpmill.commands.calibrate.page:charts"),
    Table(
        "Measured beside the file, largest difference first",
        "calibrated.rows",
        (
            "key",
            "file_value",
            Shown("found", "Measured", words=_fitted),
            Shown("found", "±", words=_spread),
            Shown("difference_fraction", words=lambda x: None if x is None else signed_percent(x)),
            "verdict",
            Shown("unit", detail=True),
        ),
        top=1000,
        left=(0, 5, 6),
        wrap=(6,),
        order=difference_first,
        chosen=lambda one: one.verdict in _ORDER,
    ),
    Special(_hidden),
    Table(
        "Figures without a key",
        "calibrated.calibration.part.others",
        ("name", "unit", "value", Shown("", "±", words=_spread)),
        top=1000,
        left=(0, 1),
    ),
)

COLUMNS = (
    "key", "unit", "file_value", "fitted_value", "spread", "difference_fraction", "bound",
    "verdict", "how", "why", "mark",
)  # fmt: skip

CALIBRATE = CsvTable(
    COLUMNS, (RowsOf("calibrated.rows", {"fitted_value": "found.value"}, mark="found.value"),)
)


# -- charts ----------------------------------------------------------------------------------------

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
