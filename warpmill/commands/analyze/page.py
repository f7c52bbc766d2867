"""The page of ``analyze``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from warpmill.analyzer.analyses.values.formula_text import parted
from warpmill.commands.analyze.accesses import (
    AccessFacts,
    CostsOverWarps,
    CountSpread,
    LoopReuseFacts,
    WarpCost,
)
from warpmill.commands.analyze.branches import BranchFacts, OutcomeRun
from warpmill.commands.analyze.loops import IterationRun, LoopFacts, ThreadIterations
from warpmill.commands.analyze.result import AnalyzeReport, BlockFacts, KernelAnalysis
from warpmill.report.assumed_words import assumed_lines
from warpmill.report.base import Mark
from warpmill.report.facts import KernelIdentity
from warpmill.report.page import Page, figure
from warpmill.report.words import add_kernel, few, place, plural, variable

_BLOCKS = 12
_REASON = 160
_RUNS = 8


def analyze_page(report: AnalyzeReport, page: Page) -> None:
    """Show each kernel with its control flow, loops, branches and memory accesses."""
    for analysis in report.analyses:
        _analysis(analysis, page)


def _analysis(analysis: KernelAnalysis, page: Page) -> None:
    live = figure(analysis.live_registers, analysis.marks["live_registers"])
    values = analysis.values
    facts = [
        ("registers", f"{live} of 32 bits (a model's count, no compiler's)"),
        (
            "values",
            f"{values.uniform:,} uniform in a warp, {values.affine:,} affine in the thread id, "
            f"{values.divergent:,} divergent",
        ),
        ("paper's trace", _kept(analysis)),
    ]
    facts += assumed_lines(analysis.assumed)
    if analysis.launch is not None and analysis.no_traces is not None:
        facts.append(("no traces", analysis.no_traces))
    add_kernel(page, "analyze", analysis.kernel, analysis.launch, facts)
    _blocks(analysis, page)
    _loops(analysis, page)
    _branches(analysis, page)
    _outcomes(analysis, page)
    _calls(analysis, page)
    add_accesses(analysis, page)
    if analysis.assumptions:
        page.heading(f"assumptions: {len(analysis.assumptions)}")
        page.items(analysis.assumptions, None if page.style.verbose else 5, " (--verbose)")


def _kept(analysis: KernelAnalysis) -> str:
    """Say what the hybrid paper's pruning leaves, and of what the rest is."""
    left = sorted(analysis.pruned.left_out.items(), key=lambda item: (-item[1], item[0]))
    words = ", ".join(f"{reason} {number:,}" for reason, number in left)
    kept = f"{analysis.pruned.kept:,} of {plural(analysis.instructions, 'instruction')}"
    return f"{kept} (left out: {words})" if words else kept


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
    counted = analysis.no_traces is None
    mark = analysis.marks["blocks.warp_executions"]
    page.table(
        ("block", "instructions", *(["executions"] * counted), "successors", "in loop", "line"),
        [_block_row(block, analysis.kernel.file, mark if counted else None) for block in shown],
        left=tuple(n + counted for n in (-counted, 2, 3, 4)),
        wrap=tuple(n + counted for n in (-counted, 2, 3)),
    )
    if counted:
        page.line("executions: by the warps of the whole launch")
    if len(shown) < len(blocks):
        page.line(f"and {plural(len(blocks) - len(shown), 'block')} more (--verbose)")


def _block_row(block: BlockFacts, file: str, mark: Mark | None) -> tuple[str, ...]:
    after = ", ".join(block.successors) if block.reachable else "never reached"
    loop = "" if block.loop is None else f"{block.loop} (depth {block.loop_depth})"
    executed = [] if mark is None else [figure(block.warp_executions, mark)]
    where = place(block.place, file)
    return block.label, str(block.instructions), *executed, after, loop, where


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
        page.facts(_loop_facts(loop, analysis, verbose=page.style.verbose))


def _loop_facts(
    loop: LoopFacts, analysis: KernelAnalysis, *, verbose: bool
) -> list[tuple[str, str]]:
    most = "at most " if loop.at_most else ""
    reason = shortened(loop.reason or "", verbose=verbose, most=_REASON)
    own = _readable(loop.formula or "", analysis.kernel, verbose=verbose)
    formula, parts = parted(own)
    told = shortened(formula, verbose=verbose, most=_REASON)
    told = f"unknown: {reason}" if loop.formula is None else f"{most}{told}"
    lines = [("  trips", told)]
    lines += [("  where", part) for part in shown_parts(parts, verbose=verbose)]
    traced = analysis.launch is not None and analysis.no_traces is None
    assumed = any(f"'{loop.name}=" in text for text in analysis.assumptions)
    if analysis.launch is not None and loop.trips == "symbolic":
        lines.append(("  in the launch", _count(loop)))
    if loop.assumed_min is not None and loop.assumed_max is not None:
        lines.append(("  as assumed", _assumed(loop)))
    elif loop.trips == "unknown" and traced and not assumed:
        lines.append(("  in the launch", "decided by the launch; executions of blocks tell"))
    elif loop.trips == "unknown":
        lines.append(("  option", f"--assume '{loop.name}=N'"))
    if loop.first_thread is not None and loop.parent is not None:
        lines.append(("  first thread", _in_thread(loop.first_thread, verbose=verbose)))
    return lines


def _assumed(loop: LoopFacts) -> str:
    mark = loop.marks["assumed_max"]
    low, high = figure(loop.assumed_min), figure(loop.assumed_max, mark)
    if loop.assumed_min == loop.assumed_max:
        return high
    return f"{low} .. {high}" if loop.assumed_tight else f"between {low} and {high}"


def _in_thread(found: ThreadIterations, *, verbose: bool) -> str:
    """Say how often a loop inside others runs each time that it is come to."""
    if found.total is None:
        return f"unknown: {found.reason}"
    if not found.entries:
        return "does not come here"
    most = "at most " if found.at_most else ""
    shown = found.runs if verbose else found.runs[:_RUNS]
    runs = ", ".join(_iterations(run) for run in shown)
    more = ", ..." if found.more or len(shown) < len(found.runs) else ""
    times = plural(found.entries or 0, "time")
    return f"come to {times}, {most}{found.total:,} iterations in all: {runs}{more}"


def _iterations(run: IterationRun) -> str:
    times = run.last - run.first + 1
    if times == 1:
        return f"{run.count:,}"
    if run.step == 0:
        return f"{run.count:,} ({times:,} times)"
    return f"{run.count:,} to {run.count + run.step * (times - 1):,} by {run.step:+}"


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
    verbose = page.style.verbose
    rows = [_branch_row(branch, analysis.kernel, verbose=verbose) for branch in branches]
    if rows:
        page.table(
            ("block", "successors", "when", "dependence", "lanes", "line"),
            rows,
            left=range(6),
            wrap=range(5),
        )
    conditions = [_readable(b.condition, analysis.kernel, verbose=verbose) for b in branches]
    named = zip(branches, conditions, strict=True)
    add_parts(page, [(branch.block, parted(text)[1]) for branch, text in named])
    for branch in branches:
        if branch.may_diverge and verbose:
            page.line(f"{branch.block} parts lanes: {'; '.join(branch.divergence)}")
            page.line(f"  apart in {', '.join(branch.region) or 'no block'}")


def _branch_row(branch: BranchFacts, kernel: KernelIdentity, *, verbose: bool) -> tuple[str, ...]:
    return (
        branch.block,
        ", ".join(branch.taken),
        shortened(parted(_readable(branch.condition, kernel, verbose=verbose))[0], verbose=verbose),
        ", ".join(branch.decided_by) or "constant",
        _lanes(branch),
        place(branch.place, kernel.file),
    )


def _lanes(branch: BranchFacts) -> str:
    if not branch.may_diverge:
        return "together"
    return f"part, meet at {branch.reconverges}" if branch.reconverges else "part"


def _outcomes(analysis: KernelAnalysis, page: Page) -> None:
    """How often branches are taken in one CTA; by warp and iteration where all is asked for."""
    decided = [b for b in analysis.branches if b.outcomes is not None]
    if not decided:
        return
    found = [(b.block, b.outcomes) for b in decided if b.outcomes is not None]
    cta = ",".join(map(str, found[0][1].cta))
    page.heading(f"branches taken in CTA {cta}, in warp executions")
    rows = []
    for block, outcomes in found:
        mark = outcomes.marks["hits"]
        counts = (figure(n, mark) for n in (outcomes.hits, outcomes.misses, outcomes.splits))
        rows.append((block, *counts, plural(len(outcomes.warps), "warp")))
    page.table(("block", "taken", "not taken", "divergent", "by"), rows, left=(0, 4), wrap=(0,))
    page.line("taken: all active threads go where `when` says; not taken: none; divergent: some")
    if not page.style.verbose:
        return
    for block, outcomes in found:
        page.line(f"{block}: iterations of the innermost loop around, and the lanes that go")
        for warp in outcomes.warps:
            runs = "; ".join(_run(run) for run in warp.runs)
            page.line(f"  warp {warp.warp}: {runs}{'; and more' if warp.more else ''}")


def _run(run: OutcomeRun) -> str:
    last = run.first + (run.iterations - 1) * run.step
    step = "" if run.step == 1 else f" by {run.step}"
    where = f"{run.first}" if run.iterations == 1 else f"{run.first} to {last}{step}"
    return f"{where}: {run.taken} of {run.mask}"


def _calls(analysis: KernelAnalysis, page: Page) -> None:
    """Group what stands for calls by kind."""
    kinds: dict[str, Counter[str]] = {}
    for call in analysis.calls:
        scope = "" if call.scope is None else f" ({call.scope})"
        kinds.setdefault(call.kind, Counter())[f"{call.name}{scope}"] += 1
    if not kinds:
        page.heading("calls: none")
        return
    page.heading(f"calls: {len(analysis.calls):,}")
    page.facts([(kind, _names(names)) for kind, names in kinds.items()])


def _names(counts: Counter[str]) -> str:
    return ", ".join(name if n == 1 else f"{name} x {n}" for name, n in sorted(counts.items()))


def _readable(text: str, kernel: KernelIdentity, *, verbose: bool) -> str:
    """Write parameters in a formula without their kernel's name, where that is a mangled one."""
    if verbose or not kernel.name.startswith("_Z"):
        return text
    return text.replace(f"{kernel.name}_param_", "param_")


# Memory accesses on the page of ``analyze``.


def add_accesses(analysis: KernelAnalysis, page: Page) -> None:
    """Show what accesses move and what they share, those that are alike as one."""
    accesses = analysis.accesses
    page.heading(f"memory accesses: {len(accesses) or 'none'}")
    if not accesses:
        return
    grouped = _grouped(analysis, accesses, _row, page)
    page.table(
        ("n", "access", "bytes", "pattern", "lane", "per warp", "buffer", "lines"),
        grouped,
        left=(1, 3, 5, 6, 7),
        wrap=(3, 5, 6, 7),
    )
    page.line(
        "n: accesses alike; lane: bytes a step in tid.x; a sector is 32 B; passes: of shared "
        "memory's banks; every lane taken to be on (warpmill trace counts the masks)"
    )
    _misaligned(analysis, page)
    _reuse(analysis, page)
    if page.style.verbose:
        _addresses(analysis, page)


def _grouped(
    analysis: KernelAnalysis,
    accesses: Iterable[AccessFacts],
    row: Callable[[KernelAnalysis, AccessFacts], tuple[str, ...]],
    page: Page,
) -> list[tuple[str, ...]]:
    """Make a row for each kind of access, with their number before it and their lines behind."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for number, access in enumerate(accesses):
        alike = row(analysis, access)
        key = (*alike, str(number)) if page.style.verbose else alike
        groups.setdefault(key, []).append(place(access.place, analysis.kernel.file))
    length = len(next(iter(groups), ())) - page.style.verbose
    return [(str(len(lines)), *key[:length], few(lines)) for key, lines in groups.items()]


def _row(analysis: KernelAnalysis, access: AccessFacts) -> tuple[str, ...]:
    by = ", ".join(dict.fromkeys(place(d.place, analysis.kernel.file) for d in access.decided_by))
    return (
        f"{access.op_class} {access.space}",
        figure(access.width_bytes),
        f"by data of {by}" if by else access.pattern,
        _lane(access),
        _moved(access),
        variable(access.buffer, analysis.kernel),
    )


def _lane(access: AccessFacts) -> str:
    """Say the bytes from lane to lane: a number, else the formula that the launch decides."""
    if access.lane_stride_bytes is None and access.lane_stride is not None:
        return shortened(access.lane_stride, verbose=False)
    return figure(access.lane_stride_bytes, access.marks["lane_stride_bytes"])


def _moved(access: AccessFacts) -> str:
    """Say what a warp moves: in the launch, else a full warp, else at most."""
    launch = access.in_launch
    if launch is not None and launch.all_iterations is not None:
        return _spread(launch.all_iterations, launch.marks["all_iterations"])
    if access.full_warp.reason is None:
        return _cost(access.full_warp.cost, access.marks["full_warp"])
    worst = access.full_warp.worst if launch is None else launch.worst
    return "-" if worst is None else f"at most {_cost(worst, Mark.EXACT)}"


def _spread(costs: CostsOverWarps, mark: Mark) -> str:
    for found, word in ((costs.bank_passes, "pass"), (costs.sectors, "sector")):
        if found is not None:
            return f"{_numbers(found, mark)} {word if found.most == 1 else _plural(word)}"
    return "-"


def _numbers(found: CountSpread, mark: Mark) -> str:
    if found.least == found.most:
        return figure(found.least, mark)
    mean = figure(found.mean, mark)
    return f"{mean} ({found.least} to {found.most})"


def _cost(cost: WarpCost, mark: Mark) -> str:
    for number, word in ((cost.bank_passes, "pass"), (cost.sectors, "sector")):
        if number is not None:
            return f"{figure(number, mark)} {word if number == 1 else _plural(word)}"
    return "-"


def _plural(word: str) -> str:
    return plural(2, word).partition(" ")[2]


_WIDEST = 32
"""The most bytes that a thread accesses at once: a vector of four 64-bit words."""


def _misaligned(analysis: KernelAnalysis, page: Page) -> None:
    """Name the lines of accesses that machines refuse; what is wider is copied in parts."""
    file = analysis.kernel.file
    whole = [a for a in analysis.accesses if (a.width_bytes or 0) <= _WIDEST]
    lines = [place(a.place, file) for a in whole if a.alignment.meets_width is False]
    if lines:
        page.line(f"never aligned to their width: {few(lines)}")


def _reuse(analysis: KernelAnalysis, page: Page) -> None:
    """Show what recurs over loops, between threads and CTAs, and between neighbouring accesses."""
    shown = [a for a in analysis.accesses if _shares(analysis, a)]
    if not shown:
        return
    page.heading("reuse")
    page.table(
        ("n", "access", "buffer", "over loops, outermost first", "the same for", "lines"),
        _grouped(analysis, shown, _reuse_row, page),
        left=(1, 2, 3, 4, 5),
        wrap=(2, 3, 4, 5),
    )
    if not page.style.verbose:
        return
    groups = {a.reuse.group for a in analysis.accesses if a.reuse.group is not None}
    for group in sorted(groups):
        near = [a for a in analysis.accesses if a.reuse.group == group]
        offsets = ", ".join(str(o) for o in sorted({a.reuse.offset_bytes or 0 for a in near})[:12])
        lines = few([place(a.place, analysis.kernel.file) for a in near])
        page.line(f"bytes apart: {offsets} (lines {lines})")


def _shares(analysis: KernelAnalysis, access: AccessFacts) -> bool:
    in_loops = any(loop.kind in ("temporal", "spatial") for loop in access.reuse.loops)
    return in_loops or bool(_same_for(analysis, access))


def _reuse_row(analysis: KernelAnalysis, access: AccessFacts) -> tuple[str, ...]:
    return (
        f"{access.op_class} {access.space}",
        variable(access.buffer, analysis.kernel),
        ", ".join(_loop(loop) for loop in access.reuse.loops) or "no loop",
        ", ".join(_same_for(analysis, access)) or "none",
    )


def _loop(loop: LoopReuseFacts) -> str:
    if loop.kind != "spatial" or loop.iterations_per_sector is None:
        return loop.kind
    return f"spatial ({loop.iterations_per_sector:.3g} a sector)"


def _same_for(analysis: KernelAnalysis, access: AccessFacts) -> Sequence[str]:
    """Name the ids that make no difference, without those that are always 0 in this launch."""
    if analysis.launch is None:
        there = {f"{name}.{axis}" for name in ("tid", "ctaid") for axis in "xy"}
    else:
        sizes = (("tid", analysis.launch.block), ("ctaid", analysis.launch.grid))
        there = {
            f"{name}.{axis}"
            for name, extent in sizes
            for axis, size in zip("xyz", extent, strict=True)
            if size > 1
        }
    if access.space in ("shared", "local"):
        there = {name for name in there if name.startswith("tid") and access.space == "shared"}
    return [name for name in access.reuse.same_for or () if name in there]


def _addresses(analysis: KernelAnalysis, page: Page) -> None:
    file = analysis.kernel.file
    page.heading("addresses")
    page.table(
        ("line", "access", "aligned to", "address"),
        [
            (
                place(a.place, file),
                a.opcode,
                f"{figure(a.alignment.bytes, a.alignment.marks['bytes'])} B",
                parted(a.address)[0],
            )
            for a in analysis.accesses
        ],
        left=(0, 1, 3),
        wrap=(3,),
    )
    add_parts(
        page,
        [(f"line {place(a.place, file)}", parted(a.address)[1]) for a in analysis.accesses],
    )


# Formulas on a page: long ones are cut unless all is asked for, named parts stand below.

_LONGEST = 100
_PARTS = 4
_FORMULAS = 2


def shortened(text: str, *, verbose: bool, most: int = _LONGEST) -> str:
    """Cut a long text in the middle, unless all is asked for."""
    if verbose or len(text) <= most:
        return text
    half = (most - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def shown_parts(parts: Sequence[str], *, verbose: bool) -> Iterator[str]:
    """Give the lines that say what the names in a formula stand for: a few, unless all."""
    shown = parts if verbose else parts[:_PARTS]
    yield from (shortened(part, verbose=verbose) for part in shown)
    if len(shown) < len(parts):
        yield f"and {len(parts) - len(shown)} more (--verbose)"


def add_parts(page: Page, formulas: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Show under a table what the names in its formulas stand for: those of a few, unless all.

    ``formulas`` are what each row is called, and the named parts of its formula.
    """
    verbose = page.style.verbose
    parted = [(of, parts) for of, parts in formulas if parts]
    shown = parted if verbose else parted[:_FORMULAS]
    for of, parts in shown:
        page.line(f"{of}, where")
        for line in shown_parts(parts, verbose=verbose):
            page.line(f"  {line}")
    if len(shown) < len(parted):
        left = len(parted) - len(shown)
        page.line(f"{left} more have names of their own for parts (--verbose)")
