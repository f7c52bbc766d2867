"""A walked batch taken apart by warp: a value a row, and the rows that take the same way.

Rows whose masks, patterns and strides are equal everywhere differ in base addresses only; they are
cut into one tree together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analyzer.trace.model import (
    AffinePattern,
    ListedPattern,
    Pattern,
    UnknownAddresses,
    masks_of,
)
from analyzer.trace.static.nodes import BatchAccess, BatchLoop, BatchNode
from analyzer.trace.static.values import Known, Lanes, Number, Unknown

Rows = NDArray[np.int64]
"""A number a row of the batch."""


@dataclass(frozen=True, slots=True)
class AccessColumns:
    """An access by row; ``strides`` are bytes an iteration of each level, outermost first."""

    instruction: int
    masks: list[int]
    unknown: UnknownAddresses | None
    bases: Rows
    patterns: list[Pattern]
    strides: tuple[Rows, ...]


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


def columns_of(node: BatchNode, counters: tuple[int | None, ...] = ()) -> Columns:
    """Take a node apart; ``counters`` are those of the levels around, None where there is none."""
    if isinstance(node, BatchLoop):
        return LoopColumns(
            tuple(
                SegmentColumns(
                    _plain(s.count.base),
                    tuple(0 if c is None else _plain(s.count.stride(c)) for c in counters),
                    tuple(columns_of(n, (*counters, s.counter)) for n in s.body),
                )
                for s in node.segments
            )
        )
    return VisitColumns(
        node.block,
        masks_of(node.lanes),
        tuple((i, masks_of(lanes)) for i, lanes in node.guards),
        tuple(_access_columns(a, counters) for a in node.accesses),
    )


def _plain(number: Number) -> int:
    """Give a count, which is the same in all lanes."""
    assert isinstance(number, int)
    return number


def _access_columns(access: BatchAccess, counters: tuple[int | None, ...]) -> AccessColumns:
    lanes, address = access.lanes, access.address
    masks = masks_of(lanes)
    if isinstance(address, Unknown):
        reason, none = UnknownAddresses(address.reason), np.zeros(len(lanes), np.int64)
        return AccessColumns(access.instruction, masks, reason, none, [], ())
    rows, first = np.arange(len(lanes)), lanes.argmax(axis=1)

    def at_first(number: Number) -> Rows:
        full = np.broadcast_to(np.asarray(number, dtype=np.int64), lanes.shape)
        return np.asarray(full[rows, first])

    return AccessColumns(
        access.instruction,
        masks,
        None,
        at_first(address.base),
        _patterns(address, lanes, first),
        tuple(at_first(0 if c is None else address.stride(c)) for c in counters),
    )


def _patterns(address: Known, lanes: Lanes, first: Lanes) -> list[Pattern]:
    """Describe the offsets of the lanes that are on, row by row; affine ones by their stride."""
    base = np.broadcast_to(np.asarray(address.base, dtype=np.int64), lanes.shape)
    rows = np.arange(len(lanes))
    offsets = np.where(lanes, base - base[rows, first][:, None], 0)
    distance = np.arange(lanes.shape[1]) - first[:, None]
    later = lanes & (distance > 0)
    second = np.where(later.any(axis=1), later.argmax(axis=1), first)
    stride = offsets[rows, second] // np.maximum(second - first, 1)
    affine = ~np.any(lanes & (offsets != stride[:, None] * distance), axis=1)
    known: dict[int | bytes, Pattern] = {}
    found: list[Pattern] = []
    for row, (is_affine, step) in enumerate(zip(affine.tolist(), stride.tolist(), strict=True)):
        key = step if is_affine else offsets[row].tobytes() + lanes[row].tobytes()
        if key not in known:
            known[key] = (
                AffinePattern(step)
                if is_affine
                else ListedPattern(tuple(offsets[row][lanes[row]].tolist()))
            )
        found.append(known[key])
    return found


def alike(columns: tuple[Columns, ...], rows: int) -> list[NDArray[np.intp]]:
    """Group the rows that are equal in everything but base addresses, by their first row."""
    codes = [*_codes(columns)]
    if not codes:
        return [np.arange(rows)]
    table = np.stack(codes, axis=1)
    _, first, group = np.unique(table, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    return [np.flatnonzero(group.ravel() == g) for g in order]


def _codes(columns: tuple[Columns, ...]) -> Iterator[Rows]:
    """Give a number a row for everything that has to be equal; what is off counts as zero."""
    for column in columns:
        if isinstance(column, LoopColumns):
            for segment in column.segments:
                yield from _codes(segment.body)
            continue
        yield _numbered(column.masks)
        for _, masks in column.guards:
            yield _numbered(masks)
        for access in column.accesses:
            yield _numbered(access.masks)
            if access.unknown is not None:
                continue
            on = np.array(access.masks, dtype=object) != 0
            yield np.where(on, _numbered([id(p) for p in access.patterns]), 0)
            for stride in access.strides:
                if stride.any():
                    yield np.where(on, stride, 0)


def _numbered(values: list[int]) -> Rows:
    """Give equal values equal numbers, those of masks that are 0 among them."""
    numbers: dict[int, int] = {0: 0}
    return np.array([numbers.setdefault(v, len(numbers)) for v in values], dtype=np.int64)
