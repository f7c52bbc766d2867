"""The paper's §6.2: main loops set to one iteration in the source, instead of a clone.

Workloads take the trip counts of their main loops through a macro. A build in which it is always 1
is run by the workload's own program; what it computes is wrong, and its checks are left out.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.minibench_parts.simulating import launch_rows, summed, timed, warm
from warpmill.analyzer.base.diagnostics import InputError
from warpmill.session.applications import Application
from warpmill.session.options import RunOptions
from warpmill.session.workload_runs import run_workload
from warpmill.session.workloads import DEFAULT_BUILD, WorkloadTarget, workloads

ONE = "-DTRIPS(n)=1"
MOST_INSTRUCTIONS = 2_000_000_000
"""Programs that go on until something has converged may never end with other results."""


def has_compiler():
    """Whether the sources can be built."""
    return shutil.which("nvcc") is not None


def shortened(name, machine, preset="paper-minibench"):
    """Simulate a workload whose main loops have one iteration. InputError where that fails."""
    if not has_compiler():
        raise InputError("there is no nvcc to build it with")
    workload = workloads()[name]
    with tempfile.TemporaryDirectory() as folder:
        own = build(workload, Path(folder))
        target = WorkloadTarget(replace(workload, folder=own), preset)
        options = RunOptions(record=True, max_instructions=MOST_INSTRUCTIONS)
        recording = run_workload(target, options=options, checked=False).run.recording
        app = Application(f"{name}, loops of one iteration", recording)
        jobs = [app.job(number) for number in range(len(app.launches))]
        warm(jobs, machine)
        result, seconds = timed(jobs, machine)
        row = summed(launch_rows(result))
        graphs = {job.kernel.name: flow(job.analysis.structure) for job in jobs}
    return {**seconds, **row, "ipc": row["threads"] / row["cycles"], "graphs": graphs}


def build(workload, folder):
    """Build a workload's modules with loops of one iteration; the folder of the workload there."""
    common = workload.folder.parents[1] / "common"
    own = folder / "samples" / "workloads" / workload.folder.name
    shutil.copytree(common, folder / "samples" / "common")
    shutil.copytree(workload.folder, own)
    record = json.loads((own / "artefacts.json").read_text("utf-8"))
    uses = False
    for module in workload.form.module:
        made = workload.module_file(module.name, DEFAULT_BUILD).name
        entry = record[made]
        for source in entry["sources"]:
            place = (own / source).resolve()
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(workload.folder / source, place)
            uses |= "TRIPS(" in place.read_text("utf-8").split("#endif", 1)[-1]
        compile_(shlex.split(entry["command"]), own)
    if not uses:
        raise InputError("none of its loops has its trip count from the macro TRIPS")
    return own


def compile_(command, folder):
    """Run nvcc with the macro; InputError with what it says."""
    done = subprocess.run(
        [command[0], ONE, *command[1:]], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise InputError(f"nvcc: {done.stderr.strip().splitlines()[-1]}")


def flow(structure):
    """Describe a kernel's control flow: blocks with instructions, edges, and loops by headers."""
    cfg = structure.cfg
    return {
        "blocks": [len(block.instructions) for block in structure.kernel.blocks],
        "edges": sorted([a, b] for a in range(len(structure.kernel.blocks))
                        for b in cfg.successors[a]),
        "loops": sorted(loop.header for loop in structure.loops.loops),
    }  # fmt: skip
