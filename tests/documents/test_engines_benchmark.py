"""benchmarks/engines.py: what is apart, what differs most, and a small kernel by both engines."""

import pytest

from warpmill.benchmarks.benchmark import put_aside
from warpmill.benchmarks.engines import CauseTimes, EnginesResult, Launch, of_workload


def launch(workload, estimated, simulated, cause="L2 latency"):
    times = CauseTimes(cause=cause, estimated_us=estimated, simulated_us=simulated)
    return Launch(workload=workload, launch=0, machine="a100", kernel="k", estimated_us=estimated,
                  simulated_us=simulated, bound="b", waits="w", differs=times)  # fmt: skip


def test_durations_are_apart_by_more_than_a_quarter_either_way():
    rows = (launch("a", 1.25, 1.0), launch("b", 1.26, 1.0), launch("c", 1.0, 1.26, "Stall Drain"),
            launch("d", 2.0, 1.0, "Stall Drain"))  # fmt: skip
    found = EnginesResult(rows=rows)
    assert [row.is_apart for row in rows] == [False, True, True, True]
    assert (found.engines_apart, found.engines_compared) == (75.0, 4)
    assert found.engines_ratio_median == pytest.approx(1.255)
    assert [(one.cause, one.launches) for one in found.differs] == [
        ("Stall Drain", 2), ("L2 latency", 1),
    ]  # fmt: skip
    (aside,) = put_aside("abcd")
    assert found.apart_aside == (0.0 if aside == "a" else 100.0)
    assert found.apart_others == pytest.approx(100.0 if aside == "a" else 66.67)
    assert EnginesResult(rows=()).engines_apart is None


def test_a_third_is_put_aside_whatever_the_order():
    names = [f"w{k}" for k in range(10)]
    assert put_aside(names) == put_aside(reversed(names)) < set(names)
    assert len(put_aside(names)) == 3


def test_both_engines_time_a_workload():
    (row,) = of_workload("nn", ["a100"])
    assert (row.workload, row.launch, row.machine) == ("nn", 0, "a100")
    assert min(row.estimated_us, row.simulated_us) > 1.0
    assert 0.5 < row.ratio < 2.0
    assert max(row.differs.estimated_us, row.differs.simulated_us) < 2 * row.simulated_us
