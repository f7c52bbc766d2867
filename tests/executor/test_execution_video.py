"""Dot products of packed elements and video instructions, by the manual's pseudo-code."""

import pytest

from tests.reference.lane_values import check, signed


def elements(word, bits, sign):
    parts = [word >> k & (1 << bits) - 1 for k in range(0, 32, bits)]
    return [signed(p, bits) for p in parts] if sign else parts


def dot(bits_a, sign_a, bits_b, sign_b, skipped=0):
    def oracle(a, b, c):
        left, right = elements(a, bits_a, sign_a), elements(b, bits_b, sign_b)[skipped:]
        return c + sum(x * y for x, y in zip(left, right, strict=False))

    return oracle


@pytest.mark.parametrize("sign_a", ["u", "s"])
@pytest.mark.parametrize("sign_b", ["u", "s"])
def test_dot_products(sign_a, sign_b):
    signs = f"{sign_a}32.{sign_b}32 %d, %a, %b, %c;"
    a, b = sign_a == "s", sign_b == "s"
    check(f"dp4a.{signs}", dot(8, a, 8, b))
    check(f"dp8a.{signs}", dot(4, a, 4, b))
    check(f"dp2a.lo.{signs}", dot(16, a, 8, b))
    check(f"dp2a.hi.{signs}", dot(16, a, 8, b, 2), 64)


def part(word, selector, sign):
    """A byte, a half or the word, by its selector."""
    if not selector:
        return signed(word) if sign else word
    return elements(word, 8 if selector[0] == "b" else 16, sign)[int(selector[1])]


def clamped(value, bits, sign):
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if sign else (0, (1 << bits) - 1)
    return max(least, min(most, value))


def merged(value, into, selector):
    bits = 8 if selector[0] == "b" else 16
    shift = bits * int(selector[1])
    mask = (1 << bits) - 1 << shift
    return into & ~mask | value << shift & mask


@pytest.mark.parametrize(
    ("statement", "oracle"),
    [
        (
            "vadd.s32.u32.s32.sat.add %d, %a.b0, %b.h1, %c;",
            lambda a, b, c: clamped(part(a, "b0", False) + part(b, "h1", True), 32, True) + c,
        ),
        ("vadd.u32.u32.u32.sat %d, %a, %b;", lambda a, b: clamped(a + b, 32, False)),
        ("vadd.s32.s32.s32.sat %d, %a, %b;", lambda a, b: clamped(signed(a) + signed(b), 32, True)),
        ("vsub.u32.u32.u32.sat %d, %a, %b;", lambda a, b: clamped(a - b, 32, False)),
        ("vsub.s32.u32.u32.sat %d, %a, %b;", lambda a, b: clamped(a - b, 32, True)),
        ("vsub.s32.u32.u32 %d, %a, %b.h0;", lambda a, b: a - part(b, "h0", False)),
        (
            "vabsdiff.u32.s32.s32.max %d, %a, %b, %c;",
            lambda a, b, c: max(abs(signed(a) - signed(b)), c),
        ),
        (
            "vadd.s32.s32.s32.sat %d.b2, %a, %b.b3, %c;",
            lambda a, b, c: merged(clamped(signed(a) + part(b, "b3", True), 8, True), c, "b2"),
        ),
        (
            "vmin.s32.s32.u32 %d.h1, %a, %b, %c;",
            lambda a, b, c: merged(min(signed(a), b), c, "h1"),
        ),
        ("vadd.u32.u32.u32.min %d, %a, %b, %c;", lambda a, b, c: min(a + b, c)),
        ("vsub.u32.u32.u32.max %d, %a, %b, %c;", lambda a, b, c: max(a - b, c)),
        ("vmax.s32.s32.s32 %d, %a, %b;", lambda a, b: max(signed(a), signed(b))),
        (
            "vmax.s32.s32.s32.min %d, %a, %b, %c;",
            lambda a, b, c: min(max(signed(a), signed(b)), signed(c)),
        ),
        ("vshl.u32.u32.u32.clamp %d, %a, %b;", lambda a, b: a << min(b, 32)),
        ("vshl.u32.u32.u32.sat.clamp %d, %a, %b;",
         lambda a, b: clamped(a << min(b, 32), 32, False)),
        (
            "vshl.s32.s32.u32.sat.wrap %d, %a, %b;",
            lambda a, b: clamped(signed(a) << (b & 31), 32, True),
        ),
        (
            "vshr.s32.s32.u32.wrap.add %d, %a, %b, %c;",
            lambda a, b, c: (signed(a) >> (b & 31)) + c,
        ),
        ("vshr.u32.u32.u32.clamp %d, %a, %b;", lambda a, b: a >> min(b, 32)),
        ("vset.s32.u32.lt %d, %a, %b;", lambda a, b: signed(a) < b),
        ("vset.u32.u32.ge.add %d, %a.b1, %b.b2, %c;",
         lambda a, b, c: (part(a, "b1", False) >= part(b, "b2", False)) + c),
        ("vset.u32.u32.ne %d.b3, %a, %b, %c;", lambda a, b, c: merged(a != b, c, "b3")),
    ],
)  # fmt: skip
def test_scalar(statement, oracle):
    check(statement, oracle)


@pytest.mark.parametrize(
    ("statement", "oracle"),
    [
        ("vmad.s32.s32.s32 %d, %a, %b, %c;", lambda a, b, c: signed(a) * signed(b) + signed(c)),
        (
            "vmad.u32.u32.u32.sat %d, %a, %b, %c;",
            lambda a, b, c: clamped(a * b + c, 32, False),
        ),
        ("vmad.u32.u32.u32.sat.shr7 %d, %a.h1, %b, %c;",
         lambda a, b, c: clamped((a >> 16) * b + c >> 7, 32, False)),
        ("vmad.u32.u32.u32.po.shr15 %d, %a, %b, %c;", lambda a, b, c: a * b + c + 1 >> 15),
        ("vmad.s32.u32.u32.sat %d, -%a, %b, %c;",
         lambda a, b, c: clamped(-a * b + signed(c), 32, True)),
        ("vmad.s32.s32.u32.shr15 %d, %a.b0, -%b.h0, %c;",
         lambda a, b, c: -part(a, "b0", True) * part(b, "h0", False) + signed(c) >> 15),
        ("vmad.s32.s32.s32.sat %d, %a, %b, -%c;",
         lambda a, b, c: clamped(signed(a) * signed(b) - signed(c), 32, True)),
        ("vmad.u32.u32.u32.sat %d, %a, %b, -%c;",
         lambda a, b, c: clamped(a * b - signed(c), 32, True)),
    ],
)  # fmt: skip
def test_multiply_and_add(statement, oracle):
    check(statement, oracle)


def computed(count, signs, compute, places, words):
    """Each result; ``places`` are which of both words' elements each pair is."""
    bits, (sign_a, sign_b) = 32 // count, (sign == "s" for sign in signs)
    both_a, both_b = (
        [e for w in words for e in elements(w, bits, sign)] for sign in (sign_a, sign_b)
    )
    places_a, places_b = places or (range(count), range(count, 2 * count))
    return [compute(both_a[p], both_b[q]) for p, q in zip(places_a, places_b, strict=True)]


def packed(count, signs, compute, places=None, mask=None):
    """The results in place of elements of the third word."""

    def oracle(a, b, c):
        results = computed(count, signs, compute, places, (a, b))
        for k in range(count) if mask is None else mask:
            shift = 32 // count * k
            field = (1 << 32 // count) - 1 << shift
            c = c & ~field | results[k] << shift & field
        return c

    return oracle


def summed(count, signs, compute, mask=None):
    """The results added to the third word."""

    def oracle(a, b, c):
        results = computed(count, signs, compute, None, (a, b))
        return c + sum(r for k, r in enumerate(results) if mask is None or k in mask)

    return oracle


def mean(a, b):
    return (a + b + 1 if a + b >= 0 else a + b) >> 1


@pytest.mark.parametrize(
    ("statement", "oracle"),
    [
        ("vadd2.s32.s32.s32.sat %d, %a, %b, %c;",
         packed(2, "ss", lambda x, y: clamped(x + y, 16, True))),
        ("vadd2.u32.s32.u32.sat %d, %a, %b, %c;",
         packed(2, "su", lambda x, y: clamped(x + y, 16, False))),
        ("vsub2.s32.s32.s32 %d.h0, %a.h10, %b.h32, %c;",
         packed(2, "ss", lambda x, y: x - y, mask=[0])),
        ("vsub2.s32.s32.s32 %d.h1, %a.h02, %b.h31, %c;",
         packed(2, "ss", lambda x, y: x - y, mask=[1], places=([2, 0], [1, 3]))),
        ("vavrg2.s32.s32.s32 %d, %a, %b, %c;", packed(2, "ss", mean)),
        ("vabsdiff2.u32.u32.u32.add %d, %a, %b, %c;",
         summed(2, "uu", lambda x, y: abs(x - y))),
        ("vabsdiff2.s32.s32.s32.sat %d, %a, %b, %c;",
         packed(2, "ss", lambda x, y: clamped(abs(x - y), 16, True))),
        ("vmin2.s32.s32.s32 %d, %a, %b, %c;", packed(2, "ss", min)),
        ("vset2.u32.u32.ge %d, %a, %b, %c;", packed(2, "uu", lambda x, y: x >= y)),
        ("vset2.s32.s32.lt.add %d.h1, %a, %b, %c;",
         summed(2, "ss", lambda x, y: x < y, mask=[1])),
        ("vadd4.u32.u32.u32 %d.b10, %a.b3210, %b.b7654, %c;",
         packed(4, "uu", lambda x, y: x + y, mask=[0, 1])),
        ("vadd4.s32.s32.s32.sat %d.b31, %a.b0123, %b.b7062, %c;",
         packed(4, "ss", lambda x, y: clamped(x + y, 8, True), mask=[1, 3],
                places=([3, 2, 1, 0], [2, 6, 0, 7]))),
        ("vsub4.s32.s32.s32.add %d, %a, %b, %c;",
         summed(4, "ss", lambda x, y: x - y)),
        ("vavrg4.u32.u32.u32 %d, %a, %b, %c;", packed(4, "uu", mean)),
        ("vabsdiff4.u32.u32.u32.add %d, %a, %b, %c;",
         summed(4, "uu", lambda x, y: abs(x - y))),
        ("vmin4.s32.s32.s32 %d, %a, %b, %c;", packed(4, "ss", min)),
        ("vmax4.u32.u32.s32 %d, %a, %b, %c;", packed(4, "us", max)),
        ("vset4.u32.u32.lt.add %d.b20, %a, %b, %c;",
         summed(4, "uu", lambda x, y: x < y, mask=[0, 2])),
    ],
)  # fmt: skip
def test_packed(statement, oracle):
    check(statement, oracle)
