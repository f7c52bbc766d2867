"""``warpmill explore``: run (which may be left out), report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.commands import DefaultCommandGroup, HelpCommand, epilog
from warpmill.cli.options import (
    Format,
    FormatOption,
    MaxTraceInstructions,
    Output,
    Sizes,
    TraceChoice,
    Verbose,
    trace_options,
)
from warpmill.cli.output import Destination, emit, tell
from warpmill.cli.simulate_options import MaxCycles, MaxMemory, MaxTraceEvents
from warpmill.commands.explore.options import (
    At,
    BackendName,
    BackendOption,
    Cost,
    Curves,
    Fix,
    Folds,
    FoldSeed,
    Fraction,
    FractionOfEach,
    MaxPoints,
    MethodOption,
    NoStore,
    Phi,
    Plot,
    PlotCurves,
    PredictAll,
    Response,
    Retry,
    SamplesOption,
    SaveModel,
    Scheduler,
    Seed,
    SomeWorkloads,
    SpaceName,
    SpaceSampling,
    StoreOption,
    StudyName,
    StudyOption,
    Suggest,
    Terms,
    Theta,
    Top,
    UntilError,
    Where,
    WorkersOption,
    Workloads,
    asked_of,
    backend_of,
    fitting_of,
)
from warpmill.session.options import StudyOptions, pair, percent_of
from warpmill.simulator.gpu.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from warpmill.commands.explore.files import Files
    from warpmill.exploring.answers import ModelQuestions
    from warpmill.exploring.explored import ExplorationResult
    from warpmill.exploring.workloads import ExploredWorkload

explore = typer.Typer(
    cls=DefaultCommandGroup,
    help="Simulate a few points of a design space of machines, and tell all others by models "
    "(Stargazer).\n\n`warpmill explore SPACE WORKLOAD...` is `warpmill explore run SPACE "
    "WORKLOAD...`, whose help lists the options.",
    epilog=epilog("explore"),
    subcommand_metavar="SPACE WORKLOAD... | COMMAND ...",
    rich_markup_mode=None,
    no_args_is_help=True,
)


@explore.command(
    cls=HelpCommand,
    short_help="Simulate samples of a space, and model them.",
    epilog=epilog("explore run"),
)
def run(  # noqa: PLR0913, PLR0917 - one parameter for each option
    space: SpaceName,
    workloads: Workloads,
    samples: SamplesOption = None,
    fraction: Fraction = None,
    fraction_of_each: FractionOfEach = None,
    until_error: UntilError = None,
    max_points: MaxPoints = None,
    method: MethodOption = SpaceSampling.RANDOM,
    seed: Seed = 0,
    size: Sizes = None,
    source: TraceChoice = "auto",
    max_instructions: MaxTraceInstructions = None,
    max_cycles: MaxCycles = None,
    max_memory: MaxMemory = None,
    max_trace_events: MaxTraceEvents = None,
    study: StudyOption = None,
    store: StoreOption = None,
    no_store: NoStore = False,
    workers: WorkersOption = None,
    backend: BackendOption = BackendName.JOBLIB,
    scheduler: Scheduler = None,
    retry: Retry = False,
    response: Response = "time_us",
    theta: Theta = 0.01,
    phi: Phi = 0.01,
    folds: Folds = 10,
    fix: Fix = None,
    terms: Terms = None,
    top: Top = 5,
    where: Where = None,
    cost: Cost = None,
    at: At = None,
    curve: Curves = None,
    suggest: Suggest = 0,
    plot: Plot = None,
    plot_curves: PlotCurves = None,
    predict_all: PredictAll = None,
    save_model: SaveModel = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Simulate points of a space for each workload, and make a model of each.

    What was simulated is kept: an interrupted exploration goes on where it was, --samples with
    more extends it, and several processes or computers may work on one store.
    """
    from warpmill.commands.explore.files import Files  # noqa: PLC0415
    from warpmill.commands.explore.running import run_exploration  # noqa: PLC0415
    from warpmill.commands.sweep.running import keeping  # noqa: PLC0415
    from warpmill.exploring.points import ExplorationConfig  # noqa: PLC0415
    from warpmill.exploring.sampling import MOST_POINTS, Sampling  # noqa: PLC0415
    from warpmill.exploring.space_file import space_called  # noqa: PLC0415

    files = Files(plot, plot_curves, predict_all, save_model)
    files.check(output, store, curves=bool(curve))
    files.check_workloads(len(set(workloads)))
    if study is not None and not study.strip():
        raise UsageError("--study names nothing")
    wanted = space_called(space)
    fitting = fitting_of(
        wanted, response=response, theta=theta, phi=phi, folds=folds, seed=seed, fix=fix,
        terms=terms,
    )  # fmt: skip
    error = None if until_error is None else 100 * percent_of("--until-error", until_error)
    sampling = Sampling(
        samples, fraction, error, fitting, method.value, seed, fraction_of_each=fraction_of_each,
        most_points=MOST_POINTS if max_points is None else max_points,
    )  # fmt: skip
    asked = asked_of(
        wanted, fitting, top=top, where=where, cost=cost, at=at, curves=curve, suggest=suggest,
        until_error=error,
    )  # fmt: skip
    how = ExplorationConfig(
        trace_options(source, None, None, max_instructions=max_instructions),
        _options(max_cycles, max_memory, max_trace_events),
    )
    found = run_exploration(
        wanted,
        _workloads(workloads, size),
        sampling,
        how,
        study=study,
        backend=backend_of(backend, scheduler, workers),
        kept=keeping(StudyOptions(store, no_store=no_store, retry=retry)),
    )
    points = sum(len(one.samples) for one in found.workloads)
    tell(f"{points:,} point{'s' * (points != 1)} in {found.seconds:,.1f} s")
    _show(found, asked, files, Destination(format_, output, verbose))


@explore.command(
    cls=HelpCommand,
    short_help="Show what is known of an exploration.",
    epilog=epilog("explore report"),
)
def report(  # noqa: PLR0913, PLR0917 - one parameter for each option
    study: StudyName,
    workloads: SomeWorkloads = None,
    store: StoreOption = None,
    seed: FoldSeed = 0,
    response: Response = "time_us",
    theta: Theta = 0.01,
    phi: Phi = 0.01,
    folds: Folds = 10,
    fix: Fix = None,
    terms: Terms = None,
    top: Top = 5,
    where: Where = None,
    cost: Cost = None,
    at: At = None,
    curve: Curves = None,
    suggest: Suggest = 0,
    plot: Plot = None,
    plot_curves: PlotCurves = None,
    predict_all: PredictAll = None,
    save_model: SaveModel = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Make models of what was simulated so far, and show what they tell. Nothing is simulated."""
    from warpmill.commands.explore.files import Files  # noqa: PLC0415 - slow to load
    from warpmill.commands.sweep.running import keeping  # noqa: PLC0415
    from warpmill.exploring.exploration import explored, only  # noqa: PLC0415

    files = Files(plot, plot_curves, predict_all, save_model)
    files.check(output, store, curves=bool(curve))
    kept = keeping(StudyOptions(store))
    assert kept.store is not None
    found = explored(study, kept.store)
    if workloads:
        found = only(found, tuple(dict.fromkeys(workloads)))
    files.check_workloads(len(found.workloads))
    fitting = fitting_of(
        found.space, response=response, theta=theta, phi=phi, folds=folds, seed=seed, fix=fix,
        terms=terms,
    )  # fmt: skip
    asked = asked_of(
        found.space, fitting, top=top, where=where, cost=cost, at=at, curves=curve, suggest=suggest
    )
    _show(found, asked, files, Destination(format_, output, verbose))


def _show(found: ExplorationResult, asked: ModelQuestions, files: Files, to: Destination) -> None:
    from warpmill.commands.explore.result import explore_report  # noqa: PLC0415
    from warpmill.exploring.answers import answers  # noqa: PLC0415 - slow to load

    told = answers(found, asked)
    made = explore_report(told)
    emit(made, to)
    files.write(told, made)


def _workloads(targets: Sequence[str], sizes: Sequence[str] | None) -> list[ExploredWorkload]:
    from warpmill.cli.options import launch_options  # noqa: PLC0415 - slow to load
    from warpmill.exploring.workloads import ExploredWorkload  # noqa: PLC0415

    for text in sizes or ():
        pair("--size", text, "n=4096")
    own = launch_options(None, None, None, None, sizes).sizes
    return [ExploredWorkload(target, dict(own)) for target in targets]


def _options(
    max_cycles: int | None, max_memory: int | None, max_trace_events: int | None
) -> Options | None:
    given: dict[str, Any] = {
        "max_cycles": max_cycles,
        "max_memory_bytes": max_memory,
        "max_trace_events": max_trace_events,
    }
    known = {key: value for key, value in given.items() if value is not None}
    return Options(**known) if known else None
