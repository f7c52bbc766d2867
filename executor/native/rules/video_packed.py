"""Video instructions on two halves or four bytes. Source: PTX ISA 9.0, section 9.7.17."""

from __future__ import annotations

import re

from warpmill.analyzer.ir.kernel import Element, Instruction, Operand
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Type, TypeKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.rules.support import zero
from warpmill.executor.native.rules.video import (
    Selected,
    clamp,
    compute,
    field,
    is_signed_result,
    merge,
    refused_types,
    selected,
    source_types,
)
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value

_NAMES = ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset")


_OPERATIONS = [f"{name}{count}" for name in _NAMES for count in (2, 4)]


@refuses(*_OPERATIONS)
def refuse_packed(instruction: Instruction) -> str | None:
    """Say why a video instruction is none: its types, or elements that operands have not."""
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
def packed_video(step: Step) -> None:
    """Compute element by element; then add the results to a third word, or merge them into it."""
    e, operation = step.emitter, step.operation
    to, left, right, third = step.instruction.operands
    a, b = selected(step, left), selected(step, right)
    count = int(operation.name[-1])
    chosen = [_places(s, count, first) for s, first in ((a, 0), (b, count))]
    mask = _mask(to, count)
    name = "_".join([operation.opcode, *["".join(map(str, c)) for c in (*chosen, mask)]])

    def body(e: Emitter, x: Value, y: Value, z: Value) -> Value:
        results = {
            place: _element(e, operation, (x, y), (chosen[0][place], chosen[1][place]))
            for place in mask
        }
        return _merged(e, operation, results, z)

    c = e.resize(step.read(third), "i32")
    register = to.register if isinstance(to, Element) else to
    step.write(register, e.outlined(name, body, a.value, b.value, c)[0])


def _places(source: Selected, count: int, first: int) -> list[int]:
    """Give which of the elements of both words each element is: of its own word, or as chosen."""
    if not source.selector:
        return list(range(first, first + count))
    return [int(digit) for digit in reversed(source.selector[1:])]


def _mask(to: Operand, count: int) -> list[int]:
    """Give the elements that are written."""
    if isinstance(to, Element):
        return sorted(int(digit) for digit in to.component[1:])
    return list(range(count))


def _element(
    e: Emitter, operation: Operation, words: tuple[Value, Value], places: tuple[int, int]
) -> Value:
    count = int(operation.name[-1])
    types = source_types(operation)
    parts = [_extract(e, words, p, count, t) for p, t in zip(places, types, strict=True)]
    result = compute(e, operation, *parts)
    if "sat" in operation.modifiers:
        result = clamp(e, result, 32 // count, signed=is_signed_result(operation))
    return result


def _extract(e: Emitter, words: tuple[Value, Value], place: int, count: int, type_: Type) -> Value:
    bits = 32 // count
    signed = type_.kind is TypeKind.SIGNED
    return field(e, words[place // count], place % count * bits, bits, signed=signed)


def _merged(e: Emitter, operation: Operation, results: dict[int, Value], third: Value) -> Value:
    total, bits = third, 32 // int(operation.name[-1])
    for place, result in results.items():
        if "add" in operation.modifiers:
            total = e.op("add", total, result)
        else:
            total = merge(e, result, total, bits, place)
    return total if results else zero("i32")
