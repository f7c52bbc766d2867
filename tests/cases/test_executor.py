"""What the executor runs, and what is counted while it does."""

import numpy as np
import pytest


def saved(warpmill, folder, case, launch, name="kernel.ptx"):
    """Run a kernel; give what it left in its first buffer."""
    said = warpmill(case, "run", name, launch, f"--save {folder}/left.npz")
    assert said.code == 0, said.err
    left = np.load(folder / "left.npz")
    return left[left.files[0]]


@pytest.mark.parametrize(("machine", "passes"), [("v100", 1), ("gtx980", 2)])
@pytest.mark.parametrize("trace", ["static", "executed"])
def test_lanes_in_pairs_are_packed_by_every_kind_of_trace(warpmill, machine, passes, trace):
    launch = f"--grid 1 --block 32 --arg buffer=f32:32 --machine {machine} --trace {trace}"
    said = warpmill("11-paired-lanes", "explain", "kernel.ptx", launch, "--format json")
    assert f'"bank_passes": {passes}.0' in said.out


def test_a_video_instruction_reads_no_third_operand_without_a_second_operation(warpmill, tmp_path):
    """128 + 772, and 3 + 124 + 3 + 129 + 100: ptxas reads no third operand of the first one."""
    launch = "--grid 1 --block 1 --arg buffer=u32:8"
    left = saved(warpmill, tmp_path, "09-video-simd", launch)
    assert left.tolist() == [900, 359, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "arguments", "place"),
    [
        ("fma.ptx", "--arg buffer=f32:64", "fma.ptx:6:2"),
        ("mutant-compare.ptx", "--arg 1 " * 9, "mutant-compare.ptx:251:2"),
        ("mutant-llvm.ptx", "--arg 1 " * 10, "mutant-llvm.ptx:139:2"),
    ],
)
def test_odd_words_are_refused_at_their_place(warpmill, name, arguments, place):
    said = warpmill("attack", "run", name, "--grid 1 --block 32", arguments)
    assert said.code == 2
    assert place in said.err
    assert "it has to" in said.said


def test_the_mutant_of_the_video_case_is_executed(warpmill):
    said = warpmill("attack", "run", "mutant-video.ptx", "--grid 1 --block 1 --arg buffer=u32:8")
    assert said.code == 0
