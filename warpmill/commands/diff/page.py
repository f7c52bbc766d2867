"""The page of ``diff``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from warpmill.commands.diff.accesses import AddressDiff, ShapeCount
from warpmill.commands.diff.figures import DiffFigure, Value
from warpmill.commands.diff.launch import LaunchDiff
from warpmill.commands.diff.loops import LoopDiff
from warpmill.commands.diff.result import DiffReport, KernelDiff
from warpmill.report import page as figures
from warpmill.report.facts import KernelIdentity, SourcePlace
from warpmill.report.page import Page, figure
from warpmill.report.words import dimensions, few, launch_lines, place, plural

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
    """Which builds they are and how they are launched."""
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


def _build(kernel: KernelIdentity) -> str:
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


def _trips(row: DiffFigure) -> str:
    a, b = (row.a or "unknown", row.b or "unknown")
    return str(a) if a == b else f"{a} in a, {b} in b"


def _lone(loop: LoopDiff, kernel: KernelDiff) -> str:
    """Where the only one of its kind is, and what became of it in the other build."""
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


def _at(where: SourcePlace | None, kernel: KernelIdentity) -> str:
    return place(where, kernel.file)


def _unrolled(ratio: float | None) -> str:
    """How many iterations of one build the other does at once."""
    if ratio is None or ratio == 1:
        return ""
    if ratio > 1:
        return f": b does {ratio:.4g} iterations in one"
    return f": a does {1 / ratio:.4g} iterations in one"


# The memory accesses and the launches of two builds, as text.


def add_buffers(kernel: KernelDiff, page: Page) -> None:
    """Show what each build does to each buffer."""
    buffers, total = kernel.buffers, kernel.compared.buffers
    different = sum(not row.equal for row in buffers)
    words = counted("memory accesses by buffer", different, total)
    page.heading(words if total else "memory accesses: none")
    if buffers:
        page.table(
            ("access", "buffer", "a", "b", "bytes"),
            [
                (
                    f"{row.op_class} {row.space}",
                    row.buffer or "unknown",
                    _shapes(row.a),
                    _shapes(row.b),
                    _SAME[row.same_bytes],
                )
                for row in buffers
            ],
            left=range(5),
            wrap=(2, 3),
        )
        page.line("n x bytes a thread, pattern, lane stride; bytes: whether the same are touched")


_SAME = {True: "same", False: "other", None: "-"}


def _shapes(shapes: Sequence[ShapeCount]) -> str:
    return ", ".join(_shape(shape) for shape in shapes) or "none"


def _shape(shape: ShapeCount) -> str:
    width = "? B" if shape.width_bytes is None else f"{shape.width_bytes} B"
    stride = shape.lane_stride_bytes
    own = "" if stride is None or shape.pattern in _SAYS_STRIDE else f" {stride}"
    return f"{shape.count} x {width} {shape.pattern}{own}"


_SAYS_STRIDE = ("broadcast", "contiguous")


def add_addresses(kernel: KernelDiff, page: Page) -> None:
    """Show how many addresses differ, or all that do."""
    rows, total = kernel.addresses, kernel.compared.addresses
    different = sum(not row.equal for row in rows)
    if not different and not page.style.verbose:
        return
    more = "" if page.style.verbose else " (--verbose)"
    page.heading(counted("addresses", different, total) + more)
    if page.style.verbose and rows:
        page.table(
            ("a", "b", "access", "bytes", "address", "lines in a", "lines in b"),
            [_address(row, kernel) for row in rows],
            left=(2, 4, 5, 6),
            wrap=(4, 5, 6),
        )


def _address(row: AddressDiff, kernel: KernelDiff) -> tuple[str, ...]:
    return (
        str(row.a),
        str(row.b),
        f"{row.op_class} {row.space}",
        figure(row.width_bytes),
        row.address,
        few([place(p, kernel.a.file) for p in row.places_a]),
        few([place(p, kernel.b.file) for p in row.places_b]),
    )


def add_launch(run: LaunchDiff, page: Page) -> None:
    """Show what the warps of both launches execute."""
    parts = [(run.ctas_a, run.ctas_total_a), (run.ctas_b, run.ctas_total_b)]
    words = [f"{n:,} of {plural(total, 'CTA')}" for n, total in parts]
    shown = words[0] if words[0] == words[1] else f"{words[0]} in a and {words[1]} in b"
    rows = [*run.figures, *run.classes]
    page.heading(f"the whole launch, from {shown}")
    if rows:
        page.table(("warp instructions", *HEADER), map(row_of, rows))
    if run.accesses:
        page.heading("memory traffic of the launch")
        page.table(("access", "figure", *HEADER), _traffic(run.accesses), (0, 1))
    assumed = [f"a: {text}" for text in run.assumptions_a]
    assumed += [f"b: {text}" for text in run.assumptions_b]
    if assumed:
        page.heading(f"assumptions: {len(assumed)}")
        page.items(assumed, None if page.style.verbose else 5, " (--verbose)")


def _traffic(rows: Sequence[DiffFigure]) -> Iterator[tuple[str, ...]]:
    """Name each access once, in front of its first figure."""
    last = None
    for row in rows:
        yield "" if row.of == last else row.of or "", *row_of(replace(row, of=None))
        last = row.of


# Figures of two builds as rows of a table.

HEADER = ("a", "b", "b - a", "change")


def add_figures(
    page: Page, heading: str, name: str, rows: Sequence[DiffFigure], total: int
) -> None:
    """Show figures under a heading that says how many of ``total`` differ."""
    page.heading(counted(heading, sum(row.equal is False for row in rows), total))
    if rows:
        page.table((name, *HEADER), map(row_of, rows), wrap=(0, 1, 2))


def counted(heading: str, different: int, total: int) -> str:
    """How many differ: ``loops: none of 2 differ``."""
    verb = "differs" if different == 1 else "differ"
    return f"{heading}: {different or 'none'} of {total} {verb}"


def row_of(row: DiffFigure) -> tuple[str, ...]:
    """Write a figure: its name, both values, what is between them."""
    change = row.change_fraction
    return (
        _words(row),
        _value(row, row.a, "a"),
        _value(row, row.b, "b"),
        _delta(row),
        "" if not change or row.unit == "fraction" else _change(change),
    )


def _change(fraction: float) -> str:
    """Write a change in per cent, from ten times as much on as a multiple."""
    return f"{fraction:+.1%}" if fraction < _MULTIPLE else f"x {fraction + 1:,.0f}"


_MULTIPLE = 9


def _delta(row: DiffFigure) -> str:
    """Write a difference with its sign; of shares in points of a hundred."""
    if not row.delta:
        return ""
    mark = row.marks["delta"]
    if row.unit == "fraction":
        return f"{row.delta * 100:+.1f}{figures.SIGNS[mark]} points"
    delta = figures.figure(row.delta, mark)
    return f"+{delta}" if row.delta > 0 else delta


def _words(row: DiffFigure) -> str:
    words = _NAMES.get(row.key) or row.key.replace("_", " ")
    return f"{words}, {row.of}" if row.of else words


_NAMES = {
    "live_registers": "registers live at once",
    "own_instructions": "instructions outside inner loops",
    "guarded_instructions": "guarded instructions",
    "instructions_by_nearest_rule": "opcodes not in the table",
    "divergent_branches": "branches that may diverge",
    "divergent_loops": "loops that may diverge",
    "local_loads": "local loads (spills, stack)",
    "local_stores": "local stores (spills, stack)",
    "local_bytes": "local bytes declared",
    "accessed_bytes": "bytes accessed by a thread",
    "iterations_min": "iterations, fewest",
    "iterations_max": "iterations, most",
    "warp_executions": "warp accesses",
    "bytes_requested": "bytes requested",
    "wavefronts": "shared-memory wavefronts",
    "max_threads": "threads a CTA at most",
    "required_threads": "threads a CTA exactly",
    "min_ctas_per_sm": "CTAs an SM at least",
    "max_registers": "registers at most",
    "sectors": "sectors",
}


def _value(row: DiffFigure, value: Value, side: str) -> str:
    if isinstance(value, list):
        return dimensions(value)
    if isinstance(value, str):
        return value
    if row.unit == "fraction" and value is not None:
        return figures.percent(value, row.marks[side])
    return figures.figure(value, row.marks[side])
