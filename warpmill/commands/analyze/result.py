"""What ``analyze`` answers: blocks, loops, branches, memory accesses and registers of a kernel.

What the analyses found is shown as it is, with labels for the numbers of blocks and places in the
source beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.analyses.access.accesses import AccessPattern, MemoryAccess, pattern_of
from warpmill.analyzer.analyses.access.coalescing import (
    AccessReuse,
    Alignment,
    FullWarpCost,
    LoopReuse,
)
from warpmill.analyzer.analyses.access.launch_costs import LaunchCost
from warpmill.analyzer.analyses.mix import ClassifiedCall, Pruned
from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange
from warpmill.analyzer.analyses.ranges.bounds import ExitBound, LoopBound
from warpmill.analyzer.analyses.ranges.iterations import LoopIterations
from warpmill.analyzer.analyses.ranges.launch_trips import TripRange
from warpmill.analyzer.analyses.values.symbolic import number
from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.traces.outcomes import BranchOutcome
from warpmill.report.assumed import AssumedName
from warpmill.report.base import Id, Mark, Part, Report
from warpmill.report.facts import KernelIdentity, LaunchFacts, Remark, SourcePlace


class CallFacts(Part):
    """One place that stands for a call (hybrid paper, §III-A-1)."""

    block: str
    call: ClassifiedCall
    place: SourcePlace


class LoopExit(Part):
    """One edge out of a loop, from a block to another."""

    source: str
    target: str
    exit: ExitBound


class LoopFacts(Part):
    """One loop; its name is its header's label, as ``--assume`` takes it.

    ``in_launch`` are the values of the trip count in this launch, ``over`` thread ids and the like;
    without a launch those of the kernel alone. ``assumed`` is what ``--assume`` makes of it, null
    where it says nothing; not ``is_tight``: it lies between the two, and may not reach them.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    name: Annotated[str, Metric("Loop")]
    depth: Annotated[int, Metric("Depth")]
    parent: Annotated[str | None, Metric("Inside")]
    blocks: Annotated[int, Metric("Blocks")]
    bound: LoopBound
    in_launch: TripRange
    assumed: AssumedRange | None
    first_thread: LoopIterations | None
    exits: list[LoopExit]
    place: SourcePlace | None
    rests_on_stores: Annotated[bool, INTERNAL]

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """What is not tried for every thread, or goes as far as data let it."""
        is_assumed = self.in_launch.is_assumed or self.rests_on_stores
        mark = Mark.ASSUMED if is_assumed else Mark.EXACT
        return {"in_launch": Mark.SAMPLED if self.in_launch.sampled else mark}


class BranchFacts(Part):
    """A block with several successors. ``condition`` is when ``taken`` follows it.

    ``decided_by``: argument, thread id, block id, launch size, loop counter, memory load, control
    flow, other. ``reconverges`` is the block where divergent lanes meet again.

    ``may_diverge``: the lanes of a warp may differ; ``divergence`` leads from the condition back to
    where the difference comes from, ``region`` are the blocks that run while lanes are apart, and
    ``within`` the branch of the region around. ``outcomes`` need a launch and a condition that data
    do not decide.
    """

    block: Annotated[str, Metric("Block")]
    opcode: str
    condition: Annotated[str, Metric("Taken when")]
    decided_by: Annotated[list[str], Metric("Dependence")]
    taken: Annotated[list[str], Metric("Target")]
    otherwise: Annotated[str, Metric("Fall-through")]
    reconverges: Annotated[str | None, Metric("Reconvergence")]
    leaves_loop: str | None
    may_diverge: Annotated[bool, Metric("Divergent")]
    divergence: list[str]
    region: list[str]
    within: str | None
    outcomes: BranchOutcome | None
    place: SourcePlace


class DecidingLoad(Part):
    """A load or an atomic whose result decides an address."""

    block: str
    instruction: Id
    place: SourcePlace


class AccessInLoop(Part):
    """How an access moves in a loop around it; ``stride_bytes`` is null where it is no constant."""

    loop: str
    stride_bytes: Annotated[int | None, Metric("Stride", "B")]
    reuse: LoopReuse


class AccessFacts(Part):
    """One memory instruction. ``buffer``: the parameter or variable that its address starts at.

    ``full_warp`` is for a full warp along x, as far as the kernel alone tells, ``in_launch`` with
    every lane of each warp taken to be on (traces count the masks). ``loops`` are outermost first.
    ``decided_by`` are the loads that data-dependent addresses rest on.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    block: Annotated[str, Metric("Block")]
    buffer: Annotated[str | None, Metric("Buffer")]
    access: MemoryAccess
    decided_by: list[DecidingLoad]
    loops: list[AccessInLoop]
    alignment: Alignment
    full_warp: Annotated[FullWarpCost, Metric("Full warp", mark=Mark.ASSUMED)]
    in_launch: LaunchCost | None
    reuse: AccessReuse
    place: SourcePlace

    @derived("Pattern")
    def pattern(self) -> AccessPattern:
        """That of lanes in one row of the block."""
        return self._lanes[0]

    @derived("Lane stride", "B")
    def lane_stride_bytes(self) -> int | None:
        """What each lane adds to the one before it; null where that is no number."""
        return self._lanes[1]

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """The stride is that of a sample, or of warps that lie along x."""
        return {"lane_stride_bytes": self._lanes[2]}

    @property
    def _lanes(self) -> tuple[AccessPattern, int | None, Mark]:
        """Pattern and stride of lanes: by the kernel alone, else as the launch has them."""
        access, launch = self.access, self.in_launch
        is_assumed = access.is_aligned_warp and access.lane_stride is not None
        stride = access.lane_stride_bytes
        if launch is None or launch.reason is not None or not (stride is None or is_assumed):
            return access.pattern, stride, Mark.ASSUMED if is_assumed else Mark.EXACT
        is_sample = launch.is_sample_of_ctas or launch.is_sample_of_iterations
        mark = Mark.SAMPLED if is_sample else Mark.EXACT
        step = launch.lane_step_bytes
        if step is None and access.lane_stride is not None and stride is None:
            return access.pattern, None, Mark.EXACT  # as the launch decides in each iteration
        moved = None if step is None else number(step)
        return pattern_of(access.loads, moved, access.width_bytes), step, mark


class BlockFacts(Part):
    """One basic block. ``successors``: the fall-through first; ``exit`` is the thread's end.

    ``loop`` is the label of the innermost loop's header, ``loop_bound`` its bound,
    ``associated_blocks`` the headers of the loops that it depends on, ``preceding_block`` the
    closest block before at the next upper level (Listing 1 of the hybrid paper).
    ``warp_executions`` are those of the whole launch.
    """

    id: Id
    label: Annotated[str, Metric("Block")]
    instructions: Annotated[int, Metric("Instructions")]
    kept_instructions: int
    """Those that the paper's pruning keeps."""
    successors: Annotated[list[str], Metric("Successors")]
    loop_depth: int
    loop: Annotated[str | None, Metric("Loop")]
    loop_bound: str | None
    associated_blocks: list[str]
    preceding_block: str | None
    reachable: bool
    warp_executions: Annotated[int | None, Metric("Warp executions")]
    place: SourcePlace | None


class ValueCounts(Part):
    """How many values are the same in all lanes of a warp, affine in the thread id, or divergent.

    Values are what instructions and merges of control flow write: merges of what is read later.
    """

    uniform: Annotated[int, Metric("Uniform values")]
    affine: Annotated[int, Metric("Affine values")]
    divergent: Annotated[int, Metric("Divergent values")]


class KernelAnalysis(Part):
    """The static facts of one kernel, with the numbers of one launch where there is one.

    ``no_traces`` says why figures from traces (executions of blocks, outcomes of branches) are
    missing: there is no launch, or what a trace cannot follow.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    kernel: KernelIdentity
    launch: LaunchFacts | None
    instructions: Annotated[int, Metric("Instructions")]
    blocks: list[BlockFacts]
    edges: Annotated[int, Metric("Edges")]
    irreducible_regions: list[list[str]]
    loops: list[LoopFacts]
    branches: list[BranchFacts]
    accesses: list[AccessFacts]
    calls: list[CallFacts]
    pruned: Pruned
    values: ValueCounts
    live_registers: Annotated[int, Metric("Live registers", mark=Mark.MODELLED)]
    """Registers of 32 bits that a thread needs: a stand-in for a compiler's count."""
    assumed: list[AssumedName]
    """What the user assumed; figures from traces are of the low ends."""
    assumptions: list[str]
    no_traces: str | None
    remarks: list[Remark]
    executions_mark: Annotated[Mark, INTERNAL]
    outcomes_mark: Annotated[Mark, INTERNAL]

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """What traces of some CTAs, or assumptions, stand for."""
        return {
            "blocks.warp_executions": self.executions_mark,
            "branches.outcomes": self.outcomes_mark,
        }


class AnalyzeReport(Report):
    """Static facts of the kernels of a launch file, or of one kernel.

    Formulas (conditions, trip counts, addresses) of more than 320 characters name the parts that
    stand in them more than once: ``e2 > 127 where e1 = ...; e2 = ...``. A part uses the names of
    those before it.
    """

    report: Literal["analyze"] = "analyze"
    analyses: list[KernelAnalysis]
