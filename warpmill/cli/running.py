"""What run, record and replay share: the options of a device, and how a target is run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import CALL_ASSUMED, CALL_KEPT, UsageError
from warpmill.cli.output import complain, working
from warpmill.session.targets import is_application

if TYPE_CHECKING:
    from collections.abc import Iterable

    from warpmill.session.jobs import Job
    from warpmill.session.options import LaunchOptions, RunOptions, TargetOptions
    from warpmill.session.runs import Run


DeviceOption = Annotated[
    str,
    typer.Option("--device", metavar="cpu|cuda", help="The executor here, or an NVIDIA GPU."),
]
MaxInstructions = Annotated[
    int | None,
    typer.Option(
        "--max-instructions",
        metavar="N",
        min=1,
        help="Most thread instructions of all launches.",
        show_default=False,
    ),
]
MaxSeconds = Annotated[
    float | None,
    typer.Option(
        "--max-seconds",
        metavar="N",
        min=0.001,
        help="Most seconds of execution, of all launches.",
        show_default=False,
    ),
]
MaxMemory = Annotated[
    int | None,
    typer.Option(
        "--max-memory",
        metavar="BYTES",
        min=1,
        help="Most bytes of device memory; without it half of those that are free, 16 GiB at most.",
        show_default=False,
    ),
]
Workers = Annotated[
    int, typer.Option("--workers", metavar="N", min=1, help="CPU threads that run CTAs.")
]
Resident = Annotated[
    int,
    typer.Option(
        "--resident", metavar="N", min=1, help="CTAs that run at the same time, taking turns."
    ),
]


def run_options(  # noqa: PLR0913 - each option by its name
    device: str,
    *,
    max_instructions: int | None,
    max_seconds: float | None,
    max_memory: int | None,
    workers: int,
    resident: int,
) -> RunOptions:
    """Put the options of a device together. UsageError for one that there is not."""
    from warpmill.executor.host.device import DEVICES  # noqa: PLC0415 - slow to load
    from warpmill.session.options import RunOptions  # noqa: PLC0415

    if device not in DEVICES:
        raise UsageError(f"--device {device}: devices are {', '.join(DEVICES)}")
    return RunOptions(
        device=device,
        max_instructions=max_instructions,
        max_seconds=max_seconds,
        max_memory_bytes=max_memory,
        workers=workers,
        resident_ctas=resident,
    )


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
    complain([*found, *taken])  # calls were executed here
