"""Cutting the walk of a batch into the traces of single warps, and folding their loops.

Segments of a loop that differ for another warp of the batch may be the same for this one; those
that continue each other are folded into one Repeat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analyzer.trace.model import (
    Access,
    AffinePattern,
    LaneAddresses,
    ListedPattern,
    Node,
    Repeat,
    UnknownAddresses,
    Visit,
    masks_of,
)
from analyzer.trace.static.nodes import BatchAccess, BatchLoop, BatchNode
from analyzer.trace.static.values import Lanes, Number, Unknown

Pattern = AffinePattern | ListedPattern


@dataclass(frozen=True, slots=True)
class _Piece:
    """Some iterations of a loop, for one warp: addresses inside have a stride for every piece."""

    count: int
    body: tuple[_Item, ...]


_Item = Visit | _Piece


@dataclass(frozen=True, slots=True)
class _AccessColumns:
    """An access with a value a row: the batch is taken apart once, and not for every warp."""

    instruction: int
    masks: list[int]
    unknown: UnknownAddresses | None
    bases: list[int]
    patterns: list[Pattern]
    strides: tuple[list[int], ...]


@dataclass(frozen=True, slots=True)
class _VisitColumns:
    block: int
    masks: list[int]
    guards: tuple[tuple[int, list[int]], ...]
    accesses: tuple[_AccessColumns, ...]


@dataclass(frozen=True, slots=True)
class _LoopColumns:
    segments: tuple[tuple[int, tuple[_Columns, ...]], ...]


_Columns = _VisitColumns | _LoopColumns


def warp_traces(nodes: tuple[BatchNode, ...], warps: int) -> Iterator[tuple[Node, ...]]:
    """Give the traces of the ``warps`` rows of a batch, in order."""
    columns = tuple(_columns(node, ()) for node in nodes)
    for row in range(warps):
        yield tuple(_finished(_items(columns, row, 0), ()))


def _columns(node: BatchNode, counters: tuple[int | None, ...]) -> _Columns:
    if isinstance(node, BatchLoop):
        return _LoopColumns(
            tuple(
                (s.count, tuple(_columns(n, (*counters, s.counter)) for n in s.body))
                for s in node.segments
            )
        )
    return _VisitColumns(
        node.block,
        masks_of(node.lanes),
        tuple((i, masks_of(lanes)) for i, lanes in node.guards),
        tuple(_access_columns(a, counters) for a in node.accesses),
    )


def _access_columns(access: BatchAccess, counters: tuple[int | None, ...]) -> _AccessColumns:
    lanes, address = access.lanes, access.address
    masks = masks_of(lanes)
    if isinstance(address, Unknown):
        reason = UnknownAddresses(address.reason)
        return _AccessColumns(access.instruction, masks, reason, [], [], ())
    rows, first = np.arange(len(lanes)), lanes.argmax(axis=1)

    def at_first(number: Number) -> list[int]:
        full = np.broadcast_to(np.asarray(number, dtype=np.int64), lanes.shape)
        values: list[int] = full[rows, first].tolist()
        return values

    base = np.broadcast_to(np.asarray(address.base, dtype=np.int64), lanes.shape)
    strides = tuple(at_first(0 if c is None else address.stride(c)) for c in counters)
    patterns = _patterns(base, lanes, first)
    return _AccessColumns(access.instruction, masks, None, at_first(base), patterns, strides)


def _patterns(base: Lanes, lanes: Lanes, first: Lanes) -> list[Pattern]:
    """Describe the offsets of the lanes that are on, row by row; affine ones by their stride."""
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


def _items(columns: tuple[_Columns, ...], row: int, depth: int) -> tuple[_Item, ...]:
    items: list[_Item] = []
    for column in columns:
        if isinstance(column, _LoopColumns):
            items += _pieces(column, row, depth)
        elif column.masks[row]:
            items.append(_visit(column, row))
    return tuple(items)


def _pieces(loop: _LoopColumns, row: int, depth: int) -> list[_Item]:
    pieces: list[_Item] = []
    for count, columns in loop.segments:
        body = _items(columns, row, depth + 1)
        if not body:
            continue
        piece = _Piece(count, body)
        last = pieces[-1] if pieces else None
        joined = _joined(last, piece, depth) if isinstance(last, _Piece) else None
        if joined is None:
            pieces.append(piece)
        else:
            pieces[-1] = joined
    return pieces


def _visit(column: _VisitColumns, row: int) -> Visit:
    mask = column.masks[row]
    return Visit(
        column.block,
        mask,
        tuple((i, masks[row]) for i, masks in column.guards if masks[row] != mask),
        tuple(_access(a, row) for a in column.accesses if a.masks[row]),
    )


def _access(column: _AccessColumns, row: int) -> Access:
    mask = column.masks[row]
    if column.unknown is not None:
        return Access(column.instruction, mask, column.unknown)
    strides = tuple(values[row] for values in column.strides)
    where = LaneAddresses(column.bases[row], column.patterns[row], strides)
    return Access(column.instruction, mask, where)


def _joined(a: _Piece, b: _Piece, level: int) -> _Piece | None:
    """Fold two pieces that follow each other into one, where the second continues the first."""
    body = _continued(a.body, b.body, level, a.count, b.count)
    return None if body is None else _Piece(a.count + b.count, body)


def _continued(
    a: tuple[_Item, ...], b: tuple[_Item, ...], level: int, *counts: int
) -> tuple[_Item, ...] | None:
    """Give the body of the joined piece, or None where the two are not alike."""
    if len(a) != len(b):
        return None
    items: list[_Item] = []
    for x, y in zip(a, b, strict=True):
        item = _continued_item(x, y, level, *counts)
        if item is None:
            return None
        items.append(item)
    return tuple(items)


def _continued_item(x: _Item, y: _Item, level: int, *counts: int) -> _Item | None:
    if isinstance(x, _Piece):
        if not isinstance(y, _Piece) or x.count != y.count:
            return None
        body = _continued(x.body, y.body, level, *counts)
        return None if body is None else _Piece(x.count, body)
    if isinstance(y, _Piece) or (x.block, x.mask, x.guards) != (y.block, y.mask, y.guards):
        return None
    if len(x.accesses) != len(y.accesses):
        return None
    accesses: list[Access] = []
    for p, q in zip(x.accesses, y.accesses, strict=True):
        access = _continued_access(p, q, level, *counts)
        if access is None:
            return None
        accesses.append(access)
    return Visit(x.block, x.mask, x.guards, tuple(accesses))


def _continued_access(
    p: Access, q: Access, level: int, n_first: int, n_second: int
) -> Access | None:
    if (p.instruction, p.mask) != (q.instruction, q.mask):
        return None
    a, b = p.addresses, q.addresses
    if isinstance(a, UnknownAddresses) or isinstance(b, UnknownAddresses):
        return p if a == b else None
    if a.pattern != b.pattern or _without(a.loop_strides, level) != _without(b.loop_strides, level):
        return None
    stride, rest = divmod(b.base - a.base, n_first)
    if rest or (n_first > 1 and a.loop_strides[level] != stride):
        return None
    if n_second > 1 and b.loop_strides[level] != stride:
        return None
    strides = (*a.loop_strides[:level], stride, *a.loop_strides[level + 1 :])
    return Access(p.instruction, p.mask, LaneAddresses(a.base, a.pattern, strides))


def _without(strides: tuple[int, ...], level: int) -> tuple[int, ...]:
    return strides[:level] + strides[level + 1 :]


def _finished(items: tuple[_Item, ...], kept: tuple[bool, ...]) -> Iterator[Node]:
    """Drop the levels that do not repeat, and their strides."""
    for item in items:
        if isinstance(item, _Piece):
            body = _finished(item.body, (*kept, item.count > 1))
            if item.count > 1:
                yield Repeat(item.count, tuple(body))
            else:
                yield from body
        else:
            yield _with_strides(item, kept)


def _with_strides(visit: Visit, kept: tuple[bool, ...]) -> Visit:
    if all(kept) or not visit.accesses:
        return visit
    return Visit(
        visit.block, visit.mask, visit.guards, tuple(_reduced(a, kept) for a in visit.accesses)
    )


def _reduced(access: Access, kept: tuple[bool, ...]) -> Access:
    where = access.addresses
    if isinstance(where, UnknownAddresses):
        return access
    strides = tuple(s for s, keep in zip(where.loop_strides, kept, strict=True) if keep)
    addresses = LaneAddresses(where.base, where.pattern, strides)
    return Access(access.instruction, access.mask, addresses)
