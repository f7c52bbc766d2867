"""A page as HTML: what a notebook shows of a result."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape

from warpmill.report.page import (
    Block,
    Heading,
    Line,
    PageFacts,
    PageItems,
    PageLegend,
    PageTable,
    Title,
)


def html_of(blocks: Iterable[Block]) -> str:
    """Blocks of a page as HTML, without a frame."""
    return "".join(map(_html, blocks))


def _html(block: Block) -> str:
    match block:
        case Title(text):
            return f"<p><b>{escape(text)}</b></p>"
        case Heading(text, note):
            small = f" <small>({escape(note)})</small>" if note else ""
            return f"<p><b>{escape(text)}</b>{small}</p>"
        case Line(text):
            return f"<p>{escape(text)}</p>"
        case PageLegend(text):
            return f"<p><small>{escape(text)}</small></p>"
        case PageFacts(pairs):
            return _table([], pairs, (0, 1)) if pairs else ""
        case PageItems(lines):
            return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
        case PageTable():
            header = block.header if block.has_header else ()
            return _table(header, block.rows, {*block.left, *block.wrap})


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int]) -> str:
    def row(kind: str, cells: Sequence[str]) -> str:
        sides = ("left" if n in left else "right" for n in range(len(cells)))
        each = (
            f'<{kind} style="text-align: {side}">{escape(cell)}</{kind}>'
            for side, cell in zip(sides, cells, strict=True)
        )
        return f"<tr>{''.join(each)}</tr>"

    head = row("th", header) if header else ""
    return f"<table>{head}{''.join(row('td', cells) for cells in rows)}</table>"
