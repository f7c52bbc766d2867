"""What a profile says of CTAs beside one another: TBPoint's thread block sizes and their spread."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.profile.counts import CtaProfile, Numbers, Profile
from warpmill.analyzer.profile.mix import By, Shares, normalised


@dataclass(frozen=True, slots=True)
class FigureSpread:
    """A figure over all CTAs of a launch.

    ``deviation`` is the standard deviation of all of them, not that of a sample: the root of the
    mean square distance from the mean.
    """

    mean: float
    least: float
    most: float
    deviation: float

    @property
    def variation(self) -> float | None:
        """The coefficient of variation, deviation over mean; None where the mean is 0."""
        return self.deviation / self.mean if self.mean else None


@dataclass(frozen=True, slots=True)
class CtaStatistics:
    """How the CTAs of a launch differ (TBPoint, §III and §IV).

    ``thread_instructions`` are TBPoint's thread block sizes, whose variation is its fourth feature.
    ``memory_requests`` (128 B lines) are None where memory was not counted, ``request_rate``, the
    requests of a warp instruction, also where a CTA executed nothing.
    """

    ctas: int
    thread_instructions: FigureSpread
    warp_instructions: FigureSpread
    memory_requests: FigureSpread | None
    request_rate: FigureSpread | None


@dataclass(frozen=True, eq=False)
class CtaVectors:
    """Basic block vectors of CTAs: each distinct one, a row, and which of them each CTA has."""

    vectors: Shares
    of_cta: Numbers


def cta_statistics(profile: Profile) -> CtaStatistics | None:
    """Compare the CTAs of a launch; None: they were not counted."""
    ctas = profile.ctas
    if ctas is None:
        return None
    has_memory = profile.accesses is not None
    return CtaStatistics(
        ctas=len(ctas.vectors),
        thread_instructions=spread(ctas.thread_instructions),
        warp_instructions=spread(ctas.warp_instructions),
        memory_requests=spread(ctas.memory_requests) if has_memory else None,
        request_rate=_rate(ctas) if has_memory else None,
    )


def _rate(ctas: CtaProfile) -> FigureSpread | None:
    if not ctas.warp_instructions.all():
        return None
    return spread(ctas.memory_requests / ctas.warp_instructions)


def spread(values: npt.NDArray[Any]) -> FigureSpread:
    """Give mean, least, most and deviation of at least one value, the same on every computer."""
    distinct, counts = (part.tolist() for part in np.unique(values, return_counts=True))
    if len(distinct) == 1:
        return FigureSpread(float(distinct[0]), distinct[0], distinct[0], 0.0)
    pairs = list(zip(distinct, counts, strict=True))
    mean = fsum(value * count for value, count in pairs) / values.size
    squares = fsum((value - mean) ** 2 * count for value, count in pairs)
    return FigureSpread(mean, distinct[0], distinct[-1], sqrt(squares / values.size))


def cta_block_vectors(profile: Profile, by: By = "warps") -> CtaVectors | None:
    """Give the basic block vector of each CTA, as ``block_vector`` a launch's; None: not counted.

    Vectors are distinct by the executions of both warps and threads.
    """
    ctas = profile.ctas
    if ctas is None:
        return None
    counts = ctas.block_warps if by == "warps" else ctas.block_threads
    return CtaVectors(normalised(profile, counts), ctas.vectors)
