"""Sections of pages: what of a result they show, read off its fields.

A page is a list of sections, and a function only where a section is truly special. A section names
fields by dotted path; their labels, units and marks come from the fields. How far the figures of a
section can be trusted stands once, behind its title, and behind a figure only where it differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import pairwise
from typing import Any, Protocol

from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.report.base import Report
from warpmill.report.manifest import shown
from warpmill.report.page import (
    UNKNOWN,
    Heading,
    Line,
    Page,
    PageChart,
    PageItems,
    PageLegend,
    Style,
    Title,
)
from warpmill.report.read import Reader, Reading

Words = Callable[[Any], Any]
"""What is shown of a value: words, or another value."""


class Section(Protocol):
    """A part of a page."""

    def add(self, page: Page, subject: Reader) -> None:
        """Show it of a result."""


@dataclass(frozen=True)
class Shown:
    """A field that a section shows under a label of its own, or words made of the result.

    ``words`` are of what stands at the path, ``told`` of the reader, which knows what holds the
    result. ``detail``: only where everything is asked for. ``metric`` is of a value that no field
    has, as of a figure in a mapping; or a function of the result whose figures have one each. In
    a table, texts of more than ``most`` characters are cut in the middle unless everything is asked
    for.
    """

    path: str
    label: str = ""
    words: Words | None = None
    detail: bool = False
    told: Callable[[Reader], str | None] | None = None
    metric: Metric | Callable[[Any], Metric] | None = None
    most: int | None = None

    def read(self, reader: Reader) -> Reading:
        """Reading of a result."""
        found = reader.at(self.path) if self.path else Reading(reader.subject)
        if self.metric is not None:
            own = self.metric if isinstance(self.metric, Metric) else self.metric(reader.subject)
            found = Reading(found.value, own, found.mark or own.mark)
        if self.told is not None:
            return Reading(self.told(reader), found.metric, found.mark)
        if self.words is None:
            return found
        return Reading(self.words(found.value), found.metric, found.mark)

    def name(self, readings: Iterable[Reading], page: Page) -> str:
        """Name: its label or that of the field, and its metric if pages have these."""
        known = [r for r in readings if r.metric is not None]
        label = self.label or next((r.label for r in known if r.label), self.path)
        metric = next((r.metric.ncu for r in known if r.metric and r.metric.ncu), None)
        return f"{label}\n{metric}" if page.style.metrics and metric else label


@dataclass(frozen=True)
class PageRow:
    """A row as it is shown: its name and what each subject has."""

    name: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True)
class Each:
    """A row for each element of a list, called by ``name`` of it, with ``value`` of it.

    In the order of the list, or by ``order``, least first. Elements that ``chosen`` takes for no
    subject are left out unless everything is asked for, and put together in a row ``rest`` where
    it has a name. Beyond ``top`` rows their number is told. ``words`` writes a name for people.
    """

    path: str
    name: str
    value: str | Shown
    order: Callable[[Any], float] | None = None
    chosen: Callable[[Any], bool] | None = None
    rest: str = ""
    top: int | None = None
    words: Callable[[Reader, str], str] | None = None

    def lines(self, subjects: Sequence[Reader], page: Page) -> Iterator[PageRow]:
        """The rows, by the names that some subject has."""
        verbose = page.style.verbose
        found = [{str(e.at(self.name).value): e for e in s.each(self.path)} for s in subjects]
        names = list(dict.fromkeys(name for one in found for name in one))
        if self.order is not None:
            key = self.order
            names.sort(key=lambda n: min(key(one[n].subject) for one in found if n in one))
        kept = [n for n in names if verbose or self._is_chosen(n, found)]
        shown = kept if verbose else kept[: self.top]
        for name in shown:
            words = name if self.words is None else self.words(subjects[0], name)
            element = next(one[name] for one in found if name in one)
            metric = getattr(element.at(self.name).value, "metric", None)
            if page.style.metrics and metric:
                words = f"{words}\n{metric}"
            yield PageRow(words, tuple(map(self._reading, (one.get(name) for one in found))))
        if self.rest and len(kept) < len(names):
            others = set(names) - set(kept)
            yield PageRow(self.rest, tuple(self._sum(one, others) for one in found))
        if len(shown) < len(kept):
            more = f"and {len(kept) - len(shown):,} more (--verbose)"
            yield PageRow(more, (Reading(""),) * len(found))

    def _is_chosen(self, name: str, found: Sequence[Mapping[str, Reader]]) -> bool:
        test = self.chosen
        return test is None or any(test(one[name].subject) for one in found if name in one)

    def _reading(self, element: Reader | None) -> Reading:
        if element is None:
            return Reading(None)
        return (Shown(self.value) if isinstance(self.value, str) else self.value).read(element)

    def _sum(self, found: Mapping[str, Reader], names: set[str]) -> Reading:
        readings = [self._reading(found[name]) for name in sorted(names) if name in found]
        if not readings:
            return Reading(None)
        return replace(readings[0], value=sum(r.value or 0.0 for r in readings))


Row = str | Shown | Each


@dataclass(frozen=True)
class Comparison:
    """Results side by side: a row for each field, a column for each subject.

    ``of`` is the path to the subjects, ``head`` the field that heads a column. ``detail``: only
    where everything is asked for; ``when``: only of such results. One subject is shown as facts.
    """

    title: str
    rows: tuple[Row, ...]
    of: str = ""
    head: str = "machine"
    detail: bool = False
    when: Callable[[Any], bool] | None = None

    def add(self, page: Page, subject: Reader) -> None:
        """Show the rows that have something, in tables as wide as the page."""
        if self.detail and not page.style.verbose:
            return
        if self.when is not None and not self.when(subject.subject):
            return
        subjects = subject.each(self.of) if self.of else [subject]
        lines = [line for row in self.rows for line in _lines(row, subjects, page)]
        told = [line for line in lines if any(r.value is not None for r in line.readings)]
        if not told:
            return
        common, note = _trust([r.mark for line in told for r in line.readings])
        if self.title:
            page.heading(self.title, note)
        if len(subjects) == 1:
            page.facts((line.name.replace("\n", "  "), _cells(line, common)[0]) for line in told)
            return
        heads = [str(one.at(self.head).value) for one in subjects]
        per_table = max(1, (page.style.width - _NAMES) // _SUBJECT)
        for start in range(0, len(subjects), per_table):
            chosen = slice(start, start + per_table)
            _side_by_side(page, heads[chosen], told, chosen, common)


_NAMES, _SUBJECT, _WIDEST = 28, 16, 24
"""The widths of a comparison's names, the least of a subject's column, and the most."""


def _side_by_side(
    page: Page, heads: Sequence[str], told: Sequence[PageRow], chosen: slice, common: Mark | None
) -> None:
    width = min((page.style.width - _NAMES - 2) // len(heads) - 2, _WIDEST)
    rows = [(line.name, *_cells(line, common)[chosen]) for line in told]
    page.table(("", *heads), rows, widths=[_NAMES - 2, *([width] * len(heads))])


def _cells(line: PageRow, common: Mark | None) -> list[str]:
    return [r.text(sign=r.mark not in {None, common}) for r in line.readings]


def _lines(row: Row, subjects: Sequence[Reader], page: Page) -> Iterator[PageRow]:
    if isinstance(row, Each):
        yield from row.lines(subjects, page)
        return
    shown = Shown(row) if isinstance(row, str) else row
    if shown.detail and not page.style.verbose:
        return
    readings = tuple(map(shown.read, subjects))
    yield PageRow(shown.name(readings, page), readings)


def _trust(marks: Iterable[Mark | None]) -> tuple[Mark | None, str]:
    """The mark that most figures of a section have, and what the section says of it."""
    counted = Counter(mark for mark in marks if mark is not None)
    if not counted:
        return None, ""
    common = max(counted, key=lambda mark: (counted[mark], list(Mark).index(mark)))
    others = [_SIGNED[mark] for mark in Mark if mark in counted and mark is not common]
    return common, "; ".join([common.value, *others])


_SIGNED = {
    Mark.EXACT: "= exact",
    Mark.ASSUMED: "? assumed",
    Mark.SAMPLED: "≈ sampled",
    Mark.MODELLED: "~ modelled",
}


@dataclass(frozen=True)
class Table:
    """A table: a row for each element of a list, a column for each field.

    The first ``top`` rows, or all where everything is asked for: a number, or the field of the
    result, or of one that holds it, that has it. ``left`` are the numbers of columns of words,
    ``wrap`` those that are broken where the table is too wide. ``chosen`` takes elements out, as
    ``reads`` does of their readers, ``main`` says which are shown unless everything is asked for,
    ``order`` puts the greatest first; ``when``: only of such results. ``alike``: rows that are
    alike are shown as one, their number before it, and behind it what is written of them all,
    unless everything is asked for. Columns ``once`` are empty where a row has what the one above
    has. ``below`` stands under the table. ``title`` may be made of the result.
    """

    title: str | Callable[[Any], str]
    of: str
    columns: tuple[str | Shown, ...]
    top: int | str = 10
    left: Sequence[int] = (0,)
    wrap: Sequence[int] = ()
    once: Sequence[int] = ()
    order: Callable[[Any], float] | None = None
    chosen: Callable[[Any], bool] | None = None
    detail: bool = False
    when: Callable[[Any], bool] | None = None
    main: Callable[[Any], bool] | None = None
    reads: Callable[[Reader], bool] | None = None
    alike: tuple[str, Callable[[Sequence[Reader]], str]] | None = None
    below: str = ""

    def add(self, page: Page, subject: Reader) -> None:
        """Show the table, if it has rows."""
        if self.when is not None and not self.when(subject.subject):
            return
        tests = [self.chosen, None if page.style.verbose else self.main]
        wanted = [test for test in tests if test is not None]
        rows = [r for r in subject.each(self.of) if all(test(r.subject) for test in wanted)]
        rows = [r for r in rows if self.reads is None or self.reads(r)]
        if not rows or (self.detail and not page.style.verbose):
            return
        if self.order is not None:
            order = self.order
            rows.sort(key=lambda r: -order(r.subject))
        columns = [Shown(c) if isinstance(c, str) else c for c in self.columns]
        shown = [[column.read(row) for column in columns] for row in rows]
        asked = [n for n, c in enumerate(columns) if page.style.verbose or not c.detail]
        kept = [n for n in asked if any(r[n].value is not None for r in shown)]
        common, note = _trust(r[n].mark for r in shown for n in kept)
        title = self.title if isinstance(self.title, str) else self.title(subject.subject)
        if title:
            page.heading(title, note)
        header = [columns[n].name([r[n] for r in shown], page) for n in kept]
        cells = [[r[n].text(sign=r[n].mark not in {None, common}) for n in kept] for r in shown]
        if not page.style.verbose:
            most = [columns[n].most for n in kept]
            cells = [[_cut(text, m) for text, m in zip(r, most, strict=True)] for r in cells]
        left = [place for place, n in enumerate(kept) if n in self.left]
        wrap = [place for place, n in enumerate(kept) if n in self.wrap]
        if self.alike is not None:
            name, words = self.alike
            behind = len(header) + 1
            header = ["n", *header, name]
            cells = _grouped(cells, rows, words, every=page.style.verbose)
            left, wrap = ([*(n + 1 for n in each), behind] for each in (left, wrap))
        for n in (place for place, n in enumerate(kept) if n in self.once):
            for above, row in reversed(list(pairwise(cells))):
                row[n] = "" if row[n] == above[n] else row[n]
        top = self.top if isinstance(self.top, int) else subject.above(self.top)
        page.table(header, page.few(cells, top), left, wrap=wrap)
        page.rest(cells, top)
        if self.below:
            page.line(self.below)


def _cut(text: str, most: int | None) -> str:
    if most is None or len(text) <= most:
        return text
    half = (most - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def _grouped(
    cells: Sequence[Sequence[str]],
    rows: Sequence[Reader],
    words: Callable[[Sequence[Reader]], str],
    *,
    every: bool,
) -> list[list[str]]:
    """Rows that are alike as one, with their number and what is written of them."""
    groups: dict[tuple[str, ...], list[Reader]] = {}
    for number, (row, reader) in enumerate(zip(cells, rows, strict=True)):
        groups.setdefault((*row, str(number)) if every else tuple(row), []).append(reader)
    return [[str(len(g)), *key[: len(cells[0])], words(g)] for key, g in groups.items()]


@dataclass(frozen=True)
class Items:
    """A list of texts; the first few, or all where everything is asked for."""

    title: str
    of: str
    top: int = 5

    def add(self, page: Page, subject: Reader) -> None:
        """Show the list, if there is anything in it."""
        lines = [str(line) for line in subject.at(self.of).value or ()]
        if not lines:
            return
        page.line(f"{self.title}:" if self.title else "")
        page.items(lines, None if page.style.verbose else self.top, " (--verbose)")


@dataclass(frozen=True)
class Sentences:
    """Sentences as one paragraph: the answer that a page opens with."""

    of: str

    def add(self, page: Page, subject: Reader) -> None:
        """Show them."""
        page.line(" ".join(subject.at(self.of).value))


@dataclass(frozen=True)
class Charts:
    """A section of charts, which HTML alone shows: what a function makes of a result.

    ``place`` names the function as ``module:name``, so that text need not load it.
    """

    place: str

    def add(self, page: Page, subject: Reader) -> None:
        """Add the charts that there are."""
        if page.style.charts:
            module, _, name = self.place.partition(":")
            make = getattr(import_module(module), name)
            page.blocks.extend(map(PageChart, make(subject.subject)))


@dataclass(frozen=True)
class Special:
    """A section that only a function can show; it is handed the page and the result."""

    show: Callable[[Page, Any], None]

    def add(self, page: Page, subject: Reader) -> None:
        """Call the function."""
        self.show(page, subject.subject)


@dataclass(frozen=True)
class Repeated:
    """Sections again for each element of a list; ``title`` heads each.

    ``few`` chooses those that are shown unless everything is asked for, in a result; ``when``:
    only of such results. ``apart``: a single one has no title, as what is above says which it is.
    """

    of: str
    sections: tuple[Section, ...]
    title: Callable[[Any], str] | None = None
    few: Callable[[Any], Sequence[int]] | None = None
    apart: bool = False
    when: Callable[[Any], bool] | None = None

    def add(self, page: Page, subject: Reader) -> None:
        """Show the sections of each element."""
        if self.when is not None and not self.when(subject.subject):
            return
        found = subject.each(self.of)
        if self.few is not None and not page.style.verbose:
            found = [found[number] for number in self.few(subject.subject)]
        is_titled = len(found) > 1 or not self.apart
        for one in found:
            if self.title is not None and is_titled:
                page.title(self.title(one.subject))
            add_sections(page, one, self.sections)


def add_sections(page: Page, subject: Any, sections: Iterable[Section]) -> None:
    """Show sections of a result, one after another."""
    reader = subject if isinstance(subject, Reader) else Reader(subject)
    for section in sections:
        section.add(page, reader)


def page_of(report: Report, style: Style) -> Page:
    """Page of a result, with what its marks mean below."""
    page = Page(style)
    sections = shown(report.report, "page")
    if isinstance(sections, tuple):
        add_sections(page, report, sections)
        return page
    sections(report, page)
    page.legend()
    return page


@dataclass(frozen=True)
class Whole:
    """The page of a result that another one holds, under a title of its own; none of null.

    A page with one title loses it, and the answer below it, which the page that it stands in gives.
    """

    of: str
    title: str

    def add(self, page: Page, subject: Reader) -> None:
        """Show the page."""
        found = subject.at(self.of).value
        if found is None:
            return
        blocks = [b for b in page_of(found, page.style).blocks if not isinstance(b, PageLegend)]
        page.title(self.title, folds=False)
        if sum(isinstance(block, Title) for block in blocks) == 1:
            ends = (n for n, block in enumerate(blocks) if isinstance(block, Heading | PageChart))
            first = next(ends, len(blocks))
            answer = (Title, Line, PageItems)
            page.blocks += [b for b in blocks[:first] if not isinstance(b, answer)]
            blocks = blocks[first:]
        page.blocks += blocks


__all__ = [
    "UNKNOWN", "Charts", "Comparison", "Each", "Items", "Repeated", "Section", "Sentences", "Shown",
    "Special", "Table", "Whole", "add_sections", "page_of",
]  # fmt: skip
