"""``warpmill tune``."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.opt import Help, Opt
from warpmill.cli.options import machine_choice, machines_given, read_together, with_machines_named
from warpmill.cli.output import emit, print_diagnostics, tell
from warpmill.cli.progress import Spinner
from warpmill.cli.written_files import check_written
from warpmill.commands.sweep.options import LAUNCHES, existing_target
from warpmill.commands.sweep.running import told_interruption, told_progress
from warpmill.session.options import (
    EvaluationOptions,
    LaunchOptions,
    MachineOptions,
    Output,
    TargetOptions,
)
from warpmill.studies.options import SpaceOptions, StudyOptions
from warpmill.tuning.options import TuneOptions

if TYPE_CHECKING:
    from warpmill.studies.running import Progress, ProgressListener
    from warpmill.tuning.model import Tuned, TuneRequest

_OVER = """What is chosen: block, a size of the launch file, grid, shared, regs: block=64,128 or \
'tile=8..32*2'; without it blocks that are worth a try."""


@dataclass(frozen=True)
class TuneOutput(Output):
    """Paths of the result and its plot."""

    plot: Annotated[
        Path | None,
        Opt("Draw the best beside the default (.png, .svg, .pdf).", metavar="FILE", writes="later"),
    ] = None


def tune(
    source: TargetOptions,
    space: Annotated[SpaceOptions, Help("over", _OVER)],
    tuning: TuneOptions,
    machine: MachineOptions,
    how: EvaluationOptions,
    launch: Annotated[LaunchOptions, Help("launches", LAUNCHES)],
    study: Annotated[
        StudyOptions, Help("workers", "Processes that measure, threads that execute.")
    ],
    output: TuneOutput,
) -> None:
    """Find the fastest block, size or variant of a launch, and say by how much it is.

    The best are executed on this CPU: a block that a kernel was not written for is fast and wrong.
    """
    from warpmill.commands.tune.result import tune_report  # noqa: PLC0415
    from warpmill.sweeps.points import EvaluationConfig  # noqa: PLC0415 - slow to load
    from warpmill.tuning.api import check_engines, request_of, space_wanted  # noqa: PLC0415

    base = existing_target(source, launch)
    check_written(output.output, output.plot)
    names = machine_choice(machine.machines)
    (_, overrides), _, varied = read_together(
        source.target,
        base.jobs,
        lambda: machines_given(names, machine.settings),
        lambda: check_engines(how, tuning),
        lambda: with_machines_named(space_wanted(space)),
    )
    config = EvaluationConfig(how, names, overrides)
    wanted = request_of(base, varied, config, tuning, study)
    found = run_tuning(wanted, study)
    print_diagnostics(d for job in found.kernels for d in job.loaded.diagnostics)
    tell(f"{found.choices:,} choices in {found.seconds:,.1f} s")
    if output.plot is not None:
        from warpmill.commands.tune.plot import write_tuned  # noqa: PLC0415 - only where asked for

        write_tuned(found, output.plot)
    emit(tune_report(found), output)


# Running ``tune``: how far it is, and what an interruption leaves.


def run_tuning(wanted: TuneRequest, kept: StudyOptions) -> Tuned:
    """Tune, and tell how far it is. KeyboardInterrupt passes, once what is left was told."""
    from warpmill.tuning.model import Running  # noqa: PLC0415 - slow to load
    from warpmill.tuning.tune import tune as find_fastest  # noqa: PLC0415

    hearer = _Hearer(wanted, kept)
    running = Running(
        kept.place,
        kept.workers,
        kept.max_points,
        kept.retry,
        hearer.told,
        hearer.begun,
        hearer.executed,
        hearer.simulated,
    )
    with hearer.shown:
        return find_fastest(wanted, running)


class _Hearer:
    """Shows one thing at a time: a sweep, executions, simulations."""

    def __init__(self, wanted: TuneRequest, kept: StudyOptions) -> None:
        self._kept, self._engine = kept, wanted.how.engine
        self._several = len(wanted.variants) > 1
        self._sweep: ProgressListener | None = None
        self._what = ""
        self._spinner: Spinner | None = None
        self.shown = ExitStack()

    def begun(self, variant: str) -> None:
        """Show a sweep from now on."""
        self.shown.close()
        name = f"{variant}: " if self._several else ""
        heard = told_progress(f"{self._engine}: {variant}", self._kept, name)
        self._sweep = self.shown.enter_context(heard)

    def told(self, done: Progress) -> None:
        """Progress callback: first the known choices, then how far it is."""
        if self._sweep is not None:
            self._sweep(done)

    def executed(self, number: int) -> None:
        """Show how many choices have been executed."""
        self._turn("executing the best choices", f"{number:,} done")

    def simulated(self, number: int, every: int) -> None:
        """Show how many choices of how many have been simulated."""
        self._turn("simulating the best choices", f"{number:,} of {every:,} done")

    def _turn(self, what: str, how_far: str) -> None:
        """Turn a sign that says what is done, and how far it is."""
        if self._what != what:
            self.shown.close()
            self.shown.enter_context(told_interruption(self._kept))
            self._what, self._spinner = what, Spinner(what) if sys.stderr.isatty() else None
            if self._spinner is not None:
                self.shown.callback(self._spinner.stop)
        if self._spinner is not None:
            self._spinner.say(f"{what}: {how_far}")
