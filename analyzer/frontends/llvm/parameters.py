"""Parameters, results and stack slots of a function: where its values come from and lie.

A kernel that may write a parameter works on a copy of it in local memory (``with_copies``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.base.whole_files import MOST_VARIABLE_BYTES
from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.context import integer_value, is_predicate
from warpmill.analyzer.frontends.llvm.memory import (
    ValuePlace,
    byte_chunks,
    dotted,
    dotted_both,
    load_to,
)
from warpmill.analyzer.frontends.llvm.text import FunctionText, unquoted
from warpmill.analyzer.frontends.llvm.types import (
    VOID,
    PointerType,
    Scalar,
    Type,
    Unsupported,
    VectorType,
)
from warpmill.analyzer.frontends.llvm.values import Lowering, OperandValues
from warpmill.analyzer.ir.kernel import (
    Address,
    Block,
    EdgeCopies,
    Imm,
    Instruction,
    Kernel,
    Operand,
    Parameter,
    Reg,
    Register,
    Symbol,
    Variable,
)
from warpmill.analyzer.ir.operation import decode, moved
from warpmill.analyzer.ir.types import TYPES, OpClass, Space

_BY_MEMORY = frozenset({"byval", "byref"})
_MOST_PIECES = 64  # of a copied argument; a longer one is copied by one operation


@dataclass(frozen=True)
class _Copied:
    """An argument that a device function gets a copy of: its address, and where the copy lies."""

    address: Reg
    space: Space
    to: Symbol
    size: int
    align: int


@dataclass
class FunctionFrame:
    """Parts of a function beside its blocks.

    ``spaces`` and ``symbols`` are for parameters that lie in memory and for stack slots; ``loads``
    are the parameters of a kernel that are taken apart when it starts, ``copied`` the arguments of
    a device function that it may change without its caller seeing it (``byval``).
    """

    parameters: list[Parameter] = field(default_factory=list)
    returns: list[Parameter] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    spaces: dict[str, Space] = field(default_factory=dict)
    symbols: dict[str, Symbol] = field(default_factory=dict)
    loads: list[tuple[str, Type, str]] = field(default_factory=list)
    copied: list[_Copied] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)

    def unique(self, name: str) -> str:
        """``name``, or with a number behind it where the module has such a name already."""
        found, number = name, 1
        while found in self.taken:
            found, number = f"{name}_{number}", number + 1
        self.taken.add(found)
        return found

    def load_parameters(self, low: Lowering) -> None:
        """Load what a kernel's parameters are made of, and copy what a function has copies of."""
        for local, type_, name in self.loads:
            registers = low.values.registers(local, type_)
            align = low.layout.align(type_)
            load_to(low, ValuePlace("ld.param", Symbol(name), align), type_, registers)
        for each in self.copied:
            _copy(low, each)

    def add_slot(self, low: Lowering, template: st.Template, span: Span) -> None:
        """A stack slot (``alloca``) becomes a variable in local memory.

        One of a size that is computed is made where it stands, see ``lower_dynamic_slot``.
        """
        assert template.type is not None
        if is_dynamic_slot(low, template):
            self.spaces[low.result_name] = Space.LOCAL
            return
        name = low.result_name
        size: int | None = None
        try:
            size = _slot_bytes(low, template)
            align = low.layout.align(template.type)
        except Unsupported as reason:
            low.module.warn(span, f"{reason}: the size of this slot is not known")
            align = 1
        if template.align is not None:
            align = int(low.values.texts[template.align])
        symbol = self.unique(_plain(name, "local", name[1:]))
        self.variables.append(
            Variable(symbol, Space.LOCAL, TYPES["b8"], size, align, (size,), span=span)
        )
        self.symbols[name] = Symbol(symbol)
        self.spaces[name] = Space.LOCAL


def _slot_bytes(low: Lowering, template: st.Template) -> int | None:
    """Bytes of a slot of a written size; its count has no sign. Unsupported beyond addresses."""
    assert template.type is not None
    count: int | None = 1
    if template.operands:
        count = low.values.integer(template.operands[0])
        if count is not None and count < 0:
            count += 1 << low.layout.scalar_bits(low.layout.leaf(template.operands[0].type))
    size = None if count is None else count * low.layout.size(template.type)
    if size is not None and size > MOST_VARIABLE_BYTES:
        raise Unsupported(f"a slot has at most {MOST_VARIABLE_BYTES} bytes, not {size}")
    return size


def is_dynamic_slot(low: Lowering, template: st.Template) -> bool:
    """Whether a stack slot has a number of elements that is computed."""
    return bool(template.operands) and low.values.integer(template.operands[0]) is None


def lower_dynamic_slot(low: Lowering, template: st.Template) -> None:
    """A stack slot of a computed size: PTX's ``alloca`` of so many bytes."""
    assert template.type is not None and template.result is not None
    count = template.operands[0]
    stack = re.search(r"(?:^|-)A(\d+)", low.module.text.datalayout)
    type_ = PointerType(int(stack[1]) if stack else 0)
    to = low.values.registers(low.result_name, type_)[0]
    width = low.builder.type_of(to).bits
    number = low.builder.resized(low.values.scalar(count), low.layout.leaf(count.type), width)
    size = Imm(low.layout.size(template.type))
    total = low.builder.compute(f"mul.lo.u{width}", f"b{width}", number, size)
    align = low.layout.align(template.type)
    if template.align is not None:
        align = int(low.values.texts[template.align])
    low.emit(f"alloca.u{width}", to, total, Imm(align))


def lay_out(
    frame: FunctionFrame, values: OperandValues, function: FunctionText, header: st.FunctionHeader
) -> None:
    """Fill in a function's parameters and results."""
    text = values.module.text
    frame.taken.update((*text.variables, *text.functions, *text.declarations))
    for position, parameter in enumerate(header.parameters):
        try:
            _add_parameter(frame, values, function, parameter, position)
        except Unsupported as reason:
            values.module.warn(function.span, f"parameter {position}: {reason} is not understood")
            name = frame.unique(f"arg{position}")  # the others keep their places
            frame.parameters.append(Parameter(name, TYPES["b64"], 8, 8))
    if not function.is_kernel and header.returns != VOID:
        _add_results(frame, values, function, header.returns)


def _plain(local: str, prefix: str, number: object) -> str:
    """A name for a symbol out of a local's: unnamed locals are numbers."""
    text = unquoted(local[1:])
    return f"{prefix}{number}" if text.isdigit() else text


def _add_parameter(
    frame: FunctionFrame,
    values: OperandValues,
    function: FunctionText,
    parameter: st.HeaderParameter,
    position: int,
) -> None:
    local = f"%{position}" if parameter.name is None else values.name(parameter.name)
    name = frame.unique(_plain(local, "arg", position))
    memory = next((a.type for a in parameter.attributes if a.name in _BY_MEMORY), None)
    align = _written_align(values, parameter)
    by_value = any(a.name == "byval" for a in parameter.attributes)
    if memory is not None and by_value and not function.is_kernel:
        copied = _in_memory(values, name, memory, align)
        _add_copied(frame, values, local, values.layout.leaf(parameter.type), copied)
        return
    if memory is not None:
        frame.parameters.append(_in_memory(values, name, memory, align))
        frame.symbols[local], frame.spaces[local] = Symbol(name), Space.PARAM
        return
    leaves = values.layout.leaves(parameter.type)
    whole = len(leaves) == 1 and not is_predicate(leaves[0])
    if function.is_kernel and not whole:
        frame.parameters.append(_in_memory(values, name, parameter.type, None))
        frame.loads.append((local, parameter.type, name))
        return
    for k, register in enumerate(values.registers(local, parameter.type)):
        part = name if len(leaves) == 1 else f"{name}.{k}"
        made = _in_register(values, part, leaves[k], register, align)
        space = values.module.target.kernel_pointee
        if function.is_kernel and space is not None and _is_generic(values, leaves[k]):
            made, frame.spaces[local] = replace(made, pointee_space=space), space
        frame.parameters.append(made)


def _add_copied(
    frame: FunctionFrame, values: OperandValues, local: str, leaf: Scalar, whole: Parameter
) -> None:
    """Add a copy of an argument to a function, in local memory; it gets its address."""
    register = values.builder.register(f"%.{whole.name}", values.module.register_type(leaf))
    frame.parameters.append(_in_register(values, whole.name, leaf, register, whole.align))
    symbol = frame.unique(f"{whole.name}.copy")
    frame.variables.append(
        Variable(
            symbol, Space.LOCAL, TYPES["b8"], whole.size_bytes, whole.align, (whole.size_bytes,)
        )
    )
    frame.symbols[local], frame.spaces[local] = Symbol(symbol), Space.LOCAL
    space = values.type_space(leaf) if isinstance(leaf, PointerType) else Space.GENERIC
    frame.copied.append(_Copied(register, space, Symbol(symbol), whole.size_bytes, whole.align))


def _copy(low: Lowering, copied: _Copied) -> None:
    """Copy an argument piece by piece, as a caller does that hands it over in param space."""
    pieces = list(byte_chunks(copied.size, copied.align))
    if len(pieces) > _MOST_PIECES:
        opcode = f"copy{dotted_both(Space.LOCAL, copied.space)}.b8"
        low.emit(opcode, Address(copied.to), Address(copied.address), Imm(copied.size))
        return
    for offset, width in pieces:
        value = low.builder.compute(
            f"ld{dotted(copied.space)}.b{8 * width}",
            f"b{max(16, 8 * width)}",
            Address(copied.address, offset),
        )
        low.emit(f"st.local.b{8 * width}", Address(copied.to, offset), value)


def _is_generic(values: OperandValues, leaf: Scalar) -> bool:
    return isinstance(leaf, PointerType) and values.type_space(leaf) is Space.GENERIC


def _written_align(values: OperandValues, parameter: st.HeaderParameter) -> int | None:
    slots = [a.slot for a in parameter.attributes if a.name == "align" and a.slot is not None]
    return integer_value(values.texts[slots[0]]) if slots else None


def _in_memory(values: OperandValues, name: str, type_: Type, align: int | None) -> Parameter:
    """A parameter without a register: struct, vector, array, ``i1``."""
    layout = values.layout
    resolved = layout.resolve(type_)
    leaves = layout.leaves(type_)
    uniform = isinstance(resolved, VectorType) and not is_predicate(leaves[0])
    ir_type = values.module.register_type(leaves[0]) if uniform else TYPES["b8"]
    return Parameter(name, ir_type, layout.size(type_), align or layout.align(type_))


def _in_register(
    values: OperandValues, name: str, leaf: Scalar, register: Reg, align: int | None
) -> Parameter:
    size = max(1, values.module.width(leaf) // 8)
    is_pointer = isinstance(leaf, PointerType)
    space = values.type_space(leaf) if isinstance(leaf, PointerType) else Space.GENERIC
    return Parameter(
        name=name,
        type=values.module.register_type(leaf),
        size_bytes=size,
        align=size,
        register=register,
        is_pointer=is_pointer,
        pointee_space=None if space is Space.GENERIC else space,
        pointee_align=align if is_pointer else None,
    )


def _add_results(
    frame: FunctionFrame, values: OperandValues, function: FunctionText, type_: Type
) -> None:
    try:
        leaves = values.layout.leaves(type_)
    except Unsupported as reason:
        values.module.warn(function.span, f"the result: {reason} is not understood")
        return
    for k, leaf in enumerate(leaves):
        register = values.builder.register(f"%.retval{k}", values.module.register_type(leaf))
        frame.returns.append(_in_register(values, f"retval{k}", leaf, register, None))


# Parameters of a kernel that it may write: it works on a copy in local memory.
#
# Param space is for reading, and all threads share it. LLVM's NVPTX back-end copies in the same
# case: where a parameter passed by value is stored to, or its address goes where stores cannot be
# seen.

_WRITES = frozenset({OpClass.STORE, OpClass.ATOMIC})


def with_copies(kernel: Kernel, *, are_private: bool) -> Kernel:
    """A kernel that writes to none of its parameters.

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


def _copied(
    like: Instruction,
    source: Symbol,
    to: Symbol,
    size: int,
    align: int,
    registers: list[Register],
) -> Iterator[Instruction]:
    """A load and a store for each piece, at the place of an instruction."""
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
    """Instruction that uses the copies; what it accesses by a register lies in one of them."""
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
