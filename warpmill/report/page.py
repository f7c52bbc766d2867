"""A page: headings, facts, tables and lists in order, and how numbers are written on it.

A page says what is shown; text.py and html.py write it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Protocol, TypeVar

from warpmill.analyzer.traces.model import BEYOND_COUNTING
from warpmill.report.base import Mark


@dataclass(frozen=True)
class Style:
    """How text looks: all of it or the main things, how wide, and whether in colour.

    ``metrics``: labels have Nsight Compute's names of metrics beside them. ``command`` is the
    command line that makes the result again, "" where it was made in Python. ``charts``: pages have
    charts, which HTML alone shows.
    """

    verbose: bool = False
    width: int = 80
    colour: bool = False
    metrics: bool = False
    command: str = ""
    charts: bool = False


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


@dataclass(frozen=True)
class Title:
    """Beginning of a page, or of its next part; of many that ``folds``, HTML folds all but one."""

    text: str
    folds: bool = True


@dataclass(frozen=True)
class Heading:
    """The beginning of a section; ``note`` says how far its figures can be trusted.

    ``tone`` is error, warning or note where it is about something to be mended.
    """

    text: str
    note: str
    tone: str = ""


@dataclass(frozen=True)
class Line:
    """A paragraph. ``tone`` is that of a verdict: good, error, warning or note."""

    text: str
    tone: str = ""


@dataclass(frozen=True)
class PageCommand:
    """A command to be copied: one line, however long."""

    text: str


@dataclass(frozen=True)
class PageFacts:
    """Names with what they are, one a line."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PageTable:
    """A table; columns in ``left`` are words, the others numbers.

    Where it is too wide, those in ``wrap`` are broken first. ``widths`` fixes all columns.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: tuple[int, ...]
    wrap: tuple[int, ...]
    widths: tuple[int, ...] | None
    has_header: bool


@dataclass(frozen=True)
class PageItems:
    """A list."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class CodeLine:
    """A line of a file as it stands, without tabs.

    The columns from ``begin`` on, up to that before ``end``, are meant, counted from 0; None: the
    line stands beside one that is.
    """

    number: int
    text: str
    begin: int | None = None
    end: int = 0


def code_line(number: int, text: str, begin: int | None = None, end: int = 0) -> CodeLine:
    """Line of code as pages have it: its tabs are four columns, and it has what is meant of it."""
    shown = text.expandtabs(4)
    if begin is None:
        return CodeLine(number, shown)
    first = len(text[:begin].expandtabs(4))
    last = min(len(text[:end].expandtabs(4)), len(shown))
    return CodeLine(number, shown, first, max(last, first + 1))


@dataclass(frozen=True)
class PageCode:
    """Pieces of files by their names, below what is said of them."""

    caption: str
    files: tuple[tuple[str, tuple[CodeLine, ...]], ...]


@dataclass(frozen=True)
class PageLegend:
    """Meaning of the signs behind figures."""

    text: str


class Drawn(Protocol):
    """Picture that HTML draws and text leaves out: a chart, a graph, a listing of source."""

    kind: ClassVar[str]

    @property
    def title(self) -> str:
        """Title of the picture."""


@dataclass(frozen=True)
class PageChart:
    """A chart, a graph or a listing, which HTML draws."""

    chart: Drawn


Block = (
    Title
    | Heading
    | Line
    | PageCommand
    | PageFacts
    | PageTable
    | PageItems
    | PageCode
    | PageLegend
    | PageChart
)


_MOST_IN_FILES = 50
"""Rows and items that a table or a list in a file has at the least, where there are so many."""


class Page:
    """Collects what is to be shown, in order."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.blocks: list[Block] = []

    def title(self, text: str, *, folds: bool = True) -> None:
        """Start the page, or its next part."""
        self.blocks.append(Title(text, folds))

    def heading(self, text: str, note: str = "", tone: str = "") -> None:
        """Start a section."""
        self.blocks.append(Heading(text, note, tone))

    def blank(self) -> None:
        """Add a blank line."""
        self.blocks.append(Line(""))

    def line(self, text: str, tone: str = "") -> None:
        """Add a line."""
        self.blocks.append(Line(text, tone))

    def command(self, text: str) -> None:
        """Add a command to be copied."""
        self.blocks.append(PageCommand(text))

    def facts(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Add names with what they are, one a line."""
        self.blocks.append(PageFacts(tuple(pairs)))

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
        """Add a table, as ``PageTable`` says."""
        fixed = None if widths is None else tuple(widths)
        cells = tuple(map(tuple, rows))
        self.blocks.append(
            PageTable(tuple(header), cells, tuple(left), tuple(wrap), fixed, has_header)
        )

    def few(self, rows: Sequence[_Row], most: int) -> Sequence[_Row]:
        """The first rows of a table that the page shows, or all where it shows everything."""
        return rows if self.style.verbose else rows[: self._most(most)]

    def _most(self, most: int) -> int:
        """Rows where not everything is asked for: whoever reads a file cannot ask for more."""
        return max(most, _MOST_IN_FILES) if self.style.charts else most

    def rest(self, rows: Sequence[object], most: int) -> None:
        """How many rows ``few`` left out."""
        shown = self._most(most)
        if len(rows) > shown and not self.style.verbose:
            self.line(f"and {len(rows) - shown:,} more (--verbose)")

    def items(self, lines: Sequence[str], most: int | None = None, more: str = "") -> None:
        """Add a list; beyond ``most`` lines their number, with what shows them."""
        shown = tuple(lines if most is None else lines[: self._most(most)])
        if len(shown) < len(lines):
            shown += (f"and {len(lines) - len(shown)} more{more}",)
        if shown:
            self.blocks.append(PageItems(shown))

    def code(self, caption: str, files: Iterable[tuple[str, Iterable[CodeLine]]]) -> None:
        """Add pieces of files, by their names, below what is said of them."""
        pieces = tuple((name, tuple(lines)) for name, lines in files)
        self.blocks.append(PageCode(caption, pieces))

    def legend(self) -> None:
        """End the page with what its signs mean."""
        self.blocks.append(PageLegend(LEGEND))
