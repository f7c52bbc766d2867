"""Measuring of benchmarks/profiles: what has to be equal, rates, and sizes.

CPU time of one core; kernels, sizes and checks are those of the executor's benchmark. Each runs
once to warm up, and is checked then.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.checks import Found, checked, failures, measured
from warpmill.benchmarks.execution import gpgpusim
from warpmill.benchmarks.execution.measuring import ROUNDS, child, launcher, print_peak, timed
from warpmill.benchmarks.execution.runners import NativeRunner
from warpmill.benchmarks.execution.samples import SAMPLES, SMALL, launch_files
from warpmill.benchmarks.execution.workloads import WORKLOADS, Workload
from warpmill.benchmarks.profiles import DecidedLaunch, ProfiledKernel, ProfilesResult
from warpmill.benchmarks.profiles.runners import TOOLS, CollectingRunner, TracingRunner
from warpmill.executor.collectors import ProfileCollector
from warpmill.executor.host.device import Device
from warpmill.executor.host.recording import load_recording, save_recording
from warpmill.executor.observation import Observation
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions, RunOptions, TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.records import recorded_memory, replayed_memory
from warpmill.session.traces import compare_with_executed

QUICK_CTAS, MOST_CTAS = 4, 16
"""CTAs of a launch whose traces are compared, spread over the grid."""


def measure(request: Request) -> ProfilesResult:
    """Check and measure what is asked for."""
    return ProfilesResult(**measured(request.chosen(PARTS), PARTS, request.quick))


# ------------------------------------------------------------------------- replays and traces


def artefacts(quick: bool) -> Iterator[tuple[str, tuple[Job, ...]]]:
    """Each artefact's name with the jobs of its launch file; of the first alone for a look."""
    for folder in sorted(p for p in SAMPLES.iterdir() if (p / "launch.toml").exists()):
        files = list(launch_files(folder).items())
        for artefact, file in files[:1] if quick else files:
            say(f"{folder.name}/{artefact.name}")
            yield f"{folder.name}/{artefact.name}", _jobs(artefact, file, folder.name)


def _jobs(artefact: Path, file: Path, sample: str) -> tuple[Job, ...]:
    """Prepare the launches of a file with an artefact as their module, at small sizes."""
    jobs: tuple[Job, ...] = ()
    for job in prepare_all(str(file), None, LaunchOptions(sizes=SMALL.get(sample, {}))):
        launch = replace(job.required_launch(), module=artefact)
        loaded, kernel = load_kernel(artefact, launch.kernel)
        jobs = (*jobs, Job(loaded, kernel, launch, jobs))
    return jobs


def replays(quick: bool) -> Found:
    """Record each artefact's launches and replay them, through a file."""
    wrong, total = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name, jobs in artefacts(quick):
            total += 1
            differing = _replayed(jobs, Path(folder) / "app.wmrec")
            if differing:
                wrong.append(f"{name}: {differing}")
    return checked("replay_equal", "replays", total, wrong)


def _replayed(jobs: Sequence[Job], path: Path) -> str:
    """What differs between recorded launches and replayed ones; empty: nothing."""
    first, second = ProfileCollector(), ProfileCollector()
    run, states = recorded_memory(list(jobs), options=RunOptions(collectors=(first,)))
    save_recording(run.recording, path)
    recording = load_recording(path)
    again = replayed_memory(recording, options=RunOptions(collectors=(second,)))
    if again != states:
        return "memory"
    if first.profiles != second.profiles:
        return "profiles"
    last = len(states) - 1
    alone = replayed_memory(recording, [last])
    return "" if alone == {last: states[last]} else "memory of the last launch alone"


def static_traces(quick: bool) -> Found:
    """Compare static and executed traces of each launch; those that data decide overshoot."""
    wrong, decided, total = [], [], 0
    for name, jobs in artefacts(quick):
        for job in jobs:
            launch = job.required_launch()
            ctas = sampled_ctas(launch.grid, QUICK_CTAS if quick else MOST_CTAS)
            held = compare_with_executed(job, TraceOptions(), ctas)
            compared, words = held.comparison, f"{name} {launch.name}"
            if held.assumed:
                decided.append(
                    DecidedLaunch(
                        launch=words,
                        covers=compared.covers,
                        warp_overshoot=compared.warp_overshoot,
                        thread_overshoot=compared.thread_overshoot,
                    )
                )
                continue
            total += 1
            if not compared.is_equal:
                wrong.append(f"{words}: {compared.equal_warps} of {compared.warps} warps")
    found = checked("static_equals_executed", "static traces", total, wrong)
    return {**found, "static_overshoot": tuple(decided)}


# --------------------------------------------------------------------- memory beside GPGPU-Sim

FIGURES = (
    "load_thread_insts", "store_thread_insts", "shmem_thread_insts", "shmem_bank_conflicts",
    "l1d_accesses",
)  # fmt: skip
"""Lanes of global loads (atomics among them), of global stores and of shared accesses, bank
conflicts, and accesses to the L1, which takes loads and stores by sectors of 32 B, and no atomics.

What GPGPU-Sim tells of traffic behind the L1 depends on hits, and is left out.
"""


def figures_of(profile: Any) -> tuple[int, ...]:
    """The five figures of a profile, as GPGPU-Sim counts them."""
    outside = [a for a in profile.accesses if a.space in (Space.GLOBAL, Space.LOCAL)]
    shared = [a for a in profile.accesses if a.space is Space.SHARED]
    return (
        sum(a.threads for a in outside if a.kind != "store"),
        sum(a.threads for a in outside if a.kind == "store"),
        sum(a.threads for a in shared),
        sum(a.bank_conflicts for a in shared),
        sum(a.sectors for a in outside if a.kind != "atomic"),
    )


def profiles_of(program: str, input_: str) -> list[Any]:
    """Run a program with as many CTAs at once as the reference; the profile of each launch."""
    runner, collector = NativeRunner(gpgpusim.RESIDENT), ProfileCollector(["memory"])
    backend: Any = runner.device.backend
    backend.instrument = Observation([collector])
    is_right = gpgpusim.run_program(runner, program, input_).right
    return collector.profiles if is_right else []


def memory(quick: bool) -> Found:
    """Hold every row against the reference; how far a race is off is told apart.

    In ``bfs_like`` threads race for vertices, and how many of them store depends on time.
    """
    rows = [r for r in gpgpusim.reference_rows() if r["l1d_accesses"]]
    rows = [r for r in rows if not (quick and r["suite"] == "own-large")]
    profiles: dict[tuple[str, str], list[Any]] = {}
    wrong, off, total = [], [], 0
    for row in rows:
        key = row["program"], row["input"]
        if key not in profiles:
            say(f"{' '.join(key)}: memory beside GPGPU-Sim's")
            profiles[key] = profiles_of(*key)
        launches, place = profiles[key], row["launch"] - 1
        counted = figures_of(launches[place]) if place < len(launches) else (0,) * len(FIGURES)
        expected = tuple(int(row[name]) for name in FIGURES)
        pairs = zip(counted, expected, strict=True)
        if row["program"] in gpgpusim.RACING:
            off.append(max(abs(a - b) / max(1, b) for a, b in pairs))
            continue
        total += 1
        if counted != expected:
            wrong.append(f"{' '.join(key)}, launch {row['launch']}: {counted}, not {expected}")
    found = checked("reference_memory_equal", "memory", total, wrong)
    return {**found, "racing_off": max(off, default=None)}


# ------------------------------------------------------------------------- a large recording

BYTES = 1 << 20  # of each buffer, of random bits


def recording(quick: bool) -> Found:
    """How large a recording of launches over buffers that they share is, over its buffers."""
    launches = 50 if quick else 1000
    say(f"recording {launches} launches")
    device = Device()
    kernel = device.load(Path(__file__).with_name("mix.ptx"))["mix"]
    random = np.random.default_rng(6)
    count = BYTES // 4
    buffers = [device.array(random.integers(0, 1 << 32, count, np.uint32)) for _ in range(3)]
    for k in range(launches):
        to, a, b = (buffers[(k + place) % 3] for place in range(3))
        device.launch(kernel, -(-count // 256), 256, [to, a, b, np.uint32(count), np.uint32(k)])
    device.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        size = save_recording(device.recording, Path(folder) / "app.wmrec")
    return {"recording_ratio": size / (3 * BYTES)}


# -------------------------------------------------------------------------------------- speeds


def speed(quick: bool) -> Found:
    """Each kernel bare, with each tool and traced; the peak memory of profiling a large launch."""
    made = [_timed(workload, 1 if quick else ROUNDS) for workload in WORKLOADS]
    say("peak memory")
    return {
        "speed_rows": tuple(row for row, _ in made),
        "peak_mb_profiling_1e9": float(child("profiles.measuring", "print_profile_peak()")[0]),
        "failures": failures("speed", [row.kernel for row, is_right in made if not is_right]),
    }


def print_profile_peak() -> None:
    """Profile a launch of 10^9 thread instructions; print the peak memory in MB."""
    print_peak(lambda: CollectingRunner(ProfileCollector()))


def _timed(workload: Workload, rounds: int) -> tuple[ProfiledKernel, bool]:
    say(f"{workload.name}: bare")
    bare = timed(workload, CollectingRunner(), workload.size, rounds)
    is_right, overhead = bare.right, {}
    for name, make in TOOLS.items():
        say(f"{workload.name}: {name}")
        with_tool = timed(workload, CollectingRunner(make()), workload.size, rounds)
        is_right, overhead[name] = is_right and with_tool.right, bare.rate / with_tool.rate
    say(f"{workload.name}: traces")
    runner, given = TracingRunner(), workload.make(workload.size)
    launch = launcher(runner)
    is_right &= bool(workload.right(given, workload.run(launch, given)))
    seconds, saved = [], []
    for _ in range(rounds):
        runner.reset()
        workload.run(launch, given)
        seconds.append(runner.seconds)
        saved.append(runner.seconds + runner.written)
    row = ProfiledKernel(
        kernel=workload.name,
        thread_insts=bare.thread_insts,
        warp_insts=runner.warp_insts,
        bare_ginst_per_s=bare.rate / 1e9,
        trace_ginst_per_s=runner.thread_insts / median(seconds) / 1e9,
        trace_saved_ginst_per_s=runner.thread_insts / median(saved) / 1e9,
        trace_bytes=runner.bytes,
        overhead=overhead,
    )
    return row, is_right and runner.thread_insts == bare.thread_insts


PARTS: dict[str, Callable[[bool], Found]] = {
    "replays": replays, "static": static_traces, "memory": memory, "recording": recording,
    "speed": speed,
}  # fmt: skip
