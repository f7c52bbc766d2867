"""The page of ``clone``: what was made of each kernel, and how like the original it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.commands.clone.result import (
    CloneFigure,
    CloneOnMachine,
    CloneReport,
    KernelClone,
    TrialFacts,
)
from warpmill.report.base import Mark
from warpmill.report.page import SIGNS, UNKNOWN, Page, figure, percent
from warpmill.report.words import dimensions, plural

_MOST_KERNELS, _MOST_TRIALS = 12, 8
_LARGE, _APART = 0.05, 0.01
"""Parts of a mix that are shown: a share of so much, or so far apart."""


def clone_page(report: CloneReport, page: Page) -> None:
    """Show a clone beside its original."""
    page.title(f"clone: {report.target}")
    page.facts(_facts(report))
    _kernels(report, page)
    if report.search is not None:
        _search(report, page)
    if report.figures:
        _figures("whatever the machine", report.figures, None, page)
    for one in report.machines:
        _figures(one.machine, one.figures, Mark.MODELLED, page)
    if report.figures and len(report.kernels) > 1:
        _by_kernel(report, page)
    _verdict(report, page)


def _facts(report: CloneReport) -> Iterator[tuple[str, str]]:
    if report.out is not None:
        yield "written to", report.out
        yield "files", ", ".join(report.files)
    else:
        yield "written to", "nothing: --out DIR writes it"
    yield "chip", report.chip
    yield "reduction", report.reduction


def _kernels(report: CloneReport, page: Page) -> None:
    page.heading(f"{plural(len(report.kernels), 'kernel')} of the clone")
    shown = report.kernels if page.style.verbose else report.kernels[:_MOST_KERNELS]
    page.items([_kernel_words(one, page) for one in shown])
    if len(shown) < len(report.kernels):
        page.line(f"and {len(report.kernels) - len(shown)} more (--verbose)")


def _kernel_words(one: KernelClone, page: Page) -> str:
    launches = "1 launch" if one.launches == 1 else f"{one.launches:,} launches"
    if one.clone_launches != one.launches:
        launches += f", {one.clone_launches:,} in the clone"
    words = f"{one.clone} is like {one.demangled}: {launches}"
    words += f", grid {dimensions(one.grid)}, block {dimensions(one.block)}"
    loops = [
        f"{loop.loop} {loop.original_iterations:.4g} → {loop.clone_iterations:,}"
        for loop in one.loops
        if page.style.verbose or loop.factor > 1.0
    ]
    if loops:
        words += f"; iterations: {', '.join(loops)}"
    return words


def _search(report: CloneReport, page: Page) -> None:
    found = report.search
    assert found is not None
    most = f"{found.max_error:.3g}" if found.max_error > 1 else percent(found.max_error)
    page.heading(f"reductions tried on {found.machine}, whose IPC may be {most} off")
    last = 0 if page.style.verbose else max(0, len(found.trials) - _MOST_TRIALS)
    shown = [one for k, one in enumerate(found.trials) if k >= last or one == found.chosen]
    rows = [
        [
            _factors(one),
            _signed(one.ipc_difference, "%", Mark.MODELLED),
            figure(one.thread_instructions),
            "chosen" if one == found.chosen else "" if one.inside else "too far",
        ]
        for one in shown
    ]
    page.table(
        ["factor", "IPC of threads", "thread instructions", ""], rows, left=(0, 3), wrap=(0,)
    )
    if not found.met:
        page.line("none of them keeps the IPC: the nearest was chosen")
    if not found.complete:
        page.line("the search ended at its limit of simulations")


def _factors(one: TrialFacts) -> str:
    if one.factor is not None:
        return f"all by {one.factor}"
    found: dict[str, list[int]] = {}
    for each in one.factors:
        found.setdefault(f"{each.kernel} B{each.block}", []).append(each.factor)
    shorter = [f"{loop} by {_range(own)}" for loop, own in found.items() if max(own) > 1]
    return ", ".join(shorter) or "no loop; launches that are alike once"


def _range(factors: Sequence[int]) -> str:
    least, most = min(factors), max(factors)
    return f"{least}" if least == most else f"{least} to {most}"


def _figures(title: str, rows: Sequence[CloneFigure], mark: Mark | None, page: Page) -> None:
    page.heading(title)
    shown = [row for row in rows if page.style.verbose or _is_worth(row)]
    limited = any(row.exceeds is not None for row in rows)
    table = [
        [
            f"  {row.what}" if "." in row.name else row.what,
            _value(row, row.original, mark),
            _value(row, row.clone, mark),
            _difference(row, mark),
            *(["too far" if row.exceeds else ""] if limited else []),
        ]
        for row in shown
    ]
    header = ["", "original", "clone", "difference", *([""] if limited else [])]
    page.table(header, table, left=(0, 4))


def _is_worth(row: CloneFigure) -> bool:
    """Whether a part of a mix is large, or far off; everything else is."""
    if "." not in row.name or row.exceeds:
        return True
    large = max(row.original or 0.0, row.clone or 0.0) >= _LARGE
    return large or abs(row.difference or 0.0) >= _APART


def _value(row: CloneFigure, value: float | None, mark: Mark | None) -> str:
    if row.kind == "share":
        return percent(value, mark)
    whole = row.kind == "size" and value is not None and value == round(value)
    number = round(value) if whole and value is not None else value
    return figure(number, mark, row.unit if row.unit != "cycles" else "")


def _difference(row: CloneFigure, mark: Mark | None) -> str:
    if row.difference is None:
        return UNKNOWN
    if row.kind == "distance":
        return percent(row.difference, mark)
    return _signed(row.difference, " pt" if row.kind == "share" else "%", mark)


def _signed(value: float, unit: str, mark: Mark | None) -> str:
    sign = "" if mark is None else SIGNS[mark]
    return f"{value * 100:+,.1f}{unit}{sign}"


def _by_kernel(report: CloneReport, page: Page) -> None:
    """Show the main differences of each kernel of the clone."""
    page.heading("differences by kernel of the clone")
    names = ["instruction_mix", "dfsg", "lane_utilization", "transactions_per_request"]
    words = ["mix", "DFSG", "lanes", "transactions"]
    shown = report.kernels if page.style.verbose else report.kernels[:_MOST_KERNELS]
    rows = []
    for one in shown:
        known = {row.name: row for row in one.figures}
        ipc = (_found(_ipc(machine, one.clone), Mark.MODELLED) for machine in report.machines)
        rows.append([one.clone, *(_found(known.get(name), None) for name in names), *ipc])
    header = ["", *words, *(f"IPC {machine.machine}" for machine in report.machines)]
    page.table(header, rows)


def _found(row: CloneFigure | None, mark: Mark | None) -> str:
    return UNKNOWN if row is None else _difference(row, mark)


def _ipc(machine: CloneOnMachine, clone: str) -> CloneFigure | None:
    return next((row for row in machine.by_clone[clone] if row.name == "ipc"), None)


def _verdict(report: CloneReport, page: Page) -> None:
    if report.exceeding:
        page.heading(f"{plural(len(report.exceeding), 'figure')} beyond the limit")
        page.items(report.exceeding, None if page.style.verbose else 8, " (--verbose)")
    for missing in report.not_simulated:
        page.line(f"not simulated on {missing.machine}: {missing.reason}")
