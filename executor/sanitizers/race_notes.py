"""What racecheck tells of a conflict: the two accesses, and their values where memory tells."""


# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from typing import Any

from warpmill.executor.sanitizers.callbacks import part
from warpmill.executor.sanitizers.log import noted, watch_at
from warpmill.executor.sanitizers.race_records import (
    AGENT_BITS,
    STRONG,
    WRITES,
    bytes_at,
    races_at,
    words_at,
)

RACE, SAME_VALUE, NARROW_SCOPE, COPY, PROXY = 101, 102, 103, 104, 105
"""Kinds of the rows of racecheck."""

IN_SHARED, HAS_VALUE, HAS_OTHER = 1, 2, 4
"""What ``extra`` of a row says: it is shared memory, the two values are known."""


@part
def note(run: Any, own: Any, memory: Any, lane: int, found: int, kind: int) -> None:
    """Note a lane's conflict, with what both accesses read or wrote where memory tells.

    ``kind`` 0: by the two accesses.
    """
    watch = watch_at(run.sanitizer)
    races = races_at(watch.races)
    mine = own.stamp + (lane << races.thread_shift)
    mask = (1 << races.thread_shift) - 1
    places, width = words_at(own.where), own.width
    offset = places[lane] - own.first
    twin = _twin(run, own, lane, found) if mine & WRITES else -1
    if races.lockstep and twin < 0 and _same_warp(races, run, found, mine):
        return
    known, value, other = 0, 0, 0
    if width <= 8:
        known = HAS_OTHER
        other = _held(memory.host + offset, width)
        if twin >= 0 and own.values:
            other = _given(own, twin, run.lanes)
        value = other
        if own.values:
            value = _given(own, lane, run.lanes)
        if own.values or not mine & WRITES:
            known |= HAS_VALUE
    same = mine & WRITES and own.values and _leaves_same(run, own, memory.host + offset, lane, twin)
    if same and twin >= 0:
        return  # it does not matter which lane of an instruction comes last
    kind = kind or _kind(races, found, mine, bool(same))
    row = noted(watch, kind, mine & mask, found & mask)
    if row.count > 1:
        return
    threads = (1 << races.cta_shift - AGENT_BITS - races.thread_shift) - 1
    ctas = (1 << races.time_shift - races.cta_shift) - 1
    row.cta = row.other_cta = run.cta
    if not own.is_shared:
        row.other_cta = found >> races.cta_shift & ctas
    row.thread = mine >> races.thread_shift & threads
    row.other_thread = found >> races.thread_shift & threads
    row.address, row.bytes = memory.first + offset, width
    row.value, row.other_value = value, other
    row.extra = known
    if own.is_shared:
        row.extra |= IN_SHARED


@part
def _kind(races: Any, found: int, mine: int, same: bool) -> int:
    if found & mine & STRONG:
        return NARROW_SCOPE
    if found >> races.cta_shift - AGENT_BITS & (1 << AGENT_BITS) - 1:
        return COPY
    return SAME_VALUE if same else RACE


@part
def _same_warp(races: Any, run: Any, stamp: int, own: int) -> bool:
    apart = (stamp ^ own) & (1 << races.time_shift) - 1
    agents = (stamp | own) >> races.cta_shift - AGENT_BITS & (1 << AGENT_BITS) - 1
    if apart >> races.cta_shift or agents:
        return False
    thread = (1 << races.cta_shift - AGENT_BITS - races.thread_shift) - 1
    one, other = stamp >> races.thread_shift & thread, own >> races.thread_shift & thread
    return bool(one // run.lanes == other // run.lanes)


@part
def _twin(run: Any, own: Any, lane: int, found: int) -> int:
    """The lane of the same instruction that an earlier access is of; -1: it is of another one."""
    shift = own.thread_shift
    mine = own.stamp + (lane << shift)
    if (found ^ mine) & ~(own.who & ~own.ctas & ~own.agents):
        return -1
    other = lane + (found >> shift) - (mine >> shift)
    if other < 0 or other >= run.lanes or not own.bits >> other & 1:
        return -1
    places = words_at(own.where)
    return other if abs(places[other] - places[lane]) < own.width else -1


@part
def _held(host: int, width: int) -> int:
    """What memory holds: up to 8 bytes."""
    held = 0
    for k in range(width):
        held |= bytes_at(host)[k] << 8 * k
    return held


@part
def _leaves_same(run: Any, own: Any, host: int, lane: int, twin: int) -> bool:
    """Whether a lane stores what is there, or what the other lane of the instruction does."""
    for k in range(own.width // own.element):
        size = own.element
        place = own.values + (k * run.lanes + lane) * size
        other = own.values + (k * run.lanes + twin) * size
        if twin < 0:
            other = host + k * size
        for byte in range(size):
            if bytes_at(place)[byte] != bytes_at(other)[byte]:
                return False
    return True


@part
def _given(own: Any, lane: int, lanes: int) -> int:
    """What a lane stores: its elements, one behind the other."""
    given = 0
    for k in range(own.width // own.element):
        one = _held(own.values + (k * lanes + lane) * own.element, own.element)
        given |= one << 8 * own.element * k
    return given
