"""How far a model is off: at points that it has not seen, §7.3, and by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.regression.model import Model
from warpmill.simulator.regression.parameters import Point
from warpmill.simulator.regression.predict import predict

Fit = Callable[[Sequence[Point], Sequence[float]], Model]


@dataclass(frozen=True)
class Errors:
    """Relative errors in percent: |predicted - measured| / |measured|.

    ``each`` has that of every point, None for those that the model knows nothing of; the other
    figures leave these out, and are None where it knows of none.
    """

    mean: float | None
    maximum: float | None
    each: tuple[float | None, ...]

    @property
    def unknown(self) -> int:
        """How many points the model knows nothing of."""
        return self.each.count(None)

    def quantile(self, share: float) -> float | None:
        """Give the error that this share of the known points does not exceed. None for none."""
        known = [error for error in self.each if error is not None]
        return float(np.quantile(known, share)) if known else None


def errors(model: Model, points: Sequence[Point], measured: Sequence[float]) -> Errors:
    """Compare a model with what was measured. UsageError where that is 0 somewhere."""
    return errors_of(_relative(model, points, measured))


def errors_of(each: Sequence[float | None]) -> Errors:
    """Sum errors up."""
    known = [error for error in each if error is not None]
    if not known:
        return Errors(None, None, tuple(each))
    return Errors(float(np.mean(known)), max(known), tuple(each))


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
    return errors_of(each)


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
