"""What ``explore`` says of a model: its terms, how far off it is, what matters, what it tells."""

from __future__ import annotations

from warpmill.commands.explore.points import (
    PredictedFacts,
    ResponseCurveFacts,
    Scalar,
    SuggestionFacts,
    curve_facts,
    found_facts,
    predicted_facts,
    suggestion_facts,
)
from warpmill.exploring.answers import Answers, Modelled
from warpmill.report.base import Part
from warpmill.simulator.regression.errors import Errors, rank
from warpmill.simulator.regression.model import (
    Model,
    ModelCoefficient,
    coefficients_of,
    formula_of,
    summary_of,
    words_of_term,
)


class TermFacts(Part):
    """A term of a model, in order of entry: what R² is with it, and what it grew by."""

    term: str
    r_squared: float
    gain: float
    adjusted_r_squared: float | None


class CoefficientFacts(Part):
    """A coefficient: what a ``term`` adds ``at`` a knot or a word of each parameter of it.

    The constant has no term. ``t_value`` is the coefficient over its standard error; null where the
    model fits without any error.
    """

    term: str | None
    at: list[Scalar]
    value: float
    t_value: float | None


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


class VarianceShareFacts(Part):
    """What a parameter explains of the samples' variance: alone, and in halves of interactions."""

    parameter: str
    alone: float
    interactions: float
    share: float


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
    r_squared: float
    adjusted_r_squared: float | None
    aic: float | None
    terms: list[TermFacts]
    coefficients: list[CoefficientFacts]
    errors: ErrorFacts | None
    no_errors: str | None
    ranking: list[VarianceShareFacts]
    untried: int
    best: list[PredictedFacts]
    front: list[PredictedFacts]
    points: list[PredictedFacts]
    curves: list[ResponseCurveFacts]
    suggestions: list[SuggestionFacts]


def model_facts(model: Model, one: Modelled, found: Answers) -> ModelFacts:
    """Report a workload's model and what it tells."""
    names = list(found.explored.space.design.names)
    return ModelFacts(
        summary=summary_of(model),
        formula=formula_of(model),
        samples=one.samples,
        r_squared=model.r_squared,
        adjusted_r_squared=model.steps[-1].adjusted if model.steps else None,
        aic=model.aic,
        terms=_terms(model),
        coefficients=[_coefficient(each) for each in coefficients_of(model)],
        errors=_errors(one.errors, found.asked.fitting.folds),
        no_errors=one.no_errors,
        ranking=_ranking(model),
        untried=one.untried,
        best=[found_facts(each) for each in one.best],
        front=[found_facts(each) for each in one.front],
        points=[predicted_facts(each, names) for each in one.points],
        curves=[curve_facts(each, names) for each in one.curves],
        suggestions=[suggestion_facts(each) for each in one.suggestions],
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


def _ranking(model: Model) -> list[VarianceShareFacts]:
    return [
        VarianceShareFacts(
            parameter=each.name,
            alone=each.alone,
            interactions=each.interactions,
            share=each.share,
        )
        for each in rank(model)
    ]


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
