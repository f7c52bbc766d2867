"""What an access finds in the cells of its memory, and leaves there.

The lanes of an access are decided all at once where two readers of each cell are known already, or
where their cells run on from one to the next and nobody else has touched them since the last
barrier. All others go one by one, and those that this does not decide cell by cell.
"""


# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from typing import Any

from warpmill.executor.sanitizers.callbacks import inlined, part
from warpmill.executor.sanitizers.log import watch_at
from warpmill.executor.sanitizers.race_barriers import words_of
from warpmill.executor.sanitizers.race_records import (
    AGENT_BITS,
    GRANULE_BYTES,
    NARROW,
    PAGE_SHIFT,
    PLANES,
    STRONG,
    WRITES,
    bytes_at,
    cta_at,
    races_at,
    words_at,
)
from warpmill.executor.sanitizers.race_releases import knows


@inlined
def runs(places: Any, width: int, lane: int, lanes: int) -> bool:
    """Whether each of the lanes from one on is at ``width`` bytes after the one before."""
    apart = 0
    for k in range(lanes):
        apart |= places[lane + k] ^ (places[lane] + k * width)
    return apart == 0


@inlined
def is_known(run: Any, cta: Any, own: Any) -> bool:
    """Whether loads of shared memory by all lanes are near the last writes, and tell no more.

    As most loads of a tile that all threads go through: two readers of each cell are known.
    """
    memory, places, races = cta.shared, words_at(own.where), races_at(watch_at(run.sanitizer).races)
    lanes, width, last = run.lanes, own.width, memory.end - own.width
    is_one = runs(places, 0, 0, lanes)
    if own.agent or (not is_one and own.bits != (-1 if lanes == 64 else (1 << lanes) - 1)):
        return False
    apart = outside = 0
    for k in range(lanes):
        apart |= places[k]
        outside |= (places[k] < 0) | (places[k] > last)
    if outside:
        return False
    cells, plane, shift = memory.granules, memory.granule_plane, 1
    if memory.split:
        pages, cells, plane, shift = bytes_at(memory.pages), memory.bytes, memory.byte_plane, 3
        for k in range(lanes):
            if not pages[places[k] >> PAGE_SHIFT] & pages[places[k] + width - 1 >> PAGE_SHIFT]:
                return False
    elif (apart | width) & GRANULE_BYTES - 1:
        return False
    floor = cta.floor + 1 << races.time_shift
    who = (1 << races.time_shift) - (1 << races.thread_shift)
    each = width << shift >> 3
    if is_one:
        return _two_know(cells + (places[0] << shift), plane, each, floor, who)
    if runs(places, width, 0, lanes):
        return _two_know(cells + (places[0] << shift), plane, each * lanes, floor, who)
    for k in range(lanes):
        if not _two_know(cells + (places[k] << shift), plane, each, floor, who):
            return False
    return True


@inlined
def _two_know(start: int, plane: int, count: int, floor: int, who: int) -> bool:
    """Whether all writes of cells are before a time, and two threads have read each since."""
    writes, first, second = words_at(start), words_at(start + plane), words_at(start + 2 * plane)
    untold = 0
    for k in range(count):
        one, two = first[k], second[k]
        untold |= (writes[k] >= floor) | (one < floor) | (two < floor)
        untold |= ((one ^ two) & who == 0) | ((one | two) & STRONG != 0)
    return untold == 0


@inlined
def _is_apart(own: Any, stamp: int, mine: int) -> int:
    """Whether a stamp is neither of this interval's past, nor of the same thread, nor 0."""
    apart = stamp ^ mine
    limit = own.copy_floor if stamp & own.agents else own.floor
    near = (stamp < limit) & (apart & own.ctas == 0)
    near |= apart & own.who == 0
    found: int = (stamp != 0) & (not near)
    return found


@inlined
def _cells(own: Any, memory: Any, lane: int, lanes: int) -> tuple[int, int, int]:
    """Where the cells of lanes whose accesses run on are, the bytes of a plane, how many a lane.

    Address 0 where they are of several kinds, or an access is of a part of one.
    """
    offset = words_at(own.where)[lane] - own.first
    pages, width = bytes_at(memory.pages), own.width
    first, last = offset >> PAGE_SHIFT, offset + lanes * width - 1 >> PAGE_SHIFT
    kind = pages[first]
    for page in range(first + 1, last + 1):
        if pages[page] != kind:
            return 0, 0, 0
    if kind:
        return memory.bytes + 8 * offset, memory.byte_plane, width
    if (offset | width) & (GRANULE_BYTES - 1):
        return 0, 0, 0
    start = memory.granules + offset // GRANULE_BYTES * 8
    return start, memory.granule_plane, width // GRANULE_BYTES


@inlined
def quick(own: Any, memory: Any, lane: int, lanes: int) -> bool:
    """Check lanes whose cells run on at once; whether all are alike, and none is apart."""
    start, plane, each = _cells(own, memory, lane, lanes)
    steps = 0
    while 1 << steps < each:
        steps += 1
    if not start or own.number & STRONG or 1 << steps != each:
        return False
    first = own.stamp + (lane << own.thread_shift)
    if own.number & WRITES:
        return _store_run(own, start, plane, lanes << steps, steps, first)
    return _load_run(own, start, plane, lanes << steps, steps, first)


@inlined
def _store_run(own: Any, start: int, plane: int, count: int, steps: int, stamp: int) -> bool:
    """Check stores to ``count`` cells, of which each lane has ``1 << steps``."""
    writes, first, second = words_at(start), words_at(start + plane), words_at(start + 2 * plane)
    shift = own.thread_shift
    apart = others = 0
    for k in range(count):
        mine = stamp + ((k >> steps) << shift)
        apart |= _is_apart(own, writes[k], mine)
        others |= first[k] | second[k]
    if others:
        for k in range(count):
            mine = stamp + ((k >> steps) << shift)
            apart |= _is_apart(own, first[k], mine)
            apart |= _is_apart(own, second[k], mine)
    if apart:
        return False
    for k in range(count):
        writes[k] = stamp + ((k >> steps) << shift)
    if others:  # else there is nothing there, and maybe no page
        for k in range(count):
            first[k] = 0
            second[k] = 0
    return True


@inlined
def _load_run(own: Any, start: int, plane: int, count: int, steps: int, stamp: int) -> bool:
    """Check loads of ``count`` cells, of which each lane has ``1 << steps``."""
    writes, first, second = words_at(start), words_at(start + plane), words_at(start + 2 * plane)
    shift = own.thread_shift
    apart = changes = strong = lacks = others = 0
    for k in range(count):
        mine = stamp + ((k >> steps) << shift)
        apart |= _is_apart(own, writes[k], mine)
        changes |= _is_apart(own, first[k], mine)
        strong |= first[k] & STRONG
    if apart or strong:
        return False
    if not changes:
        for k in range(count):
            first[k] = stamp + ((k >> steps) << shift)
        return True
    for k in range(count):
        mine = stamp + ((k >> steps) << shift)
        one, two = first[k], second[k]
        lacking = _lacks(own, one, two, mine)
        lacks |= lacking
        others |= lacking & _is_apart(own, one, mine) & _is_apart(own, two, mine)
        strong |= two & STRONG
    if strong or others:
        return False
    if lacks:
        for k in range(count):
            mine = stamp + ((k >> steps) << shift)
            one, two = first[k], second[k]
            lacking, is_apart = _lacks(own, one, two, mine), _is_apart(own, one, mine)
            first[k] = mine if lacking & (not is_apart) else one
            second[k] = mine if lacking & is_apart else two
    return True


@inlined
def _lacks(own: Any, one: int, two: int, mine: int) -> int:
    """Whether an access more than two is worth to be known.

    It is not where these are of two CTAs, or of two threads that nobody of the CTA knows of yet.
    Where there is no first, there is no second.
    """
    apart = one ^ two
    fresh = (one >= own.floor) & (two >= own.floor) & ((one ^ mine) & own.ctas == 0)
    enough = (apart & own.ctas != 0) | ((apart & own.who != 0) & fresh)
    found: int = (two == 0) | (not enough)
    return found


@inlined
def settle(own: Any, memory: Any, bits: int, lane: int, lanes: int) -> int:
    """Check lanes whose accesses are of whole cells, one by one; the bits of those left over."""
    left = 0
    places, first, shift, width = words_at(own.where), own.first, own.thread_shift, own.width
    granules, plane, granule_count = memory.granules, memory.granule_plane, width // GRANULE_BYTES
    pages, number, size = bytes_at(memory.pages), own.number, memory.end - memory.first - width
    is_load = not number & (STRONG | WRITES)
    for k in range(lane, lane + lanes):
        offset = places[k] - first
        if not bits >> k & 1 or offset < 0 or offset > size:
            continue
        alike = is_load and k > lane + 1 and places[k - 1] == places[k] == places[k - 2]
        if alike and bits >> k - 2 & 3 == 3:  # two readers of a place are enough
            left |= (left >> k - 1 & 1) << k
            continue
        start, step, count = granules + 2 * offset, plane, granule_count
        kind = pages[offset >> PAGE_SHIFT]
        plain = kind == pages[offset + width - 1 >> PAGE_SHIFT]
        if kind:
            start, step, count = memory.bytes + 8 * offset, memory.byte_plane, width
        else:
            plain &= (offset | width) & (GRANULE_BYTES - 1) == 0
        if not plain or not _settled(own, start, step, count, own.stamp + (k << shift)):
            left |= 1 << k
            if not is_load:  # a lane after it may write the same place, and hide what was there
                return left | bits >> k << k
    return left


@inlined
def _settled(own: Any, start: int, plane: int, count: int, mine: int) -> bool:
    """Check a lane's access cell by cell; whether all are plain."""
    for cell in range(start, start + 8 * count, 8):
        if own.number & STRONG:
            done = count == 1 and _changed(own, cell, plane, mine)
        elif own.number & WRITES:
            done = _stored(own, cell, plane, mine)
        else:
            done = _loaded(own, cell, plane, mine)
        if not done:
            return False
    return True


@inlined
def _stored(own: Any, start: int, plane: int, mine: int) -> bool:
    """Check a store to a cell; whether nothing is apart."""
    writes, first, second = words_at(start), words_at(start + plane), words_at(start + 2 * plane)
    apart = _is_apart(own, writes[0], mine)
    apart |= _is_apart(own, first[0], mine) | _is_apart(own, second[0], mine)
    if apart:
        return False
    writes[0] = mine
    if first[0] | second[0]:
        first[0], second[0] = 0, 0
    return True


@inlined
def _loaded(own: Any, start: int, plane: int, mine: int) -> bool:
    """Check a load of a cell; whether that is plain."""
    writes, first, second = words_at(start), words_at(start + plane), words_at(start + 2 * plane)
    if _is_apart(own, writes[0], mine):
        return False
    one, two = first[0], second[0]
    if (one | two) & STRONG:
        return False
    if _lacks(own, one, two, mine):
        if not _is_apart(own, one, mine):
            first[0] = mine
        elif not _is_apart(own, two, mine):
            second[0] = mine
        else:
            return False
    return True


@inlined
def _changed(own: Any, start: int, plane: int, mine: int) -> bool:
    """Check a strong access of a cell; whether two others like it are known."""
    writes, first, second = words_at(start), words_at(start + plane), words_at(start + 2 * plane)
    one, two = first[0], second[0]
    kind = STRONG | WRITES
    if (one | two | mine) & NARROW or one & kind != mine & kind or _is_apart(own, writes[0], mine):
        return False
    if not _is_apart(own, one, mine) and not _is_apart(own, two, mine):
        first[0] = mine
        return True
    return bool(two & kind == mine & kind and not _lacks(own, one, two, mine))


@part
def touch(races: Any, run: Any, memory: Any, offset: int, width: int, own: int) -> int:
    """Check all cells of one lane's access; gives the stamp that the first is in conflict with."""
    found = 0
    pages = bytes_at(memory.pages)
    place, end = offset, offset + width
    while place < end:
        page = place >> PAGE_SHIFT
        whole = place & (GRANULE_BYTES - 1) == 0 and end - place >= GRANULE_BYTES
        if not whole and not pages[page]:
            _split(memory, page)
        if pages[page]:
            start, plane = memory.bytes + 8 * place, memory.byte_plane
            place += 1
        else:
            start, plane = memory.granules + 8 * (place // GRANULE_BYTES), memory.granule_plane
            place += GRANULE_BYTES
        stamp = _cell(races, run, words_at(start), words_at(start + plane),
                      words_at(start + 2 * plane), own)  # fmt: skip
        if stamp and not found:
            found = stamp
    return found


@part
def _split(memory: Any, page: int) -> None:
    """Give each byte of a page a cell of its own, as those of its granules were."""
    bytes_at(memory.pages)[page] = 1
    memory.split = 1
    size = 1 << PAGE_SHIFT
    for plane in range(PLANES):
        granules = words_at(memory.granules + plane * memory.granule_plane)
        single = words_at(memory.bytes + plane * memory.byte_plane)
        for k in range(page * size, (page + 1) * size):
            if granules[k // GRANULE_BYTES]:  # else there may be no page of memory yet
                single[k] = granules[k // GRANULE_BYTES]


@part
def _cell(races: Any, run: Any, write: Any, first: Any, second: Any, own: int) -> int:
    """Check one cell and leave the access there; gives the stamp that it is in conflict with."""
    found = 0
    stamp = write[0]
    if stamp and not ordered(races, run, stamp, own):
        found = stamp
    near_first = not first[0] or ordered(races, run, first[0], own)
    near_second = not second[0] or ordered(races, run, second[0], own)
    if not near_first and not found and _conflict(races, first[0], own):
        found = first[0]
    if not near_second and not found and _conflict(races, second[0], own):
        found = second[0]
    if own & WRITES and not own & STRONG:
        write[0], first[0], second[0] = own, 0, 0
    elif near_first and _covers(own, first[0]):
        first[0] = own
    elif (near_second and _covers(own, second[0])) or _is_better(races, first[0], second[0], own):
        second[0] = own
    return found


@part
def _covers(own: int, stamp: int) -> bool:
    """Whether what conflicts with an earlier access conflicts with this one too."""
    if not stamp:
        return True
    if own & STRONG:
        as_much = own & WRITES >= stamp & WRITES and own & NARROW >= stamp & NARROW
        return bool(stamp & STRONG and as_much)
    return not stamp & STRONG


@part
def _is_better(races: Any, first: int, second: int, own: int) -> bool:
    """Whether two accesses are farther apart with this one in the second's place."""
    if (first ^ second) & STRONG:
        return False
    if (first ^ own) & STRONG:
        return True
    if (first ^ second) & NARROW:
        return False
    if (first ^ own) & NARROW:
        return True
    same_cta = (1 << races.time_shift) - (1 << races.cta_shift)
    if (first ^ second) & same_cta:
        return False
    return bool((first ^ own) & same_cta)


@part
def ordered(races: Any, run: Any, stamp: int, own: int) -> bool:
    """Whether an earlier access is known to be over by the thread of this one."""
    apart = (stamp ^ own) & (1 << races.time_shift) - 1
    if apart >> races.thread_shift == 0:
        return True
    cta = cta_at(run.cta_races)
    threads = (1 << races.cta_shift - AGENT_BITS - races.thread_shift) - 1
    agent = stamp >> races.cta_shift - AGENT_BITS & (1 << AGENT_BITS) - 1
    time = stamp >> races.time_shift
    one, other = stamp >> races.thread_shift & threads, own >> races.thread_shift & threads
    node = words_at(cta.nodes)[other] if races.syncs else 0
    if apart >> races.cta_shift:
        ctas = (1 << races.time_shift - races.cta_shift) - 1
        known = node and knows(races, node, stamp >> races.cta_shift & ctas, one, time)
        return bool(known or not races.between)
    if not races.within or (node and knows(races, node, run.cta, one, time)):
        return True
    row = words_at(cta.rows)[other]
    if agent:
        number = agent * cta.threads + one
        if time <= words_at(cta.copies_known)[number - cta.threads]:
            return True
        if one == other and time <= words_at(cta.waited)[number - cta.threads]:
            return True
        return bool(row and time <= words_of(cta, row)[number])
    if time <= cta.floor or one == other:
        return True
    if row and time <= words_of(cta, row)[one]:
        return True
    if one // run.lanes != other // run.lanes:
        return False
    if time <= words_at(cta.warp_floors)[one // run.lanes]:
        return True
    same_instruction = (stamp ^ own) & ~(threads << races.thread_shift) == 0
    return bool(races.lockstep and not same_instruction)


@part
def _conflict(races: Any, stamp: int, own: int) -> bool:
    """Whether one of two accesses that nothing orders writes, and not both are strong enough."""
    if not (stamp | own) & WRITES:
        return False
    if not stamp & own & STRONG:
        return True
    return bool(not _reaches(races, stamp, own))


@part
def _reaches(races: Any, stamp: int, own: int) -> bool:
    """Whether the scopes of two strong accesses hold the threads of both."""
    if not (stamp ^ own) & (1 << races.time_shift) - (1 << races.cta_shift):
        return True
    return not (stamp | own) & NARROW
