"""What is timed: both engines over the launches of an application, each in a process of its own.

The host program runs before, as both engines need what it launches, and its time stands apart. What
counts is everything from reading the kernels to the times that are predicted: analysis, traces (of
data where these decide, for which launches are executed again) and the engine. Before that the same
is done once for the application's preset ``tiny``, so that engines are compiled and loaded.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from warpmill.benchmarks.benchmark import Request, say
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
from warpmill.benchmarks.keeping import measured, results
from warpmill.benchmarks.simulate.programs import record, reference_machine
from warpmill.session import applications
from warpmill.session.applications import application, largest_of_each_kernel
from warpmill.session.estimates import estimate
from warpmill.session.jobs import Job
from warpmill.session.simulations import simulate
from warpmill.session.workloads import workloads
from warpmill.simulator.machines.model import Machine
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.places import default_store
from warpmill.studies.sources import sources_digest

VERSION = 2
"""One more where this file measures something else: it is not hashed."""
STUDY = "benchmarks.engines_speed"
SOURCES = ("analyzer", "executor", "grammars", "simulator", "warpmill", "samples/common")
CONFIGURATIONS = ("SM7_QV100", "SM75_RTX2060")
SUITE = "own"
"""Rows of GPGPU-Sim's configurations as shipped."""
FEW = (("vecadd", "65536"), ("spmv", "8192 8"))
"""Programs that are measured for a glance."""

Row = dict[str, Any]
Microseconds = Callable[[Sequence[Job], str | Machine], float]
T = TypeVar("T")


def measure(request: Request) -> EnginesSpeed:
    """Measure applications, then the programs that GPGPU-Sim was timed on."""
    preset, machines = (QUICK_PRESET, MACHINES[:1]) if request.quick else (PRESET, MACHINES)
    wanted = [(m, name) for m in machines for name in request.chosen(table_v()[0])]
    found = iter(_found(STUDY, application_points(wanted, preset), evaluate, request))
    rows = [of_application(name, on, *(next(found) for _ in ENGINES)) for on, name in wanted]
    few = request.is_partial
    points = program_points(CONFIGURATIONS[:1] if few else CONFIGURATIONS, few=few)
    theirs = _found(f"{STUDY}.gpgpusim", points, evaluate_programs, request)
    programs = tuple(Program(**row) for own in theirs for row in own)
    return EnginesSpeed(preset=preset, rate=rate(), rows=tuple(rows), programs=programs)


def _found(
    study: str,
    points: Sequence[StudyPoint],
    evaluated: Callable[[Mapping[str, Any]], PointOutcome],
    request: Request,
) -> list[Any]:
    store = request.store or default_store()
    return results(measured(study, store, points, evaluated, workers=request.workers, say=say))


def application_points(wanted: Iterable[tuple[str, str]], preset: str) -> list[StudyPoint]:
    """A point for each machine, application and engine."""
    shared = {"preset": preset, "sources": sources_digest(*SOURCES), "version": VERSION}
    return [
        StudyPoint({"workload": name, "machine": machine, "engine": engine,
                    "files": _files(name), **shared})
        for machine, name in wanted
        for engine in ENGINES
    ]  # fmt: skip


@cache
def _files(workload: str) -> str:
    """Hash the files of a workload that what it launches follows from."""
    return _hash(workloads()[workload].folder, ".toml", ".ptx", ".py")


def _hash(folder: Path, *kinds: str) -> str:
    digest = sha256()
    for path in sorted(p for p in folder.iterdir() if p.suffix in kinds):
        digest.update(path.name.encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def program_points(configs: Iterable[str], *, few: bool) -> list[StudyPoint]:
    """A point for each configuration of GPGPU-Sim."""
    digest = sources_digest(*SOURCES, "benchmarks/execution", "benchmarks/simulate")
    files = _hash(gpgpusim.INPUTS, ".csv", ".json", ".ptx")
    shared = {"few": few, "files": files, "sources": digest, "version": VERSION}
    return [StudyPoint({"config": config, **shared}) for config in configs]


def of_application(name: str, machine: str, estimated: Row, simulated: Row) -> Application:
    """The rows of both engines together. ValueError where they are of different launches."""
    pairs = list(zip(estimated["kernels"], simulated["kernels"], strict=True))
    names = [[(one["kernel"], one["launch"]) for one in pair] for pair in pairs]
    if any(one != other for one, other in names):
        raise ValueError(f"engines were asked for different launches: {names}")
    return Application(
        workload=name,
        machine=machine,
        load=max(estimated["load"], simulated["load"]),
        estimate=Asked(**estimated["all"]),
        simulate=Asked(**simulated["all"]),
        kernels=tuple(
            OneLaunch(
                kernel=one["kernel"],
                launch=one["launch"],
                estimate=Asked(**one["asked"]),
                simulate=Asked(**other["asked"]),
            )
            for one, other in pairs
        ),
        **{key: simulated[key] for key in ("launches", "warp_instructions", "host_s")},
    )


# ------------------------------------------------------------------------------ applications


def estimated_us(jobs: Sequence[Job], machine: str | Machine) -> float:
    """Estimate launches one by one; the sum of their executions in µs, without what launching adds.

    Simulations have no such overhead either.
    """
    return sum(estimate(job, machine).execution_us for job in jobs)


def simulated_us(jobs: Sequence[Job], machine: str | Machine) -> float:
    """Simulate launches in a row, µs from the first CTA's begin to the last one's end."""
    return simulate(jobs, machine).time_us


ENGINES: Mapping[str, Microseconds] = {"estimate": estimated_us, "simulate": simulated_us}


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Measure a point in a process of its own."""
    return PointOutcome(facts={"result": alone(asked, inputs)})


def asked(inputs: Mapping[str, Any]) -> Row:
    """Ask the engine of a point for its application on its machine; a row."""
    name, machine, engine = inputs["workload"], inputs["machine"], ENGINES[inputs["engine"]]
    load = os.getloadavg()[0]
    app, host_s = timed(lambda: application(f"{name}:{inputs['preset']}"))
    tiny = application(f"{name}:tiny")
    for number in largest_of_each_kernel(tiny.launches):
        engine([tiny.job(number)], machine)
    engine(_fresh(tiny), machine)

    def alone_on(number: int) -> Row:
        return _asked(lambda: engine([_fresh(app)[number]], machine), ROUNDS)

    return {
        "launches": len(app.launches),
        "warp_instructions": _executed(app),
        "host_s": host_s,
        "kernels": [
            {"kernel": app.launches[n].kernel.name, "launch": n, "asked": alone_on(n)}
            for n in largest_of_each_kernel(app.launches)
        ],
        "all": _asked(lambda: engine(_fresh(app), machine), 1),
        "load": max(load, os.getloadavg()[0]),
    }


def _asked(call: Callable[[], float], rounds: int) -> Row:
    microseconds, cpu_s = timed(call, rounds)
    return {"cpu_s": cpu_s, "time_us": microseconds}


def _executed(app: applications.Application) -> int | None:
    """Add up the warp instructions of all launches; None where one was not counted."""
    each = [one.warp_instructions for one in app.launches]
    known = [one for one in each if one is not None]
    return sum(known) if len(known) == len(each) else None


def _fresh(app: applications.Application) -> list[Job]:
    """Read the kernels again; all launches as jobs of which nothing is known yet."""
    again = applications.Application(app.title, app.recording)
    return [again.job(number) for number in range(len(again.launches))]


def timed(call: Callable[[], T], rounds: int = 1) -> tuple[T, float]:
    """Call some times; what the last gave, and the median of the CPU seconds of all threads."""
    spent = []
    for _ in range(rounds):
        before = time.process_time()
        value = call()
        spent.append(time.process_time() - before)
    return value, median(spent)


def alone(call: Callable[[Mapping[str, Any]], T], inputs: Mapping[str, Any]) -> T:
    """Call a module's function in a new process, in which nothing was loaded before."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(call, inputs).result()


# ---------------------------------------------------------------------- beside GPGPU-Sim itself


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


def evaluate_programs(inputs: Mapping[str, Any]) -> PointOutcome:
    """Measure the programs on a configuration in a process of its own."""
    return PointOutcome(facts={"result": alone(programs, inputs)})


def programs(inputs: Mapping[str, Any]) -> list[Row]:
    """Measure the programs on a configuration; a row each."""
    config = inputs["config"]
    wanted = FEW if inputs["few"] else theirs(config)
    for program, input_ in FEW:
        _program(program, input_, config)  # compiles and loads the engines
    return [_program(program, input_, config) for program, input_ in wanted]


def _program(program: str, input_: str, config: str) -> Row:
    """Ask both engines for all launches of a program, from reading its kernels on."""
    machine, ran = reference_machine(config), record(program, input_)
    app = applications.Application(f"{program} {input_}", ran.recording)

    def seconds(engine: Microseconds) -> float:
        return timed(lambda: engine(_fresh(app), machine), ROUNDS)[1]

    return {
        "program": program,
        "input": input_,
        "config": config,
        "right": ran.right,
        "launches": len(ran.recording.launches),
        "gpgpusim_s": theirs(config)[program, input_],
        **{f"{name}_s": seconds(engine) for name, engine in ENGINES.items()},
    }
