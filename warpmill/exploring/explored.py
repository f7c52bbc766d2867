"""Findings of an exploration: samples of each workload, and whether they were there before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric, derived
from warpmill.analyzer.base.naming import suggestion
from warpmill.exploring.space import ExploredSpace
from warpmill.simulator.regression.parameters import Point as DesignPoint
from warpmill.simulator.regression.parameters import Value


@dataclass(frozen=True)
class Predicted:
    """Prediction of a model for a point: null where samples say nothing of it.

    ``low`` and ``high`` are the ends of the 95 % interval of what would be simulated there.
    ``outside``: a value lies beyond those of all samples. ``between``: a number, of a parameter in
    a term, lies among those of the samples and no sample has it, so that the model may be far off,
    further than the interval says. ``problem`` says why there is no such point: the space leaves it
    out, or it could not be simulated.
    """

    point: Annotated[DesignPoint, Metric("Point", mark=Mark.EXACT)]
    predicted: Annotated[float | None, Metric("Predicted", mark=Mark.MODELLED)]
    low: Annotated[float | None, Metric("95 % low", mark=Mark.MODELLED)]
    high: Annotated[float | None, Metric("High", mark=Mark.MODELLED)]
    outside: bool
    between: bool
    problem: str | None = None

    @property
    def is_doubtful(self) -> bool:
        """Whether it may be far off, or there is no such point."""
        return self.outside or self.between or self.problem is not None


@dataclass(frozen=True)
class PointSample:
    """A point of the space that was simulated: its figures, or a ``problem`` why there are none.

    Also one that was estimated, or measured: those of a table are (``is_measured``).

    ``number`` is its place among those of the workload, from 0. ``modelled`` is what the workload's
    model says of it; ``low`` and ``high`` are the ends of the 95 % interval.
    """

    point: Mapping[str, Value]
    figures: Annotated[Mapping[str, float], Metric("Figures", mark=Mark.MODELLED)]
    facts: Annotated[Mapping[str, Any], INTERNAL]
    problem: str | None = None
    seconds: Annotated[float | None, INTERNAL] = None
    number: Id = 0
    modelled: Annotated[Predicted | None, INTERNAL] = None

    @derived("Measured")
    def is_measured(self) -> bool:
        """Whether its response was measured, and not simulated."""
        return bool(self.facts.get("is_measured"))

    @derived("CTAs per SM")
    def ctas_per_sm(self) -> tuple[int, ...]:
        """How many CTAs of a kernel an SM held at most, each number once."""
        return tuple(self.facts.get("ctas_per_sm", ()))

    @derived("Predicted", mark=Mark.MODELLED)
    def predicted(self) -> float | None:
        """The response, as the model says."""
        return None if self.modelled is None else self.modelled.predicted

    @derived("95 % low", mark=Mark.MODELLED)
    def low(self) -> float | None:
        """The low end of its interval."""
        return None if self.modelled is None else self.modelled.low

    @derived("High", mark=Mark.MODELLED)
    def high(self) -> float | None:
        """The high end of its interval."""
        return None if self.modelled is None else self.modelled.high

    def assumptions(self) -> Iterator[str]:
        """Assumptions of its figures."""
        if self.facts.get("registers_assumed"):
            yield "the registers of a thread are assumed"
        if self.facts.get("sampled"):
            yield "a part was simulated and continued in a line"
        yield from self.facts.get("assumptions", ())


@dataclass(frozen=True)
class FailureReason:
    """Reason why points could not be simulated, with how many have it and the first one."""

    reason: Annotated[str, Metric("Reason")]
    points: Annotated[int, Metric("Points")]
    first: Annotated[Mapping[str, Value], Metric("Example")]


@dataclass(frozen=True)
class SampleAssumption:
    """Assumption that the figures of some samples rest on."""

    text: Annotated[str, Metric("Assumption")]
    samples: Annotated[int, Metric("Samples")]


@dataclass(frozen=True)
class OfWorkload:
    """Explored workload: its samples in the order in which they were drawn.

    ``left_out`` counts points of the study that are: those of another space, of other options, or
    of code that has changed since.
    """

    title: Annotated[str, Metric("Workload")]
    samples: tuple[PointSample, ...]
    left_out: Annotated[int, Metric("Points skipped")] = 0

    @derived("Points simulated")
    def simulated(self) -> int:
        """How many points have figures that were not measured."""
        return len(self.measured) - self.measured_rows

    @derived("Points measured")
    def measured_rows(self) -> int:
        """How many samples are rows of a table of measurements."""
        return sum(one.is_measured for one in self.samples)

    @derived("Points not simulated")
    def not_simulated(self) -> int:
        """How many points have none."""
        return len(self.failures)

    @derived("Not simulated")
    def failure_reasons(self) -> tuple[FailureReason, ...]:
        """Reasons why points have no figures, most points first."""
        grouped: dict[str, list[PointSample]] = {}
        for each in self.failures:
            grouped.setdefault(each.problem or "", []).append(each)
        ordered = sorted(grouped.items(), key=lambda pair: -len(pair[1]))
        return tuple(FailureReason(text, len(own), own[0].point) for text, own in ordered)

    @derived("Assumptions")
    def assumptions(self) -> tuple[SampleAssumption, ...]:
        """Assumptions of figures."""
        counts = Counter(text for each in self.measured for text in each.assumptions())
        return tuple(SampleAssumption(text, number) for text, number in counts.items())

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
    meanwhile by other processes on the same store. ``seconds`` it took. ``measured`` is the table
    that measured points were read from.
    """

    space: ExploredSpace
    study: Annotated[str, Metric("Study")]
    workloads: Annotated[tuple[OfWorkload, ...], INTERNAL]
    store: Annotated[str | None, Metric("Store")] = None
    known: Annotated[int, INTERNAL] = 0
    seconds: Annotated[float, INTERNAL] = 0.0
    here: Annotated[int, INTERNAL] = 0
    elsewhere: Annotated[int, INTERNAL] = 0
    measured: Annotated[str | None, Metric("Measured points")] = None

    def workload(self, title: str) -> OfWorkload:
        """A workload by its title. UsageError where there is none."""
        found = next((one for one in self.workloads if one.title == title), None)
        if found is None:
            names = [one.title for one in self.workloads]
            hint = suggestion(title, names) or f"there are {', '.join(names)}"
            raise UsageError(f"the study {self.study} has no workload `{title}`; {hint}")
        return found
