"""``python -m benchmarks.estimate``: what it times, and how rows are summed up."""

import json

import pytest

from benchmarks import estimate as benchmark
from warpmill.analyzer.base.diagnostics import InputError


def row(workload, launch, ms):
    return {"workload": workload, "launch": launch, "trace": "static", "estimate_ms": ms}


def test_a_launch_counts_once_and_a_workload_by_its_sum():
    rows = [row("a", 0, 10.0), row("a", 1, 30.0), row("b", 0, 20.0), row("c", 4, 90.0)]
    found = benchmark.figures(rows, {})
    assert (found["estimate_ms_median"], found["estimate_ms_p95"]) == (25.0, 90.0)
    assert found["workload_ms_median"] == 40.0  # of 40, 20 and 90
    assert found["workloads"] == 3
    assert found["speed_rows"] == rows


def test_nothing_measured_has_no_figures():
    found = benchmark.figures([], {"a": "why"})
    names = ("estimate_ms_median", "estimate_ms_p95", "workload_ms_median")
    assert [found[name] for name in names] == [None] * 3
    assert (found["workloads"], found["failed"]) == (0, {"a": "why"})


@pytest.mark.parametrize(
    ("ms", "slowest", "code"), [(24.0, 119.0, 0), (26.0, 119.0, 1), (24.0, 121.0, 1)]
)
def test_it_ends_with_whether_the_goals_are_met(monkeypatch, capsys, ms, slowest, code):
    def measured(name, _machine):
        return [row(name, 0, slowest if name == "nw" else ms)]

    monkeypatch.setattr(benchmark, "measured", measured)
    assert benchmark.main(["bfs", "nn", "nw", "--json"]) == code
    found = json.loads(capsys.readouterr().out)
    assert (found["estimate_ms_median"], found["estimate_ms_p95"]) == (ms, slowest)


def test_a_workload_without_an_estimate_is_told(monkeypatch, capsys):
    def measured(name, machine):
        if name == "bfs":
            raise InputError(f"{name} has none")
        return [row(name, 0, 1.0)]

    monkeypatch.setattr(benchmark, "measured", measured)
    assert benchmark.main(["bfs", "nn"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["failed"] == {"bfs": "error: bfs has none"}
    assert told["workloads"] == 1


def test_each_time_is_of_analyses_made_anew(monkeypatch):
    """A job whose kernel was analysed before would take nearly no time."""
    seen = []

    def estimated(job, machine):
        seen.append((id(job.analysis), "accesses" in vars(job.analysis)))
        found = original(job, machine)
        assert "accesses" in vars(job.analysis)  # so that the check above sees something
        return found

    original = benchmark.estimate
    monkeypatch.setattr(benchmark, "estimate", estimated)
    (one,) = benchmark.measured("nn", "v100")
    assert len(seen) == 1 + benchmark.ROUNDS
    assert not any(there for _, there in seen)
    assert one["estimate_ms"] > 0
