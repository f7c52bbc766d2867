"""Kernels as people hold them, in "doors": what leads to a kernel is told with a command."""

import shutil
from pathlib import Path

import pytest

from warpmill.benchmarks.first_commands import FILES
from warpmill.commands.start.result import start_report

CASES = Path(__file__).parent
CLANG = ("clang", "clang-22")
COMPILERS = {".cu": ("nvcc", *CLANG), ".cl": CLANG, ".hip": CLANG}
COMPILERS |= {"load_inline.py": ("nvcc", *CLANG), "transpose_cupy.py": ("nvcc", *CLANG)}


@pytest.mark.parametrize("path", [CASES / name for name in FILES], ids=lambda path: path.name)
def test_the_first_command_estimates_a_kernel(path):
    wanted = COMPILERS.get(path.name, COMPILERS.get(path.suffix, ()))
    if wanted and not any(map(shutil.which, wanted)):
        pytest.skip(f"there is no {' or '.join(wanted)}")
    found = start_report(str(path))
    assert found.kernels
    assert found.commands[0].command.startswith(f"warpmill estimate {path} ")
    assert "--grid" in found.commands[0].command


ARRAY = ["null", "null", "i64=512", "i64=4", "buffer=f32:256x2:uniform:3", "i64=256", "i64=2",
         "i64=8", "i64=4"]  # fmt: skip
"""What numba passes of an array of 256 times 2 numbers of 4 bytes, row by row."""


def test_an_array_of_numba_is_one_argument(warpmill):
    command = "run nbody.ptx --kernel nbody --grid 2 --block 128 --arg {} --arg {} --arg 256"
    one = warpmill("66-numba-nbody", command.format(*["array=f32:256x2:uniform:3"] * 2), "-f json")
    every = " --arg ".join(ARRAY)
    all_of_it = warpmill("66-numba-nbody", command.format(every, every), "-f json")
    digests = [[b["sha256"] for b in found.data["buffers"]] for found in (one, all_of_it)]
    assert digests[0] == digests[1]
    assert len(digests[0]) == 2


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("--arg 5", "`nbody` takes 19 arguments, not 1"),
        ("--arg array=f32", "argument `array=f32`: this is not of the form array=TYPE:SHAPE"),
        ("--arg array=float:8", "argument `array=float:8`: this is not of the form"),
        ("--arg array=f32:8xn", "argument `array=f32:8xn`: this is not of the form"),
    ],
)
def test_what_is_missing_says_how_numba_passes_arrays(warpmill, given, words):
    ended = warpmill("66-numba-nbody", f"run nbody.ptx --kernel nbody --grid 2 --block 128 {given}")
    assert ended.code == 2
    assert words in ended.err
    assert "such as --arg array=f32:1024x2 for all values" in ended.err
