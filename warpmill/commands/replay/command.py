"""``warpmill replay``."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.opt import Arg, Opt, Without
from warpmill.cli.output import emit, working
from warpmill.session.options import Output, RunOptions

RecordingFile = Annotated[Path, Arg("What warpmill record has written.", metavar="RECORDING")]
_PART = re.compile(r"(?P<first>[0-9]{1,12})(?:-(?P<last>[0-9]{1,12}))?")


def _ranges(text: str) -> str:
    """A text that has numbers and ranges of them. UsageError for another."""
    for part in map(str.strip, text.split(",")):
        match = _PART.fullmatch(part)
        if match is None:
            raise _wrong(text, f"`{part}` is no number and no range of numbers")
        if match["last"] is not None and int(match["last"]) < int(match["first"]):
            raise _wrong(text, f"`{part}` ends before it begins")
    return text


Launches = Annotated[
    str | None,
    Opt(
        "Only these launches, from 0, and what they need; without it all calls.",
        metavar="N[-N][,...]",
        read=_ranges,
    ),
]


def replay(
    recording: RecordingFile,
    options: Annotated[RunOptions, Without("schedule")],
    output: Output,
    launches: Launches = None,
) -> None:
    """Run a recorded application again, or chosen launches of it, and compare.

    Ends with 1 where a copy to the host or a launch's counts are not those that were recorded.
    """
    from warpmill.cli.progress import progress_bar  # noqa: PLC0415 - slow to load
    from warpmill.commands.replay.result import ReplayReport  # noqa: PLC0415
    from warpmill.session.records import loaded  # noqa: PLC0415
    from warpmill.session.records import replay as run_again  # noqa: PLC0415
    from warpmill.session.runs import most_memory  # noqa: PLC0415

    with working(f"reading {recording}"):
        held = loaded(recording, most_memory(options))
    chosen = None if launches is None else launch_numbers(launches, len(held.launches))
    with progress_bar(f"replaying {recording}") as progress:
        replayed = run_again(held, chosen, replace(options, progress=progress), keep_reads=False)
    report = ReplayReport(
        recording=str(recording),
        device=str(options.device),
        chosen=chosen,
        held=held,
        replayed=replayed,
    )
    emit(report, output)
    if not report.equal:
        raise typer.Exit(1)


def launch_numbers(text: str, count: int) -> tuple[int, ...]:
    """Read ``3,7-9``, each number once, in order. UsageError, also for launches beyond ``count``.

    A range is checked before it is gone through, as it may be longer than any recording.
    """
    from warpmill.executor.host.replay import no_such_launch  # noqa: PLC0415 - slow to load

    found: set[int] = set()
    for match in _PART.finditer(_ranges(text)):
        first = int(match["first"])
        last = first if match["last"] is None else int(match["last"])
        if last >= count:
            raise _wrong(text, no_such_launch(max(first, count), count))
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def _wrong(text: str, why: str) -> UsageError:
    words = f"--launches {text}: {why}"
    return UsageError(Diagnostic(Severity.ERROR, words, hint="such as --launches 3,7-9"))
