"""``python -m benchmarks estimate``: what it times, and how rows are summed up."""

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.benchmarks import estimate as benchmark
from warpmill.benchmarks.benchmark import Request
from warpmill.benchmarks.estimate import EstimateTime, EstimateTimes


def row(workload, launch, ms):
    return EstimateTime(workload=workload, launch=launch, trace="static", ms=ms)


def test_a_launch_counts_once_and_a_workload_by_its_sum():
    rows = (row("a", 0, 10.0), row("a", 1, 30.0), row("b", 0, 20.0), row("c", 4, 90.0))
    found = EstimateTimes(rows=rows)
    assert (found.median_ms, found.p95_ms) == (25.0, 90.0)
    assert found.workload_ms == 40.0  # of 40, 20 and 90
    nothing = EstimateTimes(rows=())
    assert (nothing.median_ms, nothing.p95_ms, nothing.workload_ms) == (None, None, None)


def test_a_workload_without_an_estimate_is_told(monkeypatch):
    def measured(name, _machine):
        if name == "bfs":
            raise InputError(f"{name} has none")
        return [row(name, 0, 1.0)]

    monkeypatch.setattr(benchmark, "measured", measured)
    found = benchmark.measure(Request(names=("bfs", "nn")))
    assert [one.workload for one in found.rows] == ["nn"]
    assert [one.problem for one in found.failures] == ["error: bfs has none"]
    assert found.failed == 1


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
    assert one.ms > 0
