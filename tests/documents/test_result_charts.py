"""Charts of results: what they draw is what the results hold."""

import re
from collections import Counter
from itertools import groupby, pairwise
from pathlib import Path

import pytest

import warpmill
from warpmill import reports
from warpmill.cli.main import main
from warpmill.commands.analyze import dot as analyze_dot
from warpmill.commands.dfsg import dot as dfsg_dot
from warpmill.commands.explain.page import source as explained_source
from warpmill.commands.simulate.page import source as simulated_source
from warpmill.report.charts import BarChart, FlowChart, GraphChart, TimelineChart, XyChart
from warpmill.report.timing_charts import breakdown, cta_timeline, estimate_charts, side_by_side

REDUCE = "samples/reduce/launch.toml"
VECADD = "samples/vecadd/launch.toml"
SIZES = {"n": 4096}
KEPT_NOWHERE = ["-m", "v100", "--no-store"]


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
    measured = [one.x for (one,) in points.values()]
    for points in lines.values():  # the roof climbs to the ridge, and is flat behind
        assert points[0].x < min(measured)
        assert max(measured) < points[2].x
        assert points[0].x < points[1].x < points[2].x
        assert points[0].y < points[1].y == pytest.approx(points[2].y)
        slopes = [one.y / one.x for one in points[:2]]
        assert slopes[0] == pytest.approx(slopes[1])
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


def test_resident_ctas_lie_below_each_other():
    result = warpmill.simulate("samples/vecadd/launch.toml", "v100", sizes={"n": 60_000})
    spans = cta_timeline("v100", result).spans
    assert len(spans) > result.sms  # several at once on an SM
    assert {one.slot for one in spans} == set(range(max(one.slot for one in spans) + 1))
    assert max(one.slot for one in spans) > 0
    for _, alike in groupby(
        sorted(spans, key=lambda s: (s.lane, s.slot, s.begin)), key=lambda s: (s.lane, s.slot)
    ):
        assert all(one.end <= after.begin for one, after in pairwise(alike))


def test_a_listing_has_the_time_of_each_line():
    explanation = reports.explain("samples/bitonic/launch.toml", machine="a100").launches[0]
    (listing,) = explained_source(explanation)
    instructions = explanation.explanations[0].instructions
    wanted = Counter[int]()
    for one in instructions:
        wanted[one.code.span.line] += one.time_fraction
    shown = {line.number: line.time_fraction for line in listing.kernel.lines}
    assert {n: pytest.approx(t) for n, t in wanted.items()} == {
        n: t for n, t in shown.items() if t is not None
    }
    (source,) = listing.sources
    assert source.name == "bitonic.cu"
    placed = sum(i.time_fraction for i in instructions if i.code.debug and i.code.debug.line)
    assert sum(line.time_fraction or 0 for line in source.lines) == pytest.approx(placed)
    text = Path("samples/bitonic/bitonic.cu").read_text("utf-8").splitlines()
    assert all(line.text == text[line.number - 1].expandtabs().rstrip() for line in source.lines)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        (["simulate", REDUCE, "--size", "n=4096"], {"bars", "flow", "xy", "timeline"}),
        (["explain", REDUCE, "--size", "n=4096", "-m", "a100"], {"bars", "flow", "xy"}),
        (["estimate", REDUCE, "--size", "n=4096", "-m", "a100"], {"bars", "flow", "xy"}),
        (["analyze", REDUCE, "--size", "n=4096"], {"graph"}),
        (["dfsg", REDUCE, "--size", "n=4096"], {"graph"}),
        (
            ["sweep", REDUCE, "--over", "n=4096,8192", "--over", "regs=32,64", *KEPT_NOWHERE],
            {"heat", "bars"},
        ),
        (
            ["tune", VECADD, "--over", "block=128,256", "--no-compare", *KEPT_NOWHERE],
            {"bars"},
        ),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_pages_of_commands_have_their_charts(words, kinds, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main([*words, "--html", str(page)]) == 0
    capsys.readouterr()
    assert set(re.findall(r'<figure data-chart="(\w+)"', page.read_text("utf-8"))) == kinds


def test_a_simulation_has_the_stalls_of_each_line():
    report = reports.simulate(REDUCE, machine="v100", sizes=SIZES)
    listing = next(simulated_source(report))
    result, lines = report.simulations[0].result, listing.kernel.lines
    alone = [one for one in result.instructions if one.kernel == 0]
    whole = sum(result.stalls)
    assert sum(line.time_fraction or 0 for line in lines) == pytest.approx(
        sum(sum(one.stalls) for one in alone) / whole
    )
    assert sum(line.stall_fraction or 0 for line in lines) == pytest.approx(
        sum(one.stall_cycles for one in alone) / whole
    )
    assert sum(line.warp_instructions or 0 for line in lines) == sum(
        one.warp_instructions for one in alone
    )
