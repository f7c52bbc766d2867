"""Expansion of a kernel into machine code, instruction by instruction, without a compiler.

Each operation has its line in ``expansion.toml``, rules fold what a compiler folds into users, and
branches become predicates, jumps and marks. What no line knows is reported, not guessed; loops are
not unrolled. Source: measured with ptxas 11.8, 12.9 and 13.5 on our own kernels of one operation,
for chips from sm_35 to sm_120.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import Block, Kernel
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.simulator.assembler.folds import Folding
from warpmill.simulator.assembler.schedule import kept_accesses
from warpmill.simulator.assembler.values import (
    FREE,
    NEWEST_ISA,
    KernelValues,
    Mix,
    PtxIsa,
    machine_mix,
    mix_of_key,
)


@dataclass(frozen=True)
class BlockExpansion:
    """Machine instructions of a block: by unit, and how many PTX operations are not known."""

    mix: Mix
    unknown: tuple[str, ...]

    @property
    def total(self) -> int:
        """Machine instructions of what is known."""
        return self.mix.total


@dataclass(frozen=True)
class Expansion:
    """A kernel in machine code on chips of one compute capability (86 for 8.6).

    ``mixes[block][i]`` is what instruction ``i`` becomes, None where it is not known. ``entry``
    comes on top, once a warp. Blocks that are ``branches.predicated`` lost their branch: their
    instructions execute whenever the block before does, under a predicate.
    """

    capability: int
    mixes: tuple[tuple[Mix | None, ...], ...]
    unknown: tuple[tuple[str, ...], ...]
    entry: Mix
    branches: BranchExpansion

    def block(self, block: int) -> BlockExpansion:
        """Sum up a block."""
        known = (mix for mix in self.mixes[block] if mix is not None)
        return BlockExpansion(reduce(Mix.__add__, known, FREE), self.unknown[block])


def expand(
    structure: Structure,
    capability: int,
    divergent: Mapping[int, int | None] | None = None,
    isa: PtxIsa = NEWEST_ISA,
) -> Expansion:
    """Expand a kernel. ``divergent`` branches part lanes, which meet again at another block.

    Without them every conditional branch counts as one (``divergent_branches`` finds them). Of PTX
    of an older ``isa`` the ptxas of its time is taken.
    """
    values = KernelValues(structure.kernel)
    folding = Folding(values, capability, structure.dominators, isa)
    folding.run()
    raw = {place: folding.mix(place) for place in values.instructions}
    branches = _branches(structure, capability, divergent, raw)
    for block, jumps in branches.jumps.items():
        raw[block, len(structure.kernel.blocks[block].instructions) - 1] = _jumps(jumps)
    for block in branches.converted:
        raw[block, len(structure.kernel.blocks[block].instructions) - 1] = FREE
    blocks = structure.kernel.blocks
    return Expansion(
        capability,
        tuple(tuple(raw[b.id, i] for i in range(len(b.instructions))) for b in blocks),
        tuple(
            tuple(i.operation.opcode for n, i in enumerate(b.instructions) if raw[b.id, n] is None)
            for b in blocks
        ),
        _entry(values, capability),
        branches,
    )


def machine_expansion(kernel: Kernel) -> Expansion:
    """Expansion of a kernel that is machine code already: an instruction each, by its unit."""
    mixes = tuple(
        tuple(machine_mix(i.operation) for i in block.instructions) for block in kernel.blocks
    )
    nothing = tuple(() for _ in kernel.blocks)
    return Expansion(0, mixes, nothing, FREE, BranchExpansion(frozenset(), frozenset(), {}))


def _jumps(number: int) -> Mix:
    return Mix((("branch", number),)) if number else FREE


def _branches(
    structure: Structure,
    capability: int,
    divergent: Mapping[int, int | None] | None,
    raw: dict[Place, Mix | None],
) -> BranchExpansion:
    kernel = structure.kernel

    def size(block: int) -> int:
        instructions = kernel.blocks[block].instructions
        mixes = [raw[block, n] for n, i in enumerate(instructions) if not i.is_branch]
        return sum(1 if mix is None else mix.total for mix in mixes)

    meets = dict(enumerate(structure.reconvergence)) if divergent is None else divergent
    marks = mix_of_key("reconvergence", capability)
    return branches_of(kernel, size, meets, 8, 0 if marks is None else marks.total)


def _entry(values: KernelValues, capability: int) -> Mix:
    """Instructions before the first one: the stack, and how memory is described."""
    keys = ["entry"]
    if any(
        _is_global(i.operation.op_class, i.operation.space) for i in values.instructions.values()
    ):
        keys.append("entry.global")
    found = (mix_of_key(key, capability) for key in keys)
    return reduce(Mix.__add__, (mix for mix in found if mix is not None), FREE)


def _is_global(op_class: OpClass, space: Space | None) -> bool:
    return op_class.is_memory and space in (Space.GLOBAL, Space.GENERIC)


# What branches become: instructions under a predicate, jumps, and the marks where lanes meet.
#
# Small sides of a branch lose it: their instructions execute under its predicate, whichever way
# lanes go. From Volta on, lanes that other branches part are told where to wait for each other
# (BSSY) and wait there (BSYNC). Blocks that a jump alone leads to are laid out behind it, without
# the jump.

_STAYS = frozenset(
    {
        OpClass.BARRIER, OpClass.SHUFFLE, OpClass.VOTE, OpClass.ATOMIC, OpClass.CALL, OpClass.MMA,
        OpClass.TEXTURE, OpClass.SURFACE, OpClass.MATRIX_MOVE, OpClass.ASYNC_COPY, OpClass.UNKNOWN,
        OpClass.FENCE, OpClass.RETURN,
    }
)  # fmt: skip
"""Operations that a compiler does not put under a predicate to save a branch."""


@dataclass
class _Region:
    """Blocks that were made one, in order: their size, where they lead, the last one of them."""

    size: int
    stays: bool
    following: list[int]
    last: int
    blocks: list[int]


@dataclass(frozen=True)
class BranchExpansion:
    """Expansion of a kernel's branches.

    ``predicated`` are the blocks that execute under a predicate whenever the block before the
    branch does; ``converted`` those whose branch went for it. ``jumps`` tells for each other block
    that ends in a branch how many instructions that is. ``regions`` are blocks that are one in
    machine code, each behind those that lead to it.
    """

    predicated: frozenset[int]
    converted: frozenset[int]
    jumps: dict[int, int]
    regions: tuple[tuple[int, ...], ...] = ()


def branches_of(
    kernel: Kernel,
    size: Callable[[int], int],
    divergent: Mapping[int, int | None],
    most: int,
    marks: int,
) -> BranchExpansion:
    """Branches that a kernel's machine code has, and what is predicated in their place.

    ``size`` gives the machine instructions of a block without its branch.

    ``divergent`` maps blocks whose branch parts lanes to where they meet (None: nowhere), ``most``
    is the largest side that goes under a predicate, ``marks`` how many instructions it takes to
    let lanes meet.
    """
    predicated, converted, regions = _Conversion(kernel, size, most).run()
    jumps: dict[int, int] = {}
    marked: set[int] = set()
    entries = _entries(kernel)
    for block in kernel.blocks:
        last = block.terminator
        if last is None or not last.is_branch or block.id in converted:
            continue
        if last.guard is None and last.operation.name == "bra":
            target = last.targets[0]
            follows = target == block.id + 1 or len(entries[target]) == 1
            jumps[block.id] = 0 if follows or block.id in predicated else 1
            continue
        meet = divergent.get(block.id)
        needs_mark = meet is not None and meet not in marked and not _only_ends(kernel, meet)
        if needs_mark and meet is not None:
            marked.add(meet)
        jumps[block.id] = 1 + (marks if needs_mark else 0)
    return BranchExpansion(frozenset(predicated), frozenset(converted), jumps, regions)


def _entries(kernel: Kernel) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in kernel.blocks]
    for block in kernel.blocks:
        for following in block.successors:
            found[following].add(block.id)
    return found


def _only_ends(kernel: Kernel, block: int) -> bool:
    """Whether a block does nothing but end, so that lanes end instead of going there."""
    if block >= len(kernel.blocks):
        return True
    instructions = kernel.blocks[block].instructions
    return len(instructions) == 1 and "ends" in instructions[0].operation.effects


class _Conversion:
    """If-conversion, from the innermost branches out, until nothing changes."""

    def __init__(self, kernel: Kernel, size: Callable[[int], int], most: int) -> None:
        self._kernel, self._most = kernel, most
        self._regions = {
            block.id: _Region(
                size(block.id),
                any(i.operation.op_class in _STAYS for i in block.instructions),
                list(block.successors),
                block.id,
                [block.id],
            )
            for block in kernel.blocks
        }
        self._entries: dict[int, set[int]] = {b: set(e) for b, e in enumerate(_entries(kernel))}
        self.predicated: set[int] = set()
        self.converted: set[int] = set()

    def run(self) -> tuple[set[int], set[int], tuple[tuple[int, ...], ...]]:
        """Convert; the blocks under predicates, those whose branch is gone, and what became one."""
        todo = sorted(self._regions, reverse=True)
        while todo:
            first = todo.pop()
            if first in self._regions and (self._convert(first) or self._append(first)):
                todo += [first, *sorted(self._entries[first] & set(self._regions))]
        each = (tuple(self._regions[first].blocks) for first in sorted(self._regions))
        return self.predicated, self.converted, tuple(r for r in each if len(r) > 1)

    def _convert(self, first: int) -> bool:
        region = self._regions[first]
        block = self._kernel.blocks[region.last]
        if len(region.following) != 2 or not _is_conditional(block):
            return False
        left, right = region.following
        for side, meet in ((left, right), (right, left)):
            if self._is_side(first, side, meet) and not _only_ends(self._kernel, meet):
                self._absorb(first, (side,), meet)
                return True
        meets = self._regions[left].following
        if len(meets) == 1 and all(self._is_side(first, s, meets[0]) for s in (left, right)):
            self._absorb(first, (left, right), meets[0])
            return True
        return False

    def _is_side(self, first: int, side: int, meet: int) -> bool:
        """Whether a region is a small one between a branch and where its ways meet."""
        region = self._regions[side]
        if side in (first, meet, 0) or meet == first or region.stays:
            return False
        alone = self._entries[side] == {first} and region.following == [meet]
        return alone and region.size <= self._most

    def _absorb(self, first: int, sides: Collection[int], meet: int) -> None:
        region = self._regions[first]
        self.converted.add(region.last)
        self._entries[meet].add(first)
        for side in sides:
            gone = self._regions.pop(side)
            self.predicated.update(gone.blocks)
            region.blocks += gone.blocks
            region.size += gone.size
            self._entries[meet].discard(side)
        region.following = [meet]

    def _append(self, first: int) -> bool:
        """Make a region one with the only one that follows, where no other leads to that."""
        region = self._regions[first]
        if len(region.following) != 1:
            return False
        (then,) = region.following
        if then in (first, 0) or self._entries[then] != {first}:
            return False
        gone = self._regions.pop(then)
        region.size, region.last = region.size + gone.size, gone.last
        region.stays, region.following = region.stays or gone.stays, gone.following
        region.blocks += gone.blocks
        for following in gone.following:
            self._entries[following].discard(then)
            self._entries[following].add(first)
        return True


def _is_conditional(block: Block) -> bool:
    last = block.terminator
    return last is not None and last.operation.name == "bra" and last.guard is not None


# What becomes of accesses to local arrays that an assembler keeps in registers.


def kept_mixes(structure: Structure, accesses: Sequence[MemoryAccess]) -> Mapping[Place, Mix]:
    """The comparisons and moves that such accesses become, by place."""
    found = kept_accesses(structure, accesses)
    return {
        place: Mix(tuple((u, n) for u, n in (("compare", k.compares), ("move", k.moves)) if n))
        for place, k in found.items()
    }
