"""What LLVM has against a module, as diagnostics that point to its place."""

from __future__ import annotations

import re

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.frontends.llvm.child import Reply, TaskLimits, TaskOutcome

_PLACE = re.compile(r"<string>:(\d+):(\d+): (?:error: )?(.*)")
_ABORTED = "Broken module found"  # by an upgrade of debug information, which verifies first
_FUNCTION = re.compile(r'ptr @((?:[-\w.$]+|"[^"]*"))')
_MEMORY = re.compile(r"out of memory|bad.?alloc|MemoryError", re.IGNORECASE)
_BRACKETS = re.compile(r'"[^"]*"|;.*|[(\[{<]|[)\]}>]')
_DEEP = 500


def refusal(name: str, message: str, hint: str | None = None) -> InputError:
    """An error about a file as a whole."""
    return InputError(Diagnostic(Severity.ERROR, message, name, hint=hint))


def text_fault(source: Source, reply: Reply, limits: TaskLimits) -> InputError:
    """Why a module in text was not taken, with the line and column where LLVM tells them."""
    match reply.outcome:
        case TaskOutcome.UNREADABLE:
            return InputError(_syntax_fault(source, reply.answer))
        case TaskOutcome.INVALID:
            return InputError(_verifier_fault(source, reply.answer))
        case TaskOutcome.DIED if _ABORTED in reply.said:
            return InputError(_verifier_fault(source, _own_words(reply.said)))
    deepest = _deepest(source)
    if reply.outcome is TaskOutcome.DIED and deepest is not None:
        return InputError(deepest)
    return _stopped(source.name, reply, limits)


def bitcode_fault(name: str, reply: Reply, limits: TaskLimits) -> InputError:
    """Why a module was not taken that no person wrote: bitcode, or text made of it."""
    if reply.outcome in (TaskOutcome.UNREADABLE, TaskOutcome.INVALID):
        return refusal(name, f"LLVM cannot read this module: {_one_line(reply.answer)}")
    return _stopped(name, reply, limits)


def _stopped(name: str, reply: Reply, limits: TaskLimits) -> InputError:
    """The error of a task that LLVM did not come to the end of."""
    seconds, memory = limits
    if reply.outcome is TaskOutcome.LATE:
        message = f"LLVM took longer than {seconds:g} s over this module and was stopped"
        return refusal(name, message)
    if _MEMORY.search(reply.said):
        message = f"LLVM needs more than {memory / (1 << 30):.1f} GiB for this module"
        return refusal(name, message)
    message = f"LLVM gave up on this module: it is damaged ({reply.answer})"
    return refusal(name, message, _crash(reply.said))


def too_deep(source: Source) -> InputError:
    """The error of a text whose types or constants nest deeper than can be followed."""
    deepest = _deepest(source)
    if deepest is not None:
        return InputError(deepest)
    return refusal(source.name, "types or constants nest deeper than can be followed")


def _syntax_fault(source: Source, text: str) -> Diagnostic:
    found = _PLACE.search(text)
    if found is None:
        return Diagnostic(Severity.ERROR, f"LLVM cannot read it: {text.strip()}", source.name)
    line = max(1, min(int(found[1]), len(source.lines)))
    column = max(1, min(int(found[2]), len(source.line(line)) + 1))
    span = Span(line, column, _word_end(source.line(line), column))
    return at(source, span, Severity.ERROR, found[3])


def _word_end(line: str, column: int) -> int:
    found = re.compile(r"[%@!#]?[\w.$-]+|.").match(line, column - 1)
    return column + 1 if found is None else found.end() + 1


def _verifier_fault(source: Source, text: str) -> Diagnostic:
    """The verifier names no line, but prints the instruction that it is about."""
    words = [line.rstrip() for line in text.strip().split("\n")]
    message = f"LLVM's verifier refuses the module: {words[0]}"
    for printed in words[1:]:
        if (found := _FUNCTION.fullmatch(printed.strip())) is not None:
            span = _declared(source, found[1])
            if span is not None:
                return at(source, span, Severity.ERROR, f"{message} (`{found[1]}`)")
        wanted = printed.strip().split(" = ")[0] if " = " in printed else printed.strip()
        for number, line in enumerate(source.lines, 1):
            if wanted and line.strip().startswith(wanted):
                column = len(line) - len(line.lstrip()) + 1
                span = Span(number, column, len(line.rstrip()) + 1)
                return at(source, span, Severity.ERROR, message)
    return Diagnostic(Severity.ERROR, message, source.name)


def _declared(source: Source, name: str) -> Span | None:
    """Where a function's name stands in the line that declares or defines it."""
    header = re.compile(rf"(?:declare|define)\b[^@]*(@{re.escape(name)})(?=\()")
    for number, line in enumerate(source.lines, 1):
        if (found := header.match(line)) is not None:
            return Span(number, found.start(1) + 1, found.end(1) + 1)
    return None


def _own_words(said: str) -> str:
    """The verifier's words, without LLVM's last ones."""
    return "\n".join(line for line in said.split("\n") if "LLVM ERROR" not in line)


def _deepest(source: Source) -> Diagnostic | None:
    """The place where brackets nest deepest, if that is very deep."""
    depth, most, place = 0, 0, (1, 0)
    for number, line in enumerate(source.lines, 1):
        for found in _BRACKETS.finditer(line):
            if found[0] in "([{<":
                depth += 1
                if depth > most:
                    most, place = depth, (number, found.start())
            elif found[0] in ")]}>":
                depth = max(0, depth - 1)
    if most <= _DEEP:
        return None
    number, column = place
    message = f"brackets nest {most} deep here, which is more than can be followed"
    return at(source, Span(number, column + 1, column + 2), Severity.ERROR, message)


def _one_line(text: str) -> str:
    """LLVM's own words, on one line."""
    words = [w.strip() for w in text.split("\n")]
    return "; ".join(w for w in words if w and "parsing error" not in w)[:500] or "no reason given"


def _crash(said: str) -> str | None:
    """The line in which LLVM says what it found, if it got that far."""
    for line in said.split("\n"):
        if "LLVM ERROR" in line or "Assertion" in line:
            return line.strip()[:300]
    return None
