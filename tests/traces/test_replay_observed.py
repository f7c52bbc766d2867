"""Recorded launches profiled and traced when they are replayed."""

import numpy as np
import pytest

from tests.reference.replaying import launch_traces, replayed_profiles
from tests.reference.run_kernel import kernel_text
from tests.reference.saved_traces import SAMPLES
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.traces.model import events
from warpmill.executor.host.device import Device
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.profiles import profile
from warpmill.session.records import record

COUNTDOWN = """ld.param.u64 %d0, [out]; ld.global.u32 %r1, [%d0]; mov.u32 %r2, 0;
    L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1; @%p1 bra L;
    add.u32 %r1, %r1, 1; st.global.u32 [%d0], %r1; ret;"""
"""Each launch goes round one time more than the launch before."""


@pytest.fixture(scope="module")
def recording():
    device = Device()
    kernel = device.load(kernel_text(COUNTDOWN, {"out": np.zeros(1, np.uint32)}), "k.ptx")["k"]
    out = device.array(np.ones(1, np.uint32), name="rounds")
    for _ in range(6):
        device.launch(kernel, 1, 1, [out])
    return device.recording


def test_profiles_are_of_the_launches_that_are_chosen(recording):
    every = replayed_profiles(recording)
    assert [p.loops[0].iterations for p in every.values()] == [1, 2, 3, 4, 5, 6]
    some = replayed_profiles(recording, [4, 1])
    assert some == {n: every[n] for n in (1, 4)}
    assert replayed_profiles(recording, [2], counts=["edges"])[2].loops is None


def test_traces_are_of_the_launch_with_the_memory_that_it_needs(recording):
    for number in (0, 3, 5):
        source = launch_traces(recording, number)
        (warp,) = source.warps((0, 0, 0))
        assert [e.block for e in events(warp)] == [0, *[1] * (number + 1), 2]
    with pytest.raises(UsageError, match="no launch 6"):
        launch_traces(recording, 6)


def test_a_replayed_sample_gives_the_profiles_and_traces_of_the_original(tmp_path):
    file = SAMPLES / "scan" / "launch.toml"
    sizes = LaunchOptions(sizes={"n": 4096})
    record(file, tmp_path / "scan.wmrec", launch=sizes)
    wanted = [each.profile for each in profile(file, launch=sizes).launches]
    assert list(replayed_profiles(tmp_path / "scan.wmrec").values()) == wanted
    for number, job in enumerate(prepare_all(file, options=sizes)):
        ctas = [(x, 0, 0) for x in range(min(2, job.launch.grid[0]))]
        original = executed_source(job)
        replayed = launch_traces(tmp_path / "scan.wmrec", number)
        assert list(replayed.many(ctas)) == list(original.many(ctas))
