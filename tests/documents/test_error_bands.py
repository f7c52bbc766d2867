"""Error bands: how near an estimate is to measured kernels, and what these were off by."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

from tests.documents.accuracy_rows import case, row
from warpmill.benchmarks.benchmark import Measured
from warpmill.benchmarks.error_bands import (
    ErrorBands,
    KernelErrors,
    Launch,
    by_kernel,
    calibration,
    coverages,
    few_of_each,
    files,
    is_same,
    parted,
    trials,
)
from warpmill.report.fields import fields_of, plain
from warpmill.session import error_bands
from warpmill.session.error_bands import (
    NEAREST,
    OTHER_BOUND,
    Calibration,
    ErrorBand,
    EstimateFeatures,
    MeasuredKernel,
    MeasuredKernels,
    features_of,
    measured_kernels,
    sentence,
)
from warpmill.simulator.machines import load_machine
from warpmill.simulator.resources import TERMS

PLAIN = Calibration(1.0, 1.0, 0.5)
DRAM, FMA = {"dram_bandwidth": 1.0}, {"fma_pipe": 1.0}


def features(shares, time_us=100.0, capability=80):
    return EstimateFeatures(shares, time_us, capability)


def kernel(name, errors, shares, *, gpu="A", dataset="set"):
    each = tuple(features(shares) for _ in errors)
    return MeasuredKernel(dataset, name, gpu, each, tuple(errors))


def many(shares, errors):
    return [kernel(f"k{n}", [error], shares) for n, error in enumerate(errors)]


def test_alike_breakdowns_are_at_no_distance_and_another_bound_is_far():
    half = {"dram_bandwidth": 0.64, "fma_pipe": 0.36}
    known = MeasuredKernels([kernel("a", [0.0], DRAM), kernel("b", [0.0], FMA)])
    assert known.distances(features(DRAM)) == pytest.approx([0.0, math.sqrt(1 + OTHER_BOUND)])
    near, far = known.distances(features(half))
    assert near == pytest.approx(math.sqrt(1 - 0.8))
    assert far == pytest.approx(math.sqrt(1 - 0.6 + OTHER_BOUND))
    assert known.distances(features({"tensor pipe": 1.0}))[0] == pytest.approx(
        math.sqrt(1 + OTHER_BOUND)
    )


def test_a_kernel_counts_once_however_often_it_was_measured():
    often = [kernel("often", [1.0] * 50, DRAM), *many(DRAM, [0.0] * 4)]
    assert MeasuredKernels(often).raw_band().middle == pytest.approx(0.0)


def test_the_band_is_the_interval_of_the_errors_of_the_kernels_it_rests_on():
    errors = np.linspace(-0.5, 0.6, NEAREST)
    far = [kernel(f"far{n}", [-0.45, 0.55], FMA) for n in range(4)]
    known = MeasuredKernels([*far, *many(DRAM, errors)])
    band = known.band(features(DRAM), PLAIN)
    wanted = np.expm1(np.quantile(np.log1p(errors), (0.1, 0.9), method="hazen"))
    assert (band.low_fraction, band.high_fraction) == pytest.approx(tuple(wanted))
    assert (band.kernels, band.same_bound, band.is_unlike) == (NEAREST, NEAREST, False)
    assert [one.error_fraction for one in band.nearest] == pytest.approx(errors[:3])


def test_a_band_is_widened_about_its_median():
    known = MeasuredKernels(many(DRAM, [-0.2] * 4 + [0.0] * 4 + [0.5] * 4))
    band = known.band(features(DRAM), Calibration(2.0, 1.0, 0.5))
    assert band.low_fraction == pytest.approx(0.8**2 - 1)
    assert band.high_fraction == pytest.approx(1.5**2 - 1)


def test_nearer_kernels_weigh_more():
    near = {"dram_bandwidth": 0.95, "launch": 0.05}
    less = {"dram_bandwidth": 0.6, "launch": 0.4}
    known = MeasuredKernels([kernel("a", [0.1], near), kernel("b", [-0.3], less)])
    weighted = known.raw_band(known.distances(features(DRAM)))
    assert weighted.middle > known.raw_band().middle + 0.05


@pytest.mark.parametrize(
    ("own", "why"),
    [
        (features(DRAM, capability=90), "compute capability is 9.0, those measured are 8.0"),
        (features(DRAM, capability=None), "no compute capability"),
        (features(DRAM, time_us=2.0), "time is 2 µs, those measured are 100 to 100"),
        (features(FMA), "time breakdown is 1.14 from the nearest, of k0, and those of measured"),
    ],
)
def test_an_estimate_unlike_all_has_the_band_of_all(own, why):
    known = MeasuredKernels(many(DRAM, np.linspace(-0.3, 0.3, 40)))
    band = known.band(own, PLAIN)
    assert band.is_unlike
    assert why in band.reason
    assert band.kernels == 40
    assert band.high_fraction == pytest.approx(0.24, abs=0.01)
    assert sentence(band).startswith(f"No measured kernel is like this one ({band.reason}); over")


def test_the_sentence_says_how_far_off_and_what_it_rests_on():
    known = MeasuredKernels(many(DRAM, [-0.2] * 6 + [0.3] * 6))
    assert sentence(known.band(features(DRAM), PLAIN)) == (
        "Measured kernels like this one were off by −20% to +30% "
        "(80% of the times of 12 kernels, all bound by DRAM bandwidth)."
    )


def test_features_are_read_off_an_estimate():
    shares = [SimpleNamespace(cause=TERMS["launch"], fraction=0.4),
              SimpleNamespace(cause=TERMS["fma_pipe"], fraction=0.6)]  # fmt: skip
    told = SimpleNamespace(shares=shares, time_us=7.0)
    found = features_of(told, load_machine("a100"))
    assert found == EstimateFeatures({"launch": 0.4, "fma_pipe": 0.6}, 7.0, 80)
    assert found.bound == "fma_pipe"


def test_a_band_tells_the_times_it_allows():
    band = MeasuredKernels(many(DRAM, [-0.2] * 6 + [0.25] * 6)).band(features(DRAM), PLAIN)
    assert band.measured_us(100.0) == pytest.approx((80.0, 125.0))


def test_every_field_says_what_it_is():
    assert [one.name for one in fields_of(ErrorBand) if one.metric is None] == []


def test_what_is_measured_on_several_gpus_is_left_out_and_put_aside_as_a_whole():
    known = [kernel(f"k{n}", [0.1], DRAM, gpu=gpu) for n in range(8) for gpu in "ABC"]
    used, aside = parted(known)
    assert len(aside) == 6
    assert not {one.kernel for one in used} & {one.kernel for one in aside}
    odd = kernel("odd", [0.3, 3.0], FMA)
    found = trials([odd], [*known, odd], is_same)
    assert found.nearest.high.max() < 0.2
    assert found.distance.min() > 0
    assert found.weight.tolist() == [0.5, 0.5]


def test_bands_of_random_errors_hold_what_they_say():
    draw = np.random.default_rng(3)
    breakdowns = [{"fma_pipe": share, "launch": 1 - share} for share in draw.uniform(0.6, 1.0, 100)]
    known = [
        kernel(f"k{n}", draw.normal(0.0, 0.1, 4), breakdown, gpu="AB"[n % 2])
        for n, breakdown in enumerate(breakdowns)
    ]
    used, _ = parted(known)
    made = calibration(used)
    own, _, aside = coverages(known, made)
    assert own.covered == pytest.approx(0.8, abs=0.02)
    assert aside.covered == pytest.approx(0.8, abs=0.08)
    assert own.unlike <= 0.06


def test_rows_are_of_all_orders_of_time_and_none_of_what_is_apart():
    rows = [case(n, float(n)) for n in range(40)]
    apart = case(50, 1.0, dataset="gpubench_small_kernels")
    found = few_of_each([*rows, apart, case(51, 1.0, kernel="ranked", has_error=False)], 4)
    assert [int(one.time_ms) // 10 for one in found] == [0, 1, 2, 3]


def test_what_is_kept_of_rows():
    own = row(0, 2.0, 1.5)
    shares = {"launch": 0.00004, "fma_pipe": 0.99996}
    own.prediction.features.update(shares=shares, time_us=1534.0, capability=70)
    (found,) = by_kernel([own, row(1, 1.0, None)])
    assert found.gpu == "TITAN V"
    assert plain(found.rows) == [{"error": -0.25, "time_us": 2000.0, "shares": {"fma_pipe": 1.0}}]


def test_the_file_of_the_product_and_errors_by_bound():
    """Two kernels of memory and one of arithmetic; a cause with next to no time is left out."""
    kernels = [
        KernelErrors(dataset="set", kernel=f"k{n}", gpu="A", capability=70,
                     rows=(Launch(error=n / 10, time_us=10.0, shares={bound: 0.996, "l": 0.004}),))
        for n, bound in enumerate(("dram_bandwidth", "dram_bandwidth", "fma_pipe"))
    ]  # fmt: skip
    bands = ErrorBands(tables={}, missing=(), kernels=tuple(kernels))
    assert [(one.bound, one.kernels) for one in bands.bounds] == [
        ("DRAM bandwidth", 2), ("FMA pipe", 1),
    ]  # fmt: skip
    assert bands.bounds[0].middle == pytest.approx(1.1**0.5 - 1)
    bands.__dict__["calibration"] = PLAIN  # so few kernels give none
    (text,) = files(Measured(bands, {"date": "2026-01-02", "version": "1"})).values()
    written = json.loads(text)
    assert (written["rows"], written["calibration"]["farthest"]) == (3, 0.5)
    only = {"error": 0.1, "time_us": 10.0, "shares": {"dram_bandwidth": 0.996}}
    assert written["kernels"][1]["rows"] == [only]
    assert len(text.splitlines()) == 13 + 2 * 3


def test_the_data_file_is_read_once_and_gives_a_band():
    kernels, made = measured_kernels()
    assert measured_kernels()[0] is kernels
    one = kernels.kernels[0]
    assert kernels.distances(one.features[0])[0] == pytest.approx(0.0, abs=1e-6)
    assert not kernels.band(one.features[0], made).is_unlike
    assert error_bands.COVERED == 0.8
