"""The network between SMs and slices: two crossbars, or butterflies, one for each direction.

What is sent waits in a queue of its sender, and only the first of a queue can go: one that has to
wait holds up the others behind it. In a turn each target takes one packet, of those that want to
go there that of the sender next in turn after the one that it took last; a network that is faster
than the SMs has NET_TURNS of them in a cycle. Targets choose in the order of their numbers, and a
sender whose packet has gone may have its next one taken by a target that chooses later, up to
NET_SPEEDUP of them in a turn. Targets are held as long as a packet's flits take.
"""

from __future__ import annotations

from typing import Any

from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.fields import (
    AT_HASH,
    AT_LINK,
    AT_SLICE,
    AT_SLICE_INTAKE,
    AT_SLICE_PORT,
    AT_SM,
    AT_SM_COUNT,
    AT_SM_INTAKE,
    AT_SM_PORT,
    BX_FIRST,
    BX_LAST,
    G_FREE_REQUEST,
    G_REQUESTS,
    G_UNUSED_REQUEST,
    G_WRITE_BACKS,
    HASH_POLYNOMIAL,
    HASHES,
    IN_FIELDS,
    IN_FIRST,
    IN_LAST,
    IN_SENT,
    IN_TARGET,
    IN_TIME,
    L2_DELAY,
    LINKS,
    N_PACKETS_OUT,
    NET_BUFFER,
    NET_LATENCY,
    NET_RADIX,
    NET_SPEEDUP,
    NET_STAGES,
    NET_TICKS_DATA,
    NET_TICKS_HEAD,
    NET_TICKS_JOINED,
    NET_TURNS,
    NEVER,
    NONE,
    OUT_BEST,
    OUT_FIELDS,
    OUT_FREE,
    OUT_RANK,
    OUT_STAMP,
    OUT_TURN,
    Q_AT_ONCE,
    Q_CACHE,
    Q_JOINED,
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
    QK_STORE,
    QK_WRITE_BACK,
    REQUEST_FIELDS,
    SECTORS_AT_ONCE,
    SECTORS_OF_CHUNK,
    SECTORS_OF_LINE,
    SECTORS_OF_REQUEST,
    SL_TIME,
    SLICE_FIELDS,
    SLICES,
    SM_AT_ONCE,
    SM_COUNTS,
    SM_FIELDS,
    SM_OUT_FREE,
    SM_SEGMENT,
    SM_TIME,
    SM_UNDER_WAY,
    SMS,
    SUBSLICES,
    TICKS,
)

INTAKE_CYCLES = 2
"""Cycles from the network to a slice: into its queue, and out of it."""


@part
def enter(m: Any, port: int, request: int, target: int, time: int) -> None:
    """Append a request to those that wait at a sender's port, to go at a cycle or later."""
    m[request + Q_TIME], m[request + Q_TARGET], m[request + Q_NEXT] = time, target, NONE
    if m[port + IN_FIRST] == NONE:
        m[port + IN_FIRST] = request
        m[port + IN_TIME], m[port + IN_TARGET] = time, target
    else:
        m[m[port + IN_LAST] + Q_NEXT] = request
    m[port + IN_LAST] = request


@part
def next_entry(m: Any, first: int, count: int) -> Any:
    """The first cycle at which a packet of one of the ports may go; NEVER where none waits."""
    time = NEVER
    for port in range(first, first + count * IN_FIELDS, IN_FIELDS):
        if m[port + IN_FIRST] != NONE:
            time = min(time, m[port + IN_TIME])
    return time


@part
def carry_requests(m: Any, begin: int, end: int) -> None:
    """Carry what SMs have sent, from a cycle up to another one, to the mailboxes of slices."""
    ports, intakes = m[AT_SM_PORT], m[AT_SLICE_INTAKE]
    now = max(begin, next_entry(m, ports, m[SMS]))
    while now < end:
        for turn in range(now * m[NET_TURNS], (now + 1) * m[NET_TURNS]):
            _ask_all(m, ports, m[SMS], intakes, now, turn)
            for target in range(m[SLICES]):
                intake = intakes + target * OUT_FIELDS
                if m[intake + OUT_STAMP] == turn:
                    source = m[intake + OUT_BEST]
                    request, ticks = _leave(m, ports, source, m[SMS], intakes, target, now, turn, 0)
                    time = _arrival(m, now, source, target, ticks, 0) + INTAKE_CYCLES
                    slice_ = m[AT_SLICE] + target * SLICE_FIELDS
                    _deliver(m, slice_, request, time)
                    m[slice_ + SL_TIME] = min(m[slice_ + SL_TIME], time)
        now = max(now + 1, next_entry(m, ports, m[SMS]))


@part
def carry_replies(m: Any, begin: int, end: int) -> None:
    """Carry what slices have sent, from a cycle up to another one, to the mailboxes of SMs."""
    ports, intakes = m[AT_SLICE_PORT], m[AT_SM_INTAKE]
    now = max(begin, next_entry(m, ports, m[SLICES]))
    while now < end:
        for turn in range(now * m[NET_TURNS], (now + 1) * m[NET_TURNS]):
            _ask_all(m, ports, m[SLICES], intakes, now, turn)
            for target in range(m[SMS]):
                intake = intakes + target * OUT_FIELDS
                if m[intake + OUT_STAMP] == turn:
                    source, count = m[intake + OUT_BEST], m[SLICES]
                    request, ticks = _leave(m, ports, source, count, intakes, target, now, turn, 1)
                    time = _arrival(m, now, source, target, ticks, 1)
                    at = m[AT_SM] + target * SM_FIELDS
                    _deliver(m, at, request, time)
                    m[at + SM_TIME] = min(m[at + SM_TIME], time)
        now = max(now + 1, next_entry(m, ports, m[SLICES]))


@part
def _ask_all(m: Any, ports: int, count: int, intakes: int, now: int, turn: int) -> None:
    """Register, by turn, the senders whose first packet wants to go to each target."""
    for source in range(count):
        port = ports + source * IN_FIELDS
        if m[port + IN_FIRST] != NONE and m[port + IN_TIME] <= now:
            m[port + IN_SENT] = 0
            _ask(m, port, source, count, intakes, turn)


@part
def _ask(m: Any, port: int, source: int, count: int, intakes: int, turn: int) -> None:
    """Register the sender of a first packet at its target, unless it is held."""
    intake = intakes + m[port + IN_TARGET] * OUT_FIELDS
    if m[intake + OUT_FREE] >= (turn + 1) * TICKS // m[NET_TURNS]:
        return
    rank = source - m[intake + OUT_TURN]
    rank += count if rank < 0 else 0
    if m[intake + OUT_STAMP] != turn or rank < m[intake + OUT_RANK]:
        m[intake + OUT_STAMP], m[intake + OUT_RANK] = turn, rank
        m[intake + OUT_BEST] = source


@part
def _leave(
    m: Any, ports: int, source: int, count: int, intakes: int, target: int, now: int, turn: int,
    back: int,
) -> Any:  # fmt: skip
    """Send the first packet of a sender to a target; returns it and the ticks that it takes."""
    port, intake = ports + source * IN_FIELDS, intakes + target * OUT_FIELDS
    request = m[port + IN_FIRST]
    following = m[request + Q_NEXT]
    m[port + IN_FIRST] = following
    m[port + IN_SENT] += 1
    ticks = packet_ticks(m, m[request + Q_KIND], m[request + Q_JOINED], back)
    m[intake + OUT_FREE] = max(m[intake + OUT_FREE], turn * TICKS // m[NET_TURNS]) + ticks
    m[intake + OUT_TURN] = source + 1
    if following != NONE:
        m[port + IN_TIME], m[port + IN_TARGET] = m[following + Q_TIME], m[following + Q_TARGET]
        may_go = m[port + IN_TIME] <= now and m[port + IN_SENT] < m[NET_SPEEDUP]
        if may_go and m[port + IN_TARGET] > target:
            _ask(m, port, source, count, intakes, turn)
    return request, ticks


@part
def packet_ticks(m: Any, kind: int, joined: int, back: int) -> Any:
    """The ticks that a packet takes at a port: with a sector, or with an address alone.

    A sector that has ``joined`` the one before it travels with that one's address, and takes what
    its bytes do.
    """
    with_data = kind != QK_STORE if back else kind != QK_LOAD
    if joined:
        return m[NET_TICKS_JOINED] if with_data else 0
    return m[NET_TICKS_DATA] if with_data else m[NET_TICKS_HEAD]


@part
def _arrival(m: Any, now: int, source: int, target: int, ticks: int, back: int) -> Any:
    """The cycle at which a packet arrives that leaves at one.

    Between two stages of a butterfly lies one link for each pair of the target's leading digits and
    the source's trailing ones; packets that share a link go one after the other.
    """
    if m[NET_STAGES] == 0:
        return now + m[NET_LATENCY]
    span, time = m[LINKS] // m[NET_RADIX], now * TICKS
    for stage in range(m[NET_STAGES]):
        number = target // span * span + source % span
        link = m[AT_LINK] + (back * m[NET_STAGES] + stage) * m[LINKS] + number % m[LINKS]
        time = max(time + m[NET_LATENCY] * TICKS, m[link])
        m[link] = time + ticks
        span = max(1, span // m[NET_RADIX])
    return (time + TICKS - 1) // TICKS


@part
def _deliver(m: Any, box: int, request: int, time: int) -> None:
    """Insert a packet into a mailbox, in order of time."""
    m[request + Q_NEXT] = NONE
    if m[box + BX_FIRST] == NONE:
        m[box + BX_FIRST] = request
    else:
        time = max(time, m[m[box + BX_LAST] + Q_TIME])
        m[m[box + BX_LAST] + Q_NEXT] = request
    m[request + Q_TIME] = time
    m[box + BX_LAST] = request


@part
def take_first(m: Any, box: int) -> Any:
    """Take the first packet of a mailbox; there is one."""
    request = m[box + BX_FIRST]
    m[box + BX_FIRST] = m[request + Q_NEXT]
    return request


# Requests and replies between SMs and slices: where a sector is, and the records of requests.


@part
def slice_of(m: Any, sector: int) -> Any:
    """The slice of a sector: chunks go round the channels, lines round a channel's slices.

    Hashed, each turn round all slices takes them in another order, and slices share chunks evenly.
    """
    chunk = sector // m[SECTORS_OF_CHUNK]
    if m[HASHES] == HASH_POLYNOMIAL:
        channels, place = m[SLICES] // m[SUBSLICES], chunk % m[SLICES]
        rest, table = chunk // m[SLICES], m[AT_HASH]
        while rest != 0:
            place ^= m[table + (rest & 255)]
            rest, table = rest >> 8, table + 256
        return place % channels * m[SUBSLICES] + place // channels
    if m[HASHES] != 0:
        slices = m[SLICES]
        turn, place = chunk // slices, chunk % slices
        mixed = turn ^ (turn >> 3) ^ (turn >> 7) ^ (turn >> 12)
        if slices & (slices - 1) == 0:
            return place ^ (mixed % slices)
        return (place + mixed) % slices
    channels = m[SLICES] // m[SUBSLICES]
    sub = sector // m[SECTORS_OF_LINE] % m[SUBSLICES]
    return chunk % channels * m[SUBSLICES] + sub


@part
def local_sector(m: Any, sector: int) -> Any:
    """The number of a sector among those of its slice, so that they lie close together."""
    size = m[SECTORS_OF_CHUNK]
    chunk, inside = sector // size, sector % size
    if m[HASHES] != 0:
        return chunk // m[SLICES] * size + inside
    channels = m[SLICES] // m[SUBSLICES]
    line = m[SECTORS_OF_LINE]
    lines = max(1, size // line)
    subs = m[SUBSLICES]
    if lines >= subs:
        place = inside // line // subs * line + inside % line
        return chunk // channels * (size // subs) + place
    return chunk // channels * size + inside


@part
def has_room(m: Any, sm: int) -> Any:
    """Whether the network takes another packet of an SM."""
    return m[m[AT_SM] + sm * SM_FIELDS + SM_UNDER_WAY] < m[NET_BUFFER]


@part
def new_request(m: Any) -> Any:
    """Take a request from those that are free; there is one, as what takes them is limited."""
    request = m[G_FREE_REQUEST]
    if request == NONE:
        request = m[G_UNUSED_REQUEST]
        m[G_UNUSED_REQUEST] += REQUEST_FIELDS
    else:
        m[G_FREE_REQUEST] = m[request + Q_NEXT]
    m[G_REQUESTS] += 1
    return request


@part
def free_request(m: Any, request: int) -> None:
    """Free a request."""
    m[request + Q_NEXT] = m[G_FREE_REQUEST]
    m[G_FREE_REQUEST] = request
    m[G_REQUESTS] -= 1


@part
def written_back(m: Any, request: int) -> None:
    """End what an SM wrote back, of which it is told nothing."""
    m[G_WRITE_BACKS] -= 1
    free_request(m, request)


@part
def send(
    m: Any,
    sm: int,
    ready: int,
    sector: int,
    kind: int,
    ref: int,
    cache: int,
    words: int,
    parts: int,
) -> None:
    """Send a request of an SM to the slice of its sector, ready at a cycle, with room for it.

    Sectors of one access that lie in one segment, and on the way to one slice, are one request:
    those behind the first join it. Of what L2 takes at once the first one waits for all of it.
    """
    at = m[AT_SM] + sm * SM_FIELDS
    joined, at_once, slice_ = 0, 0, slice_of(m, sector)
    if kind != QK_WRITE_BACK:
        if m[SECTORS_AT_ONCE] > 1:
            place = sector // m[SECTORS_AT_ONCE]
            at_once = 1 if place == m[at + SM_AT_ONCE] else 0
            m[at + SM_AT_ONCE] = place
        segment = sector // m[SECTORS_OF_REQUEST] * m[SLICES] + slice_
        joined = 1 if segment == m[at + SM_SEGMENT] else 0
        m[at + SM_SEGMENT] = segment
    leaves = max(m[at + SM_OUT_FREE], ready * TICKS)
    m[at + SM_OUT_FREE] = leaves + packet_ticks(m, kind, joined, 0)
    request = new_request(m)
    m[request + Q_JOINED], m[request + Q_AT_ONCE] = joined, at_once
    m[request + Q_SECTOR], m[request + Q_KIND] = sector, kind
    m[request + Q_SM], m[request + Q_REF], m[request + Q_CACHE] = sm, ref, cache
    m[request + Q_WORDS], m[request + Q_PARTS] = words, parts
    m[m[AT_SM_COUNT] + sm * SM_COUNTS + N_PACKETS_OUT] += 1
    if kind == QK_WRITE_BACK:
        m[G_WRITE_BACKS] += 1
    else:
        m[at + SM_UNDER_WAY] += 1
    time = (leaves + TICKS - 1) // TICKS + 1
    enter(m, m[AT_SM_PORT] + sm * IN_FIELDS, request, slice_, time)


@part
def reply(m: Any, request: int, source: int, time: int) -> None:
    """Send a request back from a slice to its SM, from a cycle on: data, or word of a store.

    Slices work L2_DELAY cycles ahead: that long a reply takes beside its way through the network.
    """
    port = m[AT_SLICE_PORT] + source * IN_FIELDS
    enter(m, port, request, m[request + Q_SM], time + 1 + m[L2_DELAY])
