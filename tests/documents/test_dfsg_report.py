"""What ``dfsg`` reports: JSON that can be read again, pictures, pages, tables."""

import csv
import io
import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from tests.reference import flow_kernels
from tests.reference.dfsg_launches import launch
from tests.reference.flow_kernels import kernel_of
from tests.reference.profile_twin import interpreted
from tests.reference.run_kernel import kernel_text
from warpmill.analyzer.base.diagnostics import InputError, LimitError, Source, UsageError
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.profile.dfsg.graph import Area, Dfsg, JumpCase, LoopPattern, TargetCase
from warpmill.commands.dfsg.result import DfsgReport
from warpmill.report.base import Mark
from warpmill.report.fields import marks_of
from warpmill.report.page import Style
from warpmill.report.text import render
from warpmill.session.dfsgs import choose_launch, dfsgs, load_dfsgs, pair_launches
from warpmill.session.options import LaunchOptions

KERNELS = [name for name in dir(flow_kernels) if name.isupper()]


def report_of(*graphs):
    return DfsgReport(target="target.toml", graphs=graphs)


def report(*names):
    return report_of(*(launch(name, k) for k, name in enumerate(names)))


def written(folder, made):
    path = folder / "graphs.json"
    path.write_text(render(made, "json"))
    return path


# JSON.


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", KERNELS)
def test_a_graph_comes_back_from_its_json(name, tmp_path):
    made = report(name)
    (found,) = load_dfsgs(written(tmp_path, made))
    assert isinstance(found, Dfsg)
    assert found == launch(name)
    assert report_of(found) == made


def test_all_launches_come_back_in_their_order(tmp_path):
    made = report(*KERNELS)
    found = load_dfsgs(written(tmp_path, made))
    assert [each.launch.name for each in found] == [name.lower() for name in KERNELS]
    assert render(report_of(*found), "json") == render(made, "json")


def test_the_report_says_what_the_paper_counts():
    (graph,) = report("NORMAL_LOOP").graphs
    block = next(b for b in graph.nodes if b.label == "NEXT")
    assert (block.ecount, block.lcount, block.scount, block.threads) == (192, 192, 192, 48)
    assert (block.area, block.loop, block.iterations_per_thread) == (Area.INSIDE, 0, 4)
    assert block.ecount_fraction == 192 / 672
    back = next(e for e in graph.edges if e.closes_loop)
    assert (back.source, back.target, back.oecount, back.iecount, back.tcount) == (
        4,
        1,
        144,
        144,
        48,
    )
    (loop,) = graph.loops
    assert (loop.pattern, loop.shape.header) == (LoopPattern.NORMAL, 1)
    assert loop.target_case is TargetCase.GROUPS
    assert [(p.block, p.case) for p in loop.jump_points] == [(4, JumpCase.ALL)]
    assert [(w.iterations, w.threads, w.warps) for w in loop.counts.by_warp] == [(4, 1, 2)]
    assert set(marks_of(graph).values()) == {Mark.EXACT}


LINES = """.loc 1 7 3
    mov.u32 %r1, %tid.x; bra DONE;
    DONE:
    .loc 1 8 0
    ret;"""


def test_source_lines_come_back(tmp_path):
    text = kernel_text(LINES, {}, '.file 1 "flow.cu"')
    kernel = ptx.parse(Source("k.ptx", text)).module.kernels[0]
    made = report_of(interpreted(kernel))
    places = [(b.place.file, b.place.line, b.place.column) for b in made.graphs[0].nodes]
    assert places == [("flow.cu", 7, 3), ("flow.cu", 8, None)]
    (found,) = load_dfsgs(written(tmp_path, made))
    assert [node.place.column for node in found.nodes] == [3, None]
    assert report_of(found) == made


def test_jumps_back_that_close_no_loop_and_branches_that_nobody_came_to():
    (graph,) = report("TWO_ENTRIES").graphs
    assert not any(edge.closes_loop for edge in graph.edges)
    never = flow_kernels.SELF_LOOP.replace("mov.u32 %r2, 0;", "@!%p9 bra DONE;")
    body = "setp.ne.u32 %p9, %ntid.x, 48;" + never
    made = report_of(interpreted(kernel_of(body), block=(48, 1, 1)))
    fractions = [b.fractions for b in made.graphs[0].branches]
    assert fractions == [(0, 1), (None, None)]


def reverse_edges(data):
    data["graphs"][0]["edges"].reverse()


def spoilt(folder, change):
    """Write a file of which something was changed."""
    data = json.loads(render(report("NORMAL_LOOP"), "json"))
    change(data)
    path = folder / "spoilt.json"
    path.write_text(json.dumps(data))
    return path


def set_in(*keys, to):
    def change(data):
        for key in keys[:-1]:
            data = data[key]
        data[keys[-1]] = to

    return change


GRAPH = ("graphs", 0)
NODE = (*GRAPH, "nodes", 1)


@pytest.mark.one_in(12)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_in("report", to="run"), "this is a report of `run`, and `warpmill dfsg TARGET"),
        (set_in("report", to=7), "this is no report of warpmill"),
        (set_in("schema_version", to=99), "its schema_version is 99"),
        (set_in("schema_version", to=1), "`warpmill dfsg TARGET --format json` writes it anew"),
        (set_in("more", to=1), "`more`: Unexpected keyword argument"),
        (set_in(*GRAPH, "more", to=1), "`graphs.0.more`: Unexpected keyword argument"),
        (set_in(*NODE, "ecount", to=-1), "`graphs.0.nodes.1.ecount`: -1 is no count"),
        (set_in(*NODE, "ecount", to=1 << 63), "`graphs.0.nodes.1.ecount`: 9223372036854775808 is"),
        (set_in(*NODE, "ecount", to="x"), "`graphs.0.nodes.1.ecount`: input should be"),
        (set_in(*NODE, "lcount", to=191), "`graphs.0.nodes.1.lcount` does not follow"),
        (set_in(*NODE, "ecount_fraction", to=0.5), "`nodes` of normal_loop does not follow"),
        (set_in(*GRAPH, "nodes", to=[]), "the blocks of normal_loop are not numbered"),
        (set_in(*NODE, "block", to=7), "the blocks of normal_loop are not numbered"),
        (set_in(*GRAPH, "launch", "grid", to=[1]), "`graphs.0.launch.grid"),
        (set_in(*GRAPH, "edges", 1, "target", to=6), "a block that is not there"),
        (set_in(*GRAPH, "edges", 1, "source", to=7), "a block that is not there"),
        (set_in(*GRAPH, "edges", 2, "target", to=2), "do not stand once each by their source"),
        (reverse_edges, "do not stand once each by their source"),
        (set_in(*GRAPH, "edges", 1, "iecount", to=159), "`graphs.0.edges.1.iecount` does not"),
        (set_in(*GRAPH, "edges", 1, "closes_loop", to=True), "closes_loop` does not follow"),
        (set_in(*GRAPH, "loops", to=[]), "the loop of HEAD has 0 iterations by 0 threads"),
        (set_in(*GRAPH, "loops", 0, "pattern", to="nested"), "`graphs.0.loops.0.pattern` does not"),
        (set_in(*GRAPH, "loops", 0, "target_case", to="i"), "`loops` of normal_loop does not"),
        (
            set_in(*GRAPH, "loops", 0, "target_case", to="x"),
            "graphs.0.loops.0.target_case`:",
        ),
        (set_in(*GRAPH, "branches", to=[]), "`graphs.0.branches` does not follow from the rest"),
        (set_in(*GRAPH, "marks", "ecount", to="assumed"), "`graphs.0.marks.ecount` does not"),
        (set_in(*GRAPH, "launch", "threads", to=49), "`graphs.0.launch.threads` does not follow"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(change, words, tmp_path):
    path = spoilt(tmp_path, change)
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        load_dfsgs(path)
    assert str(caught.value).startswith(f"{path}: error: ")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "this is no JSON"),
        (b"\xff\xfe", "this is no UTF-8 text"),
        (b"[1, 2]", "this is no report of warpmill"),
        (b"[" * 100_000, "this is no JSON"),
        (b"1" * 10_000, "this is no JSON"),
    ],
)
def test_a_file_that_is_none(data, words, tmp_path):
    path = tmp_path / "graphs.json"
    path.write_bytes(data)
    with pytest.raises(InputError, match=words):
        load_dfsgs(path)


def test_a_file_that_is_not_there_or_too_large(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="cannot be read: No such file"):
        load_dfsgs(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        load_dfsgs(tmp_path)
    path = written(tmp_path, report("SELF_LOOP"))
    monkeypatch.setattr("warpmill.session.dfsgs.MAX_FILE_BYTES", 100)
    with pytest.raises(LimitError, match="more than 100 bytes"):
        load_dfsgs(path)


# Targets.


def test_a_file_of_graphs_is_a_target(tmp_path):
    path = written(tmp_path, report("SELF_LOOP", "NESTED"))
    assert [each.launch.name for each in dfsgs(path)] == ["self_loop", "nested"]
    assert len(dfsgs(str(path), "k")) == 2
    with pytest.raises(UsageError, match="no graph of a kernel other; kernels: k"):
        dfsgs(path, "other")
    with pytest.raises(UsageError, match="nothing is run for: --grid is for runs"):
        dfsgs(path, launch=LaunchOptions(grid="4"))
    with pytest.raises(UsageError, match="nothing is run for: --size is for runs"):
        dfsgs(path, launch=LaunchOptions(sizes={"n": 4}))


def test_one_launch_of_several():
    graphs = tuple(launch("SELF_LOOP", k) for k in range(20))
    assert choose_launch("x", graphs, 7) == (graphs[7],)
    assert choose_launch("x", graphs, None) == graphs
    with pytest.raises(UsageError, match=r"x has no launch 20; launches: 0, .*15, \.\.\."):
        choose_launch("x", graphs, 20)
    with pytest.raises(UsageError, match="x has no launch; launches: none"):
        choose_launch("x", (), None)


def test_launches_are_paired_in_their_order():
    a, b = (launch("SELF_LOOP"), launch("NESTED", 1)), (launch("IF_ELSE"), launch("NESTED", 1))
    assert pair_launches(("a", "b"), a, b) == ((a[0], b[0]), (a[1], b[1]))
    with pytest.raises(UsageError, match="a has 2 launches and b has 1 launch") as caught:
        pair_launches(("a", "b"), a, b[:1])
    assert "--launch-b N" in str(caught.value)


# Pictures.


def edges_of(text):
    return re.findall(r"^  (\w+) -> (\w+) \[", text, re.MULTILINE)


@pytest.mark.parametrize("name", KERNELS)
def test_the_picture_has_every_block_edge_and_loop(name):
    (graph,) = report(name).graphs
    text = render(report(name), "dot")
    drawn = re.findall(r"^ *(b\d+) \[label=", text, re.MULTILINE)
    assert sorted(drawn) == [f"b{b.block}" for b in graph.nodes]
    assert edges_of(text) == [
        (f"b{e.source}", "exit" if e.target is None else f"b{e.target}") for e in graph.edges
    ]
    assert re.findall(r"subgraph cluster(\d+) ", text) == [str(x.shape.header) for x in graph.loops]
    assert text.count("{") == text.count("}")


def test_boxes_have_the_four_fields_and_edges_their_counts():
    text = render(report("NORMAL_LOOP"), "dot")
    assert r'b4 [label="{NEXT|ECount\ 192|LCount\ 192|SCount\ 192}"' in text
    (back,) = [line for line in text.splitlines() if line.startswith("  b4 -> b1 ")]
    assert "style=bold" in back
    dashed, solid = re.findall(r'style="(?:dashed|solid)">(.*?)</table>', back)
    assert re.findall(r"<td>([^<]*)</td>", dashed) == ["OECount 144", "TCount 48"]
    assert re.findall(r"<td>([^<]*)</td>", solid) == ["IECount 144"]
    assert 'label="normal-loop HEAD, 4 iterations per thread"' in text
    assert "24.5 iterations per thread (1 to 48)" in render(report("OWN_TRIPS"), "dot")


def test_a_block_is_the_darker_the_more_it_executes():
    text = render(report("NESTED"), "dot")
    colours = dict(re.findall(r'b(\d) \[label=.*fillcolor="#..(..)', text))
    green = {block: int(colour, 16) for block, colour in colours.items()}
    assert green["2"] < green["1"] == green["3"] < green["0"] == green["4"]


def test_inner_loops_lie_in_outer_ones():
    lines = render(report("NESTED"), "dot").splitlines()
    depths = {}
    for line in lines:
        for block in re.findall(r"^ *(b\d) \[label", line):
            depths[block] = (len(line) - len(line.lstrip())) // 2
    assert depths == {"b0": 1, "b4": 1, "b1": 2, "b3": 2, "b2": 3}


NASTY = 'a"|{}<b>\\ \n\x1b[31m'


def test_labels_cannot_leave_their_boxes(tmp_path):
    (graph,) = report("SELF_LOOP").graphs
    nodes = tuple(replace(node, label=NASTY) for node in graph.nodes)
    nasty = replace(graph, nodes=nodes, launch=replace(graph.launch, kernel=NASTY))
    text = render(report_of(nasty), "dot")
    assert r"{a\"\|\{\}\<b\>\\\ \ \\x1b[31m|ECount" in text
    check_drawn(text)


needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not here")


def check_drawn(text):
    """See that Graphviz takes it and has nothing to say, where it is there."""
    if shutil.which("dot") is None:
        return ""
    done = subprocess.run(
        ["dot", "-Tsvg"], input=text, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("name", KERNELS)
def test_graphviz_takes_it_without_a_word(name):
    drawn = check_drawn(render(report(name), "dot"))
    (graph,) = report(name).graphs
    if drawn:
        assert drawn.count('class="node"') == len(graph.nodes) + 1
        assert drawn.count('class="edge"') == len(graph.edges)
        assert drawn.count('class="cluster"') == len(graph.loops)


@needs_graphviz
def test_svg_draws_one_launch():
    assert render(report("NESTED"), "svg").count("<svg") == 1
    with pytest.raises(UsageError, match="draws one launch, and there are 2") as caught:
        render(report("NESTED", "IF_ELSE"), "svg")
    assert "--launch N" in str(caught.value)


# Pages and tables.


def test_the_page_shows_every_count():
    text = render(report("NORMAL_LOOP"), "text")
    lines = [line.split() for line in text.splitlines()]
    assert ["NEXT", "HEAD", "192", "192", "192", "48"] in lines
    assert ["HEAD", "LOW", "32", "32", "8"] in lines
    assert ["NEXT", "HEAD", "(back)", "144", "144", "48"] in lines
    assert ["DONE", "(end)", "48", "48", "48"] in lines
    assert ["HEAD", "normal-loop", "1", "192", "48", "4", "4", "4"] in lines
    assert ["HEAD", "inside-loop", "HIGH", "83.3%,", "LOW", "16.7%", "4"] in lines


def test_the_page_tells_what_is_not_alike():
    text = render(report("OWN_TRIPS"), "text", Style(verbose=True))
    assert "LOOP 16.5 in 1 warp, 40.5 in 1 warp" in " ".join(text.split())
    entries = " ".join(render(report("TWO_ENTRIES"), "text").split())
    assert "Cycles with several entries FIRST, SECOND" in entries
    verbose = render(report("NORMAL_LOOP"), "text", Style(verbose=True))
    assert "NEXT (i) ii" in " ".join(verbose.split())


def test_of_a_long_histogram_the_first_are_shown():
    """Warps of two threads, t + 1 and t + 2 iterations: means from 1.5 to 47.5 in steps of 2."""
    body = kernel_of(flow_kernels.OWN_TRIPS)
    made = report_of(interpreted(body, lanes=2, block=(48, 1, 1)))
    words = " ".join(render(made, "text", Style(verbose=True)).split())
    assert "1.5 in 1 warp, 3.5 in 1 warp, 5.5 in 1 warp" in words
    assert "11.5 in 1 warp, ..." in words and "13.5" not in words


def rows_of(made):
    return list(csv.DictReader(io.StringIO(render(made, "csv"))))


def test_the_table_has_a_row_a_block_edge_and_loop():
    rows = rows_of(report("NORMAL_LOOP"))
    assert [row["kind"] for row in rows] == ["block"] * 6 + ["edge"] * 8 + ["loop"]
    assert rows[4]["scount"] == "192"
    assert [rows[6 + 7][key] for key in ("block", "target", "oecount")] == ["5", "end", "48"]
    assert [rows[-1][key] for key in ("pattern", "iterations_min")] == ["normal-loop", "4"]
    loops = [row for row in rows_of(report("NESTED")) if row["kind"] == "loop"]
    assert [(row["block"], row["loop"], row["depth"]) for row in loops] == [
        ("1", "0", "1"),
        ("2", "1", "2"),
    ]
