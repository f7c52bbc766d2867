"""What the executions of one access point add up to: lanes, sectors, lines, passes, lane strides.

Exact over all that is added. What an execution costs depends on its pattern, the lanes that are on
and its base modulo 128 alone, so it is worked out once for each that differ in these.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.memory.rules import DEFAULT_RULES
from warpmill.analyzer.traces.batch_costs import access_costs
from warpmill.analyzer.traces.event_batch import Masks, Numbers, Small

Chosen = npt.NDArray[np.bool_] | npt.NDArray[np.intp] | slice

_ALIKE_BYTES = 128
"""Bytes after which an access costs the same again by the default rules."""

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
        """Give some of them."""
        return PointAccesses(
            self.base[chosen],
            self.pattern[chosen],
            self.mask[chosen],
            self.warp[chosen],
            self.event[chosen],
            self.patterns,
        )


@dataclass
class Counts:
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
        masks, mask = _numbered(own.mask)
        alike = own.pattern.astype(np.int64) * len(masks) + mask
        keys = alike * _ALIKE_BYTES + own.base % _ALIKE_BYTES
        keys, one, times = np.unique(keys, return_index=True, return_counts=True)
        kinds = own.some(one)
        n = len(one)
        each = access_costs(
            kinds.base, kinds.pattern, kinds.patterns, kinds.mask,
            np.full(n, self.width_bytes, np.int64), np.full(n, self.is_local), DEFAULT_RULES,
        )  # fmt: skip
        self.costs += times @ each
        _, first, which = np.unique(keys // _ALIKE_BYTES, return_index=True, return_inverse=True)
        self._add_strides(kinds.some(first), np.bincount(which.reshape(-1), times).astype(np.int64))

    def _add_strides(self, kinds: PointAccesses, times: Numbers) -> None:
        for start in range(0, len(kinds), _ROWS):
            part = slice(start, start + _ROWS)
            rows, masks = kinds.patterns[kinds.pattern[part]], kinds.mask[part]
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


def _numbered(masks: Masks) -> tuple[Masks, Numbers]:
    """Give the different masks, and the number of each one among them."""
    if masks.size and masks.min() == masks.max():  # as most often
        return masks[:1], np.zeros(masks.size, np.int64)
    found, which = np.unique(masks, return_inverse=True)
    return found, which.reshape(-1).astype(np.int64)


def _strides(rows: Numbers, masks: Masks) -> tuple[npt.NDArray[np.bool_], Numbers]:
    """Tell of patterns in which two lanes or more lie evenly, and how far apart."""
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
