"""Parts of ``profile``: the CTAs of a launch beside one another, and each of them."""

from __future__ import annotations

from warpmill.analyzer.profile.counts import Profile
from warpmill.analyzer.profile.ctas import FigureSpread, cta_block_vectors, cta_statistics
from warpmill.report.base import Id, Part


class SpreadFigures(Part):
    """A figure over all CTAs. The standard deviation is that of all of them, not of a sample.

    ``coefficient_of_variation`` is the deviation over the mean; null where the mean is 0.
    """

    mean: float
    min: int | float
    max: int | float
    standard_deviation: float
    coefficient_of_variation: float | None


class CtaSpread(Part):
    """How the CTAs of a launch differ, as TBPoint looks at them.

    ``block_vectors`` counts the distinct vectors of block executions that CTAs have. Memory
    requests are null where memory was not counted, those of a warp instruction also where a CTA
    executed nothing.
    """

    block_vectors: int
    thread_instructions: SpreadFigures
    warp_instructions: SpreadFigures
    memory_requests: SpreadFigures | None
    requests_per_warp_instruction: SpreadFigures | None


class CtaVector(Part):
    """A vector of block executions that CTAs have: by warps, by threads, in the order of blocks.

    ``warp_instruction_fractions`` is their basic block vector: each block's share of the CTA's
    warp instructions.
    """

    ctas: int
    block_warps: list[int]
    block_threads: list[int]
    warp_instruction_fractions: list[float]


class PerCta(Part):
    """Counts by CTA in dispatch order, x fastest.

    ``vector`` is the place of a CTA's vector among ``vectors``; requests are null where memory was
    not counted.
    """

    warp_instructions: list[int]
    thread_instructions: list[int]
    memory_requests: list[int] | None
    vector: list[Id]
    vectors: list[CtaVector]


def cta_spread(profile: Profile) -> CtaSpread | None:
    """Report how CTAs differ; None: they were not counted."""
    found = cta_statistics(profile)
    if found is None or profile.ctas is None:
        return None
    return CtaSpread(
        block_vectors=len(profile.ctas.block_warps),
        thread_instructions=_spread(found.thread_instructions),
        warp_instructions=_spread(found.warp_instructions),
        memory_requests=_spread_or_none(found.memory_requests),
        requests_per_warp_instruction=_spread_or_none(found.request_rate),
    )


def _spread_or_none(of: FigureSpread | None) -> SpreadFigures | None:
    return None if of is None else _spread(of)


def _spread(of: FigureSpread) -> SpreadFigures:
    return SpreadFigures(
        mean=of.mean,
        min=of.least,
        max=of.most,
        standard_deviation=of.deviation,
        coefficient_of_variation=of.variation,
    )


def counts_by_cta(profile: Profile) -> PerCta | None:
    """Report each CTA; None: they were not counted."""
    ctas, shares = profile.ctas, cta_block_vectors(profile)
    if ctas is None or shares is None:
        return None
    times = [0] * len(shares.vectors)
    for vector in ctas.vectors.tolist():
        times[vector] += 1
    rows = zip(
        times,
        ctas.block_warps.tolist(),
        ctas.block_threads.tolist(),
        shares.vectors.tolist(),
        strict=True,
    )
    return PerCta(
        warp_instructions=ctas.warp_instructions.tolist(),
        thread_instructions=ctas.thread_instructions.tolist(),
        memory_requests=None if profile.accesses is None else ctas.memory_requests.tolist(),
        vector=ctas.vectors.tolist(),
        vectors=[
            CtaVector(
                ctas=count,
                block_warps=warps,
                block_threads=threads,
                warp_instruction_fractions=fractions,
            )
            for count, warps, threads, fractions in rows
        ],
    )
