"""Text for a terminal: the page of a result, as wide as the terminal is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from warpmill.report.base import Report
from warpmill.report.layout import PageColumn, beside, broken, cells_of, folded, widths_of
from warpmill.report.manifest import shown
from warpmill.report.page import (
    Block,
    Heading,
    Line,
    Page,
    PageFacts,
    PageItems,
    PageLegend,
    PageTable,
    Title,
)
from warpmill.report.safe import escaped
from warpmill.report.sections import add_sections
from warpmill.report.style import Style

_INDENT = _GAP = 2
"""Blanks before a table, and between its columns."""

_VALUES = 20
"""Cells that the values of facts have at the least."""

_BOLD, _HEADING, _DIM = "1", "1;36", "2"
"""Codes of colours and weights of a terminal."""


def page_of(report: Report, style: Style) -> Page:
    """What a result shows to people, with what its marks mean below."""
    page = Page(style)
    sections = shown(report.report, "page")
    if isinstance(sections, tuple):
        add_sections(page, report, sections)
        return page
    sections(report, page)
    page.legend()
    return page


def text_pages(report: Report, style: Style) -> str:
    """A result as text for people."""
    return page_text(page_of(report, style))


def page_text(page: Page) -> str:
    """A page as text. Lines carry no blanks at their ends."""
    writer = _TextWriter(page.style)
    lines = [line for block in page.blocks for line in writer.lines(block)]
    first = next((place for place, line in enumerate(lines) if line), 0)
    return "".join(f"{line.rstrip()}\n" for line in lines[first:])


class _TextWriter:
    """Writes the blocks of a page."""

    def __init__(self, style: Style) -> None:
        self._colour, self._width = style.colour, max(40, style.width)
        self._room = self._width - _INDENT

    def lines(self, block: Block) -> Iterator[str]:
        """The lines of a block, a blank one before what begins something."""
        match block:
            case Title(text):
                yield from ("", *self._edge(text, _BOLD))
            case Heading(text, note):
                yield from ("", *self._heading(text, note))
            case Line(text):
                yield from self._indented(self._broken(text))
            case PageFacts(pairs):
                yield from self._facts(pairs)
            case PageTable():
                yield from self._table(block)
            case PageItems(lines):
                room = self._room - 2
                for line in lines:
                    both = ("·", folded(escaped(line), room))
                    yield from self._indented(beside(both, (1, room), 1))
            case PageLegend(text):
                yield from ("", *self._edge(text, _DIM))

    def _heading(self, text: str, note: str) -> list[str]:
        """A heading, with what is said of its figures behind it where that fits, or below."""
        if not note:
            return self._edge(text, _HEADING)
        if cells_of(text) + cells_of(note) + 4 <= self._width:
            head = self._painted(escaped(text), _HEADING)
            return [f"{head}  {self._painted(f'({note})', _DIM)}"]
        return [*self._edge(text, _HEADING), *self._edge(f"({note})", _DIM)]

    def _facts(self, pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
        lines = [(escaped(name), escaped(value)) for name, value in pairs]
        names = max((cells_of(name) for name, _ in lines), default=0)
        names = min(names, self._room - _GAP - _VALUES)
        room = self._room - names - _GAP
        for name, value in lines:
            named, told = folded(name, names).split("\n"), broken(folded(value, room), room)
            for begin, rest in zip_longest(named, told, fillvalue=""):
                blank = " " * (names + _GAP - cells_of(begin))
                yield from self._indented([(begin and self._painted(begin, _DIM)) + blank + rest])

    def _table(self, table: PageTable) -> Iterator[str]:
        shown = table.header if table.has_header else ("",) * len(table.header)
        cells = [[escaped(cell) for cell in row] for row in table.rows]
        words = {*table.left, *table.wrap}
        columns = [
            PageColumn(name, [row[n] for row in cells], n in words, n in table.wrap)
            for n, name in enumerate(shown)
        ]
        room = self._room - _GAP * (len(columns) - 1)
        widths = list(table.widths or ())
        if not widths or sum(widths) > room:
            widths = widths_of(columns, room)
        right = [n for n in range(len(columns)) if n not in table.left]
        if table.has_header:
            titles = list(map(folded, shown, widths))
            most = max([title.count("\n") for title in titles], default=0)
            lowest = ["\n" * (most - title.count("\n")) + title for title in titles]
            lines = beside(lowest, widths, _GAP, right)
            yield from self._indented(self._painted(line, _DIM) for line in lines)
        for row in cells:
            yield from self._indented(beside(map(folded, row, widths), widths, _GAP, right))

    def _broken(self, text: str) -> list[str]:
        return broken(escaped(text), self._room)

    def _edge(self, text: str, code: str) -> list[str]:
        """A text from the page's edge on."""
        return [self._painted(line, code) for line in broken(escaped(text), self._width)]

    def _indented(self, lines: Iterable[str]) -> Iterator[str]:
        return (" " * _INDENT + line for line in lines)

    def _painted(self, text: str, code: str) -> str:
        """A text as a terminal with colours takes it."""
        return f"\x1b[{code}m{text.rstrip()}\x1b[0m" if self._colour else text
