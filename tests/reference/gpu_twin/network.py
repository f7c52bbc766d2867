"""Requests, the homes of their sectors, and the network: a crossbar or butterfly each way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tests.reference.gpu_twin.program import WHOLE
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.spec import Spec

INTO_SLICE = 2
"""Cycles from the network to where a slice can take a request."""


@dataclass(eq=False)
class Request:
    """A packet from an SM to a slice, and back again.

    ``owner`` is the access, or the cache's line, that waits for the reply; None: nothing does. It
    may have ``joined`` the one before it: their sectors are one request; L2 may take both sectors
    in the same access. One that ``rides`` is in the packet of the one before it. ``parts`` are the
    eighths of the sector that a store writes.
    """

    kind: int
    sector: int
    sm: int
    owner: Any = None
    cache: Any = None
    words: int = 1
    parts: frozenset[int] = WHOLE
    joined: bool = False
    in_same_access: bool = False
    rides: bool = False


def up(ticks: int) -> int:
    """The first cycle that begins at a tick or later."""
    return -(-ticks // c.TICKS)


POLYNOMIALS = {1: 1, 2: 0b11, 4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101, 64: 0b1000011}
"""Irreducible ones over two elements, by the slices that they deal out to."""


def remainder(number: int, polynomial: int) -> int:
    """What is left of a number, read as a polynomial, when it is divided by another one."""
    while number.bit_length() >= polynomial.bit_length():
        number ^= polynomial << number.bit_length() - polynomial.bit_length()
    return number


class Places:
    """Where sectors are: chunks of neighbouring ones go round all channels, or all slices."""

    def __init__(self, spec: Spec) -> None:
        self._chunk, self._line = spec.sectors_per_chunk, spec.sectors_per_line
        self._slices, self._subs = spec.slice_count, spec.slices_per_channel
        self._hash = spec.slice_hash
        self._hashed = bool(self._hash)

    def slice_of(self, sector: int) -> int:
        """A sector's slice. Where turns round the slices are mixed, each has its own order."""
        chunk = sector // self._chunk
        if not self._hashed:
            channel = chunk % (self._slices // self._subs)
            return channel * self._subs + sector // self._line % self._subs
        if self._hash == c.HASH_POLYNOMIAL:
            place = remainder(chunk, POLYNOMIALS[self._slices])
            return place % (self._slices // self._subs) * self._subs + place // (
                self._slices // self._subs
            )
        turn, place = divmod(chunk, self._slices)
        mixed = turn ^ turn >> 3 ^ turn >> 7 ^ turn >> 12
        if self._slices & (self._slices - 1):
            return (place + mixed) % self._slices
        return place ^ mixed % self._slices

    def local(self, sector: int) -> int:
        """A sector's number among those of its slice, which lie side by side."""
        chunk, inside = divmod(sector, self._chunk)
        if self._hashed:
            return chunk // self._slices * self._chunk + inside
        turn = chunk // (self._slices // self._subs)
        if max(1, self._chunk // self._line) < self._subs:
            return turn * self._chunk + inside
        line, rest = divmod(inside, self._line)
        return turn * (self._chunk // self._subs) + line // self._subs * self._line + rest

    def in_channel(self, number: int, local: int) -> int:
        """Where a channel has a slice's sector: its slices take turns.

        They do by chunks where turns are mixed, and else by sectors.
        """
        unit = self._chunk if self._hashed else 1
        turn, inside = divmod(local, unit)
        return (turn * self._subs + number % self._subs) * unit + inside


@dataclass
class Intake:
    """A target's side: until which tick it is held, and which sender is next in turn."""

    free: int = 0
    turn: int = 0


@dataclass(eq=False)
class Network:
    """One direction. Senders put packets into their queues, and in a turn each target takes one.

    ``deliver`` is handed a target, a packet and the cycle of its arrival. A packet with a sector
    takes longer at a port than one with an address alone; ``sectors_with`` names the kinds that do.
    """

    _spec: Spec
    senders: int
    targets: int
    sectors_with: tuple[int, ...]
    deliver: Callable[[int, Request, int], None]
    queues: list[deque[tuple[int, int, Request]]] = field(init=False)
    intakes: list[Intake] = field(init=False)
    links: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.queues = [deque() for _ in range(self.senders)]
        self.intakes = [Intake() for _ in range(self.targets)]

    def enter(self, sender: int, target: int, request: Request, time: int) -> None:
        """Put a packet behind the others of a sender, to go at a cycle or later."""
        self.queues[sender].append((time, target, request))

    def cycle(self, now: int) -> None:
        """Let a cycle pass: a number of turns."""
        turns = self._spec.network_turns
        begins = [(now * turns + turn) * c.TICKS // turns for turn in range(turns + 1)]
        for begin, end in pairwise(begins):
            if any(self.queues):
                self._turn(now, begin, end)

    def _turn(self, now: int, begin: int, end: int) -> None:
        """Let targets take packets, one after the other: only the first of a queue can go."""
        sent = [0] * self.senders
        for target, intake in enumerate(self.intakes):
            if intake.free >= end:
                continue
            asking = [s for s in range(self.senders) if self._asks(s, target, sent[s], now)]
            if asking:
                sender = min(asking, key=lambda s: (s - intake.turn) % self.senders)
                sent[sender] += 1
                self._take(sender, target, now, begin)

    def _asks(self, sender: int, target: int, sent: int, now: int) -> bool:
        queue = self.queues[sender]
        if sent and sent >= self._spec.network_speedup:
            return False
        return bool(queue) and queue[0][0] <= now and queue[0][1] == target

    def _take(self, sender: int, target: int, now: int, begin: int) -> None:
        intake = self.intakes[target]
        queue = self.queues[sender]
        packet = [queue.popleft()[2]]
        while queue and queue[0][2].rides:
            packet.append(queue.popleft()[2])
        ticks = sum(map(self.ticks_of, packet))
        intake.free = max(intake.free, begin) + ticks
        intake.turn = sender + 1
        time = self._arrival(sender, target, ticks, now)
        for request in packet:  # which come back one by one
            request.rides = False
            self.deliver(target, request, time)

    def ticks_of(self, request: Request) -> int:
        """The ticks that a packet holds a port; one that has joined another has no address."""
        with_sector = request.kind in self.sectors_with
        if request.joined or request.rides:
            return self._spec.joined_ticks if with_sector else 0
        return self._spec.packet_ticks if with_sector else self._spec.header_ticks

    def _arrival(self, sender: int, target: int, ticks: int, now: int) -> int:
        """The cycle of arrival. A butterfly's packets pass a link after each of its stages.

        After stage s it is that of the target's first s + 1 digits and the sender's other ones.
        """
        latency, links = self._spec.network_latency, self._spec.links_per_stage
        time = now * c.TICKS
        for stage in range(self._spec.network_stages):
            below = links // self._spec.network_radix ** (stage + 1)
            link = stage, (target // below * below + sender % below) % links
            time = max(time + latency * c.TICKS, self.links.get(link, 0))
            self.links[link] = time + ticks
        return up(time) if self._spec.network_stages else now + latency
