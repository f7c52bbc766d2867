"""Calls that become several accesses: copies of known length, OpenCL's vloadN and vstoreN."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from analyzer.frontends.llvm import statement as st
from analyzer.frontends.llvm.lowering import Lowering
from analyzer.frontends.llvm.memory import address_of, dotted, load_parts, memory_type, pieces
from analyzer.frontends.llvm.text import unquoted
from analyzer.frontends.llvm.types import VectorType
from analyzer.ir.kernel import Imm, Operand

_MAX_BYTES = 256
_VECTOR_ACCESS = re.compile(r"_Z\d+v(?:load|store)\d+")


def lower_copy(low: Lowering, template: st.Template) -> bool:
    """``llvm.memcpy`` and ``llvm.memmove`` of a short, known length: all loads, then all stores."""
    to, source, length = template.operands[:3]
    size = low.values.integer(length)
    if size is None or size > _MAX_BYTES or "volatile" in template.words:
        return False
    (to_base, to_space), (base, space) = low.values.pointer(to), low.values.pointer(source)
    loaded = []
    align = min(_align(low, to), _align(low, source))
    for offset, width in _chunks(size, align):
        value = low.builder.compute(
            f"ld{dotted(space)}.b{8 * width}", f"b{8 * width}", address_of(base, offset)
        )
        loaded.append((offset, width, value))
    for offset, width, value in loaded:
        low.emit(f"st{dotted(to_space)}.b{8 * width}", address_of(to_base, offset), value)
    return True


def lower_set(low: Lowering, template: st.Template) -> bool:
    """``llvm.memset`` of a short, known length with a constant."""
    to, value, length = template.operands[:3]
    size, byte = low.values.integer(length), low.values.integer(value)
    if size is None or byte is None or size > _MAX_BYTES:
        return False
    base, space = low.values.pointer(to)
    for offset, width in _chunks(size, _align(low, to)):
        number = int.from_bytes(bytes([byte & 255]) * width, "little")
        low.emit(f"st{dotted(space)}.b{8 * width}", address_of(base, offset), Imm(number))
    return True


def _align(low: Lowering, argument: st.Typed) -> int:
    return 1 if argument.align is None else int(low.values.texts[argument.align])


def _chunks(size: int, align: int) -> Iterator[tuple[int, int]]:
    """Cut ``size`` bytes into (offset, width) of 8, 4, 2 and 1 bytes, as alignment allows."""
    offset = 0
    while offset < size:
        width = next(w for w in (8, 4, 2, 1) if w <= max(1, align) and offset + w <= size)
        yield offset, width
        offset += width


def _vector_address(
    low: Lowering, index: st.Typed, pointer: st.Typed, type_: VectorType
) -> tuple[Operand, str]:
    base, space = low.values.pointer(pointer)
    (leaf,) = low.layout.leaves(index.type)
    (pointer_leaf,) = low.layout.leaves(pointer.type)
    width = low.module.width(pointer_leaf)
    scale = type_.count * low.layout.store_size(type_.element)
    offset = low.builder.resized(low.values.scalar(index), leaf, width)
    address = low.builder.compute(f"lea.b{width}", f"b{width}", base, offset, Imm(scale), Imm(0))
    return address, dotted(space)


def lower_vload(low: Lowering, template: st.Template) -> bool:
    """``vloadN(offset, p)``: the elements at p + offset * N, aligned as one element is."""
    type_ = template.type
    if not isinstance(type_, VectorType) or len(template.operands) != 2:
        return False
    address, space = _vector_address(low, *template.operands, type_)
    load_parts(low, f"ld{space}", type_, address, low.layout.align(type_.element))
    return True


def lower_vstore(low: Lowering, template: st.Template) -> bool:
    """``vstoreN(value, offset, p)``."""
    value, *place = template.operands
    if not isinstance(value.type, VectorType) or len(place) != 2:
        return False
    parts = low.values.parts(value)
    address, space = _vector_address(low, place[0], place[1], value.type)
    for piece in pieces(low, value.type, low.layout.align(value.type.element)):
        type_ = memory_type(low, piece.leaf)
        low.emit(f"st{space}.{type_}", address_of(address, piece.offset), parts[piece.first])
    return True


_Handler = Callable[[Lowering, st.Template], bool]
SPECIAL: dict[str, _Handler] = {
    "llvm.memcpy": lower_copy,
    "llvm.memmove": lower_copy,
    "llvm.memset": lower_set,
}


def vector_access(callee: str) -> _Handler | None:
    """The handler of OpenCL's ``vloadN`` and ``vstoreN``; None for other functions."""
    if not _VECTOR_ACCESS.match(unquoted(callee)):
        return None
    return lower_vload if "vload" in callee else lower_vstore
