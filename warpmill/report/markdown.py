"""Markdown: the page of a result, for pull requests and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from warpmill.report.page import (
    Block,
    Heading,
    Line,
    Page,
    PageFacts,
    PageItems,
    PageLegend,
    PageTable,
    Title,
)
from warpmill.report.safe import escaped

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")


def markdown(page: Page) -> str:
    """A page as Markdown; what names hold is shown as it is, never read as mark-up."""
    blocks = ("\n".join(_lines(block)) for block in page.blocks)
    return "\n\n".join(block for block in blocks if block) + "\n"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Title(text):
            yield f"## {_plain(text)}"
        case Heading(text, note):
            yield f"### {_plain(text)}" + (f"\n\n*{_plain(note)}*" if note else "")
        case Line(text) | PageLegend(text):
            yield _plain(text)
        case PageFacts(pairs):
            yield from (f"- {_plain(name)}: {_plain(value)}" for name, value in pairs)
        case PageItems(lines):
            yield from (f"- {_plain(line)}" for line in lines)
        case PageTable():
            header = block.header if block.has_header else ("",) * len(block.header)
            yield _row(header)
            left = {*block.left, *block.wrap}
            yield _row([":--" if n in left else "--:" for n in range(len(header))], raw=True)
            yield from map(_row, block.rows)


def _row(cells: Sequence[str], *, raw: bool = False) -> str:
    return f"| {' | '.join(cells if raw else map(_plain, cells))} |"


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", escaped(text)).replace("\n", " ")
