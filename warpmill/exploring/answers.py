"""Answers of an exploration's models: best points, costs, curves, what matters, where to look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Annotated, Any

import numpy as np

from warpmill.analyzer.base.diagnostics import Faults, UsageError, WarpmillError
from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.exploring.explored import ExplorationResult, OfWorkload, Predicted
from warpmill.exploring.fitting import Fitting, cross_validated, fit, samples_for, why_none
from warpmill.exploring.options import QuestionOptions
from warpmill.exploring.predicted import (
    PredictedCurve,
    Telling,
    check_point,
    predicted,
)
from warpmill.exploring.space import ExploredSpace
from warpmill.simulator.regression.errors import (
    Errors,
    Importance,
    Likeness,
    compare_workloads,
    rank,
)
from warpmill.simulator.regression.fit import checked_terms
from warpmill.simulator.regression.model import Model
from warpmill.simulator.regression.parameters import Value, names_in, parameter_called, plain_name
from warpmill.simulator.regression.predict import POINT, Prediction, predict_space
from warpmill.simulator.regression.search import (
    BestPoint,
    Suggestion,
    best_points,
    check_costs,
    check_suggested,
    pareto_front,
    points_left,
    suggest,
    untried,
)
from warpmill.simulator.regression.space import DesignSpace
from warpmill.sweeps.figures import LARGER_IS_BETTER


@dataclass(frozen=True)
class ModelQuestions(QuestionOptions):
    """Questions to models, and which models these are.

    Also the values of ``points``. Along ``curves`` other parameters are ``at``, or else at their
    middle values. ``until_error`` is the mean error in percent that samples were drawn for: whether
    a model is that near is told.
    """

    fitting: Fitting = field(default_factory=Fitting)
    points: Annotated[tuple[Mapping[str, Value], ...], INTERNAL] = ()
    at: Annotated[Mapping[str, Value], INTERNAL] = field(default_factory=dict)
    until_error: Annotated[float | None, Metric("Target mean error, %")] = None

    @derived("Maximum")
    def larger_is_better(self) -> bool:
        """Whether more of the response is better."""
        return self.fitting.response in LARGER_IS_BETTER


@dataclass(frozen=True)
class Modelled:
    """A workload's model with what it tells. No model: ``reason`` says why.

    Without ``errors``, ``no_errors`` says why. ``reached``: whether the model is as near as samples
    were drawn for; null where no error was aimed at. ``ranking`` orders parameters by what they
    explain. ``best`` are points of the space, of which those stand for others that differ in unused
    parameters only; ``front`` are those that none beats in both the response and the cost. Neither
    has points that could not be simulated, nor the ``untried`` ones: those with a number, of a
    parameter in a term, that no sample has. ``deciding`` are the parameters that tell best points
    apart: those of terms, and of what was asked.
    """

    workload: OfWorkload
    model: Model | None = None
    reason: str | None = None
    errors: Errors | None = None
    no_errors: str | None = None
    reached: bool | None = None
    ranking: tuple[Importance, ...] = ()
    deciding: Annotated[frozenset[str], INTERNAL] = frozenset()
    untried: Annotated[int, Metric("Points without samples")] = 0
    best: tuple[BestPoint, ...] = ()
    front: tuple[BestPoint, ...] = ()
    points: tuple[Predicted, ...] = ()
    curves: tuple[PredictedCurve, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()


@dataclass(frozen=True)
class Answers:
    """Answers for each workload, and how alike workloads are (None: fewer than two)."""

    explored: ExplorationResult
    asked: ModelQuestions
    workloads: tuple[Modelled, ...]
    likeness: Likeness | None


def answers(explored: ExplorationResult, asked: ModelQuestions | None = None) -> Answers:
    """Fit a model for each workload, and tell what is asked. UsageError for what cannot be told."""
    asked = asked or ModelQuestions()
    each = modelled(explored, asked)
    return Answers(explored, asked, each, likeness(each))


def modelled(explored: ExplorationResult, asked: ModelQuestions) -> tuple[Modelled, ...]:
    """The model of each workload with what it tells. UsageError for what cannot be told."""
    space = explored.space
    searched = check_asked(space, asked)
    return tuple(_modelled(space, one, asked, searched) for one in explored.workloads)


def likeness(workloads: Iterable[Modelled]) -> Likeness | None:
    """How unlike workloads with models are; None: there are fewer than two."""
    models = {one.workload.title: one.model for one in workloads if one.model is not None}
    return compare_workloads(models) if len(models) > 1 else None


def searched_space(space: ExploredSpace, asked: ModelQuestions) -> DesignSpace:
    """The part of the space in which points are looked for."""
    own = space.design
    if asked.fitting.fixed:
        own = own.with_values(dict(asked.fitting.fixed))
    return own.where(*asked.where) if asked.where else own


def check_asked(space: ExploredSpace, asked: ModelQuestions, *, costs: bool = False) -> DesignSpace:
    """The searched space. UsageError for all that cannot be told, whatever samples say.

    With ``costs``, all points are gone through, to see that each has one.
    """
    faults, fixed, terms = Faults(), dict(asked.fitting.fixed), asked.fitting.terms
    searched = faults.of(lambda: searched_space(space, asked))
    faults.of(lambda: check_suggested(asked.suggest))
    for name in asked.curves:
        faults.of(partial(_check_curve, space, name, fixed))
    for point in dict.fromkeys(tuple(p.items()) for p in (*asked.points, asked.at)):
        faults.of(partial(check_point, space, dict(point), asked.fitting))
    if terms is not None:
        own = [each for each in space.design.parameters if each.name not in fixed]
        faults.of(partial(checked_terms, own, terms))
    if costs and asked.cost is not None:
        faults.of(partial(check_costs, searched or space.design, asked.cost))
    faults.check()
    assert searched is not None
    return searched


def _check_curve(space: ExploredSpace, name: str, fixed: Mapping[str, Value]) -> None:
    parameter_called(space.design.parameters, name)
    if name in fixed:
        raise UsageError(f"{name} is fixed at {fixed[name]}, and cannot be varied")


def _modelled(
    space: ExploredSpace, found: OfWorkload, asked: ModelQuestions, searched: DesignSpace
) -> Modelled:
    points, values = samples_for(space, found, asked.fitting)
    aim, unreached = asked.until_error, None if asked.until_error is None else False
    reason = why_none(space, found, asked.fitting)
    if reason is not None:
        return Modelled(_told_by(None, space, found, asked), None, reason, reached=unreached)
    try:
        model = fit(space, points, values, asked.fitting)
    except UsageError as error:
        reason = _why_none(error, space, found, asked)
        return Modelled(_told_by(None, space, found, asked), None, reason, reached=unreached)
    errors, no_errors = _errors(space, found, asked.fitting)
    mean = None if errors is None else errors.mean_percent
    telling = Telling(space, found, asked.fitting, model)
    failed = [one.point for one in found.failures]
    best: tuple[BestPoint, ...] = ()
    front: tuple[BestPoint, ...] = ()
    if asked.top:
        best = best_points(
            model, searched, asked.top, largest=asked.larger_is_better, besides=failed
        )
    if asked.cost is not None:
        front = pareto_front(
            model, searched, asked.cost, largest=asked.larger_is_better, besides=failed
        )
    return Modelled(
        _told_by(model, space, found, asked),
        model,
        errors=errors,
        no_errors=no_errors,
        reached=unreached if aim is None or mean is None else mean <= aim,
        ranking=rank(model),
        deciding=_deciding(model, space, asked),
        untried=untried(model, searched),
        best=best,
        front=front,
        points=tuple(map(telling.of, asked.points)),
        curves=tuple(telling.along(name, asked.at) for name in asked.curves),
        suggestions=_suggested(model, searched, found, asked),
    )


def _why_none(
    error: WarpmillError, space: ExploredSpace, found: OfWorkload, asked: ModelQuestions
) -> str:
    """Reason why there is no model; measuring more is advised where there is more."""
    (first,) = error.diagnostics
    own = searched_space(space, ModelQuestions(asked.fitting))
    left = points_left(own, [one.point for one in found.samples])
    return f"{first.message}; {first.hint if left else 'the space has no more points'}"


def _errors(
    space: ExploredSpace, found: OfWorkload, fitting: Fitting
) -> tuple[Errors | None, str | None]:
    try:
        return cross_validated(space, found, fitting), None
    except UsageError as error:
        return None, error.diagnostics[0].message


def _told_by(
    model: Model | None, space: ExploredSpace, found: OfWorkload, asked: ModelQuestions
) -> OfWorkload:
    """A workload whose samples have numbers, and what a model says of those with the response."""
    fixed = dict(asked.fitting.fixed).items()
    places = [
        place
        for place, one in enumerate(found.samples)
        if asked.fitting.response in one.figures and fixed <= one.point.items()
    ]
    points = [found.samples[place].point for place in places]
    said = {} if model is None else dict(zip(places, predicted(model, points), strict=True))
    names = space.design.names
    samples = (
        replace(
            one,
            point={name: one.point[name] for name in names if name in one.point},
            number=place,
            modelled=said.get(place),
        )
        for place, one in enumerate(found.samples)
    )
    return replace(found, samples=tuple(samples))


def _deciding(model: Model, space: ExploredSpace, asked: ModelQuestions) -> frozenset[str]:
    """The parameters of terms, and of what was asked: they tell best points apart."""
    words = frozenset().union(*map(names_in, (*asked.where, asked.cost or "1")))
    return frozenset(model.used) | {n for n in space.design.names if plain_name(n) in words}


def _suggested(
    model: Model, searched: DesignSpace, found: OfWorkload, asked: ModelQuestions
) -> tuple[Suggestion, ...]:
    there = [one.point for one in found.samples]
    count = min(asked.suggest, points_left(searched, there)) if asked.suggest else 0
    if not count:
        return ()
    return suggest(model, searched, count, besides=there, seed=asked.fitting.seed)


def prediction_rows(
    space: ExploredSpace, asked: ModelQuestions, models: Sequence[Modelled]
) -> Iterator[Sequence[Any]]:
    """Predictions of every point that is looked at: a header, then values and four columns a model.

    Its columns are the response, the ends of its interval, and notes.
    """
    searched, response = searched_space(space, asked), asked.fitting.response
    named = [f"{response} of {one.workload.title}" for one in models]
    own = searched.names
    yield [*own, *(f"{n}{end}" for n in named for end in ("", " low", " high", " notes"))]
    each = zip(*(all_predictions(one, searched) for one in models), strict=True)
    for of_all in each:
        yield [*of_all[0][: len(own)], *chain(*(row[len(own) :] for row in of_all))]


def all_predictions(one: Modelled, space: DesignSpace) -> Iterator[tuple[Any, ...]]:
    """A row for each point of a space: its values, what the model says with its ends, notes.

    Notes are ``outside``, ``between`` and ``unknown`` as in ``Predicted``, and ``failed`` of points
    that could not be simulated.
    """
    assert one.model is not None
    failures = (sample.point for sample in one.workload.failures)
    failed = space.numbers(space.codes_of(p for p in failures if p in space))
    levels = [np.array(each.values, dtype=object) for each in space.parameters]
    for first, codes, said in predict_space(one.model, space, interval=POINT):
        values = (own[codes[:, column]].tolist() for column, own in enumerate(levels))
        told = (_known(own, said.known) for own in (said.values, said.low, said.high))
        is_failed = np.isin(np.arange(first, first + len(codes)), failed)
        yield from zip(*values, *told, _notes(said, is_failed), strict=True)


def _known(values: Any, known: Any) -> list[float | None]:
    if known.all():
        return list(values.tolist())
    return [v if ok else None for v, ok in zip(values.tolist(), known.tolist(), strict=True)]


def _notes(said: Prediction, failed: Any) -> list[str]:
    flags = {"outside": said.outside, "between": said.between, "unknown": ~said.known,
             "failed": failed}  # fmt: skip
    codes = np.zeros(len(failed), dtype=np.int64)
    for place, own in enumerate(flags.values()):
        codes += own.astype(np.int64) * (1 << place)
    words = [" ".join(word for place, word in enumerate(flags) if code >> place & 1)
             for code in range(1 << len(flags))]  # fmt: skip
    return [words[code] for code in codes.tolist()]
