"""The load and store unit of an SM: accesses in order, through its caches or past them."""

from __future__ import annotations

from typing import Any

from simulator.gpu.caches import bring_in, extra_of, key_of, line_of, look_up, use, victim_of
from simulator.gpu.compiled import part
from simulator.gpu.fields import (
    A_ASYNC,
    A_ATOMIC,
    A_LOAD,
    A_STORE,
    AT_BIN,
    AT_LSU,
    AT_ROW_COUNT,
    AT_SM,
    AT_SM_COUNT,
    AT_WARP,
    B_L1_ACCESSES,
    BIN_FIELDS,
    BX_FIRST,
    C_SECTORS,
    C_THERE,
    CONST_APART,
    CONST_CACHE,
    CONST_LATENCY,
    CONST_PORTS,
    F_ACCESS,
    F_AT,
    F_DONE,
    F_GROUP,
    F_LEFT,
    F_READY,
    F_ROW,
    F_WARP,
    G_BIN_CYCLES,
    G_WRITE_BACKS,
    ISSUE_TO_NETWORK,
    K_FREE,
    L1_ALLOCATES,
    L1_CACHE,
    L1_KEEPS,
    L1_LATENCY,
    L1_MERGE,
    L1_MSHRS,
    L1_QUEUE,
    L1_SECTOR_TICKS,
    L1_WRITE,
    LSU_QUEUE,
    LSU_TICKS,
    MISS_CYCLES,
    N_ATOMIC_SECTORS,
    N_BANK_CONFLICTS,
    N_CONST_ACCESSES,
    N_CONST_MISSES,
    N_L1_ACCESSES,
    N_L1_HITS,
    N_L1_MISSES,
    N_LSU_STALLS,
    N_PACKETS_IN,
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
    PAST_L1_CYCLES,
    Q_CACHE,
    Q_KIND,
    Q_REF,
    Q_SECTOR,
    Q_TIME,
    QK_ATOMIC,
    QK_LOAD,
    QK_STORE,
    QK_WRITE_BACK,
    R_ACCESS,
    R_AS_ONE,
    R_KIND,
    R_LATENCY,
    R_PASSES,
    R_PAST_L1,
    R_SPACE,
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
    SHARED_ATOMIC_TICKS,
    SHARED_PASS_TICKS,
    SHARED_PORTS,
    SM_AT_ONCE,
    SM_COUNTS,
    SM_FIELDS,
    SM_LSU_COUNT,
    SM_LSU_FIRST,
    SM_LSU_FREE,
    SM_LSU_NEXT,
    SM_LSU_PLACE,
    SM_MSHRS,
    SM_OUT_FREE,
    SM_SEGMENT,
    SM_UNDER_WAY,
    SM_WAITERS,
    T_SECTOR,
    T_SHAPE,
    TEX_CACHE,
    TEX_LATENCY,
    TEX_PORTS,
    TICKS,
    WAITERS,
    WARP_FIELDS,
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
from simulator.gpu.network import take_first
from simulator.gpu.requests import free_request, has_room, new_request, send
from simulator.gpu.warps import code_of, free_flight, land, settle
from simulator.memory.cache_step import DIRTY, TAG, VALID

DONE, BLOCKED = -1, -2
"""What trying to serve a sector gives beside the time until which it has to wait."""

FILL_CYCLES = 3
"""From a line's coming back to the use of what loads waited for."""

RETRY_CYCLES = 16
"""After which an access is tried again that found too much being written back."""


@part
def enqueue(m: Any, sm: int, flight: int, time: int) -> None:
    """Put an access into the unit's queue, which has room, from a time on."""
    at = m[AT_SM] + sm * SM_FIELDS
    place = (m[at + SM_LSU_FIRST] + m[at + SM_LSU_COUNT]) % m[LSU_QUEUE]
    m[m[AT_LSU] + sm * m[LSU_QUEUE] + place] = flight
    m[flight + F_AT] = time
    if m[at + SM_LSU_COUNT] == 0:
        m[at + SM_LSU_NEXT] = max(time, -(-m[at + SM_LSU_FREE] // TICKS))
        m[at + SM_LSU_PLACE] = 0
    m[at + SM_LSU_COUNT] += 1


@part
def serve(m: Any, t: Any, sm: int, now: int) -> None:
    """Let the unit do what it can at a cycle; SM_LSU_NEXT is then the next one at which it can."""
    at = m[AT_SM] + sm * SM_FIELDS
    while m[at + SM_LSU_COUNT] > 0 and m[at + SM_LSU_NEXT] <= now:
        flight = m[m[AT_LSU] + sm * m[LSU_QUEUE] + m[at + SM_LSU_FIRST]]
        space, access, shape = S_ALWAYS, NONE, NONE
        if m[flight + F_ACCESS] != NONE:
            access = m[flight + F_ACCESS]
            space = t[access + 1] & 255
            shape = access + (t[access + 1] >> 32)
        if space == S_SHARED or space == S_ALWAYS:
            own = code_of(m, m[flight + F_ROW]) + R_PASSES
            word = t[shape] if space == S_SHARED else m[own]
            held = _on_chip(m, sm, flight, word & 65535, word >> 16 & 255, now)
        else:
            held = _sectors(m, t, sm, flight, access, shape, now)
            if held < 0:
                break
            held = max(held, -(-(t[shape] & 65535) // _ports(m, space)) * TICKS)
            _all_asked(m, flight, now)
        if not _is_apart(m, flight, space):
            free = max(m[at + SM_LSU_FREE], now * TICKS)
            m[at + SM_LSU_FREE] = free + max(held, m[LSU_TICKS])
        m[at + SM_LSU_FIRST] = (m[at + SM_LSU_FIRST] + 1) % m[LSU_QUEUE]
        m[at + SM_LSU_COUNT] -= 1
        m[at + SM_LSU_PLACE] = 0
        m[at + SM_SEGMENT] = m[at + SM_AT_ONCE] = NONE
        _look_at_next(m, sm)


@part
def _is_apart(m: Any, flight: int, space: int) -> Any:
    """Tell whether an access leaves the unit alone: constants on some machines, or as operands."""
    is_operand = m[code_of(m, m[flight + F_ROW]) + R_KIND] == K_FREE
    return space == S_CONST and (m[CONST_APART] != 0 or is_operand)


@part
def _look_at_next(m: Any, sm: int) -> None:
    at = m[AT_SM] + sm * SM_FIELDS
    if m[at + SM_LSU_COUNT] == 0:
        m[at + SM_LSU_NEXT] = NEVER
        return
    head = m[m[AT_LSU] + sm * m[LSU_QUEUE] + m[at + SM_LSU_FIRST]]
    m[at + SM_LSU_NEXT] = max(m[head + F_AT], m[at + SM_LSU_FREE] // TICKS)


@part
def _on_chip(m: Any, sm: int, flight: int, passes: int, most: int, now: int) -> Any:
    """Serve an access to shared memory, or to what is always on the SM; gives ticks held.

    ``passes`` are those of its banks, 0 for constants; ``most`` are lanes at the busiest word, of
    which atomics serve one after the other. Where addresses are not known no banks conflict.
    """
    counts, row = m[AT_SM_COUNT] + sm * SM_COUNTS, m[flight + F_ROW]
    code, is_known = code_of(m, row), m[flight + F_ACCESS] != NONE
    number = 1
    if passes > 0:
        number = -(-passes // m[SHARED_PORTS])
    if passes > 0 and (is_known or m[code + R_SPACE] == S_SHARED):
        m[counts + N_SHARED_ACCESSES] += 1
        m[counts + N_SHARED_PASSES] += number
        m[counts + N_BANK_CONFLICTS] += passes - 1 if is_known else 0
        m[m[AT_ROW_COUNT] + row * ROW_COUNTS + RC_PASSES] += number
    ticks = number * m[SHARED_PASS_TICKS] if passes > 0 else TICKS
    if passes > 0 and m[code + R_ACCESS] == A_ATOMIC:
        ticks = max(ticks, (most if m[code + R_AS_ONE] == 0 else 1) * m[SHARED_ATOMIC_TICKS])
    time = now + (ticks + TICKS - 1) // TICKS - 1 + m[code + R_LATENCY] + m[RESULT_CYCLES]
    over(m, flight, time, now)
    return ticks


@part
def _sectors(m: Any, t: Any, sm: int, flight: int, access: int, shape: int, now: int) -> Any:
    """Ask for the sectors of an access from where it stands on; gives ticks held.

    Where one has to wait it gives BLOCKED, and SM_LSU_NEXT says until when, NEVER until something
    comes back.
    """
    at, row = m[AT_SM] + sm * SM_FIELDS, m[flight + F_ROW]
    kind, space = m[code_of(m, row) + R_ACCESS], t[access + 1] & 255
    following, as_one = shape + T_SHAPE, m[code_of(m, row) + R_AS_ONE]
    first = shape + (t[shape] >> 24)
    count = following + (t[following] >> 24) - first
    base = t[access]
    if space == S_LOCAL:
        base += _own_window(m, m[flight + F_WARP])
    for k in range(m[at + SM_LSU_PLACE], count):
        word = t[first + k * T_SECTOR]
        sector, words, parts = base + (word >> 16), word >> 8 & 255, word & 255
        if as_one != 0:
            words = 1
        when = _ask(m, sm, flight, row, kind, space, sector, words, parts, now)
        if when != DONE:
            m[at + SM_LSU_PLACE] = k
            m[at + SM_LSU_NEXT] = NEVER if when == BLOCKED else max(when, now + 1)
            m[m[AT_SM_COUNT] + sm * SM_COUNTS + N_LSU_STALLS] += 1
            return BLOCKED
    m[m[AT_ROW_COUNT] + row * ROW_COUNTS + RC_SECTORS] += count
    if space == S_CONST or space == S_TEXTURE:
        return -(-count // _ports(m, space)) * TICKS
    return count * m[L1_SECTOR_TICKS]


@part
def _ports(m: Any, space: int) -> Any:
    """Give how much of an access is served at once: words of constants, lines of textures."""
    if space == S_CONST:
        return m[CONST_PORTS]
    return m[TEX_PORTS] if space == S_TEXTURE else 1


@part
def _own_window(m: Any, warp: int) -> Any:
    """Give the first sector of the memory that a warp's slot has for its threads' own variables."""
    number = (warp - m[AT_WARP]) // WARP_FIELDS
    return (1 << 40) + (number << 12)


@part
def _ask(
    m: Any, sm: int, flight: int, row: int, kind: int, space: int, sector: int,
    words: int, parts: int, now: int,
) -> Any:  # fmt: skip
    """Ask for one sector; gives DONE, BLOCKED, or the time until which it has to wait."""
    counts = m[AT_SM_COUNT] + sm * SM_COUNTS
    if space == S_CONST:
        away = m[CONST_LATENCY] + ISSUE_TO_NETWORK
        return _load(m, sm, flight, row, m[OF_CONST], sector, now, m[CONST_LATENCY], away)
    if space == S_TEXTURE:
        away = m[TEX_LATENCY] + ISSUE_TO_NETWORK
        return _load(m, sm, flight, row, m[OF_TEX], sector, now, m[TEX_LATENCY], away)
    past = m[code_of(m, row) + R_PAST_L1] != 0 and m[L1_KEEPS] != 0 and space != S_LOCAL
    cached = m[L1_CACHE + C_THERE] != 0 and not past
    if kind == A_LOAD or kind == A_ASYNC:
        if cached:
            when = _load(m, sm, flight, row, m[OF_L1], sector, now, m[L1_LATENCY], m[MISS_CYCLES])
        else:
            when = _past_l1(m, sm, flight, QK_LOAD, sector, words, parts, now, m[PAST_L1_CYCLES])
        if when == DONE:
            m[counts + N_READ_SECTORS] += 1
        return when
    if kind == A_ATOMIC:
        when = _past_l1(m, sm, flight, QK_ATOMIC, sector, words, parts, now, 1)
        if when == DONE:
            m[counts + N_ATOMIC_SECTORS] += 1
        return when
    cached = cached and m[L1_KEEPS] != 0
    when = _store(m, sm, flight, row, space, cached, sector, words, parts, now)
    if when == DONE:
        m[counts + N_WRITE_SECTORS] += 1
    return when


@part
def _network(m: Any, sm: int, ready: int, now: int) -> Any:
    """Tell whether a request can go: DONE, or BLOCKED, or the time until which it has to wait."""
    at = m[AT_SM] + sm * SM_FIELDS
    if not has_room(m, sm):
        return BLOCKED
    backlog = m[at + SM_OUT_FREE] // TICKS - ready
    return DONE if backlog < m[L1_QUEUE] else now + backlog - m[L1_QUEUE] + 1


@part
def _load(
    m: Any, sm: int, flight: int, row: int, c: int, sector: int, now: int, latency: int, away: int
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
        m[flight + F_READY] = max(m[flight + F_READY], now + latency + 1)
        return DONE
    if place != NONE and m[extra_of(m, c, place) + X_PENDING] & bit:
        waiters = extra_of(m, c, place) + X_WAITERS + 2 * part_
        if m[at + SM_WAITERS] >= m[WAITERS]:
            return BLOCKED
        if m[L1_KEEPS] == 0:
            if m[waiters + 1] % m[L1_MERGE] == 0:  # a request has as many as it merges with
                when = _past_l1(m, sm, flight, QK_LOAD, sector, 1, WHOLE, now, 1)
                if when != DONE:
                    return when
        elif m[waiters + 1] >= m[L1_MERGE]:
            return BLOCKED
        use(m, c, sm, place)
        _wait_for(m, sm, waiters, flight)
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
    _wait_for(m, sm, extra + X_WAITERS + 2 * part_, flight)
    _count(m, counts, row, c, 2, now)
    return DONE


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
def _wait_for(m: Any, sm: int, waiters: int, flight: int) -> None:
    """Let an access wait for a sector; a request's record serves as the link of the list."""
    link = new_request(m)
    m[link + Q_REF], m[link + Q_SECTOR] = flight, m[waiters]
    m[waiters] = link
    m[waiters + 1] += 1
    m[m[AT_SM] + sm * SM_FIELDS + SM_WAITERS] += 1
    m[flight + F_LEFT] += 1


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
def _past_l1(
    m: Any, sm: int, flight: int, kind: int, sector: int, words: int, parts: int, now: int,
    away: int,
) -> Any:  # fmt: skip
    """Ask L2 without L1: atomics, and loads that do not look for their data there."""
    when = _network(m, sm, now + away, now)
    if when != DONE:
        return when
    send(m, sm, now + away, sector, kind, flight, NONE, words, parts)
    m[flight + F_LEFT] += 1
    return DONE


@part
def _store(
    m: Any, sm: int, flight: int, row: int, space: int, cached: bool, sector: int, words: int,
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
    m[flight + F_LEFT] += 1
    send(m, sm, now + latency + ISSUE_TO_NETWORK, sector, QK_STORE, flight, NONE, words, parts)
    return DONE


@part
def _all_asked(m: Any, flight: int, now: int) -> None:
    """Note that all sectors of an access have been asked for; if all were there, it is over."""
    m[flight + F_DONE] = 1
    if m[flight + F_LEFT] == 0:
        over(m, flight, max(m[flight + F_READY], now), now)


@part
def all_there(m: Any, t: Any, sm: int, access: int, now: int) -> Any:
    """Tell whether the SM's cache has all constants of an access, which is then made."""
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
    """Give the row of the constant cache that has a sector; NONE: it does not."""
    sectors = m[c + C_SECTORS]
    place = look_up(m, c, sm, key_of(m, c, sector // sectors))
    if place == NONE or m[place + VALID] >> sector % sectors & 1 == 0:
        return NONE
    return place


@part
def over(m: Any, flight: int, time: int, now: int) -> None:
    """End an access of which nothing is under way any more."""
    warp, row = m[flight + F_WARP], code_of(m, m[flight + F_ROW])
    kind = m[row + R_ACCESS]
    if kind == A_STORE and m[row + R_SPACE] != S_SHARED:
        m[warp + WP_STORES] -= 1
        free_flight(m, flight)
        settle(m, warp, now)
        return
    if kind == A_ASYNC:
        m[warp + WP_ASYNC] -= 1
        m[warp + WP_RING + m[flight + F_GROUP]] -= 1
    land(m, flight, time, now)


@part
def receive(m: Any, sm: int, now: int) -> None:
    """Take the replies that have come to an SM."""
    at = m[AT_SM] + sm * SM_FIELDS
    while m[at + BX_FIRST] != NONE and m[m[at + BX_FIRST] + Q_TIME] <= now:
        request = take_first(m, at)
        m[at + SM_UNDER_WAY] -= 1
        m[m[AT_SM_COUNT] + sm * SM_COUNTS + N_PACKETS_IN] += 1
        if m[request + Q_CACHE] != NONE:
            _fill(m, sm, request, now)
        elif m[request + Q_KIND] != QK_WRITE_BACK:
            _one_less(m, m[request + Q_REF], now + FILL_CYCLES, now)
        free_request(m, request)
        if m[at + SM_LSU_COUNT] > 0 and m[at + SM_LSU_NEXT] >= NEVER:
            m[at + SM_LSU_NEXT] = now


@part
def _fill(m: Any, sm: int, request: int, now: int) -> None:
    """Put a sector into the cache that asked for it, and let go on what waited for it."""
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
        _one_less(m, m[link + Q_REF], time, now)
        free_request(m, link)
        link = following


@part
def _one_less(m: Any, flight: int, time: int, now: int) -> None:
    """Note that one of the sectors of an access has come."""
    m[flight + F_LEFT] -= 1
    m[flight + F_READY] = max(m[flight + F_READY], time)
    if m[flight + F_LEFT] == 0 and m[flight + F_DONE] != 0:
        over(m, flight, m[flight + F_READY], now)
