"""Counters of measured launches beside the figures that an engine has for them.

Which figure a metric of Nsight Compute is stands at the figures themselves (``ncu`` of their
``Metric``), what follows from those in ``ncu.toml``. What the page lacks is not compared, and what
the engine has no figure for is named.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric, derived
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.profile.counts import Profile
from warpmill.measurements.ncu_pages import MeasuredCounter, converted, ncu_table
from warpmill.report.fields import fields_of, has_fields, metric_at
from warpmill.report.page import percent
from warpmill.report.read import Reader, Reading
from warpmill.simulator.gpu.result import SimResult

if TYPE_CHECKING:
    from warpmill.analyzer.traces.summary import TraceSummary
    from warpmill.session.jobs import Job

TIME = "time"
"""Name of the measured time among the figures that are compared."""

_OF_A_WHOLE = frozenset({"%", "MHz", "GB/s", "inst/cycle", "warp"})
"""Units of figures that a part of a launch has as well as the whole."""

_BY_L1 = frozenset({Space.GLOBAL, Space.LOCAL, Space.GENERIC})
"""Spaces whose sectors L1 looks up."""


@dataclass(frozen=True)
class CounterKind:
    """A counter that is compared, as ``ncu.toml`` has it; ``of``: made of another metric."""

    name: str
    metric: str
    label: str | None = None
    unit: str = ""
    of: str | None = None
    times: float = 1.0
    over: str | None = None
    parts: tuple[str, ...] = ()

    @property
    def needs(self) -> frozenset[str]:
        """Metrics of an engine that it is made of."""
        return frozenset({self.of or self.metric} | ({self.over} if self.over else set()))


@cache
def counter_kinds() -> Mapping[str, CounterKind]:
    """The counters that are compared, by name, in the order of reports."""
    table: Mapping[str, Mapping[str, Any]] = ncu_table()["compared"]
    return {name: CounterKind(name, **_values(values)) for name, values in table.items()}


def _values(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}


@dataclass(frozen=True)
class ComparedCounter:
    """A counter of a launch, measured and as the engine has it; null: the engine knows none.

    ``error_fraction`` is (estimated - measured) / measured, of figures in per cent the difference,
    null where the measured one is 0 and the other is not.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    figure: Annotated[str, Metric("Figure")]
    metric: Annotated[str, Metric("Metric")]
    label: Annotated[str, Metric("Counter")]
    unit: Annotated[str, Metric("Unit")]
    measured: Annotated[float, Metric("Measured", mark=Mark.EXACT)]
    estimated: Annotated[float | None, Metric("Estimated")]
    trust: Annotated[Mark, INTERNAL] = Mark.MODELLED

    @derived("Error", "%")
    def error_fraction(self) -> float | None:
        """The error of the estimate."""
        if self.estimated is None:
            return None
        if self.unit == "%":
            return self.estimated - self.measured
        if self.measured == 0.0:
            return 0.0 if self.estimated == 0.0 else None
        return (self.estimated - self.measured) / self.measured

    @property
    def values(self) -> Metric:
        """Label and unit of both values."""
        return Metric(self.label, self.unit, ncu=self.metric)

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """The estimated figure is as far to be trusted as the engine says."""
        return {"estimated": self.trust, "error_fraction": self.trust}


@dataclass(frozen=True)
class CounterAgreement:
    """How a counter agrees over all launches that have it; an error is that of each of them.

    ``unknown_errors``: of so many rows no error can be said, as 0 was measured and not estimated.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    figure: Annotated[str, Metric("Figure")]
    metric: Annotated[str, Metric("Metric")]
    label: Annotated[str, Metric("Counter")]
    unit: Annotated[str, Metric("Unit")]
    rows: Annotated[int, Metric("Rows", mark=Mark.EXACT)]
    unknown_errors: Annotated[int, Metric("Rows without an error", mark=Mark.EXACT)]
    mean_absolute_error_fraction: Annotated[float | None, Metric("Mean absolute error", "%")]
    bias_fraction: Annotated[float | None, Metric("Bias", "%")]
    worst_line: Id


@dataclass(frozen=True)
class HeldLimit:
    """A limit of the mean absolute error of a figure; the error is null where ``reason`` says why.

    What is unknown is beyond its limit: nothing says that it keeps it.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    figure: Annotated[str, Metric("Figure")]
    limit_fraction: Annotated[float, Metric("Limit", "%", Mark.EXACT)]
    error_fraction: Annotated[float | None, Metric("Mean absolute error", "%")]
    reason: str | None = None

    @derived("Beyond limit")
    def exceeds(self) -> bool:
        """Whether the error is larger, or unknown."""
        return self.error_fraction is None or self.error_fraction > self.limit_fraction

    @property
    def words(self) -> str:
        """The error beside its limit."""
        limit = f"at most {percent(self.limit_fraction)} is allowed"
        if self.error_fraction is None:
            return f"{self.figure} is unknown ({self.reason}; {limit})"
        return f"{self.figure} is {percent(self.error_fraction)} off in the mean ({limit})"


def held_limits(
    limits: Mapping[str, float], time_error: float, counters: Sequence[CounterAgreement]
) -> tuple[HeldLimit, ...]:
    """Limits of figures, by name, beside what is so."""
    known = {one.figure: one for one in counters}
    return tuple(
        HeldLimit(name, limit, *(_error(known.get(name)) if name != TIME else (time_error, None)))
        for name, limit in limits.items()
    )


def _error(found: CounterAgreement | None) -> tuple[float | None, str | None]:
    if found is None:
        return None, "no row has it both measured and estimated"
    if found.unknown_errors:
        return None, f"0 was measured and another number estimated, as in line {found.worst_line}"
    return found.mean_absolute_error_fraction, None


# What was measured.


def compared_counters(
    measured: Mapping[str, MeasuredCounter], figures: Mapping[str, Reading]
) -> tuple[ComparedCounter, ...]:
    """The counters of a launch of which the engine has figures, in the order of reports."""
    found = (_compared(kind, measured, figures) for kind in counter_kinds().values())
    return tuple(one for one in found if one is not None)


def _compared(
    kind: CounterKind, measured: Mapping[str, MeasuredCounter], figures: Mapping[str, Reading]
) -> ComparedCounter | None:
    figure = _figure(kind, figures)
    if figure is None or figure.metric is None:
        return None
    value = _measured(kind, measured, figure.metric.unit)
    if value is None:
        return None
    return ComparedCounter(
        figure=kind.name,
        metric=kind.metric,
        label=figure.metric.label,
        unit=figure.metric.unit,
        measured=value,
        estimated=figure.value,
        trust=figure.mark or Mark.MODELLED,
    )


def _figure(kind: CounterKind, figures: Mapping[str, Reading]) -> Reading | None:
    """What the engine has for a counter; None where it does not tell such a figure."""
    found = figures.get(kind.of or kind.metric)
    below = figures.get(kind.over) if kind.over else Reading(1.0)
    if found is None or below is None:
        return None
    if kind.of is None:
        return found
    known = found.value is not None and below.value
    value = found.value * kind.times / below.value if known else None
    return Reading(value, Metric(kind.label or kind.name, kind.unit), found.mark)


def _measured(
    kind: CounterKind, measured: Mapping[str, MeasuredCounter], unit: str
) -> float | None:
    names = kind.parts if kind.metric not in measured and kind.parts else (kind.metric,)
    each = [measured[name] for name in names if name in measured]
    values = [converted(one.value, one.unit, unit) for one in each]
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(names) else None


def not_compared(
    metrics: Sequence[str], rows: Sequence[Sequence[ComparedCounter]], others: Collection[str]
) -> tuple[str, ...]:
    """The metrics of a page that no row compares, but ``others``, which have another use."""
    done = {one.metric for counters in rows for one in counters}
    parts = {x for k in counter_kinds().values() if k.metric in done for x in k.parts}
    return tuple(name for name in metrics if name not in {*done, *parts, *others})


def agreements(
    rows: Sequence[tuple[int, Sequence[ComparedCounter]]],
) -> tuple[CounterAgreement, ...]:
    """How each counter agrees over launches; ``rows`` have their lines of the table."""
    found: dict[str, list[tuple[int, ComparedCounter]]] = {name: [] for name in counter_kinds()}
    for line, counters in rows:
        for one in counters:
            if one.estimated is not None:
                found[one.figure].append((line, one))
    return tuple(_agreement(each) for each in found.values() if each)


def _agreement(each: Sequence[tuple[int, ComparedCounter]]) -> CounterAgreement:
    known = [(line, one.error_fraction) for line, one in each if one.error_fraction is not None]
    errors = [error for _, error in known]
    unknown = next((line for line, one in each if one.error_fraction is None), None)
    first = each[0][1]
    return CounterAgreement(
        figure=first.figure,
        metric=first.metric,
        label=first.label,
        unit=first.unit,
        rows=len(each),
        unknown_errors=len(each) - len(known),
        mean_absolute_error_fraction=fmean(map(abs, errors)) if errors else None,
        bias_fraction=fmean(errors) if errors else None,
        worst_line=max(known, key=lambda x: abs(x[1]))[0] if unknown is None else unknown,
    )


# What engines have.


def wanted_metrics(metrics: Collection[str]) -> set[str]:
    """Metrics that an engine is to have figures for, so that those of a page can be compared."""
    kinds = counter_kinds().values()
    there = (k for k in kinds if k.metric in metrics or (k.parts and {*k.parts} <= {*metrics}))
    return {name for kind in there for name in kind.needs}


def engine_figures(result: object, extra: Mapping[str, Reading]) -> Mapping[str, Reading]:
    """The figures of an engine's result by Nsight Compute's metrics; ``extra`` come first."""
    return {**ncu_readings(Reader(result)), **extra}


def l1_sectors(result: SimResult) -> Mapping[str, Reading]:
    """Sectors that a simulation's L1 looked up, by their metric."""
    metric = metric_at(Profile, "sectors")
    count = result.read_sectors + result.write_sectors + result.atomic_sectors
    return {str(metric.ncu): Reading(count, metric, result.modelled)}


def part_figures(figures: Mapping[str, Reading]) -> Mapping[str, Reading]:
    """Figures of a launch of which only a part was simulated: what the whole has as well."""
    return {
        name: one
        for name, one in figures.items()
        if (one.metric is not None and one.metric.unit in _OF_A_WHOLE) or "launch__" in name
    }


def trace_figures(
    counts: TraceSummary, job: Job, warp_instructions: float
) -> Mapping[str, Reading]:
    """Figures that the traces of some CTAs tell, continued to all of the launch.

    Traces are of the code as it was read: of ``warp_instructions``, those of machine code, their
    lanes make thread instructions.
    """
    scale = job.required_launch().cta_count / counts.ctas
    space = {(a.block, a.instruction): a.space for a in job.analysis.accesses}
    outside = [a for a in counts.accesses if space.get((a.block, a.instruction)) in _BY_L1]
    inside = [a for a in counts.accesses if space.get((a.block, a.instruction)) is Space.SHARED]
    mark = Mark.EXACT if scale == 1.0 else Mark.SAMPLED
    threads = metric_at(SimResult, "thread_instructions")
    lanes = counts.thread_instructions / max(1, counts.warp_instructions)
    wavefronts = metric_at(SimResult, "shared_wavefronts")
    return {
        str(threads.ncu): Reading(lanes * warp_instructions, threads, Mark.MODELLED),
    } | {
        metric.ncu: Reading(None if count is None else count * scale, metric, mark)
        for metric, count in (
            (metric_at(Profile, "sectors"), _sum([a.sectors for a in outside])),
            (wavefronts, _sum([a.wavefronts for a in inside])),
        )
        if metric.ncu is not None
    }


def _sum(counts: Sequence[int | None]) -> int | None:
    """The sum of counts; None where one is unknown."""
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def ncu_readings(reader: Reader) -> dict[str, Reading]:
    """Figures of a result by the names that Nsight Compute has for them.

    Those of its parts are among them, and of lists with one element; the outermost of a name.
    """
    found: dict[str, Reading] = {}
    inner: list[Reader] = []
    kind: Any = type(reader.subject)
    for one in fields_of(kind):
        value = getattr(reader.subject, one.name)
        if one.metric is not None and one.metric.ncu:
            found.setdefault(one.metric.ncu, reader.at(one.name))
        elif isinstance(value, list | tuple) and len(value) == 1 and has_fields(type(value[0])):
            inner += reader.each(one.name)
        elif has_fields(type(value)):
            inner.append(Reader(value, reader, one.name))
    for part in inner:
        found = {**ncu_readings(part), **found}
    return found
