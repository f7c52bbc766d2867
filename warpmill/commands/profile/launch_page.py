"""The sections of a launch in the page of ``profile``: what is most first, the rest on request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from warpmill.analyzer.profile.dfsg.graph import END
from warpmill.commands.dfsg.page import launch_words
from warpmill.commands.profile.flow import BlockCounts, KindCounts, LineCounts
from warpmill.commands.profile.launch import CtaSpread, LaunchCountFacts, PerCta, SpreadFigures
from warpmill.commands.profile.memory import AccessFigures
from warpmill.report.page import UNKNOWN, Page, figure, percent, size
from warpmill.report.words import few, place, plural

_FEW_LANES = 3
_FEW = 16


def launch_sections(launch: LaunchCountFacts, page: Page) -> None:
    """Show one launch: totals, instructions, lanes, blocks, memory, CTAs."""
    mangled = "" if launch.demangled == launch.kernel else f"  [{launch.kernel}]"
    page.title(f"launch {launch.index}: {launch.demangled}{mangled}")
    page.facts(_heads(launch))
    _kinds("class", launch.classes, page)
    _kinds("opcode", launch.opcodes, page)
    labels = {None: END} | {block.id: block.label for block in launch.blocks}
    _blocks(launch, page)
    _loops(launch, page)
    memory_sections(launch, page)
    if launch.cta_spread is not None:
        _spread(launch.ctas, launch.cta_spread, page)
    if launch.per_cta is not None:
        _ctas(launch.per_cta, page)
    if page.style.verbose:
        _verbose(launch, labels, page)


def _heads(launch: LaunchCountFacts) -> list[tuple[str, str]]:
    done = f"{figure(launch.warp_instructions)} by warps, {figure(launch.thread_instructions)} "
    done += "by threads"
    if launch.predicated_on != launch.thread_instructions:
        done += f", {figure(launch.predicated_on)} of these with their guard on"
    lines = [
        ("launch", f"{launch.name}: {launch_words(launch.grid, launch.block)}"),
        ("instructions", done),
        ("active threads", _lanes(launch)),
        ("blocks", f"{figure(launch.block_executions)} executions by warps"),
    ]
    if launch.barriers:
        threads = f"{figure(launch.barrier_threads)} by threads"
        lines.append(("barriers", f"{figure(launch.barriers)} by warps, {threads}"))
    if launch.bytes_read is not None:
        lines += _bytes(launch)
    return [*lines, ("lines are of", f"{_file(launch)}, where no file is named")]


def _file(launch: LaunchCountFacts) -> str:
    printed = any(one.place.of == "printed bitcode" for one in launch.lines)
    return f"{launch.file}, printed as LLVM IR" if printed else launch.file


def _bytes(launch: LaunchCountFacts) -> list[tuple[str, str]]:
    marks = launch.marks
    read, written = (size(n) for n in (launch.bytes_read, launch.bytes_written))
    moved = size(launch.bytes_transferred, marks["bytes_transferred"])
    requests = f"{figure(launch.memory_requests)} requests"
    transactions = f"{figure(launch.transactions, marks['transactions'])} transactions"
    return [
        ("threads", f"asked to read {read} and to write {written}"),
        ("memory", f"{requests}, {transactions}, {moved} moved to and from the SMs"),
    ]


def _lanes(launch: LaunchCountFacts) -> str:
    """Tell the share of lanes that are on, and the numbers of them that are the most frequent."""
    share = f"{percent(launch.lane_utilization)} of {launch.warp_size} a warp instruction"
    if not launch.lanes:
        return share
    ranked = sorted(launch.lanes.items(), key=lambda item: (-item[1], item[0]))
    whole = launch.warp_instructions or 1
    each = [f"{lanes} in {percent(count / whole)}" for lanes, count in ranked[:_FEW_LANES]]
    return f"{share}: {', '.join(each)}"


def _kinds(word: str, kinds: Sequence[KindCounts], page: Page) -> None:
    page.heading(f"instructions by {word}: {len(kinds)}")
    rows = [(one.name, *_counts(one)) for one in kinds]
    page.table((word, *_COUNTS), page.few(rows, TOP), wrap=(0,))
    page.rest(rows, TOP)


_COUNTS = ("in code", "by warps", "share", "by threads", "guard on")


def _counts(one: KindCounts | LineCounts) -> tuple[str, ...]:
    return (
        figure(one.static_instructions),
        figure(one.warp_instructions),
        percent(one.warp_instruction_fraction),
        figure(one.thread_instructions),
        figure(one.predicated_on),
    )


def _blocks(launch: LaunchCountFacts, page: Page) -> None:
    hottest = sorted(launch.blocks, key=lambda b: (-b.warp_instructions, b.id))
    page.heading(f"blocks: {len(launch.blocks)}, most instructions first")
    rows = [_block(block, launch.file) for block in hottest]
    header = ("block", "instructions", "warps", "threads", "lanes", "share", "line")
    page.table(header, page.few(rows, TOP), left=(0, 6), wrap=(0, 6))
    page.rest(rows, TOP)
    page.line("warps, threads: executions; share: of all warp instructions")


def _block(block: BlockCounts, file: str) -> tuple[str, ...]:
    return (
        block.label,
        figure(block.instructions),
        figure(block.warps),
        figure(block.threads),
        percent(block.lane_utilization),
        percent(block.warp_instruction_fraction),
        place(block.place, file),
    )


def _loops(launch: LaunchCountFacts, page: Page) -> None:
    if not launch.loops:
        return
    page.heading(f"loops: {len(launch.loops)}")
    rows = [
        (
            one.label,
            *map(figure, (one.entries, one.iterations, one.threads, one.iterations_a_thread)),
            *map(figure, (one.iterations_min, one.iterations_max)),
        )
        for one in launch.loops
    ]
    header = ("loop", "entries", "iterations", "threads", "a thread", "least", "most")
    page.table(header, page.few(rows, TOP), wrap=(0,))
    page.rest(rows, TOP)


def _spread(ctas: int, spread: CtaSpread, page: Page) -> None:
    vectors = plural(spread.block_vectors, "vector")
    page.heading(f"CTAs: {ctas:,}, with {vectors} of block executions")
    named = (
        ("thread instructions", spread.thread_instructions),
        ("warp instructions", spread.warp_instructions),
        ("memory requests", spread.memory_requests),
        ("requests a warp instruction", spread.requests_per_warp_instruction),
    )
    page.table(
        ("of a CTA", "mean", "least", "most", "deviation", "variation"),
        [(name, *_figures(of)) for name, of in named if of is not None],
    )
    page.line("variation: the coefficient of variation, deviation over mean")


def _figures(of: SpreadFigures) -> tuple[str, ...]:
    each = (of.mean, of.min, of.max, of.standard_deviation)
    return (*map(figure, each), figure(of.coefficient_of_variation))


def _ctas(per_cta: PerCta, page: Page) -> None:
    total = len(per_cta.vector)
    shown = range(total if page.style.verbose else min(total, _FEW))
    page.heading(f"each CTA: {total:,}")
    requests = per_cta.memory_requests
    page.table(
        ("CTA", "by warps", "by threads", "requests", "vector"),
        [
            (
                str(k),
                figure(per_cta.warp_instructions[k]),
                figure(per_cta.thread_instructions[k]),
                UNKNOWN if requests is None else figure(requests[k]),
                str(per_cta.vector[k]),
            )
            for k in shown
        ],
    )
    page.rest(range(total), _FEW)
    page.line("vector: which of the vectors of block executions it has (JSON holds them)")


def _verbose(launch: LaunchCountFacts, labels: Mapping[int | None, str], page: Page) -> None:
    """Show what is left: lanes, widths, lines, edges, spaces."""
    if launch.lanes is not None:
        page.heading("warp instructions by active threads")
        whole = launch.warp_instructions or 1
        rows = [(str(n), figure(c), percent(c / whole)) for n, c in launch.lanes.items()]
        page.table(("lanes", "by warps", "share"), rows, left=())
    if launch.vectors:
        _kinds("elements a thread", launch.vectors, page)
    page.heading(f"instructions by line: {len(launch.lines)}")
    lines = [(place(one.place, launch.file), *_counts(one)) for one in launch.lines]
    page.table(("line", *_COUNTS), lines)
    _edges(launch, labels, page)
    space_section(launch, page)


def _edges(launch: LaunchCountFacts, labels: Mapping[int | None, str], page: Page) -> None:
    if launch.edges is None:
        return
    page.heading(f"edges: {len(launch.edges)}")
    rows = [
        (
            labels[edge.source],
            labels[edge.target],
            *map(figure, (edge.warps, edge.threads, edge.distinct_threads)),
        )
        for edge in launch.edges
    ]
    header = ("from", "to", "warps", "threads", "distinct threads")
    page.table(header, rows, left=(0, 1), wrap=(0, 1))


# How the page of ``profile`` shows memory accesses: by instruction, and by space.

TOP = 8
"""Rows of a table that are shown where not all are."""


def memory_sections(launch: LaunchCountFacts, page: Page) -> None:
    """Show accesses by instruction: memory outside the SM, shared memory, and what is left."""
    accesses, marks = launch.accesses or (), launch.marks
    outside = [one for one in accesses if one.requests is not None]
    shared = [one for one in accesses if one.bank_passes is not None]
    others = [one for one in accesses if one not in outside and one not in shared]

    def moved(one: AccessFigures) -> tuple[str, ...]:
        whole = size(one.bytes_transferred, marks["accesses.bytes_transferred"])
        return whole, figure(one.requests)

    def passed(one: AccessFigures) -> tuple[str, ...]:
        conflicts = figure(one.bank_conflicts, marks["accesses.bank_conflicts"])
        return figure(one.bank_passes, marks["accesses.bank_passes"]), conflicts

    _accesses("memory outside the SMs", outside, ("moved", "requests"), moved, launch, page)
    _accesses("shared memory", shared, ("wavefronts", "conflicts"), passed, launch, page)
    _accesses("other memory", others, (), lambda _: (), launch, page)
    if accesses:
        page.line("n: instructions alike, figures of one; B: a lane; lanes: on, of a warp access")
    if outside:
        page.line("bytes: of the lanes that are on; moved: whole sectors")


def _accesses(
    title: str,
    accesses: Sequence[AccessFigures],
    names: tuple[str, ...],
    cells: Callable[[AccessFigures], tuple[str, ...]],
    launch: LaunchCountFacts,
    page: Page,
) -> None:
    """Show some accesses, the costliest first and those that look alike together.

    ``cells`` are those below ``names``.
    """
    if not accesses:
        return
    groups: dict[tuple[str, ...], list[str]] = {}
    costliest = sorted(accesses, key=lambda one: -(one.requests or one.bank_passes or one.warps))
    for number, one in enumerate(costliest):
        alike = (
            f"{one.kind} {one.space}",
            str(one.width_bytes),
            figure(one.warps),
            figure(one.threads / one.warps),
            size(one.bytes_requested),
            *cells(one),
            str(number if page.style.verbose else ""),
        )
        groups.setdefault(alike, []).append(place(one.place, launch.file))
    page.heading(f"{title}: {plural(len(accesses), 'instruction')}")
    rows = [(str(len(lines)), *key[:-1], few(lines)) for key, lines in groups.items()]
    header = ("n", "access", "B", "warps", "lanes", "bytes", *names, "lines")
    last = len(header) - 1
    page.table(header, page.few(rows, TOP), left=(1, last), wrap=(1, last))
    page.rest(rows, TOP)


def space_section(launch: LaunchCountFacts, page: Page) -> None:
    """Show what instructions ask of each space together."""
    if not launch.memory:
        return
    page.heading("memory by space")
    marks = launch.marks
    rows = [
        (
            f"{one.kind} {one.space}",
            figure(one.instructions),
            figure(one.warps),
            size(one.bytes_requested),
            size(one.bytes_transferred, marks["memory.bytes_transferred"]),
            figure(one.transactions, marks["memory.transactions"]),
            figure(one.bank_passes, marks["memory.bank_passes"]),
            figure(one.bank_conflicts, marks["memory.bank_conflicts"]),
        )
        for one in launch.memory
    ]
    header = ("access", "in code", "warps", "bytes", "moved", "sectors", "wavefronts", "conflicts")
    page.table(header, rows, wrap=(0,))
