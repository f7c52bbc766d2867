"""The page of ``analyze``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from warpmill.analyzer.analyses.access.coalescing import FullWarpCost
from warpmill.analyzer.analyses.access.launch_costs import CostRange, CostSpread
from warpmill.analyzer.analyses.access.warp_counts import WarpAccessCost
from warpmill.analyzer.analyses.ranges.iterations import LoopIterations, TripRun
from warpmill.analyzer.analyses.values.formula_text import parted
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.outcomes import BranchRun
from warpmill.commands.analyze.formulas import add_parts, readable, shortened, shown_parts
from warpmill.commands.analyze.result import (
    AccessFacts,
    AccessInLoop,
    BlockFacts,
    BranchFacts,
    KernelAnalysis,
    LoopFacts,
)
from warpmill.report.assumed_words import assumed_lines
from warpmill.report.base import Mark
from warpmill.report.page import Page, figure
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

_BLOCKS = 12
_REASON = 160
_RUNS = 8
_FEW = 5
_ALL = 10_000


def _title(analysis: KernelAnalysis) -> str:
    return kernel_title("analyze", analysis.kernel)


def _head(page: Page, analysis: KernelAnalysis) -> None:
    live, mark = analysis.live_registers, Mark.MODELLED
    values, blocks = analysis.values, analysis.blocks
    dead = sum(not block.reachable for block in blocks)
    facts = [
        *kernel_lines(analysis.kernel),
        *([] if analysis.launch is None else launch_lines(analysis.launch)),
        ("registers", f"{figure(live, mark)} of 32 bits live (a model's count, no compiler's)"),
        (
            "values",
            f"{values.uniform:,} uniform in a warp, {values.affine:,} affine in the thread id, "
            f"{values.divergent:,} divergent",
        ),
        ("paper's trace", _kept(analysis)),
        (
            "control flow",
            f"{plural(analysis.instructions, 'instruction')} in {plural(len(blocks), 'block')}"
            f"{f' ({dead} never reached)' if dead else ''}, {plural(analysis.edges, 'edge')}, "
            f"{plural(len(analysis.loops), 'loop')}, {plural(len(analysis.branches), 'branch')}",
        ),
        *assumed_lines(analysis.assumed),
    ]
    if analysis.launch is not None and analysis.no_traces is not None:
        facts.append(("no traces", analysis.no_traces))
    page.facts(facts)
    for region in analysis.irreducible_regions:
        page.line(f"irreducible (several entries, no loop): {', '.join(region)}")


def _kept(analysis: KernelAnalysis) -> str:
    """What the hybrid paper's pruning leaves, and of what the rest is."""
    found = ((reason.value, number) for reason, number in analysis.pruned.left_out.items())
    left = sorted(found, key=lambda item: (-item[1], item[0]))
    words = ", ".join(f"{reason} {number:,}" for reason, number in left)
    kept = f"{analysis.pruned.kept:,} of {plural(analysis.instructions, 'instruction')}"
    return f"{kept} (left out: {words})" if words else kept


def _line(reader: Reader) -> str:
    """The line of what a list of a kernel holds."""
    return place(reader.subject.place, reader.holder.kernel.file)


def _lines(readers: Sequence[Reader]) -> str:
    return few([_line(reader) for reader in readers])


_LINE = Shown("place", "Line", told=_line)


def _successors(block: BlockFacts) -> str:
    return ", ".join(block.successors) if block.reachable else "never reached"


def _in_loop(block: BlockFacts) -> str:
    return "" if block.loop is None else f"{block.loop} (depth {block.loop_depth})"


# Loops: formulas are too long for a table.


def _loops(page: Page, analysis: KernelAnalysis) -> None:
    if analysis.loops:
        page.heading("Loops")
    for loop in analysis.loops:
        inside = "" if loop.parent is None else f" in {loop.parent}"
        page.line(
            f"{loop.name}  depth {loop.depth}{inside}, {plural(loop.blocks, 'block')}, "
            f"line {place(loop.place, analysis.kernel.file)}"
        )
        page.facts(_loop_facts(Reader(loop), analysis, verbose=page.style.verbose))


def _loop_facts(
    reader: Reader, analysis: KernelAnalysis, *, verbose: bool
) -> list[tuple[str, str]]:
    loop: LoopFacts = reader.subject
    bound = loop.bound
    most = "at most " if bound.at_most else ""
    own = readable(bound.trip_count or "", analysis.kernel, verbose=verbose)
    formula, parts = parted(own)
    told = shortened(bound.reason or formula, verbose=verbose, most=_REASON)
    told = f"unknown: {told}" if bound.trip_count is None else f"{most}{told}"
    lines = [("  trip count", told)]
    lines += [("  where", part) for part in shown_parts(parts, verbose=verbose)]
    traced = analysis.launch is not None and analysis.no_traces is None
    assumed = any(f"'{loop.name}=" in text for text in analysis.assumptions)
    if analysis.launch is not None and bound.kind == "symbolic":
        lines.append(("  in the launch", _in_launch(loop, reader.mark("in_launch"))))
    if loop.assumed is not None:
        lines.append(("  as assumed", _assumed(loop)))
    elif bound.kind == "unknown" and traced and not assumed:
        lines.append(("  in the launch", "decided by the launch; executions of blocks tell"))
    elif bound.kind == "unknown":
        lines.append(("  option", f"--assume '{loop.name}=N'"))
    if loop.first_thread is not None and loop.parent is not None:
        lines.append(("  first thread", _in_thread(loop.first_thread, verbose=verbose)))
    return lines


def _in_launch(loop: LoopFacts, mark: Mark | None) -> str:
    found = loop.in_launch
    if found.low is None or found.high is None:
        return f"unknown: {found.reason}"
    most = "at most " if loop.bound.at_most else ""
    low, high = figure(found.low, mark), figure(found.high, mark)
    if not found.over:
        return f"{most}{low}"
    words = low if low == high else f"{low} to {high}"
    return f"{most}{words} over {', '.join(found.over)}"


def _assumed(loop: LoopFacts) -> str:
    assert loop.assumed is not None
    low, high = figure(loop.assumed.low), figure(loop.assumed.high, Mark.ASSUMED)
    if loop.assumed.is_point:
        return high
    return f"{low} .. {high}" if loop.assumed.is_tight else f"between {low} and {high}"


def _in_thread(found: LoopIterations, *, verbose: bool) -> str:
    """How often a loop inside others runs each time that it is entered."""
    if found.total is None:
        return f"unknown: {found.reason}"
    if not found.entries:
        return "does not enter it"
    most = "at most " if found.at_most else ""
    shown = found.runs if verbose else found.runs[:_RUNS]
    runs = ", ".join(_iterations(run) for run in shown)
    more = ", ..." if found.has_more_runs or len(shown) < len(found.runs) else ""
    times = plural(found.entries or 0, "time")
    return f"entered {times}, {most}{found.total:,} iterations in all: {runs}{more}"


def _iterations(run: TripRun) -> str:
    times = run.last - run.first + 1
    if times == 1:
        return f"{run.count:,}"
    if run.step == 0:
        return f"{run.count:,} ({times:,} times)"
    return f"{run.count:,} to {run.count + run.step * (times - 1):,} by {run.step:+}"


# Branches


def _branches(page: Page, analysis: KernelAnalysis) -> None:
    verbose, branches = page.style.verbose, analysis.branches
    if not branches:
        return
    page.heading("Branches")
    texts = [readable(b.condition, analysis.kernel, verbose=verbose) for b in branches]
    page.table(
        ("Block", "Target", "Taken when", "Dependence", "Divergent", "Line"),
        [
            (
                branch.block,
                ", ".join(branch.taken),
                shortened(parted(text)[0], verbose=verbose),
                ", ".join(branch.decided_by) or "constant",
                _divergent(branch),
                place(branch.place, analysis.kernel.file),
            )
            for branch, text in zip(branches, texts, strict=True)
        ],
        left=range(6),
        wrap=range(5),
    )
    named = zip(branches, texts, strict=True)
    add_parts(page, [(branch.block, parted(text)[1]) for branch, text in named])
    for branch in branches:
        if branch.may_diverge and verbose:
            page.line(f"{branch.block} is divergent: {'; '.join(branch.divergence)}")
            page.line(f"  lanes are apart in {', '.join(branch.region) or 'no block'}")


def _divergent(branch: BranchFacts) -> str:
    if not branch.may_diverge:
        return "no"
    return f"yes, reconverges at {branch.reconverges}" if branch.reconverges else "yes"


def _warps(branch: BranchFacts) -> int | None:
    return None if branch.outcomes is None else len(branch.outcomes.warps)


def _runs(page: Page, analysis: KernelAnalysis) -> None:
    """Outcomes by warp and iteration, where all is asked for."""
    if not page.style.verbose:
        return
    for branch in analysis.branches:
        if branch.outcomes is None:
            continue
        page.line(f"{branch.block}: iterations of the innermost loop around, lanes that take it")
        for warp in branch.outcomes.warps:
            runs = "; ".join(_run(run) for run in warp.runs)
            page.line(f"  warp {warp.warp}: {runs}{'; and more' if warp.more else ''}")


def _run(run: BranchRun) -> str:
    last = run.first + (run.iterations - 1) * run.step
    step = "" if run.step == 1 else f" by {run.step}"
    where = f"{run.first}" if run.iterations == 1 else f"{run.first} to {last}{step}"
    return f"{where}: {run.taken_mask} of {run.active_mask}"


def _calls(page: Page, analysis: KernelAnalysis) -> None:
    """What stands for calls, by kind."""
    kinds: dict[str, Counter[str]] = {}
    for each in analysis.calls:
        call = each.call
        scope = "" if call.scope is None else f" ({call.scope.value})"
        kinds.setdefault(call.kind.value, Counter())[f"{call.name}{scope}"] += 1
    if kinds:
        page.heading("Calls")
        page.facts([(kind, _names(names)) for kind, names in kinds.items()])


def _names(counts: Counter[str]) -> str:
    return ", ".join(name if n == 1 else f"{name} x {n}" for name, n in sorted(counts.items()))


# Memory accesses


def _kind(access: AccessFacts) -> str:
    return f"{access.access.op_class.value} {access.access.space.value}"


def _buffer(reader: Reader) -> str:
    return variable(reader.subject.buffer, reader.holder.kernel)


def _pattern(reader: Reader) -> str:
    access, file = reader.subject, reader.holder.kernel.file
    by = ", ".join(dict.fromkeys(place(d.place, file) for d in access.decided_by))
    return f"by data of {by}" if by else access.pattern.value


def _stride(reader: Reader) -> str:
    """The bytes from lane to lane: a number, else the formula that the launch decides."""
    access: AccessFacts = reader.subject
    stride, formula = access.lane_stride_bytes, access.access.lane_stride
    if stride is None and formula is not None:
        return shortened(str(formula), verbose=False)
    return figure(stride, reader.mark("lane_stride_bytes"))


def _per_request(reader: Reader) -> str | None:
    """What a request moves: in the launch, else a full warp, else at most."""
    access: AccessFacts = reader.subject
    launch, full = access.in_launch, access.full_warp
    if launch is not None and launch.all_iterations is not None:
        return _moved(launch.all_iterations, Reader(launch).mark("all_iterations"))
    if full.reason is None:
        return _moved(full, Mark.ASSUMED)
    worst = WarpAccessCost(full.worst_sectors, None, full.worst_wavefronts)
    most = _moved(worst if launch is None else launch.worst, None)
    return None if most is None else f"at most {most}"


def _moved(cost: _Cost | None, mark: Mark | None) -> str | None:
    if cost is None:
        return None
    for found, word in ((cost.wavefronts, "wavefront"), (cost.sectors, "sector")):
        if found is not None:
            return _numbers(found, word, mark)
    return None


_Cost = CostSpread | FullWarpCost | WarpAccessCost


def _numbers(found: CostRange | int, word: str, mark: Mark | None) -> str:
    least, most = (found, found) if isinstance(found, int) else (found.least, found.most)
    if isinstance(found, int) or least == most:
        return f"{figure(least, mark)} {plural(least, word).partition(' ')[2]}"
    return f"{figure(found.mean, mark)} ({least} to {most}) {word}s"


_WIDEST = 32
"""The most bytes that a thread accesses at once: a vector of four 64-bit words."""


def _misaligned(page: Page, analysis: KernelAnalysis) -> None:
    """The lines of accesses that machines refuse; what is wider is copied in parts."""
    lines = [
        place(one.place, analysis.kernel.file)
        for one in analysis.accesses
        if one.alignment.meets_width is False and (one.access.width_bytes or 0) <= _WIDEST
    ]
    if lines:
        page.line(f"never aligned to their width: {few(lines)}")


def _reuse_in_loops(access: AccessFacts) -> str:
    return ", ".join(map(_reuse, access.loops)) or "no loop"


def _reuse(loop: AccessInLoop) -> str:
    kind, several = loop.reuse.kind.value, loop.reuse.iterations_per_sector
    return kind if kind != "spatial" or several is None else f"spatial ({several:.3g} a sector)"


def _same_for(reader: Reader) -> str:
    return ", ".join(_shared_by(reader)) or "none"


def _shared_by(reader: Reader) -> list[str]:
    """The ids that make no difference, without those that are always 0 in this launch."""
    access, launch = reader.subject, reader.holder.launch
    if launch is None:
        there = {f"{name}.{axis}" for name in ("tid", "ctaid") for axis in "xy"}
    else:
        sizes = (("tid", launch.block), ("ctaid", launch.grid))
        there = {
            f"{name}.{axis}"
            for name, extent in sizes
            for axis, size in zip("xyz", extent, strict=True)
            if size > 1
        }
    space = access.access.space
    if space in (Space.SHARED, Space.LOCAL):
        there = {n for n in there if n.startswith("tid") and space is Space.SHARED}
    return [name for name in access.reuse.same_for or () if name in there]


def _is_reused(reader: Reader) -> bool:
    kinds = {loop.reuse.kind.value for loop in reader.subject.loops}
    return bool(kinds & {"temporal", "spatial"} or _shared_by(reader))


def _groups(page: Page, analysis: KernelAnalysis) -> None:
    """Accesses that differ by constants, where all is asked for."""
    if not page.style.verbose:
        return
    grouped: dict[int, list[AccessFacts]] = {}
    for access in analysis.accesses:
        if access.reuse.group is not None:
            grouped.setdefault(access.reuse.group, []).append(access)
    for _, near in sorted(grouped.items()):
        offsets = ", ".join(map(str, sorted({a.reuse.offset_bytes or 0 for a in near})[:12]))
        lines = few([place(a.place, analysis.kernel.file) for a in near])
        page.line(f"bytes apart: {offsets} (lines {lines})")


def _address_parts(page: Page, analysis: KernelAnalysis) -> None:
    if page.style.verbose:
        file = analysis.kernel.file
        texts = [(place(a.place, file), str(a.access.address)) for a in analysis.accesses]
        add_parts(page, [(f"line {line}", parted(text)[1]) for line, text in texts])


def _assumptions(page: Page, analysis: KernelAnalysis) -> None:
    if analysis.assumptions:
        page.heading("Assumptions and provenance")
        page.items(analysis.assumptions, None if page.style.verbose else _FEW, " (--verbose)")


_ACCESS = Shown("", "Access", words=_kind)
_BUFFER = Shown("buffer", "Buffer", told=_buffer)

KERNEL = (
    Special(_head),
    Table(
        "Control flow",
        "blocks",
        (
            "label",
            "instructions",
            "warp_executions",
            Shown("", "Successors", words=_successors),
            Shown("", "Loop", words=_in_loop),
            _LINE,
        ),
        top=_BLOCKS,
        left=(0, 3, 4, 5),
        wrap=(0, 3, 4),
    ),
    Special(_loops),
    Special(_branches),
    Table(
        "Branches taken in the first CTA, in warp executions",
        "branches",
        (
            "block",
            "outcomes.taken",
            "outcomes.not_taken",
            "outcomes.divergent",
            Shown("outcomes", "Warps", told=lambda reader: figure(_warps(reader.subject))),
        ),
        top=_ALL,
        chosen=lambda branch: branch.outcomes is not None,
        below="taken: by all active lanes; not taken: by none; divergent: by some",
    ),
    Special(_runs),
    Special(_calls),
    Table(
        "Memory accesses",
        "accesses",
        (
            _ACCESS,
            Shown("access.width_bytes", "Bytes"),
            Shown("", "Pattern", told=_pattern),
            Shown("", "Stride", told=_stride),
            Shown("", "Per request", told=_per_request),
            _BUFFER,
        ),
        top=_ALL,
        left=(0, 2, 4, 5),
        wrap=(2, 4, 5),
        alike=("Lines", _lines),
        below="n: accesses alike; stride: bytes a step in tid.x; a request is a warp's "
        "access, a sector is 32 B; every lane is taken to be active (warpmill trace counts the "
        "masks); ? assumed, ≈ sampled",
    ),
    Special(_misaligned),
    Table(
        "Reuse",
        "accesses",
        (
            _ACCESS,
            _BUFFER,
            Shown("", "Over loops, outermost first", words=_reuse_in_loops),
            Shown("", "The same for", told=_same_for),
        ),
        top=_ALL,
        left=(0, 1, 2, 3),
        wrap=(1, 2, 3),
        reads=_is_reused,
        alike=("Lines", _lines),
    ),
    Special(_groups),
    Table(
        "Addresses",
        "accesses",
        (
            _LINE,
            "access.opcode",
            "alignment.bytes",
            Shown("access.address", words=lambda address: parted(str(address))[0]),
        ),
        top=_ALL,
        left=(0, 1, 3),
        wrap=(3,),
        detail=True,
    ),
    Special(_address_parts),
    Special(_assumptions),
)


PAGE = (Repeated("analyses", KERNEL, _title),)
