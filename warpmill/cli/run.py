"""``warpmill run``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.diagnostics import UsageError
from warpmill.cli.options import (
    Arguments,
    Block,
    Format,
    FormatOption,
    Grid,
    Kernel,
    Output,
    Shared,
    Strict,
    Verbose,
    launch_options,
)
from warpmill.cli.output import Destination, complain, emit, working

if TYPE_CHECKING:
    from analyzer.diagnostics import Diagnostic
    from warpmill.api import LaunchOptions
    from warpmill.runs import Run, RunOptions

RunTarget = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="A launch file (.toml), a kernel file (.ptx, .ll, .bc), or a host program (.py).",
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
DeviceOption = Annotated[
    str,
    typer.Option("--device", metavar="cpu|cuda", help="The executor here, or an NVIDIA GPU."),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="DIR|FILE.npz",
        help="Write the buffers after the run, whole or not at all.",
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="FILE",
        help="Keep every call of the device with its data, to be replayed.",
    ),
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
        help="Most bytes of device memory; 17179869184 without it.",
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
CheckShared = Annotated[
    bool,
    typer.Option(
        "--check-shared", help="Flag a read of shared memory that nothing has written: exit code 1."
    ),
]


def run(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: RunTarget,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    size: RunSizes = None,
    device: DeviceOption = "cpu",
    save: Save = None,
    record: Record = None,
    check_shared: CheckShared = False,
    max_instructions: MaxInstructions = None,
    max_seconds: MaxSeconds = None,
    max_memory: MaxMemory = None,
    workers: Workers = 1,
    resident: Resident = 1,
    strict: Strict = False,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Run kernels for real, on this computer's CPU or on a GPU, and show what came out."""
    from analyzer.execution.device_memory import DEFAULT_MAX_BYTES  # noqa: PLC0415
    from analyzer.execution.host.device import DEVICES  # noqa: PLC0415 - slow to load
    from analyzer.execution.host.recording_file import save_recording  # noqa: PLC0415
    from warpmill.reports.run import run_report  # noqa: PLC0415
    from warpmill.runs import RunOptions  # noqa: PLC0415
    from warpmill.saving import check_file, check_place  # noqa: PLC0415

    if device not in DEVICES:
        raise UsageError(f"--device {device}: devices are {', '.join(DEVICES)}")
    launch = launch_options(grid, block, shared, arg, size)
    options = RunOptions(
        device=device,
        max_instructions=max_instructions,
        max_seconds=max_seconds,
        max_memory_bytes=max_memory or DEFAULT_MAX_BYTES,
        workers=workers,
        resident_ctas=resident,
        check_shared=check_shared,
        record=record is not None,
    )
    if save is not None:
        check_place(save)
    if record is not None:
        check_file(record)
    done = _run(target, kernel, launch, options, strict=strict)
    if save is not None:
        _save(done, save)
    if record is not None:
        save_recording(done.recording, record)
    report = run_report(done, _name(save), _name(record))
    complain(d for job in done.jobs for d in job.loaded.diagnostics if _is_of_runs(d))
    emit(report, Destination(format_, output, verbose))


def _run(
    target: str, kernel: str | None, launch: LaunchOptions, options: RunOptions, *, strict: bool
) -> Run:

    from warpmill.api import prepare_all  # noqa: PLC0415 - slow to load
    from warpmill.cli.progress import progress_bar  # noqa: PLC0415
    from warpmill.runs import run as run_target  # noqa: PLC0415
    from warpmill.runs import run_jobs  # noqa: PLC0415

    if Path(target).suffix.lower() == ".py":
        with progress_bar(f"running {target}") as progress:
            return run_target(target, kernel, launch, replace(options, progress=progress))
    with working(f"reading {target}"):
        jobs = prepare_all(target, kernel, launch, strict=strict)
    with progress_bar(f"running {target}") as progress:
        return run_jobs(jobs, replace(options, progress=progress), target)


def _is_of_runs(diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic is more than how an analysis counts a call: here calls were executed."""
    return not diagnostic.message.endswith("its call counts as one instruction")


def _name(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _save(run: Run, path: Path) -> None:
    from warpmill.saving import save_arrays  # noqa: PLC0415 - only where it is asked for

    if not run.buffers:
        raise UsageError(f"--save {path}: the run has left no buffers to save")
    save_arrays(run.outputs, path)
