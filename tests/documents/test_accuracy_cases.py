"""Rows of plain tables as cases and as launches: what a row says and what its launch is."""

import csv

import pytest

from tests.documents.accuracy_rows import case
from warpmill.analyzer.launch.model import Uniform, Zeros
from warpmill.benchmarks.accuracy import cases_bench, cases_simple
from warpmill.benchmarks.accuracy.cases_bench import SMALL, STREAMS, dynamic_shared_bytes
from warpmill.benchmarks.accuracy.launches import launch_of, launch_text, launched, machine_of
from warpmill.benchmarks.accuracy.measuring import DATASETS, cases_of
from warpmill.benchmarks.accuracy.model import FOLDER, gpus, tables_of
from warpmill.simulator.machines import load_machine
from warpmill.simulator.occupancy import occupancy

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
    (found,) = cases_simple.cases_of([row])
    return found


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
    assert (found.headline, found.reasons_not) == (True, "")
    assert (found.program.source, found.program.chip, found.program.ptx_chip) == (
        "simple16.cu", 75, 75,
    )  # fmt: skip
    assert found.words == "size=500 iters=0 block=32x32 cache=warm_backtoback"


def test_quality_decides_what_counts():
    assert one({**SIMPLE, "quality": "ok|data_all_zero"}).headline
    found = one(PMPP)
    assert (found.headline, found.reasons_not) == (False, "launch_bound|ok")


def test_states_of_caches_and_how_times_were_taken():
    assert [(c.warm, c.back_to_back, launched(c)) for c in map(one, (SIMPLE, AMARIS, PMPP))] == [
        (True, True, "back-to-back"), (False, False, "kernel"), (False, False, "event"),
    ]  # fmt: skip


def test_the_drivers_translation_is_from_older_code():
    found = one(PMPP)
    assert (found.program.chip, found.program.ptx_chip) == (86, 52)
    assert found.symbols["conv1d_mask"]["shape"] == [11]
    assert found.dynamic_shared_bytes == 16


def test_clocks_that_nobody_states_are_the_machines():
    assert one({**AMARIS, "gpu": "GTX_980"}).clock_mhz is None
    machine = machine_of(one({**AMARIS, "gpu": "GTX_980"}))
    assert machine.number("clock.sm_mhz") == load_machine("gtx980").number("clock.sm_mhz")
    assert machine_of(one(AMARIS)).number("clock.sm_mhz") == 745


def test_unknown_kernels_and_gpus_are_errors():
    with pytest.raises(KeyError):
        one({**SIMPLE, "kernel": "sort"})
    with pytest.raises(KeyError):
        one({**SIMPLE, "gpu": "RTX_9999"})


def test_every_gpu_has_a_machine_of_its_chip():
    for gpu in gpus().values():
        capability = load_machine(gpu.machine).get("machine.compute_capability")
        assert capability is not None
        assert str(capability.value).replace(".", "") == str(gpu.chip), gpu.name


# ------------------------------------------------------------------------------------- launches


def test_a_case_as_a_launch(tmp_path):
    (tmp_path / "x.ptx").touch()
    launch = launch_of(one(SIMPLE), tmp_path / "x.ptx")
    assert (launch.grid, launch.block) == ((16, 16, 1), (32, 32, 1))
    a, b, c, n = launch.arguments
    assert [x.shape for x in (a, b, c)] == [(500, 500)] * 3
    assert isinstance(a.init, Uniform)
    assert isinstance(b.init, Uniform)
    assert a.seed != b.seed
    assert isinstance(c.init, Zeros)
    assert n.value == 500


def test_symbols_and_shared_memory_of_a_launch(tmp_path):
    (tmp_path / "x.ptx").touch()
    launch = launch_of(one(PMPP), tmp_path / "x.ptx")
    assert launch.dynamic_shared_bytes == 16
    ((name, mask),) = launch.symbols
    assert (name, mask.shape) == ("conv1d_mask", (11,))
    assert [launch.arguments[2].value, launch.arguments[3].value] == [500, 5]


def test_texts_of_launches_hold_what_names_hold(tmp_path):
    odd = case(0, 1.0, entry='a"b', args=({"buffer": "f32", "shape": ["n"]},), sizes={"n": 3})
    text = launch_text(odd, tmp_path / "x.ptx")
    assert 'kernel = "a\\"b"' in text
    assert 'args = [{ buffer = "f32", shape = ["n"] }]' in text
    assert "n = 3" in text.splitlines()


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
    write(tmp_path, STREAMS, STREAM)
    found = {c.kernel: c for c in cases_bench.cases(tmp_path, STREAMS)}
    assert set(found) == {"init", "read", "scale", "triad", "stencil3", "stencil5"}
    n = 268435458
    for kernel, streams, rate in (("init", 1, 897), ("scale", 2, 769), ("triad", 4, 770)):
        assert found[kernel].time_ms == pytest.approx(streams * 8 * n / rate / 1e6)
    triad = found["triad"]
    assert (triad.grid, triad.block) == ((n // 416 + 1, 1, 1), (416, 1, 1))
    assert (triad.clock_mhz, launched(triad), triad.headline) == (1380, "event", False)
    assert len({c.row for c in found.values()}) == 6


@pytest.mark.parametrize("name", ["v100", "a100_pcie_80gb", "a40", "l40", "gh200"])
@pytest.mark.parametrize("ctas", [1, 2])
def test_shared_memory_lets_so_many_ctas_reside(name, ctas):
    machine = load_machine(name)
    size = dynamic_shared_bytes(machine, ctas)
    assert occupancy(machine, 32, 16, size).ctas_per_sm == ctas
    assert size <= machine.integer("shared.per_block_optin_bytes")


def test_rows_that_do_not_say_their_cta_are_left_out(tmp_path):
    write(tmp_path, STREAMS, {**STREAM, "block_size": "", "blocks_per_sm": ""})
    assert cases_bench.cases(tmp_path, STREAMS) == ()


def test_small_kernels_are_queued_or_nodes_of_a_graph(tmp_path):
    write(tmp_path, SMALL, TINY, {**TINY, "mode": "stream"})
    graph, stream = cases_bench.cases(tmp_path, SMALL)
    assert [launched(graph), launched(stream)] == ["graph", "back-to-back"]
    assert graph.time_ms == pytest.approx(0.0013051)
    assert (graph.grid, graph.block, graph.warm) == ((35, 1, 1), (256, 1, 1), True)
    assert graph.sizes == {"n": 8728}


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
