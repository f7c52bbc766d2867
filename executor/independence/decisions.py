"""Decisions about a launch: whether its CTAs may run in any order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.ir.types import Place

Range = tuple[int, int]
"""Addresses from the first to before the last."""


@dataclass(frozen=True)
class Dependence:
    """Reason why the CTAs of a launch have to run in order, and the instruction behind it."""

    reason: str
    span: Span | None = None


@dataclass(frozen=True)
class Decision:
    """Decision about a launch.

    Without a ``dependence`` its CTAs are independent as long as the instructions of ``confined``
    stay inside the ranges given there; ``only_loads``: these are loads, all of them. ``written``
    are the allocations that it may write.
    """

    dependence: Dependence | None = None
    confined: Mapping[Place, Range] = field(default_factory=dict)
    written: tuple[Range, ...] = ()
    only_loads: bool = True
