"""Param memory of inlined calls, turned into registers.

PTX hands arguments over in param space: the caller stores, the callee loads. Once a call is inlined
both stand in one body, and a variable whose accesses agree in offset and width is a set of
registers. One whose accesses do not agree becomes local memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import replace

from warpmill.analyzer.ir.kernel import (
    Address,
    Block,
    Function,
    Instruction,
    Kernel,
    Operand,
    Reg,
    Register,
    Symbol,
    Vector,
)
from warpmill.analyzer.ir.operation import decode, moved
from warpmill.analyzer.ir.types import TYPES, OpClass, Space, TypeKind

ParamSlot = tuple[str, int]
"""A variable and a byte offset in it."""


def without_param_memory(kernel: Kernel) -> Kernel:
    """Replace a kernel's own param-space variables by registers, or by local memory."""
    names = {v.name for v in kernel.variables if v.space is Space.PARAM}
    widths = slot_widths(kernel, names)
    split = {name for name, slots in widths.items() if agree(slots)}
    registers = list(kernel.registers)
    slots: dict[ParamSlot, Reg] = {}
    for name in sorted(split):
        for offset, sizes in sorted(widths[name].items()):
            (size,) = sizes
            slots[name, offset] = Reg(len(registers))
            registers.append(Register(f"{name}+{offset}", TYPES[f"b{8 * size}"]))
    blocks = tuple(_rewritten(block, slots, names, registers) for block in kernel.blocks)
    kept = tuple(
        replace(v, space=Space.LOCAL) if v.name in names else v
        for v in kernel.variables
        if v.name not in split
    )
    return replace(kernel, registers=tuple(registers), blocks=blocks, variables=kept)


def slot_widths(kernel: Function, names: set[str]) -> dict[str, dict[int, set[int]]]:
    """Give the widths in bytes with which each offset of each variable is accessed.

    Width 0 stands for an access that is no plain load or store at a fixed offset.
    """
    widths: dict[str, dict[int, set[int]]] = {n: defaultdict(set) for n in sorted(names)}
    for instruction in kernel.instructions:
        place = slot_of(instruction, names)
        if place is not None:
            name, offset = place
            size = _element_bytes(instruction)
            for lane in range(instruction.operation.vector):
                widths[name][offset + lane * size].add(size)
            continue
        for operand in instruction.operands:
            for name in _named(operand) & names:
                widths[name][0].add(0)
    return widths


def _named(operand: Operand) -> set[str]:
    match operand:
        case Symbol(name) | Address(base=Symbol(name)):
            return {name}
        case Vector(items):
            return {n for item in items for n in _named(item)}
    items = getattr(operand, "items", ())
    return {n for item in items for n in _named(item)}


def slot_of(instruction: Instruction, names: Set[str]) -> ParamSlot | None:
    """Give the variable and offset of a load or store of param memory."""
    address = instruction.address
    if instruction.operation.op_class not in (OpClass.LOAD, OpClass.STORE):
        return None
    if (
        isinstance(address, Address)
        and isinstance(address.base, Symbol)
        and address.base.name in names
    ):
        return address.base.name, address.base.offset + address.offset
    return None


def _element_bytes(instruction: Instruction) -> int:
    operation = instruction.operation
    return (operation.width_bytes or 0) // operation.vector


def agree(slots: dict[int, set[int]]) -> bool:
    """Whether every offset has one width and no two overlap."""
    end = 0
    for offset, sizes in sorted(slots.items()):
        if len(sizes) != 1 or min(sizes) not in (1, 2, 4, 8) or offset < end:
            return False
        end = offset + min(sizes)
    return True


def _rewritten(
    block: Block, slots: dict[ParamSlot, Reg], names: set[str], registers: Sequence[Register]
) -> Block:
    instructions: list[Instruction] = []
    for instruction in block.instructions:
        place = slot_of(instruction, names)
        if place is None:
            instructions.append(instruction)
        elif place in slots:
            instructions += slot_moves(instruction, place, slots, registers)
        else:
            in_local = moved(instruction.operation, Space.PARAM, Space.LOCAL)
            instructions.append(replace(instruction, operation=in_local))
    return replace(block, instructions=tuple(instructions))


def slot_moves(
    instruction: Instruction,
    place: ParamSlot,
    slots: dict[ParamSlot, Reg],
    registers: Sequence[Register],
) -> list[Instruction]:
    """Give one move for each element of a load or store; a conversion where a register is wider."""
    name, offset = place
    size = _element_bytes(instruction)
    stores = instruction.operation.op_class is OpClass.STORE
    data = instruction.operands[1 if stores else 0]
    elements = data.elements if isinstance(data, Vector) else (data,)
    type_ = instruction.operation.type
    kind = "s" if type_ is not None and type_.kind is TypeKind.SIGNED else "u"
    found = []
    for lane, element in enumerate(elements):
        slot = slots[name, offset + lane * size]
        operands = (slot, element) if stores else (element, slot)
        wide = registers[element.index].type.bits if isinstance(element, Reg) else 8 * size
        move = decode(f"mov.b{8 * size}")
        if wide > 8 * size:
            bits = (8 * size, wide) if stores else (wide, 8 * size)
            move = decode(f"cvt.{kind}{bits[0]}.{kind}{bits[1]}")
        found.append(replace(instruction, operation=move, operands=operands))
    return found
