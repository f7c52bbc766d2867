"""Memory accesses on the page of ``analyze``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from warpmill.analyzer.analyses.values.formula_text import parted
from warpmill.reports.accesses import (
    AccessFacts,
    CostsOverWarps,
    CountSpread,
    LoopReuseFacts,
    WarpCost,
)
from warpmill.reports.analyze import KernelAnalysis
from warpmill.reports.base import Mark
from warpmill.views.formula_words import add_parts, shortened
from warpmill.views.page import Page, figure
from warpmill.views.words import few, place, plural, variable


def add_accesses(analysis: KernelAnalysis, page: Page) -> None:
    """Show what accesses move and what they share, those that are alike as one."""
    accesses = analysis.accesses
    page.heading(f"memory accesses: {len(accesses) or 'none'}")
    if not accesses:
        return
    grouped = _grouped(analysis, accesses, _row, page)
    page.table(
        ("n", "access", "bytes", "pattern", "lane", "a warp moves", "buffer", "lines"),
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
