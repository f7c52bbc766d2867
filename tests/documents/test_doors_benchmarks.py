"""benchmarks/prune_recall and benchmarks/doors: who is kept, and figures of what is kept."""

from types import SimpleNamespace as Made

import pytest

from warpmill.benchmarks import doors
from warpmill.benchmarks.benchmark import Measured, Request
from warpmill.benchmarks.prune_recall import PruneRecallResult, pruned_table
from warpmill.doors.launching import fastest_first, number_kept

FORTY = [(float(ms), 100.0 + ms) for ms in range(1, 41)]
"""Forty configurations that are predicted in the order in which they were measured."""


MEASURED = [1.0, 1.04, 1.05, 1.06, *map(float, range(2, 42))]


def test_of_forty_configurations_two_are_kept():
    found = pruned_table("t", MEASURED, FORTY, is_added=False)
    assert (found.ranked, found.kept, found.best_rank, found.best_percent) == (40, 2, 1, 2.5)
    assert (found.kept_best_ratio, found.first_ratio, found.is_best_kept) == (1.0, 1.0, True)
    assert (found.configurations, found.near_best) == (44, 3)


def test_a_best_configuration_that_is_predicted_third_is_pruned():
    pairs = [(1.0, 102.5), *FORTY[1:]]
    found = pruned_table("t", MEASURED, pairs, is_added=False)
    assert (found.best_rank, found.is_best_kept, found.kept_best_ratio) == (2, True, 1.0)
    pairs = [(1.0, 103.0), *FORTY[1:]]
    found = pruned_table("t", MEASURED, pairs, is_added=False)
    assert (found.best_rank, found.is_best_kept) == (3, False)  # equal to another, which is before
    assert (found.kept_best_ratio, found.first_ratio) == (2.0, 2.0)


def test_those_without_a_prediction_come_last_and_count():
    found = pruned_table("t", MEASURED, [(1.0, None), *FORTY[1:]], without=20, is_added=True)
    assert (found.ranked, found.without, found.kept) == (60, 21, 3)
    assert (found.best_rank, found.is_best_kept, found.best_predicted_ms) == (40, False, None)
    result = PruneRecallResult(tables=(found,), predicted="2026-01-02", predicted_commit=None)
    assert (result.prune_recall, result.missing) == ((0, 1), 1)


@pytest.mark.parametrize(("keep", "count", "kept"), [(0.2, 10, 2), (0.01, 10, 1), (5, 10, 5)])
def test_a_share_or_a_number_is_kept(keep, count, kept):
    assert number_kept(keep, count) == kept


def test_equal_times_stay_in_order():
    found = fastest_first([("a", 2.0), ("b", None), ("c", 1.0), ("d", 2.0)], lambda one: one[1])
    assert [name for name, _ in found] == ["c", "a", "d", "b"]


def test_figures_are_those_that_benchmarks_have_kept(monkeypatch):
    about = {"date": "2026-01-02", "commit": "abc"}
    kept = {
        "first-commands": Measured(Made(first_command_runs=(11, 12), install_mb=500.0), about, ()),
        "traceg": Measured(Made(traceg_mb_per_s=80.0, traceg_peak_mb=90.0), about, ("a/b.py",)),
    }
    every = {
        name: Made(name=name, kept=lambda name=name: kept.get(name), missed=lambda _: "1 of 2")
        for name in doors.GATHERED
    }
    monkeypatch.setattr(doors, "every_benchmark", lambda: every)
    found = doors.measure(Request())
    assert (found.first_command_runs, found.install_mb) == ((11, 12), 500.0)
    assert (found.traceg_mb_per_s, found.prune_recall, found.cupy_kernels) == (80.0, None, None)
    rows = {one.figure: (one.shown, one.measured, one.state, one.missed) for one in found.figures}
    assert rows["first_command_runs"] == ("11 of 12", "2026-01-02", "fresh", "1 of 2")
    assert rows["traceg_mb_per_s"] == ("80.0", "2026-01-02", "stale", "1 of 2")
    assert rows["prune_recall"] == ("-", None, "not measured", "")
