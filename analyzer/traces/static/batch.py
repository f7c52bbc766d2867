"""The warps of some CTAs side by side: what each lane knows of itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from warpmill.analyzer.traces.static.values import KnownNumbers, Lanes, Number, Unknown, Value

Triple = tuple[int, int, int]

AXES = (-1, -2, -3)
"""Counters of the CTA's place in the grid, x, y, z: the loops around everything."""


@dataclass(frozen=True)
class WarpBatch:
    """Warps of the CTAs ``ctas``, one row each, CTA by CTA.

    Threads of a CTA are numbered x fastest, as CUDA and OpenCL do; the last warp may be partial.
    ``moves``: the batch is a single CTA that stands for those around it too; its place in the grid
    is a symbolic counter for each axis.
    """

    grid: Triple
    block: Triple
    warp_size: int
    ctas: tuple[Triple, ...]
    moves: bool = False

    @property
    def threads_per_cta(self) -> int:
        """Threads of one CTA."""
        x, y, z = self.block
        return x * y * z

    @property
    def warps_per_cta(self) -> int:
        """Warps of one CTA, a partial last one included."""
        return -(-self.threads_per_cta // self.warp_size)

    @cached_property
    def thread(self) -> Lanes:
        """Linear thread index within the CTA, shape (warps, lanes)."""
        one = np.arange(self.warps_per_cta * self.warp_size, dtype=np.int64)
        return np.tile(one.reshape(self.warps_per_cta, self.warp_size), (len(self.ctas), 1))

    @cached_property
    def valid(self) -> Lanes:
        """Lanes that are threads, shape (warps, lanes)."""
        return self.thread < self.threads_per_cta

    def special(self, name: str) -> Value:
        """Give a special register's value, or why it is not known before the run."""
        found = self._specials.get(name)
        if found is None:
            found = self._specials[name] = self._special(name)
        return found

    @cached_property
    def _specials(self) -> dict[str, Value]:
        return {}

    def _special(self, name: str) -> Value:
        constant = self._constants.get(name)
        if constant is not None:
            return KnownNumbers(constant)
        axis = _CTA_IDS.get(name)
        if self.moves and axis is not None and self.grid[axis] > 1:
            return KnownNumbers(self.ctas[0][axis], ((AXES[axis], 1),))
        per_lane = self._per_lane(name)
        if per_lane is not None:
            return KnownNumbers(per_lane)
        return Unknown(f"%{name} is known only when the kernel runs")

    @cached_property
    def _constants(self) -> dict[str, int]:
        values = {"warp_size": self.warp_size, "WARP_SZ": self.warp_size}
        for axis, name in enumerate("xyz"):
            values |= {f"ntid.{name}": self.block[axis], f"nctaid.{name}": self.grid[axis]}
        return values | {"nwarpid": self.warps_per_cta}

    def _per_lane(self, name: str) -> Number | None:
        x, y, _ = self.block
        t = self.thread
        match name:
            case "tid.x":
                return t % x
            case "tid.y":
                return (t // x) % y
            case "tid.z":
                return t // (x * y)
            case "ctaid.x" | "ctaid.y" | "ctaid.z":
                return self._cta_column(_CTA_IDS[name])
            case "laneid":
                return t % self.warp_size
            case "warpid":
                return t // self.warp_size
        return None

    def _cta_column(self, axis: int) -> Number:
        ids = [cta[axis] for cta in self.ctas]
        if len(set(ids)) == 1:
            return ids[0]
        return np.repeat(np.array(ids, dtype=np.int64), self.warps_per_cta)[:, None]


_CTA_IDS = {"ctaid.x": 0, "ctaid.y": 1, "ctaid.z": 2}
