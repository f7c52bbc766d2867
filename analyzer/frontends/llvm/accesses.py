"""Accesses to memory: how a value of any type is cut into what the hardware has.

A part that is less aligned than it is wide goes by pieces of its alignment, as LLVM splits it for
NVIDIA. So it does on the other targets: accesses of the IR lie at multiples of their width, and
whoever executes them holds them to it. AMD's hardware takes most of those in one access, so that
there are more of them here than it makes; what is loaded and stored is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from warpmill.analyzer.frontends.llvm.builder import is_predicate
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import (
    FloatType,
    IntType,
    Scalar,
    Type,
    Unsupported,
    VectorType,
)
from warpmill.analyzer.frontends.llvm.word_values import (
    PackedWord,
    as_integer,
    container,
    is_odd,
    pack,
    unpack,
    word_sizes,
)
from warpmill.analyzer.ir.kernel import Address, Imm, Operand, Reg, Symbol, Vector
from warpmill.analyzer.ir.types import Space

_MAX_VECTOR_BYTES = 16


class ValuePlace(NamedTuple):
    """Where a value lies: its opcodes start with ``head``, ``align`` is in bytes."""

    head: str
    base: Operand
    align: int


def address_of(operand: Operand, offset: int = 0) -> Address:
    """An address operand from a pointer's register, symbol or number."""
    match operand:
        case Symbol(name, start):
            return Address(Symbol(name), start + offset)
        case Reg() | Imm():
            return Address(operand, offset)
    raise Unsupported("an address that is no register, symbol or number")


@dataclass(frozen=True, slots=True)
class ValuePiece:
    """Part of an access: leaves ``first`` to ``first + count`` at a byte offset."""

    first: int
    count: int
    offset: int
    leaf: Scalar


def pieces(low: Lowering, type_: Type, align: int) -> Iterator[ValuePiece]:
    """Cut an access into such as the hardware has: a vector's parts go two or four at a time."""
    placed = list(low.layout.placed_leaves(type_))
    resolved = low.layout.resolve(type_)
    is_vector = isinstance(resolved, VectorType | IntType)  # a wide integer has several words
    first = 0
    while first < len(placed):
        leaf, offset = placed[first]
        size = low.layout.store_size(leaf)
        count = 1
        for wide in (4, 2):
            fits = wide * size <= _MAX_VECTOR_BYTES and first + wide <= len(placed)
            fits = fits and all(_is_like(low, leaf, other) for other, _ in placed[first:][:wide])
            if is_vector and fits and (align | offset) % (wide * size) == 0:
                count = wide
                break
        yield ValuePiece(first, count, offset, leaf)
        first += count


def _is_like(low: Lowering, leaf: Scalar, other: Scalar) -> bool:
    return leaf == other and (is_predicate(leaf) or not is_odd(low, leaf))


def memory_type(low: Lowering, leaf: Scalar) -> str:
    """The type that a leaf has in memory: bits, except for floats that the hardware computes on."""
    if is_predicate(leaf):
        return "u8"
    if isinstance(leaf, FloatType) and leaf.name in ("float", "double"):
        return low.module.spelled(leaf, "f")
    return low.module.spelled(leaf, "b")


def _is_packed(low: Lowering, type_: Type) -> bool:
    """Whether a vector's elements are no whole bytes, and lie bit by bit in memory."""
    resolved = low.layout.resolve(type_)
    if not isinstance(resolved, VectorType):
        return False
    bits = low.layout.bits(resolved.element)
    return bits % 8 != 0


def dotted(space: Space) -> str:
    """A space as part of an opcode; a generic access names none."""
    return "" if space is Space.GENERIC else f".{space.value}"


def dotted_both(to: Space, source: Space) -> str:
    """Two spaces as part of the opcode of a copy: where one is generic, that is written out."""
    if to is source:
        return dotted(to)
    return f".{to.value}.{source.value}"


def load_parts(low: Lowering, access: ValuePlace, type_: Type) -> None:
    """Load all parts of the statement's result."""
    load_to(low, access, type_, low.results(type_))


def load_to(low: Lowering, access: ValuePlace, type_: Type, results: tuple[Reg, ...]) -> None:
    """Load all parts of a value into registers."""
    if _is_packed(low, type_):
        leaves = low.layout.leaves(type_)
        sizes = word_sizes(sum(map(low.layout.scalar_bits, leaves)))
        words = [
            PackedWord(
                _load_bytes(low, access, ValuePiece(0, 1, 8 * k, IntType(n))), n, container(n)
            )
            for k, n in enumerate(sizes)
        ]
        unpack(low, words, leaves, results)
        return
    for piece in pieces(low, type_, access.align):
        to = results[piece.first : piece.first + piece.count]
        _load_piece(low, access, piece, to)


def _goes_by_bytes(low: Lowering, access: ValuePlace, piece: ValuePiece) -> bool:
    """Whether the hardware has no one access for a leaf: by its width, or by where it lies."""
    known = access.align | piece.offset
    return is_odd(low, piece.leaf) or known % low.layout.store_size(piece.leaf) != 0


def _load_piece(low: Lowering, access: ValuePlace, piece: ValuePiece, to: tuple[Reg, ...]) -> None:
    head = access.head
    address = address_of(access.base, piece.offset)
    name = memory_type(low, piece.leaf)
    if is_predicate(piece.leaf):
        byte = low.builder.compute(f"{head}.u8", "b8", address)
        low.emit("setp.ne.b8", to[0], byte, Imm(0))
    elif _goes_by_bytes(low, access, piece):
        width = low.module.width(piece.leaf)
        low.emit(f"mov.b{width}", to[0], _load_bytes(low, access, piece))
    elif piece.count == 1:
        low.emit(f"{head}.{name}", to[0], address)
    else:
        low.emit(f"{head}.v{piece.count}.{name}", Vector(to), address)


def _load_bytes(low: Lowering, access: ValuePlace, piece: ValuePiece) -> Operand:
    """The bits of a leaf of any width up to 64, from as many accesses as its bytes ask for."""
    width = max(8, low.module.width(piece.leaf))
    total: Operand | None = None
    for offset, size in byte_chunks(low.layout.store_size(piece.leaf), access.align, piece.offset):
        address = address_of(access.base, offset)
        part: Operand = low.builder.compute(f"{access.head}.b{8 * size}", f"b{8 * size}", address)
        if 8 * size != width:
            part = low.builder.resize(None, part, width, 8 * size, "u")
        moved = 8 * (offset - piece.offset)
        if moved:
            part = low.builder.compute(f"shl.b{width}", f"b{width}", part, Imm(moved))
        if total is not None:
            part = low.builder.compute(f"or.b{width}", f"b{width}", total, part)
        total = part
    assert total is not None
    return total


def byte_chunks(size: int, align: int, start: int = 0) -> Iterator[tuple[int, int]]:
    """Cut ``size`` bytes from ``start`` into (offset, width) of 8, 4, 2 and 1 bytes.

    ``align`` is the alignment at offset 0: a chunk is aligned to its width.
    """
    offset, end = start, start + size
    while offset < end:
        known = max(1, align) | offset
        width = next(w for w in (8, 4, 2, 1) if known % w == 0 and offset + w <= end)
        yield offset, width
        offset += width


def store_parts(low: Lowering, access: ValuePlace, type_: Type, parts: tuple[Operand, ...]) -> None:
    """Store all parts of a value."""
    if _is_packed(low, type_):
        for k, word in enumerate(pack(low, parts, low.layout.leaves(type_))):
            piece = ValuePiece(0, 1, 8 * k, IntType(word.bits))
            _store_bytes(low, access, piece, word.operand)
        return
    for piece in pieces(low, type_, access.align):
        chosen = parts[piece.first : piece.first + piece.count]
        _store_piece(low, access, piece, chosen)


def _store_piece(
    low: Lowering, access: ValuePlace, piece: ValuePiece, chosen: tuple[Operand, ...]
) -> None:
    address = address_of(access.base, piece.offset)
    name = memory_type(low, piece.leaf)
    if is_predicate(piece.leaf):
        p = low.builder.predicate(chosen[0])
        chosen = (low.builder.compute("selp.b8", "b8", Imm(1), Imm(0), p),)
    elif _goes_by_bytes(low, access, piece):
        _store_bytes(low, access, piece, as_integer(low, chosen[0], piece.leaf))
        return
    vector = "" if piece.count == 1 else f".v{piece.count}"
    low.emit(f"{access.head}{vector}.{name}", address, chosen[0] if not vector else Vector(chosen))


def _store_bytes(low: Lowering, access: ValuePlace, piece: ValuePiece, value: Operand) -> None:
    width = max(8, low.module.width(piece.leaf))
    for offset, size in byte_chunks(low.layout.store_size(piece.leaf), access.align, piece.offset):
        moved = 8 * (offset - piece.offset)
        part = value
        if isinstance(value, Imm):
            part = Imm(value.value >> moved & ((1 << 8 * size) - 1))
        elif moved:
            part = low.builder.compute(f"shr.u{width}", f"b{width}", value, Imm(moved))
        if 8 * size != width and not isinstance(part, Imm):
            part = low.builder.resize(None, part, 8 * size, width, "u")
        low.emit(f"{access.head}.b{8 * size}", address_of(access.base, offset), part)
