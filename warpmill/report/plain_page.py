"""The page and the table of a result that needs none of its own: its fields, by their labels."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin

from warpmill.analyzer.base.metric import Mark
from warpmill.report.base import Report
from warpmill.report.fields import ResultField, fields_of, is_marked, is_result, marks_of
from warpmill.report.page import Page, capacity, figure, percent, size
from warpmill.report.table import CsvTable, RowsOf

_ENVELOPE = frozenset(name.name for name in fields_of(Report))

_IN_UNIT: dict[str, Callable[[Any, Mark | None], str]] = {
    "%": percent, "B": size, "B of memory": capacity,
}  # fmt: skip
"""How values of units are written that are not a number and the unit's name."""


def plain_page(report: Report, page: Page) -> None:
    """Show a result's fields as facts, and its lists of parts as tables."""
    page.title(report.report)
    fields = _own(type(report))
    page.facts((_label(one), text) for one, text in _texts(report, fields))
    for one in fields:
        parts = getattr(report, one.name)
        if isinstance(parts, list | tuple) and parts and is_result(parts[0]):
            kind: type = type(parts[0])
            columns = fields_of(kind)
            rows = [[text for _, text in _texts(part, columns)] for part in parts]
            page.heading(_label(one))
            page.table([_label(column) for column in columns if _is_plain(column)], rows)


def plain_table(result: type[Report]) -> CsvTable:
    """The CSV table of a result with one row: its numbers and texts."""
    return CsvTable(tuple(one.name for one in _own(result) if _is_plain(one)), (RowsOf(""),))


def _own(result: type) -> list[ResultField]:
    return [one for one in fields_of(result) if one.name not in _ENVELOPE]


def _is_plain(one: ResultField) -> bool:
    """Whether a field holds one value: a number, a text, a word, or nothing."""
    origin = get_origin(one.annotation)
    if origin in {Union, types.UnionType}:
        return all(map(_is_scalar, get_args(one.annotation)))
    return origin is Literal or _is_scalar(one.annotation)


def _is_scalar(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, int | float | str | Enum | types.NoneType)


def _texts(found: Any, fields: Any) -> Iterator[tuple[ResultField, str]]:
    marks = marks_of(found) if is_marked(type(found)) else {}
    for one in fields:
        if _is_plain(one):
            yield one, _text(getattr(found, one.name), one, marks.get(one.name))


def _text(value: Any, one: ResultField, mark: Mark | None) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "-" if value is None else str(value)
    unit = "" if one.metric is None else one.metric.unit
    return _IN_UNIT[unit](value, mark) if unit in _IN_UNIT else figure(value, mark, unit)


def _label(one: ResultField) -> str:
    return one.name.replace("_", " ") if one.metric is None else one.metric.label
