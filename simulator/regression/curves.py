"""Response curves, Figure 7: one parameter varied, the others at given values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.regression.model import Model
from warpmill.simulator.regression.parameters import Point, Value
from warpmill.simulator.regression.predict import POINT, Interval, Prediction, predict


@dataclass(frozen=True, eq=False)
class Curve:
    """What a model says along a parameter's ``values``, the others being ``at``."""

    name: str
    at: tuple[tuple[str, Value], ...]
    values: tuple[Value, ...]
    prediction: Prediction


def response_curve(
    model: Model,
    name: str,
    at: Point,
    along: Sequence[Value] | int | None = None,
    interval: Interval | None = POINT,
) -> Curve:
    """Vary a parameter along values, by default its own.

    A number asks for so many values, evenly from the smallest to the largest measured one (evenly
    in logarithms where the model has these); between values a curve may swing (see ``splines``).
    UsageError.
    """
    others = {key: value for key, value in at.items() if key != name}
    values = _values(model, name, along)
    points = [{**others, name: value} for value in values]
    prediction = predict(model, points, interval=interval)
    return Curve(name, tuple(others.items()), values, prediction)


def _values(model: Model, name: str, along: Sequence[Value] | int | None) -> tuple[Value, ...]:
    if along is None:
        return _own(model, name)
    return _evenly(model, name, along) if isinstance(along, int) else tuple(along)


def _own(model: Model, name: str) -> tuple[Value, ...]:
    parameter = model.basis(name).parameter
    return tuple(sorted(parameter.values)) if parameter.numeric else parameter.values


def _evenly(model: Model, name: str, steps: int) -> tuple[Value, ...]:
    basis = model.basis(name)
    if not basis.parameter.numeric or steps < 2:
        raise UsageError(f"{name} cannot be varied in {steps} steps: it has words, or they are few")
    places = np.linspace(basis.knots[0], basis.knots[-1], steps)
    numbers = (np.exp2(places) if basis.log2 else places).tolist()
    return (float(basis.measured[0]), *numbers[1:-1], float(basis.measured[-1]))
