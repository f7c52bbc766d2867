"""A streaming multiprocessor: in each of its cycles every scheduler issues what it can."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    AT_SCHEDULER,
    AT_SM,
    AT_SM_COUNT,
    AT_WARP,
    BX_FIRST,
    ISSUE_TICKS,
    ISSUE_WIDTH,
    LSU_QUEUE,
    N_ISSUE_CYCLES,
    NEVER,
    NONE,
    PAIRED_TICKS,
    Q_TIME,
    R_PIPE,
    SC_FREE,
    SC_LAST,
    SC_NEXT,
    SCHEDULER_FIELDS,
    SCHEDULERS,
    SM_COUNTS,
    SM_FIELDS,
    SM_LSU_COUNT,
    SM_LSU_NEXT,
    SM_TIME,
    TICKS,
    WARP_FIELDS,
    WARPS,
    WP_ROW,
)
from warpmill.simulator.gpu.issuing import issue, pairs_with
from warpmill.simulator.gpu.lsu import receive, serve
from warpmill.simulator.gpu.scheduler import choose_warp
from warpmill.simulator.gpu.warps import code_of


@part
def step_sm(m: Any, t: Any, sm: int, now: int) -> None:
    """Move an SM through one cycle, and say when it has to be looked at next."""
    at = m[AT_SM] + sm * SM_FIELDS
    receive(m, sm, now)
    was_full = m[at + SM_LSU_COUNT] == m[LSU_QUEUE]
    serve(m, t, sm, now)
    has_room = was_full and m[at + SM_LSU_COUNT] < m[LSU_QUEUE]
    first = m[AT_SCHEDULER] + sm * m[SCHEDULERS] * SCHEDULER_FIELDS
    soonest = NEVER
    for k in range(m[SCHEDULERS]):
        scheduler = first + k * SCHEDULER_FIELDS
        if has_room:
            m[scheduler + SC_NEXT] = min(m[scheduler + SC_NEXT], now)
        if m[scheduler + SC_NEXT] <= now:
            _schedule(m, t, sm, k, scheduler, now)
    for k in range(m[SCHEDULERS]):
        soonest = min(soonest, m[first + k * SCHEDULER_FIELDS + SC_NEXT])
    soonest = min(soonest, m[at + SM_LSU_NEXT])
    if m[at + BX_FIRST] != NONE:
        soonest = min(soonest, m[m[at + BX_FIRST] + Q_TIME])
    m[at + SM_TIME] = max(soonest, now + 1)


@part
def _schedule(
    m: Any,
    t: Any,
    sm: int,
    k: int,
    scheduler: int,
    now: int,
) -> None:
    """Let a scheduler issue from the warp that its policy prefers among those that can."""
    if m[scheduler + SC_FREE] // TICKS > now:
        m[scheduler + SC_NEXT] = m[scheduler + SC_FREE] // TICKS
        return
    chosen = choose_warp(m, t, sm, k, scheduler, now)
    if chosen == NONE:
        return
    m[scheduler + SC_LAST] = chosen
    m[m[AT_SM_COUNT] + sm * SM_COUNTS + N_ISSUE_CYCLES] += 1
    warp = m[AT_WARP] + (sm * m[WARPS] + chosen * m[SCHEDULERS] + k) * WARP_FIELDS
    pipe = m[code_of(m, m[warp + WP_ROW]) + R_PIPE]
    slots = issue(m, t, sm, k, warp, now)
    ticks, issued = slots * m[ISSUE_TICKS], 1
    while slots == 1 and issued < m[ISSUE_WIDTH] and pairs_with(m, sm, k, warp, pipe, now):
        issue(m, t, sm, k, warp, now)
        issued += 1
        ticks = max(ticks, issued * m[PAIRED_TICKS])
    m[scheduler + SC_FREE] = max(m[scheduler + SC_FREE], now * TICKS) + ticks
    m[scheduler + SC_NEXT] = max(now + 1, m[scheduler + SC_FREE] // TICKS)
