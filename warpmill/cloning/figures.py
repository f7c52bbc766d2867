"""The figures that an original and its clone are compared by, from sums of counts.

Counts of launches add up, and a clone's launch counts as many times as it stands for: the thread
instructions of the original's launches over its own. So the IPC of a whole target is
I / Σ (I_k / IPC_k), with the I_k instructions of the original that launch k of the clone, which
ran at IPC_k, stands for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.profile.counts import Profile
from warpmill.analyzer.profile.memory import OUTSIDE
from warpmill.analyzer.profile.mix import class_mix
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.result_parts import SimulatedCache
from warpmill.simulator.resources import SIMULATED_STATES

Kind = Literal["ratio", "share", "distance", "size"]
Counts = Mapping[str, float]

WHOLE = "*"
"""The name of a limit that holds for every figure without one of its own."""

ISSUED = "selected"
"""Name among the stall reasons that is none."""

_SEEN = 0.001
"""Classes and reasons that are less of both than this are left out."""


@dataclass(frozen=True)
class FidelityFigure:
    """A figure of the original beside the clone's. Null: there is none, as of bank conflicts.

    Of a ``ratio`` the difference is a share of the original's, of a ``share`` it is clone minus
    original, a ``distance`` is from 0 to 1 and belongs to both. A ``size`` is what a clone is to
    have less of: its difference is no error.
    """

    name: str
    what: Annotated[str, Metric("Figure")]
    unit: str
    kind: Kind
    original: Annotated[float | None, Metric("Original")]
    clone: Annotated[float | None, Metric("Clone")]
    distance: Annotated[float | None, INTERNAL] = None
    limit: Annotated[float | None, INTERNAL] = None
    """How far the clone may be off."""

    @derived("Difference")
    def difference(self) -> float | None:
        """How far the clone is off, with its sign; null where that cannot be said."""
        if self.kind == "distance":
            return self.distance
        if self.original is None or self.clone is None:
            return None
        if self.kind == "share":
            return self.clone - self.original
        if self.original == self.clone:
            return 0.0
        return (self.clone - self.original) / self.original if self.original else None

    @property
    def is_judged(self) -> bool:
        """Whether its difference is an error."""
        return self.kind != "size"

    @derived("Beyond limit")
    def exceeds(self) -> bool | None:
        """Whether it is beyond its limit; null where there is no limit."""
        if self.limit is None or not self.is_judged:
            return None
        if self.difference is None:  # beyond any limit where only one of the two has any
            return (self.original or None) != (self.clone or None)
        return abs(self.difference) > self.limit

    def limited(self, limits: Mapping[str, float]) -> FidelityFigure:
        """It with its limit of some by name; parts of a mix have the limit of all figures."""
        return replace(self, limit=limits.get(self.name, limits.get(WHOLE)))


_CACHES = {"l1": "L1", "const": "constant cache", "tex": "texture cache", "l2": "L2"}

NAMES = (
    "instruction_mix", "lane_utilization", "lines_per_request", "sectors_per_line",
    "shared_wavefronts_per_request", "block_instructions", "blocks", "edges", "dfsg", "ipc",
    *(f"{name}_hit_rate" for name in _CACHES), "stalls",
    *(f"mix.{each.value}" for each in OpClass),
    *(f"stall.{each}" for each in SIMULATED_STATES if each != ISSUED),
)  # fmt: skip
"""The figures whose differences are errors."""


# -- counts ----------------------------------------------------------------------------------------


def added(parts: Iterable[tuple[Counts, float]]) -> Counts:
    """Add counts up, each as many times as is said."""
    sums: dict[str, float] = defaultdict(float)
    for counts, times in parts:
        for name, value in counts.items():
            sums[name] += value * times
    return dict(sums)


def profile_counts(profile: Profile) -> Counts:
    """The counts of a launch that its figures are made of."""
    counts: dict[str, float] = {
        "thread_instructions": profile.thread_instructions,
        "warp_instructions": profile.warp_instructions,
        "lane_slots": profile.warp_instructions * profile.warp_size,
        "launches": 1,
    }
    for one in class_mix(profile):
        counts[f"class:{one.name}"] = one.executions.warp_instructions
    for access in profile.accesses or ():
        if access.space in OUTSIDE:
            _plus(counts, "requests", access.requests)
            _plus(counts, "lines", access.lines or 0)
            _plus(counts, "sectors", access.sectors or 0)
        elif access.space is Space.SHARED:
            _plus(counts, "shared_requests", access.requests)
            _plus(counts, "shared_wavefronts", access.wavefronts or 0)
    return counts


def _plus(counts: dict[str, float], name: str, value: float) -> None:
    counts[name] = counts.get(name, 0.0) + value


def launch_counts(result: SimResult) -> tuple[Counts, ...]:
    """The counts of each launch of a simulation whose launches run one after another."""
    found = []
    before: Counts = {}
    totals = result.totals
    for number, launch in enumerate(result.launches):
        last = number + 1 == len(result.launches)
        until = {
            "simulated_thread_instructions": totals[number].thread_instructions,
            **_cached(result.caches if last else totals[number].caches),
        }
        own = {name: value - before.get(name, 0.0) for name, value in until.items()}
        found.append({**own, "cycles": launch.cycles})
        before = until
    return tuple(found)


def _cached(caches: Iterable[SimulatedCache]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for cache in caches:
        if cache.level in _CACHES:
            counts[f"{cache.level}_accesses"] = cache.accesses
            counts[f"{cache.level}_misses"] = cache.misses
    return counts


def stall_counts(result: SimResult) -> dict[str, Counts]:
    """The cycles of stalls of each kernel by its name."""
    found: dict[str, dict[str, float]] = {name: {} for name in result.kernels}
    for one in result.instructions:
        own = found[result.kernels[one.kernel]]
        for reason, cycles in zip(SIMULATED_STATES, one.stalls, strict=True):
            if reason != ISSUED:
                _plus(own, f"stall:{reason}", cycles)
    return dict(found)


# -- figures ---------------------------------------------------------------------------------------


def profile_figures(original: Counts, clone: Counts) -> Iterator[FidelityFigure]:
    """Compare what needs no machine, but for what a clone is to have less of."""
    a, b = _shares(original, "class:"), _shares(clone, "class:")
    yield _distance("instruction_mix", "instruction mix", a, b)
    for name in sorted(a, key=lambda each: (-a[each], each)):
        if max(a[name], b.get(name, 0.0)) >= _SEEN:
            yield FidelityFigure(f"mix.{name}", name, "", "share", a[name], b.get(name, 0.0))
    for name in sorted(set(b) - set(a)):
        if b[name] >= _SEEN:
            yield FidelityFigure(f"mix.{name}", name, "", "share", 0.0, b[name])
    pairs = (
        ("lane_utilization", "lane utilization", "share", "thread_instructions", "lane_slots"),
        ("lines_per_request", "lines per request", "ratio", "lines", "requests"),
        ("sectors_per_line", "sectors per line", "ratio", "sectors", "lines"),
        ("shared_wavefronts_per_request", "shared-memory wavefronts per request", "ratio",
         "shared_wavefronts", "shared_requests"),
    )  # fmt: skip
    for name, what, kind, over, under in pairs:
        yield from _ratio(name, what, kind, (original, clone), over, under)  # type: ignore[arg-type]


def size_figures(
    original: Counts, clone: Counts, machine: tuple[Counts, Counts] | None, clock_mhz: float = 1.0
) -> Iterator[FidelityFigure]:
    """Compare what a clone is to have less of; counts of the clone as they are."""
    if machine is None:
        for name, what in (
            ("launches", "launches"),
            ("warp_instructions", "warp instructions"),
            ("thread_instructions", "thread instructions"),
        ):
            yield FidelityFigure(name, what, "", "size", original.get(name), clone.get(name))
        return
    a, b = (counts["cycles"] for counts in machine)
    yield FidelityFigure("cycles", "cycles", "cycles", "size", a, b)
    yield FidelityFigure("time_us", "simulated time", "µs", "size", a / clock_mhz, b / clock_mhz)


def machine_figures(original: Counts, clone: Counts) -> Iterator[FidelityFigure]:
    """Compare what a simulation says."""
    both = (original, clone)
    yield from _ratio(
        "ipc", "IPC of threads", "ratio", both, "simulated_thread_instructions", "cycles"
    )
    for name, what in _CACHES.items():
        a, b = (_hit_rate(counts, name) for counts in both)
        if a is not None or b is not None:
            yield FidelityFigure(f"{name}_hit_rate", f"{what} hit rate", "", "share", a, b)


def stall_figures(original: Counts, clone: Counts) -> Iterator[FidelityFigure]:
    """Compare why warps wait."""
    a, b = _shares(original, "stall:"), _shares(clone, "stall:")
    if not a and not b:
        return
    yield _distance("stalls", "stalls", a, b)
    for name in sorted(set(a) | set(b), key=lambda each: (-a.get(each, 0.0), each)):
        own, other = a.get(name, 0.0), b.get(name, 0.0)
        if max(own, other) >= _SEEN:
            yield FidelityFigure(f"stall.{name}", name, "", "share", own, other)


def _ratio(
    name: str, what: str, kind: Kind, both: tuple[Counts, Counts], over: str, under: str
) -> Iterator[FidelityFigure]:
    """Compare a quotient of two counts where one of both has it."""
    a, b = (counts.get(over, 0.0) / counts[under] if counts.get(under) else None for counts in both)
    if a is not None or b is not None:
        yield FidelityFigure(name, what, "", kind, a, b)


def _hit_rate(counts: Counts, cache: str) -> float | None:
    accesses = counts.get(f"{cache}_accesses")
    return 1.0 - counts[f"{cache}_misses"] / accesses if accesses else None


def _shares(counts: Counts, prefix: str) -> dict[str, float]:
    own = {k.removeprefix(prefix): v for k, v in counts.items() if k.startswith(prefix)}
    whole = sum(own.values())
    return {name: value / whole for name, value in own.items()} if whole else {}


def _distance(
    name: str, what: str, a: Mapping[str, float], b: Mapping[str, float]
) -> FidelityFigure:
    apart = sum(abs(a.get(each, 0.0) - b.get(each, 0.0)) for each in {**a, **b}) / 2
    return FidelityFigure(name, what, "", "distance", None, None, apart)
