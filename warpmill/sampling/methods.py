"""The methods of sampling behind one name each: what they choose of an application's launches.

TBPoint and GT-Pin are in ``simulator.sampling``; what they are measured against is here; and
which launches are simulated before those that were chosen, so that these find L2 as it would be.
What is chosen is simulated without most of what comes before it: where that would have left data in
L2 that the chosen launch reads, it runs slower than in the whole application.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.extras import need
from warpmill.analyzer.profile.counts import bytes_read, bytes_written
from warpmill.analyzer.profile.memory import OUTSIDE
from warpmill.sampling.options import DIVISION, FEATURE, PER_STRATUM, SHARE, WARM_UPS, SampleOptions
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.sampling.clustering import MOST_CLUSTERS, cluster_frequencies
from warpmill.simulator.sampling.gtpin import (
    DIVISIONS,
    FEATURES,
    FeatureVectors,
    explore,
    launch_vectors,
    select,
    under_threshold,
)
from warpmill.simulator.sampling.model import (
    CountedLaunch,
    Selection,
    SelectionUnit,
    Stratum,
    units_of_launches,
)
from warpmill.simulator.sampling.region_runs import STABILITIES
from warpmill.simulator.sampling.tbpoint import METHOD as TBPOINT
from warpmill.simulator.sampling.tbpoint import inter_features, inter_launch

Floats = npt.NDArray[np.float64]

SPREAD = 0.4
"""The coefficient of variation of instructions above which a stratum is cut: Sieve's threshold."""

METHODS = ("tbpoint", "gtpin", "simpoint", "stratified", "systematic", "random")
GROWING = frozenset({"stratified", "systematic", "random"})
"""Methods that meet a target error by measuring more units until their interval is as narrow."""
BY_TIMES = frozenset({"gtpin"})
"""Methods that meet a target error by an estimated time of each launch."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """Chosen units; ``features`` has a row for each, of what made units alike, if any.

    ``expected_error`` is by the estimated times that it was chosen by; None: by none.
    """

    selection: Selection
    features: Floats | None
    expected_error: float | None = None


def choose(
    launches: Sequence[CountedLaunch],
    options: SampleOptions,
    estimated: Callable[[], Sequence[float]] | None = None,
) -> Chosen:
    """Choose what to simulate. ``estimated`` gives a time for each launch where one is needed.

    UsageError as ``check_options``, where nothing is executed, and for GT-Pin with a target error
    without ``estimated``. The other methods' target errors are met by whoever simulates.
    """
    check_options(options)
    if not sum(each.warp_instructions for each in launches):
        raise UsageError("the launches execute nothing, so there is nothing to sample")
    return _CHOICES[options.chooser](launches, options, estimated)


def check_options(options: SampleOptions) -> None:
    """Refuse an unknown method, division or feature, and a share or target error that is none.

    Also what does not go together. UsageError.
    """
    for what, word, there in (
        ("method", options.chooser, METHODS),
        ("division into intervals", options.division or DIVISION, tuple(DIVISIONS)),
        ("feature vector", options.feature or FEATURE, tuple(FEATURES)),
        ("rule of stability", options.rule, tuple(STABILITIES)),
    ):
        if word not in there:
            raise UsageError(f"there is no {what} `{word}`: {', '.join(there)}")
    options.check_given()
    options.check_stability()
    if not 0.0 < _share(options) <= 1.0:
        raise UsageError(f"a share of {_share(options) * 100:.6g}%: it is above 0%, up to 100%")
    if options.warm_up is not None and options.warm_up < 0:
        raise UsageError(f"{options.warm_up} launches to warm up with: 0 or more")
    if options.chooser in ("gtpin", "simpoint"):
        need("sklearn", why=f"--method {options.chooser}")
    if options.target_error is None:
        return
    if not options.target_error > 0:
        raise UsageError(f"a target error of {options.target_error:g}%: it is more than 0")
    if options.chooser not in GROWING | BY_TIMES:
        able = ", ".join(method for method in METHODS if method in GROWING | BY_TIMES)
        words = f"{options.chooser} takes no target error, as its thresholds say what it chooses"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=f"methods that take one: {able}"))


def _share(options: SampleOptions) -> float:
    return SHARE if options.share is None else options.share


def features_of(launches: Sequence[CountedLaunch], selection: Selection) -> Floats | None:
    """Features that made a selection's units alike, a row for each; None: its method has none.

    The launches are those that it was made of, or others that are equal.
    """
    if selection.method == TBPOINT:
        return _inter_features(launches)
    if selection.method in ("gtpin", "simpoint"):
        return _frequencies(unit_features(launches, selection))
    return None


def unit_features(launches: Sequence[CountedLaunch], selection: Selection) -> FeatureVectors:
    """Count the keys of each unit: GT-Pin's by its feature, else what basic blocks execute."""
    feature = selection.options.get("feature", "BB")
    return launch_vectors(launches, feature).of_units(selection.units)


_Times = Callable[[], Sequence[float]] | None


def _tbpoint(launches: Sequence[CountedLaunch], _: SampleOptions, __: _Times) -> Chosen:
    selection = inter_launch(launches)
    return Chosen(selection, features_of(launches, selection))


def _inter_features(launches: Sequence[CountedLaunch]) -> Floats:
    """The features of all launches; those of different kernels are as far apart as they are.

    Columns are those that any kernel has, 0 where a kernel has none.
    """
    names: dict[str, int] = {}
    rows: dict[int, dict[str, float]] = {}
    kernels: dict[int, list[int]] = {}
    for place, one in enumerate(launches):
        kernels.setdefault(id(one.profile.kernel), []).append(place)
    for places in kernels.values():
        found = inter_features([launches[k] for k in places])
        for place, values in zip(places, found.values.tolist(), strict=True):
            rows[place] = dict(zip(found.names, values, strict=True))
            for name in found.names:
                names.setdefault(name, len(names))
    made = np.zeros((len(launches), len(names)))
    for place, row in rows.items():
        for name, value in row.items():
            made[place, names[name]] = value
    return made


def _gtpin(launches: Sequence[CountedLaunch], options: SampleOptions, times: _Times) -> Chosen:
    if options.target_error is None:
        division, feature = options.division or DIVISION, options.feature or FEATURE
        selection = select(launches, division, feature, seed=options.seed or 0)
        return Chosen(selection, features_of(launches, selection))
    if times is None:
        raise UsageError("GT-Pin's selection under an error needs a time of each launch")
    every = explore(launches, list(times()), seed=options.seed or 0)
    best = under_threshold(every, options.target_error)
    return Chosen(best.selection, features_of(launches, best.selection), best.error / 100)


def _frequencies(vectors: FeatureVectors) -> Floats:
    """The share that each key has of a unit."""
    sums = vectors.counts.sum(axis=1, keepdims=True)
    shares: Floats = vectors.counts / np.where(sums > 0, sums, 1.0)
    return shares


def _simpoint(launches: Sequence[CountedLaunch], options: SampleOptions, _: _Times) -> Chosen:
    units = units_of_launches(launches)
    vectors = launch_vectors(launches, "BB").of_units(units)
    dense = _frequencies(vectors)
    return Chosen(by_blocks(units, dense, seed=options.seed or 0), dense)


def _stratified(launches: Sequence[CountedLaunch], options: SampleOptions, _: _Times) -> Chosen:
    return Chosen(stratified(launches, per_stratum=options.per_stratum), None)


def _systematic(launches: Sequence[CountedLaunch], options: SampleOptions, _: _Times) -> Chosen:
    return Chosen(
        counted_off(units_of_launches(launches), _share(options), options.seed or 0), None
    )


def _random(launches: Sequence[CountedLaunch], options: SampleOptions, _: _Times) -> Chosen:
    return Chosen(drawn(units_of_launches(launches), _share(options), options.seed or 0), None)


_CHOICES: Mapping[str, Callable[[Sequence[CountedLaunch], SampleOptions, _Times], Chosen]] = {
    "tbpoint": _tbpoint,
    "gtpin": _gtpin,
    "simpoint": _simpoint,
    "stratified": _stratified,
    "systematic": _systematic,
    "random": _random,
}


# Baselines: units drawn, counted off, or put into strata. Each takes units as they are, launches
# or intervals of instructions, and gives a ``Selection``.


def drawn(units: Sequence[SelectionUnit], share: float = SHARE, seed: int = 0) -> Selection:
    """Draw a share of the units at random, one at least. UsageError for a share that is none."""
    count = _count(units, share)
    chosen = np.random.default_rng(seed).choice(len(units), count, replace=False)
    options = {"share": f"{share:g}", "seed": str(seed)}
    return _one_stratum("random", units, chosen, options)


def counted_off(units: Sequence[SelectionUnit], share: float = SHARE, seed: int = 0) -> Selection:
    """Take units at equal distances, the first of them at random. UsageError as ``drawn``."""
    count = _count(units, share)
    step = len(units) / count
    start = np.random.default_rng(seed).uniform(0.0, step)
    chosen = np.minimum((start + step * np.arange(count)).astype(np.int64), len(units) - 1)
    options = {"share": f"{share:g}", "seed": str(seed)}
    return _one_stratum("systematic", units, chosen, options)


def by_blocks(
    units: Sequence[SelectionUnit],
    vectors: npt.NDArray[np.float64],
    *,
    most: int = MOST_CLUSTERS,
    seed: int = 0,
) -> Selection:
    """Cluster units by what their blocks execute, as SimPoint does; one of each is measured.

    ``vectors`` has a row for each unit. Where the units come from a full simulation this is
    TBPoint's Ideal-SimPoint (§V-A), whose clusters weigh what they have units: units there are of
    equal length, so that this is the same.
    """
    weights = np.array([unit.warp_instructions for unit in units], np.float64)
    found = cluster_frequencies(vectors, weights, most=most, seed=seed)
    labels = np.array(found.labels)
    strata = tuple(
        Stratum(tuple(np.flatnonzero(labels == k).tolist()), (chosen,), weight)
        for k, (chosen, weight) in enumerate(zip(found.representatives, found.weights, strict=True))
    )
    options = {"clusters": f"{most} at most", "seed": str(seed)}
    return Selection("simpoint", tuple(units), strata, options)


def stratified(
    launches: Sequence[CountedLaunch], spread: float = SPREAD, per_stratum: int = PER_STRATUM
) -> Selection:
    """Strata of each kernel's launches of about as many instructions: Sieve's idea.

    Launches of one kernel and block whose instructions have a coefficient of variation above
    ``spread`` are cut at the largest gap between neighbours, by ratio, until no stratum has. Of
    each the first launch is measured and, where there are more, others at equal distances in their
    order.

    Naderan-Tahan, SeyyedAghaei, Eeckhout: Sieve: Stratified GPU-Compute Workload Sampling, ISPASS
    2023, cuts by kernel density estimation and measures one launch; two say how far they differ.
    """
    kinds: dict[tuple[object, ...], list[int]] = {}
    for number, one in enumerate(launches):
        kinds.setdefault((one.kernel, id(one.profile.kernel), one.block), []).append(number)
    units = units_of_launches(launches)
    total = sum(unit.warp_instructions for unit in units)
    strata = []
    for members in kinds.values():
        for part in _parted(
            sorted(members, key=lambda n: units[n].warp_instructions), units, spread
        ):
            own = sorted(part)
            chosen = {own[k * len(own) // per_stratum] for k in range(per_stratum)}
            weight = sum(units[n].warp_instructions for n in own) / max(1, total)
            strata.append(Stratum(tuple(own), tuple(sorted(chosen)), weight))
    strata.sort(key=lambda each: each.members)
    options = {"spread": f"{spread:g}", "of each stratum": str(per_stratum)}
    return Selection("stratified", units, tuple(strata), options)


def _parted(ordered: list[int], units: Sequence[SelectionUnit], spread: float) -> list[list[int]]:
    """Cut launches in the order of their instructions until strata are even enough."""
    found, open_ = [], [ordered]
    while open_:
        own = open_.pop()
        counts = np.array([units[n].warp_instructions for n in own], np.float64)
        mean = counts.mean()
        if mean == 0 or counts.std() <= spread * mean:
            found.append(own)
            continue
        gaps = [b / a if a else math.inf * b if b else 1.0 for a, b in pairwise(counts.tolist())]
        cut = int(np.argmax(gaps)) + 1
        open_ += [own[:cut], own[cut:]]
    return found


def _count(units: Sequence[SelectionUnit], share: float) -> int:
    if not 0.0 < share <= 1.0:
        raise UsageError(f"a share of {share:g} of the units: it lies above 0, up to 1")
    if not units:
        raise UsageError("there are no units to choose from")
    return max(1, math.ceil(share * len(units)))


def _one_stratum(
    method: str,
    units: Sequence[SelectionUnit],
    chosen: npt.NDArray[np.int64],
    options: Mapping[str, str],
) -> Selection:
    numbers = tuple(sorted({int(n) for n in chosen}))
    stratum = Stratum(tuple(range(len(units))), numbers, 1.0)
    return Selection(method, tuple(units), (stratum,), options)


NEGLIGIBLE = 0.01
"""A launch that cold caches can delay by no more than this share of its time needs none."""


def warm_ups(
    launches: Sequence[CountedLaunch], chosen: Sequence[int], machine: Machine, most: int = WARM_UPS
) -> tuple[int, ...]:
    """The places of launches to simulate beside the chosen ones, ascending.

    Before each chosen launch that L2 could help they are the ones right before it, ``most`` at
    most, and no more than move as many bytes as L2 holds.
    """
    own, capacity = set(chosen), machine.integer("l2.size_bytes")
    found: set[int] = set()
    for number in chosen:
        if not _is_delayed(launches[number], machine):
            continue
        moved = 0
        for before in range(number - 1, max(-1, number - 1 - most), -1):
            if before in own or moved >= capacity:
                break
            found.add(before)
            moved += sum(_bytes(launches[before]))
    return tuple(sorted(found))


def _is_delayed(launch: CountedLaunch, machine: Machine) -> bool:
    """Whether reading from DRAM what L2 could hold takes long beside issuing the instructions."""
    read, _ = _bytes(launch)
    per_cycle = machine.number("dram.bandwidth_gbs") * 1e3 / machine.number("clock.sm_mhz")
    delay = min(read, machine.integer("l2.size_bytes")) / per_cycle
    issued = machine.number("sm.schedulers") * machine.number("sm.issue_per_scheduler")
    least = launch.warp_instructions / (machine.integer("sm.count") * issued)
    return bool(delay > NEGLIGIBLE * least)


def _bytes(launch: CountedLaunch) -> tuple[int, int]:
    """The bytes that a launch reads from global and local memory, and those it writes."""
    accesses = launch.profile.accesses
    assert accesses is not None, "accesses are counted of what is sampled"
    outside = [access for access in accesses if access.space in OUTSIDE]
    return bytes_read(outside), bytes_written(outside)
