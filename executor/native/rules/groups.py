"""Threads of a CTA together: barriers, OpenCL's work-group functions, and mbarriers.

Fences, traps and hints, which neither compute nor branch, stand here too.

Of a work-group function each thread writes its value to a table of the CTA, all wait, and each warp
goes through the table. Two tables take turns, so that a warp which is ahead by one operation
disturbs nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpmill.analyzer.ir.kernel import Address, Instruction, Operand, Reg
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.analyzer.ir.types import Space, Type
from warpmill.executor.native.control import trap
from warpmill.executor.native.emitter import Emitter, counted, loop_while, variable, when
from warpmill.executor.native.instructions import FLOAT_BITS, LlvmValue, constant
from warpmill.executor.native.layout import GROUP_BARRIER, FaultKind
from warpmill.executor.native.memory import address, lane_hosts, load, store
from warpmill.executor.native.observing import count_access, note_access
from warpmill.executor.native.rules import integer
from warpmill.executor.native.rules.registry import pure, refuses, rule
from warpmill.executor.native.segments import get_field, set_field
from warpmill.executor.native.step import LoweringStep, llvm_type
from warpmill.executor.native.sync_checks import check_arrival
from warpmill.executor.native.translation import Request, note_fault
from warpmill.executor.native.watching import (
    watch_access,
    watch_arrival,
    watch_fence,
    watch_object,
    watch_waited,
    watch_warp_barrier,
)
from warpmill.executor.sanitizers.findings import Tool

_KINDS = {"popc": 2, "and": 3, "or": 4}
"""How a reducing barrier joins what the threads bring; 0 waits, 1 only arrives."""

ARRIVES = 1


@rule("bar.warp")
def warp_barrier(step: LoweringStep) -> None:
    """Order nothing: lanes that are here together have gone together."""
    watch_warp_barrier(step)


@rule("membar", "fence", "fence.proxy", "griddepcontrol")
def fence(step: LoweringStep) -> None:
    """Order nothing: a warp's accesses are done one after another, and seen at once by all."""
    watch_fence(step)


@rule("nanosleep", "pmevent", "setmaxnreg", "brkpt")
def hint(step: LoweringStep) -> None:
    """Do nothing that a program could see."""


@rule("trap")
def trap_(step: LoweringStep) -> None:
    """Stop the launch with an error."""
    trap(step)


@rule("trap.call")
def trap_call(step: LoweringStep) -> None:
    """Stop the launch: what is called through a register is no function."""
    trap(step, FaultKind.NO_FUNCTION, step.read(step.instruction.operands[0]))


@rule("bar", "barrier", "bar.arrive", "bar.cta.arrive", "barrier.arrive", "barrier.cta.arrive")
def barrier(step: LoweringStep) -> None:
    """Wait for the CTA's other threads, or tell them that this warp was here."""
    arrives = "arrive" in step.operation.modifiers
    _arrive(step, list(step.instruction.operands), ARRIVES if arrives else 0)


@rule("bar.red", "bar.cta.red", "barrier.red", "barrier.cta.red")
def reducing_barrier(step: LoweringStep) -> None:
    """Wait, and learn for how many threads, for all or for any a predicate holds."""
    kind = next(k for word, k in _KINDS.items() if word in step.operation.modifiers)
    *numbers, predicate = step.instruction.operands[1:]
    e = step.emitter
    holds = e.bits(e.op("and", step.read(predicate), step.mask))
    set_field(e, "%warp", "barrier_count", e.resize(e.call("llvm.ctpop", holds), "i64"))
    _arrive(step, numbers, kind)


def finish_barrier(step: LoweringStep) -> None:
    """Take what a reducing barrier gave, when the warp goes on after it."""
    if "red" not in step.operation.modifiers:
        return
    e = step.emitter
    result = get_field(e, "%warp", "barrier_result")
    if "popc" not in step.operation.modifiers:
        result = e.compare("ne", result, constant(0, "i64"))
    step.write(step.instruction.operands[0], result)


def _arrive(step: LoweringStep, numbers: Sequence[Operand], kind: int) -> None:
    e = step.emitter
    given = [step.read(n) for n in numbers]
    values = [e.resize(_lane(step, value), "i64") for value in given]
    number = values[0]
    threads = values[1] if len(values) > 1 else constant(0, "i64")
    bits = e.bits(step.mask)
    for name, value in (
        ("barrier", number),
        ("barrier_threads", threads),
        ("barrier_kind", constant(kind, "i64")),
        ("barrier_lanes", e.resize(e.call("llvm.ctpop", bits), "i64")),
    ):
        set_field(e, "%warp", name, value)
    alive, leaving = (get_field(e, "%warp", n, f"i{e.lanes}") for n in ("alive", "leaving"))
    awaited = e.op("and", alive, e.op("xor", leaving, constant(-1, leaving.type)))
    lane = e.resize(e.call("llvm.cttz", bits, extra=", i1 false"), "i32")
    site, none = constant(step.site, "i64"), constant(0, "i64")
    apart = e.compare("ne", bits, awaited)
    if step.instruction.guard is not None:
        apart = e.op("and", apart, e.compare("ne", bits, constant(0, bits.type)))
    divergent = constant(FaultKind.DIVERGENT_BARRIER, "i64")
    if Tool.SYNCCHECK in e.module.tools:
        check_arrival(step, given, kind)
    else:
        when(e, apart, lambda: note_fault(e, divergent, lane, none, site))
    wrong = constant(FaultKind.BARRIER_NUMBER, "i64")
    beyond = e.compare("ugt", number, constant(15, "i64"))
    when(e, beyond, lambda: note_fault(e, wrong, lane, number, site))
    if kind == ARRIVES:
        watch_arrival(e, number, bits)


def _lane(step: LoweringStep, value: LlvmValue) -> LlvmValue:
    """The number that a barrier's operand has in the first lane that is on."""
    if value.uniform:
        return value
    e = step.emitter
    lane = e.call("llvm.cttz", e.bits(step.mask), extra=", i1 false")
    last = e.op("and", e.resize(lane, "i32"), constant(e.lanes - 1, "i32"))
    return e.get(e.spill(value), last, value.type)


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
    """Neutral element that a fold begins with."""
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
    """The number in the CTA of lane 0's thread."""
    return e.op("mul", e.context("warp"), constant(e.lanes, "i64"))


def _table(e: Emitter, number: LlvmValue) -> str:
    """The address of a thread's item in the table whose turn it is."""
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


# Barrier objects in shared memory: mbarrier.
#
# The 64 bits are opaque to programs. Here they hold the arrivals pending in this phase (20 bits),
# the arrivals of a phase (20 bits), the bytes still to come (22 bits, signed) and the phase's
# parity (top bit). A phase ends where neither arrivals nor bytes are pending. Source: PTX ISA 9.0,
# mbarrier.

_COUNT_BITS = 20
_TX_BITS = 22
_COUNT = (1 << _COUNT_BITS) - 1
_TX_SHIFT = 2 * _COUNT_BITS

Change = Callable[[Emitter, LlvmValue, LlvmValue], LlvmValue]
"""Change of an object: its new bits from its old ones and a number."""


def _i64(number: int) -> LlvmValue:
    return constant(number, "i64")


def _pending(e: Emitter, bits: LlvmValue) -> LlvmValue:
    return e.op("and", bits, _i64(_COUNT))


def _expected(e: Emitter, bits: LlvmValue) -> LlvmValue:
    return e.op("and", e.op("lshr", bits, _i64(_COUNT_BITS)), _i64(_COUNT))


def _bytes(e: Emitter, bits: LlvmValue) -> LlvmValue:
    return e.op("and", e.op("lshr", bits, _i64(_TX_SHIFT)), _i64((1 << _TX_BITS) - 1))


def _parity(e: Emitter, bits: LlvmValue) -> LlvmValue:
    return e.op("lshr", bits, _i64(63))


def _packed(
    e: Emitter, pending: LlvmValue, expected: LlvmValue, tx: LlvmValue, parity: LlvmValue
) -> LlvmValue:
    """Object from its parts; a phase with nothing pending has ended, the next one begins."""
    nothing = e.compare("eq", e.op("or", pending, tx), _i64(0))
    pending = e.select(nothing, expected, pending)
    parity = e.op("xor", parity, e.cast("zext", nothing, "i64"))
    whole = e.op("or", pending, e.op("shl", expected, _i64(_COUNT_BITS)))
    whole = e.op("or", whole, e.op("shl", tx, _i64(_TX_SHIFT)))
    return e.op("or", whole, e.op("shl", parity, _i64(63)))


def _changed(
    e: Emitter,
    bits: LlvmValue,
    *,
    arrive: LlvmValue | None,
    drop: LlvmValue | None,
    tx: LlvmValue | None,
) -> LlvmValue:
    pending, expected, left = _pending(e, bits), _expected(e, bits), _bytes(e, bits)
    if tx is not None:
        left = e.op("and", e.op("add", left, tx), _i64((1 << _TX_BITS) - 1))
    if drop is not None:
        expected = e.op("and", e.op("sub", expected, drop), _i64(_COUNT))
    if arrive is not None:
        pending = e.op("and", e.op("sub", pending, arrive), _i64(_COUNT))
    return _packed(e, pending, expected, left, _parity(e, bits))


def _init(e: Emitter, _: LlvmValue, given: LlvmValue) -> LlvmValue:
    count = e.op("and", given, _i64(_COUNT))
    return e.op("or", count, e.op("shl", count, _i64(_COUNT_BITS)))


_CHANGES: dict[str, Change] = {
    "mbarrier.init": _init,
    "mbarrier.inval": lambda _e, _b, _g: _i64(0),
    "mbarrier.expect_tx": lambda e, b, g: _changed(e, b, arrive=None, drop=None, tx=g),
    "mbarrier.complete_tx": lambda e, b, g: _changed(
        e, b, arrive=None, drop=None, tx=e.op("sub", _i64(0), g)
    ),
    "mbarrier.arrive": lambda e, b, g: _changed(e, b, arrive=g, drop=None, tx=None),
    "mbarrier.arrive_drop": lambda e, b, g: _changed(e, b, arrive=g, drop=g, tx=None),
    "cp.async.mbarrier.arrive": lambda e, b, g: _changed(e, b, arrive=g, drop=None, tx=None),
    "arrive.expect_tx": lambda e, b, g: _changed(e, b, arrive=_i64(1), drop=None, tx=g),
    "arrive_drop.expect_tx": lambda e, b, g: _changed(e, b, arrive=_i64(1), drop=_i64(1), tx=g),
}
"""Change that each operation makes to an object."""


def _space(operation: Operation) -> Space:
    named = any(part.startswith("shared") for part in operation.modifiers)
    return Space.SHARED if named else Space.GENERIC


@rule(
    "mbarrier.init",
    "mbarrier.inval",
    "mbarrier.expect_tx",
    "mbarrier.complete_tx",
    "mbarrier.arrive",
    "mbarrier.arrive_drop",
)
def change(step: LoweringStep) -> None:
    """Change an object, and give its state before, which a wait compares with."""
    e, operands = step.emitter, step.instruction.operands
    place = step.instruction.address
    assert isinstance(place, Address)
    at = operands.index(place)
    given = operands[at + 1 :]
    count = e.resize(step.read(given[0]), "i64") if given else _i64(1)
    name = step.operation.name
    if name.startswith("mbarrier.arrive") and "expect_tx" in step.operation.modifiers:
        name = f"{name.removeprefix('mbarrier.')}.expect_tx"
    bits, site = e.bits(step.mask), constant(step.site, "i64")
    space = _space(step.operation)
    where = e.vector(address(step, place))
    watch_access(step, space, where, 8, writes=True)

    def write(e: Emitter, *parts: LlvmValue) -> LlvmValue:
        return _each(e, space, Request(*parts[:3]), parts[3], name)

    (before,) = e.outlined(f"{name}.{space.value}", write, where, bits, site, e.vector(count))
    if at:
        step.write(operands[0], before)


def complete_bytes(step: LoweringStep, place: Address, size: LlvmValue) -> None:
    """Complete so many bytes of an object's phase, as a copy does when it is done."""
    e = step.emitter

    def write(e: Emitter, *parts: LlvmValue) -> LlvmValue:
        request = Request(*parts[:3])
        return _each(e, Space.SHARED, request, parts[3], "mbarrier.complete_tx")

    bits, site = e.bits(step.mask), constant(step.site, "i64")
    where, count = e.vector(address(step, place)), e.vector(e.resize(size, "i64"))
    e.outlined("mbarrier.complete_tx.shared", write, where, bits, site, count)


def _each(e: Emitter, space: Space, request: Request, count: LlvmValue, name: str) -> LlvmValue:
    """Change the objects of the lanes one after another, and give what they were."""
    hosts, good = lane_hosts(e, space, request, "i64")
    places, counts, before = e.spill(hosts), e.spill(count), e.spill(_zeros(e))

    def one(lane: LlvmValue) -> None:
        pointer, host = e.name(), e.get(places, lane, "i64")
        e.raw(f"  {pointer} = inttoptr i64 {host.text} to ptr")
        old = e.define(f"load i64, ptr {pointer}", "i64", uniform=True)
        e.put(before, lane, old)
        new = _CHANGES[name](e, old, e.get(counts, lane, "i64"))
        watch_object(e, name, host, lane, e.compare("ne", _parity(e, old), _parity(e, new)))
        e.raw(f"  store i64 {new.text}, ptr {pointer}")
        e.set_context("stores", e.op("add", e.context("stores"), _i64(1)))

    e.each_lane(good, one)
    return e.whole(before, "i64")


def _zeros(e: Emitter) -> LlvmValue:
    return e.vector(_i64(0))


@rule("mbarrier.test_wait", "mbarrier.try_wait")
def wait(step: LoweringStep) -> None:
    """Whether a phase has ended: that of a state, or that of a parity."""
    e, operands = step.emitter, step.instruction.operands
    place = step.instruction.address
    assert isinstance(place, Address)
    at = operands.index(place)
    state = e.resize(step.read(operands[at + 1]), "i64")
    if "parity" not in step.operation.modifiers:
        state = _parity(e, state)
    space = _space(step.operation)
    bits, site = e.bits(step.mask), constant(step.site, "i64")

    def write(e: Emitter, *parts: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
        hosts, good = lane_hosts(e, space, Request(*parts), "i64")
        pointers = e.name()
        e.raw(f"  {pointers} = inttoptr {e.typed(hosts)} to <{e.lanes} x ptr>")
        return e.gather(pointers, e.mask(good), "i64"), hosts

    where = e.vector(address(step, place))
    watch_access(step, space, where, 8, writes=False)
    now, hosts = e.outlined(f"mbarrier.read.{space.value}", write, where, bits, site)
    over = e.compare("ne", _parity(e, now), e.op("and", state, _i64(1)))
    watch_waited(e, hosts, e.op("and", over, step.mask))
    step.write(operands[0], over)


@pure("mbarrier.pending_count")
def pending_count(e: Emitter, operation: Operation, state: LlvmValue) -> LlvmValue:  # noqa: ARG001 - as all rules
    """The arrivals pending in a state."""
    return e.resize(_pending(e, state), "i32")


@rule("cp.async.mbarrier.arrive")
def cp_async_arrive(step: LoweringStep) -> None:
    """Arrive when the copies are done: now. With .noinc it takes one of the pending arrivals."""
    if "noinc" in step.operation.modifiers:
        change(step)
    # without it the arrival is added to what is pending and taken from it at once


@refuses("mbarrier.test_wait", "mbarrier.try_wait")
def _refuse_mbarrier(instruction: Instruction) -> str | None:
    done, place = instruction.operands[:2]
    is_simple = isinstance(done, Reg) and isinstance(place, Address)
    return None if is_simple else "with a report of what was waited for"


@refuses("mbarrier.arrive", "mbarrier.arrive_drop", "mbarrier.init")
def _refuse_cluster(instruction: Instruction) -> str | None:
    remote = "shared::cluster" in instruction.operation.opcode and (
        "cluster" in instruction.operation.modifiers[-3:]
    )
    return "on another CTA's barrier" if remote else None
