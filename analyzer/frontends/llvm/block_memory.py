"""Calls that become several accesses: copies of known length, OpenCL's vloadN and vstoreN."""

from __future__ import annotations

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.accesses import (
    Access,
    address_of,
    byte_chunks,
    dotted,
    dotted_both,
    load_parts,
    store_parts,
)
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import VectorType
from warpmill.analyzer.ir.kernel import Imm, Operand

_MAX_BYTES = 256


def lower_copy(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.memcpy`` and ``memmove``: of a short, known length all loads, then all stores."""
    to, source, length = template.operands[:3]
    size = low.values.integer(length)
    (to_base, to_space), (base, space) = low.values.pointer(to), low.values.pointer(source)
    if size is None or size > _MAX_BYTES:
        opcode = f"copy{dotted_both(to_space, space)}.b8"
        low.emit(opcode, address_of(to_base), address_of(base), low.values.scalar(length))
        return True
    loaded = []
    align = min(_align(low, to), _align(low, source))
    for offset, width in byte_chunks(size, align):
        value = low.builder.compute(
            f"ld{dotted(space)}.b{8 * width}", f"b{8 * width}", address_of(base, offset)
        )
        loaded.append((offset, width, value))
    for offset, width, value in loaded:
        low.emit(f"st{dotted(to_space)}.b{8 * width}", address_of(to_base, offset), value)
    return True


def lower_set(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.memset``: of a short, known length with a constant as stores."""
    to, value, length = template.operands[:3]
    size, byte = low.values.integer(length), low.values.integer(value)
    base, space = low.values.pointer(to)
    if size is None or byte is None or size > _MAX_BYTES:
        operands = low.values.scalar(value), low.values.scalar(length)
        low.emit(f"fill{dotted(space)}.b8", address_of(base), *operands)
        return True
    for offset, width in byte_chunks(size, _align(low, to)):
        number = int.from_bytes(bytes([byte & 255]) * width, "little")
        low.emit(f"st{dotted(space)}.b{8 * width}", address_of(base, offset), Imm(number))
    return True


def _align(low: Lowering, argument: st.Typed) -> int:
    return 1 if argument.align is None else int(low.values.texts[argument.align])


def _vector_address(
    low: Lowering, index: st.Typed, pointer: st.Typed, type_: VectorType
) -> tuple[Operand, str]:
    base, space = low.values.pointer(pointer)
    leaf = low.layout.leaf(index.type)
    pointer_leaf = low.layout.leaf(pointer.type)
    width = low.module.width(pointer_leaf)
    scale = type_.count * low.layout.store_size(type_.element)
    offset = low.builder.resized(low.values.scalar(index), leaf, width)
    address = low.builder.compute(f"lea.b{width}", f"b{width}", base, offset, Imm(scale), Imm(0))
    return address, dotted(space)


def lower_vload(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``vloadN(offset, p)``: the elements at p + offset * N, aligned as one element is."""
    type_ = template.type
    if not isinstance(type_, VectorType) or len(template.operands) != 2:
        return False
    address, space = _vector_address(low, *template.operands, type_)
    load_parts(low, Access(f"ld{space}", address, low.layout.align(type_.element)), type_)
    return True


def lower_vstore(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``vstoreN(value, offset, p)``."""
    value, *place = template.operands
    if not isinstance(value.type, VectorType) or len(place) != 2:
        return False
    parts = low.values.parts(value)
    address, space = _vector_address(low, place[0], place[1], value.type)
    access = Access(f"st{space}", address, low.layout.align(value.type.element))
    store_parts(low, access, value.type, parts)
    return True
