"""A count of PTX's instructions that shares nothing with the front-end.

It goes through a text character by character. Strings and comments are blanked; a body is cut at
semicolons, at braces that open or close a scope, and behind labels. What is left of a piece counts
as an instruction unless it starts with a dot. A body that control can leave at its brace counts one
more, as the IR writes down the return that PTX leaves out there.
"""

from __future__ import annotations

import string
from collections.abc import Iterator

_WORD = frozenset(string.ascii_letters + string.digits + "_$%")
_BLANK = frozenset(" \t\r\n")
_LEAVING = ("ret", "exit", "bra", "brx")


def count_instructions(text: str) -> dict[str, int]:
    """The number of instructions of each function and kernel with a body, by name."""
    clean = _blanked(text)
    return {name: _count(clean[start:end]) for name, start, end in _bodies(clean)}


def _blanked(text: str) -> str:
    """Replace comments, strings and lines that start with ``.loc`` or ``.file`` by blanks."""
    kept: list[str] = []
    place = 0
    while place < len(text):
        two = text[place : place + 2]
        if two == "//":
            place = _or_end(text.find("\n", place), text)
        elif two == "/*":
            place = _or_end(text.find("*/", place), text) + 2
        elif text[place] == '"':
            place = _or_end(text.find('"', place + 1), text) + 1
            kept.append(" ")
        else:
            end = min(_or_end(text.find(c, place + 1), text) for c in '/"')
            kept.append(text[place:end])
            place = end
    lines = "".join(kept).split("\n")
    return "\n".join(["" if _is_line_note(line) else line for line in lines])


def _is_line_note(line: str) -> bool:
    return line.lstrip().split(maxsplit=1)[:1] in ([".loc"], [".file"], ["@@DWARF"])


def _or_end(found: int, text: str) -> int:
    return len(text) if found < 0 else found


def _bodies(text: str) -> Iterator[tuple[str, int, int]]:
    """Find the outermost braces, and the function that each pair belongs to."""
    place, head = 0, 0
    while place < len(text):
        if text[place] == ";":
            head = place + 1
        elif text[place] == "{":
            end = _closing(text, place)
            words = text[head:place].replace("(", " ( ").replace(")", " ) ").split()
            name = _function_name(words)
            if name is not None:
                yield name, place + 1, end
            if "=" not in words:
                head = end + 1
            place = end
        place += 1


def _closing(text: str, place: int) -> int:
    depth = 0
    for at in range(place, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at
    raise ValueError(f"the brace at {place} is not closed")


def _function_name(words: list[str]) -> str | None:
    """Take the name from the words of a header; None where it is no function's."""
    found = [place for place, word in enumerate(words) if word in (".entry", ".func")]
    if not found or ".section" in words:
        return None
    rest = words[found[-1] + 1 :]
    while rest[0].startswith(".") or rest[0] == "(":  # an attribute, or the results
        has_list = "(" in rest[:2]
        rest = rest[rest.index(")") + 1 if has_list else 1 :]
    return rest[0]


def _count(body: str) -> int:
    """Count the instructions between the braces of a function."""
    count, last, labels_behind = 0, "", []
    named: set[str] = set()
    for piece, labels in _pieces(body):
        labels_behind += labels
        if ".branchtargets" in piece:
            named.update(piece.replace(",", " ").split())
        if piece and not piece.startswith("."):
            count, last, labels_behind = count + 1, piece, []
            if _opcode(piece) == "bra":
                named.add(piece.split()[-1])
    falls_out = last.startswith("@") or _opcode(last) not in _LEAVING
    return count + (falls_out or not named.isdisjoint(labels_behind))


def _opcode(piece: str) -> str:
    """An instruction's name up to its first dot, behind a guard."""
    if not piece.startswith("@"):
        return piece.partition(".")[0].split()[0] if piece else ""
    rest = piece[1:].lstrip("! \t\n")
    while rest and rest[0] in _WORD:
        rest = rest[1:]
    return rest.partition(".")[0].split()[0]


def _pieces(body: str) -> Iterator[tuple[str, list[str]]]:
    """Cut a body into statements without their labels, and give those labels."""
    labels: list[str] = []
    start = depth = 0
    for place, letter in enumerate(body):
        if letter == ";":
            yield body[start:place].strip(), labels
            start, labels, depth = place + 1, [], 0
        elif letter in "{}" and depth == 0 and not body[start:place].strip():
            start = place + 1
        elif letter in "{}":
            depth += 1 if letter == "{" else -1
        elif letter == ":" and _is_label(body, start, place):
            labels.append(body[start:place].strip())
            start = place + 1
    rest = body[start:].strip()
    if rest or labels:
        yield rest, labels


def _is_label(body: str, start: int, colon: int) -> bool:
    """Whether only one word stands before a single colon."""
    before = body[start:colon].strip()
    is_double = body[colon + 1 : colon + 2] == ":" or body[colon - 1 : colon] == ":"
    return bool(before) and not is_double and all(c in _WORD for c in before)
