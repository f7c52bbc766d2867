"""What is accessed again: in loops, by other threads, by other instructions."""

import pytest

from tests.analyses.test_access_launch import AT, LOOP, SAMPLES, Case
from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.access.coalescing import LoopReuseKind, reuses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.frontends.load import load_kernel


def last(text):
    case = Case(text)
    return reuses(case.structure, case.accesses)[-1]


@pytest.mark.parametrize(
    ("index", "kind", "per_sector", "per_line"),
    [
        ("mov.u32 %r6, %r1;", LoopReuseKind.TEMPORAL, None, None),
        ("add.s32 %r6, %r1, %r20;", LoopReuseKind.SPATIAL, 8, 32),
        ("mad.lo.s32 %r6, %r20, -4, %r1;", LoopReuseKind.SPATIAL, 2, 8),
        ("mad.lo.s32 %r6, %r20, 12, %r1;", LoopReuseKind.SPATIAL, 1, 128 / 48),
        ("mad.lo.s32 %r6, %r20, 32, %r1;", LoopReuseKind.NONE, 1, 1),
        ("mad.lo.s32 %r6, %r20, %r9, %r1;", LoopReuseKind.UNKNOWN, None, None),
        ("and.b32 %r6, %r20, 1;", LoopReuseKind.UNKNOWN, None, None),
        ("ld.global.u32 %r6, [%rd1];", LoopReuseKind.UNKNOWN, None, None),
    ],
)
def test_iterations_share_lines_by_the_stride(index, kind, per_sector, per_line):
    (found,) = last(LOOP.format(f"{index} {AT.format('%r6')} ld.global.f32 %f1, [%rd3];")).loops
    assert (found.kind, found.iterations_per_sector) == (kind, per_sector)
    assert found.iterations_per_line == per_line
    assert (found.reason is not None) == (kind is LoopReuseKind.UNKNOWN)


def test_a_stride_in_arguments_is_given_as_a_formula():
    text = LOOP.format(
        f"mad.lo.s32 %r6, %r20, %r9, %r1; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];"
    )
    (found,) = last(text).loops
    assert (str(found.step), found.reason) == ("4*n", "it moves by 4*n bytes")


def test_who_accesses_the_same_place():
    column = f"{AT.format('%r1')} ld.global.f32 %f1, [%rd3];"
    assert last(column).same_for == ("tid.y", "tid.z", "ctaid.x", "ctaid.y", "ctaid.z")
    row = f"mad.lo.s32 %r6, %r2, %r9, %r3; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];"
    assert last(row).same_for == ("tid.x", "tid.z", "ctaid.y", "ctaid.z")
    lane = f"mov.u32 %r6, %laneid; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];"
    loaded = f"ld.global.u32 %r6, [%rd1]; {AT.format('%r6')} ld.global.f32 %f1, [%rd3];"
    assert last(lane).same_for is None
    assert last(loaded).same_for is None


def test_tiles_of_a_product_are_shared_by_rows_and_columns():
    loaded, kernel = load_kernel(SAMPLES / "matmul" / "matmul.ll", "matmul")
    structure = analyse_structure(kernel)
    accesses = memory_accesses(loaded.module, structure)
    found = {
        (a.base, a.op_class.value): r.same_for
        for a, r in zip(accesses, reuses(structure, accesses), strict=True)
    }
    assert found["arg0", "load"] == ("tid.z", "ctaid.x", "ctaid.z")  # one row of CTAs
    assert found["arg1", "load"] == ("tid.z", "ctaid.y", "ctaid.z")  # one column
    assert found["_ZZ6matmulE6a_tile", "load"] == (
        "tid.x",
        "tid.z",
        "ctaid.x",
        "ctaid.y",
        "ctaid.z",
    )
    assert found["_ZZ6matmulE6b_tile", "load"] == (
        "tid.y",
        "tid.z",
        "ctaid.x",
        "ctaid.y",
        "ctaid.z",
    )


def test_the_points_of_a_stencil_are_one_group():
    loaded, kernel = load_kernel(SAMPLES / "stencil5" / "stencil5.ll", "stencil5")
    structure = analyse_structure(kernel)
    accesses = memory_accesses(loaded.module, structure)
    read = [
        (r.group, r.offset_bytes)
        for a, r in zip(accesses, reuses(structure, accesses), strict=True)
        if a.space.value == "shared" and a.op_class.value == "load"
    ]
    # rows of 34 words: north, west, centre, east and south, counted from north
    assert {offset for _, offset in read} == {0, 132, 136, 140, 272}
    assert len({group for group, _ in read}) == 1


def test_accesses_in_other_loops_or_memories_are_no_group():
    alone = f"{AT.format('%r1')} ld.global.f32 %f1, [%rd3];"
    inside = f"{alone} {LOOP.format('ld.global.f32 %f1, [%rd3+4];')}"
    case = Case(inside)
    assert [r.group for r in reuses(case.structure, case.accesses)] == [None, None]
    two = Case(f"{alone} st.global.f32 [%rd3+8], %f1;")
    assert [(r.group, r.offset_bytes) for r in reuses(two.structure, two.accesses)] == [
        (0, 0),
        (0, 8),
    ]
