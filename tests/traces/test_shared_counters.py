"""Counters in shared memory: a table by hand of what is followed, and why the rest is not."""

from pathlib import Path

import pytest

from tests.reference.named_texts import named_texts
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import UnknownTrips, loop_bounds
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.traces.source import StaticSource
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import compare_with_executed, trace

HEAD = """.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 8 .b32 d[];
.visible .entry k(.param .u32 n, .param .u64 p) BOUNDS
{
.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<30>; .reg .b64 %rd<9>;
.shared .align 8 .b32 c[2];
ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [p]; mov.u32 %r2, %tid.x; setp.ne.s32 %p1, %r2, 0;
ld.global.u32 %r9, [%rd1]; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;
ld.global.u32 %r8, [%rd3]; setp.ne.s32 %p5, %r8, 0; setp.ne.s32 %p6, %r9, 0;
"""
START = "@%p1 bra S; st.shared.u32 [c], 0; S: bar.sync 0;\n"
TEST = "LOOP: ld.shared.u32 %r3, [c]; setp.ge.s32 %p2, %r3, %r1; @%p2 bra END;\n"
ADD = "ld.shared.u32 %r4, [c]; add.s32 %r4, %r4, 1; st.shared.u32 [c], %r4;\n"
STEP = f"bar.sync 0; @%p1 bra M; {ADD} M: bar.sync 0;\n"
BACK = "bra LOOP; END:\n"
USUAL = START + TEST + STEP + BACK

FOLLOWED = {
    "by a branch": (USUAL, ""),
    "by a guard": (USUAL.replace(STEP, STEP.replace("st.", "@!%p1 st.")), ""),
    "all store the start": (USUAL.replace(START, "st.shared.u32 [c], 0; bar.sync 0;"), ""),
    "all store alike, the loads before parted": (
        START
        + TEST
        + "bar.sync 0; add.s32 %r4, %r3, 1; st.shared.u32 [c], %r4; bar.sync 0;"
        + BACK,
        "",
    ),
    "another barrier": (USUAL.replace("bar.sync 0", "barrier.sync 3"), ""),
    "a barrier that reduces": (
        USUAL.replace("M: bar.sync 0", "M: bar.red.or.pred %p3, 0, %p2"),
        "",
    ),
    "a word among others": (USUAL.replace("[c]", "[c+4]"), ""),
    "as a volatile": (USUAL.replace("ld.shared", "ld.volatile.shared"), ""),
    "by a generic address": (
        "mov.u64 %rd4, c; cvta.shared.u64 %rd4, %rd4;"
        + USUAL.replace(".shared", "").replace("[c]", "[%rd4]"),
        "",
    ),
    "a thread that the block has": (USUAL.replace("@%p1", "@%p4"), ".reqntid 64"),
    "the last thread": (USUAL.replace("@%p1", "@%p7"), ""),
    "the first of a linear id": (USUAL.replace("@%p1", "@%p8"), ""),
}
OTHERS = """setp.ne.s32 %p4, %r2, 5; mov.u32 %r20, %ntid.x; add.s32 %r21, %r20, -1;
setp.ne.s32 %p7, %r2, %r21; LINEAR"""
LINEAR = """mov.u32 %r22, %tid.y; mad.lo.s32 %r23, %r22, %r20, %r2; setp.ne.s32 %p8, %r23, 0;"""


def bounds_of(tmp_path, body, bounds="", others=""):
    path = tmp_path / "k.ptx"
    path.write_text(HEAD.replace("BOUNDS", bounds) + others + body + "ret; }\n")
    loaded, kernel = load_kernel(path)
    return loop_bounds(analyse_structure(kernel, loaded.module))


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_counter_that_one_thread_moves_between_barriers_has_trips(tmp_path, name):
    body, bounds = FOLLOWED[name]
    others = OTHERS.replace("LINEAR", LINEAR if "p8" in body else "")
    (bound,) = bounds_of(tmp_path, body, bounds, others)
    assert str(bound.trips) == "max(0, n)"


UNFOLLOWED = named_texts(Path(__file__).with_name("unfollowed_counters.txt"))
"""Why it is not followed, and the body."""


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", UNFOLLOWED)
def test_what_other_threads_may_see_otherwise_is_unknown_and_says_why(tmp_path, name):
    reason, _, body = UNFOLLOWED[name].partition("\n")
    (bound,) = bounds_of(tmp_path, body, others=OTHERS.replace("LINEAR", ""))
    assert isinstance(bound.trips, UnknownTrips)
    assert reason in bound.trips.reason


@pytest.mark.parametrize("name", ["a thread skips a barrier", "dynamic"])
def test_a_reason_is_told_of_the_variable(tmp_path, name):
    (bound,) = bounds_of(tmp_path, UNFOLLOWED[name].partition("\n")[2])
    variable = "d" if name == "dynamic" else "c"
    assert f"; {variable} is not followed: " in bound.trips.reason


MIXED = """@%p1 bra O; st.shared.u32 [c], 5; setp.gt.s32 %p3, %r1, 3; @%p3 bra X;
st.shared.u32 [c], 6; bra Y; O: setp.gt.s32 %p4, %r1, 100; @%p4 bra X;
Y: mov.u32 %r6, 1; X: bar.sync 0;
ld.shared.u32 %r3, [c]; LOOP: add.s32 %r3, %r3, -1; setp.gt.s32 %p2, %r3, 0; @%p2 bra LOOP;"""


def test_sides_that_mix_before_they_meet_tell_no_thread(tmp_path):
    (bound,) = bounds_of(tmp_path, MIXED)
    assert isinstance(bound.trips, UnknownTrips)


ASIDE = """@%p1 bra S; st.shared.u32 [c], 3; S: bar.sync 0; setp.gt.s32 %p3, %r1, 8; @%p3 bra M;
@%p1 bra M; st.shared.u32 [c], 5; M: bar.sync 0; ld.shared.u32 %r3, [c];
LOOP: add.s32 %r3, %r3, -1; setp.gt.s32 %p2, %r3, 0; @%p2 bra LOOP;"""


def test_a_way_past_the_test_keeps_what_was_there(tmp_path):
    """All threads go past it where n > 8: 3 iterations, else 5."""
    (bound,) = bounds_of(tmp_path, ASIDE)
    assert str(bound.trips) == "max(-2*min(1, max(0, n - 8)) + 5, 1)"


def job_of(tmp_path, body, block):
    path = tmp_path / "k.ptx"
    path.write_text(HEAD.replace("BOUNDS", "") + body + "ret; }\n")
    args = ("11", "buffer=u32:64:arange")
    return prepare(path, options=LaunchOptions(grid="2", block=block, args=args))


def test_static_traces_follow_it_and_say_what_they_rest_on(tmp_path):
    job = job_of(tmp_path, USUAL, "64")
    traced = trace(job)
    (assumed,) = traced.assumptions
    assert "what one thread stores to c in shared memory counts for all threads" in assumed
    assert compare_with_executed(job).comparison.equal_warps == 4


def test_several_threads_that_pass_a_test_for_one_leave_it_unknown(tmp_path):
    """A block of rows: a thread of each row adds. Neither formulas nor static traces tell."""
    job = job_of(tmp_path, USUAL, "8x4")
    (bound,) = job.analysis.bounds
    assert isinstance(bound.trips, UnknownTrips)
    traced = trace(job, TraceOptions(source="static"))
    assert any("data decide when loop LOOP ends" in text for text in traced.assumptions)


def test_a_walk_sees_that_several_threads_store_for_one(tmp_path):
    """What was found for all launches, walked with rows of threads."""
    job = job_of(tmp_path, USUAL, "8x4")
    module, launch = job.loaded.module, job.required_launch()
    source = StaticSource(module, analyse_structure(job.kernel, module), launch)
    source.warps((0, 0, 0))
    assert any("data decide when loop LOOP ends" in a.text for a in source.assumptions)
