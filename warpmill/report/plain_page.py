"""The page and the table of a result that needs none of its own: its fields, by their labels."""

from __future__ import annotations

import types
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin

from warpmill.report.base import Report
from warpmill.report.fields import ResultField, fields_of, is_result
from warpmill.report.page import Page
from warpmill.report.read import Reader
from warpmill.report.sections import Comparison, Section, Shown, Table, add_sections
from warpmill.report.table import CsvTable, RowsOf

_ENVELOPE = frozenset(one.name for one in fields_of(Report))


def plain_page(report: Report, page: Page) -> None:
    """Show a result's fields as facts, and its lists of parts as tables."""
    page.title(report.report)
    fields = _own(type(report))
    facts = [_shown(one) for one in fields if _is_plain(one)]
    sections: list[Section] = [Comparison("", tuple(facts))]
    for one in fields:
        parts = getattr(report, one.name)
        if isinstance(parts, list | tuple) and parts and is_result(parts[0]):
            kind: type = type(parts[0])
            columns = tuple(_shown(column) for column in fields_of(kind) if _is_plain(column))
            sections.append(Table(_shown(one).label, one.name, columns))
    add_sections(page, Reader(report), sections)


def plain_table(result: type[Report]) -> CsvTable:
    """The CSV table of a result with one row: its numbers and texts."""
    return CsvTable(tuple(one.name for one in _own(result) if _is_plain(one)), (RowsOf(""),))


def _own(result: type) -> list[ResultField]:
    return [one for one in fields_of(result) if one.name not in _ENVELOPE]


def _shown(one: ResultField) -> Shown:
    """A field under its label, or its name in words."""
    return Shown(one.name, "" if one.metric is not None else one.name.replace("_", " "))


def _is_plain(one: ResultField) -> bool:
    """Whether a field holds one value: a number, a text, a word, or nothing."""
    origin = get_origin(one.annotation)
    if origin in {Union, types.UnionType}:
        return all(map(_is_scalar, get_args(one.annotation)))
    return origin is Literal or _is_scalar(one.annotation)


def _is_scalar(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, int | float | str | Enum | types.NoneType)
