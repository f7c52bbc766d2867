"""Trees of traces as bytes and back (MessagePack), checked as they are read.

Nodes are arrays that begin with a number for their kind; docs/trace-file.md describes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from warpmill.analyzer.ir.places import Place
from warpmill.analyzer.traces.model import (
    AffinePattern,
    LaneAddresses,
    ListedPattern,
    Node,
    Repeat,
    TracedAccess,
    UnknownAddresses,
    Visit,
    wrapped,
)
from warpmill.analyzer.traces.static_tables import is_width


class _Affine(msgspec.Struct, array_like=True, tag=0, frozen=True):
    slot: int
    loop_strides: tuple[int, ...]
    stride: int


class _Listed(msgspec.Struct, array_like=True, tag=1, frozen=True):
    slot: int
    loop_strides: tuple[int, ...]
    offsets: tuple[int, ...]


class _Unknown(msgspec.Struct, array_like=True, tag=2, frozen=True):
    reason: str


_Where = _Affine | _Listed | _Unknown


class _Access(msgspec.Struct, array_like=True, frozen=True):
    instruction: int
    mask: int
    where: _Where
    width_bytes: int | None = None
    turn: int = 0


class _Visit(msgspec.Struct, array_like=True, tag=0, frozen=True):
    block: int
    mask: int
    guards: tuple[tuple[int, int], ...]
    accesses: tuple[_Access, ...]


class _Repeat(msgspec.Struct, array_like=True, tag=1, frozen=True):
    count: int
    count_strides: tuple[int, ...]
    body: tuple[_Node, ...]


_Node = _Visit | _Repeat

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(tuple[_Node, ...])


def encoded(nodes: tuple[Node, ...]) -> bytes:
    """Write a tree as bytes; equal trees give equal bytes."""
    return _ENCODER.encode(tuple(_raw(node) for node in nodes))


def _raw(node: Node) -> _Node:
    if isinstance(node, Repeat):
        return _Repeat(node.count, node.count_strides, tuple(_raw(n) for n in node.body))
    return _Visit(node.block, node.mask, node.guards, tuple(map(_raw_access, node.accesses)))


def _raw_access(access: TracedAccess) -> _Access:
    where: _Where
    match access.addresses:
        case UnknownAddresses(reason):
            where = _Unknown(reason)
        case LaneAddresses(slot, AffinePattern(stride), strides):
            where = _Affine(slot, strides, stride)
        case LaneAddresses(slot, ListedPattern(offsets), strides):
            where = _Listed(slot, strides, offsets)
    return _Access(access.instruction, access.mask, where, access.width_bytes, access.turn)


def decoded(
    data: bytes, lengths: Sequence[int], widths: Mapping[Place, int | None]
) -> tuple[tuple[Node, ...], int]:
    """Read a tree; give it and the number of its base addresses.

    ``lengths`` are the instructions of each block of the kernel that it is of, ``widths`` the bytes
    of its accesses where they are known. ValueError where the bytes are no tree of such a kernel.
    """
    try:
        raw = _DECODER.decode(data)
        reader = _Reader(lengths, widths)
        return tuple(reader.node(node, 0) for node in raw), reader.slots
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"a tree cannot be read: {error}") from None


class _Reader:
    """Builds the nodes of one tree and checks that they make sense."""

    def __init__(self, lengths: Sequence[int], widths: Mapping[Place, int | None]) -> None:
        self.lengths, self.widths, self.slots = lengths, widths, 0

    def node(self, raw: _Node, depth: int) -> Node:
        if isinstance(raw, _Repeat):
            _check(raw.count >= 0, "a negative count")
            _check(len(raw.count_strides) in (0, depth), "counts that depend on other loops")
            body = tuple(self.node(n, depth + 1) for n in raw.body)
            return Repeat(raw.count, body, raw.count_strides)
        _check(0 <= raw.block < len(self.lengths), f"block {raw.block}")
        length = self.lengths[raw.block]
        _check(raw.mask > 0, "a visit without lanes")
        for index, mask in raw.guards:
            _check(0 <= index < length, f"instruction {index} of block {raw.block}")
            _check(mask & raw.mask == mask, "a guard that holds in other lanes")
        accesses = tuple(self.access(a, depth, raw) for a in raw.accesses)
        return Visit(raw.block, raw.mask, raw.guards, accesses)

    def access(self, raw: _Access, depth: int, visit: _Visit) -> TracedAccess:
        place = visit.block, raw.instruction
        _check(place in self.widths, f"an access in block {place[0]}, instruction {place[1]}")
        _check(0 < raw.mask == raw.mask & visit.mask, "an access in other lanes")
        width, turn = raw.width_bytes, raw.turn
        _check(turn >= 0, "a negative number of an access")
        _check(is_width(width, self.widths[place]), f"an access of {width} bytes")
        if isinstance(raw.where, _Unknown):
            unknown = UnknownAddresses(raw.where.reason)
            return TracedAccess(raw.instruction, raw.mask, unknown, width, turn)
        where = raw.where
        _check(where.slot == self.slots, "addresses out of order")
        _check(len(where.loop_strides) == depth, "strides of other loops")
        self.slots += 1
        pattern: AffinePattern | ListedPattern
        if isinstance(where, _Affine):
            pattern = AffinePattern(where.stride)
        else:
            _check(len(where.offsets) == raw.mask.bit_count(), "offsets of other lanes")
            pattern = ListedPattern(tuple(map(wrapped, where.offsets)))
        addresses = LaneAddresses(where.slot, pattern, where.loop_strides)
        return TracedAccess(raw.instruction, raw.mask, addresses, width, turn)


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"a tree does not fit the kernel: {what}")
