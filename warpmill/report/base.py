"""Envelope of all reports, and the marks of their figures.

A figure is any number that a report states; what only names a place (a line, a block) is none.
Each figure is marked exact, assumed, sampled or modelled, in the ``marks`` of the object that it
stands in or of one around it: by its key, or by a dotted path where it lies deeper (lists add no
part to the path). A key covers what lies below it, unless a longer one does.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from typing import Any, ClassVar, dataclass_transform

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.metric import Id, Mark
from warpmill.report.fields import figures, flat, outwards, plain
from warpmill.version import __version__

_SECTIONS, _LINES = 2, 30
"""Sections, and lines, of a page that a result prints where it stands alone."""


class InPython:
    """How a result looks where Python shows it, and what else it can be had as.

    ``str`` has the whole page, ``repr`` its beginning, a notebook its beginning as HTML.
    """

    def __str__(self) -> str:
        if not _has_page(self):
            return f"{type(self).__name__}: a file for other commands; to_dict() has its data"
        return str(_of("text:render")(self, "text")).rstrip("\n")

    def __repr__(self) -> str:
        if not _has_page(self):
            return str(self)
        lines = _of("text:page_text")(_beginning(self)).splitlines()[:_LINES]
        whole = str(self).splitlines()
        more = [f"... print() shows all {len(whole)} lines"] if len(whole) > len(lines) else []
        return "\n".join([*lines, *more])

    def _repr_html_(self) -> str:
        if not _has_page(self):
            return f"<p>{escape(str(self))}</p>"
        return str(_of("html:fragment")(_beginning(self).blocks))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data: what its JSON has."""
        found: dict[str, Any] = _of("fields:plain")(self)
        return found

    def to_json(self) -> str:
        """The result as JSON, as ``--format json`` writes it."""
        report: Any = self
        return str(_of("base:json_text")(report))

    def to_pandas(self) -> Any:
        """The table of ``--format csv`` as a ``pandas.DataFrame``. UsageError without pandas."""
        try:
            pandas: Any = import_module("pandas")
        except ImportError:
            words = "to_pandas() needs pandas, which is not installed"
            hint = "pip install pandas, or take to_dict()"
            raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint)) from None
        report: Any = self
        table = _of("manifest:shown")(report.report, "table")
        columns = table.columns_of(report)
        rows = [[row.get(column) for column in columns] for row in table.rows_of(report)]
        return pandas.DataFrame(rows, columns=list(columns))


def _has_page(result: Any) -> bool:
    return _of("manifest:shown")(result.report, "page") is not None


def _beginning(result: Any) -> Any:
    """The page of a result up to the end of its first sections."""
    page = _of("sections:page_of")(result, _of("page:Style")())
    headings = [n for n, block in enumerate(page.blocks) if type(block).__name__ == "Heading"]
    page.blocks = page.blocks[: next(iter(headings[_SECTIONS:]), None)]
    return page


def _of(place: str) -> Any:
    """Object at ``module:name`` of this room: what shows results, above this module."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"warpmill.report.{module}"), name)


__all__ = ["Id", "Mark", "Marks", "Part", "Report", "figures", "json_text", "marks"]

SCHEMA_VERSION = 2
"""Rises when a key of a report changes its name or meaning, or goes."""

Marks = Mapping[str, Mark]
"""How far each figure can be trusted; keys are those of this object."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Part:
    """A piece of a report: its subclasses are frozen dataclasses, made by keyword."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}  # where files are read

    marked_as_one: ClassVar[bool] = False
    """Whether all figures in it share the mark of the key that it stands under."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        shows_itself = issubclass(cls, InPython)
        dataclass(frozen=True, kw_only=True, repr=not shows_itself)(cls)

    def flat(self, only: Collection[str] = (), but: Collection[str] = ()) -> dict[str, Any]:
        """The fields by name, as plain data; ``only`` those, or all ``but`` some."""
        return flat(self, only, but)


class Report(InPython, Part):
    """The envelope: every report says what it is and who made it."""

    report: str
    schema_version: Id = SCHEMA_VERSION
    warpmill_version: str = field(default=__version__)


def json_text(report: Report) -> str:
    """A report as JSON, with a newline at its end."""
    return json.dumps(plain(report), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def marks(model: type[Part], mark: Mark, **others: Mark) -> dict[str, Mark]:
    """Mark every figure of ``model`` alike, but those of ``others``.

    A key of ``others`` marks what lies below it too: ``accesses`` marks ``accesses.sectors``. Two
    underscores stand for the dot.
    """
    exceptions = {key.replace("__", "."): value for key, value in others.items()}
    keys = figures(model)
    unused = exceptions.keys() - {outer for key in keys for outer in outwards(key)}
    assert not unused, f"{model.__name__} has no figures {unused}"
    return {key: _mark_of(key, mark, exceptions) for key in sorted(keys)}


def _mark_of(key: str, default: Mark, exceptions: dict[str, Mark]) -> Mark:
    return next((exceptions[e] for e in outwards(key) if e in exceptions), default)
