"""GT-Pin's selections of an application, their projections, and the space of all thirty (§V).

An application is divided into intervals, each interval gets a feature vector, SimPoint clusters the
vectors, and one interval of each cluster is measured; it stands for the share of the instructions
that its cluster executes. Nothing here is simulated: measured times (seconds or cycles, all in one
unit) are only needed to say how far off a projection is, and to choose by that.

Launches are named by their places among the launches that were given, from 0, and ``measured``
has the time of each at its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean

import numpy as np

from warpmill.simulator.sampling.gtpin_features import FEATURES, FeatureVectors, launch_vectors
from warpmill.simulator.sampling.gtpin_intervals import DIVISIONS, about, intervals
from warpmill.simulator.sampling.kmeans import MOST_CLUSTERS, cluster_frequencies
from warpmill.simulator.sampling.model import LaunchCounts, Selection, Stratum, Unit

METHOD = "gtpin"
THRESHOLDS = (0.5, *map(float, range(1, 11)))
"""The errors in percent that Figure 7 draws selections under."""

Words = tuple[tuple[str, str], ...]
Times = Sequence[float] | Mapping[int, float]


@dataclass(frozen=True)
class Explored:
    """One of the thirty combinations for an application. ``error`` is in percent (Equation 1)."""

    division: str
    feature: str
    selection: Selection
    error: float

    @property
    def sample_share(self) -> float:
        """The share of the application's warp instructions that is measured."""
        return self.selection.sample_share

    @property
    def speedup(self) -> float:
        """All warp instructions over those that are measured."""
        return 1 / self.sample_share


@dataclass(frozen=True)
class Universal:
    """A combination used for all applications: means over them, and the largest share.

    The error is in percent. ``share_speedup`` is what the mean share gives, which is how 1.9 % is
    53x in §V-B.
    """

    division: str
    feature: str
    error: float
    sample_share: float
    largest_share: float

    @property
    def share_speedup(self) -> float:
        """One over the mean share."""
        return 1 / self.sample_share


def select(  # noqa: PLR0913 - each option by its name
    launches: Sequence[LaunchCounts],
    division: str,
    feature: str,
    *,
    instructions: int | None = None,
    max_clusters: int = MOST_CLUSTERS,
    seed: int = 0,
) -> Selection:
    """Choose the intervals of an application to measure.

    ``instructions`` are those of ``intervals``. ValueError for a division or feature that there is
    not, for bytes that were not counted, and for an application without instructions.
    """
    units = intervals(launches, division, instructions)
    vectors = launch_vectors(launches, feature).of_units(units)
    options = _options(launches, division, feature, instructions, max_clusters, seed)
    return _selected(units, vectors, max_clusters, seed, options)


def projected_spi(selection: Selection, measured: Times) -> float:
    """Project the time of an instruction of the whole: of each cluster its ratio of the measured.

    Only the times of the selected launches are looked at. Where several units of a stratum are
    measured, their times and instructions are added up.
    """
    found = 0.0
    for stratum in selection.strata:
        units = [selection.units[number] for number in stratum.chosen]
        time = sum(measured[place] for unit in units for place in unit.launches)
        found += stratum.weight * time / sum(unit.warp_instructions for unit in units)
    return found


def measured_spi(selection: Selection, measured: Times) -> float:
    """Give the time of an instruction of the whole, all launches having been measured."""
    time = sum(measured[place] for unit in selection.units for place in unit.launches)
    return time / selection.warp_instructions


def error(selection: Selection, measured: Times) -> float:
    """Give how far the projection is from the whole, in percent of it (Equation 1).

    ValueError where all launches together take no time.
    """
    whole = measured_spi(selection, measured)
    if not whole > 0:
        raise ValueError("the launches took no time, so there is no error in percent of it")
    return abs(whole - projected_spi(selection, measured)) / whole * 100


def explore(
    launches: Sequence[LaunchCounts],
    measured: Sequence[float],
    *,
    instructions: int | None = None,
    max_clusters: int = MOST_CLUSTERS,
    seed: int = 0,
) -> tuple[Explored, ...]:
    """Try all thirty combinations, divisions first, both in the order of their tables.

    ValueError as ``select`` and ``error``, and unless there is a time for each launch.
    """
    if len(measured) != len(launches):
        raise ValueError(f"{len(launches)} launches have {len(measured)} times")
    divided = {each: intervals(launches, each, instructions) for each in DIVISIONS}
    vectors = {feature: launch_vectors(launches, feature) for feature in FEATURES}
    known: dict[tuple[tuple[Unit, ...], str], Selection] = {}
    found = []
    for (division, units), feature in product(divided.items(), FEATURES):
        options = _options(launches, division, feature, instructions, max_clusters, seed)
        if (units, feature) in known:  # divisions are often alike: each launch synchronises
            made = replace(known[units, feature], options=options)
        else:
            made = _selected(units, vectors[feature].of_units(units), max_clusters, seed, options)
        known[units, feature] = made
        found.append(Explored(division, feature, made, error(made, measured)))
    return tuple(found)


def least_error(explored: Sequence[Explored]) -> Explored:
    """Give the combination of the least error; of several the one that measures least."""
    return min(explored, key=lambda one: (one.error, one.selection.sampled_warp_instructions))


def under_threshold(explored: Sequence[Explored], percent: float) -> Explored:
    """Give the one that measures least of those with at most this error, else the least error."""
    within = [one for one in explored if one.error <= percent]
    if not within:
        return least_error(explored)
    return min(within, key=lambda one: (one.selection.sampled_warp_instructions, one.error))


def universals(applications: Mapping[str, Sequence[Explored]]) -> tuple[Universal, ...]:
    """Give what each combination does for all applications, in the order in which it was tried."""
    columns = zip(*applications.values(), strict=True)
    return tuple(_universal(column) for column in columns)


def best_universal(applications: Mapping[str, Sequence[Explored]]) -> Universal:
    """Give the combination of the least mean error; of several the one that measures least."""
    return min(universals(applications), key=lambda one: (one.error, one.sample_share))


def _universal(column: Sequence[Explored]) -> Universal:
    names = {(one.division, one.feature) for one in column}
    if len(names) != 1:
        raise ValueError("the applications were not tried in the same combinations")
    ((division, feature),) = names
    errors, shares = [one.error for one in column], [one.sample_share for one in column]
    return Universal(
        division=division,
        feature=feature,
        error=fmean(errors),
        sample_share=fmean(shares),
        largest_share=max(shares),
    )


def _options(  # noqa: PLR0913, PLR0917 - each of them is one
    launches: Sequence[LaunchCounts],
    division: str,
    feature: str,
    instructions: int | None,
    max_clusters: int,
    seed: int,
) -> Words:
    """Say in words what a selection is made with."""
    named: dict[str, object] = {"division": division, "feature": feature}
    if division == "instructions":
        named["instructions"] = about(launches) if instructions is None else instructions
    named |= {"max_clusters": max_clusters, "seed": seed}
    return tuple((name, str(value)) for name, value in named.items())


def _selected(
    units: tuple[Unit, ...], vectors: FeatureVectors, most: int, seed: int, options: Words
) -> Selection:
    executed = np.array([unit.warp_instructions for unit in units], dtype=np.float64)
    found = cluster_frequencies(vectors.rows, executed, most=most, seed=seed)
    members: list[list[int]] = [[] for _ in found.representatives]
    for unit, label in enumerate(found.labels):
        members[label].append(unit)
    columns = zip(members, found.representatives, found.weights, strict=True)
    strata = tuple(Stratum(tuple(each), (chosen,), share) for each, chosen, share in columns)
    return Selection(METHOD, units, strata, options)
