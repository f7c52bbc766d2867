"""HTML: the page of a result as one file that opens offline, in light and dark, with its charts.

All text is escaped: no name of a kernel, a file or an option is read as mark-up. The file asks for
nothing from outside itself, and says so to the browser; the result's data stand in it as JSON, in
the element ``warpmill-data``. Charts are drawn by Apache ECharts, graphs by Cytoscape.js, which are
in the file where it has such (``assets/``; versions and licences in NOTICE).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from warpmill.report.base import Report
from warpmill.report.charts import GraphChart, TimelineChart
from warpmill.report.fields import plain
from warpmill.report.manifest import version_text
from warpmill.report.page import (
    Block,
    CodeLine,
    Drawn,
    Heading,
    Line,
    Page,
    PageChart,
    PageCode,
    PageCommand,
    PageFacts,
    PageItems,
    PageLegend,
    PageTable,
    Title,
    percent,
)
from warpmill.report.safe import escaped
from warpmill.report.source_view import ListedLine, SourceListing

_ONLY_ITSELF = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
)
_CHARTS = ("echarts.min.js",)
_GRAPHS = ("cytoscape.min.js", "cytoscape-dagre.min.js")


def html(page: Page, report: Report) -> str:
    """A page as a whole HTML document, with the result's data in it."""
    title = next((block.text for block in page.blocks if isinstance(block, Title)), "warpmill")
    charts = [block.chart for block in page.blocks if isinstance(block, PageChart)]
    scripts = [_asset(name) for name in _libraries(charts)]
    return "".join((
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        f'<meta http-equiv="Content-Security-Policy" content="{_ONLY_ITSELF}">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        f"<title>{_safe(title)}</title>\n<style>\n{_asset('report.css')}</style>\n</head>\n<body>\n",
        _header(page, title),
        f"<main>\n{''.join(_parts(page.blocks))}{_footer(page)}</main>\n",
        f'<script type="application/json" id="warpmill-data">{_json(plain(report))}</script>\n',
        *(f"<script>\n{script}\n</script>\n" for script in scripts),
        f"<script>\n{_asset('report.js')}</script>\n</body>\n</html>\n",
    ))  # fmt: skip


def fragment(blocks: Iterable[Block]) -> str:
    """Blocks of a page without a frame, as a notebook shows them."""
    return "\n".join(line for number, block in enumerate(blocks) for line in _lines(block, number))


def _libraries(charts: Sequence[Drawn]) -> list[str]:
    kinds = {chart.kind for chart in charts} - {SourceListing.kind}
    found = [*_CHARTS] if kinds - {GraphChart.kind} else []
    return [*found, *_GRAPHS] if GraphChart.kind in kinds else found


def _asset(name: str) -> str:
    return (files("warpmill.report") / "assets" / name).read_text("utf-8")


def _header(page: Page, title: str) -> str:
    """The bar above: what it is, light or dark, and where the sections are."""
    titles = sum(isinstance(block, Title) for block in page.blocks)
    named = Title if titles > _MOST_OPEN else Title | Heading
    links = (
        f'<a href="#part-{number}">{_safe(block.text)}</a>'
        for number, block in enumerate(page.blocks)
        if isinstance(block, named)
    )
    return (
        f'<header><strong>{_safe(title)}</strong><button id="theme">theme: auto</button>'
        f'<nav aria-label="Sections">{"".join(links)}</nav></header>\n'
    )


_MOST_OPEN = 3
"""Parts of a page that are all open; of more the first one is, and the others fold."""


def _parts(blocks: Sequence[Block]) -> Iterator[str]:
    """The blocks, those below each title together where there are many titles."""
    titles = [block for block in blocks if isinstance(block, Title) and block.folds]
    folds = titles[1:] if len(titles) > _MOST_OPEN else []
    is_open = False
    for number, block in enumerate(blocks):
        if isinstance(block, Title) and is_open:
            yield "</details>\n"
            is_open = False
        if any(block is title for title in folds):
            is_open = True
            yield f'<details class="part"><summary>{_safe(getattr(block, "text", ""))}</summary>\n'
        yield from (f"{line}\n" for line in _lines(block, number))
    yield "</details>\n" if is_open else ""


def _footer(page: Page) -> str:
    command = f": <code>{_safe(page.style.command)}</code>" if page.style.command else ""
    return (
        f"<footer><p>{_safe(version_text().strip())}{command}</p>"
        "<p>The data of this page stand in it as JSON, in the element warpmill-data.</p></footer>\n"
    )


def _lines(block: Block, number: int) -> Iterator[str]:
    match block:
        case Title(text, _):
            yield f'<h1 id="part-{number}">{_safe(text)}</h1>'
        case Heading(text, note, tone):
            more = f" <small>{_safe(note)}</small>" if note else ""
            yield f'<h2 id="part-{number}"{_toned(tone)}>{_safe(text)}{more}</h2>'
        case Line(text, tone):
            if text:
                yield f"<p{_toned(tone)}>{_safe(text)}</p>"
        case PageLegend(text):
            yield f"<p>{_safe(text)}</p>"
        case PageCommand(text):
            yield f"<pre>$ {_safe(text)}</pre>"
        case PageFacts(pairs):
            told = (f"<dt>{_safe(name)}</dt><dd>{_safe(value)}</dd>" for name, value in pairs)
            yield f"<dl>{''.join(told)}</dl>"
        case PageItems(lines):
            yield f"<ul>{''.join(f'<li>{_safe(line)}</li>' for line in lines)}</ul>"
        case PageCode():
            yield from _code(block)
        case PageTable():
            header = block.header if block.has_header else ()
            yield _table(header, block.rows, {*block.left, *block.wrap})
        case PageChart(SourceListing() as listing):
            yield from _source(listing)
        case PageChart(chart):
            yield from _figure(chart, number)


def _toned(tone: str) -> str:
    return f' class="toned {tone}"' if tone else ""


def _code(block: PageCode) -> Iterator[str]:
    """Pieces of files side by side, with what is meant of their lines marked."""
    yield f'<div class="pieces"><p>{_safe(block.caption)}</p>'
    yield f'<div class="{"pair" if len(block.files) > 1 else "alone"}">'
    for name, lines in block.files:
        rows = "".join(map(_code_row, lines))
        yield f'<div><p class="file">{_safe(name)}</p><div class="code" tabindex="0"><table><tbody>'
        yield f"{rows}</tbody></table></div></div>"
    yield "</div></div>"


def _code_row(line: CodeLine) -> str:
    text, begin = line.text, line.begin
    shown = _safe(text)
    if begin is not None:
        before, meant, after = text[:begin], text[begin : line.end], text[line.end :]
        shown = f"{_safe(before)}<mark>{_safe(meant)}</mark>{_safe(after)}"
    row = "<tr>" if begin is None else '<tr class="meant">'
    return f'{row}<td class="n">{line.number}</td><td>{shown}</td></tr>'


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], words: set[int]) -> str:
    head = f"<thead>{_row(header, words, 'th')}</thead>" if header else ""
    body = "".join(_row(row, words, "td") for row in rows)
    return f'<div class="table"><table>{head}<tbody>{body}</tbody></table></div>'


def _row(cells: Sequence[str], words: set[int], tag: str) -> str:
    shown = (
        f"<{tag}{'' if number in words else ' class=n'}>{_safe(cell)}</{tag}>"
        for number, cell in enumerate(cells)
    )
    return f"<tr>{''.join(shown)}</tr>"


_MOST_ROWS = 100
"""Rows of a chart's table; the chart's data have all."""

_MOVES = (("in", "+"), ("out", "−"), ("all", "whole"))


def _figure(chart: Any, number: int) -> Iterator[str]:
    """A chart's place: its title, what draws it, and the same as a table."""
    header, rows = chart.table()
    moves = ""
    if chart.kind in {"graph", "timeline"}:
        buttons = (f'<button data-move="{move}">{sign}</button>' for move, sign in _MOVES)
        moves = f' {"".join(buttons)} <span class="keys">or + − 0 and arrows</span>'
    yield f'<figure data-chart="{chart.kind}" id="chart-{number}" tabindex="0">'
    yield f"<figcaption>{_safe(chart.title)}{moves}</figcaption>"
    yield '<div class="plot"></div>'
    words = {n for n in range(len(header)) if n == 0 or not header[n]}
    most = f"<p>and {len(rows) - _MOST_ROWS:,} more</p>" if len(rows) > _MOST_ROWS else ""
    table = _table(header, rows[:_MOST_ROWS], words)
    yield f"<details><summary>as a table</summary>{table}{most}</details>"
    data = {"kind": chart.kind, **_drawn(chart)}
    yield f'<script type="application/json">{_json(data)}</script></figure>'


def _drawn(chart: Any) -> Mapping[str, Any]:
    """The data of a chart; of a timeline, which may have thousands of spans, each name once."""
    if not isinstance(chart, TimelineChart):
        found: Mapping[str, Any] = plain(chart)
        return found
    names = list(dict.fromkeys(span.name for span in chart.spans))
    groups = list(dict.fromkeys(span.group for span in chart.spans))
    places = ({text: place for place, text in enumerate(texts)} for texts in (names, groups))
    name, group = places
    spans = [
        (s.lane, _short(s.begin), _short(s.end), name[s.name], group[s.group], s.slot)
        for s in chart.spans
    ]
    lanes = chart.lanes
    return {"title": chart.title, "unit": chart.unit, "lanes": lanes, "names": names,
            "groups": groups, "spans": spans}  # fmt: skip


def _short(value: float) -> float | int:
    """A place on an axis, to a hundredth."""
    return int(value) if value == int(value) else round(value, 2)


_COSTS = (
    ("time", "time_fraction"),
    ("executions", "warp_instructions"),
    ("stalls", "stall_fraction"),
)
"""What lines are shaded by, and the figure of it."""


def _source(listing: SourceListing) -> Iterator[str]:
    """The files side by side; each line has its shares of the greatest cost in ``data-heat``."""
    files_ = [*listing.sources, listing.kernel]
    known = [
        (name, most)
        for name, key in _COSTS
        if (most := max((getattr(x, key) or 0.0 for x in listing.kernel.lines), default=0.0))
    ]
    choices = "".join(f"<option>{name}</option>" for name, _ in known)
    yield f'<div class="source"><p><strong>{_safe(listing.title)}</strong></p>'
    yield f'<p><label>lines shaded by <select class="by">{choices}</select></label></p>'
    yield f'<div class="{"pair" if len(files_) > 1 else "alone"}">'
    for file in files_:
        yield f'<div><p>{_safe(file.name)}</p><div class="code" tabindex="0"><table><tbody>'
        most = {
            key: max((getattr(x, key) or 0.0 for x in file.lines), default=0.0) for _, key in _COSTS
        }
        for line in file.lines:
            yield _source_row(line, [key for name, key in _COSTS if name in dict(known)], most)
        yield "</tbody></table></div></div>"
    yield "</div></div>"


def _source_row(line: ListedLine, keys: Sequence[str], most: Mapping[str, float]) -> str:
    values = [getattr(line, key) for key in keys]
    heat = ",".join(
        f"{(v or 0.0) / (most[k] or 1.0):.3f}" for v, k in zip(values, keys, strict=True)
    )
    told = "" if line.time_fraction is None else percent(line.time_fraction)
    mark = f' data-line="{_safe(line.source)}" tabindex="0"' if line.source else ""
    return (
        f'<tr data-heat="{heat}"{mark}><td class="n">{line.number}</td>'
        f'<td class="n">{told}</td><td>{_safe(line.text)}</td></tr>'
    )


def _json(data: object) -> str:
    """Data as JSON that ends no element: ``<`` and ``&`` are written as numbers."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return (
        text.replace("&", "\\u0026")
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )


def _safe(text: str) -> str:
    return escape(escaped(text))
