"""``warpmill sweep``."""

from __future__ import annotations

from warpmill.cli.engine_options import Engine, EngineOption, check_written, simulation_options
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
    with_machines_named,
)
from warpmill.cli.output import Destination, complain, emit, tell
from warpmill.cli.simulate_options import (
    L2,
    Assume,
    MaxCycles,
    MaxMemory,
    MaxTraceEvents,
    Rounds,
)
from warpmill.commands.sweep.options import (
    By,
    LaunchNumber,
    MaxPoints,
    NoStore,
    Over,
    Pareto,
    Per,
    Plot,
    Retry,
    SpaceFile,
    StoreOption,
    Top,
    Where,
    Workers,
    axis_names,
    machines_of,
    rankings,
    sweep_target,
)
from warpmill.commands.sweep.running import keeping, run_sweep


def sweep(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: Target,
    over: Over = None,
    where: Where = None,
    space: SpaceFile = None,
    machine: Machines = None,
    engine: EngineOption = Engine.ESTIMATE,
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
    by: By = "time_us",
    pareto: Pareto = None,
    per: Per = None,
    plot: Plot = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Estimate or simulate a launch in many configurations, and rank them.

    What was measured is kept: an interrupted sweep goes on where it was, and several processes
    may work on one store.
    """
    from warpmill.commands.sweep.result import SweepRequest, sweep_report  # noqa: PLC0415
    from warpmill.report.words import plural  # noqa: PLC0415
    from warpmill.simulator.machines import parse_overrides  # noqa: PLC0415 - slow to load
    from warpmill.sweeps.points import EvaluationConfig, on_machines  # noqa: PLC0415
    from warpmill.sweeps.space import space_of  # noqa: PLC0415

    varied = sweep_target(
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
    names = machine_choice(machine) if machine else None
    wanted, _ = read_together(
        target,
        varied.jobs,
        lambda: with_machines_named(space_of(over or (), where or (), space)),
        lambda: machines_given(names, set_),
    )
    how = EvaluationConfig(
        engine.value,
        machines_of(wanted, names),
        parse_overrides(set_ or ()),
        regs,
        trace_options(source, assume, max_trace_visits, max_instructions=max_instructions),
        simulation_options(
            engine,
            rounds=rounds,
            l2=l2,
            max_cycles=max_cycles,
            max_memory_bytes=max_memory,
            max_trace_events=max_trace_events,
        ),
    )
    axes = on_machines(wanted, how).axes
    first, *fronts = rankings(how.engine, axes, by, pareto or ())
    asked = SweepRequest(top, first, tuple(fronts), axis_names("--per", per, axes))
    kept = keeping(store, no_store=no_store, workers=workers, retry=retry, max_points=max_points)
    found = run_sweep(varied, wanted, how, kept)
    complain(found.remarks)
    tell(f"{plural(len(found.rows), 'configuration')} in {found.seconds:,.1f} s")
    if plot is not None:
        from warpmill.commands.sweep.plot import write_sweep  # noqa: PLC0415 - only where asked for

        write_sweep(found, plot)
    emit(sweep_report(found, asked), Destination(format_, output, verbose))
