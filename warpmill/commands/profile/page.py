"""The page of ``profile``: a section a launch where they are few; and its rows as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from warpmill.commands.profile.result import (
    CountingRules,
    LaunchCounts,
    ProfileReport,
)
from warpmill.report.base import Mark
from warpmill.report.facts import SourcePlace
from warpmill.report.fields import flat
from warpmill.report.page import UNKNOWN, Page, figure, percent
from warpmill.report.sections import Comparison, Repeated, Shown, Special, Table
from warpmill.report.table import CsvRow, CsvTable, RowsOf
from warpmill.report.words import dimensions, duration, place, plural
from warpmill.session.collectors import LoadedCollector
from warpmill.session.overhead import Overhead

_FEW = 16
_FEW_LANES = 3
_LONGEST = 200
_FINDINGS = 3


def _title(page: Page, report: ProfileReport) -> None:
    page.title(f"profile: {report.target}")
    facts = [("counted", ", ".join(("blocks", *report.counted)))]
    if report.rules is not None:
        facts.append(("memory", _rules(report.rules)))
    if report.overhead is not None:
        facts.append(("overhead", _overhead(report.overhead)))
    page.facts(facts)
    if not report.launches:
        page.heading("launches: none")


def _rules(rules: CountingRules) -> str:
    def written(rule: str) -> str:
        return figure(getattr(rules.memory, rule), rules.marked[rule])

    by = "the default rules" if rules.machine is None else f"the rules of {rules.machine}"
    return (
        f"lines of {rules.memory.line_bytes} B, sectors of {written('sector_bytes')} B, "
        f"{written('lanes_per_group')} lanes together, {written('banks')} banks of "
        f"{written('bank_width_bytes')} B: {by}"
    )


def _overhead(cost: Overhead) -> str:
    if cost.ratio is None:
        return "no launch, nothing to compare"
    times = f"{duration(cost.collecting.seconds)} of CPU time for {duration(cost.plain.seconds)}"
    compiled = (duration(each.compile_seconds) for each in (cost.collecting, cost.plain))
    return f"{cost.ratio:.3g} times: {times}; compiling {' for '.join(compiled)}"


def _are_several(report: ProfileReport) -> bool:
    return len(report.launches) > 1


def _are_many(report: ProfileReport, page: Page) -> bool:
    return len(report.launches) > _FEW and not page.style.verbose


def _launches(page: Page, report: ProfileReport) -> None:
    """Many launches, those of one kernel and size together."""
    if not _are_many(report, page):
        return
    groups: dict[tuple[object, ...], list[LaunchCounts]] = {}
    for one in report.launches:
        groups.setdefault((one.kernel, one.profile.grid, one.profile.block), []).append(one)
    page.heading(f"launches: {len(report.launches):,}", "exact")
    page.table(
        ("n", "first", "kernel", "grid", "block", "warp inst.", "thread inst.", "active", "lines"),
        [_row(group) for group in groups.values()],
        left=(2,),
        wrap=(2,),
    )
    page.line("n: launches alike in kernel and size, of which first is the number of the first")
    page.line("lines: of 128 B that requests touch; --launch N or --verbose shows the rest")


def _row(group: Sequence[LaunchCounts]) -> tuple[str, ...]:
    first, profiles = group[0], [one.profile for one in group]
    warps = sum(one.warp_instructions for one in profiles)
    threads = sum(one.thread_instructions for one in profiles)
    lines = [one.memory_lines for one in profiles if one.memory_lines is not None]
    return (
        f"{len(group):,}",
        str(first.index),
        first.demangled,
        dimensions(first.profile.grid),
        dimensions(first.profile.block),
        figure(warps),
        figure(threads),
        percent(threads / (warps * first.profile.warp_size) if warps else None),
        figure(sum(lines)) if lines else UNKNOWN,
    )


def _launch_title(launch: LaunchCounts) -> str:
    mangled = "" if launch.demangled == launch.kernel else f"  [{launch.kernel}]"
    return f"launch {launch.index}: {launch.demangled}{mangled}"


def _answer(page: Page, launch: LaunchCounts) -> None:
    """What stands out, then how it was launched."""
    page.line(" ".join(launch.answer))
    others = [one.text for one in launch.findings[1:]]
    page.items(others, None if page.style.verbose else _FINDINGS, " (--verbose)")


def _line(where: SourcePlace | None) -> str:
    """A line of the input, which the page names once, as a number."""
    if where is None:
        return UNKNOWN
    return place(where, where.file if where.of == "input" else None)


def _lanes(lanes: Mapping[int, int] | None) -> str | None:
    """The numbers of lanes that are the most frequent."""
    if not lanes:
        return None
    ranked = sorted(lanes.items(), key=lambda item: (-item[1], item[0]))
    whole = sum(lanes.values()) or 1
    return ", ".join(f"{n} in {percent(count / whole)}" for n, count in ranked[:_FEW_LANES])


def _histogram(page: Page, launch: LaunchCounts) -> None:
    if launch.lanes is None or not page.style.verbose:
        return
    page.heading("Executed instructions by active threads of a warp", "exact")
    whole = launch.profile.warp_instructions or 1
    rows = [(str(n), figure(count), percent(count / whole)) for n, count in launch.lanes.items()]
    page.table(("threads", "warp inst.", "share"), rows, left=())


def _edges(page: Page, launch: LaunchCounts) -> None:
    if launch.profile.edges is None or not page.style.verbose:
        return
    labels = {None: "(end)"} | {block.counts.block: block.label for block in launch.blocks}
    page.heading("Edges between blocks", "exact")
    rows = [
        (
            labels[edge.source],
            labels[edge.target],
            *map(figure, (edge.warps, edge.threads, edge.distinct_threads)),
        )
        for edge in launch.profile.edges
    ]
    header = ("from", "to", "warps", "threads", "distinct threads")
    page.table(header, rows, left=(0, 1), wrap=(0, 1))


def _ctas(page: Page, launch: LaunchCounts) -> None:
    """Each CTA, the first ones unless everything is asked for."""
    if launch.per_cta is None:
        return
    counts = launch.per_cta.counts
    page.heading(f"Each CTA: {launch.profile.ctas:,}", "exact")
    lines = counts.memory_lines
    rows = [
        (
            str(k),
            figure(int(counts.warp_instructions[k])),
            figure(int(counts.thread_instructions[k])),
            UNKNOWN if lines is None else figure(int(lines[k])),
            str(counts.vectors[k]),
        )
        for k in page.few(range(launch.profile.ctas), _FEW)
    ]
    page.table(("CTA", "warp inst.", "thread inst.", "lines", "vector"), rows)
    page.rest(range(launch.profile.ctas), _FEW)
    page.line("vector: which of the vectors of block executions it has (JSON holds them)")


_SPREAD = ("mean", "min", "max", "standard_deviation", "coefficient_of_variation")


def _spread(page: Page, launch: LaunchCounts) -> None:
    """Figures of CTAs beside one another."""
    spread = launch.cta_spread
    if spread is None:
        return
    named = {
        "thread instructions": spread.thread_instructions,
        "warp instructions": spread.warp_instructions,
        "128 B lines": spread.memory_lines,
        "lines a warp instruction": spread.lines_per_warp_instruction,
    }
    page.table(
        ("of a CTA", "mean", "least", "most", "deviation", "variation"),
        [
            (name, *(figure(getattr(of, key)) for key in _SPREAD))
            for name, of in named.items()
            if of is not None
        ],
    )
    page.line("variation: the coefficient of variation, deviation over mean")


def _conflict(found: Any) -> str | None:
    """A bank conflict as Nsight Compute says it."""
    return None if found is None or found <= 1 else f"{found:.3g}-way"


def _collectors(page: Page, report: ProfileReport) -> None:
    for collector in report.collectors:
        _collector(collector, page)


def _collector(found: LoadedCollector, page: Page) -> None:
    """What a collector gave: a text as it is, a dict as names and values, a list as lines."""
    mark = Mark.MODELLED if found.is_model else Mark.EXACT
    title = f"collector {found.name}" + ("" if found.file is None else f" ({found.file})")
    page.heading(title, mark.value)
    result, most = found.result, None if page.style.verbose else _FEW
    if result is None:
        page.line("no result")
    elif isinstance(result, str):
        for line in result.splitlines() or [""]:
            page.line(line)
    elif isinstance(result, dict):
        pairs = [(name, _value(value, page)) for name, value in result.items()]
        page.facts(pairs[:most])
        if most is not None and len(pairs) > most:
            page.line(f"and {plural(len(pairs) - most, 'more value')} (--verbose)")
    elif isinstance(result, list):
        page.items([_value(value, page) for value in result], most, " (--verbose)")
    else:
        page.line(_value(result, page))


def _value(value: Any, page: Page) -> str:
    """A value in a line; what is long is cut where not all is to be shown."""
    if isinstance(value, bool) or value is None:
        return {None: UNKNOWN, True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return figure(value)
    if isinstance(value, list):
        text = ", ".join(_value(one, page) for one in value)
    elif isinstance(value, dict):
        text = ", ".join(f"{name}: {_value(one, page)}" for name, one in value.items())
    else:
        text = str(value)
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

_LINE = Shown("place", words=_line)

_ACCESS = (
    _LINE,
    "counts.kind",
    "counts.space",
    Shown("counts.width_bytes", "B"),
    "counts.requests",
    Shown("counts.threads_a_request", "Threads"),
    "counts.bytes_requested",
)

LAUNCH = (
    Special(_answer),
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
        left=(0, 1, 2),
        order=lambda access: access.counts.sectors,
        chosen=lambda access: access.counts.sectors is not None,
    ),
    Table(
        "Source counters: shared memory",
        "accesses",
        (
            *_ACCESS[:2],
            *_ACCESS[3:6],
            "counts.wavefronts",
            Shown("counts.bank_conflicts", "Conflicts"),
            Shown("wavefronts_a_request", "Degree", words=_conflict),
        ),
        left=(0, 1),
        order=lambda access: access.counts.wavefronts,
        chosen=lambda access: access.counts.wavefronts is not None,
    ),
    Table(
        "Source counters: other memory",
        "accesses",
        _ACCESS,
        left=(0, 1, 2),
        order=lambda access: access.counts.requests,
        chosen=lambda access: access.counts.wavefronts is access.counts.sectors,
    ),
    Table("Executed instructions by class", "classes", (Shown("name", "Class"), *_COUNTS), top=8),
    Table("Executed instructions by opcode", "opcodes", (Shown("name", "Opcode"), *_COUNTS), top=8),
    Table(
        "Source counters: blocks",
        "blocks",
        (
            "label",
            "instructions",
            "counts.warps",
            "counts.threads",
            "lane_utilization",
            "warp_instruction_fraction",
            _LINE,
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
    Comparison("CTAs", ("cta_spread.block_vectors",)),
    Special(_spread),
    Special(_ctas),
    Special(_histogram),
    Table(
        "Loads, stores and atomics by elements a thread",
        "vectors",
        (Shown("name", "Elements"), *_COUNTS),
        detail=True,
    ),
    Table(
        "Source counters: executed instructions by line",
        "lines",
        (_LINE, *_COUNTS),
        detail=True,
    ),
    Special(_edges),
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
    Special(_launches),
    Repeated(
        "launches",
        LAUNCH,
        _launch_title,
        few=lambda report: () if len(report.launches) > _FEW else range(len(report.launches)),
    ),
    Special(_collectors),
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
    """What a row has in columns that its element has under another meaning."""


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
_SUMS = dict.fromkeys(("thread_instructions", "warp_instructions", *_SPREAD), _nothing)

_ROWS = (
    RowsOf(
        "launches",
        {**_LAUNCH, **_NONE, "lines": "profile.memory_lines", "mark": _worst},
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
        for row in (*_lane_rows(launch), *_cta_rows(launch)):
            yield {**names, **row, "mark": "exact"}
    for collector in report.collectors:
        mark = "modelled" if collector.is_model else "exact"
        for row in _collector_rows(collector):
            yield {"kind": "collector", "name": collector.name, **row, "mark": mark}
    if report.overhead is not None:
        cost = report.overhead
        yield {"kind": "overhead", "key": "ratio", "value": cost.ratio, "mark": "exact"}
        for name, times in (("collecting", cost.collecting), ("plain", cost.plain)):
            for key, value in flat(times).items():
                row = {"kind": "overhead", "key": f"{name}.{key}", "value": value}
                yield {**row, "mark": "exact"}


def _lane_rows(launch: LaunchCounts) -> Iterator[CsvRow]:
    for lanes, count in (launch.lanes or {}).items():
        yield {"kind": "lanes", "lanes": lanes, "warp_instructions": count}


def _cta_rows(launch: LaunchCounts) -> Iterator[CsvRow]:
    if launch.per_cta is None:
        return
    counts = launch.per_cta.counts
    for cta, vector in enumerate(counts.vectors.tolist()):
        yield {
            "kind": "cta",
            "cta": cta,
            "warp_instructions": counts.warp_instructions[cta],
            "thread_instructions": counts.thread_instructions[cta],
            "lines": None if counts.memory_lines is None else counts.memory_lines[cta],
            "vector": vector,
        }
    fractions = launch.per_cta.warp_instruction_fractions
    for number, own in enumerate(fractions):
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
