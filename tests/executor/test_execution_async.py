"""Asynchronous copies and barrier objects: what is in memory, and who waits for whom."""

import numpy as np
import pytest

from tests.reference.run_kernel import run_ptx
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.launching import RunLimits
from warpmill.executor.native.layout import FaultKind

COPY = """
    .shared .align 16 .b8 s[512]; ld.param.u64 %d0, [out]; ld.param.u64 %d1, [given];
    mov.u32 %r0, %laneid; shl.b32 %r1, %r0, 4; mov.u32 %r2, s; add.u32 %r3, %r2, %r1;
    cvt.u64.u32 %d2, %r1; add.u64 %d3, %d0, %d2; add.u64 %d4, %d1, %d2;
    mov.u32 %r4, 0xEEEEEEEE; st.shared.v4.u32 [%r3], {%r4, %r4, %r4, %r4}; bar.sync 0;
"""
SHOW = """
    cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;
    ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r3]; st.global.v4.u32 [%d3], {%r5, %r6, %r7, %r8}; ret;
"""


def copied(statement):
    given = np.random.default_rng(4).integers(1, 256, (32, 16)).astype(np.uint8)
    arguments = {"out": np.zeros((32, 16), np.uint8), "given": given}
    return given, run_ptx(COPY + statement + SHOW, arguments)["out"]


@pytest.mark.parametrize(("word", "size"), [("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)])
def test_copies_of_each_size(word, size):
    given, out = copied(f"cp.async.{word}.shared.global [%r3], [%d4], {size};")
    wanted = np.full((32, 16), 0xEE, np.uint8)
    wanted[:, :size] = given[:, :size]
    assert np.array_equal(out, wanted)


@pytest.mark.parametrize("size", [4, 8, 16])
def test_what_lies_past_the_size_of_the_source_is_zero(size):
    statement = f"rem.u32 %r9, %r0, {size + 1};"
    statement += f"cp.async.ca.shared.global [%r3], [%d4], {size}, %r9;"
    given, out = copied(statement)
    wanted = np.full((32, 16), 0xEE, np.uint8)
    for lane in range(32):
        kept = lane % (size + 1)
        wanted[lane, :size] = 0
        wanted[lane, :kept] = given[lane, :kept]
    assert np.array_equal(out, wanted)


@pytest.mark.parametrize("stride", [0, 4, 8])
@pytest.mark.parametrize("bytes_", [4, 16])
def test_lanes_without_a_source_get_zeros_where_others_read_there(stride, bytes_):
    """One lane in three reads, from places that the words of the others lie in too."""
    statement = f"""rem.u32 %r9, %r0, 3; setp.eq.u32 %p1, %r9, 0; selp.b32 %r9, {bytes_}, 0, %p1;
        mul.wide.u32 %d5, %r0, {stride}; add.u64 %d4, %d1, %d5;
        cp.async.ca.shared.global [%r3], [%d4], {bytes_}, %r9;"""
    given, out = copied(statement)
    wanted = np.full((32, 16), 0xEE, np.uint8)
    for lane in range(32):
        source = given.ravel()[stride * lane : stride * lane + bytes_]
        wanted[lane, :bytes_] = 0 if lane % 3 else source
    assert np.array_equal(out, wanted)


def test_a_source_that_is_ignored_is_not_read():
    """Odd lanes ignore the source, which for them is nowhere, and get zeros."""
    statement = """and.b32 %r9, %r0, 1; setp.eq.u32 %p1, %r9, 1; mov.u64 %d5, 64;
        selp.b64 %d4, %d5, %d4, %p1; cp.async.ca.shared.global [%r3], [%d4], 8, %p1;"""
    given, out = copied(statement)
    wanted = np.full((32, 16), 0xEE, np.uint8)
    wanted[:, :8] = np.where(np.arange(32)[:, None] % 2, 0, given[:, :8])
    assert np.array_equal(out, wanted)


def test_nothing_is_read_where_the_source_has_no_bytes():
    statement = """mov.u64 %d4, 64; mov.u32 %r9, 0;
        cp.async.cg.shared.global [%r3], [%d4], 16, %r9;"""
    _, out = copied(statement)
    assert not out.any()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("size", [5, 6, 7, 8, 13])
def test_a_source_that_ends_with_its_buffer_is_read_to_its_end_only(size):
    """Of 16 bytes the buffer has but some."""
    statement = f"""add.u64 %d4, %d1, 496; mov.u32 %r9, {size}; setp.eq.u32 %p1, %r0, 0;
        @%p1 cp.async.ca.shared.global [%r3], [%d4], 16, %r9;"""
    given = np.arange(496 + size, dtype=np.uint32).astype(np.uint8)
    arguments = {"out": np.zeros((32, 16), np.uint8), "given": given}
    out = run_ptx(COPY + statement + SHOW, arguments)["out"]
    assert out[0].tolist() == [*given[496:].tolist(), *[0] * (16 - size)]
    assert (out[1:] == 0xEE).all()
    with pytest.raises(ExecutionFault):
        run_ptx(COPY + statement + SHOW, {**arguments, "given": given[:-1].copy()})


def test_a_copy_of_a_few_bytes_does_not_hide_one_past_the_end():
    """Lane 0 copies 3 bytes inside the buffer, then, in the next round, 4 bytes at its end."""
    body = """mov.u32 %r9, 3; setp.ne.u32 %p1, %r0, 0; @%p1 ret; mov.u64 %d4, %d1;
        L: cp.async.ca.shared.global [%r3], [%d4], 16, %r9;
        add.u64 %d4, %d4, 512; mov.u32 %r9, 4; bra L;"""
    arguments = {"given": np.zeros(512, np.uint8), "out": np.zeros(512, np.uint8)}
    with pytest.raises(ExecutionFault) as caught:
        run_ptx(COPY + body, arguments)
    fault = caught.value.fault
    assert (fault.kind, fault.address) == (FaultKind.OUT_OF_BOUNDS, GLOBAL_BASE + 512)


def test_lanes_that_are_off_copy_nothing():
    statement = "setp.lt.u32 %p1, %r0, 7; @%p1 cp.async.ca.shared.global [%r3], [%d4], 4;"
    given, out = copied(statement)
    assert np.array_equal(out[:7, :4], given[:7, :4])
    assert (out[7:] == 0xEE).all()


@pytest.mark.parametrize(
    ("statement", "address"),
    [("[%r3], [%d4+496]", 16), ("[%r3+496], [%d4]", 512), ("[%r3+512], [%d4]", 512)],
)
def test_copies_out_of_bounds(statement, address):
    given = np.zeros((32, 16), np.uint8)
    arguments = {"given": given, "out": np.zeros((32, 16), np.uint8)}
    with pytest.raises(ExecutionFault) as caught:
        run_ptx(COPY + f"cp.async.ca.shared.global {statement}, 16; ret;", arguments)
    fault = caught.value.fault
    assert fault.kind is FaultKind.OUT_OF_BOUNDS
    is_shared = "%r3+" in statement
    assert fault.space.value == ("shared" if is_shared else "global")
    assert fault.address == (512 if is_shared else GLOBAL_BASE + 512)
    assert fault.thread == ((0 if "512" in statement else 1), 0, 0)


# Barrier objects.

PIPE = """
    .shared .align 8 .b64 full; .shared .align 8 .b64 empty; .shared .align 4 .b32 word[32];
    ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %laneid; shl.b32 %r2, %r1, 2;
    mov.u32 %r3, word; add.u32 %r3, %r3, %r2;
    setp.eq.u32 %p1, %r0, 0;
    @%p1 mbarrier.init.shared.b64 [full], 32; @%p1 mbarrier.init.shared.b64 [empty], 32;
    bar.sync 0; mov.u32 %r4, 0; setp.ge.u32 %p2, %r0, 32; @%p2 bra CONSUMER;
    P: and.b32 %r5, %r4, 1; xor.b32 %r5, %r5, 1;
    PW: mbarrier.{wait}.parity.shared.b64 %p3, [empty], %r5; @!%p3 bra PW;
    mad.lo.u32 %r6, %r4, 100, %r1; st.shared.u32 [%r3], %r6;
    mbarrier.arrive.shared.b64 %d5, [full];
    add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, {rounds}; @%p4 bra P; ret;
    CONSUMER: mov.u32 %r9, 0; mul.wide.u32 %d1, %r1, 4; add.u64 %d1, %d1, %d0;
    C: and.b32 %r5, %r4, 1;
    CW: mbarrier.{wait}.parity.shared.b64 %p3, [full], %r5; @!%p3 bra CW;
    ld.shared.u32 %r6, [%r3]; mad.lo.u32 %r9, %r9, 3, %r6;
    mbarrier.arrive.shared.b64 _, [empty];
    add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, {rounds}; @%p4 bra C;
    st.global.u32 [%d1], %r9; ret;
"""


@pytest.mark.parametrize("wait", ["test_wait", "try_wait"])
def test_a_pipe_of_one_place_between_two_warps(wait):
    body = PIPE.replace("{wait}", wait).replace("{rounds}", "20")
    out = run_ptx(body, {"out": np.zeros(32, np.uint32)}, block=64)["out"]
    wanted = []
    for lane in range(32):
        value = 0
        for step in range(20):
            value = (value * 3 + 100 * step + lane) % 2**32
        wanted.append(value)
    assert out.tolist() == wanted


def test_a_wait_for_a_phase_that_never_ends_is_told():
    body = PIPE.replace("{wait}", "test_wait").replace("{rounds}", "20").replace(", 32;", ", 33;")
    with pytest.raises(ExecutionFault) as caught:
        run_ptx(body, {"out": np.zeros(32, np.uint32)}, block=64, limits=RunLimits(max_seconds=20))
    fault = caught.value.fault
    assert fault.kind is FaultKind.SPIN
    assert {w.warp for w in fault.waiting} == {0, 1}


def phases(statements, count=4, lanes=1):
    """Run statements on a barrier object of so many arrivals; each `SHOW` stores %r9 in `out`."""
    body = f""".shared .align 8 .b64 b; ld.param.u64 %d0, [out]; mov.u32 %r9, 0;
        mbarrier.init.shared.b64 [b], {count};"""
    number = 0
    for line in statements:
        body += line + "\n"
        if "%r9" in line:
            body += f"st.global.u32 [%d0+{4 * number}], %r9;"
            number += 1
    out = run_ptx(body + "ret;", {"out": np.zeros(16, np.uint32)}, block=lanes)["out"]
    return out[:number].tolist()


TEST = "mbarrier.test_wait.shared.b64 %p1, [b], %d9; selp.u32 %r9, 1, 0, %p1;"
PENDING = "mbarrier.pending_count.b64 %r9, %d9;"


def test_arrivals_are_counted_down():
    arrive = "mbarrier.arrive.shared.b64 %d9, [b];"
    # a state is that before the arrival
    lines = [arrive, PENDING, TEST, arrive, PENDING, arrive, PENDING, TEST, arrive, PENDING, TEST]
    assert phases(lines) == [4, 0, 3, 2, 0, 1, 1]
    # in the next phase all four are pending again, and its wait is not over
    assert phases([*[arrive] * 5, PENDING, TEST]) == [4, 0]


def test_arrivals_of_several_and_those_that_leave():
    many = "mbarrier.arrive.shared.b64 %d9, [b], 3;"
    drop = "mbarrier.arrive_drop.shared.b64 %d9, [b];"
    one = "mbarrier.arrive.shared.b64 %d9, [b];"
    assert phases([many, one, TEST]) == [1]
    # one leaves: the next phase has three arrivals
    assert phases([drop, many, TEST, many, PENDING, TEST]) == [1, 3, 1]


def test_bytes_that_are_expected_keep_a_phase_open():
    expect = "mbarrier.arrive.expect_tx.shared.b64 %d9, [b], 64;"
    complete = "mbarrier.complete_tx.shared::cta.b64 [b], 32;"
    assert phases([expect, TEST, complete, TEST, complete, TEST], count=1) == [0, 0, 1]
    before = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 16;"
    arrive = "mbarrier.arrive.shared.b64 %d9, [b];"
    lines = [before, arrive, TEST, complete.replace("32", "16"), TEST]
    assert phases(lines, count=1) == [0, 1]


def test_parities_tell_even_phases_from_odd_ones():
    arrive = "mbarrier.arrive.shared.b64 _, [b];"
    waits = [
        f"mbarrier.try_wait.parity.shared.b64 %p1, [b], {k}; selp.u32 %r9, 1, 0, %p1;"
        for k in (0, 1)
    ]
    # the phase before the first counts as odd and over
    lines = [*waits, arrive, *waits, arrive, *waits]
    assert phases(lines, count=1) == [0, 1, 1, 0, 0, 1]


def test_lanes_arrive_one_after_another():
    body = """.shared .align 8 .b64 b; ld.param.u64 %d0, [out]; mov.u32 %r0, %laneid;
        setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [b], 20; bar.sync 0;
        setp.lt.u32 %p2, %r0, 20; mov.u64 %d5, 0; @%p2 mbarrier.arrive.shared.b64 %d5, [b];
        mbarrier.pending_count.b64 %r1, %d5; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d1, %d0;
        st.global.u32 [%d1], %r1; ret;"""
    out = run_ptx(body, {"out": np.zeros(32, np.uint32)})["out"]
    assert out.tolist() == [20 - k for k in range(20)] + [0] * 12
