"""Which part of global traffic hits in L2: the first form of the cache model.

The first touch of a byte misses; every later one hits while everything that the launch touches
fits in L2. Where it does not fit, the hits shrink in proportion. Reuse distances replace this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from analyzer.ir.types import Space
from analyzer.memory_rules import MemoryRules
from analyzer.trace.counts import Count
from analyzer.trace.layout import Layout
from analyzer.trace.model import Access, LaneAddresses, WarpTrace, visits_with_counts
from analyzer.trace.transactions import AccessTotals, access_totals, modulus_of
from simulator.estimate.result import Traffic
from simulator.machines.model import Machine

Place = tuple[int, int]
"""A block and the index of an instruction in it."""

LOCAL = "local memory"
"""The region of the threads' own memory."""

ELSEWHERE = "unknown"
"""The region of addresses that are not known, or lie in no buffer."""

OFF_CHIP = frozenset({Space.GLOBAL, Space.GENERIC, Space.LOCAL})
"""Spaces whose accesses may leave the SM."""


@dataclass(frozen=True)
class AccessFacts:
    """Where the accesses of a kernel point, how wide they are, and where its memory lies.

    ``bases`` names the region an address is counted from, where that is known without the address.
    """

    spaces: Mapping[Place, Space]
    bases: Mapping[Place, str | None]
    widths: Mapping[Place, int]
    layout: Layout
    rules: MemoryRules

    def totals(
        self,
        place: Place,
        access: Access,
        bases: Sequence[int],
        width_bytes: int,
        counts: tuple[Count, ...],
    ) -> AccessTotals:
        """Sum what an access costs over the Repeats around it, in the warp with these bases."""
        in_local = self.spaces.get(place) is Space.LOCAL
        return access_totals(access, bases, width_bytes, counts, self.rules, in_local=in_local)


Class = tuple[int, tuple[tuple[int, str], ...]]
"""The tree of a warp, and where each of its bases lies: its remainder and its region."""


@dataclass
class Classes:
    """Warps by what their accesses cost: those of one tree whose bases lie alike in their regions.

    What an access costs depends on its address through the remainder by a line's size alone.
    """

    facts: AccessFacts
    _bases: dict[int, tuple[int, str]] = field(default_factory=dict)
    _known: dict[int, Class] = field(default_factory=dict)

    def of(self, warp: WarpTrace) -> Class:
        """Give the class of a warp, among traces that are all kept."""
        found = self._known.get(id(warp))
        if found is None:
            bases = tuple(map(self._of_base, warp.bases))
            found = self._known[id(warp)] = id(warp.nodes), bases
        return found

    def _of_base(self, base: int) -> tuple[int, str]:
        found = self._bases.get(base)
        if found is None:
            region = self.facts.layout.region(base)
            name = ELSEWHERE if region is None else region.name
            found = self._bases[base] = base % modulus_of(self.facts.rules), name
        return found


def requested_bytes(ctas: Iterable[tuple[WarpTrace, ...]], classes: Classes) -> dict[str, float]:
    """Sum the sectors that some CTAs ask for off their SM, in bytes by region."""
    facts, warps = classes.facts, [warp for own in ctas for warp in own]
    number = Counter(map(classes.of, warps))
    requested: dict[str, float] = {}
    for key, warp in {classes.of(warp): warp for warp in warps}.items():
        for region, moved in _of_warp(warp, facts):
            requested[region] = requested.get(region, 0.0) + number[key] * moved
    return requested


def _of_warp(warp: WarpTrace, facts: AccessFacts) -> Iterator[tuple[str, int]]:
    """Give the bytes that each access of a warp asks for off the SM, with their region."""
    for visit, counts in visits_with_counts(warp.nodes):
        for access in visit.accesses:
            place = (visit.block, access.instruction)
            if facts.spaces.get(place) in OFF_CHIP:
                total = facts.totals(place, access, warp.bases, facts.widths[place], counts)
                sectors = total.lanes if total.sectors is None else total.sectors
                yield (
                    region_of(place, access, warp.bases, facts),
                    sectors * facts.rules.sector_bytes,
                )


def region_of(place: Place, access: Access, bases: Sequence[int], facts: AccessFacts) -> str:
    """Name the region that an access starts in, by its address or else by its base."""
    if facts.spaces.get(place) is Space.LOCAL:
        return LOCAL
    if isinstance(access.addresses, LaneAddresses):
        region = facts.layout.region(bases[access.addresses.slot])
        return ELSEWHERE if region is None else region.name
    return facts.bases.get(place) or ELSEWHERE


def l2_traffic(
    requested: Mapping[str, float], layout: Layout, machine: Machine
) -> dict[str, Traffic]:
    """Tell how much of the bytes that a launch asks for by region hits in L2."""
    sizes = {r.name: float(r.size_bytes) for r in layout.regions}
    everything = sum(sizes.values())
    footprints = {
        name: min(moved, sizes.get(name, everything or moved)) for name, moved in requested.items()
    }
    l2_bytes = machine.number("l2.size_bytes")
    whole = sum(footprints.values())
    fits = min(1.0, l2_bytes / whole) if whole else 1.0
    return {
        name: Traffic(name, moved, footprints[name], (1.0 - footprints[name] / moved) * fits)
        for name, moved in sorted(requested.items())
        if moved
    }
