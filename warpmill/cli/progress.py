"""A sign of life on stderr for what takes longer than two seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from warpmill.report.safe import escaped

if TYPE_CHECKING:
    from rich.progress import Progress
    from rich.status import Status

    from warpmill.session.simulations import Done
    from warpmill.studies.running import Progress as StudyProgress

DELAY_S = 2.0


class Spinner:
    """Appears after ``DELAY_S`` seconds and goes without a trace with ``stop``."""

    def __init__(self, what: str) -> None:
        self._what = escaped(what)
        self._lock = threading.Lock()
        self._stopped = False
        self._status: Status | None = None
        self._timer = threading.Timer(DELAY_S, self._start)
        self._timer.daemon = True
        self._timer.start()

    def _start(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - only where it takes long
        from rich.text import Text  # noqa: PLC0415

        with self._lock:
            if not self._stopped:
                self._status = Console(stderr=True).status(Text(f"{self._what} ..."))
                self._status.start()

    def say(self, what: str) -> None:
        """Change the text from now on."""
        with self._lock:
            self._what = escaped(what)
            if self._status is not None:
                self._status.update(f"{self._what} ...")

    def stop(self) -> None:
        """Take it away."""
        self._timer.cancel()
        with self._lock:
            self._stopped = True
            if self._status is not None:
                self._status.stop()


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Callback for a run's progress in CTAs; None where nobody looks."""
    with _bar(what) as bar:
        yield None if bar is None else bar.show


@contextmanager
def simulation_bar(what: str) -> Iterator[Callable[[Done], None] | None]:
    """Callback for a simulation's progress; None where nobody looks.

    Until it first does something turns, which takes long where the engine must be compiled.
    """
    first = f"{what}: making it ready"
    with _bar(what, first) as bar:

        def show(done: Done) -> None:
            assert bar is not None
            about = f"cycle {done.cycles:,}, {time_left(done.seconds_left)}"
            bar.show(done.share, 1.0, about)

        yield None if bar is None else show


@contextmanager
def study_bar(what: str) -> Iterator[Callable[[StudyProgress], None] | None]:
    """Callback for the progress of a study; None where nobody looks.

    Until the first point is measured something turns: files are read, and engines made ready.
    """
    with _bar(what, f"reading {what}") as bar:

        def show(done: StudyProgress) -> None:
            assert bar is not None
            if not done.measured:
                bar.turn(f"{what}: the first of {done.all - done.over:,}")
                return
            about = f"{done.over:,} of {done.all:,}, {time_left(done.seconds_left)}"
            bar.show(done.over, done.all, about)

        yield None if bar is None else show


@contextmanager
def _bar(what: str, first: str | None = None) -> Iterator[_Bar | None]:
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(what, first)
    try:
        yield bar
    finally:
        bar.stop()


class _Bar:
    """A bar that appears after ``DELAY_S`` seconds and goes without a trace.

    Until there is something to show, something turns where ``first`` says what is done.
    """

    def __init__(self, what: str, first: str | None) -> None:
        self._what = escaped(what)
        self._begin = time.monotonic()
        self._spinner = None if first is None else Spinner(first)
        self._progress: Progress | None = None

    def turn(self, what: str) -> None:
        """Turn a sign that says what is done."""
        self._stop_spinner()
        self._spinner = Spinner(what)

    def show(self, done: float, total: float, about: str = "") -> None:
        """Show how much of how much is done."""
        if time.monotonic() - self._begin < DELAY_S:
            return
        self._stop_spinner()
        if self._progress is None:
            self._progress = self._started()
        task = self._progress.task_ids[0]
        self._progress.update(task, completed=done, total=total, about=about)

    def _started(self) -> Progress:
        from rich.console import Console  # noqa: PLC0415 - only where it takes long
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn  # noqa: PLC0415

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[about]}", markup=False),
        )
        progress = Progress(*columns, console=Console(stderr=True), transient=True)
        progress.add_task(self._what, total=None, about="")
        progress.start()
        return progress

    def _stop_spinner(self) -> None:
        if self._spinner is not None:
            self._spinner.stop()
            self._spinner = None

    def stop(self) -> None:
        """Take it away."""
        self._stop_spinner()
        if self._progress is not None:
            self._progress.stop()


def time_left(seconds: float | None) -> str:
    """Write about how long something will go on: ``about 3 min left``."""
    if seconds is None:
        return "time left unknown"
    for size, unit in ((3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * size:
            return f"about {seconds / size:.0f} {unit} left"
    return f"about {max(1, round(seconds))} s left"
