"""Traces of jobs that are executed with their data."""

from __future__ import annotations

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.session.data import data_digest
from warpmill.executor.executed_source import ExecutedSource
from warpmill.session.jobs import Job
from warpmill.session.launch_turns import LaunchTurns
from warpmill.session.shared_sources import SharedSource, session_on, source_on


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
