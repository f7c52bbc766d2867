"""benchmarks/calibrate: keys worst first, shares, and the page of the guide."""

from types import SimpleNamespace

from warpmill.benchmarks import calibrate as benchmark
from warpmill.benchmarks.benchmark import Measured, Request
from warpmill.calibration.comparison import ComparedKey
from warpmill.calibration.figures import FittedNumber


def key(name, found, verdict, why=""):
    fitted = None if found is None else FittedNumber(found, 0.5)
    error = None if found is None else found / 100 - 1
    return ComparedKey(name, "cycle", 100.0, fitted, error, verdict, why)


KEYS = (
    key("latency.a", 104.0, "agrees"), key("latency.b", 80.0, "differs"),
    key("latency.c", 102.0, "agrees"), key("latency.d", None, "not measured", "no such probe"),
    key("latency.e", 130.0, "differs"), key("latency.f", 101.0, "hidden", "another limit"),
)  # fmt: skip


def test_keys_are_counted_and_stand_worst_first(monkeypatch):
    """Two of four that have a verdict agree; the others are told with their reasons."""
    made = SimpleNamespace(launches=12, seconds=3.0)
    asked = []

    def calibrate_model(name, **how):
        asked.append((name, how))
        return SimpleNamespace(rows=KEYS, calibration=made)

    monkeypatch.setattr(benchmark, "calibrate_model", calibrate_model)
    monkeypatch.setattr(benchmark, "CalibrateReport", lambda **_: "what is printed")
    found = benchmark.measure(Request(quick=True, workers=2))
    assert asked == [("v100", {"groups": ("latency",), "workers": 2})]
    (one,) = found.machines
    assert [each.key[-1] for each in one.keys] == ["e", "b", "a", "c", "f", "d"]
    assert (one.agrees, one.differs, one.others) == (2, 2, 2)
    assert (found.within, found.differs) == (50.0, 2)
    assert benchmark.Calibrations(machines=()).within is None
    (text,) = benchmark.files(Measured(found, {})).values()
    assert "$ warpmill calibrate --on-model v100\nwhat is printed\n```" in text
    shown = benchmark.BENCHMARK.text(Measured(found, {}))
    assert "no such probe" in shown
