"""The load and store unit of an SM: accesses in order, through the caches of the SM or past them."""

from __future__ import annotations

from typing import Any

from simulator.gpu.caches import bring_in, extra_of, key_of, line_of, look_up, use, victim_of
from simulator.gpu.compiled import part
from simulator.gpu.fields import (
    A_ASYNC,
    A_ATOMIC,
    A_LOAD,
    A_STORE,
    AT_GLOBAL,
    AT_LSU,
    AT_ROW_COUNT,
    AT_SLICE,
    AT_SM,
    AT_SM_COUNT,
    AT_WARP,
    C_SECTORS,
    C_THERE,
    CACHES_GLOBAL,
    CODE_FIELDS,
    CONST_CACHE,
    CONST_LATENCY,
    CONST_PORTS,
    F_ACCESS,
    F_AT,
    F_DONE,
    F_LEFT,
    F_READY,
    F_ROW,
    F_WARP,
    G_FIRST_ACCESS,
    G_FIRST_SECTOR,
    G_FIRST_SHAPE,
    G_FREE_REQUEST,
    L1_ALLOCATES,
    L1_CACHE,
    L1_KEEPS,
    L1_LATENCY,
    L1_MERGE,
    L1_MSHRS,
    L1_PER_CYCLE,
    L1_QUEUE,
    LSU_QUEUE,
    LSU_TICKS,
    N_ATOMIC_SECTORS,
    N_BANK_CONFLICTS,
    N_CONST_ACCESSES,
    N_CONST_MISSES,
    N_L1_ACCESSES,
    N_L1_HITS,
    N_L1_MISSES,
    N_LSU_STALLS,
    N_READ_SECTORS,
    N_SHARED_ACCESSES,
    N_SHARED_PASSES,
    N_TEX_ACCESSES,
    N_TEX_MISSES,
    N_WRITE_ACCESSES,
    N_WRITE_HITS,
    N_WRITE_SECTORS,
    NEVER,
    NONE,
    OF_CONST,
    OF_L1,
    OF_TEX,
    Q_CACHE,
    Q_KIND,
    Q_NEXT,
    Q_REF,
    Q_SECTOR,
    Q_TIME,
    QK_ATOMIC,
    QK_LOAD,
    QK_STORE,
    QK_WRITE_BACK,
    R_ACCESS,
    R_LATENCY,
    RC_HITS,
    RC_PASSES,
    RC_SECTORS,
    RESULT_CYCLES,
    ROW_COUNTS,
    S_ALWAYS,
    S_CONST,
    S_LOCAL,
    S_SHARED,
    S_TEXTURE,
    SHARED_PORTS,
    SL_HELD_SMS,
    SLICE_FIELDS,
    SM_BLOCKED,
    SM_COUNTS,
    SM_FIELDS,
    SM_LSU_COUNT,
    SM_LSU_FIRST,
    SM_LSU_FREE,
    SM_LSU_NEXT,
    SM_LSU_PLACE,
    SM_MSHRS,
    SM_OUT_FREE,
    SM_REPLY_FIRST,
    SM_REPLY_LAST,
    TEX_CACHE,
    TEX_LATENCY,
    TEX_PORTS,
    TICKS,
    WARP_FIELDS,
    WP_ASYNC,
    WP_RING,
    WP_STORES,
    WRITE_LOCAL_BACK,
    WRITE_THROUGH,
    X_PENDING,
    X_WAITERS,
    X_WRITTEN,
)
from simulator.gpu.fields import F_GROUP as F_OWN_GROUP
from simulator.gpu.fields import L1_WRITE as WRITE_POLICY
from simulator.gpu.requests import free_request, has_room, new_request, send, slice_of
from simulator.gpu.warps import free_flight, land, settle
from simulator.memory.cache_step import DIRTY, TAG, VALID
from simulator.memory.cache_step import NONE as NO_ROW

DONE, BLOCKED = -1, -2
"""What trying to serve a sector gives beside the time until which it has to wait."""

FILL_CYCLES = 3
"""From a line's coming back to the use of what loads waited for."""

RETRY_CYCLES = 16
"""After which an access is tried again that found no record for a request."""

ISSUE_TO_NETWORK = 2
"""From the look-up that misses to the network's port."""


@part
def enqueue(m: Any, p: Any, sm: int, flight: int, time: int) -> None:
    """Put an access into the unit's queue, which has room, from a time on."""
    at = p[AT_SM] + sm * SM_FIELDS
    place = (m[at + SM_LSU_FIRST] + m[at + SM_LSU_COUNT]) % p[LSU_QUEUE]
    m[p[AT_LSU] + sm * p[LSU_QUEUE] + place] = flight
    m[flight + F_AT] = time
    if m[at + SM_LSU_COUNT] == 0:
        m[at + SM_LSU_NEXT] = max(time, -(-m[at + SM_LSU_FREE] // TICKS))
        m[at + SM_LSU_PLACE] = 0
    m[at + SM_LSU_COUNT] += 1


@part
def serve(m: Any, p: Any, code: Any, regs: Any, s: Any, sm: int, now: int) -> None:
    """Let the unit do what it can at a cycle; SM_LSU_NEXT is then the next one at which it can."""
    at = p[AT_SM] + sm * SM_FIELDS
    while m[at + SM_LSU_COUNT] > 0 and m[at + SM_LSU_NEXT] <= now:
        flight = m[p[AT_LSU] + sm * p[LSU_QUEUE] + m[at + SM_LSU_FIRST]]
        access = m[flight + F_ACCESS] - m[p[AT_GLOBAL] + G_FIRST_ACCESS]
        space = S_ALWAYS
        if m[flight + F_ACCESS] != NONE:
            space = s.way[access]
        if space == S_SHARED or space == S_ALWAYS:
            shape = NONE
            if space == S_SHARED:
                shape = s.shape[access] - m[p[AT_GLOBAL] + G_FIRST_SHAPE]
            held = _on_chip(m, p, code, regs, s.passes, sm, flight, shape, now)
        else:
            shape = s.shape[access] - m[p[AT_GLOBAL] + G_FIRST_SHAPE]
            held = _sectors(m, p, code, s, sm, flight, access, shape, now)
            if held < 0:
                break
            held = max(held, s.passes[shape] * TICKS)
            _all_asked(m, p, code, regs, flight, now)
        m[at + SM_LSU_FREE] = max(m[at + SM_LSU_FREE], now * TICKS) + max(held, p[LSU_TICKS])
        m[at + SM_LSU_FIRST] = (m[at + SM_LSU_FIRST] + 1) % p[LSU_QUEUE]
        m[at + SM_LSU_COUNT] -= 1
        m[at + SM_LSU_PLACE] = 0
        _look_at_next(m, p, sm)


@part
def _look_at_next(m: Any, p: Any, sm: int) -> None:
    at = p[AT_SM] + sm * SM_FIELDS
    if m[at + SM_LSU_COUNT] == 0:
        m[at + SM_LSU_NEXT] = NEVER
        return
    head = m[p[AT_LSU] + sm * p[LSU_QUEUE] + m[at + SM_LSU_FIRST]]
    m[at + SM_LSU_NEXT] = max(m[head + F_AT], m[at + SM_LSU_FREE] // TICKS)


@part
def _on_chip(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    m: Any, p: Any, code: Any, regs: Any, passes: Any, sm: int, flight: int, shape: int, now: int
) -> Any:
    """Serve an access to shared memory, or to constants that are always there; gives ticks held."""
    counts, row = p[AT_SM_COUNT] + sm * SM_COUNTS, m[flight + F_ROW]
    number = 1
    if shape != NONE:
        number = -(-passes[shape] // p[SHARED_PORTS])
        m[counts + N_SHARED_ACCESSES] += 1
        m[counts + N_SHARED_PASSES] += number
        m[counts + N_BANK_CONFLICTS] += passes[shape] - 1
        m[p[AT_ROW_COUNT] + row * ROW_COUNTS + RC_PASSES] += number
    time = now + number - 1 + code[row * CODE_FIELDS + R_LATENCY] + p[RESULT_CYCLES]
    land(m, p, code, regs, flight, time, now)
    return number * TICKS


@part
def _sectors(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    m: Any, p: Any, code: Any, s: Any, sm: int, flight: int, access: int, shape: int, now: int
) -> Any:
    """Ask for the sectors of an access from where it stands on; gives ticks held.

    Where one has to wait it gives BLOCKED, and SM_LSU_NEXT says until when, NEVER until something
    comes back.
    """
    at, g = p[AT_SM] + sm * SM_FIELDS, p[AT_GLOBAL]
    row = m[flight + F_ROW]
    record = row * CODE_FIELDS
    kind, space = code[record + R_ACCESS], s.way[access]
    first = s.first[shape] - m[g + G_FIRST_SECTOR]
    count = s.first[shape + 1] - s.first[shape]
    base = s.base[access]
    if space == S_LOCAL:
        base += _own_window(p, m[flight + F_WARP])
    for k in range(m[at + SM_LSU_PLACE], count):
        sector, words, full = base + s.offset[first + k], s.words[first + k], s.full[first + k]
        when = _ask(m, p, sm, flight, row, kind, space, sector, words, full, now)
        if when != DONE:
            m[at + SM_LSU_PLACE] = k
            m[at + SM_LSU_NEXT] = NEVER if when == BLOCKED else max(when, now + 1)
            m[p[AT_SM_COUNT] + sm * SM_COUNTS + N_LSU_STALLS] += 1
            return BLOCKED
    m[p[AT_ROW_COUNT] + row * ROW_COUNTS + RC_SECTORS] += count
    if space == S_CONST:
        return -(-count // p[CONST_PORTS]) * TICKS
    if space == S_TEXTURE:
        return -(-count // p[TEX_PORTS]) * TICKS
    return count * TICKS // p[L1_PER_CYCLE]


@part
def _own_window(p: Any, warp: int) -> Any:
    """Give the first sector of the memory that a warp's slot has for its threads' own variables."""
    number = (warp - p[AT_WARP]) // WARP_FIELDS
    return (1 << 40) + (number << 12)


@part
def _ask(  # noqa: PLR0913, PLR0917 - what a sector's way depends on
    m: Any, p: Any, sm: int, flight: int, row: int, kind: int, space: int, sector: int,
    words: int, full: int, now: int,
) -> Any:  # fmt: skip
    """Ask for one sector; gives DONE, BLOCKED, or the time until which it has to wait."""
    at = p[AT_SM] + sm * SM_FIELDS
    counts = p[AT_SM_COUNT] + sm * SM_COUNTS
    if space == S_CONST:
        return _load(m, p, sm, flight, row, p[OF_CONST], sector, now, p[CONST_LATENCY])
    if space == S_TEXTURE:
        return _load(m, p, sm, flight, row, p[OF_TEX], sector, now, p[TEX_LATENCY])
    cached = p[L1_CACHE + C_THERE] != 0 and (p[CACHES_GLOBAL] != 0 or space == S_LOCAL)
    if kind == A_LOAD or kind == A_ASYNC:
        if cached:
            when = _load(m, p, sm, flight, row, p[OF_L1], sector, now, p[L1_LATENCY])
        else:
            when = _past_l1(m, p, sm, flight, QK_LOAD, sector, words, full, now)
        if when == DONE:
            m[counts + N_READ_SECTORS] += 1
        return when
    if kind == A_ATOMIC:
        when = _past_l1(m, p, sm, flight, QK_ATOMIC, sector, words, full, now)
        if when == DONE:
            m[counts + N_ATOMIC_SECTORS] += 1
        return when
    cached = cached and p[L1_KEEPS] != 0
    when = _store(m, p, sm, flight, row, space, cached, sector, words, full, now)
    if when == DONE:
        m[counts + N_WRITE_SECTORS] += 1
    return when


@part
def _network(m: Any, p: Any, sm: int, sector: int, ready: int, now: int) -> Any:
    """Tell whether a request can go: DONE, or BLOCKED, or the time until which it has to wait."""
    at = p[AT_SM] + sm * SM_FIELDS
    if m[p[AT_GLOBAL] + G_FREE_REQUEST] == NONE:
        return now + RETRY_CYCLES
    if not has_room(m, p, sector):
        m[p[AT_SLICE] + slice_of(p, sector) * SLICE_FIELDS + SL_HELD_SMS] = 1
        m[at + SM_BLOCKED] = 1
        return BLOCKED
    backlog = m[at + SM_OUT_FREE] // TICKS - ready
    return DONE if backlog < p[L1_QUEUE] else now + backlog - p[L1_QUEUE] + 1


@part
def _load(  # noqa: PLR0913, PLR0917 - what a load is
    m: Any, p: Any, sm: int, flight: int, row: int, c: int, sector: int, now: int, latency: int
) -> Any:
    """Load a sector through a cache of the SM."""
    at, counts = p[AT_SM] + sm * SM_FIELDS, p[AT_SM_COUNT] + sm * SM_COUNTS
    sectors = p[c + C_SECTORS]
    line, part_ = sector // sectors, sector % sectors
    key = key_of(p, c, line)
    place = look_up(m, p, c, sm, key)
    bit = 1 << part_
    if place != NO_ROW and m[place + VALID] & bit:
        use(m, p, c, sm, place)
        _count(m, p, counts, row, c, 0)
        m[flight + F_READY] = max(m[flight + F_READY], now + latency + 1)
        return DONE
    if place != NO_ROW and m[extra_of(p, c, place) + X_PENDING] & bit:
        waiters = extra_of(p, c, place) + X_WAITERS + 2 * part_
        if m[waiters + 1] >= p[L1_MERGE]:
            return BLOCKED
        if m[p[AT_GLOBAL] + G_FREE_REQUEST] == NONE:
            return now + RETRY_CYCLES
        use(m, p, c, sm, place)
        _wait_for(m, p, waiters, flight)
        _count(m, p, counts, row, c, 1)
        return DONE
    if m[at + SM_MSHRS] >= p[L1_MSHRS]:
        return BLOCKED
    when = _network(m, p, sm, sector, now + latency + ISSUE_TO_NETWORK, now)
    if when != DONE:
        return when
    if place == NO_ROW:
        place = _room_for(m, p, sm, c, key, now)
        if place == NO_ROW:
            return BLOCKED
    else:
        use(m, p, c, sm, place)
    extra = extra_of(p, c, place)
    m[extra + X_PENDING] |= bit
    m[at + SM_MSHRS] += 1
    send(m, p, sm, now + latency + ISSUE_TO_NETWORK, sector, QK_LOAD, place, c, 1, 1)
    _wait_for(m, p, extra + X_WAITERS + 2 * part_, flight)
    _count(m, p, counts, row, c, 2)
    return DONE


@part
def _count(m: Any, p: Any, counts: int, row: int, c: int, found: int) -> None:
    """Count a look-up: found (0), on its way (1), missed (2)."""
    if c == CONST_CACHE:
        m[counts + N_CONST_ACCESSES] += 1
        m[counts + N_CONST_MISSES] += found == 2
        return
    if p[L1_KEEPS] == 0 and c == L1_CACHE:
        return
    if c == TEX_CACHE:
        m[counts + N_TEX_ACCESSES] += 1
        m[counts + N_TEX_MISSES] += found == 2
        return
    m[counts + N_L1_ACCESSES] += 1
    m[counts + N_L1_HITS + found] += 1
    m[p[AT_ROW_COUNT] + row * ROW_COUNTS + RC_HITS] += found == 0


@part
def _wait_for(m: Any, p: Any, waiters: int, flight: int) -> None:
    """Let an access wait for a sector; a request's record serves as the link of the list."""
    link = new_request(m, p)
    m[link + Q_REF], m[link + Q_SECTOR] = flight, m[waiters]
    m[waiters] = link
    m[waiters + 1] += 1
    m[flight + F_LEFT] += 1


@part
def _room_for(m: Any, p: Any, sm: int, c: int, key: int, now: int) -> Any:
    """Make room for a line; what was written and not handed on goes to L2. NO_ROW where none is."""
    row = victim_of(m, p, c, sm, key)
    if row == NO_ROW:
        return row
    dirty = m[row + DIRTY]
    if dirty != 0:
        old = line_of(p, c, m[row + TAG])
        for k in range(p[c + C_SECTORS]):
            if dirty >> k & 1:
                sector = old * p[c + C_SECTORS] + k
                if not has_room(m, p, sector):
                    return NO_ROW
                send(m, p, sm, now + 1, sector, QK_WRITE_BACK, NONE, NONE, 1, 1)
                m[row + DIRTY] &= ~(1 << k)
    bring_in(m, p, c, sm, key, row)
    return row


@part
def _past_l1(  # noqa: PLR0913, PLR0917 - what a request is
    m: Any, p: Any, sm: int, flight: int, kind: int, sector: int, words: int, full: int, now: int
) -> Any:
    """Ask L2 without L1: atomics, and loads where L1 does not keep global memory."""
    when = _network(m, p, sm, sector, now + 1, now)
    if when != DONE:
        return when
    send(m, p, sm, now + 1, sector, kind, flight, NONE, words, full)
    m[flight + F_LEFT] += 1
    return DONE


@part
def _store(  # noqa: PLR0913, PLR0917 - the policies
    m: Any, p: Any, sm: int, flight: int, row: int, space: int, cached: bool, sector: int, words: int,
    full: int, now: int,
) -> Any:  # fmt: skip
    """Store a sector: into L1 by its policy, and on to L2 unless it is kept back."""
    counts, c = p[AT_SM_COUNT] + sm * SM_COUNTS, p[OF_L1]
    policy = p[WRITE_POLICY]
    keeps = cached and policy != WRITE_THROUGH and (policy != WRITE_LOCAL_BACK or space == S_LOCAL)
    latency = p[L1_LATENCY] if cached else 0
    place, key, bit, hit = NO_ROW, 0, 0, False
    if cached:
        sectors = p[c + C_SECTORS]
        key, bit = key_of(p, c, sector // sectors), 1 << sector % sectors
        place = look_up(m, p, c, sm, key)
        if place != NO_ROW:
            extra = extra_of(p, c, place)
            hit = (m[place + VALID] | m[extra + X_WRITTEN]) & bit != 0
    if not keeps or (not hit and p[L1_ALLOCATES] == 0):
        when = _network(m, p, sm, sector, now + latency + ISSUE_TO_NETWORK, now)
        if when != DONE:
            return when
    if cached and place == NO_ROW and p[L1_ALLOCATES] != 0:
        place = _room_for(m, p, sm, c, key, now)
        if place == NO_ROW:
            return BLOCKED
    if cached:
        m[counts + N_L1_ACCESSES] += 1
        m[counts + N_WRITE_ACCESSES] += 1
        m[counts + (N_L1_HITS if hit else N_L1_MISSES)] += 1
        m[counts + N_WRITE_HITS] += hit
        m[p[AT_ROW_COUNT] + row * ROW_COUNTS + RC_HITS] += hit
    if place != NO_ROW and (hit or p[L1_ALLOCATES] != 0):
        use(m, p, c, sm, place)
        extra = extra_of(p, c, place)
        if full:
            m[place + VALID] |= bit
        else:
            m[extra + X_WRITTEN] |= bit
        if keeps:
            m[place + DIRTY] |= bit
            return DONE
    m[flight + F_LEFT] += 1
    send(m, p, sm, now + latency + ISSUE_TO_NETWORK, sector, QK_STORE, flight, NONE, words, full)
    return DONE


@part
def _all_asked(m: Any, p: Any, code: Any, regs: Any, flight: int, now: int) -> None:
    """Note that all sectors of an access have been asked for; if all were there, it is over."""
    m[flight + F_DONE] = 1
    if m[flight + F_LEFT] == 0:
        over(m, p, code, regs, flight, max(m[flight + F_READY], now), now)


@part
def over(m: Any, p: Any, code: Any, regs: Any, flight: int, time: int, now: int) -> None:
    """End an access of which nothing is under way any more."""
    warp, kind = m[flight + F_WARP], code[m[flight + F_ROW] * CODE_FIELDS + R_ACCESS]
    if kind == A_STORE:
        m[warp + WP_STORES] -= 1
        free_flight(m, p, flight)
        settle(m, p, code, regs, warp, now)
        return
    if kind == A_ASYNC:
        m[warp + WP_ASYNC] -= 1
        m[warp + WP_RING + m[flight + F_OWN_GROUP]] -= 1
    land(m, p, code, regs, flight, time, now)


@part
def receive(m: Any, p: Any, code: Any, regs: Any, sm: int, now: int) -> None:
    """Take the replies that have come to an SM."""
    at = p[AT_SM] + sm * SM_FIELDS
    while m[at + SM_REPLY_FIRST] != NONE and m[m[at + SM_REPLY_FIRST] + Q_TIME] <= now:
        request = m[at + SM_REPLY_FIRST]
        m[at + SM_REPLY_FIRST] = m[request + Q_NEXT]
        if m[request + Q_NEXT] == NONE:
            m[at + SM_REPLY_LAST] = NONE
        if m[request + Q_CACHE] != NONE:
            _fill(m, p, code, regs, sm, request, now)
        elif m[request + Q_KIND] != QK_WRITE_BACK:
            _one_less(m, p, code, regs, m[request + Q_REF], now + FILL_CYCLES, now)
        free_request(m, p, request)
        if m[at + SM_LSU_COUNT] > 0 and m[at + SM_LSU_NEXT] >= NEVER:
            m[at + SM_LSU_NEXT] = now


@part
def _fill(m: Any, p: Any, code: Any, regs: Any, sm: int, request: int, now: int) -> None:
    """Put a sector into the cache that asked for it, and let go on what waited for it."""
    c, place = m[request + Q_CACHE], m[request + Q_REF]
    part_ = m[request + Q_SECTOR] % p[c + C_SECTORS]
    extra = extra_of(p, c, place)
    m[extra + X_PENDING] &= ~(1 << part_)
    m[extra + X_WRITTEN] &= ~(1 << part_)
    if c != L1_CACHE or p[L1_KEEPS] != 0:
        m[place + VALID] |= 1 << part_
    m[p[AT_SM] + sm * SM_FIELDS + SM_MSHRS] -= 1
    waiters = extra + X_WAITERS + 2 * part_
    link, time = m[waiters], now + FILL_CYCLES
    m[waiters], m[waiters + 1] = NONE, 0
    while link != NONE:
        following = m[link + Q_SECTOR]
        _one_less(m, p, code, regs, m[link + Q_REF], time, now)
        free_request(m, p, link)
        link = following


@part
def _one_less(m: Any, p: Any, code: Any, regs: Any, flight: int, time: int, now: int) -> None:
    """Note that one of the sectors of an access has come."""
    m[flight + F_LEFT] -= 1
    m[flight + F_READY] = max(m[flight + F_READY], time)
    if m[flight + F_LEFT] == 0 and m[flight + F_DONE] != 0:
        over(m, p, code, regs, flight, m[flight + F_READY], now)
