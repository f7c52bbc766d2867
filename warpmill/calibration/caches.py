"""Caches and DRAM as pointer chases see them (§III-B-3): keys of l1, l2, const, tex and dram."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from warpmill.calibration.figures import Figure, slope_of_readings
from warpmill.calibration.findings import Curve, Finding, Missing, Part, found
from warpmill.calibration.footprints import Walk, fresh_hops
from warpmill.calibration.levels import Level, Levels, find_levels
from warpmill.calibration.probes import Runner

_CONST_BYTES = 1 << 16
_TEXTURE_BYTES = 1 << 20
_APART = (1 << 16) + 384
"""Bytes between lines that lie in different rows of different banks; 32 of them lie in one page."""
_FRESH = (8, 16, 24, 32)
_NEAR = 8  # links by which a fresh walk is longer than another
_WHERE = {"global": "loads", "const": "constants", "texture": "texels"}


def data_caches(runner: Runner, most_bytes: int) -> Part:
    """Find L1, L2 and DRAM by loads; ``most_bytes`` is the largest footprint that is tried."""
    levels = find_levels(runner, "global", 1024, most_bytes)
    own = next((c for c in levels.caches if c.private), None)
    shared = next((c for c in levels.caches if not c.private), None)
    findings: list[Finding] = [
        Finding("l1.caches_global", float(own is not None), 0.0, "chases over footprints")
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
    return Part(tuple(findings), tuple(missing), (_curve("global", levels),))


def constant_cache(runner: Runner) -> Part:
    """Find the constant cache of an SM, and what constants take that it does not have."""
    levels = find_levels(runner, "const", 512, _CONST_BYTES)
    curve = _curve("const", levels)
    if not levels.caches:
        words = f"no footprint up to {_CONST_BYTES} B misses: it is as large or larger"
        return Part((), tuple(Missing(key, words) for key in _KEYS["const"].values()), (curve,))
    findings = [*_of_level("const", levels.caches[0], "constants")]
    if len(levels.caches) > 1:
        second = levels.caches[1]
        findings.append(found("const.l15_latency", second.hit, "chase through constants"))
        size = second.knee.size_bytes
        findings.append(found("const.l15_bytes", size, "chases through constants"))
    return Part(tuple(findings), (), (curve,))


def texture_cache(runner: Runner) -> Part:
    """Find the texture cache of an SM."""
    levels = find_levels(runner, "texture", 1024, _TEXTURE_BYTES)
    curve = _curve("texture", levels)
    if not levels.caches:
        words = f"no footprint up to {_TEXTURE_BYTES} B misses"
        return Part((), tuple(Missing(key, words) for key in _KEYS["tex"].values()), (curve,))
    return Part(tuple(_of_level("tex", levels.caches[0], "texels")), (), (curve,))


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


def _of_level(group: str, level: Level, what: str) -> Iterator[Finding]:
    keys, knee = _KEYS[group], level.knee
    yield found(keys["hit"], level.hit, f"chase through {what} that hit")
    yield found(keys["size"], knee.size_bytes, f"footprint from which on {what} miss")
    if level.line_bytes is not None:
        line = Figure(level.line_bytes, 0.0)
        yield found(keys["line"], line, "links that fit, two lines apart")
    if knee.ways is not None:
        yield found(keys["ways"], knee.ways, f"how steeply misses of {what} grow")
    if "sets" in keys and level.line_bytes is not None and knee.ways is not None:
        lines = knee.size_bytes.times(1 / level.line_bytes)
        spread = lines.value * knee.ways.spread / knee.ways.value**2
        yield found(keys["sets"], Figure(lines.value / knee.ways.value, spread), "size, line, ways")
    if "sector" in keys and level.sector_bytes is not None:
        yield found(keys["sector"], level.sector_bytes, "share of neighbouring links that miss")


def _beside(finding: Finding) -> Finding:
    """Let the size and the sets of L1 be what is left of it beside what CTAs reserve."""
    if finding.key not in ("l1.size_bytes", "l1.sets"):
        return finding
    words = "CTAs reserve shared memory, which is of the same array"
    return replace(finding, bound="least", note=words)


def _none(group: str) -> list[Missing]:
    who = "of an SM's own" if group == "l1" else "that SMs share"
    words = f"loads find no cache {who}"
    return [Missing(key, words) for key in _KEYS[group].values()]


def _dram(runner: Runner) -> Finding:
    """Measure loads that no cache has, from banks whose rows nothing has opened."""
    walk = Walk("global", _APART, unroll=1)
    readings = fresh_hops(runner, walk, _FRESH)
    return found(
        "dram.latency",
        slope_of_readings(_FRESH, readings),
        "chase through lines that no cache has, each in a row of its own",
    )


def _sector_of_l2(
    runner: Runner, own: Level | None, shared: Level, dram: Finding
) -> Finding | None:
    """Measure what a miss of L2 brings: of fresh sectors side by side, the first of so many."""
    begun = own.sector_bytes if own is not None else None
    stride = max(8, round(begun.value)) if begun is not None else 8
    counts = (64 * _NEAR, 128 * _NEAR)
    walks = Walk("global", stride, unroll=1), Walk("global", 8 * stride, unroll=1)
    beside, apart = (slope_of_readings(counts, fresh_hops(runner, w, counts)) for w in walks)
    share = (beside.value - shared.hit.value) / (apart.value - shared.hit.value)
    if share <= 0 or dram.value <= shared.hit.value:
        return None
    figure = Figure(stride / min(1.0, share), beside.spread)
    return found("l2.sector_bytes", figure, "share of neighbouring fresh links that go to DRAM")


def _curve(space: str, levels: Levels) -> Curve:
    name = f"{_WHERE[space]}"
    return Curve("footprint", name, "footprint B", "cycles a hop", levels.curve)
