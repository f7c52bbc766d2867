"""``warpmill dfsg``: show (which may be left out), diff."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.cli.commands import DefaultCommandGroup, HelpCommand, epilog
from warpmill.cli.options import (
    Arguments,
    Block,
    Format,
    FormatOption,
    GraphFormat,
    GraphFormatOption,
    Grid,
    Kernel,
    Output,
    Shared,
    Strict,
    Symbols,
    Verbose,
    launch_options,
)
from warpmill.cli.output import Destination, emit
from warpmill.cli.running import (
    LaunchNumber,
    MaxInstructions,
    MaxMemory,
    MaxSeconds,
    Resident,
    RunSizes,
    Workers,
    complain_of,
    run_options,
)

if TYPE_CHECKING:
    from warpmill.commands.dfsg.result import LaunchDfsg
    from warpmill.session.options import LaunchOptions
    from warpmill.session.runs import RunOptions

dfsg = typer.Typer(
    cls=DefaultCommandGroup,
    help="Show what the threads of a launch do in each block, on each edge, in each loop: its "
    "divergence flow statistics graph (GPGPU-MiniBench).\n\n`warpmill dfsg TARGET` is `warpmill "
    "dfsg show TARGET`, whose help lists the options.",
    epilog=epilog("dfsg"),
    subcommand_metavar="TARGET | COMMAND ...",
    rich_markup_mode=None,
    no_args_is_help=True,
)

_TARGETS = "A launch file (.toml), a kernel file (.ptx, .ll, .bc), a host program (.py), a "
_TARGETS += "recording (.wmrec), a workload (bfs:tiny), or a file of graphs (.json)."

GraphTarget = Annotated[str, typer.Argument(metavar="TARGET", help=_TARGETS, show_default=False)]
First = Annotated[str, typer.Argument(metavar="A", help=_TARGETS, show_default=False)]
Second = Annotated[
    str, typer.Argument(metavar="B", help="Another one, of any kind.", show_default=False)
]
KernelOfB = Annotated[
    str | None,
    typer.Option("--kernel-b", metavar="NAME", help="Which kernel of B; without it as in A."),
]
LaunchOfB = Annotated[
    int | None,
    typer.Option(
        "--launch-b", metavar="N", min=0, help="Which launch of B; without it as in A.",
        show_default=False,
    ),
]  # fmt: skip
All = Annotated[bool, typer.Option("--all", help="Show equal rows too.")]
ExitCode = Annotated[bool, typer.Option("--exit-code", help="End with 1 where they differ.")]


@dfsg.command(
    cls=HelpCommand, epilog=epilog("dfsg show"), short_help="Show the graph of each launch."
)
def show(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: GraphTarget,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: RunSizes = None,
    launch: LaunchNumber = None,
    max_instructions: MaxInstructions = None,
    max_seconds: MaxSeconds = None,
    max_memory: MaxMemory = None,
    workers: Workers = 1,
    resident: Resident = 1,
    strict: Strict = False,
    format_: GraphFormatOption = GraphFormat.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Run a target and show the graph of each launch; --format dot and svg draw it."""
    from warpmill.commands.dfsg.result import dfsg_report  # noqa: PLC0415 - slow to load

    options = run_options(
        "cpu",
        max_instructions=max_instructions,
        max_seconds=max_seconds,
        max_memory=max_memory,
        workers=workers,
        resident=resident,
    )
    how = launch_options(grid, block, shared, arg, size, symbols=symbol)
    graphs = _graphs(target, kernel, how, options, strict=strict, launch=launch)
    emit(dfsg_report(target, graphs), Destination(format_, output, verbose))


@dfsg.command(cls=HelpCommand, epilog=epilog("dfsg diff"), short_help="Compare the graphs of two.")
def diff(  # noqa: PLR0913, PLR0917 - one parameter for each option
    a: First,
    b: Second,
    kernel: Kernel = None,
    kernel_b: KernelOfB = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: RunSizes = None,
    launch: LaunchNumber = None,
    launch_b: LaunchOfB = None,
    max_instructions: MaxInstructions = None,
    max_seconds: MaxSeconds = None,
    max_memory: MaxMemory = None,
    workers: Workers = 1,
    resident: Resident = 1,
    all_: All = False,
    exit_code: ExitCode = False,
    strict: Strict = False,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Compare the graphs of two targets, launch by launch: a distance, and what differs.

    Options of a launch go to both, but not to a file of graphs beside a target that is run.
    """
    from warpmill.commands.dfsg.diff_result import dfsg_diff_report  # noqa: PLC0415
    from warpmill.commands.dfsg.runs import is_file_of_graphs, pair_launches  # noqa: PLC0415
    from warpmill.session.options import LaunchOptions  # noqa: PLC0415 - slow to load

    options = run_options(
        "cpu",
        max_instructions=max_instructions,
        max_seconds=max_seconds,
        max_memory=max_memory,
        workers=workers,
        resident=resident,
    )
    how = launch_options(grid, block, shared, arg, size, symbols=symbol)
    mixed = is_file_of_graphs(a) != is_file_of_graphs(b)

    def side(target: str, name: str | None, number: int | None) -> tuple[LaunchDfsg, ...]:
        own = LaunchOptions() if mixed and is_file_of_graphs(target) else how
        return _graphs(target, name, own, options, strict=strict, launch=number)

    sides = (
        side(a, kernel, launch),
        side(b, kernel_b or kernel, launch if launch_b is None else launch_b),
    )
    pairs = pair_launches((a, b), *sides)
    report = dfsg_diff_report((a, b), pairs, all_rows=all_)
    emit(report, Destination(format_, output, verbose))
    if exit_code and not report.equal:
        raise typer.Exit(1)


def _graphs(  # noqa: PLR0913 - each option by its name
    target: str,
    kernel: str | None,
    how: LaunchOptions,
    options: RunOptions,
    *,
    strict: bool,
    launch: int | None,
) -> tuple[LaunchDfsg, ...]:
    from warpmill.cli.progress import progress_bar  # noqa: PLC0415 - only where somebody looks
    from warpmill.commands.dfsg.runs import choose_launch, collect_dfsgs  # noqa: PLC0415 - slow to load

    with progress_bar(f"running {target}") as progress:
        own = replace(options, progress=progress)
        found = collect_dfsgs(target, kernel, how, own, strict=strict)
    if found.run is not None:
        complain_of(found.run.jobs)
    return choose_launch(target, found.graphs, launch)
