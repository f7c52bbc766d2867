"""Rows of tuned kernels as cases: what a row says and what its launch and its code are.

The rows are some of the measured ones: kt_* from AutoTuningAssociation/benchmark_hub @ 8eeb99e7 and
fjwillemsen/kernel_tuner_paper @ 5ea2c227, those with counters from HiPerCoRe/KTT @ 931c4157, all
under the MIT licence.
"""

import gzip
import re

import numpy as np
import pytest

from benchmarks.accuracy.building import build
from benchmarks.accuracy.cases_tuned import (
    TABLES,
    TableError,
    case_of,
    cases,
    dispersion_delays,
    forms,
)
from benchmarks.accuracy.compilers import compilers
from benchmarks.accuracy.launches import launch_of
from benchmarks.accuracy.model import FOLDER, read_table


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """Keep what is made in a folder of the test, beside a module that launches name."""
    monkeypatch.setenv("WARPMILL_CACHE", str(tmp_path))
    (tmp_path / "x.ptx").touch()


COLUMNS = {
    "kt_convolution": (
        "block_size_x", "block_size_y", "tile_size_x", "tile_size_y", "read_only", "use_padding",
        "use_shmem", "grid_x", "grid_y", "static_smem_bytes", "time_ms_min",
    ),
    "kt_dedispersion": (
        "block_size_x", "block_size_y", "tile_size_x", "tile_size_y", "tile_stride_x",
        "tile_stride_y", "grid_x", "grid_y", "static_smem_bytes", "time_ms_min",
    ),
    "kt_hotspot": (
        "block_size_x", "block_size_y", "tile_size_x", "tile_size_y", "temporal_tiling_factor",
        "loop_unroll_factor_t", "sh_power", "blocks_per_sm", "grid_x", "grid_y",
        "static_smem_bytes", "time_ms_min",
    ),
    "convolution15": (
        "BLOCK_SIZE_X", "BLOCK_SIZE_Y", "TILE_SIZE_X", "TILE_SIZE_Y", "PADDING", "READ_ONLY",
        "grid_x", "grid_y", "static_smem_bytes", "time_ms",
    ),
}  # fmt: skip
SAME = {
    "kt_convolution": {"filter_w": 15, "filter_h": 15},
    "kt_dedispersion": {},
    "kt_hotspot": {"grid_size": 4096},
}
ROWS = {
    "kt_convolution": (
        (16, 1, 1, 1, 0, 0, 1, 256, 4096, 1800, 8.73062),
        (176, 1, 4, 3, 0, 1, 1, 6, 1366, 48960, 1.94867),
        (80, 2, 2, 3, 1, 1, 1, 26, 683, 14080, 1.62918),
        (112, 4, 4, 2, 1, 1, 1, 10, 512, 40832, 2.45453),
        (208, 2, 1, 3, 1, 1, 1, 20, 683, 19200, 1.90362),
        (144, 1, 4, 4, 0, 1, 1, 8, 1024, 42624, 3.31264),
        (16, 1, 2, 1, 0, 1, 1, 128, 4096, 2880, 6.42035),
        (80, 4, 3, 3, 1, 1, 1, 18, 342, 28288, 2.01728),
        (48, 2, 4, 4, 1, 1, 1, 22, 512, 18304, 1.93024),
        (208, 1, 3, 4, 1, 0, 0, 7, 1024, 0, 6.96627),
    ),
    "kt_dedispersion": (
        (16, 64, 2, 8, 0, 1, 782, 4, 0, 151.724),
        (1, 152, 3, 3, 1, 0, 8334, 5, 0, 177.772),
    ),
    "kt_hotspot": (
        (4, 8, 1, 1, 2, 1, 0, 0, 1024, 512, 768, 7.32774),
        (8, 16, 6, 5, 8, 2, 0, 0, 86, 52, 49152, 17.9395),
        (32, 1, 4, 8, 9, 3, 1, 0, 32, 512, 45552, 39.6779),
        (32, 1, 7, 2, 4, 2, 1, 1, 19, 2048, 27840, 23.1854),
        (8, 4, 3, 7, 3, 3, 1, 1, 171, 147, 12240, 8.87184),
        (16, 4, 3, 10, 4, 2, 1, 2, 86, 103, 32256, 12.2941),
        (4, 8, 7, 3, 8, 1, 0, 0, 147, 171, 14080, 21.5204),
        (8, 4, 6, 9, 4, 1, 0, 1, 86, 114, 19712, 7.58477),
        (128, 2, 1, 9, 5, 5, 0, 3, 32, 228, 30912, 10.2881),
        (8, 4, 6, 6, 1, 1, 0, 4, 86, 171, 10400, 1.46944),
    ),
    "convolution15": (
        (8, 8, 1, 1, 0, 0, 512, 512, 1936, 4.3032),
        (48, 16, 2, 6, 0, 0, 43, 43, 48400, 2.92032),
        (8, 32, 7, 2, 0, 1, 74, 64, 21840, 2.49334),
        (8, 32, 4, 7, 0, 1, 128, 19, 43792, 2.87555),
        (8, 16, 1, 6, 0, 1, 512, 43, 9680, 4.09037),
        (112, 1, 5, 4, 0, 0, 8, 1024, 41328, 3.24902),
        (48, 16, 2, 1, 0, 1, 43, 256, 13200, 2.92717),
        (8, 16, 7, 4, 0, 1, 74, 64, 21840, 2.51462),
        (64, 2, 2, 3, 0, 1, 32, 683, 11360, 1.20326),
        (48, 4, 3, 1, 1, 1, 29, 1024, 11376, 2.90381),
    ),
}


def row_of(kind, values):
    """A measured row as its table has it."""
    told = dict(zip(COLUMNS[kind], values, strict=True))
    if kind in SAME:
        return {"gpu": "RTX_A4000", **SAME[kind], **told}
    config = ";".join(f"{name}={told.pop(name)}" for name in COLUMNS[kind][:6])
    counters = dict.fromkeys(forms()["ktt_counters"]["counters"], "1")
    gpu = {"gpu": "RTX_2080_Ti", "kernel": kind, "config": config, "regs": "50", "grid_z": 1}
    return {**gpu, **told, **counters}


def table_of(kind):
    """The table that rows of a kind stand in."""
    return kind if kind in SAME else "ktt_counters"


EVERY = [(kind, values) for kind, rows in ROWS.items() for values in rows]


# ------------------------------------------------------------------------------- launches


@pytest.mark.parametrize(("kind", "values"), EVERY)
def test_a_row_says_the_grid_that_its_case_has(kind, values):
    row = row_of(kind, values)
    case = case_of(table_of(kind), 3, row)
    config = dict(case.config)
    block = [
        config.get(f"block_size_{axis}", config.get(f"BLOCK_SIZE_{axis.upper()}")) for axis in "xy"
    ]
    assert case.grid == (row["grid_x"], row["grid_y"], 1)
    assert case.block == (*block, 1)
    assert case.time_ms == values[-1]
    assert (case.row, case.headline) == (3, True)


def shared_bytes(sizes):
    """The shared memory of a CTA in bytes, as the description of the kernels has it."""
    across = sizes["BLOCK_SIZE_X"] * sizes["TILE_SIZE_X"]
    along = sizes["BLOCK_SIZE_Y"] * sizes["TILE_SIZE_Y"]
    if "CHANNELS" in sizes:
        return 0
    if "SH_POWER" in sizes:
        halo = 2 * sizes["TEMPORAL_TILING_FACTOR"]
        return 4 * (2 + sizes["SH_POWER"]) * (across + halo) * (along + halo)
    wide, high = across + sizes["FILTER_W"] - 1, along + sizes["FILTER_H"] - 1
    beyond = wide - sizes["BLOCK_SIZE_X"]
    if sizes["USE_PADDING"] and beyond % 32:
        wide += (32 - beyond) % 32
    return 4 * wide * high * sizes["USE_SHMEM"]


@pytest.mark.parametrize(("kind", "values"), EVERY)
def test_a_row_says_the_shared_memory_of_the_description(kind, values):
    row = row_of(kind, values)
    assert shared_bytes(case_of(table_of(kind), 0, row).sizes) == row["static_smem_bytes"]


@pytest.mark.slow
@pytest.mark.skipif(
    not any(one.kind != "ptxas" for one in compilers()), reason="there is no compiler of CUDA"
)
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("kind", "values"), EVERY)
def test_compiled_code_has_the_shared_memory_of_its_row(kind, values):
    row = row_of(kind, values)
    case = case_of(table_of(kind), 0, row)
    ptx = build(case.program).ptx.read_text("utf-8")
    found = re.findall(r"\.shared \.align \d+ \.b8 [\w$]+\[(\d+)\]", ptx)
    assert sum(map(int, found)) == row["static_smem_bytes"]
    assert f".entry {case.entry}" in ptx


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_all_rows_of_a_table_say_what_their_cases_have(table):
    """Where the project carries the table: grid, block and shared memory of every row."""
    if cases(FOLDER, table) is None:
        pytest.skip("the project does not carry this table")
    check_table(FOLDER, table)


def check_table(folder, table):
    """Hold the cases of a table against its rows."""
    found, rows = cases(folder, table), read_table(folder, table)
    assert len(found) == len(rows) > 0
    for case, row in zip(found, rows, strict=True):
        grid = tuple(int(row.get(f"grid_{axis}", 1)) for axis in "xyz")
        assert case.grid == grid, case.words
        if "block_x" in row:
            assert case.block == tuple(int(row[f"block_{axis}"]) for axis in "xyz"), case.words
        if "static_smem_bytes" in row and "TILE_SIZE_X" in case.sizes:
            assert shared_bytes(case.sizes) == int(row["static_smem_bytes"]), case.words


# ------------------------------------------------------------------------------ what rows say


def test_tables_are_read_packed_or_plain_and_missing_ones_are_none(tmp_path):
    row = row_of("kt_hotspot", ROWS["kt_hotspot"][0])
    text = ",".join(row) + "\n" + ",".join(map(str, row.values())) + "\n"
    (tmp_path / "kt_hotspot.csv.gz").write_bytes(gzip.compress(text.encode()))
    (case,) = cases(tmp_path, "kt_hotspot")
    assert (case.table, case.gpu, case.kernel, case.row) == (
        "kt_hotspot",
        "RTX_A4000",
        "hotspot",
        0,
    )
    assert case.warm
    assert not case.back_to_back
    assert cases(tmp_path, "kt_convolution") is None


def test_counters_and_registers_are_those_of_the_row():
    row = row_of("convolution15", ROWS["convolution15"][0]) | {"warp_inst": "3.5e8", "regs": "28"}
    case = case_of("ktt_counters", 0, row)
    assert (case.registers, case.counters["warp_inst"]) == (28, 3.5e8)
    assert not case.warm


def test_rows_that_take_less_than_their_launch_do_not_count():
    row = row_of("convolution15", ROWS["convolution15"][0])
    for time, counts in (("0.0099", False), ("0.01", True)):
        case = case_of("ktt_counters", 0, row | {"time_ms": time})
        assert (case.headline, case.reasons_not == "") == (counts, counts)


def test_padding_of_ktt_is_another_row_of_the_same_program():
    one, other = (
        case_of(
            "ktt_counters", 0, row_of("convolution15", (64, 2, 2, 3, padding, 1, 32, 683, 1, 1))
        )
        for padding in (0, 1)
    )
    assert one.program == other.program
    assert one.config != other.config
    assert not any(name == "PADDING" for name, _ in one.program.macros)


def test_a_clock_that_was_locked_is_the_one_of_the_row():
    row = row_of("kt_hotspot", ROWS["kt_hotspot"][0])
    assert case_of("kt_hotspot", 0, row | {"sm_clock_mhz": "1560"}).clock_mhz == 1560
    assert case_of("kt_hotspot", 0, row | {"sm_clock_mhz": ""}).clock_mhz is None


def test_what_the_sources_do_not_know_is_refused():
    row = row_of("kt_hotspot", ROWS["kt_hotspot"][0]) | {"grid_size": 8192}
    with pytest.raises(TableError, match=r"grid_size = 8192: kt_hotspot\.cu knows 4096 alone"):
        case_of("kt_hotspot", 0, row)
    row = row_of("convolution15", ROWS["convolution15"][0])
    row |= {"kernel": "coulomb3d", "config": "USE_CONSTANT_MEMORY=1"}
    with pytest.raises(TableError, match="USE_CONSTANT_MEMORY = 1"):
        case_of("ktt_counters", 0, row)


# --------------------------------------------------------------------------------- contents


def test_delays_are_those_of_interstellar_dispersion():
    delays = dispersion_delays()
    assert (delays.dtype, delays.shape) == (np.float32, (1536,))
    assert delays[-1] == 0
    # 1 / 1425^2 - 1 / 1724.8046875^2 = 4.924592e-7 - 3.361400e-7, by 4148.808 and by 24414.0625
    assert delays[0] == pytest.approx(15.83346, rel=1e-5)
    assert (np.diff(delays) < 0).all()
    assert delays[0] * 2047 * 0.02 < 650  # samples that a channel has beyond the last sample


def test_a_launch_has_the_delays_and_as_many_bytes_as_are_described(tmp_path):
    case = case_of("kt_dedispersion", 0, row_of("kt_dedispersion", ROWS["kt_dedispersion"][0]))
    samples, out, delays = launch_of(case, tmp_path / "x.ptx").arguments
    assert (samples.element, samples.shape) == ("u8", (1536, 25650))
    assert (out.element, out.shape) == ("f32", (2048, 25000))
    np.testing.assert_array_equal(np.load(delays.init.path), dispersion_delays())


def test_input_goes_on_below_only_where_taps_are_not_tested(tmp_path):
    shared, direct = (
        case_of(
            "kt_convolution", 0, row_of("kt_convolution", (208, 1, 3, 4, 1, 0, s, 7, 1024, 0, 1))
        )
        for s in (1, 0)
    )
    assert launch_of(shared, tmp_path / "x.ptx").arguments[1].shape == (4110, 4110)
    # 7 CTAs of 624 columns reach 4368 + 14 columns, that is into the row below
    assert launch_of(direct, tmp_path / "x.ptx").arguments[1].shape == (4111, 4110)
