"""What numba keeps of compiled functions may be older than the code: then it is compiled anew."""

import subprocess
import sys

import pytest

MODULE = """
from typing import NamedTuple
from warpmill.analyzer.base.jit import jit
class {name}(NamedTuple):
    first: int
    second: int
@jit
def total(of):
    return of.first + of.second
"""


@pytest.mark.slow
def test_a_class_that_was_renamed_is_no_error(tmp_path):
    run = [sys.executable, "-c", "import sums; print(sums.total(sums.{name}(1, 2)))"]
    for name in ("Before", "Renamed"):
        (tmp_path / "sums.py").write_text(MODULE.format(name=name))
        words = [word.format(name=name) for word in run]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr
