"""What is the same in all executions of a tree's visits: blocks, masks, guards, accesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.ir.types import Place
from warpmill.analyzer.traces.event_batch import EventTables
from warpmill.analyzer.traces.model import (
    AffinePattern,
    TracedAccess,
    UnknownAddresses,
    Visit,
    lanes_of,
    wrapped,
)

Numbers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Masks = npt.NDArray[np.uint64]
UNKNOWN = -1
"""The slot of an access whose addresses are not known."""


@dataclass(frozen=True, eq=False)
class Facts:
    """What is the same in all executions of the visits of a tree, or of several one after another.

    ``guards`` and ``accesses`` count those of each visit. ``offsets`` has the shape (accesses,
    lanes): bytes from the first lane that is on; 0 where a lane is off, or nobody knows.
    """

    block: Small
    mask: Masks
    guards: Numbers
    accesses: Numbers
    guard_number: Small
    guard_mask: Masks
    access_point: Small
    access_mask: Masks
    access_slot: Small
    offsets: Numbers

    @classmethod
    def joined(cls, each: Sequence[Facts]) -> Facts:
        """Put those of several trees one after another."""
        if len(each) == 1:
            return each[0]
        names = [f.name for f in fields(cls)]
        return cls(**{n: np.concatenate([getattr(facts, n) for facts in each]) for n in names})


@dataclass(frozen=True)
class Numbering:
    """The numbers of the instructions that accesses and guards name, and the accesses' widths."""

    points: Mapping[Place, tuple[tuple[int, int | None], ...]]
    guards: Mapping[Place, int]
    lanes: int

    @classmethod
    def of(cls, tables: EventTables) -> Numbering:
        """Turn tables round."""
        points: dict[Place, tuple[tuple[int, int | None], ...]] = {}
        for n, p in enumerate(tables.points):
            place = p.block, p.instruction
            points[place] = (*points.get(place, ()), (n, p.width_bytes))
        guards = {place: number for number, place in enumerate(tables.guards)}
        return cls(points, guards, tables.warp_size)

    def points_of(self, visit: Visit) -> Iterator[tuple[int, TracedAccess]]:
        """Give the accesses of a visit with their points: of a copy its load, then its store."""
        for access in visit.accesses:
            yield self._point(visit.block, access), access

    def _point(self, block: int, access: TracedAccess) -> int:
        """Give the point of an access. InputError where the kernel has no such access."""
        there = self.points.get((block, access.instruction), ((-1, None),))
        number, width = there[min(access.turn, len(there) - 1)]
        if number < 0 or access.width_bytes not in (None, width):
            raise InputError(
                f"the traces have an access to memory in block {block}, instruction "
                f"{access.instruction}, that the kernel has not"
            )
        return number

    def guard(self, block: int, instruction: int) -> int:
        """Give the number of a guarded instruction. InputError where the kernel has none there."""
        if (block, instruction) not in self.guards:
            raise InputError(
                f"the traces have a guard in block {block}, instruction {instruction}, that the "
                "kernel has not"
            )
        return self.guards[block, instruction]


def facts_of(visits: Sequence[Visit], numbering: Numbering) -> Facts:
    """Give what is the same in all executions of visits. InputError as ``Numbering`` gives it."""
    guards = [(numbering.guard(v.block, i), mask) for v in visits for i, mask in v.guards]
    accesses = [found for v in visits for found in numbering.points_of(v)]
    return Facts(
        np.array([v.block for v in visits], np.int32),
        np.array([v.mask for v in visits], np.uint64),
        np.array([len(v.guards) for v in visits], np.int64),
        np.array([len(v.accesses) for v in visits], np.int64),
        np.array([number for number, _ in guards], np.int32),
        np.array([mask for _, mask in guards], np.uint64),
        np.array([number for number, _ in accesses], np.int32),
        np.array([a.mask for _, a in accesses], np.uint64),
        np.array([_slot(a) for _, a in accesses], np.int32),
        _offsets([a for _, a in accesses], numbering.lanes),
    )


def _slot(access: TracedAccess) -> int:
    where = access.addresses
    return UNKNOWN if isinstance(where, UnknownAddresses) else where.slot


def _offsets(accesses: Sequence[TracedAccess], lanes: int) -> Numbers:
    """Give the offsets of lanes; affine ones are worked out together."""
    strides, masks = np.zeros(len(accesses), np.int64), np.zeros(len(accesses), np.uint64)
    listed: list[tuple[int, int, tuple[int, ...]]] = []
    for row, access in enumerate(accesses):
        where = access.addresses
        if isinstance(where, UnknownAddresses):
            continue
        if isinstance(where.pattern, AffinePattern):
            strides[row], masks[row] = wrapped(where.pattern.stride), access.mask
        else:
            listed.append((row, access.mask, where.pattern.offsets(access.mask)))
    on = (masks[:, None] >> np.arange(lanes, dtype=np.uint64)) & np.uint64(1) != 0
    distance = np.arange(lanes) - on.argmax(axis=1)[:, None]
    rows: Numbers = np.where(on, distance * strides[:, None], 0)
    for row, mask, offsets in listed:
        rows[row, list(lanes_of(mask))] = offsets
    return rows
