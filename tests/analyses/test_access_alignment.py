"""By which power of two addresses are known to be divisible."""

import pytest

from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.access.coalescing import ALLOCATOR_BYTES, MOST_BYTES, alignments
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse

BODY = """
{{
    .reg .pred %p<9>;
    .reg .b32 %r<30>;
    .reg .b64 %rd<20>;
    .reg .f32 %f<9>;
    .shared .align 16 .b8 tile[4096];
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r9, [n];
    mov.u32 %r1, %tid.x;
    {}
    ret;
}}
"""
START = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param {} data, .param .u32 n)"""
V4 = "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, "
AT = "mul.wide.s32 %rd2, {}, {}; add.s64 %rd3, %rd1, %rd2;"


def last(text, pointer=".u64"):
    module = parse(Source("k.ptx", START.format(pointer) + BODY.format(text))).module
    structure = analyse_structure(module.kernels[0])
    return alignments(module, structure, memory_accesses(module, structure))[-1]


@pytest.mark.parametrize(
    ("text", "bytes_", "meets"),
    [
        (f"{AT.format('%r1', 16)} {V4} [%rd3];", 16, True),
        (f"{AT.format('%r1', 16)} {V4} [%rd3+32];", 16, True),
        (f"{AT.format('%r1', 4)} {V4} [%rd3];", 4, None),  # some lanes are aligned
        (f"{AT.format('%r1', 16)} {V4} [%rd3+4];", 4, False),  # no lane is
        (f"{AT.format('%r1', 4)} ld.global.f32 %f1, [%rd3+2];", 2, False),
        (f"{AT.format('%r9', 12)} ld.global.f32 %f1, [%rd3];", 4, True),
        (f"shl.b32 %r2, %r1, 5; {AT.format('%r2', 4)} ld.global.f32 %f1, [%rd3];", 128, True),
        (f"and.b32 %r2, %r1, 24; {AT.format('%r2', 4)} ld.global.f32 %f1, [%rd3];", 32, True),
        (f"min.s32 %r2, %r1, 8; shl.b32 %r3, %r2, 3; {AT.format('%r3', 4)}"
         "ld.global.f32 %f1, [%rd3];", 32, True),
        (f"shr.u32 %r2, %r1, 1; {AT.format('%r2', 4)} ld.global.f32 %f1, [%rd3];", 4, True),
        ("sub.u32 %r2, %r1, 1; and.b32 %r3, %r2, 62; sub.s32 %r4, %r3, 32; add.s32 %r5, %r4, 6;"
         f"{AT.format('%r5', 4)} ld.global.f32 %f1, [%rd3];", 8, True),
        ("ld.shared.f32 %f1, [tile+8];", 8, True),
        ("ld.shared.f32 %f1, [8192];", MOST_BYTES, True),
    ],
)  # fmt: skip
def test_alignment_is_that_of_the_terms(text, bytes_, meets):
    found = last(text)
    assert (found.bytes, found.meets_width) == (bytes_, meets)


def test_what_a_buffer_is_aligned_to_is_assumed():
    found = last(f"{AT.format('%r1', 16)} ld.global.f32 %f1, [%rd3];")
    assert (found.bytes, found.proved_bytes) == (16, 1)
    assert found.assumption == f"data is aligned to {ALLOCATOR_BYTES} B, as buffers are"


def test_what_is_declared_is_proved():
    declared = last(f"{AT.format('%r1', 16)} {V4} [%rd3];", ".u64 .ptr .global .align 16")
    assert (declared.proved_bytes, declared.meets_width, declared.assumption) == (16, True, None)
    little = last(f"{AT.format('%r1', 16)} {V4} [%rd3];", ".u64 .ptr .global .align 4")
    assert (little.bytes, little.proved_bytes) == (16, 4)
    shared = last("ld.shared.f32 %f1, [tile+16];")
    assert (shared.proved_bytes, shared.assumption) == (16, None)


def test_a_loaded_pointer_points_to_an_element():
    found = last(f"ld.global.u64 %rd5, [%rd1]; {V4} [%rd5];")
    assert (found.bytes, found.meets_width) == (4, None)
    assert found.assumption is not None and found.assumption.endswith("an element, 4 B")


LOOP = "mov.u64 %rd5, %rd1; L: {} add.s64 %rd5, %rd5, {}; setp.lt.u64 %p1, %rd5, 99; @%p1 bra L;"


def test_a_pointer_that_walks_keeps_what_start_and_step_have():
    assert last(LOOP.format("ld.global.f32 %f1, [%rd5];", 48)).bytes == 16
    assert last(LOOP.format("ld.global.f32 %f1, [%rd5];", 1024)).bytes == ALLOCATOR_BYTES


def test_values_that_shrink_around_a_loop_come_down():
    halved = "mov.u32 %r5, 64; L: mul.wide.u32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2;"
    text = f"{halved} ld.global.f32 %f1, [%rd3]; shr.u32 %r5, %r5, 1; setp.gt.u32 %p1, %r5, 0;"
    assert last(f"{text} @%p1 bra L;").bytes == 4


def test_where_control_flow_meets_the_least_counts():
    text = f"""setp.lt.u32 %p1, %r9, 7; mov.u32 %r5, 8; @%p1 bra B; mov.u32 %r5, 16;
    B: {AT.format("%r5", 4)} ld.global.f32 %f1, [%rd3];"""
    assert last(text).bytes == 32


def test_a_counter_keeps_the_low_bits_of_its_steps():
    walk = "mov.u32 %r5, 0; L: mov.u32 %r6, tile; add.u32 %r7, %r6, %r5; ld.shared.f32 %f1, [%r7];"
    found = last(f"{walk} add.u32 %r5, %r5, 16; setp.lt.u32 %p1, %r5, %r9; @%p1 bra L;")
    assert (found.bytes, found.proved_bytes) == (16, 16)
