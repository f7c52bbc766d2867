"""The page of ``trace``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.commands.trace.result import (
    AccessCounts,
    BlockBeside,
    LaunchTrace,
    NodeAccess,
    RepeatNode,
    VisitNode,
)
from warpmill.report.assumed import assumed_lines
from warpmill.report.page import Page, percent
from warpmill.report.read import Reader
from warpmill.report.sections import Comparison, Repeated, Shown, Special, Table
from warpmill.report.words import (
    few,
    kernel_lines,
    kernel_title,
    launch_lines,
    place,
    plural,
    variable,
)

_BOTH = ("static", "executed")


def _title(launch: LaunchTrace) -> str:
    return kernel_title("trace", launch.kernel)


def _answer(page: Page, launch: LaunchTrace) -> None:
    page.line(f"{_sentence(launch)}.")


def _sentence(launch: LaunchTrace) -> str:
    traced, counts = launch.traced, launch.traced.summary
    of = f"all {counts.ctas:,} CTAs" if counts.ctas > 1 else "the only CTA"
    if counts.ctas < traced.ctas_total:
        part = "spread over the grid" if launch.warp is None else "chosen"
        of = f"{counts.ctas:,} of {traced.ctas_total:,} CTAs ({part})"
    words = f"{plural(counts.warps, 'warp')} of {of} execute {counts.warp_instructions:,} warp"
    words += f" instructions, {percent(counts.lane_utilization)} of their lanes active"
    if counts.ctas < traced.ctas_total:
        words += f"; the whole launch about {traced.grid_warp_instructions:,}"
    if traced.assumptions:
        return f"{words}. Counts rest on {plural(len(traced.assumptions), 'assumption')}"
    return f"{words}. Counts {'hold for what --assume says' if launch.assumed else 'are exact'}"


def _share(reader: Reader) -> str:
    return percent(
        reader.subject.warp_instructions / (reader.holder.summary.warp_instructions or 1)
    )


def _access(access: AccessCounts) -> str:
    return f"{access.opcode.partition('.')[0]} {access.space}"


def _buffer(reader: Reader) -> str:
    return variable(reader.subject.buffer, reader.holder.kernel)


def _lines(readers: Sequence[Reader]) -> str:
    return few([place(r.subject.place, r.holder.kernel.file) for r in readers])


def _differs(beside: BlockBeside) -> bool:
    one = beside.executions
    return (one.static_warps, one.static_threads) != (one.executed_warps, one.executed_threads)


def _overshoot(share: float | None) -> str:
    return "none" if share is None else f"{share:+.1%}"


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
    facts = [
        *launch_lines(launch.launch),
        ("trace", f"{launch.traced.trace}: {launch.traced.reason}"),
        *assumed_lines(launch.assumed),
    ]
    if launch.traced.pruned:
        facts.append(("pruned", "only arithmetic, memory accesses and barriers are counted"))
    if launch.saved is not None:
        ctas, file = plural(launch.saved.ctas, "CTA"), launch.saved.file
        facts.append(("file", f"{ctas}, {launch.saved.bytes:,} bytes, in {file}"))
    page.facts([*facts, *kernel_lines(launch.kernel)])
    if launch.traced.assumptions:
        page.items(launch.traced.assumptions, None if page.style.verbose else 5, " (--verbose)")


LAUNCH = (
    Special(_answer),
    Comparison(
        "Instructions executed",
        (
            "traced.summary.warp_instructions", "traced.summary.thread_instructions",
            "traced.summary.lane_utilization",
            "ranges.warp_instructions", "ranges.thread_instructions",
        ),
    ),
    Comparison(
        "Whole launch",
        (
            "traced.grid_warp_instructions", "traced.grid_thread_instructions",
            "ranges.grid_warp_instructions", "ranges.grid_thread_instructions",
        ),
        when=lambda launch: launch.traced.summary.ctas < launch.traced.ctas_total,
    ),
    Table(
        "Instruction statistics",
        "traced.summary.classes",
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
    Comparison(
        "Static against executed traces",
        (
            "beside_executed.comparison.warps",
            "beside_executed.comparison.equal_warps",
            "beside_executed.comparison.equal_paths",
            Shown("beside_executed.comparison.warp_overshoot", words=_overshoot),
            Shown("beside_executed.comparison.thread_overshoot", words=_overshoot),
            Shown(
                "beside_executed.comparison.covers",
                "Static trace",
                words=lambda covers: "has all that is executed" if covers else "falls short",
            ),
        ),
        when=lambda launch: launch.beside_executed is not None,
    ),
    Table(
        "Block executions by warps and by threads",
        "beside_executed.blocks",
        (
            "block",
            *(f"executions.{name}_{by}" for by in ("warps", "threads") for name in _BOTH),
            "executions.short_warps",
        ),
        top=1 << 30,
        main=_differs,
        below="Fewer: warps with fewer in the static trace",
    ),
    Special(_warp),
    Special(_rests_on),
)  # fmt: skip

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
