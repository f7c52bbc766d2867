"""cvt against NumPy, ml_dtypes and exact rational rounding."""

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from tests.reference.float_oracle import (
    BF16,
    F16,
    F32,
    F64,
    TF32,
    assert_same,
    compute,
    first_instruction,
    fraction,
    random_bits,
    rounded,
)
from warpmill.executor.native.rules import REFUSALS

pytestmark = pytest.mark.filterwarnings("ignore:(invalid value|overflow) encountered")

INTEGERS = {
    f"{k}{b}": np.dtype(f"{k.replace('s', 'i')}{b // 8}") for k in "su" for b in (8, 16, 32, 64)
}
REGISTER = {8: "b", 16: "h", 32: "r", 64: "d"}
FLOATS = {
    "f16": (np.float16, "h", F16),
    "f32": (np.float32, "r", F32),
    "f64": (np.float64, "d", F64),
}
MODES = ("rn", "rz", "rm", "rp")
EDGES = [
    0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1e-39, 2.0**-126, 0.5, -0.5, 1.5, 2.5, -1.5,
    -2.5, 3.4e38, -3.4e38, 65504, 65519.99, 65520, -65520, 1.0, 2.0**31, -(2.0**31), 2.0**63,
]  # fmt: skip


def samples(dtype, count=2000):
    """Edges, numbers of the size of integers, and random bits."""
    with np.errstate(over="ignore"):
        edges = np.array(EDGES).astype(dtype)
        sized = np.random.default_rng(3).uniform(-300, 300, count).astype(dtype)
        large = (np.random.default_rng(4).standard_normal(count) * 2.0**40).astype(dtype)
    return np.concatenate([edges, sized, large, random_bits(count, dtype)])


def integer_samples(dtype, count=1000):
    info = np.iinfo(dtype)
    ends = [info.min, info.min + 1, 0, 1, 2, info.max, info.max - 1]
    powers = [s * v for k in range(info.bits) for v in (2**k - 1, 2**k, 2**k + 1) for s in (1, -1)]
    inside = [v for v in (*ends, *powers) if info.min <= v <= info.max]
    random = np.random.default_rng(5).integers(info.min, info.max, count, dtype, endpoint=True)
    return np.concatenate([np.array(inside, dtype), random])


@pytest.mark.parametrize("to", INTEGERS)
@pytest.mark.parametrize("from_", INTEGERS)
def test_integers_are_extended_cut_and_saturated(to, from_):
    values = integer_samples(INTEGERS[from_], 200)
    bits = int(from_[1:]), int(to[1:])
    registers = {"s": values}
    source, result = REGISTER[bits[0]] + "1", REGISTER[bits[1]] + "2"
    registers = {source: values}
    got = compute(f"cvt.{to}.{from_} %{result}, %{source};", result, INTEGERS[to], **registers)
    assert (got == values.astype(INTEGERS[to])).all()
    got = compute(f"cvt.sat.{to}.{from_} %{result}, %{source};", result, INTEGERS[to], **registers)
    info = np.iinfo(INTEGERS[to])
    assert got.tolist() == [min(max(int(v), info.min), info.max) for v in values]


def test_wide_registers_hold_narrow_types():
    values = np.array([-1, 127, 128, 255, 0x1234FF80 - 2**31], np.int64).astype(np.int32)
    got = compute("cvt.s32.s8 %r2, %r1;", "r2", np.int32, r1=values)
    assert got.tolist() == values.astype(np.int8).tolist()
    got = compute("cvt.s8.s32 %r2, %r1;", "r2", np.int32, r1=values)
    assert got.tolist() == values.astype(np.int8).tolist()
    got = compute("cvt.u8.u32 %r2, %r1;", "r2", np.int32, r1=values)
    assert got.tolist() == values.astype(np.uint8).tolist()
    got = compute("cvt.rzi.s8.f32 %r2, %r1;", "r2", np.int32, r1=np.float32([-3.7, 300, -300]))
    assert got.tolist() == [-3, 127, -128]


WHOLE = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


@pytest.mark.parametrize("to", INTEGERS)
@pytest.mark.parametrize("from_", FLOATS)
@pytest.mark.parametrize("mode", WHOLE)
def test_floats_become_integers(to, from_, mode):
    dtype, register, _ = FLOATS[from_]
    values = samples(dtype, 300)
    result = REGISTER[int(to[1:])] + "2"
    got = compute(
        f"cvt.{mode}.{to}.{from_} %{result}, %{register}1;", result, INTEGERS[to],
        **{f"{register}1": values},
    )  # fmt: skip
    info = np.iinfo(INTEGERS[to])
    alone = 1 << info.bits - 1  # the manual's result for NaN of f64 or to 64 bits
    nan = (alone if info.min == 0 else info.min) if from_ == "f64" or info.bits == 64 else 0

    def one(value):
        if np.isnan(value):
            return nan
        if np.isinf(value):
            return info.max if value > 0 else info.min
        return min(max(int(WHOLE[mode](np.float64(value))), info.min), info.max)

    assert got.tolist() == [one(v) for v in values]


@pytest.mark.parametrize("to", [*FLOATS, "bf16"])
@pytest.mark.parametrize("from_", INTEGERS)
@pytest.mark.parametrize("mode", MODES)
def test_integers_become_floats(to, from_, mode):
    values = integer_samples(INTEGERS[from_], 200)
    dtype, register, format_ = FLOATS.get(to, (ml_dtypes.bfloat16, "h", BF16))
    source = REGISTER[int(from_[1:])] + "1"
    got = compute(
        f"cvt.{mode}.{to}.{from_} %{register}2, %{source};", f"{register}2", dtype,
        **{source: values},
    )  # fmt: skip
    wanted = [rounded(Fraction(int(v)), format_, mode) for v in values]
    assert_same(got.astype(np.float64), np.array(wanted), values)


NARROWING = [("f32", "f16"), ("f64", "f16"), ("f64", "f32"), ("f32", "bf16"), ("f64", "bf16"),
             ("f16", "bf16"), ("bf16", "f16")]  # fmt: skip


def values_of(type_, count=1500):
    if type_ == "bf16":
        return np.arange(65536, dtype=np.uint16)[:: 65536 // count].view(ml_dtypes.bfloat16)
    return samples(FLOATS[type_][0], count)


@pytest.mark.parametrize(("from_", "to"), NARROWING)
@pytest.mark.parametrize("mode", MODES)
def test_floats_are_rounded_to_narrower_ones(from_, to, mode):
    values = np.concatenate([values_of(from_), halfway(from_, to)])
    dtype, register, format_ = FLOATS.get(to, (ml_dtypes.bfloat16, "h", BF16))
    source = {"f32": "r1", "f64": "d1"}.get(from_, "h1")
    got = compute(
        f"cvt.{mode}.{to}.{from_} %{register}2, %{source};", f"{register}2", dtype,
        **{source: values},
    )  # fmt: skip
    wide = values.astype(np.float64)
    wanted = [
        v if not np.isfinite(v) or v == 0 else rounded(fraction(v), format_, mode) for v in wide
    ]
    assert_same(got.astype(np.float64), np.array(wanted), values)


def halfway(from_, to):
    """Numbers next to and at the middle between two of the narrower format."""
    if from_ in ("f16", "bf16"):
        return values_of(from_, 10)[:0]
    bits = np.arange(0, 0x7C00 if to == "f16" else 0x7F7F, 97, dtype=np.uint16)
    low = bits.view(np.float16 if to == "f16" else ml_dtypes.bfloat16).astype(np.float64)
    if to == "f32":
        low = np.float32(np.random.default_rng(1).standard_normal(100)).astype(np.float64)
        high = np.nextafter(np.float32(low), np.float32(np.inf)).astype(np.float64)
    else:
        high = (bits + 1).view(np.float16 if to == "f16" else ml_dtypes.bfloat16).astype(np.float64)
    middle = (low + high) / 2
    dtype = FLOATS[from_][0]
    around = np.concatenate([middle, np.nextafter(middle.astype(dtype), dtype(0)),
                             np.nextafter(middle.astype(dtype), dtype(1e30))])  # fmt: skip
    return np.concatenate([around, -around]).astype(dtype)


def test_every_f16_widens_exactly():
    values = np.arange(65536, dtype=np.uint16).view(np.float16)
    assert_same(
        compute("cvt.f32.f16 %r2, %h1;", "r2", np.float32, h1=values), values.astype(np.float32)
    )
    assert_same(
        compute("cvt.f64.f16 %d2, %h1;", "d2", np.float64, h1=values), values.astype(np.float64)
    )
    brains = values.view(ml_dtypes.bfloat16)
    assert_same(
        compute("cvt.f32.bf16 %r2, %h1;", "r2", np.float32, h1=brains), brains.astype(np.float32)
    )


def test_nan_is_the_canonical_one():
    nan = np.array([0x7F800001, 0xFFC12345], np.uint32)
    for opcode, register, wanted in (
        ("cvt.rn.f16.f32", "h", 0x7FFF), ("cvt.rn.bf16.f32", "h", 0x7FFF),
        ("cvt.rna.tf32.f32", "r", 0x7FFFFFFF), ("cvt.rz.relu.bf16.f32", "h", 0x7FFF),
        ("cvt.sat.f32.f32", "r", 0), ("cvt.rn.satfinite.f16.f32", "h", 0x7FFF),
    ):  # fmt: skip
        got = compute(f"{opcode} %{register}2, %r1;", f"{register}2", REGISTERS[register], r1=nan)
        assert set(got.tolist()) == {wanted}, opcode
    wide = np.array([0xFFF0000000000001], np.uint64)
    assert compute("cvt.rn.f32.f64 %r2, %d1;", "r2", np.uint32, d1=wide).tolist() == [0x7FFFFFFF]


REGISTERS = {"h": np.uint16, "r": np.uint32}


def test_modifiers_of_floats():
    values = np.float32([-2, -1e-40, -0.0, 0.0, 1e-40, 0.25, 1.0, 1.5, np.inf, -np.inf])
    ftz = compute("cvt.ftz.sat.f32.f32 %r2, %r1;", "r2", np.float32, r1=values)
    assert_same(ftz, np.float32([0, 0, 0, 0, 0, 0.25, 1, 1, 1, 0]))
    sat = compute("cvt.sat.f32.f32 %r2, %r1;", "r2", np.float32, r1=values)
    assert_same(sat, np.float32([0, 0, 0, 0, 1e-40, 0.25, 1, 1, 1, 0]))
    relu = compute("cvt.rn.relu.f16.f32 %h2, %r1;", "h2", np.float16, r1=values)
    assert_same(relu, np.float16([0, 0, 0, 0, 0, 0.25, 1, 1.5, np.inf, 0]))
    finite = np.float32([1e6, -1e6, np.inf, -np.inf, 2])
    got = compute("cvt.rn.satfinite.f16.f32 %h2, %r1;", "h2", np.float16, r1=finite)
    assert_same(got, np.float16([65504, -65504, 65504, -65504, 2]))
    small = np.float64([1e-40, -1e-40, 1.0])
    got = compute("cvt.rn.ftz.f32.f64 %r2, %d1;", "r2", np.float32, d1=small)
    assert_same(got, np.float32([0, -0.0, 1]))
    half = np.float32([-1.5, -0.5, 0.5, 2.5, 1e10, 1e-40])
    got = compute("cvt.rni.ftz.f32.f32 %r2, %r1;", "r2", np.float32, r1=half)
    assert_same(got, np.float32([-2, -0.0, 0, 2, 1e10, 0]))
    assert compute("cvt.rpi.ftz.s32.f32 %r2, %r1;", "r2", np.int32, r1=half)[5] == 0
    assert compute("cvt.rpi.s32.f32 %r2, %r1;", "r2", np.int32, r1=half)[5] == 1


@pytest.mark.parametrize("mode", ["rn", "rna", "rz"])
def test_tf32(mode):
    values = samples(np.float32)
    got = compute(f"cvt.{mode}.tf32.f32 %r2, %r1;", "r2", np.float32, r1=values)
    wanted = [
        v if not np.isfinite(v) or v == 0 else rounded(fraction(v), TF32, mode) for v in values
    ]
    assert_same(got, np.float32(wanted), values)


@pytest.mark.parametrize(("type_", "dtype"), [("f16", np.float16), ("bf16", ml_dtypes.bfloat16)])
def test_two_floats_become_one_packed(type_, dtype):
    a, b = samples(np.float32), samples(np.float32)[::-1].copy()
    got = compute(f"cvt.rn.{type_}x2.f32 %r3, %r1, %r2;", "r3", np.uint32, r1=a, r2=b)
    with np.errstate(over="ignore"):
        wanted = a.astype(dtype).astype(np.float32), b.astype(dtype).astype(np.float32)
    upper, lower = (got >> 16).astype(np.uint16), got.astype(np.uint16)
    assert_same(upper.view(dtype).astype(np.float32), wanted[0])
    assert_same(lower.view(dtype).astype(np.float32), wanted[1])


NARROW = {
    "e4m3": (ml_dtypes.float8_e4m3fn, 8), "e5m2": (ml_dtypes.float8_e5m2, 8),
    "e2m3": (ml_dtypes.float6_e2m3fn, 8), "e3m2": (ml_dtypes.float6_e3m2fn, 8),
    "e2m1": (ml_dtypes.float4_e2m1fn, 4),
}  # fmt: skip


def encoded(values, dtype):
    """Clamp, as .satfinite does, and round by ml_dtypes; NaN is the largest number without one."""
    most = np.float32(ml_dtypes.finfo(dtype).max)
    clamped = np.clip(values, -most, most)
    if dtype not in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2):
        return np.where(np.isnan(values), most, clamped).astype(dtype).view(np.uint8)
    return np.where(np.isnan(values), 0x7F, clamped.astype(dtype).view(np.uint8))


@pytest.mark.parametrize("type_", NARROW)
def test_narrow_formats_are_rounded(type_):
    dtype, bits = NARROW[type_]
    small = np.random.default_rng(6).uniform(-8, 8, 2000)
    fine = np.arange(-4096, 4097) / 128  # all middles of the small numbers
    a = np.concatenate(
        [samples(np.float32), np.float32(small), np.float32(fine), np.float32(fine / 512)]
    )
    b = a[::-1].copy()
    to = "b3" if bits == 4 else "h3"
    statement = f"cvt.rn.satfinite.{type_}x2.f32 %{to}, %r1, %r2;"
    got = compute(statement, to, np.uint8 if bits == 4 else np.uint16, r1=a, r2=b)
    wanted = encoded(a, dtype).astype(np.uint16) << bits | encoded(b, dtype)
    assert (got == wanted).all(), [
        (x, y, hex(g), hex(w)) for x, y, g, w in zip(a, b, got, wanted, strict=True) if g != w
    ][:4]


@pytest.mark.parametrize("type_", NARROW)
def test_narrow_formats_become_f16(type_):
    dtype, bits = NARROW[type_]
    width = int(type_[1]) + int(type_[3]) + 1
    codes = np.arange(1 << width, dtype=np.uint8)
    source, packed = (
        ("b1", codes << 4 | codes[::-1])
        if bits == 4
        else ("h1", codes.astype(np.uint16) << 8 | codes[::-1])
    )
    got = compute(f"cvt.rn.f16x2.{type_}x2 %r2, %{source};", "r2", np.uint32, **{source: packed})
    wanted = codes.view(dtype).astype(np.float16)
    assert_same((got >> 16).astype(np.uint16).view(np.float16), wanted, codes)
    assert_same(got.astype(np.uint16).view(np.float16), wanted[::-1], codes)
    relu = compute(
        f"cvt.rn.relu.f16x2.{type_}x2 %r2, %{source};", "r2", np.uint32, **{source: packed}
    )
    assert_same(
        relu.astype(np.uint16).view(np.float16),
        np.where(wanted > 0, wanted, np.where(np.isnan(wanted), wanted, 0))[::-1],
    )


def test_packed_halves_become_e4m3():
    halves = np.arange(65536, dtype=np.uint16)
    packed = halves.astype(np.uint32) << 16 | halves[::-1]
    got = compute("cvt.rn.satfinite.e4m3x2.f16x2 %h2, %r1;", "h2", np.uint16, r1=packed)
    wanted = encoded(halves.view(np.float16).astype(np.float32), ml_dtypes.float8_e4m3fn)
    assert (got >> 8 == wanted).all()
    assert ((got & 255) == wanted[::-1]).all()


def test_powers_of_two():
    values = np.float32(
        [1, 1.5, 2, -3, 2.0**-127, 2.0**-126, 2.0**-128, 1.1 * 2.0**-127, 0, 3.4e38, np.inf, np.nan]
    )
    zero = np.zeros_like(values)
    for mode, wanted in (
        ("rz", [127, 127, 128, 128, 0, 1, 0, 0, 0, 254, 255, 255]),
        ("rp", [127, 128, 128, 129, 0, 1, 0, 1, 0, 255, 255, 255]),
        ("rp.satfinite", [127, 128, 128, 129, 0, 1, 0, 1, 0, 254, 254, 255]),
    ):
        got = compute(f"cvt.{mode}.ue8m0x2.f32 %h3, %r1, %r2;", "h3", np.uint16, r1=values, r2=zero)
        assert (got >> 8).tolist() == wanted, mode
    codes = np.arange(256, dtype=np.uint16)
    got = compute("cvt.rn.bf16x2.ue8m0x2 %r2, %h1;", "r2", np.uint32, h1=codes << 8)
    wanted = codes.astype(np.uint8).view(ml_dtypes.float8_e8m0fnu).astype(np.float32)
    assert_same((got >> 16).astype(np.uint16).view(ml_dtypes.bfloat16).astype(np.float32), wanted)


def test_pack_saturates_two_integers():
    a, b = np.int32([70000, -5, 3]), np.int32([-70000, 200, -1])
    got = compute("cvt.pack.sat.s16.s32 %r3, %r1, %r2;", "r3", np.uint32, r1=a, r2=b)
    assert got.tolist() == [0x7FFF8000, 0xFFFB00C8, 0x0003FFFF]
    c = np.uint32([0xAABBCCDD] * 3)
    got = compute("cvt.pack.sat.u8.s32.b32 %r4, %r1, %r2, %r3;", "r4", np.uint32, r1=a, r2=b, r3=c)
    assert got.tolist() == [0xCCDDFF00, 0xCCDD00C8, 0xCCDD0300]
    got = compute("cvt.pack.sat.s4.s32.b32 %r4, %r1, %r2, %r3;", "r4", np.uint32, r1=a, r2=b, r3=c)
    assert got.tolist() == [0xBBCCDD78, 0xBBCCDDB7, 0xBBCCDD3F]


@pytest.mark.parametrize(
    "statement",
    [
        "cvt.rn.satfinite.s2f6x2.f32 %h1, %r2, %r3;",
        "cvt.rn.f16x2.f32 %r1, %r2;",
        "cvt.rn.f32.f16x2 %r1, %r2;",
        "cvt.rs.satfinite.e4m3x4.f32 %r1, {%r2, %r3, %r4, %r5}, %r6;",
    ],
)
def test_forms_without_code_are_refused(statement):
    assert REFUSALS["cvt"](first_instruction(statement))


def test_forms_with_code_are_not():
    for statement in (
        "cvt.u64.s8 %d1, %b1;",
        "cvt.rn.f16x2.f32 %r1, %r2, %r3;",
        "cvt.rn.f16x2.e5m2x2 %r1, %h1;",
        "cvt.rz.satfinite.ue8m0x2.bf16x2 %h1, %r1;",
    ):
        assert REFUSALS["cvt"](first_instruction(statement)) is None, statement
