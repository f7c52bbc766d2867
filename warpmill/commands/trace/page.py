"""The page of ``trace``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.analyzer.base.metric import CountRange
from warpmill.commands.trace.result import (
    AccessCounts,
    BlockBeside,
    LaunchTrace,
    NodeAccess,
    RepeatNode,
    VisitNode,
)
from warpmill.report.assumed_words import assumed_lines, counts
from warpmill.report.base import Mark
from warpmill.report.page import Page, figure, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Repeated, Shown, Special, Table
from warpmill.report.words import (
    few,
    kernel_lines,
    kernel_title,
    launch_lines,
    place,
    plural,
    variable,
)


def _title(launch: LaunchTrace) -> str:
    return kernel_title("trace", launch.kernel)


def _head(page: Page, launch: LaunchTrace) -> None:
    part = "spread over the grid" if launch.warp is None else "chosen"
    part = "all" if launch.ctas == launch.ctas_total else part
    counted = f"{plural(launch.ctas, 'CTA')} of {launch.ctas_total:,} ({part})"
    facts = [
        *launch_lines(launch.launch),
        ("trace", f"{launch.trace}: {launch.trace_reason}"),
        ("counted", f"{counted}, {plural(launch.warps, 'warp')}"),
        *assumed_lines(launch.assumed),
    ]
    if launch.pruned:
        facts.append(("pruned", "only arithmetic, memory accesses and barriers are counted"))
    if launch.saved is not None:
        saved = launch.saved
        words = f"{plural(saved.ctas, 'CTA')}, {saved.bytes:,} bytes, in {saved.file}"
        facts.append(("saved", words))
    page.facts(facts)


def _totals(page: Page, launch: LaunchTrace) -> None:
    """Counts of the CTAs that are summed, and of the whole launch."""
    mark = Reader(launch).mark
    rows = [
        (
            f"{kind} instructions",
            figure(getattr(launch, f"{kind}_instructions"), mark(f"{kind}_instructions")),
            figure(getattr(launch, f"grid_{kind}_instructions"), mark(f"grid_{kind}_instructions")),
        )
        for kind in ("warp", "thread")
    ]
    lanes = (percent(launch.lane_utilization, mark(k)) for k in _LANES)
    page.heading("Instructions executed")
    head = ("", plural(launch.ctas, "CTA"), "whole launch")
    page.table(head, [*rows, ("lane utilization", *lanes), *_ranges(launch)])


_LANES = ("lane_utilization", "grid_warp_instructions")


def _ranges(launch: LaunchTrace) -> list[tuple[str, str, str]]:
    """The rows of a range that was assumed; all other figures are of its low ends."""
    found = launch.ranges
    if found is None:
        return []
    pairs: list[tuple[str, CountRange, CountRange]] = [
        ("warp", found.warp_instructions, found.grid_warp_instructions),
        ("thread", found.thread_instructions, found.grid_thread_instructions),
    ]
    return [
        (f"… as assumed, {kind}", counts(own, Mark.ASSUMED), counts(whole, Mark.ASSUMED))
        for kind, own, whole in pairs
    ]


def _share(reader: Reader) -> str:
    return percent(reader.subject.warp_instructions / (reader.holder.warp_instructions or 1))


def _access(access: AccessCounts) -> str:
    return f"{access.opcode.partition('.')[0]} {access.space}"


def _buffer(reader: Reader) -> str:
    return variable(reader.subject.buffer, reader.holder.kernel)


def _lines(readers: Sequence[Reader]) -> str:
    return few([place(r.subject.place, r.holder.kernel.file) for r in readers])


def _beside(page: Page, launch: LaunchTrace) -> None:
    """Static traces beside executed ones."""
    if launch.beside_executed is None:
        return
    found = launch.beside_executed.comparison
    page.heading(f"Static traces beside executed ones, of {plural(found.warps, 'warp')}")
    if found.is_equal:
        page.line("equal event by event, addresses included")
        return
    overshoots = (found.warp_overshoot, found.thread_overshoot)
    warps, threads = ("no" if share is None else f"{share:+.1%}" for share in overshoots)
    page.facts(
        [
            ("equal events", f"{found.equal_warps:,} warps"),
            ("equal paths", f"{found.equal_paths:,} warps"),
            ("overshoot", f"{warps} warp instructions, {threads} thread instructions"),
            ("static trace", "has all that is executed" if found.covers else "falls short"),
        ]
    )
    blocks = launch.beside_executed.blocks
    shown = [b for b in blocks if page.style.verbose or _differs(b)]
    heads = ("Block", "Static warps", "Executed", "Static threads", "Executed", "Fewer")
    page.table(heads, map(_executions, shown), left=(0,))
    page.line("executions by warps and by threads; fewer: warps with fewer in the static trace")


def _differs(beside: BlockBeside) -> bool:
    one = beside.executions
    return (one.static_warps, one.static_threads) != (one.executed_warps, one.executed_threads)


def _executions(beside: BlockBeside) -> tuple[str, ...]:
    one = beside.executions
    numbers = (one.static_warps, one.executed_warps, one.static_threads, one.executed_threads)
    return beside.block, *map(figure, numbers), figure(one.short_warps)


def _warp(page: Page, launch: LaunchTrace) -> None:
    warp = launch.warp
    if warp is None:
        return
    cta = ",".join(map(str, warp.cta))
    page.heading(
        f"Warp {warp.warp} of CTA {cta}: {plural(warp.visits, 'block execution')}, loops folded"
    )
    for line in _nodes(warp.nodes, 0):
        page.line(line)


def _rests_on(page: Page, launch: LaunchTrace) -> None:
    page.heading("Assumptions and provenance")
    page.facts(kernel_lines(launch.kernel))
    if launch.assumptions:
        page.items(launch.assumptions, None if page.style.verbose else 5, " (--verbose)")


LAUNCH = (
    Special(_head),
    Special(_totals),
    Table(
        "Instruction statistics",
        "by_class",
        ("op_class", "warp_instructions", Shown("", "Share", told=_share), "thread_instructions"),
        top=1000,
    ),
    Table(
        "Memory instructions",
        "accesses",
        (
            Shown("", "Access", words=_access),
            Shown("", "Buffer", told=_buffer),
            "warp_executions",
            Shown("bytes_requested", "Bytes"),
            "sectors",
            Shown("sectors_per_request", "each"),
            "wavefronts",
            Shown("wavefronts_per_request", "each"),
        ),
        top=1000,
        left=(0, 1),
        wrap=(1,),
        alike=("Lines", _lines),
        below="n: instructions alike, figures of one; each: per request, a warp's access; a sector "
        "is 32 B; wavefronts are of shared memory, 1 a request without bank conflicts",
    ),
    Special(_beside),
    Special(_warp),
    Special(_rests_on),
)

PAGE = (Repeated("launches", LAUNCH, _title),)


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
    """How often; a triangular loop adds iterations with those of the loops around."""
    growth = ", ".join(map(str, node.repeat_strides))
    return f"{node.repeat:,}" + (f" (an iteration adds {growth})" if growth else "")


def _where(access: NodeAccess) -> str:
    if access.address is None:
        return f"at unknown addresses: {access.reason}"
    stride = access.lane_stride_bytes
    lanes = "lanes listed" if stride is None else f"lane stride {stride}"
    loops = ", ".join(map(str, access.loop_strides_bytes))
    return f"at {access.address}, {lanes}" + (f", an iteration adds {loops}" if loops else "")
