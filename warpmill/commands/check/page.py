"""The page of ``check``; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.analyzer.base.diagnostics import Span
from warpmill.commands.check.result import CheckedAccess, CheckFinding, CheckReport
from warpmill.report.page import Page
from warpmill.report.sections import Items, Section, Special
from warpmill.report.source_text import source_beside, source_lines, text_of
from warpmill.report.table import CsvTable, RowsOf

FEW = 16
"""Findings that are shown unless everything is asked for."""


def _answer(page: Page, report: CheckReport) -> None:
    page.title(f"check: {report.target}")
    page.line(_verdict(report))


def _verdict(report: CheckReport) -> str:
    """The answer in a sentence."""
    tools, launches = ", ".join(report.tools), report.launches
    watched = f"{launches:,} {'launch' if launches == 1 else 'launches'}, by {tools}"
    if report.checked.limit is not None and not launches:
        watched = "static analysis: nothing was executed"
    if report.verdict == "clean":
        return f"Clean: nothing was found in {watched}."
    if report.verdict == "incomplete":
        return f"Incomplete: nothing was found in {watched}, but not everything was checked."
    counts = [(report.errors, "error"), (report.warnings, "warning")]
    told = " and ".join(f"{n:,} {word}{'' if n == 1 else 's'}" for n, word in counts if n)
    ended = " A fault ended the run there." if report.checked.ended_by_fault else ""
    return f"{told[0].upper()}{told[1:]} in {watched}.{ended}"


def _findings(page: Page, report: CheckReport) -> None:
    for one in page.few(report.findings, FEW):
        _finding(page, one)
    page.rest(report.findings, FEW)


def _finding(page: Page, one: CheckFinding) -> None:
    times = f"{one.count:,} times" if one.count > 1 else "once"
    page.heading(f"{one.tool}: {one.kind}", f"{one.severity}, {times}")
    page.line(one.message)
    for access in (one.access, one.other):
        if access is not None:
            page.code(_lines(access))
    for line in one.details:
        page.line(line)
    if one.hint is not None:
        page.line(f"help: {one.hint}")


def _lines(access: CheckedAccess) -> Iterator[str]:
    """Where an access stands, the line of the input, and carets below it."""
    yield f"{access.words}{_at(access)}"
    source = access.source
    if source is not None:
        line = text_of(source_lines(source_beside(access.found.file, source.file)), source.line)
        if line:
            column = source.column or 1 + len(line) - len(line.lstrip())
            yield from pointed(Span(source.line, column, column + 1), line)
    span, text = access.found.span, access.found.excerpt
    if span is not None and text is not None:
        yield from pointed(span, text)


def _at(access: CheckedAccess) -> str:
    known = [p for p in (access.place, access.source) if p is not None]
    places = ", compiled from ".join(f"{place.file}:{place.line}" for place in known)
    return f" at {places}" if places else ""


def pointed(span: Span, text: str) -> Iterator[str]:
    """A line of code with its number, and carets under the span."""
    shown = text.expandtabs(4)
    start = len(text[: span.column - 1].expandtabs(4))
    width = max(1, len(text[: span.end_column - 1].expandtabs(4)) - start)
    gutter = f"{span.line:5}"
    yield f"{gutter} | {shown}"
    yield f"{' ' * len(gutter)} | {' ' * start}{'^' * min(width, max(1, len(shown) - start))}"


PAGE: tuple[Section, ...] = (
    Special(_answer),
    Items("Not checked", "why_incomplete"),
    Special(_findings),
)

_OF_FINDINGS = {
    "file": "access.place.file", "line": "access.place.line",
    "source_file": "access.source.file", "source_line": "access.source.line",
    "cta": "access.cta", "thread": "access.thread", "bytes": "access.bytes",
    "value": "access.value", "other_file": "other.place.file",
    "other_line": "other.place.line", "other_cta": "other.cta",
    "other_thread": "other.thread", "other_value": "other.value",
}  # fmt: skip

CHECK = CsvTable(
    (
        "row", "verdict", "launches", "errors", "warnings", "tool", "kind", "severity", "kernel",
        "launch", "message", "count", "file", "line", "source_file", "source_line", "cta",
        "thread", "space", "address", "bytes", "value", "other_file", "other_line", "other_cta",
        "other_thread", "other_value", "mark",
    ),
    (
        RowsOf("", fixed={"row": "check"}),
        RowsOf("findings", _OF_FINDINGS, fixed={"row": "finding"}),
    ),
)  # fmt: skip
