"""Where a clone works out what its branches and addresses need: as late as once allows.

Steps 10 and 11 of GPGPU-MiniBench §4.2.4 put all of it at the beginning. Threads that leave early
would execute what only others need, so each value is made where all its readers come by, out of
loops: Click's global code motion (PLDI 1995), late.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from warpmill.analyzer.analyses.cfg.dominators import DomTree, dominator_tree
from warpmill.analyzer.analyses.cfg.graph import build_cfg
from warpmill.analyzer.analyses.cfg.loops import LoopForest, find_loops
from warpmill.analyzer.ir.kernel import Instruction, Kernel

ENTRY = 0


def place(
    kernel: Kernel, values: Sequence[Instruction], *, apart: bool
) -> tuple[Kernel, tuple[int, ...]]:
    """Put instructions, each of which makes one value, into the blocks of a kernel.

    ``values`` are in an order in which they may be executed, and stay in it where they meet; each
    comes before its first reader. With ``apart`` those of a block come before the first reader of
    any, and such that what waits for each other stands apart. Gives the kernel and for each of them
    its block.
    """
    cfg = build_cfg(kernel)
    tree = dominator_tree(cfg)
    loops = find_loops(cfg, tree)
    readers = _readers(kernel, cfg.reachable)
    where: list[int] = [ENTRY] * len(values)
    before: list[int] = [0] * len(values)  # the instruction of the block that it comes before
    for number in range(len(values) - 1, -1, -1):
        (made,) = values[number].writes
        found = readers[made]
        if found and not loops.irreducible:
            where[number] = _outside(tree, loops, {block for block, _ in found})
        block = where[number]
        body = kernel.blocks[block].instructions
        own = [place for at, place in found if at == block]
        last = len(body) - (kernel.blocks[block].terminator is not None)
        before[number] = min(own, default=last)
        for register in values[number].reads:
            readers[register].append((block, before[number]))
    blocks = list(kernel.blocks)
    for block in set(where):
        mine = [k for k in range(len(values)) if where[k] == block]
        if apart:
            first = min(before[k] for k in mine)
            before = [first if where[k] == block else before[k] for k in range(len(values))]
            mine = _apart(values, mine)
        written: list[Instruction] = []
        own_body = blocks[block].instructions
        for at in range(len(own_body) + 1):
            written += [values[k] for k in mine if before[k] == at]
            written += own_body[at : at + 1]
        blocks[block] = replace(blocks[block], instructions=tuple(written))
    return replace(kernel, blocks=tuple(blocks)), tuple(where)


def _apart(values: Sequence[Instruction], chosen: Sequence[int]) -> list[int]:
    """Order values by how many others they are made of, one after another."""
    levels: dict[int, int] = {}
    of: dict[int, int] = {}
    for number in chosen:
        (made,) = values[number].writes
        of[number] = 1 + max((levels.get(r, 0) for r in values[number].reads), default=0)
        levels[made] = of[number]
    return sorted(chosen, key=lambda k: (of[k], k))


def _readers(kernel: Kernel, reachable: Iterable[int]) -> defaultdict[int, list[tuple[int, int]]]:
    found: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for block in sorted(reachable):
        for place, instruction in enumerate(kernel.blocks[block].instructions):
            for register in instruction.reads:
                found[register].append((block, place))
    return found


def _outside(tree: DomTree, loops: LoopForest, blocks: set[int]) -> int:
    """Give the last block that all paths to some blocks come by, and that is in no loop."""
    chains = [_chain(tree, block) for block in blocks]
    common = set(chains[0]).intersection(*chains[1:])
    outside = (b for b in chains[0] if b in common and not loops.containing(b))
    return next(outside, ENTRY)


def _chain(tree: DomTree, block: int) -> list[int]:
    """Give a block with what dominates it, up to the entry."""
    found = [block]
    while (above := tree.idom[found[-1]]) is not None and above != found[-1]:
        found.append(above)
    return found
