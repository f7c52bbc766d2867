"""Where to sample next: the points that would tell most about the model's coefficients.

One point after another, each time that whose value is least sure, given the samples and the points
before it. This is the greedy choice of a D-optimal design: the determinant of the information grows
by one plus the variance of the point over that of an error. So points do not all lie in one corner.

What no sample tells gets a wide prior, and comes first: columns that were dropped, and numbers, of
parameters in terms, that no sample has (``Predictor.untried``), until a point before has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.regression.draws import draw_codes
from warpmill.simulator.regression.model import Model
from warpmill.simulator.regression.parameters import Point, Value
from warpmill.simulator.regression.predict import POINT, Predictor, predictor_of
from warpmill.simulator.regression.space import Codes, DesignSpace

Floats = npt.NDArray[np.float64]

MOST_CANDIDATES = 20_000
"""Points that are looked at; of larger spaces so many are drawn."""
MOST_SUGGESTED = 1000
"""Points that are chosen at most: each one goes through all that are looked at."""
PRIOR = 1e4
"""Variance of what no sample tells, over that of an error."""


@dataclass(frozen=True)
class Suggestion:
    """A point to measure, with what the model says of it now: as in ``Prediction``.

    ``variance`` is that of the model's value there, over that of an error, once all points before
    this one are measured; NaN where a number is one that no sample has. All are NaN where the model
    knows nothing.
    """

    point: Mapping[str, Value]
    predicted: float
    low: float
    high: float
    outside: bool
    between: bool
    variance: float


def points_left(space: DesignSpace, besides: Iterable[Point]) -> int:
    """Count the allowed points that were not measured yet (``besides`` were)."""
    measured = space.codes_of(point for point in besides if point in space)
    return space.count - len(set(map(tuple, measured.tolist())))


def check_suggested(count: int) -> None:
    """Refuse more than ``MOST_SUGGESTED`` points. UsageError."""
    if count > MOST_SUGGESTED:
        words = f"--suggest: {count:,} points to simulate next are too many"
        raise UsageError(f"{words}; there are {MOST_SUGGESTED:,} at most")


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
    chosen depends on the seed. UsageError where fewer are left than are asked for, and for more
    than ``MOST_SUGGESTED``.
    """
    check_suggested(count)
    measured = [point for point in besides if point in space]
    left = points_left(space, measured)
    if not 1 <= count <= left:
        raise UsageError(f"{count} points are asked for, and the space has {left} to choose from")
    codes = draw_codes(space, min(left, MOST_CANDIDATES), seed=seed, besides=measured)
    predictor = predictor_of(model, space.parameters)
    chosen, variances = _greedy(_directions(model, predictor, codes), _Untried(predictor, codes),
                                count)  # fmt: skip
    said = predictor.all(codes[chosen], interval=POINT)
    assert said.low is not None
    assert said.high is not None
    variances[~said.known | predictor.untried_at(codes[chosen])] = np.nan
    columns = (said.values, said.low, said.high, said.outside, said.between, variances)
    rows = zip(space.points_of(codes[chosen]), *(own.tolist() for own in columns), strict=True)
    return tuple(Suggestion(*row) for row in rows)


def _directions(model: Model, predictor: Predictor, codes: Codes) -> Floats:
    """Give rows whose squared lengths are the variances of points, over that of an error."""
    squares, axes = np.linalg.eigh(model.spread_matrix)
    known = predictor.design(codes) @ (axes * np.sqrt(np.maximum(squares, 0.0)))
    unknown = predictor.dropped(codes) * np.sqrt(PRIOR)
    return np.hstack([known, unknown])


class _Untried:
    """Numbers that no sample has: how many of them each point has, but those of points chosen."""

    def __init__(self, predictor: Predictor, codes: Codes) -> None:
        self._codes = [codes[:, axis] for axis in predictor.untried]
        self._flags = [own[codes[:, axis]] for axis, own in predictor.untried.items()]
        self.counts = np.sum(self._flags, axis=0, initial=0) if self._flags else 0

    def choose(self, place: int) -> None:
        """Count the numbers of a point no more."""
        for codes, flags in zip(self._codes, self._flags, strict=True):
            if flags[place]:
                gone = codes == codes[place]
                self.counts = self.counts - gone
                flags[gone] = False


def _greedy(rows: Floats, untried: _Untried, count: int) -> tuple[list[int], Floats]:
    """Choose rows by what is left of their variance once those before are measured."""
    variances = np.square(rows).sum(axis=1)
    covariance = np.eye(rows.shape[1])
    chosen: list[int] = []
    found: list[float] = []
    for _ in range(count):
        best = int(np.argmax(variances + PRIOR * untried.counts))
        chosen.append(best)
        untried.choose(best)
        found.append(max(0.0, float(variances[best])))
        variances[best] = -np.inf  # and stays so
        ahead = covariance @ rows[best]
        scale = 1.0 + float(rows[best] @ ahead)
        covariance -= np.outer(ahead, ahead) / scale
        variances = variances - np.square(rows @ ahead) / scale
    return chosen, np.array(found)
