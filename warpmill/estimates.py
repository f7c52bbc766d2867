"""Estimates of one job on many machines: what does not depend on the machine is made once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from analyzer.trace.source import TraceSource
from simulator.estimate.engine import estimate as run_estimate
from simulator.estimate.result import Estimate
from simulator.estimate.rounds import Rounds
from simulator.estimate.subject import Subject
from simulator.machines import load_machine
from simulator.machines.model import Machine
from warpmill.jobs import Job
from warpmill.registers import RegisterSources, find_registers
from warpmill.traces import TraceOptions, check_used, trace_source


class Estimator:
    """Estimates a job's time on one machine after another, from the same traces.

    ``blocking`` makes a warp wait for each result before its next operation, as in the paper's
    figure. UsageError for a job without a launch.
    """

    def __init__(
        self,
        job: Job,
        *,
        registers: RegisterSources | None = None,
        trace_options: TraceOptions | None = None,
        blocking: bool = False,
    ) -> None:
        job.required_launch()
        self.job, self._registers = job, registers
        self._options, self._blocking = trace_options, blocking

    @cached_property
    def source(self) -> TraceSource:
        """The traces. Errors as ``trace_source``."""
        return trace_source(self.job, self._options)

    @cached_property
    def _subject(self) -> Subject:
        job = self.job
        pruned = self._options is not None and self._options.pruned
        return Subject(
            job.loaded.module,
            job.analysis.structure,
            job.required_launch(),
            self.source,
            job.kept if pruned else None,
            job.analysis.accesses,
        )

    @cached_property
    def _rounds(self) -> Rounds:
        return Rounds(self._subject)

    def on(self, machine: Machine) -> Estimate:
        """Estimate on a machine. InputError where the launch does not fit on it."""
        subject, job = self._subject, self.job
        live = job.analysis.live_registers
        count = find_registers(job.loaded, job.kernel, live, machine, self._registers)
        result = run_estimate(subject, machine, count, blocking=self._blocking, rounds=self._rounds)
        check_used(job, self.source, self._options)
        return result


def estimate(  # noqa: PLR0913 - each option by its name
    job: Job,
    machine: str | Machine,
    *,
    overrides: Mapping[str, str | int | float | bool] | None = None,
    registers: RegisterSources | None = None,
    trace_options: TraceOptions | None = None,
    blocking: bool = False,
) -> Estimate:
    """Estimate a job's time on a machine, by name, path or as it is.

    UsageError for an unknown machine or setting, InputError where the launch does not fit on it.
    """
    if not isinstance(machine, Machine):
        machine = load_machine(machine, overrides)
    return Estimator(job, registers=registers, trace_options=trace_options, blocking=blocking).on(
        machine
    )
