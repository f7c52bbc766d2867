"""What a machine issues of a launch: profiles count every instruction, some machines not all.

Machines that issue PTX as it stands issue what was counted. On the others some instructions become
none of the machine's own, such as those that read parameters, and the simulator does not count them
either: what is compared with its IPC must be counted in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analyzer.ir.kernel import Kernel
from analyzer.profile import CtaCounts, Profile
from simulator.estimate.costs import is_free
from simulator.machines.model import Machine

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Issued:
    """Instructions that a machine issues: by warps, and by the threads that are on in them."""

    warp_instructions: int
    thread_instructions: int


def issued(profiles: Sequence[Profile], machine: Machine) -> Issued:
    """Give what a machine issues of launches."""
    lengths: dict[int, Numbers] = {}
    warps = threads = 0
    for profile in profiles:
        key = id(profile.kernel)
        if key not in lengths:
            lengths[key] = issued_by_block(profile.kernel, machine)
        for counts, length in zip(profile.blocks, lengths[key].tolist(), strict=True):
            warps += counts.warps * length
            threads += counts.threads * length
    return Issued(warps, threads)


def issued_by_block(kernel: Kernel, machine: Machine) -> Numbers:
    """Give how many instructions of each block a machine issues."""
    everything = machine.text("front_end.isa") == "ptx"
    return np.array(
        [
            sum(everything or not is_free(one) for one in block.instructions)
            for block in kernel.blocks
        ],
        np.int64,
    )


def issued_by_cta(counts: CtaCounts, lengths: Numbers) -> Numbers:
    """Give the warp instructions that are issued of each CTA; ``lengths`` are those of blocks."""
    of_vectors: Numbers = counts.block_warps @ lengths
    return of_vectors[counts.vectors]
