"""The state of a simulation: the GPU's record, then the tables that it has the places of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.base.pointers import LINE_BYTES, DType, words_in
from warpmill.simulator.gpu import records as r
from warpmill.simulator.gpu.bits import LANES
from warpmill.simulator.gpu.code import EngineCode
from warpmill.simulator.gpu.constants import HASH_POLYNOMIAL, NEVER, NONE, TICKS
from warpmill.simulator.gpu.memory_partition import QUEUE_BEFORE
from warpmill.simulator.gpu.pool import Numbers, distance
from warpmill.simulator.gpu.slice_hash import TABLE_WORDS, remainders
from warpmill.simulator.gpu.spec import Spec
from warpmill.simulator.memory.cache import CacheSpec

Words = npt.NDArray[np.int64]
Records = npt.NDArray[Any]
"""Records of one kind, by the names of their fields."""

_WRITE_BACKS = 256
"""Sectors an SM that SMs may be writing back at once, all together."""

_WORD = np.dtype(np.int64)
_LONG_AGO = -(1 << 40)


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
    """A simulation's words. ``gpu`` is the record of what there is once."""

    words: Words
    gpu: Any
    tables: Mapping[str, Records]

    def table(self, name: str) -> Records:
        """The records of a table, or its words, as a view: ``table("warp")["held_until"]``."""
        return self.tables[name]

    def place(self, table: str, number: int = 0) -> int:
        """The place of a record."""
        records = self.tables[table]
        return distance(self.words, records) + number * words_in(records.dtype)

    def number(self, name: str) -> int:
        """A number of the GPU's record."""
        return int(self.gpu[name])


def new_state(spec: Spec, sizes: Sizes) -> State:
    """Make the state of a machine that has done nothing. LimitError where it is too large."""
    gpu: Any = np.zeros(1, r.GPU)[0]
    for name, number in spec.numbers.items():
        gpu[name] = number
    _fixed(gpu, spec, sizes)
    once, places, end = words_in(r.GPU), {}, _aligned(words_in(r.GPU))
    for name, layout, count in _tables_of(gpu, sizes):
        if f"{name}_table" in (r.GPU.names or ()):
            gpu[f"{name}_table"] = end
        places[name] = slice(end, end + int(count) * words_in(layout)), layout
        end = _aligned(places[name][0].stop)
    for name, (count, cache, hashed) in spec.caches.items():
        end = _lay_out_cache(gpu[name], count, cache, end, hashed=hashed)
    if end * 8 > sizes.most_bytes:
        raise LimitError(
            f"the simulation's state would take {end * 8:,} B, more than "
            f"{sizes.most_bytes:,} B; raise the limit with --max-memory"
        )
    words = _zeros(end)
    words[:once] = np.array([gpu]).view(np.int64)
    tables = {name: words[at].view(layout) for name, (at, layout) in places.items()}
    state = State(words, words[:once].view(r.GPU)[0], tables)
    state.table("operand")[:], state.table("block")[:] = sizes.code.registers, sizes.code.blocks
    put_rows(state, sizes.code, 0, len(sizes.code.places))
    if gpu["slice_hash"] == HASH_POLYNOMIAL:
        state.table("hash")[:] = remainders(int(gpu["slice_count"]))
    _begin(state)
    for name, (count, cache, _) in spec.caches.items():
        _begin_cache(state, name, count, cache)
    return state


_LINE_WORDS = LINE_BYTES // _WORD.itemsize


def _aligned(place: int) -> int:
    """The first place from one on at which a line of a CPU's caches begins."""
    return -(-place // _LINE_WORDS) * _LINE_WORDS


def _zeros(count: int) -> Words:
    """So many words, of which the first one begins a line of a CPU's caches."""
    made = np.zeros(count + _LINE_WORDS - 1, np.int64)
    before = -made.ctypes.data // made.itemsize % _LINE_WORDS
    return made[before : before + count]


def _fixed(gpu: Any, spec: Spec, sizes: Sizes) -> None:
    gpu["registers_per_warp"], gpu["launch_count"] = sizes.registers, sizes.launches
    gpu["slots_per_scheduler"] = -(-gpu["warps_per_sm"] // gpu["schedulers_per_sm"])
    gpu["logged_ctas"], gpu["bin_count"] = sizes.logged_ctas, sizes.bins
    gpu["most_spans"] = sizes.spans
    gpu["most_write_backs"] = gpu["sm_count"] * _WRITE_BACKS
    each = gpu["packets_per_sm"] + gpu["l1_fill"] + gpu["most_waiters"]
    gpu["most_requests"] = gpu["sm_count"] * each + gpu["most_write_backs"]
    gpu["most_requests"] += gpu["channel_count"] * _most_of_channel(gpu)
    if gpu["fetches_from_l2"]:  # all lines of instruction caches may be under way
        count, cache, _ = spec.caches["icache"]
        gpu["most_requests"] += count * cache.lines * gpu["code_sectors"]


def _most_of_channel(gpu: Any) -> int:
    """How many requests a channel can have: in its queues, and on their way back from DRAM."""
    burst = int(gpu["t_burst"])
    away = max(int(gpu["t_cl"]), int(gpu["t_wl"])) + burst + 3 * TICKS
    return int(gpu["dram_queue"]) + QUEUE_BEFORE + 1 + away // burst + 3


def _tables_of(gpu: Any, sizes: Sizes) -> Iterator[tuple[str, DType, int]]:
    """Each table: its name, the layout of its records, and how many they are.

    The engine finds those that the GPU's record does not have by places in other records.
    """
    sms, slices, channels = gpu["sm_count"], gpu["slice_count"], gpu["channel_count"]
    schedulers, warps = sms * gpu["schedulers_per_sm"], sms * gpu["warps_per_sm"]
    instructions = len(sizes.code.places)
    yield "instruction", r.INSTRUCTION, instructions
    yield "operand", _WORD, len(sizes.code.registers)  # registers that instructions name
    yield "block", _WORD, len(sizes.code.blocks)  # first row of each block of the code
    yield "sm_port", r.PORT, sms
    yield "slice_port", r.PORT, slices
    yield "sm_intake", r.INTAKE, sms
    yield "slice_intake", r.INTAKE, slices
    yield "launch", r.LAUNCH, sizes.launches
    yield "sm", r.SM, sms
    yield "scheduler", r.SCHEDULER, schedulers
    yield "warp", r.WARP, warps
    yield "ready", _WORD, schedulers * _ready_words(gpu)  # when each warp is
    yield "order", _WORD, schedulers * gpu["slots_per_scheduler"]  # warps by age
    yield "register", _WORD, warps * sizes.registers  # when it can be read, and why not before
    yield "pipe", _WORD, sms * gpu["subpartitions_per_sm"] * gpu["pipes_per_subpartition"]
    yield "collector", _WORD, schedulers * gpu["collectors_per_scheduler"]  # as pipes: when free
    yield "cta", r.CTA, sms * gpu["ctas_per_sm"]
    yield "prefetched", _WORD, schedulers * (1 + gpu["prefetched_lines"])  # line, their arrivals
    yield "pending", r.PENDING, sms * gpu["pending_per_sm"]
    yield "lsu_queue", _WORD, sms * gpu["lsu_queue_size"]  # pending accesses
    yield "request", r.REQUEST, gpu["most_requests"]
    yield "slice", r.SLICE, slices
    yield "channel", r.CHANNEL, channels
    yield "bank", r.BANK, channels * gpu["banks_per_channel"]
    yield "link", _WORD, 2 * gpu["network_stages"] * gpu["links_per_stage"]
    yield "instruction_counts", r.INSTRUCTION_COUNTS, instructions
    yield "bin", r.BIN, sizes.bins
    yield "cta_log", r.CTA_LOG, sizes.logged_ctas
    yield "span", r.SPAN, sizes.spans
    yield "hash", _WORD, TABLE_WORDS if gpu["slice_hash"] == HASH_POLYNOMIAL else 0


def _ready_words(gpu: Any) -> int:
    """The words of the times of a scheduler's warps: whole lines, of which the rest never comes."""
    return -(-int(gpu["slots_per_scheduler"]) // LANES) * LANES


def _lay_out_cache(kind: Any, count: int, cache: CacheSpec, begin: int, *, hashed: bool) -> int:
    """A kind of cache its numbers and its places; the end of it."""
    rows = count * cache.lines
    bits = (cache.lines - 1).bit_length()
    sectors = cache.line_bytes // cache.granule_bytes
    kind["is_there"], kind["hashed"] = 1, hashed
    kind["sets"], kind["sectors"] = cache.sets, sectors
    kind["buckets"], kind["bucket_bits"] = 1 << bits, bits
    kind["rows_at"] = begin
    kind["waiters_at"] = begin + rows * words_in(r.LINE)
    kind["sets_at"] = kind["waiters_at"] + rows * sectors * words_in(r.WAITERS)
    kind["buckets_at"] = kind["sets_at"] + 2 * count * cache.sets
    kind["eighths_at"] = kind["buckets_at"] + (count << bits)
    kind["used_at"] = kind["eighths_at"] + rows * sectors
    return _aligned(int(kind["used_at"]) + count)


def _begin_cache(state: State, name: str, count: int, cache: CacheSpec) -> None:
    """Initialise the caches of a kind: each set has its rows in their order, without lines."""
    kind, words = state.gpu[name], state.words
    ways = cache.lines // cache.sets
    rows, waiters, ends = _rows(state, name), _waiters(state, name), _ends(state, name)
    lines = rows.reshape(-1, ways)
    places = int(kind["rows_at"]) + np.arange(len(rows)).reshape(-1, ways) * words_in(r.LINE)
    for one in r.LINE.names or ():
        lines[one] = NONE if one in ("tag", "newer", "older", "chain") else 0
    lines["newer"][:, 1:], lines["older"][:, :-1] = places[:, :-1], places[:, 1:]
    ends[:, 0], ends[:, 1] = places[:, 0], places[:, -1]
    words[int(kind["buckets_at"]) : int(kind["eighths_at"])] = NONE
    waiters["first"], waiters["count"] = NONE, 0
    words[int(kind["used_at"]) : int(kind["used_at"]) + count] = 0


def _rows(state: State, name: str) -> Records:
    """The rows of the caches of a kind, one behind the other."""
    kind = state.gpu[name]
    return state.words[int(kind["rows_at"]) : int(kind["waiters_at"])].view(r.LINE)


def _waiters(state: State, name: str) -> Records:
    """What waits for the sectors of each of these rows."""
    kind = state.gpu[name]
    return state.words[int(kind["waiters_at"]) : int(kind["sets_at"])].view(r.WAITERS)


def _ends(state: State, name: str) -> Words:
    """The newest and the oldest row of each set."""
    kind = state.gpu[name]
    return state.words[int(kind["sets_at"]) : int(kind["buckets_at"])].reshape(-1, 2)


def empty_caches(state: State, spec: Spec, names: tuple[str, ...]) -> None:
    """Flush caches of these kinds. What was to be written back is forgotten.

    Nothing is on its way to them. Rows without lines are alike: they keep their order in their
    sets. Caches that had no line since they were flushed have none.
    """
    for name in names:
        if name in spec.caches:
            _empty_cache(state, name, spec.caches[name][0])


def _empty_cache(state: State, name: str, count: int) -> None:
    kind, words = state.gpu[name], state.words
    used_at, buckets_at = int(kind["used_at"]), int(kind["buckets_at"])
    used = np.flatnonzero(words[used_at : used_at + count])
    rows = _rows(state, name).reshape(count, -1)
    for one, empty in (("tag", NONE), ("dirty", 0)):
        rows[one][used] = empty
    words[buckets_at : int(kind["eighths_at"])].reshape(count, -1)[used] = NONE
    words[used_at : used_at + count] = 0


def _begin(state: State) -> None:
    """Initialise all tables as they are before anything has happened."""
    gpu = state.gpu
    _place_sms(state)
    _place_warps(state)
    for kind in ("sm", "slice"):
        ports = state.table(f"{kind}_port")
        ports["first"] = ports["last"] = NONE
        state.table(f"{kind}_intake")["stamp"] = NONE
    state.table("cta")["launch"] = NONE
    slices, channels, banks = (state.table(name) for name in ("slice", "channel", "bank"))
    slices["number"], slices["time"] = np.arange(len(slices)), NEVER
    slices["requests"]["first"] = slices["requests"]["last"] = NONE
    slices["channel"] = state.place("channel")
    slices["channel"] += slices["number"] // gpu["slices_per_channel"] * words_in(r.CHANNEL)
    channels["number"], channels["time"] = np.arange(len(channels)), NEVER
    for name in ("first", "last", "first_back", "column_group"):
        channels[name] = NONE
    for name in ("column_tick", "activate_tick", "written_tick"):
        channels[name] = _LONG_AGO
    banks["group"] = np.arange(len(banks)) % gpu["bank_groups"]
    banks["row"], banks["activated_tick"] = NONE, _LONG_AGO
    gpu["free_request"], gpu["unused_request"] = NONE, state.place("request")
    gpu["last_sm"], gpu["watched_cta"], gpu["bin_cycles"] = NONE, NONE, 64
    gpu["dispatch_at"] = NEVER


def _place_sms(state: State) -> None:
    """Initialise SMs with their queues, pending accesses and CTAs."""
    gpu, sms, pending, ctas = state.gpu, *(state.table(x) for x in ("sm", "pending", "cta"))
    places = state.place("sm") + np.arange(len(sms)) * words_in(r.SM)
    sms["number"] = np.arange(len(sms))
    sms["replies"]["first"] = sms["replies"]["last"] = NONE
    for name in ("last_cta", "last_segment", "last_l2_access"):
        sms[name] = NONE
    for name in ("lsu_time", "time", "yield_time"):
        sms[name] = NEVER
    sms["lsu_queue"] = state.place("lsu_queue") + sms["number"] * gpu["lsu_queue_size"]
    ctas["sm"] = np.repeat(places, len(ctas) // len(sms))
    each = int(gpu["pending_per_sm"])
    chain = state.place("pending") + np.arange(len(pending)) * words_in(r.PENDING)
    sms["free_pending"] = chain[::each]
    pending["next"] = chain + words_in(r.PENDING)
    pending["next"][each - 1 :: each] = NONE


def _place_warps(state: State) -> None:
    """Initialise schedulers and warps with their places in tables, and with each other's."""
    gpu, schedulers, warps = state.gpu, state.table("scheduler"), state.table("warp")
    each, parts = int(gpu["schedulers_per_sm"]), int(gpu["subpartitions_per_sm"])
    slots, number = int(gpu["slots_per_scheduler"]), np.arange(len(schedulers))
    schedulers["time"], schedulers["last"] = NEVER, NONE
    schedulers["number"] = number % each
    schedulers["ready"] = state.place("ready") + number * _ready_words(gpu)
    schedulers["order"] = state.place("order") + number * slots
    part = number // each * parts + number % each * parts // each
    schedulers["pipes"] = state.place("pipe") + part * gpu["pipes_per_subpartition"]
    collectors = number * gpu["collectors_per_scheduler"]
    schedulers["collectors"] = state.place("collector") + collectors
    schedulers["prefetched"] = state.place("prefetched") + number * (1 + gpu["prefetched_lines"])
    forget_prefetched(state)
    state.table("ready")[:] = NEVER
    state.table("order").reshape(-1, slots)[:] = np.arange(slots)
    number = np.arange(len(warps))
    sm, slot = number // gpu["warps_per_sm"], number % gpu["warps_per_sm"]
    scheduler = sm * each + slot % each
    warps["slot"] = slot
    warps["sm"] = state.place("sm") + sm * words_in(r.SM)
    warps["scheduler"] = state.place("scheduler") + scheduler * words_in(r.SCHEDULER)
    warps["registers"] = state.place("register") + number * gpu["registers_per_warp"]
    warps["ready"] = state.place("ready") + scheduler * _ready_words(gpu) + slot // each


def forget_prefetched(state: State) -> None:
    """Clear the code that was prefetched."""
    state.table("prefetched").reshape(len(state.table("scheduler")), -1)[:, 0] = NONE


def put_rows(state: State, code: EngineCode, first: int, last: int) -> None:
    """Copy the rows of a code from one on into their places, up to another one."""
    rows = code.rows[first:last].copy()
    for name in ("needs", "writes"):
        rows[name] += state.place("operand")
    state.table("instruction")[first:last] = rows


def as_numbers(one: Any) -> dict[str, int]:
    """The numbers of a record, by name; arrays in it are left out."""
    return {name: int(one[name]) for name in one.dtype.names if not one.dtype[name].shape}


def total(records: Records) -> Any:
    """Sums over records, as a record of their kind."""
    made: Any = np.zeros(1, records.dtype)[0]
    for name in records.dtype.names or ():
        made[name] = records[name].sum(axis=0)
    return made


def resize_cache(state: State, name: str, cache: CacheSpec) -> None:
    """Resize the caches of a kind, one an SM, to at most their first size, and empty them."""
    kind, count = state.gpu[name], state.number("sm_count")
    if (int(kind["sets"]), len(_rows(state, name))) == (cache.sets, count * cache.lines):
        _empty_cache(state, name, count)
        return
    _lay_out_cache(kind, count, cache, int(kind["rows_at"]), hashed=bool(kind["hashed"]))
    _begin_cache(state, name, count, cache)


def issued_by(state: State) -> tuple[Numbers, Numbers]:
    """Cycles, and the warp instructions of all SMs by then, from bin to bin."""
    width, counts = state.number("bin_cycles"), state.table("bin")["instructions"]
    total = np.cumsum([0, *counts.tolist()])
    used = int(np.searchsorted(total, total[-1])) + 1
    return np.arange(used) * width, total[:used]
