"""A page of text: headings, facts, tables that line up, lists. Written line by line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TypeVar

from warpmill.analyzer.traces.counts import BEYOND_COUNTING
from warpmill.reports.base import Mark
from warpmill.views.columns import Column, beside, broken, cells_of, folded, widths_of
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

    Whole numbers have thousands apart; others four significant digits, or ``digits`` decimals. From
    2^63 on all have four digits and an exponent.
    """
    if value is None:
        return UNKNOWN
    text = _number(value, digits)
    sign = SIGNS[mark] if mark is not None else ""
    return f"{text}{sign} {unit}" if unit else f"{text}{sign}"


def _number(value: float, digits: int | None) -> str:
    if abs(value) >= BEYOND_COUNTING:
        return f"{Decimal(value):.4g}"  # an integer may be more than a float holds
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


_SIZES = ((1e18, "EB"), (1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def size(count: float | None, mark: Mark | None = None) -> str:
    """Write bytes in steps of 1000: ``67.1 MB``; below 10 kB as they are."""
    if count is None:
        return UNKNOWN
    sign = SIGNS[mark] if mark is not None else ""
    if count >= BEYOND_COUNTING:
        return f"{_number(count, None)} B{sign}"
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


_BOLD, _HEADING, _DIM = "1", "1;36", "2"
"""Codes of colours and weights of a terminal."""


class Page:
    """Collects what is to be shown, in order."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self._lines: list[str] = []

    def title(self, text: str) -> None:
        """Start the page, or its next part."""
        if self._lines:
            self._lines.append("")
        self._add(text, _BOLD)

    def heading(self, text: str) -> None:
        """Start a section."""
        self._lines.append("")
        self._add(text, _HEADING)

    def line(self, text: str) -> None:
        """Add a line."""
        self._indent(broken(escaped(text), self._room))

    def facts(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Add names with what they are, one a line."""
        lines = [(escaped(name), escaped(value)) for name, value in pairs]
        names = max((cells_of(name) for name, _ in lines), default=0)
        room = self._room - names - _GAP
        blank = " " * (names + _GAP)
        for name, value in lines:
            first, *rest = broken(folded(value, max(20, room)), max(1, room))
            begin = self._painted(name, _DIM) + blank[cells_of(name) :]
            self._indent([begin + first, *(blank + line for line in rest)])

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
        shown = header if has_header else [""] * len(header)
        cells = [[escaped(cell) for cell in row] for row in rows]
        columns = [
            Column(name, [row[n] for row in cells], n in left or n in wrap, n in wrap)
            for n, name in enumerate(shown)
        ]
        room = self._room - _GAP * (len(columns) - 1)
        if widths is None or sum(widths) > room:
            widths = widths_of(columns, room)
        right = [n for n in range(len(columns)) if n not in left]
        if has_header:
            titles = list(map(folded, shown, widths))
            most = max([title.count("\n") for title in titles], default=0)
            lowest = ["\n" * (most - title.count("\n")) + title for title in titles]
            lines = beside(lowest, widths, _GAP, right)
            self._indent([self._painted(line, _DIM) for line in lines])
        for row in cells:
            self._indent(beside(map(folded, row, widths), widths, _GAP, right))

    @property
    def _width(self) -> int:
        return max(40, self.style.width)

    @property
    def _room(self) -> int:
        """What a line has beside its indent."""
        return self._width - _INDENT

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
        told = [escaped(line) for line in shown]
        if len(shown) < len(lines):
            told.append(f"and {len(lines) - len(shown)} more{more}")
        room = self._room - 2
        for line in told:
            self._indent(beside(("·", folded(line, room)), (1, room), 1))

    def legend(self) -> None:
        """End the page with what its signs mean."""
        self._lines.append("")
        self._add(LEGEND, _DIM)

    def text(self) -> str:
        """The page. Lines carry no blanks at their ends."""
        return "".join(f"{line.rstrip()}\n" for line in self._lines)

    def _add(self, text: str, code: str) -> None:
        """Add a text from the page's edge on."""
        self._lines += [self._painted(line, code) for line in broken(escaped(text), self._width)]

    def _indent(self, lines: Iterable[str]) -> None:
        self._lines += [" " * _INDENT + line for line in lines]

    def _painted(self, text: str, code: str) -> str:
        """A text as a terminal with colours takes it."""
        return f"\x1b[{code}m{text.rstrip()}\x1b[0m" if self.style.colour else text
