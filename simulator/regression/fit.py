"""Models from samples: stepwise as in §5, or of given terms as in §7.4.

Algorithm 1 of Stargazer chooses the terms; least squares say how good each tentative model is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.extras import need
from warpmill.simulator.regression.model import (
    Basis,
    Dropped,
    EnteredTerm,
    Model,
    Term,
    basis_of,
    words_of_term,
)
from warpmill.simulator.regression.parameters import (
    DesignParameter,
    Point,
    parameter_called,
    value_of,
)

# Algorithm 1 of Stargazer: which terms enter a model, and in which order.

ROUNDING = 1e-12
"""R² that differ by less than this are equal."""


class Score(NamedTuple):
    """Score of a tentative model."""

    r_squared: float
    adjusted: float


class Scorer(Protocol):
    """A model that grows: says what it would be with a term more, and takes one."""

    def score(self, term: Term) -> Score | None:
        """R² and adjusted R² of the model and a term; None for one that cannot be chosen."""

    def add(self, term: Term) -> float:
        """R² of the model with a term added to it."""


def select_terms(
    parameters: Sequence[str], model: Scorer, theta: float, phi: float
) -> tuple[Term, ...]:
    """Choose terms as Algorithm 1 does; ``model`` has none, and then those that are given back."""
    remaining = list(parameters)
    first = best_of(model, _basic(remaining), "r_squared")
    if first is None:
        return ()
    chosen, r_squared = [first[0]], model.add(first[0])
    remaining.remove(first[0][0])
    while remaining:
        found = best_of(model, _basic(remaining), "adjusted")
        if found is None or not found[1] - r_squared > theta + ROUNDING:
            break
        (new,) = found[0]
        earlier = [term[0] for term in chosen if len(term) == 1]
        chosen.append(found[0])
        r_squared = model.add(found[0])
        remaining.remove(new)
        while earlier:
            found = best_of(model, [(new, name) for name in earlier], "adjusted")
            if found is None or not found[1] - r_squared > phi + ROUNDING:
                break
            chosen.append(found[0])
            r_squared = model.add(found[0])
            earlier.remove(found[0][1])
    return tuple(chosen)


def best_of(model: Scorer, terms: Iterable[Term], measure: str) -> tuple[Term, float] | None:
    """The term with the highest score, and that; the first one of those that are equal."""
    best: tuple[Term, float] | None = None
    for term in terms:
        score = model.score(term)
        if score is None:
            continue
        value: float = getattr(score, measure)
        if best is None or value > best[1] + ROUNDING:
            best = term, value
    return best


def _basic(names: Iterable[str]) -> list[Term]:
    return [(name,) for name in names]


# Least squares of models that grow term by term: R² of each tentative model, quickly. The columns
# of the model are kept as orthonormal directions, and what they leave of the measured values as a
# remainder. A tentative model costs the directions that its term adds, no new fit.

Floats = npt.NDArray[np.float64]

COLLINEAR = 1e-7
"""A column is left out where less than this of it does not follow from others, as R's lm does."""
_EQUAL = 1e-13
"""Measured values that differ by no more than this, relatively, are equal."""


class _New(NamedTuple):
    """Contribution of a new term: its used columns, their directions, and the remainder then."""

    columns: tuple[int, ...]
    directions: Floats
    remainder: Floats


class LeastSquares:
    """A model with a constant, and the terms that were added; a ``Scorer`` of Algorithm 1."""

    def __init__(self, measured: Floats, columns_of: Callable[[Term], Floats]) -> None:
        n, largest = len(measured), float(np.abs(measured).max())
        self._columns_of = columns_of
        self._directions = np.full((n, 1), 1 / np.sqrt(n))
        shares = measured / largest if largest else measured  # squares must not overflow
        self._remainder = np.asarray(shares - shares.mean(), dtype=np.float64)
        self._total = float(self._remainder @ self._remainder)
        self.constant = float(np.ptp(shares)) <= _EQUAL
        self.steps: list[EnteredTerm] = []

    @property
    def freedom(self) -> int:
        """Samples over columns."""
        n, width = self._directions.shape
        return n - width

    def score(self, term: Term) -> Score | None:
        """R² and adjusted R² of the model with a term more."""
        new = self._new(term)
        if not new.columns or self.freedom - len(new.columns) < 1:
            return None
        r_squared = self._r_squared(new.remainder)
        adjusted = self._adjusted(r_squared, self.freedom - len(new.columns))
        assert adjusted is not None
        return Score(r_squared, adjusted)

    def add(self, term: Term) -> float:
        """Add a term to the model."""
        new = self._new(term)
        self._directions = np.hstack([self._directions, new.directions])
        self._remainder = new.remainder
        r_squared = self._r_squared(new.remainder)
        adjusted = self._adjusted(r_squared, self.freedom)
        self.steps.append(EnteredTerm(term, new.columns, r_squared, adjusted))
        return r_squared

    def _r_squared(self, remainder: Floats) -> float:
        return 0.0 if self.constant else 1.0 - float(remainder @ remainder) / self._total

    def _adjusted(self, r_squared: float, freedom: int) -> float | None:
        if freedom < 1:
            return None
        return 1.0 - (1.0 - r_squared) * (len(self._remainder) - 1) / freedom

    def _new(self, term: Term) -> _New:
        columns = self._columns_of(term)
        kept, directions = independent(columns, self._directions)
        remainder = self._remainder - directions @ (directions.T @ self._remainder)
        return _New(kept, directions, remainder)


def independent(columns: Floats, directions: Floats) -> tuple[tuple[int, ...], Floats]:
    """Columns that follow neither from the directions nor from columns before them.

    With them, the orthonormal directions that they add.
    """
    lengths = np.sqrt(np.square(columns).sum(axis=0))
    rest = columns - directions @ (directions.T @ columns)
    rest -= directions @ (directions.T @ rest)  # once more, for what rounding left
    added = np.empty((len(columns), min(columns.shape)))
    kept: list[int] = []
    for place in range(columns.shape[1]):
        own, before = rest[:, place], added[:, : len(kept)]
        own = own - before @ (before.T @ own)
        own -= before @ (before.T @ own)
        length = float(np.sqrt(own @ own))
        full = directions.shape[1] + len(kept) >= len(columns)
        if full or length <= COLLINEAR * lengths[place]:
            continue
        added[:, len(kept)] = own / length
        kept.append(place)
    return tuple(kept), added[:, : len(kept)]


# Models from samples.

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
        """All columns of a term: those of a parameter, or all products of those of two."""
        columns = self.columns[term[0]]
        for name in term[1:]:
            columns = products(columns, self.columns[name])
        return columns


def products(left: Floats, right: Floats) -> Floats:
    """All products of columns of both, row by row; those of the right turn fastest."""
    both = left[:, :, None] * right[:, None, :]
    return both.reshape(len(left), left.shape[1] * right.shape[1])


def samples_of(
    parameters: Sequence[DesignParameter],
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


def checked_terms(parameters: Sequence[DesignParameter], terms: Sequence[Term]) -> Sequence[Term]:
    """Terms that parameters can have: each once, of one or two. UsageError."""
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
    need("statsmodels", why="a fitted model")
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


def _dropped(
    samples: Samples, steps: Sequence[EnteredTerm], columns: Floats
) -> tuple[Dropped, ...]:
    """How the columns that were left out follow from those of the model."""
    found = []
    for number, step in enumerate(steps):
        all_columns = samples.of_term(step.term)
        left_out = [k for k in range(all_columns.shape[1]) if k not in step.columns]
        if left_out:
            mixes = np.linalg.lstsq(columns, all_columns[:, left_out], rcond=None)[0]
            found += [Dropped(number, k, tuple(mix))
                      for k, mix in zip(left_out, mixes.T.tolist(), strict=True)]  # fmt: skip
    return tuple(found)
