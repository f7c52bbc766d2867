"""Issues that a result tells, as other programs take them: SARIF, JUnit's XML, GitHub's commands.

SARIF is OASIS's Static Analysis Results Interchange Format 2.1.0, which code scanning of GitHub and
editors read. JUnit's XML has a test case for each thing that was looked at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any, Protocol
from xml.etree import ElementTree as ET

from warpmill.analyzer.base.diagnostics import Severity, UsageError
from warpmill.report.base import Report
from warpmill.report.manifest import shown
from warpmill.report.safe import escaped
from warpmill.version import __version__

SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


@dataclass(frozen=True)
class IssuePlace:
    """A line of a file. Columns count from 1, the end is one past the last; None: unknown."""

    file: str
    line: int
    column: int | None = None
    end_column: int | None = None
    message: str | None = None

    @property
    def path(self) -> str:
        """The path from the working folder, where the file is below it; with forward slashes."""
        path = Path(self.file)
        try:
            return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
        except (OSError, ValueError):
            return PurePath(self.file).as_posix()


class Told(Protocol):
    """What is said of something to be mended; ``severity`` is error, warning or note."""

    @property
    def severity(self) -> str:
        """How bad it is."""

    @property
    def message(self) -> str:
        """All of it in one line."""

    @property
    def count(self) -> int:
        """How often it happened."""


@dataclass(frozen=True)
class Issue:
    """One thing to be mended. ``rule`` is its kind, below the check that tells it: ``a/b``.

    ``places`` are where it stands, the first what a person would change; ``related`` what else
    takes part.
    """

    rule: str
    told: Told
    places: Sequence[IssuePlace] = ()
    related: Sequence[IssuePlace] = ()


@dataclass(frozen=True)
class Issues:
    """The issues of a result. ``checks`` were made of ``target``; ``incomplete`` says of what not.

    ``rules`` has a line for each rule that there may be.
    """

    target: str
    checks: Sequence[str]
    rules: dict[str, str]
    issues: Sequence[Issue]
    incomplete: Sequence[str] = ()


def issues_text(report: Report, format_: str) -> str:
    """A result's issues in a format. UsageError for a result without any."""
    of = shown(report.report, "issues")
    if of is None:
        raise UsageError(f"{report.report} has no format {format_}")
    return _WRITERS[format_](of(report))


_ERROR, _NOTE = Severity.ERROR.value, Severity.NOTE.value


def _sarif(found: Issues) -> str:
    """A run, whose id tells targets apart: code scanning keeps one result of each."""
    rules = list(found.rules)
    run = {
        "tool": {
            "driver": {
                "name": "warpmill",
                "version": __version__,
                "rules": [
                    {"id": rule, "shortDescription": {"text": words}}
                    for rule, words in found.rules.items()
                ],
            }
        },
        "automationDetails": {"id": f"warpmill/{IssuePlace(found.target, 1).path}/"},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {"level": "warning", "message": {"text": f"not checked: {words}"}}
                    for words in found.incomplete
                ],
            }
        ],
        "results": [_sarif_result(one, rules) for one in found.issues],
    }
    whole = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _sarif_result(one: Issue, rules: list[str]) -> dict[str, Any]:
    words = [one.rule, one.told.message.partition(" at ")[0], *(p.path for p in one.places[:1])]
    result: dict[str, Any] = {
        "ruleId": one.rule,
        "ruleIndex": rules.index(one.rule),
        "level": one.told.severity,
        "message": {"text": one.told.message},
        "locations": [_location(place) for place in one.places[:1]],
        "occurrenceCount": one.told.count,
        "partialFingerprints": {
            "warpmill/v1": sha256("\n".join(words).encode()).hexdigest()[:32],
        },
    }
    related = [*one.places[1:], *one.related]
    if related:
        result["relatedLocations"] = [
            {"id": number, **_location(place)} for number, place in enumerate(related)
        ]
    return result


def _location(place: IssuePlace) -> dict[str, Any]:
    region = {"startLine": place.line, "startColumn": place.column, "endColumn": place.end_column}
    found: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": place.path},
            "region": {key: value for key, value in region.items() if value is not None},
        }
    }
    if place.message is not None:
        found["message"] = {"text": place.message}
    return found


def _junit(found: Issues) -> str:
    """A test case for each check: failed by errors, skipped where it is incomplete."""
    suite = ET.Element("testsuite", name=found.target)
    failures = skipped = 0
    for check in found.checks:
        case = ET.SubElement(suite, "testcase", classname=found.target, name=check)
        own = [one for one in found.issues if one.rule.partition("/")[0] == check]
        errors = [one for one in own if one.told.severity == _ERROR]
        for one in errors:
            told = ET.SubElement(case, "failure", type=one.rule, message=escaped(one.told.message))
            told.text = "\n".join(_place_words(place) for place in (*one.places, *one.related))
        rest = [one.told.message for one in own if one.told.severity != _ERROR]
        if rest:
            ET.SubElement(case, "system-out").text = escaped("\n".join(rest))
        if found.incomplete and not errors:
            words = f"not everything was checked: {'; '.join(found.incomplete)}"
            ET.SubElement(case, "skipped", message=escaped(words))
            skipped += 1
        failures += bool(errors)
    counts = {"tests": len(found.checks), "failures": failures, "skipped": skipped, "errors": 0}
    for key, number in counts.items():
        suite.set(key, str(number))
    whole = ET.Element("testsuites")
    whole.append(suite)
    ET.indent(whole)
    return ET.tostring(whole, "unicode", xml_declaration=True) + "\n"


def _place_words(place: IssuePlace) -> str:
    column = "" if place.column is None else f":{place.column}"
    message = "" if place.message is None else f": {place.message}"
    return escaped(f"{place.path}:{place.line}{column}{message}")


_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_OF_PROPERTIES = {**_ESCAPES, ":": "%3A", ",": "%2C"}


def _github(found: Issues) -> str:
    """Workflow commands, which GitHub shows beside the lines of a pull request."""
    lines = [
        f"::warning title=not checked::{_replaced(words, _ESCAPES)}\n" for words in found.incomplete
    ]
    for one in found.issues:
        where = {"title": one.rule}
        if one.places:
            place = one.places[0]
            known = {"file": place.path, "line": place.line, "col": place.column}
            where |= {key: str(value) for key, value in known.items() if value is not None}
        told = ",".join(f"{key}={_replaced(words, _OF_PROPERTIES)}" for key, words in where.items())
        level = "notice" if one.told.severity == _NOTE else one.told.severity
        lines.append(f"::{level} {told}::{_replaced(one.told.message, _ESCAPES)}\n")
    return "".join(lines)


def _replaced(text: str, by: dict[str, str]) -> str:
    return "".join(by.get(character, character) for character in text)


_WRITERS: dict[str, Callable[[Issues], str]] = {
    "sarif": _sarif, "junit": _junit, "github": _github,
}  # fmt: skip
