"""Traces in files: saved one CTA after another, never all at once, and read back CTA by CTA."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from errno import EINVAL
from functools import cached_property
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import msgspec
import numpy as np

from warpmill.analyzer.base.diagnostics import InputError, LimitError, UsageError
from warpmill.analyzer.base.whole_files import (
    input_limit,
    is_special,
    too_large,
    unwritable,
    whole_file,
)
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.launch.numbering import ravel_index
from warpmill.analyzer.traces.event_batch import AccessPoint, EventBatch, EventTables
from warpmill.analyzer.traces.file_format import (
    FAST_LEVEL,
    LARGEST_FRAME,
    LARGEST_TREES,
    MAGIC,
    SMALL_LEVEL,
    Chunk,
    Corrupt,
    FramePlace,
    Index,
    Tables,
    TraceFileHeader,
    Triple,
    argument_text,
    decoded,
    decoded_batch,
    differences,
    encoded,
    encoded_batch,
    kernel_digest,
    packed,
    summed,
    unpacked,
)
from warpmill.analyzer.traces.layout import LaunchLayout, MemoryRegion, lay_out
from warpmill.analyzer.traces.model import Assumption, Node, WarpTrace
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.static.plan import access_widths, fits_kernel

_Read = dict[Triple, tuple[WarpTrace, ...]] | EventBatch
"""Contents of a frame of CTAs."""


_LAST_ADDRESS = 2**63 - 1
"""No memory lies beyond: pointers of GPUs have fewer bits."""


class FileSource:
    """Traces that were saved. The kernel and the launch have to be those that they are of.

    Traces of executed launches are compared by ``data`` too, where it is given. InputError where
    the file is no whole trace file, or one of something else.
    """

    kind = "saved"

    def __init__(
        self, path: Path, module: Module, kernel: Kernel, launch: Launch, data: str | None = None
    ) -> None:
        self._path, self._kernel = path, kernel
        self.layout: LaunchLayout = lay_out(module, kernel, launch)
        self._trees: dict[int, tuple[tuple[Node, ...], int]] = {}
        self._tree_bytes = 0
        self._recent: tuple[int, _Read] = (-1, {})
        try:
            self._size = path.stat().st_size
            self._index = self._read_index()
            self.header = self._index.header
            self._check_index()
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        except Corrupt as error:
            raise InputError(f"{path}: {error.reason}; save the traces again") from None
        self._check(kernel, launch, module.warp_size, data)
        self._chunk_of = dict(self._index.ctas)
        self._tables = self._event_tables()

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """Assumptions made when the traces were made, by block."""
        return tuple(Assumption(*each) for each in self.header.assumptions)

    @property
    def reason(self) -> str:
        """Origin of the saved traces."""
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
        """The traces of a CTA's warps. UsageError where the file has none of it."""
        found = self._chunk(cta)
        if isinstance(found, EventBatch):
            return found.traces(int(np.searchsorted(found.ctas, self._linear(cta))))
        return found[cta]

    def _chunk(self, cta: Triple) -> _Read:
        """The chunk or batch that has a CTA, the last one without reading it again."""
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
        return self._recent[1]

    def many(self, ctas: Iterable[Triple]) -> Iterator[tuple[WarpTrace, ...]]:
        """The traces of several CTAs, in order."""
        return (self.warps(cta) for cta in ctas)

    @property
    def data(self) -> str:
        """Hash of what the traces depend on beside kernel and launch, as the file has it."""
        return self.header.data

    def batches(self, ctas: Iterable[Triple]) -> Iterator[EventBatch] | None:
        """The events of several CTAs as arrays, one CTA at a time; None: it has trees."""
        return None if self._tables is None else map(self._one, ctas)

    def _one(self, cta: Triple) -> EventBatch:
        batch = self._chunk(cta)
        assert isinstance(batch, EventBatch)
        return batch.of_cta(self._linear(cta))

    def _linear(self, cta: Triple) -> int:
        return ravel_index(cta, self.header.grid)

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

    def _check_index(self) -> None:
        """See that there are CTAs, in chunks that there are. Corrupt."""
        chunks = len(self._index.chunks)
        if not self._index.ctas or any(not 0 <= n < chunks for _, n in self._index.ctas):
            raise Corrupt("its index is wrong")

    def _bytes(self, start: int, length: int) -> bytes:
        if start < 0 or length < 0 or start + length > self._size:
            raise Corrupt("it is cut off")
        with self._path.open("rb") as file:
            file.seek(start)
            return file.read(length)

    def _frame(self, place: FramePlace) -> bytes:
        start, length, checksum = place
        return unpacked(self._bytes(start, length), checksum)

    def _event_tables(self) -> EventTables | None:
        """Make what numbers in events stand for, and take the file's word for where memory lies."""
        given = self._index.tables
        if given is None:
            return None
        regions = tuple(MemoryRegion(*each) for each in given.regions)
        if not all(0 <= r.start <= r.start + r.size_bytes <= _LAST_ADDRESS for r in regions):
            raise InputError(f"{self._path}: its regions are damaged; save the traces again")
        self.layout = replace(self.layout, regions=regions)
        x, y, z = self.header.block
        warps, size = -(-x * y * z // self.header.warp_size), self.header.warp_size
        try:
            points = tuple(AccessPoint(b, i, k, Space(s), w) for b, i, k, s, w in given.points)
        except ValueError:
            points = None
        if points is not None:
            tables = EventTables(self.header.grid, size, warps, points, given.guards)
            if fits_kernel(tables, self._kernel):
                return tables
        raise InputError(f"{self._path}: its tables are damaged; save the traces again")

    def _check(self, kernel: Kernel, launch: Launch, warp_size: int, data: str | None) -> None:
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

        if data is not None and self.header.data not in ("", data):
            raise InputError(
                f"{self._path} has traces of a launch with other data; save them again"
            )

    def _read_chunk(self, number: int) -> _Read:
        frame = self._frame(self._index.chunks[number])
        if self._tables is not None:
            return self._read_batch(frame, number, self._tables)
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

    def _read_batch(self, frame: bytes, number: int, tables: EventTables) -> EventBatch:
        lengths = [len(b.instructions) for b in self._kernel.blocks]
        batch = decoded_batch(frame, tables, lengths)
        wanted = {c for c, n in self._index.ctas if n == number}
        if wanted != {tables.cta(n) for n in batch.ctas.tolist()}:
            raise Corrupt("CTAs are missing")
        return batch

    @cached_property
    def _widths(self) -> Mapping[tuple[int, int], int | None]:
        """Bytes of the kernel's accesses, by block and instruction."""
        return access_widths(self._kernel)

    def _tree(self, number: int) -> tuple[tuple[Node, ...], int]:
        if number not in self._trees:
            if not 0 <= number < len(self._index.trees):
                raise Corrupt("a tree is missing")
            lengths = [len(b.instructions) for b in self._kernel.blocks]
            frame = self._frame(self._index.trees[number])
            self._tree_bytes += len(frame)
            limit = input_limit(LARGEST_TREES)
            if self._tree_bytes > limit:
                raise too_large(self._path, limit, "what the trees of the traces unpack to")
            self._trees[number] = decoded(frame, lengths, self._widths)
        return self._trees[number]


def _product(grid: Triple) -> int:
    x, y, z = grid
    return x * y * z


def _difference(name: str, found: object, wanted: object) -> str:
    """Difference of two launches in words; of arguments, the first that differs."""
    if name != "arguments":
        return f"{name.replace('_', ' ')} {_shown(found)}, not {_shown(wanted)}"
    assert isinstance(found, tuple)
    assert isinstance(wanted, tuple)
    pairs = enumerate(zip_longest(found, wanted, fillvalue="none"), 1)
    number, (old, new) = next(pair for pair in pairs if pair[1][0] != pair[1][1])
    return f"argument {number}: {old}, not {new}"


def _shown(value: object) -> str:
    return " x ".join(map(str, value)) if isinstance(value, tuple) else str(value)


# Saving traces: one CTA after another, never all at once.
#
# A file is written whole or not at all: it appears under its name when its last byte is there.

MAX_TRACE_BYTES = 1 << 30
"""Bytes that a trace file may take, where nothing else is said."""

CHUNK_BASES = 1 << 16
"""Base addresses of a chunk, after which the next one begins."""

_ENCODER = msgspec.msgpack.Encoder()


def header_of(source: TraceSource, launch: Launch, warp_size: int) -> TraceFileHeader:
    """Subject of a source's traces, and the assumptions of those made so far."""
    kernel = source.kernel
    assumptions = tuple((a.block, a.text, a.hint) for a in source.assumptions)
    threads = (launch.grid, launch.block, warp_size)
    arguments = tuple(map(argument_text, launch.arguments))
    digest = kernel_digest(kernel)
    return TraceFileHeader(
        kernel.name, digest, *threads, arguments, source.kind, assumptions, source.data
    )


def tables_of(tables: EventTables, layout: LaunchLayout) -> Tables:
    """Meaning of the numbers in events, as a file has it."""
    return Tables(
        tuple(
            (p.block, p.instruction, p.kind, p.space.value, p.width_bytes) for p in tables.points
        ),
        tables.guards,
        tuple((r.name, r.start, r.size_bytes) for r in layout.regions),
    )


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
    """Estimated bytes of the traces of some CTAs, from a few of them."""
    few = min(len(ctas), _FEW)
    chosen = [ctas[(2 * i + 1) * len(ctas) // (2 * few)] for i in range(few)]
    writer = _Writer(BytesIO(), 1 << 62)
    writer.write(source, chosen)
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
    header: Callable[[], TraceFileHeader],
    max_bytes: int = MAX_TRACE_BYTES,
) -> int:
    """Write the traces of some CTAs to a file and give its size in bytes.

    ``header`` is asked for when all traces are made: what they assume is known only then.
    LimitError where more than ``max_bytes`` would be written, UsageError where the file cannot be.
    """
    try:
        if is_special(path):
            raise OSError(EINVAL, "it is no file")  # a pipe cannot be sought in
        with whole_file(path) as file:
            writer = _Writer(file, max_bytes)
            writer.write(source, ctas)
            return writer.finish(header())
    except OSError as error:
        raise unwritable(path, error) from None


@dataclass
class _Writer:
    """Writer of frames into a file, which remembers their places."""

    file: BinaryIO
    max_bytes: int
    size: int = 0
    numbers: dict[int, int] = field(default_factory=dict)
    kept: list[tuple[Node, ...]] = field(default_factory=list)
    trees: list[FramePlace] = field(default_factory=list)
    chunks: list[FramePlace] = field(default_factory=list)
    ctas: list[tuple[Triple, int]] = field(default_factory=list)
    tables: Tables | None = None

    def __post_init__(self) -> None:
        self._put(MAGIC)

    def write(self, source: TraceSource, ctas: Sequence[Triple]) -> None:
        """Write the traces of some CTAs: events where the source has them, else trees."""
        batches = source.batches(ctas)
        if batches is None:
            for chunk in chunks_of(source.many(ctas)):
                self.chunk(chunk)
            return
        for batch in batches:
            self.tables = self.tables or tables_of(batch.tables, source.layout)
            self.batch(batch)

    def batch(self, batch: EventBatch) -> None:
        """Write the events of some CTAs; of many in parts that a frame holds."""
        self.ctas += [(batch.tables.cta(n), len(self.chunks)) for n in batch.ctas.tolist()]
        self.chunks.append(self._frame(encoded_batch(batch), FAST_LEVEL))

    def chunk(self, ctas: Sequence[tuple[WarpTrace, ...]]) -> None:
        """Write some CTAs, and before them the trees that are new."""
        warps = [(self._tree(w.nodes), w) for cta in ctas for w in cta]
        ids = tuple(cta[0].cta for cta in ctas)
        self.ctas += [(cta, len(self.chunks)) for cta in ids]
        chunk = Chunk(ids, tuple(map(len, ctas)), tuple(t for t, _ in warps), differences(warps))
        self.chunks.append(self._frame(_ENCODER.encode(chunk)))

    def _tree(self, nodes: tuple[Node, ...]) -> int:
        """A tree's number: trees are told apart by identity, and so are kept."""
        number = self.numbers.get(id(nodes))
        if number is None:
            number = self.numbers[id(nodes)] = len(self.trees)
            self.kept.append(nodes)
            self.trees.append(self._frame(encoded(nodes)))
        return number

    def finish(self, header: TraceFileHeader) -> int:
        """Write the index; give the size of the whole."""
        places = tuple(self.trees), tuple(self.chunks), tuple(self.ctas)
        index = Index(header, *places, self.tables)
        start, _, _ = self._frame(_ENCODER.encode(index))
        self._put(start.to_bytes(8, "little") + MAGIC)
        return self.size

    def _frame(self, data: bytes, level: int = SMALL_LEVEL) -> FramePlace:
        if len(data) > LARGEST_FRAME:
            raise LimitError(
                f"a part of the traces takes {len(data)} bytes, and one of a trace file may take "
                f"{LARGEST_FRAME}; save fewer CTAs with --ctas, or none"
            )
        frame = packed(data, level)
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
