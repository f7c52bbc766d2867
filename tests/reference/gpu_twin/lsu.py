"""The load and store unit of an SM: a queue of accesses, of which the first is served."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.reference.gpu_twin.network import up
from warpmill.simulator.gpu import constants as c

if TYPE_CHECKING:
    from tests.reference.gpu_twin.program import Access, Instruction
    from tests.reference.gpu_twin.sm import Sm
    from tests.reference.gpu_twin.warp import Warp


@dataclass(eq=False)
class PendingAccess:
    """An access under way. ``left`` are its sectors that have not come, ``ready`` is when all have.

    ``access`` None: it reads constants that are always there, or moves a matrix.
    """

    warp: Warp
    instruction: Instruction
    access: Access | None
    begin: int
    queued: int = 0
    left: int = 0
    ready: int = 0
    all_requests_issued: bool = False
    group: int = 0

    def __post_init__(self) -> None:
        self.group = self.warp.group


class LoadStoreUnit:
    """Serves accesses in their order; each holds it for as long as its passes and sectors take.

    Where a sector cannot be asked for it tries again when that may have changed, a ``tireless`` one
    in each cycle.
    """

    def __init__(self, sm: Sm) -> None:
        self._sm, self._spec = sm, sm.gpu.spec
        self._tireless = sm.gpu.tireless
        self._queue: deque[PendingAccess] = deque()
        self._sector = 0
        """The next sector of the first access."""
        self._blocked = False
        self._free_tick = 0
        """The tick from which on it takes another access."""
        self.time = c.NEVER
        """The cycle at which it goes on; NEVER: when something comes back."""

    @property
    def is_full(self) -> bool:
        return len(self._queue) >= self._spec.lsu_queue_size

    def enqueue(self, pending: PendingAccess, time: int) -> None:
        """Take an access, to be served from a cycle on."""
        pending.queued = time
        self._queue.append(pending)
        if len(self._queue) == 1:
            self.time = max(time, up(self._free_tick))

    def retry(self, now: int) -> None:
        """Go on now if it waits for something to come back."""
        if self._queue and self.time >= c.NEVER:
            self.time = now

    def serve(self, now: int) -> None:
        """Serve what can be served in a cycle."""
        if self._blocked and self._tireless:
            self.time = now
        while self._queue and self.time <= now:
            pending = self._queue[0]
            held = self._served(pending, now)
            if held is None:
                break
            if not self._is_apart(pending):
                self._free_tick = max(self._free_tick, now * c.TICKS) + max(
                    held, self._spec.lsu_ticks
                )
            self._queue.popleft()
            self._sector, self.time = 0, c.NEVER
            self._sm.sectors.last_segment = self._sm.sectors.last_l2_access = None
            if self._queue:
                self.time = max(self._queue[0].queued, self._free_tick // c.TICKS)

    def _served(self, pending: PendingAccess, now: int) -> int | None:
        """Serve an access; gives the ticks that it takes, None where it has to wait."""
        access = pending.access
        loads = access is None and pending.instruction.parameter >= 0
        if loads and self._spec.fetches_from_l2:
            if self._has_to_wait(self._sm.sectors.ask_parameters(pending, now), now):
                return None
            self._all_asked(pending, now)
            return c.TICKS
        if access is None or access.space == c.SPACE_SHARED:
            return self._on_chip(pending, now)
        while self._sector < len(access.sectors):
            again = self._is_of_line(pending, access, self._sector)
            wait = self._sm.sectors.ask(pending, access.sectors[self._sector], now, again=again)
            if self._has_to_wait(wait, now):
                return None
            self._sector += 1
        count = len(access.sectors)
        self._sm.gpu.counts.rows[pending.instruction.number]["sectors"] += count
        self._all_asked(pending, now)
        ports = self._ports(access.space)
        count -= sum(self._is_of_line(pending, access, k) for k in range(count))
        held = count * self._spec.l1_sector_ticks
        if ports:
            held = -(-count // ports) * c.TICKS
        return max(held, -(-access.passes // max(1, ports)) * c.TICKS)

    def _has_to_wait(self, wait: int | None, now: int) -> bool:
        """Whether what was asked for could not be, and is to be asked for again."""
        self._blocked = wait is not None
        if wait is None:
            return False
        self.time = wait if wait >= c.NEVER else max(wait, now + 1)
        self._sm.count["lsu_stalls"] += 1
        return True

    def _all_asked(self, pending: PendingAccess, now: int) -> None:
        pending.all_requests_issued = True
        if not pending.left:
            self.complete_access(pending, max(pending.ready, now), now)

    def _is_of_line(self, pending: PendingAccess, access: Access, place: int) -> bool:
        """Whether a sector is of what L1 looks up and fills at once with the one before it."""
        fill, own = self._spec.l1_fill, pending.instruction
        looks = access.space == c.SPACE_LOCAL or not own.bypasses_l1
        others = access.space in (c.SPACE_CONST, c.SPACE_TEXTURE)
        if fill == 1 or others or not looks or own.memory_access == c.ACCESS_ATOMIC or not place:
            return False
        before, sector = (
            self._sm.sectors.number_of(pending, s) // fill
            for s in access.sectors[place - 1 : place + 1]
        )
        return before == sector

    def _is_apart(self, pending: PendingAccess) -> bool:
        """Whether another unit makes an access: constants, on some machines or as operands."""
        constant = pending.access is not None and pending.access.space == c.SPACE_CONST
        is_operand = pending.instruction.kind == c.KIND_FREE
        return constant and (bool(self._spec.const_bypasses_lsu) or is_operand)

    def _ports(self, space: int) -> int:
        """The ports of the caches that have some; L1 has banks, which passes count."""
        ports = {c.SPACE_CONST: "const_ports", c.SPACE_TEXTURE: "tex_ports"}
        return getattr(self._spec, ports[space]) if space in ports else 0

    def _on_chip(self, pending: PendingAccess, now: int) -> int:
        """Serve what needs no sectors: shared memory, as many passes as its banks need."""
        own, access = pending.instruction, pending.access
        whole = own.wavefronts if access is None else access.passes
        passes = max(1, -(-whole // self._spec.shared_ports))
        if access is not None or (whole and own.space == c.SPACE_SHARED):
            self._sm.count["shared_accesses"] += 1
            self._sm.count["shared_wavefronts"] += passes
            self._sm.gpu.counts.rows[own.number]["wavefronts"] += passes
        if access is not None:
            self._sm.count["bank_conflicts"] += whole - 1
        each = self._spec.shared_wavefront_ticks if whole else c.TICKS
        ticks = max(passes * each, self._turns(pending) * self._spec.shared_atomic_ticks)
        time = now + up(ticks) - 1 + pending.instruction.latency + self._spec.result_cycles
        self.complete_access(pending, time, now)
        return ticks

    @staticmethod
    def _turns(pending: PendingAccess) -> int:
        """The lanes of an atomic that take turns at one word; 0 of what is none."""
        if pending.access is None or pending.instruction.access != c.ACCESS_ATOMIC:
            return 0
        return 1 if pending.instruction.aggregated else pending.access.most

    def on_sector_fill(self, pending: PendingAccess, time: int, now: int) -> None:
        """Note that one of the sectors of an access has come, to be used from a time on."""
        pending.left -= 1
        pending.ready = max(pending.ready, time)
        if pending.all_requests_issued and not pending.left:
            self.complete_access(pending, pending.ready, now)

    def complete_access(self, pending: PendingAccess, time: int, now: int) -> None:
        """End an access: its results are there at a time, and its warp may have waited for it."""
        warp, own = pending.warp, pending.instruction
        self._sm.pending_left += 1
        if own.is_store:
            warp.stores -= 1
        else:
            warp.loads -= 1
            warp.arrived(own, (time, own.reason))
            self._sm.gpu.counts.writeback(own.number, time - pending.begin)
            if own.access == c.ACCESS_ASYNC:
                warp.copies[pending.group] -= 1
        self._sm.recheck_ready(warp, now)
