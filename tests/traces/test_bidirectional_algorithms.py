"""The paper's trace algorithms: what they visit, what the print lacks, what they cannot say."""

from itertools import product
from pathlib import Path

import pytest

from tests.reference.bidirectional import (
    ALL,
    BasicBlockInfo,
    Correction,
    StuckError,
    generate,
    update_exec_trace,
)
from tests.reference.bidirectional_graph import Graph
from tests.reference.bidirectional_inputs import BlockData, Described
from tests.reference.bidirectional_kernels import Loop
from tests.reference.bidirectional_runner import path_of
from tests.reference.bidirectional_static import graph_of, thread_paths, visited_blocks
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.frontends.load import load
from warpmill.analyzer.launch.model import BufferArgument, Launch, ScalarArgument

N, M, ZERO = (0, ("n", 1)), (0, ("m", 1)), (0,)
C0, C1 = (0, ("c0", 1)), (0, ("c1", 1))


def loop(*body, counter="c0", start=ZERO, limit=N, **flags):
    return ("loop", Loop(counter, start, 1, "lt", limit, **flags), list(body))


def inner(*body, **changes):
    return loop(*body, counter="c1", **{"limit": M, **changes})


def branch(condition, then=(), other=(), flipped=False):
    return ("if", condition, list(then), list(other), flipped)


BY_WARP = ("eq", (0, ("warp", 1)), (1,))
BY_ARGUMENT = ("lt", N, (3,))
BY_ITERATION = ("eq", C0, (1,))
BY_BOTH = ("le", C0, C1)
AT_TWO = ("ge", C0, (2,))
KERNELS = {
    "straight": [],
    "branch by argument": [branch(BY_ARGUMENT, [], [branch(BY_WARP)])],
    "branches in branches": [
        branch(BY_WARP, [branch(BY_ARGUMENT, [], [branch(BY_WARP)])], [branch(BY_ARGUMENT)])
    ],
    "loop tested at the top": [loop()],
    "loop tested at the bottom": [loop(bottom=True)],
    "the exit falls through": [loop(branch(BY_WARP), flipped=True)],
    "loop by warp": [loop(limit=(1, ("warp", 2)))],
    "nested loops": [loop(inner()), inner(bottom=True)],
    "nested loops tested at the bottom": [loop(inner(bottom=True), bottom=True)],
    "triangular loops": [loop(inner(start=C0, limit=N)), loop(inner(limit=C0), bottom=True)],
    "loop in a branch": [branch(BY_WARP, [loop()], [inner(bottom=True)], True)],
    "branch in a loop": [loop(branch(BY_WARP, [branch(BY_ARGUMENT)]))],
    "branch by iteration": [loop(branch(BY_ITERATION, [inner()], [branch(BY_WARP)]))],
    "branch by two iterations": [loop(inner(branch(BY_BOTH, [], [branch(BY_ITERATION)])))],
    "several exits": [
        loop(("break", AT_TWO, "own"), branch(BY_WARP, [("break", BY_ITERATION, "direct")]))
    ],
    "exit on one side": [loop(branch(BY_WARP, [("break", AT_TWO, "own")], [branch(BY_ARGUMENT)]))],
    "return in nested loops": [loop(inner(("return", AT_TWO, "own"))), branch(BY_WARP)],
    "several back edges": [
        loop(("continue", BY_ITERATION, "own"), branch(BY_WARP, [("continue", AT_TWO, "latch")]))
    ],
    "several back edges to a loop tested at the bottom": [
        loop(("continue", BY_ITERATION, "own"), branch(BY_WARP), bottom=True)
    ],
    "back edge past the body": [loop(("continue", BY_ITERATION, "direct"), inner(), early=True)],
}


def values(warp, n, m):
    return {"n": n, "m": m, "warp": warp, "cta": 0}


def traced(program, warp, n, m, corrections=ALL):
    described = Described(program)
    infos = described.of_warp(warp, values(warp, n, m))
    return generate(described.graph, infos, warp, corrections=corrections, most_visits=5000)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", KERNELS)
def test_the_algorithms_the_program_and_the_static_traces_agree(name):
    program = KERNELS[name]
    for n, m in product((0, 1, 4), (0, 3)):
        static = visited_blocks(*Described(program).launched(warps=2, n=n, m=m))
        for warp in range(2):
            ran = path_of(program, values(warp, n, m))
            assert traced(program, warp, n, m) == ran == static[warp]


FILES = Path(__file__).parents[1] / "filetests"
OF_FILES = {
    "column_sum.ll": (40, 36, 3),
    "early_return.ptx": (64, 84),
    "if_else_divergent.ptx": (32,),
    "if_uniform.ptx": (32, 2),
    "loop_bottom_tested.ptx": (32, 100),
    "loop_top_tested.ptx": (32, 30),
    "nested_loops.ptx": (32, 5),
    "triangular_loops.ptx": (32, 4),
}


@pytest.mark.parametrize("name", OF_FILES)
def test_kernels_of_both_front_ends_are_visited_as_the_algorithms_say(name):
    """The graph is the kernel's own; bounds and misses come from its threads, run one by one."""
    module = load(FILES / name).module
    threads, *numbers = OF_FILES[name]
    kernel, launch = module.kernels[0], launch_of(threads, numbers)
    values_given = dict(zip((p.name for p in kernel.parameters), (1 << 32, *numbers), strict=True))
    data = BlockData(graph_of(kernel))
    for warp, static in enumerate(visited_blocks(module, launch)):
        infos = data.bb_info_list(warp, thread_paths(module, launch, warp, values_given))
        assert generate(data.graph, infos, warp) == [*static, "exit"]


def launch_of(threads, numbers):
    arguments = [BufferArgument("u8", (4096,)), *(ScalarArgument("i32", n) for n in numbers)]
    return Launch.of("kernel", block=threads, arguments=arguments)


def test_a_trace_by_hand():
    """Two rounds of a loop tested at the top; warp 1 takes the branch inside."""
    body = ["H_0", "B_0", "J_0_0", "L_0"]
    taken = ["H_0", "B_0", "T_0_0", "J_0_0", "L_0"]
    ends = ["H_0", "E_0", "EXIT"]
    program = [loop(branch(BY_WARP))]
    assert traced(program, 0, 2, 0) == ["ENTRY", *body, *body, *ends]
    assert traced(program, 1, 2, 0) == ["ENTRY", *taken, *taken, *ends]


# Where the print cannot be followed: without one correction, a kernel that goes wrong.
LACKING = {
    Correction.OTHERS_ON_PATH: [],
    Correction.SEARCH_ON: [loop(bottom=True)],
    Correction.STAY_IN_LOOP: [loop(branch(BY_WARP), flipped=True)],
    Correction.KEEP_BRANCHES: [branch(BY_WARP, [branch(BY_ARGUMENT, [], [loop()])], [loop()])],
    Correction.WHOLE_STACK: [
        loop(branch(BY_WARP, [("break", AT_TWO, "own")], [branch(BY_ARGUMENT)]), bottom=True)
    ],
    Correction.LOOP_BEFORE_BACKEDGE: [loop(("continue", BY_ITERATION, "own"), bottom=True)],
    Correction.POP_INSIDE: [loop(inner(("return", AT_TWO, "own")))],
}


@pytest.mark.parametrize("correction", LACKING, ids=lambda c: c.name)
def test_without_a_correction_the_print_goes_wrong(correction):
    program = LACKING[correction]
    for corrections, is_right in ((ALL, True), (ALL - {correction}, False)):
        right = []
        for warp in range(2):
            ran = path_of(program, values(warp, 4, 3))
            try:
                right.append(traced(program, warp, 4, 3, corrections) == ran)
            except StuckError:
                right.append(False)
        assert all(right) == is_right


def infos_of(graph, **given):
    """The data of blocks: those named by keywords, and blocks outside loops."""
    return {b: BasicBlockInfo(b, **given.get(b, {})) for b in graph.after}


def in_loop(bound, preceding, depth=2, missed=()):
    return {
        "loop_depth": depth,
        "loop_bound_expr": lambda: bound,
        "preced_bb": preceding,
        "branch_miss_loop_config": missed,
    }


def test_a_block_that_leads_to_itself_is_a_loop():
    """Twice in each of two rounds of a loop around it."""
    edges = [("A", "H"), ("H", "S"), ("S", "L"), ("S", "S"), ("L", "E"), ("L", "H")]
    graph = Graph.of("A", "E", edges)
    around = in_loop(2, "A")
    infos = infos_of(graph, H=around, S=in_loop(2, "H", 3), L=around)
    assert "".join(generate(graph, infos, 0)) == "AHSSLHSSLE"


def test_of_two_headers_the_nearest_comes_first():
    """A block that closes two loops: H and I, both left from H."""
    edges = [("A", "H"), ("H", "I"), ("H", "E"), ("I", "L"), ("L", "H"), ("L", "I")]
    graph = Graph.of("A", "E", edges)
    assert set(graph.backedges) == {("L", "H"), ("L", "I")}
    last = ({"H": 3},)  # the third round of H only tests

    def trace(corrections):
        inside = in_loop(2, "H", 3, last)
        infos = infos_of(graph, H=in_loop(3, "A"), I=inside, L=inside)
        return "".join(generate(graph, infos, 0, corrections=corrections))

    assert trace(ALL) == "AHILILHILILHE"
    assert trace(ALL - {Correction.NEAREST_HEADER}) != "AHILILHILILHE"


@pytest.mark.parametrize(
    ("corrections", "counts", "is_visited"),
    [
        (ALL, [[1, 2], [0, 2], [1, 1], [0, 1], [1, 0], [0, 0]], True),
        (ALL - {Correction.BORROW}, [[1, 3], [0, 3], [1, 3], [0, 3], [1, 3], [0, 3]], False),
        (ALL - {Correction.VISITED_IN_TIME}, None, False),
    ],
)
def test_counters_borrow_from_the_level_above(corrections, counts, is_visited):
    """A block that runs twice in each of three rounds of an outer loop."""
    outer = BasicBlockInfo("O", loop_depth=2, preced_bb="A", loop_bound_expr=lambda: 3)
    block = BasicBlockInfo("I", loop_depth=3, preced_bb="O", loop_bound_expr=lambda: 2)
    infos = {"A": BasicBlockInfo("A", bounds=[1]), "O": outer, "I": block}
    found = []
    for visit in range(6):
        if visit % 2 == 0:
            update_exec_trace("O", [], infos, 0, [], corrections)
        update_exec_trace("I", [], infos, 0, [], corrections)
        assert block.bounds == [2, 3, 1]
        found.append(block.unvisited_count[:2])
    assert counts is None or found == counts
    assert block.is_visited == is_visited


def test_what_is_printed_stops_at_the_first_block():
    with pytest.raises(StuckError, match="A: no successor is left by line 20"):
        graph = Graph.of("A", "E", [("A", "E")])
        generate(graph, infos_of(graph), 0, corrections=frozenset())


# Order, and what the algorithms cannot say.


def test_the_sides_of_a_divergent_branch_run_in_the_order_written():
    graph = Graph.of("A", "E", [("A", "F"), ("A", "T"), ("F", "E"), ("T", "E")])
    assert "".join(generate(graph, infos_of(graph), 0)) == "AFTE"


def test_the_stack_turns_the_cases_of_a_switch_round():
    """The static traces run the default first, then the cases as written."""
    sides = "DXYZ"
    edges = [("A", side) for side in sides] + [(side, "E") for side in sides]
    graph = Graph.of("A", "E", edges)
    assert "".join(generate(graph, infos_of(graph), 0)) == "ADZYXE"


def divergent(program, n):
    described = Described(program)
    lanes = [{**values(0, n, 0), "lane": lane} for lane in range(32)]
    ours = generate(described.graph, described.of_warp(0, *lanes), 0)
    (static,) = visited_blocks(*described.launched(warps=1, n=n, m=0))
    return ours, static


def test_lanes_that_break_one_by_one_leave_through_the_block_once():
    """On a reconvergence stack each group of lanes that leaves runs it."""
    ours, static = divergent([loop(("break", ("gt", C0, (0, ("lane", 1))), "own"))], 4)
    assert (ours.count("O_0_0"), static.count("O_0_0")) == (1, 3)


SHARED = """
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .pred %p<3>;
A:  mov.u32 %r0, %laneid;
    setp.lt.u32 %p0, %r0, 16;
    @%p0 bra C;
B:  and.b32 %r1, %r0, 1;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra D;
C:  mov.u32 %r2, 1;
D:  ret;
}
"""


def test_a_block_that_divergent_branches_share_is_visited_once():
    """Without structure, lanes come to C from A and from B, and the stack runs it for each."""
    module, launch = ptx.parse(Source("shared.ptx", SHARED)).module, launch_of(32, ())
    paths = thread_paths(module, launch, 0, {})
    data = BlockData(graph_of(module.kernels[0]))
    assert "".join(generate(data.graph, data.bb_info_list(0, paths), 0)[:-1]) == "ABCD"
    assert "".join(visited_blocks(module, launch)[0]) == "ABCCD"


def test_an_inner_loop_that_leaves_to_the_outer_header_is_left_for_good():
    """I tests at its top and its exit is the outer back edge, so nothing keeps H on the stack."""
    edges = [("A", "H"), ("H", "I"), ("H", "E"), ("I", "B"), ("I", "H"), ("B", "I")]
    graph = Graph.of("A", "E", edges)
    missed = ({"H": 3},)
    infos = infos_of(
        graph,
        H=in_loop(3, "A"),
        I=in_loop(3, "H", 3, missed),
        B=in_loop(3, "H", 3, ({"I": 3}, *missed)),
    )
    found = "".join(generate(graph, infos, 0))
    assert found == "AHIBIBIE"
    assert found != "A" + "HIBIBI" * 2 + "HE"  # as it would be run
