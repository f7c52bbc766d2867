"""The warps of many CTAs as arrays: which tree each has, and its base addresses.

Of a wave of CTAs most warps share their trees and differ in bases alone; here these are numbers in
arrays, where ``WarpTrace`` has an object for each warp.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.traces.model import Node, WarpTrace

Numbers = npt.NDArray[np.int64]
Triple = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class ManyWarps:
    """The warps of CTAs, CTA by CTA, each CTA's in order.

    ``which`` has for each warp the number of its tree among ``trees``; ``bases`` are the base
    addresses of all, those of a warp from its place in ``starts`` on, shape (warps + 1,).
    """

    ctas: tuple[Triple, ...]
    trees: tuple[tuple[Node, ...], ...]
    which: Numbers
    bases: Numbers
    starts: Numbers

    @property
    def warps_per_cta(self) -> int:
        """Warps of each CTA."""
        return len(self.which) // len(self.ctas)

    @classmethod
    def of(cls, ctas: Iterable[Sequence[WarpTrace]]) -> ManyWarps:
        """Take the traces of CTAs."""
        each = [warps for warps in ctas if warps]
        flat = [warp for warps in each for warp in warps]
        distinct = {id(warp.nodes): warp.nodes for warp in flat}
        place = {key: number for number, key in enumerate(distinct)}
        return cls(
            tuple(warps[0].cta for warps in each),
            tuple(distinct.values()),
            np.array([place[id(warp.nodes)] for warp in flat], np.int64),
            np.fromiter(chain.from_iterable(warp.bases for warp in flat), np.int64),
            firsts([len(warp.bases) for warp in flat]),
        )


@dataclass(frozen=True, eq=False)
class Alike:
    """Warps that share a tree: their places among all, and ``bases``, shape (warps, slots)."""

    nodes: tuple[Node, ...]
    places: Numbers
    bases: Numbers


def put_together(ctas: tuple[Triple, ...], warps: int, parts: Sequence[Alike]) -> ManyWarps:
    """Put warps that are alike in their places; together they are all ``warps`` of the CTAs."""
    distinct = {id(part.nodes): part.nodes for part in parts}
    number = {key: place for place, key in enumerate(distinct)}
    which, slots = np.full(warps, -1), np.zeros(warps, np.int64)
    for part in parts:
        which[part.places], slots[part.places] = number[id(part.nodes)], part.bases.shape[1]
    assert (which >= 0).all()
    starts = firsts(slots)
    bases = np.zeros(int(starts[-1]), np.int64)
    for part in parts:
        bases[starts[part.places][:, None] + np.arange(part.bases.shape[1])] = part.bases
    return ManyWarps(ctas, tuple(distinct.values()), which, bases, starts)


def firsts(lengths: Sequence[int] | Numbers) -> Numbers:
    """Tell where each of some stretches begins, and where the last one ends."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
