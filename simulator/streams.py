"""Instruction streams of warps for the timing engine: events, and their transactions.

Traces have events and accesses as the text of a kernel does; they are put as the machine code has
them. Most accesses of a kernel are alike but for where they begin. So an access is a base and the
number of a shape, and the transactions of a shape are kept once, counted from the base.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import CONSTANT_BASE, SHARED_WINDOW, WINDOW_BYTES
from warpmill.analyzer.traces.event_batch import EventBatch, EventTables
from warpmill.simulator.assembler.program import Heads
from warpmill.simulator.gpu.shapes import (
    CONST,
    GENERIC,
    LOCAL,
    MEMORY,
    SHARED,
    TEXTURE,
    WORD_BYTES,
    ShapeRules,
    find_shapes,
    work_out,
)
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
class StreamRules:
    """How a machine serves the accesses of a warp.

    ``sector_bytes`` is the granule of transactions to global and local memory: the whole line where
    the cache has no sectors. ``lanes_per_group`` neighbouring lanes merge, never across groups.
    Sectors are dealt out to ``l1_banks``; with ``lines_per_clk`` L1 looks up the tags of so many
    lines a cycle beyond two, and its data lie in the banks of shared memory. ``packs_pairs`` as in
    ``MemoryRules``.
    """

    sector_bytes: int = 32
    line_bytes: int = 128
    banks: int = 32
    bank_width_bytes: int = 4
    lanes_per_group: int = 32
    l1_banks: int = 4
    const_line_bytes: int = 64
    tex_line_bytes: int = 128
    lines_per_clk: float = 0.0
    packs_pairs: bool = False


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
    busiest word of shared memory.

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
    return StreamRules(
        sector_bytes=rules.sector_bytes if whole else rules.line_bytes,
        line_bytes=rules.line_bytes,
        banks=rules.banks,
        bank_width_bytes=rules.bank_width_bytes,
        lanes_per_group=rules.lanes_per_group,
        l1_banks=machine.integer("l1.banks"),
        const_line_bytes=machine.integer("const.line_bytes"),
        tex_line_bytes=machine.integer("tex.line_bytes"),
        packs_pairs=rules.packs_pairs,
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
    ways, widths = _point_facts(batch.tables, spaces or {})
    granules, numbers = _granules(rules), _numbers(rules, batch.tables.warp_size)
    columns = (batch.access_point, batch.access_base, batch.access_pattern, batch.access_mask)
    way, base, shape, keys = find_shapes(*columns, ways, np.maximum(widths, 1), granules, numbers)
    patterns = np.ascontiguousarray(batch.patterns, np.int64)
    first, passes, most, lanes, *transactions = work_out(keys, patterns, granules, numbers)
    offset, txn_lanes, full, words, parts = transactions
    return WarpStreams(
        ctas=batch.ctas,
        warp_events=batch.warps,
        event_block=batch.block,
        event_lanes=np.bitwise_count(batch.mask),
        event_access=batch.event_accesses,
        access_point=batch.access_point,
        access_way=way,
        access_base=base,
        access_shape=shape,
        shape_first=first,
        shape_passes=passes,
        shape_most=most,
        shape_lanes=lanes,
        txn_offset=offset,
        txn_lanes=txn_lanes,
        txn_full=full,
        txn_words=words,
        txn_parts=parts,
    )


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
    """The bytes of each way's granule, and how to divide by it."""
    sizes: dict[int, int] = {
        MEMORY: rules.sector_bytes,
        LOCAL: rules.sector_bytes,
        CONST: rules.const_line_bytes,
        TEXTURE: rules.tex_line_bytes,
        SHARED: rules.bank_width_bytes,
    }
    rows = [(s, s.bit_length() - 1 if s & (s - 1) == 0 else -1) for _, s in sorted(sizes.items())]
    return np.array(rows, np.int64)


def _numbers(rules: StreamRules, warp_size: int) -> Any:
    """Numbers of the rules for jitted functions."""
    return ShapeRules(
        row_bytes=WORD_BYTES * warp_size,
        group=rules.lanes_per_group,
        banks=rules.banks,
        l1_banks=rules.l1_banks,
        line_sectors=max(1, rules.line_bytes // rules.sector_bytes),
        lines_per_clk=float(rules.lines_per_clk),
        packs_pairs=rules.packs_pairs,
        on_chip_end=SHARED_WINDOW,
        constants=CONSTANT_BASE,
        constants_end=CONSTANT_BASE + WINDOW_BYTES,
    )


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
