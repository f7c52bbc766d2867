"""A count of PTX's instructions that shares nothing with the front-end.

Comments, strings and line notes are blanked. A body is a run of labels, of braces that open or
close a scope, and of statements up to a semicolon, of which those that start with a dot are no
instructions. A body that control can leave at its brace counts one more, as the IR writes down the
return that PTX leaves out there.
"""

from __future__ import annotations

import re

_BLANK = re.compile(
    r'//[^\n]*|/\*.*?(?:\*/|\Z)|"[^"]*"|^[ \t]*(?:\.loc|\.file|@@DWARF)(?!\S)[^\n]*',
    re.DOTALL | re.MULTILINE,
)
_FUNCTION = re.compile(
    r"\.(?:entry|func)\s*(?:\.\w+\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)?)*(?:\([^)]*\)\s*)?"
    r"([^\s(.]+)"
)
_PIECE = re.compile(
    r"\s*(?:(?P<label>[\w$%]+)\s*:(?!:)|[{}]|(?:@\s*(?P<guard>!?\s*[\w$%]+)\s*)?(?P<words>[^;]+);)"
)
_LEAVING = ("ret", "exit", "bra", "brx")


def count_instructions(text: str) -> dict[str, int]:
    """The number of instructions of each function and kernel with a body, by name."""
    clean = _BLANK.sub(" ", text)
    found: dict[str, int] = {}
    depth = head = start = 0
    for mark in re.finditer("[;{}]", clean):
        if mark[0] == "{" and depth == 0:
            start = mark.end()
        depth += (mark[0] == "{") - (mark[0] == "}")
        if depth > 0:
            continue
        names = _FUNCTION.findall(clean, head, start)
        if mark[0] == "}" and names:
            found[names[-1]] = _count(clean[start : mark.start()])
        head = mark.end()
    return found


def _count(body: str) -> int:
    """Count the instructions between the braces of a function."""
    count, falls_out = 0, True
    named, labels_behind = set[str](), set[str]()
    for piece in _PIECE.finditer(body):
        words = piece["words"] or ""
        if piece["label"]:
            labels_behind.add(piece["label"])
        elif words.startswith(".branchtargets"):
            named.update(re.findall(r"[\w$%]+", words))
        elif words and not words.startswith("."):
            opcode = re.split(r"[.\s]", words, maxsplit=1)[0]
            count, falls_out = count + 1, bool(piece["guard"]) or opcode not in _LEAVING
            labels_behind.clear()
            if opcode == "bra":
                named.add(words.split()[-1])
    return count + (falls_out or not named.isdisjoint(labels_behind))
