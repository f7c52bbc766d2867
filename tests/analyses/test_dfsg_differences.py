"""What ``dfsg diff`` reports of two graphs: rows, distances, pages, tables."""

import csv
import io
from dataclasses import replace

import pytest

from tests.reference import flow_kernels
from tests.reference.dfsg_launches import launch
from tests.reference.flow_kernels import kernel_of
from tests.reference.profile_twin import interpreted
from warpmill.analyzer.profile.counts import WarpIterations
from warpmill.report.base import Mark
from warpmill.report.fields import marks_of
from warpmill.report.text import render
from warpmill.session.dfsgs import compared


def diff(a, b, **how):
    return compared(("a.json", "b.json"), [(a, b)], **how)


def test_equal_graphs_have_no_rows():
    made = diff(launch("NESTED"), launch("NESTED"))
    (found,) = made.launches
    assert (made.equal, found.equal, found.distance) == (True, True, 0)
    assert (found.nodes, found.edges, found.loops) == ((), (), ())
    assert "Equal yes" in " ".join(render(made, "text").split())
    everything = diff(launch("NESTED"), launch("NESTED"), all_rows=True).launches[0]
    assert [len(x) for x in (everything.nodes, everything.edges, everything.loops)] == [5, 7, 2]


def test_differences_are_absolute_and_relative():
    (found,) = diff(launch("NORMAL_LOOP"), launch("NORMAL_LOOP", threads=64)).launches
    assert found.paired_by == "id"
    first = found.nodes[0]
    assert (first.a.label, first.b.label) == ("HIGH", "HIGH")
    change = first.changes["ecount"]
    assert (change.a, change.b, change.delta, change.change_fraction) == (160, 224, 64, 0.4)
    assert [row.a.label for row in found.nodes] == ["HIGH", "bb0", "HEAD", "NEXT", "DONE"]
    assert set(marks_of(found).values()) == {Mark.EXACT}
    assert found.distance == pytest.approx((found.node_distance + found.edge_distance) / 2)


def test_rows_of_equal_counts_may_add_to_the_distance():
    """LOW is executed 32 times in both, which is less of 896 than of 672."""
    a, b = launch("NORMAL_LOOP"), launch("NORMAL_LOOP", threads=64)
    (found,) = diff(a, b, all_rows=True).launches
    low = next(row for row in found.nodes if row.a.label == "LOW")
    assert low.equal and low.distance_part > 0
    assert sum(row.distance_part for row in found.nodes) == pytest.approx(found.node_distance)
    assert sum(row.distance_part for row in found.edges) == pytest.approx(found.edge_distance)


def test_what_only_one_graph_has_stands_alone():
    (found,) = diff(launch("IF_ELSE"), launch("SELF_LOOP")).launches
    assert found.paired_by == "position"
    marks = marks_of(found)
    assert marks["distance"] == marks["nodes.changes.delta"] == Mark.ASSUMED
    assert marks["nodes.changes.a"] == Mark.EXACT
    lone = next(row for row in found.nodes if row.a is None)
    assert (lone.b.label, lone.changes["ecount"].a, lone.changes["ecount"].delta) == (
        "LOOP",
        None,
        240,
    )
    assert lone.changes["ecount"].change_fraction is None
    assert [(row.a, row.b.label) for row in found.loops] == [(None, "LOOP")]


def test_graphs_of_other_structure_are_not_equal_whatever_they_count():
    """A graph, and one with an edge less that nobody crossed."""
    a = launch("IF_ELSE", threads=10)
    edges = tuple(e for e in a.edges if (e.source, e.target) != (0, 1))
    b = replace(a, edges=edges)
    (found,) = diff(a, b).launches
    assert (found.distance, found.equal, found.paired_by) == (0, False, "position")


def test_graphs_whose_blocks_have_other_numbers_are_equal():
    """The numbers of THEN and JOIN exchanged."""
    a = launch("IF_ELSE")
    new = {None: None, 0: 0, 1: 1, 2: 3, 3: 2}
    nodes = sorted((replace(n, block=new[n.block]) for n in a.nodes), key=lambda n: n.block)
    edges = [replace(e, source=new[e.source], target=new[e.target]) for e in a.edges]
    edges.sort(key=lambda e: e.source)
    b = replace(a, nodes=tuple(nodes), edges=tuple(edges))
    (found,) = diff(a, b).launches
    assert (found.equal, found.distance, found.paired_by) == (True, 0, "position")


def test_loops_whose_warps_iterate_otherwise_differ():
    a = launch("OWN_TRIPS")
    (loop,) = a.loops
    other = replace(loop, counts=replace(loop.counts, by_warp=(WarpIterations(49, 2, 2),)))
    (found,) = diff(a, (replace(a, loops=(other,)))).launches
    assert not found.equal
    assert [row.equal for row in found.loops] == [False]


def test_the_loop_that_changed_most_stands_first():
    a = launch("NESTED")
    body = flow_kernels.NESTED.replace("%r3, 7", "%r3, 9")
    b = interpreted(kernel_of(body), block=(48, 1, 1))
    (found,) = diff(a, b, all_rows=True).launches
    assert [row.a.label for row in found.loops] == ["INNER", "OUTER"]
    assert found.loops[0].changes["iterations_per_thread"].delta == 6


def test_warps_that_part_more_often_are_a_difference():
    """The same counts of threads, but the 16 threads of each kind lie in other warps."""
    even = flow_kernels.IF_ELSE.replace(
        "setp.lt.u32 %p1, %r1, 10", "and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0"
    )
    low = flow_kernels.IF_ELSE.replace("10;", "32;")
    a, b = ((interpreted(kernel_of(t), block=(64, 1, 1))) for t in (even, low))
    (found,) = diff(a, b).launches
    assert found.distance == 0
    assert not found.equal
    assert [row.changes["warps"].delta for row in found.nodes] == [-1, -1]


def test_the_page_and_table_of_a_difference():
    made = diff(launch("SELF_LOOP"), launch("NESTED"))
    text = render(made, "text")
    assert "INNER: only in B" in text and "LOOP = OUTER" in text
    assert "Diff by position" in " ".join(text.split())
    rows = list(csv.DictReader(io.StringIO(render(made, "csv"))))
    assert [row["key"] for row in rows[:3]] == ["distance", "node_distance", "edge_distance"]
    assert {row["kind"] for row in rows} == {"graph", "block", "edge", "loop"}
    assert {row["mark"] for row in rows} == {"assumed"}
    inner = next(r for r in rows if (r["label_b"], r["key"]) == ("INNER", "ecount"))
    assert (inner["block_a"], inner["a"], inner["b"], inner["delta"]) == ("", "", "1008", "1008")


def test_a_row_shows_its_first_difference():
    made = diff(launch("NORMAL_LOOP"), launch("NORMAL_LOOP", threads=64))
    short = render(made, "text")
    assert "HIGH ECount 160 224 +64 +40.0% 0.005" in " ".join(short.split())
    assert "SCount" not in short
