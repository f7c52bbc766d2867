"""Warp instructions a second of CPU time, how time grows with more work and SMs, and memory.

A program runs once with its calls recorded, and its time is not counted. What is: loading and
analysing kernels, executing them again for their traces, simulating all launches in one simulation
on the reference's QV100 with caches that begin empty, and reading off the result, all compiled code
being there. The engine is what remains without traces and Python. CPU time is that of all threads.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.execution import gpgpusim
from warpmill.benchmarks.execution.measuring import peak_kilobytes
from warpmill.benchmarks.simulate import (
    INSTRUCTIONS,
    SMS,
    SMS_AND_WORK,
    Growth,
    SimulateResult,
    Speed,
)
from warpmill.benchmarks.simulate.agreement import compare, timed_rows
from warpmill.benchmarks.simulate.programs import QV100, plan_of, record, reference_machine
from warpmill.executor.host.recording import Recording
from warpmill.session.applications import Application, application
from warpmill.session.workloads import workloads
from warpmill.simulator.gpu import simulate
from warpmill.simulator.gpu.results import result_of
from warpmill.simulator.machines.model import Machine

ROUNDS = 3
WARMING = ("vecadd", "4096")
SMALL = [("vecadd", "65536"), ("spmv", "8192 8"), ("fma_sfu", "16384 64")]
"""Inputs of a glance."""
PEAK = ("matmul", "928")
"""A matrix product of 10^8 warp instructions."""
LONGER = {
    "fma_sfu": ("131072 64", "131072 128", "131072 256"),
    "vecadd": ("524288", "1048576", "2097152"),
}
"""Inputs that execute once, twice and four times as much: longer warps, and more of them."""
SM_COUNTS = (10, 20, 40, 80)
PER_SM: dict[str, Callable[[int], str]] = {
    "fma_sfu": lambda sms: f"{1536 * sms} 256",
    "vecadd": lambda sms: f"{24576 * sms}",
}
"""Inputs that give each SM as much to do, however many there are."""


def measure(request: Request) -> SimulateResult:
    """Compare and measure everything, or some programs and workloads."""
    quick, names = request.quick, request.names
    rows, wrong = compare(timed_rows(names, quick=quick))
    speeds, wrong_too = measured_speeds(names, quick=quick)
    growth = [] if names else [*longer(quick=quick), *wider(quick=quick)]
    idle, most, instructions = (None, None, None) if names or quick else peak()
    return SimulateResult(
        launches=tuple(rows),
        speeds=tuple(speeds),
        growth=tuple(growth),
        peak_bytes=most,
        idle_bytes=idle,
        peak_warp_insts=instructions,
        failures=tuple(sorted({*wrong, *wrong_too})),
    )


@contextmanager
def engine_seconds() -> Iterator[list[float]]:
    """A list; when the block ends, it holds the CPU time of each call of the engine."""
    spent: list[float] = []
    run = vars(simulate)["run"]

    def timed(*given: Any) -> Any:
        begin = time.process_time()
        try:
            return run(*given)
        finally:
            spent.append(time.process_time() - begin)

    vars(simulate)["run"] = timed
    try:
        yield spent
    finally:
        vars(simulate)["run"] = run


def simulated(title: str, recording: Recording, machine: Machine) -> dict[str, Any]:
    """Simulate what was recorded, from loading its kernels to the result; counts and seconds."""
    begin = time.process_time()
    made = plan_of(Application(title, recording), machine)
    with engine_seconds() as spent:
        simulation = made.simulation()
        simulation.run()
        result = result_of(simulation)
    return {
        "warp_insts": result.warp_instructions,
        "cycles": result.cycles,
        "launches": len(result.launches),
        "engine_s": sum(spent),
        "total_s": time.process_time() - begin,
    }


def rated(title: str, recording: Recording, machine: Machine, rounds: int = ROUNDS) -> Speed:
    """Simulate some times; the counts, median seconds, and how busy the computer was."""
    before = os.getloadavg()[0]
    each = [simulated(title, recording, machine) for _ in range(rounds)]
    engine = [one["engine_s"] for one in each]
    medians = {key: median(one[key] for one in each) for key in ("engine_s", "total_s")}
    return Speed(
        name=title,
        **{**each[0], **medians},
        spread=max(engine) / min(engine),
        load=max(before, os.getloadavg()[0]),
    )


def large_inputs() -> list[tuple[str, str]]:
    """List the reference's large inputs: (program, input)."""
    rows = gpgpusim.reference_rows()
    large = ((r["program"], r["input"]) for r in rows if r["suite"] == "own-large")
    return list(dict.fromkeys(large))


def measured_speeds(
    names: Sequence[str] = (), *, quick: bool = False
) -> tuple[list[Speed], list[str]]:
    """Measure all programs, or the named ones: a row each, and which gave wrong results."""
    machine = reference_machine(QV100)
    simulated("warming", record(*WARMING).recording, machine)  # compiles the engine
    rows, wrong = [], []
    rounds = 1 if quick else ROUNDS
    for program, input_ in SMALL if quick else large_inputs():
        if not names or program in names:
            title = f"{program} {input_}"
            say(f"speed: {title}")
            ran = record(program, input_)
            wrong += [] if ran.right else [title]
            rows.append(rated(title, ran.recording, machine, rounds))
    for name in [] if quick else workloads():
        if not names or name in names:
            say(f"speed: {name}:small")
            app = application(f"{name}:small")
            rows.append(rated(app.title, app.recording, machine, rounds))
    return rows, wrong


def longer(*, quick: bool) -> Iterator[Growth]:
    """Simulate one, two and four times as much."""
    for program, inputs in LONGER.items():
        chosen = inputs[:2] if quick else inputs
        rows = [_grown(INSTRUCTIONS, program, each, quick=quick) for each in chosen]
        yield from _beside_the_first(rows, "warp_insts")


def wider(*, quick: bool) -> Iterator[Growth]:
    """Simulate on more and more SMs, with as much work for each, and with the same for all."""
    counts = SM_COUNTS[:2] if quick else SM_COUNTS
    for program, of_sms in PER_SM.items():
        for of in (SMS_AND_WORK, SMS):
            inputs = [of_sms(counts[-1] if of == SMS else sms) for sms in counts]
            rows = [
                _grown(of, program, each, sms, quick=quick)
                for sms, each in zip(counts, inputs, strict=True)
            ]
            yield from _beside_the_first(rows, "sms")


def _grown(of: str, program: str, input_: str, sms: int = 80, *, quick: bool) -> dict[str, Any]:
    say(f"growth: {program} {input_} on {sms} SMs")
    machine = reference_machine(QV100, sm__count=sms)
    recording = record(program, input_).recording
    runs = [simulated(program, recording, machine) for _ in range(1 if quick else ROUNDS)]
    return {
        "of": of,
        "program": program,
        "input": input_,
        "sms": sms,
        "warp_insts": runs[0]["warp_insts"],
        "engine_s": median(run["engine_s"] for run in runs),
    }


def _beside_the_first(rows: Sequence[dict[str, Any]], key: str) -> Iterator[Growth]:
    """How much longer each took than the first, over how much more it is of ``key``."""
    first = rows[0]
    for row in rows:
        over = row["engine_s"] / first["engine_s"] / (row[key] / first[key])
        yield Growth(**row, over_linear=over)


def peak() -> tuple[int, int, int]:
    """Simulate 10^8 warp instructions in a fresh process: its bytes before and at most, and these.

    The number of instructions is the last.
    """
    say("memory: 10^8 warp instructions")
    command = [sys.executable, "-m", "warpmill.benchmarks.simulate.speed"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    before, most, instructions = map(int, done.stdout.split())
    return before, most, instructions


if __name__ == "__main__":
    recording = record(*PEAK).recording
    idle = peak_kilobytes()
    done = simulated(PEAK[0], recording, reference_machine(QV100))
    print(idle * 1024, peak_kilobytes() * 1024, done["warp_insts"])
