"""``warpmill replay``."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.cli.options import Format, FormatOption, Output, Verbose
from warpmill.cli.output import Destination, emit, working
from warpmill.cli.running import (
    DeviceOption,
    MaxInstructions,
    MaxMemory,
    MaxSeconds,
    Resident,
    Workers,
    run_options,
)

RecordingFile = Annotated[
    Path,
    typer.Argument(
        metavar="RECORDING", help="What warpmill record has written.", show_default=False
    ),
]
Launches = Annotated[
    str | None,
    typer.Option(
        "--launches",
        metavar="N[-N][,...]",
        help="Only these launches, from 0, and what they need; without it all calls.",
        show_default=False,
    ),
]

_PART = re.compile(r"(?P<first>[0-9]{1,12})(?:-(?P<last>[0-9]{1,12}))?")


def replay(  # noqa: PLR0913, PLR0917 - one parameter for each option
    recording: RecordingFile,
    launches: Launches = None,
    device: DeviceOption = "cpu",
    max_instructions: MaxInstructions = None,
    max_seconds: MaxSeconds = None,
    max_memory: MaxMemory = None,
    workers: Workers = 1,
    resident: Resident = 1,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Run a recorded application again, or chosen launches of it, and compare.

    Ends with 1 where a copy to the host or a launch's counts are not those that were recorded.
    """
    from warpmill.cli.progress import progress_bar  # noqa: PLC0415 - slow to load
    from warpmill.commands.replay.result import replay_report  # noqa: PLC0415
    from warpmill.session.records import loaded  # noqa: PLC0415
    from warpmill.session.records import replay as run_again  # noqa: PLC0415

    options = run_options(
        device,
        max_instructions=max_instructions,
        max_seconds=max_seconds,
        max_memory=max_memory,
        workers=workers,
        resident=resident,
    )
    with working(f"reading {recording}"):
        held = loaded(recording, options.max_memory_bytes)
    chosen = None if launches is None else launch_numbers(launches, len(held.launches))
    with progress_bar(f"replaying {recording}") as progress:
        replayed = run_again(held, chosen, replace(options, progress=progress), keep_reads=False)
    report = replay_report(str(recording), device, held, replayed, chosen)
    emit(report, Destination(format_, output, verbose))
    if not report.equal:
        raise typer.Exit(1)


def launch_numbers(text: str, count: int) -> tuple[int, ...]:
    """Read ``3,7-9``, each number once, in order. UsageError, also for launches beyond ``count``.

    A range is checked before it is gone through, as it may be longer than any recording.
    """
    from warpmill.executor.host.replay import no_such_launch  # noqa: PLC0415 - slow to load

    found: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise _wrong(text, f"`{part.strip()}` is no number and no range of numbers")
        first = int(match["first"])
        last = first if match["last"] is None else int(match["last"])
        if last < first:
            raise _wrong(text, f"`{part.strip()}` ends before it begins")
        if last >= count:
            raise _wrong(text, no_such_launch(max(first, count), count))
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def _wrong(text: str, why: str) -> UsageError:
    words = f"--launches {text}: {why}"
    return UsageError(Diagnostic(Severity.ERROR, words, hint="such as --launches 3,7-9"))
