"""``warpmill tune``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from warpmill.cli.engine_options import Engine, EngineOption, check_written
from warpmill.cli.options import (
    Arguments,
    Block,
    Format,
    FormatOption,
    Grid,
    Kernel,
    Machines,
    MaxTraceInstructions,
    MaxTraceVisits,
    Output,
    Registers,
    Settings,
    Shared,
    Sizes,
    Strict,
    Symbols,
    Target,
    TraceChoice,
    Verbose,
    machine_choice,
    machines_given,
    read_together,
    trace_options,
)
from warpmill.cli.output import Destination, complain, emit, tell
from warpmill.cli.progress import Spinner
from warpmill.cli.simulate_options import (
    L2,
    Assume,
    MaxCycles,
    MaxMemory,
    MaxTraceEvents,
    Rounds,
)
from warpmill.commands.sweep.options import (
    LaunchNumber,
    MaxPoints,
    NoStore,
    Retry,
    SpaceFile,
    StoreOption,
    Where,
    sweep_target,
)
from warpmill.commands.sweep.progress import sweep_bar
from warpmill.commands.sweep.running import Keeping, keeping
from warpmill.commands.tune.options import (
    Check,
    CheckSizes,
    KeepBlock,
    KeepGrid,
    MaxCheckInstructions,
    Over,
    Plot,
    Refine,
    Top,
    Variants,
    Workers,
    checker_of,
    refining_options,
    space_wanted,
)

if TYPE_CHECKING:
    from warpmill.studies.running import Progress
    from warpmill.tuning.model import Tuned, TuneRequest


def tune(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: Target,
    variant: Variants = None,
    over: Over = None,
    where: Where = None,
    space: SpaceFile = None,
    keep_block: KeepBlock = False,
    keep_grid: KeepGrid = False,
    machine: Machines = None,
    engine: EngineOption = Engine.ESTIMATE,
    refine: Refine = 0,
    check: Check = True,
    check_size: CheckSizes = None,
    max_check_instructions: MaxCheckInstructions = None,
    set_: Settings = None,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: Sizes = None,
    launch: LaunchNumber = None,
    regs: Registers = None,
    source: TraceChoice = "auto",
    assume: Assume = None,
    max_trace_visits: MaxTraceVisits = None,
    max_instructions: MaxTraceInstructions = None,
    strict: Strict = False,
    rounds: Rounds = None,
    l2: L2 = None,
    max_cycles: MaxCycles = None,
    max_memory: MaxMemory = None,
    max_trace_events: MaxTraceEvents = None,
    store: StoreOption = None,
    no_store: NoStore = False,
    workers: Workers = 1,
    retry: Retry = False,
    max_points: MaxPoints = None,
    top: Top = 10,
    plot: Plot = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Find the fastest block, size or variant of a launch, and say by how much it is.

    The best are executed on this CPU: a block that a kernel was not written for is fast and wrong.
    """
    from warpmill.commands.tune.result import tune_report  # noqa: PLC0415
    from warpmill.simulator.machines import parse_overrides  # noqa: PLC0415 - slow to load
    from warpmill.sweeps.points import EvaluationConfig  # noqa: PLC0415
    from warpmill.tuning.model import TuneRequest  # noqa: PLC0415
    from warpmill.tuning.variants import variants_of  # noqa: PLC0415

    base = sweep_target(
        target,
        kernel,
        grid=grid,
        block=block,
        shared=shared,
        arguments=arg,
        symbols=symbol,
        sizes=size,
        launch=launch,
        strict=strict,
    )
    check_written(output, plot)
    names = machine_choice(machine)
    read_together(target, base.jobs, lambda: machines_given(names, set_))
    simulation = refining_options(
        engine,
        refine,
        rounds=rounds,
        l2=l2,
        max_cycles=max_cycles,
        max_memory_bytes=max_memory,
        max_trace_events=max_trace_events,
    )
    how = EvaluationConfig(
        engine.value,
        names,
        parse_overrides(set_ or ()),
        regs,
        trace_options(source, assume, max_trace_visits, max_instructions=max_instructions),
        None if refine else simulation,
    )
    wanted = TuneRequest(
        variants_of(base, variant or ()),
        space_wanted(over, where, space),
        how,
        keep_block,
        keep_grid,
        top,
        checker_of(base, check_size, max_check_instructions, check=check, workers=workers),
        refine,
        simulation,
    )
    kept = keeping(store, no_store=no_store, workers=workers, retry=retry, max_points=max_points)
    found = run_tuning(wanted, kept)
    complain(d for job in found.kernels for d in job.loaded.diagnostics)
    tell(f"{found.choices:,} choices in {found.seconds:,.1f} s")
    if plot is not None:
        from warpmill.commands.tune.plot import write_tuned  # noqa: PLC0415 - only where asked for

        write_tuned(found, plot)
    emit(tune_report(found), Destination(format_, output, verbose))


# Running ``tune``: how far it is, and what an interruption leaves.


def run_tuning(wanted: TuneRequest, kept: Keeping) -> Tuned:
    """Tune, and tell how far it is. KeyboardInterrupt passes, once what is left was told."""
    from warpmill.tuning.model import Running  # noqa: PLC0415 - slow to load
    from warpmill.tuning.tune import tune as find_fastest  # noqa: PLC0415

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
        return find_fastest(wanted, running)


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
