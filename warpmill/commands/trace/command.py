"""``warpmill trace``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
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
    Launches,
    MaxTraceInstructions,
    MaxTraceVisits,
    Output,
    Pruned,
    Shared,
    Sizes,
    Strict,
    Symbols,
    Target,
    TraceChoice,
    Verbose,
    coordinates,
    launch_options,
    trace_options,
)
from warpmill.cli.output import Destination, complain, emit, tell, working
from warpmill.cli.written_files import written

if TYPE_CHECKING:
    from warpmill.analyzer.traces.comparison import TraceComparison
    from warpmill.commands.trace.result import LaunchTrace
    from warpmill.session.jobs import Job
    from warpmill.session.options import TraceOptions
    from warpmill.session.traces import Saved, Traced

Cta = Annotated[
    str | None,
    typer.Option("--cta", metavar="X[,Y[,Z]]", help="Only this CTA; shows the trace of a warp."),
]
Warp = Annotated[
    int | None,
    typer.Option("--warp", metavar="N", min=0, help="Which warp of it (of CTA 0 without --cta)."),
]
Ctas = Annotated[
    int | None,
    typer.Option(
        "--ctas",
        metavar="N",
        min=1,
        help="Sum so many CTAs, spread over the grid; 64 without it.",
        show_default=False,
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        callback=written,
        metavar="FILE",
        help="Save the traces, of the whole grid or of the CTAs named; --trace FILE takes them up.",
    ),
]
MaxTraceBytes = Annotated[
    int | None,
    typer.Option(
        "--max-trace-bytes",
        metavar="N",
        min=1,
        help="Most bytes of a file of saved traces; 1073741824 without it.",
        show_default=False,
    ),
]
Compare = Annotated[
    bool,
    typer.Option(
        "--compare",
        help="Show static traces beside executed ones: are they equal, what do they overshoot.",
    ),
]
AllCtas = Annotated[bool, typer.Option("--all-ctas", help="Sum every CTA of the grid.")]


def trace(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: Target,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: Sizes = None,
    launch: Launches = None,
    source: TraceChoice = "auto",
    assume: Assume = None,
    max_trace_visits: MaxTraceVisits = None,
    max_instructions: MaxTraceInstructions = None,
    compare: Compare = False,
    pruned: Pruned = False,
    cta: Cta = None,
    warp: Warp = None,
    ctas: Ctas = None,
    all_ctas: AllCtas = False,
    save: Save = None,
    max_trace_bytes: MaxTraceBytes = None,
    strict: Strict = False,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Show what the warps of a launch execute: instructions, lanes, memory traffic."""
    from warpmill.commands.trace.result import trace_report  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load

    choice = _choice(cta, warp, ctas, all_ctas=all_ctas)
    how = trace_options(
        source, assume, max_trace_visits, pruned=pruned, max_instructions=max_instructions
    )
    options = launch_options(grid, block, shared, arg, size, symbols=symbol, launch=launch)
    with working(f"tracing {target}"):
        jobs = prepare_all(target, kernel, options, strict=strict)
        if save is not None and len(jobs) > 1:
            names = ", ".join(job.required_launch().name for job in jobs)
            raise UsageError(f"--save is for one launch, and {target} has {names}; name a kernel")
        saving = None if save is None else (save, max_trace_bytes)
        report = trace_report([_traced(job, how, choice, saving, compare) for job in jobs])
    complain(d for job in jobs for d in job.loaded.diagnostics)
    emit(report, Destination(format_, output, verbose))


Choice = tuple[tuple[int, int, int], int] | int | None
"""One CTA with the warp that is shown, or a number of CTAs; None: the usual number, -1: all."""


def _choice(cta: str | None, warp: int | None, ctas: int | None, *, all_ctas: bool) -> Choice:
    one = cta is not None or warp is not None
    if one + (ctas is not None) + all_ctas > 1:
        raise UsageError("--cta with --warp, --ctas and --all-ctas exclude each other")
    if one:
        return coordinates("--cta", cta or "0"), warp or 0
    return -1 if all_ctas else ctas


def _traced(
    job: Job,
    how: TraceOptions,
    choice: Choice,
    saving: tuple[Path, int | None] | None,
    compare: bool,
) -> LaunchTrace:
    from warpmill.commands.trace.result import launch_trace  # noqa: PLC0415
    from warpmill.session.traces import SAMPLED_CTAS, trace  # noqa: PLC0415 - slow to load

    launch = job.required_launch()
    ends = how.ends()
    if saving is not None and len(ends) > 1:
        raise UsageError("--save is for one trace: --assume needs numbers there, not ranges")
    assumed = how.assumptions
    if not isinstance(choice, tuple):
        most = launch.cta_count if choice == -1 else choice or SAMPLED_CTAS
        each = [trace(job, end, most_ctas=most) for end in ends]
        saved = _saved(job, each[0], choice, saving)
        beside = _compared(job, how, None) if compare else None
        return launch_trace(
            job, each[0], None, saved, assumed=assumed, high=_high(each), beside=beside
        )
    cta, number = choice
    _check(cta, launch.grid)
    each = [trace(job, end, ctas=[cta]) for end in ends]
    warps = each[0].source.warps(cta)
    if number >= len(warps):
        raise UsageError(f"--warp {number}: a CTA of {launch.name} has warps 0 to {len(warps) - 1}")
    saved = _saved(job, each[0], choice, saving)
    beside = _compared(job, how, [cta]) if compare else None
    return launch_trace(
        job, each[0], warps[number], saved, assumed=assumed, high=_high(each), beside=beside
    )


def _compared(
    job: Job, how: TraceOptions, ctas: Sequence[tuple[int, int, int]] | None
) -> TraceComparison:
    from warpmill.session.traces import compare_with_executed  # noqa: PLC0415 - slow to load

    return compare_with_executed(job, how, ctas).comparison


def _high(each: Sequence[Traced]) -> Traced | None:
    """Give the traces of the high ends, where a range was assumed."""
    return each[1] if len(each) > 1 else None


def _saved(
    job: Job, traced: Traced, choice: Choice, saving: tuple[Path, int | None] | None
) -> Saved | None:
    """Save the traces of the CTAs that were named, or of all."""
    if saving is None:
        return None
    from warpmill.analyzer.traces.summary import sampled_ctas  # noqa: PLC0415 - only where traces are saved
    from warpmill.session.traces import save_traces  # noqa: PLC0415

    path, most_bytes = saving
    grid = job.required_launch().grid
    if isinstance(choice, tuple):
        ctas: Sequence[tuple[int, int, int]] = [choice[0]]
    else:
        total = job.required_launch().cta_count
        ctas = sampled_ctas(grid, choice if choice and choice > 0 else total)
    return save_traces(
        job,
        traced.source,
        path,
        ctas,
        max_bytes=most_bytes,
        before=lambda size: tell(f"{len(ctas)} CTAs, about {size:,} bytes, to {path}"),
    )


def _check(cta: Sequence[int], grid: Sequence[int]) -> None:
    if any(c >= g for c, g in zip(cta, grid, strict=True)):
        last = ",".join(str(g - 1) for g in grid)
        raise UsageError(f"--cta {','.join(map(str, cta))}: the grid's last CTA is {last}")
