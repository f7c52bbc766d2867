"""Pages as HTML: charts and data in one file, hostile texts as texts."""

import json
import re
from html.parser import HTMLParser
from typing import ClassVar, Literal

import pytest

from warpmill.report.base import Report
from warpmill.report.charts import (
    Axis,
    BarChart,
    Flow,
    FlowChart,
    GraphChart,
    GraphEdge,
    GraphNode,
    HeatChart,
    Point,
    PointSeries,
    Series,
    TimelineChart,
    TimeSpan,
    TreeBranch,
    TreeChart,
    TreeLeaf,
    XyChart,
)
from warpmill.report.html import html
from warpmill.report.page import Page, PageChart, Style
from warpmill.report.text import page_text

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&\u2028\x1b[31m<!--"


class Told(Report):
    """A result with a text that anybody may have written."""

    report: Literal["told"] = "told"
    name: str


CHARTS = (
    BarChart(HOSTILE, "%", (HOSTILE, "b"), (Series(HOSTILE, (0.25, None)),)),
    XyChart("xy", Axis(HOSTILE, "B"), Axis("y"), (PointSeries(HOSTILE, (Point(1, 2, HOSTILE),)),)),
    HeatChart("heat", "µs", Axis(HOSTILE), Axis("y"), (HOSTILE,), ("r",), ((1.5,),)),
    TimelineChart("time", "cycle", (HOSTILE,), (TimeSpan(0, 1, 2, HOSTILE, HOSTILE),)),
    TreeChart("tree", "µs", (TreeBranch(HOSTILE, (TreeLeaf(HOSTILE, 2.0), TreeLeaf("b", 1.0))),)),
    FlowChart("flow", "B", (Flow(HOSTILE, "DRAM", 2048.0),)),
    GraphChart("graph", (GraphNode("a", HOSTILE),), (GraphEdge("a", "a", HOSTILE),)),
)


class Reader(HTMLParser):
    """What a browser would see: elements, their texts, and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []

    EMPTY: ClassVar = {"meta", "img", "br"}

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag, "elements end in the order in which they began"

    def handle_data(self, data):
        self.texts.append((self.open[-1][0] if self.open else "", data))


def read(text: str) -> Reader:
    found = Reader()
    found.feed(text)
    found.close()
    assert not found.open
    return found


def page_with(*blocks) -> Page:
    page = Page(Style(command=f"warpmill estimate {HOSTILE}"))
    page.title(HOSTILE)
    page.blocks.extend(blocks)
    return page


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.kind)
def test_hostile_texts_are_texts(chart):
    found = read(html(page_with(PageChart(chart)), Told(name=HOSTILE)))
    tags = {tag for tag, _ in found.seen}
    assert "img" not in tags
    assert not [a for _, attributes in found.seen for a in attributes if a.startswith("on")]
    assert any(
        tag in {"td", "th", "figcaption", "h1"} and "onerror" in text for tag, text in found.texts
    )


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.kind)
def test_the_data_of_a_page_and_of_its_charts_can_be_read_back(chart):
    text = html(page_with(PageChart(chart)), Told(name=HOSTILE))
    blocks = re.findall(r'<script type="application/json"([^>]*)>(.*?)</script>', text, re.DOTALL)
    (drawn,), (whole,) = (
        [json.loads(data) for mark, data in blocks if ("id=" in mark) is is_whole]
        for is_whole in (False, True)
    )
    assert whole["name"] == HOSTILE
    assert drawn["kind"] == chart.kind
    assert HOSTILE in json.dumps(drawn, ensure_ascii=False).replace('\\"', '"').replace(
        "\\u001b", "\x1b"
    )


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.kind)
def test_a_chart_is_a_table_too_and_nothing_in_text(chart):
    header, rows = chart.table()
    assert rows
    assert all(len(row) == len(header) for row in rows)
    with_chart = page_with(PageChart(chart))
    assert page_text(with_chart) == page_text(page_with())


def test_a_file_has_the_libraries_that_it_needs_and_asks_for_nothing():
    bars, graph = CHARTS[0], CHARTS[-1]
    plain, charts, graphs = (
        html(page_with(*map(PageChart, some)), Told(name="a")) for some in ((), (bars,), (graph,))
    )
    assert "echarts" not in plain.partition("<main>")[0]
    assert len(plain) < 40_000 < len(graphs) < len(charts)
    for text in (plain, charts, graphs):
        assert "default-src 'none'" in text
        assert not [
            a for _, attributes in read(text).seen for a in attributes if a in {"src", "srcset"}
        ]


def test_of_many_parts_all_but_the_first_fold():
    page = Page(Style())
    for number in range(5):
        page.title(f"launch {number}")
        page.heading("Occupancy")
    found = read(html(page, Told(name="a")))
    folds = [attributes for tag, attributes in found.seen if tag == "details"]
    assert len(folds) == 4
    links = [attributes["href"] for tag, attributes in found.seen if tag == "a"]
    places = [f"#{attributes['id']}" for tag, attributes in found.seen if tag == "h1"]
    assert links == places


def test_spans_of_a_timeline_name_what_they_have_in_common_once():
    """Thousands of spans make small files; a table of so many rows is cut."""
    spans = tuple(TimeSpan(n % 3, n + 0.125, n + 1.0, f"op {n % 2}", "wait") for n in range(500))
    text = html(
        page_with(PageChart(TimelineChart("t", "cycle", ("a", "b", "c"), spans))), Told(name="x")
    )
    (data,) = (
        json.loads(block)
        for block in re.findall(r'<script type="application/json">(.*?)</script>', text, re.DOTALL)
    )
    assert (data["names"], data["groups"]) == (["op 0", "op 1"], ["wait"])
    assert data["spans"][4] == [1, 4.12, 5, 0, 0, 0]
    assert len(data["spans"]) == 500
    assert text.count("<tr>") == 1 + 100
    assert "and 400 more" in text


def test_of_many_titles_those_that_fold_do():
    page = Page(Style())
    for name in ("part", "a", "b", "c", "d"):
        page.title(name, folds=name != "part")
    page.title("last", folds=False)
    found = read(html(page, Told(name="x")))
    folded = [text for tag, text in found.texts if tag == "summary"]
    assert folded == ["b", "c", "d"]
    assert [text for tag, text in found.texts if tag == "h1"][-1] == "last"
