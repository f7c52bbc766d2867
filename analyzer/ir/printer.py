"""The stable text form of the IR: everything that a Module holds, one thing a line.

``analyzer.ir.reader.read_module`` gives back an equal Module. ``docs/ir.md`` describes the form.
Registers and blocks go by name; where a name is taken twice or an index is out of range they go by
number (``%#7``, ``^#7``), so that a module that the verifier rejects can be printed and read too.
"""

from __future__ import annotations

import json
import re
import struct
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from warpmill.analyzer.base.diagnostics import DebugLocation, Span
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Block,
    Element,
    FloatImm,
    Function,
    Imm,
    Instruction,
    Kernel,
    LaunchBounds,
    Module,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Parameter,
    Reg,
    Register,
    Sink,
    Special,
    Symbol,
    TupleAddress,
    Variable,
    Vector,
)

_BARE_NAME = re.compile(r"[A-Za-z_$%][A-Za-z0-9_$%.]*")
_BARE_REGISTER = re.compile(r"%[A-Za-z0-9_$.]+|[A-Za-z][A-Za-z0-9_$.]*")
_BARE_LABEL = re.compile(r"[A-Za-z0-9_$.%]+")
_BARE_SPECIAL = re.compile(r"[A-Za-z0-9_.]+")
_BARE_OPCODE = re.compile(r"[A-Za-z_][A-Za-z0-9_.:]*")
_REGISTERS_A_LINE = 12
_DATA_A_LINE = 32
_LONG = 1 << 128
_T = TypeVar("_T")


def print_module(module: Module) -> str:
    """The text of a module, ending in a newline."""
    head = (
        f".module {_name(module.name)} target {_name(module.target)}"
        f" version {_name(module.version)} address_bits {module.address_bits}"
        f" warp_size {module.warp_size}{_attributes(module.attributes)}"
    )
    lines = [head]
    lines += [f".file {_name(file)}" for file in module.debug_files]
    lines += [f".declare {_name(d.name)}{_attributes(d.attributes)}" for d in module.declarations]
    for variable in module.variables:
        lines += _variable(variable)
    for function in (*module.functions, *module.kernels):
        lines += ["", *_function(function)]
    return "\n".join(lines) + "\n"


def print_function(function: Function) -> str:
    """The text of one function or kernel, as it stands in its module's."""
    return "\n".join(_function(function)) + "\n"


@dataclass(frozen=True)
class _Names:
    """How the registers and blocks of a function are referred to."""

    registers: tuple[str, ...]
    blocks: tuple[str, ...]

    def register(self, register: Reg) -> str:
        known = 0 <= register.index < len(self.registers)
        return self.registers[register.index] if known else f"%#{register.index}"

    def block(self, number: int) -> str:
        return self.blocks[number] if 0 <= number < len(self.blocks) else f"^#{number}"


def _names_of(function: Function) -> _Names:
    registers = [r.name for r in function.registers]
    labels = [b.label for b in function.blocks]
    return _Names(
        _unless_twice(registers, map(_register_name, registers), "%"),
        _unless_twice(labels, map(_label, labels), "^"),
    )


def _unless_twice(names: list[str], texts: Iterable[str], sigil: str) -> tuple[str, ...]:
    count = Counter(names)
    pairs = enumerate(zip(names, texts, strict=True))
    return tuple(text if count[name] == 1 else f"{sigil}#{i}" for i, (name, text) in pairs)


def _function(function: Function) -> Iterator[str]:
    names = _names_of(function)
    kind = ".kernel" if isinstance(function, Kernel) else ".function"
    attributes = _attributes(function.attributes)
    yield f"{kind} {_name(function.name)}{attributes} {_span(function.span)}"
    if isinstance(function, Kernel) and function.bounds != LaunchBounds():
        yield _bounds(function.bounds)
    yield from _registers(function.registers)
    yield from (_parameter(".param", p, names) for p in function.parameters)
    yield from (_parameter(".return", p, names) for p in function.returns)
    for variable in function.variables:
        yield from (f"    {line}" for line in _variable(variable))
    for block in function.blocks:
        yield from _block(block, names)
    yield ".end"


def _bounds(bounds: LaunchBounds) -> str:
    text = ".bounds"
    if bounds.max_threads is not None:
        text += f" max_threads {_numbers(bounds.max_threads)}"
    if bounds.required_threads is not None:
        text += f" required_threads {_numbers(bounds.required_threads)}"
    if bounds.min_ctas_per_sm is not None:
        text += f" min_ctas_per_sm {bounds.min_ctas_per_sm}"
    if bounds.max_registers is not None:
        text += f" max_registers {bounds.max_registers}"
    return text


def _registers(registers: tuple[Register, ...]) -> Iterator[str]:
    """Declarations of registers, neighbours of one type together on a line."""
    for (type_, vector), group in groupby(registers, lambda r: (r.type, r.vector)):
        names = [_register_name(r.name) for r in group]
        count = "" if vector == 1 else f"[{vector}]"
        for line in _chunks(names, _REGISTERS_A_LINE):
            yield f"    .reg {type_}{count} {', '.join(line)}"


def _parameter(kind: str, parameter: Parameter, names: _Names) -> str:
    text = f"    {kind} {parameter.type} {_name(parameter.name)}"
    text += f" size {parameter.size_bytes} align {parameter.align}"
    if parameter.register is not None:
        text += f" register {names.register(parameter.register)}"
    if parameter.is_pointer is not None:
        text += f" pointer {'yes' if parameter.is_pointer else 'no'}"
    if parameter.pointee_space is not None:
        text += f" pointee_space {parameter.pointee_space.value}"
    if parameter.pointee_align is not None:
        text += f" pointee_align {parameter.pointee_align}"
    if parameter.shape:
        text += f" shape {_numbers(parameter.shape)}"
    return text


def _variable(variable: Variable) -> Iterator[str]:
    text = f".var {variable.space.value} {variable.type} {_name(variable.name)}"
    text += f" size {_size(variable.size_bytes)} align {variable.align}"
    if variable.shape:
        text += f" shape {_numbers(variable.shape)}"
    text += _attributes(variable.attributes)
    yield text if variable.span is None else f"{text} {_span(variable.span)}"
    if variable.initialiser is None:
        return
    for line in _chunks(list(variable.initialiser), _DATA_A_LINE) or [[]]:
        yield f".data {', '.join(_data(line))}".rstrip()


def _data(values: list[int | float | Symbol]) -> Iterator[str]:
    """Runs of bytes in hexadecimal; other integers, floats (by bits) and symbols alone."""
    for is_byte, group in groupby(values, _is_byte):
        if is_byte:
            yield 'x"' + "".join(f"{value:02x}" for value in group) + '"'
        else:
            yield from map(_datum, group)


def _is_byte(value: int | float | Symbol) -> bool:
    return isinstance(value, int) and 0 <= value < 256


def _datum(value: int | float | Symbol) -> str:
    match value:
        case Symbol():
            return _symbol(value)
        case float():
            return f"f64:0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016x}"
        case _:
            return _integer(value)


def _block(block: Block, names: _Names) -> Iterator[str]:
    text = f".block {block.id} {_label(block.label)}"
    if block.fallthrough is not None:
        text += f" fallthrough {names.block(block.fallthrough)}"
    yield text + _attributes(block.attributes)
    for edge in block.incoming:
        copies = ", ".join(
            f"{names.register(r)} = {_operand(value, names)}" for r, value in edge.copies
        )
        yield f"    .from {names.block(edge.predecessor)} {copies}".rstrip(" ")
    yield from (_instruction(instruction, names) for instruction in block.instructions)


def _instruction(instruction: Instruction, names: _Names) -> str:
    guard = instruction.guard
    text = "    "
    if guard is not None:
        text += f"@{'!' if guard.negated else ''}{names.register(guard.register)} "
    text += _quoted_unless(_BARE_OPCODE, instruction.operation.opcode)
    if instruction.operands:
        text += f" {_operands(instruction.operands, names)}"
    if instruction.targets:
        text += f" -> {', '.join(map(names.block, instruction.targets))}"
    text += f" {_span(instruction.span)}"
    if instruction.debug is None:
        return text
    return f"{text} loc {' at '.join(map(_location, _chain(instruction.debug)))}"


def _chain(location: DebugLocation | None) -> Iterator[DebugLocation]:
    """A location and those that it was inlined at, the innermost first."""
    while location is not None:
        yield location
        location = location.inlined_at


def _location(location: DebugLocation) -> str:
    return f"{_name(location.file)}:{location.line}:{location.column}"


def _operands(operands: Iterable[Operand], names: _Names) -> str:
    return ", ".join(_operand(operand, names) for operand in operands)


def _operand(operand: Operand, names: _Names) -> str:  # noqa: PLR0912 - one case a kind of operand
    match operand:
        case Reg():
            return names.register(operand)
        case Imm(value):
            return _integer(value)
        case FloatImm(bits, type_):
            return f"{type_}:0x{bits:0{(type_.bits + 3) // 4}x}"
        case Special(name):
            return f"${_quoted_unless(_BARE_SPECIAL, name)}"
        case Symbol():
            return _symbol(operand)
        case Address():
            return f"[{_address(operand, names)}]"
        case TupleAddress((only,)):
            return f"[{_operand(only, names)},]"
        case TupleAddress(parts):
            return f"[{_operands(parts, names) or ','}]"
        case Vector(elements):
            return f"{{{_operands(elements, names)}}}"
        case Arguments(items):
            return f"({_operands(items, names)})"
        case Pair(first, Pair() as second):
            return f"{_operand(first, names)}|<{_operand(second, names)}>"
        case Pair(first, second):
            return f"{_operand(first, names)}|{_operand(second, names)}"
        case Sink():
            return "_"
        case Negated(inner):
            return f"-{_operand(inner, names)}"
        case NotPredicate(register):
            return f"!{names.register(register)}"
        case Element(register, component):
            return f"{names.register(register)}:{_name(component)}"


def _address(address: Address, names: _Names) -> str:
    """Base and offset; a second offset is that of the symbol itself."""
    offset = _offset(address.offset)
    match address.base:
        case Reg() as register:
            return f"{names.register(register)}{offset}"
        case Imm(value):
            return f"{_integer(value)}{offset}"
        case Symbol(name, 0):
            return f"&{_quoted_unless(_BARE_LABEL, name)}{offset}"
        case Symbol(name, own):
            return f"&{_quoted_unless(_BARE_LABEL, name)}{offset or '+0'}{_offset(own)}"


def _symbol(symbol: Symbol) -> str:
    return f"&{_quoted_unless(_BARE_LABEL, symbol.name)}{_offset(symbol.offset)}"


def _offset(value: int) -> str:
    if value == 0:
        return ""
    return _integer(value) if value < 0 else f"+{_integer(value)}"


def _integer(value: int) -> str:
    # Python refuses to write very long integers in decimal.
    return str(value) if -_LONG < value < _LONG else hex(value)


def _size(value: int | None) -> str:
    return "?" if value is None else _integer(value)


def _numbers(values: Iterable[int | None]) -> str:
    return f"({', '.join(map(_size, values))})"


def _attributes(attributes: tuple[str, ...]) -> str:
    return f" attributes {', '.join(map(_name, attributes))}" if attributes else ""


def _span(span: Span) -> str:
    return f"[{span.line}:{span.column}-{span.end_column}]"


def _name(name: str) -> str:
    return _quoted_unless(_BARE_NAME, name)


def _register_name(name: str) -> str:
    return name if _BARE_REGISTER.fullmatch(name) else f"%{json.dumps(name)}"


def _label(name: str) -> str:
    return f"^{_quoted_unless(_BARE_LABEL, name)}"


def _quoted_unless(bare: re.Pattern[str], name: str) -> str:
    return name if bare.fullmatch(name) else json.dumps(name)


def _chunks(items: list[_T], size: int) -> list[list[_T]]:
    return [items[i : i + size] for i in range(0, len(items), size)]


# Names that tell apart what only has the same name.


def distinct_names(kernels: Sequence[Kernel]) -> tuple[str, ...]:
    """Name each kernel so that those of one name and other code are told apart: ``scan#2``.

    Which module or launch it is of makes no difference.
    """
    objects: dict[str, dict[int, Kernel]] = defaultdict(dict)
    for kernel in kernels:
        objects[kernel.name][id(kernel)] = kernel
    names = {}
    for name, each in objects.items():
        texts: list[str] = []
        for own, kernel in each.items():
            text = print_function(kernel) if len(each) > 1 else ""
            if text not in texts:
                texts.append(text)
            number = texts.index(text) + 1
            names[own] = name if number == 1 else f"{name}#{number}"
    return tuple(names[id(kernel)] for kernel in kernels)
