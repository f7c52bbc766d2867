"""Accesses compared with those before them that no synchronisation orders: callbacks of racecheck.

A warp's access is checked before it is made: memory still holds what was written last. Most are
of lanes that run on from one to the next, whose cells nobody else has touched in this interval
between barriers: these are decided for all lanes at once. All others go cell by cell.
"""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from typing import Any

from warpmill.analyzer.launch.numbering import GLOBAL_BASE, SHARED_WINDOW, WINDOW_BYTES
from warpmill.executor.sanitizers.callbacks import callback, inlined, part
from warpmill.executor.sanitizers.log import noted, run_at, watch_at
from warpmill.executor.sanitizers.race_barriers import begun, words_of
from warpmill.executor.sanitizers.race_records import (
    ACCESS_FLAGS,
    AGENT_BITS,
    BULK_READS,
    GRANULE_BYTES,
    MEMORY_BYTES,
    NARROW,
    PAGE_SHIFT,
    PLANES,
    STRONG,
    WRITES,
    access_at,
    bytes_at,
    cta_at,
    memory_at,
    races_at,
    words_at,
)
from warpmill.executor.sanitizers.race_releases import knows, synchronise

RACE, SAME_VALUE, NARROW_SCOPE, COPY, PROXY = 101, 102, 103, 104, 105
"""Kinds of the rows of racecheck."""

IN_SHARED, HAS_VALUE, HAS_OTHER = 1, 2, 4
"""What ``extra`` of a row says: it is shared memory, the two values are known."""

SHARED, GLOBAL, GENERIC = 0, 1, 2
"""Spaces by the numbers that native code gives."""

_HALF = 16  # lanes: rows of tiles are often as long
_HALF_BITS = (1 << _HALF) - 1
_FEW = 8  # lanes that run on from one to the next that are worth to be looked at together


@callback("warpmill.race.access")
def access(ctx: int, asked: int) -> None:
    """Check a warp's access (``WARP_ACCESS``)."""
    run: Any = run_at(ctx)
    cta = begun(run)
    own = access_at(asked)
    if own.agent:
        races = races_at(watch_at(run.sanitizer).races)
        first = (own.agent - 1) * cta.threads + run.warp * run.lanes
        for lane in range(run.lanes):
            if own.bits >> lane & 1:
                words_at(cta.begun)[first + lane] = races.now
    if own.space == SHARED:
        own.first = 0
        if not own.number & (STRONG | WRITES) and _is_known(run, cta, own):
            return
        _check(run, own, cta.shared, own.bits, True)
    elif own.space == GLOBAL:
        _check_global(run, own, own.bits)
    else:
        _check_generic(run, own, cta.shared)


@inlined
def _is_known(run: Any, cta: Any, own: Any) -> bool:
    """Whether loads of shared memory by all lanes are near the last writes, and tell no more.

    As most loads of a tile that all threads go through: two readers of each cell are known.
    """
    memory, places, races = cta.shared, words_at(own.where), races_at(watch_at(run.sanitizer).races)
    lanes, width, last = run.lanes, own.width, memory.end - own.width
    is_one = _runs(places, 0, 0, lanes)
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
        return _is_told(cells + (places[0] << shift), plane, each, floor, who)
    if _runs(places, width, 0, lanes):
        return _is_told(cells + (places[0] << shift), plane, each * lanes, floor, who)
    for k in range(lanes):
        if not _is_told(cells + (places[k] << shift), plane, each, floor, who):
            return False
    return True


@inlined
def _is_told(start: int, plane: int, count: int, floor: int, who: int) -> bool:
    """Whether all writes of cells are before a time, and two threads have read each since."""
    writes, first, second = words_at(start), words_at(start + plane), words_at(start + 2 * plane)
    untold = 0
    for k in range(count):
        one, two = first[k], second[k]
        untold |= (writes[k] >= floor) | (one < floor) | (two < floor)
        untold |= ((one ^ two) & who == 0) | ((one | two) & STRONG != 0)
    return untold == 0


@part
def _check_generic(run: Any, own: Any, shared: Any) -> None:
    """Check the lanes by the space that their generic addresses are in."""
    places = words_at(own.where)
    in_shared, in_global = 0, 0
    for lane in range(run.lanes):
        if own.bits >> lane & 1:
            if places[lane] >= GLOBAL_BASE:
                in_global |= 1 << lane
            elif 0 <= places[lane] - SHARED_WINDOW < WINDOW_BYTES:
                in_shared |= 1 << lane
    if in_shared:
        own.first = SHARED_WINDOW
        _check(run, own, shared, in_shared, True)
    if in_global:
        _check_global(run, own, in_global)


# Where an access is.


@inlined
def _check_global(run: Any, own: Any, bits: int) -> None:
    """Check the lanes of each allocation; what is in none is memcheck's."""
    races = races_at(watch_at(run.sanitizer).races)
    cache = words_at(races.caches)
    places = words_at(own.where)
    site = own.number >> ACCESS_FLAGS
    left = bits
    while left:
        low = 0
        while not left >> low & 1:
            low += 1
        found = cache[site]
        if not found or not _holds(memory_at(found), places[low]):
            found = _find(races, places[low])
            if not found:
                left &= ~(1 << low)
                continue
            cache[site] = found
        memory = memory_at(found)
        here, outside = left, 0
        for lane in range(run.lanes):
            outside |= (places[lane] < memory.first) | (places[lane] >= memory.end)
        if outside:
            here = 0
            for lane in range(low, run.lanes):
                if left >> lane & 1 and _holds(memory, places[lane]):
                    here |= 1 << lane
        left &= ~here
        if memory.unwritten:
            if not own.number & WRITES:
                continue
            memory.unwritten, races.surprised = 0, 1
        own.first = memory.first
        _check(run, own, memory, here, False)


@inlined
def _holds(memory: Any, address: int) -> bool:
    return bool(memory.first <= address < memory.end)


@part
def _find(races: Any, address: int) -> int:
    """Address of the row of the allocation that an address is in; 0: none."""
    low, high = 0, races.memory_count
    while low < high:
        middle = (low + high) // 2
        if memory_at(races.memories + middle * MEMORY_BYTES).first <= address:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return 0
    found: int = races.memories + (low - 1) * MEMORY_BYTES
    return found if address < memory_at(found).end else 0


@part
def _check(run: Any, own: Any, memory: Any, bits: int, is_shared: bool) -> None:
    """Check lanes whose accesses are in one memory, which begins at ``first``."""
    races = races_at(watch_at(run.sanitizer).races)
    _prepare(races, run, own, is_shared)
    lane = 0
    while lane < run.lanes:
        count = _running_on(own, memory, bits, lane, run.lanes)
        if count < _FEW:
            count = run.lanes - lane
            left = _settle(own, memory, bits, lane, count)
        else:
            left = (
                0 if _quick(own, memory, lane, count) else _settle(own, memory, bits, lane, count)
            )
        if left:
            _check_each(races, run, own, memory, left)
        lane += count
    if races.syncs and own.number & STRONG:
        _synchronise(races, run, own, memory, bits)
    if own.agent == BULK_READS and is_shared:
        _check_proxies(races, run, own, memory, bits)


@part
def _synchronise(races: Any, run: Any, own: Any, memory: Any, bits: int) -> None:
    """Have lanes acquire and release, in their order."""
    cta = cta_at(run.cta_races)
    for lane in range(run.lanes):
        offset = words_at(own.where)[lane] - own.first
        if bits >> lane & 1 and 0 <= offset < memory.end - memory.first:
            synchronise(races, run, cta, own, lane, memory.host + offset)
    races.now += 1


@part
def _check_each(races: Any, run: Any, own: Any, memory: Any, bits: int) -> None:
    """Check lanes one by one, and note what is found."""
    places = words_at(own.where)
    for lane in range(run.lanes):
        offset = places[lane] - own.first
        if bits >> lane & 1 and 0 <= offset <= memory.end - memory.first - own.width:
            mine = own.stamp + (lane << own.thread_shift)
            found = _touch(races, run, memory, offset, own.width, mine)
            if found:
                _note(run, own, memory, lane, found, 0)


@part
def _check_proxies(races: Any, run: Any, own: Any, memory: Any, bits: int) -> None:
    """Check that a fence lies between what a bulk copy reads and the threads that wrote it.

    One of the writer, or one of the thread that copies, after the write.
    """
    fenced = words_at(cta_at(run.cta_races).fenced_proxy)
    threads = (1 << races.cta_shift - AGENT_BITS - races.thread_shift) - 1
    for lane in range(run.lanes):
        place = words_at(own.where)[lane] - own.first
        end = min(place + own.width, memory.end - memory.first)
        mine = own.stamp + (lane << own.thread_shift)
        while bits >> lane & 1 and 0 <= place < end:
            stamp = _last_write(memory, place)
            time, writer = stamp >> races.time_shift, stamp >> races.thread_shift & threads
            last = max(fenced[writer], fenced[run.warp * run.lanes + lane])
            if (
                stamp
                and not stamp & own.agents
                and time > last
                and ordered(races, run, stamp, mine)
            ):
                _note(run, own, memory, lane, stamp, PROXY)
                break
            place += 1


@part
def _last_write(memory: Any, place: int) -> int:
    """The stamp of the last weak write to a byte."""
    if bytes_at(memory.pages)[place >> PAGE_SHIFT]:
        single: int = words_at(memory.bytes)[place]
        return single
    whole: int = words_at(memory.granules)[place // GRANULE_BYTES]
    return whole


@inlined
def _running_on(own: Any, memory: Any, bits: int, lane: int, lanes: int) -> int:
    """How many lanes from one on access what lies behind what the lane before does; 0: off."""
    places, width = words_at(own.where), own.width
    end = lane
    if lane == 0 and bits == own.every and _runs(places, width, 0, lanes):
        end = lanes
    elif lane & _HALF - 1 == 0 and bits >> lane & _HALF_BITS == _HALF_BITS:
        end = lane + _HALF if _runs(places, width, lane, _HALF) else lane
    if end == lane and bits >> lane & 1:
        end = lane + 1
        while end < lanes and bits >> end & 1 and places[end] == places[end - 1] + width:
            end += 1
    offset = places[lane] - own.first
    inside = offset >= 0 and offset + (end - lane) * width <= memory.end - memory.first
    return end - lane if inside else 0


@inlined
def _runs(places: Any, width: int, lane: int, lanes: int) -> bool:
    apart = 0
    for k in range(lanes):
        apart |= places[lane + k] ^ (places[lane] + k * width)
    return apart == 0


@inlined
def _prepare(races: Any, run: Any, own: Any, is_shared: bool) -> None:
    """Fill in what all lanes of an access have alike."""
    cta = cta_at(run.cta_races)
    own.is_shared = is_shared
    own.agents = (1 << races.cta_shift) - (1 << races.cta_shift - AGENT_BITS)
    own.who = (1 << races.time_shift) - (1 << races.thread_shift)
    if own.agent:
        own.who &= ~own.agents  # it begins after what its thread did before
    own.every = -1 if run.lanes == 64 else (1 << run.lanes) - 1
    own.ctas = (1 << races.time_shift) - (1 << races.cta_shift)
    own.thread_shift = races.thread_shift
    own.floor = cta.floor + 1 << races.time_shift
    own.copy_floor = cta.copy_floor + 1 << races.time_shift
    stamp = races.now << races.time_shift | own.number
    if not is_shared:
        stamp |= run.cta << races.cta_shift
    stamp |= own.agent << races.cta_shift - AGENT_BITS
    own.stamp = stamp + (run.warp * run.lanes << races.thread_shift)


# What an access finds in the cells.


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
def _quick(own: Any, memory: Any, lane: int, lanes: int) -> bool:
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
    """
    apart = one ^ two
    fresh = (one >= own.floor) & (two >= own.floor) & ((one ^ mine) & own.ctas == 0)
    enough = (apart & own.ctas != 0) | ((apart & own.who != 0) & fresh)
    found: int = (one == 0) | (two == 0) | (not enough)
    return found


@inlined
def _settle(own: Any, memory: Any, bits: int, lane: int, lanes: int) -> int:
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
        mine, done = own.stamp + (k << shift), plain
        for cell in range(start, start + 8 * count, 8):
            if not done:
                break
            if not number & STRONG:
                if number & WRITES:
                    done = _stored(own, cell, step, mine)
                else:
                    done = _loaded(own, cell, step, mine)
            else:
                done = count == 1 and _changed(own, cell, step, mine)
        if not done:
            left |= 1 << k
            if not is_load:  # a lane after it may write the same place, and hide what was there
                return left | bits >> k << k
    return left


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
def _touch(races: Any, run: Any, memory: Any, offset: int, width: int, own: int) -> int:
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


# What is told of a conflict.


@part
def _note(run: Any, own: Any, memory: Any, lane: int, found: int, kind: int) -> None:
    """Note a lane's conflict, with what both accesses read or wrote where memory tells.

    ``kind`` 0: by the two accesses.
    """
    watch = watch_at(run.sanitizer)
    races = races_at(watch.races)
    mine = own.stamp + (lane << races.thread_shift)
    mask = (1 << races.thread_shift) - 1
    places, width = words_at(own.where), own.width
    offset = places[lane] - own.first
    twin = _twin(run, own, lane, found) if mine & WRITES else -1
    if races.lockstep and twin < 0 and _same_warp(races, run, found, mine):
        return
    known, value, other = 0, 0, 0
    if width <= 8:
        known = HAS_OTHER
        other = _held(memory.host + offset, width)
        if twin >= 0 and own.values:
            other = _given(own, twin, run.lanes)
        value = other
        if own.values:
            value = _given(own, lane, run.lanes)
        if own.values or not mine & WRITES:
            known |= HAS_VALUE
    same = mine & WRITES and own.values and _leaves_same(run, own, memory.host + offset, lane, twin)
    if same and twin >= 0:
        return  # it does not matter which lane of an instruction comes last
    kind = kind or _kind(races, found, mine, bool(same))
    row = noted(watch, kind, mine & mask, found & mask)
    if row.count > 1:
        return
    threads = (1 << races.cta_shift - AGENT_BITS - races.thread_shift) - 1
    ctas = (1 << races.time_shift - races.cta_shift) - 1
    row.cta = row.other_cta = run.cta
    if not own.is_shared:
        row.other_cta = found >> races.cta_shift & ctas
    row.thread = mine >> races.thread_shift & threads
    row.other_thread = found >> races.thread_shift & threads
    row.address, row.bytes = memory.first + offset, width
    row.value, row.other_value = value, other
    row.extra = known
    if own.is_shared:
        row.extra |= IN_SHARED


@part
def _kind(races: Any, found: int, mine: int, same: bool) -> int:
    if found & mine & STRONG:
        return NARROW_SCOPE
    if found >> races.cta_shift - AGENT_BITS & (1 << AGENT_BITS) - 1:
        return COPY
    return SAME_VALUE if same else RACE


@part
def _same_warp(races: Any, run: Any, stamp: int, own: int) -> bool:
    apart = (stamp ^ own) & (1 << races.time_shift) - 1
    agents = (stamp | own) >> races.cta_shift - AGENT_BITS & (1 << AGENT_BITS) - 1
    if apart >> races.cta_shift or agents:
        return False
    thread = (1 << races.cta_shift - AGENT_BITS - races.thread_shift) - 1
    one, other = stamp >> races.thread_shift & thread, own >> races.thread_shift & thread
    return bool(one // run.lanes == other // run.lanes)


@part
def _twin(run: Any, own: Any, lane: int, found: int) -> int:
    """The lane of the same instruction that an earlier access is of; -1: it is of another one."""
    shift = own.thread_shift
    mine = own.stamp + (lane << shift)
    if (found ^ mine) & ~(own.who & ~own.ctas & ~own.agents):
        return -1
    other = lane + (found >> shift) - (mine >> shift)
    if other < 0 or other >= run.lanes or not own.bits >> other & 1:
        return -1
    places = words_at(own.where)
    return other if abs(places[other] - places[lane]) < own.width else -1


@part
def _held(host: int, width: int) -> int:
    """What memory holds: up to 8 bytes."""
    held = 0
    for k in range(width):
        held |= bytes_at(host)[k] << 8 * k
    return held


@part
def _leaves_same(run: Any, own: Any, host: int, lane: int, twin: int) -> bool:
    """Whether a lane stores what is there, or what the other lane of the instruction does."""
    for k in range(own.width // own.element):
        size = own.element
        place = own.values + (k * run.lanes + lane) * size
        other = own.values + (k * run.lanes + twin) * size
        if twin < 0:
            other = host + k * size
        for byte in range(size):
            if bytes_at(place)[byte] != bytes_at(other)[byte]:
                return False
    return True


@part
def _given(own: Any, lane: int, lanes: int) -> int:
    """What a lane stores: its elements, one behind the other."""
    given = 0
    for k in range(own.width // own.element):
        one = _held(own.values + (k * lanes + lane) * own.element, own.element)
        given |= one << 8 * own.element * k
    return given
