"""Memory as the checker of all schedules sees it: every write that a thread may still read.

It is a machine of views over the histories of places, with the causality order of PTX's memory
consistency model (PTX ISA, Memory Consistency Model) as vector clocks:

- A place (the smallest element that the kernel accesses in a region) has the writes to it in
  coherence order. A read may return the last one, and each before it down to the last that
  happened before the read or that the thread has seen: so what is written becomes visible late,
  to some threads before others, and reads of one thread pass each other.
- A write that nothing orders with others is put before or after them.
- Happens-before is program order, barriers of a CTA, ``bar.warp.sync``, waits for asynchronous
  copies, and releases that are acquired: by ``.release``, ``.acquire`` or a fence with a strong
  access, where both scopes take in the other's thread. Shuffles and votes order nothing.
- Atomics take the last value where they and all unordered writes are strong with scopes that take
  in the others.
- Not in the machine: a write that another thread sees before an earlier read of its own thread
  is done (load buffering), and a vector access of which each element comes from another writer.
  Where these could be, ``unknown`` says so.
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from warpmill.benchmarks.check.exhaustive.rules import NotModelledError
from warpmill.benchmarks.check.exhaustive.steps import FaultError

Clock = dict[int, list[int]]
"""Times of threads that are known: by CTA a list of its threads' and copies', never changed."""


class UpdatesMeetOthersError(Exception):
    """Updates that commute are unordered with an access that does not."""


class Event:
    """An access that was done: by whom, when, and what it orders.

    ``key``: equal for updates that commute. ``near`` and ``far`` are the clocks that it releases,
    to its own CTA and to others. ``epoch`` counts the fences and barriers of its thread.
    """

    __slots__ = (
        "acquires", "cta", "depth", "epoch", "far", "is_bulk", "is_racy", "is_strong", "is_wide",
        "key", "kind", "near", "order", "place", "releases", "slot", "time", "who",
    )  # fmt: skip

    def __init__(self, viewer: Viewer, kind: str, depth: int) -> None:
        self.who, self.cta, self.slot = viewer.number, viewer.cta, viewer.slot
        self.time, self.epoch, self.order = viewer.time, viewer.epoch, viewer.order
        self.kind, self.depth, self.is_bulk = kind, depth, viewer.is_bulk
        self.is_strong = self.is_wide = self.acquires = self.releases = self.is_racy = False
        self.key: tuple[Any, ...] | None = None
        self.near: Clock | None = None
        self.far: Clock | None = None
        self.place: tuple[int, int] = (0, 0)


_LARGEST = 8
"""Bytes of the largest place: larger elements are accessed in parts."""


class Viewer(Protocol):
    """Whoever accesses memory: a thread, or the asynchronous copies of one."""

    number: int
    cta: int
    slot: int
    time: int
    epoch: int
    order: int
    clock: Clock
    seen: dict[tuple[int, int], Entry]
    proxied: list[Clock]
    is_ordered: bool
    is_bulk: bool


class Entry:
    """A write in the history of a place.

    ``covers`` says that all writes before it happened before it, ``prior`` are the reads before it.
    ``run`` is where a run of updates that commute with this one begins in the history.
    """

    __slots__ = ("covers", "event", "prior", "run", "value")

    def __init__(
        self,
        event: Event | None,
        value: int | None,
        covers: bool,
        prior: dict[int, Event],
        run: int,
    ) -> None:
        self.event, self.value, self.covers, self.prior = event, value, covers, prior
        self.run = run


class PlacesChangedError(Exception):
    """A region turned out to have smaller elements than were accessed before."""


class Region:
    """A piece of memory: a buffer, a variable, the shared memory of a CTA.

    Its places are as large as the smallest element that is accessed in it, which ``fit`` finds out;
    ``granule`` is their size in bytes, 0 before anything is accessed. ``contents`` None: undefined.
    ``model`` is the region that this one is a fresh copy of.
    """

    def __init__(
        self, number: int, name: str, base: int, size: int, contents: bytes | None = None
    ) -> None:
        self.number, self.name, self.base = number, name, base
        self.size, self.contents, self.granule = size, contents, 0
        self.model: Region | None = None
        self.start: Sequence[int | None] = ()
        self.history: dict[int, list[Entry]] = {}
        self.reads: dict[int, dict[int, Event]] = {}
        self.read_only: set[int] = set()
        self.is_fitted = False

    def fresh(self) -> Region:
        """The region as it is before anything runs."""
        region = Region(self.number, self.name, self.base, self.size, self.contents)
        region.granule, region.start, region.model = self.granule, self.start, self
        region.is_fitted = self.granule > 0
        return region

    def fit(self, size: int) -> None:
        """Have places that elements of so many bytes are made of.

        PlacesChangedError where accesses before were to larger ones: all begins anew.
        """
        known = self.granule or (self.model.granule if self.model else 0) or _LARGEST
        granule = math.gcd(size, known)
        if granule == self.granule:
            return
        for region in (self, self.model):
            if region is not None:
                region.divide(granule)
        if self.history or self.is_fitted:
            raise PlacesChangedError
        self.is_fitted = True

    def divide(self, granule: int) -> None:
        """Have places of so many bytes."""
        self.granule = granule
        if self.contents is None:
            self.start = [None] * (self.size // granule)
            return
        whole = self.contents[: self.size // granule * granule]
        self.start = np.frombuffer(whole, f"<u{granule}").tolist()

    def last(self, place: int) -> int | None:
        """The last value of a place."""
        history = self.history.get(place)
        return self.start[place] if history is None else history[-1].value

    def changes(self) -> list[tuple[int, int | None]]:
        """Bytes that are no longer what they were, by offset; None is an undefined one."""
        found: list[tuple[int, int | None]] = []
        for place, entries in self.history.items():
            value, start = entries[-1].value, self.start[place]
            for k in range(self.granule):
                new = None if value is None else value >> 8 * k & 255
                if new is None or start is None or new != start >> 8 * k & 255:
                    found.append((place * self.granule + k, new))
        return sorted(found, key=lambda change: change[0])

    def digest(self) -> str:
        """A digest of what has changed."""
        return _digest(self.changes())


def digest_of(before: bytes, after: bytes) -> str:
    """The digest of a region that held some bytes and holds others now."""
    pairs = enumerate(zip(before, after, strict=True))
    return _digest([(offset, new) for offset, (old, new) in pairs if old != new])


def _digest(changes: list[tuple[int, int | None]] | list[tuple[int, int]]) -> str:
    return hashlib.sha256(repr(changes).encode()).hexdigest()[:16]


def happened_before(event: Event | None, viewer: Viewer) -> bool:
    """Whether an access happened before what a thread does now."""
    if event is None:
        return True
    if event.cta == viewer.cta and event.slot == viewer.slot and viewer.is_ordered:
        return True
    clock = viewer.clock
    if viewer.is_bulk and event.kind != "read" and not event.is_bulk:
        clock = viewer.proxied[event.place[0] >= 0]  # an ordinary write, through a proxy fence
    times = clock.get(event.cta)
    return times is not None and times[event.slot] >= event.time


def are_morally_strong(one: Event | None, two: Event) -> bool:
    """Whether both are strong, and the scope of each takes in the other's thread."""
    if one is None:
        return True
    if not (one.is_strong and two.is_strong):
        return False
    return one.cta == two.cta or (one.is_wide and two.is_wide)


def joined(clock: Clock, other: Clock) -> Clock:
    """What both clocks know."""
    if other is clock:
        return clock
    result = dict(clock)
    for cta, times in other.items():
        mine = result.get(cta)
        if mine is None:
            result[cta] = times
        elif mine is not times:
            result[cta] = list(map(max, mine, times))
    return result


class Memory:
    """The global regions of a launch and the shared ones of its CTAs, while they are accessed.

    ``on_race`` is told of two accesses that nothing orders and whose order matters, and of who does
    the later one; ``choose`` picks one of so many ways that an access may go.
    """

    def __init__(
        self,
        regions: Sequence[Region],
        shared: Sequence[Region],
        on_race: Callable[[Event, Viewer], None],
        choose: Callable[[int], int],
    ) -> None:
        self.regions = [region.fresh() for region in regions]
        self.bases = [region.base for region in self.regions]
        self.shared = [region.fresh() for region in shared]
        self.on_race, self.choose = on_race, choose
        self.racy: list[Event] = []
        self.unknown: set[str] = set()

    def find(self, address: int, size: int) -> tuple[Region, int]:
        """The global region of an address with the offset there. FaultError where there is none."""
        region = self.regions[bisect_right(self.bases, address) - 1] if self.regions else None
        if region is None or not region.base <= address <= region.base + region.size - size:
            raise FaultError("an access out of bounds")
        return region, address - region.base

    def race(self, earlier: Event, event: Event, viewer: Viewer) -> None:
        """Note two accesses that nothing orders.

        UpdatesMeetOthersError where one is an update that commutes with others: what is between
        these may then be read, and their order matters after all.
        """
        if earlier.who == event.who:
            raise NotModelledError("copies of one thread to one place without a wait")
        if earlier.key is not None or event.key is not None:
            raise UpdatesMeetOthersError
        for one in (earlier, event):
            if not one.is_racy:
                one.is_racy = True
                self.racy.append(one)
        self.on_race(earlier, viewer)

    # Reading.

    def candidates(self, region: Region, place: int, event: Event, viewer: Viewer) -> list[Entry]:
        """The writes that a read may return, the last in coherence order first."""
        readers = region.reads.get(place)
        if readers is None:
            readers = region.reads[place] = {}
        readers[event.cta << 24 | event.slot] = event
        history = region.history.get(place)
        if history is None:
            return [_first(region, place)]
        last = history[-1]
        if last.covers and happened_before(last.event, viewer):
            return [last]
        found, is_open = [], True
        seen = viewer.seen.get((region.number, place))
        for entry in reversed(history):
            is_ordered = happened_before(entry.event, viewer)
            if not is_ordered:
                assert entry.event is not None
                self.race(entry.event, event, viewer)
            if is_open:
                found.append(entry)
            if is_ordered or entry is seen:
                is_open = False
            if is_ordered and entry.covers:
                break
        return found

    def read(
        self, region: Region, places: range, event: Event, viewer: Viewer, excluded: set[int | None]
    ) -> list[Entry]:
        """What a read of one element, or of several, returns; ``excluded``: values not to take."""
        event.place = (region.number, places[0])
        found = [self.candidates(region, place, event, viewer) for place in places]
        widest = max(map(len, found))
        if widest == 1:
            chosen = [entries[0] for entries in found]
        else:
            if excluded and len(found) == 1:
                newer = [entry for entry in found[0] if entry.value not in excluded]
                found = [newer or found[0][:1]]
            found = [_distinct(entries) for entries in found]
            if sum(len(entries) > 1 for entries in found) > 1:
                self.unknown.add("elements of one access from several writers")
            way = self.choose(max(map(len, found)))
            chosen = [entries[min(way, len(entries) - 1)] for entries in found]
            for place, entry in zip(places, chosen, strict=True):
                viewer.seen[region.number, place] = entry
        return chosen

    # Writing.

    def write(
        self, region: Region, place: int, value: int | None, event: Event, viewer: Viewer
    ) -> None:
        """Put a write into the history of a place."""
        event.place = (region.number, place)
        history = region.history.get(place)
        if history is None:
            history = region.history[place] = [_first(region, place)]
        readers = region.reads.get(place, _NONE)
        is_read = False
        for reader in readers.values():
            if not happened_before(reader, viewer):
                self.race(reader, event, viewer)
                is_read = True
        covers, first = self._meet_writes(history, value, event, viewer)
        at = len(history)
        entry = Entry(event, value, covers, {} if is_read else readers, at)
        if readers and not is_read:
            region.reads[place] = {}
        last = history[-1]
        if event.key is not None and not entry.prior and _is_alike(last.event, event):
            entry.run = last.run
        if first < at and event.kind == "write":
            at -= self.choose(at - first + 1)
            entry.run = at
            for number, later in enumerate(history[at:], at + 1):
                later.covers, later.run = False, number
        history.insert(at, entry)
        if not covers:
            viewer.seen[region.number, place] = entry

    def _meet_writes(
        self, history: list[Entry], value: int | None, event: Event, viewer: Viewer
    ) -> tuple[bool, int]:
        """Compare with writes that nothing orders: whether there are none, and the first place.

        The place is the lowest of the history that the write may take by coherence.
        """
        covers, first, is_open = True, len(history), True
        seen, number = viewer.seen.get(event.place), len(history)
        while number:
            number -= 1
            entry = history[number]
            other = entry.event
            if event.key is not None and _is_alike(other, event):
                covers, number = False, entry.run
                entry = history[number]
            elif happened_before(other, viewer):
                is_open = False
                if entry.covers:
                    break
                continue
            else:
                assert other is not None
                covers = False
                is_open = is_open and entry is not seen
                is_atomic = other.kind == "update" and are_morally_strong(other, event)
                is_open = is_open and not is_atomic
                if not _commute(entry, value, event):
                    self.race(other, event, viewer)
                    first = number if is_open else first
            for reader in entry.prior.values():
                if not happened_before(reader, viewer):
                    self.race(reader, event, viewer)
        return covers, first

    def update(
        self,
        region: Region,
        place: int,
        event: Event,
        viewer: Viewer,
        change: Callable[[int | None], int | None],
    ) -> Entry:
        """Read, change and write as an atomic; the entry that was read.

        Where it is not morally strong with writes that nothing orders, it may read before them.
        """
        event.place = (region.number, place)
        history = region.history.get(place)
        if history is None:
            history = region.history[place] = [_first(region, place)]
        number, is_open, is_loose = len(history), True, False
        seen = viewer.seen.get(event.place)
        while number and is_open:
            number -= 1
            entry = history[number]
            is_open = entry is not seen
            if event.key is not None and _is_alike(entry.event, event):
                number = entry.run
            elif happened_before(entry.event, viewer):
                is_open = False
            else:
                is_loose = is_loose or not are_morally_strong(entry.event, event)
        read = history[-1]
        if is_loose:
            ways = history[number:][::-1]
            read = ways[self.choose(len(ways))]
            self.unknown.add("atomics beside accesses that are not morally strong with them")
        self.write(region, place, change(read.value), event, viewer)
        return read

    def load_buffering(self) -> bool:
        """Whether two threads each have a racing read and then a racing write, and no fence."""
        reads = [e for e in self.racy if e.kind in ("read", "update") and not e.acquires]
        prone: set[int] = set()
        for event in self.racy:
            if event.kind != "read" and not event.releases:
                prone.update(
                    read.who
                    for read in reads
                    if read.who == event.who
                    and read.order < event.order
                    and read.epoch == event.epoch
                    and read.place != event.place
                )
        return len(prone) > 1


_NONE: dict[int, Event] = {}


def _first(region: Region, place: int) -> Entry:
    """What is at a place before anything runs."""
    return Entry(None, region.start[place], True, {}, 0)


def _is_alike(other: Event | None, event: Event) -> bool:
    """Whether two updates commute; their keys say how far their scopes reach."""
    return other is not None and other.key == event.key


def _commute(entry: Entry, value: int | None, event: Event) -> bool:
    """Whether two writes leave the same in either order."""
    other = entry.event
    assert other is not None
    if event.key is not None:
        return other.key == event.key
    are_plain = other.kind == event.kind == "write"
    return are_plain and not (other.is_strong or event.is_strong) and entry.value == value


def _distinct(entries: list[Entry]) -> list[Entry]:
    """Entries that differ in value or in what they release.

    Of those alike the earliest: what is read after it may be any that could be after the others.
    """
    found: dict[tuple[int | None, int], Entry] = {}
    for entry in entries:
        event = entry.event
        releases = event is not None and event.near is not None
        found[entry.value, id(event) if releases else 0] = entry
    return list(found.values())
