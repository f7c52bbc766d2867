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
    AT_GLOBAL,
    AT_PIPE,
    AT_ROW_COUNT,
    AT_SCHEDULER,
    AT_SM,
    AT_SM_COUNT,
    AT_UNIT,
    AT_WARP,
    B_INSTRUCTIONS,
    BARRIERS,
    BIN_FIELDS,
    BINS,
    BRANCH_CYCLES,
    CODE_FIELDS,
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
    G_FIRST_ACCESS,
    G_FIRST_EVENT,
    G_ISSUED,
    G_NEXT_UNIT,
    G_UNITS,
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
    POLICY,
    POLICY_GTO,
    POLICY_TWO_LEVEL,
    Q_TIME,
    R_ACCESS,
    R_BARRIER,
    R_BARRIER_WARPS,
    R_ISSUES,
    R_KIND,
    R_LATENCY,
    R_LINE,
    R_NEED_COUNT,
    R_NEEDS,
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
    S_SHARED,
    S_TEXTURE,
    SC_FREE,
    SC_LAST,
    SC_NEXT,
    SCHEDULER_FIELDS,
    SCHEDULERS,
    SM_COUNTS,
    SM_FIELDS,
    SM_FREE_FLIGHT,
    SM_LSU_COUNT,
    SM_LSU_NEXT,
    SM_REPLY_FIRST,
    TICKS,
    UNIT_INSTRUCTIONS,
    UNITS,
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
    WP_REASON,
    WP_RING,
    WP_ROW,
    WP_STATE,
    WP_STORES,
    WP_WAKE,
    WS_RUNS,
)
from simulator.gpu.heap import wake
from simulator.gpu.lsu import enqueue, receive, serve
from simulator.gpu.warps import (
    begin_end,
    fetched,
    next_ready,
    open_barriers,
    pass_on,
    registers_of,
    to_event,
    write_results,
)


@part
def step_sm(m: Any, p: Any, code: Any, regs: Any, blocks: Any, s: Any, sm: int, now: int) -> None:
    """Move an SM through one cycle, and say when it has to be looked at next."""
    at = p[AT_SM] + sm * SM_FIELDS
    receive(m, p, code, regs, sm, now)
    was_full = m[at + SM_LSU_COUNT] == p[LSU_QUEUE]
    serve(m, p, code, regs, s, sm, now)
    has_room = was_full and m[at + SM_LSU_COUNT] < p[LSU_QUEUE]
    first = p[AT_SCHEDULER] + sm * p[SCHEDULERS] * SCHEDULER_FIELDS
    soonest = NEVER
    for k in range(p[SCHEDULERS]):
        scheduler = first + k * SCHEDULER_FIELDS
        if has_room:
            m[scheduler + SC_NEXT] = min(m[scheduler + SC_NEXT], now)
        if m[scheduler + SC_NEXT] <= now:
            _schedule(m, p, code, regs, blocks, s, sm, k, scheduler, now)
    for k in range(p[SCHEDULERS]):
        soonest = min(soonest, m[first + k * SCHEDULER_FIELDS + SC_NEXT])
    soonest = min(soonest, m[at + SM_LSU_NEXT])
    if m[at + SM_REPLY_FIRST] != NONE:
        soonest = min(soonest, m[m[at + SM_REPLY_FIRST] + Q_TIME])
    if soonest < NEVER:
        wake(m, p, sm, max(soonest, now + 1))


@part
def _schedule(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    m: Any,
    p: Any,
    code: Any,
    regs: Any,
    blocks: Any,
    s: Any,
    sm: int,
    k: int,
    scheduler: int,
    now: int,
) -> None:
    """Let a scheduler issue from the warp that its policy prefers among those that can."""
    if m[scheduler + SC_FREE] > now * TICKS:
        m[scheduler + SC_NEXT] = -(-m[scheduler + SC_FREE] // TICKS)
        return
    chosen = _choose(m, p, code, regs, blocks, s, sm, k, scheduler, now)
    if chosen == NONE:
        return
    m[scheduler + SC_LAST] = chosen
    m[p[AT_SM_COUNT] + sm * SM_COUNTS + N_ISSUE_CYCLES] += 1
    warp = p[AT_WARP] + (sm * p[WARPS] + chosen * p[SCHEDULERS] + k) * WARP_FIELDS
    pipe = code[m[warp + WP_ROW] * CODE_FIELDS + R_PIPE]
    slots = issue(m, p, code, regs, blocks, s, sm, k, warp, now)
    m[scheduler + SC_FREE] = max(m[scheduler + SC_FREE], now * TICKS) + slots * p[ISSUE_TICKS]
    for _ in range(1, p[ISSUE_WIDTH]):
        if not _pairs(m, p, code, regs, sm, k, warp, pipe, now):
            break
        issue(m, p, code, regs, blocks, s, sm, k, warp, now)
    m[scheduler + SC_NEXT] = max(now + 1, m[scheduler + SC_FREE] // TICKS)


@part
def _choose(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    m: Any,
    p: Any,
    code: Any,
    regs: Any,
    blocks: Any,
    s: Any,
    sm: int,
    k: int,
    scheduler: int,
    now: int,
) -> Any:
    """Choose a warp of a scheduler by its place among them; NONE, and the next time to look."""
    slots = (p[WARPS] - k + p[SCHEDULERS] - 1) // p[SCHEDULERS]
    last, policy = m[scheduler + SC_LAST], p[POLICY]
    chosen, best, soonest = NONE, NEVER, NEVER
    for j in range(slots):
        warp = p[AT_WARP] + (sm * p[WARPS] + j * p[SCHEDULERS] + k) * WARP_FIELDS
        if m[warp + WP_STATE] != WS_RUNS:
            continue
        if m[warp + WP_WAKE] > now:
            soonest = min(soonest, m[warp + WP_WAKE])
            continue
        if code[m[warp + WP_ROW] * CODE_FIELDS + R_KIND] == K_FREE:
            _skip_free(m, p, code, regs, blocks, s, sm, warp, now)
            if m[warp + WP_STATE] != WS_RUNS or m[warp + WP_WAKE] > now:
                soonest = min(soonest, m[warp + WP_WAKE])
                continue
        when = can_issue(m, p, code, sm, k, warp, now)
        if when > now:
            soonest = min(soonest, when)
            continue
        if policy == POLICY_GTO:
            rank = NONE if j == last else m[warp + WP_AGE]
        else:
            rank = (j - last - 1) % slots
            if policy == POLICY_TWO_LEVEL:
                rank += 0 if _is_active(m, p, sm, k, warp) else slots
        if rank < best:
            chosen, best = j, rank
    m[scheduler + SC_NEXT] = soonest
    return chosen


@part
def _is_active(m: Any, p: Any, sm: int, k: int, warp: int) -> Any:
    """Tell whether a warp is among the active ones; a free place among them is taken at once.

    A place is free where an active warp has ended or waits for memory, barriers or fences.
    """
    if m[warp + WP_ACTIVE] == 1:
        return True
    active = 0
    slots = (p[WARPS] - k + p[SCHEDULERS] - 1) // p[SCHEDULERS]
    for j in range(slots):
        other = p[AT_WARP] + (sm * p[WARPS] + j * p[SCHEDULERS] + k) * WARP_FIELDS
        if m[other + WP_ACTIVE] == 1:
            if m[other + WP_STATE] == WS_RUNS and m[other + WP_WAKE] < NEVER:
                active += 1
            else:
                m[other + WP_ACTIVE] = 0
    if active < p[ACTIVE_WARPS]:
        m[warp + WP_ACTIVE] = 1
        return True
    return False


@part
def can_issue(m: Any, p: Any, code: Any, sm: int, k: int, warp: int, now: int) -> Any:
    """Give the time from which on units take a warp's instruction, ``now`` where they do."""
    at = p[AT_SM] + sm * SM_FIELDS
    row = m[warp + WP_ROW] * CODE_FIELDS
    if code[row + R_KIND] == K_MEMORY:
        reason = W_LG
        if code[row + R_SPACE] == S_SHARED:
            reason = W_MIO
        elif code[row + R_SPACE] == S_TEXTURE:
            reason = W_TEX
        if p[LOADS_PER_WARP] > 0 and m[warp + WP_LOADS] >= p[LOADS_PER_WARP]:
            if code[row + R_ACCESS] != A_STORE and code[row + R_SPACE] != S_SHARED:
                m[warp + WP_WAKE], m[warp + WP_REASON] = NEVER, W_LG
                return NEVER
        if m[at + SM_LSU_COUNT] >= p[LSU_QUEUE]:
            return _held(m, warp, max(now + 1, m[at + SM_LSU_NEXT]), reason, now)
        if m[at + SM_FREE_FLIGHT] == NONE:
            return _held(m, warp, now + 4, reason, now)
    free = m[_collector(m, p, sm, k)]
    if free > now * TICKS:
        reason = W_DISPATCH
        pipe = code[row + R_PIPE]
        if pipe >= 0 and m[_pipe(p, sm, k, pipe)] > now * TICKS:
            reason = W_MATH
        return _held(m, warp, -(-free // TICKS), reason, now)
    return now


@part
def _held(m: Any, warp: int, until: int, reason: int, now: int) -> Any:
    """Note that a warp that is ready is held up by a unit."""
    m[warp + WP_HELD_UNTIL], m[warp + WP_HELD_REASON] = min(until, now + (1 << 20)), reason
    return until


@part
def _pipe(p: Any, sm: int, k: int, pipe: int) -> Any:
    """Give the place of the time from which on a pipe of a scheduler's sub-partition is free."""
    own = k * p[PARTS] // p[SCHEDULERS]
    return p[AT_PIPE] + (sm * p[PARTS] + own) * p[PIPES] + pipe


@part
def _collector(m: Any, p: Any, sm: int, k: int) -> Any:
    """Give the place of that operand collector of a scheduler that is free first."""
    first = p[AT_COLLECTOR] + (sm * p[SCHEDULERS] + k) * p[COLLECTORS]
    best = first
    for place in range(first + 1, first + p[COLLECTORS]):
        if m[place] < m[best]:
            best = place
    return best


@part
def _pairs(
    m: Any, p: Any, code: Any, regs: Any, sm: int, k: int, warp: int, pipe: int, now: int
) -> Any:
    """Tell whether a warp's next instruction can go in the same cycle: to another unit, all ready."""
    if m[warp + WP_STATE] != WS_RUNS or m[warp + WP_REASON] == W_BARRIER:
        return False
    row = m[warp + WP_ROW] * CODE_FIELDS
    kind = code[row + R_KIND]
    if (kind != K_ALU and kind != K_MEMORY) or code[row + R_PIPE] == pipe:
        return False
    if m[warp + WP_WAKE] != now + 1 or m[warp + WP_REASON] != W_SELECTED:
        return False
    registers = registers_of(p, warp)
    first = code[row + R_NEEDS]
    for n in range(first, first + code[row + R_NEED_COUNT]):
        if m[registers + regs[n]] >> REASON_BITS > now:
            return False
    return can_issue(m, p, code, sm, k, warp, now) <= now


@part
def issue(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    m: Any, p: Any, code: Any, regs: Any, blocks: Any, s: Any, sm: int, k: int, warp: int, now: int
) -> Any:
    """Issue a warp's instruction and let the warp go on to the next; gives the issue slots taken."""
    number = m[warp + WP_ROW]
    row = number * CODE_FIELDS
    _count_issue(m, p, sm, warp, number, now)
    kind = code[row + R_KIND]
    collector = _collector(m, p, sm, k)
    reads = code[row + R_READ_CYCLES]
    start = now * TICKS
    if code[row + R_PIPE] >= 0:
        pipe = _pipe(p, sm, k, code[row + R_PIPE])
        start = max(start, m[pipe])
        m[pipe] = start + code[row + R_TICKS]
    m[collector] = start + reads * TICKS
    if kind == K_MEMORY:
        _access(m, p, code, regs, s, sm, warp, number, now + reads - 1)
    else:
        time = -(-start // TICKS) + reads - 1 + code[row + R_LATENCY]
        write_results(m, p, code, regs, warp, number, time << REASON_BITS | code[row + R_REASON])
    if kind == K_COMMIT:
        m[warp + WP_GROUPS] += 1
    _go_on(m, p, code, regs, blocks, s, sm, warp, now)
    if kind == K_BARRIER or kind == K_ARRIVE:
        _come_to_barrier(m, p, code, regs, warp, row, kind, now)
    return code[row + R_ISSUES]


@part
def _count_issue(m: Any, p: Any, sm: int, warp: int, row: int, now: int) -> None:
    """Count an issue, and why the warp did not issue since the one before."""
    counts, lanes = p[AT_SM_COUNT] + sm * SM_COUNTS, m[warp + WP_LANES]
    m[counts + N_WARP_INSTRUCTIONS] += 1
    m[counts + N_THREAD_INSTRUCTIONS] += lanes
    g = p[AT_GLOBAL]
    m[g + G_ISSUED] += 1
    if m[g + G_ISSUED] == m[g + G_NEXT_UNIT]:
        m[g + G_NEXT_UNIT] += p[UNIT_INSTRUCTIONS]
        if m[g + G_UNITS] < p[UNITS]:
            m[p[AT_UNIT] + m[g + G_UNITS]] = now
            m[g + G_UNITS] += 1
    bin_ = now // m[g + G_BIN_CYCLES]
    if bin_ < p[BINS]:
        m[p[AT_BIN] + bin_ * BIN_FIELDS + B_INSTRUCTIONS] += 1
    m[warp + WP_ISSUED] += 1
    own = p[AT_ROW_COUNT] + row * ROW_COUNTS
    m[own + RC_ISSUES] += 1
    m[own + RC_LANES] += lanes
    stalls, begin = own + RC_STALLS, m[warp + WP_LAST] + 1
    m[stalls + W_SELECTED] += 1
    ready = min(max(m[warp + WP_WAKE], begin), now)
    if ready > begin:
        m[stalls + m[warp + WP_REASON]] += ready - begin
    held = min(max(m[warp + WP_HELD_UNTIL], ready), now)
    if held > ready:
        m[stalls + m[warp + WP_HELD_REASON]] += held - ready
    m[stalls + W_NOT_SELECTED] += max(now, begin) - max(held, begin)
    m[warp + WP_LAST], m[warp + WP_HELD_UNTIL] = now, 0


@part
def _access(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    m: Any, p: Any, code: Any, regs: Any, s: Any, sm: int, warp: int, number: int, now: int
) -> None:
    """Hand an access to the load and store unit, if any lane makes it."""
    row, g, at = number * CODE_FIELDS, p[AT_GLOBAL], p[AT_SM] + sm * SM_FIELDS
    found = NONE
    if code[row + R_RECORDED] != 0:
        end = s.access[m[warp + WP_EVENT] - m[g + G_FIRST_EVENT] + 1]
        while m[warp + WP_ACCESS] < end:
            access = m[warp + WP_ACCESS] - m[g + G_FIRST_ACCESS]
            if s.row[access] != number:
                break
            if found == NONE or s.way[access] != S_SHARED:  # a copy: where it copies from counts
                found = m[warp + WP_ACCESS]
            m[warp + WP_ACCESS] += 1
        if found == NONE:
            return
    flight, kind = m[at + SM_FREE_FLIGHT], code[row + R_ACCESS]
    m[at + SM_FREE_FLIGHT] = m[flight + F_NEXT]
    m[flight + F_WARP], m[flight + F_ROW], m[flight + F_LEFT] = warp, number, 0
    m[flight + F_BEGIN], m[flight + F_READY], m[flight + F_ACCESS] = now, 0, found
    m[flight + F_DONE], m[flight + F_GROUP] = 0, 0
    if kind == A_STORE and code[row + R_SPACE] != S_SHARED:
        m[warp + WP_STORES] += 1
    else:
        m[warp + WP_LOADS] += 1
        write_results(m, p, code, regs, warp, number, NEVER << REASON_BITS | code[row + R_REASON])
    if kind == A_ASYNC:
        group = m[warp + WP_GROUPS] % ASYNC_GROUPS
        m[flight + F_GROUP] = group
        m[warp + WP_RING + group] += 1
        m[warp + WP_ASYNC] += 1
    enqueue(m, p, sm, flight, now + p[LSU_CYCLES])


@part
def _go_on(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    m: Any, p: Any, code: Any, regs: Any, blocks: Any, s: Any, sm: int, warp: int, now: int
) -> None:
    """Let a warp go on behind the instruction that it has issued, or end."""
    before = m[warp + WP_ROW]
    row = before * CODE_FIELDS
    floor, reason = now + 1, W_SELECTED
    if code[row + R_ISSUES] > 1:
        floor, reason = now + code[row + R_ISSUES], W_WAIT
    if not _advance(m, p, s, blocks, warp):
        begin_end(m, p, code, regs, warp, now)
        return
    after = m[warp + WP_ROW]
    if code[row + R_KIND] == K_BRANCH:
        cycles = p[BRANCH_CYCLES]
        if after != before + 1:
            cycles = max(cycles, p[REFILL])
        if now + cycles > floor:
            floor, reason = now + cycles, W_BRANCH
    line = code[after * CODE_FIELDS + R_LINE]
    if line != code[row + R_LINE]:
        there = fetched(m, p, sm, line, floor)
        if there > floor:
            floor, reason = there, W_FETCH
    while code[m[warp + WP_ROW] * CODE_FIELDS + R_KIND] == K_FREE:
        if not pass_on(m, p, code, regs, warp):
            break
        if not _advance(m, p, s, blocks, warp):
            begin_end(m, p, code, regs, warp, now)
            return
    next_ready(m, p, code, regs, warp, floor, reason)


@part
def _advance(m: Any, p: Any, s: Any, blocks: Any, warp: int) -> Any:
    """Let a warp stand before its next instruction; gives whether there is one."""
    m[warp + WP_ROW] += 1
    if m[warp + WP_ROW] < m[warp + WP_END_ROW]:
        return True
    m[warp + WP_EVENT] += 1
    return to_event(m, p, s, blocks, warp)


@part
def _skip_free(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    m: Any, p: Any, code: Any, regs: Any, blocks: Any, s: Any, sm: int, warp: int, now: int
) -> None:
    """Carry out instructions that take no time where a warp stands before one."""
    while code[m[warp + WP_ROW] * CODE_FIELDS + R_KIND] == K_FREE:
        if not pass_on(m, p, code, regs, warp):
            m[warp + WP_WAKE], m[warp + WP_REASON] = NEVER, W_LONG
            return
        if not _advance(m, p, s, blocks, warp):
            begin_end(m, p, code, regs, warp, now)
            return
    next_ready(m, p, code, regs, warp, now, W_WAIT)


@part
def _come_to_barrier(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    m: Any, p: Any, code: Any, regs: Any, warp: int, row: int, kind: int, now: int
) -> None:
    """Note that a warp has come to a barrier; it waits there unless it only tells so."""
    if m[warp + WP_STATE] != WS_RUNS:
        return
    cta = m[warp + WP_CTA]
    number = (cta - p[AT_CTA]) // CTA_FIELDS
    which = code[row + R_BARRIER]
    barrier = p[AT_BARRIER] + (number * BARRIERS + which) * 2
    m[barrier] += 1
    m[barrier + 1] = code[row + R_BARRIER_WARPS]
    if kind == K_BARRIER:
        m[warp + WP_WAKE], m[warp + WP_REASON], m[warp + WP_BARRIER] = NEVER, W_BARRIER, which
    open_barriers(m, p, code, regs, cta, now)
