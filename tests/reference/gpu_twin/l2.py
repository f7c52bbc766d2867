"""A slice of L2: serves what comes in order, and stops where DRAM has no room for what misses."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from tests.reference.gpu_twin.cache import Cache, Line
from tests.reference.gpu_twin.dram import Command
from tests.reference.gpu_twin.network import INTO_SLICE, Request
from tests.reference.gpu_twin.program import WHOLE
from warpmill.simulator.gpu import constants as c

if TYPE_CHECKING:
    from tests.reference.gpu_twin.dram import Channel
    from tests.reference.gpu_twin.gpu import Gpu

WRITES = (c.REQUEST_STORE, c.REQUEST_WRITE_BACK)
FOUND = {c.REQUEST_LOAD: "reads", c.REQUEST_ATOMIC: "atomics"}


class Slice:
    """A slice; without L2, where requests of a channel come in. ``_mshrs`` are under way."""

    def __init__(self, gpu: Gpu, number: int, channel: Channel) -> None:
        self._gpu, self._spec = gpu, gpu.spec
        self.number, self._channel = number, channel
        self._count = gpu.counts.slices[number]
        self.mailbox: deque[tuple[int, Request]] = deque()
        self.cache: Cache | None = None
        self.empty()
        self._free_tick = self._mshrs = 0
        self.is_stuck = False
        """Whether the first request waits for DRAM."""

    def empty(self) -> None:
        """Forget what the slice holds."""
        if self._spec.has_l2:
            _, spec, hashed = self._gpu.spec.caches["l2"]
            self.cache = Cache(spec, hashed=hashed)

    def hold(self, sector: int, *, is_dirty: bool) -> None:
        """Hold a sector from the beginning on; a dirty one has yet to go to DRAM."""
        assert self.cache is not None
        number, part = divmod(self._gpu.places.local(sector), self.cache.sectors)
        line = self.cache.find(number)
        if line is None:
            line = self.cache.victim(number)
            assert line is not None
            self.cache.bring_in(line, number)
        self.cache.use(line)
        line.valid.add(part)
        if is_dirty:
            line.dirty.add(part)

    def deliver(self, request: Request, time: int) -> None:
        """Let a request come, behind those that came before."""
        time += INTO_SLICE
        if self.mailbox:
            time = max(time, self.mailbox[-1][0])
        self.mailbox.append((time, request))

    def cycle(self, now: int) -> None:
        """Serve what begins in a cycle."""
        if self._gpu.tireless:
            self.is_stuck = False
        while self.mailbox and self._free_tick < (now + 1) * c.TICKS and not self.is_stuck:
            time, request = self.mailbox[0]
            if time > now:
                break
            ticks = self._ticks_of(request)
            if self._serve(request, ticks, now):
                self.mailbox.popleft()
                self._free_tick = max(self._free_tick, now * c.TICKS) + ticks
                self._count["busy_ticks"] += ticks
            else:
                self.is_stuck = True
                self._count["stalls"] += 1

    def _ticks_of(self, request: Request) -> int:
        """What a request takes: an atomic that of the lanes on its busiest word in a row."""
        ticks, atomic = self._spec.slice_ticks, self._spec.atomic_ticks
        if request.in_same_access and request.kind != c.REQUEST_ATOMIC:
            return 1
        if request.kind in WRITES:
            return self._spec.slice_write_ticks
        if request.kind != c.REQUEST_ATOMIC:
            return ticks
        return max(0, self._spec.atomic_first_ticks - atomic) + request.words * atomic

    def _serve(self, request: Request, ticks: int, now: int) -> bool:
        """Serve a request; gives whether that could be done."""
        sector = self._gpu.places.local(request.sector)
        if self.cache is None:
            return self._hand_on(request, sector, now)
        number, part = divmod(sector, self.cache.sectors)
        line = self.cache.find(number)
        if line is not None and self._is_there(line, part, request):
            self.cache.use(line)
            self._note(request, "hits", now)
            self._write(line, part, request)
            self._answer(request, now + (ticks - 1) // c.TICKS)
            return True
        if request.kind in WRITES:
            return self._write_miss(line, number, part, request, now)
        return self._read_miss(line, number, part, request, now)

    @staticmethod
    def _is_there(line: Line, part: int, request: Request) -> bool:
        """Whether a request finds its sector: for a store, that one wrote to it before."""
        return part in line.valid or (request.kind in WRITES and part in line.written)

    def _hand_on(self, request: Request, sector: int, now: int) -> bool:
        """Hand a request on to DRAM where there is no L2."""
        if not self._channel.has_room:
            return False
        self._note(request, "misses", now)
        self._channel.take(
            Command(self, sector, request.kind == c.REQUEST_LOAD, request=request), now
        )
        return True

    def _write_miss(
        self, line: Line | None, number: int, part: int, request: Request, now: int
    ) -> bool:
        """Take a store that misses, which does not wait for what is fetched of its sector."""
        assert self.cache is not None
        fetches = request.parts != WHOLE and self._spec.l2_partial_writes == c.PARTS_FETCHED
        if line is not None and part in line.waiting:
            fetches = False
        if fetches and not self._channel.has_room:
            return False
        line = self._line_for(line, number, now)
        if line is None:
            return False
        self._note(request, "allocated", now)
        if fetches:
            sector = number * self.cache.sectors + part
            self._channel.take(Command(self, sector, is_read=True), now)
            line.valid.add(part)
        elif request.parts != WHOLE:
            line.written.add(part)
        line.parts.pop(part, None)
        self._write(line, part, request)
        self._answer(request, now)
        return True

    def _read_miss(
        self, line: Line | None, number: int, part: int, request: Request, now: int
    ) -> bool:
        """Let a request wait for its sector, which is asked for unless it is on its way."""
        assert self.cache is not None
        if line is not None and part in line.waiting:
            if len(line.waiting[part]) >= self._spec.l2_merges:
                return False
            self.cache.use(line)
            line.waiting[part].append(request)
            self._note(request, "pending", now)
            return True
        if self._mshrs >= self._spec.l2_mshrs or not self._channel.has_room:
            return False
        line = self._line_for(line, number, now)
        if line is None:
            return False
        self._note(request, "misses", now)
        line.waiting[part] = [request]
        self._mshrs += 1
        sector = number * self.cache.sectors + part
        self._channel.take(Command(self, sector, is_read=True, line=line, part=part), now)
        return True

    def _line_for(self, line: Line | None, number: int, now: int) -> Line | None:
        """A line's room, made where there is none; what was there to be written goes to DRAM.

        None where it cannot be made now: all rooms await something, or DRAM takes no more.
        """
        assert self.cache is not None
        if line is not None:
            self.cache.use(line)
            return line
        room = self.cache.victim(number)
        if room is None:
            return None
        for part in sorted(room.dirty):
            if not self._channel.has_room:
                return None
            assert room.number is not None
            room.dirty.remove(part)
            self._count["write_backs"] += 1
            old = room.number * self.cache.sectors + part
            if self._spec.l2_partial_writes == c.PARTS_FILLED and part not in room.valid:
                self._channel.take(Command(self, old, is_read=True), now)
            self._channel.take(Command(self, old, is_read=False), now)
        self.cache.bring_in(room, number)
        return room

    def _write(self, line: Line, part: int, request: Request) -> None:
        """Note what a request changes."""
        if request.kind == c.REQUEST_LOAD:
            return
        line.dirty.add(part)
        if request.kind in WRITES and part not in line.valid:
            known = self._spec.l2_partial_writes != c.PARTS_NONE
            before = line.parts.get(part, frozenset()) if known else frozenset()
            line.parts[part] = before | request.parts
            if line.parts[part] == WHOLE:
                line.valid.add(part)

    def _note(self, request: Request, found: int, now: int) -> None:
        count = self._count
        for what in ("accesses", found, FOUND.get(request.kind, "writes")):
            count[what] += 1
        self._gpu.counts.times["l2_accesses"][now + self._spec.l2_delay] += 1

    def _answer(self, request: Request, time: int) -> None:
        """Send the reply; what an SM only wrote back needs none."""
        if request.kind != c.REQUEST_WRITE_BACK:
            ready = time + 1 + self._spec.l2_delay
            self._gpu.replies.enter(self.number, request.sm, request, ready)

    def fill(self, command: Command, now: int) -> None:
        """Take what DRAM has read: one after the other, those who wait for it are answered.

        Nothing waits for the rest of a sector that is written back.
        """
        if command.request is not None:
            self._answer(command.request, now)
            return
        line, part = command.line, command.part
        if line is None:
            return
        waiting = line.waiting.pop(part)
        line.written.discard(part)
        line.valid.add(part)
        self._mshrs -= 1
        for k, request in enumerate(waiting):
            if request.kind == c.REQUEST_ATOMIC:
                line.dirty.add(part)
            self._answer(request, now + k)
        self.is_stuck = False
