"""Traces of jobs that are executed with their data."""

from __future__ import annotations

from typing import Any

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.traces.layout import lay_out
from warpmill.data import data_digest
from warpmill.executor.executed_source import ExecutedSource, layout_on
from warpmill.executor.host.backend import LaunchRequest
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.host.launch_run import LaunchSession
from warpmill.jobs import Job
from warpmill.shared_sources import SharedSource


def executed_source(
    job: Job,
    reason: str = "asked for",
    max_instructions: int | None = None,
    turns: LaunchTurns | None = None,
) -> ExecutedSource | SharedSource:
    """Give the traces of a job's launch executed with its data, after the launches before it.

    Those of a recorded launch come from its replay. ``max_instructions`` are those of threads, of
    all these launches together. Where traces of several launches of one file are wanted, ``turns``
    has each of them run once. InputError where a kernel cannot be executed, ExecutionFault and
    LimitError.
    """
    if job.recorded is not None:
        return job.recorded.traces(reason, max_instructions)
    if turns is not None:
        return TurnSource(turns, job, reason, max_instructions)
    session, backend = session_on(max_instructions)
    for earlier in job.before:
        session.run(earlier.loaded, earlier.kernel, earlier.required_launch())
    request = session.request(job.loaded, job.kernel, job.required_launch())
    session.device.let_go()
    return source_on(backend, request, job, reason, data_digest(job))


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


class TurnSource(SharedSource):
    """Traces of a launch of a launch file that takes turns with others."""

    def __init__(
        self, turns: LaunchTurns, job: Job, reason: str, max_instructions: int | None
    ) -> None:
        self._turns, self._job, self._most = turns, job, max_instructions
        super().__init__(reason)

    def executed(self) -> ExecutedSource:
        """Give the traces as the device has them now."""
        return self._turns.source(self._job, self._most, self.reason)

    @property
    def kernel(self) -> Kernel:
        """The kernel whose blocks the traces name."""
        return self._job.kernel

    @property
    def data(self) -> str:
        """A hash of what buffers hold, and of the launches before."""
        return data_digest(self._job)


# Launches of a launch file that are executed for their traces one after another.
#
# Each is run once: a launch finds what those before it have left, without their being run again.


class LaunchTurns:
    """One device that goes from launch to launch. Asked for them in their order, it runs each once.

    Traces of a launch hold until those of another one are asked for. What was executed does not go
    along to another process.
    """

    def __init__(self) -> None:
        self._session: LaunchSession | None = None
        self._backend: CpuBackend | None = None
        self._ran: tuple[Job, ...] = ()
        self._current: tuple[Job, int | None, LaunchRequest, ExecutedSource] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return LaunchTurns, ()

    def source(self, job: Job, max_instructions: int | None, reason: str) -> ExecutedSource:
        """Give the traces of a job's launch. Errors as ``warpmill.executed.executed_source``."""
        from warpmill.executed import source_on  # noqa: PLC0415 - LLVM is slow to load

        now = self._current
        if now is not None and now[0] is job and now[1] == max_instructions:
            return now[3]
        session, backend = self._device(job, max_instructions)
        request = session.request(job.loaded, job.kernel, job.required_launch())
        source = source_on(backend, request, job, reason)
        self._current = (job, max_instructions, request, source)
        return source

    def _device(self, job: Job, most: int | None) -> tuple[LaunchSession, CpuBackend]:
        """Give a device on which all launches before a job's have been made, and no others."""
        from warpmill.executed import session_on  # noqa: PLC0415 - LLVM is slow to load

        if self._session is None or self._backend is None or not self._comes_before(job, most):
            self._session, self._backend = session_on(most)
            self._ran, self._current = (), None
        self._finish()
        for earlier in job.before[len(self._ran) :]:
            self._session.run(earlier.loaded, earlier.kernel, earlier.required_launch())
        self._ran = job.before
        return self._session, self._backend

    def _comes_before(self, job: Job, most: int | None) -> bool:
        """Whether what was made, and is being traced, is how the launches before a job begin."""
        if self._current is None or self._current[1] != most:
            return False
        made = (*self._ran, self._current[0])
        return len(made) <= len(job.before) and all(
            a is b for a, b in zip(made, job.before, strict=False)
        )

    def _finish(self) -> None:
        """Make the launch that was traced last."""
        if self._current is None or self._backend is None:
            return
        traced, _, request, source = self._current
        self._current = None
        if not source.finish():
            self._backend.launch(request)
        self._ran = (*self._ran, traced)
