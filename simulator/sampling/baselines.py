"""What TBPoint and GT-Pin are measured against: units drawn, counted off, or put into strata.

Each takes units as they are, launches or stretches of instructions, and gives a ``Selection``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.simulator.sampling.kmeans import MOST_CLUSTERS, cluster_frequencies
from warpmill.simulator.sampling.model import (
    LaunchCounts,
    Selection,
    Stratum,
    Unit,
    units_of_launches,
)

SHARE = 0.1
"""The part of the units that is drawn or counted off: TBPoint's Random takes 10 % (§V-A)."""
SPREAD = 0.4
"""The coefficient of variation of instructions above which a stratum is cut: Sieve's threshold."""
PER_STRATUM = 2
"""Launches of a stratum that are measured, if it has so many: two tell how far they differ."""


def drawn(units: Sequence[Unit], share: float = SHARE, seed: int = 0) -> Selection:
    """Draw a share of the units at random, one at least. UsageError for a share that is none."""
    count = _count(units, share)
    chosen = np.random.default_rng(seed).choice(len(units), count, replace=False)
    options = (("share", f"{share:g}"), ("seed", str(seed)))
    return _one_stratum("random", units, chosen, options)


def counted_off(units: Sequence[Unit], share: float = SHARE, seed: int = 0) -> Selection:
    """Take units at equal distances, the first of them at random. UsageError as ``drawn``."""
    count = _count(units, share)
    step = len(units) / count
    start = np.random.default_rng(seed).uniform(0.0, step)
    chosen = np.minimum((start + step * np.arange(count)).astype(np.int64), len(units) - 1)
    options = (("share", f"{share:g}"), ("seed", str(seed)))
    return _one_stratum("systematic", units, chosen, options)


def by_blocks(
    units: Sequence[Unit],
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
    options = (("clusters", f"{most} at most"), ("seed", str(seed)))
    return Selection("simpoint", tuple(units), strata, options)


def stratified(
    launches: Sequence[LaunchCounts], spread: float = SPREAD, per_stratum: int = PER_STRATUM
) -> Selection:
    """Put the launches of each kernel into strata of about as many instructions: Sieve's idea.

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
    options = (("spread", f"{spread:g}"), ("of each stratum", str(per_stratum)))
    return Selection("stratified", units, tuple(strata), options)


def _parted(ordered: list[int], units: Sequence[Unit], spread: float) -> list[list[int]]:
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


def _count(units: Sequence[Unit], share: float) -> int:
    if not 0.0 < share <= 1.0:
        raise UsageError(f"a share of {share:g} of the units: it lies above 0, up to 1")
    if not units:
        raise UsageError("there are no units to choose from")
    return max(1, math.ceil(share * len(units)))


def _one_stratum(
    method: str,
    units: Sequence[Unit],
    chosen: npt.NDArray[np.int64],
    options: tuple[tuple[str, str], ...],
) -> Selection:
    numbers = tuple(sorted({int(n) for n in chosen}))
    stratum = Stratum(tuple(range(len(units))), numbers, 1.0)
    return Selection(method, tuple(units), (stratum,), options)
