"""``warpmill machines``: list (which may be left out), show, diff, new, import."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.opt import Arg, Opt, Without
from warpmill.cli.options import machine_name
from warpmill.cli.output import emit, print_diagnostics, write
from warpmill.commands.calibrate.options import check_toml
from warpmill.session.options import Output, Settings, Verbose

if TYPE_CHECKING:
    from warpmill.simulator.machines.imported.configuration import Configuration

Name = Annotated[
    str, Arg("A machine by name, or a machine file (.toml).", metavar="NAME", completes="machine")
]
First = Annotated[str, Arg("A machine or a machine file.", metavar="A", completes="machine")]
Second = Annotated[str, Arg("Another one.", metavar="B", completes="machine")]
NewName = Annotated[str, Arg("What the new machine is called.", metavar="NAME")]
Base = Annotated[
    str,
    Opt(
        "The machine that it falls back on.", names=("--from",), metavar="BASE", completes="machine"
    ),
]
Out = Annotated[
    Path | None,
    Opt(
        "Write to this file (.toml).",
        names=("--out", "--output", "-o"),
        metavar="FILE",
        writes="later",
    ),
]
Shown = Annotated[Output, Without("verbose")]


@dataclass(frozen=True)
class ConfigurationOptions:
    """A configuration of GPGPU-Sim, and the machine that is made of it."""

    file: Annotated[
        Path,
        Arg("A gpgpusim.config, or configurations as JSON records (.json).", metavar="FILE"),
    ]
    icnt: Annotated[
        Path | None,
        Opt(
            "The file of its booksim network; without it the one that FILE names, beside it.",
            metavar="FILE",
        ),
    ] = None
    name: Annotated[
        str | None,
        Opt("What the machine is called; else as its folder or record.", metavar="NAME"),
    ] = None
    config: Annotated[str | None, Opt("Which configuration of a JSON file.", metavar="NAME")] = None
    base: Annotated[
        str | None,
        Opt(
            "The machine that it falls back on; else qv100_accelsim, or before compute capability "
            "7.0 gtx480_gpgpusim.",
            names=("--from",),
            metavar="BASE",
            completes="machine",
        ),
    ] = None


def machines_list(output: Shown) -> None:
    """List the machines that come with warpmill."""
    from warpmill.commands.machines.result import MachineListReport, MachineSummary  # noqa: PLC0415
    from warpmill.simulator.machines import load_machine, machine_names  # noqa: PLC0415 - slow to load

    found = tuple(MachineSummary(of=load_machine(name)) for name in machine_names())
    emit(MachineListReport(machines=found), output)


def machines_show(name: Name, output: Output, settings: Settings = ()) -> None:
    """Show the figures of a machine; --verbose shows every value with where it comes from."""
    from warpmill.commands.machines.result import MachineReport  # noqa: PLC0415
    from warpmill.simulator.machines import load_machine, parse_overrides  # noqa: PLC0415 - slow to load
    from warpmill.simulator.machines.compare import (  # noqa: PLC0415
        announced_for_another,
        contradictions,
    )
    from warpmill.simulator.machines.model import value_words  # noqa: PLC0415

    overrides, base = parse_overrides(settings), load_machine(machine_name("", name))
    made = load_machine(machine_name("", name), overrides)
    print_diagnostics((*contradictions(made, base), *announced_for_another(made, base)))
    told = {key: value_words(value) for key, value in sorted(overrides.items())}
    emit(MachineReport(of=made, overrides=told), output)


def machines_diff(a: First, b: Second, output: Shown) -> None:
    """Show in which values two machines differ."""
    from warpmill.commands.machines.result import machine_diff_report  # noqa: PLC0415
    from warpmill.simulator.machines import load_machine  # noqa: PLC0415 - slow to load

    pair = [load_machine(machine_name("", name)) for name in (a, b)]
    emit(machine_diff_report(*pair), output)


def machines_new(name: NewName, base: Base, settings: Settings = (), out: Out = None) -> None:
    """Write the file of a machine that differs from another in what --set says."""
    from warpmill.simulator.machines import (  # noqa: PLC0415 - slow to load
        load_machine,
        machine_names,
        new_machine_text,
        parse_overrides,
    )
    from warpmill.simulator.machines.compare import (  # noqa: PLC0415
        announced_for_another,
        contradictions,
        followers,
    )

    base = machine_name("--from", base)
    _check_base(base, machine_names())
    _check_out(out)
    overrides = parse_overrides(settings)
    write(new_machine_text(base, overrides, name), out)
    made, before = load_machine(base, overrides), load_machine(base)
    told = (followers, contradictions, announced_for_another)
    print_diagnostics(each for tell_of in told for each in tell_of(made, before))


def machines_import(
    configuration: ConfigurationOptions, out: Out = None, verbose: Verbose = False
) -> None:
    """Write the file of the machine that a configuration of GPGPU-Sim describes.

    Each value names the option that it comes from. Options that are no value of a machine are
    counted on stderr; --verbose lists them.
    """
    from warpmill.simulator.machines import machine_names, read_configuration  # noqa: PLC0415 - slow to load

    one = configuration
    base = None if one.base is None else machine_name("--from", one.base)
    if base is not None:
        _check_base(base, machine_names())
    _check_out(out)
    found = read_configuration(one.file, one.config, one.name, base, one.icnt)
    write(found.text, out)
    print_diagnostics(found.warnings)
    print_diagnostics(found.left_out if verbose or len(found.left_out) < 2 else [_summary(found)])


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
