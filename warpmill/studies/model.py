"""Parts of a study: points, their outcomes, and how many there are of each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.studies.content import key_of


@dataclass(frozen=True)
class StudyPoint:
    """A point to be measured.

    ``inputs`` are all that its figures follow from, as JSON; equal inputs are one point, in every
    study of a store. Points of one ``group`` are measured one after another by one process, which
    may keep for the next what it made for the last. ``beside`` is what who measures it has to know
    as well, though no figure follows from it, such as where files are: it is in no key, and not
    kept.
    """

    inputs: Mapping[str, Any]
    group: str = ""
    beside: Mapping[str, Any] = field(default_factory=dict)
    key: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", key_of(self.inputs))


LIMITS = "limits"
"""The fact of a point that has reached a limit: how high limits were, where that is no input."""


@dataclass(frozen=True)
class PointOutcome:
    """Outcome of a point: numbers to rank by, with units in their names, and further facts.

    A figure that is unknown is left out. ``problem`` says why there are none.
    """

    figures: Mapping[str, float] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    problem: str | None = None


Evaluate = Callable[[Mapping[str, Any]], PointOutcome]
"""Measures a point by its inputs, and what is said beside them. It may be sent to processes.

A WarpmillError is the point's problem, but for NotHereError.
"""


class NotHereError(InputError):
    """Missing thing that is no fault of the point, such as a file that is gone: it ends the run."""


@dataclass(frozen=True)
class StudyRow:
    """A point of a study as it is kept; ``number`` is its place among the points of the study."""

    number: int
    inputs: Mapping[str, Any]
    figures: Mapping[str, float]
    facts: Mapping[str, Any]
    problem: str | None
    seconds: float | None


@dataclass(frozen=True)
class PointCounts:
    """How many points of a study are in each state."""

    open: int = 0
    claimed: int = 0
    done: int = 0
    failed: int = 0

    @property
    def all(self) -> int:
        """Those that belong to the study."""
        return self.open + self.claimed + self.done + self.failed

    @property
    def over(self) -> int:
        """Those that nothing is left to do for."""
        return self.done + self.failed
