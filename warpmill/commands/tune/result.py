"""Result of ``tune``: choices on each machine, ranked, beside the launch as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import Mark, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.commands.sweep.result import SweepAssumption
from warpmill.report.assumed import shown_value
from warpmill.report.base import Report
from warpmill.sweeps.figures import engine_with
from warpmill.sweeps.space import Axis
from warpmill.sweeps.summary import (
    assumptions_of,
    grouped,
    metrics_of,
    with_kinds,
)
from warpmill.tuning.comparing import ComparisonsMade
from warpmill.tuning.model import NOTICEABLE, VARIANT, Tuned

_APART = (VARIANT, "machine")
"""What of a choice is no axis."""


class TuneReport(Report):
    """Which configuration of a launch is the fastest on each machine.

    Choices are all ``variants``, the first of which is the launch itself, in all configurations of
    ``axes``. ``figures`` says of each figure of the rows what it is and how far it can be trusted.
    ``tuned.wanted`` has what was asked: ``refine`` of the best were simulated, ``top`` are shown in
    text. ``comparison`` is null where nothing was to be executed. A lead of less than
    ``noticeable_fraction`` is none.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["tune"] = "tune"
    target: Annotated[str, Metric("Target")]
    kernels: Annotated[list[str], Metric("Kernels")]
    overrides: dict[str, str]
    """Values of ``--set``, which hold for every machine."""
    axes: tuple[Axis, ...]
    conditions: list[str]
    figures: Mapping[str, Metric]
    noticeable_fraction: float
    comparison: ComparisonsMade | None
    tuned: Tuned
    assumptions: list[SweepAssumption]

    @derived("Model")
    def engine(self) -> str:
        """Engine that gives the times."""
        return engine_with(self.figures)

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """How far figures can be trusted: times, and what is ranked by them, are modelled."""
        modelled = [
            "tuned.machines.failures.figures", "tuned.common.geometric_mean_ratio",
            "tuned.common.worst_ratio",
        ]  # fmt: skip
        found: dict[str, Mark] = {}
        for part in ("default", "choices", "different"):
            choice = f"tuned.machines.{part}"
            modelled += [f"{choice}.row.figures", f"{choice}.row.rank"]
            found |= {
                f"{choice}.row.figures.{name}": metric.mark or Mark.MODELLED
                for name, metric in self.figures.items()
            }
        return dict.fromkeys(modelled, Mark.MODELLED) | found


def tune_report(found: Tuned) -> TuneReport:
    """The report of what tuning came to."""
    wanted, how = found.wanted, found.wanted.how
    rows = [choice.row for one in found.machines for choice in (*one.choices, *one.different)]
    return TuneReport(
        target=wanted.variants[0].target.path,
        kernels=list(dict.fromkeys(demangle(job.kernel.name) for job in found.kernels)),
        overrides={key: shown_value(value) for key, value in sorted(how.overrides.items())},
        axes=with_kinds([a for a in found.axes if a.name not in _APART], found.sizes),
        conditions=list(wanted.space.conditions),
        figures=metrics_of(how.engine, rows),
        noticeable_fraction=NOTICEABLE,
        comparison=None if wanted.comparer is None else wanted.comparer.made(wanted.top),
        tuned=found,
        assumptions=[
            SweepAssumption(text=text, rows=len(places))
            for text, places in grouped(rows, assumptions_of).items()
        ],
    )
