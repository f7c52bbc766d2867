"""What calls hand over, executed: arguments and results in param space, and their addresses."""

import numpy as np
import pytest

from tests.reference.run_kernel import run_ptx

LANES = 32
MALLOC = ".extern .func (.param .b64 r) malloc (.param .b64 size);"
ALLOCATE = """
    mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 8, %d1;
    { .param .b64 size; st.param.b64 [size], 16; .param .b64 r;
      call.uni (r), malloc, (size); ld.param.b64 %d2, [r]; }
    setp.lt.u32 %p1, %r1, 3; @%p1 bra X;
"""
WAYS_ON = {
    "one block": "st.global.u64 [%d1], %d2; X: ret;",
    "a sum": "add.u64 %d3, %d2, 8; st.u64 [%d2], %d3; ld.u64 %d4, [%d2];"
    "sub.u64 %d4, %d4, 8; st.global.u64 [%d1], %d4; X: ret;",
    "a loop": "mov.u32 %r2, 0; L: st.global.u64 [%d1], %d2; add.u32 %r2, %r2, 1;"
    "setp.lt.u32 %p2, %r2, 2; @%p2 bra L; X: ret;",
}


@pytest.mark.parametrize("way_on", WAYS_ON)
def test_each_lane_keeps_what_its_call_gave_across_blocks(way_on):
    out = np.zeros(LANES, np.uint64)
    found = run_ptx(ALLOCATE + WAYS_ON[way_on], {"out": out}, variables=MALLOC)["out"]
    assert (found[:3] == 0).all()
    assert len(set(found[3:])) == LANES - 3


CALLEE = """
.func (.param .b32 back) second(.param .align 8 .b8 pair[8], .param .b32 which)
{{ .reg .b32 %r<5>; .reg .b64 %d<5>;
  ld.param.u32 %r1, [which];
  mov.b64 %d1, pair; mov.b64 %d2, %d1; mad.wide.u32 %d2, %r1, 4, %d2;
  {read}
  st.param.b32 [back], %r2; ret; }}
"""
READS = {
    "param": "ld.param.b32 %r2, [%d2];",
    "param::func": "ld.param::func.b32 %r2, [%d2];",
    "local": "ld.local.b32 %r2, [%d2];",
    "generic": "cvta.local.u64 %d3, %d2; ld.b32 %r2, [%d3];",
    "in another block": "setp.eq.u32 %p1, %r1, 7; @%p1 bra L; ld.param.b32 %r2, [%d2]; L:",
}
CALL = """
    mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 4, %d1;
    and.b32 %r2, %r1, 1;
    { .param .align 8 .b8 x[8]; st.param.b32 [x], %r1; st.param.b32 [x+4], 100;
      .param .b32 w; st.param.b32 [w], %r2; .param .b32 b;
      call (b), second, (x, w); ld.param.b32 %r3, [b]; }
    st.global.u32 [%d1], %r3; ret;
"""


@pytest.mark.parametrize("read", READS)
def test_a_function_reads_its_parameter_by_its_address(read):
    """As code of clang -O0 does; PTX says that the address is one in local memory."""
    callee = CALLEE.format(read=READS[read]).replace("{ .reg", "{ .reg .pred %p<2>; .reg", 1)
    found = run_ptx(CALL, {"out": np.zeros(LANES, np.uint32)}, variables=callee)["out"]
    lanes = np.arange(LANES)
    assert (found == np.where(lanes % 2, 100, lanes)).all()


def test_a_function_reads_the_kernels_parameter_by_its_address():
    callee = """
.func (.param .b32 back) at(.param .b64 place)
{ .reg .b32 %r<2>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [place]; ld.param::entry.b32 %r1, [%d1+4]; st.param.b32 [back], %r1; ret; }
"""
    body = """
    ld.param.u64 %d1, [out]; mov.b64 %d2, pair;
    { .param .b64 p; st.param.b64 [p], %d2; .param .b32 b;
      call (b), at, (p); ld.param.b32 %r1, [b]; }
    st.global.u32 [%d1], %r1; ret;
"""
    given = {"out": np.zeros(1, np.uint32), "pair": np.array([5, 9], np.uint32).tobytes()}
    assert run_ptx(body, given, variables=callee)["out"] == 9


ADD = """
.func (.param .b32 back) add(.param .b32 a, .param .b32 b)
{{ .reg .b32 %r<4>; .reg .b64 %d<2>;
  {first} ld.param.b32 %r2, [b]; add.s32 %r3, %r1, %r2; st.param.b32 [back], %r3; ret; }}
"""


@pytest.mark.parametrize(
    "first", ["ld.param.b32 %r1, [a];", "mov.b64 %d1, a; ld.param.b32 %r1, [%d1];"]
)
def test_registers_and_constants_are_handed_over_as_they_are(first):
    body = """
    mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 4, %d1;
    call (%r2), add, (%r1, 7);
    st.global.u32 [%d1], %r2; ret;
"""
    out = np.zeros(LANES, np.uint32)
    found = run_ptx(body, {"out": out}, variables=ADD.format(first=first))["out"]
    assert (found == np.arange(LANES) + 7).all()
