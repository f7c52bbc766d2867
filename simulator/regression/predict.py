"""Predictions of a model: values, intervals that hold them, and response curves.

Points are looked at by the values that occur: the columns of a term are worked out once for each
value, or pair of values, and looked up for each point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.regression.fit import products
from warpmill.simulator.regression.model import Model
from warpmill.simulator.regression.parameters import DesignParameter, Point, Value, value_of
from warpmill.simulator.regression.space import CHUNK, Codes, DesignSpace

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_LARGEST_TABLE = 1 << 20
"""Figures in the table of a term; longer ones are multiplied point by point."""
_FAR = 1e-6
"""Least deviation of a dropped column from its value among samples that makes it another."""


@dataclass(frozen=True)
class PredictionInterval:
    """Prediction interval at a level: of a measurement at a ``point``, or of the ``mean``.

    The mean is the model's own value, were it fitted to any number of samples.
    """

    of: str = "point"
    level: float = 0.95

    def __post_init__(self) -> None:
        if self.of not in ("point", "mean") or not 0 < self.level < 1:
            raise UsageError(
                f"an interval is of a point or the mean, not {self.of}, and its level lies between "
                f"0 and 1, unlike {self.level}"
            )


POINT = PredictionInterval()


@dataclass(frozen=True, eq=False)
class Prediction:
    """Values of points, with the ends of their intervals (None where none were asked for).

    All are NaN where samples say nothing of a point: it has a word, or two values together, that no
    sample has, and the model's terms depend on it. ``outside`` tells which points have a value
    beyond those of all samples: there the model goes on as straight lines, or ignores the word.
    ``between`` tells which have a number, of a parameter in a term, that lies among those of the
    samples and that none of them has: splines may swing there, and intervals do not know of it.
    """

    values: Floats
    low: Floats | None
    high: Floats | None
    outside: Flags
    between: Flags

    @property
    def known(self) -> Flags:
        """Whether points are known."""
        return ~np.isnan(self.values)


def predict(
    model: Model, points: Sequence[Point], *, interval: PredictionInterval | None = POINT
) -> Prediction:
    """Predict points, with intervals unless they are not asked for.

    Points need a value of each parameter that is in a term; of other parameters of the model, those
    that all points have tell whether a point is outside. UsageError.
    """
    known = [basis for basis in model.bases if all(basis.parameter.name in p for p in points)]
    names = {basis.parameter.name for basis in known} | set(model.used)
    levels: dict[str, tuple[Value, ...]] = {}
    codes = np.zeros((len(points), len(names)), dtype=np.int64)
    for column, name in enumerate(sorted(names)):
        values = [value_of(point, name) for point in points]
        places = {value: place for place, value in enumerate(dict.fromkeys(values))}
        codes[:, column] = [places[value] for value in values]
        levels[name] = tuple(places)
    return Predictor(model, levels).all(codes, interval=interval)


def predict_space(
    model: Model, space: DesignSpace, *, interval: PredictionInterval | None = None
) -> Iterator[tuple[int, Codes, Prediction]]:
    """Predict all allowed points of a space, some at a time, with the number of the first."""
    predictor = predictor_of(model, space.parameters)
    for first, codes in space.chunks():
        yield first, codes, predictor.some(codes, interval=interval)


def predictor_of(model: Model, parameters: Sequence[DesignParameter]) -> Predictor:
    """Make the predictor of a space's codes. UsageError where it lacks a parameter of the model."""
    return Predictor(model, {each.name: each.values for each in parameters})


@dataclass(frozen=True, eq=False)
class _Block:
    """Columns of a step for codes of one or two parameters.

    ``table`` has a row for each value or pair of values, the second turning fastest.
    """

    axes: tuple[int, ...]
    levels: tuple[Floats, ...]
    table: Floats | None
    columns: tuple[int, ...]

    def rows(self, codes: Codes) -> Floats:
        """The columns of points."""
        if self.table is not None:
            return np.asarray(self.table[self._places(codes)])
        left, right = (
            own[codes[:, axis]] for own, axis in zip(self.levels, self.axes, strict=True)
        )
        return products(left, right)[:, list(self.columns)]

    def _places(self, codes: Codes) -> Codes:
        places = codes[:, self.axes[0]]
        for axis, own in zip(self.axes[1:], self.levels[1:], strict=True):
            places = places * len(own) + codes[:, axis]
        return places

    def times(self, codes: Codes, coefficients: Floats) -> Floats:
        """The columns of points times coefficients, added up."""
        if self.table is not None:
            return np.asarray((self.table @ coefficients)[self._places(codes)])
        return np.asarray(self.rows(codes) @ coefficients)


class Predictor:
    """Predicts points whose values are those of ``levels``, by their places there.

    Columns of codes are in the order of ``levels``. UsageError where a parameter of a term is not
    among them, or has a value that the model cannot take.
    """

    def __init__(self, model: Model, levels: Mapping[str, Sequence[Value]]) -> None:
        lacking = [name for name in model.used if name not in levels]
        if lacking:
            raise UsageError(f"the model needs a value of {lacking[0]}, and points have none")
        self._model, self._axes = model, {name: axis for axis, name in enumerate(levels)}
        self._tables = {name: model.basis(name).table(levels[name]) for name in model.used}
        self._blocks = [self._block(s.term, s.columns) for s in model.steps]
        self._dropped = [self._block(model.steps[d.step].term, (d.column,)) for d in model.dropped]
        self._coefficients = np.array(model.coefficients)
        looked_at = [each for each in model.bases if each.parameter.name in levels]
        self._outside = {
            self._axes[basis.parameter.name]: basis.outside(levels[basis.parameter.name])
            for basis in looked_at
        }
        self._between = {
            self._axes[name]: model.basis(name).between(levels[name]) for name in model.used
        }

    def _block(self, term: tuple[str, ...], columns: tuple[int, ...]) -> _Block:
        axes = tuple(self._axes[name] for name in term)
        levels = tuple(self._tables[name] for name in term)
        if len(term) == 1:
            return _Block(axes, levels, levels[0][:, list(columns)], columns)
        left, right = levels
        pairs = len(left) * len(right)
        if pairs * left.shape[1] * right.shape[1] > _LARGEST_TABLE:
            return _Block(axes, levels, None, columns)
        every = products(left.repeat(len(right), axis=0), np.tile(right, (len(left), 1)))
        return _Block(axes, levels, every[:, list(columns)], columns)

    def design(self, codes: Codes) -> Floats:
        """The model's columns at points, the constant first."""
        rows = np.empty((len(codes), len(self._coefficients)))
        rows[:, 0] = 1.0
        for step, block in enumerate(self._blocks):
            rows[:, self._model.places(step)] = block.rows(codes)
        return rows

    def dropped(self, codes: Codes) -> Floats:
        """Deviation of dropped columns at points from what they are among samples."""
        if not self._dropped:
            return np.zeros((len(codes), 0))
        mixes = np.array([each.mix for each in self._model.dropped])
        own = np.hstack([block.rows(codes) for block in self._dropped])
        return np.asarray(own - self.design(codes) @ mixes.T)

    def all(self, codes: Codes, *, interval: PredictionInterval | None = None) -> Prediction:
        """Predict any number of points, some at a time."""
        parts = [
            self.some(codes[first : first + CHUNK], interval=interval)
            for first in range(0, max(1, len(codes)), CHUNK)
        ]
        low = np.concatenate([p.low for p in parts if p.low is not None]) if interval else None
        high = np.concatenate([p.high for p in parts if p.high is not None]) if interval else None
        values = np.concatenate([part.values for part in parts])
        outside = np.concatenate([part.outside for part in parts])
        return Prediction(values, low, high, outside, np.concatenate([p.between for p in parts]))

    def some(self, codes: Codes, *, interval: PredictionInterval | None = None) -> Prediction:
        """Predict points, at once."""
        values = self.values(codes)
        outside, between = _any(self._outside, codes), _any(self._between, codes)
        if interval is None:
            return Prediction(values, None, None, outside, between)
        half = self.half_widths(codes, interval)
        return Prediction(values, values - half, values + half, outside, between)

    @cached_property
    def untried(self) -> dict[int, Flags]:
        """Values of each axis in a term that are numbers which no sample has.

        They lie between those of the samples, or beyond.
        """
        numeric = {
            self._axes[name]
            for name in self._model.used
            if self._model.basis(name).parameter.numeric
        }
        return {axis: self._between[axis] | self._outside[axis] for axis in sorted(numeric)}

    def untried_at(self, codes: Codes) -> Flags:
        """Whether points have a number, of a parameter in a term, that no sample has."""
        return _any(self.untried, codes)

    def values(self, codes: Codes) -> Floats:
        """The values of points, NaN for those that are unknown."""
        values = np.full(len(codes), self._coefficients[0])
        for step, block in enumerate(self._blocks):
            values += block.times(codes, self._coefficients[self._model.places(step)])
        if self._dropped:
            values[(np.abs(self.dropped(codes)) > _FAR).any(axis=1)] = np.nan
        return values

    def half_widths(self, codes: Codes, interval: PredictionInterval) -> Floats:
        """Half of each interval."""
        from scipy.special import stdtrit  # noqa: PLC0415 - slow to load

        factor = float(stdtrit(self._model.freedom, (1 + interval.level) / 2))
        share = self.leverage(codes) + (1.0 if interval.of == "point" else 0.0)
        return np.asarray(factor * np.sqrt(self._model.residual_variance * share))

    def leverage(self, codes: Codes) -> Floats:
        """The variance of the model's value at points, over the residual variance."""
        rows = self.design(codes)
        leverage = np.einsum("ij,ij->i", rows @ self._model.spread_matrix, rows)
        return np.asarray(np.maximum(leverage, 0.0))


def _any(flags: Mapping[int, Flags], codes: Codes) -> Flags:
    """Whether points have a value that is flagged, on any axis."""
    found = np.zeros(len(codes), dtype=np.bool_)
    for axis, own in flags.items():
        if own.any():
            found |= own[codes[:, axis]]
    return found


# Response curves, Figure 7: one parameter varied, the others at given values.


@dataclass(frozen=True, eq=False)
class ResponseCurve:
    """Response of a model along a parameter's ``values``, the others being ``at``."""

    name: str
    at: tuple[tuple[str, Value], ...]
    values: tuple[Value, ...]
    prediction: Prediction


def response_curve(
    model: Model,
    name: str,
    at: Point,
    along: Sequence[Value] | int | None = None,
    interval: PredictionInterval | None = POINT,
) -> ResponseCurve:
    """Vary a parameter along values, by default its own.

    A number asks for so many values, evenly from the smallest to the largest measured one (evenly
    in logarithms where the model has these); between values a curve may swing (see ``splines``).
    UsageError.
    """
    others = {key: value for key, value in at.items() if key != name}
    values = _values(model, name, along)
    points = [{**others, name: value} for value in values]
    prediction = predict(model, points, interval=interval)
    return ResponseCurve(name, tuple(others.items()), values, prediction)


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
