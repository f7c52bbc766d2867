"""Integer multiplication: low and high halves, wide products, 24 bits, without carries.

Source: PTX ISA 9.0, sections 9.7.1 and 9.7.2.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules import floats
from warpmill.executor.native.rules.integer import carrying_sum, give_with_carry
from warpmill.executor.native.rules.registry import pure, rule
from warpmill.executor.native.rules.support import is_float, is_signed, repeat, zero
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value, constant


@pure("mul")
def mul(e: Emitter, operation: Operation, a: Value, b: Value) -> Value:
    """Multiply."""
    if is_float(operation):
        return floats.mul(e, operation, a, b)
    return _product(e, operation, a, b)


@rule("mad")
def mad(step: Step) -> None:
    """Multiply and add; ``.cc`` leaves the carry of the addition."""
    e, operation = step.emitter, step.operation
    a, b, c = step.sources()
    if is_float(operation):
        step.give(floats.multiply_add(e, operation, a, b, c))
        return
    product = _product(e, operation, a, b)
    if "cc" in operation.modifiers:
        give_with_carry(step, *carrying_sum(e, product, c, None))
    else:
        step.give(_added(e, operation, product, c))


@rule("madc")
def madc(step: Step) -> None:
    """Multiply, add, and add the carry."""
    e = step.emitter
    a, b, c = step.sources()
    product = _product(e, step.operation, a, b)
    give_with_carry(step, *carrying_sum(e, product, c, step.carry))


def _added(e: Emitter, operation: Operation, product: Value, c: Value) -> Value:
    if "sat" in operation.modifiers:
        return e.call("llvm.sadd.sat", product, c)
    return e.op("add", product, c)


def _product(e: Emitter, operation: Operation, a: Value, b: Value) -> Value:
    signed, words = is_signed(operation), operation.modifiers
    if "wide" in words:
        return wide_product(e, a, b, signed=signed)
    if "hi" in words:
        return high_product(e, a, b, signed=signed)
    return e.op("mul", a, b)


def wide_product(e: Emitter, a: Value, b: Value, *, signed: bool) -> Value:
    """Give the whole product, with twice as many bits."""
    wide = f"i{2 * a.bits}"
    return e.op("mul", *[e.resize(v, wide, signed=signed) for v in (a, b)])


def high_product(e: Emitter, a: Value, b: Value, *, signed: bool) -> Value:
    """Give the upper half of the product."""

    def body(e: Emitter, a: Value, b: Value) -> Value:
        wide = wide_product(e, a, b, signed=signed)
        return e.resize(e.op("lshr", wide, constant(a.bits, wide.type)), a.type)

    if a.bits < 64 or (a.uniform and b.uniform):
        return body(e, a, b)
    return e.outlined(f"mulhi.{'s' if signed else 'u'}64", body, a, b)[0]


def _product24(e: Emitter, operation: Operation, a: Value, b: Value) -> Value:
    """Give the low or the high 32 of the 48 bits that a product of the low 24 bits has."""
    spare, signed = constant(8, a.type), is_signed(operation)
    shift = "ashr" if signed else "lshr"
    a, b = (e.op(shift, e.op("shl", v, spare), spare) for v in (a, b))
    if "hi" not in operation.modifiers:
        return e.op("mul", a, b)
    wide = wide_product(e, a, b, signed=signed)
    return e.resize(e.op("lshr", wide, constant(16, wide.type)), a.type)


@pure("mul24")
def mul24(e: Emitter, operation: Operation, a: Value, b: Value) -> Value:
    """Multiply numbers of 24 bits."""
    return _product24(e, operation, a, b)


@pure("mad24")
def mad24(e: Emitter, operation: Operation, a: Value, b: Value, c: Value) -> Value:
    """Multiply numbers of 24 bits and add."""
    return _added(e, operation, _product24(e, operation, a, b), c)


@pure("clmad")
def clmad(e: Emitter, operation: Operation, a: Value, b: Value, c: Value) -> Value:
    """Multiply without carries, and add a third operand without carries to one half of it."""
    high = "hi" in operation.modifiers

    def body(e: Emitter, a: Value, b: Value, c: Value) -> Value:
        def turn(count: Value, state: Sequence[Value]) -> tuple[Value, ...]:
            (total,) = state
            place = e.cast("zext", count, a.type)
            bit = e.op("and", e.op("lshr", b, place), constant(1, a.type))
            if high:  # in two steps, as a shift by all bits at once is not defined
                back = e.op("sub", constant(a.bits - 1, a.type), place)
                row = e.op("lshr", e.op("lshr", a, back), constant(1, a.type))
            else:
                row = e.op("shl", a, place)
            chosen = e.op("and", row, e.op("sub", zero(a.type), bit))
            return (e.op("xor", total, chosen),)

        return repeat(e, a.bits, (c,), turn)[0]

    vectors = [e.vector(v) for v in (a, b, c)]
    return e.outlined(f"clmad.{'hi' if high else 'lo'}{a.bits}", body, *vectors)[0]
