"""The page of ``explore``: what decides the response, models, how alike workloads are; its CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from warpmill.commands.explore.result import ExploreReport
from warpmill.exploring.answers import Modelled
from warpmill.exploring.evaluation import FIGURES
from warpmill.report.fields import flat
from warpmill.report.page import Page, figure, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Charts, Comparison, Repeated, Shown, Special, Table
from warpmill.report.table import CsvRow, CsvTable
from warpmill.report.words import plural
from warpmill.simulator.regression.model import words_of_term
from warpmill.simulator.regression.parameters import Value

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
    page.heading(f"Design space: {plural(space.points, 'point')} on {space.base}")
    if report.exploration.store is not None:
        told.append(("study", f"{report.exploration.study} in {report.exploration.store}"))
    page.facts([*([("note", space.about)] if space.about else []), *told])


PAGE = (
    Special(_head),
    Charts("warpmill.commands.explore.charts:charts"),
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
    "workload", "number", "<parameter>", *FIGURES, "predicted", "low", "high", "reason", "mark",
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
    columns = _columns(report)
    for one in report.workloads:
        for row in one.workload.samples:
            yield {
                "workload": one.workload.title,
                **row.figures,
                **flat(row, ("number", "predicted", "low", "high")),
                **{columns[name]: value for name, value in row.point.items()},
                "reason": row.problem,
                "mark": "modelled" if row.problem is None else "exact",
            }


EXPLORE = CsvTable(COLUMNS, _rows, _names)
