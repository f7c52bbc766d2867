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
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.benchmarks.simulate.speed import engine_seconds
from warpmill.cloning.clone import clone_studied, study
from warpmill.cloning.options import CloneOptions
from warpmill.session.applications import Application
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions, RunOptions, TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.profiles import profile
from warpmill.session.registers import RECORD, chip_number
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import simulate, simulation
from warpmill.session.workload_runs import run_workload
from warpmill.session.workloads import DEFAULT_BUILD, WorkloadTarget, workloads
from warpmill.simulator.machines import load_machine

PRESET = "paper-minibench"
EXECUTED = TraceOptions(source="executed")
TARGETS = ("sm_75", "sm_80", "sm_90", "sm_120")
MOST_ERROR = 0.03
"""The IPC error that the search for reductions stays inside, a share."""
_WARMING_CYCLES = 64
_SHORT_S, _ROUNDS = 1.0, 3
"""Clones that take less are simulated more often: process time is not told finely enough."""
_ONE = "-DTRIPS(n)=1"
_MOST_INSTRUCTIONS = 2_000_000_000
"""Programs that go on until something has converged may never end with other results."""
_TIME_LIMIT_S = 300
_SCRATCH = re.compile(r"/\w+/tmpxft_[0-9a-f_-]+_")  # nvcc's own files
_MOST_LINES = 5  # of what a compiler says

Row = dict[str, Any]


def title(workload: str) -> str:
    """A workload's preset as a target."""
    return f"{workload}:{PRESET}"


@lru_cache(maxsize=1)
def studied(workload: str) -> Any:
    """Study a workload once."""
    return study(title(workload))


@lru_cache(maxsize=1)
def jobs_of(workload: str) -> Any:
    """All launches of a workload."""
    return prepare_all(title(workload), options=LaunchOptions(launches="all"))


# Simulations: cycles and counts by launch, and CPU time.


def timed(jobs: Sequence[Any], machine: str) -> tuple[Any, Row]:
    """Simulate launches in a row, with traces that are executed; the result and CPU seconds.

    ``cpu_s`` are those of plan, traces, timing and result, ``engine_s`` those of timing alone.
    Reading the machine and kernels and their analysis is not among them, nor is compiling: that is
    done before.
    """
    seen = set()
    for job in jobs:
        if id(job.kernel) not in seen:
            seen.add(id(job.kernel))
            next(iter(executed_source(job).batches([(0, 0, 0)])))
    simulation(jobs, machine, trace_options=EXECUTED).run(until=_WARMING_CYCLES)
    return _timed(jobs, machine)


def _timed(jobs: Sequence[Any], machine: str) -> tuple[Any, Row]:
    read = load_machine(machine)
    begin = time.process_time()
    with engine_seconds() as spent:
        result = simulate(jobs, read, trace_options=EXECUTED)
    return result, {"cpu_s": time.process_time() - begin, "engine_s": sum(spent)}


def launch_rows(result: Any) -> list[Row]:
    """What each launch took: cycles since the last one's end, and counts.

    One row for all where launches ran at the same time, as counts cannot be told apart then.
    """
    if len(result.totals) != len(result.launches):
        return [_row(result.simulated_cycles, result.totals[-1], None)]
    first = min(one.begin_cycle for one in result.launches)
    ends = [first] + [one.end_cycle for one in result.launches]
    before = [None, *result.totals[:-1]]
    return [
        _row(end - begin, own, last)
        for (begin, end), own, last in zip(pairwise(ends), result.totals, before, strict=True)
    ]


def _row(cycles: int, totals: Any, before: Any) -> Row:
    threads, warps = totals.thread_instructions, totals.warp_instructions
    if before is not None:
        threads, warps = threads - before.thread_instructions, warps - before.warp_instructions
    return {"cycles": cycles, "threads": threads, "warps": warps}


def summed(rows: Sequence[Row]) -> Row:
    """Add rows up."""
    return {key: sum(row[key] for row in rows) for key in rows[0]}


def original(workload: str, machine: str) -> Row:
    """Simulate a workload whole."""
    result, seconds = timed(jobs_of(workload), machine)
    rows = launch_rows(result)
    return {**seconds, **summed(rows), "launches": len(rows)}


def clone(workload: str, machine: str, **options: Any) -> Row:
    """Make the clones of a workload and simulate them; ``options`` are those of ``CloneOptions``.

    ``launch_rows`` has a row for each launch of the clone with its repeats added up: what it took,
    and the thread instructions of the original that it stands for.
    """
    cloned = clone_studied(studied(workload), clone_options(options))
    with tempfile.TemporaryDirectory() as folder:
        jobs = write_clone(cloned, machine, Path(folder))
        result, seconds = timed(jobs, machine)
        if seconds["cpu_s"] < _SHORT_S:
            each = [_timed(jobs, machine)[1] for _ in range(_ROUNDS)]
            seconds = min(each, key=lambda one: float(one["cpu_s"]))
    rows = launch_rows(result)
    found, done = [], 0
    for launch, own in zip(cloned.application.launches, cloned.stands_for, strict=True):
        ran = summed(rows[done : done + launch.repeats])
        done += launch.repeats
        profiles = [cloned.studied.profiles[n] for n in own]
        found.append({**ran, "stands_for": sum(one.thread_instructions for one in profiles)})
    if done != len(rows):
        raise ValueError(f"{done} launches were expected, and {len(rows)} were simulated")
    reduction = max(model.reduction for model in cloned.models)
    return {**seconds, **summed(rows), "launches": len(rows), "reduction": reduction,
            "launch_rows": found}  # fmt: skip


def clone_options(options: Mapping[str, Any]) -> CloneOptions:
    """Make options of clones from JSON, where headers of loops are texts."""
    given = dict(options)
    if given.get("reductions") is not None:
        given["reductions"] = {
            kernel: {int(loop): factor for loop, factor in factors.items()}
            for kernel, factors in given["reductions"].items()
        }
    return CloneOptions(**given)


def write_clone(cloned: Any, machine: str, folder: Path) -> Any:
    """Write a clone's files, with the registers that the original's kernels take on a machine."""
    _write(cloned, folder)
    counts = plan(cloned.studied.jobs, machine).registers
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


def _write(cloned: Any, folder: Path) -> None:
    for name, text in cloned.files.files:
        (folder / name).write_text(text, "utf-8")


def searched(workload: str, machine: str) -> Row:
    """Search reductions of a workload's loops on one machine; what was found, and what it took."""
    from warpmill.cloning.search import search  # noqa: PLC0415 - only where it is asked for

    whole, seconds = timed(jobs_of(workload), machine)
    found = search(
        studied(workload), CloneOptions(), load_machine(machine), whole, max_error=MOST_ERROR
    ).search
    assert found is not None
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


def alike(workload: str) -> Row:
    """Compare what original and clone execute: conflicts, coalescing, divergence.

    Each figure is a quotient of counts. The clone's is the mean of its launches' quotients,
    weighted by the original's counts of what they stand for.
    """
    known = studied(workload)
    cloned = clone_studied(known, CloneOptions())
    with tempfile.TemporaryDirectory() as folder:
        _write(cloned, Path(folder))
        own = [one.profile for one in profile(str(Path(folder) / "launch.toml")).launches]
    parts, done = [], 0
    for launch, numbers in zip(cloned.application.launches, cloned.stands_for, strict=True):
        repeated = [counts_of(one) for one in own[done : done + launch.repeats]]
        done += launch.repeats
        whole = [counts_of(known.profiles[n]) for n in numbers]
        parts.append((summed(whole), summed(repeated)))
    return {name: compared(parts, *pair) for name, pair in QUOTIENTS.items()}


QUOTIENTS = {
    "shared_wavefronts_per_request": ("shared_wavefronts", "shared_requests"),
    "sectors_per_request": ("sectors", "requests"),
    "lanes_per_instruction": ("threads", "warps"),
    "branch_share": ("branches", "warps"),
}
"""Figures that a clone is to have as its original: counts over counts."""


def counts_of(made: Any) -> Row:
    """The counts of a profile that figures are made of."""
    outside = [a for a in made.accesses if a.space in (Space.GLOBAL, Space.LOCAL)]
    shared = [a for a in made.accesses if a.space is Space.SHARED]
    return {
        "warps": made.warp_instructions,
        "threads": made.thread_instructions,
        "branches": sum(
            made.blocks[block].warps
            for block, _, one in made.placed
            if one.operation.op_class is OpClass.BRANCH
        ),
        "requests": sum(a.requests for a in outside),
        "sectors": sum(a.sectors for a in outside),
        "shared_requests": sum(a.requests for a in shared),
        "shared_wavefronts": sum(a.wavefronts for a in shared),
    }


def compared(parts: Sequence[tuple[Row, Row]], over: str, under: str) -> Row | None:
    """A quotient of the original, and the clone's error; None where the original has none of it.

    The clone's parts without any of it take part as 0.
    """
    whole = sum(own[under] for own, _ in parts)
    if not whole:
        return None
    here = sum(own[over] for own, _ in parts) / whole
    theirs = sum(
        own[under] * (clone[over] / clone[under] if clone[under] else 0.0) for own, clone in parts
    )
    error = 100.0 * (theirs / whole / here - 1.0) if here else None
    return {"original": here, "error": error}


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
        with tempfile.TemporaryDirectory() as folder:
            _write(cloned, Path(folder))
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
        row = summed(launch_rows(result))
    return {"ipc": row["threads"] / row["cycles"]}


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
