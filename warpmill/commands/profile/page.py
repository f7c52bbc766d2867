"""The page of ``profile``: a section a launch where they are few; and its rows as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from warpmill.analyzer.profile.ctas import FigureSpread
from warpmill.commands.profile.result import LaunchCounts, ProfileReport
from warpmill.report.base import Mark
from warpmill.report.facts import SourcePlace
from warpmill.report.page import UNKNOWN, Page, figure, percent
from warpmill.report.read import Reader, written
from warpmill.report.sections import Charts, Comparison, Repeated, Sentences, Shown, Special, Table
from warpmill.report.table import CsvRow, CsvTable, RowsOf
from warpmill.report.words import dimensions, duration, few, place, plural
from warpmill.session.collectors import LoadedCollector

_FEW = 16
_LONGEST = 200
_FINDINGS = 3


def _title(page: Page, report: ProfileReport) -> None:
    page.title(f"profile: {report.target}")
    if not report.launches:
        page.line("launches: none")


def _are_several(report: ProfileReport) -> bool:
    return len(report.launches) > 1


def _are_many(report: ProfileReport) -> bool:
    return len(report.launches) > _FEW


def _executed(launches: Sequence[Reader]) -> str:
    return figure(sum(one.subject.profile.warp_instructions for one in launches))


def _launch_title(launch: LaunchCounts) -> str:
    mangled = "" if launch.demangled == launch.kernel else f"  [{launch.kernel}]"
    return f"launch {launch.index}: {launch.demangled}{mangled}"


def _findings(page: Page, launch: LaunchCounts) -> None:
    others = [one.text for one in launch.findings[1:]]
    page.items(others, None if page.style.verbose else _FINDINGS, " (--verbose)")


def _line(where: SourcePlace | None) -> str:
    """A line of the input, which the page names once, as a number."""
    if where is None:
        return UNKNOWN
    return place(where, where.file if where.of == "input" else None)


def _lines(accesses: Sequence[Reader]) -> str:
    return few([_line(one.subject.place) for one in accesses])


def _lanes(lanes: Mapping[int, int] | None) -> str | None:
    """The three most frequent numbers of lanes."""
    ranked = sorted((lanes or {}).items(), key=lambda item: (-item[1], item[0]))
    whole = sum((lanes or {}).values())
    return ", ".join(f"{n} in {percent(count / whole)}" for n, count in ranked[:3]) or None


def _spread(found: FigureSpread | None) -> str | None:
    if found is None:
        return None
    variation = figure(found.coefficient_of_variation)
    return f"{figure(found.mean)} ({figure(found.min)} to {figure(found.max)}), {variation}"


def _conflict(found: float | None) -> str | None:
    """A bank conflict as Nsight Compute says it."""
    return None if found is None or found <= 1 else f"{found:.3g}-way"


def _collectors(page: Page, report: ProfileReport) -> None:
    """Results of collectors: a text as it is, a dict as names and values, a list as lines."""
    most = None if page.style.verbose else _FEW
    for found in report.collectors:
        title = f"collector {found.name}" + ("" if found.file is None else f" ({found.file})")
        page.heading(title, (Mark.MODELLED if found.is_model else Mark.EXACT).value)
        result = found.result
        if isinstance(result, dict):
            page.facts([(name, _value(value, page)) for name, value in result.items()][:most])
            page.rest(list(result), _FEW)
        elif isinstance(result, list):
            page.items([_value(value, page) for value in result], most, " (--verbose)")
        else:
            told = "no result" if result is None else _value(result, page)
            text = result if isinstance(result, str) else told
            for line in text.splitlines() or [""]:
                page.line(line)


def _value(value: Any, page: Page) -> str:
    """A value in a line; what is long is cut where not all is to be shown."""
    text = written(value)
    if page.style.verbose or len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]} and {plural(len(text) - _LONGEST, 'character')} more"


_COUNTS = tuple(
    f"executions.{key}"
    for key in (
        "static_instructions", "warp_instructions", "warp_instruction_fraction",
        "thread_instructions", "predicated_on",
    )
)  # fmt: skip

_ACCESS = (
    "counts.kind",
    "counts.space",
    Shown("counts.width_bytes", "B"),
    "counts.requests",
    Shown("counts.threads_a_request", "Threads"),
    "counts.bytes_requested",
)

LAUNCH = (
    Sentences("answer"),
    Special(_findings),
    Charts("warpmill.commands.profile.charts:charts"),
    Comparison(
        "Launch statistics",
        (
            Shown("profile.grid", words=dimensions),
            Shown("profile.block", words=dimensions),
            "profile.ctas",
            Shown("profile.dynamic_shared_bytes", detail=True),
            "profile.static_instructions",
            Shown("file", "Lines are of"),
        ),
    ),
    Comparison(
        "Instruction statistics",
        (
            "profile.warp_instructions",
            "profile.thread_instructions",
            "profile.predicated_on",
            "profile.lane_utilization",
            Shown("lanes", "Most frequent", words=_lanes),
            "profile.block_executions",
            "profile.barriers",
            Shown("profile.barrier_threads", detail=True),
        ),
    ),
    Comparison(
        "Memory workload",
        (
            "profile.bytes_read",
            "profile.bytes_written",
            "profile.memory_lines",
            "profile.sectors",
            "profile.bytes_transferred",
            "profile.bank_conflicts",
        ),
    ),
    Table(
        "Source counters: global and local memory",
        "accesses",
        (*_ACCESS, Shown("counts.bytes_transferred", "Moved"), "counts.sectors"),
        left=(0, 1),
        order=lambda access: access.counts.sectors,
        chosen=lambda access: access.counts.sectors is not None,
        alike=("Lines", _lines),
    ),
    Table(
        "Source counters: shared memory",
        "accesses",
        (
            _ACCESS[0],
            *_ACCESS[2:5],
            "counts.wavefronts",
            Shown("counts.bank_conflicts", "Conflicts"),
            Shown("wavefronts_a_request", "Degree", words=_conflict),
        ),
        order=lambda access: access.counts.wavefronts,
        chosen=lambda access: access.counts.wavefronts is not None,
        alike=("Lines", _lines),
    ),
    Table(
        "Source counters: other memory",
        "accesses",
        _ACCESS,
        left=(0, 1),
        order=lambda access: access.counts.requests,
        chosen=lambda access: access.counts.wavefronts is access.counts.sectors,
        alike=("Lines", _lines),
    ),
    Table("Executed instructions by class", "classes", (Shown("name", "Class"), *_COUNTS), top=8),
    Table("Executed instructions by opcode", "opcodes", (Shown("name", "Opcode"), *_COUNTS), top=8),
    Table(
        "Source counters: blocks",
        "blocks",
        (
            "label", "instructions", "counts.warps", "counts.threads", "lane_utilization",
            "warp_instruction_fraction", Shown("place", words=_line),
        ),
        top=8,
        left=(0, 6),
        wrap=(0, 6),
        order=lambda block: block.warp_instructions,
    ),
    Table(
        "Loops",
        "loops",
        (
            "label",
            "counts.entries",
            "counts.iterations",
            "counts.threads",
            Shown("counts.iterations_per_thread", "A thread"),
            Shown("counts.iterations_min", "Least"),
            Shown("counts.iterations_max", "Most"),
        ),
        top=8,
        wrap=(0,),
    ),
    Comparison(
        "CTAs: mean (least to most), coefficient of variation",
        (
            Shown("cta_spread.thread_instructions", words=_spread),
            Shown("cta_spread.warp_instructions", words=_spread),
            Shown("cta_spread.memory_lines", words=_spread),
            Shown("cta_spread.lines_per_warp_instruction", words=_spread),
            "cta_spread.block_vectors",
        ),
    ),
    Table(
        "Each CTA",
        "per_cta.ctas",
        ("cta", "warp_instructions", "thread_instructions", "lines", "vector"),
        top=_FEW,
        below="vector: which of the vectors of block executions it has (JSON holds them)",
    ),
    Table(
        "Source counters: executed instructions by line",
        "lines",
        (Shown("place", words=_line), *_COUNTS),
        detail=True,
    ),
    Table(
        "Memory workload by space",
        "memory",
        (
            "kind", "space", "instructions", "requests", "bytes_requested", "bytes_transferred",
            "sectors", "wavefronts", "bank_conflicts",
        ),
        left=(0, 1),
        detail=True,
    ),
)  # fmt: skip


PAGE = (
    Special(_title),
    Comparison(
        "All launches",
        (
            "totals.launches",
            "totals.warp_instructions",
            "totals.thread_instructions",
            "totals.lane_utilization",
        ),
        when=_are_several,
    ),
    Table(
        "Launches",
        "launches",
        (
            Shown("demangled", "Kernel"),
            Shown("profile.grid", words=dimensions),
            Shown("profile.block", words=dimensions),
        ),
        top=_FEW,
        wrap=(0,),
        when=_are_many,
        alike=("Executed instructions", _executed),
        below="n: launches alike in kernel and size; --launch N or --verbose shows the rest",
    ),
    Repeated(
        "launches",
        LAUNCH,
        _launch_title,
        few=lambda report: () if _are_many(report) else range(len(report.launches)),
    ),
    Special(_collectors),
    Comparison(
        "Overhead",
        (
            "overhead.ratio",
            Shown("overhead.collecting.seconds", "CPU time", words=duration),
            Shown("overhead.plain.seconds", "CPU time without", words=duration),
            Shown("overhead.collecting.compile_seconds", "Compilation", words=duration),
            Shown("overhead.plain.compile_seconds", "Compilation without", words=duration),
        ),
        when=lambda report: report.overhead is not None,
    ),
    Comparison(
        "Assumptions and provenance",
        (
            Shown("counted", "Counted", words=lambda counted: ", ".join(("blocks", *counted))),
            Shown(
                "rules", "Memory rules", words=lambda rules: rules and (rules.machine or "default")
            ),
            "rules.memory.line_bytes",
            "rules.memory.sector_bytes",
            "rules.memory.lanes_per_group",
            "rules.memory.banks",
            "rules.memory.bank_width_bytes",
        ),
    ),
)


# The rows of ``profile`` as CSV: a row for each thing that was counted.

COLUMNS = (
    "launch", "launch_name", "kernel", "kind", "name", "block", "target", "instruction", "cta",
    "lanes", "space", "access", "width_bytes", "file", "line", "static_instructions", "warps",
    "threads", "distinct_threads", "warp_instructions", "thread_instructions", "predicated_on",
    "warp_instruction_fraction", "lane_utilization", "ctas", "block_executions", "barriers",
    "barrier_threads", "entries", "iterations", "iterations_per_thread", "iterations_min",
    "iterations_max", "requests", "bytes_requested", "bytes_read", "bytes_written",
    "bytes_transferred", "lines", "sectors", "wavefronts", "bank_conflicts", "vector", "mean",
    "min", "max", "standard_deviation", "coefficient_of_variation", "key", "value", "mark",
)  # fmt: skip

_LAUNCH = {
    "launch": ".launches.index", "launch_name": ".launches.name", "kernel": ".launches.kernel",
}  # fmt: skip


def _nothing(_: object) -> None:
    """Empty cell, for columns that the element has under another meaning."""


def _worst(launch: LaunchCounts) -> str:
    counted = launch.counted_by.values()
    return (Mark.ASSUMED if Mark.ASSUMED in counted else Mark.EXACT).value


def _is_shared(one: Any) -> bool:
    return getattr(one, "counts", one).wavefronts is not None


def _is_no_shared(one: Any) -> bool:
    return not _is_shared(one)


def _end(edge: Any) -> Any:
    return "end" if edge.target is None else edge.target


_NONE = dict.fromkeys(("name", "file", "block", "lanes", "requests"), _nothing)
_TOTAL = {key: f"profile.{key}" for key in ("warp_instructions", "thread_instructions")}
_TOTAL["lines"] = "profile.memory_lines"
_SPREAD = ("mean", "min", "max", "standard_deviation", "coefficient_of_variation")
_SUMS = dict.fromkeys(("thread_instructions", "warp_instructions", *_SPREAD), _nothing)

_ROWS = (
    RowsOf(
        "launches",
        {**_LAUNCH, **_NONE, **_TOTAL, "mark": _worst},
        fixed={"kind": "total"},
    ),
    *(
        RowsOf(f"launches.{key}", _LAUNCH, fixed={"kind": kind})
        for key, kind in (
            ("classes", "class"), ("opcodes", "opcode"), ("vectors", "vector"), ("lines", "line"),
        )
    ),
    RowsOf(
        "launches.blocks",
        {**_LAUNCH, "name": "label", "static_instructions": "instructions", "lanes": _nothing},
        fixed={"kind": "block"},
    ),
    RowsOf(
        "launches.profile.edges",
        {**_LAUNCH, "block": "source", "target": _end},
        fixed={"kind": "edge"},
    ),
    RowsOf("launches.loops", {**_LAUNCH, "name": "label", "block": "header"}, {"kind": "loop"}),
    *(
        RowsOf(
            "launches.accesses",
            {**_LAUNCH, "name": "opcode", "access": "counts.kind"},
            {"kind": "access"},
            mark=f"counts.{key}",
            chosen=chosen,
        )
        for key, chosen in (("sectors", _is_no_shared), ("wavefronts", _is_shared))
    ),
    *(
        RowsOf(
            "launches.memory",
            {**_LAUNCH, "access": "kind", "static_instructions": "instructions"},
            {"kind": "space"},
            mark=key,
            chosen=chosen,
        )
        for key, chosen in (("sectors", _is_no_shared), ("wavefronts", _is_shared))
    ),
    RowsOf(
        "launches.cta_spread",
        {**_LAUNCH, **_SUMS, "value": "block_vectors"},
        {"kind": "spread", "key": "block_vectors"},
    ),
    RowsOf("launches.per_cta.ctas", _LAUNCH, {"kind": "cta"}),
    *(
        RowsOf("overhead", {"value": key}, {"kind": "overhead", "key": key})
        for key in (
            "ratio", "collecting.seconds", "collecting.compile_seconds", "plain.seconds",
            "plain.compile_seconds",
        )
    ),
    *(
        RowsOf(f"launches.cta_spread.{key}", _LAUNCH, {"kind": "spread", "key": key})
        for key in (
            "thread_instructions", "warp_instructions", "memory_lines",
            "lines_per_warp_instruction",
        )
    ),
)  # fmt: skip


def _rows(report: ProfileReport) -> Iterator[CsvRow]:
    for kind in _ROWS:
        yield from kind.rows(report, COLUMNS)
    for launch in report.launches:
        names = {"launch": launch.index, "launch_name": launch.name, "kernel": launch.kernel}
        for row in (*_lane_rows(launch), *_vector_rows(launch)):
            yield {**names, **row, "mark": "exact"}
    for collector in report.collectors:
        mark = "modelled" if collector.is_model else "exact"
        for row in _collector_rows(collector):
            yield {"kind": "collector", "name": collector.name, **row, "mark": mark}


def _lane_rows(launch: LaunchCounts) -> Iterator[CsvRow]:
    for lanes, count in (launch.lanes or {}).items():
        yield {"kind": "lanes", "lanes": lanes, "warp_instructions": count}


def _vector_rows(launch: LaunchCounts) -> Iterator[CsvRow]:
    if launch.per_cta is None:
        return
    counts = launch.per_cta.counts
    for number, own in enumerate(launch.per_cta.warp_instruction_fractions):
        both = zip(counts.block_warps[number], counts.block_threads[number], own, strict=True)
        for block, (warps, threads, fraction) in enumerate(both):
            row = {"kind": "vector of CTAs", "vector": number, "block": block, "warps": warps}
            yield {**row, "threads": threads, "warp_instruction_fraction": fraction}


def _collector_rows(found: LoadedCollector) -> Iterator[CsvRow]:
    """A row for each name of a dict, each item of a list, or one; what is deeper is JSON."""
    if found.result in ({}, []):
        yield {}
    elif isinstance(found.result, dict):
        for name, value in found.result.items():
            yield {"key": name, "value": _json(value)}
    elif isinstance(found.result, list):
        for number, value in enumerate(found.result):
            yield {"key": str(number), "value": _json(value)}
    else:
        yield {"value": _json(found.result)}


def _json(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


PROFILE = CsvTable(COLUMNS, _rows)
