"""Caches and DRAM as pointer chases see them (§III-B-3): keys of l1, l2, const, tex and dram."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from warpmill.calibration.figures import FittedNumber, differences, slope_of_readings
from warpmill.calibration.findings import (
    CalibrationCurve,
    CalibrationFinding,
    GroupFindings,
    Missing,
    found,
)
from warpmill.calibration.knees import Knee, elements, knee, rough
from warpmill.calibration.probes import Probe, ProbeRunner, Reading, Ring
from warpmill.codegen.microbench.frame import WARP
from warpmill.codegen.microbench.kernels import ELEMENT_BYTES, chase

_CONST_BYTES = 1 << 16
_TEXTURE_BYTES = 1 << 20
_APART = (1 << 16) + 384
"""Bytes between lines that lie in different rows of different banks; 32 of them lie in one page."""
_FRESH = (8, 16, 24, 32)
_NEAR = 8  # links by which a fresh walk is longer than another
_WHERE = {"global": "loads", "const": "constants", "texture": "texels"}


def data_caches(runner: ProbeRunner, most_bytes: int) -> GroupFindings:
    """Find L1, L2 and DRAM by loads; ``most_bytes`` is the largest footprint that is tried."""
    levels = find_levels(runner, "global", 1024, most_bytes)
    own = next((c for c in levels.caches if c.private), None)
    shared = next((c for c in levels.caches if not c.private), None)
    findings: list[CalibrationFinding] = [
        CalibrationFinding(
            "l1.caches_global", float(own is not None), 0.0, "chases over footprints"
        )
    ]
    missing: list[Missing] = []
    for group, level in (("l1", own), ("l2", shared)):
        if level is None:
            missing += _none(group)
        else:
            of_level = _of_level(group, level, "loads")
            shares = group == "l1" and runner.target.reserved_bytes > 0
            findings += map(_beside, of_level) if shares else of_level
    findings.append(_dram(runner))
    sector = None if shared is None else _sector_of_l2(runner, own, shared, findings[-1])
    if sector is not None:
        findings.append(sector)
    return GroupFindings(tuple(findings), tuple(missing), (_curve("global", levels),))


def constant_cache(runner: ProbeRunner) -> GroupFindings:
    """Find the constant cache of an SM, and what constants take that it does not have."""
    levels = find_levels(runner, "const", 512, _CONST_BYTES)
    curve = _curve("const", levels)
    if not levels.caches:
        words = f"no footprint up to {_CONST_BYTES} B misses: it is as large or larger"
        return GroupFindings(
            (), tuple(Missing(key, words) for key in _KEYS["const"].values()), (curve,)
        )
    findings = [*_of_level("const", levels.caches[0], "constants")]
    if len(levels.caches) > 1:
        second = levels.caches[1]
        findings.append(found("const.l15_latency", second.hit, "chase through constants"))
        size = second.knee.size_bytes
        findings.append(found("const.l15_bytes", size, "chases through constants"))
    return GroupFindings(tuple(findings), (), (curve,))


def texture_cache(runner: ProbeRunner) -> GroupFindings:
    """Find the texture cache of an SM."""
    levels = find_levels(runner, "texture", 1024, _TEXTURE_BYTES)
    curve = _curve("texture", levels)
    if not levels.caches:
        words = f"no footprint up to {_TEXTURE_BYTES} B misses"
        return GroupFindings(
            (), tuple(Missing(key, words) for key in _KEYS["tex"].values()), (curve,)
        )
    return GroupFindings(tuple(_of_level("tex", levels.caches[0], "texels")), (), (curve,))


_KEYS = {
    "l1": {
        "size": "l1.size_bytes",
        "ways": "l1.ways",
        "sets": "l1.sets",
        "line": "l1.line_bytes",
        "sector": "l1.sector_bytes",
        "hit": "l1.latency",
    },
    "l2": {
        "size": "l2.size_bytes",
        "ways": "l2.ways",
        "line": "l2.line_bytes",
        "hit": "l2.latency",
    },
    "const": {
        "size": "const.l1_bytes",
        "ways": "const.ways",
        "line": "const.line_bytes",
        "hit": "const.l1_latency",
    },
    "tex": {
        "size": "tex.l1_bytes",
        "ways": "tex.ways",
        "line": "tex.line_bytes",
        "hit": "tex.latency",
    },
}
"""The keys that a level's numbers are of."""


def _of_level(group: str, level: Level, what: str) -> Iterator[CalibrationFinding]:
    keys, knee = _KEYS[group], level.knee
    yield found(keys["hit"], level.hit, f"chase through {what} that hit")
    yield found(keys["size"], knee.size_bytes, f"footprint from which on {what} miss")
    if level.line_bytes is not None:
        line = FittedNumber(level.line_bytes, 0.0)
        yield found(keys["line"], line, "links that fit, two lines apart")
    if knee.ways is not None:
        yield found(keys["ways"], knee.ways, f"how steeply misses of {what} grow")
    if "sets" in keys and level.line_bytes is not None and knee.ways is not None:
        lines = knee.size_bytes.times(1 / level.line_bytes)
        spread = lines.value * knee.ways.spread / knee.ways.value**2
        yield found(
            keys["sets"], FittedNumber(lines.value / knee.ways.value, spread), "size, line, ways"
        )
    if "sector" in keys and level.sector_bytes is not None:
        yield found(keys["sector"], level.sector_bytes, "share of neighbouring links that miss")


def _beside(finding: CalibrationFinding) -> CalibrationFinding:
    """Size and sets of L1 as they are left beside what CTAs reserve."""
    if finding.key not in ("l1.size_bytes", "l1.sets"):
        return finding
    words = "CTAs reserve shared memory, which is of the same array"
    return replace(finding, bound="least", note=words)


def _none(group: str) -> list[Missing]:
    who = "of an SM's own" if group == "l1" else "that SMs share"
    words = f"loads find no cache {who}"
    return [Missing(key, words) for key in _KEYS[group].values()]


def _dram(runner: ProbeRunner) -> CalibrationFinding:
    """Measure loads that no cache has, from banks whose rows nothing has opened."""
    walk = RingChase("global", _APART, unroll=1)
    readings = fresh_hops(runner, walk, _FRESH)
    return found(
        "dram.latency",
        slope_of_readings(_FRESH, readings),
        "chase through lines that no cache has, each in a row of its own",
    )


def _sector_of_l2(
    runner: ProbeRunner, own: Level | None, shared: Level, dram: CalibrationFinding
) -> CalibrationFinding | None:
    """Measure what a miss of L2 brings: of fresh sectors side by side, the first of so many."""
    begun = own.sector_bytes if own is not None else None
    stride = max(8, round(begun.value)) if begun is not None else 8
    counts = (64 * _NEAR, 128 * _NEAR)
    walks = RingChase("global", stride, unroll=1), RingChase("global", 8 * stride, unroll=1)
    beside, apart = (slope_of_readings(counts, fresh_hops(runner, w, counts)) for w in walks)
    share = (beside.value - shared.hit.value) / (apart.value - shared.hit.value)
    if share <= 0 or dram.value <= shared.hit.value:
        return None
    figure = FittedNumber(stride / min(1.0, share), beside.spread)
    return found("l2.sector_bytes", figure, "share of neighbouring fresh links that go to DRAM")


def _curve(space: str, levels: MeasuredCaches) -> CalibrationCurve:
    name = f"{_WHERE[space]}"
    return CalibrationCurve("footprint", name, "footprint B", "cycles a hop", levels.curve)


# Caches of a space, one behind the other: their sizes, ways, lines, sectors and latencies.

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

    hit: FittedNumber
    knee: Knee
    private: bool
    line_bytes: int | None
    sector_bytes: FittedNumber | None


@dataclass(frozen=True)
class MeasuredCaches:
    """The caches of a space, nearest first, and cycles of a hop over footprints in bytes."""

    caches: tuple[Level, ...]
    curve: tuple[tuple[float, float], ...]


def find_levels(runner: ProbeRunner, space: str, first: int, last: int) -> MeasuredCaches:
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
    return MeasuredCaches(tuple(caches), tuple(sorted((float(f), h) for f, h in hops.items())))


def _next_rise(
    runner: ProbeRunner,
    space: str,
    footprints: Sequence[int],
    private: float,
    hops: dict[int, float],
) -> tuple[int, int] | None:
    """The last footprint before hops take longer, and the first one after; None: none do.

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


def _walk(runner: ProbeRunner, space: str, footprint: float, private: float) -> RingChase:
    """The walk round a footprint: finely round a small one, by many SMs round a large one."""
    if footprint < _LARGE_BYTES:
        return RingChase(space, _FINE_BYTES)
    return together(RingChase(space, _COARSE_BYTES), runner.target.sms, private, footprint)


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


def _level(runner: ProbeRunner, space: str, rise: tuple[int, int], private: float) -> Level | None:
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


def _hit(runner: ProbeRunner, space: str, size: float, private: float) -> FittedNumber:
    """Measure hits: round half of the cache, or as little as the caches before do not hold."""
    footprint = min(size / 2, 3 * private) if private else size / 2
    stride = _COARSE_BYTES if footprint > 64 * _COARSE_BYTES else _FINE_BYTES
    walk = RingChase(space, stride, unroll=8)
    (reading,) = steady_hops(runner, [(walk, elements(walk, footprint))])
    return FittedNumber(reading.typical, reading.spread)


def _is_private(runner: ProbeRunner, space: str, size: float) -> bool:
    """Whether SMs have a cache each: then they hold together what one alone does not.

    A ring of four times the size is divided among eight SMs; of fewer each has less than the size,
    and all of them more.
    """
    sms = min(_PRIVATE_SMS, runner.target.sms)
    if size >= _LARGE_BYTES or sms < 2:
        return size < _LARGE_BYTES
    whole = size * min(4.0, 0.75 * sms)
    one = RingChase(space, _FINE_BYTES, unroll=1)
    all_ = replace(one, sms=sms, parted=True)
    walks = [(one, elements(one, size / 2)), (one, elements(one, 2 * size))]
    hit, miss, shared = steady_hops(runner, [*walks, (all_, elements(all_, whole))])
    return shared.typical < hit.typical + _HALF * (miss.typical - hit.typical)


def _line(runner: ProbeRunner, walk: RingChase, size: float) -> int | None:
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


def _sector(runner: ProbeRunner, space: str, size: float, line: int | None) -> FittedNumber | None:
    """Measure what a miss brings: of links side by side, only the first of a sector misses."""
    fine = ELEMENT_BYTES[space]
    walk = RingChase(space, fine, unroll=8)
    apart = RingChase(space, line or _COARSE_BYTES, unroll=8)
    held, missed, beside = steady_hops(
        runner,
        [
            (walk, elements(walk, size / 2)),
            (apart, elements(apart, 2 * size)),
            (walk, elements(walk, 2 * size)),
        ],
    )
    more, whole = beside.typical - held.typical, missed.typical - held.typical
    return FittedNumber(fine * whole / more, beside.spread) if more > 0 else None


# What a hop of a pointer chase takes, by the footprint of the chase and by its stride.

_ENOUGH_HOPS = 2048
_MOST_SMS = 8
"""SMs that go round together: more of them would wait for DRAM, and not all alike."""


@dataclass(frozen=True)
class RingChase:
    """A chase through a space: a warp on each of so many SMs, round a ring together.

    Several SMs measure a large shared cache sooner; each follows links of its own, which lie apart
    from those of others where they are ``parted``. ``unroll``: hops a turn, so that the loop's own
    instructions hide behind few short ones.
    """

    space: str
    stride_bytes: int
    sms: int = 1
    unroll: int = 4
    parted: bool = False

    @property
    def granule(self) -> int:
        """Links that the number of links of a ring is a multiple of."""
        return self.sms * self.unroll

    def probe(self, chip: str, elements: int, passes: int, *, cold: bool = False) -> Probe:
        """The launch that goes round so often."""
        ring = Ring(self.space, elements, self.stride_bytes, self.sms, self.parted)
        turns = elements // self.granule * passes
        apart = ring.first_bytes
        if self.space == "texture":
            apart //= ELEMENT_BYTES[self.space]
        bench = chase(self.space, self.unroll, chip)
        return Probe(bench, turns, self.sms, WARP, (apart,), ring, cold)


@dataclass(frozen=True)
class WalkRuler:
    """A walk as what measures footprints; its elements are links."""

    runner: ProbeRunner
    walk: RingChase

    @property
    def stride_bytes(self) -> int:
        """Bytes from a link to the next one."""
        return self.walk.stride_bytes

    @property
    def granule(self) -> int:
        """Links that their number is a multiple of."""
        return self.walk.granule

    def hops(self, counts: Sequence[int]) -> list[Reading]:
        """Measure rings of so many links."""
        return steady_hops(self.runner, [(self.walk, n) for n in counts])


def steady_hops(runner: ProbeRunner, walks: Sequence[tuple[RingChase, int]]) -> list[Reading]:
    """The cycles of a hop once caches hold what they can, for walks over so many links.

    It is the difference between more rounds and fewer: both begin alike and end alike.
    """
    chip = runner.target.chip
    rounds = [_rounds(walk, elements) for walk, elements in walks]
    probes = [
        walk.probe(chip, elements, passes)
        for (walk, elements), pair in zip(walks, rounds, strict=True)
        for passes in pair
    ]
    readings = runner.read(probes)
    return [
        differences(longer, shorter, elements // walk.sms * (many - few))
        for (walk, elements), (few, many), shorter, longer in zip(
            walks, rounds, readings[::2], readings[1::2], strict=True
        )
    ]


def _rounds(walk: RingChase, elements: int) -> tuple[int, int]:
    """Few rounds and many: of short ones more, behind one that fills caches."""
    hops = elements // walk.sms
    more = max(1, math.ceil(_ENOUGH_HOPS / hops))
    return (1, 2) if more == 1 else (2, 2 + more)


def fresh_hops(runner: ProbeRunner, walk: RingChase, elements: Sequence[int]) -> list[Reading]:
    """The cycles of all hops of walks over links that no cache holds, once round each."""
    chip = runner.target.chip
    return runner.read([walk.probe(chip, n, 1, cold=True) for n in elements])


def together(walk: RingChase, sms: int, private_bytes: float, footprint_bytes: float) -> RingChase:
    """Chase by as many SMs as leave each a part that its own cache does not hold."""
    least = 2.5 * private_bytes
    most = min(sms, _MOST_SMS, int(footprint_bytes // least) if least else _MOST_SMS)
    if most < 2:
        return walk
    return replace(walk, sms=most, unroll=1)
