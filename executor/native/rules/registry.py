"""The rules that lower operations, by the name of their line in ``opcodes.toml``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from warpmill.analyzer.ir.kernel import FloatImm, Imm, Instruction, Operand
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import TYPES, Type, TypeKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.step import LoweringStep

Write = Callable[[LoweringStep], None]
"""Writer of one instruction's code."""

Compute = Callable[..., "LlvmValue | tuple[LlvmValue, ...]"]
"""Results from an emitter, the operation and the values of the sources."""

Refusal = Callable[[Instruction], "str | None"]
"""Reason why a rule has no code for an instruction, None where it has."""

_F = TypeVar("_F", bound=Callable[..., object])

RULES: dict[str, Write] = {}
"""Lowering rule of each operation."""

REFUSALS: dict[str, Refusal] = {}
"""Refusals of rules: operations, by name, with forms that have no code."""


def rule(*names: str) -> Callable[[Write], Write]:
    """Make a function the rule of operations, by their names in the table."""

    def register(write: Write) -> Write:
        for name in names:
            assert name not in RULES, name
            RULES[name] = write
        return write

    return register


def pure(*names: str) -> Callable[[Compute], Compute]:
    """Make ``compute(emitter, operation, *sources)`` the rule of operations without side effects.

    The sources are read as the types that the table gives, the result goes to the destination;
    several results go to several destinations or to both parts of a pair.
    """

    def register(compute: Compute) -> Compute:
        def write(step: LoweringStep) -> None:
            results = compute(step.emitter, step.operation, *step.sources())
            step.give(*(results if isinstance(results, tuple) else (results,)))

        rule(*names)(write)
        return compute

    return register


def refuses(*names: str) -> Callable[[Refusal], Refusal]:
    """Make a function tell what forms of operations have no code."""

    def register(refusal: Refusal) -> Refusal:
        for name in names:
            REFUSALS[name] = refusal
        return refusal

    return register


__all__ = ["RULES", "Compute", "Emitter", "Operation", "Write", "pure", "refuses", "rule"]


# What several rules share: constants known here, packed elements, and loops.


def is_signed(operation: Operation) -> bool:
    """Whether the operation's type has a sign."""
    return operation.type is not None and operation.type.kind is TypeKind.SIGNED


def is_float(operation: Operation) -> bool:
    """Whether the operation computes on a floating-point type."""
    return operation.type is not None and operation.type.is_float


def number(value: LlvmValue) -> int | None:
    """The number that an integer constant is; None where it is known at run time only."""
    if not value.uniform or not value.is_constant or value.is_float or value.type == "i1":
        return None
    return int(value.text)


def ones(type_: str) -> LlvmValue:
    """All bits set."""
    return constant(-1, type_)


def zero(type_: str) -> LlvmValue:
    """No bit set."""
    return constant(0, type_)


def opposite(e: Emitter, condition: LlvmValue) -> LlvmValue:
    """The negation of an i1."""
    return e.op("xor", condition, constant(1, "i1"))


def part(e: Emitter, value: LlvmValue, place: int, type_: str) -> LlvmValue:
    """One element of a packed value; number 0 is in the lowest bits."""
    bits = int(type_[1:])
    shifted = e.op("lshr", value, constant(bits * place, value.type)) if place else value
    return e.resize(shifted, type_)


def join(e: Emitter, parts: list[LlvmValue], type_: str) -> LlvmValue:
    """Elements side by side, the first in the lowest bits."""
    bits = parts[0].bits
    whole = e.resize(parts[0], type_)
    for place, value in enumerate(parts[1:], start=1):
        moved = e.op("shl", e.resize(value, type_), constant(bits * place, type_))
        whole = e.op("or", whole, moved)
    return whole


def by_element(
    e: Emitter, operation: Operation, compute: Callable[..., LlvmValue], *sources: LlvmValue
) -> LlvmValue:
    """Compute on each element of packed integers (``u16x2``), or on plain ones as they are."""
    type_ = operation.type
    if type_ is None or type_.lanes == 1:
        return compute(e, *sources)
    narrow = f"i{type_.bits // type_.lanes}"
    parts = [
        compute(e, *[part(e, source, place, narrow) for source in sources])
        for place in range(type_.lanes)
    ]
    return join(e, parts, sources[0].type)


def repeat(
    e: Emitter,
    times: int,
    state: tuple[LlvmValue, ...],
    body: Callable[[LlvmValue, tuple[LlvmValue, ...]], tuple[LlvmValue, ...]],
) -> tuple[LlvmValue, ...]:
    """Run ``body(turn, state)`` so many times, ``turn`` an i32 from 0; gives the last state."""
    count = LlvmValue(e.name(), "i32", uniform=True)
    names = tuple(LlvmValue(e.name(), v.type) for v in state)
    before, head, after = e.label("from"), e.label("turn"), e.label("past")
    start = [e.vector(v) for v in state]
    e.jump(before)
    e.start(before)
    e.jump(head)
    e.start(head)
    place = len(e.lines)
    new = [e.vector(v) for v in body(count, names)]
    following = e.op("add", count, constant(1, "i32"))
    last = e.label("next")
    e.jump(last)
    e.start(last)
    e.branch(e.compare("ult", following, constant(times, "i32")), head, after)
    phis = [f"  {count.text} = phi i32 [ 0, %{before} ], [ {following.text}, %{last} ]"]
    phis += [
        f"  {name.text} = phi {e.llvm_type(name)} [ {a.text}, %{before} ], [ {b.text}, %{last} ]"
        for name, a, b in zip(names, start, new, strict=True)
    ]
    e.lines[place:place] = phis
    e.start(after)
    return tuple(new)


def peel(
    e: Emitter,
    bits: LlvmValue,
    result: LlvmValue,
    body: Callable[[LlvmValue, LlvmValue], tuple[LlvmValue, LlvmValue]],
) -> LlvmValue:
    """Take lanes off ``bits`` until none is left, and give what ``body`` makes of ``result``.

    ``body(lane, result)`` is called for the lowest lane left, an i32. It gives the bits of the
    lanes that are done with, to which the lane itself is added, and the new result.
    """
    word = bits.type
    left, old = LlvmValue(e.name(), word, uniform=True), LlvmValue(e.name(), result.type)
    before, head, inside, after = (e.label(s) for s in ("from", "peel", "one", "past"))
    first = e.vector(result)
    e.jump(before)
    e.start(before)
    e.jump(head)
    e.start(head)
    place = len(e.lines)
    e.branch(e.compare("eq", left, zero(word)), after, inside)
    e.start(inside)
    lowest = e.call("llvm.cttz", left, extra=", i1 true")
    done, new = body(e.resize(lowest, "i32"), old)
    rest = e.op("and", left, e.op("sub", left, constant(1, word)))
    rest = e.op("and", rest, e.op("xor", done, ones(word)))
    new, last = e.vector(new), e.label("next")
    e.jump(last)
    e.start(last)
    e.jump(head)
    e.lines[place:place] = [
        f"  {left.text} = phi {word} [ {bits.text}, %{before} ], [ {rest.text}, %{last} ]",
        f"  {old.text} = phi {e.llvm_type(old)} "
        f"[ {first.text}, %{before} ], [ {new.text}, %{last} ]",
    ]
    e.start(after)
    return old


# Which lanes take part in an operation of a warp.
#
# The active lanes may name different member masks, as tiles of a warp do: then each lane works
# with those of its own mask. Masks have a bit a lane, 32 or 64.


def active_bits(step: LoweringStep) -> LlvmValue:
    """The bits of the lanes for which the instruction happens."""
    return step.emitter.bits(step.mask)


def group_bits(step: LoweringStep, members: Operand | None) -> LlvmValue:
    """The active lanes of each lane's member mask; uniform where the mask is."""
    active = active_bits(step)
    if members is None:
        return active
    word = active.type
    if isinstance(members, Imm):
        full = members.value in (-1, (1 << active.bits) - 1)
        return active if full else step.emitter.op("and", active, constant(members.value, word))
    return step.emitter.op("and", step.emitter.resize(step.read(members), word), active)


def read_bits(step: LoweringStep, operand: Operand, type_: Type | None) -> LlvmValue:
    """Read an operand as the bits of a type, so that floats are not converted to and fro."""
    if type_ is None:
        return step.read(operand)
    if not type_.is_float or f"b{type_.bits}" not in TYPES:
        return step.read(operand, type_)
    if isinstance(operand, FloatImm):
        if operand.type == type_:
            return constant(operand.bits, f"i{type_.bits}")
        value = step.read(operand, type_)
        return step.emitter.bitcast(value, f"i{value.bits}")
    return step.read(operand, TYPES[f"b{type_.bits}"])
