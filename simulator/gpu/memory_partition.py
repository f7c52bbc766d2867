"""Memory partitions: slices of L2, and the DRAM channels that their misses go to.

A slice takes requests one after the other. A channel decides on one column command at a time. What
has come and is within the scheduler's queue competes: FR-FCFS takes the one whose column command
can go first, which prefers open rows and lets rows of other banks be opened meanwhile; FCFS takes
the oldest. Rows are opened as early as their bank allows, from the request's arrival on.
"""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.caches import (
    bring_in,
    extra_of,
    key_of,
    line_of,
    look_up,
    use,
    victim_of,
)
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    AT_BANK,
    AT_BIN,
    AT_CHANNEL,
    AT_CHANNEL_COUNT,
    AT_SLICE,
    AT_SLICE_COUNT,
    ATOMIC_FIRST_TICKS,
    ATOMIC_TICKS,
    B_DRAM_SECTORS,
    B_L2_ACCESSES,
    BANK_FIELDS,
    BANK_GROUPS,
    BANKS,
    BIN_FIELDS,
    BINS,
    BK_ACTIVATED,
    BK_COLUMN,
    BK_PRECHARGE,
    BK_ROW,
    BX_FIRST,
    C_SECTORS,
    CH_ACTIVATE,
    CH_BUS,
    CH_COLUMN,
    CH_COUNT,
    CH_FIRST,
    CH_GROUP,
    CH_LAST,
    CH_NEXT,
    CH_TIME,
    CH_WROTE,
    CHANNEL_COUNTS,
    CHANNEL_FIELDS,
    DRAM_DELAY,
    DRAM_FIRST_READY,
    DRAM_QUEUE,
    G_BIN_CYCLES,
    HAS_L2,
    HASHES,
    L2_DELAY,
    L2_MERGE,
    L2_MSHRS,
    L2_PARTS,
    L2_WRITE_BACK,
    MIXED_LOSS,
    N_DRAM_BUSY,
    N_DRAM_READS,
    N_DRAM_WAIT,
    N_DRAM_WRITES,
    N_L2_ACCESSES,
    N_L2_ALLOCATED,
    N_L2_ATOMICS,
    N_L2_BUSY,
    N_L2_HITS,
    N_L2_MISSES,
    N_L2_PENDING,
    N_L2_READS,
    N_L2_STALLS,
    N_L2_WRITE_BACKS,
    N_L2_WRITES,
    N_ROW_HITS,
    N_ROW_MISSES,
    NEVER,
    NONE,
    OF_L2,
    PAGE_SECTORS,
    PARTS_FILLED,
    PARTS_NONE,
    Q_AT_ONCE,
    Q_CACHE,
    Q_KIND,
    Q_NEXT,
    Q_PARTS,
    Q_REF,
    Q_SECTOR,
    Q_SM,
    Q_TARGET,
    Q_TIME,
    Q_WORDS,
    QK_ATOMIC,
    QK_LOAD,
    QK_STORE,
    QK_WRITE_BACK,
    SECTORS_OF_CHUNK,
    SL_FREE,
    SL_MSHRS,
    SL_STUCK,
    SL_TIME,
    SLICE_COUNTS,
    SLICE_FIELDS,
    SLICE_TICKS,
    SUBSLICES,
    T_BURST,
    T_CCD,
    T_CCDL,
    T_CDLR,
    T_CL,
    T_RAS,
    T_RC,
    T_RCD,
    T_RP,
    T_RRD,
    T_RTPL,
    T_WL,
    T_WR,
    TICKS,
    WHOLE,
    WRITE_TICKS,
    X_PENDING,
    X_WAITERS,
    X_WRITTEN,
)
from warpmill.simulator.gpu.network import (
    local_sector,
    new_request,
    reply,
    take_first,
    written_back,
)
from warpmill.simulator.memory.cache_step import DIRTY, TAG, VALID

# DRAM channels: a queue of requests, banks with rows, the timing of commands.

QUEUE_BEFORE = 64
"""Requests that wait between L2 and a channel's scheduler (dram_partition_queues of GPGPU-Sim)."""


@part
def channel_has_room(m: Any, slice_: int) -> Any:
    """Whether the channel of a slice takes a request: into its queue or the one before it."""
    channel = m[AT_CHANNEL] + slice_ // m[SUBSLICES] * CHANNEL_FIELDS
    return m[channel + CH_COUNT] < m[DRAM_QUEUE] + QUEUE_BEFORE


@part
def to_channel(m: Any, slice_: int, sector: int, ref: int, kind: int, now: int) -> None:
    """Pass a sector of a slice to its channel, which has room.

    ``ref`` is the row of L2 that a load fills; without L2 the request; NONE for a write-back.
    """
    number = slice_ // m[SUBSLICES]
    channel = m[AT_CHANNEL] + number * CHANNEL_FIELDS
    request = new_request(m)
    place = _place_in_channel(m, slice_, sector)
    m[request + Q_TIME] = now + 1 + m[DRAM_DELAY]
    m[request + Q_SECTOR], m[request + Q_KIND], m[request + Q_REF] = place, kind, ref
    m[request + Q_SM], m[request + Q_NEXT], m[request + Q_WORDS] = slice_, NONE, sector
    m[request + Q_CACHE], m[request + Q_PARTS] = bank_of(m, number, place), page_of(m, place)
    last = m[channel + CH_LAST]
    if last == NONE:
        m[channel + CH_FIRST] = request
        time = max(m[request + Q_TIME], m[channel + CH_NEXT])
        m[channel + CH_TIME] = min(m[channel + CH_TIME], time)
    else:
        m[last + Q_NEXT] = request
    m[request + Q_TARGET] = last
    m[channel + CH_LAST] = request
    m[channel + CH_COUNT] += 1


@part
def _place_in_channel(m: Any, slice_: int, sector: int) -> Any:
    """Address in a channel of a slice's sector; where slices are hashed, chunks stay whole."""
    subs, size = m[SUBSLICES], m[SECTORS_OF_CHUNK] if m[HASHES] != 0 else 1
    return (sector // size * subs + slice_ % subs) * size + sector % size


@part
def bank_of(m: Any, channel: int, place: int) -> Any:
    """The place of the bank of a sector: neighbouring pages are in neighbouring banks.

    The row's number is mixed in, so that pages a bank's length apart do not all meet in one.
    """
    page, row = place // m[PAGE_SECTORS], page_of(m, place)
    bank = (page % m[BANKS] ^ row % m[BANKS]) % m[BANKS]
    return m[AT_BANK] + (channel * m[BANKS] + bank) * BANK_FIELDS


@part
def page_of(m: Any, place: int) -> Any:
    """The row of its bank that a sector is in."""
    return place // m[PAGE_SECTORS] // m[BANKS]


@part
def column_time(m: Any, channel: int, request: int) -> Any:
    """The earliest tick of a request's column command."""
    bank, row = m[request + Q_CACHE], m[request + Q_PARTS]
    arrived = m[request + Q_TIME] * TICKS
    is_write = m[request + Q_KIND] != QK_LOAD
    if m[bank + BK_ROW] == row:
        time = max(arrived, m[bank + BK_COLUMN])
    else:
        time = activate_time(m, channel, bank, arrived) + m[T_RCD]
    group = (bank - m[AT_BANK]) // BANK_FIELDS % m[BANK_GROUPS]
    same = group == m[channel + CH_GROUP]
    time = max(time, m[channel + CH_COLUMN] + (m[T_CCDL] if same else m[T_CCD]))
    if is_write:
        return max(time, m[channel + CH_BUS] - m[T_WL])
    return max(time, m[channel + CH_BUS] - m[T_CL], m[channel + CH_WROTE] + m[T_CDLR])


@part
def activate_time(m: Any, channel: int, bank: int, arrived: int) -> Any:
    """The earliest tick at which a bank opens another row, closing the one that is open."""
    time = arrived
    if m[bank + BK_ROW] != NONE:
        time = max(time, m[bank + BK_PRECHARGE], m[bank + BK_ACTIVATED] + m[T_RAS]) + m[T_RP]
    time = max(time, m[bank + BK_ACTIVATED] + m[T_RC])
    return max(time, m[channel + CH_ACTIVATE] + m[T_RRD])


@part
def choose(m: Any, channel: int, now: int) -> Any:
    """Choose among the requests that have come, as many as the queue holds; NONE where none has.

    The oldest of those whose command can go first; none goes before the bus and the last command
    allow, so that the search ends with one that goes then.
    """
    request, best, soonest = m[channel + CH_FIRST], NONE, NEVER
    first = m[channel + CH_COLUMN] + min(m[T_CCD], m[T_CCDL])
    first = max(first, m[channel + CH_BUS] - max(m[T_CL], m[T_WL]))
    for _ in range(m[DRAM_QUEUE]):
        if request == NONE or m[request + Q_TIME] > now:
            break
        time = column_time(m, channel, request)
        if time < soonest:
            best, soonest = request, time
        if soonest <= first or m[DRAM_FIRST_READY] == 0:
            break
        request = m[request + Q_NEXT]
    return best


@part
def issue_column(m: Any, number: int, channel: int, request: int) -> Any:
    """Issue a request's column command, with what it takes before; gives the tick it goes at."""
    counts = m[AT_CHANNEL_COUNT] + number * CHANNEL_COUNTS
    time = column_time(m, channel, request)
    bank, row = m[request + Q_CACHE], m[request + Q_PARTS]
    if m[bank + BK_ROW] == row:
        m[counts + N_ROW_HITS] += 1
    else:
        m[counts + N_ROW_MISSES] += 1
        opened = activate_time(m, channel, bank, m[request + Q_TIME] * TICKS)
        m[bank + BK_ROW], m[bank + BK_ACTIVATED] = row, opened
        m[bank + BK_COLUMN] = opened + m[T_RCD]
        m[channel + CH_ACTIVATE] = opened
    is_write = m[request + Q_KIND] != QK_LOAD
    data = time + (m[T_WL] if is_write else m[T_CL]) + m[T_BURST]
    if is_write and m[MIXED_LOSS] > 0:
        data += _lost_to_turns(m, counts)
    m[channel + CH_BUS], m[channel + CH_COLUMN] = data, time
    m[channel + CH_GROUP] = (bank - m[AT_BANK]) // BANK_FIELDS % m[BANK_GROUPS]
    if is_write:
        m[channel + CH_WROTE] = data
        m[bank + BK_PRECHARGE] = data + m[T_WR]
        m[counts + N_DRAM_WRITES] += 1
    else:
        m[bank + BK_PRECHARGE] = time + m[T_RTPL]
        m[counts + N_DRAM_READS] += 1
    m[counts + N_DRAM_BUSY] += m[T_BURST]
    m[counts + N_DRAM_WAIT] += data - m[request + Q_TIME] * TICKS
    bin_ = (data // TICKS + m[L2_DELAY]) // m[G_BIN_CYCLES]
    if bin_ < m[BINS]:
        m[m[AT_BIN] + bin_ * BIN_FIELDS + B_DRAM_SECTORS] += 1
    return time


@part
def _lost_to_turns(m: Any, counts: int) -> Any:
    """The ticks of the bus that a write costs beside its own, by the reads among which it is.

    So turns between reads and writes take of n sectors of which a share s is written what
    4 s (1 - s) of MIXED_LOSS is, as a share of the whole.
    """
    reads, writes = m[counts + N_DRAM_READS], m[counts + N_DRAM_WRITES] + 1
    return m[T_BURST] * m[MIXED_LOSS] * reads // ((reads + writes) * TICKS)


@part
def take_out(m: Any, channel: int, request: int) -> None:
    """Take a request out of a channel's queue."""
    before, after = m[request + Q_TARGET], m[request + Q_NEXT]
    if before == NONE:
        m[channel + CH_FIRST] = after
    else:
        m[before + Q_NEXT] = after
    if after == NONE:
        m[channel + CH_LAST] = before
    else:
        m[after + Q_TARGET] = before
    m[channel + CH_COUNT] -= 1


# Slices of L2.


@part
def step_slice(m: Any, number: int, now: int) -> None:
    """Serve in a slice what has come and what it has time for in a cycle."""
    slice_ = m[AT_SLICE] + number * SLICE_FIELDS
    end = (now + 1) * TICKS
    while m[slice_ + BX_FIRST] != NONE and m[slice_ + SL_FREE] < end and m[slice_ + SL_STUCK] == 0:
        if m[m[slice_ + BX_FIRST] + Q_TIME] > now:
            break
        ticks = _serve(m, number, slice_, m[slice_ + BX_FIRST], now)
        if ticks < 0:
            m[slice_ + SL_STUCK] = 1
            m[m[AT_SLICE_COUNT] + number * SLICE_COUNTS + N_L2_STALLS] += 1
        else:
            m[slice_ + SL_FREE] = max(m[slice_ + SL_FREE], now * TICKS) + ticks
            m[m[AT_SLICE_COUNT] + number * SLICE_COUNTS + N_L2_BUSY] += ticks
    m[slice_ + SL_TIME] = NEVER
    if m[slice_ + BX_FIRST] != NONE and m[slice_ + SL_STUCK] == 0:
        time = max(m[m[slice_ + BX_FIRST] + Q_TIME], m[slice_ + SL_FREE] // TICKS)
        m[slice_ + SL_TIME] = max(now + 1, time)


@part
def _serve(m: Any, number: int, slice_: int, request: int, now: int) -> Any:
    """Serve a request; gives the ticks that it takes, or -1 where it has to wait for DRAM."""
    counts = m[AT_SLICE_COUNT] + number * SLICE_COUNTS
    kind = m[request + Q_KIND]
    ticks = m[SLICE_TICKS]
    if kind == QK_STORE or kind == QK_WRITE_BACK:
        ticks = m[WRITE_TICKS]
    if m[request + Q_AT_ONCE] != 0:
        ticks = 1
    if kind == QK_ATOMIC:
        ticks = m[ATOMIC_FIRST_TICKS]
        ticks += m[request + Q_WORDS] * m[ATOMIC_TICKS] - min(m[ATOMIC_TICKS], ticks)
    if m[HAS_L2] == 0:
        if not channel_has_room(m, number):
            return -1
        take_first(m, slice_)
        _count(m, counts, kind, N_L2_MISSES, now)
        to_channel(m, number, local_sector(m, m[request + Q_SECTOR]), request, kind, now)
        return ticks
    c = m[OF_L2]
    sector = local_sector(m, m[request + Q_SECTOR])
    line, part_ = sector // m[c + C_SECTORS], sector % m[c + C_SECTORS]
    key, bit = key_of(m, c, line), 1 << part_
    row = look_up(m, c, number, key)
    there = row != NONE and m[row + VALID] & bit != 0
    if row != NONE and (kind == QK_STORE or kind == QK_WRITE_BACK):
        there = there or m[extra_of(m, c, row) + X_WRITTEN] & bit != 0
    if there:
        take_first(m, slice_)
        use(m, c, number, row)
        _count(m, counts, kind, N_L2_HITS, now)
        _write(m, row, part_, request)
        _answer(m, number, request, now + (ticks - 1) // TICKS)
        return ticks
    if kind == QK_STORE or kind == QK_WRITE_BACK:
        return _store_miss(m, number, slice_, request, row, key, part_, now, ticks)
    return _load_miss(m, number, slice_, request, row, key, part_, now, ticks)


@part
def _count(m: Any, counts: int, kind: int, found: int, now: int) -> None:
    m[counts + N_L2_ACCESSES] += 1
    m[counts + found] += 1
    bin_ = (now + m[L2_DELAY]) // m[G_BIN_CYCLES]
    if bin_ < m[BINS]:
        m[m[AT_BIN] + bin_ * BIN_FIELDS + B_L2_ACCESSES] += 1
    if kind == QK_LOAD:
        m[counts + N_L2_READS] += 1
    elif kind == QK_ATOMIC:
        m[counts + N_L2_ATOMICS] += 1
    else:
        m[counts + N_L2_WRITES] += 1


@part
def _write(m: Any, row: int, part_: int, request: int) -> None:
    """Note what a request changes in a sector that is there; it goes on to DRAM where it has to.

    Where a machine tells the parts of sectors apart, one whose parts all were written is there.
    """
    kind, bit, c = m[request + Q_KIND], 1 << part_, m[OF_L2]
    if kind == QK_LOAD:
        return
    if kind != QK_ATOMIC and m[row + VALID] & bit == 0:
        parts = extra_of(m, c, row) + X_WAITERS + 2 * m[c + C_SECTORS] + part_
        m[parts] = m[request + Q_PARTS] | (m[parts] if m[L2_PARTS] != PARTS_NONE else 0)
        if m[parts] == WHOLE:
            m[row + VALID] |= bit
    if m[L2_WRITE_BACK] != 0:
        m[row + DIRTY] |= bit


@part
def _answer(m: Any, number: int, request: int, time: int) -> None:
    """Send the reply to a request; what an SM only wrote back needs none."""
    if m[request + Q_KIND] == QK_WRITE_BACK:
        written_back(m, request)
    else:
        reply(m, request, number, time)


@part
def _make_room(m: Any, number: int, key: int, now: int) -> Any:
    """A row to a line; what its old line has to write goes to DRAM. NONE: not now."""
    c = m[OF_L2]
    row = victim_of(m, c, number, key)
    if row == NONE:
        return row
    dirty = m[row + DIRTY]
    if dirty != 0:
        old = line_of(m, c, m[row + TAG])
        for k in range(m[c + C_SECTORS]):
            if dirty >> k & 1:
                if not channel_has_room(m, number):
                    return NONE
                if m[L2_PARTS] == PARTS_FILLED and m[row + VALID] >> k & 1 == 0:
                    to_channel(m, number, old * m[c + C_SECTORS] + k, NONE, QK_LOAD, now)
                m[row + DIRTY] &= ~(1 << k)
                m[m[AT_SLICE_COUNT] + number * SLICE_COUNTS + N_L2_WRITE_BACKS] += 1
                to_channel(m, number, old * m[c + C_SECTORS] + k, NONE, QK_WRITE_BACK, now)
    bring_in(m, c, number, key, row)
    return row


@part
def _store_miss(
    m: Any, number: int, slice_: int, request: int, row: int, key: int, part_: int, now: int,
    ticks: int,
) -> Any:  # fmt: skip
    """Store what L2 does not have: the line is brought in, and nothing is fetched for it."""
    c, counts = m[OF_L2], m[AT_SLICE_COUNT] + number * SLICE_COUNTS
    if row == NONE:
        row = _make_room(m, number, key, now)
        if row == NONE:
            return -1
    else:
        use(m, c, number, row)
    take_first(m, slice_)
    _count(m, counts, m[request + Q_KIND], N_L2_ALLOCATED, now)
    extra = extra_of(m, c, row)
    m[extra + X_WAITERS + 2 * m[c + C_SECTORS] + part_] = 0
    if m[request + Q_PARTS] != WHOLE:
        m[extra + X_WRITTEN] |= 1 << part_
    _write(m, row, part_, request)
    _answer(m, number, request, now)
    return ticks


@part
def _load_miss(
    m: Any, number: int, slice_: int, request: int, row: int, key: int, part_: int, now: int,
    ticks: int,
) -> Any:  # fmt: skip
    """Load what L2 does not have: from DRAM, or with what is already on its way."""
    c, counts = m[OF_L2], m[AT_SLICE_COUNT] + number * SLICE_COUNTS
    kind, bit = m[request + Q_KIND], 1 << part_
    if row != NONE and m[extra_of(m, c, row) + X_PENDING] & bit:
        waiters = extra_of(m, c, row) + X_WAITERS + 2 * part_
        if m[waiters + 1] >= m[L2_MERGE]:
            return -1
        take_first(m, slice_)
        use(m, c, number, row)
        _append(m, waiters, request)
        _count(m, counts, kind, N_L2_PENDING, now)
        return ticks
    if m[slice_ + SL_MSHRS] >= m[L2_MSHRS] or not channel_has_room(m, number):
        return -1
    if row == NONE:
        row = _make_room(m, number, key, now)
        if row == NONE:
            return -1
    else:
        use(m, c, number, row)
    take_first(m, slice_)
    _count(m, counts, kind, N_L2_MISSES, now)
    extra = extra_of(m, c, row)
    m[extra + X_PENDING] |= bit
    m[slice_ + SL_MSHRS] += 1
    _append(m, extra + X_WAITERS + 2 * part_, request)
    sector = local_sector(m, m[request + Q_SECTOR])
    to_channel(m, number, sector, row, QK_LOAD, now)
    return ticks


@part
def _append(m: Any, waiters: int, request: int) -> None:
    """Append a request to those that wait for a sector; they will be answered in their order."""
    m[request + Q_NEXT] = NONE
    m[waiters + 1] += 1
    if m[waiters] == NONE:
        m[waiters] = request
        return
    last = m[waiters]
    while m[last + Q_NEXT] != NONE:
        last = m[last + Q_NEXT]
    m[last + Q_NEXT] = request


@part
def fill(m: Any, number: int, row: int, part_: int, now: int) -> None:
    """Fill a sector from DRAM into a slice, and answer all that waited for it, one a cycle."""
    c, slice_ = m[OF_L2], m[AT_SLICE] + number * SLICE_FIELDS
    extra, bit = extra_of(m, c, row), 1 << part_
    m[extra + X_PENDING] &= ~bit
    m[extra + X_WRITTEN] &= ~bit
    m[row + VALID] |= bit
    m[slice_ + SL_MSHRS] -= 1
    waiters = extra + X_WAITERS + 2 * part_
    request, time = m[waiters], now
    m[waiters], m[waiters + 1] = NONE, 0
    while request != NONE:
        following = m[request + Q_NEXT]
        if m[request + Q_KIND] == QK_ATOMIC and m[L2_WRITE_BACK] != 0:
            m[row + DIRTY] |= bit
        reply(m, request, number, time)
        request, time = following, time + 1
    unstick(m, number, now + 1)


@part
def unstick(m: Any, number: int, time: int) -> None:
    """Retry a slice that waits for DRAM."""
    slice_ = m[AT_SLICE] + number * SLICE_FIELDS
    if m[slice_ + SL_STUCK] != 0:
        m[slice_ + SL_STUCK] = 0
        time = max(time, m[slice_ + SL_FREE] // TICKS)
        m[slice_ + SL_TIME] = min(m[slice_ + SL_TIME], time)
