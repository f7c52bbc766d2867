"""Module-level variables and their initialisers."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple

from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.base.whole_files import MOST_VARIABLE_BYTES
from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.context import Builder, ModuleContext
from warpmill.analyzer.frontends.llvm.syntax import SyntaxFault, parse_global
from warpmill.analyzer.frontends.llvm.text import unquoted, without_comment
from warpmill.analyzer.frontends.llvm.types import ArrayType, DataLayout, Type, Unsupported
from warpmill.analyzer.frontends.llvm.values import OperandValues
from warpmill.analyzer.ir.kernel import FloatImm, Imm, Instruction, Reg, Symbol, Variable
from warpmill.analyzer.ir.types import TYPES, Space
from warpmill.analyzer.ir.types import Type as IrType

_TAIL = re.compile(
    r'(?:, (?:section "[^"]*"|partition "[^"]*"|comdat(?:\([^)]*\))?|align \d+'
    r'|code_model "[^"]*"|no_sanitize\w*|sanitize_\w+|![\w.]+ !\d+)| #\d+)*$'
)
_ALIAS = re.compile(
    r'= [^"@]*\balias [^@]*, ptr(?: addrspace\(\d+\))? @([-\w.$]+|"[^"]*")(?:, partition "[^"]*")?$'
)
_ALIGN = re.compile(r", align (\d+)")
_LINKAGE = frozenset(
    {"external", "internal", "private", "weak", "weak_odr", "linkonce", "linkonce_odr", "common",
     "appending", "extern_weak", "available_externally", "constant"}
)  # fmt: skip
_MAX_INITIALISER_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class ParsedGlobal:
    """A variable's line, parsed."""

    variable: st.GlobalVariable
    texts: tuple[str, ...]
    align: int | None
    span: Span


def parse_globals(
    lines: Mapping[str, tuple[str, Span]], type_names: frozenset[str]
) -> Iterator[tuple[str, ParsedGlobal]]:
    """Parse variables' lines; what the grammar refuses (aliases, functions) is left out."""
    for name, (line, span) in lines.items():
        text = without_comment(line)
        tail = _TAIL.search(text)
        assert tail is not None
        align = _ALIGN.search(tail[0])
        try:
            variable, texts = parse_global(text[: tail.start()], type_names)
        except SyntaxFault:
            continue
        yield name, ParsedGlobal(variable, texts, int(align[1]) if align else None, span)


def find_aliases(lines: Mapping[str, tuple[str, Span]]) -> dict[str, str]:
    """Targets of aliases of variables and functions; LLVM allows no cycles of them."""
    found = {}
    for name, (line, _) in lines.items():
        alias = _ALIAS.search(without_comment(line)) if " alias " in line else None
        if alias is not None:
            found[name] = unquoted(alias[1])
    for name, meant in found.items():
        while meant in found:
            meant = found[meant]  # noqa: PLW2901 - to the end of the chain
        found[name] = meant
    return found


def make_variable(module: ModuleContext, name: str, parsed: ParsedGlobal) -> Variable:
    """The IR's variable. Raise Unsupported where its type has no known size."""
    variable, layout = parsed.variable, module.layout
    element, shape = _shape(layout, variable.type)
    leaves = layout.leaves(element) if not shape or 0 not in shape else (None,)
    one = len(leaves) == 1 and leaves[0] is not None
    ir_type = module.register_type(leaves[0]) if one else TYPES["b8"]  # type: ignore[arg-type] # one: it is a scalar
    size: int | None = layout.size(variable.type)
    if size is not None and size > MOST_VARIABLE_BYTES:
        raise Unsupported(f"a variable has at most {MOST_VARIABLE_BYTES} bytes, not {size}")
    space = module.target.space(variable.space)
    if space is Space.SHARED and size == 0:
        size = None
    if space is Space.GENERIC:
        space = Space.GLOBAL
    given = _bytes(module, parsed, size or 0)
    elements = None if given is None else _elements(given, ir_type, layout.pointer_width(0) // 8)
    if given is not None and elements is None:  # a mixture: its bytes say it all
        one, elements = False, Elements(TYPES["b8"], given)
    return Variable(
        name=name,
        space=space,
        type=ir_type if elements is None else elements.type,
        size_bytes=size,
        align=parsed.align or layout.align(variable.type),
        shape=tuple(n or None for n in shape) if one else (size,),
        initialiser=None if elements is None else elements.values,
        attributes=tuple(sorted(_LINKAGE.intersection(variable.words))),
        span=parsed.span,
    )


def _shape(layout: DataLayout, type_: Type) -> tuple[Type, tuple[int, ...]]:
    """The element type of nested arrays, and their sizes from the outermost."""
    sizes = []
    resolved = layout.resolve(type_)
    while isinstance(resolved, ArrayType):
        sizes.append(resolved.count)
        resolved = layout.resolve(resolved.element)
    return resolved, tuple(sizes)


class Elements(NamedTuple):
    """An initialiser as the IR has it: elements of a type in the order of memory."""

    type: IrType
    values: tuple[int | float | Symbol, ...]


def _elements(
    given: tuple[int | Symbol, ...], type_: IrType, address_bytes: int
) -> Elements | None:
    """Elements joined from bytes; None where addresses and numbers do not fall into them."""
    size = type_.size_bytes
    if size == 1:
        return Elements(TYPES["b8"], given)
    values: list[int | Symbol] = []
    place = 0
    while place < len(given):
        first, chunk = given[place], given[place : place + size]
        if isinstance(first, Symbol) and size == address_bytes:
            values.append(first)
            place += 1
            continue
        numbers = [byte for byte in chunk if isinstance(byte, int)]
        if len(numbers) < size:
            return None
        values.append(int.from_bytes(bytes(numbers), "little"))
        place += size
    floats = _floats(given, type_)
    if floats is not None:
        return Elements(type_, floats)
    return Elements(TYPES[f"b{type_.bits}"], tuple(values))


def _floats(given: tuple[int | Symbol, ...], type_: IrType) -> tuple[float, ...] | None:
    """Read bytes as floating-point numbers; not with a NaN, whose bits would be lost."""
    letter = {"f32": "f", "f64": "d"}.get(type_.name)
    if letter is None:
        return None
    raw = bytes([byte for byte in given if isinstance(byte, int)])
    numbers = struct.unpack(f"<{len(raw) // type_.size_bytes}{letter}", raw)
    return None if any(map(isnan, numbers)) else numbers


def _global_casts(instructions: Sequence[Instruction]) -> dict[int, Symbol]:
    """The registers that hold addresses as global or generic ones: these are equal."""
    found = {}
    for instruction in instructions:
        match instruction.operands:
            case (Reg(index), Symbol() as symbol) if _GLOBAL_CAST.match(
                instruction.operation.opcode
            ):
                found[index] = symbol
    return found


_GLOBAL_CAST = re.compile(r"cvta(\.to)?\.global\.")


def _bytes(
    module: ModuleContext, parsed: ParsedGlobal, size: int
) -> tuple[int | Symbol, ...] | None:
    """The bytes of an initialiser; a symbol stands for all the bytes of its address."""
    value = parsed.variable.initialiser
    if value is None or isinstance(value, st.Keyword) or size > _MAX_INITIALISER_BYTES:
        return None
    builder = Builder(module, parsed.span)
    values = OperandValues(builder, {}, {})
    values.texts = parsed.texts
    operands = values.constant_parts(st.Typed(parsed.variable.type, value))
    casts = _global_casts(builder.out)
    if len(casts) < len(builder.out):
        raise Unsupported("an initialiser that has to be computed")
    operands = tuple([casts.get(o.index, o) if isinstance(o, Reg) else o for o in operands])
    out: list[int | Symbol] = []
    end = 0
    placed = module.layout.placed_leaves(parsed.variable.type, most=8 * size)
    for (leaf, offset), operand in zip(placed, operands, strict=True):
        width = max(1, module.width(leaf) // 8)
        out += [0] * (offset - end)
        end = offset + width
        match operand:
            case Symbol():
                out.append(operand)
            case Imm(number) | FloatImm(number, _):
                out += (number & ((1 << 8 * width) - 1)).to_bytes(width, "little")
            case _:
                raise Unsupported(f"a value of {leaf} in an initialiser")
    return (*out, *[0] * (size - end))
