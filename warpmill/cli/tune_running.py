"""Running ``tune``: how far it is, and what an interruption leaves."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from warpmill.cli.output import tell
from warpmill.cli.progress import Spinner
from warpmill.cli.sweep_progress import sweep_bar
from warpmill.cli.sweep_running import Keeping

if TYPE_CHECKING:
    from warpmill.studies.running import Progress
    from warpmill.tuning.model import Tuned, TuneRequest


def run_tuning(wanted: TuneRequest, kept: Keeping) -> Tuned:
    """Tune, and tell how far it is. KeyboardInterrupt passes, once what is left was told."""
    from warpmill.tuning.model import Running  # noqa: PLC0415 - slow to load
    from warpmill.tuning.tune import tune  # noqa: PLC0415

    with _Hearer(wanted, kept).hearing() as hearer:
        running = Running(
            kept.store,
            kept.workers,
            kept.most,
            kept.retry,
            hearer.told,
            hearer.begun,
            hearer.executed,
            hearer.simulated,
        )
        return tune(wanted, running)


class _Hearer:
    """Shows one thing at a time: a sweep, executions, simulations."""

    def __init__(self, wanted: TuneRequest, kept: Keeping) -> None:
        self._kept, self._engine = kept, wanted.how.engine
        self._several = len(wanted.variants) > 1
        self._variant, self._what = "", ""
        self._shown = ExitStack()
        self._bar: object = None

    @contextmanager
    def hearing(self) -> Iterator[_Hearer]:
        try:
            with self._shown:
                yield self
        except KeyboardInterrupt:
            tell(self._interrupted())
            raise

    def _interrupted(self) -> str:
        if self._kept.place is None:
            return "interrupted; nothing is kept (--no-store)"
        place = self._kept.place
        return f"interrupted: what was measured is kept in {place}; the same command goes on"

    def begun(self, variant: str) -> None:
        """Show a sweep from now on."""
        self._variant, self._what = variant, "sweep"
        self._shown.close()
        self._bar = self._shown.enter_context(sweep_bar(f"{self._engine}: {variant}"))

    def told(self, done: Progress) -> None:
        """Say first how many choices are known, then show how far it is."""
        if callable(self._bar):
            self._bar(done)
        if not done.measured and done.all:
            left = done.all - done.over
            name = f"{self._variant}: " if self._several else ""
            if self._kept.place is None:
                tell(f"{name}{left:,} to measure; nothing is kept")
            else:
                tell(f"{name}{done.over:,} known, {left:,} to measure; kept in {self._kept.place}")

    def executed(self, number: int) -> None:
        """Show how many choices have been executed."""
        self._turn("executing the best choices", f"{number:,} done")

    def simulated(self, number: int, every: int) -> None:
        """Show how many choices of how many have been simulated."""
        self._turn("simulating the best choices", f"{number:,} of {every:,} done")

    def _turn(self, what: str, how_far: str) -> None:
        """Let something turn that says what is done, and how far it is."""
        if not sys.stderr.isatty():
            return
        if self._what != what:
            self._what = what
            self._shown.close()
            self._bar = Spinner(what)
            self._shown.callback(self._bar.stop)
        if isinstance(self._bar, Spinner):
            self._bar.say(f"{what}: {how_far}")
