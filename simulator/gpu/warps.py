"""Warps of an SM: what they wait for, how they go on, and how they end."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.caches import bring_in, extra_of, key_of, look_up, use, victim_of
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    ASYNC_GROUPS,
    AT_AHEAD,
    AT_BARRIER,
    AT_CODE,
    AT_CTA,
    AT_CTA_LOG,
    AT_HISTOGRAM,
    AT_PENDING,
    AT_ROW_COUNT,
    AT_SCHEDULER,
    AT_SM,
    AT_SM_COUNT,
    AT_SPAN,
    AT_WARP,
    BARRIER_CYCLES,
    BARRIERS,
    C_THERE,
    CL_END,
    CL_ISSUED,
    CODE_FIELDS,
    CT_ISSUED,
    CT_LAUNCH,
    CT_LIVE,
    CT_NUMBER,
    CTA_FIELDS,
    CTA_LOG,
    CTAS,
    FETCH_AHEAD,
    FETCH_CACHE,
    FETCH_MISS,
    G_DISPATCH_AT,
    G_LAUNCHES_DONE,
    G_SPANS,
    G_WAITING,
    HISTOGRAM,
    K_COMMIT,
    K_FENCE,
    K_WAIT,
    LA_CODE,
    LA_CTAS,
    LA_DONE,
    LA_END,
    LA_LOG,
    LA_SHARE,
    LA_STATE,
    LOG_FIELDS,
    LS_DONE,
    MOST_ALIASES,
    N_FETCH_ACCESSES,
    N_FETCH_MISSES,
    N_WARP_CYCLES,
    NEVER,
    NONE,
    OF_FETCH,
    PA_BEGIN,
    PA_NEXT,
    PA_ROW,
    PA_WARP,
    PENDING_ACCESSES,
    PENDING_FIELDS,
    R_GROUPS,
    R_KIND,
    R_NEED_COUNT,
    R_NEEDS,
    R_REASON,
    R_WRITE_COUNT,
    R_WRITES,
    RC_COMPLETED,
    RC_LATENCY,
    RC_STALLS,
    REASON_BITS,
    ROW_COUNTS,
    SC_NEXT,
    SCHEDULER_FIELDS,
    SM_COUNTS,
    SM_CTAS,
    SM_END,
    SM_FIELDS,
    SM_FREE_PENDING,
    SM_SHARE,
    SM_WARPS,
    SM_YIELD,
    SPAN_FIELDS,
    SPANS,
    T_EVENT,
    W_BARRIER,
    W_DRAIN,
    W_LONG,
    W_MEMBAR,
    WARP_FIELDS,
    WARPS,
    WP_ACCESS,
    WP_ALIAS,
    WP_ALIASES,
    WP_ASYNC,
    WP_BARRIER,
    WP_BEGIN,
    WP_CTA,
    WP_END_ROW,
    WP_EVENT,
    WP_GROUPS,
    WP_ISSUED,
    WP_LANES,
    WP_LAST,
    WP_LAST_EVENT,
    WP_LOADS,
    WP_READY,
    WP_REASON,
    WP_REGISTERS,
    WP_RING,
    WP_ROW,
    WP_SCHEDULER,
    WP_SLOT,
    WP_SM,
    WP_STATE,
    WP_STORES,
    WS_ENDING,
    WS_NONE,
    WS_RUNS,
    X_WAITERS,
)


@part
def code_of(m: Any, row: int) -> Any:
    """The place of an instruction's record by its number."""
    return m[AT_CODE] + row * CODE_FIELDS


@part
def set_wake(m: Any, warp: int, time: int, reason: int) -> None:
    """Set the time from which a warp is ready, and at which its scheduler looks at it."""
    m[m[warp + WP_READY]], m[warp + WP_REASON] = time, reason
    if time >= NEVER:
        return
    scheduler = m[warp + WP_SCHEDULER]
    m[scheduler + SC_NEXT] = min(m[scheduler + SC_NEXT], time)


@part
def next_ready(m: Any, warp: int, floor: int, reason: int) -> None:
    """Work out from when on a warp can issue its next instruction, not before ``floor``.

    Results that it needs, and registers that it writes and that are still to be written, hold it
    up; ``reason`` is why it does not issue before ``floor``.
    """
    row = code_of(m, m[warp + WP_ROW])
    registers = m[warp + WP_REGISTERS]
    best = floor << REASON_BITS | reason
    first = m[row + R_NEEDS]
    for k in range(first, first + m[row + R_NEED_COUNT]):
        word = m[registers + m[k]]
        if word >> REASON_BITS > best >> REASON_BITS:
            best = word
    kind = m[row + R_KIND]
    if kind == K_WAIT and copies_under_way(m, warp, m[row + R_GROUPS]):
        best = NEVER << REASON_BITS | W_LONG
    if kind == K_COMMIT and m[warp + WP_RING + (m[warp + WP_GROUPS] + 1) % ASYNC_GROUPS] > 0:
        best = NEVER << REASON_BITS | W_LONG  # so many groups are told apart
    if kind == K_FENCE and m[warp + WP_LOADS] + m[warp + WP_STORES] > 0:
        best = NEVER << REASON_BITS | W_MEMBAR
    set_wake(m, warp, best >> REASON_BITS, best & ((1 << REASON_BITS) - 1))


@part
def copies_under_way(m: Any, warp: int, groups: int) -> Any:
    """Whether copies are under way of any but so many newest groups; -1: of any at all."""
    if m[warp + WP_ASYNC] == 0:
        return False
    if groups < 0:
        return True
    newest = m[warp + WP_GROUPS]
    kept = 0
    for k in range(min(groups + 1, ASYNC_GROUPS)):
        kept += m[warp + WP_RING + (newest - k) % ASYNC_GROUPS]
    return m[warp + WP_ASYNC] > kept


@part
def fetched(m: Any, sm: int, warp: int, line: int, time: int) -> Any:
    """The time at which the instructions of a line are there, asked for at a time."""
    if m[FETCH_CACHE + C_THERE] == 0:
        return time
    counts = m[AT_SM_COUNT] + sm * SM_COUNTS
    m[counts + N_FETCH_ACCESSES] += 1
    c = m[OF_FETCH]
    key = key_of(m, c, line)
    row = look_up(m, c, sm, key)
    if row == NONE:
        row = victim_of(m, c, sm, key)
        bring_in(m, c, sm, key, row)
        m[_arrival(m, row)] = _from_ahead(m, warp, line, time, counts)
    use(m, c, sm, row)
    return max(time, m[_arrival(m, row)])


@part
def _from_ahead(m: Any, warp: int, line: int, time: int, counts: int) -> Any:
    """The time at which a line arrives that the cache does not have.

    A buffer of each scheduler has the lines behind the last one that it gave, or which nobody had
    fetched ahead; what it gives makes room for more.
    """
    size = m[FETCH_AHEAD]
    scheduler = (m[warp + WP_SCHEDULER] - m[AT_SCHEDULER]) // SCHEDULER_FIELDS
    first = m[AT_AHEAD] + scheduler * (1 + size)
    place = line - m[first]
    arrives = time + m[FETCH_MISS]
    if m[first] == NONE or place < 0 or place >= size:
        m[counts + N_FETCH_MISSES] += 1
        place = size - 1
    else:
        arrives = m[first + 1 + place]
    m[first] = line + 1
    for k in range(size):
        there = k + place + 1
        m[first + 1 + k] = m[first + 1 + there] if there < size else time + m[FETCH_MISS]
    return arrives


@part
def _arrival(m: Any, row: int) -> Any:
    """The place of the time at which a line of instructions arrives: its first waiter's."""
    return extra_of(m, m[OF_FETCH], row) + X_WAITERS


@part
def enter_next_block(m: Any, t: Any, warp: int) -> Any:
    """Advance a warp to the first instruction of its next event that has any.

    Gives whether there is one.
    """
    while m[warp + WP_EVENT] < m[warp + WP_LAST_EVENT]:
        event = m[warp + WP_EVENT]
        block = m[m[m[warp + WP_CTA] + CT_LAUNCH] + LA_CODE] + (t[event] >> 8)
        if m[block] < m[block + 1]:
            m[warp + WP_ROW], m[warp + WP_END_ROW] = m[block], m[block + 1]
            m[warp + WP_ACCESS] = event + t[event + 1]
            m[warp + WP_LANES] = t[event] & 255
            return True
        m[warp + WP_EVENT] += T_EVENT
    return False


@part
def eliminate_move(m: Any, warp: int) -> Any:
    """Carry out an instruction that takes no time: what it writes is ready when what it reads is.

    Gives whether that could be done: a value on its way is followed by few names only.
    """
    row = code_of(m, m[warp + WP_ROW])
    registers = m[warp + WP_REGISTERS]
    word, source = 0, NONE
    first, writes = m[row + R_NEEDS], m[row + R_WRITE_COUNT]
    for k in range(first, first + m[row + R_NEED_COUNT] - writes):
        if m[registers + m[k]] > word:
            word, source = m[registers + m[k]], m[k]
    pending = word >> REASON_BITS >= NEVER
    if pending and m[warp + WP_ALIASES] + writes > MOST_ALIASES:
        return False
    first = m[row + R_WRITES]
    for k in range(first, first + writes):
        m[registers + m[k]] = word
        if pending:
            pair = warp + WP_ALIAS + 2 * m[warp + WP_ALIASES]
            m[pair], m[pair + 1] = m[k], source
            m[warp + WP_ALIASES] += 1
    return True


@part
def _follow_aliases(m: Any, warp: int, registers: int) -> None:
    """Mark the other names of values that have arrived as ready too."""
    kept = 0
    for k in range(m[warp + WP_ALIASES]):
        name, source = m[warp + WP_ALIAS + 2 * k], m[warp + WP_ALIAS + 2 * k + 1]
        word = m[registers + source]
        if word >> REASON_BITS < NEVER:
            m[registers + name] = word
        else:
            m[warp + WP_ALIAS + 2 * kept], m[warp + WP_ALIAS + 2 * kept + 1] = name, source
            kept += 1
    m[warp + WP_ALIASES] = kept


@part
def write_results(m: Any, warp: int, row: int, word: int) -> None:
    """Set when the results of an instruction are ready, from a word."""
    registers = m[warp + WP_REGISTERS]
    first = m[code_of(m, row) + R_WRITES]
    for k in range(first, first + m[code_of(m, row) + R_WRITE_COUNT]):
        m[registers + m[k]] = word


@part
def writeback(m: Any, pending: int, time: int, now: int) -> None:
    """End a load or an atomic: its results are there at a time, and the warp may go on.

    What waited for them only learns of it now, be the time the present one or one to come.
    """
    warp, row = m[pending + PA_WARP], m[pending + PA_ROW]
    word = time << REASON_BITS | m[code_of(m, row) + R_REASON]
    write_results(m, warp, row, word)
    if m[warp + WP_ALIASES] > 0:
        _follow_aliases(m, warp, m[warp + WP_REGISTERS])
    latency = time - m[pending + PA_BEGIN]
    counts = m[AT_ROW_COUNT] + row * ROW_COUNTS
    m[counts + RC_LATENCY] += latency
    m[counts + RC_COMPLETED] += 1
    m[m[AT_HISTOGRAM] + row * HISTOGRAM + bin_of(latency)] += 1
    free_pending(m, pending)
    m[warp + WP_LOADS] -= 1
    recheck_ready(m, warp, now)


@part
def free_pending(m: Any, pending: int) -> None:
    """Free the record of an access."""
    at = m[AT_SM] + (pending - m[AT_PENDING]) // PENDING_FIELDS // m[PENDING_ACCESSES] * SM_FIELDS
    m[pending + PA_NEXT] = m[at + SM_FREE_PENDING]
    m[at + SM_FREE_PENDING] = pending


@part
def bin_of(latency: int) -> Any:
    """The bin of a latency: two for each doubling, 0 for less than two cycles."""
    bits = 0
    while latency >> (bits + 1):
        bits += 1
    if bits == 0:
        return 0
    return min(HISTOGRAM - 1, 2 * bits + (latency >> (bits - 1) & 1) - 1)


@part
def recheck_ready(m: Any, warp: int, now: int) -> None:
    """Recheck a warp for which something has changed: it may go on, or be at its end."""
    if m[warp + WP_STATE] == WS_ENDING:
        if m[warp + WP_LOADS] + m[warp + WP_STORES] == 0:
            end_warp(m, warp, now)
        return
    if m[warp + WP_STATE] != WS_RUNS or m[m[warp + WP_READY]] < NEVER:
        return
    if m[warp + WP_REASON] == W_BARRIER:
        return
    next_ready(m, warp, now, m[warp + WP_REASON])


@part
def start_drain(m: Any, warp: int, row: int, now: int) -> None:
    """Start the drain of a warp that has issued its last instruction, NONE if none."""
    m[warp + WP_STATE], m[warp + WP_REASON], m[warp + WP_ROW] = WS_ENDING, W_DRAIN, row
    m[m[warp + WP_READY]] = NEVER
    if m[warp + WP_LOADS] + m[warp + WP_STORES] == 0:
        end_warp(m, warp, now)


@part
def end_warp(m: Any, warp: int, now: int) -> None:
    """End a warp; with its last warp a CTA ends, and with its last CTA a launch."""
    at, cta = m[warp + WP_SM], m[warp + WP_CTA]
    sm, slot = (at - m[AT_SM]) // SM_FIELDS, m[warp + WP_SLOT]
    m[warp + WP_STATE], m[m[warp + WP_READY]] = WS_NONE, NEVER
    if m[warp + WP_ROW] != NONE:
        drained = m[AT_ROW_COUNT] + m[warp + WP_ROW] * ROW_COUNTS + RC_STALLS + W_DRAIN
        m[drained] += max(0, now - m[warp + WP_LAST] - 1)
    m[at + SM_WARPS] -= 1
    m[at + SM_END] = now
    m[m[AT_SM_COUNT] + sm * SM_COUNTS + N_WARP_CYCLES] += now - m[warp + WP_BEGIN]
    m[cta + CT_ISSUED] += m[warp + WP_ISSUED]
    m[cta + CT_LIVE] -= 1
    if m[SPANS] > m[G_SPANS]:
        span = m[AT_SPAN] + m[G_SPANS] * SPAN_FIELDS
        m[span], m[span + 1] = sm, slot
        m[span + 2] = m[m[cta + CT_LAUNCH] + LA_LOG] + m[cta + CT_NUMBER]
        m[span + 3], m[span + 4] = m[warp + WP_BEGIN], now
        m[G_SPANS] += 1
    if m[cta + CT_LIVE] == 0:
        _end_cta(m, sm, cta, now)
    else:
        open_barriers(m, cta, now)


@part
def _end_cta(m: Any, sm: int, cta: int, now: int) -> None:
    launch = m[cta + CT_LAUNCH]
    at = m[AT_SM] + sm * SM_FIELDS
    place = m[launch + LA_LOG] + m[cta + CT_NUMBER]
    if place < m[CTA_LOG]:
        log = m[AT_CTA_LOG] + place * LOG_FIELDS
        m[log + CL_END], m[log + CL_ISSUED] = now, m[cta + CT_ISSUED]
    m[cta + CT_LAUNCH] = NONE
    m[at + SM_CTAS] -= 1
    m[at + SM_SHARE] -= m[launch + LA_SHARE]
    m[launch + LA_DONE] += 1
    m[launch + LA_END] = max(m[launch + LA_END], now)
    if m[launch + LA_DONE] == m[launch + LA_CTAS]:
        m[launch + LA_STATE] = LS_DONE
        m[G_LAUNCHES_DONE] += 1
        m[G_DISPATCH_AT] = min(m[G_DISPATCH_AT], m[launch + LA_END] + 1)
    if m[G_WAITING] > 0:
        m[at + SM_YIELD] = now


@part
def open_barriers(m: Any, cta: int, now: int) -> None:
    """Open each barrier that all living warps have come to, or as many as it waits for."""
    number = (cta - m[AT_CTA]) // CTA_FIELDS
    for k in range(BARRIERS):
        barrier = m[AT_BARRIER] + (number * BARRIERS + k) * 2
        come, wanted = m[barrier], m[barrier + 1]
        if come > 0 and come >= (wanted if wanted > 0 else m[cta + CT_LIVE]):
            m[barrier], m[barrier + 1] = 0, 0
            _release(m, cta, k, now)


@part
def _release(m: Any, cta: int, barrier: int, now: int) -> None:
    """Release the warps that wait at a barrier."""
    sm = (cta - m[AT_CTA]) // CTA_FIELDS // m[CTAS]
    for slot in range(m[WARPS]):
        warp = m[AT_WARP] + (sm * m[WARPS] + slot) * WARP_FIELDS
        if m[warp + WP_STATE] != WS_RUNS or m[warp + WP_CTA] != cta:
            continue
        waits = m[warp + WP_REASON] == W_BARRIER and m[m[warp + WP_READY]] >= NEVER
        if waits and m[warp + WP_BARRIER] == barrier:
            next_ready(m, warp, now + m[BARRIER_CYCLES], W_BARRIER)
