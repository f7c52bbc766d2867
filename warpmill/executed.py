"""Traces of jobs that are executed with their data."""

from __future__ import annotations

from analyzer.execution.executed_source import ExecutedSource, layout_on
from analyzer.execution.host.cpu_device import CpuBackend, CpuOptions
from analyzer.execution.host.device import Device
from analyzer.execution.host.launch_run import LaunchSession
from analyzer.trace.layout import lay_out
from warpmill.applications import RecordedSource
from warpmill.data import data_digest
from warpmill.jobs import Job


def executed_source(
    job: Job, reason: str = "asked for", max_instructions: int | None = None
) -> ExecutedSource | RecordedSource:
    """Give the traces of a job's launch executed with its data, after the launches before it.

    Those of a recorded launch come from its replay. ``max_instructions`` are those of threads, of
    all these launches together. InputError where a kernel cannot be executed, ExecutionFault and
    LimitError.
    """
    if job.recorded is not None:
        return job.recorded.traces(reason, max_instructions)
    launch = job.required_launch()
    backend = CpuBackend(CpuOptions(max_instructions=max_instructions))
    session = LaunchSession(Device(backend, record=False))
    for earlier in job.before:
        session.run(earlier.loaded, earlier.kernel, earlier.required_launch())
    request = session.request(job.loaded, job.kernel, launch)
    alone = lay_out(job.loaded.module, job.kernel, launch)
    layout = layout_on(backend, request, launch, alone)
    return ExecutedSource(backend, request, layout, reason, data_digest(job))
