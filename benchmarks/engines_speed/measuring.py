"""What is timed: both engines over the launches of an application, in a process of its own.

The host program runs before, as both engines need what it launches, and its time stands apart. What
counts is everything from reading the kernels to the times that are predicted: analysis, traces (of
data where these decide, for which launches are executed again) and the engine. Before that the same
is done once for the application's preset ``tiny``, so that engines are compiled and loaded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median
from typing import TypeVar

from warpmill.benchmarks.benchmark import Request, alone, say
from warpmill.benchmarks.engines_speed import (
    MACHINES,
    PRESET,
    QUICK_PRESET,
    ROUNDS,
    Application,
    Asked,
    EnginesSpeed,
    OneLaunch,
    Program,
    table_v,
)
from warpmill.benchmarks.execution import gpgpusim
from warpmill.benchmarks.simulate.programs import Recorded, jobs_of, record, reference_machine
from warpmill.session import applications
from warpmill.session.applications import application, largest_of_each_kernel
from warpmill.session.estimates import estimate
from warpmill.session.jobs import Job
from warpmill.session.simulations import simulate
from warpmill.simulator.machines.model import Machine

CONFIGURATIONS = ("SM7_QV100", "SM75_RTX2060")
SUITE = "own"
"""Rows of GPGPU-Sim's configurations as shipped."""
FEW = (("vecadd", "65536"), ("spmv", "8192 8"))
"""Programs that are measured for a glance."""

Microseconds = Callable[[Sequence[Job], str | Machine], float]
T = TypeVar("T")


def measure(request: Request) -> EnginesSpeed:
    """Measure applications, then the programs that GPGPU-Sim was timed on."""
    preset, machines = (QUICK_PRESET, MACHINES[:1]) if request.quick else (PRESET, MACHINES)
    rows, few = [], request.is_partial
    for machine in machines:
        for name in request.chosen(table_v()[0]):
            say(f"{name} on {machine}")
            rows.append(alone(measured, name, preset, machine))
    programs = []
    for config in CONFIGURATIONS[:1] if few else CONFIGURATIONS:
        say(f"programs on {config}")
        programs += alone(programs_on, config, few)
    return EnginesSpeed(preset=preset, rate=rate(), rows=tuple(rows), programs=tuple(programs))


def estimated_us(jobs: Sequence[Job], machine: str | Machine) -> float:
    """Estimate launches one by one; the sum of their executions in µs, without what launching adds.

    Simulations have no such overhead either.
    """
    return sum(estimate(job, machine).execution_us for job in jobs)


def simulated_us(jobs: Sequence[Job], machine: str | Machine) -> float:
    """Simulate launches in a row, µs from the first CTA's begin to the last one's end."""
    return simulate(jobs, machine).time_us


ENGINES: Mapping[str, Microseconds] = {"estimate": estimated_us, "simulate": simulated_us}


def ask(
    app: applications.Application | Recorded,
    machine: str | Machine,
    rounds: int = 1,
    launch: int | None = None,
) -> dict[str, Asked]:
    """The answers of both engines to all launches of an application, or to one, by their names."""
    found = {}
    for name, engine in ENGINES.items():
        time_us, cpu_s = timed(partial(_answer, engine, app, machine, launch), rounds)
        found[name] = Asked(cpu_s=cpu_s, time_us=time_us)
    return found


def _answer(
    engine: Microseconds,
    app: applications.Application | Recorded,
    machine: str | Machine,
    launch: int | None,
) -> float:
    """Read the kernels again, and ask for launches of which nothing is known yet."""
    jobs = jobs_of(applications.Application(app.title, app.recording))
    return engine(jobs if launch is None else [jobs[launch]], machine)


def measured(name: str, preset: str, machine: str) -> Application:
    """Ask both engines for an application on a machine."""
    load = os.getloadavg()[0]
    app, host_s = timed(lambda: application(f"{name}:{preset}"))
    tiny = application(f"{name}:tiny")
    for number in (*largest_of_each_kernel(tiny.launches), None):
        ask(tiny, machine, launch=number)
    executed = [one.warp_instructions for one in app.launches]
    kernels = tuple(
        OneLaunch(
            kernel=app.launches[n].kernel.name, launch=n, **ask(app, machine, ROUNDS, launch=n)
        )
        for n in largest_of_each_kernel(app.launches)
    )
    return Application(
        workload=name,
        machine=machine,
        launches=len(app.launches),
        warp_instructions=None if None in executed else sum(filter(None, executed)),
        host_s=host_s,
        kernels=kernels,
        **ask(app, machine),
        load=max(load, os.getloadavg()[0]),
    )


def timed(call: Callable[[], T], rounds: int = 1) -> tuple[T, float]:
    """Call some times; what the last gave, and the median of the CPU seconds of all threads."""
    spent = []
    for _ in range(rounds):
        before = time.process_time()
        value = call()
        spent.append(time.process_time() - before)
    return value, median(spent)


def theirs(config: str) -> dict[tuple[str, str], float]:
    """GPGPU-Sim's CPU seconds by program and input, all launches of it together.

    Its rows have the warp instructions of each launch and how many it did a CPU second.
    """
    seconds: dict[tuple[str, str], float] = {}
    for row in gpgpusim.reference_rows():
        if (row["suite"], row["config"]) == (SUITE, config) and row["warp_inst_per_cpu_s"]:
            spent = float(row["warp_insts"]) / float(row["warp_inst_per_cpu_s"])
            one = row["program"], row["input"]
            seconds[one] = seconds.get(one, 0.0) + spent
    return seconds


def rate() -> float:
    """GPGPU-Sim's warp instructions a CPU second, the median of all launches it timed."""
    rows = gpgpusim.reference_rows()
    return median(float(r["warp_inst_per_cpu_s"]) for r in rows if r["warp_inst_per_cpu_s"])


def programs_on(config: str, few: bool) -> list[Program]:
    """Measure all programs on a configuration of GPGPU-Sim, or a few."""
    for program, input_ in FEW:
        _program(program, input_, config)  # compiles and loads the engines
    return [
        _program(program, input_, config) for program, input_ in (FEW if few else theirs(config))
    ]


def _program(program: str, input_: str, config: str) -> Program:
    """Ask both engines for all launches of a program, from reading its kernels on."""
    ran = record(program, input_)
    found = ask(ran, reference_machine(config), ROUNDS)
    return Program(
        program=program,
        input=input_,
        config=config,
        right=ran.right,
        launches=len(ran.recording.launches),
        gpgpusim_s=theirs(config)[program, input_],
        estimate_s=found["estimate"].cpu_s,
        simulate_s=found["simulate"].cpu_s,
    )
