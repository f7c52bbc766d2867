"""DRAM channels: a queue of requests, banks with rows, the timing of commands, FR-FCFS or FCFS.

A channel decides on one column command at a time. What has come and is within the scheduler's
queue competes: FR-FCFS takes the one whose column command can go first, which prefers open rows and
lets rows of other banks be opened meanwhile; FCFS takes the oldest. Rows are opened as early as
their bank allows, from the request's arrival on.
"""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    AT_BANK,
    AT_BIN,
    AT_CHANNEL,
    AT_CHANNEL_COUNT,
    B_DRAM_SECTORS,
    BANK_FIELDS,
    BANK_GROUPS,
    BANKS,
    BIN_FIELDS,
    BINS,
    BK_ACTIVATED,
    BK_COLUMN,
    BK_PRECHARGE,
    BK_ROW,
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
    HASHES,
    L2_DELAY,
    MIXED_LOSS,
    N_DRAM_BUSY,
    N_DRAM_READS,
    N_DRAM_WAIT,
    N_DRAM_WRITES,
    N_ROW_HITS,
    N_ROW_MISSES,
    NEVER,
    NONE,
    PAGE_SECTORS,
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
    QK_LOAD,
    SECTORS_OF_CHUNK,
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
)
from warpmill.simulator.gpu.requests import new_request

QUEUE_BEFORE = 64
"""Requests that wait between L2 and a channel's scheduler (dram_partition_queues of GPGPU-Sim)."""


@part
def channel_has_room(m: Any, slice_: int) -> Any:
    """Tell whether the channel of a slice takes a request: into its queue or the one before it."""
    channel = m[AT_CHANNEL] + slice_ // m[SUBSLICES] * CHANNEL_FIELDS
    return m[channel + CH_COUNT] < m[DRAM_QUEUE] + QUEUE_BEFORE


@part
def to_channel(m: Any, slice_: int, sector: int, ref: int, kind: int, now: int) -> None:
    """Hand a sector of a slice to its channel, which has room.

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
    """Give where a channel has a sector of a slice; where slices are hashed, chunks stay whole."""
    subs, size = m[SUBSLICES], m[SECTORS_OF_CHUNK] if m[HASHES] != 0 else 1
    return (sector // size * subs + slice_ % subs) * size + sector % size


@part
def bank_of(m: Any, channel: int, place: int) -> Any:
    """Give the place of the bank of a sector: neighbouring pages are in neighbouring banks.

    The row's number is mixed in, so that pages a bank's length apart do not all meet in one.
    """
    page, row = place // m[PAGE_SECTORS], page_of(m, place)
    bank = (page % m[BANKS] ^ row % m[BANKS]) % m[BANKS]
    return m[AT_BANK] + (channel * m[BANKS] + bank) * BANK_FIELDS


@part
def page_of(m: Any, place: int) -> Any:
    """Give the row of its bank that a sector is in."""
    return place // m[PAGE_SECTORS] // m[BANKS]


@part
def column_time(m: Any, channel: int, request: int) -> Any:
    """Give the earliest tick of a request's column command."""
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
    """Give the earliest tick at which a bank opens another row, closing the one that is open."""
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
    """Give the ticks of the bus that a write costs beside its own, by the reads among which it is.

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
