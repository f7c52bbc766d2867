"""The page of ``profile``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from warpmill.commands.profile.launch import LaunchCountFacts
from warpmill.commands.profile.launch_page import launch_sections
from warpmill.commands.profile.memory import RulesFigures
from warpmill.commands.profile.result import CollectorResult, OverheadFigures, ProfileReport
from warpmill.commands.run.page import duration
from warpmill.report.base import Mark
from warpmill.report.page import UNKNOWN, Page, figure, percent
from warpmill.report.words import dimensions, plural

_FEW = 16
_LONGEST = 200


def profile_page(report: ProfileReport, page: Page) -> None:
    """Show what was counted: each launch where they are few, else a table of them."""
    page.title(f"profile: {report.target}")
    page.facts(_heads(report))
    if not report.launches:
        page.heading("launches: none")
    if len(report.launches) > _FEW and not page.style.verbose:
        _table(report.launches, page)
    else:
        for launch in report.launches:
            launch_sections(launch, page)
    for collector in report.collectors:
        _collector(collector, page)


def _heads(report: ProfileReport) -> list[tuple[str, str]]:
    lines = [("counted", ", ".join(("blocks", *report.counted)) + ": exactly, as it was executed")]
    if report.rules is not None:
        lines.append(("memory", _rules(report.rules)))
    totals = report.totals
    if totals.launches > 1:
        done = f"{figure(totals.warp_instructions)} by warps, "
        done += f"{figure(totals.thread_instructions)} by threads"
        lines += [("all launches", done), ("active threads", percent(totals.lane_utilization))]
    if report.overhead is not None:
        lines.append(("overhead", _overhead(report.overhead)))
    return lines


def _rules(rules: RulesFigures) -> str:
    marks = rules.marks
    sector = f"{figure(rules.sector_bytes, marks['sector_bytes'])} B"
    group = figure(rules.lanes_per_group, marks["lanes_per_group"])
    banks = figure(rules.banks, marks["banks"])
    width = f"{figure(rules.bank_width_bytes, marks['bank_width_bytes'])} B"
    by = "the default rules" if rules.machine is None else f"the rules of {rules.machine}"
    words = f"requests of {rules.request_bytes} B lines, transactions of {sector} sectors"
    return f"{words}, {group} lanes together, {banks} banks of {width}: {by}"


def _overhead(overhead: OverheadFigures) -> str:
    if overhead.ratio is None:
        return "no launch, nothing to compare"
    times = f"{duration(overhead.seconds)} of CPU time for {duration(overhead.plain_seconds)}"
    compiled = duration(overhead.compile_seconds), duration(overhead.plain_compile_seconds)
    return f"{overhead.ratio:.3g} times: {times}; compiling {compiled[0]} for {compiled[1]}"


def _table(launches: Sequence[LaunchCountFacts], page: Page) -> None:
    """Show many launches, those of one kernel and size together."""
    groups: dict[tuple[object, ...], list[LaunchCountFacts]] = {}
    for one in launches:
        groups.setdefault((one.kernel, *one.grid, *one.block), []).append(one)
    page.heading(f"launches: {len(launches):,}")
    page.table(
        ("n", "first", "kernel", "grid", "block", "by warps", "by threads", "lanes", "requests"),
        [_row(group) for group in groups.values()],
        left=(2,),
        wrap=(2,),
    )
    page.line("n: launches alike in kernel and size, of which first is the number of the first")
    page.line("by warps, by threads: instructions; --launch N or --verbose shows the rest")


def _row(group: Sequence[LaunchCountFacts]) -> tuple[str, ...]:
    first = group[0]
    warps = sum(one.warp_instructions for one in group)
    threads = sum(one.thread_instructions for one in group)
    requests = [one.memory_requests for one in group if one.memory_requests is not None]
    return (
        f"{len(group):,}",
        str(first.index),
        first.demangled,
        dimensions(first.grid),
        dimensions(first.block),
        figure(warps),
        figure(threads),
        percent(threads / (warps * first.warp_size) if warps else None),
        figure(sum(requests)) if requests else UNKNOWN,
    )


def _collector(found: CollectorResult, page: Page) -> None:
    """Show what a collector gave: a text as it is, a dict as names and values, a list as lines."""
    page.heading(f"collector {found.name}" + ("" if found.file is None else f" ({found.file})"))
    result, most = found.result, None if page.style.verbose else _FEW
    mark = found.marks["result"]
    if result is None:
        page.line("no result")
    elif isinstance(result, str):
        for line in result.splitlines() or [""]:
            page.line(line)
    elif isinstance(result, dict):
        pairs = [(name, _value(value, mark, page)) for name, value in result.items()]
        page.facts(pairs[:most])
        if most is not None and len(pairs) > most:
            page.line(f"and {plural(len(pairs) - most, 'more value')} (--verbose)")
    elif isinstance(result, list):
        page.items([_value(value, mark, page) for value in result], most, " (--verbose)")
    else:
        page.line(_value(result, mark, page))


def _value(value: Any, mark: Mark, page: Page) -> str:
    """Write a value in a line; what is long is cut where not all is to be shown."""
    if isinstance(value, bool) or value is None:
        return {None: UNKNOWN, True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return figure(value, mark)
    if isinstance(value, list):
        text = ", ".join(_value(one, mark, page) for one in value)
    elif isinstance(value, dict):
        text = ", ".join(f"{name}: {_value(one, mark, page)}" for name, one in value.items())
    else:
        text = str(value)
    if page.style.verbose or len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]} and {plural(len(text) - _LONGEST, 'character')} more"
