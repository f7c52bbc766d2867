"""Operations of all threads of a CTA together: OpenCL's work-group functions.

Each thread writes its value to a table of the CTA, all wait, and each warp goes through the table.
Two tables take turns, so that a warp which is ahead by one operation disturbs nobody.
"""

from __future__ import annotations

from collections.abc import Callable

from warpmill.analyzer.ir.kernel import Address, Instruction
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import Type
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.layout import GROUP_BARRIER
from warpmill.executor.native.memory import address, load, store
from warpmill.executor.native.observing import count_access, note_access
from warpmill.executor.native.rules import integer
from warpmill.executor.native.rules.registry import refuses, rule
from warpmill.executor.native.step import LoweringStep, llvm_type
from warpmill.executor.native.structured import counted, loop_while, variable
from warpmill.executor.native.values import FLOAT_BITS, LlvmValue, constant
from warpmill.executor.native.warp_record import get_field, set_field

_ITEM_BYTES = 8

_COMBINE: dict[str, Callable[..., LlvmValue | tuple[LlvmValue, ...]]] = {
    "add": lambda e, _, a, b: e.op("fadd" if a.is_float else "add", a, b),
    "min": integer.minimum,
    "max": integer.maximum,
}


@rule("group")
def group(step: LoweringStep) -> None:
    """Write the lanes' values to the CTA's table, and wait for all warps."""
    e = step.emitter
    value = step.read(step.instruction.operands[1], step.operation.type)
    if value.is_float:
        value = e.bitcast(value, f"i{value.bits}")
    place = _table(e, _own(e))
    e.masked_store(e.vector(e.resize(value, "i64")), place, step.mask, _ITEM_BYTES)
    zero = constant(0, "i64")
    for name, number in (
        ("barrier", constant(GROUP_BARRIER, "i64")),
        ("barrier_threads", zero),
        ("barrier_kind", zero),
        ("barrier_lanes", zero),
    ):
        set_field(e, "%warp", name, number)


def finish_group(step: LoweringStep) -> None:
    """Take what all threads wrote, when the warp goes on."""
    e, words = step.emitter, step.operation.modifiers
    type_ = step.operation.type
    assert type_ is not None
    element = llvm_type(type_)
    turn = get_field(e, "%warp", "group_turn")
    threads = constant(1, "i64")
    for axis in "xyz":
        threads = e.op("mul", threads, e.resize(e.context(f"ntid.{axis}"), "i64"))
    if words[0] == "broadcast":
        wanted = step.read(step.instruction.operands[2])
        number = e.op("and", e.resize(wanted, "i64"), constant(0xFFFF, "i64"))
        lane = number if number.uniform else _first(e, number, step.mask)
        result = _item(e, lane, element)
    else:
        result = _folded(step, type_, threads)
    set_field(e, "%warp", "group_turn", e.op("xor", turn, constant(1, "i64")))
    step.give(result)


def _first(e: Emitter, value: LlvmValue, mask: LlvmValue) -> LlvmValue:
    lane = e.call("llvm.cttz", e.bits(mask), extra=", i1 false")
    last = e.op("and", e.resize(lane, "i32"), constant(e.lanes - 1, "i32"))
    return e.get(e.spill(value), last, value.type)


def _folded(step: LoweringStep, type_: Type, threads: LlvmValue) -> LlvmValue:
    """Fold the values of all threads, in the order of their numbers; for scans up to each lane."""
    e, words = step.emitter, step.operation.modifiers
    combine = _COMBINE[words[1]]
    element = llvm_type(type_)
    total = variable(e, _neutral(words[1], type_))
    found = e.array(element)
    own = e.op("add", e.lane_numbers("i64"), _own(e))
    e.raw(f"  store {e.typed(e.vector(constant(0, element)))}, ptr {found}, align 64")

    def one(k: LlvmValue) -> None:
        before = total.get()
        after = combine(e, decode(f"{words[1]}.{type_.name}"), before, _item(e, k, element))
        assert isinstance(after, LlvmValue)
        total.set(after)
        if words[0] != "reduce":
            here = e.compare("eq", own, k)
            kept = before if words[0] == "scan_exclusive" else after
            new = e.select(here, kept, e.whole(found, element))
            e.raw(f"  store {e.typed(new)}, ptr {found}, align 64")

    counted(e, constant(0, "i64"), threads, one)
    return total.get() if words[0] == "reduce" else e.whole(found, element)


def _neutral(word: str, type_: Type) -> LlvmValue:
    """Give what a fold begins with."""
    element = llvm_type(type_)
    if word == "add":
        return constant(0, element)
    if element in FLOAT_BITS:
        return constant(float("inf") if word == "min" else float("-inf"), element)
    signed = type_.name.startswith("s")
    bits = type_.bits
    least_value = -(1 << bits - 1) if signed else 0
    return constant((1 << bits - signed) - 1 if word == "min" else least_value, element)


def _own(e: Emitter) -> LlvmValue:
    """Give the number in the CTA of lane 0's thread."""
    return e.op("mul", e.context("warp"), constant(e.lanes, "i64"))


def _table(e: Emitter, number: LlvmValue) -> str:
    """Give the address of a thread's item in the table whose turn it is."""
    turn = get_field(e, "%warp", "group_turn")
    each = e.op("mul", e.context("warp_count"), constant(e.lanes, "i64"))
    index = e.op("add", number, e.op("mul", turn, each))
    place = e.name()
    e.raw(f"  {place} = getelementptr i64, ptr {e.context('group_values').text}, i64 {index.text}")
    return place


def _item(e: Emitter, number: LlvmValue, element: str) -> LlvmValue:
    bits = e.define(f"load i64, ptr {_table(e, number)}", "i64", uniform=True)
    return e.bitcast(e.resize(bits, f"i{FLOAT_BITS.get(element) or element[1:]}"), element)


@rule("group_copy")
def group_copy(step: LoweringStep) -> None:
    """Copy elements, each thread its share; a stride is that of the side in global memory."""
    e = step.emitter
    to, source, count, *stride = step.instruction.operands
    assert isinstance(to, Address)
    assert isinstance(source, Address)
    assert step.operation.type is not None
    to_space, from_space = step.operation.spaces[0], step.operation.spaces[-1]
    size = step.operation.type.size_bytes
    threads = constant(1, "i64")
    for axis in "xyz":
        threads = e.op("mul", threads, e.resize(e.context(f"ntid.{axis}"), "i64"))
    first = e.op("add", e.lane_numbers("i64"), _own(e))
    number = e.vector(e.resize(step.read(count), "i64"))
    far = e.resize(step.read(stride[0]), "i64") if stride else constant(1, "i64")
    strides = (far, constant(1, "i64")) if to_space.value == "global" else (constant(1, "i64"), far)
    places = [e.vector(e.resize(address(step, a), "i64")) for a in (to, source)]
    note_access(step, "load", from_space, places[1], None)
    note_access(step, "store", to_space, places[0], None)
    index = e.array("i64")
    e.raw(f"  store {e.typed(first)}, ptr {index}, align 64")
    rounds = variable(e, constant(1, "i1"))
    active = step.mask

    def one() -> None:
        here = e.whole(index, "i64")
        mask = e.op("and", active, e.compare("ult", here, number))
        wide = constant(size, "i64")
        moved = [
            e.op("add", p, e.op("mul", e.op("mul", here, s), wide))
            for p, s in zip(places, strides, strict=True)
        ]
        count_access(step, "load", from_space, moved[1], size, mask=mask)
        count_access(step, "store", to_space, moved[0], size, mask=mask)
        values = load(step, from_space, moved[1], f"i{8 * size}", mask=mask, observed=False)
        store(step, to_space, moved[0], values, mask=mask, observed=False)
        e.raw(f"  store {e.typed(e.op('add', here, threads))}, ptr {index}, align 64")
        left = e.compare("ne", e.bits(mask), constant(0, f"i{e.lanes}"))
        rounds.set(left)

    loop_while(e, rounds.get, one)


@refuses("group")
def _refuse(instruction: Instruction) -> str | None:
    if instruction.guard is not None:
        return "under a guard"
    words = instruction.operation.modifiers
    known = words[0] == "broadcast" or (len(words) > 1 and words[1] in _COMBINE)
    return None if known else "its operation is not known"
