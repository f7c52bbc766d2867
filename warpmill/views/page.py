"""A page of text: headings, facts, tables that line up, lists. Made of rich, rendered to a text."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TypeVar

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from warpmill.reports.base import Mark
from warpmill.views.columns import Column, folded, widths_of
from warpmill.views.render import Style
from warpmill.views.safe import escaped

_Row = TypeVar("_Row")

SIGNS = {Mark.EXACT: "", Mark.ASSUMED: "?", Mark.SAMPLED: "≈", Mark.MODELLED: "~"}
"""What stands behind a figure in text."""

LEGEND = "~ modelled   ≈ sampled and scaled   ? assumed   else exact   - unknown or none"

UNKNOWN = "-"


def figure(
    value: float | None, mark: Mark | None = None, unit: str = "", digits: int | None = None
) -> str:
    """Write a number with its mark and unit: ``738,108~ cycles``.

    Whole numbers have thousands apart; others four significant digits, or ``digits`` decimals.
    """
    if value is None:
        return UNKNOWN
    text = _number(value, digits)
    sign = SIGNS[mark] if mark is not None else ""
    return f"{text}{sign} {unit}" if unit else f"{text}{sign}"


def _number(value: float, digits: int | None) -> str:
    if digits is not None:
        return f"{value:,.{digits}f}"
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{round(value):,}"
    return f"{value:.4g}"


def percent(fraction: float | None, mark: Mark | None = None) -> str:
    """Write a share: ``97.5%~``; from 99.95% on without decimals."""
    if fraction is None:
        return UNKNOWN
    sign = SIGNS[mark] if mark is not None else ""
    text = f"{fraction:.1%}" if round(fraction, 3) < 1 else f"{fraction:,.0%}"
    return f"{text}{sign}"


def signed_percent(fraction: float) -> str:
    """Write a difference with its sign: ``+12.3%``, ``-0.1%``; ``0.0%`` has none."""
    text = f"{fraction:+.1%}"
    return text[1:] if text[1:] == "0.0%" else text


_SIZES = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def size(count: float | None, mark: Mark | None = None) -> str:
    """Write bytes in steps of 1000: ``67.1 MB``; below 10 kB as they are."""
    if count is None:
        return UNKNOWN
    sign = SIGNS[mark] if mark is not None else ""
    for step, unit in _SIZES:
        if count >= max(step, 1e4):
            return f"{count / step:.1f} {unit}{sign}"
    return f"{round(count):,} B{sign}"


def capacity(count: int | None, mark: Mark | None = None) -> str:
    """Write the size of a memory in the steps that it is built in: ``40 MiB``."""
    if count is None:
        return UNKNOWN
    sign = SIGNS[mark] if mark is not None else ""
    for step, unit in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if count >= step:
            return f"{count / step:.4g} {unit}{sign}"
    return f"{count:,} B{sign}"


_INDENT = _GAP = 2
"""Blanks before a table, and between its columns."""


class Page:
    """Collects what is to be shown, in order."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self._parts: list[RenderableType] = []

    def title(self, text: str) -> None:
        """Start the page, or its next part."""
        if self._parts:
            self._parts.append(Text(""))
        self._parts.append(Text(escaped(text), style="bold"))

    def heading(self, text: str) -> None:
        """Start a section."""
        self._parts += [Text(""), Text(escaped(text), style="bold cyan")]

    def line(self, text: str) -> None:
        """Add a line."""
        self._parts.append(Padding(Text(escaped(text)), (0, 0, 0, 2)))

    def facts(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Add names with what they are, one a line."""
        table = Table.grid(padding=(0, _GAP))
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        lines = [(escaped(name), escaped(value)) for name, value in pairs]
        names = max((cell_len(name) for name, _ in lines), default=0)
        room = max(20, self._width - _INDENT - names - _GAP)
        for name, value in lines:
            table.add_row(Text(name, style="dim"), Text(folded(value, room)))
        self._parts.append(Padding(table, (0, 0, 0, 2)))

    def table(  # noqa: PLR0913 - each option by its name
        self,
        header: Sequence[str],
        rows: Iterable[Sequence[str]],
        left: Sequence[int] = (0,),
        *,
        wrap: Sequence[int] = (),
        widths: Sequence[int] | None = None,
        has_header: bool = True,
    ) -> None:
        """Add a table; columns in ``left`` are words, the others numbers.

        Where it is too wide, those in ``wrap`` are broken first. ``widths`` fixes all columns.
        """
        cells = [[escaped(cell) for cell in row] for row in rows]
        if widths is None:
            widths = self._widths(header if has_header else [""] * len(header), cells, left, wrap)
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
        table.show_header = has_header
        for place, name in enumerate(header):
            table.add_column(
                Text(name if widths is None else folded(name, widths[place])),
                justify="left" if place in left else "right",
                overflow="fold",
                width=None if widths is None else widths[place],
            )
        for row in cells:
            own = row if widths is None else map(folded, row, widths)
            table.add_row(*map(Text, own))
        self._parts.append(Padding(table, (0, 0, 0, 2)))

    def _widths(
        self,
        header: Sequence[str],
        cells: Sequence[Sequence[str]],
        left: Sequence[int],
        wrap: Sequence[int],
    ) -> list[int] | None:
        """Give the widths of columns of a table that is too wide; None where it is not."""
        columns = [
            Column(name, [row[n] for row in cells], n in left or n in wrap, n in wrap)
            for n, name in enumerate(header)
        ]
        return widths_of(columns, self._width - _INDENT - _GAP * (len(columns) - 1))

    @property
    def _width(self) -> int:
        return max(40, self.style.width)

    def few(self, rows: Sequence[_Row], most: int) -> Sequence[_Row]:
        """Give the first rows of a table that the page shows, or all where it shows everything."""
        return rows if self.style.verbose else rows[:most]

    def rest(self, rows: Sequence[object], most: int) -> None:
        """Say how many rows ``few`` left out."""
        if len(rows) > most and not self.style.verbose:
            self.line(f"and {len(rows) - most:,} more (--verbose)")

    def items(self, lines: Sequence[str], most: int | None = None, more: str = "") -> None:
        """Add a list; beyond ``most`` lines their number, with what shows them."""
        shown = lines if most is None else lines[:most]
        table = Table.grid(padding=(0, 1))
        table.add_column(width=1)
        table.add_column(overflow="fold")
        for line in shown:
            table.add_row("·", Text(folded(escaped(line), self._width - _INDENT - 2)))
        if len(shown) < len(lines):
            table.add_row("·", Text(f"and {len(lines) - len(shown)} more{more}"))
        self._parts.append(Padding(table, (0, 0, 0, 2)))

    def legend(self) -> None:
        """End the page with what its signs mean."""
        self._parts += [Text(""), Text(LEGEND, style="dim")]

    def text(self) -> str:
        """Render the page. Lines carry no blanks at their ends."""
        out = io.StringIO()
        console = Console(
            file=out,
            width=self._width,
            force_terminal=self.style.colour,
            no_color=not self.style.colour,
            color_system="standard" if self.style.colour else None,
            highlight=False,
            legacy_windows=False,
        )
        console.print(Group(*self._parts))
        return "\n".join(line.rstrip() for line in out.getvalue().split("\n"))
