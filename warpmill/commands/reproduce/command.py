"""``warpmill reproduce``."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.opt import Arg, Opt
from warpmill.cli.output import emit, tell
from warpmill.session.options import Output

if TYPE_CHECKING:
    from warpmill.benchmarks.papers import Item, Paper

PaperName = Annotated[
    str | None,
    Arg("A paper: tbpoint, gtpin, stargazer ...; all without it.", metavar="PAPER"),
]


@dataclass(frozen=True)
class ReproduceOptions:
    """Which figure or table, and whether it is measured anew."""

    figure: Annotated[
        str | None, Opt("A figure of the paper, by its number.", metavar="NUMBER")
    ] = None
    table: Annotated[
        str | None, Opt("A table of the paper, as it is numbered.", metavar="NUMBER")
    ] = None
    fresh: Annotated[
        bool, Opt("Measure now, what may take hours; else what was measured last.")
    ] = False
    little: Annotated[bool, Opt("Measure a little of it now.", names=("--quick",))] = False
    plot: Annotated[
        Path | None,
        Opt("Write its picture to this .png file.", metavar="FILE", writes="now"),
    ] = None


def reproduce(options: ReproduceOptions, output: Output, paper: PaperName = None) -> None:
    """Show a figure or a table of the papers, as it was measured last or measured now.

    Without a figure or a table it lists those of a paper, or of all, with what makes each. Where
    a command of warpmill makes it, that command runs.
    """
    from warpmill.benchmarks.papers import read  # noqa: PLC0415 - slow to load
    from warpmill.commands.reproduce.result import listed  # noqa: PLC0415

    papers = dict(read())
    if paper is None:
        if options.figure or options.table:
            raise UsageError(f"name the paper: {', '.join(papers)}")
        emit(listed(papers), output)
        return
    if paper not in papers:
        hint = suggestion(paper, papers) or f"papers: {', '.join(papers)}"
        raise UsageError(Diagnostic(Severity.ERROR, f"there is no paper `{paper}`", hint=hint))
    item = _item(paper, papers[paper], options)
    if item is None:
        emit(listed({paper: papers[paper]}), output)
    elif item.none:
        raise UsageError(f"{item.title} of {paper} is {item.none}: see {item.see}")
    elif item.command:
        tell(f"$ {item.command}")
        _run(item.command)
    else:
        emit(_shown(paper, item, options), output)


def _item(name: str, paper: Paper, options: ReproduceOptions) -> Item | None:
    """The item that is asked for; None: none is. UsageError where there is no such one."""
    if options.figure and options.table:
        raise UsageError("one figure or one table at a time")
    kind = "figure" if options.figure else "table"
    number = options.figure or options.table
    if number is None:
        if options.fresh or options.little or options.plot:
            raise UsageError("say which, with --figure or --table")
        return None
    for item in paper.items:
        if item.kind == kind and item.number.lower() == number.lower():
            return item
    known = ", ".join(paper.numbers(kind))
    raise UsageError(f"{name} has no {kind} {number}: there are {known}")


def _shown(name: str, item: Item, options: ReproduceOptions) -> Any:
    from warpmill.benchmarks.benchmark import Request, every_benchmark  # noqa: PLC0415 - slow
    from warpmill.commands.reproduce.result import shown  # noqa: PLC0415

    if options.plot is not None and not item.picture:
        raise UsageError(f"{item.title} of {name} has no picture: leave out --plot")
    if options.plot is not None and options.plot.suffix.lower() != ".png":
        raise UsageError(f"{options.plot} cannot be drawn: its name ends in .png")
    benchmark = every_benchmark()[item.benchmark]
    if options.fresh or options.little:
        found = benchmark.run(Request(quick=options.little), keeping=False)
    else:
        kept = benchmark.kept()
        if kept is None:
            raise UsageError(f"it was not measured yet: --fresh does ({benchmark.takes})")
        found = kept
    return shown(name, item, benchmark, found, options.plot)


def _run(command: str) -> None:
    """Run a command of warpmill as it stands, and end as it does."""
    import subprocess  # noqa: PLC0415 - seldom needed
    import sys  # noqa: PLC0415

    words = shlex.split(command)[1:]
    raise typer.Exit(
        subprocess.run([sys.executable, "-m", "warpmill", *words], check=False).returncode
    )
