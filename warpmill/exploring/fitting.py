"""Models of what a workload's samples say, and how far they are off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.exploring.evaluation import FIGURES
from warpmill.exploring.options import FittingOptions
from warpmill.exploring.space import ExploredSpace
from warpmill.session.options import pair
from warpmill.simulator.regression.errors import Errors, cross_validate
from warpmill.simulator.regression.fit import fit_stepwise, fit_terms, samples_of
from warpmill.simulator.regression.model import Model, Term
from warpmill.simulator.regression.parameters import Point, Value, parameter_called
from warpmill.sweeps.figures import new_name

if TYPE_CHECKING:
    from warpmill.exploring.explored import OfWorkload

_FEWEST = 4
"""Samples that a model is checked with, at least."""


@dataclass(frozen=True)
class Fitting(FittingOptions):
    """Subject of models, and how they are made.

    With ``terms`` none are chosen: models have these, as in §7.4. ``fixed`` has values of
    parameters: models are then of the samples that have them, and without these parameters, as in
    Figure 3b. ``seed`` decides how samples are dealt to folds.
    """

    seed: int = 0
    fixed: tuple[tuple[str, Value], ...] = ()
    terms: tuple[Term, ...] | None = None

    def __post_init__(self) -> None:
        known = self.figures or FIGURES
        if self.response not in known:
            new = new_name(self.response, known)
            hint = f"it is called `{new}` now" if new else suggestion(self.response, known)
            hint = hint or f"there are {', '.join(known)}"
            raise UsageError(f"no figure of a point is called `{self.response}`; {hint}")
        for name, value in (("θ", self.theta), ("φ", self.phi)):
            if not math.isfinite(value):
                raise UsageError(f"the threshold {name} is {value}, which is no number")
        if self.folds < 2:
            raise UsageError(f"a model is checked in 2 folds or more, not {self.folds}")


def samples_for(
    space: ExploredSpace, found: OfWorkload, fitting: Fitting
) -> tuple[list[Point], list[float]]:
    """The samples that a model is made of. UsageError for fixed values that are none."""
    fixed = dict(fitting.fixed)
    for name, value in fixed.items():
        parameter_called(space.design.parameters, name).index_of_value(value)
    points, values = found.with_figure(fitting.response)
    own = [k for k, point in enumerate(points) if fixed.items() <= point.items()]
    return [points[k] for k in own], [values[k] for k in own]


def fit(
    space: ExploredSpace, points: Sequence[Point], values: Sequence[float], fitting: Fitting
) -> Model:
    """Fit a model. UsageError where samples are too few."""
    fixed = dict(fitting.fixed)
    parameters = [each for each in space.design.parameters if each.name not in fixed]
    logarithms = [name for name in space.logarithms if name not in fixed]
    samples = samples_of(parameters, points, values, logarithms)
    if fitting.terms is not None:
        return fit_terms(samples, fitting.terms, response=fitting.response)
    return fit_stepwise(samples, theta=fitting.theta, phi=fitting.phi, response=fitting.response)


def why_none(space: ExploredSpace, found: OfWorkload, fitting: Fitting) -> str | None:
    """Reason why there are no samples to make a model of; None where there are."""
    if not found.measured:
        return "no point could be simulated"
    if not found.with_figure(fitting.response)[0]:
        return f"no sample has {fitting.response}"
    if not samples_for(space, found, fitting)[0]:
        values = " ".join(f"{name}={value}" for name, value in fitting.fixed)
        return f"no sample with {fitting.response} has {values}"
    return None


def cross_validated(space: ExploredSpace, found: OfWorkload, fitting: Fitting) -> Errors:
    """How far models of a part of the samples are off at the others. UsageError: why not."""
    points, values = samples_for(space, found, fitting)
    if len(points) < max(_FEWEST, fitting.folds):
        samples = f"{len(points)} sample{'s' * (len(points) != 1)}"
        raise UsageError(f"{samples}, {fitting.folds} folds")
    if 0 in values:
        raise UsageError(f"{fitting.response} is 0 somewhere, and no error is relative to that")

    def fitted(own: Sequence[Point], measured: Sequence[float]) -> Model:
        return fit(space, own, measured, fitting)

    try:
        return cross_validate(points, values, fitted, folds=fitting.folds, seed=fitting.seed)
    except UsageError as error:
        raise UsageError(f"without a fold, {error.diagnostics[0].message}") from None


def values_given(space: ExploredSpace, option: str, texts: Sequence[str]) -> dict[str, Value]:
    """Read the values that an option has, each NAME=VALUE. UsageError for what is none."""
    example = f"{space.parameters[0].name}={space.parameters[0].parameter.values[0]}"
    found: dict[str, Value] = {}
    for name, text in (pair(option, text, example) for text in texts):
        if name in found:
            raise UsageError(f"{option} gives {name} twice")
        found[name] = value_of(space, name, text)
    return found


def value_of(space: ExploredSpace, name: str, text: str) -> Value:
    """Read a value of a parameter: one of its own, or another number. UsageError."""
    parameter = parameter_called(space.design.parameters, name)
    own = next((value for value in parameter.values if str(value) == text), None)
    if own is not None:
        return own
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not parameter.numeric or not abs(number) < float("inf"):
        known = ", ".join(map(str, parameter.values))
        raise UsageError(f"{name} does not take `{text}`; its values are {known}")
    return int(number) if number.is_integer() else number
