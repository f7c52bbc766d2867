"""The kernels of benchmarks/accuracy compute what the measured ones do, beside NumPy and SciPy.

They are compiled by what is at hand, and executed at small sizes that no block divides. Of some
tuned kernels loads from global memory are counted, as a profiler has counted them.
"""

from functools import cache
from itertools import product
from math import prod

import numpy as np
import pytest
from scipy.signal import correlate2d

from tests.documents.accuracy_rows import needs_compiler
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.buffers import materialise
from warpmill.analyzer.launch.model import BufferArgument
from warpmill.analyzer.traces.summary import summarise
from warpmill.benchmarks.accuracy.building import KERNELS, build
from warpmill.benchmarks.accuracy.cases import case_of
from warpmill.benchmarks.accuracy.model import Program, form
from warpmill.benchmarks.accuracy.predicting import job_of, launch_of
from warpmill.executor.host.device import Device
from warpmill.session.traces import trace_source

pytestmark = needs_compiler


@pytest.fixture(scope="module", autouse=True)
def kept(tmp_path_factory):
    """Keep what is compiled in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("compiled")))
        yield


# -------------------------------------------------------------------- kernels of plain tables

EDGE, LONG = 37, 1061
"""Sizes of matrices and of vectors: no block divides them."""
UNTOUCHED = 99
"""What a result holds before a launch: no kernel leaves this number."""
SQUARE, LARGE = (16, 16), (32, 32)
PLANE = (EDGE, EDGE)


def numbers(*shape, seed=1):
    return np.random.default_rng(seed).random(shape, dtype=np.float32)


def whole(*shape, seed=1):
    return np.random.default_rng(seed).integers(0, 1000, shape, dtype=np.uint32)


def blocks(values, length):
    """Sum up stretches of a length, the last one shorter."""
    return np.add.reduceat(values, np.arange(0, len(values), length))


def only(values, *where):
    """An array of which some places have values and all others are untouched."""
    found = np.full_like(values, UNTOUCHED)
    found[where] = values[where]
    return found


def binned(data, bins):
    return (UNTOUCHED + np.bincount(data % bins, minlength=bins)).astype(np.uint32)


def convolved(edge):
    windows = np.lib.stride_tricks.sliding_window_view(M, (edge, edge))
    found = np.full_like(M, UNTOUCHED)
    found[: EDGE - edge + 1, : EDGE - edge + 1] = np.einsum("yxij,ij->yx", windows, filters(edge))
    return found


def filters(edge):
    return numbers(edge, edge, seed=2)


def stencil(reach):
    weights = np.full(2 * reach + 1, 0.5 / reach)
    weights[reach] = 1
    return only(np.correlate(X, weights, "same"), slice(reach, LONG - reach))


A, B, M, N = numbers(LONG), numbers(LONG, seed=2), numbers(*PLANE), numbers(*PLANE, seed=2)
S, T, V, DATA = whole(*PLANE), whole(*PLANE, seed=2), whole(EDGE, seed=2), whole(LONG)
X, Y, Z = (numbers(LONG, seed=seed).astype(np.float64) for seed in (1, 2, 3))
P, Q = numbers(48, 48), numbers(48, 48, seed=2)
PLACES = np.random.default_rng(2).permutation(LONG).astype(np.int32)
MORE = np.where(np.arange(LONG) % 2 == 0, 0.0001 * sum(range(128)), 0).astype(np.float32)
PAIRS = (-(-LONG // 512) * 256,)
"""Threads that take two elements each."""
OUT = ...
"""Stands for the result among arguments."""

# source, kernel, block, threads, arguments, what comes of the result; bytes of shared memory
COMPUTED = [
    ("simple16", "vector_add", (256,), (LONG,), (A, B, OUT, LONG), A + B),
    ("simple16", "saxpy", (256,), (LONG,), (A, B, OUT, LONG), 2 * A + B),
    ("simple16", "strided_copy_8", (256,), (-(-LONG // 8),), (A, OUT, LONG),
     only(A, slice(None, None, 8))),
    ("simple16", "naive_transpose", SQUARE, PLANE, (M, OUT, EDGE), M.T.copy()),
    ("simple16", "shared_transpose", LARGE, PLANE, (M, OUT, EDGE), M.T.copy()),
    ("simple16", "matmul_naive", SQUARE, PLANE, (M, N, OUT, EDGE), M @ N),
    ("simple16", "matmul_tiled", LARGE, PLANE, (M, N, OUT, EDGE), M @ N),
    ("simple16", "reduce_sum", (256,), PAIRS, (A, OUT, LONG), blocks(A, 512), 1024),
    ("simple16", "dot_product", (256,), PAIRS, (A, B, OUT, LONG), blocks(A * B, 512), 1024),
    ("simple16", "histogram", (256,), (LONG,), (DATA, OUT, LONG), binned(DATA, 256), 1024),
    ("simple16", "conv2d_3x3", SQUARE, PLANE, (M, filters(3), OUT, EDGE, EDGE), convolved(3)),
    ("simple16", "conv2d_7x7", SQUARE, PLANE, (M, filters(7), OUT, EDGE, EDGE), convolved(7)),
    ("simple16", "random_access", (256,), (LONG,), (A, PLACES, OUT, LONG), A[PLACES]),
    ("simple16", "vector_add_divergent", (256,), (LONG,), (A, B, OUT, LONG), A + B + MORE),
    ("simple16", "atomic_hotspot", (256,), (LONG,), (OUT, LONG, 5),
     np.array([UNTOUCHED + 5 * LONG], np.uint32)),
    ("simple16", "shared_bank_conflict", (1024,), (1024,), (OUT, 1024),
     np.full(1024, 1024, np.float32)),
    *(("pmpp_nvbench", f"array_add_{how}", SQUARE, PLANE, (M, N, OUT, EDGE), M + N)
      for how in ("coalesced", "uncoalesced")),
    *(("pmpp_nvbench", "matmul_naive_u32", (n, n), PLANE, (S, T, OUT, EDGE), S @ T)
      for n in (2, 8, 16)),
    *(("pmpp_nvbench", "matmul_tiled_u32", (n, n), PLANE, (S, T, OUT, EDGE, n), S @ T, 8 * n * n)
      for n in (2, 8, 16)),
    *(("pmpp_nvbench", "matvec_u32", (n,), (EDGE,), (S, V, OUT, EDGE), S @ V) for n in (8, 64)),
    *(("pmpp_nvbench", "matvec_smem_u32", (n,), (EDGE,), (S, V, OUT, EDGE), S @ V, 4 * n)
      for n in (8, 64)),
    *(("pmpp_nvbench", "histogram_global", (n,), (LONG,), (DATA % 512, OUT, LONG),
       binned(DATA, 512)) for n in (32, 256)),
    *(("pmpp_nvbench", "histogram_smem", (n,), (LONG,), (DATA % 512, OUT, LONG, 512),
       binned(DATA, 512), 2048) for n in (32, 256)),
    *(("amaris_bsp", f"matmul_global_{how}", SQUARE, PLANE, (M, N, OUT, EDGE), M @ N)
      for how in ("coalesced", "uncoalesced")),
    *(("amaris_bsp", f"matmul_shared_{how}", SQUARE, (48, 48), (P, Q, OUT, 48), P @ Q)
      for how in ("coalesced", "uncoalesced")),
    *(("amaris_bsp", f"matadd_{how}", SQUARE, PLANE, (M, N, OUT, EDGE), M + N)
      for how in ("coalesced", "uncoalesced")),
    ("amaris_bsp", "vector_add", (256,), (LONG,), (A, B, OUT, LONG), A + B),
    ("amaris_bsp", "dot_product_1elem", (256,), (LONG,), (A, B, OUT, LONG), blocks(A * B, 256)),
    ("gpu_benches", "init", (64,), (LONG,), (OUT, 2.5, LONG), np.full(LONG, 2.5)),
    ("gpu_benches", "scale", (64,), (LONG,), (OUT, X, LONG), 1.2 * X),
    ("gpu_benches", "triad", (64,), (LONG,), (OUT, X, Y, Z, LONG), X * Z + Y),
    ("gpu_benches", "quarter", (64,), (LONG,), (OUT, X, LONG), 0.25 * X),
    ("gpu_benches", "read", (64,), (LONG,), (OUT, X, 0, LONG), np.full(LONG, float(UNTOUCHED))),
    ("gpu_benches", "read", (64,), (LONG,), (OUT, X, 1, LONG), X),
    ("gpu_benches", "stencil3", (64,), (LONG,), (OUT, X, LONG), stencil(1)),
    ("gpu_benches", "stencil5", (64,), (LONG,), (OUT, X, LONG), stencil(2)),
]  # fmt: skip


class Kernels:
    """The kernels of a source on the executor: each call launches one and gives its result."""

    def __init__(self, source):
        self.device = Device()
        self.module = self.device.load(build(Program(f"{source}.cu", (), (), 75, 75)).ptx)

    def __call__(self, name, block, threads, args, like, shared=0):
        """Launch enough blocks for ``threads``; the result begins untouched."""
        result = self.device.array(np.full_like(like, UNTOUCHED))
        given = [result if a is OUT else self._held(a) for a in args]
        grid = [-(-n // b) for n, b in zip(threads, block, strict=True)]
        self.device.launch(self.module[name], grid, block, given, shared)
        return result.get()

    def _held(self, value):
        return self.device.array(value) if isinstance(value, np.ndarray) else value


kernels = cache(Kernels)


ROUNDED = (
    "saxpy", "matmul", "reduce_sum", "dot_product", "conv2d", "vector_add_divergent", "scale",
    "triad", "stencil",
)  # fmt: skip
"""Kernels that round in another order than NumPy, or fuse; the others give the same bits."""


@pytest.mark.parametrize("computed", COMPUTED, ids=lambda one: f"{one[0]}-{one[1]}-{one[2][0]}")
def test_a_kernel_computes_what_numpy_does(computed):
    source, name, block, threads, args, expected, *shared = computed
    found = kernels(source)(name, block, threads, args, expected, *shared)
    rtol = {np.float32: 1e-5, np.float64: 1e-14}.get(expected.dtype.type, 0)
    np.testing.assert_allclose(found, expected, rtol=rtol * name.startswith(ROUNDED))


@pytest.mark.parametrize("taps", [3, 5, 11])
def test_convolutions_of_vectors_are_clamped(taps):
    a, mask, pmpp = A - np.float32(0.5), numbers(11, seed=2), kernels("pmpp_nvbench")
    pmpp.device.copy(pmpp.device.symbol(pmpp.module, "conv1d_mask", np.float32), mask)
    wanted = np.clip(np.correlate(a, mask[:taps], "same"), 0, 1)
    assert 0 < np.mean((wanted > 0) & (wanted < 1)) < 1, "both limits are met"
    found = pmpp("conv1d_basic", (64,), (LONG,), (a, mask, OUT, LONG, taps), a)
    np.testing.assert_allclose(found, wanted, atol=1e-5)
    beside = {"conv1d_const": 0, "conv1d_tiled": 64 + taps - 1, "conv1d_tiled_caching": 64}
    for name, words in beside.items():
        found = pmpp(name, (64,), (LONG,), (a, OUT, LONG, taps), a, 4 * words)
        np.testing.assert_allclose(found, wanted, atol=1e-5, err_msg=name)


def test_colours_become_gray():
    colours = np.random.default_rng(1).integers(0, 256, (*PLANE, 3), dtype=np.uint8)
    pmpp, like = kernels("pmpp_nvbench"), colours[..., 0]
    found = pmpp("rgb_to_gray", SQUARE, PLANE, (colours, OUT, EDGE), like)
    weights = np.array([0.21, 0.71, 0.07], np.float32)
    exact = colours.astype(np.float64) @ weights.astype(np.float64)
    clear = np.abs(exact - np.round(exact)) > 1e-3
    assert np.array_equal(found[clear], exact[clear].astype(np.uint8))


def test_every_kernel_of_the_tables_is_in_its_source():
    for one in (one for one in form("cases").values() if "kernels" in one):
        for name, kernel in one["kernels"].items():
            text = (KERNELS / {**one, **kernel}["source"]).read_text("utf-8")
            assert f" {kernel.get('entry', name)}(" in text


# ------------------------------------------------------------------------------ tuned kernels


def kt_case(table, sizes, **config):
    """The case of a row that the A4000 was measured with."""
    row = {"gpu": "RTX_A4000", "time_ms_min": "1", **config}
    return case_of(table, table.removeprefix("kt_"), 0, row, sizes)


def ktt_case(kernel, sizes, **config):
    """The case of a row with counters."""
    words = ";".join(f"{name}={value}" for name, value in config.items())
    row = {"gpu": "RTX_2080_Ti", "config": words, "time_ms": "1", "warp_inst": 0}
    return case_of("ktt_counters", kernel, 0, row, sizes)


def launched(case, place, value):
    """Launch a case whose argument at ``place`` holds a value; arguments before, that one after."""
    ptx = build(case.program).ptx
    launch = launch_of(case, ptx)
    before = [
        materialise(a) if isinstance(a, BufferArgument) else np.dtype(a.type.storage).type(a.value)
        for a in launch.arguments
    ]
    before[place] = np.full_like(before[place], value)
    device = Device(record=False)
    module = device.load(ptx)
    for name, buffer in launch.symbols:
        values = materialise(buffer)
        device.symbol(module, name, values.dtype).set(values)
    there = [device.array(one) if one.ndim else one for one in before]
    device.launch(module[case.entry], case.grid, case.block, there, case.dynamic_shared_bytes)
    return before, there[place].get()


# ----------------------------------------------------------------------------- convolution


def weighted(case, picture):
    """What SciPy makes of a convolution's input."""
    sizes = case.sizes
    inputs = picture[: sizes["IMAGE"] + sizes["FILTER_H"] - 1].astype(np.float64)
    ((_, weights),) = launch_of(case, build(case.program).ptx).symbols
    return correlate2d(
        inputs, materialise(weights).reshape(sizes["FILTER_H"], sizes["FILTER_W"]), mode="valid"
    )


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("block", "tile", "read_only", "padding", "shared", "filter_", "image"),
    [
        ((16, 1), (1, 1), 0, 0, 0, (15, 15), 64),
        ((16, 1), (1, 1), 0, 1, 1, (15, 15), 64),
        ((16, 16), (4, 1), 1, 0, 0, (15, 15), 64),
        ((16, 16), (1, 4), 1, 0, 1, (15, 15), 64),
        ((48, 2), (2, 2), 0, 1, 1, (15, 15), 64),
        ((48, 2), (3, 1), 0, 0, 0, (15, 15), 50),
        ((32, 8), (1, 2), 1, 0, 1, (17, 17), 70),
        ((112, 4), (1, 2), 1, 1, 1, (15, 15), 131),
        ((256, 1), (1, 4), 0, 0, 1, (15, 17), 40),
        ((16, 4), (3, 1), 0, 1, 1, (17, 15), 47),
    ],
)
def test_a_convolution_is_what_scipy_says(block, tile, read_only, padding, shared, filter_, image):
    case = kt_case(
        "kt_convolution", {"IMAGE": image}, filter_w=filter_[0], filter_h=filter_[1],
        block_size_x=block[0], block_size_y=block[1], tile_size_x=tile[0], tile_size_y=tile[1],
        read_only=read_only, use_padding=padding, use_shmem=shared,
    )  # fmt: skip
    before, after = launched(case, 0, np.nan)
    np.testing.assert_allclose(after, weighted(case, before[1]), rtol=1e-5, atol=1e-4)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("block", "tile", "read_only", "image"),
    [
        ((2, 32), (1, 1), 0, 64),
        ((8, 8), (5, 1), 1, 64),
        ((16, 4), (1, 3), 0, 50),
        ((4, 16), (2, 2), 1, 45),
        ((128, 2), (1, 4), 0, 33),
    ],
)
def test_a_convolution_with_counters_is_what_scipy_says(block, tile, read_only, image):
    case = ktt_case(
        "convolution15", {"IMAGE": image}, BLOCK_SIZE_X=block[0], BLOCK_SIZE_Y=block[1],
        TILE_SIZE_X=tile[0], TILE_SIZE_Y=tile[1], PADDING=1, READ_ONLY=read_only,
    )  # fmt: skip
    before, after = launched(case, 0, np.nan)
    np.testing.assert_allclose(after, weighted(case, before[1]), rtol=1e-5, atol=1e-4)


# ---------------------------------------------------------------------------- dedispersion


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("block", "tile", "strides"),
    [
        ((1, 32), (1, 1), (0, 0)),
        ((2, 40), (2, 3), (1, 0)),
        ((8, 32), (4, 2), (0, 1)),
        ((32, 32), (4, 8), (1, 1)),
        ((16, 48), (3, 1), (0, 0)),
        ((4, 256), (1, 2), (0, 1)),
    ],
)
def test_a_dedispersion_adds_what_the_delays_say(block, tile, strides):
    sizes = {"SAMPLES": 37, "SAMPLES_READ": 50, "MEASURES": 41}
    case = kt_case(
        "kt_dedispersion", sizes, block_size_x=block[0], block_size_y=block[1],
        tile_size_x=tile[0], tile_size_y=tile[1], tile_stride_x=strides[0],
        tile_stride_y=strides[1],
    )  # fmt: skip
    (samples, _, delays), after = launched(case, 1, np.nan)
    measures = np.arange(41, dtype=np.float32) * np.float32(0.02)
    expected = np.zeros((41, 37))
    for channel in range(1536):
        starts = (measures * delays[channel]).astype(np.uint32)
        expected += samples[channel][starts[:, None] + np.arange(37)]
    np.testing.assert_array_equal(after, expected)  # sums of bytes below 2^24 are exact


# --------------------------------------------------------------------------------- hotspot


def heated(before, steps):
    """Advance a grid with its halo in f64, but for what the f32 operands do alone; its inside."""
    power, now = before[0][1:-1, 1:-1], before[1]
    across, along, out, rate = before[3:]
    for _ in range(steps):
        here = now[1:-1, 1:-1]
        twice = 2.0 * here.astype(np.float64)
        along_flow = (now[2:, 1:-1] + now[:-2, 1:-1] - twice) * np.float64(along)
        across_flow = (now[1:-1, 2:] + now[1:-1, :-2] - twice) * np.float64(across)
        change = power + along_flow + across_flow + (np.float32(80) - here) * out
        now = now.copy()
        now[1:-1, 1:-1] = here + np.float64(rate) * change
    return now[10:-10, 10:-10]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("block", "tile", "steps", "unroll", "sh_power", "blocks"),
    [
        ((1, 32), (1, 1), 1, 1, 0, 0),
        ((32, 4), (2, 3), 4, 2, 1, 2),
        ((8, 16), (5, 2), 10, 10, 0, 1),
        ((64, 1), (1, 10), 6, 1, 1, 4),
        ((4, 8), (10, 1), 9, 3, 0, 0),
        ((320, 2), (1, 1), 5, 5, 1, 0),
    ],
)
def test_a_hotspot_is_advanced_in_double_precision(block, tile, steps, unroll, sh_power, blocks):
    case = kt_case(
        "kt_hotspot", {"GRID": 75}, grid_size=4096, block_size_x=block[0], block_size_y=block[1],
        tile_size_x=tile[0], tile_size_y=tile[1], temporal_tiling_factor=steps,
        loop_unroll_factor_t=unroll, sh_power=sh_power, blocks_per_sm=blocks,
    )  # fmt: skip
    before, after = launched(case, 2, np.nan)
    expected = heated(before, steps)
    np.testing.assert_allclose(after, expected, rtol=1e-6)
    # contraction in f64 changes hardly any f32; with f32 throughout, a good part would differ
    assert (after == expected).mean() > 0.99


# ------------------------------------------------------------------------- KTT's other kernels


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("group", "unroll", "planes", "arrays"),
    [
        ((16, 4), 0, 1, 0),
        ((32, 2), 0, 32, 1),
        ((16, 8), 1, 8, 0),
        ((32, 8), 2, 4, 1),
        ((32, 4), 16, 32, 0),
        ((16, 8), 4, 16, 1),
    ],
)
def test_potentials_of_atoms_are_added_to_what_is_there(group, unroll, planes, arrays):
    case = ktt_case(
        "coulomb3d", {"GRID": 32}, WORK_GROUP_SIZE_X=group[0], WORK_GROUP_SIZE_Y=group[1],
        INNER_UNROLL_FACTOR=unroll, Z_ITERATIONS=planes, USE_CONSTANT_MEMORY=0, USE_SOA=arrays,
        VECTOR_SIZE=1, WORK_GROUP_SIZE_Z=1,
    )  # fmt: skip
    before, after = launched(case, len(case.args) - 1, 3.0)
    atoms = np.transpose(before[:4]) if arrays else before[0].reshape(64, 4)
    places = np.arange(32) * 0.5
    z, y, x = np.meshgrid(places, places, places, indexing="ij")
    expected = np.full(x.shape, 3.0)
    for ax, ay, az, charge in atoms.astype(np.float64):
        expected += charge / np.sqrt((x - ax) ** 2 + (y - ay) ** 2 + (z - az) ** 2)
    np.testing.assert_allclose(after, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("block", [32, 256])
def test_vectors_are_added_with_a_number(block):
    case = ktt_case("vectorAdd", None, multiply_block_size=block)
    before, after = launched(case, 2, np.nan)
    np.testing.assert_array_equal(after, before[0] + before[1] + before[3])


# ----------------------------------------------------------------- beside a profiler's counts

COULOMB = (
    # group x, y, inner unrolling, planes, arrays: requests of loads from global memory
    (32, 8, 1, 8, 0, 4718590),
    (32, 4, 4, 16, 1, 8912900),
    (16, 8, 1, 32, 0, 1572860),
    (32, 8, 8, 32, 1, 4718590),
    (16, 4, 1, 4, 0, 8912900),
    (32, 8, 4, 32, 0, 1572860),
    (32, 4, 1, 2, 0, 17301500),
    (32, 2, 2, 8, 1, 17301500),
    (16, 4, 16, 32, 1, 4718590),
    (32, 4, 2, 8, 1, 17301500),
    (16, 4, 8, 32, 0, 1572860),
    (32, 8, 0, 1, 0, 34078700),
    (32, 2, 1, 16, 0, 2621440),
    (32, 4, 0, 8, 0, 4718590),
    (32, 8, 2, 4, 0, 8912900),
    (16, 4, 1, 32, 1, 4718590),
    (32, 8, 2, 16, 1, 8912900),
    (32, 2, 2, 16, 0, 2621440),
    (32, 4, 1, 4, 0, 8912900),
    (32, 8, 1, 2, 0, 17301500),
)
CONVOLUTION = (
    # block x, y, tile x, y, read-only path: requests
    (8, 16, 1, 6, 1, 1837060),
    (64, 2, 2, 3, 1, 2185280),
    (48, 16, 2, 1, 1, 1313280),
    (48, 4, 3, 1, 1, 4478980),
    (8, 8, 1, 1, 0, 4718590),
    (16, 4, 3, 2, 0, 3367940),  # lanes of a warp load in 3 or 4 turns, apart: some rows twice
    (48, 16, 2, 6, 0, 803358),
    (8, 32, 7, 2, 1, 844800),
    (112, 1, 5, 4, 0, 2856960),
    (8, 32, 4, 7, 1, 844800),
)


def kinds_of_ctas(grid):
    """A CTA of each kind, and how many there are: those at the far edges are cut."""
    ends = [[(0, n - 1), (n - 1, 1)] if n > 1 else [(0, 1)] for n in grid]
    for chosen in product(*ends):
        yield tuple(place for place, _ in chosen), prod(count for _, count in chosen)


def global_loads(case):
    """Count a launch's requests of loads from global memory: warp instructions with a lane on."""
    job = job_of(case, build(case.program).ptx)
    source = trace_source(job)
    blocks, loads = job.kernel.blocks, 0
    for cta, count in kinds_of_ctas(case.grid):
        for access in summarise(job.kernel, [source.warps(cta)], 32).accesses:
            operation = blocks[access.block].instructions[access.instruction].operation
            if operation.space is Space.GLOBAL and operation.opcode.startswith("ld"):
                loads += count * access.warp_executions
    assert (source.kind, source.assumptions) == ("static", ())
    return loads


def as_counted(number):
    """A count as the table has it: with six digits."""
    return float(f"{number:.6g}")


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("x", "y", "unroll", "planes", "arrays", "counted"), COULOMB)
def test_requests_of_coulomb3d_are_those_counted(x, y, unroll, planes, arrays, counted):
    case = ktt_case(
        "coulomb3d", None, WORK_GROUP_SIZE_X=x, WORK_GROUP_SIZE_Y=y, INNER_UNROLL_FACTOR=unroll,
        Z_ITERATIONS=planes, USE_CONSTANT_MEMORY=0, USE_SOA=arrays, VECTOR_SIZE=1,
        WORK_GROUP_SIZE_Z=1,
    )  # fmt: skip
    assert as_counted(global_loads(case)) == counted


@pytest.mark.slow
@pytest.mark.one_in(5)
@pytest.mark.parametrize(("x", "y", "tile_x", "tile_y", "read_only", "counted"), CONVOLUTION)
def test_requests_of_convolution15_are_those_counted(x, y, tile_x, tile_y, read_only, counted):
    case = ktt_case(
        "convolution15", None, BLOCK_SIZE_X=x, BLOCK_SIZE_Y=y, TILE_SIZE_X=tile_x,
        TILE_SIZE_Y=tile_y, PADDING=0, READ_ONLY=read_only,
    )  # fmt: skip
    assert as_counted(global_loads(case)) == counted


@pytest.mark.parametrize("block", [32, 64, 128, 256])
def test_requests_of_vector_add_are_those_counted(block):
    assert global_loads(ktt_case("vectorAdd", None, multiply_block_size=block)) == 65536
