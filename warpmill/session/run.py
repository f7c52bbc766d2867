"""A target run: a launch file, a kernel with a launch, an application, or jobs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from warpmill.session.application_runs import run_application
from warpmill.session.jobs import Job, found_target, is_application
from warpmill.session.options import LaunchKeywords, LaunchOptions, RunOptions, launch_with
from warpmill.session.prepare import jobs_of, prepare_all
from warpmill.session.runs import Run, run_jobs


def run(
    target: str | Path | Job | Sequence[Job],
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: RunOptions | None = None,
    *,
    strict: bool = False,
    **keywords: Unpack[LaunchKeywords],
) -> Run:
    """Run a launch file, a kernel file with a launch, a host program (.py), a recording (.wmrec).

    Or a workload by its name (``bfs:tiny``), or jobs that are prepared already.

    ``run("samples/vecadd/launch.toml").outputs`` are the buffers afterwards. InputError and
    UsageError for what cannot run, ExecutionFault for what a kernel does wrong, LimitError.
    """
    options, launch = options or RunOptions(), launch_with(launch, keywords)
    if isinstance(target, str | Path):
        target = found_target(target)
        if is_application(target):
            return run_application(target, kernel, launch, options)
        jobs: Sequence[Job] = prepare_all(target, kernel, launch, strict=strict)
    else:
        jobs = jobs_of(target, **keywords)
    return run_jobs(tuple(jobs), options, str(target) if isinstance(target, str | Path) else None)
