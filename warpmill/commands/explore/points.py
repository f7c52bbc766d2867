"""What ``explore`` says of points: predictions, curves, where to simulate next."""

from __future__ import annotations

import math
from collections.abc import Mapping

from warpmill.exploring.predicted import Predicted, PredictedCurve
from warpmill.report.base import Part
from warpmill.simulator.regression.search import BestPoint, Suggestion

Scalar = int | float | str
"""A value of a parameter."""


class PredictedFacts(Part):
    """What the model says of a point, with the 95 % interval of what would be simulated there.

    ``outside``: a value lies beyond those of all samples. ``between``: a number, of a parameter in
    a term, lies among those of the samples and no sample has it, so that the model may be far off,
    further than the interval says. ``predicted`` is null where samples say nothing of the point.
    ``problem`` says why there is no such point: the space leaves it out, or it could not be
    simulated. ``cost`` is there where one was asked for.
    """

    point: dict[str, Scalar]
    predicted: float | None
    low: float | None
    high: float | None
    outside: bool
    between: bool
    problem: str | None
    cost: float | None


class ResponseCurveFacts(Part):
    """The response along a parameter, others being ``at``: one row a value."""

    parameter: str
    at: dict[str, Scalar]
    rows: list[PredictedFacts]


class SuggestionFacts(Part):
    """A point to simulate next, and what the model says of it now: as of any point.

    ``variance`` is that of the model's value, over an error's. It is null where a number is one
    that no sample has; all are null where no sample tells anything of the point.
    """

    point: dict[str, Scalar]
    predicted: float | None
    low: float | None
    high: float | None
    outside: bool
    between: bool
    variance: float | None


def in_order(point: Mapping[str, Scalar], names: list[str]) -> dict[str, Scalar]:
    """Give a point with its parameters in the space's order."""
    return {name: point[name] for name in names if name in point}


def found_facts(one: BestPoint) -> PredictedFacts:
    """Tell of a point that was found in the space: ``between`` never, it would be left out."""
    return PredictedFacts(
        point=dict(one.point),
        predicted=one.predicted,
        low=one.low,
        high=one.high,
        outside=one.outside,
        between=False,
        problem=None,
        cost=one.cost,
    )


def predicted_facts(one: Predicted, names: list[str]) -> PredictedFacts:
    """Tell of a point that was asked for, by the parameters of ``names``."""
    return PredictedFacts(
        point=in_order(one.point, names),
        predicted=one.value,
        low=one.low,
        high=one.high,
        outside=one.outside,
        between=one.between,
        problem=one.problem,
        cost=None,
    )


def curve_facts(one: PredictedCurve, names: list[str]) -> ResponseCurveFacts:
    """Tell of a curve."""
    return ResponseCurveFacts(
        parameter=one.name,
        at=in_order(one.at, names),
        rows=[predicted_facts(row, [one.name]) for row in one.rows],
    )


def suggestion_facts(one: Suggestion) -> SuggestionFacts:
    """Tell of a point to simulate next."""
    return SuggestionFacts(
        point=dict(one.point),
        predicted=known(one.predicted),
        low=known(one.low),
        high=known(one.high),
        outside=one.outside,
        between=one.between,
        variance=known(one.variance),
    )


def known(value: float) -> float | None:
    """Give a number, None for what is none."""
    return value if math.isfinite(value) else None
