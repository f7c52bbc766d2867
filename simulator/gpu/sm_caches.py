"""The caches of an SM: sectors loaded and stored through them or past them, and filled.

An access is pending until all of its sectors have been asked for and have come.
"""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.base.pointers import place_of, words_of
from warpmill.simulator.gpu.bits import quotient, rest
from warpmill.simulator.gpu.caches import (
    bring_in,
    key_of,
    line_of,
    look_up,
    use,
    victim_of,
    waiters_of,
)
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.constants import (
    ACCESS_ASYNC,
    ACCESS_STORE,
    ISSUE_TO_NETWORK,
    NONE,
    REQUEST_LOAD,
    REQUEST_STORE,
    REQUEST_WRITE_BACK,
    SPACE_LOCAL,
    SPACE_SHARED,
    TICKS,
    WHOLE,
    WRITE_LOCAL_BACK,
    WRITE_THROUGH,
)
from warpmill.simulator.gpu.network import ask_for, free_request, has_room, new_request, send
from warpmill.simulator.gpu.records import (
    cache_at,
    counts_of,
    instruction_at,
    line_at,
    nth_bin,
    pending_at,
    request_at,
    warp_at,
)
from warpmill.simulator.gpu.trace_words import sectors_of, shape_of
from warpmill.simulator.gpu.warps import free_pending, recheck_ready, writeback

# Pending accesses: what comes for them, and how they end.


@part
def all_requests_issued(gpu: Any, pending: Any, now: int) -> None:
    """Note that all sectors of an access have been asked for; if all were there, it is over."""
    pending.all_requested = 1
    if pending.left == 0:
        complete_access(gpu, pending, max(pending.ready, now), now)


@part
def complete_access(gpu: Any, pending: Any, time: int, now: int) -> None:
    """End an access of which nothing is under way any more."""
    warp, instruction = warp_at(gpu, pending.warp), instruction_at(gpu, pending.row)
    kind = instruction.access
    if kind == ACCESS_STORE and instruction.space != SPACE_SHARED:
        warp.stores -= 1
        free_pending(gpu, pending)
        recheck_ready(gpu, warp, now)
        return
    if kind == ACCESS_ASYNC:
        warp.copies -= 1
        warp.copies_of_group[pending.copy_group] -= 1
    writeback(gpu, pending, time, now)


@part
def on_sector_fill(gpu: Any, pending: Any, time: int, now: int) -> None:
    """Note that one of the sectors of an access has come."""
    pending.left -= 1
    pending.ready = max(pending.ready, time)
    if pending.left == 0 and pending.all_requested != 0:
        complete_access(gpu, pending, pending.ready, now)


# Sectors through the caches.

HIT, HIT_PENDING, MISS = range(3)
"""Outcomes of a look-up: the sector is there, is on its way, or neither."""

DONE, BLOCKED = -1, -2
"""Results of trying to serve a sector, beside the time until which it has to wait."""

FILL_CYCLES = 3
"""Cycles from a line's fill to the use of what loads waited for."""

RETRY_CYCLES = 16
"""Cycles after which an access is retried that found too much being written back."""


@part
def load_sector(
    gpu: Any, sm: Any, pending: Any, row: int, cache: Any, sector: int, now: int, latency: int,
    away: int,
) -> Any:  # fmt: skip
    """Load a sector through a cache of the SM; a miss is at the network ``away`` cycles later.

    L1 may look up and fill several at once, of which the first one stands for all.
    """
    fill = _fill_of(gpu, cache)
    own = quotient(rest(sector, cache.sectors), fill) * fill
    key, bits = key_of(cache, quotient(sector, cache.sectors)), ((1 << fill) - 1) << own
    place = look_up(gpu, cache, sm.number, key)
    if place != NONE and line_at(gpu, place).valid & bits == bits:
        use(gpu, cache, sm.number, place)
        _count(gpu, sm, row, cache, HIT, now)
        pending.ready = max(pending.ready, now + latency + 1)
        return DONE
    if place != NONE and line_at(gpu, place).pending & bits:
        waiters = waiters_of(gpu, cache, place, own)
        if sm.waiters >= gpu.most_waiters:
            return BLOCKED
        if gpu.l1_holds_data == 0:
            if waiters.count % gpu.l1_merges == 0:  # a request has as many as it merges with
                when = past_l1(gpu, sm, pending, REQUEST_LOAD, sector, 1, WHOLE, now, 1)
                if when != DONE:
                    return when
        elif waiters.count >= gpu.l1_merges:
            return BLOCKED
        use(gpu, cache, sm.number, place)
        _wait_for(gpu, sm, waiters, pending)
        _count(gpu, sm, row, cache, HIT_PENDING, now)
        return DONE
    if sm.mshrs >= gpu.l1_mshrs or sm.waiters >= gpu.most_waiters:
        return BLOCKED
    when = _network(gpu, sm, now + away, now)
    if when != DONE:
        return when
    if place == NONE:
        place = _room_for(gpu, sm, cache, key, now)
        if place < 0:
            return BLOCKED if place == NONE else now + RETRY_CYCLES
    else:
        use(gpu, cache, sm.number, place)
    line_at(gpu, place).pending |= bits
    sm.mshrs += 1
    first = quotient(sector, fill) * fill
    ask_for(gpu, sm, first, fill, place, place_of(gpu, cache), now + away)
    _wait_for(gpu, sm, waiters_of(gpu, cache, place, own), pending)
    _count(gpu, sm, row, cache, MISS, now)
    return DONE


@part
def _fill_of(gpu: Any, cache: Any) -> Any:
    """The sectors that a cache of the SM fills at once."""
    return gpu.l1_fill if place_of(gpu, cache) == place_of(gpu, gpu.l1) else 1


@part
def store_sector(
    gpu: Any, sm: Any, pending: Any, row: int, space: int, cached: bool, sector: int, words: int,
    parts: int, now: int, again: bool,
) -> Any:  # fmt: skip
    """Store a sector: into L1 by its policy, and on to L2 unless it is kept back.

    Where L1 keeps what threads have for themselves alone, other stores evict what they hit.
    ``again``: its line was looked up for the one before it, in whose packet it goes.
    """
    cache, policy = gpu.l1, gpu.l1_write_policy
    local_only = policy == WRITE_LOCAL_BACK and space != SPACE_LOCAL
    keeps = cached and policy != WRITE_THROUGH and not local_only
    rides, fill = again and not keeps, gpu.l1_fill
    latency = gpu.l1_latency if cached else 0
    place, key, bit, hit = NONE, 0, 0, False
    if cached:
        key, bit = key_of(cache, quotient(sector, cache.sectors)), 1 << rest(sector, cache.sectors)
        place = look_up(gpu, cache, sm.number, key)
        if place != NONE:
            line = line_at(gpu, place)
            hit = (line.valid | line.written) & bit != 0
    if not rides and (not keeps or (not hit and gpu.l1_write_allocates == 0)):
        when = _network(gpu, sm, now + latency + ISSUE_TO_NETWORK, now)
        if when != DONE:
            return when
    if cached and place == NONE and gpu.l1_write_allocates != 0:
        place = _room_for(gpu, sm, cache, key, now)
        if place < 0:
            return BLOCKED if place == NONE else now + RETRY_CYCLES
    if cached and not again:
        _count_store(gpu, sm, row, hit, now)
    if place != NONE and (hit or gpu.l1_write_allocates != 0):
        use(gpu, cache, sm.number, place)
        line = line_at(gpu, place)
        if hit and local_only:
            evicted = ((1 << fill) - 1) << sector % cache.sectors // fill * fill
            line.valid &= ~evicted
            line.written &= ~evicted
        elif parts == WHOLE:
            line.valid |= bit
        else:
            line.written |= bit
        if keeps:
            line.dirty |= bit
            return DONE
    leaves, owner = now + latency + ISSUE_TO_NETWORK, place_of(gpu, pending)
    pending.left += 1
    send(gpu, sm, leaves, sector, REQUEST_STORE, owner, NONE, words, parts, rides)
    return DONE


@part
def _count_store(gpu: Any, sm: Any, row: int, hit: bool, now: int) -> None:
    counts = sm.counts
    nth_bin(gpu, quotient(now, gpu.bin_cycles)).l1_accesses += 1
    counts.l1_accesses += 1
    counts.write_accesses += 1
    if hit:
        counts.l1_hits += 1
        counts.write_hits += 1
        counts_of(gpu, row).l1_hits += 1
    else:
        counts.l1_misses += 1


@part
def past_l1(
    gpu: Any, sm: Any, pending: Any, kind: int, sector: int, words: int, parts: int, now: int,
    away: int,
) -> Any:  # fmt: skip
    """Request from L2 without L1: atomics, and loads that do not look for their data there."""
    when = _network(gpu, sm, now + away, now)
    if when != DONE:
        return when
    send(gpu, sm, now + away, sector, kind, place_of(gpu, pending), NONE, words, parts, False)
    pending.left += 1
    return DONE


@part
def _network(gpu: Any, sm: Any, ready: int, now: int) -> Any:
    """Whether a request can go: DONE, or BLOCKED, or the time until which it has to wait."""
    if not has_room(gpu, sm):
        return BLOCKED
    backlog = sm.port_free_tick // TICKS - ready
    return DONE if backlog < gpu.l1_miss_queue else now + backlog - gpu.l1_miss_queue + 1


@part
def _room_for(gpu: Any, sm: Any, cache: Any, key: int, now: int) -> Any:
    """Make room for a line; what was written and not handed on goes to L2.

    NONE where all rows wait for something, BLOCKED where too much is being written back.
    """
    row = victim_of(gpu, cache, sm.number, key)
    if row == NONE:
        return row
    line = line_at(gpu, row)
    dirty = line.dirty
    if dirty != 0:
        if gpu.write_backs + cache.sectors > gpu.most_write_backs:
            return BLOCKED
        old = line_of(cache, line.tag)
        for k in range(cache.sectors):
            if dirty >> k & 1:
                sector = old * cache.sectors + k
                send(gpu, sm, now + 1, sector, REQUEST_WRITE_BACK, NONE, NONE, 1, WHOLE, False)
                line.dirty &= ~(1 << k)
    bring_in(gpu, cache, sm.number, key, row)
    return row


@part
def _wait_for(gpu: Any, sm: Any, waiters: Any, pending: Any) -> None:
    """Queue an access for a sector; where others wait, requests' records serve as links."""
    if waiters.count == 0:
        waiters.first = place_of(gpu, pending)
    else:
        if waiters.count == 1:
            waiters.first = _link(gpu, waiters.first, NONE)
        waiters.first = _link(gpu, place_of(gpu, pending), waiters.first)
    waiters.count += 1
    sm.waiters += 1
    pending.left += 1


@part
def _link(gpu: Any, pending: int, following: int) -> Any:
    """The place of a new link of a list of accesses that wait."""
    link = new_request(gpu)
    link.owner, link.next = pending, following
    return place_of(gpu, link)


@part
def _count(gpu: Any, sm: Any, row: int, cache: Any, found: int, now: int) -> None:
    """Count a look-up by its outcome: of loads through L1 by their instruction too."""
    counts, place = sm.counts, place_of(gpu, cache)
    if place == place_of(gpu, gpu.const):
        counts.const_accesses += 1
        counts.const_misses += found == MISS
    elif place == place_of(gpu, gpu.tex):
        counts.tex_accesses += 1
        counts.tex_misses += found == MISS
    elif gpu.l1_holds_data != 0:
        counts.l1_accesses += 1
        counts.l1_hits += found == HIT
        counts.l1_pending += found == HIT_PENDING
        counts.l1_misses += found == MISS
        nth_bin(gpu, quotient(now, gpu.bin_cycles)).l1_accesses += 1
        counts_of(gpu, row).l1_hits += found == HIT


@part
def all_there(gpu: Any, sm: Any, access: Any, now: int) -> Any:
    """Whether the SM's cache has all constants of an access, which is then made."""
    first, last = sectors_of(gpu, shape_of(gpu, access))
    for place in range(first, last):
        if _constants_at(gpu, sm, access.sector + (words_of(gpu)[place] >> 16)) == NONE:
            return False
    for place in range(first, last):
        row = _constants_at(gpu, sm, access.sector + (words_of(gpu)[place] >> 16))
        use(gpu, gpu.const, sm.number, row)
        _count(gpu, sm, 0, gpu.const, HIT, now)
    return True


@part
def _constants_at(gpu: Any, sm: Any, sector: int) -> Any:
    """The row of the constant cache that has a sector; NONE: it does not."""
    cache, sectors = gpu.const, gpu.const.sectors
    row = look_up(gpu, cache, sm.number, key_of(cache, quotient(sector, sectors)))
    if row == NONE or line_at(gpu, row).valid >> rest(sector, sectors) & 1 == 0:
        return NONE
    return row


@part
def fill_sector(gpu: Any, sm: Any, request: Any, now: int) -> None:
    """Fill a sector into the cache that asked for it, and resume what waited for it.

    Where several are filled at once that is when the last one has come.
    """
    cache, row = cache_at(gpu, request.cache), request.owner
    fill, own = _fill_of(gpu, cache), rest(request.sector, cache.sectors)
    line = line_at(gpu, row)
    line.pending &= ~(1 << own)
    own = quotient(own, fill) * fill
    bits = ((1 << fill) - 1) << own
    if line.pending & bits != 0:
        return
    line.written &= ~bits
    if request.cache != place_of(gpu, gpu.l1) or gpu.l1_holds_data != 0:
        line.valid |= bits
    waiters = waiters_of(gpu, cache, row, own)
    sm.mshrs -= 1
    sm.waiters -= waiters.count
    following, alone = waiters.first, waiters.count == 1
    waiters.first, waiters.count = NONE, 0
    if alone:
        on_sector_fill(gpu, pending_at(gpu, following), now + FILL_CYCLES, now)
        return
    while following != NONE:
        link = request_at(gpu, following)
        following = link.next
        on_sector_fill(gpu, pending_at(gpu, link.owner), now + FILL_CYCLES, now)
        free_request(gpu, link)
