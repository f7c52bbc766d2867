"""How many machine instructions we expect of the samples, against what ptxas makes of them."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from functools import cache
from itertools import chain
from pathlib import Path
from statistics import median

import pytest

from tests.reference.expansion_counts import (
    CHIPS,
    ROOT,
    Count,
    counted,
    counts,
    expanded_count,
    module_of,
)
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.structure import Structure

MEDIAN_ERROR = 0.04
WITHIN_A_QUARTER = 0.92
BAND = (0.25, 1.4)
"""The farthest off are kernels whose loops ptxas unrolls without an access in them."""


@cache
def analysed(file: str) -> dict[str, Structure]:
    """What tells the lanes of each kernel of a file apart, and with it the structure."""
    kernels = module_of(ROOT / file).kernels
    return {kernel.name: analyse_structure(kernel) for kernel in kernels}


Ratios = dict[int, list[tuple[float, Count]]]


@pytest.fixture
def ratios(request: pytest.FixtureRequest) -> Ratios:
    """Ours over ptxas's, by compute capability; of every third file, of all with --every."""
    return ratios_of(1 if request.config.getoption("--every") else 3)


@cache
def ratios_of(step: int) -> Ratios:
    files = sorted({one.file for one in counts()})[::step]
    found = defaultdict(list)
    for one in counts():
        if one.file in files:
            ours = expanded_count(analysed(one.file)[one.kernel], one.capability)
            found[one.capability].append((ours / one.ptxas, one))
    return found


def test_every_chip_has_many_kernels(ratios: Ratios) -> None:
    assert all(len(ratios[chip]) > 40 for chip in CHIPS)


@pytest.mark.parametrize("chip", CHIPS)
def test_counts_are_near_those_of_ptxas(ratios: Ratios, chip: int) -> None:
    errors = [abs(ratio - 1) for ratio, _ in ratios[chip]]
    assert median(errors) <= MEDIAN_ERROR
    assert sum(error <= 0.25 for error in errors) >= WITHIN_A_QUARTER * len(errors)


@pytest.mark.parametrize("chip", CHIPS)
def test_counts_are_neither_high_nor_low_on_the_whole(ratios: Ratios, chip: int) -> None:
    assert median(ratio for ratio, _ in ratios[chip]) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("chip", CHIPS)
def test_no_count_is_far_off(ratios: Ratios, chip: int) -> None:
    far = [one for one in ratios[chip] if not BAND[0] <= one[0] <= BAND[1]]
    assert not far


def tools(name: str) -> list[str]:
    """The tools of that name on the PATH and in the folders of toolkits that are listed."""
    folders = [f for f in os.environ.get("WARPMILL_CUDA", "").split(os.pathsep) if f]
    listed = chain.from_iterable(Path(f).glob(f"**/bin/{name}") for f in folders)
    on_path = shutil.which(name)
    return [*([on_path] if on_path else []), *map(str, listed)]


def test_ptxas_still_makes_what_was_counted() -> None:
    assemblers, listers = tools("ptxas"), tools("nvdisasm")
    if not assemblers or not listers:
        pytest.skip("needs ptxas and nvdisasm")
    file = "samples/vecadd/vecadd.sm_80.ptx"
    (found,) = counted(ROOT / file, 86, assemblers, listers)
    (known,) = [one for one in counts() if one.file == file and one.capability == found.capability]
    assert found.ptxas == pytest.approx(known.ptxas, abs=2)  # releases differ
