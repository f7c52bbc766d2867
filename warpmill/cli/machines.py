"""``warpmill machines``: list, show, diff, new."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from analyzer.diagnostics import Diagnostic, Severity, UsageError
from analyzer.naming import suggestion
from warpmill.cli.examples import epilog
from warpmill.cli.options import Format, FormatOption, Output, Settings
from warpmill.cli.output import Destination, emit, write

machines = typer.Typer(
    help="Look at the machines that kernels are timed on, and make new ones.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="A machine by name, or a machine file (.toml).")
]
First = Annotated[str, typer.Argument(metavar="A", help="A machine or a machine file.")]
Second = Annotated[str, typer.Argument(metavar="B", help="Another one.")]
NewName = Annotated[str, typer.Argument(metavar="NAME", help="What the new machine is called.")]
Base = Annotated[
    str, typer.Option("--from", metavar="BASE", help="The machine that it falls back on.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "--output", "-o", metavar="FILE", help="Write to this file (.toml)."),
]


@machines.command("list", epilog=epilog("machines list"))
def list_(format_: FormatOption = Format.TEXT, output: Output = None) -> None:
    """List the machines that come with warpmill."""
    from simulator.machines import load_machine, machine_names  # noqa: PLC0415 - slow to load
    from warpmill.reports.machines import machine_list_report  # noqa: PLC0415

    report = machine_list_report([load_machine(name) for name in machine_names()])
    emit(report, Destination(format_, output))


@machines.command(epilog=epilog("machines show"), no_args_is_help=True)
def show(
    name: Name,
    set_: Settings = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
) -> None:
    """Show every value of a machine with where it comes from."""
    from simulator.machines import load_machine, parse_overrides  # noqa: PLC0415 - slow to load
    from warpmill.reports.machines import machine_report  # noqa: PLC0415

    overrides = parse_overrides(set_ or ())
    report = machine_report(load_machine(name, overrides), overrides)
    emit(report, Destination(format_, output))


@machines.command(epilog=epilog("machines diff"), no_args_is_help=True)
def diff(a: First, b: Second, format_: FormatOption = Format.TEXT, output: Output = None) -> None:
    """Show in which values two machines differ."""
    from simulator.machines import load_machine  # noqa: PLC0415 - slow to load
    from warpmill.reports.machines import machine_diff_report  # noqa: PLC0415

    emit(machine_diff_report(load_machine(a), load_machine(b)), Destination(format_, output))


@machines.command(epilog=epilog("machines new"), no_args_is_help=True)
def new(name: NewName, base: Base, set_: Settings = None, out: Out = None) -> None:
    """Write the file of a machine that differs from another in what --set says."""
    from simulator.machines import (  # noqa: PLC0415 - slow to load
        machine_names,
        new_machine_text,
        parse_overrides,
    )

    if base not in machine_names():
        hint = suggestion(base, machine_names()) or "warpmill machines list shows them"
        words = f"--from {base}: this is not a machine that comes with warpmill"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    write(new_machine_text(base, parse_overrides(set_ or ()), name), out)
