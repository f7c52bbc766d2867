"""Sampling in space, which the paper rejects (§3.2, Figures 2 and 3): fewer threads of a launch.

Threads are lanes that are switched off at random in all that their warps do; warps are left out of
their CTAs, CTAs out of their grid, at random too, the same ones of every CTA for warps. What is
left does what it does in the whole launch: its traces are taken from those of the original.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.launch.numbering import unravel_index
from warpmill.benchmarks.clones.simulating import EXECUTED, jobs_of
from warpmill.session.simulation_plans import plan
from warpmill.simulator.gpu.results import result_of
from warpmill.simulator.gpu.simulate import Simulation
from warpmill.simulator.resources import SIMULATED_STATES

SEED = 7

Array = npt.NDArray[Any]


def measured(workload: str, machine: str, way: str, fraction: float) -> dict[str, Any]:
    """Simulate a workload of which only a part is left."""
    return sampled(jobs_of(workload), machine, way, fraction)


def sampled(jobs: Sequence[Any], machine: str, way: str, fraction: float) -> dict[str, Any]:
    """What Figures 2 and 3 show of launches in which a part of threads, warps or CTAs is left."""
    made = plan(jobs, machine, trace_options=EXECUTED)
    works = [thinned(work, way, fraction, SEED + k) for k, work in enumerate(made.works)]
    running = Simulation(made.machine, works, made.options)
    running.run()
    result = result_of(running)
    l1, fetch = result.cache("l1"), result.cache("icache")
    waits = dict(zip(SIMULATED_STATES, result.stalls, strict=True))
    return {
        "ipc": result.thread_ipc,
        "threads": result.thread_instructions,
        "l1_miss_rate": None if l1 is None or l1.hit_fraction is None else 1.0 - l1.hit_fraction,
        "icache_hit_rate": None if fetch is None else fetch.hit_fraction,
        "sectors_read": result.read_sectors,
        "memory_queue_stalls": waits["lg_throttle"],
    }


def thinned(work: Any, way: str, fraction: float, seed: int) -> Any:
    """A launch of which only a part is left; at least one of what is left out."""
    random = np.random.default_rng(seed)
    launch, lanes = work.launch, work.facts.module.warp_size
    if fraction == 1.0:
        return work
    if way == "threads":
        change = partial(_fewer_lanes, random=random, fraction=fraction)
        return replace(work, traces=lambda: _Fewer(work.traces(), change))
    if way == "warps":
        chosen = _choice(random, -(-launch.threads_per_cta // lanes), fraction)
        block = (min(lanes, launch.threads_per_cta) * len(chosen), 1, 1)
        change = partial(with_warps, chosen=chosen)
        return replace(work, launch=replace(launch, block=block),
                       traces=lambda: _Fewer(work.traces(), change))  # fmt: skip
    chosen = _choice(random, launch.cta_count, fraction)
    places = [unravel_index(int(n), launch.grid) for n in chosen]
    change = partial(_as_grid, chosen=chosen)
    return replace(work, launch=replace(launch, grid=(len(chosen), 1, 1)),
                   traces=lambda: _Fewer(work.traces(), change, places))  # fmt: skip


def _choice(random: np.random.Generator, number: int, fraction: float) -> Array:
    """Choose a part of so many things, in their order."""
    left = max(1, round(number * fraction))
    return np.sort(random.permutation(number)[:left])


class _Fewer:
    """A source of traces (a ``TraceSource``) that changes another's batches of events.

    Its CTAs are those at ``places`` of the other's, where some are left out.
    """

    def __init__(
        self, source: Any, change: Callable[[Any], Any], places: Sequence[Any] | None = None
    ) -> None:
        self._source, self._change, self._places = source, change, places

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def batches(self, ctas: Iterable[Any]) -> Iterator[Any]:
        places = self._places
        own = ctas if places is None else (places[number] for number, _, _ in ctas)
        yield from map(self._change, self._source.batches(own))


# Batches of events.


def _fewer_lanes(batch: Any, random: np.random.Generator, fraction: float) -> Any:
    each = random.random((len(batch.warps) - 1, batch.tables.warp_size))
    bits = np.uint64(1) << np.arange(batch.tables.warp_size, dtype=np.uint64)
    return with_lanes(batch, np.where(each < fraction, bits, np.uint64(0)).sum(axis=1))


def _as_grid(batch: Any, chosen: Array) -> Any:
    """Number the CTAs that were chosen as those of a grid of their own."""
    tables = replace(batch.tables, grid=(len(chosen), 1, 1))
    return replace(batch, tables=tables, ctas=np.searchsorted(chosen, batch.ctas))


def with_lanes(batch: Any, kept: Array) -> Any:
    """Switch lanes of warps off: ``kept`` has the mask of those that stay on, by warp."""
    of_event = _spread(kept, batch.warps)
    mask = batch.mask & of_event
    access_mask = batch.access_mask & _spread(of_event, batch.event_accesses)
    guard_mask = batch.guard_mask & _spread(of_event, batch.event_guards)
    thin = replace(batch, mask=mask, access_mask=access_mask, guard_mask=guard_mask)
    return _only(thin, mask != 0, access_mask != 0)


def with_warps(batch: Any, chosen: Array) -> Any:
    """Leave only some warps of each CTA, by their numbers there."""
    of_warp = np.tile(np.isin(np.arange(batch.tables.warps_per_cta), chosen), len(batch.ctas))
    fewer = _only(batch, _spread(of_warp, batch.warps), np.ones(len(batch.access_mask), bool))
    tables = replace(batch.tables, warps_per_cta=len(chosen))
    return replace(fewer, tables=tables, warps=_ends(np.diff(fewer.warps)[of_warp]))


def _only(batch: Any, events: Array, accesses: Array) -> Any:
    """Leave some events, and of these some accesses."""
    accesses = accesses & _spread(events, batch.event_accesses)
    guards = _spread(events, batch.event_guards)
    own = {
        **{name: getattr(batch, name)[events] for name in ("block", "mask")},
        **{name: getattr(batch, name)[guards] for name in ("guard_number", "guard_mask")},
        **{f"access_{name}": getattr(batch, f"access_{name}")[accesses]
           for name in ("point", "mask", "base", "pattern")},
    }  # fmt: skip
    return replace(
        batch,
        warps=_ends(_counts(events, batch.warps)),
        event_guards=_ends(np.diff(batch.event_guards)[events]),
        event_accesses=_ends(_counts(accesses, batch.event_accesses)[events]),
        **own,
    )


def _spread(values: Array, ends: Array) -> Array:
    """A value for each thing between ends that follow one another."""
    return np.repeat(values, np.diff(ends))


def _counts(chosen: Array, ends: Array) -> Array:
    """Count what is chosen between ends that follow one another."""
    return np.diff(np.concatenate([[0], np.cumsum(chosen)])[ends])


def _ends(counts: Array) -> Array:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
