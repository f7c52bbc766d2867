"""Threads of a launch, interleaved at what they do to memory, for the checker of all schedules.

Every thread has a program counter of its own, also within a warp (independent thread scheduling).
What only computes, and waiting at barriers and for lanes, happens at once with the access before:
no other thread can tell when. Threads that wait for lanes, or at a barrier, go on when the last one
has come. Asynchronous copies of a thread run beside it, one after another: each reads, and later
writes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import WINDOW_BYTES, WINDOWS
from warpmill.benchmarks.check.exhaustive.copies import (
    arrive_after,
    commit,
    copy_next,
    is_asynchronous,
    issue,
    issue_bulk,
    wait,
)
from warpmill.benchmarks.check.exhaustive.lanes import ATOMICS
from warpmill.benchmarks.check.exhaustive.launch import Image
from warpmill.benchmarks.check.exhaustive.meetings import meet, meet_lanes, try_barrier
from warpmill.benchmarks.check.exhaustive.memory import (
    Event,
    Memory,
    Region,
)
from warpmill.benchmarks.check.exhaustive.objects import (
    MOST_OBJECTS,
    fence_proxies,
    make,
    operate,
)
from warpmill.benchmarks.check.exhaustive.rules import NotModelledError
from warpmill.benchmarks.check.exhaustive.steps import (
    Access,
    FaultError,
    extended,
)
from warpmill.benchmarks.check.exhaustive.threads import (
    Agent,
    Cta,
    Footprint,
    Places,
    Thread,
    acquire,
    carry,
    fence,
    footprint_of,
    release,
    snapshot,
    values_of,
    whole,
)

_MOST_STEPS = 200_000
"""Steps of one thread, above which a run is given up."""


class Schedule(Protocol):
    """Who decides: which thread goes on, and which of several ways an access goes."""

    def pick(self, runnable: dict[int, None], last: int | None) -> int:
        """The next to access memory."""

    def choose(self, ways: int) -> int:
        """One of so many ways, from 0."""

    def on_race(self, earlier: Event, number: int) -> None:
        """Two accesses that nothing orders, the later one by a thread of this number."""

    def on_done(self, footprint: Footprint) -> None:
        """An access is done."""


class Machine:
    """One run of a launch, as a schedule says.

    With ``orders_fences``, ``membar`` and ``fence.sc`` of wide scopes are in one order, as PTX has
    it; without, they are no more than ``fence.acq_rel``, which allows more. With ``commutes``,
    updates that commute are taken to; UpdatesMeetOthersError where that would not do. ``visits``
    are the numbers of the threads that have come to a step, by its number; None: nobody asks.
    """

    def __init__(
        self, image: Image, schedule: Schedule, *, orders_fences: bool, commutes: bool
    ) -> None:
        self.image, self.schedule = image, schedule
        self.orders_fences, self.commutes = orders_fences, commutes
        self.depth = 0
        self.visits: dict[int, set[int]] | None = None
        self.runnable: dict[int, None] = {}
        ctas = len(image.specials)
        self.memory = Memory(
            [*image.regions, _fence_region()],
            [image.shared] * ctas,
            self.schedule_race,
            schedule.choose,
        )
        for cta, region in enumerate(self.memory.shared):
            region.number = -1 - cta
        self.fences = self.memory.regions.pop()
        self.memory.bases.pop()
        self.waiting: dict[tuple[int, int], list[Thread]] = {}
        self.ctas = [Cta(self._threads(n), len(image.specials[n])) for n in range(ctas)]
        self.agents: list[Agent] = [t for cta in self.ctas for t in cta.threads]
        self.agents += self._copiers()

    def _threads(self, cta: int) -> list[Thread]:
        specials = self.image.specials[cta]
        size, peers = self.image.warp_size, 4 * len(specials) + MOST_OBJECTS
        first = cta * len(specials)
        return [
            Thread(
                first + slot, cta, slot, peers, registers=[None] * self.image.registers,
                special=special, lane=slot % size, warp=slot // size,
            )
            for slot, special in enumerate(specials)
        ]  # fmt: skip

    def _copiers(self) -> list[Agent]:
        """Whoever does the copies of each thread, where the kernel has copies."""
        if not any(
            s.kind in ("commit", "wait") or is_asynchronous(s.data)
            for s in self.image.program.steps
        ):
            return []
        threads = [t for cta in self.ctas for t in cta.threads]
        first, half = len(threads), len(self.ctas[0].threads)
        return [
            Agent(
                first + t.number,
                t.cta,
                half + t.slot,
                t.peers,
                blocked=[[0, None]],
                is_ordered=False,
            )
            for t in threads
        ]

    def schedule_race(self, earlier: Event, viewer: Any) -> None:
        """Tell the schedule."""
        self.schedule.on_race(earlier, viewer.number)

    def run(self) -> None:
        """Run to the end. FaultError, NotModelledError."""
        for cta in self.ctas:
            for thread in cta.threads:
                self.runnable[thread.number] = None
        for cta in self.ctas:
            for thread in cta.threads:
                self.advance(thread)
        last = None
        while self.runnable:
            last = self.schedule.pick(self.runnable, last)
            self.perform(self.agents[last])
        stuck = [t for cta in self.ctas for t in cta.threads if not t.is_done]
        if stuck:
            step = self.image.program.steps[stuck[0].counter]
            raise FaultError(f"a deadlock: threads wait for {stuck[0].waits} at line {step.line}")

    def is_enabled(self, number: int, depth: int) -> bool:
        """Whether a thread could access memory at an earlier time."""
        return not any(
            start is not None and start <= depth and (end is None or depth < end)
            for start, end in self.agents[number].blocked
        )

    # Going on.

    def block(self, agent: Agent) -> None:
        """Take it from those that can go on."""
        if agent.number in self.runnable:
            del self.runnable[agent.number]
            agent.blocked.append([self.depth, None])

    def wake(self, agent: Agent) -> None:
        """Put it back."""
        if agent.number not in self.runnable:
            self.runnable[agent.number] = None
            if agent.blocked:
                agent.blocked[-1][1] = self.depth

    def advance(self, thread: Thread) -> None:
        """Go on to the next access to memory that others can see, or to where it waits."""
        steps, registers = self.image.program.steps, thread.registers
        while True:
            if thread.counter >= len(steps):
                self.exit(thread)
                return
            step = steps[thread.counter]
            thread.steps += 1
            if thread.steps > _MOST_STEPS:
                raise NotModelledError("a thread of too many steps")
            if step.guard is not None:
                truth = registers[step.guard[0]]
                if truth is None:
                    raise FaultError(f"an undefined predicate at line {step.line}")
                if bool(truth) == step.guard[1]:
                    thread.counter += 1
                    continue
            if self.visits is not None:
                self.visits.setdefault(thread.counter, set()).add(thread.number)
            if step.kind == "compute":
                step.data(registers, thread.special)
                thread.counter += 1
            elif step.kind == "jump":
                thread.counter = step.data
            elif not self._begin(thread, step.kind, step.data, step.line):
                return

    def _begin(self, thread: Thread, kind: str, data: Any, line: int) -> bool:
        """Begin a step that is more than computation; whether the thread goes on at once."""
        if kind == "exit":
            self.exit(thread)
            return False
        if kind == "access":
            return self._begin_access(thread, data)
        if kind == "meet":
            return meet(self, thread, data)
        if kind == "fence":
            return self._fence(thread, *data)
        if kind == "object":
            return self._operate(thread, data)
        if kind == "wait":
            return wait(self, thread, *data)
        if kind == "commit":
            commit(thread, data)
        elif kind == "proxy":
            fence_proxies(self, thread, data)
        else:
            raise FaultError(f"a trap at line {line}")
        thread.counter += 1
        return True

    def _operate(self, thread: Thread, access: Access) -> bool:
        """Begin an operation on a barrier object, or a bulk copy."""
        if access.kind == "bulk":
            issue_bulk(self, thread, access)
        elif access.kind == "arrive of copies":
            arrive_after(self, thread, access)
        else:
            return operate(self, thread, access)
        thread.counter += 1
        return True

    def exit(self, thread: Thread) -> None:
        """End a thread; those that wait for all others may go on."""
        thread.is_done = True
        self.block(thread)
        cta = self.ctas[thread.cta]
        cta.alive -= 1
        for (warp, _, mask), lanes in cta.lanes.items():
            if lanes and warp == thread.warp and mask >> thread.lane & 1:
                raise FaultError("a mask names a lane that has exited")
        for number in list(cta.barriers):
            try_barrier(self, cta, number)

    # Accesses.

    def address_of(self, thread: Thread, access: Access) -> int:
        """The address of an access. FaultError where it is undefined."""
        if access.base is None:
            return access.offset
        base = thread.registers[access.base]
        if base is None:
            raise FaultError(f"an undefined address at line {access.line}")
        wide = 0xFFFFFFFFFFFFFFFF if access.space is not Space.SHARED else 0xFFFFFFFF
        return base + access.offset & wide

    def _begin_access(self, thread: Thread, access: Access) -> bool:
        if access.kind in ("ldmatrix", "stmatrix"):
            return meet_lanes(self, thread, access, (1 << self.image.warp_size) - 1, (
                self.address_of(thread, access),
            ))  # fmt: skip
        address = self.address_of(thread, access)
        if access.space in (Space.LOCAL, Space.CONST, Space.PARAM):
            self._private(thread, access, address)
            thread.counter += 1
            return True
        if access.kind == "cp":
            issue(self, thread, access, address)
            thread.counter += 1
            return True
        thread.places = self.places_of(thread, access, address)
        thread.values = () if access.sources is None else values_of(thread, access)
        self.wake(thread)
        return False

    def places_of(
        self, thread: Thread, access: Access, address: int, length: int | None = None
    ) -> Places:
        """The places of each element, or of so many bytes of a copy.

        FaultError where the address is wrong.
        """
        whole = access.size * access.count if length is None else length
        if address % (access.size * access.count):
            raise FaultError(f"a misaligned address at line {access.line}")
        space = access.space
        if space is Space.GENERIC:
            start = WINDOWS[Space.SHARED]
            is_shared = start <= address < start + WINDOW_BYTES
            if not is_shared and address < max(WINDOWS.values()) + WINDOW_BYTES:
                raise NotModelledError(f"a generic address at line {access.line}")
            address -= start if is_shared else 0
            space = Space.SHARED if is_shared else Space.GLOBAL
        if space is Space.SHARED:
            region = self.memory.shared[thread.cta]
            if address + whole > region.size:
                raise FaultError(f"an access out of bounds at line {access.line}")
        elif space is Space.GLOBAL:
            try:
                region, address = self.memory.find(address, whole)
            except FaultError as fault:
                raise FaultError(f"{fault} at line {access.line}") from None
        else:
            raise NotModelledError(access.opcode)
        region.fit(access.size if length is None else length)
        each = (access.size if length is None else length) // region.granule
        first = address // region.granule
        return [
            (region, range(first + k * each, first + (k + 1) * each)) for k in range(access.count)
        ]

    def _private(self, thread: Thread, access: Access, address: int) -> None:
        """A load or store that no other thread can see."""
        if address % (access.size * access.count):
            raise FaultError(f"a misaligned address at line {access.line}")
        spans = [range(address + k * access.size, address + (k + 1) * access.size)
                 for k in range(access.count)]  # fmt: skip
        if access.kind == "st" and access.space is Space.LOCAL:
            for span, value in zip(spans, values_of(thread, access), strict=True):
                for k, byte in enumerate(span):
                    thread.local[byte] = None if value is None else value >> 8 * k & 255
            return
        if access.kind != "ld" or access.space is Space.PARAM:
            raise NotModelledError(access.opcode)
        constants = self.image.constants
        if access.space is Space.CONST and spans[-1].stop > len(constants):
            raise FaultError(f"an access out of bounds at line {access.line}")
        is_local = access.space is Space.LOCAL
        values = [
            whole([thread.local.get(b) if is_local else constants[b] for b in span], 8)
            for span in spans
        ]
        _load_registers(thread, access, values)

    def event(self, agent: Agent, kind: str, access: Access | None) -> Event:
        """A new event, the next of whoever does it."""
        event = Event(agent, kind, self.depth)
        agent.order += 1
        if access is not None:
            event.is_strong, event.is_wide = access.is_strong, access.is_wide
            event.acquires, event.releases = access.acquires, access.releases
        return event

    def perform(self, agent: Agent) -> None:
        """Do the access that is next, and go on."""
        if not isinstance(agent, Thread):
            copy_next(self, agent)
            return
        step = self.image.program.steps[agent.counter]
        if step.kind == "fence":
            footprint = self._ordered_fence(agent)
        else:
            access, places = step.data, agent.places
            assert places is not None
            if access.kind in ("ld", "ldmatrix"):
                found = self._load(agent, access, places)
            elif access.kind in ("st", "stmatrix", "make"):
                found = self._store(agent, access, places)
            else:
                found = self._atomic(agent, access, places)
            if found is None:
                return
            footprint = found
        self.schedule.on_done(footprint)
        self.depth += 1
        agent.counter += 1
        agent.places = None
        self.advance(agent)

    def _load(self, thread: Thread, access: Access, places: Places) -> Footprint | None:
        event = self.event(thread, "read", access)
        excluded = self._seen_values(thread, access)
        values: list[int | None] = []
        for region, span in places:
            entries = self.memory.read(region, span, event, thread, excluded)
            values.append(whole([e.value for e in entries], 8 * region.granule))
            if access.is_read_only:
                region.read_only.update(span)
            for entry in entries if access.is_strong else ():
                acquire(thread, event, entry)
        if excluded and len(places) == 1 and values[0] in excluded:
            self._spin(thread, places[0])
            return None
        if access.is_strong or thread.order > 2000:
            thread.loops.setdefault(_state(thread), set()).add(values[0])
        if access.kind == "ldmatrix":
            values = [whole(values[k : k + 2], 16) for k in range(0, len(values), 2)]
        _load_registers(thread, access, values)
        return footprint_of(places, None, True)

    def _seen_values(self, thread: Thread, access: Access) -> set[int | None]:
        """What the thread has read here before in this very state: it would only go round again."""
        if not (access.is_strong or thread.order > 2000) or not thread.loops:
            return set()
        return thread.loops.get(_state(thread), set())

    def _spin(self, thread: Thread, place: tuple[Region, range]) -> None:
        """Wait until somebody writes what the thread keeps on reading."""
        self.schedule.on_done(footprint_of([place], None, True))
        self.depth += 1
        thread.waits = "a value"
        self.block(thread)
        for one in place[1]:
            self.waiting.setdefault((place[0].number, one), []).append(thread)

    def _written(self, region: Region, place: int) -> None:
        for thread in self.waiting.pop((region.number, place), ()):
            if thread.waits == "a value":
                thread.waits = ""
                self.depth += 1
                self.wake(thread)
                self.depth -= 1

    def _store(self, thread: Thread, access: Access, places: Places) -> Footprint:
        event = self.event(thread, "write", access)
        values: list[int | None] = list(thread.values)
        if access.kind == "make":
            values = [None]
        if access.kind == "stmatrix":
            values = [None if v is None else v >> k & 0xFFFF for v in values for k in (0, 16)]
        if access.is_strong:
            release(thread, event)
        thread.loops.clear()
        for (region, span), value in zip(places, values, strict=True):
            self._write(thread, region, span, value, event)
        if access.kind == "make":
            make(self, thread, access, event)
        return footprint_of(places, None, False)

    def _write(
        self, agent: Agent, region: Region, span: range, value: int | None, event: Event
    ) -> None:
        bits = 8 * region.granule
        for k, place in enumerate(span):
            part = None if value is None else value >> k * bits & (1 << bits) - 1
            self.memory.write(region, place, part, event, agent)
            self._written(region, place)

    def _atomic(self, thread: Thread, access: Access, places: Places) -> Footprint | None:
        ((region, span),) = places
        assert access.type is not None
        event = self.event(thread, "update", access)
        if access.key is not None and self.commutes:
            reach = "far" if access.is_wide else thread.cta
            own = () if access.atomic in _COMMUTES_ALWAYS else thread.values
            event.key = (*access.key, *own, reach)
        if len(span) != 1:
            raise NotModelledError("an atomic beside smaller elements")
        value = region.last(span[0])
        change = _change(access, thread.values)
        is_change = value is None or change(value) != value
        if not is_change and (access.atomic == "cas" or value in self._seen_values(thread, access)):
            return self._look(thread, access, places)
        if access.is_strong:
            release(thread, event)
        read = self.memory.update(region, span[0], event, thread, change)
        acquire(thread, event, read)
        carry(event, read)
        if is_change:
            thread.loops.clear()
        else:
            thread.loops.setdefault(_state(thread), set()).add(value)
        self._written(region, span[0])
        _load_registers(thread, access, [read.value])
        return footprint_of(places, event.key, False)

    def _look(self, thread: Thread, access: Access, places: Places) -> Footprint | None:
        """An atomic that changes nothing reads the last value; again and again, it waits."""
        ((region, span),) = places
        event = self.event(thread, "read", access)
        event.place = (region.number, span[0])
        entry = self.memory.candidates(region, span[0], event, thread)[0]
        acquire(thread, event, entry)
        if entry.value in self._seen_values(thread, access):
            self._spin(thread, places[0])
            return None
        thread.loops.setdefault(_state(thread), set()).add(entry.value)
        _load_registers(thread, access, [entry.value])
        return footprint_of(places, None, True)

    # Fences.

    def _fence(self, thread: Thread, is_wide: bool, is_sc: bool) -> bool:
        if is_sc and is_wide and self.orders_fences:
            thread.places = [(self.fences, range(1))]
            self.wake(thread)
            return False
        fence(thread, is_wide)
        thread.counter += 1
        return True

    def _ordered_fence(self, thread: Thread) -> Footprint:
        """A fence in the one order of all: as an update of one place that acquires and releases."""
        fence(thread, True)
        event = self.event(thread, "update", None)
        event.is_strong = event.is_wide = event.acquires = event.releases = True
        release(thread, event)
        read = self.memory.update(self.fences, 0, event, thread, lambda value: value)
        acquire(thread, event, read)
        carry(event, read)
        thread.near = thread.far = snapshot(thread)
        return footprint_of([(self.fences, range(1))], None, False)


def _state(thread: Thread) -> tuple[int | None, ...]:
    """The state of a thread as far as it tells what it does next."""
    return thread.counter, thread.epoch, *thread.registers


def _fence_region() -> Region:
    region = Region(1 << 30, "fences", 1 << 62, 4, bytes(4))
    region.divide(4)
    return region


def _load_registers(thread: Thread, access: Access, values: list[int | None]) -> None:
    for register, value in zip(access.dests, values, strict=False):
        if register is not None:
            thread.registers[register] = None if value is None else extended(value, access.sign)


_COMMUTES_ALWAYS = frozenset({"add", "min", "max", "and", "or", "xor"})


def _change(access: Access, operands: tuple[int | None, ...]) -> Callable[[int | None], int | None]:
    """What an atomic makes of the value that is there."""
    assert access.type is not None
    function, type_ = ATOMICS[access.atomic], access.type

    def change(value: int | None) -> int | None:
        if access.atomic == "exch":
            return operands[0]
        if value is None or any(operand is None for operand in operands):
            return None
        return function(type_, value, *operands)

    return change
