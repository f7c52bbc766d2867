"""Accesses under way: the end of what has been asked for."""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    A_ASYNC,
    A_STORE,
    F_DONE,
    F_GROUP,
    F_LEFT,
    F_READY,
    F_ROW,
    F_WARP,
    R_ACCESS,
    R_SPACE,
    S_SHARED,
    WP_ASYNC,
    WP_RING,
    WP_STORES,
)
from warpmill.simulator.gpu.warps import code_of, free_flight, land, settle


@part
def all_asked(m: Any, flight: int, now: int) -> None:
    """Note that all sectors of an access have been asked for; if all were there, it is over."""
    m[flight + F_DONE] = 1
    if m[flight + F_LEFT] == 0:
        over(m, flight, max(m[flight + F_READY], now), now)


@part
def over(m: Any, flight: int, time: int, now: int) -> None:
    """End an access of which nothing is under way any more."""
    warp, row = m[flight + F_WARP], code_of(m, m[flight + F_ROW])
    kind = m[row + R_ACCESS]
    if kind == A_STORE and m[row + R_SPACE] != S_SHARED:
        m[warp + WP_STORES] -= 1
        free_flight(m, flight)
        settle(m, warp, now)
        return
    if kind == A_ASYNC:
        m[warp + WP_ASYNC] -= 1
        m[warp + WP_RING + m[flight + F_GROUP]] -= 1
    land(m, flight, time, now)


@part
def sector_came(m: Any, flight: int, time: int, now: int) -> None:
    """Note that one of the sectors of an access has come."""
    m[flight + F_LEFT] -= 1
    m[flight + F_READY] = max(m[flight + F_READY], time)
    if m[flight + F_LEFT] == 0 and m[flight + F_DONE] != 0:
        over(m, flight, m[flight + F_READY], now)
