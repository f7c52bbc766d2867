"""Launches of programs, recordings and workloads as jobs: what they are, and their traces."""

from itertools import pairwise

import numpy as np
import pytest

from tests.reference.replaying import launch_traces
from tests.reference.run_kernel import kernel_text
from tests.reference.saved_traces import SAMPLES
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.launch.buffers import materialise
from warpmill.analyzer.launch.model import (
    BufferArgument,
    NullArgument,
    Recorded,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
)
from warpmill.analyzer.traces.model import events
from warpmill.executor.host.device import Device
from warpmill.executor.host.kernel_arguments import ByValue
from warpmill.executor.host.replay import recorded_launches
from warpmill.session.applications import Application, application
from warpmill.session.estimates import estimate
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.records import record
from warpmill.session.traces import compare_with_executed, trace, trace_source

COUNTDOWN = """ld.param.u64 %d0, [out]; ld.global.u32 %r1, [%d0]; mov.u32 %r2, 0;
    L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L;
    add.u32 %r1, %r1, 1; st.global.u32 [%d0], %r1; ret;"""
"""Each launch goes round one time more than the launch before."""

SIGNATURE = """.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 t, .param .s32 i,
    .param .u32 u, .param .f32 f, .param .b32 x, .param .b32 y, .param .f64 d,
    .param .align 8 .b8 s[24], .param .u64 n)
{ ret; }
"""


@pytest.fixture(scope="module")
def counting():
    device = Device()
    kernel = device.load(kernel_text(COUNTDOWN, {"out": np.zeros(1, np.uint32)}), "k.ptx")["k"]
    out = device.array(np.ones(1, np.uint32), name="rounds")
    for _ in range(5):
        device.launch(kernel, 1, 1, [out])
    return Application("counting", device.recording)


def rounds(source):
    (warp,) = source.warps((0, 0, 0))
    return sum(e.block == 1 for e in events(warp))


def test_static_traces_are_compared_with_a_replay(counting):
    compared = [compare_with_executed(counting.job(n)).comparison for n in range(5)]
    executed = [c.executed_warp_instructions for c in compared]
    assert [b - a for a, b in pairwise(executed)] == [3] * 4  # one round more each


def test_arguments_are_what_was_passed():
    device = Device()
    kernel = device.load(SIGNATURE, "k.ptx")["k"]
    a = device.array(np.arange(12, dtype=np.float32).reshape(3, 4), name="a")
    texture = device.texture(np.zeros((5, 7), np.float32), filter="linear")
    struct = bytearray(24)
    struct[0:4] = np.int32(7).tobytes()
    struct[8:16] = a.address.to_bytes(8, "little")
    both = ByValue(bytes(struct), (8,))
    device.launch(kernel, (2, 3), 32, [a, a[1], None, texture, -5, 2**31, 0.5, 1.5, 3, 2.5, both,
                                       a])  # fmt: skip
    (one,) = recorded_launches(device.recording)
    launch = one.launch
    assert (launch.grid, launch.block, launch.name) == ((2, 3, 1), (32, 1, 1), "launch 0")
    buffer = BufferArgument("f32", (3, 4), Recorded(), name="a")
    assert launch.arguments == (
        buffer,
        RefArgument(buffer, 16),
        NullArgument(),
        TextureArgument("f32", (5, 7), Recorded(), filter="linear"),
        ScalarArgument("i32", -5),
        ScalarArgument("u32", 2**31),
        ScalarArgument("f32", 0.5),
        ScalarArgument("f32", 1.5),
        ScalarArgument("u32", 3),
        ScalarArgument("f64", 2.5),
        StructArgument(
            (
                ScalarArgument("u32", 7),
                ScalarArgument("u32", 0),
                RefArgument(buffer, 0),
                ScalarArgument("u32", 0),
                ScalarArgument("u32", 0),
            )
        ),
        RefArgument(buffer, 0),
    )
    assert launch.arguments[10].size_bytes == 24
    with pytest.raises(ValueError, match="known to its replay alone"):
        materialise(buffer)


def test_buffers_of_structs_and_odd_types_are_bytes():
    device = Device()
    text = kernel_text("ret;", {"a": np.zeros(1), "b": np.zeros(1)})
    kernel = device.load(text, "k.ptx")["k"]
    pairs = np.dtype([("x", np.float32), ("n", np.int32, 3)])
    aligned = np.dtype([("x", np.float64), ("n", np.int32)], align=True)
    device.launch(kernel, 1, 1, [device.empty(5, pairs), device.empty(3, np.complex64)])
    device.launch(kernel, 1, 1, [device.empty(2, aligned), device.empty(3, np.float16)])
    one, two = recorded_launches(device.recording)
    assert [(a.element, a.shape) for a in one.launch.arguments] == [("u8", (80,)), ("u8", (24,))]
    assert [(a.element, a.shape) for a in two.launch.arguments] == [("u8", (32,)), ("f16", (3,))]


def test_places_say_which_launch_of_how_many(counting):
    places = [one.launch.place for one in counting.launches]
    assert [(p.number, p.launches, p.of_kernel) for p in places] == [(n, 5, 5) for n in range(5)]


def test_traces_are_right_in_whatever_order_they_are_asked_for(counting):
    jobs = [counting.job(n) for n in range(5)]
    for number in (0, 1, 3, 3, 1, 4, 0):
        assert rounds(trace_source(jobs[number])) == number + 1


def test_a_source_stays_right_after_another_launch_was_traced(counting):
    first, third = trace_source(counting.job(0)), trace_source(counting.job(2))
    assert (rounds(first), rounds(third), rounds(first), rounds(third)) == (1, 3, 1, 3)
    assert first.data != third.data
    assert [r.name for r in third.layout.regions] == ["rounds"]


def test_static_traces_are_made_of_a_recorded_launch_too(counting):
    source = trace_source(counting.job(3), TraceOptions("static"))
    assert source.kind == "static"
    assert rounds(source) > 0
    assert source.assumptions


@pytest.mark.slow
def test_a_program_gives_what_its_launch_file_gives(tmp_path):
    file = SAMPLES / "scan" / "launch.toml"
    sizes = LaunchOptions(sizes={"n": 4096})
    record(file, tmp_path / "scan.wmrec", launch=sizes)
    every = prepare_all(tmp_path / "scan.wmrec", options=LaunchOptions(launches="all"))
    for job, original in zip(every, prepare_all(file, options=sizes), strict=True):
        assert job.kernel.name == original.kernel.name
        assert job.launch.cta_count == original.launch.cta_count
        ctas = [(x, 0, 0) for x in range(job.launch.grid[0])]
        executed = trace_source(job, TraceOptions("executed"))
        assert list(executed.many(ctas)) == list(executed_source(original).many(ctas))
        ours, theirs = trace(job).summary, trace(original).summary
        assert ours.warp_instructions == theirs.warp_instructions
        assert ours.thread_instructions == theirs.thread_instructions
        assert estimate(job, "a100").cycles == pytest.approx(estimate(original, "a100").cycles)


def test_a_workload_is_an_application():
    app = application("bfs:tiny")
    kernels = [one.kernel.name for one in app.launches]
    assert kernels == ["bfs_expand", "bfs_advance"] * (len(kernels) // 2)
    jobs = prepare_all("bfs:tiny")
    assert sorted(job.kernel.name for job in jobs) == ["bfs_advance", "bfs_expand"]
    most = {
        name: max(one.warp_instructions for one in app.launches if one.kernel.name == name)
        for name in kernels
    }
    for job in jobs:
        assert trace(job, most_ctas=99).summary.warp_instructions == most[job.kernel.name]


def test_launches_are_chosen_by_number_and_kernel():
    (job,) = prepare_all("bfs:tiny", options=LaunchOptions(launches=3))
    assert (job.launch.place.number, job.launch.file) == (3, "bfs:tiny")
    every = prepare_all("bfs:tiny", "bfs_advance", LaunchOptions(launches="all"))
    assert {job.kernel.name for job in every} == {"bfs_advance"}
    assert len(every) == every[0].launch.place.of_kernel


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("target", "kernel", "options", "words"),
    [
        ("bfs:tiny", None, LaunchOptions(launches=99), "has no launch 99; its launches are 0 to"),
        ("bfs:tiny", "bfs_advance", LaunchOptions(launches=0), "launch 0 of bfs:tiny is of bfs_e"),
        ("bfs:tiny", "nothing", LaunchOptions(), "launches no kernel nothing; it launches bfs_ex"),
        ("bfs:tiny", None, LaunchOptions(grid=4), "an application, which says its launches: --gri"),
        ("bfs:tiny", None, LaunchOptions(sizes={"n": 4}), "bfs has no size `n`"),
        (SAMPLES / "scan/launch.toml", None, LaunchOptions(launches=1), "--launch is for programs"),
    ],
)
def test_what_there_is_not_is_told(target, kernel, options, words):
    with pytest.raises(UsageError, match=words):
        prepare_all(target, kernel, options)


def test_recorded_traces_are_those_of_the_recording_itself(counting):
    for number in (4, 2):
        own = trace_source(counting.job(number)).warps((0, 0, 0))
        assert own == launch_traces(counting.recording, number).warps((0, 0, 0))
