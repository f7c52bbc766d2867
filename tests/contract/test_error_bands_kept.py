"""The error bands of the product are those that the kept result gives, and they hold."""

import json

import pytest

from benchmarks import error_bands
from benchmarks.error_bands_parts.coverage import coverages
from benchmarks.error_bands_parts.data_file import text
from benchmarks.keeping import kept
from warpmill.session.error_bands import COVERED, measured_kernels


@pytest.mark.slow
def test_the_file_is_of_what_is_kept():
    written = error_bands.WRITTEN.read_text("utf-8")
    assert written == text(kept(error_bands.NAME)), "python -m benchmarks.error_bands --write"
    json.loads(written)


def test_bands_hold_for_kernels_put_aside():
    kernels, made = measured_kernels()
    own, _, aside = coverages(kernels.kernels, made)
    assert own.covered == pytest.approx(COVERED, abs=0.02)
    assert aside.covered == pytest.approx(COVERED, abs=0.1)
