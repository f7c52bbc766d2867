"""The memory accesses and the launches of two builds, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.reports.diff import KernelDiff
from warpmill.reports.diff_accesses import AddressDiff, ShapeCount
from warpmill.reports.diff_figures import Figure
from warpmill.reports.diff_launch import LaunchDiff
from warpmill.views.diff_rows import HEADER, counted, row_of
from warpmill.views.page import Page, figure
from warpmill.views.words import few, place, plural


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


def _traffic(rows: Sequence[Figure]) -> Iterator[tuple[str, ...]]:
    """Name each access once, in front of its first figure."""
    last = None
    for row in rows:
        yield "" if row.of == last else row.of or "", *row_of(row.model_copy(update={"of": None}))
        last = row.of
