"""Result of ``correlate``: measured times beside estimated ones, and how they agree."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.measurements.columns import MeasurementColumn
from warpmill.measurements.correlated_rows import CorrelatedRow
from warpmill.measurements.correlation_figures import worst_first
from warpmill.measurements.correlations import Correlation, Group
from warpmill.report.base import Report
from warpmill.report.page import percent


class CorrelateReport(Report):
    """Measurements beside estimates. ``rows`` have the largest error first.

    ``groups`` has one for each machine, and at the end all rows. The machines of ``correlation``
    stand for the GPUs of the table; its ``estimates`` counts launches that were estimated, each
    once a machine.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["correlate"] = "correlate"
    file: Annotated[str, Metric("File")]
    correlation: Correlation
    columns: tuple[MeasurementColumn, ...]
    unused_columns: list[str]
    table_rows: Annotated[int, Metric("Rows")]
    groups: tuple[Group, ...]
    rows: list[CorrelatedRow]

    @property
    def answer(self) -> str:
        """How far off estimated times are, over all rows."""
        own = self.correlation.overall.agreement
        return (
            f"Estimated times are {percent(own.mean_absolute_error_fraction)} off in the mean "
            f"(MAPE), {own.geometric_mean_ratio:.3f} of the measured ones in the geometric mean."
        )


def correlate_report(found: Correlation) -> CorrelateReport:
    """The report of a correlation."""
    measured = found.measurements
    columns = measured.columns.used
    used = {column.name for column in columns}
    return CorrelateReport(
        file=measured.table.source.name,
        correlation=found,
        columns=columns,
        unused_columns=[x for x in measured.other_columns if x and x not in used],
        table_rows=len(measured.rows),
        groups=(*found.groups, found.overall),
        rows=[found.rows[place] for place in worst_first([row.pair for row in found.rows])],
    )
