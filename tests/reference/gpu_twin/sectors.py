"""How an SM gets at sectors: its L1, constant and texture caches, and the way to L2."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from tests.reference.gpu_twin.cache import Cache, Line
from tests.reference.gpu_twin.network import Request, up
from tests.reference.gpu_twin.program import WHOLE, Access, Sector
from warpmill.simulator.gpu import constants as c

if TYPE_CHECKING:
    from tests.reference.gpu_twin.lsu import PendingAccess
    from tests.reference.gpu_twin.sm import Sm

FILL = 3
"""Cycles from a sector's return to its use."""
TO_NETWORK = 2
"""Cycles from the look-up that misses to the port of the network."""
OWN_MEMORY = 1 << 40
"""The first sector of the local memory of warp slots, one behind the other."""

ACCESSED = {"const": "const_accesses", "tex": "tex_accesses"}
MISSED = {"const": "const_misses", "tex": "tex_misses"}


class Sectors:
    """Asks for one sector after another. ``_mshrs`` are those that caches have asked for."""

    def __init__(self, sm: Sm) -> None:
        self._sm, self._spec, self._gpu = sm, sm.gpu.spec, sm.gpu
        self.caches = {
            place: Cache(spec, hashed=hashed)
            for place, (_, spec, hashed) in sm.gpu.spec.caches.items()
            if place != "l2"
        }
        self.mailbox: deque[tuple[int, Request]] = deque()
        self._mshrs = self._packets_under_way = self._waiters = 0
        self._port_free_tick = 0
        self.last_segment: tuple[int, int] | None = None
        self.last_l2_access: int | None = None
        """Where the last sector of the first access lies that was sent, and its slice."""

    # -- asking: None where it is done, else the cycle at which to try again, NEVER: on a return ---

    def ask(self, pending: PendingAccess, sector: Sector, now: int, *, again: bool) -> int | None:
        """Do what an access does to one sector; ``again``: L1 was asked for it with the last."""
        spec, access = self._spec, pending.instruction.memory_access
        assert pending.access is not None
        space, number = pending.access.space, self.number_of(pending, sector)
        if space == c.SPACE_CONST:
            return self._load("const", pending, number, spec.const_latency, now, beside=TO_NETWORK)
        if space == c.SPACE_TEXTURE:
            return self._load("tex", pending, number, spec.tex_latency, now)
        looks = (
            space == c.SPACE_LOCAL or not spec.l1_holds_data or not pending.instruction.bypasses_l1
        )
        cached = "l1" in self.caches and looks
        if access == c.ACCESS_ATOMIC:
            what, wait = (
                "atomic_sectors",
                self._past(c.REQUEST_ATOMIC, pending, number, sector, now),
            )
        elif access == c.ACCESS_STORE:
            cached = bool(cached and spec.l1_holds_data)
            what = "write_sectors"
            wait = self._store(
                pending, number, sector, now, space=space, cached=cached, again=again
            )
        elif again:
            what, wait = "read_sectors", None
        elif cached:
            what = "read_sectors"
            beside = spec.l1_miss_cycles - spec.l1_latency
            wait = self._load("l1", pending, number, spec.l1_latency, now, beside=beside)
        else:
            what, away = "read_sectors", spec.l1_bypass_cycles
            wait = self._past(c.REQUEST_LOAD, pending, number, sector, now, away=away)
        if wait is None:
            self._sm.count[what] += 1
        return wait

    def ask_parameters(self, pending: PendingAccess, now: int) -> int | None:
        """Load parameters through the constant cache; a hit is what is always there."""
        own = pending.instruction
        latency = own.latency + self._spec.result_cycles - 1
        number = c.PARAMETER_SECTOR + own.parameter
        beside = TO_NETWORK - latency
        return self._load("const", pending, number, latency, now, beside=beside)

    def fetch(self, cache: Cache, line: Line, time: int) -> None:
        """Ask L2 for a line of code from a time on."""
        line.arrives, parts = c.NEVER, self._spec.code_sectors
        assert line.number is not None
        first = c.CODE_SECTOR + line.number * parts
        line.waiting = {number % parts: [] for number in range(first, first + parts)}
        for number in range(first, first + parts):
            request = Request(c.REQUEST_LOAD, number, self._sm.number, line, cache)
            request.rides = number > first
            self._send(request, time)

    def all_there(self, access: Access) -> bool:
        """Whether all constants of an access are in their cache, where they are then looked up."""
        cache = self.caches["const"]
        places = [divmod(sector.number, cache.sectors) for sector in access.sectors]
        lines = [cache.find(number) for number, _ in places]
        found = [line for line in lines if line is not None]
        if len(found) < len(lines):
            return False
        if any(part not in x.valid for x, (_, part) in zip(found, places, strict=True)):
            return False
        for line in found:
            cache.use(line)
            self._sm.count["const_accesses"] += 1
        return True

    def number_of(self, pending: PendingAccess, sector: Sector) -> int:
        """A sector's number; each slot of a warp has memory of its own."""
        assert pending.access is not None
        own = pending.access.space == c.SPACE_LOCAL
        return sector.number + own * (
            OWN_MEMORY + self._slot_of(pending) * self._spec.local_sectors
        )

    def _fill_of(self, cache: Cache) -> int:
        """The sectors that a cache fills at once."""
        return self._spec.l1_fill if cache is self.caches.get("l1") else 1

    def _slot_of(self, pending: PendingAccess) -> int:
        return self._sm.number * self._spec.warps_per_sm + pending.warp.slot

    def _load(
        self,
        place: int,
        pending: PendingAccess,
        sector: int,
        latency: int,
        now: int,
        *,
        beside: int = TO_NETWORK,
    ) -> int | None:
        """Load through a cache: a miss goes to the network ``latency + beside`` cycles later."""
        cache = self.caches[place]
        fill = self._fill_of(cache)
        number, part = divmod(sector // fill * fill, cache.sectors)
        parts = range(part, part + fill)
        line = cache.find(number)
        if line is not None and line.valid.issuperset(parts):
            cache.use(line)
            self._count(place, pending, 0, now)
            pending.ready = max(pending.ready, now + latency + 1)
            return None
        under_way = [] if line is None else [k for k in parts if k in line.waiting]
        if line is not None and under_way:
            part = under_way[0]
            if not self._waiters_left:
                return c.NEVER
            full = len(line.waiting[part]) % self._spec.l1_merges == 0
            if self._spec.l1_holds_data:
                if len(line.waiting[part]) >= self._spec.l1_merges:
                    return c.NEVER
            elif full:
                wait = self._past(c.REQUEST_LOAD, pending, sector, Sector(sector, 1, WHOLE), now)
                if wait is not None:
                    return wait
            cache.use(line)
            self._await(line, part, pending)
            self._count(place, pending, 1, now)
            return None
        if self._mshrs >= self._spec.l1_mshrs or not self._waiters_left:
            return c.NEVER
        wait = self._no_way_out(now + latency + beside, now)
        if wait is not None:
            return wait
        if line is None:
            line = self._make_room(cache, number, now)
            if line is None:
                return c.NEVER
        else:
            cache.use(line)
        self._mshrs += 1
        self._ask_for(cache, line, parts, now + latency + beside)
        self._await(line, part, pending)
        self._count(place, pending, 2, now)
        return None

    def _ask_for(self, cache: Cache, line: Line, parts: range, ready: int) -> None:
        """Ask L2 for parts of a line, in one packet; what waits for one of them waits for all."""
        assert line.number is not None
        together: list[Any] = []
        for part in parts:
            line.waiting[part] = together
            sector = line.number * cache.sectors + part
            request = Request(c.REQUEST_LOAD, sector, self._sm.number, line, cache)
            request.rides = part > parts[0]
            self._send(request, ready)

    def _past(
        self,
        kind: int,
        pending: PendingAccess,
        number: int,
        sector: Sector,
        now: int,
        *,
        away: int = 1,
    ) -> int | None:
        """Ask L2 past L1: atomics, and loads that do not look there."""
        wait = self._no_way_out(now + away, now)
        if wait is not None:
            return wait
        words = 1 if pending.instruction.aggregated else sector.words
        sent = Request(kind, number, self._sm.number, pending, None, words, sector.parts)
        self._send(sent, now + away)
        pending.left += 1
        return None

    def _store(
        self,
        pending: PendingAccess,
        number: int,
        sector: Sector,
        now: int,
        *,
        space: int,
        cached: bool,
        again: bool,
    ) -> int | None:
        """Store to L1 as its policy says, and to L2 what L1 does not keep back.

        Where L1 keeps local stores alone, others evict what they hit.
        """
        spec = self._spec
        policy, allocates = spec.l1_write_policy, bool(spec.l1_write_allocates)
        only_local = policy == c.WRITE_LOCAL_BACK and space != c.SPACE_LOCAL
        keeps = cached and policy != c.WRITE_THROUGH and not only_local
        ready = now + TO_NETWORK + (spec.l1_latency if cached else 0)
        cache, line, hit, part = None, None, False, 0
        if cached:
            cache = self.caches["l1"]
            line_number, part = divmod(number, cache.sectors)
            line = cache.find(line_number)
            hit = line is not None and part in line.valid | line.written
        rides = again and not keeps
        if not rides and (not keeps or not (hit or allocates)):
            wait = self._no_way_out(ready, now)
            if wait is not None:
                return wait
        if cache is not None and line is None and allocates:
            line = self._make_room(cache, line_number, now)
            if line is None:
                return c.NEVER
        if cache is not None and not again:
            self._count_store(pending, now, hit=hit)
        if cache is not None and line is not None and (hit or allocates):
            cache.use(line)
            if hit and only_local:
                first = part // spec.l1_fill * spec.l1_fill
                line.valid -= set(range(first, first + spec.l1_fill))
                line.written -= set(range(first, first + spec.l1_fill))
            else:
                (line.valid if sector.full else line.written).add(part)
            if keeps:
                line.dirty.add(part)
                return None
        pending.left += 1
        words, parts = sector.words, sector.parts
        sent = Request(c.REQUEST_STORE, number, self._sm.number, pending, None, words, parts)
        sent.rides = rides
        self._send(sent, ready)
        return None

    # -- what asking needs ---------------------------------------------------------------------

    @property
    def _waiters_left(self) -> bool:
        return self._waiters < self._gpu.most_waiters

    def _no_way_out(self, ready: int, now: int) -> int | None:
        """None where the network takes a packet that is ready at a cycle, else when to retry.

        What is under way is limited, and so is what waits for the port.
        """
        if self._packets_under_way >= self._spec.packets_per_sm:
            return c.NEVER
        ahead = self._port_free_tick // c.TICKS - ready
        most = self._spec.l1_miss_queue
        return None if ahead < most else now + ahead - most + 1

    def _await(self, line: Line, part: int, pending: PendingAccess) -> None:
        line.waiting.setdefault(part, []).append(pending)
        self._waiters += 1
        pending.left += 1

    def _make_room(self, cache: Cache, number: int, now: int) -> Line | None:
        """A line room, whose old sectors that only L1 has go to L2; None where none is."""
        room = cache.victim(number)
        if room is None:
            return None
        for part in sorted(room.dirty):
            assert room.number is not None
            old = room.number * cache.sectors + part
            self._send(Request(c.REQUEST_WRITE_BACK, old, self._sm.number), now + 1)
        cache.bring_in(room, number)
        return room

    def _send(self, request: Request, ready: int) -> None:
        """Let a packet go through the SM's port, ready at a cycle."""
        leaves = max(self._port_free_tick, ready * c.TICKS)
        network = self._gpu.requests
        target = self._gpu.places.slice_of(request.sector)
        if request.kind != c.REQUEST_WRITE_BACK and not request.rides:
            segment = request.sector // self._spec.sectors_per_request, target
            request.joined = segment == self.last_segment
            self.last_segment = segment
            block = request.sector // self._spec.sectors_per_l2_access
            request.in_same_access = (
                block == self.last_l2_access and self._spec.sectors_per_l2_access > 1
            )
            self.last_l2_access = block
        self._port_free_tick = leaves + network.ticks_of(request)
        self._sm.count["packets_out"] += 1
        self._packets_under_way += request.kind != c.REQUEST_WRITE_BACK
        network.enter(self._sm.number, target, request, up(leaves) + 1)

    def _count(self, place: int, pending: PendingAccess, found: int, now: int) -> None:
        """Count what a load finds: its sector (0), one on its way (1), nothing (2)."""
        count = self._sm.count
        if place in ACCESSED:
            count[ACCESSED[place]] += 1
            count[MISSED[place]] += found == 2
        elif self._spec.l1_holds_data:
            count["l1_accesses"] += 1
            count[("l1_hits", "l1_pending", "l1_misses")[found]] += 1
            self._note_access(pending, now, hit=found == 0)

    def _count_store(self, pending: PendingAccess, now: int, *, hit: bool) -> None:
        count = self._sm.count
        for what in ("l1_accesses", "write_accesses"):
            count[what] += 1
        count["l1_hits" if hit else "l1_misses"] += 1
        count["write_hits"] += hit
        self._note_access(pending, now, hit=hit)

    def _note_access(self, pending: PendingAccess, now: int, *, hit: bool) -> None:
        counts = self._gpu.counts
        counts.times["l1_accesses"][now] += 1
        counts.rows[pending.instruction.number]["l1_hits"] += hit

    # -- what comes back -----------------------------------------------------------------------

    def deliver(self, request: Request, time: int) -> None:
        """Let a reply come at a cycle, behind those that came before."""
        if self.mailbox:
            time = max(time, self.mailbox[-1][0])
        self.mailbox.append((time, request))

    def receive(self, now: int) -> None:
        """Take the replies that have come."""
        while self.mailbox and self.mailbox[0][0] <= now:
            request = self.mailbox.popleft()[1]
            self._packets_under_way -= 1
            self._sm.count["packets_in"] += 1
            if request.cache is not None:
                self._fill(request.cache, request.owner, request.sector, now)
            else:
                self._sm.lsu.on_sector_fill(request.owner, now + FILL, now)
            self._sm.lsu.retry(now)

    def _fill(self, cache: Any, line: Line, sector: int, now: int) -> None:
        """Put a sector into the line that waits for it, and let go on what waits for it there."""
        if cache is self.caches.get("icache"):
            line.waiting.pop(sector % self._spec.code_sectors)
            if not line.waiting:
                self._sm.code_has_come(line, now)
            return
        part = sector % cache.sectors
        waiting, fill = line.waiting.pop(part), self._fill_of(cache)
        parts = set(range(part // fill * fill, part // fill * fill + fill))
        if parts & line.waiting.keys():
            return
        line.written -= parts
        if cache is not self.caches.get("l1") or self._spec.l1_holds_data:
            line.valid |= parts
        self._mshrs -= 1
        self._waiters -= len(waiting)
        for pending in waiting:
            self._sm.lsu.on_sector_fill(pending, now + FILL, now)
