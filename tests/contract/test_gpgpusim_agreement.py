"""The simulator stays as near to GPGPU-Sim as it was in a few rows, and the benchmark runs.

All rows are held against it by ``benchmarks.simulate``.
"""

import pytest

from benchmarks import simulate
from benchmarks.keeping import kept
from benchmarks.simulate_parts import agreement

CONFIG = "SM7_QV100"
FEW = ["vecadd 65536", "spmv 8192 8"]


@pytest.fixture(scope="module")
def result():
    """What the benchmark says of two programs at a glance."""
    return simulate.measure(quick=True, programs=("vecadd", "spmv"))


@pytest.mark.parametrize("run", FEW)
def test_counts_are_equal_and_cycles_near(result, run):
    rows = [
        r for r in result["gpgpusim"]["agreement_rows"] if f"{r['program']} {r['input']}" == run
    ]
    assert rows
    for row in rows:
        assert all(ours == reference for ours, reference in row["counts"].values())
        assert abs(row["error"]) < 0.10
        assert row["ctas_per_sm"][0] == row["ctas_per_sm"][1]
        for rates in (row["l1_hit_rate"], row["l2_hit_rate"]):
            assert rates[0] == pytest.approx(rates[1], abs=0.005)


def test_launches_of_one_program_are_told_apart():
    rows = agreement.timed_rows(["stencil"], quick=True)
    told, wrong = agreement.compare(rows, lambda _: None)
    assert [row["launch"] for row in told] == [1, 2]
    assert not wrong
    assert all(row["counts"]["thread_insts"][0] == row["counts"]["thread_insts"][1] for row in told)
    assert all(abs(row["error"]) < 0.20 for row in told)


def test_a_cold_l2_goes_to_memory_as_often(result):
    rows = [
        row
        for row in agreement.timed_rows(["vecadd"])
        if (row["suite"], row["config"]) == (agreement.COLD, CONFIG)
    ]
    (row,), _ = agreement.compare(rows, lambda _: None)
    assert row["dram_reads"] == [16384, 16384]
    assert row["l2_hit_rate"] == [0, 0]


def test_the_benchmark_tells_what_it_promises(result):
    assert not result["failures"]
    found = result["gpgpusim"]
    assert found["counts_equal"] == {name: [2, 2] for name in agreement.COUNTS}
    assert 0 <= found["mape"] < 0.10
    assert [row["name"] for row in result["speed_rows"]] == ["vecadd 65536", "spmv 8192 8"]
    assert result["warp_inst_per_s"] >= result["total_warp_inst_per_s"] > 0
    assert all(row["warp_insts"] > 40_000 for row in result["speed_rows"])
    lines = list(simulate.table({**result, "fresh": False, "changed": ["x"], "date": "2026"}))
    assert lines[0] == "kept on 2026: 1 files changed since"
    assert any(line.startswith("geometric mean") for line in lines)


def test_the_result_that_was_kept_has_every_row():
    result = kept(simulate.NAME)
    assert len(result["gpgpusim"]["agreement_rows"]) == len(agreement.timed_rows())


def row(program, cycles, counts, hits, input_="1"):
    """A row as ``beside`` does, as far as sums need it."""
    return {
        **{"suite": "own", "program": program, "input": input_, "config": CONFIG, "launch": 1},
        "cycles": list(cycles),
        "error": cycles[0] / cycles[1] - 1,
        "counts": {name: list(counts) for name in agreement.COUNTS},
        "l1_hit_rate": list(hits),
        "l2_hit_rate": [None, None],
        "ctas_per_sm": [4, 4],
        "limiters": [["warps"], ["registers", "warps"]],
    }


def test_sums_weigh_programs_alike_and_errors_by_their_size():
    rows = [
        row("vecadd", (110, 100), (5, 5), (0.5, 0.6)),
        row("vecadd", (70, 100), (5, 5), (0.5, 0.5)),
        row("spmv", (200, 200), (5, 6), (None, 0.02)),
    ]
    found = agreement.figures(rows)
    assert found["mape"] == pytest.approx((0.10 + 0.30) / 2 / 2)
    assert found["bias"] == pytest.approx((0.10 - 0.30) / 3)
    assert found["worst"]["error"] == pytest.approx(-0.30)
    assert found["l1_hit_error_points"] == pytest.approx((5 + 2) / 2)
    assert found["l2_hit_error_points"] is None
    assert found["counts_equal"]["warp_insts"] == [2, 3]
    assert {one["program"] for one in found["counts_off"]} == {"spmv"}
    assert found["ctas_per_sm_equal"] == [3, 3]
    assert found["limiters_equal"] == [0, 3]


@pytest.mark.parametrize(("counts", "equal"), [((100, 101), 1), ((97, 100), 0)])
def test_a_race_may_be_off_by_a_hundredth(counts, equal):
    found = agreement.figures([row("bfs_like", (1, 1), counts, (0, 0))])
    assert found["counts_equal"]["warp_insts"] == [equal, 1]
    assert found["counts_exact"]["warp_insts"] == [0, 1]
