"""What ``analyze`` says of loops in a launch: ranges of counts over all of its threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.timing.estimated_kernels import job
from warpmill.report.base import Mark
from warpmill.report.fields import marks_of
from warpmill.session.kernel_analysis import LoopFacts, loop_facts

NEST = """mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 0; OUTER_END
L: GUARD
mov.u32 %r5, 0; INNER_END
M: add.s32 %r5, %r5, 1; setp.lt.s32 %p1, %r5, %r6;
@%p1 bra M;
X: add.s32 %r3, %r3, 1; setp.lt.s32 %p1, %r3, %r4;
@%p1 bra L;"""
"""Loops that run once at least: i below %r4, inside it j below %r6."""

CASES = {
    "a triangle by CTA": ("mov.u32 %r4, 3;", "", "add.s32 %r6, %r3, %r2;", (1, 5)),
    "as far as the thread": ("add.s32 %r4, %r1, 1;", "", "add.s32 %r6, %r3, 1;", (1, 32)),
    "the less, the more": (
        "sub.s32 %r4, 32, %r1;", "", "add.s32 %r6, %r3, %r1; add.s32 %r6, %r6, 1;", (1, 32),
    ),
    "behind a test of the thread": (
        "mov.u32 %r4, 8;", "setp.gt.s32 %p2, %r3, %r1; @%p2 bra X;", "add.s32 %r6, %r3, 1;", (1, 8),
    ),
    "behind a test that all make": (
        "mov.u32 %r4, 8;", "setp.lt.s32 %p2, %r3, 4; @%p2 bra X;", "add.s32 %r6, %r3, 1;", (5, 8),
    ),
}  # fmt: skip


def facts(folder: Path, body: str, block: int = 32) -> LoopFacts:
    """Describe the last loop of a kernel."""
    of = job(folder, body, 4, block, "p")
    return loop_facts(of)[-1]


@pytest.mark.parametrize("name", CASES)
def test_counts_range_over_what_all_threads_do(tmp_path: Path, name: str) -> None:
    outer, guard, inner, expected = CASES[name]
    body = NEST.replace("OUTER_END", outer).replace("GUARD", guard).replace("INNER_END", inner)
    loop = facts(tmp_path, body)
    assert (loop.in_launch.low, loop.in_launch.high) == expected
    assert marks_of(loop)["in_launch.high"] == Mark.EXACT


def test_a_block_of_less_than_a_warp_has_no_more_lanes(tmp_path: Path) -> None:
    body = NEST.replace("OUTER_END", "mov.u32 %r4, 1;").replace("GUARD", "")
    body = body.replace("INNER_END", "mov.u32 %r6, %laneid;")
    for block, most in ((8, 7), (32, 31), (96, 31)):
        assert facts(tmp_path, body, block).in_launch.high == most


def test_where_data_may_end_a_loop_around_the_range_is_assumed(tmp_path: Path) -> None:
    data = "ld.param.u64 %rd1, [p]; ld.global.u32 %r7, [%rd1]; setp.eq.s32 %p2, %r7, %r3;"
    ends = NEST.replace("OUTER_END", "mov.u32 %r4, 8;").replace("GUARD", f"{data} @%p2 bra E;")
    loop = facts(tmp_path, ends.replace("INNER_END", "add.s32 %r6, %r3, 1;") + "\nE:")
    assert (loop.in_launch.low, loop.in_launch.high) == (1, 8)
    assert marks_of(loop)["in_launch.high"] == Mark.ASSUMED
