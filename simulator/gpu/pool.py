"""The traces that the engine has at hand: batches of streams one behind the other.

Numbers of events, accesses, shapes and sectors count on over all batches. What stands before
the first that is still needed is dropped, and one array of words holds the rest: records as
``fields`` describes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simulator.gpu import fields as f
from simulator.gpu.shapes import CONST, LOCAL, MEMORY, SHARED, TEXTURE
from simulator.gpu.streams import Streams

Numbers = npt.NDArray[np.int64]


class First(NamedTuple):
    """Numbers of an event, an access, a shape and a sector: the first, or those after the last."""

    event: int
    access: int
    shape: int
    sector: int


class Places(NamedTuple):
    """Where the records of event 0, access 0, shape 0 and sector 0 would be; see ``fields``."""

    events: int
    accesses: int
    shapes: int
    sectors: int


_SPACES = np.zeros(8, np.int64)
_SPACES[[MEMORY, LOCAL, CONST, TEXTURE, SHARED]] = (
    f.S_GLOBAL, f.S_LOCAL, f.S_CONST, f.S_TEXTURE, f.S_SHARED,
)  # fmt: skip


@dataclass
class Batch:
    """Records of each kind, one behind the other, and their numbers."""

    events: Numbers
    accesses: Numbers
    shapes: Numbers
    sectors: Numbers
    first: First
    end: First


@dataclass
class Pool:
    """Batches in the order in which they came, and the windows of CTAs that have not begun."""

    batches: list[Batch] = field(default_factory=list)
    windows: dict[int, tuple[int, Numbers, Numbers]] = field(default_factory=dict)
    _end: First = field(default_factory=lambda: First(0, 0, 0, 0))

    def add(self, launch: int, first_cta: int, streams: Streams, rows: Numbers) -> None:
        """Take the next CTAs of a launch. ``rows`` are those of the code by access point."""
        start = self._end
        end = First(
            start.event + len(streams.event_block),
            start.access + len(streams.access_point),
            start.shape + len(streams.shape_passes),
            start.sector + len(streams.txn_offset),
        )
        events = np.empty((len(streams.event_block), f.T_EVENT), np.int64)
        events[:, 0] = streams.event_block.astype(np.int64) << 8 | streams.event_lanes
        events[:, 1] = streams.event_access[:-1] + start.access
        accesses = np.empty((len(streams.access_point), f.T_ACCESS), np.int64)
        accesses[:, 0] = streams.access_base
        accesses[:, 1] = streams.access_shape.astype(np.int64) + start.shape << 32
        accesses[:, 1] |= rows[streams.access_point] << 8 | _SPACES[streams.access_way]
        shapes = streams.shape_first[:-1] + start.sector << 16
        shapes |= np.minimum(streams.shape_passes, 65535)
        sectors = streams.txn_offset << 16 | streams.txn_words.astype(np.int64) << 8
        sectors |= streams.txn_full
        batch = Batch(events.ravel(), accesses.ravel(), shapes, sectors, start, end)
        self.batches.append(batch)
        self._end = end
        warps = streams.warp_events + start.event
        begins, ends = warps[:-1], warps[1:]
        before = self.windows.get(launch)
        if before is not None:
            first_cta = before[0]
            begins, ends = np.append(before[1], begins), np.append(before[2], ends)
        self.windows[launch] = (first_cta, begins, ends)

    def drop_begun(self, launch: int, next_cta: int, warps: int) -> None:
        """Forget where CTAs of a launch begin that have begun."""
        if launch in self.windows:
            first, begins, ends = self.windows[launch]
            gone = (next_cta - first) * warps
            self.windows[launch] = (next_cta, begins[gone:], ends[gone:])

    def drop_before(self, event: int) -> None:
        """Drop batches all of whose events come before this one."""
        while len(self.batches) > 1 and self.batches[0].end.event <= event:
            self.batches.pop(0)

    def words(self) -> tuple[Numbers, Places, dict[int, tuple[int, int]]]:
        """Give what jitted code reads, and where in it what stands.

        The windows stand first: pairs of a warp's first event and the one after its last. The
        third result has, by launch, the number of its first pair, and the CTA that this is of.
        """
        first = self.batches[0].first if self.batches else self._end
        parts: list[Numbers] = []
        windows: dict[int, tuple[int, int]] = {}
        size = 0
        for launch, (cta, begins, ends) in self.windows.items():
            windows[launch] = (size, cta)
            parts.append(np.column_stack([begins, ends]).ravel())
            size += len(begins)
        places, at = [], 2 * size
        last = (0, self._end.access), (0, 0), (self._end.sector << 16,), (0,)
        kinds = ("events", "accesses", "shapes", "sectors")
        words = (f.T_EVENT, f.T_ACCESS, f.T_SHAPE, f.T_SECTOR)
        for kind, each, number, end in zip(kinds, words, first, last, strict=True):
            places.append(at - number * each)
            own = [getattr(batch, kind) for batch in self.batches]
            parts += [*own, np.array(end, np.int64)]
            at += sum(map(len, own)) + len(end)
        words = np.concatenate(parts)
        self._stand_in(words, Places(*places))
        return words, Places(*places), windows

    def _stand_in(self, words: Numbers, places: Places) -> None:
        """Let batches be parts of the words, so that nothing is held twice."""
        for batch in self.batches:
            for kind, each, place, first, end in zip(
                ("events", "accesses", "shapes", "sectors"),
                (f.T_EVENT, f.T_ACCESS, f.T_SHAPE, f.T_SECTOR),
                places,
                batch.first,
                batch.end,
                strict=True,
            ):
                setattr(batch, kind, words[place + first * each : place + end * each])

    def end_at_last(self) -> None:
        """Let what is added next follow on the last batch."""
        if self.batches:
            self._end = self.batches[-1].end

    @property
    def bytes(self) -> int:
        """How much the batches take."""
        return sum(
            a.nbytes for b in self.batches for a in (b.events, b.accesses, b.shapes, b.sectors)
        )
