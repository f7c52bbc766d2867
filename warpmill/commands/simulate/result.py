"""Result of ``simulate``: launches on whole GPUs, cycle by cycle, and warp cycles by place."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.analyzer.base.metric import INTERNAL, Mark, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.report.assumed import AssumedName, assumed_names, shown_settings
from warpmill.report.base import Id, Part, Report
from warpmill.report.facts import (
    KernelIdentity,
    LaunchFacts,
    NotSimulated,
    Remark,
    SourcePlace,
    block_place,
    instruction_place,
    kernel_facts,
    launch_facts,
    remarks,
)
from warpmill.report.words import place as written
from warpmill.session.engine_evidence import evidence_of_simulation
from warpmill.session.findings import Finding, answer_sentences, findings
from warpmill.session.jobs import Job
from warpmill.session.prepare import kernels_beside
from warpmill.simulator.gpu.instruction_result import InstructionResult, by_reason
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.machines.schema import Scalar
from warpmill.simulator.resources import WARP_STATES, share_of

if TYPE_CHECKING:
    from warpmill.session.simulations import Simulated


class SimulatedLaunch(Part):
    """A launch, its place among the simulated ones, from 0, and its kernel's number."""

    number: Id
    kernel: Id
    facts: LaunchFacts


@dataclass(frozen=True)
class StallRow:
    """An executed instruction with its figures, and the job that has its kernel."""

    job: Job
    figures: InstructionResult

    @property
    def instruction(self) -> Instruction:
        """The instruction itself."""
        block = self.job.kernel.blocks[self.figures.block]
        return block.instructions[self.figures.instruction]

    @property
    def place(self) -> SourcePlace:
        """Place in the source."""
        return instruction_place(self.job.loaded, self.instruction)

    @property
    def function(self) -> str | None:
        """The function that it was copied from: the innermost of its call sites."""
        site = self.instruction.inlined
        while site is not None and site.inner is not None:
            site = site.inner
        return None if site is None else site.function


class StalledPart(Part):
    """Executions and stall cycles of some instructions of a kernel, over all warps.

    A warp that waits counts at the instruction that it waits to issue, in ``stall_cycles`` (all
    states but ``selected``) and, by reason, in ``stalls_by_reason``, which leaves out reasons that
    did not occur. ``file`` is that of which lines are named alone.
    """

    rows: Annotated[tuple[StallRow, ...], INTERNAL]
    all_stall_cycles: Annotated[int, INTERNAL]
    file: Annotated[str, INTERNAL]

    @derived("Kernel")
    def kernel(self) -> Id:
        """The number of the kernel in ``kernels``."""
        return self.rows[0].figures.kernel

    @derived("Issued", "inst", ncu="inst_executed")
    def warp_instructions(self) -> int:
        """Instructions that warps issued."""
        return sum(row.figures.warp_instructions for row in self.rows)

    @derived("Thread instructions", "thread inst", ncu="thread_inst_executed")
    def thread_instructions(self) -> int:
        """The same, by the lanes that were active."""
        return sum(row.figures.thread_instructions for row in self.rows)

    @derived("Stall cycles", "cycle")
    def stall_cycles(self) -> int:
        """Cycles of warps that waited to issue them."""
        return sum(row.figures.stall_cycles for row in self.rows)

    @derived("Share", "%")
    def stall_fraction(self) -> float | None:
        """The share of all stall cycles of the simulation."""
        return share_of(self.stall_cycles, self.all_stall_cycles)

    @derived("Stall cycles by reason", "cycle")
    def stalls_by_reason(self) -> Mapping[str, int]:
        """The stall cycles by reason."""
        columns = zip(*(row.figures.stalls for row in self.rows), strict=True)
        return by_reason(tuple(map(sum, columns)))

    @property
    def kernel_name(self) -> str:
        """The name of the kernel."""
        return self.rows[0].job.kernel.name

    @property
    def line(self) -> str:
        """Place of the first one, for people."""
        return written(self.rows[0].place, self.file)

    @property
    def main_reason(self) -> str | None:
        """Stall reason with the most cycles."""
        waits = self.stalls_by_reason
        return WARP_STATES[max(waits, key=lambda name: waits[name])] if waits else None


class LineStalls(StalledPart):
    """The instructions of a line of the source, or of the input where nothing recorded it."""

    @derived("Line")
    def place(self) -> SourcePlace:
        """The line."""
        return replace(self.rows[0].place, column=None)

    @derived("Opcode")
    def opcode(self) -> str:
        """That with most stall cycles."""
        most = max(self.rows, key=lambda row: row.figures.stall_cycles)
        return most.instruction.operation.opcode

    @derived("Number of instructions")
    def instructions(self) -> int:
        """How many of the line were executed."""
        return len(self.rows)


class BlockStalls(StalledPart):
    """The instructions of a basic block."""

    @derived("Number")
    def block(self) -> Id:
        """The number of the block in its kernel."""
        return self.rows[0].figures.block

    @derived("Basic block")
    def label(self) -> str:
        """The label of the block."""
        return self.rows[0].job.kernel.blocks[self.block].label

    @derived("Line")
    def place(self) -> SourcePlace | None:
        """Place of the block's first instruction."""
        job = self.rows[0].job
        return block_place(job.loaded, job.kernel.blocks[self.block])


class FunctionStalls(StalledPart):
    """A device function, in all ``copies`` that were executed, or what is the kernel's own.

    Functions that a compiler inlined before are not told apart: lines are.
    """

    @derived("Name")
    def name(self) -> str:
        """The name of the function, or of the kernel."""
        return self.rows[0].function or self.kernel_name

    @derived("Function")
    def demangled(self) -> str:
        """The name as the source has it."""
        return demangle(self.name)

    @derived("Copies", mark=Mark.EXACT)
    def copies(self) -> int:
        """How many copies were executed; 0 of the kernel."""
        return len({row.instruction.inlined for row in self.rows} - {None})


class InstructionStalls(StalledPart):
    """One instruction of a kernel; ``result`` has what it accessed, and its latencies."""

    @derived("Opcode")
    def opcode(self) -> str:
        """The opcode as it is written."""
        return self.rows[0].instruction.operation.opcode

    @derived("Space")
    def space(self) -> str | None:
        """The memory that the opcode names; null where it names none."""
        space = self.rows[0].instruction.operation.space
        return None if space is None else space.value

    @derived("Line")
    def place(self) -> SourcePlace:
        """Place in the source."""
        return self.rows[0].place

    @derived("Counts")
    def result(self) -> InstructionResult:
        """Counts of the simulation."""
        return self.rows[0].figures


Stalled = TypeVar("Stalled", bound=StalledPart)

_PLACES = ("lines", "blocks", "functions", "instructions", "instructions.result")


class MachineSimulation(Part):
    """The simulation on one machine: the answer, what it rests on, and where the cycles go.

    ``answer`` says in one to three sentences how long it takes, what bounds it and what to try;
    ``findings`` are what it rests on, the greatest saving first. Lines, blocks and functions are in
    the order of their stall cycles, instructions in that of the code.
    """

    mark: ClassVar[Mark] = Mark.MODELLED

    done: Annotated[Any, INTERNAL]
    answer: tuple[str, ...]
    findings: tuple[Finding, ...]
    lines: tuple[LineStalls, ...]
    blocks: tuple[BlockStalls, ...]
    functions: tuple[FunctionStalls, ...]
    instructions: tuple[InstructionStalls, ...]

    @derived("Result")
    def result(self) -> SimResult:
        """Counts of the engine."""
        result: SimResult = self.done.result
        return result

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of instruction counts, which traces decide where they are issued as traced."""
        keys = ("warp_instructions", "thread_instructions")
        counted = {f"{part}.{key}": self.result.counted for part in _PLACES for key in keys}
        return {"": self.result.modelled, **counted, "lines.instructions": self.result.counted}


class SimulateReport(Report):
    """Simulations of the same launches on some machines, in the order asked for.

    ``overrides`` are the values of ``--set``, ``assumed`` is what the user assumed of loops that
    data end; both hold for every machine.
    """

    report: Literal["simulate"] = "simulate"
    target: str
    overrides: dict[str, str]
    assumed: list[AssumedName]
    kernels: list[KernelIdentity]
    launches: list[SimulatedLaunch]
    simulations: list[MachineSimulation]
    not_simulated: list[NotSimulated]
    remarks: list[Remark]

    @derived("Options")
    def options(self) -> Options:
        """How the launches were simulated."""
        options: Options = self.simulations[0].done.plan.options
        return options

    @derived("Order")
    def order(self) -> str:
        """How launches follow each other, in words."""
        return str(self.simulations[0].done.plan.order)


def simulate_report(
    target: str,
    done: Sequence[Simulated],
    failures: Sequence[tuple[str, str]] = (),
    *,
    overrides: Mapping[str, Scalar] | None = None,
    assumed: Assumptions | None = None,
) -> SimulateReport:
    """Simulations of the same jobs, one at least; ``failures`` are machines with reasons."""
    made = done[0].plan
    return SimulateReport(
        target=target,
        overrides=shown_settings(overrides or {}),
        assumed=assumed_names(assumed or Assumptions()),
        kernels=[
            kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)) for job in made.kernels
        ],
        launches=[
            SimulatedLaunch(
                number=number,
                kernel=kernel,
                facts=launch_facts(job.required_launch(), job.kernel),
            )
            for number, (job, kernel) in enumerate(zip(made.jobs, made.kernel_numbers, strict=True))
        ],
        simulations=list(map(machine_simulation, done)),
        not_simulated=[NotSimulated(machine=name, reason=reason) for name, reason in failures],
        remarks=[r for job in made.kernels for r in remarks(job.loaded.diagnostics, job.loaded)],
    )


def machine_simulation(done: Simulated) -> MachineSimulation:
    """A simulation with the answer that it gives, and its counts by place."""
    evidence = evidence_of_simulation(done)
    found = findings(evidence)
    rows = [StallRow(done.plan.kernels[one.kernel], one) for one in done.result.instructions]
    each = stalled_parts(InstructionStalls, rows, lambda row: _code_order(row.figures))
    return MachineSimulation(
        done=done,
        answer=answer_sentences(evidence, found),
        findings=found,
        lines=stalled_parts(LineStalls, rows, lambda row: (row.place.file, row.place.line)),
        blocks=stalled_parts(BlockStalls, rows, lambda row: row.figures.block),
        functions=stalled_parts(FunctionStalls, rows, lambda row: row.function),
        instructions=tuple(sorted(each, key=lambda one: _code_order(one.result))),
    )


def _code_order(one: InstructionResult) -> tuple[int, int, int]:
    return one.kernel, one.block, one.instruction


# Counts of instructions by what these belong to, those with most stall cycles first.


def stalled_parts(
    kind: type[Stalled], rows: Sequence[StallRow], key: Callable[[StallRow], Hashable]
) -> tuple[Stalled, ...]:
    """The rows of each kernel that have the same key, together."""
    groups: dict[tuple[int, Hashable], list[StallRow]] = {}
    for row in rows:
        groups.setdefault((row.figures.kernel, key(row)), []).append(row)
    whole = sum(row.figures.stall_cycles for row in rows)
    file = rows[0].job.loaded.path if rows else ""
    found = [kind(rows=tuple(x), all_stall_cycles=whole, file=file) for x in groups.values()]
    return tuple(sorted(found, key=lambda part: -part.stall_cycles))
