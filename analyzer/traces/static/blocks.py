"""What is known of each block before a trace is made: Listing 1 of the hybrid paper (§III-B-2).

The fields that the paper's search fills while it runs live elsewhere: ``branchMissWarpID`` and
``branchMissLoopConfig`` in ``analyzer.traces.outcomes``, ``bounds``, ``unvisitedCount`` and
``isVisited`` in the segments of a loop's run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from warpmill.analyzer.analyses.ranges.bounds import LoopBound, Symbolic, TripCount
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import AtomKind


@dataclass(frozen=True, slots=True)
class BasicBlockInfo:
    """One block, by the names of Listing 1.

    ``bb_name`` is its label, ``loop_depth`` 1 outside all loops, ``loop_bound_expr`` the bound of
    the innermost loop around. ``associated_bbs`` are the headers of the loops on whose iterations
    that bound depends, outermost first; ``preced_bb`` is the closest block before that lies at the
    next upper level of loops, None where there is none.
    """

    bb_name: str
    loop_depth: int
    loop_bound_expr: TripCount | None
    associated_bbs: tuple[int, ...]
    preced_bb: int | None


def basic_block_infos(
    structure: Structure, bounds: Sequence[LoopBound]
) -> tuple[BasicBlockInfo, ...]:
    """Describe every block of a kernel, by id; ``bounds`` are those of its loops, by id."""
    return tuple(_info(structure, bounds, block.id) for block in structure.kernel.blocks)


def _info(structure: Structure, bounds: Sequence[LoopBound], block: int) -> BasicBlockInfo:
    label = structure.kernel.blocks[block].label
    loop = structure.loops.innermost(block)
    if loop is None:
        return BasicBlockInfo(label, 1, None, (), None)
    trips = bounds[loop.id].trips
    return BasicBlockInfo(
        label, loop.depth + 1, trips, _associated(structure, trips), _preceding(structure, block)
    )


def _associated(structure: Structure, trips: TripCount) -> tuple[int, ...]:
    if not isinstance(trips, Symbolic):
        return ()
    loops = {a.key for a in trips.formula.atoms if a.kind is AtomKind.COUNTER}
    return tuple(structure.loops.loops[number].header for number in sorted(loops))


def _preceding(structure: Structure, block: int) -> int | None:
    """Go up the dominators to the first block outside the innermost loop around."""
    loop = structure.loops.innermost(block)
    assert loop is not None
    return structure.dominators.idom[loop.header]
