"""Accesses compared with those before them that no synchronisation orders: callbacks of racecheck.

A warp's access is checked before it is made: memory still holds what was written last. Its lanes
are checked allocation by allocation, those that run on from one to the next together.
"""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from typing import Any

from warpmill.analyzer.launch.numbering import GLOBAL_BASE, SHARED_WINDOW, WINDOW_BYTES
from warpmill.executor.sanitizers.callbacks import callback, inlined, part
from warpmill.executor.sanitizers.log import run_at, watch_at
from warpmill.executor.sanitizers.race_barriers import begun
from warpmill.executor.sanitizers.race_cells import is_known, ordered, quick, runs, settle, touch
from warpmill.executor.sanitizers.race_notes import PROXY, note
from warpmill.executor.sanitizers.race_records import (
    ACCESS_FLAGS,
    AGENT_BITS,
    BULK_READS,
    GRANULE_BYTES,
    MEMORY_BYTES,
    PAGE_SHIFT,
    STRONG,
    WRITES,
    access_at,
    bytes_at,
    cta_at,
    memory_at,
    races_at,
    words_at,
)
from warpmill.executor.sanitizers.race_releases import synchronise

SHARED, GLOBAL, GENERIC = 0, 1, 2
"""Spaces by the numbers that native code gives."""

_HALF = 16  # lanes: rows of tiles are often as long
_HALF_BITS = (1 << _HALF) - 1
_FEW = 8  # lanes that run on from one to the next that are worth to be looked at together


@callback("warpmill.race.access")
def access(ctx: int, asked: int) -> None:
    """Check a warp's access (``WARP_ACCESS``)."""
    run: Any = run_at(ctx)
    cta = begun(run)
    own = access_at(asked)
    if own.agent:
        races = races_at(watch_at(run.sanitizer).races)
        first = (own.agent - 1) * cta.threads + run.warp * run.lanes
        for lane in range(run.lanes):
            if own.bits >> lane & 1:
                words_at(cta.begun)[first + lane] = races.now
    if own.space == SHARED:
        own.first = 0
        if not own.number & (STRONG | WRITES) and is_known(run, cta, own):
            return
        _check(run, own, cta.shared, own.bits, True)
    elif own.space == GLOBAL:
        _check_global(run, own, own.bits)
    else:
        _check_generic(run, own, cta.shared)


@part
def _check_generic(run: Any, own: Any, shared: Any) -> None:
    """Check the lanes by the space that their generic addresses are in."""
    places = words_at(own.where)
    in_shared, in_global = 0, 0
    for lane in range(run.lanes):
        if own.bits >> lane & 1:
            if places[lane] >= GLOBAL_BASE:
                in_global |= 1 << lane
            elif 0 <= places[lane] - SHARED_WINDOW < WINDOW_BYTES:
                in_shared |= 1 << lane
    if in_shared:
        own.first = SHARED_WINDOW
        _check(run, own, shared, in_shared, True)
    if in_global:
        _check_global(run, own, in_global)


# Where an access is.


@inlined
def _check_global(run: Any, own: Any, bits: int) -> None:
    """Check the lanes of each allocation; what is in none is memcheck's."""
    races = races_at(watch_at(run.sanitizer).races)
    cache = words_at(races.caches)
    places = words_at(own.where)
    site = own.number >> ACCESS_FLAGS
    left = bits
    while left:
        low = 0
        while not left >> low & 1:
            low += 1
        found = cache[site]
        if not found or not _holds(memory_at(found), places[low]):
            found = _find(races, places[low])
            if not found:
                left &= ~(1 << low)
                continue
            cache[site] = found
        memory = memory_at(found)
        here, outside = left, 0
        for lane in range(run.lanes):
            outside |= (places[lane] < memory.first) | (places[lane] >= memory.end)
        if outside:
            here = 0
            for lane in range(low, run.lanes):
                if left >> lane & 1 and _holds(memory, places[lane]):
                    here |= 1 << lane
        left &= ~here
        if memory.unwritten:
            if not own.number & WRITES:
                continue
            memory.unwritten, races.surprised = 0, 1
        own.first = memory.first
        _check(run, own, memory, here, False)


@inlined
def _holds(memory: Any, address: int) -> bool:
    return bool(memory.first <= address < memory.end)


@part
def _find(races: Any, address: int) -> int:
    """Address of the row of the allocation that an address is in; 0: none."""
    low, high = 0, races.memory_count
    while low < high:
        middle = (low + high) // 2
        if memory_at(races.memories + middle * MEMORY_BYTES).first <= address:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return 0
    found: int = races.memories + (low - 1) * MEMORY_BYTES
    return found if address < memory_at(found).end else 0


@part
def _check(run: Any, own: Any, memory: Any, bits: int, is_shared: bool) -> None:
    """Check lanes whose accesses are in one memory, which begins at ``first``."""
    races = races_at(watch_at(run.sanitizer).races)
    _prepare(races, run, own, is_shared)
    lane = 0
    while lane < run.lanes:
        count = _running_on(own, memory, bits, lane, run.lanes)
        if count < _FEW:
            count = run.lanes - lane
            left = settle(own, memory, bits, lane, count)
        else:
            left = 0 if quick(own, memory, lane, count) else settle(own, memory, bits, lane, count)
        if left:
            _check_each(races, run, own, memory, left)
        lane += count
    if races.syncs and own.number & STRONG:
        _synchronise(races, run, own, memory, bits)
    if own.agent == BULK_READS and is_shared:
        _check_proxies(races, run, own, memory, bits)


@part
def _synchronise(races: Any, run: Any, own: Any, memory: Any, bits: int) -> None:
    """Have lanes acquire and release, in their order."""
    cta = cta_at(run.cta_races)
    for lane in range(run.lanes):
        offset = words_at(own.where)[lane] - own.first
        if bits >> lane & 1 and 0 <= offset < memory.end - memory.first:
            synchronise(races, run, cta, own, lane, memory.host + offset)
    races.now += 1


@part
def _check_each(races: Any, run: Any, own: Any, memory: Any, bits: int) -> None:
    """Check lanes one by one, and note what is found."""
    places = words_at(own.where)
    for lane in range(run.lanes):
        offset = places[lane] - own.first
        if bits >> lane & 1 and 0 <= offset <= memory.end - memory.first - own.width:
            mine = own.stamp + (lane << own.thread_shift)
            found = touch(races, run, memory, offset, own.width, mine)
            if found:
                note(run, own, memory, lane, found, 0)


@part
def _check_proxies(races: Any, run: Any, own: Any, memory: Any, bits: int) -> None:
    """Check that a fence lies between what a bulk copy reads and the threads that wrote it.

    One of the writer, or one of the thread that copies, after the write.
    """
    fenced = words_at(cta_at(run.cta_races).fenced_proxy)
    threads = (1 << races.cta_shift - AGENT_BITS - races.thread_shift) - 1
    for lane in range(run.lanes):
        place = words_at(own.where)[lane] - own.first
        end = min(place + own.width, memory.end - memory.first)
        mine = own.stamp + (lane << own.thread_shift)
        while bits >> lane & 1 and 0 <= place < end:
            stamp = _last_write(memory, place)
            time, writer = stamp >> races.time_shift, stamp >> races.thread_shift & threads
            last = max(fenced[writer], fenced[run.warp * run.lanes + lane])
            if (
                stamp
                and not stamp & own.agents
                and time > last
                and ordered(races, run, stamp, mine)
            ):
                note(run, own, memory, lane, stamp, PROXY)
                break
            place += 1


@part
def _last_write(memory: Any, place: int) -> int:
    """The stamp of the last weak write to a byte."""
    if bytes_at(memory.pages)[place >> PAGE_SHIFT]:
        single: int = words_at(memory.bytes)[place]
        return single
    whole: int = words_at(memory.granules)[place // GRANULE_BYTES]
    return whole


@inlined
def _running_on(own: Any, memory: Any, bits: int, lane: int, lanes: int) -> int:
    """How many lanes from one on access what lies behind what the lane before does; 0: off."""
    places, width = words_at(own.where), own.width
    end = lane
    if lane == 0 and bits == own.every and runs(places, width, 0, lanes):
        end = lanes
    elif lane & _HALF - 1 == 0 and bits >> lane & _HALF_BITS == _HALF_BITS:
        end = lane + _HALF if runs(places, width, lane, _HALF) else lane
    if end == lane and bits >> lane & 1:
        end = lane + 1
        while end < lanes and bits >> end & 1 and places[end] == places[end - 1] + width:
            end += 1
    offset = places[lane] - own.first
    inside = offset >= 0 and offset + (end - lane) * width <= memory.end - memory.first
    return end - lane if inside else 0


@inlined
def _prepare(races: Any, run: Any, own: Any, is_shared: bool) -> None:
    """Fill in what all lanes of an access have alike."""
    cta = cta_at(run.cta_races)
    own.is_shared = is_shared
    own.agents = (1 << races.cta_shift) - (1 << races.cta_shift - AGENT_BITS)
    own.who = (1 << races.time_shift) - (1 << races.thread_shift)
    if own.agent:
        own.who &= ~own.agents  # it begins after what its thread did before
    own.every = -1 if run.lanes == 64 else (1 << run.lanes) - 1
    own.ctas = (1 << races.time_shift) - (1 << races.cta_shift)
    own.thread_shift = races.thread_shift
    own.floor = cta.floor + 1 << races.time_shift
    own.copy_floor = cta.copy_floor + 1 << races.time_shift
    stamp = races.now << races.time_shift | own.number
    if not is_shared:
        stamp |= run.cta << races.cta_shift
    stamp |= own.agent << races.cta_shift - AGENT_BITS
    own.stamp = stamp + (run.warp * run.lanes << races.thread_shift)
