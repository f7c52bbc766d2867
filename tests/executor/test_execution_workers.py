"""Launches by several threads: the same bytes, counts and faults as by one."""

import numpy as np
import pytest

from tests.reference.cta_orders import Program
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.launch.numbering import SHARED_WINDOW
from warpmill.executor import launching as workers
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.launching import RunLimits
from warpmill.executor.native.layout import FaultKind

COUNTS = ("block_warps", "block_threads", "guard_lanes", "edge_warps", "edge_threads")
X = """mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
mad.lo.s32 %r4, %r1, %r2, %r3; mul.wide.s32 %rd1, %r4, 4;
add.s64 %rd2, %a, %rd1; add.s64 %rd3, %b, %rd1;"""
SIZE = 4096


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """Let several threads take even the smallest launches."""
    monkeypatch.setattr(workers, "ENOUGH", 0)


def numbers(seed=1):
    return np.random.default_rng(seed).integers(0, SIZE, SIZE).astype(np.uint32)


def program(body, grid=(19, 1, 1), block=(96, 1, 1), **buffers):
    given = {"a": np.zeros(SIZE, np.uint32), "b": numbers()} | buffers
    return Program(f"{X}\n{body}", given, grid, block)


SQUARES = "ld.global.u32 %r5, [%rd3]; mul.lo.u32 %r5, %r5, %r5; st.global.u32 [%rd2], %r5;"
SKEWED = """ld.global.u32 %r5, [%rd3]; and.b32 %r5, %r5, 63; mad.lo.u32 %r5, %r1, 50, %r5;
LOOP: mad.lo.u32 %r6, %r6, 3, %r5; add.s32 %r5, %r5, -1; setp.gt.s32 %p1, %r5, 0;
@%p1 bra LOOP; st.global.u32 [%rd2], %r6;"""
SHARED = """.shared .b32 tile[96]; mov.u32 %r5, tile; shl.b32 %r6, %r3, 2; add.s32 %r6, %r5, %r6;
ld.global.u32 %r7, [%rd3]; st.shared.u32 [%r6], %r7; bar.sync 0; xor.b32 %r8, %r3, 31;
shl.b32 %r8, %r8, 2; add.s32 %r8, %r8, %r5; ld.shared.u32 %r9, [%r8]; st.global.u32 [%rd2], %r9;"""
HISTOGRAM = """ld.global.u32 %r5, [%rd3]; and.b32 %r5, %r5, 15; mul.wide.u32 %rd4, %r5, 4;
add.s64 %rd4, %a, %rd4; red.global.add.u32 [%rd4], %r4;"""
GATHER = """ld.global.u32 %r5, [%rd3]; mul.wide.u32 %rd4, %r5, 4; add.s64 %rd4, %b, %rd4;
ld.global.u32 %r6, [%rd4]; setp.gt.u32 %p1, %r6, 2000; @%p1 add.u32 %r6, %r6, 7;
st.global.u32 [%rd2], %r6;"""


def expected(body):
    b, i = numbers(), np.arange(19 * 96)
    if body is SQUARES:
        return b[i] * b[i]
    if body is SHARED:
        return b[i // 96 * 96 + (i % 96 ^ 31)]
    if body is HISTOGRAM:
        sums = np.zeros(16, np.uint64)
        np.add.at(sums, b[i] & 15, i.astype(np.uint64))
        return sums.astype(np.uint32)
    if body is GATHER:
        found = b[b[i]]
        return found + 7 * (found > 2000)
    return None


@pytest.mark.one_in(12)
@pytest.mark.parametrize("number", [2, 3, 7])
@pytest.mark.parametrize("body", [SQUARES, SKEWED, SHARED, HISTOGRAM, GATHER])
def test_threads_give_the_same(body, number):
    made = program(body)
    alone = made.run()
    contents, exact = made.contents(), expected(body)
    if exact is not None:
        assert np.array_equal(made.array("a")[: exact.size], exact)
    together = made.run(number)
    assert (alone.workers, together.workers, together.dependence) == (1, number, None)
    assert made.contents() == contents
    for name in COUNTS:
        assert np.array_equal(getattr(alone, name), getattr(together, name))
    assert alone.thread_instructions == together.thread_instructions


def test_dependent_launches_run_in_order():
    """Each CTA adds what the one before has left."""
    body = "ld.global.u32 %r5, [%rd2]; add.u32 %r5, %r5, 1; st.global.u32 [%rd2+384], %r5;"
    made = program(body)
    found = made.run(4)
    assert found.workers == 1
    assert found.dependence.reason.startswith("a CTA may write what another reads")
    assert made.array("a")[19 * 96] == 19


def test_as_many_as_processors():
    assert workers.available_workers() >= 1
    for number in (0, None):
        found = program(SQUARES).run(number)
        assert found.workers == min(19, workers.available_workers())


def test_no_more_threads_than_ctas():
    assert program(SQUARES, grid=(3, 1, 1)).run(8).workers == 3
    assert program(SQUARES, grid=(1, 1, 1)).run(8).workers == 1


def test_memory_limits_how_many_threads():
    made = program(SHARED)
    needed = 2 * made.run().kernel.static_shared_bytes + 20_000
    assert made.run(7, RunLimits(max_bytes=needed)).workers < 7


def test_small_launches_are_not_looked_at(monkeypatch):
    monkeypatch.setattr(workers, "ENOUGH", 1 << 27)
    found = program(SQUARES).run(4)
    assert (found.workers, found.dependence) == (1, None)


@pytest.mark.parametrize("body", [SQUARES, HISTOGRAM])
def test_threads_go_on_from_where_it_pays(monkeypatch, body):
    made = program(body)
    alone = made.run()
    contents = made.contents()
    monkeypatch.setattr(workers, "ENOUGH", alone.thread_instructions // 3)
    together = made.run(3)
    assert together.workers == 3
    assert made.contents() == contents
    assert np.array_equal(together.block_threads, alone.block_threads)


def test_reductions_lose_nothing():
    """All threads change the same words, many times."""
    body = """mov.u32 %r5, 1000; mov.u64 %rd5, 1; neg.s32 %r7, %r4; LOOP:
    red.global.add.u64 [%a], %rd5; red.global.add.u32 [%a+8], 3;
    red.global.xor.b32 [%a+12], %r4; red.global.max.s32 [%a+16], %r4;
    red.global.min.s32 [%a+20], %r7; red.global.or.b32 [%a+24], %r4;
    red.global.and.b32 [%a+28], %r4; atom.global.max.u32 %r9, [%a+32], %r4;
    add.s32 %r5, %r5, -1; setp.ne.s32 %p1, %r5, 0; @%p1 bra LOOP;"""
    made = program(body)
    threads = 19 * 96
    for _ in range(4):
        assert made.run(4).workers == 4
        found = made.array("a")
        assert int(found[:2].view(np.uint64)[0]) == 1000 * threads
        assert found[2] == 3000 * threads
        assert found[3] == 0  # each an even number of times
        assert list(found[4:9].view(np.int32)) == [threads - 1, 1 - threads, 2047, 0, threads - 1]


# Faults and limits.

FAULTY = """setp.lt.u32 %p1, %r1, 5; @%p1 bra FINE; setp.ne.u32 %p2, %r3, 40; @%p2 bra FINE;
add.s64 %rd2, %rd2, 2147483648; FINE: st.global.u32 [%rd2], %r4;"""
SLOW = """mov.u32 %r5, 3000; LOOP: mad.lo.u32 %r6, %r6, 3, %r5; add.s32 %r5, %r5, -1;
setp.gt.s32 %p1, %r5, 0; @%p1 bra LOOP; mov.u32 %r7, %r6;"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("number", [1, 2, 3, 7])
@pytest.mark.parametrize("before", ["", SLOW])
def test_the_first_cta_with_a_fault_is_told(number, before):
    made = program(f"{before} {FAULTY}")
    for _ in range(3):
        with pytest.raises(ExecutionFault) as caught:
            made.run(number)
        fault = caught.value.fault
        assert (fault.kind, fault.cta, fault.thread) == (
            FaultKind.OUT_OF_BOUNDS,
            (5, 0, 0),
            (40, 0, 0),
        )


@pytest.mark.parametrize("number", [1, 3])
def test_later_ctas_do_not_hide_a_fault_in_slow_ones(number):
    """CTA 0 takes long and faults at its end, the others at once."""
    slow = "setp.ne.u32 %p3, %r1, 0; @%p3 bra QUICK; " + SLOW.replace("3000", "3000000") + " QUICK:"
    made = program(f"{slow} add.s64 %rd2, %rd2, 2147483648; st.global.u32 [%rd2], %r4;")
    with pytest.raises(ExecutionFault) as caught:
        made.run(number)
    assert caught.value.fault.cta == (0, 0, 0)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_limits_are_of_all_threads_together(number):
    made = program(f"{SLOW} st.global.u32 [%rd2], %r6;")
    whole = made.run(number).thread_instructions
    assert made.run(number, RunLimits(max_instructions=whole)).thread_instructions == whole
    with pytest.raises(LimitError, match="thread instructions"):
        made.run(number, RunLimits(max_instructions=whole - 1))


@pytest.mark.parametrize("number", [1, 3])
def test_seconds_run_out(number):
    endless = "LOOP: add.u32 %r5, %r5, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra LOOP;"
    made = program(f"{endless} bra LOOP; st.global.u32 [%rd2], %r5;")
    with pytest.raises(LimitError):
        made.run(number, RunLimits(max_seconds=0.2))


# Accesses that leave what they are confined to.


def test_a_gather_that_reads_what_is_written():
    """An index that leaves b for a, which CTAs change: it is undone, and done in order."""
    body = """ld.global.u32 %r5, [%rd3]; mul.wide.s32 %rd4, %r5, 4; add.s64 %rd4, %b, %rd4;
    ld.global.u32 %r6, [%rd4]; ld.global.u32 %r7, [%rd2]; mad.lo.u32 %r7, %r7, 3, %r6;
    add.u32 %r7, %r7, 1; st.global.u32 [%rd2], %r7;"""
    apart = program(body).addresses
    indices = numbers()
    indices[96 * 17 + 5] = (apart["a"] + 96 * 4 - apart["b"]) // 4 % (1 << 32)
    made = program(body, b=indices)
    made.run()
    contents = made.contents()
    assert made.array("a")[96] == made.array("a")[96 * 17 + 5] - 1
    found = made.run(4)
    assert found.workers == 1
    assert found.dependence.reason == "it reached another buffer than it was to"
    assert made.contents() == contents


def test_a_gather_that_reads_shared_memory():
    """A generic address may be one of the CTA's own memory."""
    body = """.shared .b32 tile[96]; mov.u32 %r5, tile; st.shared.u32 [%r5], 5;
    ld.global.u32 %r5, [%rd3]; mul.wide.s32 %rd4, %r5, 4; add.s64 %rd4, %b, %rd4;
    ld.u32 %r6, [%rd4]; st.global.u32 [%rd2], %r6;"""
    indices = numbers()
    indices[96 * 17 + 5] = (SHARED_WINDOW - program(body).addresses["b"]) // 4 % (1 << 32)
    made = program(body, b=indices)
    for number in (1, 4):
        assert made.run(number).workers == 1
        assert made.array("a")[96 * 17 + 5] == 5


def test_a_gather_beyond_all_memory_is_a_fault():
    indices = numbers()
    indices[96 * 7 + 5] = 1 << 31
    made = program(GATHER, b=indices)
    for number in (1, 4):
        with pytest.raises(ExecutionFault) as caught:
            made.run(number)
        assert (caught.value.fault.cta, caught.value.fault.thread) == ((7, 0, 0), (5, 0, 0))


# Progress.


@pytest.mark.parametrize("number", [1, 3])
def test_progress_is_of_all_ctas(number):
    told = []
    program(SQUARES).run(number, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (19, 19)
    assert told == sorted(told)


@pytest.mark.parametrize("number", [1, 3])
def test_what_progress_raises_ends_the_run(number):
    def stop(done, total):
        raise KeyError(done)

    with pytest.raises(KeyError):
        program(SQUARES).run(number, progress=stop)
