"""Instructions of warps issued and advanced: the units that they need, and what they hold up."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    A_ASYNC,
    A_STORE,
    ASYNC_GROUPS,
    AT_BARRIER,
    AT_BIN,
    AT_COLLECTOR,
    AT_CTA,
    AT_PIPE,
    AT_ROW_COUNT,
    AT_SM,
    AT_SM_COUNT,
    B_INSTRUCTIONS,
    BARRIERS,
    BIN_FIELDS,
    BINS,
    BRANCH_CYCLES,
    COLLECTORS,
    CTA_FIELDS,
    G_BIN_CYCLES,
    G_ISSUED,
    K_ALU,
    K_ARRIVE,
    K_BARRIER,
    K_BRANCH,
    K_COMMIT,
    K_FREE,
    K_MEMORY,
    LOADS_PER_WARP,
    LSU_CYCLES,
    LSU_QUEUE,
    N_THREAD_INSTRUCTIONS,
    N_WARP_INSTRUCTIONS,
    NEVER,
    NONE,
    PA_ACCESS,
    PA_BEGIN,
    PA_DONE,
    PA_GROUP,
    PA_LEFT,
    PA_NEXT,
    PA_READY,
    PA_ROW,
    PA_WARP,
    PARTS,
    PIPES,
    PIPES_HOLD,
    R_ACCESS,
    R_ALSO,
    R_BARRIER,
    R_BARRIER_WARPS,
    R_ISSUES,
    R_KIND,
    R_LATENCY,
    R_LINE,
    R_NEED_COUNT,
    R_NEEDS,
    R_OF_SM,
    R_PIPE,
    R_READ_CYCLES,
    R_REASON,
    R_RECORDED,
    R_SPACE,
    R_TICKS,
    RC_ISSUES,
    RC_LANES,
    RC_STALLS,
    REASON_BITS,
    REFILL,
    ROW_COUNTS,
    ROW_MASK,
    S_SHARED,
    S_TEXTURE,
    SCHEDULERS,
    SM_COUNTS,
    SM_FIELDS,
    SM_FREE_PENDING,
    SM_LSU_COUNT,
    SM_LSU_NEXT,
    T_ACCESS,
    T_EVENT,
    TICKS,
    W_BARRIER,
    W_BRANCH,
    W_FETCH,
    W_LG,
    W_LONG,
    W_MATH,
    W_MIO,
    W_NOT_SELECTED,
    W_SELECTED,
    W_TEX,
    W_WAIT,
    WP_ACCESS,
    WP_ASYNC,
    WP_BARRIER,
    WP_CTA,
    WP_END_ROW,
    WP_EVENT,
    WP_GROUPS,
    WP_HELD_REASON,
    WP_HELD_UNTIL,
    WP_ISSUED,
    WP_LANES,
    WP_LAST,
    WP_LOADS,
    WP_READY,
    WP_REASON,
    WP_REGISTERS,
    WP_RING,
    WP_ROW,
    WP_STATE,
    WP_STORES,
    WS_RUNS,
)
from warpmill.simulator.gpu.lsu import enqueue
from warpmill.simulator.gpu.sm_caches import all_there
from warpmill.simulator.gpu.warps import (
    code_of,
    eliminate_move,
    enter_next_block,
    fetched,
    next_ready,
    open_barriers,
    start_drain,
    write_results,
)


@part
def can_issue(m: Any, sm: int, k: int, warp: int, now: int) -> Any:
    """The time from which on units take a warp's instruction, ``now`` where they do.

    In hardware a warp does not issue to a pipe that is busy; in simulators a collector takes the
    instruction, and holds up all warps where all collectors do.
    """
    row = code_of(m, m[warp + WP_ROW])
    if m[PIPES_HOLD] != 0 and m[row + R_PIPE] >= 0:
        free = m[pipe_of(m, sm, k, row, now)] // TICKS
        if free > now:
            return record_stall(m, warp, free, W_MATH, now)
    if m[row + R_KIND] != K_MEMORY:
        return now
    at, reason = m[AT_SM] + sm * SM_FIELDS, W_LG
    if m[row + R_SPACE] == S_SHARED:
        reason = W_MIO
    elif m[row + R_SPACE] == S_TEXTURE:
        reason = W_TEX
    misses = m[row + R_ACCESS] != A_STORE and m[row + R_SPACE] != S_SHARED
    if misses and 0 < m[LOADS_PER_WARP] <= m[warp + WP_LOADS]:
        m[m[warp + WP_READY]], m[warp + WP_REASON] = NEVER, W_LG
        return NEVER
    if m[at + SM_LSU_COUNT] >= m[LSU_QUEUE]:
        return record_stall(m, warp, max(now + 1, m[at + SM_LSU_NEXT]), reason, now)
    if m[at + SM_FREE_PENDING] == NONE:
        return record_stall(m, warp, now + PENDING_RETRY, reason, now)
    return now


@part
def record_stall(m: Any, warp: int, until: int, reason: int, now: int) -> Any:
    """Note that a warp that is ready is held up by a unit."""
    m[warp + WP_HELD_UNTIL], m[warp + WP_HELD_REASON] = min(until, now + (1 << 20)), reason
    return until


@part
def pipe_of(m: Any, sm: int, k: int, row: int, now: int) -> Any:
    """The place of the time from which on an instruction's pipe is free.

    It is one of a scheduler's sub-partition. Where two do the same, the second one is taken while
    the first is busy, if it is free sooner.
    """
    own = k * m[PARTS] // m[SCHEDULERS]
    first = m[AT_PIPE] + (sm * m[PARTS] + own) * m[PIPES]
    pipe, also = first + m[row + R_PIPE], first + m[row + R_ALSO]
    if m[row + R_ALSO] < 0 or m[pipe] <= now * TICKS:
        return pipe
    return also if m[also] < m[pipe] else pipe


@part
def collector_of(m: Any, sm: int, k: int) -> Any:
    """The place of that operand collector of a scheduler that is free first."""
    first = m[AT_COLLECTOR] + (sm * m[SCHEDULERS] + k) * m[COLLECTORS]
    best = first
    for place in range(first + 1, first + m[COLLECTORS]):
        if m[place] < m[best]:
            best = place
    return best


@part
def pairs_with(m: Any, sm: int, k: int, warp: int, pipe: int, now: int) -> Any:
    """Whether a warp's next instruction, if it takes one slot, can go in the same cycle.

    In simulators it goes to another unit; in hardware the unit may be one that takes more than one
    a cycle, as those of Kepler, and the load-store unit takes one.
    """
    if m[warp + WP_STATE] != WS_RUNS or m[warp + WP_REASON] == W_BARRIER:
        return False
    row = code_of(m, m[warp + WP_ROW])
    kind = m[row + R_KIND]
    if (kind != K_ALU and kind != K_MEMORY) or m[row + R_ISSUES] > 1:
        return False
    if m[row + R_PIPE] == pipe and (pipe < 0 or m[PIPES_HOLD] == 0):
        return False
    if m[m[warp + WP_READY]] != now + 1 or m[warp + WP_REASON] != W_SELECTED:
        return False
    registers = m[warp + WP_REGISTERS]
    first = m[row + R_NEEDS]
    for n in range(first, first + m[row + R_NEED_COUNT]):
        if m[registers + m[n]] >> REASON_BITS > now:
            return False
    if m[collector_of(m, sm, k)] > now * TICKS:
        return False
    return can_issue(m, sm, k, warp, now) <= now


@part
def issue(m: Any, t: Any, sm: int, k: int, warp: int, now: int) -> Any:
    """Issue a warp's instruction and let it go on to the next; gives the issue slots taken."""
    number = m[warp + WP_ROW]
    row = code_of(m, number)
    _count_issue(m, sm, warp, number, now)
    kind = m[row + R_KIND]
    collector = collector_of(m, sm, k)
    reads = m[row + R_READ_CYCLES]
    start = now * TICKS
    if m[row + R_PIPE] >= 0:
        pipe, of_sm = pipe_of(m, sm, k, row, now), m[AT_SM] + sm * SM_FIELDS + m[row + R_OF_SM]
        start = max(start, m[pipe])
        if m[row + R_OF_SM] != 0:
            start = max(start, m[of_sm])
            m[pipe], m[of_sm] = start, start + m[row + R_TICKS]
        else:
            m[pipe] = start + m[row + R_TICKS]
    m[collector] = start + reads * TICKS
    if kind == K_MEMORY:
        begin_access(m, t, sm, warp, number, now + reads - 1)
    else:
        time = -(-start // TICKS) + reads - 1 + m[row + R_LATENCY]
        write_results(m, warp, number, time << REASON_BITS | m[row + R_REASON])
    if kind == K_COMMIT:
        m[warp + WP_GROUPS] += 1
    go_on(m, t, sm, warp, now)
    if kind == K_BARRIER or kind == K_ARRIVE:
        come = -(-start // TICKS) if m[row + R_OF_SM] != 0 else now
        _arrive_at_barrier(m, warp, row, kind, come)
    return m[row + R_ISSUES]


@part
def _count_issue(m: Any, sm: int, warp: int, row: int, now: int) -> None:
    """Count an issue, and why the warp did not issue since the one before."""
    counts, lanes = m[AT_SM_COUNT] + sm * SM_COUNTS, m[warp + WP_LANES]
    m[counts + N_WARP_INSTRUCTIONS] += 1
    m[counts + N_THREAD_INSTRUCTIONS] += lanes
    m[G_ISSUED] += 1
    bin_ = now // m[G_BIN_CYCLES]
    if bin_ < m[BINS]:
        m[m[AT_BIN] + bin_ * BIN_FIELDS + B_INSTRUCTIONS] += 1
    m[warp + WP_ISSUED] += 1
    own = m[AT_ROW_COUNT] + row * ROW_COUNTS
    m[own + RC_ISSUES] += 1
    m[own + RC_LANES] += lanes
    stalls, begin = own + RC_STALLS, m[warp + WP_LAST] + 1
    m[stalls + W_SELECTED] += 1
    ready = min(max(m[m[warp + WP_READY]], begin), now)
    if ready > begin:
        m[stalls + m[warp + WP_REASON]] += ready - begin
    held = min(max(m[warp + WP_HELD_UNTIL], ready), now)
    if held > ready:
        m[stalls + m[warp + WP_HELD_REASON]] += held - ready
    m[stalls + W_NOT_SELECTED] += max(now, begin) - max(held, begin)
    m[warp + WP_LAST], m[warp + WP_HELD_UNTIL] = now, 0


@part
def _arrive_at_barrier(m: Any, warp: int, row: int, kind: int, now: int) -> None:
    """Note that a warp has come to a barrier; it waits there unless it only tells so."""
    if m[warp + WP_STATE] != WS_RUNS:
        return
    cta = m[warp + WP_CTA]
    number = (cta - m[AT_CTA]) // CTA_FIELDS
    which = m[row + R_BARRIER]
    barrier = m[AT_BARRIER] + (number * BARRIERS + which) * 2
    m[barrier] += 1
    m[barrier + 1] = m[row + R_BARRIER_WARPS]
    if kind == K_BARRIER:
        m[m[warp + WP_READY]], m[warp + WP_REASON], m[warp + WP_BARRIER] = NEVER, W_BARRIER, which
    open_barriers(m, cta, now)


# A warp on its way through its trace: what it asks of memory, and its next instruction.

PENDING_RETRY = 4
"""Cycles until it is tried again where there was no room for another access under way."""


@part
def begin_access(m: Any, t: Any, sm: int, warp: int, number: int, now: int) -> None:
    """Submit an access to the load-store unit, if any lane makes it."""
    found = NONE
    if m[code_of(m, number) + R_RECORDED] != 0:
        found = _taken(m, t, warp, number)
        if found == NONE:
            return
    _begin_pending(m, sm, warp, number, found, now)


@part
def _taken(m: Any, t: Any, warp: int, number: int) -> Any:
    """Take what a warp's next instruction asks for; NONE where no lane asks for anything."""
    found = NONE
    following = m[warp + WP_EVENT] + T_EVENT
    end = following + t[following + 1]
    while m[warp + WP_ACCESS] < end:
        word = t[m[warp + WP_ACCESS] + 1]
        if word >> 8 & ROW_MASK != number:
            break
        if found == NONE or word & 255 != S_SHARED:  # a copy: where it copies from counts
            found = m[warp + WP_ACCESS]
        m[warp + WP_ACCESS] += T_ACCESS
    return found


@part
def _begin_pending(m: Any, sm: int, warp: int, number: int, found: int, now: int) -> None:
    """Register a pending access, whose results are yet to come."""
    row, at = code_of(m, number), m[AT_SM] + sm * SM_FIELDS
    pending, kind = m[at + SM_FREE_PENDING], m[row + R_ACCESS]
    m[at + SM_FREE_PENDING] = m[pending + PA_NEXT]
    m[pending + PA_WARP], m[pending + PA_ROW], m[pending + PA_LEFT] = warp, number, 0
    m[pending + PA_BEGIN], m[pending + PA_READY], m[pending + PA_ACCESS] = now, 0, found
    m[pending + PA_DONE], m[pending + PA_GROUP] = 0, 0
    if kind == A_STORE and m[row + R_SPACE] != S_SHARED:
        m[warp + WP_STORES] += 1
    else:
        m[warp + WP_LOADS] += 1
        write_results(m, warp, number, NEVER << REASON_BITS | m[row + R_REASON])
    if kind == A_ASYNC:
        group = m[warp + WP_GROUPS] % ASYNC_GROUPS
        m[pending + PA_GROUP] = group
        m[warp + WP_RING + group] += 1
        m[warp + WP_ASYNC] += 1
    enqueue(m, sm, pending, now + m[LSU_CYCLES])


@part
def go_on(m: Any, t: Any, sm: int, warp: int, now: int) -> None:
    """Advance a warp past the instruction that it has issued, or end it."""
    before = m[warp + WP_ROW]
    row = code_of(m, before)
    floor, reason = now + 1, W_SELECTED
    if m[row + R_ISSUES] > 1:
        floor, reason = now + m[row + R_ISSUES], W_WAIT
    if not _advance(m, t, warp):
        start_drain(m, warp, before, now)
        return
    after = m[warp + WP_ROW]
    if m[row + R_KIND] == K_BRANCH:
        cycles = m[BRANCH_CYCLES]
        if after != before + 1:
            cycles = max(cycles, m[REFILL])
        if now + cycles > floor:
            floor, reason = now + cycles, W_BRANCH
    while m[code_of(m, m[warp + WP_ROW]) + R_KIND] == K_FREE:
        if _passed(m, t, sm, warp, now) != now:
            break
        if not _advance(m, t, warp):
            start_drain(m, warp, before, now)
            return
    line = m[code_of(m, m[warp + WP_ROW]) + R_LINE]
    if line != m[row + R_LINE]:
        there = fetched(m, sm, warp, line, floor)
        if there > floor:
            floor, reason = there, W_FETCH
    next_ready(m, warp, floor, reason)


@part
def _advance(m: Any, t: Any, warp: int) -> Any:
    """Advance a warp to its next instruction; returns whether there is one."""
    m[warp + WP_ROW] += 1
    if m[warp + WP_ROW] < m[warp + WP_END_ROW]:
        return True
    m[warp + WP_EVENT] += T_EVENT
    return enter_next_block(m, t, warp)


@part
def skip_free(m: Any, t: Any, sm: int, warp: int, now: int) -> None:
    """Carry out instructions that take no time where a warp stands before one."""
    before = m[code_of(m, m[warp + WP_ROW]) + R_LINE]
    while m[code_of(m, m[warp + WP_ROW]) + R_KIND] == K_FREE:
        when = _passed(m, t, sm, warp, now)
        if when > now:
            m[m[warp + WP_READY]], m[warp + WP_REASON] = when, W_LONG if when >= NEVER else W_LG
            return
        if not _advance(m, t, warp):
            start_drain(m, warp, m[warp + WP_END_ROW] - 1, now)
            return
    line = m[code_of(m, m[warp + WP_ROW]) + R_LINE]
    floor, reason = now, m[warp + WP_REASON]  # what it waited for to come here
    if line != before:
        there = fetched(m, sm, warp, line, now)
        if there > now:
            floor, reason = there, W_FETCH
    next_ready(m, warp, floor, reason)


@part
def _passed(m: Any, t: Any, sm: int, warp: int, now: int) -> Any:
    """Carry out an instruction that takes no time; gives the time at which to try again.

    That is the present one where it is done, and NEVER where a result has to come first. Constants
    that are operands are there at once, or on their way as those of a load where the SM's cache
    does not have them.
    """
    number, at = m[warp + WP_ROW], m[AT_SM] + sm * SM_FIELDS
    if m[code_of(m, number) + R_RECORDED] != 0:
        first = m[warp + WP_ACCESS]
        found = _taken(m, t, warp, number)
        if found != NONE and not all_there(m, t, sm, found, now):
            if m[at + SM_LSU_COUNT] >= m[LSU_QUEUE] or m[at + SM_FREE_PENDING] == NONE:
                m[warp + WP_ACCESS] = first
                return now + PENDING_RETRY
            _begin_pending(m, sm, warp, number, found, now)
            return now
    return now if eliminate_move(m, warp) else NEVER
