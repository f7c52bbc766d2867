"""``warpmill diff``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.options import (
    Arguments,
    Assume,
    Block,
    Format,
    FormatOption,
    Grid,
    Kernel,
    MaxTraceVisits,
    Output,
    Shared,
    Sizes,
    Strict,
    Symbols,
    Verbose,
    launch_options,
    trace_options,
)
from warpmill.cli.output import Destination, complain, emit, working

if TYPE_CHECKING:
    from warpmill.commands.diff.result import ComparedBuilds
    from warpmill.session.jobs import Job
    from warpmill.session.options import TraceOptions

First = Annotated[
    str,
    typer.Argument(
        metavar="A",
        help="A kernel file (.ptx, .ll, .bc), a launch file (.toml) or a workload (bfs:tiny).",
        show_default=False,
    ),
]
Second = Annotated[
    str, typer.Argument(metavar="B", help="Another build of the same.", show_default=False)
]
KernelOfB = Annotated[
    str | None,
    typer.Option("--kernel-b", metavar="NAME", help="What the kernel is called in B."),
]
Ptxas = Annotated[bool, typer.Option("--ptxas", help="Ask ptxas for registers and spills too.")]
All = Annotated[bool, typer.Option("--all", help="Show equal rows too.")]
ExitCode = Annotated[bool, typer.Option("--exit-code", help="End with 1 where they differ.")]


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
    size: Sizes = None,
    assume: Assume = None,
    max_trace_visits: MaxTraceVisits = None,
    ptxas: Ptxas = False,
    all_: All = False,
    exit_code: ExitCode = False,
    strict: Strict = False,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Compare two builds of a kernel: registers, instructions, loops, memory accesses.

    With a launch, also what its warps execute.
    """
    from warpmill.commands.diff.result import diff_report  # noqa: PLC0415
    from warpmill.comparing.builds import prepare_builds  # noqa: PLC0415 - slow to load

    how = trace_options("static", assume, max_trace_visits)
    options = launch_options(grid, block, shared, arg, size, symbols=symbol)
    with working(f"comparing {a} and {b}"):
        builds = prepare_builds((a, b), (kernel, kernel_b), options, strict=strict)
        _check_loops(how, [job for pair in builds.pairs for job in pair])
        pairs = [_pair(x, y, how, ptxas=ptxas) for x, y in builds.pairs]
        lone = (builds.only_in_a, builds.only_in_b)
        report = diff_report((a, b), pairs, lone, all_rows=all_)
    complain(d for pair in builds.pairs for job in pair for d in job.loaded.diagnostics)
    emit(report, Destination(format_, output, verbose))
    if exit_code and not report.equal:
        raise typer.Exit(1)


def _pair(a: Job, b: Job, how: TraceOptions, *, ptxas: bool) -> ComparedBuilds:
    from warpmill.commands.diff.figures import ptxas_rows  # noqa: PLC0415
    from warpmill.commands.diff.launch import launch_diff  # noqa: PLC0415
    from warpmill.commands.diff.result import ComparedBuilds  # noqa: PLC0415
    from warpmill.session.traces import trace  # noqa: PLC0415 - slow to load

    pair = ComparedBuilds(a, b, ptxas_rows(a, b) if ptxas else ())
    missing = [name for name, job in (("a", a), ("b", b)) if job.launch is None]
    if missing:
        reason = "no launch was given" if len(missing) > 1 else f"{missing[0]} has no launch"
        return ComparedBuilds(a, b, pair.ptxas, None, reason)
    traced = (trace(a, _own(how, a)), trace(b, _own(how, b)))
    return ComparedBuilds(a, b, pair.ptxas, launch_diff((a, b), pair.terms, traced), None)


def _own(how: TraceOptions, job: Job) -> TraceOptions:
    """Leave out what is assumed of loops that this build does not have."""
    from dataclasses import replace  # noqa: PLC0415 - only for launches

    loops = _loops(job)
    return replace(how, assume={name: n for name, n in how.assume.items() if name in loops})


def _loops(job: Job) -> set[str]:
    blocks = job.kernel.blocks
    return {blocks[loop.header].label for loop in job.analysis.structure.loops.loops}


def _check_loops(how: TraceOptions, jobs: Sequence[Job]) -> None:
    """Refuse an --assume that neither build has a loop for. UsageError."""
    known = {name for job in jobs for name in _loops(job)}
    for name in how.assume:
        if name not in known:
            there = ", ".join(sorted(known)) or "none"
            raise UsageError(f"--assume {name}: neither build has such a loop; loops: {there}")
