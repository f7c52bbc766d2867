"""How often the blocks of loops run, and how much of one build's loop another's does at once."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from analyzer.analyses.bounds import Known, LoopBound
from analyzer.analyses.structure import Structure
from warpmill.api import Job
from warpmill.comparison_loops import LoopFeatures


def known_runs(job: Job) -> dict[tuple[int, int], int]:
    """Say how often blocks run each time a loop is entered, where that is a number.

    By loop and block; blocks before the test that ends a loop run once more than those behind it.
    """
    return {
        (bound.loop, block): bound.trips.count + more
        for bound in job.analysis.bounds
        if isinstance(bound.trips, Known)
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


def bytes_ratio(a: LoopFeatures, b: LoopFeatures) -> Fraction | None:
    """Say how many iterations of A one of B does, by the bytes that they move.

    None where inner loops make an iteration's bytes many, where a width is not known, and where
    the buffers that both access do not agree.
    """
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
