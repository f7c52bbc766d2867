"""CSV: one flat table for each kind of result, with columns that docs/guide names."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.metric import Mark, Named
from warpmill.report.base import Report
from warpmill.report.fields import fields_of, has_fields
from warpmill.report.manifest import shown
from warpmill.report.read import Reader, is_field
from warpmill.report.safe import plain_text

if TYPE_CHECKING:
    from warpmill.report.facts import SourcePlace

CsvRow = Mapping[str, Any]


@dataclass(frozen=True)
class RowsOf:
    """Rows of a table: one for each element of a list of the result, however deep it lies.

    ``of`` is the dotted path to the list, through lists; "" the result itself. A column is the
    field of its name, of the element or else of a part of it. ``names`` says it where it is another
    one: a path from the element, one that begins with a dot and goes from the result
    (``.launches.kernel.name``), or a function of the element. ``fixed`` are values of all rows.
    ``mark`` is the path of the figure whose mark stands in the column ``mark``. ``chosen`` takes
    elements out.
    """

    of: str
    names: Mapping[str, str | Callable[[Any], Any]] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    mark: str = ""
    chosen: Callable[[Any], bool] | None = None

    def rows(self, report: Report, columns: Sequence[str]) -> Iterator[CsvRow]:
        """The rows of a result."""
        for chain in _chains(Reader(report), self.of):
            if self.chosen is None or self.chosen(chain[-1].subject):
                yield {column: self._value(column, chain) for column in columns}

    def _value(self, column: str, chain: Sequence[Reader]) -> Any:
        if column in self.fixed:
            return self.fixed[column]
        one = chain[-1]
        if column == "mark" and column not in self.names:
            return _mark_of(one, self.mark)
        name = self.names.get(column, column)
        if callable(name):
            return name(one.subject)
        if not name.startswith("."):
            return _inside(one.subject, name)
        path = name[1:]
        for reader, below in zip(reversed(chain), reversed(_prefixes(self.of, chain)), strict=True):
            if not below or path.startswith(f"{below}."):
                return reader.at(path[len(below) + 1 :] if below else path).value
        raise AssertionError(f"{name} is not above {self.of}")


def _mark_of(one: Reader, path: str) -> str | None:
    mark = one.mark(path) if path else Mark.EXACT
    return None if mark is None else mark.value


def _chains(report: Reader, of: str) -> Iterator[tuple[Reader, ...]]:
    """The elements of a list, each below those that hold it, the result first."""
    found: list[tuple[Reader, ...]] = [(report,)]
    for name in filter(None, of.split(".")):
        found = [(*chain, one) for chain in found for one in _elements(chain[-1], name)]
    yield from found


def _elements(reader: Reader, name: str) -> list[Reader]:
    value = reader.at(name).value
    if value is None:
        return []
    return reader.each(name) if isinstance(value, list | tuple) else [Reader(value, reader, name)]


def _prefixes(of: str, chain: Sequence[Reader]) -> list[str]:
    names = of.split(".") if of else []
    return [".".join(names[:n]) for n in range(len(chain))]


def _inside(value: Any, path: str) -> Any:
    """A field of a result by path, or else of a part of it: the first that shows one so named."""
    first, _, rest = path.partition(".")
    if is_field(value, first):
        found = getattr(value, first)
        return _inside(found, rest) if rest and found is not None else found
    if has_fields(value):
        kind: Any = type(value)
        for one in fields_of(kind):
            part = getattr(value, one.name)
            if has_fields(part) and is_field(part, first):
                return _inside(part, path)
    return None


@dataclass(frozen=True)
class CsvTable:
    """The columns of a kind of result, in order, and its rows.

    Rows are made of lists of the result, or by a function. A word in brackets stands for the
    columns that ``names`` gives for it, which depend on what a result has.
    """

    columns: tuple[str, ...]
    rows: Callable[[Any], Iterable[CsvRow]] | tuple[RowsOf, ...]
    names: Callable[[Any], Mapping[str, Sequence[str]]] | None = None

    def columns_of(self, report: Report) -> tuple[str, ...]:
        """The columns of a result's table, in order."""
        named = {} if self.names is None else self.names(report)
        return tuple(name for column in self.columns for name in named.get(column, (column,)))

    def rows_of(self, report: Report) -> Iterable[CsvRow]:
        """The rows of a result's table."""
        if callable(self.rows):
            return self.rows(report)
        columns = self.columns_of(report)
        return (row for kind in self.rows for row in kind.rows(report, columns))


def csv_text(report: Report) -> str:
    """Write a result's table: a header, then a line a row; what is unknown is empty.

    A text that a spreadsheet would compute begins with an apostrophe instead.
    """
    out = io.StringIO()
    table: CsvTable = shown(report.report, "table")
    columns = table.columns_of(report)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(plain_text, columns))
    for row in table.rows_of(report):
        writer.writerow([plain_text(_cell(row.get(column))) for column in columns])
    return out.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, Named):
        return value.key
    if isinstance(value, list | tuple):
        return "; ".join(_cell(v) for v in value)
    return str(value)


def place_columns(place: SourcePlace | None) -> CsvRow:
    """Columns of a place in the source."""
    return {} if place is None else {"file": place.file, "line": place.line}
