"""Kernels of Triton that Triton compiles here, where it is installed."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.launch import NullArgument, ScalarArgument

triton = pytest.importorskip("triton")
pytestmark = pytest.mark.slow

KERNELS = """
import triton
import triton.language as tl


@triton.jit
def softmax_rows(source, result, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    values = tl.load(source + row * stride + offsets, mask=inside, other=-float("inf"))
    values = tl.exp(values - tl.max(values, axis=0))
    tl.store(result + row * stride + offsets, values / tl.sum(values, axis=0), mask=inside)


@triton.jit
def twice(values):
    return values + values


@triton.jit
def scaled(source, result, count, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(source + at, mask=at < count)
    tl.store(result + at, twice(values) * factor, mask=at < count)


@triton.jit
def wrong(source, BLOCK: tl.constexpr):
    tl.store(source + tl.arange(0, BLOCK), tl.zeros((BLOCK, 3), tl.float32))


@triton.jit
def product(a_ptr, b_ptr, c_ptr, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    a = a_ptr + rows[:, None] * K + inner[None, :]
    b = b_ptr + inner[:, None] * N + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        total = tl.dot(tl.load(a), tl.load(b), total)
        a += BK
        b += BK * N
    tl.store(c_ptr + rows[:, None] * N + columns[None, :], total.to(tl.float16))
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """The kernels as a module, compiled into a cache of their own."""
    folder = tmp_path_factory.mktemp("triton")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", str(folder / "cache"))
        patch.setenv("TRITON_DEFAULT_FP_FUSION", "1")
        path = folder / "kernels_of_triton.py"
        path.write_text(KERNELS)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        patch.setitem(__import__("sys").modules, path.stem, module)
        spec.loader.exec_module(module)
        yield module


def test_a_kernel_runs_and_its_arguments_are_specialised_as_triton_does(kernels):
    source = np.arange(1000, dtype=np.float32)
    result = np.zeros(1000, np.float32)
    grid = lambda meta: (-(-meta["count"] // meta["BLOCK"]),)  # noqa: E731
    warpmill.triton.run(kernels.scaled, grid, source, result, 1000, 1.5, BLOCK=256)
    assert np.array_equal(result, source * 3)
    job = warpmill.triton.prepare(kernels.scaled, grid, source, result, 1, 1.5, BLOCK=256)
    assert job.launch.arguments[2:] == (ScalarArgument("f32", 1.5), NullArgument(), NullArgument())


def test_lines_of_helper_functions_are_those_of_the_file(kernels):
    arrays = np.ones(64, np.float32), np.ones(64, np.float32)
    job = warpmill.triton.prepare(kernels.scaled, 1, *arrays, 64, 2.0, BLOCK=64)
    text = Path(kernels.__file__).read_text().splitlines()
    lines = {text[i.debug.place.line - 1].strip() for i in job.kernel.instructions if i.debug}
    assert "return values + values" in lines
    assert {Path(i.debug.place.file).name for i in job.kernel.instructions if i.debug} == {
        "kernels_of_triton.py"
    }


def test_a_view_is_memory_at_an_offset_and_its_alignment_is_known_to_triton(kernels):
    memory = np.arange(65, dtype=np.float32)
    warpmill.triton.run(kernels.scaled, 1, memory[1:], memory[:-1], 64, 0.5, BLOCK=64)
    assert np.array_equal(memory, [*range(1, 65), 64])


@pytest.mark.parametrize("machine", ["a100", "h100_sxm", "b200"])
def test_a_product_of_tiles_has_an_estimate_on_each_generation(kernels, machine):
    shape = ("*fp16", (1024, 1024))
    found = warpmill.triton.estimate(
        kernels.product, (8, 8), shape, shape, shape, 1024, 1024,
        BM=128, BN=128, BK=32, num_warps=8, num_stages=3, machine=machine,
    )  # fmt: skip
    assert 1 < found.time_us < 1000


def test_a_product_of_tiles_is_right(kernels):
    random = np.random.default_rng(5)
    a, b = (random.normal(size=(64, 64)).astype(np.float16) for _ in "ab")
    c = np.zeros((64, 64), np.float16)
    warpmill.triton.run(kernels.product, (1, 1), a, b, c, 64, 64, BM=64, BN=64, BK=32)
    assert np.allclose(c, a.astype(np.float64) @ b.astype(np.float64), rtol=1e-2, atol=1e-2)


def test_what_triton_refuses_is_told_at_its_line(kernels):
    with pytest.raises(InputError) as refused:
        warpmill.triton.prepare(kernels.wrong, 1, np.ones(8, np.float32), BLOCK=8)
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.file == kernels.__file__
    assert "tl.store" in diagnostic.excerpt
    assert "Triton does not compile `wrong` for sm_80" in diagnostic.message
    with pytest.raises(UsageError, match=r"scaled cannot be launched so: .*count"):
        warpmill.triton.prepare(kernels.scaled, 1, np.ones(8, np.float32), BLOCK=8)
    with pytest.raises(UsageError, match=r"a function with @triton\.jit"):
        warpmill.triton.prepare(len, 1)


def test_the_autotuner_of_triton_is_pruned(kernels):
    configs = [triton.Config({"BLOCK": 64}, num_warps=w) for w in (1, 4, 32)]
    hook = warpmill.triton.prune(machine="a100", keep=2)
    tuner = triton.autotune(configs, key=["count"], prune_configs_by={"early_config_prune": hook})(
        kernels.scaled
    )
    array = np.ones(4096, np.float32)
    tuner.nargs = dict(zip(tuner.arg_names, (array, array, 4096, 2.0), strict=False))
    kept = tuner.prune_configs({"grid": lambda meta: (4096 // meta["BLOCK"],), "warmup": False})
    assert len(kept) == 2
    assert configs[2] not in kept
    ranked = warpmill.triton.rank(tuner, (64,), (array, array, 4096, 2.0), machine="a100")
    assert [one.config for one in ranked][:2] == kept
    with pytest.raises(UsageError, match="tuned over 3 configurations"):
        warpmill.triton.estimate(tuner, (64,), array, array, 4096, 2.0)
