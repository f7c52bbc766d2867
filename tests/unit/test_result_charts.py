"""Charts of results: what they draw is what the results hold."""

from itertools import groupby, pairwise

import pytest

import warpmill
from warpmill import reports
from warpmill.commands.analyze import dot as analyze_dot
from warpmill.commands.dfsg import dot as dfsg_dot
from warpmill.report.charts import BarChart, FlowChart, GraphChart, TimelineChart, XyChart
from warpmill.report.timing_charts import breakdown, cta_timeline, estimate_charts, side_by_side

REDUCE = "samples/reduce/launch.toml"
SIZES = {"n": 4096}


@pytest.fixture(scope="module")
def estimated():
    return [warpmill.estimate(REDUCE, name, sizes=SIZES) for name in ("a100", "v100")]


def test_charts_of_estimates_draw_their_figures(estimated):
    made = list(estimate_charts(["one", "two"], estimated))
    parts = made[0]
    assert isinstance(parts, BarChart)
    assert parts.stacked
    assert parts.categories == ("one", "two")
    for place in range(2):
        assert sum(one.values[place] for one in parts.series) == pytest.approx(1.0)
    roof = next(chart for chart in made if isinstance(chart, XyChart))
    points = {one.name: one.points for one in roof.series if not one.line}
    for name, one in zip(("one", "two"), estimated, strict=True):
        (point,) = points[name]
        assert (point.x, point.y) == (
            one.roofline.flops_per_dram_byte,
            one.roofline.achieved_gflops,
        )
    lines = {one.name: one.points for one in roof.series if one.line}
    for points in lines.values():  # the roof climbs to the ridge, and is flat behind
        assert points[0].y < points[1].y == pytest.approx(points[2].y)
    flows = [chart for chart in made if isinstance(chart, FlowChart)]
    for chart, one in zip(flows, estimated, strict=True):
        out = sum(f.amount for f in chart.flows if f.source == "warps")
        assert out == pytest.approx(sum(t.requested_bytes for t in one.traffic))
        assert {f.target for f in chart.flows} <= {"L1 hits", "L2", "L2 hits", "DRAM"}


def test_small_causes_are_put_together():
    found = breakdown("", {"a": {"x": 0.6, "y": 0.391, "z": 0.005, "u": 0.004}})
    assert [one.name for one in found.series] == ["x", "y", "all else"]
    assert found.series[-1].values[0] == pytest.approx(0.009)
    assert breakdown("", {"a": {}}) is None


def test_subjects_that_lack_a_figure_have_none():
    found = side_by_side("", "", {"a": {"x": 1.0}, "b": {"y": 2.0}})
    assert found.categories == ("y", "x")
    assert [one.values for one in found.series] == [(None, 1.0), (2.0, None)]


def test_a_timeline_has_every_cta_and_none_over_another():
    result = warpmill.simulate(REDUCE, "v100", sizes=SIZES)
    chart = cta_timeline("v100", result)
    assert isinstance(chart, TimelineChart)
    assert len(chart.spans) == len(result.ctas.sm) == sum(one.ctas for one in result.launches)
    places = sorted(chart.spans, key=lambda s: (s.lane, s.slot, s.begin))
    for _, spans in groupby(places, key=lambda s: (s.lane, s.slot)):
        assert all(one.end <= after.begin for one, after in pairwise(spans))
    assert max(s.end for s in chart.spans) == int(result.ctas.end_cycle.max())


def test_control_flow_is_that_of_the_kernel():
    analysis = reports.analyze(REDUCE, sizes=SIZES).analyses[0]
    (chart,) = analyze_dot.charts(analysis)
    assert isinstance(chart, GraphChart)
    targets = sum(len(block.successors) for block in analysis.blocks)
    assert len(chart.edges) == targets == analysis.edges
    ids = {node.id for node in chart.nodes}
    assert all({edge.source, edge.target} <= ids for edge in chart.edges)
    assert sum(edge.back for edge in chart.edges) == len(analysis.loops)
    assert max(node.heat for node in chart.nodes) == 1.0


def test_a_dfsg_has_its_counts():
    graph = reports.dfsg(REDUCE, sizes=SIZES).graphs[0]
    (chart,) = dfsg_dot.charts(graph)
    assert len(chart.edges) == len(graph.edges)
    first = chart.nodes[0].label.splitlines()
    assert first[:2] == [graph.nodes[0].label, f"ECount {graph.nodes[0].ecount:,}"]
    assert sum(edge.back for edge in chart.edges) == sum(e.closes_loop for e in graph.edges)
