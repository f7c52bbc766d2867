"""What ``trace`` answers: how much the warps of a launch execute and access."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import ClassVar, Literal

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.analyzer.base.metric import CountRange
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.comparison import TraceComparison
from warpmill.analyzer.traces.model import LaneAddresses, Node, Repeat, TracedAccess, WarpTrace
from warpmill.analyzer.traces.summary import AccessSummary
from warpmill.report.assumed import AssumedName, assumed_names
from warpmill.report.base import Id, Mark, Marks, Part, Report, marks
from warpmill.report.facts import (
    KernelIdentity,
    LaunchFacts,
    SourcePlace,
    instruction_place,
    kernel_facts,
    launch_facts,
)
from warpmill.session.jobs import Job
from warpmill.session.names import buffer_of, labels_of
from warpmill.session.prepare import kernels_beside
from warpmill.session.traces import Saved, Traced


class ClassCount(Part):
    """Instructions of one class, over the CTAs that were summed."""

    op_class: str
    warp_instructions: int
    thread_instructions: int


class BlockCount(Part):
    """Executions of one block by warps, over the CTAs that were summed."""

    block: str
    warp_executions: int


class AccessCounts(Part):
    """One memory instruction over the CTAs that were summed.

    ``sectors`` are 32 B each, by the memory rules' default; ``requests`` distinct 128 B lines;
    ``bank_passes`` those of shared memory. They are null where addresses, or how many bytes a lane
    accesses, are unknown, as ``reason`` says, and where the space has none.
    """

    block: str
    instruction: Id
    opcode: str
    space: str
    buffer: str | None
    width_bytes: int | None
    warp_executions: int
    thread_executions: int
    bytes_requested: int | None
    sectors: int | None
    sectors_per_access: float | None
    requests: int | None
    bank_passes: int | None
    bank_passes_per_access: float | None
    reason: str | None
    place: SourcePlace


class NodeAccess(Part):
    """A memory instruction of a visit; addresses are virtual, null where ``reason`` says why."""

    instruction: Id
    opcode: str
    mask: str
    address: str | None
    """Address of the first lane that is on, in the first iteration."""
    lane_stride_bytes: int | None
    """Null where lanes are not evenly apart."""
    loop_strides_bytes: list[int]
    reason: str | None


class VisitNode(Part):
    """A visit of a block; ``mask`` are the lanes that are on in hexadecimal, lane 0 the lowest."""

    marked_as_one: ClassVar[bool] = True
    block: str
    mask: str
    lanes: int
    accesses: list[NodeAccess]


class RepeatNode(Part):
    """A body that happens ``repeat`` times, one after another."""

    marked_as_one: ClassVar[bool] = True
    repeat: int
    repeat_strides: list[int]
    """What an iteration of each repetition around adds to ``repeat``, outermost first; empty where
    it is always the same."""
    body: list[VisitNode | RepeatNode]


class FoldedWarp(Part):
    """The trace of one warp, loops folded."""

    cta: list[Id]
    warp: Id
    visits: int
    nodes: list[VisitNode | RepeatNode]
    marks: Marks


class SavedFacts(Part):
    """A file of saved traces: of how many CTAs, its size in bytes, and as it was foretold."""

    marked_as_one: ClassVar[bool] = True

    file: str
    ctas: int
    bytes: int
    bytes_foretold: int


class TraceRanges(Part):
    """Counts where a range was assumed. All other figures of the launch are of the low ends."""

    warp_instructions: CountRange
    thread_instructions: CountRange
    grid_warp_instructions: CountRange
    grid_thread_instructions: CountRange


class BlockBeside(Part):
    """Executions of a block in static traces and in executed ones.

    ``short_warps`` are warps in which the static trace has fewer of them.
    """

    block: str
    static_warps: int
    executed_warps: int
    static_threads: int
    executed_threads: int
    short_warps: int


class BesideExecutedFacts(Part):
    """Static traces of some CTAs beside executed ones, warp by warp.

    ``equal_warps`` have the same events with the same addresses, ``equal_paths`` the same blocks
    with the same lanes in the same order. ``covers``: no warp executes a block more often, or with
    more threads, than its static trace has it. Overshoots are what static traces have beyond the
    executed ones, as shares of these; negative where assumptions fell short.
    """

    warps: int
    equal_warps: int
    equal_paths: int
    covers: bool
    static_warp_instructions: int
    executed_warp_instructions: int
    static_thread_instructions: int
    executed_thread_instructions: int
    warp_overshoot: float | None
    thread_overshoot: float | None
    blocks: list[BlockBeside]
    marks: Marks


class LaunchTrace(Part):
    """The traces of one launch summed up over ``ctas`` of its ``ctas_total`` CTAs.

    ``grid_`` figures are for the whole launch, scaled where not all CTAs were summed. Thread
    instructions count the lanes of the active mask.
    """

    kernel: KernelIdentity
    launch: LaunchFacts
    trace: str
    trace_reason: str
    pruned: bool
    """Whether only the instructions that the hybrid paper keeps are counted."""
    ctas: int
    ctas_total: int
    warps: int
    warp_instructions: int
    thread_instructions: int
    grid_warp_instructions: int
    grid_thread_instructions: int
    lane_utilization: float | None
    by_class: list[ClassCount]
    blocks: list[BlockCount]
    accesses: list[AccessCounts]
    assumptions: list[str]
    assumed: list[AssumedName]
    ranges: TraceRanges | None
    warp: FoldedWarp | None
    saved: SavedFacts | None
    beside_executed: BesideExecutedFacts | None
    """Static traces beside executed ones, where that was asked for."""
    marks: Marks


class TraceReport(Report):
    """Traces of the launches of a launch file, or of one launch."""

    report: Literal["trace"] = "trace"
    launches: list[LaunchTrace]


def trace_report(launches: Sequence[LaunchTrace]) -> TraceReport:
    """Put the traces of some launches together."""
    return TraceReport(launches=list(launches))


def launch_trace(
    job: Job,
    traced: Traced,
    warp: WarpTrace | None = None,
    saved: Saved | None = None,
    *,
    assumed: Assumptions | None = None,
    high: Traced | None = None,
    beside: TraceComparison | None = None,
) -> LaunchTrace:
    """Report what a launch's traces add up to; ``warp`` is shown in full.

    ``assumed`` is what the user assumed. Where a range is in it, ``traced`` is made with the low
    ends and ``high`` with the high ones. ``beside`` are static traces beside executed ones.
    """
    summary = traced.summary
    scale = Fraction(traced.ctas_total, summary.ctas)
    threads = dict(summary.threads_by_class)
    labels = labels_of(job.analysis.structure)
    return LaunchTrace(
        kernel=kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)),
        launch=launch_facts(job.required_launch(), job.kernel),
        trace=traced.source.kind,
        trace_reason=traced.reason,
        pruned=traced.pruned,
        ctas=summary.ctas,
        ctas_total=traced.ctas_total,
        warps=summary.warps,
        warp_instructions=summary.warp_instructions,
        thread_instructions=summary.thread_instructions,
        grid_warp_instructions=round(summary.warp_instructions * scale),
        grid_thread_instructions=round(summary.thread_instructions * scale),
        lane_utilization=summary.lane_utilization,
        by_class=[
            ClassCount(op_class=c, warp_instructions=n, thread_instructions=threads[c])
            for c, n in summary.by_class
        ],
        blocks=[
            BlockCount(block=labels[number], warp_executions=count)
            for number, count in enumerate(summary.block_executions)
        ],
        accesses=_accesses(job, summary.accesses, labels),
        assumptions=list(traced.assumptions),
        assumed=assumed_names(assumed or Assumptions()),
        ranges=None if high is None else _ranges(traced, high),
        warp=None if warp is None else _folded(job, warp, labels, traced),
        saved=None if saved is None else _saved(saved),
        beside_executed=None if beside is None else _beside(beside, labels),
        marks=_marks(traced),
    )


def _beside(found: TraceComparison, labels: Sequence[str]) -> BesideExecutedFacts:
    static = Mark.EXACT if found.is_equal else Mark.ASSUMED
    return BesideExecutedFacts(
        warps=found.warps,
        equal_warps=found.equal_warps,
        equal_paths=found.equal_paths,
        covers=found.covers,
        static_warp_instructions=found.static_warp_instructions,
        executed_warp_instructions=found.executed_warp_instructions,
        static_thread_instructions=found.static_thread_instructions,
        executed_thread_instructions=found.executed_thread_instructions,
        warp_overshoot=found.warp_overshoot,
        thread_overshoot=found.thread_overshoot,
        blocks=[
            BlockBeside(
                block=labels[b.block],
                static_warps=b.static_warps,
                executed_warps=b.executed_warps,
                static_threads=b.static_threads,
                executed_threads=b.executed_threads,
                short_warps=b.short_warps,
            )
            for b in found.blocks
        ],
        marks=marks(
            BesideExecutedFacts,
            Mark.EXACT,
            static_warp_instructions=static,
            static_thread_instructions=static,
            blocks__static_warps=static,
            blocks__static_threads=static,
        ),
    )


def _ranges(low: Traced, high: Traced) -> TraceRanges:
    ends = low.summary, high.summary
    scales = [Fraction(t.ctas_total, t.summary.ctas) for t in (low, high)]
    warps = [e.warp_instructions for e in ends]
    threads = [e.thread_instructions for e in ends]
    return TraceRanges(
        warp_instructions=_range(warps),
        thread_instructions=_range(threads),
        grid_warp_instructions=_range([round(w * s) for w, s in zip(warps, scales, strict=True)]),
        grid_thread_instructions=_range(
            [round(t * s) for t, s in zip(threads, scales, strict=True)]
        ),
    )


def _range(ends: Sequence[int]) -> CountRange:
    low, high = ends
    return CountRange(low=low, high=high)


def _saved(saved: Saved) -> SavedFacts:
    return SavedFacts(
        file=str(saved.path),
        ctas=saved.ctas,
        bytes=saved.bytes_written,
        bytes_foretold=saved.bytes_foretold,
    )


def _marks(traced: Traced) -> dict[str, Mark]:
    """Mark counts exact for the CTAs summed; what stands for the grid is sampled where not all.

    What was assumed stays assumed when it is scaled: that is the weaker ground.
    """
    counted = Mark.ASSUMED if traced.assumptions else Mark.EXACT
    is_part = traced.summary.ctas < traced.ctas_total
    whole = Mark.SAMPLED if is_part and not traced.assumptions else counted
    return marks(
        LaunchTrace,
        counted,
        ctas=Mark.EXACT,
        ctas_total=Mark.EXACT,
        warps=Mark.EXACT,
        saved=Mark.EXACT,
        ranges=Mark.ASSUMED,
        grid_warp_instructions=whole,
        grid_thread_instructions=whole,
        accesses__width_bytes=Mark.EXACT,
    )


def _accesses(
    job: Job, summaries: Iterable[AccessSummary], labels: Sequence[str]
) -> list[AccessCounts]:
    facts = {(a.block, a.instruction): a for a in job.analysis.accesses}
    return [_access(job, s, facts.get((s.block, s.instruction)), labels) for s in summaries]


def _source_space(instruction: Instruction, turn: int) -> Space | None:
    """Give the space of what a copy reads, where this is that access."""
    reads = turn == 0 and len(instruction.accessed) > 1
    return (instruction.operation.spaces[-1:] or (Space.GENERIC,))[0] if reads else None


def _access(
    job: Job, counts: AccessSummary, fact: MemoryAccess | None, labels: Sequence[str]
) -> AccessCounts:
    instruction = job.kernel.blocks[counts.block].instructions[counts.instruction]
    operation = instruction.operation
    source = _source_space(instruction, counts.turn)
    if source is not None:
        fact = None
    own = operation.space if source is None else source
    written = "generic" if own is None else own.value
    space = written if fact is None else fact.space.value
    is_shared = space == "shared"
    unknown = counts.sectors is None and counts.wavefronts is None
    sectors = None if is_shared else counts.sectors
    passes = counts.wavefronts if is_shared else None
    return AccessCounts(
        block=labels[counts.block],
        instruction=counts.instruction,
        opcode=operation.opcode,
        space=space,
        buffer=None if fact is None else buffer_of(job, fact),
        width_bytes=instruction.width_bytes,
        warp_executions=counts.warp_executions,
        thread_executions=counts.thread_executions,
        bytes_requested=counts.bytes_requested,
        sectors=sectors,
        sectors_per_access=_per(sectors, counts.warp_executions),
        requests=None if is_shared else counts.lines,
        bank_passes=passes,
        bank_passes_per_access=_per(passes, counts.warp_executions),
        reason=_reason(counts) if unknown else None,
        place=instruction_place(job.loaded, instruction),
    )


def _reason(counts: AccessSummary) -> str:
    return f"{'its size is' if counts.bytes_requested is None else 'its addresses are'} not known"


def _per(count: int | None, executions: int) -> float | None:
    return None if count is None or not executions else count / executions


def _folded(job: Job, warp: WarpTrace, labels: Sequence[str], traced: Traced) -> FoldedWarp:
    mark = Mark.ASSUMED if traced.assumptions else Mark.EXACT
    return FoldedWarp(
        cta=list(warp.cta),
        warp=warp.warp,
        visits=warp.visits,
        nodes=[_node(job, node, labels, warp.bases) for node in warp.nodes],
        marks=marks(FoldedWarp, mark),
    )


def _node(
    job: Job, node: Node, labels: Sequence[str], bases: Sequence[int]
) -> VisitNode | RepeatNode:
    if isinstance(node, Repeat):
        return RepeatNode(
            repeat=node.count,
            repeat_strides=list(node.count_strides),
            body=[_node(job, n, labels, bases) for n in node.body],
        )
    return VisitNode(
        block=labels[node.block],
        mask=hex(node.mask),
        lanes=node.mask.bit_count(),
        accesses=[_node_access(job, node.block, a, bases) for a in node.accesses],
    )


def _node_access(job: Job, block: int, access: TracedAccess, bases: Sequence[int]) -> NodeAccess:
    where = access.addresses
    known = where if isinstance(where, LaneAddresses) else None
    instruction = job.kernel.blocks[block].instructions[access.instruction]
    return NodeAccess(
        instruction=access.instruction,
        opcode=instruction.operation.opcode,
        mask=hex(access.mask),
        address=None if known is None else hex(bases[known.slot]),
        lane_stride_bytes=None if known is None else getattr(known.pattern, "stride", None),
        loop_strides_bytes=[] if known is None else list(known.loop_strides),
        reason=None if isinstance(where, LaneAddresses) else where.reason,
    )
