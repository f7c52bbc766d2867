"""The page of ``explain``: the lines that take the time, with their text; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from warpmill.commands.explain.result import (
    LaunchExplanation,
    LineTime,
    MachineExplanation,
    TotalLine,
)
from warpmill.report.estimate_sections import (
    FURTHER,
    HEAD,
    RESTS_ON,
    SPEED_OF_LIGHT,
    TIME_BREAKDOWN,
    TOTALS,
    WHAT_IF,
    are_several,
    longest,
)
from warpmill.report.read import Reader
from warpmill.report.sections import Charts, Repeated, Shown, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import few, kernel_title, place, plural, variable
from warpmill.session.estimates import TimedInstruction

if TYPE_CHECKING:
    from warpmill.report.charts import Chart
    from warpmill.report.source_view import SourceListing


def _line(reader: Reader) -> str:
    """A line with its text, and below it where the time is."""
    line: LineTime = reader.subject
    after = f", after loads at {_after(reader)}" if line.after else ""
    return f"{_place(reader)}  {line.text or ''}\nmost time at {line.opcode}{after}"


def _place(reader: Reader) -> str:
    return place(reader.subject.place, reader.above("kernel").file)


def _after(reader: Reader) -> str | None:
    return few([place(p, reader.above("kernel").file) for p in reader.subject.after]) or None


def _buffer(reader: Reader) -> str:
    return variable(reader.subject.access.buffer, reader.above("kernel"))


def _total_line(line: TotalLine) -> str:
    where = f"{plural(line.launches, 'launch')} of {', '.join(line.kernels)}"
    return f"{place(line.place)}  {line.text or ''}\nin {where}"


def _moved(one: TimedInstruction) -> float:
    assert one.access is not None
    each = one.access.sectors if one.access.wavefronts is None else one.access.wavefronts
    return one.warp_executions * (each or 0.0)


def _has_ranges(one: MachineExplanation) -> bool:
    return any(line.ranges is not None for line in one.lines)


def _title(words: str) -> Callable[[Any], str]:
    return lambda one: f"Source counters on {one.machine}: {words}"


def _lines(below: str, when: Callable[[MachineExplanation], bool]) -> Table:
    return Table(
        _title("lines by time of warps, with stalls"),
        "lines",
        (
            Shown(f"{below}time_fraction", "Share"),
            Shown(f"{below}time_us", "Time (µs)"),
            Shown(f"{below}warp_instructions", "Executed", detail=bool(below)),
            Shown("place", "Line", told=_line),
        ),
        top="top",
        left=(3,),
        wrap=(3,),
        when=when,
    )


SOURCE_COUNTERS = (
    _lines("", lambda one: not _has_ranges(one)),
    _lines("ranges.", _has_ranges),
    Table(
        _title("instructions, in the order of the code"),
        "instructions",
        (
            Shown("place", "Line", told=_place),
            "opcode",
            Shown("time_fraction", "Share"),
            "warp_executions",
            Shown("after", told=_after),
        ),
        left=(0, 1, 4),
        wrap=(0, 1),
        detail=True,
    ),
    Table(
        _title("memory accesses, each of one warp"),
        "instructions",
        (
            Shown("place", "Line", told=_place),
            "opcode",
            Shown("access.buffer", told=_buffer),
            "warp_executions",
            "access.sectors",
            "access.wavefronts",
        ),
        top="top",
        left=(0, 1, 2),
        wrap=(0, 1, 2),
        chosen=lambda one: one.access is not None,
        order=_moved,
    ),
)


def source(launch: LaunchExplanation) -> Iterator[SourceListing]:
    """The lines of a launch by the time of its warps, on the first of its machines."""
    from warpmill.report.source_view import LineCosts, source_listing  # noqa: PLC0415 - HTML alone has it

    for one in launch.explanations[:1]:
        costs = ((i.code, LineCosts(i.time_fraction, i.warp_executions)) for i in one.instructions)
        found = source_listing(launch.kernel.loaded, costs, f"Lines by time on {one.machine}")
        if found is not None:
            yield found


def warps(launch: LaunchExplanation) -> Iterator[Chart]:
    """Some warps of the first machine as the hybrid paper's Figure 2 shows them."""
    from warpmill.report.timelines import warp_timeline  # noqa: PLC0415 - HTML alone has it

    for one in launch.explanations[:1]:
        found = warp_timeline(launch.kernel.loaded, launch.kernel.kernel, one.found.estimate)
        if found is not None:
            yield found


TOTAL_LINES = (
    Table(
        _title("lines of all launches by time of warps"),
        "lines",
        (
            Shown("time_fraction", "Share"),
            "time_us",
            "time_range_us",
            "warp_instructions",
            Shown("", "Line", words=_total_line),
        ),
        top="top",
        left=(4,),
        wrap=(4,),
    ),
)

PAGE = (
    *TOTALS,
    Repeated("total_lines", TOTAL_LINES, when=are_several),
    Repeated(
        "launches",
        (
            HEAD,
            Charts("warpmill.report.timing_charts:launch_charts"),
            SPEED_OF_LIGHT,
            Charts("warpmill.commands.explain.page:source"),
            Charts("warpmill.commands.explain.page:warps"),
            Repeated("explanations", SOURCE_COUNTERS),
            TIME_BREAKDOWN,
            FURTHER,
            *WHAT_IF,
            RESTS_ON,
        ),
        lambda launch: kernel_title("explain", launch.kernel),
        few=longest,
    ),
)

COLUMNS = (
    "kernel", "launch", "machine", "file", "line", "block", "instruction", "opcode",
    "time_fraction", "time_us", "warp_executions", "waits_for", "space", "buffer", "sectors",
    "wavefronts", "mark",
)  # fmt: skip

EXPLAIN = CsvTable(
    COLUMNS,
    (
        RowsOf(
            "launches.explanations.instructions",
            {
                "kernel": ".launches.kernel.name",
                "launch": ".launches.launch.name",
                "machine": ".launches.explanations.machine",
                "waits_for": lambda one: [f"{p.file}:{p.line}" for p in one.after],
            },
            mark="time_us",
        ),
    ),
)
