"""What models say of points that somebody names, and of curves; whether there are such points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.exploring.fitting import Fitting
from warpmill.exploring.space import ExploredSpace
from warpmill.simulator.regression.model import Model
from warpmill.simulator.regression.parameters import DesignParameter, Value, parameter_called
from warpmill.simulator.regression.predict import POINT, Prediction, predict, response_curve
from warpmill.simulator.regression.space import DesignSpace

if TYPE_CHECKING:
    from warpmill.exploring.explored import OfWorkload

Point = Mapping[str, Value]


@dataclass(frozen=True)
class Predicted:
    """What a model says of a point: None where it knows nothing of it.

    ``outside`` and ``between`` are as in ``simulator.regression.predict.Prediction``. ``problem``
    says why there is no such point: conditions leave it out, or it could not be simulated.
    """

    point: Point
    value: float | None
    low: float | None
    high: float | None
    outside: bool
    between: bool
    problem: str | None = None


@dataclass(frozen=True)
class PredictedCurve:
    """The response along a parameter, a row a value, others being ``at``."""

    name: str
    at: Point
    rows: tuple[Predicted, ...]


@dataclass(frozen=True)
class Telling:
    """Tells what a model of a workload says, of points of its space and of others."""

    space: ExploredSpace
    found: OfWorkload
    fitting: Fitting
    model: Model

    def of(self, point: Point) -> Predicted:
        """Tell of a point: values that the model needs and it lacks are middle ones."""
        others = middle(self.space, self.fitting)
        lacking = [name for name in self.model.used if name not in point]
        whole = {**point, **{name: others[name] for name in lacking}}
        (said,) = predicted(self.model, [whole])
        return self._judged(said)

    def along(self, name: str, at: Point) -> PredictedCurve:
        """Tell of a parameter's values, others being ``at``, or else at their middle values."""
        others = {**middle(self.space, self.fitting), **at}
        fixed = dict(self.fitting.fixed)
        unfixed = {key: value for key, value in others.items() if key not in fixed}
        curve = response_curve(self.model, name, unfixed)
        whole = {**others, **fixed}
        points = [{**whole, name: value} for value in curve.values]
        rows = (self._judged(one) for one in _rows(points, curve.prediction))
        return PredictedCurve(name, dict(curve.at), tuple(rows))

    def _judged(self, said: Predicted) -> Predicted:
        fixed = dict(self.fitting.fixed)
        problem = why_no_point(self.space, {**said.point, **fixed})
        return replace(said, problem=problem or self._failure({**said.point, **fixed}))

    def _failure(self, point: Point) -> str | None:
        failed = (one.problem for one in self.found.failures if one.point == point)
        problem = next(failed, None)
        return None if problem is None else f"it could not be simulated: {problem}"


def predicted(model: Model, points: Sequence[Point]) -> tuple[Predicted, ...]:
    """Say what a model says of points."""
    return tuple(_rows(points, predict(model, points, interval=POINT))) if points else ()


def _rows(points: Sequence[Point], said: Prediction) -> Iterable[Predicted]:
    assert said.low is not None
    assert said.high is not None
    columns = (said.values, said.low, said.high, said.outside, said.between, said.known)
    for point, *row in zip(points, *(own.tolist() for own in columns), strict=True):
        value, low, high, outside, between, known = row
        if known:
            yield Predicted(dict(point), value, low, high, outside, between)
        else:
            yield Predicted(dict(point), None, None, None, outside, between)


def middle(space: ExploredSpace, fitting: Fitting) -> dict[str, Value]:
    """Give the middle value of each parameter; those that are fixed have that value."""
    own: dict[str, Value] = {}
    for each in space.parameters:
        values = each.parameter.values
        ordered = sorted(values) if each.parameter.numeric else list(values)
        own[each.name] = ordered[len(ordered) // 2]
    return {**own, **dict(fitting.fixed)}


def why_no_point(space: ExploredSpace, point: Point) -> str | None:
    """Say which conditions leave out a point, whatever values that it lacks are; None: none do.

    Numbers need not be those that the space has.
    """
    parameters = tuple(
        DesignParameter(each.name, (point[each.name],))
        if each.name in point and each.parameter.numeric
        else each.parameter
        for each in space.parameters
    )
    words = tuple(
        (each.name, point[each.name])
        for each in space.parameters
        if each.name in point and not each.parameter.numeric
    )
    every = tuple((one,) for one in space.conditions)
    for conditions in (*every, space.conditions):  # the first that is not met by itself is named
        try:
            DesignSpace(parameters, conditions, fixed=words)
        except UsageError:
            return f"the space leaves it out: {'; '.join(conditions)}"
    return None


def check_point(space: ExploredSpace, point: Point, fitting: Fitting) -> None:
    """Refuse a point of other parameters, or of another value than a fixed one. UsageError."""
    for name in point:
        parameter_called(space.design.parameters, name)
    for name, value in fitting.fixed:
        if point.get(name, value) != value:
            raise UsageError(f"the model is of {name}={value}, not of {name}={point[name]}")
