"""What ``calibrate`` answers: what micro-benchmarks found, beside what a machine's file says."""

from __future__ import annotations

from typing import Literal

from warpmill.calibration.api import Calibrated
from warpmill.calibration.comparison import ComparedKey
from warpmill.calibration.findings import CalibrationCurve, Other
from warpmill.report.assumed import shown_value
from warpmill.report.base import Mark, Marks, Part, Report, marks
from warpmill.simulator.machines.model import Machine


class KeyFacts(Part):
    """A key of machines. ``file_value`` is what benchmarks are to give; null: there is no number.

    ``fitted_value`` null: it was not measured, and ``why`` says why. ``spread`` is by how much it
    might be another one. ``bound``: another limit hides the key, whose value is at ``most`` or at
    ``least`` what was fitted. ``why`` also says why a value is not compared.
    """

    key: str
    unit: str
    file_value: float | None
    fitted_value: float | None
    spread: float | None
    difference_fraction: float | None
    """(fitted - file) / file."""
    bound: Literal["most", "least"] | None
    verdict: Literal["agrees", "differs", "hidden", "not compared", "not measured"]
    how: str | None
    why: str
    marks: Marks


class OtherFacts(Part):
    """A figure that no key has."""

    name: str
    value: float
    spread: float
    unit: str
    marks: Marks


class LatencyCurveFacts(Part):
    """What was measured over something that was varied: points of ``x`` and ``y``."""

    kind: Literal["footprint", "warps", "stride", "bandwidth"]
    name: str
    x: str
    y: str
    points: list[tuple[float, float]]
    marks: Marks


class CalibrateReport(Report):
    """A calibration. ``machine`` is what it is compared with: the model's own, or the fallback.

    A value agrees that is within 5 % of the file's or, in cycles, within one. ``written`` is the
    machine file that was made.
    """

    report: Literal["calibrate"] = "calibrate"
    on: Literal["model", "gpu"]
    name: str
    machine: str
    fallback: str
    overrides: dict[str, str]
    """Values of ``--set``."""
    groups: list[str]
    launches: int
    keys: list[KeyFacts]
    others: list[OtherFacts]
    curves: list[LatencyCurveFacts]
    differing: int
    written: str | None
    marks: Marks


def calibrate_report(
    found: Calibrated, overrides: dict[str, str], written: str | None = None
) -> CalibrateReport:
    """Report a calibration."""
    target = found.calibration.target
    fitted = Mark.MODELLED if target.is_model else Mark.EXACT
    part = found.calibration.part
    return CalibrateReport(
        on="model" if target.is_model else "gpu",
        name=target.name,
        machine=found.machine.name,
        fallback=found.origin.fallback,
        overrides=overrides,
        groups=list(found.calibration.groups),
        launches=found.calibration.launches,
        keys=[_key(row, found.machine, fitted) for row in found.rows],
        others=[_other(one, fitted) for one in part.others],
        curves=[_curve(one, fitted) for one in part.curves],
        differing=sum(row.verdict == "differs" for row in found.rows),
        written=written,
        marks={"launches": Mark.EXACT, "differing": Mark.EXACT},
    )


def _key(row: ComparedKey, machine: Machine, fitted: Mark) -> KeyFacts:
    known, found = machine.get(row.key), row.found
    assumed = known is not None and known.assumed
    return KeyFacts(
        key=row.key,
        unit=row.unit,
        file_value=row.stated,
        fitted_value=None if found is None else found.value,
        spread=None if found is None else found.spread,
        difference_fraction=row.difference,
        bound=None if found is None else found.bound,
        verdict=row.verdict,
        how=None if found is None else found.how,
        why=row.why,
        marks=marks(KeyFacts, fitted, file_value=Mark.ASSUMED if assumed else Mark.EXACT),
    )


def _other(one: Other, fitted: Mark) -> OtherFacts:
    return OtherFacts(
        name=one.name,
        value=one.value,
        spread=one.spread,
        unit=one.unit,
        marks=marks(OtherFacts, fitted),
    )


def _curve(one: CalibrationCurve, fitted: Mark) -> LatencyCurveFacts:
    return LatencyCurveFacts(
        kind=one.kind,
        name=one.name,
        x=one.x,
        y=one.y,
        points=list(one.points),
        marks=marks(LatencyCurveFacts, fitted),
    )


def shown_overrides(machine: Machine) -> dict[str, str]:
    """Give what is set of a machine, by key."""
    return {key: shown_value(v.value) for key, v in machine.values if v.status == "set"}
