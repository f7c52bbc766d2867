"""Records that warps wrote of themselves (``native/events.py``), read into arrays.

Entries keep the order in which they were written: warp by warp where a CTA's warps take turns. The
lanes' distances of an access are a pattern; equal ones of a piece are kept once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit
from warpmill.executor.native.events import ACCESS, AGAIN, BLOCK, END, GUARD, TURN, Words
from warpmill.executor.native.points import AccessSite

Numbers = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Entries:
    """Entries in the order in which they were written, as arrays of one length.

    ``kind`` is BLOCK, GUARD or ACCESS, however an access was written; ``number`` a block, a guard's
    number or a point; ``mask`` the lanes that are on. Of an access
    ``base`` is the byte address of the lowest lane, and ``pattern`` the row of ``patterns``, shape
    (rows, lanes), that has the distances of the lanes from it, 0 where they are off.
    """

    kind: npt.NDArray[np.uint8]
    cta: Numbers
    warp: npt.NDArray[np.int32]
    number: npt.NDArray[np.int32]
    mask: Masks
    base: Numbers
    pattern: npt.NDArray[np.int32]
    patterns: Numbers

    def __len__(self) -> int:
        return len(self.kind)

    @classmethod
    def none(cls, lanes: int) -> Entries:
        """No entries."""
        return cls(
            kind=np.zeros(0, np.uint8),
            cta=np.zeros(0, np.int64),
            warp=np.zeros(0, np.int32),
            number=np.zeros(0, np.int32),
            mask=np.zeros(0, np.uint64),
            base=np.zeros(0, np.int64),
            pattern=np.zeros(0, np.int32),
            patterns=np.zeros((0, lanes), np.int64),
        )

    def of_ctas(self, ctas: Numbers) -> Entries:
        """Those of some CTAs."""
        return self._chosen(np.isin(self.cta, ctas))

    def sorted_by(self, key: Numbers) -> Entries:
        """Entries in the order of a key, which has a number for each; the sort is stable."""
        return self._chosen(np.argsort(key, kind="stable"))

    def _chosen(self, chosen: npt.NDArray[Any]) -> Entries:
        columns = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "patterns"}
        return replace(self, **{name: column[chosen] for name, column in columns.items()})


class EntryReader:
    """Reader of entries, which may come in pieces that are cut between entries."""

    def __init__(self, lanes: int, points: Sequence[AccessSite]) -> None:
        self._turn = np.zeros(2, np.int64)
        self._bits = np.zeros(len(points) + 1, np.int64)
        self._steps = np.zeros((len(points) + 1, lanes), np.int64)

    def read(self, words: Words) -> Entries:
        """Read one piece."""
        entries, rows = _measure(words, self._steps.shape[1])
        rows += len(self._bits)
        found = Entries(
            np.empty(entries, np.uint8),
            np.empty(entries, np.int64),
            np.empty(entries, np.int32),
            np.empty(entries, np.int32),
            np.empty(entries, np.uint64),
            np.zeros(entries, np.int64),
            np.zeros(entries, np.int32),
            np.empty((rows, self._steps.shape[1]), np.int64),
        )
        table = np.full(1 << (2 * rows).bit_length(), -1, np.int32)
        rows = _read(words, self._turn, self._bits, self._steps, table, found.kind, found.cta,
                     found.warp, found.number, found.mask, found.base, found.pattern,
                     found.patterns)  # fmt: skip
        kept = found.patterns[:rows].copy()
        return Entries(found.kind, found.cta, found.warp, found.number, found.mask, found.base,
                       found.pattern, kept)  # fmt: skip


@jit
def _measure(words: Words, lanes: int) -> tuple[int, int]:
    """Count entries, and accesses that are written out."""
    at = entries = written = 0
    while at < words.size:
        kind = words[at] & 0xFF
        entries += kind not in (TURN, END)
        written += kind == ACCESS
        at += 3 + lanes if kind == ACCESS else 2
    return entries, written


@jit
def _read(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    words: Words,
    turn: Numbers,
    bits: Numbers,
    steps: Numbers,
    table: npt.NDArray[np.int32],
    kind: npt.NDArray[np.uint8],
    cta: Numbers,
    warp: npt.NDArray[np.int32],
    number: npt.NDArray[np.int32],
    mask: Masks,
    base: Numbers,
    pattern: npt.NDArray[np.int32],
    patterns: Numbers,
) -> int:
    """Fill the arrays of the entries; gives the number of patterns."""
    lanes = steps.shape[1]
    on_lanes = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - lanes)
    last = np.full(bits.size, -1, np.int32)
    at = n = rows = 0
    while at < words.size:
        what, of = words[at] & 0xFF, words[at] >> 8
        if what in (TURN, END):
            turn[0], turn[1] = words[at + 1], of
            at += 2
            continue
        kind[n], cta[n], warp[n], number[n] = what, turn[0], turn[1], of
        if what in (BLOCK, GUARD):
            mask[n] = np.uint64(words[at + 1]) & on_lanes
            at += 2
        else:
            if what == AGAIN:
                base[n] = words[at + 1]
                at += 2
            else:
                bits[of] = words[at + 1]
                base[n] = words[at + 2]
                for k in range(lanes):
                    steps[of, k] = words[at + 3 + k]
                last[of] = -1
                at += 3 + lanes
            if last[of] < 0:
                place = _find(table, patterns, steps[of])
                if table[place] < 0:
                    table[place] = rows
                    patterns[rows] = steps[of]
                    rows += 1
                last[of] = table[place]
            kind[n], mask[n], pattern[n] = ACCESS, np.uint64(bits[of]) & on_lanes, last[of]
        n += 1
    return rows


@jit
def _find(table: npt.NDArray[np.int32], patterns: Numbers, steps: Numbers) -> int:
    """The place in the table where a pattern is, or where it belongs."""
    key = np.uint64(0)
    for k in range(steps.size):
        key = (key ^ np.uint64(steps[k])) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    place = np.int64(key & np.uint64(table.size - 1))
    while table[place] >= 0:
        row = table[place]
        alike = True
        for k in range(steps.size):
            if patterns[row, k] != steps[k]:
                alike = False
                break
        if alike:
            break
        place = (place + 1) & (table.size - 1)
    return int(place)
