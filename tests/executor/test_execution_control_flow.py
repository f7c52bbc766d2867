"""Executed control flow against the slow interpreter: counts, memory, and the order of sides."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.reference.random_graphs import GraphMaker, words_of
from tests.reference.random_programs import NAMES, random_program
from tests.reference.run_kernel import Prepared, module_of, run_ptx
from tests.reference.storing import AREA_WORDS, ObservedLowering, interpret
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import llvm
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.executor.compile import CompileOptions

EDGES = CompileOptions(count_edges=True)
COUNTS = ("block_warps", "block_threads", "guard_lanes", "edge_warps", "edge_threads")


def compare(kernel, lanes, grid, block, numbers, words):
    """What differs between the executor and the interpreter: names of counts, "memory"."""
    prepared = Prepared(module_of(kernel, lanes), kernel, EDGES)
    memory = {}
    arguments = {"out": GLOBAL_BASE, **{k: v % 2**32 for k, v in numbers.items()}}
    expected = interpret(prepared.compiled, grid, block, arguments, memory)
    given_ = {k: np.uint32(v % 2**32) for k, v in numbers.items()}
    ran = prepared.run(grid, block, {"out": np.zeros(words, np.uint32), **given_})
    left = np.zeros(words, np.uint32)
    for address, value in memory.items():
        left[(address - GLOBAL_BASE) // 4] = value
    differ = [
        name
        for name in COUNTS
        if not np.array_equal(getattr(expected, name), getattr(ran.execution, name))
    ]
    return [*differ, *([] if np.array_equal(left, ran["out"]) else ["memory"])]


SHAPES = [((40, 1, 1), 32), ((3, 5, 2), 32), ((8, 9, 1), 64), ((5, 1, 1), 64), ((33, 1, 1), 32)]


@pytest.mark.slow
@given(
    st.integers(0, 2**32),
    st.booleans(),
    st.sampled_from(SHAPES),
    st.sampled_from([(1, 1, 1), (2, 1, 1), (1, 2, 1)]),
    st.integers(0, 6),
    st.integers(-2, 4),
)
@settings(max_examples=20, deadline=None, derandomize=True, phases=[Phase.generate])
def test_structured_programs_do_what_the_interpreter_does(seed, phis, shape, grid, arg0, arg1):
    block, lanes = shape
    warps, ctas = -(-int(np.prod(block)) // lanes), int(np.prod(grid))
    program = random_program(random.Random(seed))
    kernel = ObservedLowering(NAMES, phis=phis, warps=warps).kernel(program)
    words = ctas * (warps * AREA_WORDS + int(np.prod(block)) * len(NAMES))
    numbers = {"arg0": arg0, "arg1": arg1}
    assert not compare(kernel, lanes, grid, block, numbers, words), (program, shape)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("threads", "lanes"), [(40, 32), (5, 32), (64, 64), (100, 64), (32, 32), (33, 32)]
)
def test_graphs_of_any_form_do_what_the_interpreter_does(threads, lanes):
    irreducible = 0
    for seed in range(12):
        chance = random.Random(f"{seed} {threads} {lanes}")
        kernel = GraphMaker(chance, chance.randint(2, 10)).kernel()
        irreducible += bool(analyse_structure(kernel).loops.irreducible)
        words = words_of(2, threads)
        assert not compare(kernel, lanes, (2, 1, 1), (threads, 1, 1), {}, words), seed
    assert irreducible


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [32, 64])
def test_graphs_with_barriers_keep_what_lives_across_them(lanes):
    for seed in range(8):
        chance = random.Random(f"barriers {seed} {lanes}")
        kernel = GraphMaker(chance, chance.randint(2, 8), barriers=True).kernel()
        assert not compare(kernel, lanes, (2, 1, 1), (70, 1, 1), {}, words_of(2, 70)), seed


FROM_LLVM = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @k(ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %a = phi i32 [ 0, %entry ], [ %b, %loop ]
  %b = phi i32 [ 1, %entry ], [ %s, %loop ]
  %x = phi i32 [ 5, %entry ], [ %y, %loop ]
  %y = phi i32 [ %t, %entry ], [ %x, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = add i32 %a, %b
  %i1 = add i32 %i, 1
  %limit = and i32 %t, 15
  %c = icmp slt i32 %i, %limit
  br i1 %c, label %loop, label %done
done:
  %w = sext i32 %t to i64
  %m = srem i64 %w, 7
  %v = sub i64 %m, 3
  switch i64 %v, label %end [ i64 -3, label %c0  i64 -1, label %c1  i64 3, label %c0 ]
c0:
  br label %end
c1:
  br label %end
end:
  %r = phi i32 [ 100, %c0 ], [ %a, %c1 ], [ %x, %done ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %w
  store i32 %r, ptr addrspace(1) %p
  %p2 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 64
  store i32 %b, ptr addrspace(1) %p2
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
"""


def by_python(thread):
    a, b, x, y = 0, 1, 5, thread
    for _ in range(thread & 15):
        a, b, x, y = b, a + b, y, x
    return {-3: 100, 3: 100, -1: a}.get(thread % 7 - 3, x), b


@pytest.mark.parametrize("lanes", [32, 64])
def test_values_of_phis_change_places_at_once(lanes):
    """Fibonacci numbers and a swap, as many rounds as the lane's number says; then a switch."""
    module = replace(llvm.parse(Source("k.ll", FROM_LLVM)).module, warp_size=lanes)
    out = Prepared(module, module.kernels[0]).run(1, 64, {"out": np.zeros(128, np.uint32)})["out"]
    wanted = [by_python(k) for k in range(64)]
    assert out[:64].tolist() == [r for r, _ in wanted]
    assert out[64:].tolist() == [b for _, b in wanted]


# The order of sides, seen by tickets: lanes that come first to the counter get the lower numbers.

PLACES = """
    .reg .b32 %lane; mov.u32 %lane, %laneid;
    ld.param.u64 %d0, [out]; mul.wide.u32 %d1, %lane, 4; add.u64 %d1, %d1, %d0;
"""
TICKET = "atom.global.add.u32 %r9, [%d0+256], 1; st.global.u32 [%d1], %r9;"


def tickets(body, lanes=32):
    """For each lane its ticket, counted from 1; 0 for lanes that took none."""
    out = np.zeros(65, np.uint32)
    out[64] = 1
    text = PLACES + body.replace("TICKET", TICKET)
    return run_ptx(text, {"out": out}, block=lanes, lanes=lanes)["out"][:lanes].tolist()


def in_order(*groups, lanes=32):
    """Tickets of groups of lanes that run one after another, each from its lowest lane."""
    found, number = [0] * lanes, 1
    for group in groups:
        for lane in group:
            found[lane] = number
            number += 1
    return found


LOW, HIGH, ALL = range(5), range(5, 32), range(32)


def test_fall_through_runs_before_the_taken_side():
    body = "setp.lt.u32 %p1, %lane, 5; @%p1 bra A; TICKET ret; A: TICKET ret;"
    assert tickets(body) == in_order(HIGH, LOW)
    body = "setp.lt.u32 %p1, %lane, 5; @!%p1 bra A; TICKET ret; A: TICKET ret;"
    assert tickets(body) == in_order(LOW, HIGH)


def test_both_sides_end_before_what_follows_their_meeting_point():
    body = """setp.lt.u32 %p1, %lane, 5; setp.eq.u32 %p2, %lane, 20; setp.eq.u32 %p3, %lane, 3;
        @%p1 bra A; @%p2 bra END; bra M;
        A: @%p3 bra END; bra M;
        M: bra END;
        END: TICKET ret;"""
    assert tickets(body) == in_order(ALL)
    body = body.replace("M: bra END;", "M: TICKET ret;")
    # no block but the end of the threads is met by all: each side goes on by itself until there
    high, low = [k for k in HIGH if k != 20], [k for k in LOW if k != 3]
    assert tickets(body) == in_order(high, [20], low, [3])


def test_a_table_of_targets_runs_its_cases_in_the_order_of_the_table():
    body = """and.b32 %r1, %lane, 1;
        ts: .branchtargets B, C;
        brx.idx %r1, ts;
        C: TICKET ret;
        B: TICKET ret;"""
    # B is case 0 though it stands last
    assert tickets(body) == in_order(range(0, 32, 2), range(1, 32, 2))


def test_cases_with_one_target_run_together():
    body = """and.b32 %r1, %lane, 3;
        ts: .branchtargets A, B, A, D;
        brx.idx %r1, ts;
        A: TICKET ret;
        B: TICKET ret;
        D: TICKET ret;"""
    groups = [[k for k in ALL if k % 2 == 0], [k for k in ALL if k % 4 == 1]]
    assert tickets(body) == in_order(*groups, [k for k in ALL if k % 4 == 3])


def test_a_guarded_table_of_targets_is_passed_where_the_guard_is_off():
    body = """and.b32 %r1, %lane, 1; setp.lt.u32 %p1, %lane, 5;
        ts: .branchtargets A, B;
        @%p1 brx.idx %r1, ts;
        TICKET ret;
        A: TICKET ret;
        B: TICKET ret;"""
    assert tickets(body) == in_order(HIGH, [0, 2, 4], [1, 3])


def test_lanes_that_leave_a_loop_wait_for_the_others():
    """Lane k leaves after k mod 4 rounds; all meet before the tickets."""
    body = """mov.u32 %r1, 0; and.b32 %r2, %lane, 3;
        L: setp.ge.u32 %p1, %r1, %r2; @%p1 bra OUT; add.u32 %r1, %r1, 1; bra L;
        OUT: TICKET ret;"""
    assert tickets(body) == in_order(ALL)


def test_lanes_that_leave_by_different_exits_go_on_exit_by_exit():
    """Odd lanes leave to A in round lane/2, even ones to B; A and B end the threads.

    At the header the fall-through (stay) runs first, so that the last to leave runs first.
    """
    body = """mov.u32 %r1, 0; shr.u32 %r2, %lane, 4; and.b32 %r3, %lane, 1;
        setp.eq.u32 %p3, %r3, 1;
        L: setp.eq.u32 %p1, %r1, %r2; @%p1 bra LEAVE; add.u32 %r1, %r1, 1; bra L;
        LEAVE: @%p3 bra A;
        TICKET ret;
        A: TICKET ret;"""
    # the loop has one exit, LEAVE, where all meet; there the even ones fall through
    assert tickets(body) == in_order(range(0, 32, 2), range(1, 32, 2))
    body = body.replace(
        "@%p1 bra LEAVE;", "@%p1 bra LEAVE; setp.eq.u32 %p2, %lane, 20; @%p2 bra A;"
    )
    # lane 20 jumps to A in round 0: the exits are LEAVE and A, and nothing is met by all.
    # The others of the upper half stay (fall through) and leave in round 1; then 20; then round 0's
    rest = [k for k in range(16, 32) if k != 20]
    even, odd = [k for k in rest if k % 2 == 0], [k for k in rest if k % 2]
    assert tickets(body) == in_order(even, odd, [20], range(0, 16, 2), range(1, 16, 2))


def test_lanes_that_return_leave_what_they_wait_for():
    body = """setp.lt.u32 %p1, %lane, 8; setp.lt.u32 %p2, %lane, 3;
        @%p1 bra A; bra M;
        A: @%p2 ret; bra M;
        M: TICKET ret;"""
    # the return makes the end of the thread the only point that all reach
    assert tickets(body) == in_order(range(8, 32), range(3, 8))


def test_a_loop_with_two_entries_runs_its_lanes_apart():
    body = """mov.u32 %r1, 0; setp.lt.u32 %p1, %lane, 5;
        @%p1 bra B;
        A: add.u32 %r1, %r1, 1;
        B: setp.lt.u32 %p2, %r1, 3; add.u32 %r1, %r1, 1; @%p2 bra A;
        TICKET ret;"""
    # B is where all meet: HIGH comes by A; then both go round together
    assert tickets(body) == in_order(ALL)


def test_sides_of_64_lanes():
    body = "setp.lt.u32 %p1, %lane, 40; @%p1 bra A; TICKET ret; A: TICKET ret;"
    assert tickets(body, lanes=64) == in_order(range(40, 64), range(40), lanes=64)


def test_continue_in_a_divergent_loop_brings_lanes_together_at_the_header():
    """Lanes skip the rest of an iteration where round + lane is odd; what they add is counted."""
    body = """mov.u32 %r1, 0; mov.u32 %r4, 0;
        H: setp.eq.u32 %p1, %r1, 10; @%p1 bra END;
        add.u32 %r2, %r1, %lane; add.u32 %r1, %r1, 1; and.b32 %r2, %r2, 1;
        setp.eq.u32 %p2, %r2, 1; @%p2 bra H;
        add.u32 %r4, %r4, %r1; bra H;
        END: st.global.u32 [%d1], %r4; ret;"""
    out = run_ptx(PLACES + body, {"out": np.zeros(65, np.uint32)})["out"]
    # in round i (from 0) the lanes with i + lane even add i + 1
    assert out[:32].tolist() == [sum(i + 1 for i in range(10) if (i + k) % 2 == 0) for k in ALL]
