"""Jitted functions, their parts, and what is told of compiling them."""

import subprocess
import sys

import numpy as np
import pytest

from warpmill.analyzer.base import compiling
from warpmill.analyzer.base.jit import jit, jit_part


@jit_part
def double(number):
    return number + number


@jit_part
def eightfold(number):
    return double(double(double(number)))


@jit_part
def ratio(over, under):
    return over // under


def filled(number, size):
    found = np.empty(size, np.int64)
    for k in range(size):
        found[k] = eightfold(number)
    return found


made = jit_part(filled, arrays=True)


def of_parts(number, size):
    found = made(number, size)
    total = 0
    for k in range(size):
        total += found[k]
    return total, found


def test_parts_are_compiled_into_those_that_call_them():
    total, found = jit(of_parts)(3, 4)
    assert total == 96
    assert found.tolist() == [24] * 4
    assert eightfold(2.5) == 20.0  # Python runs what it calls itself


def test_parts_look_for_division_by_zero_unless_told():
    with pytest.raises(ZeroDivisionError):
        jit(lambda over: ratio(over, 0))(3)
    unchecked = jit_part(lambda over, under: over / under, error_model="numpy")
    assert jit(lambda over: unchecked(over, 0.0))(3.0) == np.inf


def test_who_listens_is_told_once_of_compiling():
    told = []
    compiling.before_compiling(lambda: told.append("compiling"))
    named = {}
    exec("one = lambda x: x + 1\ntwo = lambda x: x + 2", named)  # without a file nothing is kept
    assert (jit(named["one"])(1), jit(named["two"])(1)) == (2, 3)
    assert told == ["compiling"]
    compiling.before_compiling(None)


KEPT = """
import sys
from warpmill.analyzer.base.compiling import before_compiling
from warpmill.analyzer.base.jit import jit, jit_part
before_compiling(lambda: print("compiling"))
@jit_part
def half(x):
    return x // 2
@jit
def quarter(x):
    return half(half(x))
print(quarter(20), "scipy.linalg" in sys.modules, "numba.np.linalg" in sys.modules)
"""


def test_kept_code_is_loaded_without_what_compiling_needs(tmp_path):
    (tmp_path / "kept.py").write_text(KEPT)
    said = [
        subprocess.run(
            [sys.executable, "kept.py"], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert said == ["compiling\n5 True True\n", "5 False False\n"]
