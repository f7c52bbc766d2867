"""Models of §5: as data, as a formula that can be read, and as JSON.

A model says what a measured figure is made of, term by term.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import Annotated

import msgspec
import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError, UsageError, WarpmillError
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.simulator.regression.parameters import (
    DesignParameter,
    Value,
    parameter_called,
    usable,
)

# Natural cubic splines of a parameter, §5.3: knots, and the columns that stand for them.
#
# Knots lie evenly between the smallest and the largest value that the samples have: three inside
# at most, and no more than there are further values. (With two values this is a straight line.)
# The column of a knot is the natural cubic spline that is 1 there and 0 at all others, so its
# coefficient is what the model adds at the knot. The first knot has none, as the constant of the
# model stands for it. Beyond the outer knots the columns go on as straight lines.
#
# Where values double, knots at even distances leave knots with no value near them (of 1, 2, 4, 8,
# 16 the knot 12.25): a model of five values and five knots is right at the values, and may be
# anything between them. With ``log2`` the knots are the values. So ``Basis.between`` tells of
# numbers among those of the samples that none of them has.
#
# A parameter that takes words has a column for each but the first one that the samples have: 1
# there and 0 elsewhere.

Flags = npt.NDArray[np.bool_]

MOST_INNER_KNOTS = 3


@dataclass(frozen=True)
class Basis:
    """How a parameter enters a model.

    ``measured`` are the values that the samples have: numbers ascending, words as declared.
    ``knots`` are those of numbers (of their logarithms to base 2 with ``log2``), none of words.
    """

    parameter: DesignParameter
    measured: tuple[Value, ...]
    log2: bool
    knots: tuple[float, ...]

    @property
    def labels(self) -> tuple[Value, ...]:
        """Label of each column: a knot (of logarithms the value there), or a word."""
        if not self.parameter.numeric:
            return tuple(value for value in self.parameter.values if value != self.measured[0])
        return tuple(2.0**knot if self.log2 else knot for knot in self.knots[1:])

    @property
    def width(self) -> int:
        """The number of columns, 0 where all samples have one number."""
        return len(self.labels)

    def table(self, values: Sequence[Value]) -> Floats:
        """The columns at values, a row each. UsageError for what the parameter cannot be."""
        if not self.parameter.numeric:
            places = {word: place for place, word in enumerate(self.labels)}
            return _indicators([places.get(self._word(value), -1) for value in values], len(places))
        return natural_columns(self._scaled(values), self.knots)

    def outside(self, values: Sequence[Value]) -> Flags:
        """Whether values lie beyond those of the samples."""
        if not self.parameter.numeric:
            return np.array([value not in self.measured for value in values], dtype=np.bool_)
        low, high = self.measured[0], self.measured[-1]
        return np.array([not low <= value <= high for value in values], dtype=np.bool_)  # type: ignore[operator]

    def between(self, values: Sequence[Value]) -> Flags:
        """Whether values are numbers among those of the samples that none of them has."""
        if not self.parameter.numeric:
            return np.zeros(len(values), dtype=np.bool_)
        known = np.isin(np.array(values, dtype=np.float64), np.array(self.measured, np.float64))
        return np.asarray(~known & ~self.outside(values))

    def _word(self, value: Value) -> Value:
        self.parameter.index_of_value(value)
        return value

    def _scaled(self, values: Sequence[Value]) -> Floats:
        wrong = [v for v in values if isinstance(v, str) or not math.isfinite(v)]
        if wrong:
            raise UsageError(f"{self.parameter.name} takes numbers, not {wrong[0]!r}")
        return scaled(self.parameter.name, np.array(values, dtype=np.float64), log2=self.log2)


def basis_of(parameter: DesignParameter, values: Iterable[Value], *, log2: bool = False) -> Basis:
    """Make the basis of a parameter from the values that samples have. UsageError."""
    used = set(values)
    wrong = [value for value in used if not usable(value)]
    if wrong:
        raise UsageError(f"{parameter.name} is {wrong[0]!r}, neither a finite number nor a word")
    if not parameter.numeric:
        if log2:
            raise UsageError(f"{parameter.name} takes words, which have no logarithm")
        places = {value: parameter.index_of_value(value) for value in used}
        return Basis(parameter, tuple(sorted(used, key=lambda v: places[v])), log2, ())
    words = [value for value in used if isinstance(value, str)]
    if words:
        raise UsageError(f"{parameter.name} takes numbers, not {words[0]!r}")
    measured = tuple(sorted(used))
    places_of = scaled(parameter.name, np.array(measured, dtype=np.float64), log2=log2)
    return Basis(parameter, measured, log2, knots_of(places_of))


def scaled(name: str, values: Floats, *, log2: bool) -> Floats:
    """Values, or their logarithms. UsageError where there are none."""
    if not log2:
        return values
    if len(values) and values.min() <= 0:
        raise UsageError(f"{name} is {values.min():g} somewhere, which has no logarithm")
    return np.asarray(np.log2(values), dtype=np.float64)


def knots_of(values: Floats) -> tuple[float, ...]:
    """Place knots for distinct values: the outer two, and up to three evenly between them."""
    if len(values) == 1:
        return (float(values[0]),)
    inner = min(MOST_INNER_KNOTS, len(values) - 2)
    return tuple(np.linspace(values.min(), values.max(), inner + 2).tolist())


def natural_columns(values: Floats, knots: Sequence[float]) -> Floats:
    """The natural cubic splines that are 1 at one knot and 0 at the others, but the first."""
    if len(knots) < 2 or not len(values):
        return np.zeros((len(values), max(0, len(knots) - 1)))
    if len(knots) == 2:
        return ((values - knots[0]) / (knots[1] - knots[0]))[:, None]
    from patsy import cr  # noqa: PLC0415 - slow to load

    columns = cr(values, knots=knots[1:-1], lower_bound=knots[0], upper_bound=knots[-1])
    return np.asarray(columns, dtype=np.float64)[:, 1:]


def _indicators(places: Sequence[int], width: int) -> Floats:
    columns = np.zeros((len(places), width))
    for row, place in enumerate(places):
        if place >= 0:
            columns[row, place] = 1.0
    return columns


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
class TermGain:
    """A term in order of entry: what R² is with it, and what it grew by."""

    step: Annotated[EnteredTerm, INTERNAL]
    gain: Annotated[float, Metric("R² more", mark=Mark.MODELLED)]

    @derived("Term")
    def term(self) -> str:
        """The term as the paper writes it."""
        return words_of_term(self.step.term)

    @derived("R²", mark=Mark.MODELLED)
    def r_squared(self) -> float:
        """The share of the samples' variance that the model explains with it."""
        return self.step.r_squared

    @derived("Adjusted R²", mark=Mark.MODELLED)
    def adjusted_r_squared(self) -> float | None:
        """The same over degrees of freedom."""
        return self.step.adjusted


@dataclass(frozen=True)
class Model:
    """A fitted model: a constant, and for each step the coefficients of its columns.

    ``bases`` has all parameters that were looked at, in the order given. ``theta`` and ``phi`` are
    the thresholds of the selection, None where terms were given. ``spread`` is the lower triangle
    of the coefficients' covariance over ``residual_variance``: (X'X)^-1. ``aic`` and ``t_values``
    are None where the model fits without any error.
    """

    response: str
    bases: Annotated[tuple[Basis, ...], INTERNAL]
    steps: Annotated[tuple[EnteredTerm, ...], INTERNAL]
    samples: Annotated[int, Metric("Samples")]
    coefficients: Annotated[tuple[float, ...], INTERNAL]
    t_values: Annotated[tuple[float | None, ...], INTERNAL]
    spread: Annotated[tuple[tuple[float, ...], ...], INTERNAL]
    residual_variance: Annotated[float, INTERNAL]
    aic: Annotated[float | None, Metric("AIC", mark=Mark.MODELLED)]
    dropped: Annotated[tuple[Dropped, ...], INTERNAL]
    theta: float | None
    phi: float | None

    @derived("Model")
    def summary(self) -> str:
        """The terms in one line, as Table 1 has them: ``cycles ~ #blk + simd + simd:#blk``."""
        return f"{self.response} ~ {' + '.join(map(words_of_term, self.terms)) or '1'}"

    @derived("Formula")
    def formula(self) -> str:
        """The model with all coefficients, for people."""
        return formula_of(self)

    @derived("R²", mark=Mark.MODELLED)
    def r_squared(self) -> float:
        """The share of the samples' variance that the model explains; 0 without terms."""
        return self.steps[-1].r_squared if self.steps else 0.0

    @derived("Adjusted R²", mark=Mark.MODELLED)
    def adjusted_r_squared(self) -> float | None:
        """The same over degrees of freedom; null without terms."""
        return self.steps[-1].adjusted if self.steps else None

    @derived("Terms in order of entry")
    def entered_terms(self) -> tuple[TermGain, ...]:
        """What each term adds to R²."""
        return tuple(map(TermGain, self.steps, self.gains))

    @derived("Coefficients")
    def term_coefficients(self) -> tuple[ModelCoefficient, ...]:
        """All coefficients: the constant, then those of the terms in order of entry."""
        return coefficients_of(self)

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
    def gains(self) -> tuple[float, ...]:
        """Gain in R² of each step, Figure 3."""
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
        """A parameter's basis. UsageError where the model has none."""
        parameter = parameter_called(self.parameters, name)
        return next(basis for basis in self.bases if basis.parameter is parameter)

    def term_width(self, term: Term) -> int:
        """How many columns a term has, those that are not in the model too."""
        return math.prod(self.basis(name).width for name in term)

    def places(self, step: int) -> slice:
        """Coefficients of a step."""
        start = 1 + sum(len(each.columns) for each in self.steps[:step])
        return slice(start, start + len(self.steps[step].columns))


def checked(model: Model) -> Model:
    """A model whose parts fit together. InputError."""
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


@dataclass(frozen=True)
class ModelCoefficient:
    """A coefficient of a model: what a ``term`` adds ``at`` a knot or word of each parameter of it.

    The constant has no term. ``t_value`` is the coefficient over its standard error, null where the
    model fits without any error.
    """

    parameters: Annotated[Term, INTERNAL]
    at: Annotated[tuple[Value, ...], Metric("At")]
    value: Annotated[float, Metric("Coefficient", mark=Mark.MODELLED)]
    t_value: Annotated[float | None, Metric("Over standard error", mark=Mark.MODELLED)]

    @derived("Term")
    def term(self) -> str | None:
        """The term as the paper writes it; null of the constant."""
        return words_of_term(self.parameters) or None


def coefficients_of(model: Model) -> tuple[ModelCoefficient, ...]:
    """All coefficients of a model: the constant, then those of the terms in order of entry."""
    places: list[tuple[Term, tuple[Value, ...]]] = [((), ())]
    for step in model.steps:
        labels = _places(model, step.term)
        places += [(step.term, labels[column]) for column in step.columns]
    rows = zip(places, model.coefficients, model.t_values, strict=True)
    return tuple(ModelCoefficient(*place, value, t) for place, value, t in rows)


def _places(model: Model, term: Term) -> list[tuple[Value, ...]]:
    """The knots and words that the columns of a term stand for."""
    return list(product(*(model.basis(name).labels for name in term)))


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
"""Version of the models' form."""


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
