"""Result of ``run``: counts of launches, and the buffers afterwards."""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.metric import INTERNAL, Mark, derived
from warpmill.report.base import Report
from warpmill.session.runs import Buffer, KernelLaunches, LaunchRun, LaunchTotals, Run, by_kernel


class RunReport(Report):
    """Launches of a launch file, a kernel or a host program on a device.

    ``saved`` and ``recorded`` are where buffers and calls were written.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["run"] = "run"
    run: Annotated[Run, INTERNAL]
    saved: str | None = None
    recorded: str | None = None

    @derived("Target")
    def target(self) -> str:
        """Target that was run."""
        return self.run.target

    @derived("Device")
    def device(self) -> str:
        """Device that it was run on: cpu is the executor."""
        return self.run.device

    @derived("Launches")
    def launches(self) -> tuple[LaunchRun, ...]:
        """The launches in order."""
        return self.run.launches

    @derived("Launches by kernel")
    def kernels(self) -> list[KernelLaunches]:
        """The launches of each kernel together."""
        made = (one.launched for one in self.run.launches)
        return by_kernel((x.kernel.loaded.path, x.kernel.name, x.counts) for x in made)

    @derived("All launches")
    def totals(self) -> LaunchTotals:
        """All launches together."""
        return LaunchTotals(tuple(one.launched.counts for one in self.run.launches))

    @derived("Execution time", "s")
    def seconds(self) -> float | None:
        """Seconds of this computer, without compilation; null where the device has none."""
        seconds = [one.launched.counts.seconds for one in self.run.launches]
        return None if None in seconds else math.fsum(s for s in seconds if s is not None)

    @derived("Thread instruction rate")
    def thread_instructions_per_second(self) -> float | None:
        """How fast all launches were executed."""
        done = self.totals.thread_instructions
        return None if done is None or not self.seconds else done / self.seconds

    @derived("Buffers")
    def buffers(self) -> tuple[Buffer, ...]:
        """The buffers after the run."""
        return self.run.buffers

    @property
    def printed(self) -> list[str]:
        """Lines that threads have printed."""
        texts = (one.launched.counts.printed for one in self.run.launches)
        return [line for text in texts for line in text.splitlines()]
