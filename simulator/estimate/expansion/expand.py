"""What a kernel becomes in machine code, instruction by instruction, without a compiler.

Each operation has its line in ``expansion.toml``, rules fold what a compiler folds into users, and
branches become predicates, jumps and marks. What no line knows is reported, not guessed; loops are
not unrolled. Source: measured with ptxas 11.8, 12.9 and 13.5 on our own kernels of one operation,
for chips from sm_35 to sm_120.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.simulator.estimate.expansion.branches import Branches, branches_of
from warpmill.simulator.estimate.expansion.folds import Folding
from warpmill.simulator.estimate.expansion.table import FREE, Mix, expansion_table, mix_of_key
from warpmill.simulator.estimate.expansion.values import Values


@dataclass(frozen=True)
class BlockExpansion:
    """Machine instructions of a block: by unit, and how many PTX operations are not known."""

    mix: Mix
    unknown: tuple[str, ...]

    @property
    def total(self) -> int:
        """Machine instructions of what is known."""
        return self.mix.total

    def by_pipe(self) -> dict[str, int]:
        """Count by the pipe that instructions share."""
        counts: Counter[str] = Counter()
        for unit, n in self.mix.counts:
            counts[expansion_table().units[unit].pipe] += n
        return dict(counts)


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
    branches: Branches

    def block(self, block: int) -> BlockExpansion:
        """Sum up a block."""
        known = (mix for mix in self.mixes[block] if mix is not None)
        return BlockExpansion(reduce(Mix.__add__, known, FREE), self.unknown[block])


def expand(
    structure: Structure, capability: int, parting: Mapping[int, int | None] | None = None
) -> Expansion:
    """Expand a kernel. ``parting`` branches part lanes, which meet again at another block.

    Without them every conditional branch counts as one (``parting_branches`` finds them).
    """
    values = Values(structure.kernel)
    folding = Folding(values, capability, structure.dominators)
    folding.run()
    raw = {place: folding.mix(place) for place in values.instructions}
    branches = _branches(structure, capability, parting, raw)
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


def _jumps(number: int) -> Mix:
    return Mix((("branch", number),)) if number else FREE


def _branches(
    structure: Structure,
    capability: int,
    parting: Mapping[int, int | None] | None,
    raw: dict[Place, Mix | None],
) -> Branches:
    kernel = structure.kernel

    def size(block: int) -> int:
        instructions = kernel.blocks[block].instructions
        mixes = [raw[block, n] for n, i in enumerate(instructions) if not i.is_branch]
        return sum(1 if mix is None else mix.total for mix in mixes)

    meets = dict(enumerate(structure.reconvergence)) if parting is None else parting
    marks = mix_of_key("reconvergence", capability)
    return branches_of(kernel, size, meets, 8, 0 if marks is None else marks.total)


def _entry(values: Values, capability: int) -> Mix:
    """Give what comes before the first instruction: the stack, and how memory is described."""
    keys = ["entry"]
    if any(
        _is_global(i.operation.op_class, i.operation.space) for i in values.instructions.values()
    ):
        keys.append("entry.global")
    found = (mix_of_key(key, capability) for key in keys)
    return reduce(Mix.__add__, (mix for mix in found if mix is not None), FREE)


def _is_global(op_class: OpClass, space: Space | None) -> bool:
    return op_class.is_memory and space in (Space.GLOBAL, Space.GENERIC)
