"""``warpmill diff``."""

from __future__ import annotations

from dataclasses import replace
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
    from warpmill.comparing.builds import Builds
    from warpmill.session.jobs import Job

_BUILDS = """A kernel file (.ptx, .ll, .bc), one of CUDA's binaries, a launch file (.toml) or a \
workload (bfs:tiny)."""

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

    With a launch, also what its warps execute. Of machine code, what its kernels take.
    """
    from warpmill.commands.diff.result import diff_report  # noqa: PLC0415
    from warpmill.comparing.builds import Builds, prepare_builds  # noqa: PLC0415 - slow to load
    from warpmill.comparing.machine_code import paired_code  # noqa: PLC0415

    both, kernels = (targets.a, targets.b), (targets.kernel, targets.kernel_b)
    with working(f"comparing {targets.a} and {targets.b}"):
        code, has_text = paired_code(both, kernels)
        if has_text:
            builds = prepare_builds(both, kernels, launch, strict=targets.strict)
        else:
            _check_no_launch(launch, targets.a)
            builds = Builds()
        _check_loops(trace, builds)
        pairs = [_pair(x, y, trace, ptxas=ptxas) for x, y in builds.pairs]
        lone = (builds.only_in_a, builds.only_in_b)
        report = diff_report(both, pairs, lone, code, all_rows=comparison.all_rows)
    print_diagnostics(d for pair in builds.pairs for job in pair for d in job.loaded.diagnostics)
    emit(report, output)
    if comparison.exit_code and not report.equal:
        raise typer.Exit(1)


def _check_no_launch(launch: LaunchOptions, file: str) -> None:
    """Refuse a launch of machine code, which is not executed. UsageError."""
    if launch.given:
        raise UsageError(f"{launch.given[0]} is for kernels that are read; {file} has no PTX")


def _pair(a: Job, b: Job, how: TraceOptions, *, ptxas: bool) -> ComparedBuilds:
    from warpmill.commands.diff.kernels import ptxas_rows  # noqa: PLC0415
    from warpmill.commands.diff.result import ComparedBuilds  # noqa: PLC0415
    from warpmill.comparing.runs import launch_diff  # noqa: PLC0415
    from warpmill.session.traces import trace  # noqa: PLC0415 - slow to load

    pair = ComparedBuilds(a, b, ptxas_rows(a, b) if ptxas else ())
    missing = [name for name, job in (("a", a), ("b", b)) if job.launch is None]
    if missing:
        return pair if len(missing) > 1 else replace(pair, launches=f"{missing[0]} has no launch")
    traced = (trace(a, _own(how, a)), trace(b, _own(how, b)))
    return replace(pair, launches=launch_diff((a, b), pair.terms, traced))


def _own(how: TraceOptions, job: Job) -> TraceOptions:
    """Without what is assumed of loops that this build does not have."""
    loops = _loops(job)
    return replace(how, assume={name: n for name, n in how.assume.items() if name in loops})


def _loops(job: Job) -> set[str]:
    blocks = job.kernel.blocks
    return {blocks[loop.header].label for loop in job.analysis.structure.loops.loops}


def _check_loops(how: TraceOptions, builds: Builds) -> None:
    """Refuse each --assume that neither build has a loop for. UsageError."""
    known = {name for pair in builds.pairs for job in pair for name in _loops(job)}
    there = ", ".join(sorted(known)) or "none"
    unknown = [name for name in how.assume if name not in known]
    if unknown:
        words = "neither build has such a loop; loops:"
        raise UsageError(*(f"--assume {name}: {words} {there}" for name in unknown))
