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
    """Callback for a run's progress in CTAs; None where nobody looks.

    The bar appears after ``DELAY_S`` seconds and goes without a trace. The pieces of a run that
    come after one another each start it anew.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(escaped(what))
    try:
        yield bar.show
    finally:
        bar.stop()


class _Bar:
    def __init__(self, what: str) -> None:
        self._what = what
        self._begin = time.monotonic()
        self._progress: Progress | None = None

    def show(self, done: int, total: int) -> None:
        """Show how many CTAs of how many are done."""
        if time.monotonic() - self._begin < DELAY_S:
            return
        if self._progress is None:
            from rich.console import Console  # noqa: PLC0415 - only where it takes long
            from rich.progress import Progress  # noqa: PLC0415

            self._progress = Progress(console=Console(stderr=True), transient=True)
            self._progress.add_task(self._what)
            self._progress.start()
        self._progress.update(self._progress.task_ids[0], completed=done, total=total)

    def stop(self) -> None:
        """Take it away."""
        if self._progress is not None:
            self._progress.stop()


@contextmanager
def simulation_bar(what: str) -> Iterator[Callable[[Done], None] | None]:
    """Callback for a simulation's progress; None where nobody looks.

    Until it first does, which may take a minute where the engine must be compiled, something turns.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar = _SimulationBar(what)
    try:
        yield bar.show
    finally:
        bar.stop()


class _SimulationBar:
    def __init__(self, what: str) -> None:
        self._what = what
        self._begin = time.monotonic()
        first = "making it ready, which takes a minute the first time"
        self._spinner: Spinner | None = Spinner(f"{what}: {first}")
        self._progress: Progress | None = None

    def show(self, done: Done) -> None:
        """Show the share that is done, the cycle, and how long the rest may take."""
        self._end_spinner()
        if time.monotonic() - self._begin < DELAY_S:
            return
        if self._progress is None:
            self._progress = self._started()
        about = f"cycle {done.cycles:,}, {time_left(done.seconds_left)}"
        task = self._progress.task_ids[0]
        self._progress.update(task, completed=done.share, about=about)

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
        progress.add_task(escaped(self._what), total=1.0, about="")
        progress.start()
        return progress

    def _end_spinner(self) -> None:
        if self._spinner is not None:
            self._spinner.stop()
            self._spinner = None

    def stop(self) -> None:
        """Take it away."""
        self._end_spinner()
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
