"""What a static walk leaves behind for a whole batch of warps, before it is cut into warps."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.trace.static.values import Lanes, Value


@dataclass(frozen=True, slots=True)
class BatchAccess:
    """Addresses of one memory instruction for all warps; ``lanes`` are those that are on."""

    instruction: int
    lanes: Lanes
    address: Value


@dataclass(frozen=True, slots=True)
class BatchVisit:
    """A block executed by the lanes in ``lanes``, shape (warps, lanes)."""

    block: int
    lanes: Lanes
    guards: tuple[tuple[int, Lanes], ...]
    accesses: tuple[BatchAccess, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """Iterations of a loop that are alike; addresses move with ``counter`` (None: only one)."""

    count: int
    counter: int | None
    body: tuple[BatchNode, ...]


@dataclass(frozen=True, slots=True)
class BatchLoop:
    """One run of a loop: its segments in order."""

    header: int
    segments: tuple[Segment, ...]


BatchNode = BatchVisit | BatchLoop
