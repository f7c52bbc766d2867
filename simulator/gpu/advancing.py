"""A warp on its way through its trace: what it asks of memory, and its next instruction."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    A_ASYNC,
    A_STORE,
    ASYNC_GROUPS,
    AT_SM,
    BRANCH_CYCLES,
    K_BRANCH,
    K_FREE,
    LSU_CYCLES,
    LSU_QUEUE,
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
    R_ACCESS,
    R_ISSUES,
    R_KIND,
    R_LINE,
    R_REASON,
    R_RECORDED,
    R_SPACE,
    REASON_BITS,
    REFILL,
    ROW_MASK,
    S_SHARED,
    SM_FIELDS,
    SM_FREE_PENDING,
    SM_LSU_COUNT,
    T_ACCESS,
    T_EVENT,
    W_BRANCH,
    W_FETCH,
    W_LG,
    W_LONG,
    W_SELECTED,
    W_WAIT,
    WP_ACCESS,
    WP_ASYNC,
    WP_END_ROW,
    WP_EVENT,
    WP_GROUPS,
    WP_LOADS,
    WP_READY,
    WP_REASON,
    WP_RING,
    WP_ROW,
    WP_STORES,
)
from warpmill.simulator.gpu.lsu import enqueue
from warpmill.simulator.gpu.sm_caches import all_there
from warpmill.simulator.gpu.warps import (
    code_of,
    eliminate_move,
    enter_next_block,
    fetched,
    next_ready,
    start_drain,
    write_results,
)

PENDING_RETRY = 4
"""Cycles until it is tried again where there was no room for another access under way."""


@part
def begin_access(m: Any, t: Any, sm: int, warp: int, number: int, now: int) -> None:
    """Hand an access to the load and store unit, if any lane makes it."""
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
    """Let an access be under way, whose results are yet to come."""
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
    """Let a warp go on behind the instruction that it has issued, or end."""
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
    """Let a warp stand before its next instruction; gives whether there is one."""
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
