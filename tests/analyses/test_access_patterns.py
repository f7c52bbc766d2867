"""Memory accesses: which memory, how lanes spread, what loops add; the mix; register pressure."""

import pytest

from warpmill.analyzer.analyses.access.accesses import AccessPattern, memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.mix import instruction_mix
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.types import Space
from warpmill.simulator.assembler.merged_loads import aggregated_atomics

HEAD = """\
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data, .param .u32 n)
{
    .reg .pred %p<9>;
    .reg .b16 %rs<9>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<20>;
    .reg .f32 %f<9>;
    .reg .f64 %fd<9>;
    .shared .align 4 .b8 tile[4096];
"""
START = """\
    ld.param.u64 %rd1, [data];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %tid.y;
    ld.param.u32 %r3, [n];
"""


def module_of(text):
    return parse(Source("k.ptx", f"{HEAD}{text}\n}}\n")).module


def only_access(*lines):
    module = module_of(START + "\n".join(lines) + "\n ret;")
    *_, access = memory_accesses(module, analyse_structure(module.kernels[0]))
    return access


def at(index, opcode="ld.global.f32 %f1"):
    return [f"mul.wide.s32 %rd2, {index}, 4;", "add.s64 %rd3, %rd1, %rd2;", f"{opcode}, [%rd3+8];"]


@pytest.mark.parametrize(
    ("lines", "pattern", "stride"),
    [
        (at("%r1"), AccessPattern.CONTIGUOUS, 4),
        (["neg.s32 %r4, %r1;", *at("%r4")], AccessPattern.CONTIGUOUS, -4),
        (["shl.b32 %r4, %r1, 1;", *at("%r4")], AccessPattern.STRIDED, 8),
        (at("%r2"), AccessPattern.BROADCAST, 0),
        (["mul.lo.s32 %r4, %r1, %r3;", *at("%r4")], AccessPattern.STRIDED, None),
        (["shr.u32 %r4, %r1, 2;", *at("%r4")], AccessPattern.IRREGULAR, None),
        (["ld.global.u32 %r4, [%rd1];", *at("%r4")], AccessPattern.DATA, 0),  # one word for all
        ([*at("%r1", "ld.global.u32 %r4"), *at("%r4")], AccessPattern.DATA, None),
        (["mov.u32 %r4, %laneid;", *at("%r4")], AccessPattern.CONTIGUOUS, 4),
        (at("%r1", "ld.global.u8 %rs1"), AccessPattern.STRIDED, 4),
    ],
)
def test_lanes_spread_as_the_address_says(lines, pattern, stride):
    access = only_access(*lines)
    assert (access.pattern, access.lane_stride_bytes) == (pattern, stride)
    assert (access.space, access.base) == (Space.GLOBAL, "data")


@pytest.mark.parametrize(
    ("operation", "address"),
    [
        ("min.u32 %r4, %r3, -2;", "data + 4*min(4294967294, n) + 8"),
        ("min.u32 %r4, %r1, -2;", "data + 4*tid.x + 8"),
        ("min.u32 %r4, %r3, 4294967294;", "data + 4*min(4294967294, n) + 8"),
        ("min.s32 %r4, %r3, 4294967294;", "data + 4*min(-2, n) + 8"),
        ("min.s32 %r4, %r1, 4294967294;", "data"),
        (
            "mov.b32 %r5, -2; max.u32 %r4, %r3, %r5;",
            "data + 4*max(-2, and(n, 4294967295) - 4294967296) + 8",
        ),
        ("div.u32 %r4, %r1, -2;", "data + 8"),
        ("rem.s32 %r4, %r1, 4294967293;", "data + 4*rem(tid.x, -3) + 8"),
        ("mov.b32 %r5, -8; shr.u32 %r4, %r5, 3;", "data + 2147483652"),
        ("mov.b32 %r5, 4294967288; shr.s32 %r4, %r5, 3;", "data + 4"),
    ],
)
def test_constants_that_are_weighed_are_read_by_the_type_of_the_operation(operation, address):
    assert str(only_access(operation, *at("%r4")).address) == address


def test_what_is_chosen_is_weighed_by_the_type_too():
    chosen = "setp.gt.s32 %p1, %r3, 4; selp.b32 %r5, %r1, -2, %p1; min.u32 %r4, %r5, -9;"
    address = str(only_access(chosen, *at("%r4")).address)
    assert "selp.b32(tid.x, 4294967294" in address and "min(4294967287, " in address


def test_atomics_are_one_a_warp_where_its_lanes_share_the_address_in_every_block():
    for index, is_one in (("%r3", True), ("%r2", False), ("%r1", False)):
        place, base, _ = at(index)
        atomic = only_access(place, base, "red.global.add.u32 [%rd3+8], 1;")
        assert bool(aggregated_atomics([atomic])) is is_one


def test_a_generic_access_is_followed_to_its_base():
    shared = only_access("mov.u32 %r4, tile;", "cvt.u64.u32 %rd4, %r4;",
                         "cvta.shared.u64 %rd5, %rd4;", "ld.f32 %f1, [%rd5];")  # fmt: skip
    assert (shared.space, shared.base) == (Space.SHARED, "tile")
    assert only_access(*at("%r1", "ld.f32 %f1")).space is Space.GLOBAL
    lost = only_access("ld.global.u64 %rd4, [%rd1];", "ld.f32 %f1, [%rd4];")
    assert (lost.space, lost.base) == (Space.GENERIC, None)


def test_loops_add_their_strides():
    lines = """
        mov.u32 %r5, 0;
    OUTER:
        mov.u32 %r6, 0;
    INNER:
        mad.lo.s32 %r7, %r5, 100, %r6;
        add.s32 %r7, %r7, %r1;
        mul.wide.s32 %rd2, %r7, 4;
        add.s64 %rd3, %rd1, %rd2;
        ld.global.f32 %f1, [%rd3];
        add.s32 %r6, %r6, 2;
        setp.lt.s32 %p1, %r6, %r3;
        @%p1 bra INNER;
        sub.s32 %r5, %r5, 1;
        setp.gt.s32 %p2, %r5, -9;
        @%p2 bra OUTER;"""
    access = only_access(lines)
    assert [stride for _, stride in access.loop_strides_bytes] == [-400, 8]
    assert access.pattern is AccessPattern.CONTIGUOUS


def test_what_is_loaded_in_a_loop_hides_the_stride_of_that_loop_only():
    lines = """
        mov.u32 %r5, 0;
    OUTER:
        mul.wide.s32 %rd4, %r5, 4;
        add.s64 %rd5, %rd1, %rd4;
        ld.global.u32 %r8, [%rd5];
        mov.u32 %r6, 0;
    INNER:
        add.s32 %r7, %r8, %r6;
        mul.wide.s32 %rd2, %r7, 4;
        add.s64 %rd3, %rd1, %rd2;
        ld.global.f32 %f1, [%rd3];
        add.s32 %r6, %r6, 1;
        setp.lt.s32 %p1, %r6, %r3;
        @%p1 bra INNER;
        add.s32 %r5, %r5, 1;
        setp.lt.s32 %p2, %r5, 9;
        @%p2 bra OUTER;"""
    access = only_access(lines)
    assert [stride for _, stride in access.loop_strides_bytes] == [None, 4]
    assert (access.pattern, access.lane_stride_bytes) == (AccessPattern.DATA, 0)


def test_following_a_list_has_no_stride():
    access = only_access(
        "NODE: ld.global.u64 %rd1, [%rd1]; setp.ne.s64 %p1, %rd1, 0;", "@%p1 bra NODE;"
    )
    # all lanes follow the same list: each node is one word for all
    assert (access.pattern, access.lane_stride_bytes) == (AccessPattern.DATA, 0)
    assert [stride for _, stride in access.loop_strides_bytes] == [None]


def test_the_mix_counts_each_instruction_once():
    kernel = module_of(START + "add.s32 %r4, %r1, %r2;\n add.s32 %r5, %r4, 1;\n ret;").kernels[0]
    mix = instruction_mix(kernel)
    assert mix.instructions == 7
    assert dict(mix.by_class) == {"load": 2, "move": 2, "add": 2, "return": 1}
    assert mix.by_opcode[0] == ("add.s32", 2)
    assert mix.by_nearest_rule == 0


def test_two_unknown_values_do_not_cancel_out(tmp_path):
    text = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .b32 %r<4>; .reg .b64 %rd<6>;
ld.param.u64 %rd1, [p];
mov.b64 %rd2, {%r1, %r2};
mov.b64 %rd3, {%r2, %r1};
sub.s64 %rd4, %rd2, %rd3;
add.s64 %rd5, %rd1, %rd4;
st.global.u32 [%rd5], 0;
ret;
}
"""
    file = tmp_path / "k.ptx"
    file.write_text(text)
    loaded, kernel = load_kernel(file)
    (store,) = memory_accesses(loaded.module, analyse_structure(kernel))
    assert store.pattern is AccessPattern.IRREGULAR
    assert store.lane_stride_bytes is None


def test_values_that_go_round_a_loop_with_two_entries_are_known_to_change():
    access = only_access(
        *("mov.u32 %r4, %r1;", "@%p1 bra B;"),
        *("A: add.s32 %r4, %r4, 4;", "@%p2 bra END;"),
        *("B: mul.wide.u32 %rd3, %r4, 4;", "ld.global.u32 %r7, [%rd3];", "bra A;"),
        "END:",
    )
    assert (access.pattern, access.lane_stride_bytes) == (AccessPattern.IRREGULAR, None)


def test_the_address_of_a_parameter_lies_in_no_buffer():
    access = only_access("cvta.param.u64 %rd2, data;", "ld.u32 %r4, [%rd2];")
    assert access.space is Space.GENERIC
