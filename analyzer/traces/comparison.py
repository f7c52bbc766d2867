"""Traces without data beside executed ones: whether they are equal, and by how much they overshoot.

Where no data decide, both have the same events, but for texels: only executing a launch tells where
these lie, so accesses to textures and surfaces are left out. Elsewhere the static trace is
conservative: it has what may happen, and so overshoots; where it had to assume trip counts it may
fall short as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Annotated

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.traces.event_batch import is_texel_access
from warpmill.analyzer.traces.model import TraceEvent, WarpTrace, events, weighted_visits


@dataclass(frozen=True, slots=True)
class BlockComparison:
    """Executions of a block in both, by warps and by threads.

    ``short_warps`` are the warps in which the static trace has fewer of them, by warps or threads.
    """

    block: Annotated[int, INTERNAL]
    static_warps: Annotated[int, Metric("Static warps")]
    executed_warps: Annotated[int, Metric("Executed")]
    static_threads: Annotated[int, Metric("Static threads")]
    executed_threads: Annotated[int, Metric("Executed")]
    short_warps: Annotated[int, Metric("Missing, warps")]


@dataclass(frozen=True)
class TraceComparison:
    """Static traces of some warps beside executed ones.

    ``equal_warps`` have the same events, addresses included; ``equal_paths`` the same blocks with
    the same lanes, in the same order. Blocks are those that either executes.
    """

    warps: Annotated[int, Metric("Warps", "warp")]
    equal_warps: Annotated[int, Metric("Warps with equal events", "warp")]
    equal_paths: Annotated[int, Metric("Warps with equal paths", "warp")]
    blocks: Annotated[tuple[BlockComparison, ...], INTERNAL]
    static_warp_instructions: int
    executed_warp_instructions: int
    static_thread_instructions: int
    executed_thread_instructions: int

    @property
    def is_equal(self) -> bool:
        """Whether all events are."""
        return self.equal_warps == self.warps

    @derived("Static trace at least")
    def covers(self) -> bool:
        """Whether no warp executes a block more often, or with more threads, than it might."""
        return not any(b.short_warps for b in self.blocks)

    @derived("Overshoot of warp instructions", "%")
    def warp_overshoot(self) -> float | None:
        """Warp instructions beyond those executed, as a share of these; None without any."""
        return _beyond(self.static_warp_instructions, self.executed_warp_instructions)

    @derived("Overshoot of thread instructions", "%")
    def thread_overshoot(self) -> float | None:
        """Thread instructions beyond those executed, as a share of these; None without any."""
        return _beyond(self.static_thread_instructions, self.executed_thread_instructions)


def _beyond(static: int, executed: int) -> float | None:
    return static / executed - 1 if executed else None


def compare_traces(
    kernel: Kernel, pairs: Iterable[tuple[tuple[WarpTrace, ...], tuple[WarpTrace, ...]]]
) -> TraceComparison:
    """Compare the static and the executed traces of some CTAs, given as pairs of them."""
    lengths = [len(b.instructions) for b in kernel.blocks]
    totals, short = (Counter[tuple[int, str]](), Counter[int]())
    warps = equal = paths = 0
    for static, executed in pairs:
        for one, other in zip(static, executed, strict=True):
            warps += 1
            same, same_path = _alike(kernel, one, other)
            equal, paths = equal + same, paths + same_path
            counts = _counts(one), _counts(other)
            for block in counts[0] | counts[1]:
                a, b = counts[0].get(block, (0, 0)), counts[1].get(block, (0, 0))
                short[block] += a[0] < b[0] or a[1] < b[1]
                totals.update({(block, "sw"): a[0], (block, "st"): a[1]})
                totals.update({(block, "ew"): b[0], (block, "et"): b[1]})
    blocks = tuple(
        BlockComparison(
            block,
            totals[block, "sw"],
            totals[block, "ew"],
            totals[block, "st"],
            totals[block, "et"],
            short[block],
        )
        for block in sorted({block for block, _ in totals})
    )
    return TraceComparison(
        warps,
        equal,
        paths,
        blocks,
        sum(b.static_warps * lengths[b.block] for b in blocks),
        sum(b.executed_warps * lengths[b.block] for b in blocks),
        sum(b.static_threads * lengths[b.block] for b in blocks),
        sum(b.executed_threads * lengths[b.block] for b in blocks),
    )


def _counts(warp: WarpTrace) -> dict[int, tuple[int, int]]:
    """Count executions by block: by the warp, and by its threads."""
    found: dict[int, tuple[int, int]] = {}
    for visit, times in weighted_visits(warp.nodes):
        warps, threads = found.get(visit.block, (0, 0))
        found[visit.block] = (warps + times, threads + times * visit.mask.bit_count())
    return found


def _alike(kernel: Kernel, one: WarpTrace, other: WarpTrace) -> tuple[bool, bool]:
    """Whether two traces have equal events, and whether these take the same path."""
    equal = True
    for a, b in zip_longest(events(one), events(other)):
        if a is None or b is None or _path(a) != _path(b):
            return False, False
        equal = equal and a == _without_texels(kernel, b)
    return equal, True


def _without_texels(kernel: Kernel, event: TraceEvent) -> TraceEvent:
    """Leave accesses to textures and surfaces out of an event."""
    instructions = kernel.blocks[event.block].instructions
    kept = tuple(a for a in event.addresses if not is_texel_access(instructions[a[0]].operation))
    return replace(event, addresses=kept)


def _path(event: TraceEvent) -> tuple[int, int]:
    return event.block, event.mask
