"""Figures of two builds as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.reports.diff_figures import Figure, Value
from warpmill.views import page as figures
from warpmill.views.page import Page
from warpmill.views.words import dimensions

HEADER = ("a", "b", "b - a", "change")


def add_figures(page: Page, heading: str, name: str, rows: Sequence[Figure], total: int) -> None:
    """Show figures under a heading that says how many of ``total`` differ."""
    page.heading(counted(heading, sum(row.equal is False for row in rows), total))
    if rows:
        page.table((name, *HEADER), map(row_of, rows), wrap=(0, 1, 2))


def counted(heading: str, different: int, total: int) -> str:
    """Say how many differ: ``loops: none of 2 differ``."""
    verb = "differs" if different == 1 else "differ"
    return f"{heading}: {different or 'none'} of {total} {verb}"


def row_of(row: Figure) -> tuple[str, ...]:
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


def _delta(row: Figure) -> str:
    """Write a difference with its sign; of shares in points of a hundred."""
    if not row.delta:
        return ""
    mark = row.marks["delta"]
    if row.unit == "fraction":
        return f"{row.delta * 100:+.1f}{figures.SIGNS[mark]} points"
    delta = figures.figure(row.delta, mark)
    return f"+{delta}" if row.delta > 0 else delta


def _words(row: Figure) -> str:
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
    "bank_passes": "bank passes",
    "max_threads": "threads a CTA at most",
    "required_threads": "threads a CTA exactly",
    "min_ctas_per_sm": "CTAs an SM at least",
    "max_registers": "registers at most",
    "sectors": "sectors",
}


def _value(row: Figure, value: Value, side: str) -> str:
    if isinstance(value, list):
        return dimensions(value)
    if isinstance(value, str):
        return value
    if row.unit == "fraction" and value is not None:
        return figures.percent(value, row.marks[side])
    return figures.figure(value, row.marks[side])
