"""Result of ``trace``: how much the warps of a launch execute and access."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    space: Annotated[str, Metric("State space")]
    buffer: Annotated[str | None, Metric("Buffer")]
    place: SourcePlace
    counts: Annotated[AccessSummary, INTERNAL]
    executed: Annotated[Instruction, INTERNAL]

    @derived("Instruction")
    def instruction(self) -> Id:
        """Its number in its block."""
        return self.counts.instruction

    @derived("Opcode")
    def opcode(self) -> str:
        """The instruction's opcode."""
        return self.executed.operation.opcode

    @derived("Bytes per thread", mark=Mark.EXACT)
    def width_bytes(self) -> int | None:
        """The bytes that a lane accesses; null where nobody knows."""
        return self.executed.width_bytes

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
        """Reason why counts are not known."""
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

    traced: Annotated[TracedAccess, INTERNAL]
    executed: Annotated[Instruction, INTERNAL]
    bases: Annotated[Sequence[int], INTERNAL]

    @property
    def _known(self) -> LaneAddresses | None:
        where = self.traced.addresses
        return where if isinstance(where, LaneAddresses) else None

    @derived("Instruction")
    def instruction(self) -> Id:
        """Its number in its block."""
        return self.traced.instruction

    @derived("Opcode")
    def opcode(self) -> str:
        """The instruction's opcode."""
        return self.executed.operation.opcode

    @derived("Active mask")
    def mask(self) -> str:
        """The lanes that are on, the guard applied, in hexadecimal."""
        return hex(self.traced.mask)

    @derived("Address")
    def address(self) -> str | None:
        """Address of the first lane that is on, in the first iteration."""
        return None if self._known is None else hex(self.bases[self._known.slot])

    @derived("Lane stride", "B")
    def lane_stride_bytes(self) -> int | None:
        """Bytes from lane to lane; null where lanes are not evenly apart."""
        return None if self._known is None else getattr(self._known.pattern, "stride", None)

    @derived("Loop strides", "B")
    def loop_strides_bytes(self) -> tuple[int, ...]:
        """Bytes that an iteration of each repetition around adds, outermost first."""
        return () if self._known is None else self._known.loop_strides

    @derived("Reason")
    def reason(self) -> str | None:
        """Reason why addresses are not known."""
        where = self.traced.addresses
        return None if isinstance(where, LaneAddresses) else where.reason


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

    traced: Annotated[WarpTrace, INTERNAL]
    nodes: list[VisitNode | RepeatNode]

    @derived("CTA")
    def cta(self) -> tuple[Id, ...]:
        """The CTA by its place in the grid."""
        return self.traced.cta

    @derived("Warp")
    def warp(self) -> Id:
        """Its number within the CTA."""
        return self.traced.warp

    @derived("Block executions")
    def visits(self) -> int:
        """How many blocks it executes."""
        return self.traced.visits


class TraceRanges(Part):
    """Counts where a range was assumed. All other figures of the launch are of the low ends."""

    warp_instructions: Annotated[CountRange, Metric("Warp instructions, as assumed")]
    thread_instructions: Annotated[CountRange, Metric("Thread instructions, as assumed")]
    grid_warp_instructions: Annotated[CountRange, Metric("… of the whole launch, warps")]
    grid_thread_instructions: Annotated[CountRange, Metric("… of the whole launch, threads")]


class BlockBeside(Part):
    """Executions of a block in static traces and in executed ones."""

    block: str
    executions: BlockComparison


class BesideExecuted(Part):
    """Static traces of some CTAs beside executed ones, warp by warp."""

    comparison: TraceComparison
    blocks: list[BlockBeside]


class LaunchTrace(Part):
    """The traces of one launch summed up over some of its CTAs.

    ``beside_executed`` are static traces beside executed ones, where that was asked for.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    kernel: KernelIdentity
    launch: LaunchFacts
    traced: Traced
    blocks: list[BlockCount]
    accesses: list[AccessCounts]
    assumed: list[AssumedName]
    ranges: Annotated[TraceRanges | None, Metric("As assumed", mark=Mark.ASSUMED)]
    warp: FoldedWarp | None
    saved: Saved | None
    beside_executed: BesideExecuted | None

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Counts rest on what the traces do; static ones beside executed ones on whether equal."""
        beside = self.beside_executed
        static = Mark.EXACT if beside is None or beside.comparison.is_equal else Mark.ASSUMED
        return {
            **dict.fromkeys(("blocks", "accesses", "warp"), self.traced.counted),
            **dict.fromkeys(_STATIC, static),
            "accesses.width_bytes": Mark.EXACT,
        }


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
    """Sums of a launch's traces; ``warp`` is shown in full.

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
        warp=None
        if warp is None
        else FoldedWarp(
            traced=warp, nodes=[_node(job, node, labels, warp.bases) for node in warp.nodes]
        ),
        saved=saved,
        beside_executed=None if beside is None else _beside(beside, labels),
    )


def _beside(found: TraceComparison, labels: Sequence[str]) -> BesideExecuted:
    blocks = [BlockBeside(block=labels[b.block], executions=b) for b in found.blocks]
    return BesideExecuted(comparison=found, blocks=blocks)


def _ranges(*ends: Traced) -> TraceRanges:
    return TraceRanges(
        warp_instructions=CountRange(*(end.summary.warp_instructions for end in ends)),
        thread_instructions=CountRange(*(end.summary.thread_instructions for end in ends)),
        grid_warp_instructions=CountRange(*(end.grid_warp_instructions for end in ends)),
        grid_thread_instructions=CountRange(*(end.grid_thread_instructions for end in ends)),
    )


def _accesses(
    job: Job, summaries: Iterable[AccessSummary], labels: Sequence[str]
) -> list[AccessCounts]:
    facts = {(a.block, a.instruction): a for a in job.analysis.accesses}
    return [_access(job, s, facts.get((s.block, s.instruction)), labels) for s in summaries]


def _source_space(instruction: Instruction, turn: int) -> Space | None:
    """The space of what a copy reads, where this is that access."""
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
        space=space,
        buffer=None if fact is None else buffer_of(job, fact),
        place=instruction_place(job.loaded, instruction),
        counts=counts,
        executed=instruction,
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
    instructions = job.kernel.blocks[node.block].instructions
    return VisitNode(
        block=labels[node.block],
        mask=hex(node.mask),
        lanes=node.mask.bit_count(),
        accesses=[
            NodeAccess(traced=a, executed=instructions[a.instruction], bases=bases)
            for a in node.accesses
        ],
    )
