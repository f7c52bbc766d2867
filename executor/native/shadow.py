"""Whether shared memory was written before it is read: a byte of shadow for each of its bytes."""

from __future__ import annotations

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.addresses import SHARED_WINDOW
from warpmill.executor.fault_kinds import FaultKind
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.structured import when
from warpmill.executor.native.translation import (
    Request,
    note_fault,
    rotated,
    whole_places,
)
from warpmill.executor.native.values import LlvmValue, constant


def mark_initialised(e: Emitter, request: Request, width: int, align: int, space: Space) -> None:
    """Note that the lanes that are on have written what they address, where it is shared."""
    offsets = e.spill(_offsets(e, request, space))

    def one(lane: LlvmValue) -> None:
        offset = e.get(offsets, lane, "i64")
        ones = constant(-1, f"i{8 * width}")

        def mark() -> None:
            e.raw(f"  store {ones.type} {ones.text}, ptr {_shadow(e, offset)}, align 1")

        when(e, _in_shared(e, offset, width, align), mark)

    e.each_lane(request.bits, one)


def check_initialised(e: Emitter, request: Request, width: int, align: int, space: Space) -> None:
    """Note a fault where a lane that is on reads what nobody has written."""
    offsets = e.spill(_offsets(e, request, space))
    window = constant(_window(space), "i64")
    kind = constant(FaultKind.UNINITIALISED_SHARED, "i64")

    def one(lane: LlvmValue) -> None:
        offset = e.get(offsets, lane, "i64")

        def check() -> None:
            whole = f"i{8 * width}"
            text = f"load {whole}, ptr {_shadow(e, offset)}, align 1"
            seen = e.define(text, whole, uniform=True)
            missing = e.compare("ne", seen, constant(-1, whole))
            when(
                e,
                missing,
                lambda: note_fault(e, kind, lane, e.op("add", offset, window), request.site),
            )

        when(e, _in_shared(e, offset, width, align), check)

    e.each_lane(request.bits, one)


def _window(space: Space) -> int:
    return SHARED_WINDOW if space is Space.GENERIC else 0


def _offsets(e: Emitter, request: Request, space: Space) -> LlvmValue:
    """Give the offsets in shared memory; addresses elsewhere are beyond its end."""
    where = e.resize(e.vector(request.where), "i64")
    return e.op("sub", where, constant(_window(space), "i64"))


def _shadow(e: Emitter, offset: LlvmValue) -> str:
    name, base = e.name(), e.context("initialised")
    e.raw(f"  {name} = getelementptr i8, ptr {base.text}, i64 {offset.text}")
    return name


def _in_shared(e: Emitter, offset: LlvmValue, width: int, align: int) -> LlvmValue:
    places = whole_places(e, e.context("shared_bytes"), width, align)
    return e.compare("ult", rotated(e, offset, align), places)
