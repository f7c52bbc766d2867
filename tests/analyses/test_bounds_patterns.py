"""Trip counts of the loops that compilers make: by hand, and counted by the interpreter."""

from collections import Counter
from pathlib import Path

import pytest

from tests.reference.interpreter import Warp, lanes_of_warp
from tests.reference.loop_trips import trips
from tests.reference.named_texts import named_texts
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
    **named_texts(Path(__file__).with_name("bounds_patterns.txt")),
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


@pytest.mark.one_in(12)
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
