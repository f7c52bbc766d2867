"""Forms that compilers give one value are told to be one, and only where they are."""

from itertools import product

import pytest

from warpmill.analyzer.analyses.divergence.lane_operations import apply_to_lanes
from warpmill.analyzer.analyses.values.symbolic import AtomKind, apply, number, substitute, symbol

np = pytest.importorskip("numpy")

TID = symbol(AtomKind.SPECIAL, "tid.x")
CTAID = symbol(AtomKind.SPECIAL, "ctaid.x")
N = symbol(AtomKind.ARGUMENT, "n", 0)
I = symbol(AtomKind.COUNTER, "i(L)", 0)  # noqa: E741 - the counter's usual name
VALUES = {TID: (0, 1, 7, 31, 1023), CTAID: (0, 3, 70), N: (-9, -1, 0, 1, 5, 16, 33), I: (0, 1, 6)}


def at(formula, point):
    atoms = {next(iter(s.atoms)): v for s, v in point.items()}
    value = substitute(formula, lambda a: number(atoms[a]) if a in atoms else None)
    return value.constant


def points():
    for values in product(*VALUES.values()):
        yield dict(zip(VALUES, values, strict=True))


def shifted(value, bits, word):
    """Write ``value / 2**bits`` as shifts: the sign's highest bits, without the sign, are added."""
    sign = apply("and", apply("floordiv", value, number(1 << word - 1)), number((1 << bits) - 1))
    return apply("floordiv", value + sign, number(1 << bits))


@pytest.mark.parametrize(
    ("form", "simple"),
    [
        (apply("and", TID, number((1 << 32) - 1)), TID),
        (apply("and", TID + CTAID * number(4), number((1 << 64) - 1)), TID + CTAID * number(4)),
        (apply("or", I * number(2), number(1)), I * number(2) + number(1)),
        (apply("or", apply("and", TID, number(15)), N * number(16)),
         apply("and", TID, number(15)) + N * number(16)),
        (apply("or", TID, CTAID * number(1024)), TID + CTAID * number(1024)),
        (apply("xor", N, number(-1)), number(-1) - N),
        (apply("not.b32", N), number(-1) - N),
        (apply("div", TID, number(4)), apply("floordiv", TID, number(4))),
        (apply("and", N + number(1023), TID), apply("and", N - number(1), TID)),
    ],
)  # fmt: skip
def test_two_forms_are_one_and_compute_the_same(form, simple):
    assert form == simple
    assert all(at(form, p) == at(simple, p) for p in points())


@pytest.mark.parametrize("word", [32, 64])
@pytest.mark.parametrize("bits", [1, 2, 4, 10])
def test_a_signed_division_is_read_from_its_shifts(bits, word):
    assert shifted(N, bits, word) == apply("div", N, number(1 << bits))
    mixed = N * CTAID - number(3)
    assert shifted(mixed, bits, word) == apply("div", mixed, number(1 << bits))


@pytest.mark.parametrize(
    "form",
    [
        apply("and", N, number((1 << 32) - 1)),  # it may be negative
        apply("and", TID, number(31)),
        apply("or", TID, CTAID * number(512)),  # 1023 reaches into it
        apply("or", I, number(1)),
        apply("xor", N, number(1)),
        apply("div", N, number(4)),
        apply("and", TID + number(3), N),
        apply("floordiv", N + apply("floordiv", N, number(1 << 31)), number(4)),  # half a sign
    ],
)
def test_what_may_differ_stays(form):
    ((monomial, factor),) = form.terms
    assert factor == 1 and monomial[0].kind is AtomKind.OPERATION


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["and", "or", "xor", "min", "max", "div", "rem", "floordiv"])
def test_forms_with_numbers_compute_as_the_operation(name):
    """Whatever is simplified: with all values put in, a formula is what the operation gives."""
    operands = (TID, N, I * number(2) + number(1), CTAID * number(16), number(-1), number(12))
    for a, b in product(operands, repeat=2):
        formula = apply(name, a, b)
        for point in points():
            numbers = at(a, point), at(b, point)
            if name in ("div", "rem", "floordiv") and numbers[1] == 0:
                continue
            assert at(formula, point) == at(apply(name, *map(number, numbers)), point)


@pytest.mark.parametrize(
    "name", ["and", "or", "xor", "min", "max", "div", "rem", "floordiv", "ceildiv", "shl", "shr"]
)
def test_lanes_compute_as_numbers_do(name):
    left = np.array([-1000, -17, -1, 0, 1, 5, 1023, 1 << 40])
    for right in (1, 2, 3, 7, 16) + (() if name in ("shl", "shr") else (-1, -5)):
        found = apply_to_lanes(name, [left, np.asarray(right)])
        each = [apply(name, number(int(x)), number(right)).constant for x in left]
        assert found.tolist() == each


@pytest.mark.parametrize("name", ["bitlength", "log2ceil"])
def test_lengths_in_bits(name):
    values = np.array([-3, 0, 1, 2, 3, 4, 255, 256, (1 << 62) - 1])
    found = apply_to_lanes(name, [values]).tolist()
    assert found == [apply(name, number(int(v))).constant for v in values]


def test_opcodes_that_formulas_keep():
    a, b = np.array([-1, 3]), np.array([2, 2])
    assert apply_to_lanes("setp.lt.s32", [a, b]).tolist() == [True, False]
    assert apply_to_lanes("setp.lt.u32", [a, b]).tolist() == [False, False]
    assert apply_to_lanes("setp.lo.u64", [a, b]).tolist() == [False, False]
    assert apply_to_lanes("selp.b32", [a, b, np.array([True, False])]).tolist() == [-1, 2]
    assert apply_to_lanes("not.pred", [np.array([True, False])]).tolist() == [False, True]
    assert apply_to_lanes("abs.s32", [a]).tolist() == [1, 3]
    assert apply_to_lanes("mul.hi.u32", [a, np.array([16, 16])]).tolist() == [15, 0]
    assert apply_to_lanes("mul.hi.s32", [a, np.array([16, 16])]).tolist() == [-1, 0]
    assert apply_to_lanes("bfe.u32", [a, np.asarray(1), np.asarray(3)]).tolist() == [7, 1]
    assert apply_to_lanes("bfe.s32", [a, np.asarray(0), np.asarray(2)]).tolist() == [-1, -1]


@pytest.mark.parametrize(
    "name", ["fns.b32", "ex2.approx.f32", "mul.hi.u64", "lop3.or.BoolOp.b32", "what.b32"]
)
def test_what_is_not_followed_is_unknown(name):
    found = apply_to_lanes(name, [np.array([1, 2])] * 3)
    assert "not followed" in found.reason


def test_a_division_by_zero_is_unknown():
    assert (
        apply_to_lanes("rem", [np.array([1, 2]), np.array([1, 0])]).reason == "it divides by zero"
    )
