"""Register pressure: how many 32-bit registers are live at once, as a stand-in for ptxas."""

from __future__ import annotations

from analyzer.cfg.graph import Cfg
from analyzer.ir.kernel import Block, Kernel, registers_in
from analyzer.ir.types import TypeKind

RESERVED = 2
"""Registers that ptxas adds to the live ones on every kernel: a stack pointer and a scratch."""


def register_pressure(kernel: Kernel, cfg: Cfg) -> int:
    """Count the 32-bit registers a thread needs, by liveness. Predicates have their own file.

    An estimate: ptxas reorders, spills and rematerialises, and shares address arithmetic.
    """
    weight = [
        0 if r.type.kind is TypeKind.PREDICATE else max(1, r.type.bits // 32) * r.vector
        for r in kernel.registers
    ]
    live_in = _live_in(kernel, cfg)
    return RESERVED + max(
        (_peak(block, _live_out(kernel, cfg, block.id, live_in), weight)
         for block in kernel.blocks if block.id in cfg.reachable),
        default=0,
    )  # fmt: skip


def _live_in(kernel: Kernel, cfg: Cfg) -> list[frozenset[int]]:
    """Registers live on entry of each block, to a fixed point."""
    live: list[frozenset[int]] = [frozenset() for _ in kernel.blocks]
    changed = True
    while changed:
        changed = False
        for block in reversed(cfg.reverse_postorder):
            now = _before(kernel.blocks[block], _live_out(kernel, cfg, block, live))
            if now != live[block]:
                live[block], changed = now, True
    return live


def _live_out(kernel: Kernel, cfg: Cfg, block: int, live_in: list[frozenset[int]]) -> set[int]:
    live: set[int] = set()
    for after in cfg.successors[block]:
        if after == cfg.exit_id:
            continue
        incoming = set(live_in[after])
        for edge in kernel.blocks[after].incoming:
            if edge.predecessor == block:
                incoming -= {register.index for register, _ in edge.copies}
                incoming |= {i for _, operand in edge.copies for i in registers_in(operand)}
        live |= incoming
    return live


def _before(block: Block, live: set[int]) -> frozenset[int]:
    for instruction in reversed(block.instructions):
        if instruction.guard is None:
            live.difference_update(instruction.writes)
        live.update(instruction.reads)
    return frozenset(live)


def _peak(block: Block, live: set[int], weight: list[int]) -> int:
    """Most registers live at once in a block: before, after or at an instruction."""
    peak = sum(weight[r] for r in live)
    for instruction in reversed(block.instructions):
        peak = max(peak, sum(weight[r] for r in live.union(instruction.writes)))
        if instruction.guard is None:
            live.difference_update(instruction.writes)
        live.update(instruction.reads)
        peak = max(peak, sum(weight[r] for r in live))
    return peak
