"""The engine's loop: components in the order of time, and within a cycle of their numbers."""

from __future__ import annotations

from typing import Any

from simulator.gpu.caches import bring_in, key_of, look_up, use, victim_of
from simulator.gpu.channels import step_channel
from simulator.gpu.compiled import engine, part
from simulator.gpu.dispatch import step_dispatch
from simulator.gpu.fields import (
    AT_BIN,
    AT_LAUNCH,
    BIN_FIELDS,
    BINS,
    C_SECTORS,
    CHANNELS,
    G_BIN_CYCLES,
    G_LAUNCHES_DONE,
    G_STOP,
    G_TIME,
    LA_READY,
    LA_STATE,
    LAUNCH_FIELDS,
    LS_HELD,
    LS_WAITS,
    NEVER,
    OF_L2,
    RUN_DONE,
    RUN_NEEDS,
    RUN_PAUSED,
    RUN_STUCK,
    SLICES,
    SMS,
)
from simulator.gpu.heap import COMPONENT_BITS, MOST_COMPONENTS, next_key, wake
from simulator.gpu.requests import local_sector, slice_of
from simulator.gpu.slices import step_slice
from simulator.gpu.sm import step_sm
from simulator.memory.cache_step import VALID


@engine
def run(m: Any, t: Any, until: int, most: int) -> Any:
    """Let components move until everything is done, or a cycle or a number of steps is reached.

    ``G_STOP`` is the number of launches that are to be done. Gives one of RUN_DONE, RUN_NEEDS (the launch G_NEED needs traces), RUN_PAUSED and RUN_STUCK.
    """
    slices, channels = m[SMS], m[SMS] + m[SLICES]
    dispatch = channels + m[CHANNELS]
    steps = 0
    while m[G_LAUNCHES_DONE] < m[G_STOP]:
        key = next_key(m)
        if key >= NEVER:
            return RUN_STUCK
        now, component = key >> COMPONENT_BITS, key & (MOST_COMPONENTS - 1)
        if now >= until or steps >= most:
            wake(m, component, now)
            return RUN_PAUSED
        steps += 1
        m[G_TIME] = now
        if now >= m[BINS] * m[G_BIN_CYCLES]:
            _widen_bins(m)
        if component < slices:
            step_sm(m, t, component, now)
        elif component < channels:
            step_slice(m, component - slices, now)
        elif component < dispatch:
            step_channel(m, component - channels, now)
        elif step_dispatch(m, t, now):
            return RUN_NEEDS
    return RUN_DONE


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
def arm(m: Any, launches: int, now: int) -> None:
    """Let so many of the launches run, none before a cycle."""
    for number in range(launches):
        launch = m[AT_LAUNCH] + number * LAUNCH_FIELDS
        if m[launch + LA_STATE] == LS_HELD:
            m[launch + LA_STATE], m[launch + LA_READY] = LS_WAITS, now
    m[G_STOP] = launches
    wake(m, m[SMS] + m[SLICES] + m[CHANNELS], now)


@engine
def warm(m: Any, first: int, last: int) -> None:
    """Let L2 hold sectors, the last ones where not all fit, as if they had just been written to it."""
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
