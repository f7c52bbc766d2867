"""Calibration: groups of micro-benchmarks on a runner, one after another.

::

    found = warpmill.calibrate(on_model="v100", groups=["latency"])
    for finding in found.part.findings:
        print(finding.key, finding.value, finding.spread)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.calibration.caches import constant_cache, data_caches, texture_cache
from warpmill.calibration.code_cache import code_cache
from warpmill.calibration.findings import Part, joined
from warpmill.calibration.intervals import intervals
from warpmill.calibration.latencies import latencies
from warpmill.calibration.launching import launching
from warpmill.calibration.probes import Runner, Target
from warpmill.calibration.rates import bandwidths
from warpmill.calibration.shared_memory import atomics, bank_conflicts, coalescing

Progress = Callable[[str, int, int], None]
"""Told a group before it is measured, its place from 0, and how many groups there are."""

_LEAST_LAST_BYTES = 1 << 22
_USUAL_OWN_BYTES = 1 << 18


@dataclass(frozen=True)
class Calibration:
    """What a calibration found, of which target, in how many launches and seconds."""

    target: Target
    groups: tuple[str, ...]
    part: Part
    launches: int
    seconds: float


def _shared(runner: Runner, _known: Part) -> Part:
    return joined(bank_conflicts(runner), coalescing(runner), atomics(runner))


def _caches(runner: Runner, _known: Part) -> Part:
    return data_caches(runner, max(_LEAST_LAST_BYTES, 4 * runner.target.l2_bytes))


def _bandwidth(runner: Runner, known: Part) -> Part:
    """Measure streams for the caches that were found; without that, for what the driver says."""
    sizes = {f.key: f.value for f in known.findings if f.key.endswith(".size_bytes")}
    if any(f.key == "l1.caches_global" for f in known.findings):
        return bandwidths(runner, sizes.get("l2.size_bytes"), sizes.get("l1.size_bytes", 0.0))
    return bandwidths(runner, runner.target.l2_bytes or None, _USUAL_OWN_BYTES)


GROUPS: Mapping[str, Callable[[Runner, Part], Part]] = {
    "latency": lambda runner, _: latencies(runner),
    "interval": lambda runner, _: intervals(runner),
    "shared": _shared,
    "caches": _caches,
    "constant": lambda runner, _: constant_cache(runner),
    "texture": lambda runner, _: texture_cache(runner),
    "code": lambda runner, _: code_cache(runner),
    "bandwidth": _bandwidth,
    "launch": lambda runner, _: launching(runner),
}
"""The groups by name, in the order in which they are measured."""


def chosen_groups(names: Sequence[str] | None) -> tuple[str, ...]:
    """Give groups in their order; all for None. UsageError for one that is not there, and for none.

    A name may be several with commas between them.
    """
    if names is None:
        return tuple(GROUPS)
    wanted = [name.strip() for text in names for name in text.split(",") if name.strip()]
    if not wanted:
        raise UsageError(f"no group of micro-benchmarks is named; groups: {', '.join(GROUPS)}")
    for name in wanted:
        if name not in GROUPS:
            hint = suggestion(name, tuple(GROUPS)) or f"groups: {', '.join(GROUPS)}"
            raise UsageError(f"there is no group `{name}` of micro-benchmarks; {hint}")
    return tuple(name for name in GROUPS if name in wanted)


def measured(
    runner: Runner, groups: Sequence[str] | None = None, progress: Progress | None = None
) -> Calibration:
    """Measure groups on a runner. UsageError for a group that is not there."""
    chosen = chosen_groups(groups)
    begin, known = time.monotonic(), Part()
    for number, name in enumerate(chosen):
        if progress is not None:
            progress(name, number, len(chosen))
        known = joined(known, GROUPS[name](runner, known))
    seconds = time.monotonic() - begin
    return Calibration(runner.target, chosen, known, runner.launches, seconds)
