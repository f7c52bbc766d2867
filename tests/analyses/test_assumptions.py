"""What ``--assume`` says: how it is read, what it may name, and what formulas make of ranges."""

import random

import pytest

from tests.reference.programs import Loop, Lowering
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.assumptions import (
    AssumedRange,
    Assumptions,
    bound_intervals,
    check_assumptions,
    parse_assumptions,
    resolve,
)
from warpmill.analyzer.analyses.ranges.bounds import loop_bounds
from warpmill.analyzer.analyses.values.symbolic import (
    AtomKind,
    apply,
    evaluate,
    leaves,
    number,
    symbol,
)
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.frontends.load import load_kernel

BODY = [("store", "c0", None)]


def test_values_and_ranges_are_read_in_order():
    assumed = parse_assumptions(["$L__BB0_3=16", "n = 4..8", "m=-3", "n=5..9"])
    assert assumed == Assumptions(
        (
            ("$L__BB0_3", AssumedRange(16, 16)),
            ("n", AssumedRange(5, 9)),
            ("m", AssumedRange(-3, -3)),
        )
    )
    assert assumed.has_ranges
    assert [dict(end)["n"].low for end in assumed.ends()] == [5, 9]
    assert [dict(end)["m"].high for end in assumed.ends()] == [-3, -3]
    assert parse_assumptions(["n=4"]).ends() == (parse_assumptions(["n=4"]),)


NO_VALUES = ["", "4..", "..4", "4...8", "x", "8..4", "1e3", "9" * 13, "1,2", "²"]


@pytest.mark.parametrize("text", ["n", "=4", *(f"n={value}" for value in NO_VALUES)])
def test_other_texts_are_refused_in_their_own_words(text):
    with pytest.raises(UsageError, match=r"--assume"):
        parse_assumptions([text])


def nest():
    """A loop that data end around a triangle of arg0."""
    inner = ("loop", Loop("c1", "c0", ("add", 1), "lt", "arg0"), BODY)
    middle = ("loop", Loop("c0", 0, ("add", 1), "lt", "arg0"), [inner])
    data = [("set", "v0", ("mul.lo.s32", "v0", "v0")), ("break", ("ge", "v0", 9), [], True), middle]
    outer = ("loop", Loop("c2", 1, ("mul.lo.s32", 3), "lt", "arg1"), data)
    kernel = Lowering(("v0", "c0", "c1", "c2"), phis=False).kernel([outer])
    structure = analyse_structure(kernel)
    return structure, loop_bounds(structure)


def test_what_may_be_assumed_depends_on_the_launch():
    structure, bounds = nest()
    labels = [structure.kernel.blocks[b.header].label for b in bounds]
    for assumed in ({labels[0]: AssumedRange(3, 4)}, {}):
        check_assumptions(structure, bounds, assumed, has_launch=True)
    given = {"arg0": AssumedRange(-1, 5), "ntid.x": AssumedRange(32, 64)}
    check_assumptions(structure, bounds, given, has_launch=False)


@pytest.mark.parametrize(
    ("name", "interval", "has_launch", "words"),
    [
        ("arg0", AssumedRange(3, 3), True, "the launch gives arg0"),
        ("tid.x", AssumedRange(3, 3), True, "the launch gives tid.x"),
        ("nctaid.y", AssumedRange(-3, 3), False, "never below zero"),
        ("arg7", AssumedRange(3, 3), False, "arg0"),
        ("B0", AssumedRange(3, 3), True, "no loop B0"),
        (0, AssumedRange(-1, 3), True, "never below zero"),
        (1, AssumedRange(1, 3), True, "data do not decide loop"),
    ],
)
def test_what_is_known_or_unknown_is_refused(name, interval, has_launch, words):
    structure, bounds = nest()
    labels = [structure.kernel.blocks[b.header].label for b in bounds]
    given = {labels[name] if isinstance(name, int) else name: interval}
    with pytest.raises(UsageError, match=words):
        check_assumptions(structure, bounds, given, has_launch=has_launch)


def test_loops_range_over_what_is_assumed():
    structure, bounds = nest()
    label = structure.kernel.blocks[bounds[0].header].label
    found = bound_intervals(
        structure, bounds, {label: AssumedRange(2, 6), "arg0": AssumedRange(4, 10)}
    )
    assert found == {
        0: AssumedRange(2, 6),
        1: AssumedRange(4, 10),
        2: AssumedRange(0, 10, is_tight=False) if not found[2].is_tight else found[2],
    }
    assert (found[2].low, found[2].high) == (0, 10)
    assert bound_intervals(structure, bounds, {}) == {}


TIED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 n)
{{
.reg .pred %p<2>; .reg .b32 %r<9>;
ld.param.u32 %r1, [n]; sub.s32 %r3, 32, {outer}; mov.u32 %r2, 0;
L: add.s32 %r4, %r2, {inner}; mov.u32 %r5, 0;
M: add.s32 %r5, %r5, 1; setp.le.s32 %p1, %r5, %r4; @%p1 bra M;
add.s32 %r2, %r2, 1; setp.lt.s32 %p1, %r2, %r3; @%p1 bra L;
ret;
}}
"""


@pytest.mark.parametrize(("outer", "inner", "is_tight"), [("%r1", "%r1", False), (0, "%r1", True)])
def test_ends_that_do_not_come_up_together_are_not_tight(tmp_path, outer, inner, is_tight):
    """i < 32 - n and j <= i + n: i is greatest where n is least."""
    (tmp_path / "k.ptx").write_text(TIED.format(outer=outer, inner=inner))
    structure = analyse_structure(load_kernel(tmp_path / "k.ptx")[1])
    found = bound_intervals(structure, loop_bounds(structure), {"n": AssumedRange(0, 31)})
    assert found[1] == AssumedRange(1, 63, is_tight)


X, Y = (symbol(AtomKind.ARGUMENT, name, i) for i, name in enumerate("xy"))
FORMULAS = [
    (apply("ceildiv", X, number(16)), {"x": (1, 100)}, (1, 7), True),
    (apply("max", number(0), X - Y), {"x": (0, 9), "y": (4, 6)}, (0, 5), True),
    (apply("max", number(1), apply("bitlength", X)), {"x": (0, 1 << 40)}, (1, 41), True),
    (apply("and", X, number(3)), {"x": (5, 6)}, (0, 3), False),
    (X * X - X, {"x": (0, 9)}, (0, 72), True),  # evaluated: x stands in it twice
    (X * Y, {"x": (-2, 3), "y": (4, 5)}, (-10, 15), True),
    (apply("floordiv", number(64), X), {"x": (4, 64)}, (1, 16), True),
]


@pytest.mark.parametrize(("formula", "given", "ends", "is_tight"), FORMULAS)
def test_formulas_range_as_derived_by_hand(formula, given, ends, is_tight):
    found = resolve(formula, lambda atom: AssumedRange(*given[atom.name]))
    assert found == AssumedRange(*ends, is_tight)


def test_what_nothing_tells_is_not_resolved():
    assert resolve(X + Y, lambda a: AssumedRange(1, 2) if a.name == "x" else None) is None
    assert resolve(apply("floordiv", number(64), X), lambda _: AssumedRange(-1, 1 << 40)) is None


def random_formula(rng, depth):
    if depth == 0:
        return rng.choice([X, Y, number(rng.randint(-4, 9))])
    a, b = (random_formula(rng, depth - 1) for _ in range(2))
    word = rng.choice(["+", "-", "*", "min", "max", "floordiv", "ceildiv", "div", "and", "rem"])
    if word in "+-*":
        return {"+": a + b, "-": a - b, "*": a * b}[word]
    if word in ("min", "max"):
        return apply(word, a, b)
    return apply(word, a, number(rng.randint(1, 9)))


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(100))
def test_ranges_hold_every_value_and_tight_ones_no_more(seed):
    rng = random.Random(seed)
    formula = random_formula(rng, 3)
    spans = {"x": sorted(rng.sample(range(-60, 60), 2)), "y": sorted(rng.sample(range(60), 2))}
    found = resolve(formula, lambda atom: AssumedRange(*spans[atom.name]))
    atoms = list(leaves(formula))
    values = {
        evaluate(formula, {a: {"x": x, "y": y}[a.name] for a in atoms})
        for x in range(spans["x"][0], spans["x"][1] + 1)
        for y in range(spans["y"][0], spans["y"][1] + 1)
    }
    if found is not None:
        assert found.low <= min(values) <= max(values) <= found.high
        assert not found.is_tight or (found.low, found.high) == (min(values), max(values))


def test_names_of_a_kernel_of_ptx_are_those_shown(tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(
        """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 n)
{
.reg .pred %p<2>; .reg .b32 %r<4>;
ld.param.u32 %r1, [n]; mov.u32 %r2, 0;
LOOP: add.s32 %r2, %r2, 3; setp.lt.s32 %p1, %r2, %r1; @%p1 bra LOOP;
ret;
}
"""
    )
    _, kernel = load_kernel(path)
    structure = analyse_structure(kernel)
    bounds = loop_bounds(structure)
    assumed = parse_assumptions(["n=1..30"])
    check_assumptions(structure, bounds, assumed, has_launch=False)
    assert bound_intervals(structure, bounds, assumed) == {0: AssumedRange(1, 10)}
