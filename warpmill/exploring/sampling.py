"""How many points are simulated: a number, a share, or until models are right enough."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import LimitError, UsageError
from warpmill.exploring.fitting import Fitting, cross_validated
from warpmill.exploring.space import ExploredSpace
from warpmill.simulator.regression.draws import share_of, share_of_each
from warpmill.simulator.regression.space import DesignSpace

if TYPE_CHECKING:
    from warpmill.exploring.explored import OfWorkload

SAMPLES = 300
"""Samples without a word: those of the paper."""
FIRST = STEP = 30
"""Samples that are looked at first, and each time more, where an error is aimed at."""
MOST_POINTS = 10_000
"""Points of a workload that the command line takes without a word: a minute until all are made."""


@dataclass(frozen=True)
class Sampling:
    """``samples`` points, or a share (``fraction``) of the allowed ones.

    ``fraction_of_each`` is a share of each parameter's values: as many points as these have
    combinations (§5.1, "a fraction of each dimension"). With ``until_error``, a mean relative error
    in percent by cross-validation, points are drawn ``step`` by ``step`` until a model of
    ``fitting.response`` is that near, and no more than that many. ``method`` is how they are drawn
    (random, lhs, sobol); ``seed`` decides which. ``most_points`` of a workload are allowed; None:
    any number.
    """

    samples: int | None = None
    fraction: float | Fraction | None = None
    until_error: float | None = None
    fitting: Fitting = Fitting()  # noqa: RUF009 - frozen
    method: str = "random"
    seed: int = 0
    step: int = STEP
    fraction_of_each: float | Fraction | None = None
    most_points: int | None = None

    def __post_init__(self) -> None:
        given = (self.samples, self.fraction, self.fraction_of_each)
        if sum(one is not None for one in given) > 1:
            raise UsageError("give a number of samples, or one fraction of the space")
        if self.samples is not None and self.samples < 1:
            raise UsageError(f"{self.samples} samples are none")
        if self.until_error is not None and not self.until_error > 0:
            raise UsageError(f"an error of {self.until_error} % cannot be aimed at")

    def check(self, design: DesignSpace) -> None:
        """Refuse more points than ``most_points``. LimitError."""
        found = self.most(design)
        if self.most_points is not None and found > self.most_points:
            words = f"the exploration has {found:,} points for each workload, more than "
            raise LimitError(f"{words}{self.most_points:,}; raise the limit with --max-points")

    def most(self, design: DesignSpace) -> int:
        """Give how many points are drawn at most: no more than there are."""
        if self.fraction is not None:
            return share_of(design, self.fraction)
        if self.fraction_of_each is not None:
            return share_of_each(design, self.fraction_of_each)
        return min(self.samples or SAMPLES, design.count)

    def first(self, design: DesignSpace) -> int:
        """Give how many points are drawn first."""
        most = self.most(design)
        return most if self.until_error is None else min(FIRST, most)

    def wants_more(self, space: ExploredSpace, found: OfWorkload) -> bool:
        """Tell whether more points are to be drawn for a workload."""
        if self.until_error is None or len(found.samples) >= self.most(space.design):
            return False
        return not _is_near(self.until_error, space, found, self.fitting)


def _is_near(until_error: float, space: ExploredSpace, found: OfWorkload, fitting: Fitting) -> bool:
    """Tell whether models of a workload are as near as that, in percent, in the mean."""
    try:
        mean = cross_validated(space, found, fitting).mean
    except UsageError:  # nothing can be told of so few samples
        return False
    return mean is not None and mean <= until_error
