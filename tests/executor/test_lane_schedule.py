"""Independent thread scheduling: lanes that wait for one another, and for all at operations."""

import numpy as np
import pytest

from tests.reference.run_kernel import run_ptx
from warpmill.executor.compile import CompileOptions
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.launching import RunLimits
from warpmill.executor.native.layout import FaultKind

INDEPENDENT = CompileOptions(independent_lanes=True)
LIMITS = RunLimits(max_seconds=60)

THREAD = """
    .shared .align 8 .b32 s[64]; ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x;
    and.b32 %r1, %r0, 31; shr.u32 %r2, %r0, 5; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0;
    mov.u32 %r9, 0; mov.u32 %r4, s;
"""  # %r0 thread, %r1 lane, %r2 warp, %d1 its word of out
SHOW = "st.global.u32 [%d1], %r9; ret;"


def out_of(body, block=32, options=INDEPENDENT, grid=1):
    arguments = {"out": np.zeros(1024, np.uint32)}
    ran = run_ptx(THREAD + body, arguments, grid, block, options=options, limits=LIMITS)
    return ran["out"][:block].tolist()


SPIN_LOCK = """
    L: atom.shared.cas.b32 %r5, [%r4], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;
    ld.shared.u32 %r9, [%r4+4]; add.u32 %r6, %r9, 1; st.shared.u32 [%r4+4], %r6;
    membar.cta; atom.shared.exch.b32 %r5, [%r4], 0;
"""
TICKET_LOCK = """
    atom.shared.add.u32 %r5, [%r4], 1;
    L: ld.volatile.shared.u32 %r6, [%r4+4]; setp.ne.u32 %p1, %r5, %r6; @%p1 bra L;
    ld.shared.u32 %r9, [%r4+8]; add.u32 %r6, %r9, 1; st.shared.u32 [%r4+8], %r6;
    membar.cta; add.u32 %r6, %r5, 1; st.volatile.shared.u32 [%r4+4], %r6;
"""
HANDED_DOWN = """
    sub.u32 %r7, 31, %r1;
    L: ld.volatile.shared.u32 %r6, [%r4]; setp.ne.u32 %p1, %r6, %r7; @%p1 bra L;
    add.u32 %r9, %r6, 100; add.u32 %r6, %r6, 1; st.volatile.shared.u32 [%r4], %r6;
"""
AWAY = SPIN_LOCK.replace(
    "ne.u32 %p1, %r5, 0; @%p1 bra L;", "eq.u32 %p1, %r5, 0; @%p1 bra M; bra L; M:"
)
"""The lane that has the lock is the one that branches, so that the others run first."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("lock", [SPIN_LOCK, TICKET_LOCK, AWAY])
@pytest.mark.parametrize("block", [32, 20, 96])
def test_a_lock_that_each_lane_takes(lock, block):
    assert sorted(out_of(lock + SHOW, block)) == list(range(block))


def test_lanes_that_wait_for_higher_ones():
    assert out_of(HANDED_DOWN + SHOW) == [131 - lane for lane in range(32)]


@pytest.mark.parametrize("body", [SPIN_LOCK, HANDED_DOWN])
def test_a_stack_of_meeting_points_never_gets_there_and_says_what_does(body):
    with pytest.raises(ExecutionFault, match="--schedule its") as caught:
        out_of(body + SHOW, options=CompileOptions())
    assert caught.value.fault.kind is FaultKind.SPIN


@pytest.mark.parametrize("lock", [SPIN_LOCK, TICKET_LOCK])
def test_lanes_are_together_at_operations_after_a_lock(lock):
    """Each lane leaves the lock on its own, then all exchange and wait."""
    after = """add.u32 %r11, %r1, 1; and.b32 %r11, %r11, 31;
        shfl.sync.idx.b32 %r9, %r9, %r11, 31, -1; bar.sync 0; vote.sync.all.pred %p3, %p0, -1;
        redux.sync.add.u32 %r12, %r9, -1; add.u32 %r9, %r9, %r12;"""
    body = f"setp.ge.u32 %p0, %r0, 0; {lock} {after}"
    total = sum(range(32))
    assert sorted(out_of(body + SHOW)) == [k + total for k in range(32)]


def test_lanes_wait_at_a_barrier_for_those_that_spin():
    """Warp 0 spins for its own lane 31, which warp 1 lets go after a barrier of its own."""
    body = """setp.eq.u32 %p1, %r2, 1; @%p1 bra B;
        setp.eq.u32 %p2, %r1, 31; @%p2 bra C;
        L: ld.volatile.shared.u32 %r6, [%r4]; setp.eq.u32 %p3, %r6, 0; @%p3 bra L; bra D;
        C: ld.volatile.shared.u32 %r6, [%r4+4]; setp.eq.u32 %p3, %r6, 0; @%p3 bra C;
        st.volatile.shared.u32 [%r4], 7; bra D;
        B: mov.u32 %r6, 7; st.volatile.shared.u32 [%r4+4], %r6;
        D: bar.sync 0; ld.shared.u32 %r9, [%r4];"""
    body = body.replace("[%r4], 7", "[%r4], %r7").replace("C: ld", "C: mov.u32 %r7, 7; ld")
    assert out_of(body + SHOW, 64) == [7] * 64


def test_operations_of_some_lanes_do_not_wait_for_the_others():
    body = """setp.lt.u32 %p1, %r1, 8; @%p1 bra A; L: ld.volatile.shared.u32 %r6, [%r4];
        setp.eq.u32 %p2, %r6, 0; @%p2 bra L; bra E;
        A: redux.sync.add.u32 %r9, %r1, 0xff; st.volatile.shared.u32 [%r4], %r9;
        E: add.u32 %r9, %r9, 1;"""
    assert out_of(body + SHOW) == [29] * 8 + [1] * 24


def test_lanes_that_leave_do_not_keep_others_waiting():
    body = """setp.ge.u32 %p1, %r1, 20; @%p1 bra E; redux.sync.add.u32 %r9, %r1, -1; bar.sync 0;
        st.global.u32 [%d1], %r9; E: ret;"""
    assert out_of(body) == [190] * 20 + [0] * 12


def test_masks_that_name_lanes_which_never_come_do_not_stop_the_launch():
    body = """setp.lt.u32 %p1, %r1, 8; @!%p1 bra E;
        bar.warp.sync -1; mov.u32 %r9, 5; E: add.u32 %r9, %r9, 1;"""
    assert out_of(body + SHOW) == [6] * 8 + [1] * 24


def test_lanes_that_all_wait_at_different_places_go_on():
    body = """setp.lt.u32 %p1, %r1, 8; @%p1 bra A; bar.warp.sync -1; mov.u32 %r9, 3; bra E;
        A: vote.sync.ballot.b32 %r9, %p1, -1; E: add.u32 %r9, %r9, 1;"""
    assert out_of(body + SHOW) == [256] * 8 + [4] * 24
