"""What ``calibrate`` answers: what micro-benchmarks found, beside what a machine's file says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import Mark, Metric, derived
from warpmill.calibration.api import Calibrated
from warpmill.calibration.comparison import ComparedKey
from warpmill.calibration.findings import CalibrationCurve, Other
from warpmill.report.assumed import shown_value
from warpmill.report.base import Report
from warpmill.simulator.machines.model import Machine


class CalibrateReport(Report):
    """A calibration. ``machine`` is what it is compared with: the model's own, or the fallback.

    A value agrees that is within 5 % of the file's or, in cycles, within one. ``others`` are
    figures that no key has, ``curves`` what was measured over something that was varied.
    ``written`` is the machine file that was made.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["calibrate"] = "calibrate"
    on: Literal["model", "gpu"]
    name: str
    machine: Annotated[str, Metric("Machine")]
    fallback: str
    overrides: dict[str, str]
    """Values of ``--set``."""
    groups: list[str]
    launches: Annotated[int, Metric("Launches")]
    keys: tuple[ComparedKey, ...]
    others: tuple[Other, ...]
    curves: tuple[CalibrationCurve, ...]
    written: str | None

    @derived("Keys with a difference")
    def differing(self) -> int:
        """How many keys differ."""
        return sum(one.verdict == "differs" for one in self.keys)

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """What a model does is modelled."""
        fitted = Mark.MODELLED if self.on == "model" else Mark.EXACT
        return {"others": fitted, "curves": fitted}


def calibrate_report(
    found: Calibrated, overrides: dict[str, str], written: str | None = None
) -> CalibrateReport:
    """The report of a calibration."""
    calibration, origin = found.calibration, found.origin
    part, target, launches = calibration.part, calibration.target, calibration.launches
    name, others, curves, fallback = target.name, part.others, part.curves, origin.fallback
    return CalibrateReport(
        on="model" if target.is_model else "gpu",
        name=name,
        machine=found.machine.name,
        fallback=fallback,
        overrides=overrides,
        groups=list(calibration.groups),
        launches=launches,
        keys=found.rows,
        others=others,
        curves=curves,
        written=written,
    )


def shown_overrides(machine: Machine) -> dict[str, str]:
    """What is set of a machine, by key."""
    return {key: shown_value(v.value) for key, v in machine.values if v.status == "set"}
