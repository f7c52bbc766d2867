"""What ``tune`` answers: choices on each machine, ranked, beside the launch as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import Mark, Metric
from warpmill.analyzer.base.naming import demangle
from warpmill.commands.sweep.result import SweepAssumption
from warpmill.report.assumed import shown_value
from warpmill.report.base import Report
from warpmill.sweeps.space import Axis
from warpmill.sweeps.summary import (
    CommonChoice,
    assumptions_of,
    grouped,
    metrics_of,
    with_kinds,
)
from warpmill.tuning.checking import ChecksMade
from warpmill.tuning.model import NOTICEABLE, VARIANT, MachineTuning, Tuned
from warpmill.tuning.variants import Variant

_APART = (VARIANT, "machine")
"""What of a choice is no axis."""


class TuneReport(Report):
    """Which configuration of a launch is the fastest on each machine.

    Choices are all ``variants``, the first of which is the launch itself, in all configurations of
    ``axes``. ``figures`` says of each figure of the rows what it is and how far it can be trusted.
    ``refined`` is how many of the best were simulated. ``check`` is null where nothing was to be
    executed. ``common_choice`` is by the times of ``engine``, where the best were simulated of
    those that were on each machine and by these times; ``common_speedup`` says by how many times it
    is faster than the default, geometric mean of all machines. ``shown`` of the best are shown in
    text. A lead of less than ``noticeable_fraction`` is none.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["tune"] = "tune"
    target: Annotated[str, Metric("Target")]
    kernels: Annotated[list[str], Metric("Kernels")]
    engine: str
    refined: int
    shown: int
    overrides: dict[str, str]
    """Values of ``--set``, which hold for every machine."""
    variants: tuple[Variant, ...]
    axes: tuple[Axis, ...]
    conditions: list[str]
    figures: Mapping[str, Metric]
    noticeable_fraction: float
    check: ChecksMade | None
    machines: tuple[MachineTuning, ...]
    common_choice: CommonChoice | None
    common_speedup: Annotated[float | None, Metric("Speedup")]
    assumptions: list[SweepAssumption]

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """How far figures can be trusted: times, and what is ranked by them, are modelled."""
        modelled = [
            "machines.failures.figures", "common_speedup", "common_choice.geometric_mean_ratio",
            "common_choice.worst_ratio",
        ]  # fmt: skip
        found: dict[str, Mark] = {}
        for part in ("default", "choices", "different"):
            choice = f"machines.{part}"
            modelled += [f"{choice}.row.figures", f"{choice}.row.rank"]
            found |= {
                f"{choice}.row.figures.{name}": metric.mark or Mark.MODELLED
                for name, metric in self.figures.items()
            }
        return dict.fromkeys(modelled, Mark.MODELLED) | found


def tune_report(found: Tuned) -> TuneReport:
    """The report of what tuning came to."""
    wanted, how, engine = found.wanted, found.wanted.how, found.wanted.how.engine
    machines, variants, speedup = found.machines, wanted.variants, found.common_speedup
    rows = [choice.row for one in machines for choice in (*one.choices, *one.different)]
    return TuneReport(
        target=variants[0].target.path,
        kernels=list(dict.fromkeys(demangle(job.kernel.name) for job in found.kernels)),
        engine=engine,
        refined=wanted.refine,
        shown=wanted.top,
        overrides={key: shown_value(value) for key, value in sorted(how.overrides.items())},
        variants=variants,
        axes=with_kinds([a for a in found.axes if a.name not in _APART], found.sizes),
        conditions=list(wanted.space.conditions),
        figures=metrics_of(engine, rows),
        noticeable_fraction=NOTICEABLE,
        check=None if wanted.checker is None else wanted.checker.made(wanted.top),
        machines=machines,
        common_choice=found.common,
        common_speedup=speedup,
        assumptions=[
            SweepAssumption(text=text, rows=len(places))
            for text, places in grouped(rows, assumptions_of).items()
        ],
    )
