"""A streaming multiprocessor: its warps, units and caches, and what a warp does as it issues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reference.gpu_twin.ahead import Ahead
from tests.reference.gpu_twin.lsu import LoadStoreUnit, PendingAccess
from tests.reference.gpu_twin.network import up
from tests.reference.gpu_twin.program import Instruction
from tests.reference.gpu_twin.scheduler import PENDING_RETRY, Scheduler
from tests.reference.gpu_twin.sectors import Sectors
from tests.reference.gpu_twin.warp import Warp
from warpmill.simulator.gpu import fields as f

if TYPE_CHECKING:
    from tests.reference.gpu_twin.dispatch import Cta
    from tests.reference.gpu_twin.gpu import Gpu
    from tests.reference.gpu_twin.program import Access


class Sm:
    """An SM with its ``slots`` for warps; ``share`` of it is taken by the CTAs that it has."""

    def __init__(self, gpu: Gpu, number: int) -> None:
        n = self._n = gpu.spec.numbers
        self._ahead = [Ahead(n[f.FETCH_AHEAD], n[f.FETCH_MISS]) for _ in range(n[f.SCHEDULERS])]
        self.gpu, self.number = gpu, number
        self.count = gpu.counts.sms[number]
        self.slots: list[Warp | None] = [None] * n[f.WARPS]
        self.ctas: list[Cta] = []
        self.share = self.age = 0
        self.last_cta: int | None = None
        self.end = 0
        self.shared_free: dict[int, int] = {}
        """Of pipes that all sub-partitions have together, by the word of theirs."""
        self.pipes = [[0] * n[f.PIPES] for _ in range(n[f.PARTS])]
        self.schedulers = [Scheduler(self, k) for k in range(n[f.SCHEDULERS])]
        self.pending_left = n[f.PENDING_ACCESSES]
        self.sectors = Sectors(self)
        self.lsu = LoadStoreUnit(self)

    def cycle(self, now: int) -> None:
        """Move through a cycle."""
        self.sectors.receive(now)
        was_full = self.lsu.is_full
        self.lsu.serve(now)
        if was_full and not self.lsu.is_full:
            for scheduler in self.schedulers:
                scheduler.wake(now)
        for scheduler in self.schedulers:
            scheduler.cycle(now)

    # -- warps come and go ---------------------------------------------------------------------

    def start(self, warp: Warp, now: int) -> None:
        """Let a warp begin with its first instruction, which has to be fetched."""
        self.slots[warp.slot] = warp
        warp.age, self.age = self.age, self.age + 1
        warp.begin = warp.last = now
        if not warp.advance():
            self._start_drain(warp, None, now)
            return
        takes_a_place = warp.cta.launch.done > 0
        cycles = self._n[f.CTA_TURN_CYCLES] if takes_a_place else 0
        floor = self._fetched(warp, now + max(cycles, self._n[f.START_CYCLES]))
        self.find_ready(warp, floor, f.W_FETCH)

    def find_ready(self, warp: Warp, floor: int, reason: int) -> None:
        """Work out when a warp can go on, and let its scheduler know."""
        warp.find_ready(floor, reason)
        if warp.ready < f.NEVER:
            self.schedulers[warp.slot % self._n[f.SCHEDULERS]].wake(warp.ready)

    def settle(self, warp: Warp, now: int) -> None:
        """Look again at a warp one of whose accesses has ended."""
        if warp.ending:
            if not warp.under_way:
                self._end(warp, now)
        elif warp.ready >= f.NEVER and warp.at_barrier is None:
            self.find_ready(warp, now, warp.reason)

    def _start_drain(self, warp: Warp, final: int | None, now: int) -> None:
        """Let a warp that has issued its last instruction end once nothing of it is under way."""
        warp.ending, warp.final = True, final
        warp.ready, warp.reason = f.NEVER, f.W_DRAIN
        if not warp.under_way:
            self._end(warp, now)

    def _end(self, warp: Warp, now: int) -> None:
        warp.ending, warp.ended = False, True
        self.slots[warp.slot] = None
        if warp.final is not None:
            self.gpu.counts.stall(warp.final, f.W_DRAIN, max(0, now - warp.last - 1))
        self.count[f.N_WARP_CYCLES] += now - warp.begin
        self.end = now
        self.gpu.spans.append((self.number, warp.slot, warp.cta.log, warp.begin, now))
        warp.cta.warp_ended(warp, now)

    # -- issue ---------------------------------------------------------------------------------

    def issue(self, scheduler: Scheduler, warp: Warp, now: int) -> None:
        """Issue a warp's instruction: through a collector and its pipe, or to memory."""
        own = warp.next
        self._count_issue(warp, own, now)
        start = now * f.TICKS
        if own.pipe >= 0:
            pipe = scheduler.pipe_of(own, now)
            start = max(start, scheduler.pipes[pipe], self.shared_free.get(own.of_sm, 0))
            if own.of_sm:
                self.shared_free[own.of_sm] = start + own.pipe_ticks
            scheduler.pipes[pipe] = start + (0 if own.of_sm else own.pipe_ticks)
        collector = scheduler.collectors.index(min(scheduler.collectors))
        scheduler.collectors[collector] = start + own.read_cycles * f.TICKS
        if own.kind == f.K_MEMORY:
            self._access(warp, own, now + own.read_cycles - 1)
        else:
            warp.write(own, (up(start) + own.read_cycles - 1 + own.latency, own.reason))
        if own.kind == f.K_COMMIT:
            warp.group += 1
        self._go_on(warp, own, now)
        if own.kind in (f.K_BARRIER, f.K_ARRIVE) and warp.runs:
            warp.cta.come_to(warp, own, up(start) if own.of_sm else now)

    def _count_issue(self, warp: Warp, own: Instruction, now: int) -> None:
        """Count an issue, and the cycles since the one before by why the warp did not issue."""
        counts = self.gpu.counts
        self.count[f.N_WARP_INSTRUCTIONS] += 1
        self.count[f.N_THREAD_INSTRUCTIONS] += warp.lanes
        counts.times[f.B_INSTRUCTIONS][now] += 1
        counts.rows[own.number][f.RC_ISSUES] += 1
        counts.rows[own.number][f.RC_LANES] += warp.lanes
        warp.issued += 1
        counts.stall(own.number, f.W_SELECTED, 1)
        until, why = warp.held
        for cycle in range(warp.last + 1, now):
            reason = why if cycle < until else f.W_NOT_SELECTED
            counts.stall(own.number, warp.reason if cycle < warp.ready else reason, 1)
        warp.last, warp.held = now, (0, 0)

    def _access(self, warp: Warp, own: Instruction, now: int) -> None:
        """Hand an access to the load and store unit, if any lane makes it."""
        access = warp.take_access(own.number) if own.recorded else None
        if own.recorded and access is None:
            return
        self._begin_pending(warp, own, access, now)

    def _begin_pending(self, warp: Warp, own: Instruction, access: Access | None, now: int) -> None:
        self.pending_left -= 1
        pending = PendingAccess(warp, own, access, now)
        if own.is_store:
            warp.stores += 1
        else:
            warp.loads += 1
            warp.write(own, (f.NEVER, own.reason))
        if own.access == f.A_ASYNC:
            warp.copies[warp.group] += 1
        self.lsu.enqueue(pending, now + self._n[f.LSU_CYCLES])

    def _go_on(self, warp: Warp, own: Instruction, now: int) -> None:
        """Let a warp stand before its next instruction, and say when and why it may issue it."""
        n = self._n
        floor, reason = now + 1, f.W_SELECTED
        if own.slots > 1:
            floor, reason = now + own.slots, f.W_WAIT
        if not warp.advance():
            self._start_drain(warp, own.number, now)
            return
        if own.kind == f.K_BRANCH:
            jumps = warp.next.number != own.number + 1
            there = now + max(n[f.BRANCH_CYCLES], n[f.REFILL] if jumps else 0)
            if there > floor:
                floor, reason = there, f.W_BRANCH
        if self._rename(warp, own.number, now) is not None:
            self._stand(warp, own.line, floor, reason)

    def rename(self, warp: Warp, now: int) -> None:
        """Do what takes no time before which a warp that is ready stands; it may have to wait."""
        line = warp.next.line
        again = self._rename(warp, None, now)
        if again is None:
            return
        if warp.next.kind == f.K_FREE:
            warp.ready, warp.reason = again, f.W_LONG if again >= f.NEVER else f.W_LG
        else:
            self._stand(warp, line, now, warp.reason)

    def _stand(self, warp: Warp, line: int, floor: int, reason: int) -> None:
        """Let a warp stand before an instruction, which is fetched if it is of another line."""
        if warp.next.line != line:
            there = self._fetched(warp, floor)
            if there > floor:
                floor, reason = there, f.W_FETCH
        self.find_ready(warp, floor, reason)

    def _rename(self, warp: Warp, issued: int | None, now: int) -> int | None:
        """Do instructions that take no time, as far as that can be done; None where it ends.

        Else it gives when to try again what could not be done, NEVER where a result has to come
        first. A warp that ends waits for its stores at what it has ``issued``; None: its last one.
        """
        while warp.next.kind == f.K_FREE:
            own, access = warp.next, None
            if own.recorded:
                access = warp.take_access(own.number)
            if access is not None and not self.sectors.has_constants(access):
                if self.lsu.is_full or not self.pending_left:
                    warp.accesses.insert(0, access)
                    return now + PENDING_RETRY
                self._begin_pending(warp, own, access, now)
            elif not warp.rename(own):
                return f.NEVER
            if not warp.advance():
                self._start_drain(warp, warp.block[-1].number if issued is None else issued, now)
                return None
        return f.NEVER

    def can_take(self, warp: Warp, now: int) -> int:
        """The cycle from which on units take a warp's instruction: ``now`` if they do."""
        own = warp.next
        if self._n[f.PIPES_HOLD] and own.pipe >= 0:
            scheduler = self.schedulers[warp.slot % self._n[f.SCHEDULERS]]
            free = scheduler.pipes[scheduler.pipe_of(own, now)] // f.TICKS
            if free > now:
                warp.held = free, f.W_MATH
                return free
        if own.kind != f.K_MEMORY:
            return now
        reason = {f.S_SHARED: f.W_MIO, f.S_TEXTURE: f.W_TEX}.get(own.space, f.W_LG)
        most = self._n[f.LOADS_PER_WARP]
        if most and warp.loads >= most and own.access != f.A_STORE and own.space != f.S_SHARED:
            warp.ready, warp.reason = f.NEVER, f.W_LG
            return f.NEVER
        if self.lsu.is_full:
            warp.held = max(now + 1, self.lsu.next), reason
        elif not self.pending_left:
            warp.held = now + PENDING_RETRY, reason
        else:
            return now
        return warp.held[0]

    def _fetched(self, warp: Warp, time: int) -> int:
        """When the line of a warp's next instruction is there that is asked for at a time."""
        cache, line = self.sectors.caches.get(f.FETCH_CACHE), warp.next.line
        if cache is None:
            return time
        self.count[f.N_FETCH_ACCESSES] += 1
        found = cache.find(line)
        if found is None:
            found = cache.victim(line)
            assert found is not None
            cache.bring_in(found, line)
            ahead = self._ahead[warp.slot % self._n[f.SCHEDULERS]]
            self.count[f.N_FETCH_MISSES] += line not in ahead.lines
            found.arrives = ahead.take(line, time)
        cache.use(found)
        return max(time, found.arrives)
