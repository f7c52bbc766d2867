"""What ``analyze`` says of branches: conditions, what decides them, who takes them, divergence."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.analyses.divergence.analysis import Deciders, DivergentBranch
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.conditions import Condition, Opaque, guard_condition
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.traces.outcomes import BranchRun, WarpOutcome
from warpmill.report.base import Id, Mark, Marks, Part, marks
from warpmill.report.facts import SourcePlace, instruction_place
from warpmill.session.jobs import Job
from warpmill.session.traces import CtaOutcomes


class OutcomeRun(Part):
    """Executions of a branch by one warp that are alike.

    ``iterations`` of the innermost loop around, from the ``first`` (from 0) in steps of ``step``;
    ``taken`` are the lanes of ``mask`` that take it, as hexadecimal masks, lane 0 lowest.
    """

    first: int
    iterations: int
    step: int
    mask: str
    taken: str


class WarpOutcomeFacts(Part):
    """How often all (hit), none (miss) or some (split) of a warp's lanes take a branch.

    ``runs`` are those of the first time that the innermost loop around runs; ``more``: there are
    others.
    """

    warp: Id
    hits: int
    misses: int
    splits: int
    runs: list[OutcomeRun]
    more: bool


class BranchOutcomes(Part):
    """Hit or miss of a branch in one CTA, in warp executions and by warp."""

    cta: list[Id]
    hits: int
    misses: int
    splits: int
    warps: list[WarpOutcomeFacts]
    marks: Marks


class BranchFacts(Part):
    """A block with several successors. ``condition`` is when ``taken`` follows it.

    ``decided_by``: argument, thread id, block id, launch size, loop counter, memory load, control
    flow, other. ``reconverges`` is the block where lanes that part meet again.

    ``may_diverge``: the lanes of a warp may differ; ``divergence`` leads from the condition back to
    where the difference comes from, ``region`` are the blocks that run while lanes are apart, and
    ``within`` the branch of the region around. ``outcomes`` need a launch and a condition that data
    do not decide.
    """

    block: str
    opcode: str
    condition: str
    decided_by: list[str]
    taken: list[str]
    otherwise: str
    reconverges: str | None
    leaves_loop: str | None
    may_diverge: bool
    divergence: list[str]
    region: list[str]
    within: str | None
    outcomes: BranchOutcomes | None
    place: SourcePlace


def branch_facts(
    job: Job, labels: Sequence[str], outcomes: CtaOutcomes | None
) -> list[BranchFacts]:
    """Describe the branches of a kernel by block; ``labels`` are those of its blocks."""
    structure = job.analysis.structure
    parted = {branch.block: branch for branch in job.divergence.branches}
    deciders = Deciders(structure)
    return [
        _branch(job, (labels, deciders), number, (parted.get(number), outcomes))
        for number in sorted(structure.cfg.reachable)
        if len(structure.cfg.successors[number]) > 1
    ]


def _branch(
    job: Job,
    shared: tuple[Sequence[str], Deciders],
    number: int,
    found: tuple[DivergentBranch | None, CtaOutcomes | None],
) -> BranchFacts:
    labels, deciders = shared
    parted, outcomes = found
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
        decided_by=[d.value for d in deciders.of(number, condition)],
        taken=[labels[s] for s in after if s != otherwise],
        otherwise=labels[otherwise],
        reconverges=None if meet is None else labels[meet],
        leaves_loop=labels[left[-1].header] if left else None,
        may_diverge=parted is not None,
        divergence=[] if parted is None else list(parted.reason),
        region=[] if parted is None else [labels[b] for b in parted.region],
        within=None if parted is None or parted.within is None else labels[parted.within],
        outcomes=None if outcomes is None else _outcomes(outcomes, number),
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
    return Opaque("by the value of {}", (value,))


def _outcomes(outcomes: CtaOutcomes, block: int) -> BranchOutcomes | None:
    found = outcomes.by_block.get(block)
    if found is None:
        return None
    mark = Mark.ASSUMED if outcomes.assumed else Mark.EXACT
    return BranchOutcomes(
        cta=list(outcomes.cta),
        hits=sum(w.hits for w in found.warps),
        misses=sum(w.misses for w in found.warps),
        splits=sum(w.splits for w in found.warps),
        warps=[_warp(w) for w in found.warps],
        marks=marks(BranchOutcomes, mark),
    )


def _warp(outcome: WarpOutcome) -> WarpOutcomeFacts:
    return WarpOutcomeFacts(
        warp=outcome.warp,
        hits=outcome.hits,
        misses=outcome.misses,
        splits=outcome.splits,
        runs=[_run(run) for run in outcome.runs],
        more=outcome.more,
    )


def _run(run: BranchRun) -> OutcomeRun:
    return OutcomeRun(
        first=run.first,
        iterations=run.count,
        step=run.step,
        mask=hex(run.mask),
        taken=hex(run.taken),
    )
