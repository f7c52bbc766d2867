"""A profile as evidence: exact counts, no time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING

from warpmill.analyzer.base.metric import Mark
from warpmill.analyzer.ir.types import Place
from warpmill.session.evidence import (
    AccessEvidence,
    Evidence,
    InstructionEvidence,
    KernelAccesses,
    LaunchShape,
    accesses_by_place,
    shared_access,
)
from warpmill.session.jobs import Job

if TYPE_CHECKING:
    from warpmill.analyzer.profile.counts import Profile


def evidence_of_profile(job: Job, profile: Profile) -> Evidence:
    """The evidence of an exact profile, which has no times."""
    x, y, z = profile.block
    grid = profile.grid
    rules = profile.rules
    return Evidence(
        engine="profile",
        jobs=(job,),
        instructions=_profiled(job, profile),
        mark=Mark.EXACT,
        warp_size=profile.warp_size,
        sector_bytes=32 if rules is None else rules.sector_bytes,
        shape=LaunchShape(grid[0] * grid[1] * grid[2], x * y * z),
    )


def _profiled(job: Job, profile: Profile) -> tuple[InstructionEvidence, ...]:
    accesses = _profiled_accesses(job, profile)
    return tuple(
        InstructionEvidence(
            0, block, index, instruction,
            profile.blocks[block].warps, profile.blocks[block].threads,
            None, (), accesses.get((block, index), ()),
        )
        for block, index, instruction in profile.placed
        if profile.blocks[block].warps
    )  # fmt: skip


def _profiled_accesses(job: Job, profile: Profile) -> Mapping[Place, tuple[AccessEvidence, ...]]:
    rules, known = profile.rules, KernelAccesses(job)
    found: list[tuple[Place, AccessEvidence]] = []
    for one in profile.accesses or ():
        place = one.block, one.instruction
        bytes_ = float(one.bytes_requested)
        made = known.of(place, (one.requests, one.threads, bytes_), space=one.space)
        made = replace(made, kind=one.kind)
        if one.wavefronts is not None and one.bank_conflicts is not None:
            passes = float(one.wavefronts)
            made = shared_access(made, passes, passes - one.bank_conflicts)
        elif one.sectors is not None and one.lines is not None and rules is not None:
            sectors = float(one.sectors)
            least = min(sectors, max(one.requests, ceil(bytes_ / rules.sector_bytes)))
            lines = float(one.lines)
            made = replace(made, sectors=sectors, ideal_sectors=least, lines=lines)
        found.append((place, made))
    return accesses_by_place(found)
