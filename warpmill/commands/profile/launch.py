"""Parts of ``profile``: one launch with all that was counted."""

from __future__ import annotations

import math

from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.profile.counts import Profile
from warpmill.analyzer.profile.ctas import FigureSpread, cta_block_vectors, cta_statistics
from warpmill.analyzer.profile.memory import bytes_read, bytes_written
from warpmill.analyzer.profile.mix import class_mix, lane_histogram, opcode_mix, vector_mix
from warpmill.commands.profile.flow import (
    BlockCounts,
    EdgeCounts,
    KindCounts,
    LineCounts,
    LoopFigures,
    block_counts,
    edge_counts,
    kind_counts,
    line_counts,
    loop_figures,
    occurring,
)
from warpmill.commands.profile.memory import (
    AccessFigures,
    TrafficFigures,
    access_figures,
    counted_marks,
    traffic_figures,
)
from warpmill.report.base import Id, Mark, Marks, Part, marks
from warpmill.session.profiles import LaunchProfile
from warpmill.simulator.machines.model import Machine

# Parts of ``profile``: the CTAs of a launch beside one another, and each of them.


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


class LaunchCountFacts(Part):
    """One launch, the ``index``-th of the target, with all that was counted; null: it was not.

    ``static_`` counts are of the code. Thread instructions count lanes of the active mask,
    ``predicated_on`` those whose guard held. ``block_executions`` and ``barriers`` are by warps,
    ``barrier_threads`` by threads whose guard held. Requests, transactions and bytes transferred
    are those of global and local memory, bytes read and written those that threads asked for in all
    spaces, atomics in both. ``lanes`` are warp instructions by the lanes on in them, without those
    that never occurred; ``vectors`` loads, stores and atomics by their elements a thread.
    """

    index: Id
    name: str
    kernel: str
    demangled: str
    file: str
    grid: list[int]
    block: list[int]
    ctas: int
    threads_per_cta: int
    dynamic_shared_bytes: int
    warp_size: int
    static_instructions: int
    static_blocks: int
    warp_instructions: int
    thread_instructions: int
    predicated_on: int
    lane_utilization: float | None
    block_executions: int
    barriers: int
    barrier_threads: int
    memory_requests: int | None
    transactions: int | None
    bytes_read: int | None
    bytes_written: int | None
    bytes_transferred: int | None
    bank_conflicts: int | None
    classes: list[KindCounts]
    opcodes: list[KindCounts]
    vectors: list[KindCounts]
    lanes: dict[int, int] | None
    lines: list[LineCounts]
    blocks: list[BlockCounts]
    edges: list[EdgeCounts] | None
    loops: list[LoopFigures] | None
    memory: list[TrafficFigures] | None
    accesses: list[AccessFigures] | None
    cta_spread: CtaSpread | None
    per_cta: PerCta | None
    marks: Marks


def launch_counts(
    launch: LaunchProfile, loaded: LoadedModule, marked: dict[str, Mark], *, per_cta: bool
) -> LaunchCountFacts:
    """Report the profile of a launch, with the marks that ``launch_marks`` gives."""
    profile = launch.profile
    kernel, memory = profile.kernel, traffic_figures(profile)
    barriers, barrier_threads = profile.barriers
    accesses = profile.accesses
    lanes = lane_histogram(profile)
    return LaunchCountFacts(
        index=launch.index,
        name=launch.name,
        kernel=kernel.name,
        demangled=demangle(kernel.name),
        file=loaded.path,
        grid=list(profile.grid),
        block=list(profile.block),
        ctas=math.prod(profile.grid),
        threads_per_cta=math.prod(profile.block),
        dynamic_shared_bytes=profile.dynamic_shared_bytes,
        warp_size=profile.warp_size,
        static_instructions=kernel.instruction_count,
        static_blocks=len(kernel.blocks),
        warp_instructions=profile.warp_instructions,
        thread_instructions=profile.thread_instructions,
        predicated_on=profile.predicated_on,
        lane_utilization=profile.lane_utilization,
        block_executions=sum(b.warps for b in profile.blocks),
        barriers=barriers,
        barrier_threads=barrier_threads,
        memory_requests=profile.memory_requests,
        transactions=_total(memory, "transactions"),
        bytes_read=None if accesses is None else bytes_read(accesses),
        bytes_written=None if accesses is None else bytes_written(accesses),
        bytes_transferred=_total(memory, "bytes_transferred"),
        bank_conflicts=_total(memory, "bank_conflicts"),
        classes=kind_counts(class_mix(profile), profile),
        opcodes=kind_counts(opcode_mix(profile), profile),
        vectors=kind_counts(vector_mix(profile), profile),
        lanes=None if lanes is None else occurring(lanes),
        lines=line_counts(profile, loaded),
        blocks=block_counts(profile, loaded),
        edges=edge_counts(profile),
        loops=loop_figures(profile),
        memory=memory,
        accesses=access_figures(profile, loaded),
        cta_spread=cta_spread(profile),
        per_cta=counts_by_cta(profile) if per_cta else None,
        marks=marked,
    )


def _total(memory: list[TrafficFigures] | None, key: str) -> int | None:
    return None if memory is None else sum(getattr(one, key) or 0 for one in memory)


def launch_marks(machine: Machine | None) -> dict[str, Mark]:
    """Mark all exact, but what rests on values that are assumed of the machine that rules are of.

    None: the default rules.
    """
    counted = counted_marks(machine)
    own = {key: mark for key, mark in counted.items() if key != "bank_passes"}
    deeper = {
        f"{part}__{key}": mark for part in ("memory", "accesses") for key, mark in counted.items()
    }
    return marks(LaunchCountFacts, Mark.EXACT, **own, **deeper)
