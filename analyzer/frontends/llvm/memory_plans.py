"""The direct road of plain scalar loads and stores and of address arithmetic with one index."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpmill.analyzer.frontends.llvm import accesses, memory
from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.constants import integer_value
from warpmill.analyzer.frontends.llvm.context import ModuleContext
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.scalar_plans import Run, getter, is_odd, number, result
from warpmill.analyzer.frontends.llvm.types import (
    FloatType,
    IntType,
    PointerType,
    Scalar,
    Unsupported,
)
from warpmill.analyzer.ir.kernel import Address, Imm, Instruction, Operand, Symbol
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.analyzer.ir.types import Space, Type

_ZERO, _ONE = Imm(0), Imm(1)


def plan_of(module: ModuleContext, template: st.Template) -> Run | None:
    """The direct way of a load, a store or a GEP; None where there is none."""
    if template.opcode == "load":
        return _load(module, template)
    if template.opcode == "store":
        return _store(module, template)
    return _gep(module, template)


def _memory_type(module: ModuleContext, scalar: Scalar) -> str:
    is_float = isinstance(scalar, FloatType) and scalar.name in ("float", "double")
    return module.spelled(scalar, "f" if is_float else "b")


def _is_whole(
    module: ModuleContext, template: st.Template, scalar: Scalar
) -> Callable[[Sequence[str]], bool]:
    """A test whether an access is aligned to its width; it is cut where it is not."""
    slot, size = template.align, module.layout.store_size(scalar)
    if slot is None:
        return lambda texts: True  # noqa: ARG005 - a test takes them
    return lambda texts: int(texts[slot]) >= size


def _opcodes(head: str, type_: str) -> dict[Space, Operation]:
    return {space: decode(f"{head}{accesses.dotted(space)}.{type_}") for space in Space}


class _Pointer:
    """A local pointer of a statement: its register or symbol, and the space that it is in."""

    __slots__ = ("own", "slot", "type")

    def __init__(self, module: ModuleContext, slot: int, type_: PointerType) -> None:
        self.slot = slot
        self.type: Type = module.register_type(type_)
        self.own = module.target.space(type_.space)

    def base(self, low: Lowering, name: str) -> Operand:
        """The address itself."""
        symbol = low.values.symbols.get(name)
        return symbol or low.builder.named.get(name) or low.builder.register(name, self.type)


def _pointer(module: ModuleContext, typed: st.Typed) -> _Pointer | None:
    match typed:
        case st.Typed(PointerType() as type_, st.Local(int(slot))):
            return _Pointer(module, slot, type_)
    return None


def _load(module: ModuleContext, template: st.Template) -> Run | None:
    scalar = number(template.type)
    pointer = _pointer(module, template.operands[0])
    if scalar is None or pointer is None or template.words or is_odd(module, scalar):
        return None
    to = result(module, template, scalar)
    if to is None:
        return None
    get, name = to, _memory_type(module, scalar)
    plain, cached = _opcodes("ld", name), decode(f"ld.global.nc.{name}")
    is_whole = _is_whole(module, template, scalar)

    def run(low: Lowering, texts: Sequence[str]) -> None:
        if not is_whole(texts):
            memory.lower_load(low, template)
            return
        b, text = low.builder, texts[pointer.slot]
        base = pointer.base(low, text)
        space = low.values.spaces.get(text, pointer.own)
        operation = plain[space]
        if space is Space.GLOBAL and low.attachments and "!invariant.load" in low.attachments:
            operation = cached
        register = get(b, texts)
        operands = (register, _address(base))
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))

    return run


def _address(base: Operand) -> Address:
    if isinstance(base, Symbol):
        return accesses.address_of(base)
    return Address(base, 0)  # type: ignore[arg-type] # a pointer's operand is a register here


def _store(module: ModuleContext, template: st.Template) -> Run | None:
    value, typed = template.operands
    scalar = number(value.type)
    pointer = _pointer(module, typed)
    if scalar is None or pointer is None or template.words:
        return None
    found = getter(module, value.value, scalar)
    if found is None:
        return None
    get, opcodes = found, _opcodes("st", _memory_type(module, scalar))
    is_whole = _is_whole(module, template, scalar)

    def run(low: Lowering, texts: Sequence[str]) -> None:
        if not is_whole(texts):
            memory.lower_store(low, template)
            return
        b, text = low.builder, texts[pointer.slot]
        operand = get(b, texts)
        base = pointer.base(low, text)
        operation = opcodes[low.values.spaces.get(text, pointer.own)]
        operands = (_address(base), operand)
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))

    return run


def _gep(module: ModuleContext, template: st.Template) -> Run | None:
    """One index into an array of the source type, constant or in a register."""
    if len(template.operands) != 2 or template.type is None:
        return None
    base, index = template.operands
    pointer = _pointer(module, base)
    if pointer is None or not isinstance(index.type, IntType) or index.type.bits < 8:
        return None
    if not isinstance(base.type, PointerType):
        return None
    try:
        scale = module.layout.size(template.type)
    except Unsupported:
        return None
    found = result(module, template, base.type)
    if found is None:
        return None
    if isinstance(index.value, st.Integer):
        return _constant_gep(module, template, pointer, scale, index.value.slot)
    width = module.width(base.type)
    place = getter(module, index.value, index.type)
    if place is None or not isinstance(index.value, st.Local):
        return None
    operation, scalar = decode(f"lea.b{width}"), index.type
    same = module.width(scalar) == width
    to, get, factor = found, place, Imm(scale)

    def run(low: Lowering, texts: Sequence[str]) -> None:
        b = low.builder
        register = to(b, texts)
        address = pointer.base(low, texts[pointer.slot])
        if isinstance(address, Symbol):
            memory.lower_gep(low, template)
            return
        value = get(b, texts)
        if not same:
            value = b.resized(value, scalar, width, "s")
        operands = (register, address, value, factor, _ZERO)
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))

    return run


def _constant_gep(
    module: ModuleContext, template: st.Template, pointer: _Pointer, scale: int, slot: int
) -> Run | None:
    base = template.operands[0].type
    found = result(module, template, base) if isinstance(base, PointerType) else None
    if found is None or not isinstance(base, PointerType):
        return None
    to = found
    operation = decode(f"lea.b{module.width(base)}")

    def run(low: Lowering, texts: Sequence[str]) -> None:
        b = low.builder
        register = to(b, texts)
        address = pointer.base(low, texts[pointer.slot])
        offset = Imm(integer_value(texts[slot]) * scale)
        if isinstance(address, Symbol):
            memory.lower_gep(low, template)
            return
        operands = (register, address, _ZERO, _ONE, offset)
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))

    return run
