"""Shifts, whose amounts PTX limits to the width of the type. Source: PTX ISA 9.0, section 9.7.8."""

from __future__ import annotations

from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.registry import pure
from warpmill.executor.native.rules.support import is_signed, number, zero
from warpmill.executor.native.values import LlvmValue, constant


@pure("shl")
def shl(e: Emitter, _: Operation, a: LlvmValue, amount: LlvmValue) -> LlvmValue:
    """Shift left; by all bits or more gives 0."""
    return shift(e, "shl", a, amount)


@pure("shr")
def shr(e: Emitter, operation: Operation, a: LlvmValue, amount: LlvmValue) -> LlvmValue:
    """Shift right; what comes in is the sign for signed types, else 0."""
    return shift(e, "ashr" if is_signed(operation) else "lshr", a, amount)


def shift(e: Emitter, opcode: str, a: LlvmValue, amount: LlvmValue) -> LlvmValue:
    """Shift by any amount; one of all bits or more empties, or fills with the sign."""
    known = number(amount)
    if known is not None:
        return _by_constant(e, opcode, a, known)
    most = constant(a.bits, amount.type)
    if opcode == "ashr":
        last = e.call("llvm.umin", amount, constant(a.bits - 1, amount.type))
        return e.op(opcode, a, e.resize(last, a.type))
    moved = e.op(opcode, a, e.resize(amount, a.type))
    return e.select(e.compare("ult", amount, most), moved, zero(a.type))


def _by_constant(e: Emitter, opcode: str, a: LlvmValue, amount: int) -> LlvmValue:
    if amount == 0:
        return a
    if amount < a.bits:
        return e.op(opcode, a, constant(amount, a.type))
    return e.op(opcode, a, constant(a.bits - 1, a.type)) if opcode == "ashr" else zero(a.type)


@pure("shf")
def shf(
    e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue, amount: LlvmValue
) -> LlvmValue:
    """Shift ``b:a`` as one number; left gives its upper half, right its lower."""
    left = "l" in operation.modifiers
    name, whole = ("llvm.fshl", a) if left else ("llvm.fshr", b)
    bits = a.bits
    known = number(amount)
    if "wrap" in operation.modifiers:
        return e.call(name, b, a, amount)
    if known is not None:
        return whole if known >= bits else e.call(name, b, a, amount)
    within = e.compare("ult", amount, constant(bits, amount.type))
    return e.select(within, e.call(name, b, a, amount), whole)
