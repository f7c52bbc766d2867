"""Selections and what they say of the whole: launches with their counts, units, projections.

A unit is what is simulated whole or not at all: some launches of an application that follow one
another (an interval of GT-Pin, a launch of TBPoint's inter-launch sampling). A method puts units
into strata, says which of each stratum are measured, and what share of the instructions each
stratum stands for. None of this depends on a machine: a selection is made once and used on any.
Cycles of the measured units, which do depend on it, are projected to the whole.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated, ClassVar

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric, derived
from warpmill.analyzer.profile.counts import Profile

Triple = tuple[int, int, int]


@dataclass(frozen=True)
class RecordedLaunch:
    """A launch of an application by its number from 0."""

    number: Id
    kernel: Annotated[str, Metric("Kernel")]
    grid: Annotated[Triple, Metric("Grid", "CTA")]
    block: Annotated[Triple, Metric("Block", "thread")]
    warp_instructions: Annotated[int, Metric("Instructions", "inst")]


@dataclass(frozen=True)
class CountedLaunch(RecordedLaunch):
    """A launch with its exact counts.

    ``arguments`` are its values in words: of a number what it is, of a buffer which one.
    ``interval`` is the number of the interval between synchronisations that it lies in.
    """

    arguments: Annotated[tuple[str, ...], INTERNAL]
    profile: Annotated[Profile, INTERNAL]
    interval: Annotated[int, INTERNAL]

    @property
    def global_size(self) -> Triple:
        """Threads along each axis, which OpenCL calls the global work size."""
        (x, y, z), (w, h, d) = self.grid, self.block
        return x * w, y * h, z * d


@dataclass(frozen=True)
class SelectionUnit:
    """Launches that are simulated together: ``first`` to before ``end``.

    These are places among the launches that were given, which are their numbers in the application
    where all of it was.
    """

    first: Id
    end: Id
    warp_instructions: Annotated[int, Metric("Instructions", "inst")]

    @property
    def launches(self) -> range:
        """Their places."""
        return range(self.first, self.end)


@dataclass(frozen=True)
class Stratum:
    """Units that stand for each other. ``members`` and ``chosen`` are numbers of units.

    ``weight`` is the share of the application's warp instructions that its members execute.
    """

    members: tuple[Id, ...]
    chosen: tuple[Id, ...]
    weight: Annotated[float, Metric("Weight", "%")]


@dataclass(frozen=True)
class Selection:
    """Choice of a method in an application; ``options`` are those that it was made with."""

    mark: ClassVar[Mark] = Mark.EXACT

    method: Annotated[str, Metric("Method")]
    units: tuple[SelectionUnit, ...]
    strata: tuple[Stratum, ...]
    options: Annotated[Mapping[str, str], Metric("Options of the method")] = field(
        default_factory=dict
    )

    @property
    def chosen(self) -> tuple[int, ...]:
        """The numbers of all units that are measured, ascending."""
        return tuple(sorted({number for each in self.strata for number in each.chosen}))

    @property
    def launches(self) -> tuple[int, ...]:
        """The places of all launches that are measured, ascending."""
        return tuple(n for unit in self.chosen for n in self.units[unit].launches)

    @derived("Instructions", "inst")
    def warp_instructions(self) -> int:
        """Warp instructions of the application."""
        return sum(unit.warp_instructions for unit in self.units)

    @derived("Selected instructions", "inst")
    def sampled_warp_instructions(self) -> int:
        """Warp instructions of the units that are measured."""
        return sum(self.units[number].warp_instructions for number in self.chosen)

    @derived("Selected share", "%")
    def sample_share(self) -> float:
        """The share of the warp instructions that is measured."""
        return self.sampled_warp_instructions / self.warp_instructions


@dataclass(frozen=True)
class Projection:
    """Projection of a selection to the whole: cycles, and their 95 % confidence interval.

    ``interval`` is None where nothing tells: a stratum of several unlike units of which one was
    measured, and no other figure says how far they differ.
    """

    cycles: float
    interval: tuple[float, float] | None


def units_of_launches(launches: Sequence[CountedLaunch]) -> tuple[SelectionUnit, ...]:
    """Make each launch a unit."""
    return tuple(SelectionUnit(k, k + 1, one.warp_instructions) for k, one in enumerate(launches))


# From what was measured to the whole: cycles, and where they lie with 95 % confidence.
#
# The instructions of a stratum are taken to go on at the CPI of its measured units: §III of
# TBPoint and Equation 1 of GT-Pin, which are ratio estimates. How far this is off is told by the
# spread of CPI inside the strata: from units measured twice, else from how unlike the members are
# in what they were clustered by and in size.
#
# For the latter, CPI of a member is taken to differ from that of the measured one by a standard
# deviation of ``EQUAL`` where both are equal, by ``BY_SIZE`` more for each unit of the logarithm
# of their sizes and ``BY_DISTANCE`` for each of the distance of their features (squares add up).
# The last two grow or shrink by as much as the measured units of different strata differ more or
# less than so, which counts as much as ``PRIOR`` units that do as expected. The numbers are those
# of launches of the applications of benchmarks/gtpin, which measures how often intervals hold.

Floats = npt.NDArray[np.float64]

_QUANTILE = 0.975

EQUAL, BY_SIZE, BY_DISTANCE = 0.005, 0.2, 0.2
"""How CPI of two units differs, relatively: where they are equal, by size, by features."""
PRIOR = 3.0
"""Measured units that the expected differences count for."""
_MOST_SIZES = 3.0
"""Logarithms of sizes further apart than this (a factor of 20) count as this; of a stratum of which
several units were measured, nothing is known where units that far from these weigh over LITTLE."""
UNLIKE, LITTLE = 0.3, 0.02
"""Members further away than this on average have nothing in common with the measured unit, and
nothing is known of them, unless the stratum weighs no more than that."""


def project(
    selection: Selection, cycles: Mapping[int, float], features: Floats | None = None
) -> Projection:
    """Project the cycles of the whole from those of the chosen units, by their numbers.

    ``features`` has a row for each unit, of the kind that it was put into its stratum by; how far
    units differ in them and in size tells how far they may in CPI. Without them, and without a
    stratum of which two units were measured, the interval is None, unless all units were measured.
    ValueError where a chosen unit was not measured.
    """
    lacking = [number for number in selection.chosen if number not in cycles]
    if lacking:
        raise ValueError(f"no cycles of chosen units {lacking}")
    total, variance, known = 0.0, 0.0, True
    pooled = _pooled_spread(selection, cycles)
    likeness = None if features is None else _Likeness.of(selection, cycles, features)
    for stratum in selection.strata:
        rate = _rate(selection, stratum, cycles)
        every = sum(selection.units[n].warp_instructions for n in stratum.members)
        measured = sum(selection.units[n].warp_instructions for n in stratum.chosen)
        total += sum(cycles[n] for n in stratum.chosen) + rate * (every - measured)
        rest = [n for n in stratum.members if n not in stratum.chosen]
        if not rest or every == measured:
            continue
        sizes = np.array([selection.units[n].warp_instructions for n in rest], np.float64)
        spread = _spread(selection, stratum, cycles, pooled)
        if spread is not None and _outsized(selection, stratum, rest) > LITTLE:
            known = False
        elif spread is not None:
            own = (sizes**2).sum() + sizes.sum() ** 2 / len(stratum.chosen)
            variance += (rate * spread) ** 2 * own
        else:
            unlike = None if likeness is None else likeness.variance(stratum, rest)
            known = known and unlike is not None
            variance += (rate * sizes.sum()) ** 2 * (unlike or 0.0)
    if not known:
        return Projection(total, None)
    half = _factor(selection, pooled) * math.sqrt(variance)
    return Projection(total, (total - half, total + half))


def _outsized(selection: Selection, stratum: Stratum, rest: list[int]) -> float:
    """The share of the whole in units that are of other sizes than all measured ones are.

    The spread of the measured ones' CPI says nothing of these: they are hardly of the same work.
    """
    sizes = {n: math.log(max(1, selection.units[n].warp_instructions)) for n in stratum.members}
    least, most = (end(sizes[n] for n in stratum.chosen) for end in (min, max))
    other = [n for n in rest if not least - _MOST_SIZES <= sizes[n] <= most + _MOST_SIZES]
    return sum(selection.units[n].warp_instructions for n in other) / selection.warp_instructions


def _rate(selection: Selection, stratum: Stratum, cycles: Mapping[int, float]) -> float:
    """Cycles a warp instruction of a stratum's measured units, together."""
    instructions = sum(selection.units[n].warp_instructions for n in stratum.chosen)
    return sum(cycles[n] for n in stratum.chosen) / max(1, instructions)


def _deviations(selection: Selection, stratum: Stratum, cycles: Mapping[int, float]) -> Floats:
    """The relative differences of measured units' CPI from that of all of them."""
    rate = _rate(selection, stratum, cycles)
    units = [(selection.units[n].warp_instructions, cycles[n]) for n in stratum.chosen]
    return np.array([c / (i * rate) - 1.0 for i, c in units if i and rate], np.float64)


def _spread(
    selection: Selection, stratum: Stratum, cycles: Mapping[int, float], pooled: float | None
) -> float | None:
    """The relative standard deviation of CPI in a stratum: its own, else that of all."""
    own = _deviations(selection, stratum, cycles)
    if len(own) > 1:
        return math.sqrt(float((own**2).sum()) / (len(own) - 1))
    return pooled


def _pooled_spread(selection: Selection, cycles: Mapping[int, float]) -> float | None:
    each = [_deviations(selection, stratum, cycles) for stratum in selection.strata]
    squares = sum(float((own**2).sum()) for own in each if len(own) > 1)
    freedom = sum(len(own) - 1 for own in each if len(own) > 1)
    return math.sqrt(squares / freedom) if freedom else None


@dataclass(frozen=True, eq=False)
class _Likeness:
    """How CPI differs between units, by size and features; ``scale`` is that of the prior's."""

    selection: Selection
    features: Floats
    scale: float

    @classmethod
    def of(cls, selection: Selection, cycles: Mapping[int, float], features: Floats) -> _Likeness:
        """Compare the measured units with what is expected of them."""
        units = selection.units
        chosen = [n for n in selection.chosen if cycles[n] and units[n].warp_instructions]
        rates = {n: math.log(cycles[n] / units[n].warp_instructions) for n in chosen}
        plain = cls(selection, features, 1.0)
        ratios = [
            (rates[a] - rates[b]) ** 2 / (2 * EQUAL**2 + plain.expected(a, b))
            for a, b in combinations(chosen, 2)
        ]
        freedom = len(chosen) - 1
        if freedom < 1:
            return plain
        mean = sum(ratios) / len(ratios)
        return cls(selection, features, (PRIOR + freedom * mean) / (PRIOR + freedom))

    def expected(self, one: int, other: int) -> float:
        """The variance that sizes and features of two units make, relative to CPI."""
        a, b = (max(1, self.selection.units[n].warp_instructions) for n in (one, other))
        by_size = (BY_SIZE * min(_MOST_SIZES, abs(math.log(a / b)))) ** 2
        return self.scale * (by_size + BY_DISTANCE**2 * self._square(one, other))

    def variance(self, stratum: Stratum, rest: list[int]) -> float | None:
        """The variance of the CPI of members that were not measured; None: unknown."""
        nearest = {n: min(stratum.chosen, key=lambda c: self._square(n, c)) for n in rest}
        sizes = {n: self.selection.units[n].warp_instructions for n in rest}
        total = sum(sizes.values())
        apart = sum(sizes[n] * self._square(n, nearest[n]) for n in rest) / total
        if math.sqrt(apart) > UNLIKE and stratum.weight > LITTLE:
            return None
        unlike = sum(sizes[n] * self.expected(n, nearest[n]) for n in rest) / total
        return float(EQUAL**2 + unlike)

    def _square(self, one: int, other: int) -> float:
        return float(((self.features[one] - self.features[other]) ** 2).sum())


def _factor(selection: Selection, pooled: float | None) -> float:
    """How many standard deviations hold 95 %: Student's, where they were measured."""
    from scipy.stats import norm, t  # noqa: PLC0415 - slow to load

    if pooled is None:
        return float(norm.ppf(_QUANTILE))
    freedom = sum(len(stratum.chosen) - 1 for stratum in selection.strata)
    return float(t.ppf(_QUANTILE, max(1, freedom)))
