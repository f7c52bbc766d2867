"""What CTAs and warps leave behind when they end, line by line, added up as it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import gcd

import numpy as np
import numpy.typing as npt

from warpmill.executor.native.paths import CTA_LINE, LOOP_LINE, cta_line_words

Numbers = npt.NDArray[np.int64]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)

LINES = 1 << 10
"""Lines about CTAs, and about loops, that there is room for at least."""


@dataclass
class LoopTally:
    """What the warps that entered a loop did in it.

    ``threads`` are those that entered, ``iterations`` theirs all together, ``least`` and ``most``
    those of one of them. ``by_warp`` counts warps by (iterations, threads that entered) in lowest
    terms.
    """

    threads: int = 0
    iterations: int = 0
    least: int | None = None
    most: int = 0
    by_warp: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, other: LoopTally) -> None:
        """Take another one's counts too."""
        if other.least is None:
            return
        self.threads += other.threads
        self.iterations += other.iterations
        self.least = other.least if self.least is None else min(self.least, other.least)
        self.most = max(self.most, other.most)
        self.by_warp.update(other.by_warp)


@dataclass
class CtaTally:
    """Counts of CTAs that have ended: rows of (CTA, requests, a vector's number), and vectors.

    A vector has the executions of each block by warps and by threads; equal ones are kept once.
    """

    blocks: int
    rows: list[Numbers] = field(default_factory=list)
    vectors: dict[bytes, int] = field(default_factory=dict)
    _before: Numbers | None = None

    @property
    def size_bytes(self) -> int:
        """Bytes that rows and vectors take, about."""
        return len(self.vectors) * 16 * self.blocks + sum(rows.nbytes for rows in self.rows)

    def take(self, lines: Numbers) -> None:
        """Take lines of sums so far, shape (lines, words), in the order in which CTAs ended."""
        before = np.zeros(lines.shape[1], np.int64) if self._before is None else self._before
        self._before = lines[-1].copy()
        own = np.diff(lines, axis=0, prepend=before[None])
        vectors, numbers, _ = distinct_rows(own[:, len(CTA_LINE) :])
        known = np.array([self._number(v.tobytes()) for v in vectors], np.int64)
        self.rows.append(np.column_stack([lines[:, 0], own[:, 1], known[numbers]]))

    def _number(self, vector: bytes) -> int:
        return self.vectors.setdefault(vector, len(self.vectors))


@dataclass(frozen=True)
class CtaRows:
    """Counts by CTA in the order of their numbers; ``vectors`` are numbers of rows of the blocks'.

    ``block_warps`` and ``block_threads`` have the shape (vectors, blocks), in the order in which
    CTAs first have them.
    """

    requests: Numbers
    vectors: Numbers
    block_warps: Numbers
    block_threads: Numbers


def cta_rows(tallies: Iterable[CtaTally], blocks: int) -> CtaRows:
    """Bring together what several runs have counted."""
    every: dict[bytes, int] = {}
    parts: list[Numbers] = []
    for tally in tallies:
        numbers = np.array([every.setdefault(v, len(every)) for v in tally.vectors], np.int64)
        parts += [np.column_stack([rows[:, :2], numbers[rows[:, 2]]]) for rows in tally.rows]
    whole = np.concatenate(parts) if parts else np.zeros((0, 3), np.int64)
    whole = whole[np.argsort(whole[:, 0], kind="stable")]
    used, first = np.unique(whole[:, 2], return_index=True)
    order = used[np.argsort(first)]
    renamed = np.zeros(len(every), np.int64)
    renamed[order] = np.arange(len(order))
    table = np.array([np.frombuffer(v, np.int64) for v in every], np.int64)
    table = table.reshape(-1, blocks, 2)[order]
    warps, threads = table[:, :, 0].copy(), table[:, :, 1].copy()
    return CtaRows(whole[:, 1].copy(), renamed[whole[:, 2]], warps, threads)


def distinct_rows(rows: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Give the distinct rows, which of them each row is, and how often each is there.

    Rows are told apart by a hash first, which is many times faster than sorting them; where two
    rows share one, by themselves.
    """
    factors = np.cumprod(np.full(rows.shape[1], _FACTOR, np.uint64)).view(np.int64)
    keys = (rows * factors).sum(axis=1)  # modulo 2^64
    _, first, numbers, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    found, numbers = rows[first], numbers.reshape(-1)
    if np.array_equal(found[numbers], rows):
        return found, numbers, counts
    found, numbers, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return found, numbers.reshape(-1), counts


class Lines:
    """Room for the lines of one run, and what they add up to."""

    def __init__(self, warps: int, loops: int, blocks: int) -> None:
        lines = max(LINES, 4 * warps * loops) if loops else 0
        self.loop_words = np.zeros(len(LOOP_LINE) * max(1, lines), np.int64)
        self.cta_words = np.zeros(LINES * cta_line_words(blocks), np.int64)
        self.loops = [LoopTally() for _ in range(loops)]
        self.ctas = CtaTally(blocks)
        self._per_cta = cta_line_words(blocks)

    def take(self, loop_words: int, cta_words: int) -> None:
        """Add up so many words of lines."""
        if loop_words:
            self._take_loops(self.loop_words[:loop_words].reshape(-1, len(LOOP_LINE)))
        if cta_words:
            self.ctas.take(self.cta_words[:cta_words].reshape(-1, self._per_cta))

    def _take_loops(self, lines: Numbers) -> None:
        """Add up lines that are alike together: most warps do the same."""
        found, _, counts = distinct_rows(lines)
        for line, times in zip(found, counts, strict=True):
            number, threads, iterations, least, most = line.tolist()
            common, count = gcd(iterations, threads), int(times)
            by_warp = Counter({(iterations // common, threads // common): count})
            told = LoopTally(threads * count, iterations * count, least, most, by_warp)
            self.loops[number].add(told)


def loop_tallies(runs: Sequence[Lines]) -> list[LoopTally]:
    """Bring together what several runs have counted, by loop."""
    totals = [LoopTally() for _ in runs[0].loops] if runs else []
    for run in runs:
        for total, own in zip(totals, run.loops, strict=True):
            total.add(own)
    return totals
