"""The load and store unit of an SM: accesses in order, through its caches or past them."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    A_ATOMIC,
    A_LOAD,
    AT_LSU,
    AT_ROW_COUNT,
    AT_SM,
    AT_SM_COUNT,
    AT_WARP,
    BX_FIRST,
    C_THERE,
    CONST_APART,
    CONST_LATENCY,
    CONST_PORTS,
    ISSUE_TO_NETWORK,
    K_FREE,
    L1_CACHE,
    L1_KEEPS,
    L1_LATENCY,
    L1_SECTOR_TICKS,
    LSU_QUEUE,
    LSU_TICKS,
    MISS_CYCLES,
    N_ATOMIC_SECTORS,
    N_BANK_CONFLICTS,
    N_LSU_STALLS,
    N_PACKETS_IN,
    N_READ_SECTORS,
    N_SHARED_ACCESSES,
    N_SHARED_PASSES,
    N_WRITE_SECTORS,
    NEVER,
    NONE,
    OF_CONST,
    OF_L1,
    OF_TEX,
    PA_ACCESS,
    PA_AT,
    PA_ROW,
    PA_WARP,
    PAST_L1_CYCLES,
    Q_CACHE,
    Q_KIND,
    Q_REF,
    Q_TIME,
    QK_ATOMIC,
    QK_LOAD,
    QK_WRITE_BACK,
    R_ACCESS,
    R_AS_ONE,
    R_ASKS,
    R_KIND,
    R_LATENCY,
    R_PASSES,
    R_PAST_L1,
    R_SPACE,
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
    SM_SEGMENT,
    SM_UNDER_WAY,
    T_SECTOR,
    T_SHAPE,
    TEX_LATENCY,
    TEX_PORTS,
    TICKS,
    WARP_FIELDS,
)
from warpmill.simulator.gpu.network import free_request, take_first
from warpmill.simulator.gpu.sm_caches import (
    BLOCKED,
    DONE,
    FILL_CYCLES,
    all_requests_issued,
    complete_access,
    fill_sector,
    load_sector,
    on_sector_fill,
    past_l1,
    store_sector,
)
from warpmill.simulator.gpu.warps import code_of


@part
def enqueue(m: Any, sm: int, pending: int, time: int) -> None:
    """Append an access to the unit's queue, which has room, from a time on."""
    at = m[AT_SM] + sm * SM_FIELDS
    place = (m[at + SM_LSU_FIRST] + m[at + SM_LSU_COUNT]) % m[LSU_QUEUE]
    m[m[AT_LSU] + sm * m[LSU_QUEUE] + place] = pending
    m[pending + PA_AT] = time
    if m[at + SM_LSU_COUNT] == 0:
        m[at + SM_LSU_NEXT] = max(time, -(-m[at + SM_LSU_FREE] // TICKS))
        m[at + SM_LSU_PLACE] = 0
    m[at + SM_LSU_COUNT] += 1


@part
def serve(m: Any, t: Any, sm: int, now: int) -> None:
    """Serve what the unit can at a cycle; SM_LSU_NEXT is then the next one at which it can."""
    at = m[AT_SM] + sm * SM_FIELDS
    while m[at + SM_LSU_COUNT] > 0 and m[at + SM_LSU_NEXT] <= now:
        pending = m[m[AT_LSU] + sm * m[LSU_QUEUE] + m[at + SM_LSU_FIRST]]
        space, access, shape = S_ALWAYS, NONE, NONE
        if m[pending + PA_ACCESS] != NONE:
            access = m[pending + PA_ACCESS]
            space = t[access + 1] & 255
            shape = access + (t[access + 1] >> 32)
        if space == S_SHARED or space == S_ALWAYS:
            own = code_of(m, m[pending + PA_ROW]) + R_PASSES
            word = t[shape] if space == S_SHARED else m[own]
            held = _on_chip(m, sm, pending, word & 65535, word >> 16 & 255, now)
        else:
            held = _sectors(m, t, sm, pending, access, shape, now)
            if held < 0:
                break
            held = max(held, -(-(t[shape] & 65535) // _ports(m, space)) * TICKS)
            all_requests_issued(m, pending, now)
        if not _is_apart(m, pending, space):
            free = max(m[at + SM_LSU_FREE], now * TICKS)
            m[at + SM_LSU_FREE] = free + max(held, m[LSU_TICKS])
        m[at + SM_LSU_FIRST] = (m[at + SM_LSU_FIRST] + 1) % m[LSU_QUEUE]
        m[at + SM_LSU_COUNT] -= 1
        m[at + SM_LSU_PLACE] = 0
        m[at + SM_SEGMENT] = m[at + SM_AT_ONCE] = NONE
        _look_at_next(m, sm)


@part
def _is_apart(m: Any, pending: int, space: int) -> Any:
    """Whether an access leaves the unit alone: constants on some machines, or as operands."""
    is_operand = m[code_of(m, m[pending + PA_ROW]) + R_KIND] == K_FREE
    return space == S_CONST and (m[CONST_APART] != 0 or is_operand)


@part
def _look_at_next(m: Any, sm: int) -> None:
    at = m[AT_SM] + sm * SM_FIELDS
    if m[at + SM_LSU_COUNT] == 0:
        m[at + SM_LSU_NEXT] = NEVER
        return
    head = m[m[AT_LSU] + sm * m[LSU_QUEUE] + m[at + SM_LSU_FIRST]]
    m[at + SM_LSU_NEXT] = max(m[head + PA_AT], m[at + SM_LSU_FREE] // TICKS)


@part
def _on_chip(m: Any, sm: int, pending: int, passes: int, most: int, now: int) -> Any:
    """Serve an access to shared memory, or to what is always on the SM; gives ticks held.

    ``passes`` are those of its banks, 0 for constants; ``most`` are lanes at the busiest word, of
    which atomics serve one after the other. Where addresses are not known no banks conflict.
    """
    counts, row = m[AT_SM_COUNT] + sm * SM_COUNTS, m[pending + PA_ROW]
    code, is_known = code_of(m, row), m[pending + PA_ACCESS] != NONE
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
    complete_access(m, pending, time, now)
    return ticks


@part
def _sectors(m: Any, t: Any, sm: int, pending: int, access: int, shape: int, now: int) -> Any:
    """Request the sectors of an access from where it stands on; returns ticks held.

    Where one has to wait it gives BLOCKED, and SM_LSU_NEXT says until when, NEVER until something
    comes back.
    """
    at, row = m[AT_SM] + sm * SM_FIELDS, m[pending + PA_ROW]
    kind, space = m[code_of(m, row) + R_ASKS], t[access + 1] & 255
    following, as_one = shape + T_SHAPE, m[code_of(m, row) + R_AS_ONE]
    first = shape + (t[shape] >> 24)
    count = following + (t[following] >> 24) - first
    base = t[access]
    if space == S_LOCAL:
        base += _own_window(m, m[pending + PA_WARP])
    for k in range(m[at + SM_LSU_PLACE], count):
        word = t[first + k * T_SECTOR]
        sector, words, parts = base + (word >> 16), word >> 8 & 255, word & 255
        if as_one != 0:
            words = 1
        when = _ask(m, sm, pending, row, kind, space, sector, words, parts, now)
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
    """How much of an access is served at once: words of constants, lines of textures."""
    if space == S_CONST:
        return m[CONST_PORTS]
    return m[TEX_PORTS] if space == S_TEXTURE else 1


@part
def _own_window(m: Any, warp: int) -> Any:
    """The first sector of the memory that a warp's slot has for its threads' own variables."""
    number = (warp - m[AT_WARP]) // WARP_FIELDS
    return (1 << 40) + (number << 12)


@part
def _ask(
    m: Any, sm: int, pending: int, row: int, kind: int, space: int, sector: int,
    words: int, parts: int, now: int,
) -> Any:  # fmt: skip
    """Request one sector; returns DONE, BLOCKED, or the time until which it has to wait."""
    counts = m[AT_SM_COUNT] + sm * SM_COUNTS
    if space == S_CONST:
        away = m[CONST_LATENCY] + ISSUE_TO_NETWORK
        return load_sector(m, sm, pending, row, m[OF_CONST], sector, now, m[CONST_LATENCY], away)
    if space == S_TEXTURE:
        away = m[TEX_LATENCY] + ISSUE_TO_NETWORK
        return load_sector(m, sm, pending, row, m[OF_TEX], sector, now, m[TEX_LATENCY], away)
    past = m[code_of(m, row) + R_PAST_L1] != 0 and m[L1_KEEPS] != 0 and space != S_LOCAL
    cached = m[L1_CACHE + C_THERE] != 0 and not past
    if kind == A_LOAD:
        if cached:
            when = load_sector(
                m, sm, pending, row, m[OF_L1], sector, now, m[L1_LATENCY], m[MISS_CYCLES]
            )
        else:
            when = past_l1(m, sm, pending, QK_LOAD, sector, words, parts, now, m[PAST_L1_CYCLES])
        if when == DONE:
            m[counts + N_READ_SECTORS] += 1
        return when
    if kind == A_ATOMIC:
        when = past_l1(m, sm, pending, QK_ATOMIC, sector, words, parts, now, 1)
        if when == DONE:
            m[counts + N_ATOMIC_SECTORS] += 1
        return when
    cached = cached and m[L1_KEEPS] != 0
    when = store_sector(m, sm, pending, row, space, cached, sector, words, parts, now)
    if when == DONE:
        m[counts + N_WRITE_SECTORS] += 1
    return when


@part
def receive(m: Any, sm: int, now: int) -> None:
    """Take the replies that have come to an SM."""
    at = m[AT_SM] + sm * SM_FIELDS
    while m[at + BX_FIRST] != NONE and m[m[at + BX_FIRST] + Q_TIME] <= now:
        request = take_first(m, at)
        m[at + SM_UNDER_WAY] -= 1
        m[m[AT_SM_COUNT] + sm * SM_COUNTS + N_PACKETS_IN] += 1
        if m[request + Q_CACHE] != NONE:
            fill_sector(m, sm, request, now)
        elif m[request + Q_KIND] != QK_WRITE_BACK:
            on_sector_fill(m, m[request + Q_REF], now + FILL_CYCLES, now)
        free_request(m, request)
        if m[at + SM_LSU_COUNT] > 0 and m[at + SM_LSU_NEXT] >= NEVER:
            m[at + SM_LSU_NEXT] = now
