"""Originals and clones of a workload: simulated, searched, compared, compiled.

Rows are JSON. What is known of a workload is kept for the next row of the same process.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.benchmarks.points import Row
from warpmill.benchmarks.simulate.speed import engine_seconds
from warpmill.cloning.clone import Cloned, clone_studied, study
from warpmill.cloning.fidelity import ReadBack, read_back
from warpmill.cloning.figures import Counts, added, profile_counts
from warpmill.cloning.files import beside, folder_of
from warpmill.cloning.options import MAX_ERROR, CloneOptions
from warpmill.session.applications import Application
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions, RunOptions, TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.profiles import profile
from warpmill.session.simulations import simulate, simulation
from warpmill.session.workload_runs import run_workload
from warpmill.session.workloads import DEFAULT_BUILD, WorkloadTarget, workloads
from warpmill.simulator.machines import load_machine

PRESET = "paper-minibench"
EXECUTED = TraceOptions(source="executed")
TARGETS = ("sm_75", "sm_80", "sm_90", "sm_120")
_WARMING_CYCLES = 64
_SHORT_S, _ROUNDS = 1.0, 3
"""Clones that take less are simulated more often: process time is not told finely enough."""
_ONE = "-DTRIPS(n)=1"
_MOST_INSTRUCTIONS = 2_000_000_000
"""Programs that go on until something has converged may never end with other results."""
_TIME_LIMIT_S = 300
_SCRATCH = re.compile(r"/\w+/tmpxft_[0-9a-f_-]+_")  # nvcc's own files
_MOST_LINES = 5  # of what a compiler says

Floats = npt.NDArray[np.float64]


@lru_cache(maxsize=1)
def studied(workload: str) -> Any:
    """Study a workload once."""
    return study(f"{workload}:{PRESET}")


@lru_cache(maxsize=1)
def jobs_of(workload: str) -> Any:
    """All launches of a workload."""
    return prepare_all(f"{workload}:{PRESET}", options=LaunchOptions(launches="all"))


# Simulations: cycles and counts by launch, and CPU time.


def timed(jobs: Sequence[Any], machine: str) -> tuple[Any, Row]:
    """Simulate launches in a row, with traces that are executed; the result and CPU seconds.

    ``cpu_s`` are those of plan, traces, timing and result, ``engine_s`` those of timing alone.
    Reading the machine and kernels and their analysis is not among them, nor is compiling: that is
    done before.
    """
    for job in {id(job.kernel): job for job in jobs}.values():
        next(iter(executed_source(job).batches([(0, 0, 0)])))
    simulation(jobs, machine, trace_options=EXECUTED).run(until=_WARMING_CYCLES)
    return _timed(jobs, machine)


def _timed(jobs: Sequence[Any], machine: str) -> tuple[Any, Row]:
    read = load_machine(machine)
    begin = time.process_time()
    with engine_seconds() as spent:
        result = simulate(jobs, read, trace_options=EXECUTED)
    return result, {"cpu_s": time.process_time() - begin, "engine_s": sum(spent)}


def launch_counts(result: Any) -> Floats:
    """Cycles since the last one's end, and thread instructions: a row for each launch.

    One row for all where launches ran at the same time, as counts cannot be told apart then.
    """
    counts = [one.thread_instructions for one in result.totals]
    if len(counts) != len(result.launches):
        return np.array([(result.simulated_cycles, counts[-1])], np.float64)
    first = min(one.begin_cycle for one in result.launches)
    ends = [one.end_cycle for one in result.launches]
    return np.diff(np.array([(first, 0), *zip(ends, counts, strict=True)], np.float64), axis=0)


def original(workload: str, machine: str) -> Row:
    """Simulate a workload whole."""
    result, seconds = timed(jobs_of(workload), machine)
    return {**seconds, "ipc": _ipc(launch_counts(result))}


def _ipc(counts: Floats) -> float:
    cycles, threads = counts.sum(axis=0).tolist()
    return float(threads / cycles)


def clone(workload: str, machine: str, **options: Any) -> Row:
    """Make the clones of a workload and simulate them; ``options`` are those of ``CloneOptions``.

    The IPC is that of the original as they tell it.
    """
    cloned = clone_studied(studied(workload), clone_options(options))
    with written(cloned) as own:
        result, seconds = timed(own.jobs, machine)
        if seconds["cpu_s"] < _SHORT_S:
            each = [_timed(own.jobs, machine)[1] for _ in range(_ROUNDS)]
            seconds = min(each, key=lambda one: float(one["cpu_s"]))
    counts = launch_counts(result)
    if len(counts) != len(own.jobs):
        raise ValueError(f"{len(own.jobs)} launches were expected, and {len(counts)} simulated")
    ran = np.zeros((len(cloned.stands_for), 2))
    np.add.at(ran, np.array(own.launch_of), counts)
    profiles = cloned.studied.profiles
    stands_for = [sum(profiles[n].thread_instructions for n in each) for each in cloned.stands_for]
    reduction = max(model.reduction for model in cloned.models)
    return {**seconds, "ipc": told_ipc(stands_for, ran), "reduction": reduction}


@contextmanager
def written(cloned: Cloned) -> Iterator[ReadBack]:
    """A clone as its files say it, in a folder that is there as long."""
    with beside(None) as folder:
        folder_of(cloned).write(folder)
        yield read_back(cloned, folder)


def told_ipc(stands_for: Sequence[int], ran: Floats) -> float:
    """IPC of an original as its clone tells it: launches would take I_k / IPC_k cycles.

    I_k are the thread instructions of the original that launch k of the clone stands for; ``ran``
    has the clone's, as ``launch_counts`` has them.
    """
    threads = np.array(stands_for, np.float64)
    return float(threads.sum() / (threads * ran[:, 0] / ran[:, 1]).sum())


def clone_options(options: Mapping[str, Any]) -> CloneOptions:
    """Make options of clones from JSON, where headers of loops are texts."""
    found = options.get("reductions") or {}
    by_loop = {k: {int(loop): n for loop, n in own.items()} for k, own in found.items()}
    return CloneOptions(**{**options, "reductions": by_loop or None})


def searched(workload: str, machine: str) -> Row:
    """Search reductions of a workload's loops on one machine; what was found, and what it took."""
    from warpmill.cloning.search import search  # noqa: PLC0415 - only where it is asked for

    whole, seconds = timed(jobs_of(workload), machine)
    found = search(
        studied(workload), CloneOptions(), load_machine(machine), whole, max_error=MAX_ERROR
    ).search
    return {
        "factor": found.chosen.factor,
        "reductions": {
            kernel: {str(loop): factor for loop, factor in sorted(factors.items())}
            for kernel, factors in sorted(found.chosen.reductions.items())
        },
        "met": found.met,
        "trials": len(found.trials),
        "search_cpu_s": found.cpu_seconds,
        "original_cpu_s": seconds["cpu_s"],
    }


# Without a machine: what original and clone execute.

QUOTIENTS = {
    "shared_wavefronts_per_request": ("shared_wavefronts", "shared_requests"),
    "sectors_per_request": ("sectors", "requests"),
    "lanes_per_instruction": ("thread_instructions", "warp_instructions"),
    "branch_share": ("class:branch", "warp_instructions"),
}
"""Figures that a clone is to have as its original: counts over counts."""


def alike(workload: str) -> Row:
    """Compare what original and clone execute: conflicts, coalescing, divergence.

    Each figure is a quotient of counts. The clone's is the mean of its launches' quotients,
    weighted by the original's counts of what they stand for.
    """
    cloned = clone_studied(studied(workload), CloneOptions())
    with written(cloned) as own:
        ran = [profile_counts(one.profile) for one in profile(own.jobs).launches]
    whole = [profile_counts(one) for one in cloned.studied.profiles]
    parts = [
        (added((whole[n], 1.0) for n in numbers),
         added((one, 1.0) for one, of in zip(ran, own.launch_of, strict=True) if of == launch))
        for launch, numbers in enumerate(cloned.stands_for)
    ]  # fmt: skip
    return {name: compared(parts, *pair) for name, pair in QUOTIENTS.items()}


def compared(parts: Sequence[tuple[Counts, Counts]], over: str, under: str) -> Row | None:
    """A quotient of the original, and the clone's error; None where the original has none of it.

    The clone's parts without any of it take part as 0.
    """
    weights = [own.get(under, 0.0) for own, _ in parts]
    if not sum(weights):
        return None
    here = sum(own.get(over, 0.0) for own, _ in parts) / sum(weights)
    each = [clone.get(over, 0.0) / clone[under] if clone.get(under) else 0.0 for _, clone in parts]
    theirs = float(np.average(each, weights=weights))
    return {"original": here, "error": 100.0 * (theirs / here - 1.0) if here else None}


# Compilers.


def compilers() -> tuple[str, ...]:
    """The compilers that are there."""
    return tuple(name for name in ("ptxas", "nvcc") if shutil.which(name))


def accepted(workload: str) -> Row:
    """Have the compilers take a workload's clones, made for several chips.

    By compiler and chip: None where it took the file, else what it said.
    """
    found: Row = {}
    for target in TARGETS:
        cloned = clone_studied(studied(workload), replace(CloneOptions(), chip=target))
        with beside(None) as folder:
            folder_of(cloned).write(folder)
            for compiler in compilers():
                suffix, more = (".ptx", ()) if compiler == "ptxas" else (".cu", ("-cubin",))
                name = next(n for n in cloned.files.names if n.endswith(suffix))
                command = [compiler, f"-arch={target}", *more, name, "-o", "made.cubin"]
                found[f"{compiler} {target}"] = complaint(command, folder)
    return found


def complaint(command: Sequence[str], folder: str | Path) -> str | None:
    """Run a compiler; None where it took everything, else its words."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=_TIME_LIMIT_S
    )
    if not done.returncode:
        return None
    said = _SCRATCH.sub("", done.stderr or done.stdout).strip().splitlines()
    return "\n".join(said[:_MOST_LINES]) or "it failed"


# The paper's §6.2: main loops set to one iteration in the source, instead of a clone. Workloads
# take the trip counts of their main loops through a macro. A build in which it is always 1 is run
# by the workload's own program; what it computes is wrong, and its checks are left out.


def shortened(workload: str, machine: str) -> Row:
    """Simulate a workload whose main loops have one iteration. InputError where that fails."""
    if shutil.which("nvcc") is None:
        raise InputError("there is no nvcc to build it with")
    known = workloads()[workload]
    with tempfile.TemporaryDirectory() as folder:
        target = WorkloadTarget(replace(known, folder=build(known, Path(folder))), PRESET)
        options = RunOptions(record=True, max_instructions=_MOST_INSTRUCTIONS)
        recording = run_workload(target, options=options, checked=False).run.recording
        app = Application(f"{workload}, loops of one iteration", recording)
        jobs = [app.job(number) for number in range(len(app.launches))]
        result, _ = timed(jobs, machine)
    return {"ipc": _ipc(launch_counts(result))}


def build(workload: Any, folder: Path) -> Path:
    """Build a workload's modules with loops of one iteration; the folder of the workload there."""
    common = workload.folder.parents[1] / "common"
    own: Path = folder / "samples" / "workloads" / workload.folder.name
    shutil.copytree(common, folder / "samples" / "common")
    shutil.copytree(workload.folder, own)
    record = json.loads((own / "artefacts.json").read_text("utf-8"))
    uses = False
    for module in workload.form.module:
        entry = record[workload.module_file(module.name, DEFAULT_BUILD).name]
        for source in entry["sources"]:
            place = (own / source).resolve()
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(workload.folder / source, place)
            uses |= "TRIPS(" in place.read_text("utf-8").split("#endif", 1)[-1]
        command = shlex.split(entry["command"])
        said = complaint([command[0], _ONE, *command[1:]], own)
        if said is not None:
            raise InputError(f"nvcc: {said.splitlines()[-1]}")
    if not uses:
        raise InputError("none of its loops has its trip count from the macro TRIPS")
    return own
