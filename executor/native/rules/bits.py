"""Counting, finding, extracting and permuting bits. Source: PTX ISA 9.0, sections 9.7.1, 9.7.9."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.ir.operation import Operation
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.registry import pure
from warpmill.executor.native.rules.shifts import shift
from warpmill.executor.native.rules.support import is_signed, number, ones, repeat, zero
from warpmill.executor.native.values import Value, constant


@pure("popc")
def popc(e: Emitter, _: Operation, a: Value) -> Value:
    """Count the bits that are set."""
    return e.resize(e.call("llvm.ctpop", a), "i32")


def _leading_zeros(e: Emitter, a: Value) -> Value:
    return e.resize(e.call("llvm.ctlz", a, extra=", i1 false"), "i32")


@pure("clz")
def clz(e: Emitter, _: Operation, a: Value) -> Value:
    """Count the zeros above the highest bit that is set; all bits where none is."""
    return _leading_zeros(e, a)


@pure("bfind")
def bfind(e: Emitter, operation: Operation, a: Value) -> Value:
    """Find the highest bit that is not the sign, or how far to shift it to the top.

    All ones where there is none.
    """
    if is_signed(operation):
        a = e.op("xor", a, e.op("ashr", a, constant(a.bits - 1, a.type)))
    zeros = _leading_zeros(e, a)
    if "shiftamt" not in operation.modifiers:
        return e.op("sub", constant(a.bits - 1, "i32"), zeros)  # -1 where all bits are zeros
    return e.select(e.compare("eq", a, zero(a.type)), ones("i32"), zeros)


@pure("brev")
def brev(e: Emitter, _: Operation, a: Value) -> Value:
    """Turn the order of the bits round."""
    return e.call("llvm.bitreverse", a)


@pure("fns")
def fns(e: Emitter, _: Operation, mask: Value, base: Value, offset: Value) -> Value:
    """Find the n-th set bit from a place upwards, or downwards for a negative n; else all ones.

    An offset of 0 asks for the place itself.
    """
    vectors = [e.vector(v) for v in (mask, base, offset)]
    return e.outlined("fns", _find_nth, *vectors)[0]


def _find_nth(e: Emitter, mask: Value, base: Value, offset: Value) -> Value:
    one, none = constant(1, "i32"), ones("i32")
    down = e.compare("slt", offset, zero("i32"))
    way = e.select(down, none, one)
    here = e.compare("eq", offset, zero("i32"))
    distance = e.call("llvm.abs", offset, extra=", i1 false")
    wanted = e.select(here, one, distance)

    def turn(_: Value, state: Sequence[Value]) -> tuple[Value, ...]:
        place, left, found = state
        bit = e.op("and", shift(e, "lshr", mask, place), one)  # 0 beyond both ends
        hit = e.op("and", e.compare("eq", left, one), e.compare("ne", bit, zero("i32")))
        return e.op("add", place, way), e.op("sub", left, bit), e.select(hit, place, found)

    found = repeat(e, 32, (base, wanted, none), turn)[2]
    elsewhere = e.op("and", here, e.compare("ne", found, base))
    outside = e.compare("ugt", base, constant(31, "i32"))
    return e.select(e.op("or", elsewhere, outside), none, found)


def low_bits(e: Emitter, count: Value, type_: str) -> Value:
    """Give so many bits set from the lowest on; all where there are no more."""
    known, bits = number(count), int(type_[1:])
    if known is not None:
        return constant((1 << min(known, bits)) - 1, type_)
    return e.op("xor", shift(e, "shl", ones(type_), count), ones(type_))


def _masked(e: Emitter, value: Value, mask: int) -> Value:
    """Give the bits of an operand that count."""
    known = number(value)
    if known is not None:
        return constant(known & mask, value.type)
    return e.op("and", value, constant(mask, value.type))


@pure("bfe")
def bfe(e: Emitter, operation: Operation, a: Value, place: Value, length: Value) -> Value:
    """Take out a bit field; of a signed type its highest bit within the value is the sign."""
    place, length = _masked(e, place, 0xFF), _masked(e, length, 0xFF)
    if not is_signed(operation):
        return e.op("and", shift(e, "lshr", a, place), low_bits(e, length, a.type))
    moved = shift(e, "ashr", a, place)
    known = number(length)
    if known is not None:
        return _extended(e, moved, known)
    most = constant(a.bits, "i32")
    spare = e.op("sub", most, e.call("llvm.umin", length, most))  # all bits of no length: 0
    return shift(e, "ashr", shift(e, "shl", moved, spare), spare)


def _extended(e: Emitter, value: Value, length: int) -> Value:
    """Extend the sign of so many low bits."""
    if length == 0:
        return zero(value.type)
    if length >= value.bits:
        return value
    spare = constant(value.bits - length, value.type)
    return e.op("ashr", e.op("shl", value, spare), spare)


@pure("bfi")
def bfi(e: Emitter, _: Operation, *sources: Value) -> Value:
    """Put the low bits of ``a`` into ``b`` as a bit field; what lies beyond the top is dropped."""
    a, b, place, length = sources
    place, length = _masked(e, place, 0xFF), _masked(e, length, 0xFF)
    mask = shift(e, "shl", low_bits(e, length, a.type), place)
    new = e.op("and", shift(e, "shl", a, place), mask)
    return e.op("or", new, e.op("and", b, e.op("xor", mask, ones(mask.type))))


@pure("bmsk")
def bmsk(e: Emitter, operation: Operation, place: Value, length: Value) -> Value:
    """Give a mask of so many bits from a place on."""
    if "wrap" in operation.modifiers:
        place, length = _masked(e, place, 31), _masked(e, length, 31)
    return shift(e, "shl", low_bits(e, length, "i32"), place)


@pure("szext")
def szext(e: Emitter, operation: Operation, a: Value, length: Value) -> Value:
    """Extend so many low bits by their sign or by zeros; of no bits that gives 0."""
    if "wrap" in operation.modifiers:
        length = _masked(e, length, 31)
    if not is_signed(operation):
        return e.op("and", a, low_bits(e, length, a.type))
    most = constant(32, "i32")
    spare = e.op("sub", most, e.call("llvm.umin", length, most))
    return shift(e, "ashr", shift(e, "shl", a, spare), spare)
