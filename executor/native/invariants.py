"""Registers that hold one value for all lanes of a warp from their only write on.

They are computed and kept once, as scalars: pointers and sizes from parameters, the CTA's place in
the grid, and what is computed from these alone.
"""

from __future__ import annotations

from collections import Counter

from warpmill.analyzer.ir.kernel import (
    Address,
    FloatImm,
    Imm,
    Instruction,
    Kernel,
    Operand,
    Reg,
    Special,
    Symbol,
)
from warpmill.analyzer.ir.types import OpClass

_CLASSES = frozenset(
    {
        OpClass.ADD, OpClass.MUL, OpClass.FMA, OpClass.DIV, OpClass.MINMAX, OpClass.LOGIC,
        OpClass.SHIFT, OpClass.COMPARE, OpClass.SELECT, OpClass.MOVE, OpClass.CONVERT, OpClass.BIT,
        OpClass.ADDRESS,
    }
)  # fmt: skip
_SPECIALS = frozenset(
    {f"{name}.{axis}" for name in ("ntid", "ctaid", "nctaid") for axis in "xyzw"}
    | {"nwarpid", "smid", "nsmid", "gridid", "dynamic_smem_size", "total_smem_size"}
)
_STATEFUL = frozenset({"alloca", "stacksave", "stackrestore"})


def invariant_registers(kernel: Kernel) -> frozenset[int]:
    """Give the indices of the invariant registers of a kernel."""
    writes = Counter(w for i in kernel.instructions for w in i.writes)
    writes.update(r.index for b in kernel.blocks for edge in b.incoming for r, _ in edge.copies)
    writes.update(p.register.index for p in kernel.parameters if p.register is not None)
    found = {p.register.index for p in kernel.parameters if p.register is not None}
    found = {index for index in found if writes[index] == 1}
    candidates = [
        i
        for i in kernel.instructions
        if _is_candidate(kernel, i) and all(writes[w] == 1 for w in i.writes)
    ]
    growing = True
    while growing:
        before = len(found)
        found |= {i.writes[0] for i in candidates if _reads_only(i, found)}
        growing = len(found) > before
    return frozenset(i for i in found if kernel.registers[i].vector == 1)


def _is_candidate(kernel: Kernel, instruction: Instruction) -> bool:
    operation = instruction.operation
    one = len(instruction.destinations) == 1 and isinstance(instruction.destinations[0], Reg)
    if instruction.guard is not None or not one or operation.name in _STATEFUL:
        return False
    if operation.op_class is OpClass.LOAD:
        place = instruction.address
        fixed = isinstance(place, Address) and isinstance(place.base, Symbol)
        return kernel.reads_parameter(instruction) and operation.vector == 1 and fixed
    is_pure = operation.op_class in _CLASSES and not operation.effects
    carries = "cc" in operation.modifiers or operation.name in ("addc", "subc", "madc")
    return is_pure and not carries


def _reads_only(instruction: Instruction, found: set[int]) -> bool:
    return all(_is_invariant(o, found) for o in instruction.sources)


def _is_invariant(operand: Operand, found: set[int]) -> bool:
    match operand:
        case Reg(index):
            return index in found
        case Address(base=Symbol()) | Imm() | FloatImm() | Symbol():
            return True
        case Special(name):
            return name in _SPECIALS
        case _:
            return False
