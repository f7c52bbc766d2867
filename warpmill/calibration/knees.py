"""Size and ways of a cache, from how misses grow beyond it.

With LRU, a chase round a footprint misses nothing up to the cache's size S. Each line more
overfills one set, whose W + 1 lines then miss at every round, until at S (1 + 1/W) all sets are
overfull. So the share of hops that miss, times the footprint, is a line over the footprint: it
begins at S and has the slope W + 1. That holds however addresses find their sets, as long as the
lines of one footprint are dealt out evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from warpmill.calibration.figures import FittedNumber, slope
from warpmill.calibration.probes import Reading

_POINTS = 5
_PARTIAL = (0.05, 0.95)
_FITTED = (0.05, 0.85)
"""Shares that a line is fitted to: where nearly all miss, DRAM serves misses in another order."""
_ENOUGH = 4
_MOST_STEPS = 12
_ROUGHLY = 1.12
_MARGIN = 0.03


class Steps(Protocol):
    """Footprints of so many elements, ``stride_bytes`` apart, in whole granules."""

    @property
    def stride_bytes(self) -> int:
        """Bytes from an element to the next one."""

    @property
    def granule(self) -> int:
        """Elements that their number is a multiple of."""


class Ruler(Steps, Protocol):
    """Chase over footprints that measures them."""

    def hops(self, counts: Sequence[int]) -> list[Reading]:
        """Measure footprints of so many elements: cycles an element once caches are full."""


def elements(steps: Steps, footprint_bytes: float) -> int:
    """The elements of a footprint, in whole granules."""
    granules = round(footprint_bytes / steps.stride_bytes / steps.granule)
    return max(1, granules) * steps.granule


@dataclass(frozen=True)
class Knee:
    """The end of a cache: ``size_bytes``, and ``ways``, None where the rise is too sharp to tell.

    ``points`` are (footprint in bytes, share of hops that miss).
    """

    size_bytes: FittedNumber
    ways: FittedNumber | None
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Bracket:
    """Elements that all hit (``low``), and that all miss (``high``), and the cycles of either.

    ``shares`` has (elements, share of them that miss) of what was tried.
    """

    ruler: Ruler
    hit: float
    miss: float
    low: int
    high: int
    shares: tuple[tuple[int, float], ...] = ()

    @property
    def fits_bytes(self) -> int:
        """A footprint that all hits."""
        return self.low * self.ruler.stride_bytes

    @property
    def exceeds_bytes(self) -> int:
        """A footprint that all misses."""
        return self.high * self.ruler.stride_bytes

    @property
    def partial(self) -> list[tuple[int, float]]:
        """Those of which a part misses that tells something."""
        return [(n, f) for n, f in self.shares if _FITTED[0] < f < _FITTED[1]]

    def with_share(self, elements: int, share: float) -> Bracket:
        """Learn of the share of misses at so many links."""
        shares = (*self.shares, (elements, share))
        if share <= _PARTIAL[0]:
            return replace(self, low=max(self.low, elements), shares=shares)
        if share >= _PARTIAL[1]:
            return replace(self, high=min(self.high, elements), shares=shares)
        return replace(self, shares=shares)


def rough(ruler: Ruler, fits_bytes: float, exceeds_bytes: float) -> Bracket | None:
    """Find about where a cache ends; None where elements of both footprints take the same."""
    bracket = _bracket(ruler, fits_bytes, exceeds_bytes)
    while bracket is not None and bracket.high > bracket.low * _ROUGHLY:
        chosen = _chosen(bracket, 2)
        before, bracket = bracket, _tried(bracket, chosen)
        if (before.low, before.high) == (bracket.low, bracket.high):
            break  # all that is left misses in part
    return bracket


def knee(ruler: Ruler, about: Bracket) -> Knee | None:
    """Find the end of a cache from about where it is.

    The stride is the cache's line, so that each element is a line more. None where elements of a
    smaller footprint and of a larger one take the same.
    """
    bracket: Bracket | None = about
    if about.ruler != ruler:
        ends = about.fits_bytes * (1 - _MARGIN), about.exceeds_bytes * (1 + _MARGIN)
        bracket = _bracket(ruler, *ends)
    if bracket is None:
        return None
    for _ in range(_MOST_STEPS):
        chosen = _chosen(bracket, _POINTS)
        if not chosen or len(bracket.partial) >= _ENOUGH:
            break
        bracket = _tried(bracket, chosen)
    return _fitted(bracket)


def _bracket(ruler: Ruler, fits_bytes: float, exceeds_bytes: float) -> Bracket | None:
    low, high = elements(ruler, fits_bytes), elements(ruler, exceeds_bytes)
    hit, miss = (one.typical for one in ruler.hops([low, high]))
    return None if miss <= hit * 1.02 else Bracket(ruler, hit, miss, low, high)


def _tried(bracket: Bracket, chosen: Sequence[int]) -> Bracket:
    hops = bracket.ruler.hops(chosen)
    for n, one in zip(chosen, hops, strict=True):
        share = (one.typical - bracket.hit) / (bracket.miss - bracket.hit)
        bracket = bracket.with_share(n, share)
    return bracket


def _chosen(bracket: Bracket, count: int) -> list[int]:
    """Choose elements to try: evenly between all hit and all miss, those not tried before."""
    granule, tried = bracket.ruler.granule, {n for n, _ in bracket.shares}
    span = bracket.high - bracket.low
    places = (bracket.low + span * (k + 1) / (count + 1) for k in range(count))
    numbers = dict.fromkeys(round(place / granule) * granule for place in places)
    return [n for n in numbers if bracket.low < n < bracket.high and n not in tried]


def _fitted(bracket: Bracket) -> Knee:
    stride = bracket.ruler.stride_bytes
    points = tuple((float(n * stride), f) for n, f in sorted(bracket.shares))
    partial = bracket.partial
    if len(partial) < 2:
        gap = bracket.high - bracket.low
        size = FittedNumber(bracket.low * stride, gap * stride / 2)
        return Knee(size, None, points)
    xs = [float(n) for n, _ in partial]
    ys = [n * f for n, f in partial]
    found = slope(xs, ys)
    begin = sum(xs) / len(xs) - sum(ys) / len(ys) / found.value
    left = _deviation(xs, ys, found.value, begin) / found.value
    size = FittedNumber(begin * stride, left * stride)
    return Knee(size, FittedNumber(found.value - 1, found.spread), points)


def _deviation(xs: Sequence[float], ys: Sequence[float], steep: float, begin: float) -> float:
    """How far points lie off the line, as a mean."""
    return sum(abs(y - steep * (x - begin)) for x, y in zip(xs, ys, strict=True)) / len(xs)
