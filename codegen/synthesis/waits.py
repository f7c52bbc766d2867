"""As many waits for results as in the original: instructions that were left out took some along.

Latency hiding depends on how far instructions stand behind those whose results they read (§4.1.1 of
GPGPU-MiniBench keeps chains for that). Here a warp alone issues a block in order, one instruction a
slot, each when what it reads is there; what it waits, relative to its instructions, is to be what
it waits in the original. Where it is less, arithmetic reads what stands before it; where it is
more, what is there for long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analyzer.ir.kernel import Block, Instruction, Kernel, Operand, Reg, Register
from analyzer.ir.types import OpClass
from codegen.model import CloneBlock, CloneModel
from codegen.synthesis.dependences import latency_slots
from codegen.synthesis.subject import Subject

_MEMORY = frozenset({OpClass.LOAD, OpClass.ATOMIC, OpClass.TEXTURE, OpClass.SURFACE})
_ARITHMETIC = frozenset({
    OpClass.ADD, OpClass.MUL, OpClass.FMA, OpClass.MINMAX, OpClass.LOGIC, OpClass.SHIFT,
    OpClass.COMPARE, OpClass.SELECT, OpClass.CONVERT, OpClass.MOVE,
})  # fmt: skip


def with_waits(model: CloneModel, written: Kernel, subject: Subject) -> CloneModel:
    """Let instructions of a model read other results; ``written`` is its kernel as it is.

    First each block waits as long as its own original, then all of them together as long as all of
    these, as far as their arithmetic goes.
    """
    missing = wait_share(subject.structure.kernel.blocks, subject.executions)
    missing -= wait_share(written.blocks, [b.expected for b in model.blocks])
    issued = sum(b.expected * len(w.instructions) for b, w in _both(model, written))
    owed = missing * issued  # slots that a warp should wait more, or less
    found = {}
    for block, now in _both(model, written):
        original = subject.structure.kernel.blocks[block.id].instructions
        changed = found[block.id] = _Block(model, block, now.instructions)
        share = len(now.instructions) / len(original)
        own = sum(waits(original)) * share - sum(waits(now.instructions))
        if own * owed > 0:
            bound = owed / block.expected
            owed -= changed.wait(max(own, bound) if own < 0 else min(own, bound)) * block.expected
    for changed in sorted(found.values(), key=lambda f: -f.block.expected * len(f.code)):
        expected = changed.block.expected
        owed -= changed.wait(owed / expected) * expected
    blocks = [
        replace(b, slots=tuple(found[b.id].slots)) if b.id in found else b for b in model.blocks
    ]
    return replace(model, blocks=tuple(blocks))


def _both(model: CloneModel, written: Kernel) -> Iterator[tuple[CloneBlock, Block]]:
    """Give the blocks that are executed, with what is written of them."""
    for block, now in zip(model.blocks, written.blocks, strict=True):
        if block.expected and block.original:
            yield block, now


def wait_share(blocks: Sequence[Block], executions: Sequence[float]) -> float:
    """Give how many slots a warp waits for each one that it issues in."""
    pairs = [(b.instructions, e) for b, e in zip(blocks, executions, strict=True) if e]
    issued = sum(e * len(instructions) for instructions, e in pairs)
    return sum(e * sum(waits(instructions)) for instructions, e in pairs) / max(issued, 1e-9)


def waits(instructions: Sequence[Instruction]) -> list[int]:
    """Give how many slots each instruction of a block waits."""
    there: dict[int, int] = {}
    slot, found = 0, []
    for instruction in instructions:
        begins = max([slot, *(there.get(r, 0) for r in instruction.reads)])
        found.append(begins - slot)
        slot = begins + 1
        for made in instruction.writes:
            there[made] = (
                begins + 1 if _is_memory(instruction) else begins + latency_slots(instruction)
            )
    return found


def _is_memory(instruction: Instruction) -> bool:
    """Whether memory takes its time, which is kept by what waits for a load."""
    return instruction.operation.op_class in _MEMORY


@dataclass
class _Block:
    """A block whose slots are changed one by one."""

    model: CloneModel
    block: CloneBlock
    instructions: Sequence[Instruction]

    def __post_init__(self) -> None:
        self.slots = list(self.block.slots)
        self.code = list(self.instructions)
        self.place_of = dict(self._places())

    def _places(self) -> Iterator[tuple[int, int]]:
        """Give each slot that has its own instruction with its place."""
        at = 0
        for number, slot in enumerate(self.slots):
            if slot.decides:
                continue
            for place in range(at, len(self.code)):
                made = self.code[place]
                same = made.operation.opcode == slot.opcode and len(made.operands) == len(
                    slot.operands
                )
                if same and made.operands[:1] == slot.operands[:1]:
                    yield number, place
                    at = place + 1
                    break

    def wait(self, wanted: float) -> float:
        """Change slots until the block waits so many slots more, or less; gives what it does."""
        gained = 0
        for number, place in self.place_of.items():
            if abs(wanted - gained) < 1:
                break
            now = waits(self.code)
            for operands in self._choices(number, place, more=wanted > gained):
                made = replace(self.code[place], operands=operands)
                other = [*self.code[:place], made, *self.code[place + 1 :]]
                change = sum(waits(other)) - sum(now)
                if change and abs(wanted - gained - change) < abs(wanted - gained):
                    self.code, gained = other, gained + change
                    self.slots[number] = replace(self.slots[number], operands=operands)
                    break
        return gained

    def _choices(self, number: int, place: int, *, more: bool) -> Iterator[tuple[Operand, ...]]:
        slot, instruction = self.slots[number], self.code[place]
        if (
            slot.sites
            or slot.guard is not None
            or instruction.operation.op_class not in _ARITHMETIC
        ):
            return
        made_at = {r: p for p in range(place) for r in self.code[p].writes}
        for k, operand in enumerate(slot.operands):
            if k == 0 or not isinstance(operand, Reg):
                continue
            own = made_at.get(operand.index)
            if own is not None and self.code[own].operation.op_class in _MEMORY:
                continue
            for other in self._others(operand.index, made_at, near=more):
                yield (*slot.operands[:k], Reg(other), *slot.operands[k + 1 :])

    def _others(self, register: int, made_at: dict[int, int], *, near: bool) -> list[int]:
        """Give registers of the same type: results just before, or what no one here makes."""
        registers = self.model.registers
        alike = [r for r in range(len(registers)) if _alike(registers[r], registers[register])]
        if near:
            recent = [r for r in alike if r in made_at and self._is_arithmetic(made_at[r])]
            return sorted(recent, key=lambda r: -made_at[r])[:3]
        return [r for r in alike if r not in made_at and r != register][:1]

    def _is_arithmetic(self, place: int) -> bool:
        return self.code[place].operation.op_class in _ARITHMETIC


def _alike(register: Register, other: Register) -> bool:
    return register.type == other.type and register.vector == other.vector
