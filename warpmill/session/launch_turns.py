"""Launches of a launch file that are executed for their traces one after another.

Each is run once: a launch finds what those before it have left, without their being run again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from warpmill.session.jobs import Job

if TYPE_CHECKING:
    from warpmill.executor.executed_source import ExecutedSource
    from warpmill.executor.host.backend import LaunchRequest
    from warpmill.executor.host.cpu_device import CpuBackend
    from warpmill.executor.host.launch_run import LaunchSession


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
        """Give the traces of a job's launch. Errors as ``warpmill.session.executed.executed_source``."""
        from warpmill.session.shared_sources import source_on  # noqa: PLC0415 - LLVM is slow to load

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
        from warpmill.session.shared_sources import session_on  # noqa: PLC0415 - LLVM is slow to load

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
