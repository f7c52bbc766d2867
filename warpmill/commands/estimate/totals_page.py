"""All launches of an estimate together: which kernels and which launches the time goes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpmill.commands.estimate.result import (
    EstimateReport,
    KernelShare,
    LaunchEstimates,
    LaunchShare,
    TotalEstimate,
)
from warpmill.report.assumed_words import ends
from warpmill.report.page import UNKNOWN, Page, figure, percent
from warpmill.report.words import plural

TOP = 10
"""Kernels and launches that are shown, unless everything is asked for."""

PAGES = 4
"""Launches that have a page of their own, unless everything is asked for."""

_NAMES_WIDTH = 26
_MACHINE_WIDTH = 18

Row = tuple[str, Callable[[TotalEstimate], str]]


def longest(report: EstimateReport) -> Sequence[LaunchEstimates]:
    """Choose the launches that have a page: those that take longest on some machine, in order."""
    times = [max((e.time_us for e in x.estimates), default=0.0) for x in report.launches]
    return [report.launches[k] for k in longest_first(times)]


def longest_first(times: Sequence[float]) -> list[int]:
    """Give the places of the launches that have a page, in order; of few launches all have one."""
    return sorted(sorted(range(len(times)), key=lambda k: -times[k])[:PAGES])


def add_totals(report: EstimateReport, page: Page) -> None:
    """Sum up the launches, where there are several."""
    if len(report.launches) < 2:
        return
    page.title(f"estimate: {plural(len(report.launches), 'launch')}, one after another")
    columns = max(1, (page.style.width - _NAMES_WIDTH) // _MACHINE_WIDTH)
    for start in range(0, len(report.totals), columns):
        _side_by_side(report.totals[start : start + columns], page)


def _side_by_side(machines: Sequence[TotalEstimate], page: Page) -> None:
    width = (page.style.width - _NAMES_WIDTH - 4) // len(machines) - 2
    widths = [_NAMES_WIDTH - 2, *(min(width, 24) for _ in machines)]
    header = ("", *(m.machine for m in machines))
    kernels = _ordered([[k.kernel for k in m.kernels] for m in machines])
    launches = _ordered([[_name(x) for x in m.by_launch] for m in machines])
    for title, rows in (
        ("time in µs", [*_sums(machines), *_missing(machines)]),
        ("by kernel: time in µs, share", [(k, _of_kernel(k)) for k in kernels]),
        ("by launch: time in µs, share", [(x, _of_launch(x)) for x in launches]),
    ):
        shown = rows if page.style.verbose or title == "time in µs" else rows[:TOP]
        page.heading(title)
        page.table(
            header, [(name, *(cell(m) for m in machines)) for name, cell in shown], widths=widths
        )
        if len(shown) < len(rows):
            page.line(f"and {len(rows) - len(shown):,} more (--verbose)")


def _ordered(names: Sequence[Sequence[str]]) -> list[str]:
    """List names as the first machine has them, then those that only others have."""
    return list(dict.fromkeys(name for own in names for name in own))


def _sums(machines: Sequence[TotalEstimate]) -> list[Row]:
    whole = ("all launches", lambda m: figure(m.time_us, m.marks["time_us"]))
    parts = [
        ("execution", lambda m: figure(m.execution_us, m.marks["execution_us"])),
        ("launching", lambda m: figure(m.launch_us, m.marks["launch_us"])),
    ]
    if all(m.time_range_us is None for m in machines):
        return [whole, *parts]
    return [whole, ("… as assumed", _range), *parts]


def _range(machine: TotalEstimate) -> str:
    found = machine.time_range_us
    return UNKNOWN if found is None else ends(found.low, found.high, machine.marks["time_range_us"])


def _missing(machines: Sequence[TotalEstimate]) -> list[Row]:
    if not any(m.not_estimated for m in machines):
        return []
    return [("launches not estimated", lambda m: figure(m.not_estimated))]


def _name(launch: LaunchShare) -> str:
    return launch.launch if launch.number is None else f"{launch.number}: {launch.kernel}"


def _of_kernel(name: str) -> Callable[[TotalEstimate], str]:
    def cell(machine: TotalEstimate) -> str:
        return _shares(machine, [k for k in machine.kernels if k.kernel == name], "kernels")

    return cell


def _of_launch(name: str) -> Callable[[TotalEstimate], str]:
    def cell(machine: TotalEstimate) -> str:
        return _shares(machine, [x for x in machine.by_launch if _name(x) == name], "by_launch")

    return cell


def _shares(machine: TotalEstimate, found: Sequence[KernelShare | LaunchShare], part: str) -> str:
    if not found:
        return UNKNOWN
    time = figure(found[0].time_us, machine.marks[f"{part}.time_us"])
    return f"{time} ({percent(found[0].fraction)})"
