"""Barriers and operations of a warp that native code tells synccheck of."""

from __future__ import annotations

import zlib

from warpmill.executor.native.emitter import Emitter, when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.rules.registry import opposite, peel
from warpmill.executor.native.segments import get_field, joins_lanes, members_of
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.sanitizers.findings import Tool


def check_members(step: LoweringStep) -> None:
    """Have the lanes that an operation joins compared with those that are there."""
    e, members = step.emitter, members_of(step.instruction)
    if not e.module.checks_masks or not joins_lanes(step.instruction):
        return
    active, gone = e.bits(step.mask), _gone(e)
    if members is None:
        _check_all(step, active, gone)
        return
    words = step.operation.opcode.encode()
    numbers = (constant(step.site, "i64"), constant(zlib.crc32(words) | 1, "i64"))
    mask = e.resize(step.read(members), active.type)
    if mask.uniform:
        e.outlined("sync.members", _check_group, *numbers, mask, active, active, gone)
    else:
        e.outlined("sync.groups", _check_groups, *numbers, mask, active, gone)


def _gone(e: Emitter) -> LlvmValue:
    """The lanes that have ended, or will do nothing else."""
    alive, leaving = (get_field(e, "%warp", name, f"i{e.lanes}") for name in ("alive", "leaving"))
    return e.op("or", e.op("xor", alive, constant(-1, alive.type)), leaving)


def _check_all(step: LoweringStep, active: LlvmValue, gone: LlvmValue) -> None:
    e = step.emitter
    missing = e.op("xor", e.op("or", active, gone), constant(-1, gone.type))
    wrong = e.compare("ne", missing, constant(0, missing.type))
    come = e.compare("ne", active, constant(0, active.type))
    site = constant(step.site, "i64")

    def tell() -> None:
        e.callback("warpmill.sync.all", site, e.resize(active, "i64"), e.resize(missing, "i64"))

    when(e, e.op("and", wrong, come), tell)


def _check_group(e: Emitter, *parts: LlvmValue) -> None:
    """Tell of lanes that have one mask, unless they are all that it names."""
    site, opcode, mask, arrived, active, gone = parts
    wrong = e.compare("ne", mask, arrived)
    come = e.compare("ne", arrived, constant(0, arrived.type))
    words = [e.resize(bits, "i64") for bits in (mask, arrived, active, gone)]
    tell = lambda: e.callback("warpmill.sync.members", site, opcode, *words)  # noqa: E731 - short
    when(e, e.op("and", wrong, come), tell)


def _check_groups(e: Emitter, *parts: LlvmValue) -> None:
    """Tell of lanes with several masks, one mask after another."""
    site, opcode, masks, active, gone = parts
    array = e.spill(masks)

    def one(lane: LlvmValue, result: LlvmValue) -> tuple[LlvmValue, LlvmValue]:
        mask = e.get(array, lane, masks.type)
        alike = e.bits(e.compare("eq", masks, mask))
        _check_group(e, site, opcode, mask, e.op("and", alike, active), active, gone)
        return alike, result

    peel(e, active, constant(0, "i32"), one)


def check_arrival(step: LoweringStep, numbers: list[LlvmValue], kind: int) -> None:
    """Tell of lanes that come to a barrier; ``numbers`` are its own and the count of threads."""
    e = step.emitter
    lanes = e.bits(step.mask)
    missing = e.op("xor", e.op("or", lanes, _gone(e)), constant(-1, lanes.type))
    alike = constant(1, "i1")
    first = e.resize(e.call("llvm.cttz", lanes, extra=", i1 false"), "i32")
    first = e.op("and", first, constant(e.lanes - 1, "i32"))
    named = []
    for number in numbers:
        one = number if number.uniform else e.get(e.spill(number), first, number.type)
        alike = e.op("and", alike, e.compare("eq", number, one))
        named.append(e.resize(one, "i64"))
    apart = e.op("and", e.bits(opposite(e, alike)), lanes)
    threads = named[1] if len(named) > 1 else constant(0, "i64")
    words = [e.resize(bits, "i64") for bits in (lanes, missing, apart)]

    def tell() -> None:
        place = (named[0], threads, constant(kind, "i64"))
        e.callback("warpmill.sync.arrive", constant(step.site, "i64"), *words, *place)

    when(e, e.compare("ne", lanes, constant(0, lanes.type)), tell)


def check_end(e: Emitter) -> None:
    """Tell that the warp that runs has ended."""
    if Tool.SYNCCHECK in e.module.tools:
        e.callback("warpmill.sync.end")
