"""Scalar operations beyond test_execution_operations: chains, constants, AMD's, the bits of NaN."""

import operator
import random
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from tests.reference.float_oracle import (
    BF16,
    F16,
    F32,
    assert_same,
    compute,
    first_instruction,
    fraction,
    rounded,
)
from tests.reference.lane_values import array, check, signed, values
from tests.reference.one_operation import compile_operation
from warpmill.analyzer.ir.operation import decode
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmModule, LlvmValue
from warpmill.executor.native.rules import REFUSALS, floats

ONES = (1 << 32) - 1
REGISTERS = {"h": np.uint16, "r": np.uint32}


def test_neighbours_of_multiples_divide_exactly():
    rng = random.Random(1)
    operation = compile_operation("div.u32 %d, %a, %b;", ".reg .b32 %a, %b, %d;")
    for _ in range(50):
        divisors = [rng.getrandbits(rng.randint(1, 32)) or 1 for _ in range(32)]
        tops = [rng.randrange((1 << 32) // d + 1) * d for d in divisors]
        numbers = [max(0, min((1 << 32) - 1, top - rng.randint(0, 1))) for top in tops]
        out = operation.run({"%a": array(numbers, 32), "%b": array(divisors, 32)})["%d"]
        assert out.tolist() == [n // d for n, d in zip(numbers, divisors, strict=True)]


def carryless(a, b):
    total = 0
    for k in range(64):
        if b >> k & 1:
            total ^= a << k
    return total


@pytest.mark.parametrize(("half", "shift"), [("lo", 0), ("hi", 64)])
def test_products_without_carries(half, shift):
    statement = f"clmad.{half}.u64 %D, %A, %B, %C;"
    check(statement, lambda a, b, c: carryless(a, b) >> shift ^ c)


def words(value, count):
    return [value >> 32 * k & 0xFFFFFFFF for k in range(count)]


def test_carries_make_long_sums():
    text = """add.cc.u32 %r0, %a0, %b0; addc.cc.u32 %r1, %a1, %b1; addc.cc.u32 %r2, %a2, %b2;
              addc.u32 %r3, 0, 0;
              sub.cc.u32 %s0, %a0, %b0; subc.cc.u32 %s1, %a1, %b1; subc.cc.u32 %s2, %a2, %b2;
              subc.u32 %s3, 0, 0;"""
    registers = ".reg .b32 %a<3>, %b<3>, %r<4>, %s<4>;"
    operation = compile_operation(text, registers)
    rng = random.Random(7)
    a = [sum(v << 32 * k for k, v in enumerate(values(rng, 32, 3))) for _ in range(32)]
    b = [sum(v << 32 * k for k, v in enumerate(values(rng, 32, 3))) for _ in range(32)]
    a[:4], b[:4] = [2**96 - 1, 0, 2**32, 2**96 - 1], [1, 1, 2**32, 2**96 - 1]
    inputs = {f"%{n}{k}": array([v >> 32 * k & 0xFFFFFFFF for v in numbers], 32)
              for n, numbers in (("a", a), ("b", b)) for k in range(3)}  # fmt: skip
    out = operation.run(inputs)
    for lane in range(32):
        got = [int(out[f"%r{k}"][lane]) for k in range(4)]
        assert got == words(a[lane] + b[lane], 4)
        got = [int(out[f"%s{k}"][lane]) for k in range(4)]
        assert got == words((a[lane] - b[lane]) % (1 << 128), 4)


def test_carries_make_long_products():
    # 64 x 64 bits by 32-bit halves, the sequence that compilers write
    text = """mul.lo.u32 %r0, %a0, %b0; mul.hi.u32 %r1, %a0, %b0;
              mad.lo.cc.u32 %r1, %a1, %b0, %r1; madc.hi.u32 %r2, %a1, %b0, 0;
              mad.lo.cc.u32 %r1, %a0, %b1, %r1; madc.hi.cc.u32 %r2, %a0, %b1, %r2;
              addc.u32 %r3, 0, 0;
              mad.lo.cc.u32 %r2, %a1, %b1, %r2; madc.hi.u32 %r3, %a1, %b1, %r3;"""
    operation = compile_operation(text, ".reg .b32 %a<2>, %b<2>, %r<4>;")
    rng = random.Random(9)
    a, b = (values(rng, 64) for _ in range(2))
    inputs = {f"%{n}{k}": array([v >> 32 * k & 0xFFFFFFFF for v in numbers], 32)
              for n, numbers in (("a", a), ("b", b)) for k in range(2)}  # fmt: skip
    out = operation.run(inputs)
    for lane in range(32):
        assert [int(out[f"%r{k}"][lane]) for k in range(4)] == words(a[lane] * b[lane], 4)


def test_lanes_that_are_off_keep_their_carry_and_result():
    text = "add.cc.u32 %d, %a, %b; @%p sub.cc.u32 %d, %a, %a; addc.u32 %f, 0, 0;"
    operation = compile_operation(text, ".reg .b32 %a, %b, %d, %f; .reg .pred %p;")
    guard = np.arange(32) % 2 == 0
    ones = np.full(32, 0xFFFFFFFF, np.uint32)
    out = operation.run({"%a": ones, "%b": np.ones(32, np.uint32), "%p": guard,
                         "%f": np.full(32, 9, np.uint32)}, mask=0xFFFF)  # fmt: skip
    assert out["%f"].tolist() == [0, 1] * 8 + [9] * 16


@pytest.mark.parametrize(
    ("word", "combine"),
    [
        ("or", lambda p, q: p or q),
        ("and", lambda p, q: p and q),
        ("xor", lambda p, q: p != q),
    ],
)
def test_truth_table_that_tells_whether_any_bit_is_set(word, combine):
    text = (
        f"lop3.{word}.b32 %d|%p, %a, %b, %c, 0x80, !%q; lop3.{word}.b32 _|%r, %a, %b, %c, 0x80, %q;"
    )
    operation = compile_operation(text, ".reg .b32 %d, %a, %b, %c; .reg .pred %p, %q, %r;")
    small = [[k >> s & 1 for k in range(32)] for s in range(3)]
    q = [k >> 3 & 1 for k in range(32)]
    names = ("%a", "%b", "%c")
    inputs = {n: array(v, 32) for n, v in zip(names, small, strict=True)}
    out = operation.run(inputs | {"%q": array(q, 1)})
    any_set = [all(column) for column in zip(*small, strict=True)]
    assert out["%d"].tolist() == [int(v) for v in any_set]
    assert out["%p"].tolist() == [combine(v, not k) for v, k in zip(any_set, q, strict=True)]
    assert out["%r"].tolist() == [combine(v, bool(k)) for v, k in zip(any_set, q, strict=True)]


def test_moves_pack_floats_and_constants():
    text = "mov.b64 {%fa, %fb}, %A; mov.b64 %H, {%fa, %b}; mov.b64 %E, {%x, %y, %x, 7};"
    registers = ".reg .b64 %A, %E, %H; .reg .b32 %b; .reg .b16 %x, %y; .reg .f32 %fa, %fb;"
    rng = random.Random(5)
    a, b, x, y = (values(rng, bits) for bits in (64, 32, 16, 16))
    given = {"%A": array(a, 64), "%b": array(b, 32), "%x": array(x, 16), "%y": array(y, 16)}
    out = compile_operation(text, registers).run(given)
    assert out["%fb"].tolist() == [v >> 32 for v in a]
    assert out["%H"].tolist() == [w << 32 | v & ONES for v, w in zip(a, b, strict=True)]
    packed = [7 << 48 | v << 32 | w << 16 | v for v, w in zip(x, y, strict=True)]
    assert out["%E"].tolist() == packed


def test_moves_of_constants_special_registers_and_predicates():
    text = """mov.u32 %a, %laneid; mov.f32 %fa, 0d3FF8000000000000; mov.b32 %b, 0f3FC00000;
              mov.u32 %c, -1; mov.pred %p, %q; mov.u16 %x, %laneid; @%q mov.u32 %d, 5;
              mov.v4.u32 {%r0, %r1, %r2, %r3}, %ntid; mov.u32 %e, %lanemask_lt;"""
    registers = """.reg .b32 %a, %b, %c, %d, %e, %r<4>; .reg .f32 %fa; .reg .pred %p, %q;
                   .reg .b16 %x;"""
    q = np.arange(32) % 3 == 0
    out = compile_operation(text, registers).run({"%q": q, "%d": np.full(32, 8, np.uint32)})
    lanes = np.arange(32)
    assert out["%a"].tolist() == out["%x"].tolist() == lanes.tolist()
    assert {*out["%fa"].tolist(), *out["%b"].tolist()} == {0x3FC00000}
    assert set(out["%c"].tolist()) == {ONES}
    assert out["%p"].tolist() == q.tolist()
    assert [set(out[f"%r{k}"].tolist()) for k in range(4)] == [{0}, {0}, {0}, {1}]  # no launch
    assert out["%d"].tolist() == np.where(q, 5, 8).tolist()
    assert out["%e"].tolist() == ((1 << lanes) - 1).tolist()


def test_selections_of_constants():
    check("selp.b64 %D, %A, 5, !%p;", lambda a, p: 5 if p else a)
    text = "slct.b32.f32 %d, 1, 2, %fa; slct.ftz.b32.f32 %e, 1, 2, %fa;"
    some = np.float32([0.0, -0.0, 1.0, -1.0, np.nan, 1e-40, -1e-40, np.inf])
    operation = compile_operation(text, ".reg .b32 %d, %e; .reg .f32 %fa;")
    out = operation.run({"%fa": np.tile(some, 4)})
    assert out["%d"].tolist() == [1, 1, 1, 2, 2, 1, 2, 1] * 4
    assert out["%e"].tolist() == [1, 1, 1, 2, 2, 1, 1, 1] * 4


@pytest.mark.parametrize("sign_b", ["u", "s"])
@pytest.mark.parametrize("sign_a", ["u", "s"])
def test_products_of_eight_elements(sign_a, sign_b):
    """Of AMD."""

    def nibbles(word, sign):
        parts = [word >> k & 15 for k in range(0, 32, 4)]
        return [signed(p, 4) for p in parts] if sign == "s" else parts

    def oracle(a, b, c):
        return c + sum(map(operator.mul, nibbles(a, sign_a), nibbles(b, sign_b)))

    check(f"dp8a.{sign_a}32.{sign_b}32 %d, %a, %b, %c;", oracle)


@pytest.mark.parametrize(
    ("opcode", "register", "wanted"),
    [
        ("cvt.rn.f16.f32", "h", 0x7FFF),
        ("cvt.rn.bf16.f32", "h", 0x7FFF),
        ("cvt.rna.tf32.f32", "r", 0x7FFFFFFF),
        ("cvt.sat.f32.f32", "r", 0),
        ("cvt.rn.satfinite.f16.f32", "h", 0x7FFF),
        ("ex2.approx.f32", "r", 0x7FFFFFFF),
        ("lg2.approx.ftz.f32", "r", 0x7FFFFFFF),
        ("sin.approx.f32", "r", 0x7FFFFFFF),
        ("tanh.approx.f32", "r", 0x7FFFFFFF),
        ("rcp.rn.f32", "r", 0x7FFFFFFF),
        ("sqrt.approx.f32", "r", 0x7FFFFFFF),
        ("rsqrt.approx.ftz.f32", "r", 0x7FFFFFFF),
        ("min.f32", "r", 0x7FFFFFFF),
        ("max.NaN.f32", "r", 0x7FFFFFFF),
    ],
)
def test_nan_is_the_canonical_one(opcode, register, wanted):
    nan = np.array([0x7F800001, 0xFFC12345], np.uint32)
    sources = "%r1, %r1" if opcode.startswith("m") else "%r1"
    statement = f"{opcode} %{register}2, {sources};"
    got = compute(statement, f"{register}2", REGISTERS[register], r1=nan)
    assert set(got.tolist()) == {wanted}


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


def test_the_rounding_mode_is_restored():
    third = np.full(32, 1 / 3, np.float32)
    statement = "fma.rp.f32 %f4, %f1, %f1, %f2; fma.rn.f32 %f5, %f1, %f1, %f2;"
    tiny = np.full(32, 1e-20, np.float32)
    up, near_ = (compute(statement, f"f{k}", np.float32, f1=third, f2=tiny) for k in (4, 5))
    exact = Fraction(float(third[0])) ** 2 + Fraction(float(tiny[0]))
    assert up[0] == rounded(exact, F32, "rp")
    assert near_[0] == rounded(exact, F32)
    assert np.nextafter(np.float32(1), np.float32(2)) - 1 == np.float32(2.0**-23)  # NumPy's too


def run_function(function, opcode, *types):
    """Write one of the functions that other rules call, and give its text."""
    e = Emitter(LlvmModule(32))
    sources = [LlvmValue(f"%a{k}", t) for k, t in enumerate(types)]
    result = function(e, decode(opcode), *sources)
    return "\n".join([*e.lines, *[f.text for f in e.module.shared.values()]]), result


def test_plain_arithmetic_is_one_instruction():
    for function, opcode in (
        (floats.add, "add.f32"),
        (floats.mul, "mul.rn.f64"),
        (floats.sub, "sub.f32"),
    ):
        type_ = "float" if "32" in opcode else "double"
        text, result = run_function(function, opcode, type_, type_)
        assert text.count("=") == 1, text
        assert result.type == type_
    text, _ = run_function(floats.multiply_add, "fma.rn.f32", "float", "float", "float")
    assert text.count("call") == 1


def test_out_of_bounds_fma_is_refused():
    instruction = first_instruction("fma.rn.oob.f16 %h1, %h2, %h3, %h4;")
    assert "oob" in REFUSALS["fma"](instruction)


@pytest.mark.parametrize(
    ("type_", "dtype", "format_", "least"),
    [("f16", np.float16, F16, 2.0**-24), ("bf16", ml_dtypes.bfloat16, BF16, 2.0**-133)],
)
def test_fma_next_to_the_middle_of_two_numbers(type_, dtype, format_, least):
    """Products that end exactly between two numbers, and a third operand that tips the balance."""
    step = 2.0 ** (1 - format_.precision)
    odd = 1 + np.arange(1, 64, 2) * step
    a = np.concatenate([odd, -odd]).astype(dtype)
    b = np.full(a.shape, 1 + step * (1 << format_.precision - 2), dtype)  # 1.5: half a unit left
    for tip in (least, -least, 0.0):
        c = np.full(a.shape, tip, dtype)
        got = compute(f"fma.rn.{type_} %h4, %h1, %h2, %h3;", "h4", dtype, h1=a, h2=b, h3=c)
        exact = [fraction(x) * fraction(y) + fraction(tip) for x, y in zip(a, b, strict=True)]
        wanted = np.array([rounded(value, format_) for value in exact])
        assert_same(got.astype(np.float64), wanted, a)
        through_float = (a.astype(np.float32) * b.astype(np.float32) + np.float32(tip)).astype(
            dtype
        )
        rounded_twice = through_float.astype(np.float64) != wanted
        assert rounded_twice.any() == (tip != 0)  # else the case would show nothing


def test_sums_of_floats_add_in_the_order_of_lanes():
    rng = np.random.default_rng(1)
    a = (rng.standard_normal(64) * 10.0 ** rng.integers(-6, 6, 64)).astype(np.float32)
    mask = 0xF0F0_FFFF_0000_F00E
    operation = compile_operation("redux.sync.add.f32 %d, %a, -1;", ".reg .f32 %d, %a;", 64)
    out = operation.run({"%a": a}, mask)["%d"].view(np.float32)
    total = np.float32(a[1])
    for lane in lanes_of(mask)[1:]:
        total = np.float32(total + a[lane])
    assert {float(out[k]) for k in lanes_of(mask)} == {float(total)}


def test_votes_and_reductions_of_64_lanes():
    text = """vote.sync.ballot.b64 %D, %p, -1; redux.sync.max.s64 %E, %A, -1; activemask.b64 %F;
              shfl.sync.bfly.b32 %d, %a, 32, 63, -1;"""
    mask = 0xF000_0000_0000_0F0F
    a = values(random.Random(2), 64, 64)
    registers = ".reg .b64 %D, %E, %F, %A; .reg .pred %p; .reg .b32 %d, %a;"
    given = {"%p": np.arange(64) % 3 == 0, "%A": array(a, 64), "%a": array(range(64), 32)}
    out = compile_operation(text, registers, 64).run(given, mask)
    on = lanes_of(mask)
    best = max(signed(a[k], 64) for k in on) % (1 << 64)
    for lane in on:
        assert out["%D"][lane] == sum(1 << k for k in on if k % 3 == 0)
        assert out["%E"][lane] == best
        assert out["%F"][lane] == mask
        assert out["%d"][lane] == lane ^ 32


def lanes_of(bits, count=64):
    return [k for k in range(count) if bits >> k & 1]
