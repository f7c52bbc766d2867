"""Predictions of models for named points, and for curves; whether there are such points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.exploring.explored import OfWorkload, Predicted
from warpmill.exploring.fitting import Fitting
from warpmill.exploring.space import ExploredSpace
from warpmill.simulator.regression.model import Model
from warpmill.simulator.regression.parameters import DesignParameter, Value, parameter_called
from warpmill.simulator.regression.predict import POINT, Prediction, predict, response_curve
from warpmill.simulator.regression.space import DesignSpace

Point = Mapping[str, Value]


@dataclass(frozen=True)
class PredictedCurve:
    """The response along a parameter, a row a value, others being ``at``."""

    parameter: Annotated[str, Metric("Parameter")]
    at: Annotated[Point, Metric("Parameters", mark=Mark.EXACT)]
    rows: tuple[Predicted, ...]


@dataclass(frozen=True)
class Telling:
    """Predictor by a workload's model, for points of its space and for others."""

    space: ExploredSpace
    found: OfWorkload
    fitting: Fitting
    model: Model

    def of(self, point: Point) -> Predicted:
        """Prediction for a point: values that it needs and lacks are middle ones."""
        others = middle(self.space, self.fitting)
        lacking = [name for name in self.model.used if name not in point]
        whole = {**point, **{name: others[name] for name in lacking}}
        names = self.space.design.names
        (said,) = predicted(self.model, [{name: whole[name] for name in names if name in whole}])
        return self._judged(said)

    def along(self, name: str, at: Point) -> PredictedCurve:
        """The response along a parameter, others being ``at``, or else at middle values."""
        others = {**middle(self.space, self.fitting), **at}
        fixed = dict(self.fitting.fixed)
        unfixed = {key: value for key, value in others.items() if key not in fixed}
        curve = response_curve(self.model, name, unfixed)
        whole = {**others, **fixed}
        points = [{**whole, name: value} for value in curve.values]
        rows = (
            replace(self._judged(one), point={name: one.point[name]})
            for one in _rows(points, curve.prediction)
        )
        names = self.space.design.names
        own = dict(curve.at)
        return PredictedCurve(name, {n: own[n] for n in names if n in own}, tuple(rows))

    def _judged(self, said: Predicted) -> Predicted:
        fixed = dict(self.fitting.fixed)
        problem = why_no_point(self.space, {**said.point, **fixed})
        return replace(said, problem=problem or self._failure({**said.point, **fixed}))

    def _failure(self, point: Point) -> str | None:
        failed = (one.problem for one in self.found.failures if one.point == point)
        problem = next(failed, None)
        return None if problem is None else f"it could not be simulated: {problem}"


def predicted(model: Model, points: Sequence[Point]) -> tuple[Predicted, ...]:
    """Predictions of a model for points."""
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
    """The middle value of each parameter; those that are fixed have that value."""
    own: dict[str, Value] = {}
    for each in space.parameters:
        values = each.parameter.values
        ordered = sorted(values) if each.parameter.numeric else list(values)
        own[each.name] = ordered[len(ordered) // 2]
    return {**own, **dict(fitting.fixed)}


def why_no_point(space: ExploredSpace, point: Point) -> str | None:
    """Conditions that leave out a point, whatever values that it lacks are; None: none do.

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
