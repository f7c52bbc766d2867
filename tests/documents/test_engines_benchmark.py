"""benchmarks/engines.py: what is apart, what differs most, and a small kernel by both engines."""

import pytest

from warpmill.benchmarks.benchmark import put_aside
from warpmill.benchmarks.engines import (
    CauseTimes,
    EnginesResult,
    Launch,
    Whole,
    of_application,
    of_workload,
)


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


def test_errors_of_applications_are_means_of_those_that_are_long():
    whole = [
        Whole(workload="w", launches=2, simulated_us=us, cold_us=us * 1.5, carried_us=us * 0.9)
        for us in (10.0, 40.0)
    ]
    whole[0] = Whole(workload="short", launches=2, simulated_us=10, cold_us=99, carried_us=99)
    found = EnginesResult(rows=(), applications=tuple(whole))
    assert (found.applications_cold, found.applications_carried) == (50.0, 10.0)
    assert EnginesResult(rows=()).applications_carried is None


def test_l2_that_is_kept_brings_an_application_nearer_to_the_simulation():
    """Its kernels read what those before have written."""
    (row,) = of_application("particlefilter", "v100")
    assert (row.workload, row.launches) == ("particlefilter", 3)
    assert row.error(cold=False) < 10 < row.error(cold=True)
