"""Names come from files that anybody may have written: what they may not do to a terminal."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def escaped(text: str) -> str:
    """Write control characters and changes of direction by their codes; newline and tab stay."""
    return _CONTROL.sub(lambda m: f"\\x{ord(m[0]):02x}", text)


def printable(text: str) -> str:
    """Do the same to a rendered page, whose own colours stay."""
    parts, end = [], 0
    for colour in _COLOUR.finditer(text):
        parts += [escaped(text[end : colour.start()]), colour[0]]
        end = colour.end()
    return "".join([*parts, escaped(text[end:])])


def plain_text(cell: str) -> str:
    """A cell that spreadsheets show as it is: names may begin as their formulas do."""
    if not cell.startswith(_FORMULA) or cell == "-" or _NUMBERS.fullmatch(cell):
        return cell
    return f"'{cell}"


_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:inf|nan)"
_NUMBERS = re.compile(rf"(?:{_NUMBER})(?:; (?:{_NUMBER}))*")
