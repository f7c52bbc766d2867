"""Applications run once for sampling: counts, arguments in words, intervals, jobs."""

from pathlib import Path

import numpy as np
import pytest

import warpmill
from tests.executor.test_device_api import HEAD, SCALE
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.ir.types import Space
from warpmill.executor.host.device import Device
from warpmill.executor.host.kernel_arguments import ByValue
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.records import record
from warpmill.session.sampled_launches import launch_arguments, sampled_launches

SAMPLES = Path(__file__).parents[2] / "samples"
SCAN = SAMPLES / "scan" / "launch.toml"
SIZES = LaunchOptions(sizes={"n": 4096})
PROGRAM = f"""
import numpy as np

SCALE = {SCALE!r}
NEGATE = {SCALE.replace("scale", "other")!r}

def main(device, rounds=3):
    scale = device.load(SCALE)["scale"]
    other = device.load(NEGATE)["other"]
    x, y = device.array(np.ones(64, np.float32)), device.array(np.ones(64, np.float32))
    for k in range(rounds):
        device.launch(scale, 2, 32, [x, 0.5, 64])
        device.launch(other, 1 + k, 32, [y, 2, 32])
        device.synchronize()
    device.launch(scale, 1, 32, [y, 0.5, 8])
    return {{"x": x}}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("sampled") / "rounds.py"
    path.write_text(PROGRAM)
    return path


@pytest.fixture(scope="module")
def bfs():
    return sampled_launches("bfs:tiny")


@pytest.fixture(scope="module")
def scan():
    return sampled_launches(SCAN, launch=SIZES)


# ------------------------------------------------------------------------------ applications


def test_a_program_with_its_intervals(program):
    found = sampled_launches(program)
    assert found.title == str(program)
    assert [one.number for one in found.launches] == list(range(7))
    assert [one.kernel for one in found.launches] == ["scale", "other"] * 3 + ["scale"]
    assert [one.interval for one in found.launches] == [0, 0, 1, 1, 2, 2, 3]
    assert [one.global_size for one in found.launches[:4]] == [
        (64, 1, 1), (32, 1, 1), (64, 1, 1), (64, 1, 1),
    ]  # fmt: skip
    assert found.launches[0].arguments == ("buffer 0", "0.5", "64")
    assert found.launches[1].arguments == ("buffer 1", "2", "32")
    assert found.launches[6].arguments == ("buffer 1", "0.5", "8")
    # 9 instructions before the branch, 5 behind it for warps with an element, and the return
    assert [one.warp_instructions for one in found.launches] == [30, 15, 30, 25, 30, 35, 15]


def test_counts_are_those_of_a_run_and_of_its_profiles(bfs):
    profiled = warpmill.profile("bfs:tiny", counts=["memory"])
    counted = [one.launched.counts.warp_instructions for one in profiled.run.launches]
    assert [one.warp_instructions for one in bfs.launches] == counted
    profiles = [one.profile for one in profiled.launches]
    assert [one.profile.blocks for one in bfs.launches] == [p.blocks for p in profiles]
    assert [one.profile.accesses for one in bfs.launches] == [p.accesses for p in profiles]
    assert all(one.profile.by_cta is None for one in bfs.launches)


def test_counts_by_cta_are_kept_where_they_are_wanted():
    found = sampled_launches("bfs:tiny", "bfs_expand", ctas=True)
    for one in found.launches:
        assert one.profile.by_cta.warp_instructions.sum() == one.warp_instructions
        assert len(one.profile.by_cta.warp_instructions) == one.grid[0]


def test_jobs_are_the_launches_with_their_recording(bfs):
    assert len(bfs.jobs) == len(bfs.launches)
    for job, one in zip(bfs.jobs, bfs.launches, strict=True):
        assert job.recorded.number == one.number
        assert job.recorded.launches is bfs.application.launches
        assert (job.kernel.name, job.launch.grid, job.launch.block) == (
            one.kernel,
            one.grid,
            one.block,
        )


def test_a_recording_is_the_program_that_it_is_of(program, tmp_path):
    path = tmp_path / "rounds.wmrec"
    record(program, path)
    first, again = sampled_launches(program), sampled_launches(path)
    for a, b in zip(first.launches, again.launches, strict=True):
        assert (a.number, a.kernel, a.arguments, a.interval) == (
            b.number,
            b.kernel,
            b.arguments,
            b.interval,
        )
        assert (a.profile.blocks, a.profile.accesses) == (b.profile.blocks, b.profile.accesses)


def test_the_launches_of_a_kernel_keep_their_numbers(program, tmp_path):
    path = tmp_path / "rounds.wmrec"
    record(program, path)
    for target in (program, path):
        found = sampled_launches(target, "other")
        assert [one.number for one in found.launches] == [1, 3, 5]
        assert [one.interval for one in found.launches] == [0, 1, 2]
        assert [job.recorded.number for job in found.jobs] == [1, 3, 5]


def test_one_launch_by_its_number_and_sizes(program):
    launch = LaunchOptions(sizes={"rounds": 1}, launches=2)
    (one,) = sampled_launches(program, launch=launch).launches
    assert (one.number, one.kernel, one.interval) == (2, "scale", 1)


def test_collectors_of_the_options_are_told_too(program):
    class Names(warpmill.Collector):
        def __init__(self):
            self.names = []

        def on_launch(self, launch):
            self.names.append(launch.kernel.name)

    names = Names()
    sampled_launches(program, options=RunOptions(collectors=(names,)))
    assert len(names.names) == 7


# ------------------------------------------------------------------------------ launch files


def test_a_launch_file(scan):
    done = warpmill.run(SCAN, launch=SIZES)
    counted = [one.launched.counts.warp_instructions for one in done.launches]
    assert [one.warp_instructions for one in scan.launches] == counted
    assert {one.interval for one in scan.launches} == {0}
    assert [job.launch.grid for job in scan.jobs] == [one.grid for one in scan.launches]
    assert scan.application is None
    assert scan.launches[0].arguments[0] == "buffer 0"


def test_a_kernel_of_a_launch_file_runs_behind_the_others(scan):
    last = scan.launches[-1]
    found = sampled_launches(SCAN, last.kernel, SIZES)
    wanted = [one.number for one in scan.launches if one.kernel == last.kernel]
    assert [one.number for one in found.launches] == wanted
    assert [len(job.before) for job in found.jobs] == wanted
    assert found.launches[-1].profile.blocks == last.profile.blocks


def test_a_kernel_file_with_a_launch():
    options = LaunchOptions(grid="2", block="32", args=(*["buffer=f32:64"] * 3, "64"))
    (one,) = sampled_launches(SAMPLES / "vecadd" / "vecadd.sm_80.ptx", launch=options).launches
    assert one.arguments == ("buffer 0", "buffer 1", "buffer 2", "64")
    assert {a.space for a in one.profile.accesses} >= {Space.GLOBAL}


def test_a_kernel_of_a_kernel_file_is_launched(tmp_path):
    path = tmp_path / "two.ptx"
    one = SCALE.removeprefix(HEAD)
    path.write_text(HEAD + one + one.replace("scale", "b"))
    options = LaunchOptions(grid="2", block="32", args=("buffer=f32:64", "0.5", "64"))
    assert [x.kernel for x in sampled_launches(path, "b", options).launches] == ["b"]
    with pytest.raises(UsageError, match="has 2 kernels; name one"):
        sampled_launches(path, launch=options)


# ------------------------------------------------------------------------------ arguments

KINDS = (
    HEAD
    + """
.global .align 4 .b8 lut[64];
.visible .entry kinds(.param .u64 .ptr a, .param .u64 b, .param .u32 n, .param .f32 f,
                      .param .align 8 .b8 s[24], .param .u64 t)
{ ret; }
"""
)


def words(*calls):
    """Launch with what each call makes, and give the arguments of each launch in words."""
    device = Device()
    module = device.load(KINDS)
    kinds = module["kinds"]
    for call in calls:
        device.launch(kinds, 1, 1, call(device, module))
    return list(launch_arguments(device.recording))


def test_each_kind_of_argument():
    def given(device, module):
        a, b = device.array(np.zeros(8, np.float32)), device.array(np.zeros(8, np.float32))
        device.texture(np.zeros((2, 2), np.float32))
        texture = device.texture(np.ones((2, 4), np.float32))
        inside = b[3:].address.to_bytes(8, "little")
        struct = ByValue(b"\1\2\3\4\0\0\0\0" + inside + b"\5" + bytes(7), (8,))
        lut = module.symbol("lut")
        return [lut, a[2:], -3, 0.25, struct, texture], [None, b, True, 1e9, bytes(24), texture]

    def first(device, module):
        return given(device, module)[0]

    def second(device, module):
        return given(device, module)[1]

    assert words(first, second) == [
        ("symbol lut", "buffer 0+8", "-3", "0.25",
         "{0102030400000000 buffer 1+12 0500000000000000}", "texture 1"),
        ("null", "buffer 5", "1", "1000000000.0", "{" + "00" * 24 + "}", "texture 3"),
    ]  # fmt: skip


def test_an_allocation_at_a_freed_address_is_another():
    def again(device, _):
        for array in list(device.arrays.values()):
            array.free()
        made = device.zeros(64)
        return [made, made.address, 0, 0.0, bytes(24), 4]

    found = words(again, again)
    assert [each[0] for each in found] == ["buffer 0", "buffer 1"]


def test_an_address_as_a_number():
    """A parameter that is declared a pointer takes one as it takes an array."""

    def given(device, _):
        made = device.zeros(64)
        return [made.address + 16, 5, 0, 0.0, bytes(24), 4]

    def freed(device, _):
        (made,) = device.arrays.values()
        made.free()
        return [made.address + 16, 5, 0, 0.0, bytes(24), 4]

    (before, after) = words(given, freed)
    assert before[:2] == ("buffer 0+16", "5")
    assert after[0].startswith("0x")


# ------------------------------------------------------------------------------ refusals


def test_what_there_is_not(program, tmp_path):
    nothing = tmp_path / "nothing.py"
    nothing.write_text("def main(device):\n    pass\n")
    refused = [
        (nothing, None, 0, "makes no launches"),
        (program, "nope", "all", "launches no kernel nope; it launches scale, other"),
        (program, None, 7, "has no launch 7; its launches are 0 to 6"),
        (program, "other", 2, "launch 2 of .* is of scale"),
        ("nope:tiny", None, "all", "no workload `nope`"),
    ]
    for target, kernel, number, message in refused:
        with pytest.raises(UsageError, match=message):
            sampled_launches(target, kernel, LaunchOptions(launches=number))
    with pytest.raises(UsageError, match="not --grid"):
        sampled_launches("bfs:tiny", launch=LaunchOptions(grid="2"))


def test_jobs_of_an_application_share_what_is_known_of_kernels(tmp_path):
    app = sampled_launches("bfs:tiny")
    first, *others = app.jobs
    alike = [job for job in others if job.kernel is first.kernel]
    assert alike
    assert all(job.analysis is first.analysis for job in alike)
    other = next(job for job in others if job.kernel is not first.kernel)
    assert other.analysis is not first.analysis
