"""Samples: an application's launches chosen, the chosen ones simulated, the whole projected.

::

    one = warpmill.sample("bfs:small", "v100", method="tbpoint")
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
from typing import TypeVar

from warpmill.analyzer.base.diagnostics import NO_ANSWER, UsageError, WarpmillError, all_unanswered
from warpmill.sampling.growing import Pass, half_width, more
from warpmill.sampling.methods import (
    GROWING,
    Chosen,
    SampleOptions,
    check_options,
    choose,
    features_of,
)
from warpmill.sampling.results import Sample, Sampled
from warpmill.sampling.simulating import EXECUTED, Manner, On, simulated, whole_of
from warpmill.session.estimates import estimate
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions, RegisterSources, TraceOptions
from warpmill.session.runs import RunOptions
from warpmill.session.sampled_launches import SampledApplication, sampled_launches
from warpmill.session.simulations import Done
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.sampling.model import LaunchCounts, Projection, Selection
from warpmill.simulator.sampling.projection import project
from warpmill.simulator.sampling.region_runs import STABILITIES, LaunchRun

Stage = Callable[[str, bool], AbstractContextManager[Callable[[Done], None] | None]]
"""Is told what begins, and whether it is a simulation; gives what is told how far that is."""

_Done = TypeVar("_Done")


def sample(  # noqa: PLR0913 - each option by its name
    target: str | Path | SampledApplication,
    machine: str | Machine,
    options: SampleOptions | None = None,
    *,
    method: str | None = None,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    selection: Selection | None = None,
    simulate_options: Options | None = None,
    registers: RegisterSources | None = None,
    max_instructions: int | None = None,
    check: bool = False,
) -> Sample:
    """Choose launches of a target, simulate them on a machine, and project the whole.

    A target is what ``sampled_launches`` takes, or what it gives. ``method`` is that of the options
    where these say nothing else. ``selection`` is one that was made before, which is used as it is.
    With ``check`` all launches are simulated too. Errors as ``sampled_launches``, ``choose`` and
    ``simulate``.
    """
    options = options or SampleOptions()
    (found,) = samples(
        target,
        (machine,),
        options if method is None else replace(options, method=method),
        kernel=kernel,
        launch=launch,
        selection=selection,
        simulate_options=simulate_options,
        registers=registers,
        max_instructions=max_instructions,
        check=check,
    ).samples
    return found


def samples(  # noqa: PLR0913 - each option by its name
    target: str | Path | SampledApplication,
    machines: Sequence[str | Machine],
    options: SampleOptions | None = None,
    *,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    selection: Selection | Callable[[SampledApplication], Selection] | None = None,
    simulate_options: Options | None = None,
    registers: RegisterSources | None = None,
    max_instructions: int | None = None,
    check: bool = False,
    stage: Stage | None = None,
) -> Sampled:
    """Profile a target once, choose once, and simulate what was chosen on each machine.

    A target error is met on the first machine. ``selection`` may be made of the application.
    ``max_instructions`` limits thread instructions that are executed. Errors as ``sample``;
    InputError where the launches fit on no machine.
    """
    options = options or SampleOptions()
    if selection is None:
        check_options(options)
    if not machines:
        raise UsageError("there is no machine to simulate on")
    traces = EXECUTED if max_instructions is None else replace(
        EXECUTED, max_instructions=max_instructions
    )  # fmt: skip
    ons = [
        On(load_machine(m) if isinstance(m, str) else m, simulate_options, registers, traces)
        for m in machines
    ]
    taken: dict[str, float] = {}
    sampling = _Sampling(options, stage or _quiet)
    with sampling.stage(f"profiling {_title(target)}", False):
        limits = RunOptions(max_instructions=max_instructions)
        app = _timed(
            taken, "profile", lambda: _application(target, kernel, launch, options, limits)
        )
    with sampling.stage("choosing what to simulate", False):
        chosen = _timed(taken, "choice", lambda: _chosen(app, ons[0], options, selection))
    return sampling.on_all(app, ons, chosen, taken, check=check, is_given=selection is not None)


@dataclass(frozen=True)
class _Sampling:
    """Simulates a selection on machines, and more of it where a target error asks for that."""

    options: SampleOptions
    stage: Stage

    def on_all(  # noqa: PLR0913 - what was made before
        self,
        app: SampledApplication,
        ons: Sequence[On],
        chosen: Chosen,
        taken: Mapping[str, float],
        *,
        check: bool,
        is_given: bool,
    ) -> Sampled:
        """Simulate on all machines. InputError or LimitError where none answers."""
        found: list[Sample] = []
        failures: dict[str, WarpmillError] = {}
        grows = self.options.target_error is not None and self.options.method in GROWING
        for on in ons:
            try:
                if grows and not found and not is_given:
                    one = self._grown(app, on, taken)
                    chosen = Chosen(one.selection, None)
                else:
                    one = self._on(app, on, chosen, taken)
                found.append(self._checked(app, on, one) if check else one)
            except NO_ANSWER as error:
                failures[on.machine.name] = error
        if not found:
            raise all_unanswered(list(failures.values()))
        reasons = [
            (name, "; ".join(d.message for d in error.diagnostics))
            for name, error in failures.items()
        ]
        return Sampled(app, self.options, chosen.selection, tuple(found), tuple(reasons))

    def _grown(self, app: SampledApplication, on: On, taken: Mapping[str, float]) -> Sample:
        """Simulate larger and larger selections, each anew, until one meets the target error.

        So a selection that is used again gives the same figures.
        """
        target, passes, before = self.options.target_error, list[Pass](), 0.0
        assert target is not None
        for options in more(self.options, app.launches):
            chosen = choose(app.launches, options)
            one = self._on(app, on, chosen, taken)
            before += one.taken["simulation"]
            width = half_width(one.projection)
            passes.append(Pass(len(chosen.selection.chosen), one.sample_share, width))
            if width is not None and width * 100 <= target:
                break
        return replace(one, passes=tuple(passes), taken={**one.taken, "simulation": before})

    def _on(
        self, app: SampledApplication, on: On, chosen: Chosen, taken: Mapping[str, float]
    ) -> Sample:
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
        return Sample(
            application=app,
            machine=on.machine,
            options=self.options,
            selection=chosen.selection,
            numbers=numbers,
            runs=runs,
            warming=done.warming,
            cycles=cycles,
            projection=widened(
                project(chosen.selection, cycles, chosen.features), chosen.selection, numbers, runs
            ),
            taken=own,
            expected_error=chosen.expected_error,
        )

    @property
    def _manner(self) -> Manner:
        inside = STABILITIES[self.options.stability] if self.options.passes_over else None
        return Manner(inside, self.options.warm_ups)

    def _checked(self, app: SampledApplication, on: On, one: Sample) -> Sample:
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


# What passing over CTAs inside of launches adds to how far a projection may be off.

_QUANTILE = 1.96


def widened(
    projection: Projection, selection: Selection, numbers: Sequence[int], runs: Sequence[LaunchRun]
) -> Projection:
    """Widen the interval of a projection by what the regions that were passed over may be off.

    A region is taken to go on at the IPC of the last units; how far that is off is told by how far
    these are apart, whose standard deviation is taken. Errors of regions are taken to be
    independent, and a launch that stands for others to be off as these are.
    """
    if projection.interval is None:
        return projection
    factors = _factors(selection)
    added = sum(
        (factors[number] * passed.cycles * stdev(passed.unit_ipcs) / passed.ipc) ** 2
        for number, run in zip(numbers, runs, strict=True)
        for passed in run.passed
    )
    low, high = projection.interval
    half = math.hypot((high - low) / 2, _QUANTILE * math.sqrt(added))
    middle = (low + high) / 2
    return replace(projection, interval=(middle - half, middle + half))


def _factors(selection: Selection) -> dict[int, float]:
    """Give for how many times its cycles a launch stands."""
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
    registers: RegisterSources | None = None,
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


def _key(counts: LaunchCounts, job: Job) -> tuple[object, ...]:
    return (
        id(job.kernel),
        counts.grid,
        counts.block,
        job.required_launch().dynamic_shared_bytes,
        counts.arguments,
        counts.warp_instructions,
    )
