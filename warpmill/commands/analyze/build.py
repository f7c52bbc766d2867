"""The report of ``analyze``, from what jobs know of their kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.cfg.graph import Loop
from warpmill.analyzer.analyses.divergence.analysis import (
    Affine,
    Deciders,
    Divergent,
    UniformClass,
)
from warpmill.analyzer.analyses.ranges.assumptions import (
    NOTHING,
    AssumedRange,
    Assumptions,
    bound_intervals,
    check_assumptions,
)
from warpmill.analyzer.analyses.ranges.bounds import KnownTrips, LoopBound, SymbolicTrips
from warpmill.analyzer.analyses.ranges.iterations import LoopIterations
from warpmill.analyzer.analyses.ranges.launch_trips import TripRange, first_thread, loop_ranges
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.conditions import Condition, Opaque, guard_condition
from warpmill.analyzer.analyses.values.shared_slots import assumptions, decided_by
from warpmill.analyzer.analyses.values.symbolic import AtomKind
from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.analyzer.ir.kernel import Block, Instruction
from warpmill.analyzer.traces.static.plan import BasicBlockInfo, basic_block_infos
from warpmill.commands.analyze.result import (
    AccessFacts,
    AccessInLoop,
    AnalyzeReport,
    BlockFacts,
    BranchFacts,
    CallFacts,
    DecidingLoad,
    KernelAnalysis,
    LoopExit,
    LoopFacts,
    ValueCounts,
)
from warpmill.report.assumed import assumed_names
from warpmill.report.base import Mark
from warpmill.report.facts import (
    SourcePlace,
    block_place,
    instruction_place,
    kernel_facts,
    launch_facts,
    remarks,
)
from warpmill.session.data import buffer_of, labels_of
from warpmill.session.jobs import AccessAnalysis, Job
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import kernels_beside
from warpmill.session.traces import Dynamic, dynamic_facts


def analyze_report(jobs: Sequence[Job], assumed: Assumptions = NOTHING) -> AnalyzeReport:
    """The kernels of some jobs, in order.

    UsageError where a name that is assumed is none of a kernel's, or known already.
    """
    with gc_paused():
        return AnalyzeReport(analyses=[_Describing(job, assumed).analysis() for job in jobs])


def loop_facts(job: Job, assumed: Assumptions = NOTHING) -> list[LoopFacts]:
    """The loops of a kernel, outer ones first."""
    return _Describing(job, assumed).loops()


def access_facts(job: Job) -> list[AccessFacts]:
    """The accesses of a kernel in program order."""
    return _Describing(job, NOTHING).accesses()


@dataclass(frozen=True)
class _Describing:
    """A job whose analysis is described; ``labels`` are those of its blocks."""

    job: Job
    assumed: Assumptions

    @property
    def structure(self) -> Structure:
        return self.job.analysis.structure

    @cached_property
    def labels(self) -> list[str]:
        return labels_of(self.structure)

    def label_of(self, loop: int) -> str:
        """The name of a loop."""
        return self.labels[self.structure.loops.loops[loop].header]

    def place(self, block: int, instruction: int) -> SourcePlace:
        found = self.job.kernel.blocks[block].instructions[instruction]
        return instruction_place(self.job.loaded, found)

    def analysis(self) -> KernelAnalysis:
        job, structure = self.job, self.structure
        has_launch = job.launch is not None
        check_assumptions(structure, job.analysis.bounds, self.assumed, has_launch=has_launch)
        dynamic = dynamic_facts(job, TraceOptions(assume=self.assumed.ends()[0]))
        infos = basic_block_infos(structure, job.analysis.bounds)
        pairs = zip(job.kernel.blocks, infos, strict=True)
        after, outcomes = structure.cfg.successors, dynamic.outcomes
        is_assumed = outcomes is not None and outcomes.assumed
        return KernelAnalysis(
            kernel=kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)),
            launch=None if job.launch is None else launch_facts(job.launch, job.kernel),
            instructions=job.analysis.mix.instructions,
            blocks=[self._block(block, info, dynamic) for block, info in pairs],
            edges=sum(len(after[b]) for b in structure.cfg.reachable),
            irreducible_regions=[[self.labels[b] for b in r] for r in structure.loops.irreducible],
            loops=self.loops(),
            branches=self._branches(dynamic),
            accesses=self.accesses(),
            calls=[
                CallFacts(
                    block=self.labels[call.block],
                    call=call,
                    place=self.place(call.block, call.instruction),
                )
                for call in job.calls
            ],
            pruned=job.pruned,
            values=_values(job),
            live_registers=job.analysis.live_registers,
            assumed=assumed_names(self.assumed),
            assumptions=_assumptions(structure, dynamic),
            no_traces=dynamic.reason,
            remarks=remarks(job.loaded.diagnostics, job.loaded),
            executions_mark=_mark(dynamic),
            outcomes_mark=Mark.ASSUMED if is_assumed else Mark.EXACT,
        )

    def _block(self, block: Block, info: BasicBlockInfo, dynamic: Dynamic) -> BlockFacts:
        loop = self.structure.loops.innermost(block.id)
        executions = dynamic.executions
        return BlockFacts(
            id=block.id,
            label=block.label,
            instructions=len(block.instructions),
            kept_instructions=len(self.job.kept[block.id]),
            successors=[self.labels[s] for s in self.structure.cfg.successors[block.id]],
            loop_depth=0 if loop is None else loop.depth,
            loop=None if loop is None else self.labels[loop.header],
            loop_bound=None if info.loop_bound_expr is None else str(info.loop_bound_expr),
            associated_blocks=[self.labels[b] for b in info.associated_bbs],
            preceding_block=None if info.preced_bb is None else self.labels[info.preced_bb],
            reachable=block.id in self.structure.cfg.reachable,
            warp_executions=None if executions is None else executions[block.id],
            place=block_place(self.job.loaded, block),
        )

    def loops(self) -> list[LoopFacts]:
        """The loops of a kernel, outer ones first."""
        job, bounds = self.job, self.job.analysis.bounds
        ranges: Mapping[int, TripRange] = {}
        counted: Mapping[int, LoopIterations] = {}
        if job.launch is not None:
            ranges = loop_ranges(job.loaded.module, self.structure, job.launch, bounds)
            found = first_thread(job.loaded.module, self.structure, bounds, job.launch)
            counted = {one.loop: one for one in found}
        intervals: Mapping[int, AssumedRange] = {}
        if self.assumed:
            intervals = bound_intervals(self.structure, bounds, self.assumed)
        return [
            self._loop(bound, ranges.get(loop), counted.get(loop), intervals.get(loop))
            for loop, bound in ((bound.loop, bound) for bound in bounds)
        ]

    def _loop(
        self,
        bound: LoopBound,
        range_: TripRange | None,
        counted: LoopIterations | None,
        assumed: AssumedRange | None,
    ) -> LoopFacts:
        structure = self.structure
        loop: Loop = structure.loops.loops[bound.loop]
        over = [f"i({self.label_of(outer)})" for outer in _counters(bound)]
        shared = decided_by(structure, [e.source for e in bound.exits])
        return LoopFacts(
            name=self.labels[loop.header],
            depth=loop.depth,
            parent=None if loop.parent is None else self.label_of(loop.parent),
            blocks=len(loop.blocks),
            bound=bound,
            in_launch=_trips(bound, range_, counted, over),
            assumed=assumed,
            first_thread=counted,
            exits=[
                LoopExit(source=self.labels[e.source], target=self.labels[e.target], exit=e)
                for e in bound.exits
            ],
            place=block_place(self.job.loaded, self.job.kernel.blocks[loop.header]),
            rests_on_stores=not shared.isdisjoint(structure.stores_by_one),
        )

    def _branches(self, dynamic: Dynamic) -> list[BranchFacts]:
        """The branches of a kernel by block."""
        cfg, deciders = self.structure.cfg, Deciders(self.structure)
        several = [b for b in sorted(cfg.reachable) if len(cfg.successors[b]) > 1]
        return [self._branch(block, deciders, dynamic) for block in several]

    def _branch(self, number: int, deciders: Deciders, dynamic: Dynamic) -> BranchFacts:
        labels, structure = self.labels, self.structure
        block = self.job.kernel.blocks[number]
        last = block.instructions[-1]
        condition = _condition(structure, number, last)
        after, around = structure.cfg.successors[number], structure.loops.containing(number)
        otherwise = after[0] if block.fallthrough is None else block.fallthrough
        left = [loop for loop in around if any(s not in loop.blocks for s in after)]
        meet = structure.reconvergence[number]
        found = [one for one in self.job.divergence.branches if one.block == number]
        divergent = found[0] if found else None
        within = None if divergent is None else divergent.within
        outcomes = {} if dynamic.outcomes is None else dynamic.outcomes.by_block
        return BranchFacts(
            block=labels[number],
            opcode=last.operation.opcode,
            condition=str(condition),
            decided_by=[d.value for d in deciders.of(number, condition)],
            taken=[labels[s] for s in after if s != otherwise],
            otherwise=labels[otherwise],
            reconverges=None if meet is None else labels[meet],
            leaves_loop=labels[left[-1].header] if left else None,
            may_diverge=divergent is not None,
            divergence=[] if divergent is None else list(divergent.reason),
            region=[] if divergent is None else [labels[b] for b in divergent.region],
            within=None if within is None else labels[within],
            outcomes=outcomes.get(number),
            place=instruction_place(self.job.loaded, last),
        )

    def accesses(self) -> list[AccessFacts]:
        """The accesses of a kernel in program order."""
        pairs = zip(self.job.analysis.accesses, self.job.access_facts, strict=True)
        return [self._access(access, facts) for access, facts in pairs]

    def _access(self, access: MemoryAccess, facts: AccessAnalysis) -> AccessFacts:
        strides, known = access.loop_strides_bytes, facts.reuse.loops
        if facts.in_launch is not None and len(facts.in_launch.loops) == len(known):
            known = facts.in_launch.loops  # the launch knows more
        return AccessFacts(
            block=self.labels[access.block],
            buffer=buffer_of(self.job, access),
            access=access,
            decided_by=[
                DecidingLoad(
                    block=self.labels[block],
                    instruction=instruction,
                    place=self.place(block, instruction),
                )
                for block, instruction in access.loads
            ],
            loops=[
                AccessInLoop(loop=self.label_of(loop), stride_bytes=stride, reuse=reuse)
                for (loop, stride), reuse in zip(strides, known, strict=True)
            ],
            alignment=facts.alignment,
            full_warp=facts.full_warp,
            in_launch=facts.in_launch,
            reuse=facts.reuse,
            place=self.place(access.block, access.instruction),
        )


def _assumptions(structure: Structure, dynamic: Dynamic) -> list[str]:
    """What loops and traces rest on; where there are traces, theirs tell all of it."""
    of_loops = () if dynamic.assumptions else (text for _, text in assumptions(structure))
    return [*of_loops, *dynamic.assumptions]


def _mark(dynamic: Dynamic) -> Mark:
    if dynamic.assumptions:
        return Mark.ASSUMED
    return Mark.SAMPLED if dynamic.is_sampled else Mark.EXACT


def _counters(bound: LoopBound) -> list[int]:
    """The loops around on whose iterations a count depends."""
    if not isinstance(bound.trips, SymbolicTrips):
        return []
    return sorted({a.key for a in bound.trips.formula.atoms if a.kind is AtomKind.COUNTER})


def _trips(
    bound: LoopBound,
    range_: TripRange | None,
    counted: LoopIterations | None,
    counters: Sequence[str],
) -> TripRange:
    """The range of a count: what the first thread does where all do that, else of the formula.

    Only the former tells all iterations of loops around, however many.
    """
    if range_ is None:
        if isinstance(bound.trips, KnownTrips):
            return TripRange(bound.trips.count, bound.trips.count)
        return TripRange(None, None, bound.reason or "no launch was given")
    if not counters or counted is None or counted.has_more_runs or not counted.runs:
        return range_
    if range_.low is None or not counted.is_shared:
        return range_
    ends = [n for r in counted.runs for n in (r.count, r.count + r.step * (r.last - r.first))]
    return replace(range_, low=min(ends), high=max(ends), over=tuple(counters), sampled=False)


def _condition(structure: Structure, block: int, last: Instruction) -> Condition:
    """What a block's last instruction tests: its guard, or the value that it switches on."""
    index = len(structure.kernel.blocks[block].instructions) - 1
    if last.guard is not None:
        return guard_condition(structure, block, index, last.guard)
    if not last.sources:
        return Opaque(last.operation.opcode)
    value = structure.values.of_operand(block, index, last.sources[0])
    return Opaque("by the value of {}", (value,))


def _values(job: Job) -> ValueCounts:
    classes = [c for c in job.divergence.classes if c is not None]
    return ValueCounts(
        uniform=sum(isinstance(c, UniformClass) for c in classes),
        affine=sum(isinstance(c, Affine) for c in classes),
        divergent=sum(isinstance(c, Divergent) for c in classes),
    )
