"""The engine's loop: components in the order of time, and within a cycle of their numbers."""

from __future__ import annotations

from typing import Any

from simulator.gpu.caches import bring_in, key_of, look_up, use, victim_of
from simulator.gpu.channels import step_channel
from simulator.gpu.compiled import engine
from simulator.gpu.dispatch import step_dispatch
from simulator.gpu.fields import (
    AT_GLOBAL,
    AT_LAUNCH,
    C_SECTORS,
    CHANNELS,
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
def run(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    m: Any, p: Any, code: Any, regs: Any, blocks: Any, s: Any, until: int, most: int
) -> Any:
    """Let components move until everything is done, or a cycle or a number of steps is reached.

    ``G_STOP`` is the number of launches that are to be done. Gives one of RUN_DONE, RUN_NEEDS (the launch G_NEED needs traces), RUN_PAUSED and RUN_STUCK.
    """
    g = p[AT_GLOBAL]
    slices, channels = p[SMS], p[SMS] + p[SLICES]
    dispatch = channels + p[CHANNELS]
    steps = 0
    while m[g + G_LAUNCHES_DONE] < m[g + G_STOP]:
        key = next_key(m, p)
        if key >= NEVER:
            return RUN_STUCK
        now, component = key >> COMPONENT_BITS, key & (MOST_COMPONENTS - 1)
        if now >= until or steps >= most:
            wake(m, p, component, now)
            return RUN_PAUSED
        steps += 1
        m[g + G_TIME] = now
        if component < slices:
            step_sm(m, p, code, regs, blocks, s, component, now)
        elif component < channels:
            step_slice(m, p, component - slices, now)
        elif component < dispatch:
            step_channel(m, p, component - channels, now)
        elif step_dispatch(m, p, code, regs, blocks, s, now):
            return RUN_NEEDS
    return RUN_DONE


@engine
def arm(m: Any, p: Any, launches: int, now: int) -> None:
    """Let so many of the launches run, none before a cycle."""
    for number in range(launches):
        launch = p[AT_LAUNCH] + number * LAUNCH_FIELDS
        if m[launch + LA_STATE] == LS_HELD:
            m[launch + LA_STATE], m[launch + LA_READY] = LS_WAITS, now
    m[p[AT_GLOBAL] + G_STOP] = launches
    wake(m, p, p[SMS] + p[SLICES] + p[CHANNELS], now)


@engine
def warm(m: Any, p: Any, first: int, last: int) -> None:
    """Let L2 hold sectors, the last ones where not all fit, as if they had just been written to it."""
    c = p[OF_L2]
    for sector in range(first, last):
        local, slice_ = local_sector(p, sector), slice_of(p, sector)
        key = key_of(p, c, local // p[c + C_SECTORS])
        row = look_up(m, p, c, slice_, key)
        if row < 0:
            row = victim_of(m, p, c, slice_, key)
            bring_in(m, p, c, slice_, key, row)
        else:
            use(m, p, c, slice_, row)
        m[row + VALID] |= 1 << local % p[c + C_SECTORS]
