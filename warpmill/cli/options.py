"""The options that commands share, and how their texts are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from warpmill.analyzer.base.diagnostics import Diagnostic, Faults, Severity, UsageError
from warpmill.analyzer.base.naming import nearest_names
from warpmill.cli.output import complain
from warpmill.cli.written_files import written_file
from warpmill.session.options import LaunchOptions, MachineOptions, TargetOptions

if TYPE_CHECKING:
    from warpmill.session.options import LaunchOptions, TraceOptions
    from warpmill.simulator.machines import Machine
    from warpmill.simulator.machines.schema import Scalar
    from warpmill.sweeps.space import Axis, SweepSpace

DEFAULT_MACHINES = ("v100", "a100", "h100_sxm")
"""The machines that an estimate is made for where none is named."""


class Format(StrEnum):
    """What a report is written as."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


Target = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="A launch file (.toml), a kernel file (.ptx, .ll, .bc), or what launches kernels: a "
        "program (.py), a recording (.wmrec), a workload (bfs:tiny).",
        show_default=False,
    ),
]
Kernel = Annotated[
    str | None,
    typer.Option("--kernel", "-k", metavar="NAME", help="Which kernel, mangled or not."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Make an unknown opcode an error.")]
Grid = Annotated[
    str | None,
    typer.Option("--grid", metavar="X[,Y[,Z]]", help="CTAs, where a kernel file is given."),
]
Block = Annotated[
    str | None,
    typer.Option("--block", metavar="X[,Y[,Z]]", help="Threads of a CTA, likewise."),
]
Shared = Annotated[
    int | None,
    typer.Option("--shared", metavar="BYTES", help="Dynamic shared memory of a CTA, likewise."),
]
Arguments = Annotated[
    list[str] | None,
    typer.Option(
        "--arg",
        metavar="VALUE",
        help="The next argument, likewise: 5, i32=5, f32=0.5, buffer=f32:1024, null, NAME=5.",
        show_default=False,
    ),
]
Symbols = Annotated[
    list[str] | None,
    typer.Option(
        "--symbol",
        metavar="NAME=CONTENTS",
        help="Contents of a module variable, likewise: table=f32:64:uniform, table=arange, n=3; "
        "of a texture reference: image=texture=f32:64x64.",
        show_default=False,
    ),
]
Sizes = Annotated[
    list[str] | None,
    typer.Option(
        "--size",
        metavar="NAME=VALUE",
        help="Replace a size of the launch file.",
        show_default=False,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change a value of every machine, such as sm.count=132.",
        show_default=False,
    ),
]
Machines = Annotated[
    list[str] | None,
    typer.Option(
        "--machine",
        "-m",
        metavar="NAME[,NAME]",
        help="Machines by name, or machine files (.toml); "
        f"without it {', '.join(DEFAULT_MACHINES)}.",
        show_default=False,
    ),
]
Registers = Annotated[
    int | None,
    typer.Option(
        "--regs",
        metavar="N",
        min=1,
        help="Registers of a thread: 1 to what the machine has, which is 255 on most.",
    ),
]
Ptxas = Annotated[bool, typer.Option("--ptxas", help="Ask ptxas for the registers.")]
TRACE_SOURCES = ("auto", "static", "executed")
"""Where traces come from, if not from a file."""

TraceChoice = Annotated[
    str,
    typer.Option(
        "--trace",
        metavar="auto|static|executed|FILE",
        help="Where the warp traces come from.",
    ),
]
MaxTraceVisits = Annotated[
    int | None,
    typer.Option(
        "--max-trace-visits",
        metavar="N",
        min=1,
        help="Most block visits that a static trace walks; 100000 without it.",
        show_default=False,
    ),
]
MaxTraceInstructions = Annotated[
    int | None,
    typer.Option(
        "--max-instructions",
        metavar="N",
        min=1,
        help="Most thread instructions that executing for a trace takes; 50000000000 without it.",
        show_default=False,
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to write the report.")]


Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file, whole or not at all; of a link, to what it points to.",
        callback=written_file,
    ),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show everything in text.")]


def launch_options(  # noqa: PLR0913 - each option by its name
    grid: str | None,
    block: str | None,
    shared: int | None,
    arguments: Sequence[str] | None,
    sizes: Sequence[str] | None,
    *,
    symbols: Sequence[str] | None = None,
    launch: str | None = None,
) -> LaunchOptions:
    """Put the options of a launch together. UsageError for a size that is not NAME=VALUE."""
    from warpmill.session.options import LaunchOptions  # noqa: PLC0415 - the analyses are slow to load

    named = dict(pair("--size", text, "n=4096") for text in sizes or ())
    chosen = _launch_choice(launch)
    filled = tuple(symbols or ())
    return LaunchOptions(grid, block, shared, tuple(arguments or ()), named, chosen, filled)


def _launch_choice(text: str | None) -> int | Literal["all", "largest"]:
    if text is None:
        return "largest"
    if text == "all":
        return "all"
    if text.isascii() and text.isdigit() and len(text) < 12:
        return int(text)
    raise UsageError(f"--launch {text}: the number of a launch, from 0, or `all` is needed")


def trace_options(
    source: str,
    assume: Sequence[str] | None,
    max_visits: int | None,
    *,
    pruned: bool = False,
    max_instructions: int | None = None,
) -> TraceOptions:
    """Put the options of traces together. UsageError for what is not NAME=N or NAME=LOW..HIGH."""
    from warpmill.analyzer.analyses.ranges.assumptions import parse_assumptions  # noqa: PLC0415 - slow to load
    from warpmill.session.options import TraceOptions  # noqa: PLC0415 - the analyses are slow to load

    if source not in TRACE_SOURCES and not Path(source).exists():
        words = f"--trace {source}: this is none of {', '.join(TRACE_SOURCES)}, nor is there a file"
        raise UsageError(f"{words} of traces with this name")
    plain = TraceOptions(source, parse_assumptions(assume or ()), pruned=pruned)
    return replace(
        plain,
        max_visits=plain.max_visits if max_visits is None else max_visits,
        max_instructions=plain.max_instructions if max_instructions is None else max_instructions,
    )


def pair(option: str, text: str, example: str) -> tuple[str, str]:
    """Split NAME=VALUE; the name may hold no equals sign. UsageError for anything else."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        words = f"{option} {text}: this is not of the form NAME=VALUE"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=f"such as {option} {example}"))
    return name, value


def machine_choice(given: Sequence[str] | None) -> tuple[str, ...]:
    """List the machines that were named, with commas or one by one, each once. UsageError."""
    names = [name.strip() for text in given or DEFAULT_MACHINES for name in text.split(",")]
    chosen = dict.fromkeys(machine_name("--machine", name) for name in names if name)
    if not chosen:
        raise UsageError("--machine names no machine")
    called: dict[str, str] = {}
    for name in chosen:
        other = called.setdefault(name.rpartition("/")[2].removesuffix(".toml"), name)
        if other != name:
            words = f"--machine {other},{name}: two machines of one name; give one file another"
            raise UsageError(words)
    return tuple(chosen)


def machines_given(
    given: Sequence[str] | None, settings: Sequence[str] | None
) -> tuple[list[Machine], dict[str, Scalar]]:
    """Load the machines that were named, with the values of --set. UsageError with all faults."""
    from warpmill.simulator.machines import load_machine, parse_overrides  # noqa: PLC0415 - slow to load
    from warpmill.simulator.machines.consequences import contradictions  # noqa: PLC0415
    from warpmill.simulator.machines.files import machine_names  # noqa: PLC0415

    faults = Faults()
    overrides = faults.of(lambda: parse_overrides(settings or ()))
    names, machines = machine_choice(given), []
    like: list[str] = []
    for name in names:
        found = faults.of(lambda name=name: load_machine(name, overrides))  # type: ignore[misc]
        near = (name,) if found is not None else nearest_names(name, machine_names())[:1]
        like += near
        machines += [] if found is None else [found]
    try:
        faults.check()
    except UsageError as error:
        fix = ("--machine", (",".join(dict.fromkeys(like)),)) if len(like) == len(names) else None
        known = overrides is not None and fix is not None
        raise UsageError(
            *(replace(d, fix=fix if known else None) for d in error.diagnostics)
        ) from None
    assert overrides is not None
    if overrides:
        complain(
            replace(told, message=f"{machine.name}: {told.message}")
            for machine in machines
            for told in contradictions(machine, load_machine(machine.chain[0]))
        )
    return machines, overrides


def check_together(made: Mapping[str, Any], faults: Faults) -> None:
    """See what else is wrong where some options are: with the machines, and with the target.

    An application would have to be run for that: it is let be.
    """
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load
    from warpmill.session.targets import is_application  # noqa: PLC0415

    of = {type(value): value for value in made.values()}
    machine, launch = of.get(MachineOptions), of.get(LaunchOptions)
    if machine is not None:
        faults.of(lambda: machines_given(machine.machines, machine.settings))
    source = of.get(TargetOptions)
    if source is not None and launch is not None and not is_application(source.target):
        whole = replace(launch, launches="largest")  # which of them is meant says the command
        faults.of(lambda: prepare_all(source.target, source.kernel, whole, strict=source.strict))


def read_together(target: str, jobs: Callable[[], object], *makes: Callable[[], Any]) -> list[Any]:
    """Read options by functions. What is wrong with any is said with all others that are.

    With them what is wrong with the target's jobs, unless that takes running an application.
    UsageError and InputError.
    """
    from warpmill.session.targets import is_application  # noqa: PLC0415 - slow to load

    faults = Faults()
    made = [faults.of(make) for make in makes]
    if faults.found and not is_application(target):
        faults.of(jobs)
    faults.check()
    return made


def machine_name(option: str, typed: str) -> str:
    """Give the machine that a name means, with a note where it is spelt otherwise; files as is.

    A name that means none stays as it is: what loads it says so.
    """
    from warpmill.simulator.machines.files import packaged_file  # noqa: PLC0415 - slow to load
    from warpmill.simulator.machines.lookup import machine_meant  # noqa: PLC0415
    from warpmill.simulator.machines.resolve import is_machine_file  # noqa: PLC0415

    if is_machine_file(typed):
        return typed
    try:
        found = machine_meant(typed)
    except UsageError:
        return typed
    if found.name != typed:
        product = packaged_file(found.name).entries["machine.name"].value
        words = f"{option} {typed} is taken to be {found.name} ({product})".lstrip()
        if found.others:
            words += f"; {' and '.join(found.others)} would fit, too"
        complain([Diagnostic(Severity.NOTE, words)])
    return found.name


def with_machines_named(space: SweepSpace) -> SweepSpace:
    """Give a space with the machines of its axis named as ``machine_name`` names them."""

    def named(axis: Axis) -> Axis:
        if axis.name != "machine":
            return axis
        names = [machine_name("--over machine", str(typed)) for typed in axis.values]
        return replace(axis, values=tuple(dict.fromkeys(names)))

    return replace(space, axes=tuple(map(named, space.axes)))


def coordinates(option: str, text: str) -> tuple[int, int, int]:
    """Read ``3`` or ``3,1,0``; what is missing is 0. UsageError."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 3 or not all(p.isascii() and p.isdigit() and len(p) < 12 for p in parts):
        raise UsageError(f"{option} {text}: one to three numbers from 0 are needed, such as 3,1")
    x, y, z = (*map(int, parts), 0, 0)[:3]
    return x, y, z
