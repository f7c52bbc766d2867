"""LLVM's own check of a module's text."""

from __future__ import annotations

import re
from typing import Any

from analyzer.diagnostics import Diagnostic, InputError, Severity, at
from analyzer.source import Source, Span

_PLACE = re.compile(r"<string>:(\d+):(\d+): (?:error: )?(.*)")
_TYPED_POINTER = re.compile(
    r"(?:\bi\d+|\bfloat|\bdouble|\bhalf|[\]}>]|%[\w.]+)(?: addrspace\(\d+\))?\*"
)
_STRING = re.compile(r'"[^"]*"')
_SLOT = re.compile(
    r"= alloca (?:i\d+|half|bfloat|float|double|ptr(?: addrspace\(\d+\))?|<\d+ x [^>]+>)"
    r"(?:, align \d+)?(?:, addrspace\(\d+\))?(?:, !.*)?$",
    re.MULTILINE,
)


def parse_text(source: Source) -> Any:
    """Parse and verify a module with LLVM; give llvmlite's module.

    Raise InputError with the line and column of LLVM's message.
    """
    import llvmlite.binding as llvm  # noqa: PLC0415 - heavy

    if not source.text.strip():
        raise InputError(Diagnostic(Severity.ERROR, "the file is empty", source.name))
    if "\0" in source.text:
        message = "this is not text: it has zero bytes"
        raise InputError(Diagnostic(Severity.ERROR, message, source.name))
    try:
        module = llvm.parse_assembly(source.text)
    except RuntimeError as error:
        raise InputError(_syntax_fault(source, str(error))) from None
    except (UnicodeError, ValueError) as error:
        message = f"this is not text that LLVM reads: {error}"
        raise InputError(Diagnostic(Severity.ERROR, message, source.name)) from None
    try:
        module.verify()
    except RuntimeError as error:
        raise InputError(_verifier_fault(source, str(error))) from None
    return module


def _syntax_fault(source: Source, text: str) -> Diagnostic:
    found = _PLACE.search(text)
    if found is None:
        return Diagnostic(Severity.ERROR, f"LLVM cannot read it: {text.strip()}", source.name)
    line = max(1, min(int(found[1]), len(source.lines)))
    column = max(1, min(int(found[2]), len(source.line(line)) + 1))
    span = Span(line, column, _word_end(source.line(line), column))
    if _TYPED_POINTER.search(source.line(line)):
        hint = "typed pointers, as LLVM 14 and older wrote them, are read only in part"
        return at(source, span, Severity.ERROR, found[3], hint)
    return at(source, span, Severity.ERROR, found[3])


def _word_end(line: str, column: int) -> int:
    found = re.compile(r"[%@!#]?[\w.$-]+|.").match(line, column - 1)
    return column + 1 if found is None else found.end() + 1


def _verifier_fault(source: Source, text: str) -> Diagnostic:
    """The verifier names no line, but prints the instruction that it is about."""
    words = [line.rstrip() for line in text.strip().split("\n")]
    message = f"LLVM's verifier refuses the module: {words[0]}"
    for printed in words[1:]:
        wanted = printed.strip().split(" = ")[0] if " = " in printed else printed.strip()
        for number, line in enumerate(source.lines, 1):
            if wanted and line.strip().startswith(wanted):
                column = len(line) - len(line.lstrip()) + 1
                span = Span(number, column, len(line.rstrip()) + 1)
                return at(source, span, Severity.ERROR, message)
    return Diagnostic(Severity.ERROR, message, source.name)


def has_typed_pointers(text: str) -> bool:
    """Whether pointers are written as LLVM 14 and older did, ``float*``, outside metadata."""
    return any(
        "*" in line and line[:1] not in "!;" and _TYPED_POINTER.search(_STRING.sub('""', line))
        for line in text.split("\n")
    )


def needs_promotion(text: str) -> bool:
    """Whether values live in stack slots, as compilers without optimisation leave them."""
    return "alloca" in text and _SLOT.search(text) is not None


def printed(source: Source) -> Source:
    """The module as LLVM prints it."""
    return Source(source.name, str(parse_text(source)), derived=True)


def instruction_count(module: Any, function: str) -> int:
    """How many instructions LLVM sees in a function."""
    blocks = module.get_function(function).blocks
    return sum(1 for block in blocks for _ in block.instructions)
