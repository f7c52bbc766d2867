"""``warpmill dfsg``: show (which may be left out), diff."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.opt import Help, Opt, Without
from warpmill.cli.output import emit
from warpmill.cli.running import complain_of
from warpmill.session.options import (
    AS_GRAPH,
    ComparedTargets,
    ComparisonOptions,
    LaunchNumber,
    LaunchOptions,
    Output,
    RunOptions,
    TargetOptions,
)

if TYPE_CHECKING:
    from warpmill.session.dfsgs import DfsgReport

_TARGETS = """A launch file (.toml), a kernel file (.ptx, .ll, .bc), a program (.py), a recording \
(.wmrec), a workload (bfs:tiny), or a file of graphs (.json)."""

Launch = Annotated[LaunchOptions, Without("launches")]
Running = Annotated[RunOptions, Without("device", "schedule")]
LaunchOfB = Annotated[
    int | None, Opt("Which launch of B; without it as in A.", metavar="N", least=0)
]


def dfsg_show(
    source: Annotated[TargetOptions, Help("target", _TARGETS)],
    launch: Launch,
    options: Running,
    output: Annotated[Output, AS_GRAPH],
    shown: LaunchNumber = None,
) -> None:
    """Run a target and show the graph of each launch; --format dot and svg draw it."""
    emit(_report(source, launch, options, shown), output)


def dfsg_diff(
    targets: Annotated[ComparedTargets, Help("a", _TARGETS)],
    launch: Launch,
    options: Running,
    comparison: ComparisonOptions,
    output: Output,
    shown: LaunchNumber = None,
    launch_b: LaunchOfB = None,
) -> None:
    """Compare the graphs of two targets, launch by launch: a distance, and what differs.

    Options of a launch go to both, but not to a file of graphs beside a target that is run.
    """
    from warpmill.session.dfsgs import compared, is_file_of_graphs, pair_launches  # noqa: PLC0415

    both = (targets.a, targets.b)
    kernels = (targets.kernel, targets.kernel_b or targets.kernel)
    numbers = (shown, shown if launch_b is None else launch_b)
    mixed = is_file_of_graphs(targets.a) != is_file_of_graphs(targets.b)
    sides = []
    for target, kernel, number in zip(both, kernels, numbers, strict=True):
        own = LaunchOptions() if mixed and is_file_of_graphs(target) else launch
        source = TargetOptions(target, kernel, targets.strict)
        sides.append(_report(source, own, options, number).graphs)
    report = compared(both, pair_launches(both, *sides), all_rows=comparison.all_rows)
    emit(report, output)
    if comparison.exit_code and not report.equal:
        raise typer.Exit(1)


def _report(
    source: TargetOptions, launch: LaunchOptions, options: RunOptions, number: int | None
) -> DfsgReport:
    from warpmill.cli.progress import progress_bar  # noqa: PLC0415 - only where somebody looks
    from warpmill.session.dfsgs import choose_launch, collect_dfsgs  # noqa: PLC0415 - slow to load

    with progress_bar(f"running {source.target}") as progress:
        own = replace(options, progress=progress)
        report, run = collect_dfsgs(source.target, source.kernel, launch, own, strict=source.strict)
    if run is not None:
        complain_of(run.jobs)
    return replace(report, graphs=choose_launch(source.target, report.graphs, number))
