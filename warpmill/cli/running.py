"""What run, record and replay share: the options of a device, and how a target is run."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import CALL_ASSUMED, CALL_KEPT, UsageError
from warpmill.cli.output import complain, working
from warpmill.session.targets import is_application

if TYPE_CHECKING:
    from collections.abc import Iterable

    from warpmill.session.jobs import Job
    from warpmill.session.options import LaunchOptions
    from warpmill.session.runs import Run, RunOptions


RunTarget = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="A launch file (.toml), a kernel file (.ptx, .ll, .bc), a host program (.py), a "
        "recording (.wmrec), or a workload (bfs:tiny).",
        show_default=False,
    ),
]
RunSizes = Annotated[
    list[str] | None,
    typer.Option(
        "--size",
        metavar="NAME=VALUE",
        help="Replace a size of the launch file, or pass it to the program's main by name.",
        show_default=False,
    ),
]
LaunchNumber = Annotated[
    int | None,
    typer.Option(
        "--launch",
        metavar="N",
        min=0,
        help="Only this launch, from 0; all are run.",
        show_default=False,
    ),
]
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
    from warpmill.executor.device_memory import DEFAULT_MAX_BYTES  # noqa: PLC0415
    from warpmill.executor.host.device import DEVICES  # noqa: PLC0415 - slow to load
    from warpmill.session.runs import RunOptions  # noqa: PLC0415

    if device not in DEVICES:
        raise UsageError(f"--device {device}: devices are {', '.join(DEVICES)}")
    return RunOptions(
        device=device,
        max_instructions=max_instructions,
        max_seconds=max_seconds,
        max_memory_bytes=max_memory
        or cap_at_half_of_free_memory(DEFAULT_MAX_BYTES, available_bytes()),
        workers=workers,
        resident_ctas=resident,
    )


def run_target(
    target: str, kernel: str | None, launch: LaunchOptions, options: RunOptions, *, strict: bool
) -> Run:
    """Run a target, with a sign of life on a terminal where it takes long."""
    from warpmill.cli.progress import progress_bar  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load
    from warpmill.session.run import run  # noqa: PLC0415
    from warpmill.session.runs import run_jobs  # noqa: PLC0415

    if is_application(target):
        with progress_bar(f"running {target}") as progress:
            return run(target, kernel, launch, replace(options, progress=progress))
    with working(f"reading {target}"):
        jobs = prepare_all(target, kernel, launch, strict=strict)
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


# How much memory this computer has free.

_MEMINFO = Path("/proc/meminfo")
_AVAILABLE = re.compile(r"^MemAvailable:\s+(?P<kib>\d+) kB$", re.MULTILINE)


def available_bytes(meminfo: Path = _MEMINFO) -> int | None:
    """Bytes that programs can take without swapping; None where Linux does not tell."""
    if not meminfo.is_file():
        return None
    found = _AVAILABLE.search(meminfo.read_text("ascii", "replace"))
    return int(found["kib"]) * 1024 if found else None


def cap_at_half_of_free_memory(most_bytes: int, available: int | None) -> int:
    """Give ``most_bytes``, or half of the available ones where that is less.

    The other half is for what is made on the way: contents of buffers before they are copied, and
    results. Beyond it the operating system ends the process without a word.
    """
    return most_bytes if available is None else max(1, min(most_bytes, available // 2))
