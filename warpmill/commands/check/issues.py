"""The findings of ``check`` as issues: for SARIF, JUnit and GitHub."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.check.result import CheckedAccess, CheckFinding, CheckReport
from warpmill.report.issues import Issue, IssuePlace, Issues
from warpmill.report.source_text import source_beside


def issues_of(report: CheckReport) -> Issues:
    """The findings; the line of the source stands before that of the input."""
    found = [_issue(one) for one in report.findings]
    rules = {rule: f"{rule.partition('/')[2]}, found by {rule.partition('/')[0]}"
             for rule in sorted({one.rule for one in found})}  # fmt: skip
    return Issues(report.target, report.tools, rules, found, report.why_incomplete)


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
