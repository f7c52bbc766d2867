"""Tables of measurements as CSV: cells with their places, so that errors can point at them.

The separator is a comma, a semicolon or a tab, whichever the header has most of. Lines above the
header that begin with ``#`` or ``==`` (profilers write those) are passed over, and so are blank
lines.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.base.whole_files import nearby_files, read_input

MAX_BYTES = 64 << 20
"""The largest file that is read."""

_SEPARATORS = ",;\t"
_ABOVE = ("#", "==")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class Cell:
    """A field of a row, without the blanks around it, and where it stands.

    ``unit`` is what the table itself says of it, beside its header: None where it says nothing.
    """

    text: str
    span: Span
    unit: str | None = None


@dataclass(frozen=True)
class MeasurementRow:
    """A row of a table, with a cell a column; ``line`` is where it begins."""

    line: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class MeasurementTable:
    """A header with its rows, one at least; every row has as many cells as the header.

    ``roles`` has the columns by what they are (``columns.ROLES``) where the form of the table
    itself says it, as a page of Nsight Compute does; None: headers are named or guessed.
    """

    source: Source
    header: tuple[Cell, ...]
    rows: tuple[MeasurementRow, ...]
    roles: Mapping[str, str] | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(cell.text for cell in self.header)

    def error(self, cell: Cell, message: str, hint: str | None = None) -> InputError:
        """Make an error that points at a cell."""
        return InputError(at(self.source, cell.span, Severity.ERROR, message, hint))


def read_table(path: Path) -> MeasurementTable:
    """Read a CSV file. InputError, located where it can be, for what is no table."""
    return table_of(read_source(path))


def read_source(path: Path) -> Source:
    """Text of a file. InputError where it cannot be read, or is no UTF-8."""
    return Source(str(path), _text(path))


def table_of(source: Source) -> MeasurementTable:
    """Table of a text. InputError, located where it can be, for what is none."""
    lines = source.text.split("\n")
    first = next((n for n, line in enumerate(lines) if _begins(line)), None)
    if first is None:
        words = "the file is empty: a header is needed, and a row for each measured launch"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name, Span(1, 1, 2), ""))
    separator = _separator(lines[first])
    records = list(_records(source, first, separator))
    table = MeasurementTable(source, records[0].cells, tuple(records[1:]))
    _check(table)
    return table


def _text(path: Path) -> str:
    name = str(path)
    try:
        if path.is_dir():
            raise InputError(_whole(name, "this is a folder; a table of measurements is a file"))
        if not path.exists():
            hint = nearby_files(path, (".csv",))
            raise InputError(_whole(name, "there is no such file", hint))
        data = read_input(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(_whole(name, f"cannot read the file: {reason}")) from None
    try:
        return data.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise InputError(_not_utf8(name, data, error.start)) from None


def _whole(name: str, words: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, words, name, hint=hint)


def _not_utf8(name: str, data: bytes, offset: int) -> Diagnostic:
    before = data[:offset].decode("utf-8", "replace")
    column = len(before) - before.rfind("\n")
    span = Span(before.count("\n") + 1, column, column + 1)
    words = f"byte 0x{data[offset]:02x} is not UTF-8, which the table is to be written in"
    return at(Source(name, data.decode("utf-8", "replace")), span, Severity.ERROR, words)


def _begins(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(_ABOVE)


def _separator(header: str) -> str:
    plain = re.sub(r'"[^"]*"', "", header)
    return max(_SEPARATORS, key=plain.count)


def _records(source: Source, first: int, separator: str) -> Iterator[MeasurementRow]:
    """The header and the rows; ``first`` is the header's line, from 0."""
    lines = [f"{line}\n" for line in source.text.split("\n")[first:]]
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    begin = 0
    try:
        for fields in reader:
            line, begin = first + begin + 1, reader.line_num
            if any(field.strip() for field in fields):
                yield MeasurementRow(line, _cells(source, line, fields, separator))
    except csv.Error as error:
        line = min(first + begin + 1, len(source.lines))
        span = Span(line, 1, len(source.line(line)) + 1)
        words = f"this row cannot be read as CSV: {error}"
        raise InputError(at(source, span, Severity.ERROR, words)) from None


def _cells(source: Source, line: int, fields: list[str], separator: str) -> tuple[Cell, ...]:
    spans = separated_spans(source.line(line), line, separator)
    if len(spans) != len(fields):  # a field goes on over the end of the line
        spans = [Span(line, 1, len(source.line(line)) + 1)] * len(fields)
    return tuple(Cell(f.strip(), span) for f, span in zip(fields, spans, strict=True))


def separated_spans(text: str, line: int, separator: str) -> list[Span]:
    """Spans of a line's fields, without the blanks around them."""
    field = re.compile(rf'\s*"(?:[^"]|"")*"[^{separator}]*|[^{separator}]*')
    spans, place = [], 0
    while place <= len(text):
        match = field.match(text, place)
        assert match is not None
        written = match[0].strip()
        start = place + match[0].find(written) if written else place
        spans.append(Span(line, start + 1, start + 1 + max(1, len(written))))
        place = match.end() + 1
    return spans


def _check(table: MeasurementTable) -> None:
    """Refuse a header that is none, and rows that do not fit it. InputError."""
    seen: set[str] = set()
    for cell in table.header:
        if _NUMBER.fullmatch(cell.text):
            words = f"the first line is to name the columns, and `{cell.text}` is a number"
            raise table.error(cell, words)
        if cell.text and cell.text in seen:
            raise table.error(cell, f"two columns are called `{cell.text}`")
        seen.add(cell.text)
    wanted = len(table.header)
    for row in table.rows:
        if len(row.cells) != wanted:
            there = row.cells[min(wanted, len(row.cells) - 1)]
            fields = "1 field" if len(row.cells) == 1 else f"{len(row.cells)} fields"
            words = f"this row has {fields}, and the header {wanted}"
            raise table.error(there, words)
    if not table.rows:
        words = "there are no rows below the header: one for each measured launch is needed"
        raise table.error(table.header[-1], words)
