"""The page of ``diff``."""

from __future__ import annotations

from warpmill.reports.diff import DiffReport, KernelDiff
from warpmill.reports.diff_figures import Figure
from warpmill.reports.diff_loops import LoopDiff
from warpmill.reports.facts import KernelFacts, Place
from warpmill.views.diff_access_text import add_addresses, add_buffers, add_launch
from warpmill.views.diff_rows import HEADER, add_figures, counted, row_of
from warpmill.views.page import Page
from warpmill.views.words import launch_lines, place, plural

_OPCODES = 12


def diff_page(report: DiffReport, page: Page) -> None:
    """Show what differs between two builds, kernel by kernel."""
    if report.is_silent:
        compared = plural(len(report.kernels), "kernel")
        page.title(f"diff: no differences in {compared} of {report.a} and {report.b}")
        return
    for kernel in report.kernels:
        if kernel.equal and report.rows == "differing":
            page.title(f"diff: {kernel.a.demangled}: no differences")
        else:
            _kernel(kernel, page)
    for name, lone in (("a", report.only_in_a), ("b", report.only_in_b)):
        if lone:
            page.heading(f"only in {name}: {plural(len(lone), 'kernel')}")
            page.items(lone)


def _kernel(kernel: KernelDiff, page: Page) -> None:
    a, b = kernel.a, kernel.b
    other = "" if a.demangled == b.demangled else f" and {b.demangled}"
    page.title(f"diff: {a.demangled}{other}")
    page.facts(_heads(kernel))
    counts = kernel.compared
    add_figures(page, "kernel", "figure", kernel.figures, counts.figures)
    add_figures(page, "instructions by class", "class", kernel.classes, counts.classes)
    _opcodes(kernel, page)
    _loops(kernel, page)
    add_buffers(kernel, page)
    add_addresses(kernel, page)
    if kernel.run is not None:
        add_launch(kernel.run, page)


def _heads(kernel: KernelDiff) -> list[tuple[str, str]]:
    """Say which builds they are and how they are launched."""
    a, b = kernel.a, kernel.b
    lines = [("a", _build(a)), ("b", _build(b))]
    if a.format != b.format and "PTX" in (a.format, b.format):
        lines.append(("note", "some differences are those of PTX and LLVM IR as languages"))
    launches = [
        (name, launch_lines(launch)[0][1])
        for name, launch in (("a", kernel.launch_a), ("b", kernel.launch_b))
        if launch is not None
    ]
    if len(launches) == 2 and launches[0][1] == launches[1][1]:
        return [*lines, ("launch", launches[0][1])]
    return [*lines, *((f"launch of {name}", words) for name, words in launches)]


def _build(kernel: KernelFacts) -> str:
    return f"{kernel.file}, {kernel.format} for {kernel.target}"


def _opcodes(kernel: KernelDiff, page: Page) -> None:
    rows, total = kernel.opcodes, kernel.compared.opcodes
    if page.style.verbose:
        add_figures(page, "instructions by opcode", "opcode", rows, total)
        return
    page.heading(counted("instructions by opcode", sum(not r.equal for r in rows), total))
    ranked = sorted((r for r in rows if r.delta), key=lambda r: (-abs(r.delta or 0), r.key))
    words = [f"{r.delta:+} {r.key}" for r in ranked[:_OPCODES]]
    if words:
        more = len(ranked) - len(words)
        page.line(", ".join(words) + (f", and {more} more (--verbose)" if more > 0 else ""))


def _loops(kernel: KernelDiff, page: Page) -> None:
    loops, total = kernel.loops, kernel.compared.loops
    if not total:
        page.heading("loops: none")
        return
    alone = sum(loop.a is None or loop.b is None for loop in loops)
    different = sum(not loop.equal for loop in loops) - alone
    words = counted("loops in both", different, total - alone) if total > alone else "loops"
    lone = f"{plural(alone, 'loop')} in one only" if total > alone else f"{alone} in one only"
    page.heading(f"{words}{'; ' if total > alone else ': '}{lone}" if alone else words)
    for loop in loops:
        _loop(loop, kernel, page)
    by = dict.fromkeys(loop.matched_by for loop in loops if loop.matched_by)
    if by:
        page.line(f"loops are paired by {' and '.join(map(str, by))}")


def _loop(loop: LoopDiff, kernel: KernelDiff, page: Page) -> None:
    if loop.a is not None and loop.b is not None:
        names = dict.fromkeys((loop.a.name, loop.b.name))
        lines = dict.fromkeys((_at(loop.a.place, kernel.a), _at(loop.b.place, kernel.b)))
        where = f"line{'' if len(lines) == 1 else 's'} {' and '.join(lines)}"
        page.line(f"{' = '.join(names)}, {where}{_unrolled(loop.iterations_of_a)}")
        page.facts(("  trips", _trips(f)) for f in loop.figures if f.key == "trips")
        rows = [("", *row_of(f)) for f in loop.figures if f.key != "trips"]
        if rows:
            page.table(("", "", *HEADER), rows, (0, 1), has_header=False)
        return
    known = {f.key: f.b if f.a is None else f.a for f in loop.figures}
    page.line(_lone(loop, kernel))
    page.line(
        f"  depth {known['depth']}, trips {known.get('trips') or 'unknown'}, "
        f"{known['instructions']} instructions"
    )


def _trips(row: Figure) -> str:
    a, b = (row.a or "unknown", row.b or "unknown")
    return str(a) if a == b else f"{a} in a, {b} in b"


def _lone(loop: LoopDiff, kernel: KernelDiff) -> str:
    """Say where the only one of its kind is, and what became of it in the other build."""
    own, other = ("a", "b") if loop.b is None else ("b", "a")
    side = loop.a or loop.b
    assert side is not None
    at = _at(side.place, kernel.a if own == "a" else kernel.b)
    words = f"{side.name}, line {at}: only in {own}"
    if loop.like is not None:
        return f"{words}, like {loop.like} in {other}"
    if loop.elsewhere:
        return f"{words}; its lines have {loop.elsewhere} instructions in {other}"
    if loop.elsewhere == 0:
        return f"{words}; its lines have no instruction in {other}"
    return f"{words}, unrolled or gone in {other}"


def _at(where: Place | None, kernel: KernelFacts) -> str:
    return place(where, kernel.file)


def _unrolled(ratio: float | None) -> str:
    """Say how many iterations of one build the other does at once."""
    if ratio is None or ratio == 1:
        return ""
    if ratio > 1:
        return f": b does {ratio:.4g} iterations in one"
    return f": a does {1 / ratio:.4g} iterations in one"
