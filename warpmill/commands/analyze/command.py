"""``warpmill analyze``."""

from __future__ import annotations

from warpmill.cli.options import (
    Arguments,
    AssumeAny,
    Block,
    GraphFormat,
    GraphFormatOption,
    Grid,
    Kernel,
    Launches,
    Output,
    Shared,
    Sizes,
    Strict,
    Symbols,
    Target,
    Verbose,
    launch_options,
)
from warpmill.cli.output import Destination, complain, emit, working


def analyze(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: Target,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: Sizes = None,
    launch: Launches = None,
    assume: AssumeAny = None,
    strict: Strict = False,
    format_: GraphFormatOption = GraphFormat.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Show how a kernel runs: blocks, loops with trip counts, branches, memory accesses."""
    from warpmill.analyzer.analyses.ranges.assumptions import parse_assumptions  # noqa: PLC0415 - slow to load
    from warpmill.commands.analyze.result import analyze_report  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415

    assumed = parse_assumptions(assume or ())
    options = launch_options(grid, block, shared, arg, size, symbols=symbol, launch=launch)
    with working(f"analysing {target}"):
        jobs = prepare_all(target, kernel, options, strict=strict)
        report = analyze_report(jobs, assumed)
    complain(d for job in jobs for d in job.loaded.diagnostics)
    emit(report, Destination(format_, output, verbose))
