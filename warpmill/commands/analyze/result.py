"""What ``analyze`` answers: blocks, loops, branches, memory accesses and registers of a kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from warpmill.analyzer.analyses.divergence.analysis import Affine, Divergent, UniformClass
from warpmill.analyzer.analyses.ranges.assumptions import NOTHING, Assumptions, check_assumptions
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.shared_slots import assumptions
from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.analyzer.ir.kernel import Block
from warpmill.analyzer.traces.static.plan import BasicBlockInfo, basic_block_infos
from warpmill.commands.analyze.accesses import AccessFacts, accesses_facts
from warpmill.commands.analyze.branches import BranchFacts, branch_facts
from warpmill.commands.analyze.loops import LoopFacts, loop_facts
from warpmill.report.assumed import AssumedName, assumed_names
from warpmill.report.base import Id, Mark, Marks, Part, Report, marks
from warpmill.report.facts import (
    KernelIdentity,
    LaunchFacts,
    Remark,
    SourcePlace,
    block_place,
    instruction_place,
    kernel_facts,
    launch_facts,
    remarks,
)
from warpmill.session.jobs import Job
from warpmill.session.names import labels_of
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import kernels_beside
from warpmill.session.traces import Dynamic, dynamic_facts

# What ``analyze`` says of calls, and of the instructions that the paper's trace keeps.


class CallFacts(Part):
    """One place that stands for a call (hybrid paper, §III-A-1).

    ``kind``: work-item function, synchronisation, intrinsic function, or function (one that stayed
    a call). ``name`` is a special register, an opcode or a function; ``function`` what OpenCL calls
    it. ``scope`` says whose threads a synchronisation is about.
    """

    kind: str
    name: str
    function: str | None
    scope: str | None
    block: str
    instruction: Id
    place: SourcePlace


class PrunedFacts(Part):
    """How many instructions the paper's pruning keeps, and why it leaves the others out."""

    kept: int
    left_out: dict[str, int]
    kept_by_block: dict[str, int]


def call_facts(job: Job, labels: Sequence[str]) -> list[CallFacts]:
    """List what stands for calls, in program order."""
    return [
        CallFacts(
            kind=call.kind.value,
            name=call.name,
            function=call.function,
            scope=None if call.scope is None else call.scope.value,
            block=labels[call.block],
            instruction=call.instruction,
            place=instruction_place(
                job.loaded, job.kernel.blocks[call.block].instructions[call.instruction]
            ),
        )
        for call in job.calls
    ]


def pruned_facts(job: Job, labels: Sequence[str]) -> PrunedFacts:
    """Count what the paper keeps."""
    view = job.pruned
    reasons: Counter[str] = Counter()
    for reason, number in view.reasons:
        reasons[reason.value] += number
    return PrunedFacts(
        kept=view.kept_count,
        left_out=dict(reasons),
        kept_by_block={labels[b.block]: len(b.kept) for b in view.blocks},
    )


class BlockFacts(Part):
    """One basic block. ``successors``: the fall-through first; ``exit`` is the thread's end.

    ``loop_bound`` is the bound of the innermost loop around, ``associated_blocks`` the headers of
    the loops that it depends on, ``preceding_block`` the closest block before at the next upper
    level (Listing 1 of the hybrid paper). ``warp_executions`` are those of the whole launch.
    """

    id: Id
    label: str
    instructions: int
    kept_instructions: int
    """Those that the paper's pruning keeps."""
    successors: list[str]
    loop_depth: int
    loop: str | None
    """Label of the innermost loop's header."""
    loop_bound: str | None
    associated_blocks: list[str]
    preceding_block: str | None
    reachable: bool
    warp_executions: int | None
    place: SourcePlace | None


class ValueCounts(Part):
    """How many values are the same in all lanes of a warp, affine in the thread id, or divergent.

    Values are what instructions and merges of control flow write: merges of what is read later.
    """

    uniform: int
    affine: int
    divergent: int


class KernelAnalysis(Part):
    """The static facts of one kernel, with the numbers of one launch where there is one.

    ``no_traces`` says why figures from traces (executions of blocks, outcomes of branches) are
    missing: there is no launch, or what a trace cannot follow.
    """

    kernel: KernelIdentity
    launch: LaunchFacts | None
    instructions: int
    blocks: list[BlockFacts]
    edges: int
    irreducible_regions: list[list[str]]
    loops: list[LoopFacts]
    branches: list[BranchFacts]
    accesses: list[AccessFacts]
    calls: list[CallFacts]
    pruned: PrunedFacts
    values: ValueCounts
    live_registers: int
    """Registers of 32 bits that a thread needs: a stand-in for a compiler's count."""
    assumed: list[AssumedName]
    """What the user assumed; figures from traces are of the low ends."""
    assumptions: list[str]
    no_traces: str | None
    remarks: list[Remark]
    marks: Marks


class AnalyzeReport(Report):
    """Static facts of the kernels of a launch file, or of one kernel.

    Formulas (conditions, trip counts, addresses) of more than 320 characters name the parts that
    stand in them more than once: ``e2 > 127 where e1 = ...; e2 = ...``. A part uses the names of
    those before it.
    """

    report: Literal["analyze"] = "analyze"
    analyses: list[KernelAnalysis]


def analyze_report(jobs: Sequence[Job], assumed: Assumptions = NOTHING) -> AnalyzeReport:
    """Describe the kernels of some jobs, in order.

    UsageError where a name that is assumed is none of a kernel's, or known already.
    """
    with gc_paused():
        return AnalyzeReport(analyses=[_analysis(job, assumed) for job in jobs])


def _analysis(job: Job, assumed: Assumptions) -> KernelAnalysis:
    structure, bounds = job.analysis.structure, job.analysis.bounds
    check_assumptions(structure, bounds, assumed, has_launch=job.launch is not None)
    labels = labels_of(structure)
    lowest = assumed.ends()[0]
    dynamic = dynamic_facts(job, TraceOptions(assume=lowest))
    reachable = sorted(structure.cfg.reachable)
    infos = basic_block_infos(structure, job.analysis.bounds)
    return KernelAnalysis(
        kernel=kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)),
        launch=None if job.launch is None else launch_facts(job.launch, job.kernel),
        instructions=job.analysis.mix.instructions,
        blocks=[
            _block(job, labels, block, (info, dynamic))
            for block, info in zip(job.kernel.blocks, infos, strict=True)
        ],
        edges=sum(len(structure.cfg.successors[b]) for b in reachable),
        irreducible_regions=[[labels[b] for b in r] for r in structure.loops.irreducible],
        loops=loop_facts(job, labels, assumed),
        branches=branch_facts(job, labels, dynamic.outcomes),
        accesses=accesses_facts(job, labels),
        calls=call_facts(job, labels),
        pruned=pruned_facts(job, labels),
        values=_values(job),
        live_registers=job.analysis.live_registers,
        assumed=assumed_names(assumed),
        assumptions=_assumptions(structure, dynamic),
        no_traces=dynamic.reason,
        remarks=remarks(job.loaded.diagnostics, job.loaded),
        marks=marks(
            KernelAnalysis,
            Mark.EXACT,
            live_registers=Mark.MODELLED,
            blocks__warp_executions=_mark(dynamic),
        ),
    )


def _assumptions(structure: Structure, dynamic: Dynamic) -> list[str]:
    """What loops and traces rest on; where there are traces, theirs tell all of it."""
    of_loops = () if dynamic.assumptions else (text for _, text in assumptions(structure))
    return [*of_loops, *dynamic.assumptions]


def _mark(dynamic: Dynamic) -> Mark:
    if dynamic.assumptions:
        return Mark.ASSUMED
    return Mark.SAMPLED if dynamic.is_sampled else Mark.EXACT


def _block(
    job: Job, labels: Sequence[str], block: Block, found: tuple[BasicBlockInfo, Dynamic]
) -> BlockFacts:
    structure = job.analysis.structure
    info, dynamic = found
    loop = structure.loops.innermost(block.id)
    return BlockFacts(
        id=block.id,
        label=block.label,
        instructions=len(block.instructions),
        kept_instructions=len(job.kept[block.id]),
        successors=[labels[s] for s in structure.cfg.successors[block.id]],
        loop_depth=0 if loop is None else loop.depth,
        loop=None if loop is None else labels[loop.header],
        loop_bound=None if info.loop_bound_expr is None else str(info.loop_bound_expr),
        associated_blocks=[labels[b] for b in info.associated_bbs],
        preceding_block=None if info.preced_bb is None else labels[info.preced_bb],
        reachable=block.id in structure.cfg.reachable,
        warp_executions=None if dynamic.executions is None else dynamic.executions[block.id],
        place=block_place(job.loaded, block),
    )


def _values(job: Job) -> ValueCounts:
    classes = [c for c in job.divergence.classes if c is not None]
    return ValueCounts(
        uniform=sum(isinstance(c, UniformClass) for c in classes),
        affine=sum(isinstance(c, Affine) for c in classes),
        divergent=sum(isinstance(c, Divergent) for c in classes),
    )
