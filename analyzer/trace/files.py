"""Saving traces and reading them back: one CTA after another, never all at once.

A file is written whole or not at all: it appears under its name when its last byte is there.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import msgspec

from analyzer.diagnostics import InputError, LimitError, UsageError
from analyzer.ir.kernel import Kernel, Module
from analyzer.launch.model import Launch
from analyzer.trace.encoding import decoded, encoded
from analyzer.trace.file_format import (
    LARGEST_FRAME,
    MAGIC,
    Chunk,
    Corrupt,
    Header,
    Index,
    Place,
    Triple,
    argument_text,
    differences,
    kernel_digest,
    packed,
    summed,
    unpacked,
)
from analyzer.trace.layout import Layout, lay_out
from analyzer.trace.model import Assumption, Node, WarpTrace
from analyzer.trace.source import TraceSource

MAX_TRACE_BYTES = 1 << 30
"""Bytes that a trace file may take, where nothing else is said."""

CHUNK_BASES = 1 << 16
"""Base addresses of a chunk, after which the next one begins."""

_ENCODER = msgspec.msgpack.Encoder()


def header_of(source: TraceSource, launch: Launch, warp_size: int) -> Header:
    """Say what the traces of a source are of, and what those made so far assumed."""
    kernel = source.kernel
    assumptions = tuple((a.block, a.text, a.hint) for a in source.assumptions)
    threads = (launch.grid, launch.block, warp_size)
    arguments = tuple(map(argument_text, launch.arguments))
    digest = kernel_digest(kernel)
    return Header(kernel.name, digest, *threads, arguments, source.kind, assumptions)


def chunks_of(ctas: Iterable[tuple[WarpTrace, ...]]) -> Iterator[list[tuple[WarpTrace, ...]]]:
    """Group the traces of CTAs as a file does."""
    chunk: list[tuple[WarpTrace, ...]] = []
    size = 0
    for warps in ctas:
        chunk.append(warps)
        size += sum(len(w.bases) + 1 for w in warps)
        if size >= CHUNK_BASES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def predicted_bytes(source: TraceSource, ctas: Sequence[Triple]) -> int:
    """Tell about how many bytes the traces of some CTAs will take, from a few of them."""
    few = min(len(ctas), _FEW)
    chosen = [ctas[(2 * i + 1) * len(ctas) // (2 * few)] for i in range(few)]
    writer = _Writer(BytesIO(), 1 << 62)
    for chunk in chunks_of(source.many(chosen)):
        writer.chunk(chunk)
    fixed = sum(length for _, length, _ in writer.trees)
    growing = sum(length for _, length, _ in writer.chunks)
    return fixed + growing * len(ctas) // max(1, few) + _FRAME


_FEW = 64
_FRAME = 512
"""Bytes of the header and the index of a small file."""


def write_traces(
    path: Path,
    source: TraceSource,
    ctas: Sequence[Triple],
    header: Callable[[], Header],
    max_bytes: int = MAX_TRACE_BYTES,
) -> int:
    """Write the traces of some CTAs to a file and give its size in bytes.

    ``header`` is asked for when all traces are made: what they assume is known only then.
    LimitError where more than ``max_bytes`` would be written, UsageError where the file cannot be.
    """
    try:
        mode = _mode(path)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.resolve().parent)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            writer = _Writer(file, max_bytes)
            for chunk in chunks_of(source.many(ctas)):
                writer.chunk(chunk)
            size = writer.finish(header())
        unfinished.chmod(mode)
        unfinished.replace(path.resolve())
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink()
        if isinstance(error, OSError):
            raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None
        raise
    return size


def _mode(path: Path) -> int:
    """Give the permissions of the file that is replaced, or those that a new one gets."""
    if path.is_dir():
        raise IsADirectoryError(21, "it is a folder")
    if not path.exists():
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
    if not path.is_file():  # a device must not be replaced, and a pipe cannot be sought in
        raise OSError(22, "it is no file")
    return path.stat().st_mode & 0o777


@dataclass
class _Writer:
    """Puts frames into a file and remembers where."""

    file: BinaryIO
    max_bytes: int
    size: int = 0
    numbers: dict[int, int] = field(default_factory=dict)
    kept: list[tuple[Node, ...]] = field(default_factory=list)
    trees: list[Place] = field(default_factory=list)
    chunks: list[Place] = field(default_factory=list)
    ctas: list[tuple[Triple, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._put(MAGIC)

    def chunk(self, ctas: Sequence[tuple[WarpTrace, ...]]) -> None:
        """Write some CTAs, and before them the trees that are new."""
        warps = [(self._tree(w.nodes), w) for cta in ctas for w in cta]
        ids = tuple(cta[0].cta for cta in ctas)
        self.ctas += [(cta, len(self.chunks)) for cta in ids]
        chunk = Chunk(ids, tuple(map(len, ctas)), tuple(t for t, _ in warps), differences(warps))
        self.chunks.append(self._frame(_ENCODER.encode(chunk)))

    def _tree(self, nodes: tuple[Node, ...]) -> int:
        """Give a tree's number: trees are told apart by identity, and so are kept."""
        number = self.numbers.get(id(nodes))
        if number is None:
            number = self.numbers[id(nodes)] = len(self.trees)
            self.kept.append(nodes)
            self.trees.append(self._frame(encoded(nodes)))
        return number

    def finish(self, header: Header) -> int:
        """Write the index; give the size of the whole."""
        index = Index(header, tuple(self.trees), tuple(self.chunks), tuple(self.ctas))
        start, _, _ = self._frame(_ENCODER.encode(index))
        self._put(start.to_bytes(8, "little") + MAGIC)
        return self.size

    def _frame(self, data: bytes) -> Place:
        if len(data) > LARGEST_FRAME:
            raise LimitError(
                f"a part of the traces takes {len(data)} bytes, and one of a trace file may take "
                f"{LARGEST_FRAME}; save fewer CTAs with --ctas, or none"
            )
        frame = packed(data)
        start = self.size
        self._put(frame)
        return start, len(frame), crc32(frame)

    def _put(self, data: bytes) -> None:
        self.size += len(data)
        if self.size > self.max_bytes:
            raise LimitError(
                f"the traces take more than {self.max_bytes} bytes; raise the limit with "
                "--max-trace-bytes, or save fewer CTAs with --ctas"
            )
        self.file.write(data)


class FileSource:
    """Traces that were saved. The kernel and the launch have to be those that they are of.

    InputError where the file is no whole trace file, or one of something else.
    """

    kind = "saved"

    def __init__(self, path: Path, module: Module, kernel: Kernel, launch: Launch) -> None:
        self._path, self._kernel = path, kernel
        self.layout: Layout = lay_out(module, kernel, launch)
        self._trees: dict[int, tuple[tuple[Node, ...], int]] = {}
        self._recent: tuple[int, dict[Triple, tuple[WarpTrace, ...]]] = (-1, {})
        try:
            self._size = path.stat().st_size
            self._index = self._read_index()
            self.header = self._index.header
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        except Corrupt as error:
            raise InputError(f"{path}: {error.reason}; save the traces again") from None
        self._check(kernel, launch, module.warp_size)
        self._chunk_of = dict(self._index.ctas)

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What was assumed when the traces were made, by block."""
        return tuple(Assumption(*each) for each in self.header.assumptions)

    @property
    def reason(self) -> str:
        """What made the traces that were saved."""
        return f"{self.header.kind} traces, read from {self._path}"

    @property
    def kernel(self) -> Kernel:
        """The kernel whose blocks the traces name."""
        return self._kernel

    @property
    def ctas(self) -> tuple[Triple, ...]:
        """The CTAs whose traces are in the file, in its order."""
        return tuple(self._chunk_of)

    def warps(self, cta: Triple) -> tuple[WarpTrace, ...]:
        """Give the traces of a CTA's warps. UsageError where the file has none of it."""
        number = self._chunk_of.get(cta)
        if number is None:
            place = ",".join(map(str, cta))
            raise UsageError(
                f"{self._path} has no traces of CTA {place}; it has {len(self._chunk_of)} of "
                f"{_product(self.header.grid)} CTAs: save all of them, or ask for those"
            )
        if self._recent[0] != number:
            try:
                self._recent = (number, self._read_chunk(number))
            except OSError as error:
                raise InputError(f"{self._path}: {error.strerror or error}") from None
            except (Corrupt, ValueError, msgspec.DecodeError) as error:
                reason = error.reason if isinstance(error, Corrupt) else error
                raise InputError(f"{self._path}: {reason}; save the traces again") from None
        return self._recent[1][cta]

    def many(self, ctas: Iterable[Triple]) -> Iterator[tuple[WarpTrace, ...]]:
        """Give the traces of several CTAs, in order."""
        return (self.warps(cta) for cta in ctas)

    # -- reading -----------------------------------------------------------------------------

    def _read_index(self) -> Index:
        foot = len(MAGIC) + 8
        if self._size < len(MAGIC) + foot or self._bytes(0, 7) != MAGIC[:7]:
            raise Corrupt("it is no trace file")
        version = self._bytes(7, 1)
        if version != MAGIC[7:]:
            raise Corrupt(f"it is of version {version[0]}, and this warpmill reads {MAGIC[7]}")
        tail = self._bytes(self._size - foot, foot)
        if tail[8:] != MAGIC:
            raise Corrupt("its end is missing")
        start = int.from_bytes(tail[:8], "little")
        try:
            frame = unpacked(self._bytes(start, self._size - foot - start))
            return msgspec.msgpack.decode(frame, type=Index)
        except (msgspec.DecodeError, ValueError) as error:  # ValueError: a text that is no UTF-8
            raise Corrupt(f"its index cannot be read: {error}") from None

    def _bytes(self, start: int, length: int) -> bytes:
        if start < 0 or length < 0 or start + length > self._size:
            raise Corrupt("it is cut off")
        with self._path.open("rb") as file:
            file.seek(start)
            return file.read(length)

    def _frame(self, place: Place) -> bytes:
        start, length, checksum = place
        return unpacked(self._bytes(start, length), checksum)

    def _check(self, kernel: Kernel, launch: Launch, warp_size: int) -> None:
        """Compare what the traces are of with what is asked for."""
        asked = {
            "kernel": kernel.name,
            "grid": launch.grid,
            "block": launch.block,
            "warp_size": warp_size,
            "arguments": tuple(map(argument_text, launch.arguments)),
        }
        for name, wanted in asked.items():
            found = getattr(self.header, name)
            if found != wanted:
                raise InputError(
                    f"{self._path} has traces of another launch: {_difference(name, found, wanted)}"
                )
        if self.header.kernel_digest != kernel_digest(kernel):
            raise InputError(
                f"{self._path} has traces of another build of kernel {kernel.name}; save them again"
            )

    def _read_chunk(self, number: int) -> dict[Triple, tuple[WarpTrace, ...]]:
        if not 0 <= number < len(self._index.chunks):
            raise Corrupt("its index is wrong")
        frame = self._frame(self._index.chunks[number])
        chunk = msgspec.msgpack.decode(frame, type=Chunk)
        x, y, z = self.header.block
        whole = -(-x * y * z // self.header.warp_size)
        if chunk.warps != (whole,) * len(chunk.ctas) or len(chunk.trees) != sum(chunk.warps):
            raise Corrupt("warps are missing")
        trees = [self._tree(t) for t in chunk.trees]
        sizes = ((t, slots) for t, (_, slots) in zip(chunk.trees, trees, strict=True))
        bases = summed(chunk.bases, sizes)
        found, start = {}, 0
        for cta, warps in zip(chunk.ctas, chunk.warps, strict=True):
            found[cta] = tuple(
                WarpTrace(cta, w, trees[start + w][0], bases[start + w]) for w in range(warps)
            )
            start += warps
        missing = [c for c, n in self._index.ctas if n == number and c not in found]
        if missing:
            raise Corrupt("CTAs are missing")
        return found

    def _tree(self, number: int) -> tuple[tuple[Node, ...], int]:
        if number not in self._trees:
            if not 0 <= number < len(self._index.trees):
                raise Corrupt("a tree is missing")
            lengths = [len(b.instructions) for b in self._kernel.blocks]
            frame = self._frame(self._index.trees[number])
            self._trees[number] = decoded(frame, lengths)
        return self._trees[number]


def _product(grid: Triple) -> int:
    x, y, z = grid
    return x * y * z


def _difference(name: str, found: object, wanted: object) -> str:
    """Say in what two launches differ; of arguments, the first that does."""
    if name != "arguments":
        return f"{name.replace('_', ' ')} {_shown(found)}, not {_shown(wanted)}"
    assert isinstance(found, tuple)
    assert isinstance(wanted, tuple)
    pairs = enumerate(zip_longest(found, wanted, fillvalue="none"), 1)
    number, (old, new) = next(pair for pair in pairs if pair[1][0] != pair[1][1])
    return f"argument {number}: {old}, not {new}"


def _shown(value: object) -> str:
    return " x ".join(map(str, value)) if isinstance(value, tuple) else str(value)
