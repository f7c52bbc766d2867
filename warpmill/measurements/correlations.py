"""Correlations: a user's own measurements beside what is estimated for the same launches.

::

    result = warpmill.correlate("samples/simulated_times.csv")
    found = result.overall.agreement
    print(found.mean_absolute_error_fraction, found.kendall_tau_b.value)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    Severity,
    WarpmillError,
    none_answered,
)
from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric, derived
from warpmill.measurements.correlated_rows import (
    CorrelatedRow,
    EngineChoices,
    LeftOut,
    Progress,
    correlated_rows,
)
from warpmill.measurements.correlation_figures import Agreement, agreement, grouped
from warpmill.measurements.counters import (
    CounterAgreement,
    HeldLimit,
    agreements,
    held_limits,
    not_compared,
)
from warpmill.measurements.launches import SharedParts
from warpmill.measurements.machines import MachineChoice, Machines
from warpmill.measurements.ncu_pages import SM_COUNT
from warpmill.measurements.options import TableOptions
from warpmill.measurements.reading import Measurements, TableChoices, read_measurements
from warpmill.measurements.rows import measured_clock_mhz
from warpmill.measurements.tables import MeasurementTable
from warpmill.session.options import EvaluationOptions
from warpmill.simulator.machines.resolve import parse_overrides

_MOST_REASONS = 5

_CLOCKS_DIFFER = 0.03
"""Part of a clock by which another one is another clock."""


@dataclass(frozen=True)
class Group:
    """How the rows of one machine agree, or all rows where ``machine`` is null.

    An error is (estimated - measured) / measured. ``worst_line`` is the line of the table with the
    largest absolute error.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    machine: Annotated[str | None, Metric("Machine")]
    rows: Annotated[tuple[CorrelatedRow, ...], INTERNAL]
    agreement: Agreement

    @derived("Worst line")
    def worst_line(self) -> Id:
        """The line of the table with the largest absolute error."""
        return self.worst.measured.line

    @derived("Worst", "%")
    def worst_error_fraction(self) -> float:
        """The largest error."""
        return self.worst.error_fraction

    @property
    def worst(self) -> CorrelatedRow:
        """The row with the largest error."""
        return self.rows[self.agreement.worst]


@dataclass(frozen=True)
class Correlation:
    """Measurements beside estimates, in the order of the table.

    ``estimates`` counts the launches that were estimated, each once a machine. ``groups`` are those
    of the machines, in the order in which the table has them. ``remarks`` are what was noticed
    while kernels were read. ``counters`` say how counters of a page of Nsight Compute agree, over
    all rows; ``not_compared`` are its metrics that the engine has no figure for. ``limits`` are
    those of errors that were asked for.
    """

    measurements: Annotated[Measurements, INTERNAL]
    machines: tuple[MachineChoice, ...]
    how: EngineChoices
    rows: Annotated[tuple[CorrelatedRow, ...], INTERNAL]
    left_out: tuple[LeftOut, ...]
    estimates: Annotated[int, Metric("Estimates", mark=Mark.EXACT)]
    groups: Annotated[tuple[Group, ...], INTERNAL]
    overall: Annotated[Group, INTERNAL]
    remarks: Annotated[tuple[Diagnostic, ...], INTERNAL] = ()
    counters: tuple[CounterAgreement, ...] = ()
    not_compared: tuple[str, ...] = ()
    limits: tuple[HeldLimit, ...] = ()

    @derived("Verdict")
    def verdict(self) -> Literal["kept", "exceeded"] | None:
        """Whether all limits are kept; null without any."""
        if not self.limits:
            return None
        return "exceeded" if self.exceeding else "kept"

    @derived("Beyond the limit")
    def exceeding(self) -> tuple[str, ...]:
        """The figures that are beyond their limits."""
        return tuple(one.figure for one in self.limits if one.exceeds)

    @property
    def sentence(self) -> str:
        """What is beyond its limit, or that nothing is; empty without limits."""
        told = [one.words for one in self.limits if one.exceeds or not self.exceeding]
        word = "Beyond" if self.exceeding else "Within"
        return f"{word} the limit: {'; '.join(told)}." if told else ""

    def guesses(self) -> tuple[str, ...]:
        """A line each: what names of GPUs are taken for; those of columns are the table's."""
        return tuple(
            f"`{one.gpu}` is taken for machine {one.machine} ({one.machine_name})"
            for one in self.machines
            if one.guessed
        )


def correlate(
    path: str | Path,
    table: TableOptions | None = None,
    *,
    how: EvaluationOptions | None = None,
    settings: Sequence[str] = (),
    ptxas: bool | None = None,
    workers: int = 1,
    limits: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Correlation:
    """Comparison of the measurements of a CSV file with estimates.

    ``table`` says what columns do not, ``how`` has the engine and its options, ``settings`` are
    values of all machines (``sm.count=100``), ``workers`` processes estimate launches, ``limits``
    are of mean absolute errors by figure, as shares. UsageError and InputError, located in the
    file, for what cannot be used, and where no row can be estimated.
    """
    options = how or EvaluationOptions()
    options.check()
    measured = read_measurements(path, table_choices(table or TableOptions()))
    config = EngineChoices(options, parse_overrides(settings), ptxas)
    return correlation(measured, config, progress, workers=workers, limits=limits)


def table_choices(table: TableOptions) -> TableChoices:
    """Choices of the user for a table. UsageError."""
    target = None if table.target is None else str(table.target)
    parts = SharedParts(target, table.kernel, table.sizes, tuple(table.args))
    return TableChoices(table.columns, table.unit, table.machine_choices, parts)


def correlation(
    measurements: Measurements,
    how: EngineChoices | None = None,
    progress: Progress | None = None,
    *,
    workers: int = 1,
    limits: Mapping[str, float] | None = None,
) -> Correlation:
    """Estimate what was measured. UsageError, and InputError where no row can be estimated."""
    how = how or EngineChoices()
    metrics = {name for row in measurements.rows for name in row.counters}
    how = replace(how, metrics=frozenset(metrics))
    machines = Machines(measurements.choices.machines, how.overrides, measurements.folder)
    outcome = correlated_rows(
        measurements.rows,
        machines=machines,
        parts=measurements.choices.parts,
        how=how,
        folder=measurements.folder,
        workers=workers,
        progress=progress,
    )
    rows = tuple(row for row in outcome.rows if isinstance(row, CorrelatedRow))
    left = tuple(row for row in outcome.rows if isinstance(row, LeftOut))
    if not rows:
        raise _none_left(measurements.table, left)
    counters = agreements([(row.measured.line, row.counters) for row in rows])
    overall = _group(None, rows)
    time_error = overall.agreement.mean_absolute_error_fraction
    used = {column.name for column in measurements.columns.used}
    return Correlation(
        measurements=measurements,
        machines=outcome.machines,
        how=how,
        rows=rows,
        left_out=left,
        estimates=outcome.estimates,
        groups=_groups(rows),
        overall=overall,
        remarks=(*outcome.remarks, *_other_gpus(measurements.table, rows, machines)),
        counters=counters,
        not_compared=not_compared(measurements.metrics, [row.counters for row in rows], used),
        limits=held_limits(limits or {}, time_error, counters),
    )


def _other_gpus(
    table: MeasurementTable, rows: Sequence[CorrelatedRow], machines: Machines
) -> Iterator[Diagnostic]:
    """Warnings of machines that are not what a page says of its GPU: capability, SMs, clock."""
    file = table.source.name
    for name in dict.fromkeys(row.machine for row in rows):
        own = [row.measured for row in rows if row.machine == name]
        machine = machines.loaded(name)
        stated = machine.get("machine.compute_capability")
        said = {one.compute_capability for one in own} - {None}
        if stated is not None and said - {str(stated.value)}:
            words = f"the page is of compute capability {', '.join(sorted(map(str, said)))}"
            words = f"{words}, and {name} has {stated.value}"
            yield Diagnostic(Severity.WARNING, words, file)
        sms = {each.value for one in own if (each := one.counters.get(SM_COUNT)) is not None}
        if sms - {machine.integer("sm.count")}:
            words = f"the page is of a GPU of {', '.join(f'{n:,.0f}' for n in sorted(sms))} SMs"
            words = f"{words}, and {name} has {machine.integer('sm.count'):,}"
            yield Diagnostic(Severity.WARNING, words, file)
        clocks = [clock for one in own if (clock := measured_clock_mhz(one)) is not None]
        clock = float(machine.number("clock.sm_mhz"))
        measured = median(clocks) if clocks else clock
        if abs(measured / clock - 1.0) > _CLOCKS_DIFFER:
            words = f"SMs ran at {measured:,.0f} MHz, and {name} has {clock:,.0f}"
            hint = f"--set clock.sm_mhz={measured:.0f} estimates at the measured clock"
            yield Diagnostic(Severity.WARNING, words, file, hint=hint)


def _groups(rows: Sequence[CorrelatedRow]) -> tuple[Group, ...]:
    return tuple(
        _group(machine, [rows[place] for place in places])
        for machine, places in grouped([row.machine for row in rows]).items()
    )


def _group(machine: str | None, rows: Sequence[CorrelatedRow]) -> Group:
    return Group(machine, tuple(rows), agreement([row.pair for row in rows]))


def _none_left(table: MeasurementTable, left: Sequence[LeftOut]) -> WarpmillError:
    """Error of a table without an estimated row: each reason once, with its first line."""
    lines: dict[str, list[int]] = {}
    for one in left:
        lines.setdefault(one.reason, []).append(one.measured.line)
    said = [f"line {found[0]}: {reason}" for reason, found in lines.items()][:_MOST_REASONS]
    more = len(lines) - len(said)
    said += [f"and {more:,} more reasons"] if more > 0 else []
    rows = "the one row cannot" if len(left) == 1 else f"none of the {len(left):,} rows can"
    words = f"{rows} be estimated: {'; '.join(said)}"
    limits = (one.is_limit for one in left)
    return none_answered(limits, Diagnostic(Severity.ERROR, words, table.source.name))
