"""Parts of ``profile``: instructions by kind and line, blocks, edges, loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from warpmill.analyzer.base.diagnostics import DebugLocation, Span
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.profile.counts import LoopProfile, Profile, WarpIterations
from warpmill.analyzer.profile.mix import Executions, Named, block_vector, line_mix
from warpmill.report.base import Id, Part
from warpmill.report.facts import SourcePlace, block_place, place_of


class KindCounts(Part):
    """Instructions of one opcode, of one class, or with so many elements a thread.

    ``static_instructions`` are in the code, executed or not. ``thread_instructions`` count lanes
    of the active mask, ``predicated_on`` those whose guard held, where there is one.
    ``warp_instruction_fraction`` is their share of all warp instructions, null without any.
    """

    name: str
    static_instructions: int
    warp_instructions: int
    thread_instructions: int
    predicated_on: int
    warp_instruction_fraction: float | None


class LineCounts(Part):
    """Instructions of one line, of the source where the compiler recorded it, else of the input."""

    place: SourcePlace
    static_instructions: int
    warp_instructions: int
    thread_instructions: int
    predicated_on: int
    warp_instruction_fraction: float | None


class BlockCounts(Part):
    """A basic block. ``instructions`` stand in it; ``warps`` and ``threads`` executed it so often.

    ``distinct_threads`` executed it at least once. ``warp_instruction_fraction`` is its share of
    all warp instructions, its entry of the launch's basic block vector. ``lanes`` has executions by
    warps by the lanes on in them, without numbers of lanes that never occurred. Null: not counted.
    """

    id: Id
    label: str
    instructions: int
    warps: int
    threads: int
    distinct_threads: int | None
    warp_instructions: int
    thread_instructions: int
    warp_instruction_fraction: float
    lane_utilization: float | None
    lanes: dict[int, int] | None
    place: SourcePlace | None


class EdgeCounts(Part):
    """A jump between blocks, to the thread's end where ``target`` is null: how often it was taken.

    ``distinct_threads`` took it at least once; null: not counted.
    """

    source: Id
    target: Id | None
    warps: int
    threads: int
    distinct_threads: int | None


class LoopFigures(Part):
    """A natural loop, named by its header. Its iterations are the executions of the header.

    ``threads`` entered it, ``entries`` times in all. Iterations a thread are of all its entries
    together: their mean (null where none entered), least, most, and a histogram over warps.
    """

    header: Id
    label: str
    entries: int
    threads: int
    iterations: int
    iterations_a_thread: float | None
    iterations_min: int
    iterations_max: int
    by_warp: tuple[WarpIterations, ...]


def kind_counts(mix: Sequence[Named], profile: Profile) -> list[KindCounts]:
    """Report a distribution."""
    whole = profile.warp_instructions
    return [KindCounts(name=one.name, **_executions(one.executions, whole)) for one in mix]


def _executions(counts: Executions, whole: int) -> dict[str, Any]:
    return {
        "static_instructions": counts.static,
        "warp_instructions": counts.warps,
        "thread_instructions": counts.threads,
        "predicated_on": counts.predicated_on,
        "warp_instruction_fraction": counts.warps / whole if whole else None,
    }


def line_counts(profile: Profile, loaded: LoadedModule) -> list[LineCounts]:
    """Report the executions of lines."""
    whole = profile.warp_instructions
    found = []
    for line in line_mix(profile):
        debug = None if line.file is None else DebugLocation(line.file, line.line, 0)
        place = place_of(loaded, Span(line.line, 1, 1), debug)
        of_line = replace(place, column=None)
        found.append(LineCounts(place=of_line, **_executions(line.executions, whole)))
    return found


def block_counts(profile: Profile, loaded: LoadedModule) -> list[BlockCounts]:
    """Report the blocks in their order."""
    shares = block_vector(profile).tolist()
    found = []
    for counts, block, share in zip(profile.blocks, profile.kernel.blocks, shares, strict=True):
        length, lanes = len(block.instructions), counts.warps * profile.warp_size
        found.append(
            BlockCounts(
                id=block.id,
                label=block.label,
                instructions=length,
                warps=counts.warps,
                threads=counts.threads,
                distinct_threads=counts.distinct_threads,
                warp_instructions=counts.warps * length,
                thread_instructions=counts.threads * length,
                warp_instruction_fraction=share,
                lane_utilization=counts.threads / lanes if lanes else None,
                lanes=None if profile.lanes is None else occurring(profile.lanes[block.id]),
                place=block_place(loaded, block),
            )
        )
    return found


def occurring(histogram: Sequence[int]) -> dict[int, int]:
    """Give the numbers of lanes that occurred, with how often."""
    return {lanes: count for lanes, count in enumerate(histogram) if count}


def edge_counts(profile: Profile) -> list[EdgeCounts] | None:
    """Report the edges by block."""
    if profile.edges is None:
        return None
    return [
        EdgeCounts(
            source=edge.source,
            target=edge.target,
            warps=edge.warps,
            threads=edge.threads,
            distinct_threads=edge.distinct_threads,
        )
        for edge in profile.edges
    ]


def loop_figures(profile: Profile) -> list[LoopFigures] | None:
    """Report the loops."""
    if profile.loops is None:
        return None
    return [_loop(loop, profile.kernel.blocks[loop.header].label) for loop in profile.loops]


def _loop(loop: LoopProfile, label: str) -> LoopFigures:
    return LoopFigures(
        header=loop.header,
        label=label,
        entries=loop.entries,
        threads=loop.threads,
        iterations=loop.iterations,
        iterations_a_thread=loop.iterations_per_thread,
        iterations_min=loop.iterations_min,
        iterations_max=loop.iterations_max,
        by_warp=loop.by_warp,
    )
