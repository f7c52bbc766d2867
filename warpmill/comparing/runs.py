"""How often the blocks of loops run, and how much of one build's loop another's does at once."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from warpmill.analyzer.analyses.ranges.bounds import KnownTrips, LoopBound
from warpmill.analyzer.analyses.structure import Structure
from warpmill.comparing.loops import LoopFeatures
from warpmill.session.jobs import Job


def known_runs(job: Job) -> dict[tuple[int, int], int]:
    """Say how often blocks run each time a loop is entered, where that is a number.

    By loop and block; blocks before the test that ends a loop run once more than those behind it.
    """
    return {
        (bound.loop, block): bound.trips.count + more
        for bound in job.analysis.bounds
        if isinstance(bound.trips, KnownTrips)
        for block, more in _runs(job.analysis.structure, bound).items()
    }


def whole_runs(job: Job, loops: Iterable[int]) -> frozenset[tuple[int, int]]:
    """Give, of some loops, the (loop, block) that run as often as the trip count says."""
    return frozenset(
        (loop, block)
        for loop in loops
        for block, more in _runs(job.analysis.structure, job.analysis.bounds[loop]).items()
        if not more
    )


def _runs(structure: Structure, bound: LoopBound) -> dict[int, int]:
    """Say which blocks run in the iteration that leaves a loop, 1, and which do not, 0.

    Nothing is said where data may end the loop, and of blocks that are on some ways to the test
    only.
    """
    loop = structure.loops.loops[bound.loop]
    if bound.at_most:
        return {}
    if bound.bottom_tested:
        return dict.fromkeys(loop.blocks, 0)
    if len(bound.exits) != 1:
        return {}
    test, dominates = bound.exits[0].source, structure.dominators.dominates
    before = {block: 1 for block in loop.blocks if dominates(block, test)}
    behind = {block: 0 for block in loop.blocks if block != test and dominates(test, block)}
    return before | behind


def iterations_ratio(a: LoopFeatures, b: LoopFeatures) -> Fraction | None:
    """Say how many iterations of A one of B does: so many times the bytes, and the way.

    None where inner loops make an iteration's bytes many, where a width is not known, where the
    buffers that both access do not agree, and where trip counts or the steps of addresses say
    otherwise, or say nothing: an iteration that moves more bytes may just do more.
    """
    ratio = _bytes_ratio(a, b)
    if ratio is None or ratio == 1:
        return ratio
    by_counts = _counts_agree(a, b, ratio)
    if by_counts is False:
        return None
    steps = _step_ratios(a, b)
    return ratio if steps == {ratio} or (not steps and by_counts) else None


def _counts_agree(a: LoopFeatures, b: LoopFeatures, ratio: Fraction) -> bool | None:
    """Whether A has so many times the iterations of B, but for a remainder; None: unknown."""
    if a.trips and a.trips == b.trips:
        return False
    if a.count is None or b.count is None:
        return None
    more, less = (a.count, b.count * ratio) if ratio > 1 else (Fraction(b.count), a.count / ratio)
    return abs(more - less) < max(ratio, 1 / ratio)


def _step_ratios(a: LoopFeatures, b: LoopFeatures) -> set[Fraction]:
    """Give by how many times addresses of B move more in an iteration, where both are known."""
    before, after = dict(a.steps), dict(b.steps)
    pairs = [(before[p], after[p]) for p in before if p.buffer and p in after]
    return {Fraction(y, x) for x, y in pairs if x and y}


def _bytes_ratio(a: LoopFeatures, b: LoopFeatures) -> Fraction | None:
    """Say by how many times more bytes an iteration of B moves; None where that is not clear."""
    before, after = dict(a.bytes), dict(b.bytes)
    common = [place for place in before if place.buffer and place in after]
    if not (a.is_innermost and b.is_innermost and common):
        return None
    found = set()
    for place in common:
        x, y = before[place], after[place]
        if not x or not y:
            return None
        found.add(Fraction(y, x))
    return found.pop() if len(found) == 1 else None
