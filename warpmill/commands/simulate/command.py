"""``warpmill simulate``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.diagnostics import NO_ANSWER, UsageError, WarpmillError, all_unanswered
from warpmill.analyzer.base.writable import check_files
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
from warpmill.cli.output import Destination, complain, emit, tell, working, write
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
    StreamsChoice,
    StreamsOption,
    Timeline,
    UnitInstructions,
    Until,
    WarmL2,
    Workers,
)
from warpmill.simulator.gpu.options import Options

if TYPE_CHECKING:
    from warpmill.commands.simulate.result import SimulateReport
    from warpmill.session.jobs import Job
    from warpmill.session.options import LaunchOptions
    from warpmill.session.simulation_plans import SimulationPlan
    from warpmill.session.simulations import Progress, Simulated


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
    streams: StreamsOption = StreamsChoice.RECORDED,
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
    from warpmill.commands.simulate.result import simulate_report  # noqa: PLC0415 - slow to load
    from warpmill.session.simulation_plans import plan  # noqa: PLC0415

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
        from warpmill.commands.simulate.gpgpusim import gpgpusim_text  # noqa: PLC0415

        write(gpgpusim_text(report), output)
    else:
        emit(report, to)


def _options(**given: int | bool | None) -> Options:
    """Put the options of a simulation together; what is None stays as it is without them."""
    named: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    return Options(**named)


def _jobs(target: str, kernel: str | None, options: LaunchOptions, strict: bool) -> tuple[Job, ...]:
    """Read a target; of a launch file too, ``--launch`` says which of its launches. UsageError."""
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load
    from warpmill.session.targets import is_application  # noqa: PLC0415

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


# What ``simulate`` does beside its options: running plans, checkpoints, pictures.

BUSIEST = 10
"""Lines that a plot shows."""

MANY_CTAS = 1 << 22
"""CTAs that take an hour where each has a few hundred instructions."""


@dataclass(frozen=True)
class Parts:
    """How a simulation is cut: up to a cycle, into a file; and from a file on. None: not."""

    until: int | None = None
    checkpoint: Path | None = None
    resume: Path | None = None

    def files(self) -> dict[str, Path | None]:
        """Give the files by their options."""
        return {"--checkpoint": self.checkpoint, "--resume": self.resume}


def check_choices(
    names: Sequence[str], pictures: Mapping[str, Path | None], output: Path | None, parts: Parts
) -> None:
    """Refuse, before anything is simulated, what could not be written. UsageError."""
    from warpmill.report.pictures import check_plot  # noqa: PLC0415 - slow to load

    for option, path in {**pictures, **parts.files()}.items():
        if path is not None and len(names) > 1:
            raise UsageError(f"{option} {path}: this is of one machine; {len(names)} are named")
    if (parts.until is None) != (parts.checkpoint is None):
        given, missing = ("--until", "--checkpoint")[:: 1 if parts.checkpoint is None else -1]
        raise UsageError(f"{given} needs {missing}: --until CYCLE --checkpoint FILE")
    check_files({"--output": output, "--checkpoint": parts.checkpoint, **pictures})
    timeline, plot = pictures["--timeline"], pictures["--plot"]
    if timeline is not None and not timeline.name.lower().endswith((".json", ".json.gz")):
        raise UsageError(f"--timeline {timeline}: its name ends in .json or .json.gz")
    if plot is not None:
        check_plot(plot)


def simulate_plans(
    target: str, plans: Sequence[SimulationPlan], parts: Parts, workers: int = 1
) -> tuple[list[Simulated], list[tuple[str, str]]]:
    """Simulate on each machine, so many at a time. One without an answer has a reason.

    Nothing comes of one that is put away at a cycle; that is told. InputError or LimitError
    where no machine has an answer.
    """
    _tell_of_many(target, plans, parts)
    done: list[Simulated] = []
    failures: list[tuple[str, WarpmillError]] = []
    several = workers > 1 and len(plans) > 1
    outcomes = _at_a_time(target, plans, workers) if several else _in_turn(target, plans, parts)
    for one, found in zip(plans, outcomes, strict=True):
        if found is None:
            _tell_of(parts)
            return [], []
        if isinstance(found, WarpmillError):
            failures.append((one.machine.name, found))
        else:
            done.append(found)
    if not done:
        raise all_unanswered([problem for _, problem in failures])
    for _, problem in failures:
        complain(problem.diagnostics)
    return done, [(name, "; ".join(d.message for d in e.diagnostics)) for name, e in failures]


def _tell_of_many(target: str, plans: Sequence[SimulationPlan], parts: Parts) -> None:
    """Say what shortens a simulation of so many CTAs that it may not end, where nothing does."""
    options = plans[0].options
    if (options.rounds, options.max_cycles, parts.until) != (None, None, None):
        return
    ctas = sum(work.launch.cta_count for work in plans[0].works)
    if ctas >= MANY_CTAS:
        words = f"{target}: {ctas:,} CTAs are simulated one by one, which may take hours or days"
        tell(f"{words}; --rounds 4 simulates a few rounds of them, --max-cycles N ends at a cycle")


def _in_turn(
    target: str, plans: Sequence[SimulationPlan], parts: Parts
) -> Iterator[Simulated | WarpmillError | None]:
    from warpmill.cli.progress import simulation_bar  # noqa: PLC0415 - slow to load

    for one in plans:
        try:
            with simulation_bar(f"simulating {target} on {one.machine.name}") as progress:
                found = _simulated(one, parts, progress)
        except NO_ANSWER as error:
            yield error
        else:
            yield found


def _at_a_time(
    target: str, plans: Sequence[SimulationPlan], workers: int
) -> Iterator[Simulated | WarpmillError]:
    from warpmill.cli.progress import progress_bar  # noqa: PLC0415 - slow to load
    from warpmill.session.simulations import simulated_each  # noqa: PLC0415 - as above

    with progress_bar(f"simulating {target} on {len(plans)} machines") as show:
        for number, found in enumerate(simulated_each(plans, workers), 1):
            if show is not None:
                show(number, len(plans))
            yield found


def _simulated(one: SimulationPlan, parts: Parts, progress: Progress | None) -> Simulated | None:
    """Simulate to the end, or up to a cycle; None: the rest is in the checkpoint."""
    from warpmill.session.simulations import simulated, simulated_until  # noqa: PLC0415 - slow to load

    if parts.until is None or parts.checkpoint is None:
        return simulated(one, progress, resume=parts.resume)
    found = simulated_until(one, parts.until, parts.checkpoint, progress, resume=parts.resume)
    if found is not None:
        words = f"the simulation ends at cycle {found.result.cycles:,.0f}, before --until"
        tell(f"{words} {parts.until:,}: {parts.checkpoint} is not written")
    return found


def _tell_of(parts: Parts) -> None:
    """Say where a simulation was put away, and what goes on with it."""
    words = f"cycle {parts.until:,} is reached; {parts.checkpoint} has the simulation"
    tell(f"{words}: the same command with --resume {parts.checkpoint} goes on")


def draw(done: Simulated, report: SimulateReport, timeline: Path | None, plot: Path | None) -> None:
    """Write the pictures that were asked for."""
    if timeline is not None:
        from warpmill.commands.simulate.perfetto import write_timeline  # noqa: PLC0415 - if asked for

        write_timeline(done.result, timeline)
    if plot is not None:
        from warpmill.commands.simulate.plot import write_plot  # noqa: PLC0415 - matplotlib is slow
        from warpmill.report.words import place  # noqa: PLC0415

        file = report.kernels[0].file
        lines = report.simulations[0].lines[:BUSIEST]
        write_plot(done.result, plot, [(place(x.place, file), x.stall_cycles) for x in lines])
