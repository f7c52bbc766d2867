"""``warpmill samples``: list (which may be left out), show, run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.opt import Arg, Help, Opt, Without
from warpmill.cli.output import emit
from warpmill.cli.progress import progress_bar
from warpmill.session.options import Output, RunOptions, Sizes

if TYPE_CHECKING:
    from warpmill.session.workloads import Workload

Name = Annotated[str, Arg("A workload.", metavar="NAME", completes="workload")]
Shown = Annotated[Output, Without("verbose")]


def _one_of(option: str, text: str, choices: Sequence[str]) -> str:
    """The choice that is meant, whatever its case. UsageError."""
    if text.lower() in choices:
        return text.lower()
    near = suggestion(text, choices)
    hint = f"{near} there are {', '.join(choices)}" if near else f"there are {', '.join(choices)}"
    words = f"{option} {text}: no workload is of it"
    raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def _area(text: str) -> str:
    from warpmill.session.workloads import Area  # noqa: PLC0415 - slow to load

    return _one_of("--area", text, get_args(Area))


def _paper(text: str) -> str:
    from warpmill.session.workloads import PaperName  # noqa: PLC0415 - slow to load

    return _one_of("--paper", text, get_args(PaperName))


@dataclass(frozen=True)
class WorkloadFilter:
    """Which workloads are listed."""

    area: Annotated[
        str | None,
        Opt(
            "Only graphs, stencils, dense, finance, physics, graphics, cryptography, modern, "
            "others.",
            metavar="AREA",
            text=str,
            read=_area,
        ),
    ] = None
    paper: Annotated[
        str | None,
        Opt(
            "Only those of hybrid, tbpoint, stargazer, minibench, gtpin.",
            metavar="PAPER",
            text=str,
            read=_paper,
        ),
    ] = None

    def takes(self, workload: Workload) -> bool:
        """Whether a workload is listed."""
        in_area = self.area is None or workload.form.area == self.area
        return in_area and (self.paper is None or self.paper in workload.form.papers)


@dataclass(frozen=True)
class BuildOptions:
    """Which sizes of a workload, and which of its builds."""

    preset: Annotated[
        str, Opt("Which sizes; samples show lists them.", metavar="NAME", completes="preset")
    ] = "small"
    build: Annotated[str, Opt("sm_75, sm_80, sm_90 (PTX), or opencl.", metavar="NAME")] = "sm_80"
    sizes: Sizes = field(default_factory=dict)


def samples_list(wanted: WorkloadFilter, output: Shown) -> None:
    """List the workloads: what they compute, for which papers, in which sizes."""
    from warpmill.commands.samples.result import samples_report  # noqa: PLC0415 - slow to load
    from warpmill.session.workloads import workloads  # noqa: PLC0415

    chosen = {name: w for name, w in workloads().items() if wanted.takes(w)}
    if not chosen:
        given = (("area", wanted.area), ("paper", wanted.paper))
        raise UsageError(f"no workload is of {' '.join(f'--{k} {v}' for k, v in given if v)}")
    emit(samples_report(chosen), output)


def samples_show(name: Name, output: Shown) -> None:
    """Show a workload: its kernels, its presets, what papers say of it, what was left out."""
    from warpmill.commands.samples.result import samples_report  # noqa: PLC0415 - slow to load
    from warpmill.session.workloads import find_workload  # noqa: PLC0415

    emit(samples_report({name: find_workload(name)}), output)


def samples_run(
    name: Name,
    build: Annotated[BuildOptions, Help("sizes", "Replace a size of the preset.")],
    options: Annotated[RunOptions, Without("schedule")],
    output: Shown,
) -> None:
    """Run a workload and check its results. Exit code 1 where one is wrong."""
    from warpmill.session.workload_runs import run_workload  # noqa: PLC0415 - slow to load
    from warpmill.session.workloads import WorkloadTarget, find_workload  # noqa: PLC0415

    target = WorkloadTarget(find_workload(name), build.preset, build.build)
    target.workload.module_file("", build.build)  # so that a wrong build is told first
    with progress_bar(f"running {target.title}") as progress:
        done = run_workload(target, build.sizes, replace(options, progress=progress))
    emit(done, output)
    if not done.passed:
        raise typer.Exit(1)
