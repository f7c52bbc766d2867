"""Warps of an SM: what they wait for, how they go on, and how they end."""

from __future__ import annotations

from typing import Any

from simulator.gpu.caches import bring_in, extra_of, key_of, look_up, use, victim_of
from simulator.gpu.compiled import part
from simulator.gpu.fields import (
    ASYNC_GROUPS,
    AT_BARRIER,
    AT_CTA,
    AT_CTA_LOG,
    AT_FLIGHT,
    AT_GLOBAL,
    AT_HISTOGRAM,
    AT_REGISTER,
    AT_ROW_COUNT,
    AT_SCHEDULER,
    AT_SM,
    AT_SM_COUNT,
    AT_SPAN,
    AT_WARP,
    BARRIER_CYCLES,
    BARRIERS,
    C_THERE,
    CL_ALL_END,
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
    F_BEGIN,
    F_NEXT,
    F_ROW,
    F_WARP,
    FETCH_CACHE,
    FETCH_MISS,
    FLIGHT_FIELDS,
    FLIGHTS,
    G_CTAS_RUNNING,
    G_FIRST_EVENT,
    G_ISSUED,
    G_LAUNCHES_DONE,
    G_SPANS,
    HISTOGRAM,
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
    R_GROUPS,
    R_KIND,
    R_NEED_COUNT,
    R_NEEDS,
    R_REASON,
    R_WRITE_COUNT,
    R_WRITES,
    RC_COMPLETED,
    RC_LATENCY,
    REASON_BITS,
    REGISTERS,
    ROW_COUNTS,
    SC_NEXT,
    SCHEDULER_FIELDS,
    SCHEDULERS,
    SLICES,
    SM_COUNTS,
    SM_CTAS,
    SM_END,
    SM_FIELDS,
    SM_FREE_FLIGHT,
    SM_SHARE,
    SM_WARPS,
    SMS,
    SPAN_FIELDS,
    SPANS,
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
    WP_LAST_EVENT,
    WP_LOADS,
    WP_REASON,
    WP_RING,
    WP_ROW,
    WP_STATE,
    WP_STORES,
    WP_WAKE,
    WS_ENDING,
    WS_NONE,
    WS_RUNS,
    X_WAITERS,
)
from simulator.gpu.fields import CHANNELS as N_CHANNELS
from simulator.gpu.heap import wake
from simulator.memory.cache_step import NONE as NO_ROW


@part
def registers_of(p: Any, warp: int) -> Any:
    """Give the place of a warp's registers."""
    return p[AT_REGISTER] + (warp - p[AT_WARP]) // WARP_FIELDS * p[REGISTERS]


@part
def sm_of(p: Any, warp: int) -> Any:
    """Give the number of the SM that a warp is on."""
    return (warp - p[AT_WARP]) // WARP_FIELDS // p[WARPS]


@part
def set_wake(m: Any, p: Any, warp: int, time: int, reason: int) -> None:
    """Let a warp be ready from a time on, and its scheduler look at it then."""
    m[warp + WP_WAKE], m[warp + WP_REASON] = time, reason
    if time >= NEVER:
        return
    number = (warp - p[AT_WARP]) // WARP_FIELDS
    sm, slot = number // p[WARPS], number % p[WARPS]
    scheduler = p[AT_SCHEDULER] + (sm * p[SCHEDULERS] + slot % p[SCHEDULERS]) * SCHEDULER_FIELDS
    if time < m[scheduler + SC_NEXT]:
        m[scheduler + SC_NEXT] = time
        wake(m, p, sm, time)


@part
def next_ready(m: Any, p: Any, code: Any, regs: Any, warp: int, floor: int, reason: int) -> None:
    """Work out from when on a warp can issue its next instruction, not before ``floor``.

    Results that it needs, and registers that it writes and that are still to be written, hold it
    up; ``reason`` is why it does not issue before ``floor``.
    """
    row = m[warp + WP_ROW] * CODE_FIELDS
    registers = registers_of(p, warp)
    best = floor << REASON_BITS | reason
    first = code[row + R_NEEDS]
    for k in range(first, first + code[row + R_NEED_COUNT]):
        word = m[registers + regs[k]]
        if word >> REASON_BITS > best >> REASON_BITS:
            best = word
    kind = code[row + R_KIND]
    if kind == K_WAIT and copies_under_way(m, warp, code[row + R_GROUPS]):
        best = NEVER << REASON_BITS | W_LONG
    if kind == K_FENCE and m[warp + WP_LOADS] + m[warp + WP_STORES] > 0:
        best = NEVER << REASON_BITS | W_MEMBAR
    set_wake(m, p, warp, best >> REASON_BITS, best & ((1 << REASON_BITS) - 1))


@part
def copies_under_way(m: Any, warp: int, groups: int) -> Any:
    """Tell whether copies are under way of any but the newest groups, so many; -1: of any at all.

    A warp with more groups under way than are told apart waits for the older ones too.
    """
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
def fetched(m: Any, p: Any, sm: int, line: int, time: int) -> Any:
    """Give the time at which the instructions of a line are there, asked for at a time."""
    if p[FETCH_CACHE + C_THERE] == 0:
        return time
    counts = p[AT_SM_COUNT] + sm * SM_COUNTS
    m[counts + N_FETCH_ACCESSES] += 1
    c = p[OF_FETCH]
    key = key_of(p, c, line)
    row = look_up(m, p, c, sm, key)
    if row == NO_ROW:
        m[counts + N_FETCH_MISSES] += 1
        row = victim_of(m, p, c, sm, key)
        bring_in(m, p, c, sm, key, row)
        m[_arrival(p, row)] = time + p[FETCH_MISS]
    use(m, p, c, sm, row)
    return max(time, m[_arrival(p, row)])


@part
def _arrival(p: Any, row: int) -> Any:
    """Give the place of the time at which a line of instructions arrives: its first waiter's."""
    return extra_of(p, p[OF_FETCH], row) + X_WAITERS


@part
def to_event(m: Any, p: Any, s: Any, blocks: Any, warp: int) -> Any:
    """Let a warp stand before the first instruction of its next event that has any.

    Gives whether there is one.
    """
    while m[warp + WP_EVENT] < m[warp + WP_LAST_EVENT]:
        event = m[warp + WP_EVENT] - m[p[AT_GLOBAL] + G_FIRST_EVENT]
        block = m[m[m[warp + WP_CTA] + CT_LAUNCH] + LA_CODE] + s.block[event]
        if blocks[block] < blocks[block + 1]:
            m[warp + WP_ROW], m[warp + WP_END_ROW] = blocks[block], blocks[block + 1]
            m[warp + WP_ACCESS] = s.access[event]
            m[warp + WP_LANES] = s.lanes[event]
            return True
        m[warp + WP_EVENT] += 1
    return False


@part
def pass_on(m: Any, p: Any, code: Any, regs: Any, warp: int) -> Any:
    """Carry out an instruction that takes no time: what it writes is ready when what it reads is.

    Gives whether that could be done: a value on its way is followed by few names only.
    """
    row = m[warp + WP_ROW] * CODE_FIELDS
    registers = registers_of(p, warp)
    word, source = 0, NONE
    first, writes = code[row + R_NEEDS], code[row + R_WRITE_COUNT]
    for k in range(first, first + code[row + R_NEED_COUNT] - writes):
        if m[registers + regs[k]] > word:
            word, source = m[registers + regs[k]], regs[k]
    pending = word >> REASON_BITS >= NEVER
    if pending and m[warp + WP_ALIASES] + writes > MOST_ALIASES:
        return False
    first = code[row + R_WRITES]
    for k in range(first, first + writes):
        m[registers + regs[k]] = word
        if pending:
            pair = warp + WP_ALIAS + 2 * m[warp + WP_ALIASES]
            m[pair], m[pair + 1] = regs[k], source
            m[warp + WP_ALIASES] += 1
    return True


@part
def _follow_aliases(m: Any, warp: int, registers: int) -> None:
    """Let the other names of values that have arrived be ready too."""
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
def write_results(m: Any, p: Any, code: Any, regs: Any, warp: int, row: int, word: int) -> None:
    """Let the results of an instruction be ready as a word says."""
    registers = registers_of(p, warp)
    first = code[row * CODE_FIELDS + R_WRITES]
    for k in range(first, first + code[row * CODE_FIELDS + R_WRITE_COUNT]):
        m[registers + regs[k]] = word


@part
def land(m: Any, p: Any, code: Any, regs: Any, flight: int, time: int, now: int) -> None:
    """End a load or an atomic: its results are there at a time, and the warp may go on.

    What waited for them only learns of it now, be the time the present one or one to come.
    """
    warp, row = m[flight + F_WARP], m[flight + F_ROW]
    word = time << REASON_BITS | code[row * CODE_FIELDS + R_REASON]
    write_results(m, p, code, regs, warp, row, word)
    if m[warp + WP_ALIASES] > 0:
        _follow_aliases(m, warp, registers_of(p, warp))
    latency = time - m[flight + F_BEGIN]
    counts = p[AT_ROW_COUNT] + row * ROW_COUNTS
    m[counts + RC_LATENCY] += latency
    m[counts + RC_COMPLETED] += 1
    m[p[AT_HISTOGRAM] + row * HISTOGRAM + bin_of(latency)] += 1
    free_flight(m, p, flight)
    m[warp + WP_LOADS] -= 1
    settle(m, p, code, regs, warp, now)


@part
def free_flight(m: Any, p: Any, flight: int) -> None:
    """Give the record of an access back."""
    at = p[AT_SM] + (flight - p[AT_FLIGHT]) // FLIGHT_FIELDS // p[FLIGHTS] * SM_FIELDS
    m[flight + F_NEXT] = m[at + SM_FREE_FLIGHT]
    m[at + SM_FREE_FLIGHT] = flight


@part
def bin_of(latency: int) -> Any:
    """Give the bin of a latency: two for each doubling, 0 for less than two cycles."""
    bits = 0
    while latency >> (bits + 1):
        bits += 1
    if bits == 0:
        return 0
    return min(HISTOGRAM - 1, 2 * bits + (latency >> (bits - 1) & 1) - 1)


@part
def settle(m: Any, p: Any, code: Any, regs: Any, warp: int, now: int) -> None:
    """Look again at a warp for which something has changed: it may go on, or be at its end."""
    if m[warp + WP_STATE] == WS_ENDING:
        if m[warp + WP_LOADS] + m[warp + WP_STORES] == 0:
            end_warp(m, p, code, regs, warp, now)
        return
    if m[warp + WP_STATE] != WS_RUNS or m[warp + WP_WAKE] < NEVER:
        return
    if m[warp + WP_REASON] == W_BARRIER:
        return
    next_ready(m, p, code, regs, warp, now, m[warp + WP_REASON])


@part
def begin_end(m: Any, p: Any, code: Any, regs: Any, warp: int, now: int) -> None:
    """Let a warp that has issued its last instruction end once its accesses have."""
    m[warp + WP_STATE], m[warp + WP_WAKE], m[warp + WP_REASON] = WS_ENDING, NEVER, W_DRAIN
    if m[warp + WP_LOADS] + m[warp + WP_STORES] == 0:
        end_warp(m, p, code, regs, warp, now)


@part
def end_warp(m: Any, p: Any, code: Any, regs: Any, warp: int, now: int) -> None:
    """End a warp; with its last warp a CTA ends, and with its last CTA a launch."""
    number = (warp - p[AT_WARP]) // WARP_FIELDS
    sm, slot = number // p[WARPS], number % p[WARPS]
    at, cta = p[AT_SM] + sm * SM_FIELDS, m[warp + WP_CTA]
    m[warp + WP_STATE], m[warp + WP_WAKE] = WS_NONE, NEVER
    m[at + SM_WARPS] -= 1
    m[at + SM_END] = now
    m[p[AT_SM_COUNT] + sm * SM_COUNTS + N_WARP_CYCLES] += now - m[warp + WP_BEGIN]
    m[cta + CT_ISSUED] += m[warp + WP_ISSUED]
    m[cta + CT_LIVE] -= 1
    g = p[AT_GLOBAL]
    if p[SPANS] > m[g + G_SPANS]:
        span = p[AT_SPAN] + m[g + G_SPANS] * SPAN_FIELDS
        m[span], m[span + 1], m[span + 2] = sm, slot, m[cta + CT_NUMBER]
        m[span + 3], m[span + 4] = m[warp + WP_BEGIN], now
        m[g + G_SPANS] += 1
    if m[cta + CT_LIVE] == 0:
        _end_cta(m, p, sm, cta, now)
    else:
        open_barriers(m, p, code, regs, cta, now)


@part
def _end_cta(m: Any, p: Any, sm: int, cta: int, now: int) -> None:
    launch, g = m[cta + CT_LAUNCH], p[AT_GLOBAL]
    at = p[AT_SM] + sm * SM_FIELDS
    place = m[launch + LA_LOG] + m[cta + CT_NUMBER]
    if place < p[CTA_LOG]:
        log = p[AT_CTA_LOG] + place * LOG_FIELDS
        m[log + CL_END], m[log + CL_ISSUED] = now, m[cta + CT_ISSUED]
        m[log + CL_ALL_END] = m[g + G_ISSUED]
    m[cta + CT_LAUNCH] = NONE
    m[at + SM_CTAS] -= 1
    m[at + SM_SHARE] -= m[launch + LA_SHARE]
    m[g + G_CTAS_RUNNING] -= 1
    m[launch + LA_DONE] += 1
    if m[launch + LA_DONE] == m[launch + LA_CTAS]:
        m[launch + LA_STATE], m[launch + LA_END] = LS_DONE, now
        m[g + G_LAUNCHES_DONE] += 1
    wake(m, p, p[SMS] + p[SLICES] + p[N_CHANNELS], now + 1)


@part
def open_barriers(m: Any, p: Any, code: Any, regs: Any, cta: int, now: int) -> None:
    """Open each barrier that all warps have come to that have not ended, or as many as it waits for."""
    number = (cta - p[AT_CTA]) // CTA_FIELDS
    for k in range(BARRIERS):
        barrier = p[AT_BARRIER] + (number * BARRIERS + k) * 2
        come, wanted = m[barrier], m[barrier + 1]
        if come > 0 and come >= (wanted if wanted > 0 else m[cta + CT_LIVE]):
            m[barrier], m[barrier + 1] = 0, 0
            _release(m, p, code, regs, cta, k, now)


@part
def _release(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    m: Any, p: Any, code: Any, regs: Any, cta: int, barrier: int, now: int
) -> None:
    """Let the warps go on that wait at a barrier."""
    sm = (cta - p[AT_CTA]) // CTA_FIELDS // p[CTAS]
    for slot in range(p[WARPS]):
        warp = p[AT_WARP] + (sm * p[WARPS] + slot) * WARP_FIELDS
        if m[warp + WP_STATE] != WS_RUNS or m[warp + WP_CTA] != cta:
            continue
        waits = m[warp + WP_REASON] == W_BARRIER and m[warp + WP_WAKE] >= NEVER
        if waits and m[warp + WP_BARRIER] == barrier:
            next_ready(m, p, code, regs, warp, now + p[BARRIER_CYCLES], W_BARRIER)
