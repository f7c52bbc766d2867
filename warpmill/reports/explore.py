"""What ``explore`` answers: samples of a design space, models of them, and what these tell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from simulator.regression.curves import Curve
from simulator.regression.errors import Errors
from simulator.regression.formula import formula_of, summary_of
from simulator.regression.model import Model, words_of_term
from simulator.regression.parameters import Value
from simulator.regression.ranking import Likeness, rank
from simulator.regression.search import Found
from simulator.regression.suggest import Suggestion
from warpmill.exploring.answers import Answers, Modelled, Predicted
from warpmill.exploring.exploration import OfWorkload, Sample
from warpmill.exploring.space import SpaceParameter
from warpmill.reports.base import Id, Mark, Marks, Part, Report, marks

Scalar = int | float | str
"""A value of a parameter."""


class ParameterFacts(Part):
    """A parameter of the space. ``sets`` has for each machine key what it is set to.

    That is an expression of parameters, or in words how it is chosen. ``log2``: models look at the
    logarithm.
    """

    name: str
    about: str
    values: list[Scalar]
    log2: bool
    sets: dict[str, str]


class TermFacts(Part):
    """A term of a model, in order of entry: what R² is with it, and what it grew by."""

    term: str
    r_squared: float
    gain: float
    adjusted_r_squared: float | None


class ErrorFacts(Part):
    """Relative errors at samples that models had not seen, in ``folds`` folds.

    ``unknown`` samples are those that a model without them knew nothing of.
    """

    folds: int
    mean_percent: float | None
    median_percent: float | None
    p98_percent: float | None
    maximum_percent: float | None
    unknown: int


class ShareFacts(Part):
    """What a parameter explains of the samples' variance: alone, and in halves of interactions."""

    parameter: str
    alone: float
    interactions: float
    share: float


class PredictedFacts(Part):
    """What the model says of a point, with the 95 % interval of what would be simulated there.

    ``outside``: a value lies beyond those of all samples. ``predicted`` is null where samples say
    nothing of the point. ``cost`` is there where one was asked for.
    """

    point: dict[str, Scalar]
    predicted: float | None
    low: float | None
    high: float | None
    outside: bool
    cost: float | None


class CurveFacts(Part):
    """The response along a parameter, others being ``at``: one row a value."""

    parameter: str
    at: dict[str, Scalar]
    rows: list[PredictedFacts]


class SuggestionFacts(Part):
    """A point to simulate next. ``variance`` is that of the model's value, over an error's.

    Both are null where no sample tells anything of it.
    """

    point: dict[str, Scalar]
    predicted: float | None
    variance: float | None


class ModelFacts(Part):
    """A model of the response, by Stargazer's stepwise regression (§5).

    ``formula`` has all coefficients. ``ranking`` orders parameters by what they explain. ``best``
    are points of the space, of which those stand for others that differ in unused parameters only;
    ``front`` are those that none beats in both the response and the cost.
    """

    summary: str
    formula: str
    samples: int
    r_squared: float
    terms: list[TermFacts]
    errors: ErrorFacts | None
    ranking: list[ShareFacts]
    best: list[PredictedFacts]
    front: list[PredictedFacts]
    points: list[PredictedFacts]
    curves: list[CurveFacts]
    suggestions: list[SuggestionFacts]


class SampleFacts(Part):
    """A point that was simulated, by its place among the workload's samples.

    ``figures`` has those that are known; it is empty where ``reason`` says why there are none.
    ``predicted`` is what the model says of the response there.
    """

    number: Id
    point: dict[str, Scalar]
    figures: dict[str, float]
    predicted: float | None
    reason: str | None


class FailureFacts(Part):
    """Why points could not be simulated: a reason, with how many have it and the first one."""

    reason: str
    samples: int
    first: dict[str, Scalar]


class WorkloadFacts(Part):
    """A workload: its samples, how many have no figures, and its model.

    ``left_out`` points of the study are of another space, other options or other code. ``reason``
    says why there is no model.
    """

    workload: str
    samples: int
    not_measured: int
    left_out: int
    failures: list[FailureFacts]
    model: ModelFacts | None
    reason: str | None
    rows: list[SampleFacts]


class LikenessFacts(Part):
    """How unlike workloads are, by what their models depend on.

    ``shares`` has a row a workload and a column a parameter: shares of what the model explains.
    ``distances`` are half the sums of the differences of two rows: 0 for equal shares, 1 where no
    parameter matters to both; null where a model explains nothing.
    """

    workloads: list[str]
    parameters: list[str]
    shares: list[list[float | None]]
    distances: list[list[float | None]]


class ExploreReport(Report):
    """A design space explored: samples of its points simulated for workloads, and models of them.

    ``points`` is how many the space has. ``fixed`` has parameters that models leave out, being of
    samples with those values. ``theta`` and ``phi`` are the thresholds that a term, or an
    interaction, has to better R² by.
    """

    report: Literal["explore"] = "explore"
    study: str
    store: str | None
    space: str
    about: str
    base: str
    constants: dict[str, str]
    parameters: list[ParameterFacts]
    conditions: list[str]
    points: int
    response: str
    larger_is_better: bool
    theta: float
    phi: float
    fixed: dict[str, Scalar]
    searched: list[str]
    """Further conditions under which best points, the front and suggestions were looked for."""
    cost: str | None
    workloads: list[WorkloadFacts]
    likeness: LikenessFacts | None
    marks: Marks


def explore_report(found: Answers) -> ExploreReport:
    """Report an exploration and what its models tell."""
    space, asked = found.explored.space, found.asked
    return ExploreReport(
        study=found.explored.study,
        store=found.explored.store,
        space=space.name,
        about=space.about,
        base=space.base,
        constants={key: str(value) for key, value in space.constants},
        parameters=[_parameter(each) for each in space.parameters],
        conditions=list(space.conditions),
        points=space.design.count,
        response=asked.fitting.response,
        larger_is_better=asked.largest,
        theta=asked.fitting.theta,
        phi=asked.fitting.phi,
        fixed=dict(asked.fitting.fixed),
        searched=list(asked.where),
        cost=asked.cost,
        workloads=[_workload(one, found) for one in found.workloads],
        likeness=_likeness(found.likeness),
        marks=_marks(),
    )


def _marks() -> dict[str, Mark]:
    """Mark figures: what is counted is exact, all that follows from simulated times is modelled."""
    modelled = {f"workloads__model__{name}": Mark.MODELLED for name in (
        "r_squared", "terms", "errors", "ranking", "best", "front", "points", "curves",
        "suggestions",
    )}  # fmt: skip
    return marks(
        ExploreReport,
        Mark.EXACT,
        workloads__rows__figures=Mark.MODELLED,
        workloads__rows__predicted=Mark.MODELLED,
        likeness=Mark.MODELLED,
        **modelled,
    )


def _parameter(each: SpaceParameter) -> ParameterFacts:
    how = each.realisation
    if how.rule == "concurrency":
        sets = dict.fromkeys(how.keys, "as so many CTAs need")
    elif how.rule == "simd":
        sets = {"sm.simd_width": each.name, "lanes.*": "in proportion"}
    else:
        sets = {how.key: each.name} if how.key is not None else dict(how.formulas)
    values = list(each.parameter.values)
    return ParameterFacts(
        name=each.name, about=each.about, values=values, log2=each.log2, sets=sets
    )


def _workload(one: Modelled, found: Answers) -> WorkloadFacts:
    own = one.found
    return WorkloadFacts(
        workload=own.title,
        samples=len(own.samples),
        not_measured=len(own.failures),
        left_out=own.others,
        failures=_failures(own),
        model=_model(one.model, one, found) if one.model is not None else None,
        reason=one.reason,
        rows=[_sample(place, each, one.sampled) for place, each in enumerate(own.samples)],
    )


def _failures(own: OfWorkload) -> list[FailureFacts]:
    grouped: dict[str, list[Sample]] = {}
    for each in own.failures:
        grouped.setdefault(each.problem or "", []).append(each)
    return [
        FailureFacts(reason=reason, samples=len(rows), first=dict(rows[0].point))
        for reason, rows in sorted(grouped.items(), key=lambda pair: -len(pair[1]))
    ]


def _sample(place: int, each: Sample, said: Mapping[int, Predicted]) -> SampleFacts:
    return SampleFacts(
        number=place,
        point=dict(each.point),
        figures=dict(each.figures),
        predicted=said[place].value if place in said else None,
        reason=each.problem,
    )


def _model(model: Model, one: Modelled, found: Answers) -> ModelFacts:
    return ModelFacts(
        summary=summary_of(model),
        formula=formula_of(model),
        samples=one.samples,
        r_squared=model.r_squared,
        terms=[
            TermFacts(
                term=words_of_term(step.term),
                r_squared=step.r_squared,
                gain=gain,
                adjusted_r_squared=step.adjusted,
            )
            for step, gain in zip(model.steps, model.gains, strict=True)
        ],
        errors=_errors(one.errors, found.asked.fitting.folds),
        ranking=[
            ShareFacts(
                parameter=each.name,
                alone=each.alone,
                interactions=each.interactions,
                share=each.share,
            )
            for each in rank(model)
        ],
        best=[_found(each) for each in one.best],
        front=[_found(each) for each in one.front],
        points=[_predicted(each) for each in one.points],
        curves=[_curve(each) for each in one.curves],
        suggestions=[_suggestion(each) for each in one.suggestions],
    )


def _errors(own: Errors | None, folds: int) -> ErrorFacts | None:
    if own is None:
        return None
    return ErrorFacts(
        folds=folds,
        mean_percent=own.mean,
        median_percent=own.quantile(0.5),
        p98_percent=own.quantile(0.98),
        maximum_percent=own.maximum,
        unknown=own.unknown,
    )


def _found(one: Found) -> PredictedFacts:
    return PredictedFacts(
        point=dict(one.point),
        predicted=one.predicted,
        low=one.low,
        high=one.high,
        outside=one.outside,
        cost=one.cost,
    )


def _predicted(one: Predicted) -> PredictedFacts:
    return PredictedFacts(
        point=dict(one.point),
        predicted=one.value,
        low=one.low,
        high=one.high,
        outside=one.outside,
        cost=None,
    )


def _curve(one: Curve) -> CurveFacts:
    said = one.prediction
    assert said.low is not None
    assert said.high is not None
    rows = zip(one.values, said.values.tolist(), said.low.tolist(), said.high.tolist(),
               said.outside.tolist(), strict=True)  # fmt: skip
    return CurveFacts(
        parameter=one.name,
        at=dict(one.at),
        rows=[
            PredictedFacts(
                point={one.name: value},
                predicted=_known(predicted),
                low=_known(low),
                high=_known(high),
                outside=outside,
                cost=None,
            )
            for value, predicted, low, high, outside in rows
        ],
    )


def _suggestion(one: Suggestion) -> SuggestionFacts:
    point: dict[str, Value] = dict(one.point)
    return SuggestionFacts(
        point=point, predicted=_known(one.predicted), variance=_known(one.variance)
    )


def _likeness(own: Likeness | None) -> LikenessFacts | None:
    if own is None:
        return None
    return LikenessFacts(
        workloads=list(own.workloads),
        parameters=list(own.parameters),
        shares=[_row(row) for row in own.shares.tolist()],
        distances=[_row(row) for row in own.distances.tolist()],
    )


def _row(values: Sequence[float]) -> list[float | None]:
    return [_known(value) for value in values]


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
