"""Issued instructions of a launch: profiles count every one, some machines do not.

Machines that issue PTX as it stands issue what was counted. On the others some instructions become
none of the machine's own, such as those that read parameters, that others take in, or that load
what was loaded, and the simulator does not count them either: what is compared with its IPC must be
counted in the same way. Which they are the MachineProgram says (``simulator.assembler.program``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.profile.counts import CtaProfile, Profile
from warpmill.session.jobs import Job
from warpmill.simulator.machines.model import Machine

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Issued:
    """Instructions that a machine issues: by warps, and by the threads that are on in them."""

    warp_instructions: Annotated[int, Metric("Instructions issued, all", "inst")]
    thread_instructions: Annotated[int, Metric("Thread instructions issued, all", "thread inst")]


def issued(profiles: Sequence[Profile], jobs: Sequence[Job], machine: Machine) -> Issued:
    """Issued instructions of launches, which were profiled and are jobs too."""
    warps = threads = 0
    for profile, lengths in zip(profiles, block_lengths(jobs, machine), strict=True):
        for counts, length in zip(profile.blocks, lengths.tolist(), strict=True):
            warps += counts.warps * length
            threads += counts.threads * length
    return Issued(warps, threads)


def block_lengths(jobs: Iterable[Job], machine: Machine) -> Iterator[Numbers]:
    """Instructions of each block of each job's kernel that a machine issues."""
    found: dict[int, Numbers] = {}
    for job in jobs:
        key = id(job.kernel)
        if key not in found:
            found[key] = job.analysis.kernel_facts.program(machine).issued_by_block()
        yield found[key]


def issued_by_cta(counts: CtaProfile, lengths: Numbers) -> Numbers:
    """The warp instructions that are issued of each CTA; ``lengths`` are those of blocks."""
    of_vectors: Numbers = counts.block_warps @ lengths
    return of_vectors[counts.vectors]
