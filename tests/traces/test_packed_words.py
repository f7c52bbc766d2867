"""Words that are put side by side into a wider one, and taken out of it again."""

import pytest

from tests.analyses.test_access_launch import HEAD, IN_TILE, Case
from warpmill.analyzer.analyses.ranges.bounds import KnownTrips
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace

PARTS = {
    "the low word": ("mov.b64 %rd7, {{{0}, %r1}}; mov.b64 {{%r21, _}}, %rd7;"),
    "the high word": ("mov.b64 %rd7, {{%r1, {0}}}; mov.b64 {{_, %r21}}, %rd7;"),
    "both": ("mov.b64 %rd7, {{{0}, %r1}}; mov.b64 {{%r21, %r22}}, %rd7;"),
    "below zero beside it": (
        "sub.s32 %r23, %r1, 40; mov.b64 %rd7, {{%r23, {0}}}; mov.b64 {{_, %r21}}, %rd7;"
    ),
    "shifted": ("mov.b64 %rd7, {{%r1, {0}}}; shr.u64 %rd7, %rd7, 32; cvt.u32.u64 %r21, %rd7;"),
    "halves": (
        "mov.b32 {{%rs1, %rs2}}, {0}; mov.b32 %r21, {{%rs1, %rs2}};"
        "mov.b32 {{%rs1, _}}, %r21; cvt.u32.u16 %r21, %rs1;"
    ),
}
LOOP = "mov.u32 %r20, 0; L: {0} add.s32 %r20, %r20, 1; setp.lt.s32 %p1, %r20, %r21; @%p1 bra L;"
LOAD = f"add.s32 %r24, %r1, %r20; {IN_TILE.format('%r24')} ld.shared.f32 %f1, [%rd6];"


@pytest.mark.parametrize(
    "name", ["the low word", "the high word", "below zero beside it", "halves"]
)
def test_trips_that_a_packed_word_decides_are_known(name):
    text = f"mov.u32 %r25, 11; {PARTS[name].format('%r25')} {LOOP.format(LOAD)}"
    (bound,) = Case(text).bounds
    assert bound.trips == KnownTrips(11)


@pytest.mark.parametrize("name", ["the high word", "below zero beside it", "shifted", "halves"])
def test_static_traces_take_the_part_that_is_moved(name, tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(f"{HEAD}{PARTS[name].format('%r9')} {LOOP.format(LOAD)}\nret;\n}}\n")
    options = LaunchOptions(grid="2", block="64", args=["buffer=f32:64", "i32=7"])
    job = prepare(path, options=options)
    summaries = [trace(job, TraceOptions(source=s)).summary for s in ("static", "executed")]
    assert summaries[0].accesses == summaries[1].accesses
    assert [s.warp_instructions for s in summaries] == [summaries[0].warp_instructions] * 2
