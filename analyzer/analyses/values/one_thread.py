"""Places of a kernel that one thread of a CTA executes, by tests of its ids.

A branch or a guard tells a thread where its test holds for one thread and that thread is there in
each CTA: the first or the last of an axis, or any that the block is known to have. Axes in which
the CTA has several threads have to be told all; without a block they are those of which the kernel
reads ids or sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from warpmill.analyzer.analyses.divergence.classes import AXES
from warpmill.analyzer.analyses.ranges.analysis import block_of
from warpmill.analyzer.analyses.values.ssa import enters_alone
from warpmill.analyzer.analyses.values.symbolic import AtomKind, Expression, number, symbol
from warpmill.analyzer.analyses.values.truths import Facts, outcomes
from warpmill.analyzer.ir.kernel import Kernel, Special
from warpmill.analyzer.ir.types import Place

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.structure import Structure

Block = tuple[int, int, int]
"""The threads of a CTA by axis."""

Ids = Mapping[str, Expression]
"""Ids of a thread by axis, those that are told."""


class Side(NamedTuple):
    """A side of a branch that one thread takes, as far as ``ids`` tell.

    ``first`` is the block that it begins at. Where it takes the side whenever it comes there,
    ``others`` are the blocks from which the other threads come to where all meet again.
    """

    branch: int
    first: int
    ids: Ids
    others: frozenset[int] | None


class OneThread:
    """The places of a kernel that one thread of a CTA executes; ``block`` is the CTA's, if known.

    ``axes`` are those whose ids tell a thread.
    """

    def __init__(self, structure: Structure, block: Block | None) -> None:
        self._structure = structure
        self._block = block or block_of(structure.kernel.bounds)
        self.axes = axes_of(structure.kernel, self._block)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides of branches that tests of thread ids lead to."""
        return tuple(_sides(self._structure, self._block))

    def sides_around(self, block: int) -> list[Side]:
        """The sides that a block stands in."""
        dominates = self._structure.dominators.dominates
        return [side for side in self.sides if dominates(side.first, block)]

    def ids_at(self, place: Place) -> Ids | None:
        """The ids of the one thread that executes an instruction; None: nothing tells one.

        By its guard, where it has one that tells; else by the branches above. Tests that contradict
        each other leave no thread, or one that only a launch tells.
        """
        told = [side.ids for side in self.sides_around(place[0])]
        by_guard = self.by_guard(place)
        ids: dict[str, Expression] = {}
        for axis, value in (item for each in (*told, by_guard or {}) for item in each.items()):
            if ids.setdefault(axis, value) != value:
                return None
        return ids if ids and self.axes <= ids.keys() else None

    def by_guard(self, place: Place) -> Ids | None:
        """The ids of the one thread that a guard lets execute an instruction; None: it does not."""
        instruction = self._structure.kernel.blocks[place[0]].instructions[place[1]]
        guard = instruction.guard
        if guard is None:
            return None
        predicate = self._structure.values.of_operand(*place, guard.register)
        ids, is_sure = _ids(self._block, outcomes(predicate, is_so=not guard.negated))
        return ids if ids and is_sure and self.axes <= ids.keys() else None

    def is_at(self, place: Place) -> bool:
        """Whether one thread executes an instruction, whatever guards it has."""
        guard = self._structure.kernel.blocks[place[0]].instructions[place[1]].guard
        return (guard is None or bool(self.by_guard(place))) and self.ids_at(place) is not None


def axes_of(kernel: Kernel, block: Block | None) -> frozenset[str]:
    """The axes in which a CTA has several threads: without a block, those that its kernel reads."""
    if block is not None:
        return frozenset(a for a, size in zip(AXES, block, strict=True) if size > 1)
    read = {o.name for i in kernel.instructions for o in i.operands if isinstance(o, Special)}
    return frozenset(a for a in AXES if not {a, "n" + a, "tid", "ntid"}.isdisjoint(read))


def _sides(structure: Structure, block_: Block | None) -> Iterator[Side]:
    """Find the sides of branches that tests of thread ids lead to."""
    for block in structure.cfg.reverse_postorder:
        if block >= len(structure.kernel.blocks):
            continue
        made = structure.kernel.blocks[block]
        last = made.terminator
        if last is None or last.guard is None or len(last.targets) != 1:
            continue
        ways = (last.targets[0], made.fallthrough)
        if ways[0] == ways[1]:
            continue
        for way in ways:
            if way is None or not enters_alone(structure, block, way):
                continue
            guard = structure.values.truths.guard(block)
            facts = outcomes(guard, is_so=(way == ways[0]) != last.guard.negated)
            ids, is_sure = _ids(block_, facts)
            if ids:
                others = _ends_of_others(structure, block, way) if is_sure else None
                yield Side(block, way, ids, others)


def _ends_of_others(structure: Structure, branch: int, first: int) -> frozenset[int] | None:
    """The blocks from which the threads that do not take a side come to where all meet again.

    None where a side leads elsewhere too, or something else leads into it.
    """
    meet, dominates = structure.reconvergence[branch], structure.dominators.dominates
    if meet is None or meet >= len(structure.kernel.blocks) or meet == first:
        return None
    ends: set[int] = set()
    for way in structure.cfg.successors[branch]:
        found = {way} - {meet}
        todo = list(found)
        while todo:
            new = set(structure.cfg.successors[todo.pop()]) - found - {meet}
            found |= new
            todo += new
        if not all(dominates(first if way == first else branch, block) for block in found):
            return None
        if way != first:
            ends = found & set(structure.cfg.predecessors[meet]) | (
                {branch} if way == meet else set()
            )
    return frozenset(block for block in ends if not dominates(first, block))


def _ids(block: Block | None, facts: Facts) -> tuple[dict[str, Expression], bool]:
    """Thread ids that facts determine where such a thread is there; whether they say no more.

    Ids of a first or last thread in an axis; others only where the block is known to have them.
    """
    found: dict[str, Expression] = {}
    is_sure = True
    for fact, is_so in facts.items():
        told = _ids_of(block, fact.left - fact.right) if fact.word == "eq" else {}
        if fact.word == "gt" and fact.right.constant == 0 and not is_so:
            told = _firsts(fact.left)
        elif fact.word == "gt" and fact.left.constant == 1 and is_so:
            told = _firsts(fact.right)
        elif not is_so:
            told = {}
        is_sure = is_sure and bool(told)
        found |= told
    return found, is_sure


def _ids_of(block: Block | None, difference: Expression) -> dict[str, Expression]:
    """The ids of a thread for which a difference is zero, where that tells any."""
    for side in (difference, -difference):
        found = _firsts(side)
        if found:
            return found
        for axis in AXES:
            value = symbol(AtomKind.SPECIAL, axis) - side
            if _is_there(block, axis, value):
                return {axis: value}
    return {}


def _firsts(value: Expression) -> dict[str, Expression]:
    """The axes in which a thread is the first where a value is zero: a linear id, or a part."""
    axes = set()
    for monomial, factor in value.terms:
        own = [a.name for a in monomial if a.kind is AtomKind.SPECIAL and a.name in AXES]
        sizes = [a for a in monomial if a.kind is AtomKind.SPECIAL and a.name in _SIZES]
        if factor <= 0 or len(own) != 1 or len(own) + len(sizes) != len(monomial):
            return {}
        axes.add(own[0])
    return {axis: number(0) for axis in sorted(axes)}


def _is_there(block: Block | None, axis: str, value: Expression) -> bool:
    """Whether each CTA has a thread of such an id."""
    size = "n" + axis
    if value == symbol(AtomKind.SPECIAL, size) - number(1):
        return True
    constant = value.constant
    return constant is not None and block is not None and 0 <= constant < block[AXES.index(axis)]


_SIZES = frozenset("n" + axis for axis in AXES)
