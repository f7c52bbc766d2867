"""The kernels of benchmarks/accuracy.py compute what the measured ones do, beside NumPy.

They are compiled by what is at hand, and executed at small sizes that no block divides.
"""

import numpy as np
import pytest

from warpmill.benchmarks.accuracy import building, cases_bench, cases_simple, compilers
from warpmill.benchmarks.accuracy.model import Program
from warpmill.executor.host.device import Device

pytestmark = pytest.mark.skipif(
    compilers.chosen(75, compilers.compilers()) is None, reason="there is no compiler of CUDA"
)

EDGE, LONG = 37, 1061
"""Sizes of matrices and of vectors: no block divides them."""

SQUARE = (16, 16)
MATMULS = ("matmul_global_coalesced", "matmul_global_uncoalesced")
TILED = ("matmul_shared_coalesced", "matmul_shared_uncoalesced")


class Kernels:
    """The kernels of a source on the executor: each call launches one and gives its result."""

    def __init__(self, source):
        self.device = Device()
        built = building.build(Program(source, (), (), 75, 75))
        self.module = self.device.load(built.ptx)

    def __call__(self, name, block, threads, *args, out, shared=0):
        """Launch enough blocks for ``threads``; numbers and arrays go in, ``out`` comes back."""
        result = self.device.array(out)
        given = [result if a is out else self._held(a) for a in args]
        grid = [-(-n // b) for n, b in zip(threads, block, strict=True)]
        self.device.launch(self.module[name], grid, block, given, shared)
        return result.get()

    def _held(self, value):
        return self.device.array(value) if isinstance(value, np.ndarray) else value


@pytest.fixture(scope="module", autouse=True)
def kept_apart(tmp_path_factory):
    """Keep what is compiled in a temporary folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WARPMILL_CACHE", str(tmp_path_factory.mktemp("compiled")))
        yield


@pytest.fixture(scope="module")
def simple16():
    return Kernels("simple16.cu")


@pytest.fixture(scope="module")
def pmpp():
    return Kernels("pmpp_nvbench.cu")


@pytest.fixture(scope="module")
def amaris():
    return Kernels("amaris_bsp.cu")


@pytest.fixture(scope="module")
def benches():
    return Kernels("gpu_benches.cu")


def numbers(*shape, seed=1):
    return np.random.default_rng(seed).random(shape, dtype=np.float32)


def whole(*shape, seed=1):
    return np.random.default_rng(seed).integers(0, 1000, shape, dtype=np.uint32)


def nothing(like):
    """A result that nothing was written to: no kernel leaves this number."""
    return np.full_like(like, 99)


def blocks(values, length):
    """Sum up stretches of a length, the last one shorter."""
    return [values[start : start + length].sum() for start in range(0, len(values), length)]


# ------------------------------------------------------------------------------------- simple16


@pytest.mark.parametrize(("name", "factor"), [("vector_add", 1), ("saxpy", 2)])
def test_sums_of_vectors(simple16, name, factor):
    a, b = numbers(LONG), numbers(LONG, seed=2)
    out = nothing(a)
    found = simple16(name, (256,), (LONG,), a, b, out, LONG, out=out)
    np.testing.assert_allclose(found, np.float32(factor) * a + b, rtol=1e-6)


def test_every_eighth_element_is_copied(simple16):
    a = numbers(LONG)
    out = nothing(a)
    found = simple16("strided_copy_8", (256,), (-(-LONG // 8),), a, out, LONG, out=out)
    assert np.array_equal(found[::8], a[::8])
    assert np.all(np.delete(found, np.s_[::8]) == 99)


@pytest.mark.parametrize(
    ("name", "block"), [("naive_transpose", SQUARE), ("shared_transpose", (32, 32))]
)
def test_transposes(simple16, name, block):
    a = numbers(EDGE, EDGE)
    out = nothing(a)
    assert np.array_equal(simple16(name, block, (EDGE, EDGE), a, out, EDGE, out=out), a.T)


@pytest.mark.parametrize(("name", "block"), [("matmul_naive", SQUARE), ("matmul_tiled", (32, 32))])
def test_products_of_matrices(simple16, name, block):
    a, b = numbers(EDGE, EDGE), numbers(EDGE, EDGE, seed=2)
    out = nothing(a)
    found = simple16(name, block, (EDGE, EDGE), a, b, out, EDGE, out=out)
    np.testing.assert_allclose(found, a @ b, rtol=1e-5)


def test_sums_of_blocks(simple16):
    a, b = numbers(LONG), numbers(LONG, seed=2)
    ctas = -(-LONG // 512)
    out = nothing(numbers(ctas))
    threads, shared = (ctas * 256,), 1024
    found = simple16("reduce_sum", (256,), threads, a, out, LONG, out=out, shared=shared)
    np.testing.assert_allclose(found, blocks(a, 512), rtol=1e-5)
    found = simple16("dot_product", (256,), threads, a, b, out, LONG, out=out, shared=shared)
    np.testing.assert_allclose(found, blocks(a * b, 512), rtol=1e-5)


def test_histogram_has_256_bins(simple16):
    data, out = whole(LONG), np.zeros(256, np.uint32)
    found = simple16("histogram", (256,), (LONG,), data, out, LONG, out=out, shared=1024)
    assert np.array_equal(found, np.bincount(data % 256, minlength=256))


@pytest.mark.parametrize("edge", [3, 7])
def test_convolutions_are_valid_ones(simple16, edge):
    a, kernel = numbers(EDGE, EDGE), numbers(edge, edge, seed=2)
    out = nothing(a)
    size = EDGE - edge + 1
    name = f"conv2d_{edge}x{edge}"
    found = simple16(name, SQUARE, (EDGE, EDGE), a, kernel, out, EDGE, EDGE, out=out)
    windows = np.lib.stride_tricks.sliding_window_view(a, (edge, edge))
    wanted = np.einsum("yxij,ij->yx", windows, kernel)
    np.testing.assert_allclose(found[:size, :size], wanted, rtol=1e-5)
    assert np.all(found[size:] == 99)
    assert np.all(found[:, size:] == 99)


def test_random_access_gathers(simple16):
    a, places = numbers(LONG), np.random.default_rng(2).permutation(LONG).astype(np.int32)
    out = nothing(a)
    found = simple16("random_access", (256,), (LONG,), a, places, out, LONG, out=out)
    assert np.array_equal(found, a[places])


def test_even_threads_add_more(simple16):
    a, b = numbers(LONG), numbers(LONG, seed=2)
    out = nothing(a)
    found = simple16("vector_add_divergent", (256,), (LONG,), a, b, out, LONG, out=out)
    more = np.where(np.arange(LONG) % 2 == 0, 0.0001 * sum(range(128)), 0)
    np.testing.assert_allclose(found, a + b + more, rtol=1e-4)


def test_all_threads_count_at_one_address(simple16):
    out = np.zeros(1, np.uint32)
    assert simple16("atomic_hotspot", (256,), (LONG,), out, LONG, 5, out=out)[0] == 5 * LONG


def test_the_common_word_is_read_a_thousand_times(simple16):
    out = nothing(numbers(1024))
    found = simple16("shared_bank_conflict", (1024,), (1024,), out, 1024, out=out)
    assert np.all(found == 1024)


# --------------------------------------------------------------------------------- pmpp_nvbench


@pytest.mark.parametrize("name", ["array_add_coalesced", "array_add_uncoalesced"])
def test_sums_of_arrays(pmpp, name):
    a, b = numbers(EDGE, EDGE), numbers(EDGE, EDGE, seed=2)
    out = nothing(a)
    found = pmpp(name, SQUARE, (EDGE, EDGE), a, b, out, EDGE, out=out)
    assert np.array_equal(found, a + b)


@pytest.mark.parametrize("width", [2, 8, 16])
def test_products_of_whole_numbers(pmpp, width):
    a, b = whole(EDGE, EDGE), whole(EDGE, EDGE, seed=2)
    out = nothing(a)
    block, shared = (width, width), 2 * 4 * width * width
    found = pmpp("matmul_naive_u32", block, (EDGE, EDGE), a, b, out, EDGE, out=out)
    assert np.array_equal(found, a @ b)
    tiled = (a, b, out, EDGE, width)
    found = pmpp("matmul_tiled_u32", block, (EDGE, EDGE), *tiled, out=out, shared=shared)
    assert np.array_equal(found, a @ b)


@pytest.mark.parametrize("threads", [8, 64])
def test_products_with_a_vector(pmpp, threads):
    a, x = whole(EDGE, EDGE), whole(EDGE, seed=2)
    out = nothing(x)
    for name, shared in (("matvec_u32", 0), ("matvec_smem_u32", 4 * threads)):
        found = pmpp(name, (threads,), (EDGE,), a, x, out, EDGE, out=out, shared=shared)
        assert np.array_equal(found, a @ x), name


@pytest.mark.parametrize("taps", [3, 5, 11])
def test_convolutions_of_vectors_are_clamped(pmpp, taps):
    a, mask = numbers(LONG) - np.float32(0.5), numbers(11, seed=2)
    out = nothing(a)
    pmpp.device.copy(pmpp.device.symbol(pmpp.module, "conv1d_mask", np.float32), mask)
    wanted = np.clip(np.correlate(a, mask[:taps], "same"), 0, 1)
    assert 0 < np.mean((wanted > 0) & (wanted < 1)) < 1, "both limits are met"
    found = pmpp("conv1d_basic", (64,), (LONG,), a, mask, out, LONG, taps, out=out)
    np.testing.assert_allclose(found, wanted, atol=1e-5)
    beside = {"conv1d_const": 0, "conv1d_tiled": 64 + taps - 1, "conv1d_tiled_caching": 64}
    for name, words in beside.items():
        found = pmpp(name, (64,), (LONG,), a, out, LONG, taps, out=out, shared=4 * words)
        np.testing.assert_allclose(found, wanted, atol=1e-5, err_msg=name)


def test_colours_become_gray(pmpp):
    colours = np.random.default_rng(1).integers(0, 256, (EDGE, EDGE, 3), dtype=np.uint8)
    out = nothing(colours[..., 0])
    found = pmpp("rgb_to_gray", SQUARE, (EDGE, EDGE), colours, out, EDGE, out=out)
    weights = np.array([0.21, 0.71, 0.07], np.float32)
    exact = colours.astype(np.float64) @ weights.astype(np.float64)
    clear = np.abs(exact - np.round(exact)) > 1e-3
    assert np.array_equal(found[clear], exact[clear].astype(np.uint8))


@pytest.mark.parametrize("threads", [32, 256])
def test_histograms_have_512_bins(pmpp, threads):
    data, out = whole(LONG) % 512, np.zeros(512, np.uint32)
    wanted = np.bincount(data, minlength=512)
    found = pmpp("histogram_global", (threads,), (LONG,), data, out, LONG, out=out)
    assert np.array_equal(found, wanted)
    given = (data, out, LONG, 512)
    found = pmpp("histogram_smem", (threads,), (LONG,), *given, out=out, shared=2048)
    assert np.array_equal(found, wanted)


# ----------------------------------------------------------------------------------- amaris_bsp


@pytest.mark.parametrize(("names", "edge"), [(MATMULS, EDGE), (TILED, 48)])
def test_products_in_both_orders(amaris, names, edge):
    a, b = numbers(edge, edge), numbers(edge, edge, seed=2)
    out = nothing(a)
    for name in names:
        found = amaris(name, SQUARE, (edge, edge), a, b, out, edge, out=out)
        np.testing.assert_allclose(found, a @ b, rtol=1e-5, err_msg=name)


def test_sums_in_both_orders(amaris):
    a, b = numbers(EDGE, EDGE), numbers(EDGE, EDGE, seed=2)
    out = nothing(a)
    for name in ("matadd_coalesced", "matadd_uncoalesced"):
        found = amaris(name, SQUARE, (EDGE, EDGE), a, b, out, EDGE, out=out)
        assert np.array_equal(found, a + b), name


def test_vectors_of_amaris(amaris):
    a, b = numbers(LONG), numbers(LONG, seed=2)
    out = nothing(a)
    assert np.array_equal(amaris("vector_add", (256,), (LONG,), a, b, out, LONG, out=out), a + b)
    sums = nothing(numbers(-(-LONG // 256)))
    found = amaris("dot_product_1elem", (256,), (LONG,), a, b, sums, LONG, out=sums)
    np.testing.assert_allclose(found, blocks(a * b, 256), rtol=1e-5)


# ---------------------------------------------------------------------------------- gpu_benches


def test_streams(benches):
    b, c, d = (numbers(LONG, seed=seed).astype(np.float64) for seed in (1, 2, 3))
    out = nothing(b)

    def made(name, *given):
        return benches(name, (64,), (LONG,), out, *given, LONG, out=out)

    assert np.array_equal(made("init", 2.5), np.full(LONG, 2.5))
    np.testing.assert_allclose(made("scale", b), 1.2 * b, rtol=1e-15)
    np.testing.assert_allclose(made("triad", b, c, d), b * d + c, rtol=1e-15)
    np.testing.assert_allclose(made("quarter", b), 0.25 * b, rtol=1e-15)
    assert np.all(made("read", b, 0) == 99)
    assert np.array_equal(made("read", b, 1), b)


@pytest.mark.parametrize("reach", [1, 2])
def test_stencils_leave_the_edge_alone(benches, reach):
    b = numbers(LONG).astype(np.float64)
    out = nothing(b)
    name = f"stencil{2 * reach + 1}"
    found = benches(name, (64,), (LONG,), out, b, LONG, out=out)
    weights = np.full(2 * reach + 1, 0.5 / reach)
    weights[reach] = 1
    inside = np.s_[reach : LONG - reach]
    np.testing.assert_allclose(found[inside], np.correlate(b, weights, "same")[inside])
    assert np.all(np.delete(found, inside) == 99)


# ------------------------------------------------------------------------------------- all rows


def test_every_kernel_of_the_tables_is_in_its_source():
    simple = [one for name, one in cases_simple.forms().items() if name != "words"]
    benched = [one for name, one in cases_bench.forms().items() if name != "words"]
    for form, kernels in [(f, f["args"]) for f in simple] + [(f, f["kernels"]) for f in benched]:
        text = (building.KERNELS / form["source"]).read_text("utf-8")
        for kernel in kernels:
            assert f"void {kernel}(" in text
