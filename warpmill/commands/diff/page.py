"""The page of ``diff``: what differs, kernel by kernel; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warpmill.commands.diff.result import LISTS, DiffReport, KernelDiff, MachineCodeDiff
from warpmill.comparing.accesses import BufferAccesses, ShapeCount
from warpmill.comparing.figures import DiffFigure
from warpmill.comparing.paired_loops import LoopDiff, LoopSide
from warpmill.report.facts import KernelIdentity, LaunchFacts, SourcePlace
from warpmill.report.page import Page, signed_percent
from warpmill.report.read import Reader, written
from warpmill.report.sections import Items, Repeated, Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import few, launch_lines, place, plural


def _title(page: Page, report: DiffReport) -> None:
    if report.is_silent:
        compared = plural(len(report.kernels) or len(report.machine_code), "kernel")
        page.title(f"diff: no differences in {compared} of {report.a} and {report.b}")


def _shown(report: DiffReport) -> range:
    return range(0 if report.is_silent else len(report.kernels))


def _shown_code(report: DiffReport) -> range:
    return range(0 if report.is_silent else len(report.machine_code))


def _code(code: MachineCodeDiff) -> str:
    chips = " and ".join(dict.fromkeys((code.chip_a, code.chip_b)))
    same = ": no differences" if code.equal else ""
    return f"diff: {code.demangled}, machine code for {chips}{same}"


def _kernel(kernel: KernelDiff) -> str:
    names = " and ".join(dict.fromkeys((kernel.a.demangled, kernel.b.demangled)))
    return f"diff: {names}{': no differences' if kernel.equal else ''}"


def _head(page: Page, kernel: KernelDiff) -> None:
    """How much differs, which builds they are and how they are launched."""
    if not any(getattr(kernel, name) for name in LISTS) and kernel.equal:
        return
    counts = [(name, sum(r.equal is False for r in getattr(kernel, name))) for name in LISTS]
    differ = ", ".join(f"{n or 'none'} of {kernel.compared[name]} {name}" for name, n in counts)
    a, b = kernel.a, kernel.b
    page.facts([("differences", differ), ("a", _build(a)), ("b", _build(b))])
    if a.format != b.format and "PTX" in (a.format, b.format):
        page.line("some differences are those of PTX and LLVM IR as languages")
    launches = [launch for launch in (kernel.launch_a, kernel.launch_b) if launch is not None]
    page.facts(("launch", words) for words in dict.fromkeys(map(_launch, launches)))
    if kernel.run is not None:
        runs = (kernel.run.a, kernel.run.b)
        traced = [f"{run.ctas:,} of {plural(run.ctas_total, 'CTA')}" for run in runs]
        page.facts([("trace", " and ".join(dict.fromkeys(traced)))])


def _build(kernel: KernelIdentity) -> str:
    return f"{kernel.file}, {kernel.format} for {kernel.target}"


def _launch(launch: LaunchFacts) -> str:
    return launch_lines(launch)[0][1]


def _delta(reader: Reader) -> str:
    """A difference with its sign; of shares in points of a hundred."""
    row: DiffFigure = reader.subject
    if not row.delta:
        return ""
    if row.unit == "%":
        return f"{row.delta * 100:+.1f} points"
    return f"{'+' if row.delta > 0 else ''}{written(row.delta, row.metric)}"


def _change(reader: Reader) -> str:
    """A change in per cent, from ten times as much on as a multiple."""
    change = reader.subject.change_fraction
    if not change or reader.subject.unit == "%":
        return ""
    return signed_percent(change) if change < _MULTIPLE else f"x {change + 1:,.0f}"


_MULTIPLE = 9

_VALUES = (
    Shown("a", "a", metric=lambda row: row.metric),
    Shown("b", "b", metric=lambda row: row.metric),
    Shown("", "b - a", told=_delta),
    Shown("", "change", told=_change),
)


def _figures(title: str, of: str, name: str, top: int = 100) -> Table:
    """A table of figures that may be of something each."""
    words = Shown("", name, words=lambda row: ", ".join(filter(None, (row.label, row.of))))
    return Table(title, of, (words, *_VALUES), top, wrap=(0, 1, 2))


def _lines(loop: LoopDiff, kernel: KernelDiff) -> str:
    sides = ((loop.a, kernel.a), (loop.b, kernel.b))
    return " and ".join(dict.fromkeys(place(s.place, k.file) for s, k in sides if s is not None))


def _trips(loop: LoopDiff) -> str:
    a, b = (_count(side) for side in (loop.a, loop.b))
    if a is None or b is None or a == b:
        return a or b or ""
    return f"{a} in a, {b} in b"


def _count(side: LoopSide | None) -> str | None:
    return None if side is None else side.features.trips or "unknown"


def _partner(loop: LoopDiff) -> str:
    """By what a loop is paired and how far it is unrolled, or what became of a lone one."""
    side = loop.a or loop.b
    if side is None or None not in (loop.a, loop.b):
        ratio = loop.iterations_of_a or 1
        one, times = ("b", ratio) if ratio > 1 else ("a", 1 / ratio)
        unrolled = "" if times == 1 else f"; {one} does {times:.4g} iterations in one"
        return f"by {loop.matched_by}{unrolled}"
    own, other = ("a", "b") if loop.b is None else ("b", "a")
    words = f"only in {own} ({plural(side.features.instructions, 'instruction')})"
    if loop.like is not None:
        return f"{words}, like {loop.like} in {other}"
    if loop.elsewhere is not None:
        return f"{words}; its lines have {loop.elsewhere or 'no'} instructions in {other}"
    return f"{words}, unrolled or gone in {other}"


def _shapes(side: BufferAccesses) -> str:
    return ", ".join(map(_shape, side.shapes)) or "none"


def _shape(one: ShapeCount) -> str:
    shape = one.shape
    width = "? B" if shape.width_bytes is None else f"{shape.width_bytes} B"
    is_said = shape.lane_stride_bytes is None or shape.pattern in {"broadcast", "contiguous"}
    stride = "" if is_said else f" {shape.lane_stride_bytes}"
    return f"{one.count} x {width} {shape.pattern}{stride}"


def _places(places: list[SourcePlace], kernel: KernelIdentity) -> str:
    return few([place(one, kernel.file) for one in places])


KERNEL = (
    Special(_head),
    _figures("Kernel", "figures", "figure"),
    _figures("Instruction mix by class", "classes", "class"),
    Table(
        "Instruction mix by opcode",
        "opcodes",
        (Shown("key", "opcode"), *_VALUES),
        top=6,
        order=lambda row: abs(row.delta or 0),
    ),
    Table(
        "Loops",
        "loops",
        (
            Shown("names", "loop"),
            Shown("", "line", told=lambda r: _lines(r.subject, r.holder)),
            Shown("", "trip count", words=_trips),
            Shown("", "paired", words=_partner),
        ),
        left=(0, 1, 2, 3),
        wrap=(2, 3),
    ),
    Table(
        "Figures of loops in both",
        "loops.figures",
        (Shown("", "loop", told=lambda r: r.holder.names), Shown("label", "figure"), *_VALUES),
        left=(0, 1),
        once=(0,),
        top=20,
        reads=lambda r: r.subject.key != "trips" and bool(r.holder.a and r.holder.b),
    ),
    Table(
        "Memory accesses by buffer",
        "buffers",
        (
            Shown("target", "access"),
            Shown("a", "a", words=_shapes),
            Shown("b", "b", words=_shapes),
            Shown("same_bytes", "bytes", words={True: "same", False: "other"}.get),
        ),
        left=range(4),
        wrap=(1, 2),
        top=100,
        below="n x bytes per thread, pattern, lane stride; bytes: whether the same are touched",
    ),
    Table(
        "Addresses",
        "addresses",
        (
            "a",
            "b",
            Shown("target", "access"),
            "width_bytes",
            "address",
            Shown("places_a", "lines of a", told=lambda r: _places(r.subject.places_a, r.holder.a)),
            Shown("places_b", "lines of b", told=lambda r: _places(r.subject.places_b, r.holder.b)),
        ),
        left=(2, 4, 5, 6),
        wrap=(4, 5, 6),
        detail=True,
    ),
    _figures("Launch", "run.figures", "figure"),
    _figures("Warp instructions by class", "run.classes", "class"),
    Table(
        "Memory traffic of the launch",
        "run.accesses",
        (Shown("of", "access"), Shown("label", "figure"), *_VALUES),
        left=(0, 1),
        once=(0,),
        top=40,
    ),
    Items("Assumptions of a", "run.a.assumptions"),
    Items("Assumptions of b", "run.b.assumptions"),
)

MACHINE_CODE = (_figures("Machine code", "figures", "figure"),)

PAGE = (
    Special(_title),
    Repeated("kernels", KERNEL, _kernel, few=_shown),
    Repeated("machine_code", MACHINE_CODE, _code, few=_shown_code),
    Items("Only in a", "only_in_a", top=100),
    Items("Only in b", "only_in_b", top=100),
)

COLUMNS = (
    "kernel", "section", "name", "key", "unit", "a", "b", "delta", "change_fraction", "equal",
    "matched_by", "reason", "mark_a", "mark_b",
)  # fmt: skip

_EXACT = {"section": "", "mark_a": "exact", "mark_b": "exact"}

_Names = dict[str, str | Callable[[Any], Any]]


def _figure_rows(section: str, of: str, **names: str) -> RowsOf:
    """Rows of figures below a kernel."""
    own: _Names = {"kernel": ".kernels.a.name", "name": "of", **names}
    own |= {"mark_a": lambda row: row.sides[0], "mark_b": lambda row: row.sides[1]}
    return RowsOf(f"kernels.{of}", own, {"section": section})


def _rows(section: str, of: str, **names: str | Callable[[Any], Any]) -> RowsOf:
    """Rows of parts of a kernel."""
    return RowsOf(of, {"kernel": ".kernels.a.name", **names}, {**_EXACT, "section": section})


DIFF = CsvTable(
    COLUMNS,
    (
        _figure_rows("figure", "figures"),
        _figure_rows("class", "classes"),
        _figure_rows("opcode", "opcodes"),
        _rows(
            "loop",
            "kernels.loops",
            name=lambda loop: loop.names,
            key=lambda _: "name",
            a=lambda loop: loop.a and loop.a.name,
            b=lambda loop: loop.b and loop.b.name,
        ),
        RowsOf(
            "kernels.loops",
            {
                "kernel": ".kernels.a.name",
                "name": lambda loop: loop.names,
                "a": lambda _: 1,
                "b": "iterations_of_a",
                "equal": lambda _: None,
            },
            {**_EXACT, "section": "loop", "key": "iterations_of_a"},
            chosen=lambda loop: loop.iterations_of_a is not None,
        ),
        _figure_rows(
            "loop",
            "loops.figures",
            name=".kernels.loops.names",
            matched_by=".kernels.loops.matched_by",
        ),
        _rows(
            "buffer",
            "kernels.buffers",
            name=lambda row: row.target,
            key=lambda _: "shapes",
            a=lambda row: _shapes(row.a),
            b=lambda row: _shapes(row.b),
        ),
        _figure_rows("buffer", "buffers.figures", name=".kernels.buffers.target"),
        _rows(
            "address",
            "kernels.addresses",
            name=lambda row: f"{row.target} {row.width_bytes or '?'} B",
            key="address",
        ),
        RowsOf(
            "machine_code.figures",
            {
                "kernel": ".machine_code.name",
                "name": ".machine_code.chip_a",
                "mark_a": lambda row: row.sides[0],
                "mark_b": lambda row: row.sides[1],
            },
            {"section": "machine code"},
        ),
        _figure_rows("launch", "run.figures"),
        _figure_rows("launch class", "run.classes"),
        _figure_rows("launch access", "run.accesses"),
        _rows("kernel", "only_in_a", kernel=str, a=str, b=lambda _: None, equal=lambda _: False),
        _rows("kernel", "only_in_b", kernel=str, a=lambda _: None, b=str, equal=lambda _: False),
    ),
)
