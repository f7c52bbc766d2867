"""Register pressure: how many 32-bit registers are live at once, as a stand-in for ptxas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from analyzer.cfg.graph import Cfg
from analyzer.ir.kernel import Block, Imm, Instruction, Kernel, Reg, registers_in
from analyzer.ir.types import TypeKind

RESERVED = 2
"""Registers that ptxas adds to the live ones on every kernel: a stack pointer and a scratch."""


def register_pressure(kernel: Kernel, cfg: Cfg) -> int:
    """Count the 32-bit registers a thread needs, by liveness. Predicates have their own file.

    An address that is another register plus a constant is folded into the access, as machine code
    does. An estimate: ptxas also reorders, spills and rematerialises.
    """
    weight = [
        0 if r.type.kind is TypeKind.PREDICATE else max(1, r.type.bits // 32) * r.vector
        for r in kernel.registers
    ]
    flow = _Flow(kernel, cfg, _folded(kernel))
    live_in = flow.live_in()
    peaks = (
        flow.peak(kernel.blocks[block], flow.live_out(block, live_in), weight)
        for block in sorted(cfg.reachable)
    )
    return RESERVED + max(peaks, default=0)


def _folded(kernel: Kernel) -> dict[int, int]:
    """Give the register behind each one that only renames it or adds a constant to an address."""
    written = Counter(r for i in kernel.instructions for r in i.writes)
    written.update(r.index for b in kernel.blocks for e in b.incoming for r, _ in e.copies)
    behind: dict[int, int] = {}
    for instruction in kernel.instructions:
        match instruction.operands:
            case (Reg(result), Reg(base)) if instruction.operation.name in ("mov", "cvta"):
                pass
            case (Reg(result), Reg(base), Imm(), Imm(), Imm()):
                pass
            case _:
                continue
        if instruction.guard is None and written[result] == 1 and written[base] <= 1:
            behind[result] = behind.get(base, base)
    return behind


@dataclass(frozen=True)
class _Flow:
    """Liveness of a kernel's registers, with folded ones standing for those behind them."""

    kernel: Kernel
    cfg: Cfg
    folded: dict[int, int]

    def live_in(self) -> list[frozenset[int]]:
        """Registers live on entry of each block, to a fixed point."""
        live: list[frozenset[int]] = [frozenset() for _ in self.kernel.blocks]
        changed = True
        while changed:
            changed = False
            for block in reversed(self.cfg.reverse_postorder):
                now = self._before(self.kernel.blocks[block], self.live_out(block, live))
                if now != live[block]:
                    live[block], changed = now, True
        return live

    def live_out(self, block: int, live_in: list[frozenset[int]]) -> set[int]:
        """Registers live at the end of a block, what edge copies read among them."""
        live: set[int] = set()
        for after in self.cfg.successors[block]:
            if after == self.cfg.exit_id:
                continue
            incoming = set(live_in[after])
            for edge in self.kernel.blocks[after].incoming:
                if edge.predecessor == block:
                    incoming -= {register.index for register, _ in edge.copies}
                    read = (i for _, operand in edge.copies for i in registers_in(operand))
                    incoming.update(self._behind(read))
            live |= incoming
        return live

    def peak(self, block: Block, live: set[int], weight: list[int]) -> int:
        """Most registers live at once in a block: before, after or at an instruction."""
        most = sum(weight[r] for r in live)
        for instruction in reversed(block.instructions):
            written = set(instruction.writes) - self.folded.keys()
            most = max(most, sum(weight[r] for r in live | written))
            self._step_back(instruction, live)
            most = max(most, sum(weight[r] for r in live))
        return most

    def _before(self, block: Block, live: set[int]) -> frozenset[int]:
        for instruction in reversed(block.instructions):
            self._step_back(instruction, live)
        return frozenset(live)

    def _step_back(self, instruction: Instruction, live: set[int]) -> None:
        if self.folded.keys() & set(instruction.writes):
            return
        if instruction.guard is None:
            live.difference_update(instruction.writes)
        live.update(self._behind(instruction.reads))

    def _behind(self, registers: Iterable[int]) -> Iterable[int]:
        return (self.folded.get(r, r) for r in registers)
