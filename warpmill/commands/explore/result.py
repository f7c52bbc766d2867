"""Result of ``explore``: samples of a design space, models of them, and what these tell."""

from __future__ import annotations

from typing import ClassVar, Literal

from warpmill.analyzer.base.metric import Mark
from warpmill.exploring.answers import Modelled, ModelQuestions, likeness, modelled
from warpmill.exploring.explored import ExplorationResult
from warpmill.report.base import Report
from warpmill.simulator.regression.errors import Likeness


class ExploreReport(Report):
    """A design space explored: samples of its points simulated for workloads, and models of them.

    ``asked`` has what models are of, and what was asked of them; its ``where`` are further
    conditions under which best points, the front and suggestions were looked for. Of ``suggest``
    points fewer are named where fewer are left.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["explore"] = "explore"
    exploration: ExplorationResult
    asked: ModelQuestions
    workloads: tuple[Modelled, ...]
    likeness: Likeness | None


def explore_report(found: ExplorationResult, asked: ModelQuestions | None = None) -> ExploreReport:
    """The report of an exploration and what its models tell. UsageError for what cannot be told."""
    asked = asked or ModelQuestions()
    workloads = modelled(found, asked)
    return ExploreReport(
        exploration=found, asked=asked, workloads=workloads, likeness=likeness(workloads)
    )
