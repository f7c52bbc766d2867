"""Exact profiles of launches: a target run with collectors, its counts by launch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Unpack

from warpmill.analyzer.base.metric import Id, Mark, Metric, derived
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.profile.counts import (
    AccessProfile,
    BlockProfile,
    CtaProfile,
    LoopProfile,
    Profile,
)
from warpmill.analyzer.profile.ctas import cta_block_vectors
from warpmill.analyzer.profile.mix import Executions, block_vector, executions_by
from warpmill.executor.collectors import Collector, ProfileCollector
from warpmill.report.facts import SourcePlace, block_place, instruction_place
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchKeywords, LaunchOptions, RunOptions
from warpmill.session.run import run
from warpmill.session.runs import Run
from warpmill.simulator.machines import memory_rules
from warpmill.simulator.machines.model import Machine, with_recording


@dataclass(frozen=True)
class LaunchProfile:
    """The profile of one launch, under the name that reports give it."""

    index: int
    name: str
    profile: Profile


@dataclass(frozen=True)
class Profiled:
    """Profiled run: the run itself, and the profile of each of its launches."""

    run: Run
    launches: tuple[LaunchProfile, ...]


@dataclass(frozen=True, kw_only=True)
class LineCounts:
    """Instructions of one line, of the source where the compiler recorded it, else of the input."""

    place: Annotated[SourcePlace, Metric("Line")]
    executions: Executions


@dataclass(frozen=True, kw_only=True)
class BlockCounts:
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


@dataclass(frozen=True, kw_only=True)
class LoopCounts:
    """A loop, by the label of its header."""

    label: Annotated[str, Metric("Loop")]
    counts: LoopProfile


@dataclass(frozen=True, kw_only=True)
class AccessCounts:
    """An access to memory, with the instruction that makes it."""

    place: Annotated[SourcePlace, Metric("Line")]
    opcode: Annotated[str, Metric("Opcode")]
    counts: AccessProfile

    @derived("Wavefronts a request")
    def wavefronts_a_request(self) -> float | None:
        """Shared-memory wavefronts a request, in the mean."""
        wavefronts = self.counts.wavefronts
        return None if wavefronts is None else wavefronts / self.counts.requests


@dataclass(frozen=True, kw_only=True)
class CtaCounts:
    """Counts by CTA.

    ``warp_instruction_fractions`` are the basic block vectors of the distinct vectors of block
    executions: each block's share of the CTA's warp instructions. ``vector_ctas`` counts the CTAs
    that have each.
    """

    counts: CtaProfile
    vector_ctas: list[int]
    warp_instruction_fractions: list[list[float]]

    @property
    def ctas(self) -> list[CtaRow]:
        """The counts of each CTA, in dispatch order."""
        counts, known = self.counts, self.counts.memory_lines
        lines = [None] * len(counts.vectors) if known is None else known.tolist()
        warps, threads = counts.warp_instructions.tolist(), counts.thread_instructions.tolist()
        columns = zip(warps, threads, lines, counts.vectors.tolist(), strict=True)
        return [CtaRow(number, *each) for number, each in enumerate(columns)]


@dataclass(frozen=True, slots=True)
class CtaRow:
    """The counts of one CTA; ``vector`` is the number of its vector of block executions."""

    cta: Annotated[Id, Metric("CTA")]
    warp_instructions: Annotated[int, Metric("Warp inst.")]
    thread_instructions: Annotated[int, Metric("Thread inst.")]
    lines: Annotated[int | None, Metric("128 B lines")]
    vector: Annotated[Id, Metric("Vector")]


def profile(
    target: str | Path | Job | Sequence[Job],
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: RunOptions | None = None,
    *,
    counts: Sequence[str] | None = None,
    strict: bool = False,
    **keywords: Unpack[LaunchKeywords],
) -> Profiled:
    """Run a target and count what its launches do. A target is what ``run`` takes.

    ``profile("samples/reduce/launch.toml").launches[0].profile.warp_instructions``. ``counts`` are
    those of ``executor.collectors.COUNTS`` that are wanted, all where it is None; fewer
    cost less. Collectors of the options are told too. Errors as ``run``; ValueError for counts that
    there are not.
    """
    options = options or RunOptions()
    own = ProfileCollector(counts)
    both: tuple[Collector, ...] = (own, *options.collectors)
    how = replace(options, collectors=both)
    done = run(target, kernel, launch, how, strict=strict, **keywords)
    pairs = zip(done.launches, own.profiles, strict=True)
    found = (LaunchProfile(k, one.name, made) for k, (one, made) in enumerate(pairs))
    return Profiled(done, tuple(found))


# The parts of a profile, with their places.


def line_counts(profile: Profile, loaded: LoadedModule) -> list[LineCounts]:
    """Executions by line: those of the input first, then those of the source, by file."""

    def place(instruction: Instruction) -> SourcePlace:
        return replace(instruction_place(loaded, instruction), column=None)

    counted = executions_by(profile, place)
    ordered = sorted(counted, key=lambda p: (p.of == "source", p.file, p.line))
    return [LineCounts(place=place, executions=counted[place]) for place in ordered]


def block_counts(profile: Profile, loaded: LoadedModule) -> list[BlockCounts]:
    """The blocks of a profile, by number."""
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
                lanes=None if profile.lanes is None else occurring(profile.lanes[block.id]),
                place=block_place(loaded, block),
            )
        )
    return found


def occurring(histogram: Sequence[int]) -> dict[int, int]:
    """The numbers of lanes that occurred, with how often."""
    return {lanes: count for lanes, count in enumerate(histogram) if count}


def loop_counts(profile: Profile) -> list[LoopCounts] | None:
    """The loops of a profile; None: they were not counted."""
    if profile.loops is None:
        return None
    labels = [block.label for block in profile.kernel.blocks]
    return [LoopCounts(label=labels[one.header], counts=one) for one in profile.loops]


def access_counts(profile: Profile, loaded: LoadedModule) -> list[AccessCounts] | None:
    """The accesses of a profile, with their instructions; None: they were not counted."""
    if profile.accesses is None:
        return None
    found = []
    for counts in profile.accesses:
        instruction = profile.kernel.blocks[counts.block].instructions[counts.instruction]
        place, opcode = instruction_place(loaded, instruction), instruction.operation.opcode
        found.append(AccessCounts(place=place, opcode=opcode, counts=counts))
    return found


def cta_counts(profile: Profile) -> CtaCounts | None:
    """The counts by CTA; None: they were not counted."""
    counts, shares = profile.by_cta, cta_block_vectors(profile)
    if counts is None or shares is None:
        return None
    times = [0] * len(shares.vectors)
    for vector in counts.vectors.tolist():
        times[vector] += 1
    fractions = shares.vectors.tolist()
    return CtaCounts(counts=counts, vector_ctas=times, warp_instruction_fractions=fractions)


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


def rule_marks(machine: Machine | None) -> dict[str, Mark]:
    """Assumed are rules of which nobody states a value of the machine that they rest on."""
    if machine is None:
        return dict.fromkeys(_KEYS, Mark.EXACT)
    recording, used = with_recording(machine)
    memory_rules(recording)
    assumed = {one.key for one in used.assumed()}
    return {
        rule: Mark.ASSUMED if assumed & set(keys) else Mark.EXACT for rule, keys in _KEYS.items()
    }


def count_marks(rules: Mapping[str, Mark]) -> dict[str, Mark]:
    """Assumed are counts that rest on a rule that is."""
    return {
        count: Mark.ASSUMED if Mark.ASSUMED in {rules[r] for r in resting} else Mark.EXACT
        for count, resting in _RESTING_ON.items()
    }
