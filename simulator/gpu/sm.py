"""A streaming multiprocessor: in each of its cycles every scheduler issues what it can."""

from __future__ import annotations

from typing import Any

from simulator.gpu.compiled import part
from simulator.gpu.fields import (
    A_ASYNC,
    A_STORE,
    ACTIVE_WARPS,
    ASYNC_GROUPS,
    AT_BARRIER,
    AT_BIN,
    AT_COLLECTOR,
    AT_CTA,
    AT_PIPE,
    AT_READY,
    AT_ROW_COUNT,
    AT_SCHEDULER,
    AT_SM,
    AT_SM_COUNT,
    AT_WARP,
    B_INSTRUCTIONS,
    BARRIERS,
    BIN_FIELDS,
    BINS,
    BRANCH_CYCLES,
    BX_FIRST,
    COLLECTORS,
    CTA_FIELDS,
    F_ACCESS,
    F_BEGIN,
    F_DONE,
    F_GROUP,
    F_LEFT,
    F_NEXT,
    F_READY,
    F_ROW,
    F_WARP,
    G_BIN_CYCLES,
    G_ISSUED,
    ISSUE_TICKS,
    ISSUE_WIDTH,
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
    N_ISSUE_CYCLES,
    N_THREAD_INSTRUCTIONS,
    N_WARP_INSTRUCTIONS,
    NEVER,
    NONE,
    PARTS,
    PIPES,
    PIPES_HOLD,
    POLICY,
    POLICY_GTO,
    POLICY_LRR,
    POLICY_TWO_LEVEL,
    Q_TIME,
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
    SC_FREE,
    SC_LAST,
    SC_NEXT,
    SCHEDULER_FIELDS,
    SCHEDULERS,
    SLOTS,
    SM_COUNTS,
    SM_FIELDS,
    SM_FREE_FLIGHT,
    SM_LSU_COUNT,
    SM_LSU_NEXT,
    SM_TIME,
    T_ACCESS,
    T_EVENT,
    TICKS,
    W_BARRIER,
    W_BRANCH,
    W_DISPATCH,
    W_FETCH,
    W_LG,
    W_LONG,
    W_MATH,
    W_MIO,
    W_NOT_SELECTED,
    W_SELECTED,
    W_TEX,
    W_WAIT,
    WARP_FIELDS,
    WARPS,
    WP_ACCESS,
    WP_ACTIVE,
    WP_AGE,
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
from simulator.gpu.lsu import all_there, enqueue, receive, serve
from simulator.gpu.warps import (
    begin_end,
    code_of,
    fetched,
    next_ready,
    open_barriers,
    pass_on,
    to_event,
    write_results,
)

FLIGHT_RETRY = 4
"""Cycles until it is tried again where there was no room for another access under way."""


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
    if m[scheduler + SC_FREE] > now * TICKS:
        m[scheduler + SC_NEXT] = -(-m[scheduler + SC_FREE] // TICKS)
        return
    chosen = _choose(m, t, sm, k, scheduler, now)
    if chosen == NONE:
        return
    m[scheduler + SC_LAST] = chosen
    m[m[AT_SM_COUNT] + sm * SM_COUNTS + N_ISSUE_CYCLES] += 1
    warp = m[AT_WARP] + (sm * m[WARPS] + chosen * m[SCHEDULERS] + k) * WARP_FIELDS
    pipe = m[code_of(m, m[warp + WP_ROW]) + R_PIPE]
    slots = issue(m, t, sm, k, warp, now)
    m[scheduler + SC_FREE] = max(m[scheduler + SC_FREE], now * TICKS) + slots * m[ISSUE_TICKS]
    for _ in range(1, m[ISSUE_WIDTH]):
        if not _pairs(m, sm, k, warp, pipe, now):
            break
        issue(m, t, sm, k, warp, now)
    m[scheduler + SC_NEXT] = max(now + 1, m[scheduler + SC_FREE] // TICKS)


@part
def _choose(m: Any, t: Any, sm: int, k: int, scheduler: int, now: int) -> Any:
    """Choose a warp of a scheduler by its place among them; NONE, and the next time to look.

    The policy ranks the warps that are ready; the first whose instruction units take is chosen.
    """
    if m[POLICY] == POLICY_TWO_LEVEL:
        _claim_places(m, sm, k, now)
    free = m[_collector(m, sm, k)]
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
            _skip_free(m, t, sm, warp, now)
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
    if m[row + R_PIPE] >= 0 and m[_pipe(m, sm, k, row, now)] > now * TICKS:
        reason = W_MATH
    _held(m, warp, m[scheduler + SC_NEXT], reason, now)


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


@part
def can_issue(m: Any, sm: int, k: int, warp: int, now: int) -> Any:
    """Give the time from which on units take a warp's instruction, ``now`` where they do.

    In hardware a warp does not issue to a pipe that is busy; in simulators a collector takes the
    instruction, and holds up all warps where all collectors do.
    """
    row = code_of(m, m[warp + WP_ROW])
    if m[PIPES_HOLD] != 0 and m[row + R_PIPE] >= 0:
        free = m[_pipe(m, sm, k, row, now)] // TICKS
        if free > now:
            return _held(m, warp, free, W_MATH, now)
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
        return _held(m, warp, max(now + 1, m[at + SM_LSU_NEXT]), reason, now)
    if m[at + SM_FREE_FLIGHT] == NONE:
        return _held(m, warp, now + FLIGHT_RETRY, reason, now)
    return now


@part
def _held(m: Any, warp: int, until: int, reason: int, now: int) -> Any:
    """Note that a warp that is ready is held up by a unit."""
    m[warp + WP_HELD_UNTIL], m[warp + WP_HELD_REASON] = min(until, now + (1 << 20)), reason
    return until


@part
def _pipe(m: Any, sm: int, k: int, row: int, now: int) -> Any:
    """Give the place of the time from which on an instruction's pipe is free.

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
def _collector(m: Any, sm: int, k: int) -> Any:
    """Give the place of that operand collector of a scheduler that is free first."""
    first = m[AT_COLLECTOR] + (sm * m[SCHEDULERS] + k) * m[COLLECTORS]
    best = first
    for place in range(first + 1, first + m[COLLECTORS]):
        if m[place] < m[best]:
            best = place
    return best


@part
def _pairs(m: Any, sm: int, k: int, warp: int, pipe: int, now: int) -> Any:
    """Tell whether a warp's next instruction can go in the same cycle, to another unit."""
    if m[warp + WP_STATE] != WS_RUNS or m[warp + WP_REASON] == W_BARRIER:
        return False
    row = code_of(m, m[warp + WP_ROW])
    kind = m[row + R_KIND]
    if (kind != K_ALU and kind != K_MEMORY) or m[row + R_PIPE] == pipe:
        return False
    if m[m[warp + WP_READY]] != now + 1 or m[warp + WP_REASON] != W_SELECTED:
        return False
    registers = m[warp + WP_REGISTERS]
    first = m[row + R_NEEDS]
    for n in range(first, first + m[row + R_NEED_COUNT]):
        if m[registers + m[n]] >> REASON_BITS > now:
            return False
    if m[_collector(m, sm, k)] > now * TICKS:
        return False
    return can_issue(m, sm, k, warp, now) <= now


@part
def issue(m: Any, t: Any, sm: int, k: int, warp: int, now: int) -> Any:
    """Issue a warp's instruction and let it go on to the next; gives the issue slots taken."""
    number = m[warp + WP_ROW]
    row = code_of(m, number)
    _count_issue(m, sm, warp, number, now)
    kind = m[row + R_KIND]
    collector = _collector(m, sm, k)
    reads = m[row + R_READ_CYCLES]
    start = now * TICKS
    if m[row + R_PIPE] >= 0:
        pipe, of_sm = _pipe(m, sm, k, row, now), m[AT_SM] + sm * SM_FIELDS + m[row + R_OF_SM]
        start = max(start, m[pipe])
        if m[row + R_OF_SM] != 0:
            start = max(start, m[of_sm])
            m[pipe], m[of_sm] = start, start + m[row + R_TICKS]
        else:
            m[pipe] = start + m[row + R_TICKS]
    m[collector] = start + reads * TICKS
    if kind == K_MEMORY:
        _access(m, t, sm, warp, number, now + reads - 1)
    else:
        time = -(-start // TICKS) + reads - 1 + m[row + R_LATENCY]
        write_results(m, warp, number, time << REASON_BITS | m[row + R_REASON])
    if kind == K_COMMIT:
        m[warp + WP_GROUPS] += 1
    _go_on(m, t, sm, warp, now)
    if kind == K_BARRIER or kind == K_ARRIVE:
        come = -(-start // TICKS) if m[row + R_OF_SM] != 0 else now
        _come_to_barrier(m, warp, row, kind, come)
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
def _access(m: Any, t: Any, sm: int, warp: int, number: int, now: int) -> None:
    """Hand an access to the load and store unit, if any lane makes it."""
    found = NONE
    if m[code_of(m, number) + R_RECORDED] != 0:
        found = _taken(m, t, warp, number)
        if found == NONE:
            return
    _begin_flight(m, sm, warp, number, found, now)


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
def _begin_flight(m: Any, sm: int, warp: int, number: int, found: int, now: int) -> None:
    """Let an access be under way, whose results are yet to come."""
    row, at = code_of(m, number), m[AT_SM] + sm * SM_FIELDS
    flight, kind = m[at + SM_FREE_FLIGHT], m[row + R_ACCESS]
    m[at + SM_FREE_FLIGHT] = m[flight + F_NEXT]
    m[flight + F_WARP], m[flight + F_ROW], m[flight + F_LEFT] = warp, number, 0
    m[flight + F_BEGIN], m[flight + F_READY], m[flight + F_ACCESS] = now, 0, found
    m[flight + F_DONE], m[flight + F_GROUP] = 0, 0
    if kind == A_STORE and m[row + R_SPACE] != S_SHARED:
        m[warp + WP_STORES] += 1
    else:
        m[warp + WP_LOADS] += 1
        write_results(m, warp, number, NEVER << REASON_BITS | m[row + R_REASON])
    if kind == A_ASYNC:
        group = m[warp + WP_GROUPS] % ASYNC_GROUPS
        m[flight + F_GROUP] = group
        m[warp + WP_RING + group] += 1
        m[warp + WP_ASYNC] += 1
    enqueue(m, sm, flight, now + m[LSU_CYCLES])


@part
def _go_on(m: Any, t: Any, sm: int, warp: int, now: int) -> None:
    """Let a warp go on behind the instruction that it has issued, or end."""
    before = m[warp + WP_ROW]
    row = code_of(m, before)
    floor, reason = now + 1, W_SELECTED
    if m[row + R_ISSUES] > 1:
        floor, reason = now + m[row + R_ISSUES], W_WAIT
    if not _advance(m, t, warp):
        begin_end(m, warp, before, now)
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
            begin_end(m, warp, before, now)
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
    return to_event(m, t, warp)


@part
def _skip_free(m: Any, t: Any, sm: int, warp: int, now: int) -> None:
    """Carry out instructions that take no time where a warp stands before one."""
    before = m[code_of(m, m[warp + WP_ROW]) + R_LINE]
    while m[code_of(m, m[warp + WP_ROW]) + R_KIND] == K_FREE:
        when = _passed(m, t, sm, warp, now)
        if when > now:
            m[m[warp + WP_READY]], m[warp + WP_REASON] = when, W_LONG if when >= NEVER else W_LG
            return
        if not _advance(m, t, warp):
            begin_end(m, warp, m[warp + WP_END_ROW] - 1, now)
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
            if m[at + SM_LSU_COUNT] >= m[LSU_QUEUE] or m[at + SM_FREE_FLIGHT] == NONE:
                m[warp + WP_ACCESS] = first
                return now + FLIGHT_RETRY
            _begin_flight(m, sm, warp, number, found, now)
            return now
    return now if pass_on(m, warp) else NEVER


@part
def _come_to_barrier(m: Any, warp: int, row: int, kind: int, now: int) -> None:
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
