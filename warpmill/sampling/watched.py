"""A steered simulation that runs in pieces: it can be interrupted, and tells how far it is."""

from __future__ import annotations

import time
from collections.abc import Sequence

from warpmill.simulations import SLICE_S, Done, Progress
from warpmill.simulator.gpu import fields as f
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.steered import Steered
from warpmill.simulator.gpu.work import Work
from warpmill.simulator.machines.model import Machine

_FIRST_STEPS, _MOST_STEPS = 16, 1 << 40


class Watched(Steered):
    """Tells ``progress`` now and then; CTAs that are passed over count as done.

    Where the pieces end changes nothing.
    """

    def __init__(
        self,
        machine: Machine,
        works: Sequence[Work],
        options: Options | None = None,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(machine, works, options)
        self._progress = progress
        self._steps = _FIRST_STEPS
        self._begin: float | None = None
        self._weights = [fit.warps_per_block for fit in self.occupancies]
        self._whole = sum(n * w for n, w in zip(self.simulated, self._weights, strict=True))

    def run_group(self, until: int | None = None, most_steps: int = 1 << 62) -> int:
        """Go on as ``Steered.run_group``, in pieces of about ``SLICE_S`` seconds."""
        left = most_steps
        while True:
            started, steps = time.monotonic(), min(self._steps, left)
            why = super().run_group(until, steps)
            left -= steps
            taken = time.monotonic() - started
            self._steps = min(
                _MOST_STEPS, max(1, int(steps * min(4.0, SLICE_S / max(taken, 1e-6))))
            )
            self._tell(started)
            if why != f.RUN_PAUSED or left <= 0 or self._is_reached(until):
                return why

    def _is_reached(self, until: int | None) -> bool:
        """Whether it paused for more than the end of a piece: a cycle, or the end of a CTA."""
        if until is not None and self.reached >= until:
            return True
        words = self.state.words
        watch = int(words[f.G_WATCH])
        begun = watch > 0 and words[watch + f.CL_LAUNCH] > 0
        return bool(begun and words[watch + f.CL_END] < f.NEVER)

    def _tell(self, started: float) -> None:
        if self._begin is None:
            self._begin = started
        if self._progress is None:
            return
        ended = sum(n * w for n, w in zip(self.progress(), self._weights, strict=True))
        seconds = time.monotonic() - self._begin
        self._progress(Done(ended / max(1, self._whole), self.reached, seconds))
