"""Blocks that are one in machine code, and visits of them that are one event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Heads:
    """By block the first of those that it is one with (``of``), and its ``place`` among them."""

    of: NDArray[np.int32]
    place: NDArray[np.int32]

    def begins(self, block: NDArray[np.int32], warps: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the visits with which an event begins; others go on with that of the visit before.

        ``block`` has that of each visit, ``warps`` the first visit of each warp and their end.
        """
        own, at = self.of[block], self.place[block]
        goes_on = np.zeros(len(block), np.bool_)
        goes_on[1:] = (own[1:] == own[:-1]) & (at[1:] > at[:-1])
        first = warps[:-1]
        goes_on[first[first < len(block)]] = False
        return np.flatnonzero(~goes_on)


def heads(blocks: int, regions: Iterable[tuple[int, ...]]) -> Heads:
    """Find the heads of a kernel's blocks; each of the ``regions`` in the order of its code."""
    found = Heads(np.arange(blocks, dtype=np.int32), np.zeros(blocks, np.int32))
    for region in regions:
        found.of[list(region)] = region[0]
        found.place[list(region)] = range(len(region))
    return found
