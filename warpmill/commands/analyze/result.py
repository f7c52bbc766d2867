"""Result of ``analyze``: blocks, loops, branches, memory accesses and registers of a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.analyses.divergence.analysis import ValueCounts
from warpmill.analyzer.analyses.mix import Pruned
from warpmill.analyzer.analyses.ranges.assumptions import NOTHING, Assumptions, check_assumptions
from warpmill.analyzer.analyses.values.shared_slots import assumptions
from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.analyzer.base.metric import INTERNAL, derived
from warpmill.analyzer.ir.types import Space
from warpmill.report.assumed import AssumedName, assumed_names
from warpmill.report.base import Mark, Part, Report
from warpmill.report.facts import KernelIdentity, LaunchFacts, Remark, kernel_facts, launch_facts
from warpmill.report.facts import remarks as remarks_of
from warpmill.report.page import figure
from warpmill.report.words import few, place, plural
from warpmill.session.jobs import Job
from warpmill.session.kernel_analysis import (
    AccessFacts,
    BlockFacts,
    BranchFacts,
    CallFacts,
    LoopFacts,
    access_facts,
    block_facts,
    branch_facts,
    call_facts,
    loop_facts,
)
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import kernels_beside
from warpmill.session.traces import Dynamic, dynamic_facts


class KernelAnalysis(Part):
    """The static facts of one kernel, with the numbers of one launch where there is one."""

    mark: ClassVar[Mark] = Mark.EXACT

    job: Annotated[Job, INTERNAL]
    dynamic: Annotated[Dynamic, INTERNAL]
    kernel: KernelIdentity
    launch: LaunchFacts | None
    blocks: list[BlockFacts]
    loops: list[LoopFacts]
    branches: list[BranchFacts]
    accesses: list[AccessFacts]
    calls: list[CallFacts]
    values: ValueCounts
    assumed: list[AssumedName]
    """What the user assumed; figures from traces are of the low ends."""
    remarks: list[Remark]

    @derived("Summary")
    def answer(self) -> tuple[str, ...]:
        """Known trip counts and divergent branches, coalescing and bank conflicts, registers."""
        live = figure(self.live_registers, Mark.MODELLED)
        registers = f"A thread has {live} live registers at most, as modelled."
        return tuple(
            filter(None, (_control_flow(self), _accesses(self), _aligned(self), registers))
        )

    @derived("Instructions")
    def instructions(self) -> int:
        """Instructions of the code."""
        return self.job.analysis.mix.instructions

    @derived("Edges")
    def edges(self) -> int:
        """Edges between blocks that control reaches."""
        cfg = self.job.analysis.structure.cfg
        return sum(len(cfg.successors[block]) for block in cfg.reachable)

    @derived("Irreducible regions")
    def irreducible_regions(self) -> list[list[str]]:
        """Cycles with several entries, which are no loops, by their blocks."""
        structure = self.job.analysis.structure
        labels = [block.label for block in structure.kernel.blocks]
        return [[labels[block] for block in region] for region in structure.loops.irreducible]

    @derived("Pruned trace")
    def pruned(self) -> Pruned:
        """Instructions that the hybrid paper's pruning keeps."""
        return self.job.pruned

    @derived("Live registers", mark=Mark.MODELLED)
    def live_registers(self) -> int:
        """Registers of 32 bits that a thread needs: a stand-in for a compiler's count."""
        return self.job.analysis.live_registers

    @derived("Assumptions")
    def assumptions(self) -> list[str]:
        """Assumptions of loops and traces; where there are traces, theirs are all of them."""
        structure, traced = self.job.analysis.structure, self.dynamic.assumptions
        return list(traced or (text for _, text in assumptions(structure)))

    @derived("No traces")
    def no_traces(self) -> str | None:
        """Reason why figures from traces are missing: executions of blocks, outcomes."""
        return self.dynamic.reason

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of figures that rest on traces of some CTAs, or on assumptions."""
        dynamic, outcomes = self.dynamic, self.dynamic.outcomes
        traced = Mark.SAMPLED if dynamic.is_sampled else Mark.EXACT
        is_assumed = outcomes is not None and outcomes.assumed
        return {
            "blocks.warp_executions": Mark.ASSUMED if dynamic.assumptions else traced,
            "branches.outcomes": Mark.ASSUMED if is_assumed else Mark.EXACT,
        }


class AnalyzeReport(Report):
    """Static facts of the kernels of a launch file, or of one kernel.

    Formulas (conditions, trip counts, addresses) of more than 320 characters name the parts that
    stand in them more than once: ``e2 > 127 where e1 = ...; e2 = ...``. A part uses the names of
    those before it.
    """

    report: Literal["analyze"] = "analyze"
    analyses: list[KernelAnalysis]


def analyze_report(jobs: Sequence[Job], assumed: Assumptions = NOTHING) -> AnalyzeReport:
    """The kernels of some jobs, in order.

    UsageError where a name that is assumed is none of a kernel's, or known already.
    """
    with gc_paused():
        return AnalyzeReport(analyses=[_analysis(job, assumed) for job in jobs])


def _analysis(job: Job, assumed: Assumptions) -> KernelAnalysis:
    has_launch = job.launch is not None
    known = job.analysis
    check_assumptions(known.structure, known.bounds, assumed, has_launch=has_launch)
    dynamic = dynamic_facts(job, TraceOptions(assume=assumed.ends()[0]))
    return KernelAnalysis(
        job=job,
        dynamic=dynamic,
        kernel=kernel_facts(job.loaded, job.kernel, kernels_beside(job.loaded)),
        launch=None if job.launch is None else launch_facts(job.launch, job.kernel),
        blocks=block_facts(job, dynamic),
        loops=loop_facts(job, assumed),
        branches=branch_facts(job, dynamic),
        accesses=access_facts(job),
        calls=call_facts(job),
        values=job.divergence.value_counts(),
        assumed=assumed_names(assumed),
        remarks=remarks_of(job.loaded.diagnostics, job.loaded),
    )


# The answer: loops and branches, accesses, registers.


def _control_flow(found: KernelAnalysis) -> str:
    loops, branches = found.loops, [b for b in found.branches if b.may_diverge]
    unknown = [one.name for one in loops if one.assumed is None and _is_unknown(found, one)]
    known = len(loops) - len(unknown)
    told = "no loops"
    if loops:
        where = "" if found.launch is None else " in this launch"
        verb = "have" if known > 1 else "has"
        told = f"{_of(known, len(loops), 'loop')} {verb} a known trip count{where}"
        told += f" (not {few(unknown)})" if unknown and known else ""
    if not found.branches:
        told += "; no branches"
        return f"{told[0].upper()}{told[1:]}."
    names = f" ({few([b.block for b in branches])})" if branches else ""
    told += f"; {_of(len(branches), len(found.branches), 'branch')} "
    return f"{told[0].upper()}{told[1:]}may diverge{names}."


def _is_unknown(found: KernelAnalysis, loop: LoopFacts) -> bool:
    return loop.bound.kind == "unknown" if found.launch is None else loop.in_launch.low is None


def _accesses(found: KernelAnalysis) -> str:
    shared = [(a, a.is_conflict_free) for a in found.accesses if a.access.space is Space.SHARED]
    others = [(a, a.is_coalesced) for a in found.accesses if a.access.space is not Space.SHARED]
    told = []
    for pairs, words in ((others, "coalesced"), (shared, "free of bank conflicts")):
        if not pairs:
            continue
        good = sum(fits is True for _, fits in pairs)
        spaces = " and ".join(dict.fromkeys(a.access.space.value for a, _ in pairs))
        text = f"{_of(good, len(pairs), f'{spaces} access')} {'are' if good > 1 else 'is'} {words}"
        not_so = [place(a.place, found.kernel.file) for a, fits in pairs if fits is False]
        unknown = sum(fits is None for _, fits in pairs)
        but = [f"not line {few(not_so)}"] if not_so else []
        but += [f"{unknown} unknown"] if unknown else []
        told.append(f"{text} ({'; '.join(but)})" if but else text)
    text = "; ".join(told) or "no memory accesses"
    return f"{text[0].upper()}{text[1:]}."


_WIDEST = 32
"""The most bytes that a thread accesses at once; what is wider is copied in parts."""


def _aligned(found: KernelAnalysis) -> str:
    """The lines of accesses that machines refuse."""
    own = [a for a in found.accesses if a.alignment.meets_width is False]
    lines = [
        place(a.place, found.kernel.file) for a in own if (a.access.width_bytes or 0) <= _WIDEST
    ]
    return f"Never aligned to their width: line {few(lines)}." if lines else ""


def _of(count: int, total: int, thing: str) -> str:
    return f"{count or 'none'} of {plural(total, thing)}"
