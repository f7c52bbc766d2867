"""Warp instructions a second of CPU time, how time grows with more work and SMs, and memory.

A program runs once with its calls recorded, and its time is not counted. What is: loading and
analysing kernels, executing them again for their traces, simulating all launches in one simulation
on the reference's QV100 with caches that begin empty, and reading off the result, all compiled code
being there. The engine is what remains without traces and Python. CPU time is that of all threads.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

from warpmill.benchmarks.benchmark import Request, alone, say
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
from warpmill.benchmarks.simulate.programs import (
    QV100,
    Recorded,
    jobs_of,
    record,
    reference_machine,
)
from warpmill.executor.host.recording import Recording
from warpmill.session.applications import Application, application
from warpmill.session.simulations import simulate
from warpmill.session.workloads import workloads
from warpmill.simulator.gpu import simulate as simulation
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
PER_SM: Mapping[str, Callable[[int], str]] = {
    "fma_sfu": lambda sms: f"{1536 * sms} 256",
    "vecadd": lambda sms: f"{24576 * sms}",
}
"""Inputs that give each SM as much to do, however many there are."""


def measure(request: Request) -> SimulateResult:
    """Compare and measure everything, or some programs and workloads."""
    names, rounds = request.names, 1 if request.quick else ROUNDS
    launches, wrong = compare(timed_rows(names, quick=request.quick))
    machine, speeds = reference_machine(QV100), []
    simulated("warming", record(*WARMING).recording, machine)  # compiles the engine
    for ran in subjects(names, quick=request.quick):
        say(f"speed: {ran.title}")
        wrong |= set() if ran.right else {ran.title}
        speeds.append(rated(ran, machine, rounds))
    idle, most, instructions = None, None, None
    if not request.is_partial:
        say("memory: 10^8 warp instructions")
        idle, most, instructions = alone(memory)
    return SimulateResult(
        launches=tuple(launches),
        speeds=tuple(speeds),
        growth=() if names else tuple(growth(quick=request.quick)),
        peak_bytes=most,
        idle_bytes=idle,
        peak_warp_insts=instructions,
        failures=tuple(sorted(wrong)),
    )


@contextmanager
def engine_seconds() -> Iterator[list[float]]:
    """A list; when the block ends, it holds the CPU time of each call of the engine."""
    spent: list[float] = []
    run = vars(simulation)["run"]

    def timed(*given: Any) -> Any:
        begin = time.process_time()
        try:
            return run(*given)
        finally:
            spent.append(time.process_time() - begin)

    vars(simulation)["run"] = timed
    try:
        yield spent
    finally:
        vars(simulation)["run"] = run


def simulated(title: str, recording: Recording, machine: Machine) -> dict[str, Any]:
    """Simulate what was recorded, from loading its kernels to the result; counts and seconds."""
    begin = time.process_time()
    with engine_seconds() as spent:
        result = simulate(jobs_of(Application(title, recording)), machine)
    return {
        "warp_insts": result.warp_instructions,
        "cycles": result.cycles,
        "launches": len(result.launches),
        "engine_s": sum(spent),
        "total_s": time.process_time() - begin,
    }


def rated(ran: Recorded, machine: Machine, rounds: int) -> Speed:
    """Simulate some times; the counts, median seconds, and how busy the computer was."""
    before = os.getloadavg()[0]
    each = [simulated(ran.title, ran.recording, machine) for _ in range(rounds)]
    engine = [one["engine_s"] for one in each]
    medians = {key: median(one[key] for one in each) for key in ("engine_s", "total_s")}
    return Speed(
        name=ran.title,
        **{**each[0], **medians},
        spread=max(engine) / min(engine),
        load=max(before, os.getloadavg()[0]),
    )


def subjects(names: Sequence[str], *, quick: bool) -> Iterator[Recorded]:
    """The reference's large inputs and all workloads, or those named; a few small ones."""
    rows = [row for row in gpgpusim.reference_rows() if row["suite"] == "own-large"]
    large = dict.fromkeys((row["program"], row["input"]) for row in rows)
    for program, input_ in SMALL if quick else large:
        if not names or program in names:
            yield record(program, input_)
    for name in () if quick else workloads():
        if not names or name in names:
            app = application(f"{name}:small")
            yield Recorded(app.title, app.recording)


def growth(*, quick: bool) -> Iterator[Growth]:
    """One, two and four times as much to do; more and more SMs, with more to do or the same."""
    counts = SM_COUNTS[:2] if quick else SM_COUNTS
    for program, inputs in LONGER.items():
        chosen = inputs[:2] if quick else inputs
        yield from _grown(INSTRUCTIONS, program, [(each, 80) for each in chosen], quick=quick)
    for program, of_sms in PER_SM.items():
        more = [(of_sms(sms), sms) for sms in counts]
        same = [(of_sms(counts[-1]), sms) for sms in counts]
        yield from _grown(SMS_AND_WORK, program, more, quick=quick)
        yield from _grown(SMS, program, same, quick=quick)


def _grown(
    of: str, program: str, steps: Sequence[tuple[str, int]], *, quick: bool
) -> Iterator[Growth]:
    """Inputs on so many SMs: how much longer than the first, over how much more there is."""
    first: tuple[float, float] | None = None
    for input_, sms in steps:
        say(f"growth: {program} {input_} on {sms} SMs")
        machine = reference_machine(QV100, sm__count=sms)
        one = rated(record(program, input_), machine, 1 if quick else ROUNDS)
        amount = one.warp_insts if of == INSTRUCTIONS else sms
        first = first or (one.engine_s, amount)
        yield Growth(
            of=of,
            program=program,
            input=input_,
            sms=sms,
            warp_insts=one.warp_insts,
            engine_s=one.engine_s,
            over_linear=one.engine_s / first[0] / (amount / first[1]),
        )


def memory() -> tuple[int, int, int]:
    """Simulate 10^8 warp instructions: this process's bytes before and at most, and how many."""
    ran = record(*PEAK)
    idle = peak_kilobytes()
    done = simulated(ran.title, ran.recording, reference_machine(QV100))
    return idle * 1024, peak_kilobytes() * 1024, done["warp_insts"]
