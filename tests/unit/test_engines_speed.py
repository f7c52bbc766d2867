"""The benchmark of estimates beside simulations: the paper's times, seconds, figures, the page."""

import csv
import json
import os
import time
from dataclasses import asdict
from itertools import count
from math import prod
from pathlib import Path

import pytest

import warpmill
from benchmarks import engines_speed
from benchmarks.engines_speed_parts import beside_gpgpusim, figures, measuring, page
from benchmarks.engines_speed_parts.page_tables import ratio, seconds
from benchmarks.engines_speed_parts.paper import table_v
from benchmarks.engines_speed_parts.tables import table
from benchmarks.engines_speed_parts.timing import Timed, alone, timed, timed_median
from warpmill.session.applications import application
from warpmill.session.workloads import workloads

TABLE_IV_MS = {
    "bfs": 60.09 + 10.40, "hotspot": 4130.09, "lud": 45.10, "nn": 6.030, "nw": 65.27 + 63.99,
    "pathfinder": 1055.97,
}  # fmt: skip
REFERENCE = Path("benchmarks/execution_inputs/gpgpusim/reference.csv")
MACHINES = ("small", "large")


def engine_row(cpu_s, time_us, *, kernels=("k",), warp_instructions=30_000, load=0.5):
    """Make the row of an engine; each kernel takes a tenth of all, the clock twice the CPU time."""
    each = [
        {"kernel": name, "launch": n, "wall_s": cpu_s / 5, "cpu_s": cpu_s / 10, "time_us": 7.0}
        for n, name in enumerate(kernels)
    ]
    return {
        "launches": 12, "warp_instructions": warp_instructions, "kernels": each, "load": load,
        "host": {"wall_s": 2.0, "cpu_s": 1.0},
        "all": {"wall_s": 2 * cpu_s, "cpu_s": cpu_s, "time_us": time_us},
    }  # fmt: skip


def application_row(name, machine, estimated_s=2.0, simulated_s=8.0):
    return figures.of_application(
        name, machine, engine_row(estimated_s, 90.0), engine_row(simulated_s, 120.0, load=1.5)
    )


def result():
    rows = [application_row(name, machine) for machine in MACHINES for name in ("hotspot", "nn")]
    theirs = [
        {"program": "vecadd", "input": "64", "config": "SM7_QV100", "right": True, "launches": 1,
         "gpgpusim_cpu_s": 3.0, "estimate_cpu_s": 0.03, "simulate_cpu_s": 0.3},
    ]  # fmt: skip
    return {
        "benchmark": "engines_speed", "preset": "paper-hybrid", "machines": list(MACHINES),
        "means": figures.means(rows), "paper": figures.of_paper(table_v()),
        "gpgpusim": figures.of_gpgpusim(theirs, 15_000.0), "rows": rows, "date": "2026-11-23",
        "computer": {"processor": "a processor", "python": "3.11.7"},
    }  # fmt: skip


# -- the paper -----------------------------------------------------------------------------------


def test_the_printed_speedups_are_those_of_the_printed_times():
    assert list(table_v().applications) == list(TABLE_IV_MS)
    for row in table_v().applications.values():
        assert row.gpgpusim_ms / row.framework_ms == pytest.approx(row.speedup, rel=2e-4)


def test_the_frameworks_times_are_those_of_table_iv():
    found = {name: row.framework_ms for name, row in table_v().applications.items()}
    assert found == pytest.approx(TABLE_IV_MS)


def test_the_printed_mean_is_a_tenth_of_its_rows():
    found, printed = figures.of_paper(table_v()), table_v().mean
    assert found["gpgpusim_ms"] == pytest.approx(printed.gpgpusim_ms, rel=1e-6)
    assert found["framework_ms"] == pytest.approx(printed.framework_ms, rel=1e-4)
    assert found["of_its_rows"] == pytest.approx(10 * printed.speedup, rel=1e-4)
    speedups = [row.speedup for row in table_v().applications.values()]
    assert found["of_its_rows"] == pytest.approx(prod(speedups) ** (1 / 6))


def test_its_kernels_are_those_of_the_workloads():
    for name, row in table_v().applications.items():
        theirs = workloads()[name].form.paper.hybrid
        assert set(row.kernels) == set(theirs.kernels.values())


# -- seconds -------------------------------------------------------------------------------------


def test_waiting_takes_time_of_the_clock_alone():
    value, spent = timed(lambda: time.sleep(0.05))
    assert value is None
    assert spent.wall_s >= 0.05
    assert spent.cpu_s < 0.04


def test_computing_takes_cpu_time():
    begin = time.process_time()

    def busy():
        while time.process_time() - begin < 0.05:
            pass
        return 7

    value, spent = timed(busy)
    assert value == 7
    assert spent.cpu_s >= 0.04


def test_a_median_is_of_each_clock_by_itself(monkeypatch):
    spent = iter([Timed(1, 30), Timed(3, 10), Timed(2, 20)])
    monkeypatch.setattr(
        "benchmarks.engines_speed_parts.timing.timed", lambda call: (call(), next(spent))
    )
    numbers = count()
    assert timed_median(lambda: next(numbers), 3) == (2, Timed(2, 20))
    with pytest.raises(ValueError, match="needs a round, not 0"):
        timed_median(int, 0)


def test_a_row_has_a_process_of_its_own():
    assert alone(eval, "__import__('os').getpid()") != os.getpid()  # what loads nothing else


@pytest.mark.slow
def test_a_workload_is_asked_for_as_a_whole_and_by_kernel():
    inputs = {"workload": "nn", "machine": "quadro_k620", "preset": "tiny"}
    rows = {
        engine: measuring.measured({**inputs, "engine": engine})
        for engine in ("estimate", "simulate")
    }
    app = application("nn:tiny")
    jobs = [app.job(number) for number in range(6)]
    each = [warpmill.estimate(job, "quadro_k620").execution_us for job in jobs]
    assert rows["estimate"]["all"]["time_us"] == pytest.approx(sum(each))
    assert rows["simulate"]["all"]["time_us"] == warpmill.simulate(jobs, "quadro_k620").time_us
    for row in rows.values():
        assert (row["launches"], row["warp_instructions"]) == (6, 33_792)  # as figures.json
        (kernel,) = row["kernels"]
        assert kernel["kernel"] == "nearest_neighbor"
        assert 0 < kernel["cpu_s"] < row["all"]["cpu_s"] + 1
        assert row["host"]["wall_s"] > 0
    (kernel,) = rows["estimate"]["kernels"]
    assert kernel["time_us"] == pytest.approx(each[kernel["launch"]])
    json.dumps(rows)


# -- figures -------------------------------------------------------------------------------------


def test_ratios_are_of_the_same_clock():
    row = figures.of_application(
        "nn", "small", engine_row(2.0, 90.0, kernels="ab"), engine_row(8.0, 120.0, kernels="ab")
    )
    # once: two kernels of 0.2 s each by CPU time, 0.4 s by the clock
    assert row["cpu_ratios"] == pytest.approx(
        {"each_kernel_once": 20, "all_launches": 4, "launch_by_launch": 4}
    )
    assert row["wall_ratios"] == pytest.approx(
        {"each_kernel_once": 20, "all_launches": 4, "launch_by_launch": 4}
    )
    assert row["time_ratio"] == pytest.approx(0.75)


def test_engines_are_asked_for_the_same_launches():
    with pytest.raises(ValueError, match="different launches"):
        figures.of_application(
            "nn", "m", engine_row(1.0, 1.0, kernels="a"), engine_row(1.0, 1.0, kernels="b")
        )


def test_means_are_geometric_and_by_machine():
    rows = [
        application_row("nn", "small", 1.0, 2.0),
        application_row("nw", "small", 1.0, 8.0),
        application_row("nn", "large", 1.0, 5.0),
    ]
    found = figures.means(rows)
    assert list(found) == ["small", "large"]
    assert found["small"]["cpu_ratios"]["all_launches"] == pytest.approx(4)
    assert found["small"]["cpu_ratios"]["each_kernel_once"] == pytest.approx(40)
    assert found["small"]["simulate_all"]["wall_s"] == pytest.approx(8)
    assert found["large"]["wall_ratios"]["launch_by_launch"] == pytest.approx(5)


def test_the_seconds_of_gpgpusim_follow_from_its_rates():
    with REFERENCE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    rates = sorted(float(r["warp_inst_per_cpu_s"]) for r in rows if r["warp_inst_per_cpu_s"])
    middle = len(rates) // 2
    both = rates[middle] if len(rates) % 2 else (rates[middle - 1] + rates[middle]) / 2
    assert beside_gpgpusim.rate() == pytest.approx(both)
    found = beside_gpgpusim.theirs("SM75_RTX2060")
    assert found["vecadd", "65536"] == pytest.approx(45056 / 20704)
    assert found["stencil", "256 2"] == pytest.approx(142416 / 28756 + 142416 / 24535)
    assert len(found) == 12
    assert figures.gpgpusim_seconds({"warp_instructions": 30_000}, 15_000.0) == 2.0
    assert figures.gpgpusim_seconds({"warp_instructions": None}, 15_000.0) is None


# -- the page and the command --------------------------------------------------------------------


def test_the_page_has_the_figures():
    text = page.page(result())
    # the paper's, simulate 8 s, estimate 0.2 s, 30,000 instructions at 15,000 a second
    assert "| nn | 3.00 s | 6.03 ms | 497.51× | 8.00 s | 200 ms | 40.0× | 2.00 s |" in text
    assert "1,643.94× (printed: 164.39×)" in text
    assert "| small | 40.0× (40.0×) | 4.00× (4.00×) | 4.00× (4.00×) |" in text
    assert "| nn | large | 12 | 30,000 | 8.00 s (16.0 s) | 2.00 s (4.00 s) | 4.00× |" in text
    assert "| k | 0 | small | 800 ms | 200 ms | 4.00× | 7.00 | 7.00 | 1.00 |" in text
    assert "| nn | 120 | 90.0 | 0.75 | 120 | 90.0 | 0.75 |" in text
    assert "| vecadd | 64 | SM7_QV100 | 1 | 3.00 s | 300 ms | 10.0× | 30.0 ms | 100× |" in text
    assert "GPGPU-Sim would take 10.0× as long as these estimates" in text  # 2 s over 0.2 s
    # 12 launches in 2 s: in the paper's 200 s 1,200
    assert "GPGPU-Sim goes through 1200.0 of them" in text


def test_what_is_unknown_is_shown_as_such():
    made = result()
    for row in made["rows"]:
        row["warp_instructions"] = None
    text = page.page(made)
    assert "| 200 ms | 40.0× | - |" in text
    assert "| nn | small | 12 | - |" in text
    assert "GPGPU-Sim would take" not in text
    assert "goes through an unknown number of them" in text


def test_numbers_are_written_in_three_digits():
    assert [seconds(v) for v in (0.00607, 0.25, 1.5, 16.04, 240.4)] == [
        "6.07 ms", "250 ms", "1.50 s", "16.0 s", "240 s",
    ]  # fmt: skip
    assert seconds(None) == "-"
    assert ratio(1643.9) == "1,644×"


def test_lines_have_the_means_and_the_paper():
    lines = list(table(result()))
    assert lines[1].split()[:6] == ["hotspot", "small", "12", "8.00", "2.00", "4.00"]
    assert [line.split()[1] for line in lines if line.startswith("mean")] == list(MACHINES)
    assert "paper: 164.39 printed, 1,643.94 of its rows" in lines


def test_the_page_is_written_whole(tmp_path):
    engines_speed.write(result(), tmp_path)
    assert (tmp_path / "engines_speed.md").read_text("utf-8") == page.page(result())


def test_what_was_kept_is_printed_at_once(monkeypatch, capsys):
    kept = {**result(), "fresh": True, "changed": []}
    monkeypatch.setattr("benchmarks.kept_command.kept", lambda _name: kept)
    engines_speed.BENCHMARK.main(["--json"])
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["means"]["small"]["cpu_ratios"]["all_launches"] == pytest.approx(4)


def test_a_glance_is_not_kept(capsys):
    with pytest.raises(SystemExit):
        engines_speed.BENCHMARK.main(["--quick", "--fresh"])
    assert "--fresh and --docs are of the whole" in capsys.readouterr().err


@pytest.mark.slow
def test_points_are_measured_anew_where_what_they_are_of_changed():
    points = engines_speed._points([("v100", "nn"), ("a100", "nn"), ("v100", "nw")], "small")
    assert len({point.key for point in points}) == 6
    assert [p.inputs["engine"] for p in points[:2]] == ["estimate", "simulate"]
    again = engines_speed._points([("v100", "nn")], "small")
    assert again[0].key == points[0].key
    assert {"workload", "machine", "engine", "preset", "files", "sources", "version"} == set(
        points[0].inputs
    )


def test_a_spent_time_is_plain_data():
    assert asdict(Timed(1.0, 2.0)) == {"wall_s": 1.0, "cpu_s": 2.0}
