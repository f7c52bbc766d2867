"""The page of ``explore``: the space, each model with what it tells, how alike workloads are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from warpmill.analyzer.base.metric import Mark
from warpmill.commands.explore.result import ExploreReport, ModelFacts, WorkloadFacts
from warpmill.exploring.evaluation import FIGURES
from warpmill.exploring.predicted import Predicted, PredictedCurve
from warpmill.report.page import UNKNOWN, Page, figure, percent
from warpmill.report.sections import Special
from warpmill.report.table import CsvRow, CsvTable
from warpmill.report.words import plural
from warpmill.simulator.regression.parameters import Value, names_in, plain_name
from warpmill.simulator.regression.search import BestPoint, Suggestion

_SHARE = 0.0005
"""Parameters that explain less are named together."""

_NOTE = Mark.MODELLED.value


def _explored(page: Page, report: ExploreReport) -> None:
    page.title(f"explore: {report.space}")
    page.facts(_facts(report))
    for one in report.workloads:
        _workload(report, one, page)
    _likeness(report, page)


def _facts(report: ExploreReport) -> Iterator[tuple[str, str]]:
    if report.about:
        yield "about", report.about
    yield "base", report.base
    for each in report.parameters:
        yield each.name, ", ".join(map(str, each.values))
    for condition in report.conditions:
        yield "where", condition
    yield "points", f"{report.points:,}"
    if report.fixed:
        yield "fixed", configuration(report.fixed)
    if report.terms is None:
        yield "models of", f"{report.response}, θ = {report.theta:g}, φ = {report.phi:g}"
    else:
        yield "models of", f"{report.response}, of given terms: {', '.join(report.terms)}"
    if report.until_error_percent is not None:
        yield "aim", f"a mean error of {report.until_error_percent:g} % or less"
    if report.store is not None:
        yield "study", f"{report.study} in {report.store}"


def _workload(report: ExploreReport, one: WorkloadFacts, page: Page) -> None:
    page.title(one.workload)
    page.facts(_samples(report, one))
    if one.failures:
        lines = [
            f"{plural(each.samples, 'point')} such as {configuration(each.first)}: {each.reason}"
            for each in one.failures
        ]
        page.heading(f"Not simulated: {plural(one.not_measured, 'point')}")
        page.items(lines, None if page.style.verbose else 3, " reasons (--verbose)")
    _rests_on(one, page)
    if one.model is None:
        page.line(f"no model: {one.reason}")
        return
    _terms(one.model, page)
    _ranking(one.model, page)
    way = "most" if report.larger_is_better else "least"
    used = None if page.style.verbose else _used(report, one.model)
    point_table(page, f"Best points, the {way} {report.response} first", one.model.best, used)
    if report.cost is not None:
        title = f"beaten by none in {report.response} and {report.cost}"
        point_table(page, title, one.model.front, used)
    left_out(one.model, page)
    point_table(page, f"{report.response} of points", one.model.points)
    for curve in one.model.curves:
        curve_table(report, curve, page)
    suggestions(report, one.model, page)
    if page.style.verbose:
        _coefficients(one.model, page)


def _rests_on(one: WorkloadFacts, page: Page) -> None:
    """What figures of samples rest on, with how many where it is not all."""
    if not one.assumptions:
        return
    measured = one.samples - one.not_measured
    lines = [
        each.text if each.samples == measured else f"{plural(each.samples, 'sample')}: {each.text}"
        for each in one.assumptions
    ]
    page.heading("Assumptions and provenance")
    page.items(lines, None if page.style.verbose else 3, " (--verbose)")


def _coefficients(model: ModelFacts, page: Page) -> None:
    """Show a model as a formula, and how sure each coefficient is."""
    page.heading("Model", _NOTE)
    for line in model.formula.splitlines():
        page.line(line)
    page.heading("Coefficients, and over standard errors", _NOTE)
    rows = [
        (each.term or "constant", ",".join(figure(v) if not isinstance(v, str) else v
         for v in each.at), figure(each.value), figure(each.t_value))
        for each in model.coefficients
    ]  # fmt: skip
    page.table(("term", "at", "coefficient", "t"), rows, left=(0, 1))


def _samples(report: ExploreReport, one: WorkloadFacts) -> Iterator[tuple[str, str]]:
    without = f", {one.not_measured:,} without figures" if one.not_measured else ""
    yield "samples", f"{one.samples:,}{without}"
    if one.left_out:
        yield "left out", f"{plural(one.left_out, 'point')} of another space, options or code"
    if one.reached is not None:
        reached = "reached" if one.reached else f"not reached with {plural(one.samples, 'sample')}"
        yield "aim", f"{report.until_error_percent:g} %: {reached}"
    if one.model is None:
        return
    yield "model", one.model.summary
    errors = one.model.errors
    adjusted, aic = one.model.adjusted_r_squared, figure(one.model.aic)
    r_squared = figure(one.model.r_squared, digits=4)
    yield "R²", f"{r_squared}, adjusted {figure(adjusted, digits=4)}; AIC {aic}"
    if errors is None:
        yield "error", f"{UNKNOWN} ({one.model.no_errors})"
    else:
        each = (("mean", errors.mean_percent), ("98 % below", errors.p98_percent),
                ("maximum", errors.maximum_percent))  # fmt: skip
        said = ", ".join(f"{name} {figure(value, None, '%', 2)}" for name, value in each)
        unknown = f", {errors.unknown} unknown" if errors.unknown else ""
        yield "error", f"{said}{unknown}, at samples not seen ({errors.folds} folds)"


def _terms(model: ModelFacts, page: Page) -> None:
    if not model.terms:
        page.line("all samples are equal: the model is a constant")
        return
    page.heading("Terms in order of entry", _NOTE)
    rows = [
        (each.term, figure(each.r_squared, digits=4), figure(each.gain, digits=4))
        for each in model.terms
    ]
    page.table(("term", "R² with it", "grew by"), rows)


def _ranking(model: ModelFacts, page: Page) -> None:
    shown = [each for each in model.ranking if each.share > _SHARE or page.style.verbose]
    if not shown:
        return
    page.heading("Share of variance by parameter", _NOTE)
    rows = [
        (each.name, percent(each.share), percent(each.alone),
         percent(each.interactions))
        for each in shown
    ]  # fmt: skip
    page.table(("parameter", "explains", "alone", "with others"), rows)
    names = {each.name for each in shown}
    rest = [each.name for each in model.ranking if each.name not in names]
    if rest:
        page.line(f"next to nothing: {', '.join(rest)}")


def _used(report: ExploreReport, model: ModelFacts) -> set[str]:
    """Name the parameters that tell found points apart: those of terms, and of what was asked."""
    asked = frozenset().union(*map(names_in, (*report.searched, report.cost or "1")))
    named = {each.name for each in report.parameters if plain_name(each.name) in asked}
    return named | {name for each in model.terms for name in each.term.split(":")}


def _likeness(report: ExploreReport, page: Page) -> None:
    own = report.likeness
    if own is None:
        return
    page.title("how unlike workloads are: 0 depend on the same, 1 on nothing in common")
    pairs = [
        (own.distances[i][j], own.workloads[i], own.workloads[j])
        for i in range(len(own.workloads))
        for j in range(i)
    ]
    known = sorted(((d, a, b) for d, a, b in pairs if d is not None), key=lambda pair: pair[0])
    shown = known if page.style.verbose else known[:ROWS]
    page.table(
        ("distance", "workload", "and"),
        [(figure(d, digits=3), b, a) for d, a, b in shown],
        left=(1, 2),
        wrap=(1, 2),
    )
    if len(shown) < len(known):
        page.line(f"and {len(known) - len(shown):,} more (--verbose)")
    if len(known) < len(pairs):
        page.line("workloads whose samples are all equal are left out")


# How the page of ``explore`` shows points: tables of predictions, curves, suggestions.

ROWS = 12
"""Rows of a table that are shown without ``--verbose``."""
Told = BestPoint | Predicted | Suggestion
_OUTSIDE = "* a value lies beyond those of all samples"
_BETWEEN = "^ a number lies between those of the samples, and none has it: the model may be far off"


def configuration(values: Mapping[str, Value]) -> str:
    """Write a point as it is typed: ``simd=16 smp=4``."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def point_table(
    page: Page, heading: str, rows: Sequence[Told], used: set[str] | None = None
) -> None:
    """Add a table of points; ``used`` are the parameters that are shown, None: all."""
    if not rows:
        return
    page.heading(heading, _NOTE)
    shown = rows if page.style.verbose else rows[:ROWS]
    prices = [each.cost if isinstance(each, BestPoint) else None for each in rows]
    costs = any(price is not None for price in prices)
    cells = [
        (*([figure(price)] if costs else []), *_said(each), _shown(each.point, used))
        for each, price in zip(shown, prices, strict=False)
    ]
    header = [*(["cost"] if costs else []), "predicted", "95 % from", "to", "point"]
    page.table(header, cells, left=(len(header) - 1,), wrap=(len(header) - 1,))
    if len(shown) < len(rows):
        page.line(f"and {len(rows) - len(shown):,} more (--verbose)")
    if used is not None and len(used) < len(rows[0].point):
        page.line("parameters that are not shown are in no term of the model (--verbose)")
    _signs(page, shown)


def _shown(point: Mapping[str, Value], used: set[str] | None) -> str:
    own = {name: value for name, value in point.items() if used is None or name in used}
    return configuration(own) or "any"


def _said(each: Told) -> tuple[str, str, str]:
    """Write a prediction with its interval, and the signs of what is to be known of it."""
    between = getattr(each, "between", False)
    signs = "*" * each.outside + "^" * between + "!" * (_problem(each) is not None)
    value = figure(_number(each.predicted))
    return value + signs, figure(_number(each.low)), figure(_number(each.high))


def _problem(each: Told) -> str | None:
    return each.problem if isinstance(each, Predicted) else None


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _signs(page: Page, shown: Sequence[Told]) -> None:
    """What signs mean, those that are there."""
    if any(each.outside for each in shown):
        page.line(_OUTSIDE)
    if any(getattr(each, "between", False) for each in shown):
        page.line(_BETWEEN)
    for problem in dict.fromkeys(map(_problem, shown)):
        if problem is not None:
            page.line(f"! {problem}")


def left_out(model: ModelFacts, page: Page) -> None:
    """How many points are not among the best because nothing was learnt of their numbers."""
    if model.untried:
        own = plural(model.untried, "point")
        have = "has" if model.untried == 1 else "have"
        page.line(
            f"left out: {own} that {have} a number, in a term, that no sample has (--suggest)"
        )


def curve_table(report: ExploreReport, curve: PredictedCurve, page: Page) -> None:
    """Add a curve: a row a value."""
    page.heading(f"{report.response} along {curve.parameter}", _NOTE)
    rows = [(str(each.point[curve.parameter]), *_said(each)) for each in curve.rows]
    page.table((curve.parameter, "predicted", "95 % from", "to"), rows)
    page.line(f"at {configuration(curve.at)}")
    _signs(page, curve.rows)


def suggestions(report: ExploreReport, model: ModelFacts, page: Page) -> None:
    """Add where to simulate next, where that was asked for."""
    if not report.suggest:
        return
    page.heading("Points to simulate next, best first", _NOTE)
    rows = [
        (figure(_number(each.variance)), *_said(each), configuration(each.point))
        for each in model.suggestions
    ]
    if rows:
        page.table(
            ("variance", "predicted", "95 % from", "to", "point"), rows, left=(4,), wrap=(4,)
        )
    if len(rows) < report.suggest:
        page.line("no more points are left")
    _signs(page, model.suggestions)


PAGE = (Special(_explored),)

COLUMNS = (
    "workload",
    "number",
    "<parameter>",
    *FIGURES,
    "predicted",
    "low",
    "high",
    "reason",
    "mark",
)
"""``<parameter>`` stands for as many columns as a space has parameters."""


def _names(report: ExploreReport) -> dict[str, list[str]]:
    """The columns that the word in brackets stands for."""
    return {"<parameter>": list(_columns(report).values())}


def _columns(report: ExploreReport) -> dict[str, str]:
    """Each parameter's column: its name, or ``parameter.NAME`` where another has that name."""
    names = [each.name for each in report.parameters]
    return {name: f"parameter.{name}" if name in COLUMNS else name for name in names}


def _rows(report: ExploreReport) -> Iterator[CsvRow]:
    """A row for each sample of each workload."""
    columns = _columns(report)
    for one in report.workloads:
        for row in one.rows:
            yield {
                "workload": one.workload,
                "number": row.number,
                **{columns[name]: value for name, value in row.point.items()},
                **row.figures,
                "predicted": row.predicted,
                "low": row.low,
                "high": row.high,
                "reason": row.reason,
                "mark": "modelled" if row.reason is None else "exact",
            }


EXPLORE = CsvTable(COLUMNS, _rows, _names)
