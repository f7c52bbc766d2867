"""How the page of ``profile`` shows memory accesses: by instruction, and by space."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpmill.reports.profile_launch import LaunchCounts
from warpmill.reports.profile_memory import AccessFigures
from warpmill.views.page import Page, figure, size
from warpmill.views.words import few, place, plural

TOP = 8
"""Rows of a table that are shown where not all are."""


def memory_sections(launch: LaunchCounts, page: Page) -> None:
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
    _accesses("shared memory", shared, ("passes", "conflicts"), passed, launch, page)
    _accesses("other memory", others, (), lambda _: (), launch, page)
    if accesses:
        page.line("n: instructions alike, figures of one; B: a lane; lanes: on, of a warp access")
    if outside:
        page.line("bytes: of the lanes that are on; moved: whole sectors")


def _accesses(  # noqa: PLR0913, PLR0917 - a table
    title: str,
    accesses: Sequence[AccessFigures],
    names: tuple[str, ...],
    cells: Callable[[AccessFigures], tuple[str, ...]],
    launch: LaunchCounts,
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


def space_section(launch: LaunchCounts, page: Page) -> None:
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
    header = ("access", "in code", "warps", "bytes", "moved", "sectors", "passes", "conflicts")
    page.table(header, rows, wrap=(0,))
