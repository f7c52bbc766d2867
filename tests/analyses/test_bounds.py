"""Trip counts as formulas, against counting how often the loop's body runs."""

import random
from itertools import product

import pytest

from tests.reference.interpreter import Warp, lanes_of_warp
from tests.reference.programs import Loop, Lowering
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import (
    KnownTrips,
    SymbolicTrips,
    UnknownTrips,
    loop_bounds,
)
from warpmill.analyzer.analyses.ranges.uneven_loops import bit_length
from warpmill.analyzer.analyses.values.symbolic import Atom, AtomKind, evaluate, leaves, of
from warpmill.analyzer.frontends.load import load_kernel

BODY = [("store", "c0", None)]


def bound_of(program, *, phis=False):
    """The kernel of a program with one outermost loop, and that loop's bound."""
    kernel = Lowering(("v0", "c0", "c1"), phis=phis).kernel(program)
    return kernel, loop_bounds(analyse_structure(kernel))[0]


def counted(kernel, arg0, arg1):
    """Run one thread and count how often the stores run."""
    lanes = lanes_of_warp(0, 1, (1, 1, 1), (1, 1, 1), (0, 0, 0))
    events = Warp(kernel, lanes, {"out": 0, "arg0": arg0, "arg1": arg1}).run()
    return sum(len(accesses) for _, _, _, accesses in events)


def formula(trips, arg0, arg1):
    if isinstance(trips, KnownTrips):
        return trips.count
    assert isinstance(trips, SymbolicTrips), trips
    given = {"arg0": arg0, "arg1": arg1}
    values = {atom: given[atom.name] for atom in leaves(trips.formula)}
    return evaluate(trips.formula, values)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("form", list(product([False, True], repeat=4)))
@pytest.mark.parametrize(
    ("word", "signs"), [("lt", 1), ("le", 1), ("gt", -1), ("ge", -1), ("lo", 1), ("ls", 1)]
)
def test_counts_up_and_down_are_exact(word, signs, form):
    early, old, bottom, phis = form
    rng = random.Random(f"{word}{early}{old}{bottom}{phis}")
    for _ in range(2):
        step = signs * rng.randint(1, 4)
        loop = Loop(
            "c0", "arg0", ("add", step), word, "arg1", bottom, early, old, rng.random() < 0.5
        )
        kernel, bound = bound_of([("loop", loop, BODY)], phis=phis)
        assert (bound.bottom_tested, bound.at_most) == (bottom, False)
        for _ in range(6):
            least = 0 if word in ("lo", "ls") else -9
            arg0, arg1 = rng.randint(least, 9), rng.randint(least, 9)
            assert formula(bound.trips, arg0, arg1) == counted(kernel, arg0, arg1), (
                loop,
                arg0,
                arg1,
            )


@pytest.mark.parametrize("phis", [False, True])
@pytest.mark.parametrize("bottom", [False, True])
@pytest.mark.parametrize("step", [1, 2, -3])
def test_counting_until_equal_is_exact_where_the_step_leads_there(step, bottom, phis):
    loop = Loop("c0", "arg0", ("add", step), "ne", "arg1", bottom)
    kernel, bound = bound_of([("loop", loop, BODY)], phis=phis)
    for trips in range(1 if bottom else 0, 7):
        arg0 = 3
        assert formula(bound.trips, arg0, arg0 + step * trips) == trips
        assert counted(kernel, arg0, arg0 + step * trips) == trips


HALVINGS = [
    ("gt", 0),
    ("ne", 0),
    ("gt", 1),
    ("gt", 3),
    ("ge", 1),
    ("ge", 2),
    ("ge", 64),
    ("gt", 31),
]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("form", list(product([False, True], repeat=3)))
@pytest.mark.parametrize("shift", [1, 3])
@pytest.mark.parametrize(("word", "limit"), HALVINGS)
def test_halving_is_exact(word, limit, shift, form):
    bottom, old, phis = form  # bottom and old, by nvcc: setp.gt s, 3; shr s, s, 1; bra
    loop = Loop("c0", "arg0", ("shr.u32", shift), word, limit, bottom, old=old)
    kernel, bound = bound_of([("loop", loop, BODY)], phis=phis)
    for start in [*range(6), 8, 63, 64, 65, 1000]:
        assert formula(bound.trips, start, 0) == counted(kernel, start, 0), start


@pytest.mark.one_in(12)
@pytest.mark.parametrize("form", list(product([False, True], repeat=3)))
@pytest.mark.parametrize("shift", [1, 2])
@pytest.mark.parametrize("start", [1, 3])
@pytest.mark.parametrize("word", ["lt", "le"])
def test_doubling_is_exact(word, start, shift, form):
    bottom, old, phis = form
    loop = Loop("c0", start, ("shl", shift), word, "arg1", bottom, old=old)
    kernel, bound = bound_of([("loop", loop, BODY)], phis=phis)
    for limit in [-3, *range(8), 12, 13, 64, 65, 97]:
        assert formula(bound.trips, 0, limit) == counted(kernel, 0, limit), limit


def test_formulas_read_as_people_write_them():
    top = bound_of([("loop", Loop("c0", 0, ("add", 4), "lt", "arg1"), BODY)])[1]
    bottom = bound_of([("loop", Loop("c0", 0, ("add", 4), "lt", "arg1", bottom=True), BODY)])[1]
    halving = Loop("c0", "arg0", ("shr.u32", 1), "ne", 0, bottom=True)
    assert str(top.trips) == "max(0, ceildiv(arg1, 4))"
    assert str(bottom.trips) == "max(1, ceildiv(arg1, 4))"
    assert str(bound_of([("loop", halving, BODY)])[1].trips) == "max(1, bitlength(arg0))"
    assert bound_of([("loop", Loop("c0", 3, ("add", 2), "lt", 10), BODY)])[1].trips == KnownTrips(4)


@pytest.mark.parametrize("phis", [False, True])
def test_a_triangular_inner_loop_counts_by_the_outer_counter(phis):
    inner = ("loop", Loop("c1", "c0", ("add", 1), "lt", "arg1"), BODY)
    outer = ("loop", Loop("c0", 0, ("add", 1), "lt", "arg1"), [inner])
    kernel = Lowering(("c0", "c1"), phis=phis).kernel([outer])
    first, second = loop_bounds(analyse_structure(kernel))
    assert str(first.trips) == "max(0, arg1)"
    assert isinstance(second.trips, SymbolicTrips)
    text = str(second.trips)
    assert text.startswith("max(0, ") and "arg1" in text and "- i(" in text


def test_the_least_of_several_exits_counts_and_data_make_it_a_bound():
    loop = Loop("c0", 0, ("add", 1), "lt", "arg1")
    by_count = [("break", ("ge", "c0", "arg0"), [], True), *BODY]
    kernel, bound = bound_of([("loop", loop, by_count)])
    assert not bound.at_most and len(bound.exits) == 2
    for arg0, arg1 in ((2, 5), (5, 2), (0, 3), (-1, 3)):
        assert formula(bound.trips, arg0, arg1) == counted(kernel, arg0, arg1)
    by_data = [
        ("set", "v0", ("mul.lo.s32", "v0", "v0")),
        ("break", ("ge", "v0", 9), [], True),
        *BODY,
    ]
    _, bound = bound_of([("loop", loop, by_data)])
    assert bound.at_most and str(bound.trips) == "max(0, arg1)"


@pytest.mark.parametrize("step", [1, 2, 4])
@pytest.mark.parametrize(
    "test",
    [("eq", "c0", "arg0"), ("or", ("eq", "c0", "arg0"), ("ge", "c0", 14)), ("eq", "c0", "tid.x")],
)
def test_an_equality_that_is_perhaps_never_met_makes_other_counts_a_bound(step, test):
    loop = Loop("c0", 5, ("add", step), "lt", 20)
    kernel, bound = bound_of([("loop", loop, [("break", test, [], True), *BODY])])
    assert bound.at_most
    for arg0 in range(0, 24, 3):
        assert counted(kernel, arg0, 0) <= formula(bound.trips, arg0, 0)


def test_an_equality_that_is_surely_met_counts_beside_others():
    loop = Loop("c0", 0, ("add", 4), "lt", 40)
    met = [("break", ("eq", "c0", ("shl.b32", "tid.x", 3)), [], True), *BODY]
    bound = bound_of([("loop", loop, met)])[1]
    assert (str(bound.trips), bound.at_most) == ("min(10, 2*tid.x)", False)


@pytest.mark.parametrize(
    ("loop", "reason"),
    [
        (Loop("c0", "arg0", ("shr.u32", 1), "gt", 2), "ends when"),  # below 3: no power of two
        (Loop("c0", "arg0", ("shl", 1), "lt", "arg1"), "ends when"),  # the start is not known
        (Loop("c0", 0, ("add", 1), "gt", "arg1"), "ends when"),  # it moves away
    ],
)
def test_what_has_no_formula_is_unknown_and_says_why(loop, reason):
    trips = bound_of([("loop", loop, BODY)])[1].trips
    assert isinstance(trips, UnknownTrips)
    assert reason in trips.reason


def test_a_test_that_is_not_made_in_every_iteration_gives_no_count():
    inside = [("if", ("eq", "v0", 3), [("break", ("ge", "c0", 5), [], True)], [], True), *BODY]
    loop = Loop("c0", 0, ("add", 1), "lt", "arg1")
    bound = bound_of([("loop", loop, inside)])[1]
    assert bound.at_most
    assert any("not made in every iteration" in str(e.trips) for e in bound.exits)


STRIDING = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 n)
{
.reg .pred %p<2>; .reg .b32 %r<9>;
ld.param.u32 %r1, [n];
mov.u32 %r2, %ntid.x; mov.u32 %r3, %nctaid.x; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %tid.x;
mad.lo.s32 %r6, %r4, %r2, %r5;
START
L:
STEP
TEST
@%p1 bra L;
ret;
}
"""
UP = ("mul.lo.s32 %r7, %r2, %r3;", "add.s32 %r6, %r6, %r7;", "setp.lt.s32 %p1, %r6, %r1;")
DOWN = ("sub.s32 %r6, %r1, %r6;", "sub.s32 %r6, %r6, %r2;", "setp.gt.s32 %p1, %r6, 0;")
BY_ARGUMENT = ("mul.lo.s32 %r7, %r2, %r1;", UP[1], UP[2])
BY_ID = ("mul.lo.s32 %r7, %r2, %r4;", UP[1], UP[2])


def striding(tmp_path, parts):
    text = STRIDING
    for word, part in zip(("START", "STEP", "TEST"), parts, strict=True):
        text = text.replace(word, part)
    (tmp_path / "k.ptx").write_text(text)
    _, kernel = load_kernel(tmp_path / "k.ptx")
    return loop_bounds(analyse_structure(kernel))[0].trips


@pytest.mark.parametrize("n", [-7, 0, 1, 37, 96, 97])
def test_a_grid_stride_loop_has_a_count_for_each_thread(tmp_path, n):
    up, down = striding(tmp_path, UP), striding(tmp_path, DOWN)
    for ntid, nctaid in ((4, 3), (32, 1)):
        for thread in range(ntid * nctaid):
            given = {"n": n, "ntid.x": ntid, "nctaid.x": nctaid}
            given |= {"ctaid.x": thread // ntid, "tid.x": thread % ntid}
            counts = [
                evaluate(t.formula, {a: given[a.name] for a in leaves(t.formula)})
                for t in (up, down)
            ]
            assert counts[0] == max(1, len(range(thread, n, ntid * nctaid)))
            assert counts[1] == max(1, len(range(0, n - thread, ntid)))


@pytest.mark.parametrize("parts", [BY_ARGUMENT, BY_ID])
def test_a_stride_that_may_be_zero_gives_no_count(tmp_path, parts):
    assert isinstance(striding(tmp_path, parts), UnknownTrips)


DECIDED = """.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b8 s[128];
.visible .entry k(.param .u64 x, .param .u32 n, .param .f32 f)
{
.reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<5>;
.local .align 4 .b8 d[16];
.shared .align 4 .b8 t[128];
ld.param.u64 %rd1, [x]; ld.param.u32 %r2, [n]; ld.param.f32 %f1, [f];
mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 3; mul.wide.u32 %rd2, %r1, 4;
LIMIT
mov.u32 %r4, 0;
LOOP:
add.u32 %r4, %r4, 1; st.global.u32 [%rd1], %r4;
setp.lt.s32 %p1, %r4, %r3;
@%p1 bra LOOP;
ret;
}
"""


@pytest.mark.parametrize(
    ("limit", "decided"),
    [
        ("ld.global.u32 %r3, [%rd1];", "data decide"),
        ("mov.u64 %rd3, d; add.s64 %rd3, %rd3, %rd2; st.local.u32 [d], %r2; "
         "ld.local.u32 %r3, [%rd3];", "local memory at a place that is not followed decides"),
        ("mov.u64 %rd3, d; cvta.local.u64 %rd3, %rd3; add.s64 %rd3, %rd3, %rd2; "
         "st.u32 [%rd3], %r2; ld.u32 %r3, [%rd3+4];",
         "local memory at a place that is not followed decides"),
        ("mov.u64 %rd3, t; add.s64 %rd3, %rd3, %rd2; ld.shared.u32 %r3, [%rd3];",
         "shared memory at a place that is not followed decides"),
        ("mov.u64 %rd3, s; add.s64 %rd3, %rd3, %rd2; ld.shared.u32 %r3, [%rd3]; "
         "ld.global.u32 %r5, [%rd1]; add.u32 %r3, %r3, %r5;", "data decide"),
        ("mul.f32 %f2, %f1, 0f40200000; cvt.rzi.s32.f32 %r3, %f2;",
         "a value that is not followed decides"),
    ],
)  # fmt: skip
def test_what_decides_a_loop_is_said(tmp_path, limit, decided):
    """By hand: what an index chooses of a thread's own array is no data of the launch."""
    (tmp_path / "k.ptx").write_text(DECIDED.replace("LIMIT", limit))
    _, kernel = load_kernel(tmp_path / "k.ptx")
    trips = loop_bounds(analyse_structure(kernel))[0].trips
    assert isinstance(trips, UnknownTrips), trips
    assert trips.reason.startswith(f"{decided} it: "), trips


WRAPPING = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 x)
{
.reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
ld.param.u64 %rd1, [x];
mov.u32 %r1, START;
LOOP:
st.global.u32 [%rd1], %r1;
mul.lo.TYPE %r2, %r1, FACTOR;
shr.TYPE %r1, %r2, SHIFT;
setp.lt.u32 %p1, %r1, LIMIT;
@%p1 bra LOOP;
ret;
}
"""


def wrapped(sign, start, factor, shift, limit):
    """Iterations in registers of 32 bits, at most 400; whether a product passes its register."""
    value, passed, iterations = start, False, 0
    while iterations < 400:
        iterations += 1
        product = value * factor
        passed |= product >= 1 << (31 if sign == "s32" else 32)
        product %= 1 << 32
        if sign == "s32" and product >> 31:
            product -= 1 << 32
        value = product >> shift
        if value % (1 << 32) >= limit:
            break
    return iterations, passed


@pytest.mark.parametrize("sign", ["u32", "s32"])
def test_products_that_pass_their_register_are_not_counted_as_if_they_did_not(tmp_path, sign):
    """x = x * FACTOR >> SHIFT while x < LIMIT, against arithmetic of 32 bits."""
    rng, counts = random.Random(sign), {True: 0, False: 0}
    for _ in range(40):
        start, factor = rng.randint(1, 99), rng.choice([3, 1000, 65537, 100_000])
        shift = max(0, factor.bit_length() - rng.randint(2, 3))
        limit = rng.choice([200, 5000, 100_000, 2_000_000])
        words = {"START": start, "FACTOR": factor, "SHIFT": shift, "LIMIT": limit, "TYPE": sign}
        text = WRAPPING
        for word, value in words.items():
            text = text.replace(word, str(value))
        (tmp_path / "k.ptx").write_text(text)
        _, kernel = load_kernel(tmp_path / "k.ptx")
        trips = loop_bounds(analyse_structure(kernel))[0].trips
        right, passed = wrapped(sign, start, factor, shift, limit)
        assert not isinstance(trips, KnownTrips) or trips.count == right, words
        assert passed or isinstance(trips, KnownTrips), words
        counts[passed] += 1
    assert min(counts.values()) > 5, counts


def test_what_an_operation_without_operands_gives_has_a_bit_length():
    """What halves may start from any value: an opcode that reads nothing, a variable's address."""
    mask = of(Atom(AtomKind.OPERATION, "activemask"))
    assert str(bit_length(mask)) == "bitlength(activemask())"
