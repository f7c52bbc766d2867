"""Lowering of loads, stores, atomics, fences and address arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.frontends.llvm import statement as st
from analyzer.frontends.llvm.builder import is_predicate
from analyzer.frontends.llvm.lowering import Lowering
from analyzer.frontends.llvm.target import data_table
from analyzer.frontends.llvm.types import (
    FloatType,
    PointerType,
    Scalar,
    StructType,
    Type,
    Unsupported,
    VectorType,
)
from analyzer.ir.kernel import Address, Imm, Operand, Reg, Symbol, Vector
from analyzer.ir.types import Space

_TABLE = data_table("instructions.toml")
_MAX_VECTOR_BYTES = 16


def address_of(operand: Operand, offset: int = 0) -> Address:
    """An address operand from a pointer's register, symbol or number."""
    match operand:
        case Symbol(name, start):
            return Address(Symbol(name), start + offset)
        case Reg() | Imm():
            return Address(operand, offset)
    raise Unsupported("an address that is no register, symbol or number")


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of an access: leaves ``first`` to ``first + count`` at a byte offset."""

    first: int
    count: int
    offset: int
    leaf: Scalar


def pieces(low: Lowering, type_: Type, align: int) -> Iterator[Piece]:
    """Cut an access into such as the hardware has: a vector's parts go two or four at a time."""
    placed = list(low.layout.placed_leaves(type_))
    is_vector = isinstance(low.layout.resolve(type_), VectorType)
    first = 0
    while first < len(placed):
        leaf, offset = placed[first]
        size = max(1, low.layout.scalar_bits(leaf) // 8)
        count = 1
        for wide in (4, 2):
            fits = wide * size <= _MAX_VECTOR_BYTES and first + wide <= len(placed)
            if is_vector and fits and (align | offset) % (wide * size) == 0:
                count = wide
                break
        yield Piece(first, count, offset, leaf)
        first += count


def memory_type(low: Lowering, leaf: Scalar) -> str:
    """The type that a leaf has in memory: bits, except for floats that the hardware computes on."""
    if is_predicate(leaf):
        return "u8"
    if isinstance(leaf, FloatType) and leaf.name in ("float", "double"):
        return low.module.spelled(leaf, "f")
    return low.module.spelled(leaf, "b")


def _check_packed(low: Lowering, type_: Type) -> None:
    resolved = low.layout.resolve(type_)
    if isinstance(resolved, VectorType) and low.layout.scalar_bits(resolved.element) % 8:  # type: ignore[arg-type]
        raise Unsupported("a vector in memory whose elements are no whole bytes")


def _alignment(low: Lowering, template: st.Template, type_: Type) -> int:
    if template.align is None:
        return low.layout.align(type_)
    return int(low.values.texts[template.align])


def _qualifiers(low: Lowering, template: st.Template, kind: str) -> str:
    """``.volatile``, or order and scope of an atomic access; nothing for a plain one."""
    order = next((w for w in template.words if w in _TABLE["orders"][kind]), None)
    if order is not None:
        if order == "seq_cst":
            low.emit(f"fence.sc.{scope_of(low, template)}")
        return f".{_TABLE['orders'][kind][order]}.{scope_of(low, template)}"
    return ".volatile" if "volatile" in template.words else ""


def scope_of(low: Lowering, template: st.Template) -> str:
    """PTX's name for a statement's ``syncscope``."""
    text = "" if template.scope is None else low.values.texts[template.scope].strip('"')
    return str(_TABLE["scopes"].get(text.removesuffix("-one-as"), "sys"))


def dotted(space: Space) -> str:
    """A space as part of an opcode; a generic access names none."""
    return "" if space is Space.GENERIC else f".{space.value}"


def lower_load(low: Lowering, template: st.Template) -> None:
    """``load``, as one instruction or several."""
    assert template.type is not None
    _check_packed(low, template.type)
    base, space = low.values.pointer(template.operands[0])
    head = f"ld{_qualifiers(low, template, 'load')}{dotted(space)}"
    if space is Space.GLOBAL and "!invariant.load" in low.attachments and head == "ld.global":
        head += ".nc"
    load_parts(low, head, template.type, base, _alignment(low, template, template.type))


def load_parts(low: Lowering, head: str, type_: Type, base: Operand, align: int) -> None:
    """Load all parts of the statement's result with opcodes that start with ``head``."""
    results = low.results(type_)
    for piece in pieces(low, type_, align):
        address = address_of(base, piece.offset)
        name = memory_type(low, piece.leaf)
        to = results[piece.first : piece.first + piece.count]
        if is_predicate(piece.leaf):
            byte = low.builder.compute(f"{head}.u8", "b8", address)
            low.emit("setp.ne.b8", to[0], byte, Imm(0))
        elif piece.count == 1:
            low.emit(f"{head}.{name}", to[0], address)
        else:
            low.emit(f"{head}.v{piece.count}.{name}", Vector(to), address)


def lower_store(low: Lowering, template: st.Template) -> None:
    """``store``, as one instruction or several."""
    value, pointer = template.operands
    _check_packed(low, value.type)
    parts = low.values.parts(value)
    base, space = low.values.pointer(pointer)
    head = f"st{_qualifiers(low, template, 'store')}{dotted(space)}"
    for piece in pieces(low, value.type, _alignment(low, template, value.type)):
        address = address_of(base, piece.offset)
        name = memory_type(low, piece.leaf)
        chosen = parts[piece.first : piece.first + piece.count]
        if is_predicate(piece.leaf):
            p = low.builder.predicate(chosen[0])
            chosen = (low.builder.compute("selp.b8", "b8", Imm(1), Imm(0), p),)
        vector = "" if piece.count == 1 else f".v{piece.count}"
        low.emit(f"{head}{vector}.{name}", address, chosen[0] if not vector else Vector(chosen))


def lower_atomic(low: Lowering, template: st.Template) -> None:
    """``atomicrmw``."""
    pointer, value = template.operands
    name = next((w for w in template.words if w in _TABLE["atomic"]), None)
    (leaf,) = low.layout.leaves(value.type)
    if name is None:
        raise Unsupported(f"`atomicrmw {' '.join(template.words)}`")
    line = _TABLE["atomic"][name]
    spellings = low.module.spellings(leaf)
    if isinstance(leaf, FloatType) and name == "xchg":
        spellings["b"] = f"b{low.module.width(leaf)}"
    operand = low.values.scalar(value)
    base, space = low.values.pointer(pointer)
    (to,) = low.results(value.type)
    if "negate" in line:
        operand = _negated(low, line["negate"].format(**spellings), leaf, operand)
    opcode = line["opcode"].format(**spellings)
    low.emit(f"atom{dotted(space)}.{opcode}", to, address_of(base), operand)


def _negated(low: Lowering, opcode: str, leaf: Scalar, operand: Operand) -> Operand:
    if isinstance(operand, Imm):
        return Imm(-operand.value)
    return low.builder.compute(opcode, low.module.register_type(leaf), operand)


def lower_compare_exchange(low: Lowering, template: st.Template) -> None:
    """``cmpxchg``: the compare-and-swap, and the comparison for its second result."""
    pointer, expected, new = template.operands
    (leaf,) = low.layout.leaves(expected.type)
    old, success = low.results(StructType((expected.type, low.predicate_type(expected.type))))
    wanted, value = low.values.scalar(expected), low.values.scalar(new)
    base, space = low.values.pointer(pointer)
    b = low.module.spelled(leaf, "b")
    low.emit(f"atom{dotted(space)}.cas.{b}", old, address_of(base), wanted, value)
    low.emit(f"setp.eq.{b}", success, old, wanted)


def lower_fence(low: Lowering, template: st.Template) -> None:
    """``fence``."""
    order = "sc" if "seq_cst" in template.words else "acq_rel"
    low.emit(f"fence.{order}.{scope_of(low, template)}")


def lower_gep(low: Lowering, template: st.Template) -> None:
    """``getelementptr``: one ``lea`` for each variable index, at least one."""
    base, *indices = template.operands
    if not isinstance(base.type, PointerType):
        raise Unsupported("`getelementptr` of a vector of pointers")
    assert template.type is not None
    offset, terms = low.values.gep_terms(template.type, indices)
    (to,) = low.results(base.type)
    width = low.module.width(base.type)
    address: Operand = low.values.pointer(base)[0]
    if isinstance(address, Symbol):
        address, offset = Symbol(address.name), address.offset + offset
    if not terms:
        low.emit(f"lea.b{width}", to, address, Imm(0), Imm(1), Imm(offset))
    for position, (index, scale) in enumerate(terms):
        (leaf,) = low.layout.leaves(index.type)
        value = low.builder.resized(low.values.scalar(index), leaf, width, "s")
        last = position == len(terms) - 1
        result = to if last else low.builder.temporary(f"b{width}")
        low.emit(f"lea.b{width}", result, address, value, Imm(scale), Imm(offset))
        address, offset = result, 0
