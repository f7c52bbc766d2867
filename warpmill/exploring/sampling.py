"""How many points are simulated: a number, a share, or until models are right enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import LimitError, UsageError
from warpmill.exploring.fitting import Fitting, cross_validated
from warpmill.exploring.options import SamplingOptions
from warpmill.exploring.space import ExploredSpace
from warpmill.simulator.regression.draws import share_of, share_of_each
from warpmill.simulator.regression.space import DesignSpace

if TYPE_CHECKING:
    from warpmill.exploring.explored import OfWorkload

SAMPLES = 300
"""Samples without a word: those of the paper."""
FIRST = STEP = 30
"""Samples that are looked at first, and each time more, where an error is aimed at."""


@dataclass(frozen=True)
class Sampling(SamplingOptions):
    """Points of a space that are simulated, and how models of them are made.

    With ``until_error`` points are drawn ``step`` by ``step`` until a model of
    ``fitting.response`` is that near, and no more than that many. With ``retry`` points that failed
    before are simulated again.
    """

    fitting: Fitting = Fitting()  # noqa: RUF009 - frozen
    step: int = STEP
    retry: bool = False

    def check(self, design: DesignSpace) -> None:
        """Refuse more points than ``most_points``. LimitError."""
        found = self.most(design)
        if self.most_points is not None and found > self.most_points:
            words = f"the exploration has {found:,} points for each workload, more than "
            raise LimitError(f"{words}{self.most_points:,}; raise the limit with --max-points")

    def most(self, design: DesignSpace) -> int:
        """How many points are drawn at most: no more than there are."""
        if self.fraction is not None:
            return share_of(design, self.fraction)
        if self.fraction_of_each is not None:
            return share_of_each(design, self.fraction_of_each)
        return min(self.samples or SAMPLES, design.count)

    def first(self, design: DesignSpace) -> int:
        """How many points are drawn first."""
        most = self.most(design)
        return most if self.until_error is None else min(FIRST, most)

    def wants_more(self, space: ExploredSpace, found: OfWorkload) -> bool:
        """Whether more points are to be drawn for a workload."""
        if self.until_error is None or len(found.samples) >= self.most(space.design):
            return False
        return not _is_near(self.until_error, space, found, self.fitting)


def _is_near(until_error: float, space: ExploredSpace, found: OfWorkload, fitting: Fitting) -> bool:
    """Whether models of a workload are as near as that, in percent, in the mean."""
    try:
        mean = cross_validated(space, found, fitting).mean
    except UsageError:  # nothing can be told of so few samples
        return False
    return mean is not None and mean <= until_error
