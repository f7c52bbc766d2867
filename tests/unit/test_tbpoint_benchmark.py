"""The figures of benchmarks/tbpoint.py, from rows by hand."""

import pytest

from benchmarks.tbpoint import table
from benchmarks.tbpoint_parts.figures import GOALS, geometric, of_workload, summary


def rows(error, share, *, cycles=1000.0, interval=None, simpoint=0.0):
    """Give the rows of a workload whose projected cycles are off by a share."""
    baseline = {"error": 0.1, "worst": 0.2, "share": 0.1, "held": 0.9}
    whole = {
        "kernel": "k", "launches": 3, "ctas": 300, "cycles": cycles, "warp_instructions": 5000,
        "cpu_s": 8.0, "profile_s": 1.0, "random": baseline,
        "simpoint": {"error": simpoint, "share": 0.05, "held": None},
    }  # fmt: skip
    sampled = {
        "cycles": cycles * (1 + error), "interval": interval, "share": share, "clusters": 2,
        "skipped_inter": 0.5, "skipped_intra": 0.25, "regions_passed": 1, "cpu_s": 2.0,
    }  # fmt: skip
    return whole, sampled, {**sampled, "cycles": cycles * (1 + 2 * error), "share": share / 2}


def test_errors_are_of_the_ipc():
    """Cycles a quarter too many: IPC 4 instead of 5."""
    row = of_workload("w", *rows(0.25, 0.02))
    assert row["ipc"] == [5.0, 4.0]
    assert row["error"] == pytest.approx(-20.0)
    assert (row["sample"], row["skipped_inter"], row["skipped_intra"]) == (2.0, 50.0, 25.0)
    assert (row["held"], row["half_width"]) == (None, None)
    assert row["by_paper"] == {"error": pytest.approx(-100 / 3), "sample": 1.0}


@pytest.mark.parametrize(("interval", "held"), [([900.0, 1100.0], True), ([1001.0, 1100.0], False)])
def test_intervals_hold_the_true_cycles_or_not(interval, held):
    row = of_workload("w", *rows(0.0, 0.02, interval=interval))
    assert row["held"] is held
    assert row["half_width"] == pytest.approx((interval[1] - interval[0]) / 20)


def test_small_errors_count_as_a_hundredth_of_a_percent():
    made = [of_workload("a", *rows(0.0, 0.01)), of_workload("b", *rows(1 / 99, 0.04))]
    found = summary(made)
    assert found["error_geomean"] == pytest.approx((0.01 * 1.0) ** 0.5)
    assert found["worst_error"] == pytest.approx(1.0)
    assert found["sample_geomean"] == pytest.approx(2.0)
    assert found["speedup"] == 4.0
    assert found["large_samples"] == []
    assert found["intervals"]["of"] == 0
    assert found["by_paper"]["sample_geomean"] == pytest.approx(1.0)
    assert found["by_paper"]["worst_error"] == pytest.approx(100 * (1 - 99 / 101))


def test_large_samples_are_named():
    found = summary([of_workload("a", *rows(0.0, 0.61)), of_workload("b", *rows(0.0, 0.6))])
    assert found["large_samples"] == [["a", 61.0]]


def test_geometric_means():
    assert geometric([1.0, 4.0, 16.0]) == pytest.approx(4.0)


def test_lines_of_the_table_are_alike():
    made = [of_workload("a", *rows(0.02, 0.01)), of_workload("long-name", *rows(-0.02, 0.9))]
    head, one, other, *rest = table({"rows": made, "goals": GOALS, **summary(made)})
    assert len(head) == len(one) == len(other)
    assert len(rest) == 11
