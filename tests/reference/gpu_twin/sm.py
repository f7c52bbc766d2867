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
from warpmill.simulator.gpu import constants as c

if TYPE_CHECKING:
    from tests.reference.gpu_twin.cache import Line
    from tests.reference.gpu_twin.dispatch import Cta
    from tests.reference.gpu_twin.gpu import Gpu
    from tests.reference.gpu_twin.program import Access

DECODE = 2
"""Cycles from the return of a line of code to the issue of its first instruction."""


class Sm:
    """An SM with its ``slots`` for warps; ``share`` of it is taken by the CTAs that it has."""

    def __init__(self, gpu: Gpu, number: int) -> None:
        spec = self._spec = gpu.spec
        self.forget_prefetched()
        self.gpu, self.number = gpu, number
        self.count = gpu.counts.sms[number]
        self.slots: list[Warp | None] = [None] * spec.warps_per_sm
        self.ctas: list[Cta] = []
        self.share = self.age = 0
        self.last_cta: int | None = None
        self.end = 0
        self.shared_free: dict[int, int] = {}
        """Of pipes that all sub-partitions have together, by the word of theirs."""
        self.pipes = [[0] * spec.pipes_per_subpartition for _ in range(spec.subpartitions_per_sm)]
        self.schedulers = [Scheduler(self, k) for k in range(spec.schedulers_per_sm)]
        self.pending_left = spec.pending_per_sm
        self.sectors = Sectors(self)
        self.lsu = LoadStoreUnit(self)

    def forget_prefetched(self) -> None:
        """Flush the stream buffers, of which each scheduler has one."""
        spec = self._spec
        self._ahead = [
            Ahead(spec.prefetched_lines, spec.fetch_miss_cycles)
            for _ in range(spec.schedulers_per_sm)
        ]

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
        warp.begin = warp.last_issue = now
        if not warp.advance():
            self._start_drain(warp, None, now)
            return
        takes_a_place = warp.cta.launch.done > 0
        cycles = self._spec.cta_turnaround_cycles if takes_a_place else 0
        floor = self._fetched(warp, now + max(cycles, self._spec.start_cycles))
        self.next_ready(warp, floor, c.STALL.no_instruction)

    def next_ready(self, warp: Warp, floor: int, reason: int) -> None:
        """Work out when a warp can go on, and let its scheduler know.

        It cannot while its line of code is on its way.
        """
        cache = self.sectors.caches.get("icache")
        line = None if cache is None else cache.find(warp.next.line)
        if self._spec.fetches_from_l2 and line is not None and line.waiting:
            floor, reason = c.NEVER, c.STALL.no_instruction
        warp.next_ready(floor, reason)
        if warp.ready < c.NEVER:
            self.schedulers[warp.slot % self._spec.schedulers_per_sm].wake(warp.ready)

    def recheck_ready(self, warp: Warp, now: int) -> None:
        """Look again at a warp one of whose accesses has ended."""
        if warp.ending:
            if not warp.under_way:
                self._end(warp, now)
        elif warp.ready >= c.NEVER and warp.at_barrier is None:
            self.next_ready(warp, now, warp.reason)

    def _start_drain(self, warp: Warp, final: int | None, now: int) -> None:
        """Let a warp that has issued its last instruction end once nothing of it is under way."""
        warp.ending, warp.final = True, final
        warp.ready, warp.reason = c.NEVER, c.STALL.drain
        if not warp.under_way:
            self._end(warp, now)

    def _end(self, warp: Warp, now: int) -> None:
        warp.ending, warp.ended = False, True
        self.slots[warp.slot] = None
        if warp.final is not None:
            self.gpu.counts.stall(warp.final, c.STALL.drain, max(0, now - warp.last_issue - 1))
        self.count["warp_cycles"] += now - warp.begin
        self.end = now
        self.gpu.spans.append((self.number, warp.slot, warp.cta.log, warp.begin, now))
        warp.cta.warp_ended(warp, now)

    # -- issue ---------------------------------------------------------------------------------

    def issue(self, scheduler: Scheduler, warp: Warp, now: int) -> None:
        """Issue a warp's instruction: through a collector and its pipe, or to memory."""
        own = warp.next
        self._count_issue(warp, own, now)
        start = now * c.TICKS
        if own.pipe >= 0:
            pipe = scheduler.pipe_of(own, now)
            start = max(start, scheduler.pipes[pipe], self.shared_free.get(own.shared_pipe, 0))
            if own.shared_pipe:
                self.shared_free[own.shared_pipe] = start + own.pipe_ticks
            scheduler.pipes[pipe] = start + (0 if own.shared_pipe else own.pipe_ticks)
        collector = scheduler.collectors.index(min(scheduler.collectors))
        scheduler.collectors[collector] = start + own.read_cycles * c.TICKS
        if own.kind == c.KIND_MEMORY:
            self._access(warp, own, now + own.read_cycles - 1)
        else:
            warp.write(own, (up(start) + own.read_cycles - 1 + own.latency, own.reason))
        if own.kind == c.KIND_COMMIT:
            warp.group += 1
        self._go_on(warp, own, now)
        if own.kind in (c.KIND_BARRIER, c.KIND_ARRIVE) and warp.runs:
            warp.cta.arrive_at_barrier(warp, own, up(start) if own.shared_pipe else now)

    def _count_issue(self, warp: Warp, own: Instruction, now: int) -> None:
        """Count an issue, and the cycles since the one before by why the warp did not issue."""
        counts = self.gpu.counts
        self.count["warp_instructions"] += 1
        self.count["thread_instructions"] += warp.lanes
        counts.times["instructions"][now] += 1
        counts.rows[own.number]["issues"] += 1
        counts.rows[own.number]["lanes"] += warp.lanes
        warp.issued += 1
        counts.stall(own.number, c.STALL.selected, 1)
        until, why = warp.held
        for cycle in range(warp.last_issue + 1, now):
            reason = why if cycle < until else c.STALL.not_selected
            counts.stall(own.number, warp.reason if cycle < warp.ready else reason, 1)
        warp.last_issue, warp.held = now, (0, 0)

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
            warp.write(own, (c.NEVER, own.reason))
        if own.access == c.ACCESS_ASYNC:
            warp.copies[warp.group] += 1
        self.lsu.enqueue(pending, now + self._spec.lsu_cycles)

    def _go_on(self, warp: Warp, own: Instruction, now: int) -> None:
        """Let a warp stand before its next instruction, and say when and why it may issue it."""
        spec = self._spec
        floor, reason = now + 1, c.STALL.selected
        if own.issue_slots > 1:
            floor, reason = now + own.issue_slots, c.STALL.wait
        if not warp.advance():
            self._start_drain(warp, own.number, now)
            return
        if own.kind == c.KIND_BRANCH:
            jumps = warp.next.number != own.number + 1
            there = now + max(spec.branch_cycles, spec.refill_cycles if jumps else 0)
            if there > floor:
                floor, reason = there, c.STALL.branch_resolving
        if self._rename(warp, own.number, now) is not None:
            self._stand(warp, own.line, floor, reason)

    def rename(self, warp: Warp, now: int) -> None:
        """Do what takes no time before which a warp that is ready stands; it may have to wait."""
        line = warp.next.line
        again = self._rename(warp, None, now)
        if again is None:
            return
        if warp.next.kind == c.KIND_FREE:
            warp.ready, warp.reason = (
                again,
                c.STALL.long_scoreboard if again >= c.NEVER else c.STALL.lg_throttle,
            )
        else:
            self._stand(warp, line, now, warp.reason)

    def _stand(self, warp: Warp, line: int, floor: int, reason: int) -> None:
        """Let a warp stand before an instruction, which is fetched if it is of another line."""
        if warp.next.line != line:
            there = self._fetched(warp, floor)
            if there > floor:
                floor, reason = there, c.STALL.no_instruction
        self.next_ready(warp, floor, reason)

    def _rename(self, warp: Warp, issued: int | None, now: int) -> int | None:
        """Do instructions that take no time, as far as that can be done; None where it ends.

        Else it gives when to try again what could not be done, NEVER where a result has to come
        first. A warp that ends waits for its stores at what it has ``issued``; None: its last one.
        """
        while warp.next.kind == c.KIND_FREE:
            own, access = warp.next, None
            if own.recorded:
                access = warp.take_access(own.number)
            if access is not None and not self.sectors.all_there(access):
                if self.lsu.is_full or not self.pending_left:
                    warp.accesses.insert(0, access)
                    return now + PENDING_RETRY
                self._begin_pending(warp, own, access, now)
            elif not warp.rename(own):
                return c.NEVER
            if not warp.advance():
                self._start_drain(warp, warp.block[-1].number if issued is None else issued, now)
                return None
        return c.NEVER

    def can_issue(self, warp: Warp, now: int) -> int:
        """The cycle from which on units take a warp's instruction: ``now`` if they do."""
        own = warp.next
        if self._spec.busy_pipes_stall and own.pipe >= 0:
            scheduler = self.schedulers[warp.slot % self._spec.schedulers_per_sm]
            free = scheduler.pipes[scheduler.pipe_of(own, now)] // c.TICKS
            if free > now:
                warp.held = free, c.STALL.math_pipe_throttle
                return free
        if own.kind != c.KIND_MEMORY:
            return now
        reason = {c.SPACE_SHARED: c.STALL.mio_throttle, c.SPACE_TEXTURE: c.STALL.tex_throttle}.get(
            own.space, c.STALL.lg_throttle
        )
        most = self._spec.loads_per_warp
        if (
            most
            and warp.loads >= most
            and own.access != c.ACCESS_STORE
            and own.space != c.SPACE_SHARED
        ):
            warp.ready, warp.reason = c.NEVER, c.STALL.lg_throttle
            return c.NEVER
        if self.lsu.is_full:
            warp.held = max(now + 1, self.lsu.time), reason
        elif not self.pending_left:
            warp.held = now + PENDING_RETRY, reason
        else:
            return now
        return warp.held[0]

    def code_has_come(self, line: Line, now: int) -> None:
        """Let the warps go on that waited for a line of code, if they have theirs."""
        line.arrives = now + DECODE
        for warp in self.slots:
            waits = warp is not None and warp.runs and warp.ready >= c.NEVER
            if warp is not None and waits and warp.reason == c.STALL.no_instruction:
                self.next_ready(warp, line.arrives, c.STALL.no_instruction)

    def _fetched(self, warp: Warp, time: int) -> int:
        """When the line of a warp's next instruction is there that is asked for at a time."""
        cache, line = self.sectors.caches.get("icache"), warp.next.line
        if cache is None:
            return time
        self.count["fetch_accesses"] += 1
        found = cache.find(line)
        if found is None:
            found = cache.victim(line)
            if found is None:
                return time + self._spec.fetch_miss_cycles
            cache.bring_in(found, line)
            if self._spec.fetches_from_l2:
                self.count["fetch_misses"] += 1
                self.sectors.fetch(cache, found, time)
            else:
                ahead = self._ahead[warp.slot % self._spec.schedulers_per_sm]
                self.count["fetch_misses"] += line not in ahead.lines
                found.arrives = ahead.take(line, time)
        cache.use(found)
        return max(time, found.arrives)
