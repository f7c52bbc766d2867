"""Instruction streams of warps for the timing engine: events, and their transactions.

Traces have events and accesses as the text of a kernel does; they are put as the machine code has
them. Most accesses of a kernel are alike but for where they begin. So an access is a base and the
number of a shape, and the transactions of a shape are kept once, counted from the base.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import CONSTANT_BASE, SHARED_WINDOW, WINDOW_BYTES
from warpmill.analyzer.memory.rules import (
    CONST,
    GENERIC,
    LOCAL,
    MEMORY,
    SHARED,
    TEXTURE,
    MemoryRules,
    WarpAccesses,
)
from warpmill.analyzer.memory.shapes import (
    ALIKE,
    WIDTH,
    WORD_BYTES,
    AccessShapes,
    CoalescedAccesses,
    coalesce,
    find_shapes,
    granule_table,
    lanes_on,
    shared_wavefronts,
)
from warpmill.analyzer.traces.event_batch import EventBatch, EventTables
from warpmill.simulator.assembler.program import Heads
from warpmill.simulator.machines.model import Machine, memory_rules

Numbers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]

WAYS: Mapping[Space, int] = {
    Space.GLOBAL: MEMORY,
    Space.GENERIC: GENERIC,
    Space.LOCAL: LOCAL,
    Space.CONST: CONST,
    Space.PARAM: CONST,  # parameters lie in a bank of constant memory
    Space.TEXTURE: TEXTURE,
    Space.SURFACE: MEMORY,  # surfaces are written, which texture caches do not take
    Space.SHARED: SHARED,
    Space.TENSOR: SHARED,  # on the SM, without transactions
}
"""Way of an access to each space. Executed traces have no PARAM and TENSOR."""


@dataclass(frozen=True)
class StreamRules(MemoryRules):
    """How a machine serves the accesses of a warp.

    ``sector_bytes`` is the granule of transactions to global and local memory: the whole line where
    the cache has no sectors. Sectors are dealt out to ``l1_banks``; with ``lines_per_clk`` L1 looks
    up the tags of so many lines a cycle beyond two, and its data lie in the banks of shared memory.
    """

    l1_banks: int = 4
    const_line_bytes: int = 64
    tex_line_bytes: int = 128
    lines_per_clk: float = 0.0


@dataclass(frozen=True, eq=False)
class WarpStreams:
    """The events of a batch with the transactions of their accesses, as arrays.

    ``ctas`` are linear numbers; warps count over the batch, ``place of the CTA × warps_per_cta +
    warp``. ``warp_events`` and ``event_access`` have the first event of each warp and the first
    access of each event, and how many there are at the end. ``event_lanes`` and ``shape_lanes`` are
    lanes on; ``access_point`` is a number in the batch's tables.

    ``access_way`` is the way an access goes (MEMORY, LOCAL, CONST, TEXTURE or SHARED, never
    GENERIC), and thereby its granule. ``access_base`` is the granule of the first lane: its address
    divided by the granule; in local memory counted from the warp's own window, in shared memory the
    bank width is the granule. Transactions of shape s are those from ``shape_first[s]`` on, up to
    ``shape_first[s + 1]``; ``txn_offset`` counts granules from the base. They stand group by group
    of lanes in the order in which lanes first touch them; shared accesses have none.

    ``shape_passes`` is how often the SM's memory has to be asked: for shared memory as
    ``memory.rules.shared_wavefronts``, for constants the distinct 4 B words at which lanes begin,
    for textures the lines, else the transactions in the busiest bank of L1, or the cycles that tags
    and banks take where ``lines_per_clk`` is known; at least 1. ``shape_most`` are the lanes at the
    busiest word of shared memory, 1 in a batch without atomics.

    Of a transaction ``txn_lanes`` are the lanes that touch it, ``txn_words`` the most that touch
    one and the same 4 B word, on which atomics wait for each other, ``txn_full`` whether every
    byte of the granule is touched, and ``txn_parts`` a bit for each eighth of which that is so.
    """

    ctas: Numbers
    warp_events: Numbers
    event_block: Small
    event_lanes: Bytes
    event_access: Numbers
    access_point: Small
    access_way: Bytes
    access_base: Numbers
    access_shape: Small
    shape_first: Numbers
    shape_passes: Small
    shape_most: Small
    shape_lanes: Small
    txn_offset: Numbers
    txn_lanes: Bytes
    txn_full: npt.NDArray[np.bool_]
    txn_words: Bytes
    txn_parts: Bytes


def stream_rules(machine: Machine) -> StreamRules:
    """Read the rules of a machine."""
    rules = memory_rules(machine)
    whole = rules.line_bytes % rules.sector_bytes == 0
    own = rules if whole else replace(rules, sector_bytes=rules.line_bytes)
    return StreamRules(
        **asdict(own),
        l1_banks=machine.integer("l1.banks"),
        const_line_bytes=machine.integer("const.line_bytes"),
        tex_line_bytes=machine.integer("tex.line_bytes"),
    )


def streams(
    batch: EventBatch,
    rules: StreamRules,
    spaces: Mapping[tuple[int, int], Space] | None = None,
) -> WarpStreams:
    """Work out the transactions of a batch, once for each shape of an access.

    Accesses of unknown size stand as 1 B wide (``told_unknown_sizes`` says which they are).
    ``spaces`` tells by (block, instruction) what is known of generic accesses. Without it their
    addresses tell global from constant memory, and the rest, which may be local, counts as shared.
    LimitError for an access that touches more memory at once than there is room for here.
    """
    granules, accesses = _granules(rules), _accesses(batch, spaces or {})
    shapes = find_shapes(accesses, granules)
    found = coalesce(shapes.keys, shapes.patterns, granules, rules.lanes_per_group)
    return WarpStreams(
        ctas=batch.ctas,
        warp_events=batch.warps,
        event_block=batch.block,
        event_lanes=np.bitwise_count(batch.mask),
        event_access=batch.event_accesses,
        access_point=batch.access_point,
        access_way=accesses.way,
        access_base=shapes.unit,
        access_shape=shapes.shape,
        shape_first=found.first,
        shape_passes=_passes(shapes, found, rules),
        shape_most=_lanes_on_words(shapes, batch.tables),
        shape_lanes=lanes_on(shapes.keys).astype(np.int32),
        txn_offset=found.offset,
        txn_lanes=found.lanes,
        txn_full=found.full,
        txn_words=found.words,
        txn_parts=found.parts,
    )


def _accesses(batch: EventBatch, spaces: Mapping[tuple[int, int], Space]) -> WarpAccesses:
    """Accesses of a batch with their ways; addresses of generic ones tell, where nothing does."""
    ways, widths = _point_facts(batch.tables, spaces)
    base, way = batch.access_base, ways.take(batch.access_point)
    if (ways == GENERIC).any():
        generic = np.flatnonzero(way == GENERIC)
        at = base[generic]
        in_const = (at >= CONSTANT_BASE) & (at < CONSTANT_BASE + WINDOW_BYTES)
        way[generic] = np.where(at < SHARED_WINDOW, SHARED, np.where(in_const, CONST, MEMORY))
    width = widths.take(batch.access_point)
    columns = (batch.access_pattern, batch.patterns, batch.access_mask, width, way)
    return WarpAccesses(base, *columns)


def _point_facts(
    tables: EventTables, spaces: Mapping[tuple[int, int], Space]
) -> tuple[Bytes, Numbers]:
    """The way of each point, and a lane's bytes, 0 where they are not known."""
    ways = np.zeros(len(tables.points), np.uint8)
    for number, p in enumerate(tables.points):
        known = spaces.get((p.block, p.instruction), p.space)
        ways[number] = WAYS[known if p.space is Space.GENERIC else p.space]
    return ways, np.array([p.width_bytes or 0 for p in tables.points], np.int64)


def _granules(rules: StreamRules) -> Numbers:
    """The bytes of each way's granule."""
    sizes = {
        MEMORY: rules.sector_bytes,
        LOCAL: rules.sector_bytes,
        CONST: rules.const_line_bytes,
        TEXTURE: rules.tex_line_bytes,
        SHARED: rules.bank_width_bytes,
    }
    return granule_table(sizes)


# How often the memory of an SM has to be asked for an access, and how long L1 is busy with it.


def _passes(shapes: AccessShapes, found: CoalescedAccesses, rules: StreamRules) -> Small:
    """How often the memory of an SM has to be asked for each shape; at least 1.

    Of shared memory they are wavefronts, of constants the distinct 4 B words at which lanes
    begin, of a texture lines, else the cycles of L1: those of its tags and, where data lie
    in the banks of shared memory, at least the wavefronts over these.
    """
    way = shapes.way
    own = np.ones(len(shapes), np.int64)
    line_sectors = max(1, rules.line_bytes // rules.sector_bytes)
    counts = np.zeros(rules.l1_banks, np.int64)
    rates = (line_sectors, float(rules.lines_per_clk))
    count_l1_cycles(found.first, found.offset, *rates, counts, own)
    of_texture = way == TEXTURE
    if of_texture.any():
        own[of_texture] = found.counts[of_texture]
    of_const = way == CONST
    if of_const.any():
        own[of_const] = _words(shapes, of_const, rules.lanes_per_group).counts
    in_banks = (way == SHARED) | ((way == MEMORY) & (rules.lines_per_clk > 0))
    if in_banks.any():
        wavefronts = shared_wavefronts(shapes.patterns, shapes.placed[in_banks], rules)
        own[in_banks] = np.maximum(own[in_banks], wavefronts)
    return np.maximum(own, 1).astype(np.int32)


def _lanes_on_words(shapes: AccessShapes, tables: EventTables) -> Small:
    """The most lanes that begin at one word of shared memory: atomics take turns there, if any."""
    most, of_shared = np.ones(len(shapes), np.int32), np.flatnonzero(shapes.way == SHARED)
    if not of_shared.size or all(p.kind != "atomic" for p in tables.points):
        return most
    found = _words(shapes, of_shared, shapes.patterns.shape[1])
    some = found.counts > 0
    most[of_shared[some]] = np.maximum.reduceat(found.lanes, found.first[:-1][some])
    return most


def _words(shapes: AccessShapes, chosen: npt.NDArray[Any], group: int) -> CoalescedAccesses:
    """The words at which lanes of some shapes begin, as transactions of a group of lanes."""
    keys = shapes.keys[chosen].copy()
    keys[:, WIDTH] = 1
    keys[:, ALIKE] += MEMORY - shapes.way[chosen]  # what is in shared memory has none
    return coalesce(keys, shapes.patterns, granule_table({MEMORY: WORD_BYTES}), group)


@partial(jit, arrays=False)
def count_l1_cycles(
    first: Any,
    offset: Any,
    line_sectors: int,
    lines_per_clk: float,
    counts: Any,
    cycles: Any,
) -> None:
    """The cycles in which the tags of each shape's transactions are looked up.

    They are the transactions in the busiest bank; or by the lines that are touched: two take one
    cycle, and each further one its part; a line's sectors follow each other. ``counts`` are zeros
    for the banks.
    """
    banks = counts.size
    for shape in range(first.size - 1):
        lines = most = 0
        last = -1
        for one in range(first[shape], first[shape + 1]):
            if lines_per_clk > 0:
                line = offset[one] // line_sectors
                lines += one == first[shape] or line != last
                last = line
                continue
            counts[offset[one] % banks if banks & (banks - 1) else offset[one] & (banks - 1)] += 1
        for bank in range(banks):
            most = max(most, counts[bank])
            counts[bank] = 0
        if lines_per_clk > 0:
            most = int(1.5 + max(0, lines - 2) / lines_per_clk)
        cycles[shape] = most


# Events and their accesses as the machine code has them; traces have them as the text does.


def as_regions(batch: EventBatch, heads: Heads) -> EventBatch:
    """A batch in which visits of blocks that are one in machine code are one event.

    An event is of the first of these blocks, and has the lanes of the first that was visited.
    """
    begins = heads.begins(batch.block, batch.warps)
    block = heads.of[batch.block[begins]]
    if len(begins) == len(batch.block) and bool((block == batch.block).all()):
        return batch
    return replace(
        batch,
        warps=np.searchsorted(begins, batch.warps),
        block=block,
        mask=batch.mask[begins],
        event_guards=np.r_[batch.event_guards[begins], batch.event_guards[-1:]],
        event_accesses=np.r_[batch.event_accesses[begins], batch.event_accesses[-1:]],
    )


class LaneCounts:
    """Lanes of each instruction of a program over the traces that were read, by row of its code.

    ``issued`` are those of the events that issue it: of a block under a predicate the lanes of the
    one that it became part of. ``on`` are those of them that execute it: the lanes of the block's
    own events whose guards hold.
    """

    def __init__(self, rows: int) -> None:
        self.issued = np.zeros(rows, np.int64)
        self.on = np.zeros(rows, np.int64)

    def add(
        self,
        text: EventBatch,
        program: EventBatch,
        heads: Heads,
        row_of: Mapping[tuple[int, int], int],
        first: int = 0,
    ) -> None:
        """Count a batch's CTAs from the ``first`` on: as the text has it, and as regions."""
        places = np.array([block for block, _ in row_of])
        rows = np.fromiter(row_of.values(), np.int64)
        blocks, warp = len(heads.of), first * text.tables.warps_per_cta
        lanes = np.bitwise_count(text.mask).astype(np.int64)
        lanes[: text.warps[warp]] = 0
        self.on[rows] += np.bincount(text.block, lanes, blocks).astype(np.int64)[places]
        for place, off in zip(
            text.tables.guards, text.guarded_off(int(text.warps[warp])), strict=True
        ):
            self.on[row_of[place]] -= off
        lanes = np.bitwise_count(program.mask).astype(np.int64)
        lanes[: program.warps[warp]] = 0
        issued = np.bincount(program.block, lanes, blocks).astype(np.int64)
        self.issued[rows] += issued[heads.of[places]]


def in_order(batch: EventBatch, rows: Numbers, widths: Mapping[tuple[int, int], int]) -> EventBatch:
    """A batch whose accesses stand event by event as the code has them.

    ``rows`` are the numbers of instructions in the code, by point; -1: it has none. ``widths`` are
    bytes a lane, by (block, instruction), of those that execute for others. The batch itself where
    accesses stand so already.
    """
    batch = _merged(batch, rows, widths)
    if not len(batch.access_point) or bool((np.diff(rows) >= 0).all()):
        return batch
    order = sorted_within(batch.event_accesses, rows[batch.access_point])
    return replace(
        batch,
        access_point=batch.access_point[order],
        access_mask=batch.access_mask[order],
        access_base=batch.access_base[order],
        access_pattern=batch.access_pattern[order],
    )


def _merged(batch: EventBatch, rows: Numbers, widths: Mapping[tuple[int, int], int]) -> EventBatch:
    """Leave out accesses without an instruction, and let those be wide that execute for them."""
    kept = rows[batch.access_point] >= 0
    if kept.all():
        return batch
    points = tuple(
        replace(p, width_bytes=widths.get((p.block, p.instruction), p.width_bytes))
        for p in batch.tables.points
    )
    before = np.concatenate([[0], np.cumsum(kept)])
    return replace(
        batch,
        tables=replace(batch.tables, points=points),
        event_accesses=before[batch.event_accesses],
        access_point=batch.access_point[kept],
        access_mask=batch.access_mask[kept],
        access_base=batch.access_base[kept],
        access_pattern=batch.access_pattern[kept],
    )


@jit
def sorted_within(first: Any, rows: Any) -> Any:
    """The order of accesses in which rows rise in each event; equal ones stay in turn."""
    order = np.arange(rows.size)
    for event in range(first.size - 1):
        for k in range(first[event] + 1, first[event + 1]):
            place, at = order[k], k
            while at > first[event] and rows[order[at - 1]] > rows[place]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = place
    return order
