"""What a hop of a pointer chase takes, by the footprint of the chase and by its stride."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from warpmill.calibration.figures import differences
from warpmill.calibration.probes import Probe, Reading, Ring, Runner
from warpmill.codegen.microbench.chases import ELEMENT_BYTES, chase
from warpmill.codegen.microbench.frame import WARP

_ENOUGH_HOPS = 2048
_MOST_SMS = 8
"""SMs that go round together: more of them would wait for DRAM, and not all alike."""


@dataclass(frozen=True)
class Walk:
    """A chase through a space: a warp on each of so many SMs, round a ring together.

    Several SMs measure a large shared cache sooner; each follows links of its own, which lie apart
    from those of others where they are ``parted``. ``unroll``: hops a turn, so that the loop's own
    instructions hide behind few short ones.
    """

    space: str
    stride_bytes: int
    sms: int = 1
    unroll: int = 4
    parted: bool = False

    @property
    def granule(self) -> int:
        """Links that the number of links of a ring is a multiple of."""
        return self.sms * self.unroll

    def probe(self, chip: str, elements: int, passes: int, *, cold: bool = False) -> Probe:
        """Give the launch that goes round so often."""
        ring = Ring(self.space, elements, self.stride_bytes, self.sms, self.parted)
        turns = elements // self.granule * passes
        apart = ring.first_bytes
        if self.space == "texture":
            apart //= ELEMENT_BYTES[self.space]
        bench = chase(self.space, self.unroll, chip)
        return Probe(bench, turns, self.sms, WARP, (apart,), ring, cold)


@dataclass(frozen=True)
class WalkRuler:
    """A walk as what measures footprints; its elements are links."""

    runner: Runner
    walk: Walk

    @property
    def stride_bytes(self) -> int:
        """Bytes from a link to the next one."""
        return self.walk.stride_bytes

    @property
    def granule(self) -> int:
        """Links that their number is a multiple of."""
        return self.walk.granule

    def hops(self, counts: Sequence[int]) -> list[Reading]:
        """Measure rings of so many links."""
        return steady_hops(self.runner, [(self.walk, n) for n in counts])


def steady_hops(runner: Runner, walks: Sequence[tuple[Walk, int]]) -> list[Reading]:
    """Give the cycles of a hop once caches hold what they can, for walks over so many links.

    It is the difference between more rounds and fewer: both begin alike and end alike.
    """
    chip = runner.target.chip
    rounds = [_rounds(walk, elements) for walk, elements in walks]
    probes = [
        walk.probe(chip, elements, passes)
        for (walk, elements), pair in zip(walks, rounds, strict=True)
        for passes in pair
    ]
    readings = runner.read(probes)
    return [
        differences(longer, shorter, elements // walk.sms * (many - few))
        for (walk, elements), (few, many), shorter, longer in zip(
            walks, rounds, readings[::2], readings[1::2], strict=True
        )
    ]


def _rounds(walk: Walk, elements: int) -> tuple[int, int]:
    """Give few rounds and many: of short ones more, behind one that fills caches."""
    hops = elements // walk.sms
    more = max(1, math.ceil(_ENOUGH_HOPS / hops))
    return (1, 2) if more == 1 else (2, 2 + more)


def fresh_hops(runner: Runner, walk: Walk, elements: Sequence[int]) -> list[Reading]:
    """Give the cycles of all hops of walks over links that no cache holds, once round each."""
    chip = runner.target.chip
    return runner.read([walk.probe(chip, n, 1, cold=True) for n in elements])


def together(walk: Walk, sms: int, private_bytes: float, footprint_bytes: float) -> Walk:
    """Let as many SMs go round as leave each a part that its own cache does not hold."""
    least = 2.5 * private_bytes
    most = min(sms, _MOST_SMS, int(footprint_bytes // least) if least else _MOST_SMS)
    if most < 2:
        return walk
    return replace(walk, sms=most, unroll=1)
