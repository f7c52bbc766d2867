"""What a profile says by opcode, class, source line, lanes and block: GT-Pin's distributions.

Counts of instructions follow from the executions of blocks, so nothing here is counted while a
kernel runs (GT-Pin, §III-C: one counter a block). Memory and CTAs stand in modules beside this one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.profile.counts import Profile

By = Literal["warps", "threads"]
Shares = npt.NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Executions:
    """How many instructions of some kind a kernel has, and how often they were executed.

    ``static`` counts those of the code, executed or not. ``threads`` are the lanes of the active
    mask, ``predicated_on`` those whose guard held, where there is one; a branch's guard decides
    where to go and switches nothing off. An instruction that is off in all lanes was executed by
    its warp all the same.
    """

    static: int
    warps: int
    threads: int
    predicated_on: int


@dataclass(frozen=True, slots=True)
class Named:
    """Executions under the name of an opcode or a class."""

    name: str
    executions: Executions


@dataclass(frozen=True, slots=True)
class LineExecutions:
    """Executions of the instructions of a line; ``file`` None is the input's own text."""

    file: str | None
    line: int
    executions: Executions


def opcode_mix(profile: Profile) -> tuple[Named, ...]:
    """Give the executions of each opcode as it is written, the most executed first."""
    return _named(_counted(profile, lambda i: i.operation.opcode))


def class_mix(profile: Profile) -> tuple[Named, ...]:
    """Give the executions of each class of instructions, the most executed first."""
    return _named(_counted(profile, lambda i: i.operation.op_class.value))


_VECTORS = frozenset({OpClass.LOAD, OpClass.STORE, OpClass.ATOMIC})


def vector_mix(profile: Profile) -> tuple[Named, ...]:
    """Give the executions of loads, stores and atomics by their elements a thread: ``v1``, ``v4``.

    That is all that is left here of GT-Pin's SIMD widths: an instruction of PTX is as wide as its
    warp. Accesses to parameters are left out.
    """
    counted = _counted(profile, _vector)
    return tuple(Named(f"v{n}", counted[n]) for n in sorted(n for n in counted if n is not None))


def _vector(instruction: Instruction) -> int | None:
    operation = instruction.operation
    if operation.op_class not in _VECTORS or operation.space is Space.PARAM:
        return None
    return operation.vector


def line_mix(profile: Profile) -> tuple[LineExecutions, ...]:
    """Give the executions of each line of the source, by file and line.

    An instruction without a line that a compiler recorded stands at its line of the input.
    """
    counted = _counted(profile, _line)
    places = sorted(counted, key=lambda place: (place[0] or "", place[1]))
    return tuple(LineExecutions(*place, counted[place]) for place in places)


def _line(instruction: Instruction) -> tuple[str | None, int]:
    debug = instruction.debug
    if debug is None or not debug.line:
        return None, instruction.span.line
    return debug.file, debug.line


def _counted(profile: Profile, kind: Callable[[Instruction], Key]) -> dict[Key, Executions]:
    """Add up the executions of instructions that are of one kind."""
    sums: dict[Key, list[int]] = {}
    for block, place, instruction in profile.placed:
        own = sums.setdefault(kind(instruction), [0, 0, 0, 0])
        counts = profile.blocks[block]
        more = (1, counts.warps, counts.threads, profile.threads_on(block, place))
        for k, value in enumerate(more):
            own[k] += value
    return {key: Executions(*own) for key, own in sums.items()}


def _named(counted: dict[str, Executions]) -> tuple[Named, ...]:
    ranked = sorted(counted.items(), key=lambda item: (-item[1].warps, -item[1].static, item[0]))
    return tuple(Named(*item) for item in ranked)


def lane_histogram(profile: Profile) -> tuple[int, ...] | None:
    """Give the warp instructions by lanes on, from none to all of a warp's; None: not counted.

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
    """Give a launch's basic block vector: the share of its instructions that each block has.

    ``BBV = <BB1 instructions / instructions, ..., BBN instructions / instructions>`` (TBPoint,
    Eq. 1, from SimPoint). Instructions are those of warps, or of threads. The shares add up to 1,
    or to 0 where nothing was executed.
    """
    counts = [[block.warps if by == "warps" else block.threads for block in profile.blocks]]
    shares: Shares = normalised(profile, np.array(counts, np.int64))[0]
    return shares


def normalised(profile: Profile, executions: npt.NDArray[np.int64]) -> Shares:
    """Turn executions of blocks, a row a vector, into shares of the row's instructions."""
    lengths = np.array([len(b.instructions) for b in profile.kernel.blocks], np.int64)
    instructions = executions * lengths
    totals = instructions.sum(axis=1, keepdims=True)
    shares: Shares = instructions / np.maximum(totals, 1)
    return shares
