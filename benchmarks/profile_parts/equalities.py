"""What has to be equal: replayed launches and recorded ones, executed traces and static ones.

Every artefact of every sample counts, with all launches of its launch file. Recordings pass through
a file.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.execution_parts.samples import SAMPLES, SMALL, launch_files
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.executor.collectors import ProfileCollector
from warpmill.executor.host.recording import load_recording, save_recording
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions, RunOptions, TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.records import recorded_memory, replayed_memory
from warpmill.session.traces import compare_with_executed

QUICK_CTAS = 4
MOST_CTAS = 16
"""CTAs of a launch whose traces are compared, spread over the grid."""


def artefacts(*, quick):
    """Each artefact's name with the jobs of its launch file; of the first alone for a look."""
    for folder in sorted(p for p in SAMPLES.iterdir() if (p / "launch.toml").exists()):
        files = list(launch_files(folder).items())
        for artefact, file in files[:1] if quick else files:
            yield f"{folder.name}/{artefact.name}", _jobs(artefact, file, folder.name)


def _jobs(artefact, file, sample):
    """Prepare the launches of a file with an artefact as their module, at small sizes."""
    jobs = ()
    for job in prepare_all(str(file), None, LaunchOptions(sizes=SMALL.get(sample, {}))):
        launch = replace(job.required_launch(), module=artefact)
        loaded, kernel = load_kernel(artefact, launch.kernel)
        jobs = (*jobs, Job(loaded, kernel, launch, jobs))
    return jobs


def replays(*, quick, say):
    """Record each artefact's launches and replay them; [equal, of], and what differs."""
    wrong, total = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name, jobs in artefacts(quick=quick):
            say(f"{name}: record and replay")
            total += 1
            differing = _replayed(jobs, Path(folder) / "app.wmrec")
            if differing:
                wrong.append(f"{name}: {differing}")
    return [total - len(wrong), total], wrong


def _replayed(jobs, path):
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


def static_traces(*, quick, say):
    """Compare static and executed traces of each launch that no data decide; [equal, of], others.

    Of launches that data decide, what the static traces overshoot is told.
    """
    wrong, decided, total = [], [], 0
    for name, jobs in artefacts(quick=quick):
        for job in jobs:
            launch = job.required_launch()
            say(f"{name} {launch.name}: static and executed")
            found = compare_with_executed(job, TraceOptions(), _ctas(launch.grid, quick))
            if found.assumed:
                decided.append(_overshoot(name, launch.name, found))
                continue
            total += 1
            if not found.comparison.is_equal:
                equal = found.comparison.equal_warps
                wrong.append(f"{name} {launch.name}: {equal} of {found.comparison.warps} warps")
    return [total - len(wrong), total], wrong, decided


def _ctas(grid, quick):
    from warpmill.analyzer.traces.summary import sampled_ctas  # noqa: PLC0415 - with its only use

    return sampled_ctas(grid, QUICK_CTAS if quick else MOST_CTAS)


def _overshoot(name, launch, found):
    comparison = found.comparison
    return {
        "artefact": name,
        "launch": launch,
        "covers": comparison.covers,
        "warp_overshoot": round(comparison.warp_overshoot, 4),
        "thread_overshoot": round(comparison.thread_overshoot, 4),
        "assumed": len(found.assumed),
    }
