"""Result of ``calibrate``: what micro-benchmarks found, beside what a machine's file says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from warpmill.analyzer.base.metric import Mark
from warpmill.calibration.api import Calibrated
from warpmill.report.base import Report


class CalibrateReport(Report):
    """A calibration, and the machine file that was ``written`` of it; null: none was.

    A value agrees that is within 5 % of the file's or, in cycles, within one. ``others`` are
    figures that no key has, ``curves`` what was measured over something that was varied.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["calibrate"] = "calibrate"
    calibrated: Calibrated
    written: str | None = None

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of figures that a model gives."""
        fitted = Mark.MODELLED if self.calibrated.calibration.target.is_model else Mark.EXACT
        part = "calibrated.calibration.part"
        return {f"{part}.others": fitted, f"{part}.curves": fitted}
