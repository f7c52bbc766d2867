"""Typed pointers, ``float addrspace(1)*``, as LLVM 14 and older printed them, written as ``ptr``.

LLVM reads some of them still, and prints none. A star stands nowhere else in such text, outside
strings and comments; the type before it goes back over one word or one bracket, and over the
result's type where the bracket is a function's list of parameters. Lines keep their numbers;
columns behind a pointer move.
"""

from __future__ import annotations

import re

from warpmill.analyzer.base.source import Source

_STRING = re.compile(r'"[^"]*"')
_WORD_BEFORE = re.compile(r"[%@]?[-\w.$\"\x03]+$")
_SPACE_BEFORE = re.compile(r"\s+addrspace\(\s*(\d+)\s*\)$")
_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}
_OPENING = frozenset(_CLOSING.values())
_POINTER = re.compile("\x01(\\d*)\x02")
_BARE = re.compile(r"\b(byval|sret|byref|inalloca|preallocated)\b(?! *\()")
_ARGUMENT_END = re.compile(r"[%@,)]")


def upgraded(source: Source) -> Source:
    """The same module with opaque pointers; ``source`` itself where it has no typed ones."""
    lines = source.text.split("\n")
    changed = [_line(line) if "*" in line else line for line in lines]
    if changed == lines:
        return source
    return Source(source.name, "\n".join(changed), derived=True)


def _line(line: str) -> str:
    strings: list[str] = []

    def hide(found: re.Match[str]) -> str:
        strings.append(found[0])
        return '"\x03"'

    text = _STRING.sub(hide, line)
    comment = text.find(";")
    code, rest = (text, "") if comment < 0 else (text[:comment], text[comment:])
    if "*" not in code:
        return line
    written = _POINTER.sub(lambda m: f"ptr addrspace({m[1]})" if m[1] else "ptr", _rewritten(code))
    kept = iter(strings)
    return re.sub('"\x03"', lambda _: next(kept), written + rest)


def _rewritten(code: str) -> str:
    """The pointers of a line from left to right, so that inner ones are done first."""
    star = code.find("*")
    while star >= 0:
        end = len(code[:star].rstrip())
        space = _SPACE_BEFORE.search(code[:end])
        if space is not None:
            end = space.start()
        start = _type_start(code, end)
        if start is None:
            return code  # no type: LLVM will say what is wrong with it
        number = space[1] if space is not None and space[1] != "0" else ""
        tail = _with_type(code[star + 1 :], code[start:end])
        code = f"{code[:start]}\x01{number}\x02{tail}"
        star = code.find("*", start)
    return code


def _with_type(tail: str, pointee: str) -> str:
    """``byval`` and its like say what they are of, where the pointer said it for them."""
    stop = _ARGUMENT_END.search(tail)
    end = len(tail) if stop is None else stop.start()
    if _BARE.search(tail, 0, end) is None:
        return tail
    return _BARE.sub(lambda m: f"{m[1]}({pointee})", tail[:end], count=1) + tail[end:]


def _type_start(code: str, end: int) -> int | None:
    """Where the type that ends at ``end`` starts; None where there is none."""
    end = len(code[:end].rstrip())
    if end == 0:
        return None
    last = code[end - 1]
    if last == "\x02":
        return code.rindex("\x01", 0, end)
    if last not in _CLOSING:
        found = _WORD_BEFORE.search(code[:end])
        return None if found is None else found.start()
    start = _bracket_start(code, end)
    if start is None or last != ")":
        return start
    return _type_start(code, start)


def _bracket_start(code: str, end: int) -> int | None:
    """The index of the bracket that the one before ``end`` closes."""
    open_: list[str] = []
    for index in range(end - 1, -1, -1):
        sign = code[index]
        if sign in _CLOSING:
            open_.append(_CLOSING[sign])
        elif sign in _OPENING:
            if open_.pop() != sign:
                return None
            if not open_:
                return index
    return None
