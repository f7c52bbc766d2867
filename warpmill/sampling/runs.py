"""Samples: an application's launches chosen, the chosen ones simulated, the whole projected.

::

    one = warpmill.sample("bfs:small", "v100", warpmill.SampleOptions("tbpoint"))
    print(one.projection.cycles, one.projection.interval, one.sample_share)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import stdev
from typing import TypeVar, Unpack

from warpmill.analyzer.base.diagnostics import NO_ANSWER, UsageError, WarpmillError, all_unanswered
from warpmill.analyzer.profile.counts import Profile
from warpmill.report.facts import not_simulated
from warpmill.sampling.growing import SamplingPass, half_width, more
from warpmill.sampling.issued import Numbers, block_lengths, issued, issued_by_cta
from warpmill.sampling.methods import (
    GROWING,
    Chosen,
    check_options,
    choose,
    features_of,
    warm_ups,
)
from warpmill.sampling.options import SampleOptions
from warpmill.sampling.results import ApplicationSample, SampleReport, Whole
from warpmill.session.estimates import estimate
from warpmill.session.jobs import Job
from warpmill.session.options import (
    MAX_TRACED_INSTRUCTIONS,
    LaunchKeywords,
    LaunchOptions,
    RegistersFrom,
    RunOptions,
    SimulationSetup,
    TraceOptions,
    launch_with,
)
from warpmill.session.sampled_launches import SampledApplication, sampled_launches
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import SLICE_S, Done, Progress, simulate
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.control import Steered
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.simulate import LaunchWork
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.sampling.model import CountedLaunch, Projection, Selection, project
from warpmill.simulator.sampling.region_runs import (
    STABILITIES,
    STABLE,
    RegionPlan,
    RegionStability,
    SampledLaunch,
    run_regions,
)
from warpmill.simulator.sampling.tbpoint import cta_work, regions

Stage = Callable[[str, bool], AbstractContextManager[Callable[[Done], None] | None]]
"""Context of a stage, by its words and whether it simulates; its callback for progress."""

_Done = TypeVar("_Done")


def sample(
    target: str | Path | SampledApplication,
    machine: str | Machine,
    options: SampleOptions | None = None,
    *,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    selection: Selection | None = None,
    simulation: SimulationSetup | None = None,
    **keywords: Unpack[LaunchKeywords],
) -> ApplicationSample:
    """Choose launches of a target, simulate them on a machine, and project the whole.

    A target is what ``sampled_launches`` takes, or what it gives. ``selection`` is one that was
    made before, which is used as it is. Traces are executed, whatever their source says. Errors as
    ``sampled_launches``, ``choose`` and ``simulate``.
    """
    (found,) = samples(
        target,
        (machine,),
        options,
        kernel=kernel,
        launch=launch_with(launch, keywords) if keywords else launch,
        selection=selection,
        simulation=simulation,
    ).machines
    return found


def samples(
    target: str | Path | SampledApplication,
    machines: Sequence[str | Machine],
    options: SampleOptions | None = None,
    *,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    selection: Selection | Callable[[SampledApplication], Selection] | None = None,
    simulation: SimulationSetup | None = None,
    stage: Stage | None = None,
) -> SampleReport:
    """Profile a target once, choose once, and simulate what was chosen on each machine.

    A target error is met on the first machine. ``selection`` may be made of the application. What
    limits the instructions of traces limits the profile's as well, where it is not as always.
    Errors as ``sample``; InputError where the launches fit on no machine.
    """
    options, setup = options or SampleOptions(), simulation or SimulationSetup()
    if selection is None:
        check_options(options)
    if not machines:
        raise UsageError("there is no machine to simulate on")
    traces = replace(setup.traces, source="executed")
    ons = [
        On(load_machine(m) if isinstance(m, str) else m, setup.options, setup.registers, traces)
        for m in machines
    ]
    taken: dict[str, float] = {}
    sampling = _Sampling(options, stage or _quiet)
    with sampling.stage(f"profiling {_title(target)}", False):
        is_said = traces.max_instructions != MAX_TRACED_INSTRUCTIONS
        limits = RunOptions(max_instructions=traces.max_instructions if is_said else None)
        app = _timed(
            taken, "profile", lambda: _application(target, kernel, launch, options, limits)
        )
    with sampling.stage("choosing what to simulate", False):
        chosen = _timed(taken, "choice", lambda: _chosen(app, ons[0], options, selection))
    return sampling.on_all(app, ons, chosen, taken, is_given=selection is not None)


@dataclass(frozen=True)
class _Sampling:
    """Simulates a selection on machines, and more of it where a target error asks for that."""

    options: SampleOptions
    stage: Stage

    def on_all(
        self,
        app: SampledApplication,
        ons: Sequence[On],
        chosen: Chosen,
        taken: Mapping[str, float],
        *,
        is_given: bool,
    ) -> SampleReport:
        """Simulate on all machines. InputError or LimitError where none answers."""
        found: list[ApplicationSample] = []
        failures: dict[str, WarpmillError] = {}
        grows = self.options.target_error is not None and self.options.chooser in GROWING
        for on in ons:
            try:
                if grows and not found and not is_given:
                    one = self._grown(app, on, taken)
                    chosen = Chosen(one.selection, None)
                else:
                    one = self._on(app, on, chosen, taken)
                found.append(self._checked(app, on, one) if self.options.compare else one)
            except NO_ANSWER as error:
                failures[on.machine.name] = error
        if not found:
            raise all_unanswered(list(failures.values()))
        return SampleReport(
            application=app,
            options=self.options,
            selection=chosen.selection,
            machines=tuple(found),
            not_simulated=not_simulated(failures),
        )

    def _grown(
        self, app: SampledApplication, on: On, taken: Mapping[str, float]
    ) -> ApplicationSample:
        """Simulate larger and larger selections, each anew, until one meets the target error.

        So a selection that is used again gives the same figures.
        """
        target, passes, before = self.options.target_error, list[SamplingPass](), 0.0
        assert target is not None
        for options in more(self.options, app.launches):
            chosen = choose(app.launches, options)
            one = self._on(app, on, chosen, taken)
            before += one.taken["simulation"]
            width = half_width(one.projection)
            passes.append(SamplingPass(len(chosen.selection.chosen), one.sample_share, width))
            if width is not None and width * 100 <= target:
                break
        return replace(one, passes=tuple(passes), taken={**one.taken, "simulation": before})

    def _on(
        self, app: SampledApplication, on: On, chosen: Chosen, taken: Mapping[str, float]
    ) -> ApplicationSample:
        numbers, own = chosen.selection.launches, dict(taken)
        many = f"{len(numbers)} of {len(app.launches)} launches"
        with self.stage(f"simulating {many} on {on.machine.name}", True) as progress:
            done = _timed(
                own, "simulation", lambda: simulated(app, numbers, on, progress, self._manner)
            )
        runs = done.runs
        by_launch = {n: run.whole_cycles for n, run in zip(numbers, runs, strict=True)}
        cycles = {
            unit: sum(by_launch[n] for n in chosen.selection.units[unit].launches)
            for unit in chosen.selection.chosen
        }
        return ApplicationSample(
            application=app,
            simulated_on=on.machine,
            options=self.options,
            selection=chosen.selection,
            numbers=numbers,
            runs=runs,
            warming=done.warming,
            cycles=cycles,
            projection=widened(
                project(chosen.selection, cycles, chosen.features), chosen.selection, numbers, runs
            ),
            issued=issued([one.profile for one in app.launches], app.jobs, on.machine),
            taken=own,
            expected_error=chosen.expected_error,
        )

    @property
    def _manner(self) -> Manner:
        inside = STABILITIES[self.options.rule] if self.options.skips_ctas else None
        return Manner(inside, self.options.warm_ups)

    def _checked(
        self, app: SampledApplication, on: On, one: ApplicationSample
    ) -> ApplicationSample:
        what = f"simulating all {len(app.launches)} launches on {on.machine.name}"
        with self.stage(what, True) as progress:
            return replace(one, whole=whole_of(app, on, progress))


@contextmanager
def _quiet(_what: str, _simulating: bool) -> Iterator[None]:
    yield None


def _timed(taken: dict[str, float], what: str, do: Callable[[], _Done]) -> _Done:
    begin = time.process_time()
    done = do()
    taken[what] = time.process_time() - begin
    return done


def _title(target: str | Path | SampledApplication) -> str:
    return target.title if isinstance(target, SampledApplication) else str(target)


def _application(
    target: str | Path | SampledApplication,
    kernel: str | None,
    launch: LaunchOptions | None,
    options: SampleOptions,
    limits: RunOptions,
) -> SampledApplication:
    if isinstance(target, SampledApplication):
        return target
    return sampled_launches(target, kernel, launch, limits, ctas=options.needs_ctas)


def _chosen(
    app: SampledApplication,
    on: On,
    options: SampleOptions,
    selection: Selection | Callable[[SampledApplication], Selection] | None,
) -> Chosen:
    if selection is not None:
        made = selection if isinstance(selection, Selection) else selection(app)
        return Chosen(made, features_of(app.launches, made))

    def estimated() -> Sequence[float]:
        return estimated_times(app, on.machine, on.traces, on.registers).cycles

    return choose(app.launches, options, estimated)


# What skipping CTAs inside of launches adds to how far a projection may be off.

_QUANTILE = 1.96


def widened(
    projection: Projection,
    selection: Selection,
    numbers: Sequence[int],
    runs: Sequence[SampledLaunch],
) -> Projection:
    """Widen the interval of a projection by what the skipped CTAs of regions may be off.

    A region is taken to go on at the IPC of the last units; how far that is off is told by how far
    these are apart, whose standard deviation is taken. Errors of regions are taken to be
    independent, and a launch that stands for others to be off as these are.
    """
    if projection.interval is None:
        return projection
    factors = _factors(selection)
    added = sum(
        (factors[number] * skipped.cycles * stdev(skipped.unit_ipcs) / skipped.ipc) ** 2
        for number, run in zip(numbers, runs, strict=True)
        for skipped in run.skippable_ctas
    )
    low, high = projection.interval
    half = math.hypot((high - low) / 2, _QUANTILE * math.sqrt(added))
    middle = (low + high) / 2
    return replace(projection, interval=(middle - half, middle + half))


def _factors(selection: Selection) -> dict[int, float]:
    """Weights of launches: for how many times its cycles each stands."""
    found = {}
    for stratum in selection.strata:
        every = sum(selection.units[n].warp_instructions for n in stratum.members)
        measured = sum(selection.units[n].warp_instructions for n in stratum.chosen)
        factor = every / measured if measured else 1.0
        found.update(
            {launch: factor for n in stratum.chosen for launch in selection.units[n].launches}
        )
    return found


# Estimated times of all launches of an application, which selections may be chosen by.


@dataclass(frozen=True)
class EstimatedTimes:
    """The cycles of each launch, by ``estimated`` estimates: equal launches share one."""

    cycles: tuple[float, ...]
    estimated: int


def estimated_times(
    app: SampledApplication,
    machine: Machine,
    traces: TraceOptions,
    registers: RegistersFrom | None = None,
) -> EstimatedTimes:
    """Estimate each launch. Errors as ``estimate``.

    Launches are equal that are of one kernel, grid, block and shared memory, have equal arguments
    and execute as many warp instructions.
    """
    known: dict[tuple[object, ...], float] = {}
    cycles = []
    for one, job in zip(app.launches, app.jobs, strict=True):
        key = _key(one, job)
        if key not in known:
            found = estimate(job, machine, registers=registers, trace_options=traces)
            known[key] = found.cycles
        cycles.append(known[key])
    return EstimatedTimes(tuple(cycles), len(known))


def _key(counts: CountedLaunch, job: Job) -> tuple[object, ...]:
    return (
        id(job.kernel),
        counts.grid,
        counts.block,
        job.required_launch().dynamic_shared_bytes,
        counts.arguments,
        counts.warp_instructions,
    )


# Simulating launches of an application: those that were chosen, or all of them.

EXECUTED = TraceOptions(source="executed")


@dataclass(frozen=True)
class On:
    """Machine and settings of simulated launches."""

    machine: Machine
    options: Options | None = None
    registers: RegistersFrom | None = None
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

    ``stability`` says when CTAs are skipped inside of launches; None: none are. ``warm_up`` is
    how many launches before a chosen one are simulated too, at most, so that caches are warm.
    """

    stability: RegionStability | None = None
    warm_up: int = 0


@dataclass(frozen=True)
class SimulatedLaunches:
    """The runs of launches, in their order; ``warming`` were simulated before some of them."""

    runs: tuple[SampledLaunch, ...]
    warming: tuple[SampledLaunch, ...] = ()


def simulated(
    app: SampledApplication,
    numbers: Sequence[int],
    on: On,
    progress: Progress | None = None,
    manner: Manner | None = None,
) -> SimulatedLaunches:
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
    plans: list[RegionPlan | None] = [None] * len(every)
    if manner.stability is not None:
        lengths = block_lengths(made.jobs, on.machine)
        plans = [
            None if n in beside else _plan(app.launches[n].profile, own, running.resident(k))
            for k, (n, own) in enumerate(zip(every, lengths, strict=True))
        ]
    runs = run_regions(running, plans, manner.stability or STABLE)
    by_place = {
        n: replace(run, launch=app.launches[n].number) for n, run in zip(every, runs, strict=True)
    }
    return SimulatedLaunches(
        tuple(by_place[n] for n in numbers), tuple(by_place[n] for n in beside)
    )


def _plan(profile: Profile, lengths: Numbers, resident: int) -> RegionPlan:
    """Find the regions of a launch; its CTAs count what the machine issues, as its IPC does."""
    work = cta_work(profile)
    assert profile.by_cta is not None, "CTAs are counted where some are skipped"
    return RegionPlan(regions(work, resident).of_cta, issued_by_cta(profile.by_cta, lengths))


# A steered simulation that runs in pieces: it can be interrupted, and tells how far it is.

_FIRST_STEPS, _MOST_STEPS = 16, 1 << 40


class Watched(Steered):
    """Watcher that calls ``progress`` now and then; CTAs that are skipped count as done.

    Where the pieces end changes nothing.
    """

    def __init__(
        self,
        machine: Machine,
        works: Sequence[LaunchWork],
        options: Options | None = None,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(machine, works, options)
        self._progress = progress
        self._steps = _FIRST_STEPS
        self._begin: float | None = None
        self._weights = [fit.warps_per_cta for fit in self.occupancies]
        self._whole = sum(n * w for n, w in zip(self.simulated, self._weights, strict=True))

    def run_group(self, until: int | None = None, most_steps: int = 1 << 62) -> int:
        """Go on as ``Steered.run_group``, in pieces of about ``SLICE_S`` seconds."""
        left = most_steps
        while True:
            started, steps = time.monotonic(), min(self._steps, left)
            why = super().run_group(until, steps)
            left -= steps
            taken = time.monotonic() - started
            self._steps = min(
                _MOST_STEPS, max(1, int(steps * min(4.0, SLICE_S / max(taken, 1e-6))))
            )
            self._tell(started)
            if why != c.RUN_PAUSED or left <= 0 or self._is_reached(until):
                return why

    def _is_reached(self, until: int | None) -> bool:
        """Whether it paused for more than the end of a piece: a cycle, or the end of a CTA."""
        if until is not None and self.reached >= until:
            return True
        watched = self.state.number("watched_cta")
        if watched == c.NONE:
            return False
        log = self.state.table("cta_log")[watched]
        return bool(log["launch"] > 0 and log["end"] < c.NEVER)

    def _tell(self, started: float) -> None:
        if self._begin is None:
            self._begin = started
        if self._progress is None:
            return
        ended = sum(n * w for n, w in zip(self.progress(), self._weights, strict=True))
        seconds = time.monotonic() - self._begin
        self._progress(Done(ended / max(1, self._whole), self.reached, seconds))
