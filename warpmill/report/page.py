"""A page of text: headings, facts, tables that line up, lists. Written line by line."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import zip_longest
from typing import TypeVar

from rich.cells import cell_len, chop_cells

from warpmill.analyzer.traces.counts import BEYOND_COUNTING
from warpmill.report.base import Mark
from warpmill.report.safe import escaped
from warpmill.report.style import Style

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

    def table(
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
            PageColumn(name, [row[n] for row in cells], n in left or n in wrap, n in wrap)
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


# How wide columns of a table are, and where their texts are broken, where it is too wide a table.
#
# Texts are broken between words, words after signs such as ``/``, ``-`` and ``_``, and elsewhere
# only where nothing else fits. Widths are in cells of a terminal.

NARROW, ROOMY = 10, 20
"""The widths that those which are broken first keep at least, and at most where words are long."""
LEAST, LONGEST = 8, 30
"""The widths that all words keep until numbers are broken, and that pieces of words are kept to."""

_WORD = re.compile(r"\s*\S+")
_PIECE = re.compile(r"[^/\\_.,:;=@+|&-]*[/\\_.,:;=@+|&-]+|[^/\\_.,:;=@+|&-]+")


@dataclass(frozen=True)
class PageColumn:
    """The texts of a column below its ``header``.

    ``is_words``: they may be broken; ``is_first``: and are broken before those of other columns.
    """

    header: str
    cells: Sequence[str]
    is_words: bool
    is_first: bool = False

    @cached_property
    def whole(self) -> int:
        """The width that it has where nothing is broken."""
        return _widest((self.header, *self.cells))

    @cached_property
    def in_words(self) -> int:
        """The width below which words would be broken, or numbers."""
        head = _widest(self.header.split())
        return max(head, _widest(self._words) if self.is_words else _widest(self.cells))

    @cached_property
    def in_pieces(self) -> int:
        """The width below which words would be broken where there is no sign."""
        return min(
            LONGEST, _widest(piece for word in self._words for piece in _PIECE.findall(word))
        )

    @cached_property
    def _words(self) -> list[str]:
        return [word for cell in (self.header, *self.cells) for word in cell.split()]


def widths_of(columns: Sequence[PageColumn], room: int) -> list[int]:
    """The columns' widths, which fit into ``room`` cells: those that they have unless too wide."""
    if sum(column.whole for column in columns) <= room:
        return [column.whole for column in columns]
    widths = [min(column.whole, room) for column in columns]
    every = range(len(columns))
    first = [number for number in every if columns[number].is_first]
    words = [number for number in every if columns[number].is_words]
    others = [number for number in words if number not in first]
    numbers = [number for number in every if number not in words]
    in_words = [column.in_words for column in columns]
    in_pieces = [column.in_pieces for column in columns]
    for chosen, least in (
        (first, [min(max(width, NARROW), ROOMY) for width in in_words]),
        (others, in_words),
        (numbers, in_words),
        (first, [max(width, NARROW) for width in in_pieces]),
        (others, in_pieces),
        (words, [LEAST] * len(columns)),
        (every, [1] * len(columns)),
    ):
        _narrow(widths, chosen, least, room)
    return widths


def _narrow(widths: list[int], chosen: Sequence[int], least: Sequence[int], room: int) -> None:
    """Take from the widest of the chosen columns, none becoming narrower than its ``least``."""
    excess = sum(widths) - room
    while excess > 0:
        free = [number for number in chosen if widths[number] > least[number]]
        if not free:
            return
        widest = max(free, key=lambda number: (widths[number], number))
        widths[widest] -= 1
        excess -= 1


def cells_of(text: str) -> int:
    """The cells of a terminal that a text takes."""
    return len(text) if text.isascii() and text.isprintable() else cell_len(text)


def beside(
    texts: Iterable[str], widths: Sequence[int], gap: int, right: Container[int] = ()
) -> Iterator[str]:
    """Lines of texts that stand beside each other, those in ``right`` aligned to the right."""
    columns = [broken(text, width) for text, width in zip(texts, widths, strict=True)]
    for pieces in zip_longest(*columns, fillvalue=""):
        line = ""
        for place, (piece, width) in enumerate(zip(pieces, widths, strict=True)):
            text = piece.rstrip() if place in right else piece
            free = " " * (width - cells_of(text))
            line += " " * gap * (place > 0) + (free + text if place in right else text + free)
        yield line


def broken(text: str, width: int) -> list[str]:
    """The lines of a text, broken between words where they are too wide."""
    lines: list[str] = []
    for line in text.split("\n"):
        if cells_of(line) <= width and "\t" not in line:
            lines.append(line)
            continue
        from rich.console import Console  # noqa: PLC0415 - slow to load, and seldom needed
        from rich.text import Text  # noqa: PLC0415

        lines += [part.plain for part in Text(line).wrap(Console(), width)]
    return lines


def folded(text: str, width: int) -> str:
    """Break a text into lines of that width; blanks at its beginning stay."""
    if cells_of(text) <= width and "\n" not in text:
        return text
    return "\n".join(line for part in text.split("\n") for line in _lines(part, width))


def _lines(text: str, width: int) -> list[str]:
    lines = [""]
    for word in _WORD.findall(text):
        for piece in _parts(lines[-1] + word, word, width):
            if cells_of(lines[-1] + piece) <= width or lines == [""]:
                lines[-1] += piece
            else:
                lines.append(piece.lstrip())
    return lines


def _parts(begun: str, word: str, width: int) -> list[str]:
    """Give a word as it is, or in pieces where no line has room for it."""
    if cells_of(begun) <= width or cells_of(word.lstrip()) <= width:
        return [word]
    found: list[str] = []
    for piece in _PIECE.findall(word):
        found += [piece] if cells_of(piece) <= width else chop_cells(piece, width)
    return found


def _widest(texts: Iterable[str]) -> int:
    return max((cells_of(line) for text in texts for line in text.split("\n")), default=0)
