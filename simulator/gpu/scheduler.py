"""A warp scheduler: its policy ranks the warps that are ready; the first that units take goes."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.advancing import skip_free
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    ACTIVE_WARPS,
    AT_READY,
    AT_WARP,
    K_FREE,
    NEVER,
    NONE,
    POLICY,
    POLICY_GTO,
    POLICY_LRR,
    POLICY_TWO_LEVEL,
    R_KIND,
    R_PIPE,
    SC_LAST,
    SC_NEXT,
    SCHEDULERS,
    SLOTS,
    TICKS,
    W_DISPATCH,
    W_MATH,
    WARP_FIELDS,
    WARPS,
    WP_ACTIVE,
    WP_AGE,
    WP_READY,
    WP_ROW,
    WP_STATE,
    WS_RUNS,
)
from warpmill.simulator.gpu.issuing import can_issue, collector_of, hold_up, pipe_of
from warpmill.simulator.gpu.warps import code_of


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
    soonest, rank = NEVER, NONE
    while True:
        chosen = _next_ranked(m, sm, k, scheduler, now, rank)
        if chosen == NONE:
            break
        rank = _rank(m, sm, k, scheduler, chosen)
        warp = m[AT_WARP] + (sm * m[WARPS] + chosen * m[SCHEDULERS] + k) * WARP_FIELDS
        if m[code_of(m, m[warp + WP_ROW]) + R_KIND] == K_FREE:
            skip_free(m, t, sm, warp, now)
            if m[m[warp + WP_READY]] > now:
                continue
        when = can_issue(m, sm, k, warp, now)
        if when <= now:
            return chosen
        soonest = min(soonest, when)
    times = m[AT_READY] + (sm * m[SCHEDULERS] + k) * m[SLOTS]
    for place in range(times, times + m[SLOTS]):
        if m[place] > now:
            soonest = min(soonest, m[place])
    m[scheduler + SC_NEXT] = soonest
    return NONE


@part
def _next_ranked(m: Any, sm: int, k: int, scheduler: int, now: int, beyond: int) -> Any:
    """Give the ready warp that ranks first among those behind a rank; NONE: there is none."""
    times, slots = m[AT_READY] + (sm * m[SCHEDULERS] + k) * m[SLOTS], m[SLOTS]
    if m[POLICY] == POLICY_LRR:
        last = m[scheduler + SC_LAST]
        for rank in range(beyond + 1, slots):
            place = last + 1 + rank
            place -= slots if place >= slots else 0
            if m[times + place] <= now:
                return place
        return NONE
    chosen, best = NONE, NEVER
    for place in range(slots):
        if m[times + place] <= now:
            rank = _rank(m, sm, k, scheduler, place)
            if beyond < rank < best:
                chosen, best = place, rank
    return chosen


@part
def _rank(m: Any, sm: int, k: int, scheduler: int, place: int) -> Any:
    """Give the rank of a scheduler's warp: the smallest is preferred.

    Loose round-robin takes the next in turn; greedy-then-oldest the last one, then by age;
    two-level the next in turn of those that are active, then of the others.
    """
    last, slots = m[scheduler + SC_LAST], m[SLOTS]
    if m[POLICY] == POLICY_GTO:
        warp = m[AT_WARP] + (sm * m[WARPS] + place * m[SCHEDULERS] + k) * WARP_FIELDS
        return 0 if place == last else m[warp + WP_AGE] + 1
    turn = place - last - 1
    turn += slots if turn < 0 else 0
    if m[POLICY] == POLICY_TWO_LEVEL:
        warp = m[AT_WARP] + (sm * m[WARPS] + place * m[SCHEDULERS] + k) * WARP_FIELDS
        return turn if m[warp + WP_ACTIVE] == 1 else turn + slots
    return turn


@part
def _hold_first(m: Any, sm: int, k: int, scheduler: int, now: int) -> None:
    """Note of the warp that would be next that full collectors hold it up."""
    chosen = _next_ranked(m, sm, k, scheduler, now, NONE)
    if chosen == NONE:
        return
    warp = m[AT_WARP] + (sm * m[WARPS] + chosen * m[SCHEDULERS] + k) * WARP_FIELDS
    row, reason = code_of(m, m[warp + WP_ROW]), W_DISPATCH
    if m[row + R_PIPE] >= 0 and m[pipe_of(m, sm, k, row, now)] > now * TICKS:
        reason = W_MATH
    hold_up(m, warp, m[scheduler + SC_NEXT], reason, now)


@part
def _claim_places(m: Any, sm: int, k: int, now: int) -> None:
    """Let warps that are ready take the free places among the active ones.

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
    """Let a warp be an active one if there is a place.

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
