"""The traces of launches on their way to the engine, and those that it has at hand.

CTAs are traced in order, batch by batch. A batch of streams becomes an array of words; its records
are as ``records`` describes them. They name each other by distances, so that an array can lie
anywhere; where it does is told as a distance from the state's words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.pointers import words_in
from warpmill.analyzer.launch.numbering import unravel_index
from warpmill.analyzer.memory.rules import CONST, LOCAL, MEMORY, SHARED, TEXTURE
from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.unfolding import Unfolder
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.records import ACCESS, EVENT
from warpmill.simulator.streams import WarpStreams

# CTAs on their way: in what order they are traced, and how far.

Triple = tuple[int, int, int]


@dataclass
class CtaOrder:
    """The CTAs of a launch in the order in which they are traced, from ``next`` to before ``end``.

    What is asked for next may be moved on.
    """

    grid: Triple
    next: int
    end: int

    def __iter__(self) -> CtaOrder:
        return self

    def __next__(self) -> Triple:
        if self.next >= self.end:
            raise StopIteration
        self.next += 1
        return unravel_index(self.next - 1, self.grid)


@dataclass
class Feed:
    """The CTAs of one launch to be traced; those below ``loaded`` are, or were skipped."""

    batches: Iterator[EventBatch]
    unfolder: Unfolder
    order: CtaOrder
    loaded: int = 0
    over: bool = False


# Batches at hand.

Numbers = npt.NDArray[np.int64]

_SPACES = np.zeros(8, np.int64)
_SPACES[[MEMORY, LOCAL, CONST, TEXTURE, SHARED]] = (
    c.SPACE_GLOBAL, c.SPACE_LOCAL, c.SPACE_CONST, c.SPACE_TEXTURE, c.SPACE_SHARED,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class StreamBatch:
    """Records of some CTAs: events, accesses, shapes and sectors, one behind the other."""

    words: Numbers

    def place(self, state: Numbers) -> int:
        """The place of the first word, counted on from those of a state."""
        return distance(state, self.words)


def distance(state: Numbers, words: Numbers) -> int:
    """How many words after those of a state others lie, or before."""
    return (words.ctypes.data - state.ctypes.data) // state.itemsize


def laid_out(streams: WarpStreams, rows: Numbers) -> Numbers:
    """The words of streams. ``rows`` are those of the code by access point."""
    events, accesses = len(streams.event_block), len(streams.access_point)
    shapes, sectors = len(streams.shape_passes), len(streams.txn_offset)
    first_access = (events + 1) * words_in(EVENT)
    first_shape = first_access + accesses * words_in(ACCESS)
    first_sector = first_shape + shapes + 1
    words = np.zeros(first_sector + sectors, np.int64)
    event = words[:first_access].view(EVENT)
    event["block_and_lanes"][:-1] = streams.event_block.astype(np.int64) << 8 | streams.event_lanes
    at = np.arange(events + 1) * words_in(EVENT)
    event["accesses"] = first_access + streams.event_access * words_in(ACCESS) - at
    access = words[first_access:first_shape].view(ACCESS)
    access["sector"] = streams.access_base
    at = first_access + np.arange(accesses) * words_in(ACCESS)
    access["shape_row_space"] = first_shape + streams.access_shape - at << 32
    access["shape_row_space"] |= rows[streams.access_point] << 8 | _SPACES[streams.access_way]
    shape = words[first_shape:first_sector]
    at = first_shape + np.arange(shapes + 1)
    shape[:] = first_sector + streams.shape_first - at << 24
    shape[:-1] |= np.minimum(streams.shape_most, 255).astype(np.int64) << 16
    shape[:-1] |= np.minimum(streams.shape_passes, 65535)
    words[first_sector:] = streams.txn_offset << 16 | streams.txn_words.astype(np.int64) << 8
    words[first_sector:] |= streams.txn_parts
    return words


@dataclass
class Window:
    """Events of warps of CTAs that have not begun: pairs of first and last, warp by warp.

    ``cta`` is the first of them. The numbers are places counted on from the state's words.
    """

    cta: int
    pairs: Numbers


@dataclass
class Pool:
    """Batches in the order in which they came, and the windows of launches."""

    batches: list[StreamBatch] = field(default_factory=list)
    windows: dict[int, Window] = field(default_factory=dict)

    def add(
        self,
        launch: int,
        first_cta: int,
        streams: WarpStreams,
        rows: Numbers,
        state: Numbers,
        skippable_ctas: int = 0,
    ) -> None:
        """Take the next CTAs of a launch, ``first_cta`` and on, behind some that are not needed."""
        batch = StreamBatch(laid_out(streams, rows))
        self.batches.append(batch)
        events = batch.place(state) + streams.warp_events * words_in(EVENT)
        pairs = np.column_stack([events[:-1], events[1:]]).ravel()
        pairs = pairs[skippable_ctas * len(pairs) // len(streams.ctas) :]
        before = self.windows.get(launch)
        if before is not None:
            first_cta, pairs = before.cta, np.append(before.pairs, pairs)
        self.windows[launch] = Window(first_cta, pairs)

    def drop_begun(self, launch: int, next_cta: int, warps: int) -> None:
        """Forget where CTAs of a launch begin that have begun."""
        window = self.windows[launch]
        pairs = window.pairs[2 * (next_cta - window.cta) * warps :]
        if len(pairs):
            self.windows[launch] = Window(next_cta, pairs)
        else:
            del self.windows[launch]

    def drop_unused(self, alive: Numbers, state: Numbers) -> None:
        """Drop batches that hold none of these events, nor any of a window."""
        events = np.concatenate([alive, *(w.pairs[::2] for w in self.windows.values())])
        self.batches = [batch for batch in self.batches if _holds(batch, events, state)]

    @property
    def bytes(self) -> int:
        """How much the batches take."""
        return sum(batch.words.nbytes for batch in self.batches)


def _holds(batch: StreamBatch, events: Numbers, state: Numbers) -> bool:
    begin = batch.place(state)
    return bool(((events >= begin) & (events < begin + len(batch.words))).any())
