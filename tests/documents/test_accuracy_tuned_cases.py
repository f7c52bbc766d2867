"""Rows of tuned kernels as cases: what a row says and what its launch and its code are.

The rows are some of the measured ones: kt_* from AutoTuningAssociation/benchmark_hub @ 8eeb99e7 and
fjwillemsen/kernel_tuner_paper @ 5ea2c227, those with counters from HiPerCoRe/KTT @ 931c4157, all
under the MIT licence.
"""

import gzip
import re
from functools import cache

import numpy as np
import pytest

from warpmill.benchmarks.accuracy.building import build
from warpmill.benchmarks.accuracy.cases_tuned import (
    TABLES,
    TableError,
    case_of,
    cases,
    dispersion_delays,
)
from warpmill.benchmarks.accuracy.compilers import compilers
from warpmill.benchmarks.accuracy.launches import launch_of
from warpmill.benchmarks.accuracy.model import FOLDER, read_table


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """Keep what is made in a folder of the test, beside a module that launches name."""
    monkeypatch.setenv("WARPMILL_CACHE", str(tmp_path))
    (tmp_path / "x.ptx").touch()


@cache
def rows_of(kind):
    """The rows of a table, or of one kernel of KTT's."""
    rows = read_table(FOLDER, table_of(kind))
    return [row for row in rows if row.get("kernel", kind) == kind]


def row_of(kind, **more):
    """The first of them, with other values."""
    return rows_of(kind)[0] | more


def table_of(kind):
    """The table that rows of a kind stand in."""
    return kind if kind in TABLES else "ktt_counters"


KINDS = ("kt_convolution", "kt_dedispersion", "kt_hotspot", "convolution15")
EVERY = [(kind, len(rows_of(kind)) * part // 8) for kind in KINDS for part in range(8)]


def of(kind, number):
    """A row, and its case."""
    row = rows_of(kind)[number]
    return row, case_of(table_of(kind), 3, row)


# ------------------------------------------------------------------------------- launches


@pytest.mark.parametrize(("kind", "number"), EVERY)
def test_a_row_says_the_grid_and_the_shared_memory_that_its_case_has(kind, number):
    row, case = of(kind, number)
    config = {name.upper(): value for name, value in case.config}
    assert case.grid == (int(row["grid_x"]), int(row["grid_y"]), 1)
    assert case.block == (config["BLOCK_SIZE_X"], config["BLOCK_SIZE_Y"], 1)
    assert case.time_ms == float(row.get("time_ms_min") or row["time_ms"])
    assert (case.row, case.headline) == (3, True)
    assert shared_bytes(case.sizes) == int(row.get("static_smem_bytes", 0))


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


@pytest.mark.slow
@pytest.mark.skipif(
    not any(one.kind != "ptxas" for one in compilers()), reason="there is no compiler of CUDA"
)
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("kind", "number"), EVERY)
def test_compiled_code_has_the_shared_memory_of_its_row(kind, number):
    row, case = of(kind, number)
    ptx = build(case.program).ptx.read_text("utf-8")
    found = re.findall(r"\.shared \.align \d+ \.b8 [\w$]+\[(\d+)\]", ptx)
    assert sum(map(int, found)) == int(row.get("static_smem_bytes", 0))
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
    row = row_of("kt_hotspot")
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
    row = row_of("convolution15", warp_inst="3.5e8", regs="28")
    case = case_of("ktt_counters", 0, row)
    assert (case.registers, case.counters["warp_inst"]) == (28, 3.5e8)
    assert not case.warm


def test_rows_that_take_less_than_their_launch_do_not_count():
    for time, counts in (("0.0099", False), ("0.01", True)):
        case = case_of("ktt_counters", 0, row_of("convolution15", time_ms=time))
        assert (case.headline, case.reasons_not == "") == (counts, counts)


def test_padding_of_ktt_is_another_row_of_the_same_program():
    row = row_of("convolution15")
    one, other = (
        case_of("ktt_counters", 0, row | {"config": re.sub(r"(?<=PADDING=)\d", n, row["config"])})
        for n in "01"
    )
    assert one.program == other.program
    assert one.config != other.config
    assert not any(name == "PADDING" for name, _ in one.program.macros)


def test_a_clock_that_was_locked_is_the_one_of_the_row():
    for text, clock in (("1560", 1560), ("", None)):
        assert case_of("kt_hotspot", 0, row_of("kt_hotspot", sm_clock_mhz=text)).clock_mhz == clock


def test_what_the_sources_do_not_know_is_refused():
    row = row_of("kt_hotspot", grid_size="8192")
    with pytest.raises(TableError, match=r"grid_size = 8192: kt_hotspot\.cu knows 4096 alone"):
        case_of("kt_hotspot", 0, row)
    row = row_of("convolution15", kernel="coulomb3d", config="USE_CONSTANT_MEMORY=1")
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
    _, case = of("kt_dedispersion", 0)
    samples, out, delays = launch_of(case, tmp_path / "x.ptx").arguments
    assert (samples.element, samples.shape) == ("u8", (1536, 25650))
    assert (out.element, out.shape) == ("f32", (2048, 25000))
    np.testing.assert_array_equal(np.load(delays.init.path), dispersion_delays())


def test_input_goes_on_below_only_where_taps_are_not_tested(tmp_path):
    sizes = {"block_size_x": "208", "block_size_y": "1", "tile_size_x": "3", "tile_size_y": "4"}
    shared, direct = (
        case_of("kt_convolution", 0, row_of("kt_convolution", **sizes, use_shmem=s)) for s in "10"
    )
    assert launch_of(shared, tmp_path / "x.ptx").arguments[1].shape == (4110, 4110)
    # 7 CTAs of 624 columns reach 4368 + 14 columns, that is into the row below
    assert launch_of(direct, tmp_path / "x.ptx").arguments[1].shape == (4111, 4110)
