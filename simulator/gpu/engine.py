"""The engine's loop: stretches of time, in which SMs and then channels are moved one by one."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.caches import bring_in, key_of, look_up, use, victim_of
from warpmill.simulator.gpu.channels import next_of, step_partition
from warpmill.simulator.gpu.compiled import engine, part, words_of
from warpmill.simulator.gpu.dispatch import step_dispatch
from warpmill.simulator.gpu.fields import (
    AT_BIN,
    AT_LAUNCH,
    AT_SLICE_PORT,
    AT_SM,
    AT_SM_PORT,
    BIN_FIELDS,
    BINS,
    C_SECTORS,
    CHANNELS,
    CL_END,
    CL_LAUNCH,
    G_BIN_CYCLES,
    G_DISPATCH_AT,
    G_LAUNCHES_DONE,
    G_STOP,
    G_WATCH,
    G_WINDOW,
    L2_DELAY,
    LA_END,
    LA_READY,
    LA_STATE,
    LAUNCH_FIELDS,
    LAUNCHES,
    LOOKAHEAD,
    LS_HELD,
    LS_WAITS,
    NEVER,
    OF_L2,
    RUN_DONE,
    RUN_NEEDS,
    RUN_PAUSED,
    RUN_STUCK,
    SLICES,
    SM_FIELDS,
    SM_TIME,
    SM_YIELD,
    SMS,
)
from warpmill.simulator.gpu.network import carry_replies, carry_requests, next_entry
from warpmill.simulator.gpu.requests import local_sector, slice_of
from warpmill.simulator.gpu.sm import step_sm
from warpmill.simulator.memory.cache_step import VALID

_AHEAD = 1 << 14
"""Cycles that the plots over time have room for beyond a stretch: DRAM and L2 count in advance."""


@engine
def run(words: Any, until: int, most: int) -> Any:
    """Let time pass until everything is done, or a cycle or a number of stretches is reached.

    ``G_STOP`` is the number of launches that are to be done. Gives one of RUN_DONE, RUN_NEEDS (the
    launch G_NEED needs traces), RUN_PAUSED and RUN_STUCK.

    Time passes in stretches no longer than the shortest way from L2 to an SM: in one, first each SM
    by itself, then the network, each channel with its slices, and the network back. How long the
    stretches are changes nothing but the speed.
    """
    m = words_of(words)
    t = m  # traces stand at places beyond the state's, wherever they are
    stretches = 0
    while m[G_LAUNCHES_DONE] < m[G_STOP]:
        start = m[G_WINDOW]
        if start >= until or stretches >= most or _has_ended(m, m[G_WATCH]):
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
        stretches += 1
    return RUN_DONE


@part
def _has_ended(m: Any, log: int) -> Any:
    """Tell whether a CTA has begun and ended, by its place in the log; 0 is none's."""
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
    """Give the cycle at which the last launch has ended: up to there everything has to happen."""
    end = 0
    for number in range(m[LAUNCHES]):
        end = max(end, m[m[AT_LAUNCH] + number * LAUNCH_FIELDS + LA_END])
    return end


@part
def _widen_bins(m: Any) -> None:
    """Let each bin of the plots over time be twice as long: pairs become one."""
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
    """Let so many of the launches run, none before a cycle."""
    m = words_of(words)
    for number in range(launches):
        launch = m[AT_LAUNCH] + number * LAUNCH_FIELDS
        if m[launch + LA_STATE] == LS_HELD:
            m[launch + LA_STATE], m[launch + LA_READY] = LS_WAITS, now
    m[G_STOP] = launches
    m[G_DISPATCH_AT] = min(m[G_DISPATCH_AT], now)


@engine
def warm(words: Any, first: int, last: int) -> None:
    """Let L2 hold sectors, the last ones where not all fit, as if they had just been written."""
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
