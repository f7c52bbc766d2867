"""Barrier objects in shared memory: mbarrier.

The 64 bits are opaque to programs. Here they hold the arrivals pending in this phase (20 bits), the
arrivals of a phase (20 bits), the bytes still to come (22 bits, signed) and the phase's parity (top
bit). A phase ends where neither arrivals nor bytes are pending. Source: PTX ISA 9.0, mbarrier.
"""

from __future__ import annotations

from collections.abc import Callable

from warpmill.analyzer.ir.kernel import Address, Instruction, Reg
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Space
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.memory import address, lane_hosts
from warpmill.executor.native.rules.registry import pure, refuses, rule
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.native.translation import Request
from warpmill.executor.native.values import LlvmValue, constant

_COUNT_BITS = 20
_TX_BITS = 22
_COUNT = (1 << _COUNT_BITS) - 1
_TX_SHIFT = 2 * _COUNT_BITS

Change = Callable[[Emitter, LlvmValue, LlvmValue], LlvmValue]
"""Gives an object's new bits from its old ones and a number."""


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
    """Put the parts together; a phase with nothing pending has ended, the next one begins."""
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
"""What each operation makes of an object and a number."""


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

    def write(e: Emitter, *parts: LlvmValue) -> LlvmValue:
        return _each(e, space, Request(*parts[:3]), parts[3], _CHANGES[name])

    (before,) = e.outlined(f"{name}.{space.value}", write, where, bits, site, e.vector(count))
    if at:
        step.write(operands[0], before)


def complete_bytes(step: LoweringStep, place: Address, size: LlvmValue) -> None:
    """Tell an object that so many bytes have come, as a copy does when it is done."""
    e = step.emitter

    def write(e: Emitter, *parts: LlvmValue) -> LlvmValue:
        complete = _CHANGES["mbarrier.complete_tx"]
        return _each(e, Space.SHARED, Request(*parts[:3]), parts[3], complete)

    bits, site = e.bits(step.mask), constant(step.site, "i64")
    where, count = e.vector(address(step, place)), e.vector(e.resize(size, "i64"))
    e.outlined("mbarrier.complete_tx.shared", write, where, bits, site, count)


def _each(
    e: Emitter, space: Space, request: Request, count: LlvmValue, change: Change
) -> LlvmValue:
    """Change the objects of the lanes one after another, and give what they were."""
    hosts, good = lane_hosts(e, space, request, "i64")
    places, counts, before = e.spill(hosts), e.spill(count), e.spill(_zeros(e))

    def one(lane: LlvmValue) -> None:
        pointer = e.name()
        e.raw(f"  {pointer} = inttoptr i64 {e.get(places, lane, 'i64').text} to ptr")
        old = e.define(f"load i64, ptr {pointer}", "i64", uniform=True)
        e.put(before, lane, old)
        new = change(e, old, e.get(counts, lane, "i64"))
        e.raw(f"  store i64 {new.text}, ptr {pointer}")
        e.set_context("stores", e.op("add", e.context("stores"), _i64(1)))

    e.each_lane(good, one)
    return e.whole(before, "i64")


def _zeros(e: Emitter) -> LlvmValue:
    return e.vector(_i64(0))


@rule("mbarrier.test_wait", "mbarrier.try_wait")
def wait(step: LoweringStep) -> None:
    """Tell whether a phase has ended: that of a state, or that of a parity."""
    e, operands = step.emitter, step.instruction.operands
    place = step.instruction.address
    assert isinstance(place, Address)
    at = operands.index(place)
    state = e.resize(step.read(operands[at + 1]), "i64")
    if "parity" not in step.operation.modifiers:
        state = _parity(e, state)
    space = _space(step.operation)
    bits, site = e.bits(step.mask), constant(step.site, "i64")

    def write(e: Emitter, *parts: LlvmValue) -> LlvmValue:
        hosts, good = lane_hosts(e, space, Request(*parts), "i64")
        pointers = e.name()
        e.raw(f"  {pointers} = inttoptr {e.typed(hosts)} to <{e.lanes} x ptr>")
        return e.gather(pointers, e.mask(good), "i64")

    where = e.vector(address(step, place))
    (now,) = e.outlined(f"mbarrier.read.{space.value}", write, where, bits, site)
    over = e.compare("ne", _parity(e, now), e.op("and", state, _i64(1)))
    step.write(operands[0], over)


@pure("mbarrier.pending_count")
def pending_count(e: Emitter, operation: Operation, state: LlvmValue) -> LlvmValue:  # noqa: ARG001 - as all rules
    """Give the arrivals pending in a state."""
    return e.resize(_pending(e, state), "i32")


@rule("cp.async.mbarrier.arrive")
def cp_async_arrive(step: LoweringStep) -> None:
    """Arrive when the copies are done: now. With .noinc it takes one of the pending arrivals."""
    if "noinc" in step.operation.modifiers:
        change(step)
    # without it the arrival is added to what is pending and taken from it at once


@refuses("mbarrier.test_wait", "mbarrier.try_wait")
def _refuse(instruction: Instruction) -> str | None:
    done, place = instruction.operands[:2]
    is_simple = isinstance(done, Reg) and isinstance(place, Address)
    return None if is_simple else "with a report of what was waited for"


@refuses("mbarrier.arrive", "mbarrier.arrive_drop", "mbarrier.init")
def _refuse_cluster(instruction: Instruction) -> str | None:
    remote = "shared::cluster" in instruction.operation.opcode and (
        "cluster" in instruction.operation.modifiers[-3:]
    )
    return "on another CTA's barrier" if remote else None
