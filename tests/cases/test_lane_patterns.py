"""How lanes lie in memory: strides that a launch decides, masks of thread ids, negative indices."""

import pytest

MEMORY = {"l1_hit_fraction", "l2_hit_fraction", "l2_bytes", "dram_bytes"}

PRODUCT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry product(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
    .reg .pred %p; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .f32 %f<5>;
    ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; ld.param.u64 %d3, [c]; ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y;
    and.b32 %r5, %r2, 31; shr.u32 %r6, %r2, 5;
    COLUMN
    ROW
    mul.lo.s32 %r9, %r8, %r1;
    mov.u32 %r10, 0; mov.f32 %f1, 0f00000000;
LOOP:
    add.s32 %r11, %r9, %r10; mul.wide.s32 %d4, %r11, 4; add.s64 %d5, %d1, %d4;
    ld.global.f32 %f2, [%d5];
    mad.lo.s32 %r12, %r10, %r1, %r7; mul.wide.s32 %d6, %r12, 4; add.s64 %d7, %d2, %d6;
    ld.global.f32 %f3, [%d7];
    fma.rn.f32 %f1, %f2, %f3, %f1;
    add.s32 %r10, %r10, 1; setp.lt.s32 %p, %r10, %r1; @%p bra LOOP;
    add.s32 %r13, %r9, %r7; mul.wide.s32 %d8, %r13, 4; add.s64 %d9, %d3, %d8;
    st.global.f32 [%d9], %f1;
    ret;
}
"""
SPELLINGS = {
    "mad": ("mad.lo.s32 %r7, %r3, 32, %r5;", "mad.lo.s32 %r8, %r4, 32, %r6;"),
    "bfi": ("bfi.b32 %r7, %r3, %r5, 5, 27;", "bfi.b32 %r8, %r4, %r6, 5, 27;"),
    "shf": ("shl.b32 %r14, %r5, 27; shf.l.wrap.b32 %r7, %r14, %r3, 5;",
            "shl.b32 %r14, %r6, 27; shf.l.wrap.b32 %r8, %r14, %r4, 5;"),
    "or": ("shl.b32 %r7, %r3, 5; or.b32 %r7, %r7, %r5;",
           "shl.b32 %r8, %r4, 5; or.b32 %r8, %r8, %r6;"),
    "lop3": ("shl.b32 %r7, %r3, 5; lop3.b32 %r7, %r7, %r2, 31, 0xf8;",
             "shl.b32 %r8, %r4, 5; lop3.b32 %r8, %r8, %r6, 0, 0xfc;"),
    "prmt": ("shl.b32 %r7, %r3, 5; prmt.b32 %r14, %r5, 0, 0x4440; add.s32 %r7, %r7, %r14;",
             "shl.b32 %r8, %r4, 5; bfe.u32 %r14, %r2, 5, 5; xor.b32 %r8, %r8, %r14;"),
}  # fmt: skip


def lanes(found):
    """The pattern and the bytes from lane to lane of each access."""
    (kernel,) = found.data["analyses"]
    return [(a["pattern"], a["lane_stride_bytes"]) for a in kernel["accesses"]]


def test_a_stride_that_an_argument_decides_is_one(warpmill):
    case = "02-ptr-align-params"
    assert lanes(warpmill(case, "analyze launch.toml --format json")) == [("strided", 8)] * 2
    alone = warpmill(case, "analyze kernel.ptx --format json")
    assert lanes(alone) == [("strided", None)] * 2
    assert '"4*axpb_cfg+8"' in alone.out


@pytest.mark.parametrize(
    ("case", "found"),
    [
        ("82-mask-reqntid", [("contiguous", 16)] * 2),
        ("83-negative-index", [("contiguous", 4)]),
        ("86-lane-of-tidx", [("contiguous", 4)]),
    ],
)
def test_masks_and_sign_corrections_leave_neighbours_contiguous(warpmill, case, found):
    assert lanes(warpmill(case, "analyze kernel.ptx --format json")) == found


def test_the_warp_of_a_required_block_decides_a_branch_for_all_its_lanes(warpmill):
    said = warpmill("86-lane-of-tidx", "analyze kernel.ptx").said
    assert "reconverges at END" not in said


@pytest.mark.parametrize("spelling", [name for name in SPELLINGS if name != "mad"])
def test_a_product_costs_the_same_however_its_indices_are_spelled(spelling, tmp_path, warpmill):
    """Bit fields, shifts, tables and permuted bytes give the accesses that sums give."""

    def found(name):
        column, row = SPELLINGS[name]
        path = tmp_path / f"{name}.ptx"
        path.write_text(PRODUCT.replace("COLUMN", column).replace("ROW", row))
        words = f"--grid 4,4 --block 1024 {'--arg buffer=f32:128x128 ' * 3} --arg 128 -f json"
        patterns = lanes(warpmill(".", "analyze", str(path), words))
        told = warpmill(".", "estimate", str(path), words, "-m a100 --trace static").data
        (estimate,) = told["launches"][0]["estimates"]
        moved = {k: v for k, v in estimate.items() if k in MEMORY}
        return patterns, estimate["assumptions"], moved, estimate["time_us"]

    *same, time = found(spelling)
    *plain, plain_time = found("mad")
    assert same == plain
    assert plain[0] == [("broadcast", 0), ("contiguous", 4), ("contiguous", 4)]
    assert time == pytest.approx(plain_time, rel=0.02)
