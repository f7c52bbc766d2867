"""Traces of launches that take turns on one device, asked for in any order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.layout import Layout, lay_out
from warpmill.analyzer.traces.model import Assumption, WarpTrace
from warpmill.executor.executed_source import ExecutedSource, layout_on
from warpmill.executor.host.backend import LaunchRequest
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.host.launch_run import LaunchSession
from warpmill.session.jobs import Job

Triple = tuple[int, int, int]


class SharedSource(ABC):
    """Traces of one launch of several (a ``TraceSource``), whatever others are traced between.

    ExecutionFault and LimitError as executing it gives.
    """

    kind = "executed"
    ctas = None
    assumptions: tuple[Assumption, ...] = ()

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self.layout: Layout = self.executed().layout

    @abstractmethod
    def executed(self) -> ExecutedSource:
        """Give the traces as the device has them now, which was brought to this launch."""

    @property
    @abstractmethod
    def data(self) -> str:
        """A hash of what the launch depends on."""

    @property
    @abstractmethod
    def kernel(self) -> Kernel:
        """The kernel whose blocks the traces name."""

    def warps(self, cta: Triple) -> tuple[WarpTrace, ...]:
        """Give the traces of a CTA's warps, in order."""
        return self.executed().warps(cta)

    def many(self, ctas: Iterable[Triple]) -> Iterator[tuple[WarpTrace, ...]]:
        """Give the traces of several CTAs, in order."""
        return self.executed().many(ctas)

    def batches(self, ctas: Iterable[Triple]) -> Iterator[EventBatch]:
        """Give the events of several CTAs as arrays, in order, some CTAs at a time."""
        return self.executed().batches(ctas)

    def beginnings(self, ctas: Iterable[Triple], words: int) -> EventBatch | None:
        """Give the events that CTAs begin with; as ``analyzer.traces.source.Runner`` says."""
        return self.executed().beginnings(ctas, words)

    def executions(self, ctas: Iterable[Triple]) -> Sequence[Mapping[int, int]] | None:
        """Count executions of blocks; as ``analyzer.traces.source.Runner`` says."""
        return self.executed().executions(ctas)


def session_on(max_instructions: int | None) -> tuple[LaunchSession, CpuBackend]:
    """Make a device that keeps no record, and what runs launches on it."""
    backend = CpuBackend(CpuOptions(max_instructions=max_instructions))
    return LaunchSession(Device(backend, record=False)), backend


def source_on(
    backend: CpuBackend, request: LaunchRequest, job: Job, reason: str, data: str = ""
) -> ExecutedSource:
    """Give the traces of a job's launch, which could be made on a device now."""
    launch = job.required_launch()
    alone = lay_out(job.loaded.module, job.kernel, launch)
    layout = layout_on(backend, request, launch, alone)
    return ExecutedSource(backend, request, layout, reason, data)
