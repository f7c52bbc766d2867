"""Threads, what they wait for together, and what they know of each other: the causality order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from warpmill.benchmarks.check.exhaustive.memory import (
    Clock,
    Entry,
    Event,
    Region,
    are_morally_strong,
    joined,
)
from warpmill.benchmarks.check.exhaustive.steps import Access, Meeting

Places = list[tuple[Region, range]]
"""The places of each element of an access."""


Footprint = tuple[tuple[tuple[int, int], ...], tuple[Any, ...] | None, bool]
"""Places of an access, its key where it is an update that commutes, whether it only reads."""


@dataclass(eq=False)
class Copy:
    """An asynchronous copy that is not done: from where, to where, of how many bytes.

    ``kind`` is cp, bulk or arrive: the last one copies nothing, but arrives at a barrier object
    where those before it are done. ``slots`` are where its reading and its writing are in clocks.
    """

    kind: str
    access: Access
    origin: Places
    target: Places
    size: int
    limit: int
    clock: Clock
    group: int
    time: int
    slots: tuple[int, int]
    proxied: list[Clock]
    object: BarrierObject | None = None
    values: list[int | None] | None = None


@dataclass(eq=False)
class Groups:
    """Groups of copies that a thread has committed: the time of each, and the time now."""

    times: list[int] = field(default_factory=list)
    time: int = 1

    def commit(self) -> None:
        """End a group."""
        self.times.append(self.time)
        self.time += 1


@dataclass(eq=False)
class Agent:
    """Whoever accesses memory; this one does the asynchronous copies of a thread.

    ``blocked`` are the times at which it could not go on: [from, to), of accesses of the run.
    """

    number: int
    cta: int
    slot: int
    peers: int  # that it is one of: threads of its CTA, and their copies
    time: int = 1
    epoch: int = 0
    order: int = 0
    clock: Clock = field(default_factory=dict)
    seen: dict[tuple[int, int], Entry] = field(default_factory=dict)
    blocked: list[list[int | None]] = field(default_factory=list)
    queue: list[Copy] = field(default_factory=list)
    proxied: list[Clock] = field(default_factory=lambda: [{}, {}])  # what a proxy fence is after
    is_ordered: bool = True  # one after another by itself
    is_bulk: bool = False


@dataclass(eq=False)
class Thread(Agent):
    """A thread: registers, program counter, what it waits for, what its fences released."""

    registers: list[int | None] = field(default_factory=list)
    special: dict[str, int] = field(default_factory=dict)
    lane: int = 0
    warp: int = 0
    counter: int = 0
    steps: int = 0
    waits: str = ""  # a barrier, lanes, copies, a value
    is_done: bool = False
    places: Places | None = None  # of the access that is next
    values: tuple[int | None, ...] = ()
    local: dict[int, int | None] = field(default_factory=dict)
    copies: Groups = field(default_factory=Groups)
    bulk: Groups = field(default_factory=Groups)
    needed: tuple[str, int, bool] = ("cp", 0, False)  # kind, group, whether read is enough
    near: Clock | None = None
    far: Clock | None = None
    unfenced: list[tuple[Clock, bool]] = field(default_factory=list)
    loops: dict[Any, set[int | None]] = field(default_factory=dict)


@dataclass
class Arrival:
    """A thread that has come to a barrier, with what it knew then."""

    thread: Thread
    meeting: Meeting
    values: tuple[int | None, ...]
    time: int
    clock: Clock
    proxied: list[Clock]

    @property
    def waits(self) -> bool:
        """Whether it waits for the others."""
        return self.meeting.kind != "bar.arrive"


@dataclass
class Barrier:
    """Who has come to a barrier, and who came the time before: (slot, time)."""

    arrived: list[Arrival] = field(default_factory=list)
    slots: set[int] = field(default_factory=set)
    before: list[tuple[int, int]] = field(default_factory=list)
    phase: int = 0


@dataclass(eq=False)
class ObjectWait:
    """A thread that waits until so many phases of a barrier object have ended."""

    thread: Thread
    access: Access
    phase: int


@dataclass(eq=False)
class BarrierObject:
    """A barrier object: arrivals and bytes that are to come, who has come, and who has waited.

    Arrivals and waits are (slot, time); ``phases`` has those of each phase that has ended.
    ``clock`` is what those know that wait, ``order`` also what copies began after.
    """

    number: int
    count: int
    pending: int
    made: Event
    bytes_left: int = 0
    copies: int = 0
    phase: int = 0
    is_fenced: bool = False
    clock: Clock = field(default_factory=dict)
    order: Clock = field(default_factory=dict)
    proxied: list[Clock] = field(default_factory=lambda: [{}, {}])
    arrived: list[tuple[int, int]] = field(default_factory=list)
    waits: list[tuple[int, int]] = field(default_factory=list)
    waiting: list[ObjectWait] = field(default_factory=list)
    phases: list[list[tuple[int, int]]] = field(default_factory=list)


@dataclass
class Cta:
    """A CTA: its threads, and what they wait for together."""

    threads: list[Thread]
    alive: int  # threads that have not exited
    barriers: dict[int, Barrier] = field(default_factory=dict)
    objects: dict[int, BarrierObject] = field(default_factory=dict)
    lanes: dict[tuple[int, int, int], dict[int, tuple[Thread, tuple[int | None, ...]]]] = field(
        default_factory=dict
    )


# Causality order.


def snapshot(agent: Agent) -> Clock:
    """What it knows, itself included; what it does from now on is later."""
    times = list(agent.clock.get(agent.cta) or [0] * agent.peers)
    times[agent.slot] = agent.time
    agent.time += 1
    return {**agent.clock, agent.cta: times}


def knows(agent: Agent, slot: int, time: int) -> bool:
    """Whether it knows of a time of its CTA."""
    times = agent.clock.get(agent.cta)
    return slot == agent.slot or (times is not None and times[slot] >= time)


def fence_proxy(thread: Thread, spaces: tuple[str, ...]) -> None:
    """Bulk copies may come after all that the thread knows, of shared or of global memory."""
    clock = snapshot(thread)
    thread.epoch += 1
    names = zip(("shared", "global"), thread.proxied, strict=True)
    thread.proxied = [joined(known, clock) if name in spaces else known for name, known in names]


def meet_proxied(arrived: list[list[Clock]]) -> list[Clock]:
    """What the proxy fences of all are after."""
    result = arrived[0]
    for other in arrived[1:]:
        result = [joined(a, b) for a, b in zip(result, other, strict=True)]
    return result


def acquire(thread: Thread, event: Event, entry: Entry) -> None:
    """Know what a write released that was read; with a relaxed read only from a fence on."""
    other = entry.event
    if other is None or other.near is None or not are_morally_strong(other, event):
        return
    is_near = other.cta == thread.cta
    clock = other.near if is_near else other.far
    if clock is None:
        return
    if event.acquires:
        thread.clock = joined(thread.clock, clock)
    else:
        thread.unfenced.append((clock, is_near))


def release(thread: Thread, event: Event) -> None:
    """What a write hands on: what is before it where it releases, else what is before a fence."""
    if event.releases:
        event.near = snapshot(thread)
        event.far = event.near if event.is_wide else None
    else:
        event.near = thread.near
        event.far = thread.far if event.is_wide else None
    if event.near is None:
        event.near = event.far


def carry(event: Event, read: Entry) -> None:
    """An update hands on what the write released that it read."""
    other = read.event
    if other is None or other.near is None or not are_morally_strong(other, event):
        return
    near = other.near if other.cta == event.cta else other.far
    if near is not None:
        event.near = joined(event.near or {}, near)
    if other.far is not None and event.is_wide:
        event.far = joined(event.far or {}, other.far)


def fence(thread: Thread, is_wide: bool) -> None:
    """A fence that acquires and releases, of its CTA or wider."""
    kept: list[tuple[Clock, bool]] = []
    for clock, is_near in thread.unfenced:
        if is_wide or is_near:
            thread.clock = joined(thread.clock, clock)
        else:
            kept.append((clock, is_near))
    thread.unfenced = kept
    thread.near = snapshot(thread)
    if is_wide:
        thread.far = thread.near
        thread.epoch += 1


def meet_clocks(arrived: list[tuple[Thread, int, Clock]]) -> Clock:
    """What all know together, each up to its arrival."""
    clock: Clock = {}
    for one in {id(known): known for _, _, known in arrived}.values():
        clock = joined(clock, one)
    first = arrived[0][0]
    times = list(clock.get(first.cta) or [0] * first.peers)
    for thread, time, _ in arrived:
        times[thread.slot] = max(times[thread.slot], time)
    return {**clock, first.cta: times}


# What accesses are made of.


def values_of(thread: Thread, access: Access) -> tuple[int | None, ...]:
    """What an access stores, or computes with."""
    assert access.sources is not None
    return access.sources(thread.registers, thread.special)


def footprint_of(places: Places, key: tuple[Any, ...] | None, only_reads: bool) -> Footprint:
    """The footprint of an access."""
    found = tuple((region.number, place) for region, span in places for place in span)
    return found, key, only_reads


def whole(parts: list[int | None], bits: int) -> int | None:
    """A value of parts, the lowest first; None where one is undefined."""
    value = 0
    for k, part in enumerate(parts):
        if part is None:
            return None
        value |= part << k * bits
    return value
