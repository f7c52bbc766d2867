"""The page of ``trace``."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.trace.result import (
    AccessCounts,
    BesideExecutedFacts,
    FoldedWarp,
    LaunchTrace,
    NodeAccess,
    RepeatNode,
    TraceReport,
    VisitNode,
)
from warpmill.report.assumed_words import assumed_lines, counts
from warpmill.report.page import Page, figure, percent, size
from warpmill.report.words import add_kernel, few, place, plural, variable


def trace_page(report: TraceReport, page: Page) -> None:
    """Show what the traces of each launch add up to."""
    for launch in report.launches:
        traced = ("trace", f"{launch.trace}: {launch.trace_reason}")
        counted = [("pruned", "only arithmetic, memory accesses and barriers are counted")]
        more = [traced, *counted] if launch.pruned else [traced]
        more += assumed_lines(launch.assumed)
        add_kernel(page, "trace", launch.kernel, launch.launch, more)
        _totals(launch, page)
        _classes(launch, page)
        _accesses(launch, page)
        page.heading(f"assumptions: {len(launch.assumptions) or 'none'}")
        if launch.assumptions:
            page.items(launch.assumptions, None if page.style.verbose else 5, " (--verbose)")
        if launch.beside_executed is not None:
            _beside(launch.beside_executed, page)
        if launch.warp is not None:
            _warp(launch.warp, page)


def _beside(found: BesideExecutedFacts, page: Page) -> None:
    """Show static traces beside executed ones."""
    page.heading(f"static beside executed: {plural(found.warps, 'warp')}")
    if found.equal_warps == found.warps:
        page.line("equal event by event, addresses included")
        return
    page.facts(
        [
            ("equal events", f"{found.equal_warps:,} warps"),
            ("equal paths", f"{found.equal_paths:,} warps"),
            ("overshoot", f"{_more(found.warp_overshoot)} warp instructions, "
             f"{_more(found.thread_overshoot)} thread instructions"),
            ("covers", "all that is executed" if found.covers else "not all: see short"),
        ]
    )  # fmt: skip
    rows = [
        (b.block, *(figure(n) for n in (b.static_warps, b.executed_warps)),
         *(figure(n) for n in (b.static_threads, b.executed_threads)), figure(b.short_warps))
        for b in found.blocks
        if page.style.verbose or (b.static_warps, b.static_threads)
        != (b.executed_warps, b.executed_threads)
    ]  # fmt: skip
    heads = ("block", "static", "executed", "by threads", "executed", "short")
    page.table(heads, rows, left=(0,))
    page.line("executions by warps and by threads; short: warps with fewer in the static trace")


def _more(share: float | None) -> str:
    return "no" if share is None else f"{share:+.1%}"


def _totals(launch: LaunchTrace, page: Page) -> None:
    part = "spread over the grid" if launch.warp is None else "chosen"
    part = "all of them" if launch.ctas == launch.ctas_total else part
    page.heading(
        f"summed over {plural(launch.ctas, 'CTA')} of {launch.ctas_total:,} ({part}), "
        f"{plural(launch.warps, 'warp')}"
    )
    marks = launch.marks
    page.table(
        ("", f"{plural(launch.ctas, 'CTA')}", "whole launch"),
        [
            (
                "warp instructions",
                figure(launch.warp_instructions, marks["warp_instructions"]),
                figure(launch.grid_warp_instructions, marks["grid_warp_instructions"]),
            ),
            (
                "thread instructions",
                figure(launch.thread_instructions, marks["thread_instructions"]),
                figure(launch.grid_thread_instructions, marks["grid_thread_instructions"]),
            ),
            (
                "lane utilization",
                percent(launch.lane_utilization, marks["lane_utilization"]),
                percent(launch.lane_utilization, marks["grid_warp_instructions"]),
            ),
            *_ranges(launch),
        ],
    )
    if launch.saved is not None:
        saved = launch.saved
        page.line(f"saved: {plural(saved.ctas, 'CTA')}, {saved.bytes:,} bytes, in {saved.file}")


def _ranges(launch: LaunchTrace) -> list[tuple[str, str, str]]:
    """Give the rows of a range that was assumed; all other figures are of its low ends."""
    found, marks = launch.ranges, launch.marks
    if found is None:
        return []
    return [
        (
            "… as assumed, warp",
            counts(found.warp_instructions, marks["ranges.warp_instructions"]),
            counts(found.grid_warp_instructions, marks["ranges.grid_warp_instructions"]),
        ),
        (
            "… as assumed, thread",
            counts(found.thread_instructions, marks["ranges.thread_instructions"]),
            counts(found.grid_thread_instructions, marks["ranges.grid_thread_instructions"]),
        ),
    ]


def _classes(launch: LaunchTrace, page: Page) -> None:
    page.heading("instructions by class")
    mark = launch.marks["by_class.warp_instructions"]
    whole = launch.warp_instructions or 1
    page.table(
        ("class", "warp instructions", "share", "thread instructions"),
        [
            (
                c.op_class,
                figure(c.warp_instructions, mark),
                percent(c.warp_instructions / whole),
                figure(c.thread_instructions, mark),
            )
            for c in launch.by_class
        ],
    )


def _accesses(launch: LaunchTrace, page: Page) -> None:
    page.heading(f"memory instructions: {len(launch.accesses) or 'none'}")
    if not launch.accesses:
        return
    groups: dict[tuple[str, ...], list[str]] = {}
    for number, access in enumerate(launch.accesses):
        alike = _access_row(launch, access)
        key = (*alike, str(number)) if page.style.verbose else alike
        groups.setdefault(key, []).append(place(access.place, launch.kernel.file))
    page.table(
        (
            "n",
            "access",
            "buffer",
            "warps",
            "bytes",
            "sectors",
            "each",
            "wavefronts",
            "each",
            "lines",
        ),
        [(str(len(lines)), *key[:8], few(lines)) for key, lines in groups.items()],
        left=(1, 2, 9),
        wrap=(2, 9),
    )
    page.line("n: instructions alike, figures of one; each: a warp access; a sector is 32 B")
    page.line("wavefronts: of shared memory, 1 a request without bank conflicts")


def _access_row(launch: LaunchTrace, access: AccessCounts) -> tuple[str, ...]:
    mark = launch.marks["accesses.sectors"]
    return (
        f"{access.opcode.partition('.')[0]} {access.space}",
        variable(access.buffer, launch.kernel),
        figure(access.warp_executions, mark),
        size(access.bytes_requested, mark),
        figure(access.sectors, mark),
        figure(access.sectors_per_access, mark),
        figure(access.bank_passes, mark),
        figure(access.bank_passes_per_access, mark),
    )


def _warp(warp: FoldedWarp, page: Page) -> None:
    cta = ",".join(map(str, warp.cta))
    page.heading(
        f"warp {warp.warp} of CTA {cta}: {plural(warp.visits, 'block execution')}, loops folded"
    )
    for line in _nodes(warp.nodes, 0):
        page.line(line)


def _nodes(nodes: list[VisitNode | RepeatNode], depth: int) -> Iterator[str]:
    lead = "  " * depth
    for node in nodes:
        if isinstance(node, RepeatNode):
            yield f"{lead}repeat {_times(node)} times:"
            yield from _nodes(node.body, depth + 1)
            continue
        yield f"{lead}{node.block}  {plural(node.lanes, 'lane')} {node.mask}"
        for access in node.accesses:
            yield f"{lead}    {access.opcode} {_where(access)}"


def _times(node: RepeatNode) -> str:
    """Say how often; a triangular loop adds iterations with those of the loops around."""
    growth = ", ".join(map(str, node.repeat_strides))
    return f"{node.repeat:,}" + (f" (an iteration adds {growth})" if growth else "")


def _where(access: NodeAccess) -> str:
    if access.address is None:
        return f"at unknown addresses: {access.reason}"
    stride = access.lane_stride_bytes
    lanes = "lanes listed" if stride is None else f"lane stride {stride}"
    loops = ", ".join(map(str, access.loop_strides_bytes))
    return f"at {access.address}, {lanes}" + (f", an iteration adds {loops}" if loops else "")
