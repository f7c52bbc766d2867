"""How fast simulations are: warp instructions a second of CPU time, on one core.

The reference's large inputs, and the preset ``small`` of every workload with all of its launches in
one simulation, on the reference's QV100 of 80 SMs with caches that begin empty. The host program
runs before, and its time is not counted. What is: loading and analysing kernels, executing them
again for their traces, simulating, and reading off the result, all compiled code being there. The
engine is what remains without traces and Python. CPU time is that of all threads.
"""

from __future__ import annotations

import math
import os
import time
from contextlib import contextmanager
from statistics import fmean, median

from benchmarks.execution import gpgpusim
from benchmarks.simulate_parts.programs import QV100, plan_of, record, reference_machine
from warpmill.session.applications import Application, application
from warpmill.session.workloads import workloads
from warpmill.simulator.gpu import simulate
from warpmill.simulator.gpu.results import result_of

ROUNDS = 3
WARMING = ("vecadd", "4096")


@contextmanager
def engine_seconds():
    """A list; when the block ends, it holds the CPU time of each call of the engine."""
    spent, run = [], simulate.run

    def timed(*given):
        begin = time.process_time()
        try:
            return run(*given)
        finally:
            spent.append(time.process_time() - begin)

    simulate.run = timed
    try:
        yield spent
    finally:
        simulate.run = run


def simulated(title, recording, machine):
    """Simulate what was recorded, from loading its kernels to the result; counts and seconds."""
    begin = time.process_time()
    made = plan_of(Application(title, recording), machine)
    with engine_seconds() as spent:
        result = simulate_to_the_end(made)
    return {
        "warp_insts": result.warp_instructions,
        "cycles": result.cycles,
        "launches": len(result.launches),
        "engine_s": sum(spent),
        "total_s": time.process_time() - begin,
    }


def simulate_to_the_end(made):
    """Run a plan; its result."""
    simulation = made.simulation()
    simulation.run()
    return result_of(simulation)


def warm(machine):
    """Compile the engine for nothing but to have it."""
    small = record(*WARMING)
    simulated("warming", small.recording, machine)


def rated(title, recording, machine, rounds=ROUNDS):
    """Simulate some times; the counts, median seconds and rates, and how busy the computer was."""
    before = os.getloadavg()[0]
    each = [simulated(title, recording, machine) for _ in range(rounds)]
    engine, total = (median(one[key] for one in each) for key in ("engine_s", "total_s"))
    instructions = each[0]["warp_insts"]
    return {
        "name": title,
        **each[0],
        "engine_s": engine,
        "total_s": total,
        "warp_inst_per_s": instructions / engine,
        "total_warp_inst_per_s": instructions / total,
        "spread": max(one["engine_s"] for one in each) / min(one["engine_s"] for one in each),
        "load": max(before, os.getloadavg()[0]),
    }


def large_inputs():
    """List the reference's large inputs: (program, input)."""
    rows = gpgpusim.reference_rows()
    large = ((r["program"], r["input"]) for r in rows if r["suite"] == "own-large")
    return list(dict.fromkeys(large))


def small_inputs():
    """List inputs of a glance."""
    return [("vecadd", "65536"), ("spmv", "8192 8"), ("fma_sfu", "16384 64")]


def measure(programs, say, *, quick):
    """Measure all programs, or the named ones: a row each, and which gave wrong results."""
    machine = reference_machine(QV100)
    warm(machine)
    rows, wrong = [], []
    rounds = 1 if quick else ROUNDS
    for program, input_ in small_inputs() if quick else large_inputs():
        if not programs or program in programs:
            say(f"speed: {program} {input_}")
            ran = record(program, input_)
            wrong += [] if ran.right else [f"{program} {input_}"]
            title = f"{program} {input_}"
            rows.append(rated(title, ran.recording, machine, rounds))
    for name in [] if quick else workloads():
        if not programs or name in programs:
            say(f"speed: {name}:small")
            ran = application(f"{name}:small")
            rows.append(rated(ran.title, ran.recording, machine, rounds))
    return rows, wrong


def figures(rows):
    """Sum rows up: geometric means, of warp instructions a second."""
    if not rows:
        return {}
    rates = ("warp_inst_per_s", "total_warp_inst_per_s")
    return {
        **{name: math.exp(fmean(math.log(row[name]) for row in rows)) for name in rates},
        "slowest": min((row["warp_inst_per_s"], row["name"]) for row in rows),
        "speed_rows": rows,
    }
