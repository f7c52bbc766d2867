"""Saving traces: one CTA after another, never all at once.

A file is written whole or not at all: it appears under its name when its last byte is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from errno import EINVAL
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import msgspec

from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.base.whole_files import is_special, unwritable, whole_file
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.batch_encoding import encoded_batch
from warpmill.analyzer.traces.encoding import encoded
from warpmill.analyzer.traces.event_batch import EventBatch, EventTables
from warpmill.analyzer.traces.file_format import (
    FAST_LEVEL,
    LARGEST_FRAME,
    MAGIC,
    SMALL_LEVEL,
    Chunk,
    Header,
    Index,
    Place,
    Tables,
    Triple,
    argument_text,
    differences,
    kernel_digest,
    packed,
)
from warpmill.analyzer.traces.layout import Layout
from warpmill.analyzer.traces.model import Node, WarpTrace
from warpmill.analyzer.traces.source import TraceSource

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
    return Header(kernel.name, digest, *threads, arguments, source.kind, assumptions, source.data)


def tables_of(tables: EventTables, layout: Layout) -> Tables:
    """Give what numbers in events stand for as a file has it."""
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
    """Tell about how many bytes the traces of some CTAs will take, from a few of them."""
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
    header: Callable[[], Header],
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
    """Puts frames into a file and remembers where."""

    file: BinaryIO
    max_bytes: int
    size: int = 0
    numbers: dict[int, int] = field(default_factory=dict)
    kept: list[tuple[Node, ...]] = field(default_factory=list)
    trees: list[Place] = field(default_factory=list)
    chunks: list[Place] = field(default_factory=list)
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
        """Give a tree's number: trees are told apart by identity, and so are kept."""
        number = self.numbers.get(id(nodes))
        if number is None:
            number = self.numbers[id(nodes)] = len(self.trees)
            self.kept.append(nodes)
            self.trees.append(self._frame(encoded(nodes)))
        return number

    def finish(self, header: Header) -> int:
        """Write the index; give the size of the whole."""
        places = tuple(self.trees), tuple(self.chunks), tuple(self.ctas)
        index = Index(header, *places, self.tables)
        start, _, _ = self._frame(_ENCODER.encode(index))
        self._put(start.to_bytes(8, "little") + MAGIC)
        return self.size

    def _frame(self, data: bytes, level: int = SMALL_LEVEL) -> Place:
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
