"""Estimates of one job on many machines: what does not depend on the machine is made once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Unpack

from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.analyzer.base.metric import FigureRange
from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.source import TraceSource
from warpmill.session.jobs import Job
from warpmill.session.options import (
    EstimateOptions,
    KernelKeywords,
    RegisterSources,
    TraceOptions,
)
from warpmill.session.prepare import job_of
from warpmill.session.registers import registers_of
from warpmill.session.traces import check_used, trace_source
from warpmill.simulator.estimate.engine import estimate as run_estimate
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.estimate.result import Estimate, EstimateRanges
from warpmill.simulator.estimate.waves import Rounds
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

PLAIN = EstimateOptions()


class Estimator:
    """Estimates a job's time on one machine after another, from the same traces.

    UsageError for a job without a launch.
    """

    def __init__(
        self,
        job: Job,
        *,
        registers: RegisterSources | None = None,
        trace_options: TraceOptions | None = None,
        options: EstimateOptions = PLAIN,
    ) -> None:
        job.required_launch()
        self.job, self._registers = job, registers
        self._traces, self.options = trace_options, options

    @cached_property
    def source(self) -> TraceSource:
        """The traces. Errors as ``trace_source``."""
        return trace_source(self.job, self._traces)

    @cached_property
    def _subject(self) -> EstimateSubject:
        job = self.job
        facts = job.analysis.kernel_facts
        if self._traces is not None and self._traces.pruned:
            facts = replace(facts, kept=job.kept)
        return EstimateSubject(facts, job.required_launch(), self.source)

    @cached_property
    def _rounds(self) -> Rounds:
        return Rounds(self._subject)

    @property
    def given_events(self) -> EventBatch | None:
        """Events of some CTAs that estimates had executed; None: nothing was, or not yet."""
        return self._rounds.given()

    @gc_paused()
    def on(self, machine: Machine) -> Estimate:
        """Estimate on a machine. InputError where the launch does not fit on it."""
        subject, job = self._subject, self.job
        count = registers_of(job, machine, self._registers)
        how = self.options
        result = run_estimate(
            subject,
            machine,
            count,
            mode=how.mode,
            warm=how.l2 == "warm",
            launched=how.timed,
            rounds=self._rounds,
        )
        check_used(job, self.source, self._traces)
        return result


def with_high_end(low: Estimate, high: Estimate) -> Estimate:
    """An estimate with the low ends of what was assumed, and what the high ends make of it."""
    return replace(
        low,
        ranges=EstimateRanges(
            FigureRange(low.cycles, high.cycles), FigureRange(low.time_us, high.time_us)
        ),
    )


def estimate(
    job: Job | str | Path,
    machine: str | Machine,
    *,
    overrides: Mapping[str, str | int | float | bool] | None = None,
    registers: RegisterSources | None = None,
    trace_options: TraceOptions | None = None,
    options: EstimateOptions = PLAIN,
    **launch: Unpack[KernelKeywords],
) -> Estimate:
    """Estimate a job's time on a machine, by name, path or as it is (hybrid paper, §IV).

    A launch file, or another target with one launch, is prepared as ``prepare`` does, with the
    same keywords: ``estimate("launch.toml", "a100", sizes={"n": 512})``.

    The result's ``execution_us`` are of execution, ``time_us`` with the launch's overhead.
    ``overrides`` are values of the machine by key; ``registers`` says where registers a thread come
    from; ``options`` has the mode, ``waves`` unless it says ``eq8``.

    UsageError for an unknown machine or setting, InputError where the launch does not fit on it.
    """
    if not isinstance(machine, Machine):
        machine = load_machine(machine, overrides)
    job = job_of(job, **launch)
    made = Estimator(job, registers=registers, trace_options=trace_options, options=options)
    return made.on(machine)
