"""Result of ``compare``: variants side by side, and their differences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Annotated, Any, ClassVar, Literal

from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.report.base import Part, Report
from warpmill.report.fields import ResultField, fields_of
from warpmill.session.estimates import Estimator, with_ends
from warpmill.session.jobs import Job
from warpmill.session.launch_estimates import EstimateAnswer, answer_of, estimators
from warpmill.session.options import EstimateOptions, RegisterSources, TraceOptions
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.resources import Term, share_of

Options = tuple[RegisterSources, TraceOptions, EstimateOptions]


class CauseTime(Part):
    """The part of a variant's time that has one cause."""

    cause: Term
    time_us: Annotated[float, Metric("Time", "µs")]


class Variant(Part):
    """One target on one machine: the estimates of its launches, which run one after another.

    ``answers`` are those of the launches, in their order.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    target: Annotated[str, Metric("Target")]
    machine: Annotated[str, Metric("Machine")]
    kernels: Annotated[tuple[str, ...], Metric("Kernels")]
    estimates: tuple[Estimate, ...]
    answers: tuple[EstimateAnswer, ...]

    @derived("Duration", "µs")
    def time_us(self) -> float:
        """The time of all launches."""
        return math.fsum(one.time_us for one in self.estimates)

    @derived("Bound by")
    def bound(self) -> str:
        """Bound of the launch that takes longest."""
        return max(self.estimates, key=lambda one: one.time_us).bound

    @derived("Time breakdown")
    def breakdown(self) -> tuple[CauseTime, ...]:
        """The time of all launches by cause, the most first."""
        found: dict[Term, float] = {}
        for one in self.estimates:
            for share in one.shares:
                found[share.cause] = found.get(share.cause, 0.0) + share.fraction * one.time_us
        ordered = sorted(found.items(), key=lambda pair: -pair[1])
        return tuple(CauseTime(cause=cause, time_us=time) for cause, time in ordered)


class ComparedFigure(Part):
    """One figure of all variants, in their order; null where a variant has none.

    ``change`` is the greatest factor, up or down, between the first variant and another one, null
    where the first one has 0 or none.
    """

    field: Annotated[ResultField, INTERNAL]
    before: Annotated[str, INTERNAL]
    values: Annotated[tuple[float | None, ...], Metric("Values")]

    @property
    def metric(self) -> Metric:
        """Label, unit and mark of the figure."""
        assert self.field.metric is not None
        return self.field.metric

    @derived("Key")
    def key(self) -> str:
        """The dotted path of the figure in an estimate's JSON."""
        return f"{self.before}{self.field.name}"

    @derived("Name")
    def label(self) -> str:
        """Label of the figure."""
        return self.metric.label

    @derived("Unit")
    def unit(self) -> str:
        """Its unit."""
        return self.metric.unit

    @derived("Largest change", "x")
    def change(self) -> float | None:
        """The greatest of the factors, those below 1 turned over."""
        first, *others = self.values
        known = [v / first for v in others if v and first]
        return max((max(k, 1 / k) for k in known if k > 0), default=None)

    @property
    def differs(self) -> bool:
        """Whether any variant has another value than the first."""
        return any(value != self.values[0] for value in self.values)


class CompareReport(Report):
    """Variants side by side; the first is what the others are compared with."""

    mark: ClassVar[Mark] = Mark.MODELLED

    report: Literal["compare"] = "compare"
    variants: list[Variant]

    @derived("Names")
    def names(self) -> tuple[str, ...]:
        """Headings of the columns of variants: the parts that they differ in."""
        return _names(self.variants)

    @derived("Ratios", "x")
    def ratios(self) -> tuple[float | None, ...]:
        """The time of each variant over that of the first."""
        return tuple(share_of(one.time_us, self.variants[0].time_us) for one in self.variants)

    @derived("Figures")
    def figures(self) -> tuple[ComparedFigure, ...]:
        """Figures that differ, the greatest change first; of variants with one launch each."""
        if any(len(one.estimates) != 1 for one in self.variants):
            return ()
        rows = list(_figures([one.estimates[0] for one in self.variants]))
        return tuple(sorted((row for row in rows if row.differs), key=_order))

    @derived("Summary")
    def answer(self) -> tuple[str, ...]:
        """Each other variant beside the first: how much faster, and by what."""
        first, *others = self.variants
        return tuple(
            _sentence(self.names[0], first, name, other)
            for name, other in zip(self.names[1:], others, strict=True)
        )


def variants(
    target: str, jobs: Sequence[Job], machines: Sequence[Machine], options: Options
) -> Iterator[Variant]:
    """A target on each machine. InputError where a launch does not fit on one."""
    ends = [estimators(job, *options) for job in jobs]
    for machine in machines:
        found = [_estimated(each, machine) for each in ends]
        yield Variant(
            target=target,
            machine=machine.name,
            kernels=tuple(dict.fromkeys(job.kernel.name for job in jobs)),
            estimates=tuple(estimate for estimate, _ in found),
            answers=tuple(answer for _, answer in found),
        )


def _estimated(ends: Sequence[Estimator], machine: Machine) -> tuple[Estimate, EstimateAnswer]:
    low, *high = (end.on(machine) for end in ends)
    found = with_ends(low, *high)
    return found, answer_of(ends[0], machine, found)


def _names(found: Sequence[Variant]) -> tuple[str, ...]:
    """The shortest names that tell variants apart: of target, machine, or both; else numbered."""
    targets = list(dict.fromkeys(one.target for one in found))
    short = [PurePath(target).name for target in targets]
    named = dict(zip(targets, short if len({*short}) == len(short) else targets, strict=True))
    are_machines = len({one.machine for one in found}) > 1
    names, times = [], Counter[str]()
    for one in found:
        parts = [named[one.target]] if len(targets) > 1 else [one.machine]
        parts += [one.machine] if are_machines and len(targets) > 1 else []
        name = ", ".join(parts)
        times[name] += 1
        names.append(name if times[name] == 1 else f"{name} ({times[name]})")
    return tuple(names)


_PARTS = ("occupancy", "registers", "roofline")
"""Parts of an estimate whose figures are compared, too."""


def _figures(found: Sequence[Estimate]) -> Iterator[ComparedFigure]:
    for one in fields_of(Estimate):
        if one.name in _PARTS:
            parts = [getattr(estimate, one.name) for estimate in found]
            yield from _rows(type(parts[0]), parts, f"{one.name}.")
    yield from _rows(Estimate, found, "")


def _rows(kind: type, found: Sequence[Any], before: str) -> Iterator[ComparedFigure]:
    """The numbers among the fields of results of one class."""
    for one in fields_of(kind):
        values = tuple(getattr(result, one.name) for result in found)
        if one.metric is not None and all(map(_is_number, values)) and any(values):
            yield ComparedFigure(field=one, before=before, values=values)


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _order(row: ComparedFigure) -> tuple[float, str]:
    return -(math.inf if row.change is None else row.change), row.label


_LEAST = 0.02
"""Changes of causes below this part of the longer time are not told."""


def _sentence(first_name: str, first: Variant, name: str, other: Variant) -> str:
    """How another variant compares with the first, and which causes make the difference."""
    times = f"{other.time_us:,.4g} µs instead of {first.time_us:,.4g} µs"
    ratio = share_of(first.time_us, other.time_us)
    if ratio is None or abs(ratio - 1) < _LEAST / 2:
        head = f"{name} takes as long as {first_name}: {times}"
    elif ratio > 1:
        head = f"{name} is {ratio:.3g} times as fast as {first_name}: {times}"
    else:
        head = f"{name} takes {1 / ratio:.3g} times as long as {first_name}: {times}"
    before = {one.cause: one.time_us for one in first.breakdown}
    after = {one.cause: one.time_us for one in other.breakdown}
    changes = {c: after.get(c, 0.0) - before.get(c, 0.0) for c in (*before, *after)}
    least = _LEAST * max(first.time_us, other.time_us)
    great = sorted(
        ((c, d) for c, d in changes.items() if abs(d) >= least), key=lambda p: -abs(p[1])
    )
    words = [f"{c} {'adds' if d > 0 else 'saves'} {abs(d):,.4g} µs" for c, d in great[:3]]
    return f"{head}; {', '.join(words)}." if words else f"{head}."
