"""``warpmill machines``: list (which may be left out), show, diff, new, import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.cli.commands import HelpCommand, ListingGroup, epilog
from warpmill.cli.options import Format, FormatOption, Output, Settings, Verbose, machine_name
from warpmill.cli.output import Destination, complain, emit, write
from warpmill.cli.written_files import written
from warpmill.commands.calibrate.options import check_toml

if TYPE_CHECKING:
    from warpmill.simulator.machines.imported.configuration import Configuration

machines = typer.Typer(
    cls=ListingGroup,
    help="Look at the machines that kernels are timed on, and make new ones.\n\n"
    "`warpmill machines` is `warpmill machines list`.",
    epilog=epilog("machines"),
    rich_markup_mode=None,
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
    typer.Option(
        "--out",
        "--output",
        "-o",
        callback=written,
        metavar="FILE",
        help="Write to this file (.toml).",
    ),
]
ConfigFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A gpgpusim.config, or configurations as JSON records (.json).",
        show_default=False,
    ),
]
IcntFile = Annotated[
    Path | None,
    typer.Option(
        "--icnt",
        metavar="FILE",
        help="The file of its booksim network; without it the one that FILE names, beside it.",
    ),
]
ConfigName = Annotated[
    str | None,
    typer.Option("--config", metavar="NAME", help="Which configuration of a JSON file."),
]
ImportName = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="NAME", help="What the machine is called; else as its folder or record."
    ),
]
ImportBase = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="BASE",
        help="The machine that it falls back on; else qv100_accelsim, or before compute capability "
        "7.0 gtx480_gpgpusim.",
    ),
]


@machines.command("list", cls=HelpCommand, epilog=epilog("machines list"))
def list_(format_: FormatOption = Format.TEXT, output: Output = None) -> None:
    """List the machines that come with warpmill."""
    from warpmill.commands.machines.result import machine_list_report  # noqa: PLC0415
    from warpmill.simulator.machines import load_machine, machine_names  # noqa: PLC0415 - slow to load

    report = machine_list_report([load_machine(name) for name in machine_names()])
    emit(report, Destination(format_, output))


@machines.command(cls=HelpCommand, epilog=epilog("machines show"))
def show(
    name: Name,
    set_: Settings = None,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
) -> None:
    """Show every value of a machine with where it comes from."""
    from warpmill.commands.machines.result import machine_report  # noqa: PLC0415
    from warpmill.simulator.machines import load_machine, parse_overrides  # noqa: PLC0415 - slow to load
    from warpmill.simulator.machines.consequences import (  # noqa: PLC0415
        announced_for_another,
        contradictions,
    )

    overrides, base = parse_overrides(set_ or ()), load_machine(machine_name("", name))
    made = load_machine(machine_name("", name), overrides)
    report = machine_report(made, overrides)
    complain((*contradictions(made, base), *announced_for_another(made, base)))
    emit(report, Destination(format_, output))


@machines.command(cls=HelpCommand, epilog=epilog("machines diff"))
def diff(a: First, b: Second, format_: FormatOption = Format.TEXT, output: Output = None) -> None:
    """Show in which values two machines differ."""
    from warpmill.commands.machines.result import machine_diff_report  # noqa: PLC0415
    from warpmill.simulator.machines import load_machine  # noqa: PLC0415 - slow to load

    pair = [load_machine(machine_name("", name)) for name in (a, b)]
    emit(machine_diff_report(*pair), Destination(format_, output))


@machines.command(
    cls=HelpCommand,
    short_help="Write the file of a machine that differs from another.",
    epilog=epilog("machines new"),
)
def new(name: NewName, base: Base, set_: Settings = None, out: Out = None) -> None:
    """Write the file of a machine that differs from another in what --set says."""
    from warpmill.simulator.machines import (  # noqa: PLC0415 - slow to load
        load_machine,
        machine_names,
        new_machine_text,
        parse_overrides,
    )
    from warpmill.simulator.machines.consequences import (  # noqa: PLC0415
        announced_for_another,
        contradictions,
        followers,
    )

    base = machine_name("--from", base)
    _check_base(base, machine_names())
    _check_out(out)
    overrides = parse_overrides(set_ or ())
    write(new_machine_text(base, overrides, name), out)
    made, before = load_machine(base, overrides), load_machine(base)
    told = (followers, contradictions, announced_for_another)
    complain(each for tell_of in told for each in tell_of(made, before))


@machines.command(
    "import",
    cls=HelpCommand,
    short_help="Write the file of a machine of GPGPU-Sim.",
    epilog=epilog("machines import"),
)
def import_(  # noqa: PLR0913, PLR0917 - one parameter for each option
    file: ConfigFile,
    icnt: IcntFile = None,
    name: ImportName = None,
    config: ConfigName = None,
    base: ImportBase = None,
    out: Out = None,
    verbose: Verbose = False,
) -> None:
    """Write the file of the machine that a configuration of GPGPU-Sim describes.

    Each value names the option that it comes from. Options that are no value of a machine are
    counted on stderr; --verbose lists them.
    """
    from warpmill.simulator.machines import machine_names, read_configuration  # noqa: PLC0415 - slow to load

    if base is not None:
        base = machine_name("--from", base)
        _check_base(base, machine_names())
    _check_out(out)
    found = read_configuration(file, config, name, base, icnt)
    write(found.text, out)
    complain(found.warnings)
    complain(found.left_out if verbose or len(found.left_out) < 2 else [_summary(found)])


def _check_base(base: str, names: Sequence[str]) -> None:
    if base not in names:
        hint = suggestion(base, names) or "warpmill machines list shows them"
        words = f"--from {base}: this is not a machine that comes with warpmill"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def _check_out(out: Path | None) -> None:
    """Refuse the name of a file that could not be given where a machine is named. UsageError."""
    if out is not None and not (out.exists() and not out.is_file()):  # a device has any name
        check_toml("--out", out)


def _summary(found: Configuration) -> Diagnostic:
    words = f"{len(found.left_out)} options are no values of a machine (--verbose lists them)"
    return Diagnostic(Severity.WARNING, words, found.path)
