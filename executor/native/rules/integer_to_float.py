"""Integers as floating-point numbers, in every rounding."""

from __future__ import annotations

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.halves import narrow
from warpmill.executor.native.rules.rounding import (
    bits_of,
    float_of,
    narrow_double,
    odd_sum,
    toward,
    two_sum,
)
from warpmill.executor.native.values import Value, constant


def from_integer(e: Emitter, to: str, mode: str, value: Value, *, signed: bool) -> Value:
    """Convert an integer to f16, bf16, f32 or f64, rounded by ``mode``."""
    opcode = "sitofp" if signed else "uitofp"
    nearest = mode in ("", "rn")
    if to in ("f32", "f64") and (nearest or (to == "f64" and value.bits < 64)):
        return e.cast(opcode, value, "float" if to == "f32" else "double")
    if to == "f64":
        return _directed_double(e, mode, *_parts(e, value, signed=signed))
    if value.bits == 64:
        exact = odd_sum(e, *_parts(e, value, signed=signed))
    else:
        exact = e.cast(opcode, value, "double")
    if to == "f32":
        return narrow_double(e, exact, mode)
    return narrow(e, narrow_double(e, exact, "odd"), to, mode)


def _parts(e: Emitter, value: Value, *, signed: bool) -> tuple[Value, Value]:
    """Give the upper and lower half of 64 bits as doubles, the upper times 2^32; both exact."""
    low = e.cast("uitofp", e.resize(value, "i32"), "double")
    upper = e.resize(e.op("lshr", value, constant(32, "i64")), "i32")
    high = e.cast("sitofp" if signed else "uitofp", upper, "double")
    return e.op("fmul", high, constant(2.0**32, "double")), low


def _directed_double(e: Emitter, mode: str, high: Value, low: Value) -> Value:
    """Add two doubles, rounded by ``mode``: the error tells on which side the exact sum lies."""
    total, error = two_sum(e, high, low)
    zero, bits = constant(0.0, "double"), bits_of(e, total)
    if mode != "rz":
        return float_of(e, toward(e, bits, error, mode, zero))
    negative = e.compare("olt", total, zero)
    outward = e.select(negative, e.op("fneg", error), error)
    inward = e.op("sub", bits, constant(1, "i64"))
    return float_of(e, e.select(e.compare("olt", outward, zero), inward, bits))
