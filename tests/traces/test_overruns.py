"""Accesses that leave their buffers, told by static traces; counted by hand and lane by lane."""

import random
from pathlib import Path

import pytest

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.launch.model import BufferArgument, Launch, RefArgument
from warpmill.analyzer.traces.model import events
from warpmill.analyzer.traces.source import StaticSource
from warpmill.session.estimates import estimate
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace

PTX = """\
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y)
{
    .reg .pred %p<9>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mad.lo.s32 %r4, %r2, %r3, %r1;
    mul.wide.s32 %rd3, %r4, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    mov.u32 %r5, 0;
    BODY
    ret;
}
"""
LINE = 1 + PTX[: PTX.index("BODY")].count("\n")
"""The line in which a body begins."""

LOAD, STORE = "ld.global.u32 %r6, [%rd4];", "st.global.u32 [%rd5], %r5;"
LOOP = ["LOOP:", LOAD, "add.s64 %rd4, %rd4, 512;", "add.s32 %r5, %r5, 1;"]


def source_of(body, words, grid=4, block=128):
    """The static traces of a launch on buffers of so many words."""
    module = parse(Source("k.ptx", PTX.replace("BODY", "\n    ".join(body)))).module
    x, y = (BufferArgument("u32", (n,)) for n in words)
    launch = Launch.of("k", grid=[grid], block=[block], arguments=[x, y])
    return StaticSource(module, analyse_structure(module.kernels[0]), launch)


def told(body, words, **shape):
    source = source_of(body, words, **shape)
    source.warps((0, 0, 0))
    return [a.text for a in source.assumptions if "goes up to" in a.text]


def past(line, opcode, far, of):
    return (
        f"line {LINE + line}: {opcode} goes up to {far} of {of} B; counted as if there were memory"
    )


def test_an_access_past_the_end_is_told_with_its_line():
    assert told([LOAD, STORE], (512, 512)) == []
    assert told([LOAD, STORE], (10, 511)) == [
        past(0, "ld.global.u32", "2,008 B past the end", "`x` of 40"),
        past(1, "st.global.u32", "4 B past the end", "`y` of 2,044"),
    ]


def test_the_traces_are_no_other_and_no_data_decide():
    source = source_of([LOAD], (10, 1))
    source.warps((0, 0, 0))
    assert source.reason == "no data decide what executes"
    assert source.data_decide() is None


def test_an_access_into_another_buffer_is_past_the_end_of_its_own():
    assert told([LOAD], (10, 4096)) == [
        past(0, "ld.global.u32", "2,008 B past the end", "`x` of 40")
    ]


def test_an_access_before_the_start():
    before = "ld.global.u32 %r6, [%rd4+-8];"
    assert told([before], (512, 1)) == [
        past(0, "ld.global.u32", "8 B before the start", "`x` of 2,048")
    ]
    assert told([before], (500, 1)) == [
        past(0, "ld.global.u32", "40 B past the end and 8 B before the start", "`x` of 2,000")
    ]


def test_a_loop_goes_as_far_as_its_last_iteration():
    body = [*LOOP, "setp.lt.s32 %p1, %r5, 8;", "@%p1 bra LOOP;"]
    assert told(body, (128 * 11, 1)) == []
    assert told(body, (128 * 11 - 1, 1)) == [
        past(1, "ld.global.u32", "4 B past the end", f"`x` of {128 * 44 - 4:,}")
    ]


def test_lanes_that_a_guard_or_a_branch_leaves_out_are_none():
    guarded = ["setp.lt.s32 %p1, %r4, 10;", f"@%p1 {LOAD}"]
    assert told(guarded, (10, 1)) == []
    assert told(guarded, (9, 1)) == [past(1, "ld.global.u32", "4 B past the end", "`x` of 36")]
    branch = ["setp.ge.s32 %p1, %r4, 10;", "@%p1 exit;", LOAD]
    assert told(branch, (10, 1)) == []


UNKNOWN = ["ld.global.u32 %r6, [%rd2];", "setp.eq.s32 %p1, %r6, 0;"]


def test_what_data_may_leave_out_is_not_told():
    assert told([*UNKNOWN, f"@%p1 {LOAD}"], (1, 1)) == []
    assert told([*UNKNOWN, "@%p1 exit;", LOAD], (1, 1)) == []
    assert told([*UNKNOWN, "@%p1 bra END;", LOAD, "END:", LOAD], (1, 1)) == []
    assert told([*LOOP, *UNKNOWN, "@%p1 bra LOOP;"], (1, 1)) == []


def test_the_last_warp_of_the_grid_is_looked_at_with_the_first_cta():
    assert told([LOAD], (511, 1)) == [past(0, "ld.global.u32", "4 B past the end", "`x` of 2,044")]


def test_addresses_that_go_round_are_let_be_where_they_come_back():
    """A lane, an iteration and a CTA move by 2**61 B: eight of them by nothing."""
    turn = 1 << 61
    for words in (1024, 1):
        eight = f"mul.lo.s64 %rd7, %rd6, {turn};"
        by_cta = ["shl.b32 %r6, %r2, 3;", "cvt.u64.u32 %rd6, %r6;", eight]
        by_lane = ["shl.b32 %r6, %r1, 3;", "cvt.u64.u32 %rd6, %r6;", eight]
        moved = ["add.s64 %rd8, %rd4, %rd7;", "ld.global.u32 %r6, [%rd8];"]
        for body in ([*by_cta, *moved], [*by_lane, *moved]):
            assert len(told(body, (words, 1))) == (words == 1)
    far = [*LOOP[:2], f"add.s64 %rd4, %rd4, {turn};", "add.s32 %r5, %r5, 1;"]
    (found,) = told([*far, "setp.lt.s32 %p1, %r5, 64;", "@%p1 bra LOOP;"], (512, 1))
    assert f"{turn:,} B before the start" in found


def test_ctas_that_are_walked_side_by_side():
    """The places of CTAs are squared, so that none stands for another."""
    body = ["mul.lo.s32 %r6, %r2, %r2;", "mul.wide.s32 %rd6, %r6, 4;", "add.s64 %rd4, %rd1, %rd6;"]
    body += ["setp.lt.s32 %p1, %r6, 70;", f"@%p1 {LOAD}"]
    source = source_of(body, (60, 1), grid=12)
    list(source.many([(cta, 0, 0) for cta in range(12)]))
    assert [a.text for a in source.assumptions] == [
        past(4, "ld.global.u32", "20 B past the end", "`x` of 240")
    ]


def outside(source, grid, region):
    """How far lanes go past an end and before a start, address by address."""
    before = after = 0
    for cta in range(grid):
        for warp in source.warps((cta, 0, 0)):
            for event in events(warp):
                for address in (a for _, each in event.addresses for a in each):
                    before = max(before, region.start - address)
                    after = max(after, address + 4 - region.start - region.size_bytes)
    return before, after


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(24))
def test_random_accesses_go_as_far_as_their_lanes_do(seed):
    """Strides of lanes, CTAs and two loops, the inner one triangular, with limits between lanes."""
    rng = random.Random(seed)
    lane, cta, outer, inner = (4 * rng.randint(-3, 3) for _ in range(4))
    body = [
        f"mad.lo.s32 %r4, %r1, {lane}, {4 * rng.randint(-40, 40)};",
        f"mad.lo.s32 %r4, %r2, {cta}, %r4;",
        "OUTER:", "mov.u32 %r7, %r4;", "mov.u32 %r6, 0;",
        "INNER:", "cvt.s64.s32 %rd6, %r7;", "add.s64 %rd7, %rd1, %rd6;",
        f"setp.lt.s32 %p3, %r1, {rng.randint(1, 80)};", "@%p3 st.global.u32 [%rd7], %r5;",
        f"add.s32 %r7, %r7, {inner};", "add.s32 %r6, %r6, 1;",
        "setp.le.s32 %p1, %r6, %r5;", "@%p1 bra INNER;",
        f"add.s32 %r4, %r4, {outer};", "add.s32 %r5, %r5, 1;",
        f"setp.lt.s32 %p2, %r5, {rng.randint(1, 6)};", "@%p2 bra OUTER;",
    ]  # fmt: skip
    source = source_of(body, (40, 1), grid=3, block=64)
    before, after = outside(source, 3, source.layout.regions[0])
    texts = [a.text for a in source.assumptions]
    ways = [(after, "past the end"), (before, "before the start")]
    far = " and ".join(f"{n:,} B {where}" for n, where in ways if n)
    assert texts == ([past(9, "st.global.u32", far, "`x` of 160")] if far else [])


def test_a_pointer_into_a_buffer_has_the_end_of_the_buffer():
    module = parse(Source("k.ptx", PTX.replace("BODY", LOAD))).module
    whole = BufferArgument("u32", (600,))
    arguments = [RefArgument(whole, 400), whole]
    launch = Launch.of("k", grid=[4], block=[128], arguments=arguments)
    source = StaticSource(module, analyse_structure(module.kernels[0]), launch)
    source.warps((0, 0, 0))
    (found,) = source.assumptions
    assert "goes up to 48 B past the end" in found.text


def test_commands_show_it_beside_what_traces_assume(tmp_path: Path):
    path = tmp_path / "k.ptx"
    path.write_text(PTX.replace("BODY", LOAD))
    (tmp_path / "launch.toml").write_text(
        '[[launch]]\nmodule = "k.ptx"\ngrid = [4]\nblock = [128]\n'
        'args = [{ buffer = "u32", shape = [10] }, { buffer = "u32", shape = [1] }]\n'
    )
    job = prepare(tmp_path / "launch.toml")
    expected = past(0, "ld.global.u32", "2,008 B past the end", "`x` of 40")
    assert trace(job).assumptions == (expected,)
    assert estimate(job, "a100").assumptions == (expected,)


def test_too_little_shared_memory_is_told_and_enough_is_not(tmp_path):
    """128 threads store 4 B each to an array of open size: 512 B are enough, 64 are 448 short."""
    text = PTX.replace(".visible", ".extern .shared .align 4 .b8 tile[];\n.visible").replace(
        "BODY",
        "mov.u32 %r6, tile; shl.b32 %r7, %r1, 2; add.u32 %r6, %r6, %r7; st.shared.u32 [%r6], %r1;",
    )
    module = parse(Source("k.ptx", text)).module
    for given, wanted in ((512, []), (64, ["448 B past"]), (0, ["512 B past"])):
        buffers = [BufferArgument("u32", (1,))] * 2
        launch = Launch.of("k", grid=[2], block=[128], arguments=buffers, shared=given)
        source = StaticSource(module, analyse_structure(module.kernels[0]), launch)
        source.warps((0, 0, 0))
        found = [a.text for a in source.assumptions]
        assert [w in f for w, f in zip(wanted, found, strict=True)] == [True] * len(wanted)
        assert all("a CTA's shared memory" in f and "--shared" in f for f in found)
