"""How far a model is off (§7.3, cross-validation), and which parameters matter most."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.simulator.regression.model import Model, Term
from warpmill.simulator.regression.parameters import Point
from warpmill.simulator.regression.predict import predict

Fit = Callable[[Sequence[Point], Sequence[float]], Model]


@dataclass(frozen=True)
class Errors:
    """Relative errors in percent: |predicted - measured| / |measured|.

    ``each`` has that of every point, None for those that the model knows nothing of; the other
    figures leave these out, and are None where it knows of none. Cross-validated, in ``folds``.
    """

    each: Annotated[tuple[float | None, ...], INTERNAL]
    folds: int | None = None

    @derived("Mean error, cross-validated, %", mark=Mark.MODELLED)
    def mean_percent(self) -> float | None:
        """The mean of the errors."""
        known = [error for error in self.each if error is not None]
        return float(np.mean(known)) if known else None

    @derived("Median error, %", mark=Mark.MODELLED)
    def median_percent(self) -> float | None:
        """Half of the errors are below."""
        return self.quantile(0.5)

    @derived("Error, 98th percentile, %", mark=Mark.MODELLED)
    def p98_percent(self) -> float | None:
        """98 % of the errors are below."""
        return self.quantile(0.98)

    @derived("Maximum error, %", mark=Mark.MODELLED)
    def maximum_percent(self) -> float | None:
        """The largest error."""
        return max((error for error in self.each if error is not None), default=None)

    @derived("Samples not predicted")
    def unknown(self) -> int:
        """How many points the model knows nothing of."""
        return self.each.count(None)

    def quantile(self, share: float) -> float | None:
        """The error that this share of the known points does not exceed. None for none."""
        known = [error for error in self.each if error is not None]
        return float(np.quantile(known, share)) if known else None


def errors(model: Model, points: Sequence[Point], measured: Sequence[float]) -> Errors:
    """Compare a model with what was measured. UsageError where that is 0 somewhere."""
    return Errors(tuple(_relative(model, points, measured)))


def cross_validate(
    points: Sequence[Point],
    measured: Sequence[float],
    fit: Fit,
    *,
    folds: int = 10,
    seed: int = 0,
) -> Errors:
    """Predict each sample by a model of the others: ``fit`` makes one, without one fold at a time.

    Samples are dealt to folds of equal size, evenly at random. UsageError for fewer than 2 folds,
    or more than there are samples.
    """
    if not 2 <= folds <= len(points):
        raise UsageError(f"{len(points)} samples cannot be split into {folds} folds")
    fold_of = np.arange(len(points)) % folds
    fold_of = np.random.default_rng(seed).permutation(fold_of).tolist()
    each: list[float | None] = [None] * len(points)
    for fold in range(folds):
        inside = [k for k, own in enumerate(fold_of) if own != fold]
        outside = [k for k, own in enumerate(fold_of) if own == fold]
        model = fit([points[k] for k in inside], [measured[k] for k in inside])
        found = _relative(model, [points[k] for k in outside], [measured[k] for k in outside])
        for k, error in zip(outside, found, strict=True):
            each[k] = error
    return Errors(tuple(each), folds)


def _relative(
    model: Model, points: Sequence[Point], measured: Sequence[float]
) -> list[float | None]:
    if len(points) != len(measured) or not points:
        raise UsageError(f"there are {len(points)} points and {len(measured)} measured values")
    if 0 in measured:
        raise UsageError("a measured value is 0, and no error is relative to that")
    predicted = predict(model, points, interval=None)
    relative = [100 * abs(a - b) / abs(b)
                for a, b in zip(predicted.values.tolist(), measured, strict=True)]  # fmt: skip
    return [e if ok else None for e, ok in zip(relative, predicted.known.tolist(), strict=True)]


# Which parameters matter, and how alike workloads are in that: shares of R², §7.1 and §8.2.
#
# A term's share is what R² grew by when it entered (Figure 3), so it depends on what was there: of
# two parameters that tell the same, the first one has all. An interaction's share is split evenly
# between its two parameters, and shown apart as well.


@dataclass(frozen=True)
class Importance:
    """Parameter's share of the samples' variance: alone, and in halves of interactions."""

    name: Annotated[str, Metric("Parameter")]
    alone: Annotated[float, Metric("Alone", "%", Mark.MODELLED)]
    interactions: Annotated[float, Metric("Interactions", "%", Mark.MODELLED)]

    @derived("Share of variance", "%", Mark.MODELLED)
    def share(self) -> float:
        """Both together; all parameters' shares add up to the model's R²."""
        return self.alone + self.interactions


Share = float | None
"""A share of what a model explains; None where it explains nothing."""


@dataclass(frozen=True)
class WorkloadPair:
    """Two workloads, and how unlike they are: 0 depend on the same, 1 on nothing in common."""

    distance: Annotated[float, Metric("Distance", mark=Mark.MODELLED)]
    first: Annotated[str, Metric("Workload")]
    second: Annotated[str, Metric("And")]


@dataclass(frozen=True)
class Likeness:
    """How unlike workloads are, by what their figures depend on.

    ``shares`` has a row a workload and a column for each of ``parameters``: shares of what the
    model explains, which add up to 1. ``distances`` are half the sums of the absolute differences
    of two rows: from 0 for the same shares to 1 where no parameter matters to both. None where a
    model explains nothing.
    """

    workloads: tuple[str, ...]
    parameters: tuple[str, ...]
    shares: Annotated[tuple[tuple[Share, ...], ...], Metric("Shares", "%", Mark.MODELLED)]
    distances: Annotated[tuple[tuple[Share, ...], ...], Metric("Distances", mark=Mark.MODELLED)]

    @property
    def pairs(self) -> list[WorkloadPair]:
        """Each two workloads with a distance, the most alike first."""
        found = [
            WorkloadPair(distance, self.workloads[j], workload)
            for i, workload in enumerate(self.workloads)
            for j, distance in enumerate(self.distances[i][:i])
            if distance is not None
        ]
        return sorted(found, key=lambda pair: pair.distance)


def term_shares(model: Model) -> tuple[tuple[Term, float], ...]:
    """Each term's share of R² in order of entry."""
    return tuple(zip(model.terms, model.gains, strict=True))


def rank(model: Model) -> tuple[Importance, ...]:
    """Order all parameters that were looked at, the most important first."""
    shares = term_shares(model)
    found = [_importance(each.name, shares) for each in model.parameters]
    return tuple(sorted(found, key=lambda each: -each.share))


def _importance(name: str, shares: Sequence[tuple[Term, float]]) -> Importance:
    alone = sum(share for term, share in shares if term == (name,))
    halves = sum(share / 2 for term, share in shares if len(term) > 1 and name in term)
    return Importance(name, alone, halves)


def compare_workloads(models: Mapping[str, Model]) -> Likeness:
    """Compare workloads by their models."""
    names = tuple(dict.fromkeys(p.name for model in models.values() for p in model.parameters))
    shares = np.array([_normalised(model, names) for model in models.values()])
    shares = shares.reshape(len(models), len(names))
    distances = np.abs(shares[:, None, :] - shares[None, :, :]).sum(axis=2) / 2
    return Likeness(tuple(models), names, _rows(shares), _rows(distances))


def _rows(table: npt.NDArray[np.float64]) -> tuple[tuple[Share, ...], ...]:
    return tuple(tuple(None if np.isnan(v) else v for v in row) for row in table.tolist())


def _normalised(model: Model, names: Sequence[str]) -> list[float]:
    if model.r_squared <= 0:
        return [float("nan")] * len(names)
    own = {each.name: each.share for each in rank(model)}
    return [own.get(name, 0.0) / model.r_squared for name in names]
