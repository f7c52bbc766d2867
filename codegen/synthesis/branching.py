"""How the branches of a clone are written: steps 5 and 8 of GPGPU-MiniBench §4.2.4."""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Instruction, Operand, Reg
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES
from warpmill.codegen.model import (
    ByThread,
    ByWarp,
    CloneBlock,
    CloneLoop,
    Constant,
    LoopExit,
    Random,
    Slot,
)
from warpmill.codegen.synthesis.prologue import WEYL, WHOLE, KernelWriter
from warpmill.codegen.synthesis.writing import imm, write

_MIXES = (5, 11, 13, 19, 21, 27, 29)
"""Multipliers of lanes for orders that are independent of each other: odd, so that each lane
has a place of its own."""
_LEAST_SPLIT = 0.03
"""The part of a side's executions that has to part lanes for that to be reproduced."""
_ALWAYS = 0.9
"""Lanes that part so often part always."""
_FULL = 0.93
"""Lanes of a warp that are on where those that part are the first ones."""


class BranchWriter:
    """Writer of the conditions of jumps.

    ``counters`` and ``lengths`` have the registers that count a loop's iterations and that have the
    length of its run where that is drawn anew, by header.
    """

    def __init__(self, writer: KernelWriter) -> None:
        self.writer = writer
        self.counters: dict[int, Reg] = {}
        self.lengths: dict[int, Reg] = {}
        self._loops = {loop.header: loop for loop in writer.model.loops}

    def decide(self, block: CloneBlock, slot: Slot | None, body: list[Instruction]) -> Reg:
        """Make the predicate of a block's jump, in the place of the original's where it has one."""
        decision = block.decision
        if isinstance(decision, Constant):
            return self._constant(slot, body)
        if isinstance(decision, ByThread):
            return self._joined(slot, body, self.writer.prologue.rule(decision.rule))
        if isinstance(decision, ByWarp):
            return self._joined(slot, body, self.writer.prologue.warps_of(decision.warps))
        if isinstance(decision, LoopExit):
            return self._leave(block, slot, body, decision)
        assert isinstance(decision, Random)
        if decision.split > _ALWAYS:
            return self._joined(slot, body, self._parting(block, decision))
        if decision.once:
            rates = self._rates(block, decision)
            return self._joined(slot, body, self.writer.prologue.decided(decision, *rates))
        return self._chance(block, slot, body, decision)

    def _constant(self, slot: Slot | None, body: list[Instruction]) -> Reg:
        """Compare a value with itself, which is never less."""
        read = _compared(slot)
        if slot is None or read is None:
            return self.writer.prologue.never()
        result = slot.operands[0]
        assert isinstance(result, Reg)
        type_ = _type(slot)
        word = "ne" if type_.startswith("b") else "lt"
        body.append(write(f"setp.{word}.{type_}", result, read, read))
        return result

    def _joined(self, slot: Slot | None, body: list[Instruction], decided: Reg) -> Reg:
        """Wait for what the original compares, and give what is decided.

        A value is always equal to itself, or no number.
        """
        read = _compared(slot)
        if slot is None or read is None:
            return decided
        result = slot.operands[0]
        assert isinstance(result, Reg)
        type_ = _type(slot)
        word = "equ" if TYPES[type_].is_float else "eq"
        body.append(write(f"setp.{word}.and.{type_}", result, read, read, decided))
        return result

    def _compare(
        self,
        block: CloneBlock,
        slot: Slot | None,
        body: list[Instruction],
        word: str,
        left: Reg,
        right: Operand,
    ) -> Reg:
        """Compare in the place of the original's comparison; where that waits, wait too."""
        result = slot.operands[0] if slot is not None and not slot.waits else None
        if not isinstance(result, Reg):
            result = self.writer.registers.new("pred")
        made = write(f"setp.{word}.u32", result, left, right)
        if slot is not None and not slot.waits:
            body.append(made)
            return result
        self.writer.extra(block, body, made)
        return self._joined(slot, body, result)

    def _leave(
        self, block: CloneBlock, slot: Slot | None, body: list[Instruction], decision: LoopExit
    ) -> Reg:
        loop = self._loops[decision.loop]
        word = "ge" if decision.leaves_taken else "lt"
        counter = self._counter(decision.loop)
        count = write("add.u32", counter, counter, imm(1))
        if decision.counts_first:
            self.writer.extra(block, body, count)
        decided = self._compare(block, slot, body, word, counter, self._limit(loop))
        if not decision.counts_first:
            self.writer.extra(block, body, count)
        return decided

    def _limit(self, loop: CloneLoop) -> Operand:
        whole: Operand = imm(loop.iterations)
        if loop.spread and loop.anew:
            return self._drawn(loop)
        if loop.spread:
            whole = self.writer.prologue.length(loop)
        lanes = self.staying(loop)
        return whole if lanes is None else self.writer.prologue.chosen(lanes, whole, imm(0))

    def staying(self, loop: CloneLoop) -> Reg | None:
        """The predicate of the lanes that go on behind a test at the top, if not all do."""
        if loop.lanes >= 1.0 or loop.bottom:
            return None
        count = max(1, round(loop.lanes * self.writer.model.warp_size))
        header = self.writer.model.blocks[loop.header]
        return self.writer.prologue.first_lanes(count, mixed=self.mixed(header))

    def _drawn(self, loop: CloneLoop) -> Reg:
        """The register that has the length of the run, drawn where the loop is entered."""
        if loop.header not in self.lengths:
            self.lengths[loop.header] = self.writer.registers.new("u32")
            self.writer.prologue.state(("length", loop.header), by_cta=loop.by_cta)
        return self.lengths[loop.header]

    def _counter(self, header: int) -> Reg:
        if header not in self.counters:
            self.counters[header] = self.writer.registers.new("u32")
        return self.counters[header]

    def counts_first(self, loop: CloneLoop) -> bool:
        """Whether a loop's count is moved on before it is compared."""
        assert loop.exit_block is not None
        decision = self.writer.model.blocks[loop.exit_block].decision
        return isinstance(decision, LoopExit) and decision.counts_first

    def _chance(
        self, block: CloneBlock, slot: Slot | None, body: list[Instruction], decision: Random
    ) -> Reg:
        """Advance the generator, and compare it with the rate.

        Each state is the last one plus an odd number, which takes a machine no longer than an add.
        """
        state = self.writer.prologue.state(("branch", block.id), by_cta=decision.by_cta)
        self.writer.extra(block, body, write("add.u32", state, state, imm(WEYL)))
        return self._compare(
            block, slot, body, "lt", state, self.writer.prologue.rate(*self._rates(block, decision))
        )

    def _rates(self, block: CloneBlock, decision: Random) -> tuple[int, int, Reg | None]:
        """The rates, of 2**32, of the lanes that a predicate holds for and of the others."""
        least = round(decision.all_taken * WHOLE)
        sides = (decision.all_taken + decision.split, 1.0 - decision.all_taken)
        if decision.split < _LEAST_SPLIT * min(sides):  # of neither side a part worth telling
            mean = decision.all_taken + decision.split * decision.split_share
            return min(WHOLE, round(mean * WHOLE)), 0, None
        most = min(WHOLE, round((decision.all_taken + decision.split) * WHOLE))
        return most, least, self._parting(block, decision)

    def _parting(self, block: CloneBlock, decision: Random) -> Reg:
        """The predicate of the lanes that take a branch where lanes part."""
        size = self.writer.model.warp_size
        if decision.lanes is not None and size == 32:
            return self.writer.prologue.lanes_of(decision.lanes)
        count = min(size - 1, max(1, round(decision.split_share * size)))
        return self.writer.prologue.first_lanes(count, mixed=self.mixed(block))

    def mixed(self, block: CloneBlock) -> int | None:
        """Multiplier of lanes in a block that not all enter: the first ones need not be there."""
        if block.lanes >= _FULL * self.writer.model.warp_size:
            return None
        return _MIXES[block.id % len(_MIXES)]


def _compared(slot: Slot | None) -> Reg | None:
    """A register that the original's comparison reads; None where it has none."""
    if slot is None or not isinstance(slot.operands[0], Reg):
        return None
    return next((o for o in slot.operands[1:3] if isinstance(o, Reg)), None)


def _type(slot: Slot) -> str:
    type_ = decode(slot.opcode).type
    assert type_ is not None
    return type_.name
