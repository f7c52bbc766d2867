"""The ways of threads: blocks, edges and loop iterations, counted as they go and added up.

A warp has a row: for each block and edge the bits of the lanes that have been there, then for each
loop how often each lane has begun an iteration. When the warp ends, its row is added up and
cleared. What it adds for each loop, and what a CTA adds when it ends, are lines of 64-bit words
that the host takes from time to time; a CTA begins only where there is room for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import gcd

import numpy as np
import numpy.typing as npt

from warpmill.executor.native.emitter import Emitter, counted, when
from warpmill.executor.native.instructions import LlvmValue, constant

LOOP_LINE = ("loop", "lanes", "iterations", "least", "most")
"""Words of the line that a warp leaves for a loop that it entered."""

CTA_LINE = ("cta", "requests")
"""First words of the line that a CTA leaves; the counts of all blocks so far follow."""


@dataclass(frozen=True)
class PathLayout:
    """Layout of a warp's row: ``places`` blocks and edges, and the headers of ``loops``."""

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
    """The bytes of the counters of one loop, an i32 a lane."""
    return 4 * lanes


def cta_line_words(blocks: int) -> int:
    """The words of a CTA's line."""
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
    """Declare the rows of a kernel's warps to the driver."""
    for name, number in (
        ("path_places", layout.places),
        ("path_loops", len(layout.headers)),
        ("path_loops_start", layout.loops_start),
        ("path_bytes", layout.row_bytes),
    ):
        e.set_context(name, constant(number, "i64"))


def take_row(e: Emitter, warp: LlvmValue) -> None:
    """Set the row of a warp as the one that its code writes to."""
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
    """Whether there is room for the lines that a CTA may leave, an i1."""
    lines = e.op("mul", e.context("warp_count"), e.context("path_loops"))
    most = e.op("mul", lines, constant(8 * len(LOOP_LINE), "i64"))
    after = e.op("add", e.context("loop_lines_at"), most)
    loops_fit = e.compare("ule", after, e.context("loop_lines_end"))
    ctas_fit = e.compare("ult", e.context("cta_lines_at"), e.context("cta_lines_end"))
    return e.op("and", loops_fit, ctas_fit)


# What CTAs and warps leave behind when they end, line by line, added up as it comes.

Numbers = npt.NDArray[np.int64]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)

LINES = 1 << 10
"""Lines about CTAs, and about loops, that there is room for at least."""


@dataclass
class LoopTally:
    """Tally of the warps that entered a loop.

    ``threads`` are those that entered, ``iterations`` theirs all together, ``least`` and ``most``
    those of one of them. ``by_warp`` counts warps by (iterations, threads that entered) in lowest
    terms.
    """

    threads: int = 0
    iterations: int = 0
    least: int | None = None
    most: int = 0
    by_warp: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, other: LoopTally) -> None:
        """Take another one's counts too."""
        if other.least is None:
            return
        self.threads += other.threads
        self.iterations += other.iterations
        self.least = other.least if self.least is None else min(self.least, other.least)
        self.most = max(self.most, other.most)
        self.by_warp.update(other.by_warp)


@dataclass
class CtaTally:
    """Counts of CTAs that have ended: rows of (CTA, requests, a vector's number), and vectors.

    A vector has the executions of each block by warps and by threads; equal ones are kept once.
    """

    blocks: int
    rows: list[Numbers] = field(default_factory=list)
    vectors: dict[bytes, int] = field(default_factory=dict)
    _before: Numbers | None = None

    @property
    def size_bytes(self) -> int:
        """Bytes that rows and vectors take, about."""
        return len(self.vectors) * 16 * self.blocks + sum(rows.nbytes for rows in self.rows)

    def take(self, lines: Numbers) -> None:
        """Take lines of sums so far, shape (lines, words), in the order in which CTAs ended."""
        before = np.zeros(lines.shape[1], np.int64) if self._before is None else self._before
        self._before = lines[-1].copy()
        own = np.diff(lines, axis=0, prepend=before[None])
        vectors, numbers, _ = distinct_rows(own[:, len(CTA_LINE) :])
        known = np.array([self._number(v.tobytes()) for v in vectors], np.int64)
        self.rows.append(np.column_stack([lines[:, 0], own[:, 1], known[numbers]]))

    def _number(self, vector: bytes) -> int:
        return self.vectors.setdefault(vector, len(self.vectors))


@dataclass(frozen=True)
class CtaRows:
    """Counts by CTA in the order of their numbers; ``vectors`` are numbers of rows of the blocks'.

    ``block_warps`` and ``block_threads`` have the shape (vectors, blocks), in the order in which
    CTAs first have them.
    """

    requests: Numbers
    vectors: Numbers
    block_warps: Numbers
    block_threads: Numbers


def cta_rows(tallies: Iterable[CtaTally], blocks: int) -> CtaRows:
    """Bring together what several runs have counted."""
    every: dict[bytes, int] = {}
    parts: list[Numbers] = []
    for tally in tallies:
        numbers = np.array([every.setdefault(v, len(every)) for v in tally.vectors], np.int64)
        parts += [np.column_stack([rows[:, :2], numbers[rows[:, 2]]]) for rows in tally.rows]
    whole = np.concatenate(parts) if parts else np.zeros((0, 3), np.int64)
    whole = whole[np.argsort(whole[:, 0], kind="stable")]
    used, first = np.unique(whole[:, 2], return_index=True)
    order = used[np.argsort(first)]
    renamed = np.zeros(len(every), np.int64)
    renamed[order] = np.arange(len(order))
    table = np.array([np.frombuffer(v, np.int64) for v in every], np.int64)
    table = table.reshape(-1, blocks, 2)[order]
    warps, threads = table[:, :, 0].copy(), table[:, :, 1].copy()
    return CtaRows(whole[:, 1].copy(), renamed[whole[:, 2]], warps, threads)


def distinct_rows(rows: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The distinct rows, which of them each row is, and how often each is there.

    Rows are told apart by a hash first, which is many times faster than sorting them; where two
    rows share one, by themselves.
    """
    factors = np.cumprod(np.full(rows.shape[1], _FACTOR, np.uint64)).view(np.int64)
    keys = (rows * factors).sum(axis=1)  # modulo 2^64
    _, first, numbers, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    found, numbers = rows[first], numbers.reshape(-1)
    if np.array_equal(found[numbers], rows):
        return found, numbers, counts
    found, numbers, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return found, numbers.reshape(-1), counts


class Lines:
    """Room for the lines of one run, and what they add up to."""

    def __init__(self, warps: int, loops: int, blocks: int) -> None:
        lines = max(LINES, 4 * warps * loops) if loops else 0
        self.loop_words = np.zeros(len(LOOP_LINE) * max(1, lines), np.int64)
        self.cta_words = np.zeros(LINES * cta_line_words(blocks), np.int64)
        self.loops = [LoopTally() for _ in range(loops)]
        self.ctas = CtaTally(blocks)
        self._per_cta = cta_line_words(blocks)

    def take(self, loop_words: int, cta_words: int) -> None:
        """Add up so many words of lines."""
        if loop_words:
            self._take_loops(self.loop_words[:loop_words].reshape(-1, len(LOOP_LINE)))
        if cta_words:
            self.ctas.take(self.cta_words[:cta_words].reshape(-1, self._per_cta))

    def _take_loops(self, lines: Numbers) -> None:
        """Add up lines that are alike together: most warps do the same."""
        found, _, counts = distinct_rows(lines)
        for line, times in zip(found, counts, strict=True):
            number, threads, iterations, least, most = line.tolist()
            common, count = gcd(iterations, threads), int(times)
            by_warp = Counter({(iterations // common, threads // common): count})
            told = LoopTally(threads * count, iterations * count, least, most, by_warp)
            self.loops[number].add(told)


def loop_tallies(runs: Sequence[Lines]) -> list[LoopTally]:
    """Bring together what several runs have counted, by loop."""
    totals = [LoopTally() for _ in runs[0].loops] if runs else []
    for run in runs:
        for total, own in zip(totals, run.loops, strict=True):
            total.add(own)
    return totals
