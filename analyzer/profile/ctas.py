"""Profile of CTAs beside one another: TBPoint's thread block sizes and their spread."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, sqrt
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.analyzer.profile.counts import Numbers, Profile
from warpmill.analyzer.profile.mix import By, Shares, normalised


@dataclass(frozen=True, slots=True)
class FigureSpread:
    """A figure over all CTAs of a launch.

    The standard deviation is that of all of them, not that of a sample: the root of the mean square
    distance from the mean.
    """

    mean: Annotated[float, Metric("Mean")]
    min: Annotated[int | float, Metric("Least")]
    max: Annotated[int | float, Metric("Most")]
    standard_deviation: Annotated[float, Metric("Deviation")]

    @derived("Variation")
    def coefficient_of_variation(self) -> float | None:
        """Standard deviation over mean; null where the mean is 0."""
        return self.standard_deviation / self.mean if self.mean else None


@dataclass(frozen=True, slots=True)
class CtaStatistics:
    """How the CTAs of a launch differ (TBPoint, §III and §IV).

    ``block_vectors`` counts the distinct vectors of block executions that CTAs have.
    ``thread_instructions`` are TBPoint's thread block sizes, whose variation is its fourth feature.
    ``memory_lines``, its memory requests, are null where memory was not counted, those of a warp
    instruction also where a CTA executed nothing.
    """

    block_vectors: Annotated[int, Metric("Vectors of block executions")]
    thread_instructions: Annotated[FigureSpread, Metric("Thread instructions")]
    warp_instructions: Annotated[FigureSpread, Metric("Warp instructions")]
    memory_lines: Annotated[FigureSpread | None, Metric("128 B lines")]
    lines_per_warp_instruction: Annotated[
        FigureSpread | None, Metric("128 B lines a warp instruction")
    ]


@dataclass(frozen=True, eq=False)
class CtaVectors:
    """Basic block vectors of CTAs: each distinct one, a row, and which of them each CTA has."""

    vectors: Shares
    of_cta: Numbers


def cta_statistics(profile: Profile) -> CtaStatistics | None:
    """How the CTAs of a launch differ; None: they were not counted."""
    ctas = profile.by_cta
    if ctas is None:
        return None
    lines, instructions = ctas.memory_lines, ctas.warp_instructions
    rates = lines / instructions if lines is not None and instructions.all() else None
    return CtaStatistics(
        block_vectors=len(ctas.block_warps),
        thread_instructions=spread(ctas.thread_instructions),
        warp_instructions=spread(instructions),
        memory_lines=None if lines is None else spread(lines),
        lines_per_warp_instruction=None if rates is None else spread(rates),
    )


def spread(values: npt.NDArray[Any]) -> FigureSpread:
    """Mean, least, most and deviation of at least one value, the same on every computer."""
    distinct, counts = (part.tolist() for part in np.unique(values, return_counts=True))
    if len(distinct) == 1:
        return FigureSpread(float(distinct[0]), distinct[0], distinct[0], 0.0)
    pairs = list(zip(distinct, counts, strict=True))
    mean = fsum(value * count for value, count in pairs) / values.size
    squares = fsum((value - mean) ** 2 * count for value, count in pairs)
    return FigureSpread(mean, distinct[0], distinct[-1], sqrt(squares / values.size))


def cta_block_vectors(profile: Profile, by: By = "warps") -> CtaVectors | None:
    """The basic block vector of each CTA, as ``block_vector`` a launch's; None: not counted.

    Vectors are distinct by the executions of both warps and threads.
    """
    ctas = profile.by_cta
    if ctas is None:
        return None
    counts = ctas.block_warps if by == "warps" else ctas.block_threads
    return CtaVectors(normalised(profile, counts), ctas.vectors)
