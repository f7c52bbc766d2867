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
    AT_LINK,
    AT_SLICE,
    AT_SLICE_INTAKE,
    AT_SLICE_PORT,
    AT_SM,
    AT_SM_INTAKE,
    AT_SM_PORT,
    BX_FIRST,
    BX_LAST,
    IN_FIELDS,
    IN_FIRST,
    IN_LAST,
    IN_SENT,
    IN_TARGET,
    IN_TIME,
    LINKS,
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
    Q_JOINED,
    Q_KIND,
    Q_NEXT,
    Q_TARGET,
    Q_TIME,
    QK_LOAD,
    QK_STORE,
    SL_TIME,
    SLICE_FIELDS,
    SLICES,
    SM_FIELDS,
    SM_TIME,
    SMS,
    TICKS,
)

INTAKE_CYCLES = 2
"""From the network to a slice: into its queue, and out of it."""


@part
def enter(m: Any, port: int, request: int, target: int, time: int) -> None:
    """Put a request behind those that wait at a sender's port, to go at a cycle or later."""
    m[request + Q_TIME], m[request + Q_TARGET], m[request + Q_NEXT] = time, target, NONE
    if m[port + IN_FIRST] == NONE:
        m[port + IN_FIRST] = request
        m[port + IN_TIME], m[port + IN_TARGET] = time, target
    else:
        m[m[port + IN_LAST] + Q_NEXT] = request
    m[port + IN_LAST] = request


@part
def next_entry(m: Any, first: int, count: int) -> Any:
    """Give the first cycle at which a packet of one of the ports may go; NEVER where none waits."""
    time = NEVER
    for port in range(first, first + count * IN_FIELDS, IN_FIELDS):
        if m[port + IN_FIRST] != NONE:
            time = min(time, m[port + IN_TIME])
    return time


@part
def carry_requests(m: Any, begin: int, end: int) -> None:
    """Let what SMs have sent go on, from a cycle up to another one, to the mailboxes of slices."""
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
    """Let what slices have sent go on, from a cycle up to another one, to the mailboxes of SMs."""
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
    """Let each target know whose turn it is of the senders whose first packet wants to go there."""
    for source in range(count):
        port = ports + source * IN_FIELDS
        if m[port + IN_FIRST] != NONE and m[port + IN_TIME] <= now:
            m[port + IN_SENT] = 0
            _ask(m, port, source, count, intakes, turn)


@part
def _ask(m: Any, port: int, source: int, count: int, intakes: int, turn: int) -> None:
    """Let the target of a sender's first packet know of it, unless it is held."""
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
    """Let the first packet of a sender go to a target; gives it and the ticks that it takes."""
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
    """Give the ticks that a packet takes at a port: with a sector, or with an address alone.

    A sector that has ``joined`` the one before it travels with that one's address, and takes what
    its bytes do.
    """
    with_data = kind != QK_STORE if back else kind != QK_LOAD
    if joined:
        return m[NET_TICKS_JOINED] if with_data else 0
    return m[NET_TICKS_DATA] if with_data else m[NET_TICKS_HEAD]


@part
def _arrival(m: Any, now: int, source: int, target: int, ticks: int, back: int) -> Any:
    """Give the cycle at which a packet arrives that leaves at one.

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
    """Put a packet behind those that have come to a mailbox, or are about to, in order of time."""
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
