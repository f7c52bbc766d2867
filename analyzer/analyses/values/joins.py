"""Where ways meet: which branch decides what a φ takes.

A φ with several inputs is a choice by the branch that its predecessors come from. Choices nest as
``a && b && c`` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from warpmill.analyzer.analyses.cfg.dominators import DomTree
from warpmill.analyzer.analyses.cfg.graph import Cfg
from warpmill.analyzer.analyses.cfg.loops import LoopForest
from warpmill.analyzer.analyses.values.ssa import DefinitionKind, PhiInput, Ssa
from warpmill.analyzer.ir.kernel import Function


class SupportsFlow(Protocol):
    """A kernel's control flow, and where its values come from."""

    @property
    def kernel(self) -> Function:
        """The kernel."""

    @property
    def cfg(self) -> Cfg:
        """Its control-flow graph."""

    @property
    def dominators(self) -> DomTree:
        """Its dominators."""

    @property
    def loops(self) -> LoopForest:
        """Its loops."""

    @property
    def ssa(self) -> Ssa:
        """Which definition each use sees."""


@dataclass(frozen=True, slots=True)
class Split:
    """A branch at the end of ``block``: what is taken where its guard holds, and where not."""

    block: int
    taken: Ways
    fallen: Ways


Ways = Split | PhiInput


def ways_of(structure: SupportsFlow, definition: int) -> Ways | None:
    """Tell how branches choose the input of a φ; None for a loop's and where that is not plain."""
    made = structure.ssa.definitions[definition]
    if made.kind is not DefinitionKind.PHI:
        return None
    innermost = structure.loops.innermost(made.block)
    if innermost is not None and innermost.header == made.block:
        return None
    number = structure.cfg.rpo_number
    inputs = structure.ssa.phi_inputs[definition]
    if any(number.get(i.predecessor, number[made.block]) >= number[made.block] for i in inputs):
        return None
    return _ways(structure, made.block, inputs)


def _ways(structure: SupportsFlow, join: int, inputs: Sequence[PhiInput]) -> Ways | None:
    if len(inputs) == 1:
        return inputs[0]
    split = _common_dominator(structure, [i.predecessor for i in inputs])
    block = structure.kernel.blocks[split]
    last = block.terminator
    taken = None if last is None or len(last.targets) != 1 else last.targets[0]
    if last is None or last.guard is None or taken in (None, block.fallthrough):
        return None
    if any(join not in loop.members for loop in structure.loops.containing(split)):
        return None
    sides = [
        [i for i in inputs if _comes_by(structure, i.predecessor, (split, first), join)]
        for first in (taken, block.fallthrough)
    ]
    if not all(sides) or len(sides[0]) + len(sides[1]) != len(inputs):
        return None
    ways = [_ways(structure, join, side) for side in sides]
    if ways[0] is None or ways[1] is None:
        return None
    return Split(split, ways[0], ways[1])


def _common_dominator(structure: SupportsFlow, blocks: Sequence[int]) -> int:
    found = blocks[0]
    while not all(structure.dominators.dominates(found, b) for b in blocks):
        above = structure.dominators.idom[found]
        assert above is not None
        found = above
    return found


def _comes_by(structure: SupportsFlow, block: int, edge: tuple[int, int | None], join: int) -> bool:
    """Whether the way from ``edge`` on leads through ``block`` to the join, and no other does."""
    source, first = edge
    if block == source:
        return first == join
    if first is None or first == join or not enters_alone(structure, source, first):
        return False
    return structure.dominators.dominates(first, block)


def enters_alone(structure: SupportsFlow, source: int, block: int) -> bool:
    """Whether a block is come to from one block only, ways back from behind it aside."""
    before = structure.cfg.predecessors[block]
    return source in before and all(
        p == source or structure.dominators.dominates(block, p) for p in before
    )
