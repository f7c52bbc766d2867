"""Random folded traces, of nests that no kernel needs to have, and a source that hands them out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.traces.layout import LaunchLayout, MemoryRegion
from warpmill.analyzer.traces.model import (
    AffinePattern,
    LaneAddresses,
    ListedPattern,
    Node,
    Repeat,
    TracedAccess,
    Visit,
    WarpTrace,
)

REGIONS = (MemoryRegion("one", 1 << 28, 4096), MemoryRegion("two", (1 << 28) + 8192, 1 << 20))


@dataclass
class GivenSource:
    """A source that has only what it is given: the warps of each CTA."""

    kernel: Kernel
    ctas_of: dict[tuple[int, int, int], tuple[WarpTrace, ...]]
    layout: LaunchLayout = field(default_factory=lambda: LaunchLayout({}, {}, REGIONS, 0))
    asked: Counter = field(default_factory=Counter)

    def many(self, ctas):
        """Traces, and count what was asked for."""
        for cta in ctas:
            self.asked[cta] += 1
            yield self.ctas_of[cta]

    def batches(self, _ctas):
        """It has none."""


class TreeMaker:
    """Makes trees over the accesses and guards that a kernel has, by block."""

    def __init__(self, random: Random, lanes: int, accesses, guards) -> None:
        self.random, self.lanes = random, lanes
        self.places, self.guarded = accesses, guards
        self.slots = 0

    def tree(self) -> tuple[Node, ...]:
        """Make one; ``slots`` are then its bases."""
        self.slots = 0
        return self._body(3, ())

    def _body(self, depth, longest):
        number = self.random.randint(0 if longest else 1, 3)
        return tuple(self._node(depth, longest) for _ in range(number))

    def _node(self, depth, longest):
        if depth and self.random.random() < 0.6:
            return self._repeat(depth - 1, longest)
        return self._visit(len(longest))

    def _repeat(self, depth, longest):
        """Make a Repeat; ``longest`` are the most iterations of each one around."""
        strides = tuple(self.random.choice([0, 0, 0, 1, 2, -1]) for _ in longest)
        last = [max(n - 1, 0) for n in longest]
        least = sum(s * n for s, n in zip(strides, last, strict=True) if s < 0)
        count = self.random.randint(0, 4) - least  # it may come down to zero, not below
        most = count + sum(s * n for s, n in zip(strides, last, strict=True) if s > 0)
        body = self._body(depth, (*longest, most))
        return Repeat(count, body, strides if any(strides) else ())

    def _visit(self, depth):
        block = self.random.randrange(len(self.places))
        mask = self._mask((1 << self.lanes) - 1)
        guards = tuple(
            (i, own)
            for i in self.guarded[block]
            for own in [mask & self.random.getrandbits(self.lanes)]
            if own != mask and self.random.random() < 0.5
        )
        accesses = tuple(
            self._access(i, self._mask(mask), depth)
            for i in self.places[block]
            if self.random.random() < 0.7
        )
        return Visit(block, mask, guards, accesses)

    def _mask(self, whole):
        """Choose some lanes of a mask, often all."""
        some = whole & self.random.getrandbits(self.lanes)
        return some if some and self.random.random() < 0.6 else whole

    def _access(self, instruction, mask, depth):
        strides = tuple(self.random.choice([0, 4, 128, -4096]) for _ in range(depth))
        if self.random.random() < 0.5:
            pattern = AffinePattern(self.random.choice([0, 4, 8, -4]))
        else:
            rest = (self.random.randint(-99, 99) * 4 for _ in range(mask.bit_count() - 1))
            pattern = ListedPattern((0, *rest))
        self.slots += 1
        return TracedAccess(instruction, mask, LaneAddresses(self.slots - 1, pattern, strides))
