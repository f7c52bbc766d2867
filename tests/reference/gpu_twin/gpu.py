"""The GPU: its parts, and what they do in a cycle."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.gpu_twin.cache import Cache
from tests.reference.gpu_twin.counts import Counts
from tests.reference.gpu_twin.dispatch import Cta, Dispatcher, Launch
from tests.reference.gpu_twin.dram import Channel
from tests.reference.gpu_twin.l2 import Slice
from tests.reference.gpu_twin.network import Network, Places
from tests.reference.gpu_twin.program import Program
from tests.reference.gpu_twin.sm import Sm
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.code import EngineCode
from warpmill.simulator.gpu.spec import Spec
from warpmill.simulator.memory.cache import CacheSpec

SM_CACHES = ("l1", "const", "tex", "icache")


class Gpu:
    """A GPU with its launches. ``tireless`` parts try each cycle what had to wait in the last."""

    def __init__(
        self, spec: Spec, code: EngineCode, launches: Sequence[Launch], *, tireless: bool = False
    ) -> None:
        self.spec, self.tireless = spec, tireless
        self.program, self.counts, self.launches = Program(code), Counts(), list(launches)
        self.ctas: list[Cta] = []
        self.spans: list[tuple[int, int, int, int, int]] = []
        self.places = Places(spec)
        self.most_waiters = spec.most_waiters
        self.sms = [Sm(self, k) for k in range(spec.sm_count)]
        self.channels = [Channel(self, k) for k in range(spec.channel_count)]
        self.slices: list[Slice] = []
        for number in range(spec.slice_count):
            channel = self.channels[number // spec.slices_per_channel]
            self.slices.append(Slice(self, number, channel))
            channel.slices.append(self.slices[-1])
        self.requests, self.replies = self._networks()
        self.dispatcher = Dispatcher(self)
        self.now = 0
        self._chain()

    def _networks(self) -> tuple[Network, Network]:
        spec, sms, slices = self.spec, self.sms, self.slices
        out = (c.REQUEST_STORE, c.REQUEST_ATOMIC, c.REQUEST_WRITE_BACK)
        back = (c.REQUEST_LOAD, c.REQUEST_ATOMIC, c.REQUEST_WRITE_BACK)
        return (
            Network(spec, len(sms), len(slices), out, lambda k, r, t: slices[k].deliver(r, t)),
            Network(
                spec, len(slices), len(sms), back, lambda k, r, t: sms[k].sectors.deliver(r, t)
            ),
        )

    def _chain(self) -> None:
        """Let each launch know the one before it in its stream."""
        last: dict[int, Launch] = {}
        log = 0
        for launch in self.launches:
            launch.before = last.get(launch.stream)
            last[launch.stream] = launch
            launch.log, log = log, log + launch.ctas

    def release(self, count: int) -> None:
        """Let so many of the launches run, none of the new ones before the present cycle."""
        for launch in self.launches[:count]:
            if launch.held:
                launch.held, launch.ready = False, self.now

    def empty_l1(self, l1: CacheSpec | None, *, first: bool) -> None:
        """Flush the caches of all SMs, with what was prefetched; L1 is then one as ``l1`` says.

        Code and constants that come from L2 stay, unless it is the first time.
        """
        stay = () if first or not self.spec.fetches_from_l2 else ("const", "icache")
        for sm in self.sms:
            for place, (_, spec, hashed) in self.spec.caches.items():
                own = l1 if place == "l1" else None if place in stay else spec
                if place in SM_CACHES and own is not None:
                    sm.sectors.caches[place] = Cache(own, hashed=hashed)
            sm.forget_prefetched()

    def empty_l2(self) -> None:
        """Flush L2; what was to be written back is forgotten."""
        for slice_ in self.slices:
            slice_.empty()

    def warm(self, sectors: range, *, is_dirty: bool) -> None:
        """Let L2 hold sectors, the last ones where not all fit."""
        for sector in sectors:
            self.slices[self.places.slice_of(sector)].hold(sector, is_dirty=is_dirty)

    def run(self, limit: int = 1 << 20) -> None:
        """Let time pass until all launches that may run are over."""
        while not all(launch.is_over for launch in self.launches if not launch.held):
            assert self.now < limit, "the twin has come to a standstill"
            self.cycle(self.now)
            self.now += 1

    def cycle(self, now: int) -> None:
        """Move everything through a cycle."""
        self.dispatcher.cycle(now)
        for sm in self.sms:
            sm.cycle(now)
        self.requests.cycle(now)
        for channel in self.channels:
            for slice_ in channel.slices:
                slice_.cycle(now)
            channel.cycle(now)
        self.replies.cycle(now)
