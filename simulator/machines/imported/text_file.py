"""Texts that other programs' users wrote, read with located errors."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, at
from warpmill.analyzer.base.input_files import read_input
from warpmill.analyzer.base.source import Source, Span

_MOST_BYTES = 4 << 20


def read_source(path: Path) -> Source:
    """Read a text file. InputError where it is not there, too large, or not UTF-8."""
    name = str(path)
    try:
        data = read_input(path, _MOST_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _refused(name, f"cannot read the file: {reason}") from None
    try:
        return Source(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        source = Source(name, data.decode("utf-8", "replace"))
        span = places(source.text)(len(data[: error.start].decode("utf-8")), 1)
        words = f"byte 0x{data[error.start]:02x} is not UTF-8: this is no text"
        raise InputError(at(source, span, Severity.ERROR, words)) from None


def places(text: str) -> Callable[[int, int], Span]:
    """Make the function that gives the span of so many characters from an offset on."""
    starts = [0]
    while end := text.find("\n", starts[-1]) + 1:
        starts.append(end)

    def span(offset: int, length: int) -> Span:
        line = bisect_right(starts, offset)
        column = offset - starts[line - 1] + 1
        return Span(line, column, column + length)

    return span


def _refused(name: str, words: str) -> InputError:
    return InputError(Diagnostic(Severity.ERROR, words, name))
