"""The simulator stays as near to GPGPU-Sim as it was in a few rows, and the benchmark runs.

All rows are held against it by ``python -m benchmarks simulate``.
"""

import pytest

from warpmill.benchmarks.benchmark import Measured, Request
from warpmill.benchmarks.simulate import (
    BENCHMARK,
    COUNTS,
    Growth,
    Launch,
    SimulateResult,
    Speed,
    agreement,
)
from warpmill.benchmarks.simulate.speed import measure

CONFIG = "SM7_QV100"


@pytest.fixture(scope="module")
def result():
    """What the benchmark says of two programs at a glance."""
    return measure(Request(names=("vecadd", "spmv"), quick=True))


@pytest.mark.parametrize("run", ["vecadd 65536", "spmv 8192 8"])
def test_counts_are_equal_and_cycles_near(result, run):
    rows = [row for row in result.launches if f"{row.program} {row.input}" == run]
    assert rows
    for row in rows:
        assert all(ours == reference for ours, reference in row.counts.values())
        assert abs(row.error) < 0.10
        assert row.ctas_per_sm[0] == row.ctas_per_sm[1]
        for rates in (row.l1_hit_rate, row.l2_hit_rate):
            assert rates[0] == pytest.approx(rates[1], abs=0.005)


def test_launches_of_one_program_are_told_apart():
    told, wrong = agreement.compare(agreement.timed_rows(["stencil"], quick=True))
    assert [row.launch for row in told] == [1, 2]
    assert not wrong
    assert all(row.counts["thread_insts"][0] == row.counts["thread_insts"][1] for row in told)
    assert all(abs(row.error) < 0.20 for row in told)


def test_a_cold_l2_goes_to_memory_as_often():
    rows = [
        row
        for row in agreement.timed_rows(["vecadd"])
        if (row["suite"], row["config"]) == (agreement.COLD, CONFIG)
    ]
    (row,), _ = agreement.compare(rows)
    assert row.beside["dram_reads"] == (16384, 16384)
    assert row.l2_hit_rate == (0, 0)


def test_the_benchmark_tells_what_it_promises(result):
    assert not result.failures
    assert {(one.equal, one.exact, one.of) for one in result.counts} == {(2, 2, 2)}
    assert 0 <= result.mape < 0.10
    assert [row.name for row in result.speeds] == ["vecadd 65536", "spmv 8192 8"]
    assert result.warp_inst_per_s >= result.total_warp_inst_per_s > 0
    assert all(row.warp_insts > 40_000 for row in result.speeds)
    assert (result.peak_bytes, result.time_over_sms) == (None, None)
    assert "vecadd" in BENCHMARK.text(Measured(result, {}))


def test_the_result_that_was_kept_has_every_row():
    assert len(BENCHMARK.kept().result.launches) == len(agreement.timed_rows())


def row(program, cycles, counts, hits, input_="1"):
    return Launch(
        suite="own", program=program, input=input_, config=CONFIG, launch=1, cycles=cycles,
        counts=dict.fromkeys(COUNTS, counts), l1_hit_rate=hits, l2_hit_rate=(None, None),
        beside={}, ctas_per_sm=(4, 4), limiters=(("warps",), ("registers", "warps")), registers=8,
    )  # fmt: skip


def sums(launches=(), speeds=(), growth=()):
    return SimulateResult(launches=tuple(launches), speeds=tuple(speeds), growth=tuple(growth),
                          peak_bytes=None, idle_bytes=None, peak_warp_insts=None,
                          failures=())  # fmt: skip


def test_sums_weigh_programs_alike_and_errors_by_their_size():
    found = sums([
        row("vecadd", (110, 100), (5, 5), (0.5, 0.6)),
        row("vecadd", (70, 100), (5, 5), (0.5, 0.5)),
        row("spmv", (200, 200), (5, 6), (None, 0.02)),
    ])  # fmt: skip
    assert found.mape == pytest.approx((0.10 + 0.30) / 2 / 2)
    assert found.bias == pytest.approx((0.10 - 0.30) / 3)
    assert [(one.program, one.launches) for one in found.programs] == [("vecadd", 2), ("spmv", 1)]
    assert (found.programs[0].least, found.programs[0].most) == pytest.approx((-0.30, 0.10))
    assert found.l1_hit_error_points == pytest.approx((5 + 2) / 2)
    assert found.l2_hit_error_points is None
    assert {(one.equal, one.of) for one in found.counts} == {(2, 3)}
    assert {one.launch.split()[0] for one in found.counts_off} == {"spmv"}
    assert [one.off for one in found.counts_off] == pytest.approx([-1 / 6] * 5)
    assert (found.ctas_per_sm_equal, found.limiters_equal) == (100.0, 0.0)


@pytest.mark.parametrize(("counts", "equal"), [((100, 101), 1), ((97, 100), 0)])
def test_a_race_may_be_off_by_a_hundredth(counts, equal):
    found = sums([row("bfs_like", (1, 1), counts, (0, 0))])
    assert {(one.equal, one.exact) for one in found.counts} == {(equal, 0)}


def test_speeds_are_means_of_rates_and_growth_is_beyond_a_line():
    own = {"launches": 1, "cycles": 1.0, "spread": 1.0, "load": 1.0, "warp_insts": 1000}
    speeds = [Speed(name="a", engine_s=1.0, total_s=2.0, **own),
              Speed(name="b", engine_s=4.0, total_s=8.0, **own)]  # fmt: skip
    of = {"program": "p", "input": "1", "warp_insts": 1, "engine_s": 1.0}
    growth = [Growth(of="instructions", sms=80, over_linear=over, **of) for over in (1.0, 1.3, 0.9)]
    found = sums(speeds=speeds, growth=growth)
    assert (found.warp_inst_per_s, found.total_warp_inst_per_s) == pytest.approx((500, 250))
    assert found.slowest_total == 125.0
    assert (found.time_over_instructions, found.time_over_sms) == (1.3, None)
