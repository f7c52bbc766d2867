"""Models of §5: as data, as a formula that can be read, and as JSON.

A model says what a measured figure is made of, term by term.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError, WarpmillError
from warpmill.simulator.regression.parameters import DesignParameter, Value, parameter_called
from warpmill.simulator.regression.splines import MOST_INNER_KNOTS, Basis

Floats = npt.NDArray[np.float64]
Term = tuple[str, ...]
"""A parameter, or two that interact, of which the first entered the model later."""


def words_of_term(term: Term) -> str:
    """Write a term as the paper does: ``simd``, ``simd:#blk``."""
    return ":".join(term)


@dataclass(frozen=True)
class EnteredTerm:
    """A term in order of entry, with what the model was after it.

    ``columns`` are those of the term's columns that are in the model: the others follow from what
    was there. ``adjusted`` is None where samples leave nothing to tell it.
    """

    term: Term
    columns: tuple[int, ...]
    r_squared: float
    adjusted: float | None


@dataclass(frozen=True)
class Dropped:
    """A column that samples do not tell from others: there, it is ``mix`` of the model's columns.

    Where it is not, at some other point, nothing is known of what the model is there.
    """

    step: int
    column: int
    mix: tuple[float, ...]


@dataclass(frozen=True)
class Model:
    """A fitted model: a constant, and for each step the coefficients of its columns.

    ``bases`` has all parameters that were looked at, in the order given. ``theta`` and ``phi`` are
    the thresholds of the selection, None where terms were given. ``spread`` is the lower triangle
    of the coefficients' covariance over ``residual_variance``: (X'X)^-1. ``aic`` and ``t_values``
    are None where the model fits without any error.
    """

    response: str
    bases: tuple[Basis, ...]
    steps: tuple[EnteredTerm, ...]
    samples: int
    coefficients: tuple[float, ...]
    t_values: tuple[float | None, ...]
    spread: tuple[tuple[float, ...], ...]
    residual_variance: float
    aic: float | None
    dropped: tuple[Dropped, ...]
    theta: float | None
    phi: float | None

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms in order of entry."""
        return tuple(step.term for step in self.steps)

    @property
    def parameters(self) -> tuple[DesignParameter, ...]:
        """All parameters that were looked at."""
        return tuple(basis.parameter for basis in self.bases)

    @property
    def used(self) -> tuple[str, ...]:
        """Parameters that are in a term, in order of entry."""
        return tuple(dict.fromkeys(name for step in self.steps for name in reversed(step.term)))

    @property
    def r_squared(self) -> float:
        """The share of the samples' variance that the model explains; 0 without terms."""
        return self.steps[-1].r_squared if self.steps else 0.0

    @property
    def gains(self) -> tuple[float, ...]:
        """What each step added to R², Figure 3."""
        before = (0.0, *(step.r_squared for step in self.steps))
        return tuple(b - a for a, b in pairwise(before))

    @property
    def freedom(self) -> int:
        """Samples over coefficients."""
        return self.samples - len(self.coefficients)

    @cached_property
    def covariance(self) -> Floats:
        """The covariance of the coefficients."""
        return self.residual_variance * self.spread_matrix

    @cached_property
    def spread_matrix(self) -> Floats:
        """(X'X)^-1."""
        size = len(self.spread)
        matrix = np.zeros((size, size))
        for row, own in enumerate(self.spread):
            matrix[row, : row + 1] = own
            matrix[: row + 1, row] = own
        return matrix

    def basis(self, name: str) -> Basis:
        """Give a parameter's basis. UsageError where the model has none."""
        parameter = parameter_called(self.parameters, name)
        return next(basis for basis in self.bases if basis.parameter is parameter)

    def term_width(self, term: Term) -> int:
        """Give how many columns a term has, those that are not in the model too."""
        return math.prod(self.basis(name).width for name in term)

    def places(self, step: int) -> slice:
        """Give where the coefficients of a step are."""
        start = 1 + sum(len(each.columns) for each in self.steps[:step])
        return slice(start, start + len(self.steps[step].columns))


def checked(model: Model) -> Model:
    """Give a model whose parts fit together. InputError."""
    width = 1 + sum(len(step.columns) for step in model.steps)
    fits = (
        all(_basis_fits(basis) for basis in model.bases)
        and len({each.name for each in model.parameters}) == len(model.bases)
        and all(_step_fits(model, step) for step in model.steps)
        and len(model.coefficients) == len(model.t_values) == len(model.spread) == width
        and all(len(row) == place + 1 for place, row in enumerate(model.spread))
        and model.samples > width
        and model.residual_variance >= 0
        and all(
            0 <= each.step < len(model.steps)
            and 0 <= each.column < model.term_width(model.steps[each.step].term)
            and len(each.mix) == width
            for each in model.dropped
        )
    )
    if not fits:
        raise InputError("the parts of this regression model do not fit together")
    return model


def _basis_fits(basis: Basis) -> bool:
    if not basis.measured or not all(type(v) in (int, float, str) for v in basis.measured):
        return False
    if not basis.parameter.numeric:
        return not basis.knots and set(basis.measured) <= set(basis.parameter.values)
    numbers = [value for value in basis.measured if not isinstance(value, str)]
    ascending = all(a < b for a, b in pairwise(basis.knots))
    return (
        len(numbers) == len(basis.measured)
        and 1 <= len(basis.knots) <= MOST_INNER_KNOTS + 2
        and ascending
        and (not basis.log2 or numbers[0] > 0)
    )


def _step_fits(model: Model, step: EnteredTerm) -> bool:
    names = {each.name for each in model.parameters}
    if not (1 <= len(step.term) <= 2 and len(set(step.term)) == len(step.term)):
        return False
    if not set(step.term) <= names:
        return False
    width = model.term_width(step.term)
    return all(0 <= column < width for column in step.columns) and (
        list(step.columns) == sorted(set(step.columns))
    )


# A formula: each term with its coefficients and its share of R².


def formula_of(model: Model, digits: int = 6) -> str:
    """Write a model: what it adds at each knot, and how splines go between knots.

    Coefficients of several knots may be large and cancel at points; more ``digits`` say more.

    ::

        cycles = 81204.1
          R² 0.7190  +0.7190  + simd(14: -1203.5, 20: -2300.1, 26: …)
          R² 0.8530  +0.1340  + simd:#blk(14,4.75: …)
        simd(k: a, …): the natural cubic spline in simd that is a at k, 0 at 8; knots 8,14,20
    """
    lines = [f"{model.response} = {model.coefficients[0]:.{digits}g}"]
    lines += [
        f"  R² {step.r_squared:.4f}  {gain:+.4f}  + {_term(model, number, digits)}"
        for number, (step, gain) in enumerate(zip(model.steps, model.gains, strict=True))
    ]
    return "\n".join([*lines, *(_key(model.basis(name)) for name in model.used)])


class ModelCoefficient(NamedTuple):
    """A coefficient of a model: what a ``term`` adds ``at`` a knot or word of each parameter of it.

    The constant has no term. ``t_value`` is the coefficient over its standard error, None where the
    model fits without any error.
    """

    term: Term
    at: tuple[Value, ...]
    value: float
    t_value: float | None


def coefficients_of(model: Model) -> tuple[ModelCoefficient, ...]:
    """Give all coefficients of a model: the constant, then those of the terms in order of entry."""
    places: list[tuple[Term, tuple[Value, ...]]] = [((), ())]
    for step in model.steps:
        labels = _places(model, step.term)
        places += [(step.term, labels[column]) for column in step.columns]
    rows = zip(places, model.coefficients, model.t_values, strict=True)
    return tuple(ModelCoefficient(*place, value, t) for place, value, t in rows)


def _places(model: Model, term: Term) -> list[tuple[Value, ...]]:
    """Give the knots and words that the columns of a term stand for."""
    return list(product(*(model.basis(name).labels for name in term)))


def summary_of(model: Model) -> str:
    """Write a model's terms in one line, as Table 1 does: ``cycles ~ #blk + simd + simd:#blk``."""
    return f"{model.response} ~ {' + '.join(map(words_of_term, model.terms)) or '1'}"


def _term(model: Model, number: int, digits: int) -> str:
    step = model.steps[number]
    labels = _places(model, step.term)
    own = zip(step.columns, model.coefficients[model.places(number)], strict=True)
    parts = (f"{_labels(labels[column])}: {value:.{digits}g}" for column, value in own)
    return f"{words_of_term(step.term)}({', '.join(parts)})"


def _key(basis: Basis) -> str:
    name, scale = basis.parameter.name, "log2 of " if basis.log2 else ""
    if not basis.parameter.numeric:
        return f"{name}(w: a, …): a where {name} is w, 0 where it is {basis.measured[0]}"
    knots = [2.0**knot for knot in basis.knots] if basis.log2 else basis.knots
    if len(knots) < 3:
        return f"{name}(k: a): the line in {scale}{name} that is 0 at {_value(knots[0])}, a at k"
    return (
        f"{name}(k: a, …): the natural cubic spline in {scale}{name} that is a at k, 0 at "
        f"{_value(knots[0])}; knots {_labels(knots)}"
    )


def _labels(values: Iterable[Value]) -> str:
    return ",".join(map(_value, values))


def _value(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


# JSON, and back: the same bytes for the same model, all figures to the last bit.

MODEL_VERSION = 1
"""Rises when models are written otherwise."""


@dataclass(frozen=True)
class _ModelFile:
    regression_model: int
    model: Model


def model_text(model: Model) -> str:
    """Write a model."""
    return msgspec.json.encode(_ModelFile(MODEL_VERSION, model)).decode() + "\n"


def model_of(text: str) -> Model:
    """Read what ``model_text`` wrote. InputError."""
    version = _version_of(text)
    if version != MODEL_VERSION:
        raise InputError(
            f"this model is of version {version}, and this warpmill reads {MODEL_VERSION}"
        )
    try:
        return checked(msgspec.json.decode(text, type=_ModelFile).model)
    except (msgspec.DecodeError, RecursionError, WarpmillError) as error:
        raise InputError(f"this is no regression model: {str(error)[:200]}") from None


def _version_of(text: str) -> int:
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise InputError(f"this is no JSON: {str(error)[:200]}") from None
    version = data.get("regression_model") if isinstance(data, dict) else None
    if type(version) is not int:
        raise InputError("this holds no regression model: `warpmill` writes `regression_model`")
    return version
