"""Collectors that come with warpmill: two small tools, as GT-Pin's users write them (§III-B)."""

from __future__ import annotations

from collections import Counter

from warpmill.analyzer.profile.counts import Profile
from warpmill.analyzer.profile.mix import Shares, block_vector, opcode_mix
from warpmill.executor.collectors import Collector


class OpcodeCounts(Collector):
    """How often warps executed each opcode, over all launches of a run."""

    def __init__(self) -> None:
        self.warps = Counter[str]()

    def on_profile(self, profile: Profile) -> None:
        """Add a launch's."""
        for opcode in opcode_mix(profile):
            self.warps[opcode.name] += opcode.executions.warp_instructions

    def result(self) -> dict[str, int]:
        """Give the executions by opcode, the most executed first."""
        return dict(sorted(self.warps.items(), key=lambda item: (-item[1], item[0])))


class BlockVectors(Collector):
    """The basic block vector of each launch, which SimPoint and GT-Pin cluster by (§V)."""

    def __init__(self) -> None:
        self.vectors: list[Shares] = []

    def on_profile(self, profile: Profile) -> None:
        """Take a launch's; nothing beside blocks has to be counted."""
        self.vectors.append(block_vector(profile))

    def result(self) -> list[list[float]]:
        """Give a list a launch: the share of its instructions that each block has."""
        return [vector.tolist() for vector in self.vectors]


STANDARD: dict[str, type[Collector]] = {
    "OpcodeCounts": OpcodeCounts,
    "BlockVectors": BlockVectors,
}
"""These collectors by name."""
