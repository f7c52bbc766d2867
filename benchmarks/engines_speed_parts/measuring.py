"""What is timed: both engines over the launches of an application, each in a process of its own.

The host program runs before, as both engines need what it launches, and its time stands apart. What
counts is everything from reading the kernels to the times that are predicted: analysis, traces (of
data where these decide, for which launches are executed again) and the engine. Before that the same
is done once for the application's preset ``tiny``, so that engines are compiled and loaded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from benchmarks.engines_speed_parts.timing import alone, timed, timed_median
from warpmill.session.applications import Application, application, largest_of_each_kernel
from warpmill.session.estimates import estimate
from warpmill.session.jobs import Job
from warpmill.session.simulations import simulate
from warpmill.simulator.machines.model import Machine
from warpmill.studies.model import PointOutcome

VERSION = 1
"""One more where this file measures something else: it is not hashed."""
ROUNDS = 3
"""How often one launch is asked for; all launches are asked for once."""
ESTIMATE, SIMULATE = "estimate", "simulate"

Row = dict[str, Any]
Microseconds = Callable[[Sequence[Job]], float]


def estimated_us(jobs: Sequence[Job], machine: str | Machine) -> float:
    """Estimate launches one by one; the sum of their executions in µs, without what launching adds.

    Simulations have no such overhead either.
    """
    return sum(estimate(job, machine).execution_us for job in jobs)


def simulated_us(jobs: Sequence[Job], machine: str | Machine) -> float:
    """Simulate launches in a row, µs from the first CTA's begin to the last one's end."""
    return simulate(jobs, machine).time_us


_ENGINES = {ESTIMATE: estimated_us, SIMULATE: simulated_us}


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Measure a point in a process of its own."""
    return PointOutcome(facts={"result": alone(measured, inputs)})


def measured(inputs: Mapping[str, Any]) -> Row:
    """Measure the application and engine of a point on its machine; a row."""
    name, machine, engine = inputs["workload"], inputs["machine"], _ENGINES[inputs["engine"]]

    def asked(jobs: Sequence[Job]) -> float:
        return engine(jobs, machine)

    load = os.getloadavg()[0]
    app, host = timed(lambda: application(f"{name}:{inputs['preset']}"))
    _warm(application(f"{name}:tiny"), asked)
    kernels = [_kernel(app, number, asked) for number in largest_of_each_kernel(app.launches)]
    microseconds, spent = timed(lambda: asked(_fresh(app)))
    return {
        "launches": len(app.launches),
        "warp_instructions": _executed(app),
        "host": asdict(host),
        "kernels": kernels,
        "all": {**asdict(spent), "time_us": microseconds},
        "load": max(load, os.getloadavg()[0]),
    }


def _executed(app: Application) -> int | None:
    """Add up the warp instructions of all launches; None where one was not counted."""
    each = [one.warp_instructions for one in app.launches]
    known = [one for one in each if one is not None]
    return sum(known) if len(known) == len(each) else None


def _warm(tiny: Application, asked: Microseconds) -> None:
    for number in largest_of_each_kernel(tiny.launches):
        asked([tiny.job(number)])
    asked(_fresh(tiny))


def _fresh(app: Application) -> list[Job]:
    """Read the kernels again; all launches as jobs of which nothing is known yet."""
    again = Application(app.title, app.recording)
    return [again.job(number) for number in range(len(again.launches))]


def _kernel(app: Application, number: int, asked: Microseconds) -> Row:
    """Ask for one launch as if it were the only one, some times."""
    microseconds, spent = timed_median(lambda: asked([_fresh(app)[number]]), ROUNDS)
    return {
        "kernel": app.launches[number].kernel.name,
        "launch": number,
        **asdict(spent),
        "time_us": microseconds,
    }
