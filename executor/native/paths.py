"""The ways of threads, counted as they go them: which blocks and edges, how often round each loop.

A warp has a row: for each block and edge the bits of the lanes that have been there, then for each
loop how often each lane has begun an iteration. When the warp ends, its row is added up and
cleared. What it adds for each loop, and what a CTA adds when it ends, are lines of 64-bit words
that the host takes from time to time; a CTA begins only where there is room for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.executor.native.emitter import Emitter, counted, when
from warpmill.executor.native.instructions import LlvmValue, constant

LOOP_LINE = ("loop", "lanes", "iterations", "least", "most")
"""Words of the line that a warp leaves for a loop that it entered."""

CTA_LINE = ("cta", "requests")
"""First words of the line that a CTA leaves; the counts of all blocks so far follow."""


@dataclass(frozen=True)
class PathLayout:
    """What a warp's row has: ``places`` blocks and edges, and the headers of ``loops``."""

    lanes: int
    blocks: int
    edges: tuple[tuple[int, int], ...]
    headers: tuple[int, ...]

    @property
    def places(self) -> int:
        """Blocks and edges, in this order."""
        return self.blocks + len(self.edges)

    @property
    def loops_start(self) -> int:
        """Byte at which the loops' counters begin."""
        return -(-8 * self.places // 64) * 64

    @property
    def row_bytes(self) -> int:
        """Bytes of a row."""
        return self.loops_start + -(-len(self.headers) * loop_bytes(self.lanes) // 64) * 64


def loop_bytes(lanes: int) -> int:
    """Give the bytes of the counters of one loop, an i32 a lane."""
    return 4 * lanes


def cta_line_words(blocks: int) -> int:
    """Give the words of a CTA's line."""
    return len(CTA_LINE) + 2 * blocks


def pass_block(e: Emitter, layout: PathLayout, block: int, bits: LlvmValue) -> None:
    """Note that lanes execute a block."""
    _pass(e, block, bits)
    if block not in layout.headers:
        return
    start = layout.loops_start + layout.headers.index(block) * loop_bytes(e.lanes)
    place, whole = _row_place(e, start), e.vector_type("i32")
    old = e.define(f"load {whole}, ptr {place}, align 64", "i32", uniform=False)
    new = e.op("sub", old, e.cast("sext", e.mask(bits), "i32"))
    e.raw(f"  store {e.typed(new)}, ptr {place}, align 64")


def pass_edge(e: Emitter, layout: PathLayout, number: int, bits: LlvmValue) -> None:
    """Note that lanes cross an edge."""
    _pass(e, layout.blocks + number, bits)


def _pass(e: Emitter, number: int, bits: LlvmValue) -> None:
    place = _row_place(e, 8 * number)
    old = e.define(f"load i64, ptr {place}", "i64", uniform=True)
    e.raw(f"  store i64 {e.op('or', old, e.resize(bits, 'i64')).text}, ptr {place}")


def _row_place(e: Emitter, offset: int) -> str:
    place = e.name()
    e.raw(f"  {place} = getelementptr i8, ptr {e.context('path').text}, i64 {offset}")
    return place


def count_lanes(e: Emitter, block: int, bits: LlvmValue) -> None:
    """Count an execution of a block by the number of its lanes."""
    number = e.resize(e.call("llvm.ctpop", bits), "i64")
    index = e.op("add", number, constant(block * (e.lanes + 1), "i64"))
    place = e.name()
    base = e.context("lane_counts")
    e.raw(f"  {place} = getelementptr i64, ptr {base.text}, i64 {index.text}")
    old = e.define(f"load i64, ptr {place}", "i64", uniform=True)
    e.raw(f"  store i64 {e.op('add', old, constant(1, 'i64')).text}, ptr {place}")


# In the driver, which knows a kernel's layout from the context alone.


def set_layout(e: Emitter, layout: PathLayout) -> None:
    """Tell the driver about the rows of a kernel's warps."""
    for name, number in (
        ("path_places", layout.places),
        ("path_loops", len(layout.headers)),
        ("path_loops_start", layout.loops_start),
        ("path_bytes", layout.row_bytes),
    ):
        e.set_context(name, constant(number, "i64"))


def take_row(e: Emitter, warp: LlvmValue) -> None:
    """Let the row of a warp be the one that its code writes to."""
    place = e.name()
    offset = e.op("mul", warp, e.context("path_bytes"))
    e.raw(f"  {place} = getelementptr i8, ptr {e.context('paths').text}, i64 {offset.text}")
    e.set_context("path", LlvmValue(place, "ptr", True))


def add_up_row(e: Emitter, *, loops: bool) -> None:
    """Add the row of a warp that has ended to the counts, and clear it."""
    zero = constant(0, "i64")

    def place(number: LlvmValue) -> None:
        at, base = e.name(), e.context("path")
        e.raw(f"  {at} = getelementptr i64, ptr {base.text}, i64 {number.text}")
        been = e.call("llvm.ctpop", e.define(f"load i64, ptr {at}", "i64", uniform=True))
        e.raw(f"  store i64 0, ptr {at}")
        total, table = e.name(), e.context("distinct_counts")
        e.raw(f"  {total} = getelementptr i64, ptr {table.text}, i64 {number.text}")
        old = e.define(f"load i64, ptr {total}", "i64", uniform=True)
        e.raw(f"  store i64 {e.op('add', old, been).text}, ptr {total}")

    counted(e, zero, e.context("path_places"), place)
    if loops:
        counted(e, zero, e.context("path_loops"), lambda n: _add_up_loop(e, n))


def _add_up_loop(e: Emitter, number: LlvmValue) -> None:
    """Leave a line for a loop that lanes have entered."""
    offset = e.op("mul", number, constant(loop_bytes(e.lanes), "i64"))
    offset = e.op("add", offset, e.context("path_loops_start"))
    at, whole = e.name(), e.vector_type("i32")
    e.raw(f"  {at} = getelementptr i8, ptr {e.context('path').text}, i64 {offset.text}")
    trips = e.define(f"load {whole}, ptr {at}, align 64", "i32", uniform=False)
    entered = e.compare("ne", trips, constant(0, "i32"))
    bits = e.bits(entered)

    def leave() -> None:
        e.raw(f"  store {whole} zeroinitializer, ptr {at}, align 64")
        wide = e.resize(trips, "i64")
        least = e.select(entered, wide, constant(-1, "i64"))
        words = (
            number,
            e.resize(e.call("llvm.ctpop", bits), "i64"),
            e.reduced("add", wide),
            e.reduced("umin", least),
            e.reduced("umax", wide),
        )
        _leave(e, "loop_lines_at", words)

    when(e, e.compare("ne", bits, constant(0, bits.type)), leave)


def _leave(e: Emitter, field: str, words: tuple[LlvmValue, ...]) -> None:
    at = e.context(field)
    for k, word in enumerate(words):
        place = e.name()
        e.raw(f"  {place} = inttoptr i64 {e.op('add', at, constant(8 * k, 'i64')).text} to ptr")
        e.raw(f"  store i64 {word.text}, ptr {place}")
    e.set_context(field, e.op("add", at, constant(8 * len(words), "i64")))


def leave_cta(e: Emitter) -> None:
    """Leave the line of a CTA that has ended: its number and what has been counted so far."""
    _leave(e, "cta_lines_at", (e.context("cta"), e.context("requests")))
    at, size = e.context("cta_lines_at"), e.op("mul", e.context("block_count"), constant(16, "i64"))
    e.module.declarations.setdefault(
        "@llvm.memcpy.p0.p0.i64", "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
    )
    to, source = e.name(), e.context("block_counts").text
    e.raw(f"  {to} = inttoptr i64 {at.text} to ptr")
    e.raw(f"  call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {size.text}, i1 false)")
    e.set_context("cta_lines_at", e.op("add", at, size))


def has_room(e: Emitter) -> LlvmValue:
    """Tell whether there is room for the lines that a CTA may leave, an i1."""
    lines = e.op("mul", e.context("warp_count"), e.context("path_loops"))
    most = e.op("mul", lines, constant(8 * len(LOOP_LINE), "i64"))
    after = e.op("add", e.context("loop_lines_at"), most)
    loops_fit = e.compare("ule", after, e.context("loop_lines_end"))
    ctas_fit = e.compare("ult", e.context("cta_lines_at"), e.context("cta_lines_end"))
    return e.op("and", loops_fit, ctas_fit)
