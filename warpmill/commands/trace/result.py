"""What ``trace`` answers: how much the warps of a launch execute and access."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.ranges.assumptions import Assumptions
from warpmill.analyzer.base.metric import INTERNAL, CountRange, Metric, derived
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.comparison import BlockComparison, TraceComparison
from warpmill.analyzer.traces.model import LaneAddresses, Node, Repeat, TracedAccess, WarpTrace
from warpmill.analyzer.traces.summary import AccessSummary
from warpmill.report.assumed import AssumedName, assumed_names
from warpmill.report.base import Id, Mark, Part, Report
from warpmill.report.facts import (
    KernelIdentity,
    LaunchFacts,
    SourcePlace,
    instruction_place,
    kernel_facts,
    launch_facts,
)
from warpmill.session.data import buffer_of, labels_of
from warpmill.session.jobs import Job
from warpmill.session.prepare import kernels_beside
from warpmill.session.traces import Saved, Traced


class ClassCount(Part):
    """Instructions of one class, over the CTAs that were summed."""

    op_class: Annotated[str, Metric("Class")]
    warp_instructions: Annotated[int, Metric("Warp instructions", "inst")]
    thread_instructions: Annotated[int, Metric("Thread instructions", "thread inst")]


class BlockCount(Part):
    """Executions of one block by warps, over the CTAs that were summed."""

    block: str
    warp_executions: int


class AccessCounts(Part):
    """One memory instruction over the CTAs that were summed.

    ``sectors`` are 32 B each, by the memory rules' default; ``lines`` distinct ones of 128 B;
    ``wavefronts`` those of shared memory. They are null where addresses, or how many bytes a lane
    accesses, are unknown, as ``reason`` says, and where the space has none.
    """

    block: str
    instruction: Id
    opcode: str
    space: Annotated[str, Metric("State space")]
    buffer: Annotated[str | None, Metric("Buffer")]
    width_bytes: Annotated[int | None, Metric("Bytes per thread", mark=Mark.EXACT)]
    counts: Annotated[AccessSummary, INTERNAL]
    place: SourcePlace

    @property
    def _is_shared(self) -> bool:
        return self.space == "shared"

    @derived("Requests")
    def warp_executions(self) -> int:
        """Accesses of warps."""
        return self.counts.warp_executions

    @derived("Thread accesses")
    def thread_executions(self) -> int:
        """Accesses of threads."""
        return self.counts.thread_executions

    @derived("Bytes requested", "B")
    def bytes_requested(self) -> int | None:
        """Lanes times width."""
        return self.counts.bytes_requested

    @derived("Sectors", "sector")
    def sectors(self) -> int | None:
        """Sectors of memory outside the SM."""
        return None if self._is_shared else self.counts.sectors

    @derived("Sectors/request", "sector", ncu="l1tex__average_t_sectors_per_request.ratio")
    def sectors_per_request(self) -> float | None:
        """Sectors of one access of a warp, on average."""
        return self._per_request(self.sectors)

    @derived("Lines")
    def lines(self) -> int | None:
        """Distinct lines that each access of a warp touches, summed."""
        return None if self._is_shared else self.counts.lines

    @derived("Wavefronts")
    def wavefronts(self) -> int | None:
        """Wavefronts of shared memory."""
        return self.counts.wavefronts if self._is_shared else None

    @derived("Wavefronts/request")
    def wavefronts_per_request(self) -> float | None:
        """Wavefronts of one access of a warp, on average; 1 without bank conflicts."""
        return self._per_request(self.wavefronts)

    @derived("Reason")
    def reason(self) -> str | None:
        """Why counts are not known."""
        counts = self.counts
        if counts.sectors is not None or counts.wavefronts is not None:
            return None
        return (
            f"{'its size is' if counts.bytes_requested is None else 'its addresses are'} not known"
        )

    def _per_request(self, count: int | None) -> float | None:
        requests = self.warp_executions
        return None if count is None or not requests else count / requests


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


class TraceRanges(Part):
    """Counts where a range was assumed. All other figures of the launch are of the low ends."""

    warp_instructions: CountRange
    thread_instructions: CountRange
    grid_warp_instructions: CountRange
    grid_thread_instructions: CountRange


class BlockBeside(Part):
    """Executions of a block in static traces and in executed ones."""

    block: str
    executions: BlockComparison


class BesideExecuted(Part):
    """Static traces of some CTAs beside executed ones, warp by warp."""

    comparison: TraceComparison
    blocks: list[BlockBeside]


class LaunchTrace(Part):
    """The traces of one launch summed up over ``ctas`` of its ``ctas_total`` CTAs.

    ``grid_`` figures are for the whole launch, scaled where not all CTAs were summed. Thread
    instructions count the lanes of the active mask. ``beside_executed`` are static traces beside
    executed ones, where that was asked for.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    kernel: KernelIdentity
    launch: LaunchFacts
    traced: Annotated[Traced, INTERNAL]
    blocks: list[BlockCount]
    accesses: list[AccessCounts]
    assumed: list[AssumedName]
    ranges: Annotated[TraceRanges | None, Metric("As assumed", mark=Mark.ASSUMED)]
    warp: FoldedWarp | None
    saved: Saved | None
    beside_executed: BesideExecuted | None

    @derived("Trace")
    def trace(self) -> str:
        """Where the traces come from."""
        return self.traced.source.kind

    @derived("Reason")
    def trace_reason(self) -> str:
        """Why they come from there."""
        return self.traced.reason

    @derived("Pruned")
    def pruned(self) -> bool:
        """Whether only the instructions that the hybrid paper keeps are counted."""
        return self.traced.pruned

    @derived("CTAs counted", "CTA")
    def ctas(self) -> int:
        """CTAs whose traces are summed."""
        return self.traced.summary.ctas

    @derived("CTAs", "CTA")
    def ctas_total(self) -> int:
        """CTAs of the grid."""
        return self.traced.ctas_total

    @derived("Warps", "warp")
    def warps(self) -> int:
        """Warps of the CTAs that are summed."""
        return self.traced.summary.warps

    @derived("Warp instructions", "inst")
    def warp_instructions(self) -> int:
        """Those of the CTAs that are summed."""
        return self.traced.summary.warp_instructions

    @derived("Thread instructions", "thread inst")
    def thread_instructions(self) -> int:
        """Those of the CTAs that are summed."""
        return self.traced.summary.thread_instructions

    @derived("Warp instructions, whole launch", "inst")
    def grid_warp_instructions(self) -> int:
        """Those of all CTAs."""
        return round(self.warp_instructions * self._scale)

    @derived("Thread instructions, whole launch", "thread inst")
    def grid_thread_instructions(self) -> int:
        """Those of all CTAs."""
        return round(self.thread_instructions * self._scale)

    @derived("Lane utilization", "%")
    def lane_utilization(self) -> float | None:
        """Active lanes of an executed instruction, as a share of the warp's."""
        return self.traced.summary.lane_utilization

    @derived("Instructions by class")
    def by_class(self) -> list[ClassCount]:
        """Most frequent first."""
        summary = self.traced.summary
        threads = dict(summary.threads_by_class)
        return [
            ClassCount(op_class=name, warp_instructions=n, thread_instructions=threads[name])
            for name, n in summary.by_class
        ]

    @derived("Assumptions")
    def assumptions(self) -> list[str]:
        """What data decide and the static walk assumed."""
        return list(self.traced.assumptions)

    @property
    def _scale(self) -> Fraction:
        return Fraction(self.ctas_total, self.ctas)

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Counts of the CTAs summed are exact; what stands for the grid is sampled where not all.

        What was assumed stays assumed when it is scaled: that is the weaker ground.
        """
        counted = Mark.ASSUMED if self.assumptions else Mark.EXACT
        whole = Mark.SAMPLED if self.ctas < self.ctas_total and not self.assumptions else counted
        beside = self.beside_executed
        static = Mark.EXACT if beside is None or beside.comparison.is_equal else Mark.ASSUMED
        return {
            **dict.fromkeys(_COUNTED, counted),
            **dict.fromkeys(("grid_warp_instructions", "grid_thread_instructions"), whole),
            **dict.fromkeys(_STATIC, static),
            "accesses.width_bytes": Mark.EXACT,
        }


_COUNTED = (
    "warp_instructions", "thread_instructions", "lane_utilization", "by_class", "blocks",
    "accesses", "warp",
)  # fmt: skip
_STATIC = (
    "beside_executed.comparison.static_warp_instructions",
    "beside_executed.comparison.static_thread_instructions",
    "beside_executed.blocks.executions.static_warps",
    "beside_executed.blocks.executions.static_threads",
)


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
    """What a launch's traces add up to; ``warp`` is shown in full.

    ``assumed`` is what the user assumed. Where a range is in it, ``traced`` is made with the low
    ends and ``high`` with the high ones. ``beside`` are static traces beside executed ones.
    """
    labels = labels_of(job.analysis.structure)
    executions = enumerate(traced.summary.block_executions)
    return LaunchTrace(
        kernel=kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)),
        launch=launch_facts(job.required_launch(), job.kernel),
        traced=traced,
        blocks=[BlockCount(block=labels[n], warp_executions=count) for n, count in executions],
        accesses=_accesses(job, traced.summary.accesses, labels),
        assumed=assumed_names(assumed or Assumptions()),
        ranges=None if high is None else _ranges(traced, high),
        warp=None if warp is None else _folded(job, warp, labels),
        saved=saved,
        beside_executed=None if beside is None else _beside(beside, labels),
    )


def _beside(found: TraceComparison, labels: Sequence[str]) -> BesideExecuted:
    blocks = [BlockBeside(block=labels[b.block], executions=b) for b in found.blocks]
    return BesideExecuted(comparison=found, blocks=blocks)


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
    return AccessCounts(
        block=labels[counts.block],
        instruction=counts.instruction,
        opcode=operation.opcode,
        space=space,
        buffer=None if fact is None else buffer_of(job, fact),
        width_bytes=instruction.width_bytes,
        counts=counts,
        place=instruction_place(job.loaded, instruction),
    )


def _folded(job: Job, warp: WarpTrace, labels: Sequence[str]) -> FoldedWarp:
    return FoldedWarp(
        cta=list(warp.cta),
        warp=warp.warp,
        visits=warp.visits,
        nodes=[_node(job, node, labels, warp.bases) for node in warp.nodes],
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
