"""Profile by opcode, class, source line, lanes and block: GT-Pin's distributions.

Counts of instructions follow from the executions of blocks, so nothing here is counted while a
kernel runs (GT-Pin, §III-C: one counter a block). Memory and CTAs stand in modules beside this one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.profile.counts import Profile

By = Literal["warps", "threads"]
Shares = npt.NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Executions:
    """Instructions of some kind: how many the code has, and how often they were executed.

    ``static_instructions`` are in the code, executed or not. ``thread_instructions`` count lanes of
    the active mask, ``predicated_on`` those whose guard held, where there is one; a branch's guard
    decides where to go and switches nothing off. An instruction that is off in all lanes was
    executed by its warp all the same.
    """

    static_instructions: Annotated[int, Metric("In code")]
    warp_instructions: Annotated[int, Metric("Warp inst.")]
    thread_instructions: Annotated[int, Metric("Thread inst.")]
    predicated_on: Annotated[int, Metric("Predicated on")]
    of_launch: Annotated[int | None, INTERNAL] = field(default=None, compare=False)
    """Warp instructions of the launch."""

    @derived("Share", "%")
    def warp_instruction_fraction(self) -> float | None:
        """The part of all warp instructions; null without any."""
        return self.warp_instructions / self.of_launch if self.of_launch else None


@dataclass(frozen=True, slots=True)
class KindExecutions:
    """Executions under the name of an opcode, a class, or the elements of a thread."""

    name: str
    executions: Executions


def opcode_mix(profile: Profile) -> tuple[KindExecutions, ...]:
    """The executions of each opcode as it is written, the most executed first."""
    return _named(executions_by(profile, lambda i: i.operation.opcode))


def class_mix(profile: Profile) -> tuple[KindExecutions, ...]:
    """The executions of each class of instructions, the most executed first."""
    return _named(executions_by(profile, lambda i: i.operation.op_class.value))


_VECTORS = frozenset({OpClass.LOAD, OpClass.STORE, OpClass.ATOMIC})


def vector_mix(profile: Profile) -> tuple[KindExecutions, ...]:
    """The executions of loads, stores and atomics by their elements a thread: ``v1``, ``v4``.

    That is all that is left here of GT-Pin's SIMD widths: an instruction of PTX is as wide as its
    warp. Accesses to parameters are left out.
    """
    counted = executions_by(profile, _vector)
    known = sorted(n for n in counted if n is not None)
    return tuple(KindExecutions(f"v{n}", counted[n]) for n in known)


def _vector(instruction: Instruction) -> int | None:
    operation = instruction.operation
    if operation.op_class not in _VECTORS or operation.space is Space.PARAM:
        return None
    return operation.vector


def executions_by(profile: Profile, kind: Callable[[Instruction], Key]) -> dict[Key, Executions]:
    """The executions of instructions that are of one kind, added up."""
    sums: dict[Key, list[int]] = {}
    for block, place, instruction in profile.placed:
        own = sums.setdefault(kind(instruction), [0, 0, 0, 0])
        counts = profile.blocks[block]
        more = (1, counts.warps, counts.threads, profile.threads_on(block, place))
        for k, value in enumerate(more):
            own[k] += value
    whole = profile.warp_instructions
    return {key: Executions(a, b, c, d, whole) for key, (a, b, c, d) in sums.items()}


def _named(counted: dict[str, Executions]) -> tuple[KindExecutions, ...]:
    def rank(name: str) -> tuple[int, int, str]:
        own = counted[name]
        return -own.warp_instructions, -own.static_instructions, name

    return tuple(KindExecutions(name, counted[name]) for name in sorted(counted, key=rank))


def lane_histogram(profile: Profile) -> tuple[int, ...] | None:
    """The warp instructions by lanes on, from none to all of a warp's; None: not counted.

    All together are the warp instructions, and each times its lanes the thread instructions.
    """
    if profile.lanes is None:
        return None
    sums = [0] * (profile.warp_size + 1)
    for block, executions in zip(profile.kernel.blocks, profile.lanes, strict=True):
        for lanes, count in enumerate(executions):
            sums[lanes] += count * len(block.instructions)
    return tuple(sums)


def block_vector(profile: Profile, by: By = "warps") -> Shares:
    """A launch's basic block vector: the share of its instructions that each block has.

    ``BBV = <BB1 instructions / instructions, ..., BBN instructions / instructions>`` (TBPoint,
    Eq. 1, from SimPoint). Instructions are those of warps, or of threads. The shares add up to 1,
    or to 0 where nothing was executed.
    """
    counts = [[block.warps if by == "warps" else block.threads for block in profile.blocks]]
    shares: Shares = normalised(profile, np.array(counts, np.int64))[0]
    return shares


def normalised(profile: Profile, executions: npt.NDArray[np.int64]) -> Shares:
    """Executions of blocks, a row a vector, as shares of the row's instructions."""
    lengths = np.array([len(b.instructions) for b in profile.kernel.blocks], np.int64)
    instructions = executions * lengths
    totals = instructions.sum(axis=1, keepdims=True)
    shares: Shares = instructions / np.maximum(totals, 1)
    return shares
