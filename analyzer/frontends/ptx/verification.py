"""What the verifier finds in a module that was read, as errors in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from analyzer.frontends.ptx.problems import Problems
from analyzer.ir.instruction_rules import Finding
from analyzer.source import Span

_OPERAND = re.compile(r"(?:\{[^{}]*\}|\[[^\[\]]*\]|\([^()]*\)|[^,{}\[\]();])+", re.ASCII)
_BEFORE_OPERANDS = re.compile(r"(?:@\s*!?\s*[%$\w]+\s*)?[A-Za-z][\w.:]*\s*", re.ASCII)


def report(found: Iterable[Finding], text: str, problems: Problems) -> None:
    """Note an error for each finding, at the operand where it is one's."""
    for finding in found:
        where = finding.span or Span(1, 1, 2)
        start = problems.positions.starts[where.line - 1] + where.column - 1
        end = start + where.end_column - where.column
        if finding.place is not None:
            start, end = _operand(text, start, finding.place) or (start, end)
        problems.error(start, end, finding.message)


def _operand(text: str, start: int, place: int) -> tuple[int, int] | None:
    """Find an operand of the statement at ``start``; None where the text has another form."""
    opcode = _BEFORE_OPERANDS.match(text, start)
    if opcode is None:
        return None
    statement_end = text.find(";", opcode.end())
    operands = list(_OPERAND.finditer(text, opcode.end(), statement_end))
    if place >= len(operands):
        return None
    found = operands[place]
    words = found[0]
    return found.end() - len(words.lstrip()), found.start() + len(words.rstrip())
