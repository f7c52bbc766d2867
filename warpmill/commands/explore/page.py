"""The page of ``explore``: what decides the response, models, how alike workloads are; its CSV.

Its charts: what decides the response, how models fit, and the response they tell. Models are those
of the result: curves and surfaces that nobody asked for are told by them too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from warpmill.analyzer.base.metric import Metric
from warpmill.commands.explore.plot import models_of
from warpmill.commands.explore.result import ExploreReport
from warpmill.exploring.answers import Modelled
from warpmill.exploring.evaluation import FIGURES
from warpmill.exploring.explored import Predicted
from warpmill.exploring.predicted import PredictedCurve, Telling
from warpmill.report.charts import (
    Axis,
    BarChart,
    Chart,
    HeatChart,
    Point,
    PointSeries,
    XyChart,
    axis_of,
)
from warpmill.report.fields import flat
from warpmill.report.page import Page, figure, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Charts, Comparison, Repeated, Shown, Special, Table
from warpmill.report.table import CsvRow, CsvTable
from warpmill.report.timing_charts import breakdown, side_by_side
from warpmill.report.words import plural
from warpmill.simulator.regression.model import EnteredTerm, words_of_term
from warpmill.simulator.regression.parameters import Value
from warpmill.simulator.regression.search import BestPoint
from warpmill.sweeps.figures import METRICS

SHARE = 0.0005
"""Parameters that explain less are shown where everything is."""

_ROWS = 12

_NAMED = 4
"""Parameters that the answer names."""


def configuration(values: Mapping[str, Value]) -> str:
    """Write a point as it is typed: ``simd=16 smp=4``."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def _head(page: Page, report: ExploreReport) -> None:
    page.title(f"explore: {report.exploration.space.name}")
    for one in report.workloads:
        page.line(f"{one.workload.title}: {_answer(one, report)}")


def _answer(one: Modelled, report: ExploreReport) -> str:
    """Sentences of the answer: what decides the response, how sure that is, the best point."""
    if one.model is None:
        return f"no model: {one.reason}"
    response = report.asked.fitting.response
    if not one.model.steps:
        return f"all samples are equal, and no parameter decides {response}."
    shares = [f"{p.name} ({percent(p.share)})" for p in one.ranking if p.share > SHARE]
    sure = "of unknown error"
    if one.errors is not None and one.errors.mean_percent is not None:
        sure = f"{figure(one.errors.mean_percent, digits=2)} % off in the mean, cross-validated"
    words = f"{', '.join(shares[:_NAMED])} decide {response}; the model is {sure}."
    if not one.best:
        return words
    best = one.best[0]
    told = f"{figure(best.predicted)} ({figure(best.low)} to {figure(best.high)})"
    return f"{words} Best: {configuration(_apart(best.point, one)) or 'any'}, {told}."


def _apart(point: Mapping[str, Value], one: Modelled) -> dict[str, Value]:
    return {name: value for name, value in point.items() if name in one.deciding}


def _point(row: Reader) -> str:
    return configuration(_apart(row.subject.point, row.holder)) or "any"


def doubts(one: Any) -> str | None:
    """Reasons why a prediction may be far off."""
    told = ["beyond the samples"] if one.outside else []
    told += ["between samples"] if getattr(one, "between", False) else []
    told += [getattr(one, "problem", None) or ""]
    return "; ".join(filter(None, told)) or None


def _value(point: Mapping[str, Value]) -> str:
    (value,) = point.values()
    return str(value)


def _some(count: int) -> str | None:
    return f"{count:,}" if count else None


_SAID = ("predicted", "low", "high")
_NOTE = Shown("", "Note", words=doubts)
_WHOLE = Shown("", "Point", words=lambda one: configuration(one.point))
_POINTS = (Shown("", "Point", told=_point), replace(_WHOLE, label="All values", detail=True))

WORKLOAD = (
    Table(
        "Share of variance by parameter",
        "ranking",
        ("name", "share", "alone", "interactions"),
        top=1000,
        main=lambda one: one.share > SHARE,
    ),
    Table(
        "Best points, best first",
        "best",
        (*_SAID, *_POINTS, _NOTE),
        _ROWS,
        left=(3, 4, 5),
        wrap=(3, 4, 5),
    ),
    Table(
        "Pareto front of the response and the cost",
        "front",
        ("cost", *_SAID, *_POINTS, _NOTE),
        _ROWS,
        left=(4, 5, 6),
        wrap=(4, 5, 6),
    ),
    Table(
        "Predicted points",
        "points",
        (*_SAID, _WHOLE, _NOTE),
        _ROWS,
        left=(3, 4),
        wrap=(3, 4),
    ),
    Repeated(
        "curves",
        (
            Table(
                "",
                "rows",
                (Shown("point", "Value", _value), *_SAID, _NOTE),
                _ROWS,
                left=(4,),
                wrap=(4,),
            ),
        ),
        title=lambda one: f"Along {one.parameter}, at {configuration(one.at)}",
    ),
    Table(
        "Points to simulate next, best first",
        "suggestions",
        ("variance", *_SAID, _WHOLE, _NOTE),
        _ROWS,
        left=(4, 5),
        wrap=(4, 5),
    ),
    Table(
        "Terms in order of entry", "model.entered_terms", ("term", "r_squared", "gain"), top=1000
    ),
    Comparison(
        "Model",
        (
            "model.summary",
            "model.samples",
            Shown("workload.measured_rows", words=_some),
            "model.r_squared",
            "model.adjusted_r_squared",
            "model.aic",
            "errors.mean_percent",
            "errors.p98_percent",
            "errors.maximum_percent",
            Shown("errors.unknown", words=lambda n: _some(n or 0)),
            Shown("no_errors", "Error unknown"),
            Shown("reached", "Error aimed at is reached"),
            Shown("untried", words=_some),
            Shown("workload.not_simulated", words=_some),
            Shown("workload.left_out", words=_some),
            Shown("model.formula", detail=True),
        ),
    ),
    Table(
        "Coefficients",
        "model.term_coefficients",
        (Shown("term", words=lambda term: term or "constant"), "at", "value", "t_value"),
        top=1000,
        left=(0, 1),
        detail=True,
    ),
    Table(
        "Not simulated",
        "workload.failure_reasons",
        ("points", "reason", Shown("first", words=configuration)),
        top=3,
        left=(1, 2),
        wrap=(1, 2),
    ),
    Table(
        "Assumptions and provenance",
        "workload.assumptions",
        ("samples", "text"),
        top=3,
        left=(1,),
        wrap=(1,),
    ),
)


def _parameters(page: Page, report: ExploreReport) -> None:
    """The space, last: what was varied, and what models are of."""
    space, fitting = report.exploration.space, report.asked.fitting
    told = [(each.name, ", ".join(map(str, each.values))) for each in space.parameters]
    told += [("where", condition) for condition in space.conditions]
    told += [("parameter", configuration(dict(fitting.fixed)))] if fitting.fixed else []
    terms = f"θ = {fitting.theta:g}, φ = {fitting.phi:g}"
    if fitting.terms is not None:
        terms = f"of given terms: {', '.join(map(words_of_term, fitting.terms))}"
    told.append(("models of", f"{fitting.response}, {terms}"))
    if report.asked.until_error is not None:
        told.append(("target", f"a mean error of {report.asked.until_error:g} % or less"))
    if report.exploration.measured is not None:
        told.append(("measured", report.exploration.measured))
    page.heading(f"Design space: {plural(space.points, 'point')} on {space.base}")
    if report.exploration.store is not None:
        told.append(("study", f"{report.exploration.study} in {report.exploration.store}"))
    page.facts([*([("note", space.about)] if space.about else []), *told])


PAGE = (
    Special(_head),
    Charts("warpmill.commands.explore.page:charts"),
    Repeated("workloads", WORKLOAD, title=lambda one: one.workload.title),
    Table(
        "Distance between workloads, 0 to 1",
        "likeness.pairs",
        ("distance", "first", "second"),
        _ROWS,
        left=(1, 2),
        wrap=(1, 2),
    ),
    Special(_parameters),
)

COLUMNS = (
    "workload", "number", "<parameter>", *FIGURES, "measured", "predicted", "low", "high", "reason",
    "mark",
)  # fmt: skip
"""``<parameter>`` stands for as many columns as a space has parameters."""


def _names(report: ExploreReport) -> dict[str, list[str]]:
    """The columns that the word in brackets stands for."""
    return {"<parameter>": list(_columns(report).values())}


def _columns(report: ExploreReport) -> dict[str, str]:
    """Each parameter's column: its name, or ``parameter.NAME`` where another has that name."""
    names = [each.name for each in report.exploration.space.parameters]
    return {name: f"parameter.{name}" if name in COLUMNS else name for name in names}


def _rows(report: ExploreReport) -> Iterator[CsvRow]:
    """A row for each sample of each workload."""
    columns, response = _columns(report), report.asked.fitting.response
    for one in report.workloads:
        for row in one.workload.samples:
            yield {
                "workload": one.workload.title,
                **({"measured": row.figures[response]} if row.is_measured else row.figures),
                **flat(row, ("number", "predicted", "low", "high")),
                **{columns[name]: value for name, value in row.point.items()},
                "reason": row.problem,
                "mark": "exact" if row.problem is not None or row.is_measured else "modelled",
            }


EXPLORE = CsvTable(COLUMNS, _rows, _names)


# -- charts ----------------------------------------------------------------------------------------

_CURVES = 4
"""Parameters with a curve where none was asked for: those that explain most."""

_MOST_CELLS = 400


def charts(report: ExploreReport) -> Iterator[Chart]:
    """The charts of an exploration; none of workloads without a model."""
    models = models_of(report)
    drawn = _Drawn(report, models)
    found = (drawn.importance(), drawn.terms(), drawn.fitted(), drawn.front())
    yield from (chart for chart in found if chart is not None)
    yield from drawn.curves()
    for title, one in models:
        surface = drawn.surface(title, one)
        if surface is not None:
            yield surface


class _Drawn:
    """What the charts of an exploration have in common: models, the response, its axis."""

    def __init__(self, report: ExploreReport, models: Sequence[tuple[str, Modelled]]) -> None:
        self.report, self.models = report, models
        self.response = report.asked.fitting.response
        metric = METRICS.get(self.response, Metric(self.response))
        self.label, self.unit = metric.label, metric.unit

    def telling(self, one: Modelled) -> Telling:
        """The predictor by a workload's model."""
        assert one.model is not None
        space, fitting = self.report.exploration.space, self.report.asked.fitting
        return Telling(space, one.workload, fitting, one.model)

    def importance(self) -> BarChart | None:
        """The share of the variance that each parameter explains."""
        shares: dict[str, dict[str, float | None]] = {
            title: {each.name: each.share for each in one.ranking if each.share > SHARE}
            for title, one in self.models
        }
        return side_by_side(f"Share of the variance of {self.response} by parameter", "%", shares)

    def terms(self) -> BarChart | None:
        """What each term adds to R²; None where that is the share of each parameter."""
        gains = {
            title: {each.term: each.gain for each in one.model.entered_terms}
            for title, one in self.models
            if one.model is not None and one.model.steps
        }
        if len(gains) < 2 and all(len(each.term) == 1 for each in self._steps()):
            return None
        return breakdown(f"Share of the variance of {self.response} by term (R²)", gains)

    def _steps(self) -> list[EnteredTerm]:
        """The terms of all models."""
        return [step for _, one in self.models if one.model is not None for step in one.model.steps]

    def fitted(self) -> XyChart | None:
        """A point a sample, beside the line on which models are right."""
        series = []
        for title, one in self.models:
            known = (
                (row.figures[self.response], row.predicted, configuration(row.point))
                for row in one.workload.samples
                if self.response in row.figures
            )
            points = (Point(x, y, words) for x, y, words in known if y is not None)
            series.append(PointSeries(title, tuple(points)))
        values = [value for one in series for p in one.points for value in (p.x, p.y)]
        if not values:
            return None
        ends = tuple(Point(end, end) for end in (min(values), max(values)))
        x, y = (axis_of(f"{self.label}, {word}", values, self.unit) for word in _SIDES)
        lines = PointSeries("equal", ends, line=True)
        return XyChart("Samples: predicted against simulated", x, y, (*series, lines))

    def front(self) -> XyChart | None:
        """The points that none beats in both the response and the cost."""
        series = tuple(
            PointSeries(
                title,
                tuple(
                    _predicted_point(p.cost, p, p.point) for p in one.front if p.cost is not None
                ),
                line=True,
            )
            for title, one in self.models
            if one.front
        )
        if not series:
            return None
        x = axis_of(f"cost: {self.report.asked.cost}", [p.x for s in series for p in s.points])
        return XyChart(f"Pareto front: {self.label} and the cost", x, self._axis(series), series)

    def curves(self) -> Iterator[XyChart | BarChart]:
        """The response along parameters that were asked for, or those that explain most."""
        names = self.report.asked.curves or [
            each.name
            for _, one in self.models
            for each in one.ranking[:_CURVES]
            if each.share > SHARE
        ]
        for name in list(dict.fromkeys(names)):
            found = {title: self._curve(one, name) for title, one in self.models}
            yield self._along(name, found)

    def _curve(self, one: Modelled, name: str) -> PredictedCurve:
        own = (curve for curve in one.curves if curve.parameter == name)
        return next(own, None) or self.telling(one).along(name, self.report.asked.at)

    def _along(self, name: str, found: dict[str, PredictedCurve]) -> XyChart | BarChart:
        """Curves of a parameter, a line a workload; words have no order, and are bars."""
        at = next(iter(found.values())).at
        title = f"{self.label} along {name}, others at {configuration(self._shown(at, name))}"
        rows = [(row.point[name], row) for curve in found.values() for row in curve.rows]
        if any(isinstance(value, str) for value, _ in rows):
            told: dict[str, dict[str, float | None]] = {
                workload: {str(row.point[name]): row.predicted for row in curve.rows}
                for workload, curve in found.items()
            }
            bars = side_by_side(title, self.unit, told, ordered=False)
            assert bars is not None
            return bars
        series = tuple(
            PointSeries(
                workload,
                tuple(
                    _predicted_point(float(row.point[name]), row)
                    for row in curve.rows
                    if _is_known(row)
                ),
                line=True,
            )
            for workload, curve in found.items()
        )
        x = axis_of(name, [float(value) for value, _ in rows], base=2)
        return XyChart(title, x, self._axis(series), series)

    def _shown(self, at: Mapping[str, Value], *varied: str) -> dict[str, Value]:
        """The values of parameters that models depend on, but of those that are varied."""
        used = {name for _, one in self.models if one.model is not None for name in one.model.used}
        return {n: value for n, value in at.items() if n in used and n not in varied}

    def _axis(self, series: Sequence[PointSeries]) -> Axis:
        """The axis of the response, with room for intervals."""
        points = [p for one in series for p in one.points]
        values = [end for p in points for end in (p.y, p.low, p.high) if end is not None]
        return axis_of(self.label, values, self.unit)

    def surface(self, title: str, one: Modelled) -> HeatChart | None:
        """The response over the two parameters that explain most, the others as curves have them.

        Points that the space leaves out, or that could not be simulated, have none.
        """
        values = {each.name: each.values for each in self.report.exploration.space.parameters}
        names = [each.name for each in one.ranking if each.share > SHARE][:2]
        if len(names) < 2 or len(values[names[0]]) * len(values[names[1]]) > _MOST_CELLS:
            return None
        x, y = sorted(names, key=lambda name: -len(values[name]))
        telling, at = self.telling(one), self.report.asked.at
        told = {(b, a): telling.of({**at, x: a, y: b}) for a, b in product(values[x], values[y])}
        others = self._shown(next(iter(told.values())).point, x, y)
        where = f", others at {configuration(others)}" if others else ""
        return HeatChart(
            f"{self.label} over {x} and {y}{where}: {title}", self.unit, Axis(x), Axis(y),
            tuple(map(str, values[x])), tuple(map(str, values[y])),
            tuple(
                tuple(None if told[b, a].problem else told[b, a].predicted for a in values[x])
                for b in values[y]
            ),
        )  # fmt: skip


_SIDES = ("simulated", "predicted")


def _is_known(row: Predicted) -> bool:
    return row.predicted is not None


def _predicted_point(
    x: float, said: Predicted | BestPoint, point: Mapping[str, Value] | None = None
) -> Point:
    """A prediction with its interval, and what makes it doubtful."""
    assert said.predicted is not None  # those without a prediction are left out
    words = filter(None, (configuration(point or {}), doubts(said)))
    return Point(x, said.predicted, "; ".join(words), said.low, said.high)
