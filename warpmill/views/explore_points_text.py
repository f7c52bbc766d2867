"""How the page of ``explore`` shows points: tables of predictions, curves, suggestions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from warpmill.reports.base import Mark
from warpmill.reports.explore import ExploreReport
from warpmill.reports.explore_models import ModelFacts
from warpmill.reports.explore_points import CurveFacts, PredictedFacts, Scalar, SuggestionFacts
from warpmill.views.page import UNKNOWN, Page, figure
from warpmill.views.words import plural

ROWS = 12
"""Rows of a table that are shown without ``--verbose``."""
MARK = Mark.MODELLED
_OUTSIDE = "* a value lies beyond those of all samples"
_BETWEEN = "^ a number lies between those of the samples, and none has it: the model may be far off"


def configuration(values: Mapping[str, Scalar]) -> str:
    """Write a point as it is typed: ``simd=16 smp=4``."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def point_table(
    page: Page, heading: str, rows: Sequence[PredictedFacts], used: set[str] | None = None
) -> None:
    """Add a table of points; ``used`` are the parameters that are shown, None: all."""
    if not rows:
        return
    page.heading(heading)
    shown = rows if page.style.verbose else rows[:ROWS]
    costs = any(each.cost is not None for each in rows)
    cells = [
        (*([figure(each.cost)] if costs else []), *_said(each), _shown(each.point, used))
        for each in shown
    ]
    header = [*(["cost"] if costs else []), "predicted", "95 % from", "to", "point"]
    page.table(header, cells, left=(len(header) - 1,), wrap=(len(header) - 1,))
    if len(shown) < len(rows):
        page.line(f"and {len(rows) - len(shown):,} more (--verbose)")
    if used is not None and len(used) < len(rows[0].point):
        page.line("parameters that are not shown are in no term of the model (--verbose)")
    _signs(page, shown)


def _shown(point: Mapping[str, Scalar], used: set[str] | None) -> str:
    own = {name: value for name, value in point.items() if used is None or name in used}
    return configuration(own) or "any"


def _said(each: PredictedFacts | SuggestionFacts) -> tuple[str, str, str]:
    """Write a prediction with its interval, and the signs of what is to be known of it."""
    signs = "*" * each.outside + "^" * each.between + "!" * (_problem(each) is not None)
    value = UNKNOWN if each.predicted is None else figure(each.predicted, MARK)
    return value + signs, figure(each.low, MARK), figure(each.high, MARK)


def _problem(each: PredictedFacts | SuggestionFacts) -> str | None:
    return each.problem if isinstance(each, PredictedFacts) else None


def _signs(page: Page, shown: Sequence[PredictedFacts] | Sequence[SuggestionFacts]) -> None:
    """Say what signs mean, those that are there."""
    if any(each.outside for each in shown):
        page.line(_OUTSIDE)
    if any(each.between for each in shown):
        page.line(_BETWEEN)
    for problem in dict.fromkeys(map(_problem, shown)):
        if problem is not None:
            page.line(f"! {problem}")


def left_out(model: ModelFacts, page: Page) -> None:
    """Say how many points are not among the best because nothing was learnt of their numbers."""
    if model.untried:
        own = plural(model.untried, "point")
        have = "has" if model.untried == 1 else "have"
        page.line(
            f"left out: {own} that {have} a number, in a term, that no sample has (--suggest)"
        )


def curve_table(report: ExploreReport, curve: CurveFacts, page: Page) -> None:
    """Add a curve: a row a value."""
    page.heading(f"{report.response} along {curve.parameter}")
    rows = [(str(each.point[curve.parameter]), *_said(each)) for each in curve.rows]
    page.table((curve.parameter, "predicted", "95 % from", "to"), rows)
    page.line(f"at {configuration(curve.at)}")
    _signs(page, curve.rows)


def suggestions(report: ExploreReport, model: ModelFacts, page: Page) -> None:
    """Add where to simulate next, where that was asked for."""
    if not report.suggest:
        return
    page.heading("points to simulate next, what tells most first")
    rows = [
        (figure(each.variance, MARK), *_said(each), configuration(each.point))
        for each in model.suggestions
    ]
    if rows:
        page.table(
            ("variance", "predicted", "95 % from", "to", "point"), rows, left=(4,), wrap=(4,)
        )
    if len(rows) < report.suggest:
        page.line("no more points are left")
    _signs(page, model.suggestions)
