"""Rows of measurements with estimates: each launch is read once, and estimated once a machine."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, WarpmillError, is_limit
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.measurements.correlation_figures import TimePair
from warpmill.measurements.counters import (
    ComparedCounter,
    compared_counters,
    engine_figures,
    l1_sectors,
    ncu_readings,
    part_figures,
    trace_figures,
    wanted_metrics,
)
from warpmill.measurements.launches import LaunchKey, SharedParts, TargetLaunches, launch_key
from warpmill.measurements.machines import MachineChoice, Machines
from warpmill.measurements.rows import MeasuredLaunch
from warpmill.report.read import Reader, Reading
from warpmill.session.jobs import Job
from warpmill.session.options import EstimateOptions, EvaluationOptions, RegisterSources
from warpmill.session.registers import registers_of
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.schema import Scalar
from warpmill.studies.processes import in_processes

if TYPE_CHECKING:
    from warpmill.session.estimates import Estimator
    from warpmill.simulator.estimate.result import Estimate
    from warpmill.simulator.gpu.result import SimResult

Progress = Callable[[int, int], None]
"""Callback with the rows that are done, and all rows."""


@dataclass(frozen=True)
class EngineChoices:
    """How times are estimated: by which engine, and with what.

    A row's registers come before those of ``options``; with ``ptxas`` it is asked for others.
    ``metrics`` of Nsight Compute are compared where the engine has figures for them.
    """

    options: Annotated[EvaluationOptions, INTERNAL] = field(default_factory=EvaluationOptions)
    overrides: Mapping[str, Scalar] = field(default_factory=dict)
    ptxas: bool | None = None
    metrics: Annotated[frozenset[str], INTERNAL] = frozenset()

    @derived("Model")
    def engine(self) -> str:
        """Engine that times launches."""
        return self.options.engine


@dataclass(frozen=True)
class Timed:
    """Time of a launch on a machine by an engine; ``sampled``: only a part was simulated.

    ``figures`` are those that the engine has for metrics of Nsight Compute, where they are asked
    for.
    """

    time_us: Annotated[float, Metric("Estimated", "µs")]
    cycles: Annotated[float, Metric("Estimated cycles", "cycle")]
    sampled: Annotated[bool, Metric("Sampled")] = False
    figures: Annotated[Mapping[str, Reading], INTERNAL] = field(default_factory=dict)


@dataclass(frozen=True)
class CorrelatedRow:
    """A row with its estimate, and what its launch turned out to be.

    An error is (estimated - measured) / measured. ``counters`` are those of a page of Nsight
    Compute that the engine has figures for.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    measured: MeasuredLaunch
    target: str
    kernel: str
    launch: Annotated[str, Metric("Launch")]
    grid: Annotated[tuple[int, ...], Metric("Grid size", "CTA", Mark.EXACT)]
    block: Annotated[tuple[int, ...], Metric("Block size", mark=Mark.EXACT)]
    sizes: Annotated[Mapping[str, int], Metric("Sizes", mark=Mark.EXACT)]
    machine: Annotated[str, Metric("Machine")]
    estimated: Timed
    counters: tuple[ComparedCounter, ...] = ()

    @derived("Measured", "µs")
    def measured_us(self) -> float:
        """The measured time in µs; of cycles, at the clock that the estimate has."""
        own = self.measured.microseconds
        if own is not None:
            return own
        return self.measured.time * self.estimated.time_us / self.estimated.cycles

    @derived("Error", "%")
    def error_fraction(self) -> float:
        """The error of the estimate, as a share of what was measured."""
        return self.pair.error

    @derived("Ratio")
    def ratio(self) -> float:
        """Estimated over measured."""
        return self.pair.ratio

    @property
    def pair(self) -> TimePair:
        """Both times, in µs."""
        return TimePair(self.measured_us, self.estimated.time_us)

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Cycles become a time at the clock of the machine."""
        return {"measured_us": Mark.EXACT if self.measured.cycles is None else Mark.ASSUMED}


@dataclass(frozen=True)
class LeftOut:
    """A row without an estimate, and why; ``is_limit``: a limit was reached."""

    measured: MeasuredLaunch
    reason: str
    is_limit: Annotated[bool, INTERNAL]


def _left_out(measured: MeasuredLaunch, error: WarpmillError) -> LeftOut:
    return LeftOut(measured, reason(error), is_limit(error))


@dataclass(frozen=True)
class Outcome:
    """Results of rows, in their order.

    ``machines`` are those that GPUs were found to be, ``estimates`` counts launches that were
    estimated, each once a machine, and ``remarks`` are what was noticed while kernels were read.
    """

    rows: tuple[CorrelatedRow | LeftOut, ...]
    machines: tuple[MachineChoice, ...]
    estimates: int
    remarks: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class _PendingRow:
    """Row that is to be estimated; ``place`` is its place among all."""

    place: int
    measured: MeasuredLaunch
    machine: str


_Work = dict[tuple[str, object], dict[LaunchKey, list[_PendingRow]]]
"""Rows by target and sizes, then by launch: a target is read, or run, once and then forgotten."""


def correlated_rows(
    measured: Sequence[MeasuredLaunch],
    *,
    machines: Machines,
    parts: SharedParts,
    how: EngineChoices,
    folder: Path,
    workers: int = 1,
    progress: Progress | None = None,
) -> Outcome:
    """Estimate rows. What goes wrong with one is its reason; ``folder`` is where the table lies.

    With several ``workers``, processes of their own, a target may be read by each of them.
    """
    outcomes: dict[int, CorrelatedRow | LeftOut] = {}
    work: _Work = {}
    for place, one in enumerate(measured):
        if math.isnan(one.time):
            outcomes[place] = LeftOut(one, "the page has no time of this launch", False)
            continue
        try:
            key, machine = launch_key(one, parts, folder), machines.choice(one.gpu)
        except WarpmillError as error:
            outcomes[place] = _left_out(one, error)
        else:
            same = work.setdefault((key.target, key.sizes), {})
            same.setdefault(key, []).append(_PendingRow(place, one, machine))
    estimates, remarks = 0, dict[Diagnostic, None]()
    for made in _launch_rows(work, machines, how, workers):
        outcomes |= made.outcomes
        estimates += made.estimates
        remarks |= dict.fromkeys(made.remarks)
        if progress is not None:
            progress(len(outcomes), len(measured))
    rows = tuple(outcomes[place] for place in range(len(measured)))
    return Outcome(rows, tuple(machines.found.values()), estimates, tuple(remarks))


@dataclass(frozen=True)
class _LaunchRows:
    """Results of the rows of one launch."""

    outcomes: Mapping[int, CorrelatedRow | LeftOut]
    estimates: int
    remarks: tuple[Diagnostic, ...]


def _launch_rows(
    work: _Work, machines: Machines, how: EngineChoices, workers: int
) -> Iterator[_LaunchRows]:
    """Estimate the rows of one launch after another, in an order of their own."""
    if workers == 1:
        for same in work.values():
            launches = TargetLaunches()
            for key, wanted in same.items():
                yield _of_launch(key, launches, wanted, machines, how)
        return

    def of_launch(part: tuple[LaunchKey, Sequence[_PendingRow]]) -> _LaunchRows:
        return _of_launch(part[0], TargetLaunches(), part[1], machines, how)

    parts = [part for same in work.values() for part in same.items()]
    if parts:
        with in_processes(of_launch, parts, min(workers, len(parts))) as found:
            yield from found


def _of_launch(
    key: LaunchKey,
    launches: TargetLaunches,
    wanted: Sequence[_PendingRow],
    machines: Machines,
    how: EngineChoices,
) -> _LaunchRows:
    maker = _Maker(machines, how)
    outcomes = dict(maker.outcomes(key, launches, wanted))
    return _LaunchRows(outcomes, maker.estimates, tuple(maker.remarks))


class _Maker:
    """Estimates of a launch, and their count."""

    def __init__(self, machines: Machines, how: EngineChoices) -> None:
        self._machines, self._how = machines, how
        self.estimates = 0
        self.remarks: dict[Diagnostic, None] = {}

    def outcomes(
        self, key: LaunchKey, launches: TargetLaunches, wanted: Sequence[_PendingRow]
    ) -> Iterator[tuple[int, CorrelatedRow | LeftOut]]:
        """Results of the rows of one launch."""
        try:
            job = launches.job(key)
        except WarpmillError as error:
            yield from ((one.place, _left_out(one.measured, error)) for one in wanted)
            return
        self.remarks |= dict.fromkeys(job.loaded.diagnostics)
        known: dict[tuple[str, int | None], Timed | WarpmillError] = {}
        for one in wanted:
            how = (one.machine, one.measured.registers)
            if how not in known:
                known[how] = self._outcome(job, *how)
            timed = known[how]
            if isinstance(timed, WarpmillError):
                yield one.place, _left_out(one.measured, timed)
            else:
                yield one.place, _row(one, key, job, timed)

    def _outcome(self, job: Job, machine: str, registers: int | None) -> Timed | WarpmillError:
        try:
            found = timed_on(job, self._machines.loaded(machine), self._how, registers)
        except WarpmillError as error:
            return error
        self.estimates += 1
        return found


def _row(one: _PendingRow, key: LaunchKey, job: Job, timed: Timed) -> CorrelatedRow:
    launch = job.required_launch()
    return CorrelatedRow(
        measured=one.measured,
        target=one.measured.target or key.target,
        kernel=demangle(job.kernel.name),
        launch=launch.name,
        grid=launch.grid,
        block=launch.block,
        sizes=dict(launch.sizes),
        machine=one.machine,
        estimated=timed,
        counters=compared_counters(one.measured.counters, timed.figures),
    )


def timed_on(job: Job, machine: Machine, how: EngineChoices, registers: int | None) -> Timed:
    """How long a launch takes, as an engine says. Errors as ``estimate`` and ``simulate``."""
    options = how.options
    own = options.registers if registers is None else registers
    sources = RegisterSources(own, ptxas=how.ptxas if own is None else None)
    if how.engine == "estimate":
        from warpmill.session.estimates import Estimator  # noqa: PLC0415 - slow to load

        estimator = Estimator(
            job,
            registers=sources,
            trace_options=options.trace,
            options=EstimateOptions(l2=options.simulation.l2),
        )
        found = estimator.on(machine)
        clock_mhz = float(machine.number("clock.sm_mhz"))
        timed = _some(Timed(found.time_us, found.time_us * clock_mhz))
        return replace(timed, figures=_estimated_figures(estimator, machine, found, how))
    from warpmill.session.simulations import simulate  # noqa: PLC0415 - as above

    result = simulate(
        job, machine, options=options.simulation, registers=sources, trace_options=options.trace
    )
    sampled = any(launch.sampled for launch in result.launches)
    timed = _some(Timed(result.time_us, result.cycles, sampled))
    return replace(timed, figures=_simulated_figures(job, machine, result, how))


def _estimated_figures(
    estimator: Estimator, machine: Machine, found: Estimate, how: EngineChoices
) -> Mapping[str, Reading]:
    """Figures of an estimate; counts that it leaves to the traces are taken from some CTAs."""
    if not how.metrics:
        return {}
    figures = engine_figures(found, _own_registers(estimator.job, machine, how))
    if not wanted_metrics(how.metrics) - figures.keys():
        return figures
    from warpmill.session.estimates import cheap_counts  # noqa: PLC0415 - as above

    counts = cheap_counts(estimator, machine)
    return {**trace_figures(counts, estimator.job, found.warp_instructions), **figures}


def _simulated_figures(
    job: Job, machine: Machine, result: SimResult, how: EngineChoices
) -> Mapping[str, Reading]:
    if not how.metrics:
        return {}
    found = engine_figures(result, {**l1_sectors(result), **_own_registers(job, machine, how)})
    return part_figures(found) if result.sampled else found


def _own_registers(job: Job, machine: Machine, how: EngineChoices) -> Mapping[str, Reading]:
    """Registers of a thread as found without a page, which engines take where it has them."""
    own = how.options.registers
    return ncu_readings(
        Reader(
            registers_of(
                job, machine, RegisterSources(own, ptxas=how.ptxas if own is None else None)
            )
        )
    )


def _some(timed: Timed) -> Timed:
    """A time; one of no time is refused, which no error can be said of. InputError."""
    if timed.cycles <= 0 or timed.time_us <= 0:
        raise InputError("the engine gives the launch no time")
    return timed


def reason(error: WarpmillError) -> str:
    """Error in one line: files, words and hints of its diagnostics."""
    return "; ".join(_said(d) for d in error.diagnostics)


def _said(one: Diagnostic) -> str:
    named = one.file is None or one.file in one.message
    place = "" if named else f"{one.file}: "
    if one.file is not None and one.span is not None:
        place = f"{one.file}:{one.span.line}:{one.span.column}: "
    return f"{place}{one.message}" + (f" ({one.hint})" if one.hint else "")
