"""Logic, shifts, bit fields, byte permutation and moves, by the manual's definitions bit by bit."""

import random

import numpy as np
import pytest

from tests.reference.lane_values import array, check, signed, values
from tests.reference.one_operation import compile_operation

ONES = (1 << 32) - 1


def limited(amount, most):
    return min(amount, most)


@pytest.mark.parametrize("amount", ["%b", "0", "5", "31", "32", "33", "255"])
def test_shifts_by_too_much_empty_or_fill_with_the_sign(amount):
    def by(*rest):
        return limited(rest[0] if rest else int(amount), 64)

    check(f"shl.b32 %d, %a, {amount};", lambda a, *r: a << by(*r))
    check(f"shr.u32 %d, %a, {amount};", lambda a, *r: a >> by(*r))
    check(f"shr.s32 %d, %a, {amount};", lambda a, *r: signed(a) >> by(*r))
    check(f"shl.b64 %D, %A, {amount};", lambda a, *r: a << by(*r))
    check(f"shr.s64 %D, %A, {amount};", lambda a, *r: signed(a, 64) >> by(*r))
    check(f"shl.b16 %w, %x, {amount};", lambda a, *r: a << by(*r))
    check(f"shr.u16 %w, %x, {amount};", lambda a, *r: a >> by(*r))
    check(f"shr.s16 %w, %x, {amount};", lambda a, *r: signed(a, 16) >> by(*r))


def funnel(left, clamp):
    def oracle(a, b, c):
        n = limited(c, 32) if clamp else c & 31
        both = b << 32 | a
        return (both << n) >> 32 if left else both >> n

    return oracle


@pytest.mark.parametrize("mode", ["clamp", "wrap"])
def test_funnel_shifts(mode):
    for word, left in (("l", True), ("r", False)):
        oracle = funnel(left, mode == "clamp")
        check(f"shf.{word}.{mode}.b32 %d, %a, %b, %c;", oracle)
        for amount in (0, 7, 31, 32, 40):
            check(
                f"shf.{word}.{mode}.b32 %d, %a, %b, {amount};",
                lambda a, b, n=amount, o=oracle: o(a, b, n),
            )


def bit(value, place):
    return value >> place & 1


def by_bits(table, a, b, c):
    places = (bit(a, k) << 2 | bit(b, k) << 1 | bit(c, k) for k in range(32))
    return sum(bit(table, row) << k for k, row in enumerate(places))


@pytest.mark.slow
def test_every_truth_table_of_three_inputs():
    text = "".join([f"lop3.b32 %r{t}, %a, %b, %c, {t};" for t in range(256)])
    operation = compile_operation(text, ".reg .b32 %r<256>, %a, %b, %c;")
    rng = random.Random(3)
    # 0xf0, 0xcc and 0xaa in each byte run through all rows of a table
    rows = [[0xF0F0F0F0, rng.getrandbits(32)], [0xCCCCCCCC, 5], [0xAAAAAAAA, rng.getrandbits(32)]]
    inputs = [array(row * 16, 32) for row in rows]
    out = operation.run(dict(zip(("%a", "%b", "%c"), inputs, strict=True)))
    for table in range(256):
        wanted = [by_bits(table, *column) for column in zip(*rows, strict=True)] * 16
        assert out[f"%r{table}"].tolist() == wanted, table


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


def last_set(value, bits):
    return next((k for k in reversed(range(bits)) if bit(value, k)), None)


def found(value, bits, sign, amount):
    if sign and bit(value, bits - 1):
        value = ~value
    place = last_set(value, bits)
    if place is None:
        return -1
    return bits - 1 - place if amount else place


def nth_set(mask, base, offset):
    if base > 31:
        return -1
    if offset == 0:
        return base if bit(mask, base) else -1
    offset = signed(offset)
    left, step = abs(offset), 1 if offset > 0 else -1
    while 0 <= base < 32:
        left -= bit(mask, base)
        if left == 0:
            return base
        base += step
    return -1


def field_taken(sign, bits):
    def oracle(a, place, length):
        place, length = place & 0xFF, length & 0xFF
        fill = bit(a, min(place + length - 1, bits - 1)) if sign and length else 0
        inside = [k < length and place + k < bits for k in range(bits)]
        return sum((bit(a, place + k) if inside[k] else fill) << k for k in range(bits))

    return oracle


def field_put(bits):
    def oracle(a, b, place, length):
        place, length = place & 0xFF, length & 0xFF
        for k in range(length):
            if place + k < bits:
                b = b & ~(1 << place + k) | bit(a, k) << place + k
        return b

    return oracle


def mask_of(clamp):
    def oracle(place, length):
        if not clamp:
            place, length = place & 31, length & 31
        return sum(1 << k for k in range(32) if place <= k < place + length)

    return oracle


def extended(sign, clamp):
    def oracle(a, length):
        n = min(length, 32) if clamp else length & 31
        low = a & ((1 << n) - 1)
        return low - (1 << n) if sign and n and bit(low, n - 1) else low

    return oracle


@pytest.mark.parametrize(
    ("statement", "oracle"),
    [
        ("and.b64 %D, %A, %B;", lambda a, b: a & b),
        ("or.b16 %w, %x, %y;", lambda a, b: a | b),
        ("xor.b32 %d, %a, 0xff00ff00;", lambda a: a ^ 0xFF00FF00),
        ("not.b32 %d, %a;", lambda a: ~a),
        ("cnot.b32 %d, %a;", lambda a: a == 0),
        ("and.pred %p, %q, %r;", lambda q, r: q and r),
        ("not.pred %p, %q;", lambda q: not q),
        ("popc.b32 %d, %a;", lambda a: a.bit_count()),
        ("popc.b64 %d, %A;", lambda a: a.bit_count()),
        ("clz.b32 %d, %a;", lambda a: 32 - a.bit_length()),
        ("clz.b64 %d, %A;", lambda a: 64 - a.bit_length()),
        ("bfind.u32 %d, %a;", lambda a: found(a, 32, False, False)),
        ("bfind.s32 %d, %a;", lambda a: found(a, 32, True, False)),
        ("bfind.shiftamt.s32 %d, %a;", lambda a: found(a, 32, True, True)),
        ("bfind.shiftamt.u64 %d, %A;", lambda a: found(a, 64, False, True)),
        ("bfind.s64 %d, %A;", lambda a: found(a, 64, True, False)),
        ("brev.b32 %d, %a;", lambda a: int(f"{a:032b}"[::-1], 2)),
        ("brev.b64 %D, %A;", lambda a: int(f"{a:064b}"[::-1], 2)),
        ("fns.b32 %d, %a, %b, %c;", nth_set),
        ("fns.b32 %d, %a, 31, -3;", lambda a: nth_set(a, 31, -3)),
        ("fns.b32 %d, %a, 0, 4;", lambda a: nth_set(a, 0, 4)),
        ("bfe.u32 %d, %a, %b, %c;", field_taken(False, 32)),
        ("bfe.s32 %d, %a, %b, %c;", field_taken(True, 32)),
        ("bfe.u64 %D, %A, %b, %c;", field_taken(False, 64)),
        ("bfe.s64 %D, %A, %b, %c;", field_taken(True, 64)),
        ("bfe.u32 %d, %a, 8, 8;", lambda a: a >> 8 & 255),
        ("bfe.s32 %d, %a, 24, 16;", lambda a: signed(a) >> 24),
        ("bfe.s32 %d, %a, 4, 0;", lambda _: 0),
        ("bfe.s64 %D, %A, 60, 3;", lambda a: field_taken(True, 64)(a, 60, 3)),
        ("bfi.b32 %d, %a, %b, %c, %e;", field_put(32)),
        ("bfi.b64 %D, %A, %B, %c, %e;", field_put(64)),
        ("bfi.b32 %d, %a, %b, 20, 16;", lambda a, b: field_put(32)(a, b, 20, 16)),
        ("bmsk.clamp.b32 %d, %a, %b;", mask_of(True)),
        ("bmsk.wrap.b32 %d, %a, %b;", mask_of(False)),
        ("szext.clamp.s32 %d, %a, %b;", extended(True, True)),
        ("szext.wrap.s32 %d, %a, %b;", extended(True, False)),
        ("szext.clamp.u32 %d, %a, %b;", extended(False, True)),
        ("szext.wrap.u32 %d, %a, %b;", extended(False, False)),
    ],
)  # fmt: skip
def test_bits(statement, oracle):
    check(statement, oracle, rounds=20)


def test_bits_in_warps_of_64():
    check("bfe.s32 %d, %a, %b, %c;", field_taken(True, 32), 64)
    check("fns.b32 %d, %a, %b, %c;", nth_set, 64)
    check("shf.l.clamp.b32 %d, %a, %b, %c;", funnel(True, True), 64)


# The manual's table of the modes: bytes of the result from the highest, by the selector.
MODES = {
    "f4e": ["3210", "4321", "5432", "6543"],
    "b4e": ["5670", "6701", "7012", "0123"],
    "rc8": ["0000", "1111", "2222", "3333"],
    "ecl": ["3210", "3211", "3222", "3333"],
    "ecr": ["0000", "1110", "2210", "3210"],
    "rc16": ["1010", "3232", "1010", "3232"],
}


def chosen_bytes(a, b, digits):
    """Bytes of ``b:a`` by digits from the highest; of 8 and more the sign."""
    result = 0
    for digit in digits:
        byte = (b << 32 | a) >> 8 * (digit & 7) & 255
        if digit & 8:
            byte = 255 if byte & 128 else 0
        result = result << 8 | byte
    return result


def nibbles(selector):
    return [selector >> 4 * k & 15 for k in (3, 2, 1, 0)]


def test_bytes_by_selector():
    check("prmt.b32 %d, %a, %b, %c;", lambda a, b, c: chosen_bytes(a, b, nibbles(c)))
    for known in (0x3210, 0x5410, 0x7632, 0x0123, 0x8C9D, 0xFFFF, 0x4444, 0x12340765):
        check(f"prmt.b32 %d, %a, %b, {known};",
              lambda a, b, k=known: chosen_bytes(a, b, nibbles(k)))  # fmt: skip
    check("prmt.b32 %d, %a, 0, 0x4140;", lambda a: chosen_bytes(a, 0, nibbles(0x4140)))


@pytest.mark.parametrize("mode", MODES)
def test_bytes_by_mode(mode):
    def oracle(a, b, c):
        return chosen_bytes(a, b, map(int, MODES[mode][c & 3]))

    check(f"prmt.b32.{mode} %d, %a, %b, %c;", oracle)
    check(f"prmt.b32.{mode} %d, %a, %b, 6;", lambda a, b: oracle(a, b, 2))


def test_shared_values_are_permuted_as_lanes_are():
    text = "mov.u32 %d, %ntid.x; prmt.b32 %a, %d, 7, 0x0004; shl.b32 %b, %d, %d;"
    out = compile_operation(text, ".reg .b32 %a, %b, %d;").run({})
    assert set(out["%a"].tolist()) == {7}
    assert set(out["%b"].tolist()) == {0}


def test_moves_pack_the_first_element_lowest():
    text = """mov.b64 %D, {%a, %b}; mov.b64 {%e, %f}, %A; mov.b64 {_, %g}, %A;
              mov.b32 %d, {%x, %y}; mov.b64 %E, {%x, %y, %x, 7}; mov.b128 %Q, {%A, %D};
              mov.b128 {%F, %G}, %Q; mov.b32 {%v, %w}, %a; mov.b64 {%fa, %fb}, %A;
              mov.b64 %H, {%fa, %b};"""
    registers = """.reg .b64 %A, %D, %E, %F, %G, %H; .reg .b32 %a, %b, %d, %e, %f, %g;
                   .reg .b16 %v, %w, %x, %y; .reg .b128 %Q; .reg .f32 %fa, %fb;"""
    operation = compile_operation(text, registers)
    rng = random.Random(5)
    a, b, x, y, wide = (values(rng, bits) for bits in (32, 32, 16, 16, 64))
    out = operation.run({"%a": array(a, 32), "%b": array(b, 32), "%x": array(x, 16),
                         "%y": array(y, 16), "%A": array(wide, 64)})  # fmt: skip
    for k in range(32):
        pair = b[k] << 32 | a[k]
        got = {n: int(out[n][k]) for n in out if n != "%Q"}
        assert got["%D"] == pair
        assert got["%e"] == got["%fa"] == wide[k] & ONES
        assert got["%f"] == got["%g"] == got["%fb"] == wide[k] >> 32
        assert got["%d"] == y[k] << 16 | x[k]
        assert got["%E"] == 7 << 48 | x[k] << 32 | y[k] << 16 | x[k]
        assert out["%Q"][k].tolist() == [wide[k], pair]
        assert (got["%F"], got["%G"]) == (wide[k], pair)
        assert (got["%v"], got["%w"]) == (a[k] & 0xFFFF, a[k] >> 16)
        assert got["%H"] == b[k] << 32 | wide[k] & ONES


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
