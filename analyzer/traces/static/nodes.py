"""What a static walk leaves behind for a whole batch of warps, before it is cut into warps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from warpmill.analyzer.traces.static.values import Known, Lanes, Value


class Which(NamedTuple):
    """Tells the accesses of a block apart, as ``analyzer.traces.model.Access`` does.

    ``width_bytes`` is there where an operand tells it that is no number in the instruction.
    """

    instruction: int
    turn: int = 0
    width_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class BatchAccess:
    """Addresses of one memory instruction for all warps; ``lanes`` are those that are on."""

    which: Which
    lanes: Lanes
    address: Value


@dataclass(frozen=True, slots=True)
class BatchVisit:
    """A block executed by the lanes in ``lanes``, shape (warps, lanes).

    ``taken`` are the lanes that take the branch at its end, where it has one with a condition that
    is known.
    """

    block: int
    lanes: Lanes
    guards: tuple[tuple[int, Lanes], ...]
    accesses: tuple[BatchAccess, ...]
    taken: Lanes | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """Iterations of a loop that are alike; addresses move with ``counter`` (None: only one).

    ``count`` may grow with the counters of loops around; it is at least 1 in all their iterations.
    """

    count: Known
    counter: int | None
    body: tuple[BatchNode, ...]


@dataclass(frozen=True, slots=True)
class BatchLoop:
    """One run of a loop: its segments in order."""

    header: int
    segments: tuple[Segment, ...]


BatchNode = BatchVisit | BatchLoop
