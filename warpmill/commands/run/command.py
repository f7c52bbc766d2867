"""``warpmill run``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt, Without
from warpmill.analyzer.base.whole_files import check_files
from warpmill.cli.output import emit
from warpmill.cli.running import complain_of, run_target
from warpmill.session.options import LaunchOptions, Output, RunOptions, TargetOptions

if TYPE_CHECKING:
    from warpmill.session.runs import Run


@dataclass(frozen=True)
class KeptFiles:
    """Files that keep what a run did: its buffers, its calls."""

    save: Annotated[
        Path | None,
        Opt(
            "Write the buffers after the run, whole or not at all.",
            metavar="DIR|FILE.npz",
            writes="later",
        ),
    ] = None
    record: Annotated[
        Path | None,
        Opt(
            "Keep every call of the device with its data, as warpmill record does.",
            metavar="FILE",
            writes="later",
        ),
    ] = None


def run(
    source: TargetOptions,
    launch: Annotated[LaunchOptions, Without("launches")],
    options: RunOptions,
    kept: KeptFiles,
    output: Output,
) -> None:
    """Run kernels for real, on this computer's CPU or on a GPU, and show what came out."""
    from warpmill.commands.run.result import RunReport  # noqa: PLC0415
    from warpmill.commands.run.saving import check_place  # noqa: PLC0415
    from warpmill.session.records import save_run  # noqa: PLC0415 - slow to load

    if kept.save is not None:
        check_place(kept.save)
    check_files({"--output": output.output, "--record": kept.record})
    done = run_target(source, launch, replace(options, record=kept.record is not None))
    if kept.save is not None:
        _save(done, kept.save)
    if kept.record is not None:
        save_run(done, kept.record)
    report = RunReport(run=done, saved=_name(kept.save), recorded=_name(kept.record))
    complain_of(done.jobs)
    emit(report, output)


def _name(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _save(run: Run, path: Path) -> None:
    from warpmill.commands.run.saving import save_arrays  # noqa: PLC0415 - only where it is asked for

    if not run.buffers:
        raise UsageError(f"--save {path}: the run has left no buffers to save")
    save_arrays(run.outputs, path)
