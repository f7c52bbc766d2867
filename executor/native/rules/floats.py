"""Floating-point arithmetic: add, sub, mul, fma, div, neg, abs, min, max.

f32 and f64 are done as they are. f16 and bf16 are done in float and rounded, which gives the same
as rounding once: float has more than twice their bits and two (Figueroa, 1995); fma, which needs
more, is in double. Packed types are done half by half in a function of their own.
"""

from __future__ import annotations

from collections.abc import Callable

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.rules.float_forms import (
    HALF_TYPES,
    FloatModifiers,
    bits_of,
    canonical,
    directed,
    float_of,
    form_of,
    narrow,
    narrow_double,
    odd_sum,
    on_halves,
    widen,
)
from warpmill.executor.native.rules.registry import pure, refuses

# What the other rules call.


def add(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """Add; an f16 or bf16 ``a`` is added to an f32 as it is (``add.f32.bf16``)."""
    return arithmetic(e, form_of(operation), "fadd", a, b)


def sub(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """Subtract."""
    return arithmetic(e, form_of(operation), "fsub", a, b)


def mul(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """Multiply."""
    return arithmetic(e, form_of(operation), "fmul", a, b)


def divide(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """Divide, correctly rounded whatever the opcode asks for.

    ``div.full`` (2 ulp) and ``div.approx`` (2 ulp for divisors of 2^-126 to 2^126) allow it. For
    divisors above, ``div.approx.f32`` multiplies by a reciprocal that has become zero.
    """
    return arithmetic(e, form_of(operation), "fdiv", a, b)


def multiply_add(
    e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue, c: LlvmValue
) -> LlvmValue:
    """Multiply and add with one rounding: ``fma`` and ``mad`` of floats."""
    return arithmetic(e, form_of(operation), "fma", a, b, c)


def neg(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """Change the sign, of NaN too."""
    return _on_sign(e, form_of(operation), a, "xor")


def abs_(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
    """Drop the sign, of NaN too."""
    return _on_sign(e, form_of(operation), a, "and")


def minimum(e: Emitter, operation: Operation, *sources: LlvmValue) -> LlvmValue:
    """The least of two or three; a NaN counts only where all are, or with ``.NaN``."""
    return _extremum(e, form_of(operation), "min", *sources)


def maximum(e: Emitter, operation: Operation, *sources: LlvmValue) -> LlvmValue:
    """The greatest of two or three; a NaN counts only where all are, or with ``.NaN``."""
    return _extremum(e, form_of(operation), "max", *sources)


@refuses("fma")
def refuse_fma(instruction: Instruction) -> str | None:
    """``fma.oob`` tests for the NaN that marks elements out of bounds: its bits are not told."""
    if form_of(instruction.operation).oob:
        return "the bits of the NaN that .oob looks for are not documented"
    return None


@pure("fma")
def fma(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue, c: LlvmValue) -> LlvmValue:
    """Multiply and add with one rounding."""
    return multiply_add(e, operation, a, b, c)


# How it is done.


def arithmetic(e: Emitter, form: FloatModifiers, opcode: str, *sources: LlvmValue) -> LlvmValue:
    """Do one of LLVM's operations on floats, with what the modifiers ask for around it.

    What has modifiers is a function of its own: flushing three operands in place takes LLVM six
    times as long to compile as the call, and runs no faster.
    """
    if form.type in ("f32", "f64") and form.is_plain:
        return _operation(e, "", opcode, [_as_float(e, form, s) for s in sources])
    if form.type in ("f16", "bf16") and form.is_plain and opcode != "fma":
        wide = [widen(e, s, form.type) for s in sources]
        return narrow(e, _operation(e, "", opcode, wide), form.type)

    def body(inner: Emitter, *values: LlvmValue) -> LlvmValue:
        return by_element(inner, form, lambda each, *v: _one(inner, each, opcode, *v), *values)

    return e.outlined(f"{opcode}.{form.text}", body, *sources)[0]


def by_element(
    e: Emitter, form: FloatModifiers, compute: Callable[..., LlvmValue], *sources: LlvmValue
) -> LlvmValue:
    """Call ``compute(form, *sources)`` for a scalar form, once or for both halves."""
    if form.type not in HALF_TYPES:
        return compute(form, *sources)
    each = form.each
    return on_halves(e, each.type, lambda *parts: compute(each, *parts), *sources)


def _one(e: Emitter, form: FloatModifiers, opcode: str, *sources: LlvmValue) -> LlvmValue:
    """Do an operation of one element with its modifiers."""
    given = [flushed_source(e, form, s) for s in sources]
    narrow_type = form.type in ("f16", "bf16")
    if narrow_type and opcode == "fma":
        result = _narrow_fma(e, form.type, given)
    elif narrow_type:
        wide = [widen(e, s, form.type) for s in given]
        result = narrow(e, _operation(e, "", opcode, wide), form.type)
    else:
        values = [_as_float(e, form, s) for s in given]
        result = _operation(e, form.rounding, opcode, values)
        if opcode == "fdiv" and form.approx and form.type == "f32":
            result = _without_large_divisors(e, result, *values)
    return finish(e, form, result)


def _without_large_divisors(e: Emitter, result: LlvmValue, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """A zero, NaN for infinity, where 1 / b is subnormal."""
    large = e.compare("ogt", e.call("llvm.fabs", b), constant(2.0**126, "float"))
    zero = e.op("fmul", a, e.call("llvm.copysign", constant(0.0, "float"), b))
    return e.select(large, zero, result)


def _operation(e: Emitter, rounding: str, opcode: str, values: list[LlvmValue]) -> LlvmValue:
    if rounding not in ("", "rn"):
        return directed(e, opcode, rounding, *values)
    return e.call("llvm.fma", *values) if opcode == "fma" else e.op(opcode, *values)


def _as_float(e: Emitter, form: FloatModifiers, value: LlvmValue) -> LlvmValue:
    """Source in the type of the computation: an f16 or bf16 of a mixed operation as a float."""
    if form.type != "f32" or value.type == "float":
        return value
    return widen(e, value, "f16" if value.type == "half" else "bf16")


def _narrow_fma(e: Emitter, type_: str, sources: list[LlvmValue]) -> LlvmValue:
    """Multiply and add f16 or bf16 with one rounding.

    The product is exact: of f16 in float, of bf16, whose exponents are as large as float's, in
    double. The sum is rounded to odd, so that the roundings that follow add no error.
    """
    a, b, c = (widen(e, s, type_) for s in sources)
    if type_ == "f16":
        return narrow(e, odd_sum(e, e.op("fmul", a, b), c), type_)
    x, y, z = (e.cast("fpext", v, "double") for v in (a, b, c))
    total = odd_sum(e, e.op("fmul", x, y), z)
    return narrow(e, narrow_double(e, total, "odd"), type_)


def flushed_source(e: Emitter, form: FloatModifiers, value: LlvmValue) -> LlvmValue:
    """Zero for a subnormal source where the form has ``.ftz``; f64 and bf16 know no ftz."""
    return flush(e, value) if form.ftz and value.type in ("float", "half") else value


def flush(e: Emitter, value: LlvmValue) -> LlvmValue:
    """A zero of the same sign for a subnormal float or half, another number as it is."""
    bits = bits_of(e, value)
    exponent = {"float": 0xFF << 23, "half": 0x1F << 10}[value.type]
    is_small = e.compare(
        "eq", e.op("and", bits, constant(exponent, bits.type)), constant(0, bits.type)
    )
    zero = e.op("and", bits, constant(1 << bits.bits - 1, bits.type))
    return float_of(e, e.select(is_small, zero, bits))


def finish(e: Emitter, form: FloatModifiers, value: LlvmValue) -> LlvmValue:
    """Flush and clamp a result as the form asks: ``.ftz``, ``.sat``, ``.relu``."""
    value = flushed_source(e, form, value)
    if not (form.sat or form.relu):
        return value
    if value.type == "i16":  # bf16
        return narrow(e, clamp(e, form, widen(e, value, "bf16")), "bf16", "rz")
    return clamp(e, form, value)


def clamp(e: Emitter, form: FloatModifiers, value: LlvmValue) -> LlvmValue:
    """Clamp a float: to 0 to 1 with NaN as 0 for ``.sat``, at 0 from below for ``.relu``."""
    zero, one = constant(0.0, value.type), constant(1.0, value.type)
    if form.sat:
        positive = e.select(e.compare("ogt", value, zero), value, zero)
        return e.select(e.compare("olt", positive, one), positive, one)
    positive = e.select(e.compare("ole", value, zero), zero, value)
    return canonical(e, positive)


def _on_sign(e: Emitter, form: FloatModifiers, value: LlvmValue, opcode: str) -> LlvmValue:
    """Flip (``xor``) or clear (``and``) the sign of each element."""
    if form.ftz:
        value = _flushed(e, form, value)
    if value.is_float:
        return e.op("fneg", value) if opcode == "xor" else e.call("llvm.fabs", value)
    each = value.bits // TYPES[form.type].lanes
    signs = sum(1 << place + each - 1 for place in range(0, value.bits, each))
    return e.op(opcode, value, constant(signs if opcode == "xor" else ~signs, value.type))


def _flushed(e: Emitter, form: FloatModifiers, value: LlvmValue) -> LlvmValue:
    return by_element(e, form, lambda each, part: flushed_source(e, each, part), value)


# Minimum and maximum.


def _extremum(e: Emitter, form: FloatModifiers, which: str, *sources: LlvmValue) -> LlvmValue:
    if form.type in ("f32", "f64") and len(sources) == 2 and not (form.xorsign or form.ftz):
        return _extremum_of(e, form, which, *sources)

    def body(inner: Emitter, *values: LlvmValue) -> LlvmValue:
        return by_element(inner, form, lambda f, *v: _extremum_of(inner, f, which, *v), *values)

    return e.outlined(f"{which}.{form.text}", body, *sources)[0]


def _extremum_of(e: Emitter, form: FloatModifiers, which: str, *sources: LlvmValue) -> LlvmValue:
    """The least or greatest of one element (PTX ISA 9.0, section 9.7.3.11): -0 is below +0."""
    given = [_wide(e, form, flushed_source(e, form, s)) for s in sources]
    values = [e.call("llvm.fabs", v) for v in given] if form.abs else given
    intrinsic = f"llvm.{which}imum" if form.propagates_nan else f"llvm.{which}imumnum"
    result = values[0]
    for value in values[1:]:
        result = e.call(intrinsic, result, value)
    if form.xorsign:
        result = _with_sign_of_product(e, result, given)
    if form.relu:
        result = clamp(e, form, result)
    return _back(e, form.type, result)


def _wide(e: Emitter, form: FloatModifiers, value: LlvmValue) -> LlvmValue:
    return widen(e, value, form.type) if form.type in ("f16", "bf16") else value


def _back(e: Emitter, type_: str, value: LlvmValue) -> LlvmValue:
    """A float that the type holds as that type; NaN is the canonical one."""
    if type_ not in ("f16", "bf16"):
        return canonical(e, value)
    return narrow(e, value, type_, "rn" if type_ == "f16" else "rz")


def _with_sign_of_product(e: Emitter, result: LlvmValue, sources: list[LlvmValue]) -> LlvmValue:
    """Magnitude with the sign that the product of the sources has."""
    a, b = (bits_of(e, s) for s in sources[:2])
    return e.call("llvm.copysign", result, float_of(e, e.op("xor", a, b)))
