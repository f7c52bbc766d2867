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
    mask_of,
)
from analyzer.trace.static.nodes import BatchAccess, BatchLoop, BatchNode, BatchVisit
from analyzer.trace.static.values import Lanes, Number, Unknown

Pattern = AffinePattern | ListedPattern


@dataclass(frozen=True, slots=True)
class _Piece:
    """Some iterations of a loop, for one warp: addresses inside have a stride for every piece."""

    count: int
    body: tuple[_Item, ...]


_Item = Visit | _Piece


def warp_nodes(nodes: tuple[BatchNode, ...], row: int) -> tuple[Node, ...]:
    """Give the trace of the warp in ``row`` of a batch."""
    return tuple(_finished(_items(nodes, row, ()), ()))


def _items(
    nodes: tuple[BatchNode, ...], row: int, counters: tuple[int | None, ...]
) -> tuple[_Item, ...]:
    items: list[_Item] = []
    for node in nodes:
        if isinstance(node, BatchVisit):
            if node.lanes[row].any():
                items.append(_visit(node, row, counters))
        else:
            items += _pieces(node, row, counters)
    return tuple(items)


def _pieces(loop: BatchLoop, row: int, counters: tuple[int | None, ...]) -> list[_Item]:
    pieces: list[_Item] = []
    for segment in loop.segments:
        body = _items(segment.body, row, (*counters, segment.counter))
        if not body:
            continue
        piece = _Piece(segment.count, body)
        last = pieces[-1] if pieces else None
        joined = _joined(last, piece, len(counters)) if isinstance(last, _Piece) else None
        if joined is None:
            pieces.append(piece)
        else:
            pieces[-1] = joined
    return pieces


def _visit(node: BatchVisit, row: int, counters: tuple[int | None, ...]) -> Visit:
    guards = tuple((i, mask_of(lanes[row])) for i, lanes in node.guards)
    mask = mask_of(node.lanes[row])
    return Visit(
        node.block,
        mask,
        tuple((i, m) for i, m in guards if m != mask),
        tuple(_access(a, row, counters) for a in node.accesses if a.lanes[row].any()),
    )


def _access(access: BatchAccess, row: int, counters: tuple[int | None, ...]) -> Access:
    lanes = access.lanes[row]
    mask = mask_of(lanes)
    address = access.address
    if isinstance(address, Unknown):
        return Access(access.instruction, mask, UnknownAddresses(address.reason))
    first = int(np.argmax(lanes))
    base = _row(address.base, row)
    strides = tuple(0 if c is None else _at(_row(address.stride(c), row), first) for c in counters)
    start = _at(base, first)
    return Access(access.instruction, mask, LaneAddresses(start, _pattern(base, lanes), strides))


def _row(number: Number, row: int) -> int | Lanes:
    """One warp's part of a number: a plain one, or an array of its lanes."""
    if isinstance(number, int) or number.ndim == 0:
        return int(number)
    part: Lanes = number[row if number.shape[0] > 1 else 0]
    return int(part[0]) if part.shape[0] == 1 else part


def _at(number: int | Lanes, lane: int) -> int:
    return number if isinstance(number, int) else int(number[lane])


def _pattern(base: int | Lanes, lanes: Lanes) -> Pattern:
    """Describe the offsets of the lanes that are on; affine ones by their stride a lane."""
    on = np.flatnonzero(lanes)
    if isinstance(base, int):
        return AffinePattern(0)
    if on.size == 1:
        return AffinePattern(0)
    offsets = base[on] - base[on[0]]
    stride, rest = divmod(int(offsets[1]), int(on[1] - on[0]))
    if rest == 0 and np.array_equal(offsets, (on - on[0]) * stride):
        return AffinePattern(stride)
    return ListedPattern(tuple(offsets.tolist()))


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
