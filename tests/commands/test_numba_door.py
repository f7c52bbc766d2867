"""Kernels of numba by the door of Python: the values that numba passes, and names as written."""

from pathlib import Path

import numpy as np
import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.launch import NullArgument, RefArgument, ScalarArgument
from warpmill.doors import numba as door

HERE = Path(__file__).parent / "doors"


def scaled(source, result, factor):  # what scaled.ptx was compiled from
    at = cuda.grid(1)  # noqa: F821 - of numba
    if at < source.shape[0]:
        result[at] = factor * source[at]


class Dispatcher:
    """What ``@cuda.jit`` makes of a function, as far as the door looks at it."""

    py_func, targetoptions = scaled, {"fastmath": True}


@pytest.fixture
def compiled(monkeypatch):
    """Stands for numba's compiler; has the options that it was asked with."""
    asked = []

    def stand_in(function, options, arguments, arrays, chip):
        asked.append((function.__name__, options, chip))
        return (HERE / "scaled.ptx").read_text()

    monkeypatch.setattr(door, "_compiled", stand_in)
    return asked


def test_the_arrays_have_the_results_after_a_run(compiled):
    source, result = np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
    warpmill.numba.run(scaled, (2, 64), source, result, 2.5)
    assert np.array_equal(result, source * np.float32(2.5))
    warpmill.numba.run(Dispatcher, (2, 64), source, result, 4.0, machine="h100_sxm")
    assert np.array_equal(result, source * 4)
    assert compiled == [("scaled", {}, 80), ("scaled", {"fastmath": True}, 90)]


def test_an_array_is_passed_by_the_values_that_numba_takes(compiled):
    source = np.arange(200, dtype=np.float32)
    job = warpmill.numba.prepare(scaled, ((2, 1), (64,), 0, 32), source[::2], source, 2.5)
    launch = job.required_launch()
    assert (launch.grid, launch.block, launch.dynamic_shared_bytes) == ((2, 1, 1), (64, 1, 1), 32)
    assert job.kernel.name == "scaled"
    names = [f"_{part}" for part in ("meminfo", "parent", "count", "item_bytes")]
    each = [*names, "", "_shape_0", "_stride_0"]
    assert [p.name for p in job.kernel.parameters] == [
        *(f"source{part}" for part in each), *(f"result{part}" for part in each), "factor",
    ]  # fmt: skip
    null = NullArgument()
    numbers = [ScalarArgument("i64", n) for n in (100, 4, 100, 8, 200, 4, 200, 4)]
    first, second = launch.arguments[4], launch.arguments[11]
    assert launch.arguments == (
        null, null, *numbers[:2], first, *numbers[2:4],
        null, null, *numbers[4:6], second, *numbers[6:], ScalarArgument("f64", 2.5),
    )  # fmt: skip
    assert second == RefArgument(first, 0)
    assert np.shares_memory(first.init.values, source)


def test_findings_and_estimates_have_the_names_and_lines_of_the_function(compiled):
    source, result = np.arange(100, dtype=np.float32), np.zeros(90, np.float32)
    page = str(warpmill.numba.check(scaled, (2, 64), source, result, 2.0))
    assert "the end of `result` of 360 B" in " ".join(page.split())
    assert "kernel scaled" in page
    assert "scaled.py:7" in page
    shape = ("*float32", 1 << 20)
    found = warpmill.numba.estimate(scaled, (4096, 256), shape, shape, 2.0, machine="v100")
    assert found.time_us > 5


@pytest.mark.parametrize(
    ("config", "arguments", "words"),
    [
        ((2,), (1, 2, 3), r"\(CTAs, threads\)"),
        ((2, 0), (1, 2, 3), "a block is one to three whole numbers from 1"),
        ((2, 64, 0, -1), (1, 2, 3), "shared memory is a number of bytes"),
        ((2, 64), (1, 2), r"takes 3 arguments \(source, result, factor\), not 2"),
        ((2, 64), ("a", 2, 3), "`source`: a str is nothing that a kernel takes"),
    ],
)
def test_what_cannot_be_launched_is_said(compiled, config, arguments, words):
    with pytest.raises(UsageError, match=words):
        warpmill.numba.prepare(scaled, config, *arguments)


def test_what_is_no_kernel_or_lacks_its_compiler_is_said(monkeypatch):
    with pytest.raises(UsageError, match="a kernel of numba is a function"):
        warpmill.numba.prepare(3, (1, 1))
    monkeypatch.setitem(__import__("sys").modules, "numba.cuda", None)
    with pytest.raises(UsageError, match=r"pip install numba-cuda nvidia-cuda-nvcc"):
        warpmill.numba.prepare(scaled, (1, 1), 1, 2, 3)


KERNELS = """
import math
from numba import cuda


def bodies(pos, acc, n):
    i = cuda.grid(1)
    if i < n:
        x = y = 0.0
        for j in range(n):
            dx = pos[j, 0] - pos[i, 0]
            dy = pos[j, 1] - pos[i, 1]
            inverse = 1.0 / math.sqrt(dx * dx + dy * dy + 1e-3)
            x += dx * inverse * inverse * inverse
            y += dy * inverse * inverse * inverse
        acc[i, 0] = x
        acc[i, 1] = y


@cuda.jit
def wrong(values):
    values.nothing()
"""


@pytest.mark.slow
def test_kernels_that_numba_compiles_here(tmp_path, monkeypatch):
    pytest.importorskip("numba_cuda")
    (tmp_path / "kernels_of_numba.py").write_text(KERNELS)
    monkeypatch.syspath_prepend(tmp_path)
    module = __import__("kernels_of_numba")
    pos = np.random.default_rng(1).normal(size=(70, 2))
    acc = np.zeros_like(pos)
    warpmill.numba.run(module.bodies, (3, 32), pos, acc, 70)
    d = pos[None] - pos[:, None]
    right = (d * ((d**2).sum(axis=-1) + 1e-3)[..., None] ** -1.5).sum(axis=1)
    assert np.allclose(acc, right, rtol=1e-9, atol=1e-9)
    with pytest.raises(InputError, match=r"numba does not compile `wrong` for sm_80: .*nothing"):
        warpmill.numba.prepare(module.wrong, (1, 1), pos)


TYPING = """Failed in cuda mode pipeline (step: nopython frontend)
No implementation of function Function(<function shared.array at 0x7f>) found for signature:

 >>> array(UniTuple(int64 x 2), class(float32))

There are 2 candidate implementations:
 - Of which 2 did not match due to:
 Overload of function 'array': File: numba/cuda/cudadecl.py: Line 28.
  No match.

During: resolving callee type: Function(<function shared.array at 0x7f>)

File "test_numba_door.py", line 19:
def scaled(source, result, factor):
"""


@pytest.mark.parametrize(
    ("raised", "error", "words"),
    [
        (ValueError(TYPING), InputError, "array(UniTuple(int64 x 2), class(float32))"),
        (NameError("name 'x' is not defined"), InputError, "name 'x' is not defined"),
        (RuntimeError('Failure finding "libnvrtc.so.13"'), UsageError, "pip install numba-cuda"),
    ],
)
def test_what_numba_refuses_is_told_at_the_line_of_its_source(raised, error, words):
    refused = door._refused(scaled, 80, raised)
    assert isinstance(refused, error)
    (told,) = refused.diagnostics
    assert told.message.endswith(words) or (words in told.message and error is UsageError)
    assert "candidate" not in told.message
    if raised.args[0] == TYPING:
        assert told.file == __file__
        assert told.span.line == 19
        assert "made of constants" in told.hint
