"""How far a sweep is, on a terminal: configurations that are measured, and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from warpmill.cli.progress import DELAY_S, Spinner, time_left
from warpmill.report.safe import escaped

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from warpmill.studies.running import Progress


@contextmanager
def sweep_bar(what: str) -> Iterator[Callable[[Progress], None] | None]:
    """What a sweep tells how far it is; None where nobody looks.

    Until the first configuration is measured something turns: files are read, and engines made
    ready. It appears after ``DELAY_S`` seconds and goes without a trace.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar = _SweepBar(what)
    try:
        yield bar.show
    finally:
        bar.stop()


class _SweepBar:
    def __init__(self, what: str) -> None:
        self._what = what
        self._begin = time.monotonic()
        self._spinner: Spinner | None = Spinner(f"reading {what}")
        self._bar: Bar | None = None

    def show(self, done: Progress) -> None:
        """Show how many configurations of how many are measured, and how long the rest takes."""
        if not done.measured:
            self._stop_spinner()
            self._spinner = Spinner(f"{self._what}: the first of {done.all - done.over:,}")
            return
        if time.monotonic() - self._begin < DELAY_S:
            return
        self._stop_spinner()
        if self._bar is None:
            self._bar = self._started()
        about = f"{done.over:,} of {done.all:,}, {time_left(done.seconds_left)}"
        task = self._bar.task_ids[0]
        self._bar.update(task, completed=done.over, total=done.all, about=about)

    def _started(self) -> Bar:
        from rich.console import Console  # noqa: PLC0415 - only where it takes long
        from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[about]}", markup=False),
        )
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        bar.add_task(escaped(self._what), total=None, about="")
        bar.start()
        return bar

    def _stop_spinner(self) -> None:
        if self._spinner is not None:
            self._spinner.stop()
            self._spinner = None

    def stop(self) -> None:
        """Take it away."""
        self._stop_spinner()
        if self._bar is not None:
            self._bar.stop()
