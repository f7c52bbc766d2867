"""What models of an exploration tell: best points, costs, curves, what matters, where to look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.diagnostics import UsageError
from simulator.regression.curves import Curve, response_curve
from simulator.regression.errors import Errors
from simulator.regression.model import Model
from simulator.regression.parameters import Value, parameter_called
from simulator.regression.predict import POINT, predict, predict_space
from simulator.regression.ranking import Likeness, compare_workloads
from simulator.regression.search import Found, best_points, pareto_front
from simulator.regression.space import DesignSpace
from simulator.regression.suggest import Suggestion, suggest
from warpmill.exploring.exploration import Explored, OfWorkload
from warpmill.exploring.fitting import Fitting, cross_validated, fit, samples_for
from warpmill.exploring.space import ExploredSpace

LARGER_IS_BETTER = frozenset({"ipc", "occupancy", "l1_hit_rate", "l2_hit_rate"})
"""Figures of which more is better; of the others less is."""


@dataclass(frozen=True)
class Asked:
    """What is to be told.

    ``top`` best points among those that meet ``where``; those that nothing beats in both the
    response and ``cost``, an expression of parameters; the values of ``points``; a curve along each
    of ``curves``, other parameters being ``at``, or else at their middle values; and ``suggest``
    points to simulate next.
    """

    fitting: Fitting = field(default_factory=Fitting)
    top: int = 5
    where: tuple[str, ...] = ()
    cost: str | None = None
    points: tuple[Mapping[str, Value], ...] = ()
    curves: tuple[str, ...] = ()
    at: Mapping[str, Value] = field(default_factory=dict)
    suggest: int = 0

    @property
    def largest(self) -> bool:
        """Whether more of the response is better."""
        return self.fitting.response in LARGER_IS_BETTER


@dataclass(frozen=True)
class Predicted:
    """What a model says of a point: None where it knows nothing of it."""

    point: Mapping[str, Value]
    value: float | None
    low: float | None
    high: float | None
    outside: bool


@dataclass(frozen=True)
class Modelled:
    """A workload's model with what it tells. No model: ``reason`` says why.

    ``sampled`` has what the model says of each sample that has the response, by its place.
    """

    found: OfWorkload
    model: Model | None
    samples: int
    reason: str | None = None
    errors: Errors | None = None
    sampled: Mapping[int, Predicted] = field(default_factory=dict)
    best: tuple[Found, ...] = ()
    front: tuple[Found, ...] = ()
    points: tuple[Predicted, ...] = ()
    curves: tuple[Curve, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()


@dataclass(frozen=True)
class Answers:
    """What was asked, of each workload, and how alike workloads are (None: fewer than two)."""

    explored: Explored
    asked: Asked
    workloads: tuple[Modelled, ...]
    likeness: Likeness | None


def answers(explored: Explored, asked: Asked | None = None) -> Answers:
    """Fit a model for each workload, and tell what is asked. UsageError for what cannot be told."""
    asked = asked or Asked()
    space = explored.space
    searched = searched_space(space, asked)
    each = tuple(_modelled(space, one, asked, searched) for one in explored.workloads)
    models = {one.found.title: one.model for one in each if one.model is not None}
    likeness = compare_workloads(models) if len(models) > 1 else None
    return Answers(explored, asked, each, likeness)


def searched_space(space: ExploredSpace, asked: Asked) -> DesignSpace:
    """Give the part of the space in which points are looked for."""
    if not asked.where and not asked.fitting.fixed:
        return space.design
    fixed = {name: (value,) for name, value in asked.fitting.fixed}
    return space.only(fixed).where(*asked.where)


def _modelled(
    space: ExploredSpace, found: OfWorkload, asked: Asked, searched: DesignSpace
) -> Modelled:
    points, values = samples_for(space, found, asked.fitting)
    try:
        model = fit(space, points, values, asked.fitting)
    except UsageError as error:
        reason = "; ".join(d.message for d in error.diagnostics)
        return Modelled(found, None, len(points), reason)
    front: tuple[Found, ...] = ()
    if asked.cost is not None:
        front = pareto_front(model, searched, asked.cost, largest=asked.largest)
    return Modelled(
        found,
        model,
        len(points),
        errors=cross_validated(space, found, asked.fitting),
        sampled=_sampled(model, found, asked),
        best=best_points(model, searched, asked.top, largest=asked.largest) if asked.top else (),
        front=front,
        points=predicted(model, [_whole(model, p, space, asked) for p in asked.points]),
        curves=tuple(_curve(model, name, space, asked) for name in asked.curves),
        suggestions=_suggested(model, searched, found, asked),
    )


def _sampled(model: Model, found: OfWorkload, asked: Asked) -> dict[int, Predicted]:
    fixed = dict(asked.fitting.fixed).items()
    places = [
        place
        for place, one in enumerate(found.samples)
        if asked.fitting.response in one.figures and fixed <= one.point.items()
    ]
    said = predicted(model, [found.samples[place].point for place in places])
    return dict(zip(places, said, strict=True))


def predicted(model: Model, points: Sequence[Mapping[str, Value]]) -> tuple[Predicted, ...]:
    """Say what a model says of points."""
    if not points:
        return ()
    said = predict(model, points, interval=POINT)
    assert said.low is not None
    assert said.high is not None
    rows = zip(
        points, said.values.tolist(), said.low.tolist(), said.high.tolist(), said.outside.tolist(),
        said.known.tolist(), strict=True,
    )  # fmt: skip
    return tuple(
        Predicted(dict(point), value, low, high, outside)
        if known
        else Predicted(dict(point), None, None, None, outside)
        for point, value, low, high, outside, known in rows
    )


def middle(space: ExploredSpace, asked: Asked) -> dict[str, Value]:
    """Give the point at which curves are: the values that were said, else middle ones."""
    own: dict[str, Value] = {}
    for each in space.parameters:
        values = each.parameter.values
        ordered = sorted(values) if each.parameter.numeric else list(values)
        own[each.name] = ordered[len(ordered) // 2]
    return {**own, **dict(asked.fitting.fixed), **asked.at}


def _whole(
    model: Model, point: Mapping[str, Value], space: ExploredSpace, asked: Asked
) -> dict[str, Value]:
    """Give a point all values that the model needs: middle ones where it says nothing else.

    UsageError where it has another value than a fixed one.
    """
    for name, value in asked.fitting.fixed:
        if point.get(name, value) != value:
            raise UsageError(f"the model is of {name}={value}, not of {name}={point[name]}")
    lacking = [name for name in model.used if name not in point]
    others = middle(space, asked)
    return {**point, **{name: others[name] for name in lacking}}


def _curve(model: Model, name: str, space: ExploredSpace, asked: Asked) -> Curve:
    fixed = dict(asked.fitting.fixed)
    if name in fixed:
        raise UsageError(f"{name} is fixed at {fixed[name]}, and cannot be varied")
    at = {key: value for key, value in middle(space, asked).items() if key not in fixed}
    return response_curve(model, name, at)


def _suggested(
    model: Model, searched: DesignSpace, found: OfWorkload, asked: Asked
) -> tuple[Suggestion, ...]:
    if not asked.suggest:
        return ()
    return suggest(
        model, searched, asked.suggest,
        besides=[one.point for one in found.samples], seed=asked.fitting.seed,
    )  # fmt: skip


def all_predictions(one: Modelled, space: DesignSpace) -> Iterator[list[Value | None]]:
    """Give a row for each point of a space: its values and what the model says (None: unknown)."""
    assert one.model is not None
    for _, codes, said in predict_space(one.model, space):
        values = said.values.tolist()
        for point, value, known in zip(
            space.points_of(codes), values, said.known.tolist(), strict=True
        ):
            yield [*point.values(), value if known else None]


def check_asked(space: ExploredSpace, asked: Asked) -> None:
    """Refuse what cannot be told of a space, whatever samples say. UsageError."""
    _ = searched_space(space, asked)
    fixed = dict(asked.fitting.fixed)
    for name in asked.curves:
        parameter_called(space.design.parameters, name)
        if name in fixed:
            raise UsageError(f"{name} is fixed at {fixed[name]}, and cannot be varied")
    for point in asked.points:
        for name in point:
            parameter_called(space.design.parameters, name)
