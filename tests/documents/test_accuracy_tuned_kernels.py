"""The tuned kernels on the executor, at small sizes, against NumPy and SciPy."""

import numpy as np
import pytest
from scipy.signal import correlate2d

from warpmill.analyzer.launch.buffers import materialise
from warpmill.analyzer.launch.model import BufferArgument
from warpmill.benchmarks.accuracy.building import build
from warpmill.benchmarks.accuracy.cases_tuned import case_of, forms
from warpmill.benchmarks.accuracy.compilers import compilers
from warpmill.benchmarks.accuracy.launches import launch_of
from warpmill.executor.host.device import Device

pytestmark = pytest.mark.skipif(
    not any(one.kind != "ptxas" for one in compilers()), reason="there is no compiler of CUDA"
)


@pytest.fixture(scope="module", autouse=True)
def kept(tmp_path_factory):
    """Keep what is compiled in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WARPMILL_CACHE", str(tmp_path_factory.mktemp("compiled")))
        yield


def kt_case(table, sizes, **config):
    """The case of a row that the A4000 was measured with."""
    return case_of(table, 0, {"gpu": "RTX_A4000", "time_ms_min": "1", **config}, sizes)


def ktt_case(kernel, sizes, **config):
    """The case of a row with counters."""
    counters = dict.fromkeys(forms()["ktt_counters"]["counters"], "0")
    words = ";".join(f"{name}={value}" for name, value in config.items())
    row = {"kernel": kernel, "gpu": "RTX_2080_Ti", "config": words, "time_ms": "1", "regs": ""}
    return case_of("ktt_counters", 0, {**row, **counters}, sizes)


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
