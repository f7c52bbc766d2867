"""What ``analyze`` says of memory accesses: where they point, what a warp moves, what recurs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from warpmill.analyzer.analyses.access.accesses import AccessPattern, MemoryAccess, pattern_of
from warpmill.analyzer.analyses.access.alignment import Alignment
from warpmill.analyzer.analyses.access.coalescing import FullWarpCost
from warpmill.analyzer.analyses.access.reuse import LoopReuse
from warpmill.analyzer.analyses.values.symbolic import number
from warpmill.report.base import Id, Mark, Marks, Part, marks
from warpmill.report.facts import SourcePlace, instruction_place
from warpmill.session.jobs import AccessAnalysis as Facts
from warpmill.session.jobs import Job
from warpmill.session.names import buffer_of

if TYPE_CHECKING:
    from warpmill.analyzer.analyses.access.launch_costs import CostRange, CostSpread, LaunchCost


class LoopStride(Part):
    """Bytes that an address moves in one iteration; null where that is no constant."""

    loop: str
    bytes: int | None


class AlignmentFacts(Part):
    """The largest power of two in bytes that every address is a multiple of.

    ``proved_bytes`` holds without the ``assumption``. ``meets_width``: the access is aligned to its
    width; false where it never is, null where that is not known.
    """

    bytes: int
    proved_bytes: int
    meets_width: bool | None
    assumption: str | None
    marks: Marks


class WarpCost(Part):
    """What one access of a warp moves: 32 B sectors and 128 B lines, or passes of the banks."""

    marked_as_one: ClassVar[bool] = True

    sectors: int | None
    lines: int | None
    bank_passes: int | None


class FullWarp(Part):
    """The cost for a full warp along x, as far as the kernel alone tells (assumed).

    ``reason`` says why there is none; ``worst`` is then the most that aligned lanes can cost.
    """

    marked_as_one: ClassVar[bool] = True

    cost: WarpCost
    lanes_per_sector: float | None
    worst: WarpCost | None
    reason: str | None


class CountSpread(Part):
    """The least, the most and the mean of a count over the accesses of warps."""

    marked_as_one: ClassVar[bool] = True

    least: int
    most: int
    mean: float


class CostsOverWarps(Part):
    """Spreads over warps; null for what that kind of memory does not have."""

    marked_as_one: ClassVar[bool] = True

    sectors: CountSpread | None
    lines: CountSpread | None
    bank_passes: CountSpread | None


class LaunchCosts(Part):
    """The cost in this launch, every lane of each warp taken to be on (traces count the masks).

    ``first`` with all loops in their first iteration, ``all_iterations`` over all of them.
    ``cta_sectors`` are the distinct sectors of a CTA's warps together, ``cta_sharing`` how many of
    its warps access one of them, both in first iterations. ``reason`` says why there is nothing.
    """

    first: CostsOverWarps | None
    all_iterations: CostsOverWarps | None
    alignment_bytes: int | None
    cta_sectors: float | None
    cta_sharing: float | None
    worst: WarpCost | None
    assumptions: list[str]
    reason: str | None
    marks: Marks


class LoopReuseFacts(Part):
    """What an iteration of a loop around shares with the next one, as a lane sees it.

    ``kind``: temporal (the same address), spatial (the same line), none, unknown. ``step`` is the
    way that the address moves, as a formula in bytes.
    """

    loop: str
    kind: str
    step: str | None
    iterations_per_sector: float | None
    iterations_per_line: float | None
    reason: str | None


class ReuseFacts(Part):
    """What else accesses the same data.

    ``same_for`` are the thread and CTA ids that the address does not depend on, null where that is
    not known. Accesses of one ``group`` differ by constants, ``offset_bytes``.
    """

    loops: list[LoopReuseFacts]
    same_for: list[str] | None
    group: Id | None
    offset_bytes: int | None


class DecidingLoad(Part):
    """A load or an atomic whose result decides an address."""

    block: str
    instruction: Id
    place: SourcePlace


class AccessFacts(Part):
    """One memory instruction. ``buffer``: the parameter or variable that its address starts at.

    ``pattern`` is that of lanes in one row of the block. ``lane_stride_bytes``: what each lane adds
    to the one before it; null where that is no number. ``lane_stride`` is the same as a formula in
    what the launch decides. ``decided_by`` are the loads that data-dependent
    addresses rest on.
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
    lane_stride: str | None
    loop_strides: list[LoopStride]
    address: str
    decided_by: list[DecidingLoad]
    alignment: AlignmentFacts
    full_warp: FullWarp
    in_launch: LaunchCosts | None
    reuse: ReuseFacts
    place: SourcePlace
    marks: Marks


def accesses_facts(job: Job, labels: Sequence[str]) -> list[AccessFacts]:
    """Describe the accesses of a kernel in program order; ``labels`` are those of its blocks."""
    pairs = zip(job.analysis.accesses, job.access_facts, strict=True)
    return [_access(job, labels, access, facts) for access, facts in pairs]


def _access(job: Job, labels: Sequence[str], access: MemoryAccess, facts: Facts) -> AccessFacts:
    forest = job.analysis.structure.loops.loops
    pattern, stride, mark = _lanes(access, facts.in_launch)
    return AccessFacts(
        block=labels[access.block],
        instruction=access.instruction,
        op_class=access.op_class.value,
        opcode=access.opcode,
        space=access.space.value,
        buffer=buffer_of(job, access),
        width_bytes=access.width_bytes,
        pattern=pattern.value,
        lane_stride_bytes=stride,
        lane_stride=None if access.lane_stride is None else str(access.lane_stride),
        loop_strides=[
            LoopStride(loop=labels[forest[loop].header], bytes=stride)
            for loop, stride in access.loop_strides_bytes
        ],
        address=str(access.address),
        decided_by=[_load(job, labels, place) for place in access.loads],
        alignment=_alignment(facts.alignment),
        full_warp=_full_warp(facts.full_warp),
        in_launch=None if facts.in_launch is None else _in_launch(facts.in_launch),
        reuse=ReuseFacts(
            loops=[_in_loop(job, labels, r) for r in _loops(facts)],
            same_for=None if facts.reuse.same_for is None else list(facts.reuse.same_for),
            group=facts.reuse.group,
            offset_bytes=facts.reuse.offset_bytes,
        ),
        place=_place(job, access.block, access.instruction),
        marks=marks(AccessFacts, Mark.EXACT, full_warp=Mark.ASSUMED, lane_stride_bytes=mark),
    )


def _lanes(
    access: MemoryAccess, launch: LaunchCost | None
) -> tuple[AccessPattern, int | None, Mark]:
    """The pattern and the stride of lanes: by the kernel alone, else as the launch has them."""
    is_assumed = access.is_aligned_warp and access.lane_stride is not None
    stride = access.lane_stride_bytes
    if launch is None or launch.reason is not None or not (stride is None or is_assumed):
        return access.pattern, stride, Mark.ASSUMED if is_assumed else Mark.EXACT
    is_sample = launch.is_sample_of_ctas or launch.is_sample_of_iterations
    mark = Mark.SAMPLED if is_sample else Mark.EXACT
    step = launch.lane_step_bytes
    if step is None and access.lane_stride is not None and stride is None:
        return access.pattern, None, Mark.EXACT  # as the launch decides in each iteration
    if step is None:
        return pattern_of(access.loads, None, access.width_bytes), None, mark
    return pattern_of(access.loads, number(step), access.width_bytes), step, mark


def _loops(facts: Facts) -> tuple[LoopReuse, ...]:
    """Take what the launch says of the loops, where it knows more."""
    known = () if facts.in_launch is None else facts.in_launch.loops
    return known if len(known) == len(facts.reuse.loops) and known else facts.reuse.loops


def _load(job: Job, labels: Sequence[str], place: tuple[int, int]) -> DecidingLoad:
    block, instruction = place
    where = _place(job, block, instruction)
    return DecidingLoad(block=labels[block], instruction=instruction, place=where)


def _place(job: Job, block: int, instruction: int) -> SourcePlace:
    return instruction_place(job.loaded, job.kernel.blocks[block].instructions[instruction])


def _alignment(found: Alignment) -> AlignmentFacts:
    mark = Mark.EXACT if found.assumption is None else Mark.ASSUMED
    return AlignmentFacts(
        bytes=found.bytes,
        proved_bytes=found.proved_bytes,
        meets_width=found.meets_width,
        assumption=found.assumption,
        marks=marks(AlignmentFacts, Mark.EXACT, bytes=mark),
    )


def _full_warp(found: FullWarpCost) -> FullWarp:
    worst = found.worst_sectors is not None or found.worst_bank_passes is not None
    return FullWarp(
        cost=WarpCost(sectors=found.sectors, lines=found.lines, bank_passes=found.bank_passes),
        lanes_per_sector=found.lanes_per_sector,
        worst=WarpCost(sectors=found.worst_sectors, lines=None, bank_passes=found.worst_bank_passes)
        if worst
        else None,
        reason=found.reason,
    )


def _in_launch(found: LaunchCost) -> LaunchCosts:
    first = Mark.SAMPLED if found.is_sample_of_ctas else Mark.EXACT
    every = Mark.SAMPLED if found.is_sample_of_iterations else first
    every = Mark.ASSUMED if found.assumptions else every
    worst = found.worst
    return LaunchCosts(
        first=None if found.first is None else _costs(found.first),
        all_iterations=None if found.all_iterations is None else _costs(found.all_iterations),
        alignment_bytes=found.alignment_bytes,
        cta_sectors=found.cta_sectors,
        cta_sharing=found.cta_sharing,
        worst=None
        if worst is None
        else WarpCost(sectors=worst.sectors, lines=worst.lines, bank_passes=worst.bank_passes),
        assumptions=list(found.assumptions),
        reason=found.reason,
        marks=marks(LaunchCosts, first, all_iterations=every, alignment_bytes=every),
    )


def _costs(found: CostSpread) -> CostsOverWarps:
    return CostsOverWarps(
        sectors=_spread(found.sectors),
        lines=_spread(found.lines),
        bank_passes=_spread(found.bank_passes),
    )


def _spread(found: CostRange | None) -> CountSpread | None:
    if found is None:
        return None
    return CountSpread(least=found.least, most=found.most, mean=found.mean)


def _in_loop(job: Job, labels: Sequence[str], found: LoopReuse) -> LoopReuseFacts:
    header = job.analysis.structure.loops.loops[found.loop].header
    return LoopReuseFacts(
        loop=labels[header],
        kind=found.kind.value,
        step=None if found.step is None else str(found.step),
        iterations_per_sector=found.iterations_per_sector,
        iterations_per_line=found.iterations_per_line,
        reason=found.reason,
    )
