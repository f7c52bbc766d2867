"""Result of ``explain``: the lines of a kernel by the time that its warps spend there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.analyzer.base.metric import INTERNAL, FigureRange, Mark, Metric, derived
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.report.base import Id, Part, Report
from warpmill.report.facts import SourcePlace
from warpmill.report.source_text import line_text
from warpmill.session.estimates import (
    Estimator,
    Explained,
    TimedInstruction,
    explain,
    with_ends,
)
from warpmill.session.launch_estimates import (
    EstimateAnswer,
    LaunchEstimates,
    TotalEstimate,
    answer_of,
    on_each,
    time_range,
    with_what_if,
)
from warpmill.session.options import EstimateOptions
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machines.model import Machine

Timed = tuple[TimedInstruction, ...]


def _share(own: Timed) -> float:
    return sum(one.time_fraction for one in own)


def _time(own: Timed) -> float:
    return sum(one.time_us for one in own)


def _executed(own: Timed) -> float:
    return sum(one.warp_executions for one in own)


class LineRanges(Part):
    """A line where a range was assumed: an end at which it does not execute has zeros."""

    time_fraction: Annotated[FigureRange, Metric("Share of the time, as assumed", "%")]
    time_us: Annotated[FigureRange, Metric("Time, as assumed", "µs")]
    warp_instructions: Annotated[FigureRange, Metric("Executed, as assumed", "inst")]


class LineTime(Part):
    """The instructions of a line, of the source where the compiler recorded it, else of the input.

    ``opcode`` is that with most time, of ``instructions`` that take any; ``warp_instructions`` are
    all that warps execute of them. ``text`` is null where the line is not at hand.
    """

    place: SourcePlace
    text: str | None
    low: Annotated[Timed, INTERNAL]
    high: Annotated[Timed | None, INTERNAL]

    @derived("Share of the time", "%")
    def time_fraction(self) -> float:
        """The share of the time of all warps."""
        return _share(self.low)

    @derived("Time", "µs")
    def time_us(self) -> float:
        """The share of the execution."""
        return _time(self.low)

    @derived("Executed", "inst")
    def warp_instructions(self) -> float:
        """Warp instructions of the launch."""
        return _executed(self.low)

    @property
    def _longest(self) -> TimedInstruction:
        return max(self.low or self.high or (), key=lambda one: one.time_fraction)

    @derived("Most time at")
    def opcode(self) -> str:
        """The opcode with most time."""
        return self._longest.opcode

    @derived("Instructions")
    def instructions(self) -> int:
        """Instructions of the line that take time."""
        return len(self.low or self.high or ())

    @derived("After loads at")
    def after(self) -> tuple[SourcePlace, ...]:
        """Lines of accesses whose results the instruction with most time waits for."""
        return self._longest.after

    @derived("As assumed", mark=Mark.ASSUMED)
    def ranges(self) -> LineRanges | None:
        """Both ends where a range was assumed; all other figures are of the low ends."""
        if self.high is None:
            return None
        return LineRanges(
            time_fraction=FigureRange(_share(self.low), _share(self.high)),
            time_us=FigureRange(_time(self.low), _time(self.high)),
            warp_instructions=FigureRange(_executed(self.low), _executed(self.high)),
        )


class MachineExplanation(Part):
    """Time on one machine: lines by time, instructions in the order of the code.

    Where a range was assumed, lines have ``ranges``; ``instructions`` are of the low ends.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    found: Annotated[Explained, INTERNAL]
    lines: tuple[LineTime, ...]

    @derived("Machine")
    def machine(self) -> str:
        """The machine."""
        return self.found.estimate.machine

    @derived("Instructions")
    def instructions(self) -> Timed:
        """The instructions that take time."""
        return self.found.instructions

    @derived("CTAs counted", "CTA")
    def ctas_counted(self) -> int:
        """CTAs whose instructions and accesses were counted."""
        return self.found.counts.ctas

    @property
    def counted(self) -> Mark:
        """How far counts of instructions can be trusted."""
        if self.found.estimate.assumptions:
            return Mark.ASSUMED
        return Mark.SAMPLED if self.found.is_sampled else Mark.EXACT

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of counted figures."""
        counts = ("lines.warp_instructions", "instructions.warp_executions", "instructions.access")
        exact = ("ctas_counted", "lines.instructions")
        return dict.fromkeys(exact, Mark.EXACT) | dict.fromkeys(counts, self.counted)


class LaunchExplanation(LaunchEstimates):
    """One launch on some machines, with where its time goes on each."""

    explanations: list[MachineExplanation]


class TotalLine(Part):
    """A line and its share of the execution of all launches; ``launches`` execute it.

    ``kernels`` are those that have it.
    ``time_range_us`` has both ends where a range was assumed of a launch; other figures are of the
    low ends.
    """

    place: SourcePlace
    kernels: tuple[str, ...]
    own: Annotated[tuple[LineTime, ...], INTERNAL]
    execution_us: Annotated[float, INTERNAL]

    @derived("Text")
    def text(self) -> str | None:
        """The line's text; null where it is not at hand."""
        return self.own[0].text

    @derived("Share of the time", "%")
    def time_fraction(self) -> float:
        """The share of the execution of all launches."""
        return self.time_us / self.execution_us if self.execution_us else 0.0

    @derived("Time", "µs")
    def time_us(self) -> float:
        """The time in all launches."""
        return math.fsum(line.time_us for line in self.own)

    @derived("Time, as assumed", "µs", Mark.ASSUMED)
    def time_range_us(self) -> FigureRange | None:
        """Both ends where a range was assumed."""
        return time_range(self.own)

    @derived("Executed", "inst")
    def warp_instructions(self) -> float:
        """Warp instructions of all launches."""
        return math.fsum(line.warp_instructions for line in self.own)

    @derived("Launches", mark=Mark.EXACT)
    def launches(self) -> int:
        """Launches that execute it."""
        return len(self.own)


class TotalLines(Part):
    """The lines of all launches on one machine, those that take longest first."""

    mark: ClassVar[Mark] = Mark.MODELLED

    machine: str
    lines: list[TotalLine]
    counted: Annotated[Mark, INTERNAL]

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of counted figures: as sure as the least sure launch is."""
        return {"lines.warp_instructions": self.counted}


class ExplainReport(Report):
    """Time of launches, line by line.

    ``overrides`` are the values of ``--set``, which hold for every machine. ``totals`` and
    ``total_lines`` are of all launches together, on each machine.
    """

    report: Literal["explain"] = "explain"
    overrides: dict[str, str]
    options: EstimateOptions
    top: Id
    """Lines that text shows."""
    launches: list[LaunchExplanation]
    totals: list[TotalEstimate]
    total_lines: list[TotalLines]


def machine_explanation(
    loaded: LoadedModule, low: Explained, high: Explained | None = None
) -> MachineExplanation:
    """The lines of an estimate, those first that take most; ``high`` where a range was assumed."""
    ends = ((low.instructions, 0), *([(high.instructions, 1)] if high else []))
    groups: dict[tuple[str, int], tuple[list[TimedInstruction], list[TimedInstruction]]] = {}
    for instructions, end in ends:
        for one in instructions:
            groups.setdefault((one.place.file, one.place.line), ([], []))[end].append(one)
    lines = []
    for own, of_high in groups.values():
        place = replace((own or of_high)[0].place, column=None)
        lines.append(
            LineTime(
                place=place,
                text=line_text(loaded, place),
                low=tuple(own),
                high=None if high is None else tuple(of_high),
            )
        )
    lines.sort(key=lambda line: -max(_share(line.low), _share(line.high or ())))
    return MachineExplanation(found=low, lines=tuple(lines))


def total_lines(launches: Sequence[LaunchExplanation]) -> list[TotalLines]:
    """The lines of launches together on each machine, in the order of the machines."""
    machines = dict.fromkeys(one.machine for launch in launches for one in launch.explanations)
    return [_total(machine, launches) for machine in machines]


def _total(machine: str, launches: Sequence[LaunchExplanation]) -> TotalLines:
    found = [
        (launch.kernel.demangled, one)
        for launch in launches
        for one in launch.explanations
        if one.machine == machine
    ]
    execution = math.fsum(one.found.estimate.execution_us for _, one in found)
    groups: dict[SourcePlace, list[tuple[str, LineTime]]] = {}
    for kernel, one in found:
        for line in one.lines:
            groups.setdefault(line.place, []).append((kernel, line))
    lines = [
        TotalLine(
            place=place,
            kernels=tuple(dict.fromkeys(kernel for kernel, _ in own)),
            own=tuple(line for _, line in own),
            execution_us=execution,
        )
        for place, own in groups.items()
    ]
    worse = (Mark.EXACT, Mark.SAMPLED, Mark.ASSUMED)
    counted = max((one.counted for _, one in found), key=worse.index)
    return TotalLines(machine=machine, lines=sorted(lines, key=_rank), counted=counted)


def _rank(line: TotalLine) -> float:
    ends = line.time_range_us
    return -(line.time_us if ends is None else max(ends.low, ends.high))


def explained_launch(
    ends: Sequence[Estimator],
    machines: Sequence[Machine],
    assumed: Assumptions,
    *,
    what_if: bool = False,
) -> LaunchExplanation:
    """A launch on each machine that it fits on. InputError where it fits on none.

    ``what_if``: with the times on machines that have twice and half of one thing.
    """
    job = ends[0].job

    def made(machine: Machine) -> tuple[tuple[Estimate, EstimateAnswer], MachineExplanation]:
        low, *high = (explain(end, machine) for end in ends)
        whole = with_ends(low.estimate, *(one.estimate for one in high))
        if what_if:
            whole = with_what_if(ends[0], machine, whole, low.estimate)
        answer = answer_of(ends[0], machine, whole, low.counts)
        return (whole, answer), machine_explanation(job.loaded, low, *high)

    found, failures = on_each(machines, made)
    estimates, explanations = zip(*found, strict=True)
    return LaunchExplanation.of(job, assumed, estimates, failures, explanations=list(explanations))
