"""The page of ``dfsg``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod

from warpmill.commands.dfsg.result import BranchFlow, DfsgReport, LaunchFlow, LoopFlow
from warpmill.report.page import UNKNOWN, Page, figure, percent
from warpmill.report.words import dimensions, place, plural

END = "(end)"
"""The thread's end among targets; labels have no parentheses."""

_FEW = 6


def dfsg_page(report: DfsgReport, page: Page) -> None:
    """Show the graph of each launch."""
    if not report.graphs:
        page.title(f"dfsg: {report.target}: no launches")
    for graph in report.graphs:
        _graph(graph, page)


def _graph(graph: LaunchFlow, page: Page) -> None:
    mangled = "" if graph.demangled == graph.kernel else f"  [{graph.kernel}]"
    page.title(f"dfsg: {graph.demangled}{mangled}")
    page.facts(_heads(graph))
    labels = labels_of(graph)
    _blocks(graph, labels, page)
    _edges(graph, labels, page)
    _loops(graph, labels, page)
    _branches(graph, labels, page)
    for cycle in graph.irreducible:
        names = ", ".join(labels[block] for block in cycle)
        page.line(f"a cycle with several entries, which is no loop: {names}")


def labels_of(graph: LaunchFlow) -> dict[int | None, str]:
    """Give the label of each block, and what stands for the thread's end."""
    return {None: END} | {block.id: block.label for block in graph.blocks}


def launch_words(grid: list[int], block: list[int]) -> str:
    """Say how a kernel was launched."""
    ctas = plural(prod(grid), "CTA")
    return f"grid {dimensions(grid)} ({ctas}), block {dimensions(block)}"


def _heads(graph: LaunchFlow) -> list[tuple[str, str]]:
    return [
        ("launch", f"{graph.index}: {graph.name}"),
        ("threads", f"{graph.threads:,}; {launch_words(graph.grid, graph.block)}"),
        ("ECount", f"{figure(graph.ecount)} executions of blocks by threads"),
    ]


def _blocks(graph: LaunchFlow, labels: Mapping[int | None, str], page: Page) -> None:
    inside = sum(block.area == "inside-loop" for block in graph.blocks)
    page.heading(f"blocks: {len(graph.blocks)}, {inside} in loops")
    rows = [
        (
            block.label,
            UNKNOWN if block.loop is None else labels[block.loop],
            *map(figure, (block.ecount, block.lcount, block.scount, block.threads)),
        )
        for block in graph.blocks
    ]
    header = ("block", "in loop", "ECount", "LCount", "SCount", "threads")
    page.table(header, rows, left=(0, 1), wrap=(0, 1))
    if not page.style.verbose:
        return
    more = [
        (
            block.label,
            *map(figure, (block.instructions, block.warps, block.scount_warps)),
            percent(block.ecount_fraction),
            place(block.place),
        )
        for block in graph.blocks
    ]
    header = ("block", "instructions", "warps", "SCount of warps", "share of ECount", "line")
    page.table(header, more, left=(0, 5), wrap=(0, 5))


def _edges(graph: LaunchFlow, labels: Mapping[int | None, str], page: Page) -> None:
    page.heading(f"edges: {len(graph.edges)}")
    more = ("warps",) if page.style.verbose else ()
    rows = [
        (
            labels[edge.source],
            labels[edge.target] + (" (back)" if edge.closes_loop else ""),
            *map(figure, (edge.oecount, edge.iecount, edge.tcount)),
            *([figure(edge.warps)] if more else []),
        )
        for edge in graph.edges
    ]
    header = ("from", "to", "OECount", "IECount", "TCount", *more)
    page.table(header, rows, left=(0, 1), wrap=(0, 1))


def _loops(graph: LaunchFlow, labels: Mapping[int | None, str], page: Page) -> None:
    page.heading(f"loops: {len(graph.loops) or 'none'}")
    if not graph.loops:
        return
    rows = [
        (
            loop.label,
            loop.pattern,
            *map(figure, (loop.depth, loop.iterations, loop.threads, loop.iterations_a_thread)),
            *map(figure, (loop.iterations_min, loop.iterations_max)),
        )
        for loop in graph.loops
    ]
    header = ("loop", "pattern", "depth", "iterations", "threads", "a thread", "least", "most")
    page.table(header, rows, left=(0, 1), wrap=(0,))
    for loop in graph.loops:
        for line in _loop_lines(loop, labels, verbose=page.style.verbose):
            page.line(line)


def _loop_lines(
    loop: LoopFlow, labels: Mapping[int | None, str], *, verbose: bool
) -> Iterable[str]:
    """Tell how iterations spread over warps; with ``verbose`` also where threads jump back."""
    if len(loop.by_warp) > 1:
        yield f"{loop.label}: iterations a thread of a warp: {_spread(loop)}"
    if not verbose:
        return
    yield f"{loop.label}: blocks {', '.join(labels[block] for block in loop.blocks)}"
    for point in loop.jump_points:
        how = {"i": "all threads jump back (i)", "ii": "fewer jump back than come (ii)"}
        words = "no thread comes" if point.case is None else how[point.case]
        yield f"{loop.label}: jump point {labels[point.block]}: {words}"
    if loop.target_case is not None:
        yield f"{loop.label}: target point: {_TARGETS[loop.target_case]} ({loop.target_case})"


_TARGETS = {
    "i": "all threads go on in one direction",
    "ii": "each thread always takes the same of several directions, all iterate alike",
    "iii": "threads change their direction",
}


def _spread(loop: LoopFlow) -> str:
    """Write the histogram over warps: as it is where it is short, else in a few equal steps."""
    known = sorted((w.iterations / w.threads, w.warps) for w in loop.by_warp)
    if len(known) <= _FEW:
        return ", ".join(f"{figure(mean)} in {plural(warps, 'warp')}" for mean, warps in known)
    least, most = known[0][0], known[-1][0]
    counts = [0] * _FEW
    for mean, warps in known:
        counts[min(_FEW - 1, int((mean - least) / (most - least) * _FEW))] += warps
    ends = [least + (most - least) * k / _FEW for k in range(_FEW + 1)]
    return ", ".join(
        f"{figure(ends[k])} to {figure(ends[k + 1])} in {plural(count, 'warp')}"
        for k, count in enumerate(counts)
    )


def _branches(graph: LaunchFlow, labels: Mapping[int | None, str], page: Page) -> None:
    parting = sum(branch.parts_warps for branch in graph.branches)
    page.heading(
        f"branches: {len(graph.branches) or 'none'}"
        + (f", {parting} divergent" if graph.branches else "")
    )
    if not graph.branches:
        return
    rows = [
        (labels[branch.block], branch.area, _sides(branch, labels), figure(branch.splits))
        for branch in graph.branches
    ]
    page.table(("branch", "area", "successors", "divergent"), rows, left=(0, 1, 2), wrap=(0, 2))
    if parting:
        page.line("divergent: how often a warp went on in one more way than one")


def _sides(branch: BranchFlow, labels: Mapping[int | None, str]) -> str:
    return ", ".join(f"{labels[side.target]} {percent(side.fraction)}" for side in branch.sides)
