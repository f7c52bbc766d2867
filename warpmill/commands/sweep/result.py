"""Result of ``sweep``: configurations with their figures, the best of them, and fronts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.report.assumed import shown_value
from warpmill.report.base import Id, Part, Report
from warpmill.sweeps.figures import Ranking, engine_with
from warpmill.sweeps.space import Axis
from warpmill.sweeps.summary import (
    Best,
    CommonChoice,
    Effect,
    assumptions_of,
    best_of_each,
    common_choice,
    effects,
    given_names,
    grouped,
    metrics_of,
    with_kinds,
    with_ranks,
)
from warpmill.sweeps.sweep import MeasuredConfiguration, Swept


class Front(Part):
    """The rows that no other one beats in both time and the figure of ``by``, the fastest first.

    ``reason`` says why there are none.
    """

    by: Ranking
    found: Annotated[list[MeasuredConfiguration], INTERNAL]
    reason: str | None

    @derived("Numbers")
    def rows(self) -> list[Id]:
        """The numbers of the rows."""
        return [row.number for row in self.found]


class SweepReason(Part):
    """Reason why some rows were not measured, or are not ranked."""

    reason: str
    rows: list[Id]


class SweepAssumption(Part):
    """Assumption that the figures of some rows rest on."""

    text: str
    rows: int


class SweepReport(Report):
    """A launch in many configurations. ``rows`` are in the order of the space.

    ``figures`` says of each figure of the rows what it is and how far it can be trusted.
    ``reasons`` say why rows were not measured; those of ``out_of_bounds`` access memory that they
    do not have, and are not ranked where others do not.
    ``best`` are the numbers of the best rows. ``fronts`` are those that were asked for.
    ``given`` are the axes that nobody chooses; ``best_of_each`` has their combinations.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["sweep"] = "sweep"
    target: Annotated[str, Metric("Target")]
    kernels: Annotated[list[str], Metric("Kernels")]
    overrides: dict[str, str]
    """Values of ``--set``, which hold for every machine."""
    axes: tuple[Axis, ...]
    conditions: list[str]
    figures: Mapping[str, Metric]
    ranked_by: Ranking
    best: list[Id]
    given: list[str]
    best_of_each: tuple[Best, ...]
    common_choice: CommonChoice | None
    effects: tuple[Effect, ...]
    fronts: list[Front]
    reasons: list[SweepReason]
    out_of_bounds: list[SweepReason]
    assumptions: list[SweepAssumption]
    rows: tuple[MeasuredConfiguration, ...]

    @derived("Model")
    def engine(self) -> str:
        """Engine that gives the times."""
        return engine_with(self.figures)

    @derived("Configurations")
    def configurations(self) -> int:
        """How many configurations there are."""
        return len(self.rows)

    @derived("Configurations not measured")
    def not_measured(self) -> int:
        """How many configurations have no figures."""
        return sum(row.problem is not None for row in self.rows)

    @property
    def ranked(self) -> list[MeasuredConfiguration]:
        """The rows that have a rank, the best first."""
        ranked = [row for row in self.rows if row.rank is not None]
        return sorted(ranked, key=lambda row: row.rank or 0)

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """How far figures can be trusted; what is ranked, as far as the figure that ranks it."""
        marks = {name: metric.mark or Mark.MODELLED for name, metric in self.figures.items()}
        ranked = marks.get(self.ranked_by.figure, Mark.EXACT)
        of_ranks = ("rows.rank", "best_of_each.worst_ratio", "common_choice.geometric_mean_ratio",
                    "common_choice.worst_ratio")  # fmt: skip
        return {
            "rows.figures": Mark.MODELLED,
            **{f"rows.figures.{name}": mark for name, mark in marks.items()},
            **dict.fromkeys(of_ranks, ranked),
        }


@dataclass(frozen=True)
class SweepRequest:
    """Parts of a sweep to show: how many of the best, by which figure, against which.

    ``given`` are the axes that nobody chooses; None: sizes and what machines are.
    """

    top: int = 10
    by: Ranking = field(default_factory=Ranking)
    fronts: tuple[Ranking, ...] = ()
    given: tuple[str, ...] | None = None


def sweep_report(found: Swept, asked: SweepRequest) -> SweepReport:
    """The report of a sweep."""
    axes, sound, engine = found.axes, found.ranked, found.how.engine
    rows = with_ranks(found.rows, sound, asked.by)
    ranked = [row for row in rows if row.rank is not None and row.rank <= asked.top]
    given = given_names(axes, found.sizes) if asked.given is None else asked.given
    kept = {row.number for row in sound}
    faulty = [row for row in found.measured if row.number not in kept]
    return SweepReport(
        target=found.target.path,
        kernels=list(found.kernels),
        overrides={k: shown_value(value) for k, value in sorted(found.how.overrides.items())},
        axes=with_kinds(axes, found.sizes),
        conditions=list(found.space.conditions),
        figures=metrics_of(engine, found.measured),
        ranked_by=asked.by,
        best=[row.number for row in sorted(ranked, key=lambda row: row.rank or 0)],
        given=list(given),
        best_of_each=best_of_each(sound, given, asked.by) if given else (),
        common_choice=common_choice(sound, axes, given, asked.by),
        effects=effects(sound, axes),
        fronts=[_front(found, front, rows) for front in asked.fronts],
        reasons=_reasons(rows, lambda row: [row.problem] if row.problem else []),
        out_of_bounds=_reasons(faulty, lambda row: row.facts["overruns"][:1]),
        assumptions=[
            SweepAssumption(text=text, rows=len(numbers))
            for text, numbers in grouped(rows, assumptions_of).items()
        ],
        rows=rows,
    )


def _reasons(
    rows: Sequence[MeasuredConfiguration], said: Callable[[MeasuredConfiguration], Sequence[str]]
) -> list[SweepReason]:
    return [
        SweepReason(reason=text, rows=[rows[place].number for place in places])
        for text, places in grouped(rows, said).items()
    ]


def _front(found: Swept, by: Ranking, rows: Sequence[MeasuredConfiguration]) -> Front:
    try:
        front = found.front(by.figure, largest=by.larger_is_better)
    except UsageError:  # its name was known before anything was measured
        reason = f"{by.figure} is unknown of all configurations"
        return Front(by=by, found=[], reason=reason)
    return Front(by=by, found=[rows[row.number] for row in front], reason=None)
