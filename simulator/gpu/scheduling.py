"""Scheduling: CTAs onto SMs, and the warps of an SM onto issue slots."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    ACTIVE_WARPS,
    ASYNC_GROUPS,
    AT_BARRIER,
    AT_CTA,
    AT_CTA_LOG,
    AT_LAUNCH,
    AT_ORDER,
    AT_READY,
    AT_SCHEDULER,
    AT_SM,
    AT_SM_COUNT,
    AT_WARP,
    BARRIERS,
    CL_BEGIN,
    CL_END,
    CL_LAUNCH,
    CL_SM,
    CT_BEGIN,
    CT_ISSUED,
    CT_LAUNCH,
    CT_LIVE,
    CT_NUMBER,
    CT_WARPS,
    CTA_FIELDS,
    CTA_LOG,
    CTA_TICKS,
    CTA_TURN_CYCLES,
    CTAS,
    G_DISPATCH_AT,
    G_DISPATCH_FREE,
    G_LAST_SM,
    G_NEED,
    G_WAITING,
    K_FREE,
    LA_AFTER,
    LA_BEGIN,
    LA_CTAS,
    LA_DONE,
    LA_FIRST_CTA,
    LA_LAST_DISPATCH,
    LA_LOADED,
    LA_LOG,
    LA_NEXT,
    LA_READY,
    LA_SHARE,
    LA_STATE,
    LA_WARPS,
    LAUNCH_FIELDS,
    LAUNCHES,
    LOG_FIELDS,
    LS_DONE,
    LS_RUNS,
    LS_WAITS,
    N_CTAS,
    NEVER,
    NONE,
    POLICY,
    POLICY_GTO,
    POLICY_LRR,
    POLICY_TWO_LEVEL,
    R_KIND,
    R_LINE,
    R_PIPE,
    REGISTERS,
    SC_LAST,
    SC_NEXT,
    SCHEDULER_FIELDS,
    SCHEDULERS,
    SHARES,
    SLOTS,
    SM_COUNTS,
    SM_CTAS,
    SM_FIELDS,
    SM_LAST_CTA,
    SM_SHARE,
    SM_TIME,
    SM_WARPS,
    SM_YIELD,
    SMS,
    START_CYCLES,
    TICKS,
    W_DISPATCH,
    W_FETCH,
    W_MATH,
    WARP_FIELDS,
    WARPS,
    WP_ACTIVE,
    WP_ALIASES,
    WP_ASYNC,
    WP_BEGIN,
    WP_CTA,
    WP_EVENT,
    WP_GROUPS,
    WP_HELD_UNTIL,
    WP_ISSUED,
    WP_LAST,
    WP_LAST_EVENT,
    WP_LOADS,
    WP_READY,
    WP_REGISTERS,
    WP_RING,
    WP_ROW,
    WP_SCHEDULER,
    WP_SLOT,
    WP_STATE,
    WP_STORES,
    WS_NONE,
    WS_RUNS,
)
from warpmill.simulator.gpu.issuing import can_issue, collector_of, pipe_of, record_stall, skip_free
from warpmill.simulator.gpu.warps import code_of, enter_next_block, fetched, next_ready, start_drain

# CTAs onto SMs: by their numbers, to each SM in turn that has room (breadth first).


@part
def step_dispatch(m: Any, t: Any, now: int) -> Any:
    """Start CTAs of the launches that may run; gives whether traces are needed to go on.

    SMs that have gone on beyond this cycle, to the end of a CTA, take none yet.
    """
    m[G_DISPATCH_AT] = NEVER
    for number in range(m[LAUNCHES]):
        launch = m[AT_LAUNCH] + number * LAUNCH_FIELDS
        _begin_if_possible(m, launch, now)
        if m[launch + LA_STATE] != LS_RUNS:
            continue
        while m[launch + LA_NEXT] < m[launch + LA_CTAS]:
            if m[G_DISPATCH_FREE] >= (now + 1) * TICKS:
                m[G_DISPATCH_AT] = min(m[G_DISPATCH_AT], m[G_DISPATCH_FREE] // TICKS)
                return False
            sm = _room_on(m, launch, now)
            if sm == NONE:
                break
            if m[launch + LA_NEXT] >= m[launch + LA_LOADED]:
                m[G_NEED], m[G_DISPATCH_AT] = number, now
                return True
            _start(m, t, launch, sm, now)
            used = max(m[G_DISPATCH_FREE], now * TICKS)
            m[G_DISPATCH_FREE] = used + m[CTA_TICKS]
        if m[launch + LA_NEXT] < m[launch + LA_CTAS] and _took_cta(m, now):
            m[G_DISPATCH_AT] = min(m[G_DISPATCH_AT], now + 1)
    return False


@part
def _took_cta(m: Any, now: int) -> Any:
    """Whether an SM was given a CTA in this cycle, and may take another in the next."""
    for sm in range(m[SMS]):
        if m[m[AT_SM] + sm * SM_FIELDS + SM_LAST_CTA] == now:
            return True
    return False


@part
def _begin_if_possible(m: Any, launch: int, now: int) -> None:
    """Start a launch whose predecessor in its stream has ended."""
    if m[launch + LA_STATE] != LS_WAITS:
        return
    before = m[launch + LA_AFTER]
    if before != NONE and m[before + LA_STATE] != LS_DONE:
        return
    if m[launch + LA_READY] > now:
        m[G_DISPATCH_AT] = min(m[G_DISPATCH_AT], m[launch + LA_READY])
        return
    m[launch + LA_STATE], m[launch + LA_BEGIN] = LS_RUNS, now
    m[G_WAITING] += m[launch + LA_CTAS]


@part
def _room_on(m: Any, launch: int, now: int) -> Any:
    """The next SM in turn that has room for a CTA and was given none in this cycle."""
    for k in range(m[SMS]):
        sm = (m[G_LAST_SM] + 1 + k) % m[SMS]
        at = m[AT_SM] + sm * SM_FIELDS
        if m[at + SM_LAST_CTA] == now or m[at + SM_CTAS] >= m[CTAS]:
            continue
        if now <= m[at + SM_YIELD] < NEVER:
            continue
        if m[at + SM_SHARE] + m[launch + LA_SHARE] > SHARES:
            continue
        if m[at + SM_WARPS] + m[launch + LA_WARPS] <= m[WARPS]:
            return sm
    return NONE


@part
def _start(m: Any, t: Any, launch: int, sm: int, now: int) -> None:
    """Start the next CTA of a launch on an SM that has room."""
    at = m[AT_SM] + sm * SM_FIELDS
    number = m[launch + LA_NEXT]
    cta = _free_cta(m, sm)
    m[cta + CT_LAUNCH], m[cta + CT_NUMBER], m[cta + CT_BEGIN] = launch, number, now
    m[cta + CT_LIVE], m[cta + CT_WARPS] = m[launch + LA_WARPS], m[launch + LA_WARPS]
    m[cta + CT_ISSUED] = 0
    place = m[launch + LA_LOG] + number
    if place < m[CTA_LOG]:
        log = m[AT_CTA_LOG] + place * LOG_FIELDS
        m[log + CL_LAUNCH], m[log + CL_SM], m[log + CL_BEGIN] = launch, sm, now
        m[log + CL_END] = NEVER
    slots = (cta - m[AT_CTA]) // CTA_FIELDS
    for k in range(2 * BARRIERS):
        m[m[AT_BARRIER] + slots * 2 * BARRIERS + k] = 0
    m[launch + LA_NEXT] += 1
    m[launch + LA_LAST_DISPATCH] = now
    m[at + SM_CTAS] += 1
    m[at + SM_SHARE] += m[launch + LA_SHARE]
    m[at + SM_WARPS] += m[launch + LA_WARPS]
    m[at + SM_LAST_CTA] = now
    m[G_LAST_SM] = sm
    m[G_WAITING] -= 1
    m[m[AT_SM_COUNT] + sm * SM_COUNTS + N_CTAS] += 1
    slot = 0
    for k in range(m[launch + LA_WARPS]):
        while m[m[AT_WARP] + (sm * m[WARPS] + slot) * WARP_FIELDS + WP_STATE] != WS_NONE:
            slot += 1
        warp = m[AT_WARP] + (sm * m[WARPS] + slot) * WARP_FIELDS
        start = m[launch + LA_FIRST_CTA] + 2 * (number * m[launch + LA_WARPS] + k)
        first, last = t[start], t[start + 1]
        _start_warp(m, t, sm, warp, cta, first, last, now)
    m[at + SM_TIME] = min(m[at + SM_TIME], now + 1)


@part
def _free_cta(m: Any, sm: int) -> Any:
    """The first free record of a CTA on an SM."""
    cta = m[AT_CTA] + sm * m[CTAS] * CTA_FIELDS
    while m[cta + CT_LAUNCH] != NONE:
        cta += CTA_FIELDS
    return cta


@part
def _start_warp(
    m: Any, t: Any, sm: int, warp: int, cta: int,
    first: int, last: int, now: int,
) -> None:  # fmt: skip
    """Start a warp with its first event, later where its CTA takes the place of another."""
    m[warp + WP_STATE], m[warp + WP_CTA] = WS_RUNS, cta
    _to_youngest(m, warp)
    m[warp + WP_EVENT], m[warp + WP_LAST_EVENT] = first, last
    m[warp + WP_LOADS], m[warp + WP_STORES], m[warp + WP_ISSUED] = 0, 0, 0
    m[warp + WP_ASYNC], m[warp + WP_GROUPS], m[warp + WP_ALIASES] = 0, 0, 0
    m[warp + WP_LAST], m[warp + WP_BEGIN], m[warp + WP_HELD_UNTIL] = now, now, 0
    m[warp + WP_ACTIVE] = 0
    for k in range(ASYNC_GROUPS):
        m[warp + WP_RING + k] = 0
    registers = m[warp + WP_REGISTERS]
    for k in range(m[REGISTERS]):
        m[registers + k] = 0
    if not enter_next_block(m, t, warp):
        start_drain(m, warp, NONE, now)
        return
    launch = m[cta + CT_LAUNCH]
    floor = now + max(m[START_CYCLES], m[CTA_TURN_CYCLES] if m[launch + LA_DONE] > 0 else 0)
    floor = fetched(m, sm, warp, m[code_of(m, m[warp + WP_ROW]) + R_LINE], floor)
    next_ready(m, warp, floor, W_FETCH)


# A warp scheduler: its policy ranks the warps that are ready; the first that units take goes.


@part
def choose_warp(m: Any, t: Any, sm: int, k: int, scheduler: int, now: int) -> Any:
    """Choose a warp of a scheduler by its place among them; NONE, and the next time to look.

    The policy ranks the warps that are ready; the first whose instruction units take is chosen.
    """
    if m[POLICY] == POLICY_TWO_LEVEL:
        _claim_places(m, sm, k, now)
    free = m[collector_of(m, sm, k)]
    if free > now * TICKS:
        m[scheduler + SC_NEXT] = -(-free // TICKS)
        _hold_first(m, sm, k, scheduler, now)
        return NONE
    slots, last, policy = m[SLOTS], m[scheduler + SC_LAST], m[POLICY]
    times = m[AT_READY] + (sm * m[SCHEDULERS] + k) * slots
    soonest, moved = NEVER, False
    for turn in range(_turns(m)):
        chosen = _place_at(m, policy, slots, last, times, turn)
        if chosen == NONE:
            continue
        if m[times + chosen] > now:
            soonest = min(soonest, m[times + chosen])
            continue
        warp = m[AT_WARP] + (sm * m[WARPS] + chosen * m[SCHEDULERS] + k) * WARP_FIELDS
        if policy == POLICY_TWO_LEVEL and (m[warp + WP_ACTIVE] == 1) != (turn < slots):
            continue
        if m[code_of(m, m[warp + WP_ROW]) + R_KIND] == K_FREE:
            moved = True
            skip_free(m, t, sm, warp, now)
            if m[times + chosen] > now:
                continue
        when = can_issue(m, sm, k, warp, now)
        if when <= now:
            return chosen
        soonest = min(soonest, when)
    if moved:  # others may be ready at another time than when they were looked at
        for place in range(times, times + slots):
            if m[place] > now:
                soonest = min(soonest, m[place])
    m[scheduler + SC_NEXT] = soonest
    return NONE


@part
def _turns(m: Any) -> Any:
    """The turns in which a policy looks at all warps of a scheduler.

    Loose round-robin looks at the next ones in a circle; two-level at those of them that are
    active, then at the others; greedy-then-oldest at the last one, then at all by age.
    """
    if m[POLICY] == POLICY_LRR:
        return m[SLOTS]
    return m[SLOTS] + 1 if m[POLICY] == POLICY_GTO else 2 * m[SLOTS]


@part
def _place_at(m: Any, policy: int, slots: int, last: int, times: int, turn: int) -> Any:
    """The place of the warp that a policy looks at in a turn; NONE: it has looked at it before.

    ``times`` are those from which on the scheduler's warps are ready; their order by age is as far
    from that of all as these are.
    """
    if policy == POLICY_GTO:
        if turn == 0:
            return last
        place = m[m[AT_ORDER] - m[AT_READY] + times + turn - 1]
        return NONE if place == last else place
    place = last + 1 + turn
    while place >= slots:
        place -= slots
    return place


@part
def _to_youngest(m: Any, warp: int) -> None:
    """Put a warp behind all others of its scheduler, in their order by age."""
    slots, place = m[SLOTS], m[warp + WP_SLOT] // m[SCHEDULERS]
    number = (m[warp + WP_SCHEDULER] - m[AT_SCHEDULER]) // SCHEDULER_FIELDS
    at, last = m[AT_ORDER] + number * slots, m[AT_ORDER] + (number + 1) * slots - 1
    while m[at] != place:
        at += 1
    while at < last:
        m[at] = m[at + 1]
        at += 1
    m[last] = place


@part
def _hold_first(m: Any, sm: int, k: int, scheduler: int, now: int) -> None:
    """Note of the warp that would be next that full collectors hold it up."""
    slots, last = m[SLOTS], m[scheduler + SC_LAST]
    times = m[AT_READY] + (sm * m[SCHEDULERS] + k) * slots
    for turn in range(_turns(m)):
        chosen = _place_at(m, m[POLICY], slots, last, times, turn)
        if chosen == NONE or m[times + chosen] > now:
            continue
        warp = m[AT_WARP] + (sm * m[WARPS] + chosen * m[SCHEDULERS] + k) * WARP_FIELDS
        if m[POLICY] != POLICY_TWO_LEVEL or (m[warp + WP_ACTIVE] == 1) == (turn < slots):
            break
    else:
        return
    row, reason = code_of(m, m[warp + WP_ROW]), W_DISPATCH
    if m[row + R_PIPE] >= 0 and m[pipe_of(m, sm, k, row, now)] > now * TICKS:
        reason = W_MATH
    record_stall(m, warp, m[scheduler + SC_NEXT], reason, now)


@part
def _claim_places(m: Any, sm: int, k: int, now: int) -> None:
    """Assign the free places among the active warps to those that are ready.

    That is done before warps are ranked, so that ranks stay while one after another is tried.
    """
    times = m[AT_READY] + (sm * m[SCHEDULERS] + k) * m[SLOTS]
    for place in range(m[SLOTS]):
        if m[times + place] <= now:
            warp = m[AT_WARP] + (sm * m[WARPS] + place * m[SCHEDULERS] + k) * WARP_FIELDS
            if m[warp + WP_ACTIVE] == 0:
                _claim_place(m, sm, k, warp)


@part
def _claim_place(m: Any, sm: int, k: int, warp: int) -> None:
    """Make a warp an active one if there is a place.

    A place is free where an active warp has ended or waits for memory, barriers or fences.
    """
    active = 0
    slots = (m[WARPS] - k + m[SCHEDULERS] - 1) // m[SCHEDULERS]
    for j in range(slots):
        other = m[AT_WARP] + (sm * m[WARPS] + j * m[SCHEDULERS] + k) * WARP_FIELDS
        if m[other + WP_ACTIVE] == 1:
            if m[other + WP_STATE] == WS_RUNS and m[m[other + WP_READY]] < NEVER:
                active += 1
            else:
                m[other + WP_ACTIVE] = 0
    if active < m[ACTIVE_WARPS]:
        m[warp + WP_ACTIVE] = 1
