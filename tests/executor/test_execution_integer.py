"""Integer arithmetic of the executor against Python's integers, lane by lane."""

import random

import numpy as np
import pytest

from tests.reference.lane_values import array, check, signed, values
from tests.reference.one_operation import compile_operation


def divided(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def quotient(a, b, bits, sign):
    if b == 0:
        return -1
    return divided(signed(a, bits), signed(b, bits)) if sign else a // b


def remainder(a, b, bits, sign):
    if b == 0:
        return -1
    if not sign:
        return a % b
    a, b = signed(a, bits), signed(b, bits)
    return a - divided(a, b) * b


REGISTERS = {16: "%w, %x, %y", 32: "%d, %a, %b", 64: "%D, %A, %B"}


@pytest.mark.parametrize("sign", "us")
@pytest.mark.parametrize("bits", [16, 32, 64])
@pytest.mark.parametrize(("word", "oracle"), [("div", quotient), ("rem", remainder)])
def test_division_is_exact_and_never_traps(word, oracle, bits, sign):
    statement = f"{word}.{sign}{bits} {REGISTERS[bits]};"
    check(statement, lambda x, y: oracle(x, y, bits, sign == "s"))


@pytest.mark.parametrize("divisor", [1, 3, 7, 16, 641, -1, -5, -(1 << 31)])
def test_division_by_a_constant(divisor):
    known = divisor % (1 << 32)
    check(f"div.s32 %d, %a, {divisor};", lambda a: quotient(a, known, 32, True))
    check(f"rem.s32 %d, %a, {divisor};", lambda a: remainder(a, known, 32, True))
    check(f"div.u32 %d, %a, {known};", lambda a: a // known)
    check(f"rem.u64 %D, %A, {known};", lambda a: a % known)


def test_neighbours_of_multiples_divide_exactly():
    rng = random.Random(1)
    operation = compile_operation("div.u32 %d, %a, %b;", ".reg .b32 %a, %b, %d;")
    for _ in range(50):
        divisors = [rng.getrandbits(rng.randint(1, 32)) or 1 for _ in range(32)]
        tops = [rng.randrange((1 << 32) // d + 1) * d for d in divisors]
        numbers = [max(0, min((1 << 32) - 1, top - rng.randint(0, 1))) for top in tops]
        out = operation.run({"%a": array(numbers, 32), "%b": array(divisors, 32)})["%d"]
        assert out.tolist() == [n // d for n, d in zip(numbers, divisors, strict=True)]


def clamped(value):
    return max(-(1 << 31), min((1 << 31) - 1, value))


s = signed


def s24(value):
    return signed(value, 24)


def s64(value):
    return signed(value, 64)


@pytest.mark.parametrize(
    ("statement", "oracle"),
    [
        ("add.u32 %d, %a, %b;", lambda a, b: a + b),
        ("add.s32 %d, %a, -7;", lambda a: a - 7),
        ("add.sat.s32 %d, %a, %b;", lambda a, b: clamped(s(a) + s(b))),
        ("sub.s32 %d, %a, %b;", lambda a, b: a - b),
        ("sub.sat.s32 %d, %a, %b;", lambda a, b: clamped(s(a) - s(b))),
        ("neg.s32 %d, %a;", lambda a: -a),
        ("abs.s32 %d, %a;", lambda a: abs(s(a))),
        ("sad.u32 %d, %a, %b, %c;", lambda a, b, c: c + abs(a - b)),
        ("sad.s32 %d, %a, %b, %c;", lambda a, b, c: c + abs(s(a) - s(b))),
        ("min.s32 %d, %a, %b;", lambda a, b: min(s(a), s(b))),
        ("min.u32 %d, %a, %b;", min),
        ("max.relu.s32 %d, %a, %b;", lambda a, b: max(s(a), s(b), 0)),
        ("min.relu.s32 %d, %a, %b;", lambda a, b: max(min(s(a), s(b)), 0)),
        ("mul.lo.s32 %d, %a, %b;", lambda a, b: a * b),
        ("mul.hi.s32 %d, %a, %b;", lambda a, b: s(a) * s(b) >> 32),
        ("mul.hi.u32 %d, %a, %b;", lambda a, b: a * b >> 32),
        ("mul.hi.s16 %w, %x, %y;", lambda a, b: s(a, 16) * s(b, 16) >> 16),
        ("mul24.lo.s32 %d, %a, %b;", lambda a, b: s24(a) * s24(b)),
        ("mul24.hi.s32 %d, %a, %b;", lambda a, b: s24(a) * s24(b) >> 16),
        ("mul24.hi.u32 %d, %a, %b;", lambda a, b: (a % 2**24) * (b % 2**24) >> 16),
        ("mad24.lo.u32 %d, %a, %b, %c;", lambda a, b, c: (a % 2**24) * (b % 2**24) + c),
        (
            "mad24.hi.sat.s32 %d, %a, %b, %c;",
            lambda a, b, c: clamped(s(s24(a) * s24(b) >> 16) + s(c)),
        ),
        ("mad.lo.s32 %d, %a, %b, %c;", lambda a, b, c: a * b + c),
        ("mad.hi.u32 %d, %a, %b, %c;", lambda a, b, c: (a * b >> 32) + c),
        ("mad.hi.sat.s32 %d, %a, %b, %c;", lambda a, b, c: clamped((s(a) * s(b) >> 32) + s(c))),
        ("mul.hi.s64 %D, %A, %B;", lambda a, b: s64(a) * s64(b) >> 64),
        ("mul.hi.u64 %D, %A, %B;", lambda a, b: a * b >> 64),
        ("mad.hi.u64 %D, %A, %B, %C;", lambda a, b, c: (a * b >> 64) + c),
        ("mad.lo.s64 %D, %A, %B, %C;", lambda a, b, c: a * b + c),
        ("min.s64 %D, %A, %B;", lambda a, b: min(s64(a), s64(b))),
        ("abs.s64 %D, %A;", lambda a: abs(s64(a))),
    ],
)
def test_arithmetic(statement, oracle):
    check(statement, oracle)


@pytest.mark.parametrize("lanes", [32, 64])
def test_wide_products(lanes):
    check("mul.wide.s32 %D, %a, %b;", lambda a, b: s(a) * s(b), lanes)
    check("mul.wide.u32 %D, %a, %b;", lambda a, b: a * b, lanes)
    check("mad.wide.u32 %D, %a, %b, %C;", lambda a, b, c: a * b + c, lanes)
    check("mul.wide.s16 %d, %x, %y;", lambda a, b: s(a, 16) * s(b, 16), lanes)


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


def by_half(sign, compute):
    def oracle(a, b):
        pairs = [[v & 0xFFFF, v >> 16] for v in (a, b)]
        if sign:
            pairs = [[signed(h, 16) for h in pair] for pair in pairs]
        low, high = (compute(x, y) % (1 << 16) for x, y in zip(*pairs, strict=True))
        return low | high << 16

    return oracle


def test_pairs_of_halves_do_not_carry_into_each_other():
    check("add.u16x2 %d, %a, %b;", by_half(False, lambda x, y: x + y))
    check("min.u16x2 %d, %a, %b;", by_half(False, min))
    check("max.s16x2 %d, %a, %b;", by_half(True, max))
    check("max.s16x2.relu %d, %a, %b;", by_half(True, lambda x, y: max(x, y, 0)))


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
