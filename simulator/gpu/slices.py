"""The slices of L2: requests one after the other, misses handed to the slice's DRAM channel."""

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
from warpmill.simulator.gpu.dram import channel_has_room, to_channel
from warpmill.simulator.gpu.fields import (
    AT_BIN,
    AT_SLICE,
    AT_SLICE_COUNT,
    ATOMIC_FIRST_TICKS,
    ATOMIC_TICKS,
    B_L2_ACCESSES,
    BIN_FIELDS,
    BINS,
    BX_FIRST,
    C_SECTORS,
    G_BIN_CYCLES,
    HAS_L2,
    L2_DELAY,
    L2_MERGE,
    L2_MSHRS,
    L2_PARTS,
    L2_WRITE_BACK,
    N_L2_ACCESSES,
    N_L2_ATOMICS,
    N_L2_BUSY,
    N_L2_HITS,
    N_L2_MISSES,
    N_L2_PENDING,
    N_L2_READS,
    N_L2_STALLS,
    N_L2_WRITE_BACKS,
    N_L2_WRITES,
    NEVER,
    NONE,
    OF_L2,
    PARTS_FILLED,
    PARTS_NONE,
    Q_AT_ONCE,
    Q_KIND,
    Q_NEXT,
    Q_PARTS,
    Q_SECTOR,
    Q_TIME,
    Q_WORDS,
    QK_ATOMIC,
    QK_LOAD,
    QK_STORE,
    QK_WRITE_BACK,
    SL_FREE,
    SL_MSHRS,
    SL_STUCK,
    SL_TIME,
    SLICE_COUNTS,
    SLICE_FIELDS,
    SLICE_TICKS,
    TICKS,
    WHOLE,
    WRITE_TICKS,
    X_PENDING,
    X_WAITERS,
    X_WRITTEN,
)
from warpmill.simulator.gpu.network import take_first
from warpmill.simulator.gpu.requests import local_sector, reply, written_back
from warpmill.simulator.memory.cache_step import DIRTY, TAG, VALID


@part
def step_slice(m: Any, number: int, now: int) -> None:
    """Let a slice serve what has come and what it has time for in a cycle."""
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
    """Give a row to a line; what its old line has to write goes to DRAM. NONE: not now."""
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
    _count(m, counts, m[request + Q_KIND], N_L2_MISSES, now)
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
    """Put a request behind those that wait for a sector; they will be answered in their order."""
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
    """Put a sector from DRAM into a slice, and answer all that waited for it, one a cycle."""
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
    """Let a slice that waits for DRAM try again."""
    slice_ = m[AT_SLICE] + number * SLICE_FIELDS
    if m[slice_ + SL_STUCK] != 0:
        m[slice_ + SL_STUCK] = 0
        time = max(time, m[slice_ + SL_FREE] // TICKS)
        m[slice_ + SL_TIME] = min(m[slice_ + SL_TIME], time)
