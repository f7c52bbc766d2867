"""Results that claim more than their machine has, counted over workloads, samples and machines."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.session.applications import application, largest_of_each_kernel
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.prepare import prepare_all
from warpmill.session.simulations import simulate
from warpmill.session.workloads import workloads
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machine_limits import STRICT, estimate_violations, simulation_violations
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.files import machine_names

ROOT = Path(__file__).resolve().parents[2]
FILES = ("samples/*/launch*.toml", "tests/cases/*/*.toml")
QUICK_MACHINES = ("v100", "a100", "gtx980", "rtx2060", "rtx4090", "h100_sxm", "quadro_k600")
QUICK_WORKLOADS = 6
SIMULATIONS, QUICK_SIMULATIONS = 200, 12
MOST_CYCLES = 2_000_000
SEED = 20


def above_machine_rates(quick: bool) -> tuple[int, list[str]]:
    """How many results were checked, and those above a rate of their machine.

    Estimates of the largest launch of each kernel on every machine, and some simulations, drawn
    by a seed. What cannot be read or does not fit on a machine is no result.
    """
    before = os.environ.pop(STRICT, None)  # all are to be counted
    try:
        found = [*_estimates(quick), *_simulations(quick)]
    finally:
        if before is not None:
            os.environ[STRICT] = before
    return len(found), [f"{name}: {'; '.join(beyond)}" for name, beyond in found if beyond]


def _jobs(quick: bool) -> Iterator[tuple[str, Job]]:
    names = sorted(workloads())
    chosen = random.Random(SEED).sample(names, QUICK_WORKLOADS) if quick else names
    for name in chosen:
        for preset in ("tiny",) if quick else ("tiny", "small"):
            app = application(f"{name}:{preset}")
            for number in largest_of_each_kernel(app.launches):
                yield f"{name}:{preset} launch {number}", app.job(number)
    patterns = ("samples/[mtv]*/launch.toml",) if quick else FILES
    for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern)):
        try:
            jobs = prepare_all(path)
        except WarpmillError:
            continue  # inputs that are refused
        yield from ((f"{path.relative_to(ROOT)} launch {n}", job) for n, job in enumerate(jobs))


def _estimates(quick: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    machines = [load_machine(name) for name in (QUICK_MACHINES if quick else machine_names())]
    for name, job in _jobs(quick):
        try:
            estimator = Estimator(job)
        except WarpmillError:
            continue
        for machine in machines:
            try:
                estimate = estimator.on(machine)
            except WarpmillError:
                continue
            found = estimate_violations(estimate, machine)
            yield f"estimate of {name} on {machine.name}", tuple(map(str, found))


def _simulations(quick: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    draw, names = random.Random(SEED), sorted(workloads())
    for _ in range(QUICK_SIMULATIONS if quick else SIMULATIONS):
        name, machine = draw.choice(names), load_machine(draw.choice(machine_names()))
        app = application(f"{name}:tiny")
        number = draw.choice(largest_of_each_kernel(app.launches))
        try:
            done = simulate(app.job(number), machine, options=Options(max_cycles=MOST_CYCLES))
        except WarpmillError:
            continue
        found = simulation_violations(done, machine, cold=True)
        words = f"simulation of {name}:tiny launch {number} on {machine.name}"
        yield words, tuple(map(str, found))
