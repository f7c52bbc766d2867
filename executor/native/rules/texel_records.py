"""Texels that lanes look up or write, written down as accesses where traces are asked for.

An access has, for each lane, the device address of the first texel that it touches: the others that
filtering and gathering take lie beside it or in the next row, and are left out. Lanes that touch
none, as those that read the border, are off in it. Its width is a texel of the lowest lane on.
Profiles do not count these accesses.
"""

from __future__ import annotations

from warpmill.analyzer.ir.types import Space
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.events import record_access
from warpmill.executor.native.points import AccessSite
from warpmill.executor.native.step import LoweringStep
from warpmill.executor.native.values import LlvmValue, constant

TEXEL_BYTES = (1, 2, 4, 8, 16)
"""Bytes of a texel, or of what is accessed in a surface by bytes: a point each."""


def note_texels(
    step: LoweringStep, kind: str, space: Space, where: LlvmValue, sizes: LlvmValue
) -> None:
    """Write down where texels lie (i64) and how large they are (i64, 0 for lanes without one)."""
    points = step.points
    first = len(points.recorded)
    points.recorded += [AccessSite(*step.place, kind, space, width) for width in TEXEL_BYTES]
    points.written += 1
    e = step.emitter
    bits = e.bits(e.compare("ne", sizes, constant(0, "i64")))
    number = e.op("add", _size_class(e, sizes, bits), constant(first, "i64"))
    record_access(e, number, where, bits)


def _size_class(e: Emitter, sizes: LlvmValue, bits: LlvmValue) -> LlvmValue:
    """Give the place among TEXEL_BYTES of the lowest lane's size; any where no lane is on."""
    lane = e.resize(e.call("llvm.cttz", bits, extra=", i1 false"), "i32")
    lane = e.op("and", lane, constant(e.lanes - 1, "i32"))
    size = e.get(e.spill(sizes), lane, "i64")
    log = e.call("llvm.cttz", size, extra=", i1 false")
    return e.call("llvm.umin", log, constant(len(TEXEL_BYTES) - 1, "i64"))
