"""CTAs that run at the same time, taking turns, as they do on a GPU.

It is needed where CTAs wait for one another: barriers of a whole grid, queues between CTAs. The
turns are always the same, so that the results are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from warpmill.executor.spin import SpinWatch

if TYPE_CHECKING:
    from warpmill.executor.cta_runs import CtaRun

MOST_RESIDENT = 4096
"""CTAs that run at the same time at most: as many as the largest GPUs hold."""

TURN = 4
"""Times that a warp goes back in loops before the others have a turn, where CTAs run together."""

_MOST_BYTES = (
    2 << 30
)  # of all resident CTAs: they are touched, as a device's own memory need not be
_LOOK_EVERY = 64  # rounds between looks at whether all of them wait in vain


class CtaBlocked(Exception):  # noqa: N818 - no error: others may do what it waits for
    """A CTA that runs alone waits for what it will not do itself."""


@dataclass
class ResidentCtas:
    """The runs of the CTAs that are resident, each with a CTA of its own."""

    runs: list[CtaRun]
    next_cta: int
    ctas: int

    @classmethod
    def begin(cls, run: CtaRun, first: int, most: int) -> ResidentCtas:
        """Let as many CTAs as may be resident begin, from ``first`` on; ``run`` may be in one."""
        room = min(_MOST_BYTES, run.limits.max_bytes) // max(1, run.cta_bytes)
        begun = 0 if run.is_idle else 1
        count = max(1, min(most, room, run.launch.ctas - first + begun))
        others = [replace(run, arrays={}, host=None) for _ in range(count - 1)]
        for other in others:
            other.share_records(run)
        return cls([run, *others], first, run.launch.ctas)

    def work(self, watch: Callable[[], None], told: Callable[[int], None]) -> None:
        """Run all CTAs that are left, with ``told`` of how many have come to their end.

        ExecutionFault, also where all that are resident wait in vain.
        """
        active = [run for run in self.runs if not run.is_idle or self._hand(run)]
        spin, rounds, ended = SpinWatch(), 0, 0
        while active:
            still = []
            for run in active:
                if not run.turn(0):
                    still.append(run)
                    continue
                ended += 1
                told(ended)
                if self._hand(run):
                    still.append(run)
            active = still
            rounds += 1
            watch()
            if rounds % _LOOK_EVERY == 0 and active and self._in_vain(spin, active, ended):
                active[0].fail_spinning()

    def _hand(self, run: CtaRun) -> bool:
        """Give a run its next CTA, where there is one."""
        if self.next_cta >= self.ctas:
            return False
        run.take(self.next_cta, self.next_cta + 1)
        self.next_cta += 1
        return True

    @staticmethod
    def _in_vain(spin: SpinWatch, active: list[CtaRun], ended: int) -> bool:
        """Tell whether no CTA has moved and nothing has changed since some look before."""
        changes = sum(run.changes for run in active)
        digest = hashlib.blake2b()  # the records themselves may be gigabytes
        for run in active:
            digest.update(run.records.data)
        return spin.is_spinning(ended, changes, digest.digest())
