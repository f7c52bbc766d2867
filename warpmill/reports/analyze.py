"""What ``analyze`` answers: blocks, loops, branches, memory accesses and registers of a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from analyzer.analyses.bounds import Known, LoopBound, Symbolic, Unknown
from analyzer.analyses.conditions import Condition, Opaque, decided_by, guard_condition
from analyzer.analyses.memory import MemoryAccess
from analyzer.analyses.structure import Structure
from analyzer.cfg.loops import Loop
from analyzer.ir.kernel import Block, Instruction
from analyzer.launch.model import ScalarArgument
from analyzer.symbolic import AtomKind
from warpmill.api import Job, kernels_beside
from warpmill.reports.base import Id, Mark, Marks, Part, Report, marks
from warpmill.reports.counts import Range, loop_ranges
from warpmill.reports.facts import (
    KernelFacts,
    LaunchFacts,
    Place,
    Remark,
    block_place,
    instruction_place,
    kernel_facts,
    launch_facts,
    remarks,
)

EXIT = "exit"
"""The name of the end of the thread among successors."""


class BlockFacts(Part):
    """One basic block. ``successors``: the fall-through first; ``exit`` is the thread's end."""

    id: Id
    label: str
    instructions: int
    successors: list[str]
    loop_depth: int
    loop: str | None
    """Label of the innermost loop's header."""
    reachable: bool
    place: Place | None


class ExitFacts(Part):
    """One edge out of a loop and when it is taken; ``trips`` are the iterations before that."""

    source: str
    target: str
    condition: str | None
    trips: str


class LoopFacts(Part):
    """One loop; its name is its header's label, as ``--assume`` takes it.

    ``trips`` is known, symbolic (a formula) or unknown (``reason`` says why). ``count_min`` and
    ``count_max`` are the formula's values in this launch, over ``over`` (thread ids and the like);
    null without a launch, or where ``count_reason`` says why. ``at_most``: data may end it earlier.
    """

    name: str
    depth: int
    parent: str | None
    blocks: int
    trips: Literal["known", "symbolic", "unknown"]
    formula: str | None
    reason: str | None
    at_most: bool
    bottom_tested: bool
    count_min: int | None
    count_max: int | None
    count_over: list[str]
    count_reason: str | None
    exits: list[ExitFacts]
    place: Place | None
    marks: Marks


class BranchFacts(Part):
    """A block with several successors. ``condition`` is when ``taken`` follows it.

    ``decided_by``: argument, thread id, block id, launch size, loop counter, memory load, control
    flow, other. ``reconverges`` is the block where lanes that part meet again.
    """

    block: str
    opcode: str
    condition: str
    decided_by: list[str]
    taken: list[str]
    otherwise: str
    reconverges: str | None
    leaves_loop: str | None
    place: Place


class LoopStride(Part):
    """Bytes that an address moves in one iteration; null where that is no constant."""

    loop: str
    bytes: int | None


class AccessFacts(Part):
    """One memory instruction. ``buffer``: the parameter or variable that its address starts at.

    ``lane_stride_bytes``: what one step in tid.x adds; null where it is no constant.
    """

    block: str
    instruction: Id
    op_class: str
    opcode: str
    space: str
    buffer: str | None
    width_bytes: int | None
    pattern: str
    lane_stride_bytes: int | None
    loop_strides: list[LoopStride]
    address: str
    place: Place


class KernelAnalysis(Part):
    """The static facts of one kernel, with the numbers of one launch where there is one."""

    kernel: KernelFacts
    launch: LaunchFacts | None
    instructions: int
    blocks: list[BlockFacts]
    edges: int
    irreducible_regions: list[list[str]]
    loops: list[LoopFacts]
    branches: list[BranchFacts]
    accesses: list[AccessFacts]
    live_registers: int
    """Most 32-bit registers live at once, and two; a stand-in for a compiler's count."""
    remarks: list[Remark]
    marks: Marks


class AnalyzeReport(Report):
    """Static facts of the kernels of a launch file, or of one kernel."""

    report: Literal["analyze"] = "analyze"
    analyses: list[KernelAnalysis]


def analyze_report(jobs: Sequence[Job]) -> AnalyzeReport:
    """Describe the kernels of some jobs, in order."""
    return AnalyzeReport(analyses=[_analysis(job) for job in jobs])


def _analysis(job: Job) -> KernelAnalysis:
    structure = job.analysis.structure
    labels = labels_of(structure)
    reachable = sorted(structure.cfg.reachable)
    return KernelAnalysis(
        kernel=kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)),
        launch=None if job.launch is None else launch_facts(job.launch, job.kernel),
        instructions=job.analysis.mix.instructions,
        blocks=[_block(job, labels, block) for block in job.kernel.blocks],
        edges=sum(len(structure.cfg.successors[b]) for b in reachable),
        irreducible_regions=[[labels[b] for b in r] for r in structure.loops.irreducible],
        loops=_loops(job, labels),
        branches=[_branch(job, labels, b) for b in reachable if _parts(structure, b)],
        accesses=[_access(job, labels, access) for access in job.analysis.accesses],
        live_registers=job.analysis.live_registers,
        remarks=remarks(job.loaded.diagnostics, job.loaded),
        marks=marks(KernelAnalysis, Mark.EXACT, live_registers=Mark.MODELLED),
    )


def labels_of(structure: Structure) -> list[str]:
    """Give the label of each block, and ``exit`` for the end of the thread."""
    return [*(block.label for block in structure.kernel.blocks), EXIT]


def _block(job: Job, labels: Sequence[str], block: Block) -> BlockFacts:
    structure = job.analysis.structure
    loop = structure.loops.innermost(block.id)
    return BlockFacts(
        id=block.id,
        label=block.label,
        instructions=len(block.instructions),
        successors=[labels[s] for s in structure.cfg.successors[block.id]],
        loop_depth=0 if loop is None else loop.depth,
        loop=None if loop is None else labels[loop.header],
        reachable=block.id in structure.cfg.reachable,
        place=block_place(job.loaded, block),
    )


def _loops(job: Job, labels: Sequence[str]) -> list[LoopFacts]:
    analysis = job.analysis
    ranges: Mapping[int, Range] = {}
    if job.launch is not None:
        ranges = loop_ranges(job.loaded.module, job.kernel, job.launch, analysis.bounds)
    forest = analysis.structure.loops.loops
    return [
        _loop(job, labels, forest[bound.loop], bound, ranges.get(bound.loop))
        for bound in analysis.bounds
    ]


def _loop(
    job: Job, labels: Sequence[str], loop: Loop, bound: LoopBound, found: Range | None
) -> LoopFacts:
    trips = bound.trips
    if found is None:
        known = trips.count if isinstance(trips, Known) else None
        found = Range(known, known, None if known is not None else _without_launch(bound))
    parent = None if loop.parent is None else job.analysis.structure.loops.loops[loop.parent]
    count_mark = Mark.SAMPLED if found.sampled else Mark.EXACT
    return LoopFacts(
        name=labels[loop.header],
        depth=loop.depth,
        parent=None if parent is None else labels[parent.header],
        blocks=len(loop.blocks),
        trips=_kind(bound),
        formula=str(trips) if isinstance(trips, Known | Symbolic) else None,
        reason=trips.reason if isinstance(trips, Unknown) else None,
        at_most=bound.at_most,
        bottom_tested=bound.bottom_tested,
        count_min=found.low,
        count_max=found.high,
        count_over=list(found.over),
        count_reason=found.reason,
        exits=[
            ExitFacts(
                source=labels[e.source],
                target=labels[e.target],
                condition=None if e.condition is None else str(e.condition),
                trips=str(e.trips),
            )
            for e in bound.exits
        ],
        place=block_place(job.loaded, job.kernel.blocks[loop.header]),
        marks=marks(LoopFacts, Mark.EXACT, count_min=count_mark, count_max=count_mark),
    )


def _kind(bound: LoopBound) -> Literal["known", "symbolic", "unknown"]:
    if isinstance(bound.trips, Known):
        return "known"
    return "symbolic" if isinstance(bound.trips, Symbolic) else "unknown"


def _without_launch(bound: LoopBound) -> str:
    if isinstance(bound.trips, Unknown):
        return bound.trips.reason
    return "no launch was given"


def _parts(structure: Structure, block: int) -> bool:
    return len(structure.cfg.successors[block]) > 1


def _branch(job: Job, labels: Sequence[str], number: int) -> BranchFacts:
    structure = job.analysis.structure
    block = job.kernel.blocks[number]
    last = block.instructions[-1]
    condition = _condition(structure, number, last)
    after = structure.cfg.successors[number]
    otherwise = after[0] if block.fallthrough is None else block.fallthrough
    left = [
        loop
        for loop in structure.loops.containing(number)
        if any(s not in loop.blocks for s in after)
    ]
    meet = structure.reconvergence[number]
    return BranchFacts(
        block=labels[number],
        opcode=last.operation.opcode,
        condition=str(condition),
        decided_by=[d.value for d in decided_by(condition)],
        taken=[labels[s] for s in after if s != otherwise],
        otherwise=labels[otherwise],
        reconverges=None if meet is None else labels[meet],
        leaves_loop=labels[left[-1].header] if left else None,
        place=instruction_place(job.loaded, last),
    )


def _condition(structure: Structure, block: int, last: Instruction) -> Condition:
    """Give what a block's last instruction tests: its guard, or the value that it switches on."""
    index = len(structure.kernel.blocks[block].instructions) - 1
    if last.guard is not None:
        return guard_condition(structure, block, index, last.guard)
    if not last.sources:
        return Opaque(last.operation.opcode)
    value = structure.values.of_operand(block, index, last.sources[0])
    return Opaque(f"by the value of {value}", (value,))


def _access(job: Job, labels: Sequence[str], access: MemoryAccess) -> AccessFacts:
    structure = job.analysis.structure
    instruction = job.kernel.blocks[access.block].instructions[access.instruction]
    return AccessFacts(
        block=labels[access.block],
        instruction=access.instruction,
        op_class=access.op_class.value,
        opcode=access.opcode,
        space=access.space.value,
        buffer=buffer_of(job, access),
        width_bytes=access.width_bytes,
        pattern=access.pattern.value,
        lane_stride_bytes=access.lane_stride_bytes,
        loop_strides=[
            LoopStride(loop=labels[structure.loops.loops[loop].header], bytes=stride)
            for loop, stride in access.loop_strides_bytes
        ],
        address=str(access.address),
        place=instruction_place(job.loaded, instruction),
    )


def buffer_of(job: Job, access: MemoryAccess) -> str | None:
    """Name the pointer parameter or the variable that an address starts at; None: several, none.

    A pointer stands alone in its monomial, with the factor one.
    """
    names = set()
    for monomial, factor in access.address.terms:
        if len(monomial) != 1 or factor != 1:
            continue
        (atom,) = monomial
        is_pointer = atom.kind is AtomKind.ARGUMENT and _may_point(job, atom.key)
        if is_pointer or atom.kind is AtomKind.ADDRESS:
            names.add(atom.name)
    return names.pop() if len(names) == 1 else None


def _may_point(job: Job, index: int) -> bool:
    if job.launch is not None:
        return not isinstance(job.launch.arguments[index], ScalarArgument)
    parameter = job.kernel.parameters[index]
    return parameter.type.bits == 64 if parameter.is_pointer is None else parameter.is_pointer
