"""The best points of a whole space, and what they cost, §8.1: by the model alone.

All allowed points are gone through, some at a time: memory does not grow with the space.
``space.where(...)`` makes the part of a space that meets further conditions.

A point with a number, of a parameter in a term, that no sample has is never found: what a spline
says there is no reason to choose it. ``untried`` counts such points; ``suggest`` names them first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric
from warpmill.simulator.regression.draws import draw_codes
from warpmill.simulator.regression.model import Model
from warpmill.simulator.regression.parameters import (
    Floats,
    Point,
    Value,
    figures,
    names_in,
    plain_name,
)
from warpmill.simulator.regression.predict import POINT, Predictor, predictor_of
from warpmill.simulator.regression.space import Codes, DesignSpace

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class BestPoint:
    """A point by its number in the space, with what the model says, and what the point costs.

    ``low`` and ``high`` are the ends of the 95 % interval of what would be simulated there;
    ``outside``: a value lies beyond those of all samples; ``cost`` is null where none was asked
    for.
    """

    number: Annotated[int, INTERNAL]
    point: Annotated[Mapping[str, Value], Metric("Point", mark=Mark.EXACT)]
    predicted: Annotated[float, Metric("Predicted", mark=Mark.MODELLED)]
    low: Annotated[float, Metric("95 % low", mark=Mark.MODELLED)]
    high: Annotated[float, Metric("High", mark=Mark.MODELLED)]
    outside: bool
    cost: Annotated[float | None, Metric("Cost", mark=Mark.EXACT)] = None


def best_points(
    model: Model,
    space: DesignSpace,
    count: int = 1,
    *,
    largest: bool = False,
    alike: bool = False,
    besides: Iterable[Point] = (),
) -> tuple[BestPoint, ...]:
    """Find the points with the smallest predicted values (the largest ones), the best first.

    Of points that differ only in parameters that are in no term of the model, the first one stands
    for all, unless ``alike`` asks for each. Left out are points of which the model knows nothing,
    those that are untried, and those of ``besides``; so there may be fewer than ``count``.
    """
    if count < 1:
        raise UsageError(f"the best {count} points are none")
    predictor = predictor_of(model, space.parameters)
    sign = -1.0 if largest else 1.0
    values, numbers = np.empty(0), np.empty(0, dtype=np.int64)
    kinds = np.empty(0, dtype=np.int64)
    for more, codes, own in _values(space, predictor, besides):
        values, numbers = np.concatenate([values, sign * own]), np.concatenate([numbers, more])
        kinds = np.concatenate([kinds, _kinds(model, space, codes)])
        keep = np.flatnonzero(~np.isnan(values))
        if not alike:  # numbers ascend, so the first of a kind has the smallest one
            keep = keep[np.sort(np.unique(kinds[keep], return_index=True)[1])]
        if len(keep) > count:
            bound = np.partition(values[keep], count - 1)[count - 1]
            keep = keep[values[keep] <= bound]
            keep = np.sort(keep[np.argsort(values[keep], kind="stable")[:count]])
        values, numbers, kinds = values[keep], numbers[keep], kinds[keep]
    order = np.argsort(values, kind="stable")
    return _found(space, predictor, numbers[order], None)


def pareto_front(
    model: Model,
    space: DesignSpace,
    cost: str,
    *,
    largest: bool = False,
    besides: Iterable[Point] = (),
) -> tuple[BestPoint, ...]:
    """Find the points than which none is both as cheap and as good, the cheapest first.

    ``cost`` is an expression of parameters, such as ``32 * simd + c_kb``. Good are small predicted
    values, or large ones. Of points that are equal in both, the first one is given. Left out are
    the same points as by ``best_points``.
    """
    predictor, sign = predictor_of(model, space.parameters), -1.0 if largest else 1.0
    values, costs = np.empty(0), np.empty(0)
    numbers = np.empty(0, dtype=np.int64)
    for more, codes, own in _values(space, predictor, besides):
        values, numbers = np.concatenate([values, sign * own]), np.concatenate([numbers, more])
        costs = np.concatenate([costs, costs_of(space, cost, codes)])
        order = np.lexsort((numbers, values, costs))
        order = order[~np.isnan(values[order])]
        lowest = np.minimum.accumulate(np.concatenate([[np.inf], values[order]]))[:-1]
        keep = order[values[order] < lowest]
        values, costs, numbers = values[keep], costs[keep], numbers[keep]
    return _found(space, predictor, numbers, costs)


def untried(model: Model, space: DesignSpace) -> int:
    """Count the allowed points with a number, of a parameter in a term, that no sample has."""
    flags = predictor_of(model, space.parameters).untried
    tried = 1
    for part in space.parts:
        own = [flags[c][part.rows[:, k]] for k, c in enumerate(part.columns) if c in flags]
        tried *= len(part.rows) - int(np.any(own, axis=0).sum() if own else 0)
    return space.count - tried


def check_costs(space: DesignSpace, cost: str) -> None:
    """See that each allowed point has a cost. UsageError."""
    for _, codes in space.chunks():
        costs_of(space, cost, codes)


def costs_of(space: DesignSpace, cost: str, codes: Codes) -> Floats:
    """Compute the cost of points. UsageError where it cannot be."""
    used, own = names_in(cost), {}
    for column, parameter in enumerate(space.parameters):
        name = plain_name(parameter.name)
        if parameter.numeric:
            levels = np.array([float(value) for value in parameter.values])
            own[name] = levels[codes[:, column]]
        elif name in used:
            raise UsageError(f"`{cost}`: {parameter.name} takes words, which are no cost")
    return np.broadcast_to(figures(cost, own, dict(space.constants)), (len(codes),))


def _values(
    space: DesignSpace, predictor: Predictor, besides: Iterable[Point]
) -> Iterator[tuple[Numbers, Codes, Floats]]:
    """All allowed points, some at a time: numbers, codes, values; NaN where they are out."""
    out = space.numbers(space.codes_of(point for point in besides if point in space))
    for first, codes in space.chunks():
        numbers = np.arange(first, first + len(codes))
        values = predictor.values(codes)
        values[predictor.untried_at(codes) | np.isin(numbers, out)] = np.nan
        yield numbers, codes, values


def _kinds(model: Model, space: DesignSpace, codes: Codes) -> Numbers:
    """Number points by the values of the parameters that the model uses."""
    kinds = np.zeros(len(codes), dtype=np.int64)
    for name in model.used:
        column = space.names.index(name)
        kinds = kinds * len(space.parameters[column].values) + codes[:, column]
    return kinds


def _found(
    space: DesignSpace,
    predictor: Predictor,
    numbers: Numbers,
    costs: Floats | None,
) -> tuple[BestPoint, ...]:
    if not len(numbers):
        return ()
    codes = space.codes(numbers)
    said = predictor.all(codes, interval=POINT)
    assert said.low is not None
    assert said.high is not None
    rows = zip(
        numbers.tolist(), space.points_of(codes), said.values.tolist(), said.low.tolist(),
        said.high.tolist(), said.outside.tolist(),
        [None] * len(numbers) if costs is None else costs.tolist(), strict=True,
    )  # fmt: skip
    return tuple(BestPoint(*row) for row in rows)


# Where to sample next: the points that would tell most about the model's coefficients.
#
# One point after another, each time that whose value is least sure, given the samples and the
# points before it. This is the greedy choice of a D-optimal design: the determinant of the
# information grows by one plus the variance of the point over that of an error. So points do not
# all lie in one corner.
#
# What no sample tells gets a wide prior, and comes first: columns that were dropped, and numbers,
# of parameters in terms, that no sample has (``Predictor.untried``), until a point before has
# them.

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
    knows nothing: null in JSON.
    """

    point: Annotated[Mapping[str, Value], Metric("Point", mark=Mark.EXACT)]
    predicted: Annotated[float, Metric("Predicted", mark=Mark.MODELLED)]
    low: Annotated[float, Metric("95 % low", mark=Mark.MODELLED)]
    high: Annotated[float, Metric("High", mark=Mark.MODELLED)]
    outside: bool
    between: bool
    variance: Annotated[float, Metric("Variance", mark=Mark.MODELLED)]


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
    """Rows whose squared lengths are the variances of points, over that of an error."""
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
