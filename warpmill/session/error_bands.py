"""How sure an estimate is: a band of errors, from kernels like it whose times were measured.

``error_bands.json`` has those kernels, each on a GPU, with the time breakdowns of their estimates
and how far these were off; ``python -m benchmarks error-bands`` writes it. Two estimates are as far
apart as their time breakdowns (Hellinger distance: 0 alike, 1 without a common cause), and more
where not the same cause leads. A band is an interval of the errors of the nearest kernels. Each
kernel counts the same however often it was measured, and the less the farther it is. An estimate
that is unlike all of them has the band of all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.metric import Mark, Metric, derived
from warpmill.simulator.machines.model import Machine, capability_of
from warpmill.simulator.resources import TERMS, Term

if TYPE_CHECKING:
    from warpmill.simulator.estimate.result import Estimate  # its module loads numba

DATA = "error_bands.json"
COVERED = 0.8
"""The share of measured times that a band is to hold."""

NEAREST = 12
"""Kernels on GPUs that a band rests on, where the estimate is like some."""

NAMED = 3
"""Number of the nearest kernels that a band names."""

OTHER_BOUND = 0.3
"""Squared distance that is added where the leading causes differ."""

NEAR_WIDTH = 0.7
"""Standard deviation of the kernels' weights, over the distance of the farthest of the nearest."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EstimateFeatures:
    """Features of an estimate that show which kernels it is like.

    ``shares`` are fractions of its time by the keys of causes, ``capability`` is the machine's
    compute capability, 86 for 8.6; None where it has none.
    """

    shares: Mapping[str, float]
    time_us: float
    capability: int | None

    @property
    def bound(self) -> str:
        """The cause that most of the time goes to."""
        return max(sorted(self.shares), key=lambda cause: self.shares[cause])


def features_of(estimate: Estimate, machine: Machine) -> EstimateFeatures:
    """The features of an estimate on a machine."""
    shares = {share.cause.key: share.fraction for share in estimate.shares}
    return EstimateFeatures(shares, estimate.time_us, capability_of(machine))


@dataclass(frozen=True, slots=True)
class MeasuredKernel:
    """A kernel on a GPU: estimates of its launches, and the error of each.

    ``errors`` are predicted over measured times, less 1.
    """

    dataset: str
    kernel: str
    gpu: str
    features: tuple[EstimateFeatures, ...]
    errors: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Widening of bands so that they hold ``COVERED`` of the times of other kernels.

    ``nearest_factor`` is for bands of the nearest kernels, ``all_factor`` for that of all.
    ``farthest`` is the distance from which on an estimate is unlike all kernels.
    """

    nearest_factor: float
    all_factor: float
    farthest: float


@dataclass(frozen=True, slots=True)
class NearKernel:
    """A measured kernel near an estimate; ``error_fraction`` is the median error of its own."""

    kernel: Annotated[str, Metric("Kernel")]
    gpu: Annotated[str, Metric("GPU")]
    error_fraction: Annotated[float, Metric("Error", "%", Mark.EXACT)]
    distance: Annotated[float, Metric("Distance", "", Mark.EXACT)]


@dataclass(frozen=True, slots=True)
class ErrorBand:
    """How far off estimates of kernels like this one were: predicted over measured time, less 1.

    ``covered_fraction`` of the measured times lie between ``low_fraction`` and ``high_fraction``.
    The band rests on ``kernels`` kernels on GPUs; ``same_bound`` have the same bound.
    ``reason`` says why the estimate is unlike all measured kernels; empty where it is not.
    """

    low_fraction: Annotated[float, Metric("Error band, low", "%", Mark.SAMPLED)]
    high_fraction: Annotated[float, Metric("Error band, high", "%", Mark.SAMPLED)]
    covered_fraction: Annotated[float, Metric("Coverage", "%", Mark.SAMPLED)]
    kernels: Annotated[int, Metric("Measured kernels", "", Mark.EXACT)]
    bound: Annotated[Term, Metric("Bound")]
    same_bound: Annotated[int, Metric("Measured kernels with the same bound", "", Mark.EXACT)]
    nearest: Annotated[tuple[NearKernel, ...], Metric("Nearest measured kernels")]
    reason: Annotated[str, Metric("Reason")]

    @derived("Outside the measured kernels")
    def is_unlike(self) -> bool:
        """Whether no measured kernel is like this one."""
        return bool(self.reason)

    def measured_us(self, time_us: float) -> tuple[float, float]:
        """The least and the longest time that the band allows for an estimated time."""
        return time_us / (1 + self.high_fraction), time_us / (1 + self.low_fraction)


def error_band(estimate: Estimate, machine: Machine) -> ErrorBand:
    """The error band of an estimate on a machine, from the kernels whose times were measured."""
    kernels, calibration = measured_kernels()
    return kernels.band(features_of(estimate, machine), calibration)


def sentence(band: ErrorBand) -> str:
    """How far off estimates of such kernels were, in one sentence."""
    spread = f"{_signed(band.low_fraction)} to {_signed(band.high_fraction)}"
    part = f"{band.covered_fraction:.0%} of the times of"
    if band.is_unlike:
        every = f"over all, estimates were off by {spread} ({part} {band.kernels} kernels)"
        return f"No measured kernel is like this one ({band.reason}); {every}."
    bound = f"{band.same_bound} of them" if band.same_bound < band.kernels else "all"
    among = f"{band.kernels} kernels, {bound} bound by {band.bound}"
    return f"Measured kernels like this one were off by {spread} ({part} {among})."


def _signed(fraction: float) -> str:
    return f"{fraction:+.0%}".replace("-", "−")


@cache
def measured_kernels() -> tuple[MeasuredKernels, Calibration]:
    """The kernels that were measured, and how bands are made of them."""
    text = files("warpmill.session").joinpath(DATA).read_text("utf-8")
    found = json.loads(text)
    return MeasuredKernels(kernels_of(found)), Calibration(**found["calibration"])


def kernels_of(data: Mapping[str, Any]) -> tuple[MeasuredKernel, ...]:
    """The kernels of the data file. ValueError where it names causes that estimates have not."""
    named = {cause for one in data["kernels"] for row in one["rows"] for cause in row["shares"]}
    if named - TERMS.keys():
        raise ValueError(f"no estimate has the causes {', '.join(sorted(named - TERMS.keys()))}")
    return tuple(map(_kernel, data["kernels"]))


def _kernel(one: Mapping[str, Any]) -> MeasuredKernel:
    rows = one["rows"]
    return MeasuredKernel(
        one["dataset"],
        one["kernel"],
        one["gpu"],
        tuple(EstimateFeatures(r["shares"], r["time_us"], one["capability"]) for r in rows),
        tuple(r["error"] for r in rows),
    )


@dataclass(frozen=True, slots=True)
class RawBand:
    """Logarithms of predicted over measured: the interval's ends and its median, not widened."""

    low: float
    middle: float
    high: float

    def widened(self, factor: float) -> tuple[float, float]:
        """The ends, so many times as far from the median."""
        return (
            self.middle - factor * (self.middle - self.low),
            self.middle + factor * (self.high - self.middle),
        )


class MeasuredKernels:
    """Measured kernels as arrays: a row for each launch, those of one kernel side by side."""

    def __init__(self, kernels: Iterable[MeasuredKernel]) -> None:
        self.kernels = tuple(kernels)
        each = [features for one in self.kernels for features in one.features]
        causes = sorted({cause for features in each for cause in features.shares})
        self._causes = {cause: number for number, cause in enumerate(causes)}
        self._roots = np.array([self._roots_of(features) for features in each])
        self._bounds = np.array([features.bound for features in each])
        self._errors = np.log1p([error for one in self.kernels for error in one.errors])
        counts = np.array([len(one.errors) for one in self.kernels])
        self._starts = np.cumsum(counts) - counts
        self._owner = np.repeat(np.arange(len(counts)), counts)
        self._share_of_row = 1.0 / counts[self._owner]
        self.times_us = min(f.time_us for f in each), max(f.time_us for f in each)
        known = [f.capability for f in each if f.capability is not None]
        self.capabilities = min(known), max(known)

    def _roots_of(self, features: EstimateFeatures) -> Floats:
        """Square roots of shares by cause; the last one is of causes that no kernel has."""
        found = np.zeros(len(self._causes) + 1)
        for cause, share in features.shares.items():
            found[self._causes.get(cause, -1)] += share
        roots: Floats = np.sqrt(found / found.sum())
        return roots

    def distances(self, features: EstimateFeatures) -> Floats:
        """How far an estimate is from each kernel: from the nearest of its launches."""
        alike = self._roots @ self._roots_of(features)
        other = OTHER_BOUND * (self._bounds != features.bound)
        squared = np.maximum(1.0 - alike, 0.0) + other
        least: Floats = np.minimum.reduceat(squared, self._starts)
        return np.sqrt(least)

    def raw_band(self, distances: Floats | None = None) -> RawBand:
        """The interval of the errors of the nearest kernels; of all without distances."""
        weights = np.ones(len(self.kernels))
        if distances is not None:
            near = self.nearest(distances)
            scale = NEAR_WIDTH * max(distances[near[-1]], 1e-9)
            weights = np.zeros(len(self.kernels))
            weights[near] = np.exp(-0.5 * (distances[near] / scale) ** 2)
        rows = weights[self._owner] * self._share_of_row
        ends = (1 - COVERED) / 2, 0.5, (1 + COVERED) / 2
        counts = rows > 0
        return RawBand(*_quantiles(self._errors[counts], rows[counts], ends))

    @staticmethod
    def nearest(distances: Floats) -> npt.NDArray[np.intp]:
        """The nearest kernels by number, the nearest first."""
        return np.argsort(distances, kind="stable")[:NEAREST]

    def why_unlike(
        self, features: EstimateFeatures, distances: Floats, farthest: float
    ) -> Sequence[str]:
        """Reasons why an estimate is unlike all kernels; empty where it is like some."""
        (least, most), (lowest, highest) = self.times_us, self.capabilities
        found = []
        if features.capability is None:
            found.append("its machine has no compute capability")
        elif not lowest <= features.capability <= highest:
            found.append(f"its compute capability is {features.capability / 10:.1f}, "
                         f"those measured are {lowest / 10:.1f} to {highest / 10:.1f}")  # fmt: skip
        if not least <= features.time_us <= most:
            found.append(f"its time is {features.time_us:,.3g} µs, "
                         f"those measured are {least:,.0f} to {most:,.0f} µs")  # fmt: skip
        if distances.min() > farthest:
            near, own = self.kernels[int(np.argmin(distances))].kernel, distances.min()
            found.append(f"its time breakdown is {own:.2f} from the nearest, of {near}, "
                         f"and those of measured kernels within {farthest:.2f}")  # fmt: skip
        return found

    def band(self, features: EstimateFeatures, calibration: Calibration) -> ErrorBand:
        """The error band of an estimate."""
        distances = self.distances(features)
        reasons = self.why_unlike(features, distances, calibration.farthest)
        near = self.nearest(distances)
        on = np.arange(len(self.kernels)) if reasons else near
        if reasons:
            ends = self.raw_band().widened(calibration.all_factor)
        else:
            ends = self.raw_band(distances).widened(calibration.nearest_factor)
        low, high = np.expm1(ends)
        return ErrorBand(
            low_fraction=float(low),
            high_fraction=float(high),
            covered_fraction=COVERED,
            kernels=len(on),
            bound=TERMS[features.bound],
            same_bound=sum(self._leads(int(number), features.bound) for number in on),
            nearest=tuple(self._named(int(n), float(distances[n])) for n in near[:NAMED]),
            reason="; ".join(reasons),
        )

    def _leads(self, number: int, bound: str) -> bool:
        """Whether a cause leads in at least one launch of a kernel."""
        return any(features.bound == bound for features in self.kernels[number].features)

    def _named(self, number: int, distance: float) -> NearKernel:
        one = self.kernels[number]
        return NearKernel(one.kernel, one.gpu, float(np.median(one.errors)), distance)


def _quantiles(values: Floats, weights: Floats, wanted: Sequence[float]) -> list[float]:
    """Weighted quantiles, linear between the middles of the weights."""
    order = np.argsort(values, kind="stable")
    values, weights = values[order], weights[order]
    places = (np.cumsum(weights) - 0.5 * weights) / weights.sum()
    return [float(value) for value in np.interp(wanted, places, values)]
