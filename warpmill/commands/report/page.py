"""The page of ``report``: the answer, then the pages of its parts; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from warpmill.commands.report.result import TargetReport
from warpmill.report.page import Page, PageLegend, Title
from warpmill.report.sections import Charts, Special, Whole, page_of
from warpmill.report.table import CsvTable, RowsOf

if TYPE_CHECKING:
    from warpmill.report.charts import Chart


def _head(page: Page, report: TargetReport) -> None:
    launches = report.time.launches
    machines = ", ".join(dict.fromkeys(e.machine for one in launches for e in one.estimates))
    kernels = list(dict.fromkeys(one.kernel.demangled for one in launches))
    named = kernels[0] if len(kernels) == 1 else report.target
    page.title(f"{named} on {machines}", folds=False)
    page.items(report.answer)


def _check(page: Page, report: TargetReport) -> None:
    """The page of the check, but its verdict, which stands above."""
    if report.check is None:
        return
    blocks = page_of(report.check, page.style).blocks
    found = [one for one in blocks if not isinstance(one, Title | PageLegend)]
    if len(found) > 1:
        page.title("Findings of sanitizers", folds=False)
        page.blocks += found[1:]


def charts(report: TargetReport) -> Iterator[Chart]:
    """The launches of an application, with those that the parts are about."""
    from warpmill.report.timelines import application_timeline  # noqa: PLC0415 - HTML alone has it

    places = [job.recorded for job in report.jobs if job.recorded is not None]
    if places:
        calls = places[0].recording.launches
        found = application_timeline(calls, {place.number for place in places})
        yield from () if found is None else (found,)


PAGE = (
    Special(_head),
    Charts("warpmill.commands.report.page:charts"),
    Whole("time", "Time, estimated"),
    Whole("measured", "Measured, beside estimated"),
    Whole("simulation", "Cycle by cycle, simulated"),
    Whole("analysis", "Control flow and memory accesses"),
    Whole("execution", "Executions, counted"),
    Special(_check),
)

REPORT = CsvTable(
    ("kernel", "launch", "machine", "time_us", "bound", "mark"),
    (
        RowsOf(
            "time.launches.estimates",
            {"kernel": ".time.launches.kernel.name", "launch": ".time.launches.launch.name"},
            mark="time_us",
        ),
    ),
)
