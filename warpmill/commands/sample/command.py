"""``warpmill sample``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.writable import check_files
from warpmill.cli.options import (
    Arguments,
    Block,
    Format,
    FormatOption,
    Grid,
    Kernel,
    MaxTraceInstructions,
    Output,
    Registers,
    Settings,
    Shared,
    Sizes,
    Symbols,
    Target,
    Verbose,
    launch_options,
    machine_choice,
    percent_of,
)
from warpmill.cli.output import Destination, emit, tell
from warpmill.cli.running import complain_of
from warpmill.cli.simulate_options import (
    DEFAULT_MACHINE,
    Machines,
    MaxCycles,
    MaxMemory,
    MaxTraceEvents,
)
from warpmill.cli.written_files import written
from warpmill.commands.clone.options import shown_stage
from warpmill.simulator.gpu.options import Options

if TYPE_CHECKING:
    from warpmill.sampling.methods import SampleOptions
    from warpmill.sampling.results import Sampled
    from warpmill.sampling.saved_selections import SavedSelection


def sample(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: Target,
    machine: Machines = None,
    method: MethodOption = None,
    target_error: TargetError = None,
    share: Share = None,
    intervals: IntervalsOption = None,
    features: Features = None,
    inside: Inside = None,
    stability: StabilityOption = None,
    warm_up: WarmUp = None,
    seed: Seed = None,
    check: Check = False,
    fail_over: FailOver = None,
    save: Save = None,
    selection: SelectionFile = None,
    simpoints: SimPoints = None,
    set_: Settings = None,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: Sizes = None,
    launch: Launches = None,
    regs: Registers = None,
    max_cycles: MaxCycles = None,
    max_memory: MaxMemory = None,
    max_trace_events: MaxTraceEvents = None,
    max_instructions: MaxTraceInstructions = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Simulate a few launches of an application, and tell the cycles and time of the whole.

    It is run and counted once; what is chosen by that holds for every machine. Each figure has a
    95 % interval, by how unlike launches are that one stands for; --check tells how far off it is.
    """
    from warpmill.commands.sample.result import sample_report  # noqa: PLC0415
    from warpmill.sampling.runs import samples  # noqa: PLC0415
    from warpmill.sampling.saved_selections import load_selection  # noqa: PLC0415
    from warpmill.session.options import RegisterSources  # noqa: PLC0415
    from warpmill.simulator.machines import load_machine, parse_overrides  # noqa: PLC0415 - slow to load

    limit = _limit(fail_over, check)
    saved = None if selection is None else load_selection(selection)
    options = sample_options(
        method,
        saved=saved,
        share=share,
        target_error=target_error,
        intervals=intervals,
        features=features,
        inside=inside,
        stability=stability,
        warm_up=warm_up,
        seed=seed,
    )
    _check_written(output, save, simpoints)
    overrides = parse_overrides(set_ or ())
    machines = [load_machine(m, overrides) for m in machine_choice(machine or (DEFAULT_MACHINE,))]
    found = samples(
        target,
        machines,
        options,
        kernel=kernel,
        launch=launch_options(grid, block, shared, arg, size, symbols=symbol, launch=launch),
        selection=None if saved is None else saved.of,
        simulate_options=_options(
            max_cycles=max_cycles, max_memory_bytes=max_memory, max_trace_events=max_trace_events
        ),
        registers=RegisterSources(regs),
        max_instructions=max_instructions,
        check=check,
        stage=shown_stage,
    )
    complain_of(found.application.jobs)
    _save(found, save, simpoints)
    _tell_of_times(found)
    report = sample_report(
        target, found, limit=limit, saved=None if selection is None else str(selection)
    )
    emit(report, Destination(format_, output, verbose))
    if report.exceeding:
        raise typer.Exit(1)


def _limit(fail_over: str | None, check: bool) -> float | None:
    if fail_over is None:
        return None
    if not check:
        raise UsageError("--fail-over is about the true error, which needs --check")
    return percent_of("--fail-over", fail_over)


def _check_written(output: Path | None, save: Path | None, simpoints: Path | None) -> None:
    """Refuse, before anything is run, what could not be written. UsageError."""
    from warpmill.sampling.simpoint_files import simpoint_paths  # noqa: PLC0415 - slow to load

    check_files({"--output": output, "--save": save})
    if simpoints is not None:
        simpoint_paths(simpoints)


def _options(**given: int | None) -> Options:
    """Put the options of simulations together; what is None stays as it is without them."""
    named: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    return Options(**named)


def _save(found: Sampled, save: Path | None, simpoints: Path | None) -> None:
    """Write what was chosen, as it was asked for."""
    from warpmill.sampling.saved_selections import save_selection  # noqa: PLC0415 - slow to load
    from warpmill.sampling.simpoint_files import save_simpoints  # noqa: PLC0415 - as above

    app, selection = found.application, found.selection
    if save is not None:
        save_selection(save, app, selection, inside=found.options.passes_over)
    if simpoints is not None:
        save_simpoints(simpoints, app.launches, selection)


def _tell_of_times(found: Sampled) -> None:
    """Say what it took, which no report holds, as it differs from run to run."""
    first = found.samples[0].taken
    parts = [f"profile {first['profile']:,.1f} s", f"choice {first['choice']:,.1f} s"]
    for one in found.samples:
        words = f"simulation on {one.machine.name} {one.taken['simulation']:,.1f} s"
        if one.whole is not None:
            words += f" (of all launches {one.whole.seconds_taken:,.1f} s)"
        parts.append(words)
    tell(f"CPU time: {', '.join(parts)}")


# Options that ``sample`` has alone, and how they become those of a method.


class SampleMethod(StrEnum):
    """What chooses launches."""

    TBPOINT = "tbpoint"
    GTPIN = "gtpin"
    SIMPOINT = "simpoint"
    STRATIFIED = "stratified"
    SYSTEMATIC = "systematic"
    RANDOM = "random"


class Intervals(StrEnum):
    """What GT-Pin divides an application into."""

    SYNC = "sync"
    INSTRUCTIONS = "instructions"
    KERNEL = "kernel"


class StabilityChoice(StrEnum):
    """When CTAs begin to be passed over."""

    STEADY = "steady"
    PAPER = "paper"


MethodOption = Annotated[
    SampleMethod | None,
    typer.Option("--method", help="What chooses the launches; tbpoint without it."),
]
Launches = Annotated[
    str | None,
    typer.Option(
        "--launch",
        metavar="N|all",
        help="Only this launch of TARGET, from 0; all without it.",
        show_default=False,
    ),
]
Share = Annotated[
    str | None,
    typer.Option(
        "--share",
        metavar="P%",
        help="Launches that random and systematic simulate; 10% without it.",
        show_default=False,
    ),
]
TargetError = Annotated[
    str | None,
    typer.Option(
        "--target-error",
        metavar="P%",
        help="gtpin: the smallest selection with at most this error by estimated times. "
        "stratified, systematic, random: simulate more until half of the 95% interval is no wider.",
        show_default=False,
    ),
]
IntervalsOption = Annotated[
    Intervals | None,
    typer.Option("--intervals", help="What gtpin divides an application into; sync without it."),
]
Features = Annotated[
    str | None,
    typer.Option(
        "--features",
        metavar="BB|KN|...",
        help="What gtpin compares intervals by: KN, KN-ARGS, KN-GWS, KN-ARGS-GWS, KN-RW, BB, BB-R, "
        "BB-W, BB-R-W, BB-(R+W); BB without it.",
        show_default=False,
    ),
]
Inside = Annotated[
    bool | None,
    typer.Option(
        "--inside/--no-inside",
        help="Pass over CTAs inside of launches that are simulated; tbpoint does, others do not.",
        show_default=False,
    ),
]
StabilityOption = Annotated[
    StabilityChoice | None,
    typer.Option(
        "--stability",
        help="When CTAs begin to be passed over. steady: once the IPC of four lives of a CTA and "
        "more holds, which is the rule without it. paper: once two lives differ by under a tenth.",
    ),
]
WarmUp = Annotated[
    int | None,
    typer.Option(
        "--warm-up",
        metavar="N",
        min=0,
        help="Simulate up to N launches before each chosen one that L2 could help, for warm caches "
        "alone; without it 2, with tbpoint 0.",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Start of the random choices of gtpin, simpoint, systematic, random; 0 without it.",
        show_default=False,
    ),
]
Check = Annotated[
    bool, typer.Option("--check", help="Simulate all launches too, and tell the true error.")
]
FailOver = Annotated[
    str | None,
    typer.Option(
        "--fail-over",
        metavar="P%",
        help="With --check: end with 1 where the true error is larger.",
        show_default=False,
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        callback=written,
        metavar="FILE",
        help="Write the selection (.json), to be used again.",
    ),
]
SelectionFile = Annotated[
    Path | None,
    typer.Option("--selection", metavar="FILE", help="Simulate what a selection of --save says."),
]
SimPoints = Annotated[
    Path | None,
    typer.Option(
        "--simpoints",
        metavar="PREFIX",
        help="Write the selection as SimPoint's files: PREFIX.bb, .simpoints, .weights.",
    ),
]

_TAKEN_BY = {
    "--share": ("systematic", "random"),
    "--intervals": ("gtpin",),
    "--features": ("gtpin",),
    "--seed": ("gtpin", "simpoint", "systematic", "random"),
}
"""Which methods look at an option."""


def sample_options(  # noqa: PLR0913 - each option by its name
    method: SampleMethod | None,
    *,
    saved: SavedSelection | None,
    share: str | None,
    target_error: str | None,
    intervals: Intervals | None,
    features: str | None,
    inside: bool | None,
    stability: StabilityChoice | None,
    warm_up: int | None,
    seed: int | None,
) -> SampleOptions:
    """Put the options of a choice together, or those of one that was saved. UsageError."""
    from warpmill.sampling.methods import SampleOptions, check_options  # noqa: PLC0415 - slow

    given = {
        "--method": method,
        "--share": share,
        "--target-error": target_error,
        "--intervals": intervals,
        "--features": features,
        "--seed": seed,
    }
    named = [option for option, value in given.items() if value is not None]
    if saved is not None:
        if named:
            words = f"--selection says what is simulated: leave out {', '.join(named)}"
            raise UsageError(words)
        made = SampleOptions(
            saved.method,
            inside=saved.inside if inside is None else inside,
            stability=(stability or StabilityChoice.STEADY).value,
            warm_up=warm_up,
        )
        _check_stability(made, stability)
        return made
    chosen = SampleMethod.TBPOINT if method is None else method
    _check_taken(chosen, named)
    values: dict[str, Any] = {
        "share": None if share is None else percent_of("--share", share),
        "target_error": _percents(target_error),
        "division": None if intervals is None else intervals.value,
        "feature": features,
        "inside": inside,
        "stability": None if stability is None else stability.value,
        "warm_up": warm_up,
        "seed": seed,
    }
    known = {key: value for key, value in values.items() if value is not None}
    options = SampleOptions(chosen.value, **known)
    check_options(options)
    _check_stability(options, stability)
    return options


def _check_stability(options: SampleOptions, stability: StabilityChoice | None) -> None:
    """Refuse a rule for what is not done. UsageError."""
    if stability is not None and not options.passes_over:
        raise UsageError("--stability says when CTAs are passed over, which needs --inside")


def _check_taken(method: SampleMethod, named: list[str]) -> None:
    """Refuse options that a method does not look at. UsageError."""
    for option in named:
        takers = _TAKEN_BY.get(option)
        if takers is not None and method.value not in takers:
            words = " and ".join((", ".join(takers[:-1]), takers[-1])[not takers[:-1] :])
            raise UsageError(f"{option} is for --method {words}, and not for {method}")
    if "--target-error" not in named:
        return
    gtpin = "gtpin chooses"
    over = {"--share": "is drawn", "--intervals": gtpin, "--features": gtpin}
    for option in named:
        if option in over:
            words = f"{option} and --target-error both say what {over[option]}"
            raise UsageError(words)


def _percents(text: str | None) -> float | None:
    return None if text is None else round(percent_of("--target-error", text) * 100, 9)
