"""What ``correlate`` answers: measured times beside estimated ones, and how they agree."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.measurements.columns import MeasurementColumn
from warpmill.measurements.correlated_rows import CorrelatedRow, LeftOut
from warpmill.measurements.correlation_figures import worst_first
from warpmill.measurements.correlations import Correlation, Group
from warpmill.measurements.machines import MachineChoice
from warpmill.report.assumed import shown_value
from warpmill.report.base import Report


class CorrelateReport(Report):
    """Measurements beside estimates. ``rows`` have the largest error first.

    ``estimates`` counts launches that were estimated, each once a machine. ``groups`` has one for
    each machine, and at the end all rows. ``gpus`` are the machines that stand for the GPUs of the
    table.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["correlate"] = "correlate"
    file: Annotated[str, Metric("File")]
    engine: str
    overrides: dict[str, str]
    """Values of ``--set``, which hold for every machine."""
    columns: tuple[MeasurementColumn, ...]
    unused_columns: list[str]
    gpus: tuple[MachineChoice, ...]
    table_rows: Annotated[int, Metric("Rows")]
    estimates: Annotated[int, Metric("Estimates")]
    groups: tuple[Group, ...]
    rows: list[CorrelatedRow]
    not_estimated: tuple[LeftOut, ...]


def correlate_report(found: Correlation) -> CorrelateReport:
    """The report of a correlation."""
    measured, how, estimates = found.measurements, found.how, found.estimates
    columns = measured.columns.used
    used, engine = {column.name for column in columns}, how.engine
    return CorrelateReport(
        file=measured.table.source.name,
        engine=engine,
        overrides={key: shown_value(value) for key, value in sorted(how.overrides.items())},
        columns=columns,
        unused_columns=[name for name in measured.table.names if name and name not in used],
        gpus=found.machines,
        table_rows=len(measured.rows),
        estimates=estimates,
        groups=(*found.groups, found.overall),
        rows=[found.rows[place] for place in worst_first([row.pair for row in found.rows])],
        not_estimated=found.left_out,
    )
