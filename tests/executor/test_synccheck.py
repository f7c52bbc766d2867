"""Synccheck: masks, barriers and deadlocks of kernels that are wrong, and of some that are not."""

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import Severity, Source
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.sanitizers.findings import FindingKind, Tool
from warpmill.executor.sanitizers.sanitizer import Sanitizer

HEAD = """.version 8.0
.target {target}
.address_size 64
.visible .entry k(.param .u64 out) {{
.reg .pred %p<20>; .reg .b32 %r<40>; .reg .b64 %d<10>; .shared .align 8 .b32 s[1024];
ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 31; shr.u32 %r2, %r0, 5;
mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0; mov.u32 %r9, 0;
"""  # %r0 thread, %r1 lane, %r2 warp, %d1 its word of out
FIRST_LINE = HEAD.count("\n") + 1
SHOW = "\nst.global.u32 [%d1], %r9;\nret;"


def found_in(body, block=64, target="sm_80", grid=1):
    """The findings of a kernel of these lines, and what it wrote; None where a fault ended it."""
    sanitizer = Sanitizer(frozenset({Tool.SYNCCHECK}))
    device = Device(options=CpuOptions(sanitizer=sanitizer))
    text = f"{HEAD.format(target=target)}{body}\n}}\n"
    kernel = device.load(Source("k.ptx", text)).kernel("k")
    out = device.zeros(1024, np.uint32)
    try:
        device.launch(kernel, grid, block, [out])
    except ExecutionFault:
        return sanitizer.findings, None
    return sanitizer.findings, out.get()


def only(body, **launch):
    """The one finding of a kernel."""
    (finding,), _ = found_in(body, **launch)
    return finding


def line_of(access):
    """The line of a kernel's own, from 0, at which an access stands."""
    return access.span.line - FIRST_LINE


# Masks.

BRANCHED = (
    """setp.lt.u32 %p1, %r1, {first};
@!%p1 bra E;
{statement}
E: add.u32 %r9, %r9, 1;"""
    + SHOW
)

OPERATIONS = {
    "shfl": "shfl.sync.down.b32 %r9, %r0, 8, 31, {mask};",
    "vote": "vote.sync.ballot.b32 %r9, %p1, {mask};",
    "match": "match.any.sync.b32 %r9, %r0, {mask};",
    "redux": "redux.sync.add.u32 %r9, %r0, {mask};",
    "elect": "elect.sync %r9|%p2, {mask};",
    "bar.warp": "bar.warp.sync {mask};",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_mask_that_names_lanes_which_branched_away(name):
    statement = OPERATIONS[name].format(mask="-1")
    finding = only(BRANCHED.format(first=16, statement=statement), target="sm_90")
    assert (finding.kind, finding.severity) == (FindingKind.ABSENT_LANES, Severity.ERROR)
    assert (finding.tool, finding.count) == (Tool.SYNCCHECK, 2)
    assert "names lanes 16-31 in its mask 0xffffffff, but lanes 0-15 alone" in finding.message
    assert [line_of(a) for a in (finding.access, finding.other)] == [2, 3]
    assert (finding.access.thread, finding.other.thread) == ((0, 0, 0), (16, 0, 0))


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_mask_that_names_those_that_are_there(name):
    statement = OPERATIONS[name].format(mask="0xffff")
    assert found_in(BRANCHED.format(first=16, statement=statement), target="sm_90")[0] == []


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_lane_that_its_own_mask_does_not_name(name):
    statement = OPERATIONS[name].format(mask="0xfffe")
    finding = only(BRANCHED.format(first=16, statement=statement), target="sm_90")
    assert finding.kind is FindingKind.OUTSIDE_MASK
    assert finding.message.startswith("lane 0 come")


def test_a_guard_that_is_off_is_no_arrival():
    finding = only(f"setp.lt.u32 %p1, %r1, 20; @%p1 bar.warp.sync -1;{SHOW}", block=32)
    assert finding.kind is FindingKind.ABSENT_LANES
    assert "lanes 20-31" in finding.message


def test_lanes_that_exited_are_a_warning():
    early = """setp.ge.u32 %p1, %r1, 20; @%p1 bra E;
        bar.warp.sync -1; st.global.u32 [%d1], %r9;
        E: ret;"""
    for body in (early, "setp.ge.u32 %p1, %r1, 20; @%p1 ret;\nbar.warp.sync -1;" + SHOW):
        finding = only(body)
        assert (finding.kind, finding.severity) == (FindingKind.EXITED_LANES, Severity.WARNING)
        assert "lanes 20-31" in finding.message


def test_lanes_that_a_small_block_never_had_are_awaited_by_nobody():
    assert found_in(f"bar.warp.sync -1; shfl.sync.down.b32 %r9, %r0, 4, 31, -1;{SHOW}", 40)[0] == []


def test_both_sides_of_a_branch_may_come_to_operations_of_their_own():
    body = """setp.lt.u32 %p1, %r1, {first}; @%p1 bra A;
        bar.warp.sync -1; bra E; A: bar.warp.sync -1;
        E: add.u32 %r9, %r9, 1;"""
    assert found_in(body.format(first=9) + SHOW)[0] == []


def test_lanes_may_come_in_rounds_of_their_own():
    """Each side goes round a loop seven times before the executor runs the other."""
    side = """mov.u32 %r3, 0;
        {0}: bar.warp.sync -1; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, {1}; @%p2 bra {0};"""
    body = (
        "setp.lt.u32 %p1, %r1, 5; @%p1 bra A;\n{0}\nbra E;\nA:\n{1}\nE: add.u32 %r9, %r9, 1;" + SHOW
    )
    assert found_in(body.format(side.format("L", 7), side.format("M", 7)))[0] == []
    finding = only(body.format(side.format("L", 7), side.format("M", 6)))
    assert finding.kind is FindingKind.ABSENT_LANES


def test_a_loop_that_lanes_leave_early():
    finding = only(
        "L: bar.warp.sync -1;\nadd.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, %r1; @%p1 bra L;" + SHOW
    )
    assert finding.kind is FindingKind.ABSENT_LANES
    assert "lanes 0-1 in" in finding.message
    with_ballot = """mov.u32 %r8, -1;
        L: bar.warp.sync %r8; add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, %r1;
        vote.sync.ballot.b32 %r8, %p1, %r8; @%p1 bra L;"""
    assert found_in(with_ballot + SHOW)[0] == []


def test_lanes_that_come_to_one_operation_with_different_masks():
    body = "setp.lt.u32 %p1, %r1, 16; selp.b32 %r3, -1, 0xffff0000, %p1;\nbar.warp.sync %r3;" + SHOW
    finding = only(body)
    assert finding.kind is FindingKind.DIFFERENT_MASKS
    assert finding.message.startswith("lanes 0-15 come to `bar.warp.sync` with the mask 0xffffffff")
    assert line_of(finding.access) == line_of(finding.other) == 1
    tiles = "and.b32 %r3, %r1, 24; mov.u32 %r4, 0xff; shl.b32 %r3, %r4, %r3; bar.warp.sync %r3;"
    assert found_in(tiles + SHOW)[0] == []


def test_lanes_that_come_to_two_operations_with_different_masks():
    body = (
        """setp.lt.u32 %p1, %r1, 16; @%p1 bra A;
bar.warp.sync -1;
bra E;
A: bar.warp.sync 0x1ffff;
E: add.u32 %r9, %r9, 1;"""
        + SHOW
    )
    finding = only(body)
    assert finding.kind is FindingKind.DIFFERENT_MASKS
    assert {line_of(finding.access), line_of(finding.other)} == {1, 3}


def test_lanes_that_come_to_different_operations():
    body = (
        """setp.lt.u32 %p1, %r1, 16; @%p1 bra A;
bar.warp.sync -1;
bra E;
A: vote.sync.ballot.b32 %r9, %p1, -1;
E: add.u32 %r9, %r9, 1;"""
        + SHOW
    )
    finding = only(body)
    assert finding.kind is FindingKind.ABSENT_LANES
    assert "the others wait at another operation" in finding.message
    assert {line_of(finding.access), line_of(finding.other)} == {1, 3}


def test_nobody_comes_later_than_the_next_barrier_of_the_warp():
    body = (
        """setp.lt.u32 %p1, %r1, 16; @!%p1 bra E;
bar.warp.sync -1;
E: bar.sync 0;
@%p1 bra F;
bar.warp.sync -1;
F: add.u32 %r9, %r9, 1;"""
        + SHOW
    )
    findings, _ = found_in(body)
    assert [line_of(finding.access) for finding in findings] == [1, 4]


def test_an_operation_of_all_lanes():
    tile = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r9}, [%r3];"
    start, then = "mov.u32 %r3, s; setp.lt.u32 %p1, %r1, 16; @!%p1 bra E;", "add.u32 %r9, %r9, 1;"
    body = f"{start}\n{tile}\nE: {then}{SHOW}"
    finding = only(body)
    assert finding.kind is FindingKind.ABSENT_LANES
    assert "whole warp" in finding.message
    assert found_in(body.replace("%r1, 16", "%r2, 1"))[0] == []


REDUCTION = """mov.u32 %r9, %r0;
shfl.sync.bfly.b32 %r3, %r9, 16, 31, -1; add.u32 %r9, %r9, %r3;
shfl.sync.bfly.b32 %r3, %r9, 8, 31, -1;
add.u32 %r9, %r9, %r3; bar.warp.sync -1; redux.sync.max.u32 %r9, %r9, -1;"""


def test_a_reduction_by_whole_warps_is_clean():
    assert found_in(REDUCTION + SHOW, 128, grid=3)[0] == []


# Barriers.


def test_a_barrier_under_divergence_is_found_and_the_launch_goes_on():
    body = "setp.lt.u32 %p1, %r0, 40; @!%p1 bra E;\nbar.sync 0;\nE: mov.u32 %r9, 7;" + SHOW
    (finding,), out = found_in(body)
    assert finding.kind is FindingKind.DIVERGENT_BARRIER
    assert "by lanes 0-7, not by lanes 8-31" in finding.message
    assert (finding.access.warp, finding.other.thread) == (1, (40, 0, 0))
    assert [line_of(a) for a in (finding.access, finding.other)] == [1, 2]
    assert out[:64].tolist() == [7] * 64
    assert found_in(body.replace("%r0, 40", "%r0, 64"))[0] == []


def test_counts_that_no_warps_make_up():
    finding = only("bar.sync 0, 40;" + SHOW)
    assert finding.kind is FindingKind.BARRIER_COUNT
    assert "for 40 threads, which is no multiple of the warp's 32" in finding.message
    assert found_in("bar.sync 0, 64;" + SHOW, 40)[0] == []


def test_counts_of_more_threads_than_there_are():
    findings, out = found_in("bar.sync 3, 96;" + SHOW)
    assert [f.kind for f in findings] == [FindingKind.BARRIER_COUNT, FindingKind.DEADLOCK]
    assert "for 96 threads, more than the 64 of the CTA" in findings[0].message
    assert findings[1].details == (
        f"warps 0-1 wait at barrier 3 in line {FIRST_LINE}: 2 of 3 warps have come",
    )
    assert out is None


TWO_COUNTS = (
    """setp.eq.u32 %p1, %r2, 0; @%p1 bra A;
bar.sync 1, {0};
bra E;
A: bar.sync 1, {1};
E: add.u32 %r9, %r9, 1;"""
    + SHOW
)


def test_counts_that_differ():
    findings, _ = found_in(TWO_COUNTS.format(64, 96), 96)
    finding = findings[0]
    assert finding.kind is FindingKind.BARRIER_COUNT
    assert "for 64 threads here, for 96 where warp 0 came to it" in finding.message
    assert [line_of(a) for a in (finding.access, finding.other)] == [1, 3]
    assert found_in(TWO_COUNTS.format(96, 96), 96)[0] == []


def test_a_barrier_of_all_may_be_one_with_their_count():
    body = TWO_COUNTS.replace("sync 1, {0}", "sync 1").format(64, 64)
    assert found_in(body)[0] == []


def test_a_reduction_meets_a_plain_barrier():
    body = """setp.eq.u32 %p1, %r2, 0; @%p1 bra A;
bar.sync 0;
bra E;
A: bar.red.popc.u32 %r9, 0, %p1;
E: mov.u32 %r9, 1;"""
    finding = only(body + SHOW)
    assert finding.kind is FindingKind.DIFFERENT_BARRIERS
    assert [line_of(a) for a in (finding.access, finding.other)] == [1, 3]


def test_lanes_that_name_different_barriers():
    finding = only(
        "setp.lt.u32 %p1, %r1, 16; selp.b32 %r3, 1, 2, %p1;\nbar.sync %r3;" + SHOW, block=32
    )
    assert finding.kind is FindingKind.DIFFERENT_BARRIERS
    assert "lanes 0-15 of a warp come to a barrier, lanes 16-31 to another one" in finding.message
    assert found_in("mov.u32 %r3, %r2; bar.sync %r3, 32;" + SHOW)[0] == []


def test_a_warp_that_exits_before_a_barrier_that_counts_it():
    findings, out = found_in("setp.eq.u32 %p1, %r2, 2; @%p1 ret;\nbar.sync 5, 96;" + SHOW, 96)
    (finding,) = findings
    assert finding.kind is FindingKind.DEADLOCK
    line = FIRST_LINE + 1
    assert finding.details == (
        f"warps 0-1 wait at barrier 5 in line {line}: 2 of 3 warps have come",
        "warp 2 has exited",
    )
    assert line_of(finding.access) == 1
    assert out is None


def test_a_deadlock_shows_two_places():
    body = (
        """setp.eq.u32 %p1, %r2, 0; @%p1 bra A;
bar.sync 1, 64;
bra E;
A: bar.sync 2, 64;
E: add.u32 %r9, %r9, 1;"""
        + SHOW
    )
    finding = only(body)
    assert finding.kind is FindingKind.DEADLOCK
    assert [line_of(a) for a in (finding.access, finding.other)] == [3, 1]
    assert [words.rpartition(":")[2] for words in finding.details] == [
        " 1 of 2 warps have come"
    ] * 2


def test_a_barrier_beyond_the_sixteen():
    finding = only("mov.u32 %r3, 16; bar.sync %r3;" + SHOW)
    assert finding.kind is FindingKind.BARRIER_NUMBER
    assert found_in("mov.u32 %r3, 15; bar.sync %r3;" + SHOW)[0] == []


def test_producers_and_consumers_are_clean():
    """Warps 0 and 1 produce and arrive, 2 and 3 wait; then the other way round, five times."""
    body = """mov.u32 %r3, 0; setp.lt.u32 %p1, %r2, 2;
        L: @%p1 bra P;
        bar.sync 1, 128; add.u32 %r9, %r9, 1; bar.arrive 2, 128; bra N;
        P: bar.arrive 1, 128; bar.sync 2, 128; add.u32 %r9, %r9, 2;
        N: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 5; @%p2 bra L;"""
    findings, out = found_in(body + SHOW, 128)
    assert findings == []
    assert out[:128].tolist() == [10] * 64 + [5] * 64
