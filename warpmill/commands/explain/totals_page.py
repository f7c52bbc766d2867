"""All launches of an explanation together: which lines the time goes to."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.commands.estimate.totals_page import longest_first
from warpmill.commands.explain.result import (
    ExplainReport,
    LaunchExplanation,
    TotalExplanation,
    TotalLine,
)
from warpmill.report.assumed import FigureRange
from warpmill.report.assumed_words import ends
from warpmill.report.base import Mark
from warpmill.report.page import Page, figure, percent
from warpmill.report.words import place, plural


def longest(report: ExplainReport) -> Sequence[LaunchExplanation]:
    """Choose the launches that have pages: those that take longest on some machine, in order."""
    times = [max((m.time_us for m in x.machines), default=0.0) for x in report.launches]
    return [report.launches[k] for k in longest_first(times)]


def add_totals(report: ExplainReport, page: Page) -> None:
    """Put the lines of all launches together, where there are several."""
    if len(report.launches) < 2:
        return
    for one in report.totals:
        page.title(f"explain: {plural(one.launches, 'launch')}, one after another")
        whole, execution, launching = (
            figure(getattr(one, key), one.marks[key])
            for key in ("time_us", "execution_us", "launch_us")
        )
        time = f"{whole} µs: {execution} execution, {launching} launching"
        facts = [("machine", f"{one.machine} ({one.machine_name})"), ("time", time)]
        if one.time_range_us is not None:
            times = _range(one.time_range_us, one.marks["time_range_us"])
            facts.append(("as assumed", f"{times} µs"))
        page.facts(facts)
        _lines(one, page, None if page.style.verbose else report.top)


def _lines(one: TotalExplanation, page: Page, top: int | None) -> None:
    page.heading("lines of all launches by the time that warps spend there")
    mark = one.marks["lines.time_fraction"]
    rows: list[tuple[str, str]] = []
    for line in one.lines[:top]:
        text = "" if line.text is None else f"  {line.text}"
        rows += [
            (percent(line.time_fraction, mark), place(line.place) + text),
            ("", _line(line, one)),
        ]
    page.table(("share", "line"), rows, left=(1,))
    left = one.lines[len(rows) // 2 :]
    if left:
        rest = percent(sum(line.time_fraction for line in left), mark)
        page.line(f"and {plural(len(left), 'line')} more with {rest} (--top, --verbose)")


def _line(line: TotalLine, one: TotalExplanation) -> str:
    """Say what executes at a line."""
    time = figure(line.time_us, one.marks["lines.time_us"])
    if line.time_range_us is not None:
        time = _range(line.time_range_us, one.marks["lines.time_range_us"])
    count = executed(line.warp_instructions, one.marks["lines.warp_instructions"])
    where = f"{plural(line.launches, 'launch')} of {', '.join(line.kernels)}"
    return f"{time} µs, {count} in {where}"


def _range(both: FigureRange, mark: Mark) -> str:
    return ends(both.low, both.high, mark)


def executed(count: float, mark: Mark) -> str:
    """Write how much warps execute: ``20,480≈ warp instructions``."""
    whole = round(count)
    return f"{figure(whole, mark)} warp instruction{'' if whole == 1 else 's'}"
