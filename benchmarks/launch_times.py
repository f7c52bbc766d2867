"""The cycles of each launch of applications when all are simulated, kept in a study.

Launches run one after another and caches stay warm between them. A row is measured anew where the
workload changed, or sources that a simulation depends on: those of sampling are none of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from warpmill.benchmarks.keeping import measured, results
from warpmill.sampling.runs import EXECUTED
from warpmill.session.applications import Application
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.run import run
from warpmill.session.simulation_plans import plan
from warpmill.session.workloads import workloads
from warpmill.simulator.gpu.control import Steered
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.sources import sources_digest

STUDY = "benchmarks.launch_times"
VERSION = 1
"""One more where this file measures something else: it is not hashed."""
FOLDERS = ("analyzer", "executor", "grammars", "simulator", "warpmill")
OTHER = (
    "analyzer/profile/behaviour/", "analyzer/profile/dfsg", "simulator/machines/",
    "simulator/regression/", "simulator/sampling/", "simulator/gpu/control", "warpmill/__init__",
    "warpmill/cloning/", "warpmill/comparing/", "warpmill/exploring/",
    "warpmill/measurements/correlat", "warpmill/sampling/", "warpmill/session/estimates",
    "warpmill/session/sampled", "warpmill/session/what_if", "warpmill/studies/",
    "warpmill/sweeps/", "warpmill/tuning/",
)  # fmt: skip
"""Sources, by how their paths begin, that no cycle depends on; a machine has a hash of its own."""


def sources() -> str:
    """Hash what cycles depend on."""
    return sources_digest(*FOLDERS, without=OTHER)


def wanted(
    target: str, machine: str, sizes: Mapping[str, int] | None = None, **settings: Any
) -> StudyPoint:
    """Make a point: all launches of an application on a machine with some settings.

    ``sizes`` are those of the workload that are not its preset's.
    """
    name = target.partition(":")[0]
    inputs = {"target": target, "machine": machine, "settings": settings, "files": _files(name),
              "machine_digest": load_machine(machine, settings).digest,
              "sources": sources(), "version": VERSION}  # fmt: skip
    return StudyPoint({**inputs, **({"sizes": sizes} if sizes else {})}, target)


def launch_times(
    points: Sequence[StudyPoint], store: str | Path, workers: int, say: Callable[[str], None]
) -> list[dict[str, Any]]:
    """For each point the cycles by launch, all cycles, and the CPU seconds they took.

    What is not known yet is simulated. SystemExit where some cannot be.
    """
    return results(measured(STUDY, store, points, _evaluate, workers=workers, say=say))


def _evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    machine = load_machine(inputs["machine"], dict(inputs["settings"]))
    found = simulated(inputs["target"], machine, inputs.get("sizes"))
    return PointOutcome(facts={"result": found})


def simulated(
    target: str, machine: Machine, sizes: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Simulate all launches of an application."""
    begin = time.process_time()
    options = LaunchOptions(launches="all", sizes=sizes or {})
    done = run(target, None, options, RunOptions(record=True))
    app = Application(target, done.recording)
    jobs = [app.job(place) for place in range(len(done.recording.launches))]
    made = plan(jobs, machine, trace_options=EXECUTED, streams="serial")
    running = Steered(made.machine, made.works, made.options)
    started = time.process_time()
    while running.begin_next():
        running.run_group()
    spent = time.process_time() - started
    spans = [running.span(k) for k in range(len(jobs))]
    each = [end - start for start, end in spans]
    return {
        "launch_cycles": each,
        "cycles": sum(each),
        "sm_mhz": float(machine.number("clock.sm_mhz")),
        "cpu_s": spent,
        "all_cpu_s": time.process_time() - begin,
    }


@cache
def _files(workload: str) -> str:
    folder = workloads()[workload].folder
    own = [p for p in folder.iterdir() if p.suffix in {".toml", ".ptx", ".py"}]
    return _hash(sorted([*own, *(folder.parents[1] / "common").glob("*.py")]))


def _hash(paths: Sequence[Path]) -> str:
    digest = sha256()
    for path in paths:
        digest.update(path.name.encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()
