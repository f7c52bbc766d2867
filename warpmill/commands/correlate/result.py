"""What ``correlate`` answers: measured times beside estimated ones, and how they agree."""

from __future__ import annotations

from typing import Literal

from warpmill.measurements.columns import Columns, MeasurementColumn
from warpmill.measurements.correlated_rows import CorrelatedRow, LeftOut
from warpmill.measurements.correlation_figures import worst_first
from warpmill.measurements.correlations import Correlation, Group
from warpmill.report.assumed import shown_value
from warpmill.report.base import Id, Mark, Marks, Part, Report, marks


class ColumnFacts(Part):
    """A column of the table. ``taken_for`` null: it is not used; of a size, ``size`` is its name.

    ``how``: the user named it, it was guessed by its header, or a target has a size of that name.
    ``unit`` is that of a time, where the whole column has one.
    """

    column: str
    taken_for: str | None
    size: str | None
    unit: str | None
    how: Literal["named", "guessed", "size"] | None


class CorrelatedGpuFacts(Part):
    """The machine that stands for a GPU of the table; ``guessed``: by the name of the product."""

    gpu: str
    machine: str
    machine_name: str | None
    guessed: bool


class GroupFacts(Part):
    """How the rows of a machine agree, or all rows where ``machine`` is null.

    An error is (estimated - measured) / measured. Where there is no correlation, the key is null
    and the one behind it says why.
    """

    machine: str | None
    rows: int
    mean_absolute_error_fraction: float
    """MAPE: the mean absolute percentage error, as a share."""
    median_absolute_error_fraction: float
    bias_fraction: float
    """The mean of the signed errors."""
    geometric_mean_ratio: float
    """Of estimated over measured."""
    worst_line: Id
    """The line of the table with the largest absolute error."""
    worst_error_fraction: float
    pearson_log: float | None
    """Pearson's correlation of the logarithms of times."""
    pearson_log_reason: str | None
    kendall_tau_b: float | None
    kendall_tau_b_reason: str | None
    marks: Marks


class CorrelatedRowFacts(Part):
    """A row with its estimate. ``gpu`` is the name that the table has, null where it has none.

    ``measured_cycles`` is null where a time was measured; cycles become µs at the clock of the
    machine. ``sampled``: a part of the launch was simulated and continued.
    """

    line: Id
    target: str
    kernel: str
    launch: str
    grid: list[int]
    block: list[int]
    sizes: dict[str, int]
    gpu: str | None
    machine: str
    measured_us: float
    measured_cycles: float | None
    estimated_us: float
    estimated_cycles: float
    error_fraction: float
    ratio: float
    """Estimated over measured."""
    sampled: bool
    marks: Marks


class LeftOutFacts(Part):
    """A row without an estimate, and why. ``target`` and ``gpu`` are what the table says."""

    line: Id
    target: str | None
    gpu: str | None
    reason: str


class CorrelateReport(Report):
    """Measurements beside estimates. ``rows`` have the largest error first.

    ``estimates`` counts launches that were estimated, each once a machine. ``groups`` has one for
    each machine, and at the end all rows.
    """

    report: Literal["correlate"] = "correlate"
    file: str
    engine: str
    overrides: dict[str, str]
    """Values of ``--set``, which hold for every machine."""
    columns: list[ColumnFacts]
    gpus: list[CorrelatedGpuFacts]
    table_rows: int
    estimates: int
    groups: list[GroupFacts]
    rows: list[CorrelatedRowFacts]
    not_estimated: list[LeftOutFacts]
    marks: Marks


def correlate_report(found: Correlation) -> CorrelateReport:
    """Report a correlation."""
    measured = found.measurements
    overrides = sorted(found.how.overrides.items())
    order = worst_first([row.pair for row in found.rows])
    return CorrelateReport(
        file=measured.table.source.name,
        engine=found.how.engine,
        overrides={key: shown_value(value) for key, value in overrides},
        columns=_columns(measured.columns, measured.table.names),
        gpus=[
            CorrelatedGpuFacts(
                gpu=m.gpu, machine=m.machine, machine_name=m.product, guessed=m.guessed
            )
            for m in found.machines
        ],
        table_rows=len(measured.rows),
        estimates=found.estimates,
        groups=[_group(group) for group in (*found.groups, found.overall)],
        rows=[_row(found.rows[place]) for place in order],
        not_estimated=[_left_out(one) for one in found.left_out],
        marks={"table_rows": Mark.EXACT, "estimates": Mark.EXACT},
    )


def _columns(columns: Columns, names: tuple[str, ...]) -> list[ColumnFacts]:
    used = {column.name: column for column in columns.used}
    return [_column(name, used.get(name)) for name in names if name]


def _column(name: str, used: MeasurementColumn | None) -> ColumnFacts:
    if used is None:
        return ColumnFacts(column=name, taken_for=None, size=None, unit=None, how=None)
    return ColumnFacts(
        column=name,
        taken_for="size" if used.is_size else used.role,
        size=used.role if used.is_size else None,
        unit=used.unit,
        how=used.how,
    )


def _group(group: Group) -> GroupFacts:
    found = group.agreement
    return GroupFacts(
        machine=group.machine,
        rows=found.rows,
        mean_absolute_error_fraction=found.mean_absolute_error,
        median_absolute_error_fraction=found.median_absolute_error,
        bias_fraction=found.bias,
        geometric_mean_ratio=found.geometric_mean_ratio,
        worst_line=group.worst.measured.line,
        worst_error_fraction=group.worst.pair.error,
        pearson_log=found.pearson_log.value,
        pearson_log_reason=found.pearson_log.reason,
        kendall_tau_b=found.kendall_tau_b.value,
        kendall_tau_b_reason=found.kendall_tau_b.reason,
        marks=marks(GroupFacts, Mark.MODELLED, rows=Mark.EXACT),
    )


def _row(row: CorrelatedRow) -> CorrelatedRowFacts:
    cycles = row.measured.cycles
    return CorrelatedRowFacts(
        line=row.measured.line,
        target=row.target,
        kernel=row.kernel,
        launch=row.launch,
        grid=list(row.grid),
        block=list(row.block),
        sizes=dict(row.sizes),
        gpu=row.measured.gpu,
        machine=row.machine,
        measured_us=row.measured_us,
        measured_cycles=cycles,
        estimated_us=row.timed.microseconds,
        estimated_cycles=row.timed.cycles,
        error_fraction=row.pair.error,
        ratio=row.pair.ratio,
        sampled=row.timed.sampled,
        marks=marks(
            CorrelatedRowFacts,
            Mark.MODELLED,
            grid=Mark.EXACT,
            block=Mark.EXACT,
            sizes=Mark.EXACT,
            measured_us=Mark.EXACT if cycles is None else Mark.ASSUMED,
            measured_cycles=Mark.EXACT,
        ),
    )


def _left_out(one: LeftOut) -> LeftOutFacts:
    return LeftOutFacts(
        line=one.measured.line,
        target=one.measured.target,
        gpu=one.measured.gpu,
        reason=one.reason,
    )
