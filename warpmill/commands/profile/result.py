"""Result of ``profile``: exact counts of launches, and what collectors have found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.analyzer.profile.counts import Profile
from warpmill.analyzer.profile.ctas import CtaStatistics, cta_statistics
from warpmill.analyzer.profile.memory import SpaceTraffic, memory_traffic
from warpmill.analyzer.profile.mix import (
    KindExecutions,
    class_mix,
    lane_histogram,
    opcode_mix,
    vector_mix,
)
from warpmill.executor.collectors import COUNTS
from warpmill.report.base import Id, Mark, Part, Report
from warpmill.session.collectors import LoadedCollector
from warpmill.session.engine_evidence import evidence_of_profile
from warpmill.session.findings import Finding, answer_sentences, findings
from warpmill.session.jobs import Job
from warpmill.session.overhead import Overhead
from warpmill.session.profiles import (
    AccessCounts,
    BlockCounts,
    CtaCounts,
    LaunchProfile,
    LineCounts,
    LoopCounts,
    Profiled,
    access_counts,
    block_counts,
    count_marks,
    cta_counts,
    line_counts,
    loop_counts,
    occurring,
    rule_marks,
)
from warpmill.session.runs import summed
from warpmill.simulator.machines.model import Machine


class LaunchCounts(Part):
    """One launch, the ``index``-th of the target, with all that was counted; null: it was not.

    ``answer`` and ``findings`` say what stands out. ``lanes`` are warp instructions by the lanes on
    in them, without those that never occurred; ``vectors`` loads, stores and atomics by their
    elements a thread.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    launch: Annotated[LaunchProfile, INTERNAL]
    kernel: str
    demangled: str
    file: str
    answer: tuple[str, ...]
    findings: tuple[Finding, ...]
    classes: tuple[KindExecutions, ...]
    opcodes: tuple[KindExecutions, ...]
    vectors: tuple[KindExecutions, ...]
    lanes: Annotated[Mapping[int, int] | None, Metric("Active threads of warp instructions")]
    lines: list[LineCounts]
    blocks: list[BlockCounts]
    loops: list[LoopCounts] | None
    memory: tuple[SpaceTraffic, ...] | None
    accesses: list[AccessCounts] | None
    cta_spread: CtaStatistics | None
    per_cta: CtaCounts | None
    counted_by: Annotated[Mapping[str, Mark], INTERNAL]

    @derived("Launch")
    def index(self) -> Id:
        """Its number among the launches of the target."""
        return self.launch.index

    @derived("Name")
    def name(self) -> str:
        """Name in reports."""
        return self.launch.name

    @derived("Profile")
    def profile(self) -> Profile:
        """Its exact counts."""
        return self.launch.profile

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Marks of figures that rest on assumed values of the machine with the rules."""
        parts = ("profile", "memory", "accesses.counts")
        found = {f"{part}.{key}": m for part in parts for key, m in self.counted_by.items()}
        found["accesses.wavefronts_a_request"] = found.pop("profile.wavefronts")
        return found


class CountingRules(Part):
    """Rules that sectors and bank conflicts are counted by; ``machine`` null: the default ones."""

    mark: ClassVar[Mark] = Mark.EXACT

    machine: str | None
    memory: MemoryRules
    marked: Annotated[Mapping[str, Mark], INTERNAL]

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Rules of which nobody states a value of the machine that they rest on."""
        return {f"memory.{rule}": mark for rule, mark in self.marked.items()}


class ProfileTotals(Part):
    """The launches of the report together; null where something was not counted."""

    mark: ClassVar[Mark] = Mark.EXACT

    launches: Annotated[int, Metric("Launches")]
    warp_instructions: Annotated[int, Metric("Executed instructions", "inst")]
    thread_instructions: Annotated[int, Metric("Executed thread instructions", "thread inst")]
    predicated_on: Annotated[int, Metric("Thread instructions, predicated on", "thread inst")]
    lane_utilization: Annotated[float | None, Metric("Active threads of a warp", "%")]
    memory_lines: Annotated[int | None, Metric("128 B lines of requests")]


class ProfileReport(Report):
    """Exact profiles of the launches of a launch file, a kernel or a host program.

    ``counted`` is what was counted beside the executions of blocks. ``rules`` are null where
    memory was not counted, ``overhead`` where it was not asked for.
    """

    report: Literal["profile"] = "profile"
    profiled: Annotated[Profiled, INTERNAL]
    counted: list[str]
    rules: CountingRules | None
    totals: ProfileTotals
    launches: list[LaunchCounts]
    collectors: list[LoadedCollector]
    overhead: Overhead | None

    @derived("Target")
    def target(self) -> str:
        """Target that was run."""
        return self.profiled.run.target


@dataclass(frozen=True)
class ProfileChoice:
    """Parts of a profile that are reported, and how it came to be.

    ``machine`` is whose rules memory was counted by, None: no machine's. ``launch`` is the only
    launch to be reported, None: all are.
    """

    counted: frozenset[str] = frozenset(COUNTS)
    machine: Machine | None = None
    per_cta: bool = False
    launch: int | None = None


def profile_report(
    profiled: Profiled,
    choice: ProfileChoice | None = None,
    collectors: Sequence[LoadedCollector] = (),
    overhead: Overhead | None = None,
) -> ProfileReport:
    """The profiles of a run's launches. InputError for a result that cannot be shown."""
    choice = choice or ProfileChoice()
    machine, marked, analyses = choice.machine, rule_marks(choice.machine), dict[int, Any]()
    launches = []
    for one, ran in zip(profiled.launches, profiled.run.launches, strict=True):
        if choice.launch in (None, one.index):
            taken = ran.launched.kernel
            job = Job(taken.loaded, taken.kernel, None, analyses=analyses)
            launches.append(_launch(one, job, count_marks(marked), per_cta=choice.per_cta))
    rules = next((one.profile.rules for one in profiled.launches), None)
    name = None if machine is None else machine.name
    return ProfileReport(
        profiled=profiled,
        counted=[count for count in COUNTS if count in choice.counted],
        rules=None if rules is None else CountingRules(machine=name, memory=rules, marked=marked),
        totals=_totals([one.profile for one in launches]),
        launches=launches,
        collectors=list(collectors),
        overhead=overhead,
    )


def _launch(
    launch: LaunchProfile, job: Job, counted_by: Mapping[str, Mark], *, per_cta: bool
) -> LaunchCounts:
    profile, loaded = launch.profile, job.loaded
    evidence = evidence_of_profile(job, profile)
    found, histogram = findings(evidence), lane_histogram(profile)
    return LaunchCounts(
        launch=launch,
        kernel=profile.kernel.name,
        demangled=demangle(profile.kernel.name),
        file=loaded.path,
        answer=answer_sentences(evidence, found),
        findings=found,
        classes=class_mix(profile),
        opcodes=opcode_mix(profile),
        vectors=vector_mix(profile),
        lanes=None if histogram is None else occurring(histogram),
        lines=line_counts(profile, loaded),
        blocks=block_counts(profile, loaded),
        loops=loop_counts(profile),
        memory=memory_traffic(profile),
        accesses=access_counts(profile, loaded),
        cta_spread=cta_statistics(profile),
        per_cta=cta_counts(profile) if per_cta else None,
        counted_by=counted_by,
    )


def _totals(profiles: Sequence[Profile]) -> ProfileTotals:
    threads = sum(one.thread_instructions for one in profiles)
    whole = sum(one.warp_instructions * one.warp_size for one in profiles)
    return ProfileTotals(
        launches=len(profiles),
        warp_instructions=sum(one.warp_instructions for one in profiles),
        thread_instructions=threads,
        predicated_on=sum(one.predicated_on for one in profiles),
        lane_utilization=threads / whole if whole else None,
        memory_lines=summed(one.memory_lines for one in profiles),
    )
