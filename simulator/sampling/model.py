"""What sampling works on and what comes of it: launches with their counts, units, selections.

A unit is what is simulated whole or not at all: some launches of an application that follow one
another (an interval of GT-Pin, a launch of TBPoint's inter-launch sampling). A method puts units
into strata, says which of each stratum are measured, and what share of the instructions each
stratum stands for. None of this depends on a machine: a selection is made once and used on any.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from warpmill.analyzer.profile.counts import Profile

Triple = tuple[int, int, int]


@dataclass(frozen=True)
class LaunchCounts:
    """A launch of an application by its number from 0, with its exact counts.

    ``arguments`` are its values in words: of a number what it is, of a buffer which one.
    ``interval`` is the number of the stretch between synchronisations that it lies in.
    """

    number: int
    kernel: str
    arguments: tuple[str, ...]
    grid: Triple
    block: Triple
    profile: Profile
    interval: int

    @cached_property
    def warp_instructions(self) -> int:
        """Instructions by warps."""
        return self.profile.warp_instructions

    @property
    def global_size(self) -> Triple:
        """Threads along each axis, which OpenCL calls the global work size."""
        (x, y, z), (w, h, d) = self.grid, self.block
        return x * w, y * h, z * d


@dataclass(frozen=True)
class Unit:
    """Launches that are simulated together: ``first`` to before ``end``.

    These are places among the launches that were given, which are their numbers in the application
    where all of it was.
    """

    first: int
    end: int
    warp_instructions: int

    @property
    def launches(self) -> range:
        """Their places."""
        return range(self.first, self.end)


@dataclass(frozen=True)
class Stratum:
    """Units that stand for each other. ``members`` and ``chosen`` are numbers of units.

    ``weight`` is the share of the application's warp instructions that its members execute.
    """

    members: tuple[int, ...]
    chosen: tuple[int, ...]
    weight: float


@dataclass(frozen=True)
class Selection:
    """What a method chose of an application; ``options`` are those that it was made with."""

    method: str
    units: tuple[Unit, ...]
    strata: tuple[Stratum, ...]
    options: tuple[tuple[str, str], ...] = ()

    @property
    def chosen(self) -> tuple[int, ...]:
        """The numbers of all units that are measured, ascending."""
        return tuple(sorted({number for each in self.strata for number in each.chosen}))

    @property
    def launches(self) -> tuple[int, ...]:
        """The places of all launches that are measured, ascending."""
        return tuple(n for unit in self.chosen for n in self.units[unit].launches)

    @property
    def warp_instructions(self) -> int:
        """Warp instructions of the application."""
        return sum(unit.warp_instructions for unit in self.units)

    @property
    def sampled_warp_instructions(self) -> int:
        """Warp instructions of the units that are measured."""
        return sum(self.units[number].warp_instructions for number in self.chosen)

    @property
    def sample_share(self) -> float:
        """The share of the warp instructions that is measured."""
        return self.sampled_warp_instructions / self.warp_instructions


@dataclass(frozen=True)
class Projection:
    """What a selection says of the whole: cycles, and where they lie with 95 % confidence.

    ``interval`` is None where nothing tells: a stratum of several unlike units of which one was
    measured, and no other figure says how far they differ.
    """

    cycles: float
    interval: tuple[float, float] | None


def units_of_launches(launches: Sequence[LaunchCounts]) -> tuple[Unit, ...]:
    """Make each launch a unit."""
    return tuple(Unit(k, k + 1, one.warp_instructions) for k, one in enumerate(launches))
