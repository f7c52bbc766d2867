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
from warpmill.session.options import LaunchOptions
from warpmill.session.sampled_launches import SampledApplication, sampled_launches
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import simulated
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine
from warpmill.studies.model import StudyPoint

FOLDERS = ("analyzer", "executor", "grammars", "simulator", "warpmill")
OTHER = (
    "analyzer/profile/behaviour/", "analyzer/profile/dfsg", "simulator/machines/",
    "simulator/regression/", "warpmill/__init__", "warpmill/cloning/", "warpmill/comparing/",
    "warpmill/exploring/", "warpmill/measurements/correlat", "warpmill/session/estimates",
    "warpmill/session/what_if", "warpmill/studies/", "warpmill/sweeps/", "warpmill/tuning/",
)  # fmt: skip
"""Sources, by how their paths begin, that no cycle depends on; a machine has a hash of its own."""
OF_SAMPLING = ("simulator/gpu/control", "simulator/sampling/", "warpmill/sampling/")
"""Those that no cycle depends on where all launches are simulated."""


def simulated_row(
    target: str, machine: str, settings: Mapping[str, Any], sizes: Mapping[str, int]
) -> Row:
    """Simulate all launches of an application: kernels, warp instructions and cycles by launch.

    ``sizes`` are those of the workload that are not its preset's.
    """
    app = sampled_launches(target, None, LaunchOptions(sizes=sizes))
    return {
        "kernels": [one.kernel for one in app.launches],
        "instructions": [one.warp_instructions for one in app.launches],
        **timed(app, load_machine(machine, settings)),
    }


def timed(app: SampledApplication, machine: Machine) -> Row:
    """Cycles by launch and of all; ``cpu_s`` are those of traces and timing, once all is ready."""
    made = plan(app.jobs, machine, trace_options=EXECUTED, streams="serial")
    begin = time.process_time()
    result = simulated(made).result
    spent = time.process_time() - begin
    cycles = [one.cycles for one in result.launches]
    return {"launch_cycles": cycles, "cycles": sum(cycles), "cpu_s": spent}


WHOLE = RowKind(simulated_row, FOLDERS, (*OTHER, *OF_SAMPLING))
STUDY = RowStudy("benchmarks.launch_times", 3, {"times": WHOLE})


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
