"""The state of a simulation: one array of words, its parts laid out one behind the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.simulator.gpu import fields as f
from warpmill.simulator.gpu.code import EngineCode
from warpmill.simulator.gpu.memory_partition import QUEUE_BEFORE
from warpmill.simulator.gpu.pool import Numbers
from warpmill.simulator.gpu.spec import TABLE_BYTES, Spec, remainders
from warpmill.simulator.memory.cache import CacheSpec
from warpmill.simulator.memory.cache_step import FIELDS, NEWER, NONE, OLDER

Words = npt.NDArray[np.int64]

_WRITE_BACKS = 256
"""Sectors an SM that SMs may be writing back at once, all together."""


@dataclass(frozen=True)
class Sizes:
    """Sizes that a simulation's state depends on beside the machine."""

    registers: int
    code: EngineCode
    launches: int
    logged_ctas: int
    most_bytes: int
    bins: int = 2048
    spans: int = 0


@dataclass(eq=False)
class State:
    """A simulation's words: parameters, what there is once, then the parts in their places."""

    words: Words

    def part(self, at: int, count: int, fields: int) -> Words:
        """The records of a part as a view, shape (count, fields)."""
        begin = int(self.words[at])
        return self.words[begin : begin + count * fields].reshape(count, fields)

    def number(self, place: int) -> int:
        """A parameter."""
        return int(self.words[place])


def new_state(spec: Spec, sizes: Sizes) -> State:
    """Make the state of a machine that has done nothing. LimitError where it is too large."""
    p = np.zeros(f.PARAMETERS + f.GLOBALS, np.int64)
    for place, number in spec.numbers.items():
        p[place] = number
    _fixed(p, sizes)
    end = _lay_out(p, sizes)
    rows: dict[int, int] = {}
    for place, (count, cache, hashed) in spec.caches.items():
        rows[place] = end
        end = _lay_out_cache(p, place, count, cache, end, hashed=hashed)
    if end * 8 > sizes.most_bytes:
        raise LimitError(
            f"the simulation's state would take {end * 8:,} B, more than "
            f"{sizes.most_bytes:,} B; raise the limit with --max-memory"
        )
    state = State(np.zeros(end, np.int64))
    state.words[: len(p)] = p
    _load_code(state, sizes.code)
    if p[f.HASHES] == f.HASH_POLYNOMIAL:
        table = remainders(int(p[f.SLICES]))
        state.words[p[f.AT_HASH] : p[f.AT_HASH] + len(table)] = table
    _begin(state)
    for place, (count, cache, _) in spec.caches.items():
        _empty_cache(state, place, count, cache)
    return state


def _fixed(p: Words, sizes: Sizes) -> None:
    p[f.REGISTERS], p[f.LAUNCHES] = sizes.registers, sizes.launches
    p[f.ROWS] = len(sizes.code.places)
    p[f.SLOTS] = -(-p[f.WARPS] // p[f.SCHEDULERS])
    p[f.CTA_LOG], p[f.BINS] = sizes.logged_ctas, sizes.bins
    p[f.SPANS] = sizes.spans
    p[f.WRITE_BACKS] = p[f.SMS] * _WRITE_BACKS
    of_sms = p[f.SMS] * (p[f.NET_BUFFER] + p[f.WAITERS]) + p[f.WRITE_BACKS]
    p[f.REQUESTS] = of_sms + p[f.CHANNELS] * _most_of_channel(p)


def _most_of_channel(p: Words) -> int:
    """How many requests a channel can have: in its queues, and on their way back from DRAM."""
    burst = int(p[f.T_BURST])
    away = max(int(p[f.T_CL]), int(p[f.T_WL])) + burst + 3 * f.TICKS
    return int(p[f.DRAM_QUEUE]) + QUEUE_BEFORE + 1 + away // burst + 3


def _lay_out(p: Words, sizes: Sizes) -> int:
    """Assign a place to every part; the end of the last one."""
    sms, end, rows = int(p[f.SMS]), len(p), len(sizes.code.places)
    warps, schedulers = sms * int(p[f.WARPS]), sms * int(p[f.SCHEDULERS])
    ctas = sms * int(p[f.CTAS])
    for at, words in (
        (f.AT_CODE, len(sizes.code.rows)),
        (f.AT_LIST, len(sizes.code.registers)),
        (f.AT_BLOCK, len(sizes.code.blocks)),
        (f.AT_SM_PORT, sms * f.IN_FIELDS),
        (f.AT_SLICE_PORT, p[f.SLICES] * f.IN_FIELDS),
        (f.AT_SM_INTAKE, sms * f.OUT_FIELDS),
        (f.AT_SLICE_INTAKE, p[f.SLICES] * f.OUT_FIELDS),
        (f.AT_LAUNCH, sizes.launches * f.LAUNCH_FIELDS),
        (f.AT_SM, sms * f.SM_FIELDS),
        (f.AT_SCHEDULER, schedulers * f.SCHEDULER_FIELDS),
        (f.AT_WARP, warps * f.WARP_FIELDS),
        (f.AT_READY, schedulers * p[f.SLOTS]),
        (f.AT_ORDER, schedulers * p[f.SLOTS]),
        (f.AT_REGISTER, warps * sizes.registers),
        (f.AT_PIPE, sms * p[f.PARTS] * p[f.PIPES]),
        (f.AT_COLLECTOR, schedulers * p[f.COLLECTORS]),
        (f.AT_CTA, ctas * f.CTA_FIELDS),
        (f.AT_BARRIER, ctas * f.BARRIERS * 2),
        (f.AT_AHEAD, schedulers * (1 + p[f.FETCH_AHEAD])),
        (f.AT_PENDING, sms * p[f.PENDING_ACCESSES] * f.PENDING_FIELDS),
        (f.AT_LSU, sms * p[f.LSU_QUEUE]),
        (f.AT_REQUEST, p[f.REQUESTS] * f.REQUEST_FIELDS),
        (f.AT_SLICE, p[f.SLICES] * f.SLICE_FIELDS),
        (f.AT_CHANNEL, p[f.CHANNELS] * f.CHANNEL_FIELDS),
        (f.AT_BANK, p[f.CHANNELS] * p[f.BANKS] * f.BANK_FIELDS),
        (f.AT_LINK, 2 * p[f.NET_STAGES] * p[f.LINKS]),
        (f.AT_SM_COUNT, sms * f.SM_COUNTS),
        (f.AT_SLICE_COUNT, p[f.SLICES] * f.SLICE_COUNTS),
        (f.AT_CHANNEL_COUNT, p[f.CHANNELS] * f.CHANNEL_COUNTS),
        (f.AT_ROW_COUNT, rows * f.ROW_COUNTS),
        (f.AT_HISTOGRAM, rows * f.HISTOGRAM),
        (f.AT_BIN, sizes.bins * f.BIN_FIELDS),
        (f.AT_CTA_LOG, sizes.logged_ctas * f.LOG_FIELDS),
        (f.AT_SPAN, sizes.spans * f.SPAN_FIELDS),
        (f.AT_HASH, 256 * TABLE_BYTES),
    ):
        p[at] = end
        end += int(words)
    return end


def _lay_out_cache(
    p: Words, place: int, count: int, cache: CacheSpec, begin: int, *, hashed: bool
) -> int:
    """A kind of cache its numbers and its place; the end of it."""
    rows = count * cache.lines
    bits = (cache.lines - 1).bit_length()
    sectors = cache.line_bytes // cache.granule_bytes
    extras = 2 + 3 * sectors
    sets_at = begin + rows * FIELDS
    buckets_at = sets_at + 2 * count * cache.sets
    extra_at = buckets_at + (count << bits)
    values = {
        f.C_SETS: cache.sets, f.C_SECTORS: sectors, f.C_BUCKETS: 1 << bits,
        f.C_BUCKET_BITS: bits, f.C_SETS_AT: sets_at, f.C_BUCKETS_AT: buckets_at,
        f.C_FIFO: 0, f.C_WRITE_BACK: 1, f.C_ALLOCATES: 1, f.C_ROWS_AT: begin,
        f.C_EXTRA_AT: extra_at, f.C_EXTRA_FIELDS: extras, f.C_HASHED: int(hashed), f.C_THERE: 1,
    }  # fmt: skip
    for name, value in values.items():
        p[place + name] = value
    return extra_at + rows * extras


def _empty_cache(state: State, place: int, count: int, cache: CacheSpec) -> None:
    """Empty the caches of a kind: each set has its rows in their order, without lines."""
    p = m = state.words
    begin, rows = int(p[place + f.C_ROWS_AT]), count * cache.lines
    ways = cache.lines // cache.sets
    table = m[begin : begin + rows * FIELDS].reshape(-1, FIELDS)
    places = begin + np.arange(rows).reshape(-1, ways) * FIELDS
    table[:] = NONE
    table[:, 1:3] = 0
    table.reshape(-1, ways, FIELDS)[:, 1:, NEWER] = places[:, :-1]
    table.reshape(-1, ways, FIELDS)[:, :-1, OLDER] = places[:, 1:]
    sets_at, buckets_at = int(p[place + f.C_SETS_AT]), int(p[place + f.C_BUCKETS_AT])
    ends = m[sets_at:buckets_at].reshape(-1, 2)
    ends[:, 0], ends[:, 1] = places[:, 0], places[:, -1]
    extra_at, extras = int(p[place + f.C_EXTRA_AT]), int(p[place + f.C_EXTRA_FIELDS])
    m[buckets_at:extra_at] = NONE
    beside = m[extra_at : extra_at + rows * extras].reshape(-1, extras)
    beside[:] = 0
    beside[:, f.X_WAITERS : f.X_WAITERS + 2 * (cache.line_bytes // cache.granule_bytes) : 2] = NONE


def empty_caches(state: State, spec: Spec, places: tuple[int, ...]) -> None:
    """Flush caches of these kinds. What was to be written back is forgotten."""
    for place in places:
        if place in spec.caches:
            count, cache, _ = spec.caches[place]
            _empty_cache(state, place, count, cache)


def _begin(state: State) -> None:
    """Initialise all parts as they are before anything has happened."""
    p = state.words
    sms = int(p[f.SMS])
    sm = state.part(f.AT_SM, sms, f.SM_FIELDS)
    sm[:, [f.BX_FIRST, f.BX_LAST, f.SM_LAST_CTA, f.SM_SEGMENT, f.SM_AT_ONCE]] = f.NONE
    sm[:, [f.SM_LSU_NEXT, f.SM_TIME, f.SM_YIELD]] = f.NEVER
    for ports, intakes, count in (
        (f.AT_SM_PORT, f.AT_SM_INTAKE, sms),
        (f.AT_SLICE_PORT, f.AT_SLICE_INTAKE, int(p[f.SLICES])),
    ):
        state.part(ports, count, f.IN_FIELDS)[:, [f.IN_FIRST, f.IN_LAST]] = f.NONE
        state.part(intakes, count, f.OUT_FIELDS)[:, f.OUT_STAMP] = f.NONE
    _chain(state, f.AT_PENDING, sms, int(p[f.PENDING_ACCESSES]), f.PENDING_FIELDS, f.PA_NEXT)
    sm[:, f.SM_FREE_PENDING] = (
        p[f.AT_PENDING] + np.arange(sms) * p[f.PENDING_ACCESSES] * f.PENDING_FIELDS
    )
    p[f.G_FREE_REQUEST], p[f.G_UNUSED_REQUEST] = f.NONE, p[f.AT_REQUEST]
    state.part(f.AT_SCHEDULER, sms * int(p[f.SCHEDULERS]), f.SCHEDULER_FIELDS)[:] = (
        f.NEVER, f.NONE, 0,
    )  # fmt: skip
    _place_warps(state)
    state.part(f.AT_CTA, sms * int(p[f.CTAS]), f.CTA_FIELDS)[:, f.CT_LAUNCH] = f.NONE
    forget_ahead(state)
    slices = state.part(f.AT_SLICE, int(p[f.SLICES]), f.SLICE_FIELDS)
    slices[:, [f.BX_FIRST, f.BX_LAST]] = f.NONE
    slices[:, f.SL_TIME] = f.NEVER
    channels = state.part(f.AT_CHANNEL, int(p[f.CHANNELS]), f.CHANNEL_FIELDS)
    channels[:, [f.CH_FIRST, f.CH_LAST, f.CH_BACK, f.CH_GROUP]] = f.NONE
    channels[:, [f.CH_COLUMN, f.CH_ACTIVATE, f.CH_WROTE]] = -(1 << 40)
    channels[:, f.CH_TIME] = f.NEVER
    banks = state.part(f.AT_BANK, int(p[f.CHANNELS] * p[f.BANKS]), f.BANK_FIELDS)
    banks[:, f.BK_ROW] = f.NONE
    banks[:, f.BK_ACTIVATED] = -(1 << 40)
    p[f.G_LAST_SM], p[f.G_BIN_CYCLES] = f.NONE, 64
    p[f.G_DISPATCH_AT] = f.NEVER


def forget_ahead(state: State) -> None:
    """Clear the code that was fetched ahead."""
    p = state.words
    schedulers = int(p[f.SMS] * p[f.SCHEDULERS])
    state.part(f.AT_AHEAD, schedulers, int(1 + p[f.FETCH_AHEAD]))[:, 0] = f.NONE


def _load_code(state: State, code: EngineCode) -> None:
    """Copy the code into its place; it names lists of registers, and blocks rows, as it is."""
    m = state.words
    for at, part in ((f.AT_LIST, code.registers), (f.AT_BLOCK, code.blocks)):
        m[m[at] : m[at] + part.size] = part
    put_rows(state, code, 0, len(code.places))


def put_rows(state: State, code: EngineCode, first: int, last: int) -> None:
    """Copy the rows of a code from one on into their places, up to another one."""
    rows = code.rows.reshape(-1, f.CODE_FIELDS)[first:last].copy()
    rows[:, [f.R_NEEDS, f.R_WRITES]] += state.words[f.AT_LIST]
    state.part(f.AT_CODE, len(code.places), f.CODE_FIELDS)[first:last] = rows


def _place_warps(state: State) -> None:
    """Initialise each warp's record with its SM, its scheduler, its registers and its time."""
    p = state.words
    sms, warps, schedulers = (int(p[x]) for x in (f.SMS, f.WARPS, f.SCHEDULERS))
    records = state.part(f.AT_WARP, sms * warps, f.WARP_FIELDS)
    number = np.arange(sms * warps)
    sm, slot = number // warps, number % warps
    scheduler = sm * schedulers + slot % schedulers
    records[:, f.WP_SM] = p[f.AT_SM] + sm * f.SM_FIELDS
    records[:, f.WP_SCHEDULER] = p[f.AT_SCHEDULER] + scheduler * f.SCHEDULER_FIELDS
    records[:, f.WP_REGISTERS] = p[f.AT_REGISTER] + number * p[f.REGISTERS]
    records[:, f.WP_READY] = p[f.AT_READY] + scheduler * p[f.SLOTS] + slot // schedulers
    records[:, f.WP_SLOT] = slot
    slots = int(p[f.SLOTS])
    state.part(f.AT_READY, sms * schedulers * slots, 1)[:] = f.NEVER
    state.part(f.AT_ORDER, sms * schedulers, slots)[:] = np.arange(slots)


def _chain(state: State, at: int, groups: int, each: int, fields: int, link: int) -> None:
    """Chain the records of each group, each to the next, the last to none."""
    records = state.part(at, groups * each, fields)
    places = state.number(at) + (np.arange(groups * each) + 1) * fields
    places[each - 1 :: each] = f.NONE
    records[:, link] = places


def resize_cache(state: State, place: int, cache: CacheSpec) -> None:
    """Resize the caches of a kind, to at most their first size, and empty them."""
    p = state.words
    count, hashed = int(p[f.SMS]), bool(p[place + f.C_HASHED])
    _lay_out_cache(p, place, count, cache, int(p[place + f.C_ROWS_AT]), hashed=hashed)
    _empty_cache(state, place, count, cache)


def issued_by(state: State) -> tuple[Numbers, Numbers]:
    """Cycles, and the warp instructions of all SMs by then, from bin to bin."""
    width = int(state.words[f.G_BIN_CYCLES])
    counts = state.part(f.AT_BIN, state.number(f.BINS), f.BIN_FIELDS)
    total = np.cumsum([0, *counts[:, f.B_INSTRUCTIONS].tolist()])
    used = int(np.searchsorted(total, total[-1])) + 1
    return np.arange(used) * width, total[:used]
