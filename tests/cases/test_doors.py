"""Kernels as people hold them, in "doors": what leads to a kernel is told with a command."""

import shutil
from pathlib import Path

import pytest

from warpmill.commands.start.result import start_report

FOLDER = Path(__file__).parent / "doors"
NEEDS_NVCC = ("load_inline.py", "transpose_cupy.py")


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_the_first_command_estimates_a_kernel(path):
    if path.name in NEEDS_NVCC and shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    found = start_report(str(path))
    assert found.kernels
    assert found.commands[0].command.startswith(f"warpmill estimate {path} ")
    assert "--grid" in found.commands[0].command
