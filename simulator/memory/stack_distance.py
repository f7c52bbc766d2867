"""Stack distances of a stream of accesses, and what an LRU cache makes of it.

Hybrid-estimation paper, §III-B-3, by reuse-distance theory: in a set-associative LRU cache an
access hits where fewer distinct lines of its set were accessed since its line was than the set has
ways. The stack distance is that number. It is exact and takes O(n log n): a Fenwick tree over the
accesses of a set holds a one at the last access of each line.

Everything jitted stands in this file, as numba's cache does not see changes in another one.
"""

from __future__ import annotations

import math
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

DIRECT_PLACES = 8
"""The same of a table of places, which are four bytes each."""

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


def still_held(lines: float, ways: int, sets: int) -> float:
    """The chance that an LRU cache still has a line after as many others were accessed.

    They fall into sets at random: the line is there where fewer than ``ways`` came into its own
    (Smith 1978; Hill and Smith 1989). Poisson's formula stands for the binomial one.
    """
    mean = lines / sets
    if mean > 700.0:  # exp would be zero; so many are near the mean in each set
        return float(mean < ways)
    term = held = math.exp(-mean)
    for k in range(1, ways):
        term *= mean / k
        held += term
    return min(1.0, held)


def first_touches(numbers: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Whether accesses of a stream are to what none before them was to."""
    stream = _stream(numbers)
    return first_touches_of(stream, np.ones(stream.size, np.uint8)).view(np.bool_)


def first_touches_of(
    numbers: npt.ArrayLike, groups: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]:
    """The groups in which accesses are the first to their number.

    ``groups`` has for each access those that it is in, a bit for each; so has the result.
    """
    stream = _stream(numbers)
    found = np.zeros(stream.size, np.uint8)
    if not stream.size:
        return found
    low, high = int(stream.min()), int(stream.max())
    is_direct = high - low < DIRECT * stream.size
    keys = np.zeros(0, np.int64) if is_direct else _table(stream.size)
    met = np.zeros(high - low + 1 if is_direct else keys.size, np.uint8)
    _put_firsts(stream, groups, low, keys, met, found)
    return found


def previous_touches(numbers: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """The place of the access before each one that is to the same number; COLD without one."""
    stream = _stream(numbers)
    found = np.empty(stream.size, np.int32)
    if not stream.size:
        return found
    low, high = int(stream.min()), int(stream.max())
    is_direct = high - low < DIRECT_PLACES * stream.size
    keys = np.zeros(0, np.int64) if is_direct else _table(stream.size)
    last = np.full(high - low + 1 if is_direct else keys.size, COLD, np.int32)
    _put_previous(stream, low, keys, last, found)
    return found


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


def _table(n: int) -> Numbers:
    """Make an empty table for ``n`` keys."""
    return np.full(max(16, 1 << (2 * n - 1).bit_length()), -1, np.int64)


@partial(jit, arrays=False)
def _put_firsts(numbers: Any, groups: Any, low: int, keys: Any, met: Any, found: Any) -> None:
    """Find first touches. Without ``keys`` a number has its place by how far it is from ``low``."""
    for k in range(numbers.size):
        place = numbers[k] - low
        if keys.size:
            place = _slot(keys, numbers[k])
            keys[place] = numbers[k]
        found[k] = groups[k] & ~met[place]
        met[place] |= groups[k]


@partial(jit, arrays=False)
def _put_previous(numbers: Any, low: int, keys: Any, last: Any, found: Any) -> None:
    """Find the accesses before. ``keys`` as ``_put_firsts`` has them."""
    for k in range(numbers.size):
        place = numbers[k] - low
        if keys.size:
            place = _slot(keys, numbers[k])
            keys[place] = numbers[k]
        found[k] = last[place]
        last[place] = k


def _distances(lines: Numbers, sets: int) -> tuple[Numbers, Numbers]:
    """Each access's distance, and the number of its line by first appearance.

    The distance is how many other lines of its set came since the last access to its line, COLD
    where there was none. A line is in the set of its number modulo ``sets``.
    """
    n, keys = lines.size, _table(lines.size)
    found, number = np.empty(n, np.int64), np.empty(n, np.int64)
    numbers, last = np.empty(keys.size, np.int64), np.full(n, -1, np.int64)
    first, order = np.zeros(sets + 2, np.int64), np.empty(n, np.int64)
    tree = np.zeros(n + 1, np.int64)
    _put_distances(lines, sets, keys, numbers, number, first, order, last, tree, found)
    return found, number


@partial(jit, arrays=False)
def _put_distances(  # noqa: PLR0913, PLR0917 - arrays, as jitted functions take them
    lines: Any,
    sets: int,
    keys: Any,
    numbers: Any,
    number: Any,
    first: Any,
    order: Any,
    last: Any,
    tree: Any,
    found: Any,
) -> None:
    """Find distances. ``last`` is the place of a line's last access within its set, else -1."""
    n, known = lines.size, 0
    for k in range(n):
        place = _slot(keys, lines[k])
        if keys[place] < 0:
            keys[place], numbers[place] = lines[k], known
            known += 1
        number[k] = numbers[place]
        first[lines[k] % sets + 2] += 1
    for s in range(sets):
        first[s + 2] += first[s + 1]

    # Accesses set by set, each set's in order: a tree over those of one set is small.
    for k in range(n):
        own = lines[k] % sets + 1  # where the next one of the set goes, and at last its end
        order[first[own]] = k
        first[own] += 1

    for s in range(sets):
        start, size = first[s], first[s + 1] - first[s]
        for k in range(size + 1):
            tree[k] = 0
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


def _hits(sectors: Numbers, ways: int, sets: int, per_line: int) -> npt.NDArray[np.bool_]:
    """Hits: of the line by its distance, of the sector by what came in since."""
    lines = sectors // per_line
    distances, number = _distances(lines, sets)
    bits = np.left_shift(1, sectors - lines * per_line)
    goes_in = (distances == COLD) | (distances >= ways)
    hits = np.empty(sectors.size, np.bool_)
    _put_hits(goes_in, number, bits, np.zeros(sectors.size, np.int64), hits)
    return hits


@partial(jit, arrays=False)
def _put_hits(goes_in: Any, number: Any, bits: Any, there: Any, hits: Any) -> None:
    """Find hits. ``there`` are by line its sectors that came in since the line did."""
    for k in range(number.size):
        if goes_in[k]:
            there[number[k]] = 0
        hits[k] = (there[number[k]] & bits[k]) != 0
        there[number[k]] |= bits[k]


def _listed_hits(sectors: Numbers, ways: int, sets: int, per_line: int) -> npt.NDArray[np.bool_]:
    """The same by lists of the lines in each set, the one that was accessed last first."""
    held, there = np.empty(sets * ways, np.int64), np.empty(sets * ways, np.int64)
    hits, used = np.empty(sectors.size, np.bool_), np.zeros(sets, np.int64)
    _put_listed_hits(sectors, ways, per_line, held, there, used, hits)
    return hits


@partial(jit, arrays=False)
def _put_listed_hits(
    sectors: Any, ways: int, per_line: int, held: Any, there: Any, used: Any, hits: Any
) -> None:
    """Find hits. ``held`` and ``there`` are the lines of each set and their sectors."""
    sets = used.size
    inverse = 1.0 / sets
    shift = 0  # a division takes long
    while 1 << shift < per_line:
        shift += 1
    shifts = 1 << shift == per_line
    in_order = sets & (sets - 1) == 0
    for k in range(sectors.size):
        line = sectors[k] >> shift if shifts else sectors[k] // per_line
        bit = np.int64(1) << (sectors[k] - line * per_line)
        own = line & (sets - 1)
        if not in_order:  # the quotient by a product is about right
            own = line - np.int64(line * inverse) * sets
            while own < 0:
                own += sets
            while own >= sets:
                own -= sets
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
