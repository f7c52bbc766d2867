"""Accesses and barriers that native code tells racecheck of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.executor.native.emitter import Emitter, when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.sanitizers.findings import Tool

_SPACES = {Space.SHARED: 0, Space.GLOBAL: 1, Space.GENERIC: 2}
"""Numbers of the spaces that threads share."""

_WRITES, _STRONG, _NARROW, _FLAGS = 1, 2, 4, 3  # as in sanitizers/race_records.py

_STRONG_WORDS = frozenset({"volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio"})


_OBJECT_USES = frozenset(
    {
        "mbarrier.arrive", "mbarrier.arrive_drop", "mbarrier.expect_tx", "mbarrier.complete_tx",
        "mbarrier.test_wait", "mbarrier.try_wait", "cp.async.mbarrier.arrive",
    }
)  # fmt: skip


def is_strong(operation: Operation) -> bool:
    """Whether accesses of an instruction are strong: atomics, volatile ones, those with a scope.

    Barrier objects are used so; what makes and ends them has to be ordered with that.
    """
    if operation.op_class is OpClass.ATOMIC or operation.name in _OBJECT_USES:
        return True
    is_plain = operation.op_class in (OpClass.LOAD, OpClass.STORE)
    return is_plain and bool(_STRONG_WORDS & set(operation.modifiers))


def is_narrow(operation: Operation) -> bool:
    """Whether the scope of a strong access is a CTA, or a cluster, which is one CTA here."""
    return bool({"cta", "cluster"} & set(operation.modifiers))


def synchronises(operation: Operation) -> bool:
    """Whether an instruction is a fence, or acquires or releases."""
    is_access = operation.op_class in (OpClass.LOAD, OpClass.STORE, OpClass.ATOMIC)
    is_fence = operation.name in ("membar", "fence")
    return is_fence or (is_access and bool(_ORDERS.keys() & set(operation.modifiers)))


_ORDERS = {"acquire": 1, "release": 2, "acq_rel": 3, "sc": 3}  # as in race_records.py
_CHANGES_WHAT_IT_READS = 4


def _order(operation: Operation) -> int:
    """What a strong access orders, as numbers of race_records.py."""
    order = max([_ORDERS.get(word, 0) for word in operation.modifiers], default=0)
    return order | (_CHANGES_WHAT_IT_READS if operation.op_class is OpClass.ATOMIC else 0)


def watch_fence(step: LoweringStep) -> None:
    """Tell that lanes pass a fence."""
    e, words = step.emitter, set(step.operation.modifiers)
    if Tool.RACECHECK not in e.module.tools:
        return
    if step.operation.name == "fence.proxy" and "async" in words:
        e.callback("warpmill.race.proxy_fence", e.resize(e.bits(step.mask), "i64"))
    if step.operation.name in ("membar", "fence"):
        narrow = constant(int(bool(words & {"cta", "cluster"})), "i64")
        e.callback("warpmill.race.fence", e.resize(e.bits(step.mask), "i64"), narrow)


def is_copy(operation: Operation) -> bool:
    """Whether an instruction copies while its thread goes on."""
    return bool(operation.name in ("cp.async", "cp.async.bulk", "cp.reduce.async.bulk"))


def _agent(operation: Operation, writes: bool) -> int:
    """Number of the agent that makes an access (``race_records.AGENTS``); 0: the thread."""
    if not is_copy(operation):
        return 0
    if "bulk_group" not in operation.modifiers:
        return 1
    return 3 if writes else 2


def watch_access(
    step: LoweringStep,
    space: Space,
    where: LlvmValue,
    width: int,
    *,
    writes: bool,
    values: Sequence[LlvmValue] = (),
    mask: LlvmValue | None = None,
) -> None:
    """Have an access of a warp checked for races before it is made, where that was asked for.

    ``where`` are addresses in the space, of ``mask``'s lanes or the instruction's; ``values`` the
    elements that are stored.
    """
    e = step.emitter
    if Tool.RACECHECK not in e.module.tools or space not in _SPACES:
        return
    flags = _WRITES if writes else 0
    if is_strong(step.operation):
        flags |= _STRONG | (_NARROW if is_narrow(step.operation) else 0)
    number = constant(step.site << _FLAGS | flags, "i64")
    order = constant(_order(step.operation), "i64")
    bits = e.bits(step.mask if mask is None else mask)
    agent = _agent(step.operation, writes)
    body = partial(_call, space=space, width=width, writes=writes, agent=agent)
    name = f"races.{space.value}.{width}.{'store' if writes else 'load'}.{agent}"

    def told() -> None:
        e.outlined(name, body, e.resize(where, "i64"), bits, number, order, *map(e.vector, values))

    if step.operation.name in ("ld", "ldu") and space is not Space.SHARED:
        when(e, _is_told(e, step.site), told)
    else:
        told()


def _is_told(e: Emitter, site: int) -> LlvmValue:
    """Whether racecheck is to be told of an instruction (``sanitizers/log.py``)."""
    watch = e.context("sanitizer")
    skips = e.define(f"load ptr, ptr {watch.text}", "ptr", uniform=True)
    place = e.element(skips.text, constant(site, "i64"), "i8")
    return e.compare("eq", e.define(f"load i8, ptr {place}", "i8", uniform=True), constant(0, "i8"))


def _call(
    e: Emitter, *parts: LlvmValue, space: Space, width: int, writes: bool, agent: int
) -> None:
    where, bits, number, order, *values = parts
    if where.uniform and not writes:
        bits = _two_of(e, bits)  # more readers of one place tell no more
    places = e.spill(where)
    kept, element = "null", 0
    if values:
        element = int(values[0].type[1:]) // 8
        kept = e.array(values[0].type, len(values))
        for k, value in enumerate(values):
            place = e.element(kept, constant(k * e.lanes, "i64"), value.type)
            e.raw(f"  store {e.typed(value)}, ptr {place}, align {element}")

    def tell() -> None:
        request = e.array("i64")  # of more words than the record
        parts: tuple[LlvmValue, ...] = (
            _number(e, places),
            e.resize(bits, "i64"),
            number,
            constant(width, "i64"),
            _number(e, kept),
            constant(element, "i64"),
            constant(_SPACES[space], "i64"),
            constant(agent, "i64"),
            order,
        )
        for k, value in enumerate(parts):
            e.put(request, constant(k, "i64"), value)
        e.callback("warpmill.race.access", LlvmValue(request, "ptr", uniform=True))

    when(e, e.compare("ne", bits, constant(0, bits.type)), tell)


def _number(e: Emitter, pointer: str) -> LlvmValue:
    return e.define(f"ptrtoint ptr {pointer} to i64", "i64", uniform=True)


def _two_of(e: Emitter, bits: LlvmValue) -> LlvmValue:
    """The lowest and the highest of the lanes that are on."""
    lowest = e.op("and", bits, e.op("sub", constant(0, bits.type), bits))
    above = e.call("llvm.ctlz", bits, extra=", i1 false")
    top = e.op("lshr", constant(1 << e.lanes - 1, bits.type), above)
    some = e.compare("ne", bits, constant(0, bits.type))
    return e.select(some, e.op("or", lowest, top), constant(0, bits.type))


def watch_barrier(e: Emitter, number: LlvmValue) -> None:
    """Tell that a barrier is passed."""
    if Tool.RACECHECK in e.module.tools:
        e.callback("warpmill.race.barrier", number)


def watch_arrival(e: Emitter, number: LlvmValue, bits: LlvmValue) -> None:
    """Tell that a warp arrives at a barrier and goes on."""
    if Tool.RACECHECK in e.module.tools:
        e.callback("warpmill.race.arrive", number, e.resize(bits, "i64"))


def watch_warp_barrier(step: LoweringStep) -> None:
    """Tell which lanes of a warp wait for which."""
    e = step.emitter
    if Tool.RACECHECK not in e.module.tools:
        return
    masks = e.vector(e.resize(step.read(step.instruction.operands[0]), "i64", signed=True))
    e.outlined("races.warp_barrier", _tell_lanes("warp_barrier"), masks, e.bits(step.mask))


def watch_waited(e: Emitter, hosts: LlvmValue, over: LlvmValue) -> None:
    """Tell of the barrier objects at host addresses those whose phase is over."""
    if Tool.RACECHECK in e.module.tools:
        e.outlined("races.waited", _tell_lanes("waited"), e.vector(hosts), e.bits(over))


def _tell_lanes(name: str) -> Callable[..., None]:
    """Writer of a call with a number of each lane, and the lanes that are on."""

    def write(e: Emitter, numbers: LlvmValue, bits: LlvmValue) -> None:
        place = LlvmValue(e.spill(numbers), "ptr", uniform=True)

        def tell() -> None:
            e.callback(f"warpmill.race.{name}", place, e.resize(bits, "i64"))

        when(e, e.compare("ne", bits, constant(0, bits.type)), tell)

    return write


def watch_object(e: Emitter, name: str, host: LlvmValue, lane: LlvmValue, ends: LlvmValue) -> None:
    """Tell that a lane changes a barrier object at a host address; whether a phase ends."""
    if Tool.RACECHECK not in e.module.tools:
        return
    kind = _OBJECT_CHANGES.get(name, 1 if "arrive" in name else 0)
    number = constant(kind, "i64")
    e.callback("warpmill.race.object", host, e.resize(lane, "i64"), number, e.resize(ends, "i64"))


_OBJECT_CHANGES = {
    "mbarrier.init": 3,
    "mbarrier.inval": 3,
    "mbarrier.complete_tx": 2,
    "cp.async.mbarrier.arrive": 2,
}
"""Kinds of changes of barrier objects that are no arrival; see sanitizers/race_barriers.py."""


def watch_groups(step: LoweringStep) -> None:
    """Tell that lanes end a group of copies, or wait for groups."""
    e, words = step.emitter, step.operation.modifiers
    if Tool.RACECHECK not in e.module.tools or "prefetch" in words or "applypriority" in words:
        return
    bits = e.resize(e.bits(step.mask), "i64")
    bulk = constant(("bulk" in words) * (1 + ("read" in words)), "i64")
    if "commit_group" in words:
        e.callback("warpmill.race.commit", bits, bulk)
        return
    most = constant(-1, "i64")
    if "wait_group" in words:
        most = e.resize(step.read(step.instruction.operands[0]), "i64")
    e.callback("warpmill.race.wait_copies", bits, most, bulk)
