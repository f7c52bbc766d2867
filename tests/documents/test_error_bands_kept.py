"""The error bands of the product are those that the kept result gives, and they hold."""

import json
from pathlib import Path

import pytest

from warpmill.benchmarks.error_bands import BENCHMARK, WRITTEN, coverages, files
from warpmill.session.error_bands import COVERED, measured_kernels


@pytest.mark.slow
def test_the_file_is_of_what_is_kept():
    written = (Path(__file__).parents[2] / WRITTEN).read_text("utf-8")
    assert files(BENCHMARK.kept()) == {WRITTEN: written}, "python -m benchmarks error-bands --docs"
    json.loads(written)


def test_bands_hold_for_kernels_put_aside():
    kernels, made = measured_kernels()
    own, _, aside = coverages(kernels.kernels, made)
    assert own.covered == pytest.approx(COVERED, abs=0.02)
    assert aside.covered == pytest.approx(COVERED, abs=0.1)
