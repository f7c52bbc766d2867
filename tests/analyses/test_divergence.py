"""Divergence by control flow, on kernels worked out by hand: regions, loops, launches."""

import pytest

from tests.reference.divergence import classes_of, found_for
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import (
    Divergent,
    UniformClass,
    WarpShape,
    divergence,
    warp_uniform,
)
from warpmill.analyzer.analyses.values.ssa import DefinitionKind
from warpmill.analyzer.analyses.values.symbolic import AtomKind, apply, number, symbol
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.llvm import parse as parse_llvm

DIAMOND = [
    "setp.lt.s32 %p1, {}, 3;",
    "@%p1 bra THEN;",
    "mov.u32 %r9, 1; bra END;",
    "THEN: mov.u32 %r9, 2;",
    "END: st.global.u32 [%rd1], %r9;",
]


def phis_of(found, name):
    kernel = found.structure.kernel
    return [
        found.classes[d.id]
        for d in found.structure.ssa.definitions
        if d.kind is DefinitionKind.PHI and kernel.registers[d.register].name == name
    ]


def test_a_join_differs_under_a_divergent_branch_only():
    (value,) = phis_of(found_for(*[line.format("%r1") for line in DIAMOND]), "%r9")
    assert value == UniformClass()
    found = found_for(*[line.format("%r2") for line in DIAMOND])
    (value,) = phis_of(found, "%r9")
    assert isinstance(value, Divergent)
    (branch,) = found.branches
    labels = [found.structure.kernel.blocks[b].label for b in branch.region]
    assert len(labels) == 2
    assert "THEN" in labels
    assert found.structure.kernel.blocks[branch.reconvergence].label == "END"
    assert branch.condition == "tid.x < 3"
    assert branch.reason == ("%r2 in bb0 is affine: (1)*tid.x",)
    assert (branch.within, found.loops) == (None, ())


def test_an_old_value_or_a_constant_joins_with_itself():
    """Both ways write the same constant to one register and leave another as it was."""
    lines = [line.format("%r2").replace("%r9, 2", "%r9, 1") for line in DIAMOND]
    llvm = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, 3
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %same = phi i32 [ 7, %0 ], [ 7, %then ]
  %old = phi i32 [ %n, %0 ], [ %n, %then ]
  %new = phi i32 [ 7, %0 ], [ 8, %then ]
  %s = add i32 %same, %old
  %r = add i32 %s, %new
  store i32 %r, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
    kernel = parse_llvm(Source("k.ll", llvm)).module.kernels[0]
    found = divergence(analyse_structure(kernel))
    assert phis_of(found, "%same") == phis_of(found, "%old") == [UniformClass()]
    assert isinstance(phis_of(found, "%new")[0], Divergent)
    (by_register,) = phis_of(found_for(*lines), "%r9")
    assert isinstance(by_register, Divergent)  # two writes of one constant are two values


def test_ways_that_have_met_already_meet_again():
    """From either side of the branch uniform tests lead to FIRST or SECOND, and both to END."""
    found = found_for(
        *("setp.lt.s32 %p1, %r2, 3;", "setp.lt.s32 %p2, %r1, 3;", "setp.lt.s32 %p3, %r1, 9;"),
        *("@%p1 bra THEN;", "@%p2 bra FIRST;", "bra SECOND;"),
        *("THEN: @%p3 bra FIRST;", "bra SECOND;"),
        *("FIRST: mov.u32 %r9, 1;", "bra END;", "SECOND: mov.u32 %r9, 2;"),
        "END: st.global.u32 [%rd1], %r9;",
    )
    assert [type(c) for c in phis_of(found, "%r9") if c != UniformClass()] == [Divergent]
    assert isinstance(stored(found)[0], Divergent)


LOOP = [
    "mov.u32 %r5, 0;",
    "LOOP: ld.global.u32 %r6, [%rd1];",
    "add.s32 %r5, %r5, 1;",
    "add.s32 %r7, %r1, 3;",
    "setp.lt.s32 %p1, %r5, {};",
    "@%p1 bra LOOP;",
    "st.global.u32 [%rd1], %r5;",
    "st.global.u32 [%rd1], %r6;",
    "st.global.u32 [%rd1], %r7;",
]


def stored(found):
    """Give the classes of what is stored, where it is stored."""
    return [
        found.of_operand(block.id, index, instruction.operands[1])
        for block in found.structure.kernel.blocks
        for index, instruction in enumerate(block.instructions)
        if instruction.operation.name == "st"
    ]


def test_threads_that_leave_a_loop_at_different_times_hold_different_values():
    found = found_for(*[line.format("%r2") for line in LOOP])
    assert classes_of(found, "%r5") == classes_of(found, "%r6") * 2  # uniform while inside
    assert phis_of(found, "%r5") == [UniformClass()]
    counter, loaded, steady = stored(found)
    assert isinstance(counter, Divergent)
    assert "different iterations" in counter.reason
    assert isinstance(loaded, Divergent)
    assert steady == UniformClass()  # made from what the loop does not change
    (loop,) = found.loops
    assert loop.branches == (loop.header,)
    assert [type(c) for c in stored(found_for(*[line.format("%r1") for line in LOOP]))] == [
        UniformClass
    ] * 3


def test_a_phi_with_one_input_after_the_loop_differs_too():
    """Closed form of LLVM: the value of the last iteration passes a φ of its own at the exit."""
    llvm = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, LIMIT
  br i1 %c, label %loop, label %end
end:
  %last = phi i32 [ %next, %loop ]
  store i32 %last, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
    kinds = []
    for limit in ("%n", "%t"):
        text = llvm.replace("LIMIT", limit)
        kernel = parse_llvm(Source("k.ll", text)).module.kernels[0]
        found = divergence(analyse_structure(kernel))
        assert phis_of(found, "%i") == [UniformClass()]
        kinds += [type(c) for c in phis_of(found, "%last")]
    assert kinds == [UniformClass, Divergent]


def test_values_of_a_loop_differ_on_the_way_to_where_threads_meet_again():
    """Hardware may let threads go on together in OUT, before the way that TAIL stands on joins."""
    found = found_for(
        *("mov.u32 %r5, 0;", "LOOP: add.s32 %r5, %r5, 1;", "setp.eq.s32 %p1, %r5, %r2;"),
        *("@%p1 bra OUT;", "setp.lt.s32 %p2, %r5, %r1;", "@%p2 bra LOOP;"),
        *("TAIL: st.global.u32 [%rd1], %r5;", "bra END;"),
        *("OUT: st.global.u32 [%rd1], %r5;", "END:"),
    )
    in_tail, in_out = stored(found)
    assert in_tail == UniformClass()  # who comes here came all through the same iteration
    assert isinstance(in_out, Divergent)


def test_reasons_lead_back_to_the_source():
    found = found_for(
        *("mad.wide.s32 %rd2, %r2, 4, %rd1;", "ld.global.u32 %r3, [%rd2];"),
        *[line.format("%r3") for line in DIAMOND],
        *("mul.wide.u32 %rd3, %r9, 4;", "add.s64 %rd4, %rd3, %rd1;", "ld.global.u32 %r4, [%rd4];"),
        *("add.s32 %r6, %r4, 1;", "add.s32 %r7, %r1, 1;"),
    )
    kernel, ssa = found.structure.kernel, found.structure.ssa
    by_name = {kernel.registers[d.register].name: d.id for d in ssa.definitions
               if d.kind is DefinitionKind.INSTRUCTION}  # fmt: skip
    assert found.reasons(by_name["%r6"]) == (
        "%r4 in END: loaded at an address that differs",
        "%r9 in END: joined where threads took different ways",
        "threads part at the end of bb0",
        "%r3 in bb0: loaded at an address that differs",
        "%rd2 in bb0 is affine: (4)*tid.x",
    )
    assert found.reasons(by_name["%r7"]) == ()


def test_returns_in_a_loop_part_threads_but_mix_no_values():
    """Who has returned is gone: the others have made the same iterations."""
    found = found_for(
        *("mov.u32 %r5, 0;", "LOOP: add.s32 %r5, %r5, 1;", "setp.eq.s32 %p1, %r5, %r2;"),
        *("@%p1 ret;", "setp.lt.s32 %p2, %r5, %r1;", "@%p2 bra LOOP;"),
        "st.global.u32 [%rd1], %r5;",
    )
    assert [loop.header for loop in found.loops] == [1]
    assert stored(found) == [UniformClass()]


def test_a_loop_that_few_threads_run_counts_alike_in_them():
    found = found_for(
        *("setp.ge.s32 %p2, %r2, %r1;", "@%p2 bra OVER;"),
        *[line.format("%r1") for line in LOOP],
        *("setp.eq.s32 %p3, %r5, %r2;", "@%p3 bra OVER;", "mov.u32 %r9, 3;", "OVER:"),
    )
    assert [type(c) for c in stored(found)] == [UniformClass] * 3
    outer, inner = found.branches
    assert (outer.within, inner.within) == (None, outer.block)
    assert set(inner.region) < set(outer.region)
    assert found.loops == ()


def test_promised_branches_do_not_part():
    lines = [line.format("%r2").replace("@%p1 bra T", "@%p1 bra.uni T") for line in DIAMOND]
    assert found_for(*lines).branches == ()


def test_a_cycle_with_two_entries_is_taken_at_its_worst():
    """Threads enter at A or at B; what goes round is joined at both."""
    found = found_for(
        *("mov.u32 %r9, 0;", "setp.eq.s32 %p1, %r2, 1;", "@%p1 bra B;"),
        "A: add.s32 %r9, %r9, 1;",
        *("B: add.s32 %r9, %r9, 2;", "setp.lt.s32 %p2, %r9, %r1;", "@%p2 bra A;"),
        "st.global.u32 [%rd1], %r9;",
    )
    assert found.structure.loops.irreducible
    assert all(isinstance(c, Divergent) for c in stored(found))
    assert len(found.branches) == 2


def test_an_inner_loop_whose_lanes_meet_again_after_another_turn_outside():
    """Lanes stay in MEET's loop or pass OUTER first; both go on at MEET, in different turns.

    OUTER comes before MEET on all ways, so that there is no φ that could tell.
    """
    found = found_for(
        *("mov.u32 %r5, 0;", "mov.u32 %r8, 0;"),
        "OUTER: add.s32 %r5, %r5, 1;",
        "MEET: st.global.u32 [%rd1], %r5;",
        *("ld.global.u32 %r3, [%rd1+4];", "setp.eq.s32 %p2, %r3, 0;", "@%p2 bra END;"),
        *("add.s32 %r8, %r8, %r2;", "and.b32 %r7, %r8, 4;", "setp.eq.s32 %p1, %r7, 0;"),
        *("@%p1 bra MEET;", "bra OUTER;", "END:"),
    )
    (value,) = stored(found)
    assert isinstance(value, Divergent)
    assert [loop.header for loop in found.loops] == [2]


# Launches.


@pytest.mark.parametrize(
    ("block", "size", "uniform"),
    [
        ((32, 8, 1), 32, True),
        ((64, 2, 1), 32, True),
        ((16, 16, 1), 32, False),
        ((16, 16, 1), 16, True),
        ((32, 8, 1), 64, False),
        ((1, 1, 4), 32, True),
        ((48, 2, 1), 32, False),
    ],
)
def test_tid_y_within_warps_by_block_shape(block, size, uniform):
    assert warp_uniform(symbol(AtomKind.SPECIAL, "tid.y"), WarpShape(block, size)) is uniform


def test_formulas_within_warps():
    warps = WarpShape((64, 2, 1), 32)
    x, y, cta = (symbol(AtomKind.SPECIAL, n) for n in ("tid.x", "tid.y", "ctaid.x"))
    n, data = symbol(AtomKind.ARGUMENT, "n", 0), symbol(AtomKind.LOAD, "load", 4)
    assert warp_uniform(apply("floordiv", x, number(32)), warps)
    assert not warp_uniform(apply("floordiv", x, number(16)), warps)
    assert warp_uniform(n * y + cta * apply("floordiv", x, number(32)), warps)
    assert not warp_uniform(n * x, warps)
    assert warp_uniform(n * x - n * x + cta, warps)
    assert warp_uniform(x - symbol(AtomKind.SPECIAL, "laneid"), warps)
    assert not warp_uniform(data, warps)
    assert not warp_uniform(apply("min", x, n), warps)
    assert not warp_uniform(apply("div", y, x), warps)  # a division by zero
    assert not warp_uniform(apply("and", x, number(2**64 - 32)), warps)  # too large to work out
    assert not warp_uniform(x * number(2**63), warps)


def test_a_launch_makes_branches_and_loads_uniform():
    lines = [
        *("mov.u32 %r3, %tid.y;", "mad.wide.u32 %rd2, %r3, 4, %rd1;", "ld.global.u32 %r4, [%rd2];"),
        *("setp.lt.s32 %p1, %r4, 3;", "@%p1 bra END;", "shr.u32 %r6, %r2, 5;"),
        *("setp.eq.s32 %p2, %r6, 1;", "@%p2 bra END;", "mov.u32 %r9, 1;", "END:"),
    ]
    assert len(found_for(*lines).branches) == 2
    assert found_for(*lines, warps=WarpShape((32, 4, 1), 32)).branches == ()
    (by_row,) = found_for(
        *lines, warps=WarpShape((16, 4, 1), 32)
    ).branches  # tid.x / 32 is always 0
    assert by_row.block == 0


@pytest.mark.parametrize(("mask", "branches"), [(-32, 0), (-128, 0), (-16, 1)])
def test_the_number_of_a_warps_first_thread_is_uniform(mask, branches):
    """Threads of the grid in rows of 128, rounded down to a multiple of the warp's 32, or not."""
    found = found_for(
        *("mov.u32 %r3, %ctaid.x;", "mad.lo.u32 %r4, %r3, 128, %r2;"),
        *(f"and.b32 %r5, %r4, {mask};", "setp.lt.u32 %p1, %r5, %r1;", "@%p1 bra END;"),
        *("mov.u32 %r9, 1;", "END:"),
        warps=WarpShape((128, 1, 1), 32),
    )
    assert len(found.branches) == branches


def test_warps_of_nothing_are_refused():
    with pytest.raises(ValueError, match="no warps"):
        WarpShape((0, 1, 1), 32)
