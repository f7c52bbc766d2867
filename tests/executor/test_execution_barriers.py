"""Barriers of a CTA: who waits for whom, what reductions give, and what can never go on."""

import numpy as np
import pytest

from tests.reference.run_kernel import run_ptx
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.native.layout import FaultKind

THREAD = """
    .shared .align 8 .b32 s[1024]; ld.param.u64 %d0, [out];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %ntid.y; mad.lo.u32 %r1, %r2, %r4, %r1; mad.lo.u32 %r0, %r1, %r3, %r0;
    mov.u32 %r1, %warpid; mov.u32 %r2, %laneid;
    shl.b32 %r3, %r0, 2; mov.u32 %r4, s; add.u32 %r3, %r3, %r4;
    mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0;
"""  # %r0 thread, %r1 warp, %r2 lane, %r3 its word of s, %d1 its word of out
SHOW = "st.global.u32 [%d1], %r9; ret;"


def out_of(body, block=64, words=None, **options):
    count = int(np.prod(block)) if words is None else words
    arguments = {"out": np.zeros(count, np.uint32)}
    return run_ptx(THREAD + body, arguments, block=block, **options)["out"].tolist()


def fault_of(body, block=64, **options):
    with pytest.raises(ExecutionFault) as caught:
        out_of(body, block, **options)
    return caught.value.fault


ROTATE = """
    st.shared.u32 [%r3], %r0; mov.u32 %r5, 0; mov.u32 %r10, {threads};
    L: bar.sync 0;
    add.u32 %r6, %r0, 1; rem.u32 %r6, %r6, %r10; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r4;
    ld.shared.u32 %r7, [%r6]; bar.sync 0; st.shared.u32 [%r3], %r7;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 7; @%p1 bra L;
    mov.u32 %r9, %r7;
"""


@pytest.mark.one_in(12)
@pytest.mark.parametrize("block", [64, 1024, (5, 7, 3), (33, 1, 1), (1, 1, 64), (16, 32, 2), 1])
@pytest.mark.parametrize("lanes", [32, 64])
def test_a_ring_of_threads_hands_numbers_on(block, lanes):
    """After seven rounds each thread has the number of the one seven places on."""
    threads = int(np.prod(block))
    found = out_of(ROTATE.replace("{threads}", str(threads)) + SHOW, block, lanes=lanes)
    assert found == [(k + 7) % threads for k in range(threads)]


def test_sums_by_halves():
    body = """add.u32 %r5, %r0, 1; st.shared.u32 [%r3], %r5; mov.u32 %r6, 512; bar.sync 0;
        L: setp.ge.u32 %p1, %r0, %r6; @%p1 bra W; shl.b32 %r7, %r6, 2; add.u32 %r7, %r7, %r3;
        ld.shared.u32 %r8, [%r7]; ld.shared.u32 %r9, [%r3]; add.u32 %r9, %r9, %r8;
        st.shared.u32 [%r3], %r9;
        W: bar.sync 0; shr.u32 %r6, %r6, 1; setp.ne.u32 %p2, %r6, 0; @%p2 bra L;
        ld.shared.u32 %r9, [s];"""
    assert set(out_of(body + SHOW, 1024)) == {1024 * 1025 // 2}


def test_barriers_after_warps_have_ended():
    """Warp 1 ends at once, warp 2 after the first barrier; the others go on without them."""
    body = """setp.eq.u32 %p1, %r1, 1; @%p1 ret; st.shared.u32 [%r3], %r0; bar.sync 0;
        setp.eq.u32 %p1, %r1, 2; @%p1 ret; xor.b32 %r5, %r3, 384; bar.sync 0;
        ld.shared.u32 %r9, [%r5]; bar.sync 0;"""
    # words of the other half of four warps: 0 with 3 (384 bytes are 96 words)
    assert out_of(body + SHOW, 128) == [k ^ 96 if k // 32 in (0, 3) else 0 for k in range(128)]


def test_lanes_that_have_ended_do_not_count():
    """Odd lanes return; the warp still comes to the barrier as a whole."""
    body = """and.b32 %r5, %r0, 1; setp.eq.u32 %p1, %r5, 1; @%p1 ret;
        setp.ne.u32 %p2, %r0, 0; bar.red.popc.u32 %r9, 0, %p2;"""
    assert out_of(body + SHOW, 50) == [24 if k % 2 == 0 else 0 for k in range(50)]


@pytest.mark.parametrize("name", ["bar", "barrier.cta"])
def test_reductions(name):
    """Of 70 threads, those above 40, none, all, all but one."""
    body = f"""setp.gt.u32 %p1, %r0, 40; {name}.red.popc.u32 %r5, 0, %p1;
        {name}.red.and.pred %p2, 1, %p1; {name}.red.or.pred %p3, 1, %p1;
        {name}.red.popc.u32 %r6, 0, !%p1; setp.ge.u32 %p4, %r0, 0;
        {name}.red.and.pred %p5, 2, %p4; {name}.red.or.pred %p6, 2, !%p4;
        setp.ne.u32 %p7, %r0, 69; {name}.red.and.pred %p8, 3, %p7; {name}.red.or.pred %p9, 3, %p7;
        mul.lo.u32 %r9, %r6, 1000; add.u32 %r9, %r9, %r5;"""
    for bit, p in enumerate((2, 3, 5, 6, 8, 9)):
        body += f"selp.u32 %r7, {1 << 20 + bit}, 0, %p{p}; or.b32 %r9, %r9, %r7;"
    flags = 0b100110 << 20
    for lanes in (32, 64):
        assert set(out_of(body + SHOW, 70, lanes=lanes)) == {29 + 1000 * 41 + flags}


def test_reductions_at_one_barrier_one_after_another():
    """What was counted at a barrier before, by all threads or by some, is not counted again."""
    body = """setp.lt.u32 %p1, %r0, 99; bar.red.and.pred %p2, 0, %p1; bar.sync 0;
        bar.red.and.pred %p3, 0, !%p1; bar.red.popc.u32 %r5, 0, %p1; bar.red.and.pred %p4, 0, %p1;
        bar.red.popc.u32 %r6, 0, !%p1; bar.red.or.pred %p5, 0, !%p1; mad.lo.u32 %r9, %r6, 100, %r5;
    """
    for bit, p in enumerate((2, 3, 4, 5)):
        body += f"selp.u32 %r7, {1 << 20 + bit}, 0, %p{p}; or.b32 %r9, %r9, %r7;"
    assert set(out_of(body + SHOW, 70)) == {70 + (0b0101 << 20)}


def test_reductions_of_some_warps_only():
    """Warps 0 and 1 count among themselves, 2 and 3 too, with another barrier; all at once."""
    body = """shr.u32 %r5, %r1, 1; add.u32 %r5, %r5, 1; and.b32 %r6, %r0, 3;
        setp.eq.u32 %p1, %r6, %r5; bar.red.popc.u32 %r9, %r5, 64, %p1;
        setp.lt.u32 %p1, %r2, %r0; bar.red.popc.u32 %r7, %r5, 64, %p1;
        mad.lo.u32 %r9, %r7, 100, %r9;"""
    # a quarter of the threads have the remainder; lane < thread holds for all but warp 0
    assert out_of(body + SHOW, 128) == [3200 + 16] * 64 + [6400 + 16] * 64


def test_a_barrier_wakes_its_own_warps_only():
    """Warp 0 waits for warp 3, which takes long; warps 1 and 2 meet at another barrier first."""
    body = """mov.u32 %r9, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra A; setp.eq.u32 %p1, %r1, 3;
        @%p1 bra D; bar.sync 2, 64; bra E;
        D: add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 20000; @%p1 bra D;
        st.shared.u32 [s], %r9; bar.sync 1, 64; bra E;
        A: bar.sync 1, 64; ld.shared.u32 %r9, [s]; E: """
    assert out_of(body + SHOW, 128) == [20000] * 32 + [0] * 64 + [20000] * 32


@pytest.mark.parametrize("count", [64, 96])
def test_producers_arrive_and_consumers_wait(count):
    """The last warp waits for the values of all others, ten times, and says when it has them."""
    warps = count // 32
    body = f"""mov.u32 %r5, 0; setp.eq.u32 %p1, %r1, {warps - 1}; @%p1 bra C;
        P: bar.sync 1, {count}; mad.lo.u32 %r6, %r5, 100, %r0; st.shared.u32 [%r3], %r6;
        bar.arrive 2, {count}; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 10; @%p2 bra P; ret;
        C: mov.u32 %r9, 0; and.b32 %r7, %r2, 31; shl.b32 %r7, %r7, 2; add.u32 %r7, %r7, %r4;
        D: bar.arrive 1, {count}; bar.sync 2, {count}; ld.shared.u32 %r8, [%r7];
        mad.lo.u32 %r9, %r9, 3, %r8; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 10; @%p2 bra D;"""
    wanted = []
    for lane in range(32):
        value = 0
        for step in range(10):
            value = (3 * value + 100 * step + lane) % 2**32
        wanted.append(value)
    assert out_of(body + SHOW, count)[-32:] == wanted


def test_the_order_of_warps_at_a_barrier_is_that_of_their_numbers():
    """Warps take tickets one warp after another, before and after each barrier."""
    body = """atom.global.add.u32 %r5, [%d0+1024], 1; bar.sync 0;
        atom.global.add.u32 %r6, [%d0+1024], 1; mad.lo.u32 %r9, %r6, 1000, %r5;"""
    found = out_of(body + SHOW, 96, words=257)
    assert found[:96] == [(96 + k) * 1000 + k for k in range(96)]


def test_a_barrier_number_and_a_count_from_registers():
    body = """mov.u32 %r5, 15; mov.u32 %r6, 64; st.shared.u32 [%r3], %r0; bar.sync %r5, %r6;
        xor.b32 %r7, %r3, 128; ld.shared.u32 %r9, [%r7];"""
    assert out_of(body + SHOW) == [k ^ 32 for k in range(64)]


@pytest.mark.parametrize(
    "statement", ["barrier.sync 0;", "barrier.cta.sync.aligned 0;", "bar.cta.sync 0;"]
)
def test_other_spellings(statement):
    body = f"st.shared.u32 [%r3], %r0; {statement} xor.b32 %r7, %r3, 128; ld.shared.u32 %r9, [%r7];"
    assert out_of(body + SHOW) == [k ^ 32 for k in range(64)]


def test_a_barrier_that_whole_warps_pass_by():
    """Under a guard that is the same in all lanes, and in a branch that whole warps take."""
    body = """setp.lt.u32 %p1, %r1, 2; st.shared.u32 [%r3], %r0; @%p1 bar.sync 3, 64;
        setp.ge.u32 %p2, %r1, 2; @%p2 bra E;
        xor.b32 %r7, %r3, 128; ld.shared.u32 %r9, [%r7]; bar.sync 4, 64; E: """
    assert out_of(body + SHOW, 128) == [k ^ 32 if k < 64 else 0 for k in range(128)]


# What can never go on.


def test_a_deadlock_names_the_warps_and_where_they_wait():
    body = """setp.eq.u32 %p1, %r1, 1;
        @%p1 bra A;
        bar.sync 1;
        ret;
        A:
        bar.sync 2;
        ret;"""
    fault = fault_of(body, 96)
    assert fault.kind is FaultKind.BARRIER_DEADLOCK
    assert fault.cta == (0, 0, 0)
    assert [(w.warp, w.where) for w in fault.waiting] == [
        (0, "at barrier 1"), (1, "at barrier 2"), (2, "at barrier 1"),
    ]  # fmt: skip
    lines = [w.span.line for w in fault.waiting]
    assert lines[0] == lines[2]
    assert lines[1] == lines[0] + 3
    assert "warp 1 at barrier 2 in line" in fault.message


def test_a_barrier_for_more_threads_than_come():
    fault = fault_of("bar.sync 0, 96; ret;", 64)
    assert fault.kind is FaultKind.BARRIER_DEADLOCK
    assert [w.warp for w in fault.waiting] == [0, 1]
    # the others have ended
    fault = fault_of("setp.eq.u32 %p1, %r1, 0; @%p1 ret; bar.sync 5, 96; ret;", 96)
    assert [(w.warp, w.where) for w in fault.waiting] == [(1, "at barrier 5"), (2, "at barrier 5")]


def test_arriving_only_does_not_wait_and_is_not_enough():
    assert out_of("bar.arrive 1, 128; mov.u32 %r9, 5;" + SHOW) == [5] * 64
    fault = fault_of("setp.eq.u32 %p1, %r1, 0; @%p1 bra A; bar.arrive 1, 96; ret; "
                     "A: bar.sync 1, 96; ret;")  # fmt: skip
    assert [w.warp for w in fault.waiting] == [0]


@pytest.mark.parametrize("statement", ["bar.sync 0;", "bar.red.popc.u32 %r9, 0, %p1;"])
def test_a_barrier_that_a_part_of_a_warp_comes_to(statement):
    """Those that wait have something left to do."""
    late = "mov.u32 %r9, 7; st.global.u32 [%d0], %r9; ret;"
    fault = fault_of(f"setp.lt.u32 %p1, %r0, 40; @%p1 bra E; {statement} E: {late}")
    assert fault.kind is FaultKind.DIVERGENT_BARRIER
    assert (fault.warp, fault.thread) == (1, (40, 0, 0))
    assert fault.address is None


def test_the_first_cta_that_goes_wrong_is_named():
    body = """mov.u32 %r5, %ctaid.x; setp.eq.u32 %p1, %r5, 3; @!%p1 ret;
        setp.eq.u32 %p1, %r1, 1; @%p1 ret; bar.sync 0, 64; ret;"""
    assert fault_of(body, grid=(5, 2)).cta == (3, 0, 0)


def test_there_are_sixteen_barriers():
    fault = fault_of("mov.u32 %r5, 16; bar.sync %r5; ret;")
    assert fault.kind is FaultKind.BARRIER_NUMBER


def test_a_guarded_reduction_keeps_what_others_had():
    body = "setp.lt.u32 %p1, %r1, 1; mov.u32 %r9, 5; @%p1 bar.red.popc.u32 %r9, 1, 32, %p1;"
    assert out_of(body + SHOW, 64) == [32] * 32 + [5] * 32


EARLY = [
    "setp.ge.u32 %p1, %r0, 40; @%p1 bra E; bar.sync 0; mov.u32 %r9, 5; st.global.u32 [%d1], %r9;",
    # by way of other blocks, from both sides, and out of a part that is parted already
    "setp.ge.u32 %p1, %r0, 40; @!%p1 bra A; bra F; F: bra E; A: bar.sync 0; mov.u32 %r9, 5;"
    "st.global.u32 [%d1], %r9; bra.uni E;",
    "setp.ge.u32 %p1, %r0, 48; @%p1 bra E; setp.ge.u32 %p2, %r0, 40; @!%p2 bra A; mov.u32 %r9, 6;"
    "@%p2 bra E; A: bar.sync 0; mov.u32 %r9, 5; st.global.u32 [%d1], %r9;",
    "sub.u32 %r5, 40, %r0; setp.ge.u32 %p1, %r0, 40; selp.b32 %r5, 0, 1, %p1;"
    "T: .branchtargets E, A; brx.idx %r5, T; A: bar.sync 0; mov.u32 %r9, 5;"
    "st.global.u32 [%d1], %r9;",
]
"""Threads from 40 on end, the others come to a barrier."""


@pytest.mark.parametrize("body", EARLY)
@pytest.mark.parametrize("lanes", [32, 64])
def test_lanes_that_return_early_are_not_waited_for(body, lanes):
    assert out_of(body + "E: ret;", 128, lanes=lanes) == [5] * 40 + [0] * 88
