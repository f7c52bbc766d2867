"""``llvm.masked.*``: vectors whose elements are accessed where a mask says so, one by one."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.accesses import address_of, dotted, memory_type
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import PointerType, Unsupported, VectorType
from warpmill.analyzer.ir.kernel import Address, Guard, Imm, Operand, Reg


def lower_masked_load(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.masked.load(pointer, [align,] mask, otherwise)``."""
    pointer, *_, otherwise = template.operands
    base, space = low.values.pointer(pointer)
    step, count = _step(low, otherwise.type)
    places = [address_of(base, k * step) for k in range(count)]
    _load(low, template, places, dotted(space))
    return True


def lower_gather(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.masked.gather(pointers, [align,] mask, otherwise)``."""
    pointers, *_, otherwise = template.operands
    _step(low, otherwise.type)
    places = [address_of(p) for p in low.values.parts(pointers)]
    _load(low, template, places, _space(low, pointers))
    return True


def lower_masked_store(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.masked.store(value, pointer, [align,] mask)``."""
    value, pointer, *_, mask = template.operands
    base, space = low.values.pointer(pointer)
    step, count = _step(low, value.type)
    places = [address_of(base, k * step) for k in range(count)]
    _store(low, places, dotted(space), mask, value)
    return True


def lower_scatter(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.masked.scatter(value, pointers, [align,] mask)``."""
    value, pointers, *_, mask = template.operands
    _step(low, value.type)
    places = [address_of(p) for p in low.values.parts(pointers)]
    _store(low, places, _space(low, pointers), mask, value)
    return True


def _step(low: Lowering, type_: object) -> tuple[int, int]:
    """Bytes from element to element, and how many there are."""
    if not isinstance(type_, VectorType):
        raise Unsupported("a masked access of what is no vector")
    bits = low.layout.bits(type_.element)
    if bits % 8 or bits > 64:
        raise Unsupported(f"a masked access of elements of {bits} bits")
    return bits // 8, type_.count


def _space(low: Lowering, pointers: st.Typed) -> str:
    type_ = low.layout.resolve(pointers.type)
    element = type_.element if isinstance(type_, VectorType) else type_
    if not isinstance(element, PointerType):
        raise Unsupported("addresses that are no pointers")
    return dotted(low.module.target.space(element.space))


def _guards(low: Lowering, mask: st.Typed) -> list[Guard | bool]:
    """Of each element a guard; True and False where the mask is constant."""
    return [
        bool(part.value & 1) if isinstance(part, Imm) else Guard(low.builder.predicate(part))
        for part in low.values.parts(mask)
    ]


def _load(low: Lowering, template: st.Template, places: Sequence[Address], space: str) -> None:
    *_, mask, otherwise = template.operands
    assert template.type is not None
    leaf = low.layout.leaves(otherwise.type)[0]
    opcode = f"ld{space}.{memory_type(low, leaf)}"
    guards = _guards(low, mask)
    results: tuple[Reg, ...] = low.results(template.type)
    for to, place, guard, old in zip(
        results, places, guards, low.values.parts(otherwise), strict=True
    ):
        if guard is not True:
            low.builder.move(to, old)
        if guard is not False:
            low.emit(opcode, to, place, guard=guard if isinstance(guard, Guard) else None)


def _store(
    low: Lowering, places: Sequence[Address], space: str, mask: st.Typed, value: st.Typed
) -> None:
    leaf = low.layout.leaves(value.type)[0]
    opcode = f"st{space}.{memory_type(low, leaf)}"
    parts: tuple[Operand, ...] = low.values.parts(value)
    for place, guard, part in zip(places, _guards(low, mask), parts, strict=True):
        if guard is not False:
            low.emit(opcode, place, part, guard=guard if isinstance(guard, Guard) else None)
