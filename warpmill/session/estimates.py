"""Estimates of one job on many machines, and the time of each of its instructions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Unpack

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.analyzer.base.metric import INTERNAL, FigureRange, Id, Metric, derived
from warpmill.analyzer.ir.kernel import Instruction, Kernel
from warpmill.analyzer.ir.types import Place, Space
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.summary import AccessSummary, TraceSummary, sampled_ctas, summarise
from warpmill.report.facts import SourcePlace, instruction_place
from warpmill.session.data import buffer_of
from warpmill.session.jobs import Job
from warpmill.session.options import (
    EstimateOptions,
    KernelKeywords,
    RegistersFrom,
    TraceOptions,
)
from warpmill.session.prepare import job_of
from warpmill.session.registers import registers_of
from warpmill.session.traces import SAMPLED_CTAS, check_used, trace_source
from warpmill.simulator.assembler.costs import is_free
from warpmill.simulator.assembler.program import touches_memory
from warpmill.simulator.estimate.engine import estimate as run_estimate
from warpmill.simulator.estimate.kernel import EstimateSubject
from warpmill.simulator.estimate.memory import WARM, LeftInL2
from warpmill.simulator.estimate.result import Estimate, EstimateRanges, InstructionTime
from warpmill.simulator.estimate.rounds import Rounds
from warpmill.simulator.machines import load_machine, memory_rules
from warpmill.simulator.machines.model import Machine

PLAIN = EstimateOptions()


class Estimator:
    """Estimates a job's time on one machine after another, from the same traces.

    UsageError for a job without a launch.
    """

    def __init__(
        self,
        job: Job,
        *,
        registers: RegistersFrom | None = None,
        trace_options: TraceOptions | None = None,
        options: EstimateOptions = PLAIN,
    ) -> None:
        job.required_launch()
        self.job, self._registers = job, registers
        self._traces, self.options = trace_options, options
        self._l2: LeftInL2 | None = None

    def finding(self, l2: LeftInL2 | None) -> Estimator:
        """The same, from the same traces, of a launch that finds something in L2.

        None: it finds what the options say.
        """
        if l2 is None:
            return self
        _ = self._rounds  # which both have
        other = copy(self)
        other._l2 = l2
        return other

    @cached_property
    def source(self) -> TraceSource:
        """The traces. Errors as ``trace_source``."""
        return trace_source(self.job, self._traces)

    @cached_property
    def _subject(self) -> EstimateSubject:
        job = self.job
        pruned = job.kept if self._traces is not None and self._traces.pruned else None
        facts, launch = job.analysis.kernel_facts, job.required_launch()
        return EstimateSubject(facts, launch, self.source, pruned)

    @cached_property
    def _rounds(self) -> Rounds:
        return Rounds(self._subject)

    @property
    def given_events(self) -> EventBatch | None:
        """Events of some CTAs that estimates had executed; None: nothing was, or not yet."""
        return self._rounds.given()

    @gc_paused()
    def on(self, machine: Machine, *, most_spans: int = 0) -> Estimate:
        """Estimate on a machine. InputError where the launch does not fit on it.

        ``most_spans`` of warps are kept, for a timeline.
        """
        subject, job = self._subject, self.job
        count = registers_of(job, machine, self._registers)
        how = self.options
        result = run_estimate(
            subject,
            machine,
            count,
            mode=how.mode,
            l2=WARM if how.l2 == "warm" else self._l2,
            launched=how.timed,
            rounds=self._rounds,
            most_spans=most_spans,
        )
        check_used(job, self.source, self._traces)
        return result


def with_ends(low: Estimate, high: Estimate | None = None) -> Estimate:
    """An estimate with the low ends of what was assumed, and what the high ends make of it."""
    if high is None:
        return low
    return replace(
        low,
        ranges=EstimateRanges(
            FigureRange(low.cycles, high.cycles),
            FigureRange(low.execution_us, high.execution_us),
            FigureRange(low.time_us, high.time_us),
            high.bound,
        ),
    )


def estimate(
    job: Job | str | Path,
    machine: str | Machine,
    *,
    overrides: Mapping[str, str | int | float | bool] | None = None,
    registers: RegistersFrom | None = None,
    trace_options: TraceOptions | None = None,
    options: EstimateOptions = PLAIN,
    **launch: Unpack[KernelKeywords],
) -> Estimate:
    """Estimate a job's time on a machine, by name, path or as it is (hybrid paper, §IV).

    A launch file, or another target with one launch, is prepared as ``prepare`` does, with the
    same keywords: ``estimate("launch.toml", "a100", sizes={"n": 512})``.

    The result's ``execution_us`` are of execution, ``time_us`` with the launch's overhead.
    ``overrides`` are values of the machine by key; ``registers`` says where registers a thread come
    from; ``options`` has the mode, ``waves`` unless it says ``eq8``.

    UsageError for an unknown machine or setting, InputError where the launch does not fit on it.
    """
    if not isinstance(machine, Machine):
        machine = load_machine(machine, overrides)
    job = job_of(job, **launch)
    made = Estimator(job, registers=registers, trace_options=trace_options, options=options)
    return made.on(machine)


# Where the time of a launch goes in its code: the estimate's time by instruction, with counts.

_MOST_FOLLOWED = 16
"""Instructions without cost that a value is followed through, back to what made it."""


_MOST_SPANS = 1200
"""Spans of warps that are kept for a timeline."""


@dataclass(frozen=True)
class AccessCost:
    """Sectors or wavefronts of an access of a warp, on average over the launch.

    ``sectors`` go outside the SM or into its L1, ``wavefronts`` are those of shared memory. They
    are null where addresses are unknown, and where the space has none.
    """

    space: Annotated[str, Metric("Memory space")]
    buffer: Annotated[str | None, Metric("Buffer")]
    sectors: Annotated[float | None, Metric("Sectors", "sector")]
    wavefronts: Annotated[float | None, Metric("Wavefronts")]


@dataclass(frozen=True)
class TimedInstruction:
    """An instruction that takes time.

    ``time_fraction`` is its share of the time of all warps, waiting for its operands included;
    ``time_us`` that share of the execution. ``warp_executions`` are those of the launch. ``after``
    are lines of accesses whose results it waits for.
    """

    code: Annotated[Instruction, INTERNAL]
    block: str
    instruction: Id
    place: SourcePlace
    time_fraction: Annotated[float, Metric("Share of the time", "%")]
    time_us: Annotated[float, Metric("Time", "µs")]
    warp_executions: Annotated[float, Metric("Executed", "inst")]
    after: tuple[SourcePlace, ...]
    access: AccessCost | None

    @derived("Opcode")
    def opcode(self) -> str:
        """The instruction's opcode."""
        return self.code.operation.opcode


@dataclass(frozen=True)
class Explained:
    """An estimate by instruction, in the order of the code; ``counts`` are those of some CTAs."""

    estimate: Estimate
    machine: Machine
    instructions: tuple[TimedInstruction, ...]
    counts: TraceSummary
    is_sampled: bool


def explain(estimator: Estimator, machine: Machine) -> Explained:
    """An estimate of a job on a machine, with the instructions where its warps spend their time.

    Errors as ``Estimator.on``.
    """
    found, job = estimator.on(machine, most_spans=_MOST_SPANS), estimator.job
    counts = trace_counts(estimator, machine)
    scale = job.required_launch().cta_count / counts.ctas
    values, blocks = AccessesBehind(job.kernel), job.kernel.blocks
    counted = {(a.block, a.instruction): a for a in reversed(counts.accesses)}  # copies: reads
    known = {(a.block, a.instruction): a for a in job.analysis.accesses}

    def at(place: Place) -> SourcePlace:
        return instruction_place(job.loaded, blocks[place[0]].instructions[place[1]])

    def timed(one: InstructionTime) -> TimedInstruction:
        place = one.block, one.instruction
        after = (replace(at(p), column=None) for p in values.accesses_behind(place))
        executions = counts.block_executions[one.block]
        return TimedInstruction(
            code=blocks[one.block].instructions[one.instruction],
            block=blocks[one.block].label,
            instruction=place[1],
            place=at(place),
            time_fraction=one.fraction,
            time_us=one.fraction * found.execution_us,
            warp_executions=float(executions if scale == 1.0 else executions * scale),
            after=tuple({(p.file, p.line): p for p in after}.values()),
            access=_cost(job, known.get(place), counted.get(place)),
        )

    every = tuple(map(timed, found.instruction_times))
    return Explained(found, machine, every, counts, scale != 1.0)


def _cost(job: Job, known: MemoryAccess | None, counted: AccessSummary | None) -> AccessCost | None:
    if known is None:
        return None
    is_shared, each = known.space is Space.SHARED, None
    if counted is not None and counted.warp_executions:
        moved = counted.wavefronts if is_shared else counted.sectors
        each = None if moved is None else moved / counted.warp_executions
    sectors, wavefronts = (None, each) if is_shared else (each, None)
    return AccessCost(known.space.value, buffer_of(job, known), sectors, wavefronts)


def trace_counts(estimator: Estimator, machine: Machine) -> TraceSummary:
    """Sum up the traces of an even sample of CTAs, those that the estimate looks at."""
    job, source = estimator.job, estimator.source
    ctas = sampled_ctas(job.required_launch().grid, SAMPLED_CTAS)
    if source.ctas is not None:  # saved traces have some
        ctas = tuple(source.ctas)[:SAMPLED_CTAS]
    batches = source.batches(ctas)
    if batches is None:
        return summarise(job.kernel, source.many(ctas), *_rules(job, machine))
    return _summarised(job, machine, batches)


def cheap_counts(estimator: Estimator, machine: Machine) -> TraceSummary:
    """The same, of CTAs that an estimate had executed where it had: nothing runs again."""
    given = estimator.given_events
    if given is None:
        return trace_counts(estimator, machine)
    ctas, accesses = given.ctas.tolist(), len(given.access_point)
    most = MOST_ACCESSES * len(ctas) // max(1, accesses)
    chosen = sampled_ctas((len(ctas), 1, 1), min(FEW_CTAS, max(2, most)))
    return _summarised(estimator.job, machine, (given.of_cta(ctas[x]) for x, _, _ in chosen))


FEW_CTAS, MOST_ACCESSES = 16, 50_000
"""CTAs, and accesses of their warps, that are counted where executed ones are at hand."""


def _summarised(job: Job, machine: Machine, batches: Iterable[EventBatch]) -> TraceSummary:
    from warpmill.analyzer.traces.batch_summary import summarise_batches  # noqa: PLC0415 - numba is slow

    return summarise_batches(job.kernel, batches, *_rules(job, machine))


def _rules(job: Job, machine: Machine) -> tuple[int, MemoryRules, Mapping[Place, Space]]:
    """Rules that accesses are counted by: lanes of a warp, the machine's rules, known memories."""
    spaces = {(a.block, a.instruction): a.space for a in job.analysis.accesses}
    return job.loaded.module.warp_size, memory_rules(machine), spaces


class AccessesBehind:
    """Origins of the values that instructions read; of several writes of a register, all."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._accesses: dict[int, set[Place]] = {}  # that write a register
        self._sources: dict[int, set[int]] = {}  # registers that it is made of without cost
        self._behind: dict[frozenset[int], tuple[Place, ...]] = {}
        for block in kernel.blocks:
            for index, instruction in enumerate(block.instructions):
                for register in instruction.writes:
                    if touches_memory(instruction):
                        self._accesses.setdefault(register, set()).add((block.id, index))
                    elif is_free(instruction):
                        self._sources.setdefault(register, set()).update(instruction.reads)

    def accesses_behind(self, place: Place) -> tuple[Place, ...]:
        """List the accesses whose results an instruction reads, through what costs nothing."""
        read = frozenset(self._kernel.blocks[place[0]].instructions[place[1]].reads)
        if read not in self._behind:
            self._behind[read] = tuple(sorted(self._followed(read)))
        found = self._behind[read]
        return tuple(p for p in found if p != place) if place in found else found

    def _followed(self, read: Iterable[int]) -> set[Place]:
        found: set[Place] = set()
        seen, waiting = set[int](), set(read)
        for _ in range(_MOST_FOLLOWED):
            seen |= waiting
            found = found.union(*(self._accesses.get(r, ()) for r in waiting))
            waiting = set().union(*(self._sources.get(r, ()) for r in waiting)) - seen
        return found
