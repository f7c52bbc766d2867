"""The caches of an SM: sectors loaded and stored through them or past them, and filled.

An access is pending until all of its sectors have been asked for and have come.
"""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.caches import (
    bring_in,
    extra_of,
    key_of,
    line_of,
    look_up,
    use,
    victim_of,
)
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    A_ASYNC,
    A_STORE,
    AT_BIN,
    AT_ROW_COUNT,
    AT_SM,
    AT_SM_COUNT,
    B_L1_ACCESSES,
    BIN_FIELDS,
    C_SECTORS,
    CONST_CACHE,
    G_BIN_CYCLES,
    G_WRITE_BACKS,
    ISSUE_TO_NETWORK,
    L1_ALLOCATES,
    L1_CACHE,
    L1_KEEPS,
    L1_LATENCY,
    L1_MERGE,
    L1_MSHRS,
    L1_QUEUE,
    L1_WRITE,
    N_CONST_ACCESSES,
    N_CONST_MISSES,
    N_L1_ACCESSES,
    N_L1_HITS,
    N_L1_MISSES,
    N_TEX_ACCESSES,
    N_TEX_MISSES,
    N_WRITE_ACCESSES,
    N_WRITE_HITS,
    NONE,
    OF_CONST,
    OF_L1,
    PA_DONE,
    PA_GROUP,
    PA_LEFT,
    PA_READY,
    PA_ROW,
    PA_WARP,
    Q_CACHE,
    Q_REF,
    Q_SECTOR,
    QK_LOAD,
    QK_STORE,
    QK_WRITE_BACK,
    R_ACCESS,
    R_SPACE,
    RC_HITS,
    ROW_COUNTS,
    S_LOCAL,
    S_SHARED,
    SM_COUNTS,
    SM_FIELDS,
    SM_MSHRS,
    SM_OUT_FREE,
    SM_WAITERS,
    T_SHAPE,
    TEX_CACHE,
    TICKS,
    WAITERS,
    WHOLE,
    WP_ASYNC,
    WP_RING,
    WP_STORES,
    WRITE_BACKS,
    WRITE_LOCAL_BACK,
    WRITE_THROUGH,
    X_PENDING,
    X_WAITERS,
    X_WRITTEN,
)
from warpmill.simulator.gpu.network import free_request, has_room, new_request, send
from warpmill.simulator.gpu.warps import code_of, free_pending, recheck_ready, writeback
from warpmill.simulator.memory.cache_step import DIRTY, TAG, VALID

# Pending accesses: what comes for them, and how they end.


@part
def all_requests_issued(m: Any, pending: int, now: int) -> None:
    """Note that all sectors of an access have been asked for; if all were there, it is over."""
    m[pending + PA_DONE] = 1
    if m[pending + PA_LEFT] == 0:
        complete_access(m, pending, max(m[pending + PA_READY], now), now)


@part
def complete_access(m: Any, pending: int, time: int, now: int) -> None:
    """End an access of which nothing is under way any more."""
    warp, row = m[pending + PA_WARP], code_of(m, m[pending + PA_ROW])
    kind = m[row + R_ACCESS]
    if kind == A_STORE and m[row + R_SPACE] != S_SHARED:
        m[warp + WP_STORES] -= 1
        free_pending(m, pending)
        recheck_ready(m, warp, now)
        return
    if kind == A_ASYNC:
        m[warp + WP_ASYNC] -= 1
        m[warp + WP_RING + m[pending + PA_GROUP]] -= 1
    writeback(m, pending, time, now)


@part
def on_sector_fill(m: Any, pending: int, time: int, now: int) -> None:
    """Note that one of the sectors of an access has come."""
    m[pending + PA_LEFT] -= 1
    m[pending + PA_READY] = max(m[pending + PA_READY], time)
    if m[pending + PA_LEFT] == 0 and m[pending + PA_DONE] != 0:
        complete_access(m, pending, m[pending + PA_READY], now)


# Sectors through the caches.

DONE, BLOCKED = -1, -2
"""Results of trying to serve a sector, beside the time until which it has to wait."""

FILL_CYCLES = 3
"""Cycles from a line's fill to the use of what loads waited for."""

RETRY_CYCLES = 16
"""Cycles after which an access is retried that found too much being written back."""


@part
def load_sector(
    m: Any, sm: int, pending: int, row: int, c: int, sector: int, now: int, latency: int, away: int
) -> Any:
    """Load a sector through a cache of the SM; a miss is at the network ``away`` cycles later."""
    at, counts = m[AT_SM] + sm * SM_FIELDS, m[AT_SM_COUNT] + sm * SM_COUNTS
    sectors = m[c + C_SECTORS]
    line, part_ = sector // sectors, sector % sectors
    key = key_of(m, c, line)
    place = look_up(m, c, sm, key)
    bit = 1 << part_
    if place != NONE and m[place + VALID] & bit:
        use(m, c, sm, place)
        _count(m, counts, row, c, 0, now)
        m[pending + PA_READY] = max(m[pending + PA_READY], now + latency + 1)
        return DONE
    if place != NONE and m[extra_of(m, c, place) + X_PENDING] & bit:
        waiters = extra_of(m, c, place) + X_WAITERS + 2 * part_
        if m[at + SM_WAITERS] >= m[WAITERS]:
            return BLOCKED
        if m[L1_KEEPS] == 0:
            if m[waiters + 1] % m[L1_MERGE] == 0:  # a request has as many as it merges with
                when = past_l1(m, sm, pending, QK_LOAD, sector, 1, WHOLE, now, 1)
                if when != DONE:
                    return when
        elif m[waiters + 1] >= m[L1_MERGE]:
            return BLOCKED
        use(m, c, sm, place)
        _wait_for(m, sm, waiters, pending)
        _count(m, counts, row, c, 1, now)
        return DONE
    if m[at + SM_MSHRS] >= m[L1_MSHRS] or m[at + SM_WAITERS] >= m[WAITERS]:
        return BLOCKED
    when = _network(m, sm, now + away, now)
    if when != DONE:
        return when
    if place == NONE:
        place = _room_for(m, sm, c, key, now)
        if place < 0:
            return BLOCKED if place == NONE else now + RETRY_CYCLES
    else:
        use(m, c, sm, place)
    extra = extra_of(m, c, place)
    m[extra + X_PENDING] |= bit
    m[at + SM_MSHRS] += 1
    send(m, sm, now + away, sector, QK_LOAD, place, c, 1, WHOLE)
    _wait_for(m, sm, extra + X_WAITERS + 2 * part_, pending)
    _count(m, counts, row, c, 2, now)
    return DONE


@part
def store_sector(
    m: Any, sm: int, pending: int, row: int, space: int, cached: bool, sector: int, words: int,
    parts: int, now: int,
) -> Any:  # fmt: skip
    """Store a sector: into L1 by its policy, and on to L2 unless it is kept back."""
    counts, c = m[AT_SM_COUNT] + sm * SM_COUNTS, m[OF_L1]
    policy = m[L1_WRITE]
    keeps = cached and policy != WRITE_THROUGH and (policy != WRITE_LOCAL_BACK or space == S_LOCAL)
    latency = m[L1_LATENCY] if cached else 0
    place, key, bit, hit = NONE, 0, 0, False
    if cached:
        sectors = m[c + C_SECTORS]
        key, bit = key_of(m, c, sector // sectors), 1 << sector % sectors
        place = look_up(m, c, sm, key)
        if place != NONE:
            extra = extra_of(m, c, place)
            hit = (m[place + VALID] | m[extra + X_WRITTEN]) & bit != 0
    if not keeps or (not hit and m[L1_ALLOCATES] == 0):
        when = _network(m, sm, now + latency + ISSUE_TO_NETWORK, now)
        if when != DONE:
            return when
    if cached and place == NONE and m[L1_ALLOCATES] != 0:
        place = _room_for(m, sm, c, key, now)
        if place < 0:
            return BLOCKED if place == NONE else now + RETRY_CYCLES
    if cached:
        bin_ = now // m[G_BIN_CYCLES]
        m[m[AT_BIN] + bin_ * BIN_FIELDS + B_L1_ACCESSES] += 1
        m[counts + N_L1_ACCESSES] += 1
        m[counts + N_WRITE_ACCESSES] += 1
        m[counts + (N_L1_HITS if hit else N_L1_MISSES)] += 1
        m[counts + N_WRITE_HITS] += hit
        m[m[AT_ROW_COUNT] + row * ROW_COUNTS + RC_HITS] += hit
    if place != NONE and (hit or m[L1_ALLOCATES] != 0):
        use(m, c, sm, place)
        extra = extra_of(m, c, place)
        if parts == WHOLE:
            m[place + VALID] |= bit
        else:
            m[extra + X_WRITTEN] |= bit
        if keeps:
            m[place + DIRTY] |= bit
            return DONE
    m[pending + PA_LEFT] += 1
    send(m, sm, now + latency + ISSUE_TO_NETWORK, sector, QK_STORE, pending, NONE, words, parts)
    return DONE


@part
def past_l1(
    m: Any, sm: int, pending: int, kind: int, sector: int, words: int, parts: int, now: int,
    away: int,
) -> Any:  # fmt: skip
    """Request from L2 without L1: atomics, and loads that do not look for their data there."""
    when = _network(m, sm, now + away, now)
    if when != DONE:
        return when
    send(m, sm, now + away, sector, kind, pending, NONE, words, parts)
    m[pending + PA_LEFT] += 1
    return DONE


@part
def _network(m: Any, sm: int, ready: int, now: int) -> Any:
    """Whether a request can go: DONE, or BLOCKED, or the time until which it has to wait."""
    at = m[AT_SM] + sm * SM_FIELDS
    if not has_room(m, sm):
        return BLOCKED
    backlog = m[at + SM_OUT_FREE] // TICKS - ready
    return DONE if backlog < m[L1_QUEUE] else now + backlog - m[L1_QUEUE] + 1


@part
def _room_for(m: Any, sm: int, c: int, key: int, now: int) -> Any:
    """Make room for a line; what was written and not handed on goes to L2.

    NONE where all rows wait for something, BLOCKED where too much is being written back.
    """
    row = victim_of(m, c, sm, key)
    if row == NONE:
        return row
    dirty = m[row + DIRTY]
    if dirty != 0:
        if m[G_WRITE_BACKS] + m[c + C_SECTORS] > m[WRITE_BACKS]:
            return BLOCKED
        old = line_of(m, c, m[row + TAG])
        for k in range(m[c + C_SECTORS]):
            if dirty >> k & 1:
                sector = old * m[c + C_SECTORS] + k
                send(m, sm, now + 1, sector, QK_WRITE_BACK, NONE, NONE, 1, WHOLE)
                m[row + DIRTY] &= ~(1 << k)
    bring_in(m, c, sm, key, row)
    return row


@part
def _wait_for(m: Any, sm: int, waiters: int, pending: int) -> None:
    """Queue an access for a sector; a request's record serves as the link of the list."""
    link = new_request(m)
    m[link + Q_REF], m[link + Q_SECTOR] = pending, m[waiters]
    m[waiters] = link
    m[waiters + 1] += 1
    m[m[AT_SM] + sm * SM_FIELDS + SM_WAITERS] += 1
    m[pending + PA_LEFT] += 1


@part
def _count(m: Any, counts: int, row: int, c: int, found: int, now: int) -> None:
    """Count a look-up: found (0), on its way (1), missed (2)."""
    if c == CONST_CACHE:
        m[counts + N_CONST_ACCESSES] += 1
        m[counts + N_CONST_MISSES] += found == 2
        return
    if m[L1_KEEPS] == 0 and c == L1_CACHE:
        return
    if c == TEX_CACHE:
        m[counts + N_TEX_ACCESSES] += 1
        m[counts + N_TEX_MISSES] += found == 2
        return
    m[counts + N_L1_ACCESSES] += 1
    m[counts + N_L1_HITS + found] += 1
    bin_ = now // m[G_BIN_CYCLES]
    m[m[AT_BIN] + bin_ * BIN_FIELDS + B_L1_ACCESSES] += 1
    m[m[AT_ROW_COUNT] + row * ROW_COUNTS + RC_HITS] += found == 0


@part
def all_there(m: Any, t: Any, sm: int, access: int, now: int) -> Any:
    """Whether the SM's cache has all constants of an access, which is then made."""
    c, shape = m[OF_CONST], access + (t[access + 1] >> 32)
    following = shape + T_SHAPE
    first, last = shape + (t[shape] >> 24), following + (t[following] >> 24)
    for place in range(first, last):
        if _constants_at(m, sm, c, t[access] + (t[place] >> 16)) == NONE:
            return False
    for place in range(first, last):
        use(m, c, sm, _constants_at(m, sm, c, t[access] + (t[place] >> 16)))
        _count(m, m[AT_SM_COUNT] + sm * SM_COUNTS, 0, c, 0, now)
    return True


@part
def _constants_at(m: Any, sm: int, c: int, sector: int) -> Any:
    """The row of the constant cache that has a sector; NONE: it does not."""
    sectors = m[c + C_SECTORS]
    place = look_up(m, c, sm, key_of(m, c, sector // sectors))
    if place == NONE or m[place + VALID] >> sector % sectors & 1 == 0:
        return NONE
    return place


@part
def fill_sector(m: Any, sm: int, request: int, now: int) -> None:
    """Fill a sector into the cache that asked for it, and resume what waited for it."""
    c, place = m[request + Q_CACHE], m[request + Q_REF]
    part_ = m[request + Q_SECTOR] % m[c + C_SECTORS]
    extra = extra_of(m, c, place)
    m[extra + X_PENDING] &= ~(1 << part_)
    m[extra + X_WRITTEN] &= ~(1 << part_)
    if c != L1_CACHE or m[L1_KEEPS] != 0:
        m[place + VALID] |= 1 << part_
    m[m[AT_SM] + sm * SM_FIELDS + SM_MSHRS] -= 1
    waiters = extra + X_WAITERS + 2 * part_
    m[m[AT_SM] + sm * SM_FIELDS + SM_WAITERS] -= m[waiters + 1]
    link, time = m[waiters], now + FILL_CYCLES
    m[waiters], m[waiters + 1] = NONE, 0
    while link != NONE:
        following = m[link + Q_SECTOR]
        on_sector_fill(m, m[link + Q_REF], time, now)
        free_request(m, link)
        link = following
