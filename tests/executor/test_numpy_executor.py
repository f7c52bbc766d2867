"""The whole-grid NumPy executor: control flow and barriers, with counts by hand."""

import numpy as np
import pytest

from tests.reference.numpy_executor import DeadlockError, execute
from tests.reference.numpy_launches import OWN_PLACE, launcher, words
from warpmill.analyzer.frontends.load import load_kernel


@pytest.fixture
def run(tmp_path):
    return launcher(tmp_path)


def test_sides_of_a_branch_are_counted_by_warps_and_threads(run):
    out = words(96)
    counts = run(
        OWN_PLACE
        + """
    setp.lt.u32 %p1, %r0, 40;
    @%p1 bra low;
    mov.u32 %r2, 7;
    bra.uni join;
low:
    mov.u32 %r2, 3;
join:
    st.global.u32 [%d1], %r2;
    ret;
""",
        [out],
        block=96,
    )
    # warp 0: all below 40; warp 1: 8 of 32 below; warp 2: none
    assert counts.block_warps == [3, 2, 2, 3]
    assert counts.block_threads == [96, 56, 40, 96]
    assert counts.warp_insts == 3 * 7 + 2 * 2 + 2 * 1 + 3 * 2
    assert counts.thread_insts == 96 * 7 + 56 * 2 + 40 * 1 + 96 * 2
    assert np.array_equal(out, np.where(np.arange(96) < 40, 3, 7))


def test_loop_by_thread_runs_as_long_as_its_longest_lane(run):
    out = words(64)
    counts = run(
        OWN_PLACE
        + """
    mov.u32 %r2, 0;
    mov.u32 %r3, 0;
loop:
    add.u32 %r3, %r3, %r2;
    add.u32 %r2, %r2, 1;
    setp.le.u32 %p1, %r2, %r0;
    @%p1 bra loop;
    st.global.u32 [%d1], %r3;
    ret;
""",
        [out],
        grid=2,
    )
    # lane t makes t + 1 turns, so each of the two warps 32, its lanes 32 * 33 / 2 in all
    assert counts.block_warps == [2, 64, 2]
    assert counts.block_threads == [64, 2 * 528, 64]
    lane = np.arange(64) % 32
    assert np.array_equal(out, lane * (lane + 1) // 2)


def test_lanes_that_leave_early_are_gone_and_guards_that_are_off_count(run):
    out = words(32)
    counts = run(
        OWN_PLACE
        + """
    setp.ge.u32 %p1, %r0, 20;
    @%p1 ret;
    setp.eq.u32 %p2, %r0, 4;
    mov.u32 %r2, 1;
    @%p2 mov.u32 %r2, 2;
    @!%p2 add.u32 %r2, %r2, 10;
    st.global.u32 [%d1], %r2;
    ret;
""",
        [out],
    )
    assert counts.block_threads == [32, 20]
    assert counts.thread_insts == 32 * 7 + 20 * 6
    assert counts.warp_insts == 13
    expected = np.where(np.arange(32) < 20, 11, 0)
    expected[4] = 2
    assert np.array_equal(out, expected)


def test_nested_parting_meets_inside_before_outside(run):
    out = words(32)
    counts = run(
        OWN_PLACE
        + """
    mov.u32 %r2, 0;
    setp.ge.u32 %p1, %r0, 16;
    @%p1 bra outer;
    setp.ge.u32 %p2, %r0, 8;
    @%p2 bra inner;
    add.u32 %r2, %r2, 1;
inner:
    add.u32 %r2, %r2, 100;
outer:
    st.global.u32 [%d1], %r2;
    ret;
""",
        [out],
    )
    assert counts.block_warps == [1, 1, 1, 1, 1]
    assert counts.block_threads == [32, 16, 8, 16, 32]
    assert np.array_equal(out, np.repeat([101, 100, 0], [8, 8, 16]))


def test_indexed_branch_takes_each_target_once(run):
    out = words(32)
    counts = run(
        OWN_PLACE
        + """
    and.b32 %r2, %r0, 3;
    brx.idx %r2, table;
table: .branchtargets one, two, one, three;
one:
    mov.u32 %r3, 1;
    bra.uni join;
two:
    mov.u32 %r3, 2;
    bra.uni join;
three:
    mov.u32 %r3, 3;
join:
    st.global.u32 [%d1], %r3;
    ret;
""",
        [out],
    )
    assert sorted(counts.block_threads) == [8, 8, 16, 32, 32]
    assert counts.block_warps == [1, 1, 1, 1, 1]
    assert np.array_equal(out, np.array([1, 2, 1, 3])[np.arange(32) % 4])


def test_registers_of_bits_hold_floats_through_branches_and_guards(run):
    out = np.zeros(32, np.float32)
    body = (
        OWN_PLACE
        + """
    mov.b32 %r2, 0f3F800000;
    setp.lt.u32 %p1, %r0, 8;
    setp.lt.u32 %p2, %r0, 16;
    @%p2 add.f32 %r2, %r2, 0f3F800000;
    @!%p1 bra end;
    mul.f32 %r2, %r2, 0f3F000000;
    add.f32 %r2, %r2, 0f41200000;
end:
    st.global.b32 [%d1], %r2;
    ret;
"""
    )
    run(body, [out])
    assert out.tolist() == [11.0] * 8 + [2.0] * 8 + [1.0] * 16


def test_lanes_of_one_side_keep_the_bits_of_the_other(run):
    out = np.zeros(32, np.float32)
    body = (
        OWN_PLACE
        + """
    mov.b32 %r2, 0x40400000;
    setp.lt.u32 %p1, %r0, 8;
    @!%p1 bra end;
    add.f32 %r2, %r2, 0f3FC00000;
end:
    st.global.b32 [%d1], %r2;
    ret;
"""
    )
    run(body, [out])
    assert out.tolist() == [4.5] * 8 + [3.0] * 24


def test_the_side_that_falls_through_runs_first(run):
    out = words(33)
    body = (
        OWN_PLACE
        + """
    and.b32 %r2, %r0, 1;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra taken;
    atom.global.add.u32 %r3, [%d0+128], 1;
    bra.uni join;
taken:
    atom.global.add.u32 %r3, [%d0+128], 1;
join:
    st.global.u32 [%d1], %r3;
    ret;
"""
    )
    run(body, [out])
    lane = np.arange(32)
    assert np.array_equal(out[:32], np.where(lane % 2 == 1, lane // 2, 16 + lane // 2))


PHIS = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %start) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %after, %loop ]
  %a = phi i32 [ %start, %entry ], [ %b, %loop ]
  %b = phi i32 [ 5, %entry ], [ %a, %loop ]
  %after = sub i32 %i, 1
  %more = icmp sgt i32 %i, 0
  br i1 %more, label %loop, label %end
end:
  %last = phi i32 [ %a, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %last, ptr addrspace(1) %place
  ret void
}
!nvvm.annotations = !{}
"""


def test_copies_on_edges_happen_at_once(tmp_path):
    path = tmp_path / "k.ll"
    path.write_text(PHIS)
    loaded, kernel = load_kernel(path)
    out = np.zeros(32, np.int32)
    counts = execute(loaded.module, kernel, 1, 32, [out, np.int32(9)])
    # lane t makes t turns after the first, and each exchanges a and b
    assert np.array_equal(out, np.where(np.arange(32) % 2 == 0, 9, 5))
    assert counts.block_threads[1] == 33 * 16
    assert counts.block_warps == [1, 32, 1]


TREE = (
    OWN_PLACE
    + """
    mov.u32 %r2, tree;
    shl.b32 %r3, %r0, 2;
    add.u32 %r2, %r2, %r3;
    st.shared.u32 [%r2], %r1;
    mov.u32 %r4, 64;
loop:
    bar.sync 0;
    setp.ge.u32 %p1, %r0, %r4;
    @%p1 bra skip;
    shl.b32 %r5, %r4, 2;
    add.u32 %r5, %r5, %r2;
    ld.shared.u32 %r6, [%r2];
    ld.shared.u32 %r7, [%r5];
    add.u32 %r6, %r6, %r7;
    st.shared.u32 [%r2], %r6;
skip:
    shr.u32 %r4, %r4, 1;
    setp.ne.u32 %p2, %r4, 0;
    @%p2 bra loop;
    setp.ne.u32 %p3, %r0, 0;
    @%p3 bra end;
    ld.shared.u32 %r6, [%r2];
    mul.wide.u32 %d2, %ctaid.x, 4;
    add.u64 %d2, %d2, %d0;
    st.global.u32 [%d2], %r6;
end:
    ret;
"""
)


@pytest.mark.parametrize("chunk_threads", [128, 384, 1 << 15])
def test_barriers_hold_a_tree_in_shared_memory_together(run, chunk_threads):
    out = words(5 * 128)
    counts = run(
        TREE, [out], grid=5, block=128, more=".shared .align 4 .b8 tree[512];",
        chunk_threads=chunk_threads,
    )  # fmt: skip
    expected = np.arange(5 * 128).reshape(5, 128).sum(axis=1)
    assert np.array_equal(out[:5], expected)
    # 7 turns of 64, 32, …, 1 adding threads: in 2, 1, 1, 1, 1, 1, 1 warps
    assert counts.block_warps == [20, 5 * 28, 5 * 8, 5 * 28, 5 * 4, 5, 20]
    assert counts.block_threads == [640, 7 * 640, 5 * 127, 7 * 640, 640, 5, 640]


def test_registers_last_over_a_barrier_in_the_middle_of_a_block(run):
    out = words(64)
    body = (
        OWN_PLACE
        + """
    shl.b32 %r2, %r0, 2;
    mov.u32 %r3, cells;
    add.u32 %r2, %r2, %r3;
    st.shared.u32 [%r2], %r0;
    xor.b32 %r4, %r2, 128;
    add.u32 %r5, %r0, 1000;
    bar.sync 0;
    ld.shared.u32 %r6, [%r4];
    add.u32 %r6, %r6, %r5;
    st.global.u32 [%d1], %r6;
    ret;
"""
    )
    counts = run(body, [out], block=64, more=".shared .align 256 .b8 cells[256];")
    lane = np.arange(64)
    assert np.array_equal(out, (lane ^ 32) + lane + 1000)
    assert counts.block_warps == [2]


def test_barrier_that_some_never_reach_is_a_deadlock(run):
    body = OWN_PLACE + "setp.lt.u32 %p1, %r0, 32; @%p1 bra l; bar.sync 1; bra.uni e; l: bar.sync 2;"
    with pytest.raises(DeadlockError):
        run(body + "e: ret;", [words(64)], block=64)


def test_warps_that_have_ended_are_not_waited_for(run):
    out = words(64)
    body = (
        OWN_PLACE
        + "setp.lt.u32 %p1, %r0, 32; @%p1 bra e; bar.sync 0; st.global.u32 [%d1], 5; e: ret;"
    )
    run(body, [out], block=64)
    assert np.array_equal(out, np.repeat([0, 5], 32))


def test_producer_and_consumer_meet_at_a_named_barrier(run):
    out = words(64)
    body = (
        OWN_PLACE
        + """
    setp.ge.u32 %p1, %r0, 32;
    @%p1 bra consumer;
    st.shared.u32 [cell], 9;
    bar.arrive 1, 64;
    bra.uni end;
consumer:
    bar.sync 1, 64;
    ld.shared.u32 %r2, [cell];
    st.global.u32 [%d1], %r2;
end:
    ret;
"""
    )
    run(body, [out], block=64, more=".shared .align 4 .b8 cell[4];")
    assert np.array_equal(out, np.repeat([0, 9], 32))
