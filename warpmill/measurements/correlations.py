"""Correlations: a user's own measurements beside what is estimated for the same launches.

::

    result = warpmill.correlate("samples/simulated_times.csv")
    found = result.overall.agreement
    print(found.mean_absolute_error_fraction, found.kendall_tau_b.value)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

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
from warpmill.measurements.launches import SharedParts
from warpmill.measurements.machines import MachineChoice, Machines
from warpmill.measurements.options import TableOptions
from warpmill.measurements.reading import Measurements, TableChoices, read_measurements
from warpmill.measurements.tables import MeasurementTable
from warpmill.session.options import EvaluationOptions
from warpmill.simulator.machines.resolve import parse_overrides

_MOST_REASONS = 5


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
    while kernels were read.
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
    progress: Progress | None = None,
) -> Correlation:
    """Comparison of the measurements of a CSV file with estimates.

    ``table`` says what columns do not, ``how`` has the engine and its options, ``settings`` are
    values of all machines (``sm.count=100``), ``workers`` processes estimate launches. UsageError
    and InputError, located in the file, for what cannot be used, and where no row can be estimated.
    """
    options = how or EvaluationOptions()
    options.check()
    measured = read_measurements(path, table_choices(table or TableOptions()))
    config = EngineChoices(options, parse_overrides(settings), ptxas)
    return correlation(measured, config, progress, workers=workers)


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
) -> Correlation:
    """Estimate what was measured. UsageError, and InputError where no row can be estimated."""
    how = how or EngineChoices()
    outcome = correlated_rows(
        measurements.rows,
        machines=Machines(measurements.choices.machines, how.overrides, measurements.folder),
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
    return Correlation(
        measurements=measurements,
        machines=outcome.machines,
        how=how,
        rows=rows,
        left_out=left,
        estimates=outcome.estimates,
        groups=_groups(rows),
        overall=_group(None, rows),
        remarks=outcome.remarks,
    )


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
