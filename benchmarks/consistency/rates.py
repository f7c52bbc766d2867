"""Results that claim more than their machine has, counted over workloads, samples and machines."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import suppress
from unittest.mock import patch

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.benchmarks.benchmark import ROOT, say
from warpmill.benchmarks.checks import Found, checked
from warpmill.session.applications import application_jobs
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.prepare import prepare_all
from warpmill.session.simulations import simulate
from warpmill.session.workloads import workloads
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machine_limits import STRICT, estimate_violations, simulation_violations
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.files import machine_names

FILES = ("samples/*/launch*.toml", "tests/cases/*/*.toml")
QUICK_FILES = ("samples/[mtv]*/launch.toml",)
QUICK_MACHINES = ("v100", "a100", "gtx980", "rtx2060", "rtx4090", "h100_sxm", "quadro_k600")
QUICK_WORKLOADS = 6
SIMULATIONS, QUICK_SIMULATIONS = 200, 12
MOST_CYCLES = 2_000_000
SEED = 20

Claims = Iterator[tuple[str, tuple[object, ...]]]
"""Results by name, with what each claims above a rate of its machine."""


def rates(quick: bool) -> Found:
    """How many results were checked, and those above a rate of their machine.

    Estimates of the largest launch of each kernel on every machine, and some simulations, drawn
    by a seed. What cannot be read or does not fit on a machine is no result.
    """
    say("holding results against their machines")
    with patch.dict(os.environ):
        os.environ.pop(STRICT, None)  # all are to be counted
        found = [*_estimates(quick), *_simulations(quick)]
    beyond = [f"{name}: {'; '.join(map(str, claims))}" for name, claims in found if claims]
    return checked("within_rates", "rates", len(found), beyond)


def _jobs(quick: bool) -> Iterator[tuple[str, Job]]:
    names = sorted(workloads())
    for name in random.Random(SEED).sample(names, QUICK_WORKLOADS) if quick else names:
        for preset in ("tiny",) if quick else ("tiny", "small"):
            for job in application_jobs(f"{name}:{preset}"):
                yield f"{name}:{preset} {job.kernel.name}", job
    patterns = QUICK_FILES if quick else FILES
    for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern)):
        with suppress(WarpmillError):  # inputs that are refused
            for number, job in enumerate(prepare_all(path)):
                yield f"{path.relative_to(ROOT)} launch {number}", job


def _estimates(quick: bool) -> Claims:
    machines = [load_machine(name) for name in (QUICK_MACHINES if quick else machine_names())]
    for name, job in _jobs(quick):
        with suppress(WarpmillError):
            estimator = Estimator(job)
            for machine in machines:
                with suppress(WarpmillError):
                    found = estimate_violations(estimator.on(machine), machine)
                    yield f"estimate of {name} on {machine.name}", found


def _simulations(quick: bool) -> Claims:
    draw, names = random.Random(SEED), sorted(workloads())
    for _ in range(QUICK_SIMULATIONS if quick else SIMULATIONS):
        name, machine = draw.choice(names), load_machine(draw.choice(machine_names()))
        job = draw.choice(application_jobs(f"{name}:tiny"))
        with suppress(WarpmillError):
            done = simulate(job, machine, options=Options(max_cycles=MOST_CYCLES))
            found = simulation_violations(done, machine, cold=True)
            yield f"simulation of {name}:tiny {job.kernel.name} on {machine.name}", found
