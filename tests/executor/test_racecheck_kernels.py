"""Racecheck on small kernels with one fault each, and on the same kernels without it."""

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.sanitizers.findings import FindingKind, Tool
from warpmill.executor.sanitizers.sanitizer import Sanitizer

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data) {
.shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 full; .shared .align 8 .b64 empty;
.reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %d<9>;
ld.param.u64 %d0, [data]; cvta.to.global.u64 %d0, %d0; mov.u32 %r0, %tid.x;
mul.wide.u32 %d1, %r0, 16; add.u64 %d1, %d0, %d1;
shl.b32 %r1, %r0, 4; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;
xor.b32 %r3, %r0, 33; shl.b32 %r3, %r3, 4; add.u32 %r3, %r3, %r2;
"""


def found(body, grid=1, block=64, **options):
    """What racecheck finds in a kernel: kinds, and lines of the earlier and the later access."""
    sanitizer = Sanitizer(frozenset({Tool.RACECHECK}))
    device = Device(options=CpuOptions(sanitizer=sanitizer, **options))
    kernel = device.load(Source("k.ptx", HEAD + body + "\nret;\n}\n")).kernel("k")
    device.launch(kernel, grid, block, [device.zeros(1 << 16, np.uint8)])
    assert not sanitizer.not_checked
    first = HEAD.count("\n") + 1
    return [
        (f.kind, f.other.span.line - first, f.access.span.line - first) for f in sanitizer.findings
    ]


COPIES = """cp.async.ca.shared.global [%r1], [%d1], 16;
cp.async.commit_group;
{wait}
{barrier}
ld.shared.u32 %r4, [%r{from}];"""


@pytest.mark.parametrize(
    ("wait", "barrier", "other", "kind"),
    [
        ("cp.async.wait_group 0;", "bar.sync 0;", 3, None),
        ("cp.async.wait_all;", "bar.sync 0;", 3, None),
        ("cp.async.wait_all;", "", 1, None),
        ("", "bar.sync 0;", 3, FindingKind.COPY),
        ("", "", 1, FindingKind.COPY),
        ("cp.async.wait_group 1;", "bar.sync 0;", 3, FindingKind.COPY),
        ("cp.async.wait_group 0;", "", 3, FindingKind.COPY),
    ],
)
def test_a_copy_is_over_for_who_waits_and_after_a_barrier_for_all(wait, barrier, other, kind):
    body = COPIES.replace("{from}", str(other)).format(wait=wait, barrier=barrier)
    seen = found(body)
    assert seen == [] if kind is None else (kind, 0, 4) in seen


def test_of_two_groups_the_first_is_over_where_one_may_be_under_way():
    body = """cp.async.ca.shared.global [%r1], [%d1], 8;
cp.async.commit_group;
cp.async.ca.shared.global [%r1+8], [%d1], 8;
cp.async.commit_group;
cp.async.wait_group 1;
bar.sync 0;
ld.shared.u32 %r4, [%r3];
ld.shared.u32 %r4, [%r3+8];"""
    assert found(body) == [(FindingKind.COPY, 2, 7)]


def test_what_a_copy_reads_must_not_be_overwritten_before_it_is_over():
    body = """cp.async.ca.shared.global [%r1], [%d1], 16;
st.global.u32 [%d1], %r0;
cp.async.wait_all;
st.global.u32 [%d1], %r0;"""
    assert found(body) == [(FindingKind.COPY, 0, 1)]


HANDED_ON = """setp.eq.u32 %p1, %r0, 0; setp.ge.u32 %p3, %r0, 32;
@%p1 mbarrier.init.shared.b64 [full], 32;
bar.sync 0;
@%p3 bra consume;
st.shared.u32 [%r1], %r0;
mbarrier.arrive.shared.b64 %d3, [full];
bra over;
consume:
{wait}
ld.shared.u32 %r4, [%r3];
over:"""
WAIT = "mbarrier.try_wait.parity.shared.b64 %p2, [full], 0; @!%p2 bra consume;"


def test_an_object_hands_on_what_those_did_who_arrived():
    assert found(HANDED_ON.format(wait=WAIT)) == []
    assert found(HANDED_ON.format(wait="")) == [(FindingKind.RACE, 4, 9)]


MADE = """setp.eq.u32 %p1, %r0, 0;
@%p1 mbarrier.init.shared.b64 [full], 64;
{barrier}
{use}
bar.sync 0;
@%p1 mbarrier.inval.shared.b64 [full];"""
USES = (
    "mbarrier.arrive.shared.b64 %d3, [full];",
    "mbarrier.test_wait.parity.shared.b64 %p2, [full], 1;",
)


@pytest.mark.parametrize("use", USES)
def test_an_object_is_made_before_others_use_it(use):
    assert found(MADE.format(barrier="bar.sync 0;", use=use)) == []
    assert (FindingKind.RACE, 1, 3) in found(MADE.format(barrier="", use=use))


@pytest.mark.parametrize("use", USES)
def test_an_object_is_ended_after_others_have_used_it(use):
    body = MADE.format(barrier="bar.sync 0;", use=use).replace("bar.sync 0;\n@%p1 mb", "@%p1 mb")
    assert (FindingKind.RACE, 3, 4) in found(body)


BULK = """setp.ne.u32 %p1, %r0, 0; @%p1 bra consume;
mbarrier.init.shared.b64 [full], 1;
mbarrier.arrive.expect_tx.shared.b64 %d3, [full], 1024;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%d0], 1024, [full];
consume:
bar.sync 0;
again:
{wait}
ld.shared.u32 %r4, [%r3];"""


def test_a_bulk_copy_is_over_for_who_has_waited_for_its_object():
    wait = "mbarrier.try_wait.parity.shared.b64 %p2, [full], 0; @!%p2 bra again;"
    assert found(BULK.format(wait=wait)) == []
    assert found(BULK.format(wait="")) == [(FindingKind.COPY, 3, 8)]


OUT = """setp.ne.u32 %p1, %r0, 0; st.shared.u32 [%r1], %r0; fence.proxy.async; bar.sync 0;
@%p1 bra over;
cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r2], 1024;
cp.async.bulk.commit_group;
{wait}
ld.global.u32 %r4, [%d0+16];
over:
bar.sync 0;
st.shared.u32 [%r1], %r0;"""


@pytest.mark.parametrize(
    ("wait", "reads", "writes"),
    [
        ("cp.async.bulk.wait_group 0;", True, True),
        ("cp.async.bulk.wait_group.read 0;", True, False),
        ("cp.async.bulk.wait_group 1;", False, False),
        ("cp.async.wait_all;", False, False),
        ("", False, False),
    ],
)
def test_reads_and_writes_of_a_bulk_copy_are_waited_for_apart(wait, reads, writes):
    wanted = [(FindingKind.COPY, 2, 5)] * (not writes) + [(FindingKind.COPY, 2, 8)] * (not reads)
    assert found(OUT.format(wait=wait)) == wanted


PROXIES = """setp.ne.u32 %p1, %r0, 0; st.shared.u32 [%r1], %r0;
{before}
bar.sync 0;
@%p1 bra over;
{after}
cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r2], 1024;
over:"""
PROXY_FENCE = "fence.proxy.async.shared::cta;"


@pytest.mark.parametrize(
    ("before", "after", "races"),
    [(PROXY_FENCE, "", False), ("", PROXY_FENCE, False), ("", "", True), ("membar.gl;", "", True)],
)
def test_a_bulk_copy_reads_behind_a_fence_what_threads_have_written(before, after, races):
    body = PROXIES.format(before=before, after=after)
    assert found(body) == ([(FindingKind.RACE, 0, 5)] if races else [])


def test_what_was_written_after_the_fence_needs_another_one():
    late = f"{PROXY_FENCE} st.shared.u8 [%r1+7], 3;"
    assert found(PROXIES.format(before=late, after="")) == [(FindingKind.RACE, 1, 5)]


BOTH_WAYS = """setp.ne.u32 %p1, %r0, 0; add.u32 %r6, %r2, 512; @%p1 bra over;
mbarrier.init.shared.b64 [full], 1;
cp.async.bulk.global.shared::cta.bulk_group [%d0+4096], [%r2], 512;
cp.async.bulk.commit_group;
mbarrier.arrive.expect_tx.shared.b64 %d3, [full], 512;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r6], [%d0], 512, [full];
again:
mbarrier.try_wait.parity.shared.b64 %p2, [full], 0; @!%p2 bra again;
{wait}
over:
bar.sync 0;
setp.ge.u32 %p3, %r0, 32;
@!%p3 st.shared.u32 [%r1], %r0;"""


def test_the_end_of_another_copy_of_its_thread_says_nothing_of_a_group():
    assert found(BOTH_WAYS.format(wait="cp.async.bulk.wait_group.read 0;")) == []
    assert found(BOTH_WAYS.format(wait="")) == [(FindingKind.COPY, 2, 12)]


def test_lanes_that_store_the_same_in_one_instruction_do_not_race():
    assert found("mov.u32 %r5, 7; setp.lt.u32 %p1, %r0, 32;\n@%p1 st.shared.u32 [tile], %r5;") == []
    body = "setp.lt.u32 %p1, %r0, 32;\n@%p1 st.shared.u32 [tile], %r0;"
    assert found(body) == [(FindingKind.RACE, 1, 1)]


def test_warps_that_store_the_same_are_a_warning():
    assert found("mov.u32 %r5, 7;\nst.shared.u32 [tile], %r5;") == [(FindingKind.SAME_VALUE, 1, 1)]


def test_neighbouring_bytes_do_not_race():
    body = "add.u32 %r5, %r2, %r0;\nst.shared.u8 [%r5], %r0;"
    assert found(body) == []


def test_a_volatile_reduction_by_a_warp_does_not_race():
    body = """st.volatile.shared.u32 [%r1], %r0;
ld.volatile.shared.u32 %r4, [%r3];"""
    assert found(body) == []


MESSAGE = """mov.u32 %r9, %ctaid.x; setp.ne.u32 %p1, %r9, 0; setp.ne.u32 %p3, %r0, 0;
@%p3 bra over; @%p1 bra read;
st.global.u32 [%d0], 7;
{fence}
{store} [%d0+64], 1;
bra over;
read:
{load} %r5, [%d0+64]; setp.eq.u32 %p2, %r5, 0; @%p2 bra read;
{then}
ld.global.u32 %r6, [%d0];
over:"""
VOLATILE = {"store": "st.volatile.global.u32", "load": "ld.volatile.global.u32"}
ORDERED = {"store": "st.release.gpu.global.u32", "load": "ld.acquire.gpu.global.u32"}
FENCE = "fence.acq_rel.gpu;"


@pytest.mark.parametrize(
    ("message", "fence", "then", "races"),
    [
        (VOLATILE, FENCE, FENCE, False),
        (VOLATILE, "membar.gl;", "membar.gl;", False),
        (VOLATILE, "", FENCE, True),
        (VOLATILE, FENCE, "", True),
        (VOLATILE, "membar.cta;", FENCE, True),
        (VOLATILE, FENCE, "membar.cta;", True),
        (ORDERED, "", "", False),
        ({**ORDERED, "load": "ld.relaxed.gpu.global.u32"}, "", "", True),
        ({**ORDERED, "load": "ld.relaxed.gpu.global.u32"}, "", FENCE, False),
    ],
)
def test_a_message_between_ctas_needs_a_release_and_an_acquire(message, fence, then, races):
    seen = found(MESSAGE.format(fence=fence, then=then, **message), grid=2)
    assert seen == ([(FindingKind.RACE, 2, 9)] if races else [])


def test_a_scope_of_one_cta_does_not_hold_another():
    message = {"store": "st.relaxed.cta.global.u32", "load": "ld.relaxed.gpu.global.u32"}
    seen = found(MESSAGE.format(fence=FENCE, then=FENCE, **message), grid=2)
    assert (FindingKind.NARROW_SCOPE, 4, 7) in seen
    assert (FindingKind.RACE, 2, 9) in seen


CHAIN = """mov.u32 %r9, %ctaid.x; setp.ne.u32 %p1, %r9, 0; @%p1 bra read;
setp.ne.u32 %p3, %r0, 0; @%p3 bra other;
st.global.u32 [%d0], 7;
{first}
atom.exch.relaxed.gpu.global.b32 %r5, [%d0+64], 1;
other:
setp.ne.u32 %p3, %r0, 1; @%p3 bra over;
st.global.u32 [%d0+128], 7;
{second}
atom.add.relaxed.gpu.global.u32 %r5, [%d0+64], 0;
bra over;
read:
atom.add.relaxed.gpu.global.u32 %r5, [%d0+64], 0;
fence.acq_rel.gpu;
ld.global.u32 %r6, [%d0];
ld.global.u32 %r6, [%d0+128];
over:"""


@pytest.mark.parametrize(
    ("first", "second", "races"),
    [
        ("gpu", "gpu", ()),
        ("gpu", "cta", ((7, 15),)),
        ("cta", "gpu", ((2, 14),)),
        ("cta", "cta", ((2, 14), (7, 15))),
    ],
)
def test_in_a_chain_of_atomics_each_releases_as_far_as_its_own_fence(first, second, races):
    """Two threads of a CTA write to a chain one after another; the other CTA reads the last."""
    fences = {"first": f"fence.acq_rel.{first};", "second": f"fence.acq_rel.{second};"}
    seen = found(CHAIN.format(**fences), grid=2, block=32)
    assert sorted(seen) == sorted((FindingKind.RACE, *places) for places in races)


LAST_CTA = """mov.u32 %r9, %ctaid.x; mov.u32 %r10, %nctaid.x; sub.u32 %r10, %r10, 1;
mad.lo.u32 %r11, %r9, 64, %r0; mul.wide.u32 %d2, %r11, 4; add.u64 %d2, %d0, %d2;
st.global.u32 [%d2+64], %r11;
{barrier}
setp.ne.u32 %p1, %r0, 63; @%p1 bra told;
{fence}
atom.add.relaxed.gpu.global.u32 %r5, [%d0], 1;
{fence}
st.shared.u32 [tile], %r5;
told:
bar.sync 0;
ld.shared.u32 %r5, [tile]; setp.ne.u32 %p2, %r5, %r10; @%p2 bra over;
ld.global.u32 %r6, [%d1+80];
over:"""


def test_the_last_cta_reads_what_the_others_have_counted():
    """A thread releases what its CTA did before the barrier; in the last it acquires for all.

    Without the barrier it does not, though the other warp has been there before it here.
    """
    assert found(LAST_CTA.format(barrier="bar.sync 0;", fence=FENCE), grid=4) == []
    assert found(LAST_CTA.format(barrier="", fence=FENCE), grid=4) == [(FindingKind.RACE, 2, 12)]
    seen = found(LAST_CTA.format(barrier="bar.sync 0;", fence=""), grid=4)
    assert seen == [(FindingKind.RACE, 2, 12)]


GRID = """mov.u32 %r9, %ctaid.x; mov.u32 %r10, %nctaid.x;
mad.lo.u32 %r11, %r9, 64, %r0; mul.wide.u32 %d2, %r11, 4; add.u64 %d2, %d0, %d2;
st.global.u32 [%d2+64], %r11;
bar.sync 0;
setp.ne.u32 %p1, %r0, 0; @%p1 bra met;
atom.add.release.gpu.global.u32 %r5, [%d0], 1;
again:
{wait}
met:
bar.sync 0;
xor.b32 %r11, %r11, 192; mul.wide.u32 %d2, %r11, 4; add.u64 %d2, %d0, %d2;
ld.global.u32 %r6, [%d2+64];"""


def test_a_barrier_of_the_grid_orders_all_ctas():
    """Each CTA counts itself, and waits until all have."""
    wait = "ld.acquire.gpu.global.u32 %r6, [%d0]; setp.lt.u32 %p2, %r6, %r10; @%p2 bra again;"
    assert found(GRID.format(wait=wait), grid=4) == []
    assert (FindingKind.RACE, 2, 11) in found(GRID.format(wait=""), grid=4)


TILE_WORDS = "shl.b32 %r5, %r0, 2; add.u32 %r5, %r5, %r2; "


@pytest.mark.parametrize(
    ("place", "after", "earlier"),
    [
        ("%r5", 4, 2),  # a word that lane k read, then lane k - 1: not lane k's own load
        ("%r2+128", 0, 2),  # only the last lane has read it, with the words that others did before
        ("%r2+256", 0, None),
    ],
)
def test_readers_of_a_window_that_moves_are_each_known(place, after, earlier):
    body = f"""{TILE_WORDS}setp.gt.u32 %p1, %r0, {after};
ld.shared.u32 %r6, [%r5];
ld.shared.u32 %r7, [%r5+4];
@%p1 st.shared.u32 [{place}], %r0;"""
    seen = [one for one in found(body, block=32) if one[1] != one[2]]
    assert seen == ([] if earlier is None else [(FindingKind.RACE, earlier, 3)])


@pytest.mark.parametrize("place", ["%r2", "%r5"])
def test_a_load_of_what_two_lanes_of_another_warp_know_races_with_the_write(place):
    """The two readers are ordered after the write by a barrier of their warp, the third is not."""
    body = f"""shl.b32 %r5, %r0, 2; and.b32 %r5, %r5, 127; add.u32 %r5, %r5, %r2;
setp.ge.u32 %p1, %r0, 32;
@!%p1 st.shared.u32 [%r5], %r0;
@!%p1 bar.warp.sync -1;
xor.b32 %r6, %r5, 4;
@!%p1 ld.shared.u32 %r7, [%r6];
@!%p1 ld.shared.u32 %r7, [%r2];
ld.shared.u32 %r7, [{place}];"""
    assert (FindingKind.RACE, 2, 7) in found(body)
