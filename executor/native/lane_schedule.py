"""Independent thread scheduling: which of a warp's lanes go on, where they stand at several places.

An entry of the stack is a segment, the lanes that stand before it, and the lanes that these wait
for; each lane is in one entry, or runs. Of the entries that wait for nobody the one furthest behind
goes first, in reverse postorder, so that sides of a branch come to their meeting point one after
another and go on as one. Where lanes go back in loops for long, the others have a turn, the one
that has waited longest first: lanes that spin until others let them go do not hold these up.

``.sync`` operations and barriers begin segments of their own. Lanes wait before them for the lanes
that a mask names, of barriers for all of the warp; where all lanes wait, the furthest behind go on
alone.
"""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.executor.native.emitter import Emitter, StackVariable, counted, variable, when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.segments import (
    ENTRY_BYTES,
    STACK_START,
    get_field,
    joins_lanes,
    members_of,
    set_field,
    suspends,
)
from warpmill.executor.native.step import LoweringStep

_SEGMENT, _LANES, _AWAITED = 0, 8, 16
_LAST = (1 << 63) - 1


def brings_together(instruction: Instruction) -> bool:
    """Whether lanes wait for others before an instruction."""
    return suspends(instruction) or joins_lanes(instruction)


def lanes_awaited(step: LoweringStep) -> LlvmValue:
    """The lanes that are to come to an instruction: those of all masks, else all of the warp."""
    e, members = step.emitter, members_of(step.instruction)
    named = constant(-1, f"i{e.lanes}")
    if members is not None:
        mask = e.resize(step.read(members), named.type)
        named = mask if mask.uniform else _any_of(e, mask, step.active)
    return e.op("and", named, get_field(e, "%warp", "alive", named.type))


def _any_of(e: Emitter, masks: LlvmValue, active: LlvmValue) -> LlvmValue:
    return e.reduced("or", e.select(active, masks, constant(0, masks.type)))


# Entries of the stack.


def entry_place(e: Emitter, warp: str, number: LlvmValue) -> str:
    """The address of an entry."""
    offset = e.op("mul", number, constant(ENTRY_BYTES, "i64"))
    base, entry = e.name(), e.name()
    e.raw(f"  {base} = getelementptr i8, ptr {warp}, i64 {STACK_START}")
    e.raw(f"  {entry} = getelementptr i8, ptr {base}, i64 {offset.text}")
    return entry


def push(e: Emitter, warp: str, segment: LlvmValue, mask: LlvmValue, then: LlvmValue) -> None:
    """Put an entry on the stack."""
    depth = get_field(e, warp, "depth")
    _write(e, warp, depth, segment, mask, then)
    set_field(e, warp, "depth", e.op("add", depth, constant(1, "i64")))


def _write(
    e: Emitter, warp: str, number: LlvmValue, segment: LlvmValue, mask: LlvmValue, then: LlvmValue
) -> None:
    entry = entry_place(e, warp, number)
    for offset, value in ((_SEGMENT, segment), (_LANES, mask), (_AWAITED, then)):
        place = e.name()
        e.raw(f"  {place} = getelementptr i8, ptr {entry}, i64 {offset}")
        e.raw(f"  store {e.typed(value)}, ptr {place}")


def _read(e: Emitter, warp: str, number: LlvmValue, offset: int) -> LlvmValue:
    place = e.name()
    entry = entry_place(e, warp, number)
    e.raw(f"  {place} = getelementptr i8, ptr {entry}, i64 {offset}")
    type_ = f"i{e.lanes}" if offset == _LANES else "i64"
    return e.define(f"load {type_}, ptr {place}", type_, uniform=True)


# Turns.


def bring_up_last(e: Emitter, warp: str) -> None:
    """Bring the lanes furthest behind that wait for nobody to the top, with all at their place."""

    def write(e: Emitter, pointer: LlvmValue) -> None:
        place = pointer.text
        best, least = variable(e, constant(-1, "i64")), variable(e, constant(_LAST, "i64"))
        order = e.context("segment_order")

        def look(number: LlvmValue) -> None:
            segment = _read(e, place, number, _SEGMENT)
            own = e.get(order.text, segment, "i64")
            first = e.op("and", _is_ready(e, place, number), e.compare("slt", own, least.get()))

            def take() -> None:
                best.set(number)
                least.set(own)

            when(e, first, take)

        counted(e, constant(0, "i64"), get_field(e, place, "depth"), look)
        none = e.compare("slt", best.get(), constant(0, "i64"))

        def go_alone() -> None:
            best.set(constant(0, "i64"))
            set_field(e, place, "is_alone", constant(1, "i64"))

        when(e, none, go_alone)
        _gather(e, place, best.get())

    e.outlined("lanes.last", write, LlvmValue(warp, "ptr", uniform=True))


def rotate(e: Emitter, warp: str) -> None:
    """Let the lanes that have waited longest run in place of those that do, if any may."""

    def write(e: Emitter, pointer: LlvmValue) -> None:
        place = pointer.text
        others = get_field(e, place, "depth")
        running = get_field(e, place, "mask", f"i{e.lanes}")
        push(e, place, get_field(e, place, "resume"), running, constant(0, "i64"))
        best = variable(e, others)

        def look(number: LlvmValue) -> None:
            is_first = e.compare("eq", best.get(), others)
            found = e.op("and", is_first, _is_ready(e, place, number))
            when(e, found, lambda: best.set(number))

        counted(e, constant(0, "i64"), others, look)
        _gather(e, place, best.get())
        top = e.op("sub", get_field(e, place, "depth"), constant(1, "i64"))
        set_field(e, place, "depth", top)
        set_field(e, place, "resume", _read(e, place, top, _SEGMENT))
        set_field(e, place, "mask", _read(e, place, top, _LANES))

    def turn() -> None:
        e.outlined("lanes.rotate", write, LlvmValue(warp, "ptr", uniform=True))

    when(e, e.compare("ne", get_field(e, warp, "depth"), constant(0, "i64")), turn)


def _is_ready(e: Emitter, warp: str, number: LlvmValue) -> LlvmValue:
    """Whether the lanes of an entry wait for nobody that does not stand at their place."""
    segment, awaited = (_read(e, warp, number, offset) for offset in (_SEGMENT, _AWAITED))
    here = _lanes_at(e, warp, segment).get()
    named = e.op("and", e.resize(awaited, here.type), get_field(e, warp, "alive", here.type))
    missing = e.op("and", named, e.op("xor", here, constant(-1, here.type)))
    return e.compare("eq", missing, constant(0, here.type))


def _lanes_at(e: Emitter, warp: str, segment: LlvmValue) -> StackVariable:
    """The lanes of all entries at a segment."""
    found = variable(e, constant(0, f"i{e.lanes}"))

    def add(number: LlvmValue) -> None:
        here = e.compare("eq", _read(e, warp, number, _SEGMENT), segment)
        lanes = _read(e, warp, number, _LANES)
        when(e, here, lambda: found.set(e.op("or", found.get(), lanes)))

    counted(e, constant(0, "i64"), get_field(e, warp, "depth"), add)
    return found


def _gather(e: Emitter, warp: str, number: LlvmValue) -> None:
    """Make the entries at the place of one of them a single one, at the top."""
    segment = _read(e, warp, number, _SEGMENT)
    lanes = _lanes_at(e, warp, segment).get()
    kept = variable(e, constant(0, "i64"))

    def keep(one: LlvmValue) -> None:
        parts = [_read(e, warp, one, offset) for offset in (_SEGMENT, _LANES, _AWAITED)]

        def write() -> None:
            _write(e, warp, kept.get(), *parts)
            kept.set(e.op("add", kept.get(), constant(1, "i64")))

        when(e, e.compare("ne", parts[0], segment), write)

    counted(e, constant(0, "i64"), get_field(e, warp, "depth"), keep)
    _write(e, warp, kept.get(), segment, lanes, constant(0, "i64"))
    set_field(e, warp, "depth", e.op("add", kept.get(), constant(1, "i64")))
