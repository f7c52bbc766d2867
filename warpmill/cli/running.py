"""How run and record run a target, and what is said of kernels that were executed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import CALL_ASSUMED, CALL_KEPT
from warpmill.cli.output import print_diagnostics, working
from warpmill.session.jobs import is_application

if TYPE_CHECKING:
    from collections.abc import Iterable

    from warpmill.session.jobs import Job
    from warpmill.session.options import LaunchOptions, RunOptions, TargetOptions
    from warpmill.session.runs import Run


def run_target(source: TargetOptions, launch: LaunchOptions, options: RunOptions) -> Run:
    """Run a target, with a sign of life on a terminal where it takes long."""
    from warpmill.cli.progress import progress_bar  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load
    from warpmill.session.run import run  # noqa: PLC0415
    from warpmill.session.runs import run_jobs  # noqa: PLC0415

    target, kernel = source.target, source.kernel
    if is_application(target):
        with progress_bar(f"running {target}") as progress:
            return run(target, kernel, launch, replace(options, progress=progress))
    with working(f"reading {target}"):
        jobs = prepare_all(target, kernel, launch, strict=source.strict)
    with progress_bar(f"running {target}") as progress:
        return run_jobs(jobs, replace(options, progress=progress), target)


def complain_of(jobs: Iterable[Job]) -> None:
    """Write what reading kernels that were executed has found, and what was taken for granted."""
    from warpmill.executor.native.specials import stand_ins  # noqa: PLC0415 - slow to load

    read, kernels = {}, {}
    for job in jobs:
        read[id(job.loaded)] = job.loaded
        kernels[id(job.kernel)] = job
    of_calls = (CALL_KEPT, CALL_ASSUMED)
    found = [d for loaded in read.values() for d in loaded.diagnostics if d.kind not in of_calls]
    taken = [d for job in kernels.values() for d in stand_ins(job.kernel, job.loaded.source)]
    print_diagnostics([*found, *taken])  # calls were executed here
