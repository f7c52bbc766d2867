"""HTML: the page of a result as one file that opens offline, in light and dark.

All text is escaped: no name of a kernel, a file or an option is read as mark-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

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

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.15rem; margin: 1.6rem 0 .4rem; }
small { font-weight: normal; opacity: .7; }
table { border-collapse: collapse; }
th, td { padding: .15rem .7rem .15rem 0; vertical-align: top; }
thead th { border-bottom: 1px solid; font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; }
dd { margin: 0; }
p { margin: .4rem 0; }
"""


def html(page: Page) -> str:
    """A page as a whole HTML document."""
    title = next((block.text for block in page.blocks if isinstance(block, Title)), "warpmill")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_safe(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{fragment(page.blocks)}\n</main>\n</body>\n</html>\n"
    )


def fragment(blocks: Iterable[Block]) -> str:
    """Blocks of a page without a frame, as a notebook shows them."""
    return "\n".join(line for block in blocks for line in _lines(block))


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Title(text):
            yield f"<h1>{_safe(text)}</h1>"
        case Heading(text, note):
            yield f"<h2>{_safe(text)}{f' <small>{_safe(note)}</small>' if note else ''}</h2>"
        case Line(text) | PageLegend(text):
            if text:
                yield f"<p>{_safe(text)}</p>"
        case PageFacts(pairs):
            told = (f"<dt>{_safe(name)}</dt><dd>{_safe(value)}</dd>" for name, value in pairs)
            yield f"<dl>{''.join(told)}</dl>"
        case PageItems(lines):
            yield f"<ul>{''.join(f'<li>{_safe(line)}</li>' for line in lines)}</ul>"
        case PageTable():
            yield from _table(block)


def _table(table: PageTable) -> Iterator[str]:
    words = {*table.left, *table.wrap}
    yield "<table>"
    if table.has_header:
        yield f"<thead>{_row(table.header, words, 'th')}</thead>"
    yield "<tbody>"
    yield from (_row(row, words, "td") for row in table.rows)
    yield "</tbody></table>"


def _row(cells: Sequence[str], words: set[int], tag: str) -> str:
    sides = ("left" if number in words else "right" for number in range(len(cells)))
    shown = (
        f'<{tag} style="text-align: {side}">{_safe(cell)}</{tag}>'
        for side, cell in zip(sides, cells, strict=True)
    )
    return f"<tr>{''.join(shown)}</tr>"


def _safe(text: str) -> str:
    return escape(escaped(text))
