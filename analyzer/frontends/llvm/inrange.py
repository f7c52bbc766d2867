"""``inrange`` before an index of a constant address, as LLVM 18 and older printed it, left out.

Tables of virtual functions have it. It says how far the address may be moved, which nothing here
asks for; LLVM 19 and newer write two bounds instead, and refuse the word. Blanks stand in its
place, so that lines and columns stay what they are in the file.
"""

from __future__ import annotations

import re

from warpmill.analyzer.base.source import Source

_WORD = re.compile(r'"[^"]*"|;.*|(?<=,)\s+(?P<word>inrange)(?=\s+i\d)')


def without_inrange(source: Source) -> Source:
    """The same module without the word; ``source`` itself where it has none."""
    if "inrange" not in source.text:
        return source
    text = "\n".join(map(_line, source.text.split("\n")))
    return source if text == source.text else Source(source.name, text, source.derived)


def _line(line: str) -> str:
    if "inrange" not in line:
        return line
    return _WORD.sub(lambda found: " " * len(found[0]) if found["word"] else found[0], line)
