"""Sites of accesses whose addresses are no affine function: GPGPU-MiniBench §4.1.5, §4.2.4.

A clone draws their places: as many transactions and the same stride over lanes as in the original,
and as much of what they touch touched before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import bank_passes
from warpmill.analyzer.profile.behaviour.model import AccessBehaviour
from warpmill.codegen.model import ScatteredSite
from warpmill.codegen.synthesis.subject import Subject

Place = tuple[int, int, Space]
"""An instruction, by its block and its place in that, and the space that it accesses."""

SECTOR_BYTES = 32

_MOST_WALKING = 0.5
"""The share of new sectors below which a warp stays where it was, mostly."""
_BY_LANE = 0.4
"""Sectors a lane from which on lanes choose their places by themselves."""


@dataclass(frozen=True)
class Scatter:
    """Draws places in one array of a clone: in its first ``most`` bytes.

    ``represented`` are the executions in the original for one in the clone.
    """

    subject: Subject
    represented: float
    array: int

    def in_shared(self, access: AccessBehaviour, width: int, most: int) -> ScatteredSite:
        """Keep bank conflicts, in shared memory."""
        stride = _bank_stride(access, width, self.subject.profile.warp_size, most)
        return ScatteredSite(self.array, 0, 1, 1, most, stride, by_lane=False)

    def site(self, access: AccessBehaviour, width: int, most: int) -> ScatteredSite:
        """Keep transactions, stride and reuse, of accesses of ``width`` bytes."""
        sectors, lanes = max(1.0, access.sectors), max(1.0, access.lanes)
        by_lane = access.lane_stride is None and sectors >= max(2.0, _BY_LANE * lanes)
        stride = 0
        if access.lane_stride is not None:
            stride = -(-abs(access.lane_stride) // width) * width
        elif not by_lane and sectors > 1.5:
            stride = max(1, round(sectors * SECTOR_BYTES / lanes / width)) * width
        span = width if by_lane else stride * (self.subject.profile.warp_size - 1) + width
        granule = -(-span // SECTOR_BYTES) * SECTOR_BYTES
        least = _spread(lanes, sectors) if by_lane else 1.0
        a_granule = 1 if by_lane else granule // SECTOR_BYTES
        whole, of_cta = self._granules(access, sectors, a_granule, least)
        granules = _power(of_cta)
        windows = _power(max(1.0, whole / granules))
        while windows * granules * granule > most and windows > 1:
            windows //= 2
        while windows * granules * granule > most and granules > 1:
            granules //= 2
        fresh = round(access.of_warp, 2) if access.of_warp < _MOST_WALKING else 1.0
        return ScatteredSite(
            self.array, 0, windows, granules, granule, stride, by_lane, max(fresh, 0.01)
        )

    def _granules(
        self, access: AccessBehaviour, sectors: float, a_granule: int, least: float
    ) -> tuple[float, float]:
        """Give how many places the clone uses, in the grid and in a CTA, there ``least``."""
        subject = self.subject
        executed = subject.executions[access.block] / self.represented
        draws = max(1.0, executed * subject.warps_per_cta * sectors / a_granule)
        fresh = access.of_warp * access.of_cta
        of_cta = _places(draws, fresh)
        whole = _places(draws * subject.ctas, fresh * access.of_grid)
        if of_cta < least:  # as many CTAs share them as before
            whole, of_cta = whole * least / of_cta, least
        if access.region_bytes:
            there = max(1.0, access.region_bytes / (SECTOR_BYTES * a_granule))
            whole, of_cta = min(whole, there), min(of_cta, there)
        return max(whole, of_cta), of_cta


def sharing(
    own: Mapping[Place, AccessBehaviour], sites: Mapping[Place, ScatteredSite]
) -> list[list[Place]]:
    """Group accesses that share bytes: what each uses of an allocation is more than that has.

    In the original, or in the clone, where an access may reach further than it did.
    """
    of_region: dict[int, list[Place]] = {}
    for place in sites:
        region = own[place].region
        if region is not None:
            of_region.setdefault(region, []).append(place)
    found = []
    for places in of_region.values():
        there = max(own[place].region_bytes for place in places)
        used = sum(own[place].footprint_sectors * SECTOR_BYTES for place in places)
        reached = sum(sites[place].reach for place in places)
        crowded = max(used, reached) > there > 0
        found += [places] if crowded else [[place] for place in places]
    return found + [[place] for place in sites if own[place].region is None]


def _places(draws: float, fresh: float) -> float:
    """Give of how many places so many draws find the given share for the first time."""
    if fresh >= 0.97:
        return 16.0 * draws
    low, high = 1e-3, 64.0  # places over draws
    for _ in range(40):
        middle = math.sqrt(low * high)
        if middle * (1.0 - math.exp(-1.0 / middle)) < fresh:
            low = middle
        else:
            high = middle
    return max(1.0, low * draws)


def _spread(lanes: float, sectors: float) -> float:
    """Give of how many places so many lanes choose so many different ones on average."""
    places = max(1.0, sectors)
    while places < 1 << 20 and places * (1.0 - (1.0 - 1.0 / places) ** lanes) < 0.97 * sectors:
        places *= 1.25
    return places


def _power(count: float) -> int:
    """Round to a power of two."""
    return 1 << max(0, round(math.log2(max(1.0, count))))


def _bank_stride(access: AccessBehaviour, width: int, warp_size: int, most: int) -> int:
    """Give the stride over lanes that comes nearest to the bank conflicts of the original."""
    lanes = np.arange(max(1, round(min(access.lanes, warp_size))))
    strides = [0, *(width << power for power in range(8))]
    fitting = [s for s in strides if s * (warp_size - 1) + width <= most]
    return min(fitting, key=lambda s: (abs(bank_passes(lanes * s, width) - access.passes), s))
