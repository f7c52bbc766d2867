"""``shfl``: each lane reads a register of another one. Source: PTX ISA 9.0, section 9.7.9.6.

The manual's five bits of lane numbers are six in warps of 64.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.analyzer.ir.kernel import Pair
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.registry import rule
from warpmill.executor.native.rules.support import number
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value, constant

_SEGMENT = 8  # where in the operand the mask of the segments begins


@rule("shfl")
def shfl(step: Step) -> None:
    """Read from the lane that the operands give; from the own one where that is out of range."""
    e = step.emitter
    value, offset, limits, *_ = step.sources()
    mode = next(w for w in step.operation.modifiers if w in ("up", "down", "bfly", "idx"))
    asks = isinstance(step.instruction.operands[0], Pair)
    known = number(offset), number(limits)
    if None not in known:
        lanes = [_source(mode, lane, *known, e.lanes) for lane in range(e.lanes)]  # type: ignore[arg-type] # both are numbers here
        order = [lane if source is None else source for lane, source in enumerate(lanes)]
        bits = sum(1 << lane for lane, source in enumerate(lanes) if source is not None)
        result = e.permute(value, order)
        step.give(result, *([e.mask(constant(bits, f"i{e.lanes}"))] if asks else []))
        return
    source, in_range = _sources(e, mode, offset, _limits(e, limits))
    step.give(e.shuffle(value, source), in_range)


def _source(mode: str, lane: int, offset: int, limits: int, lanes: int) -> int | None:
    """Give the lane that a lane reads; None where that is out of its range."""
    most = lanes - 1
    segment = limits >> _SEGMENT & most
    offset &= most
    first = lane & segment
    last = first | limits & most & ~segment
    if mode == "up":
        return lane - offset if lane - offset >= last else None
    source = {"down": lane + offset, "bfly": lane ^ offset, "idx": first | offset & ~segment}[mode]
    return source if source <= last else None


@dataclass(frozen=True)
class _Limits:
    """The first and last lane of each lane's range, and the bits of a lane's place within it."""

    first: Value
    last: Value
    inner: Value


def _limits(e: Emitter, limits: Value) -> _Limits:
    most = e.lanes - 1
    known = number(limits)
    if known is not None:
        segment = known >> _SEGMENT & most
        if segment == 0:
            last = constant(known & most, "i32")
            return _Limits(constant(0, "i32"), last, constant(most, "i32"))
        first = _lane_constants([lane & segment for lane in range(e.lanes)])
        inner = constant(most & ~segment, "i32")
        return _Limits(first, e.op("or", first, constant(known & most & ~segment, "i32")), inner)
    every = constant(most, "i32")
    part = e.op("and", e.op("lshr", limits, constant(_SEGMENT, "i32")), every)
    inner = e.op("xor", part, every)
    first = e.op("and", e.lane_numbers(), part)
    return _Limits(first, e.op("or", first, e.op("and", limits, inner)), inner)


def _lane_constants(numbers: list[int]) -> Value:
    return Value(f"<{', '.join([f'i32 {n}' for n in numbers])}>", "i32")


def _sources(e: Emitter, mode: str, offset: Value, limits: _Limits) -> tuple[Value, Value]:
    """Give the lane that each lane reads, and whether it is in range."""
    own = e.lane_numbers()
    if mode == "idx":
        inside = e.op("and", offset, limits.inner)
        source = inside if number(limits.first) == 0 else e.op("or", limits.first, inside)
        if number(limits.last) == e.lanes - 1:
            return source, constant(1, "i1")
    else:
        offset = e.op("and", offset, constant(e.lanes - 1, "i32"))
        source = e.op({"up": "sub", "down": "add", "bfly": "xor"}[mode], own, offset)
    in_range = e.compare("sge" if mode == "up" else "sle", source, limits.last)
    return e.select(in_range, source, own), in_range
