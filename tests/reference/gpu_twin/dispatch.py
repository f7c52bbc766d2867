"""Launches and their CTAs: when they begin, on which SM, and what their warps wait for together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.reference.gpu_twin.program import Event, Instruction
from tests.reference.gpu_twin.warp import Warp
from warpmill.simulator.gpu import constants as c

if TYPE_CHECKING:
    from tests.reference.gpu_twin.gpu import Gpu
    from tests.reference.gpu_twin.sm import Sm


@dataclass(eq=False)
class Launch:
    """A launch. ``events`` gives those of a CTA's warps; ``share`` is what a CTA takes of an SM.

    ``log`` is the number of its first CTA among those of all launches.
    """

    ctas: int
    warps: int
    share: int
    stream: int
    first_block: int
    events: Callable[[int], list[list[Event]]]
    log: int = 0
    before: Launch | None = None
    held: bool = True
    ready: int = 0
    begin: int | None = None
    end: int = 0
    next: int = 0
    done: int = 0

    @property
    def is_over(self) -> bool:
        return self.done == self.ctas


@dataclass
class Barrier:
    """A barrier of a CTA: the warps that have come, how many it waits for (0: all), who waits."""

    arrived: int
    awaited: int
    waiting: list[Warp]


class Cta:
    """A CTA on an SM."""

    def __init__(self, launch: Launch, number: int, sm: Sm, now: int) -> None:
        self.launch, self.number, self.sm = launch, number, sm
        self.log = launch.log + number
        self.begin, self.end = now, c.NEVER
        self.live, self.issued = launch.warps, 0
        self.barriers: dict[int, Barrier] = {}

    def arrive_at_barrier(self, warp: Warp, own: Instruction, now: int) -> None:
        """Let a warp come to a barrier, where it waits unless it only tells that it came."""
        barrier = self.barriers.setdefault(own.barrier, Barrier(0, 0, []))
        barrier.arrived += 1
        barrier.awaited = own.barrier_warps
        if own.kind == c.KIND_BARRIER:
            warp.ready, warp.reason, warp.at_barrier = c.NEVER, c.STALL.barrier, own.barrier
            barrier.waiting.append(warp)
        self._open(now)

    def _open(self, now: int) -> None:
        """Open the barriers that all warps that have not ended have come to, or enough of them."""
        for number, barrier in sorted(self.barriers.items()):
            if barrier.arrived < (barrier.awaited or self.live):
                continue
            del self.barriers[number]
            for warp in barrier.waiting:
                warp.at_barrier = None
                floor = now + self.sm.gpu.spec.barrier_cycles
                self.sm.next_ready(warp, floor, c.STALL.barrier)

    def warp_ended(self, warp: Warp, now: int) -> None:
        """Note that a warp has ended, and with its last one the CTA."""
        self.live -= 1
        self.issued += warp.issued
        if self.live:
            self._open(now)
            return
        self.end = now
        self.sm.ctas.remove(self)
        self.sm.share -= self.launch.share
        self.launch.done += 1
        self.launch.end = max(self.launch.end, now)


class Dispatcher:
    """Starts CTAs by their numbers, on each SM in turn that has room: one a cycle on an SM."""

    def __init__(self, gpu: Gpu) -> None:
        self._gpu, self._spec = gpu, gpu.spec
        self._last, self._free = -1, 0

    def cycle(self, now: int) -> None:
        """Start what can be started, launch after launch."""
        for launch in self._gpu.launches:
            self._begin(launch, now)
            while launch.begin is not None and launch.next < launch.ctas:
                if self._free >= (now + 1) * c.TICKS:
                    return
                sm = self._room(launch, now)
                if sm is None:
                    break
                self._start(launch, sm, now)
                self._free = max(self._free, now * c.TICKS) + self._spec.cta_ticks

    @staticmethod
    def _begin(launch: Launch, now: int) -> None:
        """Let a launch begin that may, and whose predecessor in its stream is over."""
        if launch.begin is not None or launch.held or launch.ready > now:
            return
        if launch.before is None or launch.before.is_over:
            launch.begin = now

    def _room(self, launch: Launch, now: int) -> Sm | None:
        """The next SM in turn that has room for a CTA and was given none in this cycle."""
        sms, spec = self._gpu.sms, self._spec
        for k in range(len(sms)):
            sm = sms[(self._last + 1 + k) % len(sms)]
            free = sum(warp is None for warp in sm.slots)
            fits = sm.share + launch.share <= c.SHARES and len(sm.ctas) < spec.ctas_per_sm
            if sm.last_cta != now and fits and free >= launch.warps:
                return sm
        return None

    def _start(self, launch: Launch, sm: Sm, now: int) -> None:
        cta = Cta(launch, launch.next, sm, now)
        launch.next += 1
        self._last, sm.last_cta = sm.number, now
        sm.share += launch.share
        sm.ctas.append(cta)
        sm.count["ctas"] += 1
        self._gpu.ctas.append(cta)
        for events in launch.events(cta.number):
            slot = sm.slots.index(None)
            sm.start(Warp(self._gpu.program, cta, slot, events), now)
