"""Models from samples: stepwise as in §5, or of given terms as in §7.4."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.simulator.regression.least_squares import LeastSquares
from warpmill.simulator.regression.model import Dropped, Model, Step, Term, words_of_term
from warpmill.simulator.regression.parameters import Parameter, Point, parameter_called, value_of
from warpmill.simulator.regression.splines import Basis, basis_of
from warpmill.simulator.regression.stepwise import select_terms

Floats = npt.NDArray[np.float64]

THETA = PHI = 0.01
"""Thresholds of §5.4, "experimentally found to be a reasonable choice"."""
LARGEST = 1e150
"""Measured values are smaller, so that their squares are numbers."""
FIXED_TERMS: tuple[Term, ...] = (("simd",), ("#blk",), ("simd", "#blk"))
"""The three factors of §7.4, by the paper's names."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Points that were measured: each parameter's columns, a row a sample."""

    bases: tuple[Basis, ...]
    columns: Mapping[str, Floats]
    measured: Floats

    def of_term(self, term: Term) -> Floats:
        """Give all columns of a term: those of a parameter, or all products of those of two."""
        columns = self.columns[term[0]]
        for name in term[1:]:
            columns = products(columns, self.columns[name])
        return columns


def products(left: Floats, right: Floats) -> Floats:
    """Give all products of columns of both, row by row; those of the right turn fastest."""
    both = left[:, :, None] * right[:, None, :]
    return both.reshape(len(left), left.shape[1] * right.shape[1])


def samples_of(
    parameters: Sequence[Parameter],
    points: Sequence[Point],
    measured: Sequence[float],
    log2: Collection[str] = (),
) -> Samples:
    """Take samples in. ``log2`` names parameters whose logarithms are splined. UsageError."""
    for name in log2:
        parameter_called(parameters, name)
    if len(points) != len(measured):
        raise UsageError(f"there are {len(points)} points and {len(measured)} measured values")
    if len(points) < 3:
        raise too_few(len(points), "a model")
    wrong = [k for k, value in enumerate(measured) if not abs(value) < LARGEST]
    if wrong:
        value = measured[wrong[0]]
        raise UsageError(f"sample {wrong[0]} was measured as {value}: no number, or too large")
    bases, columns = [], {}
    for parameter in parameters:
        values = [value_of(point, parameter.name) for point in points]
        basis = basis_of(parameter, values, log2=parameter.name in log2)
        places = {value: place for place, value in enumerate(basis.measured)}
        table = basis.table(basis.measured)
        columns[parameter.name] = table[[places[value] for value in values]]
        bases.append(basis)
    return Samples(tuple(bases), columns, np.array(measured, dtype=np.float64))


def fit_stepwise(
    samples: Samples, *, theta: float = THETA, phi: float = PHI, response: str = "cycles"
) -> Model:
    """Fit a model whose terms Algorithm 1 chooses. It has none where all measured are equal.

    UsageError where samples are too few for any term.
    """
    if not (math.isfinite(theta) and math.isfinite(phi)):
        raise UsageError(f"the thresholds {theta} and {phi} have to be numbers")
    fitting = LeastSquares(samples.measured, samples.of_term)
    with _one_thread():
        varied = [each.parameter.name for each in samples.bases if len(each.measured) > 1]
        if not fitting.constant and not select_terms(varied, fitting, theta, phi):
            words = "a term of any parameter, or none was varied"
            raise too_few(len(samples.measured), words)
        return _model(samples, fitting, response, (theta, phi))


def fit_terms(samples: Samples, terms: Iterable[Term], *, response: str = "cycles") -> Model:
    """Fit a model of given terms, in their order. UsageError where samples are too few."""
    fitting = LeastSquares(samples.measured, samples.of_term)
    with _one_thread():
        for term in checked_terms([each.parameter for each in samples.bases], tuple(terms)):
            fitting.add(term)
            if fitting.freedom < 1:
                raise too_few(len(samples.measured), f"the terms up to {words_of_term(term)}")
        return _model(samples, fitting, response, None)


def term_of(text: str) -> Term:
    """Read a term as the paper writes it: ``simd`` or ``simd:#blk``."""
    return tuple(name.strip() for name in text.split(":"))


def checked_terms(parameters: Sequence[Parameter], terms: Sequence[Term]) -> Sequence[Term]:
    """Give terms that parameters can have: each once, of one or two. UsageError."""
    seen: set[frozenset[str]] = set()
    for term in terms:
        for name in term:
            parameter_called(parameters, name)
        if not 1 <= len(term) <= 2 or len(set(term)) != len(term):
            raise UsageError(
                f"the term {words_of_term(term)} has to be a parameter, or two unlike ones"
            )
        if frozenset(term) in seen:
            raise UsageError(f"the term {words_of_term(term)} is given twice")
        seen.add(frozenset(term))
    return terms


def too_few(samples: int, for_what: str) -> UsageError:
    """Make the error that says that samples are too few."""
    words = "1 sample is" if samples == 1 else f"{samples} samples are"
    hint = "measure more points"
    return UsageError(Diagnostic(Severity.ERROR, f"{words} too few for {for_what}", hint=hint))


def _one_thread() -> Any:
    from threadpoolctl import threadpool_limits  # noqa: PLC0415 - only here

    return threadpool_limits(limits=1)  # sums of several threads are rounded differently


def _model(
    samples: Samples,
    fitting: LeastSquares,
    response: str,
    thresholds: tuple[float, float] | None,
) -> Model:
    """Fit the terms that were chosen by statsmodels, and take from it what a model holds."""
    from statsmodels.regression.linear_model import OLS  # noqa: PLC0415 - slow to load

    design = [np.ones((len(samples.measured), 1))]
    design += [samples.of_term(s.term)[:, list(s.columns)] for s in fitting.steps]
    columns = np.hstack(design)
    with np.errstate(divide="ignore", invalid="ignore"):  # of fits without an error
        fitted = OLS(samples.measured, columns).fit()
        aic, t_values = _finite(fitted.aic), tuple(map(_finite, fitted.tvalues))
    spread = np.asarray(fitted.normalized_cov_params)
    return Model(
        response,
        samples.bases,
        tuple(fitting.steps),
        len(samples.measured),
        tuple(map(float, fitted.params)),
        t_values,
        tuple(tuple(row[: k + 1]) for k, row in enumerate(spread.tolist())),
        float(fitted.mse_resid),
        aic,
        _dropped(samples, fitting.steps, columns),
        *(thresholds or (None, None)),
    )


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _dropped(samples: Samples, steps: Sequence[Step], columns: Floats) -> tuple[Dropped, ...]:
    """Say how the columns that were left out follow from those of the model."""
    found = []
    for number, step in enumerate(steps):
        all_columns = samples.of_term(step.term)
        left_out = [k for k in range(all_columns.shape[1]) if k not in step.columns]
        if left_out:
            mixes = np.linalg.lstsq(columns, all_columns[:, left_out], rcond=None)[0]
            found += [Dropped(number, k, tuple(mix))
                      for k, mix in zip(left_out, mixes.T.tolist(), strict=True)]  # fmt: skip
    return tuple(found)
