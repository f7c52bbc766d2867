"""Which loads of shared memory an assembler makes one.

The cases follow what ptxas 11.8 makes of such kernels for sm_52 and sm_70: rows of words that begin
at a multiple of 16 bytes become LDS.128 (4 of the 16 loads of a row of a 16 x 16 tile, and none of
a column's).
"""

import pytest

from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.simulator.assembler.merged_loads import merged_loads

KERNEL = """.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data)
{{
    .reg .b32 %r<20>;
    .reg .f32 %f<40>;
    .reg .b64 %rd<20>;
    .reg .pred %p<4>;
    .shared .align 4 .b8 tile[4096];
    .shared .align 4 .b8 other[4096];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    mul.lo.s32 %r3, %r1, {};
    add.s32 %r4, %r2, %r3;
    setp.eq.s32 %p1, %r1, 0;
    {}
    ret;
}}
"""


def merged(body, stride=64):
    """The widths that were merged, and how many loads each took."""
    text = KERNEL.format(stride, body)
    module = parse(Source("k.ptx", text)).module
    structure = analyse_structure(module.kernels[0])
    found = merged_loads(module, structure, memory_accesses(module, structure))
    return [(load.width_bytes, 1 + len(load.others)) for load in found]


def loads(*offsets, kind="ld.shared.f32 %f"):
    return "\n".join(f"{kind}{n}, [%r4+{at}];" for n, at in enumerate(offsets))


ROW = tuple(range(0, 64, 4))


@pytest.mark.parametrize(
    ("body", "stride", "found"),
    [
        pytest.param(loads(*ROW), 64, [(16, 4)] * 4, id="a row of 16 words"),
        pytest.param(loads(*reversed(ROW)), 64, [(16, 4)] * 4, id="in any order"),
        pytest.param(loads(*range(0, 1024, 64)), 64, [], id="a column"),
        pytest.param(loads(*ROW[:4]), 8, [(8, 2)] * 2, id="rows of 8 bytes"),
        pytest.param(loads(*ROW[:4]), 4, [], id="rows of a word"),
        pytest.param(loads(*ROW[:4]), 68, [], id="padded rows"),
        pytest.param(loads(4, 8, 12, 16), 64, [(8, 2)], id="from the second word on"),
        pytest.param(loads(0, 4, 8), 64, [(8, 2)], id="three words"),
        pytest.param(loads(0, 8, kind="ld.shared.f64 %rd"), 64, [(16, 2)], id="double words"),
        pytest.param(loads(0, 4, kind="ld.shared.u8 %r1"), 64, [], id="bytes"),
        pytest.param(loads(0, 4, kind="ld.volatile.shared.f32 %f"), 64, [], id="volatile"),
        pytest.param(loads(0, 4, kind="@%p1 ld.shared.f32 %f"), 64, [], id="under a predicate"),
    ],
)
def test_neighbouring_words_that_are_aligned_together_are_one_load(body, stride, found):
    assert merged(body, stride) == found


@pytest.mark.parametrize(
    ("between", "keeps_apart"),
    [
        ("st.shared.f32 [other], %f9;", True),
        ("bar.sync 0;", True),
        ("membar.cta;", True),
        ("st.global.f32 [%rd1], %f9;", False),
        ("add.f32 %f9, %f0, %f0;", False),
    ],
)
def test_what_may_change_the_words_keeps_them_apart(between, keeps_apart):
    body = f"ld.param.u64 %rd1, [data]; {loads(0)} {between} ld.shared.f32 %f1, [%r4+4];"
    assert merged(body) == ([] if keeps_apart else [(8, 2)])


def test_loads_of_other_blocks_stay_apart():
    assert merged(f"{loads(0)} @%p1 bra next; {loads(8)} next: ld.shared.f32 %f1, [%r4+4];") == []


def test_pointers_may_be_aligned_to_a_word_only():
    """What is outside the SM is not merged, though a buffer begins at a multiple of 256."""
    words = "ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4];"
    assert merged(f"ld.param.u64 %rd1, [data]; {words}") == []
