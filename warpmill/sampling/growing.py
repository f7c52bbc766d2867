"""Larger and larger selections, for those methods that meet a target error by measuring more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.sampling.options import SampleOptions
from warpmill.simulator.sampling.model import CountedLaunch, Projection

FEWEST, LEAST_SHARE = 10, 0.01
"""Units that random and systematic sampling begin with: so many, or this share if that is more."""


@dataclass(frozen=True)
class SamplingPass:
    """A selection that was simulated: its units, the share simulated, half of its 95 % interval.

    ``half_width`` is relative to the projected cycles; None: nothing tells it.
    """

    units: Annotated[int, Metric("Units")]
    sample_share: Annotated[float, Metric("Share simulated", "%")]
    half_width: Annotated[float | None, Metric("95% confidence interval, ±", "%", Mark.SAMPLED)]


def more(options: SampleOptions, launches: Sequence[CountedLaunch]) -> Iterator[SampleOptions]:
    """Options of selections that double, up to one of everything.

    Of random and systematic sampling the share doubles, of stratified sampling the launches that
    are measured of each stratum.
    """
    if options.chooser == "stratified":
        count = options.per_stratum
        while count < 2 * len(launches):  # the last one measures the largest stratum whole
            yield replace(options, per_stratum=count)
            count *= 2
        yield replace(options, per_stratum=count)
        return
    share = max(LEAST_SHARE, FEWEST / len(launches))
    while share < 1.0:
        yield replace(options, share=share, target_error=None)
        share *= 2
    yield replace(options, share=1.0, target_error=None)


def half_width(projection: Projection) -> float | None:
    """Half of the 95 % interval, relative to the projected cycles; None: there is none."""
    if projection.interval is None:
        return None
    low, high = projection.interval
    return (high - low) / 2 / projection.cycles
