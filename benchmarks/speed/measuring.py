"""A measure beside its reference, in a process of its own: what benchmarks.speed starts.

    python -P benchmarks/speed/measuring.py MEASURE    with the tree that is measured first on
                                                             PYTHONPATH; MEASURE is JSON

The tree may be another commit's: this file is run by its path, and takes the functions that measure
from the ``benchmarks`` of that tree. References take nothing from the project. All seconds are CPU
time. A function of the table gives a function that measures once: (units of work, seconds) of each
part. The least seconds of a part count; a value is the geometric mean over parts, so that what one
of them loses is seen however short it takes.
"""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import islice, product
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any

Once = Callable[[], list[tuple[float, float]]]
BURST = 3
"""Runs of the reference before each round, and after the last."""
SCALES = {"s": 1.0, "ms": 1e3}
"""What seconds are multiplied by, for units of time."""


def is_time(measure: dict[str, Any]) -> bool:
    """Whether a measure is a time, of which less is better, and not a speed."""
    return measure["unit"] in SCALES


# -- references: fixed work, which nothing of the project takes part in -------------------------


def python_reference() -> Callable[[], object]:
    """Work of an interpreter: dicts, tuples, strings, calls, and NumPy on short arrays."""
    import numpy as np  # noqa: PLC0415 - a process that runs others needs none

    short = np.arange(64)

    def work() -> object:
        found: dict[tuple[int, str], list[int]] = {}
        for i in range(60_000):
            found.setdefault((i % 977, f"r{i % 61}"), []).append(max(i, 7) ^ 3)
        total = sum(len(each) + len(key[1]) for key, each in sorted(found.items()))
        for i in range(8_000):
            total += int((short * i)[short > 31].sum())
        return total

    return work


def jit_reference() -> Callable[[], object]:
    """Work of compiled code: branches and loads that follow from data, over 64 kB, then over 2 MB.

    Two parts of the time in a core's own caches, one in those that it may share with others.
    """
    import numba  # noqa: PLC0415 - slow to load
    import numpy as np  # noqa: PLC0415 - as above

    @numba.njit
    def walk(words, steps):
        place, total, last = 1, 0, len(words) - 1
        for step in range(steps):
            place = (place * 1103515245 + 12345 + words[place & last]) & 0x7FFFFFFF
            if place & 1:
                words[place & last] += step
            else:
                total ^= place
        return total

    small, large = np.arange(1 << 13), np.arange(1 << 18)
    walk(small, 1)
    return lambda: walk(small, 24_000_000) + walk(large, 4_000_000)


def process_reference() -> Callable[[], object]:
    """A whole process: an interpreter that loads modules of Python's own library."""
    modules = "asyncio, decimal, email.message, http.client, sqlite3, unittest, xml.dom.minidom"
    command = [sys.executable, "-I", "-S", "-c", f"import {modules}"]
    return lambda: subprocess.run(command, check=True)


REFERENCES = {"python": python_reference, "jit": jit_reference, "process": process_reference}


@cache
def reference_of(name: str) -> Callable[[], object]:
    """The reference of a name, made once in a process."""
    return REFERENCES[name]()


def burst(name: str) -> float:
    """The least seconds of some runs of a reference."""
    return min(cpu_seconds(reference_of(name)) for _ in range(BURST))


def cpu_seconds(call: Callable[[], object]) -> float:
    """CPU seconds of a call, of the processes that it waits for too."""
    begin = _spent()
    call()
    return _spent() - begin


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


# -- measures, by the names that the table calls them -------------------------------------------


def of_tree(*names: str) -> Any:
    """The first module of these that the measured tree has; older commits have others."""
    every = [f"{package}.{name}" for name in names for package in PACKAGES]
    for name in every[:-1]:
        with suppress(ModuleNotFoundError):
            return import_module(name)
    return import_module(every[-1])


PACKAGES = ("warpmill.benchmarks", "benchmarks")
"""Where benchmarks are: older commits have them outside of warpmill."""


def command(figure: str) -> Once:
    """A command of benchmarks.startup."""
    startup = of_tree("startup")
    (case,) = (c for c in (*startup.CASES, *startup.FIRST) if c.figure == figure)
    wait = startup.first_seconds if case in startup.FIRST else startup.seconds
    return lambda: [(1, wait(case)[0])]


def estimates(workloads: list[str], machine: str) -> Once:
    """Launches of workloads, each estimated anew."""
    estimate = of_tree("estimate")
    apps = [estimate.application(f"{name}:small") for name in workloads]
    each = [(app, n) for app in apps for n in estimate.largest_of_each_kernel(app.launches)]
    return lambda: [(1, estimate.timed(app, n, machine)[0] / 1e3) for app, n in each]


def sweeps(machines: list[str]) -> Once:
    """The sweeps of benchmarks.sweep."""
    sweep = of_tree("sweep")

    def once() -> list[tuple[float, float]]:
        if hasattr(sweep, "speed"):  # as older commits have it
            found = sweep.speed(sweep.SWEEPS, tuple(machines), lambda _: None)
            return [(row["configurations"], row["cpu_s"]) for row in found]
        rows = [sweep.swept(sample, over, machines) for sample, *over in sweep.SWEEPS]
        return [(row.configurations, row.cpu_s) for row in rows]

    return once


def simulated(program: str, sizes: str) -> Once:
    """A program of the reference, recorded once."""
    speed = of_tree("simulate.speed", "simulate_parts.speed")
    machine, ran = speed.reference_machine(speed.QV100), speed.record(program, sizes)

    def once() -> list[tuple[float, float]]:
        made = speed.simulated(program, ran.recording, machine)
        return [(made["warp_insts"], made["total_s"])]

    return once


def executed(tool: str) -> Once:
    """The kernels of benchmarks.execution, with a collector."""
    speed = of_tree("execution.measuring", "execution_parts.speed")
    runners = of_tree("profiles.runners", "profile_parts.runners")
    from warpmill.executor.collectors import ProfileCollector  # noqa: PLC0415 - of that tree
    from warpmill.session.cache_collector import CacheCollector  # noqa: PLC0415 - as above
    from warpmill.simulator.machines import load_machine  # noqa: PLC0415 - as above

    collectors = {
        "none": lambda: (),
        "profile": lambda: (ProfileCollector(),),
        "caches": lambda: (CacheCollector.for_machine(load_machine("v100")),),
    }[tool]
    made = [(w, runners.CollectingRunner(*collectors()), w.make(w.size)) for w in speed.WORKLOADS]

    def once() -> list[tuple[float, float]]:
        for workload, runner, given in made:
            runner.reset()
            workload.run(speed.launcher(runner), given)
        return [(runner.thread_insts, runner.seconds) for _, runner, _ in made]

    return once


def static_traces() -> Once:
    """The trace sets of benchmarks.static."""
    speeds = of_tree("static.measuring", "static_parts.speeds")
    return lambda: [(row.events, row.seconds) for row in speeds.trace_rows()]


def trace_files(launches: list[str], ctas: int) -> Once:
    """Executed traces of the first CTAs of launches, saved once."""
    speeds = of_tree("static.measuring", "static_parts.speeds")
    from warpmill.session import traces  # noqa: PLC0415
    from warpmill.session.prepare import job_of  # noqa: PLC0415

    made = []
    for number, job in enumerate(map(job_of, launches)):
        path, grid = Path(tempfile.gettempdir(), f"{number}.traces"), job.required_launch().grid
        chosen = [cta[::-1] for cta in islice(product(*map(range, grid[::-1])), ctas)]
        source = traces.trace_source(job, traces.TraceOptions("executed"))
        traces.save_traces(job, source, path, chosen)
        total = speeds.summarise(job.kernel, source.many(chosen), job.loaded.module.warp_size)
        made.append((job, traces.TraceOptions(str(path)), chosen, total.warp_instructions))

    def read(job: Any, saved: Any, chosen: Any) -> float:
        return cpu_seconds(lambda: list(traces.trace_source(job, saved).many(chosen)))

    return lambda: [(total, read(*saved)) for *saved, total in made]


def ptx(files: list[str]) -> Once:
    """PTX of samples."""
    speeds = of_tree("frontends.measuring", "frontend_inputs.speeds")
    texts = [Path("samples", f"{name}.sm_80.ptx").read_text("utf-8") for name in files]
    counts = [_instructions(speeds.ptx_module(text)) for text in texts]

    def once() -> list[tuple[float, float]]:
        seconds = [cpu_seconds(lambda t=text: speeds.ptx_module(t)) for text in texts]
        return list(zip(counts, seconds, strict=True))

    return once


def llvm(files: list[str]) -> Once:
    """Bitcode of samples."""
    build = of_tree("frontend_inputs.build")
    speeds = of_tree("frontends.measuring", "frontend_inputs.speeds")
    inputs = [build.Input(Path("samples", f"{name}.bc"), "clang", "bitcode") for name in files]
    counts = [_instructions(speeds.load(one.path).module) for one in inputs]

    def once() -> list[tuple[float, float]]:
        times = speeds.bitcode_times(inputs, 1)
        seconds = [one.median("read") if hasattr(one, "median") else one.read_s for one in times]
        return list(zip(counts, seconds, strict=True))

    return once


def _instructions(module: object) -> int:
    return sum(kernel.instruction_count for kernel in module.kernels)


def reports(kernels: int) -> Once:
    """The reports of benchmarks.report: of a sample, or of a launch file of many kernels."""
    report = of_tree("report")

    folder, words = Path(tempfile.gettempdir()), report.CASES["report_s"]
    if kernels > 1:
        words = ("report", str(report.many_kernels(folder, kernels)), *report.MANY)
    return lambda: [(1, cpu_seconds(lambda: report.report(words, folder / "report.html")))]


# -- a measure ---------------------------------------------------------------------------------


def measured(once: Once, reference: Callable[[], float], measure: dict[str, Any]) -> dict[str, Any]:
    """Run reference and measure in turn: value, seconds of the reference, and their ratio.

    The ratio is the work done, or the runs of the reference waited, in the time of one of these.
    """
    references, rounds = [reference()], []
    for _ in range(measure["rounds"]):
        rounds.append(once())
        references.append(reference())
    best = [(part[0][0], min(seconds for _, seconds in part)) for part in zip(*rounds, strict=True)]
    one = math.exp(fmean(math.log(seconds / work) for work, seconds in best))
    unit, reference_s = measure["unit"], min(references)
    return {
        "value": one * SCALES[unit] if is_time(measure) else 1 / one,
        "reference_s": reference_s,
        "ratio": one / reference_s if is_time(measure) else reference_s / one,
    }


def main() -> None:
    """Measure what the command line says; a line of JSON, last.

    The reference works in a process of its own, where the heap of what is measured slows nothing.
    """
    measure = json.loads(sys.argv[1])
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        once = globals()[measure["call"]](**measure["with"])
        found = measured(
            once, lambda: process.submit(burst, measure["reference"]).result(), measure
        )
    print(json.dumps(found))


if __name__ == "__main__":
    main()
