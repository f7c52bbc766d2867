"""The traces that the engine has at hand: batches of streams one behind the other.

Numbers of events, accesses, shapes and sectors count on over all batches. What stands before
the first that is still needed is dropped, and the arrays hold the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from simulator.gpu import fields as f
from simulator.gpu.shapes import CONST, LOCAL, MEMORY, SHARED, TEXTURE
from simulator.gpu.streams import Streams

Numbers = npt.NDArray[np.int64]


class Arrays(NamedTuple):
    """What jitted code reads of traces. ``begin`` and ``end`` are events of warps to come."""

    begin: Numbers
    end: Numbers
    block: npt.NDArray[np.int32]
    lanes: npt.NDArray[np.uint8]
    access: Numbers
    row: npt.NDArray[np.int32]
    way: npt.NDArray[np.uint8]
    base: Numbers
    shape: Numbers
    first: Numbers
    passes: npt.NDArray[np.int32]
    offset: Numbers
    words: npt.NDArray[np.uint8]
    full: npt.NDArray[np.uint8]


class First(NamedTuple):
    """Numbers of the first event, access, shape and sector that the arrays hold."""

    event: int
    access: int
    shape: int
    sector: int


_SPACES = np.zeros(8, np.uint8)
_SPACES[[MEMORY, LOCAL, CONST, TEXTURE, SHARED]] = (
    f.S_GLOBAL, f.S_LOCAL, f.S_CONST, f.S_TEXTURE, f.S_SHARED,
)  # fmt: skip


@dataclass
class _Batch:
    arrays: dict[str, npt.NDArray[Any]]
    first: First
    end: First


@dataclass
class Pool:
    """Batches in the order in which they came, and the windows of CTAs that have not begun."""

    batches: list[_Batch] = field(default_factory=list)
    windows: dict[int, tuple[int, Numbers, Numbers]] = field(default_factory=dict)
    _end: First = First(0, 0, 0, 0)

    def add(self, launch: int, first_cta: int, streams: Streams, rows: Numbers) -> None:
        """Take the next CTAs of a launch. ``rows`` are those of the code by access point."""
        start = self._end
        events, accesses = len(streams.event_block), len(streams.access_point)
        shapes, sectors = len(streams.shape_passes), len(streams.txn_offset)
        end = First(
            start.event + events, start.access + accesses, start.shape + shapes,
            start.sector + sectors,
        )  # fmt: skip
        arrays: dict[str, npt.NDArray[Any]] = {
            "block": streams.event_block.astype(np.int32),
            "lanes": streams.event_lanes.astype(np.uint8),
            "access": streams.event_access[:-1] + start.access,
            "row": rows[streams.access_point].astype(np.int32),
            "way": _SPACES[streams.access_way],
            "base": streams.access_base,
            "shape": streams.access_shape.astype(np.int64) + start.shape,
            "first": streams.shape_first[:-1] + start.sector,
            "passes": streams.shape_passes.astype(np.int32),
            "offset": streams.txn_offset,
            "words": streams.txn_words.astype(np.uint8),
            "full": streams.txn_full.astype(np.uint8),
        }
        self.batches.append(_Batch(arrays, start, end))
        self._end = end
        warps = streams.warp_events + start.event
        before = self.windows.get(launch)
        begins, ends = warps[:-1], warps[1:]
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
        while self.batches and self.batches[0].end.event <= event and len(self.batches) > 1:
            self.batches.pop(0)

    def arrays(self) -> tuple[Arrays, First, dict[int, tuple[int, int]]]:
        """Give what jitted code reads, where it begins, and where windows do.

        That is, by launch, the place of its first warp, and the CTA that this is of.
        """
        first = self.batches[0].first if self.batches else self._end
        joined = {
            name: np.concatenate([b.arrays[name] for b in self.batches])
            for name in _NAMES
            if self.batches
        }
        joined["access"] = np.append(joined["access"], self._end.access)
        joined["first"] = np.append(joined["first"], self._end.sector)
        begin, end = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        places: dict[int, tuple[int, int]] = {}
        size = 0
        for launch, (cta, begins, ends) in self.windows.items():
            places[launch] = (size, cta)
            begin.append(begins)
            end.append(ends)
            size += len(begins)
        arrays = Arrays(
            np.concatenate(begin), np.concatenate(end), *(joined[name] for name in _NAMES)
        )
        return arrays, first, places

    @property
    def bytes(self) -> int:
        """How much the batches take."""
        return sum(a.nbytes for b in self.batches for a in b.arrays.values())


_NAMES = (
    "block", "lanes", "access", "row", "way", "base", "shape", "first", "passes", "offset",
    "words", "full",
)  # fmt: skip
