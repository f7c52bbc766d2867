"""Findings beside the values of a machine's file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric
from warpmill.calibration.calibrate import GROUPS, Calibration
from warpmill.calibration.findings import CalibrationFinding
from warpmill.calibration.simulated_gpu import expected, of_pipeline
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.schema import schema

Verdict = Literal["agrees", "differs", "hidden", "not compared", "not measured"]

TOLERANCE = 0.05
"""The share by which a value may differ, or a cycle."""

_CYCLES = "cycles"
_WHOLE = frozenset({"lanes", "interval", "latency", "l1", "l2", "const", "tex", "icache", "launch"})
_OTHERS = frozenset(
    {
        "sm.subpartitions", "sm.schedulers", "sm.issue_per_scheduler", "shared.banks",
        "shared.bank_width_bytes", "shared.ports", "dram.latency", "dram.measured_gbs",
        "dram.bandwidth_gbs", "icnt.bytes_per_clk_per_sm",
    }
)  # fmt: skip


@dataclass(frozen=True)
class ComparedKey:
    """A key of machines: what the file says, what was found, and what comes of it.

    ``file_value`` is what benchmarks are to give; null: there is no number. ``found`` null: it was
    not measured. ``difference_fraction`` is (found - file) / file. ``why`` says why a key is not
    compared, not measured, or hidden by another one.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    key: Annotated[str, Metric("Key")]
    unit: Annotated[str, Metric("Unit")]
    file_value: Annotated[float | None, Metric("File")]
    found: CalibrationFinding | None
    difference_fraction: Annotated[float | None, Metric("Difference", "%")]
    verdict: Annotated[Verdict, Metric("Result")]
    why: str = ""
    on_model: Annotated[bool, INTERNAL] = True
    file_is_assumed: Annotated[bool, INTERNAL] = False

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of the GPU's exact behaviour; a value of the file may be assumed."""
        return {
            "": Mark.MODELLED if self.on_model else Mark.EXACT,
            "file_value": Mark.ASSUMED if self.file_is_assumed else Mark.EXACT,
        }


def compared(calibration: Calibration, machine: Machine | None) -> tuple[ComparedKey, ...]:
    """Findings beside a machine, in the order of the schema; None: there is none to compare.

    All keys are listed that micro-benchmarks could be of, those without a value with the reason.
    """
    findings = {one.key: one for one in calibration.part.findings}
    missing = {one.key: one.reason for one in calibration.part.missing}
    rows = []
    for key, row in schema().keys.items():
        if key in findings:
            rows.append(_row(findings[key], row.unit, machine, calibration.target.is_model))
        elif (_is_of_interest(key) and row.type in ("int", "float")) or key in missing:
            why = missing.get(key) or _why_not(key, calibration, machine)
            if why is not None:
                stated = _number(key, machine)
                rows.append(ComparedKey(key, row.unit, stated, None, None, "not measured", why))
    return tuple(
        replace(
            row,
            on_model=calibration.target.is_model,
            file_is_assumed=_is_assumed(row.key, machine),
        )
        for row in rows
    )


def _is_assumed(key: str, machine: Machine | None) -> bool:
    known = None if machine is None else machine.get(key)
    return known is not None and known.assumed


def _is_of_interest(key: str) -> bool:
    return key.partition(".")[0] in _WHOLE or key in _OTHERS


def _why_not(key: str, calibration: Calibration, machine: Machine | None) -> str | None:
    """Reason why a key has no value; None where its group may not have been asked for."""
    if len(calibration.groups) < len(GROUPS):
        return None
    if calibration.target.is_model and machine is not None:
        return expected(key, machine).reason or "no micro-benchmark measures it"
    return "no micro-benchmark measures it"


def _number(key: str, machine: Machine | None) -> float | None:
    known = None if machine is None else machine.get(key)
    if known is None or isinstance(known.value, str | tuple):
        return None
    return float(known.value)


def _row(
    finding: CalibrationFinding, unit: str, machine: Machine | None, is_model: bool
) -> ComparedKey:
    stated = _number(finding.key, machine)
    if machine is None or stated is None:
        return ComparedKey(finding.key, unit, stated, finding, None, "not compared", finding.note)
    wanted: float | None = stated + of_pipeline(finding.key, _pipeline(machine))
    if is_model:
        what = expected(finding.key, machine)
        wanted = what.value
        if wanted is None:
            return ComparedKey(
                finding.key, unit, stated, finding, None, "not compared", what.reason
            )
    assert wanted is not None
    difference = finding.value / wanted - 1 if wanted else None
    if finding.bound is not None and _within_bound(finding, wanted):
        return ComparedKey(finding.key, unit, wanted, finding, difference, "hidden", finding.note)
    close = agrees(finding.value, wanted, unit)
    verdict: Verdict = "agrees" if close else "differs"
    return ComparedKey(finding.key, unit, wanted, finding, difference, verdict, finding.note)


def _pipeline(machine: Machine) -> float:
    return float(machine.number("sm.pipeline_cycles"))


def agrees(found: float, stated: float, unit: str) -> bool:
    """Whether a value is within 5 % of what is stated, or of cycles within one."""
    apart = abs(found - stated)
    return apart <= TOLERANCE * abs(stated) or (unit == _CYCLES and apart <= 1.0)


def _within_bound(finding: CalibrationFinding, stated: float) -> bool:
    """Whether what is stated may be hidden by what was measured."""
    if finding.bound == "most":
        return stated <= finding.value * (1 + TOLERANCE)
    return stated >= finding.value * (1 - TOLERANCE)


def differing(rows: tuple[ComparedKey, ...]) -> Iterator[ComparedKey]:
    """The rows that do not agree."""
    yield from (row for row in rows if row.verdict == "differs")
