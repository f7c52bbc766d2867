"""Least squares of models that grow term by term: R² of each tentative model, quickly.

The columns of the model are kept as orthonormal directions, and what they leave of the measured
values as a remainder. A tentative model costs the directions that its term adds, no new fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.simulator.regression.model import Step, Term
from warpmill.simulator.regression.stepwise import Score

Floats = npt.NDArray[np.float64]

COLLINEAR = 1e-7
"""A column is left out where less than this of it does not follow from others, as R's lm does."""
_EQUAL = 1e-13
"""Measured values that differ by no more than this, relatively, are equal."""


class _New(NamedTuple):
    """What a term adds: which of its columns, their directions, and the remainder then."""

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
        self.steps: list[Step] = []

    @property
    def freedom(self) -> int:
        """Samples over columns."""
        n, width = self._directions.shape
        return n - width

    def score(self, term: Term) -> Score | None:
        """Give R² and adjusted R² of the model with a term more."""
        new = self._new(term)
        if not new.columns or self.freedom - len(new.columns) < 1:
            return None
        r_squared = self._r_squared(new.remainder)
        adjusted = self._adjusted(r_squared, self.freedom - len(new.columns))
        assert adjusted is not None
        return Score(r_squared, adjusted)

    def add(self, term: Term) -> float:
        """Put a term into the model."""
        new = self._new(term)
        self._directions = np.hstack([self._directions, new.directions])
        self._remainder = new.remainder
        r_squared = self._r_squared(new.remainder)
        adjusted = self._adjusted(r_squared, self.freedom)
        self.steps.append(Step(term, new.columns, r_squared, adjusted))
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
    """Give which columns follow neither from the directions nor from columns before them.

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
