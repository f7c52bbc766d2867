"""What an access costs a full warp, told without a launch.

The warp lies along x: its lanes are neighbours in ``tid.x``. Counters are 0, and what the address
adds beside lane ids and numbers is taken to be a multiple of a line.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.values.symbolic import AtomKind
from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.ir.kernel import Module
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.memory.rules import DEFAULT_RULES, MemoryRules

FULL_WARP_ASSUMPTIONS = (
    "a CTA is at least a warp wide in x",
    "counters are 0, and what the address adds beside lane ids and numbers is a multiple of 128 B",
)
"""What the counts of a full warp rest on."""


@dataclass(frozen=True, slots=True)
class FullWarpCost:
    """What one access of a full warp costs under ``FULL_WARP_ASSUMPTIONS``.

    ``sectors``, ``lines`` and ``wavefronts`` as in ``WarpAccessCost``. Where ``reason`` is set
    there are none, and the ``worst_…`` are the most that aligned lanes can cost; they are None
    where the width is not known. ``lanes_per_sector`` says how many lanes share a sector, on
    average.
    """

    marked_as_one: ClassVar[bool] = True

    sectors: Annotated[int | None, Metric("Sectors/request", "sector")]
    lines: Annotated[int | None, Metric("Lines/request")]
    wavefronts: Annotated[int | None, Metric("Wavefronts/request")]
    lanes_per_sector: Annotated[float | None, Metric("Lanes per sector")]
    worst_sectors: Annotated[int | None, Metric("Sectors/request at most", "sector")]
    worst_wavefronts: Annotated[int | None, Metric("Wavefronts/request at most")]
    reason: str | None


def full_warp_costs(
    module: Module, accesses: Sequence[MemoryAccess], rules: MemoryRules = DEFAULT_RULES
) -> tuple[FullWarpCost, ...]:
    """Count for each access what a full warp along x needs, as far as the kernel alone tells."""
    return tuple(_cost(module.warp_size, access, rules) for access in accesses)


def _cost(lanes: int, access: MemoryAccess, rules: MemoryRules) -> FullWarpCost:
    # numpy is slow to load, and who asks for strides alone needs none
    from warpmill.analyzer.analyses.access.warp_counts import (  # noqa: PLC0415
        AccessKind,
        warp_cost,
        worst_cost,
    )

    reason = uncountable(access)
    if reason is not None:
        return FullWarpCost(None, None, None, None, None, None, reason)
    kind = AccessKind(access.space, access.width_bytes or 0, rules)
    worst = worst_cost(kind, lanes)
    offsets = _offsets(access, lanes)
    if isinstance(offsets, str):
        return FullWarpCost(None, None, None, None, worst.sectors, worst.wavefronts, offsets)
    first = offsets[0]
    moved = array("q", [offset - first for offset in offsets])
    cost = warp_cost(kind, moved.tobytes(), first % kind.modulus)
    share = None if not cost.sectors else lanes / cost.sectors
    return FullWarpCost(
        cost.sectors, cost.lines, cost.wavefronts, share, worst.sectors, worst.wavefronts, None
    )


def uncountable(access: MemoryAccess) -> str | None:
    """Tell why no transactions can be counted for an access, if so."""
    if access.space is Space.GENERIC:
        return "which memory it accesses is not known"
    return "its width is not known" if access.width_bytes is None else None


def _offsets(access: MemoryAccess, lanes: int) -> list[int] | str:
    """Give the addresses of a full warp with all but lanes and numbers left out, or why not."""
    fixed = next((c for m, c in access.address.terms if not m), 0)
    stride = access.lane_stride_bytes
    if access.lane_offsets is None and stride is not None:
        return [fixed + lane * stride for lane in range(lanes)]
    if access.lane_offsets is not None:
        return list(access.lane_offsets)
    return _why_uneven(access)


def _why_uneven(access: MemoryAccess) -> str:
    if access.lane_stride is not None:
        return "the bytes from lane to lane are no constant"
    if access.loads:
        return "loaded values decide its address"
    kinds = access.address.kinds()
    if AtomKind.UNKNOWN in kinds:
        return "its address is not known"
    if kinds & {AtomKind.MERGE, AtomKind.CARRIED}:
        return "control flow decides its address"
    return "its lanes lie in no pattern that the kernel alone tells"
