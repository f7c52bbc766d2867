"""How often sectors are used again: by a warp, among the warps of a CTA, and among CTAs.

Exact over all executions that are added. Nothing is forgotten: it is the reuse of caches without
end, GPGPU-MiniBench has none of it. In shared memory sectors are 32 B of the CTA's window, which
no two CTAs share; in local memory they are of a warp, whose threads' words lie interleaved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.addresses import GLOBAL_BASE
from warpmill.analyzer.memory.rules_batch import (
    GLOBAL,
    LOCAL,
    WarpAccesses,
    Windows,
    touched_sectors,
)
from warpmill.analyzer.profile.behaviour.access_counts import PointAccesses
from warpmill.analyzer.traces.event_batch import Numbers

_TOGETHER = 1 << 17
"""Executions whose sectors are worked out together, so that memory stays bounded."""

_MOST_BITS = 63

_NO_WINDOWS = Windows(GLOBAL_BASE, 0, 0)


@dataclass
class Reuse:
    """Numbers of sectors: of all executions, distinct in each warp and in each CTA, summed.

    ``found`` are the distinct sectors of all CTAs, by number, as sorted arrays that may overlap.
    """

    width_bytes: int
    space: Space
    warps_per_cta: int
    sectors: int = 0
    of_warps: int = 0
    of_ctas: int = 0
    found: list[Numbers] = field(default_factory=list)

    def add(self, own: PointAccesses) -> None:
        """Add all executions of some CTAs."""
        parts: list[tuple[Numbers, Numbers]] = []
        for start in range(0, len(own), _TOGETHER):
            warp, sector = self._touched(own.some(slice(start, start + _TOGETHER)))
            self.sectors += len(sector)
            parts.append(_distinct_pairs(warp, sector))
        if not parts:
            return
        warp, sector = parts[0]
        if len(parts) > 1:  # a warp may stand in two of them
            both = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
            warp, sector = _distinct_pairs(*both)
        self.of_warps += len(sector)
        if self.space is Space.LOCAL:
            self.of_ctas += len(sector)
            return
        _, sector = _distinct_pairs(warp // self.warps_per_cta, sector)
        self.of_ctas += len(sector)
        self.found.append(distinct(sector))
        if len(self.found) > 1 and len(self.found[-1]) >= len(self.found[-2]):
            self.found = [distinct(np.concatenate(self.found))]

    def _touched(self, own: PointAccesses) -> tuple[Numbers, Numbers]:
        """Give the sectors that executions touch, and the warps that do."""
        n = len(own)
        kind = LOCAL if self.space is Space.LOCAL else GLOBAL
        accesses = WarpAccesses(
            own.base,
            own.pattern,
            own.patterns,
            own.mask,
            np.full(n, self.width_bytes, np.int64),
            np.full(n, kind, np.uint8),
            np.zeros(n, np.int64),
        )
        touched = touched_sectors(accesses, _NO_WINDOWS)
        return np.repeat(own.warp, np.diff(touched.first)), touched.sectors

    @property
    def footprint(self) -> int:
        """How many distinct sectors there are; of local memory, over all warps."""
        if self.space is Space.LOCAL:
            return self.of_ctas
        return len(distinct(np.concatenate(self.found))) if self.found else 0

    @property
    def shares(self) -> tuple[float, float, float]:
        """What is left of the sectors in a warp, in a CTA of its warps', in the grid of CTAs'."""
        whole = self.of_ctas if self.space in _OWN else self.footprint
        steps = (self.sectors, self.of_warps, self.of_ctas, whole)
        first, second, third = (
            after / before if before else 1.0 for before, after in pairwise(steps)
        )
        return first, second, third


_OWN = (Space.LOCAL, Space.SHARED)
"""Memory that each CTA has for itself."""


def distinct(numbers: Numbers) -> Numbers:
    """Give numbers in ascending order, each once."""
    if not numbers.size:
        return numbers
    ordered = np.sort(numbers)
    keep = np.empty(ordered.size, np.bool_)
    keep[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=keep[1:])
    return ordered[keep]


def _distinct_pairs(owner: Numbers, sector: Numbers) -> tuple[Numbers, Numbers]:
    """Give each pair of an owner and a sector once, by owner."""
    if not sector.size:
        return owner, sector
    low = int(sector.min())
    bits = (int(sector.max()) - low).bit_length()
    if bits + int(owner.max()).bit_length() > _MOST_BITS:
        known = distinct(sector)
        owners, place = _distinct_pairs(owner, np.searchsorted(known, sector))
        return owners, known[place]
    pairs = distinct((owner << bits) | (sector - low))
    return pairs >> bits, (pairs & ((1 << bits) - 1)) + low
