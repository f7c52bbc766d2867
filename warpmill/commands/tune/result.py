"""What ``tune`` answers: choices on each machine, ranked, beside the launch as it is written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from warpmill.analyzer.base.naming import demangle
from warpmill.commands.sweep.configurations import (
    AxisFacts,
    CommonFacts,
    FigureFacts,
    Scalar,
    SweptAssumptionFacts,
    assumed_of,
    axis_facts,
    common_facts,
    figure_marks,
)
from warpmill.report.assumed import shown_value
from warpmill.report.base import Mark, Marks, Part, Report, marks
from warpmill.sweeps.evaluation import FIGURES
from warpmill.sweeps.figures import KINDS
from warpmill.sweeps.summary import grouped
from warpmill.sweeps.sweep import MeasuredConfiguration, Swept
from warpmill.tuning.model import NOTICEABLE, VARIANT, Choice, MachineTuning, Outcome, Tuned
from warpmill.tuning.verdicts import TOLERANCES, Verdict

_APART = (VARIANT, "machine")
"""What of a choice has a key of its own."""

Result = Literal["same", "different", "unknown", "not executed"]


class VariantFacts(Part):
    """A way to do the launch's work; ``kernel`` null: the only one of the file, or all of it."""

    name: str
    file: str
    kernel: str | None


class ChoiceFacts(Part):
    """A choice on a machine, or the launch as it is written.

    ``configuration`` has what is varied, by the names of ``axes``; ``figures`` are by the names in
    the report's ``figures``. ``speedup``: by how many times it is faster than the default, by
    simulated times where it has one. ``result`` says whether it leaves in memory what the default
    does; ``kind`` and ``reason`` what differs, or why nobody knows, in few words and in all.
    ``difference_fraction`` is how far numbers are apart at most, as a share of the number or of the
    median of its buffer; null where nothing was compared or one of them is not finite.
    """

    rank: int | None
    """1 for the best; null where it is not ranked."""
    variant: str
    configuration: dict[str, Scalar]
    is_default: bool
    figures: dict[str, float]
    speedup: float | None
    bound: str | None
    trace: str | None
    grid: list[int] | None
    block: list[int] | None
    result: Result
    difference_fraction: float | None
    kind: str | None
    reason: str | None
    simulated_us: float | None
    not_simulated: str | None
    """Why it has no simulated time where one was asked for."""


class NotMeasuredFacts(Part):
    """Why some choices have no time; ``variant`` is among what each consists of."""

    reason: str
    choices: list[dict[str, Scalar]]


class MachineFacts(Part):
    """The choices of a machine, the best first; those with another result are ``different``.

    ``outcome`` says what the best is of those that are known to compute what the default does:
    ``faster`` than the default by ``noticeable_fraction`` or more, ``as good``, ``no default``
    where the default has no time there (``default_reason``), ``unchecked`` where none that is
    faster is known to compute the same, or ``nothing`` where no choice remains. ``best_rank`` is
    the rank of that one; ``unchecked_rank`` that of a faster one of which nobody knows. ``default``
    is among ``choices``, too, where it is one.
    """

    machine: str
    outcome: Outcome
    best_rank: int | None
    unchecked_rank: int | None
    default: ChoiceFacts
    default_reason: str | None
    choices: list[ChoiceFacts]
    different: list[ChoiceFacts]
    not_measured: list[NotMeasuredFacts]


class TuneCheckFacts(Part):
    """How choices were executed, ``runs`` of them with the default.

    ``sizes`` are those of the runs where they are others than the launch's; ``sizes_are_chosen``
    where nobody said them, and the launch as it is takes more than ``max_instructions``.
    ``data_are_random`` where nobody said what buffers hold. ``tolerances`` say how far numbers may
    be apart, by the type of a buffer.
    """

    runs: int
    best: int
    """So many of each machine's best choices are executed."""
    sizes: dict[str, str]
    sizes_are_chosen: bool
    data_are_random: bool
    max_instructions: int
    tolerances: dict[str, float]


class TuneReport(Report):
    """Which configuration of a launch is the fastest on each machine.

    Choices are all ``variants``, the first of which is the launch itself, in all configurations of
    ``axes``. ``refined`` is how many of the best were simulated. ``check`` is null where nothing
    was to be executed. ``common_choice`` is by the times of ``engine``, where the best were
    simulated of those that were on each machine and by these times. ``shown`` of the best are shown
    in text.
    """

    report: Literal["tune"] = "tune"
    target: str
    kernels: list[str]
    engine: str
    refined: int
    shown: int
    overrides: dict[str, str]
    """Values of ``--set``, which hold for every machine."""
    variants: list[VariantFacts]
    axes: list[AxisFacts]
    conditions: list[str]
    figures: list[FigureFacts]
    noticeable_fraction: float
    check: TuneCheckFacts | None
    machines: list[MachineFacts]
    common_choice: CommonFacts | None
    common_speedup: float | None
    """By how many times it is faster than the default, geometric mean of all machines."""
    assumptions: list[SweptAssumptionFacts]
    marks: Marks


def tune_report(found: Tuned) -> TuneReport:
    """Report what tuning came to."""
    rows = [choice.row for one in found.machines for choice in (*one.choices, *one.different)]
    marked = figure_marks(_swept(found, rows))
    how = found.wanted.how
    return TuneReport(
        target=found.wanted.variants[0].target.path,
        kernels=list(dict.fromkeys(demangle(job.kernel.name) for job in found.kernels)),
        engine=how.engine,
        refined=found.wanted.refine,
        shown=found.wanted.top,
        overrides={key: shown_value(value) for key, value in sorted(how.overrides.items())},
        variants=_variants(found),
        axes=[axis_facts(axis, found.sizes) for axis in found.axes if axis.name not in _APART],
        conditions=list(found.wanted.space.conditions),
        figures=[
            FigureFacts(name=name, unit=KINDS[name].unit, what=KINDS[name].what, mark=mark)
            for name, mark in marked.items()
        ],
        noticeable_fraction=NOTICEABLE,
        check=_check(found),
        machines=[_machine(one, found) for one in found.machines],
        common_choice=common_facts(found.common),
        common_speedup=_common_speedup(found),
        assumptions=[
            SweptAssumptionFacts(text=text, rows=len(places))
            for text, places in grouped(rows, assumed_of).items()
        ],
        marks=_marks(marked),
    )


def _swept(found: Tuned, rows: Sequence[MeasuredConfiguration]) -> Swept:
    wanted = found.wanted
    return Swept(wanted.variants[0].target, wanted.how, wanted.space, tuple(rows), 0, 0.0)


def _marks(marked: dict[str, Mark]) -> dict[str, Mark]:
    own = marks(TuneReport, Mark.EXACT)
    for key in own:
        last = key.rpartition(".")[2]
        if last in {
            "rank",
            "best_rank",
            "unchecked_rank",
            "speedup",
            "common_speedup",
            "simulated_us",
        } or key.endswith("_ratio"):
            own[key] = Mark.MODELLED
    for part in ("default", "choices", "different"):
        own[f"machines.{part}.figures"] = Mark.MODELLED
        own |= {f"machines.{part}.figures.{name}": mark for name, mark in marked.items()}
    return own


def _variants(found: Tuned) -> list[VariantFacts]:
    return [
        VariantFacts(
            name=one.name,
            file=one.target.path if one.target.code is None else one.target.code.path,
            kernel=one.target.kernel if one.target.code is None else one.target.code.kernel,
        )
        for one in found.wanted.variants
    ]


def _check(found: Tuned) -> TuneCheckFacts | None:
    checker = found.wanted.checker
    if checker is None:
        return None
    return TuneCheckFacts(
        runs=found.runs,
        best=found.wanted.top,
        sizes={name: str(value) for name, value in checker.sizes.items()},
        sizes_are_chosen=checker.are_chosen,
        data_are_random=checker.is_random,
        max_instructions=checker.max_instructions,
        tolerances=dict(TOLERANCES),
    )


def _machine(one: MachineTuning, found: Tuned) -> MachineFacts:
    reasons = grouped(one.failures, lambda row: [row.problem or ""])
    return MachineFacts(
        machine=one.machine,
        outcome=one.outcome,
        best_rank=None if one.best is None else one.choices.index(one.best) + 1,
        unchecked_rank=None if one.unchecked is None else 1,
        default=_choice(one.default, one, found, _rank(one)),
        default_reason=one.default.row.problem,
        choices=[_choice(c, one, found, rank) for rank, c in enumerate(one.choices, start=1)],
        different=[_choice(c, one, found, None) for c in one.different],
        not_measured=[
            NotMeasuredFacts(
                reason=text,
                choices=[
                    {VARIANT: str(row.configuration[VARIANT]), **_configuration(row, found)}
                    for row in (one.failures[place] for place in places)
                ],
            )
            for text, places in reasons.items()
        ],
    )


def _rank(one: MachineTuning) -> int | None:
    ranks = (rank for rank, c in enumerate(one.choices, start=1) if c.is_default)
    return next(ranks, None)


def _configuration(row: MeasuredConfiguration, found: Tuned) -> dict[str, Scalar]:
    names = [axis.name for axis in found.axes if axis.name not in _APART]
    return {name: row.configuration[name] for name in names if name in row.configuration}


def _choice(one: Choice, there: MachineTuning, found: Tuned, rank: int | None) -> ChoiceFacts:
    row, simulated = one.row, one.simulated
    verdict = one.verdict or Verdict(None)
    apart = verdict.apart
    return ChoiceFacts(
        rank=rank,
        variant=one.variant,
        configuration=_configuration(row, found),
        is_default=one.is_default,
        figures={
            name: row.figures[name]
            for name in FIGURES[found.wanted.how.engine]
            if name in row.figures
        },
        speedup=there.speedup(one),
        bound=row.facts.get("bound"),
        trace=row.facts.get("trace"),
        grid=row.facts.get("grid"),
        block=row.facts.get("block"),
        result=_result(one.verdict),
        difference_fraction=apart if verdict.same is not None and math.isfinite(apart) else None,
        kind=verdict.kind,
        reason=verdict.reason,
        simulated_us=one.microseconds if one.is_simulated else None,
        not_simulated=None if simulated is None else simulated.problem,
    )


def _result(verdict: Verdict | None) -> Result:
    if verdict is None:
        return "not executed"
    if verdict.same is None:
        return "unknown"
    return "same" if verdict.same else "different"


def _common_speedup(found: Tuned) -> float | None:
    """Compare the common choice with the default. None: there is none, or it has no time."""
    if found.common is None:
        return None
    chosen = found.common.choice
    speedups = [
        one.speedup(choice)
        for one in found.machines
        for choice in one.choices
        if all(choice.row.configuration[name] == value for name, value in chosen.items())
    ]
    known = [speedup for speedup in speedups if speedup]
    return math.prod(known) ** (1 / len(known)) if len(known) == len(speedups) else None
