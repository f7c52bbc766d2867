"""Atomics and reductions: one lane after another, from the lowest."""

from __future__ import annotations

from collections.abc import Callable

from warpmill.analyzer.ir.kernel import Address, Instruction, Sink
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.analyzer.ir.types import OpClass, Space, Type, TypeKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.memory import address, lane_hosts
from warpmill.executor.native.observing import observe
from warpmill.executor.native.rules import floats
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.step import LoweringStep, llvm_type, storage_of
from warpmill.executor.native.translation import Request
from warpmill.executor.native.watching import watch_access

Combine = Callable[[Emitter, Type, LlvmValue, LlvmValue], LlvmValue]
"""New value from the type, the old value and the operand."""


def _add(e: Emitter, type_: Type, old: LlvmValue, given: LlvmValue) -> LlvmValue:
    if not type_.is_float:
        return e.op("add", old, given)
    return floats.add(e, decode(f"add.{type_.name}"), old, given)


def _least(e: Emitter, type_: Type, old: LlvmValue, given: LlvmValue) -> LlvmValue:
    if type_.is_float:
        return floats.minimum(e, decode(f"min.{type_.name}"), old, given)
    signed = type_.kind is TypeKind.SIGNED
    return e.call("llvm.smin" if signed else "llvm.umin", old, given)


def _greatest(e: Emitter, type_: Type, old: LlvmValue, given: LlvmValue) -> LlvmValue:
    if type_.is_float:
        return floats.maximum(e, decode(f"max.{type_.name}"), old, given)
    signed = type_.kind is TypeKind.SIGNED
    return e.call("llvm.smax" if signed else "llvm.umax", old, given)


def _inc(e: Emitter, _: Type, old: LlvmValue, given: LlvmValue) -> LlvmValue:
    more = e.op("add", old, constant(1, old.type))
    return e.select(e.compare("uge", old, given), constant(0, old.type), more)


def _dec(e: Emitter, _: Type, old: LlvmValue, given: LlvmValue) -> LlvmValue:
    less = e.op("sub", old, constant(1, old.type))
    is_zero = e.compare("eq", old, constant(0, old.type))
    return e.select(e.op("or", is_zero, e.compare("ugt", old, given)), given, less)


def _nand(e: Emitter, _: Type, old: LlvmValue, given: LlvmValue) -> LlvmValue:
    return e.op("xor", e.op("and", old, given), constant(-1, old.type))


def _sub_cond(e: Emitter, _: Type, old: LlvmValue, given: LlvmValue) -> LlvmValue:
    return e.select(e.compare("uge", old, given), e.op("sub", old, given), old)


_COMBINE: dict[str, Combine] = {
    "add": _add,
    "sub": lambda e, _, old, given: e.op("fsub" if old.is_float else "sub", old, given),
    "min": _least,
    "max": _greatest,
    "inc": _inc,
    "dec": _dec,
    "and": lambda e, _, old, given: e.op("and", old, given),
    "or": lambda e, _, old, given: e.op("or", old, given),
    "xor": lambda e, _, old, given: e.op("xor", old, given),
    "exch": lambda _e, _t, _old, given: given,
    "nand": _nand,
    "sub_cond": _sub_cond,
    "sub_sat": lambda e, _, old, given: e.call("llvm.usub.sat", old, given),
}
"""Combination of each atomic word; ``cas`` has a rule of its own."""


def _word(operation: Operation) -> str | None:
    return next((w for w in operation.modifiers if w in _COMBINE or w == "cas"), None)


@rule("atom", "atom.nand", "atom.sub_cond", "atom.sub_sat", "red")
def atomic(step: LoweringStep) -> None:
    """Change memory, and give what it held before."""
    operation, operands = step.operation, step.instruction.operands
    place = step.instruction.address
    assert isinstance(place, Address)
    assert operation.type is not None
    assert operation.space is not None
    e, type_ = step.emitter, operation.type
    at = operands.index(place)
    word = _word(operation)
    sources = operands[at + 1 : at + (3 if word == "cas" else 2)]
    elements = zip(*[step.elements(s) for s in sources], strict=True)
    given = [[step.read(o, type_) for o in each] for each in elements]
    bits, site = e.bits(step.mask), constant(step.site, "i64")
    where = e.vector(address(step, place))
    width = type_.size_bytes * len(given)
    observe(step, "atomic", operation.space, where, width)
    watch_access(step, operation.space, where, width, writes=True)
    results = step.elements(operands[0]) if at else (Sink(),) * len(given)
    name = f"atomic.{operation.name}.{word}.{type_.name}.{operation.space.value}.x{len(given)}"
    together = step.places.concurrent and operation.space is not Space.SHARED
    body = _Atomic(word or "", type_, operation.space, len(given), together=together).write
    flat = [e.vector(v) for each in given for v in each]
    old = e.outlined(name, body, where, bits, site, *flat)
    for result, value in zip(results, old, strict=True):
        step.write(result, value)


def combine_into(
    step: LoweringStep, space: Space, where: LlvmValue, given: LlvmValue, mask: LlvmValue
) -> None:
    """Change the element at each lane's place by the operation's word, and observe nothing."""
    e, operation = step.emitter, step.operation
    word, type_ = _word(operation), operation.type
    assert word is not None
    assert type_ is not None
    together = step.places.concurrent and space is not Space.SHARED
    watch_access(step, space, where, type_.size_bytes, writes=True, mask=mask)
    body = _Atomic(word, type_, space, 1, together=together).write
    name = f"atomic.red.{word}.{type_.name}.{space.value}.x1"
    value = e.vector(e.bitcast(given, llvm_type(type_)))
    e.outlined(name, body, e.vector(where), e.bits(mask), constant(step.site, "i64"), value)


def names_reduction(operation: Operation) -> bool:
    """Whether an operation says how it combines, and elements of which type."""
    return operation.type is not None and _word(operation) is not None


class _Atomic:
    """The function of one kind of atomic."""

    def __init__(self, word: str, type_: Type, space: Space, count: int, *, together: bool) -> None:
        self._word, self._type, self._space, self._count = word, type_, space, count
        is_whole = type_.is_integer and type_.lanes == 1
        self._native = _native(word, type_) if together and is_whole else None

    def write(self, e: Emitter, *parts: LlvmValue) -> tuple[LlvmValue, ...]:
        """Write it: look the lanes' addresses up, then go lane by lane."""
        stored, request, given = storage_of(self._type), Request(*parts[:3]), parts[3:]
        hosts, good = lane_hosts(e, self._space, request, stored, self._count)
        places = e.spill(hosts)
        inputs = [e.spill(v) for v in given]
        before = [e.array(stored) for _ in range(self._count)]
        for array in before:
            e.raw(f"  store {e.typed(e.vector(constant(0, stored)))}, ptr {array}, align 64")
        each = len(given) // self._count

        def one(lane: LlvmValue) -> None:
            host = e.get(places, lane, "i64")
            for k in range(self._count):
                arrays = inputs[k * each : (k + 1) * each]
                values = [e.get(a, lane, llvm_type(self._type)) for a in arrays]
                moved = e.op("add", host, constant(k * self._type.size_bytes, "i64"))
                e.put(before[k], lane, self._change(e, moved, values))

        e.each_lane(good, one)
        return tuple(e.whole(array, stored) for array in before)

    def _change(self, e: Emitter, host: LlvmValue, given: list[LlvmValue]) -> LlvmValue:
        """Change one element, and give its bits before."""
        stored = storage_of(self._type)
        pointer = e.name()
        e.raw(f"  {pointer} = inttoptr i64 {host.text} to ptr")
        if self._native is None:
            text = f"load {stored}, ptr {pointer}, align 1"
        else:
            text = f"atomicrmw {self._native} ptr {pointer}, {stored} {given[0].text} monotonic"
            text = f"{text}, align {self._type.size_bytes}"
        bits = e.define(text, stored, uniform=True)
        new = self._new(e, e.bitcast(bits, llvm_type(self._type)), given)
        new = e.bitcast(new, stored)
        changed = e.compare("ne", new, bits)
        if self._native is None:
            e.raw(f"  store {stored} {new.text}, ptr {pointer}, align 1")
        stores = e.op("add", e.context("stores"), e.cast("zext", changed, "i64"))
        e.set_context("stores", stores)
        return bits

    def _new(self, e: Emitter, old: LlvmValue, given: list[LlvmValue]) -> LlvmValue:
        if self._word == "cas":
            expected, wanted = given
            return e.select(e.compare("eq", old, expected), wanted, old)
        return _COMBINE[self._word](e, self._type, old, given[0])


def _native(word: str, type_: Type) -> str | None:
    """Name what the CPU does in one step, for threads that change one place together."""
    if word in ("min", "max"):
        return word if type_.kind is TypeKind.SIGNED else f"u{word}"
    return word if word in ("add", "and", "or", "xor") else None


@refuses("atom", "red")
def _refuse(instruction: Instruction) -> str | None:
    operation = instruction.operation
    if not isinstance(instruction.address, Address):
        return "its address has several parts"
    if operation.type is None or operation.op_class is not OpClass.ATOMIC:
        return "its type is not known"
    return None if _word(operation) else "its operation is not known"
