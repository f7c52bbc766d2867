"""What ``explore`` answers: samples of a design space, models of them, and what these tell."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.exploring.answers import Answers, Modelled
from warpmill.exploring.explored import OfWorkload, PointSample
from warpmill.exploring.fitting import Fitting
from warpmill.exploring.predicted import Predicted, PredictedCurve
from warpmill.exploring.space import SpaceParameter
from warpmill.report.base import Id, Part, Report
from warpmill.simulator.regression.errors import Errors, Importance, Likeness, rank
from warpmill.simulator.regression.model import (
    Model,
    ModelCoefficient,
    coefficients_of,
    formula_of,
    summary_of,
    words_of_term,
)
from warpmill.simulator.regression.parameters import Value
from warpmill.simulator.regression.search import BestPoint, Suggestion


class SampleFacts(Part):
    """A point that was simulated, by its place among the workload's samples.

    ``figures`` has those that are known; it is empty where ``reason`` says why there are none.
    ``ctas_per_sm`` has how many CTAs of a kernel an SM held at most, each number once.
    ``predicted`` is what the model says of the response there, ``low`` and ``high`` are the ends of
    its 95 % interval.
    """

    number: Id
    point: dict[str, Value]
    figures: Annotated[dict[str, float], Metric("Figures", mark=Mark.MODELLED)]
    ctas_per_sm: list[int]
    predicted: Annotated[float | None, Metric("Predicted", mark=Mark.MODELLED)]
    low: Annotated[float | None, Metric("95 % low", mark=Mark.MODELLED)]
    high: Annotated[float | None, Metric("High", mark=Mark.MODELLED)]
    reason: str | None


class FailureFacts(Part):
    """Why points could not be simulated: a reason, with how many have it and the first one."""

    reason: str
    samples: int
    first: dict[str, Value]


class SpaceAssumptionFacts(Part):
    """What the figures of some samples rest on."""

    text: str
    samples: int


class TermFacts(Part):
    """A term of a model, in order of entry: what R² is with it, and what it grew by."""

    term: Annotated[str, Metric("Term")]
    r_squared: Annotated[float, Metric("R²", mark=Mark.MODELLED)]
    gain: Annotated[float, Metric("R² more", mark=Mark.MODELLED)]
    adjusted_r_squared: Annotated[float | None, Metric("Adjusted R²", mark=Mark.MODELLED)]


class CoefficientFacts(Part):
    """A coefficient: what a ``term`` adds ``at`` a knot or a word of each parameter of it.

    The constant has no term. ``t_value`` is the coefficient over its standard error; null where the
    model fits without any error.
    """

    term: str | None
    at: list[Value]
    value: Annotated[float, Metric("Coefficient", mark=Mark.MODELLED)]
    t_value: Annotated[float | None, Metric("Over standard error", mark=Mark.MODELLED)]


class ErrorFacts(Part):
    """Relative errors at samples that models had not seen, in ``folds`` folds.

    ``unknown`` samples are those that a model without them knew nothing of.
    """

    folds: int
    mean_percent: Annotated[float | None, Metric("Mean error", mark=Mark.MODELLED)]
    median_percent: Annotated[float | None, Metric("Median error", mark=Mark.MODELLED)]
    p98_percent: Annotated[float | None, Metric("98 % below", mark=Mark.MODELLED)]
    maximum_percent: Annotated[float | None, Metric("Maximum error", mark=Mark.MODELLED)]
    unknown: int


class ModelFacts(Part):
    """A model of the response, by Stargazer's stepwise regression (§5), or of given terms (§7.4).

    ``formula`` has all coefficients in a form that people can read. ``aic`` is Akaike's criterion
    (§5.4), null where the model fits without any error. Without ``errors``, ``no_errors`` says why.
    ``ranking`` orders parameters by what they explain. ``best`` are points of the space, of which
    those stand for others that differ in unused parameters only; ``front`` are those that none
    beats in both the response and the cost. Neither has points that could not be simulated, nor the
    ``untried`` points: those with a number, of a parameter in a term, that no sample has.
    """

    summary: str
    formula: str
    samples: int
    r_squared: Annotated[float, Metric("R²", mark=Mark.MODELLED)]
    adjusted_r_squared: Annotated[float | None, Metric("Adjusted R²", mark=Mark.MODELLED)]
    aic: Annotated[float | None, Metric("AIC", mark=Mark.MODELLED)]
    terms: list[TermFacts]
    coefficients: list[CoefficientFacts]
    errors: ErrorFacts | None
    no_errors: str | None
    ranking: tuple[Importance, ...]
    untried: int
    best: tuple[BestPoint, ...]
    front: tuple[BestPoint, ...]
    points: tuple[Predicted, ...]
    curves: tuple[PredictedCurve, ...]
    suggestions: tuple[Suggestion, ...]


class WorkloadFacts(Part):
    """A workload: its samples, how many have no figures, and its model.

    ``left_out`` points of the study are of another space, other options or other code. ``reason``
    says why there is no model. ``reached`` says whether the model is as near as samples were drawn
    for; null where no error was aimed at.
    """

    workload: str
    samples: int
    not_measured: int
    left_out: int
    failures: list[FailureFacts]
    assumptions: list[SpaceAssumptionFacts]
    reached: bool | None
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
    shares: Annotated[list[list[float | None]], Metric("Shares", "%", Mark.MODELLED)]
    distances: Annotated[list[list[float | None]], Metric("Distances", mark=Mark.MODELLED)]


class ExploreReport(Report):
    """A design space explored: samples of its points simulated for workloads, and models of them.

    ``points`` is how many the space has. ``fixed`` has parameters that models leave out, being of
    samples with those values. ``theta`` and ``phi`` are the thresholds that a term, or an
    interaction, has to better R² by; null where ``terms`` were given. ``until_error_percent`` is
    the mean error that samples were drawn for. ``suggest`` is how many points to simulate next were
    asked for: fewer are named where fewer are left.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["explore"] = "explore"
    study: str
    store: str | None
    space: str
    about: str
    base: str
    constants: dict[str, str]
    parameters: tuple[SpaceParameter, ...]
    conditions: list[str]
    points: int
    response: str
    larger_is_better: bool
    theta: float | None
    phi: float | None
    terms: list[str] | None
    until_error_percent: float | None
    fixed: dict[str, Value]
    searched: list[str]
    """Further conditions under which best points, the front and suggestions were looked for."""
    cost: str | None
    suggest: int
    workloads: list[WorkloadFacts]
    likeness: LikenessFacts | None


def explore_report(found: Answers) -> ExploreReport:
    """The report of an exploration and what its models tell."""
    space, asked = found.explored.space, found.asked
    study, store, suggest, cost = (
        found.explored.study,
        found.explored.store,
        asked.suggest,
        asked.cost,
    )
    about, base, parameters = space.about, space.base, space.parameters
    return ExploreReport(
        study=study,
        store=store,
        space=space.name,
        about=about,
        base=base,
        constants={key: str(value) for key, value in space.constants},
        parameters=parameters,
        conditions=list(space.conditions),
        points=space.design.count,
        response=asked.fitting.response,
        larger_is_better=asked.largest,
        theta=asked.fitting.theta if asked.fitting.terms is None else None,
        phi=asked.fitting.phi if asked.fitting.terms is None else None,
        terms=_given_terms(asked.fitting),
        until_error_percent=asked.until_error,
        fixed=dict(asked.fitting.fixed),
        searched=list(asked.where),
        cost=cost,
        suggest=suggest,
        workloads=[_workload(one, found) for one in found.workloads],
        likeness=_likeness(found.likeness),
    )


def _given_terms(fitting: Fitting) -> list[str] | None:
    return None if fitting.terms is None else [words_of_term(term) for term in fitting.terms]


def _workload(one: Modelled, found: Answers) -> WorkloadFacts:
    reason = one.reason
    own, names = one.found, list(found.explored.space.design.names)
    aim = found.asked.until_error
    return WorkloadFacts(
        workload=own.title,
        samples=len(own.samples),
        not_measured=len(own.failures),
        left_out=own.others,
        failures=_failures(own, names),
        assumptions=_assumptions(own),
        reached=None if aim is None else one.is_near(aim),
        model=model_facts(one.model, one, found) if one.model is not None else None,
        reason=reason,
        rows=[_sample(place, each, one.sampled, names) for place, each in enumerate(own.samples)],
    )


def _assumptions(own: OfWorkload) -> list[SpaceAssumptionFacts]:
    counts: dict[str, int] = {}
    for each in own.measured:
        for text in _rests_on(each):
            counts[text] = counts.get(text, 0) + 1
    return [SpaceAssumptionFacts(text=text, samples=number) for text, number in counts.items()]


def _rests_on(one: PointSample) -> Iterator[str]:
    if one.facts.get("registers_assumed"):
        yield "the registers of a thread are assumed"
    if one.facts.get("sampled"):
        yield "a part was simulated and continued in a line"
    yield from one.facts.get("assumptions", ())


def _failures(own: OfWorkload, names: list[str]) -> list[FailureFacts]:
    grouped: dict[str, list[PointSample]] = {}
    for each in own.failures:
        grouped.setdefault(each.problem or "", []).append(each)
    return [
        FailureFacts(reason=reason, samples=len(rows), first=in_order(rows[0].point, names))
        for reason, rows in sorted(grouped.items(), key=lambda pair: -len(pair[1]))
    ]


def _sample(
    place: int, each: PointSample, said: Mapping[int, Predicted], names: list[str]
) -> SampleFacts:
    own = said.get(place)
    return SampleFacts(
        number=place,
        point=in_order(each.point, names),
        figures=dict(each.figures),
        ctas_per_sm=list(each.facts.get("ctas_per_sm", ())),
        predicted=None if own is None else own.predicted,
        low=None if own is None else own.low,
        high=None if own is None else own.high,
        reason=each.problem,
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
    return [known(value) for value in values]


def model_facts(model: Model, one: Modelled, found: Answers) -> ModelFacts:
    """A workload's model and what it tells."""
    r_squared, aic, samples = model.r_squared, model.aic, one.samples
    no_errors, untried = one.no_errors, one.untried
    best, front, points = one.best, one.front, one.points
    curves, suggestions = one.curves, one.suggestions
    return ModelFacts(
        summary=summary_of(model),
        formula=formula_of(model),
        samples=samples,
        r_squared=r_squared,
        adjusted_r_squared=model.steps[-1].adjusted if model.steps else None,
        aic=aic,
        terms=_terms(model),
        coefficients=[_coefficient(each) for each in coefficients_of(model)],
        errors=_errors(one.errors, found.asked.fitting.folds),
        no_errors=no_errors,
        ranking=rank(model),
        untried=untried,
        best=best,
        front=front,
        points=points,
        curves=curves,
        suggestions=suggestions,
    )


def _terms(model: Model) -> list[TermFacts]:
    return [
        TermFacts(
            term=words_of_term(step.term),
            r_squared=step.r_squared,
            gain=gain,
            adjusted_r_squared=step.adjusted,
        )
        for step, gain in zip(model.steps, model.gains, strict=True)
    ]


def _coefficient(one: ModelCoefficient) -> CoefficientFacts:
    term = words_of_term(one.term) if one.term else None
    return CoefficientFacts(term=term, at=list(one.at), value=one.value, t_value=one.t_value)


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


def in_order(point: Mapping[str, Value], names: list[str]) -> dict[str, Value]:
    """A point with its parameters in the space's order."""
    return {name: point[name] for name in names if name in point}


def known(value: float) -> float | None:
    """A number; None for what is none."""
    return value if math.isfinite(value) else None
