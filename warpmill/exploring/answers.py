"""Answers of an exploration's models: best points, costs, curves, what matters, where to look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from warpmill.analyzer.base.diagnostics import UsageError, WarpmillError
from warpmill.exploring.explored import ExplorationResult, OfWorkload
from warpmill.exploring.fitting import Fitting, cross_validated, fit, samples_for, why_none
from warpmill.exploring.options import QuestionOptions
from warpmill.exploring.predicted import (
    Predicted,
    PredictedCurve,
    Telling,
    check_point,
    predicted,
)
from warpmill.exploring.space import ExploredSpace
from warpmill.simulator.regression.errors import Errors, Likeness, compare_workloads
from warpmill.simulator.regression.fit import checked_terms
from warpmill.simulator.regression.model import Model
from warpmill.simulator.regression.parameters import Value, parameter_called
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
    points: tuple[Mapping[str, Value], ...] = ()
    at: Mapping[str, Value] = field(default_factory=dict)
    until_error: float | None = None

    @property
    def largest(self) -> bool:
        """Whether more of the response is better."""
        return self.fitting.response in LARGER_IS_BETTER


@dataclass(frozen=True)
class Modelled:
    """A workload's model with what it tells. No model: ``reason`` says why.

    ``sampled`` has what the model says of each sample that has the response, by its place. Without
    ``errors``, ``no_errors`` says why. ``untried`` points, with a number that no sample has, are
    neither in ``best`` nor in ``front``; nor are those that could not be simulated.
    """

    found: OfWorkload
    model: Model | None
    samples: int
    reason: str | None = None
    errors: Errors | None = None
    no_errors: str | None = None
    sampled: Mapping[int, Predicted] = field(default_factory=dict)
    untried: int = 0
    best: tuple[BestPoint, ...] = ()
    front: tuple[BestPoint, ...] = ()
    points: tuple[Predicted, ...] = ()
    curves: tuple[PredictedCurve, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()

    def is_near(self, percent: float) -> bool:
        """Whether the model is off by no more than that, in the mean; not where nobody knows."""
        mean = None if self.errors is None else self.errors.mean
        return mean is not None and mean <= percent


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
    space = explored.space
    searched = check_asked(space, asked)
    each = tuple(_modelled(space, one, asked, searched) for one in explored.workloads)
    models = {one.found.title: one.model for one in each if one.model is not None}
    likeness = compare_workloads(models) if len(models) > 1 else None
    return Answers(explored, asked, each, likeness)


def searched_space(space: ExploredSpace, asked: ModelQuestions) -> DesignSpace:
    """The part of the space in which points are looked for."""
    own = space.design
    if asked.fitting.fixed:
        own = own.with_values(dict(asked.fitting.fixed))
    return own.where(*asked.where) if asked.where else own


def check_asked(space: ExploredSpace, asked: ModelQuestions, *, costs: bool = False) -> DesignSpace:
    """The searched space. UsageError for what cannot be told, whatever samples say.

    With ``costs``, all points are gone through, to see that each has one.
    """
    searched = searched_space(space, asked)
    check_suggested(asked.suggest)
    fixed = dict(asked.fitting.fixed)
    for name in asked.curves:
        parameter_called(space.design.parameters, name)
        if name in fixed:
            raise UsageError(f"{name} is fixed at {fixed[name]}, and cannot be varied")
    for point in (*asked.points, asked.at):
        check_point(space, point, asked.fitting)
    if asked.fitting.terms is not None:
        own = [each for each in space.design.parameters if each.name not in fixed]
        checked_terms(own, asked.fitting.terms)
    if costs and asked.cost is not None:
        check_costs(searched, asked.cost)
    return searched


def _modelled(
    space: ExploredSpace, found: OfWorkload, asked: ModelQuestions, searched: DesignSpace
) -> Modelled:
    points, values = samples_for(space, found, asked.fitting)
    reason = why_none(space, found, asked.fitting)
    if reason is not None:
        return Modelled(found, None, len(points), reason)
    try:
        model = fit(space, points, values, asked.fitting)
    except UsageError as error:
        return Modelled(found, None, len(points), _why_none(error, space, found, asked))
    errors, no_errors = _errors(space, found, asked.fitting)
    telling = Telling(space, found, asked.fitting, model)
    failed = [one.point for one in found.failures]
    best: tuple[BestPoint, ...] = ()
    front: tuple[BestPoint, ...] = ()
    if asked.top:
        best = best_points(model, searched, asked.top, largest=asked.largest, besides=failed)
    if asked.cost is not None:
        front = pareto_front(model, searched, asked.cost, largest=asked.largest, besides=failed)
    return Modelled(
        found,
        model,
        len(points),
        errors=errors,
        no_errors=no_errors,
        sampled=_sampled(model, found, asked),
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


def _sampled(model: Model, found: OfWorkload, asked: ModelQuestions) -> dict[int, Predicted]:
    fixed = dict(asked.fitting.fixed).items()
    places = [
        place
        for place, one in enumerate(found.samples)
        if asked.fitting.response in one.figures and fixed <= one.point.items()
    ]
    said = predicted(model, [found.samples[place].point for place in places])
    return dict(zip(places, said, strict=True))


def _suggested(
    model: Model, searched: DesignSpace, found: OfWorkload, asked: ModelQuestions
) -> tuple[Suggestion, ...]:
    there = [one.point for one in found.samples]
    count = min(asked.suggest, points_left(searched, there)) if asked.suggest else 0
    if not count:
        return ()
    return suggest(model, searched, count, besides=there, seed=asked.fitting.seed)


def all_predictions(one: Modelled, space: DesignSpace) -> Iterator[tuple[Any, ...]]:
    """A row for each point of a space: its values, what the model says with its ends, notes.

    Notes are ``outside``, ``between`` and ``unknown`` as in ``Predicted``, and ``failed`` of points
    that could not be simulated.
    """
    assert one.model is not None
    failures = (sample.point for sample in one.found.failures)
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
