"""The page of a result as text for a terminal, as wide as it is, and as Markdown for notes."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.report.base import Report
from warpmill.report.page import (
    Block,
    Heading,
    Line,
    Page,
    PageCode,
    PageCommand,
    PageFacts,
    PageItems,
    PageLegend,
    PageTable,
    Style,
    Title,
)
from warpmill.report.read import Reader
from warpmill.report.safe import escaped, printable

if TYPE_CHECKING:
    from warpmill.report.sections import Section


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
        (numbers, in_words),
        (others, in_words),
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
    """A word as it is, or in pieces where no line has room for it."""
    if cells_of(begun) <= width or cells_of(word.lstrip()) <= width:
        return [word]
    found: list[str] = []
    for piece in _PIECE.findall(word):
        found += [piece] if cells_of(piece) <= width else chop_cells(piece, width)
    return found


def _widest(texts: Iterable[str]) -> int:
    return max((cells_of(line) for text in texts for line in text.split("\n")), default=0)


_INDENT = _GAP = 2
"""Blanks before a table, and between its columns."""

_VALUES = 20
"""Cells that the values of facts have at the least."""

_BOLD, _HEADING, _DIM = "1", "1;36", "2"
"""Codes of colours and weights of a terminal."""


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
            case Title(text, _):
                yield from ("", *self._edge(text, _BOLD))
            case Heading(text, note, _):
                yield from ("", *self._heading(text, note))
            case Line(text, _):
                yield from self._indented(self._broken(text))
            case PageCommand(text):
                yield from self._indented([f"$ {text}"])
            case PageFacts(pairs):
                yield from self._facts(pairs)
            case PageTable():
                yield from self._table(block)
            case PageItems(lines):
                room = self._room - 2
                for line in lines:
                    both = ("·", folded(escaped(line), room))
                    yield from self._indented(beside(both, (1, room), 1))
            case PageCode():
                yield from self._indented(escaped(line) for line in _code(block))
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


# -- Markdown --------------------------------------------------------------------------------------

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")


def markdown(page: Page, report: Report) -> str:
    """A page as Markdown; what names hold is shown as it is, never read as mark-up.

    It has what a pull request needs: the answer, one table, one line of provenance; or everything
    where the page's style asks for that.
    """
    shown = page.blocks if page.style.verbose else _short(page.blocks)
    parts = ["\n".join(_markdown_lines(block)) for block in shown]
    return "\n\n".join([*filter(None, parts), _provenance(page, report)]) + "\n"


def section_markdown(section: Section, subject: Reader) -> str:
    """What a section shows of a result, whole and without its heading; "" for nothing."""
    page = Page(Style(verbose=True))
    section.add(page, subject)
    shown = (block for block in page.blocks if not isinstance(block, Heading))
    return "\n\n".join("\n".join(_markdown_lines(block)) for block in shown)


def _short(blocks: Sequence[Block]) -> list[Block]:
    """The title and the answer, which stand above the first heading, and the first table below."""
    ends = (number for number, block in enumerate(blocks) if isinstance(block, Heading))
    first = next(ends, len(blocks))
    above = Title | Line | PageCommand | PageItems | PageTable
    title = next((block for block in blocks if isinstance(block, Title)), None)
    shown: list[Block] = [
        block
        for block in blocks[:first]
        if isinstance(block, above) and (block is title or not isinstance(block, Title))
    ]
    if not any(isinstance(block, PageTable) for block in shown):
        tables = (n for n, x in enumerate(blocks) if isinstance(x, PageTable | PageFacts))
        place = next((n for n in tables if n > first), None)
        shown += [] if place is None else [blocks[first], _as_table(blocks[place])]
    return shown


def _as_table(block: Block) -> Block:
    """Facts as a table of two columns; a table as it is."""
    if not isinstance(block, PageFacts):
        return block
    return PageTable(("", ""), block.pairs, (0,), (), None, has_header=True)


def _provenance(page: Page, report: Report) -> str:
    """The version and the command that makes the result again."""
    command = page.style.command
    ticks = "`" * (1 + max(map(len, re.findall("`+", command)), default=0))
    told = f": {ticks}{escaped(command)}{ticks}" if command else ""
    return f"*warpmill {_plain(report.warpmill_version)}*{told}"


def _code(block: PageCode) -> Iterator[str]:
    """Lines of code with their numbers, and carets below what is meant."""
    yield block.caption
    for line in (line for _, lines in block.files for line in lines):
        yield f"{line.number:5} | {line.text}"
        if line.begin is not None:
            yield f"{'':5} | {'':{line.begin}}{'^' * (line.end - line.begin)}"


def _markdown_lines(block: Block) -> Iterator[str]:
    match block:
        case Title(text, _):
            yield f"## {_plain(text)}"
        case Heading(text, note, _):
            yield f"### {_plain(text)}" + (f"\n\n*{_plain(note)}*" if note else "")
        case Line(text, _) | PageLegend(text):
            yield _plain(text)
        case PageCommand(text):
            yield from ("```console", escaped(f"$ {text}"), "```")
        case PageFacts(pairs):
            yield from (f"- {_plain(name)}: {_plain(value)}" for name, value in pairs)
        case PageItems(lines):
            yield from (f"- {_plain(line)}" for line in lines)
        case PageCode():
            yield from ("```", *map(escaped, _code(block)), "```")
        case PageTable():
            header = block.header if block.has_header else ("",) * len(block.header)
            yield _row(header)
            left = {*block.left, *block.wrap}
            yield _row([":--" if n in left else "--:" for n in range(len(header))], raw=True)
            yield from map(_row, block.rows)


def _row(cells: Sequence[str], *, raw: bool = False) -> str:
    return f"| {' | '.join(cells if raw else map(_plain, cells))} |"


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", escaped(text)).replace("\n", " ")


# From a report to a text in one of the formats.


def render(report: Report, format_: str, style: Style | None = None) -> str:
    """A report as ``text``, ``md``, ``html``, ``json`` or ``csv``.

    A graph as ``dot`` or ``svg`` too, what has issues as ``sarif``, ``junit`` or ``github``. The
    text ends with a newline. UsageError for a format that the report does not have.
    """
    with gc_paused():
        return _rendered(report, format_, style)


def _rendered(report: Report, format_: str, style: Style | None) -> str:
    if format_ == "json":
        from warpmill.report.base import json_text  # noqa: PLC0415 - only what is asked for

        return json_text(report)
    if format_ == "csv":
        from warpmill.report.table import csv_text  # noqa: PLC0415 - only what is asked for

        return csv_text(report)
    if format_ == "dot":
        from warpmill.report.graphs import dot_text  # noqa: PLC0415 - only what is asked for

        return dot_text(report)
    if format_ == "svg":
        from warpmill.report.graphs import svg_text  # noqa: PLC0415 - only what is asked for

        return svg_text(report)
    if format_ in {"sarif", "junit", "github"}:
        from warpmill.report.issues import issues_text  # noqa: PLC0415 - only what is asked for

        return issues_text(report, format_)
    if format_ not in {"text", "md", "html"}:
        raise UsageError(f"there is no format {format_}")
    from warpmill.report.sections import page_of  # noqa: PLC0415 - only once there is a report

    page = page_of(report, replace(style or Style(), charts=format_ == "html"))
    if format_ == "md":
        return markdown(page, report)
    if format_ == "html":
        from warpmill.report.html import html  # noqa: PLC0415 - only what is asked for

        return html(page, report)
    return printable(page_text(page))
