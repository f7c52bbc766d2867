"""What a kernel is made of: its instructions by class and by opcode."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.operation import Knowledge


@dataclass(frozen=True)
class InstructionMix:
    """Static counts, most frequent first; ``by_nearest_rule`` opcodes are not in the table."""

    instructions: int
    by_class: tuple[tuple[str, int], ...]
    by_opcode: tuple[tuple[str, int], ...]
    by_nearest_rule: int


def instruction_mix(kernel: Kernel) -> InstructionMix:
    """Count a kernel's instructions; edge copies are none."""
    classes = Counter(i.operation.op_class.value for i in kernel.instructions)
    opcodes = Counter(i.operation.opcode for i in kernel.instructions)
    nearest = sum(i.operation.knowledge is Knowledge.NEAREST for i in kernel.instructions)
    return InstructionMix(kernel.instruction_count, _ranked(classes), _ranked(opcodes), nearest)


def _ranked(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
