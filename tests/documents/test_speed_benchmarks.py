"""Figures of the benchmarks of speed, from rows by hand; something tiny of each is measured."""

import pytest

from warpmill.benchmarks import report, startup, sweep
from warpmill.benchmarks.benchmark import Measured


def swept(**others):
    row = sweep.SampleSweep(sample="s", configurations=6, failed=0, cpu_s=2.0)
    given = {"kills": 2, "killed_points": 9, "killed_done": 9, "measured_twice": 2,
             "two_writers_repeated": 0, "store_points": 9, "best_s": 0.1, "best_of_another_s": 0.1,
             **others}  # fmt: skip
    return sweep.SweepResult(sweeps=(row, row), **given)


def test_points_in_flight_at_a_kill_are_not_lost():
    assert swept().resume_lost_points == 0
    assert swept(measured_twice=3).resume_lost_points == 1
    assert swept(killed_done=8).resume_lost_points == 1
    told = sweep.BENCHMARK.json(Measured(swept(killed_done=8), {}))
    assert told["sweep_configs_per_s"] == 3.0
    assert [goal["verdict"] for goal in told["goals"]] == ["MISSED", "reached"]


def test_a_tiny_sweep():
    found = sweep.swept("vecadd", ["block=64,128", "n=1024"], ["v100", "a100"])
    assert (found.configurations, found.failed) == (4, 0)


def test_startup_is_the_median_beside_a_bare_interpreter():
    cases = (*startup.CASES, *startup.FIRST)
    taken = {one.figure: [(0.4, 1.0), (9.0, 9.0), (0.8, 2.0)] for one in cases}
    found = startup.result_of(3, taken | {"interpreter_s": [(0.2, 0.3)]})
    assert startup.BENCHMARK.json(Measured(found, {}))["estimate_s"] == 0.8
    by_words = {row.words: row for row in found.commands}
    own = by_words["first warpmill estimate samples/matmul/launch.toml"]
    assert (own.ratio, own.elapsed_s) == (pytest.approx(4.0), 2.0)
    assert by_words["python -c pass"].ratio == 1.0


def test_a_command_that_fails_is_no_measurement():
    with pytest.raises(SystemExit, match=r"warpmill nothing: exit code"):
        startup.seconds(startup.Case("x", "warpmill nothing"))


def test_many_kernels_are_different_launches(tmp_path):
    file = report.many_kernels(tmp_path, 3)
    words = ("report", str(file), *report.MANY, "--without", "estimate")
    assert file.read_text().count("[[launch]]") == 3
    assert report.report(words[:4], tmp_path / "r.html") > 0
    text = (tmp_path / "r.html").read_text("utf-8")
    assert all(f"matmul{k}" in text for k in range(3))
