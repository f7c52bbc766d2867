"""Simulations of originals and of their clones: cycles and counts by launch, and CPU time."""

from __future__ import annotations

import json
import time
from hashlib import sha256
from itertools import pairwise

from benchmarks.simulate.speed import engine_seconds
from warpmill.session.executed import executed_source
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.registers import RECORD, chip_number
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import simulate, simulation
from warpmill.simulator.machines import load_machine

EXECUTED = TraceOptions(source="executed")
_WARMING_CYCLES = 64


def warm(jobs, machine):
    """Have all compiled that a simulation needs: the engine, and kernels with their traces."""
    seen = set()
    for job in jobs:
        if id(job.kernel) not in seen:
            seen.add(id(job.kernel))
            next(iter(executed_source(job).batches([(0, 0, 0)])))
    simulation(jobs, machine, trace_options=EXECUTED).run(until=_WARMING_CYCLES)


def timed(jobs, machine):
    """Simulate launches in a row, with traces that are executed; the result and CPU seconds.

    ``cpu_s`` are those of plan, traces, timing and result, ``engine_s`` those of timing alone.
    Reading the machine and kernels and their analysis is not among them, nor is compiling once it
    was done.
    """
    read = load_machine(machine)
    begin = time.process_time()
    with engine_seconds() as spent:
        result = simulate(jobs, read, trace_options=EXECUTED)
    return result, {"cpu_s": time.process_time() - begin, "engine_s": sum(spent)}


def launch_rows(result):
    """What each launch took: cycles since the last one's end, and counts.

    One row for all where launches ran at the same time, as counts cannot be told apart then.
    """
    if len(result.totals) != len(result.launches):
        return [_row(result.simulated_cycles, result.totals[-1], None)]
    first = min(one.begin_cycle for one in result.launches)
    ends = [first] + [one.end_cycle for one in result.launches]
    before = [None, *result.totals[:-1]]
    spans = pairwise(ends)
    return [
        _row(end - begin, own, last)
        for (begin, end), own, last in zip(spans, result.totals, before, strict=True)
    ]


def _row(cycles, totals, before):
    def since(value):
        return value(totals) - (0 if before is None else value(before))

    return {
        "cycles": cycles,
        "threads": since(lambda t: t.thread_instructions),
        "warps": since(lambda t: t.warp_instructions),
        "l1_accesses": since(lambda t: t.cache("l1").accesses if t.cache("l1") else 0),
        "l1_misses": since(lambda t: t.cache("l1").misses if t.cache("l1") else 0),
        "dram": since(lambda t: t.dram_reads + t.dram_writes),
    }


def summed(rows):
    """Add rows of launches up."""
    rows = list(rows)
    return {key: sum(row[key] for row in rows) for key in rows[0]}


def write_clone(cloned, machine, folder):
    """Write a clone's files, with the registers that the original's kernels take on a machine."""
    for name, text in cloned.files.files:
        (folder / name).write_text(text, "utf-8")
    jobs = cloned.studied.jobs
    counts = plan(jobs, machine).registers
    chip = chip_number(load_machine(machine)) or 80
    kernels = {
        model.name: {f"sm_{chip}": {"registers": counts[own[0]].registers_per_thread}}
        for model, own in zip(cloned.models, cloned.studied.groups, strict=True)
    }
    ptx = next(name for name in cloned.files.names if name.endswith(".ptx"))
    digest = sha256((folder / ptx).read_bytes()).hexdigest()
    record = {ptx: {"sha256": digest, "ptxas": {"kernels": kernels}}}
    (folder / RECORD).write_text(json.dumps(record), "utf-8")
    return prepare_all(folder / "launch.toml")
