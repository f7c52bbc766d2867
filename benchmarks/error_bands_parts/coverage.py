"""Whether error bands hold: kernels are left out, and measured times counted inside their bands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np

from warpmill.session.error_bands import (
    COVERED,
    Calibration,
    EstimateFeatures,
    MeasuredKernel,
    MeasuredKernels,
    RawBand,
)

SEED = 2026
ASIDE = 0.25
"""Kernels that are put aside, of all."""

LIKE = 0.95
"""Measured launches that are like another kernel, of all."""

FACTORS = np.arange(0.5, 4.0, 0.005)
"""What bands may be widened by."""

Kernels = Sequence[MeasuredKernel]
Leaves = Callable[[MeasuredKernel, MeasuredKernel], bool]
"""Whether a kernel is left out of what the band of another rests on."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A measured launch, and what bands the kernels that are not left out give it.

    ``weight`` makes each kernel on a GPU count once. ``is_outside``: its GPU or its time lies
    outside those measured. Errors are logarithms of predicted over measured times.
    """

    error: float
    weight: float
    distance: float
    is_outside: bool
    nearest: RawBand
    every: RawBand

    def band(self, made: Calibration) -> tuple[float, float]:
        """The ends of its band."""
        if self.is_unlike(made):
            return self.every.widened(made.all_factor)
        return self.nearest.widened(made.nearest_factor)

    def is_unlike(self, made: Calibration) -> bool:
        """Whether it is unlike all kernels that are not left out."""
        return self.is_outside or self.distance > made.farthest


@dataclass(frozen=True, slots=True)
class Coverage:
    """Whether bands hold for some kernels on GPUs: the share of measured times inside.

    ``all_covered`` is the share inside the band of all kernels. ``factor`` is the mean of the
    bands' high ends over their low ends, ``all_factor`` that of the band of all: 2 for one from
    0.7 to 1.4 of the measured time.
    """

    name: str
    kernels: int
    rows: int
    covered: float
    unlike: float
    factor: float
    all_covered: float
    all_factor: float

    def as_data(self) -> dict[str, Any]:
        """All of it, by name."""
        return asdict(self)


def is_same(one: MeasuredKernel, other: MeasuredKernel) -> bool:
    """Whether two are the same kernel, be it on another GPU."""
    return (one.dataset, one.kernel) == (other.dataset, other.kernel)


def is_same_or_beside(one: MeasuredKernel, other: MeasuredKernel) -> bool:
    """Whether two are the same kernel, or on the same GPU."""
    return is_same(one, other) or one.gpu == other.gpu


def parted(kernels: Kernels) -> tuple[list[MeasuredKernel], list[MeasuredKernel]]:
    """Kernels that widths of bands follow from, and those put aside; on all their GPUs."""
    names = sorted({(one.dataset, one.kernel) for one in kernels})
    drawn = np.random.default_rng(SEED).choice(len(names), round(ASIDE * len(names)), replace=False)
    aside = {names[place] for place in drawn}
    used = [one for one in kernels if (one.dataset, one.kernel) not in aside]
    return used, [one for one in kernels if (one.dataset, one.kernel) in aside]


def trials(judged: Kernels, used: Kernels, leaves: Leaves) -> list[Trial]:
    """The launches of kernels, each with the bands of those that are not left out."""
    made = cache(lambda places: MeasuredKernels(used[place] for place in places))
    found: list[Trial] = []
    for one in judged:
        others = made(tuple(n for n, other in enumerate(used) if not leaves(one, other)))
        every = others.raw_band()
        pairs = zip(one.features, one.errors, strict=True)
        found += [_trial(f, e, 1 / len(one.errors), others, every) for f, e in pairs]
    return found


def _trial(
    features: EstimateFeatures,
    error: float,
    weight: float,
    others: MeasuredKernels,
    every: RawBand,
) -> Trial:
    distances = others.distances(features)
    is_outside = bool(others.why_unlike(features, distances, np.inf))
    nearest = others.raw_band(distances)
    return Trial(float(np.log1p(error)), weight, float(distances.min()), is_outside, nearest, every)


def calibration(used: Kernels) -> Calibration:
    """What bands are widened by, and from where on an estimate is unlike all kernels.

    Each launch is judged by the kernels that are not its own.
    """
    tried = trials(used, used, is_same)
    inside = [one for one in tried if not one.is_outside]
    farthest = _quantile([(one.distance, one.weight) for one in inside], LIKE)
    like = [one for one in inside if one.distance <= farthest]
    return Calibration(
        nearest_factor=_factor(like, [one.nearest for one in like]),
        all_factor=_factor(tried, [one.every for one in tried]),
        farthest=farthest,
    )


def _quantile(pairs: Iterable[tuple[float, float]], wanted: float) -> float:
    """The least value up to which a share of all weights lies."""
    values, weights = np.array(sorted(pairs)).T
    return float(values[np.searchsorted(np.cumsum(weights), wanted * weights.sum())])


def _factor(tried: Sequence[Trial], raw: Sequence[RawBand]) -> float:
    """The least factor with which bands hold ``COVERED`` of the times."""
    for factor in FACTORS:
        ends = [one.widened(float(factor)) for one in raw]
        if _inside(tried, ends) >= COVERED:
            return float(factor)
    raise ValueError(f"bands that are {FACTORS[-1]:.1f} times as wide hold too few times")


def _inside(tried: Sequence[Trial], ends: Sequence[tuple[float, float]]) -> float:
    pairs = list(zip(tried, ends, strict=True))
    return _mean(tried, [low <= one.error <= high for one, (low, high) in pairs])


def _mean(tried: Sequence[Trial], values: Iterable[float]) -> float:
    return float(np.average(list(values), weights=[one.weight for one in tried]))


def coverages(kernels: Kernels, made: Calibration) -> tuple[Coverage, ...]:
    """How well bands hold, for kernels that widths follow from and for those put aside."""
    used, aside = parted(kernels)
    return (
        _coverage("calibrated", used, trials(used, used, is_same), made),
        _coverage("other_gpu", used, trials(used, used, is_same_or_beside), made),
        _coverage("put_aside", aside, trials(aside, used, is_same), made),
    )


def _coverage(name: str, judged: Kernels, tried: Sequence[Trial], made: Calibration) -> Coverage:
    ends = [one.band(made) for one in tried]
    every = [one.every.widened(made.all_factor) for one in tried]
    return Coverage(
        name=name,
        kernels=len(judged),
        rows=len(tried),
        covered=_inside(tried, ends),
        unlike=_mean(tried, [one.is_unlike(made) for one in tried]),
        factor=float(np.exp(_mean(tried, [high - low for low, high in ends]))),
        all_covered=_inside(tried, every),
        all_factor=float(np.exp(_mean(tried, [high - low for low, high in every]))),
    )


def lines(found: Iterable[Coverage]) -> Iterator[str]:
    """How well bands hold as lines."""
    yield f"{'':12}{'kernels':>8}{'rows':>6}{'inside':>9}{'unlike':>8}{'factor':>8}{'of all':>16}"
    for one in found:
        yield (
            f"{one.name:12}{one.kernels:8}{one.rows:6}{one.covered:9.1%}{one.unlike:8.1%}"
            f"{one.factor:8.2f}{one.all_covered:9.1%}{one.all_factor:7.2f}"
        )
