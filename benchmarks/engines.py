"""Estimates and simulations of the same launches beside each other, and what is different in them.

The largest launch of each kernel of the workloads' small presets, on three machines; durations,
each with the machine's launch overhead, which no simulation times. A launch's time is divided by
cause by each engine's evidence (``warpmill.session``), in µs of its own duration; the cause whose
times are furthest apart is what explains a difference.

Whole applications, all launches of tiny presets in a row, are beside each other too: the simulated
time, in which L2 is kept from launch to launch, and the estimates with each launch's L2 empty and
with what those before it left. They are times of CTAs, from the start of the first.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import median
from typing import Annotated, Any

from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import (
    ENGINE_TABLES,
    Benchmark,
    Goal,
    Request,
    column,
    mean,
    put_aside,
    say,
)
from warpmill.report.base import Part
from warpmill.report.sections import Table
from warpmill.session.application_l2 import carried_estimates
from warpmill.session.applications import application, largest_of_each_kernel
from warpmill.session.engine_evidence import evidence_of_simulation
from warpmill.session.estimates import Estimator
from warpmill.session.evidence import evidence_of_estimate
from warpmill.session.jobs import Job
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import simulated
from warpmill.session.workloads import workloads
from warpmill.simulator.assembler.costs import cta_start_cycles, launch_overhead
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines import load_machine
from warpmill.simulator.resources import LAUNCH

MACHINES, QUICK_MACHINES = ("a100", "v100", "rtx3070"), ("a100",)
PRESET, QUICK_WORKLOADS, SEED = "small", 8, 25
MOST_CYCLES = 3_000_000
WHOLE_PRESET, WHOLE_MACHINE, LONG = "tiny", "v100", 20.0
"""Applications: their preset and machine, and from how many µs on their errors are counted."""

APART = 1.25
"""Durations are apart where one is more than this times the other."""


class CauseTimes(Part):
    """A cause of a launch's time, and what each engine gives it."""

    cause: Annotated[str, Metric("differs most in")]
    estimated_us: Annotated[float, Metric("estimated", "µs")]
    simulated_us: Annotated[float, Metric("simulated", "µs")]


class Launch(Part):
    """A launch on a machine by both engines: ``bound`` is the estimate's, ``waits`` simulated."""

    workload: Annotated[str, Metric("workload")]
    launch: Annotated[int, Metric("launch")]
    machine: Annotated[str, Metric("machine")]
    kernel: Annotated[str, Metric("kernel")]
    estimated_us: Annotated[float, Metric("estimated", "µs")]
    simulated_us: Annotated[float, Metric("simulated", "µs")]
    bound: Annotated[str, Metric("bound, estimated")]
    waits: Annotated[str, Metric("warps wait for, simulated")]
    differs: CauseTimes

    @derived("ratio")
    def ratio(self) -> float:
        """The estimated over the simulated duration."""
        return self.estimated_us / self.simulated_us

    @property
    def factor(self) -> float:
        """By which factor the durations differ."""
        return max(self.ratio, 1 / self.ratio)

    @property
    def is_apart(self) -> bool:
        """Whether they differ by more than a quarter."""
        return self.factor > APART


class Whole(Part):
    """An application of several launches, executions added up: with L2 empty at each, and kept."""

    workload: Annotated[str, Metric("workload")]
    launches: Annotated[int, Metric("launches")]
    simulated_us: Annotated[float, Metric("simulated", "µs")]
    cold_us: Annotated[float, Metric("estimated, L2 empty", "µs")]
    carried_us: Annotated[float, Metric("estimated, L2 kept", "µs")]

    def error(self, *, cold: bool) -> float:
        """Percent that an estimate is off."""
        return 100 * abs((self.cold_us if cold else self.carried_us) / self.simulated_us - 1)


class Cause(Part):
    """A cause that launches which are apart differ most in."""

    cause: Annotated[str, Metric("cause")]
    launches: Annotated[int, Metric("launches")]


class EnginesResult(Part):
    """All launches that both engines time."""

    rows: tuple[Launch, ...]
    applications: tuple[Whole, ...] = ()

    @derived("applications, L2 empty at each launch: mean error, %")
    def applications_cold(self) -> float | None:
        """None without applications of LONG or more."""
        return self._error(cold=True)

    @derived("applications, L2 kept between launches: mean error, %")
    def applications_carried(self) -> float | None:
        """None without applications of LONG or more."""
        return self._error(cold=False)

    def _error(self, *, cold: bool) -> float | None:
        long = [one for one in self.applications if one.simulated_us >= LONG]
        found = mean(one.error(cold=cold) for one in long)
        return None if found is None else round(found, 2)

    @property
    def aside(self) -> frozenset[str]:
        """The workloads that are put aside."""
        return put_aside({row.workload for row in self.rows})

    @derived("launches apart, %")
    def engines_apart(self) -> float | None:
        """None without launches."""
        return apart(self.rows)

    @derived("the same of the workloads put aside, %")
    def apart_aside(self) -> float | None:
        """None without launches of them."""
        return apart(row for row in self.rows if row.workload in self.aside)

    @derived("the same of the others, %")
    def apart_others(self) -> float | None:
        """None without launches of them."""
        return apart(row for row in self.rows if row.workload not in self.aside)

    @derived("launches")
    def engines_compared(self) -> int:
        """How many both engines time."""
        return len(self.rows)

    @derived("estimated over simulated duration, median")
    def engines_ratio_median(self) -> float | None:
        """None without launches."""
        found = mean((row.ratio for row in self.rows), median)
        return None if found is None else round(found, 3)

    @derived("causes")
    def differs(self) -> tuple[Cause, ...]:
        """What the launches that are apart differ most in, the most frequent first."""
        found = Counter(row.differs.cause for row in self.rows if row.is_apart)
        ordered = sorted(found.items(), key=lambda one: (-one[1], one[0]))
        return tuple(Cause(cause=cause, launches=number) for cause, number in ordered)


def apart(rows: Iterable[Launch]) -> float | None:
    """Percent of launches whose durations are apart; None without launches."""
    found = mean(100 * row.is_apart for row in rows)
    return None if found is None else round(found, 2)


def measure(request: Request) -> EnginesResult:
    """Time launches of workloads by both engines."""
    every = request.chosen(sorted(workloads()))
    if request.quick:
        every = random.Random(SEED).sample(every, min(QUICK_WORKLOADS, len(every)))
    rows: list[Launch] = []
    applications: list[Whole] = []
    for place, name in enumerate(every):
        say(f"{name}, {place + 1} of {len(every)}")
        rows += of_workload(name, QUICK_MACHINES if request.quick else MACHINES)
        applications += of_application(name, WHOLE_MACHINE)
    return EnginesResult(rows=tuple(rows), applications=tuple(applications))


def of_application(name: str, on: str) -> Iterator[Whole]:
    """A workload of several launches by both engines; none where one of them refuses it."""
    app, machine = application(f"{name}:{WHOLE_PRESET}"), load_machine(on)
    jobs = [app.job(number) for number in range(len(app.launches))]
    if len(jobs) < 2:
        return
    clock = float(machine.number("clock.sm_mhz"))
    starts = len(jobs) * cta_start_cycles(machine) / clock  # which an execution is without

    def executed(*, carries: bool) -> float:
        def ends(job: Job) -> tuple[Estimator, ...]:
            return (Estimator(job),)

        found = carried_estimates(jobs, [machine], ends, carries=carries).launches
        made = [one[machine.name] for one in found]
        return starts + sum(one.execution_us for one in made if one is not None)

    try:
        other = simulated(plan(jobs, machine, streams="serial")).result
        times = executed(carries=False), executed(carries=True)
    except WarpmillError:
        return
    cycles = sum(one.cycles for one in other.launches)
    yield Whole(
        workload=name,
        launches=len(jobs),
        simulated_us=cycles / clock,
        cold_us=times[0],
        carried_us=times[1],
    )


def of_workload(name: str, machines: Iterable[str]) -> Iterator[Launch]:
    """A row a kernel and machine; none where an engine refuses it, or it takes too long."""
    app = application(f"{name}:{PRESET}")
    for number in largest_of_each_kernel(app.launches):
        for machine in machines:
            try:
                yield beside(app.job(number), machine, workload=name, launch=number)
            except WarpmillError:
                continue


def beside(job: Job, on: str, **place: Any) -> Launch:
    """A launch's durations by both engines, what bounds it, and the cause that differs most."""
    machine, estimator = load_machine(on), Estimator(job)
    one = estimator.on(machine)
    other = simulated(plan(job, machine, options=Options(max_cycles=MOST_CYCLES)))
    overhead = launch_overhead(machine, job.required_launch().cta_count)
    estimated = evidence_of_estimate(estimator, machine, one).shares or {}
    shares = evidence_of_simulation(other).shares or {}
    mine = {c: part * one.time_us for c, part in estimated.items() if c != LAUNCH}
    theirs = {cause: part * other.result.time_us for cause, part in shares.items()}
    cause = max(sorted({*mine, *theirs}), key=lambda c: abs(mine.get(c, 0.0) - theirs.get(c, 0.0)))
    waits = max(other.result.warp_states, key=lambda state: state.warp_cycles)
    return Launch(
        **place,
        machine=on,
        kernel=job.kernel.name,
        estimated_us=one.time_us,
        simulated_us=overhead.total_us(other.result.time_us),
        bound=one.bound,
        waits=str(waits.state),
        differs=CauseTimes(
            cause=str(cause),
            estimated_us=mine.get(cause, 0.0),
            simulated_us=theirs.get(cause, 0.0),
        ),
    )


BENCHMARK: Benchmark[EnginesResult] = Benchmark(
    name="engines",
    about="Estimates and simulations of the same launches, and what is different in them.",
    takes="6 minutes",
    result=":EnginesResult",
    measure=":measure",
    parts="workloads",
    goals=(
        Goal("engines_apart", 0.0), Goal("apart_aside"), Goal("apart_others"),
        Goal("engines_compared"), Goal("engines_ratio_median"),
        Goal("applications_cold"), Goal("applications_carried"),
    ),
    sections=(
        Table("Causes", "differs", ("cause", "launches")),
        Table("Launches apart", "rows",
              (column("ratio", form="{:.2f}"), "workload", "launch", "machine", "estimated_us",
               "simulated_us", "bound", "waits", "differs.cause", "differs.estimated_us",
               "differs.simulated_us"), left=(1, 3, 6, 7, 8), wrap=(6, 7),
              chosen=lambda row: row.is_apart, order=lambda row: row.factor),
        Table("Applications", "applications",
              ("workload", "launches", "simulated_us", "cold_us", "carried_us")),
    ),
    data=(*ENGINE_TABLES, "samples/workloads/**/*.toml"),
    put_aside="a third of the workloads, by seed, from 2026-11-29 on; earlier work has seen them",
)  # fmt: skip
