"""Sampling in space, which the paper rejects (§3.2, Figures 2 and 3): fewer threads of a launch.

Threads are lanes that are switched off at random in all that their warps do; warps are left out of
their CTAs, CTAs out of their grid, at random too, the same ones of every CTA for warps. What is
left does what it does in the whole launch: its traces are taken from those of the original.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

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
    """Simulate launches in which so many of their threads, warps or CTAs are left; the figures."""
    made = plan(jobs, machine, trace_options=EXECUTED)
    works = [thinned(work, way, fraction, SEED + k) for k, work in enumerate(made.works)]
    running = Simulation(made.machine, works, made.options)
    running.run()
    return figures(result_of(running))


def figures(result: Any) -> dict[str, Any]:
    """What Figures 2 and 3 show."""
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
        return replace(work, traces=lambda: _Thinned(work.traces(), fraction, random))
    if way == "warps":
        warps = -(-launch.threads_per_cta // lanes)
        chosen = choice(random, warps, fraction)
        block = (min(lanes, launch.threads_per_cta) * len(chosen), 1, 1)
        smaller = replace(launch, block=block)
        return replace(work, launch=smaller, traces=lambda: _FewerWarps(work.traces(), chosen))
    chosen = choice(random, launch.cta_count, fraction)
    smaller = replace(launch, grid=(len(chosen), 1, 1))
    places = [_place(launch.grid, int(n)) for n in chosen]
    return replace(work, launch=smaller, traces=lambda: _FewerCtas(work.traces(), places))


def choice(random: np.random.Generator, number: int, fraction: float) -> Array:
    """Choose a part of so many things, in their order."""
    left = max(1, round(number * fraction))
    return np.sort(random.permutation(number)[:left])


def _place(grid: Sequence[int], number: int) -> tuple[int, int, int]:
    x, y, _ = grid
    return number % x, number // x % y, number // (x * y)


class _Source:
    """A source of traces (a ``TraceSource``) that leaves something of another's out."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)


class _Thinned(_Source):
    def __init__(self, source: Any, fraction: float, random: np.random.Generator) -> None:
        super().__init__(source)
        self._fraction, self._random = fraction, random

    def batches(self, ctas: Any) -> Iterator[Any]:
        for batch in self._source.batches(ctas):
            yield with_lanes(batch, self._kept(batch))

    def _kept(self, batch: Any) -> Array:
        """Choose the lanes of each warp that are left."""
        each = self._random.random((len(batch.warps) - 1, batch.tables.warp_size))
        bits = np.uint64(1) << np.arange(batch.tables.warp_size, dtype=np.uint64)
        on = np.where(each < self._fraction, bits, np.uint64(0))
        kept: Array = on.sum(axis=1, dtype=np.uint64)
        return kept


class _FewerWarps(_Source):
    def __init__(self, source: Any, chosen: Array) -> None:
        super().__init__(source)
        self._chosen = chosen

    def batches(self, ctas: Any) -> Iterator[Any]:
        for batch in self._source.batches(ctas):
            yield with_warps(batch, self._chosen)


class _FewerCtas(_Source):
    def __init__(self, source: Any, places: Sequence[tuple[int, int, int]]) -> None:
        super().__init__(source)
        self._places = places

    def batches(self, ctas: Any) -> Iterator[Any]:
        numbers = (x for x, _, _ in ctas)
        done = 0
        for batch in self._source.batches(self._places[n] for n in numbers):
            tables = replace(batch.tables, grid=(len(self._places), 1, 1))
            count = len(batch.ctas)
            yield replace(batch, tables=tables, ctas=np.arange(done, done + count))
            done += count


# Batches of events.


def with_lanes(batch: Any, kept: Array) -> Any:
    """Switch lanes of warps off: ``kept`` has the mask of those that stay on, by warp."""
    warp = np.repeat(np.arange(len(batch.warps) - 1), np.diff(batch.warps))
    mask = batch.mask & kept[warp]
    event = np.repeat(np.arange(batch.events), np.diff(batch.event_accesses))
    access_mask = batch.access_mask & kept[warp[event]]
    guarded = np.repeat(np.arange(batch.events), np.diff(batch.event_guards))
    guard_mask = batch.guard_mask & kept[warp[guarded]]
    thin = replace(batch, mask=mask, access_mask=access_mask, guard_mask=guard_mask)
    return only(thin, mask != 0, access_mask != 0)


def with_warps(batch: Any, chosen: Array) -> Any:
    """Leave only some warps of each CTA, by their numbers there."""
    each = batch.tables.warps_per_cta
    stay = np.zeros(each, bool)
    stay[chosen] = True
    own = np.tile(stay, len(batch.ctas))
    events = np.repeat(own, np.diff(batch.warps))
    accesses = np.repeat(events, np.diff(batch.event_accesses))
    fewer = only(batch, events, accesses)
    tables = replace(batch.tables, warps_per_cta=len(chosen))
    lengths = np.diff(fewer.warps)[own]
    return replace(fewer, tables=tables, warps=_ends(lengths))


def only(batch: Any, events: Array, accesses: Array) -> Any:
    """Leave some events, and of these some accesses."""
    warp_events = _counts(events, batch.warps)
    event = np.repeat(events, np.diff(batch.event_accesses)) & accesses
    guards = np.repeat(events, np.diff(batch.event_guards))
    return replace(
        batch,
        warps=_ends(warp_events),
        block=batch.block[events],
        mask=batch.mask[events],
        event_guards=_ends(np.diff(batch.event_guards)[events]),
        guard_number=batch.guard_number[guards],
        guard_mask=batch.guard_mask[guards],
        event_accesses=_ends(_counts(event, batch.event_accesses)[events]),
        access_point=batch.access_point[event],
        access_mask=batch.access_mask[event],
        access_base=batch.access_base[event],
        access_pattern=batch.access_pattern[event],
    )


def _counts(chosen: Array, ends: Array) -> Array:
    """Count what is chosen between ends that follow one another."""
    sums = np.concatenate([[0], np.cumsum(chosen)])
    counts: Array = sums[ends[1:]] - sums[ends[:-1]]
    return counts


def _ends(counts: Array) -> Array:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
