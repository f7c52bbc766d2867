"""The NumPy executor's operations: by NumPy, by exact fractions and by the manual's examples."""

from fractions import Fraction

import numpy as np
import pytest

from tests.reference.numpy_executor import (
    AccessError,
    TooLongError,
    TrapError,
)
from tests.reference.numpy_executor.floats import fma
from tests.reference.numpy_launches import OWN_PLACE, launcher, words


@pytest.fixture
def run(tmp_path):
    return launcher(tmp_path)


def test_atomics_take_lanes_in_order(run):
    out = words(33)
    body = OWN_PLACE + "atom.global.add.u32 %r2, [%d0+128], %r0; st.global.u32 [%d1], %r2; ret;"
    run(body, [out])
    assert np.array_equal(out[:32], np.r_[0, np.cumsum(np.arange(31))])
    assert out[32] == 31 * 32 // 2
    out[:] = 0
    body = body.replace("add.u32 %r2, [%d0+128], %r0", "cas.b32 %r2, [%d0+128], 0, %r1")
    run(body.replace("%r1;", "77;"), [out])
    assert out[32] == 77 and out[0] == 0 and (out[1:32] == 77).all()


@pytest.mark.parametrize(
    ("words_", "start", "value", "found"),
    [
        ("inc.u32", 0, 2, [0, 1, 2, 0]),  # up to 2, then from 0
        ("dec.u32", 1, 3, [1, 0, 3, 2]),
        ("exch.b32", 5, 8, [5, 8, 8, 8]),
        ("min.s32", -3, -5, [-3, -5, -5, -5]),
        ("max.u32", 4, -1, [4, -1, -1, -1]),
        ("xor.b32", 1, 3, [1, 2, 1, 2]),
    ],
)
def test_atomic_operations_give_what_was_there(run, words_, start, value, found):
    out = words(5)
    out[4] = start % 2**32
    body = (
        OWN_PLACE + f"atom.global.{words_} %r2, [%d0+16], {value}; st.global.u32 [%d1], %r2; ret;"
    )
    run(body, [out], block=4)
    assert out[:4].view(np.int32).tolist() == found


def test_reductions_without_a_result_add_up(run):
    sums = np.zeros(4, np.float32)
    body = "ld.param.u64 %d0, [out]; red.global.add.f32 [%d0], 0f3F800000; ret;"
    run(body, [sums], grid=3, block=50)
    assert sums[0] == 150


@pytest.mark.parametrize(
    ("mode", "b", "c", "source"),
    [
        ("up", 3, 0, lambda t: np.where(t >= 3, t - 3, t)),
        ("down", 2, 31, lambda t: np.where(t + 2 <= 31, t + 2, t)),
        ("bfly", 5, 31, lambda t: t ^ 5),
        ("idx", 9, 31, lambda t: np.full_like(t, 9)),
        # segments of 8: 24 in the mask's upper part
        ("down", 3, 24 << 8 | 31, lambda t: np.where(t % 8 + 3 <= 7, t + 3, t)),
        ("up", 1, 24 << 8, lambda t: np.where(t % 8 >= 1, t - 1, t)),
    ],
)
def test_shuffles(run, mode, b, c, source):
    out, lane = words(32), np.arange(32)
    body = (
        OWN_PLACE + f"shfl.sync.{mode}.b32 %r2|%p1, %r0, {b}, {c}, -1; selp.u32 %r3, 256, 0, %p1;"
    )
    run(body + "or.b32 %r2, %r2, %r3; st.global.u32 [%d1], %r2; ret;", [out])
    assert np.array_equal(out & 255, source(lane))
    moved = np.ones(32, bool) if mode in ("bfly", "idx") else source(lane) != lane
    assert np.array_equal(out >> 8, moved)


def test_votes_see_the_active_lanes_only(run):
    out = words(32)
    body = (
        OWN_PLACE
        + """
    and.b32 %r2, %r0, 1;
    setp.eq.u32 %p1, %r2, 0;
    @!%p1 bra end;
    setp.lt.u32 %p2, %r0, 6;
    vote.sync.ballot.b32 %r3, %p2, 0x55555555;
    vote.sync.any.pred %p3, %p2, 0x55555555;
    vote.sync.all.pred %p4, %p1, 0x55555555;
    @%p3 add.u32 %r3, %r3, 0x10000;
    @%p4 add.u32 %r3, %r3, 0x20000;
    st.global.u32 [%d1], %r3;
end:
    ret;
"""
    )
    run(body, [out])
    assert np.array_equal(out, np.where(np.arange(32) % 2 == 0, 0b010101 + 0x30000, 0))


def test_generic_addresses_find_their_spaces(run):
    out = words(32)
    body = (
        OWN_PLACE
        + """
    mov.u64 %d2, cell;
    cvta.shared.u64 %d2, %d2;
    mul.wide.u32 %d3, %r0, 4;
    add.u64 %d2, %d2, %d3;
    setp.ge.u32 %p1, %r0, 16;
    selp.b64 %d4, %d2, %d1, %p1;
    st.u32 [%d4], %r0;
    ld.shared.u32 %r3, [cell+64];
    ld.u32 %r4, [%d4];
    @%p1 st.global.u32 [%d1], %r4;
    isspacep.shared %p2, %d4;
    selp.u32 %r5, 1000, 0, %p2;
    ld.global.u32 %r6, [%d1];
    add.u32 %r6, %r6, %r5;
    st.global.u32 [%d1], %r6;
    ret;
"""
    )
    run(body, [out], more=".shared .align 4 .b8 cell[128];")
    assert np.array_equal(out, np.arange(32) + np.where(np.arange(32) >= 16, 1000, 0))


def test_variables_parameters_and_local_memory(run):
    out = words(32)
    body = (
        ".local .align 4 .b8 own[16];"
        + OWN_PLACE
        + """
    ld.param.u8 %h1, [bytes+1];
    cvt.u32.u16 %r2, %h1;
    mov.u64 %d2, own;
    st.local.u32 [%d2+8], %r0;
    ld.const.u32 %r3, [table+4];
    ld.local.u32 %r4, [own+8];
    add.u32 %r4, %r4, %r3;
    add.u32 %r4, %r4, %r2;
    st.global.u32 [%d1], %r4;
    ret;
"""
    )
    run(
        body, [out, bytes([1, 200, 3])], more=".const .align 4 .b32 table[2] = {5, 1000};",
        parameters=(".u64 out", ".align 1 .b8 bytes[3]"),
    )  # fmt: skip
    assert np.array_equal(out, np.arange(32) + 1200)


def one(run, code, type_="u32"):
    """The value of a register that some code leaves: of %r9, %d9, %f9 or %g9."""
    register = {"u32": "%r9", "u64": "%d9"}[type_]
    out = np.zeros(1, np.dtype(type_.replace("u", "uint")))
    body = f"ld.param.u64 %d0, [out]; {code} st.global.{type_} [%d0], {register}; ret;"
    run(body, [out], block=1)
    return int(out[0])


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("mul.hi.u32 %r9, 0x80000001, 6;", 3),
        ("mul.hi.s32 %r9, -3, 5;", 2**32 - 1),
        ("mul.wide.s16 %r9, -3, 5;", 2**32 - 15),
        ("div.s32 %r9, -7, 2;", 2**32 - 3),
        ("rem.s32 %r9, -7, 2;", 2**32 - 1),
        ("div.u32 %r9, 7, 0;", 2**32 - 1),
        ("shl.b32 %r9, 1, 32;", 0),
        ("shr.u32 %r9, -1, 40;", 0),
        ("shr.s32 %r9, -8, 40;", 2**32 - 1),
        ("bfe.u32 %r9, 0xABCD1234, 8, 8;", 0x12),
        ("bfe.s32 %r9, 0x0000F000, 12, 4;", 2**32 - 1),
        ("bfe.s32 %r9, 0x80000000, 28, 20;", 0xFFFFFFF8),
        ("bfi.b32 %r9, 0xF, 0xAAAA0000, 4, 4;", 0xAAAA00F0),
        ("prmt.b32 %r9, 0x33221100, 0x77665544, 0x7520;", 0x77552200),
        ("prmt.b32 %r9, 0x00008000, 0, 0x9999;", 0xFFFFFFFF),
        ("popc.b32 %r9, 0xF0F0;", 8),
        ("clz.b32 %r9, 0x00010000;", 15),
        ("clz.b32 %r9, 0;", 32),
        ("brev.b32 %r9, 1;", 0x80000000),
        ("bfind.u32 %r9, 0x00FF0000;", 23),
        ("bfind.s32 %r9, -1;", 2**32 - 1),
        ("lop3.b32 %r9, 0xF0F0, 0xCCCC, 0xAAAA, 0x96;", 0xF0F0 ^ 0xCCCC ^ 0xAAAA),
        ("shf.l.wrap.b32 %r9, 0x80000000, 0x00000001, 33;", 3),
        ("shf.r.clamp.b32 %r9, 0x80000000, 0x00000005, 40;", 5),
        ("sad.s32 %r9, -4, 3, 10;", 17),
        ("mov.b32 %r1, 0x01FF0203; dp4a.s32.s32 %r9, %r1, 0x01020304, 100;", 100 + 12 + 6 - 2 + 1),
        ("add.cc.u32 %r1, -1, 1; addc.u32 %r9, 5, 6;", 12),
        ("sub.cc.u32 %r1, 1, 2; subc.u32 %r9, 5, 3;", 1),
        ("cvt.rni.s32.f32 %r9, 0f40200000;", 2),  # 2.5 to even
        ("cvt.rzi.s32.f32 %r9, 0fC0200000;", 2**32 - 2),
        ("cvt.rpi.u32.f32 %r9, 0fC0200000;", 0),
        ("cvt.rzi.u32.f32 %r9, 0f7F800000;", 2**32 - 1),
        ("cvt.rzi.s32.f32 %r9, 0f7FC00000;", 0),
        ("mov.u32 %r1, 300; cvt.sat.u8.u32 %r9, %r1;", 255),
        ("mov.u32 %r1, 0x1FF; cvt.s8.u32 %r9, %r1;", 2**32 - 1),
        ("setp.ltu.f32 %p1|%p2, 0f7FC00000, 0f00000000; selp.u32 %r9, 1, 2, %p1;", 1),
        ("setp.ne.f32 %p1, 0f7FC00000, 0f00000000; selp.u32 %r9, 1, 2, %p1;", 2),
        ("mov.b32 %r1, 0x00030002; mov.b32 {%h1, %h2}, %r1; cvt.u32.u16 %r9, %h2;", 3),
        ("mov.f32 %f1, 0f3F800000; rcp.rn.f32 %f2, 0f40400000; mov.b32 %r9, %f2;", 0x3EAAAAAB),
        ("min.f32 %f1, 0f80000000, 0f00000000; mov.b32 %r9, %f1;", 0x80000000),
        ("max.f32 %f1, 0f7FC00000, 0f3F800000; mov.b32 %r9, %f1;", 0x3F800000),
        ("add.ftz.f32 %f1, 0f00000001, 0f80000000; mov.b32 %r9, %f1;", 0),
        ("slct.s32.s32 %r9, 4, 5, -1;", 5),
        ("set.lt.u32.s32 %r9, -1, 1;", 2**32 - 1),
    ],
)
def test_instructions_of_32_bits(run, code, expected):
    assert one(run, code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("mul.hi.u64 %d9, -1, -1;", 2**64 - 2),
        ("mul.hi.s64 %d9, -5, 0x4000000000000000;", 2**64 - 2),
        ("mad.wide.s32 %d9, -3, 5, 7;", 2**64 - 8),
        ("rem.u64 %d9, 0xFFFFFFFFFFFFFFFF, 10;", 5),
        ("mov.b64 %d9, {1, 2};", 2**33 + 1),
        ("cvt.rzi.s64.f32 %d9, 0f7FC00000;", 1 << 63),
        ("cvt.rn.f64.s64 %g1, 3; mov.b64 %d9, %g1;", 0x4008000000000000),
        ("popc.b64 %r1, -1; cvt.u64.u32 %d9, %r1;", 64),
        ("clz.b64 %r1, 1; cvt.u64.u32 %d9, %r1;", 63),
    ],
)
def test_instructions_of_64_bits(run, code, expected):
    assert one(run, code, "u64") == expected


def exactly(a, b, c, dtype):
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    near = dtype(float(exact))
    options = [np.nextafter(near, dtype(-np.inf)), near, np.nextafter(near, dtype(np.inf))]
    distance = [abs(Fraction(float(o)) - exact) for o in options]
    best = min(distance)
    ties = [o for o, d in zip(options, distance, strict=True) if d == best]
    even = [o for o in ties if o.view(f"u{o.itemsize}") % 2 == 0]
    return (even or ties)[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_fused_multiply_add_rounds_once(dtype):
    random = np.random.default_rng(3)
    a, b = (random.integers(-99, 99, (2, 3000)) / 64 + random.random((2, 3000))).astype(dtype)
    c = (-a * b * (1 + random.integers(-1, 2, 3000) * np.finfo(dtype).eps)).astype(dtype)
    c[::3] = random.standard_normal(1000).astype(dtype)
    expected = np.array([exactly(*v, dtype) for v in zip(a, b, c, strict=True)])
    assert np.array_equal(fma(a, b, c), expected)


def test_fused_multiply_add_where_rounding_twice_errs():
    # just beside the middle of two floats, by a term that a double does not hold; and subnormal
    a = np.array([2.0**-24 * (1 + 2.0**-23), 2.0**-24, 2.0**-75], np.float32)
    b = np.array([1 - 2.0**-23, 1 - 2.0**-24, 2.0**-75], np.float32)
    c = np.array([1 + 2.0**-23, 2.0**-130, -(2.0**-149)], np.float32)
    expected = np.array([exactly(*v, np.float32) for v in zip(a, b, c, strict=True)])
    assert np.array_equal(fma(a, b, c), expected)
    # 1 + 2**-52 + 2**-53 - 2**-157
    a, b, c = (np.array([v]) for v in (2.0**-53 * (1 + 2.0**-52), 1 - 2.0**-52, 1 + 2.0**-52))
    assert fma(a, b, c)[0] == 1 + 2.0**-52


def test_unknown_operations_are_named(run):
    with pytest.raises(NotImplementedError, match=r"ldmatrix\.sync"):
        run("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2]; ret;", [words(1)])


@pytest.mark.parametrize(
    ("access", "error"),
    [
        ("st.global.u32 [%d0+2], %r0;", AccessError),
        ("st.global.u32 [%d0+4096], %r0;", AccessError),
        ("ld.global.u32 %r1, [0];", AccessError),
        ("ld.shared.u32 %r1, [64];", AccessError),
        ("trap;", TrapError),
    ],
)
def test_wrong_accesses_and_traps_end_the_launch(run, access, error):
    with pytest.raises(error):
        run(f"ld.param.u64 %d0, [out]; {access} ret;", [words(32)])


def test_endless_loops_are_ended(run):
    with pytest.raises(TooLongError):
        run("l: bra.uni l;", [words(1)], most_steps=100)
