"""Costs and sectors of many warp accesses at once, worked out once for each shape of an access.

The rules are those of ``rules``, which says them one access at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.memory.rules import (
    DEFAULT_RULES,
    GENERIC,
    LINE_BYTES,
    LOCAL,
    MEMORY,
    SHARED,
    MemoryRules,
    TouchedSectors,
    WarpAccesses,
    interleaved,
)
from warpmill.analyzer.memory.shapes import (
    AccessShapes,
    coalesce,
    find_shapes,
    granule_table,
    shared_wavefronts,
    spread,
)

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CostedShapes:
    """Shapes of accesses with what each costs.

    ``costs`` are sectors, 128 B lines and wavefronts as if the access were to shared memory (0 of
    local memory), shape (shapes, 3).
    """

    shapes: AccessShapes
    costs: Numbers

    @property
    def of_accesses(self) -> Numbers:
        """Costs of each access, shape (accesses, 3)."""
        return self.costs[self.shapes.shape]


def access_costs(accesses: WarpAccesses, rules: MemoryRules = DEFAULT_RULES) -> CostedShapes:
    """Sectors, 128 B lines and wavefronts of accesses, which are of MEMORY or LOCAL."""
    period, lanes = rules.period_bytes, accesses.patterns.shape[1]
    shapes = find_shapes(accesses, _of_memory(period))
    keys, patterns = shapes.keys, shapes.patterns
    costs = np.zeros((len(shapes), 3), np.int64)
    for column, (granule_bytes, group) in enumerate(
        ((rules.sector_bytes, rules.lanes_per_group), (LINE_BYTES, lanes))
    ):
        found = coalesce(keys, patterns, _of_memory(granule_bytes), group, details=False)
        costs[:, column] = found.counts
    own = np.flatnonzero(shapes.way != LOCAL)
    costs[own, 2] = shared_wavefronts(patterns, shapes.placed[own], rules)
    return CostedShapes(shapes, costs)


def _of_memory(granule_bytes: int) -> Numbers:
    return granule_table({MEMORY: granule_bytes, LOCAL: granule_bytes})


@dataclass(frozen=True)
class Windows:
    """Windows of generic addresses: from ``global_base`` on global memory, in the window local.

    Anything else, as shared memory, is on the SM and has no sectors. Bytes.
    """

    global_base: int
    local_base: int
    local_bytes: int


def touched_sectors(
    accesses: WarpAccesses, windows: Windows, rules: MemoryRules = DEFAULT_RULES
) -> TouchedSectors:
    """The sectors that each access touches, merged within each group of lanes of the rules.

    Accesses are of MEMORY, LOCAL or GENERIC; the lanes of a generic one may lie in several of the
    windows.
    """
    resolved = _resolved(accesses, windows)
    mixed = np.flatnonzero(resolved.way == GENERIC)
    if mixed.size:
        resolved.way[mixed] = SHARED  # without transactions of their own here
    granules = _of_memory(rules.sector_bytes)
    shapes = find_shapes(resolved, granules)
    how = (shapes.keys, shapes.patterns, granules, rules.lanes_per_group)
    found = coalesce(*how, details=False)
    count = found.counts[shapes.shape]
    columns = (shapes.shape, found.first, shapes.unit, found.offset)
    sectors, owner, _ = spread(np.arange(len(accesses)), *columns, -1)
    if mixed.size:
        each = [_one_by_one(accesses, k, windows, rules) for k in mixed.tolist()]
        count[mixed] = [len(own) for own in each]
        owner = np.concatenate((owner, np.repeat(mixed, count[mixed])))
        order = np.argsort(owner, kind="stable")
        sectors = np.concatenate((sectors, *each))[order]
    first = np.zeros(len(accesses) + 1, np.int64)
    np.cumsum(count, out=first[1:])
    return TouchedSectors(first, sectors)


def _resolved(accesses: WarpAccesses, windows: Windows) -> WarpAccesses:
    """Accesses where generic ones with all lanes in one window are to that one."""
    generic = np.flatnonzero(accesses.way == GENERIC)
    if not generic.size:
        return accesses
    base, way = accesses.base.copy(), accesses.way.copy()
    row = accesses.pattern[generic]
    low = base[generic] + accesses.patterns.min(axis=1)[row]
    high = base[generic] + accesses.patterns.max(axis=1)[row]
    end = windows.local_base + windows.local_bytes
    way[generic[low >= windows.global_base]] = MEMORY
    local = generic[(low >= windows.local_base) & (high < end)]
    way[local] = LOCAL
    base[local] -= windows.local_base
    beside = (high < windows.global_base) & ((high < windows.local_base) | (low >= end))
    way[generic[beside]] = SHARED
    return replace(accesses, base=base, way=way)


def _one_by_one(accesses: WarpAccesses, k: int, windows: Windows, rules: MemoryRules) -> Numbers:
    """The sectors of an access whose lanes lie in several windows, lane by lane."""
    start = 0 if accesses.local_start is None else int(accesses.local_start[k])
    width, steps = max(1, int(accesses.width_bytes[k])), accesses.patterns[accesses.pattern[k]]
    mask, found = int(accesses.mask[k]), dict[tuple[int, int], None]()
    for lane in range(steps.size):
        address = steps[lane : lane + 1] + accesses.base[k]
        inside = address - windows.local_base
        if not mask >> lane & 1:
            continue
        if 0 <= inside[0] < windows.local_bytes:
            places = start + interleaved(inside, np.array([lane]), width, steps.size)[0]
        elif address[0] >= windows.global_base:
            places = address + np.arange(width)
        else:
            continue
        for sector in (places // rules.sector_bytes).tolist():
            found[lane // rules.lanes_per_group, sector] = None
    return np.array([sector for _, sector in found], np.int64)
