"""``warpmill correlate``."""

from __future__ import annotations

from warpmill.cli.correlate_options import (
    ArgumentsOption,
    ColumnNames,
    KernelOption,
    MachinesOption,
    Measurements,
    Plot,
    SizeOption,
    TargetOption,
    UnitOption,
    Workers,
    column_names,
    machine_choices,
)
from warpmill.cli.engine_options import Engine, EngineOption, check_written, simulation_options
from warpmill.cli.options import (
    Format,
    FormatOption,
    MaxTraceInstructions,
    MaxTraceVisits,
    Output,
    Ptxas,
    Settings,
    TraceChoice,
    Verbose,
    pair,
    trace_options,
)
from warpmill.cli.output import Destination, complain, emit, tell
from warpmill.cli.progress import progress_bar
from warpmill.cli.simulate_options import MaxCycles, MaxMemory, MaxTraceEvents, Rounds, WarmL2


def correlate(  # noqa: PLR0913, PLR0917 - one parameter for each option
    file: Measurements,
    column: ColumnNames = None,
    unit: UnitOption = None,
    target: TargetOption = None,
    machine: MachinesOption = None,
    engine: EngineOption = Engine.ESTIMATE,
    set_: Settings = None,
    kernel: KernelOption = None,
    size: SizeOption = None,
    arg: ArgumentsOption = None,
    ptxas: Ptxas = False,
    source: TraceChoice = "auto",
    max_trace_visits: MaxTraceVisits = None,
    max_instructions: MaxTraceInstructions = None,
    rounds: Rounds = None,
    warm_l2: WarmL2 = False,
    max_cycles: MaxCycles = None,
    max_memory: MaxMemory = None,
    max_trace_events: MaxTraceEvents = None,
    workers: Workers = 1,
    plot: Plot = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Put measured times of launches beside estimated ones, and say how they agree."""
    from warpmill.correlated_rows import EngineChoices  # noqa: PLC0415
    from warpmill.correlations import correlation  # noqa: PLC0415
    from warpmill.measurements.launches import SharedParts  # noqa: PLC0415
    from warpmill.measurements.reading import TableChoices, read_measurements  # noqa: PLC0415
    from warpmill.registers import RegisterSources  # noqa: PLC0415
    from warpmill.reports.correlate import correlate_report  # noqa: PLC0415
    from warpmill.simulator.machines import parse_overrides  # noqa: PLC0415 - slow to load

    check_written(output, plot)
    sizes = dict(pair("--size", text, "n=4096") for text in size or ())
    choices = TableChoices(
        column_names(column),
        None if unit is None else unit.value,
        machine_choices(machine),
        SharedParts(target, kernel, sizes, tuple(arg or ())),
    )
    how = EngineChoices(
        engine.value,
        parse_overrides(set_ or ()),
        RegisterSources(ptxas=ptxas),
        trace_options(source, None, max_trace_visits, max_instructions=max_instructions),
        simulation_options(
            engine,
            rounds=rounds,
            warm_l2=warm_l2 or None,
            max_cycles=max_cycles,
            max_memory_bytes=max_memory,
            max_trace_events=max_trace_events,
        ),
    )
    measurements = read_measurements(file, choices)
    for line in measurements.columns.guesses():
        tell(line)
    with progress_bar(f"{how.engine}: {file.name}") as progress:
        found = correlation(measurements, how, progress, workers=workers)
    for line in found.guesses():
        tell(line)
    if found.left_out:
        left, all_ = len(found.left_out), len(measurements.rows)
        tell(f"{left:,} of {all_:,} rows have no estimate; the report says why")
    complain(found.remarks)
    if plot is not None:
        from warpmill.views.correlate_plot import write_correlation  # noqa: PLC0415 - if asked for

        write_correlation(found, plot)
    emit(correlate_report(found), Destination(format_, output, verbose))
