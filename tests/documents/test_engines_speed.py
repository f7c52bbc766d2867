"""The benchmark of estimates beside simulations: the paper's times, seconds, figures, the page."""

import csv
import os
import time
from itertools import count
from math import prod
from pathlib import Path

import pytest

import warpmill
from warpmill.benchmarks.benchmark import Measured, alone
from warpmill.benchmarks.engines_speed import (
    BENCHMARK,
    Application,
    Asked,
    EnginesSpeed,
    OneLaunch,
    Program,
    measuring,
    of_paper,
    table_v,
)
from warpmill.session.applications import application
from warpmill.session.workloads import workloads

TABLE_IV_S = {
    "bfs": 0.06009 + 0.0104, "hotspot": 4.13009, "lud": 0.0451, "nn": 0.00603,
    "nw": 0.06527 + 0.06399, "pathfinder": 1.05597,
}  # fmt: skip
REFERENCE = Path("benchmarks/execution_inputs/gpgpusim/reference.csv")
MACHINES = ("small", "large")
ABOUT = {"computer": {"processor": "a CPU", "python": "3"}}


def application_row(
    name, machine, estimated_s=2.0, simulated_s=8.0, kernels="k", warp_instructions=30_000
):
    """An application; each kernel takes a tenth of all."""

    def by_engine(share, *times_us):
        seconds = (estimated_s * share, simulated_s * share)
        each = [Asked(cpu_s=s, time_us=us) for s, us in zip(seconds, times_us, strict=True)]
        return dict(zip(measuring.ENGINES, each, strict=True))

    own = [OneLaunch(kernel=k, launch=n, **by_engine(0.1, 7.0, 7.0)) for n, k in enumerate(kernels)]
    return Application(
        workload=name, machine=machine, launches=12, warp_instructions=warp_instructions,
        host_s=1.0, load=0.5, kernels=tuple(own), **by_engine(1, 90.0, 120.0),
    )  # fmt: skip


def result(rows=None, **more):
    own = [application_row(n, on, **more) for on in MACHINES for n in ("hotspot", "nn")]
    theirs = Program(
        program="vecadd", input="64", config="SM7_QV100", right=True, launches=1,
        gpgpusim_s=3.0, estimate_s=0.03, simulate_s=0.3,
    )  # fmt: skip
    return EnginesSpeed(
        preset="paper-hybrid", rate=15_000.0, rows=tuple(rows or own), programs=(theirs,)
    )


def test_the_printed_speedups_are_those_of_the_printed_times():
    rows, mean = table_v()
    assert {name: row.framework_s for name, row in rows.items()} == pytest.approx(TABLE_IV_S)
    for row in rows.values():
        assert row.gpgpusim_s / row.framework_s == pytest.approx(row.speedup, rel=2e-4)
    found = of_paper()
    assert found.gpgpusim_s == pytest.approx(mean.gpgpusim_s, rel=1e-6)
    assert found.framework_s == pytest.approx(mean.framework_s, rel=1e-4)
    assert found.speedup == pytest.approx(10 * mean.speedup, rel=1e-4)  # the point has slipped
    assert found.speedup == pytest.approx(prod(row.speedup for row in rows.values()) ** (1 / 6))


def test_its_kernels_are_those_of_the_workloads():
    for name, row in table_v()[0].items():
        theirs = workloads()[name].form.paper.hybrid
        assert set(row.kernels) == set(theirs.kernels.values())


def test_cpu_time_is_taken_and_a_median_of_it(monkeypatch):
    assert measuring.timed(lambda: time.sleep(0.05))[1] < 0.04
    clock = iter([0.0, 30.0, 30.0, 40.0, 40.0, 60.0])
    monkeypatch.setattr(measuring.time, "process_time", lambda: next(clock))
    numbers = count()
    assert measuring.timed(lambda: next(numbers), 3) == (2, 20.0)


def test_a_row_has_a_process_of_its_own():
    assert alone(eval, "__import__('os').getpid()") != os.getpid()  # loads nothing else


@pytest.mark.slow
def test_a_workload_is_asked_for_as_a_whole_and_by_kernel():
    app = application("nn:tiny")
    jobs = [app.job(number) for number in range(6)]
    each = [warpmill.estimate(job, "quadro_k620").execution_us for job in jobs]
    row = measuring.measured("nn", "tiny", "quadro_k620")
    assert row.estimate.time_us == pytest.approx(sum(each))
    assert row.simulate.time_us == warpmill.simulate(jobs, "quadro_k620").time_us
    assert (row.launches, row.warp_instructions) == (6, 33_792)  # as figures.json
    (kernel,) = row.kernels
    assert kernel.kernel == "nearest_neighbor"
    assert kernel.estimate.time_us == pytest.approx(each[kernel.launch])
    for whole, part in ((row.estimate, kernel.estimate), (row.simulate, kernel.simulate)):
        assert 0 < part.cpu_s < whole.cpu_s + 1


def test_ratios_of_an_application():
    """Two kernels of 0.2 s each by estimates, 0.8 s by simulations, of 2 s and 8 s for all."""
    row = application_row("nn", "small", kernels="ab")
    assert (row.once, row.ratio, row.alone) == pytest.approx((20, 4, 4))
    assert row.time_ratio == pytest.approx(0.75)


def test_means_are_geometric_and_by_machine():
    rows = [
        application_row("nn", "small", 1.0, 2.0),
        application_row("nw", "small", 1.0, 8.0),
        application_row("nn", "large", 1.0, 5.0),
    ]
    small, large = result(rows).means
    assert (small.machine, small.every, small.once) == (
        "small",
        pytest.approx(4),
        pytest.approx(40),
    )
    assert small.simulate_s == pytest.approx(4)
    assert large.alone == pytest.approx(5)


def test_the_seconds_of_gpgpusim_follow_from_its_rates():
    with REFERENCE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    rates = sorted(float(r["warp_inst_per_cpu_s"]) for r in rows if r["warp_inst_per_cpu_s"])
    middle = len(rates) // 2
    both = rates[middle] if len(rates) % 2 else (rates[middle - 1] + rates[middle]) / 2
    assert measuring.rate() == pytest.approx(both)
    found = measuring.theirs("SM75_RTX2060")
    assert found["vecadd", "65536"] == pytest.approx(45056 / 20704)
    assert found["stencil", "256 2"] == pytest.approx(142416 / 28756 + 142416 / 24535)
    assert len(found) == 12


def test_the_page_has_the_figures(tmp_path):
    BENCHMARK.write(Measured(result(), ABOUT), tmp_path)
    text = (tmp_path / "engines-speed.md").read_text("utf-8")
    # the paper's, simulate 8 s, estimate 0.2 s, 30,000 instructions at 15,000 a second
    assert "| nn | 3 | 0.00603 | 497.5 | 8 | 0.2 | 40 | 2 |" in text
    assert "| small | 40 | 4 | 4 | 8 | 2 | 0.2 | 0.75 |" in text
    assert "| k | 0 | small | 0.8 | 0.2 | 4 | 7 | 7 | 1 |" in text
    assert "| vecadd | 64 | SM7\\_QV100 | 1 | 3 | 0.3 | 10 | 0.03 | 100 |" in text
    assert "would take 10.0 times as long as these estimates" in text  # 2 s over 0.2 s
    # 12 launches in 2 s: in the paper's 200 s 1,200
    assert "GPGPU-Sim goes through 1,200 of them" in text


def test_what_is_unknown_is_shown_as_such():
    unknown = result(warp_instructions=None)
    assert unknown.at_rate is None
    text = BENCHMARK.page(Measured(unknown, ABOUT))
    assert "GPGPU-Sim would take" not in text
    assert "goes through an unknown number of them" in text
