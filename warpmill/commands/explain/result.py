"""What ``explain`` answers: the lines of a kernel by the time that its warps spend there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePath
from typing import Literal, NamedTuple

from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.analyzer.base.metric import FigureRange
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import Space
from warpmill.commands.estimate.result import NotEstimated
from warpmill.report.assumed import AssumedName, assumed_names, shown_value
from warpmill.report.base import Id, Mark, Marks, Part, Report, marks
from warpmill.report.facts import (
    KernelIdentity,
    LaunchFacts,
    Remark,
    SourcePlace,
    instruction_place,
    kernel_facts,
    launch_facts,
    remarks,
)
from warpmill.session.data import buffer_of
from warpmill.session.estimates import PLAIN, Explained, TimedInstruction
from warpmill.session.findings import Finding
from warpmill.session.jobs import Job
from warpmill.session.options import EstimateOptions
from warpmill.session.prepare import kernels_beside
from warpmill.simulator.estimate.result import Share
from warpmill.simulator.machines.schema import Scalar

# Part of ``explain``: where a range was assumed, both ends of it, line by line.


class ExplanationRanges(Part):
    """A machine's times where a range was assumed. Other figures are of the low ends.

    ``bound_high`` is what the launch is bound by at the high ends.
    """

    time_us: FigureRange
    execution_us: FigureRange
    bound_high: str


class LineRanges(Part):
    """A line where a range was assumed: an end at which it does not execute has zeros."""

    time_fraction: FigureRange
    time_us: FigureRange
    warp_instructions: FigureRange


def with_ranges(low: MachineExplanation, high: MachineExplanation) -> MachineExplanation:
    """What is explained of the low ends the ranges up to the high ends.

    Lines that only the high ends execute come with zeros. First is what takes most at either end.
    """
    lines = {_key(line): line for line in low.lines}
    ends = {_key(line): line for line in high.lines}
    both = [
        _line(lines.get(key) or _unexecuted(ends[key]), ends.get(key))
        for key in dict.fromkeys((*lines, *ends))
    ]
    ranges = ExplanationRanges(
        time_us=FigureRange(low=low.time_us, high=high.time_us),
        execution_us=FigureRange(low=low.execution_us, high=high.execution_us),
        bound_high=high.bound,
    )
    return replace(low, ranges=ranges, lines=sorted(both, key=_rank))


def _key(line: LineTime) -> tuple[str, int]:
    return line.place.file, line.place.line


def _unexecuted(line: LineTime) -> LineTime:
    return replace(line, time_fraction=0.0, time_us=0.0, warp_instructions=0.0)


def _line(low: LineTime, high: LineTime | None) -> LineTime:
    high = high or _unexecuted(low)
    ranges = LineRanges(
        time_fraction=FigureRange(low=low.time_fraction, high=high.time_fraction),
        time_us=FigureRange(low=low.time_us, high=high.time_us),
        warp_instructions=FigureRange(low=low.warp_instructions, high=high.warp_instructions),
    )
    return replace(low, ranges=ranges)


def _rank(line: LineTime) -> float:
    assert line.ranges is not None
    return -max(line.ranges.time_fraction.low, line.ranges.time_fraction.high)


# Part of ``explain``: the lines of all launches together, as they would run one after another.


class TotalLine(Part):
    """A line and its share of the execution of all launches; ``launches`` execute it.

    ``kernels`` are those that have it; ``text`` is null where the line is not at hand.
    ``time_range_us`` has both ends where a range was assumed of a launch; other figures are of the
    low ends.
    """

    place: SourcePlace
    text: str | None
    time_fraction: float
    time_us: float
    time_range_us: FigureRange | None
    warp_instructions: float
    kernels: list[str]
    launches: int


class TotalExplanation(Part):
    """All launches on one machine: sums of their times, and the lines that take longest first.

    ``time_range_us`` as in ``TotalLine``.
    """

    machine: str
    machine_name: str
    launches: int
    time_us: float
    time_range_us: FigureRange | None
    execution_us: float
    launch_us: float
    lines: list[TotalLine]
    marks: Marks


class _One(NamedTuple):
    """A line of a launch."""

    kernel: str
    line: LineTime


def totals(launches: Sequence[LaunchExplanation]) -> list[TotalExplanation]:
    """Put the lines of launches together on each machine, in the order of the machines."""
    machines = dict.fromkeys(one.machine for launch in launches for one in launch.machines)
    return [_total(list(_on(launches, machine))) for machine in machines]


def _on(
    launches: Sequence[LaunchExplanation], machine: str
) -> Iterator[tuple[str, MachineExplanation]]:
    for launch in launches:
        for one in launch.machines:
            if one.machine == machine:
                yield launch.kernel.demangled, one


def _total(found: Sequence[tuple[str, MachineExplanation]]) -> TotalExplanation:
    (_, first), ones = found[0], [one for _, one in found]
    execution = math.fsum(one.execution_us for one in ones)
    groups: dict[tuple[str, int], list[_One]] = {}
    for kernel, one in found:
        for line in one.lines:
            groups.setdefault((line.place.file, line.place.line), []).append(_One(kernel, line))
    lines = (_total_line(own, execution) for own in groups.values())
    return TotalExplanation(
        machine=first.machine,
        machine_name=first.machine_name,
        launches=len(ones),
        time_us=math.fsum(one.time_us for one in ones),
        time_range_us=_range(ones),
        execution_us=execution,
        launch_us=math.fsum(one.launch_us for one in ones),
        lines=sorted(lines, key=lambda line: -_most(line)),
        marks=_marks([one.marks for one in ones]),
    )


def _total_line(own: Sequence[_One], execution: float) -> TotalLine:
    time = math.fsum(one.line.time_us for one in own)
    return TotalLine(
        place=own[0].line.place,
        text=own[0].line.text,
        time_fraction=time / execution if execution else 0.0,
        time_us=time,
        time_range_us=_range([one.line for one in own]),
        warp_instructions=math.fsum(one.line.warp_instructions for one in own),
        kernels=list(dict.fromkeys(one.kernel for one in own)),
        launches=len(own),
    )


def _range(each: Sequence[MachineExplanation] | Sequence[LineTime]) -> FigureRange | None:
    """Add up both ends; what has no range has one time."""
    if all(one.ranges is None for one in each):
        return None
    ends = [
        FigureRange(low=one.time_us, high=one.time_us) if one.ranges is None else one.ranges.time_us
        for one in each
    ]
    return FigureRange(
        low=math.fsum(end.low for end in ends), high=math.fsum(end.high for end in ends)
    )


def _most(line: TotalLine) -> float:
    ends = line.time_range_us
    return line.time_us if ends is None else max(ends.low, ends.high)


_WORSE = (Mark.EXACT, Mark.SAMPLED, Mark.ASSUMED)
"""Of counts that are added up the last of these tells how the sum was come by."""


def _marks(each: Sequence[Mapping[str, Mark]]) -> dict[str, Mark]:
    counted = max((own["lines.warp_instructions"] for own in each), key=_WORSE.index)
    return marks(
        TotalExplanation,
        Mark.MODELLED,
        launches=Mark.EXACT,
        lines__launches=Mark.EXACT,
        lines__warp_instructions=counted,
        time_range_us=Mark.ASSUMED,
        lines__time_range_us=Mark.ASSUMED,
    )


TOP = 10
"""Lines that are shown in text, where nothing else is asked for."""

At = tuple[int, int]


class AccessCost(Part):
    """What an access of a warp moves, on average over the launch.

    ``sectors`` go outside the SM or into its L1, ``wavefronts`` are those of shared memory. They
    are null where addresses are unknown, and where the space has none.
    """

    space: str
    buffer: str | None
    sectors: float | None
    wavefronts: float | None


class InstructionTimeFacts(Part):
    """An instruction that takes time.

    ``time_fraction`` is its share of the time of all warps, waiting for its operands included;
    ``time_us`` that share of the execution. ``warp_executions`` are those of the launch. ``after``
    are lines of accesses whose results it waits for.
    """

    block: str
    instruction: Id
    opcode: str
    place: SourcePlace
    time_fraction: float
    time_us: float
    warp_executions: float
    after: list[SourcePlace]
    access: AccessCost | None


class LineTime(Part):
    """The instructions of a line, of the source where the compiler recorded it, else of the input.

    ``opcode`` is that with most time, of ``instructions`` that take any; ``warp_instructions`` are
    all that warps execute of them. ``text`` is null where the line is not at hand.
    """

    place: SourcePlace
    text: str | None
    time_fraction: float
    time_us: float
    warp_instructions: float
    opcode: str
    instructions: int
    after: list[SourcePlace]
    ranges: LineRanges | None


class MachineExplanation(Part):
    """Where the time goes on one machine: lines by time, instructions in the order of the code.

    ``answer`` says how long it takes, what bounds it and what to try first, of ``findings``. Where
    a range was assumed, lines and the whole have ``ranges``; all other figures, and
    ``instructions``, are of the low ends.
    """

    machine: str
    machine_name: str
    answer: tuple[str, ...]
    findings: tuple[Finding, ...]
    time_us: float
    execution_us: float
    launch_us: float
    bound: str
    shares: list[Share]
    lines: list[LineTime]
    instructions: list[InstructionTimeFacts]
    ctas_counted: int
    """CTAs whose instructions and accesses were counted."""
    ranges: ExplanationRanges | None
    assumptions: list[str]
    marks: Marks


class LaunchExplanation(Part):
    """One launch on some machines."""

    kernel: KernelIdentity
    launch: LaunchFacts
    machines: list[MachineExplanation]
    not_estimated: list[NotEstimated]
    remarks: list[Remark]


class ExplainReport(Report):
    """Where launches spend their time, line by line."""

    report: Literal["explain"] = "explain"
    overrides: dict[str, str]
    """Values of ``--set``, which hold for every machine."""
    mode: Literal["waves", "eq8"]
    """``waves``: CTAs wave by wave; ``eq8``: the hybrid paper's pipeline and its Equation 8."""
    l2: Literal["cold", "warm"]
    """What L2 has at the beginning: nothing, or what an equal launch before has left."""
    timed: Literal["kernel", "event", "back-to-back", "graph"]
    """How the time is taken, which decides what launching adds."""
    assumed: list[AssumedName]
    """What the user assumed of loops that data end."""
    top: Id
    """Lines that text shows."""
    launches: list[LaunchExplanation]
    totals: list[TotalExplanation]
    """The lines of all launches together, on each machine."""


def explain_report(
    launches: Sequence[LaunchExplanation],
    overrides: Mapping[str, Scalar],
    *,
    options: EstimateOptions = PLAIN,
    assumed: Assumptions | None = None,
    top: int = TOP,
) -> ExplainReport:
    """Put the explanations of some launches together, which were made with ``options``."""
    return ExplainReport(
        overrides={key: shown_value(value) for key, value in sorted(overrides.items())},
        mode=options.mode,
        l2=options.l2,
        timed=options.timed,
        assumed=assumed_names(assumed or Assumptions()),
        top=top,
        launches=list(launches),
        totals=totals(launches),
    )


def launch_explanation(
    job: Job,
    found: Sequence[Explained],
    failures: Sequence[tuple[str, str]] = (),
    high: Sequence[Explained] = (),
    answers: Sequence[ExplainAnswer] = (),
) -> LaunchExplanation:
    """Report one launch on some machines; ``failures`` are others with the reason for none.

    Where a range was assumed, ``found`` is of the low ends and ``high`` of the high ones, one each.
    """
    told = answers or [ExplainAnswer()] * len(found)
    machines = [_Explanation(job, *both).facts() for both in zip(found, told, strict=True)]
    if high:
        ends = (_Explanation(job, one).facts() for one in high)
        machines = [with_ranges(*both) for both in zip(machines, ends, strict=True)]
    return LaunchExplanation(
        kernel=kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)),
        launch=launch_facts(job.required_launch(), job.kernel),
        machines=machines,
        not_estimated=[NotEstimated(machine=name, reason=reason) for name, reason in failures],
        remarks=remarks(job.loaded.diagnostics, job.loaded),
    )


class ExplainAnswer(NamedTuple):
    """What an estimate comes to in a few sentences, and what costs time."""

    sentences: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


class _Explanation:
    """Turns the times of instructions into those of lines."""

    def __init__(self, job: Job, found: Explained, answer: ExplainAnswer | None = None) -> None:
        self._job, self._found, self._answer = job, found, answer or ExplainAnswer()
        self._accesses = {(a.block, a.instruction): a for a in job.analysis.accesses}

    def facts(self) -> MachineExplanation:
        """Report the machine."""
        found, estimate = self._found, self._found.estimate
        return MachineExplanation(
            machine=estimate.machine,
            machine_name=found.machine.text("machine.name"),
            answer=self._answer.sentences,
            findings=self._answer.findings,
            time_us=estimate.time_us,
            execution_us=estimate.execution_us,
            launch_us=estimate.launch_us,
            bound=estimate.bound,
            shares=list(estimate.shares),
            lines=self._lines(),
            instructions=[self._instruction(one) for one in found.instructions],
            ctas_counted=found.counts.ctas,
            ranges=None,
            assumptions=list(estimate.assumptions),
            marks=self._marks(),
        )

    def _marks(self) -> dict[str, Mark]:
        counted = Mark.SAMPLED if self._found.is_sampled else Mark.EXACT
        counted = Mark.ASSUMED if self._found.estimate.assumptions else counted
        return marks(
            MachineExplanation,
            Mark.MODELLED,
            ctas_counted=Mark.EXACT,
            lines__instructions=Mark.EXACT,
            lines__warp_instructions=counted,
            instructions__warp_executions=counted,
            instructions__access=counted,
            ranges=Mark.ASSUMED,
            lines__ranges=Mark.ASSUMED,
        )

    def _lines(self) -> list[LineTime]:
        groups: dict[tuple[str, int], list[TimedInstruction]] = {}
        for one in self._found.instructions:
            place = self._place(one.place)
            groups.setdefault((place.file, place.line), []).append(one)
        lines = (self._line(own) for own in groups.values())
        return sorted(lines, key=lambda line: -line.time_fraction)

    def _line(self, own: Sequence[TimedInstruction]) -> LineTime:
        place = replace(self._place(own[0].place), column=None)
        most = max(own, key=lambda one: one.fraction)
        fraction = sum(one.fraction for one in own)
        return LineTime(
            place=place,
            text=line_text(self._job.loaded, place),
            time_fraction=fraction,
            time_us=fraction * self._found.estimate.execution_us,
            warp_instructions=sum(one.executions for one in own),
            opcode=self._at(most.place).operation.opcode,
            instructions=len(own),
            after=self._after(most.after),
            ranges=None,
        )

    def _instruction(self, one: TimedInstruction) -> InstructionTimeFacts:
        block, index = one.place
        return InstructionTimeFacts(
            block=self._job.kernel.blocks[block].label,
            instruction=index,
            opcode=self._at(one.place).operation.opcode,
            place=self._place(one.place),
            time_fraction=one.fraction,
            time_us=one.fraction * self._found.estimate.execution_us,
            warp_executions=float(one.executions),
            after=self._after(one.after),
            access=self._access(one.place),
        )

    def _access(self, at: At) -> AccessCost | None:
        known = self._accesses.get(at)
        if known is None:
            return None
        counted = self._found.accesses.get(at)
        is_shared = known.space is Space.SHARED
        sectors, wavefronts = (counted.sectors, counted.wavefronts) if counted else (None, None)
        times = counted.warp_executions if counted else 0
        return AccessCost(
            space=known.space.value,
            buffer=buffer_of(self._job, known),
            sectors=None if is_shared else _each(sectors, times),
            wavefronts=_each(wavefronts, times) if is_shared else None,
        )

    def _after(self, accesses: Sequence[At]) -> list[SourcePlace]:
        """The lines of some accesses, each once."""
        places = (replace(self._place(at), column=None) for at in accesses)
        return list({(p.file, p.line): p for p in places}.values())

    def _place(self, at: At) -> SourcePlace:
        return instruction_place(self._job.loaded, self._at(at))

    def _at(self, at: At) -> Instruction:
        return self._job.kernel.blocks[at[0]].instructions[at[1]]


def _each(count: int | None, times: int) -> float | None:
    return None if count is None or not times else count / times


# Texts of the lines that places name: of the input, and of the source beside it.

MOST_BYTES = 4 << 20
"""Sources that are larger are not read: nobody wrote them by hand."""


def line_text(loaded: LoadedModule, place: SourcePlace) -> str | None:
    """The text of a line; None where it is not at hand.

    The source that was compiled is looked for beside the kernel file, by the last part of the name
    that the compiler recorded: a file says nothing else of what is read on this machine.
    """
    if place.of != "source":
        return _plain(loaded.source.line(place.line))
    lines = _lines(Path(loaded.path).parent / PurePath(place.file).name)
    if not 0 < place.line <= len(lines):
        return None
    return _plain(lines[place.line - 1])


def _plain(line: str) -> str | None:
    """A line with single blanks; None for one that says nothing."""
    return " ".join(line.split()) or None


@cache
def _lines(path: Path) -> tuple[str, ...]:
    """Read the lines of a source; none where it cannot be read."""
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return ()
        return tuple(path.read_text("utf-8", errors="replace").splitlines())
    except (OSError, ValueError):
        return ()
