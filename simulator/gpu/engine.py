"""The engine's loop: lookahead windows, in which SMs and then channels are moved one by one."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.caches import bring_in, key_of, look_up, use, victim_of
from warpmill.simulator.gpu.compiled import engine, part, words_of
from warpmill.simulator.gpu.fields import (
    AT_BIN,
    AT_CHANNEL,
    AT_LAUNCH,
    AT_SCHEDULER,
    AT_SLICE,
    AT_SLICE_PORT,
    AT_SM,
    AT_SM_COUNT,
    AT_SM_PORT,
    AT_WARP,
    BIN_FIELDS,
    BINS,
    BX_FIRST,
    C_SECTORS,
    CH_BACK,
    CH_BACK_LAST,
    CH_BUS,
    CH_FIRST,
    CH_NEXT,
    CH_TIME,
    CHANNEL_FIELDS,
    CHANNELS,
    CL_END,
    CL_LAUNCH,
    G_BIN_CYCLES,
    G_DISPATCH_AT,
    G_LAUNCHES_DONE,
    G_STOP,
    G_WATCH,
    G_WINDOW,
    HAS_L2,
    ISSUE_TICKS,
    ISSUE_WIDTH,
    L2_CACHE,
    L2_DELAY,
    LA_END,
    LA_READY,
    LA_STATE,
    LAUNCH_FIELDS,
    LAUNCHES,
    LOOKAHEAD,
    LS_HELD,
    LS_WAITS,
    LSU_QUEUE,
    N_ISSUE_CYCLES,
    NEVER,
    NONE,
    OF_L2,
    PAIRED_TICKS,
    Q_KIND,
    Q_NEXT,
    Q_REF,
    Q_SM,
    Q_TIME,
    Q_WORDS,
    QK_LOAD,
    QK_WRITE_BACK,
    R_PIPE,
    RUN_DONE,
    RUN_NEEDS,
    RUN_PAUSED,
    RUN_STUCK,
    SC_FREE,
    SC_LAST,
    SC_NEXT,
    SCHEDULER_FIELDS,
    SCHEDULERS,
    SL_TIME,
    SLICE_FIELDS,
    SLICES,
    SM_COUNTS,
    SM_FIELDS,
    SM_LSU_COUNT,
    SM_LSU_NEXT,
    SM_TIME,
    SM_YIELD,
    SMS,
    SUBSLICES,
    T_BURST,
    TICKS,
    WARP_FIELDS,
    WARPS,
    WP_ROW,
)
from warpmill.simulator.gpu.issuing import issue, pairs_with
from warpmill.simulator.gpu.lsu import receive, serve
from warpmill.simulator.gpu.memory_partition import (
    choose,
    fill,
    issue_column,
    step_slice,
    take_out,
    unstick,
)
from warpmill.simulator.gpu.network import (
    carry_replies,
    carry_requests,
    free_request,
    local_sector,
    next_entry,
    reply,
    slice_of,
    written_back,
)
from warpmill.simulator.gpu.scheduling import choose_warp, step_dispatch
from warpmill.simulator.gpu.warps import code_of
from warpmill.simulator.memory.cache_step import VALID

_AHEAD = 1 << 14
"""Cycles that the plots over time have room for beyond a window: DRAM and L2 count in advance."""


@engine
def run(words: Any, until: int, most: int) -> Any:
    """Advance until everything is done, or a cycle or a number of lookahead windows is reached.

    ``G_STOP`` is the number of launches that are to be done. Gives one of RUN_DONE, RUN_NEEDS (the
    launch G_NEED needs traces), RUN_PAUSED and RUN_STUCK.

    Time passes in lookahead windows no longer than the shortest way from L2 to an SM: in one, first
    each SM by itself, then the network, each channel with its slices, and the network back. How
    long the windows are changes nothing but the speed.
    """
    m = words_of(words)
    t = m  # traces stand at places beyond the state's, wherever they are
    windows_run = 0
    while m[G_LAUNCHES_DONE] < m[G_STOP]:
        start = m[G_WINDOW]
        if start >= until or windows_run >= most or _has_ended(m, m[G_WATCH]):
            return RUN_PAUSED
        end = min(start + m[LOOKAHEAD], until)
        while end + _AHEAD >= m[BINS] * m[G_BIN_CYCLES]:
            _widen_bins(m)
        if _move_sms(m, t, end):
            return RUN_NEEDS
        if m[G_LAUNCHES_DONE] == m[G_STOP]:
            end = min(end, _last_end(m) + 1)
        carry_requests(m, start, end)
        following = min(m[G_DISPATCH_AT], next_entry(m, m[AT_SM_PORT], m[SMS]))
        for number in range(m[CHANNELS]):
            step_partition(m, number, end)
            following = min(following, next_of(m, number))
        reach = m[L2_DELAY] + 1
        carry_replies(m, start + reach, end + reach)
        following = min(following, next_entry(m, m[AT_SLICE_PORT], m[SLICES]) - reach)
        for sm in range(m[SMS]):
            following = min(following, m[m[AT_SM] + sm * SM_FIELDS + SM_TIME])
        if m[G_LAUNCHES_DONE] == m[G_STOP]:
            following = end
        if following >= NEVER - reach:
            return RUN_STUCK
        m[G_WINDOW] = max(end, following)
        windows_run += 1
    return RUN_DONE


@part
def _has_ended(m: Any, log: int) -> Any:
    """Whether a CTA has begun and ended, by its place in the log; 0 is none's."""
    return log > 0 and m[log + CL_LAUNCH] > 0 and m[log + CL_END] < NEVER


@part
def _move_sms(m: Any, t: Any, end: int) -> Any:
    """Move all SMs up to a cycle, with CTAs started in order; gives whether traces are needed.

    An SM at which a CTA ends stops there, while others wait to start, until all SMs have come
    as far.
    """
    while True:
        limit = min(end, m[G_DISPATCH_AT])
        dispatch = m[G_DISPATCH_AT]
        for sm in range(m[SMS]):
            at = m[AT_SM] + sm * SM_FIELDS
            while m[at + SM_TIME] < limit and m[at + SM_TIME] <= m[at + SM_YIELD]:
                step_sm(m, t, sm, m[at + SM_TIME])
            dispatch = min(dispatch, m[at + SM_YIELD] + 1)
        dispatch = min(dispatch, m[G_DISPATCH_AT])
        if dispatch >= end or m[G_LAUNCHES_DONE] == m[G_STOP]:
            m[G_DISPATCH_AT] = min(dispatch, NEVER)
            break
        if step_dispatch(m, t, dispatch):
            return True
        for sm in range(m[SMS]):
            at = m[AT_SM] + sm * SM_FIELDS
            if m[at + SM_YIELD] < dispatch:
                m[at + SM_YIELD] = NEVER
    for sm in range(m[SMS]):
        m[m[AT_SM] + sm * SM_FIELDS + SM_YIELD] = NEVER
    return False


@part
def _last_end(m: Any) -> Any:
    """The cycle at which the last launch has ended: up to there everything has to happen."""
    end = 0
    for number in range(m[LAUNCHES]):
        end = max(end, m[m[AT_LAUNCH] + number * LAUNCH_FIELDS + LA_END])
    return end


@part
def _widen_bins(m: Any) -> None:
    """Double the length of each bin of the plots over time: pairs become one."""
    for k in range(m[BINS]):
        for n in range(BIN_FIELDS):
            total = 0
            if 2 * k + 1 < m[BINS]:
                pair = m[AT_BIN] + 2 * k * BIN_FIELDS + n
                total = m[pair] + m[pair + BIN_FIELDS]
            m[m[AT_BIN] + k * BIN_FIELDS + n] = total
    m[G_BIN_CYCLES] *= 2


@engine
def arm(words: Any, launches: int, now: int) -> None:
    """Allow so many of the launches to run, none before a cycle."""
    m = words_of(words)
    for number in range(launches):
        launch = m[AT_LAUNCH] + number * LAUNCH_FIELDS
        if m[launch + LA_STATE] == LS_HELD:
            m[launch + LA_STATE], m[launch + LA_READY] = LS_WAITS, now
    m[G_STOP] = launches
    m[G_DISPATCH_AT] = min(m[G_DISPATCH_AT], now)


@engine
def warm(words: Any, first: int, last: int) -> None:
    """Fill L2 with sectors, the last ones where not all fit, as if they had just been written."""
    m = words_of(words)
    c = m[OF_L2]
    for sector in range(first, last):
        local, slice_ = local_sector(m, sector), slice_of(m, sector)
        key = key_of(m, c, local // m[c + C_SECTORS])
        row = look_up(m, c, slice_, key)
        if row < 0:
            row = victim_of(m, c, slice_, key)
            bring_in(m, c, slice_, key, row)
        else:
            use(m, c, slice_, row)
        m[row + VALID] |= 1 << local % m[c + C_SECTORS]


# A streaming multiprocessor: in each of its cycles every scheduler issues what it can.


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
    """Issue, on one scheduler, from the warp that its policy prefers among those that can."""
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


# A DRAM channel's cycle: one column command at a time, and what it brings back to L2.


@part
def step_partition(m: Any, number: int, end: int) -> None:
    """Move a channel with its slices up to a cycle; in a cycle slices are before their channel."""
    first, channel = number * m[SUBSLICES], m[AT_CHANNEL] + number * CHANNEL_FIELDS
    while True:
        now = next_of(m, number)
        if now >= end:
            break
        for k in range(first, first + m[SUBSLICES]):
            if m[m[AT_SLICE] + k * SLICE_FIELDS + SL_TIME] <= now:
                step_slice(m, k, now)
        if m[channel + CH_TIME] <= now:
            step_channel(m, number, now)


@part
def next_of(m: Any, number: int) -> Any:
    """The next cycle at which a channel or one of its slices has anything to do."""
    time = m[m[AT_CHANNEL] + number * CHANNEL_FIELDS + CH_TIME]
    for k in range(number * m[SUBSLICES], (number + 1) * m[SUBSLICES]):
        time = min(time, m[m[AT_SLICE] + k * SLICE_FIELDS + SL_TIME])
    return time


@part
def step_channel(m: Any, number: int, now: int) -> None:
    """Bring back what DRAM has read by now, and issue the next column command if it is time."""
    channel = m[AT_CHANNEL] + number * CHANNEL_FIELDS
    _bring_back(m, channel, now)
    while m[channel + CH_NEXT] <= now:
        request = choose(m, channel, now)
        if request == NONE:
            break
        time = issue_column(m, number, channel, request)
        take_out(m, channel, request)
        _under_way(m, channel, request)
        following = now if m[T_BURST] < TICKS else now + 1  # fast channels: several in a cycle
        m[channel + CH_NEXT] = max(following, time // TICKS)
        for k in range(m[SUBSLICES]):
            unstick(m, number * m[SUBSLICES] + k, now + 1)
    soonest = NEVER
    if m[channel + CH_BACK] != NONE:
        soonest = m[m[channel + CH_BACK] + Q_TIME]
    if m[channel + CH_FIRST] != NONE:
        time = max(m[m[channel + CH_FIRST] + Q_TIME], m[channel + CH_NEXT])
        soonest = min(soonest, time)
    m[channel + CH_TIME] = max(now + 1, soonest)


@part
def _under_way(m: Any, channel: int, request: int) -> None:
    """Queue a request whose command was issued behind those before it; writes are over."""
    has_l2 = m[HAS_L2] != 0
    if m[request + Q_KIND] != QK_LOAD and has_l2:
        free_request(m, request)
        return
    m[request + Q_TIME] = -(-m[channel + CH_BUS] // TICKS) + 1
    m[request + Q_NEXT] = NONE
    if m[channel + CH_BACK] == NONE:
        m[channel + CH_BACK] = request
    else:
        m[m[channel + CH_BACK_LAST] + Q_NEXT] = request
    m[channel + CH_BACK_LAST] = request


@part
def _bring_back(m: Any, channel: int, now: int) -> None:
    """Fill L2 with the data that have come, or answer the SM where there is no L2.

    What was read for the rest of a sector that is written back goes there with it.
    """
    while m[channel + CH_BACK] != NONE and m[m[channel + CH_BACK] + Q_TIME] <= now:
        request = m[channel + CH_BACK]
        m[channel + CH_BACK] = m[request + Q_NEXT]
        slice_, ref = m[request + Q_SM], m[request + Q_REF]
        if m[HAS_L2] != 0 and ref != NONE:
            fill(m, slice_, ref, m[request + Q_WORDS] % m[L2_CACHE + C_SECTORS], now)
        elif m[HAS_L2] == 0 and m[request + Q_KIND] != QK_WRITE_BACK:
            reply(m, ref, slice_, now)
        elif m[HAS_L2] == 0:
            written_back(m, ref)
        free_request(m, request)
