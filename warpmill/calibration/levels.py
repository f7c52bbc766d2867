"""Caches of a space, one behind the other: their sizes, ways, lines, sectors and latencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from warpmill.calibration.figures import Figure
from warpmill.calibration.footprints import Walk, WalkRuler, steady_hops, together
from warpmill.calibration.knees import Knee, elements, knee, rough
from warpmill.calibration.probes import Runner
from warpmill.codegen.microbench.chases import ELEMENT_BYTES

_RISE, _RISE_CYCLES = 1.04, 1.0
_AT_ONCE = 2
_LARGE_BYTES = 1 << 20
"""Footprints that several SMs go round together; no SM has a cache of its own as large."""
_FINE_BYTES, _COARSE_BYTES = 32, 128
_PRIVATE_SMS = 8
_LINES = (32, 64, 128, 256, 512)
_HALF = 0.5


@dataclass(frozen=True)
class Level:
    """A cache: the cycles of a hit, where it ends, whether each SM has one, and its line.

    ``line_bytes`` None: none of those that were tried fits. ``sector_bytes`` is what a miss brings.
    """

    hit: Figure
    knee: Knee
    private: bool
    line_bytes: int | None
    sector_bytes: Figure | None


@dataclass(frozen=True)
class Levels:
    """The caches of a space, nearest first, and cycles of a hop over footprints in bytes."""

    caches: tuple[Level, ...]
    curve: tuple[tuple[float, float], ...]


def find_levels(runner: Runner, space: str, first: int, last: int) -> Levels:
    """Find the caches of a space by chases over footprints from ``first`` to ``last`` bytes.

    Footprints double until hops take longer; where they do, a cache ends. Then they go on doubling.
    """
    footprints = [first << k for k in range((last // first).bit_length())]
    hops: dict[int, float] = {}
    caches: list[Level] = []
    begin = 0
    while begin < len(footprints) - 1:
        private = sum(one.knee.size_bytes.value for one in caches if one.private)
        rise = _next_rise(runner, space, footprints[begin:], private, hops)
        found = None if rise is None else _level(runner, space, rise, private)
        if rise is None or found is None:
            break
        caches.append(found)
        begin = footprints.index(rise[1])
    return Levels(tuple(caches), tuple(sorted((float(f), h) for f, h in hops.items())))


def _next_rise(
    runner: Runner,
    space: str,
    footprints: Sequence[int],
    private: float,
    hops: dict[int, float],
) -> tuple[int, int] | None:
    """Give the last footprint before hops take longer, and the first one after; None: none do.

    Small ones come first: large ones are gone round in another way where SMs have own caches.
    """
    end = sum(one < _LARGE_BYTES for one in footprints)
    while True:
        part = footprints[:end]
        new = [one for one in part if one not in hops]
        walks = [_walk(runner, space, one, private) for one in new]
        readings = steady_hops(
            runner, [(walk, elements(walk, one)) for walk, one in zip(walks, new, strict=True)]
        )
        hops.update(zip(new, (one.typical for one in readings), strict=True))
        is_whole = end >= len(footprints)
        rise = _rise_in(part, hops, is_whole=is_whole)
        if rise is not None or is_whole:
            return rise
        end += _AT_ONCE


def _walk(runner: Runner, space: str, footprint: float, private: float) -> Walk:
    """Give the walk round a footprint: finely round a small one, by many SMs round a large one."""
    if footprint < _LARGE_BYTES:
        return Walk(space, _FINE_BYTES)
    return together(Walk(space, _COARSE_BYTES), runner.target.sms, private, footprint)


def _rise_in(
    footprints: Sequence[int], hops: Mapping[int, float], *, is_whole: bool
) -> tuple[int, int] | None:
    """Find the first rise of hops that is over within these footprints, or where these are all."""
    rises = [hops[b] > hops[a] * _RISE + _RISE_CYCLES for a, b in pairwise(footprints)]
    if True not in rises:
        return None
    begin = rises.index(True)
    end = next((k for k in range(begin, len(rises)) if not rises[k]), len(rises))
    if end == len(rises) and not is_whole:
        return None
    return footprints[begin], footprints[end]


def _level(runner: Runner, space: str, rise: tuple[int, int], private: float) -> Level | None:
    """Measure the cache that ends within a rise: roughly, then its line, then line by line."""
    walk = replace(_walk(runner, space, rise[1], private), unroll=1)
    about = rough(WalkRuler(runner, walk), *rise)
    if about is None:
        return None
    line = _line(runner, walk, about.fits_bytes)
    if line is not None and line < walk.stride_bytes:  # links were in every other line only
        walk = replace(walk, stride_bytes=line)
        about = rough(WalkRuler(runner, walk), rise[0] / 2, rise[1]) or about
    by_line = replace(walk, stride_bytes=line or walk.stride_bytes)
    found = knee(WalkRuler(runner, by_line), about)
    if found is None:
        return None
    size = found.size_bytes.value
    return Level(
        _hit(runner, space, size, private),
        found,
        _is_private(runner, space, size),
        line,
        _sector(runner, space, size, line) if size < _LARGE_BYTES else None,
    )


def _hit(runner: Runner, space: str, size: float, private: float) -> Figure:
    """Measure hits: round half of the cache, or as little as the caches before do not hold."""
    footprint = min(size / 2, 3 * private) if private else size / 2
    stride = _COARSE_BYTES if footprint > 64 * _COARSE_BYTES else _FINE_BYTES
    walk = Walk(space, stride, unroll=8)
    (reading,) = steady_hops(runner, [(walk, elements(walk, footprint))])
    return Figure(reading.typical, reading.spread)


def _is_private(runner: Runner, space: str, size: float) -> bool:
    """Tell whether SMs have a cache each: then they hold together what one alone does not.

    A ring of four times the size is divided among eight SMs; of fewer each has less than the size,
    and all of them more.
    """
    sms = min(_PRIVATE_SMS, runner.target.sms)
    if size >= _LARGE_BYTES or sms < 2:
        return size < _LARGE_BYTES
    whole = size * min(4.0, 0.75 * sms)
    one = Walk(space, _FINE_BYTES, unroll=1)
    all_ = replace(one, sms=sms, parted=True)
    walks = [(one, elements(one, size / 2)), (one, elements(one, 2 * size))]
    hit, miss, shared = steady_hops(runner, [*walks, (all_, elements(all_, whole))])
    return shared.typical < hit.typical + _HALF * (miss.typical - hit.typical)


def _line(runner: Runner, walk: Walk, size: float) -> int | None:
    """Find the shortest line of which the cache has as many as links of a ring that all hit.

    Links stand two lines and a bit apart, so that each is in a line of its own, and their lines are
    dealt out over all sets. There are three quarters as many as the cache has lines; were lines
    twice as long, it could not hold them.
    """
    tried = [line for line in _LINES if size < _LARGE_BYTES or line > _FINE_BYTES]
    walks = [replace(walk, stride_bytes=2 * line + _FINE_BYTES) for line in tried]
    few = [replace(one, sms=1) if size < _LARGE_BYTES else one for one in walks]
    counts = [
        elements(one, 0.75 * size / line * one.stride_bytes)
        for one, line in zip(few, tried, strict=True)
    ]
    low, high = (elements(walk, size * share) for share in (0.5, 2.0))
    hit, miss, *hops = steady_hops(
        runner, [(walk, low), (walk, high), *zip(few, counts, strict=True)]
    )
    middle = hit.typical + _HALF * (miss.typical - hit.typical)
    return next((line for line, one in zip(tried, hops, strict=True) if one.typical < middle), None)


def _sector(runner: Runner, space: str, size: float, line: int | None) -> Figure | None:
    """Measure what a miss brings: of links side by side, only the first of a sector misses."""
    fine = ELEMENT_BYTES[space]
    walk = Walk(space, fine, unroll=8)
    apart = Walk(space, line or _COARSE_BYTES, unroll=8)
    held, missed, beside = steady_hops(
        runner,
        [
            (walk, elements(walk, size / 2)),
            (apart, elements(apart, 2 * size)),
            (walk, elements(walk, 2 * size)),
        ],
    )
    more, whole = beside.typical - held.typical, missed.typical - held.typical
    return Figure(fine * whole / more, beside.spread) if more > 0 else None
