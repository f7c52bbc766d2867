"""Stack distances of a stream of accesses, and what an LRU cache makes of it.

Hybrid-estimation paper, §III-B-3, by reuse-distance theory: in a set-associative LRU cache an
access hits where fewer distinct lines of its set were accessed since its line was than the set has
ways. The stack distance is that number. It is exact and takes O(n log n): a Fenwick tree over the
accesses of a set holds a one at the last access of each line.

Everything jitted stands in this file, as numba's cache does not see changes in another one.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit, jit_part

Numbers = npt.NDArray[np.int64]

MOST_LISTED = 32
"""Ways of a set whose lines are looked for one by one: so few are found faster than distances."""

MOST_HELD = 1 << 24
"""Lines of a cache that lists are made for; of larger ones most sets are never looked at."""

DIRECT = 32
"""Places of a table for each number: one that has a place for each of a range takes no more."""

COLD = -1
"""The distance of the first access to a line: there is none."""


def lru_hits(
    sectors: npt.ArrayLike, ways: int, sets: int = 1, sectors_per_line: int = 1
) -> npt.NDArray[np.bool_]:
    """Whether accesses hit in an LRU cache whose misses bring in one sector of a line.

    ``sectors`` are numbers of sectors, 0 or more, in order. A sector is there where it was
    accessed since its line was brought in last; with one sector a line, where the stack distance
    is below ``ways``.
    """
    stream = _stream(sectors)
    if ways < 1 or sets < 1 or not 1 <= sectors_per_line <= 62:
        raise ValueError("ways and sets are at least 1, sectors of a line 1 to 62")
    is_listed = ways <= MOST_LISTED and ways * sets <= MOST_HELD
    if not is_listed and stream.size and int(np.ptp(stream)) // sectors_per_line + 1 < sets:
        return ~first_touches(stream)  # each line has a set for itself
    which = _listed_hits if is_listed else _hits
    return np.asarray(which(stream, ways, sets, sectors_per_line))


def first_touches(numbers: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Whether accesses of a stream are to what none before them was to."""
    return np.asarray(_firsts(_stream(numbers)))


def first_touches_of(
    numbers: npt.ArrayLike, groups: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]:
    """The groups in which accesses are the first to their number.

    ``groups`` has for each access those that it is in, a bit for each; so has the result.
    """
    return np.asarray(_firsts_of(_stream(numbers), groups))


def _stream(numbers: npt.ArrayLike) -> Numbers:
    stream = np.ascontiguousarray(numbers, np.int64)
    if stream.ndim != 1 or (stream.size and stream.min() < 0):
        raise ValueError("a stream is one row of numbers, 0 or more")
    return stream


@jit_part
def _slot(keys: Any, key: int) -> Any:
    """The place of a key in a table with open addressing: its own, or a free one."""
    mask = keys.size - 1
    place = (key * np.int64(-7046029254386353131) >> np.int64(17)) & mask
    while keys[place] >= 0 and keys[place] != key:
        place = (place + 1) & mask
    return place


@partial(jit_part, arrays=True)
def _table(n: int) -> Any:
    """Make an empty table for ``n`` keys."""
    size = 16
    while size < 2 * n:
        size *= 2
    return np.full(size, np.int64(-1))


@jit
def _firsts(numbers: Any) -> Any:
    n = numbers.size
    found = np.zeros(n, np.bool_)
    low, span = _range(numbers)
    if span <= DIRECT * n:
        seen = np.zeros(span, np.bool_)
        for k in range(n):
            place = numbers[k] - low
            found[k] = not seen[place]
            seen[place] = True
        return found
    keys = _table(n)
    for k in range(n):
        place = _slot(keys, numbers[k])
        if keys[place] < 0:
            keys[place] = numbers[k]
            found[k] = True
    return found


@jit
def _firsts_of(numbers: Any, groups: Any) -> Any:
    n = numbers.size
    found = np.zeros(n, np.uint8)
    low, span = _range(numbers)
    if span <= DIRECT * n:
        met = np.zeros(span, np.uint8)
        for k in range(n):
            place = numbers[k] - low
            found[k] = groups[k] & ~met[place]
            met[place] |= groups[k]
        return found
    keys = _table(n)
    met = np.zeros(keys.size, np.uint8)
    for k in range(n):
        place = _slot(keys, numbers[k])
        keys[place] = numbers[k]
        found[k] = groups[k] & ~met[place]
        met[place] |= groups[k]
    return found


@jit_part
def _range(numbers: Any) -> Any:
    """The least of some numbers, and how many there are from it to the largest."""
    low, high = np.int64(0), np.int64(-1)
    for k in range(numbers.size):
        low = numbers[k] if k == 0 else min(low, numbers[k])
        high = max(high, numbers[k])
    return low, high - low + 1


@partial(jit_part, arrays=True)
def _distances(lines: Any, sets: int) -> Any:
    """Each access's distance, and the number of its line by first appearance.

    The distance is how many other lines of its set came since the last access to its line, COLD
    where there was none. A line is in the set of its number modulo ``sets``.
    """
    n = lines.size
    keys, number = _table(n), np.empty(n, np.int64)
    numbers = np.empty(keys.size, np.int64)
    known = 0
    first = np.zeros(sets + 1, np.int64)
    for k in range(n):
        place = _slot(keys, lines[k])
        if keys[place] < 0:
            keys[place], numbers[place] = lines[k], known
            known += 1
        number[k] = numbers[place]
        first[lines[k] % sets + 1] += 1
    for s in range(sets):
        first[s + 1] += first[s]

    # Accesses set by set, each set's in order: a tree over those of one set is small.
    order, filled = np.empty(n, np.int64), first[:-1].copy()
    for k in range(n):
        s = lines[k] % sets
        order[filled[s]] = k
        filled[s] += 1

    found = np.empty(n, np.int64)
    last = np.full(known, np.int64(-1))  # the place of a line's last access within its set
    tree = np.zeros(n + 1, np.int64)
    for s in range(sets):
        start, size = first[s], first[s + 1] - first[s]
        tree[: size + 1] = 0
        live = 0  # lines seen, each with a one at its last access
        for at in range(size):
            k = order[start + at]
            before = last[number[k]]
            if before < 0:
                found[k] = COLD
                live += 1
            else:
                upto, i = 0, before + 1
                while i > 0:
                    upto += tree[i]
                    i -= i & -i
                found[k] = live - upto
                i = before + 1
                while i <= size:
                    tree[i] -= 1
                    i += i & -i
            i = at + 1
            while i <= size:
                tree[i] += 1
                i += i & -i
            last[number[k]] = at
    return found, number


@jit
def _hits(sectors: Any, ways: int, sets: int, per_line: int) -> Any:
    """Hits: of the line by its distance, of the sector by what came in since."""
    n = sectors.size
    lines = sectors // per_line
    distances, number = _distances(lines, sets)
    there = np.zeros(n, np.int64)  # by line: its sectors that came in since the line did
    hits = np.empty(n, np.bool_)
    for k in range(n):
        bit = np.int64(1) << (sectors[k] - lines[k] * per_line)
        if distances[k] == COLD or distances[k] >= ways:
            there[number[k]] = 0
        hits[k] = (there[number[k]] & bit) != 0
        there[number[k]] |= bit
    return hits


@jit
def _listed_hits(sectors: Any, ways: int, sets: int, per_line: int) -> Any:
    """The same by lists of the lines in each set, the one that was accessed last first."""
    hits = np.empty(sectors.size, np.bool_)
    held, there = np.empty(sets * ways, np.int64), np.empty(sets * ways, np.int64)
    used = np.zeros(sets, np.int64)
    for k in range(sectors.size):
        line = sectors[k] // per_line
        bit = np.int64(1) << (sectors[k] - line * per_line)
        own = line % sets
        first = own * ways
        end, at = first + used[own], first
        while at < end and held[at] != line:
            at += 1
        present = np.int64(0)
        if at < end:
            present = there[at]
        elif used[own] < ways:
            used[own] += 1
        else:
            at -= 1  # the one that was accessed longest ago has to go
        while at > first:
            held[at], there[at] = held[at - 1], there[at - 1]
            at -= 1
        hits[k] = (present & bit) != 0
        held[first], there[first] = line, present | bit
    return hits
