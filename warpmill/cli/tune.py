"""``warpmill tune``."""

from __future__ import annotations

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
from warpmill.cli.simulate_options import (
    Assume,
    MaxCycles,
    MaxMemory,
    MaxTraceEvents,
    Rounds,
    WarmL2,
)
from warpmill.cli.sweep_options import (
    LaunchNumber,
    MaxPoints,
    NoStore,
    Retry,
    SpaceFile,
    StoreOption,
    Where,
    sweep_target,
)
from warpmill.cli.sweep_running import keeping
from warpmill.cli.tune_options import (
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
from warpmill.cli.tune_running import run_tuning


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
    warm_l2: WarmL2 = False,
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
    from warpmill.reports.tune import tune_report  # noqa: PLC0415
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
        warm_l2=warm_l2 or None,
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
        from warpmill.views.tune_plot import write_tuned  # noqa: PLC0415 - only where asked for

        write_tuned(found, plot)
    emit(tune_report(found), Destination(format_, output, verbose))
