"""``warpmill record``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from warpmill.analyzer.base.opt import Opt, Without
from warpmill.analyzer.base.whole_files import check_file
from warpmill.cli.output import emit
from warpmill.cli.running import complain_of, run_target
from warpmill.session.options import LaunchOptions, Output, RunOptions, TargetOptions

Recorded = Annotated[
    Path,
    Opt(
        "Write the recording to this file, whole or not at all (.wmrec).",
        names=("--out", "--output", "-o"),
        metavar="FILE",
        writes="later",
    ),
]


def record(
    source: TargetOptions,
    out: Recorded,
    launch: Annotated[LaunchOptions, Without("launches")],
    options: Annotated[RunOptions, Without("schedule")],
    output: Annotated[Output, Without("output")],
) -> None:
    """Run an application and keep every call of its device in a file, to be replayed.

    The file has modules, arguments, calls, and once for each content what was copied to the device.
    """
    from warpmill.commands.record.result import record_report  # noqa: PLC0415
    from warpmill.session.records import save_run  # noqa: PLC0415 - slow to load

    check_file(out)
    done = run_target(source, launch, replace(options, record=True))
    report = record_report(save_run(done, out))
    complain_of(done.jobs)
    emit(report, replace(output, output=None))
