"""Where runs stop, and that they do: limits, watchdogs, locks; large grids; the same every time."""

import time

import numpy as np
import pytest

from tests.reference.run_kernel import kernel_text, prepare, run_ptx
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.executor.compile import CompileOptions
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.launching import RunLimits
from warpmill.executor.native.layout import FaultKind

START = """
    ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %laneid; mov.u32 %r2, %warpid;
    mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0; mov.u32 %r5, 0;
"""
SOON = RunLimits(max_seconds=0.2)


def run(body, block=32, words=64, **options):
    return run_ptx(START + body, {"out": np.zeros(words, np.uint32)}, block=block, **options)


# Loops that never end: what counts in twos from 1 is never 6.

ODD = "mov.u32 %r5, 1;"

ENDLESS = {
    "counting": "L: add.u32 %r5, %r5, 2; setp.ne.u32 %p1, %r5, 6; @%p1 bra L; ret;",
    "storing": "L: st.global.u32 [%d1], %r0; bra L;",
    "an iteration skipped by some": """
        H: add.u32 %r5, %r5, 2; setp.eq.u32 %p1, %r5, 6; @%p1 bra E;
        xor.b32 %r6, %r5, %r0; and.b32 %r6, %r6, 1; setp.eq.u32 %p2, %r6, 0; @%p2 bra H;
        add.u32 %r7, %r7, 1; bra H; E: ret;""",
    "two ways back": """
        H: add.u32 %r5, %r5, 2; setp.eq.u32 %p1, %r5, 6; @%p1 bra E;
        setp.lt.u32 %p2, %r0, 7; @%p2 bra A; add.u32 %r7, %r7, 1; bra H;
        A: add.u32 %r7, %r7, 2; bra H; E: ret;""",
    "a table of targets": """
        ts: .branchtargets H, A, E;
        H: add.u32 %r5, %r5, 2; add.u32 %r6, %r5, %r0; and.b32 %r6, %r6, 1; brx.idx %r6, ts;
        A: add.u32 %r7, %r7, 1; bra H;
        E: ret;""",
    "through a barrier": "L: add.u32 %r5, %r5, 2; bar.sync 0; bra L;",
    "one lane": "setp.ne.u32 %p1, %r0, 9; @%p1 ret; L: add.u32 %r5, %r5, 2; bra L;",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ENDLESS)
def test_endless_loops_come_to_a_limit_of_time(name):
    with pytest.raises(LimitError, match=r"k ran for .* s and stood in CTA 0") as caught:
        run(ODD + ENDLESS[name], limits=SOON)
    assert "--max-seconds" in str(caught.value)


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_loops_come_to_a_limit_of_instructions(name):
    with pytest.raises(LimitError, match="--max-instructions"):
        run(ODD + ENDLESS[name], limits=RunLimits(max_instructions=10**6, max_seconds=60))


def test_a_limit_names_the_cta_and_keeps_what_was_written():
    body = """mov.u32 %r6, %ctaid.x; mul.wide.u32 %d2, %r6, 4; add.u64 %d2, %d2, %d0;
        st.global.u32 [%d2], 1; setp.ne.u32 %p1, %r6, 3; @%p1 ret; L: add.u32 %r5, %r5, 1; bra L;"""
    memory = DeviceMemory()
    prepared = prepare(kernel_text(START + body, {"out": np.zeros(9, np.uint32)}))
    with pytest.raises(LimitError, match="stood in CTA 3"):
        prepared.run(9, 32, {"out": np.zeros(9, np.uint32)}, limits=SOON, memory=memory)
    left = memory.allocations[0].data.view(np.uint32)
    assert left.tolist() == [1, 1, 1, 1, 0, 0, 0, 0, 0]


def test_a_run_that_stays_below_its_limits_is_left_alone():
    limits = RunLimits(max_instructions=10**7, max_seconds=60)
    body = "L: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 99999; @%p1 bra L;"
    done = run(body + "st.global.u32 [%d1], %r5; ret;", limits=limits)
    assert done["out"][:32].tolist() == [99999] * 32
    assert done.execution.thread_instructions == 32 * (7 + 3 * 99999 + 2)
    assert done.execution.warp_instructions == 7 + 3 * 99999 + 2


def test_memory_of_a_cta_has_a_limit():
    body = ".local .align 4 .b8 big[100000]; st.local.u32 [big], %r0; ret;"
    assert run(body).execution.ctas == 1
    with pytest.raises(LimitError, match="--max-memory"):
        run(body, limits=RunLimits(max_bytes=1 << 20))
    with pytest.raises(LimitError, match="--max-memory"):
        run("ret;", shared=1 << 21, limits=RunLimits(max_bytes=1 << 20))


# Waiting for each other.

LOCK = """
    L: atom.global.cas.b32 %r6, [%d0], 0, 1; setp.ne.u32 %p1, %r6, 0; @%p1 bra L;
    ld.global.u32 %r7, [%d0+4]; add.u32 %r7, %r7, 1; st.global.u32 [%d0+4], %r7;
    atom.global.exch.b32 %r6, [%d0], 0; ret;
"""


def test_a_lock_that_warps_fight_for():
    done = run("setp.ne.u32 %p1, %r1, 0; @%p1 ret;" + LOCK, 1024, limits=RunLimits(max_seconds=60))
    assert done["out"][:2].tolist() == [0, 32]


def test_a_lock_that_is_held_over_many_turns():
    """The holder counts for longer than a warp may go on in one turn."""
    slow = """mov.u32 %r8, 0; W: add.u32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, 20000; @%p2 bra W;
        atom.global.exch"""
    body = "setp.ne.u32 %p1, %r1, 0; @%p1 ret;" + LOCK.replace("atom.global.exch", slow)
    done = run(body, 128, limits=RunLimits(max_seconds=60))
    assert done["out"][:2].tolist() == [0, 4]


def test_a_lock_that_lanes_of_one_warp_fight_for_is_told():
    with pytest.raises(ExecutionFault) as caught:
        run(LOCK, 64, limits=RunLimits(max_seconds=60))
    fault = caught.value.fault
    assert fault.kind is FaultKind.SPIN
    assert [w.warp for w in fault.waiting] == [0, 1]
    assert all("loop" in w.where for w in fault.waiting)
    assert "independent thread scheduling" in str(caught.value)


def test_a_loop_without_a_way_out_is_told_as_one():
    with pytest.raises(ExecutionFault) as caught:
        run("L: bra L;", 64, limits=RunLimits(max_seconds=60))
    assert caught.value.fault.kind is FaultKind.SPIN
    said = str(caught.value)
    assert "the warps go round a loop for ever" in said
    assert "a loop needs a way out" in said


def test_the_same_lock_written_so_that_each_lane_comes_to_release_it():
    body = """mov.u32 %r9, 0;
        L: atom.global.cas.b32 %r6, [%d0], 0, 1; setp.ne.u32 %p1, %r6, 0; @%p1 bra N;
        ld.global.u32 %r7, [%d0+4]; add.u32 %r7, %r7, 1; st.global.u32 [%d0+4], %r7;
        mov.u32 %r9, 1; atom.global.exch.b32 %r6, [%d0], 0;
        N: setp.eq.u32 %p2, %r9, 0; @%p2 bra L; ret;"""
    done = run(body, 96, limits=RunLimits(max_seconds=60))
    assert done["out"][:2].tolist() == [0, 96]


FLAG = """
    setp.eq.u32 %p1, %r2, {setter}; @%p1 bra S;
    W: ld.volatile.global.u32 %r6, [%d0+256]; {more} setp.eq.u32 %p2, %r6, 0; @%p2 bra W;
    st.global.u32 [%d1], %r6; ret;
    S: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, {rounds}; @%p2 bra S;
    st.global.u32 [%d1], 3; st.global.u32 [%d0+256], 7; ret;
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("setter", [0, 1])
@pytest.mark.parametrize("rounds", [1, 300000])
@pytest.mark.parametrize("more", ["", "add.u32 %r7, %r7, 1;", "nanosleep.u32 100;"])
def test_a_flag_that_another_warp_sets(setter, rounds, more):
    body = FLAG.format(setter=setter, rounds=rounds, more=more)
    done = run(body, 64, words=65, limits=RunLimits(max_seconds=60))
    wanted = [[7] * 32, [7] * 32]
    wanted[setter] = [3] * 32
    assert done["out"][:64].reshape(2, 32).tolist() == wanted


def test_a_flag_that_a_warp_sets_while_others_diverge_in_their_loop():
    """Waiting lanes part in every round and meet at the loop's header."""
    more = "xor.b32 %r8, %r8, 1; and.b32 %r9, %r0, 1; setp.eq.u32 %p3, %r8, %r9; @%p3 bra W;"
    body = FLAG.format(setter=1, rounds=300000, more=more)
    done = run("mov.u32 %r8, 0;" + body, 64, words=65, limits=RunLimits(max_seconds=60))
    assert done["out"][:64].tolist() == [7] * 32 + [3] * 32


def test_a_flag_that_nobody_sets_is_told_with_its_line():
    body = "W: ld.volatile.global.u32 %r6, [%d0];\n setp.eq.u32 %p2, %r6, 0; @%p2 bra W; ret;"
    with pytest.raises(ExecutionFault) as caught:
        run(body, 64)
    waiting = caught.value.fault.waiting
    assert [(w.warp, w.where) for w in waiting] == [(0, "in a loop"), (1, "in a loop")]
    assert all(w.span is not None for w in waiting)


def test_ctas_that_wait_for_later_ones_run_at_the_same_time():
    body = """mov.u32 %r6, %ctaid.x; setp.eq.u32 %p1, %r6, 1; @%p1 bra S;
        W: ld.volatile.global.u32 %r6, [%d0]; setp.eq.u32 %p2, %r6, 0; @%p2 bra W; ret;
        S: st.global.u32 [%d0], 1; ret;"""
    run(body, grid=2)
    run(body.replace("%r6, 1; @%p1", "%r6, 0; @%p1"), grid=2)
    run(body.replace("%r6, 1; @%p1", "%r6, 39; @%p1"), grid=40)
    with pytest.raises(ExecutionFault) as caught:  # nobody does it
        run(body.replace("%r6, 1; @%p1", "%r6, 50; @%p1"), grid=40)
    assert caught.value.fault.kind is FaultKind.SPIN


def test_a_barrier_of_the_whole_grid():
    """All CTAs count themselves twice, and each sees all of them after each barrier."""
    phase = """bar.sync 0; @%p1 bra S{n}; atom.global.add.u32 %r6, [%d0], 1;
        L{n}: ld.volatile.global.u32 %r6, [%d0]; setp.lt.u32 %p2, %r6, {all}; @%p2 bra L{n};
        S{n}: bar.sync 0; ld.volatile.global.u32 %r7, [%d0]; add.u32 %r8, %r8, %r7;"""
    body = f"""ld.param.u64 %d0, [count]; ld.param.u64 %d1, [out]; mov.u32 %r0, %tid.x;
        setp.ne.u32 %p1, %r0, 0; mov.u32 %r8, 0;
        {phase.format(n=1, all=30)} {phase.format(n=2, all=60)}
        mov.u32 %r1, %ctaid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;
        st.global.u32 [%d1], %r8; ret;"""
    arrays = {"count": np.zeros(1, np.uint32), "out": np.zeros(30, np.uint32)}
    first, again = (run_ptx(body, arrays, 30, 64) for _ in range(2))
    assert (first["out"] >= 90).all()
    assert (first["out"] <= 120).all()
    assert (first["out"] == again["out"]).all()
    assert first.execution.thread_instructions == again.execution.thread_instructions


def test_the_rest_waits_at_a_barrier_for_a_warp_in_an_endless_loop():
    body = """setp.eq.u32 %p1, %r2, 1; @%p1 bra L; bar.sync 0; ret; L: bra L;"""
    with pytest.raises(ExecutionFault) as caught:
        run(body, 96)
    where = {w.warp: w.where for w in caught.value.fault.waiting}
    assert where == {0: "at barrier 0", 1: "in a loop", 2: "at barrier 0"}


# Large grids, and the same every time.


def test_a_million_small_ctas():
    """Each adds its number; a second of CPU time is more than enough for all of them."""
    body = """ld.param.u64 %d0, [out]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y;
        mad.lo.u32 %r0, %r1, 1000, %r0; cvt.u64.u32 %d1, %r0; red.global.add.u64 [%d0], %d1; ret;"""
    prepared = prepare(kernel_text(body, {"out": np.zeros(1, np.uint64)}))
    told = []
    begin = time.process_time()
    done = prepared.run(
        (1000, 1000), 1, {"out": np.zeros(1, np.uint64)}, progress=lambda *a: told.append(a)
    )
    assert done["out"][0] == 10**6 * (10**6 - 1) // 2
    assert done.execution.block_warps.tolist() == [10**6]
    assert time.process_time() - begin < 30  # a hang is minutes
    assert told[-1] == (10**6, 10**6)
    assert [d for d, _ in told] == sorted({d for d, _ in told})
    assert len(told) >= 50


@pytest.mark.parametrize(("ctas", "most"), [(1, 1), (5, 5), (200, 200)])
def test_progress_ends_with_all_ctas(ctas, most):
    told = []
    run("ret;", grid=ctas, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (ctas, ctas)
    assert {total for _, total in told} == {ctas}
    assert len(told) <= most


MIX = """
    mov.u32 %r6, %ctaid.x; mad.lo.u32 %r7, %r6, 96, %r0; mov.u32 %r9, %clock;
    L: atom.global.add.u32 %r8, [%d0], %r7; mad.lo.u32 %r7, %r7, 1664525, %r8;
    and.b32 %r10, %r7, 15; setp.ne.u32 %p1, %r10, 3; add.u32 %r5, %r5, 1;
    setp.lt.and.u32 %p2, %r5, 200, %p1; @%p2 bra L;
    shr.u32 %r11, %r7, 22; shl.b32 %r11, %r11, 2; cvt.u64.u32 %d3, %r11; add.u64 %d3, %d3, %d0;
    @%p1 st.global.u32 [%d3], %r9; ret;
"""


def test_the_same_run_leaves_the_same_bytes_and_counts():
    options = CompileOptions(count_edges=True)
    runs = [run(MIX, 96, words=1024, grid=40, options=options) for _ in range(2)]
    first, second = (r.execution for r in runs)
    assert np.array_equal(runs[0]["out"], runs[1]["out"])
    for name in ("block_warps", "block_threads", "guard_lanes", "edge_warps", "edge_threads"):
        assert np.array_equal(getattr(first, name), getattr(second, name))
    assert len(set(runs[0]["out"].tolist())) > 50


def test_registers_that_nothing_has_set_are_zero_in_every_cta():
    body = """mov.u32 %r6, %ctaid.x; mad.lo.u32 %r6, %r6, 32, %r0; mul.wide.u32 %d3, %r6, 4;
        add.u64 %d3, %d3, %d0; L: add.u32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, %r0; @%p1 bra L;
        st.global.u32 [%d3], %r20; ret;"""
    out = run(body, words=96, grid=3)["out"]
    assert out.reshape(3, 32).tolist() == [[1, *range(1, 32)]] * 3


def test_one_compiled_kernel_runs_many_times_alike():
    prepared = prepare(kernel_text(START + MIX, {"out": np.zeros(1024, np.uint32)}))
    first, other, again = (
        prepared.run(*size, {"out": np.zeros(1024, np.uint32)})
        for size in ((3, 96), (7, 40), (3, 96))
    )
    assert np.array_equal(first["out"], again["out"])
    assert not np.array_equal(first["out"], other["out"])
    assert first.execution.block_warps.tolist() == again.execution.block_warps.tolist()
