"""``warpmill samples``: list (which may be left out), show, run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.cli.commands import HelpCommand, ListingGroup, epilog
from warpmill.cli.options import Format, FormatOption, Output
from warpmill.cli.output import Destination, emit
from warpmill.cli.progress import progress_bar
from warpmill.cli.running import (
    DeviceOption,
    MaxInstructions,
    MaxMemory,
    MaxSeconds,
    Resident,
    Workers,
    run_options,
)
from warpmill.session.options import pair

if TYPE_CHECKING:
    from warpmill.session.workloads import Workload

samples = typer.Typer(
    cls=ListingGroup,
    help="List, show and run the workloads that come with warpmill.\n\n`warpmill samples` is "
    "`warpmill samples list`. A workload's name is taken wherever a launch file is: NAME, "
    "NAME:PRESET, NAME:PRESET:BUILD, such as `warpmill trace bfs:tiny:opencl`.",
    epilog=epilog("samples"),
    rich_markup_mode=None,
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A workload.", show_default=False)]
AreaOption = Annotated[
    str | None,
    typer.Option(
        "--area",
        metavar="AREA",
        help="Only graphs, stencils, dense, finance, physics, graphics, "
        "cryptography, modern, others.",
        show_default=False,
    ),
]
PaperOption = Annotated[
    str | None,
    typer.Option(
        "--paper",
        metavar="PAPER",
        help="Only those of hybrid, tbpoint, stargazer, minibench, gtpin.",
        show_default=False,
    ),
]
Preset = Annotated[
    str, typer.Option("--preset", metavar="NAME", help="Which sizes; samples show lists them.")
]
Build = Annotated[
    str, typer.Option("--build", metavar="NAME", help="sm_75, sm_80, sm_90 (PTX), or opencl.")
]
Sizes = Annotated[
    list[str] | None,
    typer.Option(
        "--size", metavar="NAME=VALUE", help="Replace a size of the preset.", show_default=False
    ),
]


@samples.command(
    "list", cls=HelpCommand, short_help="List the workloads.", epilog=epilog("samples list")
)
def list_(
    area: AreaOption = None,
    paper: PaperOption = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
) -> None:
    """List the workloads: what they compute, for which papers, in which sizes."""
    from warpmill.commands.samples.result import samples_report  # noqa: PLC0415 - slow to load
    from warpmill.session.workloads import Area, PaperName, workloads  # noqa: PLC0415

    area = _one_of("--area", area, get_args(Area))
    paper = _one_of("--paper", paper, get_args(PaperName))
    chosen = {name: w for name, w in workloads().items() if _is_wanted(w, area, paper)}
    if not chosen:
        asked = " ".join(f"--{k} {v}" for k, v in (("area", area), ("paper", paper)) if v)
        raise UsageError(f"no workload is of {asked}")
    emit(samples_report(chosen), Destination(format_, output))


def _one_of(option: str, text: str | None, choices: Sequence[str]) -> str | None:
    """Give the choice that is meant, whatever its case; None for none. UsageError."""
    if text is None or text.lower() in choices:
        return None if text is None else text.lower()
    near = suggestion(text, choices)
    hint = f"{near} there are {', '.join(choices)}" if near else f"there are {', '.join(choices)}"
    words = f"{option} {text}: no workload is of it"
    raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def _is_wanted(workload: Workload, area: str | None, paper: str | None) -> bool:
    in_area = area is None or workload.form.area == area
    return in_area and (paper is None or paper in workload.form.papers)


@samples.command(
    cls=HelpCommand, short_help="Show all of one workload.", epilog=epilog("samples show")
)
def show(name: Name, format_: FormatOption = Format.TEXT, output: Output = None) -> None:
    """Show a workload: its kernels, its presets, what papers say of it, what was left out."""
    from warpmill.commands.samples.result import samples_report  # noqa: PLC0415 - slow to load
    from warpmill.session.workloads import find_workload  # noqa: PLC0415

    emit(samples_report({name: find_workload(name)}), Destination(format_, output))


@samples.command(cls=HelpCommand, epilog=epilog("samples run"))
def run(  # noqa: PLR0913, PLR0917 - one parameter for each option
    name: Name,
    preset: Preset = "small",
    build: Build = "sm_80",
    size: Sizes = None,
    device: DeviceOption = "cpu",
    max_instructions: MaxInstructions = None,
    max_seconds: MaxSeconds = None,
    max_memory: MaxMemory = None,
    workers: Workers = 1,
    resident: Resident = 1,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
) -> None:
    """Run a workload and check its results. Exit code 1 where one is wrong."""
    from warpmill.commands.samples.result import sample_run_report  # noqa: PLC0415 - slow to load
    from warpmill.session.workload_runs import run_workload  # noqa: PLC0415
    from warpmill.session.workloads import WorkloadTarget, find_workload  # noqa: PLC0415

    target = WorkloadTarget(find_workload(name), preset, build)
    target.workload.module_file("", build)  # so that a wrong build is told first
    options = run_options(
        device,
        max_instructions=max_instructions,
        max_seconds=max_seconds,
        max_memory=max_memory,
        workers=workers,
        resident=resident,
    )
    sizes = dict(pair("--size", text, "nodes=4096") for text in size or ())
    with progress_bar(f"running {target.title}") as progress:
        done = run_workload(target, sizes, replace(options, progress=progress))
    report = sample_run_report(done)
    emit(report, Destination(format_, output))
    if not report.passed:
        raise typer.Exit(1)
