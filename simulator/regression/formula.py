"""A model as a formula that can be read: each term with its coefficients and its share of R²."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from warpmill.simulator.regression.model import Model, Term, words_of_term
from warpmill.simulator.regression.parameters import Value
from warpmill.simulator.regression.splines import Basis


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


class Coefficient(NamedTuple):
    """A coefficient of a model: what a ``term`` adds ``at`` a knot or word of each parameter of it.

    The constant has no term. ``t_value`` is the coefficient over its standard error, None where the
    model fits without any error.
    """

    term: Term
    at: tuple[Value, ...]
    value: float
    t_value: float | None


def coefficients_of(model: Model) -> tuple[Coefficient, ...]:
    """Give all coefficients of a model: the constant, then those of the terms in order of entry."""
    places: list[tuple[Term, tuple[Value, ...]]] = [((), ())]
    for step in model.steps:
        labels = _places(model, step.term)
        places += [(step.term, labels[column]) for column in step.columns]
    rows = zip(places, model.coefficients, model.t_values, strict=True)
    return tuple(Coefficient(*place, value, t) for place, value, t in rows)


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
