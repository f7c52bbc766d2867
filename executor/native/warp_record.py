"""Where a warp stands, in memory: what survives when it stops, and its frame of registers."""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmValue

_FIELDS = (
    "resume",  # segment to go on at
    "mask",  # bits of the lanes that run
    "alive",  # bits of the lanes that have not ended
    "leaving",  # bits of those that are on their way to the end, with nothing left to do
    "reconvergence",  # block at which the lanes that run wait for others; the exit's id: nowhere
    "depth",  # entries on the stack
    "status",  # a WarpStatus
    "barrier",  # number of the barrier that it waits at or arrived at
    "barrier_threads",  # how many threads that barrier is for, 0: all
    "barrier_kind",  # a BarrierKind
    "barrier_count",  # lanes whose predicate holds
    "barrier_lanes",  # lanes that arrived
    "group_turn",  # which of two tables the next operation of all threads uses
    "barrier_result",  # what a reducing barrier gives, all lanes alike
)

WARP = {name: 8 * place for place, name in enumerate(_FIELDS)}
"""Byte offset of each field of a warp's record; each takes eight bytes."""

STACK_START = 8 * len(_FIELDS)
"""Byte offset of the stack: entries of block, mask and the reconvergence block after it."""

ENTRY_BYTES = 24

READY, WAITING, ENDED = 0, 1, 2
"""What a warp's status may be."""

HAS_ENDED, GIVES_WAY, AT_BARRIER = 0, 1, 2
"""What a warp's function returns."""


@dataclass(frozen=True)
class RecordLayout:
    """Sizes of the records of a kernel's warps, in bytes."""

    stack_entries: int
    frame_bytes: int

    @property
    def frame_start(self) -> int:
        """Where the frame begins, after the stack."""
        return -(-(STACK_START + self.stack_entries * ENTRY_BYTES) // 64) * 64

    @property
    def bytes(self) -> int:
        """Bytes of a whole record; an odd number of cache lines, so that warps spread over sets."""
        lines = -(-(self.frame_start + self.frame_bytes) // 64)
        return (lines | 1) * 64


def get_field(e: Emitter, warp: str, name: str, type_: str = "i64") -> LlvmValue:
    """Read a field of the warp's record at the pointer ``warp``."""
    return e.define(f"load {type_}, ptr {field_place(e, warp, name)}", type_, uniform=True)


def set_field(e: Emitter, warp: str, name: str, value: LlvmValue) -> None:
    """Write a field; narrower values leave the upper bytes as they are."""
    e.raw(f"  store {e.typed(value)}, ptr {field_place(e, warp, name)}")


def field_place(e: Emitter, warp: str, name: str) -> str:
    """Give the address of a field."""
    place = e.name()
    e.raw(f"  {place} = getelementptr i8, ptr {warp}, i64 {WARP[name]}")
    return place
