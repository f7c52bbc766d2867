"""benchmarks/validation: what is gathered of each kind of error, and of what is not kept."""

from types import SimpleNamespace as Made

import pytest

from warpmill.benchmarks import validation
from warpmill.benchmarks.benchmark import Goal, Measured, Request
from warpmill.benchmarks.validation import GATHERED


def test_the_worst_is_named_with_its_place():
    of = {
        "accuracy-estimate": Made(whole=Made(mape=23.0), headline=[
            Made(mape=None), Made(mape=50.0, kernel="scan", dataset="d", card="TITAN V"),
            Made(mape=9.0, kernel="copy", dataset="d", card="T4")]),
        "simulate": Made(mape=0.16, launches=[
            Made(error=-0.3, place="spmv 1"), Made(error=0.2, place="matmul 2")]),
        "engines": Made(rows=[
            Made(ratio=0.5, factor=2.0, workload="a", launch=1, machine="v100"),
            Made(ratio=1.5, factor=1.5, workload="b", launch=0, machine="a100")]),
        "tbpoint": Made(by_method={"TBPoint": {"mean": 1.67}}, rows=[
            Made(error=-1.0, workload="cfd", elsewhere={"W48 S7": Made(error=-9.0)})]),
        "gtpin": Made(by_way={"least_error": {"error": 1.47}}, rows=[
            Made(application="aes", least_error=Made(error=0.3, judged=[
                Made(error=33.0, run="a100"), Made(error=None, run="seed 7")]))]),
    }  # fmt: skip
    found = {name: GATHERED[name][2](result) for name, result in of.items()}
    assert found == {
        "accuracy-estimate": (23.0, "50.0 %: scan of d, TITAN V"),
        "simulate": (16.0, "-30.0%: spmv 1"),
        "engines": (50.0, "-50.0 %: a launch 1, v100"),
        "tbpoint": (1.67, "-9.00 %: cfd, W48 S7"),
        "gtpin": (1.47, "33.00 %: aes, a100"),
    }


@pytest.fixture
def nothing(monkeypatch):
    """Of the engines something is kept, of all others nothing."""
    result = Made(rows=[Made(ratio=2.0, factor=2.0, workload="a", launch=1, machine="v100")])
    every = {}
    for name in (*GATHERED, "error-bands"):
        about = {"date": "2026-01-02", "version": "0.1"}
        kept = Measured(result, about, ("a/b.py",)) if name == "engines" else None
        every[name] = Made(kept=lambda kept=kept: kept, missed=lambda _: "1 of 2",
                           view=lambda found: {"state": found.state})  # fmt: skip
    monkeypatch.setattr(validation, "every_benchmark", lambda: every)


def test_what_is_not_kept_has_no_figures(nothing):
    found = {row.of: row for row in validation.measure(Request()).rows}
    own = found.pop("estimates beside simulations")
    assert (own.mean, own.missed, own.state) == ("100 %", "1 of 2", "stale")
    assert {(row.mean, row.state) for row in found.values()} == {("not measured", "")}
    views = validation.values(validation.measure(Request()))["of"]
    assert views["gtpin"] is None
    assert views["engines"]["state"].count("Stale") == 1


def test_a_goal_without_a_bar_has_no_verdict():
    assert Measured(None, {}).verdict(Goal("x"), 3.0) == ""
