"""Integer sums, extrema, products and divisions; floating point goes to its own rules.

Source: PTX ISA 9.0, sections 9.7.1 (integers) and 9.7.2 (extended precision).
"""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.rules import floats
from warpmill.executor.native.rules.registry import (
    by_element,
    is_float,
    is_signed,
    number,
    ones,
    pure,
    repeat,
    rule,
    zero,
)
from warpmill.executor.native.step import LoweringStep


@rule("add")
def add(step: LoweringStep) -> None:
    """Add; ``.cc`` leaves the carry."""
    if "cc" in step.operation.modifiers:
        _add_with_carry(step)
    else:
        step.give(_sum(step.emitter, step.operation, *step.sources()))


@rule("sub")
def sub(step: LoweringStep) -> None:
    """Subtract; ``.cc`` leaves the borrow."""
    if "cc" in step.operation.modifiers:
        _subtract_with_borrow(step)
    else:
        step.give(_difference(step.emitter, step.operation, *step.sources()))


@rule("addc")
def addc(step: LoweringStep) -> None:
    """Add two numbers and the carry."""
    _add_with_carry(step, carry=step.carry)


@rule("subc")
def subc(step: LoweringStep) -> None:
    """Subtract a number and the borrow."""
    _subtract_with_borrow(step, borrow=step.carry)


def _sum(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    if is_float(operation):
        return floats.add(e, operation, a, b)
    if "sat" not in operation.modifiers:
        return by_element(e, operation, lambda e, x, y: e.op("add", x, y), a, b)
    name = "llvm.sadd.sat" if is_signed(operation) else "llvm.uadd.sat"
    return by_element(e, operation, lambda e, x, y: e.call(name, x, y), a, b)


def _difference(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    if is_float(operation):
        return floats.sub(e, operation, a, b)
    if "sat" not in operation.modifiers:
        return by_element(e, operation, lambda e, x, y: e.op("sub", x, y), a, b)
    name = "llvm.ssub.sat" if is_signed(operation) else "llvm.usub.sat"
    return by_element(e, operation, lambda e, x, y: e.call(name, x, y), a, b)


def carrying_sum(
    e: Emitter, a: LlvmValue, b: LlvmValue, carry: LlvmValue | None
) -> tuple[LlvmValue, LlvmValue]:
    """``a + b + carry`` and whether it carried out of the highest bit."""
    total = e.op("add", a, b)
    out = e.compare("ult", total, a)
    if carry is None:
        return total, out
    whole = e.op("add", total, e.cast("zext", carry, total.type))
    return whole, e.op("or", out, e.compare("ult", whole, total))


def give_with_carry(step: LoweringStep, result: LlvmValue, carry: LlvmValue) -> None:
    """Write a result, and the carry where the instruction says ``.cc``."""
    if "cc" in step.operation.modifiers:
        step.carry = carry
    step.give(result)


def _add_with_carry(step: LoweringStep, carry: LlvmValue | None = None) -> None:
    a, b = step.sources()
    give_with_carry(step, *carrying_sum(step.emitter, a, b, carry))


def _subtract_with_borrow(step: LoweringStep, borrow: LlvmValue | None = None) -> None:
    e = step.emitter
    a, b = step.sources()
    rest, out = e.op("sub", a, b), e.compare("ult", a, b)
    if borrow is not None:
        taken = e.cast("zext", borrow, rest.type)
        out = e.op("or", out, e.compare("ult", rest, taken))
        rest = e.op("sub", rest, taken)
    give_with_carry(step, rest, out)


@pure("neg")
def neg(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """Change the sign; the lowest number stays."""
    if is_float(operation):
        return floats.neg(e, operation, a)
    return by_element(e, operation, lambda e, x: e.op("sub", zero(x.type), x), a)


@pure("abs")
def absolute(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """Drop the sign; the lowest number stays."""
    if is_float(operation):
        return floats.abs_(e, operation, a)
    return by_element(e, operation, lambda e, x: e.call("llvm.abs", x, extra=", i1 false"), a)


def distance(e: Emitter, a: LlvmValue, b: LlvmValue, *, signed: bool) -> LlvmValue:
    """How far two numbers are apart, as an unsigned number."""
    below = e.compare("slt" if signed else "ult", a, b)
    return e.select(below, e.op("sub", b, a), e.op("sub", a, b))


@pure("sad")
def sad(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue, c: LlvmValue) -> LlvmValue:
    """Add the distance of two numbers to a third."""
    return e.op("add", distance(e, a, b, signed=is_signed(operation)), c)


@pure("min")
def minimum(e: Emitter, operation: Operation, *sources: LlvmValue) -> LlvmValue:
    """The least of two or three."""
    if is_float(operation):
        return floats.minimum(e, operation, *sources)
    return _extreme(e, operation, "min", sources)


@pure("max")
def maximum(e: Emitter, operation: Operation, *sources: LlvmValue) -> LlvmValue:
    """The greatest of two or three."""
    if is_float(operation):
        return floats.maximum(e, operation, *sources)
    return _extreme(e, operation, "max", sources)


def _extreme(
    e: Emitter, operation: Operation, word: str, sources: tuple[LlvmValue, ...]
) -> LlvmValue:
    name = f"llvm.{'s' if is_signed(operation) else 'u'}{word}"
    relu = "relu" in operation.modifiers

    def one(e: Emitter, first: LlvmValue, *others: LlvmValue) -> LlvmValue:
        best = first
        for other in others:
            best = e.call(name, best, other)
        return e.call("llvm.smax", best, constant(0, best.type)) if relu else best

    return by_element(e, operation, one, *sources)


# Integer multiplication: low and high halves, wide products, 24 bits, without carries.
#
# Source: PTX ISA 9.0, sections 9.7.1 and 9.7.2.


@pure("mul")
def mul(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """Multiply."""
    if is_float(operation):
        return floats.mul(e, operation, a, b)
    return _product(e, operation, a, b)


@rule("mad")
def mad(step: LoweringStep) -> None:
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
def madc(step: LoweringStep) -> None:
    """Multiply, add, and add the carry."""
    e = step.emitter
    a, b, c = step.sources()
    product = _product(e, step.operation, a, b)
    give_with_carry(step, *carrying_sum(e, product, c, step.carry))


def _added(e: Emitter, operation: Operation, product: LlvmValue, c: LlvmValue) -> LlvmValue:
    if "sat" in operation.modifiers:
        return e.call("llvm.sadd.sat", product, c)
    return e.op("add", product, c)


def _product(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    signed, words = is_signed(operation), operation.modifiers
    if "wide" in words:
        return wide_product(e, a, b, signed=signed)
    if "hi" in words:
        return high_product(e, a, b, signed=signed)
    return e.op("mul", a, b)


def wide_product(e: Emitter, a: LlvmValue, b: LlvmValue, *, signed: bool) -> LlvmValue:
    """The whole product, with twice as many bits."""
    wide = f"i{2 * a.bits}"
    return e.op("mul", *[e.resize(v, wide, signed=signed) for v in (a, b)])


def high_product(e: Emitter, a: LlvmValue, b: LlvmValue, *, signed: bool) -> LlvmValue:
    """The upper half of the product."""

    def body(e: Emitter, a: LlvmValue, b: LlvmValue) -> LlvmValue:
        wide = wide_product(e, a, b, signed=signed)
        return e.resize(e.op("lshr", wide, constant(a.bits, wide.type)), a.type)

    if a.bits < 64 or (a.uniform and b.uniform):
        return body(e, a, b)
    return e.outlined(f"mulhi.{'s' if signed else 'u'}64", body, a, b)[0]


def _product24(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """The low or the high 32 of the 48 bits that a product of the low 24 bits has."""
    spare, signed = constant(8, a.type), is_signed(operation)
    shift = "ashr" if signed else "lshr"
    a, b = (e.op(shift, e.op("shl", v, spare), spare) for v in (a, b))
    if "hi" not in operation.modifiers:
        return e.op("mul", a, b)
    wide = wide_product(e, a, b, signed=signed)
    return e.resize(e.op("lshr", wide, constant(16, wide.type)), a.type)


@pure("mul24")
def mul24(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """Multiply numbers of 24 bits."""
    return _product24(e, operation, a, b)


@pure("mad24")
def mad24(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue, c: LlvmValue) -> LlvmValue:
    """Multiply numbers of 24 bits and add."""
    return _added(e, operation, _product24(e, operation, a, b), c)


@pure("clmad")
def clmad(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue, c: LlvmValue) -> LlvmValue:
    """Multiply without carries, and add a third operand without carries to one half of it."""
    high = "hi" in operation.modifiers

    def body(e: Emitter, a: LlvmValue, b: LlvmValue, c: LlvmValue) -> LlvmValue:
        def turn(count: LlvmValue, state: Sequence[LlvmValue]) -> tuple[LlvmValue, ...]:
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


# Integer division and remainder; by zero both give all ones, as the hardware does.
#
# Numbers of n bits, up to 32, go through a floating-point type whose significand has more than n
# bits: the rounded quotient is then off by less than 1/divisor, so that cutting it off is exact.


@pure("div")
def div(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """Divide, towards zero."""
    if is_float(operation):
        return floats.divide(e, operation, a, b)
    if number(b):
        return _by_constant(e, a, b, signed=is_signed(operation))
    return _guarded(e, a, b, signed=is_signed(operation), remainder=False)


@pure("rem")
def rem(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """The remainder, which has the dividend's sign."""
    signed = is_signed(operation)
    if number(b):
        return e.op("sub", a, e.op("mul", _by_constant(e, a, b, signed=signed), b))
    return _guarded(e, a, b, signed=signed, remainder=True)


def _by_constant(e: Emitter, a: LlvmValue, b: LlvmValue, *, signed: bool) -> LlvmValue:
    """Quotient by a constant, which LLVM optimizes; by -1 a negation, which never traps."""
    if signed and number(b) == (1 << b.bits) - 1:
        return e.op("sub", zero(a.type), a)
    return e.op("sdiv" if signed else "udiv", a, b)


def _guarded(e: Emitter, a: LlvmValue, b: LlvmValue, *, signed: bool, remainder: bool) -> LlvmValue:
    def body(e: Emitter, a: LlvmValue, b: LlvmValue) -> LlvmValue:
        by_zero = e.compare("eq", b, zero(b.type))
        quotient = _quotient(e, a, b, by_zero, signed=signed)
        result = e.op("sub", a, e.op("mul", quotient, b)) if remainder else quotient
        return e.select(by_zero, ones(a.type), result)

    if a.uniform and b.uniform:
        return body(e, a, b)
    name = f"{'rem' if remainder else 'div'}.{'s' if signed else 'u'}{a.bits}"
    return e.outlined(name, body, e.vector(a), e.vector(b))[0]


def _quotient(
    e: Emitter, a: LlvmValue, b: LlvmValue, by_zero: LlvmValue, *, signed: bool
) -> LlvmValue:
    """Divide where ``by_zero`` does not hold; elsewhere the result is any number.

    Where the divisor is 0 or -1 it is replaced by 1: 0 traps, and so does the lowest number by -1.
    """
    one = constant(1, b.type)
    if not signed:
        return _exact(e, "u", a, e.select(by_zero, one, b))
    by_minus_one = e.compare("eq", b, ones(b.type))
    safe = e.select(e.op("or", by_zero, by_minus_one), one, b)
    return e.select(by_minus_one, e.op("sub", zero(a.type), a), _exact(e, "s", a, safe))


def _exact(e: Emitter, sign: str, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    if a.bits > 32 or (a.uniform and b.uniform):
        return e.op(f"{sign}div", a, b)
    wide = "double" if a.bits == 32 else "float"
    quotient = e.op("fdiv", *[e.cast(f"{sign}itofp", v, wide) for v in (a, b)])
    return e.cast(f"fpto{sign}i", quotient, a.type)
