"""The page of ``explain``: the lines that take the time, with their text."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.base.metric import FigureRange
from warpmill.commands.estimate.page import longest_first
from warpmill.commands.explain.result import (
    AccessCost,
    ExplainReport,
    InstructionTimeFacts,
    LaunchExplanation,
    LineTime,
    MachineExplanation,
    TotalExplanation,
    TotalLine,
)
from warpmill.report.assumed_words import assumed_lines, ends, percents
from warpmill.report.base import Mark
from warpmill.report.facts import KernelIdentity, SourcePlace
from warpmill.report.page import UNKNOWN, Page, figure, percent
from warpmill.report.words import (
    few,
    kernel_lines,
    kernel_title,
    launch_lines,
    place,
    plural,
    timed_lines,
    variable,
)

_CAUSES = 4
"""Causes of the time that are named."""

_LEAST = 0.01

_FINDINGS, _FEW = 3, 5


def explain_page(report: ExplainReport, page: Page) -> None:
    """Show each launch on each machine, and the lines of all launches together."""
    shown = report.launches if page.style.verbose else longest(report)
    for launch in shown:
        for one in launch.machines:
            _machine(report, launch, one, page)
        if launch.not_estimated:
            page.heading("machines without an estimate")
            page.items([f"{m.machine}: {m.reason}" for m in launch.not_estimated])
    add_totals(report, page)
    if len(shown) < len(report.launches):
        page.line(f"pages: of the {len(shown)} launches that take longest (--verbose: of all)")


def _machine(
    report: ExplainReport, launch: LaunchExplanation, one: MachineExplanation, page: Page
) -> None:
    more = [("machine", f"{one.machine} ({one.machine_name})")]
    if report.overrides:
        more.append(("set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())))
    if report.mode == "eq8":
        more.append(("pipeline", "as in the paper: a warp waits for each result"))
    if report.l2 == "warm":
        more.append(("L2", "has what an equal launch before has left"))
    more += [*timed_lines(report.timed), *assumed_lines(report.assumed), *_time(one)]
    page.title(kernel_title("explain", launch.kernel))
    _answer(one, page)
    page.facts([*launch_lines(launch.launch), *more])
    _lines(one, launch.kernel, page, None if page.style.verbose else report.top)
    if page.style.verbose:
        _instructions(one, launch.kernel, page)
    _accesses(one, launch.kernel, page, None if page.style.verbose else report.top)
    page.heading("Assumptions and provenance")
    page.facts(kernel_lines(launch.kernel))
    page.items(one.assumptions, None if page.style.verbose else _FEW, " (--verbose)")


def _answer(one: MachineExplanation, page: Page) -> None:
    """How long, what bounds it, what to try first; then what else to try."""
    if not one.answer:
        return
    page.line(" ".join(one.answer))
    others = [f"{found.rule}: {found.text}" for found in one.findings[1:]]
    page.items(others, None if page.style.verbose else _FINDINGS, " (--verbose)")
    page.blank()


def _time(one: MachineExplanation) -> list[tuple[str, str]]:
    marks = one.marks
    whole, execution, launch = (
        figure(getattr(one, key), marks[key]) for key in ("time_us", "execution_us", "launch_us")
    )
    causes = sorted((s for s in one.shares if s.fraction >= _LEAST), key=lambda s: -s.fraction)
    words = [f"{s.cause} {percent(s.fraction, marks['shares.fraction'])}" for s in causes[:_CAUSES]]
    return [
        ("time", f"{whole} µs: {execution} execution, {launch} launching"),
        ("bound by", one.bound),
        *_as_assumed(one),
        ("time breakdown", ", ".join(words)),
    ]


def _as_assumed(one: MachineExplanation) -> list[tuple[str, str]]:
    """Say both ends of the time where a range was assumed."""
    found = one.ranges
    if found is None:
        return []
    times = ends(found.time_us.low, found.time_us.high, one.marks["ranges.time_us"])
    bound = (
        "" if found.bound_high == one.bound else f", bound by {found.bound_high} at the high ends"
    )
    return [("assumed range", f"{times} µs{bound}")]


def _lines(one: MachineExplanation, kernel: KernelIdentity, page: Page, top: int | None) -> None:
    page.heading("Source counters: lines by time of warps, with stalls")
    shown = one.lines[:top]
    rows: list[tuple[str, str]] = []
    for line in shown:
        text = "" if line.text is None else f"  {line.text}"
        rows += [
            (_share(line, one), place(line.place, kernel.file) + text),
            ("", _line(line, one, kernel)),
        ]
    page.table(("share", "line"), rows, left=(1,))
    left = one.lines[len(shown) :]
    if left:
        rest = percent(sum(x.time_fraction for x in left), one.marks["lines.time_fraction"])
        page.line(f"and {plural(len(left), 'line')} more with {rest} (--top, --verbose)")


def _share(line: LineTime, one: MachineExplanation) -> str:
    if line.ranges is None:
        return percent(line.time_fraction, one.marks["lines.time_fraction"])
    return percents(line.ranges.time_fraction, one.marks["lines.ranges.time_fraction"])


def _line(line: LineTime, one: MachineExplanation, kernel: KernelIdentity) -> str:
    """What executes at a line."""
    marks, both = one.marks, line.ranges
    if both is None:
        time = figure(line.time_us, marks["lines.time_us"])
        count = executed(line.warp_instructions, marks["lines.warp_instructions"])
    else:
        time = ends(both.time_us.low, both.time_us.high, marks["lines.ranges.time_us"])
        counts = both.warp_instructions
        mark = marks["lines.ranges.warp_instructions"]
        count = f"{ends(round(counts.low), round(counts.high), mark)} warp instructions"
    words = f"{time} µs, {count}, most time at {line.opcode}"
    return f"{words}{_after(line.after, kernel)}"


def _after(accesses: Sequence[SourcePlace], kernel: KernelIdentity) -> str:
    if not accesses:
        return ""
    return f", after loads at {few([place(p, kernel.file) for p in accesses])}"


def _instructions(one: MachineExplanation, kernel: KernelIdentity, page: Page) -> None:
    page.heading("Source counters: instructions, in the order of the code")
    rows = [
        (
            place(x.place, kernel.file),
            x.opcode,
            percent(x.time_fraction, one.marks["instructions.time_fraction"]),
            figure(round(x.warp_executions), one.marks["instructions.warp_executions"]),
            few([place(p, kernel.file) for p in x.after]) or UNKNOWN,
        )
        for x in one.instructions
    ]
    page.table(
        ("line", "opcode", "share", "executed", "after loads at"), rows, (0, 1, 4), wrap=(0, 1)
    )


def _accesses(one: MachineExplanation, kernel: KernelIdentity, page: Page, top: int | None) -> None:
    """Show what the accesses among the instructions move, those of most transactions first."""
    found = [(x, x.access) for x in one.instructions if x.access is not None]
    if not found:
        return
    page.heading("Source counters: memory accesses, each of one warp")
    found.sort(key=lambda pair: -_moved(*pair))
    mark = one.marks["instructions.access.sectors"]
    rows = [
        (
            place(x.place, kernel.file),
            x.opcode,
            variable(access.buffer, kernel),
            figure(round(x.warp_executions), one.marks["instructions.warp_executions"]),
            figure(access.sectors, mark),
            figure(access.wavefronts, mark),
        )
        for x, access in found[:top]
    ]
    header = ("line", "opcode", "of", "executed", "sectors", "wavefronts")
    page.table(header, rows, (0, 1, 2), wrap=(0, 1, 2))
    if len(rows) < len(found):
        page.line(f"and {len(found) - len(rows)} more (--top, --verbose)")


def _moved(instruction: InstructionTimeFacts, access: AccessCost) -> float:
    each = access.sectors if access.wavefronts is None else access.wavefronts
    return instruction.warp_executions * (each or 0.0)


# All launches of an explanation together: which lines the time goes to.


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
            facts.append(("assumed range", f"{times} µs"))
        page.facts(facts)
        _total_lines(one, page, None if page.style.verbose else report.top)


def _total_lines(one: TotalExplanation, page: Page, top: int | None) -> None:
    page.heading("lines of all launches by time of warps")
    mark = one.marks["lines.time_fraction"]
    rows: list[tuple[str, str]] = []
    for line in one.lines[:top]:
        text = "" if line.text is None else f"  {line.text}"
        rows += [
            (percent(line.time_fraction, mark), place(line.place) + text),
            ("", _line_of_total(line, one)),
        ]
    page.table(("share", "line"), rows, left=(1,))
    left = one.lines[len(rows) // 2 :]
    if left:
        rest = percent(sum(line.time_fraction for line in left), mark)
        page.line(f"and {plural(len(left), 'line')} more with {rest} (--top, --verbose)")


def _line_of_total(line: TotalLine, one: TotalExplanation) -> str:
    """What executes at a line."""
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
