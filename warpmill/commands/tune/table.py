"""The choices of ``tune`` as CSV: a row for each on each machine, a column for what is varied."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.sweep.page_parts import axis_columns, column_names
from warpmill.commands.tune.result import ChoiceFacts, MachineFacts, TuneReport
from warpmill.report.table import CsvRow, CsvTable

COLUMNS = (
    "machine", "rank", "variant", "<axis>", "is_default", "<figure>", "speedup", "simulated_us",
    "bound", "trace", "launch_grid", "launch_block", "result", "difference_fraction", "reason",
    "mark",
)  # fmt: skip
"""``<axis>`` and ``<figure>`` stand for as many columns as there are axes and figures."""


def tune_names(report: TuneReport) -> dict[str, list[str]]:
    """Name the columns that the words in brackets stand for."""
    return column_names(report, COLUMNS)


def tune_rows(report: TuneReport) -> Iterator[CsvRow]:
    """Give a row for each choice: machine by machine, the best first, then what is none."""
    columns = axis_columns(report, COLUMNS)
    for one in report.machines:
        for choice in _listed(one):
            yield {
                **choice.flat(only=set(COLUMNS)),
                **choice.figures,
                **{columns[name]: value for name, value in choice.configuration.items()},
                "machine": one.machine,
                "launch_grid": choice.grid,
                "launch_block": choice.block,
                "mark": report.marks["machines.choices.figures.time_us"].value,
            }
        for missing in one.not_measured:
            for configuration in missing.choices:
                yield {
                    **{columns.get(name, name): value for name, value in configuration.items()},
                    "machine": one.machine,
                    "result": "not measured",
                    "reason": missing.reason,
                    "mark": "exact",
                }


def _listed(one: MachineFacts) -> Iterator[ChoiceFacts]:
    """Give the choices that were measured, and first the default where it is none of them."""
    if one.default.rank is None and one.default_reason is None:
        yield one.default
    yield from one.choices
    yield from one.different


TUNE = CsvTable(COLUMNS, tune_rows, tune_names)
