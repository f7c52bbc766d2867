"""How the page of ``simulate`` shows where warps spend their cycles."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.reports.simulate import SimulateReport
from warpmill.reports.simulate_machine import MachineSimulation
from warpmill.reports.simulate_stalls import StalledPart
from warpmill.views.page import UNKNOWN, Page, figure, percent
from warpmill.views.words import place

TOP = 10
"""Rows of a table that are shown where not all are."""

MEANINGS = {
    "selected": "none: it issues",
    "wait": "for a result of a known latency",
    "short_scoreboard": "for shared memory or a shared unit",
    "long_scoreboard": "for global, local or texture memory",
    "imc_miss": "for constants and parameters",
    "barrier": "for the CTA's other warps",
    "membar": "for its own accesses, at a fence",
    "math_pipe_throttle": "for a busy arithmetic unit",
    "lg_throttle": "for room in memory's queue",
    "mio_throttle": "for room in shared memory's queue",
    "tex_throttle": "for room in textures' queue",
    "dispatch_stall": "for a free operand collector",
    "branch_resolving": "for a branch's target",
    "no_instruction": "for its next instruction",
    "not_selected": "another warp was chosen",
    "drain": "for its stores, at the end",
}
"""What a warp waits for, by reason."""


def stall_section(one: MachineSimulation, page: Page) -> None:
    """Show what warps wait for, the most first."""
    page.heading("cycles of warps, by what they wait for")
    marks = one.marks
    ranked = sorted(one.stalls, key=lambda s: -s.warp_cycles)
    rows = [
        (
            stall.reason,
            figure(stall.warp_cycles, marks["stalls.warp_cycles"]),
            percent(stall.fraction, marks["stalls.fraction"]),
            MEANINGS[stall.reason],
        )
        for stall in ranked
        if stall.warp_cycles or page.style.verbose
    ]
    page.table(("reason", "cycles", "share", "waits"), rows, left=(0, 3), wrap=(3,))


def line_sections(report: SimulateReport, one: MachineSimulation, page: Page) -> None:
    """Show the lines that warps wait at most, and functions where any were inlined."""
    file = report.kernels[0].file
    names = [kernel.demangled for kernel in report.kernels]
    lines = [(place(x.place, file), x.opcode, *_cells("lines", x, one)) for x in one.lines]
    _ranked(f"lines: {len(lines):,}, those with most stalls first", ("line", "opcode"), lines, page)
    page.line("stalled: cycles of warps that wait to issue, here and not where they wait for")
    if any(function.copies for function in one.functions):
        functions = [
            (x.demangled, _copies(x.copies), *_cells("functions", x, one)) for x in one.functions
        ]
        _ranked(f"functions: {len(functions):,}", ("function", "copies"), functions, page)
    if page.style.verbose:
        blocks = [(x.label, names[x.kernel], *_cells("blocks", x, one)) for x in one.blocks]
        _ranked(f"blocks: {len(blocks):,}", ("block", "kernel"), blocks, page)


def _copies(copies: int) -> str:
    return "the kernel" if not copies else f"{copies:,}"


_COUNTS = ("issued", "stalled", "share", "mostly")


def _ranked(
    title: str, names: tuple[str, str], rows: Sequence[tuple[str, ...]], page: Page
) -> None:
    page.heading(title)
    header = (*names, *_COUNTS)
    last = len(header) - 1
    page.table(header, page.few(rows, TOP), left=(0, 1, last), wrap=(0, 1))
    page.rest(rows, TOP)


def _cells(part: str, one: StalledPart, simulation: MachineSimulation) -> tuple[str, ...]:
    marks = simulation.marks
    return (
        figure(one.issues, marks[f"{part}.issues"]),
        figure(one.stall_cycles, marks[f"{part}.stall_cycles"]),
        percent(one.stall_fraction, marks[f"{part}.stall_fraction"]),
        max(one.stalls, key=lambda reason: one.stalls[reason]) if one.stalls else UNKNOWN,
    )
