"""Products of matrices on shadows: an element is undefined where any that it is made of is.

The products themselves tell which: of ones where a matrix is undefined and zeros elsewhere with a
matrix of ones, for either factor. That is only done where anything is undefined in the warp.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import count

from warpmill.analyzer.ir.kernel import Imm, Operand, Reg, Sink, Vector
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.executor.native.emitter import when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.rules import mma
from warpmill.executor.native.rules.registry import RULES, rule
from warpmill.executor.native.segments import FrameSlot
from warpmill.executor.native.shadows import any_bit, spread
from warpmill.executor.native.step import LaneRegisters, LoweringStep
from warpmill.executor.sanitizers.shadow_operations import PREFIX, PRODUCT

_ONES = {
    "f64": 0x3FF0_0000_0000_0000, "f32": 0x3F80_0000, "tf32": 0x3F80_0000, "f16": 0x3C00_3C00,
    "bf16": 0x3F80_3F80, "s32": 1, "s8": 0x0101_0101, "u8": 0x0101_0101, "s4": 0x1111_1111,
    "u4": 0x1111_1111, "e4m3": 0x3838_3838, "e5m2": 0x3C3C_3C3C, "e2m1": 0x2222_2222,
}  # fmt: skip
"""Registers of which each element is 1, by the type of a matrix."""


@dataclass(frozen=True)
class _Factors:
    """The types of the matrices A, B and C, and of the result."""

    a: str
    b: str
    c: str
    d: str

    @classmethod
    def of(cls, operation: Operation) -> _Factors | None:
        """Those of an operation; None where there are no ones of some type."""
        d, a, b, c = mma.four_types(operation)
        return cls(a, b, c, d) if {a, b, c} <= _ONES.keys() else None


@rule("shadow.product")
def product(step: LoweringStep) -> None:
    """The shadow of a product of matrices, register by register."""
    e, instruction = step.emitter, step.instruction
    operation = decode(step.operation.opcode.removeprefix(f"{PREFIX}{PRODUCT}."))
    target, *sources = instruction.operands
    truths = [
        [e.vector(any_bit(e, step.read(o))) for o in step.elements(source)]
        for source in sources[:3]
    ]
    every = reduce(lambda a, b: e.op("or", a, b), [t for each in truths for t in each])
    bits = e.bits(e.op("and", every, step.mask))
    factors = _Factors.of(operation)
    targets = step.elements(target)
    found = [e.spill(e.vector(constant(0, "i1"))) for _ in targets]

    def slow() -> None:
        for place, truth in zip(found, _undefined(step, operation, factors, truths), strict=True):
            e.raw(f"  store {e.typed(e.cast('zext', truth, 'i8'))}, ptr {place}, align 64")

    when(e, e.compare("ne", bits, constant(0, bits.type)), slow)
    inner = replace(step, is_shadow=True)
    for operand, place in zip(targets, found, strict=True):
        if not isinstance(operand, Sink):
            inner.write(operand, e.whole(place, "i1"))


def _undefined(
    step: LoweringStep,
    operation: Operation,
    factors: _Factors | None,
    truths: Sequence[Sequence[LlvmValue]],
) -> list[LlvmValue]:
    """Whether each register of the result is undefined, in each lane."""
    e, number = step.emitter, len(step.elements(step.instruction.operands[0]))
    if factors is None:
        return [e.vector(constant(1, "i1"))] * number
    types = factors.a, factors.b, factors.c
    units = [
        [e.op("and", spread(e, t, _word(type_)), _ones(type_)) for t in each]
        for each, type_ in zip(truths, types, strict=True)
    ]
    ones = [[e.vector(_ones(type_))] * len(each) for each, type_ in zip(units, types, strict=True)]
    nothing = [e.vector(constant(0, _word(factors.c)))] * len(units[2])
    left = _multiplied(step, operation, factors.d, number, [units[0], ones[1], units[2]])
    right = _multiplied(step, operation, factors.d, number, [ones[0], units[1], nothing])
    return [e.op("or", any_bit(e, x), any_bit(e, y)) for x, y in zip(left, right, strict=True)]


def _word(type_: str) -> str:
    return "i64" if type_ == "f64" else "i32"


def _ones(type_: str) -> LlvmValue:
    return constant(_ONES[type_], _word(type_))


def _multiplied(
    step: LoweringStep,
    operation: Operation,
    type_: str,
    number: int,
    parts: Sequence[Sequence[LlvmValue]],
) -> list[LlvmValue]:
    """The registers that the operation gives for fragments A, B and C."""
    slots: list[FrameSlot] = []
    values: dict[FrameSlot, LlvmValue] = {}
    places = count(1)

    def held(value: LlvmValue) -> Reg:
        slots.append(FrameSlot(-next(places), value.type))
        values[slots[-1]] = value
        return Reg(len(slots) - 1)

    fragments: list[Operand] = [Vector(tuple(map(held, part))) for part in parts]
    rest: list[Operand] = [
        o if isinstance(o, Imm) else held(step.emitter.vector(step.read(o)))
        for o in step.instruction.operands[4:]
    ]
    empty = step.emitter.vector(constant(0, _word(type_)))
    results = [held(empty) for _ in range(number)]
    layout = replace(step.registers.layout, slots=tuple((slot,) for slot in slots))
    registers = LaneRegisters(step.emitter, layout, values)
    instruction = replace(
        step.instruction,
        operation=operation,
        operands=(Vector(tuple(results)), *fragments, *rest),
        guard=None,
    )
    RULES[operation.name](replace(step, registers=registers, instruction=instruction))
    return [registers.read(slots[result.index]) for result in results]
