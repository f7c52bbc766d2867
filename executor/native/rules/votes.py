"""Votes, matches and elections among the lanes of a warp. Source: PTX ISA 9.0, section 9.7.13."""

from __future__ import annotations

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.rules.members import active_bits, group_bits
from warpmill.executor.native.rules.registry import rule
from warpmill.executor.native.rules.support import peel, zero
from warpmill.executor.native.step import Step
from warpmill.executor.native.values import Value


@rule("activemask")
def activemask(step: Step) -> None:
    """Give the lanes that are active, as bits."""
    step.give(active_bits(step))


@rule("vote")
def vote(step: Step) -> None:
    """Tell the lanes of a group about a predicate of all of them."""
    e = step.emitter
    predicate, *members = step.instruction.sources
    group = group_bits(step, members[0] if members else None)
    held = e.bits(step.read(predicate, step.operation.operand_types[1]))
    yes = e.op("and", group, held)
    words = step.operation.modifiers
    if "ballot" in words:
        step.give(yes)
        return
    none, every = e.compare("eq", yes, zero(yes.type)), e.compare("eq", yes, group)
    if "all" in words:
        step.give(every)
    elif "any" in words:
        step.give(e.compare("ne", yes, zero(yes.type)))
    else:
        step.give(e.op("or", none, every))


@rule("match")
def match(step: Step) -> None:
    """Give the lanes of a group that have the same value, or all of them where all have."""
    e = step.emitter
    value, members = step.instruction.sources
    group = group_bits(step, members)
    values = e.vector(step.read(value, step.operation.type))
    (same,) = e.outlined(f"match.{values.type}", _equal_lanes, values, active_bits(step))
    same = e.op("and", same, group)
    if "any" in step.operation.modifiers:
        step.give(same)
        return
    every = e.compare("eq", same, e.vector(group))
    step.give(e.select(every, same, zero(same.type)), every)


def _equal_lanes(e: Emitter, values: Value, active: Value) -> Value:
    """Give for each active lane the lanes that have its value, active or not."""
    array = e.spill(values)

    def one(lane: Value, result: Value) -> tuple[Value, Value]:
        equal = e.compare("eq", values, e.get(array, lane, values.type))
        bits = e.bits(equal)
        return bits, e.select(equal, bits, result)

    return peel(e, active, zero(active.type), one)


@rule("elect")
def elect(step: Step) -> None:
    """Choose the lowest lane of the group: its number, and who it is."""
    e = step.emitter
    (members,) = step.instruction.sources
    group = group_bits(step, members)
    leader = e.resize(e.call("llvm.cttz", group, extra=", i1 false"), "i32")
    step.give(leader, e.compare("eq", leader, e.lane_numbers()))
