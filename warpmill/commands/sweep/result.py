"""What ``sweep`` answers: configurations with their figures, the best of them, and fronts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.commands.sweep.configurations import (
    AxisFacts,
    CommonFacts,
    ConfigurationFacts,
    FigureFacts,
    RankingFacts,
    ReasonFacts,
    Scalar,
    SweptAssumptionFacts,
    assumed_of,
    axis_facts,
    common_facts,
    figure_marks,
)
from warpmill.report.assumed import shown_value
from warpmill.report.base import Id, Mark, Marks, Part, Report, marks
from warpmill.sweeps.evaluation import FIGURES
from warpmill.sweeps.figures import KINDS, TIME, Ranking
from warpmill.sweeps.summary import (
    Best,
    Effect,
    best_of_each,
    common_choice,
    effects,
    given_names,
    grouped,
    ranked_by,
)
from warpmill.sweeps.sweep import MeasuredConfiguration, Swept


class BestFacts(Part):
    """The best row of those in which axes have the values of ``of``.

    ``worst_ratio`` says by how many times the worst of these ``rows`` is worse.
    """

    of: dict[str, Scalar]
    row: Id
    rows: int
    worst_ratio: float | None


class EffectFacts(Part):
    """What a value of an axis does to the time, in groups of rows that differ in the axis alone.

    ``geometric_mean_ratio`` is of time over that of the best value, ``best_in`` counts the
    ``groups`` in which the value is the best.
    """

    axis: str
    value: Scalar
    geometric_mean_ratio: float
    best_in: int
    groups: int


class FrontFacts(Part):
    """The rows that no other one beats in both time and a figure, the fastest first.

    ``reason`` says why there are none.
    """

    figure: str
    larger_is_better: bool
    rows: list[Id]
    reason: str | None


class SweepReport(Report):
    """A launch in many configurations. ``rows`` are in the order of the space.

    ``reasons`` say why rows were not measured; those of ``out_of_bounds`` access memory that they
    do not have, and are not ranked where others do not.
    ``best`` are the numbers of the best rows. ``fronts`` are those that were asked for.
    ``given`` are the axes that nobody chooses; ``best_of_each`` has their combinations.
    """

    report: Literal["sweep"] = "sweep"
    target: str
    kernels: list[str]
    engine: str
    overrides: dict[str, str]
    """Values of ``--set``, which hold for every machine."""
    axes: list[AxisFacts]
    conditions: list[str]
    figures: list[FigureFacts]
    configurations: int
    not_measured: int
    ranked_by: RankingFacts
    best: list[Id]
    given: list[str]
    best_of_each: list[BestFacts]
    common_choice: CommonFacts | None
    effects: list[EffectFacts]
    fronts: list[FrontFacts]
    reasons: list[ReasonFacts]
    out_of_bounds: list[ReasonFacts]
    assumptions: list[SweptAssumptionFacts]
    rows: list[ConfigurationFacts]
    marks: Marks


@dataclass(frozen=True)
class SweepRequest:
    """What is to be shown of a sweep: how many of the best, by which figure, against which.

    ``given`` are the axes that nobody chooses; None: sizes and what machines are.
    """

    top: int = 10
    by: Ranking = field(default_factory=Ranking)
    fronts: tuple[Ranking, ...] = ()
    given: tuple[str, ...] | None = None


def sweep_report(found: Swept, asked: SweepRequest) -> SweepReport:
    """Report a sweep."""
    axes, rows, sound = found.axes, found.rows, found.ranked
    places = {id(row): place for place, row in enumerate(rows)}
    ranked = ranked_by(sound, asked.by)
    given = given_names(axes, found.sizes) if asked.given is None else asked.given
    each = best_of_each(sound, given, asked.by) if given else ()
    faulty = [row for row in found.measured if id(row) not in set(map(id, sound))]
    overrides = sorted(found.how.overrides.items())
    marked = figure_marks(found)
    return SweepReport(
        target=found.target.path,
        kernels=list(found.kernels),
        engine=found.how.engine,
        overrides={key: shown_value(value) for key, value in overrides},
        axes=[axis_facts(axis, found.sizes) for axis in axes],
        conditions=list(found.space.conditions),
        figures=[
            FigureFacts(name=name, unit=KINDS[name].unit, what=KINDS[name].what, mark=mark)
            for name, mark in marked.items()
        ],
        configurations=len(rows),
        not_measured=len(found.failures),
        ranked_by=RankingFacts(figure=asked.by.figure, larger_is_better=asked.by.largest),
        best=[places[id(row)] for row in ranked[: asked.top]],
        given=list(given),
        best_of_each=[_best(one, places) for one in each],
        common_choice=common_facts(common_choice(sound, axes, given, asked.by)),
        effects=[_effect(one) for one in effects(sound, axes)],
        fronts=[_front(found, front, places) for front in asked.fronts],
        reasons=[
            ReasonFacts(reason=text, rows=numbers)
            for text, numbers in grouped(rows, lambda r: [r.problem] if r.problem else []).items()
        ],
        out_of_bounds=[
            ReasonFacts(reason=text, rows=[places[id(faulty[n])] for n in numbers])
            for text, numbers in grouped(faulty, lambda r: r.facts["overruns"][:1]).items()
        ],
        assumptions=[
            SweptAssumptionFacts(text=text, rows=len(numbers))
            for text, numbers in grouped(rows, assumed_of).items()
        ],
        rows=_rows(found, ranked),
        marks=_marks(marked, asked.by),
    )


def _marks(marked: Mapping[str, Mark], by: Ranking) -> dict[str, Mark]:
    """Mark what stands in the report; what is ranked is as good as the figure that ranks it."""
    ranked = marked.get(by.figure, Mark.EXACT)
    own = marks(
        SweepReport,
        Mark.EXACT,
        rows__figures=Mark.MODELLED,
        rows__times_fastest=marked[TIME],
        rows__rank=ranked,
        best_of_each__worst_ratio=ranked,
        common_choice__geometric_mean_ratio=ranked,
        common_choice__worst_ratio=ranked,
        effects__geometric_mean_ratio=marked[TIME],
        effects__best_in=marked[TIME],
    )
    return own | {f"rows.figures.{name}": mark for name, mark in marked.items()}


def _best(one: Best, places: Mapping[int, int]) -> BestFacts:
    row = places[id(one.best)]
    return BestFacts(of=dict(one.of), row=row, rows=one.rows, worst_ratio=one.ratio)


def _effect(one: Effect) -> EffectFacts:
    return EffectFacts(
        axis=one.axis,
        value=one.value,
        geometric_mean_ratio=one.ratio,
        best_in=one.wins,
        groups=one.groups,
    )


def _front(found: Swept, asked: Ranking, places: Mapping[int, int]) -> FrontFacts:
    rows: list[int] = []
    reason = None
    try:
        front = found.front(asked.figure, largest=asked.largest)
        rows = [places[id(row)] for row in front]
    except UsageError:  # its name was known before anything was measured
        reason = f"{asked.figure} is unknown of all configurations"
    return FrontFacts(figure=asked.figure, larger_is_better=asked.largest, rows=rows, reason=reason)


def _rows(found: Swept, ranked: Sequence[MeasuredConfiguration]) -> list[ConfigurationFacts]:
    ranks = {id(row): rank for rank, row in enumerate(ranked, start=1)}
    fastest = min((row.figures[TIME] for row in found.ranked), default=0.0)
    names, own = [axis.name for axis in found.axes], FIGURES[found.how.engine]
    return [
        ConfigurationFacts(
            number=number,
            configuration={name: row.configuration[name] for name in names},
            figures={name: row.figures[name] for name in own if name in row.figures},
            times_fastest=row.figures[TIME] / fastest if row.figures and fastest > 0 else None,
            rank=ranks.get(id(row)),
            bound=row.facts.get("bound"),
            trace=row.facts.get("trace"),
            grid=row.facts.get("grid"),
            block=row.facts.get("block"),
            launches=row.facts.get("launches"),
            sampled=row.facts.get("sampled", False),
            reason=row.problem,
        )
        for number, row in enumerate(found.rows)
    ]
