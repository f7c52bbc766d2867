"""The checker of all schedules: classic litmus tests, faults, and one outcome as the executor's."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.reference.run_kernel import prepare
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.launch import load_launches
from warpmill.analyzer.launch.buffers import materialise
from warpmill.analyzer.launch.model import Arange, BufferArgument, Launch
from warpmill.benchmarks.check.exhaustive import is_harmless, outcomes
from warpmill.benchmarks.check.exhaustive.launch import image_of
from warpmill.benchmarks.check.exhaustive.memory import digest_of
from warpmill.benchmarks.check.exhaustive.search import Search, _Node
from warpmill.benchmarks.check.exhaustive.shrinking import shrunken, tried

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 out) {
.shared .align 16 .b8 tile[64];
.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<9>; .reg .f32 %f<9>;
ld.param.u64 %d0, [data]; ld.param.u64 %d1, [out];
mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;
mul.wide.u32 %d2, %r0, 4; add.u64 %d3, %d0, %d2; add.u64 %d4, %d1, %d2;
"""
"""%d3 and %d4 are the thread's own elements."""


def module_of(body, lanes):
    return replace(ptx.parse(Source("k.ptx", f"{HEAD}{body}\nret;\n}}\n")).module, warp_size=lanes)


def launch_of(grid, block, elements=8):
    data = BufferArgument("u32", (elements,), name="data")
    out = BufferArgument("u32", (elements,), name="out")
    return Launch.of("k.ptx", "k", grid=grid, block=block, arguments=[data, out])


def run(body, grid=1, block=2, lanes=2, **options):
    module = module_of(body, lanes)
    return outcomes(module, module.kernels[0], launch_of(grid, block), **options)


def counted(body, **options):
    """How many images there are, where there is no fault and nothing is unknown."""
    found = run(body, **options)
    assert not found.faults
    assert found.is_complete, found.unknown
    assert found.is_single == (len(found.images) == 1)
    return len(found.images)


NEIGHBOUR = "xor.b32 %r3, %r0, 1; mul.wide.u32 %d5, %r3, 4; add.u64 %d6, %d0, %d5;"
EXCHANGE = f"""{NEIGHBOUR} add.u32 %r4, %r0, 1; st.global.u32 [%d3], %r4; {{}}
ld.global.u32 %r5, [%d6]; st.global.u32 [%d4], %r5;"""


@pytest.mark.parametrize(
    ("between", "images"),
    [
        ("", 4),
        ("bar.sync 0;", 1),
        ("bar.warp.sync 3;", 1),
        ("barrier.sync 1, 2;", 1),
        ("shfl.sync.idx.b32 %r6, %r4, 0, 31, 3;", 4),  # no memory is ordered
        ("membar.gl;", 3),
        ("fence.acq_rel.gpu;", 4),
    ],
)
def test_neighbours_exchange_values(between, images):
    assert counted(EXCHANGE.format(between)) == images


def test_a_barrier_of_two_warps():
    assert counted(EXCHANGE.format("bar.sync 0;"), lanes=1) == 1
    assert counted(EXCHANGE.format("bar.warp.sync 1;"), lanes=1) == 4


PASSING = """setp.ne.u32 %p1, %r1, 0; @%p1 bra READER;
mov.u32 %r3, 1; st.global.u32 [%d0], %r3; {fence} {store} [%d0+4], %r3; bra END;
READER: {load} %r4, [%d0+4]; {after} ld.global.u32 %r5, [%d0];
st.global.u32 [%d1], %r4; st.global.u32 [%d1+4], %r5;
END:"""
IN_ONE_CTA = PASSING.replace("%r1, 0;", "%r0, 0;", 1)
STORE, LOAD = "st.relaxed.gpu.global.u32", "ld.relaxed.gpu.global.u32"
GPU, CTA = "fence.acq_rel.gpu;", "fence.acq_rel.cta;"
PASSINGS = [
    (GPU, STORE, LOAD, GPU, 3),
    ("", STORE, LOAD, "", 4),
    (GPU, STORE, LOAD, "", 4),
    ("", STORE, LOAD, GPU, 4),
    ("", "st.release.gpu.global.u32", "ld.acquire.gpu.global.u32", "", 3),
    ("", "st.release.gpu.global.u32", LOAD, "", 4),
    (CTA, STORE, LOAD, GPU, 4),
    (GPU, STORE, LOAD, CTA, 4),
    (GPU, "st.volatile.global.u32", "ld.volatile.global.u32", GPU, 3),
    (GPU, "st.global.u32", "ld.global.u32", GPU, 4),
]


@pytest.mark.parametrize(("fence", "store", "load", "after", "images"), PASSINGS)
def test_messages_between_ctas_take_fences_and_strong_accesses(fence, store, load, after, images):
    body = PASSING.format(fence=fence, store=store, load=load, after=after)
    assert counted(body, grid=2, block=1) == images


@pytest.mark.parametrize(("between", "images"), [("two CTAs", 4), ("one CTA", 3)])
def test_a_fence_of_the_cta_reaches_no_other(between, images):
    parts = {"fence": CTA, "store": STORE, "load": LOAD, "after": CTA}
    if between == "two CTAs":
        assert counted(PASSING.format(**parts), grid=2, block=1) == images
    else:
        assert counted(IN_ONE_CTA.format(**parts), grid=1, block=2) == images


def test_a_scope_of_one_access_that_is_too_narrow():
    narrow = PASSING.format(fence="", store="st.release.cta.global.u32",
                            load="ld.acquire.gpu.global.u32", after="")  # fmt: skip
    assert counted(narrow, grid=2, block=1) == 4


WAITING = """setp.ne.u32 %p1, %r1, 0; @%p1 bra READER;
mov.u32 %r3, 7; st.global.u32 [%d0], %r3; {fence} st.relaxed.gpu.global.u32 [%d0+4], %r3; bra END;
READER: ld.relaxed.gpu.global.u32 %r4, [%d0+4]; setp.eq.u32 %p2, %r4, 0; @%p2 bra READER;
{fence} ld.global.u32 %r5, [%d0]; st.global.u32 [%d1], %r5;
END:"""


@pytest.mark.parametrize(("fence", "images"), [(GPU, 1), ("membar.gl;", 1), (CTA, 2), ("", 2)])
def test_threads_wait_for_flags(fence, images):
    assert counted(WAITING.format(fence=fence), grid=2, block=1) == images


def test_waiting_for_what_nobody_writes_is_a_deadlock():
    alone = WAITING.format(fence="").replace("st.relaxed.gpu.global.u32 [%d0+4], %r3;", "")
    assert any("deadlock" in fault for fault in run(alone, grid=2, block=1).faults)


LAST = """add.u32 %r3, %r1, 1; mul.wide.u32 %d5, %r1, 4; add.u64 %d6, %d0, %d5;
st.global.u32 [%d6], %r3; {fence}
atom.global.inc.u32 %r4, [%d0+16], 1000; setp.ne.u32 %p1, %r4, {last}; @%p1 bra END; {fence}
ld.global.u32 %r5, [%d0]; ld.global.u32 %r6, [%d0+4]; add.u32 %r5, %r5, %r6;
st.global.u32 [%d1], %r5;
END:"""


@pytest.mark.parametrize(
    ("fence", "is_single"), [("membar.gl;", True), (GPU, True), ("membar.cta;", False), ("", False)]
)
def test_the_last_block_adds_up(fence, is_single):
    found = run(LAST.format(fence=fence, last=1), grid=2, block=1)
    assert found.is_single == is_single
    assert len(found.images) == (1 if is_single else 3)


LOCK = """TRY: atom.global.cas.b32 %r3, [%d0], 0, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra TRY;
{first} ld.global.u32 %r4, [%d1]; add.u32 %r4, %r4, 1; st.global.u32 [%d1], %r4;
{second} atom.global.exch.b32 %r5, [%d0], 0;"""


@pytest.mark.parametrize(
    ("first", "second", "is_single"), [(GPU, GPU, True), ("", GPU, False), (GPU, "", False)]
)
def test_locks_take_fences(first, second, is_single):
    found = run(LOCK.format(first=first, second=second), grid=2, block=1)
    assert found.is_single == is_single
    assert len(found.images) == (1 if is_single else 2)


COPY = """st.shared.u32 [tile], %r0; st.shared.u32 [tile+4], %r0;
cp.async.ca.shared.global [tile], [%d0], {sizes};
cp.async.commit_group; {wait} ld.shared.u32 %r3, [tile+{at}]; st.global.u32 [%d1], %r3;"""


@pytest.mark.parametrize(
    ("wait", "sizes", "at", "images"),
    [
        ("cp.async.wait_group 0;", 4, 0, 1),
        ("cp.async.wait_all;", 4, 0, 1),
        ("cp.async.wait_group 1;", 4, 0, 2),
        ("", 4, 0, 2),
        ("bar.sync 0;", 4, 0, 2),
        ("", 4, 4, 1),  # beside what is copied
        ("", "8, 4", 4, 1),  # zeros above the bytes that are read
    ],
)
def test_asynchronous_copies_take_waits(wait, sizes, at, images):
    body = COPY.format(wait=wait, sizes=sizes, at=at)
    module = module_of(body, 1)
    data = BufferArgument("u32", (8,), Arange(5), name="data")
    out = BufferArgument("u32", (8,), name="out")
    launch = Launch.of("k.ptx", "k", grid=1, block=1, arguments=[data, out])
    found = outcomes(module, module.kernels[0], launch)
    assert (len(found.images), found.faults, found.unknown) == (images, set(), set())


@pytest.mark.parametrize(
    ("body", "images"),
    [
        ("mov.u32 %r3, 5; st.global.u32 [%d1], %r3;", 1),  # all write the same
        ("st.global.u32 [%d1], %r0;", 3),
        ("red.global.add.u32 [%d1], %r0;", 1),
        ("atom.global.max.u32 %r9, [%d1], %r0;", 1),  # nobody reads %r9
        ("atom.global.add.u32 %r3, [%d1], 1; st.global.u32 [%d3], %r3;", 6),
        ("atom.global.exch.b32 %r9, [%d1], %r0;", 3),
    ],
)
def test_what_leaves_no_trace_of_its_order(body, images):
    assert counted(body, block=3, lanes=1) == images


def test_floats_are_added_in_an_order():
    values = "selp.f32 %f1, 0f4B800000, 0f3F800000, %p1; selp.f32 %f1, 0fCB800000, %f1, %p2;"
    roles = "setp.eq.u32 %p1, %r0, 1; setp.eq.u32 %p2, %r0, 2;"
    body = f"{roles} {values} red.global.add.f32 [%d1], %f1;"  # 1, 2**24, -2**24
    assert counted(body, block=3, lanes=1) == 2


def test_updates_of_too_narrow_a_scope_are_lost():
    body = "red.relaxed.{}.global.add.u32 [%d1], 1;"
    assert counted(body.format("gpu"), grid=2, block=1) == 1
    assert len(run(body.format("cta"), grid=2, block=1).images) == 2


FAULTS = {
    "out of bounds": "st.global.u32 [%d1+32], %r0;",
    "misaligned": "st.global.u32 [%d1+2], %r0;",
    "undefined value in out": "st.global.u32 [%d1], %r9;",
    "undefined predicate": "@%p5 st.global.u32 [%d1], %r0;",
    "undefined address": "st.global.u32 [%d7], %r0;",
    "undefined value in out ": "ld.shared.u32 %r3, [tile]; st.global.u32 [%d1], %r3;",
    "a deadlock": "setp.eq.u32 %p1, %r0, 0; @%p1 bar.sync 1, 2; @!%p1 bar.sync 2, 2;",
    "a mask names a lane that has exited":
        "setp.eq.u32 %p1, %r0, 0; @%p1 exit; shfl.sync.idx.b32 %r3, %r0, 0, 31, 3;",
    "a mask without the lane itself": "bar.warp.sync 1;",
    "a wrong barrier": "bar.sync 0, 3;",
    "a barrier for a part of a warp":
        "setp.eq.u32 %p1, %r0, 0; @%p1 bra A; bar.sync 0; bra B;\nA: bar.sync 0; B:",
    "a trap": "trap;",
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_seen(fault):
    body = FAULTS[fault].replace("bar.sync 0; bra B;", "bar.sync 0;\nbra B;")
    assert any(fault.strip() in found for found in run(body).faults)


PAIRS = """setp.lt.u32 %p1, %r0, 2; @!%p1 bra CONSUME;
st.shared.u32 [tile], 9; bar.arrive 1, 4; bra END;
CONSUME: {wait} ld.shared.u32 %r3, [tile]; st.global.u32 [%d4], %r3;
END:"""


def test_named_barriers():
    assert counted(PAIRS.format(wait="bar.sync 1, 4;"), block=4) == 1
    assert run(PAIRS.format(wait=""), block=4).faults


OBJECT = """mov.u32 %r10, tile; shl.b32 %r11, %r0, 2;
add.u32 %r11, %r11, %r10; xor.b32 %r12, %r11, 4;
setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared::cta.b64 [%r10], 2; bar.sync 0;
add.u32 %r3, %r0, 1; st.shared.u32 [%r11+16], %r3; mbarrier.arrive.shared::cta.b64 _, [%r10];
W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r10], 0; @!%p2 bra W;
ld.shared.u32 %r4, [%r12+16]; st.global.u32 [%d4], %r4;"""
ONCE_MORE = OBJECT.partition("bar.sync 0;")[2].replace("W", "V").replace("[%r10], 0;", "[%r10], 1;")
BROKEN_OBJECTS = {
    "a deadlock": ("[%r10], 2;", "[%r10], 3;"),
    "no barrier object": ("@%p1 mbarrier.init.shared::cta.b64 [%r10], 2;", ""),
    "more arrivals": ("_, [%r10];", "_, [%r10], 3;"),
}


def test_barrier_objects():
    assert counted(OBJECT, lanes=1) == 1
    assert counted(f"{OBJECT} bar.sync 0; {ONCE_MORE}", lanes=1) == 1


@pytest.mark.parametrize("fault", BROKEN_OBJECTS)
def test_wrong_barrier_objects(fault):
    found = run(OBJECT.replace(*BROKEN_OBJECTS[fault]), lanes=1)
    assert any(fault in one for one in found.faults)


def test_barrier_objects_that_are_not_modelled():
    past = OBJECT.replace("[%r10], 0;", "[%r10], 1;")  # the phase before the first one
    assert run(past, lanes=1).unknown == {"a barrier object that may be a phase ahead of who waits"}
    once = OBJECT.replace("@!%p2 bra W;", "")
    assert run(once, lanes=1).unknown == {"a wait that does something else when it fails"}


ALONE = """mov.u32 %r10, tile; setp.eq.u32 %p1, %r0, 0;
@%p1 mbarrier.init.shared::cta.b64 [%r10], 1; bar.sync 0; @!%p1 bra OTHER;
mbarrier.arrive.shared::cta.b64 _, [%r10]; {} mbarrier.arrive.shared::cta.b64 _, [%r10]; bra END;
OTHER: {}
W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r10], 0; @!%p2 bra W;
END:"""
ACCESS = "ld.global.u32 %r3, [%d0];"


@pytest.mark.parametrize(("between", "before"), [("", ACCESS), (ACCESS, "")])
def test_phases_that_may_pass_by(between, before):
    """Before the wait, or after it without knowing of it."""
    found = run(ALONE.format(between, before), lanes=1)
    assert found.unknown == {"a barrier object that may be a phase ahead of who waits"}


def test_objects_that_are_used_before_they_are_made_and_overwritten():
    early = run(OBJECT.replace("bar.sync 0;", "", 1), lanes=1)
    assert early.unknown == {"a barrier object that is not made before it is used"}
    over = OBJECT.replace("bar.sync 0;", "@%p1 st.shared.u32 [%r10], 7; bar.sync 0;", 1)
    assert any("overwritten" in fault for fault in run(over, lanes=1).faults)


BULK = """mov.u32 %r10, tile; setp.eq.u32 %p1, %r0, 0; @!%p1 bra READY;
mbarrier.init.shared::cta.b64 [%r10], 1; fence.mbarrier_init.release.cluster; READY: bar.sync 0;
@!%p1 bra W; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r10], 16;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10+16], [%d0], 16, [%r10];
W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r10], 0; @!%p2 bra W;
shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r10; ld.shared.u32 %r4, [%r3+16]; add.u32 %r4, %r4, 5;
st.shared.u32 [%r3+32], %r4; fence.proxy.async.shared::cta; bar.sync 0; @!%p1 bra END;
cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r10+32], 16;
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; st.global.u32 [%d1], 9;
END:"""


def without(part):
    assert part in BULK
    return BULK.replace(part, "")


def test_bulk_copies_arrive_at_objects_and_are_waited_for():
    assert counted(BULK, block=4, lanes=1) == 1
    waits = "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r10], 0; @!%p2 bra W;"
    assert run(BULK.replace(waits, "W:"), block=4, lanes=1).faults  # nothing is there yet
    for part in ("fence.proxy.async.shared::cta;", "fence.proxy.async.shared::cta; bar.sync 0;"):
        found = run(without(part), block=4, lanes=1)
        assert not found.is_single, part
    late = run(without("cp.async.bulk.wait_group 0;"), block=4, lanes=1)
    assert not late.is_single
    assert run(without("fence.mbarrier_init.release.cluster;"), block=4, lanes=1).unknown
    reads = BULK.replace("wait_group 0", "wait_group.read 0")
    assert counted(reads, block=4, lanes=1) == 2  # whichever comes last stays
    nothing = BULK.replace("arrive.expect_tx", "arrive").replace("_, [%r10], 16;", "_, [%r10];")
    assert not run(nothing, block=4, lanes=1).is_single
    arrival = "mbarrier.arrive.shared::cta.b64 _, [%r10];"
    after = nothing.replace(arrival, "").replace("\nW:", f" {arrival}\nW:", 1)
    expected = {"copies to a barrier object that does not expect them"}
    assert run(after, block=4, lanes=1).unknown == expected


def test_what_is_not_known_is_said():
    crossed = """setp.eq.u32 %p1, %r1, 0; selp.b64 %d5, 0, 4, %p1; selp.b64 %d6, 4, 0, %p1;
add.u64 %d5, %d0, %d5; add.u64 %d6, %d0, %d6; mul.wide.u32 %d7, %r1, 4; add.u64 %d4, %d1, %d7;
ld.relaxed.gpu.global.u32 %r3, [%d5]; st.relaxed.gpu.global.u32 [%d6], 1;
st.global.u32 [%d4], %r3;"""
    assert not run(crossed, grid=2, block=1).is_complete  # load buffering
    assert run("mov.u32 %r3, %clock;").unknown == {"%clock"}
    assert run("brkpt;").unknown == {"brkpt"}
    assert run("max.ftz.f32 %f1, %f2, %f3;").unknown == {"max.ftz.f32"}
    copy = "cp.async.ca.shared.global [tile], [%d0], 4;"
    twice = run(f"{copy} {copy.replace('%d0', '%d0+4')} cp.async.wait_all;", block=1, lanes=1)
    assert twice.unknown == {"copies of one thread to one place without a wait"}
    assert run("add.sat.s32 %r3, %r0, %r1;").unknown == {"add.sat.s32"}
    assert run(EXCHANGE.format(""), most_states=5).unknown == {"more than 5 accesses"}


def test_stores_come_to_be_in_one_order_for_each_place_alone():
    """2+2W: x = 1, y = 2 and y = 1, x = 2 may leave 1 in both."""
    body = """setp.eq.u32 %p1, %r1, 0; selp.b64 %d5, 0, 4, %p1; selp.b64 %d6, 4, 0, %p1;
add.u64 %d5, %d1, %d5; add.u64 %d6, %d1, %d6; st.global.u32 [%d5], 1; {} st.global.u32 [%d6], 2;"""
    assert counted(body.format(""), grid=2, block=1) == 4


def test_a_search_that_ends_early_is_not_complete():
    body = EXCHANGE.format("")
    assert not run(body, expected=frozenset()).is_complete
    assert run(body, expected=run(body).images).is_complete


SIZES = """ld.global.u64 %d5, [%d0]; bar.sync 0; st.global.u32 [%d3], %r0; bar.sync 0;
ld.global.u8 %r3, [%d0+4]; atom.global.add.u64 %d6, [%d0+8], 1; bar.sync 0;
ld.global.u64 %d6, [%d0+8]; st.global.u64 [%d1], %d6; st.global.u32 [%d1+8], %r3;"""


def test_the_first_run_may_have_more_accesses_than_all_others_together():
    assert run(EXCHANGE.format("bar.sync 0;"), most_states=2).is_single  # 6 accesses
    assert not run(EXCHANGE.format("bar.sync 0;"), most_states=1).is_complete
    assert not run(EXCHANGE.format(""), most_states=6).is_complete


def test_elements_of_several_sizes():
    assert counted(SIZES.replace("atom.global.add.u64 %d6, [%d0+8], 1;", "")) == 1
    assert run(SIZES).unknown == {"an atomic beside smaller elements"}


def test_planted_faults_are_judged():
    launch, right = launch_of(1, 4), module_of(EXCHANGE.format("bar.sync 0;"), 2)
    twice = module_of(EXCHANGE.format("bar.sync 0; bar.sync 0;"), 2)
    assert is_harmless(twice, right, launch) is True  # one of two barriers is enough
    assert is_harmless(right, module_of(EXCHANGE.format(""), 2), launch) is False
    assert is_harmless(right, module_of(EXCHANGE.format("bar.warp.sync 3;"), 2), launch) is True
    other = EXCHANGE.replace("%r0, 1; st", "%r0, 2; st").format("bar.sync 0;")
    assert is_harmless(right, module_of(other, 2), launch) is False
    assert is_harmless(right, module_of("mov.u32 %r3, %clock;", 2), launch) is None
    assert is_harmless(module_of(EXCHANGE.format(""), 2), right, launch) is None


WARP_SUM = """add.u32 %r3, %r0, 1;
shfl.sync.bfly.b32 %r4, %r3, 1, 31, -1; add.u32 %r3, %r3, %r4;
shfl.sync.bfly.b32 %r4, %r3, 2, 31, -1; add.u32 %r3, %r3, %r4;
vote.sync.ballot.b32 %r5, %p1, -1; st.global.u32 [%d4], %r3;"""


def test_one_outcome_is_the_executors():
    begin = f"setp.gt.u32 %p1, %r0, 1;\n{WARP_SUM}\n"
    body = f"{begin}{EXCHANGE.format('bar.sync 0;')} st.shared.u32 [tile], 3;"
    text = f"{HEAD}{body}\nret;\n}}\n"
    module = replace(ptx.parse(Source("k.ptx", text)).module, warp_size=4)
    launch = launch_of(1, 4)
    found = outcomes(module, module.kernels[0], launch)
    assert found.is_single
    before = {b.name: materialise(b) for b in launch.buffers}
    after = prepare(text, 4).run(1, 4, {n: a.copy() for n, a in before.items()})
    (image,) = found.images
    assert dict(image) == {n: digest_of(a.tobytes(), after[n].tobytes()) for n, a in before.items()}
    assert np.any(after["out"])


class Everything(Search):
    """Every order of all accesses without any reduction; stores of results are done at once."""

    def pick(self, runnable, last):  # noqa: ARG002 - as the machine calls it
        self.way = 0
        places = {n: self.machine.agents[n].places[0][0].name for n in runnable}
        results = [n for n, name in places.items() if name == "out"]
        if self.depth == len(self.nodes):
            self.nodes.append(_Node(min(results or runnable), {}))
            self.nodes[-1].to_try.update([] if results else runnable)
        return self.nodes[self.depth].thread


OPERATIONS = [
    "st.global.u32 [%d0+{place}], {value};",
    "ld.global.u32 %r{register}, [%d0+{place}];",
    "st.release.gpu.global.u32 [%d0+{place}], {value};",
    "ld.acquire.gpu.global.u32 %r{register}, [%d0+{place}];",
    "ld.relaxed.cta.global.u32 %r{register}, [%d0+{place}];",
    "red.global.add.u32 [%d0+{place}], {value};",
    "atom.global.add.u32 %r{register}, [%d0+{place}], 1;",
    "atom.acq_rel.gpu.global.exch.b32 %r{register}, [%d0+{place}], {value};",
    "fence.acq_rel.gpu;",
    "fence.sc.gpu;",
    "bar.sync 0;",
]


def random_body(rng, threads, length):
    """Threads of their own few operations, and stores of what they have read."""
    lines = ["mad.lo.u32 %r10, %r1, %r2, %r0; mul.wide.u32 %d5, %r10, 16; add.u64 %d6, %d1, %d5;"]
    lines += ["mov.u32 %r12, 0; mov.u32 %r13, 0; mov.u32 %r14, 0;"]
    for thread in range(threads):
        lines.append(f"setp.ne.u32 %p1, %r10, {thread}; @%p1 bra N{thread};")
        for k in range(length):
            operation = OPERATIONS[rng.integers(len(OPERATIONS))]
            place, value = 4 * int(rng.integers(2)), int(rng.integers(1, 3))
            lines.append(operation.format(place=place, value=value, register=12 + k % 3))
        lines += ["bra END;", f"N{thread}:"]
    stores = [f"st.global.u32 [%d6+{4 * k}], %r{12 + k};" for k in range(3)]
    return "\n".join([*lines, "END:", *stores])


def assert_reduction_loses_nothing(body, grid, block):
    module, launch = module_of(body, 1), launch_of(grid, block, 32)
    image = image_of(module, module.kernels[0], launch)
    for orders_fences in (False, True):
        reduced = Search(image, orders_fences, 10**7, None).run()
        every = Everything(image, orders_fences, 10**7, None).run()
        assert reduced.images == every.images
        assert not reduced.faults


@pytest.mark.parametrize("seed", [*range(12), 109, 937, 1063])
def test_reduced_exploration_comes_to_what_every_order_comes_to(seed):
    rng = np.random.default_rng(seed)
    grid = 1 + seed % 3
    threads, length = (3, 2) if seed % 4 else (2, 3)
    assert_reduction_loses_nothing(random_body(rng, threads, length), grid, -(-threads // grid))


def test_updates_that_commute_do_not_where_somebody_reads_between_them():
    body = """setp.ne.u32 %p1, %r0, 0; @%p1 bra OTHER;
red.global.add.u32 [%d0], 2; st.release.gpu.global.u32 [%d0], 2;
atom.global.add.u32 %r3, [%d0+4], 1; bra END;
OTHER: red.global.add.u32 [%d0], 1; ld.relaxed.cta.global.u32 %r3, [%d0+4];
ld.relaxed.cta.global.u32 %r4, [%d0]; st.global.u32 [%d1+8], %r4;
END: st.global.u32 [%d4], %r3;"""
    assert_reduction_loses_nothing(body, 1, 2)


def roles(*bodies):
    """Threads, each a CTA of its own, that do one of these each."""
    lines = []
    for number, body in enumerate(bodies):
        lines.append(f"setp.ne.u32 %p1, %r1, {number}; @%p1 bra N{number};\n{body} bra END;")
        lines.append(f"N{number}:")
    return "\n".join([*lines, "END:"])


def reading(register, place):
    return f"ld.relaxed.gpu.global.u32 %r{register}, [%d0+{place}];"


FLAG = "st.release.gpu.global.u32 [%d0+4], 1;"
WAIT = "W{0}: ld.acquire.gpu.global.u32 %r9, [%d0+4]; setp.ne.u32 %p2, %r9, {1}; @%p2 bra W{0};"
RESULTS = "st.global.u32 [%d1], %r3; st.global.u32 [%d1+4], %r4; st.global.u32 [%d1+8], %r5;"
ZEROS = "mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u32 %r5, 0;"
CASES = {
    "a reader that knows of one of two updates": (
        ("red.global.add.u32 [%d0], 1;", f"red.global.add.u32 [%d0], 1; {FLAG}",
         f"{ZEROS} {WAIT.format(2, 1)} {reading(3, 0)} {RESULTS}"), 2),
    "a value that is there twice": (
        ("st.global.u32 [%d0], 2; st.global.u32 [%d0], 0; st.relaxed.gpu.global.u32 [%d0+4], 1;",
         f"{reading(3, 4)} {reading(4, 0)} {reading(5, 0)} {RESULTS}"), 8),
    "no store comes between an atomic's read and write": (
        (f"{ZEROS} atom.global.add.u32 %r3, [%d0], 1; {RESULTS}",
         "st.relaxed.gpu.global.u32 [%d0], 5;"), 2),
    "reads of one place do not go back": (
        ("st.relaxed.gpu.global.u32 [%d0], 1;",
         f"{ZEROS} {reading(3, 0)} {reading(4, 0)} {RESULTS}"), 3),
    "updates hand on what was released": (
        (f"st.global.u32 [%d0], 7; {GPU} atom.global.add.u32 %r3, [%d0+4], 1;",
         "atom.global.add.u32 %r3, [%d0+4], 1;",
         f"{ZEROS} {WAIT.format(2, 2)} ld.global.u32 %r3, [%d0]; {RESULTS}"), 1),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_the_memory_model_allows(case):
    bodies, images = CASES[case]
    assert counted(roles(*bodies), grid=len(bodies), block=1) == images


def test_a_write_that_another_of_the_same_value_hides_from_a_reader():
    bodies = [
        f"{ZEROS} ld.global.u32 %r3, [%d0]; bar.sync 1, 2; {RESULTS}",
        "ld.global.u32 %r9, [%d0+8]; bar.sync 1, 2; st.global.u32 [%d0], 1;",  # runs second
        "st.global.u32 [%d0], 1;",
    ]
    assert counted(roles(*bodies).replace("%p1, %r1,", "%p1, %r0,"), block=3, lanes=1) == 2


def test_updates_hand_on_what_was_released_within_a_cta():
    bodies, _ = CASES["updates hand on what was released"]
    body = roles(*bodies).replace("%p1, %r1,", "%p1, %r0,")
    assert counted(body.replace(".gpu", ".cta"), block=3, lanes=1) == 1


def test_what_comes_after_a_barrier_is_not_ordered_by_it():
    assert counted("bar.sync 0;" + EXCHANGE.format("")) == 4


def test_threads_of_a_barrier_that_depend_on_the_schedule():
    assert not run("bar.sync 1, 2;", block=4, lanes=1).is_complete
    assert run("bar.sync 1, 4;", block=4, lanes=1).is_single


def test_read_only_loads_of_what_is_written():
    body = f"{EXCHANGE.format('bar.sync 0;')} ld.global.nc.u32 %r6, [%d3];"
    assert not run(body).is_complete
    assert run("ld.global.nc.u32 %r6, [%d3]; st.global.u32 [%d4], %r6;").is_single


@pytest.mark.parametrize(
    ("sample", "operation", "ctas", "threads"),
    [("vecadd", "st", 2, 64), ("reduce", "bar", 2, 64)],
)
def test_launches_shrink_as_far_as_their_roles_allow(sample, operation, ctas, threads):
    file = Path(__file__).parents[2] / "samples" / sample / "launch.toml"
    (launch,) = load_launches(file)
    loaded, kernel = load_kernel(launch.module, launch.kernel)
    line = next(i.span.line for i in kernel.instructions if i.operation.name == operation)
    small = shrunken(file, line=line)
    assert (small.cta_count, small.threads_per_cta) == (ctas, threads)
    assert tried(loaded.module, kernel, small, line).roles == ("all", "all", "all")
    assert outcomes(loaded.module, kernel, small).is_single


def test_a_line_that_nobody_comes_to_has_no_small_launch(tmp_path):
    (tmp_path / "k.ptx").write_text(f"{HEAD}\nret;\ntrap;\n}}\n")
    (tmp_path / "launch.toml").write_text(
        '[sizes]\nn = 64\n[[launch]]\nmodule = "k.ptx"\ngrid = [1]\nblock = ["n"]\nargs = [\n'
        '{ buffer = "u32", shape = ["n"] }, { buffer = "u32", shape = ["n"] }]\n'
    )
    assert shrunken(tmp_path / "launch.toml", line=HEAD.count("\n") + 3) is None
    assert shrunken(tmp_path / "launch.toml", line=HEAD.count("\n")).threads_per_cta == 64
