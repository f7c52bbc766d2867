"""Simulating launches of an application: those that were chosen, or all of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from warpmill.analyzer.profile.counts import Profile
from warpmill.sampling.issued import Numbers, block_lengths, issued_by_cta
from warpmill.sampling.results import Whole
from warpmill.sampling.warming import warm_ups
from warpmill.session.options import RegisterSources, TraceOptions
from warpmill.session.sampled_launches import SampledApplication
from warpmill.session.simulation_plans import plan
from warpmill.session.simulations import SLICE_S, Done, Progress, simulate
from warpmill.simulator.gpu import fields as f
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.steered import Steered
from warpmill.simulator.gpu.work import Work
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.sampling.region_runs import STABLE, LaunchRun, Plan, Stability, run_regions
from warpmill.simulator.sampling.tbpoint_regions import cta_work, regions

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


# A steered simulation that runs in pieces: it can be interrupted, and tells how far it is.

_FIRST_STEPS, _MOST_STEPS = 16, 1 << 40


class Watched(Steered):
    """Tells ``progress`` now and then; CTAs that are passed over count as done.

    Where the pieces end changes nothing.
    """

    def __init__(
        self,
        machine: Machine,
        works: Sequence[Work],
        options: Options | None = None,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(machine, works, options)
        self._progress = progress
        self._steps = _FIRST_STEPS
        self._begin: float | None = None
        self._weights = [fit.warps_per_block for fit in self.occupancies]
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
            if why != f.RUN_PAUSED or left <= 0 or self._is_reached(until):
                return why

    def _is_reached(self, until: int | None) -> bool:
        """Whether it paused for more than the end of a piece: a cycle, or the end of a CTA."""
        if until is not None and self.reached >= until:
            return True
        words = self.state.words
        watch = int(words[f.G_WATCH])
        begun = watch > 0 and words[watch + f.CL_LAUNCH] > 0
        return bool(begun and words[watch + f.CL_END] < f.NEVER)

    def _tell(self, started: float) -> None:
        if self._begin is None:
            self._begin = started
        if self._progress is None:
            return
        ended = sum(n * w for n, w in zip(self.progress(), self._weights, strict=True))
        seconds = time.monotonic() - self._begin
        self._progress(Done(ended / max(1, self._whole), self.reached, seconds))
