"""Markdown: the page of a result, for pull requests and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from warpmill.report.base import Report
from warpmill.report.page import (
    Block,
    Heading,
    Line,
    Page,
    PageFacts,
    PageItems,
    PageLegend,
    PageTable,
    Style,
    Title,
)
from warpmill.report.read import Reader
from warpmill.report.safe import escaped

if TYPE_CHECKING:
    from warpmill.report.sections import Section

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")


def markdown(page: Page, report: Report) -> str:
    """A page as Markdown; what names hold is shown as it is, never read as mark-up.

    It has what a pull request needs: the answer, one table, one line of provenance; or everything
    where the page's style asks for that.
    """
    shown = page.blocks if page.style.verbose else _short(page.blocks)
    parts = ["\n".join(_lines(block)) for block in shown]
    return "\n\n".join([*filter(None, parts), _provenance(page, report)]) + "\n"


def section_markdown(section: Section, subject: Reader) -> str:
    """What a section shows of a result, whole and without its heading; "" for nothing."""
    page = Page(Style(verbose=True))
    section.add(page, subject)
    shown = (block for block in page.blocks if not isinstance(block, Heading))
    return "\n\n".join("\n".join(_lines(block)) for block in shown)


def _short(blocks: Sequence[Block]) -> list[Block]:
    """The title and the answer, which stand above the first heading, and the first table below."""
    ends = (number for number, block in enumerate(blocks) if isinstance(block, Heading))
    first = next(ends, len(blocks))
    above = Title | Line | PageItems | PageTable
    title = next((block for block in blocks if isinstance(block, Title)), None)
    shown: list[Block] = [
        block
        for block in blocks[:first]
        if isinstance(block, above) and (block is title or not isinstance(block, Title))
    ]
    if not any(isinstance(block, PageTable) for block in shown):
        tables = (n for n, x in enumerate(blocks) if isinstance(x, PageTable | PageFacts))
        place = next((n for n in tables if n > first), None)
        shown += [] if place is None else [blocks[first], _as_table(blocks[place])]
    return shown


def _as_table(block: Block) -> Block:
    """Facts as a table of two columns; a table as it is."""
    if not isinstance(block, PageFacts):
        return block
    return PageTable(("", ""), block.pairs, (0,), (), None, has_header=True)


def _provenance(page: Page, report: Report) -> str:
    """The version and the command that makes the result again."""
    command = page.style.command
    ticks = "`" * (1 + max(map(len, re.findall("`+", command)), default=0))
    told = f": {ticks}{escaped(command)}{ticks}" if command else ""
    return f"*warpmill {_plain(report.warpmill_version)}*{told}"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Title(text, _):
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
