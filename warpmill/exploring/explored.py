"""Findings of an exploration: samples of each workload, and whether they were there before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.exploring.space import ExploredSpace
from warpmill.simulator.regression.parameters import Point as DesignPoint
from warpmill.simulator.regression.parameters import Value


@dataclass(frozen=True)
class PointSample:
    """A point of the space that was simulated: its figures, or a ``problem`` why there are none."""

    point: Mapping[str, Value]
    figures: Mapping[str, float]
    facts: Mapping[str, Any]
    problem: str | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class OfWorkload:
    """Explored workload: its samples in the order in which they were drawn.

    ``others`` counts points of the study that are left out: those of another space, of other
    options, or of code that has changed since.
    """

    title: str
    samples: tuple[PointSample, ...]
    others: int = 0

    @property
    def measured(self) -> tuple[PointSample, ...]:
        """Those that have figures."""
        return tuple(one for one in self.samples if one.problem is None)

    @property
    def failures(self) -> tuple[PointSample, ...]:
        """Those that have none."""
        return tuple(one for one in self.samples if one.problem is not None)

    def with_figure(self, name: str) -> tuple[list[DesignPoint], list[float]]:
        """The points that have a figure, and its values."""
        found = [(one.point, one.figures[name]) for one in self.measured if name in one.figures]
        return [point for point, _ in found], [value for _, value in found]


@dataclass(frozen=True)
class ExplorationResult:
    """An exploration as it stands. ``store`` is where it is kept; None: nowhere.

    ``known`` of its points were measured before, ``here`` by this exploration and ``elsewhere``
    meanwhile by other processes on the same store. ``seconds`` it took.
    """

    space: ExploredSpace
    study: str
    workloads: tuple[OfWorkload, ...]
    store: str | None = None
    known: int = 0
    seconds: float = 0.0
    here: int = 0
    elsewhere: int = 0

    def workload(self, title: str) -> OfWorkload:
        """A workload by its title. UsageError where there is none."""
        found = next((one for one in self.workloads if one.title == title), None)
        if found is None:
            names = [one.title for one in self.workloads]
            hint = suggestion(title, names) or f"there are {', '.join(names)}"
            raise UsageError(f"the study {self.study} has no workload `{title}`; {hint}")
        return found
