"""``warpmill diff``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Default, Help, Opt, Without
from warpmill.cli.output import emit, print_diagnostics, working
from warpmill.session.options import (
    ComparedTargets,
    ComparisonOptions,
    LaunchOptions,
    Output,
    TraceOptions,
)

if TYPE_CHECKING:
    from warpmill.commands.diff.result import ComparedBuilds
    from warpmill.session.jobs import Job

_BUILDS = "A kernel file (.ptx, .ll, .bc), a launch file (.toml) or a workload (bfs:tiny)."

Ptxas = Annotated[bool, Opt("Ask ptxas for registers and spills too.")]


def diff(
    targets: Annotated[
        ComparedTargets, Help("a", _BUILDS), Help("b", "Another build of the same.")
    ],
    launch: Annotated[LaunchOptions, Without("launches")],
    trace: Annotated[
        TraceOptions, Default("source", "static"), Without("source", "max_instructions", "pruned")
    ],
    comparison: ComparisonOptions,
    output: Output,
    ptxas: Ptxas = False,
) -> None:
    """Compare two builds of a kernel: registers, instructions, loops, memory accesses.

    With a launch, also what its warps execute.
    """
    from warpmill.commands.diff.result import diff_report  # noqa: PLC0415
    from warpmill.comparing.builds import prepare_builds  # noqa: PLC0415 - slow to load

    both, kernels = (targets.a, targets.b), (targets.kernel, targets.kernel_b)
    with working(f"comparing {targets.a} and {targets.b}"):
        builds = prepare_builds(both, kernels, launch, strict=targets.strict)
        _check_loops(trace, [job for pair in builds.pairs for job in pair])
        pairs = [_pair(x, y, trace, ptxas=ptxas) for x, y in builds.pairs]
        lone = (builds.only_in_a, builds.only_in_b)
        report = diff_report(both, pairs, lone, all_rows=comparison.all_rows)
    print_diagnostics(d for pair in builds.pairs for job in pair for d in job.loaded.diagnostics)
    emit(report, output)
    if comparison.exit_code and not report.equal:
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
