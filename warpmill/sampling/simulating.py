"""Simulating launches of an application: those that were chosen, or all of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from warpmill.analyzer.profile.counts import Profile
from warpmill.registers import RegisterSources
from warpmill.sampled_launches import SampledApplication
from warpmill.sampling.issued import Numbers, block_lengths, issued_by_cta
from warpmill.sampling.results import Whole
from warpmill.sampling.warming import warm_ups
from warpmill.sampling.watched import Watched
from warpmill.simulation_plans import plan
from warpmill.simulations import Progress, simulate
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.sampling.region_runs import STABLE, LaunchRun, Plan, Stability, run_regions
from warpmill.simulator.sampling.tbpoint_regions import cta_work, regions
from warpmill.traces import TraceOptions

EXECUTED = TraceOptions(source="executed")


@dataclass(frozen=True)
class On:
    """Where launches are simulated, and how."""

    machine: Machine
    options: Options | None = None
    registers: RegisterSources | None = None
    traces: TraceOptions = EXECUTED


def whole_of(app: SampledApplication, on: On, progress: Progress | None = None) -> Whole:
    """Simulate all launches, one after another."""
    begin = time.process_time()
    result = simulate(
        app.jobs,
        on.machine,
        options=on.options,
        registers=on.registers,
        trace_options=on.traces,
        streams="serial",
        progress=progress,
    )
    return Whole(sum(one.cycles for one in result.launches), time.process_time() - begin)


@dataclass(frozen=True)
class Manner:
    """How launches are simulated.

    ``stability`` says when CTAs are passed over inside of launches; None: none are. ``warm_up`` is
    how many launches before a chosen one are simulated too, at most, so that caches are warm.
    """

    stability: Stability | None = None
    warm_up: int = 0


@dataclass(frozen=True)
class Simulated:
    """The runs of launches, in their order; ``warming`` were simulated before some of them."""

    runs: tuple[LaunchRun, ...]
    warming: tuple[LaunchRun, ...] = ()


def simulated(
    app: SampledApplication,
    numbers: Sequence[int],
    on: On,
    progress: Progress | None = None,
    manner: Manner | None = None,
) -> Simulated:
    """Simulate launches by their places, one after another. Errors as ``simulate``."""
    manner = manner or Manner()
    beside = warm_ups(app.launches, numbers, on.machine, manner.warm_up) if manner.warm_up else ()
    every = sorted({*numbers, *beside})
    made = plan(
        [app.jobs[n] for n in every],
        on.machine,
        options=on.options,
        registers=on.registers,
        trace_options=on.traces,
        streams="serial",
    )
    running = Watched(made.machine, made.works, made.options, progress)
    plans: list[Plan | None] = [None] * len(every)
    if manner.stability is not None:
        lengths = block_lengths(made.jobs, on.machine)
        plans = [
            None if n in beside else _plan(app.launches[n].profile, own, running.resident(k))
            for k, (n, own) in enumerate(zip(every, lengths, strict=True))
        ]
    runs = run_regions(running, plans, manner.stability or STABLE)
    by_place = dict(zip(every, runs, strict=True))
    return Simulated(tuple(by_place[n] for n in numbers), tuple(by_place[n] for n in beside))


def _plan(profile: Profile, lengths: Numbers, resident: int) -> Plan:
    """Find the regions of a launch; its CTAs count what the machine issues, as its IPC does."""
    work = cta_work(profile)
    assert profile.ctas is not None, "CTAs are counted where some are passed over"
    return Plan(regions(work, resident).of_cta, issued_by_cta(profile.ctas, lengths))
