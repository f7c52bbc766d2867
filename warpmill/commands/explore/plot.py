"""Explorations as pictures: what each term adds to R² (Figure 3), and curves (Figure 7)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill.commands.explore.result import ExploreReport
from warpmill.exploring.answers import Modelled
from warpmill.exploring.explored import Predicted
from warpmill.exploring.predicted import PredictedCurve
from warpmill.report.bars import drawable
from warpmill.report.pictures import look, write_figure
from warpmill.simulator.regression.model import TermGain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_TERMS = 9
"""Terms that have a colour of their own, those that explain most; the rest are drawn together."""
_GREY = "#BBBBBB"


def write_terms(report: ExploreReport, path: str | Path) -> None:
    """Draw a bar for each workload: what terms add to R². UsageError."""
    write_figure(lambda: terms_figure(report), path)


def write_curves(report: ExploreReport, path: str | Path) -> None:
    """Draw the response along each parameter that was asked for, a line a workload. UsageError."""
    write_figure(lambda: curves_figure(report), path)


def models_of(report: ExploreReport) -> list[tuple[str, Modelled]]:
    """The workloads that have a model, by title."""
    return [(one.workload.title, one) for one in report.workloads if one.model is not None]


def terms_figure(report: ExploreReport) -> Figure:
    """Make the picture of what terms add to R²."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to load

    models = models_of(report)
    sums: dict[str, float] = {}
    for _, model in models:
        for each in _terms(model):
            sums[each.term] = sums.get(each.term, 0.0) + each.gain
    named = sorted(sums, key=lambda term: -sums[term])[:_MOST_TERMS]
    figure = Figure(figsize=(6.5, 0.32 * max(1, len(models)) + 1.4), layout="constrained")
    axes = figure.add_subplot()
    left = [0.0] * len(models)
    for number, term in enumerate([*named, None]):
        gains = [_gain(model, term, named) for _, model in models]
        if term is None and not any(gains):
            continue
        colour = _GREY if term is None else look(number)[0]
        hatch = None if term is None or number < 7 else "///"
        label = "others" if term is None else drawable(term)
        axes.barh(range(len(models)), gains, left=left, color=colour, hatch=hatch, label=label)
        left = [a + b for a, b in zip(left, gains, strict=True)]
    axes.set_yticks(range(len(models)), [drawable(name) for name, _ in models])
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel(f"share of the variance of {report.asked.fitting.response} (R²)")
    axes.set_title(
        drawable(f"{report.exploration.study}: what terms of the models explain"), loc="left"
    )
    if models and sums:
        axes.legend(ncols=5, loc="upper center", bbox_to_anchor=(0.5, -0.28), frameon=False)
    return figure


def _terms(one: Modelled) -> Sequence[TermGain]:
    return () if one.model is None else one.model.entered_terms


def _gain(model: Modelled, term: str | None, named: list[str]) -> float:
    if term is None:
        return sum(each.gain for each in _terms(model) if each.term not in named)
    return sum(each.gain for each in _terms(model) if each.term == term)


def curves_figure(report: ExploreReport) -> Figure:
    """Make the picture of curves, one below the other. Doubtful values are hollow."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to load

    models = models_of(report)
    names = list(dict.fromkeys(c.parameter for _, model in models for c in model.curves))
    figure = Figure(figsize=(6.5, 2.6 * max(1, len(names))), layout="constrained")
    for place, name in enumerate(names):
        axes = figure.add_subplot(len(names), 1, place + 1)
        for number, (workload, model) in enumerate(models):
            for curve in model.curves:
                if curve.parameter == name:
                    _draw(axes, curve, workload, number)
        axes.set_xlabel(drawable(name))
        axes.set_ylabel(report.asked.fitting.response)
        if any(_doubtful(row) for _, model in models for c in model.curves if c.parameter == name
               for row in c.rows):  # fmt: skip
            axes.plot([], [], "o", color=_GREY, markerfacecolor="white", markersize=4,
                      label="no sample has the value, or there is no such point")  # fmt: skip
        axes.legend(frameon=False)
    return figure


def _doubtful(row: Predicted) -> bool:
    return row.predicted is not None and row.is_doubtful


def _draw(axes: Axes, curve: PredictedCurve, workload: str, number: int) -> None:
    """Draw a curve with its intervals; words have no order, and no line joins them."""
    known = [
        (row.point[curve.parameter], row.predicted, row.low, row.high, _doubtful(row))
        for row in curve.rows
        if row.predicted is not None and row.low is not None and row.high is not None
    ]
    if not known:
        return
    words = any(isinstance(row[0], str) for row in known)
    along = [str(row[0]) if words else row[0] for row in known]
    values, low, high = ([row[k] for row in known] for k in (1, 2, 3))
    colour, marker = look(number)
    if words:
        axes.vlines(along, low, high, color=colour, alpha=0.4, linewidth=3)
    else:
        axes.fill_between(along, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.plot(along, values, color=colour, marker=marker, markersize=4, label=drawable(workload),
              linestyle="none" if words else "-")  # fmt: skip
    hollow = [(x, row[1]) for x, row in zip(along, known, strict=True) if row[4]]
    if hollow:
        x, y = zip(*hollow, strict=True)
        axes.plot(x, y, color=colour, marker=marker, markersize=4, markerfacecolor="white",
                  linestyle="none")  # fmt: skip
