"""The layout of a trace file: frames of zstandard one after another, and an index at the end.

    magic (8 bytes, the version among them)
    frames: trees, each once, before the first CTA that needs it; chunks of CTAs; of executed
        traces batches of events instead
    frame: index, with the header
    offset of the index (8 bytes, little-endian), magic again

A reader takes the index first and then only the frames that a CTA needs. Frames hold MessagePack,
checked as it is read. docs/trace-file.md has the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec
import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from warpmill.analyzer.base.zstd import zstd
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.printer import print_function
from warpmill.analyzer.ir.types import Place
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    NullArgument,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
)
from warpmill.analyzer.traces.event_batch import EventBatch, EventTables
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
from warpmill.analyzer.traces.static.plan import is_width

if TYPE_CHECKING:
    from warpmill.analyzer.traces.model import WarpTrace


MAGIC = b"wmtrace\x02"
"""The first and the last bytes; the eighth is the version."""

LARGEST_FRAME = 1 << 28
"""Bytes that a frame may unpack to."""

LARGEST_TREES = 1 << 26
"""Bytes that all trees of a file may unpack to: as objects they take some thirty times as many."""

Triple = tuple[int, int, int]


class TraceFileHeader(msgspec.Struct, frozen=True):
    """Subject of the traces. ``kernel_digest`` is of the kernel's IR, hexadecimal.

    ``arguments`` says of each argument what traces depend on (``argument_text``).
    ``assumptions`` are (block, text, hint), ``kind`` is that of the source: static or executed.
    ``data`` tells what executed traces depend on beside, a hash; empty where they are static.
    """

    kernel: str
    kernel_digest: str
    grid: Triple
    block: Triple
    warp_size: int
    arguments: tuple[str, ...]
    kind: str
    assumptions: tuple[tuple[int, str, str | None], ...]
    data: str = ""


class Tables(msgspec.Struct, frozen=True):
    """Meaning of the numbers in batches of events, and where memory lies.

    ``points`` are (block, instruction, kind, space, bytes of a lane), ``guards`` (block,
    instruction), ``regions`` (name, first address, bytes).
    """

    points: tuple[tuple[int, int, str, str, int | None], ...]
    guards: tuple[tuple[int, int], ...]
    regions: tuple[tuple[str, int, int], ...]


class Chunk(msgspec.Struct, array_like=True, frozen=True):
    """Some CTAs: the number of warps of each, the tree of each warp, and all base addresses.

    ``bases`` are 64-bit little-endian numbers, warp by warp; each warp's less those of the last
    warp of the chunk with the same tree.
    """

    ctas: tuple[Triple, ...]
    warps: tuple[int, ...]
    trees: tuple[int, ...]
    bases: bytes


FramePlace = tuple[int, int, int]
"""Place of a frame: its start, its bytes, and the CRC-32 of these."""


class Index(msgspec.Struct, array_like=True, frozen=True):
    """Index of the frames: trees by number, chunks or batches with their CTAs.

    Where there are ``tables``, chunks are batches.
    """

    header: TraceFileHeader
    trees: tuple[FramePlace, ...]
    chunks: tuple[FramePlace, ...]
    ctas: tuple[tuple[Triple, int], ...]
    tables: Tables | None = None


@dataclass(frozen=True, slots=True)
class Corrupt(Exception):  # noqa: N818 - says what the file is
    """A file that is no trace file, or not a whole one; ``reason`` says which."""

    reason: str


SMALL_LEVEL, FAST_LEVEL = 9, 1
"""How hard zstandard tries: for trees, which are few, and for events, which are many."""


def packed(data: bytes, level: int = SMALL_LEVEL) -> bytes:
    """Compress a frame; the same bytes for the same data."""
    options: dict[int, int] = {
        zstd.CompressionParameter.compression_level: level,
        zstd.CompressionParameter.checksum_flag: 1,
    }
    return zstd.compress(data, options=options)


def unpacked(frame: bytes, checksum: int | None = None) -> bytes:
    """Uncompress a frame. Corrupt where it is none, another one, or one that grows too large."""
    if checksum is not None and crc32(frame) != checksum:
        raise Corrupt("a part of it is damaged or another one")
    try:
        size = zstd.get_frame_info(frame).decompressed_size
        if size is None or size > LARGEST_FRAME:
            raise Corrupt(f"a part of it would unpack to {size or 'unknown'} bytes")
        return zstd.decompress(frame)
    except zstd.ZstdError as error:
        raise Corrupt(f"a part of it is damaged: {error}") from None


def kernel_digest(kernel: Kernel) -> str:
    """Identity of a kernel by what it does: a hash of the printed IR."""
    return sha256(print_function(kernel).encode()).hexdigest()


def argument_text(argument: Argument) -> str:
    """Part of an argument that traces depend on: its value, or the extent of its memory.

    What a buffer holds is not told: traces without data do not depend on it.
    """
    match argument:
        case ScalarArgument(type_name, value):
            return f"{type_name} {value}"
        case BufferArgument(element, shape):
            return f"buffer of {element}, {' x '.join(map(str, shape))}"
        case TextureArgument(_, shape):
            return f"texture of {argument.texel}, {' x '.join(map(str, shape))}"
        case RefArgument(buffer, offset):
            return f"{offset} bytes into a {argument_text(buffer)}"
        case NullArgument():
            return "null"
        case StructArgument(fields):
            return f"struct of {'; '.join(map(argument_text, fields))}"


def differences(warps: Iterable[tuple[int, WarpTrace]]) -> bytes:
    """Write the bases of (tree, warp) one after another, each less the last of the same tree."""
    last: dict[int, NDArray[np.int64]] = {}
    parts = []
    for tree, warp in warps:
        bases = np.array(warp.bases, dtype=np.int64)
        parts.append(bases - last[tree] if tree in last else bases)
        last[tree] = bases
    whole: NDArray[np.int64] = np.concatenate(parts) if parts else np.zeros(0, np.int64)
    return whole.astype("<i8").tobytes()


def summed(data: bytes, trees: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Undo ``differences`` for warps of (tree, number of bases). Corrupt where they do not fit."""
    if len(data) % 8:
        raise Corrupt("its addresses are cut off")
    numbers = np.frombuffer(data, dtype="<i8").astype(np.int64)
    last: dict[int, NDArray[np.int64]] = {}
    found, start = [], 0
    for tree, slots in trees:
        part = numbers[start : start + slots]
        if len(part) < slots:
            raise Corrupt("addresses are missing")
        last[tree] = part + last[tree] if tree in last else part
        found.append(tuple(last[tree].tolist()))
        start += slots
    if start != len(numbers):
        raise Corrupt("it has addresses of no warp")
    return found


# Batches of events as bytes and back.
#
# Columns of numbers are written in as few bytes a number as hold all of them; base addresses as
# differences from the one before at the same point.

Numbers = npt.NDArray[np.int64]


class EncodedColumn(msgspec.Struct, array_like=True, frozen=True):
    """Numbers, little-endian, of ``width`` bytes each; 8 of masks are unsigned."""

    width: int
    data: bytes


class EncodedBatch(msgspec.Struct, array_like=True, frozen=True):
    """The columns of a batch; see ``EventBatch``. Firsts are written as counts."""

    ctas: EncodedColumn
    warp_events: EncodedColumn
    block: EncodedColumn
    mask: EncodedColumn
    guards: EncodedColumn
    guard_number: EncodedColumn
    guard_mask: EncodedColumn
    accesses: EncodedColumn
    access_point: EncodedColumn
    access_mask: EncodedColumn
    access_base: EncodedColumn
    access_pattern: EncodedColumn
    patterns: EncodedColumn


_BATCH_ENCODER = msgspec.msgpack.Encoder()
_BATCH_DECODER = msgspec.msgpack.Decoder(EncodedBatch)
_WIDTHS = (1, 2, 4, 8)


def encoded_batch(batch: EventBatch) -> bytes:
    """Write a batch as bytes; equal arrays give equal bytes."""
    columns = (
        batch.ctas,
        np.diff(batch.warps),
        batch.block,
        batch.mask.view(np.int64),
        np.diff(batch.event_guards),
        batch.guard_number,
        batch.guard_mask.view(np.int64),
        np.diff(batch.event_accesses),
        batch.access_point,
        batch.access_mask.view(np.int64),
        _differences(batch.access_base, batch.access_point),
        batch.access_pattern,
        batch.patterns.reshape(-1),
    )
    return _BATCH_ENCODER.encode(EncodedBatch(*map(_column, columns)))


def _column(values: npt.NDArray[np.signedinteger[npt.NBitBase]]) -> EncodedColumn:
    wide = values.astype(np.int64)
    least, most = (int(wide.min()), int(wide.max())) if wide.size else (0, 0)
    width = next(w for w in _WIDTHS if -(1 << 8 * w - 1) <= least and most < 1 << 8 * w - 1)
    return EncodedColumn(width, wide.astype(f"<i{width}").tobytes())


def _differences(bases: Numbers, points: npt.NDArray[np.int32]) -> Numbers:
    """Each base less the one before at the same point, point by point."""
    order = np.argsort(points, kind="stable")
    own, of = bases[order], points[order]
    before = np.r_[np.int64(0), own[:-1]]
    starts = np.r_[True, of[1:] != of[:-1]][: len(own)]
    return np.where(starts, own, own - before[: len(own)]).astype(np.int64)


def _summed(steps: Numbers, points: npt.NDArray[np.int32]) -> Numbers:
    """Undo ``_differences``."""
    order = np.argsort(points, kind="stable")
    of = points[order]
    total = np.cumsum(steps)
    starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]][: len(of)])
    before = np.r_[np.int64(0), total][starts]
    lengths = np.diff(np.r_[starts, len(of)])
    bases = np.empty(len(of), np.int64)
    bases[order] = total - np.repeat(before, lengths)
    return bases


def decoded_batch(data: bytes, tables: EventTables, lengths: Sequence[int]) -> EventBatch:
    """Read a batch of a kernel whose blocks have so many instructions.

    ValueError where the bytes are no batch of such a kernel.
    """
    try:
        raw = _BATCH_DECODER.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"a batch cannot be read: {error}") from None
    columns = {name: _numbers(getattr(raw, name)) for name in EncodedBatch.__struct_fields__}
    return _BatchReader(columns, tables, lengths).batch()


def _numbers(column: EncodedColumn) -> Numbers:
    if column.width not in _WIDTHS or len(column.data) % column.width:
        raise ValueError("a batch has a column that is cut off")
    return np.frombuffer(column.data, f"<i{column.width}").astype(np.int64)


class _BatchReader:
    """Batch from its columns, which are checked to make sense."""

    def __init__(
        self, columns: dict[str, Numbers], tables: EventTables, lengths: Sequence[int]
    ) -> None:
        self.columns, self.tables, self.lengths = columns, tables, lengths

    def batch(self) -> EventBatch:
        """Batch that was read."""
        of, tables = self.columns, self.tables
        warps = self._firsts("warp_events", of["block"], len(of["ctas"]) * tables.warps_per_cta)
        events = len(of["block"])
        guards = self._firsts("guards", of["guard_number"], events)
        accesses = self._firsts("accesses", of["access_point"], events)
        self._check_numbers("block", len(self.lengths))
        self._check_numbers("guard_number", len(tables.guards))
        self._check_numbers("access_point", len(tables.points))
        self._check_ctas()
        patterns = self._patterns()
        points = of["access_point"].astype(np.int32)
        masks = {n: of[n].view(np.uint64) for n in ("mask", "guard_mask", "access_mask")}
        self._check_masks(masks, np.diff(guards), np.diff(accesses))
        return EventBatch(
            tables=tables,
            ctas=of["ctas"],
            warps=warps,
            block=of["block"].astype(np.int32),
            mask=masks["mask"],
            event_guards=guards,
            guard_number=of["guard_number"].astype(np.int32),
            guard_mask=masks["guard_mask"],
            event_accesses=accesses,
            access_point=points,
            access_mask=masks["access_mask"],
            access_base=_summed(of["access_base"], points),
            access_pattern=of["access_pattern"].astype(np.int32),
            patterns=patterns,
        )

    def _firsts(self, name: str, of: Numbers, number: int) -> Numbers:
        counts = self.columns[name]
        _check(len(counts) == number, f"{name} of other events")
        _check(not counts.size or int(counts.min()) >= 0, f"a negative number of {name}")
        _check(int(counts.sum()) == len(of), f"{name} are missing")
        firsts: Numbers = np.r_[np.int64(0), np.cumsum(counts)]
        return firsts

    def _check_numbers(self, name: str, most: int) -> None:
        found = self.columns[name]
        _check(not found.size or 0 <= int(found.min()) <= int(found.max()) < most, name)

    def _check_ctas(self) -> None:
        ctas = self.columns["ctas"]
        x, y, z = self.tables.grid
        _check(ctas.size > 0 and bool((np.diff(ctas) > 0).all()), "CTAs out of order")
        _check(int(ctas[0]) >= 0 and int(ctas[-1]) < x * y * z, "a CTA that the grid has not")

    def _patterns(self) -> Numbers:
        flat, lanes = self.columns["patterns"], self.tables.warp_size
        _check(len(flat) % lanes == 0, "patterns that are cut off")
        patterns: Numbers = flat.reshape(-1, lanes)
        self._check_numbers("access_pattern", len(patterns))
        number = len(self.columns["access_point"])
        for name in ("access_mask", "access_base", "access_pattern"):
            _check(len(self.columns[name]) == number, f"{name} of other accesses")
        return patterns

    def _check_masks(
        self, masks: dict[str, npt.NDArray[np.uint64]], guards: Numbers, accesses: Numbers
    ) -> None:
        mask = masks["mask"]
        whole = np.uint64((1 << self.tables.warp_size) - 1)
        _check(len(mask) == len(self.columns["block"]), "masks of other events")
        _check(len(masks["guard_mask"]) == int(guards.sum()), "guards without lanes")
        _check(bool((mask != 0).all() and (mask & ~whole == 0).all()), "a mask without lanes")
        for name, counts in (("guard_mask", guards), ("access_mask", accesses)):
            around = np.repeat(mask, counts)
            _check(bool((masks[name] & ~around == 0).all()), f"{name} with other lanes")
        _check(bool((masks["access_mask"] != 0).all()), "an access without lanes")


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"a batch does not fit the kernel: {what}")


# Trees of traces as bytes and back: nodes are arrays that begin with a number for their kind.


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

_TREE_ENCODER = msgspec.msgpack.Encoder()
_TREE_DECODER = msgspec.msgpack.Decoder(tuple[_Node, ...])


def encoded(nodes: tuple[Node, ...]) -> bytes:
    """Write a tree as bytes; equal trees give equal bytes."""
    return _TREE_ENCODER.encode(tuple(_raw(node) for node in nodes))


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
        raw = _TREE_DECODER.decode(data)
        reader = _TreeReader(lengths, widths)
        return tuple(reader.node(node, 0) for node in raw), reader.slots
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"a tree cannot be read: {error}") from None


class _TreeReader:
    """Builds the nodes of one tree and checks that they make sense."""

    def __init__(self, lengths: Sequence[int], widths: Mapping[Place, int | None]) -> None:
        self.lengths, self.widths, self.slots = lengths, widths, 0

    def node(self, raw: _Node, depth: int) -> Node:
        if isinstance(raw, _Repeat):
            _check_tree(raw.count >= 0, "a negative count")
            _check_tree(len(raw.count_strides) in (0, depth), "counts that depend on other loops")
            body = tuple(self.node(n, depth + 1) for n in raw.body)
            return Repeat(raw.count, body, raw.count_strides)
        _check_tree(0 <= raw.block < len(self.lengths), f"block {raw.block}")
        length = self.lengths[raw.block]
        _check_tree(raw.mask > 0, "a visit without lanes")
        for index, mask in raw.guards:
            _check_tree(0 <= index < length, f"instruction {index} of block {raw.block}")
            _check_tree(mask & raw.mask == mask, "a guard that holds in other lanes")
        accesses = tuple(self.access(a, depth, raw) for a in raw.accesses)
        return Visit(raw.block, raw.mask, raw.guards, accesses)

    def access(self, raw: _Access, depth: int, visit: _Visit) -> TracedAccess:
        place = visit.block, raw.instruction
        _check_tree(place in self.widths, f"an access in block {place[0]}, instruction {place[1]}")
        _check_tree(0 < raw.mask == raw.mask & visit.mask, "an access in other lanes")
        width, turn = raw.width_bytes, raw.turn
        _check_tree(turn >= 0, "a negative number of an access")
        _check_tree(is_width(width, self.widths[place]), f"an access of {width} bytes")
        if isinstance(raw.where, _Unknown):
            unknown = UnknownAddresses(raw.where.reason)
            return TracedAccess(raw.instruction, raw.mask, unknown, width, turn)
        where = raw.where
        _check_tree(where.slot == self.slots, "addresses out of order")
        _check_tree(len(where.loop_strides) == depth, "strides of other loops")
        self.slots += 1
        pattern: AffinePattern | ListedPattern
        if isinstance(where, _Affine):
            pattern = AffinePattern(where.stride)
        else:
            _check_tree(len(where.offsets) == raw.mask.bit_count(), "offsets of other lanes")
            pattern = ListedPattern(tuple(map(wrapped, where.offsets)))
        addresses = LaneAddresses(where.slot, pattern, where.loop_strides)
        return TracedAccess(raw.instruction, raw.mask, addresses, width, turn)


def _check_tree(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"a tree does not fit the kernel: {what}")
