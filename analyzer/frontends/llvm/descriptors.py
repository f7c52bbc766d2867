"""AMD's buffer descriptors: 128 bits with base (48), stride (14), number of records and flags.

A descriptor is two words of 64 bits (``ptr addrspace(8)``) or four of 32 (``<4 x i32>``). An access
goes to base + stride * index + offsets; swizzled and out-of-bounds accesses are not told apart.
"""

from __future__ import annotations

import re

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.accesses import Access, load_parts, store_parts
from warpmill.analyzer.frontends.llvm.builder import is_pointer
from warpmill.analyzer.frontends.llvm.fields import Place, field, masked, pack
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import Type, Unsupported
from warpmill.analyzer.ir.kernel import Address, Imm, Operand, Reg

_BASE_BITS, _STRIDE_BITS = 48, 14
_ATOMIC = re.compile(r".*\.atomic\.(\w+?)(?:\.\w+)*")
_ATOMICS = {
    "swap": "exch.b", "add": "add.u", "smin": "min.s", "smax": "max.s", "umin": "min.u",
    "umax": "max.u", "and": "and.b", "or": "or.b", "xor": "xor.b", "inc": "inc.u", "dec": "dec.u",
    "fadd": "add.f", "fmin": "min.f", "fmax": "max.f",
}  # fmt: skip


def lower_make_descriptor(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``make.buffer.rsrc(base, stride, records, flags)``."""
    pointer, stride, records, flags = template.operands
    assert template.type is not None
    results = low.results(template.type)
    if len(results) != 2:
        raise Unsupported("a buffer descriptor of 64 bits, as the data layout has it,")
    base = low.values.parts(pointer)[0]
    if isinstance(base, Imm):
        raise Unsupported("a descriptor of a constant address")
    first = masked(low, base, 64, _BASE_BITS)
    step = _wide(low, stride)
    if step != Imm(0):
        moved = low.builder.compute("shl.b64", "b64", step, Imm(_BASE_BITS))
        first = low.builder.compute("or.b64", "b64", first, moved)
    low.builder.move(results[0], first)
    upper = low.builder.compute("shl.b64", "b64", _wide(low, flags), Imm(32))
    low.emit("or.b64", results[1], upper, masked(low, _wide(low, records), 64, 32))
    return True


def _wide(low: Lowering, value: st.Typed) -> Operand:
    leaf = low.layout.leaf(value.type)
    return low.builder.resized(low.values.scalar(value), leaf, 64)


def _align(low: Lowering, type_: Type) -> int:
    """Words of 4 bytes are what the hardware asks for; an element is accessed as a whole."""
    element = low.layout.align(low.layout.leaves(type_)[0])
    return min(max(4, element), low.layout.align(type_))


def lower_buffer_load(low: Lowering, template: st.Template, callee: str) -> bool:
    """``raw.buffer.load`` and ``struct.buffer.load``, and their other forms."""
    assert template.type is not None
    address = _address(low, list(template.operands), callee)
    access = Access("ld.global", address, _align(low, template.type))
    load_parts(low, access, template.type)
    return True


def lower_buffer_store(low: Lowering, template: st.Template, callee: str) -> bool:
    """The same for stores, and for atomic operations, whose value comes first."""
    found = _ATOMIC.fullmatch(callee)
    values = 2 if ".cmpswap" in callee else 1
    address = _address(low, list(template.operands[values:]), callee)
    value = template.operands[0]
    if found is None:
        access = Access("st.global", address, _align(low, value.type))
        store_parts(low, access, value.type, low.values.parts(value))
        return True
    leaf = low.layout.leaf(value.type)
    assert template.type is not None
    (to,) = low.results(template.type)
    width, place = low.module.width(leaf), Address(address, 0)
    if values == 2:
        new, old = (low.values.scalar(o) for o in template.operands[:2])
        low.emit(f"atom.global.cas.b{width}", to, place, old, new)
        return True
    if found[1] not in _ATOMICS:
        return False
    low.emit(f"atom.global.{_ATOMICS[found[1]]}{width}", to, place, low.values.scalar(value))
    return True


def _address(low: Lowering, operands: list[st.Typed], callee: str) -> Reg:
    """The address that a descriptor, an index and offsets give."""
    descriptor, *rest = operands
    leaves = low.layout.leaves(descriptor.type)
    if len(leaves) < 2 or any(map(is_pointer, leaves)):
        raise Unsupported("a descriptor of another form")
    words = pack(low, low.values.parts(descriptor), leaves)
    address: Operand = masked(low, words[0].operand, 64, _BASE_BITS)
    if ".struct." in callee:
        index, *rest = rest
        stride = field(low, words, Place(_BASE_BITS, _STRIDE_BITS))
        stride = low.builder.resize(None, stride, 64, 16, "u")
        by = low.builder.compute("mul.lo.u64", "b64", _wide(low, index), stride)
        address = low.builder.compute("add.s64", "b64", address, by)
    offsets = rest[:1] if ".s.buffer" in callee else rest[:2]
    for offset in offsets:
        wide = _wide(low, offset)
        if wide != Imm(0):
            address = low.builder.compute("add.s64", "b64", address, wide)
    if not isinstance(address, Reg):
        raise Unsupported("a descriptor of a constant address")
    return address
