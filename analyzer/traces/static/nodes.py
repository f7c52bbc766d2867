"""Result of a static walk for a whole batch of warps, and the same taken apart by warp.

Nodes hold what all lanes of the batch did. As columns they have a row a warp; rows that take the
same way are cut into one tree together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpmill.analyzer.traces.model import (
    AffinePattern,
    ListedPattern,
    Pattern,
    UnknownAddresses,
    masks_of,
)
from warpmill.analyzer.traces.static.values import KnownNumbers, Lanes, Number, Unknown, Value


class Which(NamedTuple):
    """Key of an access in a block, as ``analyzer.traces.model.TracedAccess`` has it.

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
class LoopSegment:
    """Iterations of a loop that are alike; addresses move with ``counter`` (None: only one).

    ``count`` may grow with the counters of loops around; it is at least 1 in all their iterations.
    """

    count: KnownNumbers
    counter: int | None
    body: tuple[BatchNode, ...]


@dataclass(frozen=True, slots=True)
class BatchLoop:
    """One run of a loop: its segments in order."""

    header: int
    segments: tuple[LoopSegment, ...]


BatchNode = BatchVisit | BatchLoop


# A walked batch taken apart by warp: a value a row, and the rows that take the same way.
#
# Rows whose masks, patterns and strides are equal everywhere differ in base addresses only; they
# are cut into one tree together.

Rows = NDArray[np.int64]
"""A number a row of the batch."""


@dataclass(frozen=True, slots=True)
class AccessColumns:
    """An access by row; ``strides`` are bytes an iteration of each level, outermost first.

    A stride is one number where it is the same in all rows.
    """

    which: Which
    masks: list[int]
    unknown: UnknownAddresses | None
    bases: Rows
    patterns: list[Pattern]
    strides: tuple[int | Rows, ...]


@dataclass(frozen=True, slots=True)
class VisitColumns:
    """A visit by row."""

    block: int
    masks: list[int]
    guards: tuple[tuple[int, list[int]], ...]
    accesses: tuple[AccessColumns, ...]


@dataclass(frozen=True, slots=True)
class SegmentColumns:
    """Iterations that are alike; ``count_strides`` are what each level around adds to them."""

    count: int
    count_strides: tuple[int, ...]
    body: tuple[Columns, ...]


@dataclass(frozen=True, slots=True)
class LoopColumns:
    """One run of a loop."""

    segments: tuple[SegmentColumns, ...]


Columns = VisitColumns | LoopColumns


def columns_of(
    nodes: tuple[BatchNode, ...], counters: tuple[int | None, ...]
) -> tuple[Columns, ...]:
    """Take nodes apart; ``counters`` are those of the levels around, None where there is none."""
    taking = _Taking(nodes)
    return tuple(taking.node(node, counters) for node in nodes)


class _LaneFacts:
    """Facts of the active lanes by row: the mask, the first lane and the second."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.masks = masks_of(lanes)
        self.rows = np.arange(len(lanes))
        self.first = lanes.argmax(axis=1)
        self.distance = np.arange(lanes.shape[1]) - self.first[:, None]
        later = lanes & (self.distance > 0)
        self.second = np.where(later.any(axis=1), later.argmax(axis=1), self.first)
        self.apart = np.maximum(self.second - self.first, 1)

    def at_first(self, number: Number) -> Rows:
        """A number's value in the first lane of each row."""
        if isinstance(number, int):
            return np.full(len(self.rows), number, np.int64)
        return np.asarray(_spread(number, self.lanes)[self.rows, self.first])


def _spread(number: Number, lanes: Lanes) -> Lanes:
    """A number for each lane, as 64-bit integers."""
    full = np.asarray(number, dtype=np.int64)
    return full if full.shape == lanes.shape else np.broadcast_to(full, lanes.shape)


class _Taking:
    """Parts of one batch; what lanes determine is worked out once for all that are on alike."""

    def __init__(self, nodes: tuple[BatchNode, ...]) -> None:
        self._known: dict[int, _LaneFacts] = {}
        self._alike: dict[bytes, _LaneFacts] = {}
        self._kept: list[Lanes] = []
        self._where: dict[int, _Where] = {}  # by the id of the access
        together: dict[_LaneFacts, list[BatchAccess]] = {}
        for access in _accesses(nodes):
            together.setdefault(self._facts(access.lanes), []).append(access)
        for facts, accesses in together.items():
            most = max(1, _TOGETHER // facts.lanes.size)
            for first in range(0, len(accesses), most):
                self._where |= _described(accesses[first : first + most], facts)

    def _facts(self, lanes: Lanes) -> _LaneFacts:
        found = self._known.get(id(lanes))
        if found is None:
            self._kept.append(lanes)  # its id stays its own
            found = self._alike.get(lanes.tobytes())
            if found is None:
                found = self._alike[lanes.tobytes()] = _LaneFacts(lanes)
            self._known[id(lanes)] = found
        return found

    def node(self, node: BatchNode, counters: tuple[int | None, ...]) -> Columns:
        if isinstance(node, BatchLoop):
            return LoopColumns(tuple(self._segment(s, counters) for s in node.segments))
        return VisitColumns(
            node.block,
            self._facts(node.lanes).masks,
            tuple((i, self._facts(lanes).masks) for i, lanes in node.guards),
            tuple(self._access(a, counters) for a in node.accesses),
        )

    def _segment(self, segment: LoopSegment, counters: tuple[int | None, ...]) -> SegmentColumns:
        count = segment.count
        return SegmentColumns(
            _plain(count.base),
            tuple(0 if c is None else _plain(count.stride(c)) for c in counters),
            tuple(self.node(n, (*counters, segment.counter)) for n in segment.body),
        )

    def _access(self, access: BatchAccess, counters: tuple[int | None, ...]) -> AccessColumns:
        facts, address = self._facts(access.lanes), access.address
        if isinstance(address, Unknown):
            reason = UnknownAddresses(address.reason)
            none = np.zeros(len(facts.rows), np.int64)
            return AccessColumns(access.which, facts.masks, reason, none, [], ())
        strides = [0 if c is None else address.stride(c) for c in counters]
        where = self._where.get(id(access))
        if where is None:  # the same in all lanes
            same: list[Pattern] = [AffinePattern(0)]
            where = _Where(facts.at_first(address.base), same * len(facts.rows))
        return AccessColumns(
            access.which,
            facts.masks,
            None,
            where.bases,
            where.patterns,
            tuple([s if isinstance(s, int) else facts.at_first(s) for s in strides]),
        )


def _plain(number: Number) -> int:
    """A count, which is the same in all lanes."""
    assert isinstance(number, int)
    return number


def _accesses(nodes: tuple[BatchNode, ...]) -> Iterator[BatchAccess]:
    """The accesses whose lanes' addresses are known and differ."""
    for node in nodes:
        if isinstance(node, BatchLoop):
            for segment in node.segments:
                yield from _accesses(segment.body)
            continue
        for access in node.accesses:
            if isinstance(access.address, KnownNumbers) and not isinstance(
                access.address.base, int
            ):
                yield access


_TOGETHER = 1 << 17
"""Lanes of accesses that are looked at in one go, about."""


class _Where(NamedTuple):
    """Addresses of an access's lanes, by row: the first lane's, and the others' from it."""

    bases: Rows
    patterns: list[Pattern]


def _described(accesses: Sequence[BatchAccess], facts: _LaneFacts) -> dict[int, _Where]:
    """Addresses of the lanes of accesses that are on alike, by the ids of the accesses."""
    lanes, rows = facts.lanes, facts.rows
    known = [a.address for a in accesses if isinstance(a.address, KnownNumbers)]
    base = np.stack([_spread(address.base, lanes) for address in known])
    first = base[:, rows, facts.first]
    offsets = np.where(lanes, base - first[:, :, None], 0)
    stride = offsets[:, rows, facts.second] // facts.apart
    affine = ~np.any(lanes & (offsets != stride[:, :, None] * facts.distance), axis=2)
    return {
        id(access): _Where(first[k], _patterns(lanes, offsets[k], stride[k], affine[k]))
        for k, access in enumerate(accesses)
    }


def _patterns(lanes: Lanes, offsets: Lanes, strides: Rows, affine: Lanes) -> list[Pattern]:
    """Describe the offsets of lanes that are on, row by row; ``affine`` ones by their stride."""
    one = int(strides[0])
    if affine.all() and (strides == one).all():
        return [AffinePattern(one)] * len(strides)
    known: dict[int | bytes, Pattern] = {}
    found: list[Pattern] = []
    each = zip(affine.tolist(), strides.tolist(), strict=True)
    for own, on, (is_affine, step) in zip(offsets, lanes, each, strict=True):
        key = step if is_affine else own.tobytes() + on.tobytes()
        if key not in known:
            known[key] = (
                AffinePattern(step) if is_affine else ListedPattern(tuple(own[on].tolist()))
            )
        found.append(known[key])
    return found


def alike(columns: tuple[Columns, ...], rows: int) -> list[NDArray[np.intp]]:
    """Group the rows that are equal in everything but base addresses, by their first row."""
    codes = [code for code in _codes(columns, set()) if (code != code[0]).any()]
    if not codes:
        return [np.arange(rows)]
    table = np.stack(codes, axis=1)
    _, first, group = np.unique(table, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    return [np.flatnonzero(group.ravel() == g) for g in order]


def _codes(columns: tuple[Columns, ...], seen: set[int]) -> Iterator[Rows]:
    """Number of each row's class in everything that has to be equal; what is off counts as zero.

    ``seen`` are the lists of masks that were given already.
    """
    for column in columns:
        if isinstance(column, LoopColumns):
            for segment in column.segments:
                yield from _codes(segment.body, seen)
            continue
        lists = (column.masks, *(m for _, m in column.guards), *(a.masks for a in column.accesses))
        for masks in lists:
            if id(masks) not in seen:
                seen.add(id(masks))
                yield _numbered(masks)
        for access in column.accesses:
            if access.unknown is None:
                yield from _access_codes(access)


def _access_codes(access: AccessColumns) -> Iterator[Rows]:
    patterns = [id(p) for p in access.patterns]
    several = patterns.count(patterns[0]) < len(patterns)
    moving = [s for s in access.strides if not isinstance(s, int)]
    if several or moving:
        on = np.array(access.masks, dtype=object) != 0
        if several:
            yield np.where(on, _numbered(patterns), 0)
        for stride in moving:
            yield np.where(on, stride, 0)


def _numbered(values: list[int]) -> Rows:
    """Equal values equal numbers, those of masks that are 0 among them."""
    numbers: dict[int, int] = {0: 0}
    return np.array([numbers.setdefault(v, len(numbers)) for v in values], dtype=np.int64)
