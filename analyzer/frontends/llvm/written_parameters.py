"""Parameters of a kernel that it may write: it works on a copy in local memory.

Param space is for reading, and all threads share it. LLVM's NVPTX back-end copies in the same case:
where a parameter passed by value is stored to, or its address goes where stores cannot be seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from warpmill.analyzer.frontends.llvm.accesses import byte_chunks
from warpmill.analyzer.ir.kernel import (
    Address,
    Block,
    EdgeCopies,
    Instruction,
    Kernel,
    Operand,
    Reg,
    Register,
    Symbol,
    Variable,
)
from warpmill.analyzer.ir.operation import decode, moved
from warpmill.analyzer.ir.types import TYPES, OpClass, Space

_WRITES = frozenset({OpClass.STORE, OpClass.ATOMIC})


def with_copies(kernel: Kernel, *, are_private: bool) -> Kernel:
    """Give a kernel that writes to none of its parameters.

    ``are_private`` says that what is passed by value has a private address on the target, so that
    wherever the address is taken, a copy in local memory is wanted.
    """
    names = {p.name for p in kernel.parameters if p.register is None}
    wants = any(_may_write(i) for i in kernel.instructions)
    if are_private:
        wants = wants or any(_takes_address(i, names) for i in kernel.instructions)
    if not names or not wants:
        return kernel
    used = {n for i in kernel.instructions for o in i.operands for n in _names(o)} & names
    copies = {name: f"{name}.copy" for name in sorted(used)}
    registers = list(kernel.registers)
    variables = list(kernel.variables)
    first = kernel.blocks[0].instructions[0]
    begin: list[Instruction] = []
    for parameter in kernel.parameters:
        if parameter.name in copies:
            size, align, to = parameter.size_bytes, parameter.align, copies[parameter.name]
            variables.append(Variable(to, Space.LOCAL, TYPES["b8"], size, align, (size,)))
            begin += _copied(first, Symbol(parameter.name), Symbol(to), size, align, registers)
    blocks = [_rewritten(block, copies) for block in kernel.blocks]
    blocks[0] = replace(blocks[0], instructions=(*begin, *blocks[0].instructions))
    return replace(
        kernel, registers=tuple(registers), variables=tuple(variables), blocks=tuple(blocks)
    )


def _may_write(instruction: Instruction) -> bool:
    """Whether an instruction writes to param space, or makes a generic address of a place there."""
    operation = instruction.operation
    writes = operation.op_class in _WRITES or operation.name == "cvta"
    return writes and operation.space is Space.PARAM


def _takes_address(instruction: Instruction, names: set[str]) -> bool:
    return any(isinstance(o, Symbol) and o.name in names for o in instruction.operands)


def _names(operand: Operand) -> Iterator[str]:
    match operand:
        case Symbol(name) | Address(base=Symbol(name)):
            yield name


def _copied(  # noqa: PLR0913, PLR0917 - what is copied, and where new registers go
    like: Instruction,
    source: Symbol,
    to: Symbol,
    size: int,
    align: int,
    registers: list[Register],
) -> Iterator[Instruction]:
    """Give a load and a store for each piece, at the place of an instruction."""
    plain = replace(like, guard=None, targets=())
    for offset, width in byte_chunks(size, align):
        register = Reg(len(registers))
        registers.append(Register(f"%.{to.name}.{offset}", TYPES[f"b{max(16, 8 * width)}"]))
        load, store = decode(f"ld.param.b{8 * width}"), decode(f"st.local.b{8 * width}")
        yield replace(plain, operation=load, operands=(register, Address(source, offset)))
        yield replace(plain, operation=store, operands=(Address(to, offset), register))


def _rewritten(block: Block, copies: dict[str, str]) -> Block:
    instructions = tuple(_instruction(i, copies) for i in block.instructions)
    incoming = tuple(
        EdgeCopies(e.predecessor, tuple((r, _operand(o, copies)) for r, o in e.copies))
        for e in block.incoming
    )
    return replace(block, instructions=instructions, incoming=incoming)


def _instruction(instruction: Instruction, copies: dict[str, str]) -> Instruction:
    """Let an instruction use the copies; what it accesses by a register lies in one of them."""
    operands = tuple(_operand(o, copies) for o in instruction.operands)
    operation = instruction.operation
    address = instruction.address
    by_register = isinstance(address, Address) and isinstance(address.base, Reg)
    if Space.PARAM in operation.spaces and (operands != instruction.operands or by_register):
        operation = moved(operation, Space.PARAM, Space.LOCAL)
    return replace(instruction, operation=operation, operands=operands)


def _operand(operand: Operand, copies: dict[str, str]) -> Operand:
    match operand:
        case Symbol(name, offset) if name in copies:
            return Symbol(copies[name], offset)
        case Address(base=Symbol(name, inner), offset=offset) if name in copies:
            return Address(Symbol(copies[name], inner), offset)
    return operand
