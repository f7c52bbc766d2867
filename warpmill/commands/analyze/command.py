"""``warpmill analyze``."""

from __future__ import annotations

from typing import Annotated

from warpmill.analyzer.base.opt import Help, Without
from warpmill.cli.output import emit, print_diagnostics, working
from warpmill.session.options import AS_GRAPH, LaunchOptions, Output, TargetOptions, TraceOptions

_ASSUMED = """A value, or a range, of a loop's trips that data decide, or without a launch of an \
argument, a size or an id (ntid.x)."""


def analyze(
    source: TargetOptions,
    launch: LaunchOptions,
    trace: Annotated[
        TraceOptions,
        Without("source", "max_visits", "max_instructions", "pruned"),
        Help("assume", _ASSUMED),
    ],
    output: Annotated[Output, AS_GRAPH],
) -> None:
    """Show how a kernel runs: blocks, loops with trip counts, branches, memory accesses."""
    from warpmill.commands.analyze.result import analyze_report  # noqa: PLC0415 - slow to load
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415

    with working(f"analysing {source.target}"):
        jobs = prepare_all(source.target, source.kernel, launch, strict=source.strict)
        report = analyze_report(jobs, trace.assumptions)
    print_diagnostics(d for job in jobs for d in job.loaded.diagnostics)
    emit(report, output)
