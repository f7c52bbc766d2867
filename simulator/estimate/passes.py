"""Passes over the accesses and transactions of a round that would take many each in NumPy.

Everything jitted for them stands in this file, as numba's cache does not see changes in another
one. Arrays are as ``Transactions`` and ``wave_traffic`` have them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.jit import jit

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Tally(NamedTuple):
    """Transactions of a wave, counted.

    By point of the kernel: ``touched`` all, ``missed`` those that are read from DRAM, ``filled``
    stores to a part of a sector that is read there first, ``written`` first stores to a sector;
    ``looked_at`` accesses that L2 was asked for, ``waiting`` those of them that miss something;
    ``begun`` sectors that are touched for the first time, by a load or an atomic, ``beginning`` the
    accesses that have some;
    ``region_of`` has the region of most transactions. ``region_first`` are by region the sectors
    that are touched for the first time, ``region_read`` those of them by a load or an atomic.
    ``readable`` counts the first touches of sectors that may be read.
    """

    touched: Numbers
    missed: Numbers
    filled: Numbers
    written: Numbers
    looked_at: Numbers
    waiting: Numbers
    begun: Numbers
    beginning: Numbers
    region_of: Numbers
    region_first: Numbers
    region_read: Numbers
    readable: int


@jit
def in_turn(warp_events: Numbers, event_access: Numbers, warps_per_cta: int, resident: int) -> Any:
    """Give the warp of each access, and the accesses in the order in which warps make them.

    Warps go in step, one event each in turn, so many CTAs at a time; what comes at once comes in
    the order of its number.
    """
    warps, accesses = warp_events.size - 1, event_access[-1]
    longest = np.int64(1)
    for w in range(warps):
        longest = max(longest, warp_events[w + 1] - warp_events[w] + 1)
    warp, turn = np.empty(accesses, np.int64), np.empty(accesses, np.int64)
    last = np.int64(0)
    for w in range(warps):
        begin = w // warps_per_cta // resident * longest - warp_events[w]
        for event in range(warp_events[w], warp_events[w + 1]):
            for access in range(event_access[event], event_access[event + 1]):
                warp[access], turn[access] = w, begin + event
                last = max(last, begin + event)
    if last > 4 * accesses + 1024:  # too many turns without accesses to count them all
        return warp, np.argsort(turn, kind="mergesort")
    place = np.zeros(last + 2, np.int64)
    for access in range(accesses):
        place[turn[access] + 1] += 1
    for k in range(last + 1):
        place[k + 1] += place[k]
    order = np.empty(accesses, np.int64)
    for access in range(accesses):
        order[place[turn[access]]] = access
        place[turn[access]] += 1
    return warp, order


@jit
def spread(
    accesses: Numbers, shape: Any, first: Any, base: Numbers, offset: Any, mask: int
) -> tuple[Numbers, Numbers, Numbers]:
    """Give the granules of accesses, the access of each, and its number among all of its shape.

    Transactions of shape s are those from ``first[s]`` on, at ``offset`` from an access's base.
    """
    whole = np.int64(0)
    for access in accesses:
        whole += first[shape[access] + 1] - first[shape[access]]
    granule, owner = np.empty(whole, np.int64), np.empty(whole, np.int64)
    place = np.empty(whole, np.int64)
    n = 0
    for access in accesses:
        for k in range(first[shape[access]], first[shape[access] + 1]):
            granule[n] = (offset[k] + base[access]) & mask
            owner[n], place[n] = access, k
            n += 1
    return granule, owner, place


@jit
def regions_of(sectors: Numbers, bytes_: int, starts: Numbers, ends: Numbers, own: int) -> Numbers:
    """Give the number of the region that each sector lies in, of so many bytes each.

    Regions ascend; behind them comes that of local memory, from sector ``own`` on, and what lies
    in none.
    """
    count = starts.size
    found = np.empty(sectors.size, np.int64)
    last = -1  # neighbours mostly lie in one region
    for k in range(sectors.size):
        if sectors[k] >= own:
            found[k] = count
            continue
        low = sectors[k] * bytes_
        high = low + bytes_ - 1
        if last < 0 or starts[last] > high or (last + 1 < count and starts[last + 1] <= high):
            last = np.searchsorted(starts, high, side="right") - 1
        found[k] = last if last >= 0 and low < ends[last] else count + 1
    return found


@jit
def some_sets(granules: Numbers, per_line: int, every: int) -> tuple[Numbers, Flags]:
    """Give the granules of every so many lines, mixed as ``l1.mixed`` does; and which they are.

    Their lines are numbered anew, one after another.
    """
    kept = np.empty(granules.size, np.bool_)
    stream = np.empty(granules.size, np.int64)
    n = 0
    for k in range(granules.size):
        line = granules[k] // per_line
        sector = granules[k] - line * per_line
        line ^= (line >> 5) ^ (line >> 11) ^ (line >> 23)
        kept[k] = every == 1 or line % every == 0
        if kept[k]:
            stream[n] = line // every * per_line + sector
            n += 1
    return stream[:n].copy(), kept


@jit
def rows_of_banks(
    sectors: Numbers, chosen: Flags, bytes_: int, stretch: int, channels: int, page: int
) -> Numbers:
    """Give a number for the row of a DRAM bank that each of the chosen sectors lies in.

    Of neighbours in one stretch the first alone.
    """
    found = np.empty(sectors.size, np.int64)
    n, last = 0, np.int64(-1)
    whole_rows = page * channels % stretch == 0  # a stretch lies in one row then
    for k in range(sectors.size):
        if chosen[k]:
            address = sectors[k] * bytes_
            piece = address // stretch
            if whole_rows and piece == last:
                continue
            last = piece
            found[n] = address // (page * channels) * channels + piece % channels
            n += 1
    return found[:n].copy()


@jit
def tally(  # noqa: PLR0913, PLR0917 - as above
    point: Any,
    stores: Flags,
    owner: Numbers,
    region: Numbers,
    whole: Flags,
    looked_at: Flags,
    hits: Flags,
    first: Flags,
    stored: Flags,
    points: int,
    regions: int,
) -> Any:
    """Count the transactions of a wave (``Tally``).

    ``point`` is that of each access, and ``stores`` whether it does nothing but store. All else is
    of transactions: whether every byte is touched, L2 was asked for it, it hits; and whether it is
    the first touch, the first store.
    """
    touched, missed = np.zeros(points, np.int64), np.zeros(points, np.int64)
    filled, written = np.zeros(points, np.int64), np.zeros(points, np.int64)
    of_both = np.zeros((points, regions), np.int64)
    region_first, region_read = np.zeros(regions, np.int64), np.zeros(regions, np.int64)
    asked, waits = np.zeros(point.size, np.bool_), np.zeros(point.size, np.bool_)
    begun, begins = np.zeros(points, np.int64), np.zeros(point.size, np.bool_)
    readable = 0
    for k in range(owner.size):
        access = owner[k]
        at, where = point[access], region[k]
        touched[at] += 1
        of_both[at, where] += 1
        region_first[where] += first[k]
        if first[k] and not stores[access]:
            region_read[where] += 1
            begun[at] += 1
            begins[access] = True
        written[at] += stored[k]
        readable += first[k] and not (stores[access] and whole[k])
        if not looked_at[k]:
            continue
        asked[access] = True
        if hits[k]:
            continue
        if not stores[access]:
            missed[at] += 1
            waits[access] = True
        elif not whole[k]:
            filled[at] += 1
    asked_at, waiting = np.zeros(points, np.int64), np.zeros(points, np.int64)
    beginning = np.zeros(points, np.int64)
    for access in range(point.size):
        asked_at[point[access]] += asked[access]
        waiting[point[access]] += waits[access]
        beginning[point[access]] += begins[access]
    region_of = np.zeros(points, np.int64)
    for at in range(points):
        for where in range(regions):
            if of_both[at, where] > of_both[at, region_of[at]]:
                region_of[at] = where
    return (touched, missed, filled, written, asked_at, waiting, begun, beginning, region_of,
            region_first, region_read, readable)  # fmt: skip


@jit
def distinct_lines(
    owner: Numbers, granule: Numbers, granules_per_line: int, accesses: int
) -> Numbers:
    """Count the lines that each access touches; transactions of an access follow one another."""
    lines = np.zeros(accesses, np.int64)
    begin = 0
    for k in range(owner.size):
        if owner[k] != owner[begin]:
            begin = k
        line = granule[k] // granules_per_line
        known = False
        for before in range(k - 1, begin - 1, -1):  # mostly the one before
            if granule[before] // granules_per_line == line:
                known = True
                break
        lines[owner[k]] += not known
    return lines


@jit
def evenly(
    order: Numbers,
    point: Any,
    asks: Flags,
    share: npt.NDArray[np.float64],
    step: float,
    more: float,
) -> Flags:
    """Choose a share of the accesses of each point that ask, one by one in an order.

    They are spread by steps of an irrational number, without a period.
    """
    found = np.zeros(point.size, np.bool_)
    number = np.zeros(share.size, np.int64)
    for access in order:
        if asks[access]:
            at = point[access]
            number[at] += 1
            found[access] = share[at] + number[at] * step % 1.0 + more >= 1.0
    return found
