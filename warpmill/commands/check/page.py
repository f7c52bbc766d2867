"""The page of ``check``; and its rows as CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Span
from warpmill.commands.check.result import CheckedAccess, CheckFinding, CheckProof, CheckReport
from warpmill.gates.gate import GateRow
from warpmill.report.page import CodeLine, Page, code_line
from warpmill.report.read import labelled
from warpmill.report.sections import Items, Section, Shown, Special, Table
from warpmill.report.source_text import source_beside, source_lines, text_of
from warpmill.report.table import CsvTable, RowsOf

FEW = 16
"""Findings that are shown unless everything is asked for."""


def _answer(page: Page, report: CheckReport) -> None:
    page.title(f"check: {report.target}")
    tones = {"clean": "good", "findings": "error"}
    page.line(report.sentence, tones.get(report.verdict, "warning"))
    if asked := _ratchet(report):
        page.line(asked)


def _ratchet(report: CheckReport) -> str:
    """What the baseline asks for, or what was written to it; nothing where it stays."""
    rows = [row for row in report.figures if row.gate == "baseline"]
    counts = Counter[str](row.outcome for row in rows)
    told = ", ".join(f"{counts[word]:,} {word}" for word in _MOVED if counts[word])
    if report.updated is not None:
        return f"{report.updated} was written: {told or 'nothing has moved'}."
    asking = {row.outcome for row in rows if row.severity == "warning"}
    return f"The baseline is to be renewed with --update: {told}." if asking else ""


_MOVED = ("worse", "better", "new", "gone")
"""Results of figures that make a baseline another."""


def _findings(page: Page, report: CheckReport) -> None:
    for one in page.few(report.findings, FEW):
        _finding(page, one)
    page.rest(report.findings, FEW)


def _finding(page: Page, one: CheckFinding) -> None:
    times = f"{one.count:,} times" if one.count > 1 else "once"
    launches = f" in {one.launches:,} launches" if one.launches > 1 else ""
    found = f", in run {one.schedule}" if one.schedule else ""
    page.heading(
        f"{one.tool}: {one.kind}", f"{one.severity}, {times}{launches}{found}", one.severity
    )
    page.line(one.message)
    for access in (one.access, one.other):
        if access is not None:
            page.code(
                f"{access.words}{_at(access)}", _files(access, _BESIDE if page.style.charts else 0)
            )
    for line in one.details:
        page.line(line)
    if one.hint is not None:
        page.line(f"help: {one.hint}")


_BESIDE = 3
"""Lines of a file above and below an access that HTML shows with it."""


def _files(access: CheckedAccess, beside: int) -> Iterator[tuple[str, Iterator[CodeLine]]]:
    """The line of the source and that of the input, with some beside them; what is at hand."""
    source = access.source
    if source is not None:
        lines = source_lines(source_beside(access.found.file, source.file))
        line = text_of(lines, source.line)
        if line:
            begin = (source.column or 1 + len(line) - len(line.lstrip())) - 1
            yield source.file, _around(lines, Span(source.line, begin + 1, begin + 2), line, beside)
    span, text = access.found.span, access.found.excerpt
    if span is not None and text is not None:
        lines = source_lines(Path(access.found.file))
        known = lines if text_of(lines, span.line) == text else ()
        yield access.found.file, _around(known, span, text, beside)


def _around(lines: Sequence[str], span: Span, text: str, beside: int) -> Iterator[CodeLine]:
    """The line of a span, and so many above and below it."""
    for number in range(max(1, span.line - beside), span.line):
        if lines:
            yield code_line(number, text_of(lines, number))
    yield code_line(span.line, text, span.column - 1, span.end_column - 1)
    for number in range(span.line + 1, min(span.line + beside, len(lines)) + 1):
        yield code_line(number, text_of(lines, number))


def _at(access: CheckedAccess) -> str:
    known = [p for p in (access.place, access.source) if p is not None]
    places = ", compiled from ".join(f"{place.file}:{place.line}" for place in known)
    return f" at {places}" if places else ""


def _figure(row: GateRow) -> str:
    return "all figures" if row.figure is None else labelled(row.metric)


def _rank(row: GateRow) -> float:
    """Errors first, then warnings and what is unknown."""
    ranks = {"error": 3.0, "warning": 2.0, "note": 0.0}
    return ranks[row.severity] or float(row.outcome == "unknown")


def _gate(title: str, gate: str, *beside: Shown | str) -> Table:
    return Table(
        title,
        "figures",
        (
            "kernel",
            Shown("launch", detail=True),
            "machine",
            Shown("", "Figure", words=_figure),
            Shown("value", "Value", metric=lambda row: row.metric),
            *beside,
            "outcome",
            Shown("reason", "Reason", detail=True),
        ),
        top=40,
        left=(0, 1, 2, 3, 7, 8, 9),
        wrap=(0, 3, 9),
        order=_rank,
        chosen=lambda row: row.gate == gate,
        main=lambda row: row.outcome != "as before",
    )


def _approximations(page: Page, report: CheckReport) -> None:
    """The approximations that were executed, those of most thread instructions first."""
    found = report.approximations
    if found:
        told = [f"{opcode} {count:,}" for opcode, count in found.items()]
        more = "" if page.style.verbose or len(told) <= _FEW_OPCODES else " ... (--verbose)"
        shown = told if page.style.verbose else told[:_FEW_OPCODES]
        page.line(f"Approximations executed, thread instructions: {', '.join(shown)}{more}")


_FEW_OPCODES = 8


def _proofs(page: Page, report: CheckReport) -> None:
    """What holds for all sizes: the answer for each launch, and the questions that are open."""
    if not report.proven:
        return
    page.heading("For all sizes")
    for line in report.proven:
        page.line(line)
    rows = [one for one in report.proofs if page.style.verbose or not _holds(one)]
    for kind in dict.fromkeys(one.kind for one in report.proofs):
        every = [one for one in report.proofs if one.kind == kind]
        holding = sum(map(_holds, every))
        page.line(f"{kind}: {holding:,} of {len(every):,}")
    page.items(
        [_proof_words(one) for one in rows], None if page.style.verbose else FEW, " (--verbose)"
    )


def _holds(one: CheckProof) -> bool:
    return one.answer == "proven" or one.in_domain


def _proof_words(one: CheckProof) -> str:
    where = f"line {one.place.line}: {one.opcode}"
    if one.memory is not None:
        where += f" of `{one.memory}`"
    if _holds(one):
        return f"{where}: {one.kind} for {one.domain}"
    if one.reason is not None:
        return f"{where}: unknown whether {one.kind}: {one.reason}"
    sizes = ", ".join(f"{name} = {value:,}" for name, value in (one.sizes or {}).items())
    return f"{where}: not {one.kind}{f' with {sizes}' if sizes else ''}"


PAGE: tuple[Section, ...] = (
    Special(_answer),
    Items("Not checked", "why_incomplete"),
    Items("Notes", "notes"),
    _gate(
        "Budget",
        "budget",
        Shown("least", "Least", metric=lambda row: row.metric),
        Shown("most", "Most", metric=lambda row: row.metric),
    ),
    _gate(
        "Baseline",
        "baseline",
        Shown("baseline", "Baseline", metric=lambda row: row.metric),
        "change_fraction",
    ),
    Special(_findings),
    Special(_approximations),
    Special(_proofs),
)

_OF_FINDINGS = {
    "file": "access.place.file", "line": "access.place.line",
    "source_file": "access.source.file", "source_line": "access.source.line",
    "cta": "access.cta", "thread": "access.thread", "bytes": "access.bytes",
    "value": "access.value", "other_file": "other.place.file",
    "other_line": "other.place.line", "other_cta": "other.cta",
    "other_thread": "other.thread", "other_value": "other.value",
}  # fmt: skip

_OF_FIGURES = {"file": "place.file", "line": "place.line"}
_OF_PROOFS = {
    "file": "place.file", "line": "place.line",
    "source_file": "source.file", "source_line": "source.line",
}  # fmt: skip

CHECK = CsvTable(
    (
        "row", "verdict", "launches", "errors", "warnings", "tool", "kind", "severity", "kernel",
        "launch", "schedule", "message", "count", "file", "line", "source_file", "source_line",
        "cta", "thread", "space", "address", "bytes", "value", "other_file", "other_line",
        "other_cta", "other_thread", "other_value", "gate", "machine", "figure", "unit", "baseline",
        "most", "least", "change_fraction", "outcome", "reason", "answer",
        "memory", "in_domain", "domain", "sizes", "offset", "mark",
    ),
    (
        RowsOf("", fixed={"row": "check"}),
        RowsOf("findings", _OF_FINDINGS, fixed={"row": "finding"}),
        RowsOf("figures", _OF_FIGURES, fixed={"row": "figure"}, mark="value"),
        RowsOf("proofs", _OF_PROOFS, fixed={"row": "proof"}),
    ),
)  # fmt: skip
