"""What is measured of a workload: its original and its clones on a machine, and how alike they are.

Rows are JSON. What is known of a workload is kept for the next row of the same process.
"""

from __future__ import annotations

import tempfile
import time
from functools import lru_cache
from pathlib import Path

from benchmarks.minibench_parts.simulating import launch_rows, summed, timed, warm, write_clone
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.cloning.clone import clone_studied, study
from warpmill.cloning.options import CloneOptions
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.profiles import profile

PRESET = "paper-minibench"
_SHORT_S = 1.0
"""Clones that take less are simulated more often: process time is not told finely enough."""
_ROUNDS = 3


def title(workload):
    """Name a workload's preset as a target."""
    return f"{workload}:{PRESET}"


@lru_cache(maxsize=1)
def studied(workload):
    """Study a workload once; and the CPU seconds that it took."""
    begin = time.process_time()
    found = study(title(workload))
    return found, time.process_time() - begin


@lru_cache(maxsize=1)
def jobs_of(workload):
    """All launches of a workload."""
    return prepare_all(title(workload), options=LaunchOptions(launches="all"))


def original(workload, machine):
    """Simulate a workload whole."""
    jobs = jobs_of(workload)
    warm(jobs, machine)
    result, seconds = timed(jobs, machine)
    rows = launch_rows(result)
    return {**seconds, **summed(rows), "launch_rows": rows}


def clone(workload, machine, **options):
    """Make the clones of a workload and simulate them; ``options`` are those of ``CloneOptions``.

    ``launch_rows`` has a row for each launch of the clone with its repeats added up: what it took,
    ``original``: the original's thread and warp instructions that it stands for, and of which of
    its launches.
    """
    known, study_s = studied(workload)
    begin = time.process_time()
    cloned = clone_studied(known, clone_options(options))
    files = cloned.files
    make_s = time.process_time() - begin
    with tempfile.TemporaryDirectory() as folder:
        jobs = write_clone(cloned, machine, Path(folder))
        warm(jobs, machine)
        result, seconds = timed(jobs, machine)
        if seconds["cpu_s"] < _SHORT_S:
            each = [timed(jobs, machine)[1] for _ in range(_ROUNDS)]
            seconds = min(each, key=lambda one: one["cpu_s"])
    rows = launch_rows(result)
    return {
        **seconds,
        **summed(rows),
        "study_s": study_s,
        "make_s": make_s,
        "launches": len(rows),
        "bytes": sum(len(text) for _, text in files.files),
        "models": [_model_row(cloned, number) for number in range(len(cloned.models))],
        "launch_rows": _clone_launches(cloned, rows),
    }


def clone_options(options):
    """Make options of clones from JSON, where headers of loops are texts."""
    given = dict(options)
    if given.get("reductions") is not None:
        given["reductions"] = {
            kernel: {int(loop): factor for loop, factor in factors.items()}
            for kernel, factors in given["reductions"].items()
        }
    return CloneOptions(**given)


def _model_row(cloned, number):
    model = cloned.models[number]
    own = cloned.studied.groups[number]
    return {
        "kernel": cloned.studied.jobs[own[0]].kernel.name,
        "launches": len(own),
        "reduction": model.reduction,
        "represented": model.represented,
        "loops": [[loop.header, loop.original, loop.iterations] for loop in model.loops],
    }


def _clone_launches(cloned, rows):
    found, done = [], 0
    profiles, jobs = cloned.studied.profiles, cloned.studied.jobs
    for launch, own in zip(cloned.application.launches, cloned.stands_for, strict=True):
        ran = summed(rows[done : done + launch.repeats])
        done += launch.repeats
        found.append(
            {
                "kernel": jobs[own[0]].kernel.name,
                "clone": launch.kernel,
                "grid": list(launch.grid),
                "repeats": launch.repeats,
                "stands_for": list(own),
                "original": {
                    "threads": sum(profiles[n].thread_instructions for n in own),
                    "warps": sum(profiles[n].warp_instructions for n in own),
                },
                **ran,
            }
        )
    if done != len(rows):
        raise ValueError(f"{done} launches were expected, and {len(rows)} were simulated")
    return found


# -- without a machine -----------------------------------------------------------------------------


def alike(workload):
    """Compare what original and clone execute: conflicts, coalescing, divergence.

    Each figure is a quotient of counts. The clone's is the mean of its launches' quotients,
    weighted by the original's counts of what they stand for.
    """
    known, _ = studied(workload)
    cloned = clone_studied(known, CloneOptions())
    with tempfile.TemporaryDirectory() as folder:
        for name, text in cloned.files.files:
            (Path(folder) / name).write_text(text, "utf-8")
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


def counts_of(made):
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


def compared(parts, over, under):
    """A quotient of the original and of the clone; None where the original has none of it.

    The clone's parts without any of it take part as 0.
    """
    whole = sum(own[under] for own, _ in parts)
    if not whole:
        return None
    theirs = sum(
        own[under] * (clone[over] / clone[under] if clone[under] else 0.0) for own, clone in parts
    )
    here = [sum(own[over] for own, _ in parts) / whole, theirs / whole]
    error = 100.0 * (here[1] / here[0] - 1.0) if here[0] else None
    return {"original": here[0], "clone": here[1], "error_percent": error}
