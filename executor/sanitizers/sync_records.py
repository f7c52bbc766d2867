"""What synccheck keeps of a CTA that runs: barriers that warps are at, lanes that await others.

A ``.sync`` operation joins the lanes of its mask, wherever they come to it. The executor lets the
lanes that are there go on; how often each lane came is counted for each mask and opcode, and lanes
that came less often than others by the time that the warp ends, or passes a barrier, never came.
"""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.pointers import first_at, record, words_in
from warpmill.executor.native.driver import BARRIER_BYTES, BARRIERS
from warpmill.executor.native.segments import ENTRY_BYTES, STACK_START, WARP
from warpmill.executor.sanitizers.callbacks import part

MOST_LANES = 64
MOST_GROUPS = 8
"""Pairs of a mask and an opcode for which lanes of a warp are awaited at the same time."""

GROUP = record(
    "opcode",  # a number of the opcode's text; 0: the record is free
    "mask",
    "site",  # of the first lanes that others did not come to
    "arrived",  # the lanes that came there
    "missing",  # those that did not
    "elsewhere",  # the segment that the others stood at, from 1; 0: nobody knows
    "is_told",
    ("came", MOST_LANES),  # how often each lane came, since all came equally often
)
"""Lanes that came to operations of one opcode with one mask, and not equally often."""

ARRIVAL = record("site", "warp", "threads", "kind")
"""The first warp at a barrier: the instruction, and what that says of the barrier."""

CTA_BYTES = 8 * words_in(ARRIVAL) * BARRIERS
WARP_BYTES = 8 * words_in(GROUP) * MOST_GROUPS

BARRIER = record("arrived", "count", "lanes", "expected")
"""A barrier as the driver keeps it."""

STANDING = record(*WARP)
"""A warp as the driver keeps it."""

ENTRY = record("segment", "mask", "then")
"""An entry of a warp's stack."""

assert 8 * words_in(BARRIER) == BARRIER_BYTES
assert 8 * words_in(ENTRY) == ENTRY_BYTES

group_at: Any = first_at(GROUP)
arrival_at: Any = first_at(ARRIVAL)
barrier_at: Any = first_at(BARRIER)
standing_at: Any = first_at(STANDING)
entry_at: Any = first_at(ENTRY)
word_at: Any = first_at(record("value"))

_GROUP_BYTES = 8 * words_in(GROUP)
_ARRIVAL_BYTES = 8 * words_in(ARRIVAL)


def cta_words(warps: int) -> npt.NDArray[np.int64]:
    """Room for what is kept of a CTA of so many warps."""
    return np.zeros((CTA_BYTES + WARP_BYTES * warps) // 8, np.int64)


@part
def first_arrival(run: Any, barrier: int) -> Any:
    """The first arrival at a barrier."""
    return arrival_at(run.cta_sync + barrier * _ARRIVAL_BYTES)


@part
def nth_group(run: Any, number: int) -> Any:
    """A group of the warp that runs."""
    return group_at(run.cta_sync + CTA_BYTES + run.warp * WARP_BYTES + number * _GROUP_BYTES)


@part
def lanes_of_warp(run: Any) -> int:
    """The lanes that the warp that runs began with."""
    lanes: int = word_at(run.first_masks + 8 * run.warp).value
    return lanes


@part
def lowest(lanes: int) -> int:
    """The lowest lane of some; 0 of none."""
    for lane in range(MOST_LANES):
        if lanes >> lane & 1:
            return lane
    return 0


@part
def elsewhere(run: Any, lanes: int) -> int:
    """The segment that the topmost of some lanes stand at, from 1; 0 where nobody knows."""
    warp = run.warps + run.warp * run.record_bytes
    for k in range(standing_at(warp).depth - 1, -1, -1):
        entry = entry_at(warp + STACK_START + k * ENTRY_BYTES)
        if entry.mask & lanes:
            segment: int = entry.segment
            return segment + 1
    return 0


@part
def group_of(run: Any, opcode: int, mask: int) -> Any:
    """The group of a mask and an opcode; where there is no room, the first one gives it up."""
    free = -1
    for k in range(MOST_GROUPS):
        group = nth_group(run, k)
        if group.opcode == opcode and group.mask == mask:
            return group
        if group.opcode == 0 and free < 0:
            free = k
    group = nth_group(run, max(free, 0))
    group.opcode, group.mask, group.arrived, group.is_told = opcode, mask, 0, 0
    for lane in range(MOST_LANES):
        group.came[lane] = 0
    return group


@part
def most_often(group: Any) -> int:
    """How often the lane came that came most often."""
    most = 0
    for lane in range(MOST_LANES):
        most = max(most, group.came[lane])
    return most


@part
def awaited(group: Any, lanes: int) -> int:
    """Those lanes of a group's mask that came less often than others."""
    most, found = most_often(group), 0
    for lane in range(MOST_LANES):
        if (group.mask & lanes) >> lane & 1 and group.came[lane] < most:
            found |= 1 << lane
    return found


@part
def come(run: Any, group: Any, site: int, arrived: int, gone: int) -> None:
    """Lanes come; nobody awaits those that are gone. The group is free where all came."""
    for lane in range(MOST_LANES):
        if arrived >> lane & 1:
            group.came[lane] += 1
    most, own = most_often(group), lanes_of_warp(run)
    for lane in range(MOST_LANES):
        if (group.mask & own & gone) >> lane & 1:
            group.came[lane] = most
    missing = awaited(group, own)
    if missing == 0:
        group.opcode = 0
    elif group.arrived == 0:
        group.site, group.arrived, group.missing = site, arrived, missing
        group.elsewhere = elsewhere(run, missing)
