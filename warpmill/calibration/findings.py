"""What calibration found: values of machine keys with their spread, and curves behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from warpmill.calibration.figures import FittedNumber

Bound = Literal["most", "least"]
Kind = Literal["footprint", "warps", "stride", "bandwidth"]


@dataclass(frozen=True)
class CalibrationFinding:
    """A value of a machine key, and how it was found.

    ``bound``: what was measured is not the key's but something else that hides it; the value is at
    most this where ``bound`` is ``most``, at least where it is ``least``.
    """

    key: str
    value: float
    spread: float
    how: str
    bound: Bound | None = None
    note: str = ""


@dataclass(frozen=True)
class Missing:
    """A key without a value, and why."""

    key: str
    reason: str


@dataclass(frozen=True)
class CalibrationCurve:
    """What was measured over something that was varied: ``points`` of x and y."""

    kind: Kind
    name: str
    x: str
    y: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Other:
    """A figure that no machine key has."""

    name: str
    value: float
    spread: float
    unit: str


@dataclass(frozen=True)
class GroupFindings:
    """What a group of micro-benchmarks found."""

    findings: tuple[CalibrationFinding, ...] = ()
    missing: tuple[Missing, ...] = ()
    curves: tuple[CalibrationCurve, ...] = ()
    others: tuple[Other, ...] = ()


def joined(*parts: GroupFindings) -> GroupFindings:
    """Put parts together."""
    return GroupFindings(
        tuple(f for part in parts for f in part.findings),
        tuple(m for part in parts for m in part.missing),
        tuple(c for part in parts for c in part.curves),
        tuple(o for part in parts for o in part.others),
    )


def found(
    key: str, figure: FittedNumber, how: str, bound: Bound | None = None, note: str = ""
) -> CalibrationFinding:
    """Make a finding of a figure."""
    return CalibrationFinding(key, figure.value, figure.spread, how, bound, note)
