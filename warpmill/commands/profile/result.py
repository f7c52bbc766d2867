"""What ``profile`` answers: exact counts of launches, and what collectors have found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.analyzer.profile.counts import (
    AccessProfile,
    BlockProfile,
    CtaProfile,
    LoopProfile,
    Profile,
)
from warpmill.analyzer.profile.ctas import CtaStatistics, cta_block_vectors, cta_statistics
from warpmill.analyzer.profile.memory import SpaceTraffic, memory_traffic
from warpmill.analyzer.profile.mix import (
    Executions,
    KindExecutions,
    block_vector,
    class_mix,
    executions_by,
    lane_histogram,
    opcode_mix,
    vector_mix,
)
from warpmill.executor.collectors import COUNTS
from warpmill.report.base import Id, Mark, Part, Report
from warpmill.report.facts import SourcePlace, block_place, instruction_place
from warpmill.session.collectors import LoadedCollector
from warpmill.session.evidence import evidence_of_profile
from warpmill.session.findings import Finding, answer_sentences, findings
from warpmill.session.jobs import Job
from warpmill.session.overhead import Overhead
from warpmill.session.profiles import LaunchProfile, Profiled
from warpmill.session.runs import summed
from warpmill.simulator.machines import memory_rules
from warpmill.simulator.machines.model import Machine, with_recording


class LineCounts(Part):
    """Instructions of one line, of the source where the compiler recorded it, else of the input."""

    place: Annotated[SourcePlace, Metric("Line")]
    executions: Executions


class BlockCounts(Part):
    """A basic block with its ``instructions``.

    ``warp_instruction_fraction`` is its share of all warp instructions, its entry of the launch's
    basic block vector. ``lane_utilization`` is the part of its warps' lanes that were on, ``lanes``
    has executions by warps by the lanes on in them, without numbers that never occurred. Null: not
    counted.
    """

    counts: BlockProfile
    label: Annotated[str, Metric("Block")]
    instructions: Annotated[int, Metric("Inst.")]
    warp_instruction_fraction: Annotated[float, Metric("Share", "%")]
    lane_utilization: Annotated[float | None, Metric("Active", "%")]
    lanes: Annotated[Mapping[int, int] | None, Metric("By active threads")]
    place: Annotated[SourcePlace | None, Metric("Line")]

    @derived("Warp inst.")
    def warp_instructions(self) -> int:
        """Its instructions as often as warps executed it."""
        return self.counts.warps * self.instructions

    @derived("Thread inst.")
    def thread_instructions(self) -> int:
        """Its instructions as often as threads executed it."""
        return self.counts.threads * self.instructions


class LoopCounts(Part):
    """A loop, by the label of its header."""

    label: Annotated[str, Metric("Loop")]
    counts: LoopProfile


class AccessCounts(Part):
    """An access to memory, with the instruction that makes it."""

    place: Annotated[SourcePlace, Metric("Line")]
    opcode: Annotated[str, Metric("Opcode")]
    counts: AccessProfile

    @derived("Wavefronts a request")
    def wavefronts_a_request(self) -> float | None:
        """Shared-memory wavefronts a request, in the mean."""
        wavefronts = self.counts.wavefronts
        return None if wavefronts is None else wavefronts / self.counts.requests


class CtaCounts(Part):
    """Counts by CTA.

    ``warp_instruction_fractions`` are the basic block vectors of the distinct vectors of block
    executions: each block's share of the CTA's warp instructions. ``vector_ctas`` counts the CTAs
    that have each.
    """

    counts: CtaProfile
    vector_ctas: list[int]
    warp_instruction_fractions: list[list[float]]


class LaunchCounts(Part):
    """One launch, the ``index``-th of the target, with all that was counted; null: it was not.

    ``answer`` and ``findings`` say what stands out. ``lanes`` are warp instructions by the lanes on
    in them, without those that never occurred; ``vectors`` loads, stores and atomics by their
    elements a thread.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    index: Id
    name: str
    kernel: str
    demangled: str
    file: str
    answer: tuple[str, ...]
    findings: tuple[Finding, ...]
    profile: Profile
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

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """What rests on values that are assumed of the machine whose rules accesses are by."""
        parts = ("profile", "memory", "accesses.counts")
        found = {f"{part}.{key}": m for part in parts for key, m in self.counted_by.items()}
        found["accesses.wavefronts_a_request"] = found.pop("profile.wavefronts")
        return found


class CountingRules(Part):
    """What sectors and bank conflicts are counted by; ``machine`` null: the default rules."""

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
    target: str
    counted: list[str]
    rules: CountingRules | None
    totals: ProfileTotals
    launches: list[LaunchCounts]
    collectors: list[LoadedCollector]
    overhead: Overhead | None


# What of it is made for a report.


@dataclass(frozen=True)
class Shown:
    """What of a profile is reported, and how it came to be.

    ``machine`` is whose rules memory was counted by, None: no machine's. ``launch`` is the only
    launch to be reported, None: all are.
    """

    counted: frozenset[str] = frozenset(COUNTS)
    machine: Machine | None = None
    per_cta: bool = False
    launch: int | None = None


def profile_report(
    profiled: Profiled,
    shown: Shown | None = None,
    collectors: Sequence[LoadedCollector] = (),
    overhead: Overhead | None = None,
) -> ProfileReport:
    """The profiles of a run's launches. InputError for a result that cannot be shown."""
    shown = shown or Shown()
    machine, per_cta, target = shown.machine, shown.per_cta, profiled.run.target
    marked, analyses = _rule_marks(machine), dict[int, Any]()
    launches = []
    for one, ran in zip(profiled.launches, profiled.run.launches, strict=True):
        if shown.launch in (None, one.index):
            taken = ran.launched.kernel
            job = Job(taken.loaded, taken.kernel, None, analyses=analyses)
            launches.append(_launch(one, job, _counted_by(marked), per_cta=per_cta))
    rules = next((one.profile.rules for one in profiled.launches), None)
    return ProfileReport(
        target=target,
        counted=[count for count in COUNTS if count in shown.counted],
        rules=None
        if rules is None
        else CountingRules(
            machine=None if machine is None else machine.name, memory=rules, marked=marked
        ),
        totals=_totals([one.profile for one in launches]),
        launches=launches,
        collectors=list(collectors),
        overhead=overhead,
    )


def _rules(
    rules: MemoryRules, machine: Machine | None, marked: Mapping[str, Mark]
) -> CountingRules:
    name = None if machine is None else machine.name
    return CountingRules(machine=name, memory=rules, marked=marked)


def _launch(
    launch: LaunchProfile, job: Job, counted_by: Mapping[str, Mark], *, per_cta: bool
) -> LaunchCounts:
    index, name, profile, loaded = launch.index, launch.name, launch.profile, job.loaded
    evidence = evidence_of_profile(job, profile)
    found = findings(evidence)
    histogram = lane_histogram(profile)
    return LaunchCounts(
        index=index,
        name=name,
        kernel=profile.kernel.name,
        demangled=demangle(profile.kernel.name),
        file=loaded.path,
        answer=answer_sentences(evidence, found),
        findings=found,
        profile=profile,
        classes=class_mix(profile),
        opcodes=opcode_mix(profile),
        vectors=vector_mix(profile),
        lanes=None if histogram is None else _occurring(histogram),
        lines=_lines(profile, loaded),
        blocks=_blocks(profile, loaded),
        loops=_loops(profile),
        memory=memory_traffic(profile),
        accesses=_accesses(profile, loaded),
        cta_spread=cta_statistics(profile),
        per_cta=_ctas(profile) if per_cta else None,
        counted_by=counted_by,
    )


def _lines(profile: Profile, loaded: LoadedModule) -> list[LineCounts]:
    """Executions by line: those of the input first, then those of the source, by file."""

    def place(instruction: Instruction) -> SourcePlace:
        return replace(instruction_place(loaded, instruction), column=None)

    counted = executions_by(profile, place)
    ordered = sorted(counted, key=lambda p: (p.of == "source", p.file, p.line))
    return [LineCounts(place=place, executions=counted[place]) for place in ordered]


def _blocks(profile: Profile, loaded: LoadedModule) -> list[BlockCounts]:
    found, shares = [], block_vector(profile).tolist()
    for block, counts, share in zip(profile.kernel.blocks, profile.blocks, shares, strict=True):
        label, slots = block.label, counts.warps * profile.warp_size
        found.append(
            BlockCounts(
                counts=counts,
                label=label,
                instructions=len(block.instructions),
                warp_instruction_fraction=share,
                lane_utilization=counts.threads / slots if slots else None,
                lanes=None if profile.lanes is None else _occurring(profile.lanes[block.id]),
                place=block_place(loaded, block),
            )
        )
    return found


def _occurring(histogram: Sequence[int]) -> dict[int, int]:
    """The numbers of lanes that occurred, with how often."""
    return {lanes: count for lanes, count in enumerate(histogram) if count}


def _loops(profile: Profile) -> list[LoopCounts] | None:
    if profile.loops is None:
        return None
    labels = [block.label for block in profile.kernel.blocks]
    return [LoopCounts(label=labels[one.header], counts=one) for one in profile.loops]


def _accesses(profile: Profile, loaded: LoadedModule) -> list[AccessCounts] | None:
    if profile.accesses is None:
        return None
    found = []
    for counts in profile.accesses:
        instruction = profile.kernel.blocks[counts.block].instructions[counts.instruction]
        place, opcode = instruction_place(loaded, instruction), instruction.operation.opcode
        found.append(AccessCounts(place=place, opcode=opcode, counts=counts))
    return found


def _ctas(profile: Profile) -> CtaCounts | None:
    counts, shares = profile.by_cta, cta_block_vectors(profile)
    if counts is None or shares is None:
        return None
    times = [0] * len(shares.vectors)
    for vector in counts.vectors.tolist():
        times[vector] += 1
    fractions = shares.vectors.tolist()
    return CtaCounts(counts=counts, vector_ctas=times, warp_instruction_fractions=fractions)


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


# How far what is counted by the rules of a machine can be trusted.

_KEYS = {
    "sector_bytes": ("l1.sector_bytes",),
    "lanes_per_group": ("machine.warp_size", "shared.banks"),
    "banks": ("shared.banks",),
    "bank_width_bytes": ("shared.bank_width_bytes",),
}
"""Which values of a machine a rule is made from."""

_RESTING_ON = {
    "sectors": ("sector_bytes", "lanes_per_group"),
    "bytes_transferred": ("sector_bytes", "lanes_per_group"),
    "wavefronts": ("banks", "bank_width_bytes"),
    "bank_conflicts": ("banks", "bank_width_bytes"),
}
"""Which rules a count rests on."""


def _rule_marks(machine: Machine | None) -> dict[str, Mark]:
    """Assumed are rules of which nobody states a value of the machine that they rest on."""
    if machine is None:
        return dict.fromkeys(_KEYS, Mark.EXACT)
    recording, used = with_recording(machine)
    memory_rules(recording)
    assumed = {one.key for one in used.assumed()}
    return {
        rule: Mark.ASSUMED if assumed & set(keys) else Mark.EXACT for rule, keys in _KEYS.items()
    }


def _counted_by(rules: Mapping[str, Mark]) -> dict[str, Mark]:
    return {
        count: Mark.ASSUMED if Mark.ASSUMED in {rules[r] for r in resting} else Mark.EXACT
        for count, resting in _RESTING_ON.items()
    }
