"""Records of warps as they run: blocks with their masks, guards, lane addresses.

Words of 64 bits, one entry after another. An entry begins with its kind in the low byte of a word
and a number above it:

- TURN, warp; CTA: the entries that follow are of this warp
- END, warp; CTA: it has ended
- BLOCK, block; bits of the lanes that run
- GUARD, number of the guarded instruction; bits of the lanes it is on for
- ACCESS, point; bits of the lanes that are on, address of the lowest, then for each lane how far
  its address is from that (0 for those that are off)
- AGAIN, point; address of the lowest lane: bits and distances are those of the point's last ACCESS

A warp that finds no room for what a piece of code may write gives way before it begins; the host
takes the entries and lets it go on.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from warpmill.executor.native.emitter import Emitter, when
from warpmill.executor.native.instructions import LlvmValue, constant
from warpmill.executor.native.translation import Request

TURN, END, BLOCK, GUARD, ACCESS, AGAIN = range(1, 7)

Words = npt.NDArray[np.int64]


def room(accesses: int, guards: int, lanes: int) -> int:
    """The words that a piece of code writes at most, with so many accesses and guards."""
    return 2 + 2 * guards + (3 + lanes) * accesses


def _append(e: Emitter, *words: LlvmValue) -> None:
    """Write words where the next entry belongs."""
    at = e.context("record_at")
    for k, word in enumerate(words):
        place, moved = e.name(), e.name()
        e.raw(f"  {place} = inttoptr i64 {at.text} to ptr")
        e.raw(f"  {moved} = getelementptr i64, ptr {place}, i64 {k}")
        e.raw(f"  store i64 {word.text}, ptr {moved}")
    e.set_context("record_at", e.op("add", at, constant(8 * len(words), "i64")))


def record_turn(e: Emitter, warp: LlvmValue, kind: int = TURN) -> None:
    """Record which warp the next entries are of, or that it has ended."""
    number = e.op("shl", warp, constant(8, "i64"))
    _append(e, e.op("or", number, constant(kind, "i64")), e.context("cta"))


def record_block(e: Emitter, block: int, bits: LlvmValue) -> None:
    """Write that a block is executed."""
    _append(e, constant(block << 8 | BLOCK, "i64"), e.resize(bits, "i64"))


def record_guard(e: Emitter, number: int, bits: LlvmValue) -> None:
    """Write the lanes that a guarded instruction is on for."""
    _append(e, constant(number << 8 | GUARD, "i64"), e.resize(bits, "i64"))


def record_access(e: Emitter, point: int | LlvmValue, where: LlvmValue, bits: LlvmValue) -> None:
    """Write the addresses of an access at a point, in its own space."""
    number = constant(point, "i64") if isinstance(point, int) else point
    parts = (e.vector(e.resize(where, "i64")), bits, number)
    e.outlined("record.access", _write_access, *parts)


def _write_access(e: Emitter, *parts: LlvmValue) -> None:
    request = Request(*parts)
    on = e.compare("ne", request.bits, constant(0, request.bits.type))
    when(e, on, lambda: _write_lanes(e, request))


def _write_lanes(e: Emitter, request: Request) -> None:
    bits, lanes = request.bits, e.lanes
    number = e.call("llvm.cttz", bits, extra=", i1 true")
    first = e.get(e.spill(request.where), e.resize(number, "i32"), "i64")
    steps = e.select(e.mask(bits), e.op("sub", request.where, first), constant(0, "i64"))
    row, base = e.name(), e.context("patterns")
    offset = e.op("mul", request.site, constant(8 * (1 + lanes), "i64"))
    e.raw(f"  {row} = getelementptr i8, ptr {base.text}, i64 {offset.text}")
    old_bits = e.define(f"load i64, ptr {row}", "i64", uniform=True)
    place = e.name()
    e.raw(f"  {place} = getelementptr i64, ptr {row}, i64 1")
    whole = e.vector_type("i64")
    old = e.define(f"load {whole}, ptr {place}, align 8", "i64", uniform=False)
    wide = e.resize(bits, "i64")
    every = constant(-1, f"i{lanes}")
    alike = e.compare("eq", e.bits(e.compare("eq", old, steps)), every)
    again = e.op("and", alike, e.compare("eq", old_bits, wide))
    head = e.op("shl", request.site, constant(8, "i64"))

    def repeat() -> None:
        _append(e, e.op("or", head, constant(AGAIN, "i64")), first)

    def write() -> None:
        e.raw(f"  store i64 {wide.text}, ptr {row}")
        e.raw(f"  store {e.typed(steps)}, ptr {place}, align 8")
        _append(e, e.op("or", head, constant(ACCESS, "i64")), wide, first)
        at = e.context("record_at")
        to = e.name()
        e.raw(f"  {to} = inttoptr i64 {at.text} to ptr")
        e.raw(f"  store {e.typed(steps)}, ptr {to}, align 8")
        e.set_context("record_at", e.op("add", at, constant(8 * lanes, "i64")))

    when(e, again, repeat, write)
