"""A warp scheduler: which of its warps is next, and whether units take what it issues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.reference.gpu_twin.network import up
from warpmill.simulator.gpu import constants as c

if TYPE_CHECKING:
    from tests.reference.gpu_twin.program import Instruction
    from tests.reference.gpu_twin.sm import Sm
    from tests.reference.gpu_twin.warp import Warp

PENDING_RETRY = 4
"""Cycles until a scheduler looks again that found no room for another access under way."""


class Scheduler:
    """Issues from the warps in every n-th slot of an SM.

    Where it can issue nothing it says when it looks again (``time``). A warp that
    becomes ready, and room in the load and store unit, make it look earlier. A ``tireless`` one
    looks in each cycle.
    """

    def __init__(self, sm: Sm, number: int) -> None:
        spec = self._spec = sm.gpu.spec
        self._sm, self._number = sm, number
        self._tireless = sm.gpu.tireless
        self.time = c.NEVER
        self.last: int | None = None
        self.free_tick = 0
        """The tick from which on it has an issue slot."""
        self.collectors = [0] * spec.collectors_per_scheduler
        self.pipes = sm.pipes[number * spec.subpartitions_per_sm // spec.schedulers_per_sm]
        self._places = -(-spec.warps_per_sm // spec.schedulers_per_sm)

    def wake(self, time: int) -> None:
        """Look at a cycle, if not before."""
        self.time = min(self.time, time)

    def warps(self) -> list[tuple[int, Warp]]:
        """The warps that run, and their places among the scheduler's slots."""
        own = self._sm.slots[self._number :: self._spec.schedulers_per_sm]
        return [(place, warp) for place, warp in enumerate(own) if warp is not None and warp.runs]

    def cycle(self, now: int) -> None:
        """Issue if that can be done."""
        if self.time > now and not self._tireless:
            return
        if self.free_tick // c.TICKS > now:
            self.time = self.free_tick // c.TICKS
            return
        found = self._choose(now)
        if found is not None:
            self._issue(*found, now)

    def _issue(self, place: int, warp: Warp, now: int) -> None:
        """Issue from a warp; where more than one goes in a cycle, also what pairs with it."""
        spec, first = self._spec, warp.next
        self.last = place
        self._sm.count["issue_cycles"] += 1
        self._sm.issue(self, warp, now)
        ticks, issued = first.issue_slots * spec.issue_ticks, 1
        if first.issue_slots == 1:
            while issued < spec.issue_width and self._pairs_with(warp, first.pipe, now):
                self._sm.issue(self, warp, now)
                issued += 1
        if issued > 1:
            ticks = max(ticks, issued * spec.paired_issue_ticks)
        self.free_tick = max(self.free_tick, now * c.TICKS) + ticks
        self.time = max(now + 1, self.free_tick // c.TICKS)

    # -- which warp ----------------------------------------------------------------------------

    def _choose(self, now: int) -> tuple[int, Warp] | None:
        """Choose the warp that ranks first among those whose next instruction can go now."""
        ranked = self._ranked(now)
        free = min(self.collectors)
        if free > now * c.TICKS:
            self.time = up(free)
            if ranked:
                self._hold_for_collector(ranked[0][1], now)
            return None
        soonest = c.NEVER
        for place, warp in ranked:
            if warp.next.kind == c.KIND_FREE:
                self._sm.rename(warp, now)
                if warp.ready > now:
                    continue
            when = self._sm.can_issue(warp, now)
            if when <= now:
                return place, warp
            soonest = min(soonest, when)
        later = [warp.ready for _, warp in self.warps() if warp.ready > now]
        self.time = min([soonest, *later])
        return None

    def _ranked(self, now: int) -> list[tuple[int, Warp]]:
        """The warps that are ready, those to be preferred first."""
        ready = [(place, warp) for place, warp in self.warps() if warp.ready <= now]
        if self._spec.scheduler_policy == c.POLICY_GTO:  # the last one, then by age
            return sorted(ready, key=lambda x: (x[0] != self.last, x[1].age))
        last = -1 if self.last is None else self.last
        turns = {place: (place - last - 1) % self._places for place, _ in ready}
        if (
            self._spec.scheduler_policy == c.POLICY_TWO_LEVEL
        ):  # active ones in turn, then the others
            inactive = {place: not self._is_active(warp) for place, warp in ready}
            return sorted(ready, key=lambda x: (inactive[x[0]], turns[x[0]]))
        return sorted(ready, key=lambda x: turns[x[0]])

    def _is_active(self, warp: Warp) -> bool:
        """Whether a warp that is ready is among the active ones, where it takes a free place.

        The place of one that has ended or waits for memory or other warps is free.
        """
        if warp.active:
            return True
        others = [other for _, other in self.warps() if other.active]
        for other in others:
            other.active = other.ready < c.NEVER
        warp.active = sum(other.active for other in others) < self._spec.active_warps
        return warp.active

    # -- whether it can go ---------------------------------------------------------------------

    def _hold_for_collector(self, warp: Warp, now: int) -> None:
        """Note of the warp that would be next that the collectors are full, or its pipe behind."""
        pipe = self.pipe_of(warp.next, now)
        behind = pipe >= 0 and self.pipes[pipe] > now * c.TICKS
        warp.held = self.time, c.STALL.math_pipe_throttle if behind else c.STALL.dispatch_stall

    def pipe_of(self, own: Instruction, now: int) -> int:
        """An instruction's pipe; one that does the same takes it where that is free sooner."""
        both = [own.pipe] if own.alternate_pipe < 0 else [own.pipe, own.alternate_pipe]
        return min(both, key=lambda pipe: max(self.pipes[pipe], now * c.TICKS), default=own.pipe)

    def _pairs_with(self, warp: Warp, pipe: int, now: int) -> bool:
        """Whether a warp's next instruction, of one slot, can go too, with all that it needs.

        Simulators issue to another unit; hardware to any that takes it, but one access a cycle.
        """
        if not warp.runs or warp.at_barrier is not None:
            return False
        following = warp.next
        if following.kind not in (c.KIND_ALU, c.KIND_MEMORY) or following.issue_slots > 1:
            return False
        one_unit_each = pipe < 0 or not self._spec.busy_pipes_stall
        if following.pipe == pipe and one_unit_each:
            return False
        if (warp.ready, warp.reason) != (now + 1, c.STALL.selected):
            return False
        needs = (*following.reads, *following.writes)
        if any(warp.registers[register][0] > now for register in needs):
            return False
        if min(self.collectors) > now * c.TICKS:
            return False
        return self._sm.can_issue(warp, now) <= now
