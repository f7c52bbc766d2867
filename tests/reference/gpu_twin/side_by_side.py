"""A simulation by the engine, and the same one by the twin: all that both count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.reference.gpu_twin.dispatch import Launch
from tests.reference.gpu_twin.gpu import Gpu
from tests.reference.gpu_twin.program import Event, read_streams
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.pool import Pool
from warpmill.simulator.gpu.records import (
    BIN,
    CHANNEL_COUNTS,
    INSTRUCTION_COUNTS,
    SLICE_COUNTS,
    SM_COUNTS,
)
from warpmill.simulator.gpu.simulate import LaunchWork, Simulation
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.memory.cache import CacheSpec, l1_spec
from warpmill.simulator.resources import SIMULATED_STATES


@dataclass
class _Recording(Pool):
    """A pool that remembers what it was given."""

    given: dict[int, list[tuple[Any, Any]]] = field(default_factory=dict)

    def add(self, launch: int, first_cta: int, streams: Any, rows: Any, *rest: Any) -> None:
        self.given.setdefault(launch, []).append((streams, rows))
        super().add(launch, first_cta, streams, rows, *rest)


def simulation(
    machine: Machine, works: Sequence[LaunchWork], options: Options | None = None
) -> Simulation:
    """Make a simulation by the engine whose traces the twin can have later."""
    made = Simulation(machine, works, options or Options())
    made.pool = _Recording()
    return made


def twin_of(sim: Simulation, *, tireless: bool = False) -> Gpu:
    """Let the twin do what a simulation has done."""
    launches = [_launch(sim, k) for k in range(len(sim.works))]
    gpu = Gpu(sim.spec, sim.code, launches, tireless=tireless)
    if sim.options.l2 == "warm":
        for sectors, is_dirty in sim.left_in_l2():
            gpu.warm(sectors, is_dirty=is_dirty)
    done = 0
    while done < len(launches):
        first, begin = done == 0, done
        alone = len({launch.stream for launch in launches[done:]}) == 1
        done = done + 1 if alone else len(launches)
        if first or not sim.options.keep_l1:
            gpu.empty_l1(_l1_of(sim, range(begin, done)), first=first)
        if not first and sim.options.flush_l2:
            gpu.empty_l2()
        gpu.release(done)
        gpu.run()
    return gpu


def _l1_of(sim: Simulation, numbers: range) -> CacheSpec | None:
    """The L1 of launches that run together: what the largest carve-out leaves of it."""
    spec = l1_spec(sim.machine, max(sim.occupancies[k].shared_carveout_bytes for k in numbers))
    if spec is None:
        return None
    sector = sim.spec.caches["l1"][1].sector_bytes
    return CacheSpec(spec.size_bytes, spec.line_bytes, sector, spec.ways)


def _launch(sim: Simulation, number: int) -> Launch:
    fit, pool = sim.occupancies[number], sim.pool
    given = pool.given if isinstance(pool, _Recording) else {}
    warps = [w for batch in given.get(number, []) for w in read_streams(*batch)]
    each = fit.warps_per_cta

    def events(cta: int) -> list[list[Event]]:
        return warps[cta * each : (cta + 1) * each]

    return Launch(
        ctas=sim.simulated[number],
        warps=each,
        share=c.SHARES // fit.ctas_per_sm,
        stream=sim.works[number].stream,
        first_block=sim.code.first_block[sim._kernels[number]],
        events=events,
    )


def of_engine(sim: Simulation) -> dict[str, Any]:
    """What the engine has counted."""
    state = sim.state
    launches, log, spans = (state.table(name) for name in ("launch", "cta_log", "span"))
    spans, bins = spans[: state.number("spans")], state.table("bin")
    rows = state.table("instruction_counts")
    return {
        "sm": _rows(state.table("sm")["counts"]),
        "slice": _rows(state.table("slice")["counts"]),
        "channel": _rows(state.table("channel")["counts"]),
        "instruction": _rows(rows[list(COLUMNS["instruction"])]),
        "stalls": rows["stalls"].tolist(),
        "latencies": rows["latency_bins"].tolist(),
        "launches": _rows(launches[["begin", "end"]]),
        "ctas": _rows(log[["sm", "begin", "end", "issued"]]),
        "ends": state.table("sm")["end"].tolist(),
        "spans": sorted(spans.tolist()),
        "bins": {name: _sparse(bins[name].tolist()) for name in BIN.names or ()},
        "bin cycles": state.number("bin_cycles"),
    }


def of_twin(gpu: Gpu, bin_cycles: int) -> dict[str, Any]:
    """What the twin has counted, what happened over time in bins of so many cycles."""
    spec, counts, rows = gpu.spec, gpu.counts, len(gpu.program.instructions)
    ctas = sorted(gpu.ctas, key=lambda cta: cta.log)
    return {
        "sm": _dense(counts.sms, spec.sm_count, COLUMNS["sm"]),
        "slice": _dense(counts.slices, spec.slice_count, COLUMNS["slice"]),
        "channel": _dense(counts.channels, spec.channel_count, COLUMNS["channel"]),
        "instruction": _dense(counts.rows, rows, COLUMNS["instruction"]),
        "stalls": _dense(counts.stalls, rows, range(len(SIMULATED_STATES))),
        "latencies": _dense(counts.latencies, rows, range(c.HISTOGRAM)),
        "launches": [[launch.begin, launch.end] for launch in gpu.launches],
        "ctas": [[x.sm.number, x.begin, x.end, x.issued] for x in ctas],
        "ends": [sm.end for sm in gpu.sms],
        "spans": sorted(gpu.spans),
        "bins": {name: dict(counts.in_bins(name, bin_cycles)) for name in BIN.names or ()},
        "bin cycles": bin_cycles,
    }


def unequal(sim: Simulation, *, tireless: bool = False) -> list[str]:
    """Where a simulation that has ended and the twin's differ.

    How often something was tried in vain, and why warps did not issue meanwhile, depend on how
    often one looks; of a ``tireless`` twin they are not compared.
    """
    mine = of_engine(sim)
    theirs = of_twin(twin_of(sim, tireless=tireless), mine["bin cycles"])
    found = differences(mine, theirs)
    return [one for one in found if not (tireless and one.split(":")[0].endswith(LOOKS))]


def _dense(counts: dict[int, Counter[Any]], rows: int, columns: Iterable[Any]) -> list[list[int]]:
    return [[counts[k][column] for column in columns] for k in range(rows)]


def _rows(records: Any) -> list[list[int]]:
    return [list(one) for one in records.tolist()]


def _sparse(values: list[int]) -> dict[int, int]:
    return {k: value for k, value in enumerate(values) if value}


def differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Where two results differ, in words that name the count."""
    found = []
    for name, mine in one.items():
        theirs = other[name]
        if mine == theirs:
            continue
        if name in COLUMNS:
            at = np.argwhere(np.array(mine) != np.array(theirs)).tolist()
            words = [
                f"{name} {row} {COLUMNS[name][k]}: {mine[row][k]} and {theirs[row][k]}"
                for row, k in at
            ]
        elif name == "bins":
            words = [f"{name} {kind}: {mine[kind]} and {theirs[kind]}" for kind in mine]
        else:
            words = [f"{name}: {mine} and {theirs}"]
        found += words
    return found


COLUMNS: dict[str, tuple[str, ...]] = {
    "sm": SM_COUNTS.names or (),
    "slice": SLICE_COUNTS.names or (),
    "channel": CHANNEL_COUNTS.names or (),
    "instruction": tuple(
        x for x in INSTRUCTION_COUNTS.names or () if not INSTRUCTION_COUNTS[x].shape
    ),
    "stalls": SIMULATED_STATES,
    "latencies": tuple(f"bin {k}" for k in range(c.HISTOGRAM)),
}

LOOKS = (*SIMULATED_STATES, "lsu_stalls", " stalls")
"""Counts that depend on how often one looks."""
