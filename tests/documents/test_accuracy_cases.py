"""Rows of tables as cases and as launches: what a row says, and what its launch and its code are.

The rows of tuned kernels are some of the measured ones: kt_* from
AutoTuningAssociation/benchmark_hub @ 8eeb99e7 and fjwillemsen/kernel_tuner_paper @ 5ea2c227, those
with counters from HiPerCoRe/KTT @ 931c4157, all under the MIT licence.
"""

import csv
import gzip
import re
from functools import cache

import numpy as np
import pytest

from tests.documents.accuracy_rows import needs_compiler
from warpmill.analyzer.launch.model import Uniform, Zeros
from warpmill.benchmarks.accuracy.building import build
from warpmill.benchmarks.accuracy.cases import (
    DATASETS,
    case_of,
    cases_of,
    dispersion_delays,
    dynamic_shared_bytes,
)
from warpmill.benchmarks.accuracy.model import FOLDER, form, read_table, tables_of
from warpmill.benchmarks.accuracy.predicting import launch_of, launched, machine_of
from warpmill.simulator.machines import load_machine
from warpmill.simulator.occupancy import occupancy


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """Keep what is made in a folder of the test, beside a module that launches name."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "x.ptx").touch()


STREAMS, SMALL = "gpubench_stream_occupancy", "gpubench_small_kernels"
TUNED = ("kt_convolution", "kt_dedispersion", "kt_hotspot", "ktt_counters")
SIMPLE = {
    "dataset": "simple16", "gpu": "RTX_2080_Ti", "kernel": "matmul_tiled", "dtype": "f32",
    "size": "500", "iters": "0", "grid_x": "16", "grid_y": "16", "block_x": "32", "block_y": "32",
    "dyn_smem_bytes": "0", "static_smem_bytes": "8192", "regs": "32", "time_ms": "0.25",
    "std_ms": "0.01", "cache_state": "warm_backtoback", "quality": "ok",
}  # fmt: skip
AMARIS = {
    **SIMPLE, "dataset": "amaris_bsp", "gpu": "Tesla_K40", "kernel": "vector_add", "grid_x": "2",
    "grid_y": "1", "block_x": "256", "block_y": "1", "regs": "",
    "cache_state": "cold_single_nvprof",
}  # fmt: skip
PMPP = {
    **SIMPLE, "dataset": "pmpp_nvbench", "gpu": "RTX_3060", "kernel": "conv1d_const", "iters": "5",
    "grid_x": "8", "grid_y": "1", "block_x": "64", "block_y": "1", "dyn_smem_bytes": "16",
    "regs": "", "cache_state": "L2_flushed", "quality": "launch_bound|ok",
}  # fmt: skip


def one(row):
    return case_of(row["dataset"], row["kernel"], 3, row)


def write(folder, table, *rows):
    with (folder / f"{table}.csv").open("w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


# ------------------------------------------------------------------------------ simple_kernels


def test_a_row_as_a_case():
    found = one(SIMPLE)
    assert found.group == ("simple16", "RTX_2080_Ti", "matmul_tiled")
    assert (found.grid, found.block) == ((16, 16, 1), (32, 32, 1))
    assert (found.time_ms, found.registers, found.clock_mhz) == (0.25, 32, 1635)
    assert (found.row, found.headline) == (3, True)
    assert (found.program.source, found.program.chip, found.program.ptx_chip) == (
        "simple16.cu", 75, 75,
    )  # fmt: skip
    assert found.words.startswith("n=500 iters=0 blocks=16 rows=16 threads=32 high=32")
    assert found.words.endswith("cache=warm_backtoback")


def test_quality_decides_what_counts():
    assert one({**SIMPLE, "quality": "ok|data_all_zero"}).headline
    assert not one(PMPP).headline


def test_states_of_caches_and_how_times_were_taken():
    assert [(c.warm, c.back_to_back, launched(c)) for c in map(one, (SIMPLE, AMARIS, PMPP))] == [
        (True, True, "back-to-back"), (False, False, "kernel"), (False, False, "event"),
    ]  # fmt: skip


def test_the_drivers_translation_is_from_older_code(tmp_path):
    found = one(PMPP)
    assert (found.program.chip, found.program.ptx_chip) == (86, 52)
    launch = launch_of(found, tmp_path / "x.ptx")
    assert launch.dynamic_shared_bytes == 16
    ((name, mask),) = launch.symbols
    assert (name, mask.shape) == ("conv1d_mask", (11,))
    assert [launch.arguments[2].value, launch.arguments[3].value] == [500, 5]


def test_clocks_that_nobody_states_are_the_machines():
    assert one({**AMARIS, "gpu": "GTX_980"}).clock_mhz is None
    machine = machine_of(one({**AMARIS, "gpu": "GTX_980"}))
    assert machine.number("clock.sm_mhz") == load_machine("gtx980").number("clock.sm_mhz")
    assert machine_of(one(AMARIS)).number("clock.sm_mhz") == 745


def test_unknown_kernels_and_gpus_are_errors():
    for unknown in ({"kernel": "sort"}, {"gpu": "RTX_9999"}):
        with pytest.raises(KeyError):
            one({**SIMPLE, **unknown})


def test_every_gpu_has_a_machine_of_its_chip():
    for name, gpu in form("gpus").items():
        capability = load_machine(gpu["machine"]).get("machine.compute_capability")
        assert capability is not None
        assert str(capability.value).replace(".", "") == str(gpu["chip"]), name


# ------------------------------------------------------------------------------------- launches


def test_a_case_as_a_launch(tmp_path):
    launch = launch_of(one(SIMPLE), tmp_path / "x.ptx")
    assert (launch.grid, launch.block) == ((16, 16, 1), (32, 32, 1))
    a, b, c, n = launch.arguments
    assert [x.shape for x in (a, b, c)] == [(500, 500)] * 3
    assert [type(x.init) for x in (a, b, c)] == [Uniform, Uniform, Zeros]
    assert a.seed != b.seed
    assert n.value == 500


# ------------------------------------------------------------------------------- calibration

STREAM = {
    "gpu": "V100-PCIE", "block_size": "416", "blocks_per_sm": "2", "total_threads": "66560",
    "occupancy_pct": "40.6", "init_GBs": "897", "read_GBs": "686", "scale_GBs": "769",
    "triad_GBs": "770", "stencil3_GBs": "763", "stencil5_GBs": "755",
}  # fmt: skip
TINY = {
    "gpu": "H200", "mode": "graph", "n_doubles": "8728", "block_size": "256", "grid_x": "35",
    "GBs": "107", "time_us_per_kernel": "1.3051",
}  # fmt: skip


def test_streams_have_the_time_of_their_rate(tmp_path):
    silent = {**STREAM, "block_size": "", "blocks_per_sm": ""}  # of its CTA: it is left out
    write(tmp_path, STREAMS, STREAM, silent, STREAM)
    found = {c.kernel: c for c in cases_of(tmp_path, STREAMS)}
    assert set(found) == {"init", "read", "scale", "triad", "stencil3", "stencil5"}
    n = 268435458
    for kernel, streams, rate in (("init", 1, 897), ("scale", 2, 769), ("triad", 4, 770)):
        assert found[kernel].time_ms == pytest.approx(streams * 8 * n / rate / 1e6)
    triad = found["triad"]
    assert (triad.grid, triad.block) == ((n // 416 + 1, 1, 1), (416, 1, 1))
    assert (triad.clock_mhz, launched(triad), triad.headline) == (1380, "event", False)
    assert len({c.row for c in cases_of(tmp_path, STREAMS)}) == 12


@pytest.mark.parametrize("name", ["v100", "a100_pcie_80gb", "a40", "l40", "gh200"])
@pytest.mark.parametrize("ctas", [1, 2])
def test_shared_memory_lets_so_many_ctas_reside(name, ctas):
    machine = load_machine(name)
    size = dynamic_shared_bytes(machine, ctas)
    assert occupancy(machine, 32, 16, size).ctas_per_sm == ctas
    assert size <= machine.integer("shared.per_block_optin_bytes")


def test_small_kernels_are_queued_or_nodes_of_a_graph(tmp_path):
    write(tmp_path, SMALL, TINY, {**TINY, "mode": "stream"})
    graph, stream = cases_of(tmp_path, SMALL)
    assert [launched(graph), launched(stream)] == ["graph", "back-to-back"]
    assert graph.time_ms == pytest.approx(0.0013051)
    assert (graph.grid, graph.block, graph.warm) == ((35, 1, 1), (256, 1, 1), True)
    assert graph.sizes["N"] == 8728


# ------------------------------------------------------------------------------- tuned kernels


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
    return kind if kind in TUNED else "ktt_counters"


def tuned(kind, **more):
    """The case of such a row."""
    return case_of(table_of(kind), kernel_of(kind), 0, row_of(kind, **more))


def kernel_of(kind):
    """The kernel that they are of."""
    return kind.removeprefix("kt_")


KINDS = ("kt_convolution", "kt_dedispersion", "kt_hotspot", "convolution15")
EVERY = [(kind, len(rows_of(kind)) * part // 8) for kind in KINDS for part in range(8)]


def of(kind, number):
    """A row, and its case."""
    row = rows_of(kind)[number]
    return row, case_of(table_of(kind), kernel_of(kind), 3, row)


# ------------------------------------------------------------------------------- launches


@pytest.mark.parametrize(("kind", "number"), EVERY)
def test_a_row_says_the_grid_and_the_shared_memory_that_its_case_has(kind, number):
    row, case = of(kind, number)
    config = {name.upper(): value for name, value in case.config.items()}
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
@needs_compiler
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("kind", "number"), EVERY)
def test_compiled_code_has_the_shared_memory_of_its_row(kind, number):
    row, case = of(kind, number)
    ptx = build(case.program).ptx.read_text("utf-8")
    found = re.findall(r"\.shared \.align \d+ \.b8 [\w$]+\[(\d+)\]", ptx)
    assert sum(map(int, found)) == int(row.get("static_smem_bytes", 0))
    assert f".entry {case.entry}" in ptx


@pytest.mark.slow
@pytest.mark.parametrize("table", TUNED)
def test_all_rows_of_a_table_say_what_their_cases_have(table):
    """Grid, block and shared memory of every row."""
    found, rows = cases_of(FOLDER, table), read_table(FOLDER, table)
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
    (case,) = cases_of(tmp_path, "kt_hotspot")
    assert (case.place, case.gpu, case.kernel) == (("kt_hotspot", 0), "RTX_A4000", "hotspot")
    assert case.warm
    assert not case.back_to_back
    assert cases_of(tmp_path, "kt_convolution") == []


def test_counters_and_registers_are_those_of_the_row():
    case = tuned("convolution15", warp_inst="3.5e8", regs="28")
    assert (case.registers, case.warp_instructions) == (28, 3.5e8)
    assert not case.warm


def test_rows_that_take_less_than_their_launch_do_not_count():
    for time, counts in (("0.0099", False), ("0.01", True)):
        assert tuned("convolution15", time_ms=time).headline is counts


def test_padding_of_ktt_is_another_row_of_the_same_program():
    config = row_of("convolution15")["config"]
    one, other = (
        tuned("convolution15", config=re.sub(r"(?<=PADDING=)\d", n, config)) for n in "01"
    )
    assert one.program == other.program
    assert one.config != other.config
    assert not any(name == "PADDING" for name, _ in one.program.macros)


def test_a_clock_that_was_locked_is_the_one_of_the_row():
    for text, clock in (("1560", 1560), ("", None)):
        assert tuned("kt_hotspot", sm_clock_mhz=text).clock_mhz == clock


def test_what_the_sources_do_not_know_is_refused():
    with pytest.raises(ValueError, match=r"grid_size = 8192: kt_hotspot\.cu knows 4096 alone"):
        tuned("kt_hotspot", grid_size="8192")
    row = row_of("convolution15", config="USE_CONSTANT_MEMORY=1")
    with pytest.raises(ValueError, match="USE_CONSTANT_MEMORY = 1"):
        case_of("ktt_counters", "coulomb3d", 0, row)


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
    shared, direct = (tuned("kt_convolution", **sizes, use_shmem=s) for s in "10")
    assert launch_of(shared, tmp_path / "x.ptx").arguments[1].shape == (4110, 4110)
    # 7 CTAs of 624 columns reach 4368 + 14 columns, that is into the row below
    assert launch_of(direct, tmp_path / "x.ptx").arguments[1].shape == (4111, 4110)


# ------------------------------------------------------------------------------------ all tables


def test_rows_are_of_their_data_set_and_none_of_what_is_not_there(tmp_path):
    write(tmp_path, "simple_kernels", SIMPLE, AMARIS)
    found = {name: [c.dataset for c in cases_of(tmp_path, name)] for name in DATASETS}
    assert {name: own for name, own in found.items() if own} == {
        "simple16": ["simple16"], "amaris_bsp": ["amaris_bsp"],
    }  # fmt: skip
    assert list(tables_of(tmp_path)) == ["simple_kernels.csv"]


@pytest.mark.slow
def test_the_project_carries_what_licences_allow():
    counts = {name: len(cases_of(FOLDER, name)) for name in DATASETS}
    assert {name: count for name, count in counts.items() if count} == {
        "amaris_bsp": 660, "kt_convolution": 4201, "kt_dedispersion": 11130, "kt_hotspot": 3205,
        "ktt_counters": 5494,
    }  # fmt: skip
    assert all(path.stat().st_size < 1 << 20 for path in FOLDER.iterdir())
