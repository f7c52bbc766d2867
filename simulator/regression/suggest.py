"""Where to sample next: the points that would tell most about the model's coefficients.

One point after another, each time that whose value is least sure, given the samples and the points
before it. This is the greedy choice of a D-optimal design: the determinant of the information grows
by one plus the variance of the point over that of an error. So points do not all lie in one corner.

Directions that no sample tells (columns that were dropped) get a wide prior, and come first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analyzer.diagnostics import UsageError
from simulator.regression.draws import draw_codes
from simulator.regression.model import Model
from simulator.regression.parameters import Point, Value
from simulator.regression.predict import Predictor, predictor_of
from simulator.regression.space import Codes, DesignSpace

Floats = npt.NDArray[np.float64]

MOST_CANDIDATES = 20_000
"""Points that are looked at; of larger spaces so many are drawn."""
PRIOR = 1e4
"""Variance of what no sample tells, over that of an error."""


@dataclass(frozen=True)
class Suggestion:
    """A point to measure, with what the model says of it now.

    ``variance`` is that of the model's value there, over that of an error, once all points before
    this one are measured. Both are NaN where it knows nothing.
    """

    point: Mapping[str, Value]
    predicted: float
    variance: float


def suggest(
    model: Model,
    space: DesignSpace,
    count: int,
    *,
    besides: Iterable[Point] = (),
    seed: int = 0,
) -> tuple[Suggestion, ...]:
    """Choose distinct allowed points that were not measured yet (``besides`` were).

    Points that differ only in parameters that are in no term are equally good; which of them is
    chosen depends on the seed. UsageError where fewer are left than are asked for.
    """
    measured = [point for point in besides if point in space]
    left = space.count - len({tuple(row) for row in space.codes_of(measured).tolist()})
    if not 1 <= count <= left:
        raise UsageError(f"{count} points are asked for, and the space has {left} to choose from")
    looked_at = min(left, max(MOST_CANDIDATES, count))
    codes = draw_codes(space, looked_at, seed=seed, besides=measured)
    predictor = predictor_of(model, space.parameters)
    chosen, variances = _greedy(_directions(model, predictor, codes), count)
    predicted = predictor.values(codes[chosen])
    return tuple(
        Suggestion(point, value, float("nan") if math.isnan(value) else variance)
        for point, value, variance in zip(
            space.points_of(codes[chosen]), predicted.tolist(), variances, strict=True
        )
    )


def _directions(model: Model, predictor: Predictor, codes: Codes) -> Floats:
    """Give rows whose squared lengths are the variances of points, over that of an error."""
    squares, axes = np.linalg.eigh(model.spread_matrix)
    known = predictor.design(codes) @ (axes * np.sqrt(np.maximum(squares, 0.0)))
    unknown = predictor.dropped(codes) * np.sqrt(PRIOR)
    return np.hstack([known, unknown])


def _greedy(rows: Floats, count: int) -> tuple[list[int], list[float]]:
    """Choose rows by what is left of their variance once those before are measured."""
    variances = np.square(rows).sum(axis=1)
    covariance = np.eye(rows.shape[1])
    chosen: list[int] = []
    found: list[float] = []
    for _ in range(count):
        masked = variances.copy()
        masked[chosen] = -np.inf
        best = int(np.argmax(masked))
        chosen.append(best)
        found.append(max(0.0, float(variances[best])))
        ahead = covariance @ rows[best]
        scale = 1.0 + float(rows[best] @ ahead)
        covariance -= np.outer(ahead, ahead) / scale
        variances = variances - np.square(rows @ ahead) / scale
    return chosen, found
