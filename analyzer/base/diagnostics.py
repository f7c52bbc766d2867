"""Diagnostics about an input, the exceptions that carry them, and source texts with spans."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar

from warpmill.analyzer.base.metric import Id

T = TypeVar("T")


class Severity(Enum):
    """How bad it is: an error ends the run, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


CALL_KEPT = "call kept"
"""Kind of a diagnostic of a call that stays one in analyses, counted as one instruction."""

CALL_ASSUMED = "call assumed"
"""Kind of a diagnostic of what analyses assume of a call that only a run decides."""

SAID_ONCE = "said once"
"""Kind of a diagnostic as true of one file as of the next: its first place is enough."""


@dataclass(frozen=True)
class Diagnostic:
    """One message with the place it is about and, where there is one, what to do next.

    ``file`` is the name of the input as the user gave it. ``excerpt`` is the line of the input that
    ``span`` points into. ``kind`` tells apart what some leave out: ``CALL_KEPT``, ``CALL_ASSUMED``
    and ``SAID_ONCE``; else None.
    ``fix`` is an option of the command line with the values that would do, where there are such.
    """

    severity: Severity
    message: str
    file: str | None = None
    span: Span | None = None
    excerpt: str | None = None
    hint: str | None = None
    kind: str | None = None
    fix: tuple[str, tuple[str, ...]] | None = None

    def __str__(self) -> str:
        """Render in the form ``file:line:column: error: words`` with the line and carets below."""
        place = "" if self.file is None else f"{self.file}: "
        if self.file is not None and self.span is not None:
            place = f"{self.file}:{self.span.line}:{self.span.column}: "
        text = f"{place}{self.severity.value}: {self.message}"
        if self.span is not None and self.excerpt is not None:
            text += "\n" + _pointed(self.span, self.excerpt)
        return text if self.hint is None else f"{text}\n  = help: {self.hint}"


def _pointed(span: Span, excerpt: str) -> str:
    """The excerpt with a gutter, and carets under the span; tabs keep their width."""
    start = min(span.column - 1, len(excerpt))
    width = max(1, min(span.end_column - 1, len(excerpt)) - start)
    lead = "".join("\t" if c == "\t" else " " for c in excerpt[:start])
    gutter = f"{span.line:5}"
    return f"{gutter} | {excerpt}\n{' ' * len(gutter)} | {lead}{'^' * width}"


def at(
    source: Source, span: Span, severity: Severity, message: str, hint: str | None = None
) -> Diagnostic:
    """Make a diagnostic that points into ``source``."""
    return Diagnostic(severity, message, source.name, span, source.line(span.line), hint)


class WarpmillError(Exception):
    """Base of everything that warpmill raises on purpose.

    ``exit_code`` is what the command line ends with: 2 for bad usage or input.
    """

    exit_code = 2

    def __init__(self, *diagnostics: Diagnostic | str) -> None:
        self.diagnostics = tuple(
            Diagnostic(Severity.ERROR, d) if isinstance(d, str) else d for d in diagnostics
        )
        super().__init__("\n".join(str(d) for d in self.diagnostics))

    def put_in(self, file: str | None, before: str = "") -> None:
        """Set the file in diagnostics that name none, and the place in it before their words."""
        self.diagnostics = tuple(
            replace(d, file=file, message=f"{before}{d.message}") if d.file is None else d
            for d in self.diagnostics
        )
        self.args = ("\n".join(str(d) for d in self.diagnostics),)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled form for another process, whatever a kind of error is made of."""
        return _made_again, (type(self), self.diagnostics, self.__dict__)


def _made_again(
    kind: type[WarpmillError], diagnostics: tuple[Diagnostic, ...], state: dict[str, Any]
) -> WarpmillError:
    error = kind.__new__(kind)
    WarpmillError.__init__(error, *diagnostics)
    error.__dict__.update(state)
    return error


class InputError(WarpmillError):
    """A file or a value that was given cannot be used."""


class DataError(InputError):
    """Contents of a buffer are missing or do not fit: no other way goes on."""


class UsageError(WarpmillError):
    """Request that does not make sense, or names something that is not there."""


class Faults:
    """Gathers what is wrong with the parts of one request, so that all of it is said at once."""

    def __init__(self) -> None:
        self._errors: list[InputError | UsageError] = []

    def of(self, make: Callable[[], T]) -> T | None:
        """Make a part; None where it is wrong, which is kept."""
        try:
            return make()
        except (InputError, UsageError) as error:
            self._errors.append(error)
            return None

    @property
    def found(self) -> bool:
        """Whether anything was wrong."""
        return bool(self._errors)

    def check(self) -> None:
        """Raise what was gathered, each thing once, if anything was. InputError and UsageError."""
        if len(self._errors) == 1:
            raise self._errors[0]
        if self._errors:
            is_usage = all(isinstance(error, UsageError) for error in self._errors)
            kind = UsageError if is_usage else InputError
            raise kind(*dict.fromkeys(d for error in self._errors for d in error.diagnostics))


class LimitError(WarpmillError):
    """A limit was reached. The message names the flag that moves it."""

    exit_code = 3


NO_ANSWER = (InputError, LimitError)
"""Errors that keep one of several points, machines or rows from an answer: the others go on."""


def is_limit(error: WarpmillError) -> bool:
    """Whether an error is that a limit was reached."""
    return error.exit_code == LimitError.exit_code


def words_of(error: WarpmillError) -> str:
    """Message of an error in one line; of a limit also the flag that moves it."""
    hints = is_limit(error)
    said = (f"{d.message} ({d.hint})" if hints and d.hint else d.message for d in error.diagnostics)
    return "; ".join(said)


def none_answered(limits: Iterable[bool], *said: Diagnostic | str) -> WarpmillError:
    """The error of several points without an answer; ``limits``: which of them reached a limit.

    LimitError where all did, else InputError: a higher limit alone does not mend the command.
    """
    return (LimitError if all(limits) else InputError)(*said)


def all_unanswered(errors: Sequence[WarpmillError]) -> WarpmillError:
    """The error of several points without an answer, with what each of them says."""
    if len(errors) == 1:
        return errors[0]
    return none_answered(map(is_limit, errors), *(d for e in errors for d in e.diagnostics))


# Where a piece of input stands: the text of a file and a span inside it.


@dataclass(frozen=True, kw_only=True)
class SourcePlace:
    """A line. ``of``: the source that was compiled, the input file, or the print of bitcode."""

    file: str
    line: Id
    column: Id | None
    of: Literal["source", "input", "printed bitcode"]


class Span(NamedTuple):
    """Columns of one line. Lines and columns count from 1; ``end_column`` is one past the last.

    A statement that runs over several lines is spanned on its first line only.
    """

    line: int
    column: int
    end_column: int

    def place(self, file: str, of: Literal["input", "printed bitcode"]) -> SourcePlace:
        """The line with the name of the text that it stands in."""
        return SourcePlace(file=file, line=self.line, column=self.column, of=of)


class DebugLocation(NamedTuple):
    """Line of the source that a compiler recorded (``.loc``, ``!dbg``); column 0 is unknown.

    ``inlined_at`` is where the compiler put the function that the line belongs to, if it inlined
    it; that place may be in an inlined function itself.
    """

    file: str
    line: int
    column: int
    inlined_at: DebugLocation | None = None

    @property
    def own(self) -> DebugLocation:
        """The line that people wrote: the call, where the line is of a compiler's own library."""
        found = self
        while found.inlined_at is not None and _OF_COMPILERS.search(found.file):
            found = found.inlined_at
        return found

    @property
    def place(self) -> SourcePlace:
        """The line of the source that people wrote."""
        own = self.own
        return SourcePlace(file=own.file, line=own.line, column=own.column or None, of="source")


_OF_COMPILERS = re.compile(r"(?:^|[/\\])(?:triton[/\\]language|numba[/\\]cuda)[/\\]")
"""Files of libraries that come with compilers of Python, whose functions are inlined."""


@dataclass(frozen=True)
class Source:
    """A text that was read, with the name under which people know it.

    ``derived`` tells that the text was not in a file as it stands: bitcode is printed first, and
    spans then point into that print.
    """

    name: str
    text: str
    derived: bool = False

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text without their ends."""
        return tuple(self.text.split("\n"))

    def line(self, number: int) -> str:
        """Line ``number`` (from 1), or an empty text where there is none."""
        return self.lines[number - 1].rstrip("\r") if 0 < number <= len(self.lines) else ""
