"""Findings of calibration: values of machine keys with their spread, and curves behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from warpmill.analyzer.base.metric import INTERNAL, Metric
from warpmill.calibration.figures import FittedNumber

Bound = Literal["most", "least"]
Kind = Literal["footprint", "warps", "stride", "bandwidth"]


@dataclass(frozen=True)
class CalibrationFinding:
    """A value of a machine key, and how it was found.

    ``bound``: what was measured is not the key's but something else that hides it; the value is at
    most this where ``bound`` is ``most``, at least where it is ``least``. ``spread`` is by how much
    it might be another one.
    """

    key: Annotated[str, INTERNAL]
    value: Annotated[float, Metric("Measured")]
    spread: Annotated[float, Metric("±")]
    how: str
    bound: Bound | None = None
    note: Annotated[str, INTERNAL] = ""


@dataclass(frozen=True)
class Missing:
    """A key without a value, and why."""

    key: str
    reason: str


@dataclass(frozen=True)
class CalibrationCurve:
    """Measurements over a varied quantity: ``points`` of x and y."""

    kind: Kind
    name: str
    x: str
    y: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Other:
    """A figure that no machine key has."""

    name: Annotated[str, Metric("Figure")]
    value: Annotated[float, Metric("Measured")]
    spread: Annotated[float, Metric("±")]
    unit: Annotated[str, Metric("Unit")]


@dataclass(frozen=True)
class GroupFindings:
    """Findings of a group of micro-benchmarks."""

    findings: Annotated[tuple[CalibrationFinding, ...], INTERNAL] = ()
    missing: Annotated[tuple[Missing, ...], INTERNAL] = ()
    curves: tuple[CalibrationCurve, ...] = ()
    others: tuple[Other, ...] = ()


def joined(*parts: GroupFindings) -> GroupFindings:
    """The findings of several groups together."""
    return GroupFindings(
        tuple(f for part in parts for f in part.findings),
        tuple(m for part in parts for m in part.missing),
        tuple(c for part in parts for c in part.curves),
        tuple(o for part in parts for o in part.others),
    )


def found(
    key: str, figure: FittedNumber, how: str, bound: Bound | None = None, note: str = ""
) -> CalibrationFinding:
    """A finding of a figure."""
    return CalibrationFinding(key, figure.value, figure.spread, how, bound, note)
