"""TBPoint: which launches stand for others (§III), and which CTAs of a launch do (§IV-B-1).

Both cluster what one profile counted, whatever the machine: only how many CTAs it holds at once
decides what is an epoch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.ir.printer import distinct_names
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.profile.counts import Numbers, Profile
from warpmill.analyzer.profile.ctas import spread
from warpmill.simulator.sampling.clustering import by_distance, nearest_to_centre, numbered_by_first
from warpmill.simulator.sampling.model import CountedLaunch, Selection, Stratum, units_of_launches

# Inter-launch sampling (§III), kernel by kernel.

Floats = npt.NDArray[np.float64]

METHOD = "tbpoint"

LAUNCH_THRESHOLD = 0.1
"""The largest distance between two launches of a cluster (§V-A)."""

FEATURES = ("thread instructions", "warp instructions", "memory requests", "variation of CTA sizes")
"""Equation 2: size, control flow divergence, memory divergence, differences between CTAs."""


@dataclass(frozen=True, eq=False)
class InterFeatures:
    """Launches (rows) by their features (columns, which ``names`` names).

    ``dropped`` are those of ``FEATURES`` that are zero in all launches and so have no column.
    """

    values: Floats
    names: tuple[str, ...]
    dropped: tuple[str, ...]


def inter_features(launches: Sequence[CountedLaunch]) -> InterFeatures:
    """TBPoint's features of launches of one kernel (§III, Equation 2).

    Thread instructions, warp instructions and memory requests are each over their mean of these
    launches, which must be one or more. The fourth is the coefficient of variation of CTA sizes in
    thread instructions (of the whole population, 0 where nothing is executed), not normalised.
    Example: launches of 100 and 300 thread instructions have 0.5 and 1.5.

    UsageError where CTAs or memory accesses of a launch were not counted.
    """
    rows = np.array([_row(each) for each in launches], dtype=np.float64)
    means = rows.mean(axis=0)
    kept = np.flatnonzero(means)  # a feature that is nowhere, and so tells nothing, is no column
    scale = np.append(means[:3], 1.0)
    return InterFeatures(
        values=rows[:, kept] / scale[kept],
        names=tuple(FEATURES[k] for k in kept),
        dropped=tuple(name for k, name in enumerate(FEATURES) if k not in kept),
    )


def _row(launch: CountedLaunch) -> tuple[float, ...]:
    """The features of a launch, none of them over its mean yet."""
    lines = launch.profile.memory_lines
    if lines is None:
        raise _uncounted(launch, "memory accesses")
    return (
        launch.profile.thread_instructions,
        launch.warp_instructions,
        lines,
        _size_variation(launch),
    )


def _size_variation(launch: CountedLaunch) -> float:
    if launch.profile.by_cta is None:
        raise _uncounted(launch, "CTAs")
    return spread(launch.profile.by_cta.thread_instructions).coefficient_of_variation or 0.0


def _uncounted(launch: CountedLaunch, what: str) -> UsageError:
    words = f"the profile of launch {launch.number}, {launch.kernel}, has no {what}"
    hint = "TBPoint needs memory requests and counts by CTA: collect them"
    return UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def inter_launch(
    launches: Sequence[CountedLaunch], threshold: float = LAUNCH_THRESHOLD
) -> Selection:
    """Choose the launches that stand for others (§III), by exact counts alone.

    Launches of a kernel whose features are no further apart than ``threshold`` are a stratum; the
    one nearest to its centre is chosen. Strata are in the order of kernels by first launch, then of
    their own first launch. Features are normalised, and launches clustered, kernel by kernel, as
    the paper samples each kernel by itself: launches of different kernels never stand for each
    other. UsageError as ``inter_features``, and where nothing is executed.
    """
    whole = sum(each.warp_instructions for each in launches)
    if not whole:
        raise UsageError("there is nothing to sample: no launch executes an instruction")
    kernels: dict[str, list[int]] = {}
    for place, name in enumerate(distinct_names([one.profile.kernel for one in launches])):
        kernels.setdefault(name, []).append(place)
    strata = [
        _stratum(launches, members, chosen, whole)
        for places in kernels.values()
        for members, chosen in _launch_clusters(launches, places, threshold)
    ]
    options = {"threshold": f"{threshold:g}"}
    return Selection(METHOD, units_of_launches(launches), tuple(strata), options)


def _launch_clusters(
    launches: Sequence[CountedLaunch], places: Sequence[int], threshold: float
) -> list[tuple[tuple[int, ...], int]]:
    """The clusters among launches of a kernel: members, and the one that stands for them."""
    points = inter_features([launches[place] for place in places]).values
    labels = by_distance(points, threshold)
    members: dict[int, list[int]] = {}
    for place, label in zip(places, labels.tolist(), strict=True):
        members.setdefault(label, []).append(place)
    chosen = [places[k] for k in nearest_to_centre(points, labels)]
    return [(tuple(members[label]), one) for label, one in enumerate(chosen)]


def _stratum(
    launches: Sequence[CountedLaunch], members: tuple[int, ...], chosen: int, whole: int
) -> Stratum:
    weight = sum(launches[place].warp_instructions for place in members) / whole
    return Stratum(members, (chosen,), weight)


# Homogeneous regions (§IV-B-1). CTAs that run at the same time form an epoch, as many as the whole
# GPU holds. Epochs of about the same stall probability, none of whose CTAs stands out, make
# homogeneous regions; in each of them a few CTAs are simulated for all.

EPOCH_THRESHOLD = 0.2
"""The largest distance between two epochs of a cluster (§V-A)."""

VARIATION_THRESHOLD = 0.3
"""An epoch with a larger variation factor has outlier CTAs (§V-A)."""

OUTSIDE = -1
"""Region of a CTA that is in none."""

_OUTSIDE = (Space.GLOBAL, Space.LOCAL)

_MATRIX_POINTS = 4096
"""Distances between so many points take 64 MiB; more of them are merged without."""


@dataclass(frozen=True, eq=False)
class Epochs:
    """CTAs in groups of ``occupancy``, in the order of dispatch (Equation 4); the last may be less.

    By epoch: ``stall_probability`` is the mean over its CTAs of accesses a warp instruction
    (Equation 5), 0 for one that executes nothing; it is no share and may be over 1.
    ``variation_factor`` is the larger of the coefficients of variation, over its CTAs as a whole
    population, of accesses and of warp instructions.
    """

    ctas: int
    occupancy: int
    stall_probability: Floats
    variation_factor: Floats

    def __len__(self) -> int:
        return len(self.stall_probability)


@dataclass(frozen=True, slots=True)
class HomogeneousRegion:
    """A homogeneous region: a row of Table III. ``id`` is a running number from 1.

    The paper takes the number of the cluster as the region's; here two regions of one cluster with
    others between them are told apart, and ``cluster`` says that they are alike.
    """

    id: int
    cluster: int
    first_cta: int
    last_cta: int


@dataclass(frozen=True, eq=False)
class HomogeneousRegions:
    """The homogeneous regions of a launch, and what they were made of.

    ``clusters`` are numbers by epoch, in the order of first epochs. ``outliers`` says which epochs
    have outlier CTAs: each is a cluster of its own, and in no region.
    """

    epochs: Epochs
    clusters: Numbers
    outliers: npt.NDArray[np.bool_]
    table: tuple[HomogeneousRegion, ...]

    @cached_property
    def of_cta(self) -> Numbers:
        """The id of each CTA's region; ``OUTSIDE`` where it is in none and must be simulated."""
        ids = np.full(self.epochs.ctas, OUTSIDE, np.int64)
        for each in self.table:
            ids[each.first_cta : each.last_cta + 1] = each.id
        return ids

    def region(self, cta: int) -> HomogeneousRegion | None:
        """Region of a CTA; None: it is in none. IndexError where there is no such CTA."""
        if not 0 <= cta < self.epochs.ctas:
            raise IndexError(f"no CTA {cta} of {self.epochs.ctas}")
        number = int(self.of_cta[cta])
        return None if number == OUTSIDE else self.table[number - 1]


@dataclass(frozen=True, eq=False)
class CtaWork:
    """Work by CTA, in the order of dispatch: global and local accesses, and all instructions.

    Both by warps. An access is a memory instruction, whatever its lanes ask for: p of Figure 4 is
    memory instructions over all instructions.
    """

    accesses: Numbers
    warp_instructions: Numbers


def cta_work(profile: Profile) -> CtaWork:
    """Read the work of CTAs off a profile. UsageError where CTAs or accesses were not counted."""
    if profile.by_cta is None or profile.accesses is None:
        what = "CTAs" if profile.by_cta is None else "memory accesses"
        raise UsageError(f"the profile of {profile.kernel.name} has no counts of its {what}")
    outside = {(a.block, a.instruction) for a in profile.accesses if a.space in _OUTSIDE}
    in_block = np.bincount([b for b, _ in outside] or [0], minlength=len(profile.kernel.blocks))
    in_block = in_block if outside else np.zeros_like(in_block)
    accesses = (profile.by_cta.block_warps @ in_block)[profile.by_cta.vectors]
    return CtaWork(accesses.astype(np.int64), profile.by_cta.warp_instructions)


def epochs_of(work: CtaWork, occupancy: int) -> Epochs:
    """Epochs of ``occupancy`` CTAs, as many as the whole GPU holds at once.

    UsageError where the machine holds no CTA.
    """
    if occupancy < 1:
        raise UsageError(f"an epoch of {occupancy} CTAs has nothing in it: at least 1")
    accesses, instructions = work.accesses, work.warp_instructions
    if not len(accesses):
        return Epochs(0, occupancy, np.zeros(0), np.zeros(0))
    starts = np.arange(0, len(accesses), occupancy)
    sizes = np.diff(starts, append=len(accesses))
    ratio = accesses / np.maximum(instructions, 1)  # a CTA without instructions has none
    variations = [_variation_by_epoch(each, starts, sizes) for each in (accesses, instructions)]
    return Epochs(
        ctas=len(accesses),
        occupancy=occupancy,
        stall_probability=np.add.reduceat(ratio, starts) / sizes,
        variation_factor=np.maximum(*variations),
    )


def _variation_by_epoch(counts: Numbers, starts: Numbers, sizes: Numbers) -> Floats:
    """The coefficient of variation of each epoch's counts, 0 where all are 0."""
    means = np.add.reduceat(counts, starts) / sizes
    squares = (counts - np.repeat(means, sizes)) ** 2
    deviations: Floats = np.sqrt(np.add.reduceat(squares, starts) / sizes)
    return deviations / np.where(means > 0.0, means, 1.0)


def regions(
    work: CtaWork,
    occupancy: int,
    threshold: float = EPOCH_THRESHOLD,
    variation_threshold: float = VARIATION_THRESHOLD,
) -> HomogeneousRegions:
    """Find the homogeneous regions of a launch on a machine that holds ``occupancy`` CTAs.

    Epochs are clustered by stall probability over its mean of all epochs: those of a cluster are no
    further apart than ``threshold`` of that mean. Then those whose variation factor is above
    ``variation_threshold`` are taken out, and epochs of a cluster that follow one another are a
    region, be it one alone. UsageError as ``epochs_of``.
    """
    epochs = epochs_of(work, occupancy)
    outliers = epochs.variation_factor > variation_threshold
    labels = _epoch_clusters(epochs.stall_probability, threshold)
    labels[outliers] = len(epochs) + np.flatnonzero(outliers)
    clusters = numbered_by_first(labels)
    return HomogeneousRegions(epochs, clusters, outliers, _table(epochs, clusters, outliers))


def _epoch_clusters(values: Floats, threshold: float) -> Numbers:
    """Label epochs by stall probability over its mean; equal ones are one point."""
    if not len(values):
        return np.zeros(0, np.int64)
    points, places = np.unique(values / (values.mean() or 1.0), return_inverse=True)
    if len(points) <= _MATRIX_POINTS:
        labels = by_distance(points[:, None], threshold)
    else:
        labels = _merged_in_line(points, threshold)
    return labels[places]


def _merged_in_line(points: Floats, threshold: float) -> Numbers:
    """Label ascending points by complete linkage, without a matrix of all distances.

    On a line a cluster is a run of neighbours and its width is the distance from its first to its
    last, so that only neighbours need to be compared: the two that are narrowest together are
    merged, from the left where several are, until all would be wider than the threshold.
    """
    ends = list(range(1, len(points) + 1))  # by the first point of a run: where the next one starts
    starts = list(range(len(points)))  # by the last point of a run: where it starts
    value = points.tolist()
    heap = [(value[k + 1] - value[k], k, k + 1, k + 2) for k in range(len(value) - 1)]
    heapify(heap)
    while heap and heap[0][0] <= threshold:
        _, left, middle, end = heappop(heap)
        if starts[middle - 1] != left or ends[middle] != end:
            continue  # one of both has grown meanwhile
        ends[left], starts[end - 1] = end, left
        if left > 0:
            before = starts[left - 1]
            heappush(heap, (value[end - 1] - value[before], before, left, end))
        if end < len(value):
            after = ends[end]
            heappush(heap, (value[after - 1] - value[left], left, end, after))
    labels, first = np.zeros(len(value), np.int64), 0
    while first < len(value):
        labels[first : ends[first]] = first
        first = ends[first]
    return labels


def _table(
    epochs: Epochs, clusters: Numbers, outliers: npt.NDArray[np.bool_]
) -> tuple[HomogeneousRegion, ...]:
    """Make a row of each run of epochs of one cluster; an outlier is a run, and none."""
    starts = np.flatnonzero(np.diff(clusters, prepend=-1))
    ends = np.append(starts[1:], len(clusters))
    kept = ~outliers[starts]
    first = starts[kept] * epochs.occupancy
    last = np.minimum(ends[kept] * epochs.occupancy, epochs.ctas) - 1
    rows = zip(clusters[starts[kept]].tolist(), first.tolist(), last.tolist(), strict=True)
    return tuple(HomogeneousRegion(number, *row) for number, row in enumerate(rows, start=1))
