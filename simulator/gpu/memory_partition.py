"""Memory partitions: slices of L2, and the DRAM channels that their misses go to.

A slice takes requests one after the other. A channel decides on one column command at a time. What
has come and is within the scheduler's queue competes: FR-FCFS takes the one whose column command
can go first, which prefers open rows and lets rows of other banks be opened meanwhile; FCFS takes
the oldest. Rows are opened as early as their bank allows, from the request's arrival on.
"""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.base.pointers import place_of, words_of
from warpmill.simulator.gpu.bits import quotient, rest
from warpmill.simulator.gpu.caches import (
    bring_in,
    eighths_of,
    key_of,
    line_of,
    look_up,
    use,
    victim_of,
    waiters_of,
)
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.constants import (
    HASH_LINEAR,
    NEVER,
    NONE,
    PARTS_FETCHED,
    PARTS_FILLED,
    PARTS_NONE,
    REQUEST_ATOMIC,
    REQUEST_LOAD,
    REQUEST_STORE,
    REQUEST_WRITE_BACK,
    TICKS,
    WHOLE,
)
from warpmill.simulator.gpu.network import (
    local_sector,
    new_request,
    reply,
    take_first,
    written_back,
)
from warpmill.simulator.gpu.records import (
    bank_at,
    channel_at,
    dram_request_at,
    line_at,
    nth_bank,
    nth_bin,
    request_at,
)

# DRAM channels: a queue of requests, banks with rows, the timing of commands.

QUEUE_BEFORE = 64
"""Requests that wait between L2 and a channel's scheduler (dram_partition_queues of GPGPU-Sim)."""


@part
def channel_has_room(gpu: Any, slice_: Any) -> Any:
    """Whether the channel of a slice takes a request: into its queue or the one before it."""
    return channel_at(gpu, slice_.channel).queued < gpu.dram_queue + QUEUE_BEFORE


@part
def to_channel(gpu: Any, slice_: Any, sector: int, owner: int, kind: int, now: int) -> None:
    """Pass a sector of a slice to its channel, which has room.

    ``owner`` is the row of L2 that a load fills; without L2 the request; NONE for a write-back.
    """
    channel, place = channel_at(gpu, slice_.channel), place_of(gpu, new_request(gpu))
    request, in_channel = dram_request_at(gpu, place), _sector_in_channel(gpu, slice_, sector)
    request.time = now + 1 + gpu.dram_delay
    request.slice, request.sector = slice_.number, sector
    request.kind, request.owner, request.next = kind, owner, NONE
    request.bank = place_of(gpu, bank_of(gpu, channel, in_channel))
    request.row = page_of(gpu, in_channel)
    if channel.last == NONE:
        channel.first = place
        time = max(request.time, channel.next_command)
        channel.time = min(channel.time, time)
    else:
        dram_request_at(gpu, channel.last).next = place
    request.before = channel.last
    channel.last = place
    channel.queued += 1


@part
def _sector_in_channel(gpu: Any, slice_: Any, sector: int) -> Any:
    """Number in a channel of a slice's sector; where slices are hashed, chunks stay whole."""
    subs, size = gpu.slices_per_channel, 1
    if gpu.slice_hash != HASH_LINEAR:
        size = gpu.sectors_per_chunk
    own = quotient(sector, size) * subs + rest(slice_.number, subs)
    return own * size + rest(sector, size)


@part
def bank_of(gpu: Any, channel: Any, sector: int) -> Any:
    """The bank of a channel's sector: neighbouring pages are in neighbouring banks.

    The row's number is mixed in, so that pages a bank's length apart do not all meet in one.
    """
    banks, page = gpu.banks_per_channel, quotient(sector, gpu.sectors_per_page)
    bank = rest(rest(page, banks) ^ rest(page_of(gpu, sector), banks), banks)
    return nth_bank(gpu, channel.number * banks + bank)


@part
def page_of(gpu: Any, sector: int) -> Any:
    """The row of its bank that a channel's sector is in."""
    return quotient(quotient(sector, gpu.sectors_per_page), gpu.banks_per_channel)


@part
def column_time(gpu: Any, channel: Any, request: Any) -> Any:
    """The earliest tick of a request's column command."""
    bank, row = bank_at(gpu, request.bank), request.row
    arrived = request.time * TICKS
    is_write = request.kind != REQUEST_LOAD
    if bank.row == row:
        time = max(arrived, bank.column_tick)
    else:
        time = activate_time(gpu, channel, bank, arrived) + gpu.t_rcd
    in_same_group = bank.group == channel.column_group
    time = max(time, channel.column_tick + (gpu.t_ccdl if in_same_group else gpu.t_ccd))
    if is_write:
        return max(time, channel.bus_tick - gpu.t_wl)
    return max(time, channel.bus_tick - gpu.t_cl, channel.written_tick + gpu.t_cdlr)


@part
def activate_time(gpu: Any, channel: Any, bank: Any, arrived: int) -> Any:
    """The earliest tick at which a bank opens another row, closing the one that is open."""
    time = arrived
    if bank.row != NONE:
        time = max(time, bank.precharge_tick, bank.activated_tick + gpu.t_ras) + gpu.t_rp
    time = max(time, bank.activated_tick + gpu.t_rc)
    return max(time, channel.activate_tick + gpu.t_rrd)


@part
def choose(gpu: Any, channel: Any, now: int) -> Any:
    """Choose among the requests that have come, as many as the queue holds; NONE where none has.

    The oldest of those whose command can go first; none goes before the bus and the last command
    allow, so that the search ends with one that goes then.
    """
    place, best, soonest = channel.first, NONE, NEVER
    first = channel.column_tick + min(gpu.t_ccd, gpu.t_ccdl)
    first = max(first, channel.bus_tick - max(gpu.t_cl, gpu.t_wl))
    for _ in range(gpu.dram_queue):
        if place == NONE:
            break
        request = dram_request_at(gpu, place)
        if request.time > now:
            break
        time = column_time(gpu, channel, request)
        if time < soonest:
            best, soonest = place, time
        if soonest <= first or gpu.dram_first_ready == 0:
            break
        place = request.next
    return best


@part
def issue_column(gpu: Any, channel: Any, request: Any) -> Any:
    """Issue a request's column command, with what it takes before; gives the tick it goes at."""
    counts = channel.counts
    time = column_time(gpu, channel, request)
    bank, row = bank_at(gpu, request.bank), request.row
    if bank.row == row:
        counts.row_hits += 1
    else:
        counts.row_misses += 1
        opened = activate_time(gpu, channel, bank, request.time * TICKS)
        bank.row, bank.activated_tick = row, opened
        bank.column_tick = opened + gpu.t_rcd
        channel.activate_tick = opened
    is_write = request.kind != REQUEST_LOAD
    data = time + (gpu.t_wl if is_write else gpu.t_cl) + gpu.t_burst
    if is_write and gpu.dram_mixed_loss > 0:
        data += _lost_to_turns(gpu, counts)
    channel.bus_tick, channel.column_tick = data, time
    channel.column_group = bank.group
    if is_write:
        channel.written_tick = data
        bank.precharge_tick = data + gpu.t_wr
        counts.writes += 1
    else:
        bank.precharge_tick = time + gpu.t_rtpl
        counts.reads += 1
    counts.busy_ticks += gpu.t_burst
    counts.wait_ticks += data - request.time * TICKS
    bin_ = quotient(data // TICKS + gpu.l2_delay, gpu.bin_cycles)
    if bin_ < gpu.bin_count:
        nth_bin(gpu, bin_).dram_sectors += 1
    return time


@part
def _lost_to_turns(gpu: Any, counts: Any) -> Any:
    """The ticks of the bus that a write costs beside its own, by the reads among which it is.

    So turns between reads and writes take of n sectors of which a share s is written what
    4 s (1 - s) of ``dram_mixed_loss`` is, as a share of the whole.
    """
    reads, writes = counts.reads, counts.writes + 1
    return gpu.t_burst * gpu.dram_mixed_loss * reads // ((reads + writes) * TICKS)


@part
def take_out(gpu: Any, channel: Any, request: Any) -> None:
    """Take a request out of a channel's queue."""
    before, after = request.before, request.next
    if before == NONE:
        channel.first = after
    else:
        dram_request_at(gpu, before).next = after
    if after == NONE:
        channel.last = before
    else:
        dram_request_at(gpu, after).before = before
    channel.queued -= 1


# Slices of L2.


@part
def step_slice(gpu: Any, slice_: Any, now: int) -> None:
    """Serve in a slice what has come and what it has time for in a cycle."""
    requests, end = slice_.requests, (now + 1) * TICKS
    while requests.first != NONE and slice_.free_tick < end and slice_.is_stuck == 0:
        request = request_at(gpu, requests.first)
        if request.time > now:
            break
        ticks = _serve(gpu, slice_, request, now)
        if ticks < 0:
            slice_.is_stuck = 1
            slice_.counts.stalls += 1
        else:
            slice_.free_tick = max(slice_.free_tick, now * TICKS) + ticks
            slice_.counts.busy_ticks += ticks
    slice_.time = NEVER
    if requests.first != NONE and slice_.is_stuck == 0:
        time = max(request_at(gpu, requests.first).time, slice_.free_tick // TICKS)
        slice_.time = max(now + 1, time)


@part
def _serve(gpu: Any, slice_: Any, request: Any, now: int) -> Any:
    """Serve a request; gives the ticks that it takes, or -1 where it has to wait for DRAM."""
    kind, ticks = request.kind, _ticks_of(gpu, request)
    sector = local_sector(gpu, request.sector)
    if gpu.has_l2 == 0:
        if not channel_has_room(gpu, slice_):
            return -1
        take_first(gpu, slice_.requests)
        slice_.counts.misses += 1
        _count(gpu, slice_, kind, now)
        to_channel(gpu, slice_, sector, place_of(gpu, request), kind, now)
        return ticks
    cache, own = gpu.l2, rest(sector, gpu.l2.sectors)
    key, bit = key_of(cache, quotient(sector, cache.sectors)), 1 << own
    row = look_up(gpu, cache, slice_.number, key)
    there = row != NONE and line_at(gpu, row).valid & bit != 0
    if row != NONE and (kind == REQUEST_STORE or kind == REQUEST_WRITE_BACK):
        there = there or line_at(gpu, row).written & bit != 0
    if there:
        take_first(gpu, slice_.requests)
        use(gpu, cache, slice_.number, row)
        slice_.counts.hits += 1
        _count(gpu, slice_, kind, now)
        _write(gpu, row, own, request)
        _answer(gpu, slice_, request, now + (ticks - 1) // TICKS)
        return ticks
    if kind == REQUEST_STORE or kind == REQUEST_WRITE_BACK:
        done = _store_miss(gpu, slice_, request, row, key, own, now)
    else:
        done = _load_miss(gpu, slice_, request, row, key, own, now)
    return ticks if done else -1


@part
def _ticks_of(gpu: Any, request: Any) -> Any:
    """The ticks that a slice takes for a request."""
    kind, ticks = request.kind, gpu.slice_ticks
    if kind == REQUEST_STORE or kind == REQUEST_WRITE_BACK:
        ticks = gpu.slice_write_ticks
    if request.in_same_access != 0:
        ticks = 1
    if kind == REQUEST_ATOMIC:
        ticks = gpu.atomic_first_ticks
        ticks += request.words * gpu.atomic_ticks - min(gpu.atomic_ticks, ticks)
    return ticks


@part
def _count(gpu: Any, slice_: Any, kind: int, now: int) -> None:
    counts = slice_.counts
    counts.accesses += 1
    bin_ = quotient(now + gpu.l2_delay, gpu.bin_cycles)
    if bin_ < gpu.bin_count:
        nth_bin(gpu, bin_).l2_accesses += 1
    if kind == REQUEST_LOAD:
        counts.reads += 1
    elif kind == REQUEST_ATOMIC:
        counts.atomics += 1
    else:
        counts.writes += 1


@part
def _write(gpu: Any, row: int, sector: int, request: Any) -> None:
    """Note what a request changes in a sector that is there; it goes on to DRAM where it has to.

    ``sector`` is its number in the line. Where a machine tells the parts of sectors apart, one
    whose parts all were written is there.
    """
    kind, bit, line, words = request.kind, 1 << sector, line_at(gpu, row), words_of(gpu)
    if kind == REQUEST_LOAD:
        return
    if kind != REQUEST_ATOMIC and line.valid & bit == 0:
        parts = eighths_of(gpu.l2, row, sector)
        words[parts] = request.parts | (words[parts] if gpu.l2_partial_writes != PARTS_NONE else 0)
        if words[parts] == WHOLE:
            line.valid |= bit
    if gpu.l2_writes_back != 0:
        line.dirty |= bit


@part
def _answer(gpu: Any, slice_: Any, request: Any, time: int) -> None:
    """Send the reply to a request; what an SM only wrote back needs none."""
    if request.kind == REQUEST_WRITE_BACK:
        written_back(gpu, request)
    else:
        reply(gpu, request, slice_.number, time)


@part
def _make_room(gpu: Any, slice_: Any, key: int, now: int) -> Any:
    """A row to a line; what its old line has to write goes to DRAM. NONE: not now."""
    cache = gpu.l2
    row = victim_of(gpu, cache, slice_.number, key)
    if row == NONE:
        return row
    line = line_at(gpu, row)
    dirty = line.dirty
    if dirty != 0:
        first = line_of(cache, line.tag) * cache.sectors
        for k in range(cache.sectors):
            if dirty >> k & 1:
                if not channel_has_room(gpu, slice_):
                    return NONE
                if gpu.l2_partial_writes == PARTS_FILLED and line.valid >> k & 1 == 0:
                    to_channel(gpu, slice_, first + k, NONE, REQUEST_LOAD, now)
                line.dirty &= ~(1 << k)
                slice_.counts.write_backs += 1
                to_channel(gpu, slice_, first + k, NONE, REQUEST_WRITE_BACK, now)
    bring_in(gpu, cache, slice_.number, key, row)
    return row


@part
def _store_miss(
    gpu: Any, slice_: Any, request: Any, row: int, key: int, sector: int, now: int
) -> Any:
    """Store what L2 does not have: the line is brought in.

    The rest of a sector that is stored to in part is read from DRAM where a machine does so; the
    store does not wait for it. ``sector`` is its number in the line. Gives whether that could be
    done.
    """
    cache = gpu.l2
    fetches = request.parts != WHOLE and gpu.l2_partial_writes == PARTS_FETCHED
    if row != NONE and line_at(gpu, row).pending >> sector & 1:  # it is on its way
        fetches = False
    if fetches and not channel_has_room(gpu, slice_):
        return False
    if row == NONE:
        row = _make_room(gpu, slice_, key, now)
        if row == NONE:
            return False
    else:
        use(gpu, cache, slice_.number, row)
    take_first(gpu, slice_.requests)
    slice_.counts.allocated += 1
    _count(gpu, slice_, request.kind, now)
    words_of(gpu)[eighths_of(cache, row, sector)] = 0
    if fetches:
        to_channel(gpu, slice_, local_sector(gpu, request.sector), NONE, REQUEST_LOAD, now)
        line_at(gpu, row).valid |= 1 << sector
    elif request.parts != WHOLE:
        line_at(gpu, row).written |= 1 << sector
    _write(gpu, row, sector, request)
    _answer(gpu, slice_, request, now)
    return True


@part
def _load_miss(
    gpu: Any, slice_: Any, request: Any, row: int, key: int, sector: int, now: int
) -> Any:
    """Load what L2 does not have: from DRAM, or with what is already on its way.

    ``sector`` is its number in the line. Gives whether that could be done.
    """
    cache, kind, bit = gpu.l2, request.kind, 1 << sector
    if row != NONE and line_at(gpu, row).pending & bit:
        waiters = waiters_of(gpu, cache, row, sector)
        if waiters.count >= gpu.l2_merges:
            return False
        take_first(gpu, slice_.requests)
        use(gpu, cache, slice_.number, row)
        _append(gpu, waiters, request)
        slice_.counts.pending += 1
        _count(gpu, slice_, kind, now)
        return True
    if slice_.mshrs >= gpu.l2_mshrs or not channel_has_room(gpu, slice_):
        return False
    if row == NONE:
        row = _make_room(gpu, slice_, key, now)
        if row == NONE:
            return False
    else:
        use(gpu, cache, slice_.number, row)
    take_first(gpu, slice_.requests)
    slice_.counts.misses += 1
    _count(gpu, slice_, kind, now)
    line_at(gpu, row).pending |= bit
    slice_.mshrs += 1
    _append(gpu, waiters_of(gpu, cache, row, sector), request)
    to_channel(gpu, slice_, local_sector(gpu, request.sector), row, REQUEST_LOAD, now)
    return True


@part
def _append(gpu: Any, waiters: Any, request: Any) -> None:
    """Append a request to those that wait for a sector; they will be answered in their order."""
    place = place_of(gpu, request)
    request.next = NONE
    waiters.count += 1
    if waiters.first == NONE:
        waiters.first = place
        return
    last = request_at(gpu, waiters.first)
    while last.next != NONE:
        last = request_at(gpu, last.next)
    last.next = place


@part
def fill(gpu: Any, slice_: Any, row: int, sector: int, now: int) -> None:
    """Fill a sector from DRAM into a slice, and answer all that waited for it, one a cycle.

    ``sector`` is its number in the line.
    """
    line, bit = line_at(gpu, row), 1 << sector
    line.pending &= ~bit
    line.written &= ~bit
    line.valid |= bit
    slice_.mshrs -= 1
    waiters = waiters_of(gpu, gpu.l2, row, sector)
    following, time = waiters.first, now
    waiters.first, waiters.count = NONE, 0
    while following != NONE:
        request = request_at(gpu, following)
        following = request.next
        if request.kind == REQUEST_ATOMIC and gpu.l2_writes_back != 0:
            line.dirty |= bit
        reply(gpu, request, slice_.number, time)
        time += 1
    unstick(slice_, now + 1)


@part
def unstick(slice_: Any, time: int) -> None:
    """Retry a slice that waits for DRAM."""
    if slice_.is_stuck != 0:
        slice_.is_stuck = 0
        time = max(time, slice_.free_tick // TICKS)
        slice_.time = min(slice_.time, time)
