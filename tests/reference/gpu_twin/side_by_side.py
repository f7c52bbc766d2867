"""A simulation by the engine, and the same one by the twin: all that both count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.reference.gpu_twin.dispatch import Launch
from tests.reference.gpu_twin.gpu import Gpu
from tests.reference.gpu_twin.program import Event, read_streams
from warpmill.simulator.gpu import fields as f
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.pool import Pool
from warpmill.simulator.gpu.simulate import LaunchWork, Simulation
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.memory.cache import CacheSpec, l1_spec

BINS = {
    "instructions": f.B_INSTRUCTIONS,
    "l1": f.B_L1_ACCESSES,
    "l2": f.B_L2_ACCESSES,
    "dram": f.B_DRAM_SECTORS,
}


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
        for region in sim.source(0).layout.regions:
            gpu.warm(_sectors_of(region, sim.spec.numbers[f.SECTOR_BYTES]))
    done = 0
    while done < len(launches):
        first, begin = done == 0, done
        alone = len({launch.stream for launch in launches[done:]}) == 1
        done = done + 1 if alone else len(launches)
        if first or not sim.options.keep_l1:
            gpu.empty_l1(_l1_of(sim, range(begin, done)))
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
    sector = sim.spec.caches[f.L1_CACHE][1].sector_bytes
    return CacheSpec(spec.size_bytes, spec.line_bytes, sector, spec.ways)


def _sectors_of(region: Any, size: int) -> range:
    """The sectors of a buffer."""
    return range(region.start // size, -(-(region.start + region.size_bytes) // size))


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
        share=f.SHARES // fit.ctas_per_sm,
        stream=sim.works[number].stream,
        first_block=sim.code.first_block[sim._kernels[number]],
        events=events,
    )


def of_engine(sim: Simulation) -> dict[str, Any]:
    """What the engine has counted."""
    state, number = sim.state, sim.state.number
    launches = state.part(f.AT_LAUNCH, len(sim.works), f.LAUNCH_FIELDS)
    log = state.part(f.AT_CTA_LOG, number(f.CTA_LOG), f.LOG_FIELDS)[:, f.CL_SM :]
    spans = state.part(f.AT_SPAN, int(state.words[f.G_SPANS]), f.SPAN_FIELDS)
    bins = state.part(f.AT_BIN, number(f.BINS), f.BIN_FIELDS)
    ends = state.part(f.AT_SM, number(f.SMS), f.SM_FIELDS)[:, f.SM_END]
    parts = {
        "sm": (f.AT_SM_COUNT, f.SMS, f.SM_COUNTS),
        "slice": (f.AT_SLICE_COUNT, f.SLICES, f.SLICE_COUNTS),
        "channel": (f.AT_CHANNEL_COUNT, f.CHANNELS, f.CHANNEL_COUNTS),
        "instruction": (f.AT_ROW_COUNT, f.ROWS, f.ROW_COUNTS),
        "latencies": (f.AT_HISTOGRAM, f.ROWS, f.HISTOGRAM),
    }
    found: dict[str, Any] = {
        name: state.part(at, number(count), fields).tolist()
        for name, (at, count, fields) in parts.items()
    }
    return found | {
        "launches": launches[:, [f.LA_BEGIN, f.LA_END]].tolist(),
        "ctas": log.tolist(),
        "ends": ends.tolist(),
        "spans": sorted(map(tuple, spans.tolist())),
        "bins": {name: _sparse(bins[:, k].tolist()) for name, k in BINS.items()},
        "bin cycles": int(state.words[f.G_BIN_CYCLES]),
    }


def of_twin(gpu: Gpu, bin_cycles: int) -> dict[str, Any]:
    """What the twin has counted, what happened over time in bins of so many cycles."""
    n, counts = gpu.spec.numbers, gpu.counts
    rows = len(gpu.program.instructions)
    ctas = sorted(gpu.ctas, key=lambda cta: cta.log)
    return {
        "sm": _dense(counts.sms, n[f.SMS], f.SM_COUNTS),
        "slice": _dense(counts.slices, n[f.SLICES], f.SLICE_COUNTS),
        "channel": _dense(counts.channels, n[f.CHANNELS], f.CHANNEL_COUNTS),
        "instruction": _dense(counts.rows, rows, f.ROW_COUNTS),
        "latencies": _dense(counts.latencies, rows, f.HISTOGRAM),
        "launches": [[launch.begin, launch.end] for launch in gpu.launches],
        "ctas": [[x.sm.number, x.begin, x.end, x.issued] for x in ctas],
        "ends": [sm.end for sm in gpu.sms],
        "spans": sorted(gpu.spans),
        "bins": {name: dict(counts.in_bins(k, bin_cycles)) for name, k in BINS.items()},
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


def _dense(counts: dict[int, Counter[int]], rows: int, columns: int) -> list[list[int]]:
    return [[counts[k][column] for column in range(columns)] for k in range(rows)]


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


def _names(prefix: str, *, without: tuple[str, ...] = ()) -> dict[int, str]:
    return {
        value: name
        for name, value in vars(f).items()
        if name.startswith(prefix) and not name.startswith(without)
    }


COLUMNS: dict[str, dict[int, str]] = {
    "sm": _names("N_", without=("N_L2_", "N_DRAM_", "N_ROW_")),
    "slice": _names("N_L2_"),
    "channel": _names("N_DRAM_") | _names("N_ROW_"),
    "instruction": _names("RC_") | {f.RC_STALLS + k: name for k, name in enumerate(f.REASONS)},
    "latencies": {k: f"bin {k}" for k in range(f.HISTOGRAM)},
}

LOOKS = (*f.REASONS, "N_LSU_STALLS", "N_L2_STALLS")
"""Counts that depend on how often one looks."""
