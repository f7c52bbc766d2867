"""Lowering of what accesses memory: loads, stores, atomics, fences, address arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.context import is_predicate
from warpmill.analyzer.frontends.llvm.types import (
    FloatType,
    IntType,
    PointerType,
    Scalar,
    StructType,
    Type,
    Unsupported,
    VectorType,
    data_table,
)
from warpmill.analyzer.frontends.llvm.values import Lowering, OperandValues
from warpmill.analyzer.frontends.llvm.word_values import (
    PackedWord,
    as_integer,
    container,
    is_odd,
    pack,
    sign_extended,
    unpack,
    word_sizes,
)
from warpmill.analyzer.ir.kernel import Address, Imm, Operand, Reg, Symbol, Vector
from warpmill.analyzer.ir.types import Space

_TABLE = data_table("instructions.toml")


def _alignment(low: Lowering, template: st.Template, type_: Type) -> int:
    """An atomic access is taken as aligned: it cannot be cut, and no target has one that is not."""
    if template.align is None or "atomic" in template.words:
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


def lower_load(low: Lowering, template: st.Template) -> None:
    """``load``, as one instruction or several."""
    assert template.type is not None
    base, space = low.values.pointer(template.operands[0])
    head = f"ld{_qualifiers(low, template, 'load')}{dotted(space)}"
    if space is Space.GLOBAL and "!invariant.load" in low.attachments and head == "ld.global":
        head += ".nc"
    access = ValuePlace(head, base, _alignment(low, template, template.type))
    load_parts(low, access, template.type)


def lower_store(low: Lowering, template: st.Template) -> None:
    """``store``, as one instruction or several."""
    value, pointer = template.operands
    parts = low.values.parts(value)
    base, space = low.values.pointer(pointer)
    head = f"st{_qualifiers(low, template, 'store')}{dotted(space)}"
    access = ValuePlace(head, base, _alignment(low, template, value.type))
    store_parts(low, access, value.type, parts)


def lower_fence(low: Lowering, template: st.Template) -> None:
    """``fence``."""
    order = "sc" if "seq_cst" in template.words else "acq_rel"
    low.emit(f"fence.{order}.{scope_of(low, template)}")


def lower_gep(low: Lowering, template: st.Template) -> None:
    """``getelementptr``: one ``lea`` for each variable index, at least one; lane by lane."""
    base, *indices = template.operands
    assert template.type is not None
    types = [low.layout.resolve(o.type) for o in template.operands]
    count = next((t.count for t in types if isinstance(t, VectorType)), None)
    offset, terms = low.values.gep_terms(template.type, indices)
    if count is None:
        pointer: Operand = low.values.pointer(base)[0]
        (to,) = low.results(base.type)
        scaled = [(low.values.scalar(i), low.layout.leaf(i.type), scale) for i, scale in terms]
        _address(low, to, pointer, offset, scaled)
        return
    element = types[0].element if isinstance(types[0], VectorType) else types[0]
    bases = _spread(low.values.parts(base), count)
    lanes = [_spread(low.values.parts(index), count) for index, _ in terms]
    leaves = [low.layout.leaves(index.type)[0] for index, _ in terms]
    for k, to in enumerate(low.results(VectorType(count, element))):
        scaled = [
            (lane[k], leaf, scale)
            for lane, leaf, (_, scale) in zip(lanes, leaves, terms, strict=True)
        ]
        _address(low, to, bases[k], offset, scaled)


def _spread(parts: tuple[Operand, ...], count: int) -> tuple[Operand, ...]:
    return parts * count if len(parts) == 1 else parts


def _address(
    low: Lowering,
    to: Reg,
    address: Operand,
    offset: int,
    terms: list[tuple[Operand, Scalar, int]],
) -> None:
    """The address of one lane: a base, a byte offset, and indices with their scales."""
    width = low.builder.type_of(to).bits
    if isinstance(address, Symbol):
        address, offset = Symbol(address.name), address.offset + offset
    if not terms:
        low.emit(f"lea.b{width}", to, address, Imm(0), Imm(1), Imm(offset))
    for position, (value, leaf, scale) in enumerate(terms):
        index = sign_extended(low, value, leaf) if is_odd(low, leaf) else value
        index = low.builder.resized(index, leaf, width, "s")
        last = position == len(terms) - 1
        result = to if last else low.builder.temporary(f"b{width}")
        low.emit(f"lea.b{width}", result, address, index, Imm(scale), Imm(offset))
        address, offset = result, 0


# Lowering of ``atomicrmw`` and ``cmpxchg``.


def lower_atomic(low: Lowering, template: st.Template) -> None:
    """``atomicrmw``."""
    pointer, value = template.operands
    name = next((w for w in template.words if w in _TABLE["atomic"]), None)
    if name is None:
        raise Unsupported(f"`atomicrmw {' '.join(template.words)}`")
    if isinstance(low.layout.resolve(value.type), VectorType):
        _packed_atomic(low, template, name)
        return
    leaf = low.layout.leaf(value.type)
    line = _TABLE["atomic"][name]
    spellings = low.module.spellings(leaf)
    if isinstance(leaf, FloatType) and name == "xchg":
        spellings["b"] = f"b{low.module.width(leaf)}"
    operand = low.values.scalar(value)
    base, space = low.values.pointer(pointer)
    (to,) = low.results(value.type)
    if "negate" in line:
        operand = _negated(low, line["negate"].format(**spellings), leaf, operand)
    opcode = line["opcode"].format(**spellings, space=dotted(space))
    low.emit(opcode, to, address_of(base), operand)


def _packed_atomic(low: Lowering, template: st.Template, name: str) -> None:
    """Two halves are added at once; that is all that there is of vectors."""
    pointer, value = template.operands
    leaves = low.layout.leaves(value.type)
    if name != "fadd" or len(leaves) != 2 or low.module.width(leaves[0]) != 16:
        raise Unsupported(f"`atomicrmw {name}` of a vector")
    results, parts = low.results(value.type), low.values.parts(value)
    base, space = low.values.pointer(pointer)
    type_ = f"{low.module.spelled(leaves[0], 'f')}x2"
    both = low.builder.compute("mov.b32", "b32", Vector(parts))
    old = low.builder.compute(
        f"atom{dotted(space)}.add.noftz.{type_}", "b32", address_of(base), both
    )
    low.emit("mov.b32", Vector(results), old)


def _negated(low: Lowering, opcode: str, leaf: Scalar, operand: Operand) -> Operand:
    if isinstance(operand, Imm):
        return Imm(-operand.value)
    return low.builder.compute(opcode, low.module.register_type(leaf), operand)


def lower_compare_exchange(low: Lowering, template: st.Template) -> None:
    """``cmpxchg``: the compare-and-swap, and the comparison for its second result."""
    pointer, expected, new = template.operands
    leaves = low.layout.leaves(expected.type)
    *old, success = low.results(StructType((expected.type, IntType(1))))
    if len(leaves) == 2:
        _wide_exchange(low, template, old, success)
        return
    leaf = low.layout.leaf(expected.type)
    wanted, value = low.values.scalar(expected), low.values.scalar(new)
    base, space = low.values.pointer(pointer)
    b = low.module.spelled(leaf, "b")
    low.emit(f"atom{dotted(space)}.cas.{b}", old[0], address_of(base), wanted, value)
    low.emit(f"setp.eq.{b}", success, old[0], wanted)


def _wide_exchange(low: Lowering, template: st.Template, old: list[Reg], success: Reg) -> None:
    """Lower an exchange of 128 bits: PTX takes them as one register each."""
    pointer, expected, new = template.operands
    wanted, value = low.values.parts(expected), low.values.parts(new)
    base, space = low.values.pointer(pointer)
    both = [low.builder.compute("mov.b128", "b128", Vector(v)) for v in (wanted, value)]
    opcode = f"atom{dotted(space)}.cas.b128"
    found = low.builder.compute(opcode, "b128", address_of(base), *both)
    low.emit("mov.b128", Vector(tuple(old)), found)
    same = [
        low.builder.compute("setp.eq.b64", "pred", o, w) for o, w in zip(old, wanted, strict=True)
    ]
    low.emit("and.pred", success, *same)


# Accesses to memory: how a value of any type is cut into what the hardware has.
#
# A part that is less aligned than it is wide goes by pieces of its alignment, as LLVM splits it
# for NVIDIA. So it does on the other targets: accesses of the IR lie at multiples of their width,
# and whoever executes them holds them to it. AMD's hardware takes most of those in one access, so
# that there are more of them here than it makes; what is loaded and stored is the same.

_MAX_VECTOR_BYTES = 16


class ValuePlace(NamedTuple):
    """Memory that holds a value: its opcodes start with ``head``, ``align`` is in bytes."""

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


# Which generic pointers of a function point into one known memory space.
#
# Compilers write the address of a CUDA shared variable as a cast to generic in a constant
# expression and go on from there; a stack slot is generic on some targets. The space is carried
# through address arithmetic, phi and select, as far as all sources agree.


class Bound(NamedTuple):
    """A parsed statement with its names."""

    template: st.Template
    texts: Sequence[str]


class _Carrier(NamedTuple):
    """A pointer made out of pointers: ``locals`` that are to be settled, ``fixed`` spaces."""

    name: str
    locals: tuple[str, ...]
    fixed: frozenset[Space]


_CARRIES = frozenset({"getelementptr", "phi", "select", "freeze"})


def carries_space(template: st.Template) -> bool:
    """Whether a statement makes a pointer out of pointers."""
    if template.opcode not in _CARRIES or template.result is None:
        return False
    return isinstance(_sources(template)[0].type, PointerType)


def infer_spaces(
    carriers: Sequence[Bound], roots: Mapping[str, Space], values: OperandValues
) -> dict[str, Space]:
    """Memory spaces of local pointers by name, ``roots`` included; generic ones are left out.

    ``carriers`` are the statements that ``carries_space`` tells. Optimistic: a pointer that is not
    settled yet agrees with every other, so loops settle.
    """
    names = [_name(bound.template.result, bound) for bound in carriers]
    found: dict[str, Space | None] = dict.fromkeys(names)
    found.update(roots)
    pointers = [_carrier(n, b, found, values) for n, b in zip(names, carriers, strict=True)]
    changed = True
    while changed:
        changed = False
        for pointer in pointers:
            space = _meet(pointer, found)
            if space is not found[pointer.name]:
                found[pointer.name], changed = space, True
    return {n: s for n, s in found.items() if s is not None and s is not Space.GENERIC}


def _carrier(
    name: str, bound: Bound, found: Mapping[str, Space | None], values: OperandValues
) -> _Carrier:
    """Sort the sources of a pointer; what is undefined agrees with every space."""
    values.texts = bound.texts
    names, fixed = [], set()
    for source in _sources(bound.template):
        match source.value:
            case st.Keyword("undef" | "poison"):
                continue
            case st.Local(local) if (text := _name(local, bound)) in found:
                names.append(text)
            case _:
                fixed.add(values.space(source))
    return _Carrier(name, tuple(names), frozenset(fixed))


def _name(name: st.Name | None, bound: Bound) -> str:
    assert name is not None
    return bound.texts[name] if isinstance(name, int) else name


def _sources(template: st.Template) -> tuple[st.Typed, ...]:
    if template.opcode == "getelementptr":
        return template.operands[:1]
    return template.operands[1:] if template.opcode == "select" else template.operands


def _meet(pointer: _Carrier, found: Mapping[str, Space | None]) -> Space | None:
    if len(pointer.locals) == 1 and not pointer.fixed:
        return found[pointer.locals[0]]
    spaces = {s for n in pointer.locals if (s := found[n]) is not None} | pointer.fixed
    return next(iter(spaces)) if len(spaces) == 1 else Space.GENERIC if spaces else None
