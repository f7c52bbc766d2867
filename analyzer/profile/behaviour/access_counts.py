"""Totals of one access point: lanes, sectors, lines, wavefronts, strides, reuse.

Exact over all that is added, by the default rules of memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.analyzer.memory.batches import Windows, access_costs, touched_sectors
from warpmill.analyzer.memory.rules import LOCAL, MEMORY, WarpAccesses
from warpmill.analyzer.memory.shapes import MASK, ROW
from warpmill.analyzer.traces.event_batch import Masks, Numbers, Small

Chosen = npt.NDArray[np.bool_] | npt.NDArray[np.intp] | slice

_ROWS = 1 << 15
"""Patterns whose strides are looked at together, so that memory stays bounded."""


@dataclass(frozen=True, eq=False)
class PointAccesses:
    """The executions of one access point in a batch, warp by warp, each with a lane on.

    ``warp`` is the warp's number in the batch and ``event`` the event's. ``patterns`` are all of
    the batch.
    """

    base: Numbers
    pattern: Small
    mask: Masks
    warp: Numbers
    event: Numbers
    patterns: Numbers

    def __len__(self) -> int:
        return len(self.base)

    def some(self, chosen: Chosen) -> PointAccesses:
        """Some of them."""
        return PointAccesses(
            self.base[chosen],
            self.pattern[chosen],
            self.mask[chosen],
            self.warp[chosen],
            self.event[chosen],
            self.patterns,
        )

    def accesses(self, width_bytes: int, *, is_local: bool) -> WarpAccesses:
        """They as accesses of warps that the rules of memory count."""
        n = len(self)
        widths, ways = np.full(n, width_bytes, np.int64), np.full(n, LOCAL if is_local else MEMORY)
        return WarpAccesses(
            self.base, self.pattern, self.patterns, self.mask, widths, ways.astype(np.uint8)
        )


@dataclass
class PointSums:
    """Sums over executions, and how many have which distance between neighbouring lanes.

    ``costs`` are sectors, lines and passes, all as if they meant something in the point's space.
    ``strides`` are the executions whose neighbouring lanes all lie equally far apart, by bytes;
    with one lane on there are no neighbours.
    """

    width_bytes: int
    is_local: bool
    executions: int = 0
    lanes: int = 0
    costs: Numbers = field(default_factory=lambda: np.zeros(3, np.int64))
    strides: dict[int, int] = field(default_factory=dict)

    def add(self, own: PointAccesses) -> None:
        """Add executions."""
        self.executions += len(own)
        self.lanes += int(np.bitwise_count(own.mask).sum(dtype=np.int64))
        found = access_costs(own.accesses(self.width_bytes, is_local=self.is_local))
        keys = found.shapes.keys
        times = np.bincount(found.shapes.shape, minlength=len(keys))
        self.costs += times @ found.costs
        masks, mask = _numbered(keys[:, MASK])
        alike = keys[:, ROW] * len(masks) + mask
        _, first, which = np.unique(alike, return_index=True, return_inverse=True)
        of_alike = np.bincount(which.reshape(-1), times).astype(np.int64)
        self._add_strides(own.patterns, keys[first], of_alike)

    def _add_strides(self, patterns: Numbers, keys: Numbers, times: Numbers) -> None:
        for start in range(0, len(keys), _ROWS):
            part = slice(start, start + _ROWS)
            rows, masks = patterns[keys[part, ROW]], keys[part, MASK].view(np.uint64)
            even, stride = _strides(rows, masks)
            found, which = np.unique(stride[even], return_inverse=True)
            sums = np.bincount(which.reshape(-1), times[part][even], len(found))
            for bytes_, number in zip(found.tolist(), sums.tolist(), strict=True):
                self.strides[bytes_] = self.strides.get(bytes_, 0) + int(number)

    @property
    def lane_stride(self) -> int | None:
        """The distance between neighbouring lanes in more than half of the executions."""
        if not self.strides:
            return None
        stride = max(self.strides, key=lambda s: (self.strides[s], -abs(s), s))
        return stride if 2 * self.strides[stride] > self.executions else None


def _numbered(masks: Numbers) -> tuple[Numbers, Numbers]:
    """The different masks, and the number of each one among them."""
    if masks.size and masks.min() == masks.max():  # as most often
        return masks[:1], np.zeros(masks.size, np.int64)
    found, which = np.unique(masks, return_inverse=True)
    return found, which.reshape(-1).astype(np.int64)


def _strides(rows: Numbers, masks: Masks) -> tuple[npt.NDArray[np.bool_], Numbers]:
    """Patterns in which two lanes or more lie evenly, and how far apart."""
    lanes = np.arange(rows.shape[1])
    on = (masks[:, None] >> lanes.astype(np.uint64) & np.uint64(1)).astype(np.bool_)
    paired = np.count_nonzero(on, axis=1) > 1
    first = on.argmax(axis=1)
    rest = on.copy()
    rest[np.arange(len(rows)), first] = False
    second = rest.argmax(axis=1)
    apart = np.where(paired, second - first, 1)
    far = rows[np.arange(len(rows)), second]
    stride = far // apart
    steps = (lanes - first[:, None]) * stride[:, None]
    even = paired & np.all((rows == steps) | ~on, axis=1)
    return even, stride


# How often sectors are used again: by a warp, among the warps of a CTA, and among CTAs.
#
# Exact over all executions that are added. Nothing is forgotten: it is the reuse of caches without
# end, GPGPU-MiniBench has none of it. In shared memory sectors are 32 B of the CTA's window, which
# no two CTAs share; in local memory they are of a warp, whose threads' words lie interleaved.

_TOGETHER = 1 << 17
"""Executions whose sectors are worked out together, so that memory stays bounded."""

_MOST_BITS = 63

_NO_WINDOWS = Windows(GLOBAL_BASE, 0, 0)


@dataclass
class SectorReuse:
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
        """The sectors that executions touch, and the warps that do."""
        accesses = own.accesses(self.width_bytes, is_local=self.space is Space.LOCAL)
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
        """Shares of the sectors left after reuse in a warp, in a CTA's warps, in the grid."""
        whole = self.of_ctas if self.space in _OWN else self.footprint
        steps = (self.sectors, self.of_warps, self.of_ctas, whole)
        first, second, third = (
            after / before if before else 1.0 for before, after in pairwise(steps)
        )
        return first, second, third


_OWN = (Space.LOCAL, Space.SHARED)
"""Memory that each CTA has for itself."""


def distinct(numbers: Numbers) -> Numbers:
    """Numbers in ascending order, each once."""
    if not numbers.size:
        return numbers
    ordered = np.sort(numbers)
    keep = np.empty(ordered.size, np.bool_)
    keep[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=keep[1:])
    return ordered[keep]


def _distinct_pairs(owner: Numbers, sector: Numbers) -> tuple[Numbers, Numbers]:
    """Each pair of an owner and a sector once, by owner."""
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
