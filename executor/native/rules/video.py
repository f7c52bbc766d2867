"""Dot products of bytes and halves, and the scalar video instructions.

Source: PTX ISA 9.0, sections 9.7.1 (dp4a, dp2a) and 9.7.17 (video). ``dp8a``, of eight elements
of 4 bits, is our own. Intermediate results of the video instructions are held in 64 bits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from warpmill.analyzer.ir.kernel import Element, Instruction, Negated, Operand
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Type, TypeKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.rules.integer import distance
from warpmill.executor.native.rules.registry import pure, refuses, rule, zero
from warpmill.executor.native.step import LoweringStep


def field(e: Emitter, value: LlvmValue, start: int, bits: int, *, signed: bool) -> LlvmValue:
    """So many bits of an i32 from a place on, extended to 32 bits."""
    spare = 32 - bits
    if signed:
        top = constant(spare - start, "i32")
        moved = e.op("shl", value, top) if spare > start else value
        return e.op("ashr", moved, constant(spare, "i32")) if spare else moved
    moved = e.op("lshr", value, constant(start, "i32")) if start else value
    if start + bits == 32:
        return moved
    return e.op("and", moved, constant((1 << bits) - 1, "i32"))


@pure("dp4a", "dp8a", "dp2a")
def dot(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue, c: LlvmValue) -> LlvmValue:
    """Add the products of the elements of two words to a third."""
    signs = [t.kind is TypeKind.SIGNED for t in operation.types[:2]]
    bits_a, bits_b = {"dp4a": (8, 8), "dp8a": (4, 4), "dp2a": (16, 8)}[operation.name]
    skipped = 16 if "hi" in operation.modifiers else 0
    words = "".join("s" if sign else "u" for sign in signs)

    def body(e: Emitter, a: LlvmValue, b: LlvmValue, c: LlvmValue) -> LlvmValue:
        total = c
        for place in range(32 // bits_a):
            left = field(e, a, place * bits_a, bits_a, signed=signs[0])
            right = field(e, b, place * bits_b + skipped, bits_b, signed=signs[1])
            total = e.op("add", total, e.op("mul", left, right))
        return total

    return e.outlined(f"{operation.name}.{words}.{skipped}", body, a, b, c)[0]


# Scalar video instructions.


@dataclass(frozen=True)
class Selected:
    """A source of a video instruction: its word, what part of it counts, and its sign."""

    value: LlvmValue
    selector: str = ""
    negated: bool = False


def selected(step: LoweringStep, operand: Operand) -> Selected:
    """Read a source of a video instruction."""
    match operand:
        case Negated(inner):
            found = selected(step, inner)
            return Selected(found.value, found.selector, negated=True)
        case Element(register, selector) if selector[0] in "bh":
            return Selected(step.emitter.resize(step.read(register), "i32"), selector)
    return Selected(step.emitter.resize(step.read(operand), "i32"))


def _part(e: Emitter, source: Selected, type_: Type) -> LlvmValue:
    """Extract the byte, half or word that counts, extended to 64 bits by its type."""
    signed = type_.kind is TypeKind.SIGNED
    value = source.value
    if source.selector:
        bits = 8 if source.selector[0] == "b" else 16
        value = field(e, value, bits * int(source.selector[1]), bits, signed=signed)
    return e.resize(value, "i64", signed=signed)


def clamp(e: Emitter, value: LlvmValue, bits: int, *, signed: bool) -> LlvmValue:
    """Limit a number to what so many bits hold."""
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    value = e.call("llvm.smax", value, constant(least, value.type))
    return e.call("llvm.smin", value, constant(most, value.type))


def _mode(operation: Operation) -> str:
    return "wrap" if "wrap" in operation.modifiers else "clamp"


def _amount(e: Emitter, operation: Operation, b: LlvmValue) -> LlvmValue:
    if _mode(operation) == "wrap":
        return e.op("and", b, constant(31, b.type))
    return e.call("llvm.umin", b, constant(32, b.type))


def _shift_left(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    amount = _amount(e, operation, b)
    if "sat" in operation.modifiers:  # what leaves 64 bits is beyond every limit, too
        return e.call("llvm.sshl.sat", a, amount)
    return e.op("shl", a, amount)


def average(e: Emitter, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """The mean, rounded up where it is not negative, else towards minus infinity."""
    total = e.op("add", a, b)
    rounding = e.cast("zext", e.compare("sge", total, zero(total.type)), total.type)
    return e.op("ashr", e.op("add", total, rounding), constant(1, total.type))


def holds(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """Compare, 1 where it holds."""
    words = ("eq", "ne", "lt", "le", "gt", "ge")
    word = next(w for w in operation.modifiers if w in words)
    predicate = word if word in ("eq", "ne") else f"s{word}"
    return e.cast("zext", e.compare(predicate, a, b), a.type)


_COMPUTE: dict[str, Callable[[Emitter, Operation, LlvmValue, LlvmValue], LlvmValue]] = {
    "vadd": lambda e, _, a, b: e.op("add", a, b),
    "vsub": lambda e, _, a, b: e.op("sub", a, b),
    "vabsdiff": lambda e, _, a, b: distance(e, a, b, signed=True),
    "vmin": lambda e, _, a, b: e.call("llvm.smin", a, b),
    "vmax": lambda e, _, a, b: e.call("llvm.smax", a, b),
    "vavrg": lambda e, _, a, b: average(e, a, b),
    "vset": holds,
    "vshl": _shift_left,
    "vshr": lambda e, operation, a, b: e.op("ashr", a, _amount(e, operation, b)),
}
"""Result of each instruction from its two extended parts."""


def compute(e: Emitter, operation: Operation, a: LlvmValue, b: LlvmValue) -> LlvmValue:
    """Compute one element of a video instruction from its extended parts."""
    return _COMPUTE[operation.name.rstrip("24")](e, operation, a, b)


def is_signed_result(operation: Operation) -> bool:
    """Whether the result has a sign; that of a comparison has none."""
    return not operation.name.startswith("vset") and operation.types[0].kind is TypeKind.SIGNED


def source_types(operation: Operation) -> tuple[Type, Type]:
    """The types of the two sources; a comparison names no other type."""
    first, second = operation.types[:2] if _is_set(operation) else operation.types[1:3]
    return first, second


def _is_set(operation: Operation) -> bool:
    return operation.name.startswith("vset")


_SCALAR = ("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset")


@refuses(*_SCALAR, "vmad")
def refuse_scalar(instruction: Instruction) -> str | None:
    """Reason why a scalar video instruction is none: its types, or parts that operands lack."""
    operation = instruction.operation
    to, *sources = instruction.operands
    third = sources[2:] if operation.name != "vmad" else [to, *sources[2:]]
    if wrong := refused_types(operation):
        return wrong
    if any(_part_of(o) not in _PARTS for o in (to, *sources[:2])):
        return "a part of a register is one of .b0, .b1, .b2, .b3, .h0 and .h1"
    if any(_part_of(o) for o in third):
        return "a part of this operand cannot be chosen"
    if _part_of(to) and (len(sources) < 3 or _second_word(operation)):
        return "a part of the result is merged into a third operand, without another operation"
    if len(sources) < 3 and _second_word(operation):
        return "its second operation wants a third operand"
    return None


_PARTS = ("", "b0", "b1", "b2", "b3", "h0", "h1")


def refused_types(operation: Operation) -> str | None:
    """Reason why a video instruction is refused: types other than integers of 32 bits."""
    wrong = [t.name for t in operation.types if t.name not in ("u32", "s32")]
    return f"its types are .u32 or .s32, not .{wrong[0]}" if wrong else None


def _part_of(operand: Operand) -> str:
    inner = operand.operand if isinstance(operand, Negated) else operand
    word = inner.component if isinstance(inner, Element) else ""
    return word if len(word) > 1 else ""  # .x and .b are elements of vector registers


@rule(*_SCALAR)
def scalar_video(step: LoweringStep) -> None:
    """Compute from parts of two words; then combine with a third word, or put into a part of it."""
    e, operation = step.emitter, step.operation
    to, left, right, *rest = step.instruction.operands
    types = source_types(operation)
    a, b = (_part(e, selected(step, o), t) for o, t in zip((left, right), types, strict=True))
    result = compute(e, operation, a, b)
    selector = _selector(to)
    signed = is_signed_result(operation)
    if "sat" in operation.modifiers:
        bits = {"": 32, "b": 8, "h": 16}[selector[:1]]
        result = clamp(e, result, bits, signed=signed)
    if rest and selector:
        third, bits = e.resize(step.read(rest[0]), "i32"), 8 if selector[0] == "b" else 16
        result = merge(e, e.resize(result, "i32"), third, bits, int(selector[1]))
    elif rest and _second_word(operation):  # else the third operand is read by nobody
        result = _second(e, operation, result, e.resize(step.read(rest[0]), "i32"))
    step.write(_register(to), e.resize(result, "i32"))


def _second_word(operation: Operation) -> str | None:
    return next((w for w in operation.modifiers if w in ("add", "min", "max")), None)


def _selector(to: Operand) -> str:
    return to.component if isinstance(to, Element) and to.component[0] in "bh" else ""


def _register(to: Operand) -> Operand:
    return to.register if _selector(to) and isinstance(to, Element) else to


def _second(e: Emitter, operation: Operation, result: LlvmValue, third: LlvmValue) -> LlvmValue:
    """Combine the result, before it is cut to 32 bits, with a third word of its sign."""
    wide = e.resize(third, result.type, signed=is_signed_result(operation))
    word = _second_word(operation)
    return e.op("add", result, wide) if word == "add" else e.call(f"llvm.s{word}", result, wide)


def merge(e: Emitter, word: LlvmValue, into: LlvmValue, bits: int, place: int) -> LlvmValue:
    """Word with the low bits of another in one of its parts."""
    mask = (1 << bits) - 1 << bits * place
    moved = e.op("shl", word, constant(bits * place, "i32")) if place else word
    kept = e.op("and", into, constant(~mask, "i32"))
    return e.op("or", e.op("and", moved, constant(mask, "i32")), kept)


@rule("vmad")
def vmad(step: LoweringStep) -> None:
    """Multiply parts of words and add; exact before it is shifted and limited."""
    e, operation = step.emitter, step.operation
    to, *sources = step.instruction.operands
    a, b, c = (selected(step, o) for o in sources)
    types = source_types(operation)
    parts = [_part(e, s, t) for s, t in zip((a, b), types, strict=True)]
    signs = [t.kind is TypeKind.SIGNED for t in types]
    minus = a.negated != b.negated
    signed = any(signs) or minus or c.negated

    def body(e: Emitter, left: LlvmValue, right: LlvmValue, third: LlvmValue) -> LlvmValue:
        wide = [e.resize(v, "i128", signed=True) for v in (left, right)]
        product = e.op("mul", *wide)
        if minus:
            product = e.op("sub", zero("i128"), product)
        other = e.resize(third, "i128", signed=signed)
        total = e.op("sub" if c.negated else "add", product, other)
        return _scaled(e, operation, total, signed=signed)

    name = f"{operation.opcode}.{int(minus)}{int(c.negated)}"
    step.write(to, e.outlined(name, body, *parts, c.value)[0])


def _scaled(e: Emitter, operation: Operation, total: LlvmValue, *, signed: bool) -> LlvmValue:
    words = operation.modifiers
    if "po" in words:
        total = e.op("add", total, constant(1, "i128"))
    shift = next((n for n in (7, 15) if f"shr{n}" in words), 0)
    if shift:
        total = e.op("ashr", total, constant(shift, "i128"))
    if "sat" in words:
        total = clamp(e, total, 32, signed=signed)
    return e.resize(total, "i32")


# Video instructions on two halves or four bytes. Source: PTX ISA 9.0, section 9.7.17.

_NAMES = ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset")


_OPERATIONS = [f"{name}{count}" for name in _NAMES for count in (2, 4)]


@refuses(*_OPERATIONS)
def refuse_packed(instruction: Instruction) -> str | None:
    """Reason why a video instruction is none: its types, or elements that operands lack."""
    operation, count = instruction.operation, int(instruction.operation.name[-1])
    to, *sources, third = instruction.operands
    letter = "h" if count == 2 else "b"
    if wrong := refused_types(operation):
        return wrong
    if {"sat", "add"} <= {*operation.modifiers}:
        return "it is saturated or added, not both"
    elements = "3?2?1?0?" if count == 4 else "1?0?"
    if not re.fullmatch(rf"({letter}(?=\d){elements})?", _chosen(to)):
        return f"a mask names elements of the result, highest first: .{letter}10"
    every = rf"({letter}[0-{2 * count - 1}]{{{count}}})?"
    if not all(re.fullmatch(every, _chosen(source)) for source in sources):
        return f"a selector names {count} elements: .{letter}{'3210'[-count:]}"
    return "its third operand is taken whole" if _chosen(third) else None


def _chosen(operand: Operand) -> str:
    word = operand.component if isinstance(operand, Element) else ""
    return word if len(word) > 1 else ""  # .x and .b are elements of vector registers


@rule(*_OPERATIONS)
def packed_video(step: LoweringStep) -> None:
    """Compute element by element; then add the results to a third word, or merge them into it."""
    e, operation = step.emitter, step.operation
    to, left, right, third = step.instruction.operands
    a, b = selected(step, left), selected(step, right)
    count = int(operation.name[-1])
    chosen = [_places(s, count, first) for s, first in ((a, 0), (b, count))]
    mask = _mask(to, count)
    name = "_".join([operation.opcode, *["".join(map(str, c)) for c in (*chosen, mask)]])

    def body(e: Emitter, x: LlvmValue, y: LlvmValue, z: LlvmValue) -> LlvmValue:
        results = {
            place: _element(e, operation, (x, y), (chosen[0][place], chosen[1][place]))
            for place in mask
        }
        return _merged(e, operation, results, z)

    c = e.resize(step.read(third), "i32")
    register = to.register if isinstance(to, Element) else to
    step.write(register, e.outlined(name, body, a.value, b.value, c)[0])


def _places(source: Selected, count: int, first: int) -> list[int]:
    """Element of both words at each place: of its own word, or as selected."""
    if not source.selector:
        return list(range(first, first + count))
    return [int(digit) for digit in reversed(source.selector[1:])]


def _mask(to: Operand, count: int) -> list[int]:
    """The elements that are written."""
    if isinstance(to, Element):
        return sorted(int(digit) for digit in to.component[1:])
    return list(range(count))


def _element(
    e: Emitter, operation: Operation, words: tuple[LlvmValue, LlvmValue], places: tuple[int, int]
) -> LlvmValue:
    count = int(operation.name[-1])
    types = source_types(operation)
    parts = [_extract(e, words, p, count, t) for p, t in zip(places, types, strict=True)]
    result = compute(e, operation, *parts)
    if "sat" in operation.modifiers:
        result = clamp(e, result, 32 // count, signed=is_signed_result(operation))
    return result


def _extract(
    e: Emitter, words: tuple[LlvmValue, LlvmValue], place: int, count: int, type_: Type
) -> LlvmValue:
    bits = 32 // count
    signed = type_.kind is TypeKind.SIGNED
    return field(e, words[place // count], place % count * bits, bits, signed=signed)


def _merged(
    e: Emitter, operation: Operation, results: dict[int, LlvmValue], third: LlvmValue
) -> LlvmValue:
    total, bits = third, 32 // int(operation.name[-1])
    for place, result in results.items():
        if "add" in operation.modifiers:
            total = e.op("add", total, result)
        else:
            total = merge(e, result, total, bits, place)
    return total if results else zero("i32")
