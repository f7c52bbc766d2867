"""The layout of a trace file: frames of zstandard one after another, and an index at the end.

    magic (8 bytes, the version among them)
    frames: trees, each once, before the first CTA that needs it; chunks of CTAs; of executed
        traces batches of events instead
    frame: index, with the header
    offset of the index (8 bytes, little-endian), magic again

A reader takes the index first and then only the frames that a CTA needs. docs/trace-file.md has
the fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING
from zlib import crc32

import msgspec
import numpy as np
import zstandard
from numpy.typing import NDArray

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.printer import print_function
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    NullArgument,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
)

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
    """What the traces are of. ``kernel_digest`` is of the kernel's IR, hexadecimal.

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
    """What the numbers in batches of events stand for, and where memory lies.

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


Place = tuple[int, int, int]
"""Where a frame begins, how many bytes it takes, and the CRC-32 of these."""


class Index(msgspec.Struct, array_like=True, frozen=True):
    """Where the frames are: trees by number, chunks or batches with their CTAs.

    Where there are ``tables``, chunks are batches.
    """

    header: TraceFileHeader
    trees: tuple[Place, ...]
    chunks: tuple[Place, ...]
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
    return _compressor(level).compress(data)


@cache
def _compressor(level: int) -> zstandard.ZstdCompressor:
    return zstandard.ZstdCompressor(level=level, write_checksum=True)


def unpacked(frame: bytes, checksum: int | None = None) -> bytes:
    """Uncompress a frame. Corrupt where it is none, another one, or one that grows too large."""
    if checksum is not None and crc32(frame) != checksum:
        raise Corrupt("a part of it is damaged or another one")
    try:
        size = zstandard.frame_content_size(frame)
        if not 0 <= size <= LARGEST_FRAME:
            raise Corrupt(f"a part of it would unpack to {size} bytes")
        return zstandard.ZstdDecompressor().decompress(frame)
    except zstandard.ZstdError as error:
        raise Corrupt(f"a part of it is damaged: {error}") from None


def kernel_digest(kernel: Kernel) -> str:
    """Tell kernels apart by what they do: a hash of the printed IR."""
    return sha256(print_function(kernel).encode()).hexdigest()


def argument_text(argument: Argument) -> str:
    """Say what traces depend on in an argument: its value, or the extent of its memory.

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
