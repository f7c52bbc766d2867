"""The findings of ``check`` as issues: for SARIF, JUnit and GitHub."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.analyzer.base.diagnostics import SourcePlace
from warpmill.commands.check.result import CheckedAccess, CheckFinding, CheckReport
from warpmill.gates.gate import GateRow
from warpmill.report.issues import Issue, IssuePlace, Issues
from warpmill.report.source_text import source_beside


def issues_of(report: CheckReport) -> Issues:
    """Findings and figures; the line of the source stands before that of the input."""
    found = [_issue(one) for one in report.findings]
    found += [_of_figure(row) for row in report.figures if row.severity != "note"]
    rules = {rule: f"{rule.partition('/')[2]}, found by {rule.partition('/')[0]}"
             for rule in sorted({one.rule for one in found})}  # fmt: skip
    checks = (*report.tools, *report.gates)
    return Issues(report.target, checks, rules, found, report.why_incomplete)


def _of_figure(row: GateRow) -> Issue:
    """A figure at its kernel; the bound that it is beyond takes part."""
    places = [one for one in (row.subject.source, row.subject.place) if one is not None]
    input_file = None if row.subject.place is None else row.subject.place.file
    return Issue(
        rule=f"{row.gate}/{row.figure or row.outcome}",
        told=row,
        places=[IssuePlace(_beside(input_file, one), one.line, one.column) for one in places],
        related=[] if row.place is None else [IssuePlace(row.place.file, row.place.line)],
    )


def _beside(input_file: str | None, place: SourcePlace) -> str:
    """The file of a place; a source where it lies beside the input, if it is there."""
    if input_file is None or place.of != "source":
        return place.file
    beside = source_beside(input_file, place.file)
    return str(beside) if beside.is_file() else place.file


def _issue(one: CheckFinding) -> Issue:
    return Issue(
        rule=f"{one.tool}/{one.kind.replace(' ', '-')}",
        told=one,
        places=tuple(_places(one.access)),
        related=tuple(_places(one.other)),
    )


def _places(access: CheckedAccess | None) -> Iterator[IssuePlace]:
    if access is None:
        return
    message = access.words
    if access.source is not None:
        beside = source_beside(access.found.file, access.source.file)
        file = str(beside) if beside.is_file() else access.source.file
        yield IssuePlace(file, access.source.line, access.source.column, message=message)
    span = access.found.span
    if span is not None:
        yield IssuePlace(
            access.found.file, span.line, span.column, max(span.end_column, span.column + 1),
            message,
        )  # fmt: skip
