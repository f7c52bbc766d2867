"""Blocks, loops, branches and memory accesses of a kernel, with the numbers of a launch.

What the analyses found is in them as it is, with labels for the numbers of blocks and places in
the source beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from warpmill.analyzer.analyses.access.accesses import AccessPattern, MemoryAccess, pattern_of
from warpmill.analyzer.analyses.access.coalescing import (
    AccessReuse,
    Alignment,
    FullWarpCost,
    LoopReuse,
    alignments,
    full_warp_costs,
    reuses,
)
from warpmill.analyzer.analyses.access.launch_costs import (
    CostRange,
    CostSpread,
    LaunchCost,
    launch_costs,
)
from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.divergence.analysis import Deciders
from warpmill.analyzer.analyses.mix import ClassifiedCall
from warpmill.analyzer.analyses.ranges.assumptions import (
    NOTHING,
    AssumedRange,
    Assumptions,
    bound_intervals,
)
from warpmill.analyzer.analyses.ranges.bounds import (
    ExitBound,
    KnownTrips,
    LoopBound,
    SymbolicTrips,
)
from warpmill.analyzer.analyses.ranges.iterations import LoopIterations
from warpmill.analyzer.analyses.ranges.launch_trips import TripRange, first_thread, loop_ranges
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.conditions import Condition, Opaque, guard_condition
from warpmill.analyzer.analyses.values.shared_slots import decided_by
from warpmill.analyzer.analyses.values.symbolic import AtomKind, number
from warpmill.analyzer.base.metric import INTERNAL, Id, Mark, Metric, derived
from warpmill.analyzer.ir.kernel import Block, Instruction
from warpmill.analyzer.memory.rules import DEFAULT_RULES
from warpmill.analyzer.traces.outcomes import BranchOutcome
from warpmill.analyzer.traces.static.plan import basic_block_infos
from warpmill.report.facts import SourcePlace, block_place, instruction_place
from warpmill.session.data import buffer_of, labels_of
from warpmill.session.jobs import Job
from warpmill.session.traces import Dynamic


@dataclass(frozen=True, kw_only=True)
class BlockFacts:
    """One basic block. ``successors``: the fall-through first; ``exit`` is the thread's end.

    ``loop`` is the label of the innermost loop's header, ``loop_bound`` its bound,
    ``associated_blocks`` the headers of the loops that it depends on, ``preceding_block`` the
    closest block before at the next upper level (Listing 1 of the hybrid paper).
    ``warp_executions`` are those of the whole launch.
    """

    block: Annotated[Block, INTERNAL]
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
    place: Annotated[SourcePlace | None, Metric("Line")]

    @derived("Number")
    def id(self) -> Id:
        """Its number among the blocks of the kernel."""
        return self.block.id

    @derived("Block")
    def label(self) -> str:
        """Its name."""
        return self.block.label

    @derived("Instructions")
    def instructions(self) -> int:
        """Instructions of the code."""
        return len(self.block.instructions)


@dataclass(frozen=True, kw_only=True)
class LoopExit:
    """One edge out of a loop, from a block to another."""

    source: str
    target: str
    exit: ExitBound


@dataclass(frozen=True, kw_only=True)
class LoopFacts:
    """One loop; its name is its header's label, as ``--assume`` takes it.

    ``in_launch`` are the values of the trip count in this launch, ``over`` thread ids and the like;
    without a launch those of the kernel alone. ``assumed`` is what ``--assume`` makes of it, null
    where it says nothing; not ``is_tight``: it lies between the two, and may not reach them.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    loop: Annotated[Loop, INTERNAL]
    name: Annotated[str, Metric("Loop")]
    parent: Annotated[str | None, Metric("Inside")]
    bound: LoopBound
    in_launch: TripRange
    assumed: AssumedRange | None
    first_thread: LoopIterations | None
    exits: list[LoopExit]
    place: Annotated[SourcePlace | None, Metric("Line")]
    rests_on_stores: Annotated[bool, INTERNAL]

    @derived("Depth")
    def depth(self) -> int:
        """1 for an outermost loop."""
        return self.loop.depth

    @derived("Blocks")
    def blocks(self) -> int:
        """Blocks of the loop, those of loops inside among them."""
        return len(self.loop.blocks)

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of what is not tried for every thread, or goes as far as data let it."""
        is_assumed = self.in_launch.is_assumed or self.rests_on_stores
        mark = Mark.ASSUMED if is_assumed else Mark.EXACT
        return {"in_launch": Mark.SAMPLED if self.in_launch.sampled else mark}


@dataclass(frozen=True, kw_only=True)
class BranchFacts:
    """A block with several successors. ``condition`` is when ``taken`` follows it.

    ``decided_by``: argument, thread id, block id, launch size, loop counter, memory load, control
    flow, other. ``reconverges`` is the block where divergent lanes meet again.

    ``may_diverge``: the lanes of a warp may differ; ``divergence`` leads from the condition back to
    where the difference comes from, ``region`` are the blocks that run while lanes are apart, and
    ``within`` the branch of the region around. ``outcomes`` need a launch and a condition that data
    do not decide.
    """

    instruction: Annotated[Instruction, INTERNAL]
    block: Annotated[str, Metric("Block")]
    condition: Annotated[str, Metric("Taken when")]
    decided_by: Annotated[list[str], Metric("Dependence")]
    taken: Annotated[list[str], Metric("Target")]
    otherwise: Annotated[str, Metric("Fall-through")]
    reconverges: Annotated[str | None, Metric("Reconvergence")]
    leaves_loop: str | None
    may_diverge: Annotated[bool, Metric("Divergent")]
    divergence: Annotated[list[str], Metric("Divergence")]
    region: Annotated[list[str], Metric("Divergent region")]
    within: str | None
    outcomes: BranchOutcome | None
    place: Annotated[SourcePlace, Metric("Line")]

    @derived("Opcode")
    def opcode(self) -> str:
        """The opcode of the branch."""
        return self.instruction.operation.opcode


@dataclass(frozen=True, kw_only=True)
class DecidingLoad:
    """A load or an atomic whose result decides an address."""

    block: str
    instruction: Id
    place: SourcePlace


@dataclass(frozen=True, kw_only=True)
class AccessInLoop:
    """How an access moves in a loop around it; ``stride_bytes`` is null where it is no constant."""

    loop: str
    stride_bytes: Annotated[int | None, Metric("Stride", "B")]
    reuse: LoopReuse


@dataclass(frozen=True, kw_only=True)
class AccessFacts:
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
    place: Annotated[SourcePlace, Metric("Line")]
    warp_size: Annotated[int, INTERNAL]

    @derived("Pattern")
    def pattern(self) -> AccessPattern:
        """That of lanes in one row of the block."""
        return self._lanes[0]

    @derived("Lane stride", "B")
    def lane_stride_bytes(self) -> int | None:
        """Step from each lane to the next; null where that is no number."""
        return self._lanes[1]

    @derived("Coalesced")
    def is_coalesced(self) -> bool | None:
        """Whether requests need no more sectors than their bytes fill; null where unknown."""
        return self._fits("sectors", DEFAULT_RULES.sector_bytes)

    @derived("Conflict-free")
    def is_conflict_free(self) -> bool | None:
        """Whether requests need no more wavefronts than their bytes fill; null where unknown."""
        return self._fits("wavefronts", DEFAULT_RULES.banks * DEFAULT_RULES.bank_width_bytes)

    @derived("Sectors/request", "sector")
    def sectors(self) -> float | None:
        """Sectors of a request: the mean over the launch, else those of a full warp."""
        return self._per_request("sectors")

    @derived("Wavefronts/request")
    def wavefronts(self) -> float | None:
        """Shared-memory wavefronts of a request: the mean over the launch, else a full warp's."""
        return self._per_request("wavefronts")

    @property
    def _in_launch(self) -> CostSpread | None:
        return None if self.in_launch is None else self.in_launch.all_iterations

    def _per_request(self, count: str) -> float | None:
        found = getattr(self._in_launch or self.full_warp, count)
        return float(found.mean) if isinstance(found, CostRange) else found

    def _fits(self, count: str, granule: int) -> bool | None:
        found, width = self._per_request(count), self.access.width_bytes
        if found is None or width is None:
            return None
        return found <= max(1, -(-self.warp_size * width // granule))

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """The stride is that of a sample, or of warps that lie along x; so are counts."""
        counts = Mark.ASSUMED
        if self.in_launch is not None and self._in_launch is not None:
            counts = self.in_launch.mark_exceptions()["all_iterations"]
        return {"lane_stride_bytes": self._lanes[2], "sectors": counts, "wavefronts": counts}

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


@dataclass(frozen=True, kw_only=True)
class CallFacts:
    """One place that stands for a call (hybrid paper, §III-A-1)."""

    block: str
    call: ClassifiedCall
    place: Annotated[SourcePlace, Metric("Line")]


def block_facts(job: Job, dynamic: Dynamic) -> list[BlockFacts]:
    """The blocks of a kernel, by number."""
    structure, labels = job.analysis.structure, labels_of(job.analysis.structure)
    found = []
    infos = basic_block_infos(structure, job.analysis.bounds)
    for block, info in zip(job.kernel.blocks, infos, strict=True):
        loop, executions = structure.loops.innermost(block.id), dynamic.executions
        found.append(
            BlockFacts(
                block=block,
                kept_instructions=len(job.kept[block.id]),
                successors=[labels[s] for s in structure.cfg.successors[block.id]],
                loop_depth=info.loop_depth - 1,
                loop=None if loop is None else labels[loop.header],
                loop_bound=None if info.loop_bound_expr is None else str(info.loop_bound_expr),
                associated_blocks=[labels[b] for b in info.associated_bbs],
                preceding_block=None if info.preced_bb is None else labels[info.preced_bb],
                reachable=block.id in structure.cfg.reachable,
                warp_executions=None if executions is None else executions[block.id],
                place=block_place(job.loaded, block),
            )
        )
    return found


def loop_facts(job: Job, assumed: Assumptions = NOTHING) -> list[LoopFacts]:
    """The loops of a kernel, outer ones first."""
    structure, bounds = job.analysis.structure, job.analysis.bounds
    ranges: Mapping[int, TripRange] = {}
    counted: Mapping[int, LoopIterations] = {}
    intervals: Mapping[int, AssumedRange] = {}
    if job.launch is not None:
        ranges = loop_ranges(job.loaded.module, structure, job.launch, bounds)
        found = first_thread(job.loaded.module, structure, bounds, job.launch)
        counted = {one.loop: one for one in found}
    if assumed:
        intervals = bound_intervals(structure, bounds, assumed)
    labels, loops = labels_of(structure), structure.loops.loops
    return [
        LoopFacts(
            loop=loops[bound.loop],
            name=labels[bound.header],
            parent=_parent(structure, loops[bound.loop]),
            bound=bound,
            in_launch=_trips(structure, bound, ranges.get(bound.loop), counted.get(bound.loop)),
            assumed=intervals.get(bound.loop),
            first_thread=counted.get(bound.loop),
            exits=[
                LoopExit(source=labels[e.source], target=labels[e.target], exit=e)
                for e in bound.exits
            ],
            place=block_place(job.loaded, job.kernel.blocks[bound.header]),
            rests_on_stores=_rests_on_stores(structure, bound),
        )
        for bound in bounds
    ]


def _parent(structure: Structure, loop: Loop) -> str | None:
    if loop.parent is None:
        return None
    return structure.kernel.blocks[structure.loops.loops[loop.parent].header].label


def _rests_on_stores(structure: Structure, bound: LoopBound) -> bool:
    shared = decided_by(structure, [e.source for e in bound.exits])
    return not shared.isdisjoint(structure.stores_by_one)


def _trips(
    structure: Structure,
    bound: LoopBound,
    range_: TripRange | None,
    counted: LoopIterations | None,
) -> TripRange:
    """The range of a count: what the first thread does where all do that, else of the formula.

    Only the former tells all iterations of loops around, however many.
    """
    if range_ is None:
        if isinstance(bound.trips, KnownTrips):
            return TripRange(bound.trips.count, bound.trips.count)
        return TripRange(None, None, bound.reason or "no launch was given")
    if not isinstance(bound.trips, SymbolicTrips) or counted is None or counted.has_more_runs:
        return range_
    atoms = bound.trips.formula.atoms
    outer = sorted({a.key for a in atoms if a.kind is AtomKind.COUNTER})
    if not outer or not counted.runs or range_.low is None or not counted.is_shared:
        return range_
    ends = [n for r in counted.runs for n in (r.count, r.count + r.step * (r.last - r.first))]
    headers = [structure.loops.loops[loop].header for loop in outer]
    over = tuple(f"i({structure.kernel.blocks[header].label})" for header in headers)
    return replace(range_, low=min(ends), high=max(ends), over=over, sampled=False)


def branch_facts(job: Job, dynamic: Dynamic) -> list[BranchFacts]:
    """The branches of a kernel by block."""
    structure = job.analysis.structure
    cfg, deciders = structure.cfg, Deciders(structure)
    several = [b for b in sorted(cfg.reachable) if len(cfg.successors[b]) > 1]
    return [_branch(job, block, deciders, dynamic) for block in several]


def _branch(job: Job, block: int, deciders: Deciders, dynamic: Dynamic) -> BranchFacts:
    structure = job.analysis.structure
    labels, after = labels_of(structure), structure.cfg.successors[block]
    own = job.kernel.blocks[block]
    last = own.instructions[-1]
    condition = _condition(structure, block, last)
    otherwise = after[0] if own.fallthrough is None else own.fallthrough
    around = structure.loops.containing(block)
    left = [loop for loop in around if any(s not in loop.blocks for s in after)]
    meet = structure.reconvergence[block]
    divergent = next((one for one in job.divergence.branches if one.block == block), None)
    within = None if divergent is None else divergent.within
    return BranchFacts(
        instruction=last,
        block=labels[block],
        condition=str(condition),
        decided_by=[d.value for d in deciders.of(block, condition)],
        taken=[labels[s] for s in after if s != otherwise],
        otherwise=labels[otherwise],
        reconverges=None if meet is None else labels[meet],
        leaves_loop=labels[left[-1].header] if left else None,
        may_diverge=divergent is not None,
        divergence=[] if divergent is None else list(divergent.reason),
        region=[] if divergent is None else [labels[b] for b in divergent.region],
        within=None if within is None else labels[within],
        outcomes=None if dynamic.outcomes is None else dynamic.outcomes.by_block.get(block),
        place=instruction_place(job.loaded, last),
    )


def _condition(structure: Structure, block: int, last: Instruction) -> Condition:
    """Condition of a block's last instruction: its guard, or the value that it switches on."""
    index = len(structure.kernel.blocks[block].instructions) - 1
    if last.guard is not None:
        return guard_condition(structure, block, index, last.guard)
    if not last.sources:
        return Opaque(last.operation.opcode)
    value = structure.values.of_operand(block, index, last.sources[0])
    return Opaque("by the value of {}", (value,))


def access_facts(job: Job) -> list[AccessFacts]:
    """The accesses of a kernel in program order."""
    module, structure = job.loaded.module, job.analysis.structure
    bounds, accesses = job.analysis.bounds, job.analysis.accesses
    costs: tuple[LaunchCost | None, ...] = (None,) * len(accesses)
    if job.launch is not None:
        costs = launch_costs(module, structure, job.launch, bounds, accesses)
    aligned, full = alignments(module, structure, accesses), full_warp_costs(module, accesses)
    labels = labels_of(structure)
    return [
        AccessFacts(
            block=labels[access.block],
            buffer=buffer_of(job, access),
            access=access,
            decided_by=[
                DecidingLoad(
                    block=labels[block],
                    instruction=instruction,
                    place=_place(job, block, instruction),
                )
                for block, instruction in access.loads
            ],
            loops=_in_loops(structure, access, reuse, cost),
            alignment=alignment,
            full_warp=full_warp,
            in_launch=cost,
            reuse=reuse,
            place=_place(job, access.block, access.instruction),
            warp_size=module.warp_size,
        )
        for access, alignment, full_warp, reuse, cost in zip(
            accesses, aligned, full, reuses(structure, accesses), costs, strict=True
        )
    ]


def _in_loops(
    structure: Structure, access: MemoryAccess, reuse: AccessReuse, cost: LaunchCost | None
) -> list[AccessInLoop]:
    known = reuse.loops
    if cost is not None and len(cost.loops) == len(known):
        known = cost.loops  # the launch knows more
    labels, loops = labels_of(structure), structure.loops.loops
    return [
        AccessInLoop(loop=labels[loops[loop].header], stride_bytes=stride, reuse=one)
        for (loop, stride), one in zip(access.loop_strides_bytes, known, strict=True)
    ]


def call_facts(job: Job) -> list[CallFacts]:
    """Classified calls of a kernel, in program order."""
    labels = labels_of(job.analysis.structure)
    return [
        CallFacts(
            block=labels[call.block], call=call, place=_place(job, call.block, call.instruction)
        )
        for call in job.calls
    ]


def _place(job: Job, block: int, instruction: int) -> SourcePlace:
    return instruction_place(job.loaded, job.kernel.blocks[block].instructions[instruction])
