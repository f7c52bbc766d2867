"""The page of ``analyze``."""

from __future__ import annotations

from warpmill.reports.analyze import (
    AccessFacts,
    AnalyzeReport,
    BlockFacts,
    BranchFacts,
    KernelAnalysis,
    LoopFacts,
)
from warpmill.reports.facts import KernelFacts
from warpmill.views.page import Page, figure
from warpmill.views.words import add_kernel, few, place, plural, variable

_BLOCKS = 12
_CONDITION = 100
_REASON = 160


def analyze_page(report: AnalyzeReport, page: Page) -> None:
    """Show each kernel with its control flow, loops, branches and memory accesses."""
    for analysis in report.analyses:
        _analysis(analysis, page)


def _analysis(analysis: KernelAnalysis, page: Page) -> None:
    live = figure(analysis.live_registers, analysis.marks["live_registers"])
    registers = ("registers", f"{live} live at once (32-bit; no compiler's count)")
    add_kernel(page, "analyze", analysis.kernel, analysis.launch, [registers])
    _blocks(analysis, page)
    _loops(analysis, page)
    _branches(analysis, page)
    _accesses(analysis, page)


def _blocks(analysis: KernelAnalysis, page: Page) -> None:
    blocks = analysis.blocks
    dead = sum(not b.reachable for b in blocks)
    unreached = f", {dead} of them never reached" if dead else ""
    page.heading(
        f"control flow: {plural(analysis.instructions, 'instruction')} in "
        f"{plural(len(blocks), 'block')}{unreached}, {plural(analysis.edges, 'edge')}"
    )
    for region in analysis.irreducible_regions:
        page.line(f"irreducible (several entries, no loop): {', '.join(region)}")
    shown = blocks if page.style.verbose else blocks[:_BLOCKS]
    page.table(
        ("block", "instructions", "goes to", "in loop", "line"),
        [_block_row(block, analysis.kernel.file) for block in shown],
        left=(0, 2, 3, 4),
        wrap=(0, 2, 3),
    )
    if len(shown) < len(blocks):
        page.line(f"and {plural(len(blocks) - len(shown), 'block')} more (--verbose)")


def _block_row(block: BlockFacts, file: str) -> tuple[str, ...]:
    after = ", ".join(block.successors) if block.reachable else "never reached"
    loop = "" if block.loop is None else f"{block.loop} (depth {block.loop_depth})"
    return block.label, str(block.instructions), after, loop, place(block.place, file)


def _loops(analysis: KernelAnalysis, page: Page) -> None:
    loops = analysis.loops
    if not loops:
        page.heading("loops: none")
        return
    page.heading(f"loops: {len(loops)}")
    for loop in loops:
        inside = "" if loop.parent is None else f" in {loop.parent}"
        page.line(
            f"{loop.name}  depth {loop.depth}{inside}, {plural(loop.blocks, 'block')}, "
            f"line {place(loop.place, analysis.kernel.file)}"
        )
        has_launch = analysis.launch is not None
        page.facts(_loop_facts(loop, has_launch=has_launch, verbose=page.style.verbose))


def _loop_facts(loop: LoopFacts, *, has_launch: bool, verbose: bool) -> list[tuple[str, str]]:
    most = "at most " if loop.at_most else ""
    reason = shortened(loop.reason or "", verbose=verbose, most=_REASON)
    formula = f"unknown: {reason}" if loop.formula is None else f"{most}{loop.formula}"
    lines = [("  trips", formula)]
    if has_launch and loop.trips == "symbolic":
        lines.append(("  in this launch", _count(loop)))
    if loop.trips == "unknown":
        lines.append(("  say it with", f"--assume '{loop.name}=N'"))
    return lines


def _count(loop: LoopFacts) -> str:
    if loop.count_min is None or loop.count_max is None:
        return f"unknown: {loop.count_reason}"
    most = "at most " if loop.at_most else ""
    low = figure(loop.count_min, loop.marks["count_min"])
    high = figure(loop.count_max, loop.marks["count_max"])
    if not loop.count_over:
        return f"{most}{low}"
    words = low if low == high else f"{low} to {high}"
    return f"{most}{words} over {', '.join(loop.count_over)}"


def _branches(analysis: KernelAnalysis, page: Page) -> None:
    branches = analysis.branches
    page.heading(f"branches: {len(branches) or 'none'}")
    file, verbose = analysis.kernel.file, page.style.verbose
    rows = [_branch_row(branch, file, verbose=verbose) for branch in branches]
    if rows:
        page.table(
            ("block", "goes to", "when", "decided by", "lanes meet", "line"),
            rows,
            left=range(6),
            wrap=range(5),
        )


def _branch_row(branch: BranchFacts, file: str, *, verbose: bool) -> tuple[str, ...]:
    return (
        branch.block,
        ", ".join(branch.taken),
        shortened(branch.condition, verbose=verbose),
        ", ".join(branch.decided_by) or "constant",
        branch.reconverges or "never",
        place(branch.place, file),
    )


def shortened(text: str, *, verbose: bool, most: int = _CONDITION) -> str:
    """Cut a long formula in the middle, unless all is asked for."""
    if verbose or len(text) <= most:
        return text
    half = (most - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def _accesses(analysis: KernelAnalysis, page: Page) -> None:
    accesses, file = analysis.accesses, analysis.kernel.file
    page.heading(f"memory accesses: {len(accesses) or 'none'}")
    if not accesses:
        return
    groups: dict[tuple[str, ...], list[str]] = {}
    for number, access in enumerate(accesses):
        alike = _access_row(access, analysis.kernel)
        key = (*alike, str(number)) if page.style.verbose else alike
        groups.setdefault(key, []).append(place(access.place, file))
    page.table(
        ("n", "access", "bytes", "pattern", "lane", "loops", "buffer", "lines"),
        [(str(len(lines)), *key[:6], few(lines)) for key, lines in groups.items()],
        left=(1, 3, 6, 7),
        wrap=(5, 6, 7),
    )
    page.line("n: accesses alike; lane: bytes a step in tid.x; loops: bytes an iteration")
    if page.style.verbose:
        page.heading("addresses")
        page.table(
            ("line", "access", "address"),
            [(place(a.place, file), a.opcode, a.address) for a in accesses],
            left=(0, 1, 2),
            wrap=(2,),
        )


def _access_row(access: AccessFacts, kernel: KernelFacts) -> tuple[str, ...]:
    return (
        f"{access.op_class} {access.space}",
        figure(access.width_bytes),
        access.pattern,
        figure(access.lane_stride_bytes),
        ", ".join(figure(s.bytes) for s in access.loop_strides),
        variable(access.buffer, kernel),
    )
