"""CTAs onto SMs: by their numbers, to each SM in turn that has room (breadth first)."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    ASYNC_GROUPS,
    AT_BARRIER,
    AT_CTA,
    AT_CTA_LOG,
    AT_LAUNCH,
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
    R_LINE,
    REGISTERS,
    SHARES,
    SM_AGE,
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
    W_FETCH,
    WARP_FIELDS,
    WARPS,
    WP_ACTIVE,
    WP_AGE,
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
    WP_REGISTERS,
    WP_RING,
    WP_ROW,
    WP_STATE,
    WP_STORES,
    WS_NONE,
    WS_RUNS,
)
from warpmill.simulator.gpu.warps import begin_end, code_of, fetched, next_ready, to_event


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
    """Tell whether an SM was given a CTA in this cycle, and may take another in the next."""
    for sm in range(m[SMS]):
        if m[m[AT_SM] + sm * SM_FIELDS + SM_LAST_CTA] == now:
            return True
    return False


@part
def _begin_if_possible(m: Any, launch: int, now: int) -> None:
    """Let a launch begin whose predecessor in its stream has ended."""
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
    """Give the next SM in turn that has room for a CTA and was given none in this cycle."""
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
    """Give the first free record of a CTA on an SM."""
    cta = m[AT_CTA] + sm * m[CTAS] * CTA_FIELDS
    while m[cta + CT_LAUNCH] != NONE:
        cta += CTA_FIELDS
    return cta


@part
def _start_warp(
    m: Any, t: Any, sm: int, warp: int, cta: int,
    first: int, last: int, now: int,
) -> None:  # fmt: skip
    """Let a warp begin with its first event, later where its CTA takes the place of another."""
    at = m[AT_SM] + sm * SM_FIELDS
    m[warp + WP_STATE], m[warp + WP_CTA], m[warp + WP_AGE] = WS_RUNS, cta, m[at + SM_AGE]
    m[at + SM_AGE] += 1
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
    if not to_event(m, t, warp):
        begin_end(m, warp, NONE, now)
        return
    launch = m[cta + CT_LAUNCH]
    floor = now + max(m[START_CYCLES], m[CTA_TURN_CYCLES] if m[launch + LA_DONE] > 0 else 0)
    floor = fetched(m, sm, warp, m[code_of(m, m[warp + WP_ROW]) + R_LINE], floor)
    next_ready(m, warp, floor, W_FETCH)
