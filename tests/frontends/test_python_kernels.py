"""Kernels of Triton and numba in Python files: found by their text, launched as options say."""

import ast

import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.frontends.compilers.python_kernels import needed_part, python_kernels
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
    assert assumed == (
        "pos, acc: arrays of f32", "n: 1024", "grid, block: no launch in the file says it",
    )  # fmt: skip


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


TUNED = """
import nowhere
import triton
import triton.language as tl

WARPS = 4

def configs(sizes=(32, 64)):
    return [triton.Config({"BM": m, "BK": 2 * m}, num_warps=w * 2) for m in sizes for w in (WARPS,)]

@triton.autotune(configs=configs(), key=["M"])
@triton.jit
def product(a, c, M, stride_m, stride_k, eps, BM: tl.constexpr, BK: tl.constexpr, OP: tl.constexpr,
            ODD: tl.constexpr = 3):
    tl.store(c + tl.program_id(0), tl.load(a + tl.program_id(1)))

@triton.autotune([triton.Config({"B": 8}), triton.Config({"B": 16}, num_stages=2)], key=[])
@triton.jit
def scaled(a, x, B: tl.constexpr):
    tl.store(a, x)

def run(a, eps=1e-5, op="relu"):
    M, K = a.shape
    c = nowhere.empty(M)
    grid = lambda meta: (triton.cdiv(M, meta["BM"]), triton.next_power_of_2(K // 3))
    product[grid](a, c, M, a.stride(0), a.stride(1), eps, OP=op)
    scaled[(n_blocks(a),)](a, unknown(a))

nowhere.go(run)
"""
BLOCKS = """
from numba import cuda
THREADS = (32, 8)

@cuda.jit
def image(out, factor):
    x, y = cuda.grid(2)
    out[y, x] = factor

def run(out):
    height, width = out.shape
    image[((width + 31) // 32, height // THREADS[1]), THREADS](out, 0.5)
"""


def test_what_a_file_launches_is_what_a_first_launch_has(tmp_path):
    """Of a comprehension the first items; strides, sizes and the grid follow from 1024 a side."""
    product, scaled = python_kernels(written(tmp_path, TUNED))
    words, assumed = files.first_words(product)
    assert " ".join(words) == (
        "--grid 32,512 --arg buffer=f32:1048576 --arg buffer=f32:1048576 --arg 1024 --arg 1024 "
        "--arg 1 --arg 1e-05 --arg BM=32 --arg BK=64 --arg OP='relu' --arg ODD=3 --arg num_warps=8"
    )
    assert assumed == (
        "a, c: arrays of f32",
        "BM, BK, num_warps: the first configuration that the file tunes over",
        "grid, M, stride_m, stride_k, eps, OP: as line 26 launches it, with 1024 for open sizes",
        "ODD: what the kernel has without an argument",
    )
    words, assumed = files.first_words(scaled)
    assert words[-4:] == ("--arg", "1024", "--arg", "B=8")
    assert assumed[1:] == (
        "x: 1024", "B: the first configuration of 2 that the file tunes over",
        "grid: no launch in the file says it",
    )  # fmt: skip
    (image,) = python_kernels(written(tmp_path, BLOCKS))
    words, assumed = files.first_words(image)
    assert words == (
        "--grid", "32,128", "--block", "32,8", "--arg", "buffer=f32:1024x1024", "--arg", "0.5",
    )  # fmt: skip


def test_constants_may_be_words_or_nothing(tmp_path):
    product, _ = python_kernels(written(tmp_path, TUNED))
    numbers = ["buffer=f32:1", "buffer=f32:1", "1", "1", "1", "1"]
    _, constants = files._values(product, [*numbers, "OP='relu'", "ODD=None", "BM=8"])
    assert constants == {"OP": "relu", "ODD": None, "BM": 8}


@pytest.mark.parametrize("text", ["n = n + n", "n = 'a' * 9 * 9", "n = [0][9]", "n = 1 // 0"])
def test_values_that_come_to_nothing_are_left_open(tmp_path, text):
    source = (
        f"import triton\n{text}\n@triton.jit\ndef one(a, n):\n    tl.store(a, n)\none[n](0, n)\n"
    )
    (kernel,) = python_kernels(written(tmp_path, source))
    assert "n: 1024" in files.first_words(kernel)[1]


def test_only_that_of_a_file_runs_which_its_kernel_follows_from():
    """Its imports, tables and decorators, in branches as well; no launch, nor what that needs."""
    source = """
from __future__ import annotations
import sys
sys.path.insert(0, "beside")
import nowhere
import triton
try:
    import fast as maths
except ImportError:
    import maths
SIZE = 4
TABLE = tuple(range(SIZE))
OTHER = nowhere.table()
if SIZE > 2:
    def helper(x): return x * TABLE[0]
@triton.jit
def kernel(a):
    return helper(maths.exp(a))
def launch(a): nowhere.go(kernel, a)
launch(OTHER)
"""
    part = ast.unparse(needed_part(ast.parse(source), "kernel"))
    kept = ast.unparse(ast.parse(source)).splitlines()
    left_out = ("import nowhere", "OTHER =", "def launch", "    nowhere.go", "launch(")
    assert (
        part.split()
        == " ".join(
            line for line in kept if not line.strip().startswith(left_out) and "nowhere" not in line
        ).split()
    )


def test_a_kernel_runs_where_what_launches_it_is_not_here(tmp_path):
    pytest.importorskip("triton")
    path = written(tmp_path, TUNED)
    job = prepare(path, "scaled", LaunchOptions(grid=4, args=["buffer=f32:4", "1.5", "B=8"]))
    assert job.launch.grid == (4, 1, 1)
