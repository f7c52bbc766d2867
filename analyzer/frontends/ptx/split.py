"""A PTX text cut into the directives of the module and its functions, by regular expressions.

Comments are blanked first, character by character, so that every offset stays true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from operator import mul

_COMMENT = re.compile(r'"[^"\n]*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_BRACE = re.compile(r'"[^"\n]*"|[{}]')
_RAW_BRACE = re.compile(r'"[^"\n]*"|//[^\n]*|[{}]')
_QUOTED_SLASHES = re.compile(r'"[^"\n]*//')
_LINE_COMMENT = re.compile(r"(//[^\n]*)")
_BLANK = re.compile(r"\s*+", re.ASCII)
_LINKAGE = r"(?>(?:\.(?:visible|extern|weak|common)\s*+)*)"
_WORDS = r"[\w$]++(?>(?:\s*+,\s*+[\w$]++)*)"
_UNENDED = (  # directives without a semicolon; one that is not well formed takes its line
    rf"(?:version\s++[\d.]++|target\s++{_WORDS}|address_size\s++\w++"
    rf'|file\s++\d++\s*+"[^"\n]*+"(?>(?:\s*+,\s*+\d++)*))(?=\s|\Z)'
)
_ITEM = re.compile(
    rf"(?P<line>\.(?:{_UNENDED}|(?:version|target|address_size|file|loc)\b[^\n]*+)|@@[^\n]*+)"
    r"|(?P<section>\.section\b[^{;]*+)\{"
    rf'|(?P<function>{_LINKAGE}\.(?:entry|func)\b[^;{{"]*+(?>(?:"[^"\n]*+"\s*+;?[^;{{"]*+)*))[;{{]'
    r'|(?P<statement>\.[^;"]*+(?>(?:"[^"\n]*+"[^;"]*+)*));',
    re.ASCII,
)
_HEAD = re.compile(
    rf"[ \t]*+{_LINKAGE}\.(entry|func)\b\s*+(?:\.attribute\s*+\([^)]*+\)+\s*+)?"
    r'(?:\([^()]*+\)\s*+)?([\w$%]++)[^;{"]*+(?>(?:"[^"\n]*+"\s*+;?[^;{"]*+)*)([;{])',
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of a module: its kind, and its text without the end mark as offsets.

    ``kind`` is ``line``, ``statement``, ``function``, ``section``, or ``bad`` for a text that is
    none of them. ``body`` are the offsets inside a function's braces.
    """

    kind: str
    start: int
    end: int
    body: tuple[int, int] | None = None


class UnclosedError(Exception):
    """Bracket or comment opened at ``offset`` that is never closed."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


def without_comments(text: str) -> str:
    """Replace comments by spaces; raises UnclosedError for a block comment without an end."""
    if "/*" in text or _QUOTED_SLASHES.search(text) is not None:
        return _COMMENT.sub(_blanked, text)
    if "//" not in text:
        return text
    parts = _LINE_COMMENT.split(text)  # every second part is a comment
    parts[1::2] = map(mul, repeat(" "), map(len, parts[1::2]))
    return "".join(parts)


def _blanked(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] == '"':
        return found
    if found[1] == "/":
        return " " * len(found)
    if len(found) < 4 or not found.endswith("*/"):
        raise UnclosedError(match.start())
    return "\n".join(" " * len(line) for line in found.split("\n"))


def next_item(text: str, position: int) -> tuple[Item, int] | None:
    """Cut the next item off a text without comments, and say where to go on; None at the end.

    Raises UnclosedError where a brace of a body is not closed.
    """
    position = _skip_blank(text, position)
    if position == len(text):
        return None
    match = _ITEM.match(text, position)
    return _bad_item(text, position) if match is None else _good_item(text, match)


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return position if match is None else match.end()


def _good_item(text: str, match: re.Match[str]) -> tuple[Item, int]:
    kind = match.lastgroup or "bad"
    start, end = match.span(kind)
    if kind in ("line", "statement") or text[match.end() - 1] == ";":
        return Item(kind, start, _stripped(text, start, end)), match.end()
    closing = closing_brace(text, match.end() - 1)
    body = (match.end(), closing)
    return Item(kind, start, _stripped(text, start, end), body), closing + 1


def _stripped(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())


def _bad_item(text: str, position: int) -> tuple[Item, int]:
    """Take what is not understood up to the next line that starts with a directive."""
    found = text.find("\n.", position)
    end = len(text) if found < 0 else found + 1
    return Item("bad", position, _stripped(text, position, end)), end


def closing_brace(text: str, opening: int) -> int:
    """Find the brace that closes the one at ``opening``; raises UnclosedError."""
    depth, position = 1, opening + 1
    while (closing := text.find("}", position)) >= 0:
        if text.find('"', position, closing) >= 0:
            return _closing_among_strings(text, opening)
        depth += text.count("{", position, closing) - 1
        if depth == 0:
            return closing
        position = closing + 1
    raise UnclosedError(opening)


def _closing_among_strings(text: str, opening: int) -> int:
    """Do it where strings may have braces in them, which takes longer."""
    depth = 0
    for match in _BRACE.finditer(text, opening):
        brace = match[0]
        if brace == "{":
            depth += 1
        elif brace == "}":
            depth -= 1
            if depth == 0:
                return match.start()
    raise UnclosedError(opening)


def scan_headers(text: str) -> list[tuple[str, int, int, bool]]:
    """Find the functions with bodies: name, first line, last line, whether it is an entry.

    Lines count from 1. What is before a comment that does not end is looked at; UnclosedError for
    a body that does not.
    """
    if "/*" in text:
        try:
            text = without_comments(text)
        except UnclosedError as error:
            text = text[: error.offset]
    headers = []
    position, line = 0, 1
    for start, match in _heads(text):
        if start < position or match[3] == ";":
            continue
        end = _raw_closing_brace(text, match.end() - 1)
        first = line + text.count("\n", position, start)
        line = first + text.count("\n", start, end)
        headers.append((match[2], first, line, match[1] == "entry"))
        position = end
    return headers


def _heads(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Find function headers at the start of a line, in order; some may lie inside bodies."""
    found = sorted(
        {position for word in (".entry", ".func") for position in _occurrences(text, word)}
    )
    for position in found:
        line_start = text.rfind("\n", 0, position) + 1
        match = _HEAD.match(text, line_start)
        if match is not None:
            yield line_start, match


def _occurrences(text: str, word: str) -> Iterator[int]:
    position = text.find(word)
    while position >= 0:
        yield position
        position = text.find(word, position + 1)


def _raw_closing_brace(text: str, opening: int) -> int:
    depth = 0
    for match in _RAW_BRACE.finditer(text, opening):
        brace = match[0]
        if brace == "{":
            depth += 1
        elif brace == "}":
            depth -= 1
            if depth == 0:
                return match.start()
    return len(text)
