"""Which values are alike in all lanes, and what that makes of accesses; who decides addresses."""

import pytest

from tests.analyses.test_access_launch import AT, LOOP, SAMPLES, Case
from warpmill.analyzer.analyses.access.accesses import AccessPattern, memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.ir.types import Space

LOAD = "ld.global.f32 %f1, [%rd3];"


def last(text):
    return Case(text).accesses[-1]


def lanes(text):
    access = last(f"{text} add.s32 %r8, %r6, %r1; {AT.format('%r8')} {LOAD}")
    return access.pattern, access.lane_stride_bytes


CONTIGUOUS = (AccessPattern.CONTIGUOUS, 4)
IRREGULAR = (AccessPattern.IRREGULAR, None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # what an argument chooses is one value for all lanes
        ("setp.lt.u32 %p1, %r9, 7; mov.u32 %r6, 1; @%p1 bra B; mov.u32 %r6, 2; B:", CONTIGUOUS),
        ("setp.lt.u32 %p1, %r9, 7; mov.u32 %r6, 1; @%p1 mov.u32 %r6, 2;", CONTIGUOUS),
        # what a thread id chooses is not
        ("setp.lt.u32 %p1, %r1, 7; mov.u32 %r6, 1; @%p1 bra B; mov.u32 %r6, 2; B:", IRREGULAR),
        ("setp.lt.u32 %p1, %r1, 7; mov.u32 %r6, 1; @%p1 mov.u32 %r6, 2;", IRREGULAR),
        # nor what differs by lane itself
        ("setp.lt.u32 %p1, %r9, 7; mov.u32 %r6, %r1; @%p1 bra B; mov.u32 %r6, 2; B:", IRREGULAR),
        # a value that doubles is alike in the loop and after it
        ("mov.u32 %r6, 1; L: shl.b32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r9; @%p1 bra L;",
         CONTIGUOUS),
        # but not after a loop that lanes leave apart
        ("mov.u32 %r6, 1; L: shl.b32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r1; @%p1 bra L;",
         IRREGULAR),
        # nor where its step differs
        ("mov.u32 %r6, 1; L: mad.lo.u32 %r6, %r6, 2, %r1; setp.lt.u32 %p1, %r6, %r9; @%p1 bra L;",
         IRREGULAR),
        # two that carry each other around
        ("mov.u32 %r6, 1; mov.u32 %r7, %r1; L: mov.u32 %r10, %r6; mov.u32 %r6, %r7;"
         "mov.u32 %r7, %r10; add.s32 %r11, %r11, 1; setp.lt.u32 %p1, %r11, %r9; @%p1 bra L;",
         IRREGULAR),
        ("mov.u32 %r6, 1; mov.u32 %r7, %r9; L: mov.u32 %r10, %r6; mov.u32 %r6, %r7;"
         "mov.u32 %r7, %r10; add.s32 %r12, %r12, 1; setp.lt.u32 %p1, %r10, %r9; @%p1 bra L;",
         CONTIGUOUS),
        ("mov.u32 %r6, %lanemask_lt;", IRREGULAR),
    ],
)  # fmt: skip
def test_lanes_are_alike_where_nothing_parts_them(text, found):
    assert lanes(text) == found


def test_a_value_that_halves_is_alike_within_its_loop():
    text = (
        "mov.u32 %r20, %r4; L: shr.u32 %r20, %r20, 1; add.s32 %r6, %r1, %r20;"
        f"{AT.format('%r6')} {LOAD} setp.gt.u32 %p1, %r20, %r1; @%p1 bra L;"
    )
    access = last(text)
    assert (access.pattern, access.lane_stride_bytes) == CONTIGUOUS


def test_each_lane_gets_its_own_from_an_atomic_and_from_local_memory():
    ticket = f"atom.global.add.u32 %r6, [%rd1], 1; {AT.format('%r6')} {LOAD}"
    own = f"mov.u64 %rd4, own; ld.local.u32 %r6, [%rd4]; {AT.format('%r6')} {LOAD}"
    one = f"ld.global.u32 %r6, [%rd1]; {AT.format('%r6')} {LOAD}"
    assert [last(t).lane_stride_bytes for t in (ticket, own, one)] == [None, None, 0]
    assert {last(t).pattern for t in (ticket, own, one)} == {AccessPattern.DATA}


def opcode_of(case, place):
    block, instruction = place
    return case.kernel.blocks[block].instructions[instruction].operation.opcode


def test_the_loads_that_decide_an_address_are_named():
    text = f"""ld.global.u32 %r6, [%rd1]; {AT.format("%r6")} ld.global.s32 %r7, [%rd3];
    atom.global.add.u32 %r8, [%rd1], 1; add.s32 %r10, %r7, %r8;
    {AT.format("%r10")} {LOAD}"""
    case = Case(text)
    loads = [opcode_of(case, place) for place in case.accesses[-1].loads]
    assert loads == ["ld.global.s32", "atom.global.add.u32"]  # not the load behind the second


def test_loads_are_found_behind_branches_and_around_loops():
    chosen = f"""setp.lt.u32 %p1, %r9, 7; mov.u32 %r6, 0; @%p1 bra B;
    ld.global.u32 %r6, [%rd1]; B: {AT.format("%r6")} {LOAD}"""
    inside = f"{AT.format('%r6')} {LOAD} add.s32 %r6, %r6, %r20;"
    walked = f"ld.global.u32 %r6, [%rd1]; {LOOP.format(inside)}"
    for text in (chosen, walked):
        case = Case(text)
        assert case.accesses[-1].pattern is AccessPattern.DATA
        assert [opcode_of(case, p) for p in case.accesses[-1].loads] == ["ld.global.u32"]


def test_rows_of_a_sparse_matrix_are_decided_by_their_pointers():
    loaded, kernel = load_kernel(SAMPLES / "spmv" / "spmv.bc", "spmv")
    accesses = memory_accesses(loaded.module, analyse_structure(kernel))
    pointers = {(a.block, a.instruction) for a in accesses if a.base == "arg0"}
    entries = [a for a in accesses if a.base in ("arg1", "arg2")]
    assert entries
    assert all(a.pattern is AccessPattern.DATA and set(a.loads) <= pointers for a in entries)
    gathers = [a for a in accesses if a.base == "arg3"]
    columns = {(a.block, a.instruction) for a in accesses if a.base == "arg1"}
    assert gathers
    assert all(set(a.loads) <= columns for a in gathers)


def test_an_asynchronous_copy_is_as_wide_as_it_says():
    access = last("cp.async.ca.shared.global [tile], [%rd1], 16;")
    assert (access.space, access.width_bytes) == (Space.SHARED, 16)


def test_a_pointer_in_a_struct_is_a_base(tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .align 8 .b8 s[16])\n{\n.reg .b64 %rd<4>; .reg .b32 %r<4>;\n"
        "ld.param.u64 %rd1, [s+8]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
        "add.s64 %rd3, %rd1, %rd2; st.u32 [%rd3], %r1; ret;\n}\n"
    )
    loaded, kernel = load_kernel(path)
    (store,) = memory_accesses(loaded.module, analyse_structure(kernel))
    assert (store.base, store.space, store.pattern) == (
        "s+8",
        Space.GLOBAL,
        AccessPattern.CONTIGUOUS,
    )
