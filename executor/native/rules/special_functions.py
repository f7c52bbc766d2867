"""rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh (PTX ISA 9.0, sections 9.7.3.13 to 9.7.3.22).

Approximate forms of f32, f16 and bf16 are computed in float by vector code; f64, which PTX has for
a few and LLVM for all, comes from C's libm. Errors are those of the result before it is rounded to
f16 or bf16.
"""

from __future__ import annotations

from collections.abc import Callable

from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules import approximations
from warpmill.executor.native.rules.float_forms import Form, form_of
from warpmill.executor.native.rules.floats import by_element, finish, flushed_source
from warpmill.executor.native.rules.halves import canonical, narrow, widen
from warpmill.executor.native.rules.registry import pure
from warpmill.executor.native.rules.rounding import bits_of, directed, float_of
from warpmill.executor.native.values import Value, constant

Function = Callable[[Emitter, Form, Value], Value]
"""Computes on a float or a double."""


@pure("rcp")
def reciprocal(e: Emitter, operation: Operation, a: Value) -> Value:
    """Give 1 / a, correctly rounded; ``rcp.approx`` allows 1 ulp.

    ``rcp.approx.ftz.f64`` looks at the upper 32 bits and gives so many, rounded.
    """
    form = form_of(operation)
    return _unary(e, operation, a, _gross(_reciprocal) if _is_gross(form) else _reciprocal)


@pure("sqrt")
def square_root(e: Emitter, operation: Operation, a: Value) -> Value:
    """Give the square root, correctly rounded; ``sqrt.approx`` allows a relative error of 2^-23."""
    return _unary(e, operation, a, _square_root)


@pure("rsqrt")
def reciprocal_square_root(e: Emitter, operation: Operation, a: Value) -> Value:
    """Give 1 / sqrt(a) by two rounded steps: within 2^-23, where the manual allows 2^-22.9.

    ``rsqrt.approx.ftz.f64`` looks at the upper 32 bits and gives so many, rounded.
    """
    form = form_of(operation)
    function = _gross(_reciprocal_square_root) if _is_gross(form) else _reciprocal_square_root
    return _unary(e, operation, a, function)


@pure("sin")
def sine(e: Emitter, operation: Operation, a: Value) -> Value:
    """Give the sine: absolute error below 2^-20.5 in -2 pi to 2 pi and 2^-14.7 in 100 pi."""
    return _unary(e, operation, a, _by("sin", approximations.sine))


@pure("cos")
def cosine(e: Emitter, operation: Operation, a: Value) -> Value:
    """Give the cosine: absolute error below 2^-20.5 in -2 pi to 2 pi and 2^-14.7 in 100 pi."""
    return _unary(e, operation, a, _by("cos", approximations.cosine))


@pure("lg2")
def logarithm(e: Emitter, operation: Operation, a: Value) -> Value:
    """Give the logarithm to base 2: relative error below 2^-22."""
    return _unary(e, operation, a, _by("log2", approximations.logarithm))


@pure("ex2")
def exponential(e: Emitter, operation: Operation, a: Value) -> Value:
    """Give 2 to a power: 2 ulp of f32, relative error below 2^-9.9 of f16 and 2^-7 of bf16."""
    return _unary(e, operation, a, _by("exp2", approximations.exponential))


@pure("tanh")
def hyperbolic_tangent(e: Emitter, operation: Operation, a: Value) -> Value:
    """Give tanh: relative error below 2^-11 of f32; 2^-10.987 of f16 and 2^-8 of bf16, absolute."""
    return _unary(e, operation, a, _by("tanh", approximations.hyperbolic_tangent))


def _unary(e: Emitter, operation: Operation, a: Value, function: Function) -> Value:
    """Do a function on each element in a function of its own."""
    form = form_of(operation)

    def one(inner: Emitter, each: Form, value: Value) -> Value:
        if each.type not in ("f16", "bf16"):
            source = flushed_source(inner, each, value)
            return finish(inner, each, canonical(inner, function(inner, each, source)))
        # Subnormal numbers of bf16 are those of f32, so that .ftz is done on the floats.
        wide = flushed_source(inner, each, widen(inner, value, each.type))
        result = flushed_source(inner, each, function(inner, each, wide))
        return narrow(inner, result, each.type)

    def body(inner: Emitter, value: Value) -> Value:
        return by_element(inner, form, lambda each, part: one(inner, each, part), value)

    return e.outlined(f"{operation.name}.{form.text}", body, a)[0]


def _by(name: str, approximation: Callable[[Emitter, Value], Value]) -> Function:
    def function(e: Emitter, form: Form, value: Value) -> Value:
        if form.type == "f64":
            return e.external(name, value, result="double")
        return approximation(e, value)

    return function


def _reciprocal(e: Emitter, form: Form, value: Value) -> Value:
    one = constant(1.0, value.type)
    if form.rounding in ("", "rn"):
        return e.op("fdiv", one, value)
    return directed(e, "fdiv", form.rounding, one, value)


def _square_root(e: Emitter, form: Form, value: Value) -> Value:
    if form.rounding in ("", "rn"):
        return e.call("llvm.sqrt", value)
    return directed(e, "sqrt", form.rounding, value)


def _reciprocal_square_root(e: Emitter, _: Form, value: Value) -> Value:
    return e.op("fdiv", constant(1.0, value.type), e.call("llvm.sqrt", value))


def _is_gross(form: Form) -> bool:
    return form.type == "f64" and form.approx and form.ftz


def _gross(function: Function) -> Function:
    """Make a function of doubles one of their upper 32 bits, without subnormal numbers."""

    def gross(e: Emitter, form: Form, value: Value) -> Value:
        upper = e.op("and", bits_of(e, value), constant(_UPPER, "i64"))
        result = bits_of(
            e, _flush_double(e, function(e, form, _flush_double(e, float_of(e, upper))))
        )
        nearest = e.op("add", result, constant(1 << 31, "i64"))
        return float_of(e, e.op("and", nearest, constant(_UPPER, "i64")))

    return gross


_UPPER = 0xFFFFFFFF00000000


def _flush_double(e: Emitter, value: Value) -> Value:
    small = e.compare("olt", e.call("llvm.fabs", value), constant(2.0**-1022, "double"))
    zero = e.call("llvm.copysign", constant(0.0, "double"), value)
    return e.select(small, zero, value)
