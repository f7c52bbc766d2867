"""Errors and warnings about one PTX text, gathered until there are enough of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate, count
from operator import add
from typing import NoReturn

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, at
from warpmill.analyzer.base.source import Source, Span

MAX_ERRORS = 20


class Positions:
    """Lines and columns of offsets into a text.

    ``starts`` are the offsets of the lines' first characters and, at its end, one past the text.
    """

    def __init__(self, text: str) -> None:
        ends = accumulate(map(len, text.split("\n")))
        self.starts = [0, *map(add, ends, count(1))]  # a line break is one character
        self._line = 1  # of the last answer; the next is mostly on that line or the next

    def line_of(self, offset: int) -> int:
        """Give the number of the line that an offset lies on."""
        return bisect_right(self.starts, offset, 0, len(self.starts) - 1)

    def span(self, start: int, end: int) -> Span:
        """Give the part of ``start`` to ``end`` that lies on the first line."""
        starts, line = self.starts, self._line
        if start >= starts[line]:
            line += 1
        if not starts[line - 1] <= start < starts[line]:
            line = self.line_of(start)
        self._line = min(line, len(starts) - 2)
        first, next_line = starts[line - 1], starts[line]
        last = end if end < next_line else max(start, next_line - 1)
        return Span(line, start - first + 1, last - first + 1)


_NOT_BLANK = re.compile(r"\S*", re.ASCII)


def first_word(text: str, start: int, end: int) -> str:
    """Give the start of ``text[start:end]`` up to a blank, as blanks are in PTX; cut where long."""
    match = _NOT_BLANK.match(text, start, end)
    return text[start] if match is None or not match[0] else match[0][:80]


class Problems:
    """What was found to be wrong with ``source``, in the order in which it was met."""

    def __init__(self, source: Source, strict: bool) -> None:
        self.positions = Positions(source.text)
        self._source = source
        self._strict = strict
        self._errors: list[Diagnostic] = []
        self._warnings: list[Diagnostic] = []

    def error(self, start: int, end: int, message: str, hint: str | None = None) -> None:
        """Note an error at the offsets ``start`` to ``end``; the twentieth raises."""
        span = self._visible(start, end)
        self._errors.append(at(self._source, span, Severity.ERROR, message, hint))
        if len(self._errors) >= MAX_ERRORS:
            self._raise()

    def warning(self, start: int, end: int, message: str, hint: str | None = None) -> None:
        """Note a warning."""
        span = self.positions.span(start, end)
        self._warnings.append(at(self._source, span, Severity.WARNING, message, hint))

    def note(self, start: int, end: int, message: str, kind: str | None = None) -> None:
        """Note what is worth knowing and nobody's fault."""
        span = self.positions.span(start, end)
        self._warnings.append(replace(at(self._source, span, Severity.NOTE, message), kind=kind))

    def objection(self, start: int, end: int, message: str) -> None:
        """Note what is a warning, or an error for who asked for strictness."""
        if self._strict:
            self.error(start, end, message)
        else:
            self.warning(start, end, message)

    def fatal(self, message: str, start: int | None = None, end: int | None = None) -> NoReturn:
        """Note an error after which nothing more can be read, and raise all of them."""
        if start is None:
            self._errors.append(Diagnostic(Severity.ERROR, message, self._source.name))
        else:
            span = self._visible(start, start + 1 if end is None else end)
            self._errors.append(at(self._source, span, Severity.ERROR, message))
        self._raise()

    def _visible(self, start: int, end: int) -> Span:
        """Give a span that is never empty, even at the end of a line."""
        span = self.positions.span(start, end)
        return span._replace(end_column=max(span.end_column, span.column + 1))

    def finish(self) -> tuple[Diagnostic, ...]:
        """Give the warnings and notes, or raise the errors as one InputError."""
        if self._errors:
            self._raise()
        return tuple(sorted(self._warnings, key=lambda d: d.span or Span(0, 0, 0)))

    def _raise(self) -> NoReturn:
        raise InputError(*sorted(self._errors, key=lambda d: d.span or Span(0, 0, 0)))
