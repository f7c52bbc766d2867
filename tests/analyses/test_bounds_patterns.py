"""Trip counts of the loops that compilers make: by hand, and counted by the interpreter."""

from collections import Counter

import pytest

from tests.reference.interpreter import Warp, lanes_of_warp
from tests.reference.loop_trips import trips
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import (
    KnownTrips,
    SymbolicTrips,
    UnknownTrips,
    loop_bounds,
)
from warpmill.analyzer.analyses.ranges.launch_trips import loop_ranges
from warpmill.analyzer.analyses.values.symbolic import evaluate, leaves
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.launch.model import Launch, ScalarArgument

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 n, .param .u32 m)
{
.reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<9>;
ld.param.u32 %r1, [n]; ld.param.u32 %r2, [m]; mov.u32 %r3, %tid.x; mov.u32 %r4, %ntid.x;
"""
FROM_TID = """
    mov.u32 %r10, %r3; sub.s32 %r11, %r1, %r3; and.b32 %r12, %r11, 3;
    setp.ge.s32 %p1, %r3, %r1; @%p1 bra END;
    setp.eq.s32 %p2, %r12, 0; @%p2 bra MAIN;
REST: add.s32 %r10, %r10, 1; add.s32 %r12, %r12, -1; setp.ne.s32 %p3, %r12, 0; @%p3 bra REST;
MAIN: not.b32 %r13, %r3; add.s32 %r14, %r1, %r13; setp.lt.u32 %p4, %r14, 3; @%p4 bra END;
LOOP: add.s32 %r10, %r10, 4; setp.lt.s32 %p5, %r10, %r1; @%p5 bra LOOP; END:"""
PATTERNS = {
    # what nvcc leaves of `for (i = tid; i < n; ++i)`: what is left over of 4, then the rest
    "unrolled, the rest first": FROM_TID,
    # a pointer that counts, until it is the end
    "pointer": """
    mul.wide.u32 %rd2, %r1, 8; mov.u64 %rd1, 4096; add.s64 %rd2, %rd2, %rd1;
    setp.eq.s32 %p1, %r1, 0; @%p1 bra END;
LOOP: add.s64 %rd1, %rd1, 8; setp.ne.s64 %p2, %rd1, %rd2; @%p2 bra LOOP; END:""",
    # a counter of 64 bits that a narrower copy follows
    "narrow copy": """
    mov.u32 %r10, %r3; cvt.u64.u32 %rd1, %r3; cvt.u64.u32 %rd2, %r4;
LOOP: setp.ge.s32 %p1, %r10, %r1; @%p1 bra END;
    add.s64 %rd1, %rd1, %rd2; cvt.u32.u64 %r10, %rd1; bra LOOP; END:""",
    # a signed division halves a value above zero
    "division by two": """
    mov.u32 %r10, %r4;
LOOP: shr.u32 %r11, %r10, 31; add.s32 %r12, %r10, %r11; shr.s32 %r10, %r12, 1;
    setp.gt.s32 %p1, %r10, 0; @%p1 bra LOOP;""",
    # the stages of a sort: inner loops start at half of what the outer one has doubled
    "doubling around halving": """
    mov.u32 %r10, 2;
OUTER: shr.u32 %r11, %r10, 1;
INNER: shr.u32 %r11, %r11, 1; setp.gt.u32 %p1, %r11, 0; @%p1 bra INNER;
    shl.b32 %r10, %r10, 1; setp.le.u32 %p2, %r10, %r4; @%p2 bra OUTER;""",
    # the end is the smaller of two, chosen by a select
    "minimum by select": """
    setp.lt.s32 %p1, %r1, %r2; selp.b32 %r11, %r1, %r2, %p1; mov.u32 %r10, 0;
    setp.le.s32 %p3, %r11, 0; @%p3 bra END;
LOOP: add.s32 %r10, %r10, 1; setp.lt.s32 %p2, %r10, %r11; @%p2 bra LOOP; END:""",
    # the end is chosen by branches
    "chosen end": """
    mov.u32 %r11, 3; setp.lt.u32 %p1, %r3, 2; @%p1 bra FEW; mov.u32 %r11, %r1;
FEW: mov.u32 %r10, 0; setp.le.s32 %p3, %r11, 0; @%p3 bra END;
LOOP: add.s32 %r10, %r10, 1; setp.lt.s32 %p2, %r10, %r11; @%p2 bra LOOP; END:""",
    # `while (i < n && j > 0)` as -O0 has it: the condition is a predicate of two ways
    "and of two ways": """
    mov.u32 %r10, 0; mov.u32 %r11, %r2;
LOOP: setp.ge.s32 %p1, %r10, %r1; mov.pred %p2, 0; @%p1 bra TEST; setp.gt.s32 %p2, %r11, 0;
TEST: @!%p2 bra END; add.s32 %r10, %r10, 1; add.s32 %r11, %r11, -2; bra LOOP; END:""",
    # the test as a number: selp 1, 0, p; setp.eq 1
    "condition as a number": """
    mov.u32 %r10, 0;
LOOP: add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, %r1; selp.u32 %r11, 1, 0, %p1;
    setp.eq.s32 %p2, %r11, 1; @%p2 bra LOOP;""",
    # both have to end it
    "or to stay": """
    mov.u32 %r10, 0;
LOOP: add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, %r1; setp.lt.or.s32 %p2, %r10, %r2, %p1;
    @%p2 bra LOOP;""",
    "times three": """
    mov.u32 %r10, 1;
LOOP: mul.lo.s32 %r10, %r10, 3; setp.lt.s32 %p1, %r10, 1000; @%p1 bra LOOP;""",
    "decimal digits": """
    mov.u32 %r10, 123456;
LOOP: div.u32 %r10, %r10, 10; setp.ne.s32 %p1, %r10, 0; @%p1 bra LOOP;""",
    "until a bit is set": """
    mov.u32 %r10, 3;
LOOP: shl.b32 %r10, %r10, 1; and.b32 %r11, %r10, 512; setp.eq.s32 %p1, %r11, 0; @%p1 bra LOOP;""",
    "a word of a wider counter": """
    cvt.u64.u32 %rd1, %r3; cvt.u64.u32 %rd2, %r4; cvt.u64.u32 %rd3, %r1;
LOOP: and.b64 %rd4, %rd1, 4294967295; add.s64 %rd1, %rd4, %rd2;
    setp.lt.u64 %p1, %rd1, %rd3; @%p1 bra LOOP;""",
    "tiles, rounded up": """
    add.s32 %r11, %r1, 15; shr.u32 %r12, %r11, 4; mov.u32 %r10, 0;
    setp.eq.s32 %p1, %r12, 0; @%p1 bra END;
LOOP: add.s32 %r10, %r10, 1; setp.ne.s32 %p2, %r10, %r12; @%p2 bra LOOP; END:""",
    # `for (signed char i = -100; i < 100; i += 12)`: the counter goes around once
    "a byte that wraps": """
    .reg .b16 %s<3>; mov.u16 %s1, 156;
LOOP: add.s16 %s1, %s1, 12; cvt.u32.u16 %r10, %s1; cvt.s32.s8 %r11, %r10;
    setp.lt.s32 %p1, %r11, 100; @%p1 bra LOOP;""",
    "a byte up to another": """
    .reg .b16 %s<3>; mov.u16 %s1, 0; and.b32 %r11, %r1, 255;
LOOP: cvt.u32.u16 %r10, %s1; and.b32 %r12, %r10, 255; setp.ge.u32 %p1, %r12, %r11; @%p1 bra END;
    add.s16 %s1, %s1, 1; bra LOOP; END:""",
    "a byte that is kept in a half word with its sign": """
    .reg .b16 %s<3>; mov.u16 %s1, -100;
LOOP: cvt.u32.u16 %r10, %s1; cvt.s32.s8 %r11, %r10; setp.ge.s32 %p1, %r11, 100; @%p1 bra END;
    add.s32 %r12, %r11, 3; cvt.u16.u32 %s1, %r12; bra LOOP; END:""",
    "a half word until it is 0": """
    .reg .b16 %s<3>; mov.u16 %s1, 65530;
LOOP: add.s16 %s1, %s1, 1; setp.ne.s16 %p1, %s1, 0; @%p1 bra LOOP;""",
    "a byte in a word": """
    mov.u32 %r10, 0;
LOOP: add.s32 %r10, %r10, 3; and.b32 %r10, %r10, 255; setp.lt.u32 %p1, %r10, 255; @%p1 bra LOOP;
    mov.u32 %r11, 0;
AGAIN: add.s32 %r11, %r11, 1; and.b32 %r11, %r11, 7; setp.ne.s32 %p2, %r11, 0; @%p2 bra AGAIN;""",
    "a flag": """
    mov.u32 %r10, 0; mov.u32 %r11, 0;
LOOP: setp.ne.s32 %p1, %r11, 0; @%p1 bra END; add.s32 %r10, %r10, 1; setp.lt.s32 %p2, %r10, %r1;
    @%p2 bra ON; mov.u32 %r11, 1;
ON: bra LOOP; END:""",
    "a flag by select": """
    mov.u32 %r10, 0; mov.u32 %r11, 1;
LOOP: setp.eq.s32 %p1, %r11, 0; @%p1 bra END; add.s32 %r10, %r10, 1; setp.lt.s32 %p2, %r10, %r1;
    selp.u32 %r11, 1, 0, %p2; bra LOOP; END:""",
    # `for (unsigned i = n - 1; i < n; i--)`
    "beyond zero": """
    add.s32 %r10, %r1, -1;
LOOP: setp.ge.u32 %p1, %r10, %r1; @%p1 bra END; add.s32 %r10, %r10, -1; bra LOOP; END:""",
    # LLVM's test of a range: what is below 0 is at the top of the unsigned numbers
    "a range by one comparison": """
    mov.u32 %r10, 0; add.s32 %r11, %r1, -9; setp.lt.u32 %p1, %r11, -5; @%p1 bra REST;
    and.b32 %r12, %r1, 12;
FIRST: add.s32 %r10, %r10, 4; setp.ne.s32 %p2, %r10, %r12; @%p2 bra FIRST;
REST: setp.ge.s32 %p3, %r10, %r1; @%p3 bra END;
LOOP: add.s32 %r10, %r10, 1; setp.lt.s32 %p4, %r10, %r1; @%p4 bra LOOP; END:""",
    # numba's unrolled ranges: the first iterations count down as far as 0 beside another counter
    "down to zero, and no further": """
    max.s32 %r10, %r1, 0; and.b32 %r12, %r10, 3; setp.eq.s32 %p1, %r12, 0; @%p1 bra MAIN;
REST: setp.gt.s32 %p2, %r10, 0; selp.b32 %r11, -1, 0, %p2; add.s32 %r10, %r10, %r11;
    add.s32 %r12, %r12, -1; setp.ne.s32 %p3, %r12, 0; @%p3 bra REST;
MAIN: setp.lt.s32 %p4, %r10, 1; @%p4 bra END;
LOOP: add.s32 %r10, %r10, -4; setp.gt.s32 %p5, %r10, 0; @%p5 bra LOOP; END:""",
    # `step //= 2` in Python, which rounds down
    "floor by branches": """
    mov.u32 %r10, 128;
LOOP: div.s32 %r11, %r10, 2; rem.s32 %r12, %r10, 2; setp.ge.s32 %p1, %r12, 0; @%p1 bra ON;
    add.s32 %r11, %r11, -1;
ON: mov.u32 %r10, %r11; setp.gt.s32 %p2, %r10, 0; @%p2 bra LOOP;""",
    "two that follow each other": """
    mov.u32 %r10, 1; mov.u32 %r11, 1;
LOOP: add.s32 %r12, %r10, %r11; mov.u32 %r10, %r11; mov.u32 %r11, %r12;
    setp.lt.s32 %p1, %r10, 100; @%p1 bra LOOP;""",
    # HIP divides the grid's threads by the block's
    "a size divided by a size": """
    mul.lo.s32 %r11, %r4, %r4; div.u32 %r12, %r11, %r4; mov.u32 %r10, %r3;
LOOP: setp.ge.s32 %p1, %r10, %r1; @%p1 bra END; add.s32 %r10, %r10, %r12; bra LOOP; END:""",
    # how nvcc bounds `do … while (--i > 3u)`
    "the greater of numbers at the top": """
    neg.s32 %r11, %r1; max.u32 %r12, %r11, -4; add.s32 %r13, %r1, %r12; mov.u32 %r10, -1;
LOOP: add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, %r13; @%p1 bra LOOP;""",
    "one for what is below zero": """
    sub.s32 %r13, %r3, %r1; shr.u32 %r14, %r13, 31; mov.u32 %r10, 0;
LOOP: setp.ge.s32 %p1, %r10, %r14; @%p1 bra END; add.s32 %r10, %r10, 1; bra LOOP; END:""",
    "behind a loop with a test that never holds": """
    mov.u32 %r10, 0; mov.u32 %r11, 1;
LOOP: setp.eq.s32 %p1, %r11, 0; @%p1 bra END; add.s32 %r10, %r10, 1; setp.lt.s32 %p2, %r10, 8;
    @%p2 bra LOOP;
NEXT: add.s32 %r10, %r10, 2; setp.lt.s32 %p3, %r10, %r1; @%p3 bra NEXT; END:""",
    # `(tid - n) % 4` with its sign
    "a signed remainder": """
    sub.s32 %r13, %r3, %r1; shr.s32 %r14, %r13, 31; shr.u32 %r15, %r14, 30;
    add.s32 %r16, %r13, %r15; and.b32 %r16, %r16, -4; sub.s32 %r17, %r13, %r16; mov.u32 %r10, -4;
LOOP: setp.ge.s32 %p1, %r10, %r17; @%p1 bra END; add.s32 %r10, %r10, 1; bra LOOP; END:""",
}


def kernel_of(tmp_path, text):
    (tmp_path / "k.ptx").write_text(f"{HEAD}{text}\nret;\n}}\n")
    return load_kernel(tmp_path / "k.ptx")[1]


def executed(kernel, given):
    """Count, in one thread, the iterations of each loop each time that it is come to."""
    structure = analyse_structure(kernel)
    specials = dict(lanes_of_warp(0, 1, (1, 1, 1), (given["ntid.x"], 1, 1), (0, 0, 0))[0])
    specials["tid.x"] = given["tid.x"]
    warp = Warp(kernel, [specials], {"n": given["n"], "m": given["m"]})
    visits = [event[0] for event in warp.run()]
    return {loop.id: trips(visits, loop) for loop in structure.loops.loops}


def count_of(bound, given, iteration):
    if isinstance(bound.trips, KnownTrips):
        return bound.trips.count
    assert isinstance(bound.trips, SymbolicTrips), bound.trips
    values = {a: given.get(a.name, iteration) for a in leaves(bound.trips.formula)}
    return evaluate(bound.trips.formula, values)


@pytest.mark.parametrize("name", PATTERNS)
def test_counts_are_those_executed(tmp_path, name):
    kernel = kernel_of(tmp_path, PATTERNS[name])
    structure = analyse_structure(kernel)
    compared = Counter()
    for n, m, tid in [(0, 1, 0), (1, 5, 0), (2, 9, 1), (7, 3, 2), (16, 16, 3), (23, 40, 5)]:
        given = {"n": n, "m": m, "tid.x": tid, "ntid.x": 8}
        entries = executed(kernel, given)
        for bound in loop_bounds(structure):
            assert not bound.at_most
            loop = structure.loops.loops[bound.loop]
            for iteration, latched in enumerate(entries[bound.loop]):
                told = count_of(bound, given, iteration)
                assert told == latched, (name, loop.header, given, str(bound.trips))
                compared[bound.loop] += 1
    assert len(compared) == len(structure.loops.loops)


def test_what_unrolling_leaves_over_reads_as_people_write_it(tmp_path):
    structure = analyse_structure(kernel_of(tmp_path, FROM_TID))
    rest, main = loop_bounds(structure)
    assert str(rest.trips) == "max(1, and(n - tid.x, 3))"
    assert str(main.trips) == "max(1, ceildiv(n - and(n - tid.x, 3) - tid.x, 4))"


@pytest.mark.parametrize(
    ("loop", "formula", "least"),
    [
        ("LOOP: add.s32 %r10, %r10, 1; setp.ne.s32 %p2, %r10, %r1; @%p2 bra LOOP;",
         "max(1, n - tid.x)", 1),
        ("LOOP: setp.eq.s32 %p2, %r10, %r1; @%p2 bra END; add.s32 %r10, %r10, 1; bra LOOP;",
         "max(0, n - tid.x)", 0),
    ],
)  # fmt: skip
def test_threads_that_pass_a_loop_by_have_no_count_below_it(tmp_path, loop, formula, least):
    """A loop until a number is met, that threads beyond the number do not come to."""
    guard = "mov.u32 %r10, %r3; setp.ge.s32 %p1, %r3, %r1; @%p1 bra END;"
    kernel = kernel_of(tmp_path, f"{guard} {loop} END:")
    module = load_kernel(tmp_path / "k.ptx")[0].module
    structure = analyse_structure(kernel)
    bounds = loop_bounds(structure)
    arguments = [ScalarArgument("u32", 10), ScalarArgument("u32", 0)]
    launch = Launch.of("k", grid=[1], block=[32], arguments=arguments)
    assert str(bounds[0].trips) == formula
    found = loop_ranges(module, structure, launch, bounds)[bounds[0].loop]
    assert (found.low, found.high) == (least, 10)


def test_a_select_of_the_smaller_is_a_minimum(tmp_path):
    (bound,) = loop_bounds(analyse_structure(kernel_of(tmp_path, PATTERNS["minimum by select"])))
    assert str(bound.trips) == "max(1, min(m, n))"


BY_DATA = """mov.u32 %r10, 0; mov.u64 %rd1, 0;
LOOP: ld.global.u32 %r11, [%rd1]; add.s32 %r10, %r10, 1; TEST
    @%p2 bra LOOP;"""
TESTS = {
    "setp.lt.s32 %p1, %r10, %r1; setp.ne.and.s32 %p2, %r11, 0, %p1;": "max(1, n)",
    "setp.lt.s32 %p1, %r10, %r1; setp.ne.or.s32 %p2, %r11, 0, %p1;": None,
    "setp.lt.s32 %p2, %r10, %r11;": None,
}


@pytest.mark.parametrize("test", TESTS)
def test_data_that_may_end_a_loop_make_its_count_an_upper_bound(tmp_path, test):
    (bound,) = loop_bounds(analyse_structure(kernel_of(tmp_path, BY_DATA.replace("TEST", test))))
    if TESTS[test] is None:
        assert isinstance(bound.trips, UnknownTrips) and bound.trips.reason
    else:
        assert (str(bound.trips), bound.at_most) == (TESTS[test], True)


def test_conditions_on_floating_point_are_unknown_with_the_condition_as_reason(tmp_path):
    text = """.reg .f32 %f<3>; mov.f32 %f1, 0f3F800000;
    LOOP: add.f32 %f1, %f1, %f1; setp.lt.f32 %p1, %f1, 0f42000000; @%p1 bra LOOP;"""
    (bound,) = loop_bounds(analyse_structure(kernel_of(tmp_path, text)))
    assert isinstance(bound.trips, UnknownTrips)
    assert "setp.lt.f32" in bound.trips.reason
