"""Texts that other programs wrote, read with located errors: characters and values of JSON."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.base.input_files import read_input

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


# Where the values of a JSON text stand.

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')

JsonPath = tuple[str | int, ...]


@dataclass
class _Open:
    """An object or array that has not ended: the key, or the number, of what comes next."""

    is_object: bool
    key: str | int = 0
    awaits_key: bool = field(default=False)


def json_places(text: str) -> dict[JsonPath, Span]:
    """Give the span of every value of a text that is known to be JSON, by its path.

    Of an object or array it is the bracket that opens it.
    """
    found: dict[JsonPath, Span] = {}
    span, stack = places(text), list[_Open]()
    for token in _TOKEN.finditer(text):
        here = stack[-1] if stack else None
        if token[0] == ":":
            continue
        if token[0] == ",":
            _advance(stack[-1])
        elif token[0] in "]}":
            stack.pop()
        elif here is not None and here.awaits_key:
            here.key, here.awaits_key = json.loads(token[0]), False
        else:
            found[tuple(level.key for level in stack)] = span(token.start(), len(token[0]))
            if token[0] in "[{":
                stack.append(_Open(token[0] == "{", 0, token[0] == "{"))
    return found


def _advance(level: _Open) -> None:
    if level.is_object:
        level.awaits_key = True
    elif isinstance(level.key, int):
        level.key += 1
