"""Expressions in normal form: what they say is what plain arithmetic says."""

import operator
import random

import pytest

from warpmill.analyzer.analyses.values.symbolic import (
    FOLDS,
    Atom,
    AtomKind,
    apply,
    evaluate,
    leaves,
    number,
    of,
    substitute,
    symbol,
)

ATOMS = tuple(Atom(AtomKind.ARGUMENT, n, i) for i, n in enumerate("nmk"))
N, M, K = map(of, ATOMS)
DIVISIONS = ("div", "rem", "floordiv", "ceildiv")


def random_expression(rng, depth):
    """An expression and a function that computes it from the atoms' values."""
    if depth == 0 or rng.random() < 0.2:
        if rng.random() < 0.4:
            value = rng.randint(-6, 6)
            return number(value), lambda _: value
        atom = rng.choice(ATOMS)
        return of(atom), lambda values: values[atom]
    a, f = random_expression(rng, depth - 1)
    b, g = random_expression(rng, depth - 1)
    plain = {"+": operator.add, "-": operator.sub, "*": operator.mul}
    name = rng.choice(["+", "-", "*", "neg", "min", "max", *DIVISIONS, "bitlength", "log2ceil"])
    if name in plain:
        return plain[name](a, b), lambda v: plain[name](f(v), g(v))
    if name == "neg":
        return -a, lambda v: -f(v)
    if name in ("bitlength", "log2ceil"):
        return apply(name, a), lambda v: FOLDS[name](f(v))
    if name in DIVISIONS:
        divisor = rng.choice([-3, -1, 1, 2, 4, 7])
        return apply(name, a, number(divisor)), lambda v: SLOW[name](f(v), divisor)
    return apply(name, a, b), lambda v: {"min": min, "max": max}[name](f(v), g(v))


def _towards_zero(a, b):
    quotient = 0
    while (abs(quotient) + 1) * abs(b) <= abs(a):
        quotient += 1 if (a < 0) == (b < 0) else -1
    return quotient


SLOW = {
    "div": _towards_zero,
    "rem": lambda a, b: a - b * _towards_zero(a, b),
    "floordiv": lambda a, b: _towards_zero(a, b) - (a % b != 0 and (a < 0) != (b < 0)),
    "ceildiv": lambda a, b: _towards_zero(a, b) + (a % b != 0 and (a < 0) == (b < 0)),
}


@pytest.mark.parametrize("seed", range(60))
def test_an_expression_is_worth_what_its_operations_give(seed):
    rng = random.Random(seed)
    expression, function = random_expression(rng, 3)
    for _ in range(5):
        values = {atom: rng.randint(-5, 9) for atom in ATOMS}
        if abs(function(values)) < 10**6:  # the slow division counts
            assert evaluate(expression, values) == function(values)


@pytest.mark.parametrize("seed", range(60))
def test_an_expression_does_not_come_below_its_lower_bound(seed):
    rng = random.Random(seed)
    ids = [symbol(AtomKind.SPECIAL, "tid.x"), symbol(AtomKind.COUNTER, "i(L)", 1)]
    expression, _ = random_expression(rng, 3)
    for name, other in (("and", ids[0]), ("max", ids[0] * ids[1]), ("div", number(3))):
        found = apply(name, expression, other) * number(2) + ids[1] * ids[0] - number(1)
        lowest = found.lower_bound
        assert lowest is not None or name == "div"
        for _ in range(5):
            values = {atom: rng.randint(-5, 9) for atom in ATOMS}
            values |= {atom: rng.randint(0, 9) for each in ids for atom in leaves(each)}
            assert lowest is None or evaluate(found, values) >= lowest


def test_equal_polynomials_are_equal_however_they_were_made():
    assert (N + M) * (N - M) == N * N - M * M
    assert N * (M + number(2)) - number(2) * N == M * N
    assert (N - N).terms == ()


def test_division_is_done_where_it_leaves_no_rest():
    assert apply("floordiv", number(4) * N + number(8), number(4)) == N + number(2)
    assert apply("floordiv", number(4) * N + number(2), number(4)) == N
    assert str(apply("floordiv", number(4) * N + M, number(4))) == "n + floordiv(m, 4)"
    assert apply("div", N, number(0)).constant is None


def test_a_grid_in_threads_by_a_block_is_the_grid():
    grid, block, lane = (symbol(AtomKind.SPECIAL, f"{n}.x") for n in ("nctaid", "ntid", "tid"))
    threads = grid * block * number(6)
    assert apply("div", threads, block * number(3)) == grid * number(2)
    assert apply("rem", threads, block) == number(0)
    assert apply("rem", threads + lane, block).constant is None
    assert apply("div", threads, block * block).constant is None
    assert apply("div", lane * N, lane) != N  # ids are zero somewhere


@pytest.mark.parametrize("power", [1, 2, 5, 16])
@pytest.mark.parametrize("bits", [32, 64])
def test_what_compilers_make_of_a_signed_division_is_one(power, bits):
    """``(x + (x >> 31 >>> 32 - k)) >> k``; for k = 1 the two shifts are one."""
    for x in (N, N - M, number(3) * N + K):
        sign = apply("floordiv", x, number(1 << bits - 1))
        sign = apply("and", sign, number((1 << power) - 1))  # shifted by `bits - power`
        found = apply("floordiv", x + sign, number(1 << power))
        assert found == apply("div", x, number(1 << power))


def test_sums_of_many_quotients_take_no_longer_than_their_terms():
    """Words of SHA-256's schedule are sums of shifted ones; a parameter may be called `div`."""
    names = [symbol(AtomKind.ARGUMENT, name) for name in ("div", "floordiv", *"abcdefghij")]
    total = sum(names, number(0))
    total += sum((apply("floordiv", name, number(8)) for name in names), number(0))
    assert str(apply("floordiv", total, number(8))).startswith("floordiv(")


def test_a_coefficient_is_given_only_where_the_expression_is_linear():
    (n, _, _) = ATOMS
    assert (N * M + number(3) * N + K).coefficient(n) == M + number(3)
    assert K.coefficient(n) == number(0)
    assert (N * N).coefficient(n) is None
    assert apply("min", N, K).coefficient(n) is None


def test_replacing_reaches_into_operations_and_simplifies():
    inside = apply("min", N * M, K)
    replaced = substitute(inside, {ATOMS[0]: number(2), ATOMS[1]: number(5)}.get)
    assert replaced == apply("min", number(10), K)
    assert evaluate(inside, {ATOMS[0]: 2, ATOMS[1]: 5}) is None


def test_leaves_are_what_an_expression_rests_on():
    assert list(leaves(apply("max", K, M) + N * M)) == [ATOMS[2], ATOMS[1], ATOMS[0]]


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (number(0), "0"),
        (-N, "-n"),
        (N * M - number(2) * K + number(1), "-2*k + m*n + 1"),
        (symbol(AtomKind.SPECIAL, "tid.x") - number(1), "tid.x - 1"),
    ],
)
def test_expressions_read_like_formulas(expression, text):
    assert str(expression) == text


def doubled(depth, last=K):
    """An expression of so many operations whose text doubles with each."""
    value = N + last
    for level in range(depth):
        value = apply("xor", value + number(level), value * M)
    return value


def test_short_atoms_are_ordered_by_their_text():
    rng = random.Random(5)
    made = [random_expression(rng, 3)[0] for _ in range(300)]
    atoms = {a for e in made for a in e.atoms if len(str(a)) < 256}
    by_text = sorted(atoms, key=lambda a: (a.kind.value, str(a), a.key))
    assert sorted(atoms, key=lambda a: a.order) == by_text
    short = {e for e in made if len(str(e)) < 256}
    assert sorted(short, key=lambda e: e.order) == sorted(short, key=str)


def test_long_texts_are_ordered_without_writing_them():
    """2^200 characters that begin alike: what follows decides, the same way for equal ones."""
    one, other = doubled(200), doubled(200, M)
    again = doubled(200)
    assert len(one.beginning) == 256
    assert one.order != other.order
    assert one.order == again.order
    assert one + other == other + one
    assert apply("min", one, other) == apply("min", other, again)
