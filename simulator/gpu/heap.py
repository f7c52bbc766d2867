"""Which component moves next: SMs, slices, channels and what dispatches CTAs, by time and number.

Each has at most one time at which it will be looked at; an earlier one replaces a later one. The
heap holds time and component in one number, and what was replaced is passed over when it comes up.
"""

from __future__ import annotations

from typing import Any

from simulator.gpu.compiled import part
from simulator.gpu.fields import AT_HEAP, AT_WAKE, COMPONENTS, G_HEAP, HEAP_ROOM, NEVER

COMPONENT_BITS = 14
MOST_COMPONENTS = 1 << COMPONENT_BITS


@part
def wake(m: Any, component: int, time: int) -> None:
    """Let a component be looked at, at a time or before. Where times are equal, the first is first."""
    if time >= m[m[AT_WAKE] + component]:
        return
    m[m[AT_WAKE] + component] = time
    if m[G_HEAP] == m[HEAP_ROOM]:
        _rebuild(m)
        return
    heap, size = m[AT_HEAP], m[G_HEAP]
    m[G_HEAP] = size + 1
    _sift_up(m, heap, size, time << COMPONENT_BITS | component)


@part
def _sift_up(m: Any, heap: int, at: int, key: int) -> None:
    while at > 0:
        above = (at - 1) >> 1
        if m[heap + above] <= key:
            break
        m[heap + at] = m[heap + above]
        at = above
    m[heap + at] = key


@part
def _rebuild(m: Any) -> None:
    """Make the heap anew of the times that still hold."""
    heap, size = m[AT_HEAP], 0
    for component in range(m[COMPONENTS]):
        time = m[m[AT_WAKE] + component]
        if time < NEVER:
            _sift_up(m, heap, size, time << COMPONENT_BITS | component)
            size += 1
    m[G_HEAP] = size


@part
def next_key(m: Any) -> Any:
    """Take time and component of what comes next out of the heap; NEVER where nothing will."""
    heap = m[AT_HEAP]
    while m[G_HEAP] > 0:
        key = m[heap]
        _drop_first(m)
        component = key & (MOST_COMPONENTS - 1)
        if m[m[AT_WAKE] + component] == key >> COMPONENT_BITS:
            m[m[AT_WAKE] + component] = NEVER
            return key
    return NEVER


@part
def _drop_first(m: Any) -> None:
    heap = m[AT_HEAP]
    size = m[G_HEAP] - 1
    m[G_HEAP] = size
    key = m[heap + size]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        if below + 1 < size and m[heap + below + 1] < m[heap + below]:
            below += 1
        if m[heap + below] >= key:
            break
        m[heap + at] = m[heap + below]
        at = below
    m[heap + at] = key
