"""Checks of results: what a program computed beside what a library, or a property, says it is.

::

    def check(inputs, results):
        expected = scipy.sparse.csgraph.dijkstra(inputs["graph"], indices=0, unweighted=True)
        yield equal("levels", results["levels"], expected, "scipy.sparse.csgraph.dijkstra")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.metric import Mark, Metric, derived


@dataclass(frozen=True)
class Check:
    """One comparison. ``against`` says where the expected values come from.

    ``wrong`` of ``elements`` are outside ``tolerance``; ``worst`` is the largest difference there
    is, relative where the tolerance is, and None where values are compared for equality.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    name: Annotated[str, Metric("Result")]
    against: Annotated[str, Metric("Against")]
    elements: Annotated[int, Metric("Elements")]
    wrong: Annotated[int, Metric("Errors")]
    tolerance: Annotated[str, Metric("Tolerance")]
    worst: Annotated[float | None, Metric("Largest difference")] = None

    @derived("Result of check")
    def passed(self) -> bool:
        """Whether something was compared, and nothing is wrong."""
        return self.wrong == 0 and self.elements > 0


def equal(name: str, got: npt.ArrayLike, expected: npt.ArrayLike, against: str) -> Check:
    """Compare for equality, element by element. A wrong shape makes every element wrong."""
    a, b = np.asarray(got), np.asarray(expected)
    if a.shape != b.shape:
        return _misshapen(name, a, b, against)
    return Check(name, against, a.size, int(np.count_nonzero(a != b)), "equal")


def close(
    name: str,
    got: npt.ArrayLike,
    expected: npt.ArrayLike,
    against: str,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
) -> Check:
    """Compare numbers: ``|got - expected| <= atol + rtol * |expected|``. NaN is wrong anywhere.

    ``worst`` is the largest ``|got - expected| / (|expected| + atol / rtol)``, to be compared with
    ``rtol``; without an ``rtol`` it is the largest difference.
    """
    a, b = np.asarray(got, np.float64), np.asarray(expected, np.float64)
    if a.shape != b.shape:
        return _misshapen(name, a, b, against)
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = np.where(a == b, 0.0, np.abs(a - b))  # infinities may be equal
        wrong = ~(difference <= atol + rtol * np.abs(b)) | (np.isinf(b) & (a != b))
        scale = np.abs(b) + atol / rtol if rtol else np.ones_like(b)
        errors = np.where(difference == 0, 0.0, difference / scale)
    words = f"rtol {rtol:g}" + (f", atol {atol:g}" if atol else "")
    worst = float(np.max(errors, initial=0.0))
    return Check(name, against, a.size, int(np.count_nonzero(wrong)), words, worst)


def holds(name: str, true: npt.ArrayLike, against: str) -> Check:
    """Check a property that must be true of every element."""
    values = np.asarray(true, bool)
    return Check(name, against, values.size, int(values.size - np.count_nonzero(values)), "holds")


def _misshapen(
    name: str, a: npt.NDArray[np.generic], b: npt.NDArray[np.generic], against: str
) -> Check:
    elements = max(a.size, b.size, 1)
    return Check(f"{name}, of shape {a.shape} for {b.shape}", against, elements, elements, "equal")
