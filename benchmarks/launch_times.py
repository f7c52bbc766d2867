"""The cycles of each launch of applications when all are simulated, kept in a study.

Launches run one after another and caches stay warm between them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from warpmill.benchmarks.benchmark import Request
from warpmill.benchmarks.points import Row, RowKind, Rows, RowStudy
from warpmill.sampling.runs import EXECUTED
from warpmill.session.applications import Application
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.run import run
from warpmill.session.simulation_plans import plan
from warpmill.simulator.gpu.control import Steered
from warpmill.simulator.machines import load_machine
from warpmill.studies.model import StudyPoint

FOLDERS = ("analyzer", "executor", "grammars", "simulator", "warpmill")
OTHER = (
    "analyzer/profile/behaviour/", "analyzer/profile/dfsg", "simulator/machines/",
    "simulator/regression/", "warpmill/__init__", "warpmill/cloning/", "warpmill/comparing/",
    "warpmill/exploring/", "warpmill/measurements/correlat", "warpmill/session/estimates",
    "warpmill/session/what_if", "warpmill/studies/", "warpmill/sweeps/", "warpmill/tuning/",
)  # fmt: skip
"""Sources, by how their paths begin, that no cycle depends on; a machine has a hash of its own."""
OF_SAMPLING = (
    "simulator/gpu/control", "simulator/sampling/", "warpmill/sampling/",
    "warpmill/session/sampled",
)  # fmt: skip
"""Those that no cycle depends on where all launches are simulated."""


def simulated(
    target: str, machine: str, settings: Mapping[str, Any], sizes: Mapping[str, int]
) -> Row:
    """Simulate all launches of an application: cycles by launch, and the CPU seconds they take.

    ``sizes`` are those of the workload that are not its preset's.
    """
    options = LaunchOptions(launches="all", sizes=sizes)
    done = run(target, None, options, RunOptions(record=True))
    app = Application(target, done.recording)
    jobs = [app.job(place) for place in range(len(done.recording.launches))]
    on = load_machine(machine, settings)
    made = plan(jobs, on, trace_options=EXECUTED, streams="serial")
    running = Steered(made.machine, made.works, made.options)
    started = time.process_time()
    while running.begin_next():
        running.run_group()
    spent = time.process_time() - started
    spans = [running.span(k) for k in range(len(jobs))]
    each = [end - start for start, end in spans]
    return {"launch_cycles": each, "cycles": sum(each), "cpu_s": spent}


WHOLE = RowKind(simulated, FOLDERS, (*OTHER, *OF_SAMPLING))
STUDY = RowStudy("benchmarks.launch_times", 2, {"times": WHOLE})


def wanted(
    target: str, machine: str, sizes: Mapping[str, int] | None = None, **settings: Any
) -> StudyPoint:
    """Point of all launches of an application on a machine with some settings."""
    return STUDY.point("times", target, machine=machine, settings=settings, sizes=sizes or {})


def launch_times(points: Iterable[StudyPoint], request: Request) -> Rows:
    """Rows of points; what is not known yet is simulated."""
    rows = Rows(STUDY, request)
    rows.measure(points)
    return rows
