"""Cost of one warp's access: sectors, lines, shared-memory wavefronts; counted once per shape.

A cost depends on how the lanes lie to each other and on where the first lies in its line, so that
a few counts serve all warps of a launch.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, ClassVar

import numpy as np

from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import (
    LINE_BYTES,
    LOCAL_WORD_BYTES,
    MemoryRules,
    access_cost,
    shared_wavefronts,
)


@dataclass(frozen=True, slots=True)
class WarpAccessCost:
    """Cost of one access of one warp.

    ``sectors`` and ``lines`` (of 128 B) count granules of memory outside the SM, None for
    shared memory; ``wavefronts`` are those of shared memory, 1 without a bank conflict,
    None elsewhere.
    """

    marked_as_one: ClassVar[bool] = True

    sectors: Annotated[int | None, Metric("Sectors/request", "sector")]
    lines: Annotated[int | None, Metric("Lines/request")]
    wavefronts: Annotated[int | None, Metric("Wavefronts/request")]


@dataclass(frozen=True, slots=True)
class AccessKind:
    """Properties beside its addresses that the cost of an access depends on."""

    space: Space
    width_bytes: int
    rules: MemoryRules

    @property
    def modulus(self) -> int:
        """Moving all lanes by so many bytes changes no cost."""
        if self.space is Space.SHARED:
            return self.rules.bank_width_bytes
        if self.space is Space.LOCAL:
            return LOCAL_WORD_BYTES
        return self.rules.period_bytes


@lru_cache(maxsize=1 << 14)
def warp_cost(kind: AccessKind, offsets: bytes, place: int) -> WarpAccessCost:
    """Count what a warp's access costs.

    ``offsets`` are the bytes of int64 offsets of lanes 0, 1, …; ``place`` is where the first lies,
    as a remainder by the modulus of ``kind``.
    """
    addresses = np.frombuffer(offsets, dtype=np.int64) + place
    lanes = np.arange(addresses.size)
    width = kind.width_bytes
    if kind.space is Space.SHARED:
        return WarpAccessCost(None, None, shared_wavefronts(addresses, width, kind.rules, lanes))
    in_local = kind.space is Space.LOCAL
    sectors, lines, _ = access_cost(addresses, lanes, width, kind.rules, in_local=in_local)
    return WarpAccessCost(sectors, lines, None)


def worst_cost(kind: AccessKind, lanes: int) -> WarpAccessCost:
    """The most that aligned lanes can cost: each has its own sectors, one bank for all."""
    if kind.space is Space.SHARED:
        return WarpAccessCost(None, None, lanes)
    each = -(-kind.width_bytes // kind.rules.sector_bytes)
    return WarpAccessCost(lanes * each, lanes * -(-kind.width_bytes // LINE_BYTES), None)
