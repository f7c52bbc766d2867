"""GT-Pin's selections of an application, their projections, and the space of all thirty (§V).

An application is divided into intervals in one of three ways (Table II), each interval gets one of
ten feature vectors (Table III), SimPoint clusters the vectors, and one interval of each cluster is
measured; it stands for the share of the instructions that its cluster executes. Nothing here is
simulated: measured times (seconds or cycles, all in one unit) are only needed to say how far off a
projection is, and to choose by that.

Launches are named by their places among the launches that were given, from 0, and ``measured``
has the time of each at its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, product
from statistics import fmean

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.printer import distinct_names
from warpmill.analyzer.profile.counts import AccessProfile, Profile, bytes_read, bytes_written
from warpmill.analyzer.profile.memory import OUTSIDE
from warpmill.simulator.sampling.clustering import MOST_CLUSTERS, cluster_frequencies
from warpmill.simulator.sampling.model import (
    CountedLaunch,
    Selection,
    SelectionUnit,
    Stratum,
    units_of_launches,
)

# GT-Pin's three divisions of an application into intervals (§V-B, Table II).
#
# ``sync`` cuts at the calls at which host and device align, ``instructions`` cuts these intervals
# further into pieces of about a given number of instructions, ``kernel`` makes each launch one. No
# interval ends inside a launch, and none goes over a synchronisation.

DIVISIONS = ("sync", "instructions", "kernel")
"""Largest intervals first, as in Table II."""
PARTS = 1000
"""An interval by instructions has about this part of the application's, where nothing is asked."""


def intervals(
    launches: Sequence[CountedLaunch], division: str, instructions: int | None = None
) -> tuple[SelectionUnit, ...]:
    """Divide the launches of an application, all of them, in their order.

    ``instructions`` are the warp instructions that those of the division by instructions have about
    (§V-B: 100 M, of 227 billion on average); None: 1/1,000 of the application's. ``first`` and
    ``end`` of a unit are places among these launches. ValueError for a division that there is not,
    and fewer than one instruction.
    """
    if division == "kernel":
        return units_of_launches(launches)
    if division == "sync":
        return tuple(_unit(launches, launch_range) for launch_range in _launch_ranges(launches))
    if division != "instructions":
        raise ValueError(f"there is no division {division}: there are {', '.join(DIVISIONS)}")
    target = about(launches) if instructions is None else instructions
    if target < 1:
        raise ValueError(f"intervals have at least 1 instruction, not {target}")
    pieces = (
        piece for each in _launch_ranges(launches) for piece in _pieces(launches, each, target)
    )
    return tuple(_unit(launches, piece) for piece in pieces)


def about(launches: Sequence[CountedLaunch]) -> int:
    """The instructions that an interval has about, where nothing is asked."""
    return max(1, round(sum(one.warp_instructions for one in launches) / PARTS))


def _unit(launches: Sequence[CountedLaunch], places: range) -> SelectionUnit:
    executed = sum(launches[place].warp_instructions for place in places)
    return SelectionUnit(places.start, places.stop, executed)


def _launch_ranges(launches: Sequence[CountedLaunch]) -> Iterator[range]:
    """The places of launches between two synchronisations."""
    for _, group in groupby(range(len(launches)), key=lambda place: launches[place].interval):
        places = tuple(group)
        yield range(places[0], places[-1] + 1)


def _pieces(launches: Sequence[CountedLaunch], launch_range: range, target: int) -> Iterator[range]:
    """Cut where a piece is nearest to the target.

    That is before a launch that overshoots by more than is missing without it, else behind it. So
    a launch of over twice the target stands alone, or begins a piece that it ends too; what is left
    at the end of a range stays a piece of its own, however short.
    """
    first, executed = launch_range.start, 0
    for place in launch_range:
        more = launches[place].warp_instructions
        if place > first and executed + more - target > target - executed:
            yield range(first, place)
            first, executed = place, 0
        executed += more
    yield range(first, launch_range.stop)


# GT-Pin's ten feature vectors of intervals (§V-B, Table III).
#
# A vector counts how often each key was executed, weighted by instructions: a launch of a kernel
# counts its warp instructions, an execution of a block by a warp the block's. So the entries of
# each vector, whichever the feature, add up to the instructions of its interval.
#
# A key is a kernel or a basic block, with what the feature names beside it: an execution with
# other arguments or with another number of bytes is another event, and so another key. Bytes are
# those that threads ask for outside the SM, in global and local memory; loads read, stores write,
# atomics do both, and texels are not counted. Of a kernel they are those of the whole launch; of a
# block those of an execution by a warp, the mean of the launch: profiles do not tell one execution
# from another.

_BYTES: dict[str, Callable[[int, int], tuple[int, ...]]] = {
    "R": lambda read, _: (read,),
    "W": lambda _, written: (written,),
    "R-W": lambda read, written: (read, written),
    "(R+W)": lambda read, written: (read + written,),
}
_WORDS = {"R": "{} B read", "W": "{} B written", "R-W": "{} B read, {} B written", "(R+W)": "{} B"}


@dataclass(frozen=True)
class _Form:
    """Parts of a feature's keys: the block, arguments, the global size, bytes."""

    is_block: bool = False
    arguments: bool = False
    size: bool = False
    bytes: str = ""


_FORMS = {
    "KN": _Form(),
    "KN-ARGS": _Form(arguments=True),
    "KN-GWS": _Form(size=True),
    "KN-ARGS-GWS": _Form(arguments=True, size=True),
    "KN-RW": _Form(bytes="R-W"),
    "BB": _Form(is_block=True),
    "BB-R": _Form(is_block=True, bytes="R"),
    "BB-W": _Form(is_block=True, bytes="W"),
    "BB-R-W": _Form(is_block=True, bytes="R-W"),
    "BB-(R+W)": _Form(is_block=True, bytes="(R+W)"),
}
FEATURES = tuple(_FORMS)
"""Features in the order of Table III."""

_Key = tuple[str, int | None, tuple[str, ...] | None, tuple[int, ...] | None, tuple[float, ...]]
"""A kernel, and what the feature adds: a block, arguments, the global size, bytes."""


@dataclass(frozen=True, eq=False)
class FeatureVectors:
    """A vector a row, a key a column; ``keys`` are in words, in the order of first execution."""

    keys: tuple[str, ...]
    rows: csr_array

    @property
    def counts(self) -> npt.NDArray[np.float64]:
        """The vectors as an array (rows, keys)."""
        counts: npt.NDArray[np.float64] = self.rows.toarray()
        return counts

    def of_units(self, units: Sequence[SelectionUnit]) -> FeatureVectors:
        """Add up those of the launches of each unit; the rows are launches."""
        places = [place for unit in units for place in unit.launches]
        edges = [0, *accumulate(len(unit.launches) for unit in units)]
        shape = (len(units), self.rows.shape[0])
        members = csr_array((np.ones(len(places)), places, edges), shape=shape)
        return FeatureVectors(self.keys, members @ self.rows)


def launch_vectors(launches: Sequence[CountedLaunch], feature: str) -> FeatureVectors:
    """The vector of each launch.

    ValueError for a feature that there is not, and for bytes where the profiles have no accesses.
    """
    form = _FORMS.get(feature)
    if form is None:
        raise ValueError(f"there is no feature {feature}: there are {', '.join(FEATURES)}")
    names = distinct_names([one.profile.kernel for one in launches])
    columns: dict[_Key, int] = {}
    words: list[str] = []
    found: list[float] = []
    places: list[int] = []
    edges = [0]
    for name, one in zip(names, launches, strict=True):
        for key, executed in _entries(name, one, form):
            column = columns.setdefault(key, len(columns))
            if column == len(words):
                words.append(_in_words(key, one.profile.kernel, form))
            places.append(column)
            found.append(executed)
        edges.append(len(places))
    shape = (len(launches), len(words))
    return FeatureVectors(tuple(words), csr_array((found, places, edges), shape, np.float64))


def _entries(name: str, one: CountedLaunch, form: _Form) -> Iterator[tuple[_Key, float]]:
    """Each key that a launch executes, and its instructions."""
    if form.is_block:
        yield from _of_blocks(name, one.profile, form)
        return
    arguments = one.arguments if form.arguments else None
    size = one.global_size if form.size else None
    moved = _moved(_outside(one.profile), 1, form) if form.bytes else ()
    yield (name, None, arguments, size, moved), one.warp_instructions


def _of_blocks(name: str, profile: Profile, form: _Form) -> Iterator[tuple[_Key, float]]:
    by_block: dict[int, list[AccessProfile]] = defaultdict(list)
    if form.bytes:
        for access in _outside(profile):
            by_block[access.block].append(access)
    for counts, block in zip(profile.blocks, profile.kernel.blocks, strict=True):
        executed = counts.warps * len(block.instructions)
        if executed:
            moved = _moved(by_block[block.id], counts.warps, form) if form.bytes else ()
            yield (name, block.id, None, None, moved), executed


def _outside(profile: Profile) -> list[AccessProfile]:
    if profile.accesses is None:
        raise ValueError(f"the accesses of {profile.kernel.name} to memory were not counted")
    return [access for access in profile.accesses if access.space in OUTSIDE]


def _moved(accesses: Sequence[AccessProfile], executions: int, form: _Form) -> tuple[float, ...]:
    """The bytes of an execution, as the feature tells them apart."""
    told = _BYTES[form.bytes](bytes_read(accesses), bytes_written(accesses))
    return tuple(each / executions for each in told)


def _in_words(key: _Key, kernel: Kernel, form: _Form) -> str:
    name, block, arguments, size, moved = key
    parts = [name if block is None else f"{name}/{kernel.blocks[block].label}"]
    if arguments is not None:
        parts.append(f"({', '.join(arguments)})")
    if size is not None:
        parts.append("x".join(map(str, size)))
    if moved:
        parts.append(_WORDS[form.bytes].format(*(f"{each:.10g}" for each in moved)))
    return " ".join(parts)


# Selections: intervals clustered by their vectors.

METHOD = "gtpin"
THRESHOLDS = (0.5, *map(float, range(1, 11)))
"""The errors in percent that Figure 7 draws selections under."""

Times = Sequence[float] | Mapping[int, float]


@dataclass(frozen=True)
class RatedSelection:
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


def select(
    launches: Sequence[CountedLaunch],
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
    """The time of an instruction of the whole, all launches having been measured."""
    time = sum(measured[place] for unit in selection.units for place in unit.launches)
    return time / selection.warp_instructions


def error(selection: Selection, measured: Times) -> float:
    """How far the projection is from the whole, in percent of it (Equation 1).

    ValueError where all launches together take no time.
    """
    whole = measured_spi(selection, measured)
    if not whole > 0:
        raise ValueError("the launches took no time, so there is no error in percent of it")
    return abs(whole - projected_spi(selection, measured)) / whole * 100


def explore(
    launches: Sequence[CountedLaunch],
    measured: Sequence[float],
    *,
    instructions: int | None = None,
    max_clusters: int = MOST_CLUSTERS,
    seed: int = 0,
) -> tuple[RatedSelection, ...]:
    """Try all thirty combinations, divisions first, both in the order of their tables.

    ValueError as ``select`` and ``error``, and unless there is a time for each launch.
    """
    if len(measured) != len(launches):
        raise ValueError(f"{len(launches)} launches have {len(measured)} times")
    divided = {each: intervals(launches, each, instructions) for each in DIVISIONS}
    vectors = {feature: launch_vectors(launches, feature) for feature in FEATURES}
    known: dict[tuple[tuple[SelectionUnit, ...], str], Selection] = {}
    found = []
    for (division, units), feature in product(divided.items(), FEATURES):
        options = _options(launches, division, feature, instructions, max_clusters, seed)
        if (units, feature) in known:  # divisions are often alike: each launch synchronises
            made = replace(known[units, feature], options=options)
        else:
            made = _selected(units, vectors[feature].of_units(units), max_clusters, seed, options)
        known[units, feature] = made
        found.append(RatedSelection(division, feature, made, error(made, measured)))
    return tuple(found)


def least_error(explored: Sequence[RatedSelection]) -> RatedSelection:
    """The combination of the least error; of several the one that measures least."""
    return min(explored, key=lambda one: (one.error, one.sample_share))


def under_threshold(explored: Sequence[RatedSelection], percent: float) -> RatedSelection:
    """The one that measures least of those with at most this error, else the least error."""
    within = [one for one in explored if one.error <= percent]
    if not within:
        return least_error(explored)
    return min(within, key=lambda one: (one.sample_share, one.error))


def universals(applications: Mapping[str, Sequence[RatedSelection]]) -> tuple[Universal, ...]:
    """Results of each combination for all applications, in the order in which it was tried."""
    columns = zip(*applications.values(), strict=True)
    return tuple(_universal(column) for column in columns)


def best_universal(applications: Mapping[str, Sequence[RatedSelection]]) -> Universal:
    """The combination of the least mean error; of several the one that measures least."""
    return min(universals(applications), key=lambda one: (one.error, one.sample_share))


def _universal(column: Sequence[RatedSelection]) -> Universal:
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


def _options(
    launches: Sequence[CountedLaunch],
    division: str,
    feature: str,
    instructions: int | None,
    max_clusters: int,
    seed: int,
) -> dict[str, str]:
    """Options of a selection, in words."""
    named: dict[str, object] = {"division": division, "feature": feature}
    if division == "instructions":
        named["instructions"] = about(launches) if instructions is None else instructions
    named |= {"max_clusters": max_clusters, "seed": seed}
    return {name: str(value) for name, value in named.items()}


def _selected(
    units: tuple[SelectionUnit, ...],
    vectors: FeatureVectors,
    most: int,
    seed: int,
    options: Mapping[str, str],
) -> Selection:
    executed = np.array([unit.warp_instructions for unit in units], dtype=np.float64)
    found = cluster_frequencies(vectors.rows, executed, most=most, seed=seed)
    members: list[list[int]] = [[] for _ in found.representatives]
    for unit, label in enumerate(found.labels):
        members[label].append(unit)
    columns = zip(members, found.representatives, found.weights, strict=True)
    strata = tuple(Stratum(tuple(each), (chosen,), share) for each, chosen, share in columns)
    return Selection(METHOD, units, strata, options)
