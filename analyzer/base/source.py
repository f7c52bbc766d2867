"""Where a piece of input stands: the text of a file and a span inside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from warpmill.analyzer.base.metric import Id


class Span(NamedTuple):
    """A stretch of one line. Lines and columns count from 1; ``end_column`` is one past the last.

    A statement that runs over several lines is spanned on its first line only.
    """

    line: int
    column: int
    end_column: int


class DebugLocation(NamedTuple):
    """Line of the source that a compiler recorded (``.loc``, ``!dbg``); column 0 is unknown.

    ``inlined_at`` is where the compiler put the function that the line belongs to, if it inlined
    it; that place may be in an inlined function itself.
    """

    file: str
    line: int
    column: int
    inlined_at: DebugLocation | None = None


@dataclass(frozen=True, kw_only=True)
class SourcePlace:
    """A line. ``of``: the source that was compiled, the input file, or the print of bitcode."""

    file: str
    line: Id
    column: Id | None
    of: Literal["source", "input", "printed bitcode"]


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
        """Give line ``number`` (from 1), or an empty text where there is none."""
        return self.lines[number - 1].rstrip("\r") if 0 < number <= len(self.lines) else ""
