"""How sure an estimate is, from the kept result of benchmarks.error_bands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.error_bands_parts.coverage import ASIDE, LIKE, Coverage, coverages
from benchmarks.error_bands_parts.data_file import contents
from benchmarks.pages import number, rendered, table
from benchmarks.validation_parts.status import measured, nothing
from warpmill.session.error_bands import (
    COVERED,
    NEAREST,
    Calibration,
    MeasuredKernel,
    MeasuredKernels,
    kernels_of,
)
from warpmill.simulator.resources import TERMS

TEMPLATE = Path(__file__).with_name("bands.md.j2")
COMMAND = "benchmarks.error_bands --fresh --data DIR"
NAMES = {
    "calibrated": "kernels that widths follow from",
    "other_gpu": "the same, other kernels on their GPU left out",
    "put_aside": "kernels put aside",
}
Result = Mapping[str, Any]


def section(result: Result | None) -> str:
    """Write the section: whether bands hold, and errors by what bounds kernels."""
    if result is None:
        return nothing(COMMAND)
    data = contents(result)
    kernels, made = kernels_of(data), Calibration(**data["calibration"])
    return rendered(
        TEMPLATE,
        result,
        state=measured(result),
        kernels=len(kernels),
        rows=data["rows"],
        nearest=NEAREST,
        covered=f"{100 * COVERED:.0f} %",
        aside=f"{100 * ASIDE:.0f} %",
        like=f"{100 * LIKE:.0f} %",
        made=made,
        coverage=_coverage(coverages(kernels, made)),
        bounds=_by_bound(kernels),
    )


def _coverage(found: Iterable[Coverage]) -> str:
    header = ("left out and judged", "kernels on GPUs", "times", "inside", "high over low end",
              "unlike", "inside the band of all", "its high over low end")  # fmt: skip
    rows = (
        (NAMES[one.name], number(one.kernels), number(one.rows), _percent(one.covered),
         number(one.factor), _percent(one.unlike), _percent(one.all_covered),
         number(one.all_factor))
        for one in found
    )  # fmt: skip
    return table(header, rows)


def _by_bound(kernels: Iterable[MeasuredKernel]) -> str:
    """List the errors of kernels by the cause that leads in most of their launches."""
    found: dict[str, list[MeasuredKernel]] = {}
    for one in kernels:
        leading = Counter(sorted(features.bound for features in one.features))
        found.setdefault(leading.most_common(1)[0][0], []).append(one)
    header = ("bound", "kernels on GPUs", "10 %", "median", "90 %")
    order = sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return table(header, ((TERMS[bound], number(len(own)), *_spread(own)) for bound, own in order))


def _spread(kernels: Iterable[MeasuredKernel]) -> list[str]:
    raw = MeasuredKernels(kernels).raw_band()
    return [f"{100 * np.expm1(end):+.1f}" for end in (raw.low, raw.middle, raw.high)]


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.1f} %"
