"""``warpmill simulate``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.options import (
    Arguments,
    Block,
    Cubin,
    Format,
    FormatOption,
    Grid,
    Kernel,
    MaxTraceInstructions,
    MaxTraceVisits,
    Output,
    Ptxas,
    Registers,
    Settings,
    Shared,
    Sizes,
    Strict,
    Symbols,
    Target,
    TraceChoice,
    Verbose,
    launch_options,
    machine_choice,
    machines_given,
    read_together,
    register_sources,
    trace_options,
)
from warpmill.cli.output import Destination, complain, emit, working, write
from warpmill.cli.simulate_options import (
    DEFAULT_MACHINE,
    Assume,
    Checkpoint,
    FlushL2,
    KeepL1,
    Launches,
    Machines,
    MaxCycles,
    MaxMemory,
    MaxTraceEvents,
    Plot,
    Resume,
    Rounds,
    StatsFormat,
    StatsFormatOption,
    Streams,
    StreamsOption,
    Timeline,
    UnitInstructions,
    Until,
    WarmL2,
    Workers,
)
from warpmill.cli.simulating import Parts, check_choices, draw, simulate_plans
from warpmill.simulator.gpu.options import Options

if TYPE_CHECKING:
    from warpmill.jobs import Job, LaunchOptions

MOST_SPANS = 1 << 20
"""Lives of warps that are kept for a timeline, at most."""


def simulate(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: Target,
    machine: Machines = None,
    set_: Settings = None,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: Sizes = None,
    launch: Launches = None,
    keep_l1: KeepL1 = False,
    flush_l2: FlushL2 = False,
    warm_l2: WarmL2 = False,
    streams: StreamsOption = Streams.RECORDED,
    rounds: Rounds = None,
    regs: Registers = None,
    cubin: Cubin = None,
    ptxas: Ptxas = False,
    source: TraceChoice = "auto",
    assume: Assume = None,
    workers: Workers = 1,
    max_cycles: MaxCycles = None,
    max_memory: MaxMemory = None,
    max_trace_events: MaxTraceEvents = None,
    max_trace_visits: MaxTraceVisits = None,
    max_instructions: MaxTraceInstructions = None,
    unit_instructions: UnitInstructions = None,
    stats_format: StatsFormatOption = StatsFormat.WARPMILL,
    timeline: Timeline = None,
    plot: Plot = None,
    until: Until = None,
    checkpoint: Checkpoint = None,
    resume: Resume = None,
    strict: Strict = False,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Simulate launches on a whole GPU, cycle by cycle, and say where the cycles go.

    Several launches are simulated one after another, with what caches keep between them.
    """
    from warpmill.reports.simulate import simulate_report  # noqa: PLC0415 - slow to load
    from warpmill.simulation_plans import plan  # noqa: PLC0415

    names = machine_choice(machine or (DEFAULT_MACHINE,))
    if stats_format is not StatsFormat.WARPMILL and format_ is not Format.TEXT:
        raise UsageError(f"--stats-format {stats_format} is text: leave out --format {format_}")
    to = Destination(format_, output, verbose)
    parts = Parts(until, checkpoint, resume)
    check_choices(names, {"--timeline": timeline, "--plot": plot}, output, parts)
    launched = launch_options(grid, block, shared, arg, size, symbols=symbol, launch=launch)
    (machines, overrides), how, registers = read_together(
        target,
        lambda: _jobs(target, kernel, launched, strict),
        lambda: machines_given(names, set_),
        lambda: trace_options(source, assume, max_trace_visits, max_instructions=max_instructions),
        lambda: register_sources(regs, cubin, ptxas=ptxas),
    )
    options = _options(
        keep_l1=keep_l1,
        keep_l2=not flush_l2,
        warm_l2=warm_l2,
        rounds=rounds,
        max_cycles=max_cycles,
        max_memory_bytes=max_memory,
        max_trace_events=max_trace_events,
        unit_instructions=unit_instructions,
        spans=None if timeline is None else MOST_SPANS,
    )
    jobs = _jobs(target, kernel, launched, strict)
    plans = [
        plan(
            jobs, on, options=options, registers=registers, trace_options=how, streams=streams.value
        )
        for on in machines
    ]
    done, failures = simulate_plans(target, plans, parts, workers)
    if not done:
        return
    report = simulate_report(target, done, failures, overrides=overrides, assumed=how.assumptions)
    complain(d for job in done[0].plan.kernels for d in job.loaded.diagnostics)
    draw(done[0], report, timeline, plot)
    if stats_format is StatsFormat.GPGPUSIM:
        from warpmill.views.simulate_gpgpusim import gpgpusim_text  # noqa: PLC0415

        write(gpgpusim_text(report), output)
    else:
        emit(report, to)


def _options(**given: int | bool | None) -> Options:
    """Put the options of a simulation together; what is None stays as it is without them."""
    named: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    return Options(**named)


def _jobs(target: str, kernel: str | None, options: LaunchOptions, strict: bool) -> tuple[Job, ...]:
    """Read a target; of a launch file too, ``--launch`` says which of its launches. UsageError."""
    from warpmill.api import prepare_all  # noqa: PLC0415 - slow to load
    from warpmill.targets import is_application  # noqa: PLC0415

    with working(f"reading {target}"):
        if is_application(target):
            return prepare_all(target, kernel, options, strict=strict)
        jobs = prepare_all(target, kernel, replace(options, launches="largest"), strict=strict)
    chosen = options.launches
    if not isinstance(chosen, int):
        return jobs
    if chosen >= len(jobs):
        there = f"its launches are 0 to {len(jobs) - 1}" if len(jobs) > 1 else "its only one is 0"
        raise UsageError(f"{target} has no launch {chosen}; {there}")
    return (jobs[chosen],)
