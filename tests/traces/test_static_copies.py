"""Asynchronous copies in traces without data: a load of the source, then a store."""

import pytest

import warpmill
from tests.timing.estimated_kernels import job
from warpmill.session.estimates import Estimator
from warpmill.session.options import TraceOptions
from warpmill.session.traces import compare_with_executed
from warpmill.simulator.machines import load_machine

COPY = """ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
shl.b32 %r3, %r2, 6; add.u32 %r3, %r3, %r1; mul.wide.u32 %rd3, %r3, 16; add.s64 %rd1, %rd1, %rd3;
mul.wide.u32 %rd4, %r3, 4; add.s64 %rd2, %rd2, %rd4; mov.u32 %r4, tile; shl.b32 %r5, %r1, 4;
add.u32 %r4, %r4, %r5;
{copy}
ld.shared.f32 %f1, [%r4]; st.global.f32 [%rd2], %f1;"""
"""64 CTAs of 64 threads copy 16 bytes a thread, and store a word of them."""

ASYNC = "cp.async.cg.shared.global [%r4], [%rd1], 16{size}; cp.async.wait_all;"
COPIES = [ASYNC.format(size=""), "mov.u32 %r9, 16; " + ASYNC.format(size=", %r9")]
BY_REGISTERS = """ld.global.v4.f32 {%f2, %f3, %f4, %f5}, [%rd1];
st.shared.v4.f32 [%r4], {%f2, %f3, %f4, %f5};"""


def copying(folder, copy):
    return job(folder, COPY.format(copy=copy), 64, 64, "p q", 1 << 14)


@pytest.mark.parametrize("copy", COPIES)
def test_they_are_the_events_of_executing_them(tmp_path, copy):
    compared = compare_with_executed(copying(tmp_path, copy)).comparison
    assert compared.is_equal


@pytest.mark.parametrize("traces", ["static", "executed"])
def test_one_that_copies_nothing_reads_nothing(tmp_path, traces):
    """A size of 0 fills up with zeros: the store is left."""
    filling = "mov.u32 %r9, 0; " + ASYNC.format(size=", %r9")
    traced = warpmill.trace(copying(tmp_path, filling), TraceOptions(source=traces))
    assert [one.turn for one in traced.summary.accesses[:2]] == [1, 0]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("traces", ["static", "executed"])
@pytest.mark.parametrize("copy", [*COPIES, BY_REGISTERS])
def test_they_move_what_loads_and_stores_move(tmp_path, copy, traces):
    """64 CTAs read 1 KiB each, and write 256 B."""
    subject, options = copying(tmp_path, copy), TraceOptions(source=traces)
    found = Estimator(subject, trace_options=options).on(load_machine("a100"))
    assert found.dram_bytes == 64 << 10
    done = warpmill.simulate(subject, "a100", trace_options=options)
    assert done.totals[-1].dram_reads == 64 * 32


@pytest.mark.parametrize("traces", ["static", "executed"])
def test_summaries_have_both(tmp_path, traces):
    traced = warpmill.trace(copying(tmp_path, COPIES[0]), TraceOptions(source=traces))
    first, second, *_ = traced.summary.accesses
    assert (first.turn, first.sectors, first.lines) == (0, 64 * 32, 64 * 8)
    assert (second.turn, second.wavefronts) == (1, 64 * 2 * 4)
    assert first.bytes_requested == second.bytes_requested == 64 << 10


def test_a_warp_waits_for_its_copies_as_for_loads(tmp_path):
    """Not where it leaves the last group under way."""
    waits = {"all": COPIES[0], "none": COPIES[0].replace("wait_all", "wait_group 1")}
    waits["last"] = COPIES[0].replace("wait_all", "commit_group; cp.async.wait_group 0")
    machine = load_machine("a100", {"launch.kernel_us": 0.0})
    found = {
        name: Estimator(copying(tmp_path, copy)).on(machine)
        for name, copy in {**waits, "loads": BY_REGISTERS}.items()
    }
    assert found["all"].cycles == pytest.approx(found["loads"].cycles, rel=0.15)
    assert found["last"].cycles == pytest.approx(found["all"].cycles, rel=0.02)
    assert {found[name].bound.split(" (")[0] for name in waits} == {"DRAM latency"}
    most = {name: _longest(copying(tmp_path, copy), machine) for name, copy in waits.items()}
    assert most == {"all": "cp.async.wait_all", "last": "cp.async.wait_group", "none": "cp.async"}


def _longest(subject, machine):
    """Name the operation that most of the time is spent at."""
    found = Estimator(subject).on(machine).instruction_times
    most = max(found, key=lambda time: time.fraction)
    return subject.kernel.blocks[most.block].instructions[most.instruction].operation.name
