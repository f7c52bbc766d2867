"""What is shown of clones beside errors and speed-ups: control flow, compilers, the search.

Rows are JSON, as those of ``measured``.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.minibench_parts.measured import jobs_of, studied
from benchmarks.minibench_parts.simulating import timed, warm
from benchmarks.minibench_parts.source_loops import flow
from warpmill.cloning.clone import clone_studied
from warpmill.cloning.options import CloneOptions
from warpmill.session.dfsgs import dfsgs
from warpmill.session.prepare import prepare_all
from warpmill.simulator.machines import load_machine

TARGETS = ("sm_75", "sm_80", "sm_90", "sm_120")
MOST_ERROR = 0.03
"""The IPC error that the search for reductions stays inside, a share."""
_TIME_LIMIT_S = 300
_SCRATCH = re.compile(r"/\w+/tmpxft_[0-9a-f_-]+_")  # nvcc's own files
_MOST_LINES = 5  # of what a compiler says


def searched(workload, machine):
    """Search reductions of a workload's loops on one machine; what was found, and what it took."""
    from warpmill.cloning.search import search  # noqa: PLC0415 - only where it is asked for

    jobs = jobs_of(workload)
    warm(jobs, machine)
    original, seconds = timed(jobs, machine)
    found = search(
        studied(workload)[0], CloneOptions(), load_machine(machine), original, max_error=MOST_ERROR
    ).search
    chosen = found.chosen
    return {
        "factor": chosen.factor,
        "reductions": {
            kernel: {str(loop): factor for loop, factor in sorted(factors.items())}
            for kernel, factors in sorted(chosen.reductions.items())
        },
        "error_percent": 100.0 * chosen.ipc_difference,
        "met": found.met,
        "trials": len(found.trials),
        "search_cpu_s": found.cpu_seconds,
        "original_cpu_s": seconds["cpu_s"],
    }


def graph(workload, kernel):
    """The divergence flow statistics of the first launch of a kernel (Figure 13)."""
    from benchmarks.minibench_parts.measured import title  # noqa: PLC0415 - beside its use

    own = next(g for g in dfsgs(title(workload)) if g.launch.kernel == kernel)
    return {
        "kernel": kernel,
        "nodes": [[n.block, n.ecount, n.lcount, n.scount] for n in own.nodes],
        "edges": [[e.source, e.target, e.oecount, e.iecount, e.tcount] for e in own.edges],
    }


def flows(workload):
    """The control flow of a workload's kernels, and of their clones (Figure 22)."""
    known = studied(workload)[0]
    cloned = clone_studied(known, CloneOptions())
    with tempfile.TemporaryDirectory() as folder:
        for name, text in cloned.files.files:
            Path(folder, name).write_text(text, "utf-8")
        jobs = prepare_all(Path(folder, "launch.toml"))
        clones = {job.kernel.name: flow(job.analysis.structure) for job in jobs}
    found = {}
    for model, own in zip(cloned.models, known.groups, strict=True):
        job = known.jobs[own[0]]
        pair = {"original": flow(job.analysis.structure), "clone": clones[model.name]}
        found.setdefault(job.kernel.name, pair)
    return found


# -- compilers -------------------------------------------------------------------------------------


def compilers():
    """Name the compilers that are there."""
    return tuple(name for name in ("ptxas", "nvcc") if shutil.which(name))


def accepted(workload):
    """Have the compilers take a workload's clones, made for several chips.

    By compiler and chip: None where it took the file, else what it said.
    """
    known, found = studied(workload)[0], {}
    for target in TARGETS:
        cloned = clone_studied(known, replace(CloneOptions(), chip=target))
        with tempfile.TemporaryDirectory() as folder:
            for name, text in cloned.files.files:
                Path(folder, name).write_text(text, "utf-8")
            for compiler in compilers():
                suffix, more = (".ptx", ()) if compiler == "ptxas" else (".cu", ("-cubin",))
                name = next(n for n in cloned.files.names if n.endswith(suffix))
                command = [compiler, f"-arch={target}", *more, name, "-o", "made.cubin"]
                found[f"{compiler} {target}"] = complaint(command, folder)
    return found


def complaint(command, folder):
    """Run a compiler; None where it took everything, else its words."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=_TIME_LIMIT_S
    )
    if not done.returncode:
        return None
    said = _SCRATCH.sub("", done.stderr or done.stdout).strip().splitlines()
    return "\n".join(said[:_MOST_LINES]) or "it failed"
