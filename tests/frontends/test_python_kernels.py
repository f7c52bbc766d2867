"""Kernels of Triton and numba in Python files: found by their text, launched as options say."""

import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.frontends.compilers.python_kernels import python_kernels
from warpmill.doors import files
from warpmill.session.jobs import is_application
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare

TRITON = """
import triton
import triton.language as tl

@triton.jit
def scaled(x, factor):
    return x * factor

@triton.jit
def rows(source, result, stride, factor, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    place = source + row * stride + tl.arange(0, BLOCK)
    moved = place
    tl.store(result + row * stride + tl.arange(0, BLOCK), scaled(tl.load(moved), factor))

@triton.autotune([triton.Config({"B": 8})], key=["n"])
@triton.jit
def two(a, n, B: tl.constexpr):
    tl.store(a + tl.program_id(axis=1) * n + tl.program_id(0), 1.0)
"""
NUMBA = """
from pathlib import Path
from numba import cuda

def nbody(pos, acc, n):
    i = cuda.grid(1)
    if i < n:
        acc[i, 0] = pos[i, 1]

@cuda.jit(device=True)
def helper(a):
    return a[0]

@cuda.jit
def image(out, factor):
    x, y = cuda.grid(2)
    out[y, x] = factor

Path("left.txt").write_text("x")
ptx, _ = cuda.compile_ptx(nbody, (), cc=(8, 0))
"""


def written(tmp_path, text):
    (tmp_path / "k.py").write_text(text)
    return tmp_path / "k.py"


def shown(kernels):
    return [
        (k.name, k.door, k.directions, [(p.name, p.kind, p.sides) for p in k.parameters])
        for k in kernels
    ]


def test_pointers_of_triton_are_what_addresses_are_counted_from(tmp_path):
    path = written(tmp_path, TRITON)
    assert shown(python_kernels(path)) == [
        ("rows", "triton", 1, [
            ("source", "array", (0,)), ("result", "array", (0,)), ("stride", "number", (0,)),
            ("factor", "number", (0,)), ("BLOCK", "constant", (0,)),
        ]),
        ("two", "triton", 2, [
            ("a", "array", (0,)), ("n", "number", (0,)), ("B", "constant", (0,)),
        ]),
    ]  # fmt: skip
    assert not is_application(path)


def test_arrays_of_numba_are_what_is_indexed(tmp_path):
    path = written(tmp_path, NUMBA)
    assert shown(python_kernels(path)) == [
        ("nbody", "numba", 1, [
            ("pos", "array", (0, 2)), ("acc", "array", (0, 1)), ("n", "number", (0,)),
        ]),
        ("image", "numba", 2, [("out", "array", (0, 0)), ("factor", "number", (0,))]),
    ]  # fmt: skip
    words, assumed = files.first_words(python_kernels(path)[0])
    assert " ".join(words) == (
        "--grid 4 --block 256 --arg buffer=f32:1024x2 --arg buffer=f32:1024x1 --arg 1024"
    )
    assert assumed == ("pos, acc: arrays of f32", "n: 1024")


@pytest.mark.parametrize("text", [f"{TRITON}\ndef main(device): pass\n", "def f(x): x[0] = 1\n"])
def test_programs_and_other_files_have_none(tmp_path, text):
    assert python_kernels(written(tmp_path, text)) == ()
    assert is_application(tmp_path / "k.py")


@pytest.mark.parametrize(
    ("kernel", "options", "words"),
    [
        (None, {"grid": 4}, "has 2 kernels; name one: rows, two"),
        ("none", {"grid": 4}, "has no kernel `none`"),
        ("two", {}, "needs --grid"),
        ("two", {"grid": 4, "args": ["buffer=f32:16"]}, "needs an --arg for n"),
        ("two", {"grid": 4, "args": ["buffer=f32:16", "1", "2"]}, "takes 2 arguments"),
        ("two", {"grid": 4, "args": ["buffer=x:16", "1"]}, "types are f16"),
        ("two", {"grid": 4, "args": ["word", "1"]}, "a number, buffer=f32:1024"),
    ],
)
@pytest.mark.one_in(1)
def test_launches_that_do_not_fit_are_refused_before_anything_runs(
    tmp_path, kernel, options, words
):
    with pytest.raises(UsageError, match=words):
        prepare(written(tmp_path, TRITON), kernel, LaunchOptions(**options))


def test_values_are_what_triton_takes(tmp_path):
    (rows, _) = python_kernels(written(tmp_path, TRITON))
    texts = ["buffer=f16:8x4", "buffer=i64:32", "BLOCK=4", "7", "f32=0.5", "num_warps=8"]
    positional, constants = files._values(rows, texts)
    assert positional == [("*float16", (8, 4)), ("*int64", (32,)), 7, 0.5]
    assert constants == {"BLOCK": 4, "num_warps": 8}


def test_what_a_file_writes_does_not_stay(tmp_path, monkeypatch):
    pytest.importorskip("numba_cuda")
    monkeypatch.chdir(tmp_path)
    path = written(tmp_path, NUMBA.replace("ptx, _ = cuda.compile_ptx(nbody, (), cc=(8, 0))", ""))
    options = LaunchOptions(grid="4,4", block="16,16", args=["buffer=f32:64x64", "2.5"])
    job = prepare(path.name, "image", options)
    assert job.launch.grid == (4, 4, 1)
    assert [one.name for one in tmp_path.iterdir()] == ["k.py"]
