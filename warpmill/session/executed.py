"""Traces of jobs that are executed with their data."""

from __future__ import annotations

from functools import partial

from warpmill.executor.executed_source import ExecutedSource
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.session.data import data_digest
from warpmill.session.jobs import Job
from warpmill.session.replay_device import (
    LaunchFileWalk,
    LaunchStep,
    ReplayDevice,
    SharedDeviceSource,
    executed_on,
)

FileDevice = ReplayDevice[tuple[LaunchStep, ...]]
"""A device for the launches of a launch file."""


def file_device() -> FileDevice:
    """A device that traces of several launches of one launch file share: each is run once."""
    return ReplayDevice(LaunchFileWalk)


def executed_source(
    job: Job,
    reason: str = "asked for",
    max_instructions: int | None = None,
    device: FileDevice | None = None,
) -> ExecutedSource | SharedDeviceSource[int] | SharedDeviceSource[tuple[LaunchStep, ...]]:
    """Traces of a job's launch executed with its data, after the launches before it.

    Those of a recorded launch come from its replay. ``max_instructions`` are those of threads, of
    all these launches together. Where traces of several launches of one file are wanted, a
    ``device`` that they share has each of them run once. InputError where a kernel cannot be
    executed, ExecutionFault and LimitError.
    """
    digest = partial(data_digest, job)
    if job.recorded is not None:
        return SharedDeviceSource(
            job.recorded.device,
            job.recorded.number,
            job.step,
            max_instructions=max_instructions,
            reason=reason,
            data=digest,
        )
    steps = tuple(each.step for each in (*job.before, job))
    if device is not None:
        return SharedDeviceSource(
            device, steps, job.step, max_instructions=max_instructions, reason=reason, data=digest
        )
    walk = LaunchFileWalk(CpuOptions(max_instructions=max_instructions))
    request = walk.to(steps)
    walk.let_go()
    return executed_on(walk.backend, request, job.step, reason, digest())
