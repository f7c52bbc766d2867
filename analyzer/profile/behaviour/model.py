"""The statistics of branches, loops and accesses that a clone is made from. Frozen, without code.

All counts are of the CTAs that were looked at, which may be fewer than the launch has.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from warpmill.analyzer.ir.types import Space

Triple = tuple[int, int, int]


class BehaviourScope(Enum):
    """Scope of the number that a rule about threads compares."""

    GRID = "grid"  # the global thread id of Equation 1
    CTA = "cta"  # the thread's number in its CTA, Equation 2
    WARP = "warp"  # its lane
    CTAS = "ctas"  # the CTA's number in the grid


@dataclass(frozen=True, slots=True)
class FirstThreads:
    """A branch is taken by those whose number is below ``count``, or by the others.

    GPGPU-MiniBench §4.2.2 has the scope GRID: the first N threads go one way.
    """

    scope: BehaviourScope
    count: int
    taken_below: bool


@dataclass(frozen=True, slots=True)
class BranchBehaviour:
    """How the warps went at a branch, over all its executions.

    ``all_taken`` and ``none_taken`` are the executions in which all lanes that were on went one
    way, ``split`` those that parted the lanes, ``split_share`` the mean share of lanes that took
    the branch there. ``by_position`` is the share of lanes that took it by the warp's place in its
    CTA, None where that place never came to it, and ``by_lane`` the share of the executions that
    parted lanes in which a lane took it. ``rule`` is the rule of thread numbers that every
    execution obeyed, None where there is none. ``by_cta`` says whether all warps of a CTA always
    went the same way, and ``by_warp`` whether a warp always did.
    """

    block: int
    executions: int
    all_taken: int
    none_taken: int
    split: int
    split_share: float
    rule: FirstThreads | None
    by_cta: bool
    by_warp: bool
    by_position: tuple[float | None, ...]
    by_lane: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class LoopBehaviour:
    """How often warps went round a loop.

    ``runs`` are the times that a warp came into it from outside, ``iterations`` the executions of
    its header by warps in all of them, and ``histogram`` has (iterations of a run, runs),
    ascending. ``by_cta`` says whether all runs of the warps of each CTA were equally long, and
    ``by_warp`` is the share of the variance of lengths that lies between warps: 1 where a warp's
    runs are all alike, near 0 where every warp has short ones and long ones. ``in_step`` is the
    share that lies between groups of runs which are the k-th ones of a CTA's warps: 1 where all
    warps of a CTA always go round equally often, near 0 where each does by chance. ``lanes_in`` is
    the mean number of lanes on when a warp comes in.
    """

    header: int
    runs: int
    iterations: int
    histogram: tuple[tuple[int, int], ...]
    by_cta: bool
    by_warp: float
    in_step: float
    lanes_in: float


@dataclass(frozen=True, slots=True)
class AffineAddress:
    """The byte distance of an address from the start of its region.

    ``offset + tid . threads + ctaid . ctas`` and for each loop around ``bytes * iteration``, where
    iterations of a run count from 0; ``loops`` has (header, bytes), outermost first. ``share`` is
    the share of lane addresses that it gives to the byte.
    """

    offset: int
    threads: Triple
    ctas: Triple
    loops: tuple[tuple[int, int], ...]
    share: float


@dataclass(frozen=True, slots=True)
class AccessBehaviour:
    """How an instruction accessed one space. Means are over its executions with any lane on.

    ``lanes`` are those on with the guard applied; ``sectors`` distinct 32 B and ``lines`` distinct
    128 B in global and local memory, ``passes`` those over the 32 banks of shared memory; all 0
    where they mean nothing. ``region`` is the start of the allocation or variable that all
    addresses lie in, None where there are several; ``region_bytes`` its size. ``lane_stride`` is
    the distance between neighbouring lanes where most executions have one. ``affine`` is None
    where no such form gives nine addresses in ten.

    Reuse compares numbers of distinct sectors, with caches that forget nothing: ``of_warp`` those
    of a warp over the sectors of all its executions, ``of_cta`` those of a CTA over those of its
    warps, ``of_grid`` those of all CTAs over those of each. 1: nothing is used twice.
    """

    block: int
    instruction: int
    kind: str
    space: Space
    width_bytes: int
    executions: int
    lanes: float
    sectors: float
    lines: float
    passes: float
    region: int | None
    region_bytes: int
    lane_stride: int | None
    affine: AffineAddress | None
    of_warp: float
    of_cta: float
    of_grid: float
    footprint_sectors: int
