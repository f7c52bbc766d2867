"""What ``explore`` answers: samples of a design space, models of them, and what these tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from warpmill.commands.explore.models import ModelFacts, model_facts
from warpmill.commands.explore.points import Scalar, in_order, known
from warpmill.exploring.answers import Answers, Modelled
from warpmill.exploring.explored import OfWorkload, PointSample
from warpmill.exploring.fitting import Fitting
from warpmill.exploring.predicted import Predicted
from warpmill.exploring.space import SpaceParameter
from warpmill.report.base import Id, Mark, Marks, Part, Report, marks
from warpmill.simulator.regression.errors import Likeness
from warpmill.simulator.regression.model import words_of_term


class SpaceParameterFacts(Part):
    """A parameter of the space. ``sets`` has for each machine key what it is set to.

    That is an expression of parameters, or in words how it is chosen. ``log2``: models look at the
    logarithm.
    """

    name: str
    about: str
    values: list[Scalar]
    log2: bool
    sets: dict[str, str]


class SampleFacts(Part):
    """A point that was simulated, by its place among the workload's samples.

    ``figures`` has those that are known; it is empty where ``reason`` says why there are none.
    ``ctas_per_sm`` has how many CTAs of a kernel an SM held at most, each number once.
    ``predicted`` is what the model says of the response there, ``low`` and ``high`` are the ends of
    its 95 % interval.
    """

    number: Id
    point: dict[str, Scalar]
    figures: dict[str, float]
    ctas_per_sm: list[int]
    predicted: float | None
    low: float | None
    high: float | None
    reason: str | None


class FailureFacts(Part):
    """Why points could not be simulated: a reason, with how many have it and the first one."""

    reason: str
    samples: int
    first: dict[str, Scalar]


class SpaceAssumptionFacts(Part):
    """What the figures of some samples rest on."""

    text: str
    samples: int


class WorkloadFacts(Part):
    """A workload: its samples, how many have no figures, and its model.

    ``left_out`` points of the study are of another space, other options or other code. ``reason``
    says why there is no model. ``reached`` says whether the model is as near as samples were drawn
    for; null where no error was aimed at.
    """

    workload: str
    samples: int
    not_measured: int
    left_out: int
    failures: list[FailureFacts]
    assumptions: list[SpaceAssumptionFacts]
    reached: bool | None
    model: ModelFacts | None
    reason: str | None
    rows: list[SampleFacts]


class LikenessFacts(Part):
    """How unlike workloads are, by what their models depend on.

    ``shares`` has a row a workload and a column a parameter: shares of what the model explains.
    ``distances`` are half the sums of the differences of two rows: 0 for equal shares, 1 where no
    parameter matters to both; null where a model explains nothing.
    """

    workloads: list[str]
    parameters: list[str]
    shares: list[list[float | None]]
    distances: list[list[float | None]]


class ExploreReport(Report):
    """A design space explored: samples of its points simulated for workloads, and models of them.

    ``points`` is how many the space has. ``fixed`` has parameters that models leave out, being of
    samples with those values. ``theta`` and ``phi`` are the thresholds that a term, or an
    interaction, has to better R² by; null where ``terms`` were given. ``until_error_percent`` is
    the mean error that samples were drawn for. ``suggest`` is how many points to simulate next were
    asked for: fewer are named where fewer are left.
    """

    report: Literal["explore"] = "explore"
    study: str
    store: str | None
    space: str
    about: str
    base: str
    constants: dict[str, str]
    parameters: list[SpaceParameterFacts]
    conditions: list[str]
    points: int
    response: str
    larger_is_better: bool
    theta: float | None
    phi: float | None
    terms: list[str] | None
    until_error_percent: float | None
    fixed: dict[str, Scalar]
    searched: list[str]
    """Further conditions under which best points, the front and suggestions were looked for."""
    cost: str | None
    suggest: int
    workloads: list[WorkloadFacts]
    likeness: LikenessFacts | None
    marks: Marks


def explore_report(found: Answers) -> ExploreReport:
    """Report an exploration and what its models tell."""
    space, asked = found.explored.space, found.asked
    return ExploreReport(
        study=found.explored.study,
        store=found.explored.store,
        space=space.name,
        about=space.about,
        base=space.base,
        constants={key: str(value) for key, value in space.constants},
        parameters=[_parameter(each) for each in space.parameters],
        conditions=list(space.conditions),
        points=space.design.count,
        response=asked.fitting.response,
        larger_is_better=asked.largest,
        theta=asked.fitting.theta if asked.fitting.terms is None else None,
        phi=asked.fitting.phi if asked.fitting.terms is None else None,
        terms=_given_terms(asked.fitting),
        until_error_percent=asked.until_error,
        fixed=dict(asked.fitting.fixed),
        searched=list(asked.where),
        cost=asked.cost,
        suggest=asked.suggest,
        workloads=[_workload(one, found) for one in found.workloads],
        likeness=_likeness(found.likeness),
        marks=_marks(),
    )


def _given_terms(fitting: Fitting) -> list[str] | None:
    return None if fitting.terms is None else [words_of_term(term) for term in fitting.terms]


def _marks() -> dict[str, Mark]:
    """Mark figures: what follows from simulated times is modelled.

    What is counted is exact, and so is what was asked: points, their costs, knots.
    """
    modelled = {f"workloads__model__{name}": Mark.MODELLED for name in (
        "r_squared", "adjusted_r_squared", "aic", "terms", "coefficients", "errors", "ranking",
        "best", "front", "points", "curves", "suggestions",
    )}  # fmt: skip
    exact = {f"workloads__model__{name}": Mark.EXACT for name in (
        "coefficients__at", "errors__folds", "errors__unknown", "best__point", "best__cost",
        "front__point", "front__cost", "points__point", "points__cost", "curves__at",
        "curves__rows__point", "curves__rows__cost", "suggestions__point",
    )}  # fmt: skip
    return marks(
        ExploreReport,
        Mark.EXACT,
        workloads__rows__figures=Mark.MODELLED,
        workloads__rows__predicted=Mark.MODELLED,
        workloads__rows__low=Mark.MODELLED,
        workloads__rows__high=Mark.MODELLED,
        likeness=Mark.MODELLED,
        **modelled,
        **exact,
    )


def _parameter(each: SpaceParameter) -> SpaceParameterFacts:
    how = each.realisation
    if how.rule == "concurrency":
        sets = dict.fromkeys(how.keys, "as so many CTAs need")
    elif how.rule == "simd":
        sets = {"sm.simd_width": each.name, "lanes.*": "in proportion"}
    else:
        sets = {how.key: each.name} if how.key is not None else dict(how.formulas)
    values = list(each.parameter.values)
    return SpaceParameterFacts(
        name=each.name, about=each.about, values=values, log2=each.log2, sets=sets
    )


def _workload(one: Modelled, found: Answers) -> WorkloadFacts:
    own, names = one.found, list(found.explored.space.design.names)
    aim = found.asked.until_error
    return WorkloadFacts(
        workload=own.title,
        samples=len(own.samples),
        not_measured=len(own.failures),
        left_out=own.others,
        failures=_failures(own, names),
        assumptions=_assumptions(own),
        reached=None if aim is None else one.is_near(aim),
        model=model_facts(one.model, one, found) if one.model is not None else None,
        reason=one.reason,
        rows=[_sample(place, each, one.sampled, names) for place, each in enumerate(own.samples)],
    )


def _assumptions(own: OfWorkload) -> list[SpaceAssumptionFacts]:
    counts: dict[str, int] = {}
    for each in own.measured:
        for text in _rests_on(each):
            counts[text] = counts.get(text, 0) + 1
    return [SpaceAssumptionFacts(text=text, samples=number) for text, number in counts.items()]


def _rests_on(one: PointSample) -> Iterator[str]:
    if one.facts.get("registers_assumed"):
        yield "the registers of a thread are assumed"
    if one.facts.get("sampled"):
        yield "a part was simulated and continued in a line"
    yield from one.facts.get("assumptions", ())


def _failures(own: OfWorkload, names: list[str]) -> list[FailureFacts]:
    grouped: dict[str, list[PointSample]] = {}
    for each in own.failures:
        grouped.setdefault(each.problem or "", []).append(each)
    return [
        FailureFacts(reason=reason, samples=len(rows), first=in_order(rows[0].point, names))
        for reason, rows in sorted(grouped.items(), key=lambda pair: -len(pair[1]))
    ]


def _sample(
    place: int, each: PointSample, said: Mapping[int, Predicted], names: list[str]
) -> SampleFacts:
    own = said.get(place)
    return SampleFacts(
        number=place,
        point=in_order(each.point, names),
        figures=dict(each.figures),
        ctas_per_sm=list(each.facts.get("ctas_per_sm", ())),
        predicted=None if own is None else own.value,
        low=None if own is None else own.low,
        high=None if own is None else own.high,
        reason=each.problem,
    )


def _likeness(own: Likeness | None) -> LikenessFacts | None:
    if own is None:
        return None
    return LikenessFacts(
        workloads=list(own.workloads),
        parameters=list(own.parameters),
        shares=[_row(row) for row in own.shares.tolist()],
        distances=[_row(row) for row in own.distances.tolist()],
    )


def _row(values: Sequence[float]) -> list[float | None]:
    return [known(value) for value in values]
