"""Integer division and remainder; by zero both give all ones, as the hardware does.

Numbers of n bits, up to 32, go through a floating-point type whose significand has more than n
bits: the rounded quotient is then off by less than 1/divisor, so that cutting it off is exact.
"""

from __future__ import annotations

from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules import floats
from warpmill.executor.native.rules.registry import pure
from warpmill.executor.native.rules.support import is_float, is_signed, number, ones, zero
from warpmill.executor.native.values import Value, constant


@pure("div")
def div(e: Emitter, operation: Operation, a: Value, b: Value) -> Value:
    """Divide, towards zero."""
    if is_float(operation):
        return floats.divide(e, operation, a, b)
    if number(b):
        return _by_constant(e, a, b, signed=is_signed(operation))
    return _guarded(e, a, b, signed=is_signed(operation), remainder=False)


@pure("rem")
def rem(e: Emitter, operation: Operation, a: Value, b: Value) -> Value:
    """Give the remainder, which has the dividend's sign."""
    signed = is_signed(operation)
    if number(b):
        return e.op("sub", a, e.op("mul", _by_constant(e, a, b, signed=signed), b))
    return _guarded(e, a, b, signed=signed, remainder=True)


def _by_constant(e: Emitter, a: Value, b: Value, *, signed: bool) -> Value:
    """Let LLVM turn it into multiplications; of -1 make a change of sign, which never traps."""
    if signed and number(b) == (1 << b.bits) - 1:
        return e.op("sub", zero(a.type), a)
    return e.op("sdiv" if signed else "udiv", a, b)


def _guarded(e: Emitter, a: Value, b: Value, *, signed: bool, remainder: bool) -> Value:
    def body(e: Emitter, a: Value, b: Value) -> Value:
        by_zero = e.compare("eq", b, zero(b.type))
        quotient = _quotient(e, a, b, by_zero, signed=signed)
        result = e.op("sub", a, e.op("mul", quotient, b)) if remainder else quotient
        return e.select(by_zero, ones(a.type), result)

    if a.uniform and b.uniform:
        return body(e, a, b)
    name = f"{'rem' if remainder else 'div'}.{'s' if signed else 'u'}{a.bits}"
    return e.outlined(name, body, e.vector(a), e.vector(b))[0]


def _quotient(e: Emitter, a: Value, b: Value, by_zero: Value, *, signed: bool) -> Value:
    """Divide where ``by_zero`` does not hold; elsewhere the result is any number.

    Where the divisor is 0 or -1 it is replaced by 1: 0 traps, and so does the lowest number by -1.
    """
    one = constant(1, b.type)
    if not signed:
        return _exact(e, "u", a, e.select(by_zero, one, b))
    by_minus_one = e.compare("eq", b, ones(b.type))
    safe = e.select(e.op("or", by_zero, by_minus_one), one, b)
    return e.select(by_minus_one, e.op("sub", zero(a.type), a), _exact(e, "s", a, safe))


def _exact(e: Emitter, sign: str, a: Value, b: Value) -> Value:
    if a.bits > 32 or (a.uniform and b.uniform):
        return e.op(f"{sign}div", a, b)
    wide = "double" if a.bits == 32 else "float"
    quotient = e.op("fdiv", *[e.cast(f"{sign}itofp", v, wide) for v in (a, b)])
    return e.cast(f"fpto{sign}i", quotient, a.type)
