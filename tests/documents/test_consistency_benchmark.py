"""Figures of benchmarks/consistency, from rows by hand; a quick look at launches of samples."""

import pytest

from warpmill.benchmarks.benchmark import Measured, Request, put_aside
from warpmill.benchmarks.checks import right
from warpmill.benchmarks.consistency import (
    BENCHMARK,
    SEED,
    Analysis,
    ConsistencyResult,
    MakerRow,
    Sectors,
    Traffic,
    measuring,
    percentile,
)
from warpmill.benchmarks.consistency.waves import KERNELS


def maker(name, irregular, unknown):
    return MakerRow(maker=name, contiguous=50, irregular=irregular, loops=30, decided=20,
                    unknown=unknown)  # fmt: skip


def traffic(kernel, l2, dram):
    def sectors(a, b):
        return Sectors(l2=a, dram=b)

    return Traffic(kernel=kernel, size=0, estimate=sectors(l2, dram), twin=sectors(100, 100),
                   simulate=None)  # fmt: skip


def test_shares_are_over_all_makers():
    found = ConsistencyResult(failures=(), makers=(maker("a", 1, 0), maker("b", 3, 2)),
                              patterns_right=right(9, 2))  # fmt: skip
    assert (found.contiguous_called_irregular, found.unknown_trips) == (4.0, 5.0)
    assert (found.patterns_contradicted, found.above_machine_rates) == (2, None)
    verdicts = {g.what: g.verdict for g in BENCHMARK.judged(Measured(found, {}))}
    assert verdicts["contiguous accesses that are called irregular, %"] == "MISSED"
    assert verdicts["results that claim more than their machine has"] == "unknown"


def test_percentiles_are_by_nearest_rank():
    times = [float(n) for n in range(1, 201)]
    assert [percentile(times, p) for p in (50, 99, 100)] == [100.0, 198.0, 200.0]
    assert percentile([], 50) is None
    slow = (Analysis(name="x", ms=600.0), Analysis(name="y", ms=700.0), Analysis(name="z", ms=1.0))
    found = ConsistencyResult(failures=(), analyses=slow)
    assert [one.name for one in found.slow] == ["y", "x"]
    assert found.analyze_ms_worst == 700.0


def test_traffic_is_apart_where_either_level_is():
    assert Sectors(l2=1.0, dram=0.0).off(Sectors(l2=1.0, dram=0.0)) == 0.0
    assert Sectors(l2=1.0, dram=2.0).off(Sectors(l2=1.0, dram=0.0)) == 1.0
    rows = [traffic("a", 109, 100), traffic("b", 100, 89), traffic("c", 111, 100)]
    rows += [traffic(name, 100, 100) for name in "defg"]
    found = ConsistencyResult(failures=(), traffic=tuple(rows))
    aside = put_aside("abcdefg", SEED)
    assert found.traffic_apart == 2
    assert found.traffic_apart_aside == len(aside & {"b", "c"})
    assert rows[2].apart == pytest.approx(0.11)


def test_three_of_the_ten_kernels_are_put_aside():
    assert put_aside(KERNELS, SEED) == {"gather", "histogram", "reduce"}


def test_words_of_two_launches(monkeypatch):
    some = [one for one in measuring.of_samples() if one.title == "vecadd launch.toml"]
    monkeypatch.setattr(measuring, "every_launch", lambda _: [*some, "missing: nvcc"])
    found = measuring.measure(Request(names=("words",)))
    assert found.patterns_right == (3, 3)
    assert [(row.maker, row.contiguous, row.irregular) for row in found.makers] == [
        ("samples", 3, 0)
    ]
    assert found.notes == ("missing: nvcc",)
    assert "missing: nvcc" in BENCHMARK.text(Measured(found, {}))
