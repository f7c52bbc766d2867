"""Fits with their spread, readings, and what is compared with what."""

import numpy as np
import pytest
from scipy.stats import linregress

from warpmill.calibration.comparison import agrees
from warpmill.calibration.figures import (
    FittedNumber,
    combined,
    differences,
    slope,
    slope_of_readings,
)
from warpmill.calibration.probes import Reading
from warpmill.calibration.simulated_gpu import expected
from warpmill.simulator.machines import load_machine


@pytest.mark.parametrize("seed", range(4))
def test_slopes_are_those_of_scipy(seed):
    random = np.random.default_rng(seed)
    xs = np.arange(2.0, 9.0) ** 1.5
    ys = 3.5 * xs + random.normal(0, 2, xs.size)
    found, wanted = slope(list(xs), list(ys)), linregress(xs, ys)
    assert found.value == pytest.approx(wanted.slope)
    assert found.spread == pytest.approx(wanted.stderr)


def test_two_points_have_a_slope_and_nothing_that_tells_its_error():
    assert slope([1, 3], [5, 9]) == FittedNumber(2.0, 0.0)


def test_repetitions_give_their_median_and_how_they_deviate():
    readings = [Reading((10.0, 11.0, 10.0), (0.0,) * 3), Reading((30.0, 37.0, 32.0), (0.0,) * 3)]
    found = slope_of_readings([0, 10], readings)
    assert found.value == pytest.approx(2.2)  # of 2.0, 2.6 and 2.2
    assert found.spread == pytest.approx(0.2)
    assert combined([FittedNumber(5.0, 0.3)]) == FittedNumber(5.0, 0.3)


def test_readings_know_their_middle():
    reading = Reading((4.0, 100.0, 5.0, 7.0, 6.0), (2.0, 1.0, 3.0, 9.0, 4.0))
    assert reading.typical == 6.0
    assert reading.time_s == 3.0
    assert reading.spread == 1.0
    longer = Reading((14.0,), (3.0,))
    assert differences(longer, Reading((4.0,), (1.0,)), 5) == Reading((2.0,), (0.4,))


def test_figures_carry_their_spread_along():
    assert FittedNumber(10.0, 3.0).plus(FittedNumber(4.0, 4.0), -1.0) == FittedNumber(6.0, 5.0)
    assert FittedNumber(10.0, 1.0).times(-2) == FittedNumber(-20.0, 2.0)
    assert FittedNumber(4.0, 0.4).over(100) == FittedNumber(25.0, 2.5)


@pytest.mark.parametrize(
    ("found", "stated", "unit", "close"),
    [
        (105.0, 100.0, "B", True),
        (105.1, 100.0, "B", False),
        (5.0, 4.0, "cycles", True),
        (5.1, 4.0, "cycles", False),
        (5.0, 4.0, "ways", False),
        (210.0, 200.0, "cycles", True),
        (0.0, 0.0, "B", True),
    ],
)
def test_values_agree_within_5_percent_or_a_cycle(found, stated, unit, close):
    assert agrees(found, stated, unit) == close


@pytest.mark.parametrize(
    ("key", "machine", "value", "reason"),
    [
        ("latency.int_add", "v100", 4.0, ""),
        ("latency.vote", "v100", 13.0, ""),
        ("latency.shared_load", "v100", 20.0, ""),
        ("latency.sfu_sin", "v100", None, "takes latency.mufu for sin.approx.f32"),
        ("interval.int_div", "v100", None, "times interval.int_add for div.u32"),
        ("latency.int_add", "gtx480_gpgpusim", "depth", ""),
        ("latency.branch", "gtx480_gpgpusim", 1.0, ""),  # what holds a warp at its place
        ("latency.barrier", "gtx480_gpgpusim", 1.0, ""),
        ("latency.barrier", "qv100_accelsim", None, "interval.branch holds its pipe for 4"),
        ("latency.shared_atomic", "gtx480_gpgpusim", None, "takes latency.shared_load for atom."),
        ("latency.shared_atomic", "v100", 28.0, ""),
        ("l2.latency", "gtx480_gpgpusim", None, "follows from the parts"),
        ("l2.latency", "v100", 212.0, ""),
        ("dram.measured_gbs", "v100", None, "dram.bandwidth_gbs"),
        ("lanes.fp32", "v100", 64.0, ""),
        ("sm.issue_per_scheduler", "v100", 1.0, ""),
        ("sm.issue_per_scheduler", "gtx980", 2.0, ""),
        ("dram.type", "v100", None, "no number"),
    ],
)
def test_what_the_model_is_to_give_back(key, machine, value, reason):
    given = load_machine(machine)
    found = expected(key, given)
    if value == "depth":
        value = float(given.number(key) + given.number("sm.pipeline_cycles"))
        assert value > given.number(key)
    assert found.value == value
    assert reason in found.reason
