"""Moves; bits counted, found, extracted, permuted, shifted (PTX ISA 9.0, 9.7.1, 9.7.8, 9.7.9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpmill.analyzer.ir.kernel import Operand, Sink, Special
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.rules.registry import (
    is_signed,
    join,
    number,
    ones,
    part,
    pure,
    read_bits,
    repeat,
    rule,
    zero,
)
from warpmill.executor.native.step import LoweringStep


@pure("popc")
def popc(e: Emitter, _: Operation, a: LlvmValue) -> LlvmValue:
    """Count the bits that are set."""
    return e.resize(e.call("llvm.ctpop", a), "i32")


def _leading_zeros(e: Emitter, a: LlvmValue) -> LlvmValue:
    return e.resize(e.call("llvm.ctlz", a, extra=", i1 false"), "i32")


@pure("clz")
def clz(e: Emitter, _: Operation, a: LlvmValue) -> LlvmValue:
    """Count the zeros above the highest bit that is set; all bits where none is."""
    return _leading_zeros(e, a)


@pure("bfind")
def bfind(e: Emitter, operation: Operation, a: LlvmValue) -> LlvmValue:
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
def brev(e: Emitter, _: Operation, a: LlvmValue) -> LlvmValue:
    """Turn the order of the bits round."""
    return e.call("llvm.bitreverse", a)


@pure("fns")
def fns(e: Emitter, _: Operation, mask: LlvmValue, base: LlvmValue, offset: LlvmValue) -> LlvmValue:
    """Find the n-th set bit from a place upwards, or downwards for a negative n; else all ones.

    An offset of 0 asks for the place itself.
    """
    vectors = [e.vector(v) for v in (mask, base, offset)]
    return e.outlined("fns", _find_nth, *vectors)[0]


def _find_nth(e: Emitter, mask: LlvmValue, base: LlvmValue, offset: LlvmValue) -> LlvmValue:
    one, none = constant(1, "i32"), ones("i32")
    down = e.compare("slt", offset, zero("i32"))
    way = e.select(down, none, one)
    here = e.compare("eq", offset, zero("i32"))
    distance = e.call("llvm.abs", offset, extra=", i1 false")
    wanted = e.select(here, one, distance)

    def turn(_: LlvmValue, state: Sequence[LlvmValue]) -> tuple[LlvmValue, ...]:
        place, left, found = state
        bit = e.op("and", shift(e, "lshr", mask, place), one)  # 0 beyond both ends
        hit = e.op("and", e.compare("eq", left, one), e.compare("ne", bit, zero("i32")))
        return e.op("add", place, way), e.op("sub", left, bit), e.select(hit, place, found)

    found = repeat(e, 32, (base, wanted, none), turn)[2]
    elsewhere = e.op("and", here, e.compare("ne", found, base))
    outside = e.compare("ugt", base, constant(31, "i32"))
    return e.select(e.op("or", elsewhere, outside), none, found)


def low_bits(e: Emitter, count: LlvmValue, type_: str) -> LlvmValue:
    """So many bits set from the lowest on; all where there are no more."""
    known, bits = number(count), int(type_[1:])
    if known is not None:
        return constant((1 << min(known, bits)) - 1, type_)
    return e.op("xor", shift(e, "shl", ones(type_), count), ones(type_))


def _masked(e: Emitter, value: LlvmValue, mask: int) -> LlvmValue:
    """The bits of an operand that count."""
    known = number(value)
    if known is not None:
        return constant(known & mask, value.type)
    return e.op("and", value, constant(mask, value.type))


@pure("bfe")
def bfe(
    e: Emitter, operation: Operation, a: LlvmValue, place: LlvmValue, length: LlvmValue
) -> LlvmValue:
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


def _extended(e: Emitter, value: LlvmValue, length: int) -> LlvmValue:
    """Extend the sign of so many low bits."""
    if length == 0:
        return zero(value.type)
    if length >= value.bits:
        return value
    spare = constant(value.bits - length, value.type)
    return e.op("ashr", e.op("shl", value, spare), spare)


@pure("bfi")
def bfi(e: Emitter, _: Operation, *sources: LlvmValue) -> LlvmValue:
    """Word ``b`` with the low bits of ``a`` as a bit field; what is beyond the top is dropped."""
    a, b, place, length = sources
    place, length = _masked(e, place, 0xFF), _masked(e, length, 0xFF)
    mask = shift(e, "shl", low_bits(e, length, a.type), place)
    new = e.op("and", shift(e, "shl", a, place), mask)
    return e.op("or", new, e.op("and", b, e.op("xor", mask, ones(mask.type))))


@pure("bmsk")
def bmsk(e: Emitter, operation: Operation, place: LlvmValue, length: LlvmValue) -> LlvmValue:
    """A mask of so many bits from a place on."""
    if "wrap" in operation.modifiers:
        place, length = _masked(e, place, 31), _masked(e, length, 31)
    return shift(e, "shl", low_bits(e, length, "i32"), place)


@pure("szext")
def szext(e: Emitter, operation: Operation, a: LlvmValue, length: LlvmValue) -> LlvmValue:
    """Extend so many low bits by their sign or by zeros; of no bits that gives 0."""
    if "wrap" in operation.modifiers:
        length = _masked(e, length, 31)
    if not is_signed(operation):
        return e.op("and", a, low_bits(e, length, a.type))
    most = constant(32, "i32")
    spare = e.op("sub", most, e.call("llvm.umin", length, most))
    return shift(e, "ashr", shift(e, "shl", a, spare), spare)


# ``mov``: copies, packing and unpacking. Source: PTX ISA 9.0, section 9.7.9.2 and .3.

_WITH_AXES = frozenset({"tid", "ntid", "ctaid", "nctaid"})


@rule("mov")
def mov(step: LoweringStep) -> None:
    """Copy a value, or put the elements of a value together or apart; the first is the lowest."""
    to, source = step.instruction.operands
    targets, sources = step.elements(to), _elements(step, source)
    if isinstance(source, Special):
        sources = sources[: len(targets)]
    if len(targets) == len(sources):
        values = [read_bits(step, s, step.operation.type) for s in sources]
    elif len(targets) == 1:
        values = [_packed(step, sources)]
    else:
        values = _unpacked(step, read_bits(step, sources[0], step.operation.type), len(targets))
    for target, value in zip(targets, values, strict=True):
        if not isinstance(target, Sink):
            step.write(target, value)


def _elements(step: LoweringStep, operand: Operand) -> tuple[Operand, ...]:
    """The elements of an operand; a special register with axes has four."""
    if isinstance(operand, Special) and operand.name in _WITH_AXES:
        return tuple(Special(f"{operand.name}.{axis}") for axis in "xyzw")
    return step.elements(operand)


def _packed(step: LoweringStep, sources: tuple[Operand, ...]) -> LlvmValue:
    e, type_ = step.emitter, step.operation.type
    assert type_ is not None
    part_type = TYPES[f"b{type_.bits // len(sources)}"]
    parts = [step.read(s, part_type) for s in sources]
    return join(e, parts, f"i{type_.bits}")


def _unpacked(step: LoweringStep, value: LlvmValue, count: int) -> list[LlvmValue]:
    value = _as_integer(step, value)
    return [part(step.emitter, value, k, f"i{value.bits // count}") for k in range(count)]


def _as_integer(step: LoweringStep, value: LlvmValue) -> LlvmValue:
    return step.emitter.bitcast(value, f"i{value.bits}") if value.is_float else value


# ``prmt``: four bytes out of eight. Source: PTX ISA 9.0, section 9.7.9.7.

_MODES: dict[str, Callable[[int, int], int]] = {
    "f4e": lambda way, place: way + place,
    "b4e": lambda way, place: (way - place) % 8,
    "rc8": lambda way, _: way,
    "ecl": max,
    "ecr": min,
    "rc16": lambda way, place: 2 * (way & 1) + (place & 1),
}
"""Byte, of the eight, at each of the four places, by the selector's two low bits."""

_SIGN = 8  # in a selector: the byte's sign in all eight bits


@pure("prmt")
def prmt(
    e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue, selector: LlvmValue
) -> LlvmValue:
    """Pick four of the eight bytes of ``b:a``."""
    mode = next((word for word in operation.modifiers if word in _MODES), None)
    known = number(selector)
    if known is not None:
        return pick(e, a, b, _selected(mode, known))
    if mode is None:
        return e.outlined("prmt", _by_nibbles, a, b, selector)[0]
    ways = [pick(e, a, b, _selected(mode, way)) for way in range(4)]
    low, high = (
        e.compare("ne", e.op("and", selector, constant(bit, "i32")), constant(0, "i32"))
        for bit in (1, 2)
    )
    return e.select(high, e.select(low, ways[3], ways[2]), e.select(low, ways[1], ways[0]))


def _selected(mode: str | None, selector: int) -> list[int]:
    if mode is not None:
        return [_MODES[mode](selector & 3, place) for place in range(4)]
    return [selector >> 4 * place & 15 for place in range(4)]


def pick(e: Emitter, a: LlvmValue, b: LlvmValue, nibbles: Sequence[int]) -> LlvmValue:
    """Four bytes that are known here; 8 and more stand for a byte's sign."""
    a, b = (e.vector(a), e.vector(b)) if not (a.uniform and b.uniform) else (a, b)
    bytes_a, bytes_b = _bytes(e, a), _bytes(e, b)
    result = _shuffled(e, a, (bytes_a, bytes_b), [n % 8 for n in nibbles])
    signs = [n >= _SIGN for n in nibbles]
    if any(signs):
        result = _with_signs(e, result, signs)
    return result


def _lanes(e: Emitter, value: LlvmValue) -> int:
    return 1 if value.uniform else e.lanes


def _bytes(e: Emitter, value: LlvmValue) -> str:
    name = e.name()
    e.raw(f"  {name} = bitcast {e.typed(value)} to <{4 * _lanes(e, value)} x i8>")
    return name


def _shuffled(
    e: Emitter, like: LlvmValue, names: tuple[str, str], places: Sequence[int]
) -> LlvmValue:
    count = 4 * _lanes(e, like)
    order = [
        4 * lane + place % 4 + (count if place >= 4 else 0)
        for lane in range(count // 4)
        for place in places
    ]
    words = ", ".join([f"i32 {n}" for n in order])
    whole, name = f"<{count} x i8>", e.name()
    e.raw(
        f"  {name} = shufflevector {whole} {names[0]}, {whole} {names[1]}, "
        f"<{count} x i32> <{words}>"
    )
    return e.define(f"bitcast {whole} {name} to {e.llvm_type(like)}", "i32", uniform=like.uniform)


def _with_signs(e: Emitter, value: LlvmValue, signs: Sequence[bool]) -> LlvmValue:
    """Replace bytes by their signs, as 0x00 or 0xff."""
    tops = constant(sum(0x80 << 8 * k for k, sign in enumerate(signs) if sign), "i32")
    kept = constant(sum(0xFF << 8 * k for k, sign in enumerate(signs) if not sign), "i32")
    set_ = e.op("lshr", e.op("and", value, tops), constant(7, "i32"))
    filled = e.op("mul", set_, constant(0xFF, "i32"))
    return e.op("or", filled, e.op("and", value, kept))


def _by_nibbles(e: Emitter, a: LlvmValue, b: LlvmValue, selector: LlvmValue) -> LlvmValue:
    """Pick bytes by a selector that is known at run time only."""
    low, high = (e.cast("zext", v, "i64") for v in (a, b))
    both = e.op("or", low, e.op("shl", high, constant(32, "i64")))
    wide = e.cast("zext", selector, "i64")
    result = constant(0, "i32")
    for place in range(4):
        nibble = e.op("lshr", wide, constant(4 * place, "i64"))
        amount = e.op("shl", e.op("and", nibble, constant(7, "i64")), constant(3, "i64"))
        byte = e.resize(e.op("lshr", both, amount), "i8")
        sign = e.op("ashr", byte, constant(7, "i8"))
        wants_sign = e.compare("ne", e.op("and", nibble, constant(8, "i64")), constant(0, "i64"))
        chosen = e.resize(e.select(wants_sign, sign, byte), "i32")
        result = e.op("or", result, e.op("shl", chosen, constant(8 * place, "i32")))
    return result


# Shifts, whose amounts PTX limits to the width of the type. Source: PTX ISA 9.0, section 9.7.8.


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
