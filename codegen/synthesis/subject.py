"""What a clone is made from: a kernel's shape, and what its launches did."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.profile.behaviour.model import (
    AccessBehaviour,
    BranchBehaviour,
    LoopBehaviour,
    Triple,
)
from warpmill.analyzer.profile.counts import Profile


@dataclass(frozen=True)
class CloneSubject:
    """A launch, or launches that are alike: the profile and the behaviour of one of them.

    ``static_shared_bytes`` are those of the original with its module's variables.
    """

    structure: Structure
    profile: Profile
    branches: tuple[BranchBehaviour, ...]
    loops: tuple[LoopBehaviour, ...]
    accesses: tuple[AccessBehaviour, ...]
    static_shared_bytes: int
    version: str
    most_grid: Triple
    """The largest extents of the grids that the clone is launched with."""

    @property
    def grid(self) -> Triple:
        """CTAs of the launch that was looked at."""
        return self.profile.grid

    @property
    def block(self) -> Triple:
        """Threads of a CTA."""
        return self.profile.block

    @cached_property
    def threads_per_cta(self) -> int:
        """Threads of a CTA, all axes together."""
        x, y, z = self.profile.block
        return x * y * z

    @cached_property
    def warps_per_cta(self) -> int:
        """Warps of a CTA; the last one may not be full."""
        return -(-self.threads_per_cta // self.profile.warp_size)

    @cached_property
    def ctas(self) -> int:
        """CTAs of the launch, all axes together."""
        x, y, z = self.profile.grid
        return x * y * z

    @cached_property
    def executions(self) -> tuple[float, ...]:
        """Executions of each block by a warp of the launch (mean)."""
        warps = self.ctas * self.warps_per_cta
        return tuple(block.warps / warps for block in self.profile.blocks)

    @cached_property
    def lanes(self) -> tuple[float, ...]:
        """Lanes on in an execution of each block (mean); 0 where it was not executed."""
        return tuple(b.threads / b.warps if b.warps else 0.0 for b in self.profile.blocks)
