"""The network between SMs and slices: two crossbars, or butterflies, one for each direction.

What is sent waits in a queue of its sender, and only the first of a queue can go: one that has to
wait holds up the others behind it. In a turn each target takes one packet, of those that want to
go there that of the sender next in turn after the one that it took last; a network that is faster
than the SMs has ``network_turns`` of them in a cycle. Targets choose in the order of their numbers,
and a sender whose packet has gone may have its next one taken by a target that chooses later, up to
``network_speedup`` of them in a turn. Targets are held as long as a packet's flits take.
"""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.base.pointers import place_of, words_in, words_of
from warpmill.simulator.gpu.bits import quotient, rest
from warpmill.simulator.gpu.compiled import part
from warpmill.simulator.gpu.constants import (
    APART,
    HASH_LINEAR,
    HASH_POLYNOMIAL,
    JOINED,
    NEVER,
    NONE,
    REQUEST_LOAD,
    REQUEST_STORE,
    REQUEST_WRITE_BACK,
    RIDES,
    TICKS,
    WHOLE,
)
from warpmill.simulator.gpu.records import (
    REQUEST,
    nth_intake,
    nth_port,
    nth_slice,
    nth_sm,
    request_at,
)

REQUEST_WORDS = words_in(REQUEST)

INTAKE_CYCLES = 2
"""Cycles from the network to a slice: into its queue, and out of it."""


@part
def enter(gpu: Any, port: Any, request: Any, target: int, time: int) -> None:
    """Append a request to those that wait at a sender's port, to go at a cycle or later."""
    place = place_of(gpu, request)
    request.time, request.target, request.next = time, target, NONE
    if port.first == NONE:
        port.first = place
        port.time, port.target = time, target
    else:
        request_at(gpu, port.last).next = place
    port.last = place


@part
def next_entry(gpu: Any, ports: int, count: int) -> Any:
    """The first cycle at which a packet of one of the ports may go; NEVER where none waits."""
    time = NEVER
    for number in range(count):
        port = nth_port(gpu, ports, number)
        if port.first != NONE:
            time = min(time, port.time)
    return time


@part
def carry_requests(gpu: Any, begin: int, end: int) -> None:
    """Carry what SMs have sent, from a cycle up to another one, to the mailboxes of slices."""
    ports, intakes, count = gpu.sm_port_table, gpu.slice_intake_table, gpu.sm_count
    now = max(begin, next_entry(gpu, ports, count))
    while now < end:
        for turn in range(now * gpu.network_turns, (now + 1) * gpu.network_turns):
            _ask_all(gpu, ports, count, intakes, now, turn)
            for target in range(gpu.slice_count):
                intake = nth_intake(gpu, intakes, target)
                if intake.stamp == turn:
                    source = intake.best
                    request, ticks = _leave(
                        gpu, ports, source, count, intakes, target, now, turn, 0
                    )
                    time = _arrival(gpu, now, source, target, ticks, 0) + INTAKE_CYCLES
                    slice_ = nth_slice(gpu, target)
                    following = request.next
                    _deliver(gpu, slice_.requests, request, time)
                    while following != NONE:  # a packet is taken apart
                        rider = request_at(gpu, following)
                        rider.joined, following = APART, rider.next
                        _deliver(gpu, slice_.requests, rider, time)
                    slice_.time = min(slice_.time, time)
        now = max(now + 1, next_entry(gpu, ports, count))


@part
def carry_replies(gpu: Any, begin: int, end: int) -> None:
    """Carry what slices have sent, from a cycle up to another one, to the mailboxes of SMs."""
    ports, intakes, count = gpu.slice_port_table, gpu.sm_intake_table, gpu.slice_count
    now = max(begin, next_entry(gpu, ports, count))
    while now < end:
        for turn in range(now * gpu.network_turns, (now + 1) * gpu.network_turns):
            _ask_all(gpu, ports, count, intakes, now, turn)
            for target in range(gpu.sm_count):
                intake = nth_intake(gpu, intakes, target)
                if intake.stamp == turn:
                    source = intake.best
                    request, ticks = _leave(
                        gpu, ports, source, count, intakes, target, now, turn, 1
                    )
                    time = _arrival(gpu, now, source, target, ticks, 1)
                    sm = nth_sm(gpu, target)
                    _deliver(gpu, sm.replies, request, time)
                    sm.time = min(sm.time, time)
        now = max(now + 1, next_entry(gpu, ports, count))


@part
def _ask_all(gpu: Any, ports: int, count: int, intakes: int, now: int, turn: int) -> None:
    """Register, by turn, the senders whose first packet wants to go to each target."""
    for source in range(count):
        port = nth_port(gpu, ports, source)
        if port.first != NONE and port.time <= now:
            port.sent = 0
            _ask(gpu, port, source, count, intakes, turn)


@part
def _ask(gpu: Any, port: Any, source: int, count: int, intakes: int, turn: int) -> None:
    """Register the sender of a first packet at its target, unless it is held."""
    intake = nth_intake(gpu, intakes, port.target)
    if intake.free_tick >= quotient((turn + 1) * TICKS, gpu.network_turns):
        return
    rank = source - intake.turn
    rank += count if rank < 0 else 0
    if intake.stamp != turn or rank < intake.rank:
        intake.stamp, intake.rank = turn, rank
        intake.best = source


@part
def _leave(
    gpu: Any, ports: int, source: int, count: int, intakes: int, target: int, now: int, turn: int,
    back: int,
) -> Any:  # fmt: skip
    """Send the first packet of a sender to a target; returns it and the ticks that it takes.

    It is its first request, behind which stand those that ride with it.
    """
    port, intake = nth_port(gpu, ports, source), nth_intake(gpu, intakes, target)
    request = request_at(gpu, port.first)
    last, following = request, request.next
    ticks = packet_ticks(gpu, request.kind, request.joined, back)
    while following != NONE and request_at(gpu, following).joined == RIDES:
        last = request_at(gpu, following)
        ticks += packet_ticks(gpu, last.kind, RIDES, back)
        following = last.next
    last.next = NONE
    port.first = following
    port.sent += 1
    intake.free_tick = max(intake.free_tick, quotient(turn * TICKS, gpu.network_turns)) + ticks
    intake.turn = source + 1
    if following != NONE:
        first = request_at(gpu, following)
        port.time, port.target = first.time, first.target
        may_go = port.time <= now and port.sent < gpu.network_speedup
        if may_go and port.target > target:
            _ask(gpu, port, source, count, intakes, turn)
    return request, ticks


@part
def packet_ticks(gpu: Any, kind: int, joined: int, back: int) -> Any:
    """The ticks that a packet takes at a port: with a sector, or with an address alone.

    A sector that has ``joined`` the one before it travels with that one's address, and takes what
    its bytes do.
    """
    with_data = kind != REQUEST_STORE if back else kind != REQUEST_LOAD
    if joined != APART:
        return gpu.joined_ticks if with_data else 0
    return gpu.packet_ticks if with_data else gpu.header_ticks


@part
def _arrival(gpu: Any, now: int, source: int, target: int, ticks: int, back: int) -> Any:
    """The cycle at which a packet arrives that leaves at one.

    Between two stages of a butterfly lies one link for each pair of the target's leading digits and
    the source's trailing ones; packets that share a link go one after the other.
    """
    if gpu.network_stages == 0:
        return now + gpu.network_latency
    span, time = gpu.links_per_stage // gpu.network_radix, now * TICKS
    for stage in range(gpu.network_stages):
        number = target // span * span + source % span
        links = gpu.link_table + (back * gpu.network_stages + stage) * gpu.links_per_stage
        link = links + number % gpu.links_per_stage
        time = max(time + gpu.network_latency * TICKS, words_of(gpu)[link])
        words_of(gpu)[link] = time + ticks
        span = max(1, span // gpu.network_radix)
    return (time + TICKS - 1) // TICKS


@part
def _deliver(gpu: Any, mailbox: Any, request: Any, time: int) -> None:
    """Insert a packet into a mailbox, in order of time."""
    place = place_of(gpu, request)
    request.next = NONE
    if mailbox.first == NONE:
        mailbox.first = place
    else:
        last = request_at(gpu, mailbox.last)
        time, last.next = max(time, last.time), place
    request.time = time
    mailbox.last = place


@part
def take_first(gpu: Any, mailbox: Any) -> Any:
    """Take the first packet of a mailbox; there is one."""
    request = request_at(gpu, mailbox.first)
    mailbox.first = request.next
    return request


# Requests and replies between SMs and slices: where a sector is, and the records of requests.


@part
def slice_of(gpu: Any, sector: int) -> Any:
    """The slice of a sector: chunks go round the channels, lines round a channel's slices.

    Hashed, each turn round all slices takes them in another order, and slices share chunks evenly.
    """
    chunk, slices = quotient(sector, gpu.sectors_per_chunk), gpu.slice_count
    turn, place = quotient(chunk, slices), rest(chunk, slices)
    if gpu.slice_hash == HASH_POLYNOMIAL:
        channels, table = quotient(slices, gpu.slices_per_channel), gpu.hash_table
        while turn != 0:
            place ^= words_of(gpu)[table + (turn & 255)]
            turn, table = turn >> 8, table + 256
        return rest(place, channels) * gpu.slices_per_channel + quotient(place, channels)
    if gpu.slice_hash != HASH_LINEAR:
        mixed = turn ^ (turn >> 3) ^ (turn >> 7) ^ (turn >> 12)
        if slices & (slices - 1) == 0:
            return place ^ (mixed & (slices - 1))
        return (place + mixed) % slices
    channels = quotient(slices, gpu.slices_per_channel)
    sub = rest(quotient(sector, gpu.sectors_per_line), gpu.slices_per_channel)
    return rest(chunk, channels) * gpu.slices_per_channel + sub


@part
def local_sector(gpu: Any, sector: int) -> Any:
    """The number of a sector among those of its slice, so that they lie close together."""
    size = gpu.sectors_per_chunk
    chunk, inside = quotient(sector, size), rest(sector, size)
    if gpu.slice_hash != HASH_LINEAR:
        return quotient(chunk, gpu.slice_count) * size + inside
    channels = quotient(gpu.slice_count, gpu.slices_per_channel)
    line = gpu.sectors_per_line
    lines = max(1, quotient(size, line))
    subs = gpu.slices_per_channel
    if lines >= subs:
        place = quotient(quotient(inside, line), subs) * line + rest(inside, line)
        return quotient(chunk, channels) * quotient(size, subs) + place
    return quotient(chunk, channels) * size + inside


@part
def has_room(gpu: Any, sm: Any) -> Any:
    """Whether the network takes another packet of an SM."""
    return sm.packets_under_way < gpu.packets_per_sm


@part
def new_request(gpu: Any) -> Any:
    """Take a request from those that are free; there is one, as what takes them is limited."""
    if gpu.free_request == NONE:
        request = request_at(gpu, gpu.unused_request)
        gpu.unused_request += REQUEST_WORDS
    else:
        request = request_at(gpu, gpu.free_request)
        gpu.free_request = request.next
    return request


@part
def free_request(gpu: Any, request: Any) -> None:
    """Free a request."""
    request.next = gpu.free_request
    gpu.free_request = place_of(gpu, request)


@part
def written_back(gpu: Any, request: Any) -> None:
    """End what an SM wrote back, of which it is told nothing."""
    gpu.write_backs -= 1
    free_request(gpu, request)


@part
def send(
    gpu: Any,
    sm: Any,
    ready: int,
    sector: int,
    kind: int,
    owner: int,
    cache: int,
    words: int,
    parts: int,
    rides: bool,
) -> None:
    """Send a request of an SM to the slice of its sector, ready at a cycle, with room for it.

    Sectors of one access that lie in one segment, and on the way to one slice, are one request:
    those behind the first join it. Of what L2 takes at once the first one waits for all of it.
    One that ``rides`` is in the packet of the request before it.
    """
    joined, in_same_access, slice_ = APART, 0, slice_of(gpu, sector)
    if rides:
        joined = RIDES
    elif kind != REQUEST_WRITE_BACK:
        if gpu.sectors_per_l2_access > 1:
            place = quotient(sector, gpu.sectors_per_l2_access)
            in_same_access = 1 if place == sm.last_l2_access else 0
            sm.last_l2_access = place
        segment = quotient(sector, gpu.sectors_per_request) * gpu.slice_count + slice_
        joined = JOINED if segment == sm.last_segment else APART
        sm.last_segment = segment
    leaves = max(sm.port_free_tick, ready * TICKS)
    sm.port_free_tick = leaves + packet_ticks(gpu, kind, joined, 0)
    request = new_request(gpu)
    request.joined, request.in_same_access = joined, in_same_access
    request.sector, request.kind = sector, kind
    request.sm, request.owner, request.cache = sm.number, owner, cache
    request.words, request.parts = words, parts
    sm.counts.packets_out += 1
    if kind == REQUEST_WRITE_BACK:
        gpu.write_backs += 1
    else:
        sm.packets_under_way += 1
    time = (leaves + TICKS - 1) // TICKS + 1
    enter(gpu, nth_port(gpu, gpu.sm_port_table, sm.number), request, slice_, time)


@part
def ask_for(gpu: Any, sm: Any, first: int, count: int, row: int, cache: int, ready: int) -> None:
    """Ask L2 for sectors of a cache's row, in one packet."""
    for sector in range(first, first + count):
        send(gpu, sm, ready, sector, REQUEST_LOAD, row, cache, 1, WHOLE, sector > first)


@part
def reply(gpu: Any, request: Any, source: int, time: int) -> None:
    """Send a request back from a slice to its SM, from a cycle on: data, or word of a store.

    Slices work ``l2_delay`` cycles ahead: that long a reply takes beside its way through the
    network.
    """
    port = nth_port(gpu, gpu.slice_port_table, source)
    enter(gpu, port, request, request.sm, time + 1 + gpu.l2_delay)
